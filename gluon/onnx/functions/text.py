"""Counts of n-grams in sequences of words, given as numbers or strings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy

from .table import implements, made, room

#: How counts become values, from the occurrence, the counts and the weights.
MODES = {
    "TF": lambda found, weights: found,
    "IDF": lambda found, weights: (found > 0) * weights,
    "TFIDF": lambda found, weights: found * weights,
}


@implements
def TfIdfVectorizer(
    X: Any,
    *,
    max_gram_length: int,
    max_skip_count: int,
    min_gram_length: int,
    mode: str,
    ngram_counts: Sequence[int],
    ngram_indexes: Sequence[int],
    pool_int64s: Sequence[int] = (),
    pool_strings: Sequence[str] = (),
    weights: Sequence[float] = (),
) -> Any:
    lengths = range(min_gram_length, max_gram_length + 1)
    places = _places(pool_int64s or pool_strings, ngram_counts, ngram_indexes)
    rows = X.raw.reshape((1, -1) if X.ndim < 2 else X.shape).tolist()
    found = numpy.zeros(room(len(rows), max(ngram_indexes) + 1), "float32")
    for row, counts in zip(rows, found):
        for step in range(1, min(max_skip_count + 1, len(row)) + 1):
            for length in lengths:
                if length == 1 and step > 1:
                    continue  # a single word has nothing to skip
                for start in range(len(row) - (length - 1) * step):
                    place = places.get(tuple(row[start : start + length * step : step]))
                    if place is not None:
                        counts[place] += 1
    scale = numpy.ones(found.shape[1], "float32")
    if weights:
        scale[list(ngram_indexes)] = weights
    return made(MODES[mode](found, scale).reshape((*X.shape[:-1], -1)))


def _places(
    words: Sequence[Any], starts: Sequence[int], indexes: Sequence[int]
) -> dict[tuple[Any, ...], int]:
    """Return where each n-gram is counted: `words` has those of one word, then of two, etc."""
    grams = [
        tuple(words[k : k + length])
        for length, (start, end) in enumerate(pairwise([*starts, len(words)]), 1)
        for k in range(start, end, length)
    ]
    return dict(zip(grams, indexes))
