"""The equations of a model at a state."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy as np

from . import _native
from ._native import Context, Handle, alone, doubles, ffi, lib, text
from .errors import UsageError
from .simulation import Inputs, Simulation

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Equations", "Linear", "Motion", "Wrench", "Totals"]

# Names of the library's lists, and of its quantities with what they are.
_LISTS = ("coordinates", "constraints", "velocity_constraints", "states", "variables", "markers", "elements", "memory", "inputs", "joint_coordinates", "joint_rates")
_QUANTITIES = {
    "mass": "M, symmetric, singular along Euler parameters, shape (n_q, n_q).",
    "forces": "Q: all forces, with weight and what velocities do in M a, shape (n_q,).",
    "phi": "Phi, shape (n_c,).",
    "phi_q": "Jacobian of Phi, shape (n_c, n_q).",
    "phi_t": "Partial derivative of Phi by time, shape (n_c,).",
    "gamma": "gamma of Phi_q a = gamma, shape (n_c,).",
    "psi": "Psi, the velocity constraints, shape (n_k,).",
    "psi_q": "Jacobian of Psi by q, shape (n_k, n_q).",
    "psi_v": "Jacobian of Psi by v, shape (n_k, n_q).",
    "psi_t": "Partial derivative of Psi by time, shape (n_k,).",
    "psi_gamma": "gamma of Psi_v a = gamma, shape (n_k,).",
    "accelerations": "a, shape (n_q,).",
    "multipliers": "lam; of redundant rows the smallest ones, shape (n_c,).",
    "velocity_multipliers": "kap, shape (n_k,).",
    "variable_values": "Users' variables, shape (n_z,).",
    "state_rates": "Rates of users' states, shape (n_X,).",
    "forces_q": "dQ/dq; users' variables follow, accelerations and multipliers do not, shape (n_q, n_q).",
    "forces_v": "dQ/dv, in the same way, shape (n_q, n_q).",
    "forces_X": "dQ/dX, shape (n_q, n_X).",
    "forces_t": "dQ/dt, shape (n_q,).",
    "forces_u": "dQ/du by inputs and tunable parameters, shape (n_q, n_i).",
    "joint_positions": "p, see `use_joints`, shape (n_p,).",
    "joint_velocities": "u, shape (n_u,).",
    "joint_basis": "N of v = N u + v0, shape (n_q, n_u).",
    "joint_drift": "v0: what drivers and moving frames move, shape (n_q,).",
    "joint_inertia": "H = N^T M N, symmetric, shape (n_u, n_u).",
    "joint_bias": "h of H u' + h = tau, shape (n_u,).",
    "joint_accelerations": "u' where tau = 0, shape (n_u,).",
}


_SPARSE = ("mass", "phi_q", "psi_v")


class Motion(NamedTuple):
    """A marker: its origin [m] with its velocity [m/s], its axes as columns, its angular velocity [rad/s]; global axes."""

    position: np.ndarray
    velocity: np.ndarray
    axes: np.ndarray
    omega: np.ndarray


class Wrench(NamedTuple):
    """What an element does to a body, in the axes of the marker of its last end: where [m], force [N], torque [N m]."""

    body: str
    point: np.ndarray
    axes: np.ndarray
    force: np.ndarray
    torque: np.ndarray


class Totals(NamedTuple):
    """Of all bodies: mass [kg], centre of mass [m], momentum [kg m/s], angular momentum about a point [kg m^2/s], energies [J]."""

    mass: float
    centre: np.ndarray
    linear: np.ndarray
    angular: np.ndarray
    kinetic: float
    potential: float


class Linear(NamedTuple):
    """(x; w; X)' = A (x; w; X) + B u near a state: dq = N x, dv = Z x + V w, with n_x, n_w, n_X components.

    u are changes of inputs and tunable parameters; users' variables change by C (x; w; X) + D u. `Equations.linearise` tells how x and w follow from
    changes of coordinates.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    N: np.ndarray
    Z: np.ndarray
    V: np.ndarray
    n_x: int
    n_w: int
    n_X: int


def _matrix(pointer: Any, rows: int, columns: int) -> np.ndarray:
    """A copy of a matrix that the library holds by columns."""
    return np.array(_native.view(pointer, (columns, rows), None)).T


def _copy(pointer: Any, n: int) -> np.ndarray:
    return np.array(_native.view(pointer, n, None))


def _array(values: Any, *shape: int) -> np.ndarray:
    array = np.array(list(values))
    return array.reshape(shape, order="F") if shape else array


