"""MobileNet: "MobileNets", 2017, and "MobileNetV2", 2018."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..._core.arrays import cpu
from ...block import HybridBlock
from ...nn import Conv2D, Dense, Flatten, GlobalAvgPool2D, HybridSequential
from ...parameter.parameter import Contexts
from ..model_store import ROOT
from ._builders import (
    Classes,
    Classifier,
    Layers,
    conv_norm,
    conv_norm_relu,
    plain,
    sequence,
    trained,
    variant,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...block.naming import Naming

__all__ = [
    "MobileNet",
    "MobileNetV2",
    "get_mobilenet",
    "get_mobilenet_v2",
    "mobilenet0_5",
    "mobilenet0_25",
    "mobilenet0_75",
    "mobilenet1_0",
    "mobilenet_v2_0_5",
    "mobilenet_v2_0_25",
    "mobilenet_v2_0_75",
    "mobilenet_v2_1_0",
]

CPU = cpu()
#: The channels of the first convolution.
FIRST = 32
#: Channels and stride of the pairs of convolutions in `MobileNet`.
PAIRS = (
    (64, 1),
    (128, 2),
    (128, 1),
    (256, 2),
    (256, 1),
    (512, 2),
    *[(512, 1)] * 5,
    (1024, 2),
    (1024, 1),
)
#: Expansion, channels, number and first stride of the bottlenecks in `MobileNetV2`.
BOTTLENECKS = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)
#: The minimum number of channels of the last convolution.
LAST = 1280


class RELU6(HybridBlock):
    """ReLU limited to 6.

    Parameters
    ----------
    **kwargs
        ``prefix`` and ``params``; see `Block`.
    """

    def __init__(self, **kwargs: Unpack[Naming]) -> None:
        super().__init__(**kwargs)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Compute ``min(max(x, 0), 6)``.

        Parameters
        ----------
        F : module
            `nd`.
        x : NDArray

        Returns
        -------
        NDArray of the same shape
        """
        return F.clip(x, 0, 6, name="relu6")


