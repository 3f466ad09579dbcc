"""Record files: what `tests/data/programs.py` does not compare with the oracle."""

from __future__ import annotations

import copy
import os
import pickle
import threading

import numpy as np
import pytest

from gluon import GluonError, nd, recordio
from gluon.recordio import IRHeader, MXIndexedRecordIO, MXRecordIO
from tests.data.programs import MAGIC, RECORDS, png
from tests.data.programs import picture as random_picture


@pytest.fixture
def paths(tmp_path) -> list[str]:
    """An index and a record file with the records of the programs."""
    names = [str(tmp_path / name) for name in ("a.idx", "a.rec")]
    file = MXIndexedRecordIO(*names, "w")
    for k, one in enumerate(RECORDS):
        file.write_idx(k, one)
    file.close()
    return names


def read_all(path: str) -> list[bytes]:
    file = MXRecordIO(path, "r")
    return list(iter(file.read, None))


# -------------------------------------------------------------------------- files as they should be


def test_paths_and_bytes_of_other_types(tmp_path):
    file = MXRecordIO(tmp_path / "a.rec", "w")
    file.write(bytearray(b"one"))
    file.write(memoryview(b"two"))
    file.close()
    assert read_all(tmp_path / "a.rec") == [b"one", b"two"]


def test_what_was_written_is_there_before_the_file_is_closed(tmp_path):
    paths = [str(tmp_path / name) for name in ("a.idx", "a.rec")]
    file = MXIndexedRecordIO(*paths, "w")
    file.write_idx(4, b"four")
    assert MXIndexedRecordIO(*paths, "r").read_idx(4) == b"four"
    file.reset()
    assert os.path.getsize(paths[1]) == 0


def test_reading_goes_on_after_the_end(paths):
    file = MXIndexedRecordIO(*paths, "r")
    file.seek(len(RECORDS) - 1)
    assert (file.read(), file.read()) == (RECORDS[-1], None)
    assert file.read_idx(2) == RECORDS[2]
    assert file.read() == RECORDS[3]


def test_random_records_come_back(tmp_path):
    rng = np.random.RandomState(0)
    words = [MAGIC, b"abcd", b"ab", b"x", b"\n#\xd7"]
    records = [b"".join(words[k] for k in rng.randint(0, 5, rng.randint(12))) for _ in range(300)]
    file = MXRecordIO(str(tmp_path / "a.rec"), "w")
    for one in records:
        file.write(one)
    assert read_all(file.uri) == records


def test_several_threads_may_read_one_file(paths):
    file = MXIndexedRecordIO(*paths, "r")
    wrong = []

    def read() -> None:
        for k in np.random.RandomState().randint(0, len(RECORDS), 300):
            if file.read_idx(k) != RECORDS[k]:
                wrong.append(k)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert wrong == []


# ------------------------------------------------------------------------------- other processes


def test_a_reader_is_pickled_open_or_closed(paths):
    file = MXIndexedRecordIO(*paths, "r")
    file.read()
    for twin in (pickle.loads(pickle.dumps(file)), copy.deepcopy(file)):
        assert twin.read() == RECORDS[0]  # from the start
        assert twin.read_idx(7) == RECORDS[7]
    assert file.read() == RECORDS[1]
    file.close()
    twin = pickle.loads(pickle.dumps(file))
    assert not twin.is_open
    twin.open()
    assert twin.read_idx(7) == RECORDS[7]


def test_a_writer_cannot_be_pickled(tmp_path):
    file = MXRecordIO(str(tmp_path / "a.rec"), "w")
    with pytest.raises(GluonError, match="cannot be pickled"):
        pickle.dumps(file)
    file.close()
    pickle.dumps(file)


def test_a_file_of_another_process_is_opened_again_or_refused(paths, monkeypatch):
    plain, indexed = MXRecordIO(paths[1], "r"), MXIndexedRecordIO(*paths, "r")
    writer = MXRecordIO(paths[1] + "2", "w")
    indexed.read_idx(2)
    monkeypatch.setattr(os, "getpid", lambda: 10**9)
    with pytest.raises(GluonError, match="opened in another process"):
        plain.read()
    with pytest.raises(GluonError, match="opened in another process"):
        writer.write(b"")
    plain.reset()
    assert plain.read() == RECORDS[0]
    assert indexed.read_idx(4) == RECORDS[4]
    assert indexed.pid == 10**9


