"""Ascher, Lin, Sequential regularization methods for simulating mechanical systems with many closed loops, SIAM J. Sci. Comput. 21,
1999. Its formulas and most data of its examples are lost in the text we have: the examples are as reconstructed (docs/theory.md,
section 15).
"""
import math, re, resource

import common
from common import norm, order, pool, execute, reference, scalar_motion, shown, start
from judge import Claims, Table, outcome

PAPER = "Ascher, Lin 1999"
AS_READ = {"srm__scaling": "identity", "srm__alpha": 1}  # the reading of the text: E = I, alpha constant
FAST = {"srm__scaling": "identity"}  # alpha = 1/eps


def rods_of_ladder(K):
    return 3 * K + 1


def rods_of_net(L):
    return 2 * L * (L + 1)


def srm(model, step, end, signals="", **settings):
    """Starts a run; .result() gives the last row and the statistics, also of a run that stops."""
    settings = {"simulate.step": repr(step), "simulate.end": repr(end), "simulate.output": repr(end),
                "simulate.signals": f"[{signals or 'energy'}]", **{k.replace("__", "."): v for k, v in settings.items()}}
    return pool.submit(execute, model, "srm", settings)


def open_by(future):
    """Largest opening of the joints [m]; infinite when the run stops or leaves all bounds."""
    rows, stats = future.result()
    off = stats["max_position_violation"]
    return off if stats["ok"] and off < 100 else math.inf


def shown_opening(x):
    return f"{x:.1e}" if math.isfinite(x) else "unstable"


def needed(openings, goal):
    return next((str(s + 1) for s, x in enumerate(openings) if x <= goal), f"> {len(openings)}")


# ---- number of iterates ---------------------------------------------------------------------------------------

# Largest openings with one, two, three iterates as found with another program, in other coordinates.
LADDERS = {1: (1.4e-2, 6.7e-4, 1.6e-4), 7: (1.8e-2, 2.2e-3, 3.8e-4), 33: (3.0e-2, 2.1e-3, 1.5e-4),
           333: (3.5e-2, 2.2e-3, 2.4e-4), 3333: None}
NETS = {2: (7.8e-3, 5.0e-4, 7.7e-5), 4: None, 12: (6.5e-3, 2.5e-3, 7.6e-4), 22: (1.5e-2, 5.2e-3, 1.8e-3)}


def alike(ours, theirs, dimension):
    """The other program may measure distances, this one measures components."""
    return all(0.95 / math.sqrt(dimension) < a / b < 1.05 for a, b in zip(ours, theirs))


def iterates(name, title, model, parameter, rods, known, end):
    """Openings for one, two, three iterates, with alpha = 1 and alpha = 1/eps."""
    known = {size: x for size, x in known.items() if not common.short or rods(size) < 2000}
    runs = {size: [srm(model, 0.01, end, srm__eps=0.05, srm__iterates=S, **settings, **{f"parameters__{parameter}": size})
                   for settings in (AS_READ, FAST) for S in (1, 2, 3)] for size in known}
    out = Table(f"{PAPER}, {name}", f"{title}; reproduced: two iterates are enough (5.5e-3 m; with alpha = 1/eps 1e-3 m)", "S = 1", "S = 2",
                "S = 3", "c: S = 1", "S = 2", "S = 3", "another program, S = 1, 2, 3", "S for 5.5e-3", "c: S for 1e-3", what="rods")
    found, dimension = {}, 3 if model == "net" else 2
    for size, futures in runs.items():
        x = found[size] = [open_by(f) for f in futures]
        other = " ".join(f"{y:.1e}" for y in known[size]) if known[size] else ""
        like = "" if not known[size] else ", alike" if alike(x, known[size], dimension) else ", not alike"
        needs = needed(x[:3], 5.5e-3), needed(x[3:], 1e-3)
        out.row(str(rods(size)), *map(shown_opening, x), other + like, *needs, verdict=outcome(all(n in "12" for n in needs)),
                worse={f"{c}S{S}": x[3 * k + S - 1] for k, c in enumerate(("", "c: ")) for S in (1, 2, 3)})
    out.show("alike: to 5 %, or as much less as components, which we measure, are less than distances.")
    says = Claims(f"{PAPER}, claims of {name}")
    x = [found[size] for size in found]
    many = {size: a for size, a in found.items() if rods(size) > 20}
    says.say("the second and the third iterate open almost alike, as far as the text can be read",
             "the third opens less by " + ", ".join(f"{a[1] / a[2]:.1f}" for a in x), outcome(all(a[1] / a[2] < 1.5 for a in x)))
    says.say("the second improves on the first", "by " + ", ".join(f"{a[0] / a[1]:.1f}" for a in x), outcome(all(a[1] < a[0] / 1.5 for a in x)))
    says.say("theorem: with two iterates the openings do not depend on the number of rods",
             f"from {rods(min(many))} to {rods(max(many))} rods: " + ", ".join(f"{a[1]:.1e}" for a in many.values()) + " m",
             outcome(max(a[1] for a in many.values()) < 2 * min(a[1] for a in many.values())))
    says.show()


