#!/usr/bin/env python3
"""holonom beside the programs that its users would run instead, at equal accuracy: make bench-peers.

    bench/peers/run.py [--write docs/benchmarks.md] [P1 P2 ... P8 C1 ... C4]

Each program first scans its settings of each problem; the cheapest four that reach the accuracy are then timed, all
programs in turn, several rounds. The least time is told, and the median of the ratios of two times of one round.
--write: the output also replaces what stands between the comments "results" and "end of results" of the file, that of contacts, C1 to C4, between
"contacts" and "end of contacts". See bench/peers/README.md.
"""
import argparse
import glob
import os
import resource
import signal
import statistics
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
# Key: the name of the executable, and after a blank what tells two models of one program apart.
PROGRAMS = {"holonom": "holonom", "arkode": "ARKODE by hand", "ida": "IDA by hand", "cvode": "CVODE by hand",
            "simbody": "Simbody", "simbody all": "Simbody, all equations",
            "simbody reduced": "Simbody, one equation left out by hand", "mujoco": "MuJoCo", "mujoco noslip": "MuJoCo, noslip",
            "mujoco cg": "MuJoCo, conjugate gradients", "ode": "ODE", "ode quick": "ODE, quick step", "bullet": "Bullet"}
LIMIT = 8  # seconds of CPU for a scanned setting: what takes longer is out of the race
LONG = {"heap/contact:1000": 60}  # where that is less than what it takes: two rounds
BUDGET = 40  # seconds of CPU for the scan of one program on one problem
FINALISTS = 4
SLOW = 0.3  # seconds from which on one setting is timed, twice
ROUNDS = 7
TURN = 0.05  # seconds of CPU of a round, the same for all: of so many runs the shortest counts


def settings(names, values):
    """A list of settings for each name, from cheap to dear."""
    return [[f"{name}{value}" for value in values] for name in names]


RK_TOLERANCES = ["1e-2", "3e-3", "1e-3", "3e-4", "1e-4", "3e-5", "1e-5", "1e-6", "1e-7", "1e-8"]
STIFF_TOLERANCES = ["1e-2", "1e-3", "3e-4", "1e-4", "3e-5", "1e-5", "1e-6", "1e-7"]
FINE_TOLERANCES = ["1e-2", "1e-3", "3e-4", "1e-4", "5e-5", "3e-5", "2.5e-5", "2e-5", "1.5e-5", "1e-5", "5e-6", "2e-6", "1e-6", "1e-7"]
EXPLICIT = ["rkm:", "rk3:", "rkf:", "adams:", "bdf:"]
IMPLICIT = ["bdf:", "rkm:"]


def explicit(end, solves=("", "solve=tree ", "solve=joints ")):
    """holonom's methods for motion that is not stiff; steps up to the whole run."""
    return settings([f"rk order={order} {solve}max_step={end} tol=" for order in (8, 5) for solve in solves]
                    + [f"adams max_step={end} tol="], RK_TOLERANCES)


def stiff(end):
    return settings([f"joint_bdf max_step={end} tol="], FINE_TOLERANCES) + settings(
        [f"{method} max_step={end} tol=" for method in ("bdf", "bdf formulation=ggl", "rn4", "hht", "genalpha", "ros2w")],
        STIFF_TOLERANCES)


def simbody_closed(closures, methods, accuracies, tolerances=("", ":3e-7", ":1e-7")):
    """Simbody with its loop closed in each of these ways; constraint tolerance: a tenth of the accuracy, or given."""
    return [[f"{closure} {method}{accuracy}{tolerance}" for accuracy in accuracies]
            for closure in closures for method in methods for tolerance in tolerances]


def mujoco(methods, steps, stiffness=("", ":4")):
    return [[f"{m}:{h}{s}" for h in steps] for m in methods for s in stiffness]


HAND = settings(["dormand:", "verner:", "fehlberg:"], ["1e-3", "3e-4", "1e-4", "3e-5", "1e-5", "1e-6", "1e-7", "1e-8"])
IDA = settings([""], ["1e-2", "1e-3", "3e-4", "1e-4", "3e-5", "1e-5", "1e-6", "1e-7", "1e-8"])
FINE = settings([""], FINE_TOLERANCES)
SIMBODY = ["1e-2", "1e-3", "1e-4", "3e-5", "1e-5", "1e-6", "1e-7", "1e-8"]
# Bricard: with all equations, looser accuracies that stay on the motion are dearer, and Adams fails at each (README.md).
SIMBODY_FINE = ["2e-5", "1e-5", "5e-6", "1e-6", "1e-7", "1e-8"]
LONG_STEPS = ["4e-2", "2e-2", "1e-2", "5e-3", "2e-3", "1e-3", "5e-4"]

