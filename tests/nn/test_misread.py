"""Inputs and arguments that layers can take and that are hardly ever meant: they warn."""

from __future__ import annotations

import contextlib
import re
import warnings

import pytest

from gluon import data, nd, nn, rnn
from gluon._core.errors import ArgumentError, DTypeError


def first_pass(layer, shape):
    """Call a layer that infers its shapes."""
    layer.initialize()
    return layer(nd.ones(shape))


def test_one_axis_is_read_as_many_samples():
    with pytest.warns(UserWarning, match=r"shape \(3,\) is read as 3 samples of one number"):
        assert first_pass(nn.Dense(2), (3,)).shape == (3, 2)


def test_two_names_for_a_batch_without_labels():
    loader = data.DataLoader(nd.ones((4, 3)), 2)
    with pytest.warns(UserWarning, match=r"a batch without labels comes from `for x in loader`"):
        [first_pass(nn.Dense(2), x.shape) for x, _ in loader]


def test_arguments_of_a_convolution_in_the_order_of_pytorch():
    with pytest.warns(UserWarning, match="channels=3, kernel_size=16 and strides=3 for an input"):
        first_pass(nn.Conv2D(3, 16, 3), (1, 3, 32, 32))


@pytest.mark.parametrize("kind", [rnn.RNN, rnn.GRU, rnn.LSTM])
@pytest.mark.parametrize(("features", "layers"), [(3, 4), (3, 20), (64, 9)])
def test_arguments_of_a_recurrent_layer_in_the_order_of_pytorch(kind, features, layers):
    with pytest.warns(UserWarning, match=f"read hidden_size={features} and num_layers={layers}"):
        first_pass(kind(features, layers), (5, 2, features))
    with pytest.raises(
        ArgumentError, match=r"layout 2 is not .*read hidden_size=10 and num_layers"
    ):
        kind(10, 20, 2) if kind is not rnn.RNN else kind(10, 20, "tanh", 2)


@pytest.mark.parametrize("shape", [(1, 28, 28, 1), (1, 28, 28, 3)])
def test_images_with_the_channels_last(shape):
    with (
        pytest.warns(UserWarning, match=re.escape(f"of shape {shape} is read as (batch, channels")),
        contextlib.suppress(ArgumentError),
    ):  # the kernel is larger than the "width" of 1
        first_pass(nn.Conv2D(8, 3), shape)
    with pytest.raises(ArgumentError, match=r"Besides, .* use x.transpose\(\(0, 3, 1, 2\)\)"):
        first_pass(nn.Conv2D(8, 5, in_channels=28), shape)


@pytest.mark.parametrize(
    ("layer", "shape", "says"),
    [
        (rnn.GRU(4), (2, 3, 3), r"GRU\(x\) returns the output alone; layer\(x, layer.begin_state"),
        (nn.MultiHeadAttention(4, 2), (2, 3, 4), "MultiHeadAttention returns the output alone"),
    ],
)
def test_two_names_for_one_output(layer, shape, says):
    layer.initialize()
    with pytest.warns(UserWarning, match=says) as caught:
        _, _ = layer(nd.ones(shape))
    assert [one.filename for one in caught] == [__file__]
    y = layer(nd.ones(shape))
    assert len([row for row in y + 0]) == len(list(y[:])) == 2  # noqa: C416
    three = layer(nd.ones((3, 3, shape[-1])))
    assert len(list(three)) == 3  # Python would raise if it were unpacked in two


def test_a_block_without_return():
    class Silent(nn.Block):
        def forward(self, x):
            x + 1

    with pytest.warns(UserWarning, match="forward of Silent 'silent0' returned None; end it with"):
        Silent(prefix="silent0_")(nd.ones(2))


@pytest.mark.parametrize(
    ("layer", "shape"),
    [
        (nn.Dense(2, flatten=False), (3,)),
        (nn.Dense(2), (1, 3)),
        (nn.Conv2D(3, 16), (1, 3, 32, 32)),
        (nn.Conv2D(8, 3, 2), (1, 8, 32, 32)),
        (nn.Conv2D(64, 16, 16), (1, 3, 32, 32)),
        (nn.Conv2D(8, 3, layout="NHWC"), (1, 28, 28, 3)),
        (nn.Conv2D(8, 1), (1, 8, 28, 3)),
        (rnn.LSTM(3, 3), (5, 2, 3)),
        (rnn.LSTM(64, 4), (5, 2, 64)),
        (rnn.LSTM(3, 4, input_size=3), (5, 2, 3)),
    ],
)
def test_what_is_meant_gives_no_warning(layer, shape):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first_pass(layer, shape)


def test_fractions_of_indices():
    layer = nn.Embedding(5, 2)
    layer.initialize()
    with pytest.warns(UserWarning, match=r"index 1\.5 is no whole number: the fraction is dropped"):
        found = layer(nd.array([1.5]))
    assert (found == layer(nd.array([1]))).min().asscalar() == 1


def test_an_array_without_axes_for_flatten():
    with pytest.raises(ArgumentError, match="flatten: data has no axes"):
        nn.Flatten()(nd.ones(()).as_np_ndarray().sum())


def test_a_momentum_of_statistics_beyond_one():
    with pytest.warns(UserWarning, match="BatchNorm: momentum=5 is no weight of an average"):
        nn.BatchNorm(momentum=5)


@pytest.mark.parametrize(
    ("register", "hook", "says"),
    [
        (nn.Block.register_forward_hook, lambda block, inputs: None, "block, inputs, output"),
        (nn.Block.register_forward_pre_hook, lambda block: None, r"block, inputs\): too many"),
        (nn.Block.register_forward_hook, 3, r"give a function of \(block, .*not an int"),
    ],
)
def test_hooks_that_cannot_be_called(register, hook, says):
    with pytest.raises(DTypeError, match=says):
        register(nn.Flatten(), hook)
