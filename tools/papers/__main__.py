"""Published results and reference solutions beside what the program gives. Exit 1 if one of them is out of its bounds.

    python3 tools/papers [--program PROGRAM] [NAME ...]        all but large, or those named: 004, 002, 000, 003, 001, large, ...
"""
import argparse, sys

import common, comparison, mechanisms, paper_000, paper_001, paper_002, paper_003, paper_004

SECTIONS = [("004", paper_004.tables_of_paper_004), ("002", paper_002.tables_of_paper_002), ("002", paper_002.vehicle),
            ("002", paper_002.vehicle_explicit), ("002", paper_002.vehicle_variants), ("004", paper_004.corollary_2),
            ("mechanisms", mechanisms.orders_of_pendulum), ("mechanisms", mechanisms.orders_in_space),
            ("mechanisms", mechanisms.mechanisms), ("mechanisms", mechanisms.branch_of_four_bar),
            ("mechanisms", mechanisms.error_control), ("mechanisms", mechanisms.rates),
            ("000", paper_000.tables_of_paper_000), ("000", paper_000.oscillations_of_paper_000),
            ("000", paper_000.ordinary_models), ("004", paper_004.engine),
            ("003", paper_003.tables_of_paper_003), ("001", paper_001.tables_4_1_and_4_3), ("001", paper_001.eps_of_the_net),
            ("001", paper_001.table_4_2), ("001", paper_001.accuracy), ("001", paper_001.orders), ("001", paper_001.exact_mode),
            ("001", paper_001.special_cases), ("large", paper_001.large), ("comparison", comparison.comparison)]

LONG = {"large"}  # on request only: minutes
names = list(dict.fromkeys(name for name, _ in SECTIONS))
parser = argparse.ArgumentParser(description="Compares published results with those of the program.")
parser.add_argument("--program", default=common.program, help="default: build/bin/holonom")
parser.add_argument("name", nargs="*", metavar="NAME", choices=[[], *names], help=", ".join(names))
chosen = parser.parse_args()
common.program = chosen.program
for name, section in SECTIONS:
    if name in chosen.name or not chosen.name and name not in LONG:
        section()
print(f"\n{len(common.failures)} out of bounds" if common.failures else "\nall within bounds")
sys.exit(1 if common.failures else 0)
