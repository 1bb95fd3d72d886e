"""Figures of Fernandez de Bustos, Uriarte, Urkullu, Garcia-Marina 2021 from our results."""
import math, subprocess

from plot import STYLE, TOP, data
from common import fixed
from fernandez_2021 import DOUBLE_START, IFTOMM, double_norms, rule

BLUE, RED, GREEN = "#0072b2", "#d55e00", "#009e73"


def run(model, method, h, end, signals, output=None, **settings):
    """Columns up to where the run stops."""
    rows, _ = fixed(model, method, h, end, signals, output, **settings).result()
    return {name: [row[name] for row in rows] for name in rows[0]}


def thin(t, y, pieces=250):
    """Least and largest value of each piece of the time, in their order: what rings stays as wide as it is."""
    if len(t) <= 4 * pieces:
        return t, y
    kept = set()
    for i in range(pieces):
        piece = range(i * len(t) // pieces, (i + 1) * len(t) // pieces)
        kept |= {min(piece, key=y.__getitem__), max(piece, key=y.__getitem__)}
    kept = sorted(kept | {0, len(t) - 1})
    return [t[i] for i in kept], [y[i] for i in kept]


def small(title, *series, more=""):
    """A panel. series: (t, y, colour, name)."""
    plots = ", ".join(f'"-" with lines lw 1.2 lc rgb "{colour}" title "{name}"' for _, _, colour, name in series)
    return f'set title "{title}"\n{more}\nplot {plots}\n' + data(*(thin(t, y) for t, y, _, _ in series))


def grid(name, across, rows, height=190):
    """rows: lists of panels, or None for an empty place."""
    script = STYLE.format(height=height * len(rows)).replace('"sans,13"', '"sans,10"')
    script += f'set output "{TOP}/docs/img/{name}.svg"\nset tics font "sans,8"\nset key font "sans,8" samplen 1\nset xlabel ""\n'
    script += f"set multiplot layout {len(rows)},{across}\n"
    for row in rows:
        for panel in row + [None] * (across - len(row)):
            script += panel or "set multiplot next\n"
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


# ---- stiff pendulum -------------------------------------------------------------------------------------------


def angles(figure, model, method, name, steps, shown=200):
    """Panels of the angle; the axis leaves out what grows beyond 0.05 rad, as where a run fails."""
    out, high = [], 0.05 if shown > 5 else 0.007
    for h in steps:
        r = run(model, method, h, 200.0, "bob", **(rule(method, name) if name else {}))
        out.append(small(f"{figure}: h = {h:g} s", (r["t"], r["bob.theta"], BLUE, ""),
                         more=f"set xrange [0:{shown}]\nset yrange [{-high}:{high}]"))
    return out


def pendulum():
    minimal, constrained = "stiff_pendulum_angle", "stiff_pendulum"
    fox = angles("4, Fox-Goodwin", minimal, "newmark", "Fox-Goodwin", (0.01, 0.1, 0.6, 0.7, 0.78, 0.79))
    grid("paper_tangent_figures_3_5", 4, [angles("3, central", minimal, "central", "", (0.01, 0.1, 0.6, 0.7)),
                                          fox[:4], fox[4:],
                                          angles("5, trapezoidal", minimal, "newmark", "trapezoidal", (0.1, 0.7, 0.79, 6.0))])
    few, long = (0.1, 0.6, 0.78, 0.79), (0.1, 0.7, 0.79, 6.0)
    grid("paper_tangent_figures_6_7_12_13", 4, [
        angles("6, projected, TR", constrained, "projected", "trapezoidal", long),
        angles("7, projected, FG", constrained, "projected", "Fox-Goodwin", few, 5),
        angles("12, tangent, FG", constrained, "tangent", "Fox-Goodwin", few),
        angles("13, tangent, TR", constrained, "tangent", "trapezoidal", long)])


def swung():
    rows = [[], [], [], []]
    for T in (5, 6, 7, 9):
        go = lambda model, method: run(model, method, 0.1, 200.0, "bob, hinge", parameters__T0=T, **rule(method, "trapezoidal"))
        projected, tangent = go("stiff_pendulum", "projected"), go("stiff_pendulum", "tangent")
        angle = go("stiff_pendulum_angle", "newmark")
        # the reaction stands in the axes of the body
        force = lambda r: [x * math.cos(a) - y * math.sin(a) for x, y, a in zip(r["hinge.Fx"], r["hinge.Fy"], r["bob.theta"])]
        wide = "set xrange [0:200]\nset yrange [-1.6:1.6]"
        rows[0].append(small(f"8: {T} N m, projected, angle", (projected["t"], projected["bob.theta"], BLUE, ""), more=wide))
        rows[1].append(small(f"9: {T} N m, angle alone", (angle["t"], angle["bob.theta"], BLUE, ""), more=wide))
        wide = "set xrange [0:200]\nset yrange [-12:12]"
        rows[2].append(small(f"10: {T} N m, projected, force x", (projected["t"], force(projected), RED, ""), more=wide))
        rows[3].append(small(f"{T} N m, tangent, force x", (tangent["t"], force(tangent), GREEN, ""), more=wide))
    grid("paper_tangent_figures_8_10", 4, rows)


# ---- stiff double pendulum ------------------------------------------------------------------------------------


def double_pendulum():
    go = lambda method, h, signals, **s: run("double_pendulum", method, h, 10.0, signals, **DOUBLE_START, **s)
    classical = go("projected", 1e-3, "rod1, shoulder", **rule("projected", 0.2500006, 0.5000005))
    fine = go("tangent", 5e-4, "rod1, rod2, omega_max", **rule("tangent", "Fox-Goodwin", start="zero"))
    coarse = go("tangent", 5e-3, "rod1, rod2", **rule("tangent", "Fox-Goodwin", start="zero"))
    cos, sin = ([f(a) for a in classical["rod1.theta"]] for f in (math.cos, math.sin))
    force = [[x * c - y * s for x, y, c, s in zip(classical["shoulder.Fx"], classical["shoulder.Fy"], cos, sin)],
             [x * s + y * c for x, y, c, s in zip(classical["shoulder.Fx"], classical["shoulder.Fy"], cos, sin)]]
    t, (q, v, a) = fine["t"], double_norms(fine)
    log = 'set logscale y\nset format y "10^{%T}"\nset yrange [*:*]'
    plain = 'unset logscale y\nset format y "%g"\nset yrange [*:*]'
    shown = lambda y: [max(x, 1e-17) for x in y]
    grid("paper_tangent_figures_15_22", 3, [
        [small("15: projected, θ_1 [rad]", (classical["t"], classical["rod1.theta"], BLUE, ""), more=plain),
         small("16: projected, force x [N]", (classical["t"], force[0], RED, "")),
         small("16: projected, force y [N]", (classical["t"], force[1], RED, ""))],
        [small("17: tangent, FG, h = 5e-4 s, θ_1 [rad]", (t, fine["rod1.theta"], BLUE, "")),
         small("22: tangent, FG, h = 5e-3 s, θ_1 [rad]", (coarse["t"], coarse["rod1.theta"], BLUE, "")),
         small("21: largest frequency [rad/s]", (t, fine["omega_max"], GREEN, ""), more=log)],
        [small("18: norm of q [m]", (t, shown(q), BLUE, ""), more=log),
         small("19: norm of q' [m/s]", (t, shown(v), BLUE, "")),
         small("20: norm of q'' [m/s^2]", (t, shown(a), BLUE, ""))]], 230)


# ---- Andrews' squeezing mechanism -----------------------------------------------------------------------------


def andrews():
    panels = {}
    plain = 'set yrange [-0.008:0.012]'
    for number, h in ((24, 2e-6), (26, 5e-4), (27, 6e-4)):
        r = run("andrews", "tangent", h, 0.05, "OF.F", max(h, 5e-5), **IFTOMM, **rule("tangent", "Fox-Goodwin"))
        panels[number] = small(f"{number}: F, h = {h:g} s", (r["t"], r["OF.F.x"], BLUE, "x [m]"),
                               (r["t"], r["OF.F.y"], RED, "y [m]"), more=plain)
    r = run("andrews", "tangent", 1e-5, 0.05, "omega_max", **IFTOMM, **rule("tangent", "Fox-Goodwin"))
    panels[25] = small("25: largest frequency [rad/s]", (r["t"], r["omega_max"], GREEN, ""), more="set yrange [*:*]")
    grid("paper_tangent_figures_24_27", 2, [[panels[24], panels[25]], [panels[26], panels[27]]], 230)


REMARKS = """
### Fernandez de Bustos, Uriarte, Urkullu, Garcia-Marina 2021

What of that paper is reproduced: that classical integration of index 3 fails where the constraints turn, and that
integration in the tangent space is stable just where linear theory says, for the pendulum at all steps and torques; that
positions, velocities and accelerations meet their constraints to rounding; Andrews' mechanism with h = 2e-6 s, if the error meant is
that of the motion, and with large steps; the criteria of the double four-bar (0.1 J) and of Bricard's mechanism (0.001 J) with h = 1e-2 s.

What is not:

- Fox-Goodwin is not of order 4. Halving the step divides the error by 4 for every beta, in the tangent space and in one
  coordinate; by 16 only in one coordinate and from a velocity that is off by h^2/12 times the derivative of the
  acceleration.
- The double pendulum is good with h = 5e-4 s from a(0) = 0 only. The consistent a(0), 3.6e6 rad/s^2, belongs to a layer of
  1e-5 s that the step does not resolve, and methods with gamma = 1/2 never forget it: the angle is off by 1.7e-3 rad.
- h = 5e-3 s is not below the limit of Fox-Goodwin with the data at hand: 782.6 rad/s gives 3.13e-3 s. With 5e-3 s the
  ringing of the start stays, with 3e-3 s it dies out.
- gamma = 0.5001, beta = 0.2507 gives the angles of the double pendulum, but forces that ring with 3e5 N after 5 s.
- The frequency of Andrews' mechanism, 4503 rad/s, is not found: the largest is 1146 rad/s in the mass metric, 1154 rad/s
  in the natural one. Off an equilibrium it depends on the coordinates, so it is a hint and no bound, which is
  why steps above the paper's limit of 5.4e-4 s are stable.
- Classical integration of Andrews' mechanism with gamma = 1/2 does not fail with steps of 2e-6 s and 1e-5 s: it reaches the end with the
  crank right to 2.3e-4 rad or better. What fails is the force of the joints, which rings. With h = 5e-4 s it stops.
- If the error of 2.28e-6 for that mechanism is that of the energy, the measure of the library it is from, ours is 2.40e-6 J.
"""


def text():
    """Draws the figures and returns what is said of them."""
    pendulum()
    swung()
    double_pendulum()
    andrews()
    return """
### Fernandez de Bustos, Uriarte, Urkullu, Garcia-Marina 2021

Stability of integration with constraints (Fernandez de Bustos, Uriarte, Urkullu, Garcia-Marina 2021). The number before
each title is that of the paper's figure; time goes to the right in seconds.

Stiff pendulum, torque 0.1 N m, integrated in its angle alone: angle in rad. Central differences are stable with h = 0.6 s
and not with 0.7 s (limit 0.639 s), Fox-Goodwin with 0.78 s, where the swinging is wrong but bounded, and not with 0.79 s
(limit 0.7825 s), the trapezoidal rule with every step: what linear theory says.

![figures 3, 4 and 5: angle of the pendulum, one coordinate](img/paper_tangent_figures_3_5.svg)

The same as a body with a joint. In all coordinates (`projected`, equation 23 of the paper) the trapezoidal rule (TR) holds
and Fox-Goodwin (FG) fails at once with every step: the curves of that row, with times to 5 s, end after 0.9 s to 3.9 s. In
the tangent space (`tangent`) both are what they are in the angle alone.

![figures 6, 7, 12 and 13: angle of the pendulum, with constraints](img/paper_tangent_figures_6_7_12_13.svg)

Larger torques, trapezoidal rule, h = 0.1 s: angle in rad, force of the joint in x in N. In all coordinates the force begins
to ring with 7 N m; with 9 N m it rings earlier, the angle leaves the picture, and the run stops at 182 s. In the angle
alone, and in the tangent space (last row, not in the paper), nothing rings.

![figures 8, 9 and 10: angle and force with larger torques](img/paper_tangent_figures_8_10.svg)

Stiff double pendulum. Above: `projected` with gamma = 0.5000005, beta = 0.2500006 and h = 1e-3 s; the forces of the joint
ring from the first step, and after 0.14 s the run stops. Middle and below: `tangent` with Fox-Goodwin from a(0) = 0. With
h = 5e-4 s the angle is right to 4e-6 rad; the joints hold to rounding in positions, velocities and accelerations. The
largest frequency is 1027 rad/s at the start, falls to 39 rad/s and comes to rest at 782.6 rad/s within half a second. With
h = 5e-3 s, above the limit of 3.13e-3 s, the run comes to its end, but its motion is off, and a ringing of 0.07 rad between
the rods that does not die out makes the curve thick.

![figures 15 to 22: angle, forces, frequency and norms of the constraints](img/paper_tangent_figures_15_22.svg)

Andrews' squeezing mechanism, `tangent` with Fox-Goodwin: the joint F, and the largest frequency of the motion in the mass
metric. With h = 5e-4 s and 6e-4 s the run is stable, and its error grows to 1.2 rad and 1.9 rad of the crank.

![figures 24 to 27: place of the joint F, largest frequency](img/paper_tangent_figures_24_27.svg)
"""
