"""Races and certificates."""
import os
import signal
import threading
import time

import numpy as np
import pytest

import holonom as hm


@pytest.fixture(scope="module")
def race():
    return hm.Model("models/pendulum.yaml").set("simulate.end=1").compare(["rk", "hht", "rn4"], [1e-2, 1e-4, 1e-6])


def test_a_race(race):
    assert race.methods == ["rk", "hht", "rn4"] and race.tolerances == [1e-2, 1e-4, 1e-6] and len(race.runs) == 9 and race.why is None
    assert [(run.method, run.tolerance) for run in race.runs] == [(m, t) for t in race.tolerances for m in race.methods]
    assert race.end == 1 and {"bob.x", "bob.y"} <= set(race.signals)
    for run in race.runs:
        assert run.fate == "finished" and run.failed is None and run.cpu_seconds > 0 and run.steps > 0 and 0 <= run.rms <= run.error < 1 and run.ratio >= 1
        assert run.worst in race.signals
    assert all(run.error > run.rms for run in race.runs if run.tolerance == 1e-2)


def test_choices_are_of_its_runs(race):
    assert race.choices and all(one.run in race.runs and one.first <= one.last for one in race.choices)
    fastest = race.fastest(1e-3)
    assert fastest.error <= 1e-3 and fastest.cpu_seconds == min(run.cpu_seconds for run in race.runs if run.error <= 1e-3)
    assert race.fastest(1e-3, "hht").method == "hht" and race.fastest(1e-30) in (None, race.fastest(race.floor))
    assert "Race of 3 methods at 3 tolerances" in repr(race)


@pytest.mark.parametrize("call", [lambda r: r.fastest(1e-3, "htt"), lambda r: r.fastest(1e-3, "adams"), lambda r: r.fastest(-1), lambda r: r.fastest(np.nan)])
def test_what_was_not_in_the_race(race, call):
    with pytest.raises(hm.UsageError):
        call(race)


@pytest.fixture(scope="module")
def certificate():
    return hm.Model("models/pendulum.yaml").set("simulate.end=1").certify(5, signals=["bob", "energy.total"])


def test_a_certificate(certificate):
    assert certificate.ok and certificate.why is None and certificate.wanted == 5 and len(certificate.runs) == 2
    one = certificate["bob.x"]
    assert one.digits >= 5 and one.unit == "m" and one.compared and 0 <= one.rms <= one.error < 1e-5 and np.isnan(one.until)
    assert "5 digits of" in repr(certificate) and len(certificate) == len(list(certificate))


def test_a_certificate_holds_for_a_run(certificate):
    r = hm.Model("models/pendulum.yaml").run(end=1, method="rk", tolerance=1e-11)
    best = certificate.results[0]
    assert np.allclose(best["bob.x"], np.interp(best.t, r.t, r["bob.x"]), atol=1e-4)
    assert abs(best["bob.x"][-1] - r["bob.x"][-1]) <= 2 * certificate["bob.x"].error + 1e-10


def test_results_live_without_their_certificate():
    import gc

    best = hm.Model("models/pendulum.yaml").set("simulate.end=0.5").certify(4).results[1]
    gc.collect()
    assert best.t[-1] == 0.5 and np.isfinite(best.array).all()


@pytest.mark.parametrize("call", [
    lambda m: m.compare(["hth"]), lambda m: m.compare(["rk"], [7]), lambda m: m.compare(["rk"], [1e-3, 1e-2]), lambda m: m.compare(signals=["bbo"]),
    lambda m: m.compare(["rk\0"]), lambda m: m.compare(jobs=-1), lambda m: m.compare(patience=-1), lambda m: m.certify(0 - 1), lambda m: m.certify(0), lambda m: m.certify(99), lambda m: m.certify(signals=["bbo"]),
])
def test_what_cannot_be(pendulum, call):
    with pytest.raises(hm.UsageError):
        call(pendulum)


def test_nothing_moves():
    m = hm.Model.from_dict({"dimension": 2, "bodies": [{"name": "a", "type": "point", "mass": 1}], "simulate": {"end": 1}})
    with pytest.raises(hm.UsageError):
        m.compare(["rk"], [1e-3])


def test_ctrl_c_ends_a_race():
    m = hm.Model("models/four_bar.yaml", N=30).set("simulate.end=1000")
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        m.compare(patience=20)
    assert time.monotonic() - started < 30


def test_progress_counts_runs(pendulum, notebook, monkeypatch):
    from holonom import _notebook

    monkeypatch.setattr(_notebook.Progress, "PATIENCE", 0.0)
    pendulum.compare(["rk", "rn4"], [1e-2, 1e-4])
    assert any("runs" in one for one in notebook)


@pytest.mark.parametrize("call", [lambda m: m.compare("rk"), lambda m: m.compare(["rk"], 1e-3), lambda m: m.compare(signals="bob"), lambda m: m.compare(3)])
def test_lists_that_are_none(pendulum, call):
    with pytest.raises(TypeError, match="a list of"):
        call(pendulum)
