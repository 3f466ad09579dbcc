"""Every name of MXNet for training exists with its arguments, or raises an error with a reason."""

from __future__ import annotations

import inspect
import json
import re
from importlib import import_module
from typing import Any

import pytest

from gluon._core.errors import MissingNameError
from recorded.make import HERE
from tests.each import each

MODULES = json.loads((HERE / "signatures.json").read_text(encoding="utf-8"))
NAMES = {
    f"{module}.{name}": arguments
    for module, names in MODULES.items()
    for name, arguments in names.items()
}
#: What is left out with an error that says so.
REASONED = {"kvstore.KVStoreServer", "kvstore.KVStoreServer.run"}
#: Steps of a computation that MXNet did not mean to be called.
INTERNAL = {
    "gluon.rnn.SequentialRNNCell.hybrid_forward",
    "metric.PearsonCorrelation.reset_micro",
    "metric.PearsonCorrelation.update_cov",
    "metric.PearsonCorrelation.update_variance",
}
PRESENT = [name for name in NAMES if name not in REASONED | INTERNAL]
#: MXNet makes it from an address in memory, and nobody else does.
OTHERWISE = {"kvstore.KVStore"}


def found(path: str) -> Any:
    module = next(one for one in sorted(MODULES, key=len, reverse=True) if path.startswith(one))
    place = import_module(f"gluon.{module}".replace("gluon.gluon", "gluon"))
    for part in path.removeprefix(f"{module}.").split("."):
        place = getattr(place, part)
    return place


def parameters(path: str) -> list[inspect.Parameter]:
    return [p for p in inspect.signature(found(path)).parameters.values() if p.name != "self"]


@each("path", PRESENT)
def test_every_name_is_there(path):
    assert callable(found(path))


@pytest.mark.parametrize("path", sorted(REASONED))
def test_what_is_left_out_says_why(path):
    with pytest.raises(MissingNameError, match=r"planned|need none"):
        found(path)


@each("path", [name for name in PRESENT if NAMES[name] and name not in OTHERWISE])
def test_arguments_have_mxnets_names_and_order(path):
    ours = parameters(path)
    positional = [p.name for p in ours if p.kind is p.POSITIONAL_OR_KEYWORD]
    wanted = [re.sub("=.*", "", one, flags=re.S) for one in NAMES[path] if one[0] != "*"]
    if any(p.kind is p.VAR_POSITIONAL for p in ours):  # what follows is taken by its name
        positional += [p.name for p in ours if p.kind is p.KEYWORD_ONLY]
        wanted = [name for name in wanted if name in positional or "*args" in NAMES[path]]
    assert positional[: len(wanted)] == wanted


@each("path", [name for name in PRESENT if "=" in str(NAMES[name])])
def test_defaults_are_mxnets(path):
    ours = {p.name: p.default for p in parameters(path)}
    wanted = dict(one.split("=", 1) for one in NAMES[path] if "=" in one)
    assert [name for name, one in wanted.items() if not same(name, one, ours[name])] == []


def same(name: str, wanted: str, got: Any) -> bool:
    """Whether a default means what MXNet's does, whose description is `wanted`."""
    if wanted.startswith("<function "):
        return got.__name__ == wanted.split()[1]
    if name == "op_name":  # of no influence
        return True
    if wanted == "_Null":  # the operator's own: tests/nd compares what comes of it
        return True
    if wanted.startswith("<mxnet.initializer.") or name in ("layout", "conv_layout"):
        return got is None or repr(got) == wanted  # made when it is needed
    if name == "root":
        return got.startswith("~/") and wanted.strip("'").endswith(got.removeprefix("~"))
    equal = re.fullmatch(r"\((\d+)(, ?\1)*,?\)", wanted)  # one length for all axes
    return repr(got) == wanted or (bool(equal) and repr(got) == equal[1])
