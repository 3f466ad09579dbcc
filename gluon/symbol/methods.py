"""The operators and methods that symbols share with arrays."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any, TypeVar

from .._core.errors import DTypeError, GluonError, a_type
from .._core.faces.face import Face
from .._core.hints.lookup import Refused
from .calls import Outputs, called, operator

#: Functions and methods of symbols keep their own signatures. They take over the docstring of the
#: function of `nd` that they are made of, or name it in one sentence.
SYMBOL = Face("gluon.symbol")
Method = Callable[..., Any]
S = TypeVar("S", bound="Methods")


def _method(name: str, hint: str = "") -> Callable[..., Any]:
    """Return the operator `name` as a method."""

    def call(self: S, *args: Any, **kwargs: Any) -> S:
        return self._call(name, hint or name.lower(), self, *args, **kwargs)

    own = hint or name
    return SYMBOL.named(call, own, f"As the function ``gluon.symbol.{own}``, of this symbol.")


def _binary(pair: str, number: str, hints: tuple[str, str], turned: bool = False) -> Any:
    """Return a Python operator, from those on two symbols and on a symbol and a number."""

    def call(self: S, other: Any) -> S:
        if isinstance(other, Outputs):
            lhs, rhs = (other, self) if turned else (self, other)
            return self._call(pair, hints[0], lhs, rhs)
        if isinstance(other, Number):
            value = int(other) if isinstance(other, bool) else other
            return self._call(number, hints[1], self, scalar=value)
        raise DTypeError(
            f"{hints[0].strip('_')}: a symbol and {a_type(other)}; give a symbol or a"
            " number. A symbol has no values: bind it to compute with arrays"
        )

    return call


def _on_arrays(what: str) -> Callable[..., Any]:
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise GluonError(
            f"{what}: a symbol has no values; bind it, or call eval(name=array, ...), for arrays. A"
            " block computes with symbols in export(), where F.where and F.contrib.cond take the"
            " place of `if`"
        )

    return SYMBOL.named(call, what, "An error: a symbol has no values.")


class Methods(Outputs):
    """Base of `Symbol`."""

    __slots__ = ()
    #: NumPy's scalars and arrays leave operators to the symbol: else they would read its outputs.
    __array_ufunc__: None = None

    def _call(self: S, name: str, hint: str, /, *args: Any, **kwargs: Any) -> S:
        return type(self)(called(operator(name), hint, args, kwargs))  # type: ignore[call-arg]

    __add__: Method = _binary("elemwise_add", "_plus_scalar", ("_plus", "_plusscalar"))
    __radd__: Method = __add__
    __sub__: Method = _binary("elemwise_sub", "_minus_scalar", ("_minus", "_minusscalar"))
    __rsub__: Method = _binary("elemwise_sub", "_rminus_scalar", ("_minus", "_rminusscalar"), True)
    __mul__: Method = _binary("elemwise_mul", "_mul_scalar", ("_mul", "_mulscalar"))
    __rmul__: Method = __mul__
    __truediv__: Method = _binary("elemwise_div", "_div_scalar", ("_div", "_divscalar"))
    __rtruediv__: Method = _binary("elemwise_div", "_rdiv_scalar", ("_div", "_rdivscalar"), True)
    __mod__: Method = _binary("_mod", "_mod_scalar", ("_mod", "_modscalar"))
    __rmod__: Method = _binary("_mod", "_rmod_scalar", ("_mod", "_rmodscalar"), True)
    __pow__: Method = _binary("_power", "_power_scalar", ("_power", "_powerscalar"))
    __rpow__: Method = _binary("_power", "_rpower_scalar", ("_power", "_rpower_scalar"), True)
    __eq__: Method = _binary("_equal", "_equal_scalar", ("_equal", "_equal_scalar"))
    __ne__: Method = _binary("_not_equal", "_not_equal_scalar", ("_not_equal", "_not_equal_scalar"))
    __gt__: Method = _binary("_greater", "_greater_scalar", ("_greater", "_greater_scalar"))
    __ge__: Method = _binary(
        "_greater_equal", "_greater_equal_scalar", ("_greater_equal", "_greater_equal_scalar")
    )
    __lt__: Method = _binary("_lesser", "_lesser_scalar", ("_lesser", "_lesser_scalar"))
    __le__: Method = _binary(
        "_lesser_equal", "_lesser_equal_scalar", ("_lesser_equal", "_lesser_equal_scalar")
    )
    __hash__: Method = object.__hash__

    def __neg__(self: S) -> S:
        return self._call("_mul_scalar", "_mulscalar", self, scalar=-1.0)

    def __abs__(self: S) -> S:
        return self._call("abs", "abs", self)

    abs: Method = _method("abs")
    arccos: Method = _method("arccos")
    arccosh: Method = _method("arccosh")
    arcsin: Method = _method("arcsin")
    arcsinh: Method = _method("arcsinh")
    arctan: Method = _method("arctan")
    arctanh: Method = _method("arctanh")
    argmax: Method = _method("argmax")
    argmax_channel: Method = _method("argmax_channel")
    argmin: Method = _method("argmin")
    argsort: Method = _method("argsort")
    astype: Method = _method("Cast", "cast")
    broadcast_axes: Method = _method("broadcast_axis", "broadcast_axes")
    broadcast_like: Method = _method("broadcast_like")
    broadcast_to: Method = _method("broadcast_to")
    cbrt: Method = _method("cbrt")
    ceil: Method = _method("ceil")
    clip: Method = _method("clip")
    cos: Method = _method("cos")
    cosh: Method = _method("cosh")
    degrees: Method = _method("degrees")
    depth_to_space: Method = _method("depth_to_space")
    exp: Method = _method("exp")
    expm1: Method = _method("expm1")
    fix: Method = _method("fix")
    flip: Method = _method("reverse", "flip")
    floor: Method = _method("floor")
    log: Method = _method("log")
    log10: Method = _method("log10")
    log1p: Method = _method("log1p")
    log2: Method = _method("log2")
    log_softmax: Method = _method("log_softmax")
    max: Method = _method("max")
    mean: Method = _method("mean")
    min: Method = _method("min")
    nanprod: Method = _method("nanprod")
    nansum: Method = _method("nansum")
    norm: Method = _method("norm")
    one_hot: Method = _method("one_hot")
    ones_like: Method = _method("ones_like")
    pad: Method = _method("Pad", "pad")
    pick: Method = _method("pick")
    prod: Method = _method("prod")
    radians: Method = _method("radians")
    rcbrt: Method = _method("rcbrt")
    reciprocal: Method = _method("reciprocal")
    relu: Method = _method("relu")
    repeat: Method = _method("repeat")
    reshape_like: Method = _method("reshape_like")
    rint: Method = _method("rint")
    round: Method = _method("round")
    rsqrt: Method = _method("rsqrt")
    shape_array: Method = _method("shape_array")
    sigmoid: Method = _method("sigmoid")
    sign: Method = _method("sign")
    sin: Method = _method("sin")
    sinh: Method = _method("sinh")
    size_array: Method = _method("size_array")
    slice: Method = _method("slice")
    slice_axis: Method = _method("slice_axis")
    slice_like: Method = _method("slice_like")
    softmax: Method = _method("softmax")
    softmin: Method = _method("softmin")
    sort: Method = _method("sort")
    space_to_depth: Method = _method("space_to_depth")
    split: Method = _method("SliceChannel", "split")
    sqrt: Method = _method("sqrt")
    square: Method = _method("square")
    sum: Method = _method("sum")
    swapaxes: Method = _method("SwapAxis", "swapaxes")
    take: Method = _method("take")
    tan: Method = _method("tan")
    tanh: Method = _method("tanh")
    tile: Method = _method("tile")
    topk: Method = _method("topk")
    transpose: Method = _method("transpose")
    trunc: Method = _method("trunc")
    zeros_like: Method = _method("zeros_like")

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
        if args and all(isinstance(one, Integral) for one in args):
            args = (args,)
        return self._call("Reshape", "reshape", self, *args, **kwargs)

    def split_v2(self: S, indices_or_sections: Any, axis: int = 0, squeeze_axis: bool = False) -> S:
        """As the function ``gluon.symbol.split_v2``, of this symbol."""
        spec = parts(indices_or_sections)
        return self._call(
            "_split_v2", "_split_v2", self, axis=axis, squeeze_axis=squeeze_axis, **spec
        )

    if not TYPE_CHECKING:
        shape = Refused(
            "shape",
            "symbol.infer_shape(data=...) finds shapes; in reshape, 0 copies a length and -1 finds"
            " it, as in F.reshape(x, shape=(0, -1))",
        )
        ndim, size = (
            Refused(name, "symbol.infer_shape(data=...) finds shapes") for name in ("ndim", "size")
        )
        dtype = Refused("dtype", "symbol.infer_type(data=...) finds dtypes")

    asnumpy: Method = _on_arrays("asnumpy")
    asscalar: Method = _on_arrays("asscalar")
    backward: Method = _on_arrays("backward")
    copy: Method = _on_arrays("copy")
    as_in_context: Method = _on_arrays("as_in_context")
    detach: Method = _on_arrays("detach")
    wait_to_read: Method = _on_arrays("wait_to_read")


def parts(indices_or_sections: Any) -> dict[str, Any]:
    """The indices of a split, as MXNet writes them."""
    if isinstance(indices_or_sections, Integral):
        return {"indices": [], "sections": indices_or_sections}
    return {"indices": [0, *indices_or_sections], "sections": 0}
