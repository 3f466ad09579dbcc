"""Functions of functions keep the arguments of what they are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gluon import func, nd
from gluon.nd import NDArray


def loss(weight: NDArray, x: NDArray, scale: float = 1.0) -> NDArray:
    return (nd.dot(x, weight) ** 2).sum() * scale


w, x = nd.ones(2), nd.ones((3, 2))
slope: Any = func.grad(loss)(w, x, scale=2.0)
value, slopes = func.value_and_grad(loss, argnums=(0, 1))(w, x)
number: NDArray = value
taken: Callable[[NDArray, NDArray, float], Any] = func.jacrev(loss)
func.jacfwd(loss)(w, x)
func.hessian(loss)(w, x, 2.0)
func.elementwise_grad(loss)(w, x)
losses: NDArray = func.vmap(loss, in_axes=(None, 0))(w, x)
func.vmap(func.grad(loss), (None, 0))(w, x, scale=2.0)


def with_text(x: NDArray) -> tuple[NDArray, str]:
    return x * 2, "text"


moved, tangent = func.jvp(loss, (w, x), (w, x))
(moved + tangent).asnumpy()
moved, tangent, text = func.jvp(with_text, (x,), (x,), has_aux=True)
text.upper()
value, pull = func.vjp(loss, w, x)
of_w, of_x = pull(value)
value, pull, text = func.vjp(with_text, x, has_aux=True)
value, push = func.linearize(loss, w, x)
change: NDArray = push(w, x)
value, push, text = func.linearize(with_text, x, has_aux=True)
of_all, value = func.make_vjp(loss)(w, x, 2.0)
value, change = func.make_jvp(loss)(w, x)(w)
flag: bool = len(text) > 3
either: Any = func.vjp(with_text, x, has_aux=flag)


@func.custom_vjp
def twice(x: NDArray) -> NDArray:
    return x * 2


twice.defvjp(lambda x: (x * 2, None), lambda residuals, g: (g * 2,))
doubled: NDArray = twice(x)
leaves: list[Any] = func.tree.leaves({"w": w})
