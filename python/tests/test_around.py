"""A program around a simulation: inputs, advance, states, snapshots, reset."""
import concurrent.futures
import gc
import itertools
import multiprocessing
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import holonom as hm


@pytest.fixture(scope="module")
def model():
    return hm.Model("models/cart_pole.yaml")


@pytest.fixture
def sim(model):
    return model.simulate()


def end_of(snapshot):
    """What another process makes of a snapshot."""
    s = hm.Model("models/cart_pole.yaml").simulate()
    s.restore(snapshot)
    s.run()
    return s.values


# ---- inputs ---------------------------------------------------------------------------------------------------


def test_a_mapping(sim):
    assert list(sim.inputs) == ["u"] and len(sim.inputs) == 1 and "u" in sim.inputs and dict(sim.inputs) == {"u": 0}
    assert sim.inputs.units == {"u": "N"} and repr(sim.inputs) == "<Inputs: u = 0 N>"


def test_a_push_moves_the_cart(sim):
    sim.inputs["u"] = 2
    assert sim.inputs["u"] == 2
    sim.advance(0.01)
    assert sim["cart.x"] == pytest.approx(0.5 * 2 / (1 + 0.1 / 4) * 0.01**2, rel=0.1)  # the pole takes a part of it


def test_update(sim):
    sim.inputs.update({"u": np.float32(1.5)})
    assert sim.inputs["u"] == 1.5
    sim.inputs.update(u=2)
    assert sim.inputs["u"] == 2


def test_tunable_parameters_are_inputs():
    m = hm.Model("models/cart_pole.yaml")
    m["tunable"] = ["g"]
    m.parameters["g"] = 1
    m.forces[0].value = ["u + g", 0]
    s = m.simulate()
    assert set(s.inputs) == {"u", "g"} and s.inputs["g"] == 1
    s.inputs["g"] = 3
    s.advance(0.1)
    assert s["cart.x"] > 0


def test_a_model_without_inputs(pendulum):
    s = pendulum.simulate()
    assert len(s.inputs) == 0 and repr(s.inputs) == "<Inputs: none>"
    with pytest.raises(KeyError, match="there are none"):
        s.inputs["u"] = 3


@pytest.mark.parametrize("value, kind", [(np.nan, hm.UsageError), (np.inf, hm.UsageError), ("3", TypeError), (None, TypeError), ([1, 2], TypeError)])
def test_values_that_are_none(sim, value, kind):
    with pytest.raises(kind):
        sim.inputs["u"] = value
    assert sim.inputs["u"] == 0
    sim.advance(0.1)


def test_inputs_are_no_attributes(sim):
    with pytest.raises(AttributeError, match=r'inputs\["u"\] = '):
        sim.inputs.u = 50
    with pytest.raises(AttributeError, match=r'inputs\["u"\] = '):
        sim.u = 50
    with pytest.raises(AttributeError, match="update"):
        sim.inputs = {"u": 50}
    assert sim.inputs["u"] == 0


def test_update_is_all_or_nothing(sim):
    for wrong, kind in (({"u": 1, "zz": 2}, KeyError), ({"u": np.nan}, hm.UsageError)):
        with pytest.raises(kind):
            sim.inputs.update(wrong)
        assert sim.inputs["u"] == 0


def test_inputs_that_there_are_not(sim):
    with pytest.raises(KeyError, match="there are u"):
        sim.inputs["force"] = 1
    with pytest.raises(KeyError):
        sim.inputs[0]
    with pytest.raises((TypeError, AttributeError)):
        del sim.inputs["u"]


# ---- time -----------------------------------------------------------------------------------------------------


def test_advance_to_and_by(sim):
    sim.advance(0.25)
    assert sim.time == 0.25
    sim.advance(by=0.5)
    assert sim.time == 0.75
    sim.advance(t=0.75)
    assert sim.time == 0.75


