"""`KVStore`: a key-value store in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .. import autograd
from .._core.arrays.base import fitting
from .._core.arrays.storage import seat
from .._core.engine.array import wrap
from .._core.engine.inplace import writable
from .._core.errors import ArgumentError, DTypeError, GluonError, IndexRangeError, a_type
from .._core.faces.files import opened
from .._core.kernels.memory import Buffer, on_host
from ..nd import NDArray
from ..nd.sparse._array import rows_of
from ..optimizer import Optimizer, Updater, get_updater
from .base import KVStoreBase

#: The names of stores in this process; all are equivalent, because its devices share memory.
LOCAL = (
    *("local", "local_update_cpu", "local_allreduce_cpu"),
    *("device", "local_allreduce_device", "nccl"),
)


class KVStore(KVStoreBase):
    """Key-value store in this process, for several devices.

    Keys are numbers or strings, not both. Every method that takes a key takes a list of keys too,
    with a list of values. Create one with `create`.

    Parameters
    ----------
    name : str, default 'local'
        The value of `type`.

    Examples
    --------
    >>> from gluon import kvstore, nd
    >>> store = kvstore.create("local")
    >>> store.init("w", nd.ones((2,)))
    >>> store.push("w", [nd.array([1, 2]), nd.array([3, 4])])
    >>> out = nd.zeros((2,))
    >>> store.pull("w", out=out)
    >>> out.asnumpy()
    array([4., 6.], dtype=float32)
    """

    def __init__(self, name: str = "local") -> None:
        self._type = name
        self._values: dict[Any, NDArray] = {}
        self._updater: Callable[[Any, NDArray, NDArray], None] | None = None

    def __repr__(self) -> str:
        return f"KVStore({self._type!r})"

    @property
    def type(self) -> str:
        """The name that the store was created by."""
        return self._type

    # ------------------------------------------------------------------------------- values

    def init(self, key: Any, value: Any) -> None:
        """Initialize a key with a copy of a value.

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
        for one, (array,) in _paired("init", key, value, single=True):
            if one in self._values:
                raise ArgumentError(
                    f"KVStore.init: the key {one!r} has a value already; push(key,"
                    " value) changes it"
                )
            known = next(iter(self._values), one)
            if isinstance(known, str) != isinstance(one, str):
                raise ArgumentError(
                    f"KVStore.init: the key {one!r} is {a_type(one)}, others such as"
                    f" {known!r} are not; use one type for all"
                )
            self._values[one] = seat(array.held.copy(), array._ctx)

    def _hold(self, key: Any, value: NDArray) -> None:
        """Store `value` itself, not a copy."""
        self._values[key] = value

    def _get(self, method: str, key: Any) -> NDArray:
        if key not in self._values:
            raise ArgumentError(f"KVStore.{method}: the key {key!r} has no value yet; call init()")
        return self._values[key]

    def push(self, key: Any, value: Any, priority: int = 0) -> None:
        """Replace the value of a key by the sum of arrays, or update it with that sum.

        Parameters
        ----------
        key : int, str or list
        value : NDArray, list of NDArray, or list of lists, of any shape and dtype
            Several arrays for one key are summed.
        priority : int, default 0
            Ignored.

        Raises
        ------
        ArgumentError
            If the key has no value yet, or the shape or dtype of an array differs from it.
        """
        merged: dict[Any, list[NDArray]] = {}
        for one, arrays in _paired("push", key, value):
            for array in arrays:
                _check("push", one, self._get("push", one), array)
            merged.setdefault(one, []).extend(arrays)
        keep = self._updater is None
        for one, arrays in merged.items():
            if isinstance(arrays[0].form, Buffer):  # what is computed on a GPU is stored there
                self._values[one] = self._values[one].as_in_context(arrays[0].context)
        totals = {key: _sum(arrays, self._values[key], keep) for key, arrays in merged.items()}
        totals = self._across(totals)
        if self._updater is None:
            self._values.update(totals)
        elif type(self._updater) is Updater:  # custom updaters may not accept lists
            values = [self._values[key] for key in totals]
            self._updater(list(totals), list(totals.values()), values)
        else:
            for key, total in totals.items():
                self._updater(key, total, self._values[key])

    def _share(self, array: NDArray) -> None:
        """Write the values of rank 0 to `array` on all processes; here there is only one."""

    def _across(self, totals: dict[Any, NDArray]) -> dict[Any, NDArray]:
        """Return the sums over all processes; here there is only one."""
        return totals

    def pull(
        self, key: Any, out: Any = None, priority: int = 0, ignore_sparse: bool = True
    ) -> None:
        """Copy the value of a key into arrays.

        Parameters
        ----------
        key : int, str or list
        out : NDArray, list of NDArray, or list of lists, of the shape of the value, of any dtype
        priority : int, default 0
            Ignored.
        ignore_sparse : bool, default True
            Whether arrays that are stored sparsely are left as they are; see `row_sparse_pull`.

        Raises
        ------
        ArgumentError
            If the key has no value yet, or `out` is missing or has another shape.
        """
        for stored, array in self._outs("pull", key, out):
            # A trainer's weights are the arrays in the store.
            if stored is not array and not (ignore_sparse and array._is_sparse):
                _write(array, stored)

    def _outs(self, method: str, key: Any, out: Any) -> list[tuple[NDArray, NDArray]]:
        """Return pairs of a value and an array to write it to."""
        if out is None:
            raise ArgumentError(f"KVStore.{method}: give out, the arrays to copy into")
        pairs = [
            (self._get(method, one), array)
            for one, arrays in _paired(method, key, out)
            for array in arrays
        ]
        for stored, array in pairs:
            if array.shape != stored.shape:
                raise ArgumentError(
                    f"KVStore.{method}: the value has shape {stored.shape}, but out has"
                    f" {array.shape}"
                )
        return pairs

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """`push`, and then `pull`.

        Parameters
        ----------
        key : int, str or list
        value : NDArray, list of NDArray, or list of lists, of any shape and dtype
        out : as `value`, optional
            The arrays to write the new value to; `value` by default.
        priority : int, default 0
            Ignored.

        Raises
        ------
        ArgumentError
            If the key has no value yet, or shapes or dtypes differ.
        """
        self.push(key, value, priority)
        self.pull(key, value if out is None else out, priority, ignore_sparse=False)

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """`init`, and then `pull`.

        Parameters
        ----------
        key : int, str or list
        value : NDArray or list of NDArray, of any shape and dtype
        out : NDArray, list of NDArray, or list of lists, of the shape of the value, of any dtype
        priority : int, default 0
            Ignored.

        Raises
        ------
        ArgumentError
            If the key has a value already, or shapes differ.
        """
        self.init(key, value)
        self.pull(key, out, priority, ignore_sparse=False)

    def row_sparse_pull(
        self, key: Any, out: Any = None, priority: int = 0, row_ids: Any = None
    ) -> None:
        """Copy rows of the value of a key into arrays, the other rows of which become 0.

        Arrays stored as row_sparse then store these rows.

        Parameters
        ----------
        key : int, str or list
        out : NDArray, list of NDArray, or list of lists, of the shape of the value, of any dtype
        priority : int, default 0
            Ignored.
        row_ids : NDArray of shape (n,) and any dtype, or list of these
            The indices of the rows, for all arrays or for each.

        Raises
        ------
        ArgumentError
            If the key has no value yet, `out` or `row_ids` is missing, the numbers of `row_ids`
            and `out` differ, or `out` has another shape than the value.
        IndexRangeError
            If there is no such row.

        Examples
        --------
        >>> from gluon import kvstore, nd
        >>> store, out = kvstore.create("local"), nd.zeros((3, 2))
        >>> store.init("w", nd.arange(6).reshape((3, 2)))
        >>> store.row_sparse_pull("w", out=out, row_ids=nd.array([2, 0]))
        >>> out.asnumpy().tolist()
        [[0.0, 1.0], [0.0, 0.0], [4.0, 5.0]]
        """
        if row_ids is None:
            raise ArgumentError("KVStore.row_sparse_pull: give row_ids, or use pull")
        pairs = self._outs("row_sparse_pull", key, out)
        ids = row_ids if isinstance(row_ids, (list, tuple)) else [row_ids]
        ids = ids * len(pairs) if len(ids) == 1 else ids
        if len(ids) != len(pairs):
            raise ArgumentError(
                f"KVStore.row_sparse_pull: {len(ids)} row_ids for {len(pairs)} arrays; give one for"
                " each, or one for all"
            )
        for (stored, array), given in zip(pairs, ids):
            rows = on_host(given.raw).astype(np.int64)
            if rows.size and not 0 <= rows.min() <= rows.max() < stored.shape[0]:
                raise IndexRangeError(
                    f"KVStore.row_sparse_pull: row_ids from {rows.min()} to {rows.max()} are out of"
                    f" range (0 to {stored.shape[0] - 1})"
                )
            if array._is_sparse:
                array[:] = rows_of("KVStore.row_sparse_pull", stored.detach(), rows)
                continue
            values, buffer = stored.raw[rows], writable(array)
            buffer[...] = 0
            buffer[rows] = values

    # ---------------------------------------------------------------------------- optimizers

    def set_updater(self, updater: Callable[[Any, NDArray, NDArray], None]) -> None:
        """Set the function that updates values when arrays are pushed.

        Parameters
        ----------
        updater : callable
            ``updater(key, pushed, value)`` changes `value` in place.

        Examples
        --------
        >>> from gluon import kvstore, nd
        >>> def subtract(key, pushed, value):
        ...     value -= pushed
        >>> store = kvstore.create("local")
        >>> store.set_updater(subtract)
        >>> store.init("w", nd.ones((2,)))
        >>> store.push("w", nd.array([1, 2]))
        >>> out = nd.zeros((2,))
        >>> store.pull("w", out=out)
        >>> out.asnumpy()
        array([ 0., -1.], dtype=float32)
        """
        self._updater = updater

    _set_updater = set_updater

    def set_optimizer(self, optimizer: Optimizer) -> None:
        """Set the optimizer that updates values when gradients are pushed.

        Parameters
        ----------
        optimizer : Optimizer

        Raises
        ------
        DTypeError
            If it is not an optimizer.
        """
        if not isinstance(optimizer, Optimizer):
            raise DTypeError(
                f"KVStore.set_optimizer takes an Optimizer, not {optimizer!r}; make one with"
                " optimizer.create(name)"
            )
        self._updater = get_updater(optimizer)

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Whether the store can do something; it can update weights, ``'optimizer'``.

        Raises
        ------
        ArgumentError
            If the capability is unknown.
        """
        if capability.lower() != KVStoreBase.OPTIMIZER:
            raise ArgumentError(f"KVStore.is_capable: {capability!r} is not 'optimizer'")
        return True

    def _optimizing(self, method: str) -> Any:
        if not hasattr(self._updater, "get_states"):
            raise ArgumentError(
                f"KVStore.{method}: no optimizer is set; call set_optimizer() first"
            )
        return self._updater

    def save_optimizer_states(self, fname: str, dump_optimizer: bool = False) -> None:
        """Save the states of the optimizer to a file, and optionally the optimizer itself.

        Raises
        ------
        ArgumentError
            If there is no optimizer.
        """
        states = self._optimizing("save_optimizer_states").get_states(dump_optimizer)
        with opened("save_optimizer_states", fname, "wb") as file:
            file.write(states)

    def load_optimizer_states(self, fname: str) -> None:
        """Load states saved by `save_optimizer_states`, or by MXNet; nothing in the file is run.

        Raises
        ------
        ArgumentError
            If there is no optimizer.
        """
        updater = self._optimizing("load_optimizer_states")
        with opened("load_optimizer_states", fname) as file:
            updater.set_states(file.read())

    def set_gradient_compression(self, compression_params: dict[str, Any]) -> None:
        """Raise an error: gradients stay in this process and are not compressed.

        Parameters
        ----------
        compression_params : dict
            Ignored.

        Raises
        ------
        GluonError
            Always.

        Examples
        --------
        >>> from gluon import GluonError, kvstore
        >>> try:
        ...     kvstore.create("local").set_gradient_compression({"type": "2bit"})
        ... except GluonError:
        ...     print("nothing is sent")
        nothing is sent
        """
        raise GluonError(
            "KVStore.set_gradient_compression: gradients stay in this process and are not"
            " compressed; leave the call out"
        )

    def _barrier(self) -> None:
        """Wait for the other workers; here there are none."""


def _paired(
    method: str, key: Any, value: Any, single: bool = False
) -> Iterator[tuple[Any, list[NDArray]]]:
    """Yield each key with its arrays."""
    keys, values = ([key], [value]) if not isinstance(key, (list, tuple)) else (key, value)
    if not isinstance(values, (list, tuple)) or len(keys) != len(values):
        raise ArgumentError(
            f"KVStore.{method}: {len(keys)} keys need a list of as many values, one for each"
        )
    for one, arrays in zip(keys, values):
        if isinstance(one, bool) or not isinstance(one, (str, int, np.integer)):
            raise DTypeError(f"KVStore.{method}: a key is an int or a str, not {one!r}")
        arrays = list(arrays) if isinstance(arrays, (list, tuple)) else [arrays]
        for array in arrays:
            if not isinstance(array, NDArray):
                raise DTypeError(
                    f"KVStore.{method}: the value of {one!r} is {a_type(array)}, not an NDArray"
                )
        if not arrays or (single and len(arrays) > 1):
            raise ArgumentError(f"KVStore.{method}: {len(arrays)} values for the key {one!r}")
        yield one, arrays


def _write(array: NDArray, stored: NDArray) -> None:
    """Write the value of a key into `array`."""
    if array._is_sparse:
        array[:] = stored
    else:
        buffer = writable(array)
        buffer[...] = fitting(stored.raw, array)


def _check(method: str, key: Any, stored: NDArray, array: NDArray) -> None:
    """Raise unless `array` can be added to the value of `key`."""
    if array.shape != stored.shape or array.dtype != stored.dtype:
        raise ArgumentError(
            f"KVStore.{method}: the value of {key!r} has shape {stored.shape} and dtype"
            f" {stored.form.dtype}, but the pushed one has {array.shape} and {array.form.dtype}"
        )


def _sum(arrays: list[NDArray], like: NDArray, copy: bool = False) -> NDArray:
    """Sum `arrays` on the context of `like`; return a single array itself, unless `copy`."""
    if arrays[0]._is_sparse and all(one.stype == arrays[0].stype for one in arrays):
        with autograd.pause():
            return seat(sum(arrays[1:], start=arrays[0].copy()).held, like._ctx)
    total = arrays[0].raw
    if copy or len(arrays) > 1:
        total = total.copy()
    for one in arrays[1:]:
        total += one.as_in_context(arrays[0].context).raw
    return wrap(NDArray, total, like._ctx)
