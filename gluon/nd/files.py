"""``nd.save`` and ``nd.load``: arrays in MXNet's binary format, little-endian throughout.

A file is a header (a magic number, a reserved one, both 64 bits), the number of arrays, the
arrays, the number of names (as many, or 0 for a list) and the names. An array is a magic
number that tells the version, the storage type, the shape, the device, the dtype and the
values. Nothing in a file is ever executed.
"""

from __future__ import annotations

import io
import os
import struct
from collections.abc import Sequence
from math import prod
from typing import Any, BinaryIO

import numpy as np

from .._core.arrays.dtypes import bfloat16
from .._core.arrays.silence import silence_numpy
from .._core.arrays.storage import seat
from .._core.arrays.switch import is_np_shape
from .._core.engine.array import wrap
from .._core.errors import DTypeError, GluonError, a_type
from .._core.faces.files import opened
from .._core.hints.lookup import hinted
from .._core.kernels.memory import on_host
from .._core.kernels.sparse import from_parts
from . import _safetensors
from ._array import NDArray

HEADER = 0x112
#: Version 1 has no storage type; version 3 allows axes of length 0 and 0-d arrays.
V1, V2, V3 = 0xF993FAC8, 0xF993FAC9, 0xF993FACA
DENSE = 0
#: Maps a sparse storage type to its arrays of indices; a file has its number from 1 on.
SPARSE = {"row_sparse": ("indices",), "csr": ("indptr", "indices")}
INT64 = 6
MOST_AXES = 32
#: The maximum compression ratio of a gzip or zip file.
MOST_DEFLATED = 1032
DTYPES = "float32 float64 float16 uint8 int32 int8 int64 bool int16 uint16 uint32 uint64".split()
BFLOAT16 = 12

Arrays = list[NDArray] | dict[str, NDArray]


@hinted
def save(
    fname: str | os.PathLike[str], data: NDArray | Sequence[NDArray] | dict[str, NDArray]
) -> None:
    """Write arrays to a file that MXNet can read, or to a ``.safetensors`` file.

    Parameters
    ----------
    fname : str or path
        A name that ends with ``.safetensors`` chooses that format, which needs the package
        safetensors (``pip install 'gluon-autograd[safetensors]'``).
    data : NDArray, list of NDArray, or dict of str to NDArray, of any shape, dtype and storage type
        A ``.safetensors`` file takes a dict.

    Raises
    ------
    ArgumentError
        If arrays for a ``.safetensors`` file have no names.
    MissingPackageError
        If the package safetensors is needed and not installed.
    DTypeError
        If `data` holds anything else, or `fname` is not a path.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import nd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "arrays")
    ...     nd.save(path, {"x": nd.array([1, 2])})
    ...     nd.load(path)["x"].asnumpy().tolist()
    [1.0, 2.0]
    """
    arrays, names = _contents(data)
    _check_path("save", fname)
    if _safetensors.is_meant(fname):
        _safetensors.save(fname, arrays, [name.decode() for name in names])
        return
    with opened("save", fname, "wb") as file:
        file.write(struct.pack("<QQQ", HEADER, 0, len(arrays)))
        version = V2 if all(map(_is_classic, arrays)) and not is_np_shape() else V3
        for array in arrays:
            _write(file, array, version)
        file.write(struct.pack("<Q", len(names)))
        for name in names:
            file.write(struct.pack("<Q", len(name)) + name)


def _check_path(name: str, fname: Any, hint: str = "") -> None:
    if not isinstance(fname, (str, os.PathLike)):
        raise DTypeError(f"{name}: fname is a path, not {type(fname).__name__}{hint}")


def _contents(data: Any) -> tuple[list[NDArray], list[bytes]]:
    """Read the arrays, and their names if they have any."""
    if isinstance(data, NDArray):
        data = [data]
    if isinstance(data, dict):
        arrays, names = list(data.values()), list(data)
    elif isinstance(data, (list, tuple)):
        arrays, names = list(data), []
    else:
        arrays, names = [data], []
    wrong = [one for one in arrays if not isinstance(one, NDArray)]
    wrong += [name for name in names if not isinstance(name, str)]
    if wrong:
        raise DTypeError(
            f"save: got {a_type(wrong[0])}; give an NDArray, a list of NDArrays, or a"
            " dict of str to NDArray; the file name comes first, as in save(fname, data)"
        )
    return arrays, [name.encode() for name in names]


def to_bytes(array: NDArray) -> bytes:
    """An array as in a file; MXNet's pickles hold these bytes too."""
    file = io.BytesIO()
    _write(file, array, V2 if _is_classic(array) else V3)
    return file.getvalue()


