"""Sweeps: the same model with many values of its parameters."""
from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

import numpy as np

from . import _native
from .errors import HolonomError, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .model import Model
    from .result import Result

__all__ = ["Study", "Failure", "sweep"]

Output = Union[str, "Callable[[Result], Any]"]

_REDUCTIONS: dict[str, Callable[[np.ndarray, np.ndarray], Any]] = {
    "end": lambda t, x: x[-1],
    "start": lambda t, x: x[0],
    "min": lambda t, x: x.min(),
    "max": lambda t, x: x.max(),
    "mean": lambda t, x: np.trapz(x, t) / (t[-1] - t[0]) if t[-1] > t[0] else x[0],
    "rms": lambda t, x: np.sqrt(np.trapz(x * x, t) / (t[-1] - t[0])) if t[-1] > t[0] else abs(x[0]),
    "all": lambda t, x: np.array(x),
}
_sweeps = itertools.count()
_CALL = re.compile(r"(?P<what>\w+)\((?P<name>.*)\)")


def _value(output: Output, result: "Result") -> Any:
    if callable(output):
        return output(result)
    call = _CALL.fullmatch(output)
    what, name = (call["what"], call["name"]) if call else ("end", output)
    if name == "t":
        return _REDUCTIONS[what](result.t, result.t)
    return _REDUCTIONS[what](result.t, result[name])


def _check(name: str, output: Output) -> None:
    if callable(output):
        return
    if not isinstance(output, str):
        raise TypeError(f"outputs: {name}: a signal or a function of a Result is wanted, not {type(output).__name__}")
    call = _CALL.fullmatch(output)
    if call and call["what"] not in _REDUCTIONS:
        raise UsageError(f"outputs: {name}: {call['what']} is none of {', '.join(_REDUCTIONS)}")


def _one(model: "Model", paths: dict[str, Any], outputs: dict[str, Output], options: dict[str, Any], group: str) -> Union[dict[str, Any], HolonomError]:
    """A run of the sweep, wherever it is made: its outputs, or why there are none."""
    try:
        with _native.group(group):
            result, interrupted = model._run({**options, "options": {**options.get("options", {}), **paths}, "progress": False})
    except HolonomError as error:
        error.result = None  # it is not sent around
        return error
    if interrupted:  # in this process; the others hear of it themselves
        raise KeyboardInterrupt
    return {name: _value(output, result) for name, output in outputs.items()}


class Failure:
    """A run of a sweep that failed.

    Attributes
    ----------
    index : tuple of int
        Its place in the arrays of the study.
    values : dict of str to value
        Of the parameters.
    error : HolonomError
    """

    def __init__(self, index: tuple[int, ...], values: dict[str, Any], error: HolonomError) -> None:
        self.index, self.values, self.error = index, values, error

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {value}" for name, value in self.values.items())
        return f"<Failure at {values}: {type(self.error).__name__}: {self.error}>"


class Study(Mapping):
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

    def __getitem__(self, name: str) -> np.ndarray:
        return self._outputs[name]

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
          together: bool = False, **options: Any) -> Study:
    """Runs a model with many values of its parameters.

    Parameters
    ----------
    model : Model
    parameters : dict of str to sequence
        Values by the parameter's name, or by a path of the model file, ``"bodies.rod.mass"``.
    outputs : dict of str to str or function
        What is kept of each run: a signal (its last value), ``"max(rod.y)"`` with one of start, end, min, max, mean, rms, all, or a function of the
        `Result`. Values of all runs have one shape.
    executor : concurrent.futures.Executor, optional
        Where the runs are made: threads, processes, or what other packages have; one after the other if not given. Functions must be ones that the
        executor can send.
    together : bool, optional
        The i-th values of all parameters belong to one run; otherwise all combinations are run.
    **options
        Of `Model.run`.

    Returns
    -------
    Study
        Runs that fail are among its ``failures``.

    Examples
    --------
    >>> import holonom as hm
    >>> m = hm.Model("models/pendulum.yaml")
    >>> study = hm.sweep(m, {"L": [0.5, 1, 2]}, {"lowest": "min(bob.y)"}, end=2)
    >>> study["lowest"].round(3)
    array([-0.5, -1. , -2. ])
    """
    if not parameters or not outputs:
        raise UsageError("parameters and outputs are wanted, one at least of each")
    for name, output in outputs.items():
        _check(name, output)
    values = {name: np.asarray(many) for name, many in parameters.items()}
    for name, many in values.items():
        if many.ndim != 1 or not many.size:
            raise UsageError(f"parameters: {name}: a list of values is wanted")
    if together and len({many.size for many in values.values()}) > 1:
        raise UsageError("parameters: lists of one length are wanted, for their values belong together")
    shape = (next(iter(values.values())).size,) if together else tuple(many.size for many in values.values())
    indices = list(itertools.product(*map(range, shape)))
    jobs = []
    for index in indices:
        picks = index * len(values) if together else index
        jobs.append({name: many[i].item() for (name, many), i in zip(values.items(), picks)})
    paths = [{name if "." in name else f"parameters.{name}": value for name, value in job.items()} for job in jobs]
    model._native  # an error of the model itself is told at once
    answers = _answers(executor, model, paths, dict(outputs), options)
    return _gathered(values, shape, indices, jobs, answers, list(outputs), together)


def _answers(executor: Optional["Executor"], model: "Model", paths: list[dict[str, Any]], outputs: dict[str, Output], options: dict[str, Any]) -> list[Any]:
    group = f"{os.getpid()} {next(_sweeps)}"
    if executor is None:
        return [_one(model, one, outputs, options, group) for one in paths]
    futures = [executor.submit(_one, model, one, outputs, options, group) for one in paths]
    try:
        return [future.result() for future in futures]
    except BaseException:
        for future in futures:
            future.cancel()
        _native.cancel_group(group)
        raise


def _gathered(values: dict[str, np.ndarray], shape: tuple[int, ...], indices: list[tuple[int, ...]], jobs: list[dict[str, Any]], answers: list[Any],
              names: list[str], together: bool) -> Study:
    failures = [Failure(index, job, answer) for index, job, answer in zip(indices, jobs, answers) if isinstance(answer, HolonomError)]
    good = [(index, answer) for index, answer in zip(indices, answers) if not isinstance(answer, HolonomError)]
    outputs = {}
    for name in names:
        inner = np.shape(good[0][1][name]) if good else ()
        array = np.full((*shape, *inner), np.nan)
        for index, answer in good:
            if np.shape(answer[name]) != inner:
                raise UsageError(f"outputs: {name}: its values have different shapes, {inner} and {np.shape(answer[name])}")
            array[index] = answer[name]
        outputs[name] = array
    return Study(values, outputs, failures, together)
