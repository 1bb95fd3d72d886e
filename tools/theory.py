#!/usr/bin/env python3
"""docs/theory.md is one whole: each equation is numbered once, in its section; each number and section that sources and documents cite is
there; the contents have every section; the map at the start has every method of the program."""
import collections, pathlib, re, sys

top = pathlib.Path(__file__).resolve().parent.parent
theory = top / "docs/theory.md"
lines = theory.read_text().splitlines()
wrong = []

# ---- what is there: sections, equations ----

heads, equations, section = {}, collections.defaultdict(list), "0"
for number, line in enumerate(lines, 1):
    if head := re.match(r"(##|###) (\d+(?:\.\d+)?) (.+)", line):
        if head[2] in heads:
            wrong.append(f"docs/theory.md:{number}: section {head[2]} is there twice")
        heads[head[2]] = head[3]
        section = head[2].split(".")[0]
    elif line.startswith("## ") and re.match(r"## \d", line):
        wrong.append(f"docs/theory.md:{number}: a head is written `## 5 Title`")
    if equation := re.match(r"    .*\((\d+\.\d+[a-z]?)\)$", line):
        equations[equation[1]].append(number)
        if equation[1].split(".")[0] != section:
            wrong.append(f"docs/theory.md:{number}: equation ({equation[1]}) stands in section {section}")
for name, where in equations.items():
    if len(where) > 1:
        wrong.append(f"docs/theory.md: equation ({name}) is there {len(where)} times, lines {', '.join(map(str, where))}")

# ---- contents and map ----

contents = "\n".join(lines[: next(i for i, line in enumerate(lines) if line.startswith("## 1 "))])
for name, title in heads.items():
    anchor = re.sub(r"[^\w -]", "", f"{name} {title}".lower()).replace(" ", "-")
    if "." not in name and f"\n{name}. [{title}](#{anchor})" not in contents:
        wrong.append(f"docs/theory.md: the contents have no line {name}. [{title}](#{anchor})")
methods = set()
for file in top.glob("src/**/*.c"):
    methods |= set(re.findall(r'^const hol_method hol_method_\w+ = \{\s*\.name = "([^"]+)"', file.read_text(), re.M))
if not methods:
    wrong.append("src: no method is found: `const hol_method hol_method_NAME = { .name = ..`")
for name in sorted(methods):
    if not re.search(rf"^\|[^|]*`{re.escape(name)}`", contents, re.M):
        wrong.append(f"docs/theory.md: the map of methods has no row that begins with `{name}`")

# ---- what is cited ----

ELSEWHERE = re.compile(r"(Ascher|paper|there\b|Featherstone|Gavrea|Negrut|Fernandez|Bruels|Hairer|Yen)")  # whose numbers are not ours


def cited_text(file):
    """(line number, text) where equations and sections may be cited: comments of sources, text of documents."""
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if file.suffix == ".md":
            yield number, "" if line.startswith(("    ", "|")) and file != theory else line
        elif comment := re.search(r"//(.*)", line):
            yield number, comment[1]


for file in sorted([*top.glob("src/**/*.[ch]"), *top.glob("include/*.h"), *top.glob("tests/**/*.[ch]"), *top.glob("bench/**/*.[ch]"),
                    *top.glob("docs/*.md")]):
    if file.name.startswith("results"):
        continue
    before = ""
    for number, text in cited_text(file):
        foreign, before = ELSEWHERE.search(before + text), text
        if foreign:
            continue
        for name in re.findall(r"(?<![\w\]])(?<!\d )\((\d{1,2}\.\d{1,2}[a-z]?)\)", text):
            if name not in equations:
                wrong.append(f"{file.relative_to(top)}:{number}: there is no equation ({name}) in docs/theory.md")
        for name in re.findall(r"theory\.md,? (?:section |sections )?(\d{1,2}(?:\.\d{1,2})?)\b", text):
            if name not in heads and name not in equations:
                wrong.append(f"{file.relative_to(top)}:{number}: there is no section {name} in docs/theory.md")
        for name in re.findall(r"[Ss]ections? (\d{1,2}(?:\.\d{1,2})?)\b", text) if file == theory else []:
            if name not in heads:
                wrong.append(f"docs/theory.md:{number}: there is no section {name}")

print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(bool(wrong))
