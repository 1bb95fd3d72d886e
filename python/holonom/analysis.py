"""What a model is: counts and warnings, modes, advice. Objects of Python with the fields that holonom.h explains."""
from __future__ import annotations

import math
import os
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _native
from ._native import Context, ffi, lib, text
from .errors import UsageError

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Check", "Dependency", "Equation", "Loop", "Replacement", "Reaction", "Tree", "Warning", "Modes", "Mode", "Reach", "Advice"]

PathLike = Union[str, "os.PathLike[str]"]


def _many(member: str, count: str, of: Any = None) -> Any:
    """A field that is an array of the library: its member there, the one that counts it, the class of its items (None: texts)."""
    return field(metadata={"member": member, "count": count, "of": of})


def _taken(cls: Any, native: Any, **given: Any) -> Any:
    """The members of a struct as the fields of a class."""
    values = dict(given)
    for one in fields(cls):
        if one.name in values:
            continue
        value = getattr(native, one.metadata.get("member", one.name))
        if "count" in one.metadata:
            of, count = one.metadata["of"], one.metadata["count"]
            n = count if isinstance(count, int) else getattr(native, count)
            value = [text(value[i]) if of is None else _taken(of, value[i]) for i in range(n)]
        elif one.metadata.get("of"):
            value = _taken(one.metadata["of"], value)
        elif isinstance(value, ffi.CData):
            value = text(value)
        values[one.name] = value
    return cls(**values)


# ---- check ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Equation:
    """An equation of a joint, such as ``rotation about x``."""

    joint: str
    direction: str

    def __str__(self) -> str:
        return f"{self.joint}: {self.direction}"


@dataclass(frozen=True)
class Dependency:
    """Equations that depend on each other: any one of them follows from the rest."""

    equations: list[Equation] = _many("equation", "n", Equation)


@dataclass(frozen=True)
class Replacement:
    """A joint of another type in its place; ``type`` None: it is left out. ``fewer``: equations."""

    joint: str
    type: Optional[str]
    remark: Optional[str]
    fewer: int


@dataclass(frozen=True)
class Loop:
    """Joints tied together by dependent equations, and what would remove the redundant ones."""

    redundant: int
    joints: list[str] = _many("joint", "n_joints")
    groups: list[Dependency] = _many("group", "redundant", Dependency)
    removed: int
    replacements: list[Replacement] = _many("replacement", "n_replacements", Replacement)


@dataclass(frozen=True)
class Reaction:
    """Which components of a reaction are the same whatever the multipliers are: ``unique``, ``undetermined``, ``shared``, ``not examined``, ``absent``."""

    joint: str
    components: dict[str, str]


@dataclass(frozen=True)
class Tree:
    """The tree that methods make of the joints; ``cut`` has the first of ``n_cut`` joints that are not in it."""

    roots: int
    depth: int
    n_cut: int
    cut: list[str]
    loop_rows: int
    least: float
    most: float


@dataclass(frozen=True)
class Mass:
    """A body whose mass follows from its shapes: mass [kg], centre of mass in the body frame [m], and inertia about it [kg m^2], xx, yy, zz, xy, xz, yz."""

    body: str
    mass: float
    centre: tuple[float, ...]
    inertia: tuple[float, ...]


@dataclass(frozen=True)
class ContactImpact:
    """What a contact does in a free impact of its bodies, at three speeds of the approach [m/s]: restitution, duration [s], depth [m], nan where it is not found; ``deepest``: depth beyond which a run ends, inf where there is none; ``rests``: depth under the weight of the lighter one [m], 0 without gravity."""

    name: str
    speed: tuple[float, ...]
    restitution: tuple[float, ...]
    lasts: tuple[float, ...]
    depth: tuple[float, ...]
    deepest: float
    rests: float


@dataclass(frozen=True)
class Pair:
    """Two shapes that a rule of contacts names, ``ball~ground.floor``; ``left``: why they do not touch, None if they may; ``contacts``: places that touch."""

    rule: str
    pair: str
    left: Optional[str]
    contacts: int


@dataclass(frozen=True)
class Warning:
    """What will hurt, or looks like a mistake; ``name`` is one word for each kind."""

    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


