"""The shapes of a layer's parameters, inferred from the operators that use them."""

from __future__ import annotations

import inspect
import operator
import warnings
from collections.abc import Callable
from contextvars import ContextVar
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nd
from .._core.errors import ArgumentError
from ..nd import NDArray
from ..parameter import Parameter
from ..utils import shape_is_known

#: Whether blocks run only to infer shapes: see `HybridBlock.infer_shape`.
inferring: ContextVar[bool] = ContextVar("gluon_inferring", default=False)


def elementwise_rule(op: Callable[..., Any]) -> Callable[..., Any]:
    """Call `op`, which takes arrays of one shape, with some arrays of unknown shape."""

    def call(*args: Any, **kwargs: Any) -> Any:
        given = [settled(value) for value in args]
        waiting = [value for value in given if isinstance(value, Unknown)]
        arrays = [value for value in given if isinstance(value, NDArray)]
        known = [value for value in arrays if not isinstance(value, Unknown)]

        def filled(value: Any) -> Any:
            if not isinstance(value, Unknown):
                return value
            return value.of_shape(known[0].shape) if known else value.compute()

        def compute() -> Any:
            return op(*map(filled, given), **kwargs)

        if not waiting or known:
            return compute()
        return Unknown([one for value in waiting for one in value.parameters], compute)

    return call


def _both(op: Callable[..., Any]) -> tuple[Any, Any]:
    """Return the methods of an operator: the plain one, and the one with swapped operands."""
    rule = elementwise_rule(op)
    return rule, lambda right, left: rule(left, right)


class Unknown(NDArray):
    """Stands in for a parameter, or for a function of some, until an operator determines the shape.

    It is an `NDArray`, so that Python calls its methods first, on either side of an operator.

    Parameters
    ----------
    parameters : list of Parameter
        Parameters that all have the unknown shape.
    compute : callable
        Returns the array, once their shapes are known.
    """

    compute: Any
    parameters: list[Parameter]

    if not TYPE_CHECKING:
        __add__, __radd__ = _both(operator.add)
        __sub__, __rsub__ = _both(operator.sub)
        __mul__, __rmul__ = _both(operator.mul)
        __truediv__, __rtruediv__ = _both(operator.truediv)
        __mod__, __rmod__ = _both(operator.mod)
        __pow__, __rpow__ = _both(operator.pow)
        __eq__, __ne__ = elementwise_rule(operator.eq), elementwise_rule(operator.ne)
        __gt__, __ge__ = elementwise_rule(operator.gt), elementwise_rule(operator.ge)
        __lt__, __le__ = elementwise_rule(operator.lt), elementwise_rule(operator.le)
        __neg__, __abs__ = elementwise_rule(operator.neg), elementwise_rule(operator.abs)
        __hash__ = NDArray.__hash__

    def __init__(self, parameters: list[Parameter], compute: Callable[[], NDArray]) -> None:
        self.parameters, self.compute = parameters, compute

    @property
    def raw(self) -> Any:
        """Raise, since there are no values yet."""
        names = ", ".join(one.name for one in self.parameters)
        raise ArgumentError(f"the operators do not determine the shape of {names}")

    def of_shape(self, shape: tuple[int, ...]) -> NDArray:
        """Give the parameters `shape`; returns the array."""
        for one in self.parameters:
            one.shape = shape
        return self.compute()


def unknown(parameter: Parameter) -> Unknown:
    """A stand-in for a parameter of unknown shape."""
    return Unknown([parameter], lambda: stand_in(parameter))


def settled(value: Any) -> Any:
    """`value`, or the array it stands in for once its shape is known."""
    if isinstance(value, Unknown) and all(shape_is_known(one.shape) for one in value.parameters):
        return value.compute()
    return value


#: Operators for which MXNet also infers that all arrays have the same shape.
ELEMENTWISE = {
    *"abs arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp".split(),
    *"expm1 fix floor log log10 log1p log2 negative radians rcbrt reciprocal relu rint".split(),
    *"round rsqrt sigmoid sign sin sinh softsign sqrt square tan tanh trunc".split(),
    *"Activation BlockGrad Cast add_n cast clip identity smooth_l1 stop_gradient".split(),
    *"elemwise_add elemwise_sub elemwise_mul elemwise_div maximum minimum power where".split(),
}


