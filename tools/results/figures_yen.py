"""Figures of the paper of Yen and Petzold (1998): fast oscillations."""
import subprocess, tempfile

from plot import TOP, columns, common, data, figure, sets

FORMULATIONS = {"ggl": "#0072b2", "ggl-star": "#d55e00", "cs": "#009e73", "cm": "#cc79a7", "cm-lambda": "#000000"}


def every_step(model, end, signals, formulation, eps, tolerance):
    """Columns of a run of bdf, a row for each step; of one that stops, up to there."""
    with tempfile.TemporaryDirectory() as scratch:
        out = f"{scratch}/out.csv"
        subprocess.run([common.program, "run", TOP / f"models/{model}.yaml", "-q", "--out", out, "--method", "bdf", "--tol", repr(tolerance), "--time-limit",
                        "60", *sets(simulate__end=end, simulate__max_step=end, simulate__output=0, simulate__signals=f"[{signals}]",
                                    parameters__eps=eps, bdf__formulation=formulation, bdf__max_order=2, bdf__errors="paper")],
                       stderr=subprocess.DEVNULL)
        return columns(out)


def curves(label, runs, values, more=""):
    """values: columns of a run -> (x, y)."""
    plots = ", ".join(f'"-" with lines lw 1.5 lc rgb "{FORMULATIONS[f]}" title "{f}"' for f in runs)
    return f'set ylabel "{label}"\n{more}\nplot {plots}\n' + data(*(values(run) for run in runs.values()))


def energy_above(rest):
    def values(r):
        pairs = [(t, e - rest) for t, e in zip(r["t"], r["energy.total"]) if t > 0 and e - rest > 0]
        return [t for t, _ in pairs], [e for _, e in pairs]
    return values


REMARKS = """
### Yen, Petzold 1998

What of that paper is reproduced: theorem 3.1, as numbers (Newton's rate is proportional to delta/eps^2 with `cs` and free of eps with
`cm`); that `cs` converges worse as eps falls; that all methods do well when the stiffness is moderate. Its tables are lost.

What is not:

- `cm`, with the P of the iterate, is not faster than the others on the problems of section 4: it has the matrix of `cs` there, or a worse
  one where the multipliers are large. One of five claims of Table 4.1, none of Table 4.2, one of the three or four of Table 4.4.
- Read to the letter ("updates P when a new Jacobian is required", `cm-kept`) it does take the fewest steps of Table 4.2 at tolerance 1e-3 and
  leaves the least energy in most cases. It decays to rest fast because its solution is another one: on a chain and a sphere that
  move it is off by 0.3 m to 1.9 m, whatever the eps.
- Multipliers predicted by the pseudo-inverse make `ggl-star` fail as often as `cs` (`ggl-star-pinv`); with IDA's prediction it does not.
"""


def text():
    """Draws figures 4.1 to 4.6, without the sketches, and returns what is said of them."""
    eps, tolerance = 1e-6, 1e-3
    linear, spring, bushing = ({f: every_step(model, end, signals, f, eps, tolerance) for f in FORMULATIONS} for
                               model, end, signals in (("circle_linear", 0.025, "p, energy"),
                                                       ("circle_spring", 0.005, "p, circle, energy"),
                                                       ("bushing_pendulum", 0.1, "two")))
    log = 'set logscale xy\nset format "10^{%T}"'
    figure("paper_oscillation_energy", [curves("energy, linear force [J]", linear, energy_above(-1), log),
                                        curves("energy, spring [J]", spring, energy_above(0.005 / eps**2 - 1), log)])
    plain = 'unset logscale\nset format "%g"\nset xrange [0:5e-4]'  # the rest is at rest
    figure("paper_oscillation_histories", [
        curves("x [m]", spring, lambda r: (r["t"], r["p.x"]), plain),
        curves("velocity in x [m/s]", spring, lambda r: (r["t"], r["p.vx"])),
        curves("force of the circle in y [N]", spring, lambda r: (r["t"], r["circle.Fy"]))])
    figure("paper_oscillation_steps", [curves("step size, bushing [s]", bushing, lambda r: (
        r["t"][1:], [b - a for a, b in zip(r["t"], r["t"][1:])]), 'set logscale y\nset format y "10^{%T}"\nset key bottom right')])
    return """
### Yen, Petzold 1998

Fast oscillations, `bdf` of order 2 with tolerance 1e-3 and eps = 1e-6 (Yen and Petzold 1998, the figures of section 4): the
energy above that of rest, for the linear force and for the spring.

![energy against time](img/paper_oscillation_energy.svg)

Place, velocity and force of the circle, spring.

![histories](img/paper_oscillation_histories.svg)

Size of the steps, pendulum with a bushing.

![step sizes](img/paper_oscillation_steps.svg)
"""
