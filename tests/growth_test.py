#!/usr/bin/env python3
"""How the work of the commands grows with the model: instructions for ten times as many bodies, counted by valgrind.

    tests/growth_test.py [--long | --show] [WHAT...]

A line `ok WHAT` or `not ok WHAT: why` each, WHAT being KIND-COMMAND; it may have * and ?. The models of KINDS have n bodies, and n of
whatever else they are about. Each command is made with n and 10 n. What a start of the program takes, `holonom --version`, is left out
of both. The rest may grow by 10^1.1. A loop over all pairs would grow by 100; it is seen when it is 3 % of the work with n bodies.
n is 300 and the commands are those of QUICK; with --long n is 1000 and all are made, those of LARGE with 10000. --show prints the numbers.
"""
import fnmatch, os, pathlib, re, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

TOP = pathlib.Path(__file__).resolve().parent.parent
HOLONOM = str(TOP / "build/bin/holonom")
POWER = 1.1  # of n, at most
SHORT, LONG, LARGEST = 300, 1000, 10000  # bodies
# Without --long and names: where pairs have been met, or are near
QUICK = ["heap-rk", "chain-check", "springs-export-nc", "tables-check", "events-rk", "named-rk", "named-diff-some", "tables-report-csv", "events-plot-csv", "sticks-bdf"]
LARGE = ["heap-rk", "chain-check", "springs-export-nc", "springs-diff-nc", "springs-report-nc", "springs-plot-nc"]  # with --long: what is read, simulated and written; and matrices
TAKEN = {"heap": ["check", "rk", "run-nc"], "sticks": ["bdf"]}  # not every command takes contacts of all pairs
ARGUMENT = 120_000  # bytes of one argument that the system surely takes


# ---- models --------------------------------------------------------------------------------------------------

def lines(head, *lists):
    """A model of its head and its lists: (key, items)."""
    return "\n".join([head, *(f"{key}:\n" + "\n".join(f"  - {{{item}}}" for item in items) for key, items in lists), ""])


def chain(n):
    """A chain of hinges, written as loops."""
    return f"""title: chain
dimension: 2
gravity: [0, -9.81]
parameters: {{n: {n}}}
bodies:
  - {{name: "rod{{i}}", for: i in 1..n, mass: 1, inertia: 1/12, position: [i - 0.5, 0], markers: {{a: [-0.5, 0], b: [0.5, 0]}}}}
joints:
  - {{name: foot, type: revolute, between: [ground, rod1.a]}}
  - {{name: "pin{{i}}", for: i in 2..n, type: revolute, between: ["rod{{i-1}}.b", "rod{{i}}.a"]}}
simulate: {{end: 2e-3, step: 1e-3, output: 1e-3, signals: [all]}}
"""


def springs(n):
    """Free bodies in space, each tied to the one before by a spring, every item for itself."""
    return lines("title: springs\ndimension: 3\nsimulate: {end: 2e-3, step: 1e-3, output: 1e-3}",
                 ("bodies", (f"name: ball{i}, mass: 1, inertia: [1, 2, 3], position: [{i}, 0, 0], markers: {{top: [0, 0, 0.1]}}"
                             for i in range(n))),
                 ("forces", (f"name: spring{i}, type: spring-damper, between: [ball{i - 1}.top, ball{i}.top], stiffness: 10, length: 1"
                             for i in range(1, n))))


def tables(n):
    """As many tables, and variables that read them, as bodies; every force is given by a variable of its own."""
    return lines("title: tables\ndimension: 2\nsimulate: {end: 2e-3, step: 1e-3, output: 1e-3}",
                 ("bodies", (f"name: block{i}, mass: 1, inertia: 1, position: [{i}, 0]" for i in range(n))),
                 ("splines", (f"name: table{i}, x: [0, 1, 2], y: [{i}, 1, 2]" for i in range(n))),
                 ("variables", (f'name: value{i}, value: "spline(DX(block{i}) - {i}, table{i})"' for i in range(n))),
                 ("forces", (f'name: force{i}, type: torque, on: block{i}, value: "value{i} + spline(time, table{n - 1 - i})"'
                             for i in range(n))))