def tables_4_1_and_4_3():
    iterates("Table 4.1", "square chain, h = 0.01 s, eps = 0.05 s/kg, Heun, 0 .. 1.2 s: largest opening of a joint [m] with alpha = 1/s and (c) "
             "alpha = 1/eps", "ladder", "K", rods_of_ladder, LADDERS, 1.2)
    iterates("Table 4.3", "square net, one corner held, columns tilted by 0.5 rad, h = 0.01 s, eps = 0.05 s/kg, Heun, 0 .. 1 s: the same", "net",
             "L", rods_of_net, NETS, 1.0)


def first_layer():
    """mu_0 = mu(0) against mu_0 = 0: the theorem's assumption on the start."""
    out = Table(f"{PAPER}, initial layer", "square chain of 22 rods, h = 0.001 s, eps = 0.05 s/kg: largest opening [m] up to t with mu_0 = 0 and "
                "with mu_0 = mu(0)", "0.01 s", "0.1 s", "1.2 s", "exact: 0.01 s", "0.1 s", "1.2 s", "gain at 0.01 s")
    runs = {S: [srm("ladder", 0.001, end, srm__eps=0.05, srm__iterates=S, srm__mu0=mu0, **AS_READ) for mu0 in ("zero", "exact")
                for end in (0.01, 0.1, 1.2)] for S in (1, 2, 3)}
    for S, futures in runs.items():
        x = [open_by(f) for f in futures]
        out.row(f"S = {S}", *map(shown_opening, x), f"{x[0] / x[3]:.0f}", verdict=outcome(x[3] < x[0] / 100),
                worse={"exact": x[3], "at the end": x[5]})
    out.show("reproduced: no layer at the start, a hundredth of the opening there. What is left at the end is the same.")


def eps_of_the_net():
    """eps = 0.5 h is the one value that the text gives for the net; it fits a scaled E only."""
    out = Table(f"{PAPER}, example 4.2", "eps = 0.5 h, net of 40 rods, h = 0.01 s, two iterates, alpha = 1/s (stable below h lambda/eps = 2)",
                "h lambda/eps", "opening [m]")
    for what, scaling, eps in (("E = 1, eps = 0.5 h", "identity", 0.005), ("E = 1, eps = 4 h", "identity", 0.04),
                               ("E scaled, eps = 0.5 h", "blocks", 0.005), ("E scaled, eps = 0.6 h", "blocks", 0.006)):
        future = srm("net", 0.01, 1.0, srm__eps=eps, srm__alpha=1, srm__scaling=scaling)
        x = open_by(future)
        word = outcome(x < 0.01) if "0.5 h" in what else "stable" if x < 0.01 else "unstable"
        out.row(what, f"{0.01 * future.result()[1]['srm_most'] / eps:.2f}", shown_opening(x), verdict=word,
                worse={"opening": x} if math.isfinite(x) else None)
    out.show("With E = 1, as the text reads, its own eps is not stable; with E scaled by the masses it is the limit of stability.")


