"""Results: the signals of a run over the time, and what is made of them."""
from __future__ import annotations

import os
import pathlib
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _native
from ._native import Context, Fixed, ffi, lib, text
from .errors import UsageError

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Result", "Contact", "Difference", "Comparison", "Page", "Spectrum", "read"]

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Contact:
    """A contact of two shapes from its onset to its end [s].

    ``name`` is that of the contact, ``pair`` of its shapes, ``ball~ground.floor``; ``begins`` is "met", "start" (of the run) or "switched on",
    ``ends`` "parted", "end" or "switched off". ``v_i`` and ``v_end``: speeds of coming together and of going apart [m/s]; ``depth``: the largest [m]; ``impulse``: of the
    normal force [N s]; ``damping``, ``friction``: what these have taken [J]; ``slid``: length of the way along each other [m].
    """

    name: str
    pair: str
    begins: str
    ends: str
    onset: float
    end: float
    v_i: float
    v_end: float
    depth: float
    impulse: float
    damping: float
    friction: float
    slid: float


def _contact(e: Any) -> Contact:
    words = (text(lib.hol_contact_edge_word(edge, ends)) or "" for edge, ends in ((e.begins, False), (e.ends, True)))
    return Contact(text(e.name) or "", text(e.pair) or "", *words, e.onset, e.end, e.v_i, e.v_end, e.depth, e.impulse, e.damping, e.friction, e.slid)