@dataclass(frozen=True)
class Check:
    """What a model is; ``str()`` of it is what ``holonom check`` prints.

    Attributes
    ----------
    dimension, bodies, coordinates, constraints, rank, degrees_of_freedom : int
        ``rank``: independent ones among the constraints.
    redundant : list of Equation
        Which equations are left out.
    position_violation, velocity_violation : float
        Of the data as given, by natural size [-].
    length_scale : float
        [m]
    idle, switched : list of str
        What does not act at the start, and joints, drivers and constraints that events switch; counts are those of the start.
    warnings : list of Warning
    loops : list of Loop
        What is redundant in all poses.
    reactions : list of Reaction
        Uniqueness of the reactions of joints and drivers.
    tree : Tree
    masses : list of Mass
        Of bodies whose mass follows from their shapes.
    contacts : list of ContactImpact
        What contacts do in free impacts.
    pairs : list of Pair
        Which shapes the rules of contacts name; of those that do not touch 2000, ``more_pairs``: there are more.
    """

    title: Optional[str]
    dimension: int
    bodies: int
    coordinates: int
    constraints: int
    rank: int
    degrees_of_freedom: int
    redundant: list[Equation] = _many("redundant", "n_redundant", Equation)
    momentary: bool
    rank_complete: bool
    position_violation: float
    velocity_violation: float
    open_joint: Optional[str]
    open_direction: Optional[str]
    length_scale: float
    gravity: bool
    velocity_constraints: int
    n_kinks: int
    kinks: list[str] = _many("kink", "n_kinks")
    loads: list[str] = _many("load", "n_loads")
    idle: list[str] = _many("idle", "n_idle")
    switched: list[str] = _many("switched", "n_switched")
    warnings: list[Warning] = _many("warning", "n_warnings", Warning)
    poses: int
    loops: list[Loop] = _many("loop", "n_loops", Loop)
    instantaneous: list[Dependency] = _many("instant", "instantaneous", Dependency)
    reactions: list[Reaction]
    components: dict[str, int]
    tree: Optional[Tree]
    masses: list[Mass]
    contacts: list[ContactImpact]
    pairs: list[Pair] = _many("pair", "n_pairs", Pair)
    more_pairs: bool
    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        title = f' "{self.title}"' if self.title else ""
        return (f"<Check{title}: {self.bodies} bodies, {self.coordinates} coordinates, {self.constraints} constraints, {self.rank} independent, "
                f"{self.degrees_of_freedom} degrees of freedom, {len(self.warnings)} warnings>")


def _uniqueness(value: int) -> str:
    return text(lib.hol_uniqueness_word(value)) or ""


def check(model: "Model") -> Check:
    """See Model.check."""
    native, ctx = model._native, Context()
    name = model._name.encode()
    c = _native.own(ctx.need(lib.hol_check_create(ctx.pointer, native)), lib.hol_check_destroy, ctx)
    reactions = [Reaction(text(r.joint) or "", {text(r.component[k]) or "": _uniqueness(r.uniqueness[k]) for k in range(r.n)})
                for r in (c.reaction[i] for i in range(c.n_reactions))]
    components = {_uniqueness(i): c.components[i] for i in range(lib.HOL_UNIQUENESSES)}
    masses = [Mass(text(b.body) or "", b.mass, tuple(b.centre), tuple(b.inertia)) for b in (c.mass[i] for i in range(c.n_masses))]
    contacts = [ContactImpact(text(k.name) or "", tuple(k.speed), tuple(k.restitution), tuple(k.lasts), tuple(k.depth), k.deepest, k.rests)
                for k in (c.contact[i] for i in range(c.n_contacts))]
    cut = [text(one) or "" for one in c.tree.cut if one != ffi.NULL][: c.tree.n_cut]
    printed = _native.printed(lambda print_, user: lib.hol_check_print(c, name, print_, user))
    return _taken(Check, c, reactions=reactions, n_kinks=c.kinks, components=components, tree=_taken(Tree, c.tree, cut=cut), masses=masses, contacts=contacts, text=printed)


# ---- modes ----------------------------------------------------------------------------------------------------

