"""Items: what stands under the keys of a model."""
import numpy as np
import pytest

import holonom as hm


@pytest.fixture
def four_bar():
    return hm.Model("models/four_bar.yaml")


def test_values_by_key_and_attribute(four_bar):
    crank = four_bar.bodies["crank{i}"]
    assert crank["mass"] == crank.mass == "m"
    assert crank.inertia == "m*L^2/12" and crank.omega == -1


def test_items_by_number(four_bar):
    assert four_bar.bodies[0] == four_bar.bodies["crank{i}"]
    assert four_bar.bodies[-1].name == "coupler{i}"


def test_lists_of_scalars_are_tuples(four_bar):
    assert four_bar.gravity == (0, -9.81)
    assert four_bar.bodies[0].position == ("i*L", "L/2")


def test_maps_are_items(four_bar):
    markers = four_bar.bodies[0].markers
    assert isinstance(markers, hm.Item) and list(markers) == ["foot", "tip"]
    assert markers["tip"] == ("L/2", 0)


def test_length_iteration_and_membership(four_bar):
    assert len(four_bar.bodies) == 2 and len(four_bar.joints) == 3
    assert [one.name for one in four_bar.joints] == ["A{i}", "B{i}", "C{i}"]
    assert "mass" in four_bar.bodies[0] and "mas" not in four_bar.bodies[0] and "\0" not in four_bar.bodies[0]


def test_flags(four_bar):
    item = four_bar.add("forces", name="f", type="spring-damper")
    item.no_tension = True
    assert item.no_tension is True
    item.no_tension = False
    assert item.no_tension is False


def test_set_number_text_list_and_map(four_bar):
    crank = four_bar.bodies[0]
    crank.mass = 2
    crank.inertia = "2*L"
    crank.position = [1, "L"]
    crank.markers = {"foot": [0, 0], "tip": np.array([0.5, 0.25]), "new": [1, 2]}
    assert (crank.mass, crank.inertia, crank.position) == (2, "2*L", (1, "L"))
    assert crank.markers["tip"] == (0.5, 0.25) and list(crank.markers) == ["foot", "tip", "new"]


def test_set_in_a_list(four_bar):
    four_bar.bodies[1] = {"name": "other", "mass": 1}
    assert four_bar.bodies["other"].mass == 1 and len(four_bar.bodies) == 2
    four_bar.bodies["other"] = {"name": "third", "mass": 2}
    assert four_bar.bodies[1].name == "third"


def test_items_stay_themselves_when_others_change(four_bar):
    crank = four_bar.bodies[0]
    four_bar.bodies.append(name="more", mass=1)
    four_bar.parameters["L"] = 3
    assert crank.name == "crank{i}" and crank == four_bar.bodies["crank{i}"]


def test_copies_of_items(four_bar):
    four_bar.bodies.append(four_bar.bodies[0])
    assert len(four_bar.bodies) == 3
    four_bar.bodies[2].name = "copy{i}"
    assert four_bar.bodies[0].name == "crank{i}"
    other = hm.Model()
    other["bodies"] = four_bar.bodies
    assert [one.name for one in other.bodies] == ["crank{i}", "coupler{i}", "copy{i}"]


def test_remove(four_bar):
    crank = four_bar.bodies[0]
    del four_bar.bodies["crank{i}"]
    assert len(four_bar.bodies) == 1
    with pytest.raises(hm.UsageError, match="removed"):
        crank.mass
    with pytest.raises(hm.UsageError):
        crank.mass = 3
    with pytest.raises(hm.UsageError, match="removed"):
        len(crank)
    assert "removed" in repr(crank)
    assert "coupler" in four_bar.text  # the draft is as good as before


def test_remove_by_attribute(four_bar):
    del four_bar.bodies[0].omega
    assert "omega" not in four_bar.bodies[0]
    with pytest.raises(AttributeError):
        del four_bar.bodies[0].omega


def test_missing_keys_have_a_suggestion(four_bar):
    with pytest.raises(AttributeError, match='did you mean "mass"'):
        four_bar.bodies[0].mas
    with pytest.raises(KeyError, match='did you mean'):
        four_bar.bodies["crank{j}"]


@pytest.mark.parametrize("key, kind", [(7, IndexError), (-3, IndexError), (1.5, TypeError), (None, TypeError), ("\0", KeyError), (True, TypeError)])
def test_keys_that_are_none(four_bar, key, kind):
    with pytest.raises(kind):
        four_bar.bodies[key]


def test_a_number_is_no_key_of_a_map(four_bar):
    with pytest.raises(KeyError):
        four_bar.bodies[0][0]


