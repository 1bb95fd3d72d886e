"""Exceptions: their class, place and text."""
import pickle

import pytest

import holonom as hm

KINDS = {hm.OutOfMemoryError: -1, hm.UsageError: -2, hm.ModelError: -3, hm.AssemblyError: -4, hm.IntegrationError: -5, hm.AccuracyError: -6,
         hm.LimitError: -7, hm.FileError: -8, hm.Cancelled: -9}


@pytest.mark.parametrize("kind, status", KINDS.items())
def test_status_and_base(kind, status):
    error = kind("what is wrong")
    assert isinstance(error, hm.HolonomError) and error.status == status and str(error) == error.text == "what is wrong"
    assert error.file is error.line is error.column is error.path is error.result is None


def test_bases_of_python():
    assert issubclass(hm.UsageError, ValueError) and issubclass(hm.FileError, OSError) and issubclass(hm.OutOfMemoryError, MemoryError)


@pytest.mark.parametrize("kind", KINDS)
def test_pickle(kind):
    error = pickle.loads(pickle.dumps(kind("a.yaml:3:4: error: joints.B0: wrong")))
    assert type(error) is kind and (error.file, error.line, error.column, error.path, error.text) == ("a.yaml", 3, 4, "joints.B0", "wrong")


def test_a_wrong_name_in_a_file_has_its_place(tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text(open("models/four_bar.yaml").read().replace("coupler{i}.left", "coupler{i}.lft"))
    with pytest.raises(hm.ModelError) as caught:
        hm.Model(path)
    error = caught.value
    lines = path.read_text().splitlines()
    assert error.file == str(path) and "coupler{i}.lft" in lines[error.line - 1] and error.column > 1
    assert error.path == "joints.B0" and 'did you mean "left"?' in error.text and error.text in str(error)


def test_bad_yaml_has_its_place():
    with pytest.raises(hm.ModelError) as caught:
        hm.Model.from_text("dimension: 2\nbodies: [\n", "bad.yaml")
    assert caught.value.file == "bad.yaml" and caught.value.line


def test_a_file_that_is_not_there():
    with pytest.raises(OSError, match="no_such.yaml"):
        hm.Model("no_such.yaml")


@pytest.mark.parametrize("read", [hm.Model, hm.read])
def test_a_missing_file_is_one_of_python(read, tmp_path):
    import errno

    with pytest.raises(FileNotFoundError, match="no_such.yaml") as caught:
        read("no_such.yaml")
    error = caught.value
    assert isinstance(error, hm.FileError) and error.errno == errno.ENOENT and error.filename == error.file == "no_such.yaml" and error.status == -8
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is hm.MissingFileError and again.errno == errno.ENOENT and "no_such.yaml" in str(again)
    with pytest.raises(hm.FileError) as caught:
        read(tmp_path)
    assert not isinstance(caught.value, FileNotFoundError)


def finished(s):
    s.finish()
    return s


def recorded(s):
    s.record()
    list(s.every(0.01))
    return s


CART, FREE = "models/cart_pole.yaml", "dimension: 2\nbodies: [{name: b, type: point, mass: 1, position: [0, 0]}]\n"


@pytest.mark.parametrize("call, words", [
    (lambda m: hm.Model.from_text(FREE).run(), "give end=10"), (lambda m: m.copy(LL=3).check(), 'parameters.LL = 3: the model has no parameter "LL"'),
    (lambda m: m.run(end=0.1, signals=["bb"]), '"all" asks for what'), (lambda m: m.run(end=-1), "^simulate.end: -1, must be"), (lambda m: m.set("nonsense"), "path=value is wanted"),
    (lambda m: m.run(method="rkk"), "^simulate.method: there is no"), (lambda m: hm.methods("rkk"), r"holonom.methods\(\) lists"), (lambda m: hm.elements("revolut"), r"holonom.elements\(\)"),
    (lambda m: m.compare(["rkk"]), "holonom.methods"), (lambda m: m.equations().joint_basis, r"^use_joints\(\) comes before"), (lambda m: m.equations().set_joints([], []), r"use_joints\(\) comes before"),
    (lambda m: (lambda e: (e.use_joints(), e.use_joints()))(m.equations()), r"use_joints\(\) has been called before"),
    (lambda m: (lambda s: (s.run(), s.result()))(m.simulate(end=0.1)), r"record\(\) comes before the first step"), (lambda m: recorded(m.simulate(end=0.1)).result(), r"finish\(\) comes before"),
    (lambda m: (lambda s: (s.step(), s.record()))(m.simulate(end=0.1)), r"record\(\) comes before the first step"), (lambda m: m.simulate(end=0.1).advance(2), "with a later end="),
    (lambda m: finished(m.simulate(end=0.1)).step(), r"step\(\): the simulation has been finished"), (lambda m: m.advise(-1), r"advise\(\): "),
    (lambda m: m.run(end=0.1, out="a.nc"), "to_netcdf"), (lambda m: m.run(end=0.1, signals=["lean"]).page(), 'with "poses" among its signals'),
    (lambda m: m.equations().take(hm.Model("models/pendulum.yaml").simulate()), r"^take\(\): "),
])
def test_messages_are_in_words_of_python(call, words):
    with pytest.raises(hm.HolonomError, match=words) as caught:
        call(hm.Model(CART))
    assert "hol_" not in str(caught.value) and "--" not in str(caught.value)


def test_messages_of_the_library_that_speak_of_the_program():
    """What stands in the sources of the library, as far as it is a message, is told without options of the program."""
    from holonom.errors import in_python

    for message in ("stopped at t = 0.1 s: it failed; a smaller --step or another --method may get further", "a pole; --end 0.4995 ends before that; take it",
                    "this teaching method has fixed steps only: give `step` (--step), or take another method", "A value of `--set` is in the units of the file",
                    "a.csv does not say which model was run: give it (--model FILE)", "overridden: --set parameters.N=40",
                    "changed: run it again, or give the model that was run (--model FILE)", "--set a.b={x: 1}: error: c: wrong", "--set a=1: there is no item"):
        assert "--" not in in_python(message), message


@pytest.mark.parametrize("path", ["", ".", "/", "a\0b"])
def test_paths_that_are_no_files(path):
    with pytest.raises(hm.HolonomError):
        hm.Model(path)


@pytest.mark.parametrize("path", [3, 1.5, object()])
def test_paths_that_are_no_paths(path):
    with pytest.raises(TypeError):
        hm.Model(path)


def test_results_of_other_kinds():
    with pytest.raises(hm.HolonomError):
        hm.read("models/pendulum.yaml")
    with pytest.raises(OSError):
        hm.read("no_such.csv")


@pytest.mark.parametrize("dimension", [0, 1, 4, -2])
def test_dimensions_that_are_none(dimension):
    with pytest.raises(hm.HolonomError):
        hm.Model(dimension=dimension)


def test_a_value_that_was_set_has_its_path():
    with pytest.raises(hm.HolonomError) as caught:
        hm.Model("models/pendulum.yaml").run(end=-1)
    error = caught.value
    assert error.file is None and error.line is None and error.path.startswith("simulate.end") and "greater than 0" in error.text
