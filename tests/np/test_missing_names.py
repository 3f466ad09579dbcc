"""Every name of MXNet and NumPy exists, or there is a reason why it is missing."""

from __future__ import annotations

import inspect
import json
from importlib import import_module

import numpy
import pytest

import gluon
from gluon import np
from gluon._core.errors import GluonError
from gluon.np.absent import REASONS
from recorded.make import HERE
from tests.each import each

NAMES = json.loads((HERE / "np_names.json").read_text())
#: Arguments of MXNet's functions that ours do not take, as NumPy 2 does not.
GONE = {"normed", "bias", "ddof", "args", "tup", "array", "subscripts", "prototype"}
GONE |= {"stat_length", "constant_values", "end_values", "reflect_type"}  # in pad's `**kwargs`
#: Functions that take one under another name, or without `out`.
OTHERWISE = ("np.ravel", "np.reshape", "np.squeeze")
#: What says something about NumPy itself, which other libraries answer for themselves.
DUNDER = ("__version__", "__array_namespace_info__")
WANTED = {
    "np": [*NAMES["np"], *numpy.__all__],
    "np.linalg": [*NAMES["np.linalg"], *numpy.linalg.__all__],
    "np.random": [*NAMES["np.random"], *numpy.random.__all__],
}
CALLS = [(module, name) for module in WANTED for name in NAMES[module] if NAMES[module][name]]
PAIRS = [
    (module, name) for module, names in WANTED.items() for name in sorted({*names} - {*DUNDER})
]


def module_of(path: str):
    return import_module(f"gluon.{path}")


@each("module, name", PAIRS)
def test_every_name_is_there_or_has_a_reason(module, name):
    assert hasattr(module_of(module), name) or f"{module}.{name}" in REASONS


@each("module, name", CALLS)
def test_every_argument_of_mxnet_is_taken(module, name):
    if f"{module}.{name}" in {*REASONS, *OTHERWISE}:
        return
    taken = inspect.signature(getattr(module_of(module), name)).parameters
    assert not {*NAMES[module][name].split()} - {*taken} - GONE


@each("path", REASONS)
def test_what_is_absent_says_why_in_one_line(path):
    module, name = path.rsplit(".", 1)
    with pytest.raises(GluonError, match=f"gluon.{module} has no '{name}': ") as caught:
        getattr(module_of(module), name)
    assert isinstance(caught.value, AttributeError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "meant"), [("arangee", "arange"), ("Sort", "sort"), ("medain", "median")]
)
def test_a_slip_is_put_right(wrong, meant):
    with pytest.raises(AttributeError, match=f"gluon.np has no '{wrong}'; did you mean '{meant}'"):
        getattr(np, wrong)


def test_everything_listed_is_there():
    for module in ("np", "np.linalg", "np.random"):
        listed = module_of(module).__all__
        assert len(set(listed)) == len(listed)
        assert all(hasattr(module_of(module), name) for name in listed)
        assert not {f"{module}.{name}" for name in listed} & set(REASONS)
        assert set(listed) <= set(dir(module_of(module)))


def test_there_are_no_fourier_transforms():
    with pytest.raises(AttributeError, match=r"does not support; use numpy\.fft on x"):
        _ = gluon.np.fft
