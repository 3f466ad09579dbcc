"""Variables: the free inputs of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._core.arrays.dtypes import as_dtype
from .._core.errors import ArgumentError, DTypeError, a_type
from .._core.faces.text import written
from . import naming
from .infer import CODES
from .node import Entry, GraphNode
from .stypes import STORAGE
from .symbol import Symbol


def var(
    name: str,
    attr: Mapping[str, str] | None = None,
    shape: tuple[int, ...] | None = None,
    lr_mult: float | None = None,
    wd_mult: float | None = None,
    dtype: Any = None,
    init: Any = None,
    stype: str | None = None,
    **kwargs: str,
) -> Symbol:
    """A variable.

    Parameters
    ----------
    name : str
    attr : dict of str to str, optional
        Attributes, in addition to those of the surrounding `AttrScope`.
    shape : tuple of int, optional
        Lengths of 0 are unknown.
    lr_mult, wd_mult : float, optional
        Factors of the learning rate and the weight decay for optimizers.
    dtype : dtype, optional
    init : Initializer or str, optional
        The initializer of the variable.
    stype : {'default', 'row_sparse', 'csr'}, optional
        The storage type of the array that `Symbol.simple_bind` makes for it.
    **kwargs : str
        Further attributes, with two underscores at both ends of their names.

    Returns
    -------
    Symbol

    Raises
    ------
    DTypeError
        If `name` is not a string.
    ArgumentError
        If a further attribute has no underscores, or `stype` is not one of the three.

    Examples
    --------
    >>> from gluon import symbol
    >>> x = symbol.var("x", shape=(2, 3), lr_mult=0.5)
    >>> x, x.attr("lr_mult")
    (<Symbol x>, '0.5')
    """
    if not isinstance(name, str):
        raise DTypeError(f"var: the name is {a_type(name)}, not a str")
    attrs = naming.attributes(attr)
    if shape is not None:
        attrs["__shape__"] = written(shape)
    if lr_mult is not None:
        attrs["__lr_mult__"] = str(lr_mult)
    if wd_mult is not None:
        attrs["__wd_mult__"] = str(wd_mult)
    if dtype is not None:
        attrs["__dtype__"] = _code(np.dtype(as_dtype(dtype)).name)
    if init is not None:
        attrs["__init__"] = init if isinstance(init, str) else init.dumps()
    if stype is not None:
        if stype not in STORAGE:
            raise ArgumentError(f"var: stype={stype!r} must be one of {', '.join(STORAGE)}")
        attrs["__storage_type__"] = str(STORAGE.index(stype))
    for key, value in kwargs.items():
        if not (key.startswith("__") and key.endswith("__")):
            raise ArgumentError(
                f"var: no argument {key!r}; further attributes begin and end with two underscores"
            )
        attrs[key] = written(value)
    return Symbol([Entry(GraphNode(None, name, attrs), 0)])


def _code(dtype: str) -> str:
    """Return MXNet's code of a dtype, or its name if MXNet has none."""
    return next((code for code, name in CODES.items() if name == dtype), dtype)


Variable = var
