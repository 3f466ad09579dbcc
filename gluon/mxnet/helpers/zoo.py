"""``mxnet.gluon.model_zoo.vision``: the building blocks of its networks."""

from __future__ import annotations

from typing import Any, Final

from ...block import HybridBlock
from ...model_zoo.vision import densenet, inception, resnet
from ...model_zoo.vision._builders import parallel, sequence
from ...model_zoo.vision.mobilenet import RELU6
from ...nn import (
    Activation,
    AvgPool2D,
    BatchNorm,
    Conv2D,
    Dense,
    Flatten,
    HybridSequential,
    MaxPool2D,
)

resnet_net_versions: Final = [resnet.ResNetV1, resnet.ResNetV2]
resnet_block_versions: Final = [
    {"basic_block": resnet.BasicBlockV1, "bottle_neck": resnet.BottleneckV1},
    {"basic_block": resnet.BasicBlockV2, "bottle_neck": resnet.BottleneckV2},
]


def _conv3x3(channels: int, stride: int, in_channels: int) -> Conv2D:
    """A 3 x 3 convolution without bias."""
    return Conv2D(channels, 3, stride, 1, use_bias=False, in_channels=in_channels)


def _make_fire(
    squeeze_channels: int, expand1x1_channels: int, expand3x3_channels: int
) -> HybridBlock:
    """A fire module: few channels, then more by 1 x 1 and by 3 x 3 convolutions."""
    first = _make_fire_conv(squeeze_channels, 1)
    widen = [_make_fire_conv(expand1x1_channels, 1), _make_fire_conv(expand3x3_channels, 3, 1)]
    return sequence([first, parallel(widen)])


def _make_fire_conv(channels: int, kernel_size: int, padding: int = 0) -> HybridBlock:
    """A convolution and ReLU."""
    return sequence([Conv2D(channels, kernel_size, padding=padding), Activation("relu")])


def _make_dense_block(
    num_layers: int, bn_size: int, growth_rate: int, dropout: float, stage_index: int
) -> HybridBlock:
    """A stage of a DenseNet."""
    layers = (_make_dense_layer(growth_rate, bn_size, dropout) for _ in range(num_layers))
    return sequence(layers, f"stage{stage_index}_")


def _make_dense_layer(growth_rate: int, bn_size: int, dropout: float) -> HybridBlock:
    """A dense layer, which appends channels to its input."""
    return densenet._block([bn_size * growth_rate, growth_rate], dropout)


def _make_transition(num_output_features: int) -> HybridBlock:
    """The transition between two stages of a DenseNet."""
    return sequence(densenet._transition(num_output_features))


def _add_conv(
    out: HybridSequential,
    channels: int = 1,
    kernel: int = 1,
    stride: int = 1,
    pad: int = 0,
    num_group: int = 1,
    active: bool = True,
    relu6: bool = False,
) -> None:
    """Add a convolution, its normalization and ReLU to a block."""
    layers: list[HybridBlock] = [
        Conv2D(channels, kernel, stride, pad, groups=num_group, use_bias=False),
        BatchNorm(),
    ]
    if active:
        layers.append(RELU6() if relu6 else Activation("relu"))
    out.add(*layers)


def _add_conv_dw(
    out: HybridSequential, dw_channels: int, channels: int, stride: int, relu6: bool = False
) -> None:
    """Add a depthwise and a pointwise convolution to a block."""
    _add_conv(out, dw_channels, 3, stride, 1, dw_channels, relu6=relu6)
    _add_conv(out, channels, relu6=relu6)


def _make_basic_conv(**kwargs: Any) -> HybridBlock:
    """A convolution, its normalization and ReLU."""
    return sequence(
        [Conv2D(use_bias=False, **kwargs), BatchNorm(epsilon=0.001), Activation("relu")]
    )


def _make_branch(use_pool: str | None, *conv_settings: tuple) -> HybridBlock:
    """An optional pooling, then convolutions."""
    names = ("channels", "kernel_size", "strides", "padding")
    pools = {"avg": lambda: AvgPool2D(3, 1, 1), "max": lambda: MaxPool2D(3, 2)}
    layers: list[HybridBlock] = [pools[use_pool]()] if use_pool in pools else []
    for setting in conv_settings:
        given = {name: one for name, one in zip(names, setting) if one is not None}
        layers.append(_make_basic_conv(**given))
    return sequence(layers)


def _module(branches: list, prefix: str) -> HybridBlock:
    """A module of Inception v3."""
    return parallel(map(inception._branch, branches), prefix)


def _make_A(pool_features: int, prefix: str) -> HybridBlock:  # noqa: N802, RUF100
    """The first kind of module of Inception v3."""
    return _module(inception._a(pool_features), prefix)


def _make_B(prefix: str) -> HybridBlock:  # noqa: N802, RUF100
    """The second kind of module of Inception v3."""
    return _module(inception._B, prefix)


def _make_C(channels_7x7: int, prefix: str) -> HybridBlock:  # noqa: N802, N803, RUF100
    """The third kind of module of Inception v3."""
    return _module(inception._c(channels_7x7), prefix)


def _make_D(prefix: str) -> HybridBlock:  # noqa: N802, RUF100
    """The fourth kind of module of Inception v3."""
    return _module(inception._D, prefix)


def _make_E(prefix: str) -> HybridBlock:  # noqa: N802, RUF100
    """The last kind of module of Inception v3."""
    return _module(inception._E, prefix)


def make_aux(classes: int) -> HybridBlock:
    """The auxiliary classifier of Inception v3."""
    first = _make_basic_conv(channels=128, kernel_size=1)
    second = _make_basic_conv(channels=768, kernel_size=5)
    return sequence([AvgPool2D(5, 3), first, second, Flatten(), Dense(classes)])
