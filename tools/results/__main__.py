"""Writes docs/results.md and its figures: what `make papers` prints, and the papers' figures drawn from our results.

    python3 tools/results [PROGRAM]        PROGRAM: default build/bin/holonom; needs gnuplot
"""
import subprocess, sys

import figures_000, figures_001, figures_002_004, figures_003, work
from plot import TOP, common

if len(sys.argv) > 1:
    common.program = sys.argv[1]
parts = [part.text() for part in (figures_002_004, figures_000, figures_003, figures_001, work)]
tables = subprocess.run([sys.executable, TOP / "tools/papers", "--program", common.program], capture_output=True, text=True)
(TOP / "docs/results.md").write_text(f"""# Results

Written by `make results`; the tables are what `make papers` prints.

## Figures of the papers, from our results
{"".join(parts)}
## Tables

```
{tables.stdout.strip()}
```
""")
sys.exit(tables.returncode)
