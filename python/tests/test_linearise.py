"""Linearised motions: matrices, names, poles, zeros, responses, files."""
import json

import numpy as np
import pytest

import holonom as hm


def cart_pole(**words):
    return hm.Model("models/cart_pole.yaml", lean0=0).linearise(outputs=["cart.x", "lean", "cart.ax"], **words)


def test_matrices_by_hand():
    """M x'' + m l th'' = u, m l x'' + (J + m l^2) th'' = m g l th, th to the right; the model's angles count to the left."""
    s = cart_pole(coordinates=["DX(cart)", "-AZ(pole)"])
    M, m, l, g = 1.1, 0.1, 0.5, 9.81
    J = m * (2 * l) ** 2 / 12 + m * l * l
    mass = np.array([[M, m * l], [m * l, J]])
    K = np.linalg.solve(mass, np.array([[0, 0], [0, m * g * l]]))
    b = np.linalg.solve(mass, np.array([1.0, 0]))
    assert s.states == ["DX(cart)", "-AZ(pole)", "DX(cart)'", "(-AZ(pole))'"]
    assert s.state_units == ["m", "rad", "m/s", "rad/s"] and s.inputs == ["u"] and s.input_units == ["N"]
    assert np.allclose(s.A, np.block([[np.zeros((2, 2)), np.eye(2)], [K, np.zeros((2, 2))]]), atol=1e-13)
    assert np.allclose(s.B[:, 0], [0, 0, *b], atol=1e-13)
    assert np.allclose(s.C, [[1, 0, 0, 0], [0, 1, 0, 0], [0, K[0, 1], 0, 0]], atol=1e-13)
    assert np.allclose(s.D[:, 0], [0, 0, b[0]], atol=1e-13)
    assert np.allclose(sorted(s.poles.real), [-np.sqrt(K[1, 1]), 0, 0, np.sqrt(K[1, 1])], atol=1e-6)
    assert s.equilibrium and s.warning is None and s.coordinate_changes is None


def test_response_is_that_of_the_matrices():
    s = cart_pole()
    w = np.array([0.3, 2.0, 40.0])
    have = s.response(w)
    for k, omega in enumerate(w):
        want = s.C @ np.linalg.solve(1j * omega * np.eye(4) - s.A, s.B) + s.D
        assert np.allclose(have[k], want, rtol=1e-11)
    assert have.shape == (3, 3, 1)
    assert np.isinf(s.gain[0, 0]) and s.coordinate_changes.shape == (6, 4) == s.velocity_changes.shape
    assert np.allclose(s.A @ s.vectors, s.vectors * s.poles, atol=1e-6)


def test_zeros():
    s = cart_pole()
    assert np.allclose(sorted(s.zeros("cart.x", "u").real), [-np.sqrt(1.5 * 9.81), np.sqrt(1.5 * 9.81)])  # with the cart held: a rod on its end
    assert len(s.zeros(2, 0)) == 4
    with pytest.raises(hm.UsageError, match="did you mean"):
        s.zeros("cart.y", "u")
    with pytest.raises(hm.UsageError, match="as many outputs as inputs"):
        s.zeros()


def test_the_model_stays_as_it_was():
    m = hm.Model("models/bicycle.yaml")
    before = m.text
    m.linearise(outputs=["lean"])
    assert m.text == before and "frame.ay" not in m.linearise().outputs


def test_bicycle_against_the_literature():
    """Meijaard, Papadopoulos, Ruina, Schwab (2007), table 2, at 5 m/s."""
    s = hm.Model("models/bicycle.yaml").linearise()
    assert np.allclose(s.poles, [-0.322866429004, -0.775341882195 + 4.464867713788j, -0.775341882195 - 4.464867713788j, -14.078389692798], atol=1e-11)
    assert s.steady and not s.equilibrium and s.warning is None
    assert "depend on the coordinates" in hm.Model("models/bicycle.yaml").linearise(coordinates=[]).warning


def test_files(tmp_path):
    s = cart_pole()
    s.write(tmp_path / "a.json", omega=[1, 2])
    read = json.loads((tmp_path / "a.json").read_text())
    assert np.allclose(read["A"], s.A, rtol=0, atol=0) and read["outputs"] == s.outputs
    assert np.allclose(np.array(read["response_re"]) + 1j * np.array(read["response_im"]), s.response([1, 2]), rtol=1e-15)
    s.write(tmp_path / "a.mtx")
    numbers = [line for line in (tmp_path / "a_C.mtx").read_text().splitlines() if line[0] != "%"]
    assert numbers[0] == "3 4" and np.allclose(np.array(numbers[1:], float).reshape(4, 3).T, s.C, rtol=0, atol=0)
    with pytest.raises(hm.UsageError, match="give frequencies"):
        s.write(tmp_path / "a.csv")


def test_what_is_refused():
    m = hm.Model("models/bicycle.yaml")
    with pytest.raises(hm.UsageError, match="do not close"):
        m.linearise(coordinates=["steer"])
    with pytest.raises(hm.UsageError, match="mass or natural"):
        m.linearise(metric="length")
    with pytest.raises(hm.HolonomError, match="no input, tunable parameter or driver"):
        m.linearise(inputs=["pedal"])
    with pytest.raises(TypeError):
        m.linearise(outputs=[3])


def test_scipy():
    signal = pytest.importorskip("scipy.signal")
    s = cart_pole(coordinates=["DX(cart)", "AZ(pole)"])
    system = signal.StateSpace(*s.matrices)
    assert system.A.shape == (4, 4) and system.outputs == 3


def test_a_large_model_has_responses():
    m = hm.Model.from_text("""
dimension: 2
gravity: [0, -9.81]
bodies:
  - {for: i in 1..1001, name: "link{i}", mass: 0.1, inertia: 1e-4, position: [0, -(i - 1/2)*0.1], markers: {top: [0, 0.05], low: [0, -0.05]}}
joints:
  - {name: pin, type: revolute, between: [ground, link1.top]}
  - {for: i in 2..1001, name: "J{i}", type: revolute, between: ["link{i-1}.low", "link{i}.top"]}
inputs: [{name: F, value: 0, unit: N}]
forces: [{name: push, type: force, on: link1001.low, value: [F, 0]}]
linearise: {outputs: [link1001.low.x]}
""")
    with pytest.raises(hm.UsageError, match="give frequencies"):
        m.linearise()
    s = m.linearise(omega=[1e-4, 1.0])
    want = sum(1 / (9.81 * (1001 - i + 0.5)) for i in range(1, 1002))  # of each link the force over the tension in its middle
    assert s.sparse and s.A.shape == (0, 0) and s.response([1e-4])[0, 0, 0].real == pytest.approx(want, rel=1e-5)
    with pytest.raises(hm.UsageError, match="not at 2"):
        s.response(2.0)


def test_transfer_functions_are_the_response():
    s = cart_pole()
    w = np.array([0.3, 2.0, 40.0])
    for name in ("lean", "cart.ax"):
        num, den = s.transfer(name, "u")
        assert den[0] == 1 and len(num) <= len(den) <= 5
        assert np.allclose(np.polyval(num, 1j * w) / np.polyval(den, 1j * w), s.response(w)[:, s.outputs.index(name), 0], rtol=1e-9)
    with pytest.raises(hm.UsageError):
        s.transfer("no", "u")
