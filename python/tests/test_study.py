"""Sweeps on executors of all kinds."""
import concurrent.futures
import multiprocessing
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import holonom as hm


def lowest(result):
    return result["bob.y"].min()


def mass(result):
    return result.model.parameters["m"]


def broken(result):
    raise ZeroDivisionError("of the caller")


LENGTHS = np.array([0.25, 0.5, 1, 2])


def test_values_are_those_of_single_runs(pendulum):
    study = hm.sweep(pendulum, {"L": LENGTHS}, {"y": "bob.y", "lowest": lowest, "max": "max(bob.vx)"})
    for i, length in enumerate(LENGTHS):
        r = pendulum.copy(L=length).run()
        assert (study["y"][i], study["lowest"][i], study["max"][i]) == (r["bob.y"][-1], r["bob.y"].min(), r["bob.vx"].max())
    assert study["y"].shape == (4,) and list(study) == ["y", "lowest", "max"] and not study.failures


@pytest.mark.parametrize("make", [
    lambda: concurrent.futures.ThreadPoolExecutor(3),
    lambda: concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork")),
    lambda: concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")),
], ids=["threads", "fork", "spawn"])
def test_executors(pendulum, make):
    alone = hm.sweep(pendulum, {"L": LENGTHS}, {"y": "bob.y", "curve": "all(bob.x)"})
    with make() as executor:
        study = hm.sweep(pendulum, {"L": LENGTHS}, {"y": "bob.y", "curve": "all(bob.x)"}, executor=executor)
    assert np.array_equal(study["y"], alone["y"]) and np.array_equal(study["curve"], alone["curve"])


def test_all_combinations(pendulum):
    study = hm.sweep(pendulum, {"L": [1, 2], "m": [1, 2, 3]}, {"mass": mass, "x": "start(bob.x)"}, end=0.1)
    assert study["x"].shape == (2, 3) and np.array_equal(study["x"], [[1] * 3, [2] * 3]) and np.array_equal(study["mass"], [[1, 2, 3]] * 2)


def test_values_that_belong_together(pendulum):
    study = hm.sweep(pendulum, {"L": [1, 2], "m": [3, 4]}, {"x": "start(bob.x)", "mass": mass}, together=True, end=0.1)
    assert np.array_equal(study["x"], [1, 2]) and np.array_equal(study["mass"], [3, 4])
    with pytest.raises(hm.UsageError):
        hm.sweep(pendulum, {"L": [1, 2], "m": [3]}, {"x": "bob.x"}, together=True)


def integral(t, x):
    return np.sum(np.diff(t) * (x[1:] + x[:-1])) / 2


@pytest.mark.parametrize("output, of", [
    ("bob.y", lambda r: r["bob.y"][-1]), ("end(bob.y)", lambda r: r["bob.y"][-1]), ("start(bob.y)", lambda r: r["bob.y"][0]),
    ("min(bob.y)", lambda r: r["bob.y"].min()), ("max(bob.y)", lambda r: r["bob.y"].max()),
    ("mean(bob.y)", lambda r: integral(r.t, r["bob.y"])), ("rms(bob.y)", lambda r: np.sqrt(integral(r.t, r["bob.y"] ** 2))), ("end(t)", lambda r: r.t[-1]),
])
def test_outputs(pendulum, run, output, of):
    assert hm.sweep(pendulum, {"L": [1]}, {"o": output})["o"][0] == pytest.approx(of(run), rel=1e-14)


def test_paths_and_words(pendulum):
    study = hm.sweep(pendulum, {"simulate.method": ["hht", "rk"]}, {"y": "bob.y"}, end=0.2)
    assert study["y"][0] != study["y"][1] == pytest.approx(study["y"][0], abs=1e-5)


@pytest.mark.filterwarnings("ignore::holonom.HolonomWarning")
def test_failures_are_rows(pendulum):
    study = hm.sweep(pendulum, {"m": [1, -1, 2]}, {"x": "bob.x"}, end=0.1)
    assert np.isnan(study["x"]).tolist() == [False, True, False]
    (failure,) = study.failures
    assert failure.index == (1,) and failure.values == {"m": -1} and isinstance(failure.error, hm.ModelError) and "m = -1" in repr(failure)
    assert "1 failed" in repr(study)


@pytest.mark.filterwarnings("ignore::holonom.HolonomWarning")
def test_failures_come_back_from_processes(pendulum):
    with concurrent.futures.ProcessPoolExecutor(1) as executor:
        study = hm.sweep(pendulum, {"m": [1, -1]}, {"x": "bob.x"}, executor=executor, end=0.1)
    assert isinstance(study.failures[0].error, hm.ModelError)


def test_a_warning_tells_of_failures(pendulum):
    with pytest.warns(hm.HolonomWarning, match="2 of 4 runs have failed, the first one at m = -1: ModelError: .*bob.mass") as caught:
        hm.sweep(pendulum, {"m": [1, -1, 2, -2]}, {"x": "bob.x"}, end=0.1)
    assert caught[0].filename == __file__


