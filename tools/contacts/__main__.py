"""Contacts beside their references (tests/reference/contact): what was asked, what is seen.

    python3 tools/contacts [--program PROGRAM] [--short] [--write FILE] [NAME ...]

Exit 1 if a line fails, or there is none.
--short: tolerances and numbers that take seconds.
"""
import argparse, csv, json, math, pathlib, resource, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "tests/reference/contact"
LIMIT = 1000  # [CPU s]
lines = []


def holds(problem, what, seen, asked):
    fine = seen <= asked
    lines.append(fine)
    print(f"{problem:9} {what:58} {seen:9.2e}  asked {asked:8.1e}  {'' if fine else 'FAILED'}", flush=True)


def run(model, *words, limit=LIMIT, part=""):
    """Columns of the rows by name, and the statistics; with a limit [CPU s] of its own a run may fail: None, and whether it was the limit;
    part: text of part.yaml beside the model."""
    with tempfile.TemporaryDirectory() as folder:
        file, out, stats = (pathlib.Path(folder) / name for name in ("model.yaml", "out.csv", "stats.json"))
        file.write_text(model)
        (pathlib.Path(folder) / "part.yaml").write_text(part)
        done = subprocess.run([chosen.program, "run", str(file), "-q", "--out", str(out), "--stats", str(stats), *map(str, words)], capture_output=True, text=True, timeout=100 * limit,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
        if done.returncode and limit < LIMIT:
            return None, done.returncode < 0
        if done.returncode:
            sys.exit(f"{model}\n{words}\n{done.stdout}{done.stderr}")
        rows = list(csv.reader(line for line in out.read_text().splitlines() if line[:1] != "#"))
        said = json.loads(stats.read_text())
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}, said


def statistic(said, key):
    found = [value for where in (said, *(v for v in said.values() if isinstance(v, dict))) for name, value in where.items() if name == key]
    return found[0]


def table(name):
    rows = list(csv.reader(line for line in (REFERENCE / name).read_text().splitlines() if line[:1] != "#"))
    return {word: [float(row[k]) for row in rows[1:]] for k, word in enumerate(rows[0])}


def worst(found, column, want, word, sign=1):
    at = {round(t, 9): k for k, t in enumerate(found["t"])}
    return max(abs(found[column][at[round(t, 9)]] - sign * value) for t, value in zip(want["t"], want[word]))


def account(problem, what, said, tolerance, energy):
    holds(problem, what + ": drift of the energy", abs(statistic(said, "energy_drift_max")), 100 * tolerance * energy)


FLOOR = "ground: {shape: {type: half%s, name: floor}}\n"
PLANE, SPACE = FLOOR % "plane", FLOOR % "space"


def impact():
    """Problem 1 and A2: a ball that meets a wall, without gravity."""
    want = {}
    with open(REFERENCE / "closed_forms.csv") as file:
        for row in csv.reader(line for line in file if line.startswith("impact")):
            want[row[0][7], row[1]] = float(row[2])

    def one(m, K, n, loss, v, tolerance=1e-11):
        gap, length = 0.01 * v, 0.3
        model = (f"dimension: 2\nlength_scale: {0.01 * v}\ntime_scale: 0.01\n" + PLANE +
                 f"bodies:\n  - {{name: b, mass: {m}, inertia: 1, position: [0, {0.2 + gap}], velocity: [0, {-v}], shape: {{type: sphere, radius: 0.2}}}}\n"
                 f"contacts:\n  - {{name: c, between: [b, ground], law: power, exponent: {n}, stiffness: {K}, slowest: 1e-6, {loss}}}\n"
                 f"simulate: {{end: {length}, method: rk, tolerance: {tolerance}, output: {length}}}\n")
        found, said = run(model)
        back = found["b.vy"][-1]
        time = found["t"][-1] - (found["b.y"][-1] - 0.2) / back - gap / v
        return back / v, statistic(said, "contact_depth"), time, statistic(said, "contact_damping")
    cases = {"A": (0.5, 1e6, 1.5, 0, 2), "B": (0.5, 1e6, 1.5, 0.1, 2), "C": (0.5, 1e6, 1.5, 1.5, 2), "D": (0.5, 1e5, 2.2, 0.3, 1)}
    for case, (m, K, n, c, v) in cases.items():
        e, depth, time, lost = one(m, K, n, f"damping: {c}", v)
        holds(f"impact {case}", "restitution", abs(e - want[case, "restitution"]), 1e-9)
        holds(f"impact {case}", "largest depth, relative", abs(depth / want[case, "largest compression"] - 1), 1e-9)
        holds(f"impact {case}", "duration, relative", abs(time / want[case, "contact time"] - 1), 1e-9)
        holds(f"impact {case}", "lost, by the speeds", abs(0.5 * m * v * v * (1 - e * e) - want[case, "dissipated"]), 1e-9)
        holds(f"impact {case}", "lost in damping, as summed", abs(lost - want[case, "dissipated"]), 1e-8)
    for v in (0.01, 1, 10) if chosen.short else (0.01, 0.1, 1, 10):
        for e in (0.1, 0.5, 0.9) if chosen.short else (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.99):
            holds("impact", f"restitution {e} asked at {v} m/s", abs(one(0.5, 1e6, 1.5, f"restitution: {e}", v)[0] - e), 1e-6)


