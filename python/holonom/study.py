"""Sweeps: the same model with many values of its parameters."""
from __future__ import annotations

import itertools
import os
import pickle
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

import numpy as np

from . import _native, _notebook
from ._native import Fixed
from .errors import HolonomError, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .model import Model
    from .result import Result

__all__ = ["Study", "Failure", "sweep"]

Output = Union[str, "Callable[[Result], Any]"]


def _mean(t: np.ndarray, x: np.ndarray) -> Any:
    """Of straight lines between the rows."""
    return np.sum(np.diff(t) * (x[1:] + x[:-1])) / 2 / (t[-1] - t[0]) if t[-1] > t[0] else x[0]


_REDUCTIONS: dict[str, Callable[[np.ndarray, np.ndarray], Any]] = {
    "end": lambda t, x: x[-1],
    "start": lambda t, x: x[0],
    "min": lambda t, x: x.min(),
    "max": lambda t, x: x.max(),
    "mean": _mean,
    "rms": lambda t, x: np.sqrt(_mean(t, x * x)),
    "all": lambda t, x: np.array(x),
}
_sweeps = itertools.count()
_CALL = re.compile(r"(?P<what>\w+)\((?P<name>.*)\)")


def _parts(output: str) -> tuple[str, str]:
    """What is made of which signal."""
    call = _CALL.fullmatch(output)
    return (call["what"], call["name"]) if call else ("end", output)


def _value(name: str, output: Output, result: "Result") -> Any:
    if callable(output):
        value = output(result)
        if np.asarray(value).dtype.kind not in "biufc":
            raise TypeError(f"outputs: {name}: a number or an array of numbers is wanted, the function has returned {value!r}")
        return value
    what, signal = _parts(output)
    return _REDUCTIONS[what](result.t, result.t if signal == "t" else result[signal])


def _check(name: str, output: Output) -> None:
    if callable(output):
        return
    if not isinstance(output, str):
        raise TypeError(f"outputs: {name}: a signal or a function of a Result is wanted, not {type(output).__name__}")
    what, _ = _parts(output)
    if what not in _REDUCTIONS:
        raise UsageError(f"outputs: {name}: {what} is none of {', '.join(_REDUCTIONS)}")


def _path(model: "Model", name: str) -> str:
    """Where the values go: a parameter, or a path of the model file."""
    if not isinstance(name, str):
        raise TypeError(f"parameters: a name or path is wanted, not {name!r}")
    is_parameter = "parameters" in model and name in model["parameters"]
    return name if not is_parameter and ("." in name or "[" in name or name in model) else f"parameters.{name}"


def _one(model: "Model", paths: dict[str, Any], outputs: dict[str, Output], options: dict[str, Any], group: str) -> Union[dict[str, Any], Exception]:
    """A run of the sweep, wherever it is made: its outputs, or why there are none."""
    try:
        with _native.group(group):
            result, interrupted = model._run({**options, "options": {**options.get("options", {}), **paths}, "progress": False})
        if not interrupted:
            return {name: _value(name, output, result) for name, output in outputs.items()}
    except HolonomError as error:
        error.result = None  # it is not sent around
        return error
    except Exception as error:
        return _sendable(error)
    raise KeyboardInterrupt  # in this process; the others hear of it themselves


def _sendable(error: Exception) -> Exception:
    """The error, or one that says the same to other processes."""
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        return HolonomError(f"{type(error).__name__}: {error}")


class Failure(Fixed):
    """A run of a sweep that failed.

    Attributes
    ----------
    index : tuple of int
        Its place in the arrays of the study.
    values : dict of str to value
        Of the parameters.
    error : Exception
        Mostly a HolonomError; others are those of functions among the outputs.
    """

    def __init__(self, index: tuple[int, ...], values: dict[str, Any], error: Exception) -> None:
        self.index, self.values, self.error = index, values, error
        self._fix()

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {value}" for name, value in self.values.items())
        return f"<Failure at {values}: {type(self.error).__name__}: {self.error}>"


