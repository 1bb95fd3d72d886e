#!/usr/bin/env python3
"""Writes docs/results.md and its figures: what `make papers` prints, and the papers' figures drawn from our results.

    tools/results.py [PROGRAM]        PROGRAM: default build/bin/holonom; needs gnuplot
"""
import csv, pathlib, subprocess, sys, tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else TOP / "build/bin/holonom"

STYLE = """set encoding utf8
set terminal svg size 900,{height} font "sans,13" background "white"
set grid lc rgb "#dddddd"
set border 3 lc rgb "#666666"
set tics nomirror
set key top right
set xlabel "t [s]"
"""


def simulate(*options):
    with tempfile.TemporaryDirectory() as scratch:
        out = f"{scratch}/out.csv"
        subprocess.run([PROGRAM, "run", TOP / "models/double_pendulum.yaml", "-q", "--out", out, "--set",
                        "simulate.output=0.005", "--set", "simulate.signals=rod1", *options], check=True)
        return columns(out)


def columns(path):
    with open(path) as file:
        rows = list(csv.DictReader(line for line in file if line[0] != "#"))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def panel(label, name, known, ours, reference):
    """Our curve, and the reference as circles at its own times."""
    data = "".join(f"{t} {y}\n" for t, y in zip(ours["t"], ours[name])) + "e\n"
    points = "".join(f"{t} {y}\n" for t, y in zip(reference["t"], reference[known])) + "e\n"
    return (f'set ylabel "{label}"\nplot "-" with lines lw 2 lc rgb "#0072b2" title "holonom", '
            f'"-" with points pt 6 ps 0.7 lc rgb "#d55e00" title "reference"\n{data}{points}')


def figure(name, panels):
    script = STYLE.format(height=330 * len(panels)) + f'set output "{TOP}/docs/img/{name}.svg"\n'
    script += f"set multiplot layout {len(panels)},1\n" + "".join(panels)
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    fast, rest = (columns(TOP / f"tests/reference/{name}.csv") for name in ("double_pendulum", "double_pendulum_rest"))
    newmark = simulate("--method", "newmark", "--step", "1e-3", "--set", "parameters.omega2=10")
    figure("paper_newmark_figures_2_3", [panel("θ_1 [rad]", "rod1.theta", "theta1", newmark, fast),
                                         panel("ω_1 [rad/s]", "rod1.omega", "omega1", newmark, fast)])
    hht = simulate("--method", "hht", "--tol", "1e-5")
    figure("paper_rosenbrock_figure_2", [panel("θ_1 [rad]", "rod1.theta", "theta1", hht, rest),
                                         panel("ω_1 [rad/s]", "rod1.omega", "omega1", hht, rest)])
    tables = subprocess.run([sys.executable, TOP / "tools/papers.py", PROGRAM], capture_output=True, text=True)
    (TOP / "docs/results.md").write_text(f"""# Results

Written by `make results`; the tables are what `make papers` prints.

## Figures of the papers, from our results

Stiff double pendulum, second rod started at 10 rad/s, `newmark` with gamma = 3/4 and h = 0.001 s (Gavrea, Negrut, Potra
2005, figures 2 and 3). Circles: the reference in `tests/reference/`.

![angle and angular velocity of the first rod](img/paper_newmark_figures_2_3.svg)

The same from rest, `hht` with tolerance 1e-5 (Negrut, Sandu, Haug, Potra, Sandu 2003, figure 2).

![angle and angular velocity of the first rod, from rest](img/paper_rosenbrock_figure_2.svg)

## Tables

```
{tables.stdout.strip()}
```
""")
    return tables.returncode


sys.exit(main())
