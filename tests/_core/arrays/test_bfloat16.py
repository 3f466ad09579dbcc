"""bfloat16, where ml_dtypes is installed: results and gradients keep the dtype."""

import subprocess
import sys

import numpy as np
import pytest

from gluon import GluonError, autograd, nd

ml_dtypes = pytest.importorskip("ml_dtypes")

#: name -> (function, shapes of its inputs)
PROGRAMS = {
    "number": (lambda x: x * 0.5 + 1, [(3,)]),
    "power": (lambda x: (x.abs() + 0.5) ** 2.5, [(3,)]),
    "index": (lambda x: x[1:] * 3, [(3,)]),
    "where": (lambda x, y: nd.where(x > 0, x, y), [(3,), (3,)]),
    "concat": (lambda x, y: nd.concat(x, y, dim=0), [(3,), (3,)]),
    "mean": (lambda x: x.mean(), [(3, 4)]),
    "max": (lambda x: x.max(), [(3,)]),
    "norm": (lambda x: x.norm(), [(4,)]),
    "dot": (nd.dot, [(2, 3), (3, 2)]),
    "batch_dot": (nd.batch_dot, [(2, 2, 3), (2, 3, 2)]),
    "softmax": (nd.softmax, [(3, 4)]),
    "log_softmax": (nd.log_softmax, [(3, 4)]),
    "dense": (lambda x, w, b: nd.FullyConnected(x, w, b, num_hidden=5), [(3, 4), (5, 4), (5,)]),
    "convolution": (
        lambda x, w: nd.Convolution(x, w, no_bias=True, kernel=(3, 3), num_filter=2),
        [(1, 1, 5, 5), (2, 1, 3, 3)],
    ),
    "max pooling": (lambda x: nd.Pooling(x, kernel=(2, 2), stride=(2, 2)), [(1, 1, 4, 4)]),
    "average pooling": (lambda x: nd.Pooling(x, kernel=(2, 2), pool_type="avg"), [(1, 1, 4, 4)]),
    "layer norm": (nd.LayerNorm, [(3, 4), (4,), (4,)]),
    "gelu": (lambda x: nd.LeakyReLU(x, act_type="gelu"), [(3,)]),
    "erf": (nd.erf, [(3,)]),
    "embedding": (lambda w: nd.Embedding(nd.array([0, 1]), w), [(3, 2)]),
}


def test_the_name_is_known_before_ml_dtypes_is_imported():
    program = "from gluon import nd; print(nd.ones((2,), dtype='bfloat16').dtype.__name__)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout == "bfloat16\n", found.stderr


def test_without_ml_dtypes_the_error_says_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(GluonError, match="dtype bfloat16 needs the package ml_dtypes; install it"):
        nd.ones((2,), dtype="bfloat16")


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_and_gradients_are_those_of_float32_rounded(name):
    function, shapes = PROGRAMS[name]
    rng = np.random.default_rng(0)
    raws = [rng.normal(size=shape).astype(ml_dtypes.bfloat16) for shape in shapes]
    found = []
    for dtype in ("bfloat16", "float32"):
        inputs = [nd.array(raw.astype("float32"), dtype=dtype) for raw in raws]
        for x in inputs:
            x.attach_grad()
        with autograd.record():
            y = function(*inputs)
        y.backward()
        found.append([y, *(x.grad for x in inputs)])
    for half, single in zip(*found):
        assert half.dtype == ml_dtypes.bfloat16
        np.testing.assert_allclose(
            half.astype("float32").asnumpy(), single.asnumpy(), rtol=0.05, atol=0.05
        )