def _ball_model():
    return ("dimension: 3\ngravity: [0, 0, -9.81]\n" + SPACE +
             "bodies:\n  - {name: ball, mass: 0.5, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 1.05], shape: {type: sphere, radius: 0.05}}\n"
             "contacts:\n  - {name: floor, between: [ball, ground.floor], stiffness: 1e6, damping: 0.1}\nsimulate: {end: 3, output: 0.25}\n")


def ball():
    """Problem 2: a bouncing ball, 3 s."""
    want, model = table("ball.csv"), _ball_model()
    for method, factor in (("rk", 10), ("bdf", 100), ("adams", 100)):
        for tolerance in (1e-4, 1e-6, 1e-8) if chosen.short else (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10):
            found, said = run(model, "--method", method, "--tol", tolerance)
            holds("ball", f"height, {method}, tolerance {tolerance}", worst(found, "ball.z", want, "z"), factor * tolerance)
            holds("ball", f"lost in damping, {method}, tolerance {tolerance}", abs(statistic(said, "contact_damping") - want["dissipated"][-1]), factor * tolerance * 5.15)
            account("ball", f"{method}, {tolerance}", said, tolerance, 5.15)
    for method in ("joint_bdf", "rn4"):
        for tolerance in (1e-4, 1e-7):
            holds("ball", f"height, {method}, tolerance {tolerance}", worst(run(model, "--method", method, "--tol", tolerance)[0], "ball.z", want, "z"), 10 * tolerance)
    for method in ("hht", "genalpha", "tangent"):  # of order 2: errors are in proportion to the tolerance
        error = [worst(run(model, "--method", method, "--tol", tolerance)[0], "ball.z", want, "z") for tolerance in (1e-3, 1e-4)]
        holds("ball", f"height, {method}, tolerance 1e-4", error[1], 1e-3)
        holds("ball", f"power of the tolerance that errors go by less 1, {method}", abs(math.log10(error[0] / error[1]) - 1), 0.15)


def _cradle_model(n, loss):
    R, gap = 0.05, 1e-4
    balls = "".join(f"  - {{name: b{i}, mass: 1, inertia: 1, position: [{2 * R * i - (gap if i == 0 else 0)!r}, 0], velocity: [{int(i == 0)}, 0], shape: {{type: sphere, radius: {R}}}}}\n" for i in range(n))
    return (f"dimension: 2\nlength_scale: 1e-3\ntime_scale: 1e-3\nbodies:\n{balls}contacts:\n  - {{name: c, between: [{', '.join(f'b{i}' for i in range(n))}], stiffness: 1e9, {loss}}}\n"
            "simulate: {end: 0.0101, output: 0.0101}\n")


def _cradle(name, n, loss, *words):
    want = table(name)
    found, said = run(_cradle_model(n, loss), *words)
    speed = [found[f"b{i}.vx"][-1] for i in range(n)]
    return max(abs(speed[i] - want[f"v{i + 1}"][0]) for i in range(n)), abs(sum(speed) - 1), said


def cradle():
    """Problem 3: Newton's cradle."""
    for name, n, loss in (("cradle3.csv", 3, "damping: 0"), ("cradle5.csv", 5, "damping: 0"), ("cradle5_d.csv", 5, "damping: 0.05"), ("cradle10.csv", 10, "damping: 0")):
        for tolerance in (1e-6, 1e-9) if chosen.short else (1e-4, 1e-6, 1e-8, 1e-10):
            error, momentum, said = _cradle(name, n, loss, "--method", "rk", "--tol", tolerance)
            holds("cradle", f"velocities, {name[:-4]}, tolerance {tolerance}", error, 10 * tolerance)
            holds("cradle", f"momentum, {name[:-4]}", momentum, 1e-13)


def _break_model():
    R, n, m, J = 0.02875, 16, 0.17, 0.17 * 0.02875 ** 2 / 2
    places = [(-4 * R, 0.001)] + [(row * math.sqrt(3) * R, (2 * i - row) * R) for row in range(5) for i in range(row + 1)]
    discs = "".join(f"  - {{name: b{i}, mass: {m}, inertia: {J!r}, position: [{x!r}, {y!r}], velocity: [{7 if i == 0 else 0}, 0], shape: {{type: cylinder, radius: {R}}}}}\n" for i, (x, y) in enumerate(places))
    return (f"dimension: 2\nlength_scale: 0.01\ntime_scale: 1e-3\nbodies:\n{discs}contacts:\n  - {{name: c, between: [{', '.join(f'b{i}' for i in range(n))}], stiffness: 5e8, damping: 0.05,\n"
             "     friction: {coefficient: 0.06, law: tanh, transition: 0.01}}\nsimulate: {end: 0.05, output: 0.005}\n")


