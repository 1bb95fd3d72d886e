#!/usr/bin/env python3
"""Shipped models as the person meets them who sets nothing: their files with no word under `simulate:` but the end, against references.

    tests/defaults_test.py [--long | --write] [MODEL...]

A line `ok MODEL` or `not ok MODEL: why` each. The default compares with tests/reference/defaults: three bodies at 50 times. --long makes
the references anew, by two methods of different families at small tolerances, and compares all bodies in all rows. --write does that
too, and writes tests/reference/defaults and docs/defaults.md.

Errors are distances of body frames, in parts of the model's length scale, and angles [rad]; the largest over bodies and rows.
"""
import itertools, json, math, pathlib, re, subprocess, sys, tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
HOLONOM = TOP / "build/bin/holonom"
STORED, PAGE = TOP / "tests/reference/defaults", TOP / "docs/defaults.md"
BOUND = 3e-3  # of a position, in length scales: what is promised
AGREE = 1e-6  # what the two references may differ by
NEAR = 1e-8  # so near no better ones are looked for
TIMES, BODIES = 50, 3  # of what is stored
PATIENCE = 300  # [s], on a machine that has other work
# Methods of high order by family, each at the smallest tolerance that it reaches soon; joint_bdf and bdf are one family.
METHODS = {"rk": "1e-11", "rn4": "1e-10", "bdf": "1e-11", "adams": "1e-11", "joint_bdf": "1e-11"}
# Of impacts and bristles, at whose onsets steps at such tolerances are many.
IMPACTS = {"billiard_break", "gripper", "shoe_brake", "geneva_drive"}
OF_IMPACTS = {"rk": "1e-7", "rn4": "1e-7", "bdf": "1e-7", "joint_bdf": "1e-7"}


def bare(model, folder):
    """The model's file with its end alone under `simulate:`, which is the last thing in it."""
    head, run = (TOP / f"models/{model}.yaml").read_text().split("\nsimulate:\n")
    path = pathlib.Path(folder, f"{model}.yaml")
    head = head.replace("file: parts/", f"file: {TOP}/models/parts/")  # beside the model, not beside its copy
    path.write_text(f"{head}\nsimulate:\n  end: {re.search(r'^  end: *([^ #]+)', run, re.M)[1].strip()}\n")
    return path


def read(path):
    """{body: its columns of position}, {body: of orientation}, rows."""
    lines = [line.strip().split(",") for line in open(path) if line[0] != "#"]
    places, turns = {}, {}
    for i, name in enumerate(lines[0]):
        body, _, what = name.rpartition(".")
        if what in ("x", "y", "z"):
            places.setdefault(body, []).append(i)
        elif what in ("theta", "qw", "qx", "qy", "qz"):
            turns.setdefault(body, []).append(i)
    return places, turns, [[float(x) for x in line] for line in lines[1:]]


class Run:
    """Poses of a run, or its failure."""

    def __init__(self, file, out, *options, signals="poses"):
        command = [HOLONOM, "run", file, "--set", f"simulate.signals=[{signals}]", "--out", out, "--stats", f"{out}.json",
                   "--time-limit", str(PATIENCE), *options]
        done = subprocess.run(command, cwd=TOP / "models", capture_output=True, text=True)
        self.failure = done.stderr.strip().splitlines()[-1] if done.returncode else None
        if self.failure is None:
            self.stats = json.loads(pathlib.Path(f"{out}.json").read_text())
            self.places, self.turns, self.rows = read(out)


def apart(a, b, length):
    """Largest distance [length], where and when; largest angle [rad]. Rows of b that a has no row for are left out; none is an error."""
    at = {round(row[0], 9): row for row in a.rows}
    far, angle, pairs = (0.0, "", 0.0), 0.0, [(at[round(row[0], 9)], row) for row in b.rows if round(row[0], 9) in at]
    assert len(pairs) > TIMES / 2, f"only {len(pairs)} rows at the same times"
    for x, y in pairs:
        for body, columns in b.places.items():
            d = math.dist([x[i] for i in a.places[body]], [y[i] for i in columns]) / length
            far = far if d <= far[0] else (d, body, y[0])
        for body, columns in b.turns.items():
            p, q = [x[i] for i in a.turns[body]], [y[i] for i in columns]
            if len(q) == 4:  # Euler parameters of either sign
                angle = max(angle, 2 * min(math.dist(p, q), math.dist(p, [-z for z in q])))
            else:
                angle = max(angle, abs(p[0] - q[0]))
    return far, angle


# ---- references ----------------------------------------------------------------------------------------------

