#!/usr/bin/env python3
"""All tests. One line per suite, the output of what failed and why what was skipped, how long all took, and last
`N passed, N failed[, N skipped]`.

    tests/run.py [--long [--again]] [--release] [SUITE | SUITE/TEST ...]

Suites: see the end of this file. SUITE/TEST is what stands before the output of a test that failed; TEST may have * and ?.
--long: LONG too, which has long forms of some suites and suites of its own; every fuzzer for FUZZ_SECONDS (300). What has passed on the same
commit with a clean tree (build/passed) is named, with what it skipped, and not run again, unless it is named here, or with --again.
--release: without sanitizers and the second compiler.

A test that cannot be made here (its program is missing) is skipped: counted, and its reason printed. A command line test
skips itself by exit 77 with the reason on standard error.

Each suite has a budget (BUDGETS). It is a number of CPU seconds of all its processes, which other work on the machine
hardly changes; seconds on the clock are printed beside it. Who uses more has failed, unless the machine is slower
than the one of the numbers by as much (`slowness`).
"""
import contextlib, fnmatch, io, itertools, json, multiprocessing, os, pathlib, platform, re, resource, shutil, subprocess, sys, tempfile, time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from xml.etree import ElementTree

TOP = pathlib.Path(__file__).resolve().parent.parent
os.chdir(TOP)
for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "VARIANT"):  # the builds below are their own
    os.environ.pop(name, None)
os.environ.update(MODELS=str(TOP / "models"), LC_ALL="C.UTF-8", OPENBLAS_NUM_THREADS="1", ASAN_OPTIONS="allocator_may_return_null=1")
if platform.machine() == "x86_64":  # counts and digits that are compared are those of kernels that every machine has
    os.environ.setdefault("OPENBLAS_CORETYPE", "Prescott")

TIME_LIMIT = int(os.environ.get("TIME_LIMIT", 600))  # of one program on the machine of the budgets [s]
SKIPPED = 77  # exit status of what could not be tested
passed = failed = skipped = 0
WANTED = {}
FUZZ_SECONDS = int(os.environ.get("FUZZ_SECONDS", 300))
# Suites run without a part of what they usually have.
SHORTENED = "--release" in sys.argv or FUZZ_SECONDS < 300 or bool({"ONLY", "MODEL"} & os.environ.keys())
VARIANTS = ("release", "complex") if "--release" in sys.argv else ("release", "asan", "complex", "tsan", "fuzz")

# CPU seconds of a suite without a compiler cache: 1.5 times what it takes on two quiet cores at 2.1 GHz, 1.3 times on the slowest so far,
# where memory is shared; BUDGET of the others.
BUDGET = 10
BUDGETS = {
    "build release": 235, "build asan": 350, "build complex": 60, "build tsan": 165, "build fuzz": 240,
    "format": 15, "unit release": 700, "unit asan": 820, "unit release whole": 1500, "unit asan whole": 2700, "complex complex": 10, "unit tsan": 105, "cli release": 190,
    "cli asan": 320, "determinism": 80, "counters": 60, "schema": 30, "fuzz corpus asan": 30, "tutorial": 40, "certify": 60, "defaults": 15, "growth": 130, "contacts": 60, "analyses": 20, "contacts whole": 110, "analyses whole": 60,
    "10 kills": 20, "limits": 32, "limits --long": 60, "random": 70, "random --long": 600, "accuracy": 30, "install": 60, "core": 80, "fmu": 40, "python": 115, "viewer": 200, "papers": 140,
    "100 kills": 120, "bugs": 1800, "mutants": 800, "damaged checkpoints": 2000, "papers whole": 300, "papers at large": 1200, "certify --long": 1200, "defaults --long": 600, "growth --long": 6000, "fmu --long": 600, "compare": 3000, "fuzz": max(BUDGET, round(7.5 * FUZZ_SECONDS)),
}
PIECE = 0.095  # CPU seconds of a fixed piece of work on that machine


def slowness():
    """How much longer the piece of work takes now, with all cores at work: two of them may be halves of one."""
    def piece():
        start = time.process_time()
        sum(i * i % 7 for i in range(2_000_000))
        return time.process_time() - start

    def beside():
        child = os.fork()
        if not child:
            for _ in range(4):
                piece()
            os._exit(0)
        return child
    others = [beside() for _ in range(1, os.cpu_count())]
    seconds = min(piece() for _ in range(3))
    for child in others:
        os.waitpid(child, 0)
    return seconds / PIECE


SLOWER = max(1, slowness())


