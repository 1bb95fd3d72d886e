#!/usr/bin/env python3
"""Draws docs/img/user_*.svg: the tutorial models with users' equations, and as circles what tests/reference/user_models.py
finds for them without this program; and docs/img/oscillation_*.svg: the models that oscillate fast, with their references.

    tools/user_models.py [PROGRAM]        PROGRAM: default build/bin/holonom; needs gnuplot
"""
import csv, math, pathlib, subprocess, sys, tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else TOP / "build/bin/holonom"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOP / "tests/reference"))
import user_models as exact

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"]
CIRCLE = "#000000"

STYLE = """set encoding utf8
set terminal svg size 900,{height} font "sans,13" background "white"
set grid lc rgb "#dddddd"
set border 3 lc rgb "#666666"
set tics nomirror
set key above
"""


def simulate(model, *options):
    """Columns of the result by name."""
    with tempfile.TemporaryDirectory() as scratch:
        out = f"{scratch}/out.csv"
        subprocess.run([PROGRAM, "run", TOP / f"models/{model}.yaml", "-q", "--out", out, *options], check=True)
        with open(out) as file:
            rows = list(csv.DictReader(line for line in file if line[0] != "#"))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def scaled(values, factor):
    return [factor * x for x in values]


def panel(xlabel, ylabel, curves, more=""):
    """curves: (title, x, y), drawn as circles if the title is "reference", as dashes if it starts with "- "."""
    plots, data, colours = [], "", iter(COLOURS)
    for title, x, y in curves:
        if title == "reference":
            style = f'points pt 6 ps 0.7 lc rgb "{CIRCLE}"'
        elif title.startswith("- "):
            style = 'lines lw 1.5 dt 2 lc rgb "#888888"'
        else:
            style = f'lines lw 2 lc rgb "{next(colours)}"'
        known = any(f'title "{title}"' in plot for plot in plots)
        plots.append(f'"-" with {style} title "{"" if known else title.removeprefix("- ")}"')
        data += "".join(f"{a:.6g} {b:.6g}\n" for a, b in zip(x, y)) + "e\n"
    return f'set xlabel "{xlabel}"\nset ylabel "{ylabel}"\n{more}\nplot {", ".join(plots)}\n{data}'


def figure(name, panels, layout=None, height=None, kind="user"):
    script = STYLE.format(height=height or 330 * len(panels)) + f'set output "{TOP}/docs/img/{kind}_{name}.svg"\n'
    script += f"set multiplot layout {layout or f'{len(panels)},1'}\n" + "".join(panels)
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def between(end, n, start=0.0):
    return [start + (end - start) * (i + 1) / n for i in range(n)]


def follow(rates, start, times):
    """The states at the times, from the reference's own integration."""
    out, y, t = [], list(start), 0.0
    for end in times:
        y, t = exact.integrate(rates, y, t, end, 6, 1e-10), end
        out.append(y)
    return out


def pendulum():
    r, p = simulate("inverted_pendulum", "--end", "8"), exact.Pendulum()
    t = between(8, 40)
    y = follow(p.rates, p.start(), t)
    figure("inverted_pendulum", [
        panel("t [s]", "cart [m]", [("cart", r["t"], r["cart.x"]), ("- target", [0, 8], [p.target] * 2),
                                    ("reference", t, [a[0] for a in y])]),
        panel("t [s]", "lean [deg]", [("rod", r["t"], scaled(r["lean"], 180 / math.pi)),
                                      ("asked for", r["t"], scaled(r["wanted"], 180 / math.pi)),
                                      ("reference", t, [math.degrees(a[1]) for a in y])])])


def disc():
    r, d = simulate("rolling_disc"), exact.Disc()
    t = between(5, 50)
    y = [d.of(a) for a in follow(d.rates, [math.radians(70), math.pi / 2, 0, 0, 5, 0, 0], t)]
    figure("rolling_disc", [
        panel("x [m]", "y [m]", [("track on the ground", r["track_x"], r["track_y"]), ("centre", r["disc.x"], r["disc.y"]),
                                 ("reference", [a[6] for a in y], [a[7] for a in y])], "set size ratio -1\nset xtics 0.5"),
        panel("t [s]", "height of the centre [m]", [("centre", r["t"], r["disc.z"]), ("reference", t, [a[2] for a in y])],
              "set size noratio\nset xtics auto")], "1,2", 420)


def knife_edge():
    r = simulate("knife_edge")
    w, a, t = 1.5, exact.G * math.sin(math.radians(20)), between(10, 50)
    path = [(a / (2 * w * w) * math.sin(w * s)**2, a / (2 * w * w) * (w * s - math.sin(2 * w * s) / 2)) for s in t]
    figure("knife_edge", [
        panel("across the slope, y [m]", "down the slope, x [m]",
              [("sled", r["sled.y"], r["sled.x"]), ("reference", [b for _, b in path], [a for a, _ in path])],
              "set yrange [1:-0.05]"),
        panel("t [s]", "force across the blade [N]", [("plane on blade", r["t"], scaled(r["blade.lambda"], -1)),
                                                      ("reference", t, [10 * a * math.sin(w * s) for s in t])],
              "set yrange [*:*]")])


