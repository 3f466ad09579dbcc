"""Matrices: inverses, triangular systems and factors, by loops over their columns."""

from __future__ import annotations

from typing import Any

import numpy

from .builder import CONVERTERS, Call, Graph, converts
from .formula import Value, repeated
from .np_values import promoted


def _turned(x: Value, rank: int) -> Value:
    """Return the transposed matrices."""
    return x.call("Transpose", perm=[*range(rank - 2), rank - 1, rank - 2])


def _at(x: Value, place: Value, axis: int) -> Value:
    """Return one row (axis -2) or column (-1) of matrices."""
    g = max(x.g, place.g, key=lambda one: one.depth)
    line = Value(g, g.reshape(place.name, 1), place.dtype)
    return x.call("Gather", line, axis=axis)


def _places(g: Graph, count: int, axis: int) -> Value:
    """Return the indices of rows (axis -2) or columns (-1), as a column or a row."""
    line = numpy.arange(count)
    return Value(g, g.constant(line[:, None] if axis == -2 else line[None], "int64"), "int64")


def _cholesky(a: Value, n: int) -> Value:
    """Compute the lower triangular factor, column by column."""

    def turn(g: Graph, k: Value, states: list[Value]) -> tuple[None, list[Value]]:
        (root,) = states
        line = _at(root, k, -2)  # row k, which ends before the diagonal
        column = _at(a, k, -1) - (root * line).reduce("ReduceSum", [-1])
        column = column / _at(column, k, -2).call("Sqrt")
        own = (_places(g, n, -2) >= k) & _places(g, n, -1).equals(k)
        return None, [own.where(column, root)]

    return repeated(n, [_zeros(a)], turn)[0]


def _zeros(x: Value) -> Value:
    g = x.g
    zero = g.constant(0, x.dtype)
    return Value(g, g.add("Expand", zero, g.add("Shape", x.name)), x.dtype)


def _triangular(a: Value, b: Value, n: int, lower: bool) -> Value:
    """Solve a triangular system, row by row."""

    def turn(g: Graph, k: Value, states: list[Value]) -> tuple[None, list[Value]]:
        (x,) = states
        k = k if lower else n - 1 - k
        line = _at(a, k, -2)
        known = line.call("MatMul", x)
        row = (_at(b, k, -2) - known) / _at(line, k, -1)
        return None, [_places(g, n, -2).equals(k).where(row, x)]

    return repeated(n, [_zeros(b)], turn)[0]


def _solved(a: Value, b: Value, n: int) -> Value:
    """Solve a system by elimination, with the largest pivot in each turn."""
    both = a.g.add("Concat", a.name, b.name, axis=-1)

    def turn(g: Graph, k: Value, states: list[Value]) -> tuple[None, list[Value]]:
        (x,) = states
        rows = _places(g, n, -2)
        column = _at(x, k, -1)
        sizes = (rows < k).where(-1.0, column.call("Abs"))
        pivot = sizes.call("ArgMax", to="int64", axis=-2, keepdims=1)
        best = rows.equals(pivot).where(x, 0.0).reduce("ReduceSum", [-2])
        x = rows.equals(pivot).where(_at(x, k, -2), x)
        best = best / _at(best, k, -1)
        rest = x - _at(x, k, -1) * best
        return None, [rows.equals(k).where(best, rest)]

    (found,) = repeated(n, [Value(a.g, both, a.dtype)], turn)
    g = found.g
    return Value(g, g.slice(found.name, [n], [2**31 - 1], [-1]), a.dtype)


def _matrix(g: Graph, call: Call, k: int = 0) -> Value:
    """Cast a matrix to the precision of loops."""
    return Value(g, call.inputs[k], call.dtype(k)).cast("float64")


def _unit(a: Value, n: int) -> Value:
    """Return one identity matrix per matrix."""
    return _zeros(a) + Value(a.g, a.g.constant(numpy.eye(n), a.dtype), a.dtype)


