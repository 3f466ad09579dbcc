"""`npx`: arrays in files, in MXNet's format or in NumPy's."""

from __future__ import annotations

import os
from math import prod
from typing import IO, Any

import numpy

from .._core.arrays.base import seen_as
from .._core.engine.array import Array
from .._core.errors import DTypeError, GluonError
from .._core.kernels.memory import on_host
from ..nd import load as _load
from ..nd import save as _save
from ..nd.files import MOST_DEFLATED
from ..np import ndarray
from ..np._public import made, public

#: The first bytes of a zip file, which `savez` writes.
ZIP = b"PK"


@public
def save(file: str | os.PathLike[str], arr: Any) -> None:
    """Write arrays to a file that MXNet can read, or to a ``.safetensors`` file.

    Parameters
    ----------
    file : str or path
        A name that ends with ``.safetensors`` chooses that format; see `nd.save`.
    arr : ndarray, list of ndarray, or dict of str to ndarray
        Of any shapes and dtypes.

    Returns
    -------
    None

    Raises
    ------
    DTypeError
        If `arr` holds anything else.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import np, npx
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "arrays")
    ...     npx.save(path, {"x": np.array([1, 2])})
    ...     npx.load(path)
    {'x': array([1., 2.])}
    """
    _save(file, arr)


@public
def savez(file: str | os.PathLike[str], *args: Any, **kwargs: Any) -> None:
    """Write arrays to an ``.npz`` file, which NumPy can read.

    Parameters
    ----------
    file : str or path
    *args : ndarray of any shape and dtype
        Named ``arr_0``, ``arr_1``, ….
    **kwargs : ndarray of any shape and dtype

    Returns
    -------
    None

    Raises
    ------
    DTypeError
        If an argument is not an array.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import np, npx
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "arrays.npz")
    ...     npx.savez(path, np.ones(1), x=np.array([1, 2]))
    ...     npx.load(path)
    {'x': array([1., 2.]), 'arr_0': array([1.])}
    """
    for value in (*args, *kwargs.values()):
        if not isinstance(value, Array):
            raise DTypeError(f"got {type(value).__name__} where an array is needed")
    named = {name: on_host(x.raw) for name, x in kwargs.items()}
    numpy.savez(file, *[on_host(x.raw) for x in args], **named)


@public
def load(file: str | os.PathLike[str]) -> Any:
    """Read the arrays of a file that `save`, `savez`, MXNet or NumPy's `savez` wrote.

    Parameters
    ----------
    file : str or path
        A name that ends with ``.safetensors`` is read in that format; see `nd.load`.

    Returns
    -------
    list of ndarray, or dict of str to ndarray
        Of the shapes and dtypes that were written.

    Raises
    ------
    GluonError
        If the file is damaged, or holds no arrays.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import np, npx
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "arrays")
    ...     npx.save(path, [np.array(3.5)])
    ...     npx.load(path)
    [array(3.5)]
    """
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            is_zip = opened.read(len(ZIP)) == ZIP
        if is_zip:
            return {name: made(raw, raw.dtype) for name, raw in _unzipped(file).items()}
    found = _load(file)
    if isinstance(found, dict):
        return {name: seen_as(ndarray, x) for name, x in found.items()}
    return [seen_as(ndarray, x) for x in found]


def _unzipped(path: str | os.PathLike[str]) -> dict[str, numpy.ndarray]:
    """Read the arrays in a file of `savez`."""
    import zipfile

    try:
        most = MOST_DEFLATED * os.path.getsize(path)
        with zipfile.ZipFile(path) as archive, numpy.load(path) as arrays:
            for one in archive.infolist():
                with archive.open(one) as file:
                    _check_size(file, min(one.file_size, most))
            return {name: numpy.asarray(arrays[name]) for name in arrays.files}
    except FileNotFoundError:
        raise
    except Exception as error:  # zipfile, zlib and NumPy raise various errors for a broken file
        name = os.fspath(path)
        raise GluonError(f"load: {name!r} is not a valid file of arrays: {error}") from error


def _check_size(file: IO[bytes], most: int) -> None:
    """Raise if an array claims to be longer than `most` bytes, which NumPy would allocate."""
    version = numpy.lib.format.read_magic(file)
    read = numpy.lib.format.read_array_header_1_0
    shape, _, dtype = (read if version == (1, 0) else numpy.lib.format.read_array_header_2_0)(file)
    if prod(shape) * dtype.itemsize > most:
        raise ValueError(f"an array of shape {shape} and dtype {dtype} is longer than the file")
