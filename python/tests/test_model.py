"""Models: made, read, edited, written."""
import json
import math
import pickle

import numpy as np
import pytest
from conftest import MODELS, PENDULUM

import holonom as hm


def test_of_a_file_with_parameters():
    m = hm.Model("models/four_bar.yaml", N=3)
    assert m.check().bodies == 7  # 4 cranks, 3 couplers
    assert m.parameters["N"] == 3


def test_a_path_object_is_a_file():
    assert hm.Model(MODELS / "pendulum.yaml").title == "simple pendulum"


def test_repr_has_title_file_and_parameters():
    assert repr(hm.Model("models/four_bar.yaml")) == '<Model "N-four-bar", models/four_bar.yaml: N = 2, L = 1, m = 1>'


def test_repr_of_a_model_without_anything():
    assert repr(hm.Model()) == "<Model>"


def test_text_gives_the_same_model(pendulum):
    again = hm.Model.from_text(pendulum.text)
    assert np.array_equal(again.run().array, pendulum.run().array)


def test_to_dict_and_back(pendulum):
    assert pendulum.to_dict() == PENDULUM
    assert hm.Model.from_dict(pendulum.to_dict()).text == pendulum.text


def test_json_is_yaml():
    assert hm.Model.from_text(json.dumps(PENDULUM)).to_dict() == PENDULUM


def test_dict_with_arrays_of_numpy():
    content = dict(PENDULUM, gravity=np.array([0, -9.81]), parameters={"L": np.float64(1), "m": np.int32(2)})
    assert hm.Model.from_dict(content).to_dict() == PENDULUM


def test_dict_with_tuples():
    assert hm.Model.from_dict(dict(PENDULUM, gravity=(0, -9.81))).to_dict() == PENDULUM


def test_numbers_keep_their_bits(pendulum):
    for value in (0.1, 1 / 3, 5e-324 * 2**60, 1.7976931348623157e100, 123456789.123456789):
        pendulum.parameters["L"] = value
        assert pendulum.parameters["L"] == value
        assert f"L: {value!r}" in pendulum.text or float(hm.Model.from_text(pendulum.text).parameters["L"]) == value


def test_dict_without_dimension_is_told():
    with pytest.raises(hm.ModelError, match="dimension"):
        hm.Model.from_dict({key: value for key, value in PENDULUM.items() if key != "dimension"})


def test_dict_of_a_wrong_type():
    with pytest.raises(TypeError, match="a dict is wanted"):
        hm.Model.from_dict([1, 2])


@pytest.mark.parametrize("value", [object(), {1, 2}, b"bytes", lambda: 0])
def test_dict_with_values_that_are_none(value):
    with pytest.raises(TypeError):
        hm.Model.from_dict(dict(PENDULUM, parameters={"L": value}))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite(pendulum, value):
    with pytest.raises(hm.UsageError, match="finite"):
        pendulum.parameters["L"] = value
    assert pendulum.parameters["L"] == 1
    assert pendulum.run().complete


def test_keys_that_are_no_texts():
    with pytest.raises(TypeError, match="keys"):
        hm.Model.from_dict(dict(PENDULUM, parameters={1: 2}))


def test_an_unknown_parameter_is_refused_with_a_way_out():
    with pytest.raises(hm.HolonomError, match="there are N, L, m"):
        hm.Model("models/four_bar.yaml", NN=3)


def test_made_by_hand():
    m = hm.Model(title="by hand", dimension=2)
    m.gravity = [0, -9.81]
    m.add("bodies", name="rod", mass=1.2, inertia=0.1, position=[0.5, 0], markers={"left": [-0.5, 0]})
    m.add("joints", name="hinge", type="revolute", between=["ground", "rod.left"])
    m["simulate"] = {"end": 0.5}
    check = m.check()
    assert (check.bodies, check.degrees_of_freedom, check.title) == (1, 1, "by hand")
    assert m.run().complete


def test_add_returns_the_item():
    m = hm.Model()
    body = m.add("bodies", name="a", mass=1)
    assert isinstance(body, hm.Item) and body.mass == 1 and body.name == "a"
    assert m.add("bodies", name="b", mass=2) == m.bodies["b"] != body


def test_set_takes_paths_and_parameters(pendulum):
    assert pendulum.set("bodies.bob.mass=3", "simulate.end=0.5", L=2) is pendulum
    assert pendulum.bodies["bob"].mass == 3 and pendulum["simulate"].end == 0.5 and pendulum.parameters["L"] == 2


@pytest.mark.parametrize("wrong", ["", "L", "=3", "parameters.L=", "parameters.L=1\nm=2", "\0"])
def test_set_refuses_what_is_no_path(pendulum, wrong):
    before = pendulum.text
    with pytest.raises(hm.HolonomError):
        pendulum.set(wrong)
    assert pendulum.text == before
    assert pendulum.run().complete  # the error is forgotten