def used():
    """CPU seconds of all processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, seconds=TIME_LIMIT, **options):
    """Exit status, standard output, standard error. A slow machine has as much more time as it is slower."""
    seconds *= SLOWER
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds, stdin=subprocess.DEVNULL, **options)
    except subprocess.TimeoutExpired as late:
        return 124, late.stdout or b"", (late.stderr or b"") + f"no end after {seconds:.0f} s\n".encode()
    except OSError as error:
        return 127, b"", f"{command[0]}: {error.strerror}\n".encode()
    return done.returncode, done.stdout, done.stderr


def at_once(work, items):
    """(item, work(item)) in the order of the items, as many at a time as there are cores."""
    items = list(items)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from zip(items, pool.map(work, items))


def text(*parts):
    return b"".join(parts).decode(errors="replace").strip()


class Suite:
    """Counts, and prints its line when it ends."""

    def __init__(self, name, key=None):
        """key: its name on the command line, the first word if not given."""
        self.name, self.key, self.good, self.bad, self.left = name, key or name.split()[0], 0, [], []
        self.budget = BUDGETS.get(name, BUDGET)
        self.wanted = WANTED.get(self.key, ["*"])
        self.slower = max(1, slowness()) if self.budget > BUDGET else 1  # other work may begin or end meanwhile
        self.start, self.used = time.monotonic(), used()

    def __enter__(self):
        return self

    def wants(self, test):
        return any(fnmatch.fnmatchcase(str(test), pattern) for pattern in self.wanted)

    def add(self, what, fault):
        """fault: None if `what` passed, else what to show."""
        if fault is None:
            self.good += 1
        else:
            self.bad.append((what, fault))

    def skip(self, what, why):
        self.left.append((what, why))

    def status(self, what, result):
        code, out, err = result
        if code == SKIPPED:
            self.skip(what, text(err))
        else:
            self.add(what, None if code == 0 else text(out, err) or f"exit {code}")

    def __exit__(self, *_):
        global passed, failed, skipped
        seconds, cpu = time.monotonic() - self.start, used() - self.used
        if cpu > self.budget and self.wanted == ["*"] and cpu > self.budget * (slower := max(self.slower, slowness())):
            self.bad.append(("budget", f"{cpu:.1f} CPU seconds used of {self.budget}, on a machine {slower:.2f} times as slow"))
        passed, failed, skipped = passed + self.good, failed + len(self.bad), skipped + len(self.left)
        mark = "FAILED" if self.bad else "ok" if self.good else "none"
        print(f"{mark:6} {self.name:20} {self.good:5} passed {len(self.bad):3} failed {len(self.left):3} skipped {seconds:7.1f} s"
              f"  CPU {cpu:6.1f} of {self.budget:4} s", flush=True)
        for what, fault in self.bad:
            print(f"  {self.key}/{what}:\n" + "\n".join("    " + line for line in fault.splitlines()[-60:]), flush=True)
        for what, why in self.left:
            print(f"  skipped {self.key}/{what}: {why}", flush=True)


# ---- suites ----------------------------------------------------------------------------------------------


def build(variant, *goals):
    if variant not in VARIANTS:
        return
    with Suite(f"build {variant}") as suite:
        make = ["make", "-k", f"-j{os.cpu_count()}", f"VARIANT={variant}", *goals]
        code, out, err = run(make, seconds=3600)
        suite.add(" ".join(make), None if code == 0 else text(err))


def page():
    """viewer/report.html is what its sources make."""
    with Suite("page") as suite:
        code, out, err = run(["make", "build/viewer/report.html"])
        same = code == 0 and pathlib.Path("build/viewer/report.html").read_bytes() == pathlib.Path("viewer/report.html").read_bytes()
        suite.add("viewer/report.html", None if same else text(out, err) if code else "it is not what its sources make; `make page` writes it")


def style():
    with Suite("format", "style") as suite:
        files = sorted(p for p in TOP.glob("*/**/*.[ch]") if p.relative_to(TOP).parts[0] not in ("build", "out"))
        check = lambda some: run(["clang-format", "--dry-run", "-Werror", "--ferror-limit=1", *some])
        heaps = [files[i : i + 40] for i in range(0, len(files), 40)]  # to start it takes longer than to read a file
        for heap, whole in at_once(check, heaps):
            for file in heap:
                suite.status(file.relative_to(TOP), whole if whole[0] == 0 else check([file]))
    with Suite("layers", "style") as suite:
        suite.status("tools/layers.py", run([sys.executable, "tools/layers.py"]))
        suite.status("tools/theory.py", run([sys.executable, "tools/theory.py"]))
        suite.status("tools/comments.py", run([sys.executable, "tools/comments.py"]))
        suite.status("tools/bugs.py", run([sys.executable, "tools/bugs.py", "--dry"]))  # texts that have moved are seen at once


def programs(variant, kind, which="*"):
    """cmocka programs: every test counts."""
    if variant not in VARIANTS:
        return
    whole = " whole" if "LONG" in os.environ else ""
    with Suite(f"{'unit' if kind == 'test' else kind} {variant}{whole}", "unit") as suite:
        def start(order):
            program, only = order
            env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP") | ({"ONLY": only} if only else {})
            return run([TOP / "build" / variant / "tests/unit" / program], env=env)

        sources = sorted(source.stem for source in TOP.glob(f"tests/unit/{kind}_{which}.c") if not left_out(variant, source.stem))
        orders = [(program, only) for pattern in suite.wanted for stem, _, only in [pattern.partition("/")]
                  for program in fnmatch.filter(sources, stem)]
        for (program, only), (code, out, err) in at_once(start, orders):
            results = re.findall(rb"^(ok|not ok) \d+ (-|# SKIP) (\S+)", out, re.M)
            for result, dash, name in results:
                what = f"{program}/{name.decode()}"
                if dash == b"-":
                    suite.add(what, None if result == b"ok" else message(name, out, err))
                else:
                    suite.skip(what, "the test skips itself")
            if code != 0 and all(result == b"ok" for result, dash, _ in results if dash == b"-"):  # crash, leak, not built
                suite.add(f"{program}/{only}", f"exit {code}\n{text(out, err)}")
            elif only and not results:
                suite.add(f"{program}/{only}", "there is no such test")


def message(name, out, err):
    """What a cmocka program says about one of its tests."""
    lines = text(out).splitlines()
    at = next(i for i, line in enumerate(lines) if re.match(rf"not ok \d+ - {name.decode()}\b", line))
    head = lines[at].partition(name.decode())[2].strip()  # of a test with a teardown the message begins there
    after = lines[at + 1 :]
    end = next((i for i, line in enumerate(after) if re.match(r"(not )?ok \d", line)), len(after))
    return "\n".join([head] * bool(head) + after[:end] + text(err).splitlines()) or "no message"


def differs(name, got, folder):
    """None, or how `got` differs from the file; a line `re: PATTERN` in it stands for a line that matches."""
    if not (folder / name).exists():
        return None
    want, have = (folder / name).read_text().splitlines(), got.decode(errors="replace").splitlines()
    same = len(want) == len(have) and all(
        re.fullmatch(w[4:], h) if w.startswith("re: ") else w == h for w, h in zip(want, have))
    return None if same else "\n".join([f"{name} expected:", *want, f"{name} got:", *have])


# Their code runs under the sanitizers in others too (test_method_battery, test_checkpoint.., test_locale, certify_claims), and they take minutes
# there; what they look at are numbers. With --long they run.
SLOW_SANITIZED = {"certify", "certify_limit", "growth", "event_restart", "compare", "srm_fixed_steps", "masses_apart", "compare_recommends",
                  "method_auto", "methods_elsewhere", "locale", "interrupted_often", "inputs_without_end", "model_changed_since",
                  "compare_errors",
                  "test_user_models", "test_vehicle", "test_norm", "test_degenerate", "test_poles", "test_locks", "test_method_order",
                  "test_adams", "test_oscillatory", "test_jumps", "test_rosenbrock", "test_modes_large", "test_srm", "test_threads_tree",
                  "test_threads_compare", "test_loops_cases", "test_assembly", "test_armatures", "test_crossings", "test_coordinates", "test_bdf",
                  "test_signal_names", "test_selection", "test_contact_friction"}


SLOW = {"certify", "growth"}  # suites of their own look at the same


def left_out(variant, name):
    return "LONG" not in os.environ and (name in SLOW or (variant == "asan" and name in SLOW_SANITIZED))


def whole(work, *arguments):
    """Batteries as large as they are said to be."""
    os.environ["LONG"] = "1"
    work(*arguments)
    del os.environ["LONG"]


def command_line(variant, program):
    """Folders with cmd (run by sh in a copy of the folder), stdout, stderr, exit."""
    def start(folder):
        with tempfile.TemporaryDirectory() as scratch:
            work = shutil.copytree(folder, pathlib.Path(scratch) / folder.name)
            return run(["sh", "./cmd"], cwd=work, env=dict(os.environ, HOLONOM=str(TOP / program)))

    if variant not in VARIANTS:
        return
    with Suite(f"cli {variant}") as suite:
        folders = sorted(p.parent for p in TOP.glob("tests/cli/*/cmd") if suite.wants(p.parent.name)
                         and not left_out(variant, p.parent.name))
        for folder, (code, out, err) in at_once(start, folders):
            if code == SKIPPED:
                suite.skip(folder.name, text(err))
                continue
            want = int((folder / "exit").read_text()) if (folder / "exit").exists() else 0
            faults = [differs("stdout", out, folder), differs("stderr", err, folder)]
            if code != want:
                faults.append(f"exit {code}, expected {want}\n{text(out, err)}")
            suite.add(folder.name, "\n".join(filter(None, faults)) or None)


def simulated(model, out, *options):
    """Exit status, statistics without times, and the result file's bytes."""
    command = [TOP / "build/bin/holonom", "run", model, "-q", "--out", f"{out}.csv", "--stats", f"{out}.json", *options]
    code, _, err = run(command)
    if code not in (0, 5):
        return (code, err), {}, b""
    stats = json.loads(pathlib.Path(f"{out}.json").read_text())
    return code, {k: v for k, v in stats.items() if "seconds" not in k and k != "costs"}, pathlib.Path(f"{out}.csv").read_bytes()


