"""The shared library: its contexts, who owns what, statuses as exceptions, memory as arrays, calls that Ctrl-C ends."""
from __future__ import annotations

import contextlib
import functools
import logging
import os
import pathlib
import sys
import threading
import warnings
from typing import Any, Callable, Iterable, Iterator, Optional

import numpy as np

from . import errors
from ._cffi import ffi

LIBRARY = pathlib.Path(__file__).parent / "_lib" / "libholonom.so"
lib = ffi.dlopen(str(LIBRARY))
log = logging.getLogger("holonom")

HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def text(pointer: Any) -> Optional[str]:
    """A C string as str; None where it is NULL."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def encoded(value: Any, what: str) -> bytes:
    """A str or path as the library takes it."""
    value = os.fspath(value)
    value = os.fsencode(value) if isinstance(value, str) else value
    if b"\0" in value:
        raise errors.UsageError(f"{what}: a character 0 is in it")
    return value


# ---- ownership ------------------------------------------------------------------------------------------------


def own(pointer: Any, destroy: Callable[[Any], None], *parents: Any) -> Any:
    """The pointer, which takes its object along when nobody needs it any longer.

    `parents` live at least as long. In a forked child nothing is destroyed: threads of the object are not there, files are not its own.
    """
    made_in = os.getpid()

    def end(p: Any, parents: Any = parents) -> None:
        if os.getpid() == made_in:
            destroy(p)

    return ffi.gc(pointer, end)


class _Memory:
    """What an array of the library's memory is made of: its `base`, which keeps the owner alive."""

    __slots__ = ("__array_interface__", "owner")


def view(pointer: Any, shape: Any, owner: Any, writeable: bool = False) -> np.ndarray:
    """Doubles of the library as an array, without a copy."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if pointer == ffi.NULL or 0 in shape:
        return np.empty(shape)
    memory = _Memory()
    memory.owner = owner
    memory.__array_interface__ = {
        "shape": shape, "typestr": "<f8" if sys.byteorder == "little" else ">f8", "version": 3,
        "data": (int(ffi.cast("uintptr_t", pointer)), not writeable)}
    return np.asarray(memory)


def doubles(values: Any, n: int, what: str) -> Any:
    """An array of n numbers as the library takes it. It is looked at here, for a wrong shape has a meaning to numpy."""
    try:
        array = np.ascontiguousarray(values, float)
    except (TypeError, ValueError):
        raise TypeError(f"{what}: an array of {n} numbers is wanted, not {values!r}") from None
    if array.shape != (n,):
        raise errors.UsageError(f"{what}: the shape ({n},) is wanted, not {array.shape}")
    return ffi.from_buffer("double[]", array)


class Handle:
    """What one thread at a time uses, of the process that made it, until it is closed."""

    _native: Any

    def _hold(self, native: Any) -> None:
        self._native, self._busy, self._made_in = native, threading.RLock(), os.getpid()

    def close(self) -> None:
        """Gives it up. Its memory goes with the last array that looks at it."""
        if self._native is not None:
            self._end()
            self._native = None

    def _end(self) -> None:
        """What is to be done before."""

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def alone(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a Handle that refuses what its threads, processes and order do not allow."""

    @functools.wraps(method)
    def guarded(self: Any, *args: Any, **named: Any) -> Any:
        if not self._busy.acquire(blocking=False):
            raise errors.UsageError(f"another thread is at work with this {type(self).__name__}: each wants one of its own, or a lock")
        try:
            if self._native is None:
                raise errors.UsageError(f"the {type(self).__name__} has been closed")
            if os.getpid() != self._made_in:
                raise errors.UsageError(f"the {type(self).__name__} was made in another process, which alone may use it")
            return method(self, *args, **named)
        finally:
            self._busy.release()

    return guarded


# ---- contexts -------------------------------------------------------------------------------------------------


@functools.partial(ffi.callback, "void(void *, hol_severity, const char *)")
def _keep_message(user: Any, severity: int, message: Any) -> None:
    ffi.from_handle(user).append((severity, text(message)))


