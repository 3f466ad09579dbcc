"""`gluon.np` and `array_api_strict` give the same for every case of finite tables.

They complete the drawn calls of `test_array_api`: all pairs of special values, all pairs of dtypes,
and the options, the arrays without values and the methods that calls there do not reach.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy
import pytest

from gluon import GluonError, np, npx

pytest.importorskip("array_api_strict")
if numpy.lib.NumpyVersion(numpy.__version__) < "2.0.0":
    pytest.skip("array_api_strict needs NumPy 2", allow_module_level=True)
import array_api_strict as xp

from tests.each import each

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
#: Marks what `array_api_strict` leaves to NumPy, and older NumPy computes in another way.
needs_new_numpy = pytest.mark.skipif(
    numpy.lib.NumpyVersion(numpy.__version__) < "2.3.0",
    reason="NumPy before 2.3 takes square roots for x ** 0.5, and no norms of empty matrices",
)

FLOATS = ("float32", "float64")
INTS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
#: Pairs of dtypes for which the standard says in which one they meet.
PAIRS = [
    *((a, b) for a in INTS for b in INTS if "uint64" not in (a, b) or a[0] == b[0]),
    *((a, b) for a in FLOATS for b in FLOATS),
    ("bool", "bool"),
]
SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -3.0,
    2.5,
    -2.5,
    *map(float, "inf -inf nan".split()),
]


@pytest.fixture(autouse=True)
def numpy_dtypes():
    with npx.np_default_dtype():
        yield


def assert_same(got: Any, want: Any) -> None:
    """Arrays of the same dtype, shape and values, signs of zeros included; or equal objects."""
    if isinstance(want, (tuple, list)):
        assert getattr(got, "_fields", None) == getattr(want, "_fields", None)
        assert len(got) == len(want)
        for pair in zip(got, want):
            assert_same(*pair)
    elif hasattr(want, "_array"):
        assert type(got) is np.ndarray
        ours, theirs = got.asnumpy(), numpy.asarray(want._array)
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        rtol = 1e-5 if ours.dtype == "float32" else 1e-12
        numpy.testing.assert_allclose(ours, theirs, rtol=rtol, atol=rtol)
        if ours.dtype.kind == "f":
            is_zero = (ours == 0) & (theirs == 0)
            signs = [numpy.signbit(raw)[is_zero] for raw in (ours, theirs)]
            numpy.testing.assert_array_equal(*signs)
    elif hasattr(want, "_np_dtype"):
        assert numpy.dtype(got) == want._np_dtype
    else:
        # numpy.finfo, which gluon gives, has NumPy's numbers.
        assert isinstance(got, (type(want), numpy.floating))
        assert got == want


def both(call: Callable) -> None:
    """Check that `call` gives the same result with both namespaces."""
    assert_same(call(np), call(xp))


# --------------------------------------------------------------------------- special values

UNARY = """abs acos acosh asin asinh atan atanh ceil conj cos cosh exp expm1 floor isfinite isinf
    isnan log log10 log1p log2 negative positive real reciprocal round sign signbit sin sinh sqrt
    square tan tanh trunc""".split()
BINARY = """add atan2 copysign divide equal floor_divide greater greater_equal hypot less less_equal
    logaddexp maximum minimum multiply nextafter not_equal pow remainder subtract""".split()
REDUCTIONS = "max mean min prod std sum var".split()
SIGNS = "add sub mul truediv floordiv mod pow eq ne lt le gt ge".split()


@pytest.mark.parametrize("dtype", FLOATS)
@each("name", UNARY)
def test_special_values_of_one_argument(name, dtype):
    both(lambda s: getattr(s, name)(s.asarray(SPECIAL, dtype=getattr(s, dtype))))


@needs_new_numpy
@pytest.mark.parametrize("dtype", FLOATS)
@each("name", BINARY + SIGNS + [f"i{sign}" for sign in SIGNS[:7]])
def test_special_values_of_two_arguments(name, dtype):
    """Arrays with arrays, and arrays with numbers on both sides."""

    def call(s: Any) -> Any:
        function = getattr(operator, name) if name not in BINARY else getattr(s, name)

        def column() -> Any:
            return s.asarray(SPECIAL, dtype=getattr(s, dtype))

        x1, x2 = s.meshgrid(column(), column(), indexing="ij")
        found = [function(s.asarray(x1, copy=True), x2)]
        found += [function(column(), number) for number in SPECIAL]
        if name[0] != "i":
            found += [function(number, column()) for number in SPECIAL]
        return found

    both(call)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_special_values_of_reductions(name):
    pairs = [[a, b] for a in SPECIAL for b in SPECIAL]
    both(lambda s: getattr(s, name)(s.asarray(pairs), axis=1))


# ---------------------------------------------------------------------------------- dtypes

MEETING = {
    "add subtract multiply maximum minimum less equal floor_divide remainder pow": "n",
    "bitwise_and bitwise_or bitwise_xor": "ib",
    "bitwise_left_shift bitwise_right_shift": "i",
    "matmul vecdot searchsorted result_type": "n",
}


@pytest.mark.parametrize(
    ("name", "kinds"), [(name, kinds) for names, kinds in MEETING.items() for name in names.split()]
)
def test_in_which_dtype_arrays_meet(name, kinds):
    for pair in PAIRS:
        kind = numpy.dtype(pair[0]).kind
        if kind in {"n": "iuf", "ib": "iub", "i": "iu"}[kinds]:
            both(
                lambda s: getattr(s, name)(
                    *[s.asarray([1, 2, 3], dtype=getattr(s, dtype)) for dtype in pair]  # noqa: B023
                )
            )


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_in_which_dtype_more_functions_let_arrays_meet(pair):
    def call(s: Any) -> Any:
        x, y = (s.asarray([1, 0, 3], dtype=getattr(s, dtype)) for dtype in pair)
        found = [
            *(s.concat([x, y]), s.stack([x, y]), s.where(s.asarray([True, False, True]), x, y)),
            *(s.result_type(x, y), s.result_type(x.dtype, y), s.result_type(x.dtype, y.dtype)),
        ]
        if pair[0] != "bool":
            found += [s.linalg.outer(x, y), s.linalg.cross(x, y), s.tensordot(x, y, axes=0)]
        return found

    both(call)


IN_PLACE = {
    "iadd isub imul ifloordiv imod ipow": (*INTS, *FLOATS),
    "itruediv": FLOATS,
    "iand ior ixor": (*INTS, "bool"),
    "ilshift irshift": INTS,
}


@pytest.mark.parametrize(
    ("name", "dtypes"),
    [(name, kinds) for names, kinds in IN_PLACE.items() for name in names.split()],
)
def test_operators_in_place_keep_the_dtype(name, dtypes):
    for dtype in dtypes:

        def call(s: Any, dtype: str = dtype) -> Any:
            wanted, two = getattr(s, dtype), True if dtype == "bool" else 2
            x, y = (s.asarray([1, 0, 3], dtype=wanted) for _ in range(2))
            kept = x
            x = getattr(operator, name)(x, s.asarray([1, 1, 2], dtype=wanted))
            assert x is kept
            return x, getattr(operator, name)(y, two)

        both(call)


@pytest.mark.parametrize("dtype", [*INTS, *FLOATS, "bool"])
def test_numbers_of_arrays_without_axes(dtype):
    for value in (0, 1, 5):

        def call(s: Any, value: int = value) -> Any:
            x = s.asarray(value, dtype=getattr(s, dtype))
            return (
                bool(x),
                int(x),
                float(x),
                complex(x),
                *([] if "float" in dtype or dtype == "bool" else [operator.index(x)]),
            )

        both(call)


# ---------------------------------------------------------------------------- one by one

#: Expressions with the namespace ``s``, ``x`` of shape (2, 3, 4), ``e`` of (0, 3), ``i`` of int8.
SAME: dict[str, list[str]] = {
    "creation": [
        *("s.asarray([])", "s.asarray([[], []])", "s.asarray([2**40, 1])", "s.asarray([1, 2.5])"),
        *(
            "s.asarray([True], dtype=s.int8)",
            "s.asarray(2**63, dtype=s.uint64)",
            "s.arange(0, -5, step=-2)",
        ),
        *("s.arange(5, 0)", "s.linspace(0, 1, num=1)", "s.linspace(0, 1, num=0)", "s.full((), 3)"),
        *("s.linspace(0, 1, num=1, endpoint=False)", "s.full(3, True)", "s.eye(3, 2, k=-1)"),
        *(
            "s.meshgrid(i)",
            "s.meshgrid(i, i, i[:1], indexing='ij')",
            "s.full_like(i, 2.5, dtype=s.float32)",
        ),
        *(
            "s.zeros_like(i, dtype=s.float32)",
            "s.ones_like(i, device=i.device)",
            "s.zeros(2, device=i.device)",
        ),
        *("s.from_dlpack(x)", "s.from_dlpack(i, copy=True)", "s.from_dlpack(i, device=i.device)"),
    ],
    "arrays": [
        *(
            "x.shape",
            "x.ndim",
            "x.size",
            "e.size",
            "x.mT",
            "x[0, ...].T",
            "e.shape",
            "x[0, 0, 0].ndim",
        ),
        *(
            "x.to_device(x.device)",
            "x.dtype == s.float64",
            "x.device == i.device",
            "e.to_device(e.device)",
        ),
        *("bool(s.asarray(float('nan')))", "float(s.asarray(float('inf')))", "s.asarray(1.0)[()]"),
        *("s.asarray(1.0)[...]", "s.asarray(1.0)[None]", "s.asarray(1.0)[s.asarray(True)]"),
        *(
            "s.asarray(1.0)[s.asarray(False)]",
            "x[s.asarray([1, 0]), s.asarray([0, 2]), s.asarray([1, 1])]",
        ),
        *("x[s.zeros((2, 3, 4), dtype=s.bool)]", "i[s.asarray([0, -1, 1])]", "e[..., 1]"),
        *("i[s.asarray([[0, 1], [2, 2]])]", "x[x > 3]", "x[::-1, 1:, -3::-2]", "e.mT"),
    ],
    "manipulation": [
        *(
            "s.take(i, s.asarray([1, -1]))",
            "s.take(i, s.asarray([], dtype=s.int64))",
            "s.repeat(x, 2)",
        ),
        *(
            "s.repeat(x, s.asarray([1, 2, 0]), axis=1)",
            "s.repeat(i, s.asarray([2]))",
            "s.unstack(x, axis=-1)",
        ),
        *(
            "s.squeeze(x[:1, :, :1], axis=(0, 2))",
            "s.expand_dims(x, axis=-4)",
            "s.expand_dims(x, axis=(0, 2))",
        ),
        *(
            "s.flip(x, axis=(0, -1))",
            "s.flip(x)",
            "s.flip(e)",
            "s.roll(x, shift=(1, -2), axis=(0, 2))",
        ),
        *("s.moveaxis(x, (0, 1), (-1, 0))", "s.tile(x, (2, 1, 1, 2))", "s.tile(e, (2, 1))"),
        *(
            "s.concat([x, s.ones((2, 2))], axis=None)",
            "s.concat([e, s.ones((2, 3))])",
            "s.unstack(e)",
        ),
        *(
            "s.reshape(x, (4, 6), copy=True)",
            "s.reshape(x, (-1,), copy=False)",
            "s.stack([e, e], axis=-1)",
        ),
        *(
            "s.broadcast_to(e, (2, 0, 3))",
            "s.broadcast_shapes((2, 1), (3,)) == (2, 3)",
            "s.permute_dims(e, (1, 0))",
        ),
        *(
            "s.astype(i, s.bool)",
            "s.astype(x, s.float64, copy=False)",
            "s.astype(x, s.int8, device=x.device)",
        ),
    ],
    "values": [
        *("s.clip(x, s.asarray([1.0, 2, 3, 4]), s.asarray([[5.0], [6], [7]]))", "s.clip(x, min=2)"),
        *(
            "s.clip(x, max=2.0)",
            "s.clip(i)",
            "s.clip(i, 1, 2)",
            "s.clip(s.asarray([1.0, float('nan')]), 0, 1)",
        ),
        *(
            "s.clip(s.asarray([1.0, 3]), s.asarray(float('nan')), 2.0)",
            "s.where(i > 1, 1.0, x[0, 0, :3])",
        ),
        *(
            "s.where(i > 1, i, 1)",
            "s.std(x, axis=(0, 1), correction=1)",
            "s.var(x, correction=1.5, keepdims=True)",
        ),
        *("s.count_nonzero(x, axis=(0, 2), keepdims=True)", "s.nonzero(x > 3)", "s.isin(i, 2)"),
        *(
            "s.isin(i, s.asarray([2], dtype=s.int8), invert=False)",
            "s.nonzero(e)",
            "s.count_nonzero(e)",
        ),
        *("s.searchsorted(s.asarray([3.0, 1, 2]), s.asarray([1.5]), sorter=s.asarray([1, 2, 0]))",),
        *(
            "s.cumulative_sum(i, dtype=s.int16, include_initial=True)",
            "s.cumulative_sum(s.asarray(1.0))",
        ),
        "s.cumulative_sum(e, axis=0)",
        *(
            "s.diff(s.arange(4.0), prepend=s.asarray([1.0]), append=s.asarray([0.0, 3]))",
            "s.argsort(s.asarray(1.0))",
        ),
        *(
            "s.vecdot(x, x, axis=-2)",
            "s.round(s.asarray([0.5, 1.5, -0.5, 2.5]))",
            "s.sum(i, axis=())",
        ),
        *(f"s.{name}(x, axis=())" for name in (*REDUCTIONS, "all", "any")),
        *(f"s.{name}(e, axis=0)" for name in ("sum", "prod", "mean", "all", "any", "var")),
        *(f"s.{name}(e, axis=1, keepdims=True)" for name in (*REDUCTIONS, "argmax", "argmin")),
        *(f"s.{name}(s.asarray(3.0))" for name in (*REDUCTIONS, "argmax", "all", "count_nonzero")),
        *(
            "s.sort(i, descending=True, stable=False)",
            "s.sort(e, axis=0)",
            "s.argsort(e, axis=0, descending=True)",
        ),
        *(
            f"tuple(s.unique_{kind}(s.asarray({given})))"
            for kind in ("all", "counts", "inverse")
            for given in (
                "[1.0, float('nan'), float('nan'), 1]",
                "[0.0, -0.0]",
                "[]",
                "[True, False]",
            )
        ),
    ],
    "dtypes": [
        *("s.isdtype(s.float32, (s.float32, 'integral'))", "s.isdtype(s.int8, s.int8)"),
        *(
            "s.result_type(s.int8, 1)",
            "s.result_type(s.float32, 1.0, s.float64)",
            "s.result_type(i, s.int16, 3)",
        ),
        *("s.finfo(s.float32).dtype", "s.iinfo(i).dtype", "(s.e, s.pi, s.inf, s.newaxis)"),
        *(
            f"s.finfo({x}).{name}"
            for x in ("s.float32", "x")
            for name in ("bits", "eps", "max", "min", "smallest_normal")
        ),
        *(f"s.iinfo({x}).{name}" for x in ("s.uint64", "i") for name in ("bits", "max", "min")),
    ],
}


def arrays(s: Any) -> dict[str, Any]:
    return {
        **{"s": s, "x": s.reshape(s.arange(24.0), (2, 3, 4)), "e": s.zeros((0, 3))},
        "i": s.asarray([3, 1, 2], dtype=s.int8),
    }


@each("code", [code for codes in SAME.values() for code in codes])
def test_options_and_edges(code):
    both(lambda s: eval(code, arrays(s)))


FORBIDDEN = [
    *(
        "s.sum(x, axis=3)",
        "s.reshape(x, (5,))",
        "s.stack([])",
        "s.concat([])",
        "s.roll(x, 1, axis=5)",
    ),
    *(
        "s.flip(x, axis=5)",
        "s.tile(x, (-1,))",
        "s.sort(x, axis=3)",
        "s.sort(s.asarray(1.0))",
        "s.eye(-1)",
    ),
    *(
        "s.linspace(0, 1, num=-1)",
        "s.zeros(-1)",
        "s.diff(i, n=-1)",
        "bool(i)",
        "float(i)",
        "int(i)",
    ),
    *(
        "s.meshgrid(i, indexing='q')",
        "s.searchsorted(i, i, side='q')",
        "s.arange(0, 5, 0)",
        "~x",
        "x & x",
    ),
    *(
        "x.to_device('nowhere')",
        "s.zeros(2, device='nowhere')",
        "i.mT",
        "x << 1",
        "x + None",
        "-(i > 1)",
    ),
    *(
        "s.unstack(s.asarray(1.0))",
        "s.expand_dims(i, axis=5)",
        "s.broadcast_to(i, (2,))",
        "s.take(i, s.asarray([4]))",
    ),
    *(
        "s.vecdot(x, i)",
        "s.finfo(s.int8)",
        "s.iinfo(s.float32)",
        "operator.index(x[0, 0, 0])",
        "x[2, ...]",
    ),
    *(
        "x[0, 0, 9]",
        "x[0, 0, 0, 0]",
        "s.reshape(x[:, ::2, :], (-1,), copy=False)",
        "int(s.asarray(float('nan')))",
    ),
    *("s.max(e)", "s.argmin(e, axis=0)", "len(s.asarray(1.0))"),
    *(
        "i.__array_namespace__(api_version='1900.1')",
        "s.asarray(1.0)[0]",
        "i[x > 3]",
        "s.permute_dims(x, (0, 1))",
    ),
    *(
        "s.linalg.det(x)",
        "s.linalg.inv(s.zeros((2, 2)))",
        "s.linalg.cholesky(-s.eye(2))",
        "s.linalg.trace(x[0, 0, :])",
    ),
    *(
        "s.linalg.matrix_norm(x[0, 0, :])",
        "s.linalg.matrix_power(x, 2)",
        "s.linalg.solve(s.eye(2), s.ones(3))",
    ),
    *(
        "s.linalg.outer(x, x)",
        "s.linalg.qr(s.eye(2), mode='x')",
        "s.linalg.vector_norm(x, ord='fro')",
    ),
    *(
        "s.linalg.cross(x[..., :2], x[..., :2])",
        "s.tensordot(x, x, axes=1)",
        "s.matmul(x, x)",
        "x @ 2.0",
    ),
]


@each("code", FORBIDDEN)
def test_errors(code):
    with pytest.raises(Exception):  # noqa: B017, PT011
        eval(code, {**arrays(xp), "operator": operator})
    with pytest.raises((GluonError, TypeError, ValueError, IndexError)):
        eval(code, {**arrays(np), "operator": operator})


# -------------------------------------------------------------------- writing and copying

WRITES = [
    *(
        "x[0, ...] = 7",
        "x[..., 0] = 7.5",
        "x[::2, ...] = s.asarray(3.0)",
        "x[:, ::-1, 1:3] = s.ones((3, 2))",
    ),
    *("x[x > 3] = 7", "x[...] = 1", "x[s.zeros((2, 3, 4), dtype=s.bool)] = 1.0"),
    *("x[1, 2, 3] = s.asarray(4.0)", "x = s.asarray(1.0); x[()] = 4", "e[...] = 1.0", "i[-1] = 9"),
    *(
        "y = s.asarray(x, copy=True); y[0, 0, 0] = 9.0",
        "y = s.asarray(x, copy=False); y[0, 0, 0] = 9.0",
    ),
    *(
        "y = s.astype(x, s.float64); y[0, 0, 0] = 9.0",
        "y = s.reshape(x, (24,), copy=True); y[0] = 9.0",
    ),
    *(
        "y = s.asarray(x, dtype=s.float64); y[0, 0, 0] = 9.0",
        "y = s.from_dlpack(x, copy=True); y[0, 0, 0] = 9.0",
    ),
]


@pytest.mark.parametrize("code", WRITES)
def test_what_writing_changes(code):
    def call(s: Any) -> Any:
        given = arrays(s)
        exec(code, given)
        return [given[name] for name in "xei"]

    both(call)


# -------------------------------------------------------------------------- linear algebra


def drawn(s: Any, dtype: str, *shape: int) -> Any:
    return s.asarray(numpy.random.default_rng(1).normal(size=shape).astype(dtype))


#: Expressions with a stack of positive definite matrices ``a``.
SQUARE = [
    *(f"s.linalg.{name}(a)" for name in "cholesky det inv eigvalsh slogdet svdvals pinv".split()),
    *(f"s.linalg.{name}(a)" for name in "trace diagonal matrix_norm matrix_transpose".split()),
    *(
        "s.linalg.cholesky(a, upper=True)",
        "s.linalg.trace(a, dtype=s.float64)",
        "abs(s.linalg.eigh(a)[1])",
    ),
    *("s.linalg.eigh(a).eigenvalues", "s.linalg.slogdet(a).logabsdet", "s.linalg.eigh(a)._fields"),
    *(f"s.linalg.matrix_power(a, {n})" for n in (-2, 0, 1, 3)),
    *(f"s.linalg.{name}(a, offset={k})" for name in ("trace", "diagonal") for k in (-2, 1)),
    *("s.linalg.solve(a, a)", "s.linalg.solve(a, s.ones((*a.shape[:-1], 2), dtype=a.dtype))"),
    "s.linalg.solve(a, s.ones(a.shape[-1], dtype=a.dtype))",
]
#: Expressions with any matrices ``a``.
ANY = [
    "[abs(part) for part in s.linalg.svd(a, full_matrices=False)]",
    "[part.shape for part in s.linalg.svd(a, full_matrices=True)]",
    *(
        f"[(p.shape, str(p.dtype)[-7:]) for p in s.linalg.qr(a, mode='{m}')]"
        for m in ("reduced", "complete")
    ),
    *(
        "s.linalg.qr(a)._fields",
        "s.linalg.svd(a)._fields",
        "s.linalg.pinv(a)",
        "s.linalg.pinv(a, rtol=0.1)",
    ),
    *(
        "s.tensordot(a, a, axes=0)",
        "s.matmul(a, a.mT)",
        "a @ a.mT",
    ),
    *(
        f"s.linalg.matrix_norm(a, ord={order}, keepdims={keepdims})"
        for order in ("1", "2", "'fro'", "'nuc'", "float('inf')")
        for keepdims in (False, True)
    ),
    *(
        f"s.linalg.vector_norm(a, ord={order}, axis={axis}, keepdims={keepdims})"
        for order in ("0", "0.5", "1", "2", "3", "float('inf')")
        for axis in (None, 0, -1, (0, 1))
        for keepdims in (False, True)
    ),
]
WITH_VALUES = [
    *(
        "s.linalg.matrix_rank(a)",
        "s.linalg.matrix_rank(a, rtol=0.5)",
        "s.linalg.matrix_norm(a, ord=-1)",
        "s.linalg.matrix_norm(a, ord=-2)",
    ),
    *("s.linalg.vector_norm(a, ord=-1)", "s.linalg.vector_norm(a, ord=-float('inf'), axis=0)"),
]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "shape", [(0, 0), (1, 1), (3, 3), (2, 3, 3), (2, 0, 0), (0, 3, 3)], ids=str
)
def test_square_matrices(shape, dtype):
    def call(s: Any) -> Any:
        a = drawn(s, dtype, *shape)
        a = a @ a.mT + 3 * s.eye(shape[-1], dtype=a.dtype)
        return [eval(code, {"s": s, "a": a}) for code in SQUARE]

    both(call)


@needs_new_numpy
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (0, 3), (3, 0), (2, 3, 4), (0, 2, 3)], ids=str)
def test_matrices(shape, dtype):
    def call(s: Any) -> Any:
        a = drawn(s, dtype, *shape)
        codes = ANY + WITH_VALUES * (0 not in shape)
        return [eval(code, {"s": s, "a": a}) for code in codes]

    both(call)