def rows(result):
    """Result lines by their time."""
    return {line.split(b",")[0]: line for line in result.splitlines() if line[:1] != b"#"}


def same_rows(coarse, fine):
    """Rows of all times of `coarse`, to the rounding of accelerations solved for between steps with other pivots."""
    def near(x, y):
        return x == y or abs(float(x) - float(y)) <= 1e-9 * max(1, abs(float(y)))

    return len(coarse) > 2 and all(t in fine and all(map(near, row.split(b","), fine[t].split(b","))) for t, row in coarse.items())


def determinism():
    """The same bits from run to run; and with results at fewer times the same values, with the same statistics."""
    evaluations = {"residuals", "jacobians", "factorizations", "loop_solves", "loop_iterations"}  # results between steps take some
    family = ("hht", "newmark", "genalpha")  # results between their steps are formulas
    page = text(run(["build/bin/holonom", "methods"])[1])
    teaching = re.findall(r"^  (\S+) +teaching method$", page, re.M)
    others = re.findall(r"^  (\S+)$", page, re.M)

    def ways(model):
        """(model, end, method, options): what is run."""
        end = float(re.search(r"^ +end: *([^ \n]+)", model.read_text(), re.M)[1]) / 5
        fixed, tolerance = ["--step", repr(end / 128)], ["--tol", "1e-2"]
        methods = {name: (fixed, tolerance) for name in family}
        methods["newmark"] = (fixed, ["--tol", "0.1"])  # of order 1
        if model.stem in ("pendulum", "slider_crank", "inverted_pendulum"):
            methods = {name: (tolerance,) for name in others} | {name: (fixed,) for name in teaching} | methods
        if "\ncontacts:" in model.read_text():  # fixed steps are too long for impacts, which is told
            methods = {name: (["--tol", "1e-4"],) for name in ("rk",)}
        return [(model, end, method, way) for method, all_ways in methods.items() for way in all_ways]

    def what(job):
        return f"{job[0].stem} {job[2]} {job[3][0]}"

    def faults(job):
        model, end, method, way = job
        common = ["--end", repr(end), "--method", method, *way, "--set"]
        with tempfile.TemporaryDirectory() as scratch:
            one, again, other = (simulated(model, f"{scratch}/{name}", *common, f"simulate.output={end / parts!r}")
                                 for name, parts in (("one", 32), ("again", 32), ("other", 16)))
        fine, coarse = rows(one[2]), rows(other[2])
        formulas = method in family or method in teaching
        left, right = ({k: v for k, v in x[1].items() if k != "max_row_violation" and (formulas or k not in evaluations)} for x in (one, other))  # of rows themselves
        same = coarse.items() <= fine.items() if formulas else same_rows(coarse, fine)
        return "\n".join(filter(None, [
            None if one == again else "two runs differ",
            None if one[0] == other[0] and left == right else f"results at other times change the statistics: {one[:2]} {other[:2]}",
            None if len(coarse) > 2 and same else "results at other times change the values"])) or None

    with Suite("determinism") as suite:
        if not teaching or not others:
            suite.add("methods", "`holonom methods` lists none")
        jobs = [job for model in sorted(TOP.glob("models/*.yaml")) for job in ways(model) if suite.wants(what(job))]
        for job, fault in at_once(faults, jobs):
            suite.add(what(job), fault)


