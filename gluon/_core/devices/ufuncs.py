"""Ufuncs of NumPy on device buffers: dtypes as NumPy promotes them, computed by PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from .buffer import FLOATS, METHODS, DeviceBuffer, like, tensor
from .common import Unimplemented, check_written, is_number, number, place_of
from .indexing import add_at, overlap
from .tensors import BFLOAT16, TO_NUMPY, TO_TORCH, kind_of, scalar

try:
    from numpy.lib.array_utils import normalize_axis_index as normalize

    #: Dtypes of which an array without axes counts as a number of Python, beside other arrays.
    WEAK = ""
except ImportError:  # NumPy 1
    from numpy.core.multiarray import (  # type: ignore[no-redef]
        normalize_axis_index as normalize,
    )

    WEAK = "iufc"

#: Functions of PyTorch under other names than NumPy's.
RENAMED = {
    "absolute": "abs",
    "fabs": "abs",
    "arccos": "acos",
    "arcsin": "asin",
    "arctan": "atan",
    "arccosh": "acosh",
    "arcsinh": "asinh",
    "arctanh": "atanh",
    "arctan2": "atan2",
    "power": "pow",
    "invert": "bitwise_not",
    "degrees": "rad2deg",
    "radians": "deg2rad",
    "conjugate": "conj_physical",
    "left_shift": "bitwise_left_shift",
    "right_shift": "bitwise_right_shift",
    "divide": "true_divide",
    "equal": "eq",
    "not_equal": "ne",
    "greater": "gt",
    "greater_equal": "ge",
    "less": "lt",
    "less_equal": "le",
    "_ones_like": "ones_like",
}
#: Those under the same name.
SAME = (
    "add subtract multiply negative exp exp2 expm1 log log2 log10 log1p sqrt square"
    " reciprocal sin cos tan sinh cosh tanh rad2deg deg2rad floor ceil trunc maximum minimum"
    " fmax fmin isnan isinf isfinite signbit logical_and logical_or logical_xor logical_not"
    " bitwise_and bitwise_or bitwise_xor copysign hypot logaddexp logaddexp2 nextafter ldexp"
    " gcd lcm matmul remainder fmod floor_divide"
)


def _sign(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x.isnan(), x, torch.sgn(x)) if x.dtype.is_floating_point else torch.sgn(x)


def _integers_divide(f: Callable[..., Any]) -> Callable[..., Any]:
    """A division of which integers by zero are left to NumPy, that gives 0 with a warning."""

    def run(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        if not x.dtype.is_floating_point and bool((y == 0).any()):
            raise Unimplemented("a division of integers by zero")
        return f(x, y)

    return run


def _floor_divide(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    if not x.dtype.is_floating_point:
        return torch.floor_divide(x, y)
    return torch.where(y == 0, x / y, torch.floor_divide(x, y))


def _power(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    if not (x.dtype.is_floating_point or x.is_complex()) and bool((y < 0).any()):
        raise Unimplemented("negative powers of integers")
    return torch.pow(x, y)


def _cbrt(x: torch.Tensor) -> torch.Tensor:
    y = torch.sgn(x) * torch.abs(x).pow(1 / 3)
    finite = torch.isfinite(x) & (x != 0)
    return torch.where(finite, y - (y * y * y - x) / torch.where(finite, 3 * y * y, 1), x)


def _rint(x: torch.Tensor) -> torch.Tensor:
    return torch.complex(x.real.round(), x.imag.round()) if x.is_complex() else x.round()


def _heaviside(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.where(x.isnan(), x, torch.heaviside(x, y))  # PyTorch gives 0 for nan


def _of_whole(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that leaves booleans as they are, which PyTorch refuses."""
    return lambda x: x.clone() if x.dtype is torch.bool else f(x)


