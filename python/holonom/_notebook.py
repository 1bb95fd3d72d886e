"""What is shown in Jupyter, if we are in it; progress there and in a terminal."""
from __future__ import annotations

import sys
import time
from typing import Any, Optional

from ._native import lib


def shell() -> Any:
    """The kernel's shell; None elsewhere, also in IPython in a terminal."""
    interactive = sys.modules.get("IPython")
    one = interactive.get_ipython() if interactive else None
    return one if one is not None and hasattr(one, "kernel") else None


def display(thing: Any) -> bool:
    """Shows it in the notebook; False: there is none."""
    if shell() is None:
        return False
    from IPython.display import display as show

    show(thing)
    return True


class Progress:
    """How far a run is and what time it will still take: a bar in Jupyter, a line in a terminal, nothing elsewhere.

    Runs that last less than `PATIENCE` seconds show nothing. show: True: lines also where standard error is no terminal; None: by what there is.
    """

    PATIENCE, PAUSE = 0.5, 0.1  # before the first look, between two [s]

    def __init__(self, end: float, show: Optional[bool]) -> None:
        self.end, self.started, self.handle, self.shown = end, time.monotonic(), None, False
        self.next = self.started + self.PATIENCE
        self.notebook = show is not False and shell() is not None
        self.terminal = not self.notebook and (bool(show) or (show is None and sys.stderr is not None and sys.stderr.isatty()))

    def line(self, t: float) -> str:
        part = min(max(t / self.end, 0.0), 1.0) if self.end > 0 else 0.0
        passed = time.monotonic() - self.started
        left = f"  {passed * (1 - part) / part:.0f} s left" if part > 0 else ""
        return f"t = {t:.5g} s of {self.end:.5g} s  {100 * part:.1f} %{left}"

    def look(self, simulation: Any) -> None:
        """After a step; most of the time there is nothing to do."""
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + self.PAUSE
        self._show(lib.hol_simulation_time(simulation))

    def _show(self, t: float) -> None:
        if self.terminal:
            sys.stderr.write(f"\r{self.line(t):<70}")
            sys.stderr.flush()
            self.shown = True
        elif self.notebook:
            self._bar(t)

    def _bar(self, t: float) -> None:
        from IPython.display import HTML, display as show

        bar = HTML(f'<progress value="{t}" max="{self.end}" style="width: 20em"></progress> {self.line(t)}')
        if self.handle is None:
            self.handle = show(bar, display_id=True)
        else:
            self.handle.update(bar)
        self.shown = True

    def close(self, simulation: Any) -> None:
        """The last word, if there was one."""
        if self.shown:
            self._show(lib.hol_simulation_time(simulation))
        if self.shown and self.terminal:
            sys.stderr.write("\n")
