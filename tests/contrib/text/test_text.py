"""`gluon.contrib.text`: what `tests/io/programs.py` does not compare with the oracle."""

from __future__ import annotations

from collections import Counter

import pytest

from gluon import GluonError, nd
from gluon.contrib.text import embedding, vocab


def file_of(path, *lines: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines))
    return str(path)


def test_named_embeddings_read_files_of_this_machine(tmp_path, monkeypatch):
    monkeypatch.setattr(embedding, "ROOT", str(tmp_path))
    file_of(tmp_path / "glove" / "small.txt", "a 1 2", "b 3 4")
    words = embedding.create("glove", pretrained_file_name="small.txt", embedding_root=tmp_path)
    assert words.get_vecs_by_tokens("b").asnumpy().tolist() == [3, 4]
    assert embedding.get_pretrained_file_names("glove") == ["small.txt"]
    assert embedding.get_pretrained_file_names()["fasttext"] == []
    part = embedding.GloVe(
        "small.txt",
        embedding_root=tmp_path,
        vocabulary=vocab.Vocabulary(Counter("b")),
        init_unknown_vec=nd.ones,
    )
    assert part.idx_to_vec.asnumpy().tolist() == [[1, 1], [3, 4]]


def test_a_registered_embedding_is_created_by_its_name(monkeypatch):
    base = embedding._TokenEmbedding
    monkeypatch.setattr(embedding, "EMBEDDINGS", type(embedding.EMBEDDINGS)(base, "embedding"))

    @embedding.register
    class Mine(embedding.CompositeEmbedding):
        def __init__(self, size):
            self.size = size

    assert embedding.create("mine", size=3).size == 3


def test_lines_that_are_left_out_are_told(tmp_path):
    path = file_of(tmp_path / "a", "2 2", "a 1 2", "a 3 4")
    with pytest.warns(UserWarning, match="is ignored") as seen:
        words = embedding.CustomEmbedding(path)
    assert [str(one.message).split(" ", 3)[1] for one in seen] == ["1", "3"]
    assert words.idx_to_token == ["<unk>", "a"]


def test_errors(tmp_path):
    path = file_of(tmp_path / "a", "a 1 2", "b 3 4 5")
    words = embedding.CustomEmbedding(file_of(tmp_path / "b", "a 1 2"))
    update = words.update_token_vectors
    for call, kind, match in (
        (lambda: vocab.Vocabulary(min_freq=0), ValueError, "min_freq=0 must be positive"),
        (lambda: vocab.Vocabulary({"a": 1}), TypeError, "not dict"),
        (lambda: vocab.Vocabulary(reserved_tokens=["a", "a"]), ValueError, "has a token twice"),
        (lambda: vocab.Vocabulary(reserved_tokens=["<unk>"]), ValueError, "has a token twice"),
        (lambda: words.to_tokens(5), ValueError, "5 is not an index from 0 to 1"),
        (lambda: words.to_tokens(["a"]), ValueError, "'a' is not an index"),
        (
            lambda: embedding.CustomEmbedding(path),
            GluonError,
            "line 2 of .* length 3, but those before it have length 2",
        ),
        (lambda: embedding.CustomEmbedding(path, ","), GluonError, "line 1 of .* is not a token"),
        (
            lambda: embedding.CustomEmbedding(file_of(tmp_path / "c", "a x y")),
            GluonError,
            "line 1 of .*could not convert",
        ),
        (lambda: embedding.GloVe(embedding_root="no"), FileNotFoundError, "put it there"),
        (lambda: embedding.create("word2vec"), ValueError, "unknown token embedding"),
        (lambda: embedding.get_pretrained_file_names("no"), KeyError, "glove, fasttext"),
        (lambda: embedding.CompositeEmbedding(words, [3]), TypeError, "int is not an embedding"),
        (lambda: embedding.CompositeEmbedding(3, words), TypeError, "must be a Vocabulary"),
        (lambda: update("no", nd.zeros(2)), ValueError, "'no' is unknown"),
        (lambda: update("a", nd.zeros(3)), ValueError, r"shape \(3,\), not \(1, 2\)"),
    ):
        with pytest.raises(kind, match=match):
            call()
