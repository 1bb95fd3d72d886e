"""Assembly: least change, exact values, joints that cannot be closed."""
import json
import math

from common import MODELS, error, holds, holonom, reference, true


def _assembled(model, *words, code=0):
    out, said = holonom("assemble", MODELS / model, "--json", *words, code=code)
    result = json.loads(out)
    return result, {one["name"]: one["used"] for one in result["positions"]}, {one["name"]: one["used"] for one in result["velocities"]}, said


def _pose(values):
    return [values[f"{body}.{what}"] for body in ("crank", "coupler", "rocker") for what in ("x", "y", "theta")]


def a1_least_change():
    want = reference("assembly", "A1_least_change")
    found, pose, _, _ = _assembled("least_change.yaml")
    holds("A1", "least change", error(found["change"], want["change"]), 1e-10)
    holds("A1", "angle of the crank", error(pose["crank.theta"], want["pose"][2]), 1e-10)
    holds("A1", "pose", max(map(error, _pose(pose), want["pose"])), 1e-10)
    _, heavy, _, _ = _assembled("least_change.yaml", "--set", "bodies.crank.mass=1000")
    holds("A1", "pose with another mass", max(map(error, _pose(heavy), _pose(pose))), 1e-14)
    found, pose, _, _ = _assembled("least_change.yaml", "--set", "bodies.crank.exact=angle")
    holds("A1", "pose with the crank exact", max(map(error, _pose(pose), want["exact_crank_pose"])), 1e-12)


def a1_rates():
    _, _, rate, _ = _assembled("least_change.yaml", "--set", "bodies.crank.omega=2")
    holds("A1", "omega of the crank alone is given", error(rate["crank.omega"], 2), 1e-15)
    _, _, rate, _ = _assembled("least_change.yaml", "--set", "bodies.crank.omega=2", "--set", "bodies.rocker.omega=1", "--set", "bodies.rocker.exact=omega")
    holds("A1", "omega of the rocker exact, of the crank given", error(rate["rocker.omega"], 1), 1e-15)
    _, said = holonom("assemble", MODELS / "least_change.yaml", "--set", "bodies.crank.exact=angle", "--set", "bodies.rocker.exact=angle", code=4)
    true("A1", "both angles exact: refused by name", "crank.angle and rocker.angle are exact: together with A, B, C and D" in said)


def a3_cannot_close():
    want = reference("assembly", "A3_cannot_close")
    found, _, _, said = _assembled("short_loop.yaml", code=4)
    holds("A3", "gap in all", error(found["gap"], want["gap_of_the_loop"]), 1e-7)
    holds("A3", "each joint", max(error(one["open"], want["each_of_four_joints_opens"]) for one in found["joints"]), 1e-7)
    true("A3", "the message names the loop", found["loop"] == "A, B, C, D" and "the loop A, B, C, D stays open by 0.4 in all" in said)
    # bars in a line: each is as long as the gap is wide
    seen = {one["name"]: one for one in found["lengths"]}
    gap = float(want["gap_of_the_loop"])
    holds("A3", "derivatives of the gap by the lengths", max(error(seen[name]["derivative"], sign) for name, sign in (("a", -1), ("b", -1), ("c", -1), ("d", 1))), 1e-6)
    holds("A3", "lengths that close it", max(error(seen[name]["closes"], seen[name]["now"] + sign * gap) for name, sign in (("a", 1), ("b", 1), ("c", 1), ("d", -1))), 1e-12)
    for name, one in seen.items():
        again, _, _, _ = _assembled("short_loop.yaml", "--set", f"parameters.{name}={one['closes']!r}")
        true("A3", f"with {name} so the joints hold", again["closed"])


def _quaternion(roll, pitch, yaw):
    """Of the rotation about x, then y, then z of ground."""
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(a / 2), math.sin(a / 2)) for a in (roll, pitch, yaw))
    return [cy * cp * cr + sy * sp * sr, cy * cp * sr - sy * sp * cr, cy * sp * cr + sy * cp * sr, sy * cp * cr - cy * sp * sr]


def a2_platform():
    for row in reference("inverse", "I2_stewart")["rows"]:
        words = [word for i, length in enumerate(row["leg_lengths"]) for word in ("--set", f"parameters.L{i + 1}={length!r}")]
        _, pose, _, _ = _assembled("platform.yaml", *words)
        want = row["pose_xyz_rpy"][:3] + _quaternion(*row["pose_xyz_rpy"][3:])
        seen = [pose[f"platform.{what}"] for what in ("x", "y", "z", "qw", "qx", "qy", "qz")]
        holds("A2", f"pose by the legs' lengths at {row['t']} s", max(map(error, seen, want)), 1e-10)
        far, _, _, _ = _assembled("platform.yaml", *words, "--set", "bodies.platform.position=[7, -5, 5]", "--set",
                                     "bodies.platform.orientation.axis=[1, 2, 3]", "--set", "bodies.platform.orientation.angle=150 deg")
        holds("A2", "10 m and 150 degrees away: joints are open by", max(one["open"] for one in far["joints"]), 1e-12)
        true("A2", "on which side it is is told", [one["body"] for one in far["sides"]] == ["platform"])
        _, image, _, _ = _assembled("platform.yaml", *words, "--set", "assemble.require=DZ(platform) < 0")
        want = [want[0], want[1], -want[2], want[3], -want[4], -want[5], want[6]]  # the image in the plane of the base
        seen = [image[f"platform.{what}"] for what in ("x", "y", "z", "qw", "qx", "qy", "qz")]
        seen[3:] = [math.copysign(1, seen[3] * want[3]) * one for one in seen[3:]]  # two quaternions are one orientation
        holds("A2", "hanging below the base, where it is required", max(map(error, seen, want)), 1e-10)
