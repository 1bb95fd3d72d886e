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


def test_words_of_flags_may_be_parameters():
    model = hm.Model.from_text("""
dimension: 2
parameters: {off: 2}
bodies: [{name: a, mass: off, inertia: 1, position: [0, off]}]
joints: [{name: j, type: revolute, between: [ground, a], active: yes}]
inputs: [{name: "on"}]
variables: [{name: "true", value: time}]
forces: [{name: f, type: force, on: a, value: ["on", "true"]}]
""")
    found = model.to_dict()
    assert found["forces"][0]["value"] == ["on", "true"]
    assert found["bodies"][0]["position"] == [0, "off"] and found["bodies"][0]["mass"] == "off" and found["joints"][0]["active"] is True
    assert hm.Model.from_dict(found).to_dict() == found


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
    """Attributes of items are keys of the model file; analyses are methods of a model, and keys of what they are told."""
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
    assert {name for name in dir(hm.Model) if not name.startswith("_")} & top == {"assemble", "inverse", "linearise", "simulate", "static"}


# ---- folders --------------------------------------------------------------------------------------------------


@pytest.fixture
def spline(tmp_path, monkeypatch):
    """A model with a table beside it, seen from the folder above."""
    below = tmp_path / "below"
    below.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (below / "pull.csv").write_text("t,f\n0,1\n1,2\n2,3\n")
    (below / "pulled.yaml").write_text("dimension: 2\nparameters: {m: 1}\nbodies: [{name: b, type: point, mass: m, position: [1, 0]}]\n"
                                       "splines: [{name: pull, file: pull.csv}]\n"
                                       "forces: [{name: f, type: force, on: b, value: ['AKISPL(time, 0, pull)', 0]}]\nsimulate: {end: 1}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


WAYS = {
    "file": lambda: hm.Model("below/pulled.yaml"),
    "text": lambda: hm.Model.from_text(open("below/pulled.yaml").read(), "below/pulled.yaml"),
    "text of a model": lambda: (lambda m: hm.Model.from_text(m.text, m.file))(hm.Model("below/pulled.yaml")),
    "dict of a model": lambda: (lambda m: hm.Model.from_dict(m.to_dict(), m.file))(hm.Model("below/pulled.yaml")),
    "changed": lambda: (lambda m: (m.bodies["b"].__setitem__("mass", 1), m)[1])(hm.Model("below/pulled.yaml")),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("use", [
    lambda m: m.run(), lambda m: m.run(end=0.5), lambda m: m.copy(m=2).run(), lambda m: m.simulate(end=0.5).advance(0.1), lambda m: m.run(end=0.5).page(),
    lambda m: hm.sweep(m, {"m": [1, 2]}, {"x": "b.x"}), lambda m: pickle.loads(pickle.dumps(m)).run(), lambda m: (m.parameters.__setitem__("m", 3), m.run()), lambda m: m.run().model.run(),
    lambda m: (m.write("written.yaml"), hm.Model("written.yaml").run()),
])
def test_files_are_found_from_another_folder(spline, monkeypatch, way, use):
    m = WAYS[way]()
    m.run()
    monkeypatch.chdir("elsewhere")
    use(m)


def test_models_without_a_file_keep_their_folder(spline, monkeypatch):
    monkeypatch.chdir("below")
    content = hm.Model("pulled.yaml").to_dict()
    made = [hm.Model.from_dict(content), hm.Model.from_text(open("pulled.yaml").read())]
    monkeypatch.chdir("..")
    for m in made:
        assert m.file is None
        m.run(end=0.5)
        m.parameters["m"] = 2
        assert m.run(end=0.5).complete and m.copy(m=3).run().complete


def test_the_file_of_a_model(spline, monkeypatch):
    m = hm.Model("below/pulled.yaml")
    assert m.file == m.copy().file == pickle.loads(pickle.dumps(m)).file == str(spline / "below" / "pulled.yaml")
    monkeypatch.chdir("below")
    assert m.file == str(spline / "below" / "pulled.yaml") and hm.Model(title="none").file is None


# ---- maps -----------------------------------------------------------------------------------------------------


def test_a_model_is_a_map(pendulum):
    assert list(pendulum) == pendulum.keys() == list(PENDULUM) and pendulum.get("no_such", 3) == 3 and pendulum.get("title") == "pendulum"
    assert dict(pendulum.items())["title"] == "pendulum" and dict(pendulum)["dimension"] == 2


def test_paths_are_read_and_set(pendulum):
    m = pendulum
    assert m["gravity[1]"] == -9.81 and m["bodies[0].mass"] == m["bodies.bob.mass"] == "m" and m["bodies.bob"] == m.bodies["bob"] and m["bodies[0].position[1]"] == 0
    assert "gravity[1]" in m and "gravity[2]" not in m and "bodies.bob.mass" in m and "bodies.bob.mas" not in m and m.get("bodies.bbo.mass") is None
    m["bodies.bob.mass"] = 7
    m["gravity[1]"] = -1.5
    m["bodies[0].position[1]"] = "L/2"
    m["hht.alpha"] = -0.1
    assert m.bodies["bob"].mass == 7 and m.gravity == (0, -1.5) and m.bodies[0].position == ("L", "L/2") and m["hht"].alpha == -0.1
    assert not any("." in key or "[" in key for key in m)
    del m["hht.alpha"]
    assert "hht.alpha" not in m


@pytest.mark.parametrize("path, kind, message", [
    ("bodies.bbo.mass", KeyError, 'did you mean "bob"'), ("gravity[5]", (KeyError, IndexError), "gravity"), ("title.x", (KeyError, hm.HolonomError), "title"),
    ("bodies.bob.markers.tip", KeyError, "markers")])
def test_paths_that_there_are_not(pendulum, path, kind, message):
    before = pendulum.text
    with pytest.raises(kind, match=message):
        pendulum[path] = 1
    assert pendulum.text == before


def test_what_fails_leaves_nothing(pendulum):
    for m in (pendulum, hm.Model("models/pendulum.yaml")):
        leaves_nothing(m)


def leaves_nothing(pendulum):
    before = pendulum.text
    for wrong in (lambda m: m.add("events", name=object()), lambda m: m.__setitem__("hht.alpha", object()), lambda m: m.__setitem__("hht", {"a": object()}),
                  lambda m: m.add("bodies", name=object())):
        with pytest.raises(TypeError):
            wrong(pendulum)
        assert pendulum.text == before


@pytest.mark.parametrize("edited", [False, True])
def test_set_is_all_or_nothing(pendulum, edited):
    m = hm.Model("models/pendulum.yaml")
    if edited:
        m.bodies["bob"].mass = 3
    before, item = m.text, m.bodies["bob"]
    for wrong in (["parameters.L=7", "bodies.bbo.mass=3"], ["parameters.L=7", "nonsense"], ["parameters.L=7", "bodies[9].mass=3"]):
        with pytest.raises(hm.HolonomError):
            m.set(*wrong)
        assert m.text == before and item.name == "bob"
    m.set("parameters.L=7", "simulate.end=3")
    assert m.parameters["L"] == 7 and m["simulate.end"] == 3


@pytest.mark.parametrize("word", ["yes", "no", "on", "1", "1e3", "0x10", "null", "~", "true"])
def test_titles_and_names_are_texts(word):
    content = {**PENDULUM, "title": word}
    m = hm.Model.from_dict(content)
    assert m.title == m.to_dict()["title"] == word and hm.Model.from_text(m.text).to_dict()["title"] == word
    m.parameters["name"] = m.parameters["title"] = 3
    assert m.parameters["name"] == m.parameters["title"] == m.to_dict()["parameters"]["title"] == 3
    m.bodies["bob"].name = word
    assert m.bodies[0].name == m.to_dict()["bodies"][0]["name"] == word


@pytest.mark.parametrize("wrong", [lambda: hm.Model(title="\ud800"), lambda: hm.Model(title="a\nb"), lambda: hm.Model("models/pendulum.yaml").__setitem__("gravity", [0, 10**400])])
def test_values_that_cannot_be(wrong):
    with pytest.raises(hm.UsageError):
        wrong()


@pytest.mark.parametrize("wrong", [
    lambda: hm.Model(title=3), lambda: hm.Model.from_text({"dimension": 2}), lambda: hm.Model.from_text(b"dimension: 2"), lambda: hm.Model.from_text(None),
    lambda: hm.Model("models/pendulum.yaml").set(3), lambda: hm.Model("models/pendulum.yaml").copy(L=b"5"), lambda: hm.Model.from_dict([1]),
    lambda: hm.Model("models/pendulum.yaml").run(out=3), lambda: hm.Model("models/pendulum.yaml").run(options=["a"]), lambda: hm.Model("models/pendulum.yaml").run(out=[3])])
def test_values_of_wrong_types(wrong):
    with pytest.raises(TypeError, match="is wanted"):
        wrong()


@pytest.mark.parametrize("given", [{"dimension": 3}, {"dimension": 2}, {"title": "a"}])
def test_what_stands_in_the_file_is_not_given(given):
    with pytest.raises(hm.UsageError, match="stands in the file"):
        hm.Model("models/pendulum.yaml", **given)
