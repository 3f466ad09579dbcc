"""The operator behind `np.einsum`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.op import define
from ..kernels import einsum as kernels


def _einsum(F: Any, g: Any, xs: Any, needs: Any, subscripts: str, optimize: Any) -> list:
    """For each input the sum over the cotangent and the other inputs."""
    given, _, result = subscripts.partition("->")
    terms = given.split(",")
    grads: list = []
    for k, need in enumerate(needs):
        others = [*xs[:k], *xs[k + 1 :]]
        known = [result, *terms[:k], *terms[k + 1 :]]
        grads.append(
            _gradient(F, [g, *others], known, xs[k].shape, terms[k], optimize) if need else None
        )
    return grads


def _gradient(F: Any, arrays: list, known: list, shape: Any, own: str, optimize: Any) -> Any:
    """The cotangent of an input of `shape` with indices `own`; the `arrays` have the `known`."""
    found = "".join(c for c in dict.fromkeys(own) if any(c in term for term in known))
    grad = F.einsum(*arrays, subscripts=f"{','.join(known)}->{found}", optimize=optimize)
    # An index that is not found was summed over: all its places get the same. One that occurs
    # twice stands for a diagonal: places off it get nothing.
    first = [own.index(c) == k for k, c in enumerate(own)]
    lengths = dict(zip(found, grad.shape))
    spread = tuple([lengths.get(c, 1) if one else 1 for c, one in zip(own, first)])
    full = tuple([m if m != 1 else n for m, n in zip(spread, shape)])
    grad = F.broadcast_to(F.reshape(grad, shape=spread), shape=full)
    if not all(first):
        grad = F.where(_diagonal(own, full), grad, 0.0)
    return F.sum_to(grad, shape=tuple(shape))


def _diagonal(own: str, shape: tuple) -> Any:
    """Where the indices that are written with the same letter are equal."""
    places = np.indices(shape, sparse=True)
    mask = np.ones(shape, bool)
    for k, c in enumerate(own):
        mask &= places[k] == places[own.index(c)]
    return mask


einsum = define(
    "einsum",
    kernels.einsum,
    "The sum over products of entries with common indices, which `subscripts` names",
    joint=_einsum,
)
