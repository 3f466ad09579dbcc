"""The functions of `np`, `np.linalg` and their like: what NumPy gives, and slopes of two orders."""

from __future__ import annotations

import re
from typing import Any

import numpy
import pytest

from gluon import GluonError, autograd, np, npx
from tests.each import each
from tests.np.calls import NEWER, SAME, SLOPES, arrays

IS_NEW = numpy.lib.NumpyVersion(numpy.__version__) >= "2.0.0"
ALL = [call for calls in SAME.values() for call in calls] + NEWER


pytestmark = pytest.mark.usefixtures("defaults_of_numpy")


def theirs(call: str) -> Any:
    """The result of a call with NumPy."""
    with numpy.errstate(all="ignore"):
        try:
            return eval(call, {"np": numpy, **arrays()})
        except (AttributeError, TypeError) as error:
            if IS_NEW:
                numpy_has_not = re.search(r"no attribute '(\w+)'", str(error))
                if numpy_has_not is None:
                    raise
            pytest.skip(f"NumPy {numpy.__version__}: {error}")


def ours(call: str, dtype: Any = None) -> Any:
    """The result of a call with gluon, with floats of `dtype`."""
    given = {}
    for name, raw in arrays().items():
        is_float = raw.dtype.kind == "f"
        given[name] = np.array(raw, dtype=(dtype if is_float else None) or raw.dtype)
    return eval(call, {"np": np, **given})


def assert_same(got: Any, want: Any, exact: bool = True) -> None:
    if isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for one, other in zip(got, want):
            assert_same(one, other, exact)
        return
    if isinstance(want, (bool, int)) or isinstance(got, int):
        assert got == want
        return
    want, raw = numpy.asarray(want), got.asnumpy()
    if want.dtype.kind == "c" and not want.imag.any():  # as NumPy gives eigenvalues from 2.5 on
        want = want.real
    assert raw.shape == want.shape
    if exact:
        assert raw.dtype == want.dtype
    tolerance = 1e-9 if exact else 2e-4
    numpy.testing.assert_allclose(raw, want, rtol=tolerance, atol=tolerance)


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("call", ALL)
def test_numpy_gives_the_same(call):
    want = theirs(call)
    assert_same(ours(call), want)


def floats(result: Any) -> list[Any]:
    if isinstance(result, (tuple, list)):
        return [one for part in result for one in floats(part)]
    is_float = isinstance(result, np.ndarray) and result.dtype.kind == "f"
    return [result] if is_float else []


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@each("call", [call for calls in SLOPES.values() for call in calls], size=10)
def test_slopes(call):
    raws = arrays()
    names = [name for name in raws if re.search(rf"(?<![\w.'\[]){name}(?![\w'(=])", call)]
    names = [name for name in names if raws[name].dtype.kind == "f" and name != "d"]
    fixed = {name: np.array(raw, dtype=raw.dtype) for name, raw in raws.items()}
    assert names

    def function(*given: Any) -> Any:
        found = floats(eval(call, {"np": np, **fixed, **dict(zip(names, given))}))
        return found[0] if len(found) == 1 else tuple(found)

    points = [numpy.nan_to_num(raws[name]) if name == "m" else raws[name] for name in names]
    points = [np.array(one, dtype="float64") for one in points]
    assert autograd.gradcheck(function, points)
    assert autograd.gradgradcheck(function, points)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@each("call", [call for calls in SLOPES.values() for call in calls])
def test_float32_stays_float32(call):
    npx.reset_np()
    results = floats(ours(call, "float32"))
    assert results
    assert {str(one.dtype) for one in results} == {"float32"}


@pytest.mark.parametrize("spacing", [(), (2.0,), (2,)])
def test_a_number_as_spacing_leaves_the_dtype_of_a_gradient(spacing):
    slopes = np.gradient(np.array([1, 2, 4], "float16"), *spacing)
    expected = numpy.gradient(numpy.array([1, 2, 4], "float16"), *spacing)
    assert slopes.dtype == expected.dtype == "float16"
    assert slopes.tolist() == expected.tolist()


def test_ldexp_of_float16_and_whole_numbers_stays_float16():
    x = np.array([1, 2**-20], dtype="float16")
    y = np.ldexp(x, np.array([2, 20], dtype="int32"))
    assert (y.dtype, y.tolist()) == (numpy.float16, [4, 1])  # 2 ** 20 alone is not a float16
    assert np.ldexp(x, np.array([1], dtype="float32")).dtype == numpy.float32


@pytest.mark.parametrize("shape", [(), (3,)])
@pytest.mark.parametrize("axis", [1, -2])
def test_vecdot_names_the_axis_that_an_input_does_not_have(shape, axis):
    with pytest.raises(GluonError, match=rf"vecdot: axis {axis} .*\({shape[0] if shape else ''}"):
        np.vecdot(np.ones(shape), np.ones(shape), axis=axis)


