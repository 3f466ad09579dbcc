"""`KVStoreBase`: the interface of key-value stores for a `Trainer`."""

from __future__ import annotations

from typing import Any, TypeVar

from .._core.errors import DTypeError

K = TypeVar("K", bound="type[KVStoreBase]")


class KVStoreBase:
    """Base of key-value stores, for custom stores too.

    A subclass defines `broadcast`, `pushpull` and `is_capable`; `register` makes it available to
    `create` and `Trainer` by name.

    Examples
    --------
    >>> from gluon import kvstore, nd
    >>> @kvstore.KVStoreBase.register
    ... class Doubling(kvstore.KVStoreBase):
    ...     def broadcast(self, key, value, out, priority=0):
    ...         for one in out:
    ...             one[:] = value
    ...     def pushpull(self, key, value, out=None, priority=0):
    ...         total = 2 * sum(value)
    ...         for one in out or value:
    ...             one[:] = total
    >>> grads = [nd.ones((2,)), nd.ones((2,))]
    >>> kvstore.create("doubling").pushpull(0, grads)
    >>> grads[1].asnumpy()
    array([4., 4.], dtype=float32)
    """

    #: The capability asked of `is_capable`: whether the store updates weights itself.
    OPTIMIZER = "optimizer"
    #: Custom stores, by the lower-case names that `create` takes.
    kv_registry: dict[str, type[KVStoreBase]] = {}  # noqa: RUF012  (one table for all)

    @staticmethod
    def register(klass: K) -> K:
        """Class decorator that registers a store for `create` under the name of its class.

        Parameters
        ----------
        klass : subclass of KVStoreBase

        Returns
        -------
        type
            `klass` itself.

        Raises
        ------
        DTypeError
            If it is not a class.
        """
        if not isinstance(klass, type):
            raise DTypeError(f"KVStoreBase.register takes a class, not {klass!r}")
        KVStoreBase.kv_registry[klass.__name__.lower()] = klass
        return klass

    def _undefined(self, method: str) -> NotImplementedError:
        return NotImplementedError(f"{type(self).__name__} must define {method}")

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Broadcast the initial value of a key to all workers.

        Parameters
        ----------
        key : int or str
        value : NDArray, of any shape and dtype
        out : NDArray or list of NDArray, of the shape of the value
            The arrays to write to.
        priority : int, default 0

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise self._undefined("broadcast")

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Sum values over all workers and return the sum to each.

        Parameters
        ----------
        key : int or str
        value : NDArray or list of NDArray, of any shape and dtype
        out : NDArray or list of NDArray, optional, of the shape of the value
            The arrays to write the sum to; `value` by default.
        priority : int, default 0

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise self._undefined("pushpull")

    def set_optimizer(self, optimizer: Any) -> None:
        """Update the values with an optimizer, for stores that are capable of it.

        Parameters
        ----------
        optimizer : Optimizer

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.

        Examples
        --------
        >>> from gluon import kvstore, nd, optimizer
        >>> store = kvstore.create("local")
        >>> store.set_optimizer(optimizer.SGD(learning_rate=0.5))
        >>> store.init("w", nd.ones((2,)))
        >>> store.push("w", nd.array([1, 2]))
        >>> out = nd.zeros((2,))
        >>> store.pull("w", out=out)
        >>> out.asnumpy()
        array([0.5, 0. ], dtype=float32)
        """
        raise self._undefined("set_optimizer")

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Whether the store can do something, such as ``'optimizer'``; by default nothing.

        Parameters
        ----------
        capability : str

        Returns
        -------
        bool

        Examples
        --------
        >>> from gluon import kvstore
        >>> [one.is_capable("optimizer") for one in (kvstore.KVStoreBase, kvstore.KVStore)]
        [False, True]
        """
        return False

    def save_optimizer_states(self, fname: str, dump_optimizer: bool = False) -> None:
        """Save the states of the optimizer, for stores that have one.

        Parameters
        ----------
        fname : str
        dump_optimizer : bool, default False
            Save the optimizer too.

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.

        Examples
        --------
        >>> import os, tempfile
        >>> from gluon import kvstore, optimizer
        >>> store = kvstore.create("local")
        >>> store.set_optimizer(optimizer.Adam())
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     store.save_optimizer_states(f"{folder}/adam.states")
        ...     os.listdir(folder)
        ['adam.states']
        """
        raise self._undefined("save_optimizer_states")

    def load_optimizer_states(self, fname: str) -> None:
        """Load the states of the optimizer, for stores that have one.

        Parameters
        ----------
        fname : str
            A file of `save_optimizer_states`, or MXNet's; nothing in it is run.

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import kvstore, optimizer
        >>> store = kvstore.create("local")
        >>> store.set_optimizer(optimizer.Adam())
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     store.save_optimizer_states(f"{folder}/adam.states")
        ...     store.load_optimizer_states(f"{folder}/adam.states")
        """
        raise self._undefined("load_optimizer_states")

    @property
    def type(self) -> str:
        """The name of the store."""
        return type(self).__name__.lower()

    @property
    def rank(self) -> int:
        """The rank of this worker: 0."""
        return 0

    @property
    def num_workers(self) -> int:
        """The number of workers: 1."""
        return 1
