"""The functions of `npx` take MXNet's arguments, by name and by position."""

from __future__ import annotations

import inspect
import json
from operator import attrgetter

import pytest

import gluon
from gluon.nd.absent import REASONS
from recorded.make import HERE

NAMES = json.loads((HERE / "np_names.json").read_text())
FUNCTIONS = {
    f"{module}.{name}": arguments.split()
    for module in ("npx", "npx.random")
    for name, arguments in NAMES[module].items()
    if arguments and f"{module}.{name}" not in REASONS
}


@pytest.mark.parametrize("path", FUNCTIONS)
def test_the_arguments_are_those_of_mxnet(path):
    ours = list(inspect.signature(attrgetter(path)(gluon)).parameters)
    assert ours[: len(FUNCTIONS[path])] == FUNCTIONS[path]
