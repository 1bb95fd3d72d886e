"""The start by itself."""
from dataclasses import fields

import pytest

import holonom as hm

MODEL = "tests/analyses/least_change.yaml"


def test_least_change():
    a = hm.Model(MODEL).assemble()
    assert a.closed and a.least and a.why is None
    assert a.change == pytest.approx(1.36310164510526, abs=1e-10) and a["crank.theta"] == pytest.approx(1.318861620332351, abs=1e-10)
    assert a.positions[2].name == "crank.theta" and a.positions[2].given and not a.positions[2].exact and a.positions[2].asked == 1.2
    assert [one.name for one in a.joints] == ["A", "B", "C", "D"] and max(one.open for one in a.joints) < 1e-14
    assert "change 1.3631" in repr(a)
    with pytest.raises(KeyError):
        a["crank.z"]


def test_exact():
    m = hm.Model(MODEL).set("bodies.crank.exact=angle", "bodies.crank.omega=2")
    a = m.assemble()
    assert a["crank.theta"] == pytest.approx(1.2, abs=1e-14) and a["crank.omega"] == pytest.approx(2, abs=1e-14)


def test_open_joints(tmp_path):
    a = hm.Model(MODEL, d=5).assemble()
    assert not a.closed and a.velocities == [] and "cannot be closed" in a.why and "open" in repr(a)
    a.write(tmp_path / "pose.yaml")
    assert "nearest pose" in (tmp_path / "pose.yaml").read_text()
    assert [(one.name, one.closes) for one in a.lengths] == [("a", pytest.approx(3)), ("b", pytest.approx(3.7)), ("c", pytest.approx(3.5)), ("d", pytest.approx(2.4))]
    assert [one.derivative for one in a.lengths] == pytest.approx([-1, -1, -1, 1], abs=1e-6) and a.sides == [] and a.poses == []
    assert all(hm.Model(MODEL, **({"d": 5} | {one.name: one.closes})).assemble().closed for one in a.lengths)


def test_all_poses(tmp_path):
    m = hm.Model(MODEL)
    a = m.assemble(all=True)
    assert len(a.poses) == 2 and a.n_reflections == 3 and [p.used for p in a.poses] == [True, False] and all(p.allowed for p in a.poses)
    assert a.poses[0].change == a.change and a.poses[1].change > a.change
    for p in a.poses:  # each line that is printed keeps its side
        for side in p.sides:
            other = hm.Model(MODEL).set(f"assemble.require={side.require}").assemble()
            assert other.closed and [s.value > 0 for s in other.sides if s.joint == side.joint] == [side.value > 0]
    a.write(tmp_path / "pose.yaml", pose=1)
    text = (tmp_path / "pose.yaml").read_text()
    assert "pose:\n  crank: {position: [" in text
    with pytest.raises(hm.UsageError):
        a.write(tmp_path / "pose.yaml", pose=2)
    assert m.assemble().poses == []


def test_requirement():
    a = hm.Model(MODEL).set("assemble.require=AZ(rocker, coupler) < 0").assemble()
    angle = {p.name: p.used for p in a.positions}
    assert a.closed and a.broken is None and a.least and -3.15 < (angle["rocker.theta"] - angle["coupler.theta"] - 6.283185307179586) < 0
    a = hm.Model(MODEL).set("assemble.require=DX(rocker) > 7").assemble()
    assert not a.closed and a.broken == "DX(rocker) > 7" and "does not hold" in a.why and a.velocities == []


def test_has_every_field_of_the_library():
    from holonom import assembly
    from holonom._native import ffi

    for cls, struct in ((assembly.Assembly, "hol_assembly"), (assembly.AssemblyValue, "hol_assembly_value"), (assembly.AssemblyJoint, "hol_assembly_joint"),
                        (assembly.AssemblySide, "hol_assembly_side"), (assembly.AssemblyCoordinate, "hol_assembly_coordinate"),
                        (assembly.AssemblyPose, "hol_assembly_pose"), (assembly.AssemblyLength, "hol_assembly_length")):
        mine = {one.metadata.get("member", one.name) for one in fields(cls)} | {one.metadata["count"] for one in fields(cls) if "count" in one.metadata}
        assert {name for name, _ in ffi.typeof(struct).fields} - mine == set()
