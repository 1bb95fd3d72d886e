"""Results: a mapping of views; other forms; reports."""
import pickle
import re
import sys

import numpy as np
import pytest
from conftest import PENDULUM

import holonom as hm


def test_a_mapping_of_signals(run):
    assert len(run) == len(list(run)) == len(run.units) and "bob.x" in run and "t" not in run
    assert set(run.keys()) == set(run) and all(run[name] is not None for name in run)
    assert run["bob.x"].shape == run.t.shape == (101,) and run.array.shape == (101, len(run) + 1)


def test_names_belong_to_their_columns(run, tmp_path):
    run.write(tmp_path / "a.csv")
    lines = [line for line in (tmp_path / "a.csv").read_text().splitlines() if not line.startswith("#")]
    names, rows = lines[0].split(","), np.array([[float(value) for value in line.split(",")] for line in lines[1:]])
    assert names == ["t", *run] and np.array_equal(rows[:, 0], run.t)
    assert all(np.array_equal(rows[:, j], run[name]) for j, name in enumerate(names) if j)


def test_units(run):
    assert (run.units["bob.x"], run.units["bob.vx"], run.units["energy.total"]) == ("m", "m/s", "J")


def test_views_are_not_copies_and_cannot_be_written(run):
    assert np.shares_memory(run["bob.x"], run.array) and np.shares_memory(run.t, run.array)
    with pytest.raises(ValueError):
        run["bob.x"][0] = 1
    with pytest.raises(ValueError):
        run.t.flags.writeable = True


def test_missing_signals_have_a_suggestion(run):
    with pytest.raises(KeyError, match='did you mean "bob.x"'):
        run["bbo.x"]
    with pytest.raises(KeyError, match="there are bob.x, bob.y"):
        run["bob"]
    for key in (3, None, 1.5):
        with pytest.raises(KeyError):
            run[key]


def test_groups(run):
    assert run.select("bob")[:2] == ["bob.x", "bob.y"] and run.select("nothing") == []
    assert run.select("energy.total", "bob.x") == ["energy.total", "bob.x"]


def test_notes_and_title(run):
    assert run.title == "pendulum" and run.notes["method"] == run.statistics["method"] and "summary" in run.notes
    assert run.summary == run.notes["summary"]


def test_repr(run):
    assert re.fullmatch(r'<Result "pendulum": \d+ signals, 0 .. 1 s in 101 rows, \w+>', repr(run))


def test_results_are_equal_to_themselves_only(run):
    assert run == run and run != pickle.loads(pickle.dumps(run)) and len({run, run}) == 1


def test_pickle_keeps_everything(run):
    again = pickle.loads(pickle.dumps(run))
    assert np.array_equal(again.array, run.array) and list(again) == list(run) and again.units == run.units
    assert (again.title, again.file, again.notes, again.statistics, again.complete) == (run.title, run.file, run.notes, run.statistics, run.complete)
    with pytest.raises(ValueError):
        again["bob.x"][0] = 1


def test_a_pickled_result_makes_the_same_report(run, tmp_path):
    run.report(tmp_path / "a.html")
    pickle.loads(pickle.dumps(run)).report(tmp_path / "b.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_pickle_twice(run):
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(run))))
    assert np.array_equal(again.array, run.array)


def test_the_model_of_a_result(run):
    assert np.array_equal(run.model.run().array, run.array)


def test_the_model_of_a_result_with_other_options(pendulum):
    r = pendulum.run(end=0.5, options={"parameters.L": 2})
    assert np.array_equal(r.model.run().array, r.array)


def test_read_gives_the_same_numbers(pendulum, tmp_path):
    r = pendulum.run(out=tmp_path / "a.csv")
    assert np.array_equal(hm.read(tmp_path / "a.csv").array, r.array)