def _break_error(found, want):
    return max(worst(found, f"b{i}.{c}", want, f"v{c[1]}{i}") for i in range(16) for c in ("vx", "vy"))


def break_():
    """Problem 4: 16 discs in the plane."""
    want, model, R, n, m, J = table("break.csv"), _break_model(), 0.02875, 16, 0.17, 0.17 * 0.02875 ** 2 / 2
    for tolerance in (1e-7,) if chosen.short else (1e-5, 1e-7, 1e-9):
        found, said = run(model, "--method", "rk", "--tol", tolerance)
        holds("break", f"velocities, tolerance {tolerance}", _break_error(found, want), 10 * 7 * tolerance)
        px, py = (sum(m * found[f"b{i}.v{c}"][-1] for i in range(n)) for c in "xy")
        turn = sum(m * (found[f"b{i}.x"][-1] * found[f"b{i}.vy"][-1] - found[f"b{i}.y"][-1] * found[f"b{i}.vx"][-1]) + J * found[f"b{i}.omega"][-1] for i in range(n))
        holds("break", "momentum", max(abs(px - 7 * m), abs(py)), 1e-13)
        holds("break", "angular momentum", abs(turn + 7 * m * 0.001), max(1e-13, 1e-5 * tolerance))  # rk keeps what is linear
        account("break", f"rk, {tolerance}", said, tolerance, 4.2)


def _incline_model():
    return ('dimension: 2\ngravity: ["9.81*sin(10 deg)", "-9.81*cos(10 deg)"]\n' + PLANE +
             "bodies:\n  - {name: disc, mass: 1, inertia: 0.005, position: [0, 0.09990227320766922], velocity: [2, 0], shape: {type: cylinder, radius: 0.1}}\n"
             "contacts:\n  - {name: floor, between: [disc, ground.floor], stiffness: 1e7, damping: 0.2, friction: {coefficient: 0.2, law: tanh, transition: 1e-3}}\n"
            "simulate: {end: 2, output: 0.1}\n")


def incline():
    """Problem 5: from slip to roll."""
    want, model = table("incline.csv"), _incline_model()
    for method, factor in (("rk", 10), ("bdf", 100), ("adams", 100)):
        for tolerance in (1e-4, 1e-8) if chosen.short else (1e-4, 1e-6, 1e-8, 1e-10):
            found, said = run(model, "--method", method, "--tol", tolerance)
            holds("incline", f"place along the plane, {method}, tolerance {tolerance}", worst(found, "disc.x", want, "x"), factor * tolerance)
            holds("incline", f"lost in friction, {method}, tolerance {tolerance}", abs(statistic(said, "contact_friction") - want["W_friction"][-1]), 300 * tolerance)
            account("incline", f"{method}, {tolerance}", said, tolerance, 2)


def _block_model():
    theta = math.atan(0.35)
    N = 9.81 * math.cos(theta)
    depth = (N / 1e7) ** (2 / 3)
    return (f"dimension: 2\ngravity: [{9.81 * math.sin(theta)!r}, {-N!r}]\n" + PLANE +
             f"bodies:\n  - {{name: block, mass: 1, inertia: 1, position: [0, {0.1 - depth!r}], velocity: [1, 0], shape: {{type: sphere, radius: 0.1}}}}\n"
             "joints:\n  - {name: guide, type: orientation, between: [ground, block]}\n"
             "contacts:\n  - {name: floor, between: [block, ground.floor], stiffness: 1e7, damping: 0.5, joined: yes, friction: {coefficient: 0.5, stiffness: 1e5, damping: 400}}\n"
            "simulate: {end: 5, output: 0.05}\n")


def block():
    """Problem 6: a block on a slope that comes to rest, and stays."""
    want, model = table("bristle.csv"), _block_model()
    for method, tolerance in (("rk", 1e-9), ("bdf", 1e-7)):
        found, said = run(model, "--method", method, "--tol", tolerance)
        holds("block", f"place, {method}, tolerance {tolerance}", worst(found, "block.x", want, "x"), 10 * tolerance if method == "rk" else 100 * tolerance)
        holds("block", f"creep from 2 s to 5 s, {method}", abs(found["block.x"][-1] - found["block.x"][40]), 1e-12)
        holds("block", f"stretch of the bristle, {method}", abs(found["floor.bristle"][-1] - 3.240737666582720766e-5), 1e-12)
        account("block", f"{method}, {tolerance}", said, tolerance, 2)
    found, said = run(model, "--method", "bdf", "--tol", 1e-6, "--end", 100)
    holds("block", "creep from 2 s to 100 s, bdf, tolerance 1e-6", abs(found["block.x"][-1] - found["block.x"][40]), 1e-12)


