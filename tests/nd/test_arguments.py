"""Every function accepts MXNet's arguments: by name, by position, and ``out=``."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from gluon import GluonError, nd
from gluon.nd import NDArray
from recorded.make import HERE, as_list
from tests._core.ops.calls import arrays, function
from tests._core.ops.sample import Sample
from tests._core.ops.samples import SAMPLES
from tests._core.ops.test_samples import FEW, works
from tests.each import each

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
NAMES = json.loads((HERE / "names.json").read_text(encoding="utf-8"))
METHODS = NAMES.pop("nd.NDArray")
#: Functions that also accept arrays in arguments that MXNet's calls cannot pass, and one whose
#: signature there leaves an argument out.
ANOTHER_ORDER = {"BatchNorm_v1", "IdentityAttachKLSparseReg", "contrib.SparseEmbedding"}


def found(path: str) -> Any:
    """``nd.<path>``, or None."""
    place: Any = nd
    for part in path.split("."):
        place = getattr(place, part, None)
    return place


def functions() -> Iterator[tuple[str, list[str]]]:
    """Each function of MXNet that gluon has, with the arguments that it takes there."""
    for module, names in NAMES.items():
        for name, arguments in names.items():
            path = f"{module}.{name}".removeprefix("nd.")
            if arguments is not None and module != "nd.sparse" and found(path) is not None:
                yield path, arguments.split()


FUNCTIONS = dict(functions())


def parameters(call: Callable) -> list[inspect.Parameter]:
    return list(inspect.signature(call).parameters.values())


def takes_any(call: Callable, kind: Any) -> bool:
    return any(p.kind is kind for p in parameters(call))


@each("path", FUNCTIONS)
def test_a_function_takes_every_argument_of_mxnet(path):
    call = found(path)
    ours = [p.name for p in parameters(call)]
    if not takes_any(call, inspect.Parameter.VAR_KEYWORD):
        assert set(FUNCTIONS[path]) <= set(ours)


@each("path", FUNCTIONS)
def test_the_arguments_stand_in_the_order_of_mxnet(path):
    call = found(path)
    if path in ANOTHER_ORDER or takes_any(call, inspect.Parameter.VAR_POSITIONAL):
        return
    ours = [p.name for p in parameters(call) if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert ours[: len(FUNCTIONS[path])] == FUNCTIONS[path]


@each("name", [name for name, given in METHODS.items() if given and hasattr(NDArray, name)])
def test_a_method_takes_every_argument_of_mxnet(name):
    method = getattr(NDArray, name)
    wanted = METHODS[name].split()[1:]
    if wanted == ["args"]:  # whatever the function takes
        wanted = FUNCTIONS[name][1:]
    ours = [p.name for p in parameters(method)[1:]]
    if not takes_any(method, inspect.Parameter.VAR_KEYWORD):
        assert ours[: len(wanted)] == wanted


# -------------------------------------------------------------------------- called as samples


def _by_op() -> dict[str, list[Sample]]:
    """Return the samples of each function that succeed, and are deterministic."""
    by_op: dict[str, list[Sample]] = {}
    for sample in SAMPLES:
        if not sample.op.startswith("F.") and works(sample) and "random" not in sample.differs:
            by_op.setdefault(sample.op, []).append(sample)
    return by_op


BY_OP = _by_op()


def each_sample(ops: Iterable[str]) -> Callable:
    """Run a test with the samples of the functions `ops`, those of a function together."""
    samples = [sample for op in ops for sample in BY_OP[op]]
    return each("sample", samples, by=lambda one: one.op, few=FEW, together=8)


def call(sample: Sample, how: Callable, **more: Any) -> Any:
    """Call the function with arguments that `how` changes."""
    args, kwargs = how(sample, arrays(sample.raws()), dict(sample.attrs))
    return function(sample)(*args, **kwargs, **more)


def as_given(sample: Sample, args: list, kwargs: dict) -> tuple[list, dict]:
    return args, kwargs


def by_name(sample: Sample, args: list, kwargs: dict) -> tuple[list, dict]:
    """Pass all arguments by keyword."""
    names = [p.name for p in parameters(function(sample))]
    if sample.op not in ANOTHER_ORDER:
        names = FUNCTIONS.get(sample.op, names)
    return [], dict(zip(names, args), **kwargs)


def by_place(sample: Sample, args: list, kwargs: dict) -> tuple[list, dict]:
    """Pass as many arguments as possible by position, including defaults between them."""
    for parameter in parameters(function(sample))[len(args) :]:
        if not kwargs or parameter.kind is parameter.KEYWORD_ONLY:
            break
        default = None if parameter.default is parameter.empty else parameter.default
        args.append(kwargs.pop(parameter.name, default))
    return args, kwargs


def in_numpy(sample: Sample, args: list, kwargs: dict) -> tuple[list, dict]:
    """Pass numbers as NumPy's scalars."""
    return [_in_numpy(x) for x in args], {key: _in_numpy(x) for key, x in kwargs.items()}


