"""Callbacks for training loops, which log metrics and save checkpoints.

After a batch they are called with an object that has ``epoch``, ``nbatch`` and ``eval_metric``,
after an epoch with its number, a symbol and the parameters. They log by `logging`, at the level
INFO.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._core.errors import ArgumentError, DTypeError, a_type
from ._core.hints.called import Called
from ._core.hints.lookup import hinting
from ._core.mpi import groups as mpi
from .nd import NDArray
from .nd.files import save

__all__ = [
    "LogValidationMetricsCallback",
    "ProgressBar",
    "Speedometer",
    "TensorBoard",
    "do_checkpoint",
    "log_train_metric",
    "module_checkpoint",
    "save_checkpoint",
]


# ------------------------------------------------------------------------------ after batches


class Speedometer(Called):
    """Logs the training speed in samples per second, and the metric.

    Parameters
    ----------
    batch_size : int
    frequent : int, default 50
        Log every this many batches.
    auto_reset : bool, default True
        Whether to reset the metric after each log, with `EvalMetric.reset_local`.

    Raises
    ------
    ArgumentError
        If `frequent` is less than 1.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from unittest import TestCase
    >>> from gluon import callback
    >>> speedometer = callback.Speedometer(batch_size=32, frequent=10)
    >>> with TestCase().assertLogs() as logged:
    ...     for nbatch in range(21):
    ...         speedometer(SimpleNamespace(epoch=0, nbatch=nbatch, eval_metric=None))
    >>> [record.args[1] for record in logged.records]  # the numbers of the batches
    [10, 20]
    """

    auto_reset: bool
    batch_size: int
    frequent: int
    init: bool
    last_count: Any
    tic: float

    def __init__(self, batch_size: int, frequent: int = 50, auto_reset: bool = True) -> None:
        if batch_size < 1:
            raise ArgumentError(f"Speedometer: batch_size must be at least 1, got {batch_size}")
        if frequent < 1:
            raise ArgumentError(f"Speedometer: frequent must be at least 1, got {frequent}")
        self.batch_size, self.frequent, self.auto_reset = batch_size, frequent, auto_reset
        self.init = False
        self.tic = 0.0
        self.last_count = 0

    def __call__(self, param: Any) -> None:
        """Log the speed every `frequent` batches.

        Parameters
        ----------
        param : object with ``epoch``, ``nbatch`` and ``eval_metric``
        """
        count, started = param.nbatch, self.init and param.nbatch >= self.last_count
        self.last_count, self.init = count, True
        if not started:
            self.tic = time.time()
        elif count % self.frequent == 0:
            elapsed = time.time() - self.tic
            speed = self.frequent * self.batch_size / elapsed if elapsed else math.inf
            self._log(param, f"Speed: {speed:.2f} samples/sec")
            self.tic = time.time()

    def _log(self, param: Any, speed: str) -> None:
        epoch, count, metric = param.epoch, param.nbatch, param.eval_metric
        if metric is None:
            logging.info("Iter[%d] Batch [%d]\t%s", epoch, count, speed)
            return
        values = "".join(f"\t{name}={value:f}" for name, value in metric.get_name_value())
        first = 0
        if self.auto_reset:
            first = count - self.frequent
            metric.reset_local()
        logging.info("Epoch[%d] Batch [%d-%d]\t%s%s", epoch, first, count, speed, values)


class ProgressBar(Called):
    """Logs a progress bar of the batches of an epoch, in the first of several processes.

    Parameters
    ----------
    total : int
        The number of batches.
    length : int, default 80
        The length of the bar, in characters.

    Raises
    ------
    ArgumentError
        If there are no batches.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from unittest import TestCase
    >>> from gluon import callback
    >>> with TestCase().assertLogs() as logged:
    ...     callback.ProgressBar(total=4, length=8)(SimpleNamespace(nbatch=1))
    >>> logged.records[0].getMessage().strip()
    '[==------] 25%'
    """

    bar_len: int
    total: int

    def __init__(self, total: int, length: int = 80) -> None:
        if total < 1:
            raise ArgumentError(f"ProgressBar: total must be at least 1, got {total}")
        self.total, self.bar_len = total, length

    def __call__(self, param: Any) -> None:
        """Log the bar.

        Parameters
        ----------
        param : object with ``nbatch``
        """
        if not mpi.is_first():
            return
        share = param.nbatch / self.total
        filled = round(self.bar_len * share)
        bar = "=" * filled + "-" * (self.bar_len - filled)
        logging.info("[%s] %s%%\r", bar, math.ceil(100 * share))


def log_train_metric(period: int, auto_reset: bool = False) -> Callable[[Any], None]:
    """Return a callback that logs the metric.

    Parameters
    ----------
    period : int
        Log every this many batches.
    auto_reset : bool, default False
        Whether to reset the metric after each log, with `EvalMetric.reset_local`.

    Returns
    -------
    callable
        Call it with an object that has ``epoch``, ``nbatch`` and ``eval_metric``.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from gluon import callback, metric
    >>> log = callback.log_train_metric(period=10)
    >>> log(SimpleNamespace(epoch=0, nbatch=10, eval_metric=metric.Accuracy()))  # at the level INFO
    """

    def log(param: Any) -> None:
        metric = param.eval_metric
        if metric is None or param.nbatch % period:
            return
        for name, value in metric.get_name_value():
            logging.info("Iter[%d] Batch[%d] Train-%s=%f", param.epoch, param.nbatch, name, value)
        if auto_reset:
            metric.reset_local()

    return log


class LogValidationMetricsCallback:
    """Logs the metric after the validation of an epoch.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from gluon import callback, metric
    >>> accuracy = metric.Accuracy()
    >>> log = callback.LogValidationMetricsCallback()
    >>> log(SimpleNamespace(epoch=0, eval_metric=accuracy))  # at the level INFO
    """

    def __call__(self, param: Any) -> None:
        """Log the metric.

        Parameters
        ----------
        param : object with ``epoch`` and ``eval_metric``
        """
        if param.eval_metric is not None:
            for name, value in param.eval_metric.get_name_value():
                logging.info("Epoch[%d] Validation-%s=%f", param.epoch, name, value)


class TensorBoard(Called):
    """Writes the metric to files that TensorBoard shows.

    Use it after each batch, after each validation, or wherever there is a metric: each call writes
    one point of every curve.

    Parameters
    ----------
    writer : object with ``add_scalar(tag, value, step)``
        Such as the ``SummaryWriter`` of the package torch, tensorboardX, or mxboard.
    prefix : str, optional
        The prefix of the names of curves, such as ``'train'``; ``/`` follows it.
    frequent : int, default 1
        Write every this many calls.

    Raises
    ------
    ArgumentError
        If `frequent` is less than 1.
    DTypeError
        If `writer` has no ``add_scalar``.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from gluon import callback, metric, nd
    >>> class Writer:  # as those packages have it
    ...     def add_scalar(self, tag, value, step):
    ...         print(step, tag, value)
    >>> accuracy = metric.Accuracy()
    >>> write = callback.TensorBoard(Writer(), prefix="train")
    >>> for nbatch in range(2):
    ...     accuracy.update(nd.array([1]), nd.array([nbatch]))
    ...     write(SimpleNamespace(epoch=0, nbatch=nbatch, eval_metric=accuracy))
    0 train/accuracy 0.0
    1 train/accuracy 0.5
    """

    frequent: int
    prefix: str
    step: int
    writer: Any

    def __init__(self, writer: Any, prefix: str = "", frequent: int = 1) -> None:
        if frequent < 1:
            raise ArgumentError(f"TensorBoard: frequent must be at least 1, got {frequent}")
        if not callable(getattr(writer, "add_scalar", None)):
            raise DTypeError(
                f"TensorBoard: {a_type(writer)} has no add_scalar(tag, value, step); give"
                " a SummaryWriter"
            )
        self.writer, self.prefix, self.frequent, self.step = writer, prefix, frequent, 0

    def __call__(self, param: Any) -> None:
        """Write the metric every `frequent` batches.

        Parameters
        ----------
        param : object with ``eval_metric``
        """
        step, self.step = self.step, self.step + 1
        if param.eval_metric is None or step % self.frequent:
            return
        for name, value in param.eval_metric.get_name_value():
            tag = f"{self.prefix}/{name}" if self.prefix else name
            self.writer.add_scalar(tag, float(value), step)


# -------------------------------------------------------------------------------- after epochs


def save_checkpoint(
    prefix: str,
    epoch: int,
    symbol: Any,
    arg_params: dict[str, NDArray],
    aux_params: dict[str, NDArray],
    remove_amp_cast: bool = True,
) -> None:
    """Save a symbol to ``<prefix>-symbol.json`` and parameters to ``<prefix>-<epoch>.params``.

    Parameters
    ----------
    prefix : str
        The start of the names of the files.
    epoch : int
        The number in the file name, with four digits.
    symbol : Symbol or None
        None saves only the parameters.
    arg_params, aux_params : dict of str to NDArray of any shape and dtype
        Parameters, and arrays such as moving means; their names get the prefixes ``arg:`` and
        ``aux:``.
    remove_amp_cast : bool, default True
        Ignored.

    Raises
    ------
    ArgumentError
        If `symbol` is not a symbol.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import callback, nd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     callback.save_checkpoint(f"{folder}/net", 3, None, {"w": nd.ones((2,))}, {})
    ...     print(os.listdir(folder), list(nd.load(f"{folder}/net-0003.params")))
    ['net-0003.params'] ['arg:w']
    """
    if symbol is not None:
        if not hasattr(symbol, "tojson"):
            raise ArgumentError(
                f"save_checkpoint: symbol is {a_type(symbol)}; give a Symbol or None"
            )
        with open(f"{prefix}-symbol.json", "w", encoding="utf-8") as file:
            file.write(symbol.tojson())
    named = {f"arg:{name}": one for name, one in arg_params.items()}
    named |= {f"aux:{name}": one for name, one in aux_params.items()}
    path = f"{prefix}-{epoch:04d}.params"
    save(path, named)
    logging.info('Saved checkpoint to "%s"', path)


def do_checkpoint(prefix: str, period: int = 1) -> Callable[..., None]:
    """Return a callback that saves a symbol and parameters; see `save_checkpoint`.

    Parameters
    ----------
    prefix : str
        The start of the names of the files.
    period : int, default 1
        Save every this many epochs.

    Returns
    -------
    callable
        Call it with the number of the epoch, from 0, a symbol, and two dicts of arrays.

    Raises
    ------
    ArgumentError
        From a call, if the symbol is not a symbol.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import callback, nd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save = callback.do_checkpoint(f"{folder}/net", period=2)
    ...     for epoch in range(4):
    ...         save(epoch, None, {"w": nd.ones((2,))}, {})
    ...     sorted(os.listdir(folder))
    ['net-0002.params', 'net-0004.params']
    """
    period = max(1, int(period))

    def checkpoint(iter_no: int, sym: Any, arg: Any, aux: Any) -> None:
        if (iter_no + 1) % period == 0:
            save_checkpoint(prefix, iter_no + 1, sym, arg, aux)

    return checkpoint


def module_checkpoint(
    mod: Any, prefix: str, period: int = 1, save_optimizer_states: bool = False
) -> Callable[..., None]:
    """Return a callback that saves a module.

    Parameters
    ----------
    mod : object with ``save_checkpoint(prefix, epoch, save_optimizer_states)``
    prefix : str
        The start of the names of the files.
    period : int, default 1
        Save every this many epochs.
    save_optimizer_states : bool, default False

    Returns
    -------
    callable
        To be called with the number of the epoch, from 0; further arguments are ignored.

    Examples
    --------
    >>> from gluon import callback
    >>> class Model:
    ...     def save_checkpoint(self, prefix, epoch, save_optimizer_states):
    ...         print(prefix, epoch)
    >>> save = callback.module_checkpoint(Model(), "net", period=2)
    >>> for epoch in range(4):
    ...     save(epoch)
    net 2
    net 4
    """
    period = max(1, int(period))

    def checkpoint(iter_no: int, sym: Any = None, arg: Any = None, aux: Any = None) -> None:
        if (iter_no + 1) % period == 0:
            mod.save_checkpoint(prefix, iter_no + 1, save_optimizer_states)

    return checkpoint


if not TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = hinting(__name__, __all__)
