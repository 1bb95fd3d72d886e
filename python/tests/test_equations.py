"""The equations of a model at a state."""

import numpy as np
import pytest

import holonom as hm
from holonom import equations as module
from holonom._native import lib

ALL = ["four_bar", "double_pendulum_3d", "rolling_disc", "hydraulic", "inverted_pendulum", "slider_crank"]


@pytest.fixture
def e(pendulum):
    return pendulum.equations()


def test_every_list_and_quantity_of_the_library():
    assert len(module._LISTS) == lib.HOL_EOM_LISTS and len(module._QUANTITIES) == lib.HOL_EOM_QUANTITIES
    assert [getattr(lib, "HOL_EOM_" + name.upper()) for name in module._LISTS] == list(range(lib.HOL_EOM_LISTS))
    assert [getattr(lib, "HOL_EOM_" + name.upper()) for name in module._QUANTITIES] == list(range(lib.HOL_EOM_QUANTITIES))


@pytest.mark.parametrize("name", ALL)
def test_newton_euler(name):
    """M a + Phi_q^T lam + Psi_v^T kap = Q, Phi_q a = gamma, Psi_v a = psi_gamma, for shapes and signs of all of them."""
    e = hm.Model(f"models/{name}.yaml").equations()
    rest = e.mass @ e.accelerations + e.phi_q.T @ e.multipliers + e.psi_v.T @ e.velocity_multipliers - e.forces
    scale = max(1.0, abs(e.forces).max())
    assert abs(rest).max() < 1e-9 * scale
    assert np.allclose(e.phi_q @ e.accelerations, e.gamma, atol=1e-8 * scale) and np.allclose(e.psi_v @ e.accelerations, e.psi_gamma, atol=1e-8)
    assert np.allclose(e.phi_q @ e.v + e.phi_t, 0, atol=1e-9)


@pytest.mark.parametrize("name", ALL)
def test_shapes(name):
    e = hm.Model(f"models/{name}.yaml").equations()
    n = {"n_q": len(e.coordinates), "n_c": len(e.constraints), "n_k": len(e.velocity_constraints), "n_X": len(e.states), "n_z": len(e.variables), "n_i": len(e.inputs)}
    for quantity, doc in module._QUANTITIES.items():
        if quantity.startswith("joint_"):
            continue
        words = doc[doc.index("shape (") + 7 : -2].rstrip(",").split(", ")
        assert e.get(quantity).shape == tuple(n[word] for word in words), quantity


def test_the_state_is_set_and_read(e):
    e.set(t=0.5, q=[0, -1], v=[2, 0])
    assert (e.t, e.q.tolist(), e.v.tolist()) == (0.5, [0, -1], [2, 0])
    e.set(v=[3, 0])
    assert (e.t, e.q.tolist(), e.v.tolist()) == (0.5, [0, -1], [3, 0])
    assert np.allclose(e.accelerations, [0, 9])  # v^2/L towards the centre
    assert e.phi.shape == (1,)


def test_project(e):
    e.set(q=[0.1, -1.2], v=[1, 1])
    position, velocity = e.project()
    assert position > 0 and velocity > 0 and np.hypot(*e.q) == pytest.approx(1) and abs(e.q @ e.v) < 1e-12


def test_forces_have_tangents():
    e = hm.Model("models/double_pendulum.yaml").equations()
    rng, h = np.random.default_rng(1), 1e-6
    dq = rng.normal(size=len(e.coordinates))
    q, exact = e.q.copy(), e.forces_q @ dq
    e.set(q=q + h * dq)
    plus = e.forces
    e.set(q=q - h * dq)
    assert np.allclose((plus - e.forces) / (2 * h), exact, rtol=1e-5, atol=1e-5 * abs(exact).max())


def test_markers(e):
    e.set(q=[0, -1], v=[2, 0])
    bob = e.marker("bob")
    assert bob.position.tolist() == [0, -1, 0] and bob.velocity.tolist() == [2, 0, 0] and bob.axes.shape == (3, 3)
    J, Jr = e.marker_jacobian("bob")
    assert np.array_equal(J, [[1, 0], [0, 1], [0, 0]]) and Jr.shape == (3, 2)
    with pytest.raises(KeyError, match="did you mean"):
        e.marker("bbo")


def test_axes_are_columns():
    e = hm.Model("models/slider_crank.yaml").equations()
    shaft, pin = e.marker("crank.shaft"), e.marker("crank.pin")
    along = (pin.position - shaft.position) / np.linalg.norm(pin.position - shaft.position)
    assert np.allclose(shaft.axes[:, 0], along)


