"""Kinematics: K1 to K4."""
import math, re

from common import MODELS, error, holds, holonom, reference, table, true


def _largest(pairs):
    return max(error(seen, wanted) for seen, wanted in pairs)


def slider_crank():
    rows, motion, forces = {round(row["t"], 6): row for row in table("kinematics", MODELS / "k1_slider_crank.yaml")}, [], []
    for want in reference("kinematics", "K1_slider_crank")["rows"]:
        row = rows[want["t"]]
        motion += [(row[name], want[key]) for name, key in
                   {"slider.x": "x", "slider.vx": "vx", "slider.ax": "ax", "rod.theta": "rod_angle", "rod.omega": "rod_omega",
                    "rod.alpha": "rod_alpha"}.items()]
        c, s = math.cos(row["crank.theta"]), math.sin(row["crank.theta"])  # the shaft's force stands in the crank's axes
        forces += [(c * row["shaft.Fx"] - s * row["shaft.Fy"], want["shaft_Fx_on_crank"]), (row["guide.Fy"], want["guide_N_on_slider"]),
                   (s * row["shaft.Fx"] + c * row["shaft.Fy"], want["shaft_Fy_on_crank"]), (row["motor.T"], want["driver_torque_on_crank"])]
    holds("K1", "positions, velocities, accelerations of a slider-crank", _largest(motion), 1e-12)
    holds("K1", "reactions and the torque of the motor", _largest(forces), 1e-10)


def coupler_curve():
    rows, pairs = {round(row["t"], 6): row for row in table("kinematics", MODELS / "k2_four_bar.yaml")}, []
    names = {"coupler.point.x": "x", "coupler.point.y": "y", "coupler.theta": "coupler", "rocker.theta": "rocker", "coupler.point.vx": "vx",
             "coupler.point.vy": "vy", "coupler.omega": "coupler_omega", "rocker.omega": "rocker_omega", "coupler.point.ax": "ax",
             "coupler.point.ay": "ay", "coupler.alpha": "coupler_alpha", "rocker.alpha": "rocker_alpha"}
    for want in reference("kinematics", "K2_four_bar_coupler")["rows"]:
        pairs += [(rows[want["t"]][name], want[key]) for name, key in names.items()]
    holds("K2", "coupler curve of a four-bar: positions, velocities, accelerations", _largest(pairs), 1e-12)


def _lock(model, words):
    """Time and value of a lock, as the message has them, and how far the rows go."""
    said = holonom(*words, MODELS / model, "-q", code=5)[1]
    found = re.search(r"stopped at t = (\S+) s: locked: .* any further than (\S+) (?:m|rad):", said)
    return float(found[1]), float(found[2])


def locks():
    want = reference("kinematics", "K3_locks")
    for words in (["kinematics"], *(["run", "--method", method] for method in ("rk", "hht", "bdf", "adams", "rn4"))):
        name = words[-1]
        time, value = _lock("k3_slider.yaml", words)
        holds("K3", f"{name}: time of the dead centre of a slider-crank", error(time, want["slider_lock_time"]), 1e-10)
        time, value = _lock("k3_four_bar.yaml", words)
        holds("K3", f"{name}: last angle of a four-bar", error(value, want["four_bar_crank_limit"]), 1e-10)
    for tolerance in ("1e-2", "1e-3", "1e-4", "1e-5"):
        value = _lock("k3_four_bar.yaml", ["run", "--method", "hht", "--tol", tolerance])[1]
        holds("K3", f"hht at {tolerance}: last angle of a four-bar", error(value, want["four_bar_crank_limit"]), 1e-10)
    rows = table("kinematics", MODELS / "k3_slider.yaml", code=5)
    true("K3", "no row lies behind the dead centre", rows[-1]["t"] <= want["slider_lock_time"])
    before = next(row for row in rows if abs(row["t"] - (want["slider_lock_time"] - want["parameters"]["dt"])) < 1e-9)
    holds("K3", "crank 1 ms before the dead centre: angle", error(before["crank.theta"], want["crank_angle_before"]), 1e-12)
    holds("K3", "and its rate", error(before["crank.omega"], want["crank_omega_before"]), 1e-10)
    holds("K3", "and its acceleration", error(before["crank.alpha"], want["crank_alpha_before"]), 1e-9)
    rows = table("kinematics", MODELS / "k3_slider.yaml", "--continue", "--end", "2.3 s")
    turns = [(row["curve.time"], row["press.value"], row["crank.theta"]) for row in rows if row["curve.turned"]]
    places = [(want["slider_lock_time"], 0.4, 0), (want["slider_lock_time"] - 1, 0.2, -math.pi), (want["slider_lock_time"], 0.4, -2 * math.pi)]
    true("K3", "a slider-crank driven at its slider passes three dead centres", len(turns) == 3)
    holds("K3", "their times, places and crank angles", _largest([(a, b) for turn, place in zip(turns, places) for a, b in zip(turn, place)]), 1e-10)
    told = holonom("kinematics", MODELS / "k3_four_bar.yaml", code=5)[0]
    least, most = map(float, re.search(r"motor: reaches (\S+) \.\. (\S+) rad", told).groups())
    holds("K3", "reachable interval of a four-bar", max(error(least, want["four_bar_crank_other_limit"]), error(most, want["four_bar_crank_limit"])),
          1e-10)


def parallelogram():
    rows = table("kinematics", MODELS / "k3_parallelogram.yaml")
    turns = rows[-1]["crank.theta"] / (2 * math.pi)
    true("K3", "a parallelogram turns 100 times through its change points", turns > 100)
    holds("K3", "its rocker stays on its branch", max(abs(row["rocker.theta"] - row["crank.theta"]) for row in rows), 1e-12)


def double_wishbone():
    rows, pairs = table("kinematics", MODELS / "k4_wishbone.yaml"), []
    for row, want in zip(rows, reference("kinematics", "K4_double_wishbone")["rows"], strict=True):
        w, x, y, z = (row[f"upright.q{k}"] for k in "wxyz")
        axle = (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x))
        pairs += [*zip(axle, want["axle"]), (row["upright.wheel.x"], want["wheel_x"]), (row["upright.wheel.y"], want["wheel_y"])]
        for marker, key in {"lower": "lower_ball", "upper": "upper_ball", "tie": "tie_end"}.items():
            pairs += [(row[f"upright.{marker}.{k}"], value) for k, value in zip("xyz", want[key])]
        pairs += [(math.degrees(math.asin(-axle[2])), want["camber_deg"]), (math.degrees(math.atan2(-axle[0], axle[1])), want["toe_deg"])]
    holds("K4", "double wishbone: points, axle, camber and toe over the travel", _largest(pairs), 1e-12)
