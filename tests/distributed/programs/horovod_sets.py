"""Process sets, parameters without shapes, and disagreement, by Horovod's names."""

import re

import horovod.mxnet as hvd
import mxnet as mx
import numpy as np
import pytest
from mxnet import autograd, gluon, nd

first, everyone = hvd.ProcessSet([0]), hvd.ProcessSet([1, 0])
hvd.init(process_sets=[first, everyone])
rank, size = hvd.rank(), hvd.size()
assert (size, hvd.local_size(), hvd.cross_rank()) == (2, 2, 0)
assert (first.included(), everyone.rank()) == (rank == 0, 1 - rank)
ones = nd.ones((2,)) * (rank + 1)
assert hvd.allreduce(ones, process_set=everyone, op=hvd.Sum).asnumpy().tolist() == [3, 3]
if first.included():
    assert hvd.allreduce(ones, process_set=first).asnumpy().tolist() == [1, 1]
assert hvd.allgather(nd.array([rank]), process_set=everyone).asnumpy().tolist() == [1, 0]
assert hvd.broadcast(ones, 1, process_set=everyone).asnumpy().tolist() == [2, 2]
added = hvd.add_process_set([0, 1])
assert hvd.allreduce(nd.array([5 + rank], dtype="int32"), process_set=added).asscalar() == 5
for one in hvd.grouped_allgather([ones, ones]):
    assert one.shape == (4,)
hvd.grouped_allreduce_([ones], average=False)
assert ones.asnumpy().tolist() == [3, 3]
(part,) = hvd.grouped_reducescatter([nd.arange(2)], op=hvd.Sum)
assert part.asscalar() == 2 * rank
handle = hvd.allreduce(ones)
assert hvd.poll(handle)
assert (hvd.synchronize(handle).asnumpy() == 3).all()

# Parameters that have no shape yet, differ by rank, and are those of rank 1 when they get one.
mx.random.seed(rank)
net = gluon.nn.Dense(2)
net.initialize(mx.init.Normal())
hvd.broadcast_parameters(net.collect_params(), root_rank=1)
net(nd.ones((1, 3)))
gathered = hvd.allgather_object(net.weight.data().asnumpy().tolist())
assert gathered[0] == gathered[1]

# Module's way: the optimizer averages what `update` gets.
weight, inner = nd.zeros((2,)), mx.optimizer.SGD(learning_rate=1.0)
outer = hvd.DistributedOptimizer(inner)
outer.update(0, weight, nd.ones((2,)) * (rank + 1), outer.create_state(0, weight))
assert weight.asnumpy().tolist() == [-1.5, -1.5]
trainer = gluon.Trainer(net.collect_params(), outer, kvstore=None)
before = net.bias.data().asnumpy()
with autograd.record():
    loss = net(nd.ones((4, 3))).sum() * (rank + 1)
loss.backward()
trainer.step(4)
np.testing.assert_allclose(net.bias.data().asnumpy(), before - 1.5, rtol=1e-5)

# A divisor before the sum, half precision on the way, and a set of some: the same mean.
for given in (
    {"gradient_predivide_factor": 4.0},
    {"compression": hvd.Compression.fp16},
    {"process_set": everyone},
    {"process_set": hvd.add_process_set([rank])},
):
    layer = gluon.nn.Dense(1, in_units=1, use_bias=False, weight_initializer="zeros")
    layer.initialize()
    trainer = hvd.DistributedTrainer(layer.collect_params(), "sgd", {"learning_rate": 1.0}, **given)
    with autograd.record():
        loss = layer(nd.array([[4 * (rank + 1)]]))
    loss.backward()
    trainer.step(1)
    mean = 6 if given.get("process_set", everyone) is everyone else 4 * (rank + 1)
    assert layer.weight.data().asscalar() == -mean

# Outside of its set a process exchanges nothing, and takes its own gradients.
one, pair = hvd.add_process_set([0]), hvd.add_process_set([0, 1])
for given in (one, pair):
    outer = hvd.DistributedOptimizer(mx.optimizer.SGD(learning_rate=1.0), process_set=given)
    layer = gluon.nn.Dense(1, in_units=1, use_bias=False, weight_initializer="zeros")
    layer.initialize()
    trainer = hvd.DistributedTrainer(
        layer.collect_params(), "sgd", {"learning_rate": 1.0}, process_set=given
    )
    weight = nd.zeros((1,))
    outer.update(0, weight, nd.array([4 * (rank + 1)]), outer.create_state(0, weight))
    with autograd.record():
        loss = layer(nd.array([[4 * (rank + 1)]]))
    loss.backward()
    trainer.step(1)
    mean = 6 if given is pair else 4 * (rank + 1)
    assert weight.asscalar() == layer.weight.data().asscalar() == -mean