class Result(Fixed, Mapping):
    """The signals of a run over the time: a mapping of names to arrays.

    `Model.run` makes it, `read` takes it from a file. Arrays are views of its memory: they cannot be written and keep it alive.

    Attributes
    ----------
    t : ndarray, shape (rows,)
        Times [s].
    units : dict of str to str
        Units of the signals, ``""`` for pure numbers.
    title : str or None
        The model's title.
    file : str
        Where it is from: the result file, or the model that was run.
    complete : bool
        False if the run did not come to its end, was interrupted, or goes on.
    notes : dict of str to str
        What the result says about itself: ``source``, ``method``, ``tolerance`` or ``step``, ``model_file``, ``model_text``, ``model_hash``,
        ``set``, ``summary``.
    statistics : dict
        Counts of steps and evaluations, violations, energies and times of a run made here; names and units are those of
        ``holonom run --stats``. Empty for results from files.
    contacts : list of Contact or None
        In the order in which they end, those that last at the end of the run behind the others. None for results from files, which have none.

    Examples
    --------
    >>> import holonom as hm
    >>> r = hm.Model("models/pendulum.yaml").run(end=1)
    >>> r["bob.x"].shape == r.t.shape == (101,)
    True
    >>> r.units["bob.x"], r.complete
    ('m', True)
    """

    def __init__(self, native: Any, ctx: Any, statistics: Optional[dict[str, Any]] = None, complete: bool = True) -> None:
        self._native, self._ctx = native, ctx
        names = [text(native.name[j]) or "" for j in range(native.n_columns)]
        self._column: dict[str, int] = {}  # the first of each name
        self._twins = [(self._column[name], j) for j, name in enumerate(names) if j > 0 and self._column.setdefault(name, j) != j]
        self.array = _native.view(native.value, (native.n_rows, native.n_columns), native)
        self.t = self.array[:, 0]
        self.units = {name: text(native.unit[j]) or "" for name, j in self._column.items()}
        self.title, self.file = text(native.title), text(native.file) or ""
        self.notes = {text(native.key[i]) or "": text(native.text[i]) or "" for i in range(native.n_notes)}
        self.statistics = dict(statistics or {})
        self.contacts = None if native.n_contacts < 0 else [_contact(native.contact[i]) for i in range(native.n_contacts)]
        self.complete = bool(native.complete) and complete and "stopped" not in self.notes
        self._fix()

    _WAY = "a result is what was found; take copies of its arrays"

    # ---- a mapping --------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> np.ndarray:
        """The values of a signal, shape (rows,); ``"t"``: the times."""
        if isinstance(name, str) and name == "t":
            return self.t
        if not isinstance(name, str) or name not in self._column:
            raise _native.no_signal(name, self._column)
        column = self._column[name]
        for first, second in self._twins:
            if first == column and not np.array_equal(self.array[:, first], self.array[:, second], equal_nan=True):
                raise KeyError(f'{self.file}: the columns {first + 1} and {second + 1} are both named "{name}", with different values: '
                               f"rename one of them, or take array[:, {first}] and array[:, {second}]")
        return self.array[:, column]

    def __contains__(self, name: object) -> bool:
        return name in self._column

    def __iter__(self) -> Iterator[str]:
        return iter(self._column)

    def __len__(self) -> int:
        return len(self._column)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def select(self, *names: str) -> list[str]:
        """Names of signals: those named, and those below a name, as ``energy`` stands for ``energy.total`` and its like."""
        return [name for wanted in names for name in self._column if name == wanted or name.startswith(wanted + ".")]

    def __repr__(self) -> str:
        title = f' "{self.title}"' if self.title else ""
        end = f"{self.t[0]:.6g} .. {self.t[-1]:.6g} s in {len(self.t)} rows"
        method = f", {self.notes['method']}" if "method" in self.notes else ""
        return f"<Result{title}: {len(self)} signals, {end}{method}{'' if self.complete else ', not complete'}>"

    @property
    def summary(self) -> str:
        """Lines ``label: text`` about the run."""
        return self.notes.get("summary", "")

    @property
    def model(self) -> "Model":
        """The model that was run, by what the result says about itself."""
        from .model import Model

        self._run_model(Context())  # refuses it where files have changed since
        return Model._of_result(self.notes)

    # ---- pickling ---------------------------------------------------------------------------------------------

    def __reduce__(self) -> Any:
        names, units = ["t", *self], ["s", *self.units.values()]
        state = (self.file, self.title, names, units, np.array(self.array), self.notes, self.statistics, self.complete, self.contacts)
        return _of_arrays, state

    # ---- other forms ------------------------------------------------------------------------------------------

    def to_xarray(self) -> Any:
        """The signals as an `xarray.Dataset` with the coordinate ``t``; units and notes are attributes."""
        import xarray

        variables = {name: ("t", self[name], {"units": self.units[name]}) for name in self}
        times = ("t", self.t, {"units": "s"})
        title = {"title": self.title} if self.title else {}
        return xarray.Dataset(variables, {"t": times}, {**title, **self.notes})

    def to_pandas(self) -> Any:
        """The signals as a `pandas.DataFrame` over the time."""
        import pandas

        return pandas.DataFrame({name: self[name] for name in self}, index=pandas.Index(self.t, name="t"))

    def interpolate(self, t: Any, *names: str) -> np.ndarray:
        """Values at other times, linearly between the rows.

        Parameters
        ----------
        t : array_like, shape (n,) or ()
            Times [s] within those of the result.
        *names : str
            Signals; all if none is given.

        Returns
        -------
        ndarray, shape (n, number of signals) or (number of signals,)
        """
        t = np.asarray(t, float)
        if t.size and not (t.min() >= self.t[0] and t.max() <= self.t[-1]):
            raise UsageError(f"times are wanted from {self.t[0]:.9g} to {self.t[-1]:.9g} s")
        columns = [np.interp(t, self.t, self[name]) for name in names or self]
        return np.stack(columns, axis=-1)

    # ---- pictures ---------------------------------------------------------------------------------------------

    def plot(self, *signals: str, x: Optional[str] = None, axes: Any = None) -> Any:
        """Curves by matplotlib, one set of axes for each unit.

        Parameters
        ----------
        *signals : str
            Names of signals or of groups, such as ``"energy"``.
        x : str, optional
            A signal instead of the time.
        axes : matplotlib Axes, optional
            Where to draw all of them.

        Returns
        -------
        list of matplotlib Axes
        """
        from . import _plot

        if x in (None, "t"):
            return _plot.curves(self, signals, self.t, "t [s]", axes)
        return _plot.curves(self, signals, self[x], f"{x} [{self.units[x]}]" if self.units[x] else x, axes)

    def spectrum(self, *signals: str) -> "Spectrum":
        """Amplitudes of signals over the frequency, by Hann's window; a sine of some ten periods has its amplitude to 1e-3.

        Parameters
        ----------
        *signals : str
            Names of signals or of groups; all if none is given. At least 8 rows are wanted; even ones are made where they are not.

        Examples
        --------
        >>> import holonom as hm
        >>> s = hm.Model("models/pendulum.yaml").run(end=20).spectrum("bob.x")
        >>> s.f[s["bob.x"].argmax()] < 1
        True
        """
        columns = []
        for one in signals or self:
            if not isinstance(one, str):
                raise TypeError(f"spectrum(): names of signals are wanted, not {one!r}")
            if not self.select(one):
                raise _native.no_signal(one, self._column)
            columns += [self._column[name] for name in self.select(one) if self._column[name] not in columns]
        ctx = Context()
        made = ctx.need(lib.hol_result_spectrum(ctx.pointer, self._native, ffi.new("int[]", columns), len(columns)))
        return Spectrum(_native.own(made, lib.hol_result_destroy, ctx))

    def page(self, *signals: str, title: Optional[str] = None) -> "Page":
        """The report: a web page that plays the motion, with plots and what is known of the run.

        Parameters
        ----------
        *signals : str
            Names of signals or of groups to be shown; all if none is given.
        title : str, optional
            Instead of the model's.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "report.html")
            self.report(path, *signals, title=title)
            return Page(path.read_text(encoding="utf-8"), title or self.title or self.file)

    def show(self, *signals: str, height: int = 600) -> "Page":
        """Shows the report: in the notebook inside Jupyter, elsewhere in the browser."""
        page = self.page(*signals)
        page.height = height
        page.show()
        return page

    def report(self, path: PathLike, *signals: str, title: Optional[str] = None) -> None:
        """Writes the report, one HTML file that needs nothing else: `page` explains signals and title, path ends in ``.html``."""
        columns = []
        for name in signals:
            if not self.select(name):
                raise _native.no_signal(name, self._column)
            columns += [self._column[one] for one in self.select(name)]
        kept = [ffi.new("int[]", columns), ffi.new("char[]", title.encode()) if title else ffi.NULL]
        options = ffi.new("hol_report_options *", {"n_columns": len(columns), "column": kept[0] if columns else ffi.NULL, "title": kept[1]})
        ctx, path = Context(), _native.encoded(path, "path")
        ctx.check(lib.hol_report_write(ctx.pointer, self._native, self._run_model(ctx), options, path))

    def write(self, path: PathLike) -> None:
        """Writes it as a file, ``.csv``, which `read` reads to the same numbers; netCDF is made by ``to_xarray().to_netcdf()``."""
        ctx = Context()
        ctx.check(lib.hol_result_write(ctx.pointer, self._native, _native.encoded(path, "path")))

    def export(self, path: PathLike) -> None:
        """Writes the motion as an animation in glTF 2.0 (``.glb``), which Blender and other programs open."""
        ctx, path = Context(), _native.encoded(path, "path")
        ctx.check(lib.hol_motion_export(ctx.pointer, self._native, self._run_model(ctx), path))

    def paths(self, path: PathLike, *markers: str) -> None:
        """Draws the paths of markers (``"coupler.p"``) in true proportion beside the mechanism at its start, ``.svg``; all named ones if none is given."""
        ctx, path = Context(), _native.encoded(path, "path")
        names = [ffi.new("char[]", one.encode()) for one in markers]
        ctx.check(lib.hol_paths_write(ctx.pointer, self._native, self._run_model(ctx), len(names), ffi.new("char *[]", names) if names else ffi.NULL, path))

    def _run_model(self, ctx: Context) -> Any:
        """The library's model of this result, which is refused where its file has changed since."""
        return _native.own(ctx.need(lib.hol_result_model(ctx.pointer, self._native)), lib.hol_model_destroy, ctx)

    # ---- comparing --------------------------------------------------------------------------------------------

    def compare(self, other: "Result") -> "Comparison":
        """How this result differs from another one, signal by signal, at the times of this one."""
        if not isinstance(other, Result):
            raise TypeError(f"a Result is wanted, not {type(other).__name__}")
        ctx = Context()
        made = ctx.need(lib.hol_comparison_create(ctx.pointer, self._native, other._native))
        return Comparison(_native.own(made, lib.hol_comparison_destroy, ctx, self, other))


