"""Transforms of images, and of the boxes, masks and points on them."""

from . import functional as functional
from .transform import (
    BrightnessTransform as BrightnessTransform,
)
from .transform import (
    CenterCrop as CenterCrop,
)
from .transform import (
    ColorJitter as ColorJitter,
)
from .transform import (
    Compose as Compose,
)
from .transform import (
    ContrastTransform as ContrastTransform,
)
from .transform import (
    GaussianNoise as GaussianNoise,
)
from .transform import (
    HueTransform as HueTransform,
)
from .transform import (
    Lighting as Lighting,
)
from .transform import (
    Normalize as Normalize,
)
from .transform import (
    Pad as Pad,
)
from .transform import (
    RandomCrop as RandomCrop,
)
from .transform import (
    RandomHorizontalFlip as RandomHorizontalFlip,
)
from .transform import (
    RandomResize as RandomResize,
)
from .transform import (
    RandomResizedCrop as RandomResizedCrop,
)
from .transform import (
    RandomVerticalFlip as RandomVerticalFlip,
)
from .transform import (
    Resize as Resize,
)
from .transform import (
    SaturationTransform as SaturationTransform,
)
from .transform import (
    ShortestEdgeResize as ShortestEdgeResize,
)
from .transform import (
    ToMode as ToMode,
)
from .transform import (
    TorchTransformCompose as TorchTransformCompose,
)
from .transform import (
    VisionTransform as VisionTransform,
)