# ---- Table 4.2 ------------------------------------------------------------------------------------------------

TABLE_4_2 = {"I, S = 1, eps = 0.05": (7.763e-3, 1.289e-2, 1.744e-2, 2.959e-2), "I, S = 2, eps = 0.5": (7.763e-3, 1.289e-2, 1.744e-2, 3.107e-2),
             "II, S = 2, eps = 0.5": (1.008e-1, 1.640e-1, 2.270e-1, 4.794e-1), "II, S = 4, eps = 0.5": (5.869e-2, 8.514e-2, 1.129e-1, 1.155e-1)}
TIMES = (0.4, 0.5, 0.6, 1.0)


def table_4_2():
    """Forward Euler; the times, the step and what drifts are our guess."""
    def ask(name, project):
        form, S, eps = re.match(r"(I+), S = (\d), eps = ([\d.]+)", name).groups()
        return [srm("ladder", 0.001, end, srm__pair="euler", srm__form="stabilised" if form == "I" else "all", srm__iterates=int(S),
                    srm__eps=float(eps), srm__project=project, **AS_READ) for end in TIMES]
    runs = {(name, project): ask(name, project) for name in TABLE_4_2 for project in ("no", "yes") if name[:2] == "I," or project == "no"}
    found = {}
    out = Table(f"{PAPER}, Table 4.2", "square chain of 22 rods, forward Euler, h = 0.001 s, alpha = 1/s: largest opening of a joint [m] up to t; "
                "I is (3.12), II is (3.10); reproduced: to 10 %", *(f"{t:g} s" for t in TIMES), *(f"paper {t:g} s" for t in TIMES), "largest factor")
    for (name, project), futures in runs.items():
        x = found[name, project] = [open_by(f) for f in futures]
        factor = max(max(a / b, b / a) for a, b in zip(x, TABLE_4_2[name]))
        out.row(f"{name}, tree {'projected' if project == 'yes' else 'as it drifts'}", *map(shown_opening, x),
                *(f"{p:.3e}" for p in TABLE_4_2[name]), f"{factor:.1f}", verdict=outcome(factor < 1.1), worse={"1 s": x[-1]})
    out.show("The first two rows of the paper agree to four digits although eps differs tenfold, so what they list does not come from the "
             "regularization.", "Lengths of rods, which drift under forward Euler when they are held by accelerations, cannot drift here, where rods "
             "are rigid bodies; gravity, step,", "geometry and the unit of the times are not in the text.")
    limit = [(eps, open_by(srm("ladder", 0.001, 1.0, srm__pair="euler", srm__form="all", srm__eps=eps, **AS_READ)))
             for eps in (0.005, 0.01, 0.02, 0.05)]
    one = open_by(srm("ladder", 0.001, 1.0, srm__pair="euler", srm__eps=0.005, **AS_READ))
    x = {name: found[name, "no"] for name in TABLE_4_2}
    I1, I2, II2, II4 = x.values()
    says = Claims(f"{PAPER}, claims of Table 4.2")
    says.say("I is stable where II is not, with eps = 5 h", f"I opens by {shown_opening(one)} m, II: {shown_opening(limit[0][1])}",
             outcome(one < 0.1 and limit[0][1] == math.inf), worse={"I": one})
    says.say("II needs a larger eps", "with 10, 20, 50 h it opens by " + ", ".join(shown_opening(v) for _, v in limit[1:]) + " m",
             outcome(math.isfinite(limit[-1][1])))
    says.say("I opens less than II with the same eps and S", "by factors of " + ", ".join(f"{b / a:.1f}" for a, b in zip(I2, II2)),
             outcome(all(a < b for a, b in zip(I2, II2))))
    says.say("four iterates of II improve on two", "by factors of " + ", ".join(f"{b / a:.1f}" for a, b in zip(II4, II2)),
             outcome(all(a < b for a, b in zip(II4, II2))))
    says.say("I with eps = 0.05, S = 1 and eps = 0.5, S = 2 open alike", "they differ by factors of "
             + ", ".join(f"{b / a:.1f}" for a, b in zip(I1, I2)), outcome(all(abs(a / b - 1) < 0.05 for a, b in zip(I1, I2))))
    says.show()