def test_no_warning_where_none_fails(pendulum, recwarn):
    hm.sweep(pendulum, {"m": [1, 2]}, {"x": "bob.x"}, end=0.1)
    assert not recwarn.list


def never(_):
    raise AssertionError("no run was to be made")


@pytest.mark.parametrize("parameters, options, message", [
    ({"LL": [1, 2]}, {}, "there are L, m"), ({"m": [-1, -2]}, {}, "bob.mass"), ({"L": [1]}, {"method": "rkk"}, 'did you mean "rk"'), ({"simulate.method": ["rkk"]}, {}, "rkk"),
    ({"bodies.bob.mas": [1]}, {}, "mas"), ({"bodies.bbo.mass": [1]}, {}, "bbo"), ({"L": [1]}, {"options": {"no.such": 1}}, "no"), ({"gravity[2]": [1]}, {}, "gravity"),
    ({"simulate.end": [1, 2]}, {"end": 0.1}, "end is given twice"), ({"L": [1]}, {"options": {"parameters.L": 2}}, "parameters.L is given twice"), ({"method": ["rk"]}, {}, "method"),
])
def test_what_no_run_can_do_is_refused_before_the_first(pendulum, parameters, options, message):
    with pytest.raises(hm.HolonomError, match=message):
        hm.sweep(pendulum, parameters, {"x": never}, **options)


@pytest.mark.parametrize("options", [{"out": "a.csv"}, {"report": "a.html"}])
def test_files_of_all_runs_are_refused(pendulum, options):
    with pytest.raises(hm.UsageError, match="the same file"):
        hm.sweep(pendulum, {"L": [1]}, {"x": never}, **options)


def test_signals_that_no_run_has(pendulum):
    with pytest.raises(KeyError, match='did you mean "bob.x"'):
        hm.sweep(pendulum, {"L": [1, 2]}, {"x": "bbo.x", "y": never}, end=0.1)
    with pytest.raises(KeyError, match="there are energy.kinetic"):
        hm.sweep(pendulum, {"L": [1, 2]}, {"x": "energy", "y": never}, end=0.1)


def test_signals_that_some_runs_have():
    with pytest.warns(hm.HolonomWarning, match="1 of 2"):
        study = hm.sweep(hm.Model("models/four_bar.yaml"), {"N": [2, 3]}, {"y": "crank3.tip.y"}, end=0.01)
    assert np.isnan(study["y"][0]) and study["y"][1] > 0 and isinstance(study.failures[0].error, KeyError)


def broken_below_two(result):
    return 1 / int(result["bob.x"][0] >= 2)


def nothing_below_two(result):
    return 1.0 if result["bob.x"][0] >= 2 else None


def long_below_two(result):
    return result["bob.x"][:3] if result["bob.x"][0] >= 2 else result["bob.x"][:4]


class Unsendable(Exception):
    def __init__(self, a, b):
        super().__init__(f"{a} and {b}")


def unsendable_below_two(result):
    if result["bob.x"][0] < 2:
        raise Unsendable("one", "two")
    return 1.0


@pytest.mark.filterwarnings("ignore::holonom.HolonomWarning")
@pytest.mark.parametrize("make", [lambda: None, lambda: concurrent.futures.ProcessPoolExecutor(1)], ids=["alone", "processes"])
@pytest.mark.parametrize("output, kind, message", [
    (broken_below_two, ZeroDivisionError, "division"), (nothing_below_two, TypeError, "has returned None"), (unsendable_below_two, hm.HolonomError, "Unsendable: one and two")])
def test_outputs_that_fail_are_failures_of_their_runs(pendulum, make, output, kind, message):
    executor = make()
    study = hm.sweep(pendulum, {"L": [2, 1, 3]}, {"x": output}, executor=executor, end=0.01)
    if executor:
        executor.shutdown()
    assert study["x"].tolist()[::2] == [1, 1] and np.isnan(study["x"][1])
    (failure,) = study.failures
    assert isinstance(failure.error, kind) and message in str(failure.error) and failure.index == (1,)


def test_outputs_of_different_shapes_are_failures(pendulum):
    with pytest.warns(hm.HolonomWarning, match="different shapes"):
        study = hm.sweep(pendulum, {"L": [2, 1, 3]}, {"x": long_below_two}, end=0.1)
    assert study["x"].shape == (3, 3) and np.isnan(study["x"][1]).all() and np.isfinite(study["x"][::2]).all()


def test_where_all_fail_the_first_error_is_raised(pendulum):
    for output, kind in ((broken, ZeroDivisionError), (lambda r: None, TypeError), (lambda r: "text", TypeError)):
        with pytest.raises(kind):
            hm.sweep(pendulum, {"L": [1, 1.5]}, {"x": output}, end=0.01)


def dies(result):
    if result["bob.x"][0] == 1:
        os._exit(1)
    return 1.0


def test_runs_whose_process_dies_are_failures(pendulum):
    with concurrent.futures.ProcessPoolExecutor(1) as executor, pytest.warns(hm.HolonomWarning, match="BrokenProcessPool"):
        study = hm.sweep(pendulum, {"L": [2, 1]}, {"x": dies}, executor=executor, end=0.01)
    assert study["x"][0] == 1 and np.isnan(study["x"][1])


