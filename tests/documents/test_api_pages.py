"""Every public name is in the API reference."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import sys
from pathlib import Path

import gluon

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))
members = importlib.import_module("families").members
sys.path.pop(0)


def documented() -> set[int]:
    """The objects that the pages of the reference document, by identity."""
    found = set()
    for page in (ROOT / "docs" / "api").glob("*.md"):
        text = page.read_text()
        for space, family in re.findall(r"^\.\. functions:: (\S+) (\S+)$", text, re.M):
            module = importlib.import_module(space)
            for name, others in members(space, family).items():
                found |= {id(getattr(module, one)) for one in (name, *others)}
        for path, options in re.findall(r"^\.\. automodule:: (\S+)\n((?:   :.*\n)*)", text, re.M):
            if ":members:" not in options:
                continue  # only the docstring of the module
            module = importlib.import_module(path)
            listed = re.search(r":members: (.+)", options)
            excluded = re.search(r":exclude-members: (.+)", options)
            names = listed[1].split(", ") if listed else getattr(module, "__all__", dir(module))
            names = set(names) - set(excluded[1].split(", ") if excluded else ())
            found |= {id(getattr(module, name)) for name in names}
        for path in re.findall(r"^\.\. auto(?:function|class):: (\S+)", text, re.M):
            module, _, name = path.rpartition(".")
            found.add(id(getattr(importlib.import_module(module), name)))
    return found


def public() -> dict[str, list[str]]:
    """The functions and classes that each public module offers."""
    found = {}
    for info in pkgutil.walk_packages(gluon.__path__, "gluon."):
        parts = info.name.split(".")[1:]
        if any(part.startswith("_") for part in parts):
            continue
        module = importlib.import_module(info.name)
        names = [
            name
            for name in getattr(module, "__all__", ())
            if name[:2] != "__"
            if inspect.isclass(one := getattr(module, name)) or inspect.isfunction(one)
            if one.__module__.startswith("gluon")
        ]
        if names:
            found[info.name] = names
    return found


def test_every_public_function_and_class_has_a_place_in_the_reference():
    known = documented()
    missing = [
        f"{path}.{name}"
        for path, names in public().items()
        for name in names
        if id(getattr(importlib.import_module(path), name)) not in known
    ]
    assert not missing, f"without a place in docs/api: {', '.join(missing)}"


#: Modules for scripts of MXNet alone, and networks, which are named after their size.
BY_THE_ALPHABET = {"gluon.test_utils", "gluon.util", "gluon.model_zoo.vision"}


def test_the_reference_begins_with_recording():
    text = (ROOT / "docs" / "api" / "index.md").read_text()
    assert re.search(r"\{doc\}`(\w+)`", text)[1] == "autograd"
    text = (ROOT / "docs" / "api" / "autograd.md").read_text()
    first = re.search(r"^\.\. auto(?:function|class):: gluon\.autograd\.(\S+)", text, re.M)
    assert first[1] == "record"


def test_long_pages_group_names_by_their_use():
    """Autodoc lists the names of a module by the alphabet."""
    alphabetic = []
    for page in (ROOT / "docs" / "api").glob("*.md"):
        for path in re.findall(r"^\.\. automodule:: (\S+)\n   :members:\n", page.read_text(), re.M):
            if (
                len(public().get(path, ())) > 12
                and path not in BY_THE_ALPHABET
                and page.name != "mxnet.md"
            ):
                alphabetic.append(path)
    assert alphabetic == []
