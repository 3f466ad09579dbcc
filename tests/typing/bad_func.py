"""Mistakes with functions of functions: type checkers report each line that is marked, no other."""

from __future__ import annotations

from gluon import func, nd
from gluon.nd import NDArray


def loss(weight: NDArray, x: NDArray, scale: float = 1.0) -> NDArray:
    return (nd.dot(x, weight) ** 2).sum() * scale


w, x = nd.ones(2), nd.ones((3, 2))
func.grad(loss)(w)  # error
func.grad(loss)(w, x, scael=1.0)  # error
func.value_and_grad(loss)(w, "x")  # error
func.vmap(loss)(w, x, 1.0, 2.0)  # error
func.jacfwd(3)  # error
func.gard(loss)  # error
moved, tangent = func.jvp(loss, (w, x), (w, x))
moved.asnunpy()  # error
moved, tangent, more = func.jvp(loss, (w, x), (w, x))  # error
func.vjp(loss, w, x)[0].asnunpy()  # error
func.linearize(loss, w, x)[1](w, x).asnunpy()  # error
func.make_jvp(loss)(w)  # error
func.make_vjp(loss)(w, x)[1].asnunpy()  # error
func.jvp(loss, (w, x))  # error


@func.custom_vjp
def twice(x: NDArray) -> NDArray:
    return x * 2


twice(3, 4)  # error
