"""Picking and placing."""

from __future__ import annotations

import numpy as np

from tests.ops.sample import s

#: MXNet has no gradient of it.
FILL_GRAD: dict = {"differs_grad": "MXNet has no gradient"}


def _filled(x, values, places):
    found = x.copy()
    found[np.arange(len(x)), places.astype(int)] = values
    return found


SAMPLES = [
    s("take", "4x3", "[0, 2, 3, 0]").but(wrt=(0,)),
    s("take", "4x3", "[[1, 5], [-1, -9]]").but(wrt=(0,)),
    s("take", "4x3", "[[1, 5], [-1, -9]] int32", mode="wrap").but(wrt=(0,)),
    s("take", "4x3", "[0, 2]", axis=1).but(wrt=(0,)),
    s("take", "2x3x4", "[0, 2, 2] int64", axis=-1).but(wrt=(0,)),
    s("take", "4 integers int32", "[3, 1]").but(wrt=()),
    s("batch_take", "3x4", "3 index4 int32").but(wrt=(0,)),
    s("pick", "3x4", "3 index4").but(wrt=(0,)),
    s("pick", "3x4", "4 index3", axis=0).but(wrt=(0,)),
    s("pick", "3x4", "3 index4 int32", axis=1, keepdims=True).but(wrt=(0,)),
    s("pick", "3x4", "[9, -1, -9]", mode="wrap").but(wrt=(0,)),
    s("pick", "3x4", "[9, -1, -9]").but(wrt=(0,)),
    s("pick", "2x3x4", "2x4 index3", axis=1).but(wrt=(0,)),
    s("choose_element_0index", "3x4", "3 index4").but(wrt=(0,)),
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
    s("one_hot", "4 index3", depth=3).but(wrt=()),
    s("one_hot", "2x2 index3 int32", depth=4, on_value=5, off_value=-1, dtype="int32").but(wrt=()),
    s("one_hot", "[-1, 7, 1]", depth=3).but(wrt=()),
    s("gather_nd", "3x4", "[[0, 2, 1], [3, 0, 3]]").but(wrt=(0,)),
    s("gather_nd", "3x4", "[[0, 2, 0]]").but(wrt=(0,)),
    s("gather_nd", "2x3x4", "2x5 index2 int64").but(wrt=(0,)),
    s("scatter_nd", "3", "[[0, 2, 1], [3, 0, 3]]", shape=(3, 4)).but(wrt=(0,)),
    s("scatter_nd", "2x4", "[[2, 0]]", shape=(3, 4)).but(wrt=(0,)),
    s("Embedding", "[0, 2, 1, 2]", "3x4", input_dim=3, output_dim=4).but(wrt=(1,)),
    s("Embedding", "[[0, 2], [5, -1]] int32", "3x4", input_dim=3, output_dim=4).but(wrt=(1,)),
    s("diag", "4x4"),
    s("diag", "3x4", k=1),
    s("diag", "4", k=-1),
    s("diag", "2x3x3", axis1=1, axis2=2),
    s("sort", "3x4 distinct"),
    s("sort", "3x4 distinct", axis=0, is_ascend=False),
    s("sort", "3x4 distinct", axis=None),
    s("sort", "6 integers int32"),
    s("argsort", "3x4 distinct").but(wrt=()),
    s("argsort", "3x4 distinct", axis=0, is_ascend=False, dtype="int32").but(wrt=()),
    s("argsort", "[2, 1, 2, 1, 0]").but(wrt=()),
    *(s("topk", "3x5 distinct", k=2, ret_typ=kind).but(wrt=()) for kind in ("indices", "mask")),
    s("topk", "3x5 distinct", k=2, ret_typ="value"),
    s("topk", "3x5 distinct", k=3, ret_typ="value", is_ascend=True, axis=0),
    s("topk", "3x5 distinct", k=2, ret_typ="both"),
    s("topk", "3x5 distinct", axis=None, k=2, dtype="int32").but(wrt=()),
    s("topk", "[[1, 3, 3, 2]]", k=2).but(wrt=()),
    s("ravel_multi_index", "[[0, 1, 2], [3, 0, 1]]", shape=(3, 4)).but(wrt=()),
    s("unravel_index", "[1, 7, 11] int32", shape=(3, 4)).but(wrt=()),
    s("histogram", "20", bins=5, range=(-2, 2)).but(wrt=()),
    s("cumsum", "3x4", axis=1),
    s("cumsum", "3x4"),
    s("cumsum", "3x4", axis=-2).but(
        differs="MXNet takes no negative axis", right=lambda x: np.cumsum(x, -2)
    ),
    s("cumsum", "4 integers int32", axis=0),
    s("depth_to_space", "1x8x2x3", block_size=2),
    s("space_to_depth", "1x2x4x6", block_size=2),
    s("contrib.boolean_mask", "4x3", "[0, 1, 0, 1]").but(wrt=(0,)),
    s("contrib.index_copy", "4x3", "[1, 3] int64", "2x3").but(wrt=(0, 2)),
    s("contrib.arange_like", "2x3"),
    s("contrib.arange_like", "2x3", axis=1, start=1.0, step=0.5).but(wrt=()),
    s("contrib.index_array", "2x3").but(wrt=()),
]
