"""What symbols have as arrays do: Python's operators, and functions as methods."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Number
from typing import Any, TypeVar

from ..engine.errors import DTypeError, GluonError
from .calls import Outputs, called, operator

S = TypeVar("S", bound="Methods")


def _method(name: str, hint: str = "") -> Callable[..., Any]:
    """The operator `name` as a method."""

    def call(self: S, *args: Any, **kwargs: Any) -> S:
        return self._call(name, hint or name.lower(), self, *args, **kwargs)

    call.__name__ = call.__qualname__ = hint or name
    call.__doc__ = f"As the function ``gluon.symbol.{hint or name}``, of this symbol."
    return call


def _binary(pair: str, number: str, hints: tuple[str, str], turned: bool = False) -> Any:
    """A Python operator: that on two symbols, and that on a symbol and a number."""

    def call(self: S, other: Any) -> S:
        if isinstance(other, Outputs):
            lhs, rhs = (other, self) if turned else (self, other)
            return self._call(pair, hints[0], lhs, rhs)
        if isinstance(other, Number):
            return self._call(number, hints[1], self, scalar=other)
        raise DTypeError(f"a symbol and a {type(other).__name__}; give a symbol or a number")

    return call


def _on_arrays(what: str) -> Callable[..., Any]:
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise GluonError(
            f"{what}: a symbol has no values; bind it, or call eval(name=array, ...), for arrays"
        )

    call.__name__ = call.__qualname__ = what
    call.__doc__ = "An error: a symbol has no values."
    return call


class Methods(Outputs):
    """Base of `Symbol`."""

    __slots__ = ()

    def _call(self: S, name: str, hint: str, *args: Any, **kwargs: Any) -> S:
        return type(self)(called(operator(name), hint, args, kwargs))  # type: ignore[call-arg]

    __add__ = __radd__ = _binary("elemwise_add", "_plus_scalar", ("_plus", "_plusscalar"))
    __sub__ = _binary("elemwise_sub", "_minus_scalar", ("_minus", "_minusscalar"))
    __rsub__ = _binary("elemwise_sub", "_rminus_scalar", ("_minus", "_rminusscalar"), True)
    __mul__ = __rmul__ = _binary("elemwise_mul", "_mul_scalar", ("_mul", "_mulscalar"))
    __truediv__ = _binary("elemwise_div", "_div_scalar", ("_div", "_divscalar"))
    __rtruediv__ = _binary("elemwise_div", "_rdiv_scalar", ("_div", "_rdivscalar"), True)
    __mod__ = _binary("_mod", "_mod_scalar", ("_mod", "_modscalar"))
    __rmod__ = _binary("_mod", "_rmod_scalar", ("_mod", "_rmodscalar"), True)
    __pow__ = _binary("_power", "_power_scalar", ("_power", "_powerscalar"))
    __rpow__ = _binary("_power", "_rpower_scalar", ("_power", "_rpowerscalar"), True)
    __eq__ = _binary("_equal", "_equal_scalar", ("_equal", "_equal_scalar"))
    __ne__ = _binary("_not_equal", "_not_equal_scalar", ("_not_equal", "_not_equal_scalar"))
    __gt__ = _binary("_greater", "_greater_scalar", ("_greater", "_greater_scalar"))
    __ge__ = _binary(
        "_greater_equal", "_greater_equal_scalar", ("_greater_equal", "_greater_equal_scalar")
    )
    __lt__ = _binary("_lesser", "_lesser_scalar", ("_lesser", "_lesser_scalar"))
    __le__ = _binary(
        "_lesser_equal", "_lesser_equal_scalar", ("_lesser_equal", "_lesser_equal_scalar")
    )
    __hash__ = object.__hash__

    def __neg__(self: S) -> S:
        return self._call("_mul_scalar", "_mulscalar", self, scalar=-1.0)

    def __abs__(self: S) -> S:
        return self._call("abs", "abs", self)

    abs = _method("abs")
    arccos = _method("arccos")
    arccosh = _method("arccosh")
    arcsin = _method("arcsin")
    arcsinh = _method("arcsinh")
    arctan = _method("arctan")
    arctanh = _method("arctanh")
    argmax = _method("argmax")
    argmax_channel = _method("argmax_channel")
    argmin = _method("argmin")
    argsort = _method("argsort")
    astype = _method("Cast", "cast")
    broadcast_axes = _method("broadcast_axis", "broadcast_axes")
    broadcast_like = _method("broadcast_like")
    broadcast_to = _method("broadcast_to")
    cbrt = _method("cbrt")
    ceil = _method("ceil")
    clip = _method("clip")
    cos = _method("cos")
    cosh = _method("cosh")
    degrees = _method("degrees")
    depth_to_space = _method("depth_to_space")
    exp = _method("exp")
    expm1 = _method("expm1")
    fix = _method("fix")
    flip = _method("reverse", "flip")
    floor = _method("floor")
    log = _method("log")
    log10 = _method("log10")
    log1p = _method("log1p")
    log2 = _method("log2")
    log_softmax = _method("log_softmax")
    max = _method("max")
    mean = _method("mean")
    min = _method("min")
    nanprod = _method("nanprod")
    nansum = _method("nansum")
    norm = _method("norm")
    one_hot = _method("one_hot")
    ones_like = _method("ones_like")
    pad = _method("Pad", "pad")
    pick = _method("pick")
    prod = _method("prod")
    radians = _method("radians")
    rcbrt = _method("rcbrt")
    reciprocal = _method("reciprocal")
    relu = _method("relu")
    repeat = _method("repeat")
    reshape_like = _method("reshape_like")
    rint = _method("rint")
    round = _method("round")
    rsqrt = _method("rsqrt")
    shape_array = _method("shape_array")
    sigmoid = _method("sigmoid")
    sign = _method("sign")
    sin = _method("sin")
    sinh = _method("sinh")
    size_array = _method("size_array")
    slice = _method("slice")
    slice_axis = _method("slice_axis")
    slice_like = _method("slice_like")
    softmax = _method("softmax")
    softmin = _method("softmin")
    sort = _method("sort")
    space_to_depth = _method("space_to_depth")
    split = _method("SliceChannel", "split")
    sqrt = _method("sqrt")
    square = _method("square")
    sum = _method("sum")
    swapaxes = _method("SwapAxis", "swapaxes")
    take = _method("take")
    tan = _method("tan")
    tanh = _method("tanh")
    tile = _method("tile")
    topk = _method("topk")
    transpose = _method("transpose")
    trunc = _method("trunc")
    zeros_like = _method("zeros_like")

    def diag(self: S, k: int = 0, **kwargs: Any) -> S:
        """As the function ``gluon.symbol.diag``, of this symbol."""
        return self._call("diag", "diag", self, k=k, **kwargs)

    def expand_dims(self: S, axis: int, inplace: bool = False, **kwargs: Any) -> S:
        """As the function ``gluon.symbol.expand_dims``, of this symbol."""
        return self._call("expand_dims", "expand_dims", self, axis=axis, **kwargs)

    def flatten(self: S, inplace: bool = False, **kwargs: Any) -> S:
        """As the function ``gluon.symbol.flatten``, of this symbol."""
        return self._call("Flatten", "flatten", self, **kwargs)

    def squeeze(self: S, axis: Any = None, inplace: bool = False, **kwargs: Any) -> S:
        """As the function ``gluon.symbol.squeeze``, of this symbol."""
        return self._call("squeeze", "squeeze", self, axis=axis, **kwargs)

    def reshape(self: S, *args: Any, **kwargs: Any) -> S:
        """As the function ``gluon.symbol.reshape``; axes may be given one by one."""
        if args and all(isinstance(one, int) for one in args):
            args = (args,)
        return self._call("Reshape", "reshape", self, *args, **kwargs)

    def split_v2(self: S, indices_or_sections: Any, axis: int = 0, squeeze_axis: bool = False) -> S:
        """As the function ``gluon.symbol.split_v2``, of this symbol."""
        spec = parts(indices_or_sections)
        return self._call(
            "_split_v2", "_split_v2", self, axis=axis, squeeze_axis=squeeze_axis, **spec
        )

    asnumpy = _on_arrays("asnumpy")
    asscalar = _on_arrays("asscalar")
    backward = _on_arrays("backward")
    copy = _on_arrays("copy")
    as_in_context = _on_arrays("as_in_context")
    detach = _on_arrays("detach")
    wait_to_read = _on_arrays("wait_to_read")


def parts(indices_or_sections: Any) -> dict[str, Any]:
    """How MXNet writes where an array is split."""
    if isinstance(indices_or_sections, int):
        return {"indices": [], "sections": indices_or_sections}
    return {"indices": [0, *indices_or_sections], "sections": 0}
