"""Normalization."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from tests._core.ops.sample import Sample, s

FLAGS = (False, True)
DROPPED = "MXNet drops the gradients of the mean and the deviation"
OUTSIDE: dict[str, Any] = {"differs": "MXNet reads outside the array", "refused": True}
HALF = {"rtol": 4e-3}


def _batch_norm(data: str, channels: int, kind: str = "", **attrs: Any) -> Sample:
    one = f"{channels}{kind}"
    moving = f"{channels} positive{kind}"
    sample = s("BatchNorm", f"{data}{kind}", one, one, one, moving, **attrs)
    return sample.but(wrt=(0, 1, 2), rtol=3e-5)


def _scaled(op: str, data: str, n: int, kind: str = "", **attrs: Any) -> Sample:
    return s(op, f"{data}{kind}", f"{n}{kind}", f"{n}{kind}", **attrs).but(rtol=3e-5)


TRAINED = [
    _batch_norm(data, 3, **attrs).but(training=True, writes=(3, 4))
    for data in ("4x3", "4x3x5", "4x3x2x2", "2x3x2x2x2")
    for attrs in (
        {},
        {"fix_gamma": False},
        {"fix_gamma": False, "momentum": 0.7, "eps": 0.1},
        {"momentum": 0.0},
        {"momentum": 1.0},
    )
]
BATCH = [
    *(_batch_norm(data, 3, fix_gamma=fix) for data in ("4x3", "4x3x2x2") for fix in FLAGS),
    *TRAINED,
    *(
        _batch_norm(data, n, fix_gamma=False, axis=axis).but(training=True, writes=(3, 4))
        for data, n, axis in (
            ("4x2x3", 3, -1),
            ("4x2x3", 3, 2),
            ("4x2x3", 2, -2),
            ("4x2x3", 4, 0),
            ("2x3x2x4", 4, 3),
        )
    ),
    *(_batch_norm("4x2x3", n, fix_gamma=False, axis=axis) for n, axis in ((3, -1), (4, 0))),
    *(
        _batch_norm("4x3x2x2", 3, fix_gamma=fix, use_global_stats=True, eps=1e-2).but(
            training=training
        )
        for fix, training in product(FLAGS, FLAGS)
    ),
    *(
        _batch_norm("4x3x2", 3, fix_gamma=False, output_mean_var=True, use_global_stats=use).but(
            training=training,
            writes=(3, 4),
            differs_grad=DROPPED if training and not use else "",
        )
        for use, training in product(FLAGS, FLAGS)
    ),
    _batch_norm("4x3", 3, " float64", fix_gamma=False).but(training=True, writes=(3, 4)),
    _batch_norm("4x3", 3, " float64", fix_gamma=False),
    *(
        s("BatchNorm", "4x3x2 float16", "3", "3", "3", "3 positive", fix_gamma=False).but(
            wrt=(0, 1, 2), training=training, writes=(3, 4) * training, **HALF
        )
        for training in FLAGS
    ),
    _batch_norm("1x3", 3, fix_gamma=False).but(training=True, writes=(3, 4)),
    _batch_norm("4x1x2", 1, fix_gamma=False).but(training=True, writes=(3, 4)),
    s("BatchNorm", "[[1000.1], [1000.2], [1000.3]]", "1", "1", "1", "1 positive").but(
        training=True, wrt=(1, 2), writes=(3, 4), rtol=2e-3
    ),
    s("BatchNorm", "[[1], [nan]]", "1", "1", "1", "1 positive", fix_gamma=False).but(
        training=True, wrt=(0, 1, 2), kink=True, writes=(3, 4)
    ),
    _batch_norm("4x3", 4).but(**OUTSIDE),
    _batch_norm("4x3", 3, axis=2),
    _batch_norm("4x3", 3, axis=-3),
    s("BatchNorm", "4x3", "3", "3", "2", "3 positive").but(**OUTSIDE),
    s("BatchNorm", "4x3", "3", "2", "3", "3 positive").but(**OUTSIDE),
    _batch_norm("4x3 integers int32", 3).but(wrt=()),
    _batch_norm("0x3", 3),
]
LAYER = [
    *(
        _scaled("LayerNorm", "2x3x4", n, axis=axis, eps=eps)
        for n, axis in ((2, 0), (3, 1), (4, 2), (4, -1), (3, -2), (2, -3))
        for eps in (1e-5, 0.1)
    ),
    _scaled("LayerNorm", "4x3", 3),
    _scaled("LayerNorm", "4", 4),
    _scaled("LayerNorm", "4x1", 1),
    _scaled("LayerNorm", "2x3x4", 4, output_mean_var=True).but(differs_grad=DROPPED),
    _scaled("LayerNorm", "2x3x4", 3, output_mean_var=True, axis=1).but(differs_grad=DROPPED),
    _scaled("LayerNorm", "4x3", 3, " float64"),
    _scaled("LayerNorm", "4x3", 3, " float16").but(**HALF),
    _scaled("LayerNorm", "4x3", 3, " integers int32"),
    _scaled("LayerNorm", "4x3", 4),
    _scaled("LayerNorm", "4x3", 3, axis=2),
    _scaled("LayerNorm", "4x3", 3, axis=-3),
    s("LayerNorm", "4x3", "3", "2"),
    _scaled("LayerNorm", "0x3", 3),
]


def instance_norm(x: Any, gamma: Any, beta: Any) -> Any:
    mean, var = x.mean(-1, float, keepdims=True), x.astype(float).var(-1, keepdims=True)
    y = (x - mean) / np.sqrt(var + 1e-3) * gamma[:, None] + beta[:, None]
    return y.astype(x.dtype)


INSTANCE = [
    _scaled("InstanceNorm", "2x3x4x2", 3),
    _scaled("InstanceNorm", "2x3x5", 3),
    _scaled("InstanceNorm", "2x3x5", 3, eps=0.1),
    _scaled("InstanceNorm", "2x3x2x2x2", 3),
    _scaled("InstanceNorm", "1x1x4", 1),
    _scaled("InstanceNorm", "2x3x1", 3),
    *(
        _scaled("InstanceNorm", "2x3x5", 3, f" {kind}").but(
            rtol=rtol, differs="MXNet has float32 only", right=instance_norm
        )
        for kind, rtol in (("float64", 1e-9), ("float16", 4e-3))
    ),
    _scaled("InstanceNorm", "2x3", 3),
    _scaled("InstanceNorm", "2x3x5", 2),
    _scaled("InstanceNorm", "2x3x5", 3, " integers int32"),
]
GROUP = [
    *(_scaled("GroupNorm", "2x6x3", n, num_groups=n) for n in (1, 2, 3, 6)),
    _scaled("GroupNorm", "2x6x3x2", 3, num_groups=3, eps=0.1),
    _scaled("GroupNorm", "2x4x2x2x2", 2, num_groups=2),
    _scaled("GroupNorm", "2x4", 2, num_groups=2, eps=1e-3).but(
        differs="MXNet requires three axes",
        right=lambda x, *rest: instance_norm(x.reshape(2, 2, 2), *rest).reshape(2, 4),
    ),
    _scaled("GroupNorm", "2x4x3", 2, " float64", num_groups=2),
    _scaled("GroupNorm", "2x4x3", 2, " float16", num_groups=2).but(**HALF),
    _scaled("GroupNorm", "2x4x3", 2, num_groups=2, output_mean_var=True).but(differs_grad=DROPPED),
    _scaled("GroupNorm", "2x4x3", 3, num_groups=3),
    _scaled("GroupNorm", "2x4x3", 4, num_groups=2),
    _scaled("GroupNorm", "2x4x3", 2, num_groups=0),
    _scaled("GroupNorm", "4", 2, num_groups=2),
    _scaled("GroupNorm", "2x4x3", 2, " integers int32", num_groups=2),
]


def lrn(x: Any) -> Any:
    """LRN over three channels with alpha=0.1."""
    width = [(0, 0), (1, 1), *((0, 0) for _ in x.shape[2:])]
    squares = np.pad(x.astype(float) ** 2, width)
    total = squares[:, 2:] + squares[:, 1:-1] + squares[:, :-2]
    return (x * (2 + 0.1 / 3 * total) ** -0.75).astype(x.dtype)


LENGTHS = [
    *(
        s("L2Normalization", data, mode=mode, eps=eps)
        for mode in ("instance", "channel", "spatial")
        for data in ("2x3x4", "2x3x2x2", "1x1x1")
        for eps in (1e-10, 0.5)
    ),
    s("L2Normalization", "2x3"),
    *(s("L2Normalization", "2x3", mode=mode) for mode in ("channel", "spatial")),
    s("L2Normalization", "4"),
    s("L2Normalization", "[[0, 0], [3, 4]]").but(kink=True),
    s("L2Normalization", "2x3x4 float64"),
    s("L2Normalization", "2x3x4 float16").but(**HALF),
    s("L2Normalization", "2x3x4 integers int32"),
    s("L2Normalization", "2x3x4", mode="batch"),
    *(s("LRN", "2x5x3x3", nsize=n) for n in (1, 3, 5)),
    s("LRN", "2x5x3x3", nsize=5, alpha=0.5, beta=0.6, knorm=1.5),
    s("LRN", "2x5x3x3 large", nsize=3, alpha=0.1, beta=0.75, knorm=1.0),
    *(
        s("LRN", data, nsize=3, alpha=0.1).but(
            rtol=rtol, differs="MXNet takes four axes of float32, and nsize channels", right=lrn
        )
        for data, rtol in (
            ("2x5x3x3 float64", 1e-9),
            ("2x5x3x3 float16", 4e-3),
            ("1x1x1x1", 1e-5),
            ("2x5x3", 1e-5),
            ("2x5", 1e-5),
            ("2x5x3x3x2", 1e-5),
        )
    ),
    s("LRN", "5", nsize=3),
    s("LRN", "2x5x3x3", nsize=4),
    s("LRN", "2x5x3x3", nsize=0),
    s("LRN", "2x5x3x3", nsize=-1),
    s("LRN", "2x5x3x3 integers int32", nsize=3),
]
MOMENTS = [
    *(
        s("moments", "2x3x4", axes=axes, keepdims=keep)
        for axes in ((0, 2), (1,), (0, 1, 2), (-1,), (-1, 0))
        for keep in FLAGS
    ),
    s("moments", "2x3x4 float64", axes=(1,)),
    s("moments", "2x3x4 float16", axes=(1,)).but(**HALF),
    s("moments", "2x3", axes=(2,)),
    s("moments", "2x3", axes=1),
    s("moments", "[[1, 3]]").but(
        differs="MXNet requires axes", right=lambda x: [np.float32([2]), np.float32([1])]
    ),
    s("moments", "[1000.1, 1000.2]", axes=(0,)).but(rtol=1e-3),
]


def _relu_of_batch_norm(data: str, **attrs: Any) -> Sample:
    sample = s("contrib.BatchNormWithReLU", data, "3", "3", "3", "3 positive", **attrs)
    return sample.but(wrt=(0, 1, 2), rtol=3e-5, differs="MXNet has it with MKL-DNN only")


SAMPLES = [
    *BATCH,
    *LAYER,
    *INSTANCE,
    *GROUP,
    *LENGTHS,
    *MOMENTS,
    _relu_of_batch_norm("4x3x2x2"),
    _relu_of_batch_norm("4x3x2x2", fix_gamma=False, output_mean_var=True),
    _relu_of_batch_norm("4x3x2x2", fix_gamma=False).but(training=True, writes=(3, 4)),
    s("LRN", "2x5x3x3", 0.5, 0.6, 1.5, 3),
    s("LRN", "2x5x3x3"),
]
