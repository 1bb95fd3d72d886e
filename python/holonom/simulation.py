"""Simulations: a run in the caller's hands, step by step."""
from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import numpy as np

from . import _native, _notebook
from ._native import Context, Handle, alone, ffi, lib, text
from .errors import IncompleteWarning, UsageError
from .result import Result

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Simulation"]

PathLike = Union[str, "os.PathLike[str]"]


class Simulation(Handle):
    """A run of a model that its caller leads, made by `Model.simulate`.

    Attributes
    ----------
    model : Model
    names : list of str
        Of the signals.
    units : dict of str to str

    Notes
    -----
    One thread at a time may use it; another one gets a `UsageError`. Arrays that it gives are views of its memory: they keep the memory alive and
    change with the next call. ``with m.simulate() as s:`` closes its files at the end.

    Examples
    --------
    >>> import holonom as hm
    >>> s = hm.Model("models/pendulum.yaml").simulate(end=1)
    >>> while s.step():
    ...     pass
    >>> s.time, s.done
    (1.0, True)
    """

    def __init__(self, model: "Model") -> None:
        native, ctx = model._native, Context()
        self.model, self._ctx = model, ctx
        self._hold(_native.own(ctx.need(lib.hol_simulation_create(ctx.pointer, native)), lib.hol_simulation_destroy, ctx, native))
        count = lib.hol_simulation_signals(self._native)
        self.names = [text(lib.hol_simulation_signal_name(self._native, i)) or "" for i in range(count)]
        self.units = {name: text(lib.hol_simulation_signal_unit(self._native, i)) or "" for i, name in enumerate(self.names)}
        self._column = {name: i for i, name in enumerate(self.names)}
        self._done = ffi.new("bool *")
        self._statistics: Any = lib.hol_simulation_statistics(self._native)

    # ---- going on ---------------------------------------------------------------------------------------------

    @alone
    def step(self) -> bool:
        """Takes one accepted step, as long as the method chooses. False: it was the last one."""
        self._ctx.check(lib.hol_simulation_step(self._native, self._done))
        return not self._done[0]

    def __iter__(self) -> Iterator[float]:
        """Times of the accepted steps [s], up to the end."""
        more = not self.done
        while more:
            more = self.step()
            yield self.time

    @alone
    def run(self, progress: Optional[bool] = None) -> None:
        """Goes on to the end and closes the files."""
        status, interrupted = self._go(progress)
        if interrupted:
            raise KeyboardInterrupt
        self._ctx.check(status)

    def _go(self, progress: Optional[bool]) -> tuple[int, bool]:
        """To the end: the status, and whether Ctrl-C was pressed, which ends the run between two steps."""
        native, interrupted = self._native, False
        if threading.current_thread() is not threading.main_thread():  # which alone hears of Ctrl-C
            status, self._done[0] = lib.hol_simulation_run(native), True
            return status, False
        bar, status = _notebook.Progress(self.end, progress), lib.HOL_OK
        try:
            while not self._done[0] and status == lib.HOL_OK:
                status = lib.hol_simulation_step(native, self._done)
                bar.look(native)
        except KeyboardInterrupt:
            interrupted = True
            self._ctx.cancel()
            status = lib.hol_simulation_step(native, self._done)
        lib.hol_simulation_finish(native)
        bar.close(native)
        status = self._statistics.status or status
        return status, interrupted and status == lib.HOL_ERR_CANCELLED

    def cancel(self) -> None:
        """From another thread: the next step raises `Cancelled`."""
        self._ctx.cancel()

    @alone
    def finish(self) -> None:
        """Closes the files; no step comes after it."""
        lib.hol_simulation_finish(self._native)
        self._ctx.tell()

    def _end(self) -> None:
        self.finish()

    # ---- what there is ----------------------------------------------------------------------------------------

    @property
    @alone
    def time(self) -> float:
        """The present time [s]."""
        return lib.hol_simulation_time(self._native)

    @property
    @alone
    def end(self) -> float:
        """The end that is wanted [s]."""
        return self._statistics.end

    @property
    def done(self) -> bool:
        """Whether there are no more steps."""
        return bool(self._done[0])

    @property
    @alone
    def values(self) -> np.ndarray:
        """The signals at the present time, shape (signals,): a view, which the next look at the signals fills anew."""
        pointer = self._ctx.need(lib.hol_simulation_values(self._native))
        return _native.view(pointer, len(self.names), self._native)

    def __getitem__(self, name: str) -> float:
        """A signal at the present time."""
        if name not in self._column:
            raise KeyError(f'there is no signal "{name}"{_native.suggestion(str(name), self._column)}')
        return float(self.values[self._column[name]])

    @property
    @alone
    def statistics(self) -> dict[str, Any]:
        """Counts, violations and energies so far; times and counters are complete after `finish`."""
        return _statistics(self._native, self._statistics)

    def __repr__(self) -> str:
        if self._native is None:
            return "<Simulation, closed>"
        return f"<Simulation of {self.model!r}: t = {self.time:.6g} s of {self.end:.6g} s, {len(self.names)} signals>"

    def __reduce__(self) -> Any:
        raise TypeError("a Simulation cannot be pickled; its model and a Snapshot of it can")

    # ---- files ------------------------------------------------------------------------------------------------

    @alone
    def write(self, path: PathLike) -> None:
        """Writes the signals to a file, ``.csv`` or ``.nc``, while it goes on. To be called before the first step."""
        self._ctx.check(lib.hol_simulation_write(self._native, _native.encoded(path, "path")))

    @alone
    def report(self, path: PathLike) -> None:
        """Writes a web page that plays the motion, ``.html``, when it ends. To be called before the first step."""
        self._ctx.check(lib.hol_simulation_report(self._native, _native.encoded(path, "path")))

    @alone
    def record(self) -> None:
        """Keeps the rows for `result`. To be called before the first step."""
        self._ctx.check(lib.hol_simulation_record(self._native))

    @alone
    def result(self) -> Result:
        """The rows that were kept, once, after `run` or `finish`."""
        native = self._ctx.need(lib.hol_simulation_take_result(self._native))
        statistics = _statistics(self._native, self._statistics)
        complete = self.done and self._statistics.status in (lib.HOL_OK, lib.HOL_ERR_ACCURACY)
        return Result(_native.own(native, lib.hol_result_destroy, self._ctx), self._ctx, statistics, complete)

    @alone
    def checkpoint(self, path: PathLike) -> None:
        """Saves all of the present state in a file, from which a simulation of the same model goes on, bit for bit."""
        self._ctx.check(lib.hol_simulation_checkpoint(self._native, _native.encoded(path, "path")))

    @alone
    def restart(self, path: PathLike) -> None:
        """Takes over what `checkpoint` has saved. To be called before the first step."""
        self._ctx.check(lib.hol_simulation_restart(self._native, _native.encoded(path, "path")))