def tippe():
    """Problem 7: a top that turns over, and Jellett's integral where friction acts on its surface."""
    g, K, m, R, e = 9.81, 1e6, 0.006, 0.015, 0.003
    depth, tilt = (m * g / K) ** (2 / 3), 0.1
    for name, point in (("tippe.csv", "middle"), ("tippe_first.csv", "first")):
        want = table(name)
        height = R - depth - e * math.cos(tilt)
        model = (f"dimension: 3\ngravity: [0, 0, {-g}]\n" + SPACE +
                 f"bodies:\n  - {{name: top, mass: {m}, inertia: [5.2e-7, 5.2e-7, 5.4e-7], position: [0, 0, {height!r}], orientation: {{axis: [1, 0, 0], angle: {tilt}}}, omega: [0, {-150 * math.sin(tilt)!r}, {150 * math.cos(tilt)!r}], shape: {{type: sphere, radius: {R}, position: [0, 0, {e}]}}}}\n"
                 f"contacts:\n  - {{name: floor, between: [top, ground.floor], stiffness: {K}, damping: 5, point: {point}, friction: {{coefficient: 0.3, law: tanh, transition: 0.01}}}}\n"
                 "simulate: {end: 3, output: 0.25, method: rk}\n")
        for tolerance in (1e-9,) if chosen.short else (1e-7, 1e-9, 1e-11):
            found, said = run(model, "--tol", tolerance)
            holds("tippe", f"centre of mass, point {point}, tolerance {tolerance}", max(worst(found, f"top.{c}", want, c) for c in "xyz"), 10 * tolerance)
            holds("tippe", f"lost in friction, point {point}", abs(statistic(said, "contact_friction") - want["W_friction"][-1]), 1e-2 * tolerance ** 0.5)
            account("tippe", f"{point}, {tolerance}", said, tolerance, 6e-3)
            if point == "first":
                holds("tippe", f"Jellett's integral, tolerance {tolerance}", _jellett(found, R, e), 10 * tolerance)


def _jellett(found, R, e):
    """Largest change of R L_z - e L_axis against its start, relative."""
    values = []
    for k in range(len(found["t"])):
        w, a, b, c = (found[f"top.q{i}"][k] for i in "wxyz")
        A = [[w*w+a*a-b*b-c*c, 2*(a*b-w*c), 2*(a*c+w*b)], [2*(a*b+w*c), w*w-a*a+b*b-c*c, 2*(b*c-w*a)], [2*(a*c-w*b), 2*(b*c+w*a), w*w-a*a-b*b+c*c]]
        om = [found[f"top.w{i}"][k] for i in "xyz"]
        body = [sum(A[i][j] * om[i] for i in range(3)) for j in range(3)]
        L = [5.2e-7 * body[0], 5.2e-7 * body[1], 5.4e-7 * body[2]]
        values.append(R * sum(A[2][j] * L[j] for j in range(3)) - e * L[2])
    return max(abs(v / values[0] - 1) for v in values)


def _cradle_error(found, want):
    return max(abs(found[f"b{i}.vx"][-1] - want[f"v{i + 1}"][0]) for i in range(5))


# What the tables of --write have: text, model, reference, error; natural size that the tolerance is a part of
TABLES = (
    ("2, ball, six bounces in 3 s: height [m]", _ball_model(), "ball.csv", lambda f, w: worst(f, "ball.z", w, "z"), 1),
    ("3, cradle of five: velocities [m/s]", _cradle_model(5, "damping: 0"), "cradle5.csv", _cradle_error, 1),
    ("4, break of 16 discs: velocities over 7 m/s", _break_model(), "break.csv", _break_error, 7),
    ("5, disc that slides and rolls: way [m]", _incline_model(), "incline.csv", lambda f, w: worst(f, "disc.x", w, "x"), 1),
    ("6, block that comes to rest: way [m]", _block_model(), "bristle.csv", lambda f, w: worst(f, "block.x", w, "x"), 1))
METHODS = ("rk", "bdf", "adams", "joint_bdf", "rn4", "ros2w", "hht", "genalpha", "tangent")
TOLERANCES = [10 ** -k for k in range(4, 11)]


def others():
    """A3: problems 3 to 6 by bdf and adams, and the cradle, whose balls touch, by methods of order 2."""
    for method in ("hht", "genalpha", "tangent"):
        found, said = run(_cradle_model(5, "damping: 0"), "--method", method, "--tol", 1e-4)
        holds("others", f"problem 3, {method}, tolerance 1e-4", _cradle_error(found, table("cradle5.csv")), 1e-3)
    for what, model, name, error, size in TABLES[1:]:
        for method in ("bdf", "adams"):
            for tolerance in (1e-6,) if chosen.short else (1e-4, 1e-6, 1e-8):
                found, said = run(model, "--method", method, "--tol", tolerance)
                holds("others", f"problem {what.split(',')[0]}, {method}, tolerance {tolerance}", error(found, table(name)), 100 * tolerance * size)


