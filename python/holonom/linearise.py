"""The motion of a model near a state as x' = A x + B u, y = C x + D u: matrices with names, poles, zeros, frequency response."""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import numpy as np

from . import _native
from ._native import Context, ffi, lib, text
from .errors import UsageError

if TYPE_CHECKING:
    from .model import Model

__all__ = ["StateSpace"]

PathLike = Union[str, "os.PathLike[str]"]
_METRICS = {"mass": "HOL_METRIC_MASS", "natural": "HOL_METRIC_NATURAL"}


def _matrix(pointer: Any, rows: int, columns: int, owner: Any) -> np.ndarray:
    """A copy of a matrix that the library holds by columns."""
    if rows == 0 or columns == 0:
        return np.zeros((rows, columns))
    return np.array(_native.view(pointer, (columns, rows), owner)).T


class StateSpace:
    """A motion near a state, x' = A x + B u, y = C x + D u, all of them changes; made by `Model.linearise`.

    Attributes
    ----------
    A, B, C, D : ndarray
    states, inputs, outputs : list of str
        Names: coordinates, their rates ``AZ(crank)'``, states of the model; without coordinates ``p1``, ``w1``, ..
    state_units, input_units, output_units : list of str
        In SI; empty for pure numbers and where it is not known.
    state_values, input_values, output_values : ndarray
        At the state; NaN of the program's own coordinates.
    poles : ndarray of complex, shape (states,)
        By their absolute values [1/s].
    vectors : ndarray of complex, shape (states, states)
        In the columns, of each pole; the largest entry is 1.
    gain : ndarray, shape (outputs, inputs)
        Of constant inputs; infinite where an output grows.
    time : float
        Of the state [s].
    equilibrium, steady : bool
        The state is one; the coordinates and their rates are constant in its motion.
    sparse : bool
        The model has more than 1000 degrees of freedom: there are no matrices, and `response` knows the frequencies that were given.
    warning : str or None
        What the eigenvalues are not, where neither holds.
    coordinates : list of str
        Of the bodies; without coordinates of the user's own ``coordinate_changes`` and ``velocity_changes``, of shape (coordinates, states), say
        how they change with the states; else these are None.

    Examples
    --------
    >>> import holonom as hm
    >>> m = hm.Model("models/cart_pole.yaml", lean0=0)
    >>> s = m.linearise(outputs=["cart.x", "lean"], coordinates=["DX(cart)", "AZ(pole)"])
    >>> s.states
    ['DX(cart)', 'AZ(pole)', "DX(cart)'", "AZ(pole)'"]
    >>> s.zeros("cart.x", "u").round(3).tolist()
    [(-3.836+0j), (3.836+0j)]
    """

    def __init__(self, model: "Model", at: float, equilibrium: bool, metric: str, omega: Sequence[float]) -> None:
        if metric not in _METRICS:
            raise UsageError(f"metric: mass or natural is wanted, not {metric}")
        native, ctx = model._native, Context()
        w = np.ascontiguousarray(np.asarray(omega, float))
        options = ffi.new("hol_linear_options *", {"at": at, "equilibrium": equilibrium, "metric": getattr(lib, _METRICS[metric]), "n_omega": w.size})
        if w.size:
            options.omega = self._omega = ffi.from_buffer("double[]", w)  # kept until the end of the call
        made = _native.interruptible(ctx, lambda: lib.hol_linear_create(ctx.pointer, native, options))
        self._held = held = _native.own(ctx.need(made), lib.hol_linear_destroy, ctx)
        n, nu, ny, nq = held.n_x, held.n_u, held.n_y, held.n_coordinates
        self.title, self.model = text(held.title), text(held.model)
        self.time, self.equilibrium, self.steady = held.time, bool(held.equilibrium), bool(held.steady)
        self.warning: Optional[str] = text(held.warning)
        self.sparse = bool(held.sparse)
        self.A, self.B = _matrix(held.A, n, n, held), _matrix(held.B, n, nu, held)
        self.C, self.D = _matrix(held.C, ny, n, held), _matrix(held.D, ny, nu, held)
        self.states, self.state_units, self.state_values = self._signals(held.x, n)
        self.inputs, self.input_units, self.input_values = self._signals(held.u, nu)
        self.outputs, self.output_units, self.output_values = self._signals(held.y, ny)
        self.poles = _matrix(held.pole_re, n, 1, held)[:, 0] + 1j * _matrix(held.pole_im, n, 1, held)[:, 0]
        self.vectors = _matrix(held.vector_re, n, n, held) + 1j * _matrix(held.vector_im, n, n, held)
        self.gain = _matrix(held.gain, ny, nu, held)
        self.coordinates = [text(held.coordinate[i]) or "" for i in range(nq)]
        own = held.dq != ffi.NULL
        self.coordinate_changes: Optional[np.ndarray] = _matrix(held.dq, nq, n, held) if own else None
        self.velocity_changes: Optional[np.ndarray] = _matrix(held.dv, nq, n, held) if own else None

    @staticmethod
    def _signals(of: Any, n: int) -> tuple[list[str], list[str], np.ndarray]:
        return [text(of[i].name) or "" for i in range(n)], [text(of[i].unit) or "" for i in range(n)], np.array([of[i].value for i in range(n)], float)

    @property
    def matrices(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """A, B, C, D: ``scipy.signal.StateSpace(*s.matrices)``, ``control.ss(*s.matrices)``."""
        return self.A, self.B, self.C, self.D

    @staticmethod
    def _index(of: Union[int, str, None], names: Sequence[str], what: str) -> int:
        if of is None:
            return -1
        if isinstance(of, str):
            if of not in names:
                raise UsageError(f'there is no {what} "{of}"{_native.suggestion(of, list(names))}')
            return list(names).index(of)
        if not 0 <= of < len(names):
            raise UsageError(f"{what} {of}: there are {len(names)}")
        return int(of)

    def zeros(self, output: Union[int, str, None] = None, input: Union[int, str, None] = None) -> Optional[np.ndarray]:
        """Zeros of the way from an input to an output, or from all inputs to as many outputs [1/s].

        Parameters
        ----------
        output, input : int or str, optional
            By name or number; neither: all of them.

        Returns
        -------
        ndarray of complex, or None
            None: nothing comes through at any frequency.
        """
        ctx, n = Context(), ffi.new("int *")
        re, im = np.zeros(len(self.states) + 1), np.zeros(len(self.states) + 1)
        i, j = self._index(output, self.outputs, "output"), self._index(input, self.inputs, "input")
        ctx.check(lib.hol_linear_zeros(ctx.pointer, self._held, i, j, n, ffi.from_buffer("double[]", re), ffi.from_buffer("double[]", im)))
        return None if n[0] < 0 else re[:n[0]] + 1j * im[:n[0]]

    def transfer(self, output: Union[int, str], input: Union[int, str]) -> tuple[np.ndarray, np.ndarray]:
        """The way from an input to an output as a quotient of polynomials in s, what cancels left out.

        Parameters
        ----------
        output, input : int or str
            By name or number.

        Returns
        -------
        tuple of ndarray
            Coefficients of numerator and denominator, highest power first; above order 8 they lose digits.
        """
        ctx, n, m = Context(), ffi.new("int *"), ffi.new("int *")
        num, den = np.zeros(len(self.states) + 1), np.zeros(len(self.states) + 1)
        i, j = self._index(output, self.outputs, "output"), self._index(input, self.inputs, "input")
        ctx.check(lib.hol_linear_transfer(ctx.pointer, self._held, i, j, n, m, ffi.from_buffer("double[]", num), ffi.from_buffer("double[]", den)))
        return num[:n[0] + 1], den[:m[0] + 1]

    def response(self, omega: Union[float, Sequence[float], np.ndarray]) -> np.ndarray:
        """The frequency response C (i omega - A)^-1 B + D.

        Parameters
        ----------
        omega : float or array
            Angular frequencies [rad/s].

        Returns
        -------
        ndarray of complex, shape (frequencies, outputs, inputs)
        """
        w = np.ascontiguousarray(np.atleast_1d(np.asarray(omega, float)))
        ctx, shape = Context(), (len(w), len(self.inputs), len(self.outputs))
        re, im = np.zeros(shape), np.zeros(shape)
        if re.size:
            out = (ffi.from_buffer("double[]", re), ffi.from_buffer("double[]", im))
            ctx.check(lib.hol_linear_response(ctx.pointer, self._held, len(w), ffi.from_buffer("double[]", w), *out))
        return (re + 1j * im).transpose(0, 2, 1)

    def write(self, path: PathLike, omega: Sequence[float] = ()) -> None:
        """Writes a file: .json or .nc has all there is, .mtx (Matrix Market) A, with B, C and D beside it, .csv the frequency response.

        Parameters
        ----------
        path : str or path
        omega : sequence of float, optional
            Angular frequencies of the response [rad/s].
        """
        w, ctx = np.ascontiguousarray(np.asarray(omega, float)), Context()
        pointer = ffi.from_buffer("double[]", w) if w.size else ffi.NULL
        ctx.check(lib.hol_linear_write(ctx.pointer, self._held, w.size, pointer, _native.encoded(path, "path")))

    def __repr__(self) -> str:
        poles = ", ".join(f"{p.real:.6g}{p.imag:+.6g}j" if p.imag else f"{p.real:.6g}" for p in self.poles[:12])
        return (f"<StateSpace of {self.title or self.model} at t = {self.time:.6g} s: states {', '.join(self.states[:8])}; "
                f"inputs {', '.join(self.inputs[:8])}; outputs {', '.join(self.outputs[:8])}; poles {poles}>")


def linearise(model: "Model", at: float, equilibrium: bool, metric: str, omega: Sequence[float],
              chosen: dict[str, Optional[Sequence[str]]]) -> StateSpace:
    """See Model.linearise."""
    given = {key: [names] if isinstance(names, str) else list(names) for key, names in chosen.items() if names is not None}
    if given:
        model = model.copy()
        for key, names in given.items():
            if not all(isinstance(one, str) for one in names):
                raise TypeError(f"{key}: a list of texts is wanted")
            model.set(f"linearise.{key}={json.dumps(names, ensure_ascii=False)}")
    return StateSpace(model, at, equilibrium, metric, omega)
