"""Distributed stores over MPI: ``'dist_sync'`` and ``'horovod'``."""

from __future__ import annotations

import os
import shlex
import sys
from typing import Any

import numpy as np

from .. import distributed
from .._core.engine.array import wrap
from .._core.errors import ArgumentError
from .._core.kernels import collective
from .._core.kernels.memory import on_host
from .._core.mpi import groups as mpi
from ..distributed.collective import naming
from ..nd import NDArray
from .base import KVStoreBase
from .local import KVStore

#: MXNet's names of synchronous stores; a server on a device makes no difference here.
SYNCHRONOUS = ("dist", "dist_sync", "dist_device_sync", "dist_sync_device")


def _of(key: Any) -> Any:
    """Let processes agree on the key in the operations inside."""
    return mpi.called(f" of the key {key!r}" if isinstance(key, str) else f" of the key {key}")


class DistributedKVStore(KVStore):
    """Key-value store with a copy on every process; pushed values are summed.

    All processes must make the same calls in the same order, with the same keys; the keys of one
    call may be in any order. With an optimizer each process updates its copy by the sum, which
    keeps the copies equal.

    Examples
    --------
    >>> from gluon import kvstore, nd
    >>> store = kvstore.create("dist_sync")  # one process
    >>> store.init("w", nd.ones((2,)))
    >>> store.push("w", nd.array([1, 2]))
    >>> out = nd.zeros((2,))
    >>> store.pull("w", out=out)
    >>> out.asnumpy(), store.rank, store.num_workers
    (array([1., 2.], dtype=float32), 0, 1)
    """

    def __init__(self, name: str = "dist_sync") -> None:
        super().__init__(name)
        self._compression: Compression | None = None

    @property
    def rank(self) -> int:
        """The rank of this process."""
        return distributed.get_rank()

    @property
    def num_workers(self) -> int:
        """The number of processes."""
        return distributed.get_size()

    def init(self, key: Any, value: Any) -> None:
        """Initialize a key with the value of rank 0.

        Parameters
        ----------
        key : int, str or list
        value : NDArray or list of NDArray, of any shape and dtype

        Raises
        ------
        ArgumentError
            If the key already has a value, or existing keys have the other type.
        DTypeError
            If the value is not an NDArray.
        """
        super().init(key, value)
        for one in sorted(key) if isinstance(key, (list, tuple)) else [key]:
            with _of(one):
                self._share(self._values[one])

    def _share(self, array: NDArray) -> None:
        """Write the values of rank 0 to `array` on all processes."""
        full = array.tostype("default") if array._is_sparse else array
        distributed.broadcast_(full)
        if full is not array:
            array[:] = full

    def _across(self, totals: dict[Any, NDArray]) -> dict[Any, NDArray]:
        """Sum the totals of all processes, in the order of the keys, which all of them have."""
        keys = sorted(totals)
        if self._compression is not None:
            sums = [self._compression.summed(key, totals[key].raw) for key in keys]
        else:
            sums = distributed.sums([totals[key].raw for key in keys], keys, "keys")
        summed = dict(zip(keys, sums))
        dense = {key: wrap(NDArray, summed[key], x._ctx) for key, x in totals.items()}
        return {
            key: dense[key].tostype(x.stype) if x._is_sparse else dense[key]
            for key, x in totals.items()
        }

    def set_gradient_compression(self, compression_params: dict[str, Any]) -> None:
        """Compress pushed values to 2 bits or half precision per number.

        With ``'2bit'`` a process sends -threshold, 0 or threshold for each number, and adds the
        remainder to its next push.

        Parameters
        ----------
        compression_params : dict
            ``{"type": "2bit", "threshold": 0.5}`` or ``{"type": "fp16"}``.

        Raises
        ------
        ArgumentError
            If the type is unknown, or the threshold is not positive.

        Examples
        --------
        >>> from gluon import kvstore, nd
        >>> store = kvstore.create("dist_sync")
        >>> store.set_gradient_compression({"type": "2bit", "threshold": 0.5})
        >>> store.init("w", nd.zeros((3,)))
        >>> x = nd.array([0.2, 0.7, -3.0])
        >>> store.pushpull("w", x)
        >>> x.asnumpy()
        array([ 0. ,  0.5, -0.5], dtype=float32)
        """
        self._compression = Compression(**compression_params)

    def _barrier(self) -> None:
        """Wait for the other workers."""
        distributed.barrier()


