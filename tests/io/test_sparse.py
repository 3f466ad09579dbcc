"""Iterators over sparse data: LibSVM files, csr arrays."""

from __future__ import annotations

import os
import pickle
import random
import re

import numpy as np
import pytest

from gluon import GluonError, io, nd
from gluon._core.kernels import libsvm
from recorded.make import HERE, load
from tests.io.sparse_programs import DATA, LABELS, file, matrix, programs
from tests.nn.replay import assert_as, given

REFERENCE = load(HERE / "sparse_io.npz")
PROGRAMS = programs()


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore:Storage type fallback")
def test_program(name):
    assert name in REFERENCE, "no reference yet: run recorded/make_sparse_io.py"
    # MXNet adds digits up in float32.
    rtol, atol = (1e-4, 1e-5) if name.startswith(("linear", "factors")) else (1e-6, 0)
    assert_as(REFERENCE[name], *given(PROGRAMS[name]), rtol, atol)


# --------------------------------------------------------------------------- text of LibSVM

FORMATS = ["d", ".3f", ".6g", ".9g", ".17g", ".3e", ".0e", "+.2f", ".25f"]


def drawn_text(form: str, count: int, width: int) -> tuple[str, list[dict]]:
    drawn = random.Random(form)
    lines, rows = [], []
    for _ in range(count):
        row = {}
        for column in sorted(drawn.sample(range(width), drawn.randrange(0, 30))):
            value = drawn.gauss(0, 1) * 10 ** drawn.choice([-8, -3, 0, 3, 8])
            text = format(int(value) if form == "d" else value, form)
            row[column] = text
        rows.append({column: float(text) for column, text in row.items()})
        lines.append(" ".join(["-1", *(f"{k}:{v}" for k, v in row.items())]))
    return "\n".join(lines), rows


@pytest.mark.parametrize("width", [40, 10**9])
@pytest.mark.parametrize("form", FORMATS)
def test_numbers_are_those_of_python(form, width, monkeypatch):
    monkeypatch.setattr(libsvm, "PART", 500)
    text, rows = drawn_text(form, 60, width)
    labels, found = libsvm.parse(text.encode(), width)
    np.testing.assert_array_equal(labels, [-1.0] * 60)
    np.testing.assert_array_equal(found.indices, [k for row in rows for k in row])
    np.testing.assert_array_equal(np.diff(found.indptr), [len(row) for row in rows])
    np.testing.assert_array_equal(found.data, [v for row in rows for v in row.values()])


@pytest.mark.parametrize("form", FORMATS)
def test_numbers_without_the_library_are_the_same(form, monkeypatch):
    monkeypatch.setattr(libsvm, "read_lines", libsvm.read_lines.__wrapped__)
    test_numbers_are_those_of_python(form, 10**9, monkeypatch)


@pytest.mark.parametrize("form", FORMATS)
def test_usual_numbers_are_read_at_once(form, monkeypatch):
    monkeypatch.setattr(libsvm, "_parse_slowly", None)
    libsvm.parse(drawn_text(form, 60, 10**9)[0].encode(), 10**9)


def test_rows_are_sorted():
    batches = io.LibSVMIter(data_libsvm=file("1 2:1 0:2\n"), data_shape=(3,), batch_size=1)
    x = next(batches).data[0]
    x.check_format()
    assert x.asnumpy().tolist() == [[2, 0, 1]]


WRONG = {
    "1 0:1\n2 x:1": "line 2: 'x:1' is not index:value",
    "1 0:1\n\n# a\n2 0 2": "line 4: '0' is not index:value",
    "1 0:1\r\n2 1: 3": "line 2: '' is not a number",
    "1 0:1 :3": "line 1: ':3' is not index:value",
    "1 0:1:": "line 1: '1:' is not a number",
    "1 0:1:2": "line 1: '1:2' is not a number",
    "1 0::2": "line 1: ':2' is not a number",
    "one 0:1": "line 1: 'one' is not a number",
    "1,2 0:1": "line 1: '1,2' is not a number",
    ": 0:1": "line 1: '' is not a number",
    "1:x 0:1": "line 1: 'x' is not a number",
    "1 0:1.2.3": "line 1: '1.2.3' is not a number",
    "1 0:1.2345678.9012": "is not a number",
    "1 0:1_0": "line 1: '1_0' is not a number",
    "1 0:-": "line 1: '-' is not a number",
    "1 0:.": "line 1: '.' is not a number",
    "1 0:1e": "line 1: '1e' is not a number",
    "1 0:--1": "line 1: '--1' is not a number",
    "1 -1:2": "line 1: '-1:2' is not index:value",
    "1 1.0:2": "line 1: '1.0:2' is not index:value",
    "1 0:1\n1 3:2": "line 2: index 3 is out of range for 3 columns, from 0",
    "1 99999999999999999999999999:2": "is out of range for 3 columns",
    "1 0:1\n1 2:2 2:3": "line 2: index 2 is there twice",
    "1 0:\xff": "is not a number",
    "\0\1\2": "is not a number",
    "": "has no lines",
    "# nothing\n": "has no lines",
}


