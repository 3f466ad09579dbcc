"""Exported samplers: onnxruntime's draws have the same distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gluon import nd, sym

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from gluon.onnx.exporting import model_of

from .agreement import ran

COUNT = 20_000
#: Distributions, and parameters of them.
PARAMETERS: dict[str, dict[str, float]] = {
    "exponential": {"lam": 2.0},
    "gamma": {"alpha": 0.5, "beta": 2.0},
    "generalized_negative_binomial": {"mu": 3.0, "alpha": 0.5},
    "negative_binomial": {"k": 3, "p": 0.4},
    "normal": {"loc": 1.0, "scale": 2.0},
    "poisson": {"lam": 4.0},
    "uniform": {"low": 2.0, "high": 5.0},
}


def drawn(net: Any, arrays: dict[str, np.ndarray], shapes: Any = None) -> Any:
    shapes = shapes or {name: one.shape for name, one in arrays.items()}
    dtypes = {name: one.dtype for name, one in arrays.items()}
    return ran(model_of(net, {}, shapes, dtypes, None), arrays)


def agree(found: np.ndarray, wanted: np.ndarray) -> None:
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    a, b = found.astype("float64"), wanted.astype("float64")
    spread = b.std() / np.sqrt(b.size / 100)
    assert abs(a.mean() - b.mean()) < spread
    assert abs(a.std() - b.std()) < 2 * spread + 0.05 * b.std()
    for share in (0.1, 0.5, 0.9):  # counts have many equal values
        line = np.quantile(b, share)
        assert abs((a <= line).mean() - (b <= line).mean()) < 0.03


@pytest.mark.parametrize("name", PARAMETERS)
def test_of_numbers(name):
    shape = (2, COUNT // 2)
    own, theirs = (getattr(one, f"random_{name}") for one in (nd, sym))
    wanted = own(**PARAMETERS[name], shape=shape, dtype="float64").asnumpy()
    agree(drawn(theirs(**PARAMETERS[name], shape=shape, dtype="float64"), {})[0], wanted)


@pytest.mark.parametrize("name", PARAMETERS)
def test_in_the_shape_of_an_input(name):
    x = np.zeros((2, COUNT // 2), "float32")
    own, theirs = (getattr(one.random, f"{name}_like") for one in (nd, sym))
    wanted = own(data=nd.array(x), **PARAMETERS[name]).asnumpy()
    net = theirs(data=sym.var("x"), **PARAMETERS[name])
    agree(drawn(net, {"x": x}, {"x": (None, None)})[0], wanted)


@pytest.mark.parametrize("name", PARAMETERS)
def test_of_arrays(name):
    given = {
        f"x{k}": np.array([one, one], "float32") for k, one in enumerate(PARAMETERS[name].values())
    }
    own, theirs = (getattr(one, f"sample_{name}") for one in (nd, sym))
    wanted = own(*map(nd.array, given.values()), shape=COUNT // 2).asnumpy()
    net = theirs(*map(sym.var, given), shape=COUNT // 2)
    agree(drawn(net, given, dict.fromkeys(given, (None,)))[0], wanted)


def test_integers():
    found = drawn(sym.random.randint(-3, 4, shape=(COUNT,)), {})[0]
    assert found.dtype == "int32"
    _, counts = np.unique(found, return_counts=True)
    assert len(counts) == 7
    assert abs(counts / COUNT - 1 / 7).max() < 0.02


def test_rows_in_another_order():
    x = np.arange(40, dtype="float32").reshape(20, 2)
    (found,) = drawn(sym.shuffle(sym.var("x")), {"x": x}, {"x": (None, 2)})
    assert not (found == x).all()
    np.testing.assert_array_equal(found[found[:, 0].argsort()], x)


@pytest.mark.parametrize("shape", [(2,), (2, 3)])
def test_classes(shape):
    x = np.array([[0.1, 0.2, 0.7], [0, 1, 0]], "float32")
    net = sym.sample_multinomial(sym.var("x"), shape=(*shape, 3000), get_prob=True)
    places, logs = drawn(net, {"x": x}, {"x": (None, 3)})
    assert places.shape == logs.shape == (2, *shape, 3000)
    assert (places[1] == 1).all()
    shares = np.bincount(places[0].ravel()) / places[0].size
    np.testing.assert_allclose(shares, x[0], atol=0.05)
    np.testing.assert_allclose(logs[0], np.log(x[0])[places[0]], rtol=1e-6)
