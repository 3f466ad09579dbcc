"""VGG: "Very deep convolutional networks for image recognition", 2014."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from ..._core.arrays import cpu
from ..._core.errors import ArgumentError
from ...initializer import Xavier
from ...nn import Activation, BatchNorm, Conv2D, Dense, Dropout, MaxPool2D
from ...parameter import ParameterDict
from ...parameter.parameter import Contexts
from ..model_store import ROOT
from ._builders import Classes, Classifier, Layers, check, sequence, trained, variant

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...block.naming import Naming

__all__ = [
    "VGG",
    "get_vgg",
    "vgg11",
    "vgg11_bn",
    "vgg13",
    "vgg13_bn",
    "vgg16",
    "vgg16_bn",
    "vgg19",
    "vgg19_bn",
]

CPU = cpu()
FILTERS = (64, 128, 256, 512, 512)
#: The number of convolutions per stage, by the number of layers with weights.
LAYERS = {
    11: (1, 1, 2, 2, 2),
    13: (2, 2, 2, 2, 2),
    16: (2, 2, 3, 3, 3),
    19: (2, 2, 4, 4, 4),
}


class VGG(Classifier):
    """VGG: stages of convolutions, each followed by pooling, and three dense layers.

    Parameters
    ----------
    layers : list of int
        How many convolutions each stage has.
    filters : list of int
        How many channels.
    classes : int, default 1000
    batch_norm : bool, default False
        Whether batch normalization comes after every convolution.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layers` and `filters` are not equally long.

    Examples
    --------
    >>> from gluon.model_zoo import vision
    >>> net = vision.VGG([1, 1], [8, 16], classes=10)
    >>> net.output, len(net.collect_params())
    (Dense(None -> 10, linear), 10)
    """

    features: Any
    output: Dense

    def __init__(
        self,
        layers: Sequence[int],
        filters: Sequence[int],
        classes: int = 1000,
        batch_norm: bool = False,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        if len(layers) != len(filters):
            raise ArgumentError(
                f"VGG: layers has {len(layers)} stages but filters has {len(filters)}; they must"
                " have the same length"
            )
        with self.name_scope():
            self.features = sequence(_features(layers, filters, batch_norm))
            self.output = Dense(classes, weight_initializer="normal")


def _features(layers: Sequence[int], filters: Sequence[int], batch_norm: bool) -> Layers:
    yield from convolutions(layers, filters, batch_norm)
    for _ in range(2):
        yield Dense(4096, activation="relu", weight_initializer="normal")
        yield Dropout(0.5)


def convolutions(layers: Sequence[int], filters: Sequence[int], batch_norm: bool) -> Layers:
    """Stages of convolutions, each of which halves the height and the width."""
    weights = Xavier(rnd_type="gaussian", factor_type="out", magnitude=2)
    for number, channels in zip(layers, filters):
        for _ in range(number):
            yield Conv2D(channels, 3, padding=1, weight_initializer=weights)
            if batch_norm:
                yield BatchNorm()
            yield Activation("relu")
        yield MaxPool2D(strides=2)


class VGGOptions(Classes, total=False):
    """What `get_vgg` passes on to the class."""

    batch_norm: bool


def get_vgg(
    num_layers: int,
    pretrained: bool = False,
    ctx: Contexts = CPU,
    root: str = ROOT,
    **kwargs: Unpack[VGGOptions],
) -> VGG:
    """Create a `VGG`.

    Parameters
    ----------
    num_layers : {11, 13, 16, 19}
    pretrained : bool, default False
        Whether to load trained parameters from a file in `root`.
    ctx : Context, default cpu(0)
        The device of the parameters.
    root : str, optional
        See `model_store.get_model_file`.
    **kwargs
        ``classes``, ``batch_norm`` and so on; see `VGG`.

    Returns
    -------
    VGG

    Raises
    ------
    ArgumentError
        If `num_layers` is another number.
    DownloadError
        If the parameters are not in `root`; the message says which file to put there.

    Examples
    --------
    >>> from gluon.model_zoo import vision
    >>> net = vision.get_vgg(11, classes=10, batch_norm=True)
    >>> len(net.features), net.output
    (33, Dense(None -> 10, linear))
    """
    check("get_vgg", "num_layers", num_layers, LAYERS)
    net = VGG(LAYERS[num_layers], FILTERS, **kwargs)
    name = f"vgg{num_layers}" + "_bn" * bool(kwargs.get("batch_norm"))
    return trained(net, name, pretrained, ctx, root)


def _vgg(
    *,
    classes: int = 1000,
    batch_norm: bool = False,
    pretrained: bool = False,
    ctx: Contexts = CPU,
    root: str = ROOT,
    prefix: str | None = None,
    params: ParameterDict | None = None,
) -> Classifier:
    """The arguments of `get_vgg` besides the size, for `variant`."""
    raise NotImplementedError


vgg11: Final = variant(_vgg, "vgg11", "VGG with 11 layers.", get_vgg, 11)
vgg13: Final = variant(_vgg, "vgg13", "VGG with 13 layers.", get_vgg, 13)
vgg16: Final = variant(_vgg, "vgg16", "VGG with 16 layers.", get_vgg, 16)
vgg19: Final = variant(_vgg, "vgg19", "VGG with 19 layers.", get_vgg, 19)
vgg11_bn: Final = variant(
    _vgg, "vgg11_bn", "VGG with 11 layers and batch normalization.", get_vgg, 11, batch_norm=True
)
vgg13_bn: Final = variant(
    _vgg, "vgg13_bn", "VGG with 13 layers and batch normalization.", get_vgg, 13, batch_norm=True
)
vgg16_bn: Final = variant(
    _vgg, "vgg16_bn", "VGG with 16 layers and batch normalization.", get_vgg, 16, batch_norm=True
)
vgg19_bn: Final = variant(
    _vgg, "vgg19_bn", "VGG with 19 layers and batch normalization.", get_vgg, 19, batch_norm=True
)
