"""Handlers of signals in the middle of calls: what they raise comes through, what they call is refused, nothing is left behind."""
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

import holonom as hm

LONG = {"end": 1e6, "tolerance": 1e-11, "output": 0, "time_limit": 100}


class Alarm(Exception):
    pass


@pytest.fixture
def model():
    return hm.Model("models/cart_pole.yaml")


@contextlib.contextmanager
def alarms(handler, first, again=0.0):
    """The handler is called after some time, and again and again."""
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, first, again)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def raise_alarm(*_):
    raise Alarm


def test_an_exception_ends_a_long_advance(model):
    s = model.simulate(**LONG)
    start = s.save()
    with alarms(raise_alarm, 0.3), pytest.raises(Alarm):
        s.advance(1e6)
    t = s.time
    time.sleep(0.1)
    assert s.time == t > 0 and s.done  # nobody is at work with it
    with pytest.raises(hm.Cancelled):
        s.advance(1e6)
    s.restore(start)
    assert not s.done
    s.advance(0.1)
    assert s.time == 0.1


def test_many_exceptions_end_a_long_advance(model):
    """More of them come while the end of the work is waited for."""
    for _ in range(5):
        s, raised = model.simulate(**LONG), []

        def handler(_, frame):
            if frame.f_code.co_name == "interruptible":
                raised.append(1)
                raise Alarm

        with alarms(handler, 0.1, 0.0005), pytest.raises(Alarm):
            s.advance(1e6)
        assert raised
        time.sleep(0.05)  # a thread that was still there has ended
        s.reset()
        s.advance(0.1)
        assert s.time == 0.1


@pytest.mark.parametrize("anew", [lambda s, start: s.reset(), lambda s, start: s.restore(start)])
def test_an_interruption_that_comes_late_ends_nothing_else(model, anew):
    s = model.simulate(**LONG)
    start = s.save()
    with alarms(raise_alarm, 0.1), pytest.raises(Alarm):
        s.advance(1e6)
    s.cancel()  # as if the work had been over when it was called off
    anew(s, start)
    s.advance(0.1)
    assert s.time == 0.1


CALLS = {
    "reset": lambda s: s.reset(), "step": lambda s: s.step(), "set_state": lambda s: s.set_state(t=0.5), "close": lambda s: s.close(), "time": lambda s: s.time,
    "advance": lambda s: s.advance(by=1), "finish": lambda s: s.finish(), "input": lambda s: s.inputs.update({"u": 1}), "save": lambda s: s.save(),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("way", ["advance", "run"])
def test_handlers_are_refused(model, name, way):
    """A handler that calls the simulation in the middle of a call of it gets a UsageError, at once."""
    s, refused = model.simulate(**LONG), []

    def handler(*_):
        try:
            CALLS[name](s)
        except hm.UsageError as error:
            refused.append(str(error))
        if len(refused) == 5:
            s.cancel()

    with alarms(handler, 0.1, 0.01), pytest.raises(hm.Cancelled):
        s.advance(1e6) if way == "advance" else s.run()
    assert len(refused) >= 5 and all("at work" in one for one in refused)
    s.reset()
    s.advance(0.1)
    assert s.time == 0.1


def test_who_shows_it_meanwhile_sees_it_at_work(model):
    s, shown = model.simulate(**LONG), []
    with alarms(lambda *_: (shown.append(repr(s)), s.cancel()), 0.2), pytest.raises(hm.Cancelled):
        s.advance(1e6)
    assert shown[0].endswith(", at work>") and "t = " in repr(s)


def test_an_exception_ends_modes(pendulum):
    with alarms(raise_alarm, 0.3), pytest.raises(Alarm):
        pendulum.set("simulate.time_limit=100").modes(at=1e7)
    assert len(pendulum.modes()) == 1


def test_an_exception_ends_a_race(model):
    with alarms(raise_alarm, 0.3), pytest.raises(Alarm):
        model.copy().set("simulate.end=1e5").compare(["rk", "hht"], [1e-8], jobs=1)


# Slow after an input is set, by a factor of a million.
QUICK = """
dimension: 2
bodies: [{name: b, type: point, mass: 1, position: [1, 0]}]
inputs: [{name: f, value: 0}]
forces: [{name: F, type: force, on: b, value: ["f*sin(3000*time)", 0]}]
simulate: {end: 1e6, tolerance: 1e-6, method: rk, output: 1e4}
"""


def test_ctrl_c_ends_an_advance_that_should_be_short():
    s = hm.Model.from_text(QUICK).simulate()
    for _ in range(3):
        s.advance(by=1e4)
    s.inputs["f"] = 1
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        s.advance(by=1e4)
    assert time.monotonic() - started < 3
    s.reset()
    s.advance(1)


def test_the_file_of_signals_stays_the_callers():
    """asyncio and others have one; it is told of signals that come during an advance."""
    there, out = socket.socketpair()
    there.settimeout(5)
    out.setblocking(False)
    before = signal.set_wakeup_fd(out.fileno())
    try:
        s = hm.Model.from_text(QUICK).simulate()
        s.advance(1e4)
        s.advance(2e4)
        assert signal.set_wakeup_fd(out.fileno()) == out.fileno()
        s.inputs["f"] = 1
        with alarms(lambda *_: None, 0.05):
            s.advance(by=200)
        assert there.recv(1) == bytes([signal.SIGALRM])
    finally:
        signal.set_wakeup_fd(before)
        there.close()
        out.close()


@pytest.mark.parametrize("work", ["m.parameters['l'] = 0.5; m.check()", "m.run(end=0.1 + 1e-3*(i % 20))", "m.copy(l=0.3).text; s.to_bytes()"])
def test_children_of_a_fork_use_models_that_threads_are_at_work_with(work):
    program = f"""
import os, sys, threading, time, holonom as hm, faulthandler
m = hm.Model("models/cart_pole.yaml")
s = m.simulate().save()
stop = False
def go():
    i = 0
    while not stop:
        i += 1
        {work}
thread = threading.Thread(target=go); thread.start()
time.sleep(0.1)
for k in range(20):
    pid = os.fork()
    if pid == 0:
        faulthandler.dump_traceback_later(20, exit=True)
        m.copy(l=0.4).run(end=0.01); s.to_bytes()
        os._exit(0)
    if os.waitpid(pid, 0)[1]:
        print("child", k, "hung")
        break
stop = True
thread.join()
print("done")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout == "done\n", done.stdout + done.stderr


def test_children_of_a_fork_advance():
    program = """
import os, holonom as hm
s = hm.Model("models/cart_pole.yaml").simulate()
s.advance(0.1); s.advance(0.2)
pid = os.fork()
if pid == 0:
    s = hm.Model("models/cart_pole.yaml").simulate()
    s.advance(0.1); s.advance(0.2)
    os._exit(0 if s.time == 0.2 else 1)
print(os.waitpid(pid, 0)[1])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "0\n", done.stderr
