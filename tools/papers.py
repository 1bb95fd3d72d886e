#!/usr/bin/env python3
"""Published results and reference solutions beside what the program gives. Exit 1 if one of them is out of its bounds.

    tools/papers.py [PROGRAM]        PROGRAM: default build/bin/holonom

Paper 004: Gavrea, Negrut, Potra, The Newmark integration method for simulation of multibody systems, IMECE 2005.
Paper 002: Negrut, Sandu, Haug, Potra, Sandu, A Rosenbrock-Nystrom state space implicit approach for the dynamic analysis of
           mechanical systems, 2003.
Paper 000: Yen, Petzold, An efficient Newton-type iteration for the numerical solution of highly oscillatory constrained
           multibody dynamic systems, SIAM J. Sci. Comput. 19, 1998. Its tables are lost in the text at hand: the rows here
           are of the same kind, with data that are complete.
References: tests/reference/*.csv; their first lines say how they were computed.
"""
import csv, json, math, os, pathlib, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

TOP = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else TOP / "build/bin/holonom"
G = 9.81
pool = ThreadPoolExecutor(os.cpu_count())
failures = []


# ---- running the program, reading tables ----------------------------------------------------------------------


def read_csv(path):
    """Rows as {column: number}."""
    with open(path) as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(l for l in file if l[0] != "#")]


def reference(name):
    return read_csv(TOP / f"tests/reference/{name}.csv")


def run_now(model, method, step, end, output, signals, settings):
    """Rows of results and the statistics. step: a size, or None when the settings hold a tolerance."""
    with tempfile.TemporaryDirectory() as scratch:
        out = f"{scratch}/out.csv"
        command = [PROGRAM, "run", TOP / f"models/{model}.yaml", "-q", "--out", out, "--method", method]
        stats = f"{scratch}/stats.json"
        command += ["--stats", stats]
        values = {**({"simulate.step": repr(step)} if step else {}), "simulate.end": repr(end), "simulate.output": repr(output),
                  "simulate.signals": f"[{signals}]", **settings}
        for path, value in values.items():
            command += ["--set", f"{path}={value}"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")
        with open(stats) as file:
            return read_csv(out), json.load(file)


def run(model, method, step, end, signals, output=None, **settings):
    """Starts a run; .result() gives its rows, by default the last one of them. Settings: newmark__gamma=0.5."""
    return Rows(start(model, method, step, end, signals, output or end, **settings))


def start(model, method, step, end, signals, output, **settings):
    """The same with .result() = (rows, statistics)."""
    settings = {path.replace("__", "."): value for path, value in settings.items()}
    return pool.submit(run_now, model, method, step, end, output, signals, settings)


class Rows:
    def __init__(self, future):
        self.future = future

    def result(self):
        return self.future.result()[0]


# ---- printing -------------------------------------------------------------------------------------------------


def table(title, head, rows):
    """Columns aligned to the right; a cell is a text, or a number shown with three digits."""
    cells = [head] + [[c if isinstance(c, str) else f"{c:.3g}" if 0.01 < abs(c) < 1000 else f"{c:.2e}" for c in row]
                      for row in rows]
    width = [max(len(row[i]) for row in cells) for i in range(len(head))]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join(cell.rjust(w) for cell, w in zip(row, width)))


def verdict(bound, good):
    print(f"within {bound}: {'yes' if good else 'no'}", flush=True)
    if not good:
        failures.append(bound)


def norm(*x):
    return math.sqrt(sum(v * v for v in x))


def power(k):
    return f"2^-{k}"


def order(errors, i):
    """Observed order between steps i-1 and i, each half of the one before."""
    return math.log2(errors[i - 1] / errors[i]) if i and errors[i] else math.nan


def shown(x):
    return "" if math.isnan(x) else f"{x:.2f}"


# ---- 1. the tables of paper 004 -------------------------------------------------------------------------------

TABLE_1 = {4: (7.72e-2, 7.46e-1), 5: (1.49e-2, 2.94e-2), 6: (4.48e-3, 1.10e-2), 7: (1.13e-3, 3.42e-3),
           8: (2.82e-4, 9.02e-4), 9: (7.05e-5, 2.29e-4), 10: (1.76e-5, 5.73e-5), 11: (4.41e-6, 1.44e-5)}
TABLE_2 = {4: (1.56e-1, 1.13), 5: (6.21e-2, 7.38e-1), 6: (2.26e-2, 4.27e-1), 7: (8.19e-3, 2.31e-1),
           8: (3.15e-3, 1.20e-1), 9: (1.31e-3, 6.12e-2), 10: (5.88e-4, 3.09e-2), 11: (2.77e-4, 1.55e-2)}
# The last row is printed as 6.85e-4, 6.16e-3; the reference of the paper, good to a few 1e-6, is off by the difference.
TABLE_3 = {9: (7.76e-2, 1.59e-1), 10: (1.26e-2, 9.39e-2), 11: (5.85e-3, 4.82e-2), 12: (2.82e-3, 2.44e-2),
           13: (1.39e-3, 1.23e-2), 14: (6.87e-4, 6.15e-3)}
# What the tables do not say: one Newton iteration per step (three in Table 3) with a matrix of its own each.
AS_PUBLISHED = {"newmark__predictor": 0, "newmark__jacobian": "every-iteration", "newmark__accept_unconverged": "yes"}


def pendulum_errors(row, ref):
    """Of position, velocity and rod force, by the names of the reference."""
    return (norm(row["bob.x"] - ref["x"], row["bob.y"] - ref["y"]),
            norm(row["bob.vx"] - ref["vx"], row["bob.vy"] - ref["vy"]),
            norm(*(row.get(f"rod.F{c}", 0) + 2 * ref["lambda"] * ref[c] for c in "xy")))


def double_pendulum_errors(row, ref):
    L1, L2 = 1, 1.5
    q, v = [], []
    x = y = vx = vy = 0
    for i, L in ((1, L1), (2, L2)):
        c, s, w = math.cos(ref[f"theta{i}"]), math.sin(ref[f"theta{i}"]), ref[f"omega{i}"]
        mine = [row[f"rod{i}.{name}"] for name in ("x", "y", "theta", "vx", "vy", "omega")]
        exact = [x + L * c, y + L * s, ref[f"theta{i}"], vx - L * w * s, vy + L * w * c, w]
        d = [a - b for a, b in zip(mine, exact)]
        q, v = q + d[:3], v + d[3:]
        x, y, vx, vy = x + 2 * L * c, y + 2 * L * s, vx - 2 * L * w * s, vy + 2 * L * w * c
    return norm(*q), norm(*v)


