#!/usr/bin/env python3
"""Turns one sign at a time in the element sources and expects one of the tests by the complex step (TESTS) to notice, or one of values (VALUES):
where a function is another one, its derivatives are right.

    tools/mutate.py [--sample N] [--list] [FILE...]

+ becomes -, - becomes +, += becomes -=, -= becomes +=. Left alone: comments, texts, array indices, addresses and
sizes, and functions that only prepare data (SETUP). --sample N takes N mutants spread evenly over all of them.
Mutants that cannot be told from the original stand in tools/mutate_equivalent.txt with the reason, one per line:
    FILE | the line | number of the sign in the line | reason
Exit 1 if a mutant survives that is not listed there, or a listed one does not exist or is caught.
"""
import concurrent.futures, os, pathlib, re, subprocess, sys, tempfile

import bugs

TOP = pathlib.Path(__file__).resolve().parent.parent
EQUIVALENT = TOP / "tools/mutate_equivalent.txt"
VALUE_TESTS = ("contacts", "contact_shapes", "contact_friction", "laws", "motors", "joints", "joint_motion", "signals", "vehicle", "volume", "models", "stops",
               "machines", "reactions", "swarms", "bushing_beam", "spatial", "words", "zero_length", "kinematics", "switched")
TESTS = tuple(sorted(file.name for file in (TOP / "tests/unit").glob("complex_*.c")))  # a program each
VALUES = ["unit/test_" + name for name in VALUE_TESTS]
SHARED = "harness.c"
COMPILE = ["gcc", "-std=c17", "-D_POSIX_C_SOURCE=200809L", "-DHOL_COMPLEX", "-O0", "-w", "-Iinclude", "-Isrc"]
LIBRARIES = ["-lyaml", "-lexpat", "-lcmocka", "-lm", *subprocess.run(["pkg-config", "--libs", "lapacke", "openblas", "assimp"], capture_output=True, text=True).stdout.split()]
TIME_LIMIT = 30  # of one run; a mutant that never ends is caught [s]
JOBS = 2

# Functions that fill an element's data once; their tests are the bad models and test_model.c.
SETUP = re.compile(r"^(setup|check_inertia|check_closed|symmetric_eigenvalues|coefficients|in_words|try_words|read_words|same|"
                   r"hol_element_\w+)$")
