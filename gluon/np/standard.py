"""`np`: the inspection functions of the Python array API standard."""

from __future__ import annotations

from typing import Any

import numpy

from .._core.arrays import Context, current_context
from .._core.arrays.switch import default_float, is_np_default_dtype
from .._core.errors import ArgumentError

#: The kinds of dtypes in the standard, except the complex ones, which are unsupported.
KINDS: dict[str, tuple[str, ...]] = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": (),
}
KINDS["integral"] = KINDS["signed integer"] + KINDS["unsigned integer"]
KINDS["numeric"] = KINDS["integral"] + KINDS["real floating"]
MOST_AXES = 64 if int(numpy.__version__.split(".")[0]) > 1 else 32


def names_of(kind: Any) -> tuple[str, ...]:
    """The names of the dtypes of a kind, or of one of several kinds."""
    if kind is None:
        return KINDS["bool"] + KINDS["numeric"]
    if isinstance(kind, tuple):
        return tuple(name for one in kind for name in names_of(one))
    if kind not in KINDS:
        raise ArgumentError(f"kind={kind!r} is not one of {', '.join(KINDS)}")
    return KINDS[kind]


class Info:
    """The result of ``np.__array_namespace_info__()``.

    Examples
    --------
    >>> from gluon import np
    >>> info = np.__array_namespace_info__()
    >>> sorted(info.dtypes(kind="real floating"))
    ['float32', 'float64']
    """

    def capabilities(self) -> dict[str, Any]:
        """The supported optional features of the standard."""
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": MOST_AXES,
        }

    def default_device(self) -> Context:
        """The device of new arrays."""
        return current_context()

    def default_dtypes(self, *, device: Any = None) -> dict[str, numpy.dtype]:
        """The dtypes of new arrays; `npx.set_np` switches between MXNet's and NumPy's.

        There is none for complex numbers. They are the same for all devices.
        """
        whole = numpy.dtype("int64") if is_np_default_dtype() else default_float()
        return {
            "real floating": default_float(),
            "integral": whole,
            "indexing": numpy.dtype("int64"),
        }

    def devices(self) -> list[Context]:
        """The devices; ``cpu(1)`` and so on are names for the same CPU."""
        return [Context("cpu", 0)]

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, numpy.dtype]:
        """The dtypes that arrays can have, by name, of a kind or several.

        Raises
        ------
        ArgumentError
            If the kind is unknown.
        """
        return {name: numpy.dtype(name) for name in names_of(kind)}