class Study(Fixed, Mapping):
    """What a sweep has found: outputs by name, arrays with a dimension for each parameter.

    Attributes
    ----------
    parameters : dict of str to ndarray
        Their values.
    failures : list of Failure
        Runs without a result; their outputs are NaN.
    """

    def __init__(self, parameters: dict[str, np.ndarray], outputs: dict[str, np.ndarray], failures: list[Failure], together: bool) -> None:
        self.parameters, self._outputs, self.failures, self._together = parameters, outputs, failures, together
        self._fix()

    def __getitem__(self, name: str) -> np.ndarray:
        return _native.picked(self._outputs, name, "output")

    def __iter__(self) -> Iterator[str]:
        return iter(self._outputs)

    def __len__(self) -> int:
        return len(self._outputs)

    def to_xarray(self) -> Any:
        """An `xarray.Dataset` with the parameters as coordinates."""
        import xarray

        if self._together:
            dims, coords = ("run",), {name: ("run", values) for name, values in self.parameters.items()}
        else:
            dims, coords = tuple(self.parameters), {name: (name, values) for name, values in self.parameters.items()}
        variables = {name: ((*dims, *(f"{name}_{k}" for k in range(array.ndim - len(dims)))), array) for name, array in self.items()}
        return xarray.Dataset(variables, coords)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name} ({len(values)})" for name, values in self.parameters.items())
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"<Study over {sizes}: {', '.join(self)}{failed}>"


def sweep(model: "Model", parameters: Mapping[str, Sequence[Any]], outputs: Mapping[str, Output], *, executor: Optional["Executor"] = None,
          together: bool = False, progress: Optional[bool] = None, **options: Any) -> Study:
    """Runs a model with many values of its parameters.

    Parameters
    ----------
    model : Model
    parameters : dict of str to sequence
        Values by the parameter's name, or by a path of the model file: ``"bodies.rod.mass"``, ``"gravity[1]"``, ``"simulate.method"``. A list is
        given as a text, ``"[0, -9.81]"``.
    outputs : dict of str to str or function
        What is kept of each run: a signal (its last value), ``"max(rod.y)"`` with one of start, end, min, max, mean, rms, all, or a function of the
        `Result`. Values of all runs have one shape.
    executor : concurrent.futures.Executor, optional
        Where the runs are made: threads, processes, or what other packages have; one after the other if not given. Functions must be ones that the
        executor can send.
    together : bool, optional
        The i-th values of all parameters belong to one run; otherwise all combinations are run.
    progress : bool, optional
        As of `Model.run`; of the whole sweep.
    **options
        Of `Model.run`, but for ``out`` and ``report``.

    Returns
    -------
    Study
        Runs that fail are among its ``failures``, and a warning tells of them.

    Raises
    ------
    HolonomError
        Before the first run, where no run can be made; behind the last one, where all have failed: the error of the first.

    Examples
    --------
    >>> import holonom as hm
    >>> m = hm.Model("models/pendulum.yaml")
    >>> study = hm.sweep(m, {"L": [0.5, 1, 2]}, {"lowest": "min(bob.y)"}, end=2)
    >>> study["lowest"].round(3)
    array([-0.5, -1. , -2. ])
    """
    _look(model, parameters, outputs, executor, options)
    values = {name: np.asarray(many) for name, many in parameters.items()}
    for name, many in values.items():
        if many.ndim != 1 or not many.size:
            raise UsageError(f'parameters: {name}: a list of values is wanted; a value that is a list is given as a text, "[0, -9.81]"')
    if together and len({many.size for many in values.values()}) > 1:
        raise UsageError("parameters: lists of one length are wanted, for their values belong together")
    shape = (next(iter(values.values())).size,) if together else tuple(many.size for many in values.values())
    indices = list(itertools.product(*map(range, shape)))
    jobs = []
    for index in indices:
        picks = index * len(values) if together else index
        jobs.append({name: many[i].item() if isinstance(many[i], np.generic) else many[i] for (name, many), i in zip(values.items(), picks)})
    model._native  # an error of the model itself is told at once
    path_of = {name: _path(model, name) for name in values}
    paths = [{path_of[name]: value for name, value in job.items()} for job in jobs]
    _try(model, paths, outputs, options)
    answers = _answers(executor, model, paths, dict(outputs), options, _notebook.Progress(progress, _so_many))
    return _gathered(values, shape, indices, jobs, answers, list(outputs), together)