def table(text):
    """Lines of columns below their names: {(problem, method): {name: number}}."""
    names, *lines = [line.split() for line in text.splitlines() if line and line[0] != "#"] or [[]]
    return {tuple(line[:2]): dict(zip(names[2:], map(int, line[2:]))) for line in lines}


def counters():
    """The work of each problem against tests/counters/expected.txt: to 2 %, or 2; the matrix exactly; no allocation more."""
    def worse(name, want, have):
        if name in ("nonzero", "allocs"):
            return have > want or (name == "nonzero" and have < want)
        return abs(have - want) > max(2, 0.02 * want)

    with Suite("counters") as suite:
        code, out, err = run(["build/release/tests/counters/counters"])
        want, have = table((TOP / "tests/counters/expected.txt").read_text()), table(out.decode())
        for key in filter(lambda key: suite.wants(" ".join(key)), want | have):
            old, new = want.get(key), have.get(key)
            faults = (["not run: " + text(err)] if not new else ["not recorded"] if not old else
                      [f"{name}: {old[name]} recorded, {new[name]} now ({100 * (new[name] / max(old[name], 1) - 1):+.1f} %)"
                       for name in new if worse(name, old.get(name, 0), new[name])])
            suite.add(" ".join(key), "\n".join(faults + ["if it is meant: `make counters`"] * bool(faults)) or None)
        if code and have.keys() == want.keys():
            suite.add(f"counters: exit {code}", text(err))


