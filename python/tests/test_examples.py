"""The examples, as their readers run them; what the documents show."""
import pathlib
import re
import runpy
import subprocess

import numpy as np
import pytest
from conftest import TOP

import holonom as hm

EXAMPLES = sorted((TOP / "python/examples").glob("*.py"))


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """An empty folder that sees the models."""
    (tmp_path / "models").symlink_to(TOP / "models")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, scratch, capsys):
    if "scipy" in path.read_text():
        pytest.importorskip("scipy")
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


@pytest.mark.parametrize("name", ["hmmwv", "pid", "lqr"])
def test_ten_lines(name):
    text = (TOP / f"python/examples/{name}.py").read_text()
    lines = [line for line in text.split('"""')[2].splitlines() if line.strip() and not line.startswith(("#", "print", "assert"))]
    assert len(lines) <= 11 if name == "lqr" else len(lines) <= 10, lines


def test_the_picture_of_the_readme(scratch):
    """The page is the one of `holonom run`, of which the gallery takes the picture, but for the times that a run took."""
    program = TOP / "build/bin/holonom"
    if not program.exists():
        pytest.skip("the program is not built")
    hm.Model("models/hmmwv.yaml").run(report="python.html")
    subprocess.run([program, "run", "models/hmmwv.yaml", "-q", "--report", "program.html"], check=True)
    page = [re.sub(r"\d+\.?\d*(e-?\d+)? s CPU[^<]*", "", pathlib.Path(f"{name}.html").read_text()) for name in ("python", "program")]
    assert len(page[0]) > 1e6 and page[0] == page[1]


def test_the_environment_has_the_methods_of_gymnasium(scratch):
    module = runpy.run_path(str(TOP / "python/examples/environment.py"))
    env = module["CartPole"]()
    first, info = env.reset(seed=3)
    assert first.shape == (4,) and info == {} and abs(first[2]) < 1e-12
    assert np.array_equal(env.reset(seed=3)[0], first) and not np.array_equal(env.reset(seed=4)[0], first)
    observation, reward, terminated, truncated, info = env.step(np.array([1.0]))
    assert observation.shape == (4,) and reward == 1 and not terminated and not truncated and info["t"] == pytest.approx(0.02)
    low, high = env.action_space
    assert env.step(high * 100)[0].shape == (4,) and low == -high
    env.close()


@pytest.mark.parametrize("document", ["docs/python.md", "python/README.md"])
def test_what_documents_show(document, scratch, monkeypatch):
    """Blocks of a document, one after the other; a comment `# VALUE` behind an expression is what it gives."""
    pytest.importorskip("matplotlib")
    pytest.importorskip("xarray")
    from holonom import Page

    monkeypatch.setattr(Page, "show", lambda self: None)
    for model in (TOP / "models").glob("*.yaml"):
        (scratch / model.name).write_text(model.read_text())
    names = {}
    for block in re.findall(r"^```python\n(.*?)^```", (TOP / document).read_text(), re.M | re.S):
        exec(compile(block, document, "exec"), names)
        for expression, value in re.findall(r"^([^#\n]+?) +# -> (.*)$", block, re.M):
            assert repr(eval(expression, names)) == value, expression
    assert names
