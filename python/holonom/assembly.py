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

__all__ = ["Assembly", "AssemblyCoordinate", "AssemblyJoint", "AssemblyLength", "AssemblyPose", "AssemblySide", "AssemblyValue"]

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
class AssemblySide:
    """What tells the ways apart in which a closed loop fits together.

    Attributes
    ----------
    loop : str
        Its joints, ``A, B, C, D``; empty where it is a place that tells a pose from others with the same sides.
    joint : str or None
        An elbow, between two bodies that have but one other joint each in the loop. None: the plane of the joints with ground.
    body, other : str, str or None
        Those that the elbow joins, or the body that is on one side of the plane.
    value : float
        Sine of the angle by which the way turns in the elbow, or distance from the plane [m]: its sign is the side.
    require : str
        An expression for ``assemble: require`` that holds on this side.
    """

    loop: str
    joint: Optional[str]
    body: str
    other: Optional[str]
    value: float
    require: str


@dataclass(frozen=True)
class AssemblyCoordinate:
    """The coordinate of a joint, such as ``A.angle``, full turns not counted."""

    name: str
    unit: str
    value: float


@dataclass(frozen=True)
class AssemblyLength:
    """A parameter with another value of which the open loop can be closed: its value ``now``, one that ``closes``, and the ``derivative`` of the gap."""

    name: str
    unit: str
    now: float
    closes: float
    derivative: float


@dataclass(frozen=True)
class AssemblyPose:
    """One of the poses in which the joints hold.

    Attributes
    ----------
    change : float
        Of what is drawn.
    least, allowed, used : bool
        It is the least change near by; what the model requires holds; runs start with it.
    positions : list of AssemblyValue
    sides : list of AssemblySide
    coordinates : list of AssemblyCoordinate
    """

    change: float
    least: bool
    allowed: bool
    used: bool
    positions: list[AssemblyValue] = _many("position", "n_positions", AssemblyValue)
    sides: list[AssemblySide] = _many("side", "n_sides", AssemblySide)
    coordinates: list[AssemblyCoordinate] = _many("coordinate", "n_coordinates", AssemblyCoordinate)


@dataclass(frozen=True)
class Assembly:
    """The pose and the velocities with which a model starts.

    Attributes
    ----------
    closed : bool
        The joints hold, and what is required. Else the pose is the nearest one that was found, and ``why`` tells what does not hold.
    broken : str or None
        The requirement that does not hold though the joints do.
    loop, gap : str, float
        The joints of the loop that stays open, and how far one of them is open where the others hold [m].
    change : float
        Of what is drawn: sum of weighted squares by natural size.
    least : bool
        It is the least one near by.
    positions, velocities : list of AssemblyValue
        Velocities: none where the joints do not hold.
    joints : list of AssemblyJoint
    sides : list of AssemblySide
        On which side loops are, with lines that keep them there.
    lengths : list of AssemblyLength
        Parameters one of which, changed, closes the open loop.
    poses : list of AssemblyPose
        Those found from this one by ``n_reflections`` reflections of bodies, each once, where all were asked for. There may be others.
    """

    title: Optional[str]
    model: str
    closed: bool
    why: Optional[str]
    broken: Optional[str]
    loop: Optional[str]
    gap: float
    change: float
    least: bool
    n_reflections: int
    positions: list[AssemblyValue] = _many("position", "n_positions", AssemblyValue)
    velocities: list[AssemblyValue] = _many("velocity", "n_velocities", AssemblyValue)
    joints: list[AssemblyJoint] = _many("joint", "n_joints", AssemblyJoint)
    sides: list[AssemblySide] = _many("side", "n_sides", AssemblySide)
    lengths: list[AssemblyLength] = _many("length", "n_lengths", AssemblyLength)
    poses: list[AssemblyPose] = _many("pose", "n_poses", AssemblyPose)
    _handle: Any = field(repr=False, compare=False)

    def __getitem__(self, name: str) -> float:
        """The value used of a coordinate or a velocity by its name."""
        for one in (*self.positions, *self.velocities):
            if one.name == name:
                return one.used
        raise KeyError(name)

    def write(self, path: PathLike, pose: Optional[int] = None) -> None:
        """Write pose and velocities, or one of the ``poses`` by its index, as ``pose:`` of a model file, ``.yaml``, to be included by the model."""
        ctx = Context()
        name = os.fsencode(path)
        if pose is None:
            ctx.check(lib.hol_assembly_write(ctx.pointer, self._handle, name))
        else:
            ctx.check(lib.hol_assembly_write_pose(ctx.pointer, self._handle, pose, name))

    def __repr__(self) -> str:
        state = f"change {self.change:.6g}" if self.closed else "open" if self.broken is None else "not what is required"
        return f"<Assembly of {self.title or self.model}: {state}>"


def assemble(model: "Model", all: bool = False) -> Assembly:
    """See Model.assemble."""
    native, ctx = model._native, Context()
    create = lib.hol_assembly_create_all if all else lib.hol_assembly_create
    made = _native.interruptible(ctx, lambda: create(ctx.pointer, native))
    a = _native.own(ctx.need(made), lib.hol_assembly_destroy, ctx)
    return _taken(Assembly, a, _handle=a)
