"""Gradients averaged by MegEngine's callback, run by ``python -m gluon.megengine``."""

import megengine as mge
import megengine.distributed as dist
import megengine.functional as F
import megengine.module as M
import numpy as np
from megengine.autodiff import GradManager

DATA = np.random.RandomState(0).rand(8, 4).astype("float32")


def gradients(data, callback=None):
    mge.random.seed(3)
    model = M.Linear(4, 2)
    gm = GradManager()
    gm.attach(model.parameters(), callbacks=callback)
    with gm:
        gm.backward((model(mge.Tensor(data)) ** 2).mean())
    return [one.grad.numpy() for one in model.parameters()]


@dist.launcher(n_gpus=2)
def launched(factor):
    return dist.get_rank() * factor, dist.get_world_size()


if __name__ == "__main__":
    rank, size = dist.get_rank(), dist.get_world_size()
    mine = gradients(np.split(DATA, size)[rank], dist.make_allreduce_cb("MEAN"))
    for one, other in zip(mine, gradients(DATA), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)
    x = mge.Tensor(np.arange(2.0 * size) + rank)
    mean = (size - 1) / 2
    right = (np.arange(2 * size) + mean) * size
    np.testing.assert_allclose(F.distributed.all_reduce_sum(x).numpy(), right)
    np.testing.assert_allclose(
        F.distributed.reduce_scatter_sum(x).numpy(), right[2 * rank : 2 * rank + 2]
    )
    rows = mge.Tensor(np.full((2, 3), rank))
    assert F.distributed.all_gather(rows, axis=1).shape == (2, 3 * size)
    square = mge.Tensor(np.arange(1.0 * size)[None] + 10 * rank)
    turned = F.distributed.all_to_all(square, split_axis=1, concat_axis=0)
    np.testing.assert_allclose(turned.numpy()[:, 0], rank + 10 * np.arange(size))
    assert F.distributed.scatter(x).numpy().tolist() == [2 * rank, 2 * rank + 1]
    dist.bcast_list_([x])
    assert x.numpy()[0] == 0
    if size == 1:
        assert launched(3) == [(0, 2), (3, 2)]
    print("fine")
