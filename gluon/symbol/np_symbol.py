"""`NpSymbol`: symbols with the operators and methods of NumPy's arrays."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Number
from typing import Any

from .._core.errors import DTypeError
from . import contrib, linalg, nd_functions, numbers  # noqa: F401  (they declare operators)
from .calls import Outputs, called, operator
from .methods import Method
from .np_operators import TURNED
from .symbol import Symbol

#: Comparisons with swapped operands.
FLIPPED = {
    "greater": "less",
    "greater_equal": "less_equal",
    "less": "greater",
    "less_equal": "greater_equal",
}


def on(name: str, hint: str, /, *args: Any, **kwargs: Any) -> NpSymbol:
    """The operator of that name in files, on `args`."""
    return NpSymbol(called(operator(name), hint, args, kwargs))


def function(name: str, hint: str = "", **written: Any) -> Callable[..., NpSymbol]:
    """The operator of that name in files, as a function.

    Parameters
    ----------
    name : str
    hint : str, optional
        The start of the names of nodes; by default that of the operator, without ``_npi_`` and the
        like.
    **written
        Arguments that are written to files even if they are not given.
    """
    own, hint = operator(name), hint or name.removeprefix("_npi_").removeprefix("_np_")

    def call(*args: Any, **kwargs: Any) -> NpSymbol:
        places = (*own.arrays, *own.attributes)[len(args) :] if written else ()
        more = {key: written[key] for key in places if key in written}
        return NpSymbol(called(own, hint, args, {**more, **kwargs}))

    call.__name__ = call.__qualname__ = hint
    call.__module__ = "gluon.symbol.np"
    call.__doc__ = own.function.__doc__ or f"As ``gluon.np.{hint}``, of symbols."
    return call


def pair(name: str, both: str = "", number: str = "") -> Callable[..., NpSymbol]:
    """A function of two symbols, or of a symbol and a number on either side.

    Parameters
    ----------
    name : str
        Such as ``add`` for ``_npi_add`` and ``_npi_add_scalar``.
    both, number : str, optional
        The operators, if they have other names.
    """

    def call(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> NpSymbol:
        if isinstance(x1, Outputs) and isinstance(x2, Outputs):
            return on(both or f"_npi_{name}", name, x1, x2, **kwargs)
        if isinstance(x1, Outputs) and isinstance(x2, Number):
            values = {"scalar": float(x2), "is_int": isinstance(x2, Integral)}  # type: ignore[arg-type]
            return on(number or f"_npi_{name}_scalar", f"{name}_scalar", x1, **values, **kwargs)
        if isinstance(x1, Number) and isinstance(x2, Outputs):
            own = f"r{name}" if name in TURNED else FLIPPED.get(name, name)
            values = {"scalar": float(x1), "is_int": False}  # type: ignore[arg-type]
            return on(number or f"_npi_{own}_scalar", f"{own}_scalar", x2, **values, **kwargs)
        kinds = f"{type(x1).__name__} and {type(x2).__name__}"
        raise DTypeError(f"{name}: give symbols, or a symbol and a number, not {kinds}")

    call.__name__ = call.__qualname__ = name
    call.__module__ = "gluon.symbol.np"
    call.__doc__ = f"As ``gluon.np.{name}``, of symbols, or of a symbol and a number."
    return call


def _turned(how: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, other: how(other, self)


def _axes(args: Any) -> Any:
    """Return axes or lengths given as separate arguments or as one tuple."""
    return args[0] if len(args) == 1 and not isinstance(args[0], Integral) else args


class NpSymbol(Symbol):
    """A symbol with the interface of NumPy's arrays; `Symbol.as_np_ndarray` creates it.

    Parameters
    ----------
    heads : sequence of Entry
        The outputs.
    """

    __slots__ = ()

    __add__ = __radd__ = pair("add")
    __sub__ = pair("subtract")
    __rsub__ = _turned(__sub__)
    __mul__ = __rmul__ = pair("multiply")
    __truediv__ = pair("true_divide")
    __rtruediv__ = _turned(__truediv__)
    __mod__ = pair("mod")
    __rmod__ = _turned(__mod__)
    __pow__ = pair("power")
    __rpow__ = _turned(__pow__)
    __eq__: Method = pair("equal")
    __ne__: Method = pair("not_equal")
    __gt__ = pair("greater")
    __ge__ = pair("greater_equal")
    __lt__ = pair("less")
    __le__ = pair("less_equal")
    __hash__: Method = object.__hash__

    all: Method = function("_np_all", axis=None, keepdims=False)
    any: Method = function("_np_any", axis=None, keepdims=False)
    argmax: Method = function("_npi_argmax", axis=None, keepdims=False)
    argmin: Method = function("_npi_argmin", axis=None, keepdims=False)
    cumsum: Method = function("_np_cumsum", axis=None)
    dot: Method = function("_np_dot")
    max: Method = function("_np_max", axis=None, keepdims=False)
    mean: Method = function("_npi_mean", axis=None, keepdims=False)
    min: Method = function("_np_min", axis=None, keepdims=False)
    prod: Method = function("_np_prod", axis=None, keepdims=False)
    round: Method = function("_npi_around", decimals=0)
    squeeze: Method = function("_np_squeeze", axis=None)
    std: Method = function("_npi_std", axis=None, ddof=0, keepdims=False)
    sum: Method = function("_np_sum", axis=None, keepdims=False)
    var: Method = function("_npi_var", axis=None, ddof=0, keepdims=False)

    def __neg__(self) -> NpSymbol:
        return self * -1.0

    def __abs__(self) -> NpSymbol:
        return on("_npi_absolute", "absolute", self)

    def __matmul__(self, other: Any) -> NpSymbol:
        return on("_npi_matmul", "matmul", self, other)

    def __getitem__(self, key: Any) -> NpSymbol:
        """One of several outputs; of a single one, a part of the array.

        Raises
        ------
        DTypeError
            If a key of a part is no integer, slice or tuple of them.
        """
        if len(self) > 1 or isinstance(key, str):
            return super().__getitem__(key)
        if isinstance(key, tuple) and not key:
            return self
        keys = key if isinstance(key, tuple) else (key,)
        cuts, codes = [], []
        for one in keys:
            if isinstance(one, slice):
                cuts.append((one.start, one.stop, one.step))
                codes.append(-2)
            elif isinstance(one, Integral):
                k = int(one)
                cuts.append((k, k + 1, 1) if k >= 0 else (k, k - 1, -1))
                codes.append(-3)
            else:
                raise DTypeError(
                    f"NpSymbol: a part is found by integers and slices, not by {one!r}"
                )
        starts, stops, steps = map(list, zip(*cuts))
        if isinstance(key, slice):
            begin, end = ([None] if one is None else one for one in (key.start, key.stop))
            return on("slice", "slice", self, begin=begin, end=end, step=key.step)
        spec = {"begin": starts, "end": stops, "step": steps}
        if not isinstance(key, tuple):
            spec = {"begin": [int(key)], "end": [int(key) + 1 or None]}
        part = on("slice", "slice", self, **spec)
        return on("_npx_reshape", "reshape", part, newshape=(*codes, -4))

    @property
    def T(self) -> NpSymbol:
        """The array with its axes in reverse order."""
        return self.transpose()

    def transpose(self, *axes: Any) -> NpSymbol:
        """The array with its axes in another order; by default, in reverse."""
        return on("_np_transpose", "transpose", self, axes=_axes(axes) or None)

    def reshape(self, *shape: Any, order: str = "C") -> NpSymbol:
        """The values in another shape; its lengths may be given one by one."""
        return on("_np_reshape", "reshape", self, newshape=_axes(shape), order=order)

    def swapaxes(self, axis1: int, axis2: int) -> NpSymbol:
        """The array with two axes exchanged."""
        return on("SwapAxis", "swapaxes", self, dim1=axis1, dim2=axis2)

    def flatten(self, inplace: Any = False, **kwargs: Any) -> NpSymbol:
        """The values along one axis; the arguments are ignored."""
        return on("_np_reshape", "reshape", self, newshape=(-1,), order="C")

    def astype(self, dtype: Any, **kwargs: Any) -> NpSymbol:
        """The array in another dtype; the other arguments of NumPy are ignored."""
        return on("Cast", "cast", self, dtype=dtype)

    def copy(self, order: str = "C") -> NpSymbol:
        """A copy of the array."""
        return on("_np_copy", "copy", self)

    def repeat(self, repeats: Any, axis: int | None = None) -> NpSymbol:
        """Repeat each value."""
        return on("repeat", "repeat", self, repeats=repeats, axis=axis)

    def take(self, indices: Any, axis: int | None = None, mode: str = "raise") -> NpSymbol:
        """The values at indices along an axis; by default of the flattened array."""
        data = self if axis is not None else on("_npx_reshape", "reshape", self, newshape=-1)
        return on("take", "take", data, indices, axis=axis or 0, mode=mode)

    def as_np_ndarray(self) -> NpSymbol:
        """The symbol."""
        return self

    def as_nd_ndarray(self) -> Symbol:
        """The same outputs as a `Symbol`."""
        return Symbol(self._heads)


Symbol._numpy = NpSymbol
