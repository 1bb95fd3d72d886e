#!/usr/bin/env python3
"""Every .c file of src opens with what it does, and every function of more than ten lines has a comment above it.

    python3 tools/comments.py [--count] [FOLDER ..]   FOLDER: of src; default: all

A function declared in a header may have its comment there."""
import collections, pathlib, re, sys

LONG = 10  # lines of a function, from its name to its brace, that do without a comment
top = pathlib.Path(__file__).resolve().parent.parent


def functions(lines):
    """(first line, name, length) of each function; first: the line, from 0, on which its declaration begins."""
    for close in (i for i, line in enumerate(lines) if line == "}"):
        opened = next((i for i in range(close - 1, -1, -1) if lines[i] == "{"), None)
        if opened is None:
            continue
        first = opened
        while first > 0 and lines[first - 1] and not re.match(r"(//|#|\}|.*\*/$|.*;$)", lines[first - 1]):
            first -= 1
        name = re.search(r"(\w+)\(", " ".join(lines[first:opened]))
        if name and "=" not in lines[first]:
            yield first, name[1], close - first + 1


def commented(lines, first):
    return first > 0 and lines[first - 1].startswith("//") and not lines[first - 1].startswith("// ----")


def declared(headers):
    """Names of functions with a comment at their declaration: beside it, or above the block of lines it stands in."""
    names = set()
    for file in headers:
        for block in re.split(r"\n\s*\n", file.read_text()):
            if "//" in block:
                names |= set(re.findall(r"\b((?:hol|cli)_\w+)\(", re.sub(r"//.*", "", block)))
    return names


def faults(folders):
    """Texts about files and functions that say nothing of themselves."""
    known = declared([*top.glob("src/**/*.h"), *top.glob("include/*.h")])
    for file in sorted(top.glob("src/**/*.[ch]")):
        if folders and file.parent.name not in folders:
            continue
        lines = file.read_text().splitlines()
        place = file.relative_to(top)
        if file.suffix == ".c" and not re.match(r"// (?!See )", lines[0]):
            yield f"{place}:1: the file does not open with what it does"
        for first, name, length in functions(lines):
            if length > LONG and not commented(lines, first) and name not in known:
                yield f"{place}:{first + 1}: {name}, {length} lines, has no comment above it"


words = sys.argv[1:]
folders = [word for word in words if not word.startswith("--")]
found = list(faults(folders))
if "--count" in words:
    count = collections.Counter(line.split("/")[1] for line in found)
    print("\n".join(f"{folder:12} {n}" for folder, n in count.items()), sum(count.values()), sep="\n")
else:
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))
