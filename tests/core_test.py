#!/usr/bin/env python3
"""The core library: a program that embeds it (tests/install/embed.c) is built against an installed prefix by pkg-config, with the static
core library, the shared one and the full library, and does the same with each. One line for each thing: `ok WHAT` or `not ok WHAT: why`.

    tests/core_test.py [WHAT ...]        WHAT: names as printed
"""
import fnmatch, os, pathlib, re, resource, subprocess, sys, tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
MODELS, SOURCE = TOP / "models", TOP / "tests/install/embed.c"
MB = 1 << 20
LARGEST = 8 * MB  # of the shared library
ALONE = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "linux-vdso.so.1"}
ADDRESSES = 16  # [MB] that a run of four_bar takes at most, program and C library included
FLAGS = {
    "static": "$(pkg-config --cflags holonom-core) {} $(pkg-config --variable=archive holonom-core) -lm",
    "shared": "{} $(pkg-config --cflags --libs holonom-core)",
    "full": "{} $(pkg-config --cflags --libs holonom)",
}
# Runs of all methods: model and end [s]. user_code has a controller in a shared object of its own.
RUNS = {"four_bar": "2", "hmmwv": "0.02", "user_code": "0.5"}
SHORT = {"billiard_break": "1e-6", "geneva_drive": "1e-5", "gripper": "1e-4", "newtons_cradle": "1e-5", "shoe_brake": "1e-6",
         "spinning_disc": "1e-5", "tippe_top": "1e-5", "cam_lift_off": "1e-5", "walker": "1e-5", "gear_train": "1e-4", "ring": "1e-6", "tower": "1e-6"}  # of the shipped models, of which the others run for USUAL
USUAL = "0.01"
# The full library's LAPACK is another one, so that last bits differ where dense matrices take part; what two runs may differ by then is a
# part of the tolerance. `step.error` is in units of it, and rounding decides when a Jacobian is
# made anew, by which steps of joint_bdf differ.
PART, DEFAULT_TOLERANCE = 1e-3, "1e-4"
# Unit tests of what stands on dense matrices, with the parts of the core library.
UNITS = {"test_linalg": "*", "test_redundant": "bdf_in_all_formulations", "test_modes": "*"}
WAY_OUT = "link libholonom"

tests = {}


def test(function):
    tests[function.__name__] = function
    return function


class Place:
    """An installed prefix and the programs built against it."""

    def __init__(self, root):
        self.root, self.prefix = pathlib.Path(root), pathlib.Path(root, "usr/local")
        self.lib = self.prefix / "lib"
        self.env = dict(os.environ, PKG_CONFIG_PATH=str(self.lib / "pkgconfig"), LD_LIBRARY_PATH=str(self.lib), OPENBLAS_NUM_THREADS="1",
                        GLIBC_TUNABLES="glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0")  # free memory counts as free
        self.sh(["make", "-s", "install", f"DESTDIR={root}", "PREFIX=/usr/local"], cwd=TOP)
        for kind, flags in FLAGS.items():
            self.sh(["sh", "-ec", f"gcc -std=c17 -Wall -Wextra -Werror -D_GNU_SOURCE {flags.format(SOURCE)} -o {kind}"])
        self.said = {}
        cart = (TOP / "tests/cli/user_code/cart.yaml").read_text()
        (self.root / "user_code.yaml").write_text(cart.replace("LIBRARIES", str(TOP / "build/examples")))
        (self.root / "many.yaml").write_text((MODELS / "chain.yaml").read_text().replace("n: 10", "n: 450").replace("method: hht", "method: rk"))

    def model(self, name):
        own = self.root / f"{name}.yaml"
        return own if own.exists() else MODELS / own.name

    def sh(self, command, cwd=None, **options):
        options = {"env": self.env, "cwd": cwd or self.root} | options
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)
        if done.returncode:
            raise RuntimeError(f"{' '.join(map(str, command))}: exit {done.returncode}: {(done.stdout + done.stderr).strip()[-400:]}")
        return done.stdout

    def run(self, kind, *words, **options):
        """What the program prints in a folder of its own."""
        folder = self.root / f"of_{kind}"
        folder.mkdir(exist_ok=True)
        if (kind, *words) not in self.said:
            self.said[kind, *words] = self.sh([f"../{kind}", *map(str, words)], cwd=folder, **options)
        return self.said[kind, *words]


