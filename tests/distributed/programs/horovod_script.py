"""A script for Horovod, run by ``python -m gluon.mxnet``."""

import horovod.mxnet as hvd
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd

hvd.init()
rank, size = hvd.rank(), hvd.size()
data = nd.array(np.random.RandomState(0).rand(8, 4))


def trained(data, distributed):
    mx.random.seed(rank if distributed else 0)
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(8, activation="relu"), gluon.nn.Dense(2))
    net.initialize(mx.init.Xavier())
    params = net.collect_params()
    if distributed:
        hvd.broadcast_parameters(params, root_rank=0)
        trainer = hvd.DistributedTrainer(params, "adam", {"learning_rate": 0.1})
    else:
        trainer = gluon.Trainer(params, "adam", {"learning_rate": 0.1}, kvstore=None)
    for _ in range(5):
        with autograd.record():
            loss = (net(data) ** 2).sum()
        loss.backward()
        trainer.step(len(data))
    return [one.data().asnumpy() for one in params.values()]


mine = data[rank * 8 // size : (rank + 1) * 8 // size]
for one, other in zip(trained(mine, True), trained(data, False), strict=True):
    np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)

ones = nd.ones((2,)) * (rank + 1)
total = size * (size + 1) // 2
assert (hvd.allreduce(ones, op=hvd.Sum).asnumpy() == total).all()
assert (hvd.allreduce(ones).asnumpy() == total / size).all()
assert (hvd.allreduce(ones, average=False, prescale_factor=2.0).asnumpy() == 2 * total).all()
assert (hvd.allreduce(ones, op=hvd.Max).asnumpy() == size).all()
# Adasum of parallel vectors is their mean, of orthogonal ones their sum.
np.testing.assert_allclose(hvd.allreduce(nd.ones((2,)), op=hvd.Adasum).asnumpy(), [1, 1])
axes = nd.one_hot(nd.array([rank]), size)[0]
np.testing.assert_allclose(hvd.allreduce(axes, op=hvd.Adasum).asnumpy(), np.ones(size))
hvd.broadcast_(ones, root_rank=size - 1)
assert (ones.asnumpy() == size).all()
parts, received = hvd.alltoall(nd.arange(size), splits=nd.ones((size,), dtype="int32"))
assert (parts.asnumpy() == rank).all()
assert (received.asnumpy() == 1).all()
assert hvd.allgather(nd.ones((rank + 1, 2))).shape == (total, 2)
assert hvd.reducescatter(nd.arange(size + 1), op=hvd.Sum).shape == ((2,) if rank == 0 else (1,))
assert hvd.broadcast_object({"epoch": rank}, root_rank=0) == {"epoch": 0}
assert (hvd.local_rank(), hvd.local_size(), hvd.cross_size()) == (rank, size, 1)
half, dtype = hvd.Compression.fp16.compress(ones)
assert half.dtype == np.float16
assert hvd.Compression.fp16.decompress(half, dtype).dtype == np.float32
print("fine")