def from_bytes(content: bytes | bytearray) -> np.ndarray:
    """The values in the bytes of `to_bytes`."""
    return _Reader(io.BytesIO(content), "array").array().raw


def _is_classic(array: NDArray) -> bool:
    """Whether MXNet can load it outside `set_np`; a file has only classic arrays or none."""
    return bool(array.ndim and 0 not in array.shape) and not array._of_numpy


def _write(file: BinaryIO, array: NDArray, version: int) -> None:
    if array.stype in SPARSE:
        _write_sparse(file, array)
        return
    raw = np.ascontiguousarray(on_host(array.raw)).reshape(array.shape)
    file.write(struct.pack("<IiI", version, DENSE, raw.ndim))
    file.write(struct.pack(f"<{raw.ndim}q", *raw.shape))
    ctx = array.context
    number = BFLOAT16 if raw.dtype.name == "bfloat16" else DTYPES.index(raw.dtype.name)
    file.write(struct.pack("<iii", ctx.device_typeid, ctx.device_id, number))
    file.write(raw.astype(raw.dtype.newbyteorder("<"), copy=False).tobytes())


def _write_sparse(file: BinaryIO, array: NDArray) -> None:
    value: Any = array.held
    indices = [getattr(value, name) for name in SPARSE[value.stype]]
    file.write(struct.pack("<Ii", V2, list(SPARSE).index(value.stype) + 1))
    for shape in (value.data.shape, value.shape):
        file.write(struct.pack(f"<i{len(shape)}q", len(shape), *shape))
    ctx = array.context
    number = DTYPES.index(value.dtype.name)
    file.write(struct.pack("<iii", ctx.device_typeid, ctx.device_id, number))
    for part in indices:
        file.write(struct.pack("<iiq", INT64, 1, len(part)))
    for part in (value.data, *indices):
        file.write(part.astype(part.dtype.newbyteorder("<"), copy=False).tobytes())


@hinted
def load(fname: str | os.PathLike[str]) -> Arrays:
    """Read the arrays of a file that `save` or MXNet wrote, or of a ``.safetensors`` file.

    Parameters
    ----------
    fname : str or path
        A name that ends with ``.safetensors`` is read in that format.

    Returns
    -------
    list of NDArray, or dict of str to NDArray
        In the shapes and dtypes that were saved, on the CPU, whatever device they were saved from.

    Raises
    ------
    GluonError
        If the file is damaged, or is not a file of arrays.
    MissingFileError
        If the file does not exist.
    MissingPackageError
        If the package safetensors is needed and not installed.
    OSError
        If it cannot be opened for another reason.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import nd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "arrays")
    ...     nd.save(path, [nd.array([1]), nd.array([2, 3])])
    ...     [x.shape for x in nd.load(path)]
    [(1,), (2,)]
    """
    _check_path("load", fname, "; see load_frombuffer")
    silence_numpy()
    with opened("load", fname) as file:
        if _safetensors.is_meant(fname):
            return _safetensors.load(fname)
        return _Reader(file, os.fspath(fname)).contents()


def load_frombuffer(buf: bytes) -> Arrays:
    """Read arrays from the bytes of a file; see `load`.

    Parameters
    ----------
    buf : bytes
        The content of the file.

    Returns
    -------
    list of NDArray, or dict of str to NDArray
        In the shapes and dtypes that were saved.

    Raises
    ------
    GluonError
        If the bytes are damaged, or are not a file of arrays.
    DTypeError
        If `buf` is not bytes.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import nd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "arrays")
    ...     nd.save(path, [nd.array([1, 2])])
    ...     with open(path, "rb") as file:
    ...         nd.load_frombuffer(file.read())[0].asnumpy().tolist()
    [1.0, 2.0]
    """
    if not isinstance(buf, (bytes, bytearray, memoryview)):
        raise DTypeError(f"load_frombuffer: buf must be bytes, not {type(buf).__name__}")
    silence_numpy()
    return _Reader(io.BytesIO(buf), "buffer").contents()


#: The first bytes of files of other kinds.
KINDS = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"PK\3\4": "a zip archive, as .npz files and PyTorch's files are",
    b"\x93NUMPY": "a file of NumPy, which numpy.load reads",
    b"\x1f\x8b": "a gzip file, to unpack first",
    b"\x89HDF": "an HDF5 file, as Keras writes them",
    b"\x80": "a pickle",
    b"{": "a JSON text, as that of a symbol",
}


def _kind(begin: bytes) -> str:
    """What is wrong with a file, by its first bytes."""
    for start, kind in KINDS.items():
        if begin.startswith(start):
            return f"it is {kind}"
    if all(32 <= byte < 127 or byte in b"\r\n\t" for byte in begin):
        return "it is a text"
    return "its first bytes are not those of one"


