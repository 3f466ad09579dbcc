"""Damaged sparse arrays and files: a clear error, or the right values, and never a read elsewhere.

The sanitizers run this file too.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from gluon import GluonError, io, nd, optimizer
from recorded.make import HERE

ROWS, COLUMNS = 4, 5
HUGE = (-(2**63), -1, 2**31, 2**32, 2**62, 2**63 - 1)
CONTENT = (HERE / "sparse.params").read_bytes()


def drawn_parts(drawn: random.Random) -> tuple[list[float], list[int], list[int]]:
    """The data, indices and indptr of a matrix."""
    rows = [sorted(drawn.sample(range(COLUMNS), drawn.randrange(COLUMNS + 1))) for _ in range(ROWS)]
    indices = [column for row in rows for column in row]
    return (
        [drawn.randrange(1, 9) for _ in indices],
        indices,
        [sum(map(len, rows[:k])) for k in range(ROWS + 1)],
    )


def damage(drawn: random.Random, numbers: list[int]) -> None:
    """Change a number, swap two, repeat one, leave one out, or add one."""
    if not numbers:
        numbers.append(drawn.choice(HUGE))
        return
    k, other = drawn.randrange(len(numbers)), drawn.randrange(len(numbers))
    kind = drawn.randrange(6)
    if kind == 0:
        numbers[k] = drawn.choice(HUGE)
    elif kind == 1:
        numbers[k] += drawn.choice((-2, -1, 1, 2))
    elif kind == 2:
        numbers[k], numbers[other] = numbers[other], numbers[k]
    elif kind == 3:
        numbers[k] = numbers[other]
    elif kind == 4:
        del numbers[k]
    else:
        numbers.insert(k, numbers[other])


def right_csr(data: list, indices: list, indptr: list) -> np.ndarray | None:
    """The dense matrix of these parts, read one by one; None if they are none."""
    ends = list(pairwise(indptr))
    fits = len(indptr) == ROWS + 1 and indptr[0] == 0 and indptr[-1] == len(data) == len(indices)
    if not fits or any(begin > end for begin, end in ends):
        return None
    full = np.zeros((ROWS, COLUMNS), "float32")
    for row, (begin, end) in enumerate(ends):
        columns = indices[begin:end]
        if columns != sorted(set(columns)) or any(not 0 <= k < COLUMNS for k in columns):
            return None
        full[row, columns] = data[begin:end]
    return full


def check_csr(x: nd.NDArray, full: np.ndarray) -> None:
    """Products, slices and the like are those of the dense matrix."""
    x.check_format()
    np.testing.assert_array_equal(x.asnumpy(), full)
    for width in (1, 3):
        right = np.arange(COLUMNS * width).reshape(COLUMNS, width)
        left = np.arange(ROWS * width).reshape(ROWS, width)
        np.testing.assert_array_equal(nd.sparse.dot(x, nd.array(right)).asnumpy(), full @ right)
        product = nd.sparse.dot(x, nd.array(left), transpose_a=True)
        np.testing.assert_array_equal(product.asnumpy(), full.T @ left)
    np.testing.assert_array_equal(x[1:3].asnumpy(), full[1:3])
    np.testing.assert_array_equal(nd.take(x, nd.array([3, 0])).asnumpy(), full[[3, 0]])
    np.testing.assert_array_equal((x + x).asnumpy(), 2 * full)


def outcome(make: Callable, *args: Any, **settings: Any) -> Any:
    """What is made, or the text of an error of gluon."""
    try:
        return make(*args, **settings)
    except GluonError as error:
        return str(error)


def unpickled(state: dict) -> nd.NDArray:
    made = nd.sparse.zeros("csr", (ROWS, COLUMNS))
    made.__setstate__(state)
    return made


def test_drawn_csr_matrices() -> None:
    drawn, refused = random.Random(0), 0
    state = nd.sparse.zeros("csr", (ROWS, COLUMNS)).__getstate__()
    for _ in range(600):
        parts = drawn_parts(drawn)
        for _ in range(drawn.randrange(3)):
            damage(drawn, drawn.choice(parts))
        parts[0][:] = [value % 9 for value in parts[0]]  # only their number counts
        right = right_csr(*parts)
        data, indices, indptr = (np.array(part, np.int64) for part in parts)
        data = data.astype("float32")
        pickled = state | {"data": data, "indices": indices, "indptr": indptr}
        for made in (
            outcome(nd.sparse.csr_matrix, (data, indices, indptr), shape=(ROWS, COLUMNS)),
            outcome(unpickled, pickled),
        ):
            if right is None:
                refused += 1
                assert re.search("indices|indptr|of one length", made)
            else:
                check_csr(made, right)
    assert 300 < refused < 900


def test_drawn_rows() -> None:
    drawn, refused = random.Random(1), 0
    for _ in range(600):
        indices = sorted(drawn.sample(range(ROWS), drawn.randrange(ROWS + 1)))
        for _ in range(drawn.randrange(2)):
            damage(drawn, indices)
        data = np.array(drawn.choices(range(1, 9), k=2 * len(indices)), "float32").reshape(-1, 2)
        is_right = indices == sorted(set(indices)) and all(0 <= k < ROWS for k in indices)
        parts = data, np.array(indices, np.int64)
        x = outcome(nd.sparse.row_sparse_array, parts, shape=(ROWS, 2))
        if not is_right:
            refused += 1
            assert "indices" in x
            continue
        full = np.zeros((ROWS, 2), "float32")
        full[indices] = data
        np.testing.assert_array_equal(x.asnumpy(), full)
        np.testing.assert_array_equal((x + x).asnumpy(), 2 * full)
        np.testing.assert_array_equal(
            nd.sparse.retain(x, nd.array([0, 3])).asnumpy(), full * [[1], [0], [0], [1]]
        )
        weight = nd.ones((ROWS, 2))
        optimizer.get_updater(optimizer.SGD(learning_rate=1))(0, x, weight)
        np.testing.assert_array_equal(weight.asnumpy(), 1 - full)
    assert 100 < refused < 500


@pytest.mark.filterwarnings("ignore:Storage type fallback")
def test_drawn_indices_of_lookups() -> None:
    drawn = random.Random(2)
    x = nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(ROWS, 2))
    full = x.asnumpy()
    for _ in range(200):
        ids = [drawn.choice((0, 1, 2, 3, *HUGE)) for _ in range(drawn.randrange(1, 4))]
        wrong = not all(0 <= k < ROWS for k in ids)
        given = nd.array(ids, dtype="int64")
        for call in (nd.sparse.retain, lambda x, i: nd.take(x, i, mode="raise")):
            try:
                found = call(x, given).asnumpy()
            except GluonError:
                assert wrong
                continue
            if call is nd.sparse.retain:
                assert not wrong
                np.testing.assert_array_equal(found[ids], full[ids])
        found = nd.Embedding(given, x, ROWS, 2, sparse_grad=True).asnumpy()
        np.testing.assert_array_equal(found, full[np.clip(ids, 0, ROWS - 1)])


def test_drawn_files() -> None:
    drawn, refused = random.Random(3), 0
    words = [number.to_bytes(8, "little", signed=True) for number in (*HUGE, 0, 1, 3, 10**6)]
    for _ in range(1500):
        damaged = bytearray(CONTENT)
        for _ in range(drawn.randrange(1, 3)):
            place = drawn.randrange(len(damaged) - 8)
            if drawn.random() < 0.5:
                damaged[place : place + 8] = drawn.choice(words)
            else:
                damaged[place] = drawn.randrange(256)
        end = drawn.choice((len(damaged), drawn.randrange(len(damaged))))
        found = outcome(nd.load_frombuffer, bytes(damaged[:end]))
        if isinstance(found, str):
            refused += 1
            assert found.startswith("load: ")
            continue
        for x in found.values() if isinstance(found, dict) else found:
            if x.stype != "default":
                x.check_format()
                if math.prod(x.shape) < 10**4:
                    assert x.asnumpy().shape == x.shape
    assert 750 < refused < 1500


def right_lines(text: bytes, width: int) -> tuple[list, list] | None:
    """The labels and rows of a text, word by word; None if it is none of LibSVM's."""
    labels, rows = [], []
    try:
        for line in re.split(b"[\r\n]", text):
            words = line.split(b"#")[0].split()
            if not words:
                continue
            label, _, weight = words[0].partition(b":")
            row: dict[int, float] = {}
            for k, word in enumerate(words[1:]):
                if k == 0 and word.split(b":")[0] == b"qid":
                    continue
                index, value = word.split(b":")
                if not index.isdigit() or int(index) in row or int(index) >= width:
                    return None
                row[int(index)] = number(value)
            if weight:
                number(weight)
            labels.append(number(label))
            rows.append([row.get(column, 0.0) for column in range(width)])
    except ValueError:
        return None
    return (labels, rows) if labels else None