def _look(model: Any, parameters: Any, outputs: Any, executor: Any, options: Mapping[str, Any]) -> None:
    """Refuses what is wrong whatever the model says."""
    if not hasattr(model, "_run"):
        raise TypeError(f"model: a Model is wanted, not {type(model).__name__}")
    for what, given in (("parameters", parameters), ("outputs", outputs)):
        if not isinstance(given, Mapping):
            raise TypeError(f"{what}: a dict is wanted, not {type(given).__name__}")
        if not given:
            raise UsageError(f"{what}: one at least is wanted")
    for name, output in outputs.items():
        _check(name, output)
        if name in parameters:
            raise UsageError(f"outputs: {name} is the name of a parameter too; give the output another one")
    for name in ("out", "report"):
        if name in options:
            raise UsageError(f"{name}: the runs would write the same file; a function among the outputs may write its result under a name of its own")
    if executor is not None and not hasattr(executor, "submit"):
        raise TypeError(f"executor: one of concurrent.futures is wanted, such as ThreadPoolExecutor(4), not {executor!r}")


def _try(model: "Model", paths: list[dict[str, Any]], outputs: Mapping[str, Output], options: Mapping[str, Any]) -> None:
    """Before the first run: an error where no run can be made, or none has a signal that is wanted."""
    missing = {signal for output in outputs.values() if isinstance(output, str) for _, signal in [_parts(output)] if signal != "t"}
    first: Optional[HolonomError] = None
    names: Optional[list[str]] = None
    for one in paths:
        try:
            names = model._signals({**options, "options": _both(options.get("options", {}), one)})
        except HolonomError as error:
            first = first or error
            continue
        missing -= set(names)
        if not missing:
            return
    if names is None and first is not None:
        raise first
    wrong = min(missing)
    raise _native.no_signal(wrong, names or ())


def _both(options: Mapping[str, Any], paths: dict[str, Any]) -> dict[str, Any]:
    for path in paths:
        if path in options:
            raise UsageError(f"{path} is given twice, among the parameters and among the options")
    return {**options, **paths}


def _so_many(reached: tuple[int, int]) -> tuple[float, str]:
    return reached[0] / reached[1], f"{reached[0]} of {reached[1]} runs"


def _answers(executor: Optional["Executor"], model: "Model", paths: list[dict[str, Any]], outputs: dict[str, Output], options: dict[str, Any],
             bar: _notebook.Progress) -> list[Any]:
    group, answers = f"{os.getpid()} {next(_sweeps)}", []

    def reached() -> tuple[int, int]:
        return len(answers), len(paths)

    if executor is None:
        for one in paths:
            answers.append(_one(model, one, outputs, options, group))
            bar.look(reached)
    else:
        futures = [executor.submit(_one, model, one, outputs, options, group) for one in paths]
        try:
            for future in futures:
                answers.append(_answer(future))
                bar.look(reached)
        except BaseException:
            for future in futures:
                future.cancel()
            _native.cancel_group(group)
            raise
    bar.close(reached)
    return answers


def _answer(future: Any) -> Any:
    """Of a run; where its process has died or nothing could be sent, the error of that."""
    try:
        return future.result()
    except Exception as error:
        return error


def _gathered(values: dict[str, np.ndarray], shape: tuple[int, ...], indices: list[tuple[int, ...]], jobs: list[dict[str, Any]], answers: list[Any],
              names: list[str], together: bool) -> Study:
    good = [answer for answer in answers if not isinstance(answer, Exception)]
    if not good:
        raise answers[0]
    inner = {name: np.shape(good[0][name]) for name in names}
    outputs = {name: np.full((*shape, *inner[name]), np.nan, _type(good, name)) for name in names}
    failures = []
    for index, job, answer in zip(indices, jobs, answers):
        error = answer if isinstance(answer, Exception) else _unlike(answer, inner)
        if error is not None:
            failures.append(Failure(index, job, error))
            continue
        for name in names:
            outputs[name][index] = answer[name]
    if failures:
        _native.warn(f"{len(failures)} of {len(jobs)} runs have failed, the first one {repr(failures[0])[9:-1]}; all of them are among the failures of the study")
    return Study(values, outputs, failures, together)


def _type(good: list[dict[str, Any]], name: str) -> Any:
    """Of an array in which NaN has a place: float, or complex."""
    return complex if any(np.iscomplexobj(answer[name]) for answer in good) else float


def _unlike(answer: dict[str, Any], inner: dict[str, tuple[int, ...]]) -> Optional[Exception]:
    """Why a run does not go with the first one."""
    for name, shape in inner.items():
        if np.shape(answer[name]) != shape:
            return UsageError(f"outputs: {name}: its values have different shapes, {shape} and {np.shape(answer[name])}")
    return None