_KINDS = {"HOL_MODE_RIGID": "rigid", "HOL_MODE_OSCILLATION": "oscillation", "HOL_MODE_DECAY": "decay", "HOL_MODE_DIVERGENCE": "divergence",
          "HOL_MODE_REAL": "real"}
_METRICS = {"mass": "HOL_METRIC_MASS", "natural": "HOL_METRIC_NATURAL"}


@dataclass(frozen=True)
class Mode:
    """An eigenvalue of the motion near a state, and the motion that belongs to it.

    Attributes
    ----------
    kind : {"rigid", "oscillation", "decay", "divergence", "real"}
    eigenvalue : complex
        With an imaginary part that is not negative [1/s].
    omega, frequency : float
        Its absolute value [rad/s], [Hz].
    damping : float
        Damping ratio, NaN unless an oscillation [-].
    shape : ndarray of complex, shape (coordinates,)
        Change of the coordinates, of unit modal mass.
    state : ndarray of complex, shape (states,)
        Change of users' states along with it.
    share : ndarray, shape (bodies,)
        Of each body in the kinetic energy.
    """

    kind: str
    eigenvalue: complex
    omega: float
    frequency: float
    damping: float
    shape: np.ndarray = field(repr=False)
    state: np.ndarray = field(repr=False)
    share: np.ndarray = field(repr=False)


@dataclass(frozen=True)
class Modes:
    """Modes of the motion near a state, by the absolute value of their eigenvalues; a sequence of `Mode`.

    Attributes
    ----------
    time : float
        Of the state [s].
    bodies, coordinates, states : list of str
        Names of what the shapes consist of; ``units``: of the coordinates.
    equilibrium : bool
        At rest or nearly so. Elsewhere eigenvalues depend on the coordinates: ``warning`` tells.
    """

    title: Optional[str]
    model: str
    time: float
    degrees_of_freedom: int
    velocity_constraints: int
    bodies: list[str] = _many("body", "n_bodies")
    coordinates: list[str] = _many("coordinate", "n_coordinates")
    units: list[str] = _many("unit", "n_coordinates")
    states: list[str] = _many("state", "n_states")
    pose: np.ndarray
    equilibrium: bool
    residual: float
    speed: float
    rate: float
    omega_max: float
    n_all: int
    projected: int
    outside: float
    warning: Optional[str]
    modes: list[Mode]

    def __getitem__(self, i: int) -> Mode:
        return self.modes[i]

    def __len__(self) -> int:
        return len(self.modes)

    @property
    def eigenvalues(self) -> np.ndarray:
        """All of them [1/s], shape (modes,)."""
        return np.array([one.eigenvalue for one in self.modes], complex)

    @property
    def frequencies(self) -> np.ndarray:
        """Of all modes [Hz], shape (modes,)."""
        return np.array([one.frequency for one in self.modes])

    def __repr__(self) -> str:
        lines = [f"  {i + 1:3}  {one.kind:12} {one.frequency:12.6g} Hz  damping {one.damping:8.4g}  eigenvalue {one.eigenvalue:.6g} 1/s"
                 for i, one in enumerate(self.modes[:20])]
        more = [f"  and {len(self) - 20} more"] if len(self) > 20 else []
        return "\n".join([f"<Modes of {self.title or self.model} at t = {self.time:.6g} s: {len(self)} of {self.n_all}", *lines, *more]) + ">"


def modes(model: "Model", at: float, equilibrium: bool, metric: str, count: int, report: Optional[PathLike] = None,
          animate: Optional[PathLike] = None) -> Modes:
    """See Model.modes."""
    if metric not in _METRICS:
        raise UsageError(f"metric: mass or natural is wanted, not {metric}")
    native, ctx = model._native, Context()
    options = ffi.new("hol_modes_options *", {"at": at, "equilibrium": equilibrium, "metric": getattr(lib, _METRICS[metric]), "count": count})
    made = _native.interruptible(ctx, lambda: lib.hol_modes_create(ctx.pointer, native, options))
    m = _native.own(ctx.need(made), lib.hol_modes_destroy, ctx)
    if report is not None:
        ctx.check(lib.hol_modes_report(ctx.pointer, m, native, _native.encoded(report, "report")))
    if animate is not None:
        ctx.check(lib.hol_modes_export(ctx.pointer, m, native, _native.encoded(animate, "animate")))
    kinds = {getattr(lib, key): word for key, word in _KINDS.items()}

    def numbers(pointer: Any, n: int) -> np.ndarray:
        return np.array(_native.view(pointer, n, m))

    items = [Mode(kinds[one.kind], complex(one.re, one.im), one.omega, one.frequency, one.damping,
                  numbers(one.shape_re, m.n_coordinates) + 1j * numbers(one.shape_im, m.n_coordinates),
                  numbers(one.state_re, m.n_states) + 1j * numbers(one.state_im, m.n_states), numbers(one.share, m.n_bodies))
             for one in (m.mode[i] for i in range(m.n))]
    return _taken(Modes, m, modes=items, pose=numbers(m.pose, m.n_coordinates))


