"""Yen, Petzold, An efficient Newton-type iteration for the numerical solution of highly oscillatory constrained multibody dynamic
systems, SIAM J. Sci. Comput. 19, 1998. Its tables are lost in the text at hand: the rows here are of the same kind, with data that
are complete in Table 4.2 only. What is left are its claims.
"""
import math

from common import attempt, count, norm, reached, reference
from judge import Claims, Table, outcome
from mechanisms import MECHANISMS

PAPER = "Yen, Petzold 1998"
# The last two are other readings of the text: multipliers predicted by the pseudo-inverse, P updated with the matrix only.
FORMULATIONS = ("ggl", "ggl-star", "cs", "cm", "cm-lambda", "ggl-star-pinv", "cm-kept")
OF_PAPER = ("ggl", "ggl-star", "cs")  # beside cm, in one reading or the other


def oscillation_table(name, title, model, body, end, cases, rest, **settings):
    """All formulations, order 2. cases: (tolerance, eps). Returns {(formulation, case): (statistics, energy left)}."""
    runs = {(f, case): attempt(model, end, f"{body}, energy", simulate__tolerance=case[0], parameters__eps=case[1],
                               bdf__formulation=f, bdf__max_order=2, **settings) for case in cases for f in FORMULATIONS}
    table = Table(f"{PAPER}, {name}", title, "steps", "residuals", "jacobians", "error test", "convergence", "splits",
                  "off the slow motion [m]", "energy left [J]", what="tol, eps")
    out = {}
    for (f, (tolerance, eps)), future in runs.items():
        rows, s = future.result()
        place, energy = rest(eps)
        off = math.hypot(rows[-1][f"{body}.x"] - place[0], rows[-1][f"{body}.y"] - place[1]) if s["ok"] else math.nan
        left = rows[-1]["energy.total"] - energy if s["ok"] else math.inf
        # long runs of damped vibrations are those of rounding
        held = {"worse": {"residuals": s["residuals"]}} if f == "cm-lambda" and s["steps"] < 1000 else {}
        table.row(f"{tolerance:.0e}, {eps:.0e}, {f}", reached(s, end), str(s["residuals"]), str(s["jacobians"]), str(s["rejected"]),
                  str(s["corrector_failures"]), str(s["repartitions"]), off, left, **held)
        out[f, (tolerance, eps)] = s, left
    table.show()
    return out


CIRCLE_CASES = [(tolerance, eps) for tolerance in (1e-3, 1e-5) for eps in (1e-3, 1e-4, 1e-5, 1e-6)]
BUSHING_CASES = [(tolerance, eps) for tolerance in (1e-3, 1e-5) for eps in (1e-4, 1e-5, 1e-6)]
MODERATE_CASES = [(tolerance, eps) for tolerance in (1e-3, 1e-4, 1e-5) for eps in (1e-1, 1e-2)]


def steps_of(s, _):
    return count(s, "steps")


def residuals_of(s, _):
    return count(s, "residuals")


def energy_of(s, left):
    return abs(left) if s["ok"] else math.inf


def say_wins(out, claim, results, cases, value, winner, others=OF_PAPER, slack=0.0, otherwise="not reproduced"):
    """A claim that `winner` is the best everywhere."""
    n = sum(value(*results[winner, c]) <= (1 + slack) * min(value(*results[f, c]) for f in others) + 1e-6 for c in cases)
    out.say(claim, f"in {n} of {len(cases)} cases", outcome(n == len(cases), otherwise))


def failed(results, cases, f):
    return sum(results[f, c][0]["corrector_failures"] for c in cases)


def lead(results, case):
    """How many times fewer residuals cm needs than cs."""
    return count(results["cs", case][0], "residuals") / count(results["cm", case][0], "residuals")


def table_4_1():
    r = oscillation_table("Table 4.1", "point on a circle, linear force (data partly lost), 0.025 s", "circle_linear", "p", 0.025,
                          CIRCLE_CASES, lambda eps: ((0, -1), -1))
    out = Claims(f"{PAPER}, claims of Table 4.1")
    for f in ("cs", "cm"):
        say_wins(out, f"{f} needs fewer residuals than ggl and ggl-star", r, CIRCLE_CASES, residuals_of, f, OF_PAPER[:2])
    n = [failed(r, CIRCLE_CASES, f) for f in ("ggl-star", "ggl")]
    out.say("ggl-star converges better than ggl", f"{n[0]} failures of Newton against {n[1]}", outcome(n[0] < n[1]))
    leads = [lead(r, (1e-3, eps)) for eps in (1e-3, 1e-6)]
    out.say("cm gains on cs as eps falls", "residuals of cs by those of cm at eps = 1e-3 and 1e-6: "
            + ", ".join(f"{x:.2f}" for x in leads) + "; with one degree of freedom both have the same matrix", outcome(leads[1] > 1.1 * leads[0]))
    say_wins(out, "cm damps most at 1e-3, 1e-6 (figure 4.1)", r, [(1e-3, 1e-6)], energy_of, "cm", slack=0.01)
    out.show()


