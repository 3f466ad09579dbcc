"""A namespace shows its functions, but no helpers or imports."""

from __future__ import annotations

import inspect

import pytest

from gluon import GluonError, nd

MODULES = [nd, nd.contrib, nd.image, nd.linalg, nd.random]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_only_public_names_are_shown(module):
    shown = dir(module)
    assert shown == sorted(set(module.__all__))
    for name in shown:
        value = getattr(module, name)
        home = value.__name__ if inspect.ismodule(value) else value.__module__
        assert home.startswith("gluon")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: nd.SliceChannel(x, num_outputs=2), "SliceChannel: axis 1 of length 3"),
        (lambda x: nd.SliceChannel(x, parts=2), "SliceChannel: got an unexpected .*'parts'; it"),
        (lambda x: nd.Reshape(x, shape=(7,)), "Reshape: 6 values"),
        (lambda x: nd.Concat(x, x[0]), r"Concat\(xs"),
        (lambda x: nd.crop(3, begin=(0,), end=(1,)), "crop: got int"),
        (lambda x: nd.split(x, num_outputs=2), "split: axis 1 of length 3"),
    ],
)
def test_an_error_names_the_alias_that_was_called(call, message):
    with pytest.raises(GluonError, match=f"^{message}"):
        call(nd.ones((2, 3)))
