"""Every public name of MXNet's small modules exists, or is missing for a stated reason."""

from __future__ import annotations

import inspect
import json
from importlib import import_module
from pathlib import Path

from tests.each import each

REFERENCE = Path(__file__).resolve().parents[2] / "recorded" / "module_names.json"
NAMES = json.loads(REFERENCE.read_text(encoding="utf-8"))

#: The modules of gluon that have another name than MXNet's.
MODULES = {
    "attribute": "mxnet.attribute",
    "context": "_core.arrays.context",
    "engine": "mxnet.engine",
    "libinfo": "mxnet.libinfo",
    "log": "mxnet.log",
    "name": "mxnet.name",
}
EVERY = [f"{module}.{name}" for module, names in NAMES.items() for name in names]


def module(name: str):
    return import_module(f"gluon.{MODULES.get(name, name)}")


@each("path", EVERY)
def test_the_name_is_there_with_its_arguments(path):
    home, name = path.split(".")
    found = getattr(module(home), name)
    wanted = (NAMES[home][name] or "").split()
    if inspect.isclass(found):
        found, wanted = found.__init__, wanted[1:]  # without self
        if found is object.__init__:
            return
    parameters = inspect.signature(found).parameters.values()
    open_ended = {p.kind for p in parameters} & {inspect.Parameter.VAR_KEYWORD}
    names = [p.name for p in parameters if p.name != "self"]
    missing = [one for one in wanted if one not in names and one not in ("args", "kwargs")]
    assert not missing or open_ended
    assert [one for one in wanted if one in names] == [one for one in names if one in wanted]
