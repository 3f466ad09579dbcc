"""``megengine.core.ops.builtin``: the operators, and `apply`, which runs them.

Each line of `OPERATORS` describes a class: its name, its settings with their defaults, and the
function of the operator and its tensors that computes it. Enumerations are strings in capitals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..._core.errors import ArgumentError, DTypeError
from .. import functional
from ..functional.modes import ELEMWISE
from ..interfaces import as_tensor, cast
from ..tensor import Tensor

#: Stands for an axis, or an end of it, that is not given.
OPEN = 2147483647
NO_AXIS = 7


class Mode(str):
    """One of the values of a setting."""

    __slots__ = ("owner",)
    owner: str

    def __repr__(self) -> str:
        return f"{self.owner}.{self.upper()}"


class Modes(type):
    """The class of the values of a setting: ``Elemwise.Mode.ADD``."""

    def __getattr__(cls, name: str) -> Mode:
        if not name.isupper() and not name[:1].isupper():
            raise AttributeError(name)
        found = Mode(name)
        found.owner = cls.__qualname__
        return found


def values_of(setting: str) -> str:
    """The name of the class with the values of a setting: ``ComputeMode`` of ``compute_mode``."""
    return "".join(part[:1].upper() + part[1:] for part in setting.split("_"))


class OpDef:
    """An operator with its settings, for `apply`."""

    settings: dict[str, Any] = {}  # noqa: RUF012  (each subclass has its own)
    scope = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kind = type(self).__name__
        given = dict(zip(self.settings, args), **kwargs)
        if unknown := set(given) - set(self.settings):
            names = ", ".join(self.settings) or "none"
            raise DTypeError(f"{kind} has no setting {min(unknown)!r}; it has {names}")
        for name, value in {**self.settings, **given}.items():
            default = self.settings[name]
            if isinstance(default, str) and default.isupper() and isinstance(value, str):
                value = getattr(getattr(type(self), values_of(name)), value.upper())
            setattr(self, name, value)

    def run(self, *inputs: Any) -> Any:
        """Compute the results; subclasses define it."""
        raise NotImplementedError

    def _key(self) -> tuple:
        return type(self), tuple(str(getattr(self, name)) for name in self.settings)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpDef) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return str(getattr(self, "mode", type(self).__name__))


def apply(op: Any, *inputs: Any) -> tuple[Any, ...]:
    """Run an operator on tensors, and return a tuple of its results."""
    if not isinstance(op, OpDef):
        raise DTypeError(f"apply: {op!r} is not an operator of megengine.core.ops.builtin")
    found = op.run(*[as_tensor(one) for one in inputs])
    return tuple(found) if isinstance(found, (list, tuple)) else (found,)


def _elemwise(op: Any, *inputs: Any) -> Any:
    if op.mode not in ELEMWISE:
        raise ArgumentError(f"Elemwise: mode {str(op.mode)!r} is unsupported")
    return ELEMWISE[op.mode](*inputs)


REDUCE = {
    "SUM": functional.sum,
    "MEAN": functional.mean,
    "MAX": functional.max,
    "MIN": functional.min,
    "PRODUCT": functional.prod,
    "SUM_SQR": lambda x, *given: functional.sum(x * x, *given),
}


def _reduce(op: Any, x: Any, *shape: Any) -> Any:
    if op.axis == OPEN:
        return REDUCE[op.mode](functional.flatten(x), 0, True)
    return REDUCE[op.mode](x, op.axis, op.keepdim)


def _pair(op: Any, name: str, letters: str = "hw") -> tuple:
    return tuple(getattr(op, f"{name}_{letter}") for letter in letters)


def _window(op: Any, letters: str = "hw") -> dict[str, Any]:
    """Convert the settings of a convolution to arguments of its function."""
    return {
        "stride": _pair(op, "stride", letters),
        "padding": _pair(op, "pad", letters),
        "dilation": _pair(op, "dilate", letters),
    }


def _groups(op: Any, weight: Any, spatial: int) -> int:
    return weight.shape[0] if weight.ndim == spatial + 3 else 1


def _convolution(spatial: int) -> Callable:
    letters, function = ("hw", functional.conv2d) if spatial == 2 else ("dhw", functional.conv3d)

    def run(op: Any, x: Any, weight: Any) -> Any:
        return function(x, weight, groups=_groups(op, weight, spatial), **_window(op, letters))

    return run


def _transposed(op: Any, weight: Any, x: Any, *shape: Any) -> Any:
    return functional.conv_transpose2d(x, weight, groups=_groups(op, weight, 2), **_window(op))


def _pooling(op: Any, x: Any) -> Any:
    window, stride, padding = (_pair(op, one) for one in ("window", "stride", "pad"))
    if op.mode == "MAX":
        return functional.max_pool2d(x, window, stride, padding)
    mode = "average_count_exclude_padding" if "EXCLUDE" in op.mode else "average"
    return functional.avg_pool2d(x, window, stride, padding, mode)


def _shape(op: Any, shape: tuple) -> list[int]:
    """Read a shape from a setting or a tensor."""
    return [int(one) for one in (shape[0].tolist() if shape else op.shape)]


def _indices(op: Any, given: tuple, items: list) -> Any:
    """Build an index; an item is an axis and the given parts of its slice."""
    values, found = list(given), {}
    for axis, *there in items:
        taken = [values.pop(0).item() if one else None for one in there[:3]]
        found[axis] = values.pop(0) if there[3] else slice(*taken)
    return tuple(found.get(axis, slice(None)) for axis in range(max(found) + 1))


def _subtensor(op: Any, x: Any, *given: Any) -> Any:
    return x[_indices(op, given, op.items)]


def _set_subtensor(op: Any, x: Any, value: Any, *given: Any) -> Any:
    found = as_tensor(x) + 0
    found[_indices(op, given, op.items)] = value
    return found


def _dimshuffle(op: Any, x: Any) -> Any:
    kept = [one for one in op.pattern if one >= 0]
    turned = functional.transpose(x, kept)
    for place, one in enumerate(op.pattern):
        if one < 0:
            turned = functional.expand_dims(turned, place)
    return turned


def _split(op: Any, x: Any, *places: Any) -> Any:
    sizes = [one.item() for one in places]
    where = np.cumsum(sizes)[:-1].tolist() if sizes else op.nsections
    return functional.split(x, where, op.axis)


def _topk(op: Any, x: Any, k: Any) -> Any:
    count = k.item()
    found = functional.topk(x, abs(count), count < 0, kth_only=op.mode == "KTH_ONLY")
    return found


def _add_axes(op: Any, x: Any) -> Any:
    for axis in op.axis:
        x = functional.expand_dims(x, axis)
    return x


def _remove_axes(op: Any, x: Any) -> Any:
    for axis in op.axis:  # each axis counts after the removal of those before it
        x = functional.squeeze(x, axis)
    return x


def _sort(op: Any, x: Any) -> Any:
    descending = op.order == "DESCENDING"
    return functional.sort(x, descending)


def _fill(op: Any, shape: Any) -> Any:
    return functional.full(shape.tolist(), op.value, dtype=op.dtype or "float32")


_CONV = {
    **{"mode": "CROSS_CORRELATION", "pad_h": 0, "pad_w": 0, "stride_h": 1, "stride_w": 1},
    **{"dilate_h": 1, "dilate_w": 1, "sparse": "DENSE", "format": "NCHW"},
    **{"compute_mode": "DEFAULT", "strategy": "HEURISTIC", "dtype": None},
}
_CONV3D = {
    **{"mode": "CROSS_CORRELATION", "pad_d": 0, "pad_h": 0, "pad_w": 0, "stride_d": 1},
    **{"stride_h": 1, "stride_w": 1, "dilate_d": 1, "dilate_h": 1, "dilate_w": 1},
    **{"sparse": "DENSE", "data_type": "FLOAT", "format": "NCDHW", "strategy": "HEURISTIC"},
}
_POOL = {
    **{"mode": "MAX", "pad_h": 0, "pad_w": 0, "stride_h": 2, "stride_w": 2, "window_h": 2},
    **{"window_w": 2, "format": "NCHW", "strategy": "HEURISTIC"},
}
_MATMUL = {
    **{"transposeA": False, "transposeB": False, "compute_mode": "DEFAULT", "format": "DEFAULT"},
    **{"strategy": "HEURISTIC", "dimA": 0, "dimB": 0},
}


def _matmul(op: Any, a: Any, b: Any) -> Any:
    return functional.matmul(a, b, op.transposeA, op.transposeB)


#: class -> (its settings, what it computes)
OPERATORS: dict[str, tuple[dict[str, Any], Callable[..., Any]]] = {
    "AddAxis": ({"axis": []}, _add_axes),
    "Argmax": ({"axis": 0}, lambda op, x: functional.argmax(x, op.axis, True)),
    "Argmin": ({"axis": 0}, lambda op, x: functional.argmin(x, op.axis, True)),
    "Argsort": ({"order": "ASCENDING"}, _sort),
    "BatchedMatrixMul": (_MATMUL, _matmul),
    "Broadcast": ({"shape": []}, lambda op, x, *s: functional.broadcast_to(x, _shape(op, s))),
    "Concat": (
        {"axis": 0, "comp_node": None},
        lambda op, *xs: functional.concat(list(xs), op.axis),
    ),
    "CondTake": ({}, lambda op, x, mask: functional.cond_take(mask, x)),
    "Convolution": (_CONV, _convolution(2)),
    "Convolution3D": (_CONV3D, _convolution(3)),
    "ConvolutionBackwardData": (_CONV, _transposed),
    "Copy": ({"comp_node": None}, lambda op, x: functional.copy(x)),
    "Cumsum": (
        {"axis": OPEN, "exclusive": True, "reverse": False},
        lambda op, x: _cumulated(op, x),
    ),
    "Diag": ({"k": 0}, lambda op, x: functional.diag(x, op.k)),
    "Dimshuffle": ({"pattern": []}, _dimshuffle),
    "Dot": ({}, lambda op, a, b: functional.dot(a, b)),
    "Elemwise": ({"mode": "RELU"}, _elemwise),
    "FastpathCopy": ({}, lambda op, x: x),
    "Fill": ({"value": 0.0, "dtype": None, "comp_node": None}, _fill),
    "FillLike": (
        {"value": 0.0, "comp_node": None},
        lambda op, x: functional.full_like(x, op.value),
    ),
    "GetVarShape": ({"axis": NO_AXIS}, lambda op, *xs: _shape_of(op, xs)),
    "Identity": ({}, lambda op, x: functional.copy(x)),
    "IndexingOneHot": (
        {"axis": 0, "ndim": 0},
        lambda op, x, index: functional.indexing_one_hot(x, index, op.axis, True),
    ),
    "Linspace": (
        {"endpoint": True, "comp_node": None},
        lambda op, a, b, n: functional.linspace(a.item(), b.item(), n.item()),
    ),
    "LRN": (
        {"n": 5, "k": 2.0, "alpha": 1e-4, "beta": 0.75},
        lambda op, x: functional.local_response_norm(x, op.n, op.k, op.alpha, op.beta),
    ),
    "MatrixInverse": ({}, lambda op, x: functional.matinv(x)),
    "MatrixMul": (_MATMUL, _matmul),
    "PixelShuffle": ({"factor": 0}, lambda op, x: functional.pixel_shuffle(x, op.factor)),
    "Pooling": (_POOL, _pooling),
    "Reduce": (
        {"mode": "SUM", "axis": OPEN, "data_type": "DEFAULT", "keepdim": True},
        _reduce,
    ),
    "RemoveAxis": ({"axis": []}, _remove_axes),
    "Reshape": (
        {"axis": NO_AXIS, "shape": []},
        lambda op, x, *s: functional.reshape(x, _shape(op, s)),
    ),
    "SetSubtensor": ({"items": [], "slice_items": []}, _set_subtensor),
    "Softmax": ({"axis": -1}, lambda op, x: functional.softmax(x, op.axis)),
    "Split": ({"axis": 0, "nsections": 0}, _split),
    "Stack": ({"axis": 0, "comp_node": None}, lambda op, *xs: functional.stack(list(xs), op.axis)),
    "Subtensor": ({"items": [], "slice_items": []}, _subtensor),
    "SVD": (
        {"full_matrices": False, "compute_uv": True},
        lambda op, x: functional.svd(x, op.full_matrices, op.compute_uv),
    ),
    "TopK": ({"mode": "KTH_ONLY"}, _topk),
    "TypeCvt": ({"dtype": None}, lambda op, x: cast(x, op.dtype)),
}


def _cumulated(op: Any, x: Any) -> Any:
    """Sum along an axis before, or after, each position."""
    turned = x[(slice(None),) * op.axis + (slice(None, None, -1),)] if op.reverse else x
    found = functional.cumsum(turned, op.axis)
    found = found - turned if op.exclusive else found
    return found[(slice(None),) * op.axis + (slice(None, None, -1),)] if op.reverse else found


def _shape_of(op: Any, inputs: tuple) -> Any:
    shape = np.broadcast_shapes(*(one.shape for one in inputs))
    return Tensor(np.array(shape if op.axis == NO_AXIS else [shape[op.axis]], "int32"))


def _made(name: str, settings: dict[str, Any], compute: Callable) -> type[OpDef]:
    """Create the class of an operator."""
    inside: dict[str, Any] = {
        **settings,
        "settings": settings,
        "workspace_limit": 2**64 - 1,
        "run": lambda self, *inputs: compute(self, *inputs),
        "__doc__": f"The operator `{name}`, for `apply`.",
        "__module__": __name__,
    }
    for one, default in settings.items():
        if isinstance(default, str) and default.isupper():
            kind = values_of(one)
            inside[kind] = Modes(kind, (), {"__qualname__": f"{name}.{kind}"})
    return type(name, (OpDef,), inside)


_CLASSES = {name: _made(name, *line) for name, line in OPERATORS.items()}


def __getattr__(name: str) -> type[OpDef]:
    if name in _CLASSES:
        return _CLASSES[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