def manual():
    """docs/model-reference.md is what the program prints, docs/library what the public headers say; docs/models.md has every model."""
    with Suite("manual") as suite:
        pages = [run(["build/bin/holonom", verb, "--markdown"]) for verb in ("elements", "methods")]
        same = b"".join(out for _, out, _ in pages) == (TOP / "docs/model-reference.md").read_bytes()
        suite.add("docs/model-reference.md", None if same else "it is not what the program prints; `make reference` writes it")
        listed = (TOP / "docs/models.md").read_text()
        missing = [model.name for model in sorted(TOP.glob("models/*.yaml")) if f"(../models/{model.name})" not in listed]
        suite.add("docs/models.md", f"it does not list {', '.join(missing)}" if missing else None)
        suite.status("docs/library", run([sys.executable, "tools/library.py", "--check"]))


def schema():
    """Models against `holonom schema`."""
    with Suite("schema") as suite:
        test = [sys.executable, "tests/schema/schema_test.py", "build/bin/holonom", "build/release/tests/schema/tree_json",
                "build/release/tests/schema/grammar_cases"]
        code, out, err = run(test)
        results = re.findall(r"^(ok|not ok) (\S+?)(?:: (.*))?$", text(out), re.M)
        for result, name, why in results:
            if suite.wants(name):
                suite.add(name, None if result == "ok" else why)
        if code != 0 and all(result == "ok" for result, _, _ in results):
            suite.add(f"schema_test.py: exit {code}", text(out, err))


def corpus():
    if "asan" not in VARIANTS:
        return
    with Suite("fuzz corpus asan", "corpus") as suite:
        for source in sorted(TOP.glob("tests/fuzz/fuzz_*.c")):
            seeds = sorted((TOP / "tests/fuzz/corpus" / source.stem[len("fuzz_") :]).glob("*"))
            suite.status(source.stem, run([TOP / "build/asan/tests/fuzz" / source.stem, *seeds]))


def fuzz():
    with Suite("fuzz") as suite:
        for source in sorted(TOP.glob("tests/fuzz/fuzz_*.c")):
            name = source.stem[len("fuzz_") :]
            found = TOP / "build/fuzz/found" / name
            found.mkdir(parents=True, exist_ok=True)
            command = [TOP / "build/fuzz/tests/fuzz" / source.stem, f"-max_total_time={FUZZ_SECONDS}", "-timeout=20",
                       f"-artifact_prefix=build/fuzz/{name}-", found, TOP / "tests/fuzz/corpus" / name]
            suite.status(source.stem, run(command, seconds=FUZZ_SECONDS + 120))


def bugs():
    """Deliberate bugs of the whole program: each is seen by at least two tests, which are named with it."""
    with Suite("bugs") as suite:
        suite.status("tools/bugs.py", run([sys.executable, "tools/bugs.py"], seconds=7200))


def mutants():
    """A sample of the mutants of `make mutate`: the test of the elements must notice each."""
    with Suite("mutants") as suite:
        suite.status("tools/mutate.py", run([sys.executable, "tools/mutate.py", "--sample", "20"], seconds=7200))


def damage():
    """A million damaged checkpoints under a right hash, from all methods, without the sanitizers and a tenth of them with."""
    with Suite("damaged checkpoints") as suite:
        for variant, each in (("release", 22000), ("asan", 2200)):  # for each of 45 pairs of method and model
            command = [TOP / "build" / variant / "tests/unit/test_checkpoint_damage", str(each)]
            suite.status(f"{variant} {each}", run(command, seconds=7200))


def papers(name, *options):
    """What is said of published results: every table as recorded (tools/papers/record.txt), and docs/results-tables.md says the same."""
    with Suite(name, "papers") as suite:
        code, out, err = run([sys.executable, "tools/papers", *options], seconds=3600)
        for block in out.decode().split("\n\n"):
            key, *lines = block.splitlines() or [""]
            faults = [line for line in lines if line.startswith("  CHANGED: ")]
            if any(line.startswith("  ") for line in lines) and not key.startswith("reproduced "):
                suite.add(key.split(": ")[0], "\n".join(faults) or None)
        stale = re.search(r"^docs/results-tables.md is stale.*", out.decode(), re.M | re.S)
        if "--against" in options:
            suite.add("docs/results-tables.md", stale and stale[0])
        if code and not suite.bad:
            suite.add(f"tools/papers: exit {code}", text(out, err))


def by_lines(name, tool, width, *options):
    """What a tool prints beside references, line by line."""
    with Suite(name, tool) as suite:
        code, out, err = run([sys.executable, f"tools/{tool}", *options], seconds=3600)
        for line in text(out).splitlines()[:-1]:
            suite.add(" ".join(line[:width].split()), line if line.endswith("FAILED") else None)
        if code and not suite.bad:
            suite.add(f"tools/{tool}: exit {code}", text(out, err))


def accuracy():
    """Errors are what the tolerance says: a few problems, all methods."""
    with Suite("accuracy") as suite:
        suite.status("tools/accuracy.py", run([sys.executable, "tools/accuracy.py", "--short"]))


def in_scratch(suite, what, *commands, **options):
    """Runs commands one after the other in an empty folder that sees models/."""
    with tempfile.TemporaryDirectory() as scratch:
        os.symlink(TOP / "models", pathlib.Path(scratch) / "models")
        result = (0, b"", b"")
        for command in commands:
            if result[0] == 0:
                result = run(command, cwd=scratch, **options)
    suite.status(what, result)


