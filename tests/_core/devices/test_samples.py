"""Every operator sample on a device: values, gradients and second gradients are the host's."""

from __future__ import annotations

import numpy as np
import pytest

import gluon
from gluon._core.devices import start
from gluon._core.devices.table import ON_HOST
from gluon._core.engine.op import TABLE
from tests._core.devices.compared import OTHER, differences
from tests._core.ops.samples import SAMPLES
from tests.each import each

#: Operators that are computed on the host for some arguments, besides those of `ON_HOST`.
LIMITED = {
    # their kernels for NumPy read values
    "numpy:strict": (
        "ctc_states loss_grad masked_softmax nanprod nansum norm one_hot pad_grad"
        " part_points put_along resize resize_grad rotated_average rotated_average_grad"
        " sample sample_grad sample_slopes sequence_last sequence_last_grad"
        " sequence_reverse softmax_cross_entropy softmax_weight solve_triangular take"
        " take_along take_grad"
    ).split(),
    "torch:cpu": (
        # decimals of integers
        "round_even"
        # integers divided by zero, negative powers of integers
        " mod power quotient"
        # half precision
        " polygamma"
    ).split(),
}
#: The operators among the 200 names that programs for MXNet use most: none needs the host.
USED = frozenset(
    (
        "Activation BatchNorm Cast Concat Convolution Dropout Embedding Flatten"
        " FullyConnected LeakyReLU MakeLoss Pooling Reshape SoftmaxOutput abs argmax broadcast_add"
        " broadcast_div broadcast_mul clip concat dot exp expand_dims log max maximum mean one_hot"
        " ones_like pick random.normal random.uniform random_normal random_uniform relu reshape"
        " slice_axis softmax split sqrt square squeeze stack sum swapaxes transpose where"
        " zeros_like contrib.BilinearResize2D"
    ).split()
)


TAKEN = [one for one in SAMPLES if str(one) not in OTHER]


@each("sample", TAKEN, by=lambda one: one.op, few=1, together=8)
def test_a_device_gives_what_the_host_gives(sample, played, monkeypatch):
    by_host = set()
    monkeypatch.setattr(start, "warn_host", lambda name, why: by_host.add(name))
    with np.errstate(all="ignore"):
        assert not differences(sample, gluon.gpu(0))
    is_used = played == "torch:cpu" and sample.op in USED
    assert by_host <= (set() if is_used else ON_HOST | set(LIMITED[played]))


def test_used_operators_have_samples():
    assert {sample.op for sample in SAMPLES} >= USED


def test_reasons_are_of_samples():
    assert set(OTHER) <= {str(sample) for sample in SAMPLES}
    assert len(OTHER) <= 30


def test_tables_name_operators():
    for limited in LIMITED.values():
        assert {*ON_HOST, *limited} <= set(TABLE)
        assert not ON_HOST & set(limited)


def test_kernels_of_pytorch_are_of_operators():
    values = pytest.importorskip("gluon._core.devices.values", exc_type=ImportError)
    assert set(values.LAYERS) <= set(TABLE)
    assert not ON_HOST & set(values.LAYERS)
