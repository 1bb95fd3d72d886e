"""Gavrea, Negrut, Potra, The Newmark integration method for simulation of multibody systems, IMECE 2005."""
import math

import common
from common import attempt, norm, order, power, reached, reference, run, scalar_motion, shown
from judge import Claims, Table, outcome

G = 9.81
PAPER = "Gavrea et al. 2005"


# ---- its tables -----------------------------------------------------------------------------------------------

# As printed. The reference of Table 3 is off by a few 1e-6 itself, which is seen in the last row.
TABLE_1 = {4: (7.72e-2, 7.46e-1), 5: (1.49e-2, 2.94e-2), 6: (4.48e-3, 1.10e-2), 7: (1.13e-3, 3.42e-3),
           8: (2.82e-4, 9.02e-4), 9: (7.05e-5, 2.29e-4), 10: (1.76e-5, 5.73e-5), 11: (4.41e-6, 1.44e-5)}
TABLE_2 = {4: (1.56e-1, 1.13), 5: (6.21e-2, 7.38e-1), 6: (2.26e-2, 4.27e-1), 7: (8.19e-3, 2.31e-1),
           8: (3.15e-3, 1.20e-1), 9: (1.31e-3, 6.12e-2), 10: (5.88e-4, 3.09e-2), 11: (2.77e-4, 1.55e-2)}
TABLE_3 = {9: (7.76e-2, 1.59e-1), 10: (1.26e-2, 9.39e-2), 11: (5.85e-3, 4.82e-2), 12: (2.82e-3, 2.44e-2),
           13: (1.39e-3, 1.23e-2), 14: (6.85e-4, 6.16e-3)}
# What the tables do not say: one Newton iteration per step (three in Table 3) with a matrix of its own each.
AS_PUBLISHED = {"newmark__predictor": 0, "newmark__jacobian": "every-iteration", "newmark__accept_unconverged": "yes"}
PRINTED = 0.01  # three digits


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


def published(name, title, rows, model, end, errors, signals, **settings):
    ref = reference(model)[-1]
    runs = {k: run(model, "newmark", 2.0**-k, end, signals, **AS_PUBLISHED, **settings) for k in rows}
    out = Table(f"{PAPER}, {name}", f"{title}; reproduced: to {100 * PRINTED:g} %", "dq paper", "dq here", "ratio", "dv paper",
                "dv here", "ratio", what="h")
    for k, (q, v) in rows.items():
        dq, dv = errors(runs[k].result()[-1], ref)[:2]
        good = abs(dq / q - 1) <= PRINTED and abs(dv / v - 1) <= PRINTED
        out.row(power(k), f"{q:.2e}", f"{dq:.3e}", f"{dq / q:.4f}", f"{v:.2e}", f"{dv:.3e}", f"{dv / v:.4f}", verdict=outcome(good))
    out.show()


def tables():
    published("Table 1", "pendulum, gamma = 1/2, beta = 1/4, errors at T = 4 s", TABLE_1, "pendulum", 4.0, pendulum_errors, "bob",
              newmark__max_newton=1, newmark__gamma=0.5, newmark__beta=0.25)
    published("Table 2", "pendulum, gamma = 3/4, beta = 25/64, errors at T = 4 s", TABLE_2, "pendulum", 4.0, pendulum_errors, "bob",
              newmark__max_newton=1, newmark__gamma=0.75, newmark__beta=25 / 64)
    published("Table 3", "double pendulum, gamma = 3/4, beta = 25/64, errors of all six coordinates at T = 2 s", TABLE_3,
              "double_pendulum", 2.0, double_pendulum_errors, "rod1, rod2", newmark__max_newton=3, newmark__gamma=0.75,
              newmark__beta=25 / 64, parameters__omega2=10)


# ---- Corollary 2 ----------------------------------------------------------------------------------------------


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
    errors = []
    for k, future in zip(steps, runs):
        h, row = 2.0**-k, future.result()[-1]
        q, v, a, lam = pendulum_state(*scalar_motion(lambda x: -G * math.sin(x), angle, omega, h))
        off = [norm(row[f"bob.{c}x"] - exact[0], row[f"bob.{c}y"] - exact[1]) for c, exact in zip(("", "v", "a"), (q, v, a))]
        errors.append((*off, abs(norm(row["rod.Fx"], row["rod.Fy"]) / 2 - lam)))
    columns = list(zip(*errors))
    out = Table(f"{PAPER}, Corollary 2", "pendulum, one step from exact data with one Newton iteration, gamma = 3/4; claimed: orders "
                "3, 2, 1, 1; reproduced: to 0.1", "dq", "order", "dv", "order", "da", "order", "dlam", "order", what="h")
    names = ("dq", "dv", "da", "dlam")
    for i, k in enumerate(steps):
        orders = [order(e, i) for e in columns]
        cells = [text for e, o in zip(columns, orders) for text in (f"{e[i]:.3e}", shown(o))]
        if k < steps[-1]:
            out.row(power(k), *cells)
    good = all(abs(o - want) <= 0.1 for o, want in zip(orders, (3, 2, 1, 1)))
    out.row(power(k), *cells, verdict=outcome(good), worse={n: e[-1] for n, e in zip(names, columns)})
    out.show()


# ---- its claim of speed ---------------------------------------------------------------------------------------


def engine():
    """A train of valves of 24 001 equations."""
    signals = "valve300.y, cam300.theta, cam599.theta, rocker599.theta"

    def go(method, tolerance):
        return attempt("valve_train", 0.05, signals, output=5e-3, method=method, simulate__tolerance=tolerance,
                       parameters__N=600)
    best, _ = go("hht", 1e-7).result()
    points = {}
    out = Table(f"{PAPER}, engine", "valve train with N = 600 (3000 bodies, 24 001 equations), 0 .. 0.05 s: largest error of the last "
                "rocker's angle against hht with 1e-7, CPU time", "tol", "steps", "error [rad]", "CPU [s]")
    for method, tolerances in (("newmark", (1e-4, 1e-5)), ("hht", (1e-3, 1e-4, 1e-5)), ("bdf", (1e-4, 1e-5))):
        for tolerance in tolerances:  # one after the other: times are compared
            rows, s = go(method, tolerance).result()
            off = max(abs(a["rocker599.theta"] - b["rocker599.theta"]) for a, b in zip(rows, best)) if s["ok"] else math.inf
            points.setdefault(method, []).append((off, s["cpu_seconds"]))
            out.row(f"{method} {tolerance:.0e}", f"{tolerance:.0e}", reached(s, 0.05), off, f"{s['cpu_seconds']:.2f}",
                    worse={"steps": s["steps"], "error": off, "matrices": s["factorizations"]})
    out.show()
    error, other = points["newmark"][0][0], points["bdf"][0][0]
    time, work = (min(times) for times in zip(*[[go(method, 1e-4).result()[1]["cpu_seconds"] for method in ("newmark", "bdf")]
                                                for _ in range(3)]))  # in turn: the machine's speed varies
    claims = Claims(f"{PAPER}, speed")
    claims.say("newmark is 2 to 4 times faster than BDF on engines of more than 16 000 equations",
               f"{work / time:.1f} times faster than bdf, at errors of {error:.1e} and {other:.1e} rad; another engine, another BDF",
               outcome(work / time >= 2))
    claims.show()