# ----------------------------------------------------------------------------------- broken files


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[:6], "at byte 0 of 6 it ends within a record"),
        (lambda data: data[:-1], "it ends within a record"),
        (lambda data: data[:30], "it ends within a record"),
        (lambda data: b"JFIF" + data[4:], "at byte 0 of .* no record begins there"),
        (lambda data: data[:8] + b"\0" + data[9:], "at byte 8 of .* no record begins there"),
        (lambda data: data[:4] + b"\0\0\0\x60" + data[8:], "a part of a record is missing"),
        (lambda data: data[:4] + b"\0\0\0\x20" + data[8:], "a part of a record is missing"),
        (lambda data: data[:4] + b"\0\0\0\x80" + data[8:], "a part of a record is missing"),
        (lambda data: data[:4] + b"\xff\xff\xff\x1f" + data[8:], "it ends within a record"),
    ],
)
def test_damage_is_found(paths, change, message):
    with open(paths[1], "rb") as file:
        data = change(file.read())
    with open(paths[1], "wb") as file:
        file.write(data)
    with pytest.raises(
        GluonError, match=f"{paths[1]}' is damaged or not a record file: .*{message}"
    ):
        read_all(paths[1])


def test_an_index_that_does_not_fit(paths):
    with open(paths[0], "a") as file:
        file.write("99\t100000\n98\t5\n")
    file = MXIndexedRecordIO(*paths, "r")
    with pytest.raises(GluonError, match="no record 99 begins there"):
        file.read_idx(99)
    with pytest.raises(GluonError, match="no record begins there"):
        file.read_idx(98)
    assert file.read_idx(1) == RECORDS[1]


@pytest.mark.parametrize("line", ["7", "a\t3", "7\tb", "7 3"])
def test_an_index_with_wrong_lines(paths, line):
    with open(paths[0], "a") as file:
        file.write(line + "\n")
    with pytest.raises(GluonError, match=rf"line {len(RECORDS) + 1} of .*a.idx' is not a key, tab"):
        MXIndexedRecordIO(*paths, "r")


def test_missing_files(tmp_path):
    (tmp_path / "a.rec").touch()
    for make in (
        lambda: MXRecordIO(str(tmp_path / "none"), "r"),
        lambda: MXIndexedRecordIO(str(tmp_path / "none"), str(tmp_path / "a.rec"), "r"),
        lambda: MXRecordIO(str(tmp_path / "none" / "a.rec"), "w"),
    ):
        with pytest.raises(FileNotFoundError, match=r"RecordIO: cannot find the file '.*none"):
            make()


def test_wrong_uses(tmp_path, paths):
    reader, writer = MXIndexedRecordIO(*paths, "r"), MXRecordIO(str(tmp_path / "b.rec"), "w")
    cases = [
        (lambda: reader.write(b""), GluonError, "opened with 'r' and cannot be written"),
        (lambda: reader.tell(), GluonError, "opened with 'r' and cannot be written"),
        (lambda: writer.read(), GluonError, "opened with 'w' and cannot be read"),
        (lambda: writer.write("text"), TypeError, "takes bytes, not str"),
        (lambda: reader.read_idx(123), KeyError, "no record has the key 123"),
        (lambda: MXRecordIO(paths[1], "a"), ValueError, "flag='a' is neither 'r' nor 'w'"),
    ]
    for call, kind, message in cases:
        with pytest.raises(kind, match=message):
            call()
    reader.close()
    for call in (reader.read, lambda: reader.seek(1), lambda: reader.read_idx(1)):
        with pytest.raises(GluonError, match="is closed"):
            call()


def test_a_record_that_is_too_long(monkeypatch, tmp_path):
    monkeypatch.setattr(recordio.files, "LONGEST", 7)
    file = MXRecordIO(str(tmp_path / "a.rec"), "w")
    file.write(b"1234567")
    with pytest.raises(GluonError, match="a record of 8 bytes is too long"):
        file.write(b"12345678")
    assert read_all(file.uri) == [b"1234567"]


# -------------------------------------------------------------------------- what records hold


def test_headers():
    header = IRHeader(0, nd.array([1, 2]), 3, 0)
    assert recordio.unpack(recordio.pack(header, b"x"))[0].label.tolist() == [1, 2]
    assert pickle.loads(pickle.dumps(IRHeader(1, 2, 3, 4))) == (1, 2, 3, 4)
    for wrong in (IRHeader(0, 1, -1, 0), IRHeader(0, 1, 2**64, 0), IRHeader(0, 1, "x", 0)):
        with pytest.raises(ValueError, match=r"pack: .* does not fit"):
            recordio.pack(wrong, b"")
    packed = recordio.pack(IRHeader(0, [1, 2, 3], 7, 0), b"")
    for short in (b"", packed[:23], packed[:-1]):
        with pytest.raises(ValueError, match=r"unpack: .* are not a header"):
            recordio.unpack(short)


