"""Normalization over the batches of all processes is that of one process over the whole batch."""

from __future__ import annotations

import numpy as np

from gluon import autograd, contrib, distributed, nd, nn
from gluon.megengine import Tensor
from gluon.megengine import functional as F
from gluon.megengine import module as M

RANK, SIZE = distributed.get_rank(), distributed.get_size()
DRAWN = np.random.RandomState(5)
DATA = DRAWN.normal(3, 2, (4 * SIZE + 1, 3, 2)).astype("float32")
WEIGHTS = DRAWN.normal(size=DATA.shape).astype("float32")
CUTS = [4 * k for k in range(SIZE)] + [len(DATA)]  # the last rank has one more
MINE = slice(CUTS[RANK], CUTS[RANK + 1])


def derived(layer: nn.BatchNorm, part: slice, dtype: str) -> dict[str, nd.NDArray]:
    """Output, gradients, gradients of a gradient's square, and statistics of a training step."""
    layer.initialize()
    layer.cast(dtype)
    x, weights = (nd.array(one[part], dtype=dtype) for one in (DATA, WEIGHTS))
    x.attach_grad()
    with autograd.record():
        y = layer(x)
        (slope,) = autograd.grad([(y * y * weights).sum()], [x], create_graph=True)
        again = (slope * slope * weights).sum()
    again.backward()
    gamma = layer.gamma.grad()
    return {
        "output": y,
        "slope": slope,
        "second": x.grad,
        "gamma": gamma,
        "mean": layer.running_mean.data(),
        "variance": layer.running_var.data(),
    }


for dtype, error in (("float32", 2e-4), ("float64", 1e-10), ("float16", 5e-2)):
    found = derived(contrib.nn.SyncBatchNorm(in_channels=3), MINE, dtype)
    right = derived(nn.BatchNorm(in_channels=3), slice(None), dtype)
    found["gamma"] = distributed.allreduce(found["gamma"])
    for name, one in found.items():
        whole = right[name].asnumpy()
        whole = whole[MINE] if name in ("output", "slope", "second") else whole
        scale = np.abs(whole).max()
        np.testing.assert_allclose(
            one.asnumpy() / scale, whole / scale, atol=error, rtol=0, err_msg=f"{dtype} {name}"
        )
        assert one.dtype == right[name].dtype

layer, alone = M.SyncBatchNorm(3), M.BatchNorm1d(3)
y, whole = layer(Tensor(DATA[MINE])), alone(Tensor(DATA))
np.testing.assert_allclose(y.numpy(), whole.numpy()[MINE], atol=1e-5)
np.testing.assert_allclose(layer.running_var.numpy(), alone.running_var.numpy(), rtol=1e-5)
statistics = [Tensor(np.zeros(3, "float32")), Tensor(np.ones(3, "float32"))]
y = F.sync_batch_norm(Tensor(DATA[MINE]), *statistics, training=True, eps=0.5, eps_mode="max")
variance = np.maximum(DATA.var((0, 2)), 0.5)[:, None]
right = (DATA - DATA.mean((0, 2))[:, None]) / np.sqrt(variance)
np.testing.assert_allclose(y.numpy(), right[MINE], atol=1e-5)
print("fine")