def published(title, rows, model, end, errors, signals, **settings):
    ref = reference(model)[-1]
    runs = {k: run(model, "newmark", 2.0**-k, end, signals, **AS_PUBLISHED, **settings) for k in rows}
    lines, good = [], True
    for k, (q, v) in rows.items():
        dq, dv = errors(runs[k].result()[-1], ref)[:2]
        good = good and abs(dq / q - 1) <= 0.01 and abs(dv / v - 1) <= 0.01
        lines.append([power(k), f"{q:.2e}", f"{dq:.3e}", f"{dq / q:.4f}", f"{v:.2e}", f"{dv:.3e}", f"{dv / v:.4f}"])
    table(title, ["h", "dq paper", "dq here", "ratio", "dv paper", "dv here", "ratio"], lines)
    verdict("1 % of the paper, every row", good)


def tables_of_paper_004():
    published("Paper 004, Table 1: pendulum, gamma = 1/2, beta = 1/4, errors at T = 4 s", TABLE_1, "pendulum", 4.0,
              pendulum_errors, "bob", newmark__max_newton=1, newmark__gamma=0.5, newmark__beta=0.25)
    published("Paper 004, Table 2: pendulum, gamma = 3/4, beta = 25/64, errors at T = 4 s", TABLE_2, "pendulum", 4.0,
              pendulum_errors, "bob", newmark__max_newton=1, newmark__gamma=0.75, newmark__beta=25 / 64)
    published("Paper 004, Table 3: double pendulum, gamma = 3/4, beta = 25/64, errors of all six coordinates at T = 2 s",
              TABLE_3, "double_pendulum", 2.0, double_pendulum_errors, "rod1, rod2", newmark__max_newton=3,
              newmark__gamma=0.75, newmark__beta=25 / 64, parameters__omega2=10)


# ---- 2. Corollary 2 of paper 004 ------------------------------------------------------------------------------


def scalar_motion(acceleration, x, v, t):
    """x'' = acceleration(x) from (x, v) over a time t: classical Runge-Kutta, refined until it rests."""
    n, last = 64, None
    while True:
        h, a, b = t / n, x, v
        for _ in range(n):
            k1, l1 = b, acceleration(a)
            k2, l2 = b + h / 2 * l1, acceleration(a + h / 2 * k1)
            k3, l3 = b + h / 2 * l2, acceleration(a + h / 2 * k2)
            k4, l4 = b + h * l3, acceleration(a + h * k3)
            a, b = a + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), b + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
        if last and norm(a - last[0], b - last[1]) <= 1e-13 * norm(a, b) or n >= 1 << 15:
            return a, b
        n, last = 2 * n, (a, b)


def pendulum_state(angle, omega):
    """Position, velocity, acceleration, and lam of the paper (half the tension)."""
    s, c = math.sin(angle), math.cos(angle)
    alpha = -G * s
    return ((s, -c), (omega * c, omega * s), (alpha * c - omega**2 * s, alpha * s + omega**2 * c),
            (omega**2 + G * c) / 2)


def corollary_2():
    angle, omega, steps = 0.7, 2.0, range(5, 12)
    runs = [run("pendulum", "newmark", 2.0**-k, 2.0**-k, "bob, rod", parameters__angle=angle, parameters__omega=omega,
                newmark__gamma=0.75, newmark__max_newton=1, **AS_PUBLISHED) for k in steps]
    errors, lines = [], []
    for k, future in zip(steps, runs):
        h, row = 2.0**-k, future.result()[-1]
        q, v, a, lam = pendulum_state(*scalar_motion(lambda x: -G * math.sin(x), angle, omega, h))
        off = [norm(row[f"bob.{c}x"] - exact[0], row[f"bob.{c}y"] - exact[1]) for c, exact in zip(("", "v", "a"), (q, v, a))]
        errors.append((*off, abs(norm(row["rod.Fx"], row["rod.Fy"]) / 2 - lam)))
    columns, good = list(zip(*errors)), True
    for i, k in enumerate(steps):
        orders = [order(e, i) for e in columns]
        lines.append([power(k)] + [cell for e, o in zip(columns, orders) for cell in (f"{e[i]:.3e}", shown(o))])
    good = all(abs(o - want) <= 0.1 for o, want in zip(orders, (3, 2, 1, 1)))
    table("Paper 004, Corollary 2: pendulum, one step from exact data with one Newton iteration, gamma = 3/4",
          ["h", "dq", "order", "dv", "order", "da", "order", "dlam", "order"], lines)
    verdict("0.1 of the orders 3, 2, 1, 1 at the last step", good)


# ---- 3. orders of convergence ---------------------------------------------------------------------------------

METHODS = {"hht(-0.3)": ("hht", {"hht__alpha": -0.3}, 2), "genalpha(0.8)": ("genalpha", {"genalpha__rho": 0.8}, 2),
           "newmark(0.75)": ("newmark", {"newmark__gamma": 0.75}, 1)}


def order_table(title, steps, errors, claimed, position_from):
    """errors: (q, v, lam) for each step. Positions of methods of order 1 are at their order from 2^-position_from on."""
    columns, lines = list(zip(*errors)), []
    for i, k in enumerate(steps):
        orders = [order(e, i) for e in columns]
        lines.append([power(k)] + [cell for e, o in zip(columns, orders) for cell in (f"{e[i]:.3e}", shown(o))])
    table(title, ["h", "dq", "order", "dv", "order", "dlam", "order"], lines)
    counts = [claimed == 2 or steps[-1] > position_from, True, True]
    good = all(abs(o - claimed) <= 0.1 for o, c in zip(orders, counts) if c)
    names = "q, v, lam" if counts[0] else "v, lam"
    verdict(f"0.1 of order {claimed} in {names} at the last step", good)


