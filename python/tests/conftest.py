"""Tests of the package as it is installed. The current folder is that of the repository, results go elsewhere."""
import os
import pathlib
import signal

import pytest

TOP = pathlib.Path(__file__).resolve().parents[2]
MODELS = TOP / "models"
os.environ["MPLBACKEND"] = "agg"
signal.signal(signal.SIGINT, signal.default_int_handler)  # who starts tests in the background may have had it ignored

PENDULUM = {
    "title": "pendulum",
    "dimension": 2,
    "gravity": [0, -9.81],
    "parameters": {"L": 1, "m": 2},
    "bodies": [{"name": "bob", "type": "point", "mass": "m", "position": ["L", 0]}],
    "joints": [{"name": "rod", "type": "distance", "between": ["ground", "bob"], "length": "L"}],
    "simulate": {"end": 1, "tolerance": 1e-6, "output": 0.01},
}


@pytest.fixture(autouse=True)
def at_top(monkeypatch):
    monkeypatch.chdir(TOP)


@pytest.fixture
def pendulum():
    import holonom as hm

    return hm.Model.from_dict(PENDULUM)


@pytest.fixture(scope="session")
def run():
    """A result to look at."""
    import holonom as hm

    return hm.Model.from_dict(PENDULUM).run()


@pytest.fixture
def notebook(monkeypatch):
    """As if in Jupyter: what is displayed, as HTML."""
    import sys
    import types

    shown = []

    class Handle:
        def update(self, thing):
            shown.append(thing._repr_html_())

    def display(thing, display_id=None):
        shown.append(thing._repr_html_())
        return Handle() if display_id else None

    class HTML:
        def __init__(self, data):
            self.data = data

        def _repr_html_(self):
            return self.data

    interactive, inner = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    interactive.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    interactive.display, inner.display, inner.HTML = inner, display, HTML
    monkeypatch.setitem(sys.modules, "IPython", interactive)
    monkeypatch.setitem(sys.modules, "IPython.display", inner)
    return shown
