"""Statics: chain, snap-through, leaning column, four-bar with springs, vehicle; stiff ones."""
import json, math

from common import MODELS, TOP, error, holds, holonom, reference, true


def _at(model, *words, sets=(), code=0):
    """The last equilibrium that the program finds: its members, signals by name as "value"."""
    options = [word for one in sets for word in ("--set", one)]
    found = json.loads(holonom("static", model, "--json", "-q", *options, *words, code=code)[0])
    point = dict(found["points"][-1])
    point["value"] = dict(zip(found["signals"], point["values"]))
    point["bodies"] = found["bodies"]
    return point


def _turned(point, joint, angle):
    """A reaction in global axes from that in the axes of the marker."""
    x, y = point["value"][f"{joint}.Fx"], point["value"][f"{joint}.Fy"]
    return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)


def chain():
    wanted = reference("statics", "S1_chain")
    for up in (0, 1):
        point = _at(MODELS / "chain.yaml", sets=[f"parameters.up={up}"])
        where, value = ("drawn above", "drawn below")[not up], point["value"]
        left = _turned(point, "left", value["rod1.theta"])
        holds("S1", f"{where}: horizontal tension", error(abs(left[0]), wanted["H"]), 1e-10)
        holds("S1", f"{where}: force at the left end", error(left[1], wanted["left_force_y_on_chain"]), 1e-9)
        holds("S1", f"{where}: angles", max(error(value[f"rod{i + 1}.theta"], angle) for i, angle in enumerate(wanted["angles"])), 1e-10)
        holds("S1", f"{where}: potential", error(point["potential"], wanted["potential"]), 1e-10)
        true("S1", f"{where}: stable", point["stable"])
    arch = _at(MODELS / "chain.yaml", "--unstable", sets=["parameters.up=1"])
    left = _turned(arch, "left", arch["value"]["rod1.theta"])
    holds("S1", "the arch, which is unstable: its thrust", error(abs(left[0]), wanted["H"]), 1e-10)
    true("S1", "the arch is unstable", not arch["stable"] and arch["growth"] > 0)


def snap_through():
    wanted = reference("statics", "S2_snap_through")
    for row in wanted["rows"]:
        point = _at(MODELS / "truss.yaml", sets=[f"parameters.load={row['load']!r}"])
        value = point["value"]
        force = math.hypot(value["strut1.Fx"], value["strut1.Fy"])
        holds("S2", f"load {row['load']:g}: apex", error(value["apex.y"], row["apex_y"]), 1e-10)
        holds("S2", f"load {row['load']:g}: force of a strut", error(force, abs(row["strut_force"])), 1e-9)
        holds("S2", f"load {row['load']:g}: stiffness", error(point["stiffness"], row["stiffness"]), 1e-10)
    # one unit of the ninth digit beyond the fold; the apex that has snapped moves by as much over its stiffness of 637 N/m
    beyond = _at(MODELS / "truss.yaml", sets=["parameters.load=31.12912516"])
    holds("S2", "just beyond the fold: apex has snapped", error(beyond["value"]["apex.y"], wanted["apex_y_after_snap_at_fold_load"]), 1e-10)
    below = _at(MODELS / "truss.yaml", sets=["parameters.load=31.12912515", "bodies.apex.position=[0, -0.35]"])
    holds("S2", "from the other side, at the load of the fold", error(below["value"]["apex.y"], wanted["apex_y_after_snap_at_fold_load"]), 1e-10)


def column():
    wanted = reference("statics", "S3_inverted_pendulum")
    point = _at(MODELS / "column.yaml")
    holds("S3", "angle", error(math.pi / 2 - point["value"]["rod.theta"], wanted["angle_at_W"]), 1e-10)
    holds("S3", "stiffness", error(point["stiffness"], wanted["reduced_stiffness_at_W"]), 1e-10)


def four_bar():
    """All equilibria from 24 starts, the stable ones and the others."""
    wanted, found = reference("statics", "S4_four_bar_spring")["equilibria"], []
    for k in range(24):
        for words in ((), ("--unstable",)):
            point = _at(MODELS / "four_bar_springs.yaml", *words, sets=[f"parameters.th={15 * k - 180} deg"])
            angle = point["value"]["crank.theta"]
            # the torsion spring counts full turns: others beyond half a turn have it wound up
            if abs(angle) <= math.pi and not any(abs(angle - other) < 1e-6 for other, _ in found):
                found.append((angle, point))
    true("S4", "as many equilibria as there are", len(found) == len(wanted))
    for (angle, point), row in zip(sorted(found, key=lambda one: one[0]), wanted):
        name = f"crank {row['crank']:.4f}"
        holds("S4", f"{name}: angle", error(angle, row["crank"]), 1e-10)
        true("S4", f"{name}: {'stable' if row['stable'] else 'unstable'}", point["stable"] == row["stable"])
        crank = point["shape"][6 * point["bodies"].index("crank") + 5]  # of the motion whose largest component is 1
        holds("S4", f"{name}: stiffness", error(point["stiffness"] / crank**2, row["reduced_stiffness"]), 1e-9)
        holds("S4", f"{name}: energy", error(point["potential"], row["energy"]), 1e-10)
        if not row["stable"]:
            holds("S4", f"{name}: growth", error(point["growth"] ** 2, row["eigenvalue"]), 1e-9)
        for joint, body, key in (("A", "crank", "ground_crank_force_on_crank"), ("D", "rocker", "ground_rocker_force_on_rocker")):
            seen = _turned(point, joint, point["value"][f"{body}.theta"])
            holds("S4", f"{name}: force on the {body}", max(error(x, y) for x, y in zip(seen, row[key])), 1e-9)


