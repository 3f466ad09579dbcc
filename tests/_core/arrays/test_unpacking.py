"""A layer that returns one array, unpacked as if it had returned two."""

import warnings

import pytest

from gluon import nd, nn, rnn


def lstm(batch):
    layer = rnn.LSTM(3)
    layer.initialize()
    return layer, nd.ones((2, batch, 4))


def attention(batch):
    layer = nn.MultiHeadAttention(4, 2)
    layer.initialize()
    return layer, nd.ones((batch, 5, 4))


@pytest.mark.parametrize(
    ("made", "reason"), [(lstm, "returns states too"), (attention, "without its weights")]
)
def test_two_parts_of_the_one_output_are_a_mistake(made, reason):
    layer, x = made(2)
    with pytest.warns(UserWarning, match=rf"axis of an array of shape \(2, .*{reason}"):
        _y, _states = layer(x)


def test_arrays_that_were_looked_at_otherwise_may_be_iterated():
    layer, x = attention(2)
    y = layer(x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(list(y + 0)) == len(list(y[0:2])) == 2
        layer, x = attention(3)
        assert len(list(layer(x))) == 3
        layer, x = lstm(2)
        _y, (_h, _c) = layer(x, layer.begin_state(2))
