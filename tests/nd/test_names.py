"""A namespace shows its functions, and no helper or import."""

from __future__ import annotations

import inspect

import pytest

from gluon import nd

MODULES = [nd, nd.contrib, nd.image, nd.linalg, nd.random]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_only_public_names_are_shown(module):
    shown = dir(module)
    assert shown == sorted(set(module.__all__))
    for name in shown:
        value = getattr(module, name)
        home = value.__name__ if inspect.ismodule(value) else value.__module__
        assert home.startswith("gluon")
