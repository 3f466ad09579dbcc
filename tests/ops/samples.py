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
    own : bool
        Whether the operator has a gradient of its own, which is not the slope of its value.
    writes : tuple of int
        The inputs that the call writes to.
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
    own: bool = False
    writes: tuple[int, ...] = ()

    def but(self, **fields: Any) -> Sample:
        """The same call with more known about it."""
        return self._replace(**fields)

    def __str__(self) -> str:
        given = [*map(str, self.inputs), *(f"{key}={value}" for key, value in self.attrs.items())]
        mode = " training" if self.training else ""
        return f"{self.op}({', '.join(given)}){mode}"

    def raws(self) -> list:
        """The inputs: raw arrays, numbers, None, and lists of raw arrays."""
        return [make(value, f"{self.op} {place}") for place, value in enumerate(self.inputs)]

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
    **dict.fromkeys(
        "abs arctan arcsinh cbrt ceil cos cosh degrees erf exp expm1 fix floor".split(), ""
    ),
    **dict.fromkeys("negative radians relu rint round sigmoid sign sin sinh softsign".split(), ""),
    **dict.fromkeys("square tan tanh trunc hard_sigmoid".split(), ""),
    **dict.fromkeys(
        "gamma gammaln log log10 log1p log2 rcbrt reciprocal rsqrt sqrt".split(), "positive"
    ),
    **dict.fromkeys("arccos arcsin arctanh erfinv".split(), "unit"),
    "arccosh": "above",
}
SPECIAL = "[nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5]"
#: What differs at NaN: MXNet compares, and a comparison with NaN is false.
AT_NAN: dict[str, dict] = {
    "gamma": {"differs_grad": "at the poles the gradient is nan or infinite"},
    "gammaln": {"differs_grad": "at the poles the gradient is nan or infinite"},
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
    *(
        s(f"elemwise_{name}", "4 natural int32", "4 natural int32")
        for name in "add sub mul".split()
    ),
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
    s("F.softrelu", "[1000, -1000, 0]").but(
        right=lambda x: np.float32([1000, 0, np.log(2)]), kink=True
    ),
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
    *(
        s("norm", "2x3x4", **attrs)
        for attrs in AXES
        if "exclude" not in attrs and attrs.get("axis") != ()
    ),
    *(
        s("norm", "2x3", ord=1, **attrs)
        for attrs in ({}, {"axis": 1}, {"axis": 0, "keepdims": True})
    ),
    s("norm", "2x3 float64", ord=2, axis=-1),
    s("norm", "4 float16").but(rtol=4e-3),
    s("norm", "[[0, 0], [3, 4]]", axis=1).but(
        kink=True, differs_grad="MXNet gives nan at 0; the subgradient is 0"
    ),
    s("norm", "[3e30, 4e30]").but(
        differs="MXNet's squares overflow", right=lambda x: np.float32([5e30]), kink=True
    ),
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
        for shape in [
            (24,),
            (4, 6),
            (-1, 2),
            (0, -1),
            (-2,),
            (-3, 4),
            (-4, 1, 2, -2),
            (0, -4, -1, 3, 4),
        ]
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
    s("transpose", "2x3", axes=(0, 0)).but(differs="MXNet crashes", refused=True),
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
    s("concatenate", ["2x3", "4x3"], axis=0),
    s("concatenate", ["2x3", "2x1"], axis=1),
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

# ------------------------------------------------------------------------ activations, softmax

ACTIVATION = [
    *(
        s("Activation", "2x3", act_type=kind)
        for kind in "relu sigmoid tanh softrelu softsign".split()
    ),
    s("Activation", "2x3", act_type="nonsense"),
    s("Activation", SPECIAL, act_type="softrelu").but(kink=True, wrt=()),
    s("Activation", "0x3", act_type="relu"),
    *(s("LeakyReLU", "2x3 large", act_type=kind, slope=0.1) for kind in "leaky elu gelu".split()),
    s("LeakyReLU", "2x3", act_type="selu").but(differs_grad="MXNet drops a factor"),
    s("LeakyReLU", "2x3"),
    s("LeakyReLU", "2x3 float64", act_type="gelu"),
    s("LeakyReLU", "4 float16", act_type="elu", slope=0.3).but(rtol=2e-3),
    s("LeakyReLU", "2x3x4", "3", act_type="prelu"),
    s("LeakyReLU", "2x3", "1", act_type="prelu"),
    s("LeakyReLU", "2x3", act_type="rrelu", lower_bound=0.1, upper_bound=0.3).but(
        differs="MXNet also returns its mask",
        right=lambda x: np.where(x > 0, x, np.float32(0.2) * x),
    ),
    *(
        s(name, "2x3x4", **attrs)
        for name in ("softmax", "log_softmax", "softmin")
        for attrs in ({}, {"axis": 1}, {"axis": 0}, {"temperature": 2.5})
    ),
    *(s(name, "3x4 large", axis=-1) for name in ("softmax", "log_softmax", "softmin")),
    *(
        s(name, "[[nan, 1], [inf, 0], [-inf, 2], [1000, 1000]]").but(kink=True, wrt=())
        for name in ("softmax", "log_softmax")
    ),
    s("softmax", "3x4 float16").but(rtol=2e-3),
    s("softmax", "3x4 float64"),
    s("softmax", "3x4", dtype="float64").but(kink=True),
    s("softmax", "0x4"),
    s("softmax", "3x4 integers int32").but(differs="MXNet takes no integers"),
    s("softmax", "2x4", "[2, 3] int32", axis=1, use_length=True).but(wrt=(0,)),
    s("softmax", "2x4", "[2, 0] int32", axis=1, use_length=True).but(wrt=(0,)),
    s("softmax", "2x3x4", "[[1, 2, 3, 1], [3, 3, 2, 1]] int32", axis=1, use_length=True).but(
        wrt=(0,)
    ),
    s("SoftmaxActivation", "2x3x4").but(differs_grad="MXNet sends the wrong slope back"),
    s("SoftmaxActivation", "2x3"),
    s("SoftmaxActivation", "2x3x4", mode="channel"),
    s("softmax_cross_entropy", "3x4", "3 index4").but(wrt=(0,)),
    s("smooth_l1", "3x4 large"),
    s("smooth_l1", "3x4", scalar=2.0),
    s("hard_sigmoid", "3x4 large", alpha=0.1, beta=0.4),
    s("digamma", "3x4 positive").but(differs="mx.nd has none"),
    s("F.polygamma", "3x4 positive", n=1),
]

# ------------------------------------------------------------- convolution, pooling, resampling

#: data shape, weight shape, the rest
CONVOLUTIONS: list[tuple[str, str, dict]] = [
    ("2x3x7", "4x3x3", {}),
    ("2x3x7", "4x3x3", {"stride": 2, "pad": 1}),
    ("2x2x5x6", "3x2x3x2", {}),
    ("2x2x5x6", "3x2x3x2", {"stride": (2, 1), "pad": (1, 1)}),
    ("1x2x7x7", "2x2x3x3", {"dilate": (2, 2), "pad": (2, 1)}),
    ("2x4x5x5", "6x2x3x3", {"num_group": 2}),
    ("2x3x5x5", "3x1x3x3", {"num_group": 3, "stride": (2, 2)}),
    ("1x2x4x4x4", "2x2x2x2x2", {}),
    ("1x2x4x5x4", "2x1x3x2x2", {"num_group": 2, "stride": (1, 2, 1), "pad": (1, 0, 1)}),
    ("2x3x4x4", "5x3x1x1", {}),
    ("1x1x5x5", "1x1x5x5", {}),
]


def _kernel(weight: str, attrs: dict) -> dict:
    sizes = tuple(map(int, weight.split("x")))
    found = {"kernel": sizes[2:], "num_filter": sizes[0], **attrs}
    return {
        key: (v,) if isinstance(v, int) and key in ("stride", "pad") else v
        for key, v in found.items()
    }


def _transposed(weight: str, attrs: dict) -> dict:
    found = _kernel(weight, attrs)
    return {**found, "num_filter": int(weight.split("x")[1]) * attrs.get("num_group", 1)}


DECONVOLUTIONS: list[tuple[str, str, dict]] = [
    ("2x3x5", "3x4x3", {}),
    ("2x3x5", "3x4x3", {"stride": 2, "pad": 1, "adj": (1,)}),
    ("2x2x4x3", "2x3x3x2", {}),
    ("2x2x4x3", "2x3x3x2", {"stride": (2, 2), "pad": (1, 0)}),
    ("1x4x3x3", "4x2x2x2", {"num_group": 2, "stride": (2, 2)}),
    ("1x2x3x3", "2x1x3x3", {"dilate": (2, 2)}),
    ("1x2x3x3", "2x2x3x3", {"stride": (2, 2), "target_shape": (6, 6)}),
]

POOLS: list[dict] = [
    {"kernel": (2, 2)},
    {"kernel": (3, 2), "stride": (2, 2)},
    {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1)},
    {"kernel": (3, 3), "stride": (2, 2), "pooling_convention": "full"},
    {"kernel": (2, 3), "stride": (3, 2), "pad": (1, 1), "pooling_convention": "full"},
    {"kernel": (2, 2), "global_pool": True},
]

