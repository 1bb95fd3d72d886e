"""Simulations: a run in the caller's hands, step by step."""
from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _native, _notebook
from ._native import Context, Fixed, Handle, alone, doubles, ffi, lib, text
from .errors import OutOfMemoryError, UsageError
from .result import Result

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Simulation", "Inputs", "Snapshot", "State"]

PathLike = Union[str, "os.PathLike[str]"]
Create = Callable[[Any, Any], Any]  # of a context and a model, as hol_simulation_create
_LONG = 0.05  # an advance that should take more seconds is made by another thread, so that handlers of signals run meanwhile
_OK = lib.HOL_OK
_TAKEN = (lib.HOL_OK, lib.HOL_ERR_USAGE)  # a simulation has not failed; a call that makes no sense takes no step


class State(NamedTuple):
    """The state of a simulation: time [s], positions and velocities of the bodies in the order of their coordinates, users' states."""

    t: float
    q: np.ndarray
    v: np.ndarray
    X: np.ndarray


class Snapshot(Fixed):
    """All that a simulation knows at one time: `Simulation.save` makes it, `Simulation.restore` goes on from there, also in another simulation.

    It can be pickled and sent to other processes of the same version on machines of the same kind.
    """

    def __init__(self, native: Any, ctx: Context) -> None:
        self._native, self._lock = _native.own(native, lib.hol_snapshot_destroy, ctx), threading.Lock()
        _native.made_anew.add(self)
        self._fix()

    def _in_a_child(self) -> None:
        """Behind a fork."""
        self._lock = threading.Lock()

    def to_bytes(self) -> bytes:
        """All of it."""
        size = lib.hol_snapshot_size(self._native)
        data = ffi.new("unsigned char[]", size)
        lib.hol_snapshot_write(self._native, data, size)
        return ffi.buffer(data)[:]

    @classmethod
    def from_bytes(cls, data: bytes) -> "Snapshot":
        """What `to_bytes` has given; damaged bytes are a `UsageError`."""
        ctx, data = Context(), bytes(data)
        return cls(ctx.need(lib.hol_snapshot_of_bytes(ctx.pointer, ffi.from_buffer(data), len(data))), ctx)

    def __reduce__(self) -> Any:
        return Snapshot.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        return f"<Snapshot, {len(self.to_bytes())} bytes>"


