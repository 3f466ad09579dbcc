"""Text datasets for language models, from local files."""

from __future__ import annotations

import os
import zipfile
from collections import Counter
from typing import Any

import numpy as np

from ..._core.arrays.interfaces import chosen_class
from ..._core.engine.array import wrap
from ..._core.errors import ArgumentError, GluonError
from ...data.dataset import _DownloadedDataset
from ...data.vision.datasets import ROOT
from ..text.utils import count_tokens_from_str
from ..text.vocab import Vocabulary

__all__ = ["WikiText2", "WikiText103"]

END = "<eos>"
SEGMENTS = {"train": "train", "validation": "valid", "test": "test"}


class _WikiText(_DownloadedDataset):
    """A text cut into sequences of one length; each label is its sequence shifted by one token."""

    _name: str

    def __init__(self, root: str, segment: str, vocab: Vocabulary | None, seq_len: int) -> None:
        if segment not in SEGMENTS:
            raise ArgumentError(
                f"{type(self).__name__}: segment={segment!r} must be one of {', '.join(SEGMENTS)}"
            )
        if seq_len < 1:
            raise ArgumentError(f"{type(self).__name__}: seq_len={seq_len} must be at least 1")
        self._segment, self._vocab, self._seq_len = segment, vocab, seq_len
        self._counter: Counter | None = None
        super().__init__(root, None)

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The tokens and their indices."""
        return self._vocab

    @property
    def frequencies(self) -> Counter | None:
        """The number of occurrences of each token in the text."""
        return self._counter

    def _get_data(self) -> None:
        text = self._text()
        self._counter = count_tokens_from_str(text)
        if self._vocab is None:
            self._vocab = Vocabulary(self._counter, reserved_tokens=[END])
        lines = [line.split() for line in text.splitlines()]
        tokens = [token for line in lines if line for token in (*line, END)]
        numbers = np.array(self._vocab.to_indices(tokens), np.int32)
        count, length = max(len(tokens) - 1, 0) // self._seq_len, self._seq_len
        if not count:
            raise GluonError(
                f"{type(self).__name__}: the text in {self._root!r} has {len(tokens)} tokens, too"
                f" few for one sample of {length} and its label"
            )

        def pieces(start: int) -> Any:
            return wrap(chosen_class(), numbers[start:][: count * length].reshape(count, length))

        self._data, self._label = pieces(0), pieces(1)

    def _text(self) -> str:
        name, archive = f"wiki.{SEGMENTS[self._segment]}.tokens", f"{self._name}-v1.zip"
        path, packed = os.path.join(self._root, name), os.path.join(self._root, archive)
        try:
            if os.path.exists(path):
                with open(path, "rb") as file:
                    return file.read().decode()
            if not os.path.exists(packed):
                raise self._missing(f"file {name} or {archive}")
            with zipfile.ZipFile(packed) as opened:
                return opened.read(f"{self._name}/{name}").decode()
        except (zipfile.BadZipFile, KeyError, UnicodeDecodeError) as error:
            raise GluonError(f"{type(self).__name__}: {self._root!r} is damaged: {error}") from None


class WikiText2(_WikiText):
    r"""WikiText-2: Wikipedia articles of two million words, as sequences of token indices.

    `root` must contain the file ``wiki.train.tokens``, ``wiki.valid.tokens`` or
    ``wiki.test.tokens``, or the archive ``wikitext-2-v1.zip`` with all three. A sample is a pair
    of arrays of shape (seq_len,) and dtype int32; the second is the first one shifted by one word.
    Each line ends with the token ``'<eos>'``.

    Parameters
    ----------
    root : str, default '~/.mxnet/datasets/wikitext-2'
        The environment variable ``MXNET_HOME`` replaces ``~/.mxnet``.
    segment : {'train', 'validation', 'test'}
    vocab : Vocabulary, optional
        The indices of the words; created from the text by default.
    seq_len : int, default 35
        The length of a sample. Words at the end that do not fill a sample are dropped.

    Raises
    ------
    ArgumentError
        If there is no such segment, or `seq_len` is below 1.
    MissingFileError
        If the file does not exist; the message names it.
    GluonError
        If the file is damaged, or too short for a sample.

    Examples
    --------
    >>> import tempfile
    >>> from gluon.contrib import data
    >>> folder = tempfile.mkdtemp()  # with seven words instead of the real ones
    >>> with open(f"{folder}/wiki.train.tokens", "w") as file:
    ...     _ = file.write("the cat and the dog\nand the\n")
    >>> words = data.text.WikiText2(folder, seq_len=4)
    >>> piece, label = words[0]
    >>> words.vocabulary.to_tokens(piece.tolist()), words.vocabulary.to_tokens(label.tolist())
    (['the', 'cat', 'and', 'the'], ['cat', 'and', 'the', 'dog'])
    """

    _name = "wikitext-2"

    def __init__(
        self,
        root: str = os.path.join(ROOT, "wikitext-2"),
        segment: str = "train",
        vocab: Vocabulary | None = None,
        seq_len: int = 35,
    ) -> None:
        super().__init__(root, segment, vocab, seq_len)


class WikiText103(_WikiText):
    r"""WikiText-103: Wikipedia articles of 100 million words, in the format of `WikiText2`.

    Parameters
    ----------
    root : str, default '~/.mxnet/datasets/wikitext-103'
        The environment variable ``MXNET_HOME`` replaces ``~/.mxnet``. The archive is
        ``wikitext-103-v1.zip``.
    segment : {'train', 'validation', 'test'}
    vocab : Vocabulary, optional
        The indices of the words; created from the text by default.
    seq_len : int, default 35
        The length of a sample. Words at the end that do not fill a sample are dropped.

    Raises
    ------
    ArgumentError
        If there is no such segment, or `seq_len` is below 1.
    MissingFileError
        If the file does not exist; the message names it.
    GluonError
        If the file is damaged, or too short for a sample.

    Examples
    --------
    >>> import tempfile
    >>> from gluon.contrib import data
    >>> folder = tempfile.mkdtemp()  # with six words instead of the real ones
    >>> with open(f"{folder}/wiki.test.tokens", "w") as file:
    ...     _ = file.write("one two three\nfour five six\n")
    >>> len(data.text.WikiText103(folder, "test", seq_len=2))
    3
    """

    _name = "wikitext-103"

    def __init__(
        self,
        root: str = os.path.join(ROOT, "wikitext-103"),
        segment: str = "train",
        vocab: Vocabulary | None = None,
        seq_len: int = 35,
    ) -> None:
        super().__init__(root, segment, vocab, seq_len)
