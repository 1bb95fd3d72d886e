"""Models of MJCF as they are imported, against Debian's MuJoCo 2.2.2, which reads the same files: tests/mjcf, and one of tests/robots.

tests/mjcf/mujoco_arrays.c is compiled for it. Where libmujoco-dev is absent these tests are skipped; what MuJoCo said of two models is in
tests/robots, too.
"""
import ctypes as c
import functools
import re
import shutil
import subprocess
import warnings
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from conftest import MODELS

import holonom as hm

TESTS = MODELS.parent / "tests"
FILES = sorted([*TESTS.glob("mjcf/*.xml"), TESTS / "robots/acrobat.xml"])
FILES.remove(TESTS / "mjcf/rotors.xml")  # forces that depend on accelerations leave no joint coordinates
NEAR = 1e-10  # of matrices and forces, scaled by sqrt(M_ii)
STATES = 20
FREE, BALL, SLIDE, HINGE = range(4)
BODY, JOINT, SITE = 1, 3, 6  # mjtObj
CONSTRAINT = 1  # mjDSBL_CONSTRAINT
TREE = {"equality": "disable", "limit": "disable", "frictionloss": "disable"}  # flags without which there are rows between joints


@functools.cache
def library():
    """MuJoCo behind functions that give its arrays; None: it is absent."""
    there = subprocess.run(["cc", "-E", "-x", "c", "-include", "mujoco/mujoco.h", "/dev/null"], capture_output=True)
    if there.returncode:
        return None
    out = TESTS.parent / "build/python/mujoco_arrays.so"
    out.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cc", "-std=c17", "-O1", "-shared", "-fPIC", TESTS / "mjcf/mujoco_arrays.c", "-lmujoco", "-o", out], check=True)
    lib = c.CDLL(str(out))
    lib.mj_versionString.restype = c.c_char_p
    lib.load.restype, lib.array.restype, lib.name_of.restype = c.c_char_p, c.c_void_p, c.c_char_p
    lib.step_size.argtypes = [c.c_void_p, c.c_double]
    return lib


pytestmark = pytest.mark.skipif(library() is None or library().mj_versionString() != b"2.2.2", reason="libmujoco is absent, or not 2.2.2: Debian 12 has it as libmujoco-dev")


class MuJoCo:
    """A model and its data; attributes are its arrays, views that may be written to, and its sizes."""

    def __init__(self, file):
        self._lib, self._m, self._d = library(), c.c_void_p(), c.c_void_p()
        error = self._lib.load(str(file).encode(), c.byref(self._m), c.byref(self._d))
        assert error is None, error.decode()

    def __del__(self):
        if self._d:
            self._lib.drop(self._m, self._d)

    def __getattr__(self, key):
        shape = [c.c_int() for _ in range(3)]
        pointer = self._lib.array(self._m, self._d, key.encode(), *map(c.byref, shape))
        rows, columns, width = (x.value for x in shape)
        if not width:
            size = self._lib.sizes(self._m, key.encode())
            if size < 0:
                raise AttributeError(key)
            return size
        kind = {8: c.c_double, 4: c.c_int, 1: c.c_ubyte}[width]
        array = np.ctypeslib.as_array(c.cast(pointer, c.POINTER(kind)), (rows * columns,)) if rows * columns else np.zeros(0)
        return array if columns == 1 else array.reshape(rows, columns)

    def name(self, kind, i):
        return self._lib.name_of(self._m, kind, int(i)).decode()

    def call(self, name, *more):
        getattr(self._lib, name)(self._m, *more)

    def forward(self, constraints=False):
        if not constraints:
            self.call("disable", CONSTRAINT)
        self.call("mj_forward", self._d)

    def mass(self):
        M = np.empty((self.nv, self.nv))
        self.call("full_mass", self._d, M.ctypes.data_as(c.c_void_p))
        return M

    def equations(self):
        """Rows of equalities: their Jacobian."""
        n = self._lib.equations(self._d)
        return self.efc_J[:n].copy()


# ---- states of both --------------------------------------------------------------------------------------------