def _in_numpy(value: Any) -> Any:
    if type(value) is tuple:
        return tuple(map(_in_numpy, value))
    kinds = {int: np.int64, float: np.float64, bool: np.bool_}
    return kinds[type(value)](value) if type(value) in kinds else value


def in_lists(sample: Sample, args: list, kwargs: dict) -> tuple[list, dict]:
    """Pass tuples as lists."""
    return args, {key: list(x) if type(x) is tuple else x for key, x in kwargs.items()}


def assert_same(got: Any, want: Any) -> None:
    assert len(as_list(got)) == len(as_list(want))
    for y, z in zip(as_list(got), as_list(want)):
        assert (y.shape, y.dtype) == (z.shape, z.dtype)
        np.testing.assert_allclose(y.asnumpy(), z.asnumpy(), rtol=1e-5, atol=1e-6)


def variadic(op: str) -> bool:
    return takes_any(found(op), inspect.Parameter.VAR_POSITIONAL)


WAYS = [in_numpy, in_lists, by_name, by_place]


@each_sample(BY_OP)
def test_arguments_may_be_passed_in_any_way(sample):
    for how in WAYS:
        if not (how in (by_name, by_place) and variadic(sample.op)):
            assert_same(call(sample, how), call(sample, as_given))


def blank(like: Any, shape: tuple = (), dtype: Any = None) -> Any:
    """Return empty arrays as outputs, with more axes or another dtype than the results."""
    made = [nd.zeros((*shape, *y.shape), dtype=dtype or y.dtype) for y in as_list(like)]
    return made if isinstance(like, list) else made[0]


#: Functions whose ``out`` has another meaning, or that return nothing to write.
OTHER_OUT = {"onehot_encode", "reset_arrays"}
TAKES_OUT = [
    op for op in BY_OP if "out" in [p.name for p in parameters(found(op))] and op not in OTHER_OUT
]


@each_sample(TAKES_OUT)
def test_a_result_is_written_where_it_is_told(sample):
    want = call(sample, as_given)
    out = blank(want)
    assert call(sample, as_given, out=out) is out
    assert_same(out, want)


OUT_LAST = [op for op in TAKES_OUT if not variadic(op) and op != "random.multinomial"]


@each("op", OUT_LAST)
def test_out_may_stand_after_all_other_arguments(op):
    sample = BY_OP[op][0]
    want = call(sample, as_given)
    out = blank(want)
    _, kwargs = by_name(sample, arrays(sample.raws()), dict(sample.attrs))
    names = [p.name for p in parameters(function(sample))]
    defaults = [p.default for p in parameters(function(sample))]
    place = names.index("out")
    before = [kwargs.get(name, default) for name, default in zip(names[:place], defaults)]
    assert function(sample)(*before, out) is out
    assert_same(out, want)
    with suppress(AttributeError), pytest.raises(TypeError):
        function(sample)(*before, out, None, None)


def draws(op: str) -> bool:
    """Whether the function is a sampler, which takes shape and dtype from `out`."""
    return op.startswith(("random", "sample_")) and "pdf" not in op


