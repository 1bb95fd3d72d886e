#!/usr/bin/env python3
"""FMUs: what `holonom fmu` writes, by the rules of the standard, and what a master gets from it, which is written here from the standard alone.

    tests/fmu_test.py [--long] [WHAT ...]        WHAT: names as printed; --long: every shipped model, 1000 instances

One line for each thing: `ok WHAT` or `not ok WHAT: why`.
"""
import ctypes as c, csv, fnmatch, gc, math, pathlib, re, shutil, struct, subprocess, sys, tempfile, zipfile
from xml.etree import ElementTree

TOP = pathlib.Path(__file__).resolve().parent.parent
HOLONOM, MODELS = TOP / "build/bin/holonom", TOP / "models"
LONG = "--long" in sys.argv
SAME = 1e-11  # of values at times that rounding makes: one is the sum of an event's time and the rest of the step
CLOSE = 1e-9  # of values at communication points to rows of a run, relative and absolute
# What is run, and for how long [s]; the others only with --long, for LATER rows.
RUNS = {"cart_pole": 0.5, "four_bar": 0.5, "double_wishbone": 0.1, "andrews": 0.01, "bouncing_ball": 1, "bicycle": 0.1, "clutch": 0.2}
LATER = 5
ALONE = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}  # the last one is the loader
OK, WARNING, DISCARD, ERROR, FATAL = range(5)

class Skipped(Exception):
    pass


tests = {}


def test(function):
    tests[function.__name__] = function
    return function


def sh(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit {done.returncode}: {(done.stdout + done.stderr).strip()[-400:]}")
    return done.stdout


class Fmu:
    """An exported model, unpacked, with its description."""

    def __init__(self, place, model, version=2, name=None, sets=()):
        model = pathlib.Path(model if "/" in str(model) else MODELS / f"{model}.yaml")
        self.name = name or f"{model.stem} {version}"  # a blank, so that the address of the resources has an escape
        self.archive, self.folder, self.version = place / f"{self.name}.fmu", place / self.name, version
        if not self.archive.exists():
            sh(HOLONOM, "fmu", model, "--fmi", version, "-q", "-o", self.archive, *[word for text in sets for word in ("--set", text)], cwd=place)
            with zipfile.ZipFile(self.archive) as archive:
                archive.extractall(self.folder)
        self.xml = ElementTree.parse(self.folder / "modelDescription.xml").getroot()
        self.token = self.xml.get("guid" if version == 2 else "instantiationToken")
        self.variables = {}
        for item in self.xml.find("ModelVariables"):
            inner = item[0] if version == 2 else item
            self.variables[item.get("name")] = dict(item.attrib, **inner.attrib)
        self.identifier = self.xml.find("CoSimulation").get("modelIdentifier", "")
        self.library = self.folder / "binaries" / ("linux64" if version == 2 else "x86_64-linux") / f"{self.identifier}.so"
        self.resources = self.folder / "resources"

    def named(self, *causalities):
        return [name for name, v in self.variables.items() if v["causality"] in causalities]

    def reference(self, name):
        return int(self.variables[name]["valueReference"])

    def depends(self, name, initial=False):
        """Names of what the description says that an output depends on."""
        names = [item.get("name") for item in self.xml.find("ModelVariables")]
        way = "InitialUnknown" if initial else "Output"
        items = self.xml.find("ModelStructure").findall(f"{way}s/Unknown" if self.version == 2 else way)
        own, first = ("index", 1) if self.version == 2 else ("valueReference", 0)
        for item in items:
            if names[int(item.get(own)) - first] == name:
                return {names[int(word) - first] for word in item.get("dependencies").split()}


# ---- masters ------------------------------------------------------------------------------------------------

D, N, P = c.c_double, c.c_size_t, c.c_void_p


class Refused(Exception):
    pass


class Instance:
    """What both versions share. Every call is by its name: instance("DoStep", ..) calls fmi2DoStep or fmi3DoStep and returns its status."""

    def made(self, component):
        self.component = component
        if not component:
            raise Refused(self.messages)

    def __call__(self, name, *arguments):
        name = name.replace("*state", "FMUstate" if self.fmu.version == 2 else "FMUState")
        return getattr(self.library, f"fmi{self.fmu.version}{name}")(P(self.component), *arguments)

    def done(self, name, *arguments):
        if (status := self(name, *arguments)) != OK:
            raise RuntimeError(f"{name} returned {status}: {self.messages[-1:]}")

    def lists(self, names):
        return (c.c_uint * len(names))(*map(self.fmu.reference, names)), N(len(names))

    def set(self, **values):
        self.done(self.SET, *self.lists(list(values)), *self.values((D * len(values))(*values.values())))

    def get(self, *names):
        out = (D * len(names))()
        self.done(self.GET, *self.lists(names), *self.values(out))
        return list(out)

    def update(self):
        """UpdateDiscreteStates of FMI 3: whether it ends, and the time of the next event, or None."""
        said, time = [c.c_bool(True) for _ in range(5)], D()
        self.done("UpdateDiscreteStates", *map(c.byref, said), c.byref(time))
        again, ends, nominals, values, defined = (it.value for it in said)
        if again or nominals or values:
            raise RuntimeError(f"UpdateDiscreteStates says {again}, {nominals}, {values}")
        return ends, time.value if defined else None

    def save(self):
        state = P()
        self.done("Get*state", c.byref(state))
        return state

    def restore(self, state):
        self.done("Set*state", state)

    def drop(self, *states):
        for state in states:
            self.done("Free*state", c.byref(state))

    def bytes(self, state):
        size = N()
        self.done("Serialized*stateSize", state, c.byref(size))
        out = c.create_string_buffer(size.value)
        self.done("Serialize*state", state, out, size)
        return out.raw

    def taken(self, raw):
        state = P()
        self.done("DeSerialize*state" if self.fmu.version == 2 else "Deserialize*state", raw, N(len(raw)), c.byref(state))
        return state

    def derive(self, unknowns, knowns, seed, adjoint=False):
        """Directional derivatives, or adjoint ones, of FMI 3."""
        seed = (D * len(seed))(*seed)
        out = (D * len(knowns if adjoint else unknowns))()
        arguments = [*self.lists(unknowns), *self.lists(knowns)]
        arguments += [seed, out] if self.fmu.version == 2 else [seed, N(len(seed)), out, N(len(out))]
        self.done(f"Get{'Adjoint' if adjoint else 'Directional'}Derivative", *arguments)
        return list(out)

    def free(self):
        getattr(self.library, f"fmi{self.fmu.version}FreeInstance")(P(self.component))
        self.component = None


# ---- a master of FMI 2.0 --------------------------------------------------------------------------------------

Logger2 = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p, c.c_int, c.c_char_p, c.c_char_p, c.c_char_p)


class Callbacks(c.Structure):
    _fields_ = [("logger", Logger2), ("allocate", c.c_void_p), ("release", c.c_void_p), ("finished", c.c_void_p), ("environment", c.c_void_p)]


class Instance2(Instance):
    SET, GET = "SetReal", "GetReal"

    def __init__(self, fmu, logging=False, name="one", guid=None, resources=None, kind=1, logger=True):
        self.fmu, self.messages = fmu, []
        self.library = c.CDLL(str(fmu.library))
        self.library.fmi2Instantiate.restype = P
        log = lambda env, who, status, category, form, text: self.messages.append((status, category.decode(), text.decode()))
        self.callbacks = Callbacks(Logger2(log) if logger else Logger2(), None, None, None, None)
        address = fmu.resources.as_uri() if resources is None else resources
        self.made(self.library.fmi2Instantiate(name.encode(), kind, (guid or fmu.token).encode(), address.encode(), c.byref(self.callbacks), 0, int(logging)))

    def values(self, numbers):
        return (numbers,)

    def set_up(self, start=0.0, stop=None, tolerance=None):
        self.done("SetupExperiment", int(tolerance is not None), D(tolerance or 0), D(start), int(stop is not None), D(stop or 0))

    def enter(self, start=0.0):
        self.set_up(start)
        self.done("EnterInitializationMode")

    def begin(self, start=0.0, stop=None, tolerance=None, **values):
        self.set_up(start, stop, tolerance)
        self.set(**values)
        self.done("EnterInitializationMode")
        self.done("ExitInitializationMode")
        return self

    def step(self, t, h):
        return self("DoStep", D(t), D(h), 1)


# ---- a master of FMI 3.0 --------------------------------------------------------------------------------------

Logger3 = c.CFUNCTYPE(None, c.c_void_p, c.c_int, c.c_char_p, c.c_char_p)


class Instance3(Instance):
    SET, GET = "SetFloat64", "GetFloat64"

    def __init__(self, fmu, logging=False, name="one", token=None, resources=None, event_mode=False, early=True, required=0, logger=True):
        self.fmu, self.messages = fmu, []
        self.library = c.CDLL(str(fmu.library))
        call = self.library.fmi3InstantiateCoSimulation
        call.restype = P
        call.argtypes = [c.c_char_p] * 3 + [c.c_bool] * 4 + [P, N, P, Logger3, P]
        log = lambda env, status, category, text: self.messages.append((status, category.decode(), text.decode()))
        self.logger = Logger3(log) if logger else Logger3()
        folder = f"{fmu.resources}/" if resources is None else resources
        self.made(call(name.encode(), (token or fmu.token).encode(), folder.encode(), False, logging, event_mode, early, None, required, None,
                       self.logger, None))

    def values(self, numbers):
        return numbers, N(len(numbers))

    def enter(self, start=0.0, stop=None, tolerance=None):
        self.done("EnterInitializationMode", c.c_bool(tolerance is not None), D(tolerance or 0), D(start), c.c_bool(stop is not None), D(stop or 0))

    def begin(self, start=0.0, stop=None, tolerance=None, **values):
        self.set(**values)
        self.enter(start, stop, tolerance)
        self.done("ExitInitializationMode")
        return self

    def step(self, t, h):
        self.event, self.ended, self.early, self.last = c.c_bool(True), c.c_bool(), c.c_bool(True), D()
        return self("DoStep", D(t), D(h), c.c_bool(True), *map(c.byref, (self.event, self.ended, self.early, self.last)))


KINDS = ((2, Instance2), (3, Instance3))


def is_refused(call):
    try:
        call()
    except RuntimeError:
        return True
    return False


# ---- the description ------------------------------------------------------------------------------------------

# Allowed pairs of the standard (FMI 2.0.4, 2.2.7): by causality and variability the values of `initial`; None: the attribute is missing.
ALLOWED = {("parameter", "fixed"): {"exact"}, ("parameter", "tunable"): {"exact"}, ("calculatedParameter", "fixed"): {"calculated", "approx"},
           ("calculatedParameter", "tunable"): {"calculated", "approx"}, ("input", "discrete"): {None}, ("input", "continuous"): {None},
           ("output", "constant"): {"exact"}, ("output", "discrete"): {"calculated", "exact", "approx"},
           ("output", "continuous"): {"calculated", "exact", "approx"}, ("local", "constant"): {"exact"},
           ("local", "fixed"): {"calculated", "approx"}, ("local", "tunable"): {"calculated", "approx"},
           ("local", "discrete"): {"calculated", "exact", "approx"}, ("local", "continuous"): {"calculated", "exact", "approx"},
           ("independent", "continuous"): {None}}
ORDER = ["CoSimulation", "UnitDefinitions", "LogCategories", "DefaultExperiment", "ModelVariables", "ModelStructure"]  # of those that are here
NEEDED = {2: ("fmiVersion", "modelName", "guid"), 3: ("fmiVersion", "modelName", "instantiationToken")}