@test
def needs(place):
    """The C library and its mathematics alone, in the library and in programs."""
    for what in place.lib / "libholonom-core.so", "static", "shared":
        loads = {line.split()[0].rpartition("/")[2] for line in place.sh(["ldd", what]).splitlines()}
        if wrong := {name for name in loads - ALONE if not name.startswith("libholonom-core.so.")}:
            yield f"{what} needs {' '.join(sorted(wrong))}"


@test
def size(place):
    if (bytes_ := (place.lib / "libholonom-core.so").stat().st_size) > LARGEST:
        yield f"libholonom-core.so has {bytes_ / MB:.1f} MB"


@test
def names(place):
    """The static library shows what the shared one exports, so that whoever links it may have a LAPACK or zlib of his own."""
    of = lambda options, file: {line.split()[-1] for line in place.sh(["nm", *options, "--defined-only", place.lib / file]).splitlines() if " " in line}
    static, shared, full = of(["-g"], "libholonom-core.a"), of(["-D"], "libholonom-core.so"), of(["-D"], "libholonom.so")
    for one, other in (static, full), (shared, full):
        if one != other:
            yield f"names are not those of libholonom.so: {' '.join(sorted(one ^ other)[:20])}"


def parse(text):
    """{method: (status line, steps, {name: value})}"""
    found = {}
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "method":
            name, _, status = rest.partition(": ")
            found[name] = last = [status, None, {}]
        elif word == "steps":
            last[1] = int(rest)
        elif word == "value":
            number, _, signal = rest.partition(" ")
            last[2][signal] = float(number)
    return found


def same(kind, model, end, place):
    """Differences of a model's runs with this library and with the full one: by all methods, to a part of the tolerance."""
    words = ["methods", place.model(model), end]
    core, full = parse(place.run(kind, *words)), parse(place.run("full", *words))
    given = re.search(r"^[^#\n]*\btolerance: ([0-9.e-]+)", place.model(model).read_text(), re.M)
    tolerance = float(given[1] if given else DEFAULT_TOLERANCE)
    if list(core) != list(full) or len(core) < 10:
        yield f"{model}, {kind}: the methods are {' '.join(core)}"
        return
    for method in core:
        (status, steps, value), (wanted, number, reference) = core[method], full[method]
        if status != wanted:
            yield f"{model}, {kind}: {method}: {status}; full: {wanted}"
        elif steps != number or value.keys() != reference.keys():
            yield f"{model}, {kind}: {method}: {steps} steps, full: {number}"
        for signal in value.keys() & reference.keys():
            unit = 1 if signal in ("step.error", "step.size") else tolerance
            if not abs(value[signal] - reference[signal]) <= PART * unit * (1 + abs(reference[signal])):
                yield f"{model}, {kind}: {method}: {signal} = {value[signal]}, full: {reference[signal]}"
                break


for model in RUNS:
    tests[model] = lambda place, model=model: (fault for kind in ("static", "shared") for fault in same(kind, model, RUNS[model], place))


@test
def models(place):
    for file in sorted(MODELS.glob("*.yaml")):
        yield from same("shared", file.stem, SHORT.get(file.stem, USUAL), place)


@test
def both_forms(place):
    """The static and the shared core library are the same object: all their results are, to the last bit."""
    for model in RUNS:
        words = ["methods", place.model(model), RUNS[model]]
        if place.run("static", *words) != place.run("shared", *words):
            yield f"{model}: not the same bits"


@test
def units(place):
    programs = [f"build/release/tests/core/{name}" for name in UNITS]
    place.sh(["make", "-s", *programs], cwd=TOP)
    for program in programs:
        try:
            place.sh([TOP / program], cwd=TOP, env=place.env | {"ONLY": UNITS[pathlib.Path(program).name]})
        except RuntimeError as error:
            yield str(error)


MESHES = """title: drawn with a mesh
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1], shape: [{type: mesh, file: a.stl}, {type: sphere, radius: 0.1}]}
simulate: {method: rk, end: 0.1, signals: all}
"""
WEIGHED = """dimension: 3
gravity: [0, 0, -9.81]
bodies:
  - {name: a, density: 6000, shape: {type: mesh, file: b.obj}}
"""
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
STL = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n"
# What the core library refuses and says, first word of the message's cause; all else is the same as with the full library.
REFUSED = {"name .nc": "netCDF", "run to .nc": "netCDF", "modes to .nc": "netCDF", "read .nc": "netCDF", "modes of many": "ARPACK",
           "mass of a mesh": "assimp", "omega_max of many": "ARPACK"}
