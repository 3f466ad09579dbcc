"""Functions that change the shape or the order of elements."""

from __future__ import annotations

from itertools import product

import numpy as np

from tests._core.ops.sample import Sample, s

DTYPES = ("float64", "float16", "int32", "int64", "int8", "uint8", "bool")
SPECIAL = "[[nan, inf, -inf], [-0.0, 1e-40, 3e38]]"
#: One call of each, for what they have in common: they move values of any dtype untouched.
CALLS: dict[str, dict] = {
    "reshape": {"shape": (3, 2)},
    "Reshape": {"shape": (-1,)},
    "flatten": {},
    "Flatten": {},
    "transpose": {},
    "swapaxes": {"dim1": 0, "dim2": 1},
    "SwapAxis": {"dim1": 1, "dim2": 0},
    "expand_dims": {"axis": 1},
    "squeeze": {},
    "broadcast_to": {"shape": (2, 3)},
    "broadcast_axis": {"axis": 0, "size": 2},
    "flip": {"axis": 1},
    "reverse": {"axis": (0, 1)},
    "tile": {"reps": (2, 2)},
    "repeat": {"repeats": 2, "axis": 1},
    "slice": {"begin": (0, 1), "end": (2, 3)},
    "crop": {"begin": (0, 1), "end": (2, 3)},
    "slice_axis": {"axis": 1, "begin": 1, "end": 3},
    "split": {"num_outputs": 3},
    "SliceChannel": {"num_outputs": 2, "axis": 0},
    "split_v2": {"indices_or_sections": (1,)},
    "shape_array": {},
    "size_array": {},
}
#: MXNet moves no booleans with these.
NO_BOOLEANS = {
    *("transpose", "swapaxes", "SwapAxis", "broadcast_axis", "flip", "reverse", "slice_axis"),
    *("split", "SliceChannel", "split_v2"),
}
BOOLEANS = {"differs": "booleans are supported; MXNet raises"}
NEGATIVE = "negative axes are supported; MXNet raises"
TWICE = {"differs": "an axis is given twice; MXNet returns an unspecified result", "refused": True}


def _values() -> list[Sample]:
    """Every function on every dtype, and on values that arithmetic would change."""
    found = []
    for name, attrs in CALLS.items():
        shape = "1x3" if name == "broadcast_axis" else "2x3"
        constant = name.endswith("_array")
        for dtype in DTYPES:
            floating = dtype.startswith("float") and not constant
            about: dict = {"rtol": 1e-3} if floating else {"wrt": ()}
            if dtype == "bool" and name in NO_BOOLEANS:
                about |= BOOLEANS
            found.append(s(name, f"{shape} natural {dtype}", **attrs).but(**about))
        special = SPECIAL if shape == "2x3" else "[[nan, -0.0, inf]]"
        found.append(s(name, special, **attrs).but(kink=True, wrt=() if constant else (0,)))
    return found


CODES = (0, -1, -2, -3, 6)


def _reshape() -> list[Sample]:
    found = [
        s("reshape", "2x3x4", shape=codes, reverse=reverse)
        for n in (1, 2, 3)
        for codes in product(CODES, repeat=n)
        for reverse in (False, True)
    ]
    split = [(-4, 1, 2, 0, 0), (-4, -1, 2, -2), (-4, 2, 2, -2), (-4, -1, -1, -2), (-4, 2)]
    split += [(0, 0, -4, 2, 2), (-3, -4, 2, 2), (-2, -3), (0, 0, 0, 0), (0, 0, 0, 1), (-5,)]
    split += [(24, 1), (1, -1, 1), (2, 0, 4), (), 24, (2.5,), "x"]
    found += [s("reshape", "2x3x4", shape=codes) for codes in split]
    return [one.but(**INFERS.get(_codes(one), {})) for one in found] + [
        s("reshape", "2x3x4", shape=(0, -4, 3, -1, -1)).but(
            differs=INFERRED, right=lambda x: x.reshape(2, 3, 1, 4)
        )
    ]


def _codes(sample: Sample) -> tuple:
    codes = sample.attrs["shape"]
    return codes, sample.attrs.get("reverse", False)


