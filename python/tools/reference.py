"""The part of docs/python.md below its mark: what the docstrings of the installed package say.

    reference.py [--write] docs/python.md      without --write: exit 1 if the document is not what the docstrings say
"""
import inspect
import pathlib
import re
import sys

import holonom as hm

MARK = "<!-- made by `make python-reference` from the docstrings -->"
GROUPS = {
    "Models": ["Model", "Item"],
    "Results": ["Result", "Page", "Comparison", "Difference", "read"],
    "Simulations": ["Simulation", "Inputs", "State", "Snapshot"],
    "The equations": ["Equations", "Linear", "Motion", "Wrench", "Totals"],
    "Studies": ["sweep", "Study", "Failure", "Race", "Run", "Choice", "Certificate", "Certified"],
    "What a model is": ["Check", "Modes", "Mode", "Advice", "methods", "elements", "schema"],
    "Errors and warnings": [],
}
GROUPS["Errors and warnings"] = [name for name in hm.__all__ if not any(name in names for names in GROUPS.values())]
HEADINGS = re.compile(r"^(\w[\w ]*)\n-+$", re.M)


def signature(thing, name):
    """The call as it is written, without types."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return name
    shown = []
    for one in parameters:
        if one.name in ("self", "cls"):
            continue
        if one.kind is one.KEYWORD_ONLY and "*" not in shown and not any(text.startswith("*") for text in shown):
            shown.append("*")
        star = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        default = "" if one.default is one.empty else f"={one.default!r}"
        shown.append(f"{star}{one.name}{default}")
    return f"{name}({', '.join(shown)})"


def prose(doc):
    """numpydoc as Markdown: names of a section as a list, examples as blocks."""
    out, block, section = [], False, ""
    lines = inspect.cleandoc(doc).splitlines()
    for i, line in enumerate(lines):
        if i + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[i + 1]):
            section = line
            out.append(f"*{line}*\n")
            continue
        elif re.fullmatch(r"-{3,}", line):
            continue
        if section in ("Parameters", "Attributes", "Returns", "Raises") and line and not line.startswith(" "):
            name, _, kind = line.partition(" : ")
            line = f"- `{name}`" + (f": {kind}" if kind else "")
        elif section in ("Parameters", "Attributes", "Returns", "Raises") and line.startswith("    "):
            line = "  " + line.strip()
        code = line.startswith((">>>", "...")) or (block and bool(line.strip()))
        if code != block:
            out += ["```pycon"] if code else ["```"]
            block = code
        out.append(line.replace("``", "`"))
    return "\n".join(out + ["```"] * block).strip()


def members(cls):
    for name, value in vars(cls).items():
        if name.startswith("_"):
            continue
        if isinstance(value, property):
            yield f"`.{name}`", value.fget.__doc__ or ""
        elif isinstance(value, classmethod):
            yield f"`{cls.__name__}.{signature(value.__func__, name)}`", value.__func__.__doc__ or ""
        elif inspect.isfunction(value):
            yield f"`.{signature(value, name)}`", value.__doc__ or ""


def reference():
    parts = [MARK]
    for title, names in GROUPS.items():
        parts.append(f"## {title}")
        for name in names:
            thing = getattr(hm, name)
            is_error = inspect.isclass(thing) and issubclass(thing, (Exception, Warning)) and name != "HolonomError"
            if is_error:
                bases = ", ".join(base.__name__ for base in thing.__bases__)
                parts.append(f"- `{name}` ({bases}): {prose(thing.__doc__)}")
                continue
            head = name if inspect.isclass(thing) and name != "Model" else signature(thing, name)
            parts += [f"### `{head}`", prose(thing.__doc__)]
            for call, doc in members(thing) if inspect.isclass(thing) else ():
                parts.append(f"#### {call}\n\n{prose(doc)}")
    return "\n\n".join(parts) + "\n"


def main():
    path = pathlib.Path(sys.argv[-1])
    text = path.read_text()
    new = text.partition(MARK)[0] + reference()
    if "--write" in sys.argv:
        path.write_text(new)
    elif new != text:
        sys.exit(f"{path} is not what the docstrings say; `make python-reference` writes it")


main()
