"""Data sets of Adams: models of joints against what Adams computed of them, and each statement against the same in a model of holonom's own."""
import csv
import math
import re

import numpy as np
import pytest
from conftest import MODELS

import holonom as hm

FILES = MODELS.parent / "tests/adams"


def read_table(name):
    """Heads and rows of what Adams computed, and bounds of root mean squares of differences by kinds of columns."""
    lines = (FILES / f"{name}.csv").read_text().splitlines()
    bounds = {kind: float(value) for kind, value in (item.split("=") for item in lines[1].split()[2:])}
    rows = list(csv.reader(lines[2:]))
    return rows[0], np.array(rows[1:], dtype=float), bounds


def column(head, names):
    """The column of a model that an Adams column, "Pos|part2.x", is: that of its request, of forces that of the joint or force."""
    kind, own = head.split("|")
    axis = own[-1]
    if kind in ("Rforce", "Rtorque"):
        return own
    return {
        "Pos": f"{names}1_{axis}",
        "Vel": f"{names}2_v{axis}",
        "Avel": f"{names}2_w{axis}",
        "Acc": f"{names}3_a{axis}",
        "Aacc": f"{names}3_al{axis}",
        "Quat": f"{names}4_f{dict(w=2, x=3, y=4, z=6)[axis]}",
    }[kind]


def compare(model, name, names="request", renamed=(), without=(), method="rk"):
    head, rows, bounds = read_table(name)
    columns = {h: column(h, names) for h in head[1:] if h.split("|")[0] not in without}
    for old, new in renamed:
        columns = {h: c.replace(old, new) for h, c in columns.items()}
    r = model.run(end=rows[-1, 0], output=0.25, tolerance=1e-10, method=method, signals=sorted(set(columns.values())))
    assert r.t[: len(rows)] == pytest.approx(rows[:, 0], abs=1e-9)
    wrong = []
    for h, c in columns.items():
        error = np.sqrt(np.mean((r[c][: len(rows)] - rows[:, head.index(h)]) ** 2))
        if not error <= bounds[h.split("|")[0]]:
            wrong.append((h, error))
    assert not wrong


JOINTS = ["Cylindrical_Case01", "Cylindrical_Case02", "Cylindrical_Case03", "Distance_Case01", "Distance_Case03", "Prismatic_Case01", "Prismatic_Case02",
          "Revolute_Case01", "Spherical_Case01", "Universal_Case01", "Universal_Case02"]


@pytest.mark.parametrize("method", ["rk", "auto"])
@pytest.mark.parametrize("name", JOINTS)
def test_joints_move_as_in_adams(name, method):
    """All columns within the bounds that Chrono's tests have. Forces are in the axes of marker I there, though the requests say globally."""
    compare(hm.Model.from_adm(FILES / f"{name}.adm"), name, renamed=[("joint1", "gcon1")] if "Distance" in name else (), method=method)


def changed(name, tmp_path, *pairs):
    text = (FILES / f"{name}.adm").read_text()
    for before, after in pairs:
        assert before in text
        text = text.replace(before, after)
    (tmp_path / f"{name}.adm").write_text(text)
    return hm.Model.from_adm(tmp_path / f"{name}.adm")


def test_a_torsion_spring_moves_as_in_adams(tmp_path):
    """The table belongs to k = 200 N m/rad and c = 10 N m s/rad, which the file has not. Its forces are those of the joint and the spring on I, a sum."""
    sums = [f"{k}{x}" for k in "FT" for x in "xyz"]
    parts = (2, 3, 4, 6, 7, 8)  # of F2 .. F8 and of JOINT( ) alike
    request = "REQUEST/90, " + "\\".join(f"F{k}=JOINT(1,0,{k},102)+SFORCE(1,0,{k},102)" for k in parts)
    m = changed("RotSpring_Case01", tmp_path, ("- 1.0*RTOD*", "- 200*"), ("- 5.0E-002*RTOD*", "- 10*"), ("REQUEST/05", request + "\nREQUEST/05"))
    compare(m, "RotSpring_Case01", "REQUEST_", [(f"joint1+force1.{x}", f"request90_f{k}") for x, k in zip(sums, parts)])


def test_a_spring_released_at_length_zero_moves_as_in_adams(tmp_path):
    """The table belongs to k = 10 N/m, c = 0.5 N s/m, a free length of 0 and a start at the origin. A variable divides by the length."""
    text = (FILES / "TransSpring_Case01.adm").read_text()
    text = re.sub(r"VARIABLE/3.*?!\n", "", text, flags=re.S).replace("- 100.0*(dm(204,205)-2.0)", "- 10*dm(204,205)").replace("- 1.0*vr", "- 0.5*vr")
    (tmp_path / "a.adm").write_text(text.replace("QP = 0, 2, 0", "QP = 0, 0, 0"))
    compare(hm.Model.from_adm(tmp_path / "a.adm"), "TranSpring_Case01", "REQUEST_", (("force1", "SPRING_1_sforce"),), ("Rtorque",))


def test_a_rack_falls_with_its_pinion():
    """m_r g = (m_r + I/r^2) a of a rack of 1 kg under its weight along z, a pinion of 0.1 kg m^2 about z of its CM, and r = PD/2."""
    r = hm.Model.from_adm(FILES / "RackPinion_Case01.adm").run(end=1, output=0.25, tolerance=1e-9, signals=["request5_z", "request2_wx"])
    a = 9.80665 / (1 + 0.1 / 0.05**2)
    assert r["request5_z"] == pytest.approx(-a * r.t**2 / 2, abs=1e-9)
    assert abs(r["request2_wx"][-1]) == pytest.approx(a / 0.05, rel=1e-8)


# ---- statements ---------------------------------------------------------------------------------------------------

HEAD = "a title\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nACCGRAV/KGRAV=-9.80665\nPART/1, GROUND\n"


def adm(tmp_path, text, **options):
    (tmp_path / "model.adm").write_text(HEAD + text + "\nEND\n")
    return hm.Model.from_adm(tmp_path / "model.adm", **options)


def about(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[i, i] = R[j, j] = c
    R[i, j], R[j, i] = -s, s
    return R


def euler(a, b, c):
    """Turns about z, the new x, the new z, in degrees."""
    return about(2, a) @ about(0, b) @ about(2, c)


def quaternion(R):
    w = math.sqrt(1 + np.trace(R)) / 2
    return [w, *(float(x) / (4 * w) for x in (R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]))]


def test_a_part_has_the_inertia_place_and_motion_that_it_says(tmp_path):
    m = adm(tmp_path, """PART/2, MASS=2, CM=21, IM=22, IP=0.7,0.8,0.9,0.01,-0.02,0.03
, QG=1,2,3, REULER=30D,40D,-20D, VX=0.1,VY=0.2,VZ=-0.3, WX=1,WY=-2,WZ=0.5
MARKER/21, PART=2, QP=0.1,0.2,0.3, REULER=10D,20D,0.5
MARKER/22, PART=2, QP=0.2,0,0, REULER=0,50D,0""")
    R = euler(30, 40, -20)
    C, I = euler(10, 20, math.degrees(0.5)), euler(0, 50, 0)
    J = np.array([[0.7, -0.01, 0.02], [-0.01, 0.8, -0.03], [0.02, -0.03, 0.9]])
    com, d = np.array([0.1, 0.2, 0.3]), np.array([0.2, 0, 0]) - [0.1, 0.2, 0.3]
    J = R @ (I @ J @ I.T - 2 * (d @ d * np.eye(3) - np.outer(d, d))) @ R.T
    v, w = np.array([0.1, 0.2, -0.3]), R @ C @ [1, -2, 0.5]
    r = m.run(end=1e-3, signals=["part2", "part2.marker21", "energy.kinetic"])
    first = {name: r[f"part2.{name}"][0] for name in "wx wy wz alx aly alz qw qx qy qz".split()}
    first.update({name: r[f"part2.marker21.{name}"][0] for name in "x y z vx vy vz ax ay az".split()})
    assert [first[x] for x in "xyz"] == pytest.approx(list(np.array([1, 2, 3]) + R @ com), abs=1e-14)
    assert [first[x] for x in ("qw", "qx", "qy", "qz")] == pytest.approx(quaternion(R), abs=1e-14)
    assert [first[x] for x in ("vx", "vy", "vz")] == pytest.approx(list(v), abs=1e-14)
    assert [first[x] for x in ("wx", "wy", "wz")] == pytest.approx(list(w), abs=1e-14)
    assert [first[x] for x in ("ax", "ay", "az")] == pytest.approx([0, 0, -9.80665], abs=1e-12)
    assert [first[x] for x in ("alx", "aly", "alz")] == pytest.approx(list(np.linalg.solve(J, -np.cross(w, J @ w))), rel=1e-12)
    assert r["energy.kinetic"][0] == pytest.approx(v @ v + w @ J @ w / 2, rel=1e-13)


