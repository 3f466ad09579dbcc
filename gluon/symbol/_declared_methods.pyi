# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon.symbol.calls import Outputs
from gluon.symbol.methods import S
from gluon.symbol.symbol import Symbol
from typing import Any

class Methods(Outputs):
    __array_ufunc__: None
    def _call(self: S, name: str, hint: str, /, *args: Any, **kwargs: Any) -> S: ...
    def __add__(self: S, other: Symbol | float) -> S: ...
    def __radd__(self: S, other: Symbol | float) -> S: ...
    def __sub__(self: S, other: Symbol | float) -> S: ...
    def __rsub__(self: S, other: Symbol | float) -> S: ...
    def __mul__(self: S, other: Symbol | float) -> S: ...
    def __rmul__(self: S, other: Symbol | float) -> S: ...
    def __truediv__(self: S, other: Symbol | float) -> S: ...
    def __rtruediv__(self: S, other: Symbol | float) -> S: ...
    def __mod__(self: S, other: Symbol | float) -> S: ...
    def __rmod__(self: S, other: Symbol | float) -> S: ...
    def __pow__(self: S, other: Symbol | float) -> S: ...
    def __rpow__(self: S, other: Symbol | float) -> S: ...
    def __eq__(self: S, other: Symbol | float) -> S: ...
    def __ne__(self: S, other: Symbol | float) -> S: ...
    def __gt__(self: S, other: Symbol | float) -> S: ...
    def __ge__(self: S, other: Symbol | float) -> S: ...
    def __lt__(self: S, other: Symbol | float) -> S: ...
    def __le__(self: S, other: Symbol | float) -> S: ...
    def __hash__(self) -> int: ...
    def __neg__(self: S) -> S: ...
    def __abs__(self: S) -> S: ...
    def abs(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.abs``, of this symbol."""
    def arccos(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.arccos``, of this symbol."""
    def arccosh(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.arccosh``, of this symbol."""
    def arcsin(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.arcsin``, of this symbol."""
    def arcsinh(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.arcsinh``, of this symbol."""
    def arctan(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.arctan``, of this symbol."""
    def arctanh(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.arctanh``, of this symbol."""
    def argmax(self: S, axis: int | None = None, keepdims: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.argmax``, of this symbol."""
    def argmax_channel(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.argmax_channel``, of this symbol."""
    def argmin(self: S, axis: int | None = None, keepdims: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.argmin``, of this symbol."""
    def argsort(self: S, axis: int | None = -1, is_ascend: bool = True, dtype: Any = 'float32', *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.argsort``, of this symbol."""
    def astype(self: S, dtype: Any, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.cast``, of this symbol."""
    def broadcast_axes(self: S, axis: int | Sequence[int] = (), size: int | Sequence[int] = (), *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.broadcast_axes``, of this symbol."""
    def broadcast_like(self: S, rhs: Symbol, lhs_axes: int | Sequence[int] | None = None, rhs_axes: int | Sequence[int] | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.broadcast_like``, of this symbol."""
    def broadcast_to(self: S, shape: int | Sequence[int], *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.broadcast_to``, of this symbol."""
    def cbrt(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.cbrt``, of this symbol."""
    def ceil(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.ceil``, of this symbol."""
    def clip(self: S, a_min: float, a_max: float, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.clip``, of this symbol."""
    def cos(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.cos``, of this symbol."""
    def cosh(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.cosh``, of this symbol."""
    def degrees(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.degrees``, of this symbol."""
    def depth_to_space(self: S, block_size: int, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.depth_to_space``, of this symbol."""
    def exp(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.exp``, of this symbol."""
    def expm1(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.expm1``, of this symbol."""
    def fix(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.fix``, of this symbol."""
    def flip(self: S, axis: int | Sequence[int], *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.flip``, of this symbol."""
    def floor(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.floor``, of this symbol."""
    def log(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.log``, of this symbol."""
    def log10(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.log10``, of this symbol."""
    def log1p(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.log1p``, of this symbol."""
    def log2(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.log2``, of this symbol."""
    def log_softmax(self: S, axis: int = -1, temperature: float | None = None, dtype: Any = None, use_length: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.log_softmax``, of this symbol."""
    def max(self: S, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.max``, of this symbol."""
    def mean(self: S, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.mean``, of this symbol."""
    def min(self: S, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.min``, of this symbol."""
    def nanprod(self: S, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.nanprod``, of this symbol."""
    def nansum(self: S, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.nansum``, of this symbol."""
    def norm(self: S, ord: int = 2, axis: int | tuple[int, ...] | None = None, out_dtype: Any = None, keepdims: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.norm``, of this symbol."""
    def one_hot(self: S, depth: int, on_value: float = 1.0, off_value: float = 0.0, dtype: Any = 'float32', *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.one_hot``, of this symbol."""
    def ones_like(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.ones_like``, of this symbol."""
    def pad(self: S, mode: str = 'constant', pad_width: Sequence[int] = (), constant_value: float = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.pad``, of this symbol."""
    def pick(self: S, index: Symbol, axis: int = -1, keepdims: bool = False, mode: str = 'clip', *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.pick``, of this symbol."""
    def prod(self: S, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.prod``, of this symbol."""
    def radians(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.radians``, of this symbol."""
    def rcbrt(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.rcbrt``, of this symbol."""
    def reciprocal(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.reciprocal``, of this symbol."""
    def relu(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.relu``, of this symbol."""
    def repeat(self: S, repeats: int, axis: int | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.repeat``, of this symbol."""
    def reshape_like(self: S, rhs: Symbol, lhs_begin: int | None = None, lhs_end: int | None = None, rhs_begin: int | None = None, rhs_end: int | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.reshape_like``, of this symbol."""
    def rint(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.rint``, of this symbol."""
    def round(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.round``, of this symbol."""
    def rsqrt(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.rsqrt``, of this symbol."""
    def shape_array(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.shape_array``, of this symbol."""
    def sigmoid(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.sigmoid``, of this symbol."""
    def sign(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.sign``, of this symbol."""
    def sin(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.sin``, of this symbol."""
    def sinh(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.sinh``, of this symbol."""
    def size_array(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.size_array``, of this symbol."""
    def slice(self: S, begin: Sequence[int], end: Sequence[int], step: Sequence[int] = (), *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.slice``, of this symbol."""
    def slice_axis(self: S, axis: int, begin: int, end: int | None, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.slice_axis``, of this symbol."""
    def slice_like(self: S, shape_like: Symbol, axes: int | Sequence[int] = (), *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.slice_like``, of this symbol."""
    def softmax(self: S, length: Symbol | None = None, axis: int = -1, temperature: float | None = None, dtype: Any = None, use_length: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.softmax``, of this symbol."""
    def softmin(self: S, axis: int = -1, temperature: float | None = None, dtype: Any = None, use_length: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.softmin``, of this symbol."""
    def sort(self: S, axis: int | None = -1, is_ascend: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.sort``, of this symbol."""
    def space_to_depth(self: S, block_size: int, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.space_to_depth``, of this symbol."""
    def split(self: S, num_outputs: int, axis: int = 1, squeeze_axis: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.split``, of this symbol."""
    def sqrt(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.sqrt``, of this symbol."""
    def square(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.square``, of this symbol."""
    def sum(self: S, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.sum``, of this symbol."""
    def swapaxes(self: S, dim1: int = 0, dim2: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.swapaxes``, of this symbol."""
    def take(self: S, indices: Symbol, axis: int = 0, mode: str = 'clip', *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.take``, of this symbol."""
    def tan(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.tan``, of this symbol."""
    def tanh(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.tanh``, of this symbol."""
    def tile(self: S, reps: int | Sequence[int], *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.tile``, of this symbol."""
    def topk(self: S, axis: int | None = -1, k: int = 1, ret_typ: str = 'indices', is_ascend: bool = False, dtype: Any = 'float32', *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.topk``, of this symbol."""
    def transpose(self: S, axes: Sequence[int] = (), *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.transpose``, of this symbol."""
    def trunc(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.trunc``, of this symbol."""
    def zeros_like(self: S, *, name: str | None = None, attr: dict[str, str] | None = None) -> S:
        """As the function ``gluon.symbol.zeros_like``, of this symbol."""
    def diag(self: S, k: int=0, **kwargs: Any) -> S:
        """As the function ``gluon.symbol.diag``, of this symbol."""
    def expand_dims(self: S, axis: int, inplace: bool=False, **kwargs: Any) -> S:
        """As the function ``gluon.symbol.expand_dims``, of this symbol."""
    def flatten(self: S, inplace: bool=False, **kwargs: Any) -> S:
        """As the function ``gluon.symbol.flatten``, of this symbol."""
    def squeeze(self: S, axis: Any=None, inplace: bool=False, **kwargs: Any) -> S:
        """As the function ``gluon.symbol.squeeze``, of this symbol."""
    def reshape(self: S, *args: Any, **kwargs: Any) -> S:
        """As the function ``gluon.symbol.reshape``; axes may be given one by one."""
    def split_v2(self: S, indices_or_sections: Any, axis: int=0, squeeze_axis: bool=False) -> S:
        """As the function ``gluon.symbol.split_v2``, of this symbol."""
    def asnumpy(self: Any, *args: Any, **kwargs: Any) -> Any:
        """An error: a symbol has no values."""
    def asscalar(self: Any, *args: Any, **kwargs: Any) -> Any:
        """An error: a symbol has no values."""
    def backward(self: Any, *args: Any, **kwargs: Any) -> Any:
        """An error: a symbol has no values."""
    def copy(self: Any, *args: Any, **kwargs: Any) -> Any:
        """An error: a symbol has no values."""
    def as_in_context(self: Any, *args: Any, **kwargs: Any) -> Any:
        """An error: a symbol has no values."""
    def detach(self: Any, *args: Any, **kwargs: Any) -> Any:
        """An error: a symbol has no values."""
    def wait_to_read(self: Any, *args: Any, **kwargs: Any) -> Any:
        """An error: a symbol has no values."""
