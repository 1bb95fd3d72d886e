#!/usr/bin/env python3
"""Kills `holonom run` at random moments; what it has written must be readable and agree with an undisturbed run.

    tests/kill_test.py [KILLS] [PROGRAM]        default: 10 build/bin/holonom

A run killed before its first row leaves no result; the program must say so. Otherwise both files, .csv and .nc, hold
the first rows to the last bit, and the program warns that they are not complete (of .csv, if its last line is not).
"""
import json, os, pathlib, random, re, signal, subprocess, sys, tempfile, time

TOP = pathlib.Path(__file__).resolve().parent.parent
KILLS = int(sys.argv[1]) if len(sys.argv) > 1 else 10
PROGRAM = str(pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else TOP / "build/bin/holonom").resolve())
MODEL = TOP / "models/four_bar.yaml"
END, STEP = 3, 1e-3  # [s]
LOST = 0.2  # wall time of which the last rows may be missing [s]
SUFFIXES = (".csv", ".nc")

random.seed(int(os.environ.get("SEED", "1")))


def start(name):
    sizes = ["--step", str(STEP), "--end", str(END), "--set", f"simulate.output={STEP}", "--set", "parameters.N=2"]
    outputs = [word for suffix in SUFFIXES for word in ("--out", f"{name}{suffix}")]
    return subprocess.Popen([PROGRAM, "run", str(MODEL), "-q", *sizes, *outputs], stderr=subprocess.DEVNULL)


def killed(name, seconds):
    """True if the run was still going on after so many seconds."""
    run = start(name)
    try:
        run.wait(seconds)
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGKILL)
    return run.wait() == -signal.SIGKILL


def begun(file):
    """A whole row is in the file."""
    data = pathlib.Path(file).read_bytes()
    if file.endswith(".nc"):
        return data[:4] == b"CDF\2" and data[4:8] != bytes(4)
    return re.search(rb"^\d.*\n", data, re.M) is not None


def inspect(file, whole):
    """(rows, None or what is wrong)"""
    if not os.path.exists(file):
        return 0, None
    done = subprocess.run([PROGRAM, "diff", file, whole, "--json"], capture_output=True, text=True)
    if done.returncode == 1 and not begun(file):
        return 0, None if file in done.stderr else f"no message: {done.stderr}"
    if done.returncode != 0:
        return 0, f"exit {done.returncode}: {done.stderr}"
    report = json.loads(done.stdout)
    a = report["a"]
    wrong = [s["name"] for s in report["signals"] if s["largest"] != 0]
    if wrong or report["only_a"] or report["only_b"] or report["times"] != a["rows"]:
        return a["rows"], f"{a['rows']} rows, different from the undisturbed run: {wrong[:5]}"
    if abs(a["to"] - (a["rows"] - 1) * STEP) > 1e-9:
        return a["rows"], f"{a['rows']} rows up to {a['to']} s: some are missing in between"
    closed = a["rows"] == report["b"]["rows"]  # killed after the file, before the end
    if (file.endswith(".nc") and a["complete"] and not closed) or a["complete"] == ("killed" in done.stderr):
        return a["rows"], "the program does not say that the run was killed"
    return a["rows"], None


def main():
    faults, rows, kills, without = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        begin = time.monotonic()
        if start("whole").wait() != 0:
            sys.exit("the run that is not killed fails")
        duration = time.monotonic() - begin
        for _ in range(20 * KILLS):
            if kills == KILLS:
                break
            for suffix in SUFFIXES:
                pathlib.Path(f"killed{suffix}").unlink(missing_ok=True)
            seconds = random.random() * duration * random.choice((0.1, 1))
            if not killed("killed", seconds):
                continue
            kills += 1
            n = []
            for suffix in SUFFIXES:
                count, fault = inspect(f"killed{suffix}", f"whole{suffix}")
                n.append(count)
                if fault:
                    faults.append(f"killed{suffix} after {seconds:.4f} s: {fault}")
            if max(n) - min(n) > LOST / duration * END / STEP:
                faults.append(f"after {seconds:.4f} s: {n} rows in {SUFFIXES}")
            rows += min(n)
            without += min(n) == 0
    print("\n".join(faults), end="\n" if faults else "")
    print(f"{kills} runs of {duration:.2f} s killed, {without} before the first row, "
          f"{rows // max(1, kills)} rows on average, {len(faults)} faults")
    sys.exit(bool(faults) or kills < KILLS)


main()