def _statistics(simulation: Any, s: Any) -> dict[str, Any]:
    """What the library tells of a run, words first."""
    words = {"method": text(s.method), "status": int(s.status), "chosen": text(s.chosen), "defaults": ffi.string(s.defaults).decode() or None,
             "ended_by": text(s.ended_by), "struggled": [text(one) for one in s.struggled if one != ffi.NULL],
             "limited": {text(lib.hol_limit_key(i)): s.limited[i] for i in range(lib.HOL_LIMITS)}}
    row, numbers = ffi.new("hol_statistic *"), {}
    i = 0
    while lib.hol_simulation_statistic(simulation, i, row):
        if row.applies:
            numbers[text(row.name)] = row.value
        i += 1
    return {**words, **numbers}


def run(model: "Model", out: Sequence[PathLike], report: Optional[PathLike], progress: Optional[bool]) -> Result:
    """See Model.run."""
    sim = Simulation(model)
    for path in out:
        sim.write(path)
    if report is not None:
        sim.report(report)
    sim.record()
    sim._ctx.check(lib.hol_model_warn(sim._ctx.pointer, model._native))
    status, interrupted = sim._go(progress)
    error = None if status == lib.HOL_OK else _native.error_of(status, text(lib.hol_context_error(sim._ctx.pointer)) or "")
    sim._ctx.tell()
    try:
        result: Optional[Result] = sim.result()
    except UsageError:  # there is no row
        result = None
    if interrupted:
        if result is None:
            raise KeyboardInterrupt
        _native.warn(f"interrupted at t = {result.t[-1]:.6g} s: the result ends there", IncompleteWarning)
    elif error is not None:
        error.result = result
        raise error
    assert result is not None
    return result
