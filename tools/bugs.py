#!/usr/bin/env python3
"""Deliberate bugs, one at a time in a copy of the tree; at least two tests must see each.

    tools/bugs.py [BUG | AREA ...]      the tests named in the list must fail with the bug and pass without it
    tools/bugs.py --find BUG [TEST ...] which tests see it: of all release tests, or of these (names of tests/run.py)
    tools/bugs.py --list                names of all bugs, with area and file
    tools/bugs.py --dry                 does the text of every bug stand in its file once? Nothing is built

The list: tests/bugs/AREA.toml. A bug is `[name]` with file, before (a text that stands in the file once), after, and
seen: two tests or more, as tests/run.py names them. What stands in the tree is built first; the copies get the objects
with it, so that a bug costs one file to compile. Exit 1 if a text is not found, a bug does not compile, a listed test does not
fail, or fails without the bug, or if fewer than two are listed.
"""
import os, pathlib, queue, re, shutil, subprocess, sys, tempfile, tomllib
from concurrent.futures import ThreadPoolExecutor

TOP = pathlib.Path(__file__).resolve().parent.parent
JOBS = 2  # copies of the tree
QUICK = ["unit", "cli", "manual", "schema", "tutorial", "counters", "examples"]  # suites of --find
LIMIT = 120  # of one program [s]; who does not end has failed
FEWEST = 2
OPTIONS = ("--find", "--list", "--dry")
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "VARIANT")}


def bugs():
    """All of the list: {name: bug}, a bug being its table with name and area."""
    found = {}
    for file in sorted((TOP / "tests/bugs").glob("*.toml")):
        for name, bug in tomllib.loads(file.read_text()).items():
            if name in found:
                sys.exit(f"{file}: there is a bug {name} in {found[name]['area']} already")
            found[name] = bug | {"name": name, "area": file.stem}
    return found


def changed(bug, tree):
    """The file of the bug with the bug in it, or why not."""
    text = (tree / bug["file"]).read_text()
    n = text.count(bug["before"])
    if n != 1:
        return None, f"the text stands {n} times in {bug['file']}"
    return text.replace(bug["before"], bug["after"]), None


def make(tree, *goals, variant="release"):
    """None, or what make says."""
    done = subprocess.run(["make", "-s", *(["-j2"] if tree == TOP else ["CFLAGS=-w"]), f"VARIANT={variant}", *goals], cwd=tree,
                          env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr.strip() or done.stdout.strip()


def build(tree, tests, page=False):
    """What the tests need, and the report page if that has changed."""
    goals = {"release": {"all"}}
    for test in tests:
        suite, _, name = test.partition("/")
        program = name.partition("/")[0]
        if program.startswith("complex"):
            goals.setdefault("complex", set()).add(f"build/complex/tests/unit/{program}")
        elif suite == "unit" and program and "*" not in program:
            goals["release"].add(f"build/release/tests/unit/{program}")
        elif suite == "unit":
            goals["release"].add("unit")
            goals["complex"] = {"unit"}
        elif suite == "counters":
            goals["release"].add("build/release/tests/counters/counters")
        elif suite in ("schema", "examples"):
            goals["release"] |= {"unit", "examples"}
    if all(test.startswith("unit/complex") for test in tests):
        del goals["release"]
    fault = make(tree, "page") if page else None
    return fault or next(filter(None, (make(tree, *sorted(what), variant=variant) for variant, what in goals.items())), None)


def failing(tree, tests):
    """Those of the tests that fail, by their names, and how many were made."""
    done = subprocess.run([sys.executable, "tests/run.py", "--release", *tests], cwd=tree, capture_output=True, text=True,
                          env=ENVIRONMENT | {"TIME_LIMIT": str(LIMIT)}, stdin=subprocess.DEVNULL)
    last = re.search(r"^(\d+) passed, (\d+) failed", done.stdout, re.M)
    if not last:
        sys.exit(f"tests/run.py: {done.stdout}{done.stderr}")
    return re.findall(r"^  (\w+/.*):$", done.stdout, re.M), int(last[1]) + int(last[2])


def copy_of_tree(tree):
    """Sources and what was made of them, with their times."""
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=TOP, capture_output=True, text=True, check=True)
    built = [p for part in ("build/release", "build/complex", "build/lib", "build/bin", "build/examples", "build/viewer", "build/packages")
             for p in (TOP / part).rglob("*")]
    for file in [TOP / name for name in files.stdout.splitlines()] + built:
        if file.is_file() or file.is_symlink():
            to = tree / file.relative_to(TOP)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, to, follow_symlinks=False)
    (tree / "viewer/node_modules").symlink_to(TOP / "viewer/node_modules")
    return tree


def is_page(bug):
    return bug["file"].startswith("viewer/")


