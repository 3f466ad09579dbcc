"""Shared parts of the samplers of `np.random`."""

from __future__ import annotations

from typing import Any

import numpy

from ..._core.arrays.context import device as at
from ..._core.arrays.dtypes import as_numpy_dtype
from ..._core.arrays.rebind import is_recorded
from ..._core.arrays.switch import default_float
from ..._core.engine.array import Array, as_raw, wrap
from ..._core.engine.node import CREATED
from ..._core.engine.op import KERNELS
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError, DTypeError
from ..._core.faces.prototype import T
from ..._core.instruments.base import OBSERVED
from ..._core.kernels import distributions as kernels
from ..._core.kernels.generator import generator
from ..._core.kernels.memory import on_host
from ...nd._draw import DRAWN
from ...nd._public import with_zero_gradients
from .._array import ndarray
from .._explained import explained
from .._public import NUMBERS, as_array, as_shape, cast, into

OBSERVED += [(kernels, "draw", "forward", lambda distribution: f"np_random_{distribution}")]

BAD = "ArgumentError\n    If a parameter is out of its range, or shapes do not fit."
DTYPE = "str or numpy type, optional\nThe default floating dtype by default."


def sampler(function: T) -> T:
    """`explained`, for samplers."""
    return explained(function, "ndarray of shape `size`, of `dtype`", BAD, dtype=DTYPE)


def final(size: Any, *shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of samples: `size`, to which the parameters must broadcast, or theirs."""
    base = numpy.broadcast_shapes(*shapes)
    if size is None:
        return base
    wanted = as_shape(size)
    if not wanted:
        return base  # as in MXNet
    if any(n < 0 for n in wanted):
        raise ArgumentError(f"size={size!r} has a negative length")
    try:
        fits = numpy.broadcast_shapes(base, wanted) == wanted
    except ValueError:
        fits = False
    if not fits:
        raise ArgumentError(f"parameters of shape {base} do not broadcast to size={wanted}")
    return wanted


def draw(
    distribution: str,
    parameters: dict[str, Any],
    size: Any,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
    device: Any = None,
) -> ndarray:
    """Samples of one of `kernels.DISTRIBUTIONS`; recorded where parameters with a gradient are."""
    found: Any = kernels.DISTRIBUTIONS[distribution]
    kept: dict[str, Any] = {
        name: value if isinstance(value, NUMBERS) else as_array(value)
        for name, value in parameters.items()
    }
    arrays = [value for value in kept.values() if isinstance(value, Array)]
    shape = final(size, *[value.shape for value in arrays])
    kind = _dtype(dtype, arrays)
    raws = {name: on_host(getattr(value, "raw", value)) for name, value in kept.items()}
    kernels.check(distribution, raws)
    shapes = [raws[name] for name in found.shapes]
    z = kernels.draw(distribution, shapes, size=shape, rng=generator())
    others = [name for name in kept if name not in found.shapes]
    where = arrays[0]._ctx if arrays else at(device if ctx is None else ctx)
    movable = [kept[name] for name in others if isinstance(kept[name], Array)]
    if is_recorded(*movable):
        given = [
            cast(kept[name], kind) if isinstance(kept[name], Array) else kept[name]
            for name in others
        ]
        return into(out, found.made(ops, wrap(ndarray, z.astype(kind), where), *given))
    if found.made is not None:
        with numpy.errstate(over="ignore"):
            z = found.made(KERNELS, z, *[_as(raws[name], "float64") for name in others])
    with numpy.errstate(over="ignore"):  # infinite if the dtype overflows, as elsewhere
        raw = _as(z, kind)
    if distribution == "uniform":
        raw = _below(raw, raws["low"], raws["high"])
    return into(
        out, with_zero_gradients(wrap(ndarray, raw, where, CREATED if movable else DRAWN), *arrays)
    )


def _dtype(dtype: Any, arrays: list[Any]) -> numpy.dtype:
    """Return the dtype of samples: requested, float64 for float64 parameters, or the default."""
    if dtype is not None:
        kind = as_numpy_dtype(dtype)
        if kind.kind not in "fViu":
            raise DTypeError(f"samples are numbers and cannot have the dtype {kind.name}")
        return kind
    is_double = any(one.dtype == numpy.float64 for one in arrays)
    return numpy.dtype("float64") if is_double else default_float()


def _as(value: Any, dtype: Any) -> Any:
    """A number or raw array as a raw array of `dtype`."""
    return as_raw(value).astype(dtype, copy=False)


def _below(raw: Any, low: Any, high: Any) -> Any:
    """Keep samples below the excluded bound of the interval despite rounding."""
    low, high = [_as(one, raw.dtype) for one in (low, high)]
    return numpy.where((raw < high) | (high <= low), raw, numpy.nextafter(high, low))