def orders_of_pendulum():
    ref = {row["t"]: row for row in reference("pendulum")}
    steps = {2: range(7, 12), 1: range(10, 15)}
    runs = {name: [run("pendulum", method, 2.0**-k, 4.0, "bob, rod", output=0.5, **options) for k in steps[claimed]]
            for name, (method, options, claimed) in METHODS.items()}
    for name, (_, _, claimed) in METHODS.items():
        errors = []
        for future in runs[name]:
            rows = [pendulum_errors(row, ref[row["t"]]) for row in future.result()[1:]]
            errors.append([max(e) for e in zip(*rows)])
        order_table(f"Order of {name}: pendulum, largest error at t = 0.5, 1, .. 4 s against the closed form",
                    list(steps[claimed]), errors, claimed, 12)


def orders_in_space():
    signals, steps = "upper, lower, ball, hinge", range(7, 11)
    groups = [[f"{b}.{c}" for b in ("upper", "lower") for c in ("x", "y", "z", "qw", "qx", "qy", "qz")],
              [f"{b}.{c}" for b in ("upper", "lower") for c in ("vx", "vy", "vz", "wx", "wy", "wz")],
              [f"{j}.{c}" for j in ("ball", "hinge") for c in ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")]]
    fine = run("double_pendulum_3d", "genalpha", 2.0 ** -(steps[-1] + 4), 2.0, signals, output=0.25)
    runs = {name: [run("double_pendulum_3d", method, 2.0**-k, 2.0, signals, output=0.25, **options) for k in steps]
            for name, (method, options, _) in METHODS.items()}
    for name, (_, _, claimed) in METHODS.items():
        errors = []
        for future in runs[name]:
            rows = [[norm(*(row[c] - exact[c] for c in g)) for g in groups]
                    for row, exact in zip(future.result()[1:], fine.result()[1:])]
            errors.append([max(e) for e in zip(*rows)])
        order_table(f"Order of {name}: spatial double pendulum, largest error at t = 0.25, 0.5, .. 2 s against "
                    f"genalpha with h/16", list(steps), errors, claimed, 99)


# ---- 4. benchmark mechanisms ----------------------------------------------------------------------------------


def four_bar_40():
    """Reference of N = 40: all cranks parallel, one equation for their angle."""
    N, rows, x, v, dt = 40, [], math.pi / 2, -1.0, 0.5
    factor = -((N + 1) / 2 + N) * G / ((N + 1) / 3 + N)
    for i in range(21):
        rows.append({"t": i * dt, "B0x": math.cos(x), "B0y": math.sin(x)})
        x, v = scalar_motion(lambda a: factor * math.cos(a), x, v, dt)
    return rows


# name, model, end, coarsest step, signals, settings, reference, pairs (column of the program, column of the reference)
MECHANISMS = [
    ("four-bar, N = 2, upper joint", "four_bar", 10.0, 2.5e-3, "crank0.tip", {}, lambda: reference("four_bar"),
     [("crank0.tip.x", "B0x"), ("crank0.tip.y", "B0y")]),
    ("four-bar, N = 40, upper joint", "four_bar", 10.0, 2.5e-3, "crank0.tip", {"parameters__N": 40}, four_bar_40,
     [("crank0.tip.x", "B0x"), ("crank0.tip.y", "B0y")]),
    ("Andrews, angle of the crank", "andrews", 0.03, 1e-5, "OF", {}, lambda: reference("andrews"),
     [("OF.theta", "beta")]),
    ("Bricard, point P3", "bricard", 10.0, 5e-3, "rod3.P3", {}, lambda: reference("bricard"),
     [("rod3.P3." + c, "P3" + c) for c in "xyz"]),
    ("flyball, height of the slider", "flyball", 10.0, 5e-3, "slider", {}, lambda: reference("flyball"),
     [("slider.z", "s")]),
    ("car axis, both ends", "car_axis", 3.0, 1e-3, "left, right", {}, lambda: reference("car_axis"),
     [("left.x", "xl"), ("left.y", "yl"), ("right.x", "xr"), ("right.y", "yr")])]


def mechanisms():
    runs, second_order = [], list(METHODS.items())[:2]
    for _, model, end, h, signals, settings, ref, pairs in MECHANISMS:
        rows = [row for row in ref() if row["t"] <= end + 1e-9]
        dt = rows[1]["t"]
        for method, options, _ in (m for _, m in second_order):
            runs.append((rows, [run(model, method, h / 2**i, end, signals, output=dt, **settings, **options)
                                for i in range(3)]))
    lines, good, at = [], True, iter(runs)
    for title, _, _, h, _, _, _, pairs in MECHANISMS:
        for name, _ in second_order:
            rows, futures = next(at)
            errors = []
            for future in futures:
                result = future.result()
                assert len(result) == len(rows) and abs(result[-1]["t"] - rows[-1]["t"]) < 1e-9
                errors.append(max(norm(*(a[c] - b[d] for c, d in pairs)) for a, b in zip(result, rows)))
            orders = [order(errors, i) for i in (1, 2)]
            # above 2: the damping's part of the error, of order 3, is still felt
            good = good and 1.9 <= orders[1] <= 2.3
            lines.append([title, name, f"{h:g}", *(f"{e:.3e}" for e in errors), *map(shown, orders)])
    table("Mechanisms against their reference solutions: largest error over the whole time with steps h, h/2, h/4",
          ["", "method", "h", "error(h)", "error(h/2)", "error(h/4)", "order", "order"], lines)
    verdict("orders 1.9 .. 2.3 in the last column, every row", good)


def branch_of_four_bar():
    """Energy drift (bound of the benchmark library) and whether the cranks stay parallel in the singular poses."""
    second_order, cranks = list(METHODS.items())[:2], ["crank0", "crank1", "crank2"]
    runs = [run("four_bar", method, 5e-3, 10.0, ", ".join(f"{c}.theta" for c in cranks) + ", energy", output=5e-3,
                **options) for _, (method, options, _) in second_order]
    lines, good = [], True
    for (name, _), future in zip(second_order, runs):
        rows = future.result()
        drift = max(abs(r["energy.total"] - rows[0]["energy.total"]) for r in rows)
        twist = max(abs(math.sin(r[f"{c}.theta"] - r["crank0.theta"])) for r in rows for c in cranks[1:])
        good = good and drift < 0.1 and twist <= 1e-6
        lines.append([name, f"{rows[0]['energy.total']:.3f}", f"{drift:.4f}", f"{twist:.1e}"])
    table("Four-bar, N = 2, h = 5e-3 s, 10 s: through the singular poses",
          ["method", "energy [J]", "drift [J]", "largest |sin(phi_i - phi_0)|"], lines)
    verdict("0.1 J, 1e-6", good)


# ---- 5. error control ------------------------------------------------------------------------------------------

TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
# Of an independent prototype with the control of paper 004: steps, largest error, Newton matrices.
CONTROLLED = {
    ("double_pendulum", "newmark"): ((63, 92, 181, 376, 810, 1747), (2.0e-1, 1.1e-1, 5.6e-2, 2.7e-2, 1.2e-2, 5.8e-3),
                                     (47, 33, 36, 32, 32, 32)),
    ("double_pendulum", "hht"): ((79, 92, 176, 360, 766, 1643), (1.1e-1, 3.2e-2, 7.1e-3, 1.6e-3, 3.4e-4, 7.3e-5), None),
    ("pendulum", "newmark"): ((44, 88, 180, 386, 833, 1799), (2.8e-1, 1.1e-1, 3.8e-2, 1.2e-2, 4.2e-3, 1.6e-3), None),
    ("pendulum", "hht"): ((102, 86, 175, 369, 787, 1693), (1.5e-1, 6.4e-2, 1.4e-2, 3.1e-3, 6.8e-4, 1.5e-4), None)}


def largest_angle_error(rows, ref):
    known = {round(r["t"], 6): r["theta1"] for r in ref}
    return max(abs(r["rod1.theta"] - known[round(r["t"], 6)]) for r in rows if round(r["t"], 6) in known)


def position_error_at_end(rows, ref):
    return norm(rows[-1]["bob.x"] - ref[-1]["x"], rows[-1]["bob.y"] - ref[-1]["y"])


def error_control():
    cases = {"double_pendulum": ("double_pendulum_rest", "rod1", 2.0, 0.01, largest_angle_error, "theta1, all times"),
             "pendulum": ("pendulum", "bob", 4.0, 4.0, position_error_at_end, "position at 4 s")}
    for (model, method), (steps, errors, matrices) in CONTROLLED.items():
        name, signals, end, output, measure, what = cases[model]
        ref = reference(name)
        runs = [start(model, method, None, end, signals, output, simulate__tolerance=t) for t in TOLERANCES]
        rows, good = [], True
        for k, r in enumerate(runs):
            result, stats = r.result()
            error = measure(result, ref)
            rows.append([f"{TOLERANCES[k]:.0e}", str(steps[k]), str(stats["steps"]), f"{stats['steps'] / steps[k]:.2f}",
                         errors[k], error, f"{error / errors[k]:.2f}", str(stats["rejected"]), str(stats["jacobians"])])
            good = good and stats["steps"] <= 1.1 * steps[k] and error <= 1.2 * errors[k]
            good = good and (matrices is None or stats["jacobians"] <= 1.6 * matrices[k])
        table(f"Error control, {model}, {method}: steps and largest error ({what})",
              ["tolerance", "steps known", "here", "ratio", "error known", "here", "ratio", "rejected", "matrices"], rows)
        verdict("1.1 x the steps, 1.2 x the errors" + (", 1.6 x the matrices" if matrices else ""), good)


# Model and end of the comparison: the chains and the stiff pendulum are compared over a part of their run.
RATES = {"pendulum": 4.0, "double_pendulum": 2.0, "four_bar": 2.0, "andrews": 0.03, "bricard": 4.0, "flyball": 2.0,
         "car_axis": 3.0, "slider_crank": 1.0, "double_pendulum_3d": 2.0, "chain": 1.0, "chain3d": 1.0,
         "stiff_pendulum": 20.0}


def rates():
    """Global error against the tolerance on every model: eps^(1/3) for newmark, eps^(2/3) for hht and genalpha."""
    tolerances, rows, good = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8), [], True
    for model, end in RATES.items():
        grid = end / 20
        # the small torque of the stiff pendulum would leave its steps to max_step
        more = {"parameters__T0": 5} if model == "stiff_pendulum" else {}
        ref = start(model, "genalpha", None, end, "all", grid, simulate__tolerance=1e-10, **more)
        runs = {method: [start(model, method, None, end, "all", grid, simulate__tolerance=t, **more) for t in tolerances]
                for method in ("newmark", "hht", "genalpha")}
        ref, _ = ref.result()
        columns = [c for c in ref[0] if c.split(".")[-1] in ("x", "y", "z", "theta")]
        for method, claimed in (("newmark", 1 / 3), ("hht", 2 / 3), ("genalpha", 2 / 3)):
            errors = [max(norm(*(a[c] - b[c] for c in columns)) for a, b in zip(r.result()[0], ref)) for r in runs[method]]
            rate = math.log(errors[2] / errors[-1]) / math.log(tolerances[2] / tolerances[-1])
            good = good and rate > 0.8 * claimed
            rows.append([model, method, *errors, f"{rate:.2f}", f"{claimed:.2f}"])
    table("Largest error of all positions against the tolerance (reference: genalpha at 1e-10); rate from 1e-6 to 1e-8",
          ["model", "method", *(f"{t:.0e}" for t in tolerances), "rate", "claimed"], rows)
    verdict("0.8 x the claimed rates, every row", good)


# Paper 002. Table 5: steps. Table 4: largest error of theta1; the exponents of the rows 1e-2, 1e-3, 1e-4 are misprinted by one
# (relative errors, averages and text agree with these). Table 6: largest error of omega1. None: the paper has no row.
STEPS_002 = [29, 49, 85, 148, 264, 467]
THETA_002 = [5.223e-3, 4.198e-4, 4.916e-5, 1.902e-5, None, None]
OMEGA_002 = [4.061e-2, 3.792e-3, 8.652e-4, 2.343e-4, None, None]
THETA_BOUND = [3e-2, 3.5e-3, 4e-4, 4.5e-5, 5e-6, 5e-7]
OMEGA_BOUND = [2e-1, 2.5e-2, 3e-3, 3.3e-4, 3.5e-5, 3.5e-6]


def tables_of_paper_002():
    ref = {round(r["t"], 6): r for r in reference("double_pendulum_rest")}
    runs = [start("double_pendulum", "rn4", None, 2.0, "rod1", 0.01, simulate__tolerance=t, simulate__max_step=2)
            for t in TOLERANCES]
    rows, good = [], True
    for k, r in enumerate(runs):
        result, stats = r.result()
        common = [(row, ref[round(row["t"], 6)]) for row in result if round(row["t"], 6) in ref]
        theta = max(abs(a["rod1.theta"] - b["theta1"]) for a, b in common)
        omega = max(abs(a["rod1.omega"] - b["omega1"]) for a, b in common)
        rows.append([f"{TOLERANCES[k]:.0e}", str(STEPS_002[k]), str(stats["steps"]), f"{stats['steps'] / STEPS_002[k]:.2f}",
                     THETA_002[k] or "", theta, OMEGA_002[k] or "", omega,
                     str(stats["rejected"]), str(stats["jacobians"])])
        good = good and stats["steps"] <= 1.05 * STEPS_002[k] and theta <= THETA_BOUND[k] and omega <= OMEGA_BOUND[k]
    table("Paper 002, Tables 5, 4 and 6: stiff double pendulum from rest, rn4, independent angles",
          ["tolerance", "steps paper", "here", "ratio", "theta1 paper", "here", "omega1 paper", "here", "rejected", "matrices"],
          rows)
    verdict("1.05 x the steps, 3e-2 .. 5e-7 in theta1, 2e-1 .. 3.5e-6 in omega1", good)


# Seconds of the paper's machine for 1, 2, 3, 4 s of driving, and steps of a reduced model with a method of the same kind.
CPU_002 = {1e-2: [5.6, 12.6, 13, 13.3], 1e-3: [13.2, 32.6, 36.3, 37], 1e-4: [40.7, 95, 105, 106], 1e-5: [172, 405, 422, 428]}
REDUCED = {1e-2: [19, 33, 36, 36], 1e-3: [28, 54, 58, 60], 1e-4: [45, 95, 109, 112], 1e-5: [74, 159, 190, 199]}
HEIGHT = {1e-2: 1e-2, 1e-3: 1e-3, 1e-4: 2e-4, 1e-5: 2e-5}


def vehicle():
    ref = {round(r["t"], 6): r for r in reference("hmmwv")}
    rows, good = [], True
    for tolerance in REDUCED:
        # the largest step must not depend on the end
        runs = [start("hmmwv", "rn4", None, float(end), "chassis", 0.01, simulate__tolerance=tolerance, simulate__max_step=1)
                for end in (1, 2, 3, 4, 5)]
        results = [r.result() for r in runs]
        steps = [stats["steps"] for _, stats in results]
        error = max(abs(r["chassis.z"] - ref[round(r["t"], 6)]["z"]) for r in results[-1][0])
        cells = [f"{a} ({b}, {c:g} s)" for a, b, c in zip(steps, REDUCED[tolerance], CPU_002[tolerance])]
        rows.append([f"{tolerance:.0e}", *cells, str(steps[4]), error])
        good = good and error <= HEIGHT[tolerance] and steps[0] <= 200
    table("Paper 002, Table 8: vehicle over a bump, rn4: steps to 1, 2, 3, 4, 5 s (of a reduced model, CPU time in the paper); "
          "error of the chassis' height", ["tolerance", "1 s", "2 s", "3 s", "4 s", "5 s", "error [m]"], rows)
    verdict("1e-2, 1e-3, 2e-4, 2e-5 m; 200 steps in the first second", good)


# Heights of the chassis without tension in the tyres, and dropped from 10 mm, by a reduced model; 6 decimals.
LIFTED = {0.5: (0.710106, 0.708869), 0.51: (0.711420, 0.710708), 0.57: (0.719840, 0.719948), 0.7: (0.703934, 0.703890),
          0.9: (0.713692, 0.713704), 1.2: (0.711494, 0.711503), 1.3: (0.717995, 0.716460), 1.5: (0.706745, 0.707844),
          2.0: (0.709590, 0.709573), 3.0: (0.709971, 0.709985), 5.0: (0.710000, 0.710000)}


def vehicle_variants():
    tyre, turning = "forces__tyre_{rear}{left}__", {"parameters__spin": 9.965}
    flat, left = ({round(r["t"], 6): r for r in reference(name)} for name in ("hmmwv", "hmmwv_left"))
    no_tension, dropped = ({t: {"z": z[i]} for t, z in LIFTED.items()} for i in (0, 1))
    partition = {"rn4__coordinates": "partition"}
    # name, tolerance, settings, reference, largest error of z allowed
    cases = [("as it is", 1e-8, {}, flat, 1e-6), ("as it is, partition", 1e-8, partition, flat, 1e-6),
             ("bump under the left wheels", 1e-8, {"parameters__right": 0}, left, 1e-6),
             ("tyres do not pull", 1e-7, {tyre + "no_tension": "yes"}, no_tension, 2e-6),
             ("dropped from 10 mm", 1e-7, {"parameters__lift": 0.01}, dropped, 2e-6),
             ("wheels turn", 1e-7, turning, flat, 1e-6),
             ("wheels turn, partition", 1e-7, {**turning, **partition}, flat, 1e-6),
             # the two roads differ by 1.1e-4 m
             ("half a cylinder", 1e-7, {tyre + "road": "cylinder", "parameters__w": "r"}, flat, 1.2e-4)]
    runs = [start("hmmwv", "rn4", None, 5.0, "chassis", 0.01, simulate__tolerance=tol, simulate__max_step=1, **settings)
            for _, tol, settings, _, _ in cases]
    rows, good = [], True
    for (name, tol, _, ref, allowed), run_ in zip(cases, runs):
        result, stats = run_.result()
        common = [(r, ref[round(r["t"], 6)]) for r in result if round(r["t"], 6) in ref]
        z = max(abs(a["chassis.z"] - b["z"]) for a, b in common)
        roll = max(abs(roll_of(a) - b.get("roll", 0)) for a, b in common)
        rest = max(abs(r["chassis.z"] - 0.71) for r in result if r["t"] >= 4)
        rows.append([name, f"{tol:.0e}", str(stats["steps"]), str(stats["rejected"]), str(stats["repartitions"]), z,
                     f"{roll:.1e}", f"{rest:.1e}"])
        good = good and z <= allowed and roll <= 1e-6 and rest <= 1e-5
        good = good and (name != "wheels turn, partition" or stats["repartitions"] > 0)
    table("Vehicle, rn4, 5 s: largest errors of the chassis' height and roll; distance from 0.71 m after 4 s",
          ["", "tolerance", "steps", "rejected", "repartitions", "z [m]", "roll [rad]", "rest [m]"], rows)
    verdict("1e-6 m (2e-6 where the reference has 6 decimals; 1.2e-4 on the other road), 1e-6 rad, 1e-5 m", good)


def roll_of(row):
    w, x, y, z = (row[f"chassis.q{c}"] for c in "wxyz")
    return math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))


