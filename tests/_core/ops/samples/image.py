"""Images."""

from __future__ import annotations

import numpy as np

from tests._core.ops.sample import Sample, s

BYTES = "4x6x3 index256 uint8"
FLOATS = "4x6x3 index256"
UNCHANGED = "MXNet passes the gradient on unchanged"
SIZES = {
    "larger": {"size": (7, 9)},
    "smaller": {"size": (4, 3)},
    "half": {"size": (3, 2)},
    "mixed": {"size": (4, 5)},
}


def resized(interp: int) -> list[Sample]:
    """An interpolation to several sizes, of bytes and of numbers."""
    found = [s("image.resize", BYTES, interp=interp, **size) for size in SIZES.values()]
    found += [
        s("image.resize", FLOATS, interp=interp, **size).but(
            differs_grad="MXNet raises: its gradient has the shape of the output"
        )
        for size in SIZES.values()
    ]
    return found


def right_saturation(factor: float):
    def right(x):
        grey = (x @ np.array([0.299, 0.587, 0.114], x.dtype))[..., None]
        return (grey * np.float32(1 - factor) + x * np.float32(factor)).astype(x.dtype)

    return right


def flipped(op: str, picture: str, axis: int) -> Sample:
    """A flip along an axis of odd length, whose middle MXNet forgets."""
    return s(op, picture).but(
        differs="MXNet leaves the middle line uninitialized if the number of lines is odd",
        right=lambda x: np.flip(x, axis),
    )


def one_factor(op: str, *pictures: str, factors: tuple = (0.0, 0.4, 1.0, 1.7)) -> list[Sample]:
    return [
        s(f"image.random_{op}", picture, min_factor=factor, max_factor=factor).but(
            differs_grad=UNCHANGED
        )
        for picture in pictures
        for factor in factors
    ]