def test_reactions_and_totals(e):
    e.set(q=[0, -1], v=[0, 0])
    assert abs(np.linalg.norm(e.reaction("rod").force) - 2 * 9.81) < 1e-12 and e.reaction("rod").body == "bob"
    e.set(v=[3, 0])
    totals = e.totals()
    assert (totals.mass, totals.kinetic) == (2, 9) and totals.centre.tolist() == [0, -1, 0] and totals.linear.tolist() == [6, 0, 0]
    assert totals.angular.tolist() == [0, 0, 6] and e.totals([0, -1, 0]).angular.tolist() == [0, 0, 0]


def test_joint_coordinates():
    e = hm.Model("models/double_pendulum.yaml").equations()
    with pytest.raises(hm.UsageError):
        e.joint_inertia
    e.use_joints()
    H, N = e.joint_inertia, e.joint_basis
    assert H.shape == (2, 2) and np.allclose(H, N.T @ e.mass @ N) and np.allclose(e.v, N @ e.joint_velocities + e.joint_drift)
    assert np.allclose(H @ e.joint_accelerations + e.joint_bias, 0, atol=1e-9 * abs(e.joint_bias).max())
    e.set_joints([0.1, 0.2], [0, 0])
    assert e.joint_positions.tolist() == [0.1, 0.2] and abs(e.phi).max() < 1e-12


def test_linearise(e):
    e.set(q=[0, -1], v=[0, 0])
    linear = e.linearise()
    assert linear.A.shape == (2, 2) and (linear.n_x, linear.n_w, linear.n_X) == (1, 1, 0)
    assert sorted(np.linalg.eigvals(linear.A).imag) == pytest.approx([-np.sqrt(9.81), np.sqrt(9.81)])
    assert np.allclose(linear.V.T @ e.mass @ linear.V, [[1]])


def test_linearise_keeps_rows_and_columns_apart():
    """A by differences of the accelerations along N and V, for a system without symmetry (a damper on a cart)."""
    e = hm.Model("models/slider_crank.yaml").equations()
    linear = e.linearise()
    assert np.array_equal(linear.A[0], [0, 1]) and linear.N.shape == linear.V.shape == (9, 1)
    q, v, h = e.q.copy(), e.v.copy(), 1e-6
    rates = []
    for sign in (1, -1):
        e.set(q=q, v=v + sign * h * linear.V[:, 0])
        rates.append(linear.V[:, 0] @ e.mass @ e.accelerations)
    assert (rates[0] - rates[1]) / (2 * h) == pytest.approx(linear.A[1, 1], rel=1e-4, abs=1e-5)


def test_sparse(e):
    pytest.importorskip("scipy")
    e = hm.Model("models/four_bar.yaml", N=6).equations()
    for name in ("mass", "phi_q", "psi_v"):
        assert np.array_equal(e.sparse(name).toarray(), e.get(name))


def test_as_given():
    m = hm.Model.from_dict({
        "dimension": 2,
        "bodies": [{"name": "bob", "type": "point", "mass": 1, "position": [1.5, 0]}],
        "joints": [{"name": "rod", "type": "distance", "between": ["ground", "bob"], "length": 1}]})
    assert m.equations(assembled=False).q.tolist() == [1.5, 0] and m.equations().q.tolist() == pytest.approx([1, 0])


@pytest.mark.parametrize("state, kind", [
    ({"q": [0]}, hm.UsageError), ({"q": [0, -1, 0]}, hm.UsageError), ({"q": [[0, -1]]}, hm.UsageError), ({"q": 3}, hm.UsageError),
    ({"v": [np.nan, 0]}, hm.UsageError), ({"q": [np.inf, 0]}, hm.UsageError), ({"t": np.nan}, hm.UsageError), ({"X": [1]}, hm.UsageError),
    ({"q": "ab"}, TypeError), ({"q": ["a", "b"]}, TypeError), ({"t": "soon"}, ValueError), ({"v": [1j, 0]}, TypeError),
])
def test_states_that_are_none(e, state, kind):
    before = e.q.copy(), e.v.copy(), e.t
    with pytest.raises(kind):
        e.set(**state)
    assert np.array_equal(e.q, before[0]) and np.array_equal(e.v, before[1]) and e.t == before[2]


def test_names_that_are_none(e):
    with pytest.raises(KeyError, match='did you mean "phi"'):
        e.get("phii")
    with pytest.raises(KeyError):
        e.units("nothing")
    with pytest.raises(hm.UsageError):
        e.linearise("length")


def test_units(e):
    assert e.units("coordinates") == ["m", "m"]


