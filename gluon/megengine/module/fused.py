"""Layers under one name: a convolution or a linear layer, and what follows it."""

from __future__ import annotations

from inspect import signature
from typing import Any, Final, TypeVar

from .. import functional
from ..tensor import Tensor
from .layers import Conv2d, ConvTranspose2d, Linear
from .module import Module
from .normalization import BatchNorm1d, BatchNorm2d

__all__ = [
    "ConvBn2d",
    "ConvBnRelu2d",
    "ConvRelu2d",
    "ConvTransposeBn2d",
    "ConvTransposeBnRelu2d",
    "ConvTransposeRelu2d",
    "LinearBn1d",
    "LinearBnRelu1d",
    "LinearRelu",
]

K = TypeVar("K", bound=type)

DOC = """`{layer}` and {rest}.

    Parameters
    ----------
    {arguments}
        As for `{layer}`{norm}.

{raises}    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> import gluon.megengine.module as M
    >>> M.{name}({given})(F.ones({shape})).shape
    {result}
"""
RAISES = """    Raises
    ------
    CheckError
        If `padding_mode` is not one of 'zeros', 'reflect' and 'replicate', or a size is too small.

"""
#: What `BatchNorm2d` takes besides the channels.
NORM = ("eps", "momentum", "affine", "track_running_stats")


def _text(name: str, layer: Any, rest: str, norm: str, arguments: str, **example: str) -> str:
    words = {"layer": layer.__name__, "rest": rest, "norm": norm, "arguments": arguments}
    return DOC.format(name=name, raises="" if layer is Linear else RAISES, **words, **example)


def _arguments(layer: Any) -> str:
    """The names of what a layer takes."""
    return ", ".join([name for name in signature(layer).parameters if name != "kwargs"])


def _rectified(name: str, layer: K, **example: str) -> K:
    """`layer`, and a rectifier."""

    def forward(self: Any, inp: Any) -> Tensor:
        """Compute the output."""
        return functional.relu(layer.forward(self, inp))  # type: ignore[attr-defined]

    doc = _text(name, layer, "a rectifier", "", _arguments(layer), **example)
    made: Any = type(name, (layer,), {"forward": forward, "__doc__": doc, "__module__": __name__})
    return made


class _Normalized(Module):
    """A layer, kept as `_part`, then a normalization, and a rectifier or not."""

    bn: Any
    _part: str
    _layer: Any
    _norm: Any
    _rectified: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(kwargs.pop("name", None))
        options = {key: kwargs.pop(key) for key in NORM if key in kwargs}
        given = signature(self._layer.__init__).bind(self, *args, **kwargs).arguments
        channels = given.get("out_channels", given.get("out_features"))
        setattr(self, self._part, self._layer(*args, **kwargs))
        self.bn = self._norm(channels, **options)

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        y = self.bn(getattr(self, self._part)(inp))
        return functional.relu(y) if self._rectified else y


def _normalized(
    name: str, part: str, layer: Any, norm: Any, rectified: bool, **example: str
) -> type[_Normalized]:
    """`layer`, kept as `part`, then `norm`, and a rectifier or not."""
    rest = f"`{norm.__name__}`" + " and a rectifier" * rectified
    doc = _text(name, layer, rest, f" and `{norm.__name__}`", "*args, **kwargs", **example)
    own = {"_part": part, "_layer": layer, "_norm": norm, "_rectified": rectified}
    return type(name, (_Normalized,), {**own, "__doc__": doc, "__module__": __name__})


_CONV = {"given": "3, 4, 3", "shape": "(2, 3, 5, 5)", "result": "(2, 4, 3, 3)"}
_TRANSPOSED = {"given": "3, 4, 2", "shape": "(2, 3, 5, 5)", "result": "(2, 4, 6, 6)"}
_LINEAR = {"given": "3, 4", "shape": "(2, 3)", "result": "(2, 4)"}

ConvRelu2d: Final = _rectified("ConvRelu2d", Conv2d, **_CONV)
ConvTransposeRelu2d: Final = _rectified("ConvTransposeRelu2d", ConvTranspose2d, **_TRANSPOSED)
LinearRelu: Final = _rectified("LinearRelu", Linear, **_LINEAR)
ConvBn2d: Final = _normalized("ConvBn2d", "conv", Conv2d, BatchNorm2d, False, **_CONV)
ConvBnRelu2d: Final = _normalized("ConvBnRelu2d", "conv", Conv2d, BatchNorm2d, True, **_CONV)
ConvTransposeBn2d: Final = _normalized(
    "ConvTransposeBn2d", "conv_transpose2d", ConvTranspose2d, BatchNorm2d, False, **_TRANSPOSED
)
ConvTransposeBnRelu2d: Final = _normalized(
    "ConvTransposeBnRelu2d", "conv_transpose2d", ConvTranspose2d, BatchNorm2d, True, **_TRANSPOSED
)
LinearBn1d: Final = _normalized("LinearBn1d", "linear", Linear, BatchNorm1d, False, **_LINEAR)
LinearBnRelu1d: Final = _normalized(
    "LinearBnRelu1d", "linear", Linear, BatchNorm1d, True, **_LINEAR
)