class LinearBottleneck(HybridBlock):
    """Inverted residual block with a linear bottleneck.

    Parameters
    ----------
    in_channels, channels : int
        The numbers of input and output channels.
    t : int
        The factor by which the first convolution expands the channels.
    stride : int
    **kwargs
        ``prefix`` and ``params``; see `Block`.
    """

    out: HybridSequential
    use_shortcut: bool

    def __init__(
        self, in_channels: int, channels: int, t: int, stride: int, **kwargs: Unpack[Naming]
    ) -> None:
        super().__init__(**kwargs)
        self.use_shortcut = stride == 1 and in_channels == channels
        wide = in_channels * t
        with self.name_scope():
            self.out = HybridSequential()
            self.out.add(*_conv_relu6(wide, 1), *_conv_relu6(wide, 3, stride, 1, groups=wide))
            self.out.add(*conv_norm(channels, 1))

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Compute the convolutions, and add the input if it has the same shape.

        Parameters
        ----------
        F : module
            `nd`.
        x : NDArray of shape (N, in_channels, height, width)

        Returns
        -------
        NDArray of shape (N, channels, height / stride, width / stride)
        """
        y = self.out(x)
        return F.elemwise_add(y, x) if self.use_shortcut else y


def _conv_relu6(*args: Any, **kwargs: Any) -> Layers:
    yield from conv_norm(*args, **kwargs)
    yield RELU6()


class MobileNet(Classifier):
    """MobileNet: depthwise separable convolutions.

    Parameters
    ----------
    multiplier : float, default 1.0
        A factor of the numbers of channels.
    classes : int, default 1000
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.model_zoo import vision
    >>> net = vision.MobileNet(0.25, classes=10)
    >>> net.initialize()
    >>> net(nd.ones((1, 3, 32, 32))).shape
    (1, 10)
    """

    features: HybridSequential
    output: Dense

    def __init__(
        self, multiplier: float = 1.0, classes: int = 1000, **kwargs: Unpack[Naming]
    ) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = sequence(_features(multiplier))
            self.output = Dense(classes)


def _features(multiplier: float) -> Layers:
    came = int(FIRST * multiplier)
    yield from conv_norm_relu(came, 3, 2, 1)
    for channels, stride in PAIRS:
        yield from conv_norm_relu(came, 3, stride, 1, groups=came)
        came = int(channels * multiplier)
        yield from conv_norm_relu(came, 1)
    yield GlobalAvgPool2D()
    yield Flatten()


class MobileNetV2(Classifier):
    """MobileNet v2: inverted residual blocks.

    Parameters
    ----------
    multiplier : float, default 1.0
        A factor of the numbers of channels; the last one never shrinks.
    classes : int, default 1000
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.model_zoo import vision
    >>> net = vision.MobileNetV2(0.25, classes=10)
    >>> net.initialize()
    >>> net(nd.ones((1, 3, 32, 32))).shape
    (1, 10)
    """

    features: HybridSequential
    output: HybridSequential

    def __init__(
        self, multiplier: float = 1.0, classes: int = 1000, **kwargs: Unpack[Naming]
    ) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = sequence(_features_v2(multiplier), "features_")
            self.output = sequence(_output(classes), "output_")


def _features_v2(multiplier: float) -> Layers:
    came = int(FIRST * multiplier)
    yield from _conv_relu6(came, 3, 2, 1)
    for expansion, channels, number, stride in BOTTLENECKS:
        come = int(channels * multiplier)
        for place in range(number):
            yield LinearBottleneck(came, come, expansion, 1 if place else stride)
            came = come
    yield from _conv_relu6(int(LAST * max(multiplier, 1)), 1)
    yield GlobalAvgPool2D()


def _output(classes: int) -> Layers:
    yield Conv2D(classes, 1, use_bias=False, prefix="pred_")
    yield Flatten()


def get_mobilenet(
    multiplier: float,
    pretrained: bool = False,
    ctx: Contexts = CPU,
    root: str = ROOT,
    **kwargs: Unpack[Classes],
) -> MobileNet:
    """Create a `MobileNet`.

    Parameters
    ----------
    multiplier : float
        A factor of the numbers of channels. There are trained parameters for 0.25,
        0.5, 0.75 and 1.
    pretrained : bool, default False
        Whether to load trained parameters from a file in `root`.
    ctx : Context, default cpu(0)
        The device of the parameters.
    root : str, optional
        See `model_store.get_model_file`.
    **kwargs
        ``classes`` and so on; see `MobileNet`.

    Returns
    -------
    MobileNet

    Raises
    ------
    ArgumentError
        If there are no trained parameters for `multiplier`, and `pretrained` is True.
    DownloadError
        If the parameters are not in `root`; the message says which file to put there.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.model_zoo import vision
    >>> net = vision.get_mobilenet(0.25, classes=10)
    >>> net.initialize()
    >>> net(nd.ones((1, 3, 32, 32))).shape
    (1, 10)
    """
    net = MobileNet(multiplier, **kwargs)
    return trained(net, f"mobilenet{float(multiplier)}", pretrained, ctx, root)


def get_mobilenet_v2(
    multiplier: float,
    pretrained: bool = False,
    ctx: Contexts = CPU,
    root: str = ROOT,
    **kwargs: Unpack[Classes],
) -> MobileNetV2:
    """Create a `MobileNetV2`.

    Parameters
    ----------
    multiplier : float
        A factor of the numbers of channels. There are trained parameters for 0.25,
        0.5, 0.75 and 1.
    pretrained : bool, default False
        Whether to load trained parameters from a file in `root`.
    ctx : Context, default cpu(0)
        The device of the parameters.
    root : str, optional
        See `model_store.get_model_file`.
    **kwargs
        ``classes`` and so on; see `MobileNetV2`.

    Returns
    -------
    MobileNetV2

    Raises
    ------
    ArgumentError
        If there are no trained parameters for `multiplier`, and `pretrained` is True.
    DownloadError
        If the parameters are not in `root`; the message says which file to put there.

    Examples
    --------
    >>> from gluon.model_zoo import vision
    >>> net = vision.get_mobilenet_v2(0.25, classes=10)
    >>> len(net.collect_params())
    266
    """
    net = MobileNetV2(multiplier, **kwargs)
    return trained(net, f"mobilenetv2_{float(multiplier)}", pretrained, ctx, root)


mobilenet1_0: Final = variant(
    plain, "mobilenet1_0", "MobileNet with 1.0 times the channels.", get_mobilenet, 1.0
)
mobilenet0_75: Final = variant(
    plain, "mobilenet0_75", "MobileNet with 0.75 times the channels.", get_mobilenet, 0.75
)
mobilenet0_5: Final = variant(
    plain, "mobilenet0_5", "MobileNet with 0.5 times the channels.", get_mobilenet, 0.5
)
mobilenet0_25: Final = variant(
    plain, "mobilenet0_25", "MobileNet with 0.25 times the channels.", get_mobilenet, 0.25
)
mobilenet_v2_1_0: Final = variant(
    plain, "mobilenet_v2_1_0", "MobileNet V2 with 1.0 times the channels.", get_mobilenet_v2, 1.0
)
mobilenet_v2_0_75: Final = variant(
    plain, "mobilenet_v2_0_75", "MobileNet V2 with 0.75 times the channels.", get_mobilenet_v2, 0.75
)
mobilenet_v2_0_5: Final = variant(
    plain, "mobilenet_v2_0_5", "MobileNet V2 with 0.5 times the channels.", get_mobilenet_v2, 0.5
)
mobilenet_v2_0_25: Final = variant(
    plain, "mobilenet_v2_0_25", "MobileNet V2 with 0.25 times the channels.", get_mobilenet_v2, 0.25
)
