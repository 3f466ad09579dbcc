"""Rows of docs/differences.md that no other test checks."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gluon import GluonError, autograd, nd
from gluon.autodiff import GradManager

ROOT = Path(__file__).resolve().parents[2]


def gradient(function, *inputs, **recording):
    """The gradients of the sum of ``function(*inputs)``."""
    for x in inputs:
        x.attach_grad()
    with autograd.record(**recording):
        y = function(*inputs)
    y.backward(train_mode=recording.get("train_mode", True))
    return [x.grad.asnumpy().tolist() for x in inputs]


def batch_norm(x, gamma, mean, var, **kwargs):
    return nd.BatchNorm(x, gamma, nd.zeros((2,)), mean, var, eps=0, momentum=0.5, **kwargs)


def test_batch_norm_moves_its_statistics_in_the_forward_pass():
    mean, var = nd.zeros((2,)), nd.ones((2,))
    with autograd.train_mode():
        batch_norm(nd.array([[1, 2], [3, 6]]), nd.ones((2,)), mean, var)
    assert mean.asnumpy().tolist() == [1, 2]
    assert var.asnumpy().tolist() == [1, 2.5]


def test_batch_norm_with_a_fixed_gamma_leaves_the_array_alone():
    gamma = nd.array([5, 5])
    y = batch_norm(nd.ones((1, 2)), gamma, nd.zeros((2,)), nd.ones((2,)), fix_gamma=True)
    assert gamma.asnumpy().tolist() == [5, 5]
    assert y.asnumpy().tolist() == [[1, 1]]


def test_batch_norm_in_predict_mode_has_the_gradient_of_what_was_computed():
    def function(x):
        return batch_norm(x, nd.ones((2,)), nd.zeros((2,)), nd.array([4, 16]))

    x = nd.array([[1, 2], [3, 4]])
    x.attach_grad()
    with autograd.record(train_mode=False):
        y = function(x)
    y.backward()  # train_mode=True, where MXNet would use the statistics of the batch
    assert x.grad.asnumpy().tolist() == [[0.5, 0.25], [0.5, 0.25]]


def test_the_last_value_of_an_index_given_twice_counts_and_gets_the_gradient():
    index = nd.array([[1, 1]])
    assert nd.scatter_nd(nd.array([3, 4]), index, (3,)).asnumpy().tolist() == [0, 4, 0]
    assert gradient(lambda x: nd.scatter_nd(x, index, (3,)), nd.array([3, 4])) == [[0, 1]]


def test_indices_and_lengths_outside_the_array_are_errors():
    with pytest.raises(GluonError, match="scatter_nd"):
        nd.scatter_nd(nd.array([1]), nd.array([[7]]), (3,))
    for length in (0, 9):
        with pytest.raises(GluonError, match="SequenceLast"):
            nd.SequenceLast(nd.ones((3, 1, 2)), nd.array([length]), use_sequence_length=True)


def test_nan_sorts_as_the_largest_number():
    x = nd.array([2, float("nan"), 1])
    assert nd.argsort(x).asnumpy().tolist() == [2, 0, 1]
    assert nd.topk(x, k=1).asnumpy().tolist() == [1]


def test_functions_that_take_any_axis_and_have_gradients():
    x = nd.array([[3, 1], [2, 4]])
    weights = nd.array([[1, 2], [3, 4]])
    assert gradient(lambda x: nd.sort(x, axis=0) * weights, x) == [[[3, 2], [1, 4]]]
    assert nd.cumsum(x, axis=1).asnumpy().tolist() == [[3, 4], [2, 6]]
    mask = nd.array([0, 1])
    assert nd.contrib.boolean_mask(x, mask, axis=1).asnumpy().tolist() == [[1], [4]]
    chosen = gradient(lambda x: nd.batch_take(x, nd.array([1, 0])), x)
    assert chosen == [[[0, 1], [1, 0]]]


def test_unravel_index_takes_arrays_of_any_shape():
    places = nd.unravel_index(nd.array([[0, 1], [2, 3]]), shape=(2, 2))
    assert places.shape == (2, 2, 2)
    assert places.asnumpy().tolist() == [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]


def test_softmax_output_multiplies_by_the_gradient_that_comes_in():
    x, label = nd.array([[0, 0]]), nd.array([1])
    x.attach_grad()
    with autograd.record():
        y = nd.SoftmaxOutput(x, label, out_grad=True)
    y.backward(nd.array([[10, 100]]))
    np.testing.assert_allclose(x.grad.asnumpy(), [[5, -50]])


def test_softmax_output_takes_one_label_for_each_sample():
    y = nd.SoftmaxOutput(nd.zeros((2, 2, 3)), nd.array([0, 1]))
    np.testing.assert_allclose(y.asnumpy().sum(axis=(1, 2)), [1, 1], rtol=1e-6)


def test_selu_and_softmax_activation_have_the_gradients_of_their_values():
    for function, x in (
        (lambda x: nd.LeakyReLU(x, act_type="selu"), np.array([-4.0, -0.5, 2.0])),
        (lambda x: nd.SoftmaxActivation(x, mode="channel")[:, 0], np.ones((1, 2, 3))),
    ):
        array = nd.array(x, dtype="float64")
        (found,) = gradient(function, array)
        step = np.random.default_rng(0).normal(size=x.shape) * 1e-6
        ends = [function(nd.array(x + s, dtype="float64")).sum().item() for s in (step, -step)]
        np.testing.assert_allclose((found * step).sum(), (ends[0] - ends[1]) / 2, rtol=1e-5)


def test_sizes_may_be_left_out_and_are_checked_when_given():
    x, w = nd.ones((2, 3)), nd.ones((4, 3))
    assert nd.FullyConnected(x, w, no_bias=True).shape == (2, 4)
    with pytest.raises(GluonError, match="num_hidden"):
        nd.FullyConnected(x, w, no_bias=True, num_hidden=5)
    with pytest.raises(GluonError, match="kernel"):
        nd.Convolution(nd.ones((1, 1, 4)), nd.ones((1, 1, 3)), no_bias=True, kernel=(2,))


def test_places_cannot_be_differentiated():
    x = nd.array([3, 1, 2])
    x.attach_grad()
    for function in (nd.argsort, nd.topk, lambda x: nd.one_hot(x, 4)):
        with autograd.record():
            y = function(x)
        with pytest.raises(GluonError, match="cannot differentiate"):
            y.backward()


def test_a_missing_file_is_a_file_not_found_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        nd.load(str(tmp_path / "missing.params"))


def test_arrays_of_different_dtypes_promote():
    half, single = nd.ones((2,), dtype="float16"), nd.ones((2,))
    assert (half + single).dtype == np.float32
    assert (nd.ones((2,), dtype="int32") * single).dtype == np.float64
    assert (half * 2.5).dtype == np.float16


def test_boolean_arrays_are_masks_and_single_values_convert():
    x = nd.array([1, 2, 3])
    assert x[nd.array([1, 0, 1], dtype="bool")].asnumpy().tolist() == [1, 3]
    assert x[np.array([False, True, True])].asnumpy().tolist() == [2, 3]
    assert (float(x[1]), int(x[2]), x[0].item()) == (2.0, 3, 1.0)


def test_grad_takes_arrays_on_the_way():
    x = nd.array([2])
    x.attach_grad()
    with autograd.record():
        y = x * x
        z = y * y
    assert autograd.grad(z, y)[0].asnumpy().tolist() == [8]


def test_a_remainder_by_zero_is_nan_and_numpy_says_whether_it_warns():
    with np.errstate(invalid="raise"), pytest.raises(FloatingPointError):
        nd.array([5.0]) % 0
    with np.errstate(all="ignore"):
        assert np.isnan((nd.array([5.0]) % 0).item())


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["-W", "error"], ["-W", "always"]])
def test_operators_are_silent_and_the_program_around_them_is_not(options):
    command = [sys.executable, *options, "-m", "tests.documents.programs.silent"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    if not options:
        assert (run.returncode, run.stdout) == (0, "gluon is silent\n")
        assert run.stderr.count("RuntimeWarning") == 1
    elif "error" in options:
        assert run.returncode == 1
        assert "gluon is silent" not in run.stdout
    else:
        assert run.stderr.count("RuntimeWarning") > 3


def test_pooling_has_the_gradient_of_its_values_and_passes_nan_on():
    def full(x):
        kwargs = {"kernel": (2,), "stride": (2,), "pool_type": "avg"}
        return nd.Pooling(x, pooling_convention="full", **kwargs)

    x = nd.array([[[1, 2, 3]]])
    share = full(x).asnumpy()[0, 0, 1] / 3  # what the window at the edge divides by
    np.testing.assert_allclose(gradient(full, x)[0], [[[0.5, 0.5, share]]])
    same = nd.Pooling(x, kernel=(2,), stride=(2,), pooling_convention="same")
    assert same.shape == (1, 1, 2)
    assert np.isnan(nd.Pooling(nd.array([[[np.nan, 1]]]), kernel=(2,)).asscalar())


def test_arguments_at_the_limits():
    with autograd.train_mode():
        assert nd.Dropout(nd.ones((3,)), p=1).asnumpy().tolist() == [0, 0, 0]
    mean, var = nd.moments(nd.array([[1, 3]]))
    assert (mean.item(), var.item()) == (2, 1)
    assert nd.softmax(nd.array([1, 1], dtype="int32")).asnumpy().tolist() == [0.5, 0.5]


def test_the_manager_returns_what_it_adds():
    x = nd.array([3.0])
    with GradManager().attach(x) as manager:
        returned = manager.backward(x * x)
    assert returned.asnumpy().tolist() == x.grad.asnumpy().tolist() == [6]


def test_mining_keeps_at_least_the_negatives_asked_for():
    corners = np.linspace(0, 0.9, 8)[:, None] + [[0, 0, 0.1, 0.1]]
    anchors = nd.array(corners[None])
    label = nd.array([[[0, *corners[0]]]])
    scores = nd.array(np.random.default_rng(0).normal(size=(1, 2, 8)))
    for wanted in (1, 4):
        *_, classes = nd.contrib.MultiBoxTarget(
            anchors,
            label,
            scores,
            negative_mining_ratio=1,
            minimum_negative_samples=wanted,
            negative_mining_thresh=0.5,
        )
        assert (classes.asnumpy() == 0).sum() == wanted
        assert (classes.asnumpy() == 1).sum() == 1


def test_integers_are_compared_with_numbers_exactly():
    x = nd.array([1, 2, 3], dtype="int32")
    assert (x < 2.5).asnumpy().tolist() == [1, 1, 0]
    assert (nd.array([7], dtype="uint8") < 300).asnumpy().tolist() == [1]
    assert (nd.array([0.1], dtype="float16") == np.float64(0.1)).asnumpy().tolist() == [1]


def test_an_unknown_argument_is_an_error():
    for call in (nd.exp, nd.contrib.round_ste, nd.zeros_like):
        with pytest.raises(TypeError, match="foo"):
            call(nd.ones((2,)), foo=1)


def test_layers_with_running_averages_that_mxnet_cannot_call():
    x, one = nd.array([[1, 2], [3, 6]]), nd.ones((2,))
    for layer in (nd.BatchNorm_v1, nd.contrib.BatchNormWithReLU):
        mean, var = nd.zeros((2,)), nd.ones((2,))
        with autograd.train_mode():
            y = layer(x, one, -one, mean, var, eps=0, momentum=0.5)
        assert mean.asnumpy().tolist() == [1, 2]
        assert y.asnumpy()[:, 0].tolist() == [0 if layer is not nd.BatchNorm_v1 else -2, 0]


def test_a_filled_element_has_the_gradient():
    grads = gradient(
        lambda x, v: nd.fill_element_0index(x, v, nd.array([1, 0])), nd.ones((2, 2)), nd.ones((2,))
    )
    assert grads == [[[1, 0], [0, 1]], [1, 1]]


def test_infinities_are_not_close_to_anything_else():
    inf = nd.array([np.inf])
    assert nd.contrib.allclose(inf, inf).item() == 1
    assert nd.contrib.allclose(nd.array([5]), inf).item() == 0


def test_axes_may_be_negative_and_dtypes_any():
    x = nd.arange(6).reshape((2, 3))
    assert nd.transpose(x, axes=(-1, 0)).shape == (3, 2)
    assert nd.flip(x, axis=-1).asnumpy().tolist() == [[2, 1, 0], [5, 4, 3]]
    assert nd.pad(x, "edge", (0, 0, 1, 0)).shape == (2, 4)
    assert nd.sort(x.astype("float16"), is_ascend=False)[0].asnumpy().tolist() == [2, 1, 0]
    assert nd.softmax(x.astype("float16"), dtype="float32").sum().item() == pytest.approx(2, 1e-6)


def test_old_pooling_takes_any_number_of_axes_and_counts_a_maximum_once():
    x = nd.ones((1, 1, 2))
    assert gradient(lambda x: nd.Pooling_v1(x, kernel=(2,)), x) == [[[[1, 0]]]]


def test_det_has_a_gradient_of_every_order_at_singular_matrices():
    x = nd.array([[1, 2], [2, 4]])
    x.attach_grad()
    with autograd.record():
        (first,) = autograd.grad(nd.linalg.det(x), [x], create_graph=True)
        total = (first * nd.array([[1, 2], [3, 4]])).sum()
    total.backward()
    np.testing.assert_allclose(first.asnumpy(), [[4, -2], [-2, 1]], rtol=1e-6)
    np.testing.assert_allclose(x.grad.asnumpy(), [[4, -3], [-2, 1]], rtol=1e-6)
    with autograd.record():
        _, logarithm = nd.linalg.slogdet(x)
    with pytest.raises(GluonError, match="slogdet: the matrix is singular"):
        logarithm.backward()


def test_anchor_boxes_need_ratios_above_0():
    with pytest.raises(GluonError, match=r"MultiBoxPrior: .* ratios above 0"):
        nd.contrib.MultiBoxPrior(nd.zeros((1, 1, 2, 2)), ratios=(1, 0))
