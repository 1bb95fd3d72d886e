"""Published results and reference solutions beside what the program gives. Exit 1 if one of them is out of its bounds.

    python3 tools/papers [--program PROGRAM] [NAME ...]        all, or those named: 004, 002, 000, 003, mechanisms, comparison
"""
import argparse, sys

import common, comparison, mechanisms, paper_000, paper_002, paper_003, paper_004

SECTIONS = [("004", paper_004.tables_of_paper_004), ("002", paper_002.tables_of_paper_002), ("002", paper_002.vehicle),
            ("002", paper_002.vehicle_explicit), ("002", paper_002.vehicle_variants), ("004", paper_004.corollary_2),
            ("mechanisms", mechanisms.orders_of_pendulum), ("mechanisms", mechanisms.orders_in_space),
            ("mechanisms", mechanisms.mechanisms), ("mechanisms", mechanisms.branch_of_four_bar),
            ("mechanisms", mechanisms.error_control), ("mechanisms", mechanisms.rates),
            ("000", paper_000.tables_of_paper_000), ("000", paper_000.oscillations_of_paper_000),
            ("000", paper_000.ordinary_models), ("004", paper_004.engine),
            ("003", paper_003.tables_of_paper_003), ("comparison", comparison.comparison)]

names = list(dict.fromkeys(name for name, _ in SECTIONS))
parser = argparse.ArgumentParser(description="Compares published results with those of the program.")
parser.add_argument("--program", default=common.program, help="default: build/bin/holonom")
parser.add_argument("name", nargs="*", metavar="NAME", choices=[[], *names], help=", ".join(names))
chosen = parser.parse_args()
common.program = chosen.program
for name, section in SECTIONS:
    if not chosen.name or name in chosen.name:
        section()
print(f"\n{len(common.failures)} out of bounds" if common.failures else "\nall within bounds")
sys.exit(1 if common.failures else 0)