def write(path):
    """Errors over tolerances and steps of every method behind the marker of a file."""
    text = []
    for what, model, name, error, size in TABLES:
        want = table(name)
        text += ["", f"Problem {what}", "", "| method | " + " | ".join(f"{T:.0e}" for T in TOLERANCES) + " |", "|---" * (len(TOLERANCES) + 1) + "|"]
        for method in METHODS:
            cells = []
            for T in TOLERANCES:
                if cells and cells[-1] in ("slow", ""):
                    cells.append("")
                    continue
                found, said = run(model, "--method", method, "--tol", T, limit=8)
                cells.append(f"{error(found, want) / (T * size):.2g}, {statistic(said, 'steps')}" if found else "slow" if said else "stops")
            text.append(f"| {method} | " + " | ".join(cells) + " |")
            print(text[-1], flush=True)
    before = path.read_text().split(MARKER)[0]
    path.write_text(before + MARKER + "\n" + "\n".join(text) + "\n")


def shipped(name):
    return (ROOT / "models" / f"{name}.yaml").read_text()


def _cam(K):
    """When the follower leaves and lands, by the classical Runge-Kutta formula in steps of 1 us, the passages by bisection."""
    r, R, w, m, k, p, c, g = 0.02, 0.04, 150.0, 0.4, 2000.0, 60.0, 0.2, 9.81
    cam = lambda t: R + r * math.sin(w * t - math.pi / 2)
    rate = lambda t: r * w * math.cos(w * t - math.pi / 2)

    def pull(t, y, v):
        d, into = cam(t) - y, rate(t) - v
        return -g - (p + k * (y - R)) / m + (K * d ** 1.5 * max(1 + c * into, 0) / m if d > 0 else 0)

    def step(t, y, v, h):
        a1 = pull(t, y, v)
        v2, a2 = v + h / 2 * a1, pull(t + h / 2, y + h / 2 * v, v + h / 2 * a1)
        v3, a3 = v + h / 2 * a2, pull(t + h / 2, y + h / 2 * v2, v + h / 2 * a2)
        v4, a4 = v + h * a3, pull(t + h, y + h * v3, v + h * a3)
        return y + h / 6 * (v + 2 * v2 + 2 * v3 + v4), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    t, h, found = 0.0, 1e-6, []
    y, v = R - r - ((m * (r * w * w + g) - k * r + p) / K) ** (2 / 3), 0.0
    while len(found) < 2:
        after = step(t, y, v, h)
        sign = -1 if found else 1
        if sign * (after[0] - cam(t + h)) > 0 and sign * (y - cam(t)) <= 0:
            lo, hi = 0.0, h
            for _ in range(50):
                middle = (lo + hi) / 2
                lo, hi = (lo, middle) if sign * (step(t, y, v, middle)[0] - cam(t + middle)) > 0 else (middle, hi)
            found.append((t + hi, step(t, y, v, hi)[1] - rate(t + hi)))
        t, (y, v) = t + h, after
    return found[0][0], found[1][0], -found[1][1]


def cam():
    """Problem 8: a follower that its cam throws off: the same with compliance by another integration, and the limit without."""
    model, w = shipped("cam_lift_off"), 150
    run_to = lambda model, K: run(model, "--set", f"parameters.K={K}", "--tol", 1e-9, "--method", "rk", "--end", 0.05)[0]
    of = lambda found: (found["t_left"][-1], found["t_landed"][-1], found["v_landed"][-1])
    left, landed, speed = _cam(1e9)
    found = of(run_to(model, 1e9))
    holds("cam", "leaves, against another integration", abs(found[0] - left), 1e-8)
    holds("cam", "lands, against another integration", abs(found[1] - landed), 1e-8)
    holds("cam", "speed of landing, against another integration", abs(found[2] - speed), 1e-5)
    table_of = ", ".join(repr(0.02 * math.cos(a) + math.sqrt(0.04 ** 2 - (0.02 * math.sin(a)) ** 2)) for a in (math.radians(5 * i) for i in range(-3, 76)))
    curve = model.replace("{type: cylinder, radius: R, position: [r, 0]}", "{type: curve, curve: disc, polar: yes}").replace("bodies:", f"splines: [{{name: disc, kind: cubic, x: [{', '.join(f'{5 * i} deg' for i in range(-3, 76))}], y: [{table_of}]}}]\nbodies:", 1)
    of_curve = of(run_to(curve, 1e9))
    holds("cam", "lands, the disc as a curve of 73 points", abs(of_curve[1] - landed), 1e-6)
    soft, stiff = of(run_to(model, 1e10)), of(run_to(model, 1e11))
    angle = [w * t - math.pi / 2 - 0.474169801303709 for t in (soft[0], stiff[0])]
    holds("cam", "leaves later than without compliance by K^(-2/7): exponent", abs(math.log10(angle[0] / angle[1]) - 2 / 7), 1e-2)
    holds("cam", "angle at which it leaves, in the limit of K", abs(angle[1] - (angle[0] - angle[1]) / (10 ** (2 / 7) - 1)), 5e-4)
    air = [t[1] - t[0] - 0.0295657550242971 for t in (soft, stiff)]
    holds("cam", "time in the air, K 1e11", abs(air[1]), 1e-4)
    holds("cam", "speed of landing, K 1e11", abs(stiff[2] / 4.43385574680075 - 1), 2e-3)


