"""Drawn calls of every differentiable function of the elementwise, reduce and shape families.

Hypothesis draws shapes, broadcasts, axes and dtypes. In float64 the gradients are compared with
finite differences, in the drawn dtype with those in float64. Most functions of `nd` need no line
here: their kind tells how to call them, and their samples which numbers they are for. To add a
namespace is to add a line to `NAMESPACES`: the calls below are drawn for any, with the names and
arguments that its table gives.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

from gluon import autograd, nd
from gluon._core.faces.kinds import KINDS
from gluon.nd._public import operators
from tests._core.ops.sample import kind_of, shape_of
from tests._core.ops.samples import SAMPLES

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, mutually_broadcastable_shapes

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


class Call(NamedTuple):
    """The arguments of a call: arrays to differentiate, keywords, and arguments before the arrays.

    `as_list` says whether the arrays go as one list, `part` which of several results is meant.
    """

    arrays: list[np.ndarray]
    keywords: dict[str, Any]
    leading: tuple = ()
    as_list: bool = False
    part: int | None = None


#: Draws a `Call`; `data.draw` gives what a strategy yields.
Draw = Callable[[Any, "Namespace"], Call]


class Namespace(NamedTuple):
    """A namespace of functions.

    Attributes
    ----------
    module : module
    array : callable
        Makes an array of it from one of NumPy's, of the same dtype.
    least : int
        The least number of axes that an array may have.
    shortest : int
        The least length of an axis.
    families : dict of str to list of str
        The functions of each family, by name.
    calls : dict of str to Draw
        How the differentiable ones are called.
    constant : set of str
        The functions without gradient.
    """

    module: ModuleType
    array: Callable
    least: int
    shortest: int
    families: dict[str, list[str]]
    calls: dict[str, Draw]
    constant: set[str]


# ------------------------------------------------------------------------ values and shapes

#: Values are odd multiples of this: exact in float16, and neither integers nor halves.
UNIT = 1 / 128


def values(data: Any, shapes: list[tuple], *ranges: tuple[float, float]) -> list[np.ndarray]:
    """Arrays of numbers in the given ranges, no two alike: maxima have no ties."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**16)))
    used: set[float] = set()
    arrays = []
    for shape, (low, high) in zip(shapes, ranges * len(shapes) if len(ranges) == 1 else ranges):
        grid = np.arange(np.ceil(low / UNIT / 2), np.floor(high / UNIT / 2)) * 2 * UNIT + UNIT
        free = [value for value in grid if value not in used]
        chosen = rng.permutation(free)[: int(np.prod(shape))].reshape(shape)
        used.update(chosen.ravel().tolist())
        arrays.append(chosen)
    return arrays


def shapes(space: Namespace, most: int = 3, least: int = 0) -> Any:
    return array_shapes(
        min_dims=max(space.least, least), max_dims=most, min_side=space.shortest, max_side=3
    )


def axes(ndim: int, least: int = 0) -> Any:
    """Some of the axes, each counted from the front or from the end."""
    chosen = st.lists(st.integers(0, ndim - 1), min_size=least, max_size=ndim, unique=True)
    return st.tuples(chosen, st.lists(st.booleans(), min_size=ndim, max_size=ndim)).map(
        lambda both: tuple(k - ndim if both[1][k] else k for k in both[0])
    )


# ------------------------------------------------------------------------------- elementwise


def unary(low: float, high: float, **keywords: Any) -> Draw:
    def draw(data: Any, space: Namespace) -> Call:
        return Call(values(data, [data.draw(shapes(space))], (low, high)), keywords)

    return draw


def binary(*ranges: tuple[float, float], same: bool = False, valid: Callable | None = None) -> Draw:
    def draw(data: Any, space: Namespace) -> Call:
        if same:
            drawn = [data.draw(shapes(space))] * 2
        else:
            drawn = data.draw(
                mutually_broadcastable_shapes(
                    num_shapes=2, min_dims=space.least, max_dims=3, min_side=1, max_side=3
                )
            ).input_shapes
        arrays = values(data, list(drawn), *ranges)
        assume(valid is None or valid(*arrays))
        return Call(arrays, {})

    return draw


def off_the_steps(lhs: np.ndarray, rhs: np.ndarray) -> bool:
    """Whether no quotient is close to an integer, where the remainder jumps."""
    quotient = lhs / rhs
    return bool((np.abs(quotient - np.rint(quotient)) > 1e-3).all())


def several(data: Any, space: Namespace) -> Call:
    shape, count = data.draw(shapes(space, 2)), data.draw(st.integers(1, 3))
    return Call(values(data, [shape] * count, (-2, 2)), {})


# ----------------------------------------------------------------------------------- reduce


def reduction(low: float, high: float, **choices: Any) -> Draw:
    """`choices` are strategies for further arguments."""

    def draw(data: Any, space: Namespace) -> Call:
        shape = data.draw(shapes(space))
        some = axes(len(shape), least=1).map(lambda one: one[0] if len(one) == 1 else one)
        keywords = {"axis": data.draw(st.none() | some) if shape else None}
        keywords["keepdims"] = data.draw(st.booleans())
        keywords |= {name: data.draw(choice) for name, choice in choices.items()}
        return Call(values(data, [shape], (low, high)), keywords)

    return draw


