"""Small modules of MXNet that gluon has only for scripts."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import gluon
from gluon import autograd, model, nd, nn
from gluon.mxnet import amp, attribute, base, log, name


def test_base():
    assert isinstance("a", base.string_types)
    assert isinstance(np.float32(1), base.numeric_types)
    assert isinstance(np.int64(1), base.integer_types)
    assert isinstance(nd.ones((1,)), base.tensor_types)
    assert base.mx_real_t is np.float32
    assert base.data_dir().endswith(".mxnet")


def test_checkpoints(tmp_path):
    prefix = str(tmp_path / "net")
    x = nd.array([1, 2])
    x.attach_grad()
    with autograd.record():
        y = nd.exp(x)
    arrays = {"w": nd.array([[1, 2]])}, {"m": nd.array([3], dtype="int32")}
    model.save_checkpoint(prefix, 12, autograd.get_symbol(y), *arrays)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["net-0012.params", "net-symbol.json"]
    symbol, arg_params, aux_params = model.load_checkpoint(prefix, 12)
    assert arg_params["w"].asnumpy().tolist() == [[1, 2]]
    assert (aux_params["m"].asnumpy().tolist(), aux_params["m"].dtype) == ([3], np.int32)
    assert symbol.eval(**{symbol.list_arguments()[0]: x})[0].shape == (2,)


def test_bad_checkpoints(tmp_path):
    prefix = str(tmp_path / "net")
    with pytest.raises(ValueError, match="symbol is an int"):
        model.save_checkpoint(prefix, 1, 3, {}, {})
    model.save_checkpoint(prefix, 1, None, {"w": nd.ones((1,))}, {})
    with pytest.raises(FileNotFoundError, match=r"symbol\.json"):
        model.load_checkpoint(prefix, 1)
    with pytest.raises(FileNotFoundError):
        model.load_params(prefix, 2)
    nd.save(f"{prefix}-0003.params", {"w": nd.ones((1,))})
    with pytest.raises(ValueError, match="load_parameters"):
        model.load_params(prefix, 3)
    nd.save(f"{prefix}-0004.params", [nd.ones((1,))])
    with pytest.raises(ValueError, match="no names"):
        model.load_params(prefix, 4)


def test_name_managers():
    with name.Prefix("a_"):
        block = nn.Dense(3)
        with block.name_scope():
            inner = nn.Dense(2)
    assert (block.name, block.prefix, inner.name) == ("a_dense0", "a_dense0_", "a_dense0_dense0")
    assert block.collect_params().prefix == "a_dense0_"
    with name.NameManager() as manager:
        assert name.NameManager.current is manager
        assert [nn.Dense(2).name for _ in range(2)] == ["dense0", "dense1"]
    assert [manager.get(*one) for one in ((None, "fc"), ("x", "fc"), (None, "fc"))] == [
        *("fc0", "x", "fc1")
    ]
    assert name.Prefix("p_").get("x", "fc") == "p_x"


def test_attribute_scopes():
    outer = attribute.AttrScope(group="a")
    with outer, attribute.AttrScope(lr_mult="2") as scope:
        assert scope.get({"x": "1"}) == {"group": "a", "lr_mult": "2", "x": "1"}
        assert scope.get(None) == {"group": "a", "lr_mult": "2"}
    with pytest.raises(ValueError, match="a is an int"):
        attribute.AttrScope(a=1)


def test_loggers(tmp_path, capsys):
    path = tmp_path / "out.log"
    logger = log.get_logger("gluon.tests.file", str(path), level=log.INFO)
    logger.info("hello %d", 3)
    logger.debug("unseen")
    assert path.read_text() == "hello 3\n"
    assert log.get_logger("gluon.tests.file") is logger
    assert len(logger.handlers) == 1
    logger = log.get_logger("gluon.tests.stream", level=logging.DEBUG)
    logger.handlers[0].setStream(__import__("sys").stderr)
    logger.warning("careful")
    line = capsys.readouterr().err
    assert line.startswith("\x1b[31mW")
    assert line.endswith("\x1b[0m careful\n")
    assert "test_modules.py:test_loggers:" in line
    for one in ("file", "stream"):
        for handler in logging.getLogger(f"gluon.tests.{one}").handlers[:]:
            handler.close()


def test_mixed_precision_can_be_looked_at(monkeypatch):
    monkeypatch.setattr(amp, "_amp_initialized", False)
    with pytest.warns(UserWarning, match="float32"):
        amp.init()
    assert amp._amp_initialized
    net = nn.Dense(1, in_units=2)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    amp.init_trainer(trainer)
    assert (trainer._amp_loss_scaler.loss_scale, trainer._amp_original_scale) == (1, 1)


def test_the_scale_of_a_loss_follows_overflows():
    weight = gluon.Parameter("weight", shape=(2,))
    weight.initialize()
    scaler = amp.LossScaler()
    weight.grad()[:] = np.inf
    assert scaler.has_overflow([weight])
    weight.zero_grad()
    assert not scaler.has_overflow([weight])
    assert scaler.loss_scale == 2.0**15
    for _ in range(1999):
        scaler.has_overflow([weight])
    scaler.has_overflow([weight])
    assert scaler.loss_scale == 2.0**16
