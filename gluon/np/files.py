"""`np`: reading text files of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import Context
from ._public import made, public

if TYPE_CHECKING:
    from ._array import ndarray


@public
def genfromtxt(fname: str, *args: Any, ctx: Context | None = None, **kwargs: Any) -> ndarray:
    r"""Load a table of numbers from a text file; missing values become NaN.

    Parameters
    ----------
    fname : str, path, file, or list of str
        The file, or its lines.
    *args, **kwargs
        As for `numpy.genfromtxt`: ``dtype`` (float64 by default), ``delimiter`` and so on.
    ctx : Context, optional
        The current context by default.

    Returns
    -------
    ndarray of shape (lines, columns)
        Of one axis if there is only one line or column.

    Raises
    ------
    DTypeError
        If a column holds no numbers, or if columns have names or dtypes of their own.
    ArgumentError
        If lines have different numbers of columns.

    Examples
    --------
    >>> from gluon import np
    >>> np.genfromtxt(["x\ty", "1\t2", "3\t"], delimiter="\t", skip_header=1, dtype="float32")
    array([[ 1.,  2.],
           [ 3., nan]])
    """
    raw = numpy.genfromtxt(fname, *args, **kwargs)
    return made(raw, raw.dtype, ctx)