def norm(data: Any, space: Namespace) -> Call:
    call = reduction(-2, 2, ord=st.sampled_from([1, 2]))(data, space)
    if isinstance(axis := call.keywords["axis"], tuple):
        call.keywords["axis"] = axis[:2]
    return call


# ------------------------------------------------------------------------------------ shape


def shaped(arguments: Callable, least: int = 1) -> Draw:
    """A function of one array; ``arguments(data, shape)`` draws the others."""

    def draw(data: Any, space: Namespace) -> Call:
        shape = data.draw(shapes(space, least=least))
        return Call(values(data, [shape], (-2, 2)), arguments(data, shape))

    return draw


def reshape(data: Any, shape: tuple) -> dict:
    size = int(np.prod(shape))
    return {"shape": data.draw(st.sampled_from([(-1,), (size, 1), shape[::-1], (1, -1, 1)]))}


def transpose(data: Any, shape: tuple) -> dict:
    return {"axes": data.draw(st.permutations(range(len(shape))).map(tuple) | st.just(()))}


def one_axis(*names: str, extra: int = 0) -> Callable:
    def draw(data: Any, shape: tuple) -> dict:
        ndim = len(shape) + extra
        return {name: data.draw(st.integers(-ndim, ndim - 1)) for name in names}

    return draw


def squeeze(data: Any, space: Namespace) -> Call:
    shape = data.draw(st.lists(st.sampled_from([1, 2]), min_size=1, max_size=3).map(tuple))
    ones = [k for k, length in enumerate(shape) if length == 1]
    axis = data.draw(st.none() | st.sampled_from(ones)) if ones else None
    return Call(values(data, [shape], (-2, 2)), {"axis": axis})


def wider(data: Any, space: Namespace) -> tuple[tuple, tuple]:
    """A shape, and another one that it broadcasts to."""
    result = data.draw(shapes(space, least=1))
    return tuple(data.draw(st.sampled_from([1, length])) for length in result), result


def broadcast_to(data: Any, space: Namespace) -> Call:
    narrow, wide = wider(data, space)
    return Call(values(data, [narrow], (-2, 2)), {"shape": wide})


def broadcast_like(data: Any, space: Namespace) -> Call:
    narrow, wide = wider(data, space)
    return Call(values(data, [narrow], (-2, 2)), {"rhs": space.array(np.ones(wide))})


def broadcast_axis(data: Any, space: Namespace) -> Call:
    narrow, wide = wider(data, space)
    stretched = [k for k, (n, m) in enumerate(zip(narrow, wide)) if n != m]
    size = tuple(wide[k] for k in stretched)
    return Call(values(data, [narrow], (-2, 2)), {"axis": tuple(stretched), "size": size})


def reshape_like(data: Any, space: Namespace) -> Call:
    shape = data.draw(shapes(space))
    return Call(values(data, [shape], (-2, 2)), {"rhs": space.array(np.ones(shape[::-1]))})


def where(data: Any, space: Namespace) -> Call:
    shape = data.draw(shapes(space))
    condition = values(data, [shape], (-1, 1))[0] > 0
    arrays = values(data, [shape] * 2, (-2, 2))
    return Call(arrays, {}, leading=(space.array(condition.astype("float64")),))


# ------------------------------------------------------------------------------- namespaces

#: The limits of the numbers that are drawn where the samples of a function are of a kind.
LIMITS = {"normal": (-2, 2), "positive": (0.3, 3), "unit": (-0.9, 0.9), "above": (1.1, 4)}
ANY, UNIT_BALL, POSITIVE = (unary(*LIMITS[kind]) for kind in ("normal", "unit", "positive"))
FREE, DIVIDED, POWER = binary((-2, 2)), binary((-2, 2), (0.5, 2)), binary((0.3, 2), (-2, 2))
REMAINDER = binary((-3, 3), (0.5, 2), valid=off_the_steps)
REDUCED = {"exclude": st.booleans()}


def domain(name: str) -> tuple[float, float] | None:
    """The limits of the numbers of which the first sample with a shape is; None without samples."""
    given = [sample.inputs[0] for sample in SAMPLES if sample.op == name]
    kinds = [kind_of(spec) for spec in given if shape_of(spec)]
    return LIMITS[kinds[0]] if kinds else None


def usual(name: str) -> Draw | None:
    """How functions are called of the kind that the function of `nd` is; None if that is open."""
    kind, taken = KINDS[getattr(nd, name)], inspect.signature(getattr(nd, name)).parameters
    arrays = tuple(key for key in taken if key not in ("out", "name"))
    if kind == "broadcast":
        return FREE
    if kind == "reduce" and "exclude" in taken:
        return reduction(-2, 2, **REDUCED)
    if kind == "alike" and arrays == ("data",) and (limits := domain(name)):
        return unary(*limits)
    return binary((-2, 2), same=True) if kind == "alike" and arrays == ("lhs", "rhs") else None