def test_keys_that_there_are_not_are_told_when_the_model_is_used(pendulum):
    pendulum.set("no.such.thing=3")
    with pytest.raises(hm.ModelError, match="no"):
        pendulum.run()


def test_item_at_a_path(pendulum):
    assert pendulum["bodies.bob.mass"] == "m"
    assert pendulum["bodies.bob"] == pendulum.bodies["bob"]


def test_copies_do_not_depend_on_each_other(pendulum):
    other = pendulum.copy(L=2)
    assert (pendulum.parameters["L"], other.parameters["L"]) == (1, 2)
    other.bodies["bob"].mass = 7
    assert pendulum.bodies["bob"].mass == "m"


def test_write_and_read(pendulum, tmp_path):
    pendulum.write(tmp_path / "model.yaml")
    again = hm.Model(tmp_path / "model.yaml")
    assert again.to_dict() == PENDULUM
    assert np.array_equal(again.run().array, pendulum.run().array)


def test_write_where_nothing_can_be_written(pendulum):
    with pytest.raises(hm.FileError):
        pendulum.write("/no/such/folder/model.yaml")
    assert pendulum.run().complete


def test_a_model_may_be_written_over_its_file(tmp_path):
    path = tmp_path / "model.yaml"
    path.write_text((MODELS / "pendulum.yaml").read_text())
    m = hm.Model(path)
    m.parameters["L"] = 2
    m.write(path)
    assert hm.Model(path).parameters["L"] == 2


def test_changes_take_effect(pendulum):
    before = pendulum.run()
    pendulum.parameters["L"] = 2
    after = pendulum.run()
    assert before["bob.x"][0] == 1 and after["bob.x"][0] == 2


def test_run_keywords_do_not_change_the_model(pendulum):
    before = pendulum.text
    assert pendulum.run(end=0.5, tolerance=1e-4, output=0.1).t.size == 6
    assert pendulum.text == before


def test_a_wrong_change_is_told_when_the_model_is_used(pendulum):
    pendulum.bodies["bob"].mass = -1
    with pytest.raises(hm.ModelError, match="mass") as caught:
        pendulum.run()
    assert "bob" in str(caught.value)
    pendulum.bodies["bob"].mass = 1
    assert pendulum.run().complete


def test_pickle_has_the_same_bits():
    m = hm.Model("models/four_bar.yaml", N=3)
    m.bodies["crank{i}"].mass = 1.5
    again = pickle.loads(pickle.dumps(m))
    assert again.to_dict() == m.to_dict()
    assert np.array_equal(again.run(end=0.5).array, m.run(end=0.5).array)


def test_pickle_of_a_file_goes_elsewhere(tmp_path, monkeypatch):
    data = pickle.dumps(hm.Model("models/pendulum.yaml"))
    monkeypatch.chdir(tmp_path)
    assert pickle.loads(data).run(end=0.1).complete


def test_graph(pendulum):
    dot = pendulum.graph()
    assert dot.startswith("graph") and "bob" in dot


def test_attributes_that_are_methods_are_not_overwritten(pendulum):
    for name in ("run", "simulate", "check", "text"):
        with pytest.raises(AttributeError):
            setattr(pendulum, name, 3)


def test_attributes_that_are_missing(pendulum):
    with pytest.raises(AttributeError, match='no "bodie"; did you mean "bodies"'):
        pendulum.bodie


def test_dir_lists_keys(pendulum):
    assert {"bodies", "joints", "run"} <= set(dir(pendulum))


def test_no_method_hides_a_key_of_model_files():
    """Attributes of items are keys of the model file; `simulate` of a model is the one exception that is documented."""
    def keys(schema):
        if isinstance(schema, dict):
            yield from schema.get("properties", {}) if isinstance(schema.get("properties"), dict) else ()
            for value in schema.values():
                yield from keys(value)
        elif isinstance(schema, list):
            for value in schema:
                yield from keys(value)

    known = set(keys(hm.schema()))
    assert len(known) > 100
    assert {name for name in dir(hm.Item) if not name.startswith("_")} & known == set()
    top = set(hm.schema()["properties"])
    assert {name for name in dir(hm.Model) if not name.startswith("_")} & top == {"simulate"}


@pytest.mark.parametrize("given", [{"dimension": 3}, {"dimension": 2}, {"title": "a"}])
def test_what_stands_in_the_file_is_not_given(given):
    with pytest.raises(hm.UsageError, match="stands in the file"):
        hm.Model("models/pendulum.yaml", **given)
