"""Equilibria."""
import math
import pickle
from dataclasses import fields

import pytest

import holonom as hm


def test_a_pendulum_hangs(pendulum):
    s = pendulum.static()
    (point,) = s.points
    assert point.stable and point.growth == 0 and len(s) == 1 and s[0] is point
    assert s["bob.x"] == pytest.approx(0, abs=1e-12) and s["bob.y"] < 0 and s["energy.potential"] == pytest.approx(point.potential)
    assert point.softest == "bob" and point.stiffness_unit == "N/m" and point.shape.shape == (1, 6)
    assert "stable" in repr(s) and pickle.loads(pickle.dumps(s))["bob.y"] == s["bob.y"]
    with pytest.raises(KeyError, match="no such signal"):
        s["bob.yy"]


def test_what_nothing_holds():
    """A bar on a smooth floor: x and the turn about z of the file's hinge are free."""
    m = hm.Model.from_dict({"dimension": 2, "gravity": [0, -9.81], "bodies": [{"name": "b", "mass": 1, "inertia": 1}],
                            "joints": [{"name": "j", "type": "in-line", "between": ["ground", "b"]}]})
    (point,) = m.static().points
    assert point.neutral == 2 and point.free_motion.shape == (2, 1, 6) and math.isnan(point.stiffness) and point.softest is None


def test_unstable_and_none():
    m = hm.Model("models/double_pendulum.yaml")
    assert m.static().points[0].stable
    stone = hm.Model.from_dict({"dimension": 2, "gravity": [0, -9.81], "bodies": [{"name": "stone", "type": "point", "mass": 1}]})
    with pytest.raises(hm.HolonomError, match="no equilibrium is found"):
        stone.static()


def test_a_pose_is_a_start(tmp_path):
    m = hm.Model("models/double_pendulum_3d.yaml")
    out = tmp_path / "rest.csv"
    s = m.static(write=out)
    r = hm.read(out)
    assert len(r.t) == 1 and r["link2.z"][0] == s["link2.z"] if "link2.z" in s.signals else len(r.t) == 1
    again = hm.Model.from_dict({"include": str(m.file) if hasattr(m, "file") else "models/double_pendulum_3d.yaml", "pose": s.pose()})
    assert again.static().points[0].iterations <= 5


TRUSS = {"dimension": 2, "gravity": [0, 0], "length_scale": 1, "parameters": {"load": 0},
         "bodies": [{"name": "apex", "type": "point", "mass": 1, "position": [0, 0.35]}],
         "forces": [*({"name": f"s{x}", "type": "spring-damper", "between": [{"ground": [side, 0]}, "apex"], "stiffness": 2000} for x, side in enumerate((-1, 1))),
                    {"name": "f", "type": "force", "on": "apex", "value": [0, "-load"]}],
         "constraints": [{"name": "line", "position": "DX(apex)"}]}


def test_a_branch_with_a_fold():
    """The fold of tests/reference/analyses/statics.json, S2."""
    s = hm.Model.from_dict(TRUSS).static(vary="load=0..60")
    (fold,) = [one for one in s.points if one.at == "fold"]
    assert s.parameter == "load" and s.ended is None and fold.parameter == pytest.approx(31.12912515497973, abs=1e-9)
    assert s["apex.y"].shape == (len(s),) and s.points[0].stable and not s.points[-1].stable
    with pytest.raises(hm.HolonomError, match="no parameter"):
        hm.Model.from_dict(TRUSS).static(vary="lood=0..60")


def test_trimmed_parameters():
    m = hm.Model.from_dict({**TRUSS, "static": {"trim": {"parameters": ["load"], "hold": [{"signal": "apex.y", "value": 0.2914751066940558}]}}})
    assert m.static().trimmed == {"load": pytest.approx(20, abs=1e-9)}  # tests/reference/analyses/statics.json, S2


def test_every_field_of_the_library_is_there():
    from holonom._native import ffi
    from holonom.statics import StaticPoint, Statics

    for cls, struct, apart in ((StaticPoint, "hol_static_point", set()), (Statics, "hol_statics", {"kind", "point", "n_points", "n_trimmed", "trim_value"})):
        mine = {one.metadata.get("member", one.name) for one in fields(cls)} | {one.metadata.get("count") for one in fields(cls)} | apart
        assert {name for name, _ in ffi.typeof(struct).fields} - mine == set()
