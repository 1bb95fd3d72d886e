"""Model.run: results, errors, warnings, progress, Ctrl-C."""
import io
import json
import logging
import math
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest
from conftest import PENDULUM

import holonom as hm


def test_every_row_of_the_output(pendulum):
    r = pendulum.run()
    assert np.allclose(r.t, np.arange(101) * 0.01, atol=1e-15) and r.complete


def test_the_answer_is_right():
    """A pendulum from rest at 90 degrees: its speed at a height, by energy; its quarter period, K(sin 45 deg)/sqrt(g/L) = 1.8540746773013719 sqrt(L/g)."""
    r = hm.Model.from_dict(PENDULUM).run(tolerance=1e-9)
    speed = np.hypot(r["bob.vx"], r["bob.vy"])
    assert np.allclose(speed, np.sqrt(np.maximum(-2 * 9.81 * r["bob.y"], 0)), atol=1e-6)
    i = np.flatnonzero(r["bob.x"] <= 0)[0]
    t0 = r.t[i - 1] + 0.01 * r["bob.x"][i - 1] / (r["bob.x"][i - 1] - r["bob.x"][i])
    assert abs(t0 - 1.8540746773013719 / np.sqrt(9.81)) < 1e-5


@pytest.mark.parametrize("options, check", [
    ({"end": 0.25}, lambda r: r.t[-1] == 0.25),
    ({"method": "hht"}, lambda r: r.statistics["method"] == "hht"),
    ({"tolerance": 1e-3}, lambda r: r.statistics["tolerance"] == 1e-3),
    ({"step": 0.005, "method": "hht"}, lambda r: r.statistics["steps"] == 200),
    ({"max_step": 0.001}, lambda r: r.statistics["h_max"] <= 0.001 * (1 + 1e-12)),
    ({"output": 0.1}, lambda r: r.t.size == 11),
    ({"signals": ["bob.x", "energy"]}, lambda r: "bob.x" in r and "bob.y" not in r and "energy.total" in r),
    ({"threads": 1}, lambda r: r.complete),
    ({"time_limit": 1000}, lambda r: r.complete),
    ({"options": {"hht.alpha": -0.1}, "method": "hht"}, lambda r: r.complete),
    ({"options": {"parameters.L": 3}}, lambda r: r["bob.x"][0] == 3),
    ({"options": {"bodies.bob.mass": np.float64(5)}}, lambda r: r.complete),
])
def test_options(pendulum, options, check):
    assert check(pendulum.run(**options))


@pytest.mark.parametrize("options, kind", [
    ({"end": -1}, hm.HolonomError), ({"end": float("nan")}, hm.UsageError), ({"method": "hth"}, hm.HolonomError), ({"tolerance": 7}, hm.HolonomError),
    ({"step": 0}, hm.HolonomError), ({"signals": ["bbo"]}, hm.HolonomError), ({"threads": -1}, hm.HolonomError), ({"options": {"no.such": 1}}, hm.HolonomError),
    ({"tolerance": 1e-6, "step": 1e-3}, hm.HolonomError), ({"end": object()}, TypeError), ({"no_such": 1}, TypeError), ({"end": "soon"}, hm.HolonomError),
])
def test_options_that_are_wrong(pendulum, options, kind):
    with pytest.raises(kind):
        pendulum.run(**options)
    assert pendulum.run(end=0.1).complete  # nothing is left behind


def test_numbers_that_are_set_keep_their_bits(pendulum):
    assert pendulum.run(end=0.1, options={"parameters.L": 1 / 3})["bob.x"][0] == 1 / 3
    assert pendulum.run(end=1 / 3).t[-1] == 1 / 3


def test_files_are_written_meanwhile(pendulum, tmp_path):
    r = pendulum.run(out=tmp_path / "a.csv", report=tmp_path / "a.html")
    again = hm.read(tmp_path / "a.csv")
    assert np.array_equal(again.array, r.array) and list(again) == list(r)
    assert "<html" in (tmp_path / "a.html").read_text()


def test_several_files(pendulum, tmp_path):
    pendulum.run(out=[tmp_path / "a.csv", str(tmp_path / "b.csv")])
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


@pytest.mark.parametrize("name", ["a.txt", "no/such/folder/a.csv"])
def test_files_that_cannot_be_written(pendulum, tmp_path, name):
    with pytest.raises(hm.HolonomError):
        pendulum.run(out=tmp_path / name)


