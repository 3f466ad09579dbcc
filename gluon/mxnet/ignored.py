"""Operators that ignore unknown arguments, as MXNet's operators without attributes do.

``nd.broadcast_mul(a, b, axis=-1)`` works there, and scripts rely on it. gluon's own functions
refuse such a call; those of this table ignore what is too much while the hook is installed.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from .. import nd, np, npx
from ..nd import NDArray
from ..symbol import calls
from . import layouts

ELEMENTWISE = """abs arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp
expm1 fix floor log log10 log1p log2 ones_like radians rcbrt reciprocal relu rint round rsqrt
shape_array sigmoid sign sin sinh size_array sqrt square tan tanh trunc zeros_like argmax_channel"""
#: Whose functions | their names.
NAMES: dict[Any, str] = {
    nd: f"""{ELEMENTWISE} BlockGrad Flatten LinearRegressionOutput LogisticRegressionOutput
    MAERegressionOutput batch_take broadcast_add broadcast_div broadcast_equal broadcast_greater
    broadcast_greater_equal broadcast_hypot broadcast_lesser broadcast_lesser_equal
    broadcast_logical_and broadcast_logical_or broadcast_logical_xor broadcast_maximum
    broadcast_minimum broadcast_minus broadcast_mod broadcast_mul broadcast_not_equal
    broadcast_plus broadcast_power broadcast_sub elemwise_add elemwise_div elemwise_mul
    elemwise_sub erf erfinv fill_element_0index flatten gamma gammaln gather_nd identity linalg_det
    linalg_gelqf linalg_inverse linalg_slogdet linalg_sumlogdiag logical_not make_loss negative
    shuffle softmax_cross_entropy softsign stop_gradient where""",
    nd.contrib: "box_encode div_sqrt_dim hawkesll index_copy round_ste sign_ste",
    nd.image: """flip_left_right flip_top_bottom random_flip_left_right random_flip_top_bottom
    to_tensor""",
    nd.linalg: "det gelqf inverse slogdet sumlogdiag syevd",
    nd.random: "shuffle",
    npx: "batch_flatten erf erfinv gamma gammaln gather_nd nonzero relu shape_array sigmoid",
    npx.image: "to_tensor",
    np: "copy dot nan_to_num",
    NDArray: ELEMENTWISE,
}


def ignoring(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap `function` to ignore unknown keywords.

    Parameters
    ----------
    function : callable
    """
    known = inspect.signature(function).parameters

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            kwargs = {key: value for key, value in kwargs.items() if key in known}
        return function(*args, **kwargs)

    return call


def offer() -> Callable[[], None]:
    """Let the functions of the tables take MXNet's arguments; return a function that undoes it."""
    before: list[tuple[ModuleType | type, str, Any]] = []

    def change(owner: ModuleType | type, name: str, wrap: Callable[[Callable], Callable]) -> None:
        before.append((owner, name, getattr(owner, name)))
        setattr(owner, name, wrap(getattr(owner, name)))

    for owner, names in NAMES.items():
        for name in names.split():
            change(owner, name, ignoring)
    before.append((calls, "REFUSES", calls.REFUSES))
    calls.REFUSES = False
    for place, wrap in layouts.WRAPPERS.items():
        change(*place, wrap)

    def take_back() -> None:
        for owner, name, function in before:
            setattr(owner, name, function)

    return take_back
