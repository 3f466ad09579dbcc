"""Picking and placing."""

from __future__ import annotations

import numpy as np

from tests._core.ops.sample import Sample, s

TYPES = ("float64", "float16", "int32", "int64", "int8", "uint8")
INDEX_TYPES = ("float64", "float16", "int32", "int64", "int8", "uint8")
MODES = ("clip", "wrap", "raise")
OUTSIDE = "[3, -1, 4, -4, -5, 9]"
PLACES = "[[0, 2, 1], [3, 0, 3]]"


def of_first(op: str, data: str, *rest: object, **attrs: object) -> Sample:
    """Differentiated in its first input alone, if that is floating."""
    floating = not data.split()[-1].startswith(("int", "uint", "bool"))
    return s(op, data, *rest, **attrs).but(wrt=(0,) if floating else ())


def constant(op: str, *inputs: object, **attrs: object) -> Sample:
    return s(op, *inputs, **attrs).but(wrt=())


TAKE = [
    of_first("take", "4x3", "[0, 2, 3, 0]"),
    *(of_first("take", "4x3", OUTSIDE, mode=mode) for mode in MODES),
    *(of_first("take", "4x3", "[3, 0, 1]", mode=mode) for mode in MODES),
    *(of_first("take", "4x3", "[[1, 5], [-1, -9]] int32", mode=mode) for mode in MODES),
    *(of_first("take", "2x3x4", "[[0, 1, 1]]", axis=axis) for axis in (0, 1, 2, -1, -2, -3)),
    *(of_first("take", "2x3x4", "[0, 1]", axis=axis) for axis in (3, -4)),
    *(of_first("take", "2x3x4", "[5, -4]", axis=1, mode=mode) for mode in MODES[:2]),
    *(of_first("take", f"4x3 integers {kind}", "[3, 1]") for kind in TYPES),
    *(of_first("take", "4x3", f"[3, 1, 1] {kind}") for kind in INDEX_TYPES),
    of_first("take", "4x3", "[0.9, 1.5, -0.5, 2.999]"),
    of_first("take", "4x3", "[0.9, 1.5, -0.5, -1.5]", mode="wrap"),
    of_first("take", "4x3", "[2]"),
    of_first("take", "4x3", "[[[2]]]"),
    of_first("take", "1x3", "[0, 5, -5]", mode="wrap"),
    of_first("take", "1", "[0, 1]"),
    of_first("take", "4x40", "[3, 1, 3, 0]"),
    of_first("take", "[nan, inf, -inf, 1]", "[0, 1, 2]").but(kink=True),
    of_first("take", "4x3", "0x2"),
    of_first("take", "4x0", "[1, 2]"),
    of_first("take", "4x3", "[0]", mode="nearest"),
    of_first("batch_take", "3x4", "3 index4 int32"),
    of_first("batch_take", "3x4", "[9, -1, 2] int32"),
    of_first("batch_take", "3x4 float64", "3 index4 int32"),
    of_first("batch_take", "3x4", "4 index3 int32"),
    of_first("batch_take", "4", "[1] int32"),
]
PICK = [
    of_first("pick", "3x4", "3 index4"),
    of_first("pick", "3x4", "4 index3", axis=0),
    *(of_first("pick", "3x4", f"3 index4 {kind}", axis=1, keepdims=True) for kind in INDEX_TYPES),
    *(of_first("pick", f"3x4 integers {kind}", "3 index4") for kind in TYPES),
    *(of_first("pick", "3x4", "[9, -1, -9]", mode=mode) for mode in MODES),
    *(of_first("pick", "3x4", "[4, -4, 3]", mode=mode) for mode in MODES[:2]),
    *(of_first("pick", "2x3x4", "2x4 index3", axis=axis) for axis in (1, -2)),
    *(of_first("pick", "2x3x4", "2x3x1 index4", keepdims=keep) for keep in (False, True)),
    of_first("pick", "2x3x4", "3x4 index2", axis=-3, keepdims=True),
    of_first("pick", "3x4", "[0.9, 1.9, -0.9]"),
    of_first("pick", "4", "[2]"),
    of_first("pick", "4", "[2]", keepdims=True),
    of_first("pick", "3x1", "[0, 5, -5]"),
    of_first("pick", "1x4", "[2]"),
    of_first("pick", "3x4", "4 index3"),
    of_first("pick", "3x4", "3 index4", axis=2),
    of_first("pick", "3x4", "3 index4", axis=-3),
    of_first("pick", "3x4", "[[0, 1, 2]]"),
    of_first("pick", "0x4", "0"),
    of_first("pick", "3x4", "[5]", axis=None),
    of_first("choose_element_0index", "3x4", "3 index4"),
    of_first("choose_element_0index", "3x4 float64", "3 index4 float64"),
]
ONE_HOT = [
    constant("one_hot", "4 index3", depth=3),
    constant("one_hot", "2x2 index3 int32", depth=4, on_value=5, off_value=-1, dtype="int32"),
    constant("one_hot", "[-1, 7, 1]", depth=3),
    *(constant("one_hot", "[0, 2]", depth=3, dtype=kind) for kind in (*TYPES, "float32")),
    *(constant("one_hot", f"[0, 2] {kind}", depth=3) for kind in INDEX_TYPES),
    constant("one_hot", "[0.9, -0.5, -1.5, 2.5]", depth=3),
    constant("one_hot", "[0, 1]", depth=1),
    constant("one_hot", "[[[1]]]", depth=2, on_value=0.5, off_value=0.25),
    constant("one_hot", "[1]", depth=3, on_value=2.7, off_value=-1.5, dtype="int32"),
    constant("one_hot", "0", depth=3),
    constant("one_hot", "[1]", depth=0),
    constant("one_hot", "[1]", depth=-2),
    constant("one_hot", "[1]", depth=2, dtype="complex64"),
]
ND = [
    of_first("gather_nd", "3x4", PLACES),
    of_first("gather_nd", "3x4", "[[0, 2, 0]]"),
    of_first("gather_nd", "2x3x4", "2x5 index2 int64"),
    of_first("gather_nd", "2x3x4", "3x2x2 index2"),
    of_first("gather_nd", "2x3x4", "1x2x2 index2"),
    *(of_first("gather_nd", "3x4", f"[[0, 2, 0], [1, 3, 1]] {kind}") for kind in INDEX_TYPES),
    *(of_first("gather_nd", f"3x4 integers {kind}", PLACES) for kind in TYPES),
    of_first("gather_nd", "3x4", "[[-1, -3, 0], [-1, 0, -4]]").but(
        differs_grad="MXNet gives negative indices no gradient"
    ),
    of_first("gather_nd", "3x4", "[[0.9, 1.9], [2.5, 0.1]]"),
    of_first("gather_nd", "3x4", "[[0, 3], [0, 0]]"),
    of_first("gather_nd", "3x4", "[[0, -4], [0, 0]]"),
    of_first("gather_nd", "3x4", "3x2 index3"),
    of_first("gather_nd", "4", "[[1, 1, 3]]"),
    of_first("gather_nd", "3x4", "[[2], [3]]"),
    of_first("gather_nd", "3x4", "[1, 2]").but(
        differs="MXNet requires two axes", right=lambda x, _: x[1:2, 2]
    ),
    of_first("gather_nd", "3x4", "2x0"),
    of_first("scatter_nd", "3", PLACES, shape=(3, 4)),
    of_first("scatter_nd", "2x4", "[[2, 0]]", shape=(3, 4)),
    of_first("scatter_nd", "2x2", "[[[0, 1], [2, 0]], [[3, 0], [1, 1]]]", shape=(3, 4)),
    of_first("scatter_nd", "2x3x2", "[[2, 0]]", shape=(3, 3, 2)),
    *(of_first("scatter_nd", f"3 integers {kind}", PLACES, shape=(3, 4)) for kind in TYPES),
    *(of_first("scatter_nd", "2", f"[[2, 0]] {kind}", shape=(3,)) for kind in INDEX_TYPES),
    of_first("scatter_nd", "2", "[[-1, 0]]", shape=(3,)).but(
        differs="MXNet crashes", right=lambda x, _: np.array([x[1], 0, x[0]], "float32")
    ),
    of_first("scatter_nd", "3", "[[0, 2]]", shape=(3,)),
    of_first("scatter_nd", "2", "[[0, 2]]", shape=(3, 4)),
    of_first("scatter_nd", "2", "[[0, 1], [0, 1], [1, 1]]", shape=(3, 4)),
    of_first("scatter_nd", "2", "[[0, 3]]", shape=(3,)).but(
        differs="MXNet drops values out of range", refused=True
    ),
    of_first("scatter_nd", "2", "[[1, 1]]", shape=(3,)).but(
        differs_grad="MXNet gives a gradient to the value that was replaced"
    ),
    of_first("scatter_nd", "2", "[[1, 0]]", shape=3),
]
DIAGONALS = [
    *(s("diag", "3x4", k=k) for k in (0, 1, 2, 3, -1, -2)),
    *(s("diag", "3x4", k=k) for k in (4, -3, 5, -4)),
    *(s("diag", "4", k=k) for k in (0, 2, -1)),
    *(
        s("diag", "2x3x4", axis1=one, axis2=two)
        for one, two in ((0, 1), (1, 2), (2, 1), (0, 2), (-1, -2), (-3, -1))
    ),
    s("diag", "2x3x3", k=-1, axis1=1, axis2=2),
    s("diag", "2x3x3", axis1=1, axis2=1),
    s("diag", "2x3x3", axis1=0, axis2=3),
    s("diag", "4x4"),
    s("diag", "1"),
    s("diag", "1x1"),
    *(s("diag", f"3x3 integers {kind}") for kind in TYPES),
    *(s("diag", f"3 integers {kind}") for kind in TYPES),
]
CODES = [
    constant("ravel_multi_index", "[[0, 1, 2], [3, 0, 1]]", shape=(3, 4)),
    *(constant("ravel_multi_index", f"{PLACES} {kind}", shape=(3, 4)) for kind in TYPES[:4]),
    constant("ravel_multi_index", PLACES, shape=(-1, 4)),
    constant("ravel_multi_index", "[[1], [2], [3]]", shape=(2, 3, 4)),
    constant("ravel_multi_index", "[[[0, 1], [1, 0]], [[2, 2], [1, 0]]]", shape=(2, 3)).but(
        differs="MXNet requires two axes", right=lambda x: x[0] * 3 + x[1]
    ),
    constant("ravel_multi_index", "[[5, -1], [7, 2]]", shape=(3, 4)),
    constant("ravel_multi_index", "[1, 2]", shape=(3, 4)).but(
        differs="MXNet requires two axes", right=lambda x: x[:1] * 4 + x[1:]
    ),
    constant("ravel_multi_index", "[[1, 2]]", shape=5),
    constant("ravel_multi_index", "[[0, 1]]", shape=(3, 4)),
    *(constant("unravel_index", f"[1, 7, 11] {kind}", shape=(3, 4)) for kind in TYPES[:4]),
    constant("unravel_index", "[1, 7, 11]", shape=(-1, 4)),
    constant("unravel_index", "[23]", shape=(2, 3, 4)),
    constant("unravel_index", "[12, 25, -1]", shape=(3, 4)),
    constant("unravel_index", "[5]", shape=(6,)),
    constant("unravel_index", "[5, 3]", shape=6),
    constant("unravel_index", "[[1, 7]]", shape=(3, 4)).but(
        differs="MXNet returns garbage",
        right=lambda x: np.array([[[0, 1]], [[1, 3]]], "float32"),
    ),
]
HISTOGRAMS = [
    constant("histogram", "20", bins=5, range=(-2, 2)),
    constant("histogram", "20 float64", bins=5, range=(-2, 2)),
    constant("histogram", "20 float16", bins=5, range=(-2, 2)),
    *(constant("histogram", f"20 natural {kind}", bins=4, range=(1, 5)) for kind in TYPES[2:]),
    constant("histogram", "4x5", bins=3, range=(-1.5, 1.5)),
    constant("histogram", "[0, 1, 1, 2, 2.5, 3, 4, -1]", bins=3, range=(0, 3)),
    constant("histogram", "[1, 2, 3, 4]", bins=1, range=(1, 4)),
    constant("histogram", "[1, 2, 2, 3, 7]"),
    constant("histogram", "[1, 2, 2, 3, 7]", bins=3),
    constant("histogram", "[2, 2]", bins=2),
    constant("histogram", "[nan, 1, 2]", bins=2, range=(0, 2)),
    constant("histogram", "[inf, 1, -inf]", bins=2, range=(0, 2)),
    constant("histogram", "[1, 2]", bins=0, range=(0, 2)).but(
        differs="MXNet gives NaN for the edges", refused=True
    ),
    constant("histogram", "[1, 2]", bins=2, range=(2, 0)),
    constant("histogram", "[1, 2, 5] float64", bins=2),
    constant("histogram", "[1, 2, 5] int32", bins=2),
    constant("histogram", "[1, 2, 2, 3, 7] int32"),
    constant("histogram", "30 index12 int32", bins=3, range=(0, 10)),
    constant("histogram", "30 index12 uint8", bins=10, range=(0, 2)),
    constant("histogram", "30 integers int64", bins=7, range=(-3, 9)),
    constant("histogram", "[0.5, 1, 2, 3, 3.5, -1]", "[0, 1, 3]"),
    constant("histogram", "[0.5, 1, 2, 3, 3.5, -1] float64", "[0, 1, 1.5, 3] float64"),
    constant("histogram", "[1, 2, 3, 5] int32", "[0, 2, 4] int32"),
    constant("histogram", "[1, 2, 3, 5]", "[0]"),
    constant("histogram", "[1, 2, 3, 5]", "[3, 2, 1]").but(
        differs="MXNet returns zeros", refused=True
    ),
]
BLOCKS = [
    *(
        s(op, shape, block_size=block)
        for op, shape, block in (
            ("depth_to_space", "1x8x2x3", 2),
            ("depth_to_space", "2x9x1x2", 3),
            ("depth_to_space", "1x4x2x3", 1),
            ("space_to_depth", "1x2x4x6", 2),
            ("space_to_depth", "2x1x3x6", 3),
            ("space_to_depth", "1x2x4x6", 1),
            ("depth_to_space", "1x8x2x3", 3),
            ("depth_to_space", "8x2x3", 2),
            ("depth_to_space", "1x8x2x3", 0),
            ("space_to_depth", "1x2x4x5", 2),
            ("space_to_depth", "2x4x6", 2),
            ("space_to_depth", "1x2x4x6", 0),
            ("space_to_depth", "1x2x4x6", -2),
        )
    ),
    *(s("depth_to_space", f"1x4x2x2 integers {kind}", block_size=2) for kind in TYPES),
    *(s("space_to_depth", f"1x1x2x4 integers {kind}", block_size=2) for kind in TYPES),
]
CONTRIB = [
    of_first("contrib.boolean_mask", "4x3", "[0, 1, 0, 1]"),
    *(of_first("contrib.boolean_mask", "4x3", f"[0, 1, 0, 1] {kind}") for kind in INDEX_TYPES),
    *(of_first("contrib.boolean_mask", f"4x3 integers {kind}", "[0, 1, 0, 1]") for kind in TYPES),
    of_first("contrib.boolean_mask", "4", "[1, 0, -1, 0.5]"),
    of_first("contrib.boolean_mask", "4x2x3", "[1, 1, 1, 1]"),
    of_first("contrib.boolean_mask", "4x3", "[0, 0, 0, 0]"),
    of_first("contrib.boolean_mask", "4x3", "[0, 1, 0]"),
    of_first("contrib.boolean_mask", "4x3", "[[0, 1, 0, 1]]"),
    s("contrib.index_copy", "4x3", "[1, 3] int64", "2x3").but(wrt=(0, 2)),
    s("contrib.index_copy", "4x3", "[3, 0] int32", "2x3").but(wrt=(0, 2)),
    s("contrib.index_copy", "4x2x2", "[2] int64", "1x2x2").but(wrt=(0, 2)),
    s("contrib.index_copy", "4x3 float64", "[1, 3] int64", "2x3 float64").but(wrt=(0, 2)),
    s("contrib.index_copy", "4x3 float16", "[1, 3] int64", "2x3 float16").but(wrt=(0, 2)),
    s("contrib.index_copy", "4 integers int32", "[1, 3] int64", "2 integers int32").but(wrt=()),
    s("contrib.index_copy", "4x3", "[1, 3]", "2x3").but(wrt=(0, 2)),
    s("contrib.index_copy", "4x3", "[1, 4] int64", "2x3").but(wrt=(0, 2)),
    s("contrib.index_copy", "4x3", "[1, 3] int64", "3x3").but(wrt=(0, 2)),
    s("contrib.index_copy", "4x3", "[1, 3] int64", "2x2").but(wrt=(0, 2)),
    s("contrib.arange_like", "2x3"),
    *(constant("contrib.arange_like", "2x3", axis=a, start=1.0, step=0.5) for a in (0, 1, -1)),
    constant("contrib.arange_like", "2x3", repeat=2),
    constant("contrib.arange_like", "2x4", axis=1, repeat=2, start=3.0),
    constant("contrib.arange_like", "2x3", axis=1, repeat=2, start=3.0),
    constant("contrib.arange_like", "2x3", axis=2),
    constant("contrib.arange_like", "2x3 float64", step=-1.0),
    constant("contrib.arange_like", "2x3 float16", axis=0),
    constant("contrib.index_array", "2x3"),
    constant("contrib.index_array", "4"),
    constant("contrib.index_array", "2x3 float16"),
    *(
        constant("contrib.index_array", "2x3x2", axes=axes)
        for axes in ((0,), (2, 0), (-1,), (1, 1))
    ),
    constant("contrib.index_array", "2x3", axes=(2,)).but(
        differs="MXNet returns garbage", refused=True
    ),
]
BOOLS = "4x3 bools bool"
NO_BOOLS = "MXNet does not support bool"
BOOLEAN = [
    constant("take", BOOLS, "[0, 3, 1]"),
    constant("take", "4x3", "[1, 0] bool"),
    constant("gather_nd", BOOLS, "[[0, 1], [2, 0]]"),
    constant("scatter_nd", "3 bools bool", "[[0, 2, 1]]", shape=(4,)),
    constant("contrib.boolean_mask", BOOLS, "[1, 0, 1, 1]"),
    constant("contrib.boolean_mask", "4x3", "[1, 0, 1, 1] bool"),
    constant("contrib.index_array", BOOLS),
    constant("diag", BOOLS).but(differs=NO_BOOLS, right=np.diagonal),
    constant("pick", BOOLS, "4 index3").but(
        differs=NO_BOOLS, right=lambda x, index: x[np.arange(4), index.astype(int)]
    ),
    constant("ravel_multi_index", "[[0, 1]] bool", shape=(2,)),
    constant("unravel_index", "[0, 1] bool", shape=(2,)),
    constant("histogram", "[1, 0, 1] bool", bins=2, range=(0, 2)),
    constant("contrib.arange_like", BOOLS),
]

