"""Models of other programs: what URDF says, against equations of motion that a script of its own makes of the file."""
import json
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from conftest import MODELS

import holonom as hm

FILES = MODELS.parent / "tests/robots"
GRAVITY = np.array([0, 0, -9.80665])


def numbers(element, key, default):
    return np.array([float(x) for x in element.get(key, default).split()]) if element is not None else np.array([float(x) for x in default.split()])


def about(axis, angle):
    """Rodrigues' formula."""
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def frame(origin):
    roll, pitch, yaw = numbers(origin, "rpy", "0 0 0")
    x, y, z = np.eye(3)
    return about(z, yaw) @ about(y, pitch) @ about(x, roll), numbers(origin, "xyz", "0 0 0")


class Robot:
    """Newton's and Euler's equations of a tree of links, by Jacobians of each link: H u' + h = tau in the rates of joints, global axes.

    rates: of each joint those that it leaves free; a floating root has its own six before these, linear velocity of its origin first.
    """

    def __init__(self, file, free=False):
        tree = ElementTree.parse(file).getroot()
        self.links = {link.get("name"): link.find("inertial") for link in tree.findall("link")}
        self.joints = []
        joints = tree.findall("joint")
        children = {j.find("child").get("link") for j in joints}
        reached = [next(name for name in self.links if name not in children)]
        self.root, self.free, self.n, self.damping, self.index = reached[0], free, 6 if free else 0, [0] * 6 if free else [], {}
        for link in reached:
            for j in joints:
                if j.find("parent").get("link") != link:
                    continue
                kind, size = j.get("type"), {"fixed": 0, "planar": 3, "floating": 6}.get(j.get("type"), 1)
                axis = numbers(j.find("axis"), "xyz", "1 0 0")
                self.joints.append((j.get("name"), kind, link, j.find("child").get("link"), frame(j.find("origin")), axis / np.linalg.norm(axis), self.n))
                self.index[j.get("name")] = self.n
                self.n += size
                d = j.find("dynamics")
                self.damping += [float(d.get("damping", "0")) if d is not None else 0.0] * size
                reached.append(self.joints[-1][3])

    def equations(self, q, u, root=(np.eye(3), np.zeros(3))):
        """H, h without damping, and of each link its rotation, origin and Jacobian of that point; q: coordinates of revolute and prismatic joints."""
        H, h = np.zeros((self.n, self.n)), np.zeros(self.n)
        zero = np.zeros((3, self.n))
        Jv, Jw = zero.copy(), zero.copy()
        if self.free:
            Jv[:, :3], Jw[:, 3:6] = np.eye(3), np.eye(3)
        at = {self.root: (*root, Jv, Jw, np.zeros(3), np.zeros(3))}  # R, p, J_p, J_w, parts of the accelerations without u'
        for name, kind, parent, child, (R0, p0), axis, k in self.joints:
            R, p, Jv, Jw, a, alpha = at[parent]
            w, arm = Jw @ u, R @ p0
            Jv, Jw, a, alpha = Jv + np.cross(Jw.T, arm).T, Jw.copy(), a + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm)), alpha.copy()
            R, p, x = R @ R0, p + arm, R @ R0 @ axis
            if kind in ("revolute", "continuous"):
                Jw[:, k] += x
                alpha = alpha + np.cross(w, x) * u[k]
                R = R @ about(axis, q[name])
            elif kind == "prismatic":
                s = q[name] * x
                Jv = Jv + np.cross(Jw.T, s).T
                Jv[:, k] += x
                a = a + np.cross(alpha, s) + np.cross(w, np.cross(w, s)) + 2 * np.cross(w, x) * u[k]
                p = p + s
            elif kind == "floating":
                assert parent == self.root and not self.free  # at the start, at rest
                Jv[:, k : k + 3], Jw[:, k + 3 : k + 6] = np.eye(3), np.eye(3)
            elif kind == "planar":
                assert parent == self.root and not self.free
                sides = np.linalg.svd(x[None])[2][1:]
                Jv[:, k], Jv[:, k + 1], Jw[:, k + 2] = *sides, x
                spun = q.get(name, (0, 0, 0))
                p, R = p + spun[0] * sides[0] + spun[1] * sides[1], about(x, spun[2]) @ R
            at[child] = (R, p, Jv, Jw, a, alpha)
        for link, inertial in self.links.items():
            if inertial is None:
                continue
            R, p, Jv, Jw, a, alpha = at[link]
            Ri, c = frame(inertial.find("origin"))
            I = {key: float(value) for key, value in inertial.find("inertia").attrib.items()}
            I = np.array([[I["ixx"], I["ixy"], I["ixz"]], [I["ixy"], I["iyy"], I["iyz"]], [I["ixz"], I["iyz"], I["izz"]]])
            I, m, arm, w = R @ Ri @ I @ Ri.T @ R.T, float(inertial.find("mass").get("value")), R @ c, Jw @ u
            Jc, ac = Jv + np.cross(Jw.T, arm).T, a + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
            H += m * Jc.T @ Jc + Jw.T @ I @ Jw
            h += m * Jc.T @ (ac - GRAVITY) + Jw.T @ (I @ alpha + np.cross(w, I @ w))
        return H, h, at

    def accelerations(self, q, u, **root):
        H, h, _ = self.equations(q, u, **root)
        return np.linalg.solve(H, -h - np.array(self.damping) * u)


