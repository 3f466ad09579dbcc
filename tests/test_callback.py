"""Callbacks log and save the same as MXNet's."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from gluon import autograd, callback, metric, nd
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


class Writer:
    """As the writers of several packages."""

    def __init__(self):
        self.points = []

    def add_scalar(self, tag, value, global_step=None):
        self.points.append((tag, value, global_step))


def test_tensorboard():
    both = metric.CompositeEvalMetric([metric.Accuracy(), metric.MAE()])
    writer = Writer()
    every, second = callback.TensorBoard(writer, "train"), callback.TensorBoard(writer, frequent=2)
    for k in range(3):
        both.reset()
        both.update(nd.array([1]), nd.array([k]))
        every(SimpleNamespace(epoch=0, nbatch=k, eval_metric=both))
        second(SimpleNamespace(epoch=0, eval_metric=both))
        every(SimpleNamespace(epoch=0, eval_metric=None))
    trained = [(tag, step) for tag, _, step in writer.points if tag.startswith("train/")]
    assert trained == [(f"train/{name}", k) for k in (0, 2, 4) for name in ("accuracy", "mae")]
    rest = [point for point in writer.points if point[0] in ("accuracy", "mae")]
    assert rest == [("accuracy", 0, 0), ("mae", 1, 0), ("accuracy", 0, 2), ("mae", 1, 2)]
    assert {type(value) for _, value, _ in writer.points} == {float}
    with pytest.raises(TypeError, match="has no add_scalar"):
        callback.TensorBoard("runs")
    with pytest.raises(ValueError, match="frequent"):
        callback.TensorBoard(writer, frequent=0)


def test_errors(tmp_path):
    with pytest.raises(ValueError, match="ProgressBar: total must be at least 1, got 0"):
        callback.ProgressBar(0)
    with pytest.raises(ValueError, match="Speedometer: frequent must be at least 1, got 0"):
        callback.Speedometer(1, 0)
    with pytest.raises(FileNotFoundError):
        callback.save_checkpoint(str(tmp_path / "missing" / "net"), 1, None, {}, {})
