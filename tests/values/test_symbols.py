"""Every function of symbols has a test of its values, which are those of the function of `nd`.

The calls are the samples with which the operators are tested. A function without one is covered
by the test that `ELSEWHERE` names.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gluon
from gluon import GluonError, autograd, nd, sym
from tests._core.ops.sample import Sample, has_zero, s
from tests._core.ops.samples import FAMILIES
from tests.each import each

ROOT = Path(__file__).resolve().parents[2]
#: Where functions are looked for.
NAMESPACES = {
    "": (sym, nd),
    "contrib.": (sym.contrib, nd.contrib),
    "image.": (sym.image, nd.image),
    "linalg.": (sym.linalg, nd.linalg),
}
#: What makes no operator, or reads files.
WITHOUT_VALUES = "Group Variable fromjson get_symbol load load_json var".split()
ELSEWHERE = {
    "Custom": "tests/symbol/test_symbols.py::test_a_custom_operator",
    **dict.fromkeys(
        ("contrib.cond", "contrib.foreach", "contrib.while_loop"),
        "tests/symbol/test_loops.py::test_values_and_gradients_are_those_of_arrays",
    ),
    "contrib.rand_zipfian": "tests/symbol/test_samples.py::test_classes_are_drawn",
}
#: Their arguments are others than those of `nd`: arrays in a row, where that takes lists of them.
#: Of the first, the average is a state; the second gives nothing.
OTHERS = {"IdentityAttachKLSparseReg", "reset_arrays"} | {
    f"contrib.multi_{precision}{name}_update"
    for precision in ("", "mp_")
    for name in ("adamw", "lamb")
}
NORM = ("2x3", "3 positive", "3", "3", "3 positive")
LABELS = ("3x2x4", "[[1, 2], [0, 3]]")
#: Of functions of which `nd` has no samples under these names, or with numbers for arrays.
MORE = [
    s("BatchNorm_v1", *NORM),
    s("Convolution_v1", "1x2x4x4", "3x2x3x3", "3", kernel=(3, 3), num_filter=3),
    s("arange", 1, 7, 2),
    s("contrib.adamw_update", *["2x3 unit"] * 4, "[1]", lr=0.1, eta=1),
    s(
        "contrib.mp_adamw_update",
        *["2x3 unit float16"] * 2,
        *["2x3 unit"] * 3,
        "[1]",
        lr=0.1,
        eta=1,
    ),
    s("BatchNormWithReLU", *NORM),
    s("contrib.BatchNormWithReLU", *NORM),
    s("contrib.uniform", 1, 2, shape=(2, 3)),
    s("contrib.CTCLoss", *LABELS),
    s("contrib.SyncBatchNorm", *NORM, key="one"),
    s("contrib.box_non_maximum_suppression", "[[[0, 0.9, 0, 0, 1, 1], [0, 0.8, 0, 0, 1, 1]]]"),
    s("ctc_loss", *LABELS),
    s("eye", 3, 4, 1),
    s("full", (2, 3), 2.5),
    s("linspace", 0, 1, 5),
    s("normal", 1, 2, shape=(2, 3)),
    s("ones", (2, 3)),
    s("random_exponential", 2, shape=(2, 3)),
    s("sample_exponential", "[1, 2]", shape=3),
    s("sample_gamma", "[1, 2]", "[1, 2]"),
    s("uniform", 1, 2, shape=(2, 3)),
    s("zeros", (2, 3)),
]
SAMPLES: dict[str, list[Sample]] = defaultdict(list)
for one in (*MORE, *(one for family in FAMILIES.values() for one in family)):
    if not (one.refused or has_zero(one.inputs)):
        SAMPLES[one.op].append(one)
        SAMPLES[one.op.replace("linalg.", "linalg_")].append(one)


def functions() -> Iterator[str]:
    """The functions of symbols, with the name of their namespace."""
    for prefix, (module, _) in NAMESPACES.items():
        for name, value in sorted(vars(module).items()):
            if inspect.isfunction(value) and name[0] != "_":
                yield f"{prefix}{name}"


FUNCTIONS = [name for name in functions() if name not in WITHOUT_VALUES]


def arrays(raw: Any) -> Any:
    """Arrays in the places of raw ones."""
    if isinstance(raw, list):
        return [arrays(one) for one in raw]
    return nd.array(raw, dtype=raw.dtype) if isinstance(raw, np.ndarray) else raw


def function(name: str, place: int) -> Callable:
    """Return a function of symbols, or the corresponding function of arrays."""
    prefix, dot, own = name.rpartition(".")
    return getattr(NAMESPACES[prefix + dot][place], own)


def of_arrays(sample: Sample, name: str) -> list:
    """The result of the function of `nd` for a sample."""
    gluon.random.seed(1)
    with autograd.train_mode() if sample.training else autograd.predict_mode():
        found = function(name, 1)(*map(arrays, sample.raws()), **sample.attrs)
    return found if isinstance(found, (list, tuple)) else [found]


def is_taken(sample: Sample, name: str) -> bool:
    """Whether the function of `nd` takes a sample: some are of errors."""
    try:
        of_arrays(sample, name)
    except (GluonError, TypeError):
        return False
    return True


def both(sample: Sample, name: str) -> tuple[list, list]:
    """The results of the function of symbols and of that of `nd` for a sample."""
    given: dict[str, Any] = {}

    def variables(raw: Any) -> Any:
        if isinstance(raw, list):
            return [variables(one) for one in raw]
        if not isinstance(raw, np.ndarray):
            return raw
        key = f"x{len(given)}"
        given[key] = arrays(raw)
        return sym.var(key)

    symbol = function(name, 0)(*map(variables, sample.raws()), **sample.attrs)
    states = {key: given.pop(key) for key in symbol.list_auxiliary_states()}
    executor = symbol.bind(gluon.cpu(), given, grad_req="null", aux_states=states)
    gluon.random.seed(1)
    gluon.random.seed(1)
    return executor.forward(is_train=sample.training), of_arrays(sample, name)


@pytest.mark.filterwarnings("ignore")
@each("name", [name for name in FUNCTIONS if name not in {*ELSEWHERE, *OTHERS}], size=10)
def test_a_function_gives_what_that_of_arrays_gives(name):
    taken = next((one for one in SAMPLES[name] if is_taken(one, name)), None)
    assert taken is not None, (
        f"sym.{name} has no test of its values: add a sample to tests/_core/ops/samples, or to"
        " MORE here"
    )
    got, wanted = both(taken, name)
    assert got
    for one, other in zip(got, wanted):
        np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())


def test_exceptions_name_functions_that_there_are():
    assert {*ELSEWHERE, *OTHERS} <= set(FUNCTIONS)
    assert all(hasattr(sym, name) for name in WITHOUT_VALUES)
    assert {one.op for one in MORE} <= set(FUNCTIONS)
    for test in ELSEWHERE.values():
        file, _, name = test.partition("::")
        assert f"def {name}(" in (ROOT / file).read_text()