def matrix(q):
    """A rotation by a quaternion, w first."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def times(p, q):
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def quaternion(R):
    """Of a rotation, by the eigenvector of Bar-Itzhack's matrix."""
    K = np.array([[R[0, 0] - R[1, 1] - R[2, 2], 0, 0, 0], [R[0, 1] + R[1, 0], R[1, 1] - R[0, 0] - R[2, 2], 0, 0],
                  [R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], R[2, 2] - R[0, 0] - R[1, 1], 0],
                  [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], R[0, 0] + R[1, 1] + R[2, 2]]])
    x, y, z, w = np.linalg.eigh(K)[1][:, -1]
    return np.array([w, x, y, z])


class Pair:
    """A model in both programs: rates of the joints here are u = T v of MuJoCo's v, u' = T v' + drift."""

    def __init__(self, file, folder, **flags):
        tree = ElementTree.parse(file)
        option = tree.getroot().find("option")
        if option is None:
            option = ElementTree.SubElement(tree.getroot(), "option")
        flag = option.find("flag")
        if flag is None:
            flag = ElementTree.SubElement(option, "flag")
        flag.attrib.update(flags)
        text = ElementTree.tostring(tree.getroot(), encoding="unicode")
        self.file, self.flags = folder / file.name, flags
        self.file.write_text(text)
        shutil.copytree(TESTS / "mjcf/parts", folder / "parts", dirs_exist_ok=True)  # what files include
        self.there = MuJoCo(self.file)
        self.model = hm.Model.from_mjcf(self.file)
        self.e = self.model.equations()
        self.e.use_joints()
        self.rates = {rate: i for i, rate in enumerate(self.e.joint_rates)}
        self.places = {place: i for i, place in enumerate(self.e.joint_coordinates)}
        self.rest = self.e.joint_positions

    def own(self, name, among):
        """What is called so here: names that are there already get _joint behind them."""
        stems = {key.rpartition(".")[0] for key in among}
        return f"{name}_joint" if f"{name}_joint" in stems else name

    def random(self, random):
        m = self.there
        m.call("mj_resetData", m._d)
        for j in range(m.njnt):
            at, kind = m.jnt_qposadr[j], m.jnt_type[j]
            if kind in (SLIDE, HINGE):
                m.qpos[at] += random.uniform(-1, 1)
                continue
            m.qpos[at : at + 3 * (kind == FREE)] += random.uniform(-1, 1, 3 * (kind == FREE))
            axis = random.normal(size=3)
            angle = random.uniform(-2.5, 2.5)
            turn = np.array([np.cos(angle / 2), *np.sin(angle / 2) * axis / np.linalg.norm(axis)])
            at += 3 * (kind == FREE)
            m.qpos[at : at + 4] = times(m.qpos[at : at + 4].copy(), turn)
        m.qvel[:] = random.uniform(-2, 2, m.nv)
        m.ctrl[:] = random.uniform(-1.5, 1.5, m.nu)
        m.act[:] = random.uniform(-1.5, 1.5, m.na)

    def take(self):
        """Sets the state of MuJoCo here, and finds T and the drift."""
        m, n = self.there, len(self.rates)
        assert n == m.nv
        self.T, self.drift, p = np.zeros((n, n)), np.zeros(n), self.rest.copy()
        for j in range(m.njnt):
            q, v, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], m.jnt_type[j]
            body = m.name(BODY, m.jnt_bodyid[j])
            if kind in (SLIDE, HINGE):
                name = self.own(m.name(JOINT, j), self.rates) + (".angle" if kind == HINGE else ".stroke")
                p[self.places[name]] += m.qpos[q] - m.qpos0[q]
                self.T[self.rates[name], v] = 1
                continue
            name = body if kind == FREE else self.own(m.name(JOINT, j), self.rates)
            turn = m.qpos[q + 3 * (kind == FREE) :][:4]
            at, rate = self.places[f"{name}.qw"], self.rates[f"{name}.wx"]
            R = matrix(turn)
            if kind == FREE:
                p[at : at + 4] = turn
                arm, omega = R @ self.com(body), R @ m.qvel[v + 3 : v + 6]
                p[self.places[f"{name}.x"] :][:3] = m.qpos[q : q + 3] + arm
                x = self.rates[f"{name}.x"]
                cross = np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
                self.T[x : x + 3, v : v + 3], self.T[x : x + 3, v + 3 : v + 6] = np.eye(3), -cross @ R
                self.drift[x : x + 3] = np.cross(omega, np.cross(omega, arm))
                v += 3
            else:  # against the reference, in the axes of what is nearer to ground
                begin = self.rest[at : at + 4]
                p[at : at + 4] = times(begin, turn)
                R = matrix(begin) @ R
            self.T[rate : rate + 3, v : v + 3] = R
        u = self.T @ m.qvel
        self.e.set_joints(self.rest, u)  # turns count from there
        self.e.set_joints(p, u)
        self.e.inputs.update(dict(zip(self.e.inputs, m.ctrl.tolist())))  # in the order of the actuators; those with an activation are the last
        if m.na and self.flags.get("actuation") != "disable":
            self.e.set(X=m.act)

    @functools.cache
    def com(self, body):
        """The mass centre of a body in its frame, with what is fixed to it."""
        for one in self.model.bodies:
            if one.name == body:
                return np.array(one.com if "com" in one else [0, 0, 0], float)
        raise KeyError(body)

    def here(self):
        """M and the forces h of M v' + h = 0 here, in MuJoCo's rates."""
        H, h = self.e.joint_inertia, self.e.joint_bias
        return self.T.T @ H @ self.T, self.T.T @ (H @ self.drift + h)


