"""What all papers share: running the program, reading tables, printing them, verdicts."""
import csv, json, math, os, pathlib, re, subprocess, tempfile
from concurrent.futures import ThreadPoolExecutor

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
program = TOP / "build/bin/holonom"  # __main__ may set another
PATIENCE = 60  # seconds of one attempt
pool = ThreadPoolExecutor(os.cpu_count())
failures = []


# ---- running the program, reading tables ----------------------------------------------------------------------


def read_csv(path):
    """Rows as {column: number}."""
    with open(path) as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(l for l in file if l[0] != "#")]


def reference(name):
    return read_csv(TOP / f"tests/reference/{name}.csv")


def execute(model, method, settings, *options):
    """Rows up to where the run stops, and its statistics; "ok" says whether that is the end, "error" why not."""
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


def fixed(model, method, step, end, signals, output=None, **settings):
    """A run with fixed steps that may stop before its end; output: by default at every step."""
    return pool.submit(execute, model, method,
                       {"simulate.step": repr(step), "simulate.end": repr(end), "simulate.output": repr(output or step),
                        "simulate.signals": f"[{signals}]", **dotted(settings)}, "--time-limit", str(PATIENCE))


def has_method(name):
    done = subprocess.run([program, "methods"], capture_output=True, text=True, check=True)
    return re.search(rf"^  {name}( |$)", done.stdout, re.M) is not None


# ---- printing -------------------------------------------------------------------------------------------------


def table(title, head, rows):
    """Columns aligned to the right; a cell is a text, or a number shown with three digits."""
    cells = [head] + [[c if isinstance(c, str) else f"{c:.3g}" if 0.01 < abs(c) < 1000 else f"{c:.2e}" for c in row]
                      for row in rows]
    width = [max(len(row[i]) for row in cells) for i in range(len(head))]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join(cell.rjust(w) for cell, w in zip(row, width)))


def verdict(bound, good):
    print(f"within {bound}: {'yes' if good else 'no'}", flush=True)
    if not good:
        failures.append(bound)


def claims(*pairs):
    """What a paper says, and whether the numbers above say it too."""
    parts = [(word, [text for text, holds in pairs if holds == good])
             for word, good in (("Claims of the paper that hold here", True), ("that do not", False))]
    print("; ".join(f"{word}: {', '.join(texts) or 'none'}" for word, texts in parts) + ".", flush=True)


def count(stats, key):
    """A run that stops needs more than any that does not."""
    return stats[key] if stats["ok"] else math.inf


def reached(stats, end):
    return str(stats["steps"]) + ("" if stats["ok"] else f" (stops at {100 * stats['time'] / end:.0f} %)")


def there(name, paper):
    """Whether the program has the method; said if not."""
    if not has_method(name):
        print(f"\nPaper {paper}: this program has no method {name}")
        return False
    return True


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
