"""What all papers share: running the program, reading tables, numbers."""
import csv, json, math, os, pathlib, subprocess, tempfile
from concurrent.futures import ThreadPoolExecutor

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
program = TOP / "build/bin/holonom"  # __main__ may set another
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the same sums in the same order
PATIENCE = 60  # seconds of one attempt
pool = ThreadPoolExecutor(os.cpu_count())
short = False  # the short form of a section: fewer rows, no times


# ---- running the program, reading tables ----------------------------------------------------------------------


def read_csv(path):
    """Rows as {column: number}."""
    with open(path) as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(l for l in file if l[0] != "#")]


def reference(name):
    return read_csv(TOP / f"tests/reference/{name}.csv")


def execute(model, method, settings, *options):
    """Rows up to where the run stops, and its statistics; "ok" says whether that is the end, "error" why not.

    The tolerance is that of a step, as published. rn4 and ros2w say themselves by which coordinates (errors); where they do not, errors
    are those of bodies, for which a tenth of the tolerance is that of a step (docs/theory.md, 5.14a)."""
    if method not in ("rn4", "ros2w") and "simulate.step" not in settings:
        settings = {f"simulate.{method}.errors": "paper", **settings}
    elif "simulate.tolerance" in settings and not any(path.endswith(f"{method}.errors") for path in settings):
        settings = {**settings, "simulate.tolerance": 10 * float(settings["simulate.tolerance"])}
    with tempfile.TemporaryDirectory() as scratch:
        out, stats = f"{scratch}/out.csv", f"{scratch}/stats.json"
        command = [program, "run", TOP / f"models/{model}.yaml", "-q", "--out", out, "--stats", stats, "--method", method,
                   *options, *(word for path, value in settings.items() for word in ("--set", f"{path}={value}"))]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if not os.path.exists(stats):
            raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")
        with open(stats) as file:
            found = json.load(file)
        found["ok"], found["error"] = done.returncode == 0, done.stderr
        return read_csv(out) if os.path.exists(out) else [], found


def dotted(settings):
    return {path.replace("__", "."): value for path, value in settings.items()}


def complete(model, method, settings):
    rows, stats = execute(model, method, settings)
    if not stats["ok"]:
        raise SystemExit(f"{model} with {method}, {settings}\n{stats['error']}")
    return rows, stats


def run(model, method, step, end, signals, output=None, **settings):
    """Starts a run; .result() gives its rows, by default the last one of them. Settings: newmark__gamma=0.5."""
    return Rows(start(model, method, step, end, signals, output or end, **settings))


def start(model, method, step, end, signals, output, **settings):
    """The same with .result() = (rows, statistics). step: a size, or None when the settings hold a tolerance."""
    return pool.submit(complete, model, method, {**({"simulate.step": repr(step)} if step else {}), "simulate.end": repr(end),
                                                 "simulate.output": repr(output), "simulate.signals": f"[{signals}]",
                                                 **dotted(settings)})


class Rows:
    def __init__(self, future):
        self.future = future

    def result(self):
        return self.future.result()[0]


def attempt(model, end, signals, output=None, method="bdf", **settings):
    """A run that may stop before its end; it counts as stopped after PATIENCE."""
    return pool.submit(execute, model, method,
                       {"simulate.end": repr(end), "simulate.max_step": repr(end), "simulate.output": repr(output or end),
                        "simulate.signals": f"[{signals}]", **dotted(settings)}, "--time-limit", str(PATIENCE))


def steps_of(model, method, end, signals, **settings):
    """A run with a row for each step."""
    return pool.submit(execute, model, method, {"simulate.end": repr(end), "simulate.max_step": repr(end), "simulate.output": 0,
                                                "simulate.signals": f"[{signals}]", **dotted(settings)},
                       "--time-limit", str(PATIENCE))


def fixed(model, method, step, end, signals, output=None, **settings):
    """A run with fixed steps that may stop before its end; output: by default at every step."""
    return pool.submit(execute, model, method,
                       {"simulate.step": repr(step), "simulate.end": repr(end), "simulate.output": repr(output or step),
                        "simulate.signals": f"[{signals}]", **dotted(settings)}, "--time-limit", str(PATIENCE))


# ---- words -----------------------------------------------------------------------------------------------------


def count(stats, key):
    """A run that stops needs more than any that does not."""
    return stats[key] if stats["ok"] else math.inf


def reached(stats, end):
    return str(stats["steps"]) + ("" if stats["ok"] else f" (stops at {100 * stats['time'] / end:.0f} %)")


# ---- numbers --------------------------------------------------------------------------------------------------


def norm(*x):
    return math.sqrt(sum(v * v for v in x))


def power(k):
    return f"2^-{k}"


def order(errors, i):
    """Observed order between steps i-1 and i, each half of the one before."""
    return math.log2(errors[i - 1] / errors[i]) if i and errors[i] else math.nan


def shown(x):
    return "" if math.isnan(x) else f"{x:.2f}"


def scalar_motion(acceleration, x, v, t):
    """x'' = acceleration(x) from (x, v) over a time t: classical Runge-Kutta, refined until it rests."""
    n, last = 64, None
    while True:
        h, a, b = t / n, x, v
        for _ in range(n):
            k1, l1 = b, acceleration(a)
            k2, l2 = b + h / 2 * l1, acceleration(a + h / 2 * k1)
            k3, l3 = b + h / 2 * l2, acceleration(a + h / 2 * k2)
            k4, l4 = b + h * l3, acceleration(a + h * k3)
            a, b = a + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), b + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
        if last and norm(a - last[0], b - last[1]) <= 1e-13 * norm(a, b) or n >= 1 << 15:
            return a, b
        n, last = 2 * n, (a, b)
