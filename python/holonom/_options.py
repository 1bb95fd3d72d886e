"""What calls of runs have in common."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import _native
from ._draft import PathLike
from ._native import Method
from .errors import IncompleteWarning

if TYPE_CHECKING:
    from .result import Result

OPTIONS = ("end", "method", "tolerance", "step", "max_step", "output", "signals", "time_limit", "threads")


def run_options(function: Method) -> Method:
    """Documents what `run` and `simulate` have in common."""
    function.__doc__ = (function.__doc__ or "").replace("        OPTIONS\n", """        end : float, optional
            End [s]. This and what follows are those of the model if they are not given.
        method : str, optional
            Integrator, see `methods`; ``"auto"``: chosen by what the model is.
        tolerance : float, optional
            Error of the result, as a part of the mechanism's length and in rad.
        step : float, optional
            Fixed steps of this size instead [s].
        max_step : float, optional
            Largest step [s].
        output : float, optional
            Time between rows [s].
        signals : list of str, optional
            What is recorded; ``["all"]`` is everything but ``omega_max``, ``coordinates`` and forces and torques on one body. `Result.page` and others that show the motion need ``"poses"`` among them.
        time_limit : float, optional
            Of the wall clock [s]; a run that takes longer is a `LimitError`.
        threads : int, optional
            Threads that compute.
        options : dict of str to value, optional
            Whatever else a model file may say, by path: ``{"hht.alpha": -0.1, "parameters.L": 2}``.
""")
    return function


def whole_or_warned(result: "Result", interrupted: bool) -> "Result":
    """The result, with a warning where Ctrl-C has ended it."""
    if interrupted:
        _native.warn(f"interrupted at t = {result.t[-1]:.6g} s: the result ends there", IncompleteWarning)
    return result


def paths_of(out: Any) -> list[PathLike]:
    """One path or several."""
    many = [out] if isinstance(out, (str, bytes, os.PathLike)) else out
    if not isinstance(many, Sequence) or not all(isinstance(one, (str, bytes, os.PathLike)) for one in many):
        raise TypeError(f"out: a path or a list of paths is wanted, not {out!r}")
    return list(many)
