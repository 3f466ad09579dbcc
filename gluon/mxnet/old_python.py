"""Names that Python's standard library has removed since MXNet's release."""

from __future__ import annotations

import base64
import collections.abc
import errno
import fractions
import functools
import importlib
import importlib.util
import inspect
import math
import os
import re
import sys
import threading
import time
import unittest
from collections.abc import Callable
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any, NamedTuple

from .._core.errors import ArgumentError


class ArgSpec(NamedTuple):
    """The result of `getargspec`."""

    args: list[str]
    varargs: str | None
    keywords: str | None
    defaults: tuple[Any, ...] | None


def getargspec(func: Callable[..., Any]) -> ArgSpec:
    """Return the names and the defaults of a function's arguments."""
    return ArgSpec(*inspect.getfullargspec(func)[:4])


@functools.total_ordering
class LooseVersion:
    """A version, which compares with another one or a string."""

    version: list[int | Any]
    vstring: str

    def __init__(self, vstring: str | None = None) -> None:
        self.vstring = vstring or ""
        self.version = [
            int(part) if part.isdigit() else part
            for part in re.findall(r"\d+|[a-z]+|[^\da-z.]+", self.vstring)
        ]

    def _parts(self, other: Any) -> list:
        return (LooseVersion(other) if isinstance(other, str) else other).version

    def __eq__(self, other: object) -> bool:
        return self.version == self._parts(other)

    def __lt__(self, other: Any) -> bool:
        return self.version < self._parts(other)

    def __str__(self) -> str:
        return self.vstring

    def __repr__(self) -> str:
        return f"LooseVersion ('{self}')"

    __hash__ = None  # type: ignore[assignment]


def strtobool(val: str) -> int:
    """Return 1 for "yes", "true", "on" and the like, 0 for their opposites."""
    word = val.lower()
    for number, words in ((1, "y yes t true on 1"), (0, "n no f false off 0")):
        if word in words.split():
            return number
    raise ArgumentError(f"strtobool: {val!r} is neither true nor false")


def load_source(name: str, pathname: str, file: Any = None) -> ModuleType:
    """Import a file as a module with the given name."""
    spec = importlib.util.spec_from_file_location(name, pathname)
    if spec is None or spec.loader is None:
        raise ArgumentError(f"load_source: {pathname!r} is not a file of Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


#: module -> removed name -> its replacement
NAMES: dict[Any, dict[str, Any]] = {
    base64: {"decodestring": base64.decodebytes, "encodestring": base64.encodebytes},
    collections: {name: getattr(collections.abc, name) for name in collections.abc.__all__},
    fractions: {"gcd": math.gcd},
    inspect: {"getargspec": getargspec},
    os: {"errno": errno, "getcwdu": os.getcwd},
    threading.Thread: {"isAlive": threading.Thread.is_alive},
    time: {"clock": time.process_time},
    unittest.TestCase: {
        old: getattr(unittest.TestCase, new)
        for old, new in {
            "assertAlmostEquals": "assertAlmostEqual",
            "assertEquals": "assertEqual",
            "assertItemsEqual": "assertCountEqual",
            "assertNotEquals": "assertNotEqual",
            "assertRaisesRegexp": "assertRaisesRegex",
            "assertRegexpMatches": "assertRegex",
            "assert_": "assertTrue",
        }.items()
    },
}
#: Removed modules -> the names that scripts use.
MODULES: dict[str, dict[str, Any]] = {
    "distutils": {},
    "distutils.util": {"strtobool": strtobool},
    "distutils.version": {"LooseVersion": LooseVersion, "StrictVersion": LooseVersion},
    "imp": {"load_source": load_source, "new_module": ModuleType, "reload": importlib.reload},
}


def offer() -> Callable[[], None]:
    """Add the removed names to the standard library, where they are missing."""
    added = [
        (owner, name, value)
        for owner, names in NAMES.items()
        for name, value in names.items()
        if not hasattr(owner, name)
    ]
    for owner, name, value in added:
        setattr(owner, name, value)
    lacking = [name for name in MODULES if not is_there(name.partition(".")[0])]
    for path in lacking:
        module = sys.modules[path] = ModuleType(path, "What scripts use of a module that is gone.")
        module.__path__ = []
        vars(module).update(MODULES[path])
        parent, _, name = path.rpartition(".")
        if parent:
            setattr(sys.modules[parent], name, module)

    def take_back() -> None:
        for owner, name, _ in added:
            delattr(owner, name)
        for path in lacking:
            sys.modules.pop(path, None)

    return take_back


def is_there(name: str) -> bool:
    """Whether a module can be imported; setuptools provides distutils through its finder."""
    if name in sys.modules or PathFinder.find_spec(name) is not None:
        return True
    return name == "distutils" and "_distutils_hack" in sys.modules