def table_4_2():
    # energy at rest: of the spring, which is 0.1 m long beyond its free length, and of the height
    r = oscillation_table("Table 4.2", "point on a circle, spring, 0.005 s", "circle_spring", "p", 0.005, CIRCLE_CASES,
                          lambda eps: ((0, -1), 0.005 / eps**2 - 1))
    out = Claims(f"{PAPER}, claims of Table 4.2", "the data are complete; what cm is, is not: cm-kept updates P with the matrix only, as the "
                 "words of the paper can be read")
    stiff = [c for c in CIRCLE_CASES if c[1] < 1e-3]
    say_wins(out, "cm takes the fewest steps", r, CIRCLE_CASES, steps_of, "cm")
    say_wins(out, "cm-kept takes the fewest steps", r, CIRCLE_CASES, steps_of, "cm-kept")
    say_wins(out, "cm-kept takes the fewest steps, tolerance 1e-3, eps 1e-4 and below", r, [c for c in stiff if c[0] == 1e-3], steps_of,
             "cm-kept")
    say_wins(out, "cm damps most", r, CIRCLE_CASES, energy_of, "cm", slack=0.01)
    say_wins(out, "cm-kept damps most", r, CIRCLE_CASES, energy_of, "cm-kept", slack=0.01)
    for star in ("ggl-star", "ggl-star-pinv"):
        n = [failed(r, CIRCLE_CASES, f) for f in (star, "ggl")]
        out.say(f"{star} converges better than ggl", f"{n[0]} failures of Newton against {n[1]}", outcome(n[0] < n[1]))
    out.show()


def bushing():
    level = lambda eps: ((math.cos(math.atan(eps**2)), -math.sin(math.atan(eps**2))), -eps**2 / 2)
    r = oscillation_table("Table 4.3", "pendulum with a bushing of moderate stiffness (geometry and end lost), 0.1 s", "bushing_pendulum",
                          "two", 0.1, MODERATE_CASES, level)
    methods = OF_PAPER + ("cm",)
    steps = {c: [count(r[f, c][0], "steps") for f in methods] for c in MODERATE_CASES}
    spread = max(max(n) / min(n) for n in steps.values())
    part = max(r[f, c][0]["corrector_failures"] / r[f, c][0]["steps"] for f in methods for c in MODERATE_CASES)
    out = Claims(f"{PAPER}, claims of Tables 4.3 and 4.4", "geometry and end are lost")
    out.say("moderate stiffness: all methods perform well",
            f"steps within a factor of {spread:.2f}, Newton fails in {100 * part:.1f} % of them at most", outcome(spread <= 1.5 and part <= 0.05))
    r = oscillation_table("Table 4.4", "pendulum with a stiff bushing (geometry and end lost), 0.1 s", "bushing_pendulum", "two", 0.1,
                          BUSHING_CASES, level)
    soft, stiff = ([c for c in BUSHING_CASES if c[1] == eps] for eps in (1e-4, 1e-6))
    n = [failed(r, cases, "cs") for cases in (soft, stiff)]
    out.say("stiff: cs converges worse as eps falls", f"{n[0]} failures of Newton with eps = 1e-4, {n[1]} with 1e-6", outcome(n[1] > n[0]))
    for cm in ("cm", "cm-kept"):
        for f in ("ggl", "ggl-star"):
            n = [failed(r, BUSHING_CASES, name) for name in (f, cm)]
            out.say(f"stiff: {f} converges worse than {cm}", f"{n[0]} failures of Newton against {n[1]}", outcome(n[0] > n[1]))
        say_wins(out, f"stiff: {cm} takes the fewest steps", r, BUSHING_CASES, steps_of, cm)
        say_wins(out, f"stiff: {cm} damps most", r, BUSHING_CASES, energy_of, cm, slack=0.01)
    out.show()


# ---- theorem 3.1 ------------------------------------------------------------------------------------------------

EXPONENT = 0.1