def test_velocities_that_are_not_given_follow_from_the_joints(tmp_path):
    """A spin alone, of a part whose hinge is 0.1 m from its centre of mass: it keeps it."""
    r = adm(tmp_path, """MARKER/11, PART=1
PART/2, MASS=2, CM=20, IP=1,1,1, WZ=5
MARKER/20, PART=2, QP=0.1,0,0
MARKER/21, PART=2
JOINT/1, REVOLUTE, I=21, J=11""").run(end=1e-3, signals=["part2", "part2.marker20"])
    assert [r[f"part2.{x}"][0] for x in ("vx", "vy", "vz", "wx", "wy", "wz")] == pytest.approx([0, 0, 0, 0, 0, 5], abs=1e-13)
    assert r["part2.marker20.vy"][0] == pytest.approx(0.5, abs=1e-14)


def test_a_velocity_alone_is_that_of_the_centre_of_mass(tmp_path):
    """Of a part whose CM is 0.1 m from its frame, and which a pin 0.3 m from that frame leads along x: it keeps it, and turns by -0.5/0.2 rad/s; free it does not turn."""
    part = """MARKER/11, PART=1, QP=0.3,0,0, REULER=90D,90D,0
PART/2, MASS=2, CM=20, IP=1,1,1, VX=0.4, VY=0.5, VZ=0
MARKER/20, PART=2, QP=0.1,0,0
MARKER/21, PART=2, QP=0.3,0,0, REULER=90D,90D,0
"""
    for joint, spin in (("JPRIM/1, INLINE, I=21, J=11", -2.5), ("", 0)):
        r = adm(tmp_path, part + joint).run(end=1e-3, signals=["part2", "part2.marker20"])
        assert [r[f"part2.marker20.{x}"][0] for x in ("vx", "vy", "vz")] == pytest.approx([0.4, 0.5, 0], abs=1e-13)
        assert [r[f"part2.{x}"][0] for x in ("wx", "wy", "wz")] == pytest.approx([0, 0, spin], abs=1e-12)


