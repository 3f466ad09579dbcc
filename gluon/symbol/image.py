"""The functions of `gluon.nd.image` on symbols."""

from __future__ import annotations

from typing import Final

from .. import nd
from .compose import compose

adjust_lighting: Final = compose(nd.image.adjust_lighting, "_image_adjust_lighting")
crop: Final = compose(nd.image.crop, "_image_crop")
flip_left_right: Final = compose(nd.image.flip_left_right, "_image_flip_left_right")
flip_top_bottom: Final = compose(nd.image.flip_top_bottom, "_image_flip_top_bottom")
normalize: Final = compose(nd.image.normalize, "_image_normalize")
random_brightness: Final = compose(nd.image.random_brightness, "_image_random_brightness")
random_color_jitter: Final = compose(nd.image.random_color_jitter, "_image_random_color_jitter")
random_contrast: Final = compose(nd.image.random_contrast, "_image_random_contrast")
random_flip_left_right: Final = compose(
    nd.image.random_flip_left_right, "_image_random_flip_left_right"
)
random_flip_top_bottom: Final = compose(
    nd.image.random_flip_top_bottom, "_image_random_flip_top_bottom"
)
random_hue: Final = compose(nd.image.random_hue, "_image_random_hue")
random_lighting: Final = compose(nd.image.random_lighting, "_image_random_lighting")
random_saturation: Final = compose(nd.image.random_saturation, "_image_random_saturation")
resize: Final = compose(nd.image.resize, "_image_resize")
to_tensor: Final = compose(nd.image.to_tensor, "_image_to_tensor")
