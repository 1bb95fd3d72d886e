"""Writes docs/results.md and its figures: what `make papers` prints, and the papers' figures drawn from our results.

    python3 tools/results [--tables] [PROGRAM]   PROGRAM: default build/bin/holonom; needs gnuplot
    --tables: the tables anew, figures and what is said of them as they are
"""
import subprocess, sys

import figures_ascher, figures_fernandez, figures_gavrea_negrut, figures_yen, work
from plot import TOP, common

DOCUMENT, TABLES = TOP / "docs/results.md", "## Tables"
programs = [word for word in sys.argv[1:] if word != "--tables"]
if programs:
    common.program = programs[0]
version = subprocess.run([common.program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
if "--tables" in sys.argv:
    above = DOCUMENT.read_text().split(TABLES)[0].split("\n", 4)[4]
else:
    parts = (figures_gavrea_negrut, figures_yen, figures_fernandez, figures_ascher, work)
    above = "\n## Figures of the papers, from our results\n" + "".join(part.text() for part in parts)
tables = subprocess.run([sys.executable, TOP / "tools/papers", "--program", common.program], capture_output=True, text=True)
DOCUMENT.write_text(f"""# Results

Written by `make results` with {version}; the tables are what `make papers` prints. `make check` compares their verdicts with those of the
program of the day.
{above.rstrip()}

{TABLES}

A row about something published ends with "reproduced", "not reproduced" (other numbers, while the data of the paper are incomplete or our
program is another in a way that matters) or "refuted" (the data are complete, and the claim does not hold); numbers of papers stand as
they are printed, misprints are marked. Other rows end with a word of our own. Numbers that may not grow are kept in
tools/papers/record.txt: 10 % more, or another verdict, fails `make papers`.

```
{tables.stdout.strip()}
```
""")
sys.exit(tables.returncode)
