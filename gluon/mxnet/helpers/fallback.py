"""``mxnet.numpy_op_fallback``: operators computed by NumPy, called by name."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ... import nd, operator
from ... import np as mx_np
from ..._core.errors import ArgumentError
from ..._hook.errors import MissingMethodError
from .protocol import _STR_2_DTYPE_

#: The registered operators, by name.
OPERATORS: dict[str, Callable[..., Any]] = {}


def register(
    op_name: str, imperative: bool = True, symbolic: bool = True
) -> Callable[[type], type]:
    """A decorator that registers a `CustomOpProp` in ``mx.nd.numpy._internal``."""

    def enter(prop: type) -> type:
        if op_name in OPERATORS:
            raise ArgumentError(
                f"register: the operator {op_name!r} exists already; choose another name"
            )
        operator.register(op_name)(prop)
        if imperative:
            OPERATORS[op_name] = partial(nd.Custom, op_type=op_name)
            if (module := sys.modules.get("mxnet.ndarray.numpy._internal")) is not None:
                setattr(module, op_name, OPERATORS[op_name])
        return prop

    return enter


class _Computed(operator.CustomOp):
    """The base of the operators; subclasses define what NumPy computes."""

    _name: str

    def _value(self, *data: Any) -> Any:
        raise NotImplementedError

    def forward(self, is_train: bool, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        """Write the result of NumPy."""
        self.assign(out_data[0], req[0], self._value(*[one.asnumpy() for one in in_data]))

    def backward(self, *args: Any, **kwargs: Any) -> None:
        """Raise an error: the operator is not differentiable."""
        raise MissingMethodError(f"{self._name} has no gradient; call detach() on what it is given")


class EmptyLike(_Computed):
    """An uninitialized array like another."""

    _name = "empty_like"

    def __init__(self, dtype: Any, order: str, subok: bool, shape: Any) -> None:
        self._dtype, self._order, self._subok, self._shape = dtype, order, subok, shape

    def _value(self, prototype: Any) -> Any:
        asked: dict[str, Any] = {"dtype": self._dtype, "order": self._order, "subok": self._subok}
        return np.empty_like(prototype, **asked)


class Resize(_Computed):
    """Repeat the values to fill a shape."""

    _name = "resize"

    def __init__(self, new_shape: Any) -> None:
        self._new_shape = new_shape

    def _value(self, a: Any) -> Any:
        return np.resize(a, self._new_shape)


class Unravel_index(_Computed):
    """Convert flat indices to an index along each axis."""

    _name = "unravel_index"

    def __init__(self, shape: Any) -> None:
        self._shape = shape

    def _value(self, indices: Any) -> Any:
        return np.stack(np.unravel_index(indices, self._shape))


class MultivariateNormal(_Computed):
    """Samples of a multivariate normal distribution."""

    _name = "random.multivariate_normal"

    def __init__(self, size: Any = None) -> None:
        self._size = size

    def forward(self, is_train: bool, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        """Write the samples."""
        mean, cov = in_data
        draws = mx_np.random.multivariate_normal(mean, cov, size=self._size)
        self.assign(out_data[0], req[0], draws)


class _Prop(operator.CustomOpProp):
    """Settings, given as strings, and one input."""

    _arguments: tuple[str, ...] = ("a",)
    _kind: type

    def __init__(self, **settings: Any) -> None:
        super().__init__(need_top_grad=True)
        self._settings = {key: self._read(text) for key, text in settings.items()}

    def _read(self, text: str | None) -> Any:
        return None if text is None else ast.literal_eval(text)

    def list_arguments(self) -> list[str]:
        """Return the names of the inputs."""
        return list(self._arguments)

    def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> Any:
        """Create the operator with these settings."""
        return self._kind(**self._settings)


@register("empty_like_fallback")
class EmptyLikeProp(_Prop):
    """Inputs and outputs of `EmptyLike`."""

    _arguments, _kind = ("prototype",), EmptyLike

    def __init__(self, dtype: str, order: str, subok: str, shape: str) -> None:
        super().__init__(subok=subok, shape=shape)
        self._dtype = None if dtype == "None" else dtype
        self._settings |= {"dtype": self._dtype, "order": order}

    def infer_type(self, in_type: Any) -> Any:
        """Return the dtype of the input, or the requested one."""
        found = in_type[0] if self._dtype is None else _STR_2_DTYPE_[self._dtype]
        return in_type, [found], []


@register("resize_fallback")
class ResizeProp(_Prop):
    """Inputs and outputs of `Resize`."""

    _kind = Resize

    def __init__(self, new_shape: str) -> None:
        super().__init__(new_shape=new_shape)

    def infer_shape(self, in_shape: Any) -> Any:
        """The new shape."""
        shape = self._settings["new_shape"]
        return in_shape, [(shape,) if np.isscalar(shape) else shape], []


@register("unravel_index_fallback")
class Unravel_indexProp(_Prop):
    """Inputs and outputs of `Unravel_index`."""

    _arguments, _kind = ("indices",), Unravel_index

    def __init__(self, shape: str) -> None:
        super().__init__(shape=shape)

    def infer_shape(self, in_shape: Any) -> Any:
        """Return a shape with a row for each axis."""
        return in_shape, [(np.size(self._settings["shape"]), *in_shape[0])], []


@register("mvn_fallback")
class MultivariateNormalProp(_Prop):
    """Inputs and outputs of `MultivariateNormal`."""

    _arguments, _kind = ("mean", "cov"), MultivariateNormal

    def __init__(self, size: str | None = None) -> None:
        super().__init__(size=size)

    def infer_shape(self, in_shape: Any) -> Any:
        """Return the shape of the samples."""
        mean, cov = in_shape
        if not mean or len(cov) < 2 or not cov[-1] == cov[-2] == mean[-1]:
            raise ArgumentError(
                f"mvn_fallback: mean of shape {tuple(mean)} and cov of shape {tuple(cov)} do not"
                " fit; give (..., n) and (..., n, n)"
            )
        size = self._settings["size"]
        before = () if size is None else tuple(np.atleast_1d(size).tolist())
        return in_shape, [before + np.broadcast_shapes(tuple(mean), tuple(cov[:-1]))], []
