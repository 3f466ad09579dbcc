"""Recording, training and graphs are separate for each thread and each asyncio task."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gluon import autograd, nd


def flags() -> tuple[bool, bool]:
    return autograd.is_recording(), autograd.is_training()


def in_thread(function):
    """The result of `function`, run in a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result()


def train(seed: int, steps: int = 20) -> list:
    """The gradients and the result of a small training run, always the same for a seed."""
    rng = np.random.RandomState(seed)
    x, w = nd.array(rng.normal(size=(8, 3))), nd.array(rng.normal(size=(1, 3)))
    w.attach_grad()
    seen = []
    for _ in range(steps):
        with autograd.record():
            loss = (nd.tanh((x * w).sum(axis=1)) ** 2).sum()
        loss.backward()
        w -= 0.1 * w.grad
        seen += [w.grad.asnumpy(), loss.asnumpy()]
    return [*seen, w.asnumpy()]


def test_a_thread_starts_with_nothing_on():
    with autograd.record():
        assert in_thread(flags) == (False, False)
        assert flags() == (True, True)


def test_a_thread_that_switches_on_disturbs_nobody():
    inside, leave = threading.Barrier(2), threading.Event()

    def record():
        with autograd.record():
            inside.wait(30)
            leave.wait(30)
            return flags()

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(record)
        inside.wait(30)
        assert flags() == (False, False)
        leave.set()
        assert future.result(30) == (True, True)


def test_set_recording_is_a_threads_own():
    def switch():
        autograd.set_recording(True)
        autograd.set_training(True)
        return flags()

    assert in_thread(switch) == (True, True)
    assert flags() == (False, False)


def test_a_decorated_function_runs_in_several_threads_at_once():
    together = threading.Barrier(4)

    @autograd.record()
    def step(k):
        together.wait(30)
        x = nd.array([float(k)])
        x.attach_grad()
        y = x * x
        together.wait(30)
        y.backward()
        return x.grad.asscalar(), flags()

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(step, range(4)))
    assert results == [(2.0 * k, (True, True)) for k in range(4)]
    assert flags() == (False, False)


def test_a_decorated_function_puts_back_the_flags_of_its_own_thread():
    first_in, second_in, first_out = (threading.Event() for _ in range(3))

    @autograd.record()
    def step(mine, awaited):
        mine.set()
        assert awaited.wait(30)

    def first():
        autograd.set_training(True)
        step(first_in, second_in)
        first_out.set()
        return flags()

    def second():
        assert first_in.wait(30)
        step(second_in, first_out)
        return flags()

    with ThreadPoolExecutor(2) as pool:
        results = [pool.submit(one) for one in (first, second)]
    assert [one.result() for one in results] == [(False, True), (False, False)]


def test_two_threads_train_as_one_after_the_other():
    alone = [train(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(train, range(4)))
    for one, other in zip(alone, together):
        for a, b in zip(one, other):
            np.testing.assert_array_equal(a, b)


def test_a_graph_recorded_in_one_thread_can_be_walked_in_another():
    x = nd.array([3.0])
    x.attach_grad()
    with autograd.record():
        y = x * x
    in_thread(y.backward)
    assert x.grad.asscalar() == 6


def test_a_gradient_summed_by_many_threads_in_turn():
    x = nd.array([1.0])
    x.attach_grad("add")

    def step(k):
        with autograd.record():
            y = x * float(k)
        y.backward()

    with ThreadPoolExecutor(1) as pool:
        list(pool.map(step, range(10)))
    assert x.grad.asscalar() == sum(range(10))


def test_tasks_have_flags_and_graphs_of_their_own():
    async def work(k: int, turn: asyncio.Event, other: asyncio.Event):
        x = nd.array([float(k)])
        x.attach_grad()
        with autograd.record(train_mode=bool(k)):
            y = x * x
            other.set()
            await turn.wait()
            state = flags()
            z = y * x
        after = flags()
        z.backward()
        return state, after, x.grad.asscalar()

    async def main():
        one, two = asyncio.Event(), asyncio.Event()
        return await asyncio.gather(work(0, one, two), work(2, two, one))

    assert asyncio.run(main()) == [
        ((True, False), (False, False), 0.0),
        ((True, True), (False, False), 12.0),
    ]
    assert flags() == (False, False)


def test_a_task_does_not_switch_off_the_one_that_made_it():
    async def quiet():
        autograd.set_recording(False)
        autograd.set_training(False)

    async def main():
        with autograd.record():
            await asyncio.create_task(quiet())
            return flags()

    assert asyncio.run(main()) == (True, True)


def test_a_copied_context_carries_the_state():
    with autograd.record():
        context = contextvars.copy_context()
    assert context.run(flags) == (True, True)
    assert flags() == (False, False)


@pytest.mark.slow
def test_many_threads_for_a_long_time():
    alone = [train(seed, steps=300) for seed in range(8)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda seed: train(seed, steps=300), range(8)))
    for one, other in zip(alone, together):
        for a, b in zip(one, other):
            np.testing.assert_array_equal(a, b)