class Planted:
    """A tree with a bug in it while the block lasts; after it source and object are the old ones, with their times."""

    def __init__(self, bug, tree):
        self.bug, self.tree, self.kept = bug, tree, {}

    def __enter__(self):
        text, self.fault = changed(self.bug, self.tree)
        made = [f"build/{variant}/{self.bug['file'][:-2]}.o" for variant in ("release", "complex")]
        if is_page(self.bug):
            made = ["viewer/report.html", "build/viewer/report.html", "build/release/src/io/report_page.o"]
        for name in (self.bug["file"], *made):
            file = self.tree / name
            self.kept[file] = (file.read_bytes(), file.stat().st_mtime_ns) if file.exists() else None
        if text:
            (self.tree / self.bug["file"]).write_text(text)
        return self

    def __exit__(self, *_):
        for file, old in self.kept.items():
            file.unlink(missing_ok=True)
            if old:
                file.write_bytes(old[0])
                os.utime(file, ns=(old[1], old[1]))
        for variant in ("lib", "complex/lib"):  # made of what is gone
            (self.tree / "build" / variant / "libholonom.a").unlink(missing_ok=True)


def judge(bug, tree):
    """None, or what is wrong with the bug."""
    with Planted(bug, tree) as planted:
        if planted.fault:
            return planted.fault
        fault = build(tree, bug["seen"], is_page(bug))
        if fault:
            return f"it does not compile: {fault}"
        blind = set(bug["seen"]) - set(failing(tree, bug["seen"])[0])
        return f"not seen by {', '.join(sorted(blind))}" if blind else None


def find(bug, tests, tree):
    with Planted(bug, tree) as planted:
        fault = planted.fault or build(tree, tests, is_page(bug))
        if fault:
            sys.exit(f"{bug['name']}: {fault}")
        for name in failing(tree, tests)[0]:
            print(f'  "{name}",')


def usage():
    """The lines of the module's text that say how to call this."""
    return __doc__.split("\n\n")[1]


def refuse(why):
    sys.exit(f"{why}\n\n{usage()}")


def called(every):
    """Option and words of the command line, which are refused unless they are of the usage."""
    options = [a for a in sys.argv[1:] if a[:1] == "-"]
    words = [a for a in sys.argv[1:] if a[:1] != "-"]
    for option in options:
        if option not in OPTIONS:
            refuse(f"{option}: no such option")
    if len(options) > 1:
        refuse(f"{' '.join(options)}: one option at a time")
    option = options[0] if options else None
    if option in ("--list", "--dry") and words:
        refuse(f"{words[0]}: {option} takes no name")
    if option == "--find" and not words:
        refuse("--find: the bug is missing")
    if option == "--find" and words[0] not in every:
        refuse(f"{words[0]}: no such bug; --list names them")
    known = {*every, *(bug["area"] for bug in every.values())}
    for word in words:
        if option != "--find" and word not in known:
            refuse(f"{word}: no such bug or area; --list names them")
    return option, words


def main():
    if {"--help", "-h"} & set(sys.argv[1:]):
        print(usage())
        return 0
    every = bugs()
    option, arguments = called(every)
    if option == "--list":
        for bug in every.values():
            print(f"{bug['area']:12} {bug['name']:40} {bug['file']}")
        print(f"{len(every)} bugs")
        return 0
    if option == "--dry":
        faults = [f"{bug['area']}: {bug['name']}: {changed(bug, TOP)[1]}" for bug in every.values() if changed(bug, TOP)[1]]
        print("\n".join(faults + [f"{len(every) - len(faults)} of {len(every)} bugs have their text"]))
        return 1 if faults else 0
    searching = option == "--find"
    fault = make(TOP, "all", "unit", "examples") or make(TOP, "unit", variant="complex")
    if fault:
        sys.exit(f"the tree does not build: {fault}")
    with tempfile.TemporaryDirectory() as scratch:
        if searching:
            find(every[arguments[0]], arguments[1:] or QUICK, copy_of_tree(pathlib.Path(scratch, "tree")))
            return 0
        chosen = [b for b in every.values() if not arguments or b["name"] in arguments or b["area"] in arguments]
        return battery(chosen, pathlib.Path(scratch))


def battery(chosen, scratch):
    """Prints what is wrong, and how many bugs were seen."""
    faults = [f"{b['name']}: {len(b.get('seen', []))} tests listed, {FEWEST} are wanted" for b in chosen
              if len(set(b.get("seen", []))) < FEWEST]
    tests = sorted({test for b in chosen for test in b["seen"]})
    ill, made = failing(TOP, tests)
    faults += [f"{test} fails without any bug" for test in ill]
    if made < len(tests):
        faults.append(f"{len(tests)} tests are listed, {made} exist")
    trees = queue.SimpleQueue()
    for k in range(min(JOBS, len(chosen))):
        trees.put(copy_of_tree(scratch / str(k)))

    def work(bug):
        tree = trees.get()
        try:
            return judge(bug, tree)
        finally:
            trees.put(tree)

    seen = 0
    with ThreadPoolExecutor(JOBS) as pool:
        for bug, fault in zip(chosen, pool.map(work, chosen)):
            if fault:
                print(f"{bug['area']}: {bug['name']}: {fault}", flush=True)
            seen += not fault
    print("\n".join(faults + [f"{seen} of {len(chosen)} bugs seen by the tests named"]))
    return 1 if faults or seen < len(chosen) else 0


if __name__ == "__main__":
    sys.exit(main())
