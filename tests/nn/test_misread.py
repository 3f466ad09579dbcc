"""Inputs and arguments that layers can take and that are hardly ever meant: they warn."""

from __future__ import annotations

import warnings

import pytest

from gluon import data, nd, nn, rnn


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
def test_arguments_of_a_recurrent_layer_in_the_order_of_pytorch(kind):
    with pytest.warns(UserWarning, match="read hidden_size=3 and num_layers=20"):
        first_pass(kind(3, 20), (5, 2, 3))


@pytest.mark.parametrize(
    ("layer", "shape"),
    [
        (nn.Dense(2, flatten=False), (3,)),
        (nn.Dense(2), (1, 3)),
        (nn.Conv2D(3, 16), (1, 3, 32, 32)),
        (nn.Conv2D(8, 3, 2), (1, 8, 32, 32)),
        (nn.Conv2D(64, 16, 16), (1, 3, 32, 32)),
        (rnn.LSTM(3, 4), (5, 2, 3)),
    ],
)
def test_what_is_meant_gives_no_warning(layer, shape):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first_pass(layer, shape)
