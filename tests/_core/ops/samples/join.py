"""Joining, repeating, padding and splitting."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np

from tests._core.ops.sample import Raw, Sample, s

DTYPES = ("float64", "float16", "int32", "int64", "int8", "uint8", "bool")
SPECIAL = "[[nan, inf, -inf], [-0.0, 1e-40, 3e38]]"
BOOLEANS = {"differs": "booleans are supported; MXNet raises"}
NEGATIVE = "negative axes are supported; MXNet raises"


def _joins() -> list[Sample]:
    """Joining and splitting."""
    found = []
    for dtype in DTYPES:
        x = f"2x3 natural {dtype}"
        more = {"rtol": 1e-3} if dtype[0] == "f" else {"wrt": ()}
        joined = more | (BOOLEANS if dtype == "bool" else {})
        found += [
            s("concat", x, x, dim=0).but(**joined),
            s("stack", x, x, axis=1).but(**more),
            s("concatenate", [x, x], axis=0).but(**joined),
        ]
    found += [s(name, SPECIAL, SPECIAL).but(kink=True) for name in ("concat", "stack")]
    found += [s("concat", "2x3x4", "2x3x4", dim=dim) for dim in (0, 2, -2, -3, 3, -4)]
    found += [s("stack", "2x3", "2x3", axis=axis) for axis in (0, 2, -2, -3, 3, -4)]
    promoted = {"differs": "dtypes promote", "right": lambda *xs: np.concatenate(xs, 1)}
    found += [
        s("concat", "3", "2", dim=0),
        s("concat", "3", "2"),
        s("concat", "3", "2", dim=-1),
        s("concat", "2x3", "2x3", "2x3", "2x3", "2x3", dim=1),
        s("concat", "2x3", "3", dim=0),
        s("concat", "2x3", "2x3x1"),
        s("concat", "2x3", "2x3 float64").but(wrt=(), **promoted),
        s("concat", "2x3", "2x3 int32").but(wrt=(), **promoted),
        s("concat", "2x1", "2x0"),
        s("concat", "2x3", "2x3", dim="x"),
        s("concat", "2x3", "2x3", num_args=2),
        s("concat", "2x3", "2x3", num_args=3),
        s("stack", "2x3", "2x3", num_args=1),
        s("concat"),
        s("concat", dim=0),
        s("stack", "1"),
        s("stack", "1", "1"),
        s("stack", "2x1", "2x1", num_args=2),
        s("stack", "3", "2"),
        s("stack", "2x3", "2x3 float64").but(
            wrt=(), differs="dtypes promote", right=lambda *xs: np.stack(xs)
        ),
        s("stack", "0x2", "0x2"),
        s("stack"),
        s("concatenate", ["3", "2"]),
        s("concatenate", ["2x3"]),
        s("concatenate", ["2x3"], always_copy=False),
        s("concatenate", ["2x3", "2x3"], axis=-1).but(
            differs=NEGATIVE, right=lambda xs: np.concatenate(xs, -1)
        ),
        s("concatenate", ["2x3", "4x2"]),
        s("concatenate", ["2x3", "2x3"], axis=2),
    ]
    for axis, count in (
        (0, 4),
        (0, 2),
        (1, 6),
        (1, 3),
        (2, 1),
        (-1, 2),
        (-3, 4),
        (3, 1),
        (-4, 1),
        (1, 0),
        (1, -2),
        (1, 5),
        (1, 12),
    ):
        found += [
            s("split", "4x6x2", axis=axis, num_outputs=count, squeeze_axis=squeeze)
            for squeeze in (False, True)
        ]
    for places in (
        2,
        3,
        6,
        1,
        0,
        -1,
        4,
        (),
        (0,),
        (2, 4),
        (1, 1),
        (2, 1),
        (6,),
        (9,),
        (-1,),
        2.5,
        (0.5,),
    ):
        found.append(s("split_v2", "6x2", indices_or_sections=places))
    found += [
        s("split_v2", "2x4", indices_or_sections=(1, 2), axis=1),
        s("split_v2", "2x4", indices_or_sections=(1, 2), axis=-1),
        s("split_v2", "2x4", indices_or_sections=4, axis=-1, squeeze_axis=True),
        s("split_v2", "2x4", indices_or_sections=2, axis=1, squeeze_axis=True),
        s("split_v2", "2x4", indices_or_sections=2, axis=2),
        s("split_v2", "2x4", indices_or_sections="x"),
        s("split_v2", "6x2", indices_or_sections=[3]).but(
            differs="lists are supported", right=lambda x: np.split(x, [3])
        ),
        s("split", "0x4", num_outputs=2),
        s("split", "2x0", num_outputs=2),
    ]
    return found


def _copies() -> list[Sample]:
    """Repeating."""
    found = [
        s("tile", "2x3", reps=reps)
        for reps in ((2, 3), (1, 1), (2, 1, 2, 1), 2, (), (-1, 2), (0.5,), -1)
    ]
    found += [
        s("tile", "2x1x2", reps=(3,)),
        s("tile", "3", reps=(2,)),
        s("tile", "0x2", reps=(2, 2)),
    ]
    for axis in (None, 0, 1, -1, -2, 2, -3):
        found += [s("repeat", "2x3", repeats=count, axis=axis) for count in (1, 3)]
    found += [s("repeat", "2x3", repeats=count) for count in (0, -1, 1.5)]
    found.append(
        s("tile", "2x3", reps=(0, 2)).but(
            differs="an empty result is supported", right=lambda x: np.tile(x, (0, 2))
        )
    )
    found += [s("repeat", "0x2", repeats=2, axis=1), s("repeat", "1x1", repeats=4, axis=0)]
    return found


def _pads() -> list[Sample]:
    found = []
    for mode in ("constant", "edge", "reflect"):
        value = {"constant_value": 1.5} if mode == "constant" else {}
        calls = [("2x2x3x4", width) for width in WIDTHS]
        calls += [(f"1x1x2x2 natural {dtype}", (0, 0, 0, 0, 1, 1, 1, 1)) for dtype in DTYPES]
        calls += [
            ("1x2x2x3x2", (0, 0, 0, 0, 1, 1, 0, 2, 1, 0)),
            ("1x1x2x3", (0, 0, 0, 0, 1, 1)),
            ("2x3", (1, 1, 1, 1)),
            ("2x2x3", (0, 0, 0, 0, 1, 1)),
            ("[[[[nan, inf], [-inf, -0.0]]]]", (0, 0, 0, 0, 1, 1, 1, 1)),
        ]
        if mode != "reflect":  # which takes no more than there is to reflect
            calls.append(("1x1x1x2", (0, 0, 0, 0, 2, 2, 3, 3)))
        for x, width in calls:
            one = s("pad", x, mode=mode, pad_width=width, **value)
            one = one.but(rtol=1e-3, kink="nan" in x, wrt=() if "int" in x or "bool" in x else None)
            wide = width[:4] != (0, 0, 0, 0) or x in ("2x3", "2x2x3")
            other = wide or "int" in x or "bool" in x
            right = {"differs": ANY_PAD, "right": partial(_padded, mode, width)}
            found.append(one.but(**right) if other else one)
        found.append(
            s("pad", "1x1x2x3", mode=mode, pad_width=(0, 0, 0, 0, -1, 0, 0, 0), **value).but(
                differs="a width must be 0 or more; MXNet crops", refused=True
            )
        )
    return [
        *found,
        s("pad", "1x1x2x3", mode="symmetric", pad_width=(0,) * 8),
        s("pad", "1x1x2x3", mode="constant"),
        s("pad", "1x1x2x2", mode="constant", pad_width=(0, 0, 0, 0, 1, 1, 1, 1)),
    ]


ANY_PAD = "any number of axes and any dtype are supported; MXNet pads floats of 4 or 5 axes"
WIDTHS = [
    *((0,) * 8, (0, 0, 0, 0, 1, 1, 2, 2), (0, 0, 0, 0, 0, 1, 3, 0), (0, 0, 0, 0, 2, 0, 0, 0)),
    *((1, 0, 0, 0, 1, 1, 1, 1), (0, 0, 1, 1, 0, 0, 0, 0)),
]


def _padded(mode: str, width: tuple, x: Raw) -> Raw:
    pairs = list(zip(width[::2], width[1::2]))
    return np.pad(x, pairs, mode, **({"constant_values": 1.5} if mode == "constant" else {}))


EDGES = (None, -6, -2, 0, 3, 6)


def _slices() -> list[Sample]:
    """All combinations of begin, end and step on an axis of length 5."""
    found = []
    for begin, end, step in product(EDGES, EDGES, (None, 1, 2, -1, -2)):
        steps = {} if step is None else {"step": (step,)}
        found.append(s("slice", "5x2", begin=(begin,), end=(end,), **steps))
    for begin, end in product(EDGES[1:], EDGES):
        found.append(s("slice_axis", "2x5", axis=1, begin=begin, end=end))
    found += [s("slice_axis", "2x5", axis=axis, begin=0, end=1) for axis in (2, -3, "x")]
    found += [s("slice_axis", "2x5", axis=0, begin=begin, end=1) for begin in (None, 0.5)]
    for name, values in WRONG_SLICES.items():
        found += [s("slice", "2x3", **{"begin": (0, 0), "end": (1, 1), name: v}) for v in values]
    found.append(s("slice", "2x3", begin=0, end=1))
    return found


WRONG_SLICES = {
    "begin": [(0,), (0, 0, 0), (0.5, 0), "x"],
    "end": [(1,), (1, 1, 1), (0.5, 0)],
    "step": [(1,), (0, 1), (1.5, 1)],
}


def _slice_like() -> list[Sample]:
    found = [
        s("slice_like", "4x5x6", like, **attrs).but(wrt=(0,))
        for like, attrs in (
            ("2x3x4", {}),
            ("2x3x4", {"axes": ()}),
            ("2x3x4", {"axes": (1,)}),
            ("2x3x4", {"axes": (0, -1)}),
            ("2x3", {"axes": (0, 1)}),
            ("2x3", {}),
            ("2x9x4", {}),
            ("2x3x4", {"axes": (3,)}),
            ("2x3x4", {"axes": (-4,)}),
            ("2x3x4 int32", {}),
        )
    ]
    found.append(
        s("slice_like", "4x5x6", "2x3x4", axes=(0, 0)).but(
            wrt=(0,), differs="an axis is given twice", refused=True
        )
    )
    return found


SAMPLES = [
    *_joins(),
    *_copies(),
    *_pads(),
    *_slices(),
    *_slice_like(),
    s("concat", "2x3", "2x3"),
    s("concat", "2x3", "1x3", "4x3", dim=0),
    s("concat", "2x3x1", "2x3x2", dim=-1),
    s("concat", "2x3 float64"),
    s("concat", "2x3 integers int32", "2x1 integers int32"),
    s("Concat", "2x3 float16", "2x1 float16", dim=1).but(rtol=1e-3),
    s("concat", "2x3", "4x5", dim=0),
    s("concat", "0x3", "2x3", dim=0),
    s("concatenate", ["2x3", "4x3"], axis=0),
    s("concatenate", ["2x3", "2x1"], axis=1),
    s("stack", "2x3", "2x3"),
    s("stack", "2x3", "2x3", "2x3", axis=1),
    s("stack", "2x3", "2x3", axis=-1),
    s("stack", "3 integers int32", "3 integers int32"),
    s("stack", "2x3", "3x2").but(differs="MXNet ignores the second shape", refused=True),
    s("split", "2x4x3", num_outputs=2),
    s("split", "2x4x3", num_outputs=4, squeeze_axis=True),
    s("split", "2x4x3", num_outputs=1, axis=0),
    s("SliceChannel", "2x4x3", num_outputs=3, axis=-1),
    s("split", "2x4x3", num_outputs=3),
    s("split", "4 integers int32", num_outputs=2, axis=0),
    s("split_v2", "5x2", indices_or_sections=(1, 3)),
    s("split_v2", "4x2", indices_or_sections=2),
    s("split_v2", "2x3", indices_or_sections=3, axis=1, squeeze_axis=True),
    s("tile", "2x3", reps=(2,)),
    s("tile", "2x3", reps=(2, 1, 3)),
    s("tile", "3", reps=(2, 2)),
    s("tile", "2x3 integers int32", reps=(1, 2)),
    s("tile", "2x1x3", reps=(2, 3)),
    s("repeat", "2x3", repeats=2),
    s("repeat", "2x3", repeats=2, axis=0),
    s("repeat", "2x3", repeats=2, axis=3),
    s("pad", "1x2x3x4", mode="constant", pad_width=(0, 0, 0, 0, 1, 2, 2, 0), constant_value=1.5),
    s("pad", "1x2x3x4", mode="edge", pad_width=(0, 0, 0, 0, 1, 2, 2, 0)),
    s("pad", "1x2x3x4", mode="reflect", pad_width=(0, 0, 0, 0, 1, 2, 2, 0)),
    s("Pad", "1x1x2x2x3", mode="constant", pad_width=(0, 0, 0, 0, 1, 0, 0, 1, 1, 1)),
    s("pad", "1x1x2x2x3", mode="edge", pad_width=(0, 0, 0, 0, 1, 0, 0, 1, 1, 1)),
    s("pad", "1x2x3x4", mode="wrap", pad_width=(0, 0, 0, 0, 1, 2, 2, 0)),
    s("pad", "1x2x3x4", mode="edge", pad_width=(1, 1)),
    s("slice", "4x5", begin=(1,), end=(3,)),
    s("slice", "4x5", begin=(1, None), end=(None, 4)),
    s("slice", "4x5", begin=(-3, 0), end=(-1, 5), step=(1, 2)),
    s("slice", "4x5", begin=(3, None), end=(0, None), step=(-1, -2)),
    s("slice", "4x5 integers int32", begin=(0, 1), end=(2, 3)),
    s("crop", "4x5", begin=(0, 0), end=(2, 2)),
    s("slice_axis", "4x5", axis=0, begin=1, end=3),
    s("slice_axis", "4x5", axis=-1, begin=-3, end=None),
    s("slice_axis", "4x5", axis=1, begin=0, end=-2),
    s("slice_like", "4x5", "2x3").but(wrt=(0,)),
    s("slice_like", "4x5", "2x7", axes=(0,)).but(wrt=(0,)),
    s("slice_like", "4x5", "7x2", axes=(-1,)).but(wrt=(0,)),
    # values as strings
    s("slice", "3x4", begin="(0, None)", end="(None, 3)"),
    s("concat", "2x3", "2x3", dim="0", num_args="2"),
    s("split", "2x4", num_outputs="2", axis="1", squeeze_axis="0"),
    s("repeat", "2x3", repeats="2", axis="1"),
    s("pad", "1x1x2x3", mode="reflect", pad_width=(0, 0, 0, 0, 0, 0, 3, 0)),
    s("pad", "1x1x2x3", mode="reflect", pad_width=(0, 0, 0, 0, 0, 2, 0, 0)),
    # what only gluon.np has
    *(
        s("F.pad", "3x4 float64", width=[(5, 0), (2, 9)], mode=mode).but(
            right=partial(np.pad, pad_width=[(5, 0), (2, 9)], mode=mode)
        )
        for mode in ("edge", "reflect", "symmetric", "wrap")
    ),
    s("F.pad_grad", "5", width=[(1, 2)], mode="edge").but(
        right=lambda x: np.array([x[0] + x[1], x[2:].sum()])
    ),
    s("F.roll", "3x4", shift=5).but(right=lambda x: np.roll(x, 5)),
    s("F.roll", "3x4", shift=(1, -2), axis=(0, 1)).but(right=lambda x: np.roll(x, (1, -2), (0, 1))),
    *(
        s("F.rot90", "2x3x4", k=k, axes=axes).but(right=partial(np.rot90, k=k, axes=axes))
        for k in (-1, 0, 1, 2, 7)
        for axes in ((0, 1), (2, 0))
    ),
    *(
        s("F.delete", "3x4", places=places, axis=axis).but(
            right=partial(np.delete, obj=places, axis=axis)
        )
        for places in (slice(1, 3), slice(0, 0), np.array([2, 0, 2]))
        for axis in (0, 1)
    ),
    s("F.scatter_along", "3x2", places=slice(1, 3), axis=1, size=4).but(
        right=lambda x: np.insert(x, [1, 1], 0, axis=1)
    ),
    s("F.scatter_along", "2x3", places=np.array([3, 0]), axis=0, size=4).but(
        right=lambda x: np.pad(x, [(1, 1), (0, 0)])
    ),
    s("F.insert", "2x3", "2x2", places=slice(1, 3), axis=1).but(
        right=lambda x, y: np.concatenate([x[:, :1], y, x[:, 1:]], 1)
    ),
    s("F.insert", "2x3", "2x3", places=np.array([3, 0]), axis=0).but(
        right=lambda x, y: np.stack([y[1], x[0], x[1], y[0]])
    ),
    s("F.unstack", "2x3", axis=1).but(right=lambda x: [x[:, 0], x[:, 1], x[:, 2]]),
    s("F.unstack", "3", axis=0).but(right=lambda x: [x[0], x[1], x[2]]),
]
