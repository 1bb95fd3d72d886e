"""holonom: dynamics of constrained mechanical systems.

>>> import holonom as hm
>>> m = hm.Model("models/four_bar.yaml", N=4)
>>> r = m.run(end=2)
>>> r["crank0.tip.y"].shape == r.t.shape
True

A `Model` is read from a file, made of a dict, or built by hand; `Model.run` gives a `Result`, `Model.simulate` a `Simulation` for loops of one's
own. What goes wrong is a `HolonomError`. SI units everywhere, angles in rad.
"""
from __future__ import annotations

from . import _native
from .analysis import Advice, Check, Mode, Modes, Reach, elements, methods, schema
from .assembly import Assembly, AssemblyCoordinate, AssemblyJoint, AssemblyLength, AssemblyPose, AssemblySide, AssemblyValue
from .equations import Equations, Linear, Motion, Totals, Wrench
from .errors import *  # noqa: F401,F403
from .errors import __all__ as _errors
from .item import Item
from .linearise import StateSpace
from .model import Model
from .races import Certificate, Certified, Choice, Race, Run
from .result import Comparison, Contact, Difference, Page, Result, Spectrum, read
from .simulation import Inputs, Simulation, Snapshot, State
from .statics import StaticPoint, Statics
from .study import Failure, Study, sweep

__version__ = "@VERSION@"

__all__ = [
    "Advice", "Assembly", "AssemblyCoordinate", "AssemblyJoint", "AssemblyLength", "AssemblyPose", "AssemblySide", "AssemblyValue", "Certificate", "Certified", "Check", "Choice", "Comparison", "Contact", "Difference", "Equations", "Failure", "Inputs", "Item", "Linear",
    "Mode", "Model", "Modes", "Motion", "Page", "Race", "Reach", "Result", "Run", "Simulation", "Snapshot", "Spectrum", "State", "StateSpace", "StaticPoint", "Statics", "Study", "Totals", "Wrench",
    "elements", "methods", "read", "schema", "sweep", *_errors,
]
