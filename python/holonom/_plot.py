"""Curves by matplotlib."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from . import _native

if TYPE_CHECKING:
    from .result import Result


def _label(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def curves(result: "Result", signals: tuple[str, ...], x: Optional[str], axes: Any) -> list[Any]:
    """See Result.plot."""
    import matplotlib.pyplot as plt

    names = []
    for one in signals:
        below = result.select(one)
        if not below:
            raise KeyError(f'there is no signal "{one}"{_native.suggestion(one, result)}')
        names += [name for name in below if name not in names]
    if not names:
        raise TypeError("plot() wants the name of a signal at least")
    units = list(dict.fromkeys(result.units[name] for name in names))
    if axes is None:
        _, grid = plt.subplots(len(units), 1, sharex=True, squeeze=False, constrained_layout=True)
        panes = dict(zip(units, grid[:, 0]))
    else:
        panes = dict.fromkeys(units, axes)
    across = result.t if x is None else result[x]
    for name in names:
        panes[result.units[name]].plot(across, result[name], label=name)
    for unit, pane in panes.items():
        mine = [name for name in names if result.units[name] == unit]
        pane.set_ylabel(_label(mine[0], unit) if len(mine) == 1 else f"[{unit}]" if unit else "")
        pane.legend()
    last = list(dict.fromkeys(panes.values()))
    last[-1].set_xlabel("t [s]" if x is None else _label(x, result.units[x]))
    return last
