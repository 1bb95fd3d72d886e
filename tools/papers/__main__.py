"""Published results beside what the program gives. Each row says reproduced, not reproduced or refuted; the last lines count them.

    python3 tools/papers [--program PROGRAM] [--short] [--record] [NAME ...]

NAME: gavrea, negrut, yen, fernandez, ascher, mechanisms, methods, large; default: all but large, which takes minutes.
--short: what takes a minute in all. --record: what is found is what shall be from now on (record.txt). --against FILE: the
document shows the same verdicts, and is of this version and record.
Exit 1 if a row says something else than recorded, or a number is worse by a tenth.
"""
import argparse, re, subprocess, sys

import ascher_1999, common, comparison, fernandez_2021, gavrea_2005, judge, mechanisms, negrut_2003, yen_1998

# name, section, whether it belongs to the short form
SECTIONS = [("gavrea", gavrea_2005.tables, True), ("gavrea", gavrea_2005.corollary_2, True), ("gavrea", gavrea_2005.engine, False),
            ("negrut", negrut_2003.pendulum, True), ("negrut", negrut_2003.vehicle, True), ("negrut", negrut_2003.vehicle_explicit, False),
            ("negrut", negrut_2003.vehicle_variants, False), ("large", negrut_2003.vehicle_explicit_4_s, False),
            ("yen", yen_1998.table_4_1, False), ("yen", yen_1998.table_4_2, False), ("yen", yen_1998.bushing, True),
            ("yen", yen_1998.contraction, True), ("yen", yen_1998.oscillations, True), ("yen", yen_1998.ordinary_models, False),
            ("fernandez", fernandez_2021.stability, False), ("fernandez", fernandez_2021.andrews, False),
            ("fernandez", fernandez_2021.frequencies, True), ("fernandez", fernandez_2021.efficiency, True),
            ("fernandez", fernandez_2021.constraints, False),
            ("ascher", ascher_1999.tables_4_1_and_4_3, True), ("ascher", ascher_1999.first_layer, True),
            ("ascher", ascher_1999.eps_of_the_net, True), ("ascher", ascher_1999.table_4_2, True), ("ascher", ascher_1999.accuracy, True),
            ("ascher", ascher_1999.orders, True), ("ascher", ascher_1999.exact_mode, True), ("ascher", ascher_1999.special_cases, True),
            ("large", ascher_1999.large, False),
            ("mechanisms", mechanisms.orders_of_pendulum, True), ("mechanisms", mechanisms.orders_in_space, True),
            ("mechanisms", mechanisms.mechanisms, False), ("mechanisms", mechanisms.branch_of_four_bar, True),
            ("mechanisms", mechanisms.error_control, True), ("mechanisms", mechanisms.rates, True),
            ("methods", comparison.comparison, True)]

names = list(dict.fromkeys(name for name, *_ in SECTIONS))
parser = argparse.ArgumentParser(description="Compares published results with those of the program.")
parser.add_argument("--program", default=common.program, help="default: build/bin/holonom")
parser.add_argument("--short", action="store_true", help="what takes a minute in all")
parser.add_argument("--record", action="store_true", help="writes record.txt")
parser.add_argument("--against", metavar="FILE", help="a document that shows the same verdicts")
parser.add_argument("name", nargs="*", metavar="NAME", choices=[[], *names], help=", ".join(names))
chosen = parser.parse_args()
common.program, common.short, judge.recording = chosen.program, chosen.short, chosen.record
head = subprocess.run([common.program, "--version"], capture_output=True, text=True, check=True).stdout.strip() + f", record {judge.digest()}"
print(head)
for name, section, short in SECTIONS:
    if (name in chosen.name or not chosen.name and name != "large") and (short or not chosen.short):
        section()
if chosen.record:
    judge.save()
worse = judge.summary()
stale = judge.stale(chosen.against, head) if chosen.against else []
if stale:
    print(f"{chosen.against} is stale; make results writes it:\n  " + "\n  ".join(stale))
sys.exit(bool(worse or stale))
