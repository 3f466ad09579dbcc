"""``megengine.core``: options without effect, and helpers for dtypes, shapes and axes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..._core.engine.array import Array
from ..._core.errors import ArgumentError
from ..._hook.errors import CheckError
from .. import device as devices
from .. import functional
from ..autodiff import Function
from ..device import CompNode
from ..interfaces import as_tensor, cast, operands
from ..tensor import Tensor
from . import operators as builtin
from .operators import apply

#: The values of the options.
_options: dict[str, Any] = {"convert_inputs": True, "symbolic_shape": False, "xla": False}


def _switched(name: str, value: Any) -> Any:
    """Set an option, and return the value before."""
    before, _options[name] = _options.get(name), value
    return before


# ---------------------------------------------------------------------------- options


def use_symbolic_shape() -> bool:
    """Return the option for symbolic shapes, which has no effect."""
    return _options["symbolic_shape"]


def set_symbolic_shape(option: bool) -> bool:
    """Set the value of `use_symbolic_shape`, and return the value before."""
    return _switched("symbolic_shape", option)


def use_xla_backend() -> bool:
    """Return the option for XLA, which has no effect."""
    return _options["xla"]


def set_use_xla_backend(option: bool) -> bool:
    """Set the value of `use_xla_backend`, and return the value before."""
    return _switched("xla", option)


def get_option(key: str) -> Any:
    """Return an option of MegEngine's library; 0 by default."""
    return _options.get(key, 0)


def set_option(key: str, value: Any) -> Any:
    """Set an option of MegEngine's library, without effect, and return the value before."""
    before = get_option(key)
    _options[key] = value
    return before


def get_auto_format_convert() -> bool:
    """Return the option for automatic layouts, which has no effect."""
    return bool(get_option("auto_format_convert"))


def set_auto_format_convert(value: bool) -> None:
    """Set the value of `get_auto_format_convert`."""
    set_option("auto_format_convert", value)


def get_convert_inputs() -> bool:
    """Return the option for type promotion; operators always promote."""
    return _options["convert_inputs"]


def set_convert_inputs(flag: bool) -> bool:
    """Set the value of `get_convert_inputs`, and return the value before."""
    return _switched("convert_inputs", flag)


_get_convert_inputs, _set_convert_inputs = get_convert_inputs, set_convert_inputs


@contextmanager
def _override(**settings: Any) -> Iterator[None]:
    """Context manager that sets options, which have no effect."""
    before = {name: get_option(name) for name in settings}
    _options.update(settings)
    try:
        yield
    finally:
        _options.update(before)


def sync() -> None:
    """Do nothing: operators have computed when they return."""


full_sync = push_scope = pop_scope = push_scope_with_type = pop_scope_with_type = lambda *args: None
record_scope = _clear_algorithm_cache = set_cpp_use_symbolic_shape = full_sync


# ---------------------------------------------------------------------------- devices


class Device:
    """A device by its name."""

    def __init__(self, device: Any = None) -> None:
        given = device.to_c() if isinstance(device, Device) else device
        self._cn: CompNode = devices.as_device(given)

    @property
    def logical_name(self) -> str:
        """The name."""
        return self._cn.logical_name

    def to_c(self) -> CompNode:
        """Return the device object of tensors."""
        return self._cn

    def __repr__(self) -> str:
        return f"Device({self._cn!r})"

    def __str__(self) -> str:
        return str(self._cn)

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def as_device(obj: Any) -> Device:
    """A `Device` of a name or of another one."""
    return obj if isinstance(obj, Device) else Device(obj)


def get_device(*inputs: Any) -> CompNode:
    """Return the device of the first tensor, or the default device."""
    flat = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], (list, tuple)) else inputs
    return next((one.device for one in flat if isinstance(one, Tensor)), devices.as_device(None))


# ----------------------------------------------------------------------------- values


def dtype_promotion(*inputs: Any) -> Any:
    """Return the dtype that tensors and numbers promote to."""
    flat = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], (list, tuple)) else inputs
    met = next(one for one in operands(*flat) if isinstance(one, Array))
    return met.dtype.type


def result_type(*args: Any) -> np.dtype:
    """Return NumPy's result type of tensors and dtypes."""
    known = (Array, np.ndarray, np.dtype, type, str)
    found = [getattr(one, "dtype", one) for one in args if isinstance(one, known)]
    return np.result_type(*found)


def isscalar(x: Any) -> bool:
    """Whether it is a number, or a 0-d tensor."""
    return x.ndim == 0 if isinstance(x, Array) else bool(np.isscalar(x))


