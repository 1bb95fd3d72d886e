"""What the sections share: the program, the references, and the table of what was asked and seen."""
import csv, json, os, pathlib, subprocess, tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
MODELS = TOP / "tests/analyses"  # models of the problems
program = str(TOP / "build/bin/holonom")
lines = []  # (problem, what, seen, bound, good)


def reference(name, problem):
    """Values of tests/reference/analyses/NAME.json, texts of digits as numbers."""
    def numbers(x):
        if isinstance(x, dict):
            return {key: numbers(value) for key, value in x.items()}
        if isinstance(x, list):
            return [numbers(value) for value in x]
        try:
            return float(x) if isinstance(x, str) else x
        except ValueError:
            return x
    whole = numbers(json.loads((TOP / "tests/reference/analyses" / f"{name}.json").read_text()))
    return whole[problem] if problem else whole


def holonom(*words, code=0):
    """Output of the program, which must end with this status; what it says on standard error comes with it."""
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, env=dict(os.environ, LC_ALL="C.UTF-8"))
    if done.returncode != code:
        raise SystemExit(f"holonom {' '.join(map(str, words))}: exit {done.returncode}, expected {code}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def table(*words, code=0):
    """Rows of the result that the program writes with these words: dictionaries of numbers."""
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch, "out.csv")
        holonom(*words, "-q", "-o", out, code=code)
        plain = [line for line in out.read_text().splitlines() if line[:1] != "#"]
    return [{key: float(value) for key, value in row.items() if is_number(value)} for row in csv.DictReader(plain)]


def is_number(text):
    try:
        float(text)
        return True
    except (TypeError, ValueError):
        return False


def error(seen, wanted):
    """Absolute, against max(1, |wanted|)."""
    return abs(seen - wanted) / max(1, abs(wanted))


def holds(problem, what, seen, bound):
    """A line of the table: seen is to be at most the bound."""
    good = seen <= bound
    lines.append(good)
    print(f"{problem:4} {what:70} asked {bound:8.1e}  seen {seen:8.1e}{'' if good else '   FAILED'}", flush=True)


def true(problem, what, good):
    """A line of the table: a statement that holds or does not."""
    lines.append(bool(good))
    print(f"{problem:4} {what:70} {'holds' if good else 'FAILED'}", flush=True)
