"""Errors for invalid inputs name the layer, its parameters, the shapes and the fix."""

from __future__ import annotations

import pytest

import gluon
from gluon import (
    Block,
    DeferredInitializationError,
    GluonError,
    HybridBlock,
    Parameter,
    Trainer,
    loss,
    nd,
    nn,
    rnn,
)
from gluon._core.errors import ArgumentError, DTypeError


def initialized(layer):
    layer.initialize()
    return layer


def said(error, function, *args):
    """Return the message of the error of ``function(*args)``."""
    with pytest.raises(error) as caught:
        function(*args)
    return str(caught.value)


@pytest.mark.parametrize(
    ("layer", "shape", "says"),
    [
        (
            lambda: nn.Dense(2, in_units=5, prefix="fc_"),
            (4, 3),
            "in Dense 'fc': FullyConnected(x: float32[4, 3], weight: float32[2, 5], bias: ",
        ),
        (
            lambda: nn.Conv2D(2, 3, in_channels=5, prefix="c_"),
            (1, 3, 8, 8),
            "in Conv2D 'c': Convolution(x: float32[1, 3, 8, 8], weight: float32[2, 5, 3, 3], ",
        ),
        (
            lambda: nn.Conv2D(2, 3, prefix="c_"),
            (4, 3),
            "data of shape (4, 3) needs 4 axes, (batch, channels, height, width)); pass",
        ),
        (
            lambda: nn.Conv2D(2, 9, prefix="c_"),
            (1, 1, 4, 4),
            "weight: float32[2, 1, 9, 9], bias: float32[2], ",
        ),
        (
            lambda: nn.Conv2DTranspose(2, 3, in_channels=5),
            (1, 3, 4, 4),
            "weight: float32[5, 2, 3, 3]",
        ),
        (lambda: nn.BatchNorm(in_channels=4), (2, 3), "gamma: float32[4], beta: float32[4]"),
        (lambda: nn.LayerNorm(in_channels=4), (2, 3), "gamma: float32[4], beta: float32[4]"),
        (lambda: nn.InstanceNorm(in_channels=4), (2, 3, 4), "gamma: float32[4], beta: float32[4]"),
        (lambda: nn.PReLU(in_channels=4), (2, 3), "in PReLU 'prelu"),
        (
            lambda: nn.MaxPool2D(3, prefix="p_"),
            (1, 1, 2, 2),
            "in MaxPool2D 'p': Pooling: max_pool(x: float32[1, 1, 2, 2], ",
        ),
        (lambda: rnn.LSTM(4, input_size=5), (2, 1, 3), "l0_i2h_weight has shape (16, 5)"),
        (lambda: rnn.LSTM(4, prefix="r_"), (2, 3), "data has shape (2, 3); it needs (steps, batch"),
    ],
)
def test_a_wrong_shape_names_layer_parameters_and_shapes(layer, shape, says):
    layer = initialized(layer())
    message = said(ArgumentError, layer, nd.ones(shape))
    assert says in message
    assert message.startswith(f"in {type(layer).__name__} {layer.name!r}")
    assert "called with" not in message  # the operator reports it


def test_the_innermost_layer_is_named_once():
    net = nn.Sequential(prefix="net_")
    with net.name_scope():
        inner = nn.HybridSequential()
        with inner.name_scope():
            inner.add(nn.Dense(4), nn.Dense(2, in_units=5))
        net.add(inner)
    message = said(ArgumentError, initialized(net), nd.ones((1, 3)))
    assert message.startswith(
        "in Dense 'net_hybridsequential0_dense1': FullyConnected(x: float32[1, 4], weight: "
    )
    assert message.count("Dense") == 1


def test_a_batch_of_another_shape_than_the_first():
    layer = initialized(nn.Dense(2, prefix="fc_"))
    layer(nd.ones((4, 3)))
    assert (
        "in Dense 'fc': FullyConnected(x: float32[4, 7], weight: float32[2, 3], bias: float32[2]"
        in said(ArgumentError, layer, nd.ones((4, 7)))
    )