ND_FAMILIES = {
    family: [name for name in operators(import_module(f"gluon.nd.{family}")) if name[0] != "_"]
    for family in ("elementwise", "reduce", "shape")
}
#: Comparisons, places, sizes, and what has no gradient on purpose.
ND_CONSTANT = set(
    """equal broadcast_equal not_equal broadcast_not_equal greater broadcast_greater greater_equal
    broadcast_greater_equal lesser broadcast_lesser lesser_equal broadcast_lesser_equal logical_and
    broadcast_logical_and logical_or broadcast_logical_or logical_xor broadcast_logical_xor
    logical_not zeros_like ones_like full_like stop_gradient BlockGrad argmax argmin argmax_channel
    shape_array size_array""".split()
)
#: What the kind of a function and its samples do not say.
ND_STATED: dict[str, Draw] = {
    "tan": UNIT_BALL,
    "clip": unary(-2, 2, a_min=-1.0, a_max=0.5),
    "cast_storage": unary(-2, 2, stype="default"),
    **dict.fromkeys(("cast", "Cast"), unary(-2, 2, dtype="float64")),
    **dict.fromkeys("divide true_divide broadcast_div".split(), DIVIDED),
    "elemwise_div": binary((-2, 2), (0.5, 2), same=True),
    **dict.fromkeys("power pow broadcast_power".split(), POWER),
    **dict.fromkeys("modulo broadcast_mod".split(), REMAINDER),
    **dict.fromkeys(("add_n", "ElementWiseSum"), several),
    "where": where,
    **dict.fromkeys(("prod", "nanprod"), reduction(0.5, 2, **REDUCED)),
    "norm": norm,
    **dict.fromkeys(("reshape", "Reshape"), shaped(reshape)),
    **dict.fromkeys(("flatten", "Flatten"), shaped(lambda data, shape: {})),
    "transpose": shaped(transpose),
    **dict.fromkeys(("swapaxes", "SwapAxis"), shaped(one_axis("dim1", "dim2"))),
    "moveaxis": shaped(one_axis("source", "destination")),
    "expand_dims": shaped(one_axis("axis", extra=1)),
    "squeeze": squeeze,
    **dict.fromkeys(("flip", "reverse"), shaped(one_axis("axis"))),
    "broadcast_to": broadcast_to,
    "broadcast_like": broadcast_like,
    **dict.fromkeys(("broadcast_axis", "broadcast_axes"), broadcast_axis),
    "reshape_like": reshape_like,
}
ND_CALLS: dict[str, Draw] = ND_STATED | {
    name: draw
    for names in ND_FAMILIES.values()
    for name in names
    if name not in ND_CONSTANT | ND_STATED.keys() and (draw := usual(name))
}

NAMESPACES = {
    "nd": Namespace(
        nd, lambda raw: nd.array(raw, dtype=raw.dtype), 1, 1, ND_FAMILIES, ND_CALLS, ND_CONSTANT
    ),
}

CASES = [(space, name) for space in NAMESPACES for name in NAMESPACES[space].calls]


@pytest.mark.parametrize("space", NAMESPACES)
def test_no_function_is_left_out(space):
    one = NAMESPACES[space]
    known = {name for names in one.families.values() for name in names}
    assert not one.calls.keys() & one.constant
    assert one.calls.keys() | one.constant == known


def check(data: Any, one: Namespace, name: str) -> None:
    arrays, keywords, leading, as_list, part = one.calls[name](data, one)
    function = getattr(one.module, name)

    def call(*inputs: Any) -> Any:
        inputs = (list(inputs),) if as_list else inputs
        result = function(*leading, *inputs, **keywords)
        return result if part is None else result[part]

    doubles = [one.array(raw) for raw in arrays]
    assert autograd.gradcheck(call, doubles, rtol=1e-5, atol=1e-6)
    dtype = data.draw(st.sampled_from(["float16", "float32"]))
    value, products = autograd.vjp(call, [one.array(raw.astype(dtype)) for raw in arrays])
    wanted_value, wanted = autograd.vjp(call, doubles)
    tolerance = {"float16": 0.02, "float32": 1e-5}[dtype]
    for found, right in [(value, wanted_value), *zip(products, wanted)]:
        scale = max(1.0, float(np.abs(right.asnumpy()).max(initial=0)))
        np.testing.assert_allclose(
            found.asnumpy().astype("float64"), right.asnumpy(), rtol=0, atol=tolerance * scale
        )
    for product, raw in zip(products, arrays):
        assert (product.dtype, product.shape) == (np.dtype(dtype), raw.shape)


def drawn(examples: int) -> Callable:
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


@pytest.mark.parametrize(("space", "name"), CASES)
@drawn(2)
@given(data=st.data())
def test_gradients_of_a_few_calls_are_their_slopes(space, name, data):
    check(data, NAMESPACES[space], name)


@pytest.mark.slow
@pytest.mark.parametrize(("space", "name"), CASES)
@drawn(20)
@given(data=st.data())
def test_gradients_of_many_calls_are_their_slopes(space, name, data):
    check(data, NAMESPACES[space], name)
