"""DenseNet: "Densely connected convolutional networks", 2016."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from ..._core.arrays import cpu
from ...block import HybridBlock
from ...contrib.nn import Identity
from ...nn import AvgPool2D, Conv2D, Dense, Dropout, Flatten, MaxPool2D
from ...parameter import ParameterDict
from ...parameter.parameter import Contexts
from ..model_store import ROOT
from ._builders import (
    Classes,
    Classifier,
    Layers,
    check,
    conv_norm_relu,
    norm_relu,
    parallel,
    sequence,
    trained,
    variant,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...block.naming import Naming

__all__ = ["DenseNet", "densenet121", "densenet161", "densenet169", "densenet201", "get_densenet"]

CPU = cpu()
#: Initial channels, growth rate and blocks per stage, by the number of layers.
LAYERS = {
    121: (64, 32, (6, 12, 24, 16)),
    161: (96, 48, (6, 12, 36, 24)),
    169: (64, 32, (6, 12, 32, 32)),
    201: (64, 32, (6, 12, 48, 32)),
}


class DenseNet(Classifier):
    """DenseNet: each layer adds channels to all previous ones.

    Parameters
    ----------
    num_init_features : int
        The channels of the first convolution.
    growth_rate : int
        How many channels a block adds.
    block_config : list of int
        How many blocks each stage has.
    bn_size : int, default 4
        The first convolution of a block has ``bn_size * growth_rate`` channels.
    dropout : float, default 0
        The probability in dropout after each block.
    classes : int, default 1000
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.model_zoo import vision
    >>> net = vision.DenseNet(8, 4, [2, 2], classes=10)
    >>> net.initialize()
    >>> net(nd.ones((1, 3, 56, 56))).shape
    (1, 10)
    """

    features: Any
    output: Dense

    def __init__(
        self,
        num_init_features: int,
        growth_rate: int,
        block_config: Sequence[int],
        bn_size: int = 4,
        dropout: float = 0,
        classes: int = 1000,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        widths = [bn_size * growth_rate, growth_rate]
        with self.name_scope():
            self.features = sequence(_features(num_init_features, widths, block_config, dropout))
            self.output = Dense(classes)


def _features(channels: int, widths: list[int], stages: Sequence[int], dropout: float) -> Layers:
    yield from conv_norm_relu(channels, 7, 2, 3)
    yield MaxPool2D(3, 2, 1)
    for place, number in enumerate(stages, 1):
        yield sequence((_block(widths, dropout) for _ in range(number)), f"stage{place}_")
        channels += number * widths[-1]
        if place < len(stages):
            channels //= 2
            yield sequence(_transition(channels))
    yield from norm_relu()
    yield AvgPool2D(7)
    yield Flatten()


def _block(widths: list[int], dropout: float) -> HybridBlock:
    return parallel([Identity(), sequence(_branch(widths, dropout))])


def _branch(widths: list[int], dropout: float) -> Layers:
    for channels, kernel in zip(widths, (1, 3)):
        yield from norm_relu()
        yield Conv2D(channels, kernel, padding=kernel // 2, use_bias=False)
    if dropout:
        yield Dropout(dropout)


def _transition(channels: int) -> Layers:
    yield from norm_relu()
    yield Conv2D(channels, 1, use_bias=False)
    yield AvgPool2D(2, 2)


class DenseNetOptions(Classes, total=False):
    """What `get_densenet` passes on to the class."""

    bn_size: int
    dropout: float


def get_densenet(
    num_layers: int,
    pretrained: bool = False,
    ctx: Contexts = CPU,
    root: str = ROOT,
    **kwargs: Unpack[DenseNetOptions],
) -> DenseNet:
    """Create a `DenseNet`.

    Parameters
    ----------
    num_layers : {121, 161, 169, 201}
    pretrained : bool, default False
        Whether to load trained parameters from a file in `root`.
    ctx : Context, default cpu(0)
        The device of the parameters.
    root : str, optional
        See `model_store.get_model_file`.
    **kwargs
        ``classes``, ``dropout`` and so on; see `DenseNet`.

    Returns
    -------
    DenseNet

    Raises
    ------
    ArgumentError
        If `num_layers` is another number.
    DownloadError
        If the parameters are not in `root`; the message says which file to put there.

    Examples
    --------
    >>> from gluon.model_zoo.vision.densenet import get_densenet
    >>> net = get_densenet(121, classes=10)
    >>> net.output
    Dense(None -> 10, linear)
    """
    check("get_densenet", "num_layers", num_layers, LAYERS)
    net = DenseNet(*LAYERS[num_layers], **kwargs)
    return trained(net, f"densenet{num_layers}", pretrained, ctx, root)


def _densenet(
    *,
    classes: int = 1000,
    bn_size: int = 4,
    dropout: float = 0,
    pretrained: bool = False,
    ctx: Contexts = CPU,
    root: str = ROOT,
    prefix: str | None = None,
    params: ParameterDict | None = None,
) -> Classifier:
    """The arguments of `get_densenet` besides the size, for `variant`."""
    raise NotImplementedError


densenet121: Final = variant(
    _densenet, "densenet121", "DenseNet with 121 layers.", get_densenet, 121
)
densenet161: Final = variant(
    _densenet, "densenet161", "DenseNet with 161 layers.", get_densenet, 161
)
densenet169: Final = variant(
    _densenet, "densenet169", "DenseNet with 169 layers.", get_densenet, 169
)
densenet201: Final = variant(
    _densenet, "densenet201", "DenseNet with 201 layers.", get_densenet, 201
)