def contraction():
    """Rates of convergence: with cs proportional to delta/eps^2, with cm free of eps."""
    cases = ((1e-4, 1e-6), (10**-4.5, 1e-6), (1e-5, 1e-6), (1e-4, 1e-5))
    runs = {(f, case): attempt("stiff_chain", 0.4, "energy", simulate__tolerance=1e-3, simulate__max_step=2e-3, parameters__eps=case[0],
                               parameters__delta=case[1], bdf__formulation=f, bdf__max_order=2) for f in FORMULATIONS for case in cases}
    out = Table(f"{PAPER}, Theorem 3.1", "chain of three rods, noise delta, steps of 2 ms: geometric mean of Newton's second correction by the "
                "first; exponents of 1/eps and delta", *(f"eps {e:.1e}, delta {d:.0e}" for e, d in cases), "1/eps", "delta", "failures")
    rates = {}
    for f in FORMULATIONS:
        stats = [runs[f, case].result()[1] for case in cases]
        x = [s.get("contraction", math.nan) for s in stats]
        rates[f] = x, math.log10(x[2] / x[0]), math.log10(x[3] / x[0])
        fresh = f in ("cs", "cm", "cm-lambda")  # the others' rates are those of matrices that are kept
        out.row(f, *(f"{v:.2e}" for v in x), f"{rates[f][1]:.2f}", f"{rates[f][2]:.2f}", str(sum(s["corrector_failures"] for s in stats)),
                **({"worse": {"contraction": x[2]}} if fresh else {}))
    out.show("ggl, ggl-star, ggl-star-pinv and cm-kept keep their matrix for several steps: their rates are those of its age.")
    says = Claims(f"{PAPER}, claims of Theorem 3.1")
    says.say("the rate of cs is proportional to 1/eps^2", f"exponent {rates['cs'][1]:.2f}", outcome(abs(rates["cs"][1] - 2) < EXPONENT))
    says.say("and to delta", f"exponent {rates['cs'][2]:.2f}", outcome(abs(rates["cs"][2] - 1) < EXPONENT))
    for f in ("cm", "cm-lambda"):
        says.say(f"that of {f} does not depend on eps", f"exponent {rates[f][1]:.2f}", outcome(abs(rates[f][1]) < EXPONENT))
    says.say("cm converges faster than cs", f"{rates['cs'][0][2] / rates['cm'][0][2]:.0f} times at eps = 1e-5",
             outcome(rates["cs"][0][2] > rates["cm"][0][2]))
    says.show()


# ---- oscillations fed by noise ----------------------------------------------------------------------------------

# Largest distance from the slow motion that an independent prototype stayed below, by tolerance.
SLOW = {"stiff_chain": ("chain3_slow", 4.0, 0.4, {1e-3: 3e-2, 1e-4: 6e-3, 1e-5: 1e-3},
                        [(f"p{i}.{c}", f"{c}{i - 1}") for i in (1, 2, 3) for c in "xy"]),
        "oblique_sphere": ("sphere_oblique_slow", 5.0, 0.5, {1e-3: 6e-2, 1e-4: 2e-2, 1e-5: 5e-3},
                           [(f"p.{c}", c) for c in "xyz"])}
HARD = {("stiff_chain", 1e-4, 1e-5): 3, ("oblique_sphere", 1e-5, 1e-5): 5}  # cs takes so many times the steps of cm
STIFF = (1e-4, 1e-5, 1e-6)


def distance(rows, ref, pairs):
    """Largest distance of a body from the slow motion."""
    known = {round(row["t"], 6): row for row in reference(ref)}
    bodies = {a.split(".")[0] for a, _ in pairs}
    return max(norm(*(row[a] - known[round(row["t"], 6)][b] for a, b in pairs if a.split(".")[0] == body))
               for row in rows if round(row["t"], 6) in known for body in bodies)


