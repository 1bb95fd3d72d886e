"""The start of a model by itself: what closing its joints changes. Objects with the fields that holonom_analyses.h explains."""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _native
from ._native import Context, lib
from .analysis import _many, _taken

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Assembly", "AssemblyJoint", "AssemblyValue"]

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class AssemblyValue:
    """A coordinate of a body frame, or its rate.

    Attributes
    ----------
    name, unit : str
        Such as ``crank.theta``, ``rad``.
    asked, used : float
        In the model file, and at the start.
    given, exact : bool
        The file gives it; it was to be kept.
    """

    name: str
    unit: str
    asked: float
    used: float
    given: bool
    exact: bool


@dataclass(frozen=True)
class AssemblyJoint:
    """How far a joint is ``open``, and what it costs: the derivative of the change by its gap, by natural size."""

    name: str
    open: float
    cost: float


@dataclass(frozen=True)
class Assembly:
    """The pose and the velocities with which a model starts.

    Attributes
    ----------
    closed : bool
        The joints hold. Else the pose is the nearest one that was found, and ``why`` tells what does not hold.
    loop, gap : str, float
        The joints of the loop that stays open, and how far one of them is open where the others hold [m].
    change : float
        Of what is drawn: sum of weighted squares by natural size.
    least : bool
        It is the least one near by.
    positions, velocities : list of AssemblyValue
        Velocities: none where the joints do not hold.
    joints : list of AssemblyJoint
    """

    title: Optional[str]
    model: str
    closed: bool
    why: Optional[str]
    loop: Optional[str]
    gap: float
    change: float
    least: bool
    positions: list[AssemblyValue] = _many("position", "n_positions", AssemblyValue)
    velocities: list[AssemblyValue] = _many("velocity", "n_velocities", AssemblyValue)
    joints: list[AssemblyJoint] = _many("joint", "n_joints", AssemblyJoint)
    _handle: Any = field(repr=False, compare=False)

    def __getitem__(self, name: str) -> float:
        """The value used of a coordinate or a velocity by its name."""
        for one in (*self.positions, *self.velocities):
            if one.name == name:
                return one.used
        raise KeyError(name)

    def write(self, path: PathLike) -> None:
        """Write pose and velocities as bodies of a model file, ``.yaml``."""
        ctx = Context()
        ctx.check(lib.hol_assembly_write(ctx.pointer, self._handle, os.fsencode(path)))

    def __repr__(self) -> str:
        state = f"change {self.change:.6g}" if self.closed else "open"
        return f"<Assembly of {self.title or self.model}: {state}>"


def assemble(model: "Model") -> Assembly:
    """See Model.assemble."""
    native, ctx = model._native, Context()
    made = _native.interruptible(ctx, lambda: lib.hol_assembly_create(ctx.pointer, native))
    a = _native.own(ctx.need(made), lib.hol_assembly_destroy, ctx)
    return _taken(Assembly, a, _handle=a)
