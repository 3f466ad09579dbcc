"""Random shapes, arrays and matrices to test with, from NumPy's global generator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from .. import nd
from .._core.errors import ArgumentError
from ..nd import NDArray
from .compare import host
from .tolerance import default_dtype

Shape = tuple[int, ...]

# ------------------------------------------------------------------------------------ shapes


def rand_shape_2d(dim0: int = 10, dim1: int = 10, allow_zero_size: bool = False) -> Shape:
    """A random shape of two axes.

    Examples
    --------
    >>> from gluon import test_utils
    >>> rows, columns = test_utils.rand_shape_2d(3, 4)
    >>> 1 <= rows <= 3, 1 <= columns <= 4
    (True, True)
    """
    return _shape((dim0, dim1), allow_zero_size)


def rand_shape_3d(
    dim0: int = 10, dim1: int = 10, dim2: int = 10, allow_zero_size: bool = False
) -> Shape:
    """A random shape of three axes.

    Examples
    --------
    >>> from gluon import test_utils
    >>> len(test_utils.rand_shape_3d())
    3
    """
    return _shape((dim0, dim1, dim2), allow_zero_size)


def rand_shape_nd(num_dim: int, dim: int = 10, allow_zero_size: bool = False) -> Shape:
    """A random shape.

    Examples
    --------
    >>> from gluon import test_utils
    >>> len(test_utils.rand_shape_nd(4)), test_utils.rand_shape_nd(2, dim=1)
    (4, (1, 1))
    """
    return _shape((dim,) * num_dim, allow_zero_size)


def rand_coord_2d(x_low: int, x_high: int, y_low: int, y_high: int) -> tuple[int, int]:
    """A random point with integer coordinates.

    Examples
    --------
    >>> from gluon import test_utils
    >>> x, y = test_utils.rand_coord_2d(0, 2, 5, 7)
    >>> x in (0, 1), y in (5, 6)
    (True, True)
    """
    return int(np.random.randint(x_low, x_high)), int(np.random.randint(y_low, y_high))


def _shape(greatest: Sequence[int], allow_zero_size: bool) -> Shape:
    low = 0 if allow_zero_size else 1
    return tuple(int(np.random.randint(low, n + 1)) for n in greatest)


# ------------------------------------------------------------------------------------ arrays


def random_arrays(*shapes: Shape) -> Any:
    """NumPy arrays of normally distributed numbers, in float32.

    Examples
    --------
    >>> from gluon import test_utils
    >>> a, b = test_utils.random_arrays((2, 3), ())
    >>> a.shape, b.shape, a.dtype
    ((2, 3), (), dtype('float32'))
    """
    arrays: list[np.ndarray] = [
        np.asarray(np.random.randn(*shape)).astype(default_dtype()) for shape in shapes
    ]
    return arrays[0] if len(arrays) == 1 else arrays


def random_uniform_arrays(
    *shapes: Shape, low: float = 0.0, high: float = 1.0, dtype: Any = None
) -> list[np.ndarray]:
    """NumPy arrays of uniformly distributed numbers.

    Examples
    --------
    >>> from gluon import test_utils
    >>> a, b = test_utils.random_uniform_arrays((2, 3), (4,))
    >>> a.shape, b.shape, a.dtype
    ((2, 3), (4,), dtype('float32'))
    """
    dtype = default_dtype() if dtype is None else dtype
    return [np.asarray(np.random.uniform(low, high, size=shape)).astype(dtype) for shape in shapes]


def random_sample(population: Sequence[Any], k: int) -> list[Any]:
    """Random elements of a sequence, without replacement.

    Examples
    --------
    >>> from gluon import test_utils
    >>> sorted(test_utils.random_sample([1, 2, 3], 3))
    [1, 2, 3]
    """
    if not 0 <= k <= len(population):
        raise ArgumentError(f"random_sample: k={k} of {len(population)} elements")
    shuffled = list(population)
    np.random.shuffle(shuffled)
    return shuffled[:k]


def shuffle_csr_column_indices(csr: Any) -> None:
    """Shuffle the column indices within each row of a compressed sparse matrix, in place.

    Examples
    --------
    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> from gluon import test_utils
    >>> matrix = SimpleNamespace(indptr=np.array([0, 2, 3]), indices=np.array([4, 5, 6]))
    >>> test_utils.shuffle_csr_column_indices(matrix)
    >>> sorted(matrix.indices[:2].tolist()), int(matrix.indices[2])
    ([4, 5], 6)
    """
    for start, stop in zip(csr.indptr[:-1], csr.indptr[1:]):
        row = np.array(csr.indices[start:stop])
        np.random.shuffle(row)
        csr.indices[start:stop] = row


def create_2d_tensor(rows: int, columns: int, dtype: Any = np.int64) -> NDArray:
    """An NDArray (rows, columns) in which each element is its row index.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.create_2d_tensor(2, 3).asnumpy()
    array([[0, 0, 0],
           [1, 1, 1]])
    """
    return nd.broadcast_to(nd.arange(0, rows, dtype=dtype).reshape(rows, 1), shape=(rows, columns))


def create_vector(size: int, dtype: Any = np.int64) -> NDArray:
    """An NDArray of the integers from 0 to ``size - 1``.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.create_vector(3).asnumpy()
    array([0, 1, 2])
    """
    return nd.arange(0, size, dtype=dtype)


def get_identity_mat(size: int) -> NDArray:
    """The identity matrix (size, size), in float32.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.get_identity_mat(2).asnumpy()
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    return nd.eye(size)


