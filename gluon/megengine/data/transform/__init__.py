"""Transforms of samples, for images above all."""

from .meta_transform import PseudoTransform as PseudoTransform
from .meta_transform import Transform as Transform
from .vision.transform import (
    BrightnessTransform as BrightnessTransform,
)
from .vision.transform import (
    CenterCrop as CenterCrop,
)
from .vision.transform import (
    ColorJitter as ColorJitter,
)
from .vision.transform import (
    Compose as Compose,
)
from .vision.transform import (
    ContrastTransform as ContrastTransform,
)
from .vision.transform import (
    GaussianNoise as GaussianNoise,
)
from .vision.transform import (
    HueTransform as HueTransform,
)
from .vision.transform import (
    Lighting as Lighting,
)
from .vision.transform import (
    Normalize as Normalize,
)
from .vision.transform import (
    Pad as Pad,
)
from .vision.transform import (
    RandomCrop as RandomCrop,
)
from .vision.transform import (
    RandomHorizontalFlip as RandomHorizontalFlip,
)
from .vision.transform import (
    RandomResize as RandomResize,
)
from .vision.transform import (
    RandomResizedCrop as RandomResizedCrop,
)
from .vision.transform import (
    RandomVerticalFlip as RandomVerticalFlip,
)
from .vision.transform import (
    Resize as Resize,
)
from .vision.transform import (
    SaturationTransform as SaturationTransform,
)
from .vision.transform import (
    ShortestEdgeResize as ShortestEdgeResize,
)
from .vision.transform import (
    ToMode as ToMode,
)
from .vision.transform import (
    TorchTransformCompose as TorchTransformCompose,
)
from .vision.transform import (
    VisionTransform as VisionTransform,
)