def geneva():
    """Problem 9: the wheel follows the pin as its geometry says, on both sides."""
    a, start, speed = 0.1, math.radians(-50), 2
    angle = lambda b: math.atan2(a * math.sin(b), a * math.sqrt(2) - a * math.cos(b))
    rate = lambda b: (math.sqrt(2) * math.cos(b) - 1) / (3 - 2 * math.sqrt(2) * math.cos(b))
    errors = []
    for K in ("1e8", "1e9"):
        found, said = run(shipped("geneva_drive"), "--set", f"parameters.K={K}", "--tol", 1e-7, "--end", 0.9)
        seen = [(start + speed * t, o, w) for t, o, w in zip(found["t"], found["wheel.theta"], found["wheel.omega"]) if abs(start + speed * t) < math.radians(40)]
        errors.append((max(abs(-math.pi / 4 - angle(b) - o) for b, o, _ in seen), max(abs(-rate(b) - w / speed) for b, _, w in seen)))
    holds("geneva", "angle of the wheel while the pin is in a slot, K 1e9", errors[1][0], 5e-5)
    holds("geneva", "its speed, relative to that of the crank, K 1e9", errors[1][1], 2e-3)
    holds("geneva", "both fall with K^(-2/3): exponent of the angle", abs(math.log10(errors[0][0] / errors[1][0]) - 2 / 3), 5e-2)
    found, said = run(shipped("geneva_drive"))
    rest = [abs(o + math.pi / 2) for t, o in zip(found["t"], found["wheel.theta"]) if math.radians(60) < start + speed * t < math.radians(290)]
    holds("geneva", "it rests at a quarter of a turn", max(rest), 5e-3)


def _precession(R, tilt, tube):
    """Of a disc whose centre rests and that rolls on its rim, the middle of a tube."""
    s = tube / (R + tube * math.sin(tilt))
    return math.sqrt(9.81 * R / (math.sin(tilt) * (R * R / 4 - R * R / 2 * math.sin(tilt) * s)))


def _disc(R, tilt, tube, K, times, more, end):
    spin, reach = _precession(R, tilt, tube) * times, R + tube * math.sin(tilt)
    omega = [spin * math.sin(tilt) / reach * x for x in (0, R * math.cos(tilt), R * math.sin(tilt) + tube)]
    height = R * math.sin(tilt) + tube - (9.81 / K) ** (2 / 3)
    return ("dimension: 3\ngravity: [0, 0, -9.81]\n" + SPACE +
            f"bodies:\n  - {{name: disc, mass: 1, inertia: [{R * R / 4!r}, {R * R / 4!r}, {R * R / 2!r}], position: [0, 0, {height!r}], orientation: {{axis: [1, 0, 0], angle: {tilt}}}, omega: {omega!r}, shape: {{type: torus, radius: {R}, tube: {tube!r}}}}}\n"
            f"contacts:\n  - {{name: k, between: [disc, ground], stiffness: {K}, {more}}}\nsimulate: {{end: {end}, output: {end / 4}, method: rk}}\n")


def disc():
    """Problem 10: a disc that rolls on its rim about a centre that rests, and one that comes down."""
    slides = "friction: {coefficient: 0.5, law: tanh, transition: 1e-3}"
    for R, tilt in ((0.0375, 0.2), (0.1, 0.05)):
        want = 2 * math.sqrt(9.81 / (R * math.sin(tilt)))
        holds("disc", f"precession without a tube, R {R}", abs(_precession(R, tilt, 0) / want - 1), 1e-14)
        tube, end = 1e-3 * R, 0.1
        found, said = run(_disc(R, tilt, tube, 1e9, 1, "damping: 1, " + slides, end), "--tol", 1e-8)
        w, x, y, z = (found[f"disc.q{i}"][-1] for i in "wxyz")
        turned = math.atan2(2 * (x * z + w * y), -2 * (y * z - w * x))
        holds("disc", f"precession, angle after {end} s, R {R}", abs(math.remainder(turned - _precession(R, tilt, tube) * end, 2 * math.pi)), 1e-4)
        holds("disc", f"its centre rests, R {R}", math.hypot(found["disc.x"][-1], found["disc.y"][-1]), 1e-6)
    found, said = run(_disc(0.0375, 0.2, 1e-3, 1e6, 0.8, "restitution: 0.5, " + slides, 0.5), "--tol", 1e-6)
    account("disc", "one that comes down, rk", said, 1e-6, 0.5)


