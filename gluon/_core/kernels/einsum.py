"""Sums over products of entries with common indices.

What can be a product of matrices is one, since BLAS multiplies ten times as fast as NumPy's loops.
Of more than two arrays, two are multiplied at a time.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .linalg import gemm

#: Up to this many products, NumPy's loops are faster than arranging matrices.
FEW = 1 << 12

Shapes = tuple[tuple[int, ...], ...]


class Plan(NamedTuple):
    """Two arrays as stacks of matrices, whose products hold the result.

    Attributes
    ----------
    swapped : bool
        Whether the second array is the left factor.
    left, right : tuple of int
        The axes of the factors in the order (stack, rows, inner) and (stack, inner, columns).
    stack, rows, inner : int
        How many axes these are.
    result : tuple of int
        The axes of the products (stack, rows, columns) in the order of the result.
    """

    swapped: bool
    left: tuple[int, ...]
    right: tuple[int, ...]
    stack: int
    rows: int
    inner: int
    result: tuple[int, ...]


def einsum(*xs: Any, subscripts: str, optimize: Any = False) -> Any:
    given, _, result = subscripts.partition("->")
    terms = given.split(",")
    lengths = {c: n for term, x in zip(terms, xs) for c, n in zip(term, x.shape)}
    if len(xs) == 1 or xs[0].dtype.kind not in "fV" or prod(lengths.values()) <= FEW:
        return np.einsum(subscripts, *xs, optimize=optimize)
    arrays = list(xs)
    for places in _order(subscripts, tuple(x.shape for x in xs), optimize):
        picked = [(terms.pop(k), arrays.pop(k)) for k in sorted(places, reverse=True)][::-1]
        wanted = "".join(terms) + result
        some = {c for term, _ in picked for c in term if c in wanted}
        into = "".join(sorted(some, key=wanted.index)) if terms else result
        terms.append(into)
        arrays.append(_multiply(picked, into))
    return arrays[0]


@lru_cache(maxsize=512)
def _order(subscripts: str, shapes: Shapes, optimize: Any) -> list[tuple[int, ...]]:
    """Return the positions of the arrays to multiply, for each step."""
    if len(shapes) == 2:
        return [(0, 1)]
    how = optimize if isinstance(optimize, str) else "greedy"
    empty = [np.broadcast_to(np.float32(0), shape) for shape in shapes]
    return np.einsum_path(subscripts, *empty, optimize=how)[0][1:]


def _multiply(picked: list[tuple[str, Any]], result: str) -> Any:
    """Return the sum of products of the picked arrays, computed by BLAS if there are two."""
    terms, arrays = map(list, zip(*picked))
    if len(arrays) == 2:
        for k, other in ((0, terms[1]), (1, terms[0])):
            # Take diagonals, and sum over indices that no other array has.
            own = "".join(c for c in dict.fromkeys(terms[k]) if c in other or c in result)
            if own != terms[k]:
                arrays[k], terms[k] = np.einsum(f"{terms[k]}->{own}", arrays[k]), own
        plan = _plan(*terms, result)
        a, b = arrays
        lengths = dict(zip(terms[0], a.shape))
        if plan and all(lengths.get(c, n) == n for c, n in zip(terms[1], b.shape)):
            return _by_matrices(*((b, a) if plan.swapped else (a, b)), plan)
    return np.einsum(f"{','.join(terms)}->{result}", *arrays)


@lru_cache(maxsize=512)
def _plan(a: str, b: str, result: str) -> Plan | None:
    """Plan a matrix product; None if NumPy's loops are as fast."""
    inner = [c for c in a if c in b and c not in result]
    stack = [c for c in result if c in a and c in b]
    rows, columns = ([c for c in result if c in own and c not in stack] for own in (a, b))
    if not inner or not (rows or columns):
        return None
    swapped = bool(columns) and (not rows or result.index(rows[-1]) > result.index(columns[-1]))
    if swapped:
        a, b, rows, columns = b, a, columns, rows
    made = [*stack, *rows, *columns]
    left = tuple(a.index(c) for c in [*stack, *rows, *inner])
    right = tuple(b.index(c) for c in [*stack, *inner, *columns])
    order = tuple(made.index(c) for c in result)
    return Plan(swapped, left, right, len(stack), len(rows), len(inner), order)


def _by_matrices(a: Any, b: Any, plan: Plan) -> Any:
    a, b = a.transpose(plan.left), b.transpose(plan.right)
    stack, middle = a.shape[: plan.stack], plan.stack + plan.rows
    rows, inner, columns = (
        a.shape[plan.stack : middle],
        a.shape[middle:],
        b.shape[plan.stack + plan.inner :],
    )
    n, m, k = prod(rows), prod(columns), prod(inner)
    y = gemm(_dense(a.reshape(*stack, n, k)), _dense(b.reshape(*stack, k, m)))
    return y.reshape(*stack, *rows, *columns).transpose(plan.result)


def _dense(x: Any) -> Any:
    """Return matrices in a layout that BLAS accepts: one axis must be contiguous."""
    return x if x.itemsize in x.strides[-2:] else np.ascontiguousarray(x)


def spread(x: Any, *, subscripts: str, shape: tuple[int, ...]) -> Any:
    """The transpose of `einsum` of one array of `shape`, every index of which the result has."""
    y = np.zeros(shape, x.dtype)
    np.einsum(subscripts, y)[...] = x
    return y