# Integers: scaled in float64, the fraction dropped.
three = nd.array([-3, 0], dtype="int32") * (1 - rank)
assert hvd.allreduce(three).asnumpy().tolist() == [-1, 0]
steps = nd.array([1, 2, 3, 4], dtype="int32") + 10 * rank
assert hvd.reducescatter(steps).asnumpy().tolist() == [[6, 7], [8, 9]][rank]
half = hvd.grouped_reducescatter([steps], op=hvd.Sum, prescale_factor=0.5)[0]
assert half.asnumpy().tolist() == [[5, 7], [7, 9]][rank]
third = hvd.allreduce(steps, op=hvd.Sum, postscale_factor=0.3)
assert third.asnumpy().tolist() == [3, 4, 4, 5]

# One seed gives all ranks the same numbers, as programs for Horovod expect.
mx.random.seed(7)
drawn = [nd.random.uniform(shape=(3,)), mx.np.random.normal(size=(3,))]
mask = nd.Dropout(nd.ones((32,)), mode="always").asnumpy().tolist()
seen = hvd.allgather_object([[x.asnumpy().tolist() for x in drawn], mask])
assert seen[0] == seen[1]


def grown():
    """A trainer of two parameters, one of which has no gradient: another one on each rank."""
    net = gluon.nn.Dense(1, in_units=1)
    net.initialize()
    trainer = hvd.DistributedTrainer([net.weight, net.bias], "sgd")
    (net.weight, net.bias)[rank].grad_req = "null"
    with autograd.record():
        loss = net(nd.ones((1, 1)))
    loss.backward()
    trainer.step(1)


FAR = "layer" * 100
ONES = nd.ones((2,))
COUNTS = nd.ones((2,), dtype="int32")
for call, words in (
    (lambda: hvd.allreduce(ONES, name="ab"[rank]), "hvd.allreduce(name='a'), but rank 1 calls"),
    (lambda: hvd.allreduce(ONES, name=(None, "b")[rank]), "as hvd.allreduce(name='b')"),
    (lambda: hvd.broadcast_(ONES, 0, name="ab"[rank]), "as hvd.broadcast(name='b')"),
    (lambda: hvd.allgather(ONES, name="ab"[rank]), "as hvd.allgather(name='b')"),
    (lambda: hvd.alltoall(ONES, name="ab"[rank]), "as hvd.alltoall(name='b')"),
    (lambda: hvd.reducescatter(ONES, name="ab"[rank]), "reducescatter(name='b', op='mean')"),
    (lambda: hvd.grouped_allgather([ONES], name="ab"[rank]), "(name='b, 1 of 1')"),
    (lambda: hvd.grouped_allreduce_([ONES] * (1 + rank), name="a"), "(name='a, 1 of 2')"),
    (lambda: hvd.broadcast_object(1, name="ab"[rank]), "as hvd.broadcast_object(name='b')"),
    (lambda: hvd.allreduce(ONES, name=FAR + "ab"[rank]), "ayera'), but rank 1 calls"),
    (lambda: hvd.allreduce(COUNTS, op=(hvd.Sum, hvd.Average)[rank]), "(op='mean')"),
    (lambda: hvd.allreduce(ONES, postscale_factor=(1, 0.5)[rank]), "(postscale_factor=0.5)"),
    (lambda: hvd.broadcast_parameters({"ab"[rank]: ONES}), "as hvd.broadcast(name='b')"),
    (grown, "of the gradients 1, but rank 1 calls allreduce(float32[1], op='sum') of the"),
    (lambda: hvd.allreduce(nd.ones((2 + rank,))), "rank 1 calls allreduce(float32[3]"),
    (lambda: hvd.allreduce(nd.ones(2, dtype=("int32", "float32")[rank])), "float32[2]"),
    (lambda: hvd.broadcast(nd.ones(2), root_rank=rank), "root=1"),
    (lambda: hvd.allgather(nd.ones((1, 2 + rank))), "float32[any, 3]"),
    (lambda: hvd.allreduce(nd.ones(2), op=(hvd.Min, hvd.Max)[rank]), "op='max'"),
):
    with pytest.raises(mx.base.MXNetError, match=re.escape(words) + ".*must make the same calls"):
        call()
print("fine")
