"""``megengine.utils``: small helpers in plain Python."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import partial, wraps
from importlib import import_module
from typing import Any

import numpy as np

from ..._core.engine.array import wrap
from ..._hook.errors import CheckError
from .. import functional
from .. import module as M  # noqa: N812, RUF100
from ..module.module import HookHandler as HookHandler
from ..module.module import _inside, _is_buffer
from ..tensor import Parameter, Tensor

# -------------------------------------------------------------------------- deprecation


def deprecated_func(version: str, origin: str, name: str, tbd: bool) -> Callable[..., Any]:
    """Return a function of another module; calls warn unless `tbd` is true."""
    func = getattr(import_module(origin), name)

    @wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if not tbd:
            text = f"since version {version}, use {origin}.{name} in place of {name}"
            warnings.warn(text, DeprecationWarning, stacklevel=2)
        return func(*args, **kwargs)

    return wrapper


def deprecated_kwargs_default(
    version: str, kwargs_name: str, kwargs_pos: int
) -> Callable[..., Any]:
    """Return a decorator: calls without an argument whose default will change warn."""

    def decorator(func: Callable) -> Callable:
        @wraps(func)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if len(args) < kwargs_pos and kwargs_name not in kwargs:
                text = f"the default of {kwargs_name} changes in version {version}; pass it by name"
                warnings.warn(text, PendingDeprecationWarning, stacklevel=2)
            return func(*args, **kwargs)

        return wrapper

    return decorator


# ------------------------------------------------------------------------------- values


def get_ndtuple(value: Any, *, n: int, allow_zero: bool = True) -> tuple[int, ...]:
    """Convert one integer, or `n` integers, to a tuple of `n` nonnegative integers."""
    found = tuple(map(int, value)) if isinstance(value, Iterable) else (int(value),) * n
    if len(found) != n or min(found) < 1 - allow_zero:
        least = "0" if allow_zero else "1"
        raise CheckError(f"{value!r} must be an integer of at least {least}, or {n} of them")
    return found


_single = partial(get_ndtuple, n=1)
_pair = partial(get_ndtuple, n=2)
_pair_nonzero = partial(get_ndtuple, n=2, allow_zero=False)
_triple = partial(get_ndtuple, n=3)
_triple_nonzero = partial(get_ndtuple, n=3, allow_zero=False)
_quadruple = partial(get_ndtuple, n=4)


def to_dlpack(tensor: Tensor, stream: Any = None) -> Any:
    """Export a tensor to another library by DLPack."""
    return np.array(tensor.raw).__dlpack__()


def from_dlpack(ext_tensor: Any, stream: Any = None) -> Tensor:
    """Copy a tensor of another library by DLPack."""
    given = ext_tensor if hasattr(ext_tensor, "__dlpack__") else _Capsule(ext_tensor)
    return wrap(Tensor, np.array(np.from_dlpack(given)))


class _Capsule:
    """Wraps the capsule of `to_dlpack` in an object that NumPy accepts."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # CPU memory


class Future:
    """A value that is set by another thread."""

    ack: Any | None
    ready: Any

    def __init__(self, ack: bool = True) -> None:
        self.ready = threading.Event()
        self.ack = threading.Event() if ack else None

    def set(self, value: Any) -> None:
        """Set the value; with `ack`, wait until `get` returns it."""
        self.value = value
        self.ready.set()
        if self.ack is not None:
            self.ack.wait()

    def get(self) -> Any:
        """Wait for the value and return it."""
        self.ready.wait()
        if self.ack is not None:
            self.ack.set()
        return self.value


