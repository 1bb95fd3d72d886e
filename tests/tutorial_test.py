#!/usr/bin/env python3
"""Runs what a document shows and compares the outputs.

    tests/tutorial_test.py [--write] [--holonom PROGRAM] [DOCUMENT...]      default: docs/tutorial.md

A block ```yaml title=NAME, or one of c, xml, python, text, is written to the file NAME, the lines `$ COMMAND` of a block ```console are run by sh, all
in one temporary folder that sees models/; compilers find the library. The lines after a command are its output: standard error, then standard
output. A line `...` stands for any number of lines. Numbers need agree to 2 %; those below 1e-9 are rounding errors
and agree with each other; times, counts of work and measures of errors (MASKS) agree always. --write puts in
the outputs of now, except for those with `...`.
"""
import os, pathlib, re, subprocess, sys, tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
TOLERANCE, ROUNDING, TIME_LIMIT = 0.02, 1e-9, 60

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
MASKS = [(re.compile(p), m) for p, m in (  # what differs between machines and compilers without being wrong
    (r"^computing time: .*", "computing time: *"),
    (r"\d+ (fixed )?steps( \(\d+ rejected\))? of .*", "* steps"),
    (r"^what limited the length of the steps: .*", "what limited the length of the steps: *"),
    (r"^# hash of the model, .*", "# hash of the model, *"),
    (r"^( *)joints open by at most .*", r"\1joints open by at most *"),
    (r"^stiff: the step is held at \S+ s", "stiff: the step is held at * s"),
    (r"by errors( at most)? \S+ J", "by errors * J"))]
BLOCK = re.compile(r"^```((?:yaml|c|xml|python|text) title=(\S+)|console)\n(.*?)^```$", re.M | re.S)


def same_line(want, have):
    for pattern, mask in MASKS:
        want, have = pattern.sub(mask, want), pattern.sub(mask, have)
    if NUMBER.split(want) != NUMBER.split(have):
        return False
    return all(a == b or same_number(float(a), float(b)) for a, b in zip(NUMBER.findall(want), NUMBER.findall(have)))


def same_number(a, b):
    return max(abs(a), abs(b)) < ROUNDING or abs(a - b) <= TOLERANCE * max(abs(a), abs(b))


def same(want, have):
    """want may contain `...` lines."""
    if not want:
        return not have
    if want[0] == "...":
        return any(same(want[1:], have[k:]) for k in range(len(have) + 1))
    return bool(have) and same_line(want[0], have[0]) and same(want[1:], have[1:])


def commands(block):
    """(command, lines shown after it)"""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


class Session:
    """A folder, and the exit status of the last command for `echo $?`."""

    def __init__(self, folder, program):
        bin_ = pathlib.Path(folder) / ".bin"
        bin_.mkdir()
        (bin_ / "holonom").symlink_to(program)
        (pathlib.Path(folder) / "models").symlink_to(TOP / "models")
        self.folder, self.status = folder, 0
        lib = str(TOP / "build/lib")
        self.environment = dict(os.environ, PATH=f"{bin_}:{os.environ['PATH']}", LC_ALL="C.UTF-8", NO_COLOR="1",
                                C_INCLUDE_PATH=str(TOP / "include"), LIBRARY_PATH=lib, LD_LIBRARY_PATH=lib)

    def run(self, command):
        done = subprocess.run(["sh", "-c", f"(exit {self.status})\n{command}"], cwd=self.folder, env=self.environment,
                              capture_output=True, text=True, timeout=TIME_LIMIT, stdin=subprocess.DEVNULL)
        self.status = done.returncode
        return (done.stderr + done.stdout).splitlines()


def try_document(path, program, faults):
    """Number of commands that agree, and the text with the outputs as they are."""
    good = 0
    with tempfile.TemporaryDirectory() as folder:
        session = Session(folder, program)

        def replace(block):
            nonlocal good
            if block[2]:
                (pathlib.Path(folder) / block[2]).write_text(block[3])
                return block[0]
            lines = []
            for command, want in commands(block[3]):
                have = session.run(command)
                if same(want, have):
                    good += 1
                    have = want if "..." in want else have
                else:
                    faults.append("\n".join([f"{path}: $ {command}", "shown:", *want, "now:", *have]))
                lines += [f"$ {command}", *have]
            return "\n".join(["```console", *lines, "```"])

        text = BLOCK.sub(replace, path.read_text())
    return good, text


def main():
    arguments = sys.argv[1:]
    program = TOP / "build/bin/holonom"
    if "--holonom" in arguments:
        at = arguments.index("--holonom")
        program = pathlib.Path(arguments[at + 1]).resolve()
        del arguments[at : at + 2]
    write = "--write" in arguments
    good, faults = 0, []
    for name in [a for a in arguments if a != "--write"] or ["docs/tutorial.md"]:
        path = TOP / name
        n, text = try_document(path, program, faults)
        good += n
        if write:
            path.write_text(text)
    if faults:
        print("\n\n".join(faults))
    print(f"{good} commands as shown, {len(faults)} not")
    sys.exit(bool(faults) and not write)


main()
