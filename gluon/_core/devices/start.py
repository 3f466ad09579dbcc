"""The first device array: from then on operators choose by the kind of buffer.

`start` imports PyTorch and puts a chooser before the kernel of each operator. It hands arrays of
NumPy to the kernel as before; what is on a device goes to a kernel in PyTorch where there is one,
else to the kernel for NumPy over the protocols of the buffers, else to the host and back, with one
warning for each operator. ``GLUON_GPU_HOST=error`` makes the last an error.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from threading import Lock
from typing import Any

import numpy as np

from ..engine.op import Op
from ..errors import GluonError, warn_caller
from ..instruments.layers import change_plain
from ..kernels.memory import Buffer
from ..kernels.optimizer import each
from ..native import chooser
from ..ops import normalization
from ..ops.optimizer import STEPS
from ..transforms.batched import Batched
from .common import COUNTS, Backend, OnDevice, Unimplemented, apart, check_place, place_of
from .makers import beside, placed, use
from .played import STRICT
from .table import ON_HOST

#: What a kernel raises for arguments that are wrong, or that it fails on.
ERRORS = (RuntimeError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
_SAID: set[str] = set()
#: What a kernel says that was not written for these arguments.
LIMITATIONS = (NotImplementedError, Unimplemented)
_lock = Lock()


def to_host(x: Any) -> Any:
    """Nested arguments with copies of the buffers on the host."""
    if isinstance(x, Buffer):
        return x.get()
    if type(x) in (list, tuple):
        return type(x)(map(to_host, x))
    if type(x) is dict:
        return {key: to_host(one) for key, one in x.items()}
    return x


def to_device(x: Any, there: OnDevice) -> Any:
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


def _check_places(inputs: Any, there: OnDevice) -> None:
    """Raise if the arrays are on different GPUs, or some on the host: numbers may be there."""
    for x in inputs:
        if type(x) in (list, tuple):
            _check_places(x, there)
        elif isinstance(x, OnDevice):
            check_place(x, there)
        elif type(x) is np.ndarray and x.ndim:
            raise apart("cpu()", f"gpu({there.place})")


def on_device(
    backend: Backend, name: str, plain: Callable, compiled: Callable, own: Callable | None
) -> Callable:
    """The kernel of an operator for arguments on a device.

    Parameters
    ----------
    backend : Backend
    name : str
    plain : callable
        The kernel in NumPy.
    compiled : callable
        The kernel for the host.
    own : callable or None
        The kernel of `backend`; it returns NotImplemented for what it was not written for.
    """

    def run(*inputs: Any, **attrs: Any) -> Any:
        try:
            if own is not None:
                found = own(*inputs, **attrs)
                if found is not NotImplemented:
                    return found
            there = place_of((inputs, attrs))
            _check_places(inputs, there)
            if name in ON_HOST:
                return _on_host(name, "it has no kernel for devices", compiled, inputs, attrs)
            with beside(there):
                return to_device(plain(*inputs, **attrs), there)
        except backend.full as error:
            place = place_of((inputs, attrs)).place
            raise GluonError(f"{name}: gpu({place}) is full: {error}") from None
        except LIMITATIONS as error:
            return _on_host(name, error, compiled, inputs, attrs)
        except GluonError:
            raise
        except ERRORS as error:
            with beside(None):
                compiled(*to_host(inputs), **to_host(attrs))  # raises what NumPy raises
            raise GluonError(
                f"{name}: its kernel for devices failed where that of the host does not: {error};"
                " this is an error of gluon. Compute it on the host: x.as_in_context(cpu())"
            ) from error

    return run


def _on_host(name: str, why: object, kernel: Callable, inputs: Any, attrs: Any) -> Any:
    """Compute on the host, and copy the results to the device."""
    there = place_of((inputs, attrs))
    with beside(None):
        found = kernel(*to_host(inputs), **to_host(attrs))
    warn_host(name, why)
    return to_device(found, there)


def _choosing(backend: Backend, op: Op, kernel: Callable) -> Callable:
    """A kernel that chooses by the kind of buffer, for an operator or its form with a number."""
    plain, own = op.fallback, backend.kernels.get(op.name)
    if op.fixed == 0:
        plain, own = _swapped(plain), own and _swapped(own)
    there = on_device(backend, op.name, plain, kernel, own)
    return chooser(kernel, there, backend.kind)


def _swapped(kernel: Callable) -> Callable:
    return lambda x, number: kernel(number, x)


def _step(run: Callable, plain: Callable, own: Callable | None, kind: type) -> Callable:
    """A step of an optimizer, for weights of either kind."""

    def either(rows: list) -> list:
        first = rows[0][0][0]
        if type(first) is not kind:
            return run(rows)
        found = None if own is None else own(rows)
        if found is not None:
            return found
        with beside(first):
            return plain(rows)

    return either


def _inside_vmap_too(own: Callable, plain: Callable) -> Callable:
    """A kernel for buffers; `plain` computes where some are arrays of `vmap`."""

    def run(*inputs: Any) -> Any:
        return (plain if any(type(x) is Batched for x in inputs) else own)(*inputs)

    return run


@cache
def _started(name: str | None) -> Backend:
    backend: Backend = import_module(
        f".{'strict' if name == STRICT else 'pytorch'}", __package__
    ).BACKEND
    use()
    change_plain(partial(_choosing, backend))
    whole = normalization._whole
    whole.kernel = chooser(
        whole.kernel, _inside_vmap_too(backend.standardize_grad, whole.kernel), backend.kind
    )
    for step in STEPS:
        own = backend.steps.get(step.kernel.__name__)
        step._run = _step(step._run, each(step.kernel), own, backend.kind)
    return backend


def start(name: str | None) -> Backend:
    """Let operators compute on the devices of `played`, PyTorch's if that is None."""
    with _lock:
        return _started(name)
