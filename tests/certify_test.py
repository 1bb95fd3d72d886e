#!/usr/bin/env python3
"""`holonom certify` against solutions found without this program: no digit that it claims is
contradicted by them; and against the two runs that it names.

    tests/certify_test.py [--long] [NAME...]     --long: all cases, otherwise the fast ones; a line `ok NAME` or `not ok NAME: why` each
"""
import csv, json, pathlib, subprocess, sys, tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
HOLONOM = TOP / "build/bin/holonom"
THREADS = TOP / "build/release/tests/certify/threads"
XY, XYZ = ("x", "y"), ("x", "y", "z")


def points(**names):
    """{signal: column} of points: marker=(column prefix, components)."""
    return {f"{marker}.{c}": f"{column}{c}" for marker, (column, components) in names.items() for c in components}


def ladder(k, *more):
    ends = {f"top{k}.right": (f"top{k}_", XY), f"bottom{k}.right": (f"bot{k}_", XY), **dict(more)}
    return points(**ends)


def net(l):
    return points(**{f"row{l}_0.end": (f"c{l}0_", XYZ), f"column0_{l}.end": (f"c0{l}_", XYZ), f"row{l}_{l}.end": (f"c{l}{l}_", XYZ)})


ANDREWS = {"OF.theta": "beta", "FE.theta": "beta+Theta", "BDE.theta": "gamma", "GE.theta": "Phi+delta", "AG.theta": "delta",
           "HE.theta": "Omega+epsilon", "AH.theta": "epsilon"}
PENDULUM = {"rod1.theta": "theta1", "rod2.theta": "theta2", "rod1.omega": "omega1", "rod2.omega": "omega2"}
CIRCLE = {"p.x": "x", "p.y": "y", "p.vx": "u", "p.vy": "w"}

# name: model, reference, how exact it is (relative), signals, time between results, digits wanted, settings, fast
CASES = {
    "pendulum": ("pendulum", "pendulum", 1e-14, {"bob.x": "x", "bob.y": "y", "bob.vx": "vx", "bob.vy": "vy"}, 0.1, 8, [], True),
    "double_pendulum_rest": ("double_pendulum", "double_pendulum_rest", 1e-14, PENDULUM, 0.01, 7, [], True),
    "double_pendulum": ("double_pendulum", "double_pendulum", 1e-14, PENDULUM, 0.01, 7, ["parameters.omega2=10"], True),
    "four_bar": ("four_bar", "four_bar", 1e-11, {"crank0.tip.x": "B0x", "crank0.tip.y": "B0y", "crank0.tip.vx": "B0vx",
                 "crank0.tip.vy": "B0vy", "crank0.theta": "phi"}, 0.5, 3, [], False),
    "four_bar_start": ("four_bar", "four_bar", 1e-11, {"crank0.tip.x": "B0x", "crank0.tip.y": "B0y", "crank0.theta": "phi"}, 0.5, 6,
                       ["simulate.end=1"], True),
    "andrews": ("andrews", "andrews", 1e-14, ANDREWS, 0.005, 7, [], True),
    "bricard": ("bricard", "bricard", 1e-13, {f"rod3.P3.{a}": f"P3{a}" for a in ("x", "y", "z", "vx", "vy", "vz")}, 0.5, 7, [], True),
    "flyball": ("flyball", "flyball", 1e-11, {"slider.z": "s", "slider.vz": "s_dot"}, 0.5, 4, ["simulate.end=2"], False),
    "car_axis": ("car_axis", "car_axis", 1e-13, points(left=("", ()), right=("", ())) | {
                 "left.x": "xl", "left.y": "yl", "right.x": "xr", "right.y": "yr", "left.vx": "xl_dot", "left.vy": "yl_dot"}, 0.1, 7, [], True),
    "circle_linear_1e-2": ("circle_linear", "circle_linear", 1e-11, CIRCLE, 5e-3, 7, ["parameters.eps=1e-2"], True),
    "circle_linear_1e-3": ("circle_linear", "circle_linear", 1e-11, CIRCLE, 5e-3, 7, ["parameters.eps=1e-3"], True),
    "circle_spring_1e-2": ("circle_spring", "circle_spring", 1e-11, CIRCLE, 1e-3, 7, ["parameters.eps=1e-2"], True),
    "circle_spring_1e-3": ("circle_spring", "circle_spring", 1e-11, CIRCLE, 1e-3, 7, ["parameters.eps=1e-3"], True),
    "ladder_1": ("ladder", "ladder_1", 1e-11, ladder(1), 0.2, 7, ["parameters.K=1", "simulate.end=1.2"], True),
    "ladder_1_folded": ("ladder", "ladder_1", 1e-11, ladder(1), 0.2, 5, ["parameters.K=1", "simulate.end=2"], False),
    "ladder_3": ("ladder", "ladder_3", 1e-10, ladder(3, ("rung0.bottom", ("bot0_", XY))), 0.2, 7, ["parameters.K=3"], True),
    "ladder_7": ("ladder", "ladder_7", 1e-10, ladder(7), 0.3, 6, ["simulate.end=1.5"], False),
    "net_2": ("net", "net_2", 1e-10, net(2), 0.2, 6, ["parameters.L=2"], False),
    "net_4": ("net", "net_4", 1e-10, net(4), 0.2, 6, ["simulate.end=1.2"], False),
    "hmmwv": ("hmmwv", "hmmwv", 1e-9, {"chassis.z": "z"}, 0.01, 5, ["simulate.end=1"], False),
}


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def value(row, column):
    return sum(float(row[part]) for part in column.split("+"))


