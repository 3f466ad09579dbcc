"""Inferred shapes and dtypes of all operator samples equal those of the results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gluon import GluonError, nd, sym
from tests._core.ops.sample import Sample, has_zero
from tests._core.ops.samples import FAMILIES

#: How many samples of each operator are asked about.
MOST = 4
#: Functions that read, write or hand over arrays: no operators.
NO_OPERATORS = set(
    "NDArray array empty from_dlpack from_numpy imdecode load_frombuffer onehot_encode save"
    " to_dlpack_for_read to_dlpack_for_write waitall".split()
)
#: As MXNet's, these need one shape on symbols; on arrays they broadcast.
BROADCAST_ON_ARRAYS = {"maximum", "minimum", "power", "hypot", "GroupNorm", "broadcast_to"}
#: Whose shapes depend on values.
OPEN = {"contrib.boolean_mask"}


def found(owner: Any, name: str) -> Any:
    for part in name.split("."):
        owner = getattr(owner, part, None)
    return owner


def samples(family: str) -> list[Sample]:
    """Calls of operators that symbols have, of arrays of one dtype that are not empty."""
    counts: dict[str, int] = {}
    chosen = []
    for one in FAMILIES[family]:
        callable_ = one.op[:2] != "F." and found(sym, one.op) is not None
        if not callable_ or one.out or one.writes or one.refused or has_zero(one.inputs):
            continue
        kinds = {raw.dtype for raw in one.raws() if isinstance(raw, np.ndarray)}
        if len(kinds) > 1 or np.dtype(bool) in kinds or one.op in OPEN | BROADCAST_ON_ARRAYS:
            continue
        counts[one.op] = counts.get(one.op, 0) + 1
        if counts[one.op] <= MOST:
            chosen.append(one)
    return chosen


def composed(sample: Sample) -> tuple[Any, dict[str, Any]]:
    """The symbol of a sample, and the arrays for its variables."""
    arrays: dict[str, Any] = {}

    def variable(raw: Any) -> Any:
        if isinstance(raw, list):
            return [variable(one) for one in raw]
        if not isinstance(raw, np.ndarray):
            return raw
        name = f"x{len(arrays)}"
        arrays[name] = nd.array(raw, dtype=raw.dtype)
        return sym.var(name)

    args = [variable(raw) for raw in sample.raws()]
    y = found(sym, sample.op)(*args, **sample.attrs)
    return (sym.Group(list(y)) if isinstance(y, (list, tuple)) else y), arrays


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_inferred_is_what_running_gives(family):
    wrong = []
    for sample in samples(family):
        try:
            y, arrays = composed(sample)
            outputs = y.eval(**arrays)
        except (GluonError, ZeroDivisionError):
            continue  # a call that is an error: the tests of operators say which
        shapes = y.infer_shape(**{name: one.shape for name, one in arrays.items()})[1]
        dtypes = y.infer_type(**{name: one.dtype for name, one in arrays.items()})[1]
        if shapes != [one.shape for one in outputs]:
            wrong.append(f"{sample}: {shapes}, not {[one.shape for one in outputs]}")
        if dtypes != [one.dtype for one in outputs]:
            wrong.append(f"{sample}: {dtypes}, not {[one.dtype for one in outputs]}")
    assert not wrong


@pytest.mark.parametrize("path", ["", "contrib", "linalg", "random", "image"])
def test_every_operator_of_nd_is_there(path):
    face, own = found(nd, path) if path else nd, found(sym, path) if path else sym
    names = {name for name in dir(face) if name[0] != "_" and callable(getattr(face, name))}
    lacking = {name for name in names if not hasattr(own, name)}
    assert lacking == (NO_OPERATORS if not path else set())


def test_numbers_on_either_side():
    x = sym.var("x")
    for name in ("add", "subtract", "divide", "modulo", "greater", "lesser_equal", "not_equal"):
        for args in ((x, 2), (3, x), (x, x)):
            given = [nd.array([2, 5]) if one is x else one for one in args]
            (got,) = found(sym, name)(*args).eval(x=nd.array([2, 5]))
            np.testing.assert_array_equal(got.asnumpy(), found(nd, name)(*given).asnumpy())
    with pytest.raises(GluonError, match="add: give symbols, or a symbol and a number"):
        sym.add(1, 2)


def test_classes_are_drawn():
    drawn, true, expected = sym.contrib.rand_zipfian(sym.var("x"), 4, 5)
    group = sym.Group([drawn, true, expected])
    found_ = group.eval(x=nd.array([3]))
    assert [one.shape for one in found_] == group.infer_shape(x=(1,))[1] == [(4,), (1,), (4,)]
    assert found_[0].asnumpy().max() < 5
    assert sym.random.multinomial(sym.var("p"), shape=(2, 3)).infer_shape(p=(4, 5))[1][0] == (
        4, 2, 3
    )  # fmt: skip
