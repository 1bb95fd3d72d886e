#!/usr/bin/env python3
"""Random models with narrow loads, against an integrator that knows where the loads are.

    tests/random_test.py [--long] [--seed N] [--keep FOLDER] [NUMBER...]

A model has one degree of freedom and up to three loads that are narrow in time, place or speed, or jump, or repeat. A method and
a tolerance T are drawn too. A run that ends well is at most 10 T wrong, times the growth of a disturbance of the start; every third
model goes to `holonom certify`, whose digits must be right. Another end than by exit 0 must say at which time, and why, and one run in
fifty may have it. A line `ok METHOD` or `not ok METHOD: which models, and why` each. --long: 1000 models instead of 60. NUMBER: only these,
with what was seen. --keep: leaves the models there. docs/theory.md, sections 8.7 to 8.11.
"""
import csv, itertools, json, math, os, pathlib, random, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

TOP = pathlib.Path(__file__).resolve().parent.parent
HOLONOM = TOP / "build/bin/holonom"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
FIRST, SECOND, HIGH = (1e-1, 1e-2), (1e-2, 1e-3, 1e-4), (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8)
METHODS = {"newmark": FIRST, "hht": SECOND, "genalpha": SECOND, "tangent": SECOND, "ros2w": SECOND, "rk": HIGH, "rn4": HIGH,
           "adams": HIGH, "bdf": HIGH, "joint_bdf": HIGH}
PROMISED = 10  # tolerances, times the growth of a disturbance
NUDGE = 1e-7  # of the speed at the start: a very small disturbance
STOPS = 0.02  # of the runs may end with an error that has a name
EXACT = 1e-11  # error of a step of the reference, in parts of size and speed


# ---- loads -------------------------------------------------------------------------------------------------------
# A load is an expression of {u}, which is the time, the coordinate or its rate, and the same as a function; and where it is narrow: places
# and the width about them.

class Load:
    def __init__(self, text, value, places, width, period=0):
        self.text, self.value, self.places, self.width, self.period = text, value, places, width, period

    def near(self, u):
        """Distance from u to the nearest narrow place, and the width there."""
        places = [p + round((u - p) / self.period) * self.period for p in self.places] if self.period else self.places
        return min(abs(u - p) for p in places), self.width


def step5(u, a, b):
    s = min(1, max(0, (u - a) / (b - a)))
    return s * s * (3 - 2 * s)


def gauss(c, w, h):
    return Load(f"{h!r}*exp(-(({{u}}-{c!r})/{w!r})^2)", lambda u: h * math.exp(-min(700, ((u - c) / w) ** 2)), [c], 5 * w)


def quartic(c, w, h):
    return Load(f"{h!r}/(1+(({{u}}-{c!r})/{w!r})^4)", lambda u: h / (1 + ((u - c) / w) ** 4), [c], 5 * w)


def switched(c, w, h):
    return Load(f"if({{u}}-{c!r}: 0, {h!r}, if({{u}}-{c + w!r}: {h!r}, 0, 0))", lambda u: h if c <= u < c + w else 0, [c, c + w], w)


def ramps(c, w, h):
    a, b, e, d = c, c + 0.3 * w, c + 0.7 * w, c + w
    return Load(f"{h!r}*(step({{u}},{a!r},0,{b!r},1)-step({{u}},{e!r},0,{d!r},1))", lambda u: h * (step5(u, a, b) - step5(u, e, d)),
                [a, b, e, d], 0.3 * w)


def hat(c, w, h):
    return Load(f"{h!r}*max(0, 1-abs({{u}}-{c!r})/{w!r})", lambda u: h * max(0, 1 - abs(u - c) / w), [c - w, c, c + w], w)


def product(c, w, h):
    """Of two wide ones that have little in common."""
    a, b = c - 0.5 * w, c + 0.5 * w
    return Load(f"{h!r}*(1+tanh(({{u}}-{a!r})/{0.2 * w!r}))*(1-tanh(({{u}}-{b!r})/{0.2 * w!r}))/4",
                lambda u: h * (1 + math.tanh((u - a) / (0.2 * w))) * (1 - math.tanh((u - b) / (0.2 * w))) / 4, [a, b], w)


