"""Resizing and cropping."""

from __future__ import annotations

from tests._core.ops.sample import s

MODES = ("odd_scale", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up")
NEAREST = [
    *(
        s("UpSampling", data, scale=scale, sample_type="nearest")
        for data, scale in (("1x2x3x3", 2), ("1x2x2x3", 3), ("2x1x1x4", 1), ("1x1x1x1", 4))
    ),
    *(
        s("UpSampling", "1x2x2x3 " + kind, scale=2, sample_type="nearest").but(rtol=rtol)
        for kind, rtol in (("float64", 1e-12), ("float16", 2e-3))
    ),
    s("UpSampling", "1x2x2x3 integers int32", scale=2, sample_type="nearest").but(
        differs="MXNet takes floats only", right=lambda x: x.repeat(2, 2).repeat(2, 3)
    ),
    *(
        s("UpSampling", *data, scale=2, sample_type="nearest", num_args=len(data), **attrs)
        for data, attrs in (
            (("1x2x4x4", "1x3x2x2"), {}),
            (("1x2x4x4", "1x3x2x2", "1x1x8x8"), {"multi_input_mode": "concat"}),
            (("1x2x4x4", "1x2x2x2"), {"multi_input_mode": "sum"}),
            (("1x2x4x4", "1x2x4x4", "1x2x8x8"), {"multi_input_mode": "sum"}),
            (("1x2x4x4", "1x2x3x3"), {}),
            (("1x2x4x4", "1x3x2x2"), {"multi_input_mode": "sum"}),
            (("1x2x4x4", "1x1x2x2"), {"multi_input_mode": "sum"}),
            (("1x2x4x4", "2x2x2x2"), {}),
            (("1x2x4x4", "1x2x4x2"), {}),
        )
    ),
    s("UpSampling", "1x2x3x3", scale=0, sample_type="nearest"),
    s("UpSampling", "1x2x3x3", scale=-1, sample_type="nearest"),
    s("UpSampling", "2x3x3", scale=2, sample_type="nearest"),
    s("UpSampling", "1x2x3x3", scale=2, sample_type="cubic"),
    s("UpSampling", "1x2x3x3", scale=2, sample_type="nearest", multi_input_mode="mean"),
]
BILINEAR = [
    s(
        "UpSampling",
        f"1x{channels}x3x4",
        f"{channels}x1x{size}x{size}",
        scale=scale,
        sample_type="bilinear",
        num_filter=channels,
        num_args=2,
    )
    for channels, scale, size in ((1, 2, 4), (2, 2, 4), (2, 3, 5), (1, 4, 8), (1, 1, 1), (2, 2, 3))
]
CROPS = [
    *(
        s("Crop", "1x2x5x6", num_args=1, **attrs)
        for attrs in (
            {"offset": (1, 2), "h_w": (3, 2)},
            {"h_w": (5, 6)},
            {"h_w": (1, 1), "offset": (4, 5)},
            {"h_w": (3, 3), "center_crop": True},
            {"h_w": (2, 3), "center_crop": True},
            {"h_w": (3, 2), "offset": (3, 2)},
            {"h_w": (3, 2), "offset": (0, 5)},
            {"h_w": (6, 6)},
            {"h_w": (6, 6), "center_crop": True},
        )
    ),
    *(
        s("Crop", "1x2x5x6", like, num_args=2, **attrs).but(wrt=(0,))
        for like in ("1x1x3x4", "2x3x2x2", "1x1x6x6")
        for attrs in ({"offset": (1, 2)}, {"center_crop": True})
    ),
    s("Crop", "1x2x5x6 float64", h_w=(3, 2), num_args=1).but(
        differs="MXNet has float32 only", right=lambda x: x[:, :, :3, :2]
    ),
    s("Crop", "2x5x6", h_w=(3, 2), num_args=1),
    s("Crop", "1x2x5x6", h_w=(0, 0), num_args=1),
    s("Crop", "1x2x5x6", num_args=1),
    s("Crop", "1x2x5x6", h_w=(3, 2), offset=(-1, 0), num_args=1),
]
RESIZE = [
    *(
        s("contrib.BilinearResize2D", data, height=height, width=width, **attrs)
        for data, height, width in (
            ("1x2x3x4", 5, 6),
            ("1x2x4x4", 2, 3),
            ("1x2x4x4", 1, 1),
            ("2x1x3x3", 3, 3),
            ("1x1x1x1", 3, 2),
            ("1x1x5x1", 2, 4),
            ("1x1x7x6", 3, 11),
        )
        for attrs in ({}, {"align_corners": False})
    ),
    *(
        s("contrib.BilinearResize2D", "1x2x4x5", scale_height=h, scale_width=w, mode=mode)
        for h, w in ((2.0, 0.5), (1.5, 2.5), (0.3, 0.9))
        for mode in ("size", "odd_scale")
    ),
    *(
        s("contrib.BilinearResize2D", data, mode=mode)
        for data in ("1x1x4x5", "1x1x3x2")
        for mode in MODES[1:]
    ),
    s("contrib.BilinearResize2D", "1x2x4x5", "1x1x3x7", mode="like").but(wrt=(0,)),
    s("contrib.BilinearResize2D", "1x2x4x5", mode="like"),
    s("contrib.BilinearResize2D", "1x2x4x5", mode="odd_scale"),
    s("contrib.BilinearResize2D", "1x2x4x5", scale_height=2.0),
    s("contrib.BilinearResize2D", "1x2x4x5", height=2, width=3, mode="half"),
    s("contrib.BilinearResize2D", "1x2x4x5", height=0, width=3),
    s("contrib.BilinearResize2D", "1x2x4x5", height=-1, width=3),
    s("contrib.BilinearResize2D", "2x4x5", height=2, width=3),
    s("contrib.BilinearResize2D", "1x2x4x5 float64", height=2, width=3),
    s("contrib.BilinearResize2D", "1x2x4x5 float16", height=2, width=3).but(rtol=2e-3),
    s("contrib.BilinearResize2D", "1x2x4x5 integers int32", height=2, width=3),
]

TWICE = {"scale": 2, "sample_type": "nearest"}
#: data, the rest
SIZES: list[tuple[str, dict]] = [
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
    *NEAREST,
    *BILINEAR,
    *CROPS,
    *RESIZE,
    s("UpSampling", "1x2x2x3", "1x2x4x6", scale=4, sample_type="nearest", num_args=2),
    s("UpSampling", "1x2x4x4", "1x2x2x2", multi_input_mode="sum", num_args=2, **TWICE),
    s("UpSampling", "1x2x2x3 float64", num_args=1, **TWICE),
    s("UpSampling", "1x2x4x6", "1x1x2x3", multi_input_mode="sum", num_args=2, **TWICE),
    s("UpSampling", "1x2x4x6", "1x2x2x4", num_args=2, **TWICE),
    s("UpSampling", "2x3x4", num_args=1, **TWICE),
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
    *(s("contrib.BilinearResize2D", data, **attrs) for data, attrs in SIZES),
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
        refused=True, differs="MXNet returns an empty image"
    ),
]
