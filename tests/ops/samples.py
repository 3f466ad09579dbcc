"""The table of operator samples: one line each; tests and oracle read the same lines.

``s("sum", "2x3x4", axis=-1)`` calls ``nd.sum`` on a random 2x3x4 array. A name that begins with
``F.`` is an operator of the engine that no `nd` function reaches on its own. An input is

========================  =================================================================
``"2x3"``                 normal float32 numbers of that shape; ``"()"`` is 0-d
``"2x3 positive"``        another kind, one of `KINDS`; ``index5`` is a whole number below 5
``"2x3 integers int32"``  another dtype
``"[1, nan] float64"``    literal values
a number, None            itself
a list of inputs          a list of arrays
========================  =================================================================

This file needs NumPy only: it is also read by ``tests/reference/make.py``, inside the oracle.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

Raw = Any


class Sample(NamedTuple):
    """One call of one operator, and what is known about it.

    Attributes
    ----------
    op : str
        The public name in `nd`, or ``F.name``.
    inputs : tuple
        The positional arguments, as described above.
    attrs : dict
        The keyword arguments.
    wrt : tuple of int, or None
        The inputs to differentiate; by default all floating ones.
    kink : bool
        Whether finite differences mean nothing here (rounding, ties, dtypes as attributes).
    rtol : float
        How far from the reference, relative to the largest value.
    training : bool
        Whether to run in training mode.
    differs : str
        Why the right value is not MXNet's; `right` then computes it.
    right : callable or None
        ``right(*raw inputs)``: the value to expect where the oracle is wrong or has none.
    differs_grad : str
        Why the right gradient is not MXNet's; finite differences still check it.
    refused : bool
        Whether gluon raises an error where MXNet does not, `differs` says why.
    """

    op: str
    inputs: tuple
    attrs: dict
    wrt: tuple[int, ...] | None = None
    kink: bool = False
    rtol: float = 1e-5
    training: bool = False
    differs: str = ""
    right: Callable | None = None
    differs_grad: str = ""
    refused: bool = False

    def but(self, **fields: Any) -> Sample:
        """The same call with more known about it."""
        return self._replace(**fields)

    def __str__(self) -> str:
        given = [*map(str, self.inputs), *(f"{key}={value}" for key, value in self.attrs.items())]
        mode = " training" if self.training else ""
        return f"{self.op}({', '.join(given)}){mode}"

    def raws(self) -> list:
        """The inputs: raw arrays, numbers, None, and lists of raw arrays."""
        return [
            make(value, f"{self.op} {place}") for place, value in enumerate(self.inputs)
        ]

    def variables(self, raws: list) -> list[int]:
        """The places of the inputs to differentiate."""
        if self.wrt is not None:
            return list(self.wrt)
        return [k for k, raw in enumerate(raws) if is_floating(first(raw))]

    @property
    def has_reference(self) -> bool:
        """Whether the oracle is asked about it: it knows no empty arrays, and no ``F``."""
        return not (self.op.startswith("F.") or self.differs or has_zero(self.inputs))


def is_floating(raw: Any) -> bool:
    return isinstance(raw, np.ndarray) and raw.dtype.kind == "f"


def first(raw: Any) -> Any:
    """The array itself, or the first one of a list."""
    return raw[0] if isinstance(raw, list) and raw else raw


def has_zero(inputs: Any) -> bool:
    return any(
        has_zero(x) if isinstance(x, list) else isinstance(x, str) and 0 in shape_of(x)
        for x in inputs
    )


def s(op: str, *inputs: Any, **attrs: Any) -> Sample:
    return Sample(op, inputs, attrs)


# --------------------------------------------------------------------------------- inputs


def _spd(rng: Any, shape: tuple) -> Raw:
    a = rng.normal(size=shape)
    return a @ np.swapaxes(a, -1, -2) + shape[-1] * np.eye(shape[-1])


def _lower(rng: Any, shape: tuple) -> Raw:
    return np.tril(rng.normal(size=shape)) + 2 * np.eye(shape[-1])


def _prob(rng: Any, shape: tuple) -> Raw:
    weights = rng.uniform(0.1, 1, shape)
    return weights / weights.sum(-1, keepdims=True)


KINDS: dict[str, Callable] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "positive": lambda rng, shape: rng.uniform(0.3, 2, shape),
    "unit": lambda rng, shape: rng.uniform(-0.9, 0.9, shape),
    "above": lambda rng, shape: rng.uniform(1.2, 3, shape),
    "large": lambda rng, shape: rng.normal(size=shape) * 30,
    "integers": lambda rng, shape: rng.randint(-3, 4, shape),
    "natural": lambda rng, shape: rng.randint(1, 5, shape),
    "bools": lambda rng, shape: rng.randint(0, 2, shape),
    "distinct": lambda rng, shape: rng.permutation(int(np.prod(shape))).reshape(shape) * 0.1 - 1.05,
    "spd": _spd,
    "lower": _lower,
    "symmetric": lambda rng, shape: _spd(rng, shape) + np.diag(np.arange(shape[-1]) * 3.0),
    "prob": _prob,
}


def shape_of(spec: str) -> tuple[int, ...]:
    """The shape that an input is written with; () for literals, whose values have their own."""
    word = spec.split()[0]
    return tuple(map(int, word.split("x"))) if word[0].isdigit() else ()


def make(spec: Any, seed: str) -> Any:
    """The raw array that `spec` describes, always the same for the same `seed`."""
    if isinstance(spec, list):
        return [make(one, f"{seed}.{k}") for k, one in enumerate(spec)]
    if not isinstance(spec, str):
        return spec
    if spec.startswith("["):
        values, _, dtype = spec.rpartition("]")
        literal = eval(values + "]", {"nan": np.nan, "inf": np.inf})
        return np.array(literal, dtype.strip() or "float32")
    kind, dtype = "normal", "float32"
    for word in spec.split()[1:]:
        if word in KINDS or word.startswith("index"):
            kind = word
        else:
            dtype = word
    rng = np.random.RandomState(crc32(f"{seed} {spec}".encode()))
    if limit := re.fullmatch(r"index(\d+)", kind):
        return rng.randint(0, int(limit[1]), shape_of(spec)).astype(dtype)
    return np.asarray(KINDS[kind](rng, shape_of(spec))).astype(dtype)


def head_gradient(place: int, shape: tuple, dtype: Any) -> Raw:
    """The cotangent that output `place` is given, by the oracle and by the tests."""
    rng = np.random.RandomState(crc32(f"head {place} {shape}".encode()))
    return rng.normal(size=shape).astype(dtype)


# ----------------------------------------------------------------------------- elementwise

#: name -> the kind of numbers it is defined on
UNARY = {
    **dict.fromkeys("abs arctan arcsinh cbrt ceil cos cosh degrees erf exp expm1 fix floor".split(), ""),
    **dict.fromkeys("negative radians relu rint round sigmoid sign sin sinh softsign".split(), ""),
    **dict.fromkeys("square tan tanh trunc hard_sigmoid".split(), ""),
    **dict.fromkeys("gamma gammaln log log10 log1p log2 rcbrt reciprocal rsqrt sqrt".split(), "positive"),
    **dict.fromkeys("arccos arcsin arctanh erfinv".split(), "unit"),
    "arccosh": "above",
}
SPECIAL = "[nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5]"
#: What differs at NaN: MXNet compares, and a comparison with NaN is false.
AT_NAN: dict[str, dict] = {
    "abs": {"differs_grad": "the gradient at nan is nan; MXNet says 0"},
    "relu": {"differs_grad": "the gradient at nan is 0; MXNet says nan"},
    "sign": {"differs": "the sign of nan is nan, as in NumPy; MXNet says 0", "right": np.sign},
}


def _unary() -> list[Sample]:
    found = []
    for name, kind in UNARY.items():
        found += [
            s(name, f"2x3 {kind}"),
            s(name, f"2x1x2 {kind} float64"),
            s(name, f"5 {kind} float16").but(rtol=2e-3),
            s(name, f"0x3 {kind}"),
            s(name, SPECIAL).but(kink=True, **AT_NAN.get(name, {})),
        ]
    return found


BINARY = {
    **dict.fromkeys("add subtract multiply broadcast_add broadcast_sub broadcast_mul".split(), ""),
    **dict.fromkeys("maximum minimum broadcast_maximum broadcast_minimum".split(), ""),
    **dict.fromkeys("broadcast_plus broadcast_minus".split(), ""),
    **dict.fromkeys("divide modulo power broadcast_div broadcast_mod".split(), "positive"),
    **dict.fromkeys("broadcast_power broadcast_hypot".split(), "positive"),
}
COMPARE = """equal not_equal greater greater_equal lesser lesser_equal logical_and logical_or
logical_xor""".split()
COMPARE += ["broadcast_" + name for name in COMPARE]


def _binary() -> list[Sample]:
    found = []
    for name, kind in BINARY.items():
        found += [
            s(name, f"2x3 {kind}", f"2x3 {kind}"),
            s(name, f"2x3 {kind}", f"1x3 {kind}"),
            s(name, f"2x1 {kind} float64", f"1x3 {kind} float64"),
            s(name, f"3 {kind} float16", f"3 {kind} float16").but(rtol=2e-3),
            s(name, "2x3 natural int32", "2x3 natural int32"),
            s(name, "[nan, 1, inf, 0, 2]", "[1, nan, 2, 2, inf]").but(
                kink=True, differs_grad=ZERO_BASE if "power" in name else ""
            ),
            s(name, f"0x3 {kind}", f"1x3 {kind}"),
        ]
        if not name.startswith("broadcast_"):
            found += [s(name, f"2x3 {kind}", 2.0), s(name, 3.0, f"2x3 {kind}")]
            found += [s(name, "4 natural int32", 2), s(name, 7, "4 natural int64")]
    for name in COMPARE:
        found += [
            s(name, "2x3 integers", "2x3 integers").but(kink=True),
            s(name, "2x1 integers int32", "1x3 integers int32"),
            s(name, "[nan, 0, 1] float64", "[nan, 1, 0] float64").but(kink=True),
        ]
        if not name.startswith("broadcast_"):
            found.append(s(name, "6 integers", 1.0).but(kink=True))
    return found


ZERO_BASE = "0 ** x is flat for x > 0, where MXNet computes 0 * log(0)"
PAST_THE_END = "MXNet reads past the end of the array"

ELEMENTWISE = [
    *_unary(),
    *_binary(),
    *(s(f"elemwise_{name}", "2x3", "2x3 positive") for name in "add sub mul div".split()),
    *(s(f"elemwise_{name}", "4 natural int32", "4 natural int32") for name in "add sub mul".split()),
    s("true_divide", "2x3", "2x3 positive"),
    s("power", "[-2, -1.5, 0, 0, 3]", 2).but(kink=True),
    s("power", "[-2, -1.5, 0.0, 3]", 3.0),
    s("power", "3x2 positive", -1.5),
    s("power", "3x2 positive", 0),
    s("power", 0.5, "3x2"),
    s("power", "3x2", 1),
    s("exp", "3 integers int32").but(wrt=()),
    s("sqrt", "3 natural int32").but(wrt=()),
    s("abs", "3 integers int64").but(wrt=()),
    s("negative", "3 integers int8").but(wrt=()),
    s("square", "3 integers uint8").but(wrt=()),
    s("floor", "3 integers int32").but(wrt=()),
    s("sign", "3 integers int32").but(wrt=()),
    s("relu", "3 integers int32").but(wrt=()),
    s("clip", "3x4", a_min=-0.5, a_max=0.75),
    s("clip", "[-1, -0.5, 0, 0.75, 2, inf]", a_min=-0.5, a_max=0.75).but(kink=True),
    s("clip", "[nan, 1]", a_min=0, a_max=2).but(
        kink=True, differs_grad="the gradient at nan is 0, as in other libraries"
    ),
    s("clip", "5 integers int32", a_min=-1, a_max=2),
    s("clip", "5 float16", a_min=-1, a_max=0.5).but(rtol=1e-3),
    s("clip", "0x2", a_min=-1, a_max=1),
    s("where", "2x3 bools", "2x3", "2x3").but(wrt=(1, 2)),
    s("where", "2x3 bools int32", "2x3 float64", "2x3 float64").but(wrt=(1, 2)),
    s("where", "2 bools", "2x3", "2x3").but(wrt=(1, 2)),
    s("where", "[nan, 0, -1, 2]", "4", "4").but(wrt=(1, 2)),
    s("where", "0x3 bools", "0x3", "0x3").but(wrt=(1, 2)),
    s("where", "2x3 bools", "4x3", "2x3").but(wrt=(1, 2)),
    s("cast", "2x3", dtype="float64").but(kink=True),
    s("cast", "2x3", dtype="float16").but(kink=True, rtol=1e-3),
    s("cast", "2x3 large", dtype="int32").but(wrt=()),
    s("cast", "2x3 integers int32", dtype="float32"),
    s("cast", "2x3 integers", dtype="int8").but(wrt=()),
    s("Cast", "0x3", dtype="float64").but(kink=True),
    s("identity", "2x3"),
    s("logical_not", "2x3 bools").but(kink=True),
    s("logical_not", "[nan, 0, -0.0, 5]").but(kink=True),
    s("logical_not", "3 bools int32"),
    s("add_n", "2x3", "2x3", "2x3"),
    s("add_n", "2x3"),
    s("add_n", "4 integers int32", "4 integers int32"),
    s("ElementWiseSum", "3 float64", "3 float64"),
    s("zeros_like", "2x3"),
    s("zeros_like", "2x3 integers int32"),
    s("ones_like", "2x3"),
    s("ones_like", "3 float16"),
    s("full_like", "2x3", fill_value=2.5).but(
        wrt=(), differs="only mx.np has it", right=lambda x: np.full_like(x, 2.5)
    ),
    s("stop_gradient", "2x3").but(kink=True),
    s("BlockGrad", "2x3").but(kink=True),
    s("add", "2x3", "4x3"),
    s("broadcast_add", "2x3", "2x4"),
    s("elemwise_mul", "2x3", "3x2"),
    # operators that only gradient rules and NDArray's methods use
    s("F.add", "()", "()"),
    s("F.multiply", "()", "2x3"),
    s("F.exp", "()"),
    s("F.isnan", SPECIAL).but(right=np.isnan, kink=True),
    s("F.isinf", SPECIAL).but(right=np.isinf, kink=True),
    s("F.isfinite", SPECIAL).but(right=np.isfinite, kink=True),
    s("F.floor_divide", "4 large", "4 positive").but(right=np.floor_divide, kink=True),
    s("F.bitwise_and", "4 bools int32", "4 index8 int32").but(right=np.bitwise_and),
    s("F.bitwise_or", "4 bools int32", "4 index8 int32").but(right=np.bitwise_or),
    s("F.softrelu", "2x3").but(right=lambda x: np.log1p(np.exp(x))),
    s("F.softrelu", "[1000, -1000, 0]").but(right=lambda x: np.float32([1000, 0, np.log(2)]), kink=True),
    s("F.arctan2", "2x3", "2x3 positive").but(right=np.arctan2),
    s("F.arctan2", "2x1", "3 positive").but(right=np.arctan2),
    s("F.copy", "2x3").but(right=np.copy),
]

# ------------------------------------------------------------------------------ reductions

AXES: list[dict] = [
    {},
    {"axis": 0},
    {"axis": -1},
    {"axis": (0, 2)},
    {"axis": (), "keepdims": True},
    {"axis": 1, "keepdims": True},
    {"axis": (-1, 0), "keepdims": True},
    {"axis": 1, "exclude": True},
    {"axis": (0, -1), "exclude": True, "keepdims": True},
]


def _reductions() -> list[Sample]:
    found = []
    for name in "sum mean prod max min nansum nanprod".split():
        found += [s(name, "2x3x4 distinct", **attrs) for attrs in AXES]
        found += [
            s(name, "3x1x2", axis=1),
            s(name, "1"),
            s(name, "2x3 float64", axis=0),
            s(name, "2x3 float16", axis=1).but(rtol=4e-3),
            s(name, "2x3 integers int32", axis=1),
            s(name, "2x3 integers int64"),
            s(name, "[[nan, 1], [2, inf], [nan, nan]]", axis=1).but(kink=True),
            s(name, "2x3", axis=5),
            s(name, "2x3", axis=-3),
            s(name, "2x3", axis=(0, 0)),
        ]
        found += [s(name, "0x3", axis=0)] if name not in ("max", "min") else []
        found += [s(name, "0x3", axis=1)]
    return found


REDUCE = [
    *_reductions(),
    *(s(name, "2x3x4 distinct", axis=1) for name in "sum_axis max_axis min_axis".split()),
    s("prod", "[[0.0, 2, 3], [1, 2, 4], [0, 0, 5]]", axis=1).but(
        differs_grad="MXNet divides by the zero factor"
    ),
    s("prod", "[[0.0, 2], [3, 4]]").but(differs_grad="MXNet divides by the zero factor"),
    s("max", "[[1, 1, 0], [2, 2, 2]]", axis=1).but(kink=True),
    s("min", "[1, 1, 3]").but(kink=True),
    s("nansum", "[[nan, 1], [2, 3]]", axis=0).but(kink=True),
    s("nanprod", "[[nan, 2], [3, 4]]", axis=0).but(kink=True),
    *(s("norm", "2x3x4", **attrs) for attrs in AXES if "exclude" not in attrs and attrs.get("axis") != ()),
    *(s("norm", "2x3", ord=1, **attrs) for attrs in ({}, {"axis": 1}, {"axis": 0, "keepdims": True})),
    s("norm", "2x3 float64", ord=2, axis=-1),
    s("norm", "4 float16").but(rtol=4e-3),
    s("norm", "[[0, 0], [3, 4]]", axis=1).but(
        kink=True, differs_grad="MXNet gives nan at 0; the subgradient is 0"
    ),
    s("norm", "[3e30, 4e30]").but(differs="MXNet's squares overflow", right=lambda x: np.float32([5e30]), kink=True),
    *(
        s(name, "2x3x4 distinct", **attrs).but(wrt=())
        for name in ("argmax", "argmin")
        for attrs in ({}, {"axis": 0}, {"axis": -1}, {"axis": 1, "keepdims": True})
    ),
    s("argmax", "[[1, 3, 3], [2, 2, 0]]", axis=1).but(wrt=()),
    s("argmin", "[[1, 0, 0], [2, 2, 3]] float64", axis=1).but(wrt=()),
    s("argmax", "3x4 integers int32", axis=1),
    s("argmax_channel", "3x4").but(wrt=()),
    s("F.restore", "2x4", axis=1, shape=(2, 3, 4)).but(right=lambda x: np.repeat(x[:, None], 3, 1)),
    s("F.restore", "()", axis=None, shape=(2, 3)).but(right=lambda x: np.full((2, 3), x)),
    s("F.sum_to", "2x3x4", shape=(3, 1)).but(right=lambda x: x.sum((0, 2))[:, None]),
    s("F.any", "[[0, 0], [0, 2]]", axis=1).but(right=lambda x: x.any(1), kink=True),
    s("F.all", "[[1, 0], [3, 2]]", axis=1).but(right=lambda x: x.all(1), kink=True),
]

# ------------------------------------------------------------------------------------ shapes

SHAPE = [
    *(
        s("reshape", "2x3x4", shape=shape)
        for shape in [(24,), (4, 6), (-1, 2), (0, -1), (-2,), (-3, 4), (-4, 1, 2, -2), (0, -4, -1, 3, 4)]
    ),
    s("reshape", "10x5x4", shape=(-1, 0), reverse=True),
    s("reshape", "2x3 integers int32", shape=(3, 2)),
    s("reshape", "2x3 float16", shape=(3, 2)),
    s("reshape", "2x3", shape=(4, 2)).but(differs=PAST_THE_END, refused=True),
    s("reshape", "2x3", shape=(-1, 4)).but(differs="MXNet drops values", refused=True),
    s("reshape", "0x3", shape=(3, -1)).but(right=lambda x: np.zeros((3, 0), x.dtype)),
    s("Reshape", "2x3", shape=(6,)),
    s("reshape_like", "2x3", "3x2").but(wrt=(0,)),
    s("reshape_like", "6", "2x3").but(wrt=(0,)),
    s("reshape_like", "6x2", "2x3x5", lhs_begin=0, lhs_end=1, rhs_begin=0, rhs_end=2).but(wrt=(0,)),
    s("reshape_like", "2x3", "5x2").but(wrt=(0,)),
    s("flatten", "2x3x4"),
    s("flatten", "3"),
    s("Flatten", "2x3 float64"),
    s("flatten", "0x3x2"),
    s("transpose", "2x3x4"),
    s("transpose", "2x3x4", axes=(1, 0, 2)),
    s("transpose", "2x3x4 float16", axes=(2, 0, 1)).but(rtol=1e-3),
    s("transpose", "3 integers int32"),
    s("transpose", "2x3", axes=(0, 0)),
    s("transpose", "2x3", axes=(0, 1, 2)),
    s("transpose", "0x3"),
    s("swapaxes", "2x3x4", dim1=0, dim2=2),
    s("SwapAxis", "2x3x4", dim1=1, dim2=0),
    s("swapaxes", "2x3", dim1=0, dim2=5),
    s("expand_dims", "2x3", axis=0),
    s("expand_dims", "2x3", axis=1),
    s("expand_dims", "2x3", axis=-1),
    s("expand_dims", "2x3 integers int64", axis=2),
    s("expand_dims", "2x3", axis=4),
    s("squeeze", "1x2x1x3"),
    s("squeeze", "1x2x1x3", axis=0),
    s("squeeze", "1x2x1x3", axis=(0, 2)),
    s("squeeze", "1x2x1x3", axis=-2),
    s("squeeze", "1x1"),
    s("squeeze", "2x1", axis=0),
    s("broadcast_to", "1x3x1", shape=(2, 3, 4)),
    s("broadcast_to", "1x3", shape=(2, 0)),
    s("broadcast_to", "2x3", shape=(2, 4)),
    s("broadcast_to", "1x1 integers int32", shape=(2, 2)),
    s("broadcast_like", "1x3", "2x3").but(wrt=(0,)),
    s("broadcast_like", "1x3x1", "9x8", lhs_axes=(0, 2), rhs_axes=(0, 1)).but(wrt=(0,)),
    s("broadcast_axis", "1x3x1", axis=0, size=2),
    s("broadcast_axis", "1x3x1", axis=(0, 2), size=(2, 4)),
    s("broadcast_axes", "2x1", axis=1, size=3),
    s("broadcast_axis", "2x3", axis=1, size=4),
    s("concat", "2x3", "2x3"),
    s("concat", "2x3", "1x3", "4x3", dim=0),
    s("concat", "2x3x1", "2x3x2", dim=-1),
    s("concat", "2x3 float64"),
    s("concat", "2x3 integers int32", "2x1 integers int32"),
    s("Concat", "2x3 float16", "2x1 float16", dim=1).but(rtol=1e-3),
    s("concat", "2x3", "4x5", dim=0),
    s("concat", "0x3", "2x3", dim=0),
    s("concatenate", ["2x3", "4x3"], axis=0).but(
        differs="MXNet cannot record it", right=lambda xs: np.concatenate(xs)
    ),
    s("concatenate", ["2x3", "2x1"], axis=1).but(
        differs="MXNet cannot record it", right=lambda xs: np.concatenate(xs, 1)
    ),
    s("stack", "2x3", "2x3"),
    s("stack", "2x3", "2x3", "2x3", axis=1),
    s("stack", "2x3", "2x3", axis=-1),
    s("stack", "3 integers int32", "3 integers int32"),
    s("stack", "2x3", "3x2").but(differs="MXNet ignores the second shape", refused=True),
    s("split", "2x4x3", num_outputs=2),
    s("split", "2x4x3", num_outputs=4, squeeze_axis=True),
    s("split", "2x4x3", num_outputs=1, axis=0),
    s("SliceChannel", "2x4x3", num_outputs=3, axis=-1),
    s("split", "2x4x3", num_outputs=3),
    s("split", "4 integers int32", num_outputs=2, axis=0),
    s("split_v2", "5x2", indices_or_sections=(1, 3)),
    s("split_v2", "4x2", indices_or_sections=2),
    s("split_v2", "2x3", indices_or_sections=3, axis=1, squeeze_axis=True),
    s("flip", "2x3x4", axis=1),
    s("flip", "2x3x4", axis=(0, 2)),
    s("reverse", "2x3", axis=0),
    s("flip", "2x3", axis=4),
    s("tile", "2x3", reps=(2,)),
    s("tile", "2x3", reps=(2, 1, 3)),
    s("tile", "3", reps=(2, 2)),
    s("tile", "2x3 integers int32", reps=(1, 2)),
    s("tile", "2x1x3", reps=(2, 3)),
    s("repeat", "2x3", repeats=2),
    s("repeat", "2x3", repeats=2, axis=0),
    s("repeat", "2x3", repeats=3, axis=-1),
    s("repeat", "2x3", repeats=2, axis=3),
    s("pad", "1x2x3x4", mode="constant", pad_width=(0, 0, 0, 0, 1, 2, 2, 0), constant_value=1.5),
    s("pad", "1x2x3x4", mode="edge", pad_width=(0, 0, 0, 0, 1, 2, 2, 0)),
    s("pad", "1x2x3x4", mode="reflect", pad_width=(0, 0, 0, 0, 1, 2, 2, 0)),
    s("Pad", "1x1x2x2x3", mode="constant", pad_width=(0, 0, 0, 0, 1, 0, 0, 1, 1, 1)),
    s("pad", "1x1x2x2x3", mode="edge", pad_width=(0, 0, 0, 0, 1, 0, 0, 1, 1, 1)),
    s("pad", "1x2x3x4", mode="wrap", pad_width=(0, 0, 0, 0, 1, 2, 2, 0)),
    s("pad", "1x2x3x4", mode="edge", pad_width=(1, 1)),
    s("slice", "4x5", begin=(1,), end=(3,)),
    s("slice", "4x5", begin=(1, None), end=(None, 4)),
    s("slice", "4x5", begin=(-3, 0), end=(-1, 5), step=(1, 2)),
    s("slice", "4x5", begin=(3, None), end=(0, None), step=(-1, -2)),
    s("slice", "4x5 integers int32", begin=(0, 1), end=(2, 3)),
    s("crop", "4x5", begin=(0, 0), end=(2, 2)),
    s("slice_axis", "4x5", axis=0, begin=1, end=3),
    s("slice_axis", "4x5", axis=-1, begin=-3, end=None),
    s("slice_axis", "4x5", axis=1, begin=0, end=-2),
    s("slice_like", "4x5", "2x3").but(wrt=(0,)),
    s("slice_like", "4x5", "2x7", axes=(0,)).but(wrt=(0,)),
    s("slice_like", "4x5", "7x2", axes=(-1,)).but(wrt=(0,)),
    s("shape_array", "2x3").but(wrt=()),
    s("size_array", "2x3").but(wrt=()),
    s("F.getitem", "3x4", key=(slice(None), [0, 0, 2])).but(right=lambda x: x[:, [0, 0, 2]]),
    s("F.getitem", "3x4", key=(1, slice(None, None, -1))).but(right=lambda x: x[1, ::-1]),
    s("F.scatter_add", "3", key=([0, 0, 1],), shape=(2,)).but(
        right=lambda x: np.array([x[0] + x[1], x[2]])
    ),
    s("F.scatter_add", "2", key=slice(1, 3), shape=(4,)).but(right=lambda x: np.pad(x, 1)),
    s("F.setitem", "3x2", "2", key=1).but(right=lambda x, v: np.stack([x[0], v, x[2]])),
    s("F.setitem", "4", "()", key=slice(0, 2)).but(right=lambda x, v: np.array([v, v, x[2], x[3]])),
    s("F.split", "4x3", sections=[1, 3], axis=0).but(right=lambda x: [x[:1], x[1:3], x[3:]]),
]

SAMPLES = [*ELEMENTWISE, *REDUCE, *SHAPE]