def assert_near(found, wanted, scale, what):
    error, size = np.abs((found - wanted) / scale).max(initial=0), max(np.abs(wanted / scale).max(initial=0), 1)
    assert error <= NEAR * size, f"{what}: {error / size:.1e}"


def moments(kind, size):
    """Volume of a geom, and moments about its axes of one of mass 1."""
    a, b, h = size
    if kind == 3:  # capsule: a cylinder and two half spheres
        cylinder, ball = np.pi * a**2 * 2 * b, 4 / 3 * np.pi * a**3
        along = cylinder * a**2 / 2 + ball * 2 / 5 * a**2
        across = cylinder * (a**2 / 4 + b**2 / 3) + ball * (2 / 5 * a**2 + b**2 + 3 / 4 * a * b)
        return cylinder + ball, np.array([across, across, along]) / (cylinder + ball)
    if kind == 5:
        return 2 * np.pi * a**2 * b, np.array([a**2 / 4 + b**2 / 3, a**2 / 4 + b**2 / 3, a**2 / 2])
    return {4: 4 / 3 * np.pi, 6: 8}[kind] * a * b * h, np.array([b**2 + h**2, a**2 + h**2, a**2 + b**2]) / {4: 5, 6: 3}[kind]


def make_exact(m):
    """Principal axes of skew.xml, which MuJoCo finds to 1e-6 at worst: mju_eig3 ends where the cosine of a turn is 1 to 1e-12. Of geoms of 1000 kg/m^3, the
    second one of 200 kg, and of a fullinertia."""
    of, masses = np.flatnonzero(m.geom_bodyid == 1), []
    for g in of:
        V, _ = moments(m.geom_type[g], m.geom_size[g])
        masses.append(200 if g == of[1] else 1000 * V)
    com = np.array(masses) @ m.geom_pos[of] / sum(masses)
    tensor = np.zeros((3, 3))
    for g, mass in zip(of, masses):
        R, d = matrix(m.geom_quat[g]), m.geom_pos[g] - com
        tensor += mass * (R @ np.diag(moments(m.geom_type[g], m.geom_size[g])[1]) @ R.T + d @ d * np.eye(3) - np.outer(d, d))
    given = np.array([[10, 1, -2], [1, 11, 0.5], [-2, 0.5, 12]])
    assert m.body_mass[1:3] == pytest.approx([sum(masses), 40], rel=1e-14) and np.abs(m.body_ipos[1] - com).max() < 1e-14
    for body, one in (1, tensor), (2, given):
        values, axes = np.linalg.eigh(one)
        axes[:, 0] *= np.linalg.det(axes)
        assert sorted(m.body_inertia[body]) == pytest.approx(values, rel=1e-6)
        m.body_inertia[body], m.body_iquat[body] = values, quaternion(axes)