# ---- accuracy -------------------------------------------------------------------------------------------------

# name, model, settings, end, {signal: columns of the reference}, step of srm, bound of srm
CASES = [("ladder, 4 rods", "ladder", {"parameters__K": 1}, 1.2, "ladder_1", {"top1.right": "top1", "bottom1.right": "bot1"}, 0.01, 8e-5),
         ("ladder, 10 rods", "ladder", {"parameters__K": 3}, 1.2, "ladder_3", {"top3.right": "top3", "bottom3.right": "bot3"}, 0.01, 2e-5),
         ("ladder, 22 rods", "ladder", {}, 1.2, "ladder_7", {"top7.right": "top7", "bottom7.right": "bot7"}, 0.01, 2e-5),
         ("ladder, 1000 rods", "ladder", {"parameters__K": 333}, 1.5, "ladder_333",
          {"top333.right": "top333", "bottom333.right": "bot333", "rung10.bottom": "bot10"}, 0.0025, 1e-5),
         ("net, 12 rods", "net", {"parameters__L": 2}, 1.0, "net_2", {"row2_0.end": "c20", "row2_2.end": "c22"}, 0.01, 5e-5),
         ("net, 40 rods", "net", {"parameters__L": 4}, 1.0, "net_4", {"row4_0.end": "c40", "row4_4.end": "c44"}, 0.01, 5e-5),
         ("net, 1012 rods", "net", {"parameters__L": 22}, 1.0, "net_22",
          {"row22_0.end": "c22_0", "column0_22.end": "c0_22", "row22_22.end": "c22_22", "row11_11.end": "c11_11"}, 0.0025, 1e-5)]
EXACT = (1e-4, 1e-6)


def at(name, t):
    return next(row for row in reference(name) if abs(row["t"] - t) < 1e-9)


def signals_of(points, dimension):
    return ", ".join(f"{point}.{c}" for point in points for c in "xyz"[:dimension])


def error_at(row, known, points, dimension):
    return max(abs(row[f"{point}.{c}"] - known[f"{name}_{c}"]) for point, name in points.items() for c in "xyz"[:dimension])


def accuracy():
    jobs = []
    out = Table("Ladders and nets", "largest error of a named joint [m] against solutions in other coordinates; srm with two iterates, eps = 5 h, alpha "
                "= 1/eps, and rk of order 5 with exact loop multipliers", "t [s]", "h [s]", "srm", "bound", *(f"exact, tol {tol:.0e}" for tol in EXACT))
    for name, model, settings, end, ref, points, h, bound in CASES:
        dimension = 3 if model == "net" else 2
        signals = signals_of(points, dimension)
        runs = [start(model, "srm", h, end, signals, end, srm__eps=5 * h, **FAST, **settings)]
        runs += [start(model, "rk", None, end, signals, end, rk__solve="tree", rk__order=5, simulate__tolerance=tol,
                       simulate__max_step=end, **settings) for tol in EXACT]
        jobs.append((name, at(ref, end), end, points, dimension, h, bound, runs))
    for name, known, end, points, dimension, h, bound, runs in jobs:
        e = [error_at(f.result()[0][-1], known, points, dimension) for f in runs]
        good = e[0] <= bound and all(x <= 10 * tol for x, tol in zip(e[1:], EXACT))
        out.row(name, f"{end:g}", f"{h:g}", f"{e[0]:.1e}", f"{bound:.0e}", *(f"{x:.1e}" for x in e[1:]), verdict="right" if good else "wrong",
                worse={"srm": e[0], "exact": e[1]})
    out.show("The ladder of 4 rods is folded flat at 1.386 s, 0.19 s later: the multipliers grow already. Most of its error is that of the",
             "regularization, which no coordinates change: with h = 0.00125 and the same eps it is 5.8e-5; another choice of the cut joint makes it",
             "3e-4, eps = 0.025 makes it 6.4e-6. Rods with a point and a direction for coordinates have 6.6e-5 with the step and eps of the table.")


