"""Normalization and dropout."""

from __future__ import annotations

from typing import Any

from tests.ops.sample import Sample, s


def _batch_norm(data: str, channels: int, **attrs: Any) -> Sample:
    one = f"{channels}"
    sample = s("BatchNorm", data, one, one, one, f"{one} positive", **attrs)
    return sample.but(wrt=(0, 1, 2), rtol=3e-5)


def _relu_of_batch_norm(data: str, **attrs: Any) -> Sample:
    sample = s("contrib.BatchNormWithReLU", data, "3", "3", "3", "3 positive", **attrs)
    return sample.but(wrt=(0, 1, 2), rtol=3e-5, differs="MXNet has it with MKL-DNN only")


SAMPLES = [
    _batch_norm("4x3", 3),
    _batch_norm("4x3x2x2", 3, fix_gamma=False),
    _batch_norm("4x3", 3).but(training=True, writes=(3, 4)),
    _batch_norm("4x3x5", 3, fix_gamma=False).but(training=True, writes=(3, 4)),
    _batch_norm("4x3x2x2", 3, fix_gamma=False, momentum=0.7, eps=0.1).but(
        training=True, writes=(3, 4)
    ),
    _batch_norm("4x2x3", 3, fix_gamma=False, axis=-1).but(training=True, writes=(3, 4)),
    _batch_norm("4x3x2x2", 3, fix_gamma=False, use_global_stats=True).but(training=True),
    _relu_of_batch_norm("4x3x2x2"),
    _relu_of_batch_norm("4x3x2x2", fix_gamma=False, output_mean_var=True),
    _relu_of_batch_norm("4x3x2x2", fix_gamma=False).but(training=True, writes=(3, 4)),
    s("LayerNorm", "4x3", "3", "3").but(rtol=3e-5),
    s("LayerNorm", "2x3x4", "3", "3", axis=1, eps=0.1).but(rtol=3e-5),
    s("LayerNorm", "2x3x4", "4", "4", output_mean_var=True).but(
        rtol=3e-5, differs_grad="MXNet drops the gradients of the mean and the deviation"
    ),
    s("LayerNorm", "4x3 float64", "3 float64", "3 float64"),
    s("InstanceNorm", "2x3x4x2", "3", "3").but(rtol=3e-5),
    s("InstanceNorm", "2x3x5", "3", "3", eps=0.1).but(rtol=3e-5),
    s("GroupNorm", "2x4x3", "2", "2", num_groups=2).but(rtol=3e-5),
    s("GroupNorm", "2x6x3x2", "3", "3", num_groups=3, eps=0.1).but(rtol=3e-5),
    *(s("L2Normalization", "2x3x4", mode=mode) for mode in ("instance", "channel", "spatial")),
    s("LRN", "2x5x3x3", nsize=3),
    s("LRN", "2x5x3x3", nsize=5, alpha=0.5, beta=0.6, knorm=1.5),
    s("LRN", "2x5x3x3", 0.5, 0.6, 1.5, 3),
    s("LRN", "2x5x3x3"),
    s("moments", "2x3x4", axes=(0, 2)),
    s("moments", "2x3x4", axes=(1,), keepdims=True),
    s("Dropout", "2x3", p=0.5),
    s("Dropout", "20x30", p=0.5).but(training=True, kink=True, differs="it is random"),
    s("Dropout", "2x3", p=0.0).but(training=True),
]