def spikes(c, w, h):
    """Periodic, ten widths and more apart."""
    period = max(10 * w, 0.37)
    k = math.pi / period
    sharp = 1 / (k * w) ** 2
    return Load(f"{h!r}*exp(-{sharp!r}*sin({k!r}*({{u}}-{c!r}))^2)", lambda u: h * math.exp(-min(700, sharp * math.sin(k * (u - c)) ** 2)),
                [c], 5 * w, period)


def wall(c, w, h):
    """A spring from c on."""
    k = h / w
    return Load(f"-{k!r}*max(0, {{u}}-{c!r})", lambda u: -k * max(0, u - c), [c], w)


def jump(c, w, h):
    return Load(f"if({{u}}-{c!r}: 0, 0, {h / 20!r})", lambda u: h / 20 if u >= c else 0, [c], w)


PULSES = (gauss, quartic, switched, ramps, hat, product, spikes)


# ---- models ------------------------------------------------------------------------------------------------------

class Model:
    """u'' = (load(t, u, u') - k u - c u' - g sin u) / inertia, and the file that says so."""

    def __init__(self, number, seed):
        dice = self.dice = random.Random(f"{seed} {number}")
        self.number, self.exact = number, EXACT
        self.shape = dice.choice((self.point, self.slide, self.bar, self.gears))
        self.m = round(10 ** dice.uniform(-1, 1), 3)
        self.v0, self.end = round(dice.choice((-1, 1)) * dice.uniform(0.3, 3), 3), 3.0
        self.stiffness = dice.choice((0, 0, round(self.m * dice.uniform(1, 50), 3)))
        self.damping = dice.choice((0, 0, round(self.m * dice.uniform(0.05, 1), 3)))
        self.gravity = 0.0
        self.loads = [self.load() for _ in range(dice.choice((0, 1, 1, 1, 2, 3)))]
        self.method = dice.choice(list(METHODS))
        self.tolerance = dice.choice(METHODS[self.method])
        self.certified = number % 3 == 0
        self.text = self.shape()

    def load(self):
        """What it is of, and the load: the impulse of one passage is some hundredths to twice the momentum."""
        dice, speed = self.dice, abs(self.v0)
        of = dice.choice(("time", "time", "place", "place", "speed"))
        w = 10 ** dice.uniform(-4.5, -1.5)
        part = dice.choice((-1, 1)) * 10 ** dice.uniform(-2, 0.3)
        if of == "time":
            kind, c = dice.choice(PULSES + (jump,)), dice.uniform(0.05, 0.9) * self.end
            h = part * self.m * speed / w / (10 if kind == spikes else 1)
            if kind == jump:
                h = part * self.m * speed * 20
        elif of == "place":
            kind, c = dice.choice(PULSES + (wall, jump)), math.copysign(dice.uniform(0.02, 0.5), self.v0)
            h = part * self.m * speed ** 2 / w / 2 / (10 if kind == spikes else 1)
            if kind == wall:
                h = self.m * speed ** 2 / w / 2 * 10 ** dice.uniform(-1.5, 0)
            if kind == jump:
                h = part * self.m * speed ** 2 * 20
        else:
            kind, c = dice.choice((gauss, ramps, hat, product)), self.v0 * dice.uniform(0.3, 0.97)
            w *= speed
            h = part * self.m * 5
        w, c = float(f"{w:.3g}"), float(f"{c:.6g}")
        return of, kind(c, w, float(f"{h:.4g}"))

    def force(self, place, speed):
        names = {"time": "time", "place": place, "speed": speed}
        return " + ".join(load.text.format(u=names[of]) for of, load in self.loads) or "0"

    def file(self, bodies, joints, forces, gravity="[0, 0]"):
        lists = {"bodies": bodies, "joints": joints, "forces": forces}
        return "\n".join([f"dimension: 2\ngravity: {gravity}", *(f"{key}:\n" + "\n".join(f"  - {{{i}}}" for i in items)
                                                                 for key, items in lists.items() if items),
                          f"simulate: {{end: {self.end}}}", ""])

    def point(self):
        self.inertia, self.signal = self.m, "a.x"
        forces = [f"name: load, type: force, on: a, value: ['{self.force('DX(a)', 'VX(a)')}', 0]"]
        if self.stiffness or self.damping:
            forces.append(f"name: held, type: force, on: a, value: ['-{self.stiffness}*DX(a)-{self.damping}*VX(a)', 0]")
        return self.file([f"name: a, type: point, mass: {self.m}, velocity: [{self.v0}, 0]"], [], forces)

    def slide(self):
        """A body on a guide, with weight across it."""
        self.inertia, self.signal = self.m, "a.x"
        forces = [f"name: load, type: force, on: a, value: ['{self.force('DX(a)', 'VX(a)')}', 0]"]
        if self.stiffness or self.damping:
            forces.append(f"name: held, type: force, on: a, value: ['-{self.stiffness}*DX(a)-{self.damping}*VX(a)', 0]")
        return self.file([f"name: a, mass: {self.m}, inertia: 0.3, velocity: [{self.v0}, 0]"],
                         ["name: guide, type: translational, between: [ground, a]"], forces, "[0, -9.81]")

    def bar(self):
        """A pendulum, from where it hangs."""
        self.inertia, self.signal = self.m / 3, "a.theta"
        self.gravity = self.m * 9.81 * 0.5
        self.stiffness = self.damping = 0
        return self.file([f"name: a, mass: {self.m}, inertia: {self.m}/12, position: [0, -0.5], omega: {self.v0}, "
                          f"velocity: [{0.5 * self.v0!r}, 0], markers: {{pin: [0, 0.5]}}"],
                         ["name: pin, type: revolute, between: [ground, a.pin]"],
                         [f"name: load, type: torque, on: a, value: '{self.force('AZ(a)', 'WZ(a)')}'"], "[0, -9.81]")

    def gears(self):
        """Two wheels, the second turning back half as quickly."""
        self.inertia, self.signal = self.m + 0.25 * 2, "a.theta"
        forces = [f"name: load, type: torque, on: a, value: '{self.force('AZ(a)', 'WZ(a)')}'"]
        if self.stiffness or self.damping:
            forces.append(f"name: held, type: torque, on: a, value: '-{self.stiffness}*AZ(a)-{self.damping}*WZ(a)'")
        return self.file([f"name: a, mass: 1, inertia: {self.m}, omega: {self.v0}",
                          f"name: b, mass: 1, inertia: 2, position: [1.5, 0], omega: {-0.5 * self.v0!r}"],
                         ["name: pin, type: revolute, between: [ground, a]", "name: other, type: revolute, between: [ground: [1.5, 0], b]",
                          "name: mesh, type: gear, joints: [pin, other], ratio: -0.5"], forces)

    # ---- the reference

    def rate(self, t, u, v):
        at = {"time": t, "place": u, "speed": v}
        return (sum(load.value(at[of]) for of, load in self.loads) - self.stiffness * u - self.damping * v
                - self.gravity * math.sin(u)) / self.inertia

    def longest(self, t, u, v, a):
        """A step that passes over nothing."""
        h = 0.02
        for of, load in self.loads:
            at, speed = {"time": (t, 1), "place": (u, abs(v) + 0.01), "speed": (v, abs(a) + 0.1)}[of]
            distance, width = load.near(at)
            h = min(h, max(distance - 1.5 * width, 0.15 * width) / 2 / speed)
        return h

    def is_near(self, t, u, v, which=None):
        at = {"time": t, "place": u, "speed": v}
        return any(distance < width for distance, width in (load.near(at[of]) for of, load in self.loads if which in (None, of)))

    def follow(self, v0, times, when=0, du=0.0, dv=0.0):
        """u at these times, by Dormand and Prince's fifth order with steps that see every load. Edges in time end steps. du and dv are
        added at a time."""
        t, u, v, found = 0.0, du if when == 0 else 0.0, v0 + (dv if when == 0 else 0), []
        self.passages, self.stays, inside = 0, [], False
        speed = abs(self.v0)
        edges = sorted({*times, when or times[0], *(p for of, load in self.loads if of == "time" and not load.period for p in load.places)})
        h = 1e-4
        for stop in edges:
            while t < stop:
                a = self.rate(t, u, v)
                h = min(h, self.longest(t, u, v, a))
                near = self.is_near(t, u, v)
                self.passages += near and not inside
                inside = near
                last = t + h >= stop * (1 - 1e-15)
                step = stop - t if last else h
                u1, v1, error = self.advance(t, u, v, step, speed, stop)
                if error > 1 and step > 1e-12:
                    h = step * max(0.2, 0.9 * error ** -0.2)
                    continue
                self.note_stay(t, step, self.is_near(t, u, v, "speed"))
                t, u, v = stop if last else t + step, u1, v1
                h = max(h, step) if last else step
                h *= min(4, 0.9 * max(error, 1e-6) ** -0.2)
            if stop in times:
                found.append(u)
            if stop == when:
                u, v = u + du, v + dv
        return found

    def note_stay(self, t, step, inside):
        """Times in which the speed stays within a strip of speed: a load there may hold the motion."""
        if inside and self.stays and self.stays[-1][1] == t:
            self.stays[-1][1] = t + step
        elif inside:
            self.stays.append([t, t + step])

    def longest_stays(self):
        return [(a + b) / 2 / self.end for a, b in sorted(self.stays, key=lambda s: s[0] - s[1])[:2]]

    def advance(self, t, u, v, h, speed, stop):
        ku, kv = [], []
        for c, row in TABLEAU:
            uu, vv = u + h * sum(x * k for x, k in zip(row, ku)), v + h * sum(x * k for x, k in zip(row, kv))
            at = t + c * h
            ku.append(vv)
            kv.append(self.rate(min(at, math.nextafter(stop, 0)), uu, vv))  # before the edge where it ends at one
        eu, ev = (h * sum(x * k for x, k in zip(ERROR, ks)) for ks in (ku, kv))
        return uu, vv, max(abs(eu), abs(ev) / max(1, speed)) / self.exact


