"""Every operator sample on a device: values, gradients and second gradients are the host's."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

import gluon
from gluon._core.devices.table import ON_HOST, TORCH
from gluon._core.engine.op import TABLE
from tests._core.devices.compared import differences
from tests._core.ops.samples import SAMPLES
from tests.each import each

pytestmark = pytest.mark.filterwarnings("ignore")

#: Samples with other results on a device, with the reason.
OTHER = {
    "F.move(2x3, to=None, back=None)": "a copy on the host is what it is asked for",
    "cumsum([1e38, 3e38, -3e38])": "PyTorch adds float32 in float64 on the CPU: no overflow",
    "linalg.det([[1, 2, 3], [2, 4, 6], [1, 1, 0]])": "rounding makes the matrix singular, or not",
    "Activation([3e38, -3e38], act_type=softsign)": "the order of products in a second gradient",
    "softsign([3e38, -3e38] float32)": "the order of products in a second gradient",
}


@each("sample", [one for one in SAMPLES if str(one) not in OTHER], by=lambda one: one.op, few=1)
def test_a_device_gives_what_the_host_gives(sample):
    with np.errstate(all="ignore"):
        assert not differences(sample, gluon.gpu(0))


def test_reasons_are_of_samples():
    assert set(OTHER) <= {str(sample) for sample in SAMPLES}
    assert len(OTHER) <= 30


def test_tables_name_operators():
    assert {*ON_HOST, *TORCH} <= set(TABLE)
    assert not ON_HOST & set(TORCH)