class Context:
    """A context of the library, and what it has said."""

    def __init__(self) -> None:
        pointer = lib.hol_context_create()
        if pointer == ffi.NULL:
            raise errors.OutOfMemoryError("no memory for a context")
        self.said: list = []
        self._handle = ffi.new_handle(self.said)
        self.pointer = own(pointer, lib.hol_context_destroy, self._handle, self.said)
        lib.hol_context_set_log(self.pointer, _keep_message, self._handle)

    def tell(self) -> None:
        """Notes go to the logger `holonom`, warnings become Python's, of the line that called this package."""
        said = self.said[:]
        self.said.clear()
        for severity, message in said:
            if severity == lib.HOL_NOTICE:
                log.info("%s", message)
            else:
                warn(message)

    def error(self) -> errors.HolonomError:
        """The last error as an exception."""
        return error_of(lib.hol_context_status(self.pointer), text(lib.hol_context_error(self.pointer)) or "")

    def check(self, status: int) -> None:
        """After a call that returns a status."""
        self.tell()
        if status != lib.HOL_OK:
            raise self.error()

    def need(self, pointer: Any) -> Any:
        """After a call that returns something or NULL."""
        self.tell()
        if pointer == ffi.NULL:
            raise self.error()
        return pointer

    def cancel(self) -> None:
        lib.hol_context_cancel(self.pointer)


_local = threading.local()
_groups: dict[str, set] = {}


@contextlib.contextmanager
def group(name: str) -> Iterator[None]:
    """Runs that this thread makes meanwhile belong to a group, which can be cancelled."""
    _local.group = name
    try:
        yield
    finally:
        _local.group = None


@contextlib.contextmanager
def among(ctx: Context) -> Iterator[None]:
    """While a run goes on, it is among those of its group."""
    members = _groups.setdefault(_local.group, set()) if getattr(_local, "group", None) else set()
    members.add(ctx)
    try:
        yield
    finally:
        members.discard(ctx)


def cancel_group(name: str) -> None:
    for ctx in list(_groups.pop(name, ())):
        ctx.cancel()


def error_of(status: int, message: str) -> errors.HolonomError:
    return errors.BY_STATUS.get(status, errors.HolonomError)(message)


def warn(message: str, category: type = errors.HolonomWarning) -> None:
    """A warning of the first line outside this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(HERE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


@functools.partial(ffi.callback, "void(void *, const char *)")
def _keep_text(user: Any, piece: Any) -> None:
    ffi.from_handle(user).append(ffi.string(piece))


def printed(call: Callable[[Any, Any], Any]) -> str:
    """What a function of the library prints by call(print, user)."""
    pieces: list = []
    handle = ffi.new_handle(pieces)
    call(_keep_text, handle)
    return b"".join(pieces).decode("utf-8", "replace")


def suggestion(word: str, names: Iterable[str]) -> str:
    """`; did you mean "..."?`, or nothing."""
    kept = [ffi.new("char[]", name.encode()) for name in names]
    near = lib.hol_suggest(word.encode(), kept, len(kept)) if "\0" not in word else ffi.NULL
    return "" if near == ffi.NULL else f'; did you mean "{text(near)}"?'


# ---- calls that Ctrl-C ends -----------------------------------------------------------------------------------


def interruptible(ctx: Context, work: Callable[[], Any]) -> Any:
    """What `work` returns, a call of the library that may take long.

    In the main thread, which alone hears of Ctrl-C, another thread does the work, and Ctrl-C cancels the context and waits; a second one does not.
    Elsewhere `work` is called as it is.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    box: dict[str, Any] = {}
    done = threading.Event()  # Thread.join() does not wait again after Ctrl-C (bpo-45274)

    def fill() -> None:
        try:
            box["value"] = work()
        except BaseException as error:  # it belongs to who has called
            box["error"] = error
        finally:
            done.set()

    worker = threading.Thread(target=fill, name="holonom", daemon=True)
    try:
        worker.start()
        done.wait()
    except KeyboardInterrupt:
        ctx.cancel()
        if worker.ident is not None:
            done.wait()
        raise
    if "error" in box:
        raise box["error"]
    return box["value"]
