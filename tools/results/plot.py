"""What all figures share: running the program, its columns, gnuplot."""
import csv, json, pathlib, subprocess, sys, tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "papers"))
import common
from common import TOP

STYLE = """set encoding utf8
set terminal svg size 900,{height} font "sans,13" background "white"
set grid lc rgb "#dddddd"
set border 3 lc rgb "#666666"
set tics nomirror
set key top right
set xlabel "t [s]"
"""


def of_a_step(options):
    """What makes the tolerance that of a step, as in the papers; rn4 and ros2w have coordinates of their own."""
    method = options[options.index("--method") + 1] if "--method" in options else None
    return ["--set", f"{method}.errors=paper"] if "--tol" in options and method not in (None, "rn4", "ros2w") else []


def run(model, *options):
    """Columns of the results and the statistics. model: a path."""
    with tempfile.TemporaryDirectory() as scratch:
        out, stats = f"{scratch}/out.csv", f"{scratch}/stats.json"
        subprocess.run([common.program, "run", model, "-q", "--out", out, "--stats", stats, *options, *of_a_step(options)], check=True)
        with open(stats) as file:
            return columns(out), json.load(file)


def sets(**settings):
    """Options --set; simulate__output=0.1 is simulate.output=0.1."""
    return [x for path, value in settings.items() for x in ("--set", f"{path.replace('__', '.')}={value}")]


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


def data(*series):
    return "".join("".join(" ".join(map(str, row)) + "\n" for row in zip(*s)) + "e\n" for s in series)