CONTACT_TOLERANCES = ["1e-1", "1e-2", "1e-3", "3e-4", "1e-4", "1e-5", "1e-6", "5e-7", "2e-7", "1e-7", "1e-8", "1e-9"]
CONTACT_ACCURACIES = ["1e-3", "1e-5", "1e-6", "3e-7", "1e-7", "3e-8", "1e-8", "1e-9", "3e-10", "1e-10", "3e-11", "1e-11"]
TOLD = float("inf")  # no accuracy is asked: each program has the settings that stand there, and its error is told


def touching(values=CONTACT_TOLERANCES):
    """holonom's methods across impacts, by the tolerance of the result, as everywhere but here."""
    return settings([f"rk order={order} tolerance=" for order in (8, 5)], values)


def per_contact(n):
    """Programs with their settings for one contact in one step of a heap of n spheres."""
    words = {"holonom": ["rk order=5 step=2e-4"], "mujoco cg": ["Euler:2e-3 solver='CG' jacobian='sparse'"], "ode quick": ["2e-3 quick"], "bullet": ["2e-3"]}
    if n == 64:
        words |= {"simbody": ["rkm:1e-3"], "mujoco": ["Euler:2e-3"]}
    return {program: [list_of] for program, list_of in words.items()}


# id, problem, accuracy (largest error, largest drift; None: not asked), what the error is of, programs with their settings.
ROWS = [
    ("P1", "parallelograms:2", 0.1, 0.1, "m", {
        "holonom": explicit(10), "arkode": HAND, "ida": IDA, "simbody": settings(EXPLICIT, SIMBODY),
        "mujoco": mujoco(["RK4"], ["0.1", "5e-2"] + LONG_STEPS), "ode": settings([""], LONG_STEPS + ["2e-4", "1e-4"])}),
    ("P1", "parallelograms:40", 0.1, 0.1, "m", {
        "holonom": explicit(10, ("",)), "arkode": HAND, "ida": IDA, "simbody": settings(EXPLICIT, SIMBODY[1:]),
        "mujoco": mujoco(["RK4"], LONG_STEPS), "ode": settings([""], LONG_STEPS)}),
    ("P1", "parallelograms:200", 0.1, 0.1, "m", { # adams, and looser tolerances, are far off: no time is spent on them
        "holonom": settings([f"rk order={order} max_step=10 tol=" for order in (8, 5)], RK_TOLERANCES[4:]), "arkode": HAND, "ida": IDA, "simbody": settings(EXPLICIT[:2], SIMBODY[1:]),
        "mujoco": mujoco(["RK4"], LONG_STEPS)}),
    ("P2", "bricard", 0.01, 1e-3, "m", {
        "holonom": explicit(10) + explicit(0.5), "arkode": HAND, "ida": IDA,
        "simbody all": simbody_closed(["angles", "balls", "weld"], ["rkm:", "rk3:", "rkf:", "bdf:"], SIMBODY_FINE),
        "simbody reduced": simbody_closed(["angle"], EXPLICIT, SIMBODY[:4] + SIMBODY_FINE, ("", ":1e-7")),
        "mujoco": mujoco(["RK4"], LONG_STEPS), "ode": settings([""], LONG_STEPS + ["2e-4", "1e-4"])}),
    ("P3", "andrews", 3e-4, None, "rad", {
        "holonom": explicit(0.03), "arkode": HAND, "ida": IDA, "simbody": settings(EXPLICIT, SIMBODY),
        "mujoco": mujoco(["RK4"], ["4e-5", "2e-5", "1e-5", "5e-6", "2e-6", "1e-6"])}),
    ("P4", "flyball", 1e-3, None, "m", {
        "holonom": stiff(10), "cvode": FINE, "simbody": settings(IMPLICIT, SIMBODY),
        "mujoco": mujoco(["Euler", "implicit"], ["1e-3", "5e-4", "2e-4", "1e-4", "5e-5"], [""])}),
    ("P5", "stiff_pendulum", 2e-4, None, "rad", {
        "holonom": stiff(2), "cvode": FINE, "ida": FINE, "simbody": settings(IMPLICIT, SIMBODY),
        "mujoco": mujoco(["Euler", "implicit"], ["1e-3", "5e-4", "2e-4", "1e-4", "5e-5", "2e-5"], [""])}),
    ("P6", "chain:100", 1e-2, 1e-3, "m", {
        "holonom": explicit(1), "simbody": settings(EXPLICIT, SIMBODY), "mujoco": mujoco(["RK4"], LONG_STEPS[1:], [""])}),
] + [("P6", f"chain/rhs:{n}", None, None, "", {
        "holonom": [["tree"]], "simbody": [["-"]], **({"mujoco": [["-"]]} if n <= 100 else {})}) for n in (10, 100, 1000, 10000, 100000)] + [
    ("P7", "ladder:10", 1e-6, None, "m", {
        "holonom": explicit(0.5), "arkode": HAND, "ida": IDA, "simbody": settings(EXPLICIT, SIMBODY),
        "mujoco": mujoco(["RK4"], LONG_STEPS), "ode": settings([""], LONG_STEPS + ["1e-4"])}),
] + [("P7", f"ladder/rhs:{n}", None, None, "", {
        "holonom": [["joints"]] + ([["tree"], ["sparse"]] if n <= 1000 else []), "arkode": [["-"]], **({"simbody": [["-"]]} if n <= 1000 else {}),
        **({"mujoco": [["-"]], "ode": [["-"]]} if n <= 100 else {})}) for n in (10, 100, 1000, 10000, 100000)] + [
    ("P8", "control", 1e-5, None, "m", {
        "holonom": settings([f"{method} step=" for method in ("rk order=5", "rk order=8", "srm", "hht")], ["1e-3", "5e-4", "2e-4", "1e-4"]),
        "mujoco": mujoco(["RK4", "Euler"], ["1e-3", "5e-4", "2e-4", "1e-4", "5e-5", "1e-5"], [""])}),
    ("P7s", "ladder/folded:10", 1e-4, None, "m", {
        "holonom": explicit(1), "arkode": HAND, "ida": IDA, "simbody": settings(EXPLICIT, SIMBODY),
        "mujoco": mujoco(["RK4"], LONG_STEPS)}),
] + [("C1", "ball", error, None, "m", {
        "holonom": touching(), "simbody": settings(["rkm:", "rkf:"], CONTACT_ACCURACIES)}) for error in (3e-6, 3.5e-9)] + [
    ("C2", "cradle", 5e-7, None, "m/s", {"holonom": touching(), "simbody": settings(["rkm:", "rkf:"], CONTACT_ACCURACIES)}),
    ("C3", "block", TOLD, None, "m", { # of holonom what creeps by less than 1e-12 m, in 300 steps at most
        "holonom": [["joint_bdf tolerance=1e-3"], ["bdf tolerance=1e-3"]], "simbody": [["1e-2 rkm:1e-4"]], "mujoco": [["Euler:2e-3 cone='elliptic'"]],
        "mujoco noslip": [["Euler:2e-3 cone='elliptic' noslip_iterations='10'"]], "ode": [["1e-2"]], "ode quick": [["1e-2 quick"]]}),
    ("C4", "heap:64", TOLD, None, "m", {
        "holonom": [["rk order=5 tolerance=1e-3"]], "simbody": [["rkm:1e-3"]], "mujoco": [["Euler:2e-3"]], "ode quick": [["2e-3 quick"]],
        "bullet": [["2e-3"]]}),
    ("C4", "heap/smooth:64", 3e-5, None, "m", {
        "holonom": touching(CONTACT_TOLERANCES[:5]), "simbody": settings(["rkm:", "rkf:"], ["1e-3", "1e-4", "1e-5", "3e-6", "1e-6", "1e-7"])}),
] + [("C4", f"heap/contact:{n}", None, None, "", per_contact(n)) for n in (64, 216, 1000)]
# What has to end well at every tolerance, the error falling with it: largest error and energy drift.
EVERY = [("P7s", "ladder/folded:10", "rk order=8 max_step=1 tol="), ("P1", "parallelograms:200", "rk order=8 max_step=10 tol=")]
EVERY_TOLERANCE = ["1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9", "1e-10"]
SINGULAR_LIMIT = 20


