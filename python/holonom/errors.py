"""Exceptions and warnings.

Every exception of the library is a `HolonomError`; its class says the kind of trouble, as the library's status does.
"""
from __future__ import annotations

import re
from typing import Any

__all__ = [
    "HolonomError", "ModelError", "AssemblyError", "IntegrationError", "AccuracyError", "LimitError", "FileError",
    "UsageError", "OutOfMemoryError", "Cancelled", "HolonomWarning", "IncompleteWarning",
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
        if place and place["file"].startswith("--set "):  # no file, but what the program has set
            place, message = None, f"{place['file'][6:].partition('=')[0]}: {place['rest']}"
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


BY_STATUS: dict[int, type[HolonomError]] = {
    kind.status: kind
    for kind in (OutOfMemoryError, UsageError, ModelError, AssemblyError, IntegrationError, AccuracyError, LimitError,
                 FileError, Cancelled)
}
