"""Every type of joint, driver, constraint and force, in every dimension that it allows, goes through statics, linearisation, runs and inverse dynamics.

Two bodies hang in bushings; the element is between them, or between joints and drivers beside them. `static` finds where they rest. A small force
pushes one of them: what a run makes of it is what the linearised motion says, outputs, accelerations and reactions. The same run, prescribed by
measures, is one that needs no force of drivers.
"""
import re

import holonom as hm
import numpy as np
import pytest
from scipy.linalg import expm, qr

END, ROWS, RATE = 0.6, 600, 9.0
PUSH, STRONG = 1e-3, 30.0  # N, small and large

# What is wanted besides the ends, a row a use; a type without rows stands between the bodies as drawn. j1, j2: joints beside it.
PAIR = "bodies: [a, b], at: {at}, axis: {axis}"
BETWEEN = "between: [a.m, b.m]"
USES = {
    "joints": {
        "distance": [BETWEEN], "revolute-spherical": [BETWEEN], "revolute-revolute": ["between: [a.n, b.m]"], "screw": [PAIR + ", pitch: 0.6"],
        "universal": [PAIR + ", axis2: [0.3, 0, 1]"], "perpendicular": [PAIR + ", axis2: [0.3, 0, 1]"], "constant-velocity": [PAIR + ", axis2: [1, 0.6, 0.2]"],
        "point-on-curve": [PAIR + ", curve: path"], "total": [PAIR + ", hold: {hold}"],
        "gear": ["joints: [j1, j2], ratio: -2.5"], "rack-pinion": ["joints: [j1, j2], radius: 0.4"], "coupler": ["joints: [j1, j2], ratios: [0.7, 1.2]"],
        "grip": ["between: [a, b]"], "lock": ["joint: j1"],
        "cylindrical": [PAIR, PAIR + ", stiffness: 3, damping: 0.2, stroke_limits: {{range: [-1, 1], stiffness: 500}}"],
        "revolute": [PAIR, PAIR + ", stiffness: 5, angle: 0.1, damping: 0.3, armature: 0.05, preload: 0.4",
                     PAIR + ", armature: 0.02, rotor: classic, motor: {{torque: 0.1*pushed, gear: 3}}",
                     PAIR + ", limits: {{range: [-0.002, 0.002], stiffness: 80, damping: 1}}", PAIR + ", motor: {{angle: 0.02, kp: 40, kd: 3}}"],
        "translational": [PAIR, PAIR + ", stiffness: 50, length: 0.1, damping: 0.3, armature: 0.4, preload: 2", PAIR + ", motor: {{speed: 0, kp: 3}}"]},
    "drivers": {"angle": ["joint: j1, value: 0"], "stroke": ["joint: j2, value: 0"], "distance": [BETWEEN + ", value: 0.9"]},
    "constraints": {"position": ['position: "DX(a) + 0.3*DY(b) - 0.56"'], "velocity": ['velocity: "VX(a) + 0.3*VY(b)"']},
    "forces": {
        "spring-damper": [BETWEEN + ", stiffness: 30, damping: 0.7, length: 0.2, force: 0.3"],
        "rotational-spring-damper": [PAIR + ", stiffness: 7, damping: 0.5, angle: 0.3, torque: 0.2"],
        "bushing": [BETWEEN + ", stiffness: {springs}, damping: {dampers}"], "beam": ["between: [b.along, a], modulus: 2e5, area: 1e-3, damping: 0.01, {section}"],
        "force": ["on: a.m, frame: body, value: {vector}"], "torque": ["on: a, value: {turning}"],
        "joint-torque": ["joint: j1, value: 2 - 3*j1.angle"], "joint-force": ["joint: j2, value: 2 - 9*j2.stroke"],
        "vector-force": [BETWEEN + ", force: {vector}"], "rotor": ["joint: j1, inertia: 0.02", "joint: j1, inertia: 0.02, gear: 5"],
        "inerter": ["joint: j2, mass: 0.7"], "friction": ["joint: j1, coefficient: 0.3, radius: 0.05, transition: 0.1"],
        "tyre": ["on: a.m, stiffness: 90, damping: 2", "on: a.m, stiffness: 90, damping: 2, road: bump, middle: 0.1, height: 0.05, half_width: 1"]}}
SLIDES = {"rack-pinion", "coupler", "stroke", "joint-force", "inerter"}  # j2 slides
WORDS = {2: dict(at=[0.1, 0.3], other=[-0.4, 0.1], axis=[1, 0.4], hold="x rz", springs=[31, 22, 3], dampers=[1, 2, 0.3], section="second_moment: 1e-6",
                 vector='[1, "-2 - 3*AZ(a)"]', turning='"0.5 - AZ(b)"'),
         3: dict(at=[0.1, 0.3, 0.2], other=[-0.4, 0.1, -0.2], axis=[1, 0.4, -0.3], hold="x z ry", springs=[31, 22, 27, 4, 5, 6], dampers=[1, 2, 3, 0.3, 0.2, 0.1],
                 section="second_moment_y: 1e-6, second_moment_z: 2e-6, shear_modulus: 1e5, torsion_constant: 3e-6", vector='[1, "-2 - 3*AZ(a)", 0.5]',
                 turning='[0.2, "0.5 - AZ(b)", -0.1]')}
