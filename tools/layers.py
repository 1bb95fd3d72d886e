#!/usr/bin/env python3
"""Includes run only leftward: a folder of src/ may use itself and the folders before it.
Numbers and letters in texts do not depend on the locale: the library writes and reads them by base/decimal.c (src/cli sets the locale of
its thread)."""
import pathlib, re, sys

ORDER = "base text linalg expr element model system recursion integrator analysis scene io study api fmu cli".split()

top = pathlib.Path(__file__).resolve().parent.parent
PUBLIC = {header.name for header in top.glob("include/*.h")}
wrong = []
LETTERS = re.compile(r"\b(strn?casecmp|to(?:upper|lower)|is(?:alpha|alnum|upper|lower|digit|space|punct|print))\s*\(")
# strtod and its like; printf and its like with a number that has a decimal point, or with a list of arguments
BY_LOCALE = re.compile(r'\b(strto(?:d|f|ld)|atof|v(?:sn|s|f)?printf)\s*\(|\b((?:sn|s|f)?printf|f?scanf|sscanf)\s*\(([^;]*?%[-+ #0-9.*l]*[aefgAEFG])')


def depends_on_locale(text):
    for found in BY_LOCALE.finditer(text):
        if found[1] or re.search(r"%[-+ #0-9.*l]*[aefgAEFG]", "".join(re.findall(r'"(?:[^"\\]|\\.)*"', found[3] + '"'))):
            yield text.count("\n", 0, found.start()) + 1, found[1] or found[2]


for file in sorted(top.glob("src/**/*.[ch]")):
    folder, *deeper = file.relative_to(top / "src").parts[:-1] or [""]
    if deeper or folder not in ORDER:
        wrong.append(f"{file.relative_to(top)}: sources live in src/NAME/, NAME one of: {' '.join(ORDER)}")
        continue
    if folder != "cli" and file.name != "decimal.c":
        for number, name in depends_on_locale(re.sub(r"//.*", "", file.read_text())):
            wrong.append(f"{file.relative_to(top)}:{number}: {name} depends on the locale: use hol_decimal_.. (base/base.h)")
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if found := LETTERS.search(line):
            wrong.append(f"{file.relative_to(top)}:{number}: {found[1]} depends on the locale: use hol_same_word (base/base.h)")
    allowed = ORDER[: ORDER.index(folder) + 1]
    for number, line in enumerate(file.read_text().splitlines(), 1):
        include = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if include and include[1] not in PUBLIC and include[1].split("/")[0] not in allowed:
            wrong.append(f'{file.relative_to(top)}:{number}: "{include[1]}" is not left of {folder}: {" <- ".join(ORDER)}')
for file in sorted(top.glob("examples/*.c")):
    for number, line in enumerate(file.read_text().splitlines(), 1):
        include = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if include and include[1] not in PUBLIC:
            wrong.append(f'{file.relative_to(top)}:{number}: an example includes only headers of include/')

print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(bool(wrong))
