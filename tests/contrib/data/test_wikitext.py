"""Texts of Wikipedia, from files as they are unpacked, and from the archive."""

from __future__ import annotations

import zipfile

import numpy
import pytest

from gluon import GluonError, nd, np, util
from gluon.contrib import data
from gluon.contrib.text.vocab import Vocabulary

TEXT = "\n = Title = \n\nthe cat sat on the mat .\nthe end\n"
TOKENS = "= Title = <eos> the cat sat on the mat . <eos> the end <eos>".split()
CLASSES = {"wikitext-2": data.text.WikiText2, "wikitext-103": data.WikiText103}


@pytest.fixture(params=["tokens", "archive"])
def folder(request, tmp_path):
    """The validation sets of both, from unpacked files and from the archive."""
    if request.param == "tokens":
        (tmp_path / "wiki.valid.tokens").write_text(TEXT)
    for name in CLASSES if request.param == "archive" else ():
        with zipfile.ZipFile(tmp_path / f"{name}-v1.zip", "w") as file:
            file.writestr(f"{name}/wiki.valid.tokens", TEXT)
    return str(tmp_path)


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("length", [1, 3, 4, 13])
def test_samples_and_labels(folder, name, length):
    words = CLASSES[name](folder, "validation", seq_len=length)
    assert len(words) == 14 // length
    pairs = [words[k] for k in range(len(words))]
    assert all(
        one.dtype == numpy.int32 and type(one) is nd.NDArray for pair in pairs for one in pair
    )
    to_tokens = words.vocabulary.to_tokens
    count = 14 // length * length
    assert to_tokens([k for x, _ in pairs for k in x.tolist()]) == TOKENS[:count]
    assert to_tokens([k for _, y in pairs for k in y.tolist()]) == TOKENS[1 : count + 1]
    assert words.frequencies["the"] == 3
    assert words.vocabulary.idx_to_token[:3] == ["<unk>", "<eos>", "the"]


def test_a_vocabulary_of_another_text_and_arrays_of_np(folder):
    other = Vocabulary(None, reserved_tokens=["<eos>", "cat"])
    with util.np_array(True):
        piece, _ = data.WikiText2(folder, "validation", other, 6)[0]
    assert (type(piece), piece.tolist()) == (np.ndarray, [0, 0, 0, 1, 0, 2])


def test_what_is_missing_or_damaged_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"wiki\.train\.tokens.*wikitext-2-v1\.zip"):
        data.WikiText2(str(tmp_path))
    (tmp_path / "wikitext-2-v1.zip").write_bytes(b"PK\3\4 and no more")
    with pytest.raises(GluonError, match="damaged"):
        data.WikiText2(str(tmp_path))
    (tmp_path / "wiki.train.tokens").write_bytes(b"\xff\xfe")
    with pytest.raises(GluonError, match="damaged"):
        data.WikiText2(str(tmp_path))
    (tmp_path / "wiki.train.tokens").write_text("too short")
    with pytest.raises(GluonError, match="has 3 tokens, too few"):
        data.WikiText2(str(tmp_path))
    with pytest.raises(ValueError, match="segment='valid' must be one of train, validation, test"):
        data.WikiText2(str(tmp_path), "valid")
    with pytest.raises(ValueError, match="seq_len=0"):
        data.WikiText2(str(tmp_path), seq_len=0)