BODIES = {2: """
gravity: [0.4, -9.81]
bodies:
  - {name: a, mass: 1.3, inertia: 0.7, com: [0.2, -0.1], position: [0.5, 0.6], angle: 0.3, markers: {m: [-0.2, 0.3]}}
  - {name: b, mass: 2.1, inertia: 0.4, position: [-0.7, 0.2], markers: {m: [0.3, 0.5], along: {position: [0, 0], angle: atan(1/3)}}}
forces:
  - {name: hold_a, type: bushing, between: [ground: [0.5, 0.6], a], stiffness: [160, 140, 30], damping: [3, 4, 0.8]}
  - {name: hold_b, type: bushing, between: [ground: [-0.7, 0.2], b], stiffness: [150, 130, 40], damping: [3, 4, 0.8]}
  - {name: push, type: vector-force, between: [ground, b.m], force: [pushed, 0], torque: 0.4*pushed}
""", 3: """
gravity: [0.4, 0.7, -9.81]
bodies:
  - {name: a, mass: 1.3, inertia: [0.7, 0.8, 0.9, 0.1, -0.05, 0.2], com: [0.2, -0.1, 0.3], position: [0.5, 0.6, -0.1], orientation: {axis: [1, -1, 0.5], angle: 0.2},
     markers: {m: [-0.2, 0.3, 0.2], n: {position: [0.2, -0.3, 0.2], orientation: {axis: [1, -1, 0.5], angle: -0.2}}}}
  - {name: b, mass: 2.1, inertia: [0.3, 0.4, 0.5], position: [-0.7, 0.2, 0.4],
     markers: {m: [0.3, 0.5, -0.1], along: {position: [0, 0, 0], orientation: {axis: [0, 0.5, 0.4], angle: acos(1.2/sqrt(1.85))}}}}
forces:
  - {name: hold_a, type: bushing, between: [ground: [0.5, 0.6, -0.1], a], stiffness: [160, 140, 150, 30, 35, 40], damping: [3, 4, 5, 0.8, 0.7, 0.9]}
  - {name: hold_b, type: bushing, between: [ground: [-0.7, 0.2, 0.4], b], stiffness: [150, 130, 170, 35, 30, 25], damping: [3, 4, 5, 0.8, 0.7, 0.9]}
  - {name: push, type: vector-force, between: [ground, b.m], force: [pushed, 0, 0.3*pushed], torque: [0, 0.2*pushed, 0.4*pushed]}
"""}
NO_EQUILIBRIUM = {"velocity": "models with velocity constraints"}  # refused, by these words


def tables():
    """(list, type, dimension) of all that there is, as the program lists them."""
    kind, found = None, []
    for line in hm.elements().splitlines():
        if re.fullmatch("[A-Z][A-Z ]+", line):
            kind = line.lower()
        row = re.match("  ([a-z][a-z-]*) +(2D and 3D|2D|3D)(;|$)", line)
        if row and kind in USES:
            found += [(kind, row[1], dimension) for dimension in (2, 3) if f"{dimension}D" in row[2]]
    return found


CASES = [(kind, name, dimension, use) for kind, name, dimension in tables() for use in range(len(USES[kind].get(name, [PAIR])))]


def model(kind, name, dimension, use, start="equilibrium"):
    what = USES[kind].get(name, [PAIR])[use].format(**WORDS[dimension])
    lists = {"joints": [], "drivers": [], "constraints": [], "forces": []}
    if re.search(r"\bj[12]\b", what):
        w = WORDS[dimension]
        lists["joints"] = [f"name: j1, type: revolute, bodies: [ground, a], at: {w['at']}, axis: {w['axis']}",
                           f"name: j2, type: {'translational' if name in SLIDES else 'revolute'}, bodies: [ground, b], at: {w['other']}, axis: {w['axis']}"]
    lists[kind].append("name: it, " + ("" if kind == "constraints" else f"type: {name}, ") + what)
    said = {key: "".join(f"  - {{{item}}}\n" for item in items) for key, items in lists.items() if items}
    forces = said.pop("forces", "")
    text = (f"dimension: {dimension}\nparameters: {{push: 0}}\ninputs: [{{name: u, value: 0}}]\nvariables: [{{name: pushed, value: u + push*sin({RATE}*time)}}]\n"
            f"splines: [{{name: path, kind: cubic, x: [-2, -1, 0, 1, 2], y: [0.3, 0.1, 0, 0.2, 0.5]}}]{BODIES[dimension]}{forces}"
            + "".join(f"{key}:\n{value}" for key, value in said.items()) + f"simulate: {{end: {END}, start: {start}}}\n")
    return hm.Model.from_text(text)