COLOURS = random_picture(4, 5, 3)
HEADER = IRHeader(0, 2.0, 7, 0)


@pytest.fixture
def pillow():
    return pytest.importorskip("PIL.Image", reason="the extra image is not installed")


@pytest.mark.parametrize(
    "values",
    [
        COLOURS,
        COLOURS[..., 0],
        np.dstack([COLOURS, COLOURS[..., :1]]),
        COLOURS[..., 0].astype("uint16") * 257,
    ],
    ids=["colours", "grey", "opacity", "deep"],
)
def test_pictures_without_loss(pillow, values):
    header, back = recordio.unpack_img(recordio.pack_img(HEADER, values, 9, ".png"))
    assert header == HEADER
    assert back.dtype == values.dtype
    np.testing.assert_array_equal(back, values)


def test_pictures_have_blue_before_red(pillow):
    packed = recordio.pack(HEADER, png(COLOURS))
    np.testing.assert_array_equal(recordio.unpack_img(packed)[1], COLOURS[..., ::-1])
    np.testing.assert_array_equal(recordio.unpack_img(packed, 1)[1], COLOURS[..., ::-1])
    grey = recordio.unpack_img(packed, 0)[1]
    np.testing.assert_allclose(grey, COLOURS @ [0.299, 0.587, 0.114], atol=1)
    grey = recordio.pack(HEADER, png(COLOURS[..., 0]))
    assert recordio.unpack_img(grey)[1].shape == (4, 5)
    assert recordio.unpack_img(grey, 1)[1].shape == (4, 5, 3)


def test_jpeg_pictures(pillow):
    smooth = np.full((16, 16, 3), (200, 100, 50), "uint8")
    for values in (smooth, smooth[..., 0], smooth[..., :1], np.dstack([smooth, smooth[..., :1]])):
        _, back = recordio.unpack_img(recordio.pack_img(HEADER, values))
        shape = (16, 16) if values.ndim == 2 or values.shape[2] == 1 else (16, 16, 3)
        np.testing.assert_allclose(
            back, values.reshape(*shape[:2], -1)[..., :3].reshape(shape), atol=3
        )
    sizes = [len(recordio.pack_img(HEADER, COLOURS, quality)) for quality in (5, 100)]
    assert sizes[0] < sizes[1]


def test_other_dtypes_are_rounded_and_clipped(pillow):
    values = np.array([[-3.0, 0.4, 0.6, 300]])
    _, back = recordio.unpack_img(recordio.pack_img(HEADER, values, 3, ".PNG"))
    assert back.tolist() == [[0, 0, 1, 255]]


def test_pictures_of_files_with_other_modes(pillow):
    import io

    for mode, shape in (("P", (4, 5, 3)), ("1", (4, 5)), ("LA", (4, 5, 4)), ("CMYK", (4, 5, 3))):
        out = io.BytesIO()
        form = "JPEG" if mode == "CMYK" else "PNG"
        pillow.fromarray(COLOURS).convert(mode).save(out, form)
        packed = recordio.pack(HEADER, out.getvalue())
        assert recordio.unpack_img(packed)[1].shape == shape


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: recordio.unpack_img(recordio.pack(HEADER, b"x")), ValueError, "1 bytes are not"),
        (lambda: recordio.unpack_img(b""), ValueError, "unpack: 0 bytes"),
        (lambda: recordio.unpack_img(b"", 2), ValueError, "iscolor=2 is not one of"),
        (
            lambda: recordio.pack_img(HEADER, COLOURS[None]),
            ValueError,
            r"img has shape \(1, 4, 5, 3",
        ),
        (lambda: recordio.pack_img(HEADER, COLOURS[..., :2]), ValueError, r"shape \(4, 5, 2\)"),
        (lambda: recordio.pack_img(HEADER, COLOURS, 95, ".x"), ValueError, "unknown format '.x'"),
        (lambda: recordio.pack_img(HEADER, COLOURS.astype("uint16")), TypeError, "grey PNG"),
    ],
)
def test_what_is_no_picture(pillow, call, kind, message):
    with pytest.raises(kind, match=message):
        call()
