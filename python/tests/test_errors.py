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