@pytest.mark.parametrize("off", [None, "passive", "actuation", "gravity"])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_inertia_and_forces_at_random_states(file, off, tmp_path):
    """M and the sum of all forces, and of all but one kind: so each kind is the same."""
    random = np.random.default_rng(1)
    pair = Pair(file, tmp_path, **TREE, **({off: "disable"} if off else {}))
    if file.stem == "skew":
        make_exact(pair.there)
    for k in range(STATES):
        pair.random(random)
        pair.take()
        m = pair.there
        m.forward()
        M = m.mass()
        scale = np.sqrt(np.diag(M))
        found, h = pair.here()
        assert_near(found, M, np.outer(scale, scale), f"state {k}: M")
        assert_near(h, m.qfrc_bias - m.qfrc_passive - m.qfrc_actuator, scale, f"state {k}: forces")
        a = np.linalg.solve(pair.T, pair.e.joint_accelerations - pair.drift)
        assert_near(M @ (a - m.qacc), np.zeros(m.nv), scale * max(np.abs(h / scale).max(), 1), f"state {k}: M (a - a_ref)")


def test_rotors_of_balls_and_of_what_floats(tmp_path):
    """What they change of accelerations, at states that the model without them takes: N T dv' = da in body coordinates."""
    random, file = np.random.default_rng(6), TESTS / "mjcf/rotors.xml"
    (tmp_path / "bare.xml").write_text(re.sub(r'(type="(free|ball)") armature="."', r"\1", file.read_text()))
    pair, e, there = Pair(tmp_path / "bare.xml", tmp_path), hm.Model.from_mjcf(file).equations(), MuJoCo(file)
    m = pair.there
    for k in range(STATES):
        pair.random(random)
        pair.take()
        there.qpos[:], there.qvel[:] = m.qpos, m.qvel
        m.forward()
        there.forward()
        e.set(q=pair.e.q, v=pair.e.v)
        change = np.linalg.lstsq(pair.e.joint_basis @ pair.T, e.accelerations - pair.e.accelerations, rcond=None)[0]
        M = there.mass()
        scale = np.sqrt(np.diag(M))
        assert np.abs(there.qacc - m.qacc).max() > 0.1
        assert_near(M @ (change - there.qacc + m.qacc), np.zeros(m.nv), scale * max(np.abs(M @ m.qacc / scale).max(), 1), f"state {k}")


def test_dry_friction_of_joints_that_slide(tmp_path):
    """The solver's forces are +-frictionloss where nothing sticks."""
    random = np.random.default_rng(4)
    pair = Pair(TESTS / "mjcf/springs.xml", tmp_path)
    m = pair.there
    for _ in range(STATES):
        pair.random(random)
        m.qvel[:] += np.copysign(1, m.qvel)
        pair.take()
        m.forward(constraints=True)
        assert np.count_nonzero(m.qfrc_constraint) == 3
        slip = dict(zip(pair.e.joint_rates, pair.T @ m.qvel))
        far = {"a_joint.angle": 1.3e-4, "c_joint.stroke": 1.3e-5, "d_joint.angle": 1.3e-4}  # bristles that are bent as in sliding
        pair.e.set(X=[np.copysign(x, slip[rate]) for rate, x in far.items()])
        scale = np.sqrt(np.diag(m.mass()))
        assert_near(pair.here()[1], m.qfrc_bias - m.qfrc_passive - m.qfrc_actuator - m.qfrc_constraint, scale, "forces")


def test_ranges_of_joints(tmp_path):
    """Ends as MuJoCo has them, counted from the reference."""
    seen = 0
    for file in FILES:
        there, model = MuJoCo(file), hm.Model.from_mjcf(file)
        joints = {joint.name: joint for joint in model.joints}
        for j in range(there.njnt):
            name = there.name(JOINT, j)
            joint = joints.get(f"{name}_joint", joints.get(name))
            if there.jnt_type[j] not in (SLIDE, HINGE):
                continue
            assert ("limits" in joint) == (there.jnt_limited[j] and file.stem != "switched"), (file.stem, name)
            if "limits" in joint:
                ends = there.jnt_range[j] - there.qpos0[there.jnt_qposadr[j]]
                assert [float(x) for x in joint.limits.range] == pytest.approx(list(ends), rel=1e-14, abs=1e-14)
                seen += 1
    assert seen > 8


def own_markers(there, e):
    """Bodies of MuJoCo that have joints, with the markers that are their frames here."""
    for i in range(1, there.nbody):
        name = there.name(BODY, i)
        for marker in (f"{name}.{name}_origin", name):
            if marker in e.markers:
                yield i, marker
                break


