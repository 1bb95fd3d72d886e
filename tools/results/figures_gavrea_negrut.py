"""Figures of Gavrea, Negrut, Potra 2005 and Negrut, Sandu, Haug, Potra, Sandu 2003."""
import subprocess

from plot import STYLE, TOP, columns, data, figure, panel, run, sets

VEHICLE = TOP / "models/hmmwv.yaml"


def simulate(*options):
    return run(TOP / "models/double_pendulum.yaml", *sets(simulate__output=0.005, simulate__signals="rod1"), *options)[0]


def vehicle_steps():
    """The step is drawn where it ends; the smallest of the right axis leaves the lower half to the height."""
    options = ["--method", "rn4", "--tol", "1e-3", "--max-step", "1", *sets(simulate__signals="chassis.z")]
    steps = run(VEHICLE, *options, *sets(simulate__output=0))[0]["t"]
    curve, known = run(VEHICLE, *options)[0], columns(TOP / "tests/reference/hmmwv.csv")
    some = slice(0, None, 5)
    script = STYLE.format(height=420) + f"""set output "{TOP}/docs/img/paper_rosenbrock_figure_4.svg"
set border 11
set ylabel "height of the chassis [m]"
set y2label "step size [s]"
set yrange [0.7:0.735]
set y2range [1e-7:10]
set ytics 0.7,0.005,0.72
set logscale y2
set y2tics 1e-4,10,1 format "10^{{%T}}"
set xrange [-0.03:5.03]
set key bottom right
plot "-" with lines lw 2 lc rgb "#0072b2" title "height, holonom", \
     "-" with points pt 6 ps 0.5 lc rgb "#d55e00" title "height, reference", \
     "-" axes x1y2 with linespoints pt 7 ps 0.35 lw 1 lc rgb "#009e73" title "step size (right)"
"""
    script += data((curve["t"], curve["chassis.z"]), (known["t"][some], known["z"][some]),
                   (steps[1:], [b - a for a, b in zip(steps, steps[1:])]))
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


REMARKS = """
### Gavrea, Negrut, Potra 2005; Negrut, Sandu, Haug, Potra, Sandu 2003

What of these two papers is reproduced: every row of the tables of Gavrea et al. 2005 to the printed digits, once one knows that
Tables 1 and 2 are with one Newton iteration per step and Table 3 with three; the orders of its corollary. Of Negrut et al. 2003 the
numbers of steps to 4 %, that errors follow the tolerance, that an explicit method is held by stability at the same cost whatever
the tolerance, and that the implicit one is faster.

What is not: the errors of Tables 4 and 6 of Negrut et al. 2003. With the same steps ours are larger, by factors of 4.3, 6.1, 5.7 and 1.7
in the angle. Three exponents of Table 4 are misprinted by one (its own relative errors and its text say so); with the printed
ones our errors would be smaller than the paper's. No choice of coordinates has both its steps and its errors. The ratios of CPU times
of its Tables 7 and 8 are five to fifty times larger here.
"""


def text():
    """Draws the figures and returns what is said of them."""
    fast, rest = (columns(TOP / f"tests/reference/{name}.csv") for name in ("double_pendulum", "double_pendulum_rest"))
    newmark = simulate("--method", "newmark", "--step", "1e-3", "--set", "parameters.omega2=10")
    figure("paper_newmark_figures_2_3", [panel("θ_1 [rad]", "rod1.theta", "theta1", newmark, fast),
                                         panel("ω_1 [rad/s]", "rod1.omega", "omega1", newmark, fast)])
    hht = simulate("--method", "hht", "--tol", "1e-5")
    figure("paper_rosenbrock_figure_2", [panel("θ_1 [rad]", "rod1.theta", "theta1", hht, rest),
                                         panel("ω_1 [rad/s]", "rod1.omega", "omega1", hht, rest)])
    vehicle_steps()
    return """
### Gavrea, Negrut, Potra 2005; Negrut, Sandu, Haug, Potra, Sandu 2003

Stiff double pendulum, second rod started at 10 rad/s, `newmark` with gamma = 3/4 and h = 0.001 s (Gavrea, Negrut, Potra
2005, figures 2 and 3). Circles: the reference in `tests/reference/`.

![angle and angular velocity of the first rod](img/paper_newmark_figures_2_3.svg)

The same from rest, `hht` with tolerance 1e-5 (Negrut, Sandu, Haug, Potra, Sandu 2003, figure 2).

![angle and angular velocity of the first rod, from rest](img/paper_rosenbrock_figure_2.svg)

Vehicle over a bump, `rn4` with tolerance 1e-3 (figure 4 of the same paper; the data of the vehicle are others, see
`models/hmmwv.yaml`): height of the chassis, and the size of each step where it ends. While the vehicle
rests, steps grow to 0.3 s and end at the edge of the bump; there (0.49 s, and 1.23 s for the rear wheels) they fall to
4 ms, and they grow to the largest allowed, 1 s, as the motion dies out: the picture of the paper. After 2 s what is left
of the motion is smaller than the error allowed, so the curve leaves the circles there by some 1e-4 m.

![height of the chassis and step size](img/paper_rosenbrock_figure_4.svg)
"""
