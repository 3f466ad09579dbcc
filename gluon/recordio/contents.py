"""The content of records: a header, then bytes such as those of an image."""

from __future__ import annotations

import struct
from collections import namedtuple
from collections.abc import Sequence
from numbers import Number
from typing import Any, Final

import numpy as np

from .._core.errors import ArgumentError, DTypeError, GluonError, a_type, warn_caller
from .._core.hints.lookup import told
from .._core.kernels import image as kernels
from ..nd.decode import decoded

HEADER_WORDS = struct.Struct("<IfQQ")
IRHeader: Final = namedtuple(  # type: ignore[name-match]
    "HEADER", ["flag", "label", "id", "id2"], module="gluon.recordio"
)
IRHeader.__doc__ = """What stands before an image in a record.

Parameters
----------
flag : int
    How many labels there are, 0 for a single one; `pack` sets it.
label : float or sequence of float
id : int
    A number of the record's own.
id2 : int
    More of it, most often 0.

Examples
--------
>>> from gluon import recordio
>>> recordio.IRHeader(0, 3.0, 7, 0)
HEADER(flag=0, label=3.0, id=7, id2=0)
"""


@told
def pack(header: Sequence[Any], s: bytes) -> bytes:
    """Pack a header and bytes into a record.

    Parameters
    ----------
    header : IRHeader
        Its label is a number, or an array of any number of them, stored as float32.
    s : bytes

    Returns
    -------
    bytes

    Raises
    ------
    ArgumentError
        If a field of the header does not fit into its 4 or 8 bytes.

    Examples
    --------
    >>> from gluon import recordio
    >>> record = recordio.pack(recordio.IRHeader(0, [1, 2], 7, 0), b"data")
    >>> len(record)
    36
    """
    found, labels = _header("pack", header), b""
    if not isinstance(s, (bytes, bytearray, memoryview)):
        raise DTypeError(f"pack: s is {a_type(s)}; pass bytes, such as text.encode()")
    if isinstance(found.label, Number):
        found = found._replace(flag=0)
    else:
        try:
            array = np.asarray(found.label, np.float32)
        except (TypeError, ValueError):
            raise DTypeError(
                f"pack: the label of the header, {found.label!r}, is neither a number nor a list"
                " of numbers; give the number of its class"
            ) from None
        found, labels = found._replace(flag=array.size, label=0), array.tobytes()
    try:
        return HEADER_WORDS.pack(*found) + labels + s
    except struct.error as error:
        raise ArgumentError(f"pack: {found} does not fit: {error}") from None


def _header(name: str, header: Any) -> Any:
    """Return the header that the function `name` was given, as an `IRHeader`."""
    if isinstance(header, (bytes, str)) or hasattr(header, "shape"):
        found = a_type(header)
    else:
        try:
            return IRHeader(*header)
        except TypeError:
            found = repr(header)
    raise DTypeError(
        f"{name}: header is {found}; it comes first, and has four fields, as in {name}"
        f"(IRHeader(flag=0, label=3.0, id=7, id2=0), {'img' if name == 'pack_img' else 's'})"
    )


@told
def unpack(s: bytes) -> tuple[Any, bytes]:
    """Unpack a record into its header and bytes.

    Parameters
    ----------
    s : bytes

    Returns
    -------
    header : IRHeader
        Its label is a float, or a numpy.ndarray of float32.
    s : bytes

    Raises
    ------
    ArgumentError
        If the record is too short.

    Examples
    --------
    >>> from gluon import recordio
    >>> recordio.unpack(recordio.pack(recordio.IRHeader(0, 3, 7, 0), b"data"))
    (HEADER(flag=0, label=3.0, id=7, id2=0), b'data')
    """
    if not isinstance(s, (bytes, bytearray, memoryview)):
        raise DTypeError(f"unpack: s is {a_type(s)}; pass the bytes of a record, as read() does")
    size = HEADER_WORDS.size
    header = IRHeader(*HEADER_WORDS.unpack_from(s)) if len(s) >= size else None
    if header is None or len(s) < size + 4 * header.flag:
        raise ArgumentError(f"unpack: {len(s)} bytes are not a header with labels: {s[:size]!r}")
    if not header.flag:
        return header, s[size:]
    labels = np.frombuffer(s, np.float32, header.flag, size)
    return header._replace(label=labels), s[size + labels.nbytes :]