def take_pose(there, e):
    """Sets the pose of e in MuJoCo: its coordinates are found by Newton's method from the places of bodies."""
    markers = list(own_markers(there, e))
    for _ in range(30):
        there.forward(constraints=True)
        rows, gap = [], []
        for i, name in markers:
            found = e.marker(name)
            turn = quaternion(found.axes @ there.xmat[i].reshape(3, 3).T)
            rows.append(jacobian(there, i))
            gap += [found.position - there.xpos[i], 2 * turn[1:] * np.sign(turn[0])]
        step = np.linalg.lstsq(np.vstack(rows), np.concatenate(gap), rcond=None)[0]
        there.call("mj_integratePos", there.qpos.ctypes.data_as(c.c_void_p), step.ctypes.data_as(c.c_void_p), c.c_double(1))
        if np.abs(step).max() < 1e-14:
            break
    assert np.abs(np.concatenate(gap)).max() < 1e-12


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_bodies_and_sites_are_where_they_are_there(file, tmp_path):
    random = np.random.default_rng(2)
    pair = Pair(file, tmp_path, **TREE)
    m = pair.there
    sites = {i: marker for i in range(m.nsite) for marker in pair.e.markers if marker.rpartition(".")[2] == m.name(SITE, i)}
    assert len(sites) == m.nsite
    for _ in range(3):
        pair.random(random)
        pair.take()
        m.forward()
        for i, marker in own_markers(m, pair.e):
            found = pair.e.marker(marker)
            assert np.abs(found.position - m.xpos[i]).max() < 1e-12 and np.abs(found.axes.ravel() - m.xmat[i]).max() < 1e-12, marker
        for i, marker in sites.items():
            found = pair.e.marker(marker)
            assert np.abs(found.position - m.site_xpos[i]).max() < 1e-12 and np.abs(found.axes.ravel() - m.site_xmat[i]).max() < 1e-12, marker


@pytest.mark.parametrize("file, key, number", [("keys", "home", 0), ("keys", "1", 1), ("limited", "low", 0), ("limited", "1", 1)])
def test_keyframes_are_where_the_model_begins(file, key, number, tmp_path):
    text = (TESTS / f"mjcf/{file}.xml").read_text()
    if file == "keys":  # rates of balls would be left out, and those of all others beside them
        text = re.sub(r'.*name="bell".*\n', "", text).replace("0.3 0 1 0.2  7", "7").replace("0 0 0  2", "2").replace("0.2 1 0 0 0 -0.4", "0.2 -0.4")
    (tmp_path / "key.xml").write_text(text)
    model, m = hm.Model.from_mjcf(tmp_path / "key.xml", key=key), MuJoCo(tmp_path / "key.xml")
    m.call("mj_resetDataKeyframe", m._d, number)
    m.forward()
    e = model.equations()
    for i, name in own_markers(m, e):
        found, J = e.marker(name), jacobian(m, i)
        assert np.abs(found.position - m.xpos[i]).max() < 1e-12 and np.abs(found.axes.ravel() - m.xmat[i]).max() < 1e-12
        assert np.abs(found.velocity - J[:3] @ m.qvel).max() < 1e-12 and np.abs(found.omega - J[3:] @ m.qvel).max() < 1e-12
    assert list(e.inputs.values()) == m.ctrl.tolist() and e.X.tolist() == m.act.tolist()


def test_a_keyframe_with_a_ball():
    """Its place is taken; velocities beside it are left out, which is told."""
    with pytest.raises(hm.ModelError, match="velocities of a keyframe beside loops, equalities and balls"):
        hm.Model.from_mjcf(TESTS / "mjcf/keys.xml", key="home")
    for key, options in ("1", {}), ("home", {"lenient": True}):
        with warnings.catch_warnings(action="ignore"):
            e, m = hm.Model.from_mjcf(TESTS / "mjcf/keys.xml", key=key, **options).equations(), MuJoCo(TESTS / "mjcf/keys.xml")
        m.call("mj_resetDataKeyframe", m._d, int(key == "1"))
        m.forward()
        for i, name in own_markers(m, e):
            assert np.abs(e.marker(name).position - m.xpos[i]).max() < 1e-12 and np.abs(e.marker(name).axes.ravel() - m.xmat[i]).max() < 1e-12
    with pytest.raises(hm.ModelError, match='there is no keyframe "rest"'):
        hm.Model.from_mjcf(TESTS / "mjcf/keys.xml", key="rest")


# ---- equalities ------------------------------------------------------------------------------------------------

LOOPED = [file for file in FILES if "<equality>" in file.read_text() and file.stem != "switched"]