@each("op", [op for op in TAKES_OUT if not draws(op)])
def test_out_of_another_shape_or_dtype_or_number_is_an_error(op):
    sample = BY_OP[op][0]
    want = call(sample, as_given)
    dtype = "float64" if as_list(want)[0].dtype != np.float64 else "float32"
    wrong = [blank(want, shape=(2,)), blank(want, dtype=dtype), [nd.zeros((1,))] * 9, 3]
    for out in wrong:
        with pytest.raises(GluonError, match="out"):
            call(sample, as_given, out=out)


# ----------------------------------------------------------------------------- values as text

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("call", "text", "value"),
    [
        (nd.sum, {"axis": "1", "keepdims": "True"}, {"axis": 1, "keepdims": True}),
        (nd.sum, {"axis": "(0, 1)", "exclude": "0"}, {"axis": (0, 1)}),
        (nd.sum, {"axis": "[1L,]", "keepdims": "false"}, {"axis": 1}),
        (nd.sum, {"axis": "()"}, {}),
        (nd.sum, {"axis": "None", "exclude": "TRUE"}, {}),
        (nd.transpose, {"axes": " ( 1,0 , 2 ) "}, {"axes": (1, 0, 2)}),
        (nd.slice, {"begin": "(0, None)", "end": "(None, 3)"}, {"begin": (0,), "end": (2,)}),
        (nd.softmax, {"axis": "1", "temperature": "2.5"}, {"axis": 1, "temperature": 2.5}),
        (nd.softmax, {"temperature": "None"}, {}),
        (nd.clip, {"a_min": "1", "a_max": "3e0"}, {"a_min": 1, "a_max": 3}),
        (nd.topk, {"k": "2", "ret_typ": "value"}, {"k": 2, "ret_typ": "value"}),
        (nd.concat, {"dim": "1", "num_args": "1"}, {"dim": 1}),
    ],
)
def test_numbers_flags_and_tuples_may_be_text(call, text, value):
    assert_same(call(nd.array(X), **text), call(nd.array(X), **value))


def test_text_may_stand_by_place_and_in_methods():
    x = nd.array(X)
    assert_same(nd.clip(x, "1", "3"), nd.clip(x, 1, 3))
    assert_same(x.sum("(0,1)"), x.sum((0, 1)))
    assert_same(nd.Activation(x, "relu"), nd.relu(x))
    assert nd.zeros("(2, 3)").shape == nd.random.uniform(0, 1, shape="(2, 3)").shape == (2, 3)
    assert nd.random_uniform("2", "3", "4", dtype="float64").shape == (4,)
    assert_same(nd.sgd_update(x, x, "0.5", wd="0"), nd.sgd_update(x, x, 0.5))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: nd.sum(x, axis="a"), "sum: axis='a' must be an integer or several"),
        (lambda x: nd.sum(x, axis="1,2"), "sum: axis='1,2' must be an integer or several"),
        (lambda x: nd.sum(x, keepdims="no"), "sum: keepdims='no' must be True or False"),
        (lambda x: nd.topk(x, k="1.5"), "topk: k='1.5' must be an integer"),
        (lambda x: nd.clip(x, "low", 1), "clip: a_min='low' must be a number"),
        (lambda x: nd.topk(x, k=[1]), "topk: k is a list; it must be an integer"),
        (lambda x: nd.sgd_update(x, x, lr={}), "sgd_update: lr is a dict; it must be a number"),
        (lambda x: nd.softmax(x, axis=None), "softmax: axis is a NoneType; it must be an integer"),
        (lambda x: nd.LeakyReLU(x, slope=None), "LeakyReLU: slope is a NoneType; it must be a num"),
        (lambda x: nd.histogram(x, bins="5"), "histogram: bins='5' must be an integer, or"),
        (lambda x: nd.zeros("a"), "zeros: the value='a' must be a number or several"),
    ],
)
def test_a_value_that_is_none_is_an_error_that_says_what_is_wanted(call, message):
    with pytest.raises(GluonError, match=re.escape(message)):
        call(nd.array(X))


def test_more_memory_than_there_is_is_an_error_of_gluon():
    for call in (lambda: nd.zeros(10**14), lambda: nd.random.uniform(shape=10**14)):
        with pytest.raises(GluonError, match="Unable to allocate") as caught:
            call()
        assert isinstance(caught.value, MemoryError)


