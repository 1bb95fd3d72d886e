"""Every shipped model goes through the analyses: the motion of a free run needs no force of drivers in its place, another motion needs forces, these forces
make that motion in a run, and their power is the change of the energy; or the model is refused by name."""
import pathlib
import re

import holonom as hm
import numpy as np
import pytest

MODELS = sorted(path.stem for path in pathlib.Path(__file__).resolve().parents[2].glob("models/*.yaml"))
FREE = re.compile(r"leave (\d+) motions? free")
REFUSED = re.compile(r"not taken|states|velocity constraints|follows from|contradicts|no such|has no|is driven already|singular|motion that no force|cannot turn around")
WENT = set()
ROWS, MOST = 800, 10  # of a table; motions that are driven
WANTED = ["all", "coordinates"]
# Forces along a motion that runs away from it: the error of a spline grows beyond what is looked at.
RUNS_AWAY = {"ring"}
# Another motion presses what touches into each other, which is refused where it is too deep and falls apart where nothing holds it there.
PRESSES = {"geneva_drive", "newtons_cradle"}
# Hard stops: velocities jump, which no spline follows.
JUMPS = {"stops"}
# Free runs at this tolerance take explicit methods minutes.
STIFF = {"oblique_sphere", "double_pendulum", "stiff_chain", "stiff_pendulum", "stiff_pendulum_angle", "valve_train", "walking_leg", "tower"}


def inverse(model, **more):
    """How many motions are free, None: it is refused for another reason; the result, or the reason."""
    try:
        return 0, model.inverse(signals=WANTED, **{"output": 0.01, **more})
    except hm.HolonomError as error:
        free = FREE.search(error.text)
        assert free or REFUSED.search(error.text), error.text
        return int(free[1]) if free else None, error.text


def write(path, t, columns):
    np.savetxt(path, np.column_stack([t, *columns.values()]), fmt="%.17g", delimiter=",", header=",".join(["t", *columns]), comments="")


def shipped(name):
    """The model up to 0.2 s, or its own end, and that time."""
    model = hm.Model(f"models/{name}.yaml")
    end = min(0.2, float(model["simulate"].end))
    model.set(f"simulate.end={end}")
    return model, end


def force_of(result, coordinate, i):
    return result[f"drive_{i + 1}.{'torque' if coordinate.endswith('angle') else 'force'}"]


def drive(model, run, path):
    """Coordinates of joints that prescribe all motions as the run has them, found one by one; None: they do not."""
    free, why = inverse(model)
    if not free or free > MOST:
        return None
    chosen = {}
    names = [name for name in run if name.endswith((".angle", ".stroke"))]
    if len(names) < free:
        return None
    for name in names:
        if not free:
            break
        write(path, run.t, chosen | {name: run[name]})
        left, _ = inverse(model, motion=path)
        if left is not None and left < free:
            chosen[name], free = run[name], left
    return None if free else chosen


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
def test_forward_and_inverse(name, tmp_path):
    model, end = shipped(name)
    path = tmp_path / "motion.csv"
    free, why = inverse(model)
    if free in (0, None):
        return  # driven already, or refused by name
    if free > MOST or name in STIFF:
        pytest.skip(f"{free} motions, or stiff")
    if name in JUMPS:
        pytest.skip("velocities jump")
    run = model.run(tolerance=1e-10, method="rk", output=end / ROWS, signals=WANTED)
    chosen = drive(model, run, path)
    if not chosen:
        pytest.skip("no coordinates of joints say all of its motion")

    write(path, run.t, chosen)
    free = inverse(model, motion=path)[1]
    if name in PRESSES:
        assert max(np.abs(force_of(free, c, i)).max() for i, c in enumerate(chosen)) < 1e-4
        return
    bump = 0.05 * (1 - np.cos(2 * np.pi * run.t / end)) / 2
    asked = {c: values + bump * (1 + 0.3 * i) for i, (c, values) in enumerate(chosen.items())}
    write(path, run.t, asked)
    forced = inverse(model, motion=path, output=end / ROWS)[1]
    needed = max(np.abs(force_of(forced, c, i)).max() for i, c in enumerate(asked))
    assert max(np.abs(force_of(free, c, i)).max() for i, c in enumerate(asked)) < 0.05 * needed

    energy = forced["energy.total"] - forced["energy.total"][0]
    assert np.abs(energy - forced["energy.work"]).max() < 1e-2 * np.abs(energy).max()

    back, _ = shipped(name)
    for i, c in enumerate(asked):
        joint, what = c.rsplit(".", 1)
        back.add("splines", name=f"ff_{i}", x=forced.t.tolist(), y=force_of(forced, c, i).tolist(), kind="not-a-knot")
        back.add("forces", name=f"force_{i}", type="torque" if what == "angle" else "force", joint=joint, value=f"spline(time, ff_{i})")
    if name in RUNS_AWAY:
        return
    WENT.add(name)
    moved = back.run(tolerance=1e-10, method="rk", output=end / 40, signals=WANTED)
    for c, values in asked.items():
        assert np.abs(moved[c] - np.interp(moved.t, run.t, values)).max() < 2e-3


def test_most_go_through(request):
    """Of those above, where all of them were asked for."""
    if not any(item.name == "test_forward_and_inverse[slider_crank]" for item in request.session.items):
        pytest.skip("only some models were asked for")
    assert len(WENT) >= 12, sorted(WENT)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
def test_static_and_linearise(name):
    """At an equilibrium the linearised motion grows as statics tell; or both say why there is none."""
    model, _ = shipped(name)
    try:
        point = model.static(unstable=True).points[0]
        poles = model.linearise(equilibrium=True).poles
    except hm.HolonomError as error:
        assert re.search(r"equilibri|degrees of freedom|forces balance|singular", error.text), error.text
        return
    size = np.abs(poles).max(initial=0)
    if point.stable and not point.neutral:
        assert poles.real.max(initial=0) <= 1e-6 * (1 + size)
    elif point.growth > 0:
        assert poles.real.max() == pytest.approx(point.growth, rel=1e-5, abs=1e-5 * size)
