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


def test_has_every_field_of_the_library():
    from holonom import assembly
    from holonom._native import ffi

    for cls, struct in ((assembly.Assembly, "hol_assembly"), (assembly.AssemblyValue, "hol_assembly_value"), (assembly.AssemblyJoint, "hol_assembly_joint")):
        mine = {one.metadata.get("member", one.name) for one in fields(cls)} | {one.metadata["count"] for one in fields(cls) if "count" in one.metadata}
        assert {name for name, _ in ffi.typeof(struct).fields} - mine == set()