class Compression:
    """How a `DistributedKVStore` sends pushed values.

    Parameters
    ----------
    type : {'2bit', 'fp16'}
    threshold : float, default 0.5
        The magnitude that ``'2bit'`` sends.

    Raises
    ------
    ArgumentError
        If the type is unknown, or the threshold is not positive.

    Examples
    --------
    >>> import numpy
    >>> from gluon.kvstore.distributed import Compression
    >>> half = Compression("2bit")
    >>> x = numpy.array([0.3])
    >>> [half.summed("w", x).item() for _ in range(4)]  # what is left is sent later
    [0.0, 0.5, 0.0, 0.5]
    """

    def __init__(self, type: str, threshold: float = 0.5) -> None:
        if type not in ("2bit", "fp16"):
            raise ArgumentError(f"compression type={type!r}; use '2bit' or 'fp16'")
        if not float(threshold) > 0:
            raise ArgumentError(f"compression threshold={threshold!r}; give a positive number")
        self._sum = self._of_bits if type == "2bit" else _of_halves
        self._threshold, self._left = float(threshold), dict[Any, np.ndarray]()

    def summed(self, key: Any, x: np.ndarray) -> np.ndarray:
        """The sum over all processes of what each sends of its `x`."""
        with naming("KVStore.push"), _of(key):
            return self._sum(key, on_host(x))

    def _of_bits(self, key: Any, x: np.ndarray) -> np.ndarray:
        left = self._left.setdefault(key, np.zeros_like(x))
        left += x
        codes = (left >= self._threshold) + 2 * (left <= -self._threshold).astype(np.uint8)
        left -= _signs(codes, x.dtype) * x.dtype.type(self._threshold)
        places = np.zeros((-(-x.size // 4), 4), np.uint8)
        places.reshape(-1)[: x.size] = codes.reshape(-1)
        packed = (places << np.arange(0, 8, 2, dtype=np.uint8)).sum(1, dtype=np.uint8)
        gathered = collective.allgather(packed[None])
        unpacked = gathered[:, :, None] >> np.arange(0, 8, 2, dtype=np.uint8) & 3
        signs = _signs(unpacked, x.dtype).sum(0).reshape(-1)[: x.size]
        return signs.reshape(x.shape) * x.dtype.type(self._threshold)


def _signs(codes: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return 1, 0 and -1 for the codes 1, 0 and 2."""
    return (codes == 1).astype(dtype) - (codes == 2).astype(dtype)


def _of_halves(_: Any, x: np.ndarray) -> np.ndarray:
    """Each process sums one part in float32; parts and sums are sent in half precision."""
    size = collective.place(None)[1]
    padded = np.zeros((size, -(-x.size // size)), np.float16)
    padded.reshape(-1)[: x.size] = x.reshape(-1)
    ones = (1,) * size
    parts = collective.alltoall(padded, given=ones, gotten=ones)
    mine = parts.sum(0, dtype=np.float32).astype(np.float16)
    return collective.allgather(mine).reshape(-1)[: x.size].reshape(x.shape).astype(x.dtype)


class Horovod(KVStoreBase):
    """Store without values, which broadcasts and sums over all processes.

    Examples
    --------
    >>> from gluon import kvstore, nd
    >>> store = kvstore.create("horovod")
    >>> grad = nd.ones((2,))
    >>> store.pushpull("w", grad)
    >>> grad.asnumpy(), store.is_capable("optimizer")
    (array([1., 1.], dtype=float32), False)
    """

    @property
    def rank(self) -> int:
        """The rank of this process."""
        return distributed.get_rank()

    @property
    def num_workers(self) -> int:
        """The number of processes."""
        return distributed.get_size()

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Write the value of rank 0 to `out` on all processes.

        Parameters
        ----------
        key : int or str
        value : NDArray, of any shape and dtype
        out : NDArray or list of NDArray, of the shape of the value
        priority : int, default 0
            Ignored.
        """
        with _of(key):
            found = distributed.broadcast(value.detach())
        for one in out if isinstance(out, (list, tuple)) else [out]:
            one[:] = found

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Write the sum of all values of all processes to `out`, by default to the values.

        Parameters
        ----------
        key : int or str
        value : NDArray or list of NDArray, of any shape and dtype
        out : NDArray or list of NDArray, optional, of the shape of the value
        priority : int, default 0
            Ignored.
        """
        values = value if isinstance(value, (list, tuple)) else [value]
        total = values[0].detach().copy()
        for other in values[1:]:
            total += other
        with _of(key):
            distributed.allreduce_(total)
        out = values if out is None else out
        for one in out if isinstance(out, (list, tuple)) else [out]:
            one[:] = total


def find(name: str) -> Any:
    """The store of a name that means several processes.

    Raises
    ------
    ArgumentError
        If the store is not supported, or MXNet's launcher started the program.
    """
    if "DMLC_ROLE" in os.environ:
        count = os.environ.get("DMLC_NUM_WORKER", "4")
        raise ArgumentError(
            f"kvstore {name!r}: DMLC_ROLE is set, as by tools/launch.py, which starts parameter"
            f" servers; gluon has none. Start the program by: mpiexec -n {count}"
            f" {shlex.join(sys.orig_argv)}"
        )
    if name in SYNCHRONOUS:
        return DistributedKVStore(name)
    if name == "horovod":
        return Horovod()
    why = "there is no such store"
    if name == "byteps":
        why = "BytePS is not supported"
    elif "async" in name or name.startswith("p3"):
        why = "its workers do not wait for each other, which needs parameter servers"
    raise ArgumentError(
        f"kvstore {name!r} is not supported: {why}. Use 'dist_sync', and start the program by:"
        " mpiexec -n 4 python ..."
    )
