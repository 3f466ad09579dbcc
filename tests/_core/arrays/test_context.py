"""Devices: names for host memory, blocks that set the default, and the missing GPU."""

from __future__ import annotations

import pickle
import threading

import pytest

import gluon
from gluon import Context, GluonError, cpu, current_context, gpu, nd


def test_devices_are_compared_by_kind_and_number():
    assert cpu() == cpu(0) == Context("cpu") == Context(cpu(0))
    assert cpu(0) != cpu(1)
    assert cpu(0) != gpu(0)
    assert cpu(0) != "cpu(0)"
    assert len({cpu(), cpu(0), cpu(1), gpu()}) == 3
    assert (str(cpu(1)), repr(gpu(2))) == ("cpu(1)", "gpu(2)")
    assert (gpu(3).device_type, gpu(3).device_id, gpu(3).device_typeid) == ("gpu", 3, 2)
    assert pickle.loads(pickle.dumps(cpu(5))) == cpu(5)


def test_a_block_sets_the_default_and_puts_it_back():
    assert current_context() == cpu(0)
    with cpu(1):
        assert nd.zeros((1,)).context == cpu(1)
        with cpu(2):
            assert nd.array([1]).context == current_context() == cpu(2)
        assert nd.ones((1,)).context == cpu(1)
        assert nd.ones((1,), ctx=cpu(0)).context == cpu(0)
    assert nd.zeros((1,)).context == cpu(0)


def test_a_device_can_be_named_by_its_text():
    assert nd.zeros((1,), ctx="cpu").context == cpu(0)
    assert nd.zeros((1,), ctx="cpu(2)").context == cpu(2)
    for name in ("cpu(1", "tpu(0)", "gpu(0)"):
        with pytest.raises(GluonError):
            nd.zeros((1,), ctx=name)


def test_a_block_puts_the_default_back_after_an_error_and_in_itself():
    here = cpu(1)
    with pytest.raises(ZeroDivisionError), here, here:
        raise ZeroDivisionError
    assert current_context() == cpu(0)


def test_a_thread_starts_on_the_first_cpu():
    seen = []
    with cpu(1):
        thread = threading.Thread(target=lambda: seen.append(current_context()))
        thread.start()
        thread.join()
    assert seen == [cpu(0)]


def test_results_stay_on_the_device_of_their_inputs():
    x = nd.ones((2,), ctx=cpu(3))
    x.attach_grad()
    for y in (x + 1, 1 - x, x.exp(), x[0], x.reshape((1, 2)), x.sum(), nd.stack(x, x), x > 0):
        assert y.context == cpu(3)
    assert x.grad.context == cpu(3)
    assert x.ctx is x.context


def test_a_gpu_can_be_named_but_not_used():
    assert gluon.num_gpus() == 0
    for make in (lambda: nd.zeros((2,), ctx=gpu()), lambda: nd.ones((2,)).as_in_context(gpu(0))):
        with pytest.raises(GluonError, match=r"gpu\(0\).*num_gpus\(\) is 0"):
            make()
    with gpu(1), pytest.raises(GluonError, match=r"gpu\(1\)"):
        nd.zeros((2,))
    with pytest.raises(GluonError):
        gluon.gpu_memory_info()


def test_what_is_no_device():
    with pytest.raises(GluonError, match="tpu"):
        Context("tpu")
    with pytest.raises(TypeError, match="cpu"):
        nd.zeros((2,), ctx=7)
