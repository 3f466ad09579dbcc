"""Sentences as numbers, and batches of sentences that are about as long."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import nd
from ..._core.errors import ArgumentError, warn_caller
from ...io import DataBatch, DataDesc, DataIter


def encode_sentences(
    sentences: Sequence[Sequence[Any]],
    vocab: dict[Any, int] | None = None,
    invalid_label: int = -1,
    invalid_key: Any = "\n",
    start_label: int = 0,
    unknown_token: Any = None,
) -> tuple[list[list[int]], dict[Any, int]]:
    """Sentences as lists of numbers, and the number of each word."""
    fresh = vocab is None
    numbers: dict[Any, int] = {invalid_key: invalid_label} if vocab is None else vocab
    following, found = start_label, []
    for sentence in sentences:
        coded = []
        for word in sentence:
            if word not in numbers:
                if not fresh and not unknown_token:
                    raise ArgumentError(
                        f"encode_sentences: {word!r} is not in vocab; pass unknown_token"
                    )
                word = unknown_token or word
                if word not in numbers:
                    following += following == invalid_label
                    numbers[word] = following
                    following += 1
            coded.append(numbers[word])
        found.append(coded)
    return found, numbers


class BucketSentenceIter(DataIter):
    """Batches of sentences; each is filled up to the length of its bucket, its key.

    The labels are the data, moved by one step.
    """

    def __init__(
        self,
        sentences: Sequence[Sequence[int]],
        batch_size: int,
        buckets: Sequence[int] | None = None,
        invalid_label: int = -1,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: Any = "float32",
        layout: str = "NT",
    ) -> None:
        super().__init__(batch_size)
        lengths = np.array([len(one) for one in sentences])
        if not buckets:
            counts = np.bincount(lengths)
            buckets = [k for k, count in enumerate(counts) if count >= batch_size]
        if layout not in ("NT", "TN"):
            raise ArgumentError(f"BucketSentenceIter: layout {layout!r} is neither 'NT' nor 'TN'")
        self.buckets = sorted(buckets)
        rows: list[list[np.ndarray]] = [[] for _ in self.buckets]
        for one, place in zip(sentences, np.searchsorted(self.buckets, lengths)):
            if place < len(self.buckets):
                row = np.full(self.buckets[place], invalid_label, dtype)
                row[: len(one)] = one
                rows[place].append(row)
        dropped = len(sentences) - sum(map(len, rows))
        if dropped:
            warn_caller(f"{dropped} sentences are longer than the largest bucket")
        self.data = [
            np.array(each, dtype).reshape(-1, length) for each, length in zip(rows, self.buckets)
        ]
        self.invalid_label, self.dtype = invalid_label, dtype
        self.data_name, self.label_name = data_name, label_name
        self.layout, self.major_axis = layout, layout.find("N")
        self.default_bucket_key = max(self.buckets)
        self.provide_data = [self._described(data_name, self.default_bucket_key)]
        self.provide_label = [self._described(label_name, self.default_bucket_key)]
        self.idx = [
            (place, start)
            for place, each in enumerate(self.data)
            for start in range(0, len(each) - batch_size + 1, batch_size)
        ]
        self.curr_idx = 0
        self.reset()

    def _described(self, name: str, length: int) -> DataDesc:
        shape = (self.batch_size, length)
        return DataDesc(name, shape[:: 1 if self.layout == "NT" else -1], layout=self.layout)

    def reset(self) -> None:
        """Begin again, in another order."""
        self.curr_idx = 0
        random.shuffle(self.idx)
        for each in self.data:
            np.random.shuffle(each)  # noqa: NPY002  (as MXNet, seeded by np.random.seed)

    def next(self) -> DataBatch:
        """The next batch."""
        if self.curr_idx == len(self.idx):
            raise StopIteration
        place, start = self.idx[self.curr_idx]
        self.curr_idx += 1
        data = self.data[place][start : start + self.batch_size]
        label = np.full_like(data, self.invalid_label)
        label[:, :-1] = data[:, 1:]
        key = self.buckets[place]
        arrays = [one.T if self.major_axis else one for one in (data, label)]
        return DataBatch(
            [nd.array(arrays[0], dtype=self.dtype)],
            [nd.array(arrays[1], dtype=self.dtype)],
            pad=0,
            bucket_key=key,
            provide_data=[self._described(self.data_name, key)],
            provide_label=[self._described(self.label_name, key)],
        )