def test_two_columns_of_one_name(tmp_path):
    (tmp_path / "a.csv").write_text("t,a,a,b,b\n0,1,2,3,3\n1,2,3,4,4\n")
    r = hm.read(tmp_path / "a.csv")
    assert list(r) == ["a", "b"] and np.array_equal(r["b"], [3, 4])
    with pytest.raises(KeyError, match='columns 2 and 3 are both named "a"'):
        r["a"]


def test_a_result_that_is_cut(pendulum, tmp_path):
    pendulum.run(out=tmp_path / "a.csv")
    whole = (tmp_path / "a.csv").read_bytes()
    (tmp_path / "b.csv").write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.warns(hm.HolonomWarning, match="in the middle"):
        r = hm.read(tmp_path / "b.csv")
    assert not r.complete and 10 < len(r.t) < 101


def test_interpolate(run):
    assert np.array_equal(run.interpolate(run.t, "bob.x")[:, 0], run["bob.x"])
    half = run.interpolate(0.005, "bob.x", "bob.y")
    assert half.shape == (2,) and half[0] == pytest.approx((run["bob.x"][0] + run["bob.x"][1]) / 2)
    assert run.interpolate([0.1, 0.2]).shape == (2, len(run))
    for t in (-1, 2, [0.5, 1.5], float("nan")):
        with pytest.raises(hm.UsageError):
            run.interpolate(t)
    with pytest.raises(KeyError):
        run.interpolate(0.5, "nothing")


# ---- other packages -------------------------------------------------------------------------------------------


def test_to_xarray(run):
    pytest.importorskip("xarray")
    data = run.to_xarray()
    assert set(data.data_vars) == set(run) and np.array_equal(data["bob.x"], run["bob.x"]) and np.array_equal(data.t, run.t)
    assert data["bob.x"].attrs["units"] == "m" and data.t.attrs["units"] == "s" and data.attrs["title"] == "pendulum"
    assert float(data["bob.x"].sel(t=0.5, method="nearest")) == run["bob.x"][50]


def test_to_pandas(run):
    pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert list(frame.columns) == list(run) and frame.index.name == "t" and np.array_equal(frame["bob.x"], run["bob.x"])


def test_plot_by_units(run):
    pytest.importorskip("matplotlib")
    axes = run.plot("energy", "bob.x")
    assert [one.get_ylabel() for one in axes] == ["[J]", "bob.x [m]"] and axes[-1].get_xlabel() == "t [s]"
    lines = {line.get_label(): line for one in axes for line in one.lines}
    assert np.array_equal(lines["bob.x"].get_ydata(), run["bob.x"]) and np.array_equal(lines["bob.x"].get_xdata(), run.t)
    assert set(lines) == {*run.select("energy"), "bob.x"}


def test_plot_over_a_signal(run):
    plt = pytest.importorskip("matplotlib.pyplot")
    _, mine = plt.subplots()
    axes = run.plot("bob.y", x="bob.x", axes=mine)
    assert axes == [mine] and np.array_equal(mine.lines[0].get_xdata(), run["bob.x"]) and mine.get_xlabel() == "bob.x [m]"
    plt.close("all")


def test_spectrum():
    model = hm.Model.from_dict(dict(dimension=2, bodies=[dict(name="a", type="point", mass=1)], variables=[
        dict(name="tone", value="0.7*sin(2*pi*3*time) + 2"), dict(name="other", value="0.2*cos(2*pi*8*time)")],
        simulate=dict(end=20, output=0.01, method="rk", max_step=0.01, signals=["tone", "other", "a"])))
    run = model.run()
    s = run.spectrum("tone", "other")
    assert list(s) == ["tone", "other"] and s.units == {name: run.units[name] for name in s}
    for name, frequency, amplitude in (("tone", 3, 0.7), ("other", 8, 0.2)):
        peak = s[name].argmax()
        assert abs(s.f[peak] - frequency) < 0.05 and abs(s[name][peak] - amplitude) < 2e-3 * amplitude
    assert s.f[0] == 0 and abs(s.f[-1] - 50) < 0.1 and "2 signals" in repr(s)
    assert set(run.spectrum()) == set(run) and set(run.spectrum("a")) == set(run.select("a"))
    with pytest.raises(KeyError, match="no signal"):
        run.spectrum("tune")
    with pytest.raises(KeyError, match="no signal"):
        s["a.x"]
    with pytest.raises(TypeError, match="names of signals are wanted"):
        run.spectrum(["tone"])
    with pytest.raises(hm.UsageError, match="8"):
        model.run(end=0.05).spectrum("tone")
    with pytest.raises(ValueError):
        s["tone"][0] = 1