CONVOLUTION = [
    *(
        s("Convolution", data, weight, weight.split("x")[0], **_kernel(weight, attrs))
        for data, weight, attrs in CONVOLUTIONS
    ),
    *(
        s("Convolution", data, weight, None, no_bias=True, **_kernel(weight, attrs))
        for data, weight, attrs in CONVOLUTIONS[1:4]
    ),
    s(
        "Convolution",
        "2x2x4x4 float64",
        "3x2x2x2 float64",
        "3 float64",
        kernel=(2, 2),
        num_filter=3,
    ),
    s("Convolution", "2x3x4x4", "3x2x2x2", "3", kernel=(2, 2), num_filter=3),
    s("Convolution", "2x2x4x4", "3x2x2x2", "3", kernel=(5, 5), num_filter=3),
    s("Convolution", "2x2x4x4", "3x2x2x2", "4", kernel=(2, 2), num_filter=3),
    *(
        s("Deconvolution", data, weight, no_bias=True, **_transposed(weight, attrs))
        for data, weight, attrs in DECONVOLUTIONS
    ),
    s("Deconvolution", "2x2x3x3", "2x3x2x2", "3", kernel=(2, 2), num_filter=3, no_bias=False),
    s(
        "Deconvolution",
        "1x2x2x3x2",
        "2x1x2x2x2",
        no_bias=True,
        kernel=(2, 2, 2),
        num_filter=1,
        stride=(2, 1, 2),
    ).but(differs="MXNet has it on some machines only"),
    s("FullyConnected", "4x3", "2x3", "2", num_hidden=2),
    s("FullyConnected", "4x3", "2x3", None, num_hidden=2, no_bias=True),
    s("FullyConnected", "4x3x2", "5x6", "5", num_hidden=5),
    s("FullyConnected", "4x3x2", "5x2", "5", num_hidden=5, flatten=False),
    s("FullyConnected", "4x3 float64", "2x3 float64", "2 float64", num_hidden=2),
    s("FullyConnected", "4x3 float16", "2x3 float16", "2 float16", num_hidden=2).but(
        rtol=4e-3, differs="MXNet needs a GPU for float16", right=lambda x, w, b: x @ w.T + b
    ),
    s("FullyConnected", "4x3", "2x4", "2", num_hidden=2),
    s("FullyConnected", "0x3", "2x3", "2", num_hidden=2),
    *(
        s("Pooling", "2x2x6x7", pool_type=kind, **attrs)
        for kind in ("max", "avg", "sum")
        for attrs in POOLS
    ),
    *(
        s("Pooling", "2x2x6x7", pool_type="avg", count_include_pad=False, **attrs)
        for attrs in POOLS[2:5]
    ),
    *(
        s("Pooling", "2x2x5x5 positive", pool_type="lp", p_value=p, kernel=(2, 2))
        for p in (1, 2, 3)
    ),
    s("Pooling", "2x2x7", pool_type="max", kernel=(3,), stride=(2,)),
    s("Pooling", "2x2x7", pool_type="avg", kernel=(3,), pad=(1,)),
    s("Pooling", "1x2x4x4x4", pool_type="max", kernel=(2, 2, 2), stride=(2, 2, 2)),
    s("Pooling", "1x2x4x4x4", pool_type="avg", kernel=(2, 3, 2)),
    s("Pooling", "2x2x7", pool_type="max", kernel=(3,), stride=(2,), pooling_convention="same").but(
        differs="MXNet fails"
    ),
    s(
        "Pooling",
        "2x2x7x6",
        pool_type="max",
        kernel=(3, 2),
        stride=(2, 2),
        pooling_convention="same",
    ).but(differs="MXNet takes one axis only"),
    s("Pooling", "1x1x4x4 float64", pool_type="max", kernel=(2, 2)),
    s("Pooling", "1x1x2x2", pool_type="max", kernel=(3, 3)),
    s("Pooling", "1x1x4x4", pool_type="mean", kernel=(2, 2)),
    s("F.pick_places", "1x2x4x4", "1x2x2x2 index4 int64", kernel=(2, 2), stride=(2, 2)),
    s("UpSampling", "1x2x3x3", scale=2, sample_type="nearest"),
    s("UpSampling", "1x2x2x3", scale=3, sample_type="nearest"),
    s("UpSampling", "1x2x4x4", "1x3x2x2", scale=2, sample_type="nearest", num_args=2),
    s("Crop", "1x2x5x6", offset=(1, 2), h_w=(3, 2), num_args=1),
    s("Crop", "1x2x5x6", "1x1x3x4", center_crop=True, num_args=2).but(wrt=(0,)),
    s("contrib.AdaptiveAvgPooling2D", "1x2x5x6", output_size=(2, 3)),
    s("contrib.AdaptiveAvgPooling2D", "1x2x4x4", output_size=1),
    s("contrib.BilinearResize2D", "1x2x3x4", height=5, width=6),
    s("contrib.BilinearResize2D", "1x2x4x4", height=2, width=3),
]