def matmul(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """A product of matrices; of booleans, which PyTorch refuses, whether any pair holds."""
    return x.float() @ y.float() > 0 if x.dtype is torch.bool else multiplied(x) @ y


def multiplied(t: torch.Tensor) -> torch.Tensor:
    """A factor of a sum of products: PyTorch computes those of integers on CPUs alone."""
    if t.is_cuda and not (t.is_floating_point() or t.is_complex()):
        raise Unimplemented("PyTorch has no products of matrices of integers on GPUs")
    return t


#: Maps the name of a ufunc to the function over tensors of the dtypes of its loop.
UFUNCS: dict[str, Callable[..., Any]] = {
    **{name: getattr(torch, name) for name in SAME.split()},
    **{name: getattr(torch, other) for name, other in RENAMED.items()},
    **{name: _of_whole(getattr(torch, name)) for name in ("floor", "ceil", "trunc")},
    "absolute": _of_whole(torch.abs),
    "matmul": matmul,
    "sign": _sign,
    "heaviside": _heaviside,
    "rint": _rint,
    "positive": torch.clone,
    "power": _power,
    "float_power": torch.pow,
    "cbrt": _cbrt,
    "floor_divide": _integers_divide(_floor_divide),
    "remainder": _integers_divide(torch.remainder),
    "fmod": _integers_divide(torch.fmod),
    "divmod": _integers_divide(lambda x, y: (_floor_divide(x, y), torch.remainder(x, y))),
    "modf": lambda x: (
        torch.where(x.isinf(), torch.copysign(x.new_zeros(()), x), x - x.trunc()),
        x.trunc(),
    ),
    "frexp": torch.frexp,
    "spacing": lambda x: torch.nextafter(x, torch.full_like(x, float("inf")).copysign(x)) - x,
}
#: Ufuncs that take a number of Python beside a tensor.
WITH_NUMBERS = frozenset(
    (torch.add, torch.sub, torch.subtract, torch.mul, torch.multiply, torch.true_divide)
)


@lru_cache(maxsize=4096)
def loop(ufunc: Any, kinds: tuple, signature: Any = None) -> tuple[np.dtype, ...]:
    """The dtypes in which a ufunc computes: those that NumPy takes."""
    outs = (None,) * ufunc.nout
    if BFLOAT16 in kinds:
        given = [np.dtype(np.float32) if kind is complex else kind for kind in kinds]
        arrays = [kind for kind in given if isinstance(kind, np.dtype)]
        common = np.result_type(*arrays)
        sample = np.dtype(np.float32) if common == BFLOAT16 else common
        found = ufunc.resolve_dtypes((sample,) * ufunc.nin + outs)
        return tuple(BFLOAT16 if d == np.float32 and common == BFLOAT16 else d for d in found)
    more = {} if signature is None else {"signature": signature}
    return tuple(ufunc.resolve_dtypes(kinds + outs, **more))


def cast(t: torch.Tensor, dtype: np.dtype) -> torch.Tensor:
    """A tensor in the dtype of NumPy's name."""
    kind = TO_TORCH[dtype]
    return t if t.dtype is kind else t.to(kind)


def _operands(inputs: tuple, beside: DeviceBuffer) -> tuple[list, tuple]:
    """The tensors and numbers of a call, and what each is for NumPy's promotion."""
    operands: list[Any] = []
    kinds: list[Any] = []
    for x in inputs:
        if type(x) is DeviceBuffer:
            t = tensor(x, beside)
            operands.append(t)
            kinds.append(TO_NUMPY[t.dtype])
        elif isinstance(x, (np.ndarray, np.generic)) and not x.ndim:
            operands.append(x.item())
            kinds.append(type(x.item()) if x.dtype.kind in WEAK else x.dtype)
        elif type(x) in (int, float, complex):
            operands.append(x)
            kinds.append(type(x))
        elif type(x) is bool:
            operands.append(x)
            kinds.append(np.dtype(bool))
        else:
            t = tensor(x, beside)
            operands.append(t)
            kinds.append(TO_NUMPY[t.dtype])
    return operands, tuple(kinds)


def call(
    ufunc: Any,
    *inputs: Any,
    out: Any = None,
    where: Any = True,
    dtype: Any = None,
    casting: str = "same_kind",
    **more: Any,
) -> Any:
    """``ufunc(*inputs)``."""
    if more:
        raise Unimplemented(f"numpy.{ufunc.__name__}: {', '.join(more)} on devices")
    function = UFUNCS.get(ufunc.__name__)
    if function is None:
        raise Unimplemented(f"numpy.{ufunc.__name__} is not implemented on devices")
    check_written(inputs, out)
    beside = place_of((inputs, out))
    operands, kinds = _operands(inputs, beside)
    signature = (None,) * ufunc.nin + (np.dtype(dtype),) * ufunc.nout if dtype else None
    if dtype == BFLOAT16:
        kinds, signature = (BFLOAT16,) * ufunc.nin, None
    dtypes = loop(ufunc, kinds, signature)
    given = [
        cast(t, kind)
        if isinstance(t, torch.Tensor)
        else t
        if function in WITH_NUMBERS and TO_TORCH[kind] in FLOATS
        else scalar(t, kind, beside.t.device)
        for t, kind in zip(operands, dtypes)
    ]
    if not isinstance(given[0], torch.Tensor):
        given[0] = scalar(given[0], dtypes[0], beside.t.device)
    if out and where is True and _writes_itself(function, out[0], given, dtypes[-1]):
        function(*given, out=out[0].t)
        return out[0]
    found = function(*given)
    if isinstance(found, tuple):
        results = [cast(t, kind) for t, kind in zip(found, dtypes[ufunc.nin :])]
        outs = out or (None,) * len(results)
        return tuple([write(o, t, beside, where, casting) for o, t in zip(outs, results)])
    return write(out[0] if out else None, cast(found, dtypes[-1]), beside, where, casting)


def _writes_itself(function: Any, out: Any, given: list, dtype: np.dtype) -> bool:
    """Whether a function is to write to `out`, which it may read, but in no other order."""
    if function not in WITH_NUMBERS or type(out) is not DeviceBuffer or out.dtype != dtype:
        return False
    ts = [t for t in given if isinstance(t, torch.Tensor)]
    shapes = {t.shape for t in ts if t.ndim}
    return shapes == {out.t.shape} and all(t is out.t or not overlap(t, out.t) for t in ts)


def write(
    out: Any, t: torch.Tensor, beside: DeviceBuffer, where: Any = True, casting: Any = "same_kind"
) -> DeviceBuffer:
    """A new buffer with a result, or `out` with it written there."""
    if out is not None and type(out) is not DeviceBuffer:
        raise Unimplemented("out= on the host for values on a device")
    if where is not True:
        mask = tensor(where, beside)
        before = out.t if out is not None else torch.empty_like(t)
        t = torch.where(mask, t.to(before.dtype), before)
    if out is None:
        return like(beside, t)
    if not np.can_cast(TO_NUMPY[t.dtype], out.dtype, casting):
        raise Unimplemented(f"cannot cast the result from {TO_NUMPY[t.dtype]} to {out.dtype}")
    if t.shape != out.t.shape and torch.broadcast_shapes(t.shape, out.t.shape) != out.t.shape:
        raise Unimplemented(
            f"could not broadcast a result of shape {tuple(t.shape)} into out= of {out.shape}"
        )
    out.t.copy_(t)
    return out


# --------------------------------------------------------------------------- reductions


def axes_of(axis: Any, ndim: int) -> list[int]:
    """The axes that a reduction goes over."""
    if axis is None:
        return list(range(ndim))
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    if not ndim and len(given) == 1 and given[0] in (0, -1):
        return []
    axes = [normalize(int(a), ndim) for a in given]
    if len(set(axes)) < len(axes):
        raise Unimplemented("duplicate value in 'axis'")
    return axes


def _prod(t: torch.Tensor, axes: list[int], keepdim: bool) -> torch.Tensor:
    for a in sorted(axes, reverse=True):
        t = t.prod(a, keepdim=keepdim)
    return t


#: Reductions, and what masked or absent values count as.
REDUCTIONS: dict[str, tuple[Callable[..., torch.Tensor], Any]] = {
    "add": (lambda t, axes, keep: t.sum(axes, keepdim=keep), 0),
    "multiply": (_prod, 1),
    "maximum": (lambda t, axes, keep: t.amax(axes, keepdim=keep), None),
    "minimum": (lambda t, axes, keep: t.amin(axes, keepdim=keep), None),
    "logical_and": (lambda t, axes, keep: (t != 0).all(axes, keepdim=keep), True),
    "logical_or": (lambda t, axes, keep: (t != 0).any(axes, keepdim=keep), False),
}
LONG = {"b": np.int64, "i": np.int64, "u": np.uint64}


def summed(dtype: np.dtype) -> np.dtype:
    """The dtype of sums and products of values of `dtype`."""
    short = dtype.kind in LONG and (dtype.itemsize < 8)
    return np.dtype(LONG[dtype.kind]) if short else dtype


def _masked(name: str, t: torch.Tensor, where: Any, value: Any, beside: DeviceBuffer) -> Any:
    """The values of a reduction where a mask holds, and `value` elsewhere."""
    if value is None:
        raise Unimplemented(f"{name}.reduce with where= needs an initial value")
    other = torch.full((), value, dtype=t.dtype, device=t.device)
    return torch.where(tensor(where, beside), t, other)


def _reduced(name: str, t: torch.Tensor, axes: list[int], keep: bool, initial: Any) -> torch.Tensor:
    """Reduce over axes, which may be none, or of length 0."""
    function, neutral = REDUCTIONS[name]
    if not t.numel() and neutral is None and initial is not None:
        kept = [1 if a in axes else n for a, n in enumerate(t.shape) if keep or a not in axes]
        return torch.full(kept, initial, dtype=t.dtype, device=t.device)
    if axes:
        found = function(t, axes, keep)
    else:
        found = t.clone() if not name.startswith("logical") else t != 0
    if initial is None:
        return found
    return UFUNCS[name](found, torch.full((), initial, dtype=found.dtype, device=t.device))


def reduce(
    ufunc: Any,
    x: Any,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """``ufunc.reduce(x)``."""
    name = ufunc.__name__
    if name not in REDUCTIONS:
        raise Unimplemented(f"numpy.{name}.reduce is not implemented on devices")
    beside = place_of((x, out))
    t = tensor(x, beside)
    out = out[0] if isinstance(out, tuple) else out
    initial = None if initial is np._NoValue else initial
    is_sum = name in ("add", "multiply")
    result = np.dtype(dtype) if dtype is not None else TO_NUMPY[t.dtype]
    if is_sum and dtype is None:
        result = summed(result)
    if is_sum or dtype is not None:  # PyTorch cannot add unsigned integers of 64 bits
        t = t.to(torch.int64 if result == np.uint64 else kind_of(result))
    if where is not True:
        default = initial if initial is not None else REDUCTIONS[name][1]
        t = _masked(name, t, where, default, beside)
    found = _reduced(name, t, axes_of(axis, t.ndim), bool(keepdims), initial)
    return write(out, found.to(kind_of(result)) if is_sum else found, beside, True, "unsafe")


def accumulate(ufunc: Any, x: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
    """``ufunc.accumulate(x)``."""
    name = ufunc.__name__
    beside = place_of((x, out))
    t = tensor(x, beside)
    result = np.dtype(dtype) if dtype is not None else TO_NUMPY[t.dtype]
    if name in ("add", "multiply"):
        result = summed(result) if dtype is None else result
        function = torch.cumsum if name == "add" else torch.cumprod
        found = function(t.to(kind_of(result)), axis)
        found = found.to(kind_of(result))
    elif name in ("maximum", "minimum") and not t.is_complex():
        found = (torch.cummax if name == "maximum" else torch.cummin)(t, axis)[0]
    else:
        raise Unimplemented(f"numpy.{name}.accumulate is not implemented on devices")
    out = out[0] if isinstance(out, tuple) else out
    return write(out, found, beside)


def at_places(ufunc: Any, x: Any, key: Any, value: Any = None) -> None:
    """``ufunc.at(x, key, value)``."""
    if ufunc.__name__ not in ("add", "subtract") or type(x) is not DeviceBuffer:
        raise Unimplemented(f"numpy.{ufunc.__name__}.at is not implemented on devices")
    operand, _ = _operands((value,), x)
    t = (
        operand[0]
        if isinstance(operand[0], torch.Tensor)
        else scalar(operand[0], x.dtype, x.t.device)
    )
    t = t.to(x.t.dtype)
    add_at(x, key, -t if ufunc.__name__ == "subtract" else t)


def outer(ufunc: Any, a: Any, b: Any, **options: Any) -> Any:
    """``ufunc.outer(a, b)``."""
    beside = place_of((a, b))
    first, second = (like(beside, tensor(x, beside)) for x in (a, b))
    return ufunc(first.reshape(first.shape + (1,) * second.ndim), second, **options)


def _reduceat(ufunc: Any, *args: Any, **options: Any) -> Any:
    raise Unimplemented(f"numpy.{ufunc.__name__}.reduceat is not implemented on devices")


METHODS.update(
    {"__call__": call, "reduce": reduce, "accumulate": accumulate, "at": at_places, "outer": outer}
)
METHODS["reduceat"] = _reduceat


# -------------------------------------------------------------------------- operators


def _operator(ufunc: Any, function: Any) -> tuple[Callable, Callable, Callable]:
    """``x op y`` with the short way for floats of one dtype, its reflection, and in place."""

    def forward(self: DeviceBuffer, other: Any) -> Any:
        if type(other) is DeviceBuffer:
            if (
                other.t.dtype is self.t.dtype
                and self.t.dtype in FLOATS
                and other.place == self.place
            ):
                return like(self, function(self.t, other.t))
        elif function in WITH_NUMBERS and self.t.dtype in FLOATS and is_number(other, self.dtype):
            return like(self, function(self.t, number(other)))
        return ufunc(self, other)

    def reflected(self: DeviceBuffer, other: Any) -> Any:
        return ufunc(other, self)

    def in_place(self: DeviceBuffer, other: Any) -> Any:
        return ufunc(self, other, out=(self,))

    return forward, reflected, in_place


BINARY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.divide,
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "pow": np.power,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "lshift": np.left_shift,
    "rshift": np.right_shift,
    "matmul": np.matmul,
}
COMPARISONS = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
for _name, _ufunc in BINARY.items():
    _three = _operator(_ufunc, UFUNCS[_ufunc.__name__])
    for _prefix, _function in zip(("", "r", "i"), _three):
        setattr(DeviceBuffer, f"__{_prefix}{_name}__", _function)
for _name, _ufunc in COMPARISONS.items():
    setattr(DeviceBuffer, f"__{_name}__", lambda self, other, _f=_ufunc: _f(self, other))
for _name, _ufunc in (
    ("neg", np.negative),
    ("abs", np.absolute),
    ("invert", np.invert),
    ("pos", np.positive),
):
    setattr(DeviceBuffer, f"__{_name}__", lambda self, _f=_ufunc: _f(self))
