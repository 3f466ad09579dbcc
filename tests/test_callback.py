"""Callbacks: what they log and save as the oracle's."""

from __future__ import annotations

import json

import pytest

from gluon import autograd, callback, nd
from tests.training.replay import assert_as_the_oracle, named


@pytest.mark.parametrize("name", named("callback"))
def test_callback(name, monkeypatch):
    assert_as_the_oracle(name, monkeypatch)


def test_the_symbol_is_saved_with_the_parameters(tmp_path):
    x = nd.ones((2,))
    x.attach_grad()
    with autograd.record():
        y = nd.relu(x)
    prefix = str(tmp_path / "net")
    callback.do_checkpoint(prefix)(0, autograd.get_symbol(y), {"x": x}, {})
    with open(f"{prefix}-symbol.json") as file:
        assert json.load(file)["nodes"][0]["op"] == "null"
    assert nd.load(f"{prefix}-0001.params")["arg:x"].asnumpy().tolist() == [1, 1]


def test_errors(tmp_path):
    with pytest.raises(ValueError, match="ProgressBar: total must be at least 1, got 0"):
        callback.ProgressBar(0)
    with pytest.raises(ValueError, match="Speedometer: frequent must be at least 1, got 0"):
        callback.Speedometer(1, 0)
    with pytest.raises(FileNotFoundError):
        callback.save_checkpoint(str(tmp_path / "missing" / "net"), 1, None, {}, {})