def source(name):
    """A joint of the file by that of the model."""
    name = name.rpartition(".")[0]
    return name[: -len("_joint")] if name.endswith("_joint") else name


def test_an_arm_has_the_equations_that_its_file_says():
    robot, e = Robot(FILES / "arm.urdf"), hm.Model.from_urdf(FILES / "arm.urdf").equations()
    e.use_joints()
    names = [source(name) for name in e.joint_rates]
    order = [robot.index[name] for name in names]
    random = np.random.default_rng(1)
    for _ in range(20):
        q, u = dict(zip(names, random.uniform(-1.5, 1.5, 5))), np.zeros(robot.n)
        q["reach"] *= 0.1
        u[order] = random.uniform(-3, 3, 5)
        e.set_joints([q[name] for name in names], u[order])
        H, h, _ = robot.equations(q, u)
        h = h + np.array(robot.damping) * u
        scale = np.sqrt(np.diag(H)[order])
        assert np.abs((e.joint_inertia - H[np.ix_(order, order)]) / np.outer(scale, scale)).max() < 1e-12
        assert np.abs(e.joint_bias - h[order]).max() < 1e-11 * np.abs(h).max()
        assert np.abs(e.joint_accelerations - robot.accelerations(q, u)[order]).max() < 1e-9 * (1 + np.abs(e.joint_accelerations).max())


def test_a_quadruped_floats_as_its_file_says():
    robot, e = Robot(FILES / "quadruped.urdf", free=True), hm.Model.from_urdf(FILES / "quadruped.urdf", root="free").equations()
    e.use_joints()
    random = np.random.default_rng(2)
    names = [source(name) for name in e.joint_coordinates[7:]]
    order = [3, 4, 5, *(robot.index[name] for name in names)]  # the origin's acceleration is another one than that of the mass centre
    for _ in range(10):
        axis = random.normal(size=3)
        axis, angle = axis / np.linalg.norm(axis), random.uniform(-3, 3)
        q, u = dict(zip(names, random.uniform(-0.7, 0.7, 12))), random.uniform(-2, 2, 18)
        for name in q:
            q[name] -= 1.8 * name.endswith("calf")
        rates = np.zeros(robot.n)
        rates[order] = u[3:]
        e.set_joints([*random.normal(size=3), np.cos(angle / 2), *np.sin(angle / 2) * axis, *q.values()], u)
        found = e.joint_accelerations[3:]
        assert np.abs(found - robot.accelerations(q, rates, root=(about(axis, angle), np.zeros(3)))[order]).max() < 1e-9 * np.abs(found).max()


def reduced(robot, couplings, y, v):
    """Accelerations of the free rates of the hand, in which joints follow others: q_i = sum G_ik y_k + c_i."""
    G, c = couplings
    q = {name: (G @ y + c)[k] for name, k in robot.index.items()}
    q["slide"] = tuple((G @ y + c)[robot.index["slide"] :][:3])
    H, h, _ = robot.equations(q, G @ v)
    return np.linalg.solve(G.T @ H @ G, -G.T @ (h + np.array(robot.damping) * (G @ v)))