# Addresses, counts and sizes: y + 3, y + k->iy, ny - 1, &x - 1
ADDRESS = re.compile(r"(\b(y|w|a|p|s->\w)\s*\+\s*(\d|k->iy|p->iy))|(\b(ny|nq|n)\s*[-+]\s*1\b)")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def code_only(text):
    """The text with comments, strings, characters and preprocessor lines blanked, everything at its place."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|^[ \t]*#[^\n]*'
    return re.sub(pattern, blank, text, flags=re.S | re.M)


def without_indices(line):
    """Square brackets and addresses blanked."""
    depth, out = 0, []
    for c in line:
        depth += c == "["
        out.append(" " if depth else c)
        depth -= c == "]"
    return ADDRESS.sub(blank, "".join(out))


def signs(line):
    """(start, end, replacement) of every sign that may be turned."""
    for m in re.finditer(r"\+\+|--|->|\+=|-=|\d[eE][-+]\d|[-+]", line):
        t = m.group()
        if t in ("+=", "-=", "+", "-"):
            yield m.start(), m.end(), t.translate(str.maketrans("+-", "-+"))


def mutants_of(path):
    text = path.read_text()
    lines, function, inside = text.splitlines(), "", False
    for number, code in enumerate(code_only(text).splitlines()):
        head = re.match(r"[a-z][\w *]*?(\w+)\(", code)
        if head:
            function = head.group(1)
        if code.startswith("{"):
            inside = True
        elif code.startswith("}"):
            inside = False
        elif inside and not SETUP.match(function):
            for k, (start, end, new) in enumerate(signs(without_indices(code)), 1):
                original = lines[number]
                changed = original[:start] + new + original[end:]
                yield {"file": path.name, "path": path, "line": number, "sign": k, "text": original.strip(),
                       "changed": "\n".join(lines[:number] + [changed] + lines[number + 1 :]) + "\n",
                       "shown": changed.strip()}


def key(m):
    return m["file"], m["text"], m["sign"]


def equivalents():
    table = {}
    for line in EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []:
        if line and not line.startswith("#"):
            file, text, sign, reason = (part.strip() for part in line.split(" | "))
            table[file, text, int(sign)] = reason
    return table


def object_of(folder, source):
    return folder / (str(source).replace("/", "_") + ".o")


def compile_(source, target, include=()):
    command = COMPILE + [f"-I{i}" for i in include] + ["-c", str(source), "-o", str(target)]
    return subprocess.run(command, cwd=TOP, capture_output=True).returncode == 0


def build_all(folder, pool):
    sources = [p.relative_to(TOP) for part in "base text expr element model".split() for p in (TOP / "src" / part).glob("*.c")
               if not p.stem.endswith("_core")]  # which take the place of others in another library
    sources += [pathlib.Path("src/linalg/dense.c"), pathlib.Path("src/linalg/blas.c"), *(pathlib.Path("tests/unit") / name for name in (*TESTS, SHARED))]
    if not all(pool.map(lambda s: compile_(s, object_of(folder, s)), sources)):
        sys.exit("the sources do not compile")
    return {s.name: object_of(folder, s) for s in sources}


def passes(folder, objects, program, test):
    """objects: by name of their source; those of other tests are left out."""
    parts = [str(o) for name, o in objects.items() if name == test or name not in TESTS]
    link = subprocess.run(["gcc", *parts, *LIBRARIES, "-o", str(program)], cwd=folder, capture_output=True)
    if link.returncode != 0:
        return False
    try:
        return subprocess.run([str(program)], capture_output=True, timeout=TIME_LIMIT).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def judge(mutant, number, objects, folder):
    source, target = folder / f"{number}_{mutant['file']}", folder / f"{number}.o"
    source.write_text(mutant["changed"])
    try:
        if not compile_(source, target, include=[mutant["path"].parent]):
            return "not compiled"
        mine = {**objects, mutant["file"]: target}
        return "survived" if all(passes(folder, mine, folder / f"{number}.exe", t) for t in TESTS) else "caught"
    finally:
        for p in (source, target, folder / f"{number}.exe"):
            p.unlink(missing_ok=True)


def copy_with(tests, tree):
    """A copy of the tree, in which these tests pass."""
    fault = bugs.build(TOP, tests) or ", ".join(bugs.failing(TOP, tests)[0])
    if fault:
        sys.exit(f"without any mutant: {fault}")
    return bugs.copy_of_tree(tree)


def differs(mutant, tree):
    """Do the tests of values notice it, in a copy of the tree?"""
    file = f"src/element/{mutant['file']}"
    with bugs.Planted({"file": file, "before": (tree / file).read_text(), "after": mutant["changed"]}, tree):
        return bool(bugs.build(tree, VALUES)) or any(bugs.failing(tree, [test])[0] for test in VALUES)


def spread(items, n):
    """n of the items, evenly."""
    return items if n >= len(items) else [items[(2 * i + 1) * len(items) // (2 * n)] for i in range(n)]


def main():
    arguments = sys.argv[1:]
    sample = 0
    if "--sample" in arguments:
        at = arguments.index("--sample")
        sample = int(arguments[at + 1])
        del arguments[at : at + 2]
    only = [pathlib.Path(a).name for a in arguments if a != "--list"]
    everything = [m for p in sorted((TOP / "src/element").glob("*.c")) for m in mutants_of(p)]
    known = equivalents()
    faults = [f"tools/mutate_equivalent.txt: no such mutant: {' | '.join(map(str, k))}"
              for k in known if k not in {key(m) for m in everything}]
    chosen = [m for m in everything if not only or m["file"] in only]
    if sample:
        chosen = spread([m for m in chosen if key(m) not in known], sample)
    if "--list" in arguments:
        for m in chosen:
            print(f"{m['file']}:{m['line'] + 1}: {m['shown']}")
        print(f"{len(chosen)} mutants")
        return
    count = {"caught": 0, "not compiled": 0, "survived": 0, "equivalent": 0}
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        folder = pathlib.Path(scratch)
        objects = build_all(folder, pool)
        for test in TESTS:
            if not passes(folder, objects, folder / "original", test):
                sys.exit(f"{test} fails without any mutant")
        results = list(pool.map(lambda pair: judge(pair[1], pair[0], objects, folder), enumerate(chosen)))
        tree = copy_with(VALUES, folder / "tree") if "survived" in results else None
        for m, result in zip(chosen, results):
            if result == "survived" and differs(m, tree):
                result = "caught"
            place = f"src/element/{m['file']}:{m['line'] + 1}: sign {m['sign']}: {m['shown']}"
            listed = key(m) in known
            if result == "survived" and listed:
                result = "equivalent"
            elif result == "survived":
                faults.append(f"survived: {place}")
            elif listed:
                faults.append(f"listed as equivalent but {result}: {place}")
            count[result] += 1
    print("\n".join(faults + [", ".join(f"{n} {what}" for what, n in count.items()) + f" of {len(chosen)} mutants"]))
    sys.exit(1 if faults else 0)


main()