# ---- kinematics -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reach:
    """How far a driver can move a mechanism.

    Attributes
    ----------
    driver : str
    unit : {"m", "rad"}
    now : float
        What is driven at the start.
    least, most : float
        The dead centres; infinite where there is none within a full turn or 20 natural lengths, NaN where the
        poses cannot be followed.
    """

    driver: str
    unit: str
    now: float
    least: float
    most: float


def reach(model: "Model") -> list[Reach]:
    """See Model.reach."""
    from .simulation import Simulation

    sim, one, found = Simulation(model, lib.hol_kinematics_create), ffi.new("hol_reach *"), []
    while lib.hol_kinematics_reach(sim._native, len(found), one):
        least, most = one.least if one.least_bounded else -math.inf, one.most if one.most_bounded else math.inf
        if not one.known:
            least = most = math.nan
        found.append(Reach(text(one.driver) or "", text(one.unit) or "", one.now, least, most))
    return found


# ---- advice and texts -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Advice:
    """The method that suits a model.

    Attributes
    ----------
    method : str
    reasons : list of str
    because : str
        In short.
    tolerance : float
        That is advised instead of the default one; 0: the default one.
    unseen : str
        A vibration that is in forces and accelerations and below the tolerance; empty: none.
    growth : float
        Of the fastest growth at the start [1/s].
    """

    method: str
    reasons: list[str]
    because: str
    unseen: str
    tolerance: float
    growth: float


def advise(model: "Model", tolerance: float) -> Advice:
    """See Model.advise."""
    native, ctx, out = model._native, Context(), ffi.new("hol_advice *")
    ctx.check(lib.hol_advise(ctx.pointer, native, tolerance, out))
    reasons = [ffi.string(out.reason[i]).decode() for i in range(out.n_reasons)]
    return Advice(text(out.method) or "", reasons, ffi.string(out.because).decode(), ffi.string(out.unseen).decode(), out.tolerance, out.growth)


class Text(str):
    """A text that shows as it is, in a notebook as a page."""

    markdown: str

    def __new__(cls, plain: str, markdown: str) -> "Text":
        self = super().__new__(cls, plain)
        self.markdown = markdown
        return self

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        return self.markdown


def _described(all_of_them: Any, one: Any, name: Optional[str]) -> Text:
    word = None if name is None else _native.encoded(name, "name")

    def form(which: int) -> str:
        if word is None:
            return _native.printed(lambda print_, user: all_of_them(which, print_, user))
        ctx = Context()
        return _native.printed(lambda print_, user: ctx.check(one(ctx.pointer, word, which, print_, user)))

    return Text(form(lib.HOL_PLAIN_TEXT), form(lib.HOL_MARKDOWN))


def methods(name: Optional[str] = None) -> Text:
    """Text about the integration methods with their options, or about one of them.

    Examples
    --------
    >>> import holonom as hm
    >>> print(hm.methods("newmark").splitlines()[0])
    newmark
    """
    return _described(lib.hol_describe_methods, lib.hol_describe_method, name)


def elements(name: Optional[str] = None) -> Text:
    """Text about what a model may contain, or about one kind of element: ``elements("revolute")``."""
    return _described(lib.hol_describe_elements, lib.hol_describe_element, name)


def schema() -> dict[str, Any]:
    """The JSON Schema of model files."""
    import json

    return json.loads(_native.printed(lib.hol_describe_schema))