def wanted(reference, settings):
    """Rows of the reference; where it is of several eps, those of this one."""
    found = rows(TOP / f"tests/reference/{reference}.csv")
    eps = [float(s.split("=")[1]) for s in settings if s.startswith("parameters.eps=")]
    return [r for r in found if not eps or abs(float(r["eps"]) / eps[0] - 1) < 1e-9]


def against_the_runs(certificate, out, model, common, scratch):
    """The two runs again: written are the rows of the first, and claimed is twice what they differ by."""
    tables = []
    for k, run in enumerate(certificate["runs"]):
        command = [HOLONOM, "run", TOP / f"models/{model}.yaml", "-q", "--method", run["method"], "--tol", repr(run["tolerance"]),
                   "--out", f"{scratch}/{k}.csv", *common]
        subprocess.run(command, check=True, capture_output=True)
        tables.append(rows(f"{scratch}/{k}.csv"))
    faults = [] if rows(out) == tables[0] else ["what is written is not the first of the two runs"]
    for claim in certificate["signals"]:
        apart = max(abs(float(a[claim["name"]]) - float(b[claim["name"]])) for a, b in zip(*tables))
        if not claim["zero"] and not 0.999 * 2 * apart <= claim["max"] <= 1.001 * 2 * apart:
            faults.append(f"{claim['name']}: the runs differ by {apart:.4g}, {claim['max']:.4g} is said")
    return faults


def against_threads(certificate, model, digits, signals, settings):
    """The library's own executor says the same as the processes of the program, and nothing else."""
    command = [THREADS, TOP / f"models/{model}.yaml", str(digits), ",".join(signals), *settings]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode or done.stderr or done.stdout.count("\n") != 1:
        return [f"by threads: exit {done.returncode}: {done.stderr or done.stdout}"]
    verdict = json.loads(done.stdout)
    faults = [f"by threads {key} is {verdict[key]}" for key in ("wanted", "verified", "runs") if verdict[key] != certificate[key]]
    for mine, theirs in zip(verdict["signals"], certificate["signals"], strict=True):
        if (mine["name"], mine["digits"]) != (theirs["name"], theirs["digits"]) or not theirs["zero"] and mine["max"] != theirs["max"]:
            faults.append(f"by threads {mine}")
    return faults


def check(name, scratch):
    model, reference, exact, signals, output, digits, settings, _ = CASES[name]
    out = f"{scratch}/{name}.csv"
    common = [part for setting in (f"simulate.output={output}", *settings) for part in ("--set", setting)]
    command = [HOLONOM, "certify", TOP / f"models/{model}.yaml", "--json", "--digits", str(digits), "--signals", ",".join(signals),
               "-o", out, *common]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return f"exit {done.returncode}: {done.stderr.strip()}"
    certificate = json.loads(done.stdout)
    claims = {s["name"]: s for s in certificate["signals"]}
    here = {round(float(r["t"]), 9): r for r in rows(out)}
    compared, faults = 0, against_the_runs(certificate, out, model, [*common, "--set", f"simulate.signals=[{', '.join(signals)}]"], scratch)
    faults += against_threads(certificate, model, digits, signals, [f"simulate.output={output}", *settings])
    for row in wanted(reference, settings):
        have = here.get(round(float(row["t"]), 9))
        for signal, column in signals.items() if have else ():
            claim, error = claims[signal], abs(float(have[signal]) - value(row, column))
            allowed = claim["size"] * (10 ** -claim["digits"] + exact)
            compared += 1
            if claim["digits"] < digits:
                faults.append(f"{signal}: {claim['digits']} digits claimed, {digits} are wanted")
            if not error <= allowed:
                faults.append(f"{signal} at {row['t']} s: {claim['digits']} digits claimed, but wrong by {error:.2g} of {claim['size']:.6g}")
    if compared < 3 * len(signals):
        faults.append(f"only {compared} values were compared")
    return "; ".join(faults[:4]) or None


def main():
    names = [a for a in sys.argv[1:] if a != "--long"]
    chosen = names or [n for n, case in CASES.items() if case[-1] or "--long" in sys.argv]
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name in chosen:
            fault = check(name, scratch)
            failed += fault is not None
            print(f"ok {name}" if fault is None else f"not ok {name}: {fault}", flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
