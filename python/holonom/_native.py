"""The shared library: its contexts, who owns what, statuses as exceptions, memory as arrays, calls that Ctrl-C ends."""
from __future__ import annotations

import _thread
import contextlib
import functools
import logging
import os
import pathlib
import signal
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Mapping
from typing import Any, Callable, Iterable, Iterator, Optional, TypeVar, cast

import numpy as np

from . import errors
from ._cffi import ffi

LIBRARY = pathlib.Path(__file__).parent / "_lib" / "libholonom.so"
lib = ffi.dlopen(str(LIBRARY))
log = logging.getLogger("holonom")

_OK = lib.HOL_OK
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


class _Process:
    """This process; a fork makes another one."""

    number = os.getpid()


class Texts:
    """A list of str as the library takes it; `pointer` is NULL for an empty one."""

    def __init__(self, values: Iterable[str], what: str) -> None:
        if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
            raise TypeError(f"{what}: a list of texts is wanted, not {values!r}")
        self._texts = [ffi.new("char[]", encoded(value, what)) for value in values]
        self.pointer = ffi.new("const char *[]", self._texts) if self._texts else ffi.NULL

    def __len__(self) -> int:
        return len(self._texts)


class Fixed:
    """An object whose attributes are set by itself alone: others are told the way, for a name that is misspelt would change nothing."""

    _WAY = ""

    def __setattr__(self, name: str, value: Any) -> None:
        if name[0] != "_" and "_fixed" in self.__dict__:
            raise AttributeError(f"{type(self).__name__}.{name} cannot be set{self._way(name)}")
        object.__setattr__(self, name, value)

    def _way(self, name: str) -> str:
        """What to do instead, behind the message."""
        return f": {self._WAY}" if self._WAY else ""

    def _fix(self) -> None:
        """Here it is whole."""
        self._fixed = True


Method = TypeVar("Method", bound=Callable[..., Any])


def alone(method: Method) -> Method:
    """A method of a Handle that has it for itself, and refuses what threads, processes and order do not allow. Such methods do not call each other.

    It never waits. Its token goes in and out by one call of C each, so that no exception of a signal's handler leaves it there.
    """

    @functools.wraps(method)
    def guarded(self: Any, *args: Any, **named: Any) -> Any:
        token, at_work = object(), self._at_work
        try:
            at_work.append(token)
            if at_work[0] is not token or self._native is None or self._made_in != _Process.number:
                raise errors.UsageError(self._refusal())
            return method(self, *args, **named)
        finally:
            at_work.remove(token)

    return cast(Method, guarded)


class Handle(Fixed):
    """What one thread at a time uses, of the process that made it, until it is closed."""

    _native: Any

    def _hold(self, native: Any) -> None:
        self._native, self._made_in = native, _Process.number
        self._at_work: list[object] = []  # a token of each call; that of the first one is at work

    def _elsewhere(self) -> bool:
        """It was made in the parent of this process."""
        return self._made_in != _Process.number

    def _refusal(self) -> str:
        name = type(self).__name__
        if self._elsewhere():
            return f"the {name} was made in another process, which alone may use it"
        if self._native is None:
            return f"the {name} has been closed"
        return f"the {name} is at work, in another thread or in the call that a signal has interrupted: each thread wants one of its own, or a lock"

    def close(self) -> None:
        """Gives it up. Its memory goes with the last array that looks at it."""
        if self._native is not None:
            self._close()

    @alone
    def _close(self) -> None:
        self._end()
        self._native = None

    def _end(self) -> None:
        """What is to be done before."""

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


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
                warn(errors.in_python(message))

    def error(self) -> errors.HolonomError:
        """The last error as an exception."""
        return error_of(lib.hol_context_status(self.pointer), text(lib.hol_context_error(self.pointer)) or "")

    def check(self, status: int) -> None:
        """After a call that returns a status."""
        if self.said:
            self.tell()
        if status != _OK:
            raise self.error()

    def need(self, pointer: Any) -> Any:
        """After a call that returns something or NULL."""
        if self.said:
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
    return errors.BY_STATUS.get(status, errors.HolonomError)(errors.in_python(message))


def file_error(path: str, error: OSError) -> errors.FileError:
    """Python's error about a file as one of ours."""
    kind = errors.MissingFileError if isinstance(error, FileNotFoundError) else errors.FileError
    ours = kind(f"{path}: error: {error.strerror}")
    ours.errno, ours.filename, ours.strerror = error.errno, path, error.strerror
    return ours


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