def orders():
    steps, points = (0.01, 0.005, 0.0025, 0.00125), {"top7.right": "top7", "bottom7.right": "bot7"}
    known, columns = at("ladder_7", 1.2), []
    runs = [[start("ladder", "srm", h, 1.2, signals_of(points, 2), 1.2, srm__eps=5 * h, srm__iterates=S, **FAST) for h in steps]
            for S in (1, 2, 3)]
    for futures in runs:
        done = [f.result() for f in futures]
        columns += [[error_at(rows[-1], known, points, 2) for rows, _ in done], [s["srm_drift"] for _, s in done]]
    over_all = [math.log2(e[0] / e[3]) / 3 for e in columns]
    out = Table(f"{PAPER}, order", "square chain of 22 rods, eps = 5 h, alpha = 1/eps: error of the far corners at 1.2 s and largest opening, with "
                "their orders; reproduced: order 2 (1.8 at the last halving) of Heun's method with S = 2",
                *(text for S in (1, 2, 3) for text in (f"S = {S}: error", "order", "open", "order")), what="h [s]")
    for i, h in enumerate(steps):
        cells = [text for e in columns for text in (f"{e[i]:.2e}", shown(order(e, i)))]
        if i < 3:
            out.row(f"{h:g}", *cells)
    good = all(order(e, 3) >= 1.8 for e in columns) and all(o >= 1.9 for o in over_all[:4])
    out.row(f"{h:g}", *cells, verdict=outcome(good), worse={f"S{1 + k // 2} {('error', 'open')[k % 2]}": e[3] for k, e in enumerate(columns)})
    out.show("Over all three halvings: " + ", ".join(f"{o:.2f}" for o in over_all) + ". Errors with more iterates are those of Heun's method; some are "
             "small by chance.")


# ---- exact multipliers ----------------------------------------------------------------------------------------


def exact_mode():
    """Iterations of the conjugate gradients per solution; up to 50 loop rows the operator is factored instead."""
    sizes = [("ladder", "K", K, rods_of_ladder(K)) for K in (1, 33, 333, 3333)] + [("net", "L", L, rods_of_net(L)) for L in (4, 22, 70)]
    sizes = [size for size in sizes if not common.short or size[3] < 5000]
    out = Table("Exact multipliers", "rk with h = 0.01 s: iterations of the conjugate gradients, each O(n), per solution for the loops; up to 50 loop "
                "rows the operator is factored", "solutions", "iterations", what="rods")
    for model, parameter, size, rods in sizes:
        _, s = start(model, "rk", 0.01, 0.05 if rods > 5000 else 0.2, "energy", 0.2, rk__solve="tree",
                     **{f"parameters__{parameter}": size}).result()
        count = s["loop_iterations"] / s["loop_solves"] if s["loop_iterations"] else 0
        out.row(f"{model}, {rods}", str(s["loop_solves"]), f"{count:.1f}" if count else "factored", worse={"iterations": count})
    out.show()


# ---- singular poses, rings, towers ----------------------------------------------------------------------------


