# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon.symbol.np_symbol import NpSymbol
from gluon.symbol.symbol import Symbol
from numpy.typing import DTypeLike
from typing import Any

class NpMethods(Symbol):
    def __add__(self, other: Symbol | float) -> NpSymbol:
        """As ``gluon.np.add``, of symbols, or of a symbol and a number."""
    def __radd__(self, other: Symbol | float) -> NpSymbol:
        """As ``gluon.np.add``, of symbols, or of a symbol and a number."""
    def __sub__(self, other: Symbol | float) -> NpSymbol:
        """As ``gluon.np.subtract``, of symbols, or of a symbol and a number."""
    def __rsub__(self, other: Symbol | float) -> NpSymbol: ...
    def __mul__(self, other: Symbol | float) -> NpSymbol:
        """As ``gluon.np.multiply``, of symbols, or of a symbol and a number."""
    def __rmul__(self, other: Symbol | float) -> NpSymbol:
        """As ``gluon.np.multiply``, of symbols, or of a symbol and a number."""
    def __truediv__(self, other: Symbol | float) -> NpSymbol:
        """As ``gluon.np.true_divide``, of symbols, or of a symbol and a number."""
    def __rtruediv__(self, other: Symbol | float) -> NpSymbol: ...
    def __mod__(self, other: Symbol | float) -> NpSymbol:
        """As ``gluon.np.mod``, of symbols, or of a symbol and a number."""
    def __rmod__(self, other: Symbol | float) -> NpSymbol: ...
    def __pow__(self, other: Symbol | float) -> NpSymbol:
        """As ``gluon.np.power``, of symbols, or of a symbol and a number."""
    def __rpow__(self, other: Symbol | float) -> NpSymbol: ...
    def __eq__(self, other: Symbol | float) -> NpSymbol:
        """As ``gluon.np.equal``, of symbols, or of a symbol and a number."""
    def __ne__(self, other: Symbol | float) -> NpSymbol:
        """As ``gluon.np.not_equal``, of symbols, or of a symbol and a number."""
    def __gt__(self, other: Symbol | float) -> NpSymbol:
        """As ``gluon.np.greater``, of symbols, or of a symbol and a number."""
    def __ge__(self, other: Symbol | float) -> NpSymbol:
        """As ``gluon.np.greater_equal``, of symbols, or of a symbol and a number."""
    def __lt__(self, other: Symbol | float) -> NpSymbol:
        """As ``gluon.np.less``, of symbols, or of a symbol and a number."""
    def __le__(self, other: Symbol | float) -> NpSymbol:
        """As ``gluon.np.less_equal``, of symbols, or of a symbol and a number."""
    def __hash__(self) -> int: ...
    def all(self, axis: int | Sequence[int] | None = None, keepdims: bool = False, *, where: Any = None, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """Whether all values over axes are nonzero."""
    def any(self, axis: int | Sequence[int] | None = None, keepdims: bool = False, *, where: Any = None, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """Whether any value over axes is nonzero."""
    def argmax(self, axis: int | None = None, *, keepdims: bool = False, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """The index of the largest value; the first of several."""
    def argmin(self, axis: int | None = None, *, keepdims: bool = False, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """The index of the smallest value; the first of several."""
    def cumsum(self, axis: int | None = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """Cumulative sum along `axis`; of the flattened array by default."""
    def dot(self, b: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """The sum of products over the last axis of `a` and the last but one of `b`."""
    def max(self, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: Any = None, where: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """The maximum over axes; every largest element gets the whole gradient."""
    def mean(self, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, keepdims: bool = False, *, where: Any = None, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """The mean over axes, in the default floating dtype for integers."""
    def min(self, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: Any = None, where: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """The minimum over axes; every smallest element gets the whole gradient."""
    def prod(self, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, keepdims: bool = False, initial: Any = None, where: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """The product over axes; integers are multiplied in 64 bits."""
    def round(self, decimals: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """Round to a number of decimals, ties to even; the gradient is 0."""
    def squeeze(self, axis: int | Sequence[int] | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """Remove axes of length 1, on the same memory."""
    def std(self, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, ddof: float = 0, keepdims: bool = False, *, where: Any = None, mean: Any = None, correction: float | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """The standard deviation over axes: the square root of the variance."""
    def sum(self, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, keepdims: bool = False, initial: Any = None, where: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """The sum over axes; integers are added in 64 bits."""
    def var(self, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, ddof: float = 0, keepdims: bool = False, *, where: Any = None, mean: Any = None, correction: float | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
        """The variance over axes: the mean of the squared distances from the mean."""