def stand_in(parameter: Parameter) -> NDArray:
    """An array of the shape and dtype of a parameter; ones, with which all operators work."""
    return nd.ones(parameter.shape, dtype=parameter.dtype)


#: Kernels of this size with strides are hardly ever meant where inputs and outputs have as many
#: channels: the arguments are PyTorch's, the channels of the input first.
LARGE_KERNEL = 8
CHANNELS_LAST = (
    "an input of shape {} is read as (batch, channels, height, width); for images with the channels"
    " last, use x.transpose((0, 3, 1, 2)), or layout='NHWC' in all layers"
)


def _fully_connected(data: Any, num_hidden: int, flatten: bool, **_: Any) -> dict:
    if flatten and len(data.shape) == 1:
        warnings.warn(
            f"FullyConnected: an input of shape {data.shape} is read as {data.shape[0]} samples of"
            " one number; a single sample is x.expand_dims(0), and a batch without labels comes"
            " from `for x in loader`",
            stacklevel=2,
        )
    features = prod(data.shape[1:]) if flatten else data.shape[-1]
    return {"weight": (num_hidden, features), "bias": (num_hidden,)}


def _channels(data: Any, kernel: tuple, layout: str | None) -> int:
    last = layout is not None and layout.endswith("C")
    if len(data.shape) != len(kernel) + 2:
        axes = ["batch", *("depth", "height", "width")[-len(kernel) :]]
        axes.insert(len(axes) if last else 1, "channels")
        raise ValueError(
            f"data of shape {data.shape} needs {len(axes)} axes, ({', '.join(axes)})"
            + "; a single sample is x.expand_dims(0)" * (len(data.shape) + 1 == len(axes))
        )
    return data.shape[-1 if last else 1]


def _weight(first: int, second: int, kernel: tuple, layout: str | None) -> tuple:
    last = layout is not None and layout.endswith("C")
    return (first, *kernel, second) if last else (first, second, *kernel)


