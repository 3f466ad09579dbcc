"""AlexNet: "One weird trick for parallelizing convolutional neural networks", 2014."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._core.arrays import cpu
from ...block import HybridBlock
from ...nn import Conv2D, Dense, Dropout, Flatten, MaxPool2D
from ...parameter.parameter import Contexts
from ..model_store import ROOT
from ._builders import Classes, Classifier, Layers, sequence, trained

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...block.naming import Naming

__all__ = ["AlexNet", "alexnet"]

CPU = cpu()
#: Channels, kernel, stride and padding of the convolutions, and the positions of max pooling.
CONVOLUTIONS: tuple[Any, ...] = (
    (64, 11, 4, 2),
    "pool",
    (192, 5, 1, 2),
    "pool",
    (384, 3, 1, 1),
    (256, 3, 1, 1),
    (256, 3, 1, 1),
    "pool",
)


class AlexNet(Classifier):
    """AlexNet: five convolutions and three dense layers.

    Parameters
    ----------
    classes : int, default 1000
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon.model_zoo import vision
    >>> net = vision.AlexNet(classes=10)
    >>> net.output, len(net.collect_params())
    (Dense(None -> 10, linear), 16)
    """

    features: Any
    output: Dense

    def __init__(self, classes: int = 1000, **kwargs: Unpack[Naming]) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = sequence(_features())
            self.output = Dense(classes)


def _features() -> Layers:
    for row in CONVOLUTIONS:
        if row == "pool":
            yield MaxPool2D(3, 2)
        else:
            channels, kernel, stride, pad = row
            yield Conv2D(channels, kernel, stride, pad, activation="relu")
    yield Flatten()
    for _ in range(2):
        yield Dense(4096, activation="relu")
        yield Dropout(0.5)


def alexnet(
    pretrained: bool = False, ctx: Contexts = CPU, root: str = ROOT, **kwargs: Unpack[Classes]
) -> HybridBlock:
    """Create an `AlexNet`.

    Parameters
    ----------
    pretrained : bool, default False
        Whether to load trained parameters from a file in `root`.
    ctx : Context, default cpu(0)
        The device of the parameters.
    root : str, optional
        See `model_store.get_model_file`.
    **kwargs
        Arguments of `AlexNet`.

    Returns
    -------
    AlexNet

    Raises
    ------
    DownloadError
        If the parameters are not in `root`; the message says which file to put there.

    Examples
    --------
    >>> from gluon.model_zoo import vision
    >>> net = vision.alexnet(classes=10)
    >>> len(net.features), net.output
    (13, Dense(None -> 10, linear))
    """
    return trained(AlexNet(**kwargs), "alexnet", pretrained, ctx, root)
