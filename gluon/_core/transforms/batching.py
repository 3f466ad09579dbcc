"""One rule for each family of operators: how it runs on the arrays of all examples at once.

A rule takes the name of the operator, the level, and the inputs and attributes of the call, of
which at least one input is batched; it returns a batched array, or several. Where it does not know
what to do it returns NotImplemented, and the operator runs for each example.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..engine.op import KERNELS as F
from ..engine.op import TABLE
from ..kernels.memory import beside
from ..ops.normalization import FORMS
from . import folding
from .batched import RULES, Batched, Level, aligned, is_at, lengthened, levels_of, wrapped
from .folding import folded, several, unfolded
from .indexing import getitem, scatter_add, setitem, take, take_grad
from .kinds import DIAGONAL, FLAT
from .whole import Attrs, Inputs, call, free_letter, full, given, moved


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(1, ndim + 1))
    return tuple([moved(one, ndim) for one in ((axis,) if isinstance(axis, int) else axis)])


# ---------------------------------------------------------------------------- elementwise


def elementwise(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """Each value by itself, inputs broadcast: shorter shapes get axes of length 1."""
    if levels_of(attrs.values()):
        return NotImplemented
    return call(name, level, aligned(level, inputs), attrs)


def new_last_axis(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """Each value becomes a line."""
    return call(name, level, [inputs[0].data, *inputs[1:]], attrs)


# ------------------------------------------------------------------------------- reductions


def reduction(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """Over axes, of which all examples have one more."""
    (x,) = inputs
    if not x.ndim:
        x = Batched(F.reshape(x.data, shape=(level.size, 1)), level)
        attrs = {**attrs, "axis": 0, "keepdims": False}
    options = {**attrs, "axis": _axes(given(name, attrs, "axis"), x.ndim)}
    at_least = options.pop("at_least_1d", False)
    y = getattr(F, name)(x.data, **options)
    return wrapped(F.reshape(y, shape=(level.size, 1)) if at_least and y.ndim == 1 else y, level)


def all_values(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """The sum of the squares of all values."""
    (x,) = inputs
    return wrapped(F.sum(F.square(x.data), axis=_axes(None, x.ndim)), level)


def place(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """argmax and argmin, along one axis or of all values."""
    (x,) = inputs
    axis = given(name, attrs, "axis")
    if not x.ndim or (axis is None and given(name, attrs, "keepdims")):
        return NotImplemented
    if axis is None:
        flat = F.reshape(x.data, shape=(level.size, x.size))
        return call(name, level, [flat], {**attrs, "axis": 1})
    return call(name, level, [x.data], {**attrs, "axis": moved(axis, x.ndim)})


def sum_to(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """The sum over what was stretched, and over axes that were added."""
    (x,), shape = inputs, attrs["shape"]
    extra = x.ndim - len(shape)
    axes = [k for k, n in enumerate(x.shape) if k < extra or n != shape[k - extra]]
    y = F.sum(x.data, axis=tuple([k + 1 for k in axes])) if axes else x.data
    return wrapped(F.reshape(y, shape=(level.size, *shape)), level)


def restore(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """The reverse of a reduction."""
    (x,), shape, axis = inputs, tuple(attrs["shape"]), attrs["axis"]
    if x.ndim == len(shape):
        return wrapped(F.broadcast_to(x.data, shape=(level.size, *shape)), level)
    axes = _axes(axis, len(shape))
    kept = tuple([1 if k + 1 in axes else n for k, n in enumerate(shape)])
    y = F.reshape(x.data, shape=(level.size, *kept))
    return wrapped(F.broadcast_to(y, shape=(level.size, *shape)), level)


# ---------------------------------------------------------------------------------- lines


def lines(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """What works on each line along one axis, as softmax and sorting do."""
    axis, ndim = given(name, attrs, "axis"), inputs[0].ndim
    if not isinstance(axis, int) or not ndim or levels_of(attrs.values()):
        return NotImplemented
    options = {**attrs, "axis": moved(axis, ndim)}
    if "shape" in options:
        options["shape"] = (level.size, *options["shape"])
    return call(name, level, [full(x, level) for x in inputs], options)


def lines_of_shape(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """The gradient of picking from lines: the axis is one of `shape`."""
    shape = attrs["shape"]
    options = {**attrs, "axis": moved(attrs["axis"], len(shape)), "shape": (level.size, *shape)}
    return call(name, level, [full(x, level) for x in inputs], options)


# -------------------------------------------------------------------------------- shaping


def reshape(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    (x,), shape = inputs, attrs["shape"]
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if -1 in shape:
        known = prod(n for n in shape if n != -1)
        if shape.count(-1) > 1 or not known or x.size % known:
            return NotImplemented
        shape = tuple([x.size // known if n == -1 else n for n in shape])
    if prod(shape) != x.size:
        return NotImplemented
    return x.view(F.reshape(x.data, shape=(level.size, *shape)))


def transpose(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    (x,), axes = inputs, given(name, attrs, "axes")
    order = range(x.ndim)[::-1] if axes is None else [a % x.ndim for a in axes]
    return x.view(F.transpose(x.data, axes=[0, *[a + 1 for a in order]]))


def expand_dims(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    (x,), axis = inputs, attrs["axis"]
    if not isinstance(axis, int):
        return NotImplemented
    return x.view(F.expand_dims(x.data, axis=moved(axis, x.ndim + 1)))


def squeeze(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    (x,), axis = inputs, given(name, attrs, "axis")
    axes = _axes(axis, x.ndim) if axis is not None and x.ndim else ()
    if axis is None:
        axes = tuple([k + 1 for k, n in enumerate(x.shape) if n == 1])
    if not axes:
        return NotImplemented if axis not in (None, ()) else x.view(x.data)
    return x.view(F.squeeze(x.data, axis=axes))


def broadcast_to(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    (x,), shape = inputs, tuple(attrs["shape"])
    if x.ndim > len(shape):
        return NotImplemented
    y = F.broadcast_to(lengthened(x, len(shape)).data, shape=(level.size, *shape))
    return x.view(y)


def join(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """concat and stack."""
    ndim = np.ndim(inputs[0]) + (name == "stack")
    if not ndim:
        return NotImplemented
    options = {"axis": moved(given(name, attrs, "axis"), ndim)}
    return call(name, level, [full(x, level) for x in inputs], options)


def part(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """split and unstack."""
    (x,) = inputs
    if not x.ndim:
        return NotImplemented
    options = {**attrs, "axis": moved(given(name, attrs, "axis"), x.ndim)}
    return [x.view(y) for y in getattr(F, name)(x.data, **options)]


def tile(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    (x,), reps = inputs, tuple(attrs["reps"])
    x = lengthened(x, len(reps))
    reps = (1,) * (x.ndim + 1 - len(reps)) + reps
    return call(name, level, [x.data], {"reps": reps})


def pad(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    (x,) = inputs
    return call(name, level, [x.data], {**attrs, "width": ((0, 0), *attrs["width"])})


# --------------------------------------------------------------------------- contractions


def _matrix(x: Any, level: Level, turn: bool, vector: int) -> Any:
    """An input of a product as a stack of matrices, or one matrix that all examples share."""
    ndim, y = np.ndim(x), x.data if is_at(x, level) else x
    last = y.ndim
    if ndim == 1:
        return F.expand_dims(y, axis=last - 1 if vector == 0 else last)
    order = [*range(last - 2), last - 1, last - 2]
    return F.transpose(y, axes=order) if turn else y


def _product(name: str, left: Any, right: Any) -> Any:
    """A product of stacks of matrices.

    That of a column and a row for each example, as in gradients of weights, is no sum: results are
    written once, at the speed of memory.
    """
    single = left.ndim > 1 and right.ndim > 1 and left.shape[-1] == right.shape[-2] == 1
    return getattr(F, "multiply" if single else name)(left, right)


def dot(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """A product over the last axis of a and the first of b; transposed: the first, the last."""
    a, b = inputs
    turns = given(name, attrs, "transpose_a"), given(name, attrs, "transpose_b")
    vectors = np.ndim(a) == np.ndim(b) == 1
    if not np.ndim(a) or not np.ndim(b) or (vectors and any(turns)):
        return NotImplemented
    inner = 0 if turns[0] else -1, -1 if turns[1] else 0
    if a.shape[inner[0]] != b.shape[inner[1]]:
        return NotImplemented
    outer = [x.shape[1:] if at == 0 else x.shape[:-1] for x, at in zip(inputs, inner)]
    matrices = [
        x if x.ndim < 3 else F.reshape(x, shape=(x.shape[0], -1) if at == 0 else (-1, x.shape[-1]))
        for x, at in zip(inputs, inner)
    ]
    left, right = (_matrix(x, level, turns[k], k) for k, x in enumerate(matrices))
    y = _product("matmul", left, right)
    shape = (*outer[0], *outer[1])
    if vectors:  # MXNet gives the product of two vectors shape (1,)
        shape = (1,) * np.ndim(getattr(F, name)(np.zeros(1), np.zeros(1)))
    return wrapped(F.reshape(y, shape=(level.size, *shape)), level)


def _of_shared(a: Any, b: Any, level: Level) -> Any:
    """One product for a vector of each example and a matrix that all share, None for others."""
    if is_at(a, level) and a.ndim == 1 and np.ndim(b) == 2 and not is_at(b, level):
        return F.matmul(a.data, b)
    if is_at(b, level) and b.ndim == 1 and np.ndim(a) == 2 and not is_at(a, level):
        return F.matmul(b.data, F.transpose(a))
    return None


def matmul(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    a, b = inputs
    if not np.ndim(a) or not np.ndim(b):
        return NotImplemented
    vectors = np.ndim(a) == 1, np.ndim(b) == 1
    shared = _of_shared(a, b, level) if sum(vectors) == 1 else None
    if shared is not None:
        return wrapped(shared, level)
    if any(vectors):
        left, right = _matrix(a, level, False, 0), _matrix(b, level, False, 1)
        left, right = [
            Batched(y, level) if is_at(x, level) else y for x, y in ((a, left), (b, right))
        ]
        y = F.matmul(left, right)
        drop = [y.ndim - 2] * vectors[0] + [y.ndim - 1] * vectors[1]
        return F.squeeze(y, axis=tuple(drop))
    return wrapped(_product(name, *aligned(level, inputs)), level)


def batch_dot(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    return call(name, level, [full(x, level) for x in inputs], attrs)


def fully_connected(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    x, weight, bias = (*inputs, None)[:3]
    if np.ndim(x) < 1 or np.ndim(weight) != 2 or (given(name, attrs, "flatten") and np.ndim(x) < 2):
        return NotImplemented
    if given(name, attrs, "flatten") and x.ndim > 2:
        x = F.reshape(x, shape=(x.shape[0], prod(x.shape[1:])))
    if x.shape[-1] != weight.shape[1]:
        return NotImplemented
    shape = (level.size, *x.shape[:-1], weight.shape[0])
    if not is_at(weight, level) and not is_at(bias, level):
        rows = F.reshape(x.data, shape=(prod(shape[:-1]), x.shape[-1]))
        return wrapped(F.reshape(F.fully_connected(rows, weight, bias), shape=shape), level)
    rows = F.reshape(x, shape=(prod(x.shape[:-1]), x.shape[-1]))
    y = F.reshape(F.dot(rows, weight, transpose_b=True), shape=shape[1:])
    return y if bias is None else F.add(y, bias)


def einsum(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    indices, _, result = attrs["subscripts"].partition("->")
    free = free_letter(indices + result)
    if free is None:
        return NotImplemented
    terms = [free * is_at(x, level) + term for x, term in zip(inputs, indices.split(","))]
    subscripts = f"{','.join(terms)}->{free}{result}"
    arrays = [x.data if is_at(x, level) else x for x in inputs]
    return call(name, level, arrays, {**attrs, "subscripts": subscripts})


# -------------------------------------------------------------------------------- windows


def _channels(x: Any, level: Level) -> Any:
    """(batch, examples * channels, ...)."""
    y = full(x, level)
    order = [1, 0, *range(2, y.ndim)]
    return F.reshape(
        F.transpose(y, axes=order), shape=(y.shape[1], y.shape[0] * y.shape[2], *y.shape[3:])
    )


def _of_channels(y: Any, level: Level) -> Any:
    """The reverse of `_channels`."""
    split = (y.shape[0], level.size, y.shape[1] // level.size, *y.shape[2:])
    y = F.reshape(y, shape=split)
    return wrapped(F.transpose(y, axes=[1, 0, *range(2, y.ndim)]), level)


def convolution(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """Convolutions and the gradient in the input: a weight for each example takes groups."""
    x, weight, bias = (*inputs, None)[:3]
    if not level.size or np.ndim(x) < 3 or not x.shape[0]:
        return NotImplemented
    rest = [] if name == "convolution_input_grad" else [bias]
    if not is_at(weight, level) and not is_at(bias, level):
        return unfolded(getattr(F, name)(folded(x, level), weight, *rest, **attrs), level)
    options = {**attrs, "num_group": given(name, attrs, "num_group") * level.size}
    rest = [folded(one, level) for one in rest]
    y = getattr(F, name)(_channels(x, level), folded(weight, level), *rest, **options)
    return _of_channels(y, level)


def weight_grad(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    out_grad, x = inputs
    if not level.size or not x.shape[0]:
        return NotImplemented
    options = {**attrs, "num_group": given(name, attrs, "num_group") * level.size}
    y = F.convolution_weight_grad(_channels(out_grad, level), _channels(x, level), **options)
    return wrapped(F.reshape(y, shape=(level.size, y.shape[0] // level.size, *y.shape[1:])), level)


# --------------------------------------------------------------------------- normalization


def along_axis(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """Normalization of lines along an axis, or of channels by given statistics."""
    x, *parameters = inputs
    if any(type(one) is Batched for one in parameters):
        return own_parameters(name, level, inputs, attrs)
    options = {**attrs, "axis": moved(given(name, attrs, "axis"), x.ndim)}
    return call(name, level, [x.data, *parameters], options)


def of_samples(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """Normalization of each sample of a batch."""
    x, *parameters = inputs
    if any(type(one) is Batched for one in parameters):
        return own_parameters(name, level, inputs, attrs)
    if not level.size or not x.shape[0]:
        return NotImplemented
    return unfolded(getattr(F, name)(folded(x, level), *parameters, **attrs), level)


def own_parameters(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """Normalization by parameters of each example: without them, then times gamma plus beta."""
    x, gamma, beta, *stats = inputs
    given_form = {key: given(name, attrs, key) for key in TABLE[name].attributes if key != "eps"}
    form = FORMS["batch_norm" if stats else name](x.shape, **given_form)
    rest: list[Any] = []
    if stats:
        mean, var = (F.reshape(one, shape=form.stats) for one in stats)
        r = F.rsqrt(F.add(var, np.asarray(given(name, attrs, "eps"), var.dtype)))
        y = F.multiply(F.subtract(x, mean), r)
    else:
        ones = beside(x, np.ones(gamma.shape, gamma.dtype))
        y, *rest = getattr(F, name)(x, ones, np.zeros_like(ones), **attrs)
        y = F.reshape(y, shape=form.x)
    y = F.multiply(y, F.reshape(gamma, shape=form.gamma))
    y = F.reshape(F.add(y, F.reshape(beta, shape=form.gamma)), shape=x.shape)
    return [y, *[wrapped(full(one, level), level) for one in rest]] if rest else y


# ---------------------------------------------------------------------------- matrices, draws


def matrices(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """What takes stacks of matrices."""
    ndims = {np.ndim(x) for x in inputs}
    if len(ndims) > 1 or min(ndims) < 2:
        return NotImplemented
    return call(name, level, [full(x, level) for x in inputs], attrs)


def diagonal(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """What takes values from the diagonal of two axes, or puts them there."""
    (x,) = inputs
    shape = attrs.get("shape", x.shape)
    both = {key: moved(given(name, attrs, key), len(shape)) for key in ("axis1", "axis2")}
    options = {**attrs, **both}
    if "shape" in attrs:
        options["shape"] = (level.size, *shape)
    return call(name, level, [x.data], options)


def drawn(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """The plain kernel, whose generator draws as `randomness` says."""
    return TABLE[name].fallback(*inputs, **attrs)


FAMILIES: dict[Any, str] = {
    new_last_axis: "one_hot inverse_gaps",
    diagonal: "diagonal place_diagonal",
    reduction: "sum mean max min prod nansum nanprod norm any all",
    all_values: "sum_squares",
    place: "argmax argmin",
    sum_to: "sum_to",
    restore: "restore",
    lines: """softmax log_softmax softmax_grad log_softmax_grad log_softmax_push sort order
        order_mask cumprod recurrence cross_entropy cross_entropy_grad pick take_along
        put_along log_sum_exp""",
    lines_of_shape: "pick_grad",
    reshape: "reshape",
    transpose: "transpose",
    expand_dims: "expand_dims",
    squeeze: "squeeze",
    broadcast_to: "broadcast_to",
    join: "concat stack",
    part: "split unstack",
    tile: "tile",
    pad: "pad pad_grad",
    dot: "dot",
    matmul: "matmul",
    batch_dot: "batch_dot",
    fully_connected: "fully_connected",
    einsum: "einsum",
    convolution: "convolution convolution_input_grad deconvolution",
    weight_grad: "convolution_weight_grad",
    along_axis: "layer_norm batch_norm_inference",
    of_samples: "instance_norm group_norm",
    getitem: "getitem",
    scatter_add: "scatter_add",
    setitem: "setitem",
    take: "take",
    take_grad: "take_grad",
    matrices: """tril triu cholesky inverse det slogdet lq eigh svd eig pinv cofactors solve
        solve_triangular""",
    drawn: "dropout_mask",
}
RULES.update(
    dict.fromkeys(
        DIAGONAL | FLAT | {"cast", "zeros_like", "ones_like", "stop_gradient"}, elementwise
    )
)
RULES.update(several(FAMILIES))
RULES.update(several(folding.FAMILIES))
