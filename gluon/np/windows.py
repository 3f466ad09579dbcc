"""`np`: windows for signals."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy

from ..engine.array import wrap
from ..engine.op import RECORDED as ops
from ..face.prototype import T, typed
from ..ndarray import Context, interfaces
from ..ndarray.context import device as at
from ..ndarray.dtypes import as_numpy_dtype
from ..ndarray.switch import default_float
from ._explained import explained
from ._public import as_array, cast, whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._array import ndarray

LENGTH = "int\nThe number of points; 0 or less returns an empty array."
DTYPE = "str or numpy type, optional\nThe default floating dtype by default."


def window(
    M: int,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    *,
    device: Context | None = None,
) -> ndarray:
    """A window of one parameter, its length."""
    raise NotImplementedError


def _window(like: T, made: Callable, doc: str, example: str) -> T:

    def call(M: Any, dtype: Any = None, ctx: Any = None, *, device: Any = None) -> ndarray:
        kind = default_float() if dtype is None else as_numpy_dtype(dtype)
        return wrap(
            interfaces.ndarray, made(whole(M, "M")).astype(kind), at(device if ctx is None else ctx)
        )

    call.__doc__, call.__name__, call.__qualname__ = doc, made.__name__, made.__name__
    raises = "DTypeError\n    If `M` is not an integer."
    returns = "ndarray of shape (M,), of `dtype`"
    return typed(like, explained(example, returns, raises, M=LENGTH, dtype=DTYPE)(call))


bartlett: Final = _window(
    window,
    numpy.bartlett,
    "The Bartlett window, a triangle from 0 to 1 and back.",
    """
    >>> np.bartlett(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """,
)
blackman: Final = _window(
    window,
    numpy.blackman,
    "The Blackman window, a sum of two cosines with low leakage.",
    """
    >>> np.blackman(5).round(4) + 0
    array([0.  , 0.34, 1.  , 0.34, 0.  ])
    """,
)
hamming: Final = _window(
    window,
    numpy.hamming,
    "The Hamming window, a raised cosine that does not end in 0.",
    """
    >>> np.hamming(5)
    array([0.08, 0.54, 1.  , 0.54, 0.08])
    """,
)
hanning: Final = _window(
    window,
    numpy.hanning,
    "The Hann window, a raised cosine that ends in 0.",
    """
    >>> np.hanning(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """,
)


@explained(
    """
    >>> np.kaiser(3, 2.0).round(4)
    array([0.4387, 1.    , 0.4387])
    """,
    "ndarray of shape (M,), of `dtype`",
    "DTypeError\n    If `M` is not an integer.",
    M=LENGTH,
    beta=(
        "float, or ndarray of no axes and any dtype\nThe shape: 0 is a rectangle, 6 near a Hann"
        " window."
    ),
)
def kaiser(M: Any, beta: ArrayLike) -> ndarray:
    """The Kaiser window; `beta` has a gradient."""
    count = whole(M, "M")
    beta = as_array(beta)
    if count == 1:
        return ops.ones_like(ops.reshape(beta, shape=(1,)))
    share = numpy.linspace(-1, 1, max(count, 0))
    beta = cast(beta, default_float()) if beta.raw.dtype.kind in "biu" else beta
    arch = as_array(numpy.sqrt(numpy.maximum(1 - share * share, 0)), beta.raw.dtype)
    return ops.bessel_i(arch * beta, n=0) / ops.bessel_i(beta, n=0)