# ------------------------------------------------------------------------------- normalization


def _batch_norm(data: str, channels: int, **attrs: Any) -> Sample:
    one = f"{channels}"
    sample = s("BatchNorm", data, one, one, one, f"{one} positive", **attrs)
    return sample.but(wrt=(0, 1, 2), rtol=3e-5)


NORM = [
    _batch_norm("4x3", 3),
    _batch_norm("4x3x2x2", 3, fix_gamma=False),
    _batch_norm("4x3", 3).but(training=True, writes=(3, 4)),
    _batch_norm("4x3x5", 3, fix_gamma=False).but(training=True, writes=(3, 4)),
    _batch_norm("4x3x2x2", 3, fix_gamma=False, momentum=0.7, eps=0.1).but(
        training=True, writes=(3, 4)
    ),
    _batch_norm("4x2x3", 3, fix_gamma=False, axis=-1).but(training=True, writes=(3, 4)),
    _batch_norm("4x3x2x2", 3, fix_gamma=False, use_global_stats=True).but(training=True),
    s("LayerNorm", "4x3", "3", "3").but(rtol=3e-5),
    s("LayerNorm", "2x3x4", "3", "3", axis=1, eps=0.1).but(rtol=3e-5),
    s("LayerNorm", "2x3x4", "4", "4", output_mean_var=True).but(
        rtol=3e-5, differs_grad="MXNet drops the gradients of the mean and the deviation"
    ),
    s("LayerNorm", "4x3 float64", "3 float64", "3 float64"),
    s("InstanceNorm", "2x3x4x2", "3", "3").but(rtol=3e-5),
    s("InstanceNorm", "2x3x5", "3", "3", eps=0.1).but(rtol=3e-5),
    s("GroupNorm", "2x4x3", "2", "2", num_groups=2).but(rtol=3e-5),
    s("GroupNorm", "2x6x3x2", "3", "3", num_groups=3, eps=0.1).but(rtol=3e-5),
    *(s("L2Normalization", "2x3x4", mode=mode) for mode in ("instance", "channel", "spatial")),
    s("LRN", "2x5x3x3", nsize=3),
    s("LRN", "2x5x3x3", nsize=5, alpha=0.5, beta=0.6, knorm=1.5),
    s("moments", "2x3x4", axes=(0, 2)),
    s("moments", "2x3x4", axes=(1,), keepdims=True),
    s("Dropout", "2x3", p=0.5),
    s("Dropout", "20x30", p=0.5).but(training=True, kink=True, differs="it is random"),
    s("Dropout", "2x3", p=0.0).but(training=True),
]