def test_a_model_is_never_overwritten(tmp_path):
    path = tmp_path / "model.csv"
    hm.Model.from_dict(PENDULUM).write(path)
    before = path.read_text()
    with pytest.raises(hm.UsageError, match="overwritten"):
        hm.Model(path).run(out=path)
    assert path.read_text() == before


def test_statistics_are_those_of_the_program(pendulum):
    s = pendulum.run().statistics
    assert s["steps"] > 10 and s["method"] and s["status"] == 0 and s["cpu_seconds"] >= 0
    assert sum(s["limited"].values()) == s["steps"]


def test_runs_are_the_same_to_the_last_bit(pendulum):
    assert np.array_equal(pendulum.run().array, pendulum.run().array)


def test_runs_in_another_thread_are_the_same(pendulum):
    box = []
    thread = threading.Thread(target=lambda: box.append(pendulum.run()))
    thread.start()
    thread.join()
    assert np.array_equal(box[0].array, pendulum.run().array)


# ---- trouble --------------------------------------------------------------------------------------------------


def test_stopped_on_the_way_has_the_rows_up_to_there():
    m = hm.Model.from_dict({**PENDULUM, "forces": [{"name": "pull", "type": "force", "on": "bob", "value": ["sqrt(0.5 - time)", 0]}]})
    with pytest.raises(hm.HolonomError) as caught:
        m.run()
    r = caught.value.result
    assert r is not None and not r.complete and 0.1 < r.t[-1] <= 0.5
    assert "pull" in str(caught.value)


@pytest.mark.filterwarnings("ignore::holonom.HolonomWarning")
def test_the_limit_of_time():
    m = hm.Model("models/four_bar.yaml", N=30)
    with pytest.raises(hm.LimitError) as caught:
        m.run(end=1e5, output=10, time_limit=0.2)
    assert caught.value.status == -7 and not caught.value.result.complete


def test_joints_that_cannot_be_closed():
    m = hm.Model.from_dict({
        "dimension": 2,
        "bodies": [{"name": "a", "type": "point", "mass": 1, "position": [1, 0]}],
        "joints": [{"name": "p", "type": "distance", "between": ["ground", "a"], "length": 1},
                   {"name": "q", "type": "distance", "between": [{"ground": [10, 0]}, "a"], "length": 1}]})
    with pytest.raises(hm.AssemblyError):
        m.run(end=1)


def test_warnings_are_those_of_python(pendulum):
    m = hm.Model.from_dict({**PENDULUM, "bodies": [{"name": "bob", "type": "point", "mass": 1, "position": [1, 0]},
                                                   {"name": "far", "mass": 1e12, "inertia": 1e12, "position": [5, 5]}]})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        m.run(end=0.05)
    assert caught and all(issubclass(one.category, hm.HolonomWarning) for one in caught)
    assert {one.filename for one in caught} == {__file__}  # the line that called


def test_notices_go_to_the_logger(caplog):
    with caplog.at_level(logging.INFO, "holonom"):
        hm.Model.from_dict({key: value for key, value in PENDULUM.items() if key != "gravity"})
    assert "no gravity" in caplog.text


# ---- progress -------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def impatient(monkeypatch):
    from holonom import _notebook

    monkeypatch.setattr(_notebook.Progress, "PATIENCE", 0.0)


LONG = {"end": 300.0, "output": 1.0, "tolerance": 1e-11}


def test_a_terminal_sees_the_progress(pendulum, monkeypatch, impatient):
    monkeypatch.setattr(sys, "stderr", Terminal())
    pendulum.run(**LONG)
    assert "t = 300 s of 300 s  100.0 %" in sys.stderr.getvalue() and sys.stderr.getvalue().endswith("\n")


def test_no_terminal_sees_nothing(pendulum, monkeypatch, impatient):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    pendulum.run(**LONG)
    assert sys.stderr.getvalue() == ""


def test_progress_can_be_turned_on_and_off(pendulum, monkeypatch, impatient):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    pendulum.run(**LONG, progress=True)
    assert "100.0 %" in sys.stderr.getvalue()
    monkeypatch.setattr(sys, "stderr", Terminal())
    pendulum.run(**LONG, progress=False)
    assert sys.stderr.getvalue() == ""


