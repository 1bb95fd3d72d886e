"""Every method on every problem of the IFToMM library's set and of the IVP test set: error, violations, steps, time."""
import math

import common
from common import attempt, norm, reached, scalar_motion
from fernandez_2021 import IFTOMM, IFTOMM_AT_05
from judge import Table
from mechanisms import MECHANISMS

METHODS = ("newmark", "hht", "genalpha", "tangent", "rn4", "bdf", "rk")
TOLERANCE = 1e-6
# In units of the problem, which are 1 m or 1 rad (Bricard's and the pendulum's rods, cranks, angles) in all of them.
WORDS = ((1.3e-3, "good"), (0.13, "poor"), (math.inf, "useless"))


def released_pendulum():
    """A01: released from the horizontal; angle from the downward vertical."""
    rows, x, v = [], -math.pi / 2, 0.0
    for i in range(11):
        rows.append({"t": float(i), "x": math.sin(x), "y": -math.cos(x)})
        x, v = scalar_motion(lambda a: -9.81 * math.sin(a), x, v, 1.0)
    return rows


# name, model, end, settings, reference, pairs (column of the program, column of the reference)
PROBLEMS = [("A01 pendulum", "pendulum", 10.0, {"parameters__angle": -math.pi / 2}, released_pendulum,
             [("bob.x", "x"), ("bob.y", "y")]),
            ("A03 Andrews, IFToMM start", "andrews", 0.05, IFTOMM, lambda: [{"t": 0.05, "beta": IFTOMM_AT_05}],
             [("OF.theta", "beta")])]
NAMES = {"four-bar, N = 2": "A02 four-bar, N = 2", "four-bar, N = 40": "A02 four-bar, N = 40", "Andrews": "Andrews, IVP test set",
         "Bricard": "A04 Bricard", "flyball": "A05 flyball", "car axis": "car axis, IVP test set"}
for title, model, end, _, _, settings, known, pairs in MECHANISMS:
    PROBLEMS.append((NAMES[title.rsplit(",", 1)[0]], model, end, settings, known, pairs))


def comparison():
    out = Table("Methods", f"problems and methods, tolerance {TOLERANCE:g}: largest error against the reference [m or rad], largest violations, "
                "work; good: below 1.3e-3 m or rad, useless: above 0.13", "error", "positions", "velocities", "steps", "rejected", "CPU [s]")
    for name, model, end, settings, known, pairs in sorted(PROBLEMS):
        known = {round(r["t"], 9): r for r in known() if 0 < r["t"] <= end + 1e-9}
        output = min(known)
        signals = ", ".join(a for a, _ in pairs)
        begin = lambda method: attempt(model, end, signals, output, method, simulate__tolerance=TOLERANCE, **settings)
        begun = {method: begin(method) for method in METHODS if common.short}  # else one after the other: times are compared
        for method in METHODS:
            result, s = (begun.get(method) or begin(method)).result()
            found = [(r, known[round(r["t"], 9)]) for r in result if round(r["t"], 9) in known]
            error = max((norm(*(a[c] - b[d] for c, d in pairs)) for a, b in found), default=math.nan)
            word = next(w for bound, w in WORDS if error < bound) if s["ok"] else "stops"
            out.row(f"{name}, {method}", f"{error:.1e}", f"{s['max_position_violation']:.0e}", f"{s['max_velocity_violation']:.0e}",
                    reached(s, end), str(s["rejected"]), f"{s['cpu_seconds']:.3f}", verdict=word,
                    worse={"error": error, "steps": s["steps"]})
    out.show("newmark is of order 1 and its error test looks at positions only: at this tolerance it is of use on none of them but the car axis.")
