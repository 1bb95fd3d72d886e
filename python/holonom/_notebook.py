"""What is shown in Jupyter, if we are in it; progress there and in a terminal."""
from __future__ import annotations

import sys
import time
from typing import Any, Callable, Optional


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
    """How far something is: a bar in Jupyter, a line in a terminal, nothing elsewhere.

    What lasts less than `PATIENCE` seconds shows nothing. show: True: lines also where standard error is no terminal; None: by what there is. told: of
    what is looked at, the part of all and words.
    """

    PATIENCE, PAUSE = 0.5, 0.1  # before the first look, between two [s]

    def __init__(self, show: Optional[bool], told: Callable[[Any], tuple[float, str]]) -> None:
        self.told, self.started, self.handle, self.shown = told, time.monotonic(), None, False
        self.next = self.started + self.PATIENCE
        self.notebook = show is not False and shell() is not None
        self.terminal = not self.notebook and (bool(show) or (show is None and sys.stderr is not None and sys.stderr.isatty()))

    def look(self, at: Callable[[], Any]) -> None:
        """Now and then; most of the time there is nothing to do."""
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + self.PAUSE
        self._show(at())

    def _show(self, thing: Any) -> None:
        part, words = self.told(thing)
        passed = time.monotonic() - self.started
        left = f"  {passed * (1 - part) / part:.0f} s left" if part > 0 else ""
        line = f"{words}  {100 * part:.1f} %{left}"
        if self.terminal:
            sys.stderr.write(f"\r{line:<70}")
            sys.stderr.flush()
            self.shown = True
        elif self.notebook:
            self._bar(part, line)

    def _bar(self, part: float, line: str) -> None:
        from IPython.display import HTML, display as show

        bar = HTML(f'<progress value="{part}" max="1" style="width: 20em"></progress> {line}')
        if self.handle is None:
            self.handle = show(bar, display_id=True)
        else:
            self.handle.update(bar)
        self.shown = True

    def close(self, at: Callable[[], Any]) -> None:
        """The last word, if there was one."""
        if self.shown:
            self._show(at())
        if self.shown and self.terminal:
            sys.stderr.write("\n")
