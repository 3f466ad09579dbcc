"""SqueezeNet: "AlexNet-level accuracy with 50x fewer parameters", 2016."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..._core.arrays import cpu
from ...block import HybridBlock
from ...nn import Activation, AvgPool2D, Conv2D, Dropout, Flatten, MaxPool2D
from ...parameter.parameter import Contexts
from ..model_store import ROOT
from ._builders import (
    Classes,
    Classifier,
    Layers,
    check,
    parallel,
    plain,
    sequence,
    trained,
    variant,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...block.naming import Naming

__all__ = ["SqueezeNet", "get_squeezenet", "squeezenet1_0", "squeezenet1_1"]

CPU = cpu()
#: The channels and the kernel of the first convolution, followed by the squeezed channels of each
#: module and the positions of max pooling.
VERSIONS: dict[str, tuple[Any, ...]] = {
    "1.0": ((96, 7), ("pool", 16, 16, 32, "pool", 32, 48, 48, 64, "pool", 64)),
    "1.1": ((64, 3), ("pool", 16, 16, "pool", 32, 32, "pool", 48, 48, 64, 64)),
}


class SqueezeNet(Classifier):
    """SqueezeNet: modules that squeeze and expand the channels.

    Parameters
    ----------
    version : {'1.0', '1.1'}
    classes : int, default 1000
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `version` is another one.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.model_zoo import vision
    >>> net = vision.SqueezeNet("1.1", classes=10)
    >>> net.initialize()
    >>> net(nd.ones((1, 3, 224, 224))).shape
    (1, 10)
    """

    features: Any
    output: Any

    def __init__(self, version: str, classes: int = 1000, **kwargs: Unpack[Naming]) -> None:
        super().__init__(**kwargs)
        check("SqueezeNet", "version", version, VERSIONS)
        with self.name_scope():
            self.features = sequence(_features(*VERSIONS[version]))
            self.output = sequence(_output(classes))


def _features(first: tuple, modules: tuple) -> Layers:
    yield Conv2D(first[0], first[1], strides=2)
    yield Activation("relu")
    for row in modules:
        yield MaxPool2D(3, 2, ceil_mode=True) if row == "pool" else _fire(row)
    yield Dropout(0.5)


def _fire(channels: int) -> HybridBlock:
    """Squeeze to `channels`, then expand to four times as many with 1x1 and with 3x3 kernels."""
    squeeze = sequence(_active(channels, 1))
    widen = (sequence(_active(4 * channels, kernel)) for kernel in (1, 3))
    return sequence([squeeze, parallel(widen)])


def _active(channels: int, kernel: int) -> Layers:
    yield Conv2D(channels, kernel, padding=kernel // 2)
    yield Activation("relu")


def _output(classes: int) -> Layers:
    yield from _active(classes, 1)
    yield AvgPool2D(13)
    yield Flatten()


def get_squeezenet(
    version: str,
    pretrained: bool = False,
    ctx: Contexts = CPU,
    root: str = ROOT,
    **kwargs: Unpack[Classes],
) -> SqueezeNet:
    """Create a `SqueezeNet`.

    Parameters
    ----------
    version : {'1.0', '1.1'}
    pretrained : bool, default False
        Whether to load trained parameters from a file in `root`.
    ctx : Context, default cpu(0)
        The device of the parameters.
    root : str, optional
        See `model_store.get_model_file`.
    **kwargs
        ``classes`` and so on; see `SqueezeNet`.

    Returns
    -------
    SqueezeNet

    Raises
    ------
    ArgumentError
        If `version` is another one.
    DownloadError
        If the parameters are not in `root`; the message says which file to put there.

    Examples
    --------
    >>> from gluon.model_zoo.vision.squeezenet import get_squeezenet
    >>> net = get_squeezenet("1.1", classes=10)
    >>> len(net.features)
    14
    """
    return trained(SqueezeNet(version, **kwargs), f"squeezenet{version}", pretrained, ctx, root)


squeezenet1_0: Final = variant(plain, "squeezenet1_0", "SqueezeNet 1.0.", get_squeezenet, "1.0")
squeezenet1_1: Final = variant(
    plain, "squeezenet1_1", "SqueezeNet 1.1, with less work than 1.0.", get_squeezenet, "1.1"
)
