#!/usr/bin/env python3
"""The program under limits of its addresses (ulimit -v): it does its work, or says that there is no memory; it is never killed by a
signal and never hangs. One line for each limit: `ok WHAT` or `not ok WHAT: why`.

    tests/limits_test.py [--long] [WHAT ...]        WHAT: names of limits as printed; --long: 20 limits instead of 6

Limits are counted from the smallest one at which the program can start.
"""
import os, pathlib, resource, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

TOP = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = TOP / "build/bin/holonom"
MB = 1 << 20
ENOUGH = 4096  # [MB]
PATIENCE = 300  # [s], on a machine that has other work
LIBRARIES = ("GnuTLS initialization",)  # what a library says that aborts before the program begins
SHORT = (-1, 5, 20, 40, 131, 140)  # [MB] beyond what the start takes; linear algebra takes 129 of them
LONG = (-20, -1, 0, 1, 5, 10, 20, 30, 40, 60, 80, 129, 130, 131, 132, 134, 137, 140, 150, 190)
WORDS = ("memory", "shared libraries")  # of the loader, before the program begins

RESULT = "before.csv"
WORK = {
    "check": ["check", "bricard.yaml"],
    "check of many": ["check", "ladder.yaml", "--set", "parameters.K=4000"],
    "modes": ["modes", "bushing_pendulum.yaml", "--out", "modes.csv"],
    "report": ["report", RESULT, "-o", "a.html"],
    "run of many": ["run", "ladder.yaml", "--set", "parameters.K=1500", "--method", "hht", "--end", "1e-5", "--out", "many.csv"],
}
for method, model in {"hht": "bricard", "rk": "four_bar", "adams": "four_bar", "bdf": "andrews", "joint_bdf": "flyball", "rn4": "flyball",
                      "tangent": "bricard", "srm": "ladder"}.items():
    WORK[f"run by {method}"] = ["run", f"{model}.yaml", "--method", method, "--end", "0.01", "--out", f"{method}.csv", "--report",
                                f"{method}.html"]
for method in ("adams", "bdf", "joint_bdf", "rk"):
    WORK[f"long chain by {method}"] = ["run", "chain3d.yaml", "--set", "parameters.n=400", "--method", method, "--end", "1e-5", "--out", "chain.csv"]


def run(limit, words, folder):
    """Exit status (None: it hangs) and what it says; limit in MB."""
    def below():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (limit * MB, limit * MB))
    words = [str(TOP / "models" / word) if word.endswith(".yaml") else word for word in words]
    try:
        done = subprocess.run([PROGRAM, *words], cwd=folder, preexec_fn=below, capture_output=True, text=True, timeout=PATIENCE,
                              env=dict(os.environ, OPENBLAS_NUM_THREADS="1"))
    except subprocess.TimeoutExpired:
        return None, f"no end after {PATIENCE} s"
    return done.returncode, done.stderr.strip()


def least():
    """The smallest limit [MB] at which the program starts."""
    low, high = 1, ENOUGH
    while high - low > 1:
        middle = (low + high) // 2
        code, _ = run(middle, ["--version"], "/tmp")
        low, high = (low, middle) if code == 0 else (middle, high)
    return high


def faults(limit, folder):
    """What went wrong below this limit."""
    for name, words in WORK.items():
        code, said = run(limit, words, folder)
        if code is not None and code < 0 and any(word in said for word in LIBRARIES):
            continue
        if code is None or code < 0 or (code > 0 and not any(word in said for word in WORDS)):
            yield f"{name}: " + (said if code is None else f"signal {-code}" if code < 0 else f"exit {code}, \"{said[-200:]}\"")


def main():
    names = [word for word in sys.argv[1:] if word[:2] != "--"]
    with tempfile.TemporaryDirectory() as before:
        for name, words in {"result": ["run", "bricard.yaml", "--end", "0.01", "--out", RESULT], **WORK}.items():
            code, said = run(ENOUGH, words, before)
            if code:
                sys.exit(f"{name}: exit {code} without a limit: {said}")
        start = least()

        def look(beyond):
            with tempfile.TemporaryDirectory() as folder:
                os.symlink(f"{before}/{RESULT}", f"{folder}/{RESULT}")
                return beyond, "; ".join(faults(start + beyond, folder))
        limits = LONG if "--long" in sys.argv else SHORT
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for beyond, fault in pool.map(look, [b for b in limits if not names or f"start{b:+}MB" in names]):
                print(f"not ok start{beyond:+}MB: {fault}" if fault else f"ok start{beyond:+}MB")


main()
