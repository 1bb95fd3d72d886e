#!/usr/bin/env python3
"""`holonom compare` on shipped models, twice: what the first race recommends is as fast in the second, to 1.3 times.

    tests/compare_test.py [NAME...]     a line `ok NAME` or `not ok NAME: why` each
"""
import json, pathlib, statistics, subprocess, sys

TOP = pathlib.Path(__file__).resolve().parent.parent
HOLONOM = TOP / "build/bin/holonom"
NEAR = 1.3
RACES = 4  # times are measured beside other work: one of them may be disturbed
MODELS = ["pendulum", "slider_crank", "double_pendulum", "andrews", "bricard", "car_axis", "impact_stop", "inverted_pendulum",
          "rolling_disc", "walker"]


def race(model):
    command = [HOLONOM, "compare", TOP / f"models/{model}.yaml", "--json", "-q"]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def judged(result):
    return {(r["method"], r["tolerance"]): r for r in result["runs"] if "error" in r}


def faults_of(result):
    """What does not depend on times."""
    runs, faults = judged(result), []
    if result["reference"]["differ"] > 1e-8:
        faults.append(f"the reference is known to {result['reference']['differ']:.1g} only")
    for choice in result["recommended"]:
        run = runs[choice["method"], choice["tolerance"]]
        if not run["error"] <= choice["error"][1] * 1.000001 or run["ratio"] != 1:
            faults.append(f"{choice}: error {run['error']:.2g}, ratio {run['ratio']:.3g}")
    for method in {m for m, _ in runs}:
        errors = [r["error"] for (m, _), r in sorted(runs.items(), key=lambda x: -x[0][1]) if m == method]
        if len(errors) > 4 and not errors[-1] < 0.1 * errors[0] and errors[0] > 1e-6:
            faults.append(f"{method}: errors do not follow the tolerance: {errors}")
    return faults


def slow(first, second):
    """Recommendations of the first that the second finds slow."""
    runs = judged(second)
    return [f"{c['method']} at {c['tolerance']:g}" for c in first["recommended"]
            if runs[c["method"], c["tolerance"]]["ratio"] > NEAR]


def check(model):
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
    if not statistics.median(auto) <= NEAR:
        faults.append(f"method: auto is slow: {auto}")
    return "; ".join(faults) or None


def main():
    failed = 0
    for model in sys.argv[1:] or MODELS:
        fault = check(model)
        failed += fault is not None
        print(f"ok {model}" if fault is None else f"not ok {model}: {fault}", flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