def test_fingers_that_follow_others_move_as_the_file_says():
    """0.15 s from rest, against Runge and Kutta's method of order 4 on equations in which the followers stand as they are."""
    robot = Robot(FILES / "hand.urdf")
    k = robot.index
    free = [k["slide"], k["slide"] + 1, k["slide"] + 2, k["knuckle"], *range(k["loose"], k["loose"] + 6)]
    G, c = np.zeros((robot.n, len(free))), np.zeros(robot.n)
    G[free, range(len(free))] = 1
    G[k["middle"], 3], c[k["middle"]] = 1.3, 0.2
    G[k["tip"], 3], c[k["tip"]] = 0.7 * 1.3, 0.7 * 0.2
    G[k["thumb"], 3] = -0.02
    y, v, steps, end = np.zeros(len(free)), np.zeros(len(free)), 150, 0.15
    step = end / steps
    for _ in range(steps):
        a1 = reduced(robot, (G, c), y, v)
        a2 = reduced(robot, (G, c), y + step / 2 * v, v + step / 2 * a1)
        a3 = reduced(robot, (G, c), y + step / 2 * v + step**2 / 4 * a1, v + step / 2 * a2)
        a4 = reduced(robot, (G, c), y + step * v + step**2 / 2 * a2, v + step * a3)
        y, v = y + step * v + step**2 / 6 * (a1 + a2 + a3), v + step / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    r = hm.Model.from_urdf(FILES / "hand.urdf").run(end=end, tolerance=1e-9, signals=["knuckle.angle", "middle.angle", "tip.angle", "thumb_joint.stroke", "box.z"])
    assert abs(r["knuckle.angle"][-1] - y[3]) < 1e-7 and abs(y[3]) > 0.1
    assert abs(r["middle.angle"][-1] - (1.3 * y[3] + 0.2)) < 1e-7
    assert abs(r["tip.angle"][-1] - 0.7 * (1.3 * y[3] + 0.2)) < 1e-7
    assert abs(r["thumb_joint.stroke"][-1] + 0.02 * y[3]) < 1e-8
    assert abs(r["box.z"][-1] - r["box.z"][0] + 9.80665 * end**2 / 2) < 1e-9


def loops(file, at, robot):
    """Rows of velocities that loops hold: of their points, and of rotations across their axes; singular where they are redundant."""
    rows = []

    def side(link, p, axis=None):
        R, origin, Jv, Jw, *_ = at[link]
        return Jv + np.cross(Jw.T, R @ p).T, Jw, None if axis is None else R @ axis

    tree = ElementTree.parse(file).getroot()
    for loop in tree.findall("loop_joint"):
        R1, p1 = frame(loop.find("link1"))
        a, b = side(loop.find("link1").get("link"), p1, R1 @ numbers(loop.find("axis"), "xyz", "1 0 0")), side(loop.find("link2").get("link"), frame(loop.find("link2"))[1])
        rows += [a[0] - b[0], np.cross((a[1] - b[1]).T, a[2]).T]
    zero = robot.equations(dict.fromkeys(robot.index, 0.0), np.zeros(robot.n))[2]
    for joint in tree.findall("gazebo/joint"):
        p = np.array([float(x) for x in joint.find("pose").text.split()])[:3]
        (R, origin, *_), (R2, origin2, *_) = zero[joint.find("parent").text], zero[joint.find("child").text]
        rows.append(side(joint.find("parent").text, R.T @ (origin2 + R2 @ p - origin))[0] - side(joint.find("child").text, p)[0])
    return np.vstack(rows)


@pytest.mark.parametrize("name", ["leg", "delta"])
def test_loops_accelerate_as_the_file_says(name):
    """From rest where the model is drawn: H u' + J^T lam + h = 0, J u' = 0, by least squares, for planar loops in space are redundant."""
    file = FILES / f"{name}.urdf"
    robot, m = Robot(file), hm.Model.from_urdf(file)
    e = m.equations()
    joints = [j for j in m.joints if j.type in ("revolute", "translational") and source(j.name + ".") in robot.index]
    r = m.run(end=1e-3, signals=[j.name + ".angle" for j in joints])
    q = {source(j.name + "."): r[j.name + ".angle"][0] for j in joints}
    H, h, at = robot.equations(q, np.zeros(robot.n))
    J = loops(file, at, robot)
    n, k = len(h), len(J)
    u = np.linalg.lstsq(np.block([[H, J.T], [J, np.zeros((k, k))]]), np.concatenate([-h, np.zeros(k)]), rcond=1e-12)[0][:n]
    a = dict(zip(e.coordinates, e.accelerations))
    moved = 0
    for link, inertial in robot.links.items():
        if inertial is None:
            continue
        R, _, Jv, Jw, *_ = at[link]
        found, wanted = [a[f"{link}.{x}"] for x in "xyz"], (Jv + np.cross(Jw.T, R @ frame(inertial.find("origin"))[1]).T) @ u
        assert np.abs(found - wanted).max() < 1e-6 * np.abs(wanted).max() + 1e-7
        moved += np.abs(wanted).max() > 0.1
    assert moved > 4


