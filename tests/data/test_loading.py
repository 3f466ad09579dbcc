"""Data sets, samplers and loaders."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import chain

import numpy as np
import pytest

import gluon
from gluon import data, nd
from gluon.data.dataloader import default_mp_batchify_fn
from tests.nn.replay import assert_as_the_oracle


def test_results(monkeypatch):
    assert_as_the_oracle("loading", monkeypatch)


def test_parts_of_arrays():
    x = nd.arange(6).reshape((3, 2))
    picture, label = data.ArrayDataset(x, nd.arange(3))[1]
    assert picture.asnumpy().tolist() == [2, 3]
    assert isinstance(label, np.float32)
    assert data.ArrayDataset([5, 6])[1] == 6


def test_a_transform_of_the_first_part():
    pairs = data.ArrayDataset([1, 2], [3, 4])
    assert pairs.transform_first(lambda x: -x)[1] == (-2, 4)
    assert data.SimpleDataset([1, 2]).transform_first(lambda x: -x)[1] == -2
    assert list(pairs.transform(lambda x, y: x * y)) == [3, 8]
    calls = []
    pairs.transform_first(calls.append)
    assert not calls


def test_a_transform_of_a_slice_is_called_with_it():
    assert data.SimpleDataset([1, 2, 3]).transform(sum)[0:2] == 3


def test_taking_nothing():
    assert list(data.SimpleDataset([1, 2, 3]).take(0)) == []


def test_a_transform_is_called_when_a_sample_is_taken():
    calls = []
    numbers = data.SimpleDataset([1, 2, 3])
    lazy = numbers.transform(calls.append)
    assert not calls
    lazy[1]
    assert calls == [2]
    numbers.transform(calls.append, lazy=False)
    assert calls == [2, 1, 2, 3]


def test_shards_cover_everything_once():
    numbers = data.SimpleDataset(range(10))
    shards = [numbers.shard(4, k) for k in range(4)]
    assert sorted(one for shard in shards for one in shard) == list(range(10))
    with pytest.raises(ValueError, match="index=4 is out of range for 4 shards"):
        numbers.shard(4, 4)


def test_random_order_is_new_each_time():
    np.random.seed(0)  # noqa: NPY002
    sampler = data.RandomSampler(20)
    one, two = list(sampler), list(sampler)
    assert sorted(one) == sorted(two) == list(range(20))
    assert one != two
    assert len(sampler) == 20


@pytest.mark.parametrize("drop", [False, True])
@pytest.mark.parametrize(("length", "parts"), [(10, 3), (2, 5), (6, 3), (0, 2)])
def test_a_distributed_sampler_gives_each_part_as_many(length, parts, drop):
    samplers = [data.DistributedSampler(length, parts, k, drop_last=drop) for k in range(parts)]
    for _ in range(2):
        given = [list(one) for one in samplers]
        assert {len(one) for one in given} == {len(one) for one in samplers}
        everything = sorted(chain(*given))
        if drop:
            assert len({*everything}) == len(everything) == length // parts * parts
        else:
            assert {*everything} == {*range(length)}


def test_the_order_of_a_distributed_sampler_follows_from_seed_and_epoch():
    one, other = data.DistributedSampler(50), data.DistributedSampler(50)
    first, second = list(one), list(one)
    assert sorted(first) == sorted(second) == [*range(50)] != first != second
    other.set_epoch(1)
    assert list(other) == second
    assert list(data.DistributedSampler(50, seed=-1)) not in (first, second)
    assert list(data.DistributedSampler(5, 2, 1, shuffle=False)) == [1, 3, 0]


def test_samplers_choose():
    numbers = data.SimpleDataset([5, 6, 7, 8])
    even = data.FilterSampler(lambda x: x % 2 == 0, numbers)
    assert (list(even), len(even)) == ([1, 3], 2)
    loader = data.DataLoader(numbers, 2, sampler=even)
    assert [batch.asnumpy().tolist() for batch in loader] == [[6, 8]]
    batches = data.BatchSampler(data.SequentialSampler(4), 3)
    loader = data.DataLoader(numbers, batch_sampler=batches)
    assert [batch.asnumpy().tolist() for batch in loader] == [[5, 6, 7], [8]]


def test_batches_stay_on_the_context_of_the_samples():
    x = nd.ones((2, 2), ctx=gluon.cpu(1))
    (batch,) = data.DataLoader(data.ArrayDataset(x), 2)
    assert batch.context == gluon.cpu(1)


def test_a_batchify_fn_of_your_own():
    loader = data.DataLoader(
        [[1], [2, 3]], 2, batchify_fn=lambda samples: [*samples[0], *samples[1]]
    )
    assert list(loader) == [[1, 2, 3]]


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("threads", [False, True])
def test_only_processes_make_batches_in_shared_memory(workers, threads):
    loader = data.DataLoader([1, 2], 1, num_workers=workers, thread_pool=threads)
    shared = loader._batchify_fn is default_mp_batchify_fn
    assert shared == (workers == 1 and not threads)


def test_workers_are_accepted():
    loader = data.DataLoader([1, 2, 3], 2, num_workers=2, thread_pool=True, prefetch=4)
    assert [batch.asnumpy().tolist() for batch in loader] == [[1, 2], [3]]


def test_samples_of_different_shapes():
    for samples in ([nd.ones((2,)), nd.ones((3,))], [np.ones(2), np.ones(3)]):
        with pytest.raises(ValueError, match=r"\[\(2,\), \(3,\)\] cannot be batched.*batchify_fn"):
            next(iter(data.DataLoader(samples, 2)))


def test_samples_of_different_numbers_of_parts():
    with pytest.raises(ValueError, match="different numbers of items cannot be batched"):
        next(iter(data.DataLoader([(1, 2), (3,)], 2)))


def test_samples_that_are_no_numbers():
    for samples in (["a", "b"], [{"a": 1}], [object()]):
        with pytest.raises(TypeError, match="cannot be batched"):
            next(iter(data.DataLoader(samples, 1)))


def test_samples_of_several_dtypes_promote():
    (batch,) = data.DataLoader([np.ones(2, "float32"), np.ones(2)], 2)
    assert batch.dtype == np.float64


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: data.BatchSampler([1], 0), "batch_size=0 must be 1 or more"),
        (lambda: data.ArrayDataset(), "at least one array"),
        (lambda: data.ArrayDataset([1], [2, 3]), r"same length; got lengths \[1, 2\]"),
        (lambda: data.DataLoader([1]), "give batch_size"),
        (lambda: data.DataLoader([1], 1, True, [0]), "leave shuffle out"),
        (lambda: data.DataLoader([1], 1, batch_sampler=[[0]]), "takes the place of batch_size"),
        (lambda: data.DistributedSampler(4, 2, 2), "part_index=2; give a length of 0 or more"),
        (lambda: data.DataLoader([1], 1, last_batch="drop"), "keep, discard, rollover; got 'drop'"),
    ],
)
def test_errors(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_what_subclasses_define():
    for call in (lambda: data.Dataset()[0], lambda: len(data.Dataset())):
        with pytest.raises(NotImplementedError, match="Dataset must define"):
            call()
    for call in (lambda: list(data.Sampler()), lambda: len(data.Sampler())):
        with pytest.raises(NotImplementedError, match="Sampler must define"):
            call()


class Refilled(data.Sampler):
    """Lists of indices that are one list, filled again for each, and that start anew at once."""

    def __init__(self):
        self.indices, self.count = [0, 0], 0

    def __len__(self):
        return 3

    def __iter__(self):
        return self

    def __next__(self):
        if self.count == 3:
            self.count = 0
            raise StopIteration
        self.count += 1
        self.indices[:] = 2 * self.count - 2, 2 * self.count - 1
        return self.indices


class Slow:
    """Samples that are still being loaded when the sampler has gone on."""

    def __len__(self):
        return 6

    def __getitem__(self, index):
        time.sleep(0.01)
        return index


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("threads", [False, True])
def test_a_sampler_may_fill_one_list_again_and_start_anew(workers, threads):
    loader = data.DataLoader(
        Slow(), batch_sampler=Refilled(), num_workers=workers, thread_pool=threads
    )
    for _ in range(2):
        assert [one.asnumpy().tolist() for one in loader] == [[0, 1], [2, 3], [4, 5]]


def test_a_loader_is_no_iterator():
    loader = data.DataLoader([0, 1, 2, 3], 2)
    with pytest.raises(TypeError, match="'DataLoader' object is not an iterator"):
        next(loader)
    assert not isinstance(loader, Iterator)
    assert next(iter(loader)).asnumpy().tolist() == [0, 1]


def test_arguments_that_mean_nothing():
    with pytest.raises(TypeError, match="batchify_fn is an int; pass a function of a list"):
        data.DataLoader([0, 1], 2, batchify_fn=3)
    with pytest.warns(UserWarning, match="num_workers=-1 loads without workers"):
        data.DataLoader([0, 1], 2, num_workers=-1)


@pytest.mark.parametrize(
    ("made", "printed"),
    [
        (data.ArrayDataset([1, 2]), "ArrayDataset(2 samples)"),
        (data.SimpleDataset([1]), "SimpleDataset(1 sample)"),
        (data.Dataset(), "Dataset()"),
        (data.RandomSampler(3), "RandomSampler(3 indices)"),
        (
            data.BatchSampler(data.SequentialSampler(3), 2, "keep"),
            "BatchSampler(SequentialSampler(3 indices), 2 batches)",
        ),
    ],
)
def test_what_datasets_and_samplers_print(made, printed):
    assert repr(made) == printed


def test_a_size_and_a_sampler_that_are_none():
    with pytest.raises(TypeError, match="batch_size is a list; pass an integer"):
        data.DataLoader([0, 1], [2])
    with pytest.raises(TypeError, match="sampler='random' is a str; pass a sampler"):
        data.DataLoader([0, 1], 2, sampler="random")