def check_description(fmu):
    xml, version = fmu.xml, fmu.version
    for name in NEEDED[version]:
        if not xml.get(name):
            yield f"{name} is missing"
    if xml.get("fmiVersion") != f"{version}.0":
        yield f"fmiVersion is {xml.get('fmiVersion')}"
    if [item.tag for item in xml] != ORDER:
        yield f"the elements are {[item.tag for item in xml]}"
    if fmu.identifier != re.sub(r"\W", "_", xml.get("modelName").removesuffix(".yaml"), flags=re.ASCII) or not fmu.library.is_file():
        yield "modelIdentifier is not the model's name, or no name of the binary"
    names = [item.get("name") for item in xml.find("ModelVariables")]
    references = [int(item.get("valueReference")) for item in xml.find("ModelVariables")]
    if len(set(names)) != len(names) or len(set(references)) != len(references):
        yield "names or value references are not unique"
    units = [unit.get("name") for unit in xml.find("UnitDefinitions")]
    if len(set(units)) != len(units):
        yield "a unit is defined twice"
    for name, v in fmu.variables.items():
        initial, kind = v.get("initial"), (v.get("causality"), v.get("variability"))
        if version == 3 and kind[0] == "input" and initial == "exact":
            initial = None  # which it is without the attribute
        if kind not in ALLOWED or initial not in ALLOWED[kind]:
            yield f"{name}: {kind} with initial {initial}"
        wants = kind[0] == "input" or initial in ("exact", "approx") or kind[1] == "constant"
        if wants != ("start" in v):
            yield f"{name}: start {'is missing' if wants else 'is there'}"
        if "start" in v and not math.isfinite(float(v["start"])):
            yield f"{name}: start is {v['start']}"
        if v.get("unit", units[0] if units else None) not in units and "unit" in v:
            yield f"{name}: the unit {v['unit']} is not defined"
        shown = [unit.get("name") for unit in xml.findall(f"UnitDefinitions/Unit[@name='{v.get('unit')}']/DisplayUnit")]
        if "displayUnit" in v and shown.count(v["displayUnit"]) != 1:
            yield f"{name}: the display unit {v['displayUnit']} is not defined once"
    if len(fmu.named("independent")) != 1:
        yield "there is not one independent variable"
    structure = xml.find("ModelStructure")
    place = {name: i + 1 if version == 2 else fmu.reference(name) for i, name in enumerate(names)}
    listed = lambda way: [int(item.get("index" if version == 2 else "valueReference")) for item in structure.findall(way)]
    outputs, initial = (listed("Outputs/Unknown"), listed("InitialUnknowns/Unknown")) if version == 2 else (listed("Output"), listed("InitialUnknown"))
    if outputs != [place[name] for name in fmu.named("output")]:
        yield "Outputs are not all outputs and nothing else, in their order"
    wanted = [place[name] for name in names if fmu.variables[name]["causality"] in ("output", "calculatedParameter")]
    if initial != wanted:
        yield "InitialUnknowns are not the outputs and calculated parameters"
    kinds, at_start = ("input", "independent"), ("input", "independent", "parameter")
    named = dict(map(reversed, place.items()))
    for way, known in (("Outputs/Unknown", kinds), ("InitialUnknowns/Unknown", at_start), ("Output", kinds), ("InitialUnknown", at_start)):
        for item in structure.findall(way):
            on = [int(word) for word in item.get("dependencies").split()]
            if on != sorted(set(on)) or any(named[k] not in fmu.named(*known) for k in on):
                yield f"{way} {item.attrib}"
    capable = [value for key, value in xml.find("CoSimulation").attrib.items() if re.fullmatch("provides.*Derivatives?", key)]
    if capable != ["true" if fmu.named("input") and fmu.named("output") else "false"] * (version - 1):
        yield f"providesDirectionalDerivative and the like: {capable}"
    experiment = xml.find("DefaultExperiment")
    if not float(experiment.get("stopTime")) > float(experiment.get("startTime")):
        yield "DefaultExperiment has no time"


@test
def description(place):
    for name in sorted(file.stem for file in MODELS.glob("*.yaml")) if LONG else RUNS:
        for version in VERSIONS:
            fmu = Fmu(place, name, version)
            for fault in check_description(fmu):
                yield f"{name}, FMI {version}: {fault}"


@test
def units(place):
    """Units of models are display units of SI, which values are in."""
    fmu = Fmu(place, "double_wishbone")
    if [fmu.variables["left.height"].get(key) for key in ("unit", "displayUnit")] != ["m", "mm"]:
        yield f"left.height: {fmu.variables['left.height']}"
    base = {unit.get("name"): {} if unit.find("BaseUnit") is None else dict(unit.find("BaseUnit").attrib) for unit in fmu.xml.find("UnitDefinitions")}
    shown = {item.get("name"): float(item.get("factor")) for item in fmu.xml.findall("UnitDefinitions/Unit/DisplayUnit")}
    wanted = {"m/s": {"m": "1", "s": "-1"}, "rad/s^2": {"rad": "1", "s": "-2"}, "N": {"kg": "1", "m": "1", "s": "-2"}}  # of SI
    for name, exponents in wanted.items():
        if base.get(name, exponents) != exponents:
            yield f"{name} is {base[name]}"
    if not base.keys() & wanted.keys() or shown["mm"] != 1000 or abs(shown["deg"] - 180 / math.pi) > 1e-12:
        yield f"units {base}, shown {shown}"


@test
def archive(place):
    """Methods 0 and 8, plain names and files, all of it sound, the same to the byte when it is made again."""
    for version in VERSIONS:
        fmu = Fmu(place, "double_wishbone", version)
        with zipfile.ZipFile(fmu.archive) as archive:
            if bad := archive.testzip():
                yield f"{bad} is damaged"
            for entry in archive.infolist():
                kind = entry.external_attr >> 16 & 0o170000
                if entry.compress_type not in (0, 8) or entry.extract_version > 20 or "\\" in entry.filename or ".." in entry.filename \
                        or entry.filename[0] == "/" or kind != 0o100000:
                    yield f"{entry.filename}: method {entry.compress_type}, version {entry.extract_version}, kind {kind:o}"
            if "documentation/licenses/license.txt" not in archive.namelist():
                yield "no licence goes along"
        again = place / "again.fmu"
        sh(HOLONOM, "fmu", MODELS / "double_wishbone.yaml", "--fmi", version, "-q", "-o", again)
        if again.read_bytes() != fmu.archive.read_bytes():
            yield f"FMI {version}: a second export has other bytes"


# ---- the shared object ----------------------------------------------------------------------------------------

@test
def binary(place):
    """Functions of FMI are all it shows, the C library all it needs; nothing in it tells where it was made."""
    library = Fmu(place, "cart_pole").library
    shown = {line.split()[-1] for line in sh("nm", "-D", "--defined-only", library).splitlines()}
    wanted = {f"fmi{version}{name}" for version in VERSIONS for name in FUNCTIONS[version]}
    if shown != wanted:
        yield f"shown and not of the standard: {sorted(shown - wanted)[:9]}, missing: {sorted(wanted - shown)[:9]}"
    said = sh("readelf", "-d", library)
    if needs := set(re.findall(r"\(NEEDED\).*\[(.*)\]", said)) - ALONE:
        yield f"it needs {needs}"
    if "RPATH" in said or "RUNPATH" in said:
        yield "it has a RUNPATH"
    for path in (str(TOP), str(pathlib.Path.home()) + "/"):
        if path != "//" and path.encode() in library.read_bytes():
            yield f"it holds the path {path}"
    for file in Fmu(place, "cart_pole").folder.rglob("*"):
        if file.is_file() and file != library and str(TOP).encode() in file.read_bytes():
            yield f"{file.name} holds the path {TOP}"


# Functions of the standard for co-simulation (FMI 2.0.4, 2.1 and 4.2), and before which of these states each may be called: (i)nstantiated,
# i(n)itialisation mode, (s)tep complete, (t)erminated. Values of starts may be read before the initialisation too.
ORDER2 = {
    "SetDebugLogging": "inst", "SetupExperiment": "i", "EnterInitializationMode": "i", "ExitInitializationMode": "n", "Terminate": "s",
    "Reset": "inst", "GetReal": "inst", "GetInteger": "inst", "GetBoolean": "inst", "GetString": "inst", "SetReal": "ins", "SetInteger": "ins",
    "SetBoolean": "ins", "SetString": "ins", "GetFMUstate": "inst", "SetFMUstate": "inst", "FreeFMUstate": "inst", "SerializedFMUstateSize": "inst",
    "SerializeFMUstate": "inst", "DeSerializeFMUstate": "inst", "DoStep": "s"}
DERIVATIVES = {2: ["GetDirectionalDerivative"], 3: ["GetDirectionalDerivative", "GetAdjointDerivative"]}  # see `derivatives`
EVENTS3 = ["EnterEventMode", "UpdateDiscreteStates", "EnterStepMode"]  # see `events_3`
LACKING2 = ["SetRealInputDerivatives", "GetRealOutputDerivatives", "CancelStep", "GetIntegerStatus", "GetStringStatus"]
STATUS2 = ["GetStatus", "GetRealStatus", "GetBooleanStatus"]
TYPES3 = "Float32 Float64 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Boolean String Binary Clock".split()
# FMI 3.0.2, 2.2 and 4.2: without a step there is no step to be told of, so DoStep is in the list of its own test.
ORDER3 = {"SetDebugLogging": "inst", "EnterInitializationMode": "i", "ExitInitializationMode": "n", "Terminate": "s", "Reset": "inst",
          **{f"Get{name}": "inst" for name in TYPES3}, **{f"Set{name}": "ins" for name in TYPES3},
          "GetFMUState": "inst", "SetFMUState": "inst", "FreeFMUState": "inst", "SerializedFMUStateSize": "inst", "SerializeFMUState": "inst",
          "DeserializeFMUState": "inst", "DoStep": "s"}
LACKING3 = """EnterConfigurationMode ExitConfigurationMode EnterContinuousTimeMode EvaluateDiscreteStates GetOutputDerivatives GetIntervalDecimal GetIntervalFraction GetShiftDecimal GetShiftFraction
    SetIntervalDecimal SetIntervalFraction SetShiftDecimal SetShiftFraction ActivateModelPartition CompletedIntegratorStep SetTime SetContinuousStates
    GetContinuousStates GetContinuousStateDerivatives GetNominalsOfContinuousStates GetEventIndicators GetNumberOfEventIndicators
    GetNumberOfContinuousStates GetNumberOfVariableDependencies GetVariableDependencies""".split()
FUNCTIONS = {2: [*ORDER2, *LACKING2, *STATUS2, *DERIVATIVES[2], "GetTypesPlatform", "GetVersion", "Instantiate", "FreeInstance"],
             3: [*ORDER3, *LACKING3, *EVENTS3, *DERIVATIVES[3], "GetVersion", "InstantiateCoSimulation", "InstantiateModelExchange", "InstantiateScheduledExecution", "FreeInstance"]}
VERSIONS = (2, 3)


# ---- runs -----------------------------------------------------------------------------------------------------

def rows_of(place, model, *options):
    file = place / "run.csv"
    sh(HOLONOM, "run", model, "-q", "--out", file, *options)
    said = file.read_text()
    lines = [line for line in said.splitlines() if line[:1] != "#"]
    factors = re.search(r"^# factors from SI: (.*)$", said, re.M)
    factors = [float(x) for x in factors[1].split(",")] if factors else [1] * 10**5
    names = list(csv.reader(lines[:1]))[0]
    keep = [i for i, name in enumerate(names) if not name.startswith("step.")]  # of the step: where it ends is the master's choice too
    return [names[i] for i in keep], [[float(x) / factors[i] for i, x in enumerate(line.split(",")) if i in keep] for line in lines[1:]]


def off(a, b):
    return 0 if a == b or (math.isnan(a) and math.isnan(b)) else abs(a - b) / (1 + abs(b))


