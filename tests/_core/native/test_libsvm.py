"""The text of LibSVM files, read by the library, against Python's own numbers."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gluon._core.kernels import libsvm
from gluon._core.kernels.steps import STAND_INS
from gluon._core.native.loading import library, status
from tests._core.native.plain import refuse
from tests.each import each

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")


def compiled(text: bytes, width: int = 10):
    """Return what the library reads; fail if it leaves the text to the plain kernel."""
    return STAND_INS["read_lines"](refuse, text, width)


def test_lines():
    found = compiled(b"1 0:2 3:-0.5\n\n -1\t9:1e-3 \n+2.5")
    assert found.labels.tolist() == [1, -1, 2.5]
    assert found.counts.tolist() == [2, 1, 0]
    assert found.columns.tolist() == [0, 3, 9]
    assert found.values.tolist() == [2, -0.5, 0.001]


NUMBERS = """9007199254740993 9007199254740992.5 9007199254740991.5 -0 0e9999 0.1 1e22 1e23 5e-324
123456789012345678 1.7976931348623157e308 1e99999 inf nan 100000000000000000000000000000000000
0.0000000000000000000000000000000001 3.00000000000000000000000000000 18446744073709551615 .5 5.
9999999999999999999 99999999999999999995e-19 8.5e19 123456789012345678e-19 -7205759403792793.5e1
""".split()


def drawn_number(drawn: random.Random) -> str:
    kind = drawn.randrange(5)
    if kind == 0:
        return repr(float(np.int64(drawn.getrandbits(63)).view(np.float64)))
    if kind == 1:
        return repr(float(np.float32(drawn.gauss(0, 1)) * 10.0 ** drawn.randrange(-9, 9)))
    if kind == 2:
        return str(drawn.randrange(-(10 ** drawn.randrange(1, 25)), 10**25))
    digits = "".join(drawn.choices("0123456789", k=drawn.randrange(1, 24)))
    place = drawn.randrange(len(digits) + 1)
    power = f"e{drawn.randrange(-25, 25)}" if kind == 4 else ""
    return f"{drawn.choice(['', '-', '+'])}{digits[:place]}.{digits[place:]}{power}"


@each("seed", range(5))
def test_numbers_are_those_of_python(seed):
    drawn = random.Random(seed)
    numbers = NUMBERS + [drawn_number(drawn) for _ in range(2000)]
    text = " ".join([numbers[-1], *(f"{k}:{one}" for k, one in enumerate(numbers))]).encode()
    wanted = np.array([float(one) for one in numbers])
    for read in (compiled, libsvm.read_lines.__wrapped__):
        found = read(text, len(numbers))
        assert found.labels.tobytes() == wanted[-1:].tobytes()
        assert found.values.tobytes() == wanted.tobytes()


UNFIT = ["1 3:1 2:1", "1 2:1 2:1", "1 10:1", "1 -1:1", "1 a:1", "1 2", "1 2:", "1 2:1:1", "1:1 2:3"]


@each("text", [*UNFIT, "1 99999999999999999999:1", ":", "1 :", "qid:1 2:3", "1 qid:1", "1 2: 3"])
def test_other_lines_are_left_to_the_plain_kernel(text):
    with pytest.raises(AssertionError):
        compiled(text.encode())


def test_what_is_no_number_is_left_to_the_words_of_python():
    assert compiled(b"1 2:x") is None
    assert compiled(b"1 2:1_0") is None
    assert compiled(b"1 2:\0") is None


def test_drawn_bytes():
    """Whatever the bytes are, the result is that of the lines one by one, or there is none."""
    drawn, read = random.Random(0), 0
    for _ in range(3000):
        weights = [drawn.random() for _ in range(12)]
        text = bytes(drawn.choices(b"0129: \n-+.e\xff", weights, k=drawn.randrange(1, 40)))
        try:
            wanted = libsvm._parse_slowly(text, 10)
        except ValueError:
            wanted = None
        try:
            found = compiled(text)
        except AssertionError:
            continue
        read += found is not None
        if found is None or wanted is None:
            assert found is wanted is None
            continue
        for one, other in zip(found, wanted):
            np.testing.assert_array_equal(one, other)
    assert read > 100


@each("which", range(7))
def test_arrays_without_room(which):
    """The text is without the end of its last line, or an array has a value less."""
    text = b"1 0:nan 3:2\n2 4:1e999\n"
    sizes = {"text": len(text), "labels": 2, "counts": 2, "columns": 3, "values": 3, "odd": 6}
    dtypes = [np.uint8, np.float64, np.int64, np.int64, np.float64, np.int64]
    room = [np.empty(n, dtype) for n, dtype in zip(sizes.values(), dtypes)]
    room = [np.frombuffer(text, np.uint8), *room[1:], np.empty(3, np.int64)]
    number = library.KERNELS.index("read_lines")
    assert library.run(number, tuple(room), (10,), ())
    room[which] = room[which][: len(room[which]) - (3 if which == 5 else 1)]
    assert not library.run(number, tuple(room), (10,), ())
    for fewer in (room[:-1], room[:2]):
        assert not library.run(number, tuple(fewer), (10,), ())
    assert not library.run(number, tuple(room), (), ())
