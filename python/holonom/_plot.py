"""Curves by matplotlib."""
from __future__ import annotations

import weakref
from typing import Any, Protocol

from . import _native


class Drawn(Protocol):
    """What has curves: a result, a spectrum."""

    units: dict[str, str]

    def select(self, *names: str) -> list[str]: ...

    def __getitem__(self, name: str) -> Any: ...

    def __iter__(self) -> Any: ...


_made: Any = weakref.WeakKeyDictionary()  # labels of y axes that were made here


def _label(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def _axis(result: Drawn, names: list[str]) -> str:
    """What the y axis is: a signal, a unit, or nothing where units differ; the legend has them then."""
    units = {result.units[name] for name in names}
    if len(names) == 1:
        return _label(names[0], *units)
    return f"[{units.pop()}]" if units != {""} and len(units) == 1 else ""


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "matplotlib":
            raise
        raise ModuleNotFoundError("plot() draws by matplotlib, which is not installed: pip install matplotlib; the report, show(), needs nothing",
                                  name="matplotlib") from error
    return plt


def curves(result: Drawn, signals: tuple[str, ...], across: Any, label: str, axes: Any) -> list[Any]:
    """Signals over `across`, which the x axis calls `label`; see Result.plot."""
    plt = _pyplot()
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
    empty = {pane: not pane.lines for pane in panes.values()}
    for name in names:
        unit = result.units[name]
        panes[unit].plot(across, result[name], label=name if axes is None else _label(name, unit))
    for unit, pane in (panes if axes is None else {"": axes}).items():
        mine = [name for name in names if axes is not None or result.units[name] == unit]
        height, there = _axis(result, mine), pane.get_ylabel()
        if empty[pane] or there == _made.get(pane):  # the caller's own label stays
            _made[pane] = height if empty[pane] or there == height else ""
            pane.set_ylabel(_made[pane])
        pane.legend()
    last = list(dict.fromkeys(panes.values()))
    last[-1].set_xlabel(label)
    return last