def test_append_to_a_map(four_bar):
    with pytest.raises(hm.UsageError, match="map"):
        four_bar.bodies[0].append(name="x")


def test_items_live_without_their_model():
    crank = hm.Model("models/four_bar.yaml").bodies[0]
    assert crank.mass == "m"
    crank.mass = 3
    assert crank.mass == 3


def test_repr(four_bar):
    assert repr(four_bar.bodies) == "<Item bodies: crank{i}, coupler{i}>"
    assert repr(four_bar.bodies[0]).startswith("<Item bodies[1] crank{i}: for, name, mass, ") or "crank{i}" in repr(four_bar.bodies[0])


def test_to_python(four_bar):
    assert four_bar.parameters.to_python() == {"N": 2, "L": 1, "m": 1}
    assert four_bar.bodies.to_python()[1]["markers"] == {"left": ["-L/2", 0], "right": ["L/2", 0]}


def test_deep_values_are_refused_not_cut(four_bar):
    value = 1.0
    for _ in range(100):
        value = [value]
    before = four_bar.text
    with pytest.raises(hm.HolonomError):
        four_bar.parameters["deep"] = value
    assert four_bar.text == before


def test_parameters_keep_their_order(four_bar):
    four_bar.parameters["half"] = "L/2"
    assert list(four_bar.parameters) == ["N", "L", "m", "half"]
    assert four_bar.check().bodies == 5


def test_what_looks_like_a_change_is_one_or_fails(four_bar):
    with pytest.raises(AttributeError):
        four_bar.gravity.append(3)
    with pytest.raises(TypeError):
        four_bar.gravity[0] = 3


def test_matrices(four_bar):
    four_bar.bodies[0]["rows"] = np.array([[1, 2], [3, 4.5]])
    assert four_bar.bodies[0].rows == ((1, 2), (3, 4.5))


def test_what_lies_in_a_removed_item_is_removed(four_bar):
    markers = four_bar.bodies[0].markers
    del four_bar.bodies[0]
    with pytest.raises(hm.UsageError, match="removed"):
        markers["tip"]
    with pytest.raises(hm.UsageError):
        markers["tip"] = [0, 0]
    four_bar.bodies.append(name="x", mass=1)
    with pytest.raises(hm.UsageError, match="removed"):
        markers.to_python()


def test_many_threads_edit_one_model(four_bar):
    """Whatever the order, each change is whole, and nothing crashes."""
    import threading

    faults = []

    def work(k):
        try:
            for i in range(100):
                four_bar.parameters[f"p{k}_{i}"] = float(i)
                body = four_bar.bodies.append(name=f"b{k}_{i}", mass=1)
                assert body.mass == 1 and f"p{k}_{i}" in four_bar.parameters and len(four_bar.bodies) > 0 and repr(four_bar)
                del four_bar.bodies[f"b{k}_{i}"]
                del four_bar.parameters[f"p{k}_{i}"]
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not faults and len(four_bar.bodies) == 2 and list(four_bar.parameters) == ["N", "L", "m"]
    assert four_bar.run(end=0.1).complete


def test_items_are_maps(four_bar):
    crank = four_bar.bodies[0]
    assert crank.keys() == list(crank) and dict(crank.items())["name"] == "crank{i}" and crank.get("mass") == crank.mass and crank.get("no_such") is None
    assert four_bar.bodies.keys() == ["crank{i}", "coupler{i}"][: len(four_bar.bodies.keys())] and four_bar.bodies.get(99, 3) == 3


@pytest.mark.parametrize("key", ["append", "keys", "to_python", "_own"])
def test_methods_are_not_hidden_by_values(four_bar, key):
    with pytest.raises(AttributeError, match="is set by item"):
        setattr(four_bar.parameters, key, 3)
    four_bar.parameters[key] = 3
    assert four_bar.parameters[key] == 3 and key == "_own" or callable(getattr(four_bar.parameters, key))


def test_items_are_not_pickled(four_bar):
    import pickle

    with pytest.raises(TypeError, match="its model can"):
        pickle.dumps(four_bar.bodies[0])


def test_what_is_left_of_a_removed_item(four_bar):
    crank = four_bar.bodies[0]
    del four_bar.bodies[0]
    for use in (lambda: crank.mass, lambda: setattr(crank, "mass", 3), lambda: crank.to_python(), lambda: list(crank), lambda: len(crank), lambda: crank.keys(), lambda: "mass" in crank):
        with pytest.raises(hm.UsageError, match="the item has been removed from the model"):
            use()
    assert repr(crank) == "<Item, removed>" and "to_python" in dir(crank)