def test_vecdot_of_numbers_says_what_multiplies_them():
    with pytest.raises(IndexError, match=r"vecdot: axis -1 .*\(\) and \(\).*multiply"):
        np.vecdot(np.array(1.0), np.array(2.0))


@pytest.mark.parametrize("count", [1, 4, 5])
def test_the_dtype_of_a_quantile_does_not_depend_on_the_number_of_values(count):
    x = np.arange(count, dtype="int32")
    for one in (np.median(x), np.quantile(x, 0.5), np.percentile(x, [0, 50, 100])):
        assert one.dtype.kind == "f"
    for how in ("lower", "higher", "nearest"):
        assert np.quantile(x, 0.3, interpolation=how).dtype == "int32"


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [(0, 1), (1, 0), (0, 2), (2, 0), (-2, -1), 1])
@pytest.mark.parametrize("order", ["inf", "-inf"])
def test_norms_take_infinity_as_text(order, axis, keepdims):
    x = numpy.random.RandomState(0).uniform(-10, 10, (2, 3, 4)).astype("float32")
    wanted = numpy.linalg.norm(x, float(order), axis, keepdims)
    found = np.linalg.norm(np.array(x), order, axis, keepdims)
    numpy.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-6)


@pytest.mark.parametrize("stat", [None, 2, (2, 1), ((1, 2), (3, 9))], ids=str)
@pytest.mark.parametrize("width", [0, 1, (1, 2), ((1, 2), (2, 1)), ((0, 0), (0, 3))], ids=str)
@pytest.mark.parametrize("mode", ["minimum", "maximum"])
def test_pad_with_extremes(mode, width, stat):
    x = numpy.random.RandomState(0).permutation(12).reshape(3, 4).astype("float32")
    wanted = numpy.pad(x, width, mode=mode, stat_length=stat)
    found = np.pad(np.array(x), width, mode=mode, stat_length=stat)
    assert found.dtype == x.dtype
    numpy.testing.assert_array_equal(found.asnumpy(), wanted)


def test_the_gradient_of_a_border_goes_where_its_values_are_from():
    x = np.array([[1.0, 5.0], [7.0, 3.0]])
    x.attach_grad()
    with autograd.record():
        y = np.pad(x, 1, mode="maximum")
    y.backward()
    counts = numpy.unique(y.asnumpy(), return_counts=True)
    assert dict(zip(*counts)) == {v: x.grad[x == v].item() for v in (1.0, 3.0, 5.0, 7.0)}


@pytest.mark.parametrize(
    "options", [{"pad_width": -1}, {"pad_width": 1, "stat_length": 0}], ids=str
)
def test_pad_with_extremes_refuses(options):
    with pytest.raises(GluonError, match="pad"):
        np.pad(np.ones((2, 2)), mode="maximum", **options)


@pytest.mark.parametrize(
    ("shape", "axis"), [((0,), None), ((0, 3), 0), ((2, 0), 1), ((2, 0), None)], ids=str
)
def test_delete_from_an_empty_array(shape, axis):
    """MXNet gives the array, whatever an array of indices says; a number is out of range."""
    wanted = (0,) if axis is None else shape
    for places in (np.array([0], dtype="int64"), np.array([], dtype="int64"), [], slice(0, 2)):
        assert np.delete(np.zeros(shape), places, axis=axis).shape == wanted
    with pytest.raises(IndexError):
        np.delete(np.zeros(shape), 0, axis=axis)


def test_an_index_out_of_range_is_an_error_of_values_too():
    for error in (IndexError, ValueError):
        with pytest.raises(error):
            np.expand_dims(np.ones(2), 5)


def test_only_the_result_is_rounded_to_a_shorter_dtype():
    x = np.array([2049.0, 1.0, 1.0], dtype="float32")
    for function, wanted in (("sum", 2052), ("nansum", 2052), ("mean", 683.5), ("cumsum", 2052)):
        found = getattr(np, function)(x, dtype="float16")
        assert found.dtype == numpy.float16
        assert found.asnumpy().ravel()[-1] == wanted, function
    assert np.sum(np.array([70000.0, -69999.0], dtype="float32"), dtype="float16") == 1
    assert np.prod(np.array([70000.0, 1e-4], dtype="float32"), dtype="float16") == 7
    assert np.std(x, dtype="float16").dtype == np.nanstd(x, dtype="float16").dtype == numpy.float16
    assert np.std(x, dtype="float16") == numpy.float16(numpy.std(x.asnumpy()))
    assert np.sum(x.astype("float16"), dtype="float64").dtype == numpy.float64
    x.attach_grad()
    with autograd.record():
        y = np.sum(x, dtype="float16")
    y.backward()
    assert x.grad.tolist() == [1, 1, 1]