def examples():
    with Suite("examples") as suite:
        for source in sorted(TOP.glob("examples/*.c")):
            if suite.wants(source.stem):
                in_scratch(suite, source.stem, [TOP / "build/examples" / source.stem])


def answers(name, *options):
    """tests/NAME_test.py prints `ok WHAT`, `not ok WHAT: why` or `skipped WHAT: why`; it takes names of what is wanted."""
    with Suite(" ".join([name, *options])) as suite:
        wanted = () if suite.wanted == ["*"] else suite.wanted
        code, out, err = run([sys.executable, f"tests/{name}_test.py", *options, *wanted], seconds=7200)
        for what, why in re.findall(r"^skipped (\S+): (.*)$", text(out), re.M):
            suite.skip(what, why)
        results = re.findall(r"^(ok|not ok) (\S+?)(?:: (.*))?$", text(out), re.M)
        for result, what, why in results:
            suite.add(what, None if result == "ok" else why)
        if code != 0 and all(result == "ok" for result, _, _ in results):
            suite.add(f"{name}_test.py: exit {code}", text(out, err))


def tutorial():
    """What the documents show is what the program does."""
    with Suite("tutorial") as suite:
        for document in filter(suite.wants, ("docs/tutorial.md", "docs/drafts.md", "README.md")):
            suite.status(document, run([sys.executable, "tests/tutorial_test.py", document]))


def kills(number):
    """Runs killed at random moments leave results that can be read."""
    with Suite(f"{number} kills", "kill") as suite:
        suite.status("tests/kill_test.py", run([sys.executable, "tests/kill_test.py", str(number)]))


USER_HEADERS = ["holonom_user.h"]  # of user code, which the library does not export
HEADERS = [header.name for header in sorted(TOP.glob("include/*.h")) if header.name not in USER_HEADERS]


def names_exported(library, headers):
    """None, or what the library exports beside the functions of its headers, what it lacks, and a soname that is not its own."""
    text_of = "".join(re.sub(r"//.*", "", header.read_text()) for header in headers)
    declared = set(re.findall(r"\b(hol_\w+)\(", text_of))
    code, out, err = run(["nm", "-D", "--defined-only", "--without-symbol-versions", library])
    exported = {line.split()[-1] for line in text(out).splitlines()}
    soname = re.search(r"SONAME.*\[(.*)\]", text(run(["readelf", "-d", library])[1]))
    faults = [f"not exported: {' '.join(sorted(declared - exported))}"] * bool(declared - exported)
    faults += [f"exported, in no header: {' '.join(sorted(exported - declared)[:20])}"] * bool(exported - declared)
    if not soname or not re.fullmatch(rf"{re.escape(pathlib.Path(library).name)}\.\d+", soname[1]):
        faults.append(f"soname: {soname and soname[1]}")
    return text(err) if code else "\n".join(faults) or None