INFERRED = "1 is inferred where -2 took all lengths; MXNet raises"
#: Codes that MXNet refuses, and whether they are read from the right: the inferred axis has one.
INFERS: dict[tuple, dict] = {
    **{
        (codes, False): {"differs": INFERRED, "right": lambda x: x.reshape(2, 3, 4, 1)}
        for codes in ((-2, -1), (0, -2, -1), (-2, -1, -2), (-2, -2, -1))
    },
    **{
        (codes, True): {"differs": INFERRED, "right": lambda x: x.reshape(1, 2, 3, 4)}
        for codes in ((-1, -2), (-1, -2, 0), (-1, -2, -2), (-2, -1, -2))
    },
}


def _others() -> list[Sample]:
    found = []
    for axes in product((0, 1, 2), repeat=3):
        one = s("transpose", "2x3x4", axes=axes)
        found.append(one if len(set(axes)) == 3 else one.but(**TWICE))
    for axes in ((0, 1, -1), (0, -1, 1), (-3, -1, -2)):
        found.append(
            s("transpose", "2x3x4", axes=axes).but(
                differs=NEGATIVE, right=lambda x, axes=axes: x.transpose(axes)
            )
        )
    found += [
        s("transpose", "2x3", axes=axes) for axes in ((), (1,), (0, 2), (1, 0), (-1, 1), (0.5, 1))
    ]
    found += [s("transpose", "2x1x3x1x2", axes=axes) for axes in ((), (4, 2, 0, 1, 3))]
    for one, two in product((-4, -3, -1, 0, 2, 3), repeat=2):
        found.append(s("swapaxes", "2x3x4", dim1=one, dim2=two))
    found += [s("expand_dims", "2x3", axis=axis) for axis in (-2, -3, -4, 3, "x")]
    found += [
        s("squeeze", "1x2x1", axis=axis)
        for axis in (None, (), 0, 2, -1, -3, (0, -1), (0, 0), 1, 3, (0, 1), "x")
    ]
    found += [s("squeeze", "1x1x1", axis=axis) for axis in (None, 0, (0, 1), (0, 1, 2))]
    found += [s("flip", "2x3x4", axis=axis) for axis in (0, 2, (0, 1, 2), (1,), (), -4, None)]
    found += [
        s("flip", "2x3x4", axis=-1).but(differs=NEGATIVE, right=lambda x: x[:, :, ::-1]),
        s("flip", "2x3x4", axis=(0, 0)).but(**TWICE),
        *(s("moveaxis", "2x3x4", *ends) for ends in MOVES),
    ]
    found += _broadcasts() + _likes()
    return found


MOVES = [
    *((0, -1), (2, 0), (-1, 1), (1, 1), ((0, 1), (-1, 0)), ((2, 0), (0, 1)), (0, 5), (-4, 0)),
    *(((0, 0), (1, 0)), ((0, 1), (1,)), ((0, 1), (1, 1)), ("x", 0)),
]


