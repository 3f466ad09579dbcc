"""Exported symbols with NumPy's interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

from gluon import GluonError, npx, sym
from gluon import np as gluon_np
from gluon.onnx.exporting import model_of
from gluon.symbol.np_methods import on
from tests.each import each
from tests.symbol.np import cases as np_cases

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from .agreement import check, needs_new_runtime, ran

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
INF = float("inf")
Case = Callable[[Any, Any, Any, Any, Any], Any]
#: Beside those of `np_cases`: ``case(np, npx, x, y, z)`` gives one symbol or several.
CASES: dict[str, Case] = {
    "hyperbolic": lambda np, npx, x, y, z: (
        np.arccosh(x + 1) + np.arcsinh(x) + np.arctanh(x) + np.cosh(x) + np.sinh(x)
    ),
    "angles": lambda np, npx, x, y, z: np.deg2rad(x) + np.rad2deg(y) + np.log2(x),
    "atleast": lambda np, npx, x, y, z: [
        on(f"_np_atleast_{k}d", "wide", part) for k in (1, 2, 3) for part in (x, x[0], x[0, 0])
    ],
    "diagonals": lambda np, npx, x, y, z: [
        *(np.diag(x, k) for k in (1, -2)),
        *(np.diag(x[0], k) for k in (1, 0, -2)),
        *(np.diagonal(x, k) for k in (1, -1)),
        np.diagonal(x.reshape(3, 2, 2), 0, 2, 0),
        np.diagflat(x, 1),
        np.trace(x, 1),
        np.trace((x * 9).astype("int32"), -1),
    ],
    "bits of booleans": lambda np, npx, x, y, z: [
        *(getattr(np, f"bitwise_{name}")(x > 0.5, y > 0.5) for name in ("and", "or", "xor")),
        np.bitwise_not(x > 0.5),
    ],
    "arithmetic of booleans": lambda np, npx, x, y, z: [
        *((x > 0.5) * 2.0, (x > 0.5) + 1, (x > 0.5) * (y > 0.5), (x > 0.5) + (y > 0.5)),
        *((x > 0.5) < (y > 0.5), (x > 0.5) == (y > 0.5), (x > 0.5) >= 0.5),
        *(np.sum(x > 0.5), np.mean(x > 0.5), np.max(x > 0.5), np.argmax(x > 0.5, axis=1)),
    ],
    "windows": lambda np, npx, x, y, z: [np.blackman(5), np.hamming(5), np.hanning(4)],
    "makers": lambda np, npx, x, y, z: [
        on("_npi_indices", "indices", dimensions=(2, 3)),
        on("_npi_logspace", "logspace", start=0.0, stop=1.0, num=5),
        np.full_like(x, 2, dtype="int32"),
    ],
    "splits": lambda np, npx, x, y, z: [
        *np.dsplit(x.reshape(1, 3, 4), 2),
        *np.split(x, [1, 3], axis=1),
        *np.hsplit(x, [1, 2]),
    ],
    "pairs": lambda np, npx, x, y, z: [
        *(np.hypot(x, 2), np.ldexp(x, 2), np.ldexp(x, y), np.ldexp(2, x)),
        np.arctan2(np.sin(9 * x), np.cos(9 * y)),
        np.copysign(x, np.sin(9 * y)),
        np.add(x, (9 * y).astype("int32")),
    ],
    "infinities": lambda np, npx, x, y, z: [
        *(np.isinf(x / 0), np.isposinf(-x / 0), np.isneginf(-x / 0), np.isfinite(x / 0)),
        *(np.nan_to_num(np.log(-x), nan=3.0), np.nan_to_num(-x / 0)),
        np.nan_to_num(x / 0, posinf=7.0),
    ],
    "polyval": lambda np, npx, x, y, z: np.polyval(x[0], y),
    "nonzero": lambda np, npx, x, y, z: npx.nonzero(x > 0.5),
    "averages": lambda np, npx, x, y, z: [
        np.average(x, axis=1, weights=y),
        np.average(x, weights=y),
        *np.average(x, axis=1, weights=y[0], returned=True),
        *np.average(x, returned=True),
    ],
    "reductions": lambda np, npx, x, y, z: [
        np.sum(x, axis=(0, 1)),
        np.sum(x, axis=1, dtype="float64"),
        np.sum(x, initial=2),
        np.max(x, axis=0, initial=0.5),
        np.std(x, axis=1, ddof=1),
        np.argmin(x, keepdims=True),
    ],
    "norms": lambda np, npx, x, y, z: [
        *(np.linalg.norm(x, k, axis=1) for k in (0, 1, 3, INF, -INF)),
        *(np.linalg.norm(x, k, axis=(0, 1)) for k in ("fro", 1, -1, INF, -INF)),
        np.linalg.norm(x, 3, axis=1, keepdims=True),
    ],
    "percentiles": lambda np, npx, x, y, z: [
        *(
            np.percentile(x, 30, axis=1, interpolation=kind)
            for kind in ("linear", "lower", "higher", "midpoint", "nearest")
        ),
        np.percentile(x, 25),
        np.percentile(x, 75, axis=0, keepdims=True),
    ],
    "bincount": lambda np, npx, x, y, z: [
        np.bincount((x * 9).astype("int32").reshape(-1), minlength=20),
        np.bincount((x * 9).astype("int32").reshape(-1), weights=y.reshape(-1)),
    ],
    "more codes": lambda np, npx, x, y, z: [
        npx.reshape(x, codes) for codes in ((-2, -2), (-5,), (-6, 3, 1, -4))
    ],
    "turns": lambda np, npx, x, y, z: [
        *(np.rot90(x, k) for k in range(4)),
        np.rot90(x, 1, (1, 0)),
        np.flip(x),
        np.moveaxis(x.reshape(3, 2, 2), (0, 1), (2, 0)),
        *(np.roll(x, 5), np.roll(x, (1, -2), axis=(0, 1)), np.roll(x, -1, axis=1)),
    ],
    "tril": lambda np, npx, x, y, z: [np.tril(x, 1), np.tril(x.reshape(3, 2, 2), -1)],
    "pads": lambda np, npx, x, y, z: [
        np.pad(x, 1),
        np.pad(x, ((1, 0), (0, 2)), mode="edge"),
        np.pad(x, ((1, 1), (2, 2)), mode="reflect"),
        np.pad(x, ((1, 1), (2, 2)), constant_values=3.0),
    ],
    "stacks of few axes": lambda np, npx, x, y, z: [
        getattr(np, name)([x[0], y[0]]) for name in ("hstack", "vstack", "dstack", "column_stack")
    ],
    "products": lambda np, npx, x, y, z: [
        *(np.dot(x[0], y[0]), np.dot(x.sum(), y), np.dot(x, z.reshape(1, 4, 5))),
        *(np.matmul(x.reshape(3, 1, 4), z), np.tensordot(x, y, axes=((0, 1), (0, 1)))),
        *(np.einsum("ij,ij", x, y), np.einsum("...j,jk->...k", x, z)),
    ],
    "multiples": lambda np, npx, x, y, z: np.lcm(
        (x * 20).astype("int32"), (y * 20 - 9).astype("int32")
    ),
    "systems": lambda np, npx, x, y, z: [
        np.linalg.solve(x[:, :3], y),
        np.linalg.solve(x[:, 1:], y[:, 0]),
        np.linalg.cholesky(np.dot(x, x.T)),
        np.linalg.tensorinv(np.dot(x.T, y[:, :4]).reshape(4, 2, 2) + np.eye(4).reshape(4, 2, 2), 1),
        np.linalg.tensorsolve(np.eye(12).reshape(3, 4, 12) + 0.1, x),
    ],
    "differences": lambda np, npx, x, y, z: [np.diff(x, 2), np.diff(x, 1, 0)],
    "rounds": lambda np, npx, x, y, z: [np.around(x * 100, -1), np.rint(x * 5), np.fix(-x * 5)],
    "sums of bytes": lambda np, npx, x, y, z: [
        np.dot((x * 99).astype("int8"), (y.T * 99).astype("int8")),
        np.matmul(x > 0.5, z > 0.5),
        np.einsum("ij->j", x > 0.5),
        np.tensordot((x * 9).astype("uint8"), (y * 9).astype("uint8"), axes=((0, 1), (0, 1))),
        *(np.sum((x * 99).astype("uint8"), axis=1), np.prod((x * 9).astype("int8"), axis=0)),
        *(np.cumsum((x * 99).astype("int8")), np.cumsum(x > 0.5), np.sort(x > 0.5)),
    ],
    "npx": lambda np, npx, x, y, z: [
        *(npx.log_softmax(x), npx.topk(x, k=2, ret_typ="value"), npx.arange_like(x, axis=0)),
        *(npx.leaky_relu(x, act_type="gelu"), npx.erf(x), npx.smooth_l1(x, scalar=1.0)),
        *(npx.broadcast_like(x[:1], x), npx.reshape_like(x, y.T), npx.shape_array(x)),
    ],
}
#: Draws are compared otherwise.
DRAWN = ("uniform", "normal", "gamma", "randint")
WRITTEN = {**np_cases.CASES, **CASES}


@pytest.fixture(autouse=True)
def _numpy():
    npx.set_np()
    yield
    npx.reset_np()


def arrays(dtype: str = "float32") -> dict[str, numpy.ndarray]:
    draw = numpy.random.default_rng(0)
    shapes = {"x": (3, 4), "y": (3, 4), "z": (4, 5)}
    scale = 1 if dtype == "float32" else 12  # no integer is zero
    found = {name: draw.uniform(0.1, 0.9, shape) for name, shape in shapes.items()}
    return {name: (scale * one).astype(dtype) for name, one in found.items()}


def described(case: str) -> list[Any]:
    found = WRITTEN[case](sym.np, sym.npx, *(sym.var(name).as_np_ndarray() for name in "xyz"))
    return list(found) if isinstance(found, (list, tuple)) else [found]


@pytest.mark.parametrize("opset", [13, 17, 21])
@each("case", [name for name in WRITTEN if name not in DRAWN], size=10)
def test_what_is_written_computes_the_same(case, opset):
    if opset != 17 and case in {*np_cases.ONE, *np_cases.TWO} and len(case) % 4:
        return  # some of them do for the other versions
    net = sym.Group(described(case))
    given = arrays()
    shapes = net.infer_shape_partial(**{k: v.shape for k, v in given.items() if k in
                                        net.list_inputs()})[0]  # fmt: skip
    more = {k: numpy.ones(s, "float32") for k, s in zip(net.list_arguments(), shapes) if s}
    names = net.list_inputs()
    check(net, {name: {**more, **given}[name] for name in names}, opset)


@each("case", [*np_cases.ONE, *np_cases.TWO], size=10)
def test_integers_have_the_dtypes_of_arrays(case):
    given = arrays("int32")
    for one in described(case):
        check(one, {name: given[name] for name in one.list_inputs()})


@pytest.mark.parametrize("kind", ["linear", "lower", "higher", "midpoint", "nearest"])
@pytest.mark.parametrize(
    "dtype", [pytest.param("uint8", marks=needs_new_runtime), "int32", "int64", "float16"]
)
def test_percentiles_of_integers(dtype, kind):
    x = sym.var("x").as_np_ndarray()
    raw = numpy.array([[1, 2, 4, 7, 9], [3, 3, 9, 8, 8]], dtype)
    for q in (30, 50):
        check(sym.np.percentile(x, q, axis=1, interpolation=kind), {"x": raw})


def test_bits_of_integers():
    x, y = (sym.var(name).as_np_ndarray() for name in "xy")
    given = arrays("int32")
    found = sym.np.bitwise_xor(sym.np.bitwise_and(x, y), 5) + sym.np.bitwise_not(x)
    check(found, {name: given[name] for name in "xy"}, 18)
    with pytest.raises(GluonError, match="opset_version=18"):
        check(found, {name: given[name] for name in "xy"}, 17)


@pytest.mark.parametrize(
    "name", "uniform normal exponential gamma gumbel logistic pareto rayleigh weibull".split()
)
def test_draws_have_the_same_distribution(name):
    values = {"uniform": (2.0, 5.0), "pareto": (3.0,), "weibull": (2.0,)}
    given = values.get(name, (2.0,) if name in ("exponential", "rayleigh") else (1.0, 2.0))
    own, theirs = (getattr(one.random, name) for one in (gluon_np, sym.np))
    model = model_of(theirs(*given, size=(40_000,)), {}, {}, {}, None)
    quantiles = [0.1, 0.25, 0.5, 0.75, 0.9]
    wanted = numpy.quantile(own(*given, size=(40_000,)).asnumpy(), quantiles)
    numpy.testing.assert_allclose(
        numpy.quantile(ran(model, {})[0], quantiles), wanted, atol=0.05 * (wanted[-1] - wanted[0])
    )


def test_what_has_no_counterpart():
    np, x = sym.np, sym.var("x").as_np_ndarray()
    for net, words in (
        (np.linalg.norm(x, 2, axis=(0, 1)), "norm.*singular values"),
        (np.pad(x, ((1, 1), (1, 1)), mode="symmetric"), "_npi_pad.*symmetric"),
        (np.linalg.svd(x)[0], "no counterpart of _npi_svd"),
        (np.diff(x > 0), "diff.*cast the inputs of this node"),
    ):
        with pytest.raises(GluonError, match=words):
            check(net, {"x": arrays()["x"]})