class Result:
    def __init__(self, setting, cpu=0.0, error=0.0, drift=0.0, steps=0, rhs=0, failure=""):
        self.setting, self.cpu, self.error, self.drift = setting, cpu, error, drift
        self.steps, self.rhs, self.failure = steps, rhs, failure
        self.rounds = {}  # when timed: round -> cpu

    def reaches(self, error, drift):
        return (not self.failure and (error is None or self.error <= error) and (drift is None or self.drift <= drift))


def call(program, problem, setting, rounds, limit=LIMIT):
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    process = subprocess.Popen([os.path.join(ROOT, "build", "peers", program.split()[0]), problem, setting, str(rounds)], cwd=ROOT,
                               env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1)))
    text = process.communicate()[0].strip()
    if process.returncode == -signal.SIGXCPU:
        for path in glob.glob(f"/tmp/*_peers_{process.pid}*"):
            os.remove(path)
        return Result(setting, failure=f"not within {limit} s")
    if process.returncode or text == "unknown":
        return Result(setting, failure="unknown" if text == "unknown" else f"ended with {process.returncode}")
    if text.startswith("failed"):
        return Result(setting, failure=text.split("\n")[0][8:])
    numbers = text.split()
    return Result(setting, *(float(x) for x in numbers[:3]), int(numbers[3]), int(numbers[4]))


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def scan(program, problem, families, error, drift):
    """The cheapest settings that reach the accuracy; where there are none, the most accurate result or a failure.
    All families by turns, from loose to tight, each until two of its settings have reached the accuracy or taken
    too long, or it has become dear."""
    good, nearest, began, left = [], None, used(), [0] * len(families)
    for level in range(max(len(f) for f in families)):
        for k, family in enumerate(families):
            if left[k] >= 2 or level >= len(family) or used() - began > BUDGET:
                continue
            r = call(program, problem, family[level], 1, LONG.get(problem, LIMIT))
            if r.failure == "unknown":
                return [], r
            if r.reaches(error, drift):
                good.append(r)
                left[k] += 1
            elif nearest is None or nearest.failure or (not r.failure and r.error < nearest.error):
                nearest = r
            dear = not r.failure and good and r.cpu > 4 * min(g.cpu for g in good)
            if dear or r.failure.startswith("not within"):  # a loose tolerance may take long where tighter ones do not
                left[k] += 2 if dear else 1
    good.sort(key=lambda r: r.cpu)
    return good[:FINALISTS if good and good[0].cpu < SLOW else 1], nearest