# Table 7: CPU of an explicit Adams method over that of the implicit one, 1 s of driving.
RATIO_002 = {1e-2: 646, 1e-3: 276, 1e-4: 90, 1e-5: 21}
BUMP_NEAR = 1.79  # the front wheels reach it after 0.01 s
EVALUATIONS = {1e-2: 5000, 1e-3: 3000, 1e-4: 2000, 1e-5: 1000}


def vehicle_explicit():
    """adams takes the steps that stability allows: the whole second at 1e-2; 0.1 s over a bump nearby at all tolerances."""
    drive = {"simulate__max_step": 1}
    whole = start("hmmwv", "adams", None, 1.0, "chassis", 0.1, simulate__tolerance=1e-2, **drive)
    near = [start("hmmwv", "adams", None, 0.1, "chassis", 0.1, simulate__tolerance=t, parameters__bump=BUMP_NEAR, **drive)
            for t in RATIO_002]
    implicit = [start("hmmwv", "rn4", None, 1.0, "chassis", 0.1, simulate__tolerance=t, **drive) for t in RATIO_002]
    rows, evaluations, good = [], [], True
    for (tolerance, published), window, rn4 in zip(RATIO_002.items(), near, implicit):
        explicit, seconds = (whole.result()[1], 1) if tolerance == 1e-2 else (window.result()[1], 0.1)
        few = rn4.result()[1]
        evaluations.append(window.result()[1]["residuals"] / 0.1)
        ratio = explicit["residuals"] / seconds / few["residuals"]
        cpu = explicit["cpu_seconds"] / seconds / few["cpu_seconds"]
        rows.append([f"{tolerance:.0e}", f"{evaluations[-1]:.0f}", f"{explicit['residuals'] / seconds:.0f}",
                     f"{1e6 * seconds / explicit['steps']:.2f}", str(few["residuals"]), f"{ratio:.0f}", f"{cpu:.0f}",
                     str(published)])
        good = good and ratio >= EVALUATIONS[tolerance] and (tolerance > 1e-2 or cpu > 100)
        good = good and explicit["stiff_cause"].startswith('the damping of "spring_')
    good = good and max(evaluations) < 1.1 * min(evaluations)
    table("Paper 002, Table 7: vehicle, evaluations of accelerations per second of driving, adams against rn4. Column 2: 0.1 s "
          "over a bump; column 3: the whole second at 1e-2, else the same; rn4: the whole second",
          ["tolerance", "adams, bump", "adams", "mean h [us]", "rn4", "ratio", "CPU ratio", "paper"], rows)
    verdict("10 % in column 2; ratios 5000, 3000, 2000, 1000; CPU ratio above 100 at 1e-2; stiffness named", good)