def same_run(place, name, end):
    """Faults of outputs at the times of the rows of a run."""
    model = MODELS / f"{name}.yaml"
    sets = [f"simulate.end={end} s"] if end else []
    fmu = Fmu(place, name, 2, f"{name} run", sets)
    names, rows = rows_of(place, model, *[word for text in sets for word in ("--set", text)])
    rows = rows if end else rows[:LATER]
    outputs = fmu.named("output")
    if missing := set(names[1:]) - set(outputs) - set(fmu.named("input", "parameter")):
        yield f"{name}: no output is {sorted(missing)[:5]}"
        return
    one = Instance2(fmu).begin()
    for k, row in enumerate(rows):
        if k and (status := one.step(rows[k - 1][0], row[0] - rows[k - 1][0])) != OK:
            yield f"{name}: the step to {row[0]} returned {status}: {one.messages[-1:]}"
            break
        values = one.get(*names[1:])
        worst = max(range(len(values)), key=lambda i: off(values[i], row[i + 1]))
        if off(values[worst], row[worst + 1]) > CLOSE:
            yield f"{name}: at {row[0]} {names[worst + 1]} is {values[worst]}, of the run {row[worst + 1]}"
            break
    one.free()


@test
def runs(place):
    for name, end in RUNS.items():
        yield from same_run(place, name, end)
    if LONG:
        for file in sorted(MODELS.glob("*.yaml")):
            if file.stem not in RUNS:
                yield from same_run(place, file.stem, None)


SAMPLED = """
events:
  - {name: sample, every: 0.001, set: {u: 3.1417*DX(cart) + 49.3156*lean + 5.8776*VX(cart) - 12.7873*WZ(pole)}}
"""


@test
def controller(place):
    """The cart-pole with an LQR controller outside, every millisecond, is the model with the same controller within."""
    text = (MODELS / "cart_pole.yaml").read_text()
    text = re.sub(r"inputs:\n.*\n", "", text).replace("parameters:\n", "parameters:\n  u: 0\n") + SAMPLED
    inside = place / "inside.yaml"
    inside.write_text(text)
    common = ["--set", "simulate.method=rk", "--tol", "1e-10", "--end", "1"]
    names, rows = rows_of(place, inside, *common)
    fmu = Fmu(place, "cart_pole", 2, "controlled", ["simulate.method=rk", "simulate.tolerance=1e-10"])
    one = Instance2(fmu).begin()
    for k in range(1000):
        x, lean, vx, omega = one.get("cart.x", "lean", "cart.vx", "pole.omega")
        one.set(u=3.1417 * x + 49.3156 * lean + 5.8776 * vx - 12.7873 * omega)
        one.done("DoStep", D(k * 1e-3), D(1e-3), 1)
    values = dict(zip(names, rows[-1]))
    for name in ("cart.x", "lean", "cart.vx", "pole.omega"):
        if off(one.get(name)[0], values[name]) > 1e-8:
            yield f"{name} is {one.get(name)[0]}, of one piece {values[name]}"
    if abs(values["lean"]) > 0.1:
        yield f"the pole has fallen: {values['lean']}"
    one.free()


@test
def parameters(place):
    """A parameter that is set is the one of --set; what is made of it follows; one that makes other bodies is refused, and can be taken back."""
    fmu = Fmu(place, "cart_pole")
    names, rows = rows_of(place, MODELS / "cart_pole.yaml", "--set", "parameters.l=0.7", "--end", "0.1")
    one = Instance2(fmu).begin(l=0.7)
    for k in range(10):
        one.done("DoStep", D(k / 100), D(0.01), 1)
    for name, value in zip(names[1:], rows[-1][1:]):
        if off(one.get(name)[0], value) > CLOSE:
            yield f"{name} is {one.get(name)[0]}, with --set {value}"
    refs = (c.c_uint * 1)(fmu.reference("l"))
    if one("SetReal", refs, N(1), (D * 1)(0.8)) != ERROR or one.get("l") != [0.7]:
        yield "a fixed parameter was set between steps"
    one.done("Reset")
    if one.begin().get("l") != [0.5] or one.get("pole.y") != [0.5 * math.cos(math.radians(5))]:
        yield f"after Reset l is {one.get('l')}, pole.y {one.get('pole.y')}"
    one.free()
    chain = Fmu(place, "chain")
    two = Instance2(chain)
    two.done("SetupExperiment", 0, D(0), D(0), 0, D(0))
    two.set(n=5)
    two.done("EnterInitializationMode")
    if two("ExitInitializationMode") != ERROR or "other bodies" not in two.messages[-1][2]:
        yield f"another number of links: {two.messages[-1:]}"
    two.set(n=float(chain.variables["n"]["start"]))
    two.done("ExitInitializationMode")
    two.free()


@test
def inner_parameters(place):
    """Those of included files, by their full names: what is set, what the include makes of others, and what the file does."""
    (place / "spring.yaml").write_text(
        "dimension: 2\nparameters: {k: 50, m: 1, half: k/2}\nbodies: [{name: b, mass: m, inertia: 1, position: [1, 0], velocity: [1, 0]}]\n"
        "joints: [{name: s, type: translational, bodies: [ground, b], at: [1, 0], axis: [1, 0], stiffness: half}]\n")
    model = place / "pair.yaml"
    model.write_text("dimension: 2\nparameters: {a: 3}\ninclude:\n  - {file: spring.yaml, as: left, set: {m: 2*a}}\n  - {file: spring.yaml, as: right, set: {m: 4}}\n"
                     "simulate: {end: 1, method: rk, tolerance: 1e-9, signals: [left.b.x, right.b.x]}\n")
    for version, kind in ((2, Instance2), (3, Instance3)):
        fmu = Fmu(place, model, version)
        kinds = {name: fmu.variables[name]["causality"] for name in fmu.named("parameter", "calculatedParameter")}
        wanted = {f"{side}.{name}": "calculatedParameter" if name == "half" or (side, name) == ("left", "m") else "parameter" for side in ("left", "right") for name in ("k", "m", "half")}
        if kinds != {"a": "parameter", **wanted}:
            yield f"version {version}: {kinds}"
        on = [fmu.depends(name, True) for name in ("left.m", "left.half", "right.half")]
        if on != [{"a"}, {"left.k"}, {"right.k"}]:
            yield f"version {version}: dependencies {on}"
        one = kind(fmu)
        one.begin(**{"a": 5.0, "left.k": 80.0, "right.k": 20.0, "right.m": 2.0})
        if one.get("left.m", "left.half", "right.half") != [10, 40, 10]:
            yield f"version {version}: calculated are {one.get('left.m', 'left.half', 'right.half')}"
        if version == 2:  # x = 1 + v/w sin w t, w^2 = half/m
            one.done("DoStep", D(0), D(0.3), 1)
            for side, w in ("left", 2), ("right", math.sqrt(5)):
                if off(one.get(f"{side}.b.x")[0], 1 + math.sin(0.3 * w) / w) > 1e-6:
                    yield f"{side}.b.x is {one.get(f'{side}.b.x')}, of w = {w}"
        one.free()


@test
def ends(place):
    """Masters go on behind the end of the model, not behind their own; what an event ends is told."""
    fmu = Fmu(place, "pendulum", 2, "short", ["simulate.end=0.5 s", "simulate.method=rk", "simulate.tolerance=1e-9"])
    whole = Fmu(place, "pendulum", 2, "whole", ["simulate.end=2 s", "simulate.method=rk", "simulate.tolerance=1e-9"])
    values = []
    for it in fmu, whole:
        one = Instance2(it).begin()
        for k in range(20):
            one.done("DoStep", D(k / 10), D(0.1), 1)
        values.append(one.get(*it.named("output")[:3]))
        one.free()
    if max(map(off, *values)) > 1e-6:
        yield f"behind the end of the model: {values}"
    even = Fmu(place, "pendulum", 2, "even", ["simulate.end=0.5 s", "simulate.method=rk", "simulate.step=0.01 s"])
    one = Instance2(even).begin()
    one.done("DoStep", D(0), D(0.33), 1)
    state, names, bits = one.save(), even.named("output"), []
    for turn in range(3):  # over the end, from before it: the second time that simulation had gone on, the third time after a reset
        if turn == 2:
            one.done("Reset")
            one.begin()
        one.restore(state)
        for k in range(3):
            one.done("DoStep", D(0.33 + 0.1333 * k), D(0.1333), 1)
        bits.append(struct.pack(f"{len(names)}d", *one.get(*names)))
    if len(set(bits)) > 1:
        yield "a state of before the end of the model is not gone on from behind it with the same bits"
    one.drop(state)
    one.free()
    model = place / "late.yaml"  # a pulse of 2 ms far behind the end of the model, of area 1
    model.write_text("dimension: 2\nbodies:\n  - {name: p, type: point, mass: 1}\nstates:\n  - {name: x, rate: \"1000*(step(time, 60, 0, 60.001, 1) - step(time, 60.001, 0, 60.002, 1))\"}\n"
                     "simulate: {end: 1, method: rk, signals: [x]}\n")
    one = Instance2(Fmu(place, model)).begin()
    for k in range(7):
        one.done("DoStep", D(10 * k), D(10), 1)
    if off(one.get("x")[0], 1) > 1e-6:
        yield f"a pulse behind the end of the model: {one.get('x')}"
    one.free()
    one = Instance2(fmu).begin(stop=0.2)
    one.done("DoStep", D(0), D(0.2), 1)
    if one.step(0.2, 0.1) != ERROR or "stop time" not in one.messages[-1][2]:
        yield "a step behind the stop time was made"
    one.free()
    fall = Fmu(place, TOP / "tests/cli/event_stop/model.yaml", 2, "fall")
    one = Instance2(fall).begin()
    done, last = c.c_int(), D()
    one.done("DoStep", D(0), D(0.4), 1)
    if one.step(0.4, 0.4) != DISCARD:
        yield "a step that an event ends returned no discard"
    one.done("GetBooleanStatus", 3, c.byref(done))
    one.done("GetRealStatus", 2, c.byref(last))
    if not done.value or abs(last.value - math.sqrt(0.2)) > 1e-6:  # it falls 1 m at 10 m/s^2
        yield f"terminated {done.value} at {last.value}"
    if one.step(last.value, 0.1) != ERROR or abs(one.get("stone.y")[0]) > 1e-6:
        yield "a step after the end"
    one.free()


@test
def starts(place):
    """A start after 0: the model is there then; before 0 is refused."""
    fmu = Fmu(place, "cart_pole")
    one = Instance2(fmu).begin(start=3.5)
    if one.get("time") != [3.5] or off(one.get("lean")[0], math.radians(5)) > CLOSE:
        yield f"it starts at {one.get('time', 'lean')}"
    one.done("DoStep", D(3.5), D(0.5), 1)
    two = Instance2(fmu).begin()
    two.done("DoStep", D(0), D(0.5), 1)
    if off(one.get("lean")[0], two.get("lean")[0]) > 1e-4:  # the tolerance; nothing depends on the time
        yield f"lean {one.get('lean')} and {two.get('lean')}"
    for it in one, two:
        it.free()
    one = Instance2(fmu)
    for bad in ((0, 0, -1, 0, 0), (0, 0, math.nan, 0, 0), (0, 0, 1, 1, 1), (0, 0, 0, 1, math.nan), (1, -1, 0, 0, 0), (1, math.nan, 0, 0, 0), (1, 0, 0, 0, 0)):
        if one("SetupExperiment", bad[0], D(bad[1]), D(bad[2]), bad[3], D(bad[4])) != ERROR:
            yield f"SetupExperiment took {bad}"
    one.begin().free()


# ---- states ---------------------------------------------------------------------------------------------------