def install():
    """What is installed can be compiled against and run, with pkg-config and with cmake."""
    with Suite("install") as suite, tempfile.TemporaryDirectory() as root:
        suite.status("make install", run(["make", "install", f"DESTDIR={root}", "PREFIX=/usr/local"]))
        lib, source = f"{root}/usr/local/lib", TOP / "tests/install"
        for library in "libholonom.so", "libholonom-core.so":
            suite.add(f"names of {library}", names_exported(f"{lib}/{library}", [TOP / "include" / header for header in HEADERS]))
        for language, flags in ("C11", ["gcc", "-std=c11"]), ("C++17", ["clang", "-x", "c++", "-std=c++17"]):
            for header in HEADERS + USER_HEADERS:
                suite.status(f"{header} as {language}", run(
                    [*flags, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", f"{root}/usr/local/include/{header}"]))
        env = dict(os.environ, PKG_CONFIG_PATH=f"{lib}/pkgconfig", LD_LIBRARY_PATH=lib, CMAKE_PREFIX_PATH=f"{root}/usr/local")
        compile_ = f"gcc -std=c17 {source}/main.c $(pkg-config --cflags --libs holonom) -o main"
        in_scratch(suite, "pkg-config", ["sh", "-ec", compile_], ["./main"], env=env)
        if not shutil.which("cmake"):
            suite.skip("cmake", "there is no cmake")
        else:
            in_scratch(suite, "cmake", ["cmake", source], ["cmake", "--build", "."],
                       *([f"./main_{library}"] for library in ("holonom", "core", "core_static")), env=env)


def python():
    """The Python package: built, installed without network, and its tests; docs/python.md says what the docstrings say."""
    with Suite("python") as suite:
        results = TOP / "build/python/tests.xml"
        results.unlink(missing_ok=True)
        code, out, err = run(["make", "python"], seconds=1200)
        cases = ElementTree.parse(results).iter("testcase") if results.exists() else []
        for case in cases:
            what = f"{case.get('classname').split('.')[-1]}/{case.get('name')}"
            kinds = {child.tag: child for child in case if child.tag in ("failure", "error", "skipped")}
            if "skipped" in kinds:
                suite.skip(what, kinds["skipped"].get("message"))
            else:
                suite.add(what, next((child.text for child in kinds.values()), None))
        if code and not suite.bad:
            suite.add("make python", text(out, err))
        suite.status("docs/python.md", run(["build/python/venv/bin/python", "python/tools/reference.py", "docs/python.md"]))
        suite.status("python/examples/tutorial.ipynb", run(["build/python/venv/bin/python", "python/tools/notebook.py", "python/examples/tutorial.ipynb"]))


PAGES = ["models/" + name for name in ("four_bar", "double_pendulum", "bricard", "andrews", "slider_crank", "net", "hmmwv",
                                       "rolling_disc")] + ["tests/viewer/strange", "tests/viewer/touching"]


def viewer():
    """Report pages in a browser, against the results they are made of; their motion as glTF, by Khronos' validator."""
    with Suite("viewer") as suite, tempfile.TemporaryDirectory() as scratch:
        def page(model):
            out = pathlib.Path(scratch, pathlib.Path(model).stem)
            made = run([TOP / "build/bin/holonom", "run", f"{model}.yaml", "-q", "--out", f"{out}.csv", "--report", f"{out}.html"])
            if made[0] != 0:
                return made, made
            shown = run(["node", "tests/viewer/viewer_test.mjs", f"{out}.html={out}.csv"])
            written = run([TOP / "build/bin/holonom", "export", f"{out}.csv", "-q"])
            return shown, run(["node", "tests/viewer/gltf_test.mjs", f"{out}.glb"]) if written[0] == 0 else written

        wanted = lambda model: suite.wants(model) or suite.wants(f"{model} as glTF")
        def modes(model):
            out = pathlib.Path(scratch, "modes_" + model)
            made = run([TOP / "build/bin/holonom", "modes", f"models/{model}.yaml", "-q", "--report", f"{out}.html", "--animate", f"{out}.glb"])
            return made if made[0] else run(["node", "tests/viewer/viewer_test.mjs", f"{out}.html"]), \
                made if made[0] else run(["node", "tests/viewer/gltf_test.mjs", f"{out}.glb"])

        for name in ("double_pendulum", "hmmwv"):
            if suite.wants(f"modes of {name}"):
                shown, valid = modes(name)
                suite.status(f"modes of {name}", shown)
                suite.status(f"modes of {name}", valid)
        for model, (shown, valid) in at_once(page, filter(wanted, PAGES)):
            suite.status(model, shown)
            suite.status(f"{model} as glTF", valid)


def runner():
    """Words that this program does not know run nothing, and it says how it is called."""
    with Suite("runner") as suite:
        for words, code in (["--help"], 0), (["-h"], 0), (["--relase", "unit"], 1), (["-x"], 1), (["--again"], 1), (["unti"], 1):
            got, out, err = run([sys.executable, "tests/run.py", *words], seconds=60)
            said = "tests/run.py [--long [--again]] [--release]" in text(out, err) or "there are: build" in text(out, err)
            suite.add(" ".join(words), None if got == code and said and b"passed" not in out else text(out, err) or f"exit {got}")


SUITES = {
    "build": lambda: (build("release", "all", "unit", "examples", "build/bin/bench", "build/peers/holonom"),
                      build("asan", "all", "twins", "unit", "examples", "fuzzers"), build("complex", "unit"),  # asan: by clang
                      build("tsan", *("build/tsan/tests/unit/" + source.stem for source in TOP.glob("tests/unit/test_threads*.c")))),
    "runner": runner,
    "page": page,
    "style": style,
    "unit": lambda: (programs("release", "test"), programs("asan", "test"), programs("complex", "complex"),
                     programs("tsan", "test", "threads*")),
    "cli": lambda: (command_line("release", "build/bin/holonom"), command_line("asan", "build/asan/bin/holonom")),
    "determinism": determinism,
    "counters": counters,
    "manual": manual,
    "schema": schema,
    "corpus": corpus,
    "examples": examples,
    "tutorial": tutorial,
    "certify": lambda: answers("certify"),
    "defaults": lambda: answers("defaults"),
    "random": lambda: answers("random"),
    "accuracy": accuracy,
    "growth": lambda: answers("growth"),
    "kill": lambda: kills(10),
    "limits": lambda: answers("limits"),
    "install": install,
    "core": lambda: answers("core"),
    "fmu": lambda: answers("fmu"),
    "python": python,
    "viewer": viewer,
    "analyses": lambda: by_lines("analyses", "analyses", 76, "--short"),
    "contacts": lambda: by_lines("contacts", "contacts", 68, "--short"),
    "papers": lambda: papers("papers", "--short", "--against", "docs/results-tables.md"),
}

# With --long, instead of the suites of the same names or beside them.
LONG = {
    "unit": lambda: (whole(programs, "release", "test"), whole(programs, "asan", "test"), programs("complex", "complex"),
                     programs("tsan", "test", "threads*")),
    "cli": lambda: (whole(command_line, "release", "build/bin/holonom"), whole(command_line, "asan", "build/asan/bin/holonom")),
    "kill": lambda: kills(100),
    "analyses": lambda: by_lines("analyses whole", "analyses", 76),
    "contacts": lambda: by_lines("contacts whole", "contacts", 68),
    "papers": lambda: papers("papers whole", "--against", "docs/results-tables.md"),
    "papers-large": lambda: papers("papers at large", "large"),
    **{name: lambda name=name: answers(name, "--long") for name in ("limits", "certify", "defaults", "random", "growth", "fmu")},
    "damage": damage,
    "mutants": mutants,
    "bugs": bugs,
    "compare": lambda: answers("compare"),
    "fuzz": lambda: (build("fuzz", "fuzzers"), fuzz()),
}

ALONE = {"build", "unit", "cli", "determinism", "bugs", "compare"}  # suites which keep all cores at work, or measure times
MAKING = {"install", "core", "python"}  # suites which call make for what it makes without them too
OPTIONS = ("--long", "--again", "--release")
PASSED = TOP / "build/passed"  # a file for each suite that has passed whole: on which commit, and its time
COMMIT = None  # of a tree without changes


def commit():
    """The commit of the tree, None if it has changes or is none."""
    code, head, _ = run(["git", "rev-parse", "HEAD"])
    changed = run(["git", "status", "--porcelain"])
    return text(head) if code == 0 and changed[0] == 0 and not changed[1] else None


def record(name):
    """The long form of a suite has one of its own."""
    return PASSED / (name + (".long" if "--long" in sys.argv and name in LONG else ""))


def passed_before(name):
    """On this commit? What is built is always looked at."""
    return COMMIT and name != "build" and record(name).exists() and record(name).read_text().split()[0] == COMMIT


def make_suite(name):
    good, bad, left, start, cpu = passed, failed, skipped, time.monotonic(), used()
    record(name).unlink(missing_ok=True)
    CHOICE[name]()
    whole = WANTED.get(name, ["*"]) == ["*"] and not SHORTENED
    if whole and passed > good and failed == bad and COMMIT and COMMIT == commit():
        PASSED.mkdir(parents=True, exist_ok=True)
        record(name).write_text(f"{COMMIT} {passed - good} passed, {skipped - left} skipped, "
                                f"{time.monotonic() - start:.0f} s, CPU {used() - cpu:.0f} s\n")


def apart(name):
    """A suite in a process of its own, of which the CPU seconds are those of the suite: what it prints, and its counts."""
    global passed, failed, skipped
    passed = failed = skipped = 0
    with contextlib.redirect_stdout(io.StringIO()) as said:
        make_suite(name)
    return said.getvalue(), (passed, failed, skipped)


def side_by_side(names):
    """As many suites at a time as there are cores, printed in their order."""
    global passed, failed, skipped
    names = list(names)
    if MAKING & set(names):  # no two of them at once make the same
        run(["make", f"-j{os.cpu_count()}", "all"], seconds=3600)
    with ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("fork")) as pool:
        for said, counts in pool.map(apart, names):
            print(said, end="", flush=True)
            passed, failed, skipped = map(sum, zip((passed, failed, skipped), counts))


def usage():
    """The two lines of the module's text that say how to call this, and the suites."""
    return __doc__.split("\n\n")[1] + f"\n\nSuites: {' '.join(SUITES)}\nwith --long: {' '.join(LONG)}"


# Names of tests that are wanted, by suite; [*] if none is named.
arguments = sys.argv[1:] if __name__ == "__main__" else []
if {"--help", "-h"} & set(arguments):
    print(usage())
    sys.exit(0)
for option in arguments:
    if option[:1] == "-" and option not in OPTIONS:
        sys.exit(f"{option}: no such option\n\n{usage()}")
if "--again" in arguments and "--long" not in arguments:
    sys.exit(f"--again goes with --long\n\n{usage()}")
CHOICE = SUITES | LONG if "--long" in arguments else SUITES
names = [name for name in arguments if name not in OPTIONS]
for name in names:
    suite, _, test = name.partition("/")
    if suite not in CHOICE:
        sys.exit(f"{suite}: no such suite; there are: {' '.join(CHOICE)}")
    WANTED.setdefault(suite, []).append(test or "*")
if __name__ == "__main__":
    begin, COMMIT = time.monotonic(), commit()
    names = list(WANTED or CHOICE)
    look_back = "--long" in sys.argv and "--again" not in sys.argv and not WANTED
    before = [name for name in names if look_back and passed_before(name)]
    for alone, some in itertools.groupby((name for name in names if name not in before), ALONE.__contains__):
        if alone:
            for name in some:
                make_suite(name)
        else:
            side_by_side(some)
    print(f"{time.monotonic() - begin:.0f} s on the clock, {used():.0f} CPU s")
    for name in before:
        print(f"passed before on this commit, not run again: {name}: {record(name).read_text().split(' ', 1)[1].strip()}")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    sys.exit(failed > 0)