@pytest.mark.parametrize("name", ["mass", "q", "v", "X", "remembered"])
def test_arrays_are_copies(name):
    e = hm.Model(f"models/{'cart_pole' if name == 'remembered' else 'hydraulic'}.yaml").equations()
    values = getattr(e, name)
    before = values.copy()
    values[...] = 7
    assert values.size and np.array_equal(getattr(e, name), before)


def test_states_before_stay(e):
    q = e.q
    e.set(q=[0, -1])
    assert q.tolist() == [1, 0] and e.q.tolist() == [0, -1]


@pytest.mark.parametrize("name, way", [("q", r"set\(q="), ("t", r"set\(t="), ("remembered", r"set\(remem"), ("qq", "cannot be set"), ("mass", "cannot be set"), ("inputs", "update")])
def test_attributes_are_not_set(e, name, way):
    with pytest.raises(AttributeError, match=way):
        setattr(e, name, 1)


def test_inputs_are_no_attributes():
    e = hm.Model("models/cart_pole.yaml").equations()
    for wrong in (lambda: setattr(e.inputs, "u", 3), lambda: setattr(e, "u", 3)):
        with pytest.raises(AttributeError, match=r'inputs\["u"\]'):
            wrong()
    e.inputs["u"] = 3
    assert e.inputs["u"] == 3 and e.forces[0] == 3


@pytest.mark.parametrize("options", [{}, {"end": 1}, {"method": "hht", "step": 0.01}, {"options": {"parameters.l": 0.7}}])
def test_states_of_simulations_with_options_are_taken(options):
    m = hm.Model("models/cart_pole.yaml")
    e, s = m.equations(), m.simulate(**options)
    s.inputs["u"] = 2
    s.advance(0.1)
    e.take(s)
    assert e.t == 0.1 and np.array_equal(e.q, s.state.q) and e.inputs["u"] == 2


def test_states_of_another_structure_are_not_taken(pendulum):
    with pytest.raises(hm.UsageError, match="of another model"):
        pendulum.equations().take(hm.Model("models/cart_pole.yaml").simulate())
    with pytest.raises(TypeError, match="a Simulation is wanted"):
        pendulum.equations().take(None)


@pytest.mark.parametrize("name", ["mas", "forces", 3])
def test_matrices_that_are_not_sparse(e, name):
    pytest.importorskip("scipy")
    with pytest.raises(KeyError, match="mass, phi_q, psi_v are"):
        e.sparse(name)


@pytest.mark.parametrize("name", ["four_bar", "cart_pole", "rolling_disc"])
def test_coordinates_of_the_linearised_motion(name):
    """x and w from changes along the constraints, as the documentation says."""
    e = hm.Model(f"models/{name}.yaml").equations()
    lin, rng = e.linearise(), np.random.default_rng(1)
    x, w = rng.normal(size=lin.n_x), rng.normal(size=lin.n_w)
    dq = lin.N @ x
    dv = lin.Z @ x + lin.V @ w
    assert np.allclose(lin.N.T @ e.mass @ dq, x) and np.allclose(lin.V.T @ e.mass @ (dv - lin.Z @ x), w)


def test_after_close(e):
    e.close()
    for call in (lambda: e.mass, lambda: e.set(t=1), lambda: e.q, lambda: e.project(), lambda: e.marker("bob"), lambda: e.linearise()):
        with pytest.raises(hm.UsageError, match="closed"):
            call()
    assert repr(e) == "<Equations, closed>"


def test_inputs_and_the_state_of_a_simulation():
    m = hm.Model("models/cart_pole.yaml")
    s, e = m.simulate(), m.equations()
    assert dict(e.inputs) == {"u": 0} and e.inputs.units == {"u": "N"}
    s.inputs["u"] = 2
    s.advance(0.3)
    e.take(s)
    assert e.t == 0.3 and e.inputs["u"] == 2 and np.array_equal(e.q, s.state.q) and np.array_equal(e.v, s.state.v)
    assert e.accelerations[0] == pytest.approx(s["cart.ax"])
    push = e.forces[0]
    e.inputs["u"] = 5
    assert e.forces[0] == pytest.approx(push + 3)
    with pytest.raises(hm.UsageError):
        e.inputs["u"] = np.nan
    with pytest.raises(hm.HolonomError):
        e.take(hm.Model("models/pendulum.yaml").simulate())
    s.close()
    with pytest.raises(hm.UsageError, match="closed"):
        e.take(s)


def test_what_is_remembered():
    e = hm.Model("models/cart_pole.yaml").equations()
    assert len(e.memory) == len(e.remembered)
    e.set(remembered=e.remembered)
    with pytest.raises(hm.UsageError):
        e.set(remembered=np.zeros(len(e.memory) + 1))