class Inputs(Fixed, Mapping):
    """Inputs of a simulation or of equations, and tunable parameters, by name: ``s.inputs["u"] = 3``.

    Tunable parameters are those that the model lists under ``tunable``. Expressions of forces, variables, states and events may use them; where a constant
    is wanted, as for masses, lengths and stiffnesses of springs, they cannot stand.

    Attributes
    ----------
    units : dict of str to str
        ``""``: a pure number, or none is given.
    """

    def __init__(self, owner: Any, units: dict[str, str], index: dict[str, int]) -> None:
        self.__dict__.update(_owner=owner, units=units, _index=index, _fixed=True)

    def _way(self, name: str) -> str:
        if name in self._index:
            return f': write inputs["{name}"] = ..'
        return _native.suggestion(name, self._index) or "; an input is set by inputs[NAME] = .."

    def _find(self, name: str) -> int:
        if name not in self._index:
            way = _native.suggestion(str(name), self._index) or f"; there are {', '.join(self._index) or 'none'}"
            raise KeyError(f'there is no input "{name}"{way}')
        return self._index[name]

    def __getitem__(self, name: str) -> float:
        return self._owner._input(self._find(name))

    def __setitem__(self, name: str, value: float) -> None:
        """From the present time on [SI]; with ``hold: linear`` in a straight line during the next advance."""
        self._owner._set_input(self._find(name), value)

    def update(self, values: Mapping[str, float] = {}, /, **more: float) -> None:
        """Sets several of them, by a dict or by name; none where a name or value is wrong."""
        values = {**values, **more}
        wanted = [(self._find(name), float(value)) for name, value in values.items()]
        for (i, value), name in zip(wanted, values):
            if not math.isfinite(value):
                raise UsageError(f'"{name}" is to be {value}, which is no finite number')
        for i, value in wanted:
            self._owner._set_input(i, value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    def __repr__(self) -> str:
        return f"<Inputs: {', '.join(f'{name} = {self[name]:.6g} {self.units[name]}'.strip() for name in self) or 'none'}>"


class Simulation(Handle):
    """A run of a model that its caller leads, made by `Model.simulate`.

    Attributes
    ----------
    model : Model
    names : list of str
        Of the signals.
    units : dict of str to str
        Of the signals.

    Notes
    -----
    ``s["bob.x"]`` is a signal at the present time, ``"bob.x" in s`` whether there is one of this name. To iterate takes the accepted steps one by one and
    gives their times. One thread at a time may use it; another one gets a `UsageError`. ``with m.simulate() as s:`` closes its files at the end.

    Examples
    --------
    A controller that looks a thousand times a second:

    >>> import holonom as hm
    >>> s = hm.Model("models/cart_pole.yaml").simulate(end=0.5)
    >>> for t in s.every(0.001):
    ...     s.inputs["u"] = 60 * s["lean"] + 10 * s["pole.omega"] * -1
    >>> s.time, abs(s["lean"]) < 0.1
    (0.5, True)
    """

    def __init__(self, model: "Model", create: Optional[Create] = None) -> None:
        native, ctx = model._native, Context()
        self.model, self._ctx = model, ctx
        self._hold(_native.own(ctx.need((create or lib.hol_simulation_create)(ctx.pointer, native)), lib.hol_simulation_destroy, ctx, native))
        count = lib.hol_simulation_signals(self._native)
        self.names = [text(lib.hol_simulation_signal_name(self._native, i)) or "" for i in range(count)]
        self.units = {name: text(lib.hol_simulation_signal_unit(self._native, i)) or "" for i, name in enumerate(self.names)}
        self._column = {name: i for i, name in enumerate(self.names)}
        count, native = lib.hol_simulation_inputs(self._native), self._native
        self._input_units = {text(lib.hol_simulation_input_name(native, i)) or "": text(lib.hol_simulation_input_unit(native, i)) or "" for i in range(count)}
        self._input_index = {name: i for i, name in enumerate(self._input_units)}
        self._flag = ffi.new("bool *")
        self._failed = self._interrupted = False
        self._pace = float("inf")  # seconds of the clock for one of the simulation, of the last advance
        self._fix()

    def _way(self, name: str) -> str:
        if name == "inputs":
            return ": write inputs[NAME] = .. or inputs.update(..)"
        if name in ("time", "state"):
            return ": write set_state(..)"
        if name in self._input_units:
            return f': write inputs["{name}"] = ..'
        return ": what Model.simulate is told stays"

    @property
    def inputs(self) -> Inputs:
        """What a controller sets, by name."""
        return Inputs(self, self._input_units, self._input_index)  # made each time, for a simulation that holds one that holds it lives too long

    @property
    def _statistics(self) -> Any:
        return lib.hol_simulation_statistics(self._native)

    # ---- going on ---------------------------------------------------------------------------------------------

    @alone
    def step(self) -> bool:
        """Takes one accepted step, as long as the method chooses. False: it was the last one."""
        self._stepped(lib.hol_simulation_step(self._native, self._flag))
        return not self._flag[0]

    def _stepped(self, status: int) -> None:
        """After what takes steps."""
        self._failed = self._failed or status not in _TAKEN
        self._ctx.check(status)

    @alone
    def advance(self, t: Optional[float] = None, *, by: Optional[float] = None) -> None:
        """To a time exactly, at most to the end; the method's steps are as long as it likes.

        An event may end the simulation before. Ctrl-C ends a long advance; the simulation goes on after `restore` or `reset` then.

        Parameters
        ----------
        t : float
            The time to go to [s].
        by : float
            Instead: how far to go from the present time [s].
        """
        if (t is None) == (by is None):
            raise TypeError("advance() wants t, the time to go to, or by, how far to go")
        native, now, started = self._native, lib.hol_simulation_time(self._native), time.monotonic()
        goal, status = now + by if t is None else float(t), _OK

        def work() -> None:
            nonlocal status
            status = lib.hol_simulation_advance(native, goal)

        call = _native.interruptible if (goal - now) * self._pace > _LONG else _native.short
        try:
            call(self._ctx, work, self._at_work)
        except BaseException:  # of a handler of a signal
            self._interrupted = True
            raise
        finally:
            if status not in _TAKEN:
                self._failed = True
            if goal > now:
                self._pace = (time.monotonic() - started) / (goal - now)
        self._ctx.check(status)

    def every(self, period: float) -> Iterator[float]:
        """Times that are a period apart, from the present one on [s]: what is done in the loop's body is done at these times.

        >>> import holonom as hm
        >>> s = hm.Model("models/cart_pole.yaml").simulate(end=0.3)
        >>> [round(t, 3) for t in s.every(0.1)]
        [0.0, 0.1, 0.2]
        """
        if not period > 0:
            raise UsageError(f"every(): a time above 0 is wanted, not {period}")
        start = self.time
        while not self.done:
            yield self.time
            now = self.time  # who has the loop may have set it
            goal = min(start + (round((now - start) / period) + 1) * period, self.end)
            if not goal > now and not self.done:
                raise UsageError(f"every(): t = {now:.9g} s and a period of {period:.3g} s later are the same number")
            self.advance(goal)

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
            self._failed = self._interrupted = True
            raise KeyboardInterrupt
        self._stepped(status)

    def _go(self, progress: Optional[bool]) -> tuple[int, bool]:
        """To the end: the status, and whether Ctrl-C was pressed, which ends the run between two steps."""
        native, interrupted = self._native, False
        if not _native.in_main_thread():
            return lib.hol_simulation_run(native), False
        self._flag[0] = False

        def now() -> float:
            return lib.hol_simulation_time(native)

        bar, status = _notebook.Progress(progress, self._told), lib.HOL_OK
        try:
            while not self._flag[0] and status == lib.HOL_OK:
                status = lib.hol_simulation_step(native, self._flag)
                bar.look(now)
        except KeyboardInterrupt:
            interrupted = True
            self._ctx.cancel()
            status = lib.hol_simulation_step(native, self._flag)
        lib.hol_simulation_finish(native)
        bar.close(now)
        status = self._statistics.status or status
        return status, interrupted and status == lib.HOL_ERR_CANCELLED

    def _told(self, t: float) -> tuple[float, str]:
        end = self._statistics.end
        return min(max(t / end, 0.0), 1.0), f"t = {t:.5g} s of {end:.5g} s"

    def cancel(self) -> None:
        """From another thread: the next step raises `Cancelled`."""
        self._ctx.cancel()

    @alone
    def finish(self) -> None:
        """Closes the files; no step comes after it."""
        lib.hol_simulation_finish(self._native)
        self._ctx.tell()

    def _end(self) -> None:
        lib.hol_simulation_finish(self._native)
        self._ctx.tell()

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
    @alone
    def done(self) -> bool:
        """Whether it is over: the end is reached, an event has ended it, or it has failed."""
        return self._over()

    def _over(self) -> bool:
        s = self._statistics
        return self._failed or lib.hol_simulation_time(self._native) >= s.end or s.ended_by != ffi.NULL or s.status != lib.HOL_OK

    @property
    @alone
    def values(self) -> np.ndarray:
        """The signals at the present time, shape (signals,)."""
        return np.array(_native.view(self._signals(), len(self.names), None))

    def _signals(self) -> Any:
        return self._ctx.need(lib.hol_simulation_values(self._native))

    def __contains__(self, name: object) -> bool:
        """Whether there is a signal of this name."""
        return name in self._column

    @alone
    def __getitem__(self, name: str) -> float:
        """A signal at the present time."""
        if not isinstance(name, str) or name not in self._column:
            raise _native.no_signal(name, self.names)
        return self._signals()[self._column[name]]

    @alone
    def _input(self, i: int) -> float:
        return lib.hol_simulation_input(self._native, i)

    @alone
    def _set_input(self, i: int, value: float) -> None:
        self._ctx.check(lib.hol_simulation_set_input(self._native, i, value))

    @property
    @alone
    def statistics(self) -> dict[str, Any]:
        """Counts, violations and energies so far; times and counters are complete after `finish`."""
        return _statistics(self._native, self._statistics)

    @alone
    def _lend(self, call: Any) -> None:
        """For what another object takes of this one."""
        call(self._native)

    # ---- states and snapshots ---------------------------------------------------------------------------------

    @property
    @alone
    def state(self) -> State:
        """The present state; `Equations.coordinates` names q and v, `Equations.states` X."""
        view = ffi.new("hol_state_view *")
        self._ctx.check(lib.hol_simulation_get_state(self._native, view))
        q, v, X = ((view.q, view.n_q), (view.v, view.n_q), (view.state, view.n_states))
        return State(view.t, *(np.array(_native.view(pointer, n, None)) for pointer, n in (q, v, X)))

    @alone
    def set_state(self, *, t: Optional[float] = None, q: Any = None, v: Any = None, X: Any = None) -> float:
        """Takes another state, of any time; what is not given stays. It is put onto the joints, and the method starts anew.

        Parameters
        ----------
        t : float, optional
            From 0 to the end [s].
        q, v : array_like, shape (n_q,), optional
            Positions and velocities.
        X : array_like, shape (n_X,), optional
            Users' states.

        Returns
        -------
        float
            The largest change of a coordinate or velocity for the joints, by natural size and time [-].
        """
        now, change = ffi.new("hol_state_view *"), ffi.new("double *")
        self._ctx.check(lib.hol_simulation_get_state(self._native, now))
        given = {"t": now.t if t is None else float(t), "n_q": now.n_q, "n_states": now.n_states}
        for name, values, n in (("q", q, now.n_q), ("v", v, now.n_q), ("state", X, now.n_states)):
            if values is not None:
                given[name] = doubles(values, n, "X" if name == "state" else name)
        self._ctx.check(lib.hol_simulation_set_state(self._native, ffi.new("hol_state_view *", given), change))
        return change[0]

    @alone
    def save(self, into: Optional[Snapshot] = None) -> Snapshot:
        """All that it knows at present, in memory.

        Parameters
        ----------
        into : Snapshot, optional
            One that is not needed any longer, whose memory is used again.
        """
        if into is not None and not isinstance(into, Snapshot):
            raise TypeError(f"into: a Snapshot is wanted, not {type(into).__name__}")
        if into is None:
            return Snapshot(self._ctx.need(lib.hol_simulation_save(self._native)), self._ctx)
        with into._lock:
            self._ctx.check(lib.hol_simulation_save_again(self._native, into._native))
        return into

    @alone
    def restore(self, snapshot: Snapshot) -> None:
        """Goes on from a snapshot, bit for bit, also after the end or a failure.

        It may be one of another simulation. Where the model has other values of parameters, or the method is another one, positions, velocities,
        states, inputs and memory are taken over.
        """
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"a Snapshot is wanted, not {type(snapshot).__name__}")
        with snapshot._lock:
            self._anew(lambda: lib.hol_simulation_restore(self._native, snapshot._native))

    @alone
    def reset(self) -> None:
        """Back to the start, with the inputs of the model, also after the end or a failure. Cheap from the second time on."""
        self._anew(lambda: lib.hol_simulation_reset(self._native))

    def _anew(self, call: Any) -> None:
        """A call behind which all is well. An interruption that came too late for its advance may still wait for what comes next: it gets a step."""
        status = call()
        if self._interrupted and (status == lib.HOL_ERR_CANCELLED or lib.hol_context_cancelled(self._ctx.pointer)):
            lib.hol_simulation_step(self._native, self._flag)
            status = call()
        self._ctx.check(status)
        self._failed = self._interrupted = False

    def __repr__(self) -> str:
        if self._native is None:
            return "<Simulation, closed>"
        if self._at_work or self._elsewhere():
            return f"<Simulation of {self.model!r}, at work>"
        return f"<Simulation of {self.model!r}: t = {self.time:.6g} s of {self.end:.6g} s, {len(self.names)} signals>"

    def __reduce__(self) -> Any:
        raise TypeError("a Simulation cannot be pickled; its model and a Snapshot of it can")

    # ---- files ------------------------------------------------------------------------------------------------

    @alone
    def write(self, path: PathLike) -> None:
        """Writes the signals to a file, ``.csv``, while it goes on. To be called before the first step."""
        self._ctx.check(lib.hol_simulation_write(self._native, _native.encoded(path, "path")))

    @alone
    def report(self, path: PathLike) -> None:
        """Writes a web page that plays the motion, ``.html``, when it ends. To be called before the first step."""
        self._ctx.check(lib.hol_simulation_report(self._native, _native.encoded(path, "path")))

    @alone
    def write_contacts(self, path: PathLike) -> None:
        """Writes the table of contacts to a file, ``.csv``, a line each when it ends. To be called before the first step."""
        self._ctx.check(lib.hol_simulation_write_contacts(self._native, _native.encoded(path, "path")))

    @alone
    def record(self) -> None:
        """Keeps the rows for `result`. To be called before the first step."""
        self._ctx.check(lib.hol_simulation_record(self._native))

    @alone
    def result(self) -> Result:
        """The rows that were kept, once, after `run` or `finish`."""
        native = self._ctx.need(lib.hol_simulation_take_result(self._native))
        statistics = _statistics(self._native, self._statistics)
        complete = self._over() and self._statistics.status in (lib.HOL_OK, lib.HOL_ERR_ACCURACY)
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


def run(model: "Model", out: Sequence[PathLike], report: Optional[PathLike], progress: Optional[bool], create: Optional[Create] = None) -> tuple[Result, bool]:
    """A run to its end, and whether Ctrl-C has ended it; see Model.run. create: what else is simulated, kinematics."""
    sim = Simulation(model, create)
    for path in out:
        sim.write(path)
    if report is not None:
        sim.report(report)
    sim.record()
    sim._ctx.check(lib.hol_model_warn(sim._ctx.pointer, model._native))
    with _native.among(sim._ctx):
        status, interrupted = sim._go(progress)
    error = None if status == lib.HOL_OK else _native.error_of(status, text(lib.hol_context_error(sim._ctx.pointer)) or "")
    sim._ctx.tell()
    try:
        result: Optional[Result] = sim.result()
    except UsageError:  # there is no row
        result = None
    if error is not None and not interrupted:
        error.result = result
        raise error
    if result is None:
        raise KeyboardInterrupt
    return result, interrupted
