"""Equilibria: where the forces balance, whether it stays there, and all forces."""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _native
from ._native import Context, ffi, lib, text
from .analysis import _many, _taken

if TYPE_CHECKING:
    from .model import Model

__all__ = ["StaticPoint", "Statics"]


@dataclass(frozen=True)
class StaticPoint:
    """An equilibrium.

    Attributes
    ----------
    stable : bool
        No direction softens, and nothing grows by itself; at a kink: on both sides.
    kink : {"smooth", "stays", "leaves", "unknown"}
        Does the slope of a force jump there, and what is known by both sides of it?
    neutral, negative : int
        Directions without stiffness, and with a negative one.
    held : int
        Of the neutral directions, the last: forces of higher order hold them, as at a minimum of the fourth order.
    falls : bool
        Such forces drive it away, along the first neutral one.
    known : float
        How far the place is known, by natural size: nearer, rounding hides the forces.
    value : ndarray, shape (signals,)
        Of the signals, in SI.
    potential : float
        Energy [J].
    stiffness : float
        The least that is not 0, of the body ``softest``, whose displacement or rotation has length 1 in ``shape``; ``stiffness_unit``: N/m or N m/rad. NaN: there is none.
    shape : ndarray, shape (bodies, 6)
        The motion in which it is that: displacement of each centre of mass, and rotation, in global axes.
    free_motion : ndarray, shape (neutral, bodies, 6)
        The neutral directions, each with one component to itself.
    growth : float
        Of the fastest motion away [1/s]; 0: none, NaN: masses do not determine it.
    left, force : float
        The forces on a body that remain, against those that cancel there, the largest [-]; those, by natural size [N m].
    iterations : int
        Matrices of the search.
    flowed : bool
        Newton's method alone did not find it.
    branch : int
        0: the one from the start. Here and below: of `Model.static(vary=..)`.
    at : {"regular", "fold", "bifurcation", "change"}
        A fold: the parameter turns back; a change: a vibration begins or ceases to grow.
    parameter, slope : float
        That is varied, in SI, and its change along the branch: 0 at a fold.
    """

    stable: bool
    kink: str
    neutral: int
    negative: int
    held: int
    falls: bool
    known: float
    value: np.ndarray = field(repr=False)
    potential: float
    stiffness: float
    softest: Optional[str]
    stiffness_unit: str
    shape: np.ndarray = field(repr=False)
    free_motion: np.ndarray = field(repr=False)
    growth: float
    left: float
    force: float
    iterations: int
    flowed: bool
    branch: int
    at: str
    parameter: float
    slope: float


@dataclass(frozen=True)
class Statics:
    """Equilibria of a model; ``statics["crank.theta"]`` is a signal, ``pose()`` the start of a model that begins there."""

    title: Optional[str]
    model: str
    time: float
    degrees_of_freedom: int
    velocity_constraints: int
    driven: bool
    trimmed: dict[str, float]
    trimmed_units: dict[str, str] = field(metadata={"member": "trim_unit"})
    parameter: Optional[str]
    parameter_unit: Optional[str]
    ended: Optional[str]
    bodies: list[str] = _many("body", "n_bodies")
    signals: list[str] = _many("signal", "n_signals")
    units: list[str] = _many("unit", "n_signals")
    shown: list[str] = _many("shown", "n_signals")
    factor: np.ndarray
    docs: list[str] = _many("doc", "n_signals")
    kinds: list[str]
    points: list[StaticPoint]

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, key: Union[int, str]) -> Any:
        """A point by its number; a signal by its name: a number where there is one point, else an array."""
        if not isinstance(key, str):
            return self.points[key]
        if key not in self.signals:
            raise KeyError(f"{key}: there is no such signal")
        i = self.signals.index(key)
        values = np.array([one.value[i] for one in self.points])
        return float(values[0]) if len(values) == 1 else values

    def pose(self, point: int = -1) -> dict[str, dict[str, Any]]:
        """`pose:` of a model whose bodies begin at this point: ``hm.Model.from_dict({"include": file, "pose": statics.pose()})``."""
        poses: dict[str, dict[str, float]] = {}
        for name, kind, value in zip(self.signals, self.kinds, self.points[point].value):
            if kind == "pose":
                body, _, word = name.rpartition(".")
                poses.setdefault(body, {})[word] = float(value)
        out: dict[str, dict[str, Any]] = {}
        for body, words in poses.items():
            out[body] = {"position": [words[axis] for axis in "xyz" if axis in words]}
            if "theta" in words:
                out[body]["angle"] = words["theta"]
            if "qw" in words:
                out[body]["orientation"] = {"quat_wxyz": [words[f"q{axis}"] for axis in "wxyz"]}
        return out

    def __repr__(self) -> str:
        ways = ", ".join("stable" if one.stable else "unstable" for one in self.points[:6])
        return f"<Statics of {self.title or self.model}: {len(self)} point{'s' * (len(self) != 1)}, {ways}>"


_KINKS = ("smooth", "stays", "leaves", "unknown")  # in the order of hol_static_kink
_AT = ("regular", "fold", "bifurcation", "change")  # in the order of hol_static_kind


def _point(native: Any, one: Any, owner: Any) -> StaticPoint:
    def numbers(pointer: Any, *shape: int) -> np.ndarray:
        n = int(np.prod(shape))
        return np.array(_native.view(pointer, n, owner)).reshape(shape) if n else np.zeros(shape)

    n = native.n_bodies
    return _taken(StaticPoint, one, at=_AT[one.at], kink=_KINKS[one.kink], value=numbers(one.value, native.n_signals), softest=text(native.body[one.softest]) if one.softest >= 0 else None,
                  shape=numbers(one.shape, n, 6), free_motion=numbers(one.free_motion, one.neutral, n, 6))


_KINDS = ("POSE", "COORDINATE", "MOTION", "FORCE", "OTHER")


def static(model: "Model", unstable: bool, vary: Optional[str], branches: bool, write: Union[None, str, "os.PathLike[str]"]) -> Statics:
    """See Model.static."""
    native, ctx = model._native, Context()
    text_of_vary = ffi.NULL if vary is None else ffi.new("char[]", vary.encode())
    options = ffi.new("hol_statics_options *", {"unstable": unstable, "vary": text_of_vary, "branches": branches})
    made = _native.interruptible(ctx, lambda: lib.hol_statics_create(ctx.pointer, native, options))
    s = _native.own(ctx.need(made), lib.hol_statics_destroy, ctx)
    if write is not None:
        ctx.check(lib.hol_statics_write(ctx.pointer, s, os.fsencode(write)))
    kinds = {getattr(lib, f"HOL_STATIC_{word}"): word.lower() for word in _KINDS}
    trimmed = {text(s.trimmed[i]) or "": s.trim_value[i] for i in range(s.n_trimmed)}
    trimmed_units = {text(s.trimmed[i]) or "": text(s.trim_unit[i]) or "" for i in range(s.n_trimmed)}
    factor = np.array([s.factor[i] for i in range(s.n_signals)])  # how many of `shown` one of `units` is
    return _taken(Statics, s, trimmed=trimmed, trimmed_units=trimmed_units, factor=factor, kinds=[kinds[s.kind[i]] for i in range(s.n_signals)], points=[_point(s, s.point[i], s) for i in range(s.n_points)])