class Product(Block):
    """A user-defined block that calls operators itself."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.factor = self.params.get("factor", shape=(3, 4))

    def forward(self, x):
        return nd.dot(x, self.factor.data())


def test_a_plain_block_is_named_too():
    message = said(ArgumentError, initialized(Product(prefix="p_")), nd.ones((2, 5)))
    assert message.startswith("in Product 'p': dot(a: float32[2, 5], b: float32[3, 4]")


def test_the_kind_of_the_error_stays():
    class Mine(ArgumentError):
        def __init__(self, place, reason):
            super().__init__(f"{place}: {reason}")

    class Strict(HybridBlock):
        def hybrid_forward(self, F, x):
            raise Mine("here", "no")

    assert said(Mine, Strict(), nd.ones((1,))) == "here: no"
    layer = initialized(nn.Dense(2, in_units=3, prefix="fc_"))
    with pytest.warns(UserWarning, match="of dtype int32: its gradient"):
        layer.cast("int32")
    assert "in Dense 'fc'" in said(DTypeError, layer, nd.ones((1, 3), dtype="int32"))


def test_losses_are_named():
    message = said(ArgumentError, loss.L2Loss(prefix="l_"), nd.ones((2, 3)), nd.ones((4, 2)))
    assert message.startswith("in L2Loss 'l'")


def test_an_input_that_is_no_array():
    message = said(ArgumentError, nn.Dense(2, prefix="fc_"), [[1, 2]])
    assert message == (
        "in Dense 'fc', weight (2, 0), bias (2,): it needs an NDArray among its inputs and"
        " got: list; convert with nd.array(...)"
    )


# ------------------------------------------------------------- parameters that have no values


@pytest.mark.parametrize(
    "use",
    [
        lambda layer: layer(nd.ones((1, 3))),
        lambda layer: layer.weight.data(),
        lambda layer: layer.weight.grad(),
        lambda layer: layer.weight.list_data(),
        lambda layer: layer.weight.list_grad(),
        lambda layer: layer.weight.list_ctx(),
        lambda layer: layer.save_parameters("never-written"),
        lambda layer: layer.summary(nd.ones((1, 3))),
        lambda layer: Trainer([layer.weight], "sgd"),
    ],
)
def test_an_uninitialized_parameter_says_how_to_initialize_it(use):
    layer = nn.Dense(2, in_units=3, prefix="fc_")
    message = said(GluonError, use, layer)
    assert "Parameter 'fc_weight' of Dense 'fc' has not been initialized; call initiali" in message


@pytest.mark.parametrize(
    "use",
    [
        lambda layer: layer.weight.data(),
        lambda layer: layer.weight.grad(),
        lambda layer: layer.weight.list_data(),
        lambda layer: layer.weight.list_grad(),
        lambda layer: layer.save_parameters("never-written"),
        lambda layer: Trainer(layer.collect_params(".*weight"), "sgd").step(1),
    ],
)
def test_a_deferred_parameter_says_what_its_shape_waits_for(use):
    message = said(DeferredInitializationError, use, initialized(nn.Dense(2, prefix="fc_")))
    assert message == (
        "Parameter 'fc_weight' of Dense 'fc' has no values yet: its shape (2, 0) is not known"
        " before the first batch. Pass a batch through the network first, or give in_units,"
        " in_channels or the like when the layer is made"
    )


def test_a_plain_block_with_an_uninitialized_parameter():
    message = said(GluonError, Product(prefix="p_"), nd.ones((2, 3)))
    assert message.startswith("Parameter 'p_factor' of Product 'p' has not been initialized; call")


def test_values_that_do_not_fit_name_parameter_and_shapes(tmp_path):
    layer = initialized(nn.Dense(2, in_units=3, prefix="fc_"))
    message = said(ArgumentError, layer.weight.set_data, nd.ones((3, 2)))
    assert message == (
        "Parameter 'fc_weight' of Dense 'fc' has shape (2, 3), which cannot become (3, 2); give"
        " values of its shape, or make the layer for theirs"
    )
    file = str(tmp_path / "fc.params")
    layer.save_parameters(file)
    other = nn.Dense(2, in_units=4, prefix="other_")
    message = said(ArgumentError, other.load_parameters, file)
    assert "Parameter 'other_weight' of Dense 'other' has shape (2, 4), which cannot" in message
    assert file in message


def test_a_parameter_elsewhere_says_where_it_is_and_how_to_move_it():
    layer = nn.Dense(2, in_units=3, prefix="fc_")
    layer.initialize(ctx=gluon.cpu(1))
    message = said(GluonError, layer, nd.ones((1, 3)))
    assert (
        "Parameter 'fc_weight' of Dense 'fc' is on [cpu(1)], not on cpu(0); initialize" in message
    )


def test_a_shape_that_nothing_will_tell():
    message = said(ArgumentError, Parameter("w", shape=(0, 3)).initialize)
    assert "Parameter 'w' cannot be initialized with shape (0, 3): give every length, or" in message
