"""Operators on tensors that refuse what a GPU refuses."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

import gluon
from gluon import nd
from gluon._core.devices import start
from tests._core.devices.compared import OTHER, differences
from tests._core.devices.rehearsal import Rehearsed, rehearsed
from tests._core.devices.test_samples import USED
from tests._core.ops.samples import SAMPLES
from tests.each import each

pytestmark = pytest.mark.parametrize("played", ["torch:cpu"], indirect=True)

ALL = [sample for sample in SAMPLES if str(sample) not in OTHER]


@pytest.fixture
def rehearsal(played, monkeypatch):
    with rehearsed(monkeypatch):
        yield


@each("sample", [sample for sample in ALL if sample.op in USED], by=lambda one: one.op, few=1)
def test_used_operators_ask_for_nothing_that_a_gpu_refuses(sample, rehearsal):
    assert not differences(sample, gluon.gpu(0))


@pytest.mark.slow
@each("sample", [sample for sample in ALL if sample.op not in USED], by=lambda one: one.op)
def test_no_operator_asks_for_what_a_gpu_refuses(sample, rehearsal, monkeypatch):
    monkeypatch.setattr(start, "warn_host", lambda name, why: None)
    with np.errstate(all="ignore"):
        assert not differences(sample, gluon.gpu(0))


def test_products_of_integers_are_computed_on_the_host(rehearsal):
    x = nd.array([[1, 2], [3, 4]], dtype="int32", ctx=gluon.gpu(0))
    with pytest.warns(UserWarning, match="dot is computed on the host.*products of matrices"):
        y = nd.dot(x, x)
    assert isinstance(y.raw.t, Rehearsed)
    assert y.asnumpy().tolist() == [[7, 10], [15, 22]]


REFUSED = {
    "dtypes": lambda x, y: x.long() @ x.long(),
    "half": lambda x, y: x.half().angle(),
    "places": lambda x, y: x + y,
    "host": lambda x, y: x + torch.ones(2, 2),
    "index": lambda x, y: x[torch.tensor([2])],
    "gather": lambda x, y: x.gather(0, (x * 7).long()),
    "histogram": lambda x, y: torch.histogram(x, 3),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_rehearsal_fails_for_what_a_gpu_refuses(case, rehearsal):
    x, y = (torch.ones(2, 2).to(torch.device("cuda", place)) for place in (0, 1))
    with pytest.raises(pytest.fail.Exception, match=r"CUDA|devices|the use of a GPU"):
        REFUSED[case](x, y)
    with pytest.raises((RuntimeError, TypeError)):
        np.asarray(x)
    assert np.asarray((x + 1).cpu()).tolist() == [[2, 2], [2, 2]]


def test_waitall_waits_for_each_gpu_that_was_used(monkeypatch):
    waited: list[int] = []
    found = {
        "is_available": lambda: True,
        "is_initialized": lambda: True,
        "device_count": lambda: 3,
        "memory_reserved": lambda k: (512, 0, 512)[k],
        "synchronize": waited.append,
    }
    for name, function in found.items():
        monkeypatch.setattr(torch.cuda, name, function)
    nd.waitall()
    assert waited == [0, 2]