@converts("_linalg_gelqf")
def _gelqf(g: Graph, call: Call) -> list[str]:
    """Q and L by Householder's reflections, with the signs that LAPACK's have."""
    a, rank, n, m = _matrix(g, call), call.ndim(), call.length(-2), call.length(-1)

    def turn(inner: Graph, k: Value, states: list[Value]) -> tuple[None, list[Value]]:
        x, q = states
        line, places = _at(x, k, -2), _places(inner, m, -1)
        here = places.equals(k)
        rest = (places > k).where(line, 0.0)
        head, tail = here.where(line, 0.0).reduce("ReduceSum", [-1]), rest * rest
        tail = tail.reduce("ReduceSum", [-1])
        size = (head * head + tail).call("Sqrt")
        end = head + (head < 0.0).where(-size, size)
        mirror = rest + here.where(end, 0.0)
        none = tail.equals(0.0)  # then the row stays as it is
        scale = none.where(0.0, 2 / none.where(1.0, end * end + tail))
        column = _turned(mirror, rank)
        x = x - x.call("MatMul", column) * scale * mirror
        return None, [x, q - column * scale * mirror.call("MatMul", q)]

    square = _turned(a, rank).call("MatMul", a)
    x, q = repeated(n, [a, _unit(square, m)], turn)
    below = numpy.tril(numpy.ones((n, n), bool))
    rows = Value(g, g.slice(x.name, [0], [n], [-1]), a.dtype)
    lower = Value(g, g.constant(below), bool).where(rows, 0.0)
    q = Value(g, g.slice(q.name, [0], [n], [-2]), a.dtype)
    return [one.cast(call.dtype()).name for one in (q, lower)]


def _lower(g: Graph, call: Call) -> tuple[Value, bool]:
    """Return the matrix, transposed if its upper triangle is meant, and whether it is."""
    upper = call.operator != "_npi_cholesky" and not call["lower"]
    a = _matrix(g, call)
    return (_turned(a, call.ndim()) if upper else a), upper


@converts("_linalg_potrf", "_npi_cholesky")
def _potrf(g: Graph, call: Call) -> str:
    a, upper = _lower(g, call)
    root = _cholesky(a, call.length(-1))
    return (_turned(root, call.ndim()) if upper else root).cast(call.dtype()).name


@converts("_linalg_potri")
def _potri(g: Graph, call: Call) -> str:
    root, n = _lower(g, call)[0], call.length(-1)
    inverse = _triangular(root, _unit(root, n), n, True)
    return _turned(inverse, call.ndim()).call("MatMul", inverse).cast(call.dtype()).name


@converts("_linalg_trsm")
def _trsm(g: Graph, call: Call) -> str:
    a, b = _matrix(g, call), _matrix(g, call, 1) * float(call["alpha"])
    n, rank, transpose = call.length(-1), call.ndim(), bool(call["transpose"])
    lower = bool(call["lower"]) != transpose
    turned = _turned(a, rank)
    if call["rightside"]:
        x = _triangular(a if transpose else turned, _turned(b, rank), n, not lower)
        return _turned(x, rank).cast(call.dtype()).name
    return _triangular(turned if transpose else a, b, n, lower).cast(call.dtype()).name


@converts("_linalg_inverse")
def _inverse(g: Graph, call: Call) -> str:
    a, n = _matrix(g, call), call.length(-1)
    return _solved(a, _unit(a, n), n).cast(call.dtype()).name


@converts("_npi_solve")
def _solve(g: Graph, call: Call) -> str:
    dtype = call.out_dtypes[0] or call.dtype()
    a, b = _matrix(g, call), _matrix(g, call, 1)
    vector = call.ndim(1) == 1
    b = b.unsqueeze(1) if vector else b
    x = _solved(a, b, call.length(-1)).cast(dtype).name
    return g.squeeze(x, -1) if vector else x


@converts("_npi_tensorinv")
def _tensor_inverse(g: Graph, call: Call) -> str:
    ind = int(call["ind"])
    shape = [call.length(k) for k in range(call.ndim())]
    n = int(numpy.prod(shape[ind:]))
    a = Value(g, g.reshape(call.inputs[0], n, n), call.dtype()).cast("float64")
    y = _solved(a, _unit(a, n), n).cast(call.out_dtypes[0] or call.dtype())
    return g.reshape(y.name, *shape[ind:], *shape[:ind])