def tower_angle(K, open_square, lean, t, diagonals):
    """The open square is a parallelogram that carries all above it: a pendulum upside down."""
    carried = 1 + (3 + diagonals) * (K - open_square)  # rungs, rails, diagonals
    return scalar_motion(lambda a: (carried + 1) / (carried + 2 / 3) * math.sin(a), lean, 0.0, t)[0]


def special_cases():
    out = Table("Rings, folds, towers", "a ring, a folded square, a tower whose open square folds at 3.5 s: error at the end [m, rad], largest opening, "
                "energy drift [J]", "error", "bound", "open", "energy")

    def add(name, method, error, bound, s):
        good = s["ok"] and error <= (bound or math.pi / 2)
        held = {"error": error} if method.endswith("S = 1") or method.endswith("S = 2") else {}
        out.row(f"{name}, {method}", f"{error:.1e}", f"{bound:.0e}" if bound else "", f"{s['max_position_violation']:.1e}",
                f"{s['energy_drift_max']:.1e}", verdict="right" if good else "wrong" if s["ok"] else "stops", worse=held if bound else None)
        return error, s["max_position_violation"]

    rows, s = start("ring", "rk", None, 2.0, "rod6.start", 2.0, rk__solve="tree", simulate__tolerance=1e-8).result()
    add("ring of 12 rods, 2 s", "exact, 1e-8", norm(rows[-1]["rod6.start.x"], rows[-1]["rod6.start.y"] - 1.78980951350), 1e-7, s)
    known = at("ladder_1", 3)
    points = {"top1.right": "top1", "bottom1.right": "bot1"}
    for name, settings, bound in (("eps = 5 h, S = 1", {"srm__iterates": 1, **FAST}, 5e-3), ("eps = 5 h, S = 2", {"srm__iterates": 2, **FAST}, 5e-3)):
        rows, s = start("ladder", "srm", 0.0025, 3.0, signals_of(points, 2), 3.0, parameters__K=1, srm__eps=0.0125, **settings).result()
        add("ladder of 4 rods, folded at 1.386 s, 3 s", name, error_at(rows[-1], known, points, 2), bound, s)
    rows, s = start("ladder", "rk", None, 3.0, signals_of(points, 2), 3.0, parameters__K=1, rk__solve="tree", simulate__tolerance=1e-6).result()
    add("ladder of 4 rods, folded at 1.386 s, 3 s", "exact, 1e-6", error_at(rows[-1], known, points, 2), 1e-4, s)
    points = {"top7.right": "top7", "bottom7.right": "bot7"}
    rows, s = start("ladder", "rk", None, 3.3, signals_of(points, 2), 3.3, rk__solve="tree", simulate__tolerance=1e-6).result()
    add("ladder of 22 rods, six squares folded, 3.3 s", "exact, 1e-6", error_at(rows[-1], at("ladder_7", 3.3), points, 2), 1e-5, s)
    for diagonals, method, options, bound in (
            (1, "rk", {"rk__solve": "tree", "simulate__tolerance": 1e-6}, 1e-3),
            (1, "rk", {"rk__solve": "sparse", "simulate__tolerance": 1e-6}, 1e-3),
            (2, "rk", {"rk__solve": "tree", "simulate__tolerance": 1e-6}, 1e-3),
            (2, "rk", {"rk__solve": "sparse", "simulate__tolerance": 1e-6}, 1e-3),
            (1, "srm", {"simulate__step": 0.0005, "srm__iterates": 2}, 0.01), (1, "srm", {"simulate__step": 0.0005, "srm__iterates": 2}, None)):
        end = 2.5 if method == "srm" and bound else 6.0
        rows, s = start("tower", method, None, end, "rail5_0", end, parameters__K=20, parameters__open=5, parameters__diagonals=diagonals,
                        **options).result()
        exact = math.pi / 2 - tower_angle(20, 5, 0.1, end, diagonals)
        what = f"exact, {options.get('simulate__tolerance', 0):.0e}" if method == "rk" else "h = 5e-4 s, S = 2"
        lost = add(f"tower of 20 squares, {diagonals} diagonal{'s' * (diagonals > 1)}, {end:g} s",
            f"{what}{', sparse' * (options.get('rk__solve') == 'sparse')}", abs(rows[-1]["rail5_0.theta"] - exact), bound, s)
    out.show(f"srm runs through the fold of the tower and its joints open by {lost[1]:.1e} m at most, but under that load the angle is off by {lost[0]:.1e} "
             "rad", "afterwards: where a heavy structure folds, the exact mode is needed. With two diagonals in every square one equation of each is "
             "redundant;", "rows of the tree are never those left out.")


