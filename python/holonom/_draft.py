"""What a model says: a text or the library's draft of it, and Python's values as texts of it."""
from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional, Union

import numpy as np

from . import _native
from ._native import Context, ffi, lib
from .errors import UsageError

PathLike = Union[str, "os.PathLike[str]"]
Value = Union[str, float, int, bool, Sequence[Any], Mapping[str, Any]]


def plain(value: Any) -> Any:
    """Numbers and arrays of numpy as those of Python."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    return value


def written(value: Any, what: str, inside: bool = False) -> str:
    """A value as the text behind the = of `path=value`; numbers to the last bit."""
    value = plain(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        if value != value or value in (float("inf"), float("-inf")):
            raise UsageError(f"{what}: a finite number is wanted, not {value}")
        return repr(value)
    if isinstance(value, str):
        import json

        return json.dumps(value, ensure_ascii=False) if inside else value
    if isinstance(value, (bytes, bytearray)):
        raise TypeError(f"{what}: a text, number, list or dict is wanted, not {type(value).__name__}")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{written(str(k), what, True)}: {written(v, what, True)}" for k, v in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(written(one, what, True) for one in value) + "]"
    raise TypeError(f"{what}: a text, number, list or dict is wanted, not {type(value).__name__}")


def _current_folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it has been removed
        return ""


class Draft:
    """What a model says: a text with overrides as long as nothing else is changed, then the library's draft of them.

    Its lock makes one thread at a time of many, as drafts want it. Files that it names are beside the file of its name, in the folder that was the
    current one when it was made.
    """

    def __init__(self, name: bytes, source: Optional[bytes], overrides: Sequence[bytes] = (), folder: Optional[str] = None) -> None:
        self.lock, self.ctx = threading.RLock(), Context()
        self._name, self.source, self.overrides = name, source, list(overrides)
        self.folder = _current_folder() if folder is None else folder
        self._pointer: Any = None
        self.compiled: Any = None
        self.compiled_at_home = True  # results of it name the file as it was named then
        _native.made_anew.add(self)

    @property
    def name(self) -> bytes:
        """As it was given, as long as it means the same file."""
        return self._name if self.at_home() else os.fsencode(self.absolute)

    @property
    def absolute(self) -> str:
        return os.path.join(self.folder, os.fsdecode(self._name) or "model")

    def at_home(self) -> bool:
        """Whether its name and those of files mean the same now as when it was made."""
        return _current_folder() == self.folder

    def _in_a_child(self) -> None:
        """Behind a fork: a thread that was at work has stayed behind, with the lock and with what it had begun."""
        if self.lock.acquire(blocking=False):
            self.lock.release()
            return
        self.lock, self.ctx, self.compiled = threading.RLock(), Context(), None
        if self.source is not None:
            self._pointer = None

    @classmethod
    def empty(cls, title: Optional[str] = None, dimension: int = 2) -> "Draft":
        if title is not None and not isinstance(title, str):
            raise TypeError(f"title: a text is wanted, not {title!r}")
        self = cls(b"", None)
        self._pointer = self._own(lib.hol_draft_create(self.ctx.pointer, ffi.NULL if title is None else as_bytes(title), dimension))
        return self

    @classmethod
    def imported(cls, path: bytes, root: int, lenient: bool, key: Optional[str]) -> "Draft":
        self = cls(path, None)
        name = ffi.NULL if key is None else ffi.new("char[]", as_bytes(key))
        options = ffi.new("hol_import_options *", {"root": root, "lenient": lenient, "key": name})
        made = lib.hol_draft_import(self.ctx.pointer, path, options)
        self.ctx.tell()
        self._pointer = self._own(made)
        return self

    def _own(self, made: Any) -> Any:
        return _native.own(self.ctx.need(made), lib.hol_draft_destroy, self.ctx)

    @property
    def pointer(self) -> Any:
        """The library's draft, made when it is first wanted."""
        with self.lock:
            if self._pointer is None:
                assert self.source is not None
                self._pointer = self._own(lib.hol_draft_parse(self.ctx.pointer, self.name, self.source, len(self.source)))
                for one in self.overrides:
                    self.done(lib.hol_draft_set(self._pointer, one))
            return self._pointer

    def done(self, value: Any) -> Any:
        """After a call that returns a status or an item; what fails is an exception at once, and forgotten."""
        failed = value == ffi.NULL if isinstance(value, ffi.CData) else value != lib.HOL_OK
        if failed:
            error = self.ctx.error()
            if self._pointer is not None:
                lib.hol_draft_status(self._pointer)
            raise error
        return value

    def change(self, call: Callable[..., Any], *args: Any) -> Any:
        """A call that changes the draft."""
        with self.lock:
            value = self.done(call(*args))
            self.compiled = self.source = None
            return value

    def override(self, texts: Sequence[bytes]) -> None:
        """Values by their paths, as --set has them: all of them, or none where one is wrong."""
        with self.lock:
            if len(texts) > 1:
                trial = self.copy(self.name)
                for one in texts:
                    trial.done(lib.hol_draft_set(trial.pointer, one))
            for one in texts:
                self.done(lib.hol_draft_set(self.pointer, one))
                self.compiled = None
                self.overrides.append(one)

    def compile(self) -> Any:
        """The model that it says now."""
        with self.lock:
            if self.compiled is None or self.compiled_at_home != self.at_home():
                self.compiled, self.compiled_at_home = None, self.at_home()
                if self.source is not None:
                    model = self._parsed(self.name, self.source, self.overrides)
                elif self.at_home():
                    model = lib.hol_draft_compile(self.pointer)
                else:
                    model = self._parsed(os.fsencode(self.absolute), as_bytes(self.text()), [])
                self.ctx.tell()
                self.compiled = _native.own(self.done(model), lib.hol_model_destroy, self.ctx)
            return self.compiled

    def _parsed(self, name: bytes, source: bytes, overrides: Sequence[bytes]) -> Any:
        texts = [ffi.new("char[]", one) for one in overrides]
        return lib.hol_model_parse(self.ctx.pointer, name, source, len(source), texts, len(texts))

    def text(self) -> str:
        with self.lock:
            if self.source is not None and not self.overrides:
                return self.source.decode("utf-8", "surrogateescape")
            return _native.printed(lambda print_, user: self.done(lib.hol_draft_print(self.pointer, print_, user)))

    def copy(self, name: bytes, overrides: Sequence[bytes] = ()) -> "Draft":
        """Another one that says the same, and more."""
        with self.lock:
            if self.source is not None:
                return Draft(name, self.source, [*self.overrides, *overrides], self.folder)
            return Draft(name, as_bytes(self.text()), overrides, self.folder)


def overrides_of(parameters: Mapping[str, Value]) -> list[bytes]:
    return [as_bytes(f"parameters.{name}={written(value, name)}") for name, value in parameters.items()]


def contents_of(path: bytes) -> bytes:
    """A file that cannot be read is an OSError, as Python's own."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        ours = _native.file_error(os.fsdecode(path), error)
        raise ours from error


def as_bytes(value: str) -> bytes:
    if "\0" in value:
        raise UsageError(f"{value!r}: a character 0 is in it")
    try:
        return value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise UsageError(f"{value!r}: half a character is in it") from None


def as_key(key: Optional[str]) -> Any:
    return ffi.NULL if key is None else as_bytes(key)
