"""`Monitor`: statistics of the outputs and parameters of networks."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from numbers import Integral
from typing import TYPE_CHECKING, Any

from . import nd
from ._core.errors import DTypeError, a_type
from ._core.hints.called import Called
from ._core.hints.lookup import compiled, hinting
from .block import Block
from .block.watch import arrays
from .nd import NDArray
from .symbol.executor import Executor

__all__ = ["Monitor"]

Row = tuple[int, str, str]


class Monitor(Called):
    """Collects a statistic of each output, parameter and gradient of networks.

    The outputs of a block are called ``<name of the block>_output``, the inputs ``<name>_input``,
    the parameters as they are, and their gradients ``<name>_grad``. For a module it monitors the
    outputs of all operators, the arguments and the auxiliary states.

    Parameters
    ----------
    interval : int
        Collect every this many batches.
    stat_func : callable, optional
        The statistic: it takes an NDArray and returns one, or a list. By default the root mean
        square, ``norm(x) / sqrt(x.size)``.
    pattern : str, default '.*'
        A regular expression that a name must match from its start.
    sort : bool, default False
        Whether to sort rows by name.
    monitor_all : bool, default False
        Whether to monitor the inputs of blocks and operators too.

    Raises
    ------
    DTypeError
        If `interval` is not an integer above 0.

    Examples
    --------
    >>> from gluon import monitor, nd, nn
    >>> net = nn.Dense(1, weight_initializer="ones", prefix="layer_")
    >>> net.initialize()
    >>> watch = monitor.Monitor(interval=1, pattern=".*output|.*weight$")
    >>> watch.install(net)
    >>> watch.tic()
    >>> y = net(nd.array([[3, 4]]))
    >>> watch.toc()
    [(1, 'layer_output', '7.0'), (1, 'layer_weight', '1.0')]
    """

    activated: bool
    interval: int
    monitor_all: bool
    re_prog: Any
    sort: bool
    stat_func: Any
    step: int

    def __init__(
        self,
        interval: int,
        stat_func: Callable[[NDArray], Any] | None = None,
        pattern: str = ".*",
        sort: bool = False,
        monitor_all: bool = False,
    ) -> None:
        if not isinstance(interval, Integral) or interval < 1:
            raise DTypeError(f"Monitor: interval={interval!r}; pass an integer, at least 1")
        self.interval, self.stat_func = interval, stat_func or _root_mean_square
        self.re_prog, self.sort, self.monitor_all = (
            compiled("Monitor", "pattern", pattern),
            sort,
            monitor_all,
        )
        self.activated, self.step = False, 0
        self.queue: list[tuple[int, str, Any]] = []
        self.exes: list[Any] = []

    def install(self, exe: Any) -> None:
        """Install the monitor on a block and its children, or on an executor.

        Parameters
        ----------
        exe : Block or Executor
            For a `Module`, call its ``install_monitor`` with the monitor.

        Raises
        ------
        DTypeError
            If it is neither of these.
        """
        if isinstance(exe, Block):
            exe.apply(lambda block: block.register_forward_hook(self._told))
        elif isinstance(exe, Executor):
            exe.set_monitor_callback(self._computed, self.monitor_all)
        else:
            raise DTypeError(
                f"Monitor.install takes a Block or an Executor, not {a_type(exe)}; a"
                " module has install_monitor"
            )
        self.exes.append(exe)

    def tic(self) -> None:
        """Start a batch; the monitor collects statistics every `interval` batches."""
        if self.step % self.interval == 0:
            self.queue, self.activated = [], True
        self.step += 1

    def toc(self) -> list[Row]:
        """End a batch and return the collected statistics.

        Returns
        -------
        list of (int, str, str)
            The number of the batch from 1, the name, and the statistic.
        """
        if not self.activated:
            return []
        for one in self.exes:
            for name, array in _arrays_of(one):
                self._look(name, array)
        self.activated = False
        rows = sorted(self.queue, key=lambda row: row[1]) if self.sort else self.queue
        self.queue = []
        return [(step, name, _text(found)) for step, name, found in rows]

    def toc_print(self) -> None:
        """End a batch and log the collected statistics at the level INFO.

        Examples
        --------
        >>> import logging
        >>> from gluon import monitor, nd, nn
        >>> watch = monitor.Monitor(1, pattern=".*weight")
        >>> net = nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> watch.install(net)
        >>> watch.tic()
        >>> result = net(nd.ones((1, 3)))
        >>> watch.toc_print()  # for each array a line such as "Batch: 1 dense0_weight 0.035"
        """
        for step, name, text in self.toc():
            logging.info("Batch: %7d %-30s %s", step, name, text)

    def _computed(self, name: str, array: NDArray) -> None:
        if self.activated:
            self._look(name, array)

    def _told(self, block: Block, inputs: Any, outputs: Any) -> None:
        if self.activated:
            name = block.name
            if self.monitor_all:
                self._look_at_all(f"{name}_input", inputs)
            self._look_at_all(f"{name}_output", [outputs])

    def _look_at_all(self, name: str, values: Any) -> None:
        found = list(arrays(values))
        for k, one in enumerate(found):
            self._look(f"{name}{k}" if len(found) > 1 else name, one)

    def _look(self, name: str, array: NDArray) -> None:
        if self.re_prog.match(name):
            self.queue.append((self.step, name, self.stat_func(array.detach())))


def _arrays_of(network: Any) -> Iterator[tuple[str, NDArray]]:
    """Yield the parameters of a block and their gradients, or the variables of an executor."""
    if isinstance(network, Executor):
        yield from network.arg_dict.items()
        yield from network.aux_dict.items()
        return
    for name, parameter in network.collect_params().items():
        if parameter._data is None:
            continue
        yield name, parameter.data()
        if parameter.grad_req != "null":
            yield f"{name}_grad", parameter.grad()


def _root_mean_square(x: NDArray) -> NDArray:
    return nd.norm(x) / x.size**0.5


def _text(found: Any) -> str:
    values = found if isinstance(found, (list, tuple)) else [found]
    return "\t".join(
        str(one.asscalar() if one.shape == (1,) else one.asnumpy())
        if isinstance(one, NDArray)
        else str(one)
        for one in values
    )


if not TYPE_CHECKING:  # where a wrong name is to be reported
    __getattr__ = hinting(__name__, __all__)