def box():
    """Problem 13: a box dropped flat, a stack, and a box that is pushed at its top."""
    found, said = run("dimension: 3\ngravity: [0, 0, -9.81]\n" + SPACE +
                      "bodies: [{name: b, mass: 2, inertia: [0.02, 0.03, 0.04], position: [0, 0, 0.2], shape: {type: box, size: [0.4, 0.3, 0.2]}}]\n"
                      "contacts: [{name: k, between: [b, ground], exponent: 1.5, stiffness: 1e6, restitution: 0.5, friction: {coefficient: 0.5}}]\n"
                      "simulate: {end: 1.5, output: 0.05, method: rk}\n", "--tol", 1e-6)
    holds("box", "turns, dropped flat", max(abs(v) for i in "xyz" for v in found[f"b.q{i}"]), 1e-12)
    holds("box", "depth at rest", abs(found["b.z"][-1] - 0.1 + (2 * 9.81 / 4 / 1e6) ** (2 / 3)), 1e-9)
    n, h, K, bodies, y = 10, 0.1, 1e7, "", 0
    for i in range(n):
        y += (h if i else h / 2) - ((n - i) * 9.81 / (4 if i else 2) / K) ** (2 / 3)
        bodies += f"  - {{name: b{i}, mass: 1, inertia: 0.005, position: [0, {y!r}], shape: {{type: box, size: [0.2, {h}]}}}}\n"
    law = f"exponent: 1.5, stiffness: {K}, restitution: 0.5, friction: {{coefficient: 0.5}}}}\n"
    pairs = "".join(f"  - {{name: c{i}, between: [{'ground' if i == 0 else f'b{i - 1}'}, b{i}], {law}" for i in range(n))
    found, said = run("dimension: 2\ngravity: [0, -9.81]\n" + PLANE + f"bodies:\n{bodies}contacts:\n{pairs}simulate: {{end: 60, output: 60, method: bdf}}\n", "--tol", 1e-6)
    holds("box", "creep of a stack of 10 in 60 s", max(abs(found[f"b{i}.{c}"][-1] - found[f"b{i}.{c}"][0]) for i in range(n) for c in ("x", "y", "theta")), 1e-9)
    w, h = 0.2, 0.5
    for ratio in (0.99, 1.01):
        found, said = run("dimension: 2\ngravity: [0, -9.81]\n" + PLANE +
                          f"bodies: [{{name: b, mass: 2, inertia: 0.05, position: [0, {h / 2 - (9.81 / 1e7) ** (2 / 3)!r}], shape: {{type: box, size: [{w}, {h}]}}, markers: {{top: [0, {h / 2}]}}}}]\n"
                          f"contacts: [{{name: k, between: [b, ground], exponent: 1.5, stiffness: 1e7, restitution: 0.5, friction: {{coefficient: {w / (2 * h) * ratio!r}}}}}]\n"
                          f"forces: [{{name: push, type: force, on: b.top, value: ['{2 * 9.81 * w / (2 * h)!r}*(0.9 + 0.105*min(time, 1))', 0]}}]\n"
                          "simulate: {end: 2, output: 0.1, method: bdf}\n", "--tol", 1e-6)
        slid = found["b.x"][-1] + h / 2 * math.sin(found["b.theta"][-1])
        if ratio < 1:
            holds("box", "pushed at the top below the limit: turns", abs(found["b.theta"][-1]), 2e-3)
            holds("box", "and slides: 0.01 m less what it has slid", 0.01 - slid, 0)
        else:
            holds("box", "pushed at the top above the limit: slides", abs(slid), 5e-3)
            holds("box", "and tips: 0.1 rad and the angle", 0.1 + found["b.theta"][-1], 0)


def walker():
    """Problem 15: models/walker.yaml on the ground, with feet and without the joint that held its trunk."""
    model = shipped("walker").replace("  - {name: slide, type: translational, between: [ground, trunk]}\n", "")
    model = model.replace("    markers: {end: [1.52*r, 0], foot: [-2.06*r, -(1 - 2*side)*1.34*r]}\n",
                          "    markers: {end: [1.52*r, 0]}\n    shape: {type: sphere, radius: 0.01, position: [-2.06*r, -(1 - 2*side)*1.34*r]}\n")
    model = model.replace("bodies:\n", "ground: {shape: {type: halfplane, position: [0, -0.452]}}\nbodies:\n", 1)
    bars = 3 + 0.5 + 24 * 0.1
    feet, turn = [f"feet.{i + 1}" for i in range(6)], math.pi  # of the crank, at 2 rad/s [s]
    model = model[:model.index("simulate:")] + (
        "contacts:\n  - {name: feet, between: ['leg*', ground], stiffness: 1e6, restitution: 0.2, friction: {coefficient: 0.8, law: tanh, transition: 1e-3}}\n"
        f"states:\n  - {{name: pressed, rate: ({' + '.join(f'FN({f})' for f in feet)})/(1 N)}}\n  - {{name: slid, rate: ({' + '.join(f'VT({f})*FN({f})' for f in feet)})/({bars * 9.81} N)/(1 m/s)}}\n"
        f"simulate: {{end: {3 * turn!r}, output: {turn / 6!r}, method: rk, tolerance: 1e-5}}\n")
    found, said = run(model)
    at = {round(6 * t / turn): k for k, t in enumerate(found["t"])}
    mean = lambda name, a, b: (found[name][at[b]] - found[name][at[a]]) / turn
    holds("walker", "mean of what its feet press over a turn, relative", abs(mean("pressed", 12, 18) / (bars * 9.81) - 1), 1e-3)
    holds("walker", "step that begins anew: length, relative", abs((found["trunk.x"][at[18]] - found["trunk.x"][at[12]]) / (found["trunk.x"][at[12]] - found["trunk.x"][at[6]]) - 1), 2e-2)
    account("walker", "rk, 1e-5", said, 1e-5, 30)
    moved = abs(found["trunk.x"][at[18]] - found["trunk.x"][at[12]])
    holds("walker", "slides under load, of the way", turn * mean("slid", 12, 18) / moved, 0.2)


