"""Horovod's names for MXNet: all of them, with their arguments. `tests/distributed` runs them."""

from __future__ import annotations

import inspect
from functools import reduce
from pathlib import Path

import pytest

from gluon import GluonError, Trainer, autograd, nd, nn, optimizer
from gluon.mxnet import horovod as hvd
from tests.each import each

TABLE = Path(__file__).resolve().parents[3] / "recorded" / "horovod_names.tsv"
ROWS = [line.split("\t") for line in TABLE.read_text("utf-8").splitlines()[1:]]
#: The arguments that MXNet's face hands on to Horovod's own.
WIDER = {"hvd.init": "(comm=None, process_sets=None)"}


@pytest.fixture
def initialized():
    hvd.init()
    yield
    hvd.shutdown()


@each("path, text", ROWS)
def test_every_name_is_there_with_its_arguments(path, text):
    found = reduce(getattr, path.split(".")[1:], hvd)
    if text.startswith("("):
        wanted = eval(f"lambda {WIDER.get(path, text)[1:-1]}: 0", vars(hvd))
        given = inspect.signature(found).parameters.values()
        assert [(one.name, one.kind, one.default) for one in given] == [
            (one.name, one.kind, one.default)
            for one in inspect.signature(wanted).parameters.values()
        ]
    elif text.startswith("class"):
        assert isinstance(found, type)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hvd.allreduce(nd.ones(2), True, op=hvd.Sum), "op or average, not both"),
        (lambda: hvd.broadcast(nd.ones(2), 1), "root_rank=1 is not in the process set"),
        (lambda: hvd.reducescatter(nd.ones(2), hvd.Max), "op='max'; use Average or Sum"),
        (lambda: hvd.broadcast_parameters([nd.ones(2)]), "invalid params of type: <class 'list'>"),
        (lambda: hvd.allgather(nd.ones(2), process_set=hvd.ProcessSet([0])), "is not registered"),
        (lambda: hvd.init(comm=[0, 1]), "different ranks from 0 to 0"),
        (lambda: hvd.alltoall(nd.ones(2), [1]), r"splits=\(1,\) do not split"),
        (lambda: hvd.alltoall(nd.ones(2), nd.array([2])), "splits of dtype float32; give integers"),
        (lambda: hvd.reducescatter(nd.array(1)), "reducescatter: a scalar has no first axis"),
        (lambda: hvd.allreduce(nd.ones(2, dtype="int32"), op=hvd.Adasum), "Adasum of int32; cast"),
        (hvd.join, "join is unsupported.*DistributedSampler"),
        (lambda: hvd.start_timeline("x.json"), "use gluon.profiler"),
    ],
)
def test_errors(initialized, call, message):
    with pytest.raises(GluonError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "right"),
    [
        (lambda x: hvd.allreduce(x, op=hvd.Sum, prescale_factor=0.5), [-1, 1, 2]),
        (lambda x: hvd.allreduce(x, op=hvd.Max, postscale_factor=0.5), [-1, 1, 2]),
        (lambda x: hvd.allreduce_(x.copy(), prescale_factor=1.5), [-4, 3, 7]),
        (lambda x: hvd.grouped_allreduce([x], postscale_factor=1 / 3)[0], [-1, 0, 1]),
        (lambda x: hvd.reducescatter(x, prescale_factor=0.5), [-1, 1, 2]),
        (lambda x: hvd.reducescatter(x, hvd.Sum, postscale_factor=0.5), [-1, 1, 2]),
        (lambda x: hvd.grouped_reducescatter([x], postscale_factor=1.5)[0], [-4, 3, 7]),
    ],
)
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_integers_are_scaled_in_float64_and_lose_their_fraction(initialized, call, right, dtype):
    y = call(nd.array([-3, 2, 5], dtype=dtype))
    assert y.asnumpy().dtype == dtype
    assert y.asnumpy().tolist() == right


def test_scaled_integers_above_the_range_of_float32_are_exact(initialized):
    x = nd.array([2**31 - 1], dtype="int32")
    assert hvd.reducescatter(x, prescale_factor=0.5).asscalar() == 2**30 - 1


def test_nothing_works_before_init():
    for call in (hvd.rank, hvd.local_rank, lambda: hvd.allreduce(nd.ones(2))):
        with pytest.raises(GluonError, match=r"not been initialized; use hvd.init\(\)"):
            call()


def test_one_process_is_a_set(initialized):
    assert (hvd.rank(), hvd.size(), hvd.local_rank(), hvd.cross_size()) == (0, 1, 0, 1)
    mine = hvd.add_process_set([0])
    assert (mine.ranks, mine.size(), mine.rank(), mine.included()) == ([0], 1, 0, True)
    x = nd.array([1, 2])
    found = hvd.grouped_allreduce([x, x], op=hvd.Sum, postscale_factor=2, process_set=mine)
    assert [one.asnumpy().tolist() for one in found] == [[2, 4], [2, 4]]
    assert hvd.remove_process_set(mine)
    assert not hvd.remove_process_set(mine)
    assert not hvd.remove_process_set(hvd.global_process_set)


def test_a_distributed_optimizer_that_a_trainer_unwraps_keeps_its_scale(initialized):
    inner = optimizer.SGD(learning_rate=0.5, rescale_grad=0.25)
    outer = hvd.DistributedOptimizer(inner, gradient_predivide_factor=4.0)
    net = nn.Dense(1, in_units=1, use_bias=False, weight_initializer="zeros")
    net.initialize()
    trainer = hvd.DistributedTrainer(net.collect_params(), outer)
    with autograd.record():
        loss = net(nd.array([[4]]))
    loss.backward()
    trainer.step(1)
    assert net.weight.data().asscalar() == -0.5


def test_settings_of_a_distributed_optimizer_are_those_of_the_one_inside(initialized):
    inner = optimizer.SGD(learning_rate=0.5)
    outer = hvd.DistributedOptimizer(inner)
    net = nn.Dense(1, in_units=1, use_bias=False, weight_initializer="zeros")
    net.initialize()
    trainer = Trainer(net.collect_params(), outer, kvstore=None)
    trainer.set_learning_rate(0.25)
    with autograd.record():
        loss = net(nd.array([[4]])) + net(nd.array([[4]]))
    loss.backward()
    trainer.step(2)
    assert (inner.learning_rate, inner.rescale_grad) == (0.25, 0.5)
    assert net.weight.data().asscalar() == -1
