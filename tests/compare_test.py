#!/usr/bin/env python3
"""`holonom compare` on all shipped models, twice: what the first race recommends is as fast in the second, to 1.3 times, and so is
`method: auto` at half of the tolerances or more. Large and long models are shortened.

    tests/compare_test.py [NAME...]     a line `ok NAME: seen` or `not ok NAME: why` each
"""
import json, os, pathlib, statistics, subprocess, sys

TOP = pathlib.Path(__file__).resolve().parent.parent
HOLONOM = TOP / "build/bin/holonom"
NEAR = 1.3
RACES = 4  # times are measured beside other work: one of them may be disturbed
EXACT = 1e-5  # what a reference must be known to at least
PATIENCE = 10  # seconds for one run that has a core alone
HIGH_ORDER = {"rk", "rn4", "adams", "bdf", "joint_bdf"}
SHORT = {"flyball": ["simulate.end=1"], "four_bar": ["simulate.end=2"], "hmmwv": ["simulate.end=1"], "stiff_pendulum": ["simulate.end=50"],
         "stiff_chain": ["simulate.end=0.5"], "stiff_pendulum_angle": ["simulate.end=50"], "tower": ["parameters.K=10"], "valve_train": ["parameters.N=2"]}


def race(model):
    shared = max(1, os.getloadavg()[0] / os.cpu_count())  # with other work, which comes and goes
    command = [HOLONOM, "compare", TOP / f"models/{model}.yaml", "--json", "-q", "--patience", str(PATIENCE * shared)]
    for setting in SHORT.get(model, []):
        command += ["--set", setting]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def judged(result):
    return {(r["method"], r["tolerance"]): r for r in result["runs"] if "error" in r}


def faults_of(result):
    """What does not depend on times."""
    runs, faults = judged(result), []
    if not result["recommended"]:
        faults.append("nothing is recommended")
    if result["reference"]["differ"] > EXACT:
        faults.append(f"the reference is known to {result['reference']['differ']:.1g} only")
    for choice in result["recommended"]:
        run = runs[choice["method"], choice["tolerance"]]
        if not run["error"] <= choice["error"][1] * 1.000001 or run["ratio"] != 1:
            faults.append(f"{choice}: error {run['error']:.2g}, ratio {run['ratio']:.3g}")
    for method in HIGH_ORDER & {m for m, _ in runs}:
        errors = [r["error"] for (m, _), r in sorted(runs.items(), key=lambda x: -x[0][1]) if m == method]
        if len(errors) > 4 and not errors[-1] < 0.1 * errors[0] and errors[0] > 1e-4:
            faults.append(f"{method}: errors do not follow the tolerance: {errors}")
    return faults


def slow(first, second):
    """Recommendations of the first that the second finds slow; one that was ended there counts if another run is as accurate."""
    runs, found = judged(second), []
    for choice in first["recommended"]:
        run = runs.get((choice["method"], choice["tolerance"]))
        others = any(r["error"] <= choice["error"][1] for r in runs.values())
        if run["ratio"] > NEAR if run else others:
            found.append(f"{choice['method']} at {choice['tolerance']:g}")
    return found


def check(model):
    """(What was seen, faults)"""
    results = [race(model)]
    faults = faults_of(results[0])
    while not faults and len(results) < RACES:
        results.append(race(model))
        if any(not slow(a, results[-1]) for a in results[:-1]):
            break
    else:
        if not faults:
            faults.append(f"not as fast in another race: {slow(*results[-2:])}")
    auto = [a["ratio"] for a in results[-1]["auto"] if a["ratio"]]
    if not auto or not statistics.median(auto) <= NEAR:
        faults.append(f"method: auto is slow: {auto}")
    methods = list(dict.fromkeys(c["method"] for c in results[-1]["recommended"]))
    seen = f"{', '.join(methods)}; {len(results)} races; auto {statistics.median(auto or [0]):.2f}, at most {max(auto or [0]):.2f}"
    return seen, "; ".join(faults)


def main():
    failed = 0
    for model in sys.argv[1:] or sorted(path.stem for path in TOP.glob("models/*.yaml")):
        try:
            seen, fault = check(model)
        except subprocess.CalledProcessError as error:
            if b"nothing is integrated" in error.stderr:
                print(f"skipped {model}: drivers and constraints give the motion, nothing is integrated", flush=True)
                continue
            seen, fault = "", f"exit {error.returncode}: {error.stderr.decode().strip()}"
        failed += bool(fault)
        print(f"not ok {model}: {fault}" if fault else f"ok {model}: {seen}", flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
