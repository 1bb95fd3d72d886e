"""The package as a whole: what it costs to import, what it exports, what it says about itself."""
import doctest
import importlib
import inspect
import pathlib
import subprocess
import sys
import typing

import pytest

import holonom as hm

MODULES = ["holonom", *(f"holonom.{path.stem}" for path in sorted(pathlib.Path(hm.__file__).parent.glob("*.py")) if path.stem not in ("__init__", "_cffi"))]


def test_import_takes_little():
    """Below 0.1 s of CPU without numpy, the smallest of five."""
    program = "import numpy, time; t = time.process_time(); import holonom; print(time.process_time() - t)"
    times = [float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout) for _ in range(5)]
    assert min(times) < 0.1, times


def test_import_parses_nothing_and_needs_no_compiler():
    program = "import holonom, sys; print(*(n for n in ('pycparser', 'cffi', 'matplotlib', 'xarray', 'pandas', 'IPython', 'setuptools') if n in sys.modules))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip() == ""


def test_the_library_lies_in_the_package():
    from holonom import _native

    assert _native.LIBRARY.is_file() and _native.LIBRARY.parent.parent == pathlib.Path(hm.__file__).parent


def test_version():
    assert hm.__version__.count(".") == 2 and hm.__version__[0].isdigit()
    metadata = importlib.import_module("importlib.metadata")
    assert metadata.version("holonom") == hm.__version__


def test_the_extra_has_all_that_is_used():
    wanted = [line.partition(";")[0].strip() for line in importlib.import_module("importlib.metadata").requires("holonom") if "extra ==" in line]
    assert sorted(wanted) == ["matplotlib", "pandas", "scipy", "xarray"]


def test_methods_keep_their_types():
    """Their decorators give what they take, for who looks at types."""
    from holonom import _native, _options, item

    for decorator in (_native.alone, item._locked, _options.run_options):
        hints = typing.get_type_hints(decorator)
        assert hints["return"] is hints["method" if "method" in hints else "function"]


def test_types_are_there():
    assert (pathlib.Path(hm.__file__).parent / "py.typed").exists()


def public():
    for name in hm.__all__:
        thing = getattr(hm, name)
        yield name, thing
        if inspect.isclass(thing):
            for inner, value in vars(thing).items():
                if not inner.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                    yield f"{name}.{inner}", value


THINGS = dict(public())


@pytest.mark.parametrize("name", THINGS)
def test_everything_public_is_explained_and_typed(name):
    thing = THINGS[name]
    assert inspect.getdoc(thing), name
    function = thing.fget if isinstance(thing, property) else thing.__func__ if isinstance(thing, classmethod) else thing
    if inspect.isfunction(function):
        signature = inspect.signature(function)
        assert signature.return_annotation is not signature.empty, name
        for key, one in list(signature.parameters.items()):
            assert key == "self" or key == "cls" or one.annotation is not one.empty, f"{name}: {key}"
        listed = [key for key in signature.parameters if key not in ("self", "cls")]
        if len(listed) > 2:
            doc = inspect.getdoc(thing)
            assert all(key.strip("_") in doc for key in listed), f"{name}: {listed}"


def test_all_is_all():
    names = {name for name in vars(hm) if not name.startswith("_") and not inspect.ismodule(getattr(hm, name))}
    assert names - {"annotations"} == set(hm.__all__)


def test_no_character_is_left_of_the_declarations():
    """Every function of the headers that the package was built with is found in the library."""
    from holonom import _native

    missing = [name for name in dir(_native.lib) if name.startswith("hol_") and not hasattr(_native.lib, name)]
    assert len([name for name in dir(_native.lib) if name.startswith("hol_")]) > 50 and not missing


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module):
    found = doctest.testmod(importlib.import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0


def test_what_the_wheel_and_the_sdist_hold():
    import tarfile
    import zipfile

    from conftest import TOP

    (wheel,), (sdist,) = (list((TOP / "build/python").glob(pattern)) for pattern in ("*.whl", "*.tar.gz"))
    assert wheel.name == f"holonom-{hm.__version__}-py3-none-linux_x86_64.whl"
    modules = {path.name for path in (TOP / "python/holonom").iterdir() if path.is_file()} | {"_cffi.py"}
    wanted = {f"holonom/{name}" for name in modules} | {"holonom/_lib/libholonom.so"}
    held = set(zipfile.ZipFile(wheel).namelist())
    assert {name for name in held if name.startswith("holonom/")} == wanted
    assert {"LICENSE", "THIRD-PARTY.md", "LGPL-2.1.txt"} <= {name.rpartition("/")[2] for name in held}
    assert wanted <= {name.partition("/")[2] for name in tarfile.open(sdist).getnames()}