class _Reader:
    """Reads a file; allocates no more memory than the rest of the file can fill."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.file, self.name = file, name
        self.left = file.seek(0, io.SEEK_END)
        file.seek(0)

    def error(self, reason: str) -> GluonError:
        return GluonError(f"load: {self.name!r} is not a valid file of arrays: {reason}")

    def take(self, size: int) -> bytes:
        self.claim(size)
        return self.file.read(size)

    def claim(self, size: int) -> None:
        """Raise if fewer than `size` bytes are left; otherwise count them as read."""
        if size > self.left:
            raise self.error(f"it ends {size - self.left} bytes too early")
        self.left -= size

    def numbers(self, code: str) -> tuple[Any, ...]:
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))

    def contents(self) -> Arrays:
        begin = self.file.read(64)
        self.file.seek(0)
        if not begin:
            raise self.error("it is empty; give a file that save() wrote")
        if not begin.startswith(struct.pack("<Q", HEADER)[: len(begin)]):
            raise self.error(f"{_kind(begin)}; give a file that save() wrote")
        _, _, count = self.numbers("QQQ")
        arrays = [self.array() for _ in range(self.plausible(count))]
        (named,) = self.numbers("Q")
        if named not in (0, count):
            raise self.error(f"{named} names for {count} arrays")
        names = [self.text() for _ in range(self.plausible(named))]
        return dict(zip(names, arrays)) if names else arrays

    def plausible(self, count: int) -> int:
        """Read a number of items, each of which takes some bytes."""
        if count > self.left:
            raise self.error(f"it is too short for {count} items")
        return count

    def text(self) -> str:
        (size,) = self.numbers("Q")
        try:
            return self.take(size).decode()
        except UnicodeDecodeError:
            raise self.error("a name is not UTF-8") from None

    def shape(self, magic: int) -> tuple[int, ...] | None:
        """Read a shape in any version; None for an array without a shape."""
        old = magic not in (V1, V2, V3)
        (ndim,) = (magic,) if old else self.numbers("i")
        if (ndim == 0 and magic != V3) or ndim == -1:
            return None
        if not 0 <= ndim <= MOST_AXES:
            raise self.error(f"an array has {ndim} axes")
        shape = self.numbers(f"{ndim}{'I' if old else 'q'}")
        if min(shape, default=0) < 0:
            raise self.error(f"an array has shape {shape}")
        return shape

    def array(self) -> NDArray:
        (magic,) = self.numbers("I")
        stored = self.numbers("i")[0] if magic in (V2, V3) else DENSE
        if stored != DENSE:
            return self.sparse(magic, stored)
        shape = self.shape(magic)
        if shape is None:
            return wrap(NDArray, np.empty((0,), np.float32))
        return wrap(NDArray, self.values(shape, self.dtype()))

    def sparse(self, magic: int, stored: int) -> NDArray:
        """Read a sparse array, whose indices are not trusted."""
        if not 0 < stored <= len(SPARSE):
            raise self.error(f"an array has the unknown storage type {stored}")
        stype = [*SPARSE][stored - 1]
        data_shape, shape = self.shape(magic), self.shape(magic)
        if data_shape is None or shape is None:
            raise self.error("a sparse array has no shape")
        dtype = self.dtype()
        forms = [(self.numbers("i"), self.shape(magic)) for _ in SPARSE[stype]]
        if any(kind != (INT64,) or form is None for kind, form in forms):
            raise self.error("the indices of a sparse array are not of int64")
        data = self.values(data_shape, dtype)
        parts = [self.values(form or (), np.dtype(np.int64)) for _, form in forms]
        try:
            return seat(from_parts(stype, data, **dict(zip(SPARSE[stype], parts)), shape=shape))
        except ValueError as error:
            raise self.error(str(error)) from None

    def dtype(self) -> np.dtype:
        """Read a device, which is ignored, and a dtype."""
        _, _, number = self.numbers("iii")
        if not 0 <= number < len(DTYPES) and number != BFLOAT16:
            raise self.error(f"an array has the unknown dtype number {number}")
        return bfloat16() if number == BFLOAT16 else np.dtype(DTYPES[number])

    def values(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """Read the values of a dense array."""
        self.claim(prod(shape) * dtype.itemsize)
        try:
            raw = np.empty(shape, dtype)
        except ValueError:  # too large for an array, although an axis of length 0 makes it empty
            raise self.error(f"an array has shape {shape}") from None
        if raw.size:
            self.file.readinto(raw.reshape(-1).view(np.uint8))  # type: ignore[attr-defined]
        return raw if raw.dtype.isnative else raw.astype(raw.dtype)