def random_robot(random, links):
    """A robot as a text: joints of all kinds that a tree of joints has, anywhere, with links without mass on fixed joints among them."""
    text = lambda n, size=1.0: " ".join(repr(float(x)) for x in random.uniform(-size, size, n))
    out = ['<robot name="any"><link name="l0"/>']
    for i in range(1, links):
        kind = str(random.choice(["fixed", "revolute", "continuous", "prismatic"])) if i < links - 1 else "revolute"
        out.append(f'<joint name="j{i}" type="{kind}"><parent link="l{random.integers(max(0, i - 4), i)}"/><child link="l{i}"/><origin xyz="{text(3, 0.4)}" rpy="{text(3, 3)}"/>')
        if kind != "fixed":
            out.append(f'<axis xyz="{text(3)}"/><dynamics damping="{random.uniform(0, 2)!r}"/>')
        out.append('<limit lower="-9" upper="9" effort="0" velocity="0"/></joint>')
        a, r = random.normal(size=(3, 3)), random.uniform(0.5, 3)
        I = r * 0.01 * (np.trace(a @ a.T) * np.eye(3) - a @ a.T)  # of points of mass
        entries = " ".join(f'i{"xyz"[j]}{"xyz"[k]}="{I[j, k]!r}"' for j in range(3) for k in range(j, 3))
        mass = kind != "fixed" or i % 2
        out.append(f'<link name="l{i}">' + (f'<inertial><origin xyz="{text(3, 0.2)}" rpy="{text(3, 3)}"/><mass value="{r!r}"/><inertia {entries}/></inertial>' if mass else "") + "</link>")
    return "\n".join([*out, "</robot>"])


@pytest.mark.parametrize("seed", range(6))
def test_robots_of_any_form_have_the_equations_that_their_files_say(seed, tmp_path):
    random = np.random.default_rng(seed)
    (tmp_path / "any.urdf").write_text(random_robot(random, 8 + 5 * seed))
    robot, e = Robot(tmp_path / "any.urdf"), hm.Model.from_urdf(tmp_path / "any.urdf").equations()
    e.use_joints()
    names = [source(name) for name in e.joint_rates]
    order = [robot.index[name] for name in names]
    assert sorted(order) == list(range(robot.n))
    q, u = dict(zip(names, random.uniform(-3, 3, robot.n))), random.uniform(-2, 2, robot.n)
    e.set_joints([q[name] for name in names], u[order])
    H, h, _ = robot.equations(q, u)
    h += np.array(robot.damping) * u
    scale = np.sqrt(np.diag(H)[order])
    assert np.abs((e.joint_inertia - H[np.ix_(order, order)]) / np.outer(scale, scale)).max() < 1e-10
    assert np.abs((e.joint_bias - h[order]) / scale).max() < 1e-10 * np.abs(h[order] / scale).max()


def test_a_walking_machine_of_72_loops_runs_closed():
    """tests/robots/README.md: 210 loop equations of rank 72, 1 degree of freedom; the crank turns once in 6.3 s."""
    m = hm.Model.from_urdf(FILES / "strandbeest.urdf")
    check = m.check()
    assert (check.degrees_of_freedom, check.constraints - check.rank) == (1, 138)
    assert check.position_violation < 1e-8  # as drawn
    m.add("drivers", name="crank", type="angle", joint="joint_crossbar_crank", speed=1)
    r = m.run(end=10, signals=["violation", "joint_crossbar_crank.angle"])
    assert abs(r["joint_crossbar_crank.angle"][-1] - 10) < 1e-9
    assert np.abs(r["violation.position"]).max() < 1e-10