class Equations(Handle):
    """The equations of a model at one state, made by `Model.equations`.

    M(q, t) a + Phi_q^T lam + Psi_v^T kap = Q(q, v, t),     Phi(q, t) = 0,     Psi(q, v, t) = 0

    Coordinates q are those of the bodies: the centre of mass and the angle or the Euler parameters; v are their rates. Set a state, ask for what is
    wanted; what follows from the state is found when it is first asked for. All arrays are copies. One thread at a time may use it.

    Attributes
    ----------
    model : Model
    coordinates, constraints, velocity_constraints, states, variables, markers, elements, memory : list of str
        Names of what is numbered.
    joint_coordinates, joint_rates : list of str
        After `use_joints`.

    Examples
    --------
    >>> import holonom as hm
    >>> e = hm.Model("models/pendulum.yaml").equations()
    >>> e.coordinates
    ['bob.x', 'bob.y']
    >>> e.mass
    array([[1., 0.],
           [0., 1.]])
    >>> e.set(q=[0, -1], v=[0, 0])
    >>> e.accelerations.round(12).tolist(), e.reaction("rod").force.round(12).tolist()
    ([0.0, 0.0], [0.0, 9.81, 0.0])
    """

    if TYPE_CHECKING:  # made below, of the table of quantities
        mass: np.ndarray
        forces: np.ndarray
        phi: np.ndarray
        phi_q: np.ndarray
        phi_t: np.ndarray
        gamma: np.ndarray
        psi: np.ndarray
        psi_q: np.ndarray
        psi_v: np.ndarray
        psi_t: np.ndarray
        psi_gamma: np.ndarray
        accelerations: np.ndarray
        multipliers: np.ndarray
        velocity_multipliers: np.ndarray
        variable_values: np.ndarray
        state_rates: np.ndarray
        forces_q: np.ndarray
        forces_v: np.ndarray
        forces_X: np.ndarray
        forces_t: np.ndarray
        forces_u: np.ndarray
        joint_positions: np.ndarray
        joint_velocities: np.ndarray
        joint_basis: np.ndarray
        joint_drift: np.ndarray
        joint_inertia: np.ndarray
        joint_bias: np.ndarray
        joint_accelerations: np.ndarray

    def __init__(self, model: "Model", assembled: bool = True) -> None:
        native, ctx = model._native, Context()
        self.model, self._ctx = model, ctx
        start = lib.HOL_EOM_ASSEMBLED if assembled else lib.HOL_EOM_AS_GIVEN
        self._hold(_native.own(ctx.need(lib.hol_eom_create(ctx.pointer, native, start)), lib.hol_eom_destroy, ctx, native))
        self._joints = False
        self._names: dict[str, list[str]] = {}
        self._units: dict[str, list[str]] = {}
        for name in _LISTS:
            self._list(name)
        self._fix()

    def _way(self, name: str) -> str:
        if name in ("t", "q", "v", "X", "remembered"):
            return f": write set({name}=..)"
        if name == "inputs":
            return ": write inputs[NAME] = .. or inputs.update(..)"
        if name in self._names["inputs"]:
            return f': write inputs["{name}"] = ..'
        return _native.suggestion(name, ["t", "q", "v", "X", "remembered"])

    @property
    def inputs(self) -> Inputs:
        """Inputs and tunable parameters by name, as those of a simulation."""
        names = self._names["inputs"]
        return Inputs(self, dict(zip(names, self._units["inputs"])), {name: i for i, name in enumerate(names)})

    def _list(self, name: str) -> None:
        which, one = getattr(lib, "HOL_EOM_" + name.upper()), ffi.new("hol_eom_name *")
        names, units = [], []
        for i in range(lib.hol_eom_count(self._native, which)):
            lib.hol_eom_name_of(self._native, which, i, one)
            object_, part = text(one.object) or "", text(one.part) or ""
            names.append(f"{object_}.{part}" if part else object_)
            units.append(text(one.unit) or "")
        self._names[name], self._units[name] = names, units
        if name != "inputs":
            self.__dict__[name] = names

    def units(self, name: str) -> list[str]:
        """Units of the entries of a list such as ``"coordinates"``; ``""`` for pure numbers and where there is none."""
        if name not in self._units:
            raise KeyError(f'there is no list "{name}"{_native.suggestion(name, self._units)}')
        return self._units[name]

    # ---- the state --------------------------------------------------------------------------------------------

    def _state(self) -> Any:
        state = ffi.new("hol_state_view *")
        self._ctx.check(lib.hol_eom_get_state(self._native, state))
        return state

    @property
    @alone
    def t(self) -> float:
        """Time [s]."""
        return self._state().t

    @property
    @alone
    def q(self) -> np.ndarray:
        """Coordinates, shape (n_q,)."""
        return _copy(self._state().q, len(self.coordinates))

    @property
    @alone
    def v(self) -> np.ndarray:
        """Their rates, shape (n_q,)."""
        return _copy(self._state().v, len(self.coordinates))

    @property
    @alone
    def X(self) -> np.ndarray:
        """Users' states, shape (n_X,)."""
        return _copy(self._state().state, len(self.states))

    @property
    @alone
    def remembered(self) -> np.ndarray:
        """What the model remembers: full turns counted, parameters that events set, inputs, switches, shape (n_memory,), named by ``memory``."""
        values = np.empty(len(self.memory))
        self._ctx.check(lib.hol_eom_get_memory(self._native, ffi.from_buffer("double[]", values), values.size))
        return values

    @alone
    def set(self, *, t: Optional[float] = None, q: Any = None, v: Any = None, X: Any = None, remembered: Any = None) -> None:
        """Takes a state as it is, on the constraints or not; what is not given stays.

        Parameters
        ----------
        t : float, optional
            Time [s].
        q, v : array_like, shape (n_q,), optional
        X : array_like, shape (n_X,), optional
        remembered : array_like, shape (n_memory,), optional
            Without it the full turns counted become those nearest to the ones before.
        """
        n_q, n_X, n_memory = len(self.coordinates), len(self.states), len(self.memory)
        given = {"t": self._state().t if t is None else float(t), "n_q": n_q, "n_states": n_X}
        for key, name, values, n in (("q", "q", q, n_q), ("v", "v", v, n_q), ("state", "X", X, n_X)):
            if values is not None:
                given[key] = doubles(values, n, name)
        memory = None if remembered is None else doubles(remembered, n_memory, "remembered")
        self._ctx.check(lib.hol_eom_set_state(self._native, ffi.new("hol_state_view *", given)))
        if memory is not None:
            self._ctx.check(lib.hol_eom_set_memory(self._native, memory, n_memory))

    @alone
    def take(self, simulation: "Simulation") -> None:
        """The present state of a simulation, with its inputs and memory.

        Parameters
        ----------
        simulation : Simulation
            Of this model or of one with the same bodies, elements, states and inputs, as `Model.simulate` makes it with other options. Where values of
            parameters differ the state may be off the constraints.
        """
        if not isinstance(simulation, Simulation):
            raise TypeError(f"a Simulation is wanted, not {type(simulation).__name__}")
        simulation._lend(lambda other: self._ctx.check(lib.hol_eom_take(self._native, other)))

    @alone
    def _input(self, i: int) -> float:
        return lib.hol_eom_input(self._native, i)

    @alone
    def _set_input(self, i: int, value: float) -> None:
        self._ctx.check(lib.hol_eom_set_input(self._native, i, value))

    @alone
    def project(self) -> tuple[float, float]:
        """Puts q and v onto the constraints, by changes that are small in the metric of the mass matrix.

        Returns
        -------
        tuple of float
            What has changed of positions and of velocities, root of the sum of squares in natural sizes [-].
        """
        change = ffi.new("hol_eom_change *")
        self._ctx.check(lib.hol_eom_project(self._native, change))
        return change.position, change.velocity

    # ---- vectors and matrices ---------------------------------------------------------------------------------

    @alone
    def get(self, name: str) -> np.ndarray:
        """A vector or matrix by its name, such as ``"phi_q"``."""
        _native.picked(_QUANTITIES, name, "quantity")
        what, shape = getattr(lib, "HOL_EOM_" + name.upper()), ffi.new("int[2]")
        self._ctx.check(lib.hol_eom_shape(self._native, what, shape, shape + 1))
        values = np.empty(shape[0] * shape[1])
        self._ctx.check(lib.hol_eom_get(self._native, what, ffi.from_buffer("double[]", values), values.size))
        return values if _is_vector(name) else values.reshape(tuple(shape), order="F")

    @alone
    def sparse(self, name: str) -> Any:
        """``"mass"``, ``"phi_q"`` or ``"psi_v"`` as a `scipy.sparse.csc_matrix`."""
        from scipy.sparse import csc_matrix

        if name not in _SPARSE:
            raise KeyError(f'"{name}" is not there as a sparse matrix: {", ".join(_SPARSE)} are')
        out, what = ffi.new("hol_csc *"), getattr(lib, "HOL_EOM_" + name.upper())
        self._ctx.check(lib.hol_eom_get_sparse(self._native, what, out))
        start = np.array(ffi.unpack(out.start, out.n_columns + 1))
        row, value = np.array(ffi.unpack(out.row, start[-1]), int), np.array(ffi.unpack(out.value, start[-1]), float)
        return csc_matrix((value, row, start), (out.n_rows, out.n_columns))

    def _index(self, name: str, which: str) -> int:
        names = getattr(self, which)
        if name not in names:
            raise KeyError(f'there is no "{name}" among the {which}{_native.suggestion(str(name), names)}')
        return names.index(name)

    @alone
    def marker(self, name: str) -> Motion:
        """Where a marker is and how it moves."""
        out = ffi.new("hol_eom_motion *")
        self._ctx.check(lib.hol_eom_marker(self._native, self._index(name, "markers"), out))
        return Motion(_array(out.position), _array(out.velocity), _array(out.axes, 3, 3), _array(out.omega))

    @alone
    def marker_jacobian(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """J and Jr of velocity = J v and omega = Jr v in global axes, shape (3, n_q) each."""
        n = 3 * len(self.coordinates)
        J, Jr = np.empty(n), np.empty(n)
        buffers = ffi.from_buffer("double[]", J), ffi.from_buffer("double[]", Jr)
        self._ctx.check(lib.hol_eom_marker_jacobian(self._native, self._index(name, "markers"), *buffers, n))
        return J.reshape((3, -1), order="F"), Jr.reshape((3, -1), order="F")

    @alone
    def reaction(self, name: str) -> Wrench:
        """What a joint, driver or force does to its last body."""
        out = ffi.new("hol_eom_wrench *")
        self._ctx.check(lib.hol_eom_reaction(self._native, self._index(name, "elements"), out))
        return Wrench(text(out.body) or "", _array(out.point), _array(out.axes, 3, 3), _array(out.force), _array(out.torque))

    @alone
    def totals(self, about: Any = None) -> Totals:
        """Mass, centre of mass, momenta and energies of all bodies; about: a point in global axes, the origin if not given."""
        out, point = ffi.new("hol_eom_totals *"), ffi.NULL if about is None else doubles(about, 3, "about")
        self._ctx.check(lib.hol_eom_sum(self._native, point, out))
        return Totals(out.mass, _array(out.centre), _array(out.linear), _array(out.angular), out.kinetic, out.potential)

    # ---- joint coordinates, linearisation ---------------------------------------------------------------------

    @alone
    def use_joints(self) -> None:
        """Prepares joint coordinates, which trees of joints have, at the present state; to be called once."""
        self._ctx.check(lib.hol_eom_use_joints(self._native))
        self._joints = True
        self._list("joint_coordinates")
        self._list("joint_rates")

    @alone
    def set_joints(self, p: Any, u: Any, t: Optional[float] = None) -> None:
        """The state that belongs to joint coordinates p, shape (n_p,), and rates u, shape (n_u,)."""
        n_p, n_u = len(self.joint_coordinates), len(self.joint_rates)
        if not self._joints:
            raise UsageError("set_joints(): use_joints() comes before")
        time = self._state().t if t is None else float(t)
        self._ctx.check(lib.hol_eom_set_joints(self._native, time, doubles(p, n_p, "p"), n_p, doubles(u, n_u, "u"), n_u))

    @alone
    def linearise(self, metric: str = "mass") -> Linear:
        """The motion near the state, which must be on the constraints; all derivatives are exact.

        Parameters
        ----------
        metric : {"mass", "natural"}, optional
            In which the directions of N and V are orthonormal: N^T M N = 1 by the mass matrix M, or by natural sizes of the coordinates, where bodies
            without mass may move. Eigenvalues are the same at an equilibrium; elsewhere they are those of the motion in these directions.

        Notes
        -----
        Small changes dq, dv along the constraints have, with ``metric="mass"``, x = N^T M dq and w = V^T M (dv - Z x).
        """
        metrics = {"mass": lib.HOL_METRIC_MASS, "natural": lib.HOL_METRIC_NATURAL}
        if metric not in metrics:
            raise UsageError(f"metric: mass or natural is wanted, not {metric}")
        out, n_q = ffi.new("hol_eom_linear *"), len(self.coordinates)
        self._ctx.check(lib.hol_eom_linearise(self._native, metrics[metric], out))
        n, n_i, n_z = out.n, out.n_i, out.n_z
        return Linear(_matrix(out.A, n, n), _matrix(out.B, n, n_i), _matrix(out.C, n_z, n), _matrix(out.D, n_z, n_i),
                      _matrix(out.N, n_q, out.n_x), _matrix(out.Z, n_q, out.n_x), _matrix(out.V, n_q, out.n_w), out.n_x, out.n_w, out.n_X)

    def __repr__(self) -> str:
        if self._native is None:
            return "<Equations, closed>"
        if self._at_work or self._elsewhere():
            return f"<Equations of {self.model!r}, at work>"
        return f"<Equations of {self.model!r} at t = {self.t:.6g} s: {len(self.coordinates)} coordinates, {len(self.constraints)} constraints>"

    def __reduce__(self) -> Any:
        raise TypeError("Equations cannot be pickled; their model can, and their state is q, v, X and remembered")


def _is_vector(name: str) -> bool:
    return _QUANTITIES[name].endswith(",).")


def _add(name: str, doc: str) -> None:
    def quantity(self: Equations) -> np.ndarray:
        return self.get(name)

    quantity.__doc__ = doc
    setattr(Equations, name, property(quantity))


for _name, _doc in _QUANTITIES.items():
    _add(_name, _doc)