def race(problem, finalists, error, drift, failures):
    """The setting of least time of each program, with its times of all rounds; programs in turn."""
    best, rounds, large = {}, {}, problem.endswith("0000")  # those take their time to be set up
    for turn in range(2 if problem in LONG else 5 if large else ROUNDS):
        for program, results in finalists.items():
            for old in results:
                key = program, old.setting
                if turn > 1 and key in best and best[key].cpu > SLOW:
                    continue
                r = call(program, problem, old.setting, max(1, int(TURN / max(old.cpu, 1e-4))), 5 * LIMIT)
                if r.reaches(error, drift):
                    rounds.setdefault(key, {})[turn] = r.cpu
                    if key not in best or r.cpu < best[key].cpu:
                        best[key] = r
                if r.failure:
                    failures[program] = f"none: {r.failure[:100].strip()}"
    cheapest = {}
    for (program, setting), r in best.items():
        r.rounds = rounds[program, setting]
        if program not in cheapest or r.cpu < cheapest[program].cpu:
            cheapest[program] = r
    return cheapest


def ratio_of(r, own):
    """Of two times of one round, the median: the machine's speed changes from round to round, and both alike."""
    return statistics.median(r.rounds[k] / own.rounds[k] for k in r.rounds if k in own.rounds)


def seconds(t):
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if t >= 0.9995 * size:
            return f"{t / size:.3g} {unit}"
    return f"{t * 1e9:.3g} ns"


def number(x):
    return f"{x:.1e}".replace("e-0", "e-").replace("e+0", "e")


def asked_text(problem, error, drift, unit):
    if error is None:
        return "one evaluation"
    if error == TOLD:
        return "none, told"
    return f"{number(error)} {unit}" + (f", {number(drift)} J" if drift else "")


def size_of(problem):
    return int(problem.split(":")[1])


# What one evaluation is counted by: how many, and the words.
PER = {"chain": (size_of, " per body"), "ladder": (size_of, " per loop"), "heap": (lambda _: 1, " per contact and step")}


def tell(row, cheapest, failures, programs):
    """The lines of one problem."""
    name, problem, error, drift, unit, _ = row
    own = cheapest.get("holonom")
    for program in programs:
        r, ratio, cost = cheapest.get(program), "", ""
        head = f"{name} {problem} | {asked_text(problem, error, drift, unit)}" if program == programs[0] else " | "
        if not r:
            print(f"| {head} | {PROGRAMS[program]} | {failures.get(program, '')} | | | | |")
            continue
        cost = seconds(r.cpu) if error is not None else seconds(r.cpu / PER[problem.split("/")[0]][0](problem)) + PER[problem.split("/")[0]][1]
        if program != "holonom" and own:
            ratio = f"{ratio_of(r, own):.3g}"
        accuracy = "" if error is None else number(r.error)
        energy = "" if error is None or drift is None else number(r.drift)
        print(f"| {head} | {PROGRAMS[program]} | {r.setting.strip('-')} | {accuracy} | {energy} | {cost} | {ratio} |")
    sys.stdout.flush()


