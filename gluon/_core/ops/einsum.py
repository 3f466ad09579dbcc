"""The operator behind `np.einsum`."""

from __future__ import annotations

from typing import Any, Final

from ..engine.op import define
from ..kernels import einsum as kernels


def _einsum(F: Any, g: Any, xs: Any, needs: Any, subscripts: str, optimize: Any) -> list:
    """Return the gradient of each input: an einsum of the cotangent and the other inputs."""
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
    """Return the cotangent of an input of `shape` with indices `own`; `arrays` have `known`."""
    once = "".join(dict.fromkeys(own))
    found = "".join(c for c in once if any(c in term for term in known))
    grad = F.einsum(*arrays, subscripts=f"{','.join(known)}->{found}", optimize=optimize)
    # An index that is not found was summed over, so its gradient is constant along it. The same
    # holds for an index that broadcast with length 1.
    lengths = {**dict(zip(own, shape)), **{c: n for c, n in zip(found, grad.shape) if n != 1}}
    if found != once:
        given = dict(zip(found, grad.shape))
        grad = F.reshape(grad, shape=tuple([given.get(c, 1) for c in once]))
    full = tuple([lengths[c] for c in once])
    if grad.shape != full:
        grad = F.broadcast_to(grad, shape=full)
    if own != once:  # a repeated index selects a diagonal: the rest gets zeros
        grad = F.spread(grad, subscripts=f"{own}->{once}", shape=tuple([lengths[c] for c in own]))
    return grad if grad.shape == tuple(shape) else F.sum_to(grad, shape=tuple(shape))


einsum: Final = define(
    "einsum",
    kernels.einsum,
    "The sum over products of entries with common indices, which `subscripts` names",
    joint=_einsum,
)
spread: Final = define(
    "spread",
    kernels.spread,
    "The values of x on the diagonals of an array of `shape`, of which einsum takes them",
    x=lambda F, g, subscripts: F.einsum(g, subscripts=subscripts),
)