def cam():
    c, panels, force = exact.Cam(), [], []
    for turns in (300, 600):
        w = turns * 2 * math.pi / 60
        r = simulate("cam_follower", "--end", repr(60 / turns), "--set", f"parameters.turns={turns}", "--set",
                     f"simulate.output={0.15 / turns}")
        angle = scaled(r["t"], math.degrees(w))
        force.append((f"{turns} turns per minute", angle, r["contact"]))
        if turns == 300:
            degrees = [7.5 * i for i in range(49)]
            panels.append(panel("angle of the cam [deg]", "lift [mm]", [
                ("follower", angle, [1000 * (y - 0.04) for y in r["follower.y"]]),
                ("reference", degrees, [1000 * c.lift(d)[0] for d in degrees])], "set xrange [0:360]\nset xtics 30"))
    degrees = [5 * i + 2.5 for i in range(72)]
    for turns in (300, 600):
        force.append(("reference", degrees, [c.contact(d, turns * 2 * math.pi / 60) for d in degrees]))
    panels.append(panel("angle of the cam [deg]", "contact force [N]", force + [("- ", [0, 360], [0, 0])]))
    figure("cam_follower", panels)


def gears():
    r = simulate("gear_train", "--end", "1")
    n, mass, stall, idle = 1 / 12, 12, 3, 150
    J = 2e-3 + 8e-3 / 9 + (0.09 + mass * 0.01) * n * n
    load = mass * exact.G * 0.1 * n
    top, T, t = idle * (1 - load / stall), J * idle / stall, between(1, 40)
    speed = [top * (1 - math.exp(-s / T)) for s in t]
    rope = [mass * (exact.G + 0.1 * n * top / T * math.exp(-s / T)) for s in t]
    figure("gear_train", [
        panel("t [s]", "speed [rad/s]", [(name, r["t"], r[f"{name}.omega"]) for name in ("motor", "middle", "drum")] +
              [("reference", t, speed), ("reference", t, [s * n for s in speed])]),
        panel("t [s]", "force in the rope [N]", [("rope", r["t"], r["winding.lambda"]), ("reference", t, rope)])])


def stop():
    r, s = simulate("impact_stop", "--set", "simulate.output=2e-4"), exact.Stop()
    t = between(0.6, 40)
    y = [s.of(a) for a in s.run(t, 1e-3, 5, 1e-10)]
    figure("impact_stop", [
        panel("t [s]", "slider [m]", [("slider", r["t"], r["slider.x"]), ("- stop", [0, 0.6], [s.stop] * 2),
                                      ("reference", t, [a[2] for a in y])]),
        panel("t [s]", "force of the bumper [N]", [("bumper", r["t"], r["bump"]), ("reference", t, [a[4] for a in y])])])


def hydraulic():
    r, c = simulate("hydraulic"), exact.Cylinder()
    t = between(1.2, 48)
    y = follow(c.rates, [0, 0, c.p1 / 1e5, c.p1 / 1e5 * c.A1 / c.A2], t)
    figure("hydraulic", [
        panel("t [s]", "mass [mm]", [("mass", r["t"], scaled(r["mass.x"], 1000)),
                                     ("reference", t, [1000 * a[0] for a in y])]),
        panel("t [s]", "pressure [bar]", [("chamber 1", r["t"], scaled(r["pressure1"], 1e-5)),
                                          ("chamber 2", r["t"], scaled(r["pressure2"], 1e-5)),
                                          ("reference", t, [a[2] for a in y]), ("reference", t, [a[3] for a in y])])])


def reference(name, eps=None):
    """Columns of tests/reference/NAME.csv; of the rows with one eps, if there are several."""
    with open(TOP / f"tests/reference/{name}.csv") as file:
        rows = list(csv.DictReader(line for line in file if line[0] != "#"))
    return {c: [float(row[c]) for row in rows if eps is None or math.isclose(float(row["eps"]), eps)] for c in rows[0]}


def circles():
    panels = []
    for model, title, eps in (("circle_linear", "linear force", 1e-3), ("circle_spring", "spring", 1e-4)):
        r = simulate(model, "--method", "rn4", "--tol", "1e-7", "--set", f"parameters.eps={eps}")
        known = reference(model, eps)
        panels.append(panel("t [s]", f"x [m], {title}", [(f"rn4, eps = {eps:.0e}", r["t"], r["p.x"]),
                                                         ("reference", known["t"], known["x"])]))
    figure("circle", panels, kind="oscillation")


def slow_motions():
    sphere, chain = simulate("oblique_sphere"), simulate("stiff_chain")
    known, straight = reference("sphere_oblique_slow"), reference("chain3_slow")
    figure("slow", [
        panel("t [s]", "sphere and oblique plane [m]", [(c, sphere["t"], sphere[f"p.{c}"]) for c in "xyz"] +
              [("reference", known["t"], known[c]) for c in "xyz"]),
        panel("t [s]", "stiff chain, x [m]", [(f"mass {i}", chain["t"], chain[f"p{i}.x"]) for i in (1, 2, 3)] +
              [("reference", straight["t"], straight[f"x{i}"]) for i in (0, 1, 2)])], kind="oscillation")


def swing():
    exact_output = ("--method", "rn4", "--tol", "1e-7", "--set", "simulate.output=2e-4")
    r, damped = simulate("bushing_pendulum", *exact_output), simulate("bushing_pendulum", "--method", "hht", "--step", "2e-3")
    figure("bushing", [panel("t [s]", "height of the second body [mm]", [
        ("rn4, eps = 1e-3", r["t"], scaled(r["two.y"], 1000)), ("hht, fixed steps of 2 ms", damped["t"],
                                                               scaled(damped["two.y"], 1000))])], kind="oscillation")


for each in (pendulum, disc, knife_edge, cam, gears, stop, hydraulic, circles, slow_motions, swing):
    each()