def test_advance_does_not_change_the_motion(model):
    a, b = model.simulate(), model.simulate()
    a.run()
    for t in np.linspace(0, 2, 401):
        b.advance(t)
    assert np.allclose(a.values, b.values, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("call, kind", [
    (lambda s: s.advance(), TypeError), (lambda s: s.advance(1, by=1), TypeError), (lambda s: s.advance(0.1), hm.UsageError), (lambda s: s.advance(9), hm.UsageError),
    (lambda s: s.advance(by=-0.1), hm.UsageError), (lambda s: s.advance(float("nan")), hm.UsageError), (lambda s: s.advance(float("inf")), hm.UsageError),
    (lambda s: s.advance("soon"), ValueError), (lambda s: list(s.every(0)), hm.UsageError), (lambda s: list(s.every(-1)), hm.UsageError),
    (lambda s: list(s.every(float("nan"))), hm.UsageError),
])
def test_times_that_cannot_be(sim, call, kind):
    sim.advance(0.5)
    with pytest.raises(kind):
        call(sim)
    sim.advance(1)
    assert sim.time == 1


def test_every(sim):
    times = list(sim.every(0.1))
    assert np.allclose(times, np.arange(20) * 0.1, atol=1e-12) and sim.time == 2 and sim.done
    assert list(sim.every(0.1)) == []


def test_every_with_a_period_that_does_not_fit(sim):
    assert list(sim.every(0.75)) == [0, 0.75, 1.5] and sim.time == 2


def test_every_is_left_and_entered_again(sim):
    for t in sim.every(0.1):
        if t > 0.55:
            break
    assert sim.time == pytest.approx(0.6)
    assert next(iter(sim.every(0.1))) == sim.time


def test_every_with_a_period_below_rounding(sim):
    sim.advance(0.5)
    with pytest.raises(hm.UsageError, match="the same number"):
        list(sim.every(1e-17))


def test_the_time_may_be_set_in_the_loop(sim):
    times = []
    for t in sim.every(0.1):
        times.append(round(t, 9))
        if len(times) == 5:
            sim.reset()
        elif len(times) == 8:
            sim.set_state(t=1.7)
    assert times == [0, 0.1, 0.2, 0.3, 0.4, 0.1, 0.2, 0.3, 1.8, 1.9]


def test_simulations_go_when_nobody_needs_them(model):
    """Without the collector of cycles."""
    import weakref

    s = model.simulate()
    s.inputs["u"] = 1
    seen = weakref.ref(s)
    gc.disable()
    try:
        del s
        assert seen() is None
    finally:
        gc.enable()


def test_every_ends_with_an_event(model):
    m = model.copy()
    m["events"] = [{"name": "fallen", "when": "abs(lean) - 0.5", "stop": "yes"}]
    s = m.simulate()
    times = list(s.every(0.1))
    assert s.time < 2 and s.done and abs(s["lean"]) == pytest.approx(0.5) and times[-1] < s.time
    assert s.statistics["ended_by"] == "fallen"


def test_ctrl_c_ends_a_long_advance(model):
    s = model.simulate(end=1e6, time_limit=100)
    start = s.save()
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        s.advance(1e6)
    assert time.monotonic() - started < 30
    s.restore(start)
    s.advance(0.1)
    assert s.time == 0.1


# ---- states ---------------------------------------------------------------------------------------------------


def test_state(sim, model):
    state = sim.state
    assert state.t == 0 and state.q.shape == state.v.shape == (6,) and state.X.shape == (0,)
    assert state.q[model.equations().coordinates.index("pole.theta")] == pytest.approx(-np.radians(5))
    state.q[:] = 7
    assert sim.state.q[0] == 0  # it is a copy


def test_set_state(sim):
    v = sim.state.v
    v[0] = 1
    change = sim.set_state(v=v)
    assert change > 0 and sim["cart.vx"] == pytest.approx(1, rel=0.5)
    again = sim.state
    assert sim.set_state(t=1.0, q=again.q, v=again.v) < 1e-12
    assert sim.time == 1


@pytest.mark.parametrize("state, kind", [
    ({"q": [0]}, hm.UsageError), ({"q": np.zeros((2, 3))}, hm.UsageError), ({"v": np.full(6, np.nan)}, hm.UsageError), ({"X": [1]}, hm.UsageError), ({"t": -1}, hm.UsageError),
    ({"t": 99}, hm.UsageError), ({"t": np.nan}, hm.UsageError), ({"q": "abcdef"}, TypeError), ({"q": [100, 100, 3, -50, 7, 1]}, hm.HolonomError), ({"v": 0}, hm.UsageError),
])
def test_states_that_are_none(sim, state, kind):
    before = sim.state
    try:
        sim.set_state(**state)
    except kind:
        assert all(np.array_equal(a, b) for a, b in zip(sim.state, before))
    else:
        assert kind is hm.HolonomError  # a state far away was put onto the joints
    sim.advance(by=0.1)


# ---- snapshots ------------------------------------------------------------------------------------------------


def test_restore_goes_on_bit_for_bit(sim):
    sim.inputs["u"] = 1
    sim.advance(0.5)
    snapshot = sim.save()
    sim.inputs["u"] = -1
    sim.advance(1)
    other = sim.values
    sim.restore(snapshot)
    assert sim.time == 0.5 and sim.inputs["u"] == 1
    sim.inputs["u"] = -1
    sim.advance(1)
    assert np.array_equal(sim.values, other)


@pytest.mark.parametrize("method", ["rk", "hht", "bdf", "rn4", "joint_bdf", "tangent"])
def test_restore_with_every_kind_of_method(model, method):
    s = model.simulate(method=method)
    s.advance(0.3)
    snapshot = s.save()
    s.advance(1)
    there = s.values
    s.restore(snapshot)
    s.advance(1)
    assert np.array_equal(s.values, there)


def test_restore_elsewhere(model, sim):
    sim.advance(0.5)
    snapshot = sim.save()
    sim.advance(1)
    other = model.simulate()
    other.restore(snapshot)
    other.advance(1)
    assert np.array_equal(other.values, sim.values)


def test_restore_with_other_parameters(model, sim):
    sim.advance(0.5)
    snapshot = sim.save()
    other = model.copy()
    other.bodies["cart"].mass = 3
    s = other.simulate()
    s.restore(snapshot)
    assert s.time == 0.5 and np.allclose(s.state.q, sim.state.q, atol=1e-12)


def test_restore_of_another_structure(sim, pendulum):
    s = pendulum.simulate()
    with pytest.raises(hm.UsageError):
        s.restore(sim.save())
    s.run()


def test_restore_after_the_end_and_after_a_failure(sim):
    start = sim.save()
    sim.run()
    end = sim.values
    sim.restore(start)
    sim.run()
    assert np.array_equal(sim.values, end)


def test_save_into(sim):
    snapshot = sim.save()
    sim.advance(0.5)
    assert sim.save(into=snapshot) is snapshot
    sim.advance(1)
    sim.restore(snapshot)
    assert sim.time == 0.5


@pytest.mark.parametrize("wrong", ["x", 3, b""])
def test_save_into_what_is_no_snapshot(sim, wrong):
    with pytest.raises(TypeError, match="a Snapshot is wanted"):
        sim.save(into=wrong)


def test_save_into_one_of_another_model(sim, pendulum):
    snapshot = pendulum.simulate().save()
    sim.advance(0.5)
    sim.save(into=snapshot)
    sim.reset()
    sim.restore(snapshot)
    assert sim.time == 0.5


def test_snapshots_are_pickled(sim):
    sim.advance(0.5)
    again = pickle.loads(pickle.dumps(sim.save()))
    sim.advance(1)
    there = sim.values
    sim.restore(again)
    sim.advance(1)
    assert np.array_equal(sim.values, there) and "bytes" in repr(again)


def test_snapshots_go_to_other_processes(sim):
    sim.inputs["u"] = 0.5
    sim.advance(0.5)
    snapshot = sim.save()
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        there = executor.submit(end_of, snapshot).result()
    sim.restore(snapshot)
    sim.run()
    assert np.array_equal(sim.values, there)


def test_damaged_bytes_are_refused(sim):
    data = sim.save().to_bytes()
    for k in {*range(0, len(data), max(1, len(data) // 50)), len(data) - 1}:
        broken = bytearray(data)
        broken[k] ^= 1
        with pytest.raises(hm.HolonomError):
            hm.Snapshot.from_bytes(bytes(broken))
    for cut in (b"", data[:-1], data[:7], b"nonsense" * 50):
        with pytest.raises(hm.HolonomError):
            hm.Snapshot.from_bytes(cut)
    with pytest.raises(TypeError):
        hm.Snapshot.from_bytes(None)


def test_snapshots_live_without_their_simulation(model):
    s = model.simulate()
    s.advance(0.5)
    snapshot = s.save()
    s.close()
    del s
    gc.collect()
    other = model.simulate()
    other.restore(snapshot)
    assert other.time == 0.5


def test_what_is_no_snapshot(sim):
    for thing in (None, b"bytes", 3, sim):
        with pytest.raises(TypeError):
            sim.restore(thing)


def test_snapshots_and_files(model, tmp_path):
    s = model.simulate()
    s.write(tmp_path / "a.csv")
    snapshot = s.save()
    with pytest.raises(hm.UsageError, match="back in time"):
        s.restore(snapshot)
    with pytest.raises(hm.UsageError, match="back in time"):
        s.reset()
    s.run()
    s.restore(snapshot)


def test_threads_share_a_snapshot(model, sim):
    sim.advance(0.5)
    snapshot = sim.save()

    def go_on(_):
        s = model.simulate()
        s.restore(snapshot)
        s.advance(1)
        return s.values

    with concurrent.futures.ThreadPoolExecutor(4) as executor:
        ends = list(executor.map(go_on, range(8)))
    assert all(np.array_equal(one, ends[0]) for one in ends)


# ---- reset ----------------------------------------------------------------------------------------------------


def test_reset_is_a_new_simulation(model, sim):
    sim.run()
    end = sim.values
    for _ in range(3):
        sim.inputs  # noqa: B018
        sim.reset()
        assert sim.time == 0 and not sim.done and sim.inputs["u"] == 0 and sim["lean"] == pytest.approx(np.radians(5))
        sim.inputs["u"] = 5
        sim.advance(0.5)
        sim.reset()
        sim.run()
        assert np.array_equal(sim.values, end)


def test_reset_leaves_statistics_and_names(sim):
    sim.step()
    sim.reset()
    assert sim.statistics["method"] and sim.units["pole.omega"] == "rad/s" and len(sim.values) == len(sim.names) and sim.end == 2


def test_record_after_reset(sim):
    sim.record()
    sim.run()
    first = sim.result()
    sim.reset()
    sim.record()
    sim.run()
    assert np.array_equal(sim.result().array, first.array)


def test_thousand_resets_take_no_memory(sim):
    import resource

    def after(n):
        for _ in range(n):
            sim.reset()
            sim.inputs["u"] = 1
            sim.advance(0.01)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = after(50)
    assert after(1000) - before < 2e3  # [kB]


@pytest.mark.parametrize("name, call", [
    ("inputs", lambda s: s.inputs["u"]), ("set", lambda s: s.inputs.update(u=1) if False else s.inputs.__setitem__("u", 1)), ("advance", lambda s: s.advance(1)),
    ("state", lambda s: s.state), ("set_state", lambda s: s.set_state(t=0.5)), ("save", lambda s: s.save()), ("restore", lambda s: s.restore(None)),
    ("reset", lambda s: s.reset()), ("every", lambda s: list(s.every(1))), ("done", lambda s: s.done), ("iter", lambda s: list(s)),
])
def test_after_close(sim, name, call):
    sim.close()
    with pytest.raises(hm.UsageError, match="closed"):
        call(sim)


ORDERS = {
    "step": lambda s: s.step(), "advance": lambda s: s.advance(by=0.01), "save": lambda s: s.restore(s.save()), "reset": lambda s: s.reset(),
    "state": lambda s: s.set_state(v=s.state.v), "finish": lambda s: s.finish(), "input": lambda s: s.inputs.update({"u": 1}), "values": lambda s: s.values,
}


@pytest.mark.parametrize("first, second, third", itertools.permutations(ORDERS, 3))
def test_all_orders_of_three_calls(model, first, second, third):
    """Whatever the order: it works, or a UsageError says why; and a reset makes all well."""
    s = model.simulate(method="rk", step=0.01)
    for name in (first, second, third):
        try:
            ORDERS[name](s)
        except hm.UsageError as error:
            assert str(error)
    s.reset()
    s.advance(0.1)
    assert s.time == 0.1