@pytest.mark.parametrize("path, values, first", [("gravity[1]", [-1, -2], -1), ("gravity", ["[0, -1]", "[0, -2]"], -1), ("bodies[0].mass", [1, 2], -9.81)])
def test_paths(pendulum, path, values, first):
    study = hm.sweep(pendulum, {path: values}, {"a": "start(bob.ay)"}, end=0.01, signals=["bob"])
    assert study["a"][0] == pytest.approx(first)


def test_a_parameter_hides_a_key(pendulum):
    m = pendulum.copy()
    m.parameters["title"] = 1
    m.bodies["bob"].mass = "title"
    assert hm.sweep(m, {"title": [3]}, {"m": lambda r: r.model.parameters["title"]}, end=0.01)["m"][0] == 3


def test_progress(pendulum, monkeypatch):
    import io
    import sys

    from holonom import _notebook

    monkeypatch.setattr(_notebook.Progress, "PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    hm.sweep(pendulum, {"L": [1, 2, 3]}, {"x": "bob.x"}, end=0.01, progress=True)
    assert "3 of 3 runs  100.0 %" in sys.stderr.getvalue()


@pytest.mark.parametrize("call", [
    lambda m: hm.sweep(m, {"L": [None]}, {"x": "bob.x"}), lambda m: hm.sweep(m, ["L"], {"x": "bob.x"}), lambda m: hm.sweep(m, {"L": [1]}, ["bob.x"]), lambda m: hm.sweep(m, {"L": [1]}, {"x": "bob.x"}, executor=4),
    lambda m: hm.sweep(m, {"L": [1]}, {"x": "bob.x"}, executor="threads"), lambda m: hm.sweep("models/pendulum.yaml", {"L": [1]}, {"x": "bob.x"}), lambda m: hm.sweep(m, {3: [1]}, {"x": "bob.x"}),
])
def test_arguments_of_wrong_types(pendulum, call):
    with pytest.raises(TypeError, match="is wanted"):
        call(pendulum)


@pytest.mark.parametrize("parameters, outputs, kind", [
    ({}, {"x": "bob.x"}, hm.UsageError), ({"L": [1]}, {}, hm.UsageError), ({"L": []}, {"x": "bob.x"}, hm.UsageError), ({"L": 1}, {"x": "bob.x"}, hm.UsageError),
    ({"L": [[1, 2]]}, {"x": "bob.x"}, hm.UsageError), ({"L": [1]}, {"x": "median(bob.x)"}, hm.UsageError), ({"L": [1]}, {"x": 3}, TypeError), ({"L": [1]}, {"L": "bob.x"}, hm.UsageError),
])
def test_sweeps_that_cannot_be(pendulum, parameters, outputs, kind):
    with pytest.raises(kind):
        hm.sweep(pendulum, parameters, outputs)


def test_to_xarray(pendulum):
    pytest.importorskip("xarray")
    data = hm.sweep(pendulum, {"L": [1, 2], "m": [1, 2, 3]}, {"x": "start(bob.x)", "all": "all(bob.x)"}, end=0.1).to_xarray()
    assert data["x"].dims == ("L", "m") and float(data["x"].sel(L=2, m=1)) == 2 and data["all"].shape == (2, 3, 11)
    together = hm.sweep(pendulum, {"L": [1, 2], "m": [1, 2]}, {"x": "start(bob.x)"}, end=0.1, together=True).to_xarray()
    assert together["x"].dims == ("run",) and list(together["L"].values) == [1, 2]


@pytest.mark.filterwarnings("ignore::holonom.HolonomWarning")
def test_studies_are_pickled(pendulum):
    study = hm.sweep(pendulum, {"m": [1, -1]}, {"x": "bob.x"}, end=0.1)
    again = pickle.loads(pickle.dumps(study))
    assert np.array_equal(again["x"], study["x"], equal_nan=True) and str(again.failures[0].error) == str(study.failures[0].error)


def test_options_that_run_has_not(pendulum):
    with pytest.raises(TypeError, match="no parameter"):
        hm.sweep(pendulum, {"L": [1]}, {"x": "bob.x"}, no_such=1)


@pytest.mark.parametrize("make", [lambda: None, lambda: concurrent.futures.ThreadPoolExecutor(2)], ids=["alone", "threads"])
def test_ctrl_c_ends_all_runs(pendulum, make):
    started, executor = time.monotonic(), make()
    threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        hm.sweep(pendulum, {"L": [1, 2, 3, 4]}, {"x": "bob.x"}, executor=executor, end=1e6, output=1e3, time_limit=100)
    if executor:
        executor.shutdown()
    assert time.monotonic() - started < 30
    assert pendulum.run(end=0.1).complete


def test_a_study_knows_its_outputs(pendulum):
    study = hm.sweep(pendulum, {"L": [1]}, {"lowest": "min(bob.y)"}, end=0.01)
    with pytest.raises(KeyError, match='did you mean "lowest"'):
        study["lowst"]
    with pytest.raises(AttributeError, match="cannot be set"):
        study.lowest = 1
