"""Simulations in the caller's hands."""
import gc
import os
import pickle
import threading
import weakref

import numpy as np
import pytest

import holonom as hm


@pytest.fixture
def sim(pendulum):
    return pendulum.simulate()


def test_step_by_step(sim):
    times = [sim.time]
    while sim.step():
        times.append(sim.time)
    assert sim.time == sim.end == 1 and sim.done and np.all(np.diff(times) > 0)
    assert sim.step() is False  # at the end it does nothing


def test_iteration(sim):
    times = list(sim)
    assert times[-1] == 1 and np.all(np.diff(times) > 0) and list(sim) == []


def test_options_are_those_of_run(pendulum):
    s = pendulum.simulate(end=0.5, method="hht", step=0.01)
    assert len(list(s)) == 50


def test_signals(sim):
    assert sim.values.shape == (len(sim.names),) and sim["bob.x"] == sim.values[sim.names.index("bob.x")] == 1
    assert sim.units["bob.x"] == "m"
    with pytest.raises(KeyError, match='did you mean "bob.x"'):
        sim["bbo.x"]
    with pytest.raises(KeyError, match="there are energy.kinetic, "):
        sim["energy"]
    with pytest.raises(KeyError):
        sim[3]


def test_names_are_looked_for_without_a_step(sim):
    assert "bob.x" in sim and "bbo.x" not in sim and 3 not in sim and sim.time == 0


@pytest.mark.parametrize("name, way", [("tolerance", "simulate"), ("time", "set_state"), ("names", ""), ("no_such", ""), ("end", "")])
def test_attributes_are_not_set(sim, name, way):
    with pytest.raises(AttributeError, match=way):
        setattr(sim, name, 1)
    assert sim.time == 0 and name in ("time", "names", "end") or not hasattr(sim, name)


def test_a_failure_is_an_end():
    m = hm.Model.from_text("dimension: 2\nbodies: [{name: b, type: point, mass: 1, position: [1, 0]}]\n"
                           "forces: [{name: f, type: force, on: b, value: ['DX(b)^3*100', 0]}]\nsimulate: {end: 10}")
    for go in (lambda s: s.advance(5), lambda s: list(s), lambda s: s.run(), lambda s: list(s.every(0.01))):
        s = m.simulate()
        with pytest.raises(hm.IntegrationError):
            go(s)
        assert s.done and s.time < 1
        s.reset()
        assert not s.done
    with pytest.raises(hm.UsageError):
        s.advance(-1)
    assert not s.done  # no step was taken


def test_values_are_those_of_a_run(sim, run):
    sim.run()
    assert np.array_equal(sim.values, run.array[-1, 1:])


def test_values_are_the_callers(sim):
    before = sim.values
    before[0] = 7
    assert sim.values[0] == 1
    sim.step()
    assert before[0] == 7


def test_record(sim, run):
    sim.record()
    sim.run()
    assert np.array_equal(sim.result().array, run.array)


def test_records_in_a_wrong_order(sim):
    with pytest.raises(hm.UsageError):
        sim.result()
    sim.step()
    with pytest.raises(hm.UsageError):
        sim.record()
    with pytest.raises(hm.UsageError):
        sim.write("a.csv")
    with pytest.raises(hm.UsageError):
        sim.report("a.html")


def test_record_twice_and_take_twice(sim):
    sim.record()
    with pytest.raises(hm.UsageError):
        sim.record()
    sim.run()
    assert sim.result().complete
    with pytest.raises(hm.UsageError, match="taken"):
        sim.result()


def test_a_result_outlives_all(pendulum):
    s = pendulum.simulate()
    s.record()
    s.run()
    r = s.result()
    x = r["bob.x"]
    expected = x.copy()
    del s, pendulum, r
    gc.collect()
    assert np.array_equal(x, expected)


def test_a_part_of_a_run_is_not_complete(sim):
    sim.record()
    for _ in range(5):
        sim.step()
    sim.finish()
    r = sim.result()
    assert 1 <= len(r.t) < 101 and not r.complete


def test_step_after_finish(sim):
    sim.step()
    sim.finish()
    sim.finish()  # once is enough, twice is no harm
    with pytest.raises(hm.UsageError, match="finished"):
        sim.step()


def test_files(pendulum, tmp_path):
    with pendulum.simulate() as s:
        s.write(tmp_path / "a.csv")
        s.report(tmp_path / "a.html")
        for _ in range(5):
            s.step()
    assert hm.read(tmp_path / "a.csv").t[-1] < 1
    assert (tmp_path / "a.html").exists()


def test_checkpoint_goes_on_bit_for_bit(pendulum, tmp_path):
    a = pendulum.simulate(method="hht")
    for _ in range(20):
        a.step()
    a.checkpoint(tmp_path / "state")
    b = pendulum.simulate(method="hht")
    b.restart(tmp_path / "state")
    assert b.time == a.time
    a.run()
    b.run()
    assert np.array_equal(a.values, b.values)