TABLEAU = ((0, ()), (1 / 5, (1 / 5,)), (3 / 10, (3 / 40, 9 / 40)), (4 / 5, (44 / 45, -56 / 15, 32 / 9)),
           (8 / 9, (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729)),
           (1, (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656)), (1, (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)))
ERROR = (71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


# ---- runs --------------------------------------------------------------------------------------------------------

def table(path):
    with open(path) as file:
        return list(csv.DictReader(line for line in file if line[0] != "#"))


def against(model, path, length, tolerance):
    """Largest error of the rows, and the growth of a disturbance: of a very small one at the start, and where that does not explain the
    error of such on the way (while a load in a strip of speed holds the motion too), and of some as large as what is promised, as a body may
    just pass a load or not. A tolerance is for some ten times in which much happens: passages of loads count as such."""
    rows = table(path)
    times = [float(row["t"]) for row in rows][1:]
    right, growth = model.follow(model.v0, times), 1
    error = max(abs(float(row[model.signal]) - u) for row, u in zip(rows[1:], right)) / length
    error /= max(1, model.passages / 10)
    stays = model.longest_stays()
    for nudge, part, of in itertools.product((NUDGE, 3 * tolerance, -3 * tolerance), (0, 0.2, 0.4, 0.6, 0.8, *stays), "vu"):
        when = part * model.end
        size = nudge * length * (abs(model.v0) if of == "v" else 1)
        moved = model.follow(model.v0, times, when, *((0, size) if of == "v" else (size, 0)))
        growth = max(growth, max(abs(a - b) for a, b in zip(right, moved)) / abs(size))
        if error <= PROMISED * tolerance * growth:
            break
    return error, growth


def run(model, file, scratch):
    """None where all is well: (what is wrong)."""
    out = f"{scratch}/{model.number}.csv"
    length = json.loads(subprocess.run([HOLONOM, "check", file, "--json"], capture_output=True, text=True, check=True).stdout)["length_scale"]
    if "theta" in model.signal:
        length = 1
    done = subprocess.run([HOLONOM, "run", file, "--method", model.method, "--tol", repr(model.tolerance), "--out", out, "--time-limit", "20",
                           "--set", "simulate.output=0.05"], capture_output=True, text=True)
    said = done.stderr.strip().split("\n")
    if done.returncode:
        named = any(re.search(r"error: (stopped at t = |.*refused at the end of the run)", line) for line in said)
        return ("stopped" if named else "unnamed end"), f"exit {done.returncode}: " + " | ".join(s for s in said if "error" in s)[:300]
    error, growth = against(model, out, length, model.tolerance)
    if error > PROMISED * model.tolerance * growth:
        return "wrong", f"{error / model.tolerance:.3g} T wrong, a disturbance grows by {growth:.3g}"
    return None, f"{error / model.tolerance:.2g} T, growth {growth:.2g}"


def certify(model, file, scratch):
    out = f"{scratch}/{model.number}_c.csv"
    done = subprocess.run([HOLONOM, "certify", file, "--json", "--digits", "5", "--signals", model.signal, "-o", out,
                           "--set", "simulate.output=0.05"], capture_output=True, text=True)
    if done.returncode:
        return None, "certify refuses: " + done.stderr.strip()[-200:]
    claim = json.loads(done.stdout)["signals"][0]
    for model.exact in (EXACT, EXACT / 100):  # claims may be more exact than the reference
        error, growth = against(model, out, 1, 10 ** -claim["digits"])
        wrong = error > claim["size"] * 10 ** -claim["digits"] + 1e-8 * growth
        if not wrong:
            break
    return ("wrong digits" if wrong else None), f"{claim['digits']} digits of {claim['size']:.3g}, wrong by {error:.2g}"


def judge(number, seed, scratch):
    model = Model(number, seed)
    file = pathlib.Path(scratch) / f"random{number}.yaml"
    file.write_text(model.text)
    found = [(model.method, *run(model, file, scratch))]
    if model.certified:
        found.append(("certify", *certify(model, file, scratch)))
    return number, model, found


def main():
    numbers = [int(a) for i, a in enumerate(sys.argv[1:], 1) if a.isdigit() and sys.argv[i - 1] not in ("--seed", "--keep")]
    seed = sys.argv[sys.argv.index("--seed") + 1] if "--seed" in sys.argv else "1"
    show = bool(numbers) or "--show" in sys.argv
    numbers = numbers or range(1000 if "--long" in sys.argv else 60)
    faults, counts, stopped = {}, {}, []
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(os.cpu_count()) as pool:
        scratch = sys.argv[sys.argv.index("--keep") + 1] if "--keep" in sys.argv else temporary
        for number, model, found in pool.map(lambda n: judge(n, seed, scratch), numbers):
            for who, what, words in found:
                counts[who] = counts.get(who, 0) + 1
                if show or what:
                    print(f"# {number} {who} {model.tolerance:g} {model.shape.__name__} "
                          f"{[of + ' ' + load.text[:60] for of, load in model.loads]}: {what or 'ok'}: {words}", flush=True)
                if what == "stopped":
                    stopped.append(f"{number} ({who})")
                elif what:
                    faults.setdefault(who, []).append(f"{number} {what}")
    for who in sorted(counts):
        print(f"not ok {who}: {', '.join(faults[who])}" if who in faults else f"ok {who}", flush=True)
    many = len(stopped) > max(2, STOPS * len(numbers))
    print(f"not ok stops: {', '.join(stopped)}" if many else "ok stops", flush=True)
    return bool(faults) or many


if __name__ == "__main__":
    sys.exit(main())
