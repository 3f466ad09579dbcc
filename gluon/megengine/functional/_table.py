"""Functions made from lines of a table: a name, an operator, and what it takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...engine.errors import DTypeError
from ..tensor import Tensor, cast, operands

UNARY = """{doc}

    Parameters
    ----------
    x : Tensor of any shape, or number
        {takes}

    Returns
    -------
    Tensor of the same shape

    Raises
    ------
    DTypeError
        {wrong}
"""
BINARY = """{doc}

    Parameters
    ----------
    x, y : Tensor or number
        Of shapes that broadcast. {takes}

    Returns
    -------
    Tensor of the broadcast shape

    Raises
    ------
    ArgumentError
        If the shapes do not broadcast.
    DTypeError
        {wrong}
"""
SHOWN = """
    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> from gluon.megengine import Tensor
    >>> F.{name}({given})
    Tensor({result}, device=xpux:0)
"""
#: What an operator takes: in words, the kinds of dtypes, whether the rest becomes float32, and
#: when it raises.
TAKES = {
    "floats": ("Whole numbers count as float32.", "biufV", True, "If it holds no numbers."),
    "numbers": ("The dtype stays.", "iufV", False, "If it is of dtype bool."),
    "whole": ("Of whole numbers.", "iu", False, "If it is of another dtype."),
    "flags": ("Of dtype bool.", "b", False, "If it is of another dtype."),
    "anything": ("Of any dtype; the result is bool.", "biufV", False, "If it holds no numbers."),
}
#: An example for each function: its arguments, and what it returns for them.
EXAMPLES = """
abs | Tensor([-1.5, 2.0]) | [1.5 2. ]
acos | Tensor([0.5, 1.0]) | [1.0472 0.    ]
acosh | Tensor([1.0, 2.0]) | [0.    1.317]
asin | Tensor([0.5, 1.0]) | [0.5236 1.5708]
asinh | Tensor([0.5, 1.0]) | [0.4812 0.8814]
atan | Tensor([0.5, 1.0]) | [0.4636 0.7854]
atanh | Tensor([0.0, 0.5]) | [0.     0.5493]
ceil | Tensor([-1.5, 1.2]) | [-1.  2.]
cos | Tensor([0.5, 1.0]) | [0.8776 0.5403]
cosh | Tensor([0.5, 1.0]) | [1.1276 1.5431]
erf | Tensor([0.5, 1.0]) | [0.5205 0.8427]
exp | Tensor([0.5, 1.0]) | [1.6487 2.7183]
expm1 | Tensor([0.5, 1.0]) | [0.6487 1.7183]
floor | Tensor([-1.5, 1.2]) | [-2.  1.]
log | Tensor([1.0, 2.0]) | [0.     0.6931]
log1p | Tensor([0.5, 1.0]) | [0.4055 0.6931]
logical_not | Tensor([True, False]) | [False  True], dtype=bool
neg | Tensor([-1.5, 2.0]) | [ 1.5 -2. ]
round | Tensor([-1.6, 1.2]) | [-2.  1.]
sign | Tensor([-1.5, 2.0]) | [-1.  1.]
sin | Tensor([0.5, 1.0]) | [0.4794 0.8415]
sinh | Tensor([0.5, 1.0]) | [0.5211 1.1752]
sqrt | Tensor([4.0, 9.0]) | [2. 3.]
square | Tensor([-1.5, 2.0]) | [2.25 4.  ]
tan | Tensor([0.5, 1.0]) | [0.5463 1.5574]
tanh | Tensor([0.5, 1.0]) | [0.4621 0.7616]
isnan | Tensor([1.0, float("nan")]) | [False  True], dtype=bool
isinf | Tensor([1.0, float("inf")]) | [False  True], dtype=bool
relu | Tensor([-1.0, 2.0]) | [0. 2.]
relu6 | Tensor([-1.0, 8.0]) | [0. 6.]
hsigmoid | Tensor([-1.0, 2.0]) | [0.3333 0.8333]
hswish | Tensor([-1.0, 2.0]) | [-0.3333  1.6667]
silu | Tensor([-1.0, 2.0]) | [-0.2689  1.7616]
gelu | Tensor([-1.0, 2.0]) | [-0.1587  1.9545]
softplus | Tensor([-1.0, 2.0]) | [0.3133 2.1269]
logsigmoid | Tensor([-1.0, 2.0]) | [-1.3133 -0.1269]
sigmoid | Tensor([-1.0, 2.0]) | [0.2689 0.8808]
add | Tensor([1.0, 2.0]), Tensor([2.0, 2.0]) | [3. 4.]
atan2 | Tensor([1.0, 2.0]), Tensor([2.0, 2.0]) | [0.4636 0.7854]
div | Tensor([1.0, 3.0]), 2 | [0.5 1.5]
equal | Tensor([1.0, 2.0]), Tensor([2.0, 2.0]) | [False  True], dtype=bool
floor_div | Tensor([-7, 7]), 2 | [-4  3], dtype=int32
greater | Tensor([1.0, 2.0]), Tensor([2.0, 2.0]) | [False False], dtype=bool
greater_equal | Tensor([1.0, 2.0]), Tensor([2.0, 2.0]) | [False  True], dtype=bool
left_shift | Tensor([1, 2]), 2 | [4 8], dtype=int32
right_shift | Tensor([9, -9]), 1 | [ 4 -5], dtype=int32
less | Tensor([1.0, 2.0]), Tensor([2.0, 2.0]) | [ True False], dtype=bool
less_equal | Tensor([1.0, 2.0]), Tensor([2.0, 2.0]) | [ True  True], dtype=bool
logaddexp | Tensor([1.0, 2.0]), Tensor([2.0, 2.0]) | [2.3133 2.6931]
logical_and | Tensor([True, False]), Tensor([True, True]) | [ True False], dtype=bool
logical_or | Tensor([True, False]), Tensor([True, True]) | [ True  True], dtype=bool
logical_xor | Tensor([True, False]), Tensor([True, True]) | [False  True], dtype=bool
maximum | Tensor([1.0, 3.0]), 2.0 | [2. 3.]
minimum | Tensor([1.0, 3.0]), 2.0 | [1. 2.]
mod | Tensor([-7.0, 7.0]), 3 | [-1.  1.]
mul | Tensor([1.0, 2.0]), Tensor([2.0, 2.0]) | [2. 4.]
not_equal | Tensor([1.0, 2.0]), Tensor([2.0, 2.0]) | [ True False], dtype=bool
pow | Tensor([2.0, 3.0]), 2 | [4. 9.]
sub | Tensor([1.0, 2.0]), Tensor([2.0, 2.0]) | [-1.  0.]
sum | Tensor([[1.0, 2.0], [4.0, 3.0]]), axis=1 | [3. 7.]
prod | Tensor([[1.0, 2.0], [4.0, 3.0]]), axis=1 | [ 2. 12.]
mean | Tensor([[1.0, 2.0], [4.0, 3.0]]), axis=1 | [1.5 3.5]
max | Tensor([[1.0, 2.0], [4.0, 3.0]]), axis=1 | [2. 4.]
min | Tensor([[1.0, 2.0], [4.0, 3.0]]), axis=1 | [1. 3.]
var | Tensor([[1.0, 2.0], [1.0, 5.0]]), axis=1 | [0.25 4.  ]
std | Tensor([[1.0, 2.0], [1.0, 5.0]]), axis=1 | [0.5 2. ]
argmax | Tensor([[1.0, 2.0], [4.0, 3.0]]), axis=1 | [1 0], dtype=int32
argmin | Tensor([[1.0, 2.0], [4.0, 3.0]]), axis=1 | [0 1], dtype=int32
"""


def example(name: str) -> str:
    """The section of a docstring with the example for a function."""
    rows = (line.split(" | ") for line in EXAMPLES.strip().splitlines())
    given, result = next(cells for one, *cells in rows if one == name)
    return SHOWN.format(name=name, given=given, result=result)


def unary(
    name: str, op: Callable, takes: str = "floats", doc: str | None = None, inp: bool = False
) -> Callable:
    """A function of one tensor, called `inp` or else ``x``; see `TAKES`."""
    words, kinds, floats, wrong = TAKES[takes]

    def of(x: Any) -> Tensor:
        (x,) = operands(x, floats=floats)
        _check(name, x, kinds)
        y = op(x)
        return y if takes != "numbers" else cast(y, x._raw.dtype)  # NumPy 1 floors to float64

    template = UNARY.replace("    x : ", "    inp : ") if inp else UNARY
    function = (lambda inp: of(inp)) if inp else of
    return _named(function, name, template, doc or op.__doc__, words, wrong)


def binary(name: str, op: Callable, takes: str = "numbers", doc: str | None = None) -> Callable:
    """A function of two tensors, or of a tensor and a number; see `TAKES`."""
    words, kinds, floats, wrong = TAKES[takes]

    def function(x: Any, y: Any) -> Tensor:
        x, y = operands(x, y, floats=floats)
        _check(name, x if isinstance(x, Tensor) else y, kinds)
        return op(x, y)

    return _named(function, name, BINARY, doc or op.__doc__, words, wrong)


def _check(name: str, x: Tensor, kinds: str) -> None:
    if x._raw.dtype.kind not in kinds:
        way = "compare first, as in x > 0" if kinds == "b" else "call astype('float32') first"
        raise DTypeError(f"{name}: dtype {x._raw.dtype} is not possible; {way}")


def _named(
    function: Any, name: str, template: str, doc: str | None, words: str, wrong: str
) -> Callable:
    function.__name__ = function.__qualname__ = name
    doc = f"{(doc or name).rstrip('.')}."
    function.__doc__ = template.format(doc=doc, takes=words, wrong=wrong) + example(name)
    return function
