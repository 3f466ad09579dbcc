"""The memory that a network from an ONNX file needs, as far as its shapes are known beforehand.

onnx can infer shapes too, but aborts the process for some damaged files.
"""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from math import prod
from typing import Any

import numpy

from .._core.errors import CAUSES, ArgumentError
from .files import dimensions, graphs, value_of
from .functions.table import DTYPES, MOST

#: Lengths of an array; None is unknown.
Shape = tuple[int | None, ...]
#: The code of the dtype that NumPy lacks.
BFLOAT16 = 16
#: Whole numbers of up to this count may be shapes or axes.
FEW = 64
#: Operators whose result has the shape that the inputs have when they are broadcast.
ALIKE = frozenset(
    """
    Abs Acos Acosh Add And Asin Asinh Atan Atanh BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor
    Cast Ceil Celu Clip Cos Cosh CumSum Div Dropout Elu Equal Erf Exp Floor Gelu Greater
    GreaterOrEqual HardSigmoid HardSwish Hardmax Identity IsInf IsNaN LeakyRelu Less LessOrEqual Log
    LogSoftmax Max Mean Min Mish Mod Mul Neg Not Or Pow Reciprocal Relu Round Selu Sigmoid Sign Sin
    Sinh Softmax Softplus Softsign Sqrt Sub Sum Swish Tan Tanh ThresholdedRelu Where Xor
    """.split()
)
#: Those of them whose result has the shape of the first input.
FIRST = frozenset(["Clip", "CumSum", "Dropout"])
#: Operators whose results may share the memory of their first input.
VIEWS = frozenset(
    "Cast Dropout Expand Flatten Identity Reshape Squeeze Transpose Unsqueeze".split()
)
#: Operators whose results are booleans.
TESTS = frozenset(
    "And Equal Greater GreaterOrEqual IsInf IsNaN Less LessOrEqual Not Or Xor".split()
)
#: The limit in bytes where the memory of the machine is unknown.
USUAL = 2**36