# ------------------------------------------------------ outputs with a gradient of their own

OUTPUT = [
    *(
        s(name, "3x4", "3x4 positive", **attrs).but(wrt=(0,), own=True)
        for name in ("LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput")
        for attrs in ({}, {"grad_scale": 2.5})
    ),
    *(
        s("SoftmaxOutput", "4x3", "[0, 2, 1, 2]", **attrs).but(wrt=(0,), own=True)
        for attrs in (
            {},
            {"grad_scale": 0.5},
            {"use_ignore": True, "ignore_label": 2},
            {"normalization": "batch"},
            {"normalization": "valid", "use_ignore": True, "ignore_label": 2},
            {"smooth_alpha": 0.1},
        )
    ),
    s("SoftmaxOutput", "4x3", "[0, 2, 1, 2]", out_grad=True).but(
        wrt=(0,), own=True, differs_grad="MXNet multiplies by the output, not by its gradient"
    ),
    s("SoftmaxOutput", "2x3x4", "2x4 index3", multi_output=True).but(wrt=(0,), own=True),
    *(
        s("MakeLoss", "3x4 positive", **attrs).but(own=True)
        for attrs in (
            {},
            {"grad_scale": 3.0},
            {"normalization": "batch"},
            {"normalization": "valid", "valid_thresh": 0.9},
        )
    ),
    s("make_loss", "3x4").but(own=True),
    s("contrib.gradientmultiplier", "3x4", scalar=-0.5).but(own=True),
]