class Spectrum(Fixed, Mapping):
    """Amplitudes of signals over the frequency: a mapping of names to arrays, which `Result.spectrum` makes.

    Attributes
    ----------
    f : ndarray, shape (frequencies,)
        Frequencies [Hz].
    units : dict of str to str
        Units of the amplitudes, those of the signals.
    notes : dict of str to str
        ``spectrum`` where rows were not even: how they were made so.
    """

    def __init__(self, native: Any) -> None:
        self._native = native
        array = _native.view(native.value, (native.n_rows, native.n_columns), native)
        names = {text(native.name[j]) or "": j for j in range(1, native.n_columns)}
        self._items = {name: array[:, j] for name, j in names.items()}
        self.f = array[:, 0]
        self.units = {name: text(native.unit[j]) or "" for name, j in names.items()}
        self.notes = {text(native.key[i]) or "": text(native.text[i]) or "" for i in range(native.n_notes)}
        self._fix()

    _WAY = "a spectrum is what was found; take copies of its arrays"

    def __getitem__(self, name: str) -> np.ndarray:
        if not isinstance(name, str) or name not in self._items:
            raise _native.no_signal(name, self._items)
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def select(self, *names: str) -> list[str]:
        """Names of signals: those named, and those below a name."""
        return [name for wanted in names for name in self if name == wanted or name.startswith(wanted + ".")]

    def plot(self, *signals: str, axes: Any = None) -> Any:
        """Amplitudes by matplotlib, one set of axes for each unit; all signals if none is named. It returns a list of matplotlib Axes."""
        from . import _plot

        return _plot.curves(self, signals or tuple(self), self.f, "f [Hz]", axes)

    def __repr__(self) -> str:
        return f"<Spectrum: {len(self)} signals, {len(self.f)} frequencies to {self.f[-1]:.6g} Hz>"


