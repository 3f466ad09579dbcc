"""The functions of symbols with NumPy's interface, and those that are their methods."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any

from .._core.errors import DTypeError
from .._core.faces.face import Face
from . import contrib, linalg, nd_functions, numbers  # noqa: F401  (they declare operators)
from .calls import Outputs, called, operator
from .methods import Method
from .np_operators import TURNED
from .symbol import Symbol

if TYPE_CHECKING:
    from .np_symbol import NpSymbol

#: As `methods.SYMBOL`, of the functions of `np`.
NP_SYMBOL = Face("gluon.symbol.np")
#: Comparisons with swapped operands.
FLIPPED = {
    "greater": "less",
    "greater_equal": "less_equal",
    "less": "greater",
    "less_equal": "greater_equal",
}


def on(name: str, hint: str, /, *args: Any, **kwargs: Any) -> NpSymbol:
    """The operator of that name in files, on `args`."""
    return Symbol._numpy(called(operator(name), hint, args, kwargs))


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
        return Symbol._numpy(called(own, hint, args, {**more, **kwargs}))

    return NP_SYMBOL.named(
        call, hint, own.function.__doc__ or f"As ``gluon.np.{hint}``, of symbols."
    )


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

    doc = f"As ``gluon.np.{name}``, of symbols, or of a symbol and a number."
    return NP_SYMBOL.named(call, name, doc)


def _turned(how: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, other: how(other, self)


class NpMethods(Symbol):
    """Base of `NpSymbol`."""

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
