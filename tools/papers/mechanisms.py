"""Orders, mechanisms and error control of our methods, against the reference solutions of tests/reference; the first lines of
those files say how they were computed.
"""
import math

from common import norm, order, power, reference, run, scalar_motion, shown, start
from gavrea_2005 import pendulum_errors
from judge import Table, outcome

G = 9.81


# ---- orders of convergence ---------------------------------------------------------------------------------

METHODS = {"hht(-0.3)": ("hht", {"hht__alpha": -0.3}, 2), "genalpha(0.8)": ("genalpha", {"genalpha__rho": 0.8}, 2),
           "newmark(0.75)": ("newmark", {"newmark__gamma": 0.75}, 1)}


def order_table(key, title, steps, errors, claimed, position_from):
    """errors: (q, v, lam) for each step. Positions of methods of order 1 are at their order from 2^-position_from on."""
    columns, names = list(zip(*errors)), ("dq", "dv", "dlam")
    out = Table(key, f"{title}; order: to 0.1 at the last step", "dq", "order", "dv", "order", "dlam", "order", what="h")
    for i, k in enumerate(steps):
        orders = [order(e, i) for e in columns]
        cells = [text for e, o in zip(columns, orders) for text in (f"{e[i]:.3e}", shown(o))]
        if i < len(steps) - 1:
            out.row(power(k), *cells)
    counts = [claimed == 2 or steps[-1] > position_from, True, True]
    good = all(abs(o - claimed) <= 0.1 for o, c in zip(orders, counts) if c)
    # Gavrea et al. 2005: of order 1 on the index-3 equations too
    verdict = outcome(good) if claimed == 1 else f"order {claimed}" if good else "another order"
    out.row(power(k), *cells, verdict=verdict, worse={n: e[-1] for n, e in zip(names, columns)})
    out.show()


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
        order_table(f"Order of {name}, pendulum", "largest error at t = 0.5, 1, .. 4 s against the closed form", list(steps[claimed]),
                    errors, claimed, 12)


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
        order_table(f"Order of {name}, spatial double pendulum", "largest error at t = 0.25, 0.5, .. 2 s against genalpha with h/16",
                    list(steps), errors, claimed, 99)


# ---- benchmark mechanisms ----------------------------------------------------------------------------------


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
    at = iter(runs)
    out = Table("Mechanisms", "largest error over the whole time against their reference solutions with steps h, h/2, h/4", "h", "error(h)",
                "error(h/2)", "error(h/4)", "order", "order")
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
            out.row(f"{title}, {name}", f"{h:g}", *(f"{e:.3e}" for e in errors), *map(shown, orders),
                    verdict="order 2" if 1.9 <= orders[1] <= 2.3 else "another order", worse={"error": errors[2]})
    out.show()


def branch_of_four_bar():
    """Energy drift (bound of the benchmark library) and whether the cranks stay parallel in the singular poses."""
    second_order, cranks = list(METHODS.items())[:2], ["crank0", "crank1", "crank2"]
    runs = [run("four_bar", method, 5e-3, 10.0, ", ".join(f"{c}.theta" for c in cranks) + ", energy", output=5e-3,
                **options) for _, (method, options, _) in second_order]
    out = Table("Four-bar, N = 2", "h = 5e-3 s, 10 s, through the singular poses; the benchmark allows 0.1 J", "energy [J]", "drift [J]",
                "largest |sin(phi_i - phi_0)|")
    for (name, _), future in zip(second_order, runs):
        rows = future.result()
        drift = max(abs(r["energy.total"] - rows[0]["energy.total"]) for r in rows)
        twist = max(abs(math.sin(r[f"{c}.theta"] - r["crank0.theta"])) for r in rows for c in cranks[1:])
        out.row(name, f"{rows[0]['energy.total']:.3f}", f"{drift:.4f}", f"{twist:.1e}",
                verdict="meets it" if drift < 0.1 and twist <= 1e-9 else "does not", worse={"drift": drift})
    out.show()


# ---- error control ------------------------------------------------------------------------------------------

TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
# Of an independent prototype with the control of Gavrea et al. 2005: steps, largest error, Newton matrices.
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
        out = Table(f"Error control, {model}, {method}", f"steps and largest error ({what}) beside an independent program of the same control",
                    "steps known", "here", "ratio", "error known", "here", "ratio", "rejected", "matrices", what="tolerance")
        for k, r in enumerate(runs):
            result, stats = r.result()
            error = measure(result, ref)
            # its first steps are others: at loose tolerances that is much of the whole
            alike = stats["steps"] <= 1.1 * steps[k] and error <= 1.2 * errors[k]
            out.row(f"{TOLERANCES[k]:.0e}", str(steps[k]), str(stats["steps"]), f"{stats['steps'] / steps[k]:.2f}", errors[k], error,
                    f"{error / errors[k]:.2f}", str(stats["rejected"]), str(stats["jacobians"]), verdict="alike" if alike else "worse",
                    worse={"steps": stats["steps"], "error": error, "matrices": stats["jacobians"]})
        out.show()


# Model and end of the comparison: the chains and the stiff pendulum are compared over a part of their run.
RATES = {"pendulum": 4.0, "double_pendulum": 2.0, "four_bar": 2.0, "andrews": 0.03, "bricard": 4.0, "flyball": 2.0,
         "car_axis": 3.0, "slider_crank": 1.0, "double_pendulum_3d": 2.0, "chain": 1.0, "chain3d": 1.0,
         "stiff_pendulum": 20.0}


def rates():
    """Global error against the tolerance on every model: eps^(1/3) for newmark, eps^(2/3) for hht and genalpha."""
    tolerances = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
    out = Table("Error and tolerance", "largest error of all positions (reference: genalpha at 1e-10); rate from 1e-6 to 1e-8; held: 0.8 x "
                "the rate of theory", *(f"{t:.0e}" for t in tolerances), "rate", "theory")
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
            out.row(f"{model}, {method}", *errors, f"{rate:.2f}", f"{claimed:.2f}", verdict="held" if rate > 0.8 * claimed else "slower",
                    worse={"error": errors[-2]}, better={"rate": rate})
    out.show()
