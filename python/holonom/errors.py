"""Exceptions and warnings.

Every exception of the library is a `HolonomError`; its class says the kind of trouble, as the library's status does.
"""
from __future__ import annotations

import errno
import re
from typing import Any

__all__ = [
    "HolonomError", "ModelError", "AssemblyError", "IntegrationError", "AccuracyError", "LimitError", "FileError",
    "MissingFileError", "UsageError", "OutOfMemoryError", "Cancelled", "HolonomWarning", "IncompleteWarning",
]


_PLACE = re.compile(r"(?P<file>.+?)(?::(?P<line>\d+):(?P<column>\d+))?: error: (?P<rest>.*)", re.S)
_PATH = re.compile(r"(?P<path>[a-z]\w*(?:[.\[][^:\"]*?)?(?: \"[^\"]*\")?(?:: \w+(?=: ))?): (?P<text>.*)", re.S)


class HolonomError(Exception):
    """What all errors of holonom have in common; its text is that of the library.

    Attributes
    ----------
    status : int
        The library's status, negative; the exit code of the program is its absolute value.
    file : str or None
        The file that holds the place.
    line, column : int or None
        The place, counted from 1.
    path : str or None
        What it belongs to in the model, such as ``joints.B0``.
    text : str
        What is wrong, and a way out, without the place.
    result : Result or None
        Of a run that failed: the rows up to there.
    """

    status = 0

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        place = _PLACE.fullmatch(message)
        rest = place["rest"] if place else message
        below = _PATH.fullmatch(rest)
        self.file = place["file"] if place else None
        self.line = int(place["line"]) if place and place["line"] else None
        self.column = int(place["column"]) if place and place["column"] else None
        self.path = below["path"] if below else None
        self.text = below["text"] if below else rest
        self.result: Any = None


class ModelError(HolonomError):
    """The model is wrong."""

    status = -3


class AssemblyError(HolonomError):
    """The joints cannot be closed."""

    status = -4


class IntegrationError(HolonomError):
    """The integration stopped before its end."""

    status = -5


class AccuracyError(HolonomError):
    """The accuracy asked for was not met; ``result`` is complete all the same."""

    status = -6


class LimitError(HolonomError):
    """A limit of time or steps was reached."""

    status = -7


class FileError(HolonomError, OSError):
    """A file could not be read or written."""

    status = -8


class MissingFileError(FileError, FileNotFoundError):
    """A file that is to be read is not there."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.errno = errno.ENOENT


class UsageError(HolonomError, ValueError):
    """A call that makes no sense: a wrong name or number, a wrong order, an object that has been closed."""

    status = -2


class OutOfMemoryError(HolonomError, MemoryError):
    """An allocation failed."""

    status = -1


class Cancelled(HolonomError):
    """Somebody asked for an end: Ctrl-C, or `Simulation.cancel` from another thread."""

    status = -9


class HolonomWarning(UserWarning):
    """What will hurt, or looks like a mistake; the library goes on."""


class IncompleteWarning(HolonomWarning):
    """A result does not go to its end: the run was interrupted, or the file is still being written."""


# What the library says of the program and of its functions, as it is in Python.
_WORDS = (
    (r"^--set (?P<path>[^=]+)=.*?: error: (?P=path): ", r"\g<path>: "),
    (r"^--set ([^=]+)=(.*?): error: ", r"\1 = \2: "),
    (r"^--set ([^=]+)=(.*?): ", r"\1 = \2: "),
    (r"^--set ([^=:\n]+): ", r"\1: "),
    (r"give each path=value in a --set of its own", "set each path=value by itself"),
    (r"wanted is path=value, e\.g\. ", "path=value is wanted, such as "),
    (r"write `simulate: \{end: 10\}` in the model, or use --end 10", 'give end=10, or set m["simulate.end"] = 10'),
    (r"`holonom (methods|elements)` lists them", r"holonom.\1() lists them"),
    (r"holonom (methods|elements)\b", r"holonom.\1()"),
    (r", or give the model that was run \(--model FILE\)|: give it \(--model FILE\)", ""),
    (r"run the model with `simulate: \{signals: \[poses, \.\.\.\]\}`, or without `signals`, which writes everything",
     'run the model with "poses" among its signals, or without signals=, which records everything'),
    (r"give `step` \(--step\)", "give step="),
    (r"use \.csv, or link libholonom", "use .csv; Result.to_xarray().to_netcdf() writes netCDF"),
    (r"another --method", "another method"),
    (r"a smaller --step", "a smaller step"),
    (r"--end ([0-9.e+-]+) ends", r"end=\1 ends"),
    (r"A value of `--set`", "A value that is set by its path"),
    (r"--set (\S+=)", r"\1"),
    (r"hol_simulation_take_result: the simulation has not been finished", "result(): the simulation has not been finished: finish() comes before, or run()"),
    (r"hol_simulation_take_result: hol_simulation_record is to be called before the first step", "result(): no rows were kept: record() comes before the first step"),
    (r"(hol_\w+) is to be called before the first step: the simulation has begun", r"\1 comes before the first step: the simulation has begun; reset() takes it back"),
    (r"hol_eom_(?:get|shape): hol_eom_use_joints is to be called before", "use_joints() comes before joint coordinates"),
    (r"hol_eom_use_joints has been called before", "use_joints() has been called before"),
    (r"is behind the end of the simulation, ([^ ]+) s: give a later `end`", r"is behind the end of the simulation, \1 s: make it with a later end="),
    (r"hol_eom_set_state", "set()"),
    (r"hol_draft_create: ", ""),
    (r"import (with|it with) --lenient", r"import \1 lenient=True"),
    (r"import it with --root (fixed|free)", r'import it with root="\1"'),
    (r"--key NAME begins", r'key="NAME" begins'),
    (r"--root free lets it float", r'root="free" lets it float'),
    (r"; `holonom run ([^`]+) -o [^`]+` makes one; give \S+ here", r'; Model("\1").run(out=..) makes one'),
    (r"hol_(?:simulation|eom|item|draft|model|result|snapshot)_(\w+)", r"\1()"),
    (r"hol_(\w+): ", r"\1(): "),
)


def in_python(message: str) -> str:
    """A message of the library in the words of this package."""
    if "--" in message or "hol" in message or "`" in message:
        for pattern, words in _WORDS:
            message = re.sub(pattern, words, message, flags=re.S)
    return message


BY_STATUS: dict[int, type[HolonomError]] = {
    kind.status: kind
    for kind in (OutOfMemoryError, UsageError, ModelError, AssemblyError, IntegrationError, AccuracyError, LimitError,
                 FileError, Cancelled)
}
