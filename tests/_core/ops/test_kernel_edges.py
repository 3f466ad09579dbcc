"""Edge cases of the mode and of kernels."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import autograd, nd
from gluon._core.engine.mode import mode
from gluon._core.kernels import normalization, spectral
from gluon.autodiff import GradManager


def test_nested_switches_bring_back_the_manager_that_was_silenced_first():
    x = nd.array([3.0])
    with GradManager().attach(x) as manager:
        autograd.set_recording(False)
        autograd.set_recording(False)  # nothing records, and what is held stays held
        assert len(mode().held) == 1
        constant = x * 5
        assert autograd.set_recording(True) is False
        assert mode().held == ()
        y = x * x * constant
        grad = manager.backward(y)
    assert grad.asnumpy().tolist() == [2 * 3 * 15]
    autograd.set_recording(False)


def test_a_pause_inside_a_switch_and_the_reverse_leave_the_state_around():
    with autograd.record():
        with autograd.pause():
            autograd.set_recording(True)
            assert autograd.is_recording()
        assert autograd.is_recording()
        autograd.set_recording(False)
        with autograd.pause():  # changes nothing, and so undoes nothing, as in MXNet
            autograd.set_recording(True)
        assert autograd.is_recording()
        with autograd.predict_mode():
            autograd.set_recording(False)
            assert not autograd.is_training()
        assert not autograd.is_recording()
        assert autograd.is_training()
    assert not autograd.is_recording()
    assert not autograd.is_training()


def test_a_manager_released_while_silenced_is_not_brought_back():
    x = nd.array([3.0])
    manager = GradManager().attach(x)
    manager.record()
    autograd.set_recording(False)
    manager.release()
    autograd.set_recording(True)
    assert len(mode().tapes) == 1  # autograd's own
    autograd.set_recording(False)


@pytest.mark.parametrize("axis", [-3, 2, 3])
def test_an_axis_out_of_range_is_named(axis):
    with pytest.raises(ValueError, match=rf"^axis {axis} is out of range for 2 axes$"):
        normalization.along(axis, 2)


@pytest.mark.parametrize(("axis", "shape"), [(-2, (-1, 1)), (-1, (1, -1)), (0, (-1, 1))])
def test_a_vector_is_laid_along_the_first_and_the_last_axis(axis, shape):
    found = normalization.along(axis, 2)
    assert (
        np.arange(4).reshape(found).shape == np.zeros((4, 4)).reshape(16)[:4].reshape(shape).shape
    )


def test_parameters_are_vectors_of_as_many_values_as_channels():
    good, bad = np.ones(3), np.ones(2)
    normalization.check_parameters(good, good, 3, "channels")
    for gamma, beta in ((good, bad), (bad, good), (good[None], good)):
        with pytest.raises(ValueError, match="gamma"):
            normalization.check_parameters(gamma, beta, 3, "channels")


def test_groups_and_modes_have_their_limits():
    assert normalization.grouped_shape((2, 6), 3) == (2, 3, 2)
    for shape, groups in (((6,), 3), ((2, 6), 0), ((2, 6), 4)):
        with pytest.raises(ValueError, match=f"num_groups={groups}"):
            normalization.grouped_shape(shape, groups)
    for mode_, fewest in (("instance", 1), ("channel", 3), ("spatial", 3)):
        normalization.l2_axes(mode_, fewest)
        with pytest.raises(ValueError, match=f"takes more than {fewest - 1} axes"):
            normalization.l2_axes(mode_, fewest - 1)
    with pytest.raises(ValueError, match="not one of"):
        normalization.l2_axes("batch", 4)
    x = np.ones((2, 3))
    with pytest.raises(ValueError, match="batch, channels"):
        normalization.instance_norm(x, np.ones(3), np.ones(3))


def test_no_mean_of_no_values():
    with pytest.raises(ValueError, match="no values to compute a mean from"):
        normalization.standardize(np.ones((0, 3)), np.ones(3), np.ones(3), (0,), 1e-5)
    y, *_ = normalization.standardize(np.ones((0, 3)), np.ones(3), np.ones(3), (1,), 1e-5)
    assert y.shape == (0, 3)


@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1)])
def test_means_of_large_arrays_are_those_over_all_of_their_axes(axes):
    x = np.random.default_rng(0).normal(size=(normalization.BLOCK, 3)) + np.arange(3)
    y, mean, var = normalization.standardize(x, np.ones((1, 1)), np.zeros((1, 1)), axes, 1e-5)
    np.testing.assert_allclose(mean, x.mean(axes, keepdims=True), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(var, x.var(axes, keepdims=True), rtol=1e-9)
    right = (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + 1e-5)
    np.testing.assert_allclose(y, right, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_transforms_keep_the_dtype_and_undo_each_other(dtype):
    x = np.arange(6, dtype=dtype).reshape(2, 3)
    y = spectral.fft(x)
    assert (y.dtype, y.shape) == (dtype, (2, 6))
    right = np.fft.fft(x.astype("float64"))
    np.testing.assert_allclose(y[:, ::2], right.real, atol=1e-2)
    np.testing.assert_allclose(y[:, 1::2], right.imag, atol=1e-2)
    back = spectral.ifft(y)
    assert back.dtype == dtype
    np.testing.assert_allclose(back, 3 * x, atol=1e-2)


def test_transforms_refuse_what_they_cannot_take():
    for wrong in (np.arange(4), np.array([True, False]), np.array([1, 2], "uint8"), np.array(1.0)):
        for transform in (spectral.fft, spectral.ifft):
            with pytest.raises(TypeError, match=f"not {wrong.dtype}"):
                transform(wrong)
    with pytest.raises(ValueError, match="must be even"):
        spectral.ifft(np.ones((2, 3)))