def convert_single_value(v: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of `v`; integers stay if `dtype` has fractions and `v` is a tensor."""
    if isinstance(v, Array):
        return as_tensor(v)
    return Tensor(v, dtype, device)


def convert_inputs(*args: Any, device: Any = None) -> tuple[Any, ...]:
    """Convert `args` to tensors of the dtype they promote to; None stays."""
    there = iter(operands(*[one for one in args if one is not None]))
    met = [None if one is None else next(there) for one in args]
    dtype = next(one for one in met if isinstance(one, Array)).dtype
    return tuple(
        one if one is None or isinstance(one, Array) else Tensor(one, dtype, device) for one in met
    )


def cast_tensors(*args: Any, promote: bool = False) -> tuple[Any, ...]:
    """Cast tensors to float32 with `promote`, otherwise to float16; None stays."""
    dtype = "float32" if promote else "float16"
    return tuple(one if one is None else one.astype(dtype) for one in args)


def astensor1d(x: Any, *reference: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Convert numbers and 0-d tensors to a tensor with one axis; a tensor stays."""
    if isinstance(x, Array):
        return as_tensor(x)
    if isinstance(x, (list, tuple)) and any(isinstance(one, Array) for one in x):
        parts = [as_tensor(one).reshape(1) for one in x]
        found = functional.concat(parts)
        return found if dtype is None else cast(found, dtype)
    values = np.asarray(x)
    if values.ndim != 1:
        raise ArgumentError(f"astensor1d: the value has shape {values.shape}; give one axis")
    return Tensor(values, dtype, device)


def Const(value: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of a value."""
    return Tensor(value, dtype, device)


def make_shape_tuple(shape: Any) -> tuple[int, ...]:
    """Convert a shape of tensors and numbers to a tuple of numbers."""
    flat = [shape] if isinstance(shape, int) else shape
    found: list[int] = []
    for one in flat:
        values = np.asarray(one.raw if isinstance(one, Array) else one)
        found += values.ravel().tolist()
    return tuple(found)


def _normalize_axis(ndim: int, axis: Any, reverse: bool = False) -> Any:
    """Normalize an axis to count from 0; several become a sorted list."""
    if isinstance(axis, Iterable):
        found = sorted((_normalize_axis(ndim, one) for one in axis), reverse=reverse)
        if len(set(found)) < len(found):
            raise CheckError(f"axis={axis!r} names an axis twice")
        return found
    if not -ndim <= axis < ndim:
        raise CheckError(f"axis {axis} is out of range for a tensor with {ndim} axes")
    return axis % ndim


# ------------------------------------------------------------- functions of operators

_opr_map: dict[tuple[str, int], Any] = {
    (sign, count): builtin.Elemwise(mode=mode)
    for count, modes in {
        1: {"-": "NEGATE", "abs": "ABS", "exp": "EXP", "log1p": "LOG1P", "relu": "RELU"},
        2: {
            **{"+": "ADD", "-": "SUB", "*": "MUL", "/": "TRUE_DIV", "//": "FLOOR_DIV"},
            **{"**": "POW", "max": "MAX", "min": "MIN", "additive": "ADD"},
            **{"switch_gt0": "SWITCH_GT0", "abs_grad": "ABS_GRAD"},
        },
        3: {"fma3": "FUSE_MUL_ADD3", "cond_leq_mov": "COND_LEQ_MOV"},
        4: {"fma4": "FUSE_MUL_ADD4"},
    }.items()
    for sign, mode in modes.items()
}


def interpret_subgraph(func: Callable[..., Any], dtype: Any, device: Any) -> Callable[..., Any]:
    """Return a function of tensors that runs `func` with the operators as arguments."""

    def expression(op: Any, *args: Any, nr_out: int | None = None) -> Any:
        if isinstance(op, str):
            if (op, len(args)) not in _opr_map:
                raise CheckError(f"no operator {op!r} takes {len(args)} values")
            op = _opr_map[op, len(args)]
        results = apply(op, *args)
        return results[0] if nr_out is None else results

    def constant(value: Any, dtype: Any = dtype, device: Any = device) -> Tensor:
        return Tensor(value, dtype, str(device) if device is not None else None)

    def run(*args: Any) -> list:
        outputs, differentiable = func(args, expression, constant)
        return [one if keeps else one.detach() for one, keeps in zip(outputs, differentiable)]

    return run


def subgraph_fn(
    name: str,
    dtype: Any,
    device: Any,
    nr_inputs: int,
    gopt_level: Any = None,
    jit_fusion: bool = False,
    custom_grad: bool = False,
    *,
    interpret: bool = False,
) -> Callable[..., Any]:
    """A decorator for functions of operators, which run without a graph."""

    def decorator(func: Callable) -> Callable:
        if custom_grad:
            return _with_own_gradient(func, dtype, device)
        return interpret_subgraph(func, dtype, device)

    return decorator


def _with_own_gradient(func: Callable, dtype: Any, device: Any) -> Callable:
    """As `interpret_subgraph`, for a generator that yields outputs and receives their gradients."""

    class Written(Function):
        def forward(self, *inputs: Any) -> Any:
            self.run: list[Any] = []

            def outer(args: Sequence[Any], expression: Any, constant: Any) -> Any:
                self.run.append(func(args, expression, constant))
                outputs = next(self.run[0])
                return outputs, [True] * len(outputs)

            return interpret_subgraph(outer, dtype, device)(*inputs)

        def backward(self, *output_grads: Any) -> Any:
            return tuple(self.run[0].send(list(output_grads)))

    return lambda *args: Written()(*args)


def is_bfloat16(dtype: Any) -> bool:
    """Whether a dtype is bfloat16."""
    return getattr(np.dtype(dtype), "name", "") == "bfloat16"


def is_dtype_equal(dt0: Any, dt1: Any) -> bool:
    """Whether two dtypes are equal."""
    return np.dtype(dt0) == np.dtype(dt1)


def is_quantize(dtype: Any) -> bool:
    """Return False: gluon has no quantized dtypes."""
    return False


is_lowbit = is_quantize


def is_differentible_dtype(dtype: Any) -> bool:
    """Whether a dtype is differentiable."""
    return np.dtype(dtype).kind in "fV"


def get_dtype_bit(dtype_name: str) -> int:
    """Return the number of bits of a dtype by its name."""
    digits = "".join(one for one in dtype_name if one.isdigit())
    if dtype_name == "bool":
        return 1
    if not digits:
        raise ArgumentError(f"dtype {dtype_name!r} has no number of bits in its name")
    return int(digits)


astensor1d_cpp = astensor1d
convert_inputs_cpp = convert_inputs
convert_single_value_cpp = convert_single_value