def measures(dimension):
    where, turns = ("XY", ["AZ"]) if dimension == 2 else ("XYZ", ["AX", "AY", "AZ"])
    return [f"{what}({body})" for body in "ab" for what in [*("D" + axis for axis in where), *turns]]


def response(linear, t):
    """Of x' = A x + B u, y = C x + D u with u = PUSH sin(RATE t), and of nothing before: exact, by the exponential of the whole."""
    n = len(linear.A)
    whole = np.zeros((n + 2, n + 2))
    whole[:n, :n], whole[:n, n] = linear.A, linear.B[:, 0]
    whole[n, n + 1], whole[n + 1, n] = RATE, -RATE
    state, step, out = np.zeros(n + 2), expm(whole * (t[1] - t[0])), []
    state[n + 1] = PUSH
    for _ in t:
        out.append(linear.C @ state[:n] + linear.D[:, 0] * state[n])
        state = step @ state
    return np.array(out)


def rest(m, name, outputs):
    """The model linearised where it rests; None: refused by name, as it has to be."""
    if name not in NO_EQUILIBRIUM:
        return m.linearise(equilibrium=True, inputs=["u"], outputs=outputs)
    with pytest.raises(hm.UsageError, match=NO_EQUILIBRIUM[name]):
        m.linearise(equilibrium=True, inputs=["u"], outputs=outputs)
    return None


ONE_COORDINATE = {"angle", "stroke", "joint-torque", "joint-force", "friction"}
LAWS = {"spring": "preload", "motor": "motor", "limits": ", limits"}
NO_MARKERS = {"gear", "rack-pinion", "coupler", "lock"}  # nor components of a reaction
REACTIONS = {2: ["FX", "FY", "TZ"], 3: ["FX", "FY", "FZ", "TX", "TY", "TZ"]}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind,name,dimension,use", CASES)
def test_linearised_motion_is_the_motion(kind, name, dimension, use):
    m = model(kind, name, dimension, use)
    outputs = [*measures(dimension), "ACCX(b)", "ACCY(a)", "WDTZ(b)"]
    if kind == "joints" and name not in NO_MARKERS:
        outputs += [f"{what}(it)" for what in REACTIONS[dimension]]
    if name in ONE_COORDINATE:
        outputs.append("FQ(it)")
    outputs += [f"FQ(it.{law})" for law in ("spring", "motor", "limits") if f"{LAWS[law]}:" in " ".join(USES[kind].get(name, [PAIR])[use:use + 1]) and kind == "joints"]
    for i, output in enumerate(outputs):
        m.add("variables", name=f"y{i}", value=output)
    wanted = [f"y{i}" for i in range(len(outputs))]
    linear = rest(m, name, wanted)
    if not linear:
        return
    m.set(push=PUSH)
    run = m.run(tolerance=1e-11, method="rk", output=END / 60, signals=wanted)
    expected = response(linear, run.t)
    found = np.array([run[y] - run[y][0] for y in wanted]).T
    kinds = [re.match(r"D|ACC|A|WD|F|T", output)[0] for output in outputs]
    for i, output in enumerate(outputs):
        size = np.abs(expected[:, [kind == kinds[i] for kind in kinds]]).max()
        assert np.abs(found[:, i] - expected[:, i]).max() <= 2e-4 * size + 1e-9, (output, size, found[::12, i], expected[::12, i])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind,name,dimension,use", CASES)
def test_a_motion_of_its_own_needs_no_force(kind, name, dimension, use, tmp_path):
    m = model(kind, name, dimension, use)
    names = measures(dimension)
    linear = rest(m, name, names)
    if not linear:
        return
    free = len(linear.A) // 2
    chosen = [names[k] for k in sorted(qr(linear.C[:, :free].T, pivoting=True)[2][:free])]
    for i, output in enumerate(names):
        m.add("variables", name=f"y{i}", value=output)
    m.set(push=STRONG)
    run = m.run(tolerance=1e-11, method="rk", output=END / ROWS, signals=[f"y{i}" for i in range(len(names))])
    motion = tmp_path / "motion.csv"
    np.savetxt(motion, np.column_stack([run.t, *(run[f"y{names.index(c)}"] for c in chosen)]), fmt="%.17g", delimiter=",",
               header=",".join(["t", *(f'"{c}"' for c in chosen)]), comments="")
    drawn = model(kind, name, dimension, use, start="drawn")
    drawn.set(push=STRONG)
    found = drawn.inverse(motion=motion, output=END / 20, signals=["all"])
    needed = max(np.abs(found[f"drive_{i + 1}.lambda"]).max() for i in range(free))
    assert needed < 1e-3 * STRONG
    for body in "ab":
        for axis in "xy":
            assert np.abs(found[f"{body}.{axis}"] - run[f"y{names.index(f'D{axis.upper()}({body})')}"][::ROWS // 20]).max() < 1e-6
