"""`nd`: correlation of the patches of two images."""

from __future__ import annotations

from .._core.arrays.base import A
from .._core.engine.op import RECORDED as ops
from ._checks import check_integers, check_one_floating
from ._public import public


@public
def Correlation(
    data1: A,
    data2: A,
    kernel_size: int = 1,
    max_displacement: int = 1,
    stride1: int = 1,
    stride2: int = 1,
    pad_size: int = 0,
    is_multiply: bool = True,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Correlate each patch of one image with the patches around it in another.

    One channel of the result belongs to one displacement, row by row from the top left.

    Parameters
    ----------
    data1, data2 : NDArray of shape (batch, channels, height, width)
    kernel_size : int, default 1
        The size of a patch, odd.
    max_displacement : int, default 1
        The largest distance between two patches, along each axis.
    stride1 : int, default 1
        The distance of two neighbouring patches of `data1`.
    stride2 : int, default 1
        The distance of two neighbouring displacements.
    pad_size : int, default 0
        How many zeros to add on each side of the images.
    is_multiply : bool, default True
        False for the mean absolute difference; its derivative for `data1` is 1 where both are
        equal.

    Returns
    -------
    NDArray of shape (batch, displacements, rows, columns)
        There are ``(2 * (max_displacement // stride2) + 1) ** 2`` displacements.

    Raises
    ------
    ArgumentError
        If the shapes differ, or no patch fits, or an argument is out of range.
    DTypeError
        If the dtypes differ or are not floating.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[[1, 2, 3]]]])
    >>> nd.Correlation(x, x, pad_size=1)[0, 3:6, 0].asnumpy().tolist()
    [[0.0, 2.0, 6.0], [1.0, 4.0, 9.0], [2.0, 6.0, 0.0]]
    """
    check_one_floating("Correlation", data1=data1, data2=data2)
    strides = {"stride1": stride1, "stride2": stride2}
    sizes = {"kernel_size": kernel_size, "max_displacement": max_displacement, "pad_size": pad_size}
    check_integers("Correlation", **sizes, **strides)
    spec = {"kernel": kernel_size, "reach": max_displacement, "pad": pad_size, **strides}
    compare = ops.correlation if is_multiply else ops.distance
    return compare(data1, data2, **spec)
