"""Expressions on arrays of `np`, run by the oracle for reference and by the tests on gluon.

They see ``np``, ``npx``, ``onp`` (NumPy itself) and fresh arrays, those of `arrays`. Gradients are
taken of the floating results, with respect to ``x`` and ``y``. NumPy is all that this file needs:
``recorded/make_np.py`` reads it inside the oracle.
"""

from __future__ import annotations

from typing import Any

import numpy as onp

UNARY = """exp expm1 log log2 log10 log1p sqrt cbrt sin cos tan arcsin arccos arctan sinh cosh tanh
arcsinh arctanh degrees radians rad2deg deg2rad fabs negative absolute sign square reciprocal
floor ceil trunc fix isnan isinf isfinite isposinf isneginf logical_not""".split()
BINARY = """add subtract multiply divide true_divide power mod remainder fmod maximum minimum
arctan2 hypot copysign equal not_equal less less_equal greater greater_equal logical_and logical_or
logical_xor""".split()
AXES = ("", "axis=0", "axis=-1", "axis=(0, 1)", "axis=1, keepdims=True", "keepdims=True")
GROUPS: dict[str, list[str]] = {
    "creation": [
        *("np.array([1, 2])", "np.array(3)", "np.array(True)", "np.array([True, False])"),
        *("np.array([])", "np.array(onp.arange(3))", "np.array(onp.arange(3.0))"),
        *("np.array([[1, 2], [3, 4]], dtype='int32')", "np.array([np.array(1.0), np.array(2.0)])"),
        *("np.zeros((0, 3))", "np.zeros(())", "np.zeros(3)", "np.ones((2,), dtype=int)"),
        *("np.ones((2, 3), dtype='float16')", "np.ones((2,), dtype=bool)"),
        *("np.full((2,), 3)", "np.full((2,), 3.5)", "np.full((2,), True)"),
        *("np.full((2, 2), 1, dtype='int8')", "np.full_like(x, 2)", "np.zeros_like(i)"),
        *("np.ones_like(x, dtype='int32')", "np.arange(5)", "np.arange(1, 5, 2)"),
        *("np.arange(0, 1, 0.25)", "np.arange(3, dtype='int64')", "np.arange(5, 1, -2)"),
        *("np.linspace(0, 1, 5)", "np.linspace(0, 1, 4, endpoint=False)"),
        *("np.linspace(2, 3, 3, dtype='float64')", "np.linspace(0, 1, 3, retstep=True)[1]"),
        *("np.logspace(0, 2, 3)", "np.eye(2)", "np.eye(2, 3, k=1)", "np.identity(3)"),
        *("np.meshgrid(v, v)[0]", "np.meshgrid(v, v, indexing='ij')[1]"),
        *("np.copy(x)", "np.empty((2,)).shape"),
    ],
    "unary": [f"np.{name}(x)" for name in UNARY] + ["np.arccosh(x + 1)", "-x", "abs(-x)"],
    "binary": [
        *(f"np.{name}(x, y)" for name in BINARY),
        *(f"np.{name}(x, 2)" for name in BINARY),
        *(f"np.{name}(0.5, x)" for name in BINARY),
        *(f"np.{name}(x, v)" for name in ("add", "multiply", "power", "maximum", "less")),
        *("i + x", "i * x", "i + j", "i / 2", "i / i", "i ** 2", "i % 2", "b + 1", "b * x"),
        *("x + h", "x * d", "i + h", "x @ x.T", "v @ v", "~i", "~b", "i & 3", "i | 3", "i ^ 3"),
        *("x ** 2", "2 ** x", "1 - x", "1 / x", "x % 0.3", "2 % x", "x > 0.5", "0.5 < x"),
        *("np.bitwise_and(i, i)", "np.bitwise_or(i, i)", "np.bitwise_xor(i, i)"),
        *("np.lcm(i, 6)", "np.ldexp(x, y)", "np.add(x, y, out=np.zeros((2, 3)))"),
        *("onp.float64(2) * x", "onp.mean(x)", "onp.add(x, 1)", "onp.exp(x)"),
    ],
    "reductions": [
        *(
            f"np.{name}(x{', ' * bool(axis)}{axis})"
            for name in ("sum", "mean", "prod", "max", "min", "std", "var", "any", "all")
            for axis in AXES
        ),
        *(f"np.{name}(x{axis})" for name in ("argmax", "argmin") for axis in ("", ", axis=1")),
        *("np.cumsum(x)", "np.cumsum(x, axis=1)", "np.var(x, ddof=1)", "np.sum(b)", "np.mean(b)"),
        *("np.mean(i)", "np.max(i)", "np.sum(h)", "np.sum(x, dtype='float64')", "x.sum()"),
        *("np.amax(x, axis=0)", "np.amin(x)", "np.sum(np.zeros((0, 3)))", "np.ptp(x)"),
        *("np.count_nonzero(i)", "np.sum(x, axis=0, out=np.zeros((3,)))", "x.mean(1)", "x.std()"),
    ],
    "shape": [
        *("np.reshape(x, (3, 2))", "x.reshape(-1)", "x.reshape(3, -1)", "x.reshape((6, 1))"),
        *(
            "np.ravel(x)",
            "x.flatten()",
            "x.T",
            "np.transpose(c, (1, 2, 0))",
            "c.transpose(2, 0, 1)",
        ),
        *("np.moveaxis(c, 0, -1)", "np.rollaxis(c, 2)", "np.swapaxes(c, 0, 2)"),
        *("np.expand_dims(x, 1)", "np.squeeze(np.expand_dims(x, 0))", "np.broadcast_to(v, (2, 3))"),
        *("np.broadcast_arrays(x, v)[1]", "np.atleast_1d(np.array(3.0))", "np.atleast_2d(v)"),
        *("np.atleast_3d(x)", "np.flip(x)", "np.flip(x, 1)", "np.fliplr(x)", "np.flipud(x)"),
        *("np.roll(x, 1)", "np.roll(x, 2, axis=1)", "np.roll(x, (1, 2), axis=(0, 1))"),
        *("np.rot90(x)", "np.rot90(x, 3)", "np.tile(x, (2, 2))", "np.tile(v, 2)"),
        *("np.repeat(x, 2)", "np.repeat(x, 2, axis=1)", "np.pad(x, ((1, 0), (0, 2)))"),
        *("np.pad(x, 1, mode='edge')", "np.pad(x, 1, mode='reflect')", "np.resize(x, (2, 2))"),
    ],
    "join": [
        *("np.concatenate([x, y])", "np.concatenate([x, y], axis=1)", "np.stack([x, y], axis=1)"),
        *("np.vstack([v, v])", "np.hstack([x, y])", "np.dstack([x, y])", "np.column_stack([v, v])"),
        *("np.split(x, 3, axis=1)[1]", "np.split(v, [1])[0]", "np.array_split(v, 2)[0]"),
        *("np.hsplit(x, 3)[2]", "np.vsplit(x, 2)[0]", "np.dsplit(c, 3)[1]", "np.append(x, y)"),
        *("np.append(x, y, axis=0)", "np.delete(x, 1, axis=1)", "np.delete(x, [0, 1], axis=1)"),
        *("np.insert(v, 1, 9)", "np.insert(x, 1, 5, axis=1)", "np.row_stack([v, v])"),
    ],
    "indexing": [
        *("x[0]", "x[0, 1]", "x[:, 1]", "x[:, ::2]", "x[..., None]", "x[[0, 1], [1, 2]]"),
        *("x[np.array([0, 1, 0])]", "x[x > 0.7]", "x[b2]", "x[True]", "x[()]", "v[-1]"),
        *("np.where(x > 0.7, x, y)", "np.where(x > 0.7, 1, 2)", "np.where(x > 0.7, x, 0)"),
        *("np.where(i)[0]", "np.nonzero(i)[0]", "np.take(x, np.array([0, 2]), axis=1)"),
        *("np.take(v, np.array([0, 1]))", "np.diag(v)", "np.diag(x)", "np.diagonal(x)"),
        *("np.diagflat(x)", "np.tril(x)", "np.triu(x, 1)", "np.trace(x)"),
        *(
            "x.take(np.array([1]), axis=1)",
            "np.extract(x > 0.7, x)",
            "np.compress([0, 1], x, axis=0)",
        ),
    ],
    "matrix": [
        *("np.dot(x, x.T)", "np.dot(v, v)", "np.dot(x, v)", "np.dot(c, x.T)", "np.vdot(x, y)"),
        *("np.inner(x, y)", "np.outer(v, v)", "np.matmul(x, x.T)", "np.matmul(c, x.T)"),
        *("np.tensordot(x, y)", "np.tensordot(x, y, axes=([0], [0]))", "np.tensordot(x, y, 0)"),
        *("np.kron(x, v)", "np.einsum('ij,kj->ik', x, y)", "np.einsum('ij->j', x)"),
        *("np.einsum('ij,ij', x, y)", "np.einsum('i...->...', x)", "x.dot(v)"),
        *("np.einsum('ij,kj,kl->il', x, y, y, optimize=True)", "np.einsum('ii', x[:, :2])"),
    ],
    "the rest": [
        *("np.clip(x, 0.5, 0.9)", "x.clip(0.5, 0.9)", "np.clip(x, 0.5, None)", "np.round(x, 1)"),
        *("np.around(x)", "np.nan_to_num(s)", "np.isclose(x, y)", "np.allclose(x, x)"),
        *("np.array_equal(x, x)", "np.modf(x)[0]", "np.ldexp(v, i)", "np.heaviside(x, 0.5)"),
        *(
            "x.astype('int32')",
            "x.item(2)",
            "x.tolist()",
            "len(x)",
            "bool(x[0, 0])",
            "float(x[0, 0])",
        ),
        *("x.shape", "x.size", "x.ndim", "str(x.dtype)", "repr(x)", "repr(i)", "repr(b)"),
        *("repr(np.zeros((0, 3)))", "repr(np.array(2.5))", "str(x)", "type(x.asnumpy()).__name__"),
        *("x.as_nd_ndarray().shape", "[float(e) for e in v]", "np.pi", "np.inf", "np.newaxis"),
    ],
}
PROGRAMS = [program for group in GROUPS.values() for program in group]


