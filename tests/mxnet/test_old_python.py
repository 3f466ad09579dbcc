"""The names that Python's standard library had, for the run of an old script."""

from __future__ import annotations

import collections
import importlib
import importlib.util
import sys

import pytest

import gluon.mxnet
from gluon.mxnet import old_python
from tests.mxnet.running import HOOKED, python

USES = {
    "from collections import Iterable, Mapping; r = isinstance({}, Mapping)": True,
    "import collections; r = issubclass(list, collections.MutableSequence)": True,
    "import inspect; r = tuple(inspect.getargspec(lambda a, b=2, *c, **d: 0))": (
        *(["a", "b"], "c", "d", (2,)),
    ),
    "import inspect; r = inspect.getargspec(lambda a: 0).args": ["a"],
    "import time; t = time.clock(); r = time.clock() >= t": True,
    "from fractions import gcd; r = gcd(12, 18)": 6,
    "import os; r = os.errno.EEXIST > 0": True,
    "import base64; r = base64.decodestring(base64.encodestring(b'abc'))": b"abc",
    "import threading; r = threading.Thread().isAlive()": False,
    "import unittest; c = unittest.TestCase(); r = c.assertItemsEqual([1, 2], [2, 1])": None,
    "import unittest; c = unittest.TestCase(); r = c.assertEquals(1, 1), c.assert_(1)": (None,) * 2,
    "import imp; r = imp.new_module('m').__name__": "m",
    "from distutils.util import strtobool; r = strtobool('Yes'), strtobool('off')": (1, 0),
    "from distutils.version import LooseVersion as V; r = V('1.10') > V('1.9.1') > '1.9'": True,
    "import mxnet, distutils.version as v; r = v.LooseVersion(mxnet.__version__) >= '1.9.1'": True,
    "from distutils.version import StrictVersion as V; r = V('1.2') == '1.2', str(V('1.2'))": (
        *(True, "1.2"),
    ),
}


@pytest.fixture
def old_names():
    with gluon.mxnet.installed(old_numpy=True):
        yield


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("code", USES)
def test_old_names_are_back(old_names, code):
    names: dict = {}
    exec(code, names)
    assert names["r"] == USES[code]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_file_is_loaded_as_a_module(old_names, tmp_path, monkeypatch):
    (tmp_path / "settings_of_old.py").write_text("RATE = 0.5")
    monkeypatch.syspath_prepend(tmp_path)
    imp = importlib.import_module("imp")
    try:
        path = str(tmp_path / "settings_of_old.py")
        assert imp.load_source("settings_of_old", path).RATE == 0.5
        assert imp.reload(sys.modules["settings_of_old"]).RATE == 0.5
    finally:
        sys.modules.pop("settings_of_old", None)


def test_versions_of_this_module():
    version = old_python.LooseVersion
    assert version("2.0b1").version == [2, 0, "b", 1]
    assert version("1.9.1+gluon") > version("1.9.1") > version("1.9.0")
    assert sorted([version("1.10"), version("1.9"), version("1.2.3")])[0] == "1.2.3"
    assert old_python.strtobool("T") == 1
    with pytest.raises(ValueError, match="'perhaps' is neither true nor false"):
        old_python.strtobool("perhaps")


def test_they_are_taken_away_again():
    before = {owner: {*vars(owner)} for owner in old_python.NAMES}
    modules = {*sys.modules}
    with gluon.mxnet.installed(old_numpy=True):
        assert collections.Mapping is collections.abc.Mapping
    assert {owner: {*vars(owner)} for owner in old_python.NAMES} == before
    assert {*old_python.MODULES} & {*sys.modules} <= modules


@pytest.mark.slow
def test_the_option_reaches_the_script_and_its_children():
    child = "import mxnet; from collections import Iterable; print(Iterable.__name__)"
    code = f"import subprocess as s, sys; s.run([sys.executable, '-c', {child!r}])"
    assert python(*HOOKED, "--old-numpy", "-c", code).stdout == "Iterable\n"
    assert python(*HOOKED, "-c", code).stdout == ""
