"""Networks that tf2onnx wrote from Keras: they compute the same here, with the same gradients."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gluon import autograd, nd

pytest.importorskip("onnx")
from gluon import onnx

FOLDER = Path(__file__).resolve().parents[2] / "recorded" / "keras"
RESULTS = dict(np.load(FOLDER / "results.npz"))


@pytest.mark.parametrize("name", ["attention", "mobilenet", "recurrent"])
def test_outputs_and_gradients_are_those_of_keras(name):
    net = onnx.import_to_gluon(FOLDER / f"{name}.onnx")
    x, right, grad = (RESULTS[f"{name}_{what}"] for what in ("x", "y", "grad"))
    twice = nd.array(np.concatenate([x, x[:1]]))  # the batch axis is open
    np.testing.assert_allclose(net(twice).asnumpy()[:-1], right, rtol=1e-4, atol=1e-5)
    given = nd.array(x)
    given.attach_grad()
    with autograd.record(train_mode=False):
        y = net(given)
        heads = np.linspace(-1, 1, y.size, dtype="float32").reshape(y.shape)
        loss = (y * nd.array(heads)).sum()
    loss.backward()
    np.testing.assert_allclose(y.asnumpy(), right, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(given.grad.asnumpy(), grad, rtol=1e-4, atol=1e-4 * abs(grad).max())