def _convolution(
    data: Any,
    kernel: Any,
    num_filter: int,
    num_group: int,
    stride: Any = 1,
    layout: Any = None,
    **_: Any,
) -> dict:
    channels = _channels(data, kernel, layout)
    is_large = min(kernel) >= LARGE_KERNEL and min(data.shape[-len(kernel) :]) >= max(kernel)
    if channels == num_filter and is_large and np.min(stride) > 1:
        warnings.warn(
            f"Convolution: channels={num_filter}, kernel_size={kernel[0]} and"
            f" strides={np.min(stride)} for an input of {channels} channels. A layer finds these"
            " by itself, so give it its own channels first, as in Conv2D(channels, kernel_size)",
            stacklevel=2,
        )
    elif is_channels_last(data.shape, layout):
        warnings.warn(f"Convolution: {CHANNELS_LAST.format(data.shape)}", stacklevel=2)
    elif _is_width_first(data.shape, kernel, layout):
        warnings.warn(
            f"Convolution: an input of shape {data.shape} is read as (batch, channels, width); for"
            " channels that come last, use x.transpose((0, 2, 1))",
            stacklevel=2,
        )
    if channels % num_group:
        raise ValueError(
            f"{channels} channels of an input of shape {data.shape} cannot be divided into"
            f" {num_group} groups; change groups"
        )
    shape = _weight(num_filter, channels // num_group, kernel, layout)
    return {"weight": shape, "bias": (num_filter,)}


def _is_width_first(shape: tuple[int, ...], kernel: tuple, layout: str | None) -> bool:
    """Whether sequences that are read as (batch, channels, width) seem to be otherwise."""
    if len(kernel) != 1 or layout not in (None, "NCW"):
        return False
    return kernel[0] == shape[2] > 1 and shape[1] >= 32 * shape[2]


def is_channels_last(shape: tuple[int, ...], layout: str | None) -> bool:
    """Whether square images that are read as (batch, channels, height, width) are otherwise."""
    if len(shape) != 4 or layout not in (None, "NCHW"):
        return False
    return shape[3] in (1, 3) and shape[1] == shape[2] >= LARGE_KERNEL


def _deconvolution(
    data: Any, kernel: Any, num_filter: int, num_group: int, layout: Any = None, **_: Any
) -> dict:
    channels = _channels(data, kernel, layout)
    shape = _weight(channels, num_filter // num_group, kernel, layout)
    return {"weight": shape, "bias": (num_filter,)}


def _along(axis: int | str, *names: str) -> Callable:
    """Return a rule: each of `names` is a vector whose length is that of an axis."""

    def rule(data: Any, **given: Any) -> dict:
        chosen = given[axis] if isinstance(axis, str) else axis
        if not isinstance(chosen, int) or not -len(data.shape) <= chosen < len(data.shape):
            raise ArgumentError(
                f"axis={chosen} is out of range for {len(data.shape)} axes; the number of channels,"
                " or"
                " of features, is inferred, or given as in_channels"
            )
        return dict.fromkeys(names, (data.shape[chosen],))

    return rule


def product_shapes(a: Any, b: Any, **_: Any) -> dict:
    """A matrix, or vector, on the right has as many rows as the array on the left has columns."""
    return {"b": (a.shape[-1], *b.parameters[0].shape[1:])}


def _contraction(a: Any, b: Any, axes: Any, **_: Any) -> dict:
    """Infer the lengths of the contracted axes, which are equal on both sides."""
    shape = list(b.parameters[0].shape)
    if isinstance(axes, int):
        axes = range(len(a.shape) - axes, len(a.shape)), range(axes)
    left, right = ([one] if isinstance(one, int) else one for one in axes)
    for i, j in zip(left, right):
        shape[j] = a.shape[i]
    return {"b": tuple(shape)}


#: Operator -> the shapes of its parameters, from its other arguments.
RULES: dict[str, Callable[..., dict[str, tuple[Any, ...]]]] = {
    "FullyConnected": _fully_connected,
    "Convolution": _convolution,
    "Deconvolution": _deconvolution,
    "BatchNorm": _along("axis", "gamma", "beta", "moving_mean", "moving_var"),
    "LayerNorm": _along("axis", "gamma", "beta"),
    "InstanceNorm": _along(1, "gamma", "beta"),
    "GroupNorm": lambda num_groups, **_: dict.fromkeys(("gamma", "beta"), (num_groups,)),
    "Embedding": lambda input_dim, output_dim, **_: {"weight": (input_dim, output_dim)},
    "LeakyReLU": _along(1, "gamma"),
    "np.dot": product_shapes,
    "np.matmul": product_shapes,
    "np.tensordot": _contraction,
    "contrib.SyncBatchNorm": _along(1, "gamma", "beta", "moving_mean", "moving_var"),
    "contrib.DeformableConvolution": _convolution,
    "contrib.ModulatedDeformableConvolution": _convolution,
}


class Inference:
    """`gluon.nd`, where some operators take parameters of unknown shape too.

    Parameters
    ----------
    module : module
        `gluon.nd` or one inside it.
    path : str
        The prefix in `RULES` of the names in `module`.
    """

    def __init__(self, module: Any = nd, path: str = "") -> None:
        self._module, self._path = module, path

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._module, name)
        name = shown = self._path + name
        # an operator of `npx` uses the rule of the `nd` operator behind it
        if self._path == "npx.":
            from ..npx.operators import NAMES

            name = NAMES.get(name.removeprefix("npx."), name)
        if inspect.ismodule(function):
            return Inference(function, f"{name}.")
        if name in ELEMENTWISE:
            return elementwise_rule(function)
        if name not in RULES:
            return function

        def call(*args: Any, **kwargs: Any) -> Any:
            args = tuple(settled(value) for value in args)
            kwargs = {name: settled(value) for name, value in kwargs.items()}
            bound = inspect.signature(function).bind(*args, **kwargs)
            bound.apply_defaults()
            if any(isinstance(value, Unknown) for value in bound.arguments.values()):
                try:
                    shapes = RULES[name](**bound.arguments)
                except (ValueError, IndexError) as error:
                    raise ArgumentError(f"{shown}: {error}") from None
                args, kwargs = _filled(shapes, bound.signature, args, kwargs)
            return function(*args, **kwargs)

        return call


def _filled(shapes: dict, signature: inspect.Signature, args: Any, kwargs: Any) -> tuple:
    """Replace unknown parameters among the arguments by arrays of `shapes`."""

    def fill(name: str, value: Any) -> Any:
        return value.of_shape(shapes[name]) if isinstance(value, Unknown) else value

    names = list(signature.parameters)
    return (
        [fill(name, value) for name, value in zip(names, args)],
        {name: fill(name, value) for name, value in kwargs.items()},
    )