STEPS = 20


def on(one, k, names):
    """Outputs after steps k, k + 1, .. to STEPS."""
    said = []
    for i in range(k, STEPS):
        if one.step(i / 100, 0.01) != OK:
            raise RuntimeError(f"a step: {one.messages[-1:]}")
        said.append(struct.pack(f"{len(names)}d", *one.get(*names)))
    return said


@test
def states(place):
    """A state that is set, by its handle or its bytes, in the same instance or another: the same bits from there."""
    for name, sets in (("cart_pole", ()), ("four_bar", ()), ("bouncing_ball", ()), ("cart_pole", ("simulate.method=hht",))):
        fmu = Fmu(place, name, 2, f"{name} of {''.join(sets)[16:]}", sets)
        names = fmu.named("output")
        one, two = Instance2(fmu).begin(), Instance2(fmu, name="two")
        for k in range(7):
            one.done("DoStep", D(k / 100), D(0.01), 1)
        state = one.save()
        raw = one.bytes(state)
        first = on(one, 7, names)
        one.restore(state)
        if on(one, 7, names) != first:
            yield f"{name}: not the same bits again"
        other = two.taken(raw)
        two.restore(other)
        if on(two, 7, names) != first:
            yield f"{name}: not the same bits in another instance"
        one.done("Reset")
        one.begin().done("SetFMUstate", state)
        if on(one, 7, names) != first:
            yield f"{name}: not the same bits after Reset"
        before = state.value
        one.done("GetFMUstate", c.byref(state))
        if state.value != before:
            yield f"{name}: another handle for a state that was there"
        for it, handle in ((one, state), (two, other)):
            it.done("FreeFMUstate", c.byref(handle))
            if handle.value:
                yield "a freed handle is not NULL"
            it.done("FreeFMUstate", c.byref(handle))
            it.free()


# ---- derivatives ----------------------------------------------------------------------------------------------

CHAIN = "".join(f", c{i + 1}: 0.5*(c{i} + c{i})" for i in range(40))  # 2^40 ways to the first
MIXED = """dimension: 2
gravity: [0, -9.81]
parameters: {k: 2, held: 0.5, double: 2*k, other: 3*double + 1, c0: k""" + CHAIN + """}
tunable: [held]
bodies:
  - {name: cart, mass: 1, inertia: 1}
  - {name: pole, mass: 0.3, inertia: 0.02, position: [0.1, 0.4], angle: 0.3}
  - {name: far, mass: 1, inertia: 1, position: [5, 0]}                   # nothing of the rest reaches it
joints:
  - {name: rail, type: translational, between: [ground, cart]}
  - {name: rail_2, type: translational, between: [ground, cart]}         # redundant: they share the reaction
  - {name: hinge, type: revolute, bodies: [cart, pole], at: [0, 0], friction: {coefficient: 0.2, radius: 0.1, transition: 0.1}}
inputs:
  - {name: u, value: 1}
  - {name: w, value: 0.5, hold: linear}
  - {name: idle, value: 0}
forces:
  - {name: push, type: force, on: cart, value: [u*w + held*u^2, 0]}
variables:
  - {name: product, value: u*w}
  - {name: pull, value: ACCX(pole)^2*w}
  - {name: self, value: "u + 0.1*sin(self)"}
  - {name: place, value: DX(pole)}
  - {name: chain, value: 2*product + place}
states:
  - {name: s, rate: u - s}
simulate: {end: 1, method: rk, tolerance: 1e-8}
"""
ON = {"place": set(), "far.ax": set(), "cart.x": set(), "s": set(), "energy.kinetic": set(), "self": {"u"}, "product": {"u", "w"}, "chain": {"u", "w"}, "pull": {"u", "w"},
      "pole.alpha": {"u", "w"}, "rail.Fy": {"u", "w"}, "rail_2.Fy": {"u", "w"}, "cart.ax": {"u", "w"}}  # of its outputs, by hand


# What else stands between an input and an output: user code, a motor at its end, contacts, a joint that an event switches beside one that makes its
# rows redundant, a body that comes to rest at its stop.
BUSY = """dimension: 3
gravity: [0, 0, -9.81]
inputs:
  - {name: u, value: 0.5}
  - {name: turn, value: 0.5}
  - {name: press, value: 4}
ground: {shape: {type: halfspace, name: floor}}
bodies:
  - {name: arm, mass: 1, inertia: [0.1, 0.2, 0.15], position: [0.5, 0, 0], markers: {end: [0.5, 0, 0]}}
  - {name: tool, mass: 0.5, inertia: [0.02, 0.03, 0.01], position: [1.2, 0, 0]}
  - {name: block, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 3, 0.099], velocity: [0.5, 0.1, 0], shape: {type: sphere, radius: 0.1}}
  - {name: slider, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 5, 0]}
joints:
  - {name: shoulder, type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0], motor: {angle: turn, kp: 50, kd: 1, max: 4}, armature: 0.05}
  - {name: wrist, type: universal, bodies: [arm, tool], at: [1, 0, 0], axis: [0, 0, 1], axis2: [0, 1, 0]}
  - {name: latch, type: grip, between: [arm.end, tool], active: no}
  - {name: slide, type: translational, bodies: [ground, slider], at: [0, 5, 0], axis: [1, 0, 0], limits: {range: [-0.5, 0.001], hard: yes, restitution: 0}}
contacts:
  - {name: floor, between: [block, ground.floor], stiffness: 1e5, friction: {coefficient: 0.3}}
code:
  - {name: control, library: controller.so, function: pid, inputs: [u, "AY(arm)"], outputs: [push], states: [integral, filtered], parameters: [4, 5, 3, 0.05, 100, 0.5]}
forces:
  - {name: pusher, type: force, on: tool, value: [0, push, u^2]}
  - {name: presser, type: force, on: slider, value: [press, 0, 0]}
events:
  - {name: grip, at: [0.055], on: latch}
simulate: {end: 1, method: rk, tolerance: 1e-7}
"""


def check_derivatives(one, fmu, knowns):
    """Faults of the derivatives of all outputs by each of these, and of what the description says, against central differences."""
    outputs, rows = fmu.named("output"), []
    for known in knowns:
        derivative, value = one.derive(outputs, [known], [1.0]), one.get(known)[0]
        far, sides = 1e-2 * (1 + abs(value)), []  # reactions that redundant rows share have noise of 1e-9
        for side in (far, -far, far / 2, -far / 2, 0):
            one.set(**{known: value + side})
            sides.append(one.get(*outputs))
        for name, d, up, down, near_up, near_down in zip(outputs, derivative, *sides[:4]):
            wanted = (4 * (near_up - near_down) / far - (up - down) / (2 * far)) / 3
            if not abs(d - wanted) <= 1e-6 * (1 + abs(d)):
                yield f"{name} by {known} is {d}, by differences {wanted}"
            if d and known not in fmu.depends(name) | fmu.depends(name, initial=True):
                yield f"{name} by {known} is {d}, and the description does not say that it depends on it"
        rows.append(one.derive(outputs, [known], [1.0]))  # at the state of the differences
    seed = [0.3 + i for i in range(len(knowns))]
    for name, is_now, wanted in zip(outputs, one.derive(outputs, knowns, seed), map(lambda *of: sum(a * b for a, b in zip(of, seed)), *rows)):
        if off(is_now, wanted) > CLOSE:
            yield f"{name} along all inputs is {is_now}, of each {wanted}"
    if fmu.version == 3:
        seed = [1 / (1 + i) for i in range(len(outputs))]
        for known, row, is_now in zip(knowns, rows, one.derive(outputs, knowns, seed, adjoint=True)):
            if off(is_now, sum(a * b for a, b in zip(row, seed))) > CLOSE:
                yield f"adjoint of {known}: {is_now}"


def with_inputs():
    return [file.stem for file in sorted(MODELS.glob("*.yaml")) if re.search(r"^inputs:", file.read_text(), re.M)]