def _of_arrays(file: str, title: Optional[str], names: list[str], units: list[str], array: np.ndarray, notes: dict[str, str],
               statistics: dict[str, Any], complete: bool, contacts: Optional[list[Contact]]) -> Result:
    """A result whose memory is Python's."""
    array = np.ascontiguousarray(array, float)
    array.flags.writeable = False
    kept: list[Any] = [array]

    def word(value: Optional[str]) -> Any:
        if value is None:
            return ffi.NULL
        kept.append(ffi.new("char[]", value.encode()))
        return kept[-1]

    def words(values: Any) -> Any:
        kept.append(ffi.new("const char *[]", [word(value) for value in values]))
        return kept[-1]

    native = ffi.new("hol_result *", {
        "file": word(file), "title": word(title), "n_columns": array.shape[1], "name": words(names), "unit": words(units),
        "n_rows": array.shape[0], "value": ffi.cast("double *", array.ctypes.data), "complete": complete,
        "n_notes": len(notes), "key": words(notes), "text": words(notes.values()), "n_contacts": -1})
    result = Result(_native.own(native, lambda _: None, kept), None, statistics, complete)
    result.__dict__["contacts"] = contacts
    return result


def read(path: PathLike) -> Result:
    """Reads a result file, ``.csv``, as `Model.run` and ``holonom run --out`` write it, and similar ones.

    A result that is not complete is read as far as it goes, with a warning.
    """
    ctx, where = Context(), _native.encoded(path, "path")
    try:
        os.stat(where)
    except OSError as error:
        ours = _native.file_error(os.fsdecode(where), error)
        raise ours from error
    native = ctx.need(lib.hol_result_read(ctx.pointer, where))
    return Result(_native.own(native, lib.hol_result_destroy, ctx), ctx)


