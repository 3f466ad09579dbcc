"""Every name of MXNet's `nd` and `npx` exists, or raises an error with the reason."""

from __future__ import annotations

import json
from operator import attrgetter

import pytest

import gluon
from gluon import GluonError, nd
from gluon.nd.absent import REASONS
from recorded.make import HERE
from tests.each import each

NAMES = json.loads((HERE / "names.json").read_text())
NP_NAMES = json.loads((HERE / "np_names.json").read_text())
NAMES |= {module: NP_NAMES[module] for module in NP_NAMES if module.startswith("npx")}
#: A pointer for MXNet's C interface; what `gluon.np` will bring.
LATER = {"nd.NDArray.handle", "nd.NDArray.as_np_ndarray"}
PATHS = [f"{module}.{name}" for module, names in NAMES.items() for name in names]


def found(path: str):
    return attrgetter(path)(gluon)


@each("path", [p for p in PATHS if p not in {*REASONS, *LATER}])
def test_every_name_of_mxnet_is_there(path):
    found(path)


@each("path", REASONS)
def test_what_is_left_out_says_why(path):
    module, name = path.rsplit(".", 1)
    assert name in NAMES[module]
    with pytest.raises(GluonError, match=f"no operator '{name}' in gluon.{module}: ") as caught:
        found(path)
    assert isinstance(caught.value, AttributeError)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("softmx", "softmax"), ("convolution", "Convolution"), ("fullyconnected", "FullyConnected")],
)
def test_a_typo_gives_a_suggestion(name, meant):
    with pytest.raises(
        AttributeError, match=rf"no operator '{name}' in gluon\.nd; did you mean '{meant}'\?"
    ):
        getattr(nd, name)
    assert not hasattr(nd, name)