def oscillations():
    """Oblique sphere and chain, order 2, noise of 1e-6."""
    runs = {(model, tolerance, eps, f): attempt(model, end, ", ".join(a for a, _ in pairs), output, simulate__tolerance=tolerance,
                                                parameters__eps=eps, parameters__delta=1e-6, bdf__formulation=f, bdf__max_order=2)
            for model, (_, end, output, errors, pairs) in SLOW.items() for tolerance in errors for eps in STIFF for f in FORMULATIONS}
    stats, off = {}, {}
    out = Table("Oscillations fed by noise", "largest distance of a body from the slow motion; good: no more than 1.5 times what an independent "
                "program stays below, farther: 5 times", "steps", "residuals per step", "error test", "convergence", "splits", "off [m]", what="tol, eps")
    for key, future in runs.items():
        (model, tolerance, eps, f), (rows, s) = key, future.result()
        ref, end, _, errors, pairs = SLOW[model]
        stats[key], off[key] = s, distance(rows, ref, pairs)
        times = off[key] / errors[tolerance]
        word = "stops" if not s["ok"] else "good" if times <= 1.5 else "farther" if times <= 5 else "wrong"
        steady = f in ("cm", "cm-lambda", "ggl-star")
        out.row(f"{model}, {tolerance:.0e}, {eps:.0e}, {f}", reached(s, end), f"{s['residuals'] / s['steps']:.2f}", str(s["rejected"]),
                str(s["corrector_failures"]), str(s["repartitions"]), off[key], verdict=word,
                **({"worse": {"steps": s["steps"], "off": off[key], "residuals": s["residuals"]}} if steady else {}))
    out.show("cm-kept has another solution: it is wrong although every test is met.")
    says = Claims(f"{PAPER}, oscillations fed by noise", "what the paper says of oscillatory problems, on two that are complete")
    for model, (_, _, _, errors, _) in SLOW.items():
        for f in ("cm", "cm-lambda"):
            spread = max(max(n) / min(n) for n in ([stats[model, t, eps, f]["steps"] for eps in STIFF] for t in errors))
            most = max(stats[model, t, eps, f]["corrector_failures"] for t in errors for eps in STIFF)
            says.say(f"{model}: {f} takes large steps whatever eps", f"steps within {100 * (spread - 1):.0f} % over eps, Newton fails {most} "
                     "times at most", outcome(spread <= 1.1 and most <= 1))
    for (model, tolerance, eps), times in HARD.items():
        cs, cm = (count(stats[model, tolerance, eps, f], "steps") for f in ("cs", "cm"))
        says.say(f"{model}: cs does not, tolerance {tolerance:g}, eps {eps:g}", f"{cs / cm:.1f} times the steps of cm",
                 outcome(cs >= times * cm), better={"ratio": min(cs / cm, times)})
    for model in SLOW:
        pinv, star, ggl, cs = (sum(stats[model, 1e-4, eps, f]["corrector_failures"] for eps in STIFF[:2]) for f in
                               ("ggl-star-pinv", "ggl-star", "ggl", "cs"))
        says.say(f"{model}: ggl-star, multipliers predicted by the pseudo-inverse, converges better than ggl",
                 f"Newton fails {pinv} times, in ggl {ggl}, in ggl-star with IDA's prediction {star}, in cs {cs} (1e-4; 1e-4, 1e-5)",
                 outcome(pinv < ggl, "refuted"))
        wrong = [off[model, t, 1e-5, "cm-kept"] for t in SLOW[model][3]]
        says.say(f"{model}: cm with a P that is kept with its matrix follows the slow motion", "off by " + ", ".join(f"{w:.2g}" for w in wrong) + " m at tolerances 1e-3, 1e-4, 1e-5",
                 outcome(all(w <= 1.5 * e for w, e in zip(wrong, SLOW[model][3].values())), "refuted"))
    says.show()


def ordinary_models():
    """Every formulation on mechanisms without stiff oscillation; digits that agree with the reference, and the work."""
    # the four-bar up to its first singular pose, which bdf does not pass at every tolerance
    cases = [(name, model, 0.5 if model == "four_bar" else end, settings, ref, pairs)
             for name, model, end, _, _, settings, ref, pairs in MECHANISMS
             if model in ("andrews", "car_axis", "flyball", "four_bar") and not settings]
    cases.append(("vehicle, height", "hmmwv", 1.0, {}, lambda: reference("hmmwv"), [("chassis.z", "z")]))
    consistent = [f for f in FORMULATIONS if f != "cm-kept"]
    runs = {(case[0], tolerance, f): attempt(case[1], case[2], ", ".join(a for a, _ in case[5]),
                                             simulate__tolerance=tolerance, bdf__formulation=f, **case[3])
            for case in cases for tolerance in (1e-4, 1e-7, 1e-10) for f in consistent}
    out = Table("bdf without oscillation", "orders up to 5 on mechanisms without stiff oscillation: correct digits at the end (scd); right: error "
                "below 1000 times the tolerance", "steps", "residuals", "jacobians", "scd", "CPU [s]", what="tol")
    for name, model, end, _, ref, pairs in cases:
        last = [row for row in ref() if row["t"] <= end + 1e-9][-1]
        for tolerance in (1e-4, 1e-7, 1e-10):
            for f in consistent:
                rows, s = runs[name, tolerance, f].result()
                off = max(abs(rows[-1][a] - last[b]) / max(abs(last[b]), 0.1) for a, b in pairs) if s["ok"] else math.nan
                out.row(f"{name}, {tolerance:.0e}, {f}", reached(s, end), str(s["residuals"]), str(s["jacobians"]),
                        f"{-math.log10(max(off, 1e-17)):.1f}" if s["ok"] else "", f"{s['cpu_seconds']:.3f}",
                        verdict="right" if s["ok"] and off <= 1e3 * tolerance else "wrong",
                        worse={"residuals": s["residuals"]} if tolerance > 1e-9 else None)  # below: the last digits decide
    out.show()