# ------------------------------------------------------------------------- picking and placing

INDEX = [
    s("take", "4x3", "[0, 2, 3, 0]").but(wrt=(0,)),
    s("take", "4x3", "[[1, 5], [-1, -9]]").but(wrt=(0,)),
    s("take", "4x3", "[[1, 5], [-1, -9]] int32", mode="wrap").but(wrt=(0,)),
    s("take", "4x3", "[0, 2]", axis=1).but(wrt=(0,)),
    s("take", "2x3x4", "[0, 2, 2] int64", axis=-1).but(wrt=(0,)),
    s("take", "4 integers int32", "[3, 1]").but(wrt=()),
    s("batch_take", "3x4", "3 index4 int32").but(wrt=(0,)),
    s("pick", "3x4", "3 index4").but(wrt=(0,)),
    s("pick", "3x4", "4 index3", axis=0).but(wrt=(0,)),
    s("pick", "3x4", "3 index4 int32", axis=1, keepdims=True).but(wrt=(0,)),
    s("pick", "3x4", "[9, -1, -9]", mode="wrap").but(wrt=(0,)),
    s("pick", "3x4", "[9, -1, -9]").but(wrt=(0,)),
    s("pick", "2x3x4", "2x4 index3", axis=1).but(wrt=(0,)),
    s("choose_element_0index", "3x4", "3 index4").but(wrt=(0,)),
    s("one_hot", "4 index3", depth=3).but(wrt=()),
    s("one_hot", "2x2 index3 int32", depth=4, on_value=5, off_value=-1, dtype="int32").but(wrt=()),
    s("one_hot", "[-1, 7, 1]", depth=3).but(wrt=()),
    s("gather_nd", "3x4", "[[0, 2, 1], [3, 0, 3]]").but(wrt=(0,)),
    s("gather_nd", "3x4", "[[0, 2, 0]]").but(wrt=(0,)),
    s("gather_nd", "2x3x4", "2x5 index2 int64").but(wrt=(0,)),
    s("scatter_nd", "3", "[[0, 2, 1], [3, 0, 3]]", shape=(3, 4)).but(wrt=(0,)),
    s("scatter_nd", "2x4", "[[2, 0]]", shape=(3, 4)).but(wrt=(0,)),
    s("Embedding", "[0, 2, 1, 2]", "3x4", input_dim=3, output_dim=4).but(wrt=(1,)),
    s("Embedding", "[[0, 2], [5, -1]] int32", "3x4", input_dim=3, output_dim=4).but(wrt=(1,)),
    s("diag", "4x4"),
    s("diag", "3x4", k=1),
    s("diag", "4", k=-1),
    s("diag", "2x3x3", axis1=1, axis2=2),
    s("sort", "3x4 distinct"),
    s("sort", "3x4 distinct", axis=0, is_ascend=False),
    s("sort", "3x4 distinct", axis=None),
    s("sort", "6 integers int32"),
    s("argsort", "3x4 distinct").but(wrt=()),
    s("argsort", "3x4 distinct", axis=0, is_ascend=False, dtype="int32").but(wrt=()),
    s("argsort", "[2, 1, 2, 1, 0]").but(wrt=()),
    *(s("topk", "3x5 distinct", k=2, ret_typ=kind).but(wrt=()) for kind in ("indices", "mask")),
    s("topk", "3x5 distinct", k=2, ret_typ="value"),
    s("topk", "3x5 distinct", k=3, ret_typ="value", is_ascend=True, axis=0),
    s("topk", "3x5 distinct", k=2, ret_typ="both"),
    s("topk", "3x5 distinct", axis=None, k=2, dtype="int32").but(wrt=()),
    s("topk", "[[1, 3, 3, 2]]", k=2).but(wrt=()),
    s("ravel_multi_index", "[[0, 1, 2], [3, 0, 1]]", shape=(3, 4)).but(wrt=()),
    s("unravel_index", "[1, 7, 11] int32", shape=(3, 4)).but(wrt=()),
    s("histogram", "20", bins=5, range=(-2, 2)).but(wrt=()),
    s("cumsum", "3x4", axis=1),
    s("cumsum", "3x4"),
    s("cumsum", "3x4", axis=-2).but(
        differs="MXNet takes no negative axis", right=lambda x: np.cumsum(x, -2)
    ),
    s("cumsum", "4 integers int32", axis=0),
    s("depth_to_space", "1x8x2x3", block_size=2),
    s("space_to_depth", "1x2x4x6", block_size=2),
    *(
        s(name, "4x2x3", **attrs)
        for name, attrs in [("SequenceMask", {"value": -1}), ("SequenceReverse", {})]
    ),
    s("SequenceLast", "4x2x3").but(differs="MXNet crashes", right=lambda x: x[-1]),
    *(
        s(name, "4x2x3", "[1, 3]", use_sequence_length=True).but(wrt=(0,))
        for name in ("SequenceMask", "SequenceLast", "SequenceReverse")
    ),
    s("SequenceMask", "2x4x3", "[4, 2]", use_sequence_length=True, axis=1, value=2.5).but(wrt=(0,)),
    s("SequenceLast", "2x4x3", "[4, 2]", use_sequence_length=True, axis=1).but(wrt=(0,)),
    s("all_finite", "3x4"),
    s("all_finite", "[1, nan]"),
    s("multi_all_finite", "3", "[inf, 2]", num_arrays=2),
    s("multi_sum_sq", "3", "2x2", num_arrays=2).but(wrt=()),
    s("contrib.boolean_mask", "4x3", "[0, 1, 0, 1]").but(wrt=(0,)),
    s("contrib.index_copy", "4x3", "[1, 3] int64", "2x3").but(wrt=(0, 2)),
    s("contrib.arange_like", "2x3"),
    s("contrib.arange_like", "2x3", axis=1, start=1.0, step=0.5).but(wrt=()),
    s("contrib.index_array", "2x3").but(wrt=()),
    s("contrib.div_sqrt_dim", "2x4"),
    s("contrib.quadratic", "2x3", a=1.5, b=-2.0, c=0.5),
    *(s(f"contrib.{name}", SPECIAL).but(wrt=()) for name in ("isnan", "isinf", "isfinite")),
]

