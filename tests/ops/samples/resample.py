"""Resizing and cropping."""

from __future__ import annotations

from tests.ops.sample import s

NEAREST = {"scale": 2, "sample_type": "nearest"}
#: data, the rest
RESIZES: list[tuple[str, dict]] = [
    ("1x2x3x4", {"height": 5, "width": 6}),
    ("1x2x4x4", {"height": 2, "width": 3}),
    ("1x2x5x4", {}),
    ("1x2x5x4", {"height": 3}),
    ("1x2x5x4", {"height": 3, "width": 9, "align_corners": False}),
    ("1x2x5x4 float64", {"height": 3, "width": 9, "align_corners": False}),
    ("1x2x5x4", {"height": 1, "width": 1, "align_corners": False}),
    ("1x2x1x1", {"height": 3, "width": 2}),
    ("1x2x5x4", {"scale_height": 2.0, "scale_width": 1.5}),
    ("1x2x5x4", {"scale_height": 0.4, "scale_width": 0.7, "height": 9, "width": 9}),
    ("1x2x5x10", {"scale_height": 1.4, "scale_width": 0.7, "align_corners": False}),
    ("1x2x5x4", {"mode": "odd_scale", "scale_height": 2.0, "scale_width": 2.0}),
    ("1x2x5x4", {"mode": "odd_scale", "scale_height": 0.4, "scale_width": 0.7}),
]

SAMPLES = [
    s("UpSampling", "1x2x3x3", scale=2, sample_type="nearest"),
    s("UpSampling", "1x2x2x3", scale=3, sample_type="nearest"),
    s("UpSampling", "1x2x4x4", "1x3x2x2", scale=2, sample_type="nearest", num_args=2),
    s("Crop", "1x2x5x6", offset=(1, 2), h_w=(3, 2), num_args=1),
    s("Crop", "1x2x5x6", "1x1x3x4", center_crop=True, num_args=2).but(wrt=(0,)),
    s("UpSampling", "1x2x2x3", "1x2x4x6", scale=4, sample_type="nearest", num_args=2),
    s("UpSampling", "1x2x4x4", "1x2x2x2", multi_input_mode="sum", num_args=2, **NEAREST),
    s("UpSampling", "1x2x2x3 float64", num_args=1, **NEAREST),
    s("UpSampling", "1x2x4x6", "1x1x2x3", multi_input_mode="sum", num_args=2, **NEAREST),
    s("UpSampling", "1x2x4x6", "1x2x2x4", num_args=2, **NEAREST),
    s("UpSampling", "2x3x4", num_args=1, **NEAREST),
    s("UpSampling", "1x2x2x3", scale=0, sample_type="nearest", num_args=1),
    *(
        s("UpSampling", data, weight, scale=scale, sample_type="bilinear", num_filter=3, num_args=2)
        for data, weight, scale in (
            ("2x3x3x4", "3x1x1x1", 1),
            ("2x3x3x4", "3x1x4x4", 2),
            ("1x3x2x3", "3x1x5x5", 3),
            ("1x3x2x3 float64", "3x1x4x4 float64", 2),
            ("1x3x2x3", "3x1x4x4", 3),
            ("1x3x2x3", "3x3x4x4", 2),
        )
    ),
    s("UpSampling", "1x3x2x3", "3x1x4x4", scale=2, sample_type="bilinear", num_filter=2),
    s("UpSampling", "1x3x2x3", scale=2, sample_type="bilinear", num_filter=3),
    *(s("contrib.BilinearResize2D", data, **attrs) for data, attrs in RESIZES),
    s("contrib.BilinearResize2D", "1x2x5x4 float16", height=3, width=9).but(rtol=2e-3),
    *(
        s("contrib.BilinearResize2D", "1x2x5x4", "3x1x3x7", mode="like", align_corners=corners)
        for corners in (True, False)
    ),
    *(
        s("contrib.BilinearResize2D", "1x2x5x4", mode=mode)
        for mode in ("to_even_down", "to_even_up", "to_odd_down", "to_odd_up")
    ),
    s("contrib.BilinearResize2D", "1x2x5x4", mode="like"),
    s("contrib.BilinearResize2D", "1x2x5x4", "1x2x3x3", height=3, width=3),
    s("contrib.BilinearResize2D", "1x2x5x4", "2x3x3", mode="like"),
    s("contrib.BilinearResize2D", "2x5x4", height=3, width=3),
    s("contrib.BilinearResize2D", "1x2x5x4", height=0, width=3),
    s("contrib.BilinearResize2D", "1x2x5x4", scale_height=2.0),
    s("contrib.BilinearResize2D", "1x2x5x4", scale_height=-1.0, scale_width=1.0),
    s("contrib.BilinearResize2D", "1x2x5x4", mode="odd_scale"),
    s("contrib.BilinearResize2D", "1x2x5x4", mode="cubic"),
    s("contrib.BilinearResize2D", "1x2x5x4 integers int32", height=3, width=3),
    s("contrib.BilinearResize2D", "1x2x5x4", scale_height=0.1, scale_width=1.0).but(
        refused=True, differs="MXNet makes an empty picture"
    ),
]