@converts("_npi_tensorsolve")
def _tensor_solve(g: Graph, call: Call) -> str:
    dtype, x = call.out_dtypes[0] or call.dtype(), call.inputs[0]
    rank, axes = call.ndim(), call.values.get("a_axes")
    shape = [call.length(k) for k in range(rank)]
    if axes not in (None, ()):
        last = [int(k) % rank for k in (axes if isinstance(axes, (tuple, list)) else (axes,))]
        order = [k for k in range(rank) if k not in last] + last
        x, shape = g.add("Transpose", x, perm=order), [shape[k] for k in order]
    rest = shape[call.ndim(1) :]
    n = int(numpy.prod(rest))
    a = Value(g, g.reshape(x, n, n), call.dtype()).cast("float64")
    b = Value(g, g.reshape(call.inputs[1], n, 1), call.dtype(1)).cast("float64")
    return g.reshape(_solved(a, b, n).cast(dtype).name, *rest)


def _triangle(n: int, offset: int, lower: bool) -> Any:
    """Return the flat positions of a triangle: below a diagonal by rows, or above by columns."""
    rows, columns = numpy.tril_indices(n, -abs(offset))
    below = lower if offset == 0 else offset < 0
    return rows * n + columns if below else columns * n + rows


@converts("_linalg_extracttrian")
def _extracttrian(g: Graph, call: Call) -> str:
    n = call.length(-1)
    places = _triangle(n, int(call["offset"]), bool(call["lower"]))
    shape = g.slice(g.add("Shape", call.inputs[0]), [0], [call.ndim() - 2], [0])
    flat = g.add("Reshape", call.inputs[0], g.add("Concat", shape, g.ints(n * n), axis=0))
    return g.add("Gather", flat, g.constant(places, "int64"), axis=-1)


@converts("_linalg_maketrian")
def _maketrian(g: Graph, call: Call) -> str:
    count, rank, offset = call.length(-1), call.ndim(), int(call["offset"])
    n = int((numpy.sqrt(8 * count + 1) - 1) // 2) + abs(offset)
    places = numpy.full(n * n, count)
    places[_triangle(n, offset, bool(call["lower"]))] = numpy.arange(count)
    pads = g.ints(*[0] * (2 * rank - 1), 1)
    filled = g.add("Pad", call.inputs[0], pads, g.constant(0, call.dtype()))
    return g.add("Gather", filled, g.constant(places.reshape(n, n), "int64"), axis=-1)


def _lcm(g: Graph, a: Value, b: Value) -> Value:
    """Compute the least common multiple with Euclid's algorithm."""

    def turn(inner: Graph, k: Value, states: list[Value]) -> tuple[Value, list[Value]]:
        x, y = states
        none = y.equals(0)
        rest = none.where(0, x.call("Mod", none.where(1, y)))
        return (~rest.equals(0)).somewhere(), [none.where(x, y), rest]

    a, b = a.call("Abs"), b.call("Abs")
    shape = a + b
    divisor, _ = repeated(None, [a + shape * 0, b + shape * 0], turn)
    return divisor.equals(0).where(0, a.call("Div", divisor.call("Max", 1)) * b)


@converts("_npi_lcm", "_npi_lcm_scalar")
def _multiple(g: Graph, call: Call) -> str:
    call = promoted(g, call)
    dtype = call.dtype()
    values = [Value(g, name, dtype).cast("int64") for name in call.inputs]
    if len(values) == 1:
        values.append(values[0].like(int(call["scalar"])))
    return _lcm(g, *values).cast(dtype).name


CONVERTERS["khatri_rao"] = lambda g, call: _khatri_rao(g, call)


def _khatri_rao(g: Graph, call: Call) -> str:
    """Compute column-wise Kronecker products of two matrices."""
    total, *rest = call.inputs
    if not rest:
        return g.add("Identity", total)
    columns = call.length(1)
    for matrix in rest:
        product = g.add("Mul", g.unsqueeze(total, 1), g.unsqueeze(matrix, 0))
        total = g.reshape(product, -1, columns)
    return total
