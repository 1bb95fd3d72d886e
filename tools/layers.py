#!/usr/bin/env python3
"""Includes run only leftward: a folder of src/ may use itself and the folders before it."""
import pathlib, re, sys

ORDER = "base text linalg expr element model system recursion integrator analysis scene io api cli".split()

top = pathlib.Path(__file__).resolve().parent.parent
wrong = []
for file in sorted(top.glob("src/**/*.[ch]")):
    folder, *deeper = file.relative_to(top / "src").parts[:-1] or [""]
    if deeper or folder not in ORDER:
        wrong.append(f"{file.relative_to(top)}: sources live in src/NAME/, NAME one of: {' '.join(ORDER)}")
        continue
    allowed = ORDER[: ORDER.index(folder) + 1]
    for number, line in enumerate(file.read_text().splitlines(), 1):
        include = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if include and include[1] != "holonom.h" and include[1].split("/")[0] not in allowed:
            wrong.append(f'{file.relative_to(top)}:{number}: "{include[1]}" is not left of {folder}: {" <- ".join(ORDER)}')
for file in sorted(top.glob("examples/*.c")):
    for number, line in enumerate(file.read_text().splitlines(), 1):
        include = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if include and include[1] != "holonom.h":
            wrong.append(f'{file.relative_to(top)}:{number}: an example includes only "holonom.h"')

print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(bool(wrong))