def jacobian(there, body):
    """Of the origin of a body and of its turns, by MuJoCo's rates."""
    both = np.zeros((2, 3, there.nv))
    there.call("mj_jacBody", there._d, *(x.ctypes.data_as(c.c_void_p) for x in both), int(body))
    return both.reshape(6, -1)


@pytest.mark.parametrize("file", LOOPED, ids=lambda file: file.stem)
def test_equalities_have_the_rank_and_the_accelerations_of_rigid_ones(file, tmp_path):
    """At rest where all joints are at the reference: M a + h = J^T lam, J a = 0, by M, h, J of MuJoCo; J is that of the assembled pose."""
    there, model = MuJoCo(file), hm.Model.from_mjcf(file)
    e = model.equations()
    take_pose(there, e)
    there.forward(constraints=True)
    J, M, h = there.equations(), there.mass(), there.qfrc_bias - there.qfrc_passive - there.qfrc_actuator
    rank = np.linalg.matrix_rank(J, 1e-9)
    assert model.check().degrees_of_freedom == there.nv - rank
    assert np.abs(there.efc_pos[: len(J)]).max() < 1e-9  # its equalities hold where these joints do
    e.set(v=np.zeros(len(e.coordinates)))
    n, k = there.nv, len(J)
    wanted = np.linalg.lstsq(np.block([[M, J.T], [J, np.zeros((k, k))]]), np.concatenate([-h, np.zeros(k)]), rcond=1e-13)[0][:n]
    rows, found = [], []
    for i, name in own_markers(there, e):
        rows.append(jacobian(there, i))
        found += [part @ e.accelerations for part in e.marker_jacobian(name)]
    rows = np.vstack(rows)
    assert np.linalg.matrix_rank(rows) == n
    a = np.linalg.lstsq(rows, np.concatenate(found), rcond=None)[0]
    scale = np.sqrt(np.diag(M))
    assert np.abs(M @ (a - wanted) / scale).max() < NEAR * max(np.abs(h / scale).max(), 1)


# ---- motions ---------------------------------------------------------------------------------------------------


def march(there, end, h):
    """Steps of Runge and Kutta's method of order 4."""
    there.call("step_size", h)
    there.call("use_runge_kutta")
    for _ in range(round(end / h)):
        there.call("mj_step", there._d)
    there.call("mj_forward", there._d)


def apart(there, e):
    """The farthest that bodies are from each other here and there."""
    return max(np.abs(e.marker(name).position - there.xpos[i]).max() for i, name in own_markers(there, e))


@pytest.mark.parametrize("stem", ["classes", "frames", "springs", "floating", "motors", "transmissions", "tendons"])
def test_trees_move_alike(stem, tmp_path):
    """Half a second from the reference with constant controls."""
    pair = Pair(TESTS / f"mjcf/{stem}.xml", tmp_path, **TREE)
    m, sim = pair.there, pair.model.simulate(end=0.5, tolerance=1e-9)
    m.ctrl[:] = np.linspace(0.3, 0.7, m.nu)
    sim.inputs.update(dict(zip(sim.inputs, m.ctrl.tolist())))
    sim.advance(0.5)
    pair.e.take(sim)
    begin = m.xpos.copy()
    march(m, 0.5, 5e-4)
    assert apart(m, pair.e) < 1e-8 and np.abs(m.xpos - begin).max() > 0.02


@pytest.mark.parametrize("stem", ["four_bar", "couplings"])
def test_stiff_equalities_come_near_to_rigid_ones(stem, tmp_path):
    """Equalities with half the time constant are a quarter as far away, with steps that are small against it."""
    text, gaps = (TESTS / f"mjcf/{stem}.xml").read_text().replace('polycoef="0.2 ', 'polycoef="0 '), []
    for time in 1e-3, 5e-4:
        file = tmp_path / f"{time}.xml"
        file.write_text(text.replace('solref="0.001 1"', f'solref="{time} 1" solimp="0.9999 0.9999 0.001"'))
        model, there = hm.Model.from_mjcf(file), MuJoCo(file)
        sim, e = model.simulate(end=0.2, tolerance=1e-9), model.equations()
        sim.advance(0.2)
        e.take(sim)
        march(there, 0.2, time / 20)
        gaps.append(apart(there, e))
    assert gaps[1] < 4e-6 and gaps[1] < gaps[0] / 3