def test_plot_of_a_spectrum(run):
    plt = pytest.importorskip("matplotlib.pyplot")
    s = run.spectrum("bob.x", "bob.vx")
    axes = s.plot()
    assert [one.get_ylabel() for one in axes] == ["bob.x [m]", "bob.vx [m/s]"] and axes[-1].get_xlabel() == "f [Hz]"
    assert np.array_equal(axes[0].lines[0].get_xdata(), s.f) and np.array_equal(axes[0].lines[0].get_ydata(), s["bob.x"])
    assert len(s.plot("bob.x")) == 1
    plt.close("all")


def test_plot_without_matplotlib(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    for draw in (lambda: run.plot("bob.x"), lambda: run.spectrum("bob.x").plot()):
        with pytest.raises(ModuleNotFoundError, match="pip install matplotlib"):
            draw()


def test_units_that_differ_are_in_the_legend(run):
    plt = pytest.importorskip("matplotlib.pyplot")
    _, mine = plt.subplots()
    run.plot("bob.x", "bob.vx", axes=mine)
    assert mine.get_ylabel() == "" and [line.get_label() for line in mine.get_lines()] == ["bob.x [m]", "bob.vx [m/s]"]
    _, mine = plt.subplots()
    run.plot("bob.x", axes=mine)
    assert mine.get_ylabel() == "bob.x [m]"
    run.plot("bob.vx", axes=mine)
    assert mine.get_ylabel() == "" and mine.get_lines()[0].get_label() == "bob.x [m]"
    run.plot("bob.y", axes=mine)
    assert mine.get_ylabel() == ""
    _, mine = plt.subplots()
    mine.plot([0, 1], [0, 1])
    mine.set_ylabel("place")
    run.plot("bob.x", axes=mine)
    assert mine.get_ylabel() == "place"


def test_plot_of_nothing(run):
    plt = pytest.importorskip("matplotlib.pyplot")
    for wrong in (lambda: run.plot(["bob.x"]), lambda: run.plot("bob.x", "bob.vx", axes=plt.subplots(2)[1])):
        with pytest.raises(TypeError, match="wanted"):
            wrong()
    with pytest.raises(TypeError):
        run.plot()
    with pytest.raises(KeyError):
        run.plot("nothing")
    with pytest.raises(KeyError):
        run.plot("bob.x", x="nothing")


# ---- reports --------------------------------------------------------------------------------------------------


def test_report(run, tmp_path):
    run.report(tmp_path / "a.html", "energy", title="a title of its own")
    page = (tmp_path / "a.html").read_text()
    assert page.startswith("<!doctype html>") and "a title of its own" in page


@pytest.mark.parametrize("name, kind", [("a.txt", hm.UsageError), ("no/such/a.html", hm.FileError), ("", hm.HolonomError), ("a\0.html", hm.UsageError)])
def test_reports_that_cannot_be_written(run, tmp_path, name, kind):
    with pytest.raises(kind):
        run.report(f"{tmp_path}/{name}")


def test_a_report_of_signals_that_are_not_there(run, tmp_path):
    with pytest.raises(KeyError):
        run.report(tmp_path / "a.html", "nothing")


def test_a_report_needs_poses(pendulum):
    with pytest.raises(hm.HolonomError, match="poses"):
        pendulum.run(signals=["energy"]).page()


def test_show_in_jupyter(run, notebook):
    page = run.show(height=300)
    assert len(notebook) == 1 and notebook[0].startswith("<iframe srcdoc=") and "height: 300px" in notebook[0]
    assert "pendulum" in repr(page)


def test_the_frame_holds_the_page(run, notebook):
    from html.parser import HTMLParser

    class Frame(HTMLParser):
        def handle_starttag(self, tag, attributes):
            self.inner = dict(attributes)["srcdoc"]

    page, frame = run.page(), Frame()
    frame.feed(page._repr_html_())
    assert frame.inner == page.html


def test_show_elsewhere_opens_the_browser(run, monkeypatch):
    import pathlib
    import urllib.parse
    import webbrowser

    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    page = run.show()
    path = pathlib.Path(urllib.parse.urlparse(opened[0]).path)
    assert path.read_text() == page.html
    path.unlink()


def test_save_a_page(run, tmp_path):
    page = run.page("energy")
    page.save(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text() == page.html


def test_write(run, tmp_path):
    run.write(tmp_path / "a.csv")
    again = hm.read(tmp_path / "a.csv")
    assert np.array_equal(again.array, run.array) and list(again) == list(run) and again.units == run.units
    pickle.loads(pickle.dumps(run)).write(tmp_path / "b.csv")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    with pytest.raises(hm.UsageError):
        run.write(tmp_path / "a.txt")
    with pytest.raises(hm.FileError):
        run.write(tmp_path / "no/such/a.csv")


def test_export(run, tmp_path):
    run.export(tmp_path / "a.glb")
    assert (tmp_path / "a.glb").read_bytes()[:4] == b"glTF"
    with pytest.raises(hm.UsageError):
        run.export(tmp_path / "a.txt")


# ---- differences ----------------------------------------------------------------------------------------------


def test_a_result_does_not_differ_from_itself(run):
    comparison = run.compare(run)
    assert len(comparison) == len(run) and all(one.error == 0 for one in comparison.values())
    assert (comparison.start, comparison.end, comparison.rows) == (0, 1, 101)


def test_differences(pendulum):
    a, b = pendulum.run(tolerance=1e-9), pendulum.run(tolerance=1e-3, output=0.02)
    comparison = a.compare(b)
    one = comparison["bob.x"]
    assert 0 < one.rms <= one.error < 1e-2 and 0 <= one.time <= 1 and one.unit == "m"
    assert comparison.worst.percent == max(x.percent for x in comparison.values())
    assert comparison.only_here == comparison.only_there == []
    assert "bob.x" in repr(one) and "signals" in repr(comparison)


def test_signals_that_one_has_alone(pendulum):
    comparison = pendulum.run(signals=["bob.x", "bob.y"]).compare(pendulum.run(signals=["bob.x", "energy"]))
    assert comparison.only_here == ["bob.y"] and "energy.total" in comparison.only_there and list(comparison) == ["bob.x"]


def test_nothing_to_compare(pendulum):
    with pytest.raises(hm.HolonomError):
        pendulum.run(signals=["bob.x"]).compare(pendulum.run(signals=["bob.y"]))
    with pytest.raises(TypeError):
        pendulum.run(signals=["bob.x"]).compare(3)


# ---- the model of a result ------------------------------------------------------------------------------------


@pytest.fixture
def copied(tmp_path):
    path = tmp_path / "pendulum.yaml"
    path.write_text(open("models/pendulum.yaml").read())
    return path


@pytest.mark.parametrize("way", ["write", "out"])
def test_files_hold_the_model_as_it_was_changed(copied, way):
    """Also where its file lies beside them and is changed later."""
    m = hm.Model(copied)
    m.bodies["bob"].mass = 5
    csv = copied.with_suffix(".csv")
    r = m.run(end=0.1, out=csv if way == "out" else ())
    if way == "write":
        r.write(csv)
    copied.write_text(copied.read_text().replace("9.81", "1.62"))
    again = hm.read(csv).model
    assert again.bodies["bob"].mass == r.model.bodies["bob"].mass == 5 and np.array_equal(again.run().array, r.array)


def test_a_model_that_has_changed_since_is_refused(copied):
    """Of a file without the text, as the program writes it."""
    csv = copied.with_suffix(".csv")
    hm.Model(copied).run(end=0.1).write(csv)
    csv.write_text("".join(line for line in csv.read_text().splitlines(True) if not line.startswith("# text ")))
    assert hm.read(csv).model.bodies["bob"].mass == "m"
    copied.write_text(copied.read_text().replace("9.81", "1.62"))
    with pytest.raises(hm.UsageError, match="has changed"):
        hm.read(csv).model
    copied.unlink()
    with pytest.raises(hm.UsageError, match="cannot be read"):
        hm.read(csv).model


def test_a_result_that_names_no_model(tmp_path):
    (tmp_path / "a.csv").write_text("t,x\n0,1\n1,2\n")
    with pytest.raises(hm.UsageError, match="does not say which model"):
        hm.read(tmp_path / "a.csv").model


@pytest.mark.parametrize("name", ["t", "complete", "no_such"])
def test_attributes_of_results_are_not_set(run, name):
    with pytest.raises(AttributeError, match="cannot be set"):
        setattr(run, name, 1)
    with pytest.raises(AttributeError, match="cannot be set"):
        setattr(run.compare(run), name, 1)


def test_attributes_of_pages(run):
    page = run.page()
    page.height = 300
    assert "height: 300px" in page._repr_html_()
    with pytest.raises(AttributeError):
        page.heigth = 300


def test_a_comparison_knows_its_signals(run):
    with pytest.raises(KeyError, match='did you mean "bob.x"'):
        run.compare(run)["bbo.x"]


def test_the_time_by_name(run):
    assert np.array_equal(run["t"], run.t) and "t" not in list(run)
    with pytest.raises(KeyError):
        run[0]
    with pytest.raises(KeyError):
        run[["bob.x"]]


def test_contacts_of_a_run(tmp_path):
    m = _wall()
    r = m.run()
    assert len(r.contacts) == 1 and isinstance(r.contacts[0], hm.Contact)
    k = r.contacts[0]
    assert (k.name, k.pair, k.begins, k.ends) == ("k", "b~ground.wall", "met", "parted")
    assert abs(k.impulse - 0.5 * (k.v_i + k.v_end)) < 1e-6 and abs(k.v_end / k.v_i - 0.5) < 1e-6
    assert pickle.loads(pickle.dumps(r)).contacts == r.contacts
    r.write(tmp_path / "a.csv")
    assert hm.read(tmp_path / "a.csv").contacts is None


def test_contacts_of_a_simulation_are_written(tmp_path):
    s = _wall().simulate()
    s.write_contacts(tmp_path / "c.csv")
    s.run()
    s.finish()
    lines = [line for line in (tmp_path / "c.csv").read_text().splitlines() if not line.startswith("#")]
    assert lines[0].startswith("contact,pair,begins,ends,onset,end,") and lines[1].startswith("k,b~ground.wall,met,parted,0.0")
    with pytest.raises(hm.UsageError, match="ends in .csv"):
        _wall().simulate().write_contacts(tmp_path / "c.nc")


def _wall():
    return hm.Model.from_text("""
dimension: 2
length_scale: 0.02
ground: {shape: {type: halfplane, name: wall}}
bodies: [{name: b, mass: 0.5, inertia: 1, position: [0, 0.22], velocity: [0, -2], shape: {type: sphere, radius: 0.2}}]
contacts: [{name: k, between: [b, ground.wall], stiffness: 1e6, restitution: 0.5}]
simulate: {end: 0.04, method: rk, tolerance: 1e-9, output: 0.01}
""")
