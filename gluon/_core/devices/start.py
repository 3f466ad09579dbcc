"""The first device array: from then on operators choose by the kind of buffer.

`start` imports PyTorch and puts a chooser before the kernel of each operator. It hands arrays of
NumPy to the kernel as before; what is on a device goes to a kernel in PyTorch where there is one,
else to the kernel for NumPy over the protocols of the buffers, else to the host and back, with one
warning for each operator. ``GLUON_GPU_HOST=error`` makes the last an error.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any

import numpy as np
import torch

from ..engine.op import Op
from ..errors import GluonError, warn_caller
from ..instruments.layers import change_plain
from ..kernels.optimizer import each
from ..native import chooser
from ..ops import normalization
from ..ops.optimizer import STEPS
from . import numeric as numeric  # fills the tables
from . import steps
from .buffer import DeviceBuffer, at, place_of
from .layers import standardize_grad
from .makers import beside, placed, use
from .played import played
from .steps import together
from .table import ON_HOST, TORCH
from .tensors import COUNTS, on, up

_SAID: set[str] = set()
#: Errors of a kernel that was not written for devices, or of wrong arguments: the host says which.
FAILURES = (
    NotImplementedError,
    RuntimeError,
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
    ArithmeticError,
)
_lock = Lock()


def to_host(x: Any) -> Any:
    """Nested arguments with copies of the buffers on the host."""
    if type(x) is DeviceBuffer:
        return x.get()
    if type(x) in (list, tuple):
        return type(x)(map(to_host, x))
    if type(x) is dict:
        return {key: to_host(one) for key, one in x.items()}
    return x


def to_device(x: Any, there: DeviceBuffer) -> Any:
    """Nested results with the host arrays copied to the device of a buffer."""
    if isinstance(x, (np.ndarray, np.generic)):
        return placed(x, there)
    if type(x) in (list, tuple):
        return type(x)([to_device(one, there) for one in x])
    return x


def warn_host(name: str, why: object) -> None:
    """Say once for each operator that it computes on the host, or refuse."""
    COUNTS["host"] += 1
    if os.environ.get("GLUON_GPU_HOST") == "error":
        raise GluonError(f"{name} is computed on the host: {why}; GLUON_GPU_HOST=error forbids it")
    if name in _SAID:
        return
    _SAID.add(name)
    warn_caller(
        f"{name} is computed on the host, and its arrays are copied there and back: {why};"
        " GLUON_GPU_HOST=error makes this an error"
    )


def _mixed(inputs: Any, there: DeviceBuffer) -> None:
    """Raise if the arrays are on different GPUs."""
    for x in inputs:
        if type(x) in (list, tuple):
            _mixed(x, there)
        elif type(x) is DeviceBuffer and x.place != there.place:
            raise ValueError(
                f"one array is on gpu({there.place}), another on gpu({x.place}); bring them"
                " together with as_in_context"
            )


def on_device(name: str, plain: Callable, compiled: Callable, own: Callable | None) -> Callable:
    """The kernel of an operator for arguments on a device.

    Parameters
    ----------
    name : str
    plain : callable
        The kernel in NumPy.
    compiled : callable
        The kernel for the host.
    own : callable or None
        The kernel in PyTorch; it returns NotImplemented for what it was not written for.
    """
    host_only = name in ON_HOST

    def run(*inputs: Any, **attrs: Any) -> Any:
        why: object = "it has no kernel for devices"
        try:
            if own is not None:
                found = own(*inputs, **attrs)
                if found is not NotImplemented:
                    return found
            there = place_of((inputs, attrs))
            if not host_only:
                with beside(there):
                    return to_device(plain(*inputs, **attrs), there)
        except torch.OutOfMemoryError as error:
            raise GluonError(
                f"{name}: gpu({place_of((inputs, attrs)).place}) is full: {error}"
            ) from None
        except FAILURES as error:
            why = error
        there = place_of((inputs, attrs))
        _mixed(inputs, there)
        with beside(None):
            found = compiled(*to_host(inputs), **to_host(attrs))  # raises what NumPy raises
        warn_host(name, why)
        return to_device(found, there)

    return run


def _choosing(op: Op, kernel: Callable) -> Callable:
    """A kernel that chooses by the kind of buffer, for an operator or its form with a number."""
    plain, own = op.fallback, TORCH.get(op.name)
    if op.fixed == 0:
        plain, own = _swapped(plain), own and _swapped(own)
    return chooser(kernel, on_device(op.name, plain, kernel, own), DeviceBuffer)


def _swapped(kernel: Callable) -> Callable:
    return lambda x, number: kernel(number, x)


def _step(run: Callable, plain: Callable, own: Callable | None) -> Callable:
    """A step of an optimizer, for weights of either kind."""

    def either(rows: list) -> list:
        first = rows[0][0][0]
        if type(first) is not DeviceBuffer:
            return run(rows)
        found = None if own is None else together(own, rows)
        if found is not None:
            return found
        with beside(first):
            return plain(rows)

    return either


class Devices:
    """What `start` gives: copies to the devices, and questions to them."""

    def put(self, raw: Any, device_id: int) -> Any:
        """A raw array on a device."""
        if type(raw) is DeviceBuffer:
            if raw.place == device_id:
                return raw
            return at(raw.t.to(on(device_id), copy=True), device_id)
        if type(raw) is np.ndarray:
            return at(up(raw, on(device_id)), device_id)
        return raw

    def memory(self, device_id: int) -> tuple[int, int]:
        """Free and total bytes."""
        if played():
            raise GluonError(f"gpu({device_id}) is host memory here, of which nothing is counted")
        return torch.cuda.mem_get_info(device_id)

    def empty_cache(self) -> None:
        """Give memory that is kept for later back."""
        torch.cuda.empty_cache()


@cache
def _started() -> Devices:
    use()
    change_plain(_choosing)
    whole = normalization._whole
    whole.kernel = chooser(whole.kernel, standardize_grad, DeviceBuffer)
    for step in STEPS:
        own = steps.STEPS.get(step.kernel.__name__)
        step._run = _step(step._run, each(step.kernel), own)
    return Devices()


def start() -> Devices:
    """Let operators compute on devices."""
    with _lock:
        return _started()
