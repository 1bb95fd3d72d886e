"""Analyses beside their references (tests/reference/analyses): what was asked, what is seen.

    python3 tools/analyses [--program PROGRAM] [--short] [NAME ...]

NAME: of a section, the files beside this one. Exit 1 if a line fails.
--short: without what takes more than some seconds (functions of a section whose name begins with long_).
"""
import argparse, importlib, pathlib, sys

import common

names = sorted(file.stem for file in pathlib.Path(__file__).parent.glob("*.py") if file.stem not in ("__main__", "common"))
parser = argparse.ArgumentParser(description="Compares analyses with their references.")
parser.add_argument("--program", default=common.program, help="default: build/bin/holonom")
parser.add_argument("--short", action="store_true", help="without what takes longer")
parser.add_argument("name", nargs="*", metavar="NAME", choices=[[], *names], help=", ".join(names))
chosen = parser.parse_args()
common.program = chosen.program
for name in names:
    if name in chosen.name or not chosen.name:
        section = importlib.import_module(name)
        for word, function in list(vars(section).items()):
            if callable(function) and getattr(function, "__module__", "") == name and word[:1] != "_" and not (chosen.short and word.startswith("long_")):
                function()
print(f"{sum(common.lines)} of {len(common.lines)} lines hold")
sys.exit(not all(common.lines))