@pytest.mark.parametrize("text", WRONG)
def test_damaged_text(text, monkeypatch):
    path = file(text, "damaged.svm")
    for part in (3, 10**6):  # the same error wherever the text is cut
        monkeypatch.setattr(libsvm, "PART", part)
        with pytest.raises(GluonError, match=re.escape(WRONG[text])) as caught:
            io.LibSVMIter(data_libsvm=path, data_shape=(3,), batch_size=1)
        assert f"data_libsvm={path!r}" in str(caught.value)


def test_the_line_is_that_of_the_file(monkeypatch):
    monkeypatch.setattr(libsvm, "PART", 20)
    path = file("1 0:1\n" * 50 + "1 0:x\n" + "1 0:1\n" * 50)
    given = {"data_libsvm": path, "data_shape": (3,), "batch_size": 1}
    for part in ((1, 0), (2, 0), (5, 2)):
        given["num_parts"], given["part_index"] = part
        with pytest.raises(GluonError, match="line 51: 'x'"):
            io.LibSVMIter(**given)


def test_random_damage_never_gives_indices_out_of_range():
    drawn, refused = random.Random(0), 0
    for _ in range(500):
        text = bytearray(DATA.encode())
        for _ in range(drawn.randrange(1, 5)):
            text[drawn.randrange(len(text))] = drawn.choice(b"0123:. \n-+e\xff\r#")
        try:
            labels, x = libsvm.parse(bytes(text), 3)
        except ValueError:
            refused += 1
        else:
            assert len(labels) == x.shape[0]
            nd.sparse.csr_matrix((x.data, x.indices, x.indptr), shape=x.shape).check_format()
    assert 100 < refused < 500


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"data_libsvm": "nowhere"}, "cannot find the file data_libsvm='nowhere'"),
        ({"data_shape": (1, 3)}, "must be of one axis"),
        ({"data_shape": (0,)}, "must be of one axis"),
        ({"data_shape": "x"}, "is not a shape"),
        ({"label_shape": (2,)}, "needs a file label_libsvm"),
        ({"num_parts": 2, "part_index": 2}, "part_index=2 is out of range"),
        ({"batch_size": 0}, "do not fill a batch"),
        ({"label_libsvm": file("1 0:1\n"), "label_shape": 2}, "has 1 rows, but data_libsvm has 5"),
        ({"label_libsvm": file(LABELS), "label_shape": 1}, "label_libsvm='.*', line 2: index 1"),
    ],
)
def test_wrong_arguments(settings, message):
    given = {"data_libsvm": file(DATA), "data_shape": (3,), "batch_size": 2, **settings}
    with pytest.raises(GluonError, match=message):
        io.LibSVMIter(**given)


def test_labels_of_a_part_are_those_of_its_rows():
    found = []
    for k in range(3):
        batches = io.LibSVMIter(
            data_libsvm=file(DATA),
            data_shape=(3,),
            label_libsvm=file(LABELS),
            label_shape=(2,),
            batch_size=1,
            num_parts=3,
            part_index=k,
        )
        found += [one for batch in batches for one in batch.label[0].asnumpy().tolist()]
    assert found == [[0.5, 0], [0, 2], [1, 3], [4, 0], [0, 5]]


