"""Writes docs/results.md with its figures, what is found about published results, and docs/results-tables.md, what `make papers` prints.

    python3 tools/results [--tables] [PROGRAM]   PROGRAM: default build/bin/holonom; needs gnuplot
    --tables: the tables anew and what they count, figures and what is said of them as they are
"""
import collections, re, subprocess, sys

import figures_ascher, figures_fernandez, figures_gavrea_negrut, figures_yen, work
from plot import TOP, common

DOCUMENT, TABLES, FIGURES = TOP / "docs/results.md", TOP / "docs/results-tables.md", "## Figures of the papers, from our results"
PAPERS = figures_gavrea_negrut, figures_yen, figures_fernandez, figures_ascher
WORDS = ("reproduced", "not reproduced", "refuted")
FINDINGS = """- Gavrea, Negrut, Potra 2005 (`newmark`): every row of the tables to the printed digits, and the orders of the corollary.
- Negrut, Sandu, Haug, Potra, Sandu 2003 (`rn4`): the numbers of steps and what they depend on; not the errors, which are larger here by
  factors of 1.7 to 6.1 with the same steps, nor the ratios of CPU times.
- Yen, Petzold 1998 (`bdf`): theorem 3.1 as numbers; not that `cm` is the fastest on the problems of section 4.
- Fernandez de Bustos, Uriarte, Urkullu, Garcia-Marina 2021 (`tangent`): integration in the tangent space is stable just where linear theory
  says; refuted is that Fox-Goodwin is of order 4.
- Ascher, Lin 1999 (`srm`): two iterates are enough whatever the number of rods; not that the openings are free of the size on a net.
- For the same error `rn4` takes the fewest steps of `rn4`, `hht` and `newmark`; which one takes the least time depends on the model.
"""


def counts(tables):
    """Markdown rows: how many rows about each paper are reproduced, not reproduced and refuted."""
    found = collections.defaultdict(collections.Counter)
    for block in tables.split("\n\n"):
        title, *rows = block.splitlines() or [""]
        paper = re.match(r"[^,:]+(?:, \w+)? \d{4}(?=[,:])", title)
        for row in rows:
            word = re.search(rf"  ({'|'.join(WORDS)})$", row)
            if paper and word:
                found[paper[0]][word[1]] += 1
    head = f"| paper | {' | '.join(WORDS)} |\n|---|{'---|' * len(WORDS)}\n"
    return head + "".join(f"| {paper} | {' | '.join(str(n[word]) for word in WORDS)} |\n" for paper, n in found.items())


def write_tables(tables, version):
    """docs/results-tables.md"""
    remarks = "".join(part.REMARKS for part in PAPERS)
    TABLES.write_text(f"""# Tables of results

Written by `make results` with {version}; the pictures are in [results.md](results.md). The tables are the lines that
`make papers` prints. `make check` compares their verdicts with those of the program of the day.

A row about something published ends with "reproduced", "not reproduced" (other numbers, while the data of the paper are incomplete or our
program is another in a way that matters) or "refuted" (the data are complete, and the claim does not hold); numbers of papers stand as
they are printed, misprints are marked. Other rows end with a word of our own. Numbers that may not grow are kept in
tools/papers/record.txt: 10 % more, or another verdict, fails `make papers`.

## What the tables say
{remarks}
## Tables

```
{tables.strip()}
```
""")


def write_document(figures, tables, version):
    """docs/results.md"""
    DOCUMENT.write_text(f"""# Results

What holonom finds about the published results on which its methods rest, with the papers' figures drawn from its own runs, and how much work
an error costs. Written by `make results` with {version}. All tables, row by row,
and what they say in detail, are in [results-tables.md](results-tables.md).

## What is found

{FINDINGS}
Rows of the tables about each paper:

{counts(tables)}
{FIGURES}
{figures.rstrip()}
""")


programs = [word for word in sys.argv[1:] if word != "--tables"]
if programs:
    common.program = programs[0]
version = subprocess.run([common.program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
if "--tables" in sys.argv:
    figures = DOCUMENT.read_text().split(FIGURES + "\n")[1]
else:
    figures = "".join(part.text() for part in (*PAPERS, work))
papers = subprocess.run([sys.executable, TOP / "tools/papers", "--program", common.program], capture_output=True, text=True)
write_tables(papers.stdout, version)
write_document(figures, papers.stdout, version)
sys.exit(papers.returncode)
