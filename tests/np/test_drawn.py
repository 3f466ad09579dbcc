"""Drawn calls of the differentiable functions of `np`: their gradients are their slopes.

Every function of `np` has a line below, or a call under ``SLOPES`` in ``calls.py``, or is among
those that have no gradient.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

from gluon import np
from gluon._core.faces.kinds import KINDS
from tests.np.calls import SLOPES
from tests.np.programs import GROUPS

pytest.importorskip("hypothesis")
from hypothesis import given
from hypothesis import strategies as st

from tests._core.ops.test_drawn import (
    ANY,
    FREE,
    ND_CALLS,
    POWER,
    REMAINDER,
    UNIT_BALL,
    Call,
    Draw,
    Namespace,
    axes,
    check,
    drawn,
    one_axis,
    reduction,
    reshape,
    shaped,
    shapes,
    squeeze,
    transpose,
    unary,
    values,
    wider,
)

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def listed(extra: int = 0) -> Draw:
    """Arrays of one shape, as a list, and an axis."""

    def draw(data: Any, space: Namespace) -> Call:
        shape = data.draw(shapes(space, 2, 1))
        arrays = values(data, [shape] * data.draw(st.integers(1, 3)), (-2, 2))
        return Call(arrays, one_axis("axis", extra=extra)(data, shape), as_list=True)

    return draw


def stacked(least: int) -> Draw:
    def draw(data: Any, space: Namespace) -> Call:
        shape = data.draw(shapes(space, 3, least))
        return Call(values(data, [shape] * 2, (-2, 2)), {}, as_list=True)

    return draw


def parted(axis: int, part: int = 0) -> Draw:
    """Split in two along an axis of even length."""

    def draw(data: Any, space: Namespace) -> Call:
        shape = [*data.draw(shapes(space, 3, 3))]
        shape[axis] = 4
        (x,) = values(data, [tuple(shape)], (-2, 2))
        return Call([x], {"indices_or_sections": 2}, part=part)

    return draw


def averaged(data: Any, space: Namespace) -> Call:
    shape = data.draw(shapes(space))
    keywords = {"keepdims": data.draw(st.booleans())}
    if shape:
        some = data.draw(axes(len(shape), least=1))
        keywords |= {"axis": some[0] if len(some) == 1 else some}
    # The deviation of a single value is 0, where it has no slope.
    shape = tuple(length + 1 for length in shape) or (2,)
    return Call(values(data, [shape], (-2, 2)), keywords)


def products(*choices: tuple, **keywords: Any) -> Draw:
    """Two arrays of chosen shapes."""
    return lambda data, space: Call(
        values(data, list(data.draw(st.sampled_from(choices))), (-2, 2)), keywords
    )


def along(*names: str, **keywords: Any) -> Draw:
    return shaped(lambda data, shape: {**one_axis(*names)(data, shape), **keywords})


def padded(data: Any, shape: tuple) -> dict:
    modes = ["constant", "edge", "reflect", "wrap", "symmetric"]
    mode = data.draw(st.sampled_from(modes if min(shape) > 1 else modes[:2]))
    return {"pad_width": data.draw(st.sampled_from([1, (0, 1)])), "mode": mode}


def broadcast_to(data: Any, space: Namespace) -> Call:
    narrow, wide = wider(data, space)
    return Call(values(data, [narrow], (-2, 2)), {"shape": wide})


def part_of(draw: Draw, part: int) -> Draw:
    return lambda data, space: draw(data, space)._replace(part=part)


MATRIX = ((2, 3), (3, 2)), ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 2, 3), (3, 2))
NOTHING = shaped(lambda data, shape: {})
#: Elementwise functions that have a function of the same name in `nd`.
SHARED = [name for name in np.__all__ if KINDS.get(getattr(np, name)) and name in ND_CALLS]
CALLS: dict[str, Draw] = {
    **{name: ND_CALLS[name] for name in SHARED},
    **dict.fromkeys(
        "absolute fabs asinh atan rad2deg exp2 positive deg2rad nan_to_num".split(), ANY
    ),
    **dict.fromkeys("acos asin atanh".split(), UNIT_BALL),
    "acosh": ND_CALLS["arccosh"],
    **dict.fromkeys(("round", "around", "round_"), unary(-2, 2, decimals=1)),
    "clip": unary(-2, 2, a_min=-1.0, a_max=0.5),
    "modf": part_of(ANY, 0),
    **dict.fromkeys(
        "fmax fmin logaddexp logaddexp2 copysign heaviside ldexp arctan2 atan2".split(), FREE
    ),
    "float_power": POWER,
    **dict.fromkeys(("mod", "remainder", "fmod"), REMAINDER),
    "divmod": part_of(REMAINDER, 1),
    **dict.fromkeys("sum mean max amax min amin ptp".split(), reduction(-2, 2)),
    **dict.fromkeys(("prod", "product"), reduction(0.5, 2)),
    **dict.fromkeys(("var", "std"), averaged),
    "cumsum": along("axis"),
    "reshape": shaped(lambda data, shape: {"newshape": reshape(data, shape)["shape"]}),
    **dict.fromkeys(("ravel", "atleast_1d", "atleast_2d", "atleast_3d"), NOTHING),
    "transpose": shaped(lambda data, shape: {"axes": transpose(data, shape)["axes"] or None}),
    "permute_dims": shaped(lambda data, shape: {"axes": tuple(range(len(shape)))[::-1]}),
    "matrix_transpose": shaped(lambda data, shape: {}, least=2),
    "moveaxis": along("source", "destination"),
    "rollaxis": along("axis"),
    "swapaxes": along("axis1", "axis2"),
    "expand_dims": shaped(one_axis("axis", extra=1)),
    "squeeze": squeeze,
    "broadcast_to": broadcast_to,
    "broadcast_arrays": part_of(FREE, 0),
    "flip": along("axis"),
    "fliplr": shaped(lambda data, shape: {}, least=2),
    "flipud": NOTHING,
    "roll": along("axis", shift=2),
    "rot90": shaped(lambda data, shape: {"k": data.draw(st.integers(0, 3))}, least=2),
    "tile": shaped(
        lambda data, shape: {"reps": data.draw(st.sampled_from([2, (2, 1), (1, 2, 2)]))}
    ),
    "repeat": along("axis", repeats=2),
    "pad": shaped(padded),
    "resize": shaped(lambda data, shape: {"new_shape": data.draw(st.sampled_from([(2, 2), (7,)]))}),
    **dict.fromkeys(
        """asarray ascontiguousarray asarray_chkfinite real_if_close unique_values msort""".split(),
        NOTHING,
    ),
    **{"astype": unary(-2, 2, dtype="float64"), "nanpercentile": unary(-2, 2, q=30.0)},
    **dict.fromkeys(("concatenate", "concat"), listed()),
    "stack": listed(1),
    **dict.fromkeys(("vstack", "row_stack", "hstack", "dstack", "column_stack"), stacked(1)),
    **{"vsplit": parted(0), "hsplit": parted(1, 1), "dsplit": parted(2)},
    **{"split": parted(0, 1), "array_split": parted(0)},
    "unstack": part_of(along("axis"), 0),
    "append": products(((2, 3), (2, 3)), axis=1),
    "delete": shaped(lambda data, shape: {"obj": 0, "axis": 0}),
    "insert": shaped(lambda data, shape: {"obj": 0, "values": 1.5, "axis": 0}),
    **dict.fromkeys(("dot", "matmul"), products(*MATRIX)),
    **dict.fromkeys(("vdot",), products(((2, 3), (2, 3)), ((3,), (3,)))),
    **dict.fromkeys(("vecdot", "inner"), products(((2, 3), (2, 3)), ((3,), (3,)), ((2, 3), (3,)))),
    **dict.fromkeys(("outer", "kron"), products(((2,), (3,)), ((2, 2), (2, 3)))),
    "tensordot": products(((2, 3), (3, 2)), ((2, 3), (3,)), axes=1),
    "einsum": lambda data, space: Call(
        values(data, [(2, 3), (3, 2)], (-2, 2)), {}, leading=("ij,jk->ki",)
    ),
    "trace": shaped(lambda data, shape: {"offset": data.draw(st.integers(-1, 1))}, least=2),
    "diagonal": shaped(lambda data, shape: {"offset": data.draw(st.integers(-1, 1))}, least=2),
}
#: Comparisons, places, sizes and dtypes, what is made without arrays, and what only computes.
CONSTANT = set(
    """all allclose alltrue any sometrue arange argmax argmin argpartition argsort argwhere
    array_equal array_equiv bartlett blackman hamming hanning bitwise_and bitwise_or bitwise_xor
    bitwise_count bitwise_invert bitwise_not bitwise_left_shift bitwise_right_shift
    broadcast_shapes can_cast count_nonzero diag_indices diag_indices_from digitize einsum_path
    empty empty_like equal not_equal greater greater_equal less less_equal eye flatnonzero
    floor_divide full full_like gcd lcm histogram_bin_edges identity in1d indices invert
    isclose iscomplex iscomplexobj isdtype isfinite isin isinf isnan isneginf isposinf isreal
    isrealobj isscalar issubdtype iterable left_shift right_shift lexsort logical_and logical_not
    logical_or logical_xor mask_indices may_share_memory shares_memory min_scalar_type nanargmax
    nanargmin ndim nonzero ones ones_like packbits unpackbits promote_types
    ravel_multi_index unravel_index result_type searchsorted shape signbit size spacing tri
    tril_indices tril_indices_from triu_indices triu_indices_from unique_all unique_counts
    unique_inverse zeros zeros_like imag from_dlpack angle fromfunction fromiter geomspace
    asanyarray frombuffer genfromtxt histogramdd ix_ ndenumerate""".split()
)
#: Functions that write into their argument and return None.
CONSTANT |= set("copyto fill_diagonal place put put_along_axis putmask".split())
SPACE = Namespace(np, lambda raw: np.array(raw, dtype=raw.dtype), 0, 1, {}, CALLS, CONSTANT)
TEXTS = [text for group in (SLOPES, GROUPS) for texts in group.values() for text in texts]


def test_no_function_is_left_out():
    functions = {name for name in np.__all__ if inspect.isfunction(getattr(np, name))}
    functions = {name for name in functions if getattr(np, name).__module__.startswith("gluon.")}
    covered = {name for text in TEXTS for name in re.findall(r"np\.(\w+)\(", text)}
    alike = {getattr(np, name) for name in covered if name in functions}
    left = {name for name in functions - CALLS.keys() - CONSTANT if getattr(np, name) not in alike}
    assert not left
    assert not CALLS.keys() & CONSTANT
    assert CALLS.keys() | CONSTANT <= set(np.__all__)


@pytest.mark.parametrize("name", CALLS)
@drawn(2)
@given(data=st.data())
def test_gradients_of_a_few_calls_are_their_slopes(name, data):
    check(data, SPACE, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
@drawn(20)
@given(data=st.data())
def test_gradients_of_many_calls_are_their_slopes(name, data):
    check(data, SPACE, name)