@told
def unpack_img(s: bytes, iscolor: int = -1) -> tuple[Any, np.ndarray]:
    """Unpack a record into its header and image; requires Pillow or OpenCV.

    Parameters
    ----------
    s : bytes
    iscolor : {-1, 0, 1}
        -1 to keep the channels of the file, 0 for grey, 1 for colour.

    Returns
    -------
    header : IRHeader
    img : numpy.ndarray of uint8 or uint16
        (height, width) for grey images, otherwise (height, width, channels), in BGR order as in
        OpenCV.

    Raises
    ------
    ArgumentError
        If the record holds no image, or `iscolor` is not one of these.
    GluonError
        If neither Pillow nor OpenCV is installed.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import recordio
    >>> header = recordio.IRHeader(0, 5, 7, 0)
    >>> packed = recordio.pack_img(header, np.zeros((6, 8, 3), "uint8"), 9, ".png")
    >>> header, picture = recordio.unpack_img(packed)
    >>> header.label, header.id, picture.shape
    (5.0, 7, (6, 8, 3))
    """
    if iscolor not in (-1, 0, 1):
        raise ArgumentError(f"unpack_img: iscolor={iscolor!r} is not one of -1, 0, 1")
    header, data = unpack(s)
    picture = decoded("unpack_img", "s", data, {-1: None, 0: 1, 1: 3}[iscolor])
    return header, _turned(picture[..., 0] if iscolor == 0 else picture)


@told
def pack_img(
    header: Sequence[Any], img: np.ndarray, quality: int = 95, img_fmt: str = ".jpg"
) -> bytes:
    """Pack a header and an image (JPEG or PNG) into a record; requires Pillow or OpenCV.

    Parameters
    ----------
    header : IRHeader
        See `pack`.
    img : numpy.ndarray of shape (height, width[, channels])
        A grey image, or one in BGR order as in OpenCV; values from 0 to 255, or uint16 for a grey
        PNG.
    quality : int, default 95
        The quality from 1 to 100 for JPEG; the compression level from 0 to 9 for PNG.
    img_fmt : str, default '.jpg'
        The format, as a file extension.

    Returns
    -------
    bytes

    Raises
    ------
    ArgumentError
        If `img` has another shape, or the format `img_fmt` is unknown.
    DTypeError
        If the format does not support the dtype of `img`.
    GluonError
        If neither Pillow nor OpenCV is installed.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import recordio
    >>> grey = np.arange(6, dtype="uint8").reshape(2, 3)
    >>> record = recordio.pack_img(recordio.IRHeader(0, 1, 0, 0), grey, 9, ".png")
    >>> recordio.unpack_img(record)[1]
    array([[0, 1, 2],
           [3, 4, 5]], dtype=uint8)
    """
    header, picture = _header("pack_img", header), np.asarray(img)
    if not isinstance(quality, Number):
        raise DTypeError(f"pack_img: quality={quality!r} is not a number; img_fmt comes after it")
    if picture.ndim == 3 and picture.shape[2] == 1:
        picture = picture[..., 0]
    if picture.ndim != 2 and not (picture.ndim == 3 and picture.shape[2] in (3, 4)):
        raise ArgumentError(
            f"pack_img: img has shape {np.shape(img)}; it needs (height, width[, 1, 3 or 4])"
        )
    if picture.dtype == np.uint16 and (picture.ndim > 2 or img_fmt.lower() != ".png"):
        raise DTypeError("pack_img: only grey PNG files hold uint16; divide by 256, as uint8")
    if picture.dtype.kind == "f" and 0 < picture.max(initial=0) <= 1:
        warn_caller(
            "pack_img: the values of img are at most 1, and are stored as whole numbers from 0 to"
            " 255; give img * 255"
        )
    if picture.dtype not in (np.uint8, np.uint16):
        picture = np.rint(picture).clip(0, 255).astype(np.uint8)
    try:
        data = kernels.encode(_turned(picture), extension=img_fmt, quality=quality)
    except ImportError as error:
        raise GluonError(
            'pack_img: it needs Pillow or OpenCV; pip install "gluon-autograd[image]"'
        ) from error
    except ValueError as error:
        raise ArgumentError(f"pack_img: {error}") from error
    return pack(header, data)


def _turned(picture: np.ndarray) -> np.ndarray:
    """Swap blue and red in a colour image."""
    if picture.ndim == 2:
        return picture
    return np.ascontiguousarray(picture[..., [2, 1, 0, 3][: picture.shape[2]]])