def one_angle(acceleration, angle, rate, times, place, step=2e-4):
    """Motions in one angle, by the classical Runge-Kutta method with steps so short that its error is below 1e-11."""
    rows, t = [], 0.0
    for end in times:
        n = max(1, math.ceil((end - t) / step)) if end > t else 0
        h = (end - t) / n if n else 0
        for _ in range(n):
            k1, l1 = rate, acceleration(angle)
            k2, l2 = rate + h / 2 * l1, acceleration(angle + h / 2 * k1)
            k3, l3 = rate + h / 2 * l2, acceleration(angle + h / 2 * k2)
            k4, l4 = rate + h * l3, acceleration(angle + h * k3)
            angle, rate = angle + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), rate + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
        t = end
        rows.append([end, *place(angle)])
    return rows


class Angle:
    """Models of one angle that no second method passes well: singular poses of parallelograms, where rk alone of the accurate ones goes on."""

    MODELS = "four_bar", "tower"

    def __init__(self, model, times):
        if model == "four_bar":  # two parallelograms: (5/2 + 3/6) m of moving rods about the feet, 7/2 m g of weight
            self.rows = one_angle(lambda a: -3.5 / 3 * 9.81 * math.cos(a), math.pi / 2, -1.0, times,
                                  lambda a: [math.cos(a) / 2, math.sin(a) / 2, a, 0.5 + math.cos(a), math.sin(a), 0.0])
            names = ["crank0", "coupler0"]
        else:  # 197 rods of mass 1 on the two rails of the open square; the angle is that of the rails from upright
            self.rows = one_angle(lambda a: 198 / (197 + 2 / 3) * math.sin(a), 0.1, 0.0, times,
                                  lambda a: [math.sin(a) / 2, math.cos(a) / 2, math.pi / 2 - a,
                                             0.5 + math.sin(a), 49 + math.cos(a), 0.0])
            names = ["rail1_0", "rung50"]
        self.places = {name: [1 + 3 * i, 2 + 3 * i] for i, name in enumerate(names)}
        self.turns = {name: [3 + 3 * i] for i, name in enumerate(names)}
        self.failure, self.method = None, "one angle, integrated apart from holonom"


def references(model, file, folder, length, output):
    """Two solutions by different families, as near to each other as any or to NEAR, how near, and why others failed."""
    runs, failed, pairs = {}, [], []

    def add(name, run):
        for other in runs:
            if {name, other} != {"bdf", "joint_bdf"}:
                far, angle = apart(*((run, runs[other]) if other == "one angle" else (runs[other], run)), length)
                pairs.append((max(far[0], angle), other, name))
        runs[name] = run

    for method, tolerance in (OF_IMPACTS if model in IMPACTS else METHODS).items():
        run = Run(file, f"{folder}/{method}.csv", "--method", method, "--tol", tolerance, "--set", f"simulate.output={output}")
        run.method = f"{method} at {tolerance}"
        if run.failure:
            failed.append(f"{method}: {run.failure}")
        else:
            add(method, run)
        if len(runs) == 1 and model in Angle.MODELS:  # it has few of the bodies, and stands second
            add("one angle", Angle(model, [row[0] for row in run.rows]))
        if pairs and min(pairs)[0] <= NEAR:
            break
    if not pairs:
        sys.exit(f"{model}: fewer than two references ended within {PATIENCE} s; is the machine busy?")
    near, a, b = min(pairs)
    return runs[a], runs[b], near


