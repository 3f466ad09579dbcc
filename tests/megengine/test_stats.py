"""``megengine.utils.module_stats`` returns counts that can be checked by hand."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import gluon.megengine
from gluon.megengine import module as M


class Net(M.Module):
    def __init__(self):
        super().__init__()
        self.convolution = M.Conv2d(3, 8, 3, padding=1)
        self.norm = M.BatchNorm2d(8)
        self.pool = M.MaxPool2d(2)
        self.dense = M.Linear(8 * 8 * 8, 5, bias=False)
        self.same = self.convolution

    def forward(self, x):
        x = self.pool(self.norm(self.convolution(x)))
        return self.dense(x.reshape(len(x), -1))


@pytest.fixture
def stats():
    with gluon.megengine.installed():
        from megengine.utils import module_stats

        yield module_stats


def test_sums_and_rows(stats, caplog):
    caplog.set_level(logging.INFO, "megengine.utils.module_stats")
    net = Net()
    total, rows = stats.module_stats(net, input_shapes=(2, 3, 16, 16), logging_to_stdout=False)
    pixels = 2 * 8 * 16 * 16
    flops = [pixels * (3 * 9 + 1), pixels * 7, 2 * 8 * 8 * 8 * 4, 2 * 5 * 512]
    assert [row["flops_num"] for row in rows.flops[:-1]] == flops
    assert total.flops == sum(flops)
    assert total.param_dims == 8 * 27 + 8 + 2 * 8 + 5 * 512
    assert total.param_size == 4 * total.param_dims
    assert total.act_dims == pixels * 2 + pixels // 4 + 2 * 5
    assert [row["name"] for row in rows.params] == [
        *("convolution-w", "convolution-b", "norm-w", "norm-b", "dense-w", "total")
    ]
    assert rows.params[0]["shape"] == (8, 3, 3, 3)
    assert rows.flops[-1]["name"] == "total"
    assert net.training
    assert net.norm.training


def test_what_is_run_on_real_inputs_has_moments(stats):
    _, rows = stats.module_stats(Net(), np.ones((1, 3, 16, 16), "float32"), cal_flops=False)
    assert rows.flops == []
    assert "mean" in rows.activations[0]
    with pytest.raises(ValueError, match="give inputs or input_shapes"):
        stats.module_stats(Net())


def test_a_further_kind_of_module(stats):
    class Twice(M.Module):
        def forward(self, x):
            return x * 2

    with pytest.raises(TypeError, match="not a class of modules"):
        stats.register_hook_module(3)
    stats.register_hook_module(Twice)
    stats.register_flops(Twice)(lambda module, inputs, outputs: 7)
    try:
        total, _ = stats.module_stats(Twice(), input_shapes=(4,), cal_params=False)
        assert total.flops == 7
    finally:
        stats.hook_modules.remove(Twice)
        del stats._calc_flops_dict[Twice]


def test_numbers_with_units(stats):
    assert stats.sizeof_fmt(1024) == "1.000 KiB"
    assert stats.sizeof_fmt(1023) == "1023.000 B"
    assert stats.sizeof_fmt(1e12, "OPs") == "1.000 TOPs"
    assert stats.sizeof_fmt(1e30).endswith(" YiB")