def memory() -> int:
    """The memory of the machine in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not on this platform
        return USUAL


class Known:
    """What is known of a graph's arrays beforehand, by their names.

    Parameters
    ----------
    graph : GraphProto
        A checked graph.
    around : Known, optional
        What is known of the surrounding graph.
    """

    shapes: ChainMap[str, Shape]
    widths: ChainMap[str, int]
    values: dict[str, list[int]]

    def __init__(self, graph: Any, around: Known | None = None) -> None:
        self.shapes = around.shapes.new_child() if around else ChainMap()
        self.widths = around.widths.new_child() if around else ChainMap()
        self.values = {}
        for one in graph.input:
            kind = one.type.tensor_type
            if kind.HasField("shape"):
                lengths = dimensions(kind.shape)
                shape = [n if isinstance(n, int) and n > 0 else None for n in lengths]
                self.put(one.name, shape, _width(kind.elem_type))
        for one in graph.initializer:
            self.constant(one.name, one)

    def put(self, name: str, shape: Iterable[int | None], width: int) -> None:
        """Keep the shape of an array, and the bytes of one value."""
        self.shapes[name], self.widths[name] = tuple(shape), width

    def constant(self, name: str, tensor: Any) -> None:
        """Keep the shape of a value in the file, and the value if it may be a shape."""
        self.put(name, tensor.dims, _width(tensor.data_type))
        if DTYPES.get(tensor.data_type) == "int64" and prod(tensor.dims) <= FEW:
            self.values[name] = [int(one) for one in numpy.ravel(value_of(tensor))]

    def bytes_of(self, name: str) -> int:
        """The bytes of an array, or fewer."""
        return prod(n for n in self.shapes[name] if n is not None) * self.widths[name]


def _width(kind: int) -> int:
    return 2 if kind == BFLOAT16 else numpy.dtype(DTYPES.get(kind, "bool")).itemsize


def check_sizes(graph: Any, around: Known | None = None) -> None:
    """Raise if arrays of known shapes are larger than any network needs, or than the machine.

    Parameters
    ----------
    graph : GraphProto
        A checked graph.
    around : Known, optional
        What is known of the surrounding graph.

    Raises
    ------
    ArgumentError
        If an array has more than ``2**31 - 1`` values, or the arrays that exist at one time need
        more memory than the machine has.
    """
    known = Known(graph, around)
    sizes: dict[str, int] = {}
    for node in graph.node:
        name = node.output[0] if node.output else ""
        if name and _infer(node, name, known):
            sizes[name] = 0 if node.op_type in VIEWS else known.bytes_of(name)
            shape = known.shapes[name]
            if prod(n for n in shape if n is not None) > MOST:
                raise ArgumentError(
                    f"import_model: {name!r} has the shape {shape}, with more than {MOST} values,"
                    " the most of a network; export it for a smaller batch or with open axes"
                )
        for each in node.attribute:
            for inner in [each.g] if each.HasField("g") else each.graphs:
                check_sizes(inner, known)
    _check_sum(graph, sizes)


def _infer(node: Any, name: str, known: Known) -> bool:
    """Find the shape of the result of a node; return whether it follows from the known ones."""
    kind = node.op_type
    if kind == "Constant":
        for each in node.attribute:
            if each.name == "value":
                known.constant(name, each.t)
        return False
    rule = _broadcast if kind in ALIKE else RULES.get(kind)
    given = node.input[:1] if kind in FIRST else [one for one in node.input if one]
    if rule is None or not given or not all(one in known.shapes for one in given):
        return False
    try:
        shapes = [known.shapes[one] for one in given]
        found = rule(node, shapes, [known.values.get(one) for one in given])
    except CAUSES:  # the shapes do not fit, which the operator itself says better
        return False
    width = max(known.widths[one] for one in given)
    if kind == "Cast":
        width = _width(_number(node, "to", 0))
    if found is not None:
        known.put(name, found, 1 if kind in TESTS else width)
    return found is not None


def _number(node: Any, name: str, default: int) -> int:
    return next((one.i for one in node.attribute if one.name == name), default)


def _broadcast(node: Any, given: list[Shape], values: Any) -> Shape:
    found = [max([n for n in column if n not in (None, 1)], default=None if None in column else 1)
             for column in zip_longest(*(shape[::-1] for shape in given), fillvalue=1)]  # fmt: skip
    return tuple(found[::-1])


def _matmul(node: Any, given: list[Shape], values: Any) -> Shape | None:
    one, other = given
    if len(one) < 2 or len(other) < 2:
        return None
    return (*_broadcast(node, [one[:-2], other[:-2]], values), one[-2], other[-1])


def _gemm(node: Any, given: list[Shape], values: Any) -> Shape:
    rows, columns = _number(node, "transA", 0), 1 - _number(node, "transB", 0)
    return given[0][rows], given[1][columns]


def _transpose(node: Any, given: list[Shape], values: Any) -> Shape:
    order: Sequence[int] = [k for one in node.attribute if one.name == "perm" for k in one.ints]
    return tuple(given[0][k] for k in order or range(len(given[0]))[::-1])


def _concat(node: Any, given: list[Shape], values: Any) -> Shape:
    axis, found = _number(node, "axis", 0), list(given[0])
    lengths = [shape[axis] for shape in given]
    found[axis] = None if None in lengths else sum(n for n in lengths if n is not None)
    return tuple(found)


def _expand(node: Any, given: list[Shape], values: Any) -> Shape | None:
    return None if values[1] is None else _broadcast(node, [given[0], tuple(values[1])], values)


def _tile(node: Any, given: list[Shape], values: Any) -> Shape | None:
    if values[1] is None:
        return None
    return tuple(None if n is None else n * k for n, k in zip(given[0], values[1]))


def _reshape(node: Any, given: list[Shape], values: Any) -> Shape | None:
    if values[1] is None or min(values[1], default=1) < 1:
        return None
    return tuple(values[1])


def _unsqueeze(node: Any, given: list[Shape], values: Any) -> Shape | None:
    axes = values[1] if len(values) > 1 else [k for one in node.attribute for k in one.ints]
    if axes is None:
        return None
    found, ndim = list(given[0]), len(given[0]) + len(axes)
    for axis in sorted(k % ndim for k in axes):
        found.insert(axis, 1)
    return tuple(found)


RULES: dict[str, Callable[[Any, list[Shape], Any], Shape | None]] = {
    "Concat": _concat,
    "Expand": _expand,
    "Gemm": _gemm,
    "MatMul": _matmul,
    "Reshape": _reshape,
    "Tile": _tile,
    "Transpose": _transpose,
    "Unsqueeze": _unsqueeze,
}


def _check_sum(graph: Any, sizes: Mapping[str, int]) -> None:
    """Raise if the results that exist at one time are too large.

    Each result exists until its last use.
    """
    last = {name: k for k, node in enumerate(graph.node) for name in _read(node)}
    last |= dict.fromkeys((one.name for one in graph.output), len(graph.node))
    limit, total = memory(), 0
    ends: dict[int, int] = {}
    for k, node in enumerate(graph.node):
        total -= ends.pop(k, 0)
        for name in node.output:
            size = sizes.get(name, 0) if name in last else 0
            total += size
            if total > limit:
                raise ArgumentError(
                    f"import_model: the network needs {total / 1e9:.1f} GB or more at {name!r}, and"
                    f" this machine has {limit / 1e9:.1f} GB; export it for a smaller batch or with"
                    " open axes"
                )
            if size:
                ends[last[name]] = ends.get(last[name], 0) + size


def _read(outer: Any) -> Iterator[str]:
    """Yield the names that a node reads, in the graphs inside of it too."""
    yield from outer.input
    for each in outer.attribute:
        for inner in (each.g, *each.graphs):
            for graph in graphs(inner):
                for node in graph.node:
                    yield from node.input
                yield from (one.name for one in graph.output)