def test_points_and_markers_give_the_frames_that_they_say(tmp_path):
    """ZG, XG, ZP, XP, USEXP, RM; VM and WM."""
    m = adm(tmp_path, """PART/2, MASS=1, CM=21, IP=1,1,1, QG=1,0,0, ZG=1,0,1, XG=1,1,0
, VX=1, VM=23, WZ=2, WM=24
MARKER/21, PART=2
MARKER/22, PART=2, QP=1,1,1, ZP=1,2,1, XP=3,9,1
MARKER/23, PART=2, QP=0,0,1, XP=0,-1,1, ZP=5,7,1, USEXP
MARKER/24, PART=2, QP=0,0,0.5, REULER=90D,0,0, RM=22
VARIABLE/1, FUNCTION=DX(22)
VARIABLE/2, FUNCTION=DZ(24,22,22)
VARIABLE/3, FUNCTION=ORIENT(27,1,22,0)
VARIABLE/4, FUNCTION=ORIENT(27,4,22,0)""")
    R = np.column_stack([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    F22 = np.column_stack([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    F23 = np.column_stack([[0, -1, 0], np.cross([1, 0, 0], [0, -1, 0]), [1, 0, 0]])
    r = m.run(end=1e-3, signals=["part2", "variable1", "variable2", "variable3", "variable4"])
    assert [r[f"part2.v{x}"][0] for x in "xyz"] == pytest.approx(list(R @ F23 @ [1, 0, 0]), abs=1e-14)
    assert [r[f"part2.w{x}"][0] for x in "xyz"] == pytest.approx(list(R @ F22 @ euler(90, 0, 0) @ [0, 0, 2]), abs=1e-14)
    q = quaternion(R @ F22)
    assert [r[f"variable{k}"][0] for k in (1, 2, 3, 4)] == pytest.approx([(np.array([1, 0, 0]) + R @ [1, 1, 1])[0], 0.5, q[0], q[3]], abs=1e-14)


# Two bodies, each with a marker; what is said of them in the language of Adams and in that of holonom.
TWO = """PART/2, MASS=2, CM=20, IP=0.3,0.4,0.5, QG=1,0.2,0.1, WX=1,WY=0.5,WZ=-1, VX=0.3
MARKER/20, PART=2
MARKER/21, PART=2, QP=0.2,0.1,-0.1, REULER=20D,30D,10D
PART/3, MASS=1, CM=30, IP=0.1,0.2,0.25, QG=1.5,0.6,0.3, REULER=10D,-15D,20D, VZ=0.2, WY=0.7
MARKER/30, PART=3
"""
I, J = (np.array([1.2, 0.3, 0]), euler(20, 30, 10)), (np.array([1.5, 0.6, 0.3]), euler(10, -15, 20))


def in_part3(place, R):
    """A marker of part 3 that is at a place with axes R, as text of Adams: angles from -180 to 180 degrees, of body-fixed turns z-x-z."""
    p, S = J[1].T @ (np.array(place) - J[0]), J[1].T @ R
    b = math.acos(max(-1.0, min(1.0, S[2, 2])))
    a, c = (math.atan2(S[0, 2], -S[1, 2]), math.atan2(S[2, 0], S[2, 1])) if math.sin(b) > 1e-9 else (math.atan2(S[1, 0], S[0, 0]), 0.0)
    return f"QP={','.join(repr(float(x)) for x in p)}, REULER={math.degrees(a)!r}D,{math.degrees(b)!r}D,{math.degrees(c)!r}D"


def twin(**lists):
    def frame(place, R):
        return {"position": [float(x) for x in place], "orientation": {"quat_wxyz": quaternion(R)}}

    return {
        "dimension": 3,
        "gravity": [0, 0, -9.80665],
        "bodies": [
            {"name": "part2", "mass": 2, "inertia": [0.3, 0.4, 0.5], "position": [1, 0.2, 0.1], "velocity": [0.3, 0, 0], "omega": [1, 0.5, -1],
             "markers": {"i": frame([0.2, 0.1, -0.1], euler(20, 30, 10))}},
            {"name": "part3", "mass": 1, "inertia": [0.1, 0.2, 0.25], **frame(*J), "velocity": [0, 0, 0.2],
             "omega": [float(x) for x in J[1] @ [0, 0.7, 0]], "markers": {}},
        ],
        "simulate": {"end": 0.5},
        **lists,
    }


def same_motion(tmp_path, text, model, near=1e-7, end=0.5, tolerance=1e-9):
    """Of both bodies, at the end; seen are 1e-9 and less."""
    results = []
    signals = [f"part{k}.{x}" for k in (2, 3) for x in ("x", "y", "z", "qw", "qx", "qy", "qz", "wx", "wy", "wz")]
    for m in (adm(tmp_path, text), hm.Model.from_dict(model)):
        r = m.run(end=end, tolerance=tolerance, method="rk", signals=signals)
        results.append([r[s][-1] for s in signals])
    assert results[0] == pytest.approx(results[1], abs=near)
    start = [1, 0.2, 0.1, *J[0]]
    assert np.abs(np.array(results[0])[[0, 1, 2, 10, 11, 12]] - start).max() > 1e-2  # it moved


SHIFT = 0.2 * I[1][:, 2]  # along z of I
TURN = I[1] @ about(2, 25)
PAIRS = {  # of holonom's joint, where marker J is and how it is turned
    "REVOLUTE": ("revolute", I[0], TURN), "CYLINDRICAL": ("cylindrical", I[0] - SHIFT, TURN), "TRANSLATIONAL": ("translational", I[0] - SHIFT, I[1]),
    "SPHERICAL": ("spherical", I[0], np.eye(3)), "PLANAR": ("planar", I[0] + 0.3 * I[1][:, 0], TURN), "FIXED": ("fixed", I[0], I[1]),
    "UNIVERSAL": ("universal", I[0], I[1] @ about(0, 90)), "ATPOINT": ("at-point", I[0], np.eye(3)), "INLINE": ("in-line", I[0] - SHIFT, I[1] @ about(2, 10)),
    "INPLANE": ("in-plane", I[0] + 0.3 * I[1][:, 1], TURN), "ORIENTATION": ("orientation", J[0], I[1]), "PARALLEL_AXES": ("parallel-axes", J[0], TURN),
    "PERPENDICULAR": ("perpendicular", J[0], I[1] @ about(0, 90)),
}


@pytest.mark.parametrize("word", PAIRS)
def test_joints_and_primitives_are_those_of_the_same_name(word, tmp_path):
    kind, place, R = PAIRS[word]
    statement = "JPRIM" if kind in ("at-point", "in-line", "in-plane", "orientation", "parallel-axes", "perpendicular") else "JOINT"
    model = twin(joints=[{"name": "j", "type": kind, "between": ["part3.j", "part2.i"]}])
    p, S = J[1].T @ (place - J[0]), J[1].T @ R
    model["bodies"][1]["markers"]["j"] = {"position": [float(x) for x in p], "orientation": {"quat_wxyz": quaternion(S)}}
    same_motion(tmp_path, TWO + f"MARKER/31, PART=3, {in_part3(place, R)}\n{statement}/1, {word}, I=21, J=31", model)


def test_hooke_has_its_arms_along_x_of_i_and_y_of_j(tmp_path):
    model = twin(joints=[{"name": "j", "type": "universal", "bodies": ["part3", "part2"], "at": list(map(float, I[0])),
                          "axis": list(map(float, I[1][:, 1])), "axis2": list(map(float, I[1][:, 0]))}])
    same_motion(tmp_path, TWO + f"MARKER/31, PART=3, {in_part3(*I)}\nJOINT/1, HOOKE, I=21, J=31", model)


def test_convel_has_z_along_its_shafts_away_from_the_centre(tmp_path):
    bent = I[1] @ about(0, 180 - 20)
    model = twin(joints=[{"name": "j", "type": "constant-velocity", "bodies": ["part3", "part2"], "at": list(map(float, I[0])),
                          "axis": list(map(float, -bent[:, 2])), "axis2": list(map(float, I[1][:, 2]))}])
    same_motion(tmp_path, TWO + f"MARKER/31, PART=3, {in_part3(I[0], bent)}\nJOINT/1, CONVEL, I=21, J=31", model)


# ---- forces -------------------------------------------------------------------------------------------------------

ENDS = ["part3.j", "part2.i"]
BETWEEN = f"MARKER/31, PART=3, {in_part3(J[0] + [0.3, 0.2, 0.1], TURN)}\n"  # a marker J apart from I


def with_j(place, R, **lists):
    model = twin(**lists)
    p, S = J[1].T @ (np.array(place) - J[0]), J[1].T @ R
    model["bodies"][1]["markers"]["j"] = {"position": [float(x) for x in p], "orientation": {"quat_wxyz": quaternion(S)}}
    return model


K = [[10 * (i == j) + 0.3 * i - 0.2 * j for j in range(6)] for i in range(6)]  # rows
X0, F0 = [0.1, -0.2, 0.05, 0.1, 0, -0.1], [1, 2, -1, 0.1, 0.2, 0.3]
BY_COLUMNS = ",".join(str(K[i][j]) for j in range(6) for i in range(6))
LOAD = [F0[i] + sum(K[i][j] * X0[j] for j in range(6)) for i in range(6)]
FORCES = {
    "SFORCE/1, TRANSLATION, I=21, J=31, FUNCTION=-30*(DM(21,31)-0.5)\n, -2*VR(21,31)":
        [{"type": "spring-damper", "between": ENDS, "stiffness": 30, "length": 0.5, "damping": 2}],
    "SFORCE/1, ROT, I=21, J=31, FUNCTION=-3*AZ(21,31)+TIME":
        [{"type": "vector-force", "between": ENDS, "torque": [0, 0, "-3*AZ(part2.i_back, part3.j_back) + time"], "axes": "part3.j"}],
    "SFORCE/1, TRANSLATION, I=21, J=31, ACTIONONLY, FUNCTION=5+TIME":
        [{"type": "force", "on": "part2.i", "value": [f"(5 + time)*D{x}(part3.tip, part3.j)" for x in "XYZ"]}],
    "SFORCE/1, ROTATION, ACTIONONLY, I=21, J=31, FUNCTION=5+TIME":
        [{"type": "torque", "on": "part2.i", "value": [f"(5 + time)*D{x}(part3.tip, part3.j)" for x in "XYZ"]}],
    "SPRINGDAMPER/1, I=21, J=31, TRANSLATION, K=30, C=2, LENGTH=0.5, FORCE=4":
        [{"type": "spring-damper", "between": ENDS, "stiffness": 30, "length": 0.5, "damping": 2, "force": -4}],
    "SPRINGDAMPER/1, I=21, J=31, TRANSLATION, K=30":
        [{"type": "spring-damper", "between": ENDS, "stiffness": 30, "length": 0}],
    "SPRINGDAMPER/1, I=21, J=31, ROTATION, KT=3, CT=0.2, ANGLE=20D, TORQUE=0.5":
        [{"type": "rotational-spring-damper", "between": ENDS, "stiffness": 3, "angle": math.radians(20), "damping": 0.2, "torque": -0.5}],
    "VFORCE/1, I=21, JFLOAT=39, RM=31, FX=1\\ FY=2*TIME\\ FZ=-WZ(21)":
        [{"type": "vector-force", "between": ["part3", "part2.i"], "force": ["1", "2*time", "-WZ(part2)"], "axes": "part3.j"}],
    "VTORQUE/1, I=21, JFLOAT=39, RM=31, TX=1\\TY=2*TIME\\TZ=0":
        [{"type": "vector-force", "between": ["part3", "part2.i"], "torque": ["1", "2*time", "0"], "axes": "part3.j"}],
    "GFORCE/1, I=21, JFLOAT=39, RM=1, FX=1\\FZ=DX(21,31)\\TY=2*TIME\n":
        [{"type": "vector-force", "between": ["part3", "part2.i"], "force": ["1", "0", "DX(part2.i, part3.j)"], "torque": ["0", "2*time", "0"]}],
    "BUSHING/1, I=21, J=31, K=30,40,50, C=1,2,3, KT=3,4,5, CT=0.1,0.2,0.3, FORCE=1,2,3, TORQUE=0.1,0.2,-0.3":
        [{"type": "bushing", "between": ENDS, "stiffness": [30, 40, 50, 3, 4, 5], "damping": [1, 2, 3, 0.1, 0.2, 0.3]},
         {"type": "vector-force", "between": ENDS, "force": [1, 2, 3], "torque": [0.1, 0.2, -0.3], "axes": "part3.j"}],
    f"FIELD/1, I=21, J=31, KMATRIX={BY_COLUMNS}, CRATIO=0.1, LENGTH={','.join(map(str, X0))}, FORCE={','.join(map(str, F0))}":
        [{"type": "bushing", "between": ENDS, "stiffness": K, "damping": [[0.1 * x for x in row] for row in K]},
         {"type": "vector-force", "between": ENDS, "force": LOAD[:3], "torque": LOAD[3:], "axes": "part3.j"}],
    f"FIELD/1, I=21, J=31, KMATRIX={BY_COLUMNS}, CMATRIX={BY_COLUMNS}":
        [{"type": "bushing", "between": ENDS, "stiffness": K, "damping": K}],
    "BEAM/1, I=21, J=31, EMODULUS=1000, GMODULUS=400, AREA=0.1, IXX=0.002, IYY=0.001, IZZ=0.0015, LENGTH=0.4, CRATIO=0.1, ASY=0, ASZ=0":
        [{"type": "beam", "between": ENDS, "modulus": 1000, "shear_modulus": 400, "area": 0.1, "torsion_constant": 0.002, "second_moment_y": 0.001,
          "second_moment_z": 0.0015, "length": 0.4, "damping": 0.1}],
}


@pytest.mark.parametrize("text", FORCES)
def test_forces_are_those_of_the_same_kind(text, tmp_path):
    place = J[0] + [0.3, 0.2, 0.1]
    model = with_j(place, TURN, forces=[{"name": f"f{k}", **f} for k, f in enumerate(FORCES[text])])
    model["bodies"][1]["markers"]["tip"] = [float(x) for x in J[1].T @ (place + TURN[:, 2] - J[0])]
    for body, name, R in ((0, "i_back", euler(20, 30, 10)), (1, "j_back", J[1].T @ TURN)):  # whose y axes are those x axes
        model["bodies"][body]["markers"][name] = {"orientation": {"quat_wxyz": quaternion(R @ about(2, -90))}}
    markers = BETWEEN + "MARKER/39, PART=3, FLOATING\nMARKER/1, PART=1\n"
    same_motion(tmp_path, TWO + markers + text, model)


# ---- motions, couplers, gears, equations ----------------------------------------------------------------------------

AXIS = f"MARKER/31, PART=3, {in_part3(I[0], I[1])}\n"  # J where I is
HINGE = {"name": "hinge", "type": "revolute", "between": ENDS}
SLIDE = {"name": "slide", "type": "translational", "between": ENDS}
MOTIONS = {
    "JOINT/1, REVOLUTE, I=21, J=31\nMOTION/1, JOINT=1, FUNCTION=30D*SIN(2*TIME)": ([HINGE], {"type": "angle", "joint": "hinge", "value": "pi/6*sin(2*time)"}),
    "JOINT/1, TRANS, I=21, J=31\nMOTION/1, JOINT=1, TRANSLATION, VELOCITY, FUNCTION=STEP(TIME,0,0,0.3,0.4)":
        ([SLIDE], {"type": "stroke", "joint": "slide", "speed": "step(time, 0, 0, 0.3, 0.4)"}),
    "JOINT/1, CYL, I=21, J=31\nMOTION/1, JOINT=1, ROTATION, ACCELERATION, ICVEL=0.5, ICDISP=0, FUNCTION=3*TIME":
        ([{**HINGE, "type": "cylindrical"}], {"type": "angle", "joint": "hinge", "acceleration": "3*time", "start": 0, "start_speed": 0.5}),
    "MOTION/1, I=21, J=31, X, FUNCTION=0.2*TIME**2": ([], {"position": "DX(part2.i, part3.j, part3.j) - 0.2*time^2"}),
    "MOTION/1, I=21, J=31, Z, VELOCITY, FUNCTION=0.2*TIME": ([], {"velocity": "VZ(part2.i, part3.j, part3.j, part3.j) - 0.2*time"}),
    "JOINT/1, REV, I=21, J=31\nMOTION/1, I=21, J=31, B3, FUNCTION=TIME": ([HINGE], {"type": "angle", "joint": "hinge", "value": "time"}),
    "GCON/1, FUNCTION=DX(21)+DY(30)-1.8": ([], {"position": "DX(part2.i) + DY(part3) - 1.8"}),
    "GCON/1, I=21, FUNCTION=VX(21)+0.2*WZ(30)": ([], {"velocity": "VX(part2.i) + 0.2*WZ(part3)"}),
    "JOINT/1, CYL, I=21, J=31\nJOINT/2, SCREW, I=21, J=31, PITCH=0.3": ([{**HINGE, "type": "screw", "pitch": 0.3}], None),
    "JOINT/2, SCREW, I=21, J=31, PITCH=0.3": ([], {"velocity": "VZ(part2.i, part3.j, part3.j, part3.j) - 0.3/(2*pi)*WZ(part2.i, part3.j, part3.j)"}),
}


@pytest.mark.parametrize("text", MOTIONS)
def test_motions_and_constraints_are_those_of_the_same_kind(text, tmp_path):
    joints, held = MOTIONS[text]
    lists = {"joints": joints}
    if held:
        lists["constraints" if "position" in held or "velocity" in held else "drivers"] = [{"name": "held", **held}]
    same_motion(tmp_path, TWO + AXIS + text, with_j(*I, **lists))


GEARS = """PART/2, MASS=1, CM=20, IP=0.3,0.4,0.5
MARKER/20, PART=2
MARKER/21, PART=2
MARKER/11, PART=1
PART/3, MASS=2, CM=30, IP=0.1,0.2,0.25, QG=0.3,0,0
MARKER/30, PART=3
MARKER/12, PART=1, QP=0.3,0,0
PART/4, MASS=3, CM=40, IP=1,1,1
MARKER/40, PART=4, REULER=90D,90D,0
MARKER/13, PART=1, REULER=90D,90D,0
JOINT/1, REV, I=21, J=11
SFORCE/1, ROT, I=20, J=11, FUNCTION=2
"""


@pytest.mark.parametrize("swapped", [False, True])
def test_gears_turn_as_their_contact_point_says(tmp_path, swapped):
    """Two wheels of 0.1 and 0.2 m: the second turns at -1/2 of the first; a wheel and a rack, whose way is 0.1 m of an angle."""
    second = "I=12, J=30" if swapped else "I=30, J=12"
    wheels = adm(tmp_path, GEARS + f"JOINT/2, REV, {second}\nMARKER/19, PART=1, QP=0.1,0,0, ZP=0.1,1,0\nGEAR/1, JOINTS=1,2, CV=19").run(end=1, tolerance=1e-9, signals=["part2", "part3"])
    assert wheels["part3.wz"][-1] == pytest.approx(-wheels["part2.wz"][-1] / 2, rel=1e-9)
    assert wheels["part2.wz"][-1] == pytest.approx(2 / (0.5 + 0.25 / 4), rel=1e-7)
    rack = adm(tmp_path, GEARS + "JOINT/2, TRA, I=40, J=13\nMARKER/19, PART=1, QP=0,-0.1,0, ZP=1,-0.1,0\nGEAR/1, JOINTS=1,2, CV=19").run(end=1, tolerance=1e-9, signals=["part2", "part4"])
    assert rack["part4.vx"][-1] == pytest.approx(0.1 * rack["part2.wz"][-1], rel=1e-9)
    assert rack["part2.wz"][-1] == pytest.approx(2 / (0.5 + 3 * 0.01), rel=1e-7)


def test_couplers_hold_a_sum(tmp_path):
    text = GEARS + "JOINT/2, CYL, I=40, J=13\nCOUPLER/1, JOINTS=1,2, TYPE=R:T, SCALES=0.5,-1\n"
    r = adm(tmp_path, text).run(end=1, tolerance=1e-9, signals=["part2", "part4"])
    assert r["part4.vx"][-1] == pytest.approx(0.5 * r["part2.wz"][-1], rel=1e-9)
    text = GEARS + "JOINT/2, REV, I=30, J=12\nCOUPLER/1, JOINTS=1,2, SCALES=0.5\n"
    r = adm(tmp_path, text).run(end=1, tolerance=1e-9, signals=["part2", "part3"])
    assert r["part3.wz"][-1] == pytest.approx(-2 * r["part2.wz"][-1], rel=1e-9)
    assert r["part2.wz"][-1] == pytest.approx(2 / (0.5 + 4 * 0.25), rel=1e-7)


def test_equations_tables_and_inputs(tmp_path):
    """x'' = -4 x by two DIFFs; a table; an input that events and programs set; one with a function, which stays a variable."""
    m = adm(tmp_path, TWO + """DIFF/1, IC=1, FUNCTION=DIF(2)
DIFF/2, IC=0,-4, FUNCTION=-4*DIF(1)
SPLINE/5, X=-1,0,1,2, Y=1,0,1,4, LINEAR_EXTRAPOLATE
VARIABLE/1, FUNCTION=AKISPL(TIME, 0, 5)+CUBSPL(0.5*TIME,0,5,1)
VARIABLE/2, IC=7, FUNCTION=3
VARIABLE/3, FUNCTION=2*VARVAL(2)+DIF1(2)
VARIABLE/4, FUNCTION=3*TIME
PINPUT/1, VARIABLES=2,4
POUTPUT/1, VARIABLES=1,3""")
    assert [x.name for x in m.inputs] == ["variable2"]
    r = m.run(end=1, output=0.5, tolerance=1e-9, signals=["diff1", "diff2", "variable1", "variable3", "variable4"])
    assert r["variable4"] == pytest.approx(3 * r.t)
    assert r["diff1"] == pytest.approx(np.cos(2 * r.t), abs=1e-8)
    assert r["diff2"] == pytest.approx(-2 * np.sin(2 * r.t), abs=1e-8)
    assert r["variable3"] == pytest.approx(6 - 4 * np.cos(2 * r.t), abs=1e-8)
    assert r["variable1"][0] == pytest.approx(-0.2, abs=1e-12)  # natural: second derivatives of 0, 2.4, 2.4, 0, so a slope of 1 - 2.4/2 at 0


CAD = """MARKER/11, PART=1
MARKER/12, PART=1, QP=0,0,0.1
MARKER/13, PART=1, QP=0.4,0,0
MARKER/15, PART=1, REULER=0,90D,0
PART/2, MASS=1, CM=20, IP=0.01,0.02,0.03
MARKER/20, PART=2, QP=0.05,0,0
MARKER/21, PART=2
MARKER/22, PART=2, QP=0,0,0.1
MARKER/23, PART=2, QP=0.1,0,0
PART/3, MASS=2, CM=30, IP=0.01,0.04,0.04
MARKER/30, PART=3, QP=0.25,0,0
MARKER/31, PART=3, QP=0.1,0,0
MARKER/32, PART=3, QP=0.4,0,0
PART/4, MASS=1, CM=40, IP=0.01,0.01,0.01
MARKER/40, PART=4, QP=0.4,0,0
MARKER/42, PART=4, QP=0.4,0,0, REULER=0,90D,0
JOINT/1, CYLINDRICAL, I=21, J=11
JOINT/2, PLANAR, I=21, J=11
JOINT/3, PLANAR, I=22, J=12
JOINT/4, CYLINDRICAL, I=31, J=23
JOINT/5, PLANAR, I=31, J=23
JOINT/6, CYLINDRICAL, I=32, J=40
JOINT/7, PLANAR, I=32, J=40
JOINT/9, PLANAR, I=42, J=15
JPRIM/1, PARALLEL_AXES, I=40, J=13
SFORCE/1, ROTATION, I=21, J=11, FUNCTION=0.1
"""


def test_a_joint_for_each_mate_leaves_the_motion_that_there_is(tmp_path):
    """A slider-crank of the kind that CAD programs write: hinges of a cylindrical and a planar joint, faces twice. The rails are faces across z and y."""
    m = adm(tmp_path, CAD)
    c = m.check()
    assert (c.degrees_of_freedom, len(c.redundant) > 8) == (1, True)
    r = m.run(end=1, tolerance=1e-8, signals=["part4.marker40", "part3.marker32", "violation.position"])
    assert r["violation.position"].max() < 1e-12
    assert r["part3.marker32.x"] == pytest.approx(r["part4.marker40.x"], abs=1e-12)
    assert np.abs(r["part4.marker40.y"]).max() < 1e-9 and r["part4.marker40.x"].max() - r["part4.marker40.x"].min() > 0.05


def test_gears_by_velocities_turn_as_they_say(tmp_path):
    """Mates of gears are constraints of velocities; an axle of two hinges too many."""
    text = GEARS + "JOINT/2, REV, I=30, J=12\nJOINT/3, CYL, I=30, J=12\nJOINT/4, PLANAR, I=21, J=11\nGCON/1, FUNCTION=2*WZ(30,12,12)+WZ(21,11,11)\n"
    m = adm(tmp_path, text)
    assert m.check().degrees_of_freedom == 6 + 2  # a free body beside; what holds velocities leaves places free
    r = m.run(end=1, tolerance=1e-9, signals=["part2", "part3"])
    assert r["part3.wz"][-1] == pytest.approx(-r["part2.wz"][-1] / 2, rel=1e-9)
    assert r["part2.wz"][-1] == pytest.approx(2 / (0.5 + 0.25 / 4), rel=1e-7)


def test_linear_state_equations(tmp_path):
    """x1' = x2 + u, x2' = -4 x1 with u = 2 sin(t): an undamped oscillator; matrices by rows and by columns."""
    m = adm(tmp_path, TWO + """ARRAY/1, X, SIZE=2
ARRAY/2, U, SIZE=1, VARIABLES=1
ARRAY/3, Y, SIZE=2
ARRAY/4, IC, SIZE=2, NUMBERS=1,0.5
VARIABLE/1, FUNCTION=2*SIN(TIME)
MATRIX/1, FULL=RORDER, M=2, N=2, VALUES=0,1,-4,0
MATRIX/2, FULL=CORDER, M=2, N=1, VALUES=1,0
MATRIX/3, FULL=CORDER, M=2, N=2, VALUES=1,0,3,1
MATRIX/4, FULL=RORDER, M=2, N=1, VALUES=0,5
LSE/1, X=1, U=2, Y=3, IC=4, A=1, B=2, C=3, D=4
VARIABLE/2, FUNCTION=ARYVAL(3,1)+10*ARYVAL(3,2)+100*ARYVAL(1,2)""")
    r = m.run(end=1, output=0.5, tolerance=1e-9, signals=["variable2"])
    t = r.t  # x1'' = -4 x1 + u': the steady part is 2/3 cos(t), x2 = x1' - u
    x1 = 2 / 3 * np.cos(t) + 1 / 3 * np.cos(2 * t) + 0.25 * np.sin(2 * t)
    x2 = -2 / 3 * np.sin(t) - 2 / 3 * np.sin(2 * t) + 0.5 * np.cos(2 * t) - 2 * np.sin(t)
    assert r["variable2"] == pytest.approx(x1 + 3 * x2 + 10 * (x2 + 10 * np.sin(t)) + 100 * x2, abs=1e-6)


# ---- files and their twins ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(file.stem for file in (FILES / "twins").glob("*.adm")))
def test_a_file_moves_as_its_twin(name):
    """A file with statements that act together, and a model of the same written by hand; seen are 1.3e-10 and less."""
    options = {"end": 0.5, "output": 0.05, "tolerance": 1e-9, "method": "adams"}
    wanted = hm.Model(FILES / "twins" / f"{name}.yaml").run(**options)
    signals = list(wanted)
    seen = hm.Model.from_adm(FILES / "twins" / f"{name}.adm").run(**options, signals=signals)
    assert seen.t == pytest.approx(wanted.t, abs=1e-9)
    for s in signals:
        assert seen[s] == pytest.approx(wanted[s], abs=1e-8), s
    assert all(np.ptp(wanted[s]) > 1e-3 for s in signals)  # all of it moves


# ---- friction, events, contacts ---------------------------------------------------------------------------------------

RAIL = """MARKER/11, PART=1, REULER=90D,{slope}D,0
PART/2, MASS=2, CM=20, IP=0.1,0.1,0.1{start}
MARKER/20, PART=2
MARKER/21, PART=2, REULER=90D,{slope}D,0
JOINT/1, TRANSLATIONAL, I=21, J=11
FRICTION/1, JOINT=1, MU_STATIC=0.3, MU_DYNAMIC=0.2, STICTION_TRANSITION_VELOCITY=0.001, MAX_STICTION_DEFORMATION=1E-5, {more}
"""


@pytest.mark.parametrize("more, deceleration", [
    ("INPUTS=REACTION_FORCE", 0.2 * 9.80665), ("INPUTS=REACTION_FORCE:PRELOAD, FRICTION_FORCE_PRELOAD=3", 0.2 * 9.80665 + 1.5),
    ("INPUTS=PRELOAD, FRICTION_FORCE_PRELOAD=3", 1.5), ("INPUTS=NONE, FRICTION_FORCE_PRELOAD=3", 0), ("EFFECT=SLIDING", 0.2 * 9.80665),
])
def test_friction_slows_a_slider_evenly(tmp_path, more, deceleration):
    r = adm(tmp_path, RAIL.format(slope=90, start=", VX=2", more=more)).run(end=0.5, output=0.1, tolerance=1e-9, method="rk", signals=["part2.vx"])
    assert r["part2.vx"] == pytest.approx(2 - deceleration * r.t, abs=1e-9)


@pytest.mark.parametrize("degrees", [8.0, -11.0])
def test_friction_holds_on_a_slope_by_its_deformation(tmp_path, degrees):
    """Below 0.7 of the limit it is linear: tan(slope)/MU_STATIC of MAX_STICTION_DEFORMATION, and nothing creeps."""
    r = adm(tmp_path, RAIL.format(slope=90 + degrees, start="", more="INPUTS=REACTION_FORCE")).run(end=2, tolerance=1e-9, method="rk", signals=["joint1.stroke"])
    assert r["joint1.stroke"][-1] == pytest.approx(math.tan(math.radians(degrees)) / 0.3 * 1e-5, rel=1e-6)
    assert np.ptp(r["joint1.stroke"][r.t > 1]) < 1e-12


def test_friction_at_rest_is_passed_where_the_load_is_larger(tmp_path):
    r = adm(tmp_path, RAIL.format(slope=90 + 17, start="", more="INPUTS=REACTION_FORCE")).run(end=1, tolerance=1e-8, method="rk", signals=["joint1.speed"])
    a = 9.80665 * (math.sin(math.radians(17)) - 0.2 * math.cos(math.radians(17)))
    assert abs(r["joint1.speed"][-1]) == pytest.approx(a, rel=5e-3)  # it lets go a little later


@pytest.mark.parametrize("tilt, along, wanted", [
    (0, 0, 0.2 * 0.05 * 2),  # the axis stands: FRICTION_ARM
    (90, 0, 0.2 * 0.02 * 2),  # it lies: PIN_RADIUS
    (90, 0.3, 0.2 * (0.02 * 2 + 0.02 / 0.4 * 2 * 0.3)),  # and the mass is beside the bearing: BENDING_REACTION_ARM
])
def test_friction_slows_a_wheel_evenly(tmp_path, tilt, along, wanted):
    """The torque on a wheel of 2 kg and 0.1 kg m^2, by the arms of what presses, over its weight by kg."""
    g = [9.80665 * f(math.radians(tilt)) for f in (math.sin, math.cos)]
    (tmp_path / "wheel.adm").write_text(HEAD.replace("KGRAV=-9.80665", f"JGRAV={-g[0]!r}, KGRAV={-g[1]!r}") + f"""MARKER/11, PART=1
PART/2, MASS=2, CM=20, IP=0.5,0.5,0.1, WZ=9
MARKER/20, PART=2, QP=0,0,{along}
MARKER/21, PART=2
JOINT/1, REVOLUTE, I=21, J=11
FRICTION/1, JOINT=1, MU_STATIC=0.3, MU_DYNAMIC=0.2, STICTION_TRANSITION_VELOCITY=0.001, PIN_RADIUS=0.02, FRICTION_ARM=0.05, BENDING_REACTION_ARM=0.4
END
""")
    r = hm.Model.from_adm(tmp_path / "wheel.adm").run(end=0.4, output=0.1, tolerance=1e-9, method="rk", signals=["part2.wz"])
    assert r["part2.wz"] == pytest.approx(9 - wanted * 9.80665 / 0.1 * r.t, abs=1e-8)


TUBE = """MARKER/11, PART=1, REULER=90D,90D,0
PART/2, MASS=2, CM=20, IP=0.005,1,1{start}
MARKER/20, PART=2
MARKER/21, PART=2, REULER=90D,90D,0
JOINT/1, CYLINDRICAL, I=21, J=11
FRICTION/1, JOINT=1, MU_STATIC=0.3, MU_DYNAMIC=0.2, STICTION_TRANSITION_VELOCITY=0.1, PIN_RADIUS=0.05, INPUTS=PRELOAD:REACTION_FORCE{more}
"""


def test_friction_of_a_tube_is_against_the_sliding_of_its_surface(tmp_path):
    """Of 2 kg on its radius: along and around it is slowed alike, w = |v, R omega| by 0.2 g."""
    r = adm(tmp_path, TUBE.format(start=", VX=1.2, WX=18", more=", EFFECT=SLIDING")).run(end=0.5, output=0.1, tolerance=1e-10, method="rk", signals=["part2.vx", "joint1.rate"])
    w = 1.5 - 0.2 * 9.80665 * r.t
    assert r["part2.vx"] == pytest.approx(0.8 * w, abs=1e-8)
    assert r["joint1.rate"] == pytest.approx(0.6 * w / 0.05, abs=1e-6)


def test_preloads_of_a_tube_are_frictions(tmp_path):
    r = adm(tmp_path, TUBE.format(start=", VX=1.2", more=", EFFECT=SLIDING, FRICTION_FORCE_PRELOAD=0.4, FRICTION_TORQUE_PRELOAD=7")).run(end=0.5, output=0.1, tolerance=1e-10, method="rk", signals=["part2.vx"])
    assert r["part2.vx"] == pytest.approx(1.2 - (0.2 * 9.80665 + 0.2) * r.t, abs=1e-8)
    r = adm(tmp_path, TUBE.format(start=", WX=60", more=", EFFECT=SLIDING, FRICTION_FORCE_PRELOAD=7, FRICTION_TORQUE_PRELOAD=0.01")).run(end=0.5, output=0.1, tolerance=1e-10, method="rk", signals=["joint1.rate"])
    assert r["joint1.rate"] == pytest.approx(60 - (0.2 * 0.05 * 2 * 9.80665 + 0.01) / 0.005 * r.t, abs=1e-6)


def test_friction_between_rest_and_sliding_is_a_step_of_the_speed(tmp_path):
    """With lenient: STEP from rest to MU_STATIC at 0.1 m/s, from there to MU_DYNAMIC at 0.15 m/s. A tube that lies still does so."""
    r = adm(tmp_path, TUBE.format(start=", VX=0.3", more=""), lenient=True).run(end=0.2, output=1e-3, tolerance=1e-10, method="rk", signals=["joint1_slip", "joint1_drag", "part2.ax"])

    def step(x, x0, y0, x1, y1):
        s = np.clip((x - x0) / (x1 - x0), 0, 1)
        return y0 + (y1 - y0) * s * s * (3 - 2 * s)

    w = r["joint1_slip"]
    assert w[0] == pytest.approx(0.3) and w[-1] < 0.03
    assert r["joint1_drag"] * w == pytest.approx(np.where(w < 0.1, step(w, -0.1, -0.3, 0.1, 0.3), step(w, 0.1, 0.3, 0.15, 0.2)), abs=1e-9)
    assert r["part2.ax"] == pytest.approx(-r["joint1_drag"] * w * 9.80665, abs=1e-9)
    still = adm(tmp_path, TUBE.format(start="", more=""), lenient=True).run(end=1, tolerance=1e-8, method="rk", signals=["part2.x", "joint1.angle"])
    assert max(np.abs(still["part2.x"]).max(), np.abs(still["joint1.angle"]).max()) < 1e-15


def test_friction_of_a_ball_is_against_its_turning(tmp_path):
    """I w' = -(mu R m g + preload) of a ball of 2 kg and 0.1 kg m^2 about any axis, in a socket of 0.04 m; and one that is at rest."""
    for omega in (np.array([3.0, -6.0, 6.0]), np.zeros(3)):
        r = adm(tmp_path, f"""MARKER/11, PART=1, REULER=30D,40D,0
PART/2, MASS=2, CM=20, IP=0.1,0.1,0.1, WX={omega[0]}, WY={omega[1]}, WZ={omega[2]}
MARKER/20, PART=2, REULER=10D,20D,30D
JOINT/1, SPHERICAL, I=20, J=11
FRICTION/1, JOINT=1, MU_STATIC=0.2, MU_DYNAMIC=0.2, STICTION_TRANSITION_VELOCITY=0.01, BALL_RADIUS=0.04, FRICTION_TORQUE_PRELOAD=0.1, EFFECT=SLIDING""").run(
            end=1, output=0.1, tolerance=1e-10, method="rk", signals=["part2.wx", "part2.wy", "part2.wz"])
        size = np.sqrt(sum(r[f"part2.w{x}"] ** 2 for x in "xyz"))
        w = np.linalg.norm(omega)
        assert size == pytest.approx(w - (0.2 * 0.04 * 2 * 9.80665 + 0.1) / 0.1 * r.t if w else 0 * r.t, abs=1e-7)
        if w:
            assert r["part2.wx"][0] / r["part2.wz"][0] == pytest.approx(r["part2.wx"][-1] / r["part2.wz"][-1], rel=1e-7)


def test_transfer_functions_have_their_coefficients_from_the_constant_on(tmp_path):
    """The step response of (2 + 3 s)/(1 + 4 s)."""
    r = adm(tmp_path, TWO + """ARRAY/1, X
ARRAY/2, U, VARIABLES=1
ARRAY/3, Y
VARIABLE/1, FUNCTION=1
TFSISO/1, X=1, U=2, Y=3, NUMERATOR=2,3, DENOMINATOR=1,4
VARIABLE/2, FUNCTION=ARYVAL(3,1)""").run(end=1, output=0.1, tolerance=1e-9, signals=["variable2"])
    assert r["variable2"] == pytest.approx(2 + (0.75 - 2) * np.exp(-r.t / 4), abs=1e-8)


@pytest.mark.parametrize("when, end", [("GE, VALUE=0.6, HALT", 0.3), ("EQ, VALUE=0.5, RETURN", 0.2), ("VALUE=0.4, HALT, ERROR=0.01", 0.1), ("LE, VALUE=0.6, HALT", 0.5), ("GE, VALUE=0.6", 0.5)])
def test_sensors_end_a_run_where_they_are_passed(tmp_path, when, end):
    """x = 0.3 + t."""
    text = "PART/2, MASS=1, CM=20, IP=1,1,1, QG=0.3,0,0, VX=1\nMARKER/20, PART=2\n"
    r = adm(tmp_path, text + f"SENSOR/1, FUNCTION=DX(20), {when}").run(end=0.5, tolerance=1e-9, signals=["part2.x"])
    assert r.t[-1] == pytest.approx(end, abs=1e-12)


def test_contacts_push_as_the_function_impact(tmp_path):
    """A ball that falls on a plane: m z'' = IMPACT(z - R, z', 0, k, e, c, d) - m g, by steps of Runge and Kutta."""
    k, e, c, d, m, R, g = 2e4, 1.3, 40, 1e-3, 2, 0.1, 9.80665
    model = adm(tmp_path, f"""MARKER/10, PART=1
PART/2, MASS={m}, CM=20, IP=1,1,1, QG=0,0,0.15
MARKER/20, PART=2
GRAPHICS/1, ELLIPSOID, CM=20, XSCALE={2 * R}, YSCALE={2 * R}, ZSCALE={2 * R}
GRAPHICS/2, PLANE, RM=10
CONTACT/1, IGEOM=1, JGEOM=2, IMPACT, STIFFNESS={k}, DAMPING={c}, DMAX={d}, EXPONENT={e}""")

    def push(z, v):
        depth = max(R - z, 0)
        s = min(depth / d, 1)
        return (max(k * depth**e - c * s * s * (3 - 2 * s) * v, 0) if depth else 0) / m - g

    z, v, h = 0.15, 0.0, 5e-6
    for _ in range(40000):
        a1 = push(z, v)
        a2 = push(z + h / 2 * v, v + h / 2 * a1)
        a3 = push(z + h / 2 * (v + h / 2 * a1), v + h / 2 * a2)
        a4 = push(z + h * (v + h / 2 * a2), v + h * a3)
        z, v = z + h * v + h * h / 6 * (a1 + a2 + a3), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    r = model.run(end=0.2, tolerance=1e-10, method="rk", signals=["part2.z", "part2.vz"])
    assert [r["part2.z"][-1], r["part2.vz"][-1]] == pytest.approx([z, v], abs=2e-6)
    assert v > 0.1  # it has bounced


def test_a_bead_slides_down_its_wire(tmp_path):
    """On z = x^2, through whose points a cubic goes exactly: v^2 = 2 g (h - z)."""
    r = hm.Model.from_adm(FILES / "twins/curve.adm").run(end=1, output=0.05, tolerance=1e-9, method="rk", signals=["part2.x", "part2.z", "part2.vx", "part2.vz"])
    assert r["part2.z"] == pytest.approx(r["part2.x"] ** 2, abs=1e-9)
    assert r["part2.vx"] ** 2 + r["part2.vz"] ** 2 == pytest.approx(2 * 9.80665 * (1 - r["part2.z"]), abs=1e-7)


@pytest.mark.parametrize("order", [1, -1])
def test_a_cam_moves_its_follower(tmp_path, order):
    """A circle of 0.3 m about a point 0.1 m beside the shaft, which turns evenly: the distance along the rail, in any sense of the points and from any of them on."""
    n = 72
    at = [(0.1 + 0.3 * math.cos(order * 2 * math.pi * k / n + 2), 0.3 * math.sin(order * 2 * math.pi * k / n + 2)) for k in range(n + 1)]
    values = ", ".join(f"{x!r},{y!r},0" for x, y in at[:-1] + at[:1])
    m = adm(tmp_path, f"""MARKER/11, PART=1
MARKER/12, PART=1, REULER=90D,90D,0
PART/3, MASS=1, CM=30, IP=0.1,0.1,0.1
MARKER/30, PART=3
JOINT/1, REVOLUTE, I=30, J=11
MOTION/1, JOINT=1, FUNCTION=7*TIME
PART/4, MASS=1, CM=40, IP=0.1,0.1,0.1, QG=0.4,0,0
MARKER/40, PART=4, REULER=90D,90D,0
JOINT/2, TRANSLATIONAL, I=40, J=12
MATRIX/1, FULL=RORDER, M={n + 1}, N=3, VALUES={values}
CURVE/1, CLOSED, CURVE_POINTS, MATRIX=1
PTCV/1, CURVE=1, I=40, RM=30""")
    r = m.run(end=1, tolerance=1e-8, method="rk", signals=["part4.x"])
    assert r["part4.x"] == pytest.approx(0.1 * np.cos(7 * r.t) + np.sqrt(0.09 - 0.01 * np.sin(7 * r.t) ** 2), abs=2e-6)


# ---- functions ------------------------------------------------------------------------------------------------------

CONSTANT = {  # value of a function by a formula of its own
    "2**3**2": 512, "-2**2": -4, "1.5D2+1.0E-1": 150.1, "90D": math.pi / 2, "PI*RTOD": 180, "DTOR": math.pi / 180, ".5 + 3.": 3.5, "6/2*3": 9,
    "ABS(-2)": 2, "MAX(1,2)+MIN(1,2)": 3, "MOD(7,4)": 3, "SIGN(3,-2)": -3, "SIGN(-3,0)": 3, "DIM(5,3)+DIM(3,5)": 2, "AINT(-2.7)": -2,
    "ATAN2(1,-1)": 0.75 * math.pi, "SQRT(2)*EXP(1)+LOG(2)-LOG10(100)": math.sqrt(2) * math.e + math.log(2) - 2,
    "IF(-1:2,3,4)+10*IF(0:2,3,4)+100*IF(1: 2, 3, 4)": 432,
    "STEP(0.25,0,1,1,3)": 1 + 2 * (3 * 0.25**2 - 2 * 0.25**3), "STEP5(0.25,0,1,1,3)": 1 + 2 * (10 * 0.25**3 - 15 * 0.25**4 + 6 * 0.25**5),
    "HAVSIN(0.25,0,1,1,3)": 2 - math.cos(math.pi / 4), "POLY(3,1,5,6,7)": 5 + 12 + 28, "SHF(2,1,3,4,0.5,6)": 3 * math.sin(3.5) + 6,
    "FORCOS(2,1,3,4,5,6)": 4 + 5 * math.cos(3) + 6 * math.cos(6), "FORSIN(2,1,3,4,5,6)": 4 + 5 * math.sin(3) + 6 * math.sin(6),
    "IMPACT(0.9,-2,1,100,2,3,0.2)": 100 * 0.1**2 + 3 * 2 * 0.5, "IMPACT(1.1,-2,1,100,2,3,0.2)": 0,
    "BISTOP(2.1,2,1,2,100,2,3,0.2)": -(100 * 0.1**2 + 3 * 2 * 0.5), "BISTOP(1.5,2,1,2,100,2,3,0.2)": 0,
    "step( 0.25 , 0,\n,1,1,3) +\n, sin(90d)": 1 + 2 * (3 * 0.25**2 - 2 * 0.25**3) + 1,
}


def test_functions_have_the_values_of_their_formulas(tmp_path):
    text = "".join(f"VARIABLE/{k}, FUNCTION={f}\n" for k, f in enumerate(CONSTANT, 1))
    r = adm(tmp_path, TWO + text).run(end=1e-3, signals=[f"variable{k + 1}" for k in range(len(CONSTANT))])
    assert {f: r[f"variable{k}"][0] for k, f in enumerate(CONSTANT, 1)} == pytest.approx(CONSTANT, rel=1e-13, abs=1e-13)


def test_measures_are_those_between_their_markers(tmp_path):
    """Of markers with known places and motions, by vectors; angles of known turns."""
    measured = ["DX(21,30,31)", "DY(21,30)", "DZ(21)", "DX(21,0,31)", "DM(21,30)", "VX(21,30,31,1)", "VY(21,30)", "VZ(21,30,31,31)", "VR(21,30)", "VM(21,30)",
                "WX(21,30,31)", "WM(21,30)", "AZ(31,32)", "AX(33)", "AY(33)", "AZ(33)", "AZ(33,0)", "AZ(1,33)", "PSI(31,1)", "THETA(31,1)", "PHI(31,1)", "YAW(33)", "PITCH(33)", "ROLL(33)", "ORIENT(27,3,21,31)"]
    text = TWO + BETWEEN + "MARKER/1, PART=1\nMARKER/32, PART=3, " + in_part3(I[0], TURN @ about(2, -35)) + "\nMARKER/33, PART=3, " + in_part3(I[0], about(2, 20) @ about(1, 30) @ about(0, 40)) + "\n"
    r = adm(tmp_path, text + "".join(f"VARIABLE/{k}, FUNCTION={f}\n" for k, f in enumerate(measured, 1))).run(end=1e-3, signals=[f"variable{k + 1}" for k in range(len(measured))])
    w2, v2, w3, v3 = np.array([1, 0.5, -1]), np.array([0.3, 0, 0]), J[1] @ [0, 0.7, 0], np.array([0, 0, 0.2])
    p21, p30, R21 = np.array([1, 0.2, 0.1]) + [0.2, 0.1, -0.1], J[0], I[1]
    d, v = p21 - p30, v2 + np.cross(w2, [0.2, 0.1, -0.1]) - v3
    Q = about(2, 20) @ about(1, 30) @ about(0, 40)
    a, b, c = math.atan2(TURN[0, 2], -TURN[1, 2]), math.acos(TURN[2, 2]), math.atan2(TURN[2, 0], TURN[2, 1])
    wanted = [TURN[:, 0] @ d, d[1], p21[2], TURN[:, 0] @ p21, np.linalg.norm(d), TURN[:, 0] @ v, v[1], TURN[:, 2] @ (v - np.cross(w3, d)), d @ v / np.linalg.norm(d),
              np.linalg.norm(v), TURN[:, 0] @ (w2 - w3), np.linalg.norm(w2 - w3), math.radians(35), math.atan2(-Q[1, 2], Q[2, 2]), math.atan2(Q[0, 2], Q[2, 2]),
              *[math.atan2(Q[1, 0], Q[0, 0])] * 2, math.atan2(Q[0, 1], Q[0, 0]), a, b, c, *map(math.radians, (20, -30, 40)), quaternion(TURN.T @ R21)[2]]
    assert {f: r[f"variable{k}"][0] for k, f in enumerate(measured, 1)} == pytest.approx(dict(zip(measured, wanted)), rel=1e-12, abs=1e-12)


def turn_of(r, body):
    w, x, y, z = (r[f"{body}.q{c}"][-1] for c in "wxyz")
    u = np.array([x, y, z])
    return (w * w - u @ u) * np.eye(3) + 2 * np.outer(u, u) + 2 * w * np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def test_reactions_are_those_on_either_end_along_any_axes(tmp_path):
    """Of a sliding joint, whose markers are apart: the wrench on J is that on I, turned round, about another point."""
    place = I[0] - SHIFT
    functions = [f"JOINT(1,{end},{k},{rm})" for end in (0, 1) for rm in (0, 31) for k in range(1, 9)] + [f"F{x}(21,31,31)" for x in "XYZ"] + [f"T{x}(31,21)" for x in "XYZ"]
    text = TWO + f"MARKER/31, PART=3, {in_part3(place, I[1])}\nJOINT/1, TRANS, I=21, J=31\n" + "".join(f"VARIABLE/{k}, FUNCTION={f}\n" for k, f in enumerate(functions, 1))
    n = len(functions)
    r = adm(tmp_path, text).run(end=0.4, output=0.4, tolerance=1e-8, signals=["joint1", "part2", "part3", "part2.marker21", "part3.marker31"] + [f"variable{k + 1}" for k in range(n)])

    A2 = turn_of(r, "part2") @ euler(20, 30, 10)
    A3 = turn_of(r, "part3") @ J[1].T @ I[1]
    F, T = (A2 @ [r[f"joint1.{c}{x}"][-1] for x in "xyz"] for c in "FT")
    arm = np.array([r[f"part2.marker21.{x}"][-1] - r[f"part3.marker31.{x}"][-1] for x in "xyz"])
    assert np.linalg.norm(np.cross(arm, F)) > 1e-2
    on = {0: (F, T), 1: (-F, -T - np.cross(arm, F))}
    wanted = []
    for end in (0, 1):
        f, t = on[end]
        for R in (np.eye(3), A3):
            wanted += [np.linalg.norm(f), *(R.T @ f), np.linalg.norm(t), *(R.T @ t)]
    wanted += [*(A3.T @ F), *(-T - np.cross(arm, F))]
    assert [r[f"variable{k}"][-1] for k in range(1, n + 1)] == pytest.approx(wanted, rel=1e-9, abs=1e-9)


ACTING = {  # between 21 of part 2 and 31 of part 3: where 31 is and how it is turned
    **{f"JOINT/1, {w}, I=21, J=31": (I[0], R) for w, R in
       {"REVOLUTE": TURN, "SPHERICAL": np.eye(3), "FIXED": I[1], "UNIVERSAL": I[1] @ about(0, 90), "HOOKE": I[1], "CONVEL": I[1] @ about(0, 160)}.items()},
    "JOINT/1, CYLINDRICAL, I=21, J=31": (I[0] - SHIFT, TURN), "JOINT/1, PLANAR, I=21, J=31": (I[0] + 0.3 * I[1][:, 0], TURN),
    "JPRIM/1, INLINE, I=21, J=31": (I[0] - SHIFT, I[1] @ about(2, 10)), "JPRIM/1, INPLANE, I=21, J=31": (I[0] + 0.3 * I[1][:, 1], TURN),
    "JPRIM/1, ORIENTATION, I=21, J=31": (J[0], I[1]), "JPRIM/1, PERPENDICULAR, I=21, J=31": (J[0], I[1] @ about(0, 90)),
    "JOINT/1, TRANS, I=21, J=31\nMOTION/1, JOINT=1, FUNCTION=0.2*TIME**2": (I[0] - SHIFT, I[1]),
    "JOINT/1, REV, I=21, J=31\nMOTION/1, JOINT=1, FUNCTION=SIN(2*TIME)": (I[0], TURN),
    "GCON/1, I=21, J=31, FUNCTION=DM(21,31)-0.3": (I[0] - 1.5 * SHIFT, TURN),
    **{text: (J[0] + [0.3, 0.2, 0.1], TURN) for text in FORCES if "ACTIONONLY" not in text and "FORCE=1," not in text and "LENGTH=0.1," not in text and "JFLOAT" not in text},
    "GFORCE/1, I=21, JFLOAT=31, RM=1, FX=1\\FZ=2\\TY=2*TIME": "JFLOAT",
}


@pytest.mark.parametrize("text", ACTING)
def test_what_acts_on_a_part_is_what_moves_it(text, tmp_path):
    """Newton's and Euler's equations of both parts, on which nothing acts but gravity and what is measured on I and on J."""
    at = ACTING[text]
    place = "FLOATING" if at == "JFLOAT" else in_part3(*at)
    functions = [f"{k}{x}({ends})" for ends in ("21,31", "31,21") for k in "FT" for x in "XYZ"] + [f"{k}({ends})" for ends in ("21,31", "31,21") for k in ("FM", "TM")]
    text = TWO + f"MARKER/1, PART=1\nMARKER/31, PART=3, {place}\n{text}\n" + "".join(f"VARIABLE/{k}, FUNCTION={f}\n" for k, f in enumerate(functions, 1))
    r = adm(tmp_path, text).run(end=0.1, output=0.1, tolerance=1e-8, signals=["part2", "part3", "part2.marker21"] + ([] if at == "JFLOAT" else ["part3.marker31"]) + [f"variable{k + 1}" for k in range(len(functions))])
    acts = np.array([r[f"variable{k + 1}"][-1] for k in range(len(functions))])
    assert np.abs(acts).max() > 1e-2
    for body, mass, inertia, n, marker in ((2, 2, [0.3, 0.4, 0.5], 0, "part2.marker21"), (3, 1, [0.1, 0.2, 0.25], 6, "part2.marker21" if at == "JFLOAT" else "part3.marker31")):
        name = f"part{body}"
        R, w, alpha, a = turn_of(r, name), *(np.array([r[f"{name}.{k}{x}"][-1] for x in "xyz"]) for k in ("w", "al", "a"))
        arm = np.array([r[f"{marker}.{x}"][-1] - r[f"{name}.{x}"][-1] for x in "xyz"])
        F, T = acts[n : n + 3], acts[n + 3 : n + 6]
        H = R @ np.diag(inertia) @ R.T
        assert F == pytest.approx(mass * (a + [0, 0, 9.80665]), abs=1e-7)
        assert T == pytest.approx(H @ alpha + np.cross(w, H @ w) - np.cross(arm, F), abs=1e-7)
        assert acts[12 + n // 3 : 14 + n // 3] == pytest.approx([np.linalg.norm(F), np.linalg.norm(T)], abs=1e-9)