# ---- large ----------------------------------------------------------------------------------------------------


def large():
    """100 000 rods and more: minutes."""
    out = Table(f"{PAPER}, at large", "place of the far joints against solutions of another program [m], h = 0.01 s, two iterates", "rods", "off", "bound",
                "open", "bound", "CPU [s]", "ns per rod and step, with the start")

    def add(name, rods, future, points, known, tolerance, opening):
        rows, s = future.result()
        off = max(abs(rows[-1][f"{point}.{c}"] - x) for point, place in zip(points, known) for c, x in zip("xyz", place))
        good = s["ok"] and off <= tolerance and s["max_position_violation"] <= opening
        out.row(name, str(rods), f"{off:.1e}", f"{tolerance:.0e}", f"{s['max_position_violation']:.1e}", f"{opening:.0e}",
                f"{s['cpu_seconds']:.0f}", f"{1e9 * s['cpu_seconds'] / rods / s['steps']:.0f}", verdict="right" if good else "wrong")

    settings = {"srm__eps": 0.05, **FAST}
    add("ladder, srm, 1.2 s", 100000, start("ladder", "srm", 0.01, 1.2, "top33333.right", 1.2, parameters__K=33333, **settings),
        ["top33333.right"], [(33332.98634, -0.72005930)], 1e-4, 2e-3)
    add("net 200 x 200, srm, 0.5 s", 80400, start("net", "srm", 0.01, 0.5, "row200_0.end, column0_200.end", 0.5, parameters__L=200, **settings),
        ["row200_0.end", "column0_200.end"], [(199.99176, 1.94e-5, -0.1250355), (.00734, 95.83232, -175.54489)], 1e-5, 1e-3)
    add("net 200 x 200, srm, 1 s", 80400, start("net", "srm", 0.01, 1.0, "row200_0.end", 1.0, parameters__L=200, **settings),
        ["row200_0.end"], [(199.8846, .00349, -.50638)], 1e-3, 2e-2)
    add("ring, exact, 2 s", 10000, start("ring", "rk", 0.01, 2.0, "rod5000.start", 2.0, parameters__N=10000, rk__solve="tree"),
        ["rod5000.start"], [(0, 3181.09029)], 1e-5, 1e-9)
    out.show()
    says = Claims(f"{PAPER}, O(n)")
    _, s = start("ladder", "rk", 0.01, 0.02, "energy", 0.02, parameters__K=33333, rk__solve="tree").result()
    iterations = s["loop_iterations"] / s["loop_solves"]
    says.say("exact multipliers of the ladder of 100 000 rods", f"{iterations:.1f} iterations per solution", "16 at most" if iterations < 16 else "many",
             worse={"iterations": iterations})
    _, s = start("ladder", "srm", 0.01, 0.05, "top333333.right", 0.05, parameters__K=333333, **settings).result()
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    good = peak <= 2 and s["max_position_violation"] <= 2e-3
    says.say("ladder of 1 000 000 rods, srm", f"{s['steps']} steps, open by {s['max_position_violation']:.1e} m, {s['cpu_seconds']:.0f} s of CPU with the "
             f"start; the largest run of all took {peak:.2f} GB", "2 GB at most" if good else "too much", worse={"peak": peak})
    says.show()