# ------------------------------------------------------------------------------ linear algebra

TRANSPOSES = [
    ("2x3", "3x4", {}),
    ("3x2", "3x4", {"transpose_a": True}),
    ("2x3", "4x3", {"transpose_b": True}),
    ("3x2", "4x3", {"transpose_a": True, "transpose_b": True}),
]
LINALG = [
    *(s("dot", a, b, **attrs) for a, b, attrs in TRANSPOSES),
    s("dot", "3", "3"),
    s("dot", "2x3", "3"),
    s("dot", "2x3x4", "4x2"),
    s("dot", "2x3x4", "4x2x3"),
    s("dot", "2x3 float64", "3x4 float64"),
    s("dot", "2x3", "2x3"),
    *(s("batch_dot", f"2x{a}", f"2x{b}", **attrs) for a, b, attrs in TRANSPOSES),
    s("batch_dot", "2x3x4", "3x4x2"),
    s("F.matmul", "2x3x4", "4x2").but(right=np.matmul),
    *(s("linalg.gemm2", f"2x{a}", f"2x{b}", alpha=1.5, **attrs) for a, b, attrs in TRANSPOSES),
    *(s("linalg.gemm", a, b, "2x4", alpha=1.5, beta=-0.5, **attrs) for a, b, attrs in TRANSPOSES),
    s("linalg.syrk", "2x3", alpha=2.0),
    s("linalg.syrk", "2x2x3", transpose=True),
    *(
        s(
            f"linalg.{name}",
            "3x3 lower",
            "3x2" if not side else "2x3",
            rightside=side,
            transpose=turn,
            lower=low,
        )
        for name in ("trmm", "trsm")
        for side in (False, True)
        for turn in (False, True)
        for low in ((True,) if name == "trsm" else (True, False))
    ),
    s("linalg.trsm", "2x3x3 lower", "2x3x2", alpha=0.5),
    s("linalg.potrf", "3x3 spd").but(rtol=3e-5),
    s("linalg.potrf", "2x3x3 spd").but(rtol=3e-5),
    s("linalg.potri", "3x3 lower").but(rtol=1e-4),
    s("linalg.inverse", "3x3 spd").but(rtol=3e-5),
    s("linalg.inverse", "2x2x2 spd").but(rtol=3e-5),
    s("linalg.det", "3x3 spd").but(rtol=3e-5),
    s("linalg.det", "2x3x3 float64"),
    s("linalg.slogdet", "3x3 spd").but(rtol=3e-5),
    s("linalg.slogdet", "2x3x3 float64"),
    s("linalg.sumlogdiag", "3x3 spd"),
    s("linalg.sumlogdiag", "2x3x3 spd"),
    s("linalg.gelqf", "2x3").but(rtol=1e-4),
    s("linalg.gelqf", "2x2x4 float64"),
    s("linalg.syevd", "3x3 symmetric").but(rtol=1e-4),
    s("linalg.syevd", "2x3x3 symmetric float64"),
    s("linalg.extractdiag", "3x3"),
    s("linalg.extractdiag", "2x3x3", offset=1),
    s("linalg.makediag", "3"),
    s("linalg.makediag", "2x2", offset=-1),
    s("linalg.extracttrian", "3x3"),
    s("linalg.extracttrian", "2x3x3", offset=1, lower=False),
    s("linalg.maketrian", "6"),
    s("linalg.maketrian", "2x3", lower=False),
    s("khatri_rao", "2x3", "4x3"),
    s("F.tril", "3x4", k=1).but(right=lambda x: np.tril(x, 1)),
    s("F.triu", "3x4", k=-1).but(right=lambda x: np.triu(x, -1)),
]

