"""Many runs of one model against each other: which method is the fastest for which error, how many digits are sure."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence

from . import _native, _notebook
from ._native import Context, Fixed, ffi, lib, text
from .errors import UsageError
from .result import Result

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Race", "Run", "Choice", "Certificate", "Certified"]


@dataclass(frozen=True)
class Run:
    """A run of a race.

    Attributes
    ----------
    method : str
    tolerance : float
    fate : {"finished", "refused", "stopped", "too slow", "died", "left out"}
    failed : str or None
        Why it has not reached its end, in words.
    cpu_seconds : float
        Of its steps alone.
    steps : int
    error, rms : float
        Largest and mean error of all signals, in parts of their size; NaN unless it is judged.
    worst : str or None
        The signal with the largest error.
    ratio : float
        Its CPU time against the fastest run that is as accurate.
    """

    method: str
    tolerance: float
    fate: str
    failed: Optional[str]
    cpu_seconds: float
    steps: int
    error: float
    rms: float
    worst: Optional[str]
    ratio: float


@dataclass(frozen=True)
class Choice:
    """The fastest run for errors of 10^-first to 10^-last; the next best method for the latter, and how much longer it takes."""

    run: Run
    first: int
    last: int
    second: Optional[Run]
    times: float


@dataclass(frozen=True)
class Race:
    """Which method is the fastest for which error.

    Attributes
    ----------
    why : str or None
        Why nothing, or not everything, can be said.
    end : float
        Of all runs [s].
    floor : float
        What the reference is known to: no smaller error is claimed.
    signals : list of str
        That are judged.
    methods : list of str
    tolerances : list of float
    runs : list of Run
        Those of one tolerance side by side.
    choices : list of Choice
    """

    model: str
    why: Optional[str]
    end: float
    floor: float
    signals: list[str]
    methods: list[str]
    tolerances: list[float]
    runs: list[Run]
    choices: list[Choice]

    def fastest(self, error: float, method: Optional[str] = None) -> Optional[Run]:
        """The fastest run with an error of at most so much, of one method or of all; None: there is none."""
        if method is not None and method not in self.methods:
            raise UsageError(f'{method} was not among the methods: {", ".join(self.methods)}{_native.suggestion(str(method), self.methods)}')
        if not error >= 0:
            raise UsageError(f"error: a number of at least 0 is wanted, not {error}")
        good = [run for run in self.runs if run.error <= error and method in (None, run.method)]
        return min(good, key=lambda run: run.cpu_seconds, default=None)

    def __repr__(self) -> str:
        lines = [f"  errors of 1e-{one.first} .. 1e-{one.last}: {one.run.method} at {one.run.tolerance:.0e}, {one.run.cpu_seconds:.3g} s" +
                 (f"; {one.second.method} takes {one.times:.2g} times as long" if one.second else "") for one in self.choices]
        return "\n".join([f"<Race of {len(self.methods)} methods at {len(self.tolerances)} tolerances on {self.model}" + (f": {self.why}" if self.why else ""),
                          *lines]) + ">"


@dataclass(frozen=True)
class Certified:
    """What is sure of a signal.

    Attributes
    ----------
    digits : int
        That are sure; 0 where it stays at zero or belongs to the steps.
    error, rms : float
        Bounds, in the signal's unit.
    at : float
        When the difference of the two runs is largest [s].
    until : float
        The digits wanted are there before that time [s]; NaN: to the end.
    unit : str
    compared : bool
        False where it stays at zero or belongs to the steps.
    """

    digits: int
    error: float
    rms: float
    at: float
    until: float
    unit: str
    compared: bool


class Certificate(Fixed, Mapping):
    """How many digits of a result are sure: a mapping of signals to `Certified`.

    Attributes
    ----------
    ok : bool
        Whether every signal has the digits wanted.
    why : str or None
        What is missing.
    because : str or None
        What keeps the two runs apart, in words.
    wanted : int
    end : float
        [s]
    runs : list of str
        The two runs by methods of different families that agree best, such as ``"rk at 1e-10"``.
    results : list of Result
        Theirs.
    """

    def __init__(self, native: Any, ctx: Context) -> None:
        r = native.reference
        self.ok, self.why, self.because = native.status == lib.HOL_OK, text(native.why), text(native.because)
        self.wanted, self.end, self.model = native.wanted, native.end, text(native.model) or ""
        pair = [i for i in r.pair if i >= 0]
        self.runs = [f"{text(r.run[i].method)} at {r.run[i].tolerance:.0e}" for i in pair]
        self.results = [Result(_native.own(one, lambda _: None, native), ctx) for one in r.result if one != ffi.NULL]
        n = r.n_signals if native.signal != ffi.NULL else 0
        self._signals = {text(r.signal[i].name) or "": _certified(native.signal[i], r.signal[i]) for i in range(n)}
        self._fix()

    def __getitem__(self, name: str) -> Certified:
        return _native.picked(self._signals, name, "signal")

    def __iter__(self) -> Iterator[str]:
        return iter(self._signals)

    def __len__(self) -> int:
        return len(self._signals)

    def __repr__(self) -> str:
        good = sum(one.digits >= self.wanted for one in self.values() if one.compared)
        compared = sum(one.compared for one in self.values())
        return f"<Certificate of {self.model}: {self.wanted} digits of {good} of {compared} signals, by {' and '.join(self.runs) or 'no reference'}>"


def _certified(one: Any, judged: Any) -> Certified:
    return Certified(one.digits, one.error, one.rms, one.at, one.until, text(judged.unit) or "", not (judged.zero or judged.of_run))


def _study(model: "Model", create: Callable[[Any, Any, Any], Any], destroy: Any, options: str, own: dict[str, Any], keep: Any, signals: Sequence[str], jobs: int,
           patience: float, progress: Optional[bool]) -> tuple[Any, Context]:
    """A race or certificate, with progress, ended by Ctrl-C."""
    native, ctx = model._native, Context()
    bar, reached = _notebook.Progress(progress, _so_many), [0, 0]

    @ffi.callback("void(void *, const hol_run *, int, int)")
    def ended(_: Any, run: Any, done: int, wanted: int) -> None:
        reached[:] = done, wanted
        _native.log.info("%s at %.0e: %s", text(run.method), run.tolerance, text(run.failed) or "finished")
        bar.look(lambda: reached)

    names = _native.Texts(signals, "signals")
    study = {"signal": names.pointer, "n_signals": len(names), "jobs": jobs, "patience": patience, "ended": ended}
    given = ffi.new(options, {"study": study, **own})
    kept = names, ended, keep  # as long as the library works with them

    def work() -> Any:
        return create(ctx.pointer, native, given), kept

    made, _ = _native.interruptible(ctx, work)
    bar.close(lambda: reached)
    return _native.own(ctx.need(made), destroy, ctx), ctx


def _numbers(values: Sequence[float], what: str) -> list[float]:
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{what}: a list of numbers is wanted, not {values!r}")
    return [float(one) for one in values]


def _so_many(reached: Any) -> tuple[float, str]:
    done, wanted = reached
    return (done / wanted if wanted else 0.0), f"{done} of {wanted or '?'} runs"


def race(model: "Model", methods: Sequence[str], tolerances: Sequence[float], signals: Sequence[str], jobs: int, patience: float,
         progress: Optional[bool]) -> Race:
    """See Model.compare."""
    names, numbers = _native.Texts(methods, "methods"), ffi.new("double[]", _numbers(tolerances, "tolerances"))
    own = {"method": names.pointer, "n_methods": len(names), "tolerance": numbers if len(numbers) else ffi.NULL, "n_tolerances": len(numbers)}
    r, _ = _study(model, lib.hol_race_create, lib.hol_race_destroy, "hol_race_options *", own, (names, numbers), signals, jobs, patience, progress)
    judged = [text(r.reference.signal[i].name) or "" for i in range(r.reference.n_signals)]

    def run(one: Any) -> Run:
        nan, error = float("nan"), one.error
        return Run(text(one.run.method) or "", one.run.tolerance, text(lib.hol_fate_word(one.run.fate)) or "", text(one.run.failed), one.run.out.cpu_seconds,
                   one.run.out.steps, error.max if one.judged else nan, error.rms if one.judged else nan,
                   judged[error.worst] if one.judged and error.worst >= 0 else None, one.ratio)

    runs = [run(r.run[i]) for i in range(r.n_runs)]
    choices = [Choice(runs[c.run], c.first, c.last, runs[c.second] if c.second >= 0 else None, c.times) for c in (r.choice[i] for i in range(r.n_choices))]
    return Race(text(r.model) or "", text(r.why), r.end, r.floor, [name for name, i in zip(judged, range(len(judged))) if not r.reference.signal[i].of_run],
                [text(r.method[i]) or "" for i in range(r.n_methods)], [r.tolerance[i] for i in range(r.n_tolerances)], runs, choices)


def certificate(model: "Model", digits: int, signals: Sequence[str], jobs: int, patience: float, progress: Optional[bool]) -> Certificate:
    """See Model.certify."""
    if not 1 <= digits <= 11:
        raise UsageError(f"digits: 1 to 11 are wanted, not {digits}")
    return Certificate(*_study(model, lib.hol_certificate_create, lib.hol_certificate_destroy, "hol_certificate_options *", {"digits": digits}, None, signals,
                               jobs, patience, progress))
