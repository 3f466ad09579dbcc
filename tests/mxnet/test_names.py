"""Every name in the modules and classes of MXNet 1.9.1 resolves under the hook, and no other."""

from __future__ import annotations

import gzip
import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

import gluon.mxnet
from gluon._hook.library import imported
from gluon._hook.missing import Later
from gluon._hook.origins import value as read_value
from gluon.mxnet import hook
from gluon.mxnet.modules import TABLES
from gluon.mxnet.table import ADDED, ALIASES, MODULES, NAMES, REASONS
from tests.each import each
from tests.listed_names import missing_members, other_classes

full, origins = TABLES.full, TABLES.origins
ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "recorded" / "mxnet_names.json.gz"
LISTED = json.loads(gzip.decompress(REFERENCE.read_bytes()))
MODULE_NAMES = {path: words.split() for path, words in LISTED["modules"].items()}
CLASS_NAMES = {path: words.split() for path, words in LISTED["classes"].items()}

#: Names that scripts of other versions, or copied from MXNet's modules, look for.
BEYOND = {"": ["gpu_memory_info", "num_gpus", "opt"]}
#: Names that are modules or functions of gluon's own packages.
TAKEN = {
    "callback save_checkpoint",
    "image det",
    "initializer random",
    "ndarray.ndarray np",
    "ndarray.ndarray reduce",
    "numpy bool",
    "numpy_extension.image det",
    "numpy_extension.image detection",
}


@pytest.fixture(scope="module")
def library():
    """The `mxnet` package of gluon."""
    with gluon.mxnet.installed():
        yield hook._state[0].library


@each("path", MODULE_NAMES)
def test_every_name_of_a_module_resolves(library, path):
    module = importlib.import_module(path)
    missing = [name for name in MODULE_NAMES[path] if not hasattr(module, name)]
    assert missing == []
    assert set(MODULE_NAMES[path]) <= set(dir(module))


def test_every_name_of_a_class_resolves(library):
    assert missing_members(library, CLASS_NAMES) == {}
    assert all(isinstance(library.at(path), type) for path in CLASS_NAMES)
    assert other_classes(library) == []


def test_no_other_name_resolves(library):
    for path, names in MODULE_NAMES.items():
        module = library.modules[path]
        assert "no_such_name" not in names
        assert not hasattr(module, "no_such_name")
        with pytest.raises(ImportError):
            importlib.import_module(f"{path}.no_such_module")


def test_what_the_hook_follows_is_what_mxnet_lists():
    children = {path: set() for path in MODULE_NAMES}
    for path in MODULE_NAMES:
        parent, _, name = path.rpartition(".")
        children.get(parent, set()).add(name)
    assert [full(path) for path in origins.modules()] == list(MODULE_NAMES)
    for path in origins.modules():
        known = set(origins.names(path)) | children[full(path)] | {"__all__"}
        listed = set(MODULE_NAMES[full(path)])
        assert known | {"__all__"} >= listed
        assert listed | children[full(path)] | {"__all__"} >= known
    assert set(origins.classes) >= set(CLASS_NAMES)


def test_the_tables_have_names_of_mxnet_alone():
    for path in (*MODULES, *ALIASES, *ALIASES.values(), *ADDED, *NAMES, *REASONS):
        assert path in origins.modules(), path
    for path, names in NAMES.items():
        assert set(names) <= {*MODULE_NAMES[full(path)], *BEYOND.get(path, ())}
    for path, reasons in REASONS.items():
        for words in reasons.values():
            assert set(words.split()) <= set(MODULE_NAMES[full(path)])


@pytest.mark.parametrize("beside", sorted(set(ADDED.values())))
def test_no_helper_is_there_that_mxnet_has_not(beside):
    module = importlib.import_module(beside)
    homes = [path for path, one in ADDED.items() if one == beside]
    homes += [path for path, first in ALIASES.items() if first in homes]
    wanted = {name for path in homes for name in MODULE_NAMES[full(path)]}
    helpers = {
        name
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == beside
    }
    classes = [one for one in vars(module).values() if isinstance(one, type)]
    used = {
        name
        for home in (module, *classes)
        for one in vars(home).values()
        if isinstance(one, FunctionType)
        for name in one.__code__.co_names
    }
    assert helpers - wanted <= used


@each("path", origins.modules())
def test_what_a_module_imports_is_that(library, path):
    module = library.modules[full(path)]
    wrong = []
    for name, (kind, where) in origins.names(path).items():
        value = getattr(module, name)
        if kind == "imports":
            wanted = imported(where, "", "")
            if type(wanted) is Later or (where.startswith("numpy") and type(value) is FunctionType):
                continue  # of NumPy's functions, gluon has its own for its arrays
        elif kind == "modules":
            wanted = library.modules[full(where.removeprefix("."))]
        elif kind == "values":
            wanted = type(read_value(where))
            value = type(value)
        else:
            continue
        if value is not wanted and f"{path} {name}" not in TAKEN and path not in MODULES.values():
            wrong.append((name, where, value))
    assert [one for one in wrong if f"{ALIASES.get(path, path)} {one[0]}" not in TAKEN] == []


@pytest.mark.parametrize(
    "line",
    [
        "assert mx.gluon.block.SymbolBlock is gluon.SymbolBlock",
        "assert mx.gluon.nn.SymbolBlock is mx.gluon.SymbolBlock is gluon.SymbolBlock",
        "assert mx.autograd.get_symbol is gluon.symbol.get_symbol",
        "assert mx.sym is mx.symbol is gluon.sym is gluon.symbol",
    ],
)
def test_what_is_imported_when_it_is_used_is_there(line):
    program = f"import gluon.mxnet; gluon.mxnet.install(); import mxnet as mx; {line}"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_star_imports_bring_what_they_bring_with_mxnet(library):
    found: dict = {}
    exec("from mxnet.test_utils import *", found)
    for name in "mx np os sys json rnd array use_np Context assert_almost_equal".split():
        assert name in found
    assert found["mx"] is sys.modules["mxnet"]
    assert isinstance(found["rnd"], ModuleType)


@pytest.mark.slow
def test_importing_mxnet_loads_what_it_loads_with_mxnet():
    subprocess.run([sys.executable, "-m", "tests.mxnet.programs.imports"], check=True, cwd=ROOT)
