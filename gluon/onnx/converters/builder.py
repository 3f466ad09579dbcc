"""An ONNX graph under construction, and the table of converters that write to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy

from ..._core.arrays.switch import is_np_shape
from ..._core.errors import ArgumentError
from ...symbol.node import GraphNode
from ..files import package
from ..functions.table import DTYPES

#: The newest file format that all common runtimes read.
IR_VERSION = 8
#: The oldest opset that converters write.
OLDEST = 13
Converter = TypeVar("Converter", bound=Callable[..., Any])
#: The codes of dtypes in ONNX files.
CODES = {name: code for code, name in DTYPES.items()}
#: Maps operators of symbols to ``converter(graph, call)``, which returns names of values.
CONVERTERS: dict[str, Callable[[Graph, Call], Any]] = {}


def described(name: str, dtype: Any, shape: Sequence[int | str | None] | None) -> Any:
    """What an ONNX graph says of an input or output; open lengths are None, below 0 or names."""
    lengths = None
    if shape is not None:
        lengths = [f"{name}_{k}" if n is None or n == -1 else n for k, n in enumerate(shape)]
    code = CODES[numpy.dtype(dtype or "float32").name]
    return package().helper.make_tensor_value_info(name, code, lengths)


def converts(*names: str) -> Callable[[Converter], Converter]:
    """Enter a converter in the table for some operators of symbols."""

    def enter(function: Converter) -> Converter:
        CONVERTERS.update(dict.fromkeys(names, function))
        return function

    return enter


class Graph:
    """Nodes and values of an ONNX graph.

    Parameters
    ----------
    opset : int
        The version of ONNX's operators to write.
    domains : dict of str to int, optional
        The versions of the operators of other domains that are written.

    Attributes
    ----------
    depth : int
        How many graphs it is inside of.
    origins : dict of GraphNode to list
        The lengths of zeros of which some are open: a number, or an input and its axis.
    """

    depth: int
    domains: dict[str, int]
    nodes: list[Any]
    opset: int
    origins: dict[GraphNode, list[int | tuple[str, int]]]
    values: dict[str, Any]

    def __init__(self, opset: int, domains: dict[str, int] | None = None) -> None:
        self.opset, self.domains = opset, {} if domains is None else domains
        self.nodes, self.values, self.origins, self.depth = [], {}, {}, 0
        self._constants: dict[Any, str] = {}
        self._taken: set[str] = set()
        self._prefix = ""

    def begin(self, prefix: str) -> str:
        """Name the following nodes after a node of the symbol; returns the previous node."""
        self._prefix, before = prefix, self._prefix
        return before

    def reserve(self, name: str) -> str:
        """Reserve a name that the symbol uses."""
        self._taken.add(name)
        return name

    def fresh(self, hint: str) -> str:
        """An unused name."""
        base = name = f"{self._prefix}_{hint}" if self._prefix else hint
        count = 0
        while name in self._taken:
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        return name

    def inner(self) -> Graph:
        """A graph inside of a node, which shares names and constants with this one."""
        one = Graph(self.opset, self.domains)
        one.values, one._constants, one._taken = self.values, self._constants, self._taken
        one.depth = self.depth + 1
        return one

    def body(self) -> Graph:
        """An inner graph that is a part of the same node of the symbol, which names begin with."""
        one = self.inner()
        one._prefix = self._prefix
        return one

    def several(self, kind: str, outputs: int, *inputs: str, **attrs: Any) -> list[str]:
        """Add a node; the names of its outputs."""
        names = [self.fresh(kind.lower()) for _ in range(outputs)]
        given = {key: one for key, one in attrs.items() if one is not None}
        self.nodes.append(package().helper.make_node(kind, inputs, names, names[0], **given))
        return names

    def add(self, kind: str, *inputs: str, **attrs: Any) -> str:
        """Add a node; the name of its output."""
        return self.several(kind, 1, *inputs, **attrs)[0]

    def constant(self, value: Any, dtype: Any = None) -> str:
        """The name of a value in the file; equal values are written once."""
        array = numpy.asarray(value, dtype)
        key = (array.tobytes(), array.dtype.str, array.shape)
        if key not in self._constants:
            before = self.begin("")
            self._constants[key] = name = self.fresh("constant")
            self.begin(before)
            self.values[name] = array
        return self._constants[key]

    def ints(self, *values: Any) -> str:
        """Integers as an input of a node."""
        return self.constant(numpy.array(values, "int64"))

    def cast(self, x: str, dtype: Any) -> str:
        """A conversion of `x`."""
        return self.add("Cast", x, to=CODES[numpy.dtype(dtype).name])

    def reduce(self, kind: str, x: str, axes: Sequence[int], keepdims: bool) -> str:
        """A reduction: its axes became an input with opset 18, those of ReduceSum with 13."""
        if self.opset >= 18 or kind == "ReduceSum":
            return self.add(kind, x, self.ints(*axes), keepdims=int(keepdims))
        return self.add(kind, x, axes=list(axes), keepdims=int(keepdims))

    def unsqueeze(self, x: str, *axes: int) -> str:
        """`x` with new axes of length 1."""
        return self.add("Unsqueeze", x, self.ints(*axes))

    def squeeze(self, x: str, *axes: int) -> str:
        """`x` without axes of length 1."""
        return self.add("Squeeze", x, self.ints(*axes))

    def length(self, x: str, axis: int) -> str:
        """The length of an axis of `x`, as an array of one value."""
        return self.add("Gather", self.add("Shape", x), self.ints(axis), axis=0)

    def places(self, x: str, axis: int) -> str:
        """The indices of `x` along an axis: 0, 1, 2 and so on."""
        return self.count(self.squeeze(self.length(x, axis), 0))

    def count(self, length: str) -> str:
        """The integers below `length`."""
        zero, one = (self.constant(value, "int64") for value in (0, 1))
        return self.add("Range", zero, length, one)

    def with_axis(self, y: str, rank: int) -> str:
        """`y`, with an axis if it is a single value: MXNet's arrays have at least one."""
        return self.reshape(y, 1) if rank == 0 and not is_np_shape() else y

    def reshape(self, x: str, *lengths: int) -> str:
        """`x` in another shape, where 0 keeps a length and -1 infers one."""
        return self.add("Reshape", x, self.ints(*lengths))

    def slice(
        self,
        x: str,
        starts: Sequence[int],
        ends: Sequence[int],
        axes: Sequence[int],
        steps: Any = None,
    ) -> str:
        """A part of `x`."""
        more = () if steps is None else (self.ints(*steps),)
        return self.add("Slice", x, self.ints(*starts), self.ints(*ends), self.ints(*axes), *more)

    def split(self, x: str, lengths: Sequence[int], axis: int) -> list[str]:
        """`x` in parts."""
        return self.several("Split", len(lengths), x, self.ints(*lengths), axis=axis)

    def rename(self, first: int, old: str, new: str) -> None:
        """Give a value another name, in the nodes from `first` on."""
        for node in self.nodes[first:]:
            for names in (node.input, node.output):
                for k, name in enumerate(names):
                    if name == old:
                        names[k] = new