def vehicle():
    wanted = reference("hmmwv_static", None)
    point = _at(MODELS / "loaded_hmmwv.yaml")
    value = point["value"]
    holds("S5", "height of the chassis", error(value["chassis.z"], wanted["chassis_z"]), 1e-10)
    holds("S5", "heights of the spindles", max(error(value[f"{corner.lower()}.spindle.z"], z) for corner, z in wanted["spindle_z"].items()), 1e-10)
    # a tyre is a spring of 296325 N/m above its road
    radius = {"F": 0.4705747962438724, "R": 0.4692804377728323}
    forces = {corner: 296325 * (radius[corner[0]] - value[f"{corner.lower()}.spindle.z"]) for corner in wanted["tyre_force"]}
    holds("S5", "forces of the tyres [N]", max(abs(forces[corner] - force) for corner, force in wanted["tyre_force"].items()), 1e-8)
    tension = {corner: math.hypot(*(value[f"{corner.lower()}.spring.F{axis}"] for axis in "xyz")) for corner in wanted["tsda_tension"]}
    holds("S5", "forces of the springs [N]", max(abs(tension[corner] + force) for corner, force in wanted["tsda_tension"].items()), 1e-5)
    true("S5", "neutral directions", point["neutral"] == wanted["neutral_directions"])
    true("S5", "stable", point["stable"])
    dropped = _at(TOP / "models/hmmwv.yaml", sets=["parameters.lift=0.01"])
    holds("S5", "matrices from the drop of 10 mm", dropped["iterations"], 30)


def _branch(model, vary, *words, sets=()):
    """Points of the branches that the program follows."""
    options = [word for one in sets for word in ("--set", one)]
    found = json.loads(holonom("static", model, "--json", "-q", "--vary", vary, *words, *options)[0])
    for point in found["points"]:
        point["value"] = dict(zip(found["signals"], point["values"]))
    return found["points"]


def snap_through_by_continuation():
    """Load, and back: the branch goes down from its fold to the other one."""
    wanted = reference("statics", "S2_snap_through")
    points = _branch(MODELS / "truss.yaml", "load=0..60", sets=["parameters.load=0"])
    (fold,) = [one for one in points if one["at"] == "fold"]
    holds("S2", "fold load by continuation", abs(fold["parameter"] - wanted["fold_load"]), 1e-9)
    holds("S2", "apex at the fold", error(fold["value"]["apex.y"], wanted["fold_apex_y"]), 1e-7)  # flat there: the root of rounding
    true("S2", "the branch ends where it turned back, unstable", abs(points[-1]["parameter"]) < 1e-12 and not points[-1]["stable"])
    holds("S2", "in the middle there, by symmetry", abs(points[-1]["value"]["apex.y"]), 1e-10)
    through = _branch(MODELS / "truss.yaml", "load=-40..60", sets=["bodies.apex.position=[0, 0.5]"])
    loads = [one["parameter"] for one in through if one["at"] == "fold"]
    holds("S2", "both folds on one branch", max(abs(loads[0] - wanted["fold_load"]), abs(loads[1] - wanted["lower_fold_load"])), 1e-9)
    holds("S2", "and snapped at its end", error(through[-1]["value"]["apex.y"], wanted["rows"][1]["apex_y"]), 1e-10)
    back = _branch(MODELS / "truss.yaml", "load=60..-60", sets=["bodies.apex.position=[0, -0.4]"])
    loads = [one["parameter"] for one in back if one["at"] == "fold"]
    holds("S2", "the lower fold, from the snapped side", abs(loads[0] - wanted["lower_fold_load"]), 1e-9)


def column_by_continuation():
    wanted = reference("statics", "S3_inverted_pendulum")
    points = _branch(MODELS / "column.yaml", "W=90..60", sets=["parameters.start=-1"])
    (fold,) = [one for one in points if one["at"] == "fold"]
    holds("S3", "fold load by continuation", abs(fold["parameter"] - wanted["fold_load"]), 1e-9)
    holds("S3", "angle at the fold", error(math.pi / 2 - fold["value"]["rod.theta"], wanted["fold_angle"]), 1e-7)
    points = _branch(MODELS / "column.yaml", "W=10..100", "--branches", sets=["parameters.th0=0"])
    (crossing,) = [one for one in points if one["at"] == "bifurcation"]
    holds("S3", "perfect: critical load", abs(crossing["parameter"] - wanted["critical_load_perfect"]), 1e-9)
    ends = [[one for one in points if one["branch"] == k][-1] for k in range(3)]
    angles = sorted(math.pi / 2 - one["value"]["rod.theta"] for one in ends)
    # k theta = W l sin(theta) at W = 100
    theta = 1.5
    for _ in range(50):
        theta -= (100 * theta - 150 * math.sin(theta)) / (100 - 150 * math.cos(theta))
    holds("S3", "perfect: the three branches at W = 100", max(abs(x - y) for x, y in zip(angles, (-theta, 0, theta))), 1e-10)
    true("S3", "perfect: the bent ones are stable, the straight one is not", [one["stable"] for one in ends] == [False, True, True])


def trim():
    """The free lengths with which the vehicle stands as it is drawn, those of models/hmmwv.yaml."""
    found = json.loads(holonom("static", MODELS / "trimmed_hmmwv.yaml", "--json", "-q")[0])
    wanted = {"length_front": 0.27007433742725506, "length_rear": 0.2700692317189008, "radius_front": 0.4705747962438724, "radius_rear": 0.4692804377728323}
    for name, value in wanted.items():
        holds("S5", f"trimmed {name}", error(found["trimmed"][name], value), 1e-12)
