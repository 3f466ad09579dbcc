"""``mxnet.kvstore`` and ``mxnet.contrib.tensorboard``: a store of one process, a callback."""

from __future__ import annotations

import logging
from typing import Any

from ..._core.errors import ArgumentError
from ..._hook.errors import MissingMethodError
from ...kvstore import KVStoreBase
from ...nd import NDArray
from .errors import CheckError

COMMANDS = (
    "kController kSetMultiPrecision kStopServer kSyncMode kSetGradientCompression"
    " kSetProfilerParams"
).split()


def _get_kvstore_server_command_type(command: str) -> int:
    """Return the code of a command to the servers of a store."""
    if command not in COMMANDS:
        raise CheckError(f"{command!r} is not a command; give one of {', '.join(COMMANDS)}")
    return COMMANDS.index(command)


@KVStoreBase.register
class TestStore(KVStoreBase):
    """A store that sums arrays in this process and stores nothing."""

    __test__ = False  # otherwise pytest collects it
    type = "teststore"
    rank, num_workers = 0, 1

    def broadcast(self, key: Any, value: NDArray, out: Any, priority: int = 0) -> None:
        """Copy one array into others."""
        for one in out if isinstance(out, list) else [out]:
            one[:] = value

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Write the sum of arrays into others, or into themselves."""
        if isinstance(value, NDArray):
            total, places = value, [] if out is None else out
        else:
            total = sum(one.as_in_context(value[0].ctx) for one in value)
            places = value if out is None else out
        self.broadcast(key, total, places)

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Return False: the store does not update weights."""
        if capability.lower() != KVStoreBase.OPTIMIZER:
            raise ArgumentError(f"TestStore: the capability {capability!r} is not 'optimizer'")
        return False

    def _updates_nothing(self, *args: Any, **kwargs: Any) -> None:
        raise MissingMethodError("TestStore has no optimizer; use the store 'local'")

    set_optimizer = save_optimizer_states = load_optimizer_states = _updates_nothing


class LogMetricsCallback:
    """Logs metrics for TensorBoard with the package mxboard, after each batch or epoch."""

    def __init__(self, logging_dir: str, prefix: str | None = None) -> None:
        self.prefix = prefix
        try:
            from mxboard import SummaryWriter  # type: ignore[import-not-found]
        except ImportError:
            logging.error("LogMetricsCallback needs mxboard; pip install mxboard")
        else:
            self.summary_writer = SummaryWriter(logging_dir)

    def __call__(self, param: Any) -> None:
        """Log the metrics of a batch or an epoch."""
        if param.eval_metric is None:
            return
        for name, value in param.eval_metric.get_name_value():
            if self.prefix is not None:
                name = f"{self.prefix}-{name}"
            self.summary_writer.add_scalar(name, value, global_step=param.epoch)
