"""Functions that create arrays: values, shapes, dtypes, devices and errors as in MXNet."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import GluonError, cpu, nd
from tests._core.arrays.programs import CREATING
from tests._core.arrays.replay import assert_as_the_oracle, gluon_gives, programs
from tests.each import each

DIFFERENT = {
    "nd.array([m, m])": "NDArrays in a list are joined",
    "nd.array([[]])": "empty arrays are arrays",
}
DTYPES = ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool"]


@pytest.mark.filterwarnings("ignore:.*does not fit into")
@each("program", programs(CREATING, DIFFERENT))
def test_as_the_oracle(program):
    assert_as_the_oracle(program)


def test_a_list_of_arrays_makes_an_array():
    assert gluon_gives("nd.array([m, m])").shape == (2, 2, 2)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("make", [nd.zeros, nd.ones, nd.empty], ids=lambda f: f.__name__)
def test_every_dtype(make, dtype):
    x = make((2, 3), dtype=dtype)
    assert x.dtype is np.dtype(dtype).type
    assert (x.shape, x.size, x.ndim) == ((2, 3), 6, 2)


def test_bfloat16_where_ml_dtypes_is_installed():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = nd.array([1, 2.5], dtype="bfloat16")
    assert x.dtype is ml_dtypes.bfloat16
    assert (x + x).astype("float32").asnumpy().tolist() == [2, 5]


@pytest.mark.parametrize("dtype", ["complex64", "float33", "object", "S3", 5])
def test_a_dtype_that_arrays_cannot_have_is_named(dtype):
    with pytest.raises(GluonError, match=str(dtype)) as caught:
        nd.zeros((2,), dtype=dtype)
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0, 4)])
def test_empty_arrays(shape):
    x = nd.zeros(shape)
    assert (x.shape, x.size) == (shape, 0)
    assert nd.array(np.empty(shape)).shape == shape
    assert (x + 1).shape == shape
    assert x.asnumpy().shape == shape


def test_array_copies_its_source():
    raw = np.zeros(3, "float32")
    x = nd.array(raw)
    y = nd.array(x)
    raw[:] = 1
    x[:] = 2
    assert y.asnumpy().tolist() == [0, 0, 0]


def test_out_is_written_and_returned():
    out = nd.zeros((2,))
    for make in (nd.ones, lambda *args, out: nd.full(*args, 1, out=out)):
        out[:] = 0
        assert make((2,), out=out) is out
        assert out.asnumpy().tolist() == [1, 1]


def test_a_device_is_passed_on():
    assert nd.arange(3, ctx=cpu(1)).context == cpu(1)
    assert nd.eye(2, ctx=cpu(1)).context == cpu(1)
    assert nd.array(nd.zeros((2,)), ctx=cpu(4)).context == cpu(4)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: nd.zeros((2, -1)), "zeros"),
        (lambda: nd.ones((2.5,)), "ones"),
        (lambda: nd.empty("two"), "empty"),
        (lambda: nd.full((2,), "two"), "full"),
        (lambda: nd.full((2,), 1, out=3), "full"),
        (lambda: nd.arange(0, 3, 0), "arange"),
        (lambda: nd.arange(None), "arange"),
        (lambda: nd.arange(3, repeat=-1), "arange"),
        (lambda: nd.linspace(0, 1, -1), "linspace"),
        (lambda: nd.eye(2.5), "eye"),
        (lambda: nd.load_frombuffer("text"), "load_frombuffer"),
        (lambda: nd.to_dlpack_for_read(2), "to_dlpack_for_read"),
    ],
)
def test_what_makes_no_array_is_an_error_that_names_the_function(make, name):
    with pytest.raises(GluonError, match=f"^{name}: "):
        make()


@pytest.mark.parametrize("make", [nd.zeros, nd.empty], ids=lambda f: f.__name__)
def test_an_unknown_storage_is_refused_by_name(make):
    assert make((2,), stype="default").shape == (2,)
    with pytest.raises(GluonError, match=f"^{make.__name__}: a csr array has two axes"):
        make((2,), stype="csr")
    with pytest.raises(GluonError, match=f"^{make.__name__}: stype='cs' is unknown; use one of"):
        make((2,), stype="cs")
