"""Inverse dynamics: what Model.inverse hands to the library."""
from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, Optional, Sequence

from ._native import ffi, lib
from .errors import UsageError

if TYPE_CHECKING:
    from .model import Model, PathLike
    from .simulation import Create


def creator(actuators: Sequence[str], weights: Optional[Sequence[float]], bounds: Optional[Sequence[tuple[float, float]]],
            project: bool) -> "Create":
    """A function that makes the simulation."""
    if isinstance(actuators, str):
        raise TypeError(f"actuators: a list of names is wanted, not {actuators!r}")
    for name, given in ("weights", weights), ("bounds", bounds):
        if given is not None and len(given) != len(actuators):
            raise UsageError(f"{name}: {len(actuators)} are wanted, one for each actuator, not {len(given)}")
    names = [ffi.new("char[]", os.fsencode(name)) for name in actuators]
    keep = {"actuator": ffi.new("char *[]", names)}
    if weights is not None:
        keep["weight"] = ffi.new("double[]", [float(one) for one in weights])
    if bounds is not None:
        keep["least"] = ffi.new("double[]", [-math.inf if low is None else float(low) for low, _ in bounds])
        keep["most"] = ffi.new("double[]", [math.inf if high is None else float(high) for _, high in bounds])
    options = ffi.new("hol_inverse_options *", {"n_actuators": len(names), "project": bool(project), **keep})

    def create(ctx: Any, model: Any) -> Any:
        assert keep and names is not None  # what options points to lives as long as this function
        return lib.hol_inverse_create(ctx, model, options)

    return create


def driven(model: "Model", motion: Optional["PathLike"]) -> "Model":
    """The model with drivers for the motion of a table, or of its own."""
    if motion is None and lib.hol_item_find(lib.hol_draft_root(model._draft.pointer), b"inverse.motion") == ffi.NULL:
        return model
    made = model.copy()
    made._draft.change(lib.hol_draft_add_motion, made._draft.pointer, ffi.NULL if motion is None else os.fsencode(os.path.abspath(motion)))
    return made
