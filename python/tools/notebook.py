"""Runs the code cells of a notebook in order, without Jupyter, and compares what they give with the outputs that it holds.

    notebook.py [--write] NOTEBOOK.ipynb      --write: puts in the outputs of now

A cell's output is what it prints and the text form of the expression at its end. Numbers need agree to 2 %; those below 1e-9 are rounding errors.
It runs in an empty folder that sees models/.
"""
import ast
import contextlib
import io
import json
import os
import pathlib
import re
import sys
import tempfile
import warnings

TOP = pathlib.Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
TOLERANCE, ROUNDING = 0.02, 1e-9


def agree(want, have):
    numbers = [list(map(float, NUMBER.findall(text))) for text in (want, have)]
    squeeze = lambda text: re.sub(r"\s+", " ", NUMBER.sub("#", text))
    same = lambda a, b: max(abs(a), abs(b)) < ROUNDING or abs(a - b) <= TOLERANCE * max(abs(a), abs(b))
    return squeeze(want) == squeeze(have) and all(map(same, *numbers))


def run(source, names):
    """What a cell gives: printed text, text of its last expression (None: there is none)."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";") else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return printed.getvalue(), None if value is None else repr(value)


def outputs_of(printed, value, number):
    """The same in the notebook's form."""
    outputs = []
    if printed:
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.splitlines(keepends=True)})
    if value is not None:
        outputs.append({"data": {"text/plain": value.splitlines(keepends=True)}, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def told(outputs):
    return "".join("".join(one.get("text", one.get("data", {}).get("text/plain", []))) + "\n" for one in outputs)


def main():
    os.environ["MPLBACKEND"] = "agg"
    warnings.simplefilter("error")  # a tutorial shows none by accident
    path, faults, number, names = pathlib.Path(sys.argv[-1]).resolve(), [], 0, {}
    book = json.loads(path.read_text())
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.symlink(TOP / "models", "models")
        for cell in (one for one in book["cells"] if one["cell_type"] == "code"):
            number += 1
            have = outputs_of(*run("".join(cell["source"]), names), number)
            if not agree(told(cell["outputs"]), told(have)):
                faults.append(f"{path.name}, cell {number}:\nshown:\n{told(cell['outputs'])}\nnow:\n{told(have)}")
            cell["outputs"], cell["execution_count"] = have, number
        os.chdir(TOP)
    if "--write" in sys.argv:
        path.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n")
    elif faults:
        sys.exit("\n".join(faults))
    print(f"{number} cells, {len(faults)} of them have other outputs")


main()