def installed():
    return {p for p in PROGRAMS if os.path.exists(os.path.join(ROOT, "build", "peers", p.split()[0]))}


def run_row(row, here):
    _, problem, error, drift, _, families = row
    finalists, failures = {}, {}
    for program, settings_of in families.items():
        if program not in here:
            failures[program] = "not installed"
            continue
        if error is None:
            good, nearest = [Result(s, cpu=1) for family in settings_of for s in family], None
        else:
            good, nearest = scan(program, problem, settings_of, error, drift)
        if good:
            finalists[program] = good
        elif nearest is not None and nearest.failure == "unknown":
            failures[program] = "not written"
        elif nearest is not None and nearest.failure:
            failures[program] = f"none: {nearest.failure[:100].strip()} ({nearest.setting})"
        elif nearest is not None:
            failures[program] = f"none reaches it; nearest {nearest.setting}: {number(nearest.error)}, {number(nearest.drift)} J"
        else:
            failures[program] = "none"
    cheapest = race(problem, finalists, error, drift, failures)
    for program in finalists:
        failures.setdefault(program, "none when timed")
    return cheapest, failures


def every_tolerance(chosen):
    for name, problem, setting in EVERY:
        if name not in chosen:
            continue
        print(f"\n{name} {problem}, holonom at every tolerance ({setting}):\n\n| tolerance | error | drift [J] | steps | CPU |")
        print("|---|---|---|---|---|")
        for tolerance in EVERY_TOLERANCE:
            r = call("holonom", problem, setting + tolerance, 1, SINGULAR_LIMIT)
            print(f"| {tolerance} | {r.failure[:100]} | | | |" if r.failure else
                  f"| {tolerance} | {number(r.error)} | {number(r.drift)} | {r.steps} | {seconds(r.cpu)} |")
            sys.stdout.flush()


class Both:
    """Standard output, kept as well."""

    def __init__(self):
        self.kept = ""

    def write(self, text):
        self.kept += text
        sys.__stdout__.write(text)

    def flush(self):
        sys.__stdout__.flush()


def load():
    return f"{os.getloadavg()[0]:.1f}"


def processor():
    with open("/proc/cpuinfo") as f:
        name = next((line.split(":")[1].strip() for line in f if line.startswith("model name")), "unknown processor")
    return f"{name}, {os.cpu_count()} cores"


def replace_results(path, section, text):
    with open(path) as f:
        page = f.read()
    begin, end = f"<!-- {section} -->", f"<!-- end of {section} -->"
    if page.count(begin) != 1 or page.count(end) != 1:
        sys.exit(f"{path}: {begin} and {end} must be there once each")
    with open(path, "w") as f:
        f.write(page.split(begin)[0] + begin + "\n\n" + text.strip() + "\n\n" + end + page.split(end)[1])


def write_section(rows, page, section):
    """The table of these rows; page: where it replaces the section, or None."""
    sys.stdout = Both()
    here, before = installed(), load()
    print("| problem | accuracy asked | program | setting | error | drift [J] | CPU | ratio to holonom |")
    print("|---|---|---|---|---|---|---|---|")
    for row in rows:
        cheapest, failures = run_row(row, here)
        tell(row, cheapest, failures, list(row[5]))
    every_tolerance({r[0] for r in rows})
    print(f"\n{processor()}; load average {before} at the start, {load()} at the end.")
    if page:
        replace_results(page, section, sys.stdout.kept)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("problems", nargs="*", help="P1 .. P8, C1 .. C4, or names such as bricard; default: all")
    parser.add_argument("--write", metavar="FILE", help="page whose results are replaced")
    arguments = parser.parse_args()
    names = arguments.problems
    rows = [r for r in ROWS if not names or r[0] in names or r[1] in names]
    if not rows:
        parser.error("no such problem")
    for section, chosen in ("results", [r for r in rows if r[0][0] == "P"]), ("contacts", [r for r in rows if r[0][0] == "C"]):
        if chosen:
            write_section(chosen, arguments.write, section)


if __name__ == "__main__":
    main()