def picked(things: Mapping[str, Any], name: Any, what: str) -> Any:
    """One of them, or a KeyError that says which there are."""
    if not isinstance(name, str) or name not in things:
        way = suggestion(str(name), things) or (f"; there are {', '.join(things)}" if 0 < len(things) <= 20 else "")
        raise KeyError(f'there is no {what} "{name}"{way}')
    return things[name]


COORDINATES = {"angle", "angle1", "angle2", "stroke", "rate", "rate1", "rate2", "speed", "twist", "swing"}  # of joints, and their rates


def no_signal(name: Any, names: Iterable[str]) -> KeyError:
    """There is no signal of this name; those below it or one that is like it."""
    below = [one for one in names if one.startswith(f"{name}.")]
    way = "; there are " + ", ".join(below) if below else suggestion(str(name), names)
    if not way and str(name).rpartition(".")[2] in COORDINATES:
        way = '; joint coordinates are there where `signals` asks for them by name or as "coordinates"'
    return KeyError(f'there is no signal "{name}"{way}')


# ---- calls that Ctrl-C ends -----------------------------------------------------------------------------------


def in_main_thread() -> bool:
    """Which alone hears of signals."""
    return threading.current_thread() is threading.main_thread()


def interruptible(ctx: Context, work: Callable[[], Any], at_work: Optional[list[object]] = None) -> Any:
    """What `work` returns, a call of the library that may take long; it keeps alive what it uses.

    In the main thread, where handlers of signals run, another thread does the work. What such a handler raises cancels the context, waits for the end
    of the work, and goes on to the caller. at_work: the tokens of a Handle. The work has its own among them, so that the Handle stays refused even if
    more signals than one break the wait.
    """
    if not in_main_thread():
        return work()
    box: dict[str, Any] = {}
    started: list[int] = []
    tokens: list[object] = [object()] if at_work is None else at_work
    caller, mine, over = tokens[0], object(), threading.Lock()
    over.acquire()

    def fill() -> None:
        try:
            tokens.append(mine)
            if tokens[0] is caller:  # who has called is still there
                box["value"] = work()
        except BaseException as error:  # it belongs to who has called
            box["error"] = error
        finally:
            tokens.remove(mine)
            box["over"] = True
            over.release()

    try:
        started.extend(map(_thread.start_new_thread, [fill], [()]))  # one call of C: no signal comes between the thread and the note of it
        over.acquire()
    except BaseException:
        while started and "over" not in box:
            try:
                ctx.cancel()
                over.acquire()
            except BaseException:  # the first one is told
                pass
        raise
    if "error" in box:
        raise box["error"]
    return box["value"]


class Ear:
    """Hears of Ctrl-C while the main thread is in a call of the library that was thought to be short and is not, and ends it.

    Python tells a file of each signal at once (`signal.set_wakeup_fd`), its handlers run behind the call. Whoever had such a file before has it again
    behind the call, and is told of what has come.
    """

    PATIENCE = 0.3  # a call that ends so soon is left alone [s]

    def __init__(self) -> None:
        self._in, self._out = os.pipe()
        os.set_blocking(self._out, False)
        self._calls, self._ctx, self._before = 0, None, -1
        threading.Thread(target=self._listen, name="holonom signals", daemon=True).start()

    def around(self, ctx: Context, work: Callable[[], Any]) -> Any:
        """What `work` returns."""
        self._ctx, self._before, mine = ctx, -1, self._out
        self._calls += 1
        try:
            before = signal.set_wakeup_fd(mine, warn_on_full_buffer=False)
            self._before = -1 if before == mine else before
            return work()
        finally:
            self._ctx = None
            signal.set_wakeup_fd(self._before)

    def _listen(self) -> None:
        while True:
            heard, call = os.read(self._in, 4096), self._calls
            if self._before >= 0:
                with contextlib.suppress(OSError):
                    os.write(self._before, heard)
            if signal.SIGINT in heard and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                time.sleep(self.PATIENCE)
                ctx = self._ctx
                if ctx is not None and call == self._calls:
                    ctx.cancel()


_ear: Optional[Ear] = None


def short(ctx: Context, work: Callable[[], Any], _: Optional[list[object]] = None) -> Any:
    """What `work` returns, a call of the library that should not take long; if it does, Ctrl-C ends it."""
    global _ear
    if not in_main_thread():
        return work()
    if _ear is None:
        _ear = Ear()
    return _ear.around(ctx, work)


made_anew: Any = weakref.WeakSet()  # what has locks


def _in_a_child() -> None:
    """Behind a fork: threads have stayed behind, with the locks that they had."""
    global _ear
    _ear, _Process.number = None, os.getpid()
    for one in list(made_anew):
        one._in_a_child()


os.register_at_fork(after_in_child=_in_a_child)