def _broadcasts() -> list[Sample]:
    found = [
        s("broadcast_to", x, shape=shape)
        for x, shape in (
            ("1x3x1", (2, 0, 4)),
            ("1x3x1", (0, 0, 0)),
            ("1x1x1x1x1", (2, 1, 2, 1, 2)),
            ("2x3", (3,)),
            ("2x3", (1, 3)),
            ("2x3", (2, -1)),
            ("1x3", ()),
            ("1", (4,)),
            ("0x1", (0, 3)),
        )
    ]
    found += [
        s("broadcast_axis", "1x3x1", axis=axis, size=size)
        for axis, size in (
            ((2, 0), (4, 2)),
            (0, 1),
            (3, 2),
            (-4, 2),
            ((0, 0), (2, 2)),
            ((0, 2), 2),
            ((0, 2), (2,)),
            (0, 0),
            (0, -1),
            ((), ()),
        )
    ]
    found += [
        s("broadcast_axes", "1x3", axis=0, size=2),
        s("broadcast_axes", "1x3 float16", axis=0, size=2).but(rtol=1e-3),
    ]
    found += [
        s("broadcast_like", x, y, **attrs).but(wrt=(0,))
        for x, y, attrs in (
            ("1x3x1", "2x3x4", {}),
            ("1", "4", {}),
            ("1x3", "2x4", {}),
            ("2x3", "1x3", {}),
            ("1x3", "2x5", {"lhs_axes": (0,), "rhs_axes": (1,)}),
            ("1x3", "2x5", {"lhs_axes": (-2,), "rhs_axes": (-1,)}),
            ("1x1", "2x5", {"lhs_axes": (0, 1), "rhs_axes": (1, 0)}),
            ("1x3", "2x5", {"lhs_axes": (1,), "rhs_axes": (1,)}),
            ("1x3", "2x5", {"lhs_axes": (0, 1), "rhs_axes": (0,)}),
            ("1x3", "2x5", {"lhs_axes": (2,), "rhs_axes": (0,)}),
            ("1x3", "2x5", {"lhs_axes": (0,)}),
            ("1x3", "2x3 int32", {}),
            ("1x3 int32", "2x3", {}),
        )
    ]
    found = [one.but(wrt=()) if "int32" in one.inputs[0] else one for one in found]
    wider = {"differs": "as in NumPy; MXNet requires the same number of axes"}
    return [
        *found,
        s("broadcast_axis", "1x3x1", axis=(-3, -1), size=(2, 4)).but(
            differs=NEGATIVE, right=lambda x: np.broadcast_to(x, (2, 3, 4))
        ),
        s("broadcast_to", "3", shape=(2, 3)).but(
            **wider, right=lambda x: np.broadcast_to(x, (2, 3))
        ),
        s("broadcast_like", "3", "2x3").but(
            **wider, wrt=(0,), right=lambda x, y: np.broadcast_to(x, (2, 3))
        ),
    ]


def _likes() -> list[Sample]:
    found = [
        s("reshape_like", x, y, **attrs).but(wrt=(0,))
        for x, y, attrs in (
            ("2x3x4", "4x6", {}),
            ("2x12", "2x3x4", {"lhs_begin": 1, "lhs_end": 2, "rhs_begin": 1, "rhs_end": 3}),
            ("2x12", "2x3x4", {"lhs_begin": -1, "rhs_begin": -2}),
            ("2x12", "2x3x4", {"lhs_begin": 1, "lhs_end": None, "rhs_begin": 1, "rhs_end": None}),
            ("6x4", "2x3x9", {"lhs_begin": 0, "lhs_end": 1, "rhs_begin": 0, "rhs_end": -1}),
            ("2x3", "3x3", {}),
            ("2x3", "3x2", {"lhs_begin": 3}),
            ("2x3", "3x2", {"rhs_end": 5}),
            ("2x3", "3x2", {"lhs_begin": 2, "lhs_end": 1}),
            ("2x3", "1x6 int32", {}),
        )
    ]
    found += [s("shape_array", x).but(wrt=()) for x in ("1", "2x1x3x4", "3 int8")]
    found += [s("size_array", x).but(wrt=()) for x in ("1", "2x1x3x4", "3 int8")]
    found += [s("shape_array", "0x3").but(wrt=()), s("size_array", "0x3").but(wrt=())]
    return found


