"""Paper 000: Yen, Petzold, An efficient Newton-type iteration for the numerical solution of highly oscillatory constrained
multibody dynamic systems, SIAM J. Sci. Comput. 19, 1998. Its tables are lost in the text at hand: the rows here are of the
same kind, with data that are complete.
"""
import math

from common import attempt, claims, count, norm, reached, reference, table, there, verdict
from mechanisms import MECHANISMS


FORMULATIONS = ("ggl", "ggl-star", "cs", "cm", "cm-lambda")


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
    if not there("bdf", "000"):
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
    if not there("bdf", "000"):
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
    if not there("bdf", "000"):
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
