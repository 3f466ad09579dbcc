"""Inception v3: "Rethinking the Inception architecture", 2015."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._core.arrays import cpu
from ...block import HybridBlock
from ...nn import AvgPool2D, Dense, Dropout, MaxPool2D
from ...parameter.parameter import Contexts
from ..model_store import ROOT
from ._builders import Classes, Classifier, Layers, conv_norm_relu, parallel, sequence, trained

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...block.naming import Naming

__all__ = ["Inception3", "inception_v3"]

CPU = cpu()
WIDE, HIGH = (1, 7), (7, 1)
#: Two parallel kernels on the output of the previous layer.
SPLIT = [[(384, (1, 3))], [(384, (3, 1))]]


def _a(last: int) -> list[list]:
    return [
        [(64, 1)],
        [(48, 1), (64, 5)],
        [(64, 1), (96, 3), (96, 3)],
        ["mean", (last, 1)],
    ]


def _c(inner: int) -> list[list]:
    return [
        [(192, 1)],
        [(inner, 1), (inner, WIDE), (192, HIGH)],
        [(inner, 1), (inner, HIGH), (inner, WIDE), (inner, HIGH), (192, WIDE)],
        ["mean", (192, 1)],
    ]


_B: list[list] = [[(384, 3, 2)], [(64, 1), (96, 3), (96, 3, 2)], ["max"]]
_D: list[list] = [
    [(192, 1), (320, 3, 2)],
    [(192, 1), (192, WIDE), (192, HIGH), (192, 3, 2)],
    ["max"],
]
_E: list[list] = [
    [(320, 1)],
    [[(384, 1)], SPLIT],
    [[(448, 1), (384, 3)], SPLIT],
    ["mean", (192, 1)],
]
#: Channels, kernel, stride and padding of the first layers.
STEM: tuple[Any, ...] = (
    (32, 3, 2),
    (32, 3),
    (64, 3, 1, 1),
    "max",
    (80, 1),
    (192, 3),
    "max",
)
#: The branches of each module. A convolution is written as channels, kernel and stride, a pooling
#: as a word.
MODULES: dict[str, list[list[Any]]] = {
    "A1_": _a(32),
    "A2_": _a(64),
    "A3_": _a(64),
    "B_": _B,
    "C1_": _c(128),
    "C2_": _c(160),
    "C3_": _c(160),
    "C4_": _c(192),
    "D_": _D,
    "E1_": _E,
    "E2_": _E,
}


class Inception3(Classifier):
    """Inception v3: modules of parallel convolutions.

    Parameters
    ----------
    classes : int, default 1000
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Notes
    -----
    It expects images of 299 by 299 pixels.

    Examples
    --------
    >>> from gluon.model_zoo import vision
    >>> net = vision.Inception3(classes=10)
    >>> len(net.features), net.output
    (20, Dense(None -> 10, linear))
    """

    features: Any
    output: Dense

    def __init__(self, classes: int = 1000, **kwargs: Unpack[Naming]) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = sequence(_features())
            self.output = Dense(classes)


def _features() -> Layers:
    for row in STEM:
        yield MaxPool2D(3, 2) if row == "max" else _convolution(*row)
    for prefix, branches in MODULES.items():
        yield parallel(map(_branch, branches), prefix)
    yield AvgPool2D(8)
    yield Dropout(0.5)


def _branch(rows: list) -> HybridBlock:
    if rows[-1] is SPLIT:
        return sequence([_branch(rows[0]), parallel(map(_branch, SPLIT))])
    return sequence(map(_layer, rows))


def _layer(row: Any) -> HybridBlock:
    if row == "mean":
        return AvgPool2D(3, 1, 1)
    if row == "max":
        return MaxPool2D(3, 2)
    channels, kernel, *strides = row
    stride, pad = (*strides, 0) if strides else (1, _half(kernel))
    return _convolution(channels, kernel, stride, pad)


def _half(kernel: Any) -> Any:
    """Return the padding that keeps the size."""
    return tuple(one // 2 for one in kernel) if isinstance(kernel, tuple) else kernel // 2


def _convolution(channels: int, kernel: Any, stride: int = 1, pad: Any = 0) -> HybridBlock:
    return sequence(conv_norm_relu(channels, kernel, stride, pad, epsilon=0.001))


def inception_v3(
    pretrained: bool = False, ctx: Contexts = CPU, root: str = ROOT, **kwargs: Unpack[Classes]
) -> Inception3:
    """Create an `Inception3`.

    Parameters
    ----------
    pretrained : bool, default False
        Whether to load trained parameters from a file in `root`.
    ctx : Context, default cpu(0)
        The device of the parameters.
    root : str, optional
        See `model_store.get_model_file`.
    **kwargs
        ``classes`` and so on; see `Inception3`.

    Returns
    -------
    Inception3

    Raises
    ------
    DownloadError
        If the parameters are not in `root`; the message says which file to put there.

    Examples
    --------
    >>> from gluon.model_zoo import vision
    >>> net = vision.inception_v3(classes=10)
    >>> len(net.collect_params()), net.output
    (472, Dense(None -> 10, linear))
    """
    return trained(Inception3(**kwargs), "inceptionv3", pretrained, ctx, root)