# ---------------------------------------------------------------------------------- boxes

BOXES = "[[0.1, 0.1, 0.5, 0.6], [0.15, 0.1, 0.5, 0.55], [0.6, 0.5, 0.9, 0.9], [0, 0, 1, 1]]"
#: The class, the score and the corners of each box.
SCORED = (
    "[[0, 0.9, 0.1, 0.1, 0.5, 0.6], [0, 0.8, 0.15, 0.1, 0.5, 0.55],"
    " [1, 0.7, 0.1, 0.1, 0.5, 0.5], [1, 0.05, 0.6, 0.5, 0.9, 0.9]]"
)
ANCHORS = f"[{BOXES}]"
DETECTION = [
    s("contrib.box_iou", BOXES, BOXES).but(wrt=()),
    s("contrib.box_iou", BOXES, "[[0.3, 0.3, 0.2, 0.4]]", format="center").but(wrt=()),
    s("contrib.box_nms", SCORED).but(wrt=(0,), kink=True),
    s("contrib.box_nms", SCORED, overlap_thresh=0.3, valid_thresh=0.1, id_index=0).but(kink=True),
    s("contrib.box_nms", SCORED, topk=2, id_index=0, force_suppress=True, out_format="center").but(
        differs_grad="MXNet forgets that the format changed"
    ),
    s("contrib.MultiBoxPrior", "1x3x2x3", sizes=(0.5, 0.25), ratios=(1, 2)).but(wrt=()),
    s("contrib.MultiBoxPrior", "1x3x2x2", sizes=(0.9,), ratios=(1,), clip=True).but(wrt=()),
    s(
        "contrib.MultiBoxTarget",
        ANCHORS,
        "[[[0, 0.1, 0.1, 0.4, 0.5], [1, 0.6, 0.6, 0.9, 1]]]",
        "1x3x4",
    ).but(wrt=()),
    s("contrib.MultiBoxDetection", "1x3x4 positive", "1x16 unit", ANCHORS).but(wrt=()),
]

SAMPLES = [
    *ELEMENTWISE,
    *REDUCE,
    *SHAPE,
    *ACTIVATION,
    *CONVOLUTION,
    *NORM,
    *OUTPUT,
    *INDEX,
    *LINALG,
    *DETECTION,
]