# ---- 6. paper 000: fast oscillations and bdf ------------------------------------------------------------------------

FORMULATIONS = ("ggl", "ggl-star", "cs", "cm", "cm-lambda")
PATIENCE = 60  # seconds of one run


def attempt_now(model, end, output, signals, settings):
    """Rows and statistics of bdf up to where it stops; its status is "ok" at the end, and the error text is kept."""
    with tempfile.TemporaryDirectory() as scratch:
        out, stats = f"{scratch}/out.csv", f"{scratch}/stats.json"
        command = [PROGRAM, "run", TOP / f"models/{model}.yaml", "-q", "--out", out, "--stats", stats, "--method", "bdf",
                   "--time-limit", str(PATIENCE)]
        for path, value in {"simulate.end": repr(end), "simulate.max_step": repr(end), "simulate.output": repr(output),
                            "simulate.signals": f"[{signals}]", **settings}.items():
            command += ["--set", f"{path}={value}"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if not os.path.exists(stats):
            raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")
        with open(stats) as file:
            found = json.load(file)
        found["ok"] = done.returncode == 0
        return read_csv(out) if os.path.exists(out) else [], found


def attempt(model, end, signals, output=None, **settings):
    settings = {path.replace("__", "."): value for path, value in settings.items()}
    return pool.submit(attempt_now, model, end, output or end, signals, settings)


def has_bdf():
    done = subprocess.run([PROGRAM, "methods"], capture_output=True, text=True, check=True)
    if "\n  bdf\n" in done.stdout:
        return True
    print("\nPaper 000: this program has no method bdf yet")
    return False


def count(stats, key):
    """A run that stops needs more than any that does not."""
    return stats[key] if stats["ok"] else math.inf


def reached(stats, end):
    return str(stats["steps"]) + ("" if stats["ok"] else f" (stops at {100 * stats['time'] / end:.0f} %)")


def oscillation_table(title, model, body, end, cases, rest, **settings):
    """All formulations, order 2. cases: (tolerance, eps). Returns {(formulation, case): (statistics, energy left)}."""
    runs = {(f, case): attempt(model, end, f"{body}, energy", simulate__tolerance=case[0], parameters__eps=case[1],
                               bdf__formulation=f, bdf__max_order=2, **settings) for case in cases for f in FORMULATIONS}
    lines, out = [], {}
    for (f, (tolerance, eps)), future in runs.items():
        rows, s = future.result()
        place, energy = rest(eps)
        off = math.hypot(rows[-1][f"{body}.x"] - place[0], rows[-1][f"{body}.y"] - place[1]) if s["ok"] else math.nan
        left = rows[-1]["energy.total"] - energy if s["ok"] else math.inf
        lines.append([f, f"{tolerance:.0e}", f"{eps:.0e}", reached(s, end), str(s["residuals"]), str(s["jacobians"]),
                      str(s["rejected"]), str(s["corrector_failures"]), str(s["repartitions"]), off, left])
        out[f, (tolerance, eps)] = s, left
    table(title, ["", "tol", "eps", "steps", "residuals", "jacobians", "error test", "convergence", "splits",
                  "off the slow motion [m]", "energy left [J]"], lines)
    return out


def claims(*pairs):
    """What a paper says, and whether the numbers above say it too."""
    parts = [(word, [text for text, holds in pairs if holds == good])
             for word, good in (("Claims of the paper that hold here", True), ("that do not", False))]
    print("; ".join(f"{word}: {', '.join(texts) or 'none'}" for word, texts in parts) + ".", flush=True)


CIRCLE_CASES = [(tolerance, eps) for tolerance in (1e-3, 1e-5) for eps in (1e-3, 1e-4, 1e-5, 1e-6)]
BUSHING_CASES = [(tolerance, eps) for tolerance in (1e-3, 1e-5) for eps in (1e-4, 1e-5, 1e-6)]
MODERATE_CASES = [(tolerance, eps) for tolerance in (1e-3, 1e-4, 1e-5) for eps in (1e-1, 1e-2)]
OF_PAPER = FORMULATIONS[:4]


def fewest(results, cases, key, winner, others=OF_PAPER):
    """Does `winner` need no more than the others in every case?"""
    return all(count(results[winner, c][0], key) <= count(results[f, c][0], key) for c in cases for f in others)


def failed(results, cases, f):
    return sum(results[f, c][0]["corrector_failures"] for c in cases)


def damps_most(results, cases, winner):
    return all(results[winner, c][1] <= 1.01 * results[f, c][1] + 1e-6 for c in cases for f in OF_PAPER)


def lead(results, case):
    """How many times fewer residuals cm needs than cs."""
    return count(results["cs", case][0], "residuals") / count(results["cm", case][0], "residuals")


def tables_of_paper_000():
    if not has_bdf():
        return
    bottom = lambda eps: ((0, -1), -1)
    r = oscillation_table("Paper 000, Table 4.1 (data partly lost): point on a circle, linear force, 0.025 s", "circle_linear",
                          "p", 0.025, CIRCLE_CASES, bottom)
    claims(("cs and cm need fewer residuals than ggl and ggl-star",
            all(fewest(r, CIRCLE_CASES, "residuals", f, ("ggl", "ggl-star")) for f in ("cs", "cm"))),
           ("ggl-star converges better than ggl", failed(r, CIRCLE_CASES, "ggl-star") < failed(r, CIRCLE_CASES, "ggl")),
           ("cm gains on cs as eps falls", lead(r, (1e-3, 1e-6)) > lead(r, (1e-3, 1e-3))),
           ("cm damps most at 1e-3, 1e-6", damps_most(r, [(1e-3, 1e-6)], "cm")))
    # energy at rest: of the spring, which is 0.1 m long beyond its free length, and of the height
    r = oscillation_table("Paper 000, Table 4.2: point on a circle, spring, 0.005 s", "circle_spring", "p", 0.005, CIRCLE_CASES,
                          lambda eps: ((0, -1), 0.005 / eps**2 - 1))
    claims(("cm takes the fewest steps", fewest(r, CIRCLE_CASES, "steps", "cm")),
           ("cm damps most", damps_most(r, CIRCLE_CASES, "cm")),
           ("ggl-star converges better than ggl", failed(r, CIRCLE_CASES, "ggl-star") < failed(r, CIRCLE_CASES, "ggl")))
    level = lambda eps: ((math.cos(math.atan(eps**2)), -math.sin(math.atan(eps**2))), -eps**2 / 2)
    r = oscillation_table("Paper 000, Table 4.3 (geometry and end lost): pendulum with a bushing, moderate stiffness, 0.1 s",
                          "bushing_pendulum", "two", 0.1, MODERATE_CASES, level)
    steps = {c: [count(r[f, c][0], "steps") for f in OF_PAPER] for c in MODERATE_CASES}
    claims(("all methods perform well (steps within a factor of 1.5, convergence failures in fewer than 5 % of them)",
            all(max(n) <= 1.5 * min(n) for n in steps.values())
            and all(20 * r[f, c][0]["corrector_failures"] <= r[f, c][0]["steps"] for f in OF_PAPER for c in MODERATE_CASES)))
    r = oscillation_table("Paper 000, Table 4.4 (geometry and end lost): pendulum with a bushing, stiff, 0.1 s",
                          "bushing_pendulum", "two", 0.1, BUSHING_CASES, level)
    soft, stiff = ([c for c in BUSHING_CASES if c[1] == eps] for eps in (1e-4, 1e-6))
    claims(("cs converges worse as eps falls", failed(r, stiff, "cs") > failed(r, soft, "cs")),
           ("ggl and ggl-star converge worse than cm",
            all(failed(r, BUSHING_CASES, f) > failed(r, BUSHING_CASES, "cm") for f in ("ggl", "ggl-star"))),
           ("cm takes the fewest steps", fewest(r, BUSHING_CASES, "steps", "cm")),
           ("cm damps most", damps_most(r, BUSHING_CASES, "cm")))


# Largest distance from the slow motion that an independent prototype stayed below, by tolerance.
SLOW = {"stiff_chain": ("chain3_slow", 4.0, 0.4, {1e-3: 3e-2, 1e-4: 6e-3, 1e-5: 1e-3},
                        [(f"p{i}.{c}", f"{c}{i - 1}") for i in (1, 2, 3) for c in "xy"]),
        "oblique_sphere": ("sphere_oblique_slow", 5.0, 0.5, {1e-3: 6e-2, 1e-4: 2e-2, 1e-5: 5e-3},
                           [(f"p.{c}", c) for c in "xyz"])}
HARD = {("stiff_chain", 1e-4, 1e-5): 3, ("oblique_sphere", 1e-5, 1e-5): 5}  # cs takes so many times the steps of cm


def oscillations_of_paper_000():
    """The gates: oblique sphere and chain, order 2, noise of 1e-6."""
    if not has_bdf():
        return
    runs, stiff = {}, (1e-4, 1e-5, 1e-6)
    for model, (_, end, output, errors, pairs) in SLOW.items():
        for tolerance in errors:
            for eps in stiff:
                for f in FORMULATIONS:
                    runs[model, tolerance, eps, f] = attempt(
                        model, end, ", ".join(a for a, _ in pairs), output, simulate__tolerance=tolerance,
                        parameters__eps=eps, parameters__delta=1e-6, bdf__formulation=f, bdf__max_order=2)
    lines, stats, good = [], {}, True
    for (model, tolerance, eps, f), future in runs.items():
        ref, end, _, errors, pairs = SLOW[model]
        known = {round(row["t"], 6): row for row in reference(ref)}
        rows, s = future.result()
        bodies = {a.split(".")[0] for a, _ in pairs}
        off = max(norm(*(row[a] - known[round(row["t"], 6)][b] for a, b in pairs if a.split(".")[0] == body))
                  for row in rows if round(row["t"], 6) in known for body in bodies)
        ratio = s["residuals"] / s["steps"]
        stats[model, tolerance, eps, f] = s
        lines.append([model, f, f"{tolerance:.0e}", f"{eps:.0e}", reached(s, end), f"{ratio:.2f}", str(s["rejected"]),
                      str(s["corrector_failures"]), str(s["repartitions"]), off])
        if f == "cm-lambda":
            good = good and s["ok"] and s["corrector_failures"] <= 1 and ratio <= 2.2 and off <= errors[tolerance]
        if f == "cs" and s["ok"]:  # false convergence, 0.7 m off, must not pass
            good = good and off <= 6e-2
    table("Paper 000, oscillations fed by noise: largest distance of a body from the slow motion",
          ["model", "", "tol", "eps", "steps", "residuals per step", "error test", "convergence", "splits", "off [m]"], lines)
    for model, (_, _, _, errors, _) in SLOW.items():
        for tolerance in errors:
            n = [stats[model, tolerance, eps, "cm-lambda"]["steps"] for eps in stiff]
            good = good and max(n) <= 1.1 * min(n)
    for (model, tolerance, eps), times in HARD.items():
        cs, cm = (count(stats[model, tolerance, eps, f], "steps") for f in ("cs", "cm"))
        good = good and (cs > 5000 or cs >= times * cm)
    verdict("cm-lambda: 1 convergence failure, 10 % of the steps over eps, 2.2 residuals per step, errors of the prototype; cs: 3 "
            "and 5 times the steps of cm on the hard cases, no success that is wrong", good)


def ordinary_models():
    """Every formulation on mechanisms without stiff oscillation; digits that agree with the reference, and the work."""
    if not has_bdf():
        return
    # the four-bar up to its first singular pose, which bdf does not pass at every tolerance
    cases = [(name, model, 0.5 if model == "four_bar" else end, settings, ref, pairs)
             for name, model, end, _, _, settings, ref, pairs in MECHANISMS
             if model in ("andrews", "car_axis", "flyball", "four_bar") and not settings]
    cases.append(("vehicle, height", "hmmwv", 1.0, {}, lambda: reference("hmmwv"), [("chassis.z", "z")]))
    runs = {(case[0], tolerance, f): attempt(case[1], case[2], ", ".join(a for a, _ in case[5]),
                                             simulate__tolerance=tolerance, bdf__formulation=f, **case[3])
            for case in cases for tolerance in (1e-4, 1e-7, 1e-10) for f in FORMULATIONS}
    lines, good = [], True
    for name, model, end, _, ref, pairs in cases:
        last = [row for row in ref() if row["t"] <= end + 1e-9][-1]
        for tolerance in (1e-4, 1e-7, 1e-10):
            for f in FORMULATIONS:
                rows, s = runs[name, tolerance, f].result()
                off = max(abs(rows[-1][a] - last[b]) / max(abs(last[b]), 0.1) for a, b in pairs) if s["ok"] else math.nan
                lines.append([name, f"{tolerance:.0e}", f, reached(s, end), str(s["residuals"]), str(s["jacobians"]),
                              f"{-math.log10(max(off, 1e-17)):.1f}" if s["ok"] else "", f"{s['cpu_seconds']:.3f}"])
                good = good and s["ok"] and off <= 1e3 * tolerance
    table("bdf of orders up to 5 on mechanisms without stiff oscillation: correct digits at the end (scd)",
          ["", "tol", "", "steps", "residuals", "jacobians", "scd", "CPU [s]"], lines)
    verdict("1000 x the tolerance, every row", good)


def engine():
    """Paper 004: Newmark is 2 to 4 times faster than BDF on an engine of more than 16 000 equations."""
    signals = "valve300.y, cam300.theta, cam599.theta, rocker599.theta"

    def go(method, tolerance):
        return attempt("valve_train", 0.05, signals, output=5e-3, simulate__method=method, simulate__tolerance=tolerance,
                       parameters__N=600)
    best, _ = go("hht", 1e-7).result()
    lines, points = [], {}
    for method, tolerances in (("newmark", (1e-4, 1e-5)), ("hht", (1e-3, 1e-4, 1e-5)), ("bdf", (1e-4, 1e-5))):
        for tolerance in tolerances:  # one after the other: times are compared
            rows, s = go(method, tolerance).result()
            off = max(abs(a["rocker599.theta"] - b["rocker599.theta"]) for a, b in zip(rows, best)) if s["ok"] else math.inf
            points.setdefault(method, []).append((off, s["cpu_seconds"]))
            lines.append([method, f"{tolerance:.0e}", reached(s, 0.05), off, f"{s['cpu_seconds']:.2f}"])
    table("Valve train with N = 600 (3000 bodies, 24 001 equations), 0 .. 0.05 s: largest error of the last rocker's angle "
          "against hht with 1e-7, CPU time", ["", "tol", "steps", "error [rad]", "CPU [s]"], lines)
    error, other = points["newmark"][0][0], points["bdf"][0][0]
    time, work = (min(times) for times in zip(*[[go(method, 1e-4).result()[1]["cpu_seconds"] for method in ("newmark", "bdf")]
                                                for _ in range(3)]))  # in turn: the machine's speed varies
    ratio = work / time
    print(f"newmark takes 1/{ratio:.1f} of the time of bdf (least of three rounds) at errors of {error:.1e} and {other:.1e}: "
          f"the claim of paper 004, 2 to 4 times faster, is {'confirmed' if 2 <= ratio <= 4 else 'exceeded' if ratio > 4 else 'not confirmed'} here")


for section in (tables_of_paper_004, tables_of_paper_002, vehicle, vehicle_explicit, vehicle_variants, corollary_2, orders_of_pendulum,
                orders_in_space, mechanisms, branch_of_four_bar, error_control, rates, tables_of_paper_000,
                oscillations_of_paper_000, ordinary_models, engine):
    section()
print(f"\n{len(failures)} out of bounds" if failures else "\nall within bounds")
sys.exit(1 if failures else 0)
