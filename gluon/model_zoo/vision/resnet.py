"""ResNet: "Deep residual learning", 2015 (V1), and "Identity mappings", 2016 (V2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from ..._core.arrays import cpu
from ..._core.errors import ArgumentError
from ...block import HybridBlock
from ...nn import (
    Activation,
    BatchNorm,
    Conv2D,
    Dense,
    Flatten,
    GlobalAvgPool2D,
    HybridSequential,
    MaxPool2D,
)
from ...parameter import ParameterDict
from ...parameter.parameter import Contexts
from ..model_store import ROOT
from ._builders import Classes, Classifier, Layers, check, norm_relu, sequence, trained, variant

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...block.naming import Naming

__all__ = [
    "BasicBlockV1",
    "BasicBlockV2",
    "BottleneckV1",
    "BottleneckV2",
    "ResNetV1",
    "ResNetV2",
    "get_resnet",
    "resnet18_v1",
    "resnet18_v2",
    "resnet34_v1",
    "resnet34_v2",
    "resnet50_v1",
    "resnet50_v2",
    "resnet101_v1",
    "resnet101_v2",
    "resnet152_v1",
    "resnet152_v2",
]

CPU = cpu()


def _convolution(
    channels: int, kernel: int, stride: int, in_channels: int, use_bias: bool = False
) -> Conv2D:
    return Conv2D(channels, kernel, stride, kernel // 2, use_bias=use_bias, in_channels=in_channels)


class _Residual(HybridBlock):
    """Convolutions with a shortcut."""

    downsample: HybridBlock | None

    def __init__(
        self,
        channels: int,
        stride: int,
        downsample: bool = False,
        in_channels: int = 0,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        self._build([_convolution(*row) for row in self._rows(channels, stride, in_channels)])
        shortcut = (channels, 1, stride, in_channels)
        self.downsample = self._around(_convolution(*shortcut)) if downsample else None

    @staticmethod
    def _rows(channels: int, stride: int, in_channels: int) -> list[tuple]:
        """Return the arguments of `_convolution` for each convolution."""
        raise NotImplementedError

    def _build(self, convolutions: list[Conv2D]) -> None:
        """Add the convolutions, with layers between them."""
        raise NotImplementedError

    def _around(self, convolution: Conv2D) -> HybridBlock:
        """Return the shortcut for a changed shape."""
        raise NotImplementedError


class _ResidualV1(_Residual):
    """Normalization after each convolution, ``relu`` after the sum."""

    body: HybridSequential

    def _build(self, convolutions: list[Conv2D]) -> None:
        self.body = sequence(_between(convolutions))

    def _around(self, convolution: Conv2D) -> HybridBlock:
        return sequence([convolution, BatchNorm()])

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Compute ``relu(x + body(x))``, with ``downsample(x)`` for the first x if there is one.

        Parameters
        ----------
        F : module
            `nd`.
        x : NDArray of shape (N, in_channels, height, width)

        Returns
        -------
        NDArray of shape (N, channels, height / stride, width / stride)
        """
        y = self.body(x)
        residual = x if self.downsample is None else self.downsample(x)
        return F.Activation(residual + y, act_type="relu")


def _between(convolutions: list[Conv2D]) -> Layers:
    for place, convolution in enumerate(convolutions):
        if place:
            yield Activation("relu")
        yield convolution
        yield BatchNorm()


