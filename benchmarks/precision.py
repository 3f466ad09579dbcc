"""The precision of reductions: the largest error of each, in units of the last place (ulp).

The inputs are drawn uniformly from 0 to 1 (in float16 to 1/16, so that no sum overflows); what is
right is computed in float64 by NumPy. The error of a result is counted in the distance from one
number of its dtype to the next.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy

from benchmarks.common import table
from gluon import autograd, nd, np

#: The reductions, by the heading of their column: a shape and an axis.
PLACES = {
    "first axis": ((100_000, 8), 0),
    "middle axis": ((20, 5000, 8), 1),
    "last axis": ((8, 100_000), 1),
    "all axes": ((400, 2000), None),
}

Array = numpy.ndarray
Axis = int | None


def broadcast_gradient(raw: Array, axis: Axis) -> Array:
    """Return the gradient of a value that was added to an array of zeros, for cotangent `raw`."""
    x = nd.zeros(raw.sum(axis, keepdims=True).shape, dtype=raw.dtype)
    x.attach_grad()
    with autograd.record():
        y = nd.zeros(raw.shape, dtype=raw.dtype) + x
    y.backward(nd.array(raw, dtype=raw.dtype))
    return x.grad.asnumpy().squeeze(axis) if axis is not None else x.grad.asnumpy().reshape(())


def of_nd(name: str, **options: Any) -> Callable[[Array, Axis], Array]:
    def reduce(raw: Array, axis: Axis) -> Array:
        return getattr(nd, name)(nd.array(raw, dtype=raw.dtype), axis=axis, **options).asnumpy()

    return reduce


def of_np(name: str) -> Callable[[Array, Axis], Array]:
    def reduce(raw: Array, axis: Axis) -> Array:
        return getattr(np, name)(np.array(raw, dtype=raw.dtype), axis).asnumpy()

    return reduce


#: Maps each reduction to what gluon computes, and to the right result.
REDUCTIONS: dict[str, tuple[Callable, Callable]] = {
    "sum": (of_nd("sum"), numpy.sum),
    "mean": (of_nd("mean"), numpy.mean),
    "nansum": (of_nd("nansum"), numpy.nansum),
    "norm, ord=1": (of_nd("norm", ord=1), numpy.sum),
    "norm": (of_nd("norm"), lambda x, axis: numpy.sqrt((x * x).sum(axis))),
    "var": (of_np("var"), numpy.var),
    "std": (of_np("std"), numpy.std),
    "gradient of broadcasting": (broadcast_gradient, numpy.sum),
    "cumsum": (of_np("cumsum"), numpy.cumsum),
    "numpy.sum": (lambda x, axis: x.sum(axis), numpy.sum),
}


def error(name: str, place: str, dtype: str = "float32") -> float:
    """Return the largest error of a reduction, in ulp of the result."""
    shape, axis = PLACES[place]
    most = 1 / 16 if dtype == "float16" else 1  # avoids an overflow of sums
    raw = (most * numpy.random.RandomState(0).random_sample(shape)).astype(dtype)
    found, exact = REDUCTIONS[name]
    right = numpy.asarray(exact(raw.astype("float64"), axis))
    unit = numpy.spacing(right.astype(dtype)).astype("float64")
    return float(
        (abs(found(raw, axis).astype("float64").reshape(right.shape) - right) / unit).max()
    )


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--dtype", default="float32", choices=["float16", "float32"])
    options.add_argument("--quick", action="store_true", help="as always: it takes a few seconds")
    dtype = options.parse_args().dtype
    rows = [
        [name, *(f"{error(name, place, dtype):.1f}" for place in PLACES)] for name in REDUCTIONS
    ]
    print(table(["ulp", *PLACES], rows))


if __name__ == "__main__":
    main()
