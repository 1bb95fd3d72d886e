"""Every shipped model: from its file and from dicts, the same bits."""
import re

import numpy as np
import pytest
import yaml
from conftest import MODELS

import holonom as hm

SHIPPED = sorted(path.name for path in MODELS.glob("*.yaml"))


def loaded(path):
    """What a model file says as dicts and texts; no number or flag is guessed. crank{i} is no plain word of YAML: its braces are other characters meanwhile."""
    text = re.sub(r"(?<=\w)((?:\{[^{}]*\})+)", lambda found: found[1].replace("{", "\ue000").replace("}", "\ue001"), path.read_text())

    def back(value):
        if isinstance(value, dict):
            return {back(key): back(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [back(inner) for inner in value]
        return value.replace("\ue000", "{").replace("\ue001", "}")

    return back(yaml.load(text, Loader=yaml.BaseLoader))


def short(model):
    """The first part of its run: enough for a start, some steps, and rows; of many contacts each step is long."""
    end = model["simulate"].end if "simulate" in model and "end" in model["simulate"] else 1.0
    end = min(float(end), 0.005 if "contacts" in model else 0.05)
    return model.run(end=end, output=end / 10, progress=False)


@pytest.mark.filterwarnings("ignore::holonom.HolonomWarning")
@pytest.mark.parametrize("name", SHIPPED)
def test_of_dicts(name, monkeypatch):
    monkeypatch.chdir(MODELS)  # files that a model names are beside it
    file, dicts = hm.Model(name), hm.Model.from_dict(loaded(MODELS / name))
    text = hm.Model.from_dict(file.to_dict())
    a, b, c = short(file), short(dicts), short(text)
    assert list(a) == list(b) == list(c)
    assert np.array_equal(a.array, b.array, equal_nan=True) and np.array_equal(a.array, c.array, equal_nan=True)


def test_there_are_models():
    assert len(SHIPPED) >= 30
