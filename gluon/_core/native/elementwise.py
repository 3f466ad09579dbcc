"""Powers that reduce to simpler operations, rectifiers, the Huber loss and trigamma."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..kernels.activation import gamma_shape
from ..kernels.special import polygamma
from . import loading
from .stand_ins import FLOATS, stands_in


def _cube(x: Any) -> Any:
    return x * x * x


_SIMPLER = {
    exponent: loading.operation(name, plain)
    for exponent, name, plain in (
        (2, "square", np.square),
        (3, "cube", _cube),
        (0.5, "sqrt", np.sqrt),
        (-1, "reciprocal", np.reciprocal),
    )
}


_multiply = loading.operation("multiply", np.multiply)
#: The operations on an array and a number or another array.
_leaky, _leaky_slope, _huber = (
    loading.operation(name, plain)
    for name, plain in (
        ("leaky", lambda x, z: np.where(x > 0, x, x * z)),
        ("leaky_slope", lambda x, z: np.where(x > 0, x.dtype.type(1), x.dtype.type(z))),
        ("huber", lambda x, z: (x - np.clip(x, -1 / z, 1 / z) / 2) * np.clip(x * z, -1, 1)),
    )
)

_trigamma = loading.operation("trigamma", partial(polygamma, n=1))


def _known(x: Any) -> bool:
    return type(x) is np.ndarray and x.dtype in FLOATS


@stands_in("power")
def _power(plain: Callable, x1: Any, x2: Any) -> Any:
    """The exponent is a number, or a 0-d array of the same dtype."""
    if type(x2) is np.ndarray and not x2.ndim and x2.dtype == getattr(x1, "dtype", None):
        exponent = x2.item()
    else:
        exponent = x2 if type(x2) in (int, float) else None
    simpler = _SIMPLER.get(exponent)
    return simpler(x1) if simpler and _known(x1) else plain(x1, x2)


@stands_in("einsum")
def _einsum(plain: Callable, *xs: Any, subscripts: str, optimize: Any = False) -> Any:
    """Products without sums, which broadcast."""
    given, _, result = subscripts.partition("->")
    terms = given.split(",")
    lengths = {c: n for term, x in zip(terms, xs) for c, n in zip(term, x.shape)}
    if (
        len(xs) == 2
        and all(map(_known, xs))
        and all(len(set(term)) == len(term) for term in terms)
        and sorted(lengths) == sorted(result)
        and all(x.shape == tuple(lengths[c] for c in term) for term, x in zip(terms, xs))
    ):
        return _multiply(
            *(
                x.transpose([term.index(c) for c in result if c in term])[
                    tuple(slice(None) if c in term else None for c in result)
                ]
                for term, x in zip(terms, xs)
            )
        )
    return plain(*xs, subscripts=subscripts, optimize=optimize)


@stands_in("leaky_relu")
def _leaky_relu(plain: Callable, x: Any, *, slope: float = 0.25) -> Any:
    return _leaky(x, float(slope)) if _known(x) else plain(x, slope=slope)


@stands_in("leaky_relu_slope")
def _leaky_relu_slope(plain: Callable, x: Any, *, slope: float) -> Any:
    return _leaky_slope(x, float(slope)) if _known(x) else plain(x, slope=slope)


@stands_in("prelu")
def _prelu(plain: Callable, x: Any, gamma: Any) -> Any:
    if _known(x) and type(gamma) is np.ndarray and gamma.dtype == x.dtype:
        return _leaky(x, gamma.reshape(gamma_shape(gamma.shape, x.shape)))
    return plain(x, gamma)


@stands_in("smooth_l1")
def _smooth_l1(plain: Callable, x: Any, *, scalar: float = 1.0) -> Any:
    scale = float(scalar) ** 2
    return _huber(x, scale) if _known(x) and scale else plain(x, scalar=scalar)


@stands_in("polygamma")
def _polygamma(plain: Callable, x: Any, *, n: int) -> Any:
    return _trigamma(x) if n == 1 else plain(x, n=n)