class Call:
    """A node of a symbol, for a converter.

    Attributes
    ----------
    inputs : list of str
        The names of its inputs in the ONNX graph.
    shapes : list of tuple of int or None
        Those of the inputs, with -1 for an open length.
    dtypes : list of dtype or None
    out_shapes, out_dtypes
        Those of the outputs.
    values : dict
        The arguments, defaults included.
    """

    inputs: list[str]
    node: GraphNode
    out_dtypes: list[Any]
    out_shapes: list[Any]
    shapes: list[Any]
    dtypes: list[Any]
    values: dict[str, Any]

    def __init__(self, node: GraphNode, inputs: list[str], shapes: Any, dtypes: Any) -> None:
        assert node.op is not None
        self.node, self.inputs = node, inputs
        self.values = {**node.op.attributes, **node.values}
        self.shapes = [shapes[source][k] for source, k in node.inputs]
        self.dtypes = [dtypes[source][k] for source, k in node.inputs]
        self.out_shapes, self.out_dtypes = shapes[node], dtypes[node]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def operator(self) -> str:
        """The name of the operator."""
        assert self.node.op is not None
        return self.node.op.name

    def input(self, name: str) -> str | None:
        """The input with that name; None if it is left out."""
        names = self.node.input_names
        return self.inputs[names.index(name)] if name in names else None

    def dtype(self, k: int = 0) -> Any:
        """The dtype of an input; float32 by default."""
        found = self.dtypes[k]
        return numpy.dtype("float32") if found is None else numpy.dtype(found)

    def ndim(self, k: int = 0) -> int:
        """The number of axes of an input."""
        if self.shapes[k] is None:
            raise self.unsupported(f"the number of axes of input {k} must be known; pass in_shapes")
        return len(self.shapes[k])

    def length(self, axis: int, k: int = 0) -> int:
        """The length of an axis of an input."""
        self.ndim(k)
        if self.shapes[k][axis] < 0:
            raise self.unsupported(
                f"the length of axis {axis} of input {k} must not be dynamic; give a number in"
                " dynamic_input_shapes"
            )
        return self.shapes[k][axis]

    def size(self, g: Graph, axis: int, k: int = 0) -> str:
        """The length of an axis of an input in the graph, where it may be open."""
        self.ndim(k)
        if self.shapes[k][axis] < 0:
            return g.squeeze(g.length(self.inputs[k], axis), 0)
        return g.constant(self.shapes[k][axis], "int64")

    def axis(self, name: str = "axis", k: int = 0) -> int:
        """An argument that is an axis, from the front."""
        return int(self[name]) % self.ndim(k)

    def unsupported(self, why: str) -> ArgumentError:
        """The error for operators that ONNX cannot express or gluon does not write."""
        return ArgumentError(f"export_model: {self.operator} {self.node.name!r}: {why}")
