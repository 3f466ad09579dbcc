"""Tensors in host memory that refuse what CUDA refuses: a rehearsal without a GPU.

A `Rehearsed` tensor says that it is on ``cuda:0`` or ``cuda:1``, and computes in host memory. It
fails a test for what would fail on a GPU alone:

- dtypes that the kernel for CPUs has, and that for CUDA has not;
- tensors of two devices in one call;
- values that are read as an array of NumPy without a copy to the host;
- an index that does not exist, which on a GPU ends the use of the device.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves, tree_map

from gluon._core.devices import buffer, pytorch, random, tensors

#: Operators without a kernel of CUDA for integers, as PyTorch's own list of operators says.
FLOATS_ONLY = frozenset(
    (
        "mm bmm addmm baddbmm addbmm addmv mv dot vdot convolution convolution_backward avg_pool2d"
        " avg_pool2d_backward avg_pool3d max_pool2d_with_indices max_pool3d_with_indices"
    ).split()
)
#: Those without any kernel of CUDA.
ABSENT = frozenset("histogram _histogramdd_from_bin_cts _histogramdd_bin_edges".split())
#: Those without one for half precision.
WIDE_ONLY = frozenset("angle igamma igammac histc".split())
#: Those that stop a GPU at an index which does not exist.
INDEXED = frozenset(
    (
        "index index_put index_put_ index_select index_add_ gather scatter scatter_ scatter_add_"
        " take put_ embedding"
    ).split()
)
#: Those that may mix devices: copies, and indices on the host.
MIXED = frozenset("copy_ _to_copy index index_put index_put_".split())
HALF = (torch.float16, torch.bfloat16)


def place_of(device: Any) -> int | None:
    """The number of a GPU, or None for the host."""
    device = torch.device(device) if isinstance(device, (str, torch.device)) else None
    return device.index or 0 if device is not None and device.type == "cuda" else None


class Rehearsed(torch.Tensor):
    """A tensor in host memory that says it is on a GPU."""

    inner: torch.Tensor
    place: int

    @staticmethod
    def __new__(cls, inner: torch.Tensor, place: int) -> Rehearsed:
        made = torch.Tensor._make_wrapper_subclass(
            cls,
            inner.shape,
            strides=inner.stride(),
            storage_offset=inner.storage_offset(),
            dtype=inner.dtype,
            device=torch.device("cuda", place),
        )
        made.inner, made.place = inner, place
        return made

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func in OF_MEMORY:
            return func(*args_of(args), **kwargs)
        if func in WHOLE:
            return computed(WHOLE[func], func, args, kwargs)
        if func is torch.Tensor.to and (device := device_in(args[1:])) is not None:
            return moved(args, kwargs, device)
        with torch._C.DisableTorchFunctionSubclass():
            return func(*args, **kwargs)

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return computed(func.__name__.partition(".")[0], func, args, kwargs or {})


#: Functions that PyTorch begins with a look at the device, and the operators they are.
WHOLE = {
    torch.Tensor.__getitem__: "index",
    torch.Tensor.__setitem__: "index_put_",
    torch.Tensor.copy_: "copy_",
    torch.Tensor.index_put_: "index_put_",
    torch.where: "where",
    torch.nn.functional.linear: "mm",
    torch.nonzero: "nonzero",
    torch.Tensor.contiguous: "contiguous",
}
#: What is asked of the memory itself, and the one way to read all values that is not an operator.
OF_MEMORY = (torch.Tensor.untyped_storage, torch.Tensor.data_ptr, torch.Tensor.tolist)


def args_of(x: Any) -> Any:
    """Nested arguments with the tensors in host memory."""
    return tree_map(lambda one: one.inner if isinstance(one, Rehearsed) else one, x)


def device_in(args: Any) -> Any:
    return next((one for one in args if isinstance(one, torch.device)), None)


def moved(args: Any, kwargs: dict, device: torch.device) -> torch.Tensor:
    """``x.to(device)``."""
    place, x = place_of(device), args[0]
    if place == getattr(x, "place", None) and not kwargs.get("copy"):
        return x
    copy = args_of(x).clone()
    return copy if place is None else Rehearsed(copy, place)


def check(name: str, tensors: list) -> None:
    """Fail for a call that CUDA refuses."""
    places = {one.place for one in tensors if isinstance(one, Rehearsed)}
    on_host = any(one.ndim for one in tensors if not isinstance(one, Rehearsed))
    if name not in MIXED and (len(places) > 1 or on_host):
        pytest.fail(f"{name} of tensors on the devices {places}, or some on the host: {on_host}")
    kinds = {one.dtype for one in tensors}
    if name in ABSENT:
        pytest.fail(f"{name} has no kernel of CUDA")
    if name in FLOATS_ONLY and not all(one.is_floating_point or one.is_complex for one in kinds):
        pytest.fail(f"{name} of {kinds} has no kernel of CUDA")
    if name in WIDE_ONLY and kinds & {*HALF}:
        pytest.fail(f"{name} of half precision has no kernel of CUDA")


def computed(name: str, func: Any, args: Any, kwargs: dict) -> Any:
    """A call in host memory, its results on the device of its arguments."""
    tensors = [one for one in tree_leaves((args, kwargs)) if isinstance(one, torch.Tensor)]
    check(name, tensors)
    device = kwargs.get("device")
    given = {**args_of(kwargs), **({"device": torch.device("cpu")} if device is not None else {})}
    try:
        found = func(*args_of(args), **given)
    except (IndexError, RuntimeError) as error:
        if name in INDEXED:
            pytest.fail(f"{name} would end the use of a GPU: {error}")
        raise
    place = place_of(device) if device is not None else one_place(tensors)
    known = {id(one.inner): one for one in tensors if isinstance(one, Rehearsed)}
    return tree_map(lambda one: known[id(one)] if id(one) in known else wrapped(one, place), found)


def one_place(tensors: list) -> int | None:
    return next((one.place for one in tensors if isinstance(one, Rehearsed)), None)


def wrapped(x: Any, place: int | None) -> Any:
    is_tensor = isinstance(x, torch.Tensor) and not isinstance(x, Rehearsed)
    return Rehearsed(x, place) if is_tensor and place is not None else x


class _Making(TorchFunctionMode):
    """Lets functions that make tensors make them on the devices of a rehearsal."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func is torch.Tensor.to and (device := device_in(args[1:])) is not None:
            return moved(args, kwargs, device)
        place = place_of(kwargs.get("device"))
        if place is None or any(isinstance(one, Rehearsed) for one in tree_leaves(args)):
            return func(*args, **kwargs)
        return wrapped(func(*args, **{**kwargs, "device": torch.device("cpu")}), place)


@contextmanager
def rehearsed(monkeypatch: Any) -> Iterator[None]:
    """Let the devices of ``GLUON_DEVICE=torch:cpu`` be those of a rehearsal."""
    for module in (tensors, buffer, pytorch, random):
        monkeypatch.setattr(module, "on", lambda number: torch.device("cuda", number))
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device=None: None)
    with _Making():
        yield
