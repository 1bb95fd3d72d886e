"""Maps and lists of models: read and edited."""
from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional, Union, cast

import numpy as np

from . import _native
from ._draft import Draft, Value, as_bytes, as_key, plain
from ._native import Method, ffi, lib, text
from .errors import UsageError

__all__ = ["Item"]


def _locked(method: Method) -> Method:
    """A method of an item, alone with the draft."""

    @functools.wraps(method)
    def alone(self: "Item", *args: Any, **named: Any) -> Any:
        with self._draft.lock:
            return method(self, *args, **named)

    return cast(Method, alone)


class Item:
    """A map or list of a model: what stands under a key of the model file.

    Values are read and set by key, ``body["mass"] = 2``, and where the key is a Python name by attribute, ``body.mass = 2``. Items of a list
    are found by their name, ``bodies["crank0"]``, or by number. Values are numbers, texts (names, expressions, ``"10 N/mm"``), and flags;
    lists of them are tuples; maps and lists of maps are items again.
    """

    __slots__ = ("_draft", "_item")
    _draft: Draft
    _item: Any

    def __init__(self, draft: Draft, item: Any) -> None:
        object.__setattr__(self, "_draft", draft)
        object.__setattr__(self, "_item", item)

    # ---- reading ----------------------------------------------------------------------------------------------

    @_locked
    def _kind(self) -> int:
        kind = lib.hol_item_kind_of(self._item)
        if kind == lib.HOL_ITEM_NONE or (kind in (lib.HOL_ITEM_MAP, lib.HOL_ITEM_LIST) and self._gone()):
            raise UsageError("the item has been removed from the model")
        return kind

    def _gone(self) -> bool:
        """Whether it, or what it lies in, was removed."""
        root, item = lib.hol_draft_root(self._draft.pointer), self._item
        while item != root and item != ffi.NULL:
            item = lib.hol_item_parent(item)
        return item == ffi.NULL

    @_locked
    def _where(self) -> str:
        buffer = ffi.new("char[]", 1024)
        lib.hol_item_where(self._item, buffer, 1024)
        return text(buffer) or "the model"

    @_locked
    def _find(self, key: Union[str, int]) -> Any:
        is_list = self._kind() == lib.HOL_ITEM_LIST
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            if not is_list:
                raise KeyError(f"{self._where()} is a map: {key} is no key of it")
            n = lib.hol_item_count(self._item)
            if not -n <= key < n:
                raise IndexError(f"{self._where()} has {n} items, there is none [{key}]")
            return lib.hol_item_at(self._item, int(key) % n)
        if not isinstance(key, str):
            raise TypeError(f"{self._where()}: a key or a number is wanted, not {type(key).__name__}")
        found = ffi.NULL if "\0" in key else lib.hol_item_get(self._item, key.encode())
        if found == ffi.NULL:
            raise KeyError(f'{self._where()} has no "{key}"{_native.suggestion(key, self._names())}')
        return found

    @_locked
    def _names(self) -> list[str]:
        """Keys of a map, names of a list's items."""
        n = lib.hol_item_count(self._item)
        if self._kind() == lib.HOL_ITEM_MAP:
            return [text(lib.hol_item_key(self._item, i)) or "" for i in range(n)]
        named = (lib.hol_item_get(lib.hol_item_at(self._item, i), b"name") for i in range(n))
        return [text(lib.hol_item_as_text(one)) or "" for one in named if one != ffi.NULL]

    def _value(self, item: Any, key: Any = None) -> Any:
        kind = lib.hol_item_kind_of(item)
        if kind == lib.HOL_ITEM_MAP:
            return Item(self._draft, item)
        if kind == lib.HOL_ITEM_LIST:
            inside = [lib.hol_item_at(item, i) for i in range(lib.hol_item_count(item))]
            if any(lib.hol_item_kind_of(one) == lib.HOL_ITEM_MAP for one in inside):
                return Item(self._draft, item)
            return tuple(self._value(one) for one in inside)
        return _scalar(item, key)

    @_locked
    def __getitem__(self, key: Union[str, int]) -> Any:
        return self._value(self._find(key), key)

    def __getattr__(self, key: str) -> Any:
        if key.startswith("__"):
            raise AttributeError(key)
        try:
            return self[key]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    @_locked
    def __contains__(self, key: object) -> bool:
        self._kind()
        return isinstance(key, str) and "\0" not in key and lib.hol_item_get(self._item, key.encode()) != ffi.NULL

    @_locked
    def __len__(self) -> int:
        self._kind()
        return lib.hol_item_count(self._item)

    def __bool__(self) -> bool:
        return True

    @_locked
    def __iter__(self) -> Iterator[Any]:
        """Keys of a map, items of a list."""
        if self._kind() == lib.HOL_ITEM_MAP:
            return iter(self._names())
        return iter([self[i] for i in range(len(self))])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Item) and self._item == other._item

    def __hash__(self) -> int:
        return hash(self._item)

    def keys(self) -> list[str]:
        """Keys of a map, names of a list's items."""
        return self._names()

    def items(self) -> list[tuple[str, Any]]:
        """Keys with their values, names of a list's items with these."""
        return [(name, self[name]) for name in self._names()]

    def get(self, key: Union[str, int], default: Any = None) -> Any:
        """The value under a key, or `default` where there is none."""
        try:
            return self[key]
        except (KeyError, IndexError):
            return default

    @_locked
    def __dir__(self) -> list[str]:
        names = [] if self._gone() else self._names()
        return [*super().__dir__(), *(name for name in names if name.isidentifier())]

    @_locked
    def __repr__(self) -> str:
        if self._gone():
            return "<Item, removed>"
        names = self._names()
        shown = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
        return f"<Item {self._where()}: {shown or 'empty'}>"

    def __reduce__(self) -> Any:
        raise TypeError("an Item cannot be pickled; its model can, and what `to_python` gives")

    @_locked
    def to_python(self) -> Any:
        """All that lies in it as dicts, lists, numbers and texts."""
        self._kind()
        return _deep(self._item)

    # ---- changing ---------------------------------------------------------------------------------------------

    @_locked
    def __setitem__(self, key: Union[str, int], value: Value) -> None:
        if isinstance(key, (int, np.integer)) or self._kind() == lib.HOL_ITEM_LIST:
            found = self._find(key)
            at = next(i for i in range(len(self)) if lib.hol_item_at(self._item, i) == found)
            key = f"[{at}]"
        _set(self._draft, self._item, key, value)

    def __setattr__(self, key: str, value: Value) -> None:
        if key.startswith("_") or hasattr(type(self), key):
            raise AttributeError(f"{key} cannot be set; a key of the model file of this name is set by item[{key!r}] = ..")
        self[key] = value

    @_locked
    def __delitem__(self, key: Union[str, int]) -> None:
        self._draft.change(lib.hol_item_remove, self._find(key))

    def __delattr__(self, key: str) -> None:
        try:
            del self[key]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    @_locked
    def append(self, value: Optional[Value] = None, /, **values: Value) -> Any:
        """Adds a value to the end of a list: ``bodies.append(name="rod", mass=2)``. Returns it as it is read."""
        if self._kind() != lib.HOL_ITEM_LIST:
            raise UsageError(f"{self._where()} is a map: values are set by key there")
        _set(self._draft, self._item, None, values if value is None else value)
        return self[len(self) - 1]


