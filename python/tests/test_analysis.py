"""Check, modes, advice, texts."""
import math
import pickle

import numpy as np
import pytest
from conftest import PENDULUM

import holonom as hm


def test_check_counts():
    c = hm.Model("models/four_bar.yaml").check()
    assert (c.dimension, c.bodies, c.coordinates, c.constraints, c.rank, c.degrees_of_freedom) == (2, 5, 15, 14, 14, 1)
    assert c.title == "N-four-bar" and c.redundant == [] and c.gravity and c.tree.roots == 3 and c.tree.cut == ["C0", "C1"]


def test_check_prints_what_the_program_does():
    text = str(hm.Model("models/four_bar.yaml").check())
    assert text.startswith("N-four-bar\n  bodies                5\n") and "joints close as drawn" in text


def test_check_of_redundant_joints():
    c = hm.Model("models/bricard.yaml").check()
    assert len(c.loops) >= 1 and c.loops[0].redundant == len(c.loops[0].groups) and c.loops[0].joints
    assert all(isinstance(one.joint, str) and one.direction for group in c.loops[0].groups for one in group.equations)
    assert c.components["shared"] > 0 or c.components["unique"] > 0
    assert {word for one in c.reactions for word in one.components.values()} <= set(c.components)


def test_check_has_every_field_of_the_library():
    """holonom.h and the classes say the same; what is counted here is the length of a list there."""
    from dataclasses import fields

    from holonom import analysis
    from holonom._native import ffi

    def names(struct):
        return {name for name, _ in ffi.typeof(struct).fields}

    def counts(cls):
        return {one.metadata["count"] for one in fields(cls) if isinstance(one.metadata.get("count"), str)}

    for cls, struct, apart in (
            (analysis.Check, "hol_check", {"n_reactions", "reaction", "kinks", "n_masses", "mass", "n_contacts", "contact"}), (analysis.Loop, "hol_redundant_loop", set()), (analysis.Tree, "hol_tree_check", set()),
            (analysis.Replacement, "hol_replacement", set()), (analysis.Equation, "hol_redundancy", set()), (analysis.Warning, "hol_warning", set()),
            (analysis.Dependency, "hol_dependency", set()), (analysis.Modes, "hol_modes", {"n", "metric", "mode"}),
            (analysis.Advice, "hol_advice", {"n_reasons", "reason"})):
        mine = {one.metadata.get("member", one.name) for one in fields(cls)} | counts(cls) | apart
        assert names(struct) - mine == set(), cls.__name__
        lists = {one.name for one in fields(cls) if "list" in str(one.type)}
        assert all(name.endswith("s") or name in ("redundant", "cut", "instantaneous", "idle", "switched") for name in lists), lists


def test_counts_of_kinks():
    c = hm.Model("models/hydraulic.yaml").check()
    assert c.n_kinks >= len(c.kinks) > 0 and all(isinstance(one, str) for one in c.kinks)


def test_check_warnings():
    m = hm.Model.from_dict({**PENDULUM, "bodies": [*PENDULUM["bodies"], {"name": "far", "mass": 1e12, "inertia": 1e12, "position": [5, 5]}]})
    warnings = m.check().warnings
    assert warnings and all(one.name and one.text for one in warnings) and str(warnings[0]).startswith(warnings[0].name)


def test_masses_of_shapes():
    """A ball of 1 kg/m^3: 4/3 pi r^3, and 2/5 m r^2 about every axis."""
    m = hm.Model.from_dict({"dimension": 3, "bodies": [{"name": "ball", "density": 1, "shape": {"type": "sphere", "radius": 2, "position": [1, 0, 0]}}]})
    (ball,) = m.check().masses
    mass = 4 / 3 * math.pi * 8
    assert ball.body == "ball" and ball.mass == pytest.approx(mass) and ball.centre == (1, 0, 0)
    assert ball.inertia == pytest.approx((0.4 * mass * 4,) * 3 + (0,) * 3)


def test_checks_are_pickled(pendulum):
    c = pendulum.check()
    assert pickle.loads(pickle.dumps(c)) == c and "1 degrees of freedom" in repr(c)


def test_modes_of_a_pendulum(pendulum):
    """Small oscillations of a point mass: omega = sqrt(g/L)."""
    modes = pendulum.set("bodies.bob.position=[0, -L]").modes()
    assert len(modes) == 1 and modes[0].kind == "oscillation" and modes.equilibrium
    assert modes[0].omega == pytest.approx(math.sqrt(9.81), rel=1e-12)
    assert modes.frequencies == pytest.approx([math.sqrt(9.81) / (2 * math.pi)])
    assert modes[0].eigenvalue == pytest.approx(1j * math.sqrt(9.81)) and modes.eigenvalues.shape == (1,)


def test_shapes_of_modes(pendulum):
    modes = pendulum.set("bodies.bob.position=[0, -L]").modes()
    assert modes.coordinates == ["bob.x", "bob.y"] and modes.units == ["m", "m"] and modes.bodies == ["bob"]
    mode = modes[0]
    assert mode.shape.dtype == complex and mode.shape.shape == (2,) and mode.share == pytest.approx([1]) and mode.state.shape == (0,)
    assert 2 * abs(mode.shape[0]) ** 2 == pytest.approx(1)  # unit modal mass, m = 2


def test_modes_find_an_equilibrium():
    m = hm.Model("models/double_pendulum.yaml")
    modes = m.modes(equilibrium=True)
    assert modes.equilibrium and modes.warning is None and len(modes) == modes.n_all == 3  # one pair, two reals


def test_modes_elsewhere_have_a_warning(pendulum):
    modes = pendulum.modes(at=0.1)
    assert not modes.equilibrium and modes.warning and modes.time == pytest.approx(0.1)


@pytest.mark.parametrize("options", [{"at": -1}, {"at": math.nan}, {"metric": "length"}, {"count": -1}, {"equilibrium": True, "metric": "masss"}])
def test_modes_that_cannot_be(pendulum, options):
    with pytest.raises(hm.UsageError):
        pendulum.modes(**options)


def test_modes_show_themselves(pendulum):
    modes = pendulum.modes()
    assert "Hz" in repr(modes) and pickle.loads(pickle.dumps(modes)).frequencies == pytest.approx(modes.frequencies, nan_ok=True)


def test_advice(pendulum):
    advice = pendulum.advise()
    assert advice.method in hm.methods() and advice.reasons and advice.because and advice.tolerance == 0
    with pytest.raises(hm.UsageError):
        pendulum.advise(7)


def test_auto_takes_the_advice(pendulum):
    assert pendulum.run(method="auto", end=0.1).statistics["method"] == pendulum.advise().method


@pytest.mark.parametrize("describe, name", [(hm.methods, "newmark"), (hm.elements, "revolute")])
def test_texts(describe, name):
    everything, one = describe(), describe(name)
    assert name in everything and len(one) < len(everything) and repr(one) == one and name in one.markdown
    with pytest.raises(hm.UsageError, match="did you mean"):
        describe(name[:-1])


def test_schema():
    schema = hm.schema()
    assert schema["type"] == "object" and "bodies" in schema["properties"]
