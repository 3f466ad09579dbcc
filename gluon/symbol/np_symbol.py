"""`NpSymbol`: symbols with the operators and methods of NumPy's arrays."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from .._core.errors import DTypeError
from .np_methods import NpMethods, on
from .symbol import Symbol


def _axes(args: Any) -> Any:
    """Return axes or lengths given as separate arguments or as one tuple."""
    return args[0] if len(args) == 1 and not isinstance(args[0], Integral) else args


class NpSymbol(NpMethods):
    """A symbol with the interface of NumPy's arrays; `Symbol.as_np_ndarray` creates it.

    Parameters
    ----------
    heads : sequence of Entry
        The outputs.
    """

    __slots__ = ()

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