def _scalar(item: Any, key: Any = None) -> Union[str, float, bool]:
    if key in ("name", "title") and _names_something(item, key):
        return text(lib.hol_item_as_text(item)) or ""
    number, flag = ffi.new("double *"), ffi.new("bool *")
    if lib.hol_item_kind_of(item) == lib.HOL_ITEM_NUMBER and lib.hol_item_as_number(item, number):
        return number[0]
    if lib.hol_item_as_flag(item, flag) and not _is_known(item):
        return flag[0]
    return text(lib.hol_item_as_text(item)) or ""


def _is_known(item: Any) -> bool:
    """A word such as "off" may be a name that the model's expressions know; as a text it may stand for the flag, too."""
    root = item
    while lib.hol_item_parent(root) != ffi.NULL:
        root = lib.hol_item_parent(root)
    word = lib.hol_item_as_text(item)
    return any(lib.hol_item_get(lib.hol_item_get(root, key), word) != ffi.NULL for key in (b"parameters", b"variables", b"inputs", b"states"))


def _names_something(item: Any, key: str) -> bool:
    """The title of the model, or the name of an item of a list: a text whatever it is, such as "yes" and "1"."""
    above = lib.hol_item_parent(lib.hol_item_parent(item))
    return above == ffi.NULL if key == "title" else lib.hol_item_kind_of(above) == lib.HOL_ITEM_LIST


def _deep(item: Any, key: Any = None) -> Any:
    kind = lib.hol_item_kind_of(item)
    inside = range(lib.hol_item_count(item))
    if kind == lib.HOL_ITEM_MAP:
        keys = [text(lib.hol_item_key(item, i)) for i in inside]
        return {key: _deep(lib.hol_item_at(item, i), key) for i, key in enumerate(keys)}
    if kind == lib.HOL_ITEM_LIST:
        return [_deep(lib.hol_item_at(item, i)) for i in inside]
    return _scalar(item, key)


def _set(draft: Draft, parent: Any, key: Optional[str], value: Any) -> None:
    """Puts a Python value under a key of a map, or with "[2]" or None into a list.

    A map or list is made anew behind the one that is there and takes its place when it is whole, so that a failure changes nothing.
    """
    value = plain(value)
    if isinstance(value, Item):
        draft.change(lib.hol_item_copy, parent, as_key(key), value._item)
    elif isinstance(value, bool):
        draft.change(lib.hol_item_flag, parent, as_key(key), value)
    elif isinstance(value, (int, float)):
        draft.change(lib.hol_item_number, parent, as_key(key), _float(value))
    elif isinstance(value, str):
        draft.change(lib.hol_item_text, parent, as_key(key), as_bytes(value))
    elif isinstance(value, (Mapping, Sequence)) and not isinstance(value, (bytes, bytearray)):
        scratch = Draft.empty()
        made = _build(scratch, lib.hol_draft_root(scratch.pointer), as_key(key or "value"), value)
        draft.change(lib.hol_item_copy, parent, as_key(key), made)
    else:
        raise TypeError(f"a text, number, list or dict is wanted, not {type(value).__name__}")


def _float(value: Union[int, float]) -> float:
    try:
        return float(value)
    except OverflowError:
        raise UsageError(f"{str(value)[:20]}.. is too large: a number is finite") from None


def _build(draft: Draft, parent: Any, key: Any, value: Any) -> Any:
    """A Python map or list as a new item."""
    is_map = isinstance(value, Mapping)
    made = draft.change(lib.hol_item_map if is_map else lib.hol_item_list, parent, key)
    for inner_key, inner in value.items() if is_map else ((None, one) for one in value):
        if is_map and not isinstance(inner_key, str):
            raise TypeError(f"keys of a model are texts, {inner_key!r} is none")
        inner = plain(inner)
        if isinstance(inner, (Mapping, list, tuple)):
            _build(draft, made, as_key(inner_key), inner)
        else:
            _set(draft, made, inner_key, inner)
    return made