MARKER = "<!-- results -->"
def mirror():
    """A ball that falls on each shape of the plane, and their mirror image."""
    shapes = {"polygon": "{type: polygon, points: [[-0.5, 0], [-0.5, -1], [0.5, -1], [0.5, 0.4]]}",
              "arc": "{type: arc, radius: 0.6, start: 200 deg, end: 350 deg, position: [0.1, 0.5]}",
              "open curve": "{type: curve, curve: c, position: [0.1, 0], angle: 0.1}",
              "closed curve": "{type: curve, curve: r, polar: yes, position: [0.07, -0.4], angle: 0.5}",
              "segment": "{type: segment, from: [-1, -0.3], to: [1, 0.2], position: [0, 0.1]}",
              "box": "{type: box, size: [1, 0.2], angle: 0.3}",
              "capsule": "{type: capsule, radius: 0.1, from: [-1, -0.3], to: [1, 0.2]}"}
    for name, shape in shapes.items():
        part = ("dimension: 2\nsplines: [{name: c, kind: cubic, x: [-1, -0.5, 0, 0.5, 1], y: [0.2, 0.1, 0, 0.12, 0.35]}, "
                "{name: r, kind: cubic, x: [-2, -1, 0, 1, 2, 3, 4, 5, 2*pi, 7.2, 8.2], y: [0.37, 0.42, 0.45, 0.42, 0.37, 0.35, 0.36, 0.41, 0.45, 0.42, 0.37]}]\n"
                f"bodies:\n  - {{name: p, mass: 1, inertia: 1, shape: {shape}}}\n"
                "  - {name: b, mass: 1, inertia: 0.004, position: [0.05, 0.6], velocity: [0.3, 0], shape: {type: sphere, radius: 0.1}}\n"
                "joints: [{name: f, type: fixed, between: [ground, p]}]\n"
                "contacts: [{name: k, between: [b, p], stiffness: 1e5, restitution: 0.6, friction: {coefficient: 0.3, transition: 0.01}}]\n")
        found, said = run("dimension: 2\ngravity: [0, -9.81]\ninclude: [{file: part.yaml, as: u}, {file: part.yaml, as: v, at: [10, 0], mirror: x}]\n"
                          "bodies: [{name: z, mass: 1, inertia: 1}]\njoints: [{name: zz, type: fixed, between: [ground, z]}]\n"
                          "simulate: {end: 0.6, output: 0.6, method: rk, tolerance: 1e-8}\n", part=part)
        of = lambda column: found[column][-1]
        holds("mirror", f"image of a ball on a {name}", max(abs(of("u.b.x") + of("v.b.x") - 10), abs(of("u.b.y") - of("v.b.y")), abs(of("u.b.omega") + of("v.b.omega"))), 1e-10)
        holds("mirror", f"it has met the {name}: 1 / speed with which it turns", abs(0.5 / of("u.b.omega")), 1)


PROBLEMS = (impact, ball, cradle, break_, incline, block, others, tippe, cam, geneva, disc, box, walker, mirror)
names = [problem.__name__.strip("_") for problem in PROBLEMS]
parser = argparse.ArgumentParser(description="Compares contacts with their references.")
parser.add_argument("--program", default=str(ROOT / "build/bin/holonom"), help="default: build/bin/holonom")
parser.add_argument("--short", action="store_true", help="without what takes longer")
parser.add_argument("name", nargs="*", metavar="NAME", help=f"default: all of {', '.join(names)}")
parser.add_argument("--write", type=pathlib.Path, metavar="FILE", help="replaces the tables of docs/contacts.md instead, which takes minutes")
chosen = parser.parse_args()
if chosen.write:
    sys.exit(write(chosen.write))
if unknown := set(chosen.name) - set(names):
    parser.error(f"there is no problem {', '.join(sorted(unknown))}; there are: {', '.join(names)}")
for name, problem in zip(names, PROBLEMS):
    if name in chosen.name or not chosen.name:
        problem()
print(f"{sum(lines)} of {len(lines)} lines hold")
sys.exit(not lines or not all(lines))