def get_identity_mat_batch(size: int) -> NDArray:
    """Two identity matrices (2, size, size), in float32.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.get_identity_mat_batch(3).shape
    (2, 3, 3)
    """
    return nd.stack(nd.eye(size), nd.eye(size))


# ------------------------------------------------------------------- matrices and reductions


def new_orthonormal_matrix_2d(n: int) -> np.ndarray:
    """A random orthonormal matrix (n, n) in float64.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> matrix = test_utils.new_orthonormal_matrix_2d(3)
    >>> bool(np.allclose(matrix @ matrix.T, np.eye(3)))
    True
    """
    x = np.random.randn(n, n)
    return np.linalg.qr(x.T @ x)[0]


def new_matrix_with_real_eigvals_2d(n: int) -> np.ndarray:
    """A random matrix (n, n) in float64 whose eigenvalues are real, from -10 to 10.

    It is ``inv(q) @ diag(eigenvalues) @ q``, where the condition number of ``q`` is below 3.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> matrix = test_utils.new_matrix_with_real_eigvals_2d(3)
    >>> bool(np.abs(np.linalg.eigvals(matrix).imag).max() < 1e-9)
    True
    """
    while True:
        scale = np.random.uniform(-1.0, 1.0, n)
        axis = np.random.uniform(-1.0, 1.0, (n, 1))
        axis /= np.linalg.norm(axis)
        q = (np.eye(n) - 2 * axis @ axis.T) * scale
        if np.linalg.cond(q) < 3:
            return np.linalg.inv(q) @ np.diag(np.random.uniform(-10.0, 10.0, n)) @ q


def new_sym_matrix_with_real_eigvals_2d(n: int) -> np.ndarray:
    """A random symmetric matrix (n, n) in float64, with eigenvalues from -10 to 10.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> matrix = test_utils.new_sym_matrix_with_real_eigvals_2d(3)
    >>> bool(np.allclose(matrix, matrix.T))
    True
    """
    q = new_orthonormal_matrix_2d(n)
    return q.T @ np.diag(np.random.uniform(-10.0, 10.0, n)) @ q


def new_matrix_with_real_eigvals_nd(shape: Shape) -> np.ndarray:
    """Matrices like those of `new_matrix_with_real_eigvals_2d`, in an array (..., n, n).

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.new_matrix_with_real_eigvals_nd((2, 3, 3)).shape
    (2, 3, 3)
    """
    return _matrices(new_matrix_with_real_eigvals_2d, shape)


def new_sym_matrix_with_real_eigvals_nd(shape: Shape) -> np.ndarray:
    """Matrices like those of `new_sym_matrix_with_real_eigvals_2d`, in an array (..., n, n).

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.new_sym_matrix_with_real_eigvals_nd((2, 3, 3)).shape
    (2, 3, 3)
    """
    return _matrices(new_sym_matrix_with_real_eigvals_2d, shape)


def _matrices(make: Callable[[int], np.ndarray], shape: Shape) -> np.ndarray:
    return np.array([make(shape[-1]) for _ in range(prod(shape[:-2]))]).reshape(shape)


def np_reduce(
    dat: np.ndarray,
    axis: int | Sequence[int] | None,
    keepdims: bool,
    numpy_reduce_func: Callable[..., Any],
) -> np.ndarray:
    """Reduce over several axes with a function that takes one at a time.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> test_utils.np_reduce(np.ones((2, 3, 4)), (0, 2), True, np.sum).shape
    (1, 3, 1)
    """
    axes = range(dat.ndim) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    result = dat
    for k in sorted((k % dat.ndim for k in axes), reverse=True):
        result = numpy_reduce_func(result, axis=k)
    return np.expand_dims(result, tuple(axes)) if keepdims else result


def collapse_sum_like(a: np.ndarray, shape: Shape) -> np.ndarray:
    """Sum an array over the axes along which `shape` broadcasts to its shape.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> test_utils.collapse_sum_like(np.ones((2, 3)), (3,))
    array([2., 2., 2.])
    """
    shape = tuple(shape)
    extra = a.ndim - len(shape)
    pairs = list(zip(shape, a.shape[max(extra, 0) :]))
    if extra < 0 or any(n not in (1, m) for n, m in pairs):
        raise ArgumentError(f"collapse_sum_like: shape {shape} cannot be broadcast to {a.shape}")
    if not prod(shape) or not a.size:
        return np.zeros(shape, a.dtype)
    axes = (*range(extra), *(extra + k for k, (n, m) in enumerate(pairs) if n != m))
    return np.sum(a, axis=axes).reshape(shape)


def assign_each(the_input: Any, function: Callable[..., Any] | None) -> np.ndarray:
    """Apply a function of a number to each element.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.assign_each([1, 2], lambda x: x * x)
    array([1., 4.])
    """
    return _each(function, the_input)


def assign_each2(input1: Any, input2: Any, function: Callable[..., Any] | None) -> np.ndarray:
    """Apply a function of two numbers to the elements of two arrays.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.assign_each2([1, 2], [3, 4], lambda x, y: x + y)
    array([4., 6.])
    """
    return _each(function, input1, input2)


def _each(function: Callable | None, *inputs: Any) -> np.ndarray:
    arrays = [host(one) for one in inputs]
    if function is None:
        return np.array(arrays[0])
    shapes = {one.shape for one in arrays}
    if len(shapes) > 1:
        raise ArgumentError(f"assign_each2: shapes {arrays[0].shape} and {arrays[1].shape} differ")
    result = np.zeros(arrays[0].shape)
    for place in product(*map(range, result.shape)):
        result[place] = function(*(one[place] for one in arrays))
    return result