def test_a_model_that_was_imported_is_written_copied_and_pickled(tmp_path):
    import pickle

    m = hm.Model.from_urdf(FILES / "arm.urdf")
    m.write(tmp_path / "arm.yaml")
    assert "a URDF file has no gravity" in (tmp_path / "arm.yaml").read_text()
    for again in (hm.Model(tmp_path / "arm.yaml"), m.copy(), pickle.loads(pickle.dumps(m))):
        assert np.array_equal(again.run(end=0.1).array, m.run(end=0.1).array)


def mujoco(name):
    """Numbers that tests/robots/mujoco_numbers.c has printed with MuJoCo 2.2.2: joint-space inertia M, forces h of M a + h = 0, accelerations a."""
    return json.loads((FILES / f"{name}.json").read_text())


@pytest.mark.parametrize("name, near", [("puppet_simple", 1e-12), ("puppet", 1e-7)])
def test_hinges_and_slides_have_the_equations_of_mujoco(name, near, tmp_path):
    """Where it turns inertias to their principal axes, for sums of geoms and fullinertia, MuJoCo finds these to 1e-8."""
    text = (FILES / "puppet.xml").read_text()
    if name == "puppet_simple":
        text = re.sub(r'fullinertia="[^"]*"', 'diaginertia="0.001 0.002 0.0025"', text)
        text = re.sub(r'.*(ellipsoid|<geom type="box" size="0.1|<geom type="box" size="0.03"|name="palm").*\n', "", text)
    (tmp_path / "puppet.xml").write_text(text)
    m, reference = hm.Model.from_mjcf(tmp_path / "puppet.xml"), mujoco(name)
    e = m.equations()
    e.use_joints()
    names = [source(joint) for joint in e.joint_rates]
    order, n = [reference["joints"].index(joint) for joint in names], len(names)
    begin = {"lean": np.radians(10), "slide": 0.1}  # where the file's coordinates are at our zero
    for state in reference["states"]:
        q, u, h, M = np.array(state["q"]), np.array(state["u"]), np.array(state["h"]), np.array(state["M"]).reshape(n, n)
        for actuator, value in zip(m.inputs, state["control"]):
            e.inputs[actuator.name] = value
        e.set_joints([q[k] - begin.get(joint, 0) for k, joint in zip(order, names)], u[order])
        scale = np.sqrt(np.diag(M)[order])
        assert np.abs((e.joint_inertia - M[np.ix_(order, order)]) / np.outer(scale, scale)).max() < near
        assert np.abs((e.joint_bias - h[order]) / scale).max() < near * np.abs(h[order] / scale).max()


def test_balls_and_floating_bodies_accelerate_as_in_mujoco():
    m, reference = hm.Model.from_mjcf(FILES / "acrobat.xml"), mujoco("acrobat")
    e = m.equations()
    e.use_joints()
    rest = e.joint_positions
    width, places, k = {"root": 6, "shoulder": 3, "hook": 3}, {}, 0
    for joint in reference["joints"]:
        places[joint], k = k, k + width.get(joint, 1)
    R = frame(ElementTree.fromstring('<o rpy="0 0 0"/>'))[0] @ about([1.0, 0, 0], 0.3) @ about([0, 1.0, 0], -0.2) @ about([0, 0, 1.0], 0.5)
    for state in reference["states"]:
        p, u = rest.copy(), np.zeros(len(e.joint_rates))
        positions = {"elbow": 7 + 4, "hip": 7 + 4 + 1, "swing": 7 + 4 + 1 + 1 + 4}  # in MuJoCo's list of coordinates
        for joint, at in positions.items():
            p[e.joint_coordinates.index(f"{joint}.angle")] = state["q"][at]
            u[e.joint_rates.index(f"{joint}.angle")] = state["u"][places[joint]]
        e.set_joints(p, u)
        found, wanted = dict(zip(e.joint_rates, e.joint_accelerations)), state["a"]
        for joint in positions:
            assert found[f"{joint}.angle"] == pytest.approx(wanted[places[joint]], rel=1e-6)
        for ball in "hook", "shoulder":
            assert [found[f"{ball}.w{x}"] for x in "xyz"] == pytest.approx(wanted[places[ball] : places[ball] + 3], rel=1e-6, abs=1e-6)
        assert [found[f"torso.w{x}"] for x in "xyz"] == pytest.approx(list(R @ wanted[3:6]), rel=1e-6, abs=1e-6)


