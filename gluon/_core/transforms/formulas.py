"""The tangents of operators that are of no kind: each has a formula of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..engine.node import Node
from ..engine.op import KERNELS
from ..engine.pull import output
from ..kernels.activation import gamma_shape
from ..kernels.memory import beside
from ..kernels.reduce import kept_shape
from ..ops.decompose import minors
from ..ops.linalg import transposed as turned
from ..ops.sequence import moved
from .worlds import Tangents, as_raw, by_rule, given, in_form, is_float, of_dtype, total_of


def reduced(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """Each value of the input moves one value of the output, at the rate of its gradient."""
    if not is_float(out):
        return None
    slope = by_rule(F, node, 0, in_form(F, np.ones_like(out)))
    axis = attrs.get("axis", node.op.attributes.get("axis"))
    found = F.sum(F.multiply(tangents[0], slope), axis=axis)
    return of_dtype(F, F.reshape(found, shape=out.shape), out.dtype)


def extreme(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The sum of the tangents at the places of the extreme value: mostly of a single one."""
    x, tangent = inputs[0], tangents[0]
    if not (F is KERNELS and type(x) is type(tangent) is np.ndarray and x.ndim):
        return reduced(F, node, inputs, attrs, out, tangents)
    kept, count = kept_shape(given(node, attrs, "axis"), x.shape), out.size
    if not count:
        return np.zeros_like(out)
    order = sorted(range(x.ndim), key=lambda k: kept[k] != x.shape[k])  # what is reduced, last
    equal = (x == out.reshape(kept)).transpose(order).reshape(count, -1)
    tangent = tangent.transpose(order).reshape(count, -1)
    rows, places = np.arange(count), equal.argmax(1)
    if np.count_nonzero(equal) == count and equal[rows, places].all():
        return tangent[rows, places].reshape(out.shape)
    places = np.flatnonzero(equal)
    sums = np.bincount(places // equal.shape[1], tangent.ravel()[places], count)
    return sums.astype(out.dtype).reshape(out.shape)


def in_order(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The tangents in the order of the values."""
    how = {name: given(node, attrs, name) for name in ("axis", "is_ascend", "stable")}
    order = F.order(inputs[0], **how)
    return F.take_along(tangents[0], order, axis=how["axis"], unique=True)


def max_pool(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The tangent at the place of each maximum."""
    return F.max_pool_push(tangents[0], inputs[0], in_form(F, out), **attrs)


def log_softmax(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The tangent minus its mean by the probabilities."""
    axis, temperature = given(node, attrs, "axis"), attrs.get("temperature")
    tangent = tangents[0] if temperature in (None, 1) else tangents[0] * (1 / temperature)
    return F.log_softmax_push(tangent, in_form(F, out, node), axis=axis)


def softmax_grad(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """``p * (g - sum(g * p))``: bilinear, and quadratic in p."""
    (g, p), (of_g, of_p), axis = inputs, tangents, given(node, attrs, "axis")
    parts = [] if of_g is None else [F.softmax_grad(of_g, p, axis=axis)]
    if of_p is not None:
        parts.append(of_p * (g - _sum(F, g * p, axis)) - p * _sum(F, g * of_p, axis))
    return total_of(F, parts)


def log_softmax_grad(
    F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents
) -> Any:
    """``g - exp(log_p) * sum(g)``."""
    (g, log_p), (of_g, of_p), axis = inputs, tangents, given(node, attrs, "axis")
    parts = [] if of_g is None else [F.log_softmax_grad(of_g, log_p, axis=axis)]
    if of_p is not None:
        parts.append(-of_p * F.exp(log_p) * _sum(F, g, axis))
    return total_of(F, parts)


def log_softmax_push(
    F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents
) -> Any:
    """``t - sum(exp(log_p) * t)``, at each place of the axis."""
    (t, log_p), (of_t, of_p), axis = inputs, tangents, given(node, attrs, "axis")
    parts = [] if of_t is None else [F.log_softmax_push(of_t, log_p, axis=axis)]
    if of_p is not None:
        lost = -_sum(F, of_p * F.exp(log_p) * t, axis)
        parts.append(F.broadcast_to(lost, shape=out.shape))
    return total_of(F, parts)


def _sum(F: Any, x: Any, axis: int) -> Any:
    return F.sum(x, axis=axis, keepdims=True)


def prelu(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """As x, where it is positive; as the product with gamma elsewhere."""
    (x, gamma), (of_x, of_gamma) = inputs, tangents
    shape, parts = gamma_shape(gamma.shape, x.shape), []
    if of_x is not None:
        parts.append(F.where(x > 0, of_x, of_x * F.reshape(gamma, shape=shape)))
    if of_gamma is not None:
        parts.append(F.where(x > 0, 0.0, x * F.reshape(of_gamma, shape=shape)))
    return of_dtype(F, total_of(F, parts), out.dtype)


def cumprod(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """Without division: each product moves with its last factor, and with the one before."""
    axis, x = given(node, attrs, "axis"), inputs[0]
    if not x.shape[axis]:
        return tangents[0]
    before = moved(F, in_form(F, out, node), axis, 1, False)
    return F.recurrence(x, tangents[0] * before, axis=axis)


def recurrence(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The same recurrence of what enters at each place."""
    how = {name: given(node, attrs, name) for name in ("axis", "reverse")}
    of_a, of_b = tangents
    parts = [] if of_b is None else [of_b]
    if of_a is not None:
        before = moved(F, in_form(F, out, node), how["axis"], 0, how["reverse"])
        parts.append(of_a * before)
    return F.recurrence(inputs[0], total_of(F, parts, tangents), **how)


def frexp(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The mantissa changes by the same power of two; the exponent is piecewise constant."""
    return [F.ldexp(tangents[0], in_form(F, -out[1])), None]


# ------------------------------------------------------------------------ matrices


def solve(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The solution for what remains of the tangent of b."""
    return F.solve(inputs[0], _remaining(F, in_form(F, out, node), *tangents))


def solve_triangular(
    F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents
) -> Any:
    """The same; values of the other triangle have no effect."""
    of_a, of_b = tangents
    lower = given(node, attrs, "lower")
    if of_a is not None:
        of_a = F.tril(of_a) if lower else F.triu(of_a)
    rest = _remaining(F, in_form(F, out, node), of_a, of_b)
    return F.solve_triangular(inputs[0], rest, lower=lower)


def _remaining(F: Any, x: Any, of_a: Any, of_b: Any) -> Any:
    """``db - da x``, in which a tangent may be None."""
    if of_a is None:
        return of_b
    moved_away = F.matmul(of_a, x)
    return -moved_away if of_b is None else of_b - moved_away


def inverse(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """-y dx y."""
    y = in_form(F, out, node)
    return -F.matmul(F.matmul(y, tangents[0]), y)


def pinv(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """-y dx y + y y' dx' (1 - x y) + (1 - y x) dx' y' y, as the gradient rule."""
    x, y, dx = inputs[0], in_form(F, out, node), tangents[0]
    left = F.matmul(F.matmul(y, turned(F, y)), turned(F, dx))
    right = F.matmul(turned(F, dx), F.matmul(turned(F, y), y))
    left = left - F.matmul(F.matmul(left, x), y)
    right = right - F.matmul(y, F.matmul(x, right))
    return left + right - F.matmul(F.matmul(y, dx), y)


def cholesky(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """L phi(L^-1 dx L^-T), dx symmetric; phi is the lower triangle with half of the diagonal."""
    lower, dx = in_form(F, out, node), tangents[0]
    half = F.solve_triangular(lower, (dx + turned(F, dx)) * 0.5, lower=True)
    both = F.solve_triangular(lower, turned(F, half), lower=True)
    return F.matmul(lower, (F.tril(both, k=-1) + F.tril(both)) * 0.5)


def det(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The sum of the products with the gradient."""
    slope = by_rule(F, node, 0, in_form(F, np.ones_like(out)))
    return _over_matrices(F, tangents[0] * slope)


def slogdet(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The sum of the products with the gradient of the logarithm; the sign stays."""
    slope = by_rule(F, node, 0, (None, in_form(F, np.ones_like(out[1]))))
    return [None, _over_matrices(F, tangents[0] * slope)]


def _over_matrices(F: Any, x: Any) -> Any:
    return F.sum(x, axis=(x.ndim - 2, x.ndim - 1))


def lq(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """With s = L^-1 dx Q', what moves L is the lower half of s, and its upper half turned down."""
    q, lower = [in_form(F, one, output(node, k)) for k, one in enumerate(out)]
    rest = F.solve_triangular(lower, tangents[0], lower=True)
    s = F.matmul(rest, turned(F, q))
    down = F.tril(s) + turned(F, F.triu(s, k=1))
    return [rest - F.matmul(down, q), F.matmul(lower, down)]


def eigh(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The diagonal of U dx U', and U turned by the rest of it over the gaps of w."""
    u, w = [in_form(F, one, output(node, k)) for k, one in enumerate(out)]
    inner = F.matmul(F.matmul(u, (tangents[0] + turned(F, tangents[0])) * 0.5), turned(F, u))
    turns = turned(F, inner * F.inverse_gaps(w))
    return [F.matmul(turns, u), F.diagonal(inner, k=0, axis1=-2, axis2=-1)]


def svd(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The diagonal of p = U' dx V', both bases turned by the rest, and what leaves their spans.

    The rows of V are as in x = U diag(s) V.
    """
    u, s, v = [in_form(F, one, output(node, k)) for k, one in enumerate(out)]
    dx, gaps = tangents[0], F.inverse_gaps(s * s)
    row, column = F.expand_dims(s, axis=s.ndim - 1), F.expand_dims(s, axis=s.ndim)
    on_v, on_u = F.matmul(dx, turned(F, v)), F.matmul(turned(F, u), dx)
    p = F.matmul(on_u, turned(F, v))
    du = F.matmul(u, gaps * (p * row + turned(F, p) * column))
    dv = F.matmul(turned(F, gaps * (p * column + turned(F, p) * row)), v)
    if u.shape[-2] > u.shape[-1]:
        du = du + (on_v - F.matmul(u, p)) / row
    if v.shape[-1] > v.shape[-2]:
        dv = dv + (on_u - F.matmul(p, v)) / column
    return [du, F.diagonal(p, k=0, axis1=-2, axis2=-1), dv]


def eig(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The diagonal of V^-1 dx V, and V turned by the rest, without what changes lengths."""
    w, v = [in_form(F, one, output(node, k)) for k, one in enumerate(out)]
    inner = F.solve(v, F.matmul(tangents[0], v))
    dv = F.matmul(v, inner * F.inverse_gaps(w))
    dv = dv - v * F.sum(v * dv, axis=v.ndim - 2, keepdims=True)
    return [F.diagonal(inner, k=0, axis1=-2, axis2=-1), dv]


def cofactors(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The tangents of minors, each the sum of products with cofactors of its own."""
    x, dx = inputs[0], tangents[0]
    key, is_odd = minors(x.shape[-1])
    found = _over_matrices(F, F.cofactors(F.getitem(x, key=key)) * F.getitem(dx, key=key))
    return F.where(beside(as_raw(x), is_odd), -found, found)


def inverse_gaps(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """-y^2 times the tangents of the gaps."""
    y, dw = in_form(F, out, node), tangents[0]
    gaps = F.expand_dims(dw, axis=dw.ndim - 1) - F.expand_dims(dw, axis=dw.ndim)
    return -(y * y) * gaps


FORMULAS: Final[dict[str, Callable[..., Any]]] = {
    **dict.fromkeys(("max", "min"), extreme),
    "sort": in_order,
    **{
        one.__name__: one
        for one in (
            max_pool,
            log_softmax,
            softmax_grad,
            log_softmax_grad,
            log_softmax_push,
            prelu,
            cumprod,
            recurrence,
            solve,
            solve_triangular,
            inverse,
            pinv,
            cholesky,
            det,
            slogdet,
            lq,
            eigh,
            svd,
            eig,
            cofactors,
            inverse_gaps,
            frexp,
        )
    },
}
