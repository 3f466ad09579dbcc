"""Resizing and cropping."""

from __future__ import annotations

from tests.ops.sample import s

SAMPLES = [
    s("UpSampling", "1x2x3x3", scale=2, sample_type="nearest"),
    s("UpSampling", "1x2x2x3", scale=3, sample_type="nearest"),
    s("UpSampling", "1x2x4x4", "1x3x2x2", scale=2, sample_type="nearest", num_args=2),
    s("Crop", "1x2x5x6", offset=(1, 2), h_w=(3, 2), num_args=1),
    s("Crop", "1x2x5x6", "1x1x3x4", center_crop=True, num_args=2).but(wrt=(0,)),
    s("contrib.BilinearResize2D", "1x2x3x4", height=5, width=6),
    s("contrib.BilinearResize2D", "1x2x4x4", height=2, width=3),
]