class AlternativeRecursionLimit:
    """Context manager that raises the recursion limit."""

    count: int
    lock: Any
    orig_py_limit: int

    def __init__(self, new_py_limit: int) -> None:
        self.new_py_limit = new_py_limit
        self.count = 0
        self.lock = threading.Lock()
        self.orig_py_limit = 0

    def __enter__(self) -> None:
        with self.lock:
            if not self.count:
                self.orig_py_limit = sys.getrecursionlimit()
                sys.setrecursionlimit(self.new_py_limit)
            self.count += 1

    def __exit__(self, *exc: object) -> None:
        with self.lock:
            self.count -= 1
            if not self.count:
                sys.setrecursionlimit(self.orig_py_limit)


_max_recursion_limit_context_manager = AlternativeRecursionLimit(2**31 - 1)


def max_recursion_limit() -> AlternativeRecursionLimit:
    """Return a context manager that removes the recursion limit."""
    return _max_recursion_limit_context_manager


class AutoNaming:
    """The name scopes that modules open while they run."""

    scopes: list[Any] = []  # noqa: RUF012  (of the class, as in MegEngine)
    c_ops: list[Any] = []  # noqa: RUF012
    name2ops: dict[str, list[Any]] = {}  # noqa: RUF012
    handle2names: dict[Any, str] = {}  # noqa: RUF012
    __cls_attributes__ = frozenset(("scopes", "c_ops", "name2ops", "handle2names"))

    @classmethod
    def clear(cls) -> None:
        """Forget everything."""
        for one in (cls.scopes, cls.c_ops, cls.name2ops, cls.handle2names):
            one.clear()

    @classmethod
    def push_scope(cls, scope: str | None) -> None:
        """Open a scope."""
        cls.scopes.append(scope)

    @classmethod
    def pop_scope(cls) -> None:
        """Close the last scope."""
        cls.scopes.pop()

    @classmethod
    def get_scope(cls) -> str:
        """Return the names of all open scopes, joined by dots."""
        return ".".join(one for one in cls.scopes if one is not None)

    @classmethod
    def gen_name(cls, x: Any) -> str:
        """Return the name of a tensor with its scope."""
        scope, name = cls.get_scope(), getattr(x, "name", "")
        return f"{scope}.{name}" if scope else name

    @classmethod
    def record_var_name(cls, handle: Any, name: str) -> None:
        """Remember a name."""
        cls.handle2names[handle] = name

    @classmethod
    def get_var_name(cls, handle: Any) -> str | None:
        """Return and forget a name."""
        return cls.handle2names.pop(handle, None)


# ------------------------------------------------------------------------------ modules


def _is_parameter(obj: Any) -> bool:
    """Whether it is a `Parameter`."""
    return isinstance(obj, Parameter)


def _is_tensor(obj: Any) -> bool:
    """Whether it is a `Tensor`."""
    return isinstance(obj, Tensor)


def _is_module(obj: Any) -> bool:
    """Whether it is a `Module`."""
    return isinstance(obj, M.Module)


_is_buffer = _is_buffer


def _expand_structure(prefix: str, obj: Any) -> list[tuple[str, Any]]:
    """List the tensors and modules in a value, with names that begin with `prefix`."""
    return list(_inside(prefix, obj))


def _access_structure(obj: Any, key: str, callback: Callable | None = None) -> Any:
    """Return ``callback(owner, last part of the name, member)`` for the member at `key`."""
    owner, member, last = None, obj, ""
    for last in key.split("."):
        owner = member
        if isinstance(owner, (list, tuple)):
            member = owner[int(last)]
        else:
            member = owner[last] if isinstance(owner, dict) else getattr(owner, last)
    return member if callback is None else callback(owner, last, member)


def _get_XNorm_typeclass() -> tuple[type, ...]:
    """Return the classes of normalization layers."""
    return M.BatchNorm1d.__mro__[1], M.GroupNorm, M.LayerNorm, M.InstanceNorm


def get_expand_structure(obj: Any, key: str) -> Any:
    """Return the member of a module by a name such as ``"layers.0.weight"``."""
    return _access_structure(obj, key)


