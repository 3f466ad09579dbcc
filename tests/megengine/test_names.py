"""Every name in the modules and classes of MegEngine 1.13 resolves under the hook, and no other."""

from __future__ import annotations

import gzip
import importlib
import json
from pathlib import Path
from types import FunctionType

import pytest

import gluon.megengine
from gluon._hook.missing import Later
from gluon.megengine import hook
from gluon.megengine.absent import TABLES
from tests.each import each
from tests.listed_names import missing_members, other_classes

full, origins = TABLES.full, TABLES.origins
REFERENCE = Path(__file__).resolve().parent.parent / "reference" / "megengine_names.json.gz"
LISTED = json.loads(gzip.decompress(REFERENCE.read_bytes()))
MODULE_NAMES = {path: words.split() for path, words in LISTED["modules"].items()}
CLASS_NAMES = {path: words.split() for path, words in LISTED["classes"].items()}

#: Classes of MegEngine that are called and never derived from, and are functions here.
FUNCTIONS = ("distributed.helper.AllreduceCallback", "distributed.launcher.launcher")


@pytest.fixture(scope="module")
def library():
    """MegEngine, as gluon has it."""
    with gluon.megengine.installed():
        yield hook._state[0].library


@each("path", MODULE_NAMES)
def test_every_name_of_a_module_resolves(library, path):
    module = importlib.import_module(path)
    assert [name for name in MODULE_NAMES[path] if not hasattr(module, name)] == []
    assert set(MODULE_NAMES[path]) <= set(dir(module))


def test_every_name_of_a_class_resolves(library):
    assert missing_members(library, CLASS_NAMES) == {}
    functions = [path for path in CLASS_NAMES if not isinstance(library.at(path), type)]
    assert functions == [path for path in FUNCTIONS if path in CLASS_NAMES]
    assert other_classes(library) == [path for path in FUNCTIONS if path not in CLASS_NAMES]


def test_no_other_name_resolves(library):
    for path in MODULE_NAMES:
        assert not hasattr(library.modules[path], "no_such_name")
        with pytest.raises(ImportError):
            importlib.import_module(f"{path}.no_such_module")


def test_the_tables_have_names_of_megengine_alone():
    tables = (TABLES.modules, TABLES.aliases, TABLES.added, TABLES.names, TABLES.reasons)
    for path in (*TABLES.aliases.values(), *(path for table in tables for path in table)):
        assert path in origins.modules(), path
    for path, names in TABLES.names.items():
        assert set(names) <= set(MODULE_NAMES[full(path)])
    for path, reasons in TABLES.reasons.items():
        for words in reasons.values():
            assert set(words.split()) <= set(MODULE_NAMES[full(path)]), path


@pytest.mark.parametrize("beside", sorted(set(TABLES.added.values())))
def test_no_helper_is_there_that_megengine_has_not(beside):
    module = importlib.import_module(beside)
    homes = [path for path, one in TABLES.added.items() if one == beside]
    homes += [path for path, first in TABLES.aliases.items() if first in homes]
    elsewhere = {where for names in TABLES.names.values() for where in names.values()}
    wanted = {name for path in homes for name in MODULE_NAMES[full(path)]}
    functions = {
        name: one
        for name, one in vars(module).items()
        if isinstance(one, FunctionType) and one.__module__ == beside and name != "__getattr__"
    }
    used = {name for one in functions.values() for name in one.__code__.co_names}
    source = Path(module.__file__).read_text()
    there = {name for name in functions if f"{beside}:{name}" in elsewhere}
    for name in set(functions) - wanted - used - there:
        assert source.count(name) > 1, name


def test_methods_that_python_calls_are_no_stand_ins(library):
    for path in CLASS_NAMES:
        owner = library.at(path)
        if isinstance(owner, type) and "_reason" not in vars(owner):
            wrong = [
                name
                for name in dir(owner)
                if name[:2] == name[-2:] == "__" and isinstance(getattr(owner, name), Later)
            ]
            assert wrong == [], path