def events(n):
    """As many events as bodies, at times and at values of variables, that set held parameters and switch forces."""
    return lines("title: events\ndimension: 2\nsimulate: {end: 2e-3, step: 1e-3, output: 1e-3}\n"
                 + "parameters: {" + ", ".join(f"held{i}: 0" for i in range(n)) + "}",
                 ("bodies", (f"name: block{i}, mass: 1, inertia: 1, position: [{i}, 0]" for i in range(n))),
                 ("states", (f"name: state{i}, rate: held{i}" for i in range(n))),
                 ("forces", (f"name: force{i}, type: torque, on: block{i}, value: held{i}" for i in range(n))),
                 ("events", (f"name: event{i}, at: 0.001, set: {{held{i}: 1}}" if i % 3 == 0 else
                             f"name: event{i}, when: state{i} - 5, off: force{i}" if i % 3 == 1 else
                             f"name: event{i}, every: 0.001, set: {{held{i}: held{i} + 1}}" for i in range(n))))


def named(n):
    """Bodies with markers on ground beside them; every signal is asked for by its name."""
    ask = ", ".join(f"block{i}, ground.post{i}.x, level{i}, slope{i}" for i in range(n))
    return lines("title: named\ndimension: 2\n"
                 + "ground: {markers: {" + ", ".join(f"post{i}: [{i}, 0]" for i in range(n)) + "}}\n"
                 + f"simulate: {{end: 2e-3, step: 1e-3, output: 1e-3, signals: [{ask}]}}",
                 ("bodies", (f"name: block{i}, mass: 1, inertia: 1, position: [{i}, 0]" for i in range(n))),
                 ("joints", (f"name: guide{i}, type: translational, between: [ground.post{i}, block{i}]" for i in range(n))),
                 ("states", (f"name: slope{i}, rate: 1" for i in range(n))),
                 ("variables", (f"name: level{i}, value: {i} + slope{i}" for i in range(n))))


def heap(n):
    """Balls that lie on each other and on a floor, in layers of a hundred: contacts of all pairs."""
    return f"""title: heap
dimension: 3
gravity: [0, 0, -9.81]
ground: {{shape: {{type: halfspace}}}}
bodies:
  - {{name: "ball{{i}}", for: i in 0..{n - 1}, mass: 1, inertia: 1e-3, position: ["0.0999*mod(i, 10)", "0.0999*mod(floor(i/10), 10)", "0.0999*(floor(i/100) + 0.5)"],
     shape: {{type: sphere, radius: 0.05}}}}
contacts: [{{name: touch, between: [all, all, ground], stiffness: 1e6, restitution: 0.5, friction: {{coefficient: 0.3, transition: 1 cm/s}}}}]
simulate: {{end: 6e-4, step: 2e-4, output: 3e-4}}
"""


def sticks(n):
    """A block on a slope for every thirty, each on two corners whose friction sticks, as a matrix-based method takes it."""
    return f"""title: sticks
dimension: 2
gravity: [2.9, -9.4]
ground: {{shape: {{type: halfplane, name: floor}}}}
bodies:
  - {{name: "block{{i}}", for: i in 1..{n // 30}, mass: 1, inertia: 0.01, position: ["0.3*i", 0.09999], shape: {{type: box, size: [0.2, 0.2]}}}}
contacts: [{{name: feet, between: [all, ground.floor], stiffness: 1e6, restitution: 0.5, friction: {{coefficient: 0.5, law: stick}}}}]
simulate: {{end: 1e-5, output: 1e-5}}
"""


KINDS = {kind.__name__: kind for kind in (chain, springs, tables, events, named, heap, sticks)}
BODY = {"heap": "ball", "sticks": "block", "chain": "rod", "springs": "ball", "tables": "block", "events": "block", "named": "block"}


# ---- commands ------------------------------------------------------------------------------------------------

def some(kind, n):
    """A tenth of the bodies by their names."""
    names = ",".join(f"{BODY[kind]}{i}" for i in range(1, n, 10))
    assert len(names) < ARGUMENT
    return names