SAMPLES = [
    *_values(),
    *_reshape(),
    *_others(),
    *(
        s("reshape", "2x3x4", shape=shape)
        for shape in [
            (24,),
            (4, 6),
            (-1, 2),
            (0, -1),
            (-2,),
            (-3, 4),
            (-4, 1, 2, -2),
            (0, -4, -1, 3, 4),
        ]
    ),
    s("reshape", "10x5x4", shape=(-1, 0), reverse=True),
    s("reshape", "2x3 integers int32", shape=(3, 2)),
    s("reshape", "2x3 float16", shape=(3, 2)),
    s("reshape", "2x3", shape=(4, 2)).but(
        differs="MXNet reads past the end of the array", refused=True
    ),
    s("reshape", "2x3", shape=(-1, 4)).but(differs="MXNet drops values", refused=True),
    s("reshape", "0x3", shape=(3, -1)).but(right=lambda x: np.zeros((3, 0), x.dtype)),
    s("Reshape", "2x3", shape=(6,)),
    s("Reshape", "2x3x4", target_shape=(4, 0)),
    s("Reshape", "2x3x4", target_shape=(5, 0), keep_highest=True),
    s("Reshape", "2x3x4", shape=(4, 6), target_shape=(6, 4), keep_highest=True),
    s("Reshape", "2x3x4", target_shape=(5, 5)),
    s("reshape", "2x3x4", target_shape=(0, 0)),
    s("reshape_like", "2x3", "3x2").but(wrt=(0,)),
    s("reshape_like", "6", "2x3").but(wrt=(0,)),
    s("reshape_like", "6x2", "2x3x5", lhs_begin=0, lhs_end=1, rhs_begin=0, rhs_end=2).but(wrt=(0,)),
    s("reshape_like", "2x3", "5x2").but(wrt=(0,)),
    s("flatten", "2x3x4"),
    s("flatten", "3"),
    s("Flatten", "2x3 float64"),
    s("flatten", "0x3x2"),
    s("transpose", "2x3x4"),
    s("transpose", "2x3x4 float16", axes=(2, 0, 1)).but(rtol=1e-3),
    s("transpose", "3 integers int32"),
    s("transpose", "2x3", axes=(0, 0)).but(differs="MXNet crashes", refused=True),
    s("transpose", "2x3", axes=(0, 1, 2)),
    s("transpose", "0x3"),
    s("SwapAxis", "2x3x4", dim1=1, dim2=0),
    s("swapaxes", "2x3", dim1=0, dim2=5),
    s("expand_dims", "2x3", axis=0),
    s("expand_dims", "2x3", axis=1),
    s("expand_dims", "2x3", axis=-1),
    s("expand_dims", "2x3 integers int64", axis=2),
    s("expand_dims", "2x3", axis=4),
    s("squeeze", "1x2x1x3"),
    s("squeeze", "1x2x1x3", axis=0),
    s("squeeze", "1x2x1x3", axis=(0, 2)),
    s("squeeze", "1x2x1x3", axis=-2),
    s("squeeze", "1x1"),
    s("squeeze", "2x1", axis=0),
    s("broadcast_to", "1x3x1", shape=(2, 3, 4)),
    s("broadcast_to", "1x3", shape=(2, 0)),
    s("broadcast_to", "2x3", shape=(2, 4)),
    s("broadcast_to", "1x1 integers int32", shape=(2, 2)),
    s("broadcast_like", "1x3", "2x3").but(wrt=(0,)),
    s("broadcast_like", "1x3x1", "9x8", lhs_axes=(0, 2), rhs_axes=(0, 1)).but(wrt=(0,)),
    s("broadcast_axis", "1x3x1", axis=0, size=2),
    s("broadcast_axis", "1x3x1", axis=(0, 2), size=(2, 4)),
    s("broadcast_axes", "2x1", axis=1, size=3),
    s("broadcast_axis", "2x3", axis=1, size=4),
    s("flip", "2x3x4", axis=1),
    s("flip", "2x3x4", axis=(0, 2)),
    s("reverse", "2x3", axis=0),
    s("flip", "2x3", axis=4),
    s("shape_array", "2x3").but(wrt=()),
    s("size_array", "2x3").but(wrt=()),
    s("F.getitem", "3x4", key=(slice(None), [0, 0, 2])).but(right=lambda x: x[:, [0, 0, 2]]),
    s("F.getitem", "3x4", key=(1, slice(None, None, -1))).but(right=lambda x: x[1, ::-1]),
    s("F.scatter_add", "3", key=([0, 0, 1],), shape=(2,)).but(
        right=lambda x: np.array([x[0] + x[1], x[2]])
    ),
    s("F.scatter_add", "2", key=slice(1, 3), shape=(4,)).but(right=lambda x: np.pad(x, 1)),
    s("F.setitem", "3x2", "2", key=1).but(right=lambda x, v: np.stack([x[0], v, x[2]])),
    s("F.setitem", "4", "()", key=slice(0, 2)).but(right=lambda x, v: np.array([v, v, x[2], x[3]])),
    s("F.split", "4x3", sections=[1, 3], axis=0).but(right=lambda x: [x[:1], x[1:3], x[3:]]),
    # values as strings
    s("reshape", "2x3x4", shape="(-1, 4)"),
    s("transpose", "2x3x4", axes="(1L, 0L, 2L)"),
    s("expand_dims", "2x3", axis="-1"),
    s("reshape", "2x3", shape="3,2"),
]