def number(word: bytes) -> float:
    if b"_" in word:
        raise ValueError
    return float(word)


def test_drawn_texts(tmp_path) -> None:
    drawn, refused = random.Random(4), 0
    path = tmp_path / "drawn.svm"
    good = b"1 0:0.5 2:1.25\n-2\n3 1:2.5e-3 2:7 # end\n0:1 0:1\n2 qid:7 1:4\n"
    for _ in range(1500):
        text = bytearray(good)
        for _ in range(drawn.randrange(4)):
            place = drawn.randrange(len(text))
            word = drawn.choice(
                [b"", b" ", b":", b"\n", b"-", b"1e9", b"nan", b"\0", b"\xff", b"_"]
            )
            text[place : place + drawn.randrange(3)] = word
        if drawn.random() < 0.2:
            del text[drawn.randrange(len(text)) :]
        path.write_bytes(text)
        right = right_lines(bytes(text), 3)
        found = outcome(io.LibSVMIter, data_libsvm=str(path), data_shape=(3,), batch_size=1)
        if right is None:
            refused += 1
            assert str(path) in found
            continue
        found = list(found)
        for batch in found:
            batch.data[0].check_format()
        with np.errstate(over="ignore"):
            labels, rows = (np.array(one, "float32") for one in right)
        np.testing.assert_array_equal([one.label[0].asscalar() for one in found], labels)
        np.testing.assert_array_equal([one.data[0].asnumpy()[0] for one in found], rows)
    assert 300 < refused < 1300