def test_short_runs_show_nothing(pendulum, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    pendulum.run()
    assert sys.stderr.getvalue() == ""


def test_jupyter_sees_a_bar(pendulum, notebook, impatient):
    pendulum.run(**LONG)
    assert any("<progress" in one for one in notebook)


# ---- Ctrl-C ---------------------------------------------------------------------------------------------------


def test_ctrl_c_gives_what_there_is(pendulum):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.warns(hm.IncompleteWarning, match="interrupted at t = "):
        r = pendulum.run(end=1e7, output=1, time_limit=100)
    assert not r.complete and 0 < r.t[-1] < 1e7
    assert np.array_equal(r.array[:11], pendulum.run(end=10, output=1).array[:11]) or r.t.size > 5
    assert pendulum.run().complete  # and all is well


def test_ctrl_c_stops_modes_of_a_later_time(pendulum):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        pendulum.set("simulate.time_limit=100").modes(at=1e7)
    assert time.monotonic() - started < 30


def test_ctrl_c_in_a_program_of_its_own():
    program = ("import holonom as hm, sys\nm = hm.Model('models/pendulum.yaml')\nprint('ready', flush=True)\n"
               "r = m.run(end=1e7, output=1, time_limit=100)\nprint(r.complete, r.t[-1] > 0)\n")
    process = subprocess.Popen([sys.executable, "-W", "ignore", "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "False True\n" and process.returncode == 0


def test_exceptions_can_be_sent(pendulum):
    import pickle

    with pytest.raises(hm.HolonomError) as caught:
        pendulum.run(method="hth")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value) and str(again) == str(caught.value) and again.line == caught.value.line


def test_kinematics_is_exact():
    """A slider-crank against its closed form."""
    m = hm.Model("tests/analyses/k1_slider_crank.yaml")
    r = m.kinematics(output=0.05)
    phi = 0.3 + 20 * r.t + 7.5 * r.t**2
    x = 0.1 * np.cos(phi) + np.sqrt(0.09 - (0.1 * np.sin(phi) - 0.02) ** 2)
    assert np.abs(r["slider.x"] - x).max() < 1e-14
    assert [(one.driver, one.least, one.most) for one in m.reach()] == [("motor", -math.inf, math.inf)]


def test_kinematics_says_what_is_free():
    with pytest.raises(hm.UsageError, match="leave 1 motion free"):
        hm.Model("models/pendulum.yaml").kinematics()
    with pytest.raises(hm.UsageError, match="free"):
        hm.Model("models/pendulum.yaml").reach()


def test_kinematics_ends_where_a_driver_cannot_go_on():
    m = hm.Model("tests/analyses/k3_slider.yaml")
    with pytest.raises(hm.IntegrationError, match="locked") as caught:
        m.kinematics()
    assert caught.value.result.t[-1] <= 0.25
    (reach,) = m.reach()
    assert (reach.least, reach.most) == pytest.approx((0.2, 0.4), abs=1e-10)


def test_drivers_run_backwards_behind_dead_centres(tmp_path):
    """Dead centres of a slider-crank: crank and rod in line, 0.3 +- 0.1."""
    r = hm.Model("tests/analyses/k3_slider.yaml").follow(end=2.3)
    turned = r["curve.turned"] == 1
    assert r["press.value"][turned] == pytest.approx([0.4, 0.2, 0.4], abs=1e-12)
    assert r["crank.theta"][turned] == pytest.approx([0, -np.pi, -2 * np.pi], abs=1e-10)
    r.paths(tmp_path / "paths.svg", "crank.end")
    assert "crank.end</text>" in (tmp_path / "paths.svg").read_text()
    with pytest.raises(hm.UsageError, match="no marker"):
        r.paths(tmp_path / "paths.svg", "crank.no")
    with pytest.raises(hm.UsageError, match="free"):
        hm.Model("models/pendulum.yaml").follow()


def test_inverse_of_the_model_file(tmp_path):
    """A plate in the plane: m a of a cubic; and what a cart without a motor at its pole's hinge lacks."""
    (tmp_path / "path.csv").write_text("t, DX(plate), DY(plate), AZ(plate)\n" + "".join(f"{t / 10}, {(t / 10)**3}, 0, 0\n" for t in range(11)))
    (tmp_path / "plate.yaml").write_text("""
dimension: 2
inputs: [{name: fx, value: 0}, {name: fy, value: 0}, {name: tz, value: 0}]
bodies: [{name: plate, mass: 2, inertia: 0.3}]
forces: [{name: push, type: force, on: plate, value: [fx, fy]}, {name: twist, type: torque, on: plate, value: tz}]
inverse: {motion: path.csv, actuators: [fx, fy, tz]}
simulate: {end: 1, output: 0.1, signals: [fx, fy, tz, inverse]}
""")
    r = hm.Model(tmp_path / "plate.yaml").inverse()
    assert r["fx"] == pytest.approx(12 * r.t, abs=1e-9) and np.abs(r["fy"]).max() < 1e-9
    m = hm.Model("tests/analyses/i4_cart_pole.yaml")
    with pytest.raises(hm.UsageError, match="no actuator gives"):
        m.inverse(["u"])
    assert m.inverse(["u"], project=True, signals=["u", "inverse"])["inverse.missing"].max() > 1e-2


def test_modes_are_drawn(tmp_path):
    m = hm.Model("models/double_pendulum.yaml").modes(equilibrium=True, report=tmp_path / "m.html", animate=tmp_path / "m.glb")
    assert m.pose.shape == (len(m.coordinates),)
    assert "<html" in (tmp_path / "m.html").read_text() and (tmp_path / "m.glb").read_bytes()[:4] == b"glTF"


def test_inverse_dynamics():
    """Torques of tests/reference/analyses/inverse.json (I1): of the driver, of a motor elsewhere, the smallest of two."""
    m = hm.Model("tests/analyses/i1_four_bar.yaml")
    assert m.inverse()["motor.T"][0] == pytest.approx(0.5754968595964775, abs=1e-12)
    assert m.inverse(["at_rocker"])["at_rocker"][0] == pytest.approx(-17.16706867670087, abs=1e-11)
    both = m.inverse(["at_crank", "at_rocker"])
    assert (both["at_crank"][0], both["at_rocker"][0]) == pytest.approx((0.5748508353860597, -0.01927089922754746), abs=1e-12)
    assert np.abs(both["motor.T"]).max() < 1e-10
    heavy = m.inverse(["at_crank", "at_rocker"], weights=[1, 1e-6])
    assert abs(heavy["at_crank"][0]) < abs(both["at_crank"][0])
    held = m.inverse(["at_crank", "at_rocker"], bounds=[(-2, 2), (None, None)])
    assert np.abs(held["at_crank"]).max() <= 2 + 1e-12 and np.abs(held["motor.T"]).max() < 1e-10


def test_inverse_dynamics_of_a_table(tmp_path):
    text = pathlib.Path("tests/analyses/i1_four_bar.yaml").read_text()
    lines = [line for line in text.replace("motor, ", "").splitlines() if "drivers:" not in line and "type: angle" not in line]
    t = np.linspace(0, 1.1, 111)
    np.savetxt(tmp_path / "motion.csv", np.column_stack([t, 0.6 + 0.9 * np.sin(4 * t)]), delimiter=",", header="t,A.angle", comments="", fmt="%.17g")
    r = hm.Model.from_text("\n".join(lines)).inverse(["at_crank"], motion=tmp_path / "motion.csv")
    assert r["at_crank"][r.t.searchsorted(0.2)] == pytest.approx(-4.860981512296453, rel=1e-3)  # of a spline through points 0.01 s apart


@pytest.mark.parametrize("actuators, named, words", [
    (["at_cranc"], {}, 'no input "at_cranc"'), (["at_crank", "at_crank"], {}, "twice"), (["at_crank"], {"weights": [0]}, "positive"),
    (["at_crank"], {"bounds": [(1, -1)]}, "least first"), (["at_crank"], {"weights": [1, 2]}, "one for each")])
def test_inverse_dynamics_that_cannot_be(actuators, named, words):
    with pytest.raises(hm.UsageError, match=words):
        hm.Model("tests/analyses/i1_four_bar.yaml").inverse(actuators, **named)


def test_a_motion_that_no_actuator_makes():
    with pytest.raises(hm.UsageError, match="needs 0.1307364975 N m more of driver \"lean\""):
        hm.Model("tests/analyses/i4_cart_pole.yaml", t0=0.1).inverse(["u"])
