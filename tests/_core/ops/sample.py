"""The form of operator samples, which the tests and the oracle both read.

``s("sum", "2x3x4", axis=-1)`` calls ``nd.sum`` on a random 2x3x4 array. A name that begins with
``F.`` is an operator of the engine that no `nd` function reaches on its own. An input is

========================  =================================================================
``"2x3"``                 normal float32 numbers of that shape; ``"()"`` is 0-d
``"2x3 positive"``        another kind, one of `KINDS`; ``index5`` is an integer below 5
``"2x3 integers int32"``  another dtype
``"[1, nan] float64"``    literal values
a number, None            itself
a list of inputs          a list of arrays
========================  =================================================================

This file needs NumPy only: it is also read by ``recorded/make.py``, inside the oracle.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from functools import cache
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
    out : tuple of int
        The inputs to pass as ``out=``: one, or several as a list.
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
    out: tuple[int, ...] = ()

    def but(self, **fields: Any) -> Sample:
        """Return the same call with further attributes."""
        return self._replace(**fields)

    def __str__(self) -> str:
        given = [*map(str, self.inputs), *(f"{k}={shown(v)}" for k, v in self.attrs.items())]
        given += [f"out={self.out}"] if self.out else []
        mode = " training" if self.training else ""
        return f"{self.op}({', '.join(given)}){mode}"

    def raws(self) -> list:
        """The inputs: raw arrays, numbers, None, and lists of raw arrays."""
        return [make(value, f"{self.op} {place}") for place, value in enumerate(self.inputs)]

    def variables(self, raws: list) -> list[int]:
        """The positions of the inputs to differentiate."""
        if self.wrt is not None:
            return list(self.wrt)
        return [k for k, raw in enumerate(raws) if is_floating(first(raw))]

    def keywords(self, inputs: list) -> dict:
        """The keyword arguments of the call with these `inputs`."""
        outs = [inputs[k] for k in self.out]
        return {**self.attrs, "out": outs[0] if len(outs) == 1 else outs} if outs else self.attrs

    @property
    def has_reference(self) -> bool:
        """Whether the oracle can run the sample: it has no empty arrays, and no ``F``."""
        return not (self.op.startswith("F.") or self.differs or has_zero(self.inputs))


#: With how many operators `few_alike` keeps the same arguments.
ALIKE = 3


def few_alike(
    samples: Iterable[Sample], first: int, arguments: Callable[[Sample], Hashable]
) -> list[Sample]:
    """The `first` samples of each operator, and of those with the same arguments three of all."""
    of_operators: dict[str, list[Sample]] = defaultdict(list)
    alike: dict[Hashable, list[Sample]] = defaultdict(list)
    for sample in (samples := list(samples)):
        of_operators[sample.op].append(sample)
        alike[arguments(sample)].append(sample)
    kept = {id(one) for group in of_operators.values() for one in group[:first]}
    for group in alike.values():  # which three, no order of operators decides
        spread = sorted(group, key=lambda one: crc32(str(one).encode()))
        kept |= {id(one) for one in spread[:ALIKE]}
    return [sample for sample in samples if id(sample) in kept]


def shown(value: Any) -> str:
    """`value` in the name of a sample: text in quotes where it would look like another value."""
    if isinstance(value, str) and (value in ("None", "True", "False") or not value.isidentifier()):
        return repr(value) if value else value
    return str(value)


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


def kind_of(spec: str) -> str:
    """The kind of the numbers of an input that is written with its shape."""
    words = spec.split()[1:]
    return next((word for word in words if word in KINDS or word.startswith("index")), "normal")


def make(spec: Any, seed: str) -> Any:
    """The raw array that `spec` describes, always the same for the same `seed`."""
    if isinstance(spec, list):
        return [make(one, f"{seed}.{k}") for k, one in enumerate(spec)]
    return drawn(spec, seed).copy() if isinstance(spec, str) else spec


def blank(spec: Any) -> Any:
    """An array of the shape and dtype of `make`, without its values: whoever asks saves drawing."""
    if isinstance(spec, list):
        return [blank(one) for one in spec]
    if not isinstance(spec, str):
        return spec
    return literal(spec) if spec.startswith("[") else np.empty(shape_of(spec), dtype_of(spec))


def literal(spec: str) -> Raw:
    """The array of an input that is written with its values."""
    values, _, dtype = spec.rpartition("]")
    found = eval(values + "]", {"nan": np.nan, "inf": np.inf})
    return np.asarray(found, dtype.strip() or "float32")


def dtype_of(spec: str) -> str:
    """The dtype of an input that is written with its shape."""
    kind = kind_of(spec)
    return next((word for word in spec.split()[1:] if word != kind), "float32")


@cache
def drawn(spec: str, seed: str) -> Raw:
    """The array of `make`, kept: to seed a generator takes longer than most of the tests."""
    if spec.startswith("["):
        return literal(spec)
    kind, dtype = kind_of(spec), dtype_of(spec)
    rng = np.random.RandomState(crc32(f"{seed} {spec}".encode()))
    if limit := re.fullmatch(r"index(\d+)", kind):
        return rng.randint(0, int(limit[1]), shape_of(spec)).astype(dtype)
    return np.asarray(KINDS[kind](rng, shape_of(spec))).astype(dtype)


#: What most functions treat in a way of its own.
SPECIAL = "[nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5]"


def head_gradient(place: int, shape: tuple, dtype: Any) -> Raw:
    """The cotangent that output `place` is given, by the oracle and by the tests."""
    rng = np.random.RandomState(crc32(f"head {place} {shape}".encode()))
    return rng.normal(size=shape).astype(dtype)
