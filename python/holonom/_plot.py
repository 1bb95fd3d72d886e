"""Curves by matplotlib."""
from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, Optional

from . import _native

if TYPE_CHECKING:
    from .result import Result


_made: Any = weakref.WeakKeyDictionary()  # labels of y axes that were made here


def _label(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def _axis(result: "Result", names: list[str]) -> str:
    """What the y axis is: a signal, a unit, or nothing where units differ; the legend has them then."""
    units = {result.units[name] for name in names}
    if len(names) == 1:
        return _label(names[0], *units)
    return f"[{units.pop()}]" if units != {""} and len(units) == 1 else ""


def curves(result: "Result", signals: tuple[str, ...], x: Optional[str], axes: Any) -> list[Any]:
    """See Result.plot."""
    import matplotlib.pyplot as plt

    names = []
    for one in signals:
        if not isinstance(one, str):
            raise TypeError(f"plot(): names of signals are wanted, not {one!r}")
        below = result.select(one)
        if not below:
            raise _native.no_signal(one, result)
        names += [name for name in below if name not in names]
    if axes is not None and not hasattr(axes, "plot"):
        raise TypeError("axes: one set of axes is wanted, where all curves are drawn; without it each unit has its own")
    if not names:
        raise TypeError("plot() wants the name of a signal at least")
    units = list(dict.fromkeys(result.units[name] for name in names))
    if axes is None:
        _, grid = plt.subplots(len(units), 1, sharex=True, squeeze=False, constrained_layout=True)
        panes = dict(zip(units, grid[:, 0]))
    else:
        panes = dict.fromkeys(units, axes)
    across = result.t if x in (None, "t") else result[x]
    empty = {pane: not pane.lines for pane in panes.values()}
    for name in names:
        unit = result.units[name]
        panes[unit].plot(across, result[name], label=name if axes is None else _label(name, unit))
    for unit, pane in (panes if axes is None else {"": axes}).items():
        mine = [name for name in names if axes is not None or result.units[name] == unit]
        label, there = _axis(result, mine), pane.get_ylabel()
        if empty[pane] or there == _made.get(pane):  # the caller's own label stays
            _made[pane] = label if empty[pane] or there == label else ""
            pane.set_ylabel(_made[pane])
        pane.legend()
    last = list(dict.fromkeys(panes.values()))
    last[-1].set_xlabel("t [s]" if x in (None, "t") else _label(x, result.units[x]))
    return last