def store(model, run, other, near):
    """Few bodies at few times."""
    bodies = list(run.places)
    bodies = bodies if len(bodies) <= BODIES else [bodies[0], bodies[len(bodies) // 2], bodies[-1]]
    columns = [(f"{body}.{axis}", i) for body in bodies for axis, i in
               [*zip("xyz", run.places[body]), *zip(("theta",) if len(run.turns.get(body, [])) == 1 else ("qw", "qx", "qy", "qz"),
                                                    run.turns.get(body, []))]]
    rows = run.rows[::max(1, (len(run.rows) - 1) // TIMES)]
    STORED.mkdir(exist_ok=True)
    with open(STORED / f"{model}.csv", "w") as out:
        print(f"# models/{model}.yaml to its end, by {run.method}; {other.method} differs by {near:.1e} length scales or rad at most,\n"
              f"# over all bodies they share and all rows. tests/defaults_test.py --write made it.", file=out)
        print(",".join(["t", *(name for name, _ in columns)]), file=out)
        for row in rows:
            print(",".join(f"{x:.12g}" for x in [row[0], *(row[i] for _, i in columns)]), file=out)


class Stored:
    def __init__(self, model):
        self.places, self.turns, self.rows = read(STORED / f"{model}.csv")


# ---- tests ----------------------------------------------------------------------------------------------------

def fault_of(run, far):
    if run.failure:
        return run.failure
    if "tolerance" not in run.stats["defaults"]:
        return f"the summary does not say what was chosen: {run.stats['defaults']!r}"
    return None if far[0] <= BOUND else f"{far[1]} is off by {far[0]:.1e} length scales at t = {far[2]:.6g} s, {BOUND:g} is promised"


def examine(model, folder, thorough):
    """Row of the table; why the model fails, or None; what is to be stored."""
    file = bare(model, folder)
    length = json.loads(subprocess.run([HOLONOM, "check", file, "--json"], cwd=TOP / "models", capture_output=True).stdout)["length_scale"]
    if not thorough:
        ref = Stored(model)
        bodies = ",".join(f"{body}.{what}" for body in ref.places for what in
                          [*"xyz"[:len(ref.places[body])], *({1: ["theta"], 4: ["qw", "qx", "qy", "qz"]}.get(len(ref.turns.get(body, [])), []))])
        run = Run(file, f"{folder}/default.csv", signals=bodies)
        return None, run.failure or fault_of(run, apart(run, ref, length)[0]), None
    run = Run(file, f"{folder}/default.csv")
    if run.failure:
        return None, run.failure, None
    first, second, near = references(model, file, folder, length, repr(run.rows[1][0]))
    far, angle = apart(run, first, length)
    fault = fault_of(run, far) or (None if near <= AGREE else f"the references differ by {near:.1e}")
    if not fault and (STORED / f"{model}.csv").exists():
        old = apart(first, Stored(model), length)
        fault = None if max(old[0][0], old[1]) < 2 * AGREE else f"tests/reference/defaults is {max(old[0][0], old[1]):.1e} off"
    method = re.match(r"(\w+)", run.stats["defaults"])[1]
    row = (model, method, f"{run.stats['tolerance']:.0e}", run.stats["steps"], len(run.rows), f"{run.stats['time']:g}", f"{length:.3g}",
           f"{far[0]:.1e}", f"{angle:.1e}", f"{first.method}; {second.method}", f"{near:.0e}")
    return row, fault, (first, second, near)


def write_page(rows):
    worst = max(rows, key=lambda row: float(row[7]))
    PAGE.write_text(f"""# What the defaults give

Every model of models/, run by the person who sets nothing: its file with the end of the run alone under `simulate:`. Method, tolerance and
times of results are then those that `holonom run` chooses (`chosen:` in its summary; [theory.md](theory.md), 16.3). `make defaults`
writes this page; `make check` compares three bodies of each model with tests/reference/defaults, `make check-long` all bodies, with
references made anew.

An error is the largest distance of any body frame from the reference, in any row, in parts of the model's length scale; beside it the largest
error of an angle. Promised is {BOUND:g} of a position; the largest is {worst[7]}, of {worst[0]}. Rows between steps are interpolated, which is part of the error.
References are two solutions by methods of different families at small tolerances, 1e-7 where impacts and bristles
make steps short; the first is the one compared with, `apart` says by how much the
two differ. For four_bar and tower, whose singular poses all methods leave to `rk`, the second one integrates the single angle of the
mechanism without holonom.

No model here is chaotic over its run: the references agree to the end.

| model | method | tolerance | steps | rows | end [s] | length scale [m] | position error | angle error [rad] | references | apart |
|---|---|---|---|---|---|---|---|---|---|---|
""" + "".join("| " + " | ".join(str(x) for x in row) + " |\n" for row in rows))


def with_the_others(rows):
    """Rows that stand on the page, those of the same models replaced by the given ones."""
    old = [tuple(line[2:-2].split(" | ")) for line in PAGE.read_text().splitlines() if re.match(r"\| \w+ \| \w+ \| [\de-]+ \|", line)]
    return sorted({row[0]: row for row in [*old, *rows]}.values())


def main():
    options, names = [a for a in sys.argv[1:] if a[0] == "-"], [a for a in sys.argv[1:] if a[0] != "-"]
    write, bad, rows = "--write" in options, False, []
    for model in names or sorted(path.stem for path in TOP.glob("models/*.yaml")):
        with tempfile.TemporaryDirectory() as folder:
            row, fault, found = examine(model, folder, write or "--long" in options)
            if write and found:
                store(model, *found)
                rows.append(row)
        print(f"not ok {model}: {fault}" if fault else f"ok {model}", flush=True)
        bad |= fault is not None
    if write:
        write_page(rows if not names else with_the_others(rows))
    return bad


if __name__ == "__main__":
    sys.exit(main())
