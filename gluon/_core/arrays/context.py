"""Devices: ``cpu(i)`` are distinct names for host memory, ``gpu(i)`` the GPUs that PyTorch sees."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ..devices import available
from ..devices.played import played
from ..errors import DTypeError, GluonError
from ..kernels.memory import on_host
from ..scopes import Stack
from .silence import silence_numpy

DEVICE_TYPES = {"cpu": 1, "gpu": 2, "cpu_pinned": 3, "cpu_shared": 5}


#: The contexts of the enclosing ``with`` blocks.
CONTEXTS = Stack("gluon_context")


class _HasDefault(type):
    """Adds the attribute ``default_ctx`` to `Context`, which MXNet's scripts read and set."""

    @property
    def default_ctx(cls) -> Context:
        """The context on which arrays are made."""
        return current_context()

    @default_ctx.setter
    def default_ctx(cls, ctx: Context) -> None:
        CONTEXTS.replace(ctx)


class Context(metaclass=_HasDefault):
    """A device, and the ``with`` block that makes it the default one.

    Parameters
    ----------
    device_type : {'cpu', 'gpu', 'cpu_pinned', 'cpu_shared'} or Context
    device_id : int, default 0

    Raises
    ------
    GluonError
        If the type of device is unknown.

    Examples
    --------
    >>> from gluon import nd, cpu
    >>> with cpu(1):
    ...     x = nd.zeros((2,))
    >>> x.context
    cpu(1)
    >>> from gluon import Context
    >>> Context("cpu", 1).empty_cache()
    """

    __module__ = "gluon"  # the path in pickles, which outlive the modules of a version
    __slots__ = ("device_id", "device_type")
    #: The numbers that MXNet's files use for the device types, and the reverse.
    devstr2type = DEVICE_TYPES
    devtype2str: dict[int, str] = {number: name for name, number in DEVICE_TYPES.items()}  # noqa: RUF012
    device_type: str
    device_id: int

    def __init__(self, device_type: str | Context, device_id: int = 0) -> None:
        if isinstance(device_type, Context):
            self.device_type, self.device_id = device_type.device_type, device_type.device_id
            return
        if device_type not in DEVICE_TYPES:
            raise GluonError(
                f"unknown device type {device_type!r}; use one of {', '.join(DEVICE_TYPES)}. A"
                " dtype is a keyword, as in dtype='int32'"
            )
        try:
            self.device_type, self.device_id = device_type, int(device_id)
        except (TypeError, ValueError):
            raise GluonError(
                f"{device_type}: device_id={device_id!r} must be an integer, the number of a device"
            ) from None

    @property
    def device_typeid(self) -> int:
        """The number MXNet's files use for the device type."""
        return DEVICE_TYPES[self.device_type]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Context)
            and self.device_type == other.device_type
            and self.device_id == other.device_id
        )

    def __hash__(self) -> int:
        return hash((self.device_type, self.device_id))

    def __repr__(self) -> str:
        return f"{self.device_type}({self.device_id})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Context, (self.device_type, self.device_id)

    def __enter__(self) -> Context:
        CONTEXTS.enter(self)
        return self

    def __exit__(self, *exc: object) -> None:
        CONTEXTS.leave(self)

    def _placed(self, raw: Any) -> Any:
        """A raw array in the memory of this device."""
        if self.device_type != "gpu":
            return on_host(raw)
        if getattr(raw, "place", None) == self.device_id:
            return raw
        return available.put(raw, self.device_id) if has_device(self) else raw

    def empty_cache(self) -> None:
        """Give the memory that is kept for later arrays back to a GPU; host memory is not kept."""
        if has_device(self):
            available.empty_cache()


CPU = Context("cpu")


def has_device(ctx: Context) -> bool:
    """Whether `ctx` is a GPU that arrays can be put on."""
    return ctx.device_type == "gpu" and ctx.device_id < available.count()


#: The context outside any ``with`` block; None is ``cpu(0)``.
DEFAULT = Context("gpu") if played() else None


def cpu(device_id: int = 0) -> Context:
    """Host memory, under the name ``cpu(device_id)``.

    Parameters
    ----------
    device_id : int, default 0

    Returns
    -------
    Context

    Examples
    --------
    >>> from gluon import cpu, nd
    >>> nd.ones((2,), ctx=cpu(1)).ctx
    cpu(1)
    """
    return Context("cpu", device_id) if device_id else CPU