def set_expand_structure(obj: Any, key: str, value: Any) -> None:
    """Set the member of a module by a name such as ``"layers.0.weight"``."""

    def put(owner: Any, last: str, member: Any) -> None:
        if isinstance(owner, M.Sequential) and last.isdigit():
            owner[int(last)] = value
        elif isinstance(owner, (Tensor, M.Module)):
            setattr(owner, last, value)
        else:
            owner[int(last) if isinstance(owner, list) else last] = value

    _access_structure(obj, key, put)


@contextmanager
def set_module_mode_safe(module: Any, training: bool = False) -> Iterator[Any]:
    """Context manager that sets the training mode of a module."""
    before = [(one, one.training) for one in module.modules()]
    module.train(training)
    try:
        yield module
    finally:
        for one, mode in before:
            one.training = mode


# ----------------------------------------------------------------- normalization folded


def _folded(
    weight: Any, bias: Any, gamma: Any, beta: Any, mean: Any, var: Any, eps: float, shape: tuple
) -> tuple[Any, Any]:
    """Fold a normalization into a weight and bias; `shape` broadcasts along the channels."""
    count = next(one.size for one in (gamma, beta, mean, var, bias) if one is not None)
    gamma, var = (
        functional.ones(count) if one is None else one.reshape(-1) for one in (gamma, var)
    )
    beta, mean = (
        functional.zeros(count) if one is None else one.reshape(-1) for one in (beta, mean)
    )
    scale = gamma / functional.sqrt(var + eps)
    before = functional.zeros(count) if bias is None else bias.reshape(-1)
    offset = beta + (before - mean) * scale
    return weight * scale.reshape(shape), offset


def _fold_conv_bn_weight_bias(
    weight: Any,
    bias: Any,
    gamma: Any,
    beta: Any,
    bn_mean: Any,
    bn_var: Any,
    eps: float = 1e-5,
    transpose: bool = False,
) -> tuple[Any, Any]:
    """Fold a normalization into the weight and bias of a convolution."""
    groups = weight.shape[0] if weight.ndim == 5 else 1
    own = (1, -1, 1, 1) if transpose else (-1, 1, 1, 1)
    shape = (groups, *own) if weight.ndim == 5 else own
    weight, bias = _folded(weight, bias, gamma, beta, bn_mean, bn_var, eps, shape)
    return weight, bias.reshape(1, -1, 1, 1)


def _fold_linear_bn_weight_bias(
    weight: Any, bias: Any, gamma: Any, beta: Any, bn_mean: Any, bn_var: Any, eps: float = 1e-5
) -> tuple[Any, Any]:
    """Fold a normalization into the weight and bias of a linear layer."""
    return _folded(weight, bias, gamma, beta, bn_mean, bn_var, eps, (-1, 1))


fold_weight_bias = _fold_conv_bn_weight_bias


def fuse_conv_bn_relu_module(conv: Any, bn: Any, relu: Any) -> Any:
    """Fuse a convolution, the normalization after it, and ReLU."""
    conv, transposed = deepcopy(conv), isinstance(conv, M.ConvTranspose2d)
    if bn is not None:
        known = (bn.weight, bn.bias, bn.running_mean, bn.running_var, bn.eps)
        _fuse(conv, _fold_conv_bn_weight_bias(conv.weight, conv.bias, *known, transposed))
    return conv if relu is None else M.Sequential(conv, M.ReLU())


def fuse_linear_bn_relu_module(linear: Any, bn: Any, relu: Any) -> Any:
    """Fuse a linear layer, the normalization after it, and ReLU."""
    linear = deepcopy(linear)
    if bn is not None:
        known = (bn.weight, bn.bias, bn.running_mean, bn.running_var, bn.eps)
        _fuse(linear, _fold_linear_bn_weight_bias(linear.weight, linear.bias, *known))
    return linear if relu is None else M.Sequential(linear, M.ReLU())


def _fuse(layer: Any, folded: tuple[Any, Any]) -> None:
    layer.weight, layer.bias = map(Parameter, folded)
