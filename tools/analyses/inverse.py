"""Inverse dynamics: I1 to I4, motions from tables, and forward = inverse."""
import math, pathlib, re, tempfile

from common import MODELS, error, holds, holonom, reference, table, true


def _rows(*words):
    return {round(row["t"], 6): row for row in table("inverse", *words)}


def _largest(pairs):
    return max(error(seen, wanted) for seen, wanted in pairs)


def _undriven(text):
    return re.sub(r"drivers:\n.*\n", "", text).replace("motor, ", "")


def four_bar():
    want, model = reference("inverse", "I1_four_bar")["rows"], MODELS / "i1_four_bar.yaml"
    drivers = _rows(model)
    crank, rocker, both = (_rows(model, "--actuators", names) for names in ("at_crank", "at_rocker", "at_crank,at_rocker"))
    at = lambda rows, one: rows[one["t"]]
    holds("I1", "torque of the driver of a four-bar", _largest((at(drivers, one)["motor.T"], one["torque_at_crank"]) for one in want), 1e-10)
    holds("I1", "and of a motor in its place", _largest((at(crank, one)["at_crank"], one["torque_at_crank"]) for one in want), 1e-10)
    holds("I1", "both agree", _largest((crank[t]["at_crank"], drivers[t]["motor.T"]) for t in drivers), 1e-12)
    holds("I1", "a motor at the rocker instead", _largest((at(rocker, one)["at_rocker"], one["torque_at_rocker_instead"]) for one in want), 1e-10)
    holds("I1", "the smallest torques of two motors",
          _largest((at(both, one)[name], wanted) for one in want
                   for name, wanted in zip(("at_crank", "at_rocker"), one["min_norm_torques_crank_rocker"])), 1e-10)
    holds("I1", "drivers give nothing then", max(abs(row["motor.T"]) for row in both.values()), 1e-10)
    holds("I1", "power of the motor", _largest((at(crank, one)["at_crank"] * at(crank, one)["crank.omega"], one["power"]) for one in want), 1e-10)


def stewart_platform():
    pairs, rows = [], _rows(MODELS / "i2_stewart.yaml")
    for one in reference("inverse", "I2_stewart")["rows"]:
        row = rows[one["t"]]
        for k, wanted in enumerate(one["leg_forces_push_positive"], 1):
            force = [row[f"leg{k}.F{axis}"] for axis in "xyz"]
            pairs.append((math.hypot(*force), wanted))  # all of them push up
            pairs.append((float(force[2] > 0), 1))
        pairs += zip((row[f"platform.{axis}"] for axis in "xyz"), one["pose_xyz_rpy"])
    holds("I2", "forces of the legs of a Stewart platform, and its pose", _largest(pairs), 1e-10)


def three_legs():
    want, model = reference("inverse", "I3_redundant")["rows"], MODELS / "i3_three_legs.yaml"
    plain, names = _rows(model), ("t1", "t2", "t3")
    small, weighted = _rows(model, "--actuators", "t1,t2,t3"), _rows(model, "--actuators", "t1,t2,t3", "--weights", "1,2,4")
    holds("I3", "generalised forces of three legs", _largest(pair for one in want for pair in zip(
        (plain[one["t"]]["x.Fx"], plain[one["t"]]["y.Fy"]), one["generalised_force_xy"])), 1e-10)
    for rows, key in (small, "torques_min_norm"), (weighted, "torques_weighted"):
        holds("I3", key.replace("_", " "), _largest((rows[one["t"]][name], wanted) for one in want for name, wanted in zip(names, one[key])), 1e-10)
    bounded = _rows(model, "--actuators", "t1,t2,t3", "--bounds", "..19,..,..")
    good = all(row["t1"] <= 19 + 1e-12 and abs(row["x.Fx"]) + abs(row["y.Fy"]) < 1e-10 for row in bounded.values())
    true("I3", "bounds are kept, and the motion is made", good and any(abs(row["t1"] - 19) < 1e-12 for row in bounded.values()))


def refused():
    for one in reference("assembly", "I4_cart_pole_refused")["rows"]:
        said = holonom("inverse", MODELS / "i4_cart_pole.yaml", "--set", f"parameters.t0={one['t']!r}", "--actuators", "u", "-q", code=2)[1]
        missing = float(re.search(r"the motion needs (\S+) N m more of driver \"lean\", which no actuator gives", said)[1])
        holds("I4", f"the missing torque at {one['t']} s", error(-missing, one["missing_torque_at_hinge"]), 1e-9)  # the driver turns the other way


def motion_from_a_table():
    """A cubic in time is its own spline."""
    with tempfile.TemporaryDirectory() as scratch:
        model, motion = pathlib.Path(scratch, "model.yaml"), pathlib.Path(scratch, "motion.csv")
        text = (MODELS / "i1_four_bar.yaml").read_text()
        angle = lambda t: 0.6 + t - 0.5 * t**2 + 0.2 * t**3
        driven = text.replace("f0 + f1*sin(om*time)", "0.6 + time - 0.5*time^2 + 0.2*time^3")
        model.write_text(driven)
        want = _rows(model)
        model.write_text(_undriven(driven))
        motion.write_text("t, A.angle\n" + "".join(f"{k * 0.1:.17g}, {angle(k * 0.1):.17g}\n" for k in range(12)))
        have = _rows(model, "--motion", motion, "--actuators", "at_crank")
        holds("I1", "the motion from a table: the same torque", _largest((have[t]["at_crank"], want[t]["motor.T"]) for t in want), 1e-12)
        holds("I1", "and the same motion", _largest((have[t]["crank.theta"], want[t]["crank.theta"]) for t in want), 1e-13)


def forward_is_inverse():
    """From rest: speeds at the start are no matter then."""
    with tempfile.TemporaryDirectory() as scratch:
        fed, ahead, rest = (pathlib.Path(scratch, name) for name in ("fed.yaml", "ahead.yaml", "rest.yaml"))
        text = (MODELS / "i1_four_bar.yaml").read_text()
        rest.write_text(text.replace("f0 + f1*sin(om*time)", "f0 + f1*(1 - cos(om*time))/2"))
        holonom("inverse", rest, "--actuators", "at_crank", "--feedforward", ahead, "--set", "simulate.output=0.005", "-q")
        fed.write_text(_undriven(text).replace("value: at_crank}", "value: at_crank_ff}") + "include: [ahead.yaml]\n")
        rows = table("run", fed, "--tol", "1e-9")
        worst = max(abs(row["crank.theta"] - (0.6 + 0.45 * (1 - math.cos(4 * row["t"])))) for row in rows)
        holds("I1", "a run with the forces found returns the motion", worst, 2e-6)  # of splines through 221 points
