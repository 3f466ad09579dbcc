"""Split batches over contexts, clip gradients, download files, and handle hooks."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterable, Sequence
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from . import nd
from ._core.arrays import Context
from ._core.engine.inplace import writable
from ._core.errors import ArgumentError, DTypeError, GluonError
from ._core.hints.called import Hinted
from ._core.hints.lookup import hinted, hinting
from ._core.hints.synonyms import HANDLE
from ._core.progress import bar
from .nd import NDArray

__all__ = [
    "DownloadError",
    "HookHandle",
    "check_sha1",
    "clip_by_value",
    "clip_global_norm",
    "download",
    "replace_file",
    "shape_is_known",
    "split_and_load",
    "split_data",
]


#: Larger downloads show a progress bar.
SHOWN_FROM = 1 << 20

_number = count().__next__


class DownloadError(GluonError, OSError):
    """A download failed; the message says where to put the file.

    Examples
    --------
    >>> import tempfile
    >>> from gluon import utils
    >>> try:
    ...     utils.download("file:///none/such.zip", tempfile.mkdtemp(), retries=0)
    ... except utils.DownloadError:
    ...     print("put the file there by hand")
    put the file there by hand
    """


class HookHandle(Hinted):
    """Handle of a registered hook, which can remove it.

    At the end of a ``with`` block it removes the hook.

    Parameters
    ----------
    hooks_dict : dict, optional
        The hooks to add the hook to; see `attach`.
    hook : callable, optional

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.Flatten()
    >>> handle = layer.register_forward_hook(lambda block, inputs, output: print(output.shape))
    >>> y = layer(nd.ones((2, 3, 4)))
    (2, 12)
    >>> handle.detach()
    """

    _elsewhere = HANDLE

    def __init__(self, hooks_dict: dict[int, Any] | None = None, hook: Any = None) -> None:
        self._places: list[tuple[dict[int, Any], int]] = []
        if hooks_dict is not None:
            self.attach(hooks_dict, hook)

    def attach(self, hooks_dict: dict[int, Any], hook: Any) -> None:
        """Add a hook to others.

        Parameters
        ----------
        hooks_dict : dict
            The others.
        hook : callable

        Raises
        ------
        GluonError
            If the handle has a hook already.

        Examples
        --------
        >>> from gluon import utils
        >>> hooks = {}
        >>> handle = utils.HookHandle()
        >>> handle.attach(hooks, print)
        >>> list(hooks.values()) == [print]
        True
        >>> handle.detach()
        >>> hooks
        {}
        """
        if self._places:
            raise GluonError("attach: this HookHandle has a hook already; make another one")
        self._add(hooks_dict, hook)

    def _add(self, hooks: dict[int, Any], hook: Any) -> None:
        self._places.append((hooks, _number()))
        hooks[self._places[-1][1]] = hook

    def detach(self) -> None:
        """Remove the hook."""
        for hooks, key in self._places:
            hooks.pop(key, None)

    def __enter__(self) -> HookHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.detach()


@hinted
def split_data(
    data: NDArray, num_slice: int, batch_axis: int = 0, even_split: bool = True
) -> list[NDArray]:
    """Split a batch into `num_slice` slices.

    Parameters
    ----------
    data : NDArray of shape (batch, ...) and any dtype
    num_slice : int
    batch_axis : int, default 0
    even_split : bool, default True
        Whether to raise an error for slices of different lengths.

    Returns
    -------
    list of NDArray of the same dtype
        Of shape (batch / num_slice, ...), the batch axis being the first.

    Raises
    ------
    ArgumentError
        If the batch does not divide evenly and `even_split` is True, or `num_slice` is below 1.

    Examples
    --------
    >>> from gluon import nd, utils
    >>> [part.shape for part in utils.split_data(nd.ones((5, 2)), 2, even_split=False)]
    [(3, 2), (2, 2)]
    """
    if num_slice < 1:
        raise ArgumentError(f"split_data: num_slice must be at least 1, got {num_slice}")
    size = data.shape[batch_axis]
    step, extra = divmod(size, num_slice)
    if even_split and extra:
        raise ArgumentError(
            f"split_data: {size} samples of data of shape {data.shape} do not divide into"
            f" {num_slice} slices; take a batch size that is a multiple of {num_slice}, or"
            " even_split=False"
        )
    bounds = [k * step + min(k, extra) for k in range(num_slice + 1)]
    if batch_axis == 0:
        return [data[start:stop] for start, stop in pairwise(bounds)]
    return [
        nd.slice_axis(data, axis=batch_axis, begin=start, end=stop)
        for start, stop in pairwise(bounds)
    ]


@hinted
def split_and_load(
    data: Any, ctx_list: Sequence[Context], batch_axis: int = 0, even_split: bool = True
) -> list[NDArray]:
    """Split a batch into one slice per context.

    Parameters
    ----------
    data : NDArray or array-like, of shape (batch, ...) and any dtype
    ctx_list : list of Context
    batch_axis : int, default 0
    even_split : bool, default True
        Whether to raise an error for slices of different lengths.

    Returns
    -------
    list of NDArray of the same dtype
        Of shape (batch / contexts, ...), the batch axis being the first.

    Raises
    ------
    ArgumentError
        If the batch cannot be split like this, or there is no context.

    Examples
    --------
    >>> from gluon import cpu, nd, utils
    >>> [part.context for part in utils.split_and_load(nd.ones((4, 2)), [cpu(0), cpu(1)])]
    [cpu(0), cpu(1)]
    """
    if isinstance(ctx_list, Context):
        raise DTypeError(f"split_and_load: ctx_list is a list of contexts; give [{ctx_list}]")
    if not isinstance(data, NDArray):
        data = nd.array(data, ctx=ctx_list[0])
    if len(ctx_list) == 1:
        return [data.as_in_context(ctx_list[0])]
    slices = split_data(data, len(ctx_list), batch_axis, even_split)
    return [part.as_in_context(ctx) for part, ctx in zip(slices, ctx_list)]


@hinted
def clip_global_norm(
    arrays: Sequence[NDArray], max_norm: float, check_isfinite: bool = True
) -> Any:
    """Scale arrays in place so that their total norm is at most `max_norm`.

    Parameters
    ----------
    arrays : list of NDArray of any shape and floating dtype
        Gradients, for instance.
    max_norm : float
    check_isfinite : bool, default True
        Warn if the norm is infinite or NaN, and return a float; False returns an NDArray.

    Returns
    -------
    float or NDArray of shape (1,)
        The norm before scaling.

    Raises
    ------
    ArgumentError
        If there is no array.
    DTypeError
        If an argument is not an NDArray or has no floating dtype.

    Examples
    --------
    >>> from gluon import nd, utils
    >>> grad = nd.array([3, 4])
    >>> utils.clip_global_norm([grad], 1)
    5.0
    >>> grad.asnumpy().round(4)
    array([0.6, 0.8], dtype=float32)
    """
    arrays = [arrays] if isinstance(arrays, NDArray) else list(arrays)
    _check_gradients("clip_global_norm", arrays)
    norm = math.sqrt(sum(_square(_stored(one).ravel()) for one in arrays))
    if check_isfinite and not math.isfinite(norm):
        warnings.warn(
            f"clip_global_norm: the norm is {norm}; the gradients hold NaN or inf, and clipping"
            " does not mend them",
            stacklevel=2,
        )
    scale = max_norm / (norm + 1e-8)
    if not scale >= 1:
        with np.errstate(invalid="ignore"):
            for one in arrays:
                if one._is_sparse:
                    one.raw = one.held.with_data(one.held.data * one.dtype(scale))
                else:
                    writable(one)[...] *= scale
    return norm if check_isfinite else nd.array([norm], ctx=arrays[0].context)


@hinted
def clip_by_value(arrays: Sequence[NDArray], max_value: float) -> None:
    """Limit the values of arrays in place to those from ``-max_value`` to ``max_value``.

    Parameters
    ----------
    arrays : list of NDArray of any shape and floating dtype
        Gradients, for instance.
    max_value : float

    Raises
    ------
    ArgumentError
        If there is no array, or `max_value` is negative.
    DTypeError
        If an argument is not an NDArray or has no floating dtype.

    Examples
    --------
    >>> from gluon import nd, utils
    >>> grad = nd.array([3, -0.5, -4])
    >>> utils.clip_by_value([grad], 1)
    >>> grad.asnumpy()
    array([ 1. , -0.5, -1. ], dtype=float32)
    """
    arrays = list(arrays)
    _check_gradients("clip_by_value", arrays)
    if not max_value >= 0:
        raise ArgumentError(f"clip_by_value: max_value={max_value} must not be negative")
    for one in arrays:
        if one._is_sparse:
            one.raw = one.held.with_data(np.clip(one.held.data, -max_value, max_value))
            continue
        raw = writable(one)
        np.clip(raw, -max_value, max_value, out=raw)


def _check_gradients(name: str, arrays: list) -> None:
    if not arrays:
        raise ArgumentError(f"{name}: give at least one array")
    for one in arrays:
        if not isinstance(one, NDArray) or one.form.dtype.kind in "iub":
            kind = "str" if isinstance(one, str) else type(one).__name__
            kind = one.form.dtype.name if isinstance(one, NDArray) else kind
            raise DTypeError(
                f"{name} takes NDArrays of floating dtype, and got {kind}; of a network, pass"
                " [p.grad() for p in net.collect_params().values() if p.grad_req != 'null']"
            )


def _stored(array: NDArray) -> np.ndarray:
    """Return the values of an array, but for the zeros that a sparse one does not store."""
    return array.held.data if array._is_sparse else array.raw


def _square(flat: np.ndarray) -> float:
    """Return the sum of squares, at least in float32."""
    flat = flat.astype(np.float32) if flat.itemsize < 4 else flat
    return float(np.dot(flat, flat))


def shape_is_known(shape: Iterable[int] | None) -> bool:
    """Whether all lengths of a shape are known.

    Parameters
    ----------
    shape : tuple of int or None
        0 and -1 are unknown lengths; None and () are unknown shapes.

    Returns
    -------
    bool

    Examples
    --------
    >>> from gluon.utils import shape_is_known
    >>> shape_is_known((2, 3)), shape_is_known((2, 0)), shape_is_known(None)
    (True, False, False)
    """
    lengths = tuple(shape or ())
    return bool(lengths) and all(n > 0 for n in lengths)


# ------------------------------------------------------------------------------------ files


def check_sha1(filename: str, sha1_hash: str) -> bool:
    """Whether a file has a given SHA-1.

    Parameters
    ----------
    filename : str
    sha1_hash : str
        40 hexadecimal digits in lower case.

    Returns
    -------
    bool

    Raises
    ------
    FileNotFoundError
        If the file does not exist.

    Examples
    --------
    >>> import hashlib, tempfile
    >>> from gluon import utils
    >>> path = f"{tempfile.mkdtemp()}/a.txt"
    >>> with open(path, "w") as file:
    ...     _ = file.write("content")
    >>> right = hashlib.sha1(b"content").hexdigest()
    >>> utils.check_sha1(path, right), utils.check_sha1(path, 40 * "0")
    (True, False)
    """
    import hashlib

    with open(filename, "rb") as file:
        digest = hashlib.sha1(usedforsecurity=False)
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest() == sha1_hash


def replace_file(src: str, dst: str) -> None:
    """Move the file `src` to `dst`, atomically, replacing an existing file.

    Parameters
    ----------
    src, dst : str
        On the same file system.

    Raises
    ------
    OSError
        If it cannot be moved.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import utils
    >>> folder = tempfile.mkdtemp()
    >>> open(f"{folder}/new", "w").close()
    >>> utils.replace_file(f"{folder}/new", f"{folder}/old")
    >>> os.listdir(folder)
    ['old']
    """
    os.replace(src, dst)


@hinted
def download(
    url: str,
    path: str | None = None,
    overwrite: bool = False,
    sha1_hash: str | None = None,
    retries: int = 5,
    verify_ssl: bool = True,
) -> str:
    """Download a file, unless it exists.

    Parameters
    ----------
    url : str
    path : str, optional
        The file to write, or the folder for a file named like the end of `url`; the current
        folder by default.
    overwrite : bool, default False
        Download the file even if it exists.
    sha1_hash : str, optional
        The SHA-1 that the file must have, in 40 hexadecimal digits. An existing file with another
        SHA-1 is downloaded again.
    retries : int, default 5
        The number of retries.
    verify_ssl : bool, default True
        Whether to verify the server's certificate.

    Returns
    -------
    str
        The path of the file.

    Raises
    ------
    DownloadError
        If the file cannot be downloaded, for instance without a network; the message says where to
        put the file instead.
    ArgumentError
        If `retries` is negative, or neither `url` nor `path` names a file.

    Examples
    --------
    >>> import os, pathlib, tempfile
    >>> from gluon import utils
    >>> folder = tempfile.mkdtemp()
    >>> _ = pathlib.Path(folder, "a.txt").write_text("content")
    >>> path = utils.download(pathlib.Path(folder, "a.txt").as_uri(), f"{folder}/b.txt")
    >>> pathlib.Path(path).read_text()
    'content'
    """
    target = _target(url, path)
    if retries < 0:
        raise ArgumentError(f"download: retries must be at least 0, got {retries}")
    there = os.path.exists(target) and not overwrite
    if there and (not sha1_hash or check_sha1(target, sha1_hash)):
        return target
    if not verify_ssl:
        warnings.warn(
            f"download: verify_ssl=False, so the server of {url} is not authenticated", stacklevel=2
        )
    os.makedirs(os.path.dirname(os.path.abspath(target)), exist_ok=True)
    for _ in range(retries + 1):
        try:
            _fetch(url, target, sha1_hash, verify_ssl)
            return target
        except (OSError, ValueError) as error:
            reason = error
    raise DownloadError(
        f"download: cannot fetch {url} ({reason}). Get the file in another way, put it at"
        f" {os.path.abspath(target)}"
        + (f" (its SHA-1 must be {sha1_hash})" if sha1_hash else "")
        + " and run this again"
    ) from None


def _target(url: str, path: str | None) -> str:
    """Return the path that `download` writes."""
    name = url.split("/")[-1]
    target = name if path is None else os.path.expanduser(path)
    if path is not None and os.path.isdir(target):
        target = os.path.join(target, name) if name else ""
    if not target:
        raise ArgumentError(f"download: {url!r} names no file; pass path=, the file to write")
    return target


def _copy(source: Any, file: Any, size: int) -> None:
    """Copy a stream, with a progress bar if it is large."""
    if size < SHOWN_FROM:
        import shutil

        shutil.copyfileobj(source, file)
        return
    options = {"unit_scale": True, "unit_divisor": 1024}
    with bar(size, os.path.basename(file.name).rpartition(".")[0], "B", **options) as shown:
        while block := source.read(1 << 18):
            file.write(block)
            shown.update(len(block))


def _fetch(url: str, target: str, sha1_hash: str | None, verify_ssl: bool) -> None:
    """Download `url` to `target`, completely or not at all."""
    import ssl
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import urlopen
    from uuid import uuid4

    context = None if verify_ssl else ssl._create_unverified_context()
    temporary = f"{target}.{uuid4().hex}"
    try:
        with urlopen(url, timeout=30, context=context) as source, open(temporary, "wb") as file:
            promised = source.headers.get("Content-Length")
            _copy(source, file, int(promised or 0))
        got = os.path.getsize(temporary)
        if promised is not None and int(promised) != got:
            raise OSError(f"received {got} of {promised} bytes")
        if sha1_hash and not check_sha1(temporary, sha1_hash):
            raise OSError("the downloaded file has another SHA-1")
        replace_file(temporary, target)
    except HTTPError as answer:
        answer.close()
        raise
    except HTTPException as error:
        raise OSError(repr(error)) from error
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


if not TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = hinting(__name__, __all__)
