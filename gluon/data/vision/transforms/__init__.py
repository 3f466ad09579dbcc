"""Image transforms: blocks for `Dataset.transform_first` and `Compose`."""

import typing as _typing

from .... import image  # noqa: F401  (a name of MXNet's module, as the four below)
from ...._core.hints.lookup import hinting as _hinting
from ....block import Block, HybridBlock  # noqa: F401
from ....nn import HybridSequential, Sequential  # noqa: F401
from .colours import (
    RandomBrightness,
    RandomColorJitter,
    RandomContrast,
    RandomGray,
    RandomHue,
    RandomLighting,
    RandomSaturation,
)
from .combinations import Compose, HybridCompose, HybridRandomApply, RandomApply
from .geometry import (
    CenterCrop,
    CropResize,
    RandomCrop,
    RandomFlipLeftRight,
    RandomFlipTopBottom,
    RandomResizedCrop,
    RandomRotation,
    Resize,
    Rotate,
)
from .values import Cast, Normalize, ToTensor

__all__ = [
    "Cast",
    "CenterCrop",
    "Compose",
    "CropResize",
    "HybridCompose",
    "HybridRandomApply",
    "Normalize",
    "RandomApply",
    "RandomBrightness",
    "RandomColorJitter",
    "RandomContrast",
    "RandomCrop",
    "RandomFlipLeftRight",
    "RandomFlipTopBottom",
    "RandomGray",
    "RandomHue",
    "RandomLighting",
    "RandomResizedCrop",
    "RandomRotation",
    "RandomSaturation",
    "Resize",
    "Rotate",
    "ToTensor",
]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