#: MXNet has no gradient of it.
FILL_GRAD: dict = {"differs_grad": "MXNet has no gradient"}


def _filled(x, values, places):
    found = x.copy()
    found[np.arange(len(x)), places.astype(int)] = values
    return found


SAMPLES = [
    *BOOLEAN,
    *TAKE,
    *PICK,
    *ONE_HOT,
    *ND,
    *DIAGONALS,
    *CODES,
    *HISTOGRAMS,
    *BLOCKS,
    *CONTRIB,
    s("fill_element_0index", "3x4", "3", "[0, 3, 1]").but(wrt=(0, 1), **FILL_GRAD),
    s("fill_element_0index", "3x4", "3", "[-1, 4, 1.9]").but(wrt=(0, 1), **FILL_GRAD),
    s("fill_element_0index", "2x1", "2", "[0, 0]").but(wrt=(0, 1), **FILL_GRAD),
    s("fill_element_0index", "2x3 float64", "2 float64", "[0, 2] int32").but(
        wrt=(0, 1), differs="MXNet takes float32 only", right=_filled
    ),
    s("fill_element_0index", "2x3 integers int32", "2 integers int32", "[0, 2]").but(
        differs="MXNet takes float32 only", right=_filled
    ),
    s("fill_element_0index", "2x3", "3", "[0, 2]"),
    s("fill_element_0index", "2x3x4", "2", "[0, 2]"),
    s("onehot_encode", "[0, 2, 1]", "3x4").but(wrt=(), writes=(1,)),
    s("onehot_encode", "[-1, 9, 1.9]", "3x4").but(wrt=(), writes=(1,)),
    s("onehot_encode", "[0, 2]", "3x4"),
    s("onehot_encode", "[[0, 2]]", "1x2x4"),
    s("onehot_encode", "[0, 2] int64", "2x3 float64").but(
        differs="MXNet takes float32 only", right=lambda x, y: np.eye(3)[x], wrt=(), writes=(1,)
    ),
    # values as strings
    s("one_hot", "[0, 2, 1] int32", depth="3", on_value="2.5"),
    s("take", "3x2", "[0, 2] int32", axis="1", mode="clip"),
    s("F.choose", "2x3", "2x3", "2x3", places=np.array([[0, 2, 1], [1, 1, 0]])).but(
        right=lambda *xs: np.choose([[0, 2, 1], [1, 1, 0]], xs)
    ),
    s("F.take_along", "3x4", "[[0, 3, -1], [2, 2, 1], [1, 0, 0]] int64", axis=1).but(
        right=lambda x, i: np.take_along_axis(x, i, 1)
    ),
    s("F.take_along", "3x4", "[[0, 2, 1, 2], [2, 1, -3, 0]] int64", axis=0).but(
        right=lambda x, i: np.take_along_axis(x, i, 0)
    ),
    s("F.take", "2x3x2", "[[0, 2], [2, 2]] int64", axis=1, mode="raise").but(
        right=lambda x, i: x[:, i]
    ),
    s("F.take", "2x3", "[1, 1, 0, 1, 1, 1, 1] int64", axis=-1, mode="raise").but(
        right=lambda x, i: x[:, i]
    ),
    s("F.diagonal_places", "3x3").but(
        differs="mx.nd has none", right=lambda x: np.diag_indices_from(x)
    ),
]