def test_an_update_that_is_refused_has_written_nothing():
    weight, state = nd.ones(3), nd.ones(3)
    for wrong in ({"lr": b"1"}, {"lr": 0.1, "wd": {}}, {"lr": 0.1, "clip_gradient": [1]}):
        with pytest.raises(GluonError, match="must be a number"):
            nd.ftrl_update(weight, nd.ones(3), state, state, out=weight, **wrong)
    assert (weight.asnumpy() == 1).all()
    assert (state.asnumpy() == 1).all()


@pytest.mark.parametrize("given", ["sum keepdims", "sum exclude", "max keepdims", "topk is_ascend"])
def test_none_is_no_flag(given):
    name, key = given.split()
    with pytest.raises(TypeError, match=f"{name}: {key} is a NoneType; it must be True or False"):
        getattr(nd, name)(nd.ones((2, 3)), axis=1, **{key: None})


def test_an_array_in_any_number_is_not_taken_for_an_argument_after_them():
    with pytest.raises(ValueError, match=r"concat\(xs\[0\]: float32\[2, 2\], xs\[1\]"):
        nd.concat(nd.ones((2, 2)), nd.ones((3, 3)))


@pytest.mark.parametrize("size", [(2, 2, 2), (2,), 2, (2, 0), (2, 1.5), "two"])
def test_two_sizes_are_two_positive_integers(size):
    with pytest.raises(GluonError, match=r"^ROIPooling: pooled_size="):
        nd.ROIPooling(nd.ones((1, 1, 4, 4)), nd.array([[0, 0, 0, 2, 2]]), size, 1.0)


@pytest.mark.parametrize("shape", [(1, 1, 0, 4), (1, 1, 4, 0), (1, 4, 4)])
def test_pictures_have_pixels(shape):
    with pytest.raises(GluonError, match=r"^ROIPooling: data has shape"):
        nd.ROIPooling(nd.ones(shape), nd.array([[0, 0, 0, 2, 2]]), (2, 2), 1.0)


@pytest.mark.parametrize("values", [("a", 2), (2, "a"), ("a", "b"), (2, None)])
@pytest.mark.parametrize("name", ["add", "equal", "maximum"])
def test_functions_of_two_numbers_take_no_text(name, values):
    with pytest.raises(GluonError, match=f"^{name}: give at least one NDArray"):
        getattr(nd, name)(*values)


@pytest.mark.parametrize("values", [(0, 0), (0, 2), (2, 0), (2, 3)])
def test_logical_functions_of_two_numbers_give_0_or_1(values):
    one, two = map(bool, values)
    assert nd.logical_and(*values) == int(one and two)
    assert nd.logical_or(*values) == int(one or two)
    assert nd.logical_xor(*values) == int(one != two)


def test_the_argument_that_is_wrong_is_blamed_and_not_one_before_it():
    x = nd.ones((1, 1, 4, 4))
    with pytest.raises(GluonError, match=r"^Pooling: stride is a tuple"):
        nd.Pooling(x, kernel=(2, 2), pad=None, stride=(1, 1.5))


def test_softmax_to_a_narrower_dtype_computes_before_it_rounds():
    x = nd.array([0.0, 70000.0])
    assert nd.softmax(x, dtype="float16").asnumpy().tolist() == [0, 1]


def test_the_product_of_one_matrix_is_a_copy():
    x = nd.ones((2, 3))
    nd.khatri_rao(x)[:] = 5
    assert (x.asnumpy() == 1).all()


@pytest.mark.parametrize("p", [-0.1, 1.5])
def test_dropout_takes_a_probability(p):
    with pytest.raises(GluonError, match=rf"^Dropout: p={p} is not a probability"):
        nd.Dropout(nd.ones(2), p=p)


def test_one_number_for_all_axes_of_a_convolution():
    x, weight = nd.arange(16).reshape((1, 1, 4, 4)), nd.ones((1, 1, 2, 2))
    y, same = (
        nd.Convolution(x, weight, no_bias=True, num_filter=1, kernel=k, stride=k, pad=p)
        for k, p in [(2, 1), ((2, 2), (1, 1))]
    )
    assert_same(y, same)
