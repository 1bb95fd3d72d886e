"""Models: read, made, edited, run and examined."""
from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _native
from ._draft import Draft, PathLike, Value, as_bytes, as_key, contents_of, overrides_of, written
from ._native import Context, ffi, lib
from ._options import OPTIONS, paths_of, run_options, whole_or_warned
from .errors import UsageError
from .item import Item

if TYPE_CHECKING:
    from .analysis import Advice, Check, Modes, Reach
    from .assembly import Assembly
    from .linearise import StateSpace
    from .simulation import Create
    from .equations import Equations
    from .races import Certificate, Race
    from .result import Result
    from .simulation import Simulation
    from .statics import Statics

__all__ = ["Model"]


class Model:
    """A mechanism: bodies, joints, forces, and how it is to be simulated.

    Parameters
    ----------
    file : str or path, optional
        A model file. Without one the model is empty, to be filled by `add`.
    title : str, optional
        Of an empty model.
    dimension : {2, 3}, optional
        Of an empty model; 2 if not given.
    **parameters : float or str
        Values that take the place of those in the file.

    Notes
    -----
    Lists and values of the model file are attributes, and items as in ``m["bodies"]``: see `Item`. A model is compiled, and its errors are found,
    when it is made from a file, and after a change when it is used next. Several threads may use one model.

    Examples
    --------
    >>> import holonom as hm
    >>> m = hm.Model("models/four_bar.yaml", N=4)
    >>> m.bodies["crank{i}"].mass
    'm'
    >>> m.bodies["crank{i}"].mass = 2
    >>> m.parameters["L"] = 0.5
    >>> m
    <Model "N-four-bar", models/four_bar.yaml: N = 4, L = 0.5, m = 1>
    """

    _draft: Draft
    _file: Optional[str]

    def __init__(self, file: Optional[PathLike] = None, *, title: Optional[str] = None, dimension: Optional[int] = None, **parameters: Value) -> None:
        if file is None:
            self._hold(Draft.empty(title, 2 if dimension is None else dimension), None)
            self.set(**parameters)
            return
        for name, value in (("title", title), ("dimension", dimension)):
            if value is not None:
                raise UsageError(f"{name}: it stands in the file, and can be set when the model is read")
        path = _native.encoded(file, "file")
        self._hold(Draft(path, contents_of(path), overrides_of(parameters)), os.fsdecode(path))
        self._draft.compile()

    def _hold(self, draft: Draft, file: Optional[str]) -> None:
        object.__setattr__(self, "_draft", draft)
        object.__setattr__(self, "_file", file)
        object.__setattr__(self, "_variants", {})

    @classmethod
    def _made(cls, draft: Draft, file: Optional[str]) -> "Model":
        self = cls.__new__(cls)
        self._hold(draft, file)
        return self

    @classmethod
    def from_text(cls, source: str, name: PathLike = "model", **parameters: Value) -> "Model":
        """A model of a text in YAML or JSON.

        Parameters
        ----------
        source : str
        name : str or path, optional
            Stands in messages; files that the model names are looked for beside a file of this name, such as the `file` of another model.
        **parameters : float or str
            Values that take the place of those in the text.
        """
        if not isinstance(source, str):
            way = "; Model.from_dict takes a dict" if isinstance(source, Mapping) else "; decode it before" if isinstance(source, bytes) else ""
            raise TypeError(f"a text is wanted, not {type(source).__name__}{way}")
        self = cls._made(*_named(name, as_bytes(source), overrides_of(parameters)))
        self._draft.compile()
        return self

    @classmethod
    def from_dict(cls, content: Mapping[str, Any], name: Optional[PathLike] = None, **parameters: Value) -> "Model":
        """A model of dicts, lists, numbers, and texts, which say what a model file says.

        Parameters
        ----------
        content : dict
        name : str or path, optional
            Stands in messages instead of the title; files that the model names are looked for beside a file of this name, such as the `file` of another
            model, and in the current folder if it is not given.
        **parameters : float or str
            Values that take the place of those in the dict.

        Examples
        --------
        >>> import holonom as hm
        >>> m = hm.Model.from_dict({
        ...     "dimension": 2,
        ...     "gravity": [0, -9.81],
        ...     "parameters": {"L": 1},
        ...     "bodies": [{"name": "bob", "type": "point", "mass": 1, "position": ["L", 0]}],
        ...     "joints": [{"name": "rod", "type": "distance", "between": ["ground", "bob"], "length": "L"}],
        ...     "simulate": {"end": 1}})
        >>> m.run()["bob.y"].min() > -1.0001
        True
        """
        if not isinstance(content, Mapping):
            raise TypeError(f"a dict is wanted, not {type(content).__name__}")
        title = content.get("title")
        self = cls(title=title if isinstance(title, str) else None) if name is None else cls._made(*_named(name, b"dimension: 2"))
        draft = self._draft
        if "dimension" not in content:
            draft.change(lib.hol_item_remove, lib.hol_item_get(lib.hol_draft_root(draft.pointer), b"dimension"))
        for key, value in content.items():
            self[key] = value
        self.set(**parameters)
        draft.compile()
        return self

    @classmethod
    def from_urdf(cls, file: PathLike, *, root: Optional[str] = None, lenient: bool = False) -> "Model":
        """A model of a robot in URDF, as docs/import.md has it. `write` makes a model file of it.

        Parameters
        ----------
        file : str or path
        root : {"fixed", "free"}, optional
            Whether the first link is fixed to ground or floats; fixed if not given.
        lenient : bool, optional
            Leave out what cannot be taken though the motion may depend on it, and repair inertias that no body has, with warnings instead of an error.

        Notes
        -----
        What was assumed, changed and left out stands by lines of the file at the head of what `write` makes.
        """
        roots = {None: lib.HOL_IMPORT_ROOT, "fixed": lib.HOL_IMPORT_FIXED, "free": lib.HOL_IMPORT_FREE}
        if root not in roots:
            raise UsageError(f"root: it is \"fixed\" or \"free\", not {root!r}")
        return cls._imported(file, roots[root], lenient)

    @classmethod
    def from_mjcf(cls, file: PathLike, *, key: Optional[str] = None, lenient: bool = False) -> "Model":
        """A model of MuJoCo, in MJCF, as docs/import.md has it.

        Parameters
        ----------
        file : str or path
        key : str, optional
            The keyframe in which the model begins, by its name, or its number from 0 where it has none; the reference if not given.
        lenient : bool, optional
            As of `from_urdf`: what is not taken, such as contacts and tendons around geoms, is left out with warnings instead of an error.
        """
        if key is not None and not isinstance(key, str):
            raise TypeError(f"key: a text is wanted, not {key!r}")
        return cls._imported(file, lib.HOL_IMPORT_ROOT, lenient, key)

    @classmethod
    def from_adm(cls, file: PathLike, *, lenient: bool = False) -> "Model":
        """A model of a data set of Adams Solver (.adm), as docs/import.md has it. What it requests are variables.

        Parameters
        ----------
        file : str or path
        lenient : bool, optional
            As of `from_urdf`: statements that are not taken, such as flexible bodies, are left out with warnings instead of an error.
        """
        return cls._imported(file, lib.HOL_IMPORT_ROOT, lenient)

    @classmethod
    def _imported(cls, file: PathLike, root: int, lenient: bool, key: Optional[str] = None) -> "Model":
        path = _native.encoded(file, "file")
        draft = Draft.imported(path, root, bool(lenient), key)
        draft.compile()
        return cls._made(draft, os.fsdecode(path))

    @classmethod
    def _of_result(cls, notes: Mapping[str, str]) -> "Model":
        """The model that was run, by the notes of a result, for which the library has found a model."""
        file, source = notes["model_file"], notes.get("model_text")
        path = _native.encoded(file, "file")
        overrides = [as_bytes(line) for line in notes.get("set", "").splitlines()]
        return cls._made(Draft(path, as_bytes(source) if source else contents_of(path), overrides), file)

    # ---- what it says -----------------------------------------------------------------------------------------

    @property
    def _root(self) -> Item:
        return Item(self._draft, lib.hol_draft_root(self._draft.pointer))

    def __getitem__(self, key: str) -> Any:
        """What stands under a key of the model file, ``m["bodies"]``, or at a path, ``m["bodies.rod.mass"]``, ``m["gravity[1]"]``."""
        with self._draft.lock:
            below, last = self._below(key)
            return below[last]

    def __setitem__(self, key: str, value: Value) -> None:
        with self._draft.lock, self._whole():
            below, last = self._below(key, make=True)
            below[last] = value

    def __delitem__(self, key: str) -> None:
        with self._draft.lock:
            below, last = self._below(key)
            del below[last]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.get(key, self) is not self

    def __iter__(self) -> Iterator[str]:
        """Keys of the model file."""
        return iter(self._root)

    def keys(self) -> list[str]:
        """Keys of the model file."""
        return self._root.keys()

    def items(self) -> list[tuple[str, Any]]:
        """Keys of the model file with what stands under them."""
        return self._root.items()

    def get(self, key: str, default: Any = None) -> Any:
        """What stands under a key or at a path, or `default` where there is nothing."""
        try:
            return self[key]
        except (KeyError, IndexError):
            return default

    def _below(self, key: str, make: bool = False) -> tuple[Item, Union[str, int]]:
        """The item that the last step of a path goes into, and that step; make: a map of the model is made where there is none."""
        cut = max(key.rfind("."), key.rfind("[")) if isinstance(key, str) and "\0" not in key else -1
        if cut <= 0 or key in self._root:
            return self._root, key
        path, last = key[:cut], key[cut:].lstrip(".")
        found = lib.hol_item_find(self._root._item, path.encode())
        if found == ffi.NULL and make and "." not in path and "[" not in path:
            found = self._draft.change(lib.hol_item_map, self._root._item, as_key(path))
        if found == ffi.NULL:
            below, step = self._below(path)
            below[step]  # says what there is not
        return Item(self._draft, found), int(last[1:-1]) if re.fullmatch(r"\[\d+\]", last) else last

    @contextlib.contextmanager
    def _whole(self) -> Iterator[None]:
        """Lists and maps of the model that a failure has begun are taken back."""
        draft = self._draft
        before, text, compiled = self._root._names(), draft.source, draft.compiled
        try:
            yield
        except BaseException:
            for name in self._root._names():
                if name not in before:
                    del self._root[name]
            draft.source, draft.compiled = text, compiled  # it says what it said
            raise

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_"):
            raise AttributeError(key)
        return getattr(self._root, key)

    def __setattr__(self, key: str, value: Value) -> None:
        if key.startswith("_") or hasattr(type(self), key):
            raise AttributeError(f"{key} cannot be set; a key of the model file of this name is m[{key!r}]")
        self[key] = value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._root._names()]

    def add(self, list: str, /, **values: Value) -> Item:
        """Adds an item to a list of the model, which is made where there is none.

        Examples
        --------
        >>> import holonom as hm
        >>> m = hm.Model(title="pendulum")
        >>> rod = m.add("bodies", name="rod", mass=1.2, inertia=0.1, markers={"top": [0, 0.5]})
        >>> hinge = m.add("joints", name="hinge", type="revolute", between=["ground", "rod.top"])
        >>> m.check().degrees_of_freedom
        1
        """
        with self._draft.lock, self._whole():
            if list not in self._root:
                self._draft.change(lib.hol_item_list, self._root._item, as_key(list))
            below = self[list]
            if isinstance(below, Item):
                return below.append(**values)
            return Item(self._draft, lib.hol_item_get(self._root._item, as_key(list))).append(**values)

    def set(self, *overrides: str, **parameters: Value) -> "Model":
        """Sets values by path, ``"path=value"``, and parameters by name: all of them, or none where one is wrong. Returns the model.

        Examples
        --------
        >>> import holonom as hm
        >>> m = hm.Model("models/four_bar.yaml").set("newmark.gamma=0.75", "simulate.end=2", N=4)
        """
        for one in overrides:
            if not isinstance(one, str):
                raise TypeError(f'"path=value" is wanted, not {one!r}')
        self._draft.override([*map(as_bytes, overrides), *overrides_of(parameters)])
        return self

    def copy(self, **parameters: Value) -> "Model":
        """Another model that says the same, with other values of parameters."""
        return self._made(self._draft.copy(self._draft_name, overrides_of(parameters)), self._file)

    @property
    def file(self) -> Optional[str]:
        """The file that it was read from, or beside which the files lie that it names; None: neither."""
        return self._draft.absolute if self._file else None

    @property
    def _draft_name(self) -> bytes:
        return self._draft.name if self._file else _native.encoded(self._name, "name")

    @property
    def _name(self) -> str:
        return self._file or str(self["title"] if "title" in self else "model").replace("/", "-") or "model"

    @property
    def text(self) -> str:
        """The model file: a text that gives the same model, bit for bit."""
        return self._draft.text()

    def write(self, path: PathLike) -> None:
        """Writes a model file that people can read and that gives the same model, bit for bit."""
        draft = self._draft if self._draft.at_home() else self._draft.copy(os.fsencode(self._draft.absolute))
        with draft.lock:
            draft.done(lib.hol_draft_write(draft.pointer, _native.encoded(path, "path")))

    def to_dict(self) -> dict[str, Any]:
        """What the model says as dicts, lists, numbers and texts; `from_dict` makes it again."""
        return self._root.to_python()

    def __repr__(self) -> str:
        with self._draft.lock:
            title = [f'"{self["title"]}"'] if "title" in self else []
            parameters = self["parameters"] if "parameters" in self else {}
            names = list(parameters)
            values = [f"{name} = {value:.6g}" if isinstance(value, float) else f"{name} = {value}"
                      for name, value in ((name, parameters[name]) for name in names[:6])]
        what = ", ".join([*title, *([self._file] if self._file else [])])
        more = f" and {len(names) - 6} more" if len(names) > 6 else ""
        return f"<Model{' ' * bool(what)}{what}{': ' * bool(values)}{', '.join(values)}{more}>"

    def __reduce__(self) -> Any:
        draft = self._draft
        with draft.lock:
            source, overrides = (as_bytes(draft.text()), []) if draft.source is None else (draft.source, draft.overrides)
            return _unpickled, (draft._name if self._file else self._draft_name, source, overrides, self._file, draft.folder)

    # ---- examining --------------------------------------------------------------------------------------------

    @property
    def _native(self) -> Any:
        return self._draft.compile()

    def check(self) -> "Check":
        """Assembles the model and counts: degrees of freedom, redundant joints, warnings, what will hurt."""
        from . import analysis

        return analysis.check(self)

    def assemble(self, all: bool = False) -> "Assembly":
        """The pose and the velocities with which the model starts, beside what it gives; ``closed`` is False where its joints do not fit.

        Parameters
        ----------
        all : bool, optional
            Look for other ``poses`` in which the joints hold, too.

        Examples
        --------
        >>> import holonom as hm
        >>> a = hm.Model("models/walker.yaml").assemble()
        >>> a.closed, abs(a["trunk.x"]) < 1e-12
        (True, True)
        >>> [round(p.coordinates[-1].value, 3) for p in hm.Model("models/slider_crank.yaml").assemble(all=True).poses]
        [0.362, -0.223]
        """
        from . import assembly

        return assembly.assemble(self, all)

    def modes(self, at: float = 0.0, *, equilibrium: bool = False, metric: str = "mass", count: int = 0, report: Optional[PathLike] = None,
              animate: Optional[PathLike] = None) -> "Modes":
        """Eigenvalues and mode shapes of the motion near a state.

        Parameters
        ----------
        at : float, optional
            Time up to which the model runs before [s]; 0: the assembled start.
        equilibrium : bool, optional
            A static equilibrium is looked for from there.
        metric : {"mass", "natural"}, optional
        count : int, optional
            The lowest so many; 0: all, of large models 20.
        report, animate : path, optional
            Files that show each mode as a motion of the bodies: a web page, ``.html``, and glTF, ``.glb``, with an animation for each.
        """
        from . import analysis

        return analysis.modes(self, at, equilibrium, metric, count, report, animate)

    def kinematics(self, end: Optional[float] = None, *, max_step: Optional[float] = None, output: Optional[float] = None,
                   signals: Optional[Sequence[str]] = None, out: Union[PathLike, Sequence[PathLike]] = (), report: Optional[PathLike] = None,
                   progress: Optional[bool] = None) -> "Result":
        """Poses, velocities, accelerations and forces of a mechanism whose every motion is driven, exact at every row.

        Parameters
        ----------
        end : float, optional
            In seconds; if not given, that of the model, as are the other settings.
        max_step : float, optional
            Largest step from pose to pose [s].
        output : float, optional
            Time between two rows [s].
        signals : list of str, optional
            Those wanted.
        out, report, progress
            As in `run`.

        Returns
        -------
        Result
            Of `run`.

        Raises
        ------
        UsageError
            A motion is free; the text names what moves.
        IntegrationError
            A driver cannot go on: its ``result`` has the rows up to there.
        """
        given = dict(locals())
        del given["self"]
        return whole_or_warned(*self._run(given, lib.hol_kinematics_create))

    def follow(self, end: Optional[float] = None) -> "Result":
        """Poses of a driven mechanism along their curve: behind its dead centre a driver runs backwards.

        Parameters
        ----------
        end : float, optional
            Time that the drivers run in all, forwards and backwards [s]; if not given, that of the model.

        Returns
        -------
        Result
            A row for each pose: the arc length in natural sizes for the time, ``curve.time``, the time of the drivers, ``curve.turned``, 1 at a
            dead centre, ``DRIVER.value``, what it drives to, and the signals of the pose.

        Raises
        ------
        UsageError
            A motion is free, or there are events, states or velocity constraints.
        IntegrationError
            A singular pose, in which several motions meet.
        """
        from .result import Result

        model, ctx = self._given({"end": end}), Context()
        native = _native.interruptible(ctx, lambda: lib.hol_kinematics_follow(ctx.pointer, model._native))
        return Result(_native.own(ctx.need(native), lib.hol_result_destroy, ctx), ctx)

    def inverse(self, actuators: Sequence[str] = (), *, weights: Optional[Sequence[float]] = None,
                bounds: Optional[Sequence[tuple[float, float]]] = None, motion: Optional[PathLike] = None, project: bool = False,
                end: Optional[float] = None, output: Optional[float] = None, signals: Optional[Sequence[str]] = None, out: Union[PathLike, Sequence[PathLike]] = (),
                progress: Optional[bool] = None) -> "Result":
        """The forces that make a prescribed motion, exact at every row.

        Parameters
        ----------
        actuators : list of str, optional
            Inputs of the model that take over from its drivers; their signals are what they have to give. None: those of ``inverse:`` in
            the model; without, the drivers give the forces themselves.
        weights : list of float, optional
            Of the squares of what each gives, where several would do; if not given, 1 each.
        bounds : list of (float, float), optional
            What each may give at least and at most.
        motion : path, optional
            A table of the motion, ``.csv``: the time, then coordinates of joints named by their heads (``hinge.angle``,
            ``slide.stroke``), or measures (``DX(platform.p)``). Otherwise the table that ``inverse:`` names, or the drivers of the model, say it.
        project : bool, optional
            Where actuators cannot make the motion: the forces with which accelerations are nearest to it; drivers give the rest. The signal
            ``inverse.missing`` says how much that is.
        end, output, signals, out, progress
            As in `run`.

        Returns
        -------
        Result

        Raises
        ------
        UsageError
            A motion is free, or needs a force that no actuator gives: the text has its size.
        """
        from .inverse import creator, driven

        given = {name: value for name, value in locals().items() if name in ("end", "output", "signals", "out", "progress")}
        return whole_or_warned(*driven(self, motion)._run(given, creator(actuators, weights, bounds, project)))

    def reach(self) -> "list[Reach]":
        """How far each driver can move the mechanism from where it starts, the other drivers standing still."""
        from . import analysis

        return analysis.reach(self)

    def static(self, *, unstable: bool = False, vary: Optional[str] = None, branches: bool = False, write: Optional[PathLike] = None) -> "Statics":
        """An equilibrium: the pose in which the forces balance, whether it stays there, and all forces.

        Parameters
        ----------
        unstable : bool, optional
            One at which nothing stays will do: the first that Newton's method finds.
        vary : str, optional
            ``"NAME=A..B"``: a parameter goes from A to B and the equilibrium is followed, around folds too; each point of `Statics` is one on the way.
        branches : bool, optional
            Others that cross it are followed, too.
        write : path, optional
            A file for the signals, ``.csv`` or ``.nc``.
        """
        from . import statics

        return statics.static(self, unstable, vary, branches, write)

    def linearise(self, *, at: float = 0.0, equilibrium: bool = False, inputs: Optional[Sequence[str]] = None, outputs: Optional[Sequence[str]] = None,
                  coordinates: Optional[Sequence[str]] = None, metric: str = "mass", omega: Sequence[float] = ()) -> "StateSpace":
        """The motion near a state with inputs and outputs, x' = A x + B u, y = C x + D u. All derivatives are exact.

        Parameters
        ----------
        at : float, optional
            Time up to which the model runs before [s]; 0: the assembled start.
        equilibrium : bool, optional
            A static equilibrium is looked for from there.
        inputs : list of str, optional
            Inputs, tunable parameters, drivers. This and the next two are those of ``linearise:`` in the model if they are not given; there, by
            default, all inputs, all variables, and the program's own coordinates.
        outputs : list of str, optional
            Expressions and signals: ``["AZ(crank)", "slider.x", "A.Fx"]``.
        coordinates : list of str, optional
            Expressions of measures, or variables that are such: they become states with their rates.
        metric : {"mass", "natural"}, optional
            Of the program's own coordinates.
        omega : sequence of float, optional
            Angular frequencies of the response of models with more than 1000 degrees of freedom [rad/s], which have no matrices; others need none.

        Examples
        --------
        >>> import holonom as hm
        >>> m = hm.Model("models/bicycle.yaml", v=5)
        >>> m.linearise(coordinates=["lean", "steer"]).poles.round(6).tolist()
        [(-0.322866+0j), (-0.775342+4.464868j), (-0.775342-4.464868j), (-14.07839+0j)]
        """
        from . import linearise

        return linearise.linearise(self, at, equilibrium, metric, omega, {"inputs": inputs, "outputs": outputs, "coordinates": coordinates})

    def advise(self, tolerance: float = 0.0) -> "Advice":
        """The method that suits the model at a tolerance, and why; what ``method="auto"`` takes."""
        from . import analysis

        return analysis.advise(self, tolerance)

    def graph(self) -> str:
        """The topology in the language of Graphviz: bodies are vertices, joints are edges."""
        model, ctx = self._native, Context()
        return _native.printed(lambda print_, user: ctx.check(lib.hol_graph_print(ctx.pointer, model, print_, user)))

    def equations(self, assembled: bool = True) -> "Equations":
        """The equations of the model at a state, for control, estimation, linearisation.

        Parameters
        ----------
        assembled : bool, optional
            The first state is that of a simulation; otherwise as the model gives it, whether the joints close or not.
        """
        from .equations import Equations

        return Equations(self, assembled)

    def compare(self, methods: Sequence[str] = (), tolerances: Sequence[float] = (), *, signals: Sequence[str] = (), jobs: int = 0, patience: float = 0.0,
                progress: Optional[bool] = None) -> "Race":
        """Runs the model with many methods and tolerances: which one is the fastest for which error.

        Parameters
        ----------
        methods : list of str, optional
            All that choose their steps if not given.
        tolerances : list of float, optional
            From loose to tight; 1e-2, 1e-3 .. 1e-8 if not given.
        signals : list of str, optional
            What is judged; positions and orientations of the bodies if not given.
        jobs : int, optional
            Runs at a time; 0: as many as there are processors.
        patience : float, optional
            The longest time that one run may take [s]; 0: 120.
        progress : bool, optional
            As of `run`.
        """
        from . import races

        return races.race(self, methods, tolerances, signals, jobs, patience, progress)

    def certify(self, digits: int = 6, *, signals: Sequence[str] = (), jobs: int = 0, patience: float = 0.0, progress: Optional[bool] = None) -> "Certificate":
        """How many digits of the result are sure: two methods of different families are run until they agree as well as they can.

        Parameters
        ----------
        digits : int, optional
            Wanted of all signals, 1 to 11.
        signals : list of str, optional
            What is judged; positions and orientations of the bodies if not given.
        jobs : int, optional
            Runs at a time; 0: as many as there are processors.
        patience : float, optional
            The longest time that one run may take [s]; 0: 120.
        progress : bool, optional
            As of `run`.
        """
        from . import races

        return races.certificate(self, digits, signals, jobs, patience, progress)

    # ---- running ----------------------------------------------------------------------------------------------

    def _variant(self, options: Mapping[str, Any], paths: Mapping[str, Value]) -> "Model":
        """This model, or one with other settings, of which the last few are kept."""
        if options.get("tolerance") is not None and options.get("step") is not None:
            raise UsageError("tolerance and step: one of them is wanted, steps are chosen by a tolerance or fixed")
        if not isinstance(paths, Mapping):
            raise TypeError(f"options: a dict is wanted, not {type(paths).__name__}")
        for name, value in options.items():
            if value is not None and f"simulate.{name}" in paths:
                raise UsageError(f"{name} is given twice, also as simulate.{name}")
        wanted = [f"simulate.{name}={written(value, name)}" for name, value in options.items() if value is not None]
        wanted += [f"{path}={written(value, path)}" for path, value in paths.items()]
        if not wanted:
            return self
        with self._draft.lock:
            self._draft.compile()
            key = (self._draft.compiled, *wanted)
            if key not in self._variants:
                if len(self._variants) >= 8:
                    self._variants.clear()
                self._variants[key] = self._made(self._draft.copy(self._draft_name, [*map(as_bytes, wanted)]), self._file)
            return self._variants[key]

    @run_options
    def simulate(self, *, end: Optional[float] = None, method: Optional[str] = None, tolerance: Optional[float] = None,
                 step: Optional[float] = None, max_step: Optional[float] = None, output: Optional[float] = None,
                 signals: Optional[Sequence[str]] = None, time_limit: Optional[float] = None, threads: Optional[int] = None,
                 options: Mapping[str, Value] = {}) -> "Simulation":
        """A simulation that stands at its start, to be led step by step.

        Parameters
        ----------
        OPTIONS
        """
        from .simulation import Simulation

        return Simulation(self._variant({name: value for name, value in locals().items() if name in OPTIONS}, options))

    @run_options
    def run(self, end: Optional[float] = None, method: Optional[str] = None, tolerance: Optional[float] = None, *,
            step: Optional[float] = None, max_step: Optional[float] = None, output: Optional[float] = None,
            signals: Optional[Sequence[str]] = None, time_limit: Optional[float] = None, threads: Optional[int] = None,
            options: Mapping[str, Value] = {}, out: Union[PathLike, Sequence[PathLike]] = (), report: Optional[PathLike] = None,
            progress: Optional[bool] = None) -> "Result":
        """Simulates the model to its end.

        Parameters
        ----------
        OPTIONS
        out : path or list of paths, optional
            Result files that are written meanwhile, ``.csv``.
        report : path, optional
            A web page that plays the motion, ``.html``.
        progress : bool, optional
            Whether the progress is shown; if not given, in a terminal and in Jupyter.

        Returns
        -------
        Result
            Ctrl-C gives what there is, with an `IncompleteWarning`; ``complete`` is False then.

        Raises
        ------
        HolonomError
            Its ``result`` has the rows up to there.
        """
        given = dict(locals())
        del given["self"]
        return whole_or_warned(*self._run(given))

    def _run(self, given: Mapping[str, Any], create: Optional["Create"] = None) -> tuple["Result", bool]:
        """`run` by a dict of its parameters, or what `create` makes: the result, and whether Ctrl-C has ended it."""
        from .simulation import run

        return run(self._given(given), paths_of(given.get("out", ())), given.get("report"), given.get("progress"), create)

    def _given(self, given: Mapping[str, Any]) -> "Model":
        """The model that `run` runs."""
        for name in given:
            if name not in OPTIONS and name not in ("options", "out", "report", "progress"):
                raise TypeError(f"run() has no parameter {name}{_native.suggestion(name, OPTIONS)}")
        return self._variant({name: value for name, value in given.items() if name in OPTIONS}, given.get("options", {}))

    def _signals(self, given: Mapping[str, Any]) -> list[str]:
        """Names of the signals that `run` would record."""
        from .simulation import Simulation

        return Simulation(self._given(given)).names


def _unpickled(name: bytes, source: bytes, overrides: list[bytes], file: Optional[str], folder: str) -> Model:
    return Model._made(Draft(name, source, overrides, folder), file)


def _named(name: PathLike, source: bytes, overrides: Sequence[bytes] = ()) -> tuple[Draft, Optional[str]]:
    """A draft of a text that lies in no file, and the file beside which are those that it names."""
    path = _native.encoded(name, "name")
    beside = os.path.dirname(path) != b""
    return Draft(path, source, overrides), os.fsdecode(path) if beside else None
