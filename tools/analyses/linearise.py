"""A, B, C, D, poles, zeros and frequency responses (L1 to L4), against the values of tests/reference/analyses/linearise.json."""
import json

from common import MODELS, TOP, error, holds, holonom, reference, true


def _linear(model, *words):
    """What `holonom linearise --json` says."""
    return json.loads(holonom("linearise", model, "--json", "-q", *words)[0])


def _matrix(seen, wanted):
    return max(error(a, b) for row, other in zip(seen, wanted) for a, b in zip(row, other))


def _poles(of):
    return [complex(re, im) for re, im in zip(of["pole_re"], of["pole_im"])]


def _matched(seen, wanted):
    """The largest distance of numbers that belong to each other: each wanted one takes the nearest of those that are left."""
    left, most = list(seen), 0
    for one in wanted:
        nearest = min(left, key=lambda x: abs(x - one))
        left.remove(nearest)
        most = max(most, abs(nearest - one) / max(1, abs(one)))
    return most + 1e9 * len(left)


def _response(of, row):
    """Relative errors of the outputs at the frequency that a row of the reference has."""
    k = min(range(len(of["omega"])), key=lambda k: abs(of["omega"][k] - row["omega"]))
    return lambda output, wanted: abs(complex(of["response_re"][k][output][0], of["response_im"][k][output][0]) - complex(*wanted)) / abs(complex(*wanted))


def four_bar():
    model = MODELS / "four_bar_linear.yaml"
    for point in reference("linearise", "L1_four_bar")["points"]:
        where = [f"--set=parameters.{key}={point[word]!r}" for key, word in (("phi", "crank"), ("rate", "rate"), ("torque", "torque"))]
        of = _linear(model, *where, "--frequencies", "1, 4, 12 rad/s")
        name = f"{point['kind']} at {point['crank']:.4f}"
        for key in "AC":
            holds("L1", f"{key}, {name}", _matrix(of[key], point[key]), 1e-9)
        for key in "BD":
            holds("L1", f"{key}, {name}", _matrix(of[key], [[x] for x in point[key]]), 1e-9)
        holds("L1", f"poles, {name}", _matched(_poles(of), [complex(*p) for p in point["poles"]]), 1e-9)
        holds("L1", f"frequency response, relative, {name}", max(_response(of, row)(i, wanted) for row in point["frequency_response"] for i, wanted in enumerate(row["G"])), 1e-9)
    of = _linear(model, "--equilibrium", "--set=parameters.phi=0.65")
    holds("L1", "A at the equilibrium that is found from 0.65 rad", _matrix(of["A"], reference("linearise", "L1_four_bar")["points"][1]["A"]), 1e-9)


def bicycle():
    model = TOP / "models/bicycle.yaml"
    for row in reference("linearise", "L2_bicycle")["rows"]:
        of = _linear(model, f"--set=parameters.v={row['v']!r}")
        holds("L2", f"lean and steer at {row['v']:g} m/s", _matched(_poles(of), [complex(*p) for p in row["eigenvalues"]]), 1e-8)
        true("L2", f"at {row['v']:g} m/s: closes, steady, no warning", of["states"] == ["lean", "steer", "lean'", "steer'"] and of["steady"] and "warning" not in of)
    said = holonom("modes", model)[0]
    true("L2", "modes without coordinates: the warning first, nothing called a divergence", said.startswith("warning: ") and "divergence" not in said)
    said = holonom("modes", model, "--coordinates", "lean, steer")[0]
    true("L2", "modes --coordinates: no warning", "warning" not in said and "-14.0783897" in said)


def cart_pole():
    problem = reference("linearise", "L3_cart_pole")
    model = MODELS / "cart_pole_lag.yaml"
    for words in ((), ("--coordinates", "DX(cart), AZ(rod)")):
        of = _linear(model, "--frequencies", "0.5, 3, 20 rad/s", *words)
        name = "named coordinates" if words else "the program's coordinates"
        holds("L3", f"poles, {name}", _matched(_poles(of), [complex(*p) for p in problem["poles"]]), 1e-10)
        for row in problem["frequency_response"]:
            at = _response(of, row)
            holds("L3", f"frequency response at {row['omega']:g} rad/s, relative, {name}", max(at(0, row["x_over_u"]), at(1, row["theta_over_u"])), 1e-9)
        zeros = [complex(re, im) for re, im in zip(of["zero_re"][0][0], of["zero_im"][0][0]) if re is not None]
        holds("L3", f"zeros of x, {name}", _matched(zeros, problem["zeros_x"]), 1e-10)


def conical_pendulum():
    problem = reference("linearise", "L4_conical_pendulum")
    of = _linear(MODELS / "conical_pendulum.yaml")
    holds("L4", "omega with theta and the rate of phi", max(min(abs(p.imag - problem["omega"]) for p in _poles(of)), min(abs(p.imag + problem["omega"]) for p in _poles(of))), 1e-10)
    holds("L4", "A", _matrix(of["A"], [problem["A"][0], problem["A"][1], problem["A"][2]]), 1e-9)
    of = _linear(MODELS / "conical_pendulum.yaml", "--coordinates", "atan2(sqrt(DX(bob)^2 + DY(bob)^2), -DZ(bob)), atan2(DY(bob), DX(bob))")
    holds("L4", "the same with the angle phi, which does nothing", _matched(_poles(of), [0, 0, 1j * problem["omega"], -1j * problem["omega"]]), 1e-7)
    holonom("linearise", MODELS / "conical_pendulum.yaml", "--coordinates", "atan2(sqrt(DX(bob)^2 + DY(bob)^2), -DZ(bob))", code=2)
    true("L4", "theta alone does not close and is refused", True)