def raws(dtype: str = "float32") -> dict[str, Any]:
    """The arrays that programs can use.

    Floats have `dtype`, except for those with a dtype of their own.
    """
    draw = onp.random.RandomState(0)
    found = {
        "x": draw.uniform(0.2, 0.95, (2, 3)).astype("float32"),
        "y": draw.uniform(0.2, 2, (2, 3)).astype("float32"),
        "v": onp.array([0.5, 1.5, 2.5], "float32"),
        "s": onp.array([onp.nan, onp.inf, -onp.inf, 1], "float32"),
        "h": onp.full((2, 3), 1.5, "float16"),
        "d": onp.full((2, 3), 1.5, "float64"),
        "i": onp.array([3, 0, 5], "int32"),
        "j": onp.array([3, 0, 5], "int64"),
        "b": onp.array([True, False, True]),
        "b2": onp.array([[True, False, True], [False, True, False]]),
    }
    found["c"] = draw.normal(size=(2, 2, 3)).astype("float32")
    wide = {name: raw.astype(dtype) for name, raw in found.items() if raw.dtype == "float32"}
    return {**found, **wide}


def evaluate(program: str, np: Any, npx: Any, autograd: Any) -> tuple[Any, dict[str, Any]]:
    """The result, and its gradients with respect to ``x`` and ``y`` where there are some."""
    given = {name: np.array(raw, dtype=raw.dtype) for name, raw in raws().items()}
    for name in "xy":
        given[name].attach_grad()
    with autograd.record():
        result = eval(program, {"np": np, "npx": npx, "onp": onp, **given})
    if not isinstance(result, np.ndarray) or str(result.dtype)[0] != "f" or not result.size:
        return result, {}
    head = onp.random.RandomState(1).normal(size=result.shape).astype(str(result.dtype))
    try:
        result.backward(np.array(head, dtype=head.dtype))
    except Exception:  # nothing that was recorded leads there
        return result, {}
    return result, {name: given[name].grad for name in "xy"}