@test
def derivatives(place):
    """Derivatives of outputs by inputs in the initialisation, between steps, in event mode; what changes nothing; what is refused."""
    mixed = place / "mixed.yaml"
    mixed.write_text(MIXED)
    busy = place / "busy.yaml"
    busy.write_text(BUSY)
    sh("gcc", "-shared", "-fPIC", f"-I{TOP / 'include'}", TOP / "examples/controller.c", "-lm", "-o", place / "controller.so")
    for model in (mixed, busy, *with_inputs()):
        for version, kind in KINDS:
            fmu = Fmu(place, model, version)
            inputs, outputs = fmu.named("input"), fmu.named("output")
            one, two = kind(fmu), kind(fmu, name="two").begin()
            if version == 2:
                one.done("SetupExperiment", 0, D(0), D(0), 0, D(0))
                one.done("EnterInitializationMode")
            else:
                one.enter()
            tunable = [name for name, v in fmu.variables.items() if v["causality"] == "parameter" and v["variability"] == "tunable"]
            for fault in check_derivatives(one, fmu, inputs + tunable):
                yield f"{model}, FMI {version}, initialisation: {fault}"
            one.done("ExitInitializationMode")
            for k in range(STEPS // 2):
                one.derive(outputs, inputs[:1], [1.0])
                for it in one, two:
                    it.done("DoStep", D(k / 100), D(0.01), 1) if version == 2 else it.step(k / 100, 0.01)
                if struct.pack(f"{len(outputs)}d", *one.get(*outputs)) != struct.pack(f"{len(outputs)}d", *two.get(*outputs)):
                    yield f"{model}, FMI {version}: with derivatives there are other bits after step {k}"
                    break
            jumps = [name for name in inputs if name != "w"]  # which would go there in the next step
            for fault in check_derivatives(one, fmu, jumps):
                yield f"{model}, FMI {version}, between steps: {fault}"
            if model == busy and (one.get("shoulder.motor.saturated") != [1] or off(one.get("slider.x")[0], 0.001) > CLOSE or not one.get("latch.Tz")[0]):
                yield f"saturated {one.get('shoulder.motor.saturated')}, at the stop {one.get('slider.x')}, the grip {one.get('latch.Tz')}"
            for it in one, two:
                it.free()
    fmu = Fmu(place, mixed, 3)
    for name, on in ON.items():
        if fmu.depends(name) != on | {"time"} or fmu.depends(name, initial=True) != on | {"time", "k"} | ({"held"} if on > {"u"} and name not in ("product", "chain") else set()):
            yield f"{name} depends on {fmu.depends(name)}, at the start on {fmu.depends(name, initial=True)}"
    for name in "double", "other", "c40":
        if fmu.depends(name, initial=True) != {"k"}:
            yield f"the calculated parameter {name} depends on {fmu.depends(name, initial=True)}"
    one = Instance3(fmu, event_mode=True).begin()
    for fault in check_derivatives(one, fmu, ["u", "idle"]):
        yield f"event mode: {fault}"
    one.free()


@test
def derivatives_refused(place):
    """What is no output or input, seeds that are no numbers, lists that are none, wrong modes; FMUs that have none, and why."""
    for version, kind in KINDS:
        fmu = Fmu(place, "cart_pole", version)
        one = kind(fmu)
        bad = lambda unknowns, knowns, seed: not is_refused(lambda: one.derive(unknowns, knowns, seed))
        if bad(["pole.ax"], ["u"], [1.0]):
            yield f"FMI {version}: before the initialisation"
        one.begin()
        before = one.get(*fmu.named("output"))
        for what in ((["u"], ["u"], [1.0]), (["l"], ["u"], [1.0]), (["time"], ["u"], [1.0]), (["pole.ax"], ["l"], [1.0]), (["pole.ax"], ["pole.ax"], [1.0]),
                     (["pole.ax"], ["time"], [1.0]), (["pole.ax"], ["u"], [math.nan]), (["pole.ax"], ["u"], [math.inf])):
            if bad(*what):
                yield f"FMI {version}: {what} was taken"
        refs, far, out, seed = one.lists(["pole.ax"])[0], (c.c_uint * 1)(10**6), (D * 1)(), (D * 1)(1)
        known, n = one.lists(["u"])[0], N(1)
        numbers = (lambda a, b: (a, b)) if version == 2 else (lambda a, b: (a, n, b, n))
        calls = [(far, n, known, n, *numbers(seed, out)), (refs, n, far, n, *numbers(seed, out)), (None, n, known, n, *numbers(seed, out)),
                 (refs, n, known, n, *numbers(None, out)), (refs, n, known, n, *numbers(seed, None))]
        if version == 3:
            calls += [(refs, n, known, n, seed, N(2), out, n), (refs, n, known, n, seed, n, out, N(2)), (refs, n, known, n, seed, N(0), out, n)]
        for k, call in enumerate(calls):
            told = len(one.messages)
            if one("GetDirectionalDerivative", *call) != ERROR or len(one.messages) != told + 1:
                yield f"FMI {version}: call {k} was taken"
        if one.derive([], ["u"], [1.0]) != [] or one.derive(["pole.ax"], [], []) != [0] or one.get(*fmu.named("output")) != before:
            yield f"FMI {version}: empty lists, or other values"
        one.done("Terminate")
        if not one.derive(["pole.ax"], ["u"], [1.0])[0]:
            yield f"FMI {version}: after the end"
        one.free()
        for name, sets, words in (("pendulum", [], "no derivatives"), ("cart_pole", ["simulate.signals=[pole, omega_max]"], "no derivatives")):
            fmu = Fmu(place, name, version, f"{name} without {version}", sets)
            one = kind(fmu, logging=True).begin()
            notes = [text for _, _, text in one.messages]
            if {value for key, value in fmu.xml.find("CoSimulation").attrib.items() if key.startswith("provides")} != {"false"}:
                yield f"FMI {version}, {name}: it promises derivatives"
            if bool(sets) != any("omega_max" in text for text in notes):
                yield f"FMI {version}, {name}: {notes}"
            if bad(fmu.named("output")[:1], fmu.named("input"), [1.0] * len(fmu.named("input"))) or words not in one.messages[-1][2]:
                yield f"FMI {version}, {name}: {one.messages[-1:]}"
            one.free()


# ---- failures -------------------------------------------------------------------------------------------------

FAILS = """dimension: 2
gravity: [0, -9.81]
bodies:
  - {name: rod, mass: 1, inertia: 0.1, position: [0.5, 0], markers: {foot: [-0.5, 0]}}
joints:
  - {name: pivot, type: revolute, between: [ground, rod.foot]}
forces:
  - {name: pull, type: force, on: rod, value: [sqrt(0.5 - time), 0]}   # no number from 0.5 s on
simulate: {end: 1, step: 1e-2, method: hht}
"""


@test
def failure(place):
    """After a step that fails: no further one; the reason is told; an older state goes on as before, and so does a reset."""
    for version, kind in KINDS:
        model = place / "fails.yaml"
        model.write_text(FAILS)
        fmu = Fmu(place, model, version)
        names = fmu.named("output")[:6]
        one = kind(fmu).begin()
        first = [one.get(*names) for k in range(3) if one.step(k / 10, 0.1) == OK]
        state = one.save()
        then = [one.get(*names) for k in range(3, 4) if one.step(k / 10, 0.1) == OK]
        if len(first) != 3 or len(then) != 1 or one.step(0.4, 0.3) != ERROR:
            yield f"FMI {version}: no step has failed"
        if len(one.messages) != 1 or "pull" not in one.messages[0][2]:
            yield f"FMI {version}: {one.messages}"
        if one.step(0.4, 0.1) != ERROR or one("Get*state", c.byref(P())) != ERROR:
            yield f"FMI {version}: it goes on after the failure"
        one.restore(state)
        if one.step(0.3, 0.1) != OK or one.get(*names) != then[0]:
            yield f"FMI {version}: other values from the older state: {one.messages[-1:]}"
        if one.step(0.4, 0.3) != ERROR:
            yield f"FMI {version}: no step has failed again"
        one.done("Reset")
        one.begin()
        if [one.get(*names) for k in range(3) if one.step(k / 10, 0.1) == OK] != first:
            yield f"FMI {version}: other values after Reset"
        one.drop(state)
        one.free()


LINEAR = """dimension: 2
bodies:
  - {name: p, type: point, mass: 1}
inputs:
  - {name: u, value: k, hold: linear}
parameters: {k: 1, double: 2*k, held: 3*k, s: 1, wait: 4 s}
tunable: [held]
variables:
  - {name: seen, value: u}
  - {name: tuned, value: held}
states:
  - {name: x, rate: u}
simulate: {end: 4, method: rk, tolerance: 1e-9, signals: [seen, x, tuned]}
"""


@test
def inputs_in_event_mode(place):
    """What is set in event mode is in the outputs at once, also of an input that goes in straight lines between steps, which holds it then."""
    model = place / "linear_events.yaml"
    model.write_text(LINEAR.replace("states:", "events:\n  - {name: e, at: 1, print: it}\nstates:"))
    fmu = Fmu(place, model, 3, "linear events")
    one = Instance3(fmu, event_mode=True).begin(u=3)
    one.set(u=5)
    if one.get("seen") != [5]:
        yield f"at the start seen is {one.get('seen')}"
    one.update()
    one.done("EnterStepMode")
    one.set(u=6)  # reached at the end of the step, which the event cuts at 1 s
    if one.step(0, 2) or not one.event or one.last.value != 1:
        yield f"the step ended at {one.last.value} s"
    one.done("EnterEventMode")
    one.set(u=-4)
    if one.get("seen") != [-4]:
        yield f"at the event seen is {one.get('seen')}"
    one.update()
    if one.get("seen") != [-4]:
        yield f"behind the event seen is {one.get('seen')}"
    before = one.get("x")[0]
    one.done("EnterStepMode")
    one.step(1, 1)
    if abs(one.get("x")[0] - before + 4) > 1e-8:
        yield f"in the step behind the event x grows by {one.get('x')[0] - before}, not by -4"
    one.free()


PULLED = """dimension: 2
parameters: {held: 0}
bodies:
  - {name: b, mass: 1, inertia: 1}
inputs:
  - {name: u, value: 0}
variables:
  - {name: pull, value: held + u}
events:
  - {name: sample, WHEN, set: {held: 1 + time}}
simulate: {end: 1, output: 0.25, signals: [pull]}
"""


@test
def sampled_at_the_start(place):
    """What is due at the start, or at a later start time, happens when the initialisation ends, or in event mode; the numbers follow from held = 1 + t."""
    for when, (version, instance) in ((when, kind) for when in ("every: 0.25", "at: [0, 0.25, 0.5]") for kind in KINDS):
        model = place / f"sampled_{when[:2]}.yaml"
        model.write_text(PULLED.replace("WHEN", when))
        fmu = Fmu(place, model, version, f"sampled {when[:2]} {version}")
        names, rows = rows_of(place, model)
        said = []
        for start, u in ((0, 0), (0, 0.5), (0.25, 0.5), (0.3, 0), (0.1, 0)):
            one = instance(fmu)
            one.enter(start)
            one.set(u=u)
            row = one.get("pull")
            one.done("ExitInitializationMode")
            row += one.get("pull")
            for end in (0.5, 0.75):
                at = one.get("time")[0]
                one.step(at, end - at)
                row += one.get("pull")
            said.append(row)
            one.free()
        wanted = [[0, 1, 1.5, 1.75], [0.5, 1.5, 2, 2.25], [0.5, 1.75, 2, 2.25], [0, 0, 1.5, 1.75], [0, 0, 1.5, 1.75]]
        if when[0] == "a":
            wanted = [row[:3] + [row[2]] for row in wanted]
        if said != wanted:
            yield f"FMI {version}, {when}: {said}"
        if rows[0][names.index("pull")] != said[0][1]:
            yield f"the first row of a run is {rows[0]}"
        if version == 2:
            continue
        one = Instance3(fmu, event_mode=True).begin(u=0.5)
        said = one.get("pull")
        one.set(u=0.25)
        said += one.get("pull")
        one.update()
        said += one.get("pull")
        one.done("EnterStepMode")
        one.step(0, 1)
        one.done("EnterEventMode")
        one.set(u=0.5)
        said += one.get("pull")
        one.update()
        said += one.get("pull")
        one.free()
        if said != [0.5, 0.25, 1.25, 1.5, 1.75]:
            yield f"event mode, {when}: {said}"


HANGING = """dimension: 2
gravity: [0, -10]
parameters: {c: 0}
tunable: [c]
bodies:
  - {name: a, type: point, mass: 2, position: [0, -1]}
joints:
  - {name: guide, type: in-line, between: [ground: {angle: 90 deg}, a]}
forces:
  - {name: f, type: force, on: a, value: ["0", "-40*(DY(a) + 0.5) + u + c"]}
inputs: [{name: u, value: 0, HOLD}]
states: [{name: n, rate: 0}, {name: k, rate: 0}]
events:
  - {name: by_u, when: "u - 0.5", set: {n: n + 1}}
  - {name: by_c, when: "c - 0.5", direction: rising, set: {k: k + 1}}
simulate: {end: 2, start: equilibrium, signals: [a.y, a.vy, n, k]}
"""


@test
def begun_with_what_is_set(place):
    """What is set before the initialisation ends is the model's start, as --set is: an equilibrium is by it, -1 + (u + c)/40, and nothing passes through
    0 there. A change behind that is one. States are of the start that their instance had."""
    for hold, (version, instance) in ((hold, kind) for hold in ("constant", "linear") for kind in KINDS):
        model = place / f"hanging_{hold}.yaml"
        model.write_text(HANGING.replace("HOLD", f"hold: {hold}"))
        fmu = Fmu(place, model, version, f"hanging {hold} {version}")
        names, rows = rows_of(place, model, "--set", "inputs.u.value=8", "--set", "parameters.c=4")
        one = instance(fmu)
        one.enter()
        said = [one.get("a.y")]
        one.set(u=8, c=4)
        said.append(one.get("a.y"))
        one.done("ExitInitializationMode")
        row = dict(zip(names, rows[0]))
        if off(said[0][0], -1) > 1e-12 or off(said[1][0], -0.7) > 1e-12:
            yield f"FMI {version}, {hold}: equilibria at {said}"
        if one.get("a.y", "a.vy", "n", "k") != [row[name] for name in ("a.y", "a.vy", "n", "k")]:
            yield f"FMI {version}, {hold}: {one.get('a.y', 'a.vy', 'n', 'k')} at the start, a run has {row}"
        one.step(0, 0.5)
        if off(one.get("a.y")[0], -0.7) > 1e-9 or one.get("n", "k") != [0, 0]:
            yield f"FMI {version}, {hold}: {one.get('a.y', 'n', 'k')} later"
        kept = one.save()
        one.set(u=0, c=0)
        one.step(0.5, 0.5)
        after = one.get("a.y", "a.vy", "n", "k")
        if after[2:] != [1, 0] or after[0] > -0.71:
            yield f"FMI {version}, {hold}: {after} behind a change"
        two = instance(fmu).begin()
        two.restore(two.taken(one.bytes(kept)))
        two.set(u=0, c=0)
        two.step(0.5, 0.5)
        if two.get("a.y", "a.vy", "n", "k") != after:
            yield f"FMI {version}, {hold}: {two.get('a.y', 'a.vy', 'n', 'k')} from a state, {after} as it was"
        two.free()
        one.drop(kept)
        one.done("Reset")
        if off(one.begin(u=0.5, c=1).get("a.y")[0], -1 + 1.5 / 40) > 1e-12 or one.get("n", "k") != [0, 0]:
            yield f"FMI {version}, {hold}: {one.get('a.y', 'n', 'k')} after Reset"
        one.free()
        one = instance(fmu)
        one.enter()
        if not is_refused(lambda: one.derive(["a.y"], ["u"], [1])) or "equilibrium" not in one.messages[-1][2]:
            yield f"FMI {version}: a derivative of an equilibrium: {one.messages[-1:]}"
        one.free()
        if not {"u", "c"} <= fmu.depends("a.y", initial=True) or "u" in fmu.depends("a.y"):
            yield f"FMI {version}: a.y depends on {fmu.depends('a.y', initial=True)} at the start, on {fmu.depends('a.y')} later"


@test
def between_steps_in_straight_lines(place):
    """A number that is set between steps is that of the end of the next one: until then outputs are those of the value that is reached, by which derivatives are."""
    model = place / "straight.yaml"
    model.write_text(LINEAR.replace("value: u}", "value: 3*u}"))
    fmu = Fmu(place, model, 2, "straight")
    one = Instance2(fmu).begin()
    one.set(u=2)
    if one.get("u", "seen") != [2, 3] or one.derive(["seen"], ["u"], [1]) != [3]:
        yield f"before the step: {one.get('u', 'seen')}, {one.derive(['seen'], ['u'], [1])}"
    one.done("DoStep", D(0), D(1), 1)
    if max(map(off, one.get("u", "seen", "x"), [2, 6, 1.5])) > 1e-9 or one.derive(["seen"], ["u"], [1]) != [3]:
        yield f"behind it: {one.get('u', 'seen', 'x')}"
    one.free()


@test
def steps_that_fail(place):
    """A step that fails in the middle: the last time that was reached, between its begin and where s = 1/(0.35 s - t) ends."""
    model = place / "blows_up.yaml"
    model.write_text("dimension: 2\nbodies:\n  - {name: p, type: point, mass: 1}\nstates:\n"
                     "  - {name: s, rate: s^2, initial: 1/0.35}\nsimulate: {end: 1, method: rk}\n")
    for version, kind in KINDS:
        one = kind(Fmu(place, model, version)).begin()
        last = D()
        statuses = [one.step(k / 10, 0.1) for k in range(4)]
        if statuses[:3] != [OK] * 3 or statuses[3] not in (3, 4):
            yield f"FMI {version}: steps return {statuses}"
        if version == 2:
            one.done("GetRealStatus", 2, c.byref(last))
        else:
            last = one.last
        if not 0.3 <= last.value <= 0.3501:  # by the tolerance of the run
            yield f"FMI {version}: the last successful time is {last.value} s"
        one.free()


@test
def inputs(place):
    """An input that is held linear is where it was set in the initialisation, and then goes in straight lines; tunable parameters jump. What is not set
    has the start of the description, also where the model makes it of a parameter that is set."""
    model = place / "linear.yaml"
    model.write_text(LINEAR)
    fmu = Fmu(place, model, 2, "linear")
    kinds = {name: (v["causality"], v["variability"]) for name, v in fmu.variables.items()}
    wanted = {"u": ("input", "continuous"), "k": ("parameter", "fixed"), "double": ("calculatedParameter", "fixed"), "held": ("parameter", "tunable"), "wait": ("parameter", "fixed"),
              "seen": ("output", "continuous"), "p.x": ("local", "continuous")}
    for name, kind in wanted.items():
        if kinds.get(name) != kind:
            yield f"{name} is {kinds.get(name)}"
    one = Instance2(fmu)
    one.done("SetupExperiment", 0, D(0), D(0), 0, D(0))
    one.set(u=3, k=5)
    one.done("EnterInitializationMode")
    if one.get("seen", "double", "tuned") != [3, 10, 3]:
        yield f"in the initialisation seen, double and tuned are {one.get('seen', 'double', 'tuned')}"
    two = Instance2(fmu, name="two").begin(k=5)
    if two.get("u", "seen") != [1, 1]:
        yield f"an input that is not set is {two.get('u', 'seen')}"
    two.free()
    one.done("ExitInitializationMode")
    said = [one.get("seen")[0]]
    for k, (u, held) in enumerate(((3, 3), (5, 4), (5, 4), (1, 4))):
        one.set(u=u, held=held)
        one.done("DoStep", D(k), D(1), 1)
        said.append([round(x, 9) for x in one.get("seen", "x", "tuned")])
    if said != [3, [3, 3, 3], [5, 7, 4], [5, 12, 4], [1, 15, 4]]:  # x is the integral: trapezia
        yield f"seen, x, tuned are {said}"
    one.free()


@test
def starting_states(place):
    """States before and in the initialisation have what was set until then."""
    fmu = Fmu(place, "cart_pole")
    one = Instance2(fmu)
    one.done("SetupExperiment", 0, D(0), D(0), 0, D(0))
    one.set(u=2, l=0.6)
    state = one.save()
    one.set(u=3, l=0.7)
    one.done("EnterInitializationMode")
    later = one.save()
    one.done("ExitInitializationMode")
    high = one.get("pole.y")[0]
    one.restore(state)
    one.done("EnterInitializationMode")
    one.done("ExitInitializationMode")
    if one.get("u", "l") != [2, 0.6] or off(one.get("pole.y")[0], 0.6 * math.cos(math.radians(5))) > CLOSE:
        yield f"u, l, pole.y are {one.get('u', 'l', 'pole.y')}"
    one.restore(later)
    one.done("ExitInitializationMode")
    if one.get("pole.y")[0] != high:
        yield f"pole.y is {one.get('pole.y')}, not {high}"
    for handle in state, later:
        one.done("FreeFMUstate", c.byref(handle))
    one.free()


@test
def damaged(place):
    """Bytes with a wrong bit anywhere, or too few or many, are refused, and the instance goes on as if nothing had been."""
    fmu, other = Fmu(place, "cart_pole"), Fmu(place, "four_bar")
    names = fmu.named("output")
    one, two, foreign = Instance2(fmu).begin(), Instance2(fmu, name="two").begin(), Instance2(other).begin()
    for it in one, two:
        for k in range(5):
            it.done("DoStep", D(k / 100), D(0.01), 1)
    state, same = one.save(), two.save()
    raw, out = one.bytes(state), P()
    stranger = foreign.save()
    alien = foreign.bytes(stranger)
    cases = [raw[:i] + bytes([raw[i] ^ 1 << i % 8]) + raw[i + 1 :] for i in [*range(0, 120), *range(120, len(raw), max(1, len(raw) // 300))]]
    for bad in [*cases, raw[:-1], raw + b"\0", raw[:10], b"", alien]:
        if one("DeSerializeFMUstate", bad, N(len(bad)), c.byref(out)) != ERROR or out.value:
            yield f"{len(bad)} bytes were taken"
            break
    for call in (("DeSerializeFMUstate", None, N(5), c.byref(out)), ("DeSerializeFMUstate", raw, N(len(raw)), None), ("SetFMUstate", None),
                 ("SetFMUstate", stranger), ("GetFMUstate", None), ("SerializedFMUstateSize", state, None), ("SerializeFMUstate", state, None, N(9)),
                 ("SerializeFMUstate", state, c.create_string_buffer(len(raw)), N(len(raw) - 1))):
        if one(*call) != ERROR:
            yield f"{call[0]} was taken"
    if on(one, 5, names) != on(two, 5, names):
        yield "the instance goes on differently"
    one.done("FreeFMUstate", c.byref(state))
    two.done("FreeFMUstate", c.byref(same))
    foreign.done("FreeFMUstate", c.byref(stranger))
    for it in one, two, foreign:
        it.free()


# ---- calls ----------------------------------------------------------------------------------------------------

@test
def interleaved(place):
    """Two instances, one with other inputs, step by turns as each would alone."""
    fmu = Fmu(place, "cart_pole")
    names = fmu.named("output")
    alone = []
    for push in (0, 1):
        one = Instance2(fmu).begin(u=push)
        alone.append(on(one, 0, names))
        one.free()
    both, said = [Instance2(fmu, name=str(push)).begin(u=push) for push in (0, 1)], [[], []]
    for k in range(STEPS):
        for i, one in enumerate(both):
            one.done("DoStep", D(k / 100), D(0.01), 1)
            said[i].append(struct.pack(f"{len(names)}d", *one.get(*names)))
    if said != alone or alone[0] == alone[1]:
        yield "they are not what each is alone"
    for one in both:
        one.free()


def at(fmu, state):
    one = Instance2(fmu)
    if state in "nst":
        one.done("EnterInitializationMode")
    if state in "st":
        one.done("ExitInitializationMode")
    if state == "t":
        one.done("Terminate")
    return one


def arguments(fmu, one, name):
    """Such as would be taken."""
    empty = [None, N(0), None]
    kept = P()
    one("GetFMUstate", c.byref(kept))
    raw = one.bytes(kept)
    one.kept = kept
    return {"SetDebugLogging": [0, N(0), None], "SetupExperiment": [0, D(0), D(0), 0, D(0)], "GetReal": empty, "GetInteger": empty, "GetBoolean": empty,
            "GetString": empty, "SetReal": empty, "SetInteger": empty, "SetBoolean": empty, "SetString": empty, "GetFMUstate": [c.byref(kept)],
            "SetFMUstate": [kept], "FreeFMUstate": [c.byref(P())], "SerializedFMUstateSize": [kept, c.byref(N())],
            "SerializeFMUstate": [kept, c.create_string_buffer(len(raw)), N(len(raw))], "DeSerializeFMUstate": [raw, N(len(raw)), c.byref(P())],
            "DoStep": [D(0), D(0.01), 1]}.get(name, [])


@test
def orders(place):
    """Each function in each state: allowed where the standard says so, else refused by a message, and nothing has changed."""
    fmu = Fmu(place, "pendulum")
    for name, allowed in ORDER2.items():
        for state in "inst":
            one = at(fmu, state)
            words = arguments(fmu, one, name)
            told, want = len(one.messages), OK if state in allowed else ERROR
            if (status := one(name, *words)) != want:
                yield f"{name} in state {state}: {status}, not {want}: {one.messages[-1:]}"
            elif want == ERROR and ("fmi2" + name not in one.messages[-1][2] or len(one.messages) != told + 1):
                yield f"{name} in state {state} is refused without its name: {one.messages[-1:]}"
            if want == ERROR and state == "n":
                one.done("ExitInitializationMode")
            if want == ERROR and state in "ns":
                one.done("DoStep", D(0), D(0.01), 1)
            one.free()
    one = at(fmu, "s")
    null = [None] * 6
    lacking = {name: null for name in LACKING2} | {"GetIntegerStatus": [0, c.byref(c.c_int())], "GetStringStatus": [1, c.byref(c.c_char_p())]}
    for name, words in lacking.items():
        if one(name, *words) != ERROR:
            yield f"{name} was taken"
    one.free()
    for name in FUNCTIONS[2]:  # without an instance: an error and no crash
        if name not in ("GetTypesPlatform", "GetVersion", "Instantiate", "FreeInstance"):
            if getattr(one.library, "fmi2" + name)(*[None] * (6 if name != "DoStep" else 0), *([None, D(0), D(0), 0] if name == "DoStep" else [])) != ERROR:
                yield f"{name} without an instance"
    one.library.fmi2FreeInstance(None)
    for function, text in (("GetVersion", b"2.0"), ("GetTypesPlatform", b"default")):
        call = getattr(one.library, "fmi2" + function)
        call.restype = c.c_char_p
        if call() != text:
            yield f"{function} says {call()}"


@test
def refused(place):
    """Wrong steps, references and values: an error, a message, and the same results as without them."""
    fmu = Fmu(place, "cart_pole")
    names = fmu.named("output")
    one, two = Instance2(fmu).begin(), Instance2(fmu).begin()
    last, u, lean = len(fmu.variables), fmu.reference("u"), fmu.reference("lean")
    out = (D * 3)()
    calls = [("DoStep", D(t), D(h), 1) for t, h in ((0, 0), (0, -0.1), (0, math.nan), (0, math.inf), (math.nan, 0.1), (0.5, 0.1), (-1, 0.1), (0, 1e-330), (math.inf, 1))]
    calls += [("GetReal", (c.c_uint * 1)(last), N(1), out), ("GetReal", (c.c_uint * 1)(2**32 - 1), N(1), out), ("GetReal", None, N(1), out),
              ("GetReal", (c.c_uint * 1)(u), N(1), None), ("GetInteger", (c.c_uint * 1)(u), N(1), (c.c_int * 1)()), ("GetString", (c.c_uint * 1)(u), N(1), out)]
    calls += [("SetReal", (c.c_uint * 2)(u, lean), N(2), (D * 2)(7, 1)), ("SetReal", (c.c_uint * 1)(u), N(1), (D * 1)(math.nan)),
              ("SetReal", (c.c_uint * 1)(u), N(1), (D * 1)(math.inf)), ("SetReal", (c.c_uint * 2)(u, last), N(2), (D * 2)(7, 7)), ("SetReal", None, N(1), None),
              ("SetReal", (c.c_uint * 1)(0), N(1), (D * 1)(1))]
    calls += [("SetDebugLogging", 1, N(1), (c.c_char_p * 1)(b"logAll")), ("SetDebugLogging", 1, N(1), None), ("GetRealStatus", 3, c.byref(D())), ("GetRealStatus", 2, None)]
    for k, call in enumerate(calls):
        told = len(one.messages)
        if one(*call) != ERROR or len(one.messages) != told + 1 or not one.messages[-1][2]:
            yield f"call {k}, {call[0]}: {one.messages[told:]}"
    if on(one, 0, names) != on(two, 0, names):
        yield "the results have changed"
    for it in one, two:
        it.free()
    for what in (dict(guid="{x}"), dict(resources="file:///nowhere"), dict(resources="http://a/b"), dict(resources="file:///a%zz"), dict(kind=0), dict(name="")):
        try:
            Instance2(fmu, **what).free()
            yield f"an instance with {what} was made"
        except Refused as error:
            if not error.args[0]:
                yield f"an instance with {what}: no message"


@test
def silent(place):
    """Nothing on the terminal, nothing in the folder, no message without logging; with it, what the library notes, in a category of the description."""
    fmu = Fmu(place, "four_bar")
    categories = {item.get("name") for item in fmu.xml.find("LogCategories")}
    before = {file: file.stat().st_mtime_ns for file in fmu.folder.rglob("*")}
    script = f"""
import sys; sys.argv = ["x"]; sys.path.insert(0, {str(TOP / 'tests')!r})
import fmu_test, pathlib
fmu = fmu_test.Fmu(pathlib.Path({str(place)!r}), "four_bar")
one = fmu_test.Instance2(fmu, logging=False).begin()
for k in range(5): one.step(k / 100, 0.01)
one.step(7, 1)
one.free()
assert len(one.messages) == 1, one.messages
two = fmu_test.Instance2(fmu, logging=False, logger=False).begin()
two.step(7, 1)
two.free()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=place)
    if done.returncode or done.stdout or done.stderr:
        yield f"exit {done.returncode}: {done.stdout}{done.stderr}"
    if before != {file: file.stat().st_mtime_ns for file in fmu.folder.rglob("*")}:
        yield "the folder has changed"
    bare = place / "bare.yaml"
    bare.write_text("dimension: 2\nbodies:\n  - {name: p, type: point, mass: 1}\nsimulate: {end: 1, method: rk}\n")  # without gravity, which is noted
    one = Instance2(Fmu(place, bare, 2, "bare"), logging=True)
    if not one.messages or {category for _, category, _ in one.messages} - categories:
        yield f"with logging: {one.messages}"
    one.free()


@test
def instances(place):
    """As many bytes after many instances as after a few."""
    fmu = Fmu(place, "pendulum")
    libc = c.CDLL(None)

    class Info(c.Structure):
        _fields_ = [(name, N) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]

    libc.mallinfo2.restype = Info

    def one():
        it = Instance2(fmu).begin()
        it.step(0, 0.1)
        state = it.save()
        it.done("SetFMUstate", state)
        it.done("FreeFMUstate", c.byref(state))
        it.done("Reset")
        it.begin().free()

    def used():
        gc.collect()
        info = libc.mallinfo2()
        return info.uordblks + info.hblkhd

    counts = []
    for k in range(1000 if LONG else 200):
        one()
        counts.append(used())
    half = counts[len(counts) // 2]
    if counts[-1] - half > 64 * (len(counts) // 2):  # bytes for an instance: what Python keeps for a while
        yield f"{counts[-1] - half} bytes are left by {len(counts) // 2} instances"


# ---- FMI 3.0 --------------------------------------------------------------------------------------------------

@test
def both_versions(place):
    """An FMU of either version gives the same bits, also after states that were set, by bytes in another instance."""
    for name in ("cart_pole", "bouncing_ball"):
        said = []
        for version, kind in KINDS:
            fmu = Fmu(place, name, version)
            names = fmu.named("output")
            one, two = kind(fmu).begin(), kind(fmu, name="two").begin()
            for k in range(5):
                one.step(k / 100, 0.01)
            state = one.save()
            raw = one.bytes(state)
            said.append(on(one, 5, names))
            one.restore(state)
            said.append(on(one, 5, names))
            handle = two.taken(raw)
            two.restore(handle)
            said.append(on(two, 5, names))
            for it, kept in ((one, state), (two, handle)):
                it.drop(kept)
                it.free()
        if any(some != said[0] for some in said) or len(said) != 6:
            yield f"{name}: not the same bits"


def at3(fmu, state):
    one = Instance3(fmu)
    if state in "nst":
        one.enter()
    if state in "st":
        one.done("ExitInitializationMode")
    if state == "t":
        one.done("Terminate")
    return one


@test
def orders_3(place):
    """FMI 3.0: each function in each state, what the description does not promise, no instance at all."""
    fmu = Fmu(place, "pendulum", 3)
    for name, allowed in ORDER3.items():
        for state in "inst":
            one = at3(fmu, state)
            kept = one.save()
            raw = one.bytes(kept)
            room = c.create_string_buffer(len(raw))
            words = {"SetDebugLogging": [c.c_bool(False), N(0), None], "EnterInitializationMode": [c.c_bool(), D(0), D(0), c.c_bool(), D(0)],
                     "GetFMUState": [c.byref(kept)], "SetFMUState": [kept], "FreeFMUState": [c.byref(P())], "SerializedFMUStateSize": [kept, c.byref(N())],
                     "SerializeFMUState": [kept, room, N(len(raw))], "DeserializeFMUState": [raw, N(len(raw)), c.byref(P())],
                     **{f"{way}{kind}": [None, N(0), None, N(0)] for way in ("Get", "Set") for kind in TYPES3}}.get(name, [])
            want, told = OK if state in allowed else ERROR, len(one.messages)
            if (status := one.step(0, 0.01) if name == "DoStep" else one(name, *words)) != want:
                yield f"{name} in state {state}: {status}, not {want}: {one.messages[-1:]}"
            if want == ERROR and len(one.messages) != told + 1:
                yield f"{name} in state {state}: {one.messages[told:]}"
            if want == ERROR and state == "n":
                one.done("ExitInitializationMode")
            if want == ERROR and state in "ns" and one.step(0, 0.01) != OK:
                yield f"{name} in state {state}: it does not go on"
            one.free()
    one = at3(fmu, "s")
    null = [None] * 8
    for name in LACKING3:
        numbers = {"SetTime": [D(0)], "ActivateModelPartition": [0, D(0)]}
        if one(name, *numbers.get(name, null)) != ERROR:
            yield f"{name} was taken"
    before = one.get(*fmu.named("output"))
    for t, h in ((0, 0), (0, -0.1), (0, math.nan), (math.nan, 1), (0.5, 0.1)):
        if one.step(t, h) != ERROR or one.last.value != 0 or one.early.value or one.ended.value:
            yield f"a step of {h} from {t}: last {one.last.value}"
    if one("DoStep", D(0), D(0.1), c.c_bool(), None, None, None, None) != ERROR or one.get(*fmu.named("output")) != before:
        yield "DoStep without places"
    refs, out = (c.c_uint * 1)(0), (D * 1)()
    if one("GetFloat64", refs, N(1), out, N(2)) != ERROR or one("GetInt32", refs, N(1), out, N(1)) != ERROR:
        yield "wrong lists were taken"
    one.free()
    for name in FUNCTIONS[3]:
        if name != "GetVersion" and "nstan" not in name:
            numbers = {"DoStep": [None, D(0), D(0), c.c_bool(), *null[:4]], "SetTime": [None, D(0)], "ActivateModelPartition": [None, 0, D(0)],
                       "EnterInitializationMode": [None, c.c_bool(), D(0), D(0), c.c_bool(), D(0)]}
            if getattr(one.library, "fmi3" + name)(*numbers.get(name, null)) != ERROR:
                yield f"{name} without an instance"
    one.library.fmi3FreeInstance(None)
    for what in (dict(token="{x}"), dict(resources="/nowhere/"), dict(required=1), dict(name="")):
        try:
            Instance3(fmu, **what).free()
            yield f"an instance with {what} was made"
        except Refused as error:
            if not error.args[0]:
                yield f"an instance with {what}: no message"
    for kind in "ModelExchange", "ScheduledExecution":
        call = getattr(one.library, f"fmi3Instantiate{kind}")
        call.restype = P
        if call(b"a", fmu.token.encode(), b"/", c.c_bool(), c.c_bool(), None, None, None, None, None):
            yield f"an instance for {kind} was made"


@test
def ends_3(place):
    """FMI 3.0: an event of the model that ends it asks for the end, at its time."""
    fall = Fmu(place, TOP / "tests/cli/event_stop/model.yaml", 3, "fall 3")
    one = Instance3(fall).begin()
    if one.step(0, 0.4) != OK or one.ended.value or one.early.value or one.event.value or one.last.value != 0.4:
        yield f"a step: last {one.last.value}, ended {one.ended.value}, early {one.early.value}, event {one.event.value}"
    if one.step(0.4, 0.4) != OK or not one.ended.value or abs(one.last.value - math.sqrt(0.2)) > 1e-6:
        yield f"an event that ends it: last {one.last.value}, ended {one.ended.value}"
    if one.step(one.last.value, 0.1) != ERROR:
        yield "a step after the end"
    one.done("Terminate")
    one.free()


EVENTS = """dimension: 2
parameters: {push: 1, met: 0}
bodies:
  - {name: slider, mass: 2, inertia: 0.01, velocity: [1, 0]}
joints:
  - name: slide
    type: translational
    between: [ground, slider]
    limits: {range: [-0.3, 0.3], hard: yes, restitution: 0.8}
inputs:
  - {name: u, value: 0}
forces:
  - {name: pull, type: force, on: slider, value: [push + u, 0]}
events:
  - {name: turn, every: 0.25, set: {push: -push}}
  - {name: middle, when: DX(slider), set: {met: met + 1}}
variables:
  - {name: pulls, value: push + u}
  - {name: meetings, value: met}
simulate: {end: 2, method: rk, tolerance: 1e-8}
"""


def motion(fmu):
    """Outputs but those that tell of the last step: it may end elsewhere."""
    return [name for name in fmu.named("output") if not name.startswith("step.")]


def go_through(fmu, steps, h, early, anew=None):
    """Outputs at communication points and events as they are told, with event mode; anew: which of them is left to another instance, by bytes."""
    one, points, events = Instance3(fmu, event_mode=True, early=early).begin(), [], []
    ends, _ = one.update()
    one.done("EnterStepMode")
    for k in range(steps):
        end = (k + 1) * h
        one.last, one.event = D(k * h), c.c_bool()
        while not ends and (one.last.value < end or one.event.value):
            if one.event.value:
                if len(events) == anew:
                    raw = one.bytes(one.save())
                    two = Instance3(fmu, event_mode=True, early=early, name="two")
                    two.restore(two.taken(raw))
                    two.last = one.last
                    one = two
                one.done("EnterEventMode")
                ends, _ = one.update()
                one.event = c.c_bool()
                if not ends:
                    one.done("EnterStepMode")
                continue
            one.done("DoStep", D(one.last.value), D(end - one.last.value), c.c_bool(True), *map(c.byref, places(one)))
            if one.early.value != (one.event.value and one.last.value < end):
                raise RuntimeError(f"early return at {one.last.value} of {end}: {one.early.value}")
            if one.event.value:
                events.append(one.last.value)
            ends = ends or one.ended.value
        points.append(one.get(*motion(fmu)))
        if ends:
            one.done("Terminate")
            break
    return points, events


def places(one):
    one.event, one.ended, one.early, one.last = c.c_bool(), c.c_bool(), c.c_bool(), D()
    return one.event, one.ended, one.early, one.last


@test
def events_3(place):
    """FMI 3.0: with event mode and early return a step ends at an event, and goes on to the same values as without; a state with an event that
    waits is one like all others, also where the event makes other equations."""
    own = place / "events.yaml"
    own.write_text(EVENTS)
    fall = TOP / "tests/cli/event_stop/model.yaml"
    half = math.sqrt(0.1)  # it falls 0.5 m at 10 m/s^2, then 1 m
    for model, steps, h, first in ((own, 15, 0.1, None), ("docking", 46, 0.5, None), (fall, 5, 0.1, [half, math.sqrt(0.2)]), ("cam_lift_off", 10, 0.1, None)):
        fmu = Fmu(place, model, 3)
        if fmu.xml.find("CoSimulation").get("mightReturnEarlyFromDoStep") != "true":
            yield f"{model}: it does not say that steps may end early"
        plain, points = Instance3(fmu).begin(), []
        for k in range(steps):
            if plain.step(k * h, h) != OK or plain.event.value or plain.early.value:
                yield f"{model}: a step without event mode: {plain.messages[-1:]}"
            points.append(plain.get(*motion(fmu)))
            if plain.ended.value:
                break
        plain.free()
        said, events = go_through(fmu, steps, h, True)
        passed, none = go_through(fmu, steps, h, False)
        far = [max(map(off, a, b)) for way in (said, passed) for a, b in zip(way, points)]
        if len(said) != len(points) or len(passed) != len(points) or max(far) > SAME or none:
            yield f"{model}: with event mode there are other values, {max(far):.2g}, or events without early return, {none[:3]}"
        if not events or (first and (len(events) != len(first) or max(map(off, events, first)) > 1e-6)):
            yield f"{model}: events at {events}"
        for k in range(1, min(len(events), 9) + 1):
            if go_through(fmu, steps, h, True, k) != (said, events):
                yield f"{model}: from the state in which event {k} waits come other bits"
    fmu = Fmu(place, own, 3)
    one = Instance3(fmu, event_mode=True).begin()
    _, told = go_through(fmu, 15, 0.1, True)
    if told[0] != 0.25 or [t for t in told if t % 0.25 == 0] != [0.25 * k for k in range(1, 7)]:
        yield f"events at {told}"
    if one("EnterStepMode") != ERROR:  # `turn` is due at 0
        yield "steps were entered before what is due at the start"
    if one.update() != (False, 0.25) or one.get("pulls") != [-1]:
        yield f"at the start: pulls {one.get('pulls')}"
    one.set(u=3)
    if one.get("pulls") != [2] or off(one.get("slider.ax")[0], 1) > CLOSE:
        yield f"an input in event mode: {one.get('pulls', 'slider.ax')}"
    wrong = lambda *calls: [call for call in calls if one(*call) != ERROR]
    steps = ("DoStep", D(0), D(0.1), c.c_bool(), *map(c.byref, places(one)))
    yield from (f"{call[0]} in event mode was taken" for call in wrong(steps, ("EnterEventMode",), ("UpdateDiscreteStates", *[None] * 6)))
    one.done("EnterStepMode")
    yield from (f"{call[0]} between steps was taken" for call in wrong(("EnterStepMode",), ("UpdateDiscreteStates", *map(c.byref, [c.c_bool() for _ in range(5)]), c.byref(D()))))
    for bad in ((0, 0), (0, -0.1), (0, math.nan), (0.2, 0.1)):
        if one.step(*bad) != ERROR or one.event.value or one.early.value or one.last.value != 0:
            yield f"a step {bad} was taken"
    if one.step(0, 0.5) != OK or not one.event.value or not one.early.value or not 0 < one.last.value <= 0.25:
        yield f"a step up to an event: {one.event.value}, {one.early.value}, {one.last.value}"
    value = (c.c_uint * 1)(fmu.reference("u")), N(1), (D * 1)(1), N(1)
    yield from (f"{call[0]} while an event waits was taken" for call in wrong(steps, ("EnterStepMode",), ("SetFloat64", *value)))
    one.done("Terminate")
    one.free()
    if Fmu(place, "cart_pole", 3).xml.find("CoSimulation").get("mightReturnEarlyFromDoStep") != "false":
        yield "steps of the cart-pole may end early"
    one = Instance3(fmu).begin()
    if one("EnterEventMode") != ERROR or one.step(0, 0.3) != OK or one.last.value != 0.3:
        yield "an instance without event mode"
    one.free()


@test
def memory(place):
    """valgrind finds no access that may not be, and no byte that is lost; in either version."""
    if not shutil.which("valgrind"):
        raise Skipped("there is no valgrind")
    own = place / "events.yaml"
    own.write_text(EVENTS)
    cart, slider = Fmu(place, "cart_pole"), Fmu(place, own, 3)
    for fmu, master, *more in ((cart, "master", cart.resources.as_uri(), cart.reference("l")),
                               (slider, "events", f"{slider.resources}/", slider.reference("pulls"), slider.reference("u"))):
        program = place / master
        sh("gcc", "-std=c17", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Werror", TOP / f"tests/fmu/{master}.c", "-ldl", "-o", program)
        said = sh("valgrind", "-q", "--leak-check=full", "--error-exitcode=9", program, fmu.library, fmu.token, *more)
        if said != "right\n":
            yield f"{master}: {said}"


# ---- what is exported -----------------------------------------------------------------------------------------

PENDULUM = """dimension: 2
gravity: [0, -9.81]
include: {}
bodies:
  - {{name: own, type: point, mass: 1}}
simulate: {{end: 0.1, method: rk}}
"""


def refusal(place, *words):
    done = subprocess.run([str(word) for word in (HOLONOM, "fmu", *words)], capture_output=True, text=True, cwd=place)
    return done.returncode, done.stderr


@test
def files(place):
    """Files that the model reads go along in the places that they have; a path of the machine is refused."""
    (place / "top/sub").mkdir(parents=True)
    (place / "parts").mkdir()
    (place / "parts/part.yaml").write_text("bodies:\n  - {name: far, type: point, mass: 1, position: [1, 2]}\n")
    model = place / "top/sub/model.yaml"
    model.write_text(PENDULUM.format("../../parts/part.yaml"))
    fmu = Fmu(place, model, 2, "including")
    found = sorted(str(file.relative_to(fmu.resources)) for file in fmu.resources.rglob("*") if file.is_file())
    if found != ["holonom.txt", "model/parts/part.yaml", "model/top/sub/model.yaml"]:
        yield f"resources are {found}"
    one = Instance2(fmu).begin()
    if one.get("far.y") != [2]:
        yield f"far.y is {one.get('far.y')}"
    one.free()
    model.write_text(PENDULUM.format(place / "parts/part.yaml"))
    code, said = refusal(place, model, "-o", "no.fmu")
    if code != 2 or "path of this machine" not in said or ":3:" not in said or (place / "no.fmu").exists():
        yield f"an absolute path: exit {code}, {said}"
    (place / "top/parts").mkdir()  # which no file of the model lies in
    for way in "../parts/../../parts/part.yaml", f"../../../{place.name}/parts/part.yaml":
        model.write_text(PENDULUM.format(way))
        code, said = refusal(place, model, "-o", "no.fmu")
        if code != 2 or "shortest way" not in said or (place / "no.fmu").exists():
            yield f"{way}: exit {code}, {said}"
    model.write_text(PENDULUM.format("../../top/../parts/part.yaml"))  # back from a folder that is there
    Instance2(Fmu(place, model, 2, "back")).free()
    (place / "top/holonom.txt").write_text("bodies: [{name: near, type: point, mass: 1}]\n")
    (place / "top/alias.yaml").symlink_to("holonom.txt")
    model = place / "top/named.yaml"  # a file of the name of the index, by two names
    model.write_text(PENDULUM.format("[{file: holonom.txt, as: a}, {file: alias.yaml, as: b}]"))
    one = Instance2(Fmu(place, model)).begin()
    if one.get("a.near.x", "b.near.x") != [0, 0]:
        yield f"files of two names: {one.get('a.near.x', 'b.near.x')}"
    one.free()
    (place / "code").mkdir()
    sh("gcc", "-shared", "-fPIC", f"-I{TOP / 'include'}", TOP / "examples/controller.c", "-lm", "-o", place / "code/controller.so")
    model = place / "code/cart.yaml"
    model.write_text((TOP / "tests/cli/user_code/cart.yaml").read_text().replace("LIBRARIES/", ""))
    fmu = Fmu(place, model, sets=["simulate.end=0.5 s"])
    names, rows = rows_of(place, model, "--end", "0.5", "--set", "simulate.output=0.5 s")
    one = Instance2(fmu).begin()
    one.done("DoStep", D(0), D(0.5), 1)
    if max(off(a, b) for a, b in zip(one.get(*names[1:]), rows[-1][1:])) > CLOSE:
        yield "users' code in an FMU does not what it does in a run"
    one.free()
    for words, wanted, text in ((("-o", "a.txt"), 2, "ends in .fmu"), (("--fmi", "4"), 2, "it is 2 or 3"), (("-o", "no/a.fmu"), 1, "cannot be written"),
                                (("--set", "bodies.cart.mass=-1"), 2, "mass"), (("--set", "title=/a"), 2, "path of this machine"), (("--set", "title=a\nb"), 2, "one line")):
        code, said = refusal(place, MODELS / "cart_pole.yaml", *words)
        if code != wanted or text not in said:
            yield f"{' '.join(words)}: exit {code}, {said}"


def main():
    wanted = [word for word in sys.argv[1:] if word != "--long"] or ["*"]
    bad = False
    with tempfile.TemporaryDirectory() as root:
        for name, function in tests.items():
            if not any(fnmatch.fnmatchcase(name, pattern) for pattern in wanted):
                continue
            try:
                faults = list(function(pathlib.Path(root)))
            except Skipped as why:
                print(f"skipped {name}: {why}", flush=True)
                continue
            except Exception as error:  # a test that breaks off has failed; the others go on
                faults = [f"{type(error).__name__} {error}, line {error.__traceback__.tb_next.tb_lineno}"]
            bad |= bool(faults)
            print(f"not ok {name}: {'; '.join(faults)}".replace("\n", " ") if faults else f"ok {name}", flush=True)
    sys.exit(bad)


if __name__ == "__main__":
    main()