COMMANDS = {
    "check": lambda kind, n: ["check", "model.yaml", "--json"],
    "rk": lambda kind, n: ["run", "model.yaml", "-q", "--method", "rk", "--out", "rk.csv"],
    "bdf": lambda kind, n: ["run", "model.yaml", "-q", "--method", "bdf", "--out", "bdf.csv"],
    "srm": lambda kind, n: ["run", "model.yaml", "-q", "--method", "srm", "--out", "srm.csv"],
    "run-nc": lambda kind, n: ["run", "model.yaml", "-q", "--method", "rk", "--out", "rk.nc"],
    "diff-csv": lambda kind, n: ["diff", "a.csv", "b.csv"],
    "diff-nc": lambda kind, n: ["diff", "a.nc", "b.nc"],
    "diff-some": lambda kind, n: ["diff", "a.nc", "b.nc", "--json", "--signals", some(kind, n)],
    "report-csv": lambda kind, n: ["report", "a.csv", "--model", "model.yaml", "-q", "-o", "csv.html"],
    "report-nc": lambda kind, n: ["report", "a.nc", "-q", "-o", "nc.html"],
    "export-csv": lambda kind, n: ["export", "a.csv", "--model", "model.yaml", "-q", "-o", "csv.glb"],
    "export-nc": lambda kind, n: ["export", "a.nc", "-q", "-o", "nc.glb"],
    "plot-csv": lambda kind, n: ["plot", "a.csv", "-s", f"{BODY[kind]}{n // 2}.x", "-q", "-o", "csv.svg"],
    "plot-nc": lambda kind, n: ["plot", "a.nc", "-s", f"{BODY[kind]}{n // 2}.x", "-q", "-o", "nc.svg"],
}


def call(folder, *command):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)[:200]}: exit {done.returncode}: " + " ".join(done.stderr.split("\n")[-8:])[-600:])
    return done


def prepare(kind, n, folder):
    """The model, and results of it as CSV and netCDF."""
    folder.mkdir()
    (folder / "model.yaml").write_text(KINDS[kind](n))
    for file in ("a.csv", "a.nc"):
        call(folder, HOLONOM, "run", "model.yaml", "-q", "--method", "rk", "--out", file)
    for ending in ("csv", "nc"):
        shutil.copy(folder / f"a.{ending}", folder / f"b.{ending}")


def instructions(command, folder):
    done = call(folder, "valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", HOLONOM, *command)
    return int(re.search(r"I +refs: +([0-9,]+)", done.stderr)[1].replace(",", ""))


def main():
    long, show = "--long" in sys.argv, "--show" in sys.argv
    wanted = [word for word in sys.argv[1:] if word[:2] != "--"] or (["*"] if long else QUICK)
    what = [(kind, command) for kind in KINDS for command in COMMANDS
            if command in TAKEN.get(kind, [c for c in COMMANDS if c != "bdf"]) and any(fnmatch.fnmatchcase(f"{kind}-{command}", pattern) for pattern in wanted)]
    if not shutil.which("valgrind"):
        print("skipped growth: there is no valgrind")
        return 0
    n_of = {(kind, command): SHORT if not long else LARGEST if f"{kind}-{command}" in LARGE else LONG for kind, command in what}
    sizes_of = {which: (n, 10 * n) for which, n in n_of.items()}
    failed = 0
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        folders = {(kind, size): pathlib.Path(scratch, f"{kind}{size}") for (kind, _), sizes in sizes_of.items() for size in sizes}
        for made in [pool.submit(prepare, *key, folder) for key, folder in folders.items()]:
            made.result()
        few = instructions(["--version"], scratch)
        jobs = {(kind, command): [pool.submit(instructions, COMMANDS[command](kind, size), folders[kind, size]) for size in sizes]
                for (kind, command), sizes in sizes_of.items()}
        for (kind, command), counts in jobs.items():
            try:
                n, (less, more) = n_of[kind, command], (count.result() for count in counts)
                factor = (more - few) / (less - few)
                bad = None if factor <= 10**POWER else (
                    f"{less - few} instructions for {n} bodies, {more - few} for {10 * n}: {factor:.1f} times as many, "
                    f"at most {10**POWER:.1f} are allowed")
            except RuntimeError as error:
                bad = str(error)
            print(f"not ok {kind}-{command}: {bad}" if bad else f"ok {kind}-{command}", flush=True)
            if show and not (bad and "exit" in bad):
                print(f"# {few / 1e6:.1f} {less / 1e6:.1f} {more / 1e6:.1f} Mio., {factor:.2f}", flush=True)
            failed += bad is not None
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