def test_without_round_batch_each_epoch_is_the_same():
    batches = io.LibSVMIter(
        data_libsvm=file(DATA), data_shape=(3,), batch_size=3, round_batch=False, dtype="float64"
    )
    for _ in range(2):
        first, last = batches
        assert first.label[0].asnumpy().tolist() == [1, -2, -3]
        assert last.label[0].asnumpy().tolist() == [4, 5, 1]
        assert (first.pad, last.pad) == (0, 1)
        assert last.index.tolist() == [3, 4, 0]
        assert first.data[0].dtype == np.float64
        assert first.data[0].asnumpy()[0].tolist() == [0.5, 0, 1.2]
        batches.reset()


def test_a_folder_is_all_its_files(tmp_path):
    file("3 0:3", "b", str(tmp_path))
    file("1 0:1\n2 0:2\n", "a", str(tmp_path))
    os.mkdir(tmp_path / "c")
    batches = io.LibSVMIter(data_libsvm=str(tmp_path), data_shape=(1,), batch_size=3)
    assert next(batches).data[0].asnumpy().ravel().tolist() == [1, 2, 3]


# ------------------------------------------------------------------------------ NDArrayIter


def test_csr_batches_are_an_option():
    x = nd.array(matrix()).tostype("csr")
    batches = io.NDArrayIter(x, x, 3, last_batch_handle="discard", stype="csr")
    for k, batch in enumerate(batches):
        for one in (*batch.data, *batch.label):
            assert one.stype == "csr"
            one.check_format()
            np.testing.assert_array_equal(one.asnumpy(), matrix()[3 * k : 3 * k + 3])


@pytest.mark.parametrize("stype", ["default", "csr"])
def test_csr_samples_are_shuffled_with_their_labels(stype):
    np.random.seed(1)  # noqa: NPY002
    x = nd.array(matrix()).tostype("csr")
    batches = io.NDArrayIter(
        {"a": x}, nd.arange(7), 7, True, last_batch_handle="discard", stype=stype
    )
    orders = []
    for _ in range(3):
        batches.reset()
        (batch,) = batches
        order = batch.label[0].asnumpy().astype(int)
        orders.append(order.tolist())
        assert sorted(orders[-1]) == list(range(7))
        np.testing.assert_array_equal(batch.data[0].asnumpy(), matrix()[order])
        assert batch.data[0].stype == stype
    assert orders[0] != orders[1]


def test_matrices_of_scipy():
    sparse = pytest.importorskip("scipy.sparse", reason="scipy is not installed")
    for data in (sparse.csr_matrix(matrix()), [sparse.coo_matrix(matrix())]):
        batches = io.NDArrayIter(data, batch_size=7, last_batch_handle="discard")
        np.testing.assert_array_equal(next(batches).data[0].asnumpy(), matrix())


def test_what_csr_samples_need():
    x = nd.array(matrix()).tostype("csr")
    with pytest.raises(NotImplementedError, match="label is a csr array, so last_batch_handle"):
        io.NDArrayIter(matrix(), {"label": x}, 2)
    with pytest.raises(GluonError, match="stype='row_sparse' must be 'default' or 'csr'"):
        io.NDArrayIter(x, last_batch_handle="discard", stype="row_sparse")
    with pytest.raises(GluonError, match="whose samples are its rows"):
        io.NDArrayIter(x, last_batch_handle="discard", layout="TN")


def test_iterators_around():
    def batches():
        return io.LibSVMIter(data_libsvm=file(DATA), data_shape=(3,), batch_size=2)

    plain = [batch.data[0].asnumpy() for batch in batches()]
    names = [{"data": "a"}, {"data": "b"}], [{"softmax_label": "c"}, {"softmax_label": "d"}]
    for around in (io.ResizeIter(batches(), 3), io.PrefetchingIter([batches(), batches()], *names)):
        found = list(around)
        assert len(found) == len(plain)
        for batch, right in zip(found, plain):
            for one in batch.data:
                assert one.stype == "csr"
                np.testing.assert_array_equal(one.asnumpy(), right)


def test_batches_are_pickled():
    batches = io.LibSVMIter(data_libsvm=file(DATA), data_shape=(3,), batch_size=2)
    batch = next(batches)
    again = pickle.loads(pickle.dumps(batch))
    assert again.data[0].stype == "csr"
    np.testing.assert_array_equal(again.data[0].asnumpy(), batch.data[0].asnumpy())
    later = pickle.loads(pickle.dumps(batches))
    np.testing.assert_array_equal(next(later).data[0].asnumpy(), next(batches).data[0].asnumpy())
