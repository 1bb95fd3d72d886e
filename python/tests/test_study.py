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
    study = hm.sweep(pendulum, {"L": [1, 2], "m": [1, 2, 3]}, {"m": mass, "x": "start(bob.x)"}, end=0.1)
    assert study["x"].shape == (2, 3) and np.array_equal(study["x"], [[1] * 3, [2] * 3]) and np.array_equal(study["m"], [[1, 2, 3]] * 2)


def test_values_that_belong_together(pendulum):
    study = hm.sweep(pendulum, {"L": [1, 2], "m": [3, 4]}, {"x": "start(bob.x)", "m": mass}, together=True, end=0.1)
    assert np.array_equal(study["x"], [1, 2]) and np.array_equal(study["m"], [3, 4])
    with pytest.raises(hm.UsageError):
        hm.sweep(pendulum, {"L": [1, 2], "m": [3]}, {"x": "bob.x"}, together=True)


@pytest.mark.parametrize("output, of", [
    ("bob.y", lambda r: r["bob.y"][-1]), ("end(bob.y)", lambda r: r["bob.y"][-1]), ("start(bob.y)", lambda r: r["bob.y"][0]),
    ("min(bob.y)", lambda r: r["bob.y"].min()), ("max(bob.y)", lambda r: r["bob.y"].max()),
    ("mean(bob.y)", lambda r: np.trapz(r["bob.y"], r.t)), ("rms(bob.y)", lambda r: np.sqrt(np.trapz(r["bob.y"] ** 2, r.t))), ("end(t)", lambda r: r.t[-1]),
])
def test_outputs(pendulum, run, output, of):
    assert hm.sweep(pendulum, {"L": [1]}, {"o": output})["o"][0] == pytest.approx(of(run), rel=1e-14)


def test_paths_and_words(pendulum):
    study = hm.sweep(pendulum, {"simulate.method": ["hht", "rk"]}, {"y": "bob.y"}, end=0.2)
    assert study["y"][0] != study["y"][1] == pytest.approx(study["y"][0], abs=1e-5)


def test_failures_are_rows(pendulum):
    study = hm.sweep(pendulum, {"m": [1, -1, 2]}, {"x": "bob.x"}, end=0.1)
    assert np.isnan(study["x"]).tolist() == [False, True, False]
    (failure,) = study.failures
    assert failure.index == (1,) and failure.values == {"m": -1} and isinstance(failure.error, hm.ModelError) and "m = -1" in repr(failure)
    assert "1 failed" in repr(study)


def test_failures_come_back_from_processes(pendulum):
    with concurrent.futures.ProcessPoolExecutor(1) as executor:
        study = hm.sweep(pendulum, {"m": [1, -1]}, {"x": "bob.x"}, executor=executor, end=0.1)
    assert isinstance(study.failures[0].error, hm.ModelError)


def test_all_fail(pendulum):
    study = hm.sweep(pendulum, {"m": [-1, -2]}, {"x": "bob.x"})
    assert np.isnan(study["x"]).all() and len(study.failures) == 2


def test_errors_of_the_caller_are_the_callers(pendulum):
    with pytest.raises(ZeroDivisionError):
        hm.sweep(pendulum, {"L": [1]}, {"x": broken}, end=0.1)
    with pytest.raises(KeyError):
        hm.sweep(pendulum, {"L": [1]}, {"x": "nothing"}, end=0.1)


@pytest.mark.parametrize("parameters, outputs, kind", [
    ({}, {"x": "bob.x"}, hm.UsageError), ({"L": [1]}, {}, hm.UsageError), ({"L": []}, {"x": "bob.x"}, hm.UsageError), ({"L": 1}, {"x": "bob.x"}, hm.UsageError),
    ({"L": [[1, 2]]}, {"x": "bob.x"}, hm.UsageError), ({"L": [1]}, {"x": "median(bob.x)"}, hm.UsageError), ({"L": [1]}, {"x": 3}, TypeError),
])
def test_sweeps_that_cannot_be(pendulum, parameters, outputs, kind):
    with pytest.raises(kind):
        hm.sweep(pendulum, parameters, outputs)


def test_unknown_parameters_fail(pendulum):
    assert "there are L, m" in str(hm.sweep(pendulum, {"LL": [1]}, {"x": "bob.x"}).failures[0].error)


def test_outputs_of_different_shapes(pendulum):
    with pytest.raises(hm.UsageError, match="shapes"):
        hm.sweep(pendulum, {"simulate.end": [0.1, 0.2]}, {"x": "all(bob.x)"})


def test_to_xarray(pendulum):
    pytest.importorskip("xarray")
    data = hm.sweep(pendulum, {"L": [1, 2], "m": [1, 2, 3]}, {"x": "start(bob.x)", "all": "all(bob.x)"}, end=0.1).to_xarray()
    assert data["x"].dims == ("L", "m") and float(data["x"].sel(L=2, m=1)) == 2 and data["all"].shape == (2, 3, 11)
    together = hm.sweep(pendulum, {"L": [1, 2], "m": [1, 2]}, {"x": "start(bob.x)"}, end=0.1, together=True).to_xarray()
    assert together["x"].dims == ("run",) and list(together["L"].values) == [1, 2]


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