class _ResidualV2(_Residual):
    """Normalization and ``relu`` before each convolution, nothing after the sum."""

    def _build(self, convolutions: list[Conv2D]) -> None:
        self._depth = len(convolutions)
        for place, convolution in enumerate(convolutions, 1):
            setattr(self, f"bn{place}", BatchNorm())
            setattr(self, f"conv{place}", convolution)

    def _around(self, convolution: Conv2D) -> HybridBlock:
        return convolution

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Compute the sum of the input, or of what `downsample` gives, and the convolutions.

        Parameters
        ----------
        F : module
            `nd`.
        x : NDArray of shape (N, in_channels, height, width)

        Returns
        -------
        NDArray of shape (N, channels, height / stride, width / stride)
        """
        residual = x
        for place in range(1, self._depth + 1):
            x = F.Activation(getattr(self, f"bn{place}")(x), act_type="relu")
            if place == 1 and self.downsample is not None:
                residual = self.downsample(x)
            x = getattr(self, f"conv{place}")(x)
        return x + residual


class BasicBlockV1(_ResidualV1):
    """Residual block of two convolutions.

    Parameters
    ----------
    channels : int
        The number of output channels.
    stride : int
    downsample : bool, default False
        Whether the shortcut is a convolution too, as it must be if the shape changes.
    in_channels : int, optional
        The number of input channels; inferred from the first batch by default.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.model_zoo import vision
    >>> block = vision.BasicBlockV1(8, 2, downsample=True)
    >>> block.initialize()
    >>> block(nd.ones((1, 3, 4, 4))).shape
    (1, 8, 2, 2)
    """

    @staticmethod
    def _rows(channels: int, stride: int, in_channels: int) -> list[tuple]:
        return [(channels, 3, stride, in_channels), (channels, 3, 1, channels)]


class BottleneckV1(_ResidualV1):
    """Residual bottleneck block of three convolutions.

    Parameters
    ----------
    channels : int
        The number of output channels.
    stride : int
    downsample : bool, default False
        Whether the shortcut is a convolution too, as it must be if the shape changes.
    in_channels : int, optional
        The number of input channels; inferred from the first batch by default.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.model_zoo import vision
    >>> block = vision.BottleneckV1(8, 2, downsample=True, in_channels=4)
    >>> block.initialize()
    >>> block(nd.ones((1, 4, 6, 6))).shape
    (1, 8, 3, 3)
    """

    @staticmethod
    def _rows(channels: int, stride: int, in_channels: int) -> list[tuple]:
        return [
            (channels // 4, 1, stride, 0, True),
            (channels // 4, 3, 1, channels // 4),
            (channels, 1, 1, 0, True),
        ]


class BasicBlockV2(_ResidualV2):
    """Residual block of two convolutions, with normalization before each convolution.

    Parameters
    ----------
    channels : int
        The number of output channels.
    stride : int
    downsample : bool, default False
        Whether the shortcut is a convolution too, as it must be if the shape changes.
    in_channels : int, optional
        The number of input channels; inferred from the first batch by default.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.model_zoo import vision
    >>> block = vision.BasicBlockV2(8, 2, downsample=True, in_channels=4)
    >>> block.initialize()
    >>> block(nd.ones((1, 4, 6, 6))).shape
    (1, 8, 3, 3)
    """

    @staticmethod
    def _rows(channels: int, stride: int, in_channels: int) -> list[tuple]:
        return [(channels, 3, stride, in_channels), (channels, 3, 1, channels)]


class BottleneckV2(_ResidualV2):
    """Residual bottleneck block of three convolutions, with normalization before each convolution.

    Parameters
    ----------
    channels : int
        The number of output channels.
    stride : int
    downsample : bool, default False
        Whether the shortcut is a convolution too, as it must be if the shape changes.
    in_channels : int, optional
        The number of input channels; inferred from the first batch by default.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.model_zoo import vision
    >>> block = vision.BottleneckV2(8, 2, downsample=True, in_channels=4)
    >>> block.initialize()
    >>> block(nd.ones((1, 4, 6, 6))).shape
    (1, 8, 3, 3)
    """

    @staticmethod
    def _rows(channels: int, stride: int, in_channels: int) -> list[tuple]:
        return [
            (channels // 4, 1, 1, 0),
            (channels // 4, 3, stride, channels // 4),
            (channels, 1, 1, 0),
        ]


class ResNetV1(Classifier):
    """ResNet v1.

    Parameters
    ----------
    block : class
        `BasicBlockV1` or `BottleneckV1`.
    layers : list of int
        How many blocks each stage has.
    channels : list of int
        The number of input channels of the first stage, and of output channels of each stage.
    classes : int, default 1000
    thumbnail : bool, default False
        Whether the images are small, so that the first convolution keeps their size.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `channels` is not longer than `layers` by one.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.model_zoo import vision
    >>> net = vision.ResNetV1(vision.BasicBlockV1, [1, 1], [4, 4, 8], classes=10, thumbnail=True)
    >>> net.initialize()
    >>> net(nd.ones((1, 3, 8, 8))).shape
    (1, 10)
    """

    features: Any
    output: Dense

    def __init__(
        self,
        block: Callable[..., HybridBlock],
        layers: Sequence[int],
        channels: Sequence[int],
        classes: int = 1000,
        thumbnail: bool = False,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        _check_stages(layers, channels)
        with self.name_scope():
            self.features = sequence(_features_v1(block, layers, channels, thumbnail))
            self.output = Dense(classes, in_units=channels[-1])


class ResNetV2(Classifier):
    """ResNet v2: normalization before each convolution.

    Parameters
    ----------
    block : class
        `BasicBlockV2` or `BottleneckV2`.
    layers : list of int
        How many blocks each stage has.
    channels : list of int
        The number of input channels of the first stage, and of output channels of each stage.
    classes : int, default 1000
    thumbnail : bool, default False
        Whether the images are small, so that the first convolution keeps their size.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `channels` is not longer than `layers` by one.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.model_zoo import vision
    >>> net = vision.ResNetV2(vision.BasicBlockV2, [1, 1], [4, 4, 8], classes=10, thumbnail=True)
    >>> net.initialize()
    >>> net(nd.ones((2, 3, 8, 8))).shape
    (2, 10)
    """

    features: Any
    output: Dense

    def __init__(
        self,
        block: Callable[..., HybridBlock],
        layers: Sequence[int],
        channels: Sequence[int],
        classes: int = 1000,
        thumbnail: bool = False,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        _check_stages(layers, channels)
        with self.name_scope():
            self.features = sequence(_features_v2(block, layers, channels, thumbnail))
            self.output = Dense(classes, in_units=channels[-1])


def _check_stages(layers: Sequence[int], channels: Sequence[int]) -> None:
    if len(channels) != len(layers) + 1:
        raise ArgumentError(
            f"ResNet: layers has {len(layers)} stages, so channels needs {len(layers) + 1}"
            f" numbers, the first for the input; it has {len(channels)}"
        )


def _features_v1(
    block: Callable[..., HybridBlock],
    layers: Sequence[int],
    channels: Sequence[int],
    thumbnail: bool,
) -> Layers:
    yield from _stem(channels[0], thumbnail)
    yield from _stages(block, layers, channels)
    yield GlobalAvgPool2D()


def _features_v2(
    block: Callable[..., HybridBlock],
    layers: Sequence[int],
    channels: Sequence[int],
    thumbnail: bool,
) -> Layers:
    yield BatchNorm(scale=False, center=False)
    yield from _stem(channels[0], thumbnail)
    yield from _stages(block, layers, channels)
    yield from norm_relu()
    yield GlobalAvgPool2D()
    yield Flatten()


def _stem(channels: int, thumbnail: bool) -> Layers:
    if thumbnail:
        yield Conv2D(channels, 3, padding=1, use_bias=False)
        return
    yield Conv2D(channels, 7, 2, 3, use_bias=False)
    yield from norm_relu()
    yield MaxPool2D(3, 2, 1)


def _stages(
    block: Callable[..., HybridBlock], layers: Sequence[int], channels: Sequence[int]
) -> Layers:
    for place, number in enumerate(layers):
        came, come = channels[place : place + 2]
        yield stage(block, number, come, 2 if place else 1, place + 1, came)


def stage(
    block: Callable[..., HybridBlock],
    layers: int,
    channels: int,
    stride: int,
    stage_index: int,
    in_channels: int,
) -> HybridSequential:
    """Blocks one after the other, the first of which changes the size and the channels."""
    first = {"stride": stride, "downsample": channels != in_channels, "in_channels": in_channels}
    others = {"stride": 1, "downsample": False, "in_channels": channels}
    rows = [first] + [others] * (layers - 1)
    return sequence((block(channels, **row, prefix="") for row in rows), f"stage{stage_index}_")


#: The kind of block, the blocks per stage and their channels, by the number of layers.
LAYERS = {
    18: ("basic", (2, 2, 2, 2), (64, 64, 128, 256, 512)),
    34: ("basic", (3, 4, 6, 3), (64, 64, 128, 256, 512)),
    50: ("bottleneck", (3, 4, 6, 3), (64, 256, 512, 1024, 2048)),
    101: ("bottleneck", (3, 4, 23, 3), (64, 256, 512, 1024, 2048)),
    152: ("bottleneck", (3, 8, 36, 3), (64, 256, 512, 1024, 2048)),
}
#: The networks and their blocks, by version.
VERSIONS: dict[int, tuple[Any, ...]] = {
    1: (ResNetV1, {"basic": BasicBlockV1, "bottleneck": BottleneckV1}),
    2: (ResNetV2, {"basic": BasicBlockV2, "bottleneck": BottleneckV2}),
}


class ResNetOptions(Classes, total=False):
    """What `get_resnet` passes on to the class."""

    thumbnail: bool


def get_resnet(
    version: int,
    num_layers: int,
    pretrained: bool = False,
    ctx: Contexts = CPU,
    root: str = ROOT,
    **kwargs: Unpack[ResNetOptions],
) -> HybridBlock:
    """Create a `ResNetV1` or a `ResNetV2`.

    Parameters
    ----------
    version : {1, 2}
    num_layers : {18, 34, 50, 101, 152}
    pretrained : bool, default False
        Whether to load trained parameters from a file in `root`.
    ctx : Context, default cpu(0)
        The device of the parameters.
    root : str, optional
        See `model_store.get_model_file`.
    **kwargs
        ``classes``, ``thumbnail`` and so on; see `ResNetV1`.

    Returns
    -------
    ResNetV1 or ResNetV2

    Raises
    ------
    ArgumentError
        If `version` or `num_layers` is another number.
    DownloadError
        If the parameters are not in `root`; the message says which file to put there.

    Examples
    --------
    >>> from gluon.model_zoo import vision
    >>> net = vision.get_resnet(1, 18, classes=10, thumbnail=True)
    >>> len(net.features), net.output
    (6, Dense(512 -> 10, linear))
    """
    check("get_resnet", "num_layers", num_layers, LAYERS)
    check("get_resnet", "version", version, VERSIONS)
    kind, layers, channels = LAYERS[num_layers]
    network, blocks = VERSIONS[version]
    net = network(blocks[kind], layers, channels, **kwargs)
    return trained(net, f"resnet{num_layers}_v{version}", pretrained, ctx, root)


def _resnet(
    *,
    classes: int = 1000,
    thumbnail: bool = False,
    pretrained: bool = False,
    ctx: Contexts = CPU,
    root: str = ROOT,
    prefix: str | None = None,
    params: ParameterDict | None = None,
) -> Classifier:
    """The arguments of `get_resnet` besides the size, for `variant`."""
    raise NotImplementedError


resnet18_v1: Final = variant(_resnet, "resnet18_v1", "ResNet V1 with 18 layers.", get_resnet, 1, 18)
resnet34_v1: Final = variant(_resnet, "resnet34_v1", "ResNet V1 with 34 layers.", get_resnet, 1, 34)
resnet50_v1: Final = variant(_resnet, "resnet50_v1", "ResNet V1 with 50 layers.", get_resnet, 1, 50)
resnet101_v1: Final = variant(
    _resnet, "resnet101_v1", "ResNet V1 with 101 layers.", get_resnet, 1, 101
)
resnet152_v1: Final = variant(
    _resnet, "resnet152_v1", "ResNet V1 with 152 layers.", get_resnet, 1, 152
)
resnet18_v2: Final = variant(_resnet, "resnet18_v2", "ResNet V2 with 18 layers.", get_resnet, 2, 18)
resnet34_v2: Final = variant(_resnet, "resnet34_v2", "ResNet V2 with 34 layers.", get_resnet, 2, 34)
resnet50_v2: Final = variant(_resnet, "resnet50_v2", "ResNet V2 with 50 layers.", get_resnet, 2, 50)
resnet101_v2: Final = variant(
    _resnet, "resnet101_v2", "ResNet V2 with 101 layers.", get_resnet, 2, 101
)
resnet152_v2: Final = variant(
    _resnet, "resnet152_v2", "ResNet V2 with 152 layers.", get_resnet, 2, 152
)