def test_a_tendon_pulls_on_its_joints(tmp_path):
    """M q'' = -c (k (c.q + l) + d c.q') of a hinge and a slide, by the exponential of the linear motion; the length without force is that at springref."""
    (tmp_path / "t.xml").write_text("""<mujoco><option gravity="0 0 0"><flag contact="disable"/></option><worldbody>
      <body name="a"><joint name="j" axis="0 0 1" ref="30"/><inertial mass="1" pos="0 0 0" diaginertia="2 2 3"/></body>
      <body name="b"><joint name="k" type="slide" axis="1 0 0" springref="0.25"/><inertial mass="2" pos="0 0 0" diaginertia="1 1 1"/></body></worldbody>
      <tendon><fixed name="t" stiffness="10" damping="0.5"><joint joint="j" coef="2"/><joint joint="k" coef="-1"/></fixed></tendon></mujoco>""")
    r = hm.Model.from_mjcf(tmp_path / "t.xml").run(end=2, tolerance=1e-9, signals=["j.angle", "k.stroke"])
    c, masses = np.array([2.0, -1.0]), np.array([3.0, 2.0])
    A = np.zeros((5, 5))
    A[:2, 2:4] = np.eye(2)
    A[2:4, :2], A[2:4, 2:4] = -10 * np.outer(c, c) / masses[:, None], -0.5 * np.outer(c, c) / masses[:, None]
    A[2:4, 4] = -10 * c / masses * (2 * np.radians(30) + 0.25)
    z, step = np.array([0, 0, 0, 0, 1.0]), 2 / 4000
    for _ in range(4000):  # the exponential by its series
        term = z
        for n in range(1, 12):
            term = A @ term * step / n
            z = z + term
    assert [r["j.angle"][-1], r["k.stroke"][-1]] == pytest.approx(list(z[:2]), abs=1e-7)


def test_files_are_included_once_and_from_the_folder_alone(tmp_path):
    """The place of what is wrong in an included file is in that file."""
    folder = tmp_path / "robot"
    (folder / "parts").mkdir(parents=True)
    (tmp_path / "outside.xml").write_text("<mujoco/>")
    (folder / "link.xml").symlink_to(tmp_path / "outside.xml")
    (folder / "parts/joint.xml").write_text('<mujoco>\n  <joint name="j" damping="2"/>\n</mujoco>')
    (folder / "parts/odd.xml").write_text('<mujoco>\n  <joint name="j" colour="2"/>\n</mujoco>')
    (folder / "parts/ring.xml").write_text('<mujoco><include file="parts/ring.xml"/></mujoco>')
    (folder / "parts/back.xml").write_text('<mujoco><include file="main.xml"/></mujoco>')
    (folder / "parts/text.xml").write_text("<robot/>")

    def imported(*files, **options):
        includes = "".join(f'<include file="{file}"/>' for file in files)
        (folder / "main.xml").write_text(f"""<mujoco><worldbody><body name="a">{includes}
          <inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/></body></worldbody></mujoco>""")
        return hm.Model.from_mjcf(folder / "main.xml", **options)

    assert imported("parts/joint.xml").joints["j"].damping == 2
    for files, message in [
        (["parts/joint.xml", "parts/../parts/joint.xml"], 'joint.xml" is there already: each is included once'),
        (["parts/ring.xml"], 'ring.xml" is there already'),
        (["parts/back.xml"], 'back.xml:1:9: error: <include>: the file "main.xml" is there already'),
        (["../outside.xml"], "is not in the folder of this one, or below"),
        (["link.xml"], "is not in the folder of this one, or below"),
        ([str(folder / "parts/joint.xml")], "is not in the folder of this one, or below"),
        (["parts"], "cannot be read|is a directory|is no file"),
        (["parts/text.xml"], "text.xml:1:1: error: the root of a file that is included is <mujoco> or <mujocoinclude>, not <robot>"),
        (["parts/odd.xml"], "odd.xml:2:3: error: colour of <joint>"),
    ]:
        with pytest.raises(hm.HolonomError, match=message):
            imported(*files)
    with pytest.warns(hm.HolonomWarning, match="odd.xml:2"):
        imported("parts/odd.xml", lenient=True).write(tmp_path / "odd.yaml")
    assert "odd.xml:2" in (tmp_path / "odd.yaml").read_text()


