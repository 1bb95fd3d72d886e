"""Figures of Ascher, Lin 1999, sequential regularization for systems with many closed loops, from our results."""
import math, subprocess

from plot import STYLE, TOP, run, sets

SQUARES, LINKS = 7, 12


def pictures(name, across, panels, width, height, ranges):
    """panels: (title, lines), a line being [(x, y), ...]; drawn without axes, all to the same scale."""
    rows = math.ceil(len(panels) / across)
    script = STYLE.format(height=height * rows).replace("size 900", f"size {width * across}").replace('"sans,13"', '"sans,11"')
    script += f'set output "{TOP}/docs/img/{name}.svg"\nunset border\nunset tics\nset xlabel ""\nunset key\nset size ratio -1\n{ranges}\n'
    script += f"set multiplot layout {rows},{across}\n"
    for title, lines in panels:
        points = "\n\n".join("\n".join(f"{x:.3f} {y:.3f}" for x, y in line) for line in lines)
        ends = "\n".join(f"{x:.3f} {y:.3f}" for x, y in lines[0][:1])
        script += (f'set title "{title}"\nplot "-" with lines lw 1.3 lc rgb "#0072b2", "-" with points pt 7 ps 0.5 lc rgb "#d55e00"\n'
                   f"{points}\ne\n{ends}\ne\n")
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def ladder():
    """The rods of the square chain every 0.3 s; the held corner is marked."""
    bodies = [f"{rail}{i}" for rail in ("top", "bottom") for i in range(1, SQUARES + 1)] + [f"rung{i}" for i in range(SQUARES + 1)]
    r, _ = run(TOP / "models/ladder.yaml", "--method", "rk", "--tol", "1e-6",
               *sets(simulate__end=3.3, simulate__output=0.3, simulate__signals=f"[{', '.join(bodies)}]", rk__solve="tree"))

    def rod(body, k):
        x, y, angle = (r[f"{body}.{c}"][k] for c in ("x", "y", "theta"))
        c, s = math.cos(angle) / 2, math.sin(angle) / 2
        return [(x - c, y - s), (x + c, y + s)]
    pictures("paper_loops_figure_4_2", 4, [(f"t = {t:.1f} s", [rod(body, k) for body in bodies]) for k, t in enumerate(r["t"])],
             230, 200, "set xrange [-1.6:7.2]\nset yrange [-6.8:0.6]")


def veil():
    """Its held edge goes into the depth of the picture, the breeze to the right."""
    nodes = [f"{'row' if i else 'column'}{i}_{j}.end" for i in range(LINKS + 1) for j in range(1, LINKS + 1)]
    r, _ = run(TOP / "models/net.yaml", "--method", "rk", "--tol", "1e-4",
               *sets(simulate__end=3.3, simulate__output=0.3, simulate__signals=f"[{', '.join(nodes)}]", rk__solve="tree",
                     parameters__L=LINKS, parameters__veil=1, parameters__breeze=1, parameters__tilt=-0.5, parameters__g=9.81,
                     parameters__wind=8))

    def place(i, j, k):
        x, y, z = (i, 0, 0) if j == 0 else (r[f"{'row' if i else 'column'}{i}_{j}.end.{c}"][k] for c in "xyz")
        return y + 0.5 * x, z + 0.25 * x

    def lines(k):
        all_nodes = range(LINKS + 1)
        return [[place(i, j, k) for j in all_nodes] for i in all_nodes] + [[place(i, j, k) for i in all_nodes] for j in all_nodes]
    pictures("paper_loops_figure_4_4", 4, [(f"t = {t:.1f} s", lines(k)) for k, t in enumerate(r["t"])], 230, 230,
             "set xrange [-7:17]\nset yrange [-13.5:4.5]")


REMARKS = """
### Ascher, Lin 1999

Its formulas and most numbers are lost in the text we have; the examples are as reconstructed in docs/theory.md, section 15. Its
tables show what the sentences here say; 100 000 rods take minutes and stand apart (`tools/papers large`, part of `make
check-long`).

- Tables 4.1 and 4.3, the number of iterates: two are enough whatever the number of rods, square chain or net, and the openings with
  a constant alpha are those of an independent program. The openings of the paper are lost, only its three iterates are left.
- The theorem that the openings with two iterates do not depend on the size is seen on the chain, and not on the net, whose openings
  grow sevenfold from 40 to 1012 rods.
- What the text seems to say, that the third iterate opens as much as the second, is not seen: it opens less, about three to thirteen
  times, since here the openings come from the regularization and not from the scheme.
- With multipliers of the start in place of none (`mu0: exact`) there is no layer at the start, as the theorem assumes: the loops
  open by a thousandth there. At the end of the run little of that is left.
- alpha = 1/eps instead of a constant makes the openings of 22 rods twenty times smaller at no cost. They do depend on the size
  then, and grow eightfold up to 10 000 rods; two iterates are still enough.
- Table 4.2, the order of the methods: (3.12) is stable with eps = 5 h where (3.10) is not, and opens less with the same eps. Four
  iterates of (3.10) are better than two.
- Not reproduced: the digits of Table 4.2, off by up to a factor of 7. Its first two rows agree to four digits although eps differs
  tenfold, so they do not show the regularization; gravity, step, geometry and the unit of the times are not in the text, and rods here
  are rigid bodies whose lengths cannot drift.
- eps = 0.5 h for the net is stable only if E is scaled by the masses, and then it is the limit of stability.
- Singular poses: the paper stops its chain before one. srm passes the folded square of 4 rods; the exact mode passes six of
  them with 22 rods. Under a tower that folds, srm runs on but loses the motion, the exact mode keeps it.
"""


def text():
    """Draws figures 4.2 and 4.4 and returns what is said of them."""
    ladder()
    veil()
    return f"""
### Ascher, Lin 1999

Closed loops in number (Ascher, Lin 1999, figures 4.2 and 4.4; the data of the paper are lost, these are ours). Square chain of {3 * SQUARES + 1} rods
that falls from rest under 1 m/s^2, held at the marked corner, `rk` with exact loop multipliers and tolerance 1e-6. The squares next to
the corner are folded flat from 1.8 s on, one after the other.

![square chain, every 0.3 s](img/paper_loops_figure_4_2.svg)

Veil of {LINKS} x {LINKS} squares, {LINKS * (LINKS + 1) + LINKS * LINKS} rods, hung up by its upper edge and let go at an angle of 0.5 rad against a breeze of 8 m/s that
blows to the right and drags every rod; weight 9.81 m/s^2, the same method with tolerance 1e-4. In oblique projection: the held edge goes
into the depth.

![veil in a breeze, every 0.3 s](img/paper_loops_figure_4_4.svg)
"""
