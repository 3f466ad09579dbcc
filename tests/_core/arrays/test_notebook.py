"""Arrays and tables as HTML."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from gluon import autograd, nd
from gluon._core.html import Table, bytes_text


def cells(array):
    """The texts of the cells, row by row; the HTML must be well-formed."""
    tree = ElementTree.fromstring(array._repr_html_())
    return [["".join(cell.itertext()) for cell in row] for row in tree.iter("tr")]


def test_a_small_matrix_is_shown_in_full():
    x = nd.array([[1, 2.5], [-3, 1e-7]])
    assert cells(x) == [["", "0", "1"], ["0", "1", "2.5"], ["1", "-3", "1e-07"]]
    assert "NDArray · 2x2 · float32 · @cpu(0) · 16 B<" in x._repr_html_()


def test_a_vector_is_a_row():
    assert cells(nd.array([1, 2], dtype="int32")) == [["", "0", "1"], ["", "1", "2"]]


def test_large_arrays_are_cut():
    x = nd.arange(10**6).reshape(1000, 1000)
    shown = cells(x)
    assert len(shown) == 12
    assert shown[0] == ["", "0", "1", "2", "3", "4", "…", "995", "996", "997", "998", "999"]
    assert shown[6] == ["…"] * 12
    assert shown[-1][:2] == ["999", "999000"]
    assert len(x._repr_html_()) < 20_000
    assert len(nd.zeros((50, 50, 50))._repr_html_()) < 2_000


@pytest.mark.parametrize("shape", [(0, 3), (2, 2, 2), (1,)])
def test_every_shape_can_be_shown(shape):
    x = nd.zeros(shape)
    ElementTree.fromstring(x._repr_html_())
    assert "x".join(map(str, shape)) in x._repr_html_()


@pytest.mark.parametrize("dtype", ["bool", "float16", "float64", "int8", "bfloat16"])
def test_every_dtype_can_be_shown(dtype):
    if dtype == "bfloat16":
        pytest.importorskip("ml_dtypes")
    x = nd.zeros((2, 2)).astype(dtype)
    assert dtype in x._repr_html_()
    assert cells(x)[1][1] in ("0", "0.0", "False")


def test_it_says_where_an_array_came_from():
    x = nd.ones((2,))
    x.attach_grad()
    with autograd.record():
        y = nd.exp(x)
    assert " · variable<" in x._repr_html_()
    assert " · computed by exp<" in y._repr_html_()


def test_the_colours_are_those_of_the_page():
    x = Table(("a <b>", "c"), [("<x>", 1)], "t", ["note"])
    for html in (nd.ones((2, 2))._repr_html_(), x._repr_html_()):
        assert not re.search(r"#[0-9a-f]{3}|rgb|white|black", html)
    assert "&lt;x&gt;" in x._repr_html_()
    assert str(x).splitlines() == ["t", "a <b>  c", "-----  -", "<x>    1", "note"]


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (2**20, "1.0 MiB"), (2**43, "8192.0 GiB")],
)
def test_bytes_have_units(count, text):
    assert bytes_text(count) == text


def test_arrays_of_numpys_kind_are_shown_too():
    from gluon import np

    assert cells(np.array([[1.5, 2]])) == [["", "0", "1"], ["0", "1.5", "2"]]
    assert "ndarray · 1x2" in np.array([[1.5, 2]])._repr_html_()
