"""Parts of a data set, drawn at random."""

from __future__ import annotations

import numpy
import pytest

from gluon import data


@pytest.mark.parametrize("lengths", [[7, 3], [10], [0, 10, 0], [0.7, 0.3], [1 / 3] * 3, [0.25] * 4])
def test_every_sample_is_in_one_part(lengths):
    samples = data.SimpleDataset([f"sample {k}" for k in range(10)])
    parts = data.random_split(samples, lengths)
    assert sorted(one for part in parts for one in part) == sorted(samples)
    for part, length in zip(parts, lengths):
        wanted = length if isinstance(length, int) else length * 10
        assert abs(len(part) - wanted) < 1


def test_seeds_and_the_other_methods():
    numpy.random.seed(3)  # noqa: NPY002
    first, _ = data.random_split(range(100), [50, 50])
    numpy.random.seed(3)  # noqa: NPY002
    again, _ = data.random_split(range(100), [50, 50])
    other, _ = data.random_split(range(100), [50, 50])
    assert list(first) == list(again) != list(other)
    assert list(first) != sorted(first)
    assert list(first.transform(lambda x: -x)) == [-x for x in first]
    assert len(data.DataLoader(first, 8)) == 7


@pytest.mark.parametrize("lengths", [[5, 4], [-1, 11], [0.5, 0.4], [], [11]])
def test_lengths_that_do_not_fit_are_named(lengths):
    with pytest.raises(ValueError, match="10 samples"):
        data.random_split(range(10), lengths)