class Difference:
    """How much a signal differs between two results.

    Attributes
    ----------
    name, unit : str
    error : float
        Largest absolute difference, NaN if something is not a number.
    time : float
        When [s].
    reference, largest : float
        The other result's value there, and the largest absolute one.
    percent : float
        The error in per cent of the reference; of the largest value where the reference is below a thousandth of it.
    rms : float
        Square root of the mean of the squared difference.
    between : float
        What the other result may be wrong by between its rows, where it is interpolated.
    """

    __slots__ = ("name", "unit", "error", "time", "reference", "largest", "percent", "rms", "between")

    def __init__(self, item: Any) -> None:
        self.name, self.unit = text(item.name) or "", text(item.unit) or ""
        for key in self.__slots__[2:]:
            setattr(self, key, getattr(item, key))

    def __repr__(self) -> str:
        return f"<Difference {self.name}: {self.error:.3g} {self.unit} at t = {self.time:.6g} s, rms {self.rms:.3g}>"


class Comparison(Fixed, Mapping):
    """Differences of the signals that two results have in common, by name.

    Attributes
    ----------
    start, end : float
        Times compared [s].
    rows : int
        Rows of the first result in that range.
    only_here, only_there : list of str
        Signals that one of the two results has alone.
    """

    def __init__(self, native: Any) -> None:
        self.start, self.end, self.rows = native.__getattribute__("from"), native.to, native.rows
        self.only_here = [text(native.only_a[i]) or "" for i in range(native.n_only_a)]
        self.only_there = [text(native.only_b[i]) or "" for i in range(native.n_only_b)]
        self._items = {one.name: one for one in (Difference(native.item[i]) for i in range(native.n))}
        self._fix()

    def __getitem__(self, name: str) -> Difference:
        return _native.picked(self._items, name, "signal")

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    @property
    def worst(self) -> Difference:
        """The signal with the largest error in per cent."""
        return max(self._items.values(), key=lambda one: one.percent if one.percent == one.percent else float("inf"))

    def __repr__(self) -> str:
        return f"<Comparison of {len(self)} signals, {self.start:.6g} .. {self.end:.6g} s: the worst is {self.worst!r}>"


class Page:
    """A web page that plays a motion.

    Attributes
    ----------
    html : str
        All of it.
    title : str
    height : int
        Of its frame in a notebook [px].
    """

    __slots__ = ("html", "title", "height")

    def __init__(self, html: str, title: str, height: int = 600) -> None:
        self.html, self.title, self.height = html, title, height

    def _repr_html_(self) -> str:
        inner = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{inner}" style="width: 100%; height: {int(self.height)}px; border: 0"></iframe>'

    def __repr__(self) -> str:
        return f'<Page "{self.title}", {len(self.html) / 1e6:.1f} MB>'

    def save(self, path: PathLike) -> None:
        """Writes it to a file."""
        pathlib.Path(path).write_text(self.html, encoding="utf-8")

    def show(self) -> None:
        """In the notebook inside Jupyter, elsewhere in the browser."""
        from . import _notebook

        if not _notebook.display(self):
            import webbrowser

            with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
                file.write(self.html)
            webbrowser.open(pathlib.Path(file.name).as_uri())