WHEEL = """<robot name="cart">
  <link name="frame"/>
  <joint name="axle" type="continuous">
    <parent link="frame"/> <child link="wheel"/> <origin xyz="0.1 0 0.3" rpy="0.3 0.2 0.1"/> <axis xyz="0 2 0"/>
    <dynamics damping="0.004" friction="0.1"/>
  </joint>
  <link name="wheel">
    <inertial> <mass value="3"/> <inertia ixx="0.012" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.012"/> </inertial>
  </link>
</robot>
"""


def test_a_wheel_turns_on_and_comes_to_rest(tmp_path):
    """J w' = -d w - T: w = (w0 + T/d) exp(-d t/J) - T/d, until it rests; its angle goes on beyond half a turn, in the sense of its axis."""
    (tmp_path / "wheel.urdf").write_text(WHEEL)
    model = hm.Model.from_urdf(tmp_path / "wheel.urdf")
    model["assemble"] = {"exact": {"joints": [{"joint": "axle", "rate": 30}]}}
    inertia, damping, torque = 0.02, 0.004, 0.1
    rate, tau = 30 + torque / damping, inertia / damping
    s = model.simulate(end=8, method="rk", tolerance=1e-7, signals=["axle.angle", "axle.rate"])
    s.advance(2.0)
    assert abs(s["axle.rate"] - (rate * np.exp(-2 / tau) - torque / damping)) < 1e-4
    assert abs(s["axle.angle"] - (rate * tau * (1 - np.exp(-2 / tau)) - torque / damping * 2)) < 1e-4
    stop = tau * np.log(rate * damping / torque)  # 3.94 s
    s.advance(8.0)
    assert abs(s["axle.rate"]) < 1e-3
    assert abs(s["axle.angle"] - (rate * tau * (1 - np.exp(-stop / tau)) - torque / damping * stop)) < 2e-3


def test_the_controller_of_the_tutorial(tmp_path, monkeypatch, capsys):
    """It prints what the tutorial shows: the pose that is asked for, z = 0.6 + 0.4 sin(0.5) - 0.3 sin(0.7) of the tool."""
    text = (MODELS.parent / "docs/tutorial.md").read_text()
    blocks = dict(re.findall(r"^```(?:xml|python) title=(\S+)\n(.*?)^```", text, re.M | re.S))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reacher.urdf").write_text(blocks["reacher.urdf"])
    exec(compile(blocks["reach.py"], "reach.py", "exec"), {})
    said = capsys.readouterr().out
    assert f"$ python3 reach.py\n{said}" in text
    assert said.endswith(f"{0.6 + 0.4 * np.sin(0.5) - 0.3 * np.sin(0.7):.3f} m\n")


@pytest.mark.parametrize(
    "settings, file, place",
    [
        ('assetdir="a"', "m.stl", "a/m.stl"),
        ('meshdir="a/b" assetdir="a"', "m.stl", "a/b/m.stl"),
        ('meshdir="a" strippath="true"', "/home/u/m.stl", "a/m.stl"),
        ('meshdir="a" strippath="false"', "b/m.stl", "a/b/m.stl"),
    ],
)
def test_meshes_of_mjcf_are_found_where_the_compiler_says(tmp_path, settings, file, place):
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).write_text("solid s\nendsolid s\n")
    (tmp_path / "r.xml").write_text(
        f'<mujoco><compiler {settings}/><asset><mesh name="m" file="{file}"/></asset><worldbody><body name="a"><joint name="j"/>'
        '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="mesh" mesh="m" contype="0" conaffinity="0"/></body></worldbody></mujoco>'
    )
    hm.Model.from_mjcf(tmp_path / "r.xml").write(tmp_path / "r.yaml")
    assert f"file: {place}" in (tmp_path / "r.yaml").read_text()


def test_what_is_wrong_is_said_in_words_of_python():
    with pytest.raises(hm.ModelError, match='cannot float; import it with root="fixed"'):
        hm.Model.from_urdf(FILES / "arm.urdf", root="free")
    with pytest.raises(hm.UsageError, match="\"fixed\" or \"free\", not 'up'"):
        hm.Model.from_urdf(FILES / "arm.urdf", root="up")
    with pytest.raises(hm.ModelError, match="cannot be read"):
        hm.Model.from_urdf(FILES / "nothing.urdf")
