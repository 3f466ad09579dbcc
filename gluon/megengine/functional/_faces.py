"""How functions are made of operators: a prototype and a factory for each kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ..._core.engine.array import Array
from ..._core.errors import DTypeError
from ..._core.faces.face import Face
from ..interfaces import cast, operands
from ._checked import WRONG, explained

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

T = TypeVar("T", bound=Callable[..., Any])

MEGENGINE = Face(
    "gluon.megengine.functional",
    "from gluon.megengine import Tensor, functional as F",
    "F.{name}({given})",
    "Tensor({result}, device=xpux:0)",
    rounds=False,
)
#: What the examples of most functions of two tensors are given.
PAIR = "Tensor([1.0, 2.0]), Tensor([2.0, 2.0])"
#: What an operator takes: in words, the kinds of dtypes, and whether the rest becomes float32.
TAKES = {
    "floats": ("Integers count as float32.", "biufV", True),
    "numbers": ("The dtype stays; bool is an error.", "iufV", False),
    "whole": ("Of integers.", "iu", False),
    "flags": ("Of dtype bool.", "b", False),
    "anything": ("Of any dtype; the result is bool.", "biufV", False),
}


def of_x(x: ArrayLike) -> Tensor:
    """A function of each value.

    {takes}
    """
    raise NotImplementedError


def of_inp(inp: ArrayLike) -> Tensor:
    """The same with the other name that MegEngine gives to the argument.

    {takes}
    """
    raise NotImplementedError


def of_two(x: ArrayLike, y: ArrayLike) -> Tensor:
    """A function of two values, of tensors that broadcast.

    {takes}
    """
    raise NotImplementedError


def over_axes(
    inp: ArrayLike, axis: int | Sequence[int] | None = None, keepdims: bool = False
) -> Tensor:
    """A function of the values along `axis`, which is one, several, or by default all.

    If `keepdims` is true, the reduced axes stay with length 1.
    """
    raise NotImplementedError


def unary(
    name: str, like: T, op: Callable[..., Any], takes: str, given: str, result: str, title: str = ""
) -> T:
    """A function of one tensor, `of_x` or `of_inp`; see `TAKES`."""
    words, kinds, floats = TAKES[takes]

    def of(x: Any) -> Any:
        try:
            (x,) = operands(x, floats=floats)
        except WRONG as error:
            raise explained(call, (x,), {}, error) from None
        _check(name, x, kinds)
        y = op(x)
        return y if takes != "numbers" else cast(y, x.form.dtype)  # NumPy 1 floors to float64

    call = of if like is of_x else lambda inp: of(inp)
    return shown(name, like, call, title or op.__doc__ or "", given, result, takes=words)


def binary(
    name: str,
    like: T,
    op: Callable[..., Any],
    takes: str,
    result: str,
    given: str = PAIR,
    title: str = "",
) -> T:
    """A function `of_two` tensors, or of a tensor and a number; see `TAKES`."""
    words, kinds, floats = TAKES[takes]

    def call(x: Any, y: Any) -> Any:
        try:
            x, y = operands(x, y, floats=floats)
        except WRONG as error:
            raise explained(call, (x, y), {}, error) from None
        _check(name, x if isinstance(x, Array) else y, kinds)
        return op(x, y)

    return shown(name, like, call, title or op.__doc__ or "", given, result, takes=words)


def shown(
    name: str, like: T, call: Callable[..., Any], title: str, given: str, result: str, **words: str
) -> T:
    """`call` as a function like `like`, with an example: what it gives for `given`."""
    return MEGENGINE.made(like, call, name, title, given, result, words=words)


def _check(name: str, x: Any, kinds: str) -> None:
    if x.form.dtype.kind not in kinds:
        way = "compare first, as in x > 0" if kinds == "b" else "call astype('float32') first"
        raise DTypeError(f"{name}: dtype {x.form.dtype} is not supported; {way}")