def cpu_pinned(device_id: int = 0) -> Context:
    """Page-locked host memory; here ordinary host memory under another name.

    Parameters
    ----------
    device_id : int, default 0

    Returns
    -------
    Context

    Examples
    --------
    >>> from gluon import cpu_pinned, nd
    >>> nd.ones((2,), ctx=cpu_pinned()).ctx
    cpu_pinned(0)
    """
    return Context("cpu_pinned", device_id)


def gpu(device_id: int = 0) -> Context:
    """A GPU. It holds arrays if PyTorch is installed and sees it: see `num_gpus`.

    Parameters
    ----------
    device_id : int, default 0

    Returns
    -------
    Context

    Examples
    --------
    >>> from gluon import gpu
    >>> gpu(1), gpu() == gpu(0)
    (gpu(1), True)
    """
    return Context("gpu", device_id)


def num_gpus() -> int:
    """The number of GPUs that arrays can be put on: 0 without PyTorch, which this imports.

    Returns
    -------
    int

    Examples
    --------
    >>> from gluon import cpu, gpu, num_gpus
    >>> ctx = gpu() if num_gpus() else cpu()
    >>> ctx
    cpu(0)
    """
    return available.count()


def gpu_memory_info(device_id: int = 0) -> tuple[int, int]:
    """Free and total bytes of a GPU.

    Parameters
    ----------
    device_id : int, default 0

    Returns
    -------
    tuple of int

    Raises
    ------
    GluonError
        If there is no such GPU.

    Examples
    --------
    >>> from gluon import GluonError, gpu_memory_info
    >>> try:
    ...     gpu_memory_info(0)
    ... except GluonError as error:
    ...     print(error)
    gpu(0) is not available: num_gpus() is 0
    """
    if has_device(gpu(device_id)):
        return available.memory(device_id)
    raise GluonError(f"gpu({device_id}) is not available: num_gpus() is {num_gpus()}")


def current_context() -> Context:
    """The context of the innermost ``with`` block, ``cpu(0)`` outside any.

    Returns
    -------
    Context

    Examples
    --------
    >>> from gluon import cpu, current_context
    >>> with cpu(1):
    ...     current_context()
    cpu(1)
    >>> current_context()
    cpu(0)
    """
    return CONTEXTS.current(DEFAULT or CPU)


_NOTHING: AbstractContextManager[None] = nullcontext()


def standing_on(ctx: Context | None) -> AbstractContextManager[Any]:
    """What makes `ctx`, that of an array, the current context, where it is another one."""
    ctx = ctx or CPU
    return _NOTHING if ctx == current_context() else ctx


def set_default_context(ctx: Context) -> None:
    """Make a context the current one in this thread or task, until the end of a ``with`` block.

    Parameters
    ----------
    ctx : Context

    Raises
    ------
    GluonError
        If it is a GPU that is not there.
    TypeError
        If it is not a `Context`.

    Examples
    --------
    >>> from gluon import cpu, nd, test_utils
    >>> test_utils.set_default_context(cpu(1))
    >>> nd.zeros((2,)).context
    cpu(1)
    >>> test_utils.set_default_context(cpu())
    """
    CONTEXTS.replace(device(ctx) or CPU)


def unavailable(ctx: Context) -> None:
    """Raise the error for an array on a GPU; what runs scripts for MXNet puts another here."""
    raise GluonError(
        f"{ctx} is not available: num_gpus() is {num_gpus()}; put the array on cpu(), for example"
        " ctx = gluon.gpu() if gluon.num_gpus() else gluon.cpu()"
    )


def device(ctx: Any = None) -> Context | None:
    """`ctx` checked, or the current context; None stands for ``cpu(0)`` inside arrays.

    Raises
    ------
    GluonError
        If the context is a GPU that is not there.
    TypeError
        If `ctx` is not a `Context`.
    """
    silence_numpy()
    if ctx is None:
        ctx = CONTEXTS.current(DEFAULT)
        if ctx is None:
            return None
    elif isinstance(ctx, str):
        written = re.fullmatch(r"(\w+)\((\d+)\)", ctx)
        ctx = Context(written[1], int(written[2])) if written else Context(ctx)
    if not isinstance(ctx, Context):
        raise DTypeError(
            f"a context is cpu(i) or gpu(i); got {ctx!r}. A shape is one tuple, as in zeros((2,"
            " 3)), and a dtype a keyword, as in dtype='int32'"
        )
    if ctx.device_type == "gpu" and not has_device(ctx):
        unavailable(ctx)
    return None if ctx == CPU else ctx
