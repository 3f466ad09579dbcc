"""Parts of MXNet's vocabularies and embeddings of tokens."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

from ..._core.errors import DTypeError, MissingKeyError
from ...contrib.text.embedding import MissingVectorsError, get_pretrained_file_names
from ...contrib.text.vocab import Vocabulary
from ..helpers.blocks import _get_repo_url


def _index_unknown_and_reserved_tokens(
    self: Vocabulary, unknown_token: Any, reserved_tokens: list | None
) -> None:
    """Reset the index to these tokens."""
    self._unknown_token = unknown_token
    self._reserved_tokens = None if reserved_tokens is None else list(reserved_tokens)
    self._idx_to_token = [unknown_token, *(reserved_tokens or ())]
    self._token_to_idx = {token: k for k, token in enumerate(self._idx_to_token)}


def _index_counter_keys(
    self: Vocabulary,
    counter: Counter,
    unknown_token: Any,
    reserved_tokens: list | None,
    most_freq_count: int | None,
    min_freq: int,
) -> None:
    """Add the most frequent tokens to the index."""
    if not isinstance(counter, Counter):
        raise DTypeError(f"counter must be a collections.Counter, not {type(counter).__name__}")
    known = {unknown_token, *(reserved_tokens or ())}
    room = len(known) + (len(counter) if most_freq_count is None else most_freq_count)
    for token, count in sorted(sorted(counter.items()), key=lambda one: -one[1]):
        if count < min_freq or len(self._idx_to_token) == room:
            break
        if token not in known:
            self._token_to_idx[token] = len(self._idx_to_token)
            self._idx_to_token.append(token)


# -------------------------------------------------------------------------------- embeddings


def _build_embedding_for_vocabulary(self: Any, vocabulary: Vocabulary | None) -> None:
    """Use the tokens of an optional vocabulary, and their vectors."""
    if vocabulary is not None:
        self._take(vocabulary, [self])


def _index_tokens_from_vocabulary(self: Any, vocabulary: Vocabulary) -> None:
    """Use the tokens of a vocabulary."""
    self._token_to_idx = dict(vocabulary.token_to_idx)
    self._idx_to_token = list(vocabulary.idx_to_token)
    self._unknown_token = vocabulary.unknown_token
    reserved = vocabulary.reserved_tokens
    self._reserved_tokens = None if reserved is None else list(reserved)


def _set_idx_to_vec_by_embeddings(
    self: Any, token_embeddings: list, vocab_len: int, vocab_idx_to_token: list
) -> None:
    """Set the vectors of tokens by concatenating those of embeddings."""
    self._idx_to_vec = self._joined(token_embeddings, vocab_idx_to_token[1:vocab_len])


def _folder(cls: type, embedding_root: str) -> str:
    return os.path.join(os.path.expanduser(embedding_root), cls.__name__.lower())


def _get_pretrained_file(cls: type, embedding_root: str, pretrained_file_name: str) -> str:
    """The path of a file of vectors on this machine."""
    path = os.path.join(_folder(cls, embedding_root), pretrained_file_name)
    if not os.path.exists(path):
        raise MissingVectorsError(
            f"{cls.__name__}: cannot find the file {path!r}; gluon downloads nothing, so put it"
            " there"
        )
    return path


def _check_pretrained_file_names(cls: type, pretrained_file_name: str) -> None:
    """Raise a KeyError unless a file of vectors is on this machine."""
    known = get_pretrained_file_names(cls.__name__.lower())
    if pretrained_file_name not in known:
        raise MissingKeyError(
            f"{cls.__name__}: no file {pretrained_file_name!r} here, only {known}"
        )


def _get_pretrained_file_url(cls: Any, pretrained_file_name: str) -> str:
    """Return the URL of a file of vectors."""
    name = cls._get_download_file_name(pretrained_file_name)
    return f"{_get_repo_url()}gluon/embeddings/{cls.__name__.lower()}/{name}"


def _glove_archive(cls: type, pretrained_file_name: str) -> str:
    """The archive with a file: one for each size, the largest two with the length of vectors."""
    name, size, *rest = pretrained_file_name.split(".")
    if size == "twitter":
        size = f"{size}.{rest[0]}"
    elif size in ("42B", "840B"):
        size = f"{size}.300d"
    return f"{name}.{size}.zip"


_EMBEDDING = "contrib.text.embedding."
MEMBERS: dict[str, dict[str, Any]] = {
    "contrib.text.vocab.Vocabulary": {
        "_index_counter_keys": _index_counter_keys,
        "_index_unknown_and_reserved_tokens": _index_unknown_and_reserved_tokens,
    },
    f"{_EMBEDDING}_TokenEmbedding": {
        "_build_embedding_for_vocabulary": _build_embedding_for_vocabulary,
        "_check_pretrained_file_names": classmethod(_check_pretrained_file_names),
        "_get_download_file_name": classmethod(lambda cls, name: name),
        "_get_pretrained_file": classmethod(_get_pretrained_file),
        "_get_pretrained_file_url": classmethod(_get_pretrained_file_url),
        "_index_tokens_from_vocabulary": _index_tokens_from_vocabulary,
        "_set_idx_to_vec_by_embeddings": _set_idx_to_vec_by_embeddings,
    },
    f"{_EMBEDDING}FastText": {
        "_get_download_file_name": classmethod(lambda cls, name: f"{name.rpartition('.')[0]}.zip"),
    },
    f"{_EMBEDDING}GloVe": {"_get_download_file_name": classmethod(_glove_archive)},
}