def test_checkpoint_of_another_model(pendulum, tmp_path):
    pendulum.simulate().checkpoint(tmp_path / "state")
    other = pendulum.copy(L=2).simulate()
    with pytest.raises(hm.UsageError):
        other.restart(tmp_path / "state")
    other.run()  # it is as it was


def test_statistics(sim):
    sim.run()
    assert sim.statistics["steps"] > 10 and sim.statistics["time"] == 1


def test_repr(sim):
    assert "t = 0 s of 1 s" in repr(sim)
    sim.close()
    assert repr(sim) == "<Simulation, closed>"


# ---- misuse ---------------------------------------------------------------------------------------------------

EVERYTHING = [
    ("step", lambda s: s.step()), ("run", lambda s: s.run()), ("time", lambda s: s.time), ("end", lambda s: s.end), ("values", lambda s: s.values),
    ("item", lambda s: s["bob.x"]), ("statistics", lambda s: s.statistics), ("finish", lambda s: s.finish()), ("record", lambda s: s.record()),
    ("result", lambda s: s.result()), ("write", lambda s: s.write("a.csv")), ("report", lambda s: s.report("a.html")),
    ("checkpoint", lambda s: s.checkpoint("state")), ("restart", lambda s: s.restart("state")),
]
NAMES, CALLS = zip(*EVERYTHING)


@pytest.mark.parametrize("call", CALLS, ids=NAMES)
def test_after_close(sim, call):
    sim.close()
    sim.close()
    with pytest.raises(hm.UsageError, match="closed"):
        call(sim)


@pytest.mark.parametrize("call", CALLS, ids=NAMES)
def test_two_threads(sim, call):
    """While one thread is at work every call of another one is refused, and the first one does not notice."""
    entered, leave = threading.Event(), threading.Event()

    def hold():
        sim._lend(lambda _: (entered.set(), leave.wait(10)))

    thread = threading.Thread(target=hold)
    thread.start()
    entered.wait(10)
    try:
        with pytest.raises(hm.UsageError, match="another thread"):
            call(sim)
    finally:
        leave.set()
        thread.join()
    assert sim.step()


def test_two_threads_in_earnest():
    """One thread steps as it can, another one as well: each step is one or a UsageError."""
    s = hm.Model("models/four_bar.yaml").simulate(method="hht")
    faults, refused = [], []

    def work():
        for _ in range(300):
            try:
                s.step()
            except hm.UsageError:
                refused.append(1)
            except BaseException as error:
                faults.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not faults and s.time > 0


def test_cancel_from_another_thread(pendulum):
    s = pendulum.simulate(end=1e7, output=1, time_limit=100)
    timer = threading.Timer(0.2, s.cancel)
    timer.start()
    with pytest.raises(hm.Cancelled):
        s.run()
    assert 0 < s.time < 1e7


def test_values_live_without_their_simulation(pendulum):
    s = pendulum.simulate()
    values = s.values
    expected, handle = values.copy(), weakref.ref(s)
    s.close()
    del s
    gc.collect()
    assert handle() is None and np.array_equal(values, expected)


def test_simulations_live_without_their_model(pendulum):
    s = pendulum.simulate()
    object.__setattr__(s, "model", None)
    del pendulum
    gc.collect()
    s.run()
    assert s.time == 1


def test_memory_is_given_back(pendulum):
    """A thousand simulations take no more than a few."""
    import resource

    def after(n):
        for _ in range(n):
            pendulum.simulate(signals=["bob.x"]).step()
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = after(50)
    assert after(500) - before < 20e3  # [kB]; a simulation takes some 100 kB


def test_simulations_are_not_pickled(sim):
    with pytest.raises(TypeError, match="Snapshot"):
        pickle.dumps(sim)


def in_a_child(work):
    """Exit status of a forked child that does it: 0 if it returned true."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            code = 0 if work() else 2
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_a_fork_may_not_go_on_with_a_simulation(sim):
    def child():
        try:
            sim.step()
        except hm.UsageError as error:
            return "another process" in str(error)

    assert in_a_child(child) == 0
    assert sim.step()


def test_a_fork_may_use_models_and_results(pendulum, run):
    expected = run.array.copy()

    def child():
        return np.array_equal(pendulum.run().array, expected) and np.array_equal(run.array, expected)

    pendulum._native
    assert in_a_child(child) == 0


def test_a_fork_destroys_nothing(pendulum, tmp_path):
    s = pendulum.simulate(threads=2)
    s.write(tmp_path / "a.csv")
    s.step()

    def child():
        nonlocal s
        s = None
        gc.collect()
        return True

    assert in_a_child(child) == 0
    s.run()
    assert len(hm.read(tmp_path / "a.csv").t) == 101