SAMPLES = [
    # --------------------------------------------------------------- to_tensor, normalize
    s("image.to_tensor", BYTES),
    s("image.to_tensor", "2x3x2x1 index256 uint8"),
    s("image.to_tensor", "2x3x5 integers int8"),
    s("image.to_tensor", "3x2x4 index256 int64"),
    s("image.to_tensor", "3x2x3 float16").but(kink=True),
    # float32 whatever comes in: finite differences of it mean nothing.
    s("image.to_tensor", "2x3x2x4 float64").but(kink=True, differs_grad="MXNet raises"),
    s("image.to_tensor", FLOATS).but(kink=True, differs_grad="MXNet raises"),
    s("image.to_tensor", "[[[nan, inf, -inf]]]").but(kink=True, differs_grad="MXNet raises"),
    s("image.to_tensor", "4x6"),
    s("image.to_tensor", "1x1x2x2x3"),
    s("image.normalize", "3x4x2", mean=(0.1, 0.2, 0.3), std=(0.5, 2.0, 3.0)),
    s("image.normalize", "2x3x2x2", mean=(0.1, 0.2, 0.3), std=(2.0,)),
    s("image.normalize", "2x1x2x2", mean=(0.5,), std=(0.25,)),
    s("image.normalize", "3x2x2 float64", mean=0.5, std=(1.0, 2.0, 4.0)),
    s("image.normalize", "3x2x2 float16", mean=0.5, std=0.25),
    s("image.normalize", "3x2x2 index256 uint8", mean=0.0, std=(2.0, 3.0, 7.0)),
    s("image.normalize", "3x2x2 index256 int32", mean=(100.0, 7.0, 0.0), std=3.0),
    s("image.normalize", "1x2x2", mean=1.0, std=0.0).but(kink=True, wrt=()),
    s("image.normalize", "3x2x2 positive", mean=(1.0, 2.0, 3.0)).but(
        differs="MXNet's default has 4 channels, which raises",
        right=lambda x: x - np.array([1, 2, 3], x.dtype)[:, None, None],
    ),
    s("image.normalize", "3x2x2", std=2.0).but(
        differs="MXNet's default has 4 channels, which raises", right=lambda x: x / 2
    ),
    s("image.normalize", "3x2x2", mean=(1.0, 2.0), std=1.0),
    s("image.normalize", "1x2x2", mean=(1.0, 2.0, 3.0), std=1.0),
    s("image.normalize", "2x2x2", mean=1.0, std=1.0),
    s("image.normalize", "2x2", mean=1.0, std=1.0),
    s("image.normalize", "[[[0, 255]]] uint8", mean=9.0, std=0.5).but(
        differs="MXNet's values wrap around",
        right=lambda x: np.array([[[0, 255]]], x.dtype),
    ),
    s("F.saturate", "[3.9, -3.9, 1e20, -1e20, inf, nan]", dtype="int32").but(
        wrt=(), right=lambda x: np.array([3, -3, 2147483520, -(2**31), 2147483520, 0], "int32")
    ),
    s("F.saturate", "[-0.5, 255.9, 256, -1] float64", dtype="uint8").but(
        wrt=(), right=lambda x: np.array([0, 255, 255, 0], "uint8")
    ),
    # ------------------------------------------------------------------------------ resize
    *(sample for interp in range(5) for sample in resized(interp)),
    s("image.resize", "5x7x1 index256 uint8", size=(14, 10)),
    s("image.resize", "5x7x2 index256 uint8", size=3),
    s("image.resize", "4x4x2 index256 uint8", size=2, interp=3),
    s("image.resize", "4x4x5 index256 uint8", size=2, interp=3),
    s("image.resize", "6x9x3 index256 uint8", size=(3, 2), interp=3),
    s("image.resize", "4x10x3 index256 uint8", size=(5, 8), interp=3),
    s("image.resize", "9x11x4 index256 uint8", size=(5, 16), interp=4),
    s("image.resize", "[[[216]], [[88]]] uint8", size=(9, 4), interp=2).but(
        differs="OpenCV rounds halves to even, and up at the end of a row",
        right=lambda x: np.repeat([[230], [187], [117], [75]], 9, 1)[..., None].astype("uint8"),
    ),
    s("image.resize", "2x4x5x3 index256 uint8", size=(3, 7)),
    s("image.resize", "2x4x5x3", size=(3, 7), interp=2).but(differs_grad="MXNet raises"),
    s("image.resize", "2x4x6x3", size=(3, 2), interp=3).but(differs_grad="MXNet raises"),
    s("image.resize", "1x1x3 index256 uint8", size=(4, 3)),
    s("image.resize", "1x5x3 index256 uint8", size=(1, 1), interp=4),
    s("image.resize", "1x1x2", size=(4, 3), interp=2).but(differs_grad="MXNet raises"),
    s("image.resize", "5x4x3 float64", size=(6, 3)).but(differs_grad="MXNet raises"),
    s("image.resize", FLOATS, size=(6, 4)).but(differs_grad="MXNet raises"),
    s("image.resize", BYTES, size=5, keep_ratio=True),
    s("image.resize", "6x4x3 index256 uint8", size=(5,), keep_ratio=True),
    s("image.resize", "2x3x10x1 index256 uint8", size=5, keep_ratio=True),
    s("image.resize", BYTES, size=(5, 7), keep_ratio=True),
    s("image.resize", BYTES, size=4, keep_ratio=True),
    s("image.resize", "4x6x3 index256 int32", size=(3, 3), interp=0),
    s("image.resize", "4x6x3 index256 int32", size=(3, 3)),
    s("image.resize", "4x6x3 integers int8", size=(3, 3), interp=4).but(
        differs="MXNet reads past the end", refused=True
    ),
    s("image.resize", "4x6x3 float16", size=(3, 3)),
    s("image.resize", "[[[nan], [1], [inf], [2]]]", size=(7, 1)).but(kink=True, wrt=()),
    s("image.resize", FLOATS, size=(0, 3)),
    s("image.resize", FLOATS, size=-1),
    s("image.resize", FLOATS, size=(3, 2, 1)),
    s("image.resize", FLOATS, size=()),
    s("image.resize", FLOATS, size=(3, 2), interp=9),
    s("image.resize", "4x6", size=(3, 2)),
    # -------------------------------------------------------------------------------- crop
    s("image.crop", BYTES, x=1, y=2, width=3, height=2),
    s("image.crop", FLOATS, x=0, y=0, width=6, height=4),
    s("image.crop", "2x4x5x1", x=4, y=3, width=1, height=1),
    s("image.crop", "3x3x3 float64", x=1, y=0, width=2, height=3),
    s("image.crop", "3x3x3 float16", 0, 1, 2, 2),
    s("image.crop", FLOATS, x=4, y=0, width=3, height=2),
    s("image.crop", FLOATS, x=0, y=3, width=3, height=2),
    s("image.crop", FLOATS, x=0, y=0, width=0, height=2),
    s("image.crop", FLOATS, x=0, y=0, width=2, height=-1),
    s("image.crop", "4x6x2", x=0, y=0, width=2, height=2),
    s("image.crop", "4x6", x=0, y=0, width=2, height=2),
    s("image.crop", FLOATS, x=-1, y=0, width=2, height=2).but(
        differs="MXNet reads outside the array", refused=True
    ),
    # ------------------------------------------------------------------------------- flips
    s("image.flip_left_right", BYTES),
    s("image.flip_left_right", "3x4x1").but(differs_grad=UNCHANGED),
    s("image.flip_left_right", "2x2x3 float64").but(differs_grad=UNCHANGED),
    s("image.flip_left_right", "2x2x3 float16").but(differs_grad=UNCHANGED),
    flipped("image.flip_left_right", "2x5x3", 1),
    s("image.flip_left_right", "2x2x2"),
    s("image.flip_left_right", "2x2x2x3"),
    s("image.flip_top_bottom", BYTES),
    s("image.flip_top_bottom", "4x3x1").but(differs_grad=UNCHANGED),
    flipped("image.flip_top_bottom", "3x2x3", 0),
    s("image.flip_top_bottom", "2x2x4"),
    s("image.flip_top_bottom", "2x2"),
    # Images that look the same in the mirror.
    s("image.random_flip_left_right", "[[[1, 2, 3], [1, 2, 3]]] uint8"),
    s("image.random_flip_left_right", "2x2x2"),
    s("image.random_flip_top_bottom", "[[[1, 2, 3]], [[1, 2, 3]]] uint8"),
    s("image.random_flip_top_bottom", "2x2x2x3"),
    # ----------------------------------------------------------------------------- colours
    *one_factor("brightness", FLOATS, BYTES),
    *one_factor(
        "brightness", "2x3x1 float64", "2x3x3 float16", "2x3x1 index256 int32", factors=(1.3,)
    ),
    *one_factor("contrast", FLOATS, BYTES),
    *one_factor("contrast", "2x3x1", "2x3x3 float64", "2x3x1 index256 uint8", factors=(1.3,)),
    *(
        # A level may be one off: both drop the fractions of values near integers.
        one.but(rtol=5e-3)
        for one in one_factor("hue", FLOATS, BYTES, factors=(0.0, 0.1, 0.5, 0.9, 2.3))
    ),
    *one_factor("hue", "4x5x3", "2x3x3 float64 unit", "2x3x3 float16 positive", factors=(0.3,)),
    *one_factor(
        "hue", "[[[7, 7, 7], [0, 0, 0], [255, 255, 255], [255, 0, 255]]] uint8", factors=(0.3,)
    ),
    *one_factor("saturation", "2x3x1", "2x3x1 index256 uint8", factors=(0.4,)),
    *one_factor("saturation", FLOATS, BYTES, "2x2x3 float64", factors=(1.0,)),
    *(
        s("image.random_saturation", picture, min_factor=factor, max_factor=factor).but(
            differs="MXNet uses only the blue channel", right=right_saturation(factor)
        )
        for picture in (FLOATS, "2x3x3 positive float64")
        for factor in (0.0, 0.4, 1.7)
    ),
    s("image.random_hue", "2x3x1 index256 uint8", min_factor=0.3, max_factor=0.5).but(
        differs="MXNet returns uninitialized memory", right=lambda x: x
    ),
    s("image.random_color_jitter", FLOATS, brightness=0, contrast=0, saturation=0, hue=0).but(
        differs="MXNet returns uninitialized memory", right=lambda x: x
    ),
    s("image.random_color_jitter", "2x2x2", 0.1, 0.1, 0.1, 0.1),
    s("image.random_color_jitter", FLOATS, brightness=-1, contrast=0, saturation=0, hue=0).but(
        differs="an error, since it cannot be negative", refused=True
    ),
    s("image.adjust_lighting", FLOATS, alpha=(0.1, -0.2, 0.3)).but(differs_grad=UNCHANGED),
    s("image.adjust_lighting", BYTES, alpha=(-1.0, 0.2, 0.3)),
    s("image.adjust_lighting", "2x3x3 float64", alpha=(0.0, 0.0, 0.0)).but(differs_grad=UNCHANGED),
    s("image.adjust_lighting", "2x3x1", alpha=(0.1, 0.2, 0.3)).but(
        differs="MXNet returns uninitialized memory", right=lambda x: x
    ),
    s("image.adjust_lighting", FLOATS, alpha=(0.1, 0.2)),
    s("image.adjust_lighting", FLOATS, alpha=(0.1, 0.2, 0.3, 0.4)).but(
        differs="MXNet drops the fourth channel", refused=True
    ),
    s("image.random_lighting", FLOATS, alpha_std=0.0).but(differs_grad=UNCHANGED),
    s("image.random_lighting", BYTES, 0),
    s("image.random_lighting", "2x2x2"),
    s("image.random_lighting", FLOATS, alpha_std=-1.0).but(
        differs="an error, since it cannot be negative", refused=True
    ),
    *(s(f"image.random_{op}", FLOATS, -1.0, 1.0) for op in ("brightness", "hue")),
    *(s(f"image.random_{op}", FLOATS, -2.0, -1.0) for op in ("contrast", "saturation")),
    *(s(f"image.random_{op}", "2x2x2", 1, 1) for op in ("brightness", "contrast", "saturation")),
    s("image.random_hue", "4x5", 1, 1),
    s("image.random_brightness", "[[[100, -100, 50]]] int8", min_factor=1.5, max_factor=1.5).but(
        differs="MXNet's values wrap around",
        right=lambda x: np.array([[[127, -128, 75]]], "int8"),
    ),
    s("image.random_brightness", FLOATS, min_factor=2.0, max_factor=1.0).but(
        differs="an error, since the lower bound is above the upper", refused=True
    ),
]