NOTED = {"mesh": ("assimp", 2), "largest stable step": ("ARPACK", 1)}  # what the run goes on without: notes, and how many


def things(kind, place):
    (place.root / "meshes.yaml").write_text(MESHES)
    (place.root / "a.stl").write_text(STL)
    (place.root / "weighed.yaml").write_text(WEIGHED)
    (place.root / "b.obj").write_text(OBJ)
    result = place.root / "of_full/of_run.nc"
    said = place.run(kind, "things", MODELS / "four_bar.yaml", "../meshes.yaml", place.model("many"), result)
    answers = dict(line.split(": ", 1) for line in said.splitlines() if re.match(r"[a-z_ .]+: -?\d+", line))
    return answers, [line for line in said.splitlines() if line.startswith("note ")], said


@test
def refused(place):
    """What is not in the core library is refused by name with a way out, or told where the run goes on without it; nothing else is."""
    full, full_notes, said = things("full", place)
    if bad := [what for what, answer in full.items() if answer != "0" and what not in ("read .nc", "name of no format")]:
        yield f"full: {', '.join(f'{what}: {full[what]}' for what in bad)}"
    if any("core" in line for line in full_notes):
        yield f"full: {full_notes}"
    for kind in "static", "shared":
        core, notes, said = things(kind, place)
        if core.keys() != full.keys() or not REFUSED.keys() <= core.keys():
            yield f"{kind}: {said}"
        for what, answer in core.items():
            if what in REFUSED:
                if answer == "0" or REFUSED[what] not in answer or WAY_OUT not in answer:
                    yield f"{kind}: {what}: {answer}"
            elif answer.split()[0] != full[what].split()[0]:
                yield f"{kind}: {what}: {answer}, full: {full[what]}"
        for word, (cause, number) in NOTED.items():
            lines = [line for line in notes if word in line and cause in line and WAY_OUT in line]
            if len(lines) != number:
                yield f"{kind}: {word} is told {len(lines)} times: {notes}"


@test
def files(place):
    """What the core library writes is what the full one does: the same text, a page and a glTF file with all but the mesh."""
    for kind in "full", "static":
        things(kind, place)
    own, other = place.root / "of_static", place.root / "of_full"
    rows = lambda folder: [line for line in (folder / "of_run.csv").read_text().splitlines() if line[:1] != "#"]
    if len(rows(own)) < 3 or len(rows(own)) != len(rows(other)) or rows(own)[0] != rows(other)[0]:
        yield "of_run.csv has other rows or columns"
    for name in "of_run.html", "meshes.html":
        if not 0.9 < (own / name).stat().st_size / (other / name).stat().st_size < 1.1:
            yield f"{name} has {(own / name).stat().st_size} bytes"
    if (own / "meshes.glb").read_bytes()[:4] != b"glTF":
        yield "meshes.glb is none"
    if (own / "of_run.nc").exists() or (own / "of_modes.nc").exists():
        yield "a .nc file was left"


@test
def grows(place):
    """No byte is kept by a round of loading, modes (refused to `many`), running and destroying."""
    for model, end, rounds in [*((model, "0.02", 40) for model in RUNS), ("many", "1e-5", 5)]:
        said = place.run("shared", "rounds", place.model(model), end, rounds)
        counts = [int(line.split()[1]) for line in said.splitlines()]
        if len(counts) != rounds or len(set(counts[1:])) != 1:
            yield f"{model}: bytes in use: {counts[:5]} .. {counts[-5:]}"


@test
def addresses(place):
    """No threads before main and no buffers for them."""
    def below():
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES * MB, ADDRESSES * MB))
    for kind in "static", "shared":
        said = place.run(kind, "rounds", MODELS / "four_bar.yaml", "0.1", "1", preexec_fn=below)
        if not re.fullmatch(r"bytes \d+\n", said):
            yield f"{kind}: {said}"


def main():
    wanted = sys.argv[1:] or ["*"]
    bad = False
    with tempfile.TemporaryDirectory() as root:
        place = Place(root)
        for name, function in tests.items():
            if not any(fnmatch.fnmatchcase(name, pattern) for pattern in wanted):
                continue
            try:
                faults = list(function(place))
            except RuntimeError as error:
                faults = [str(error)]
            bad |= bool(faults)
            print(f"not ok {name}: {'; '.join(faults)}".replace("\n", " ") if faults else f"ok {name}", flush=True)
    sys.exit(bad)


main()
