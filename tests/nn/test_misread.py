"""Inputs and arguments that layers can take and that are hardly ever meant: they warn."""

from __future__ import annotations

import contextlib
import re
import warnings

import pytest

from gluon import (
    Parameter,
    callback,
    cpu,
    data,
    func,
    lr_scheduler,
    metric,
    monitor,
    nd,
    nn,
    np,
    optimizer,
    rnn,
)
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


def test_sequences_with_the_channels_last():
    with pytest.warns(UserWarning, match=r"read as \(batch, channels, width\)"):
        assert first_pass(nn.Conv1D(4, 3), (2, 100, 3)).shape == (2, 4, 1)


def test_channels_that_cannot_be_divided():
    with pytest.raises(ArgumentError, match=r"3 channels .* cannot be divided into 2 groups"):
        first_pass(nn.Conv2D(16, 3, groups=2), (2, 3, 8, 8))


@pytest.mark.parametrize(("shape", "says"), [((3, 8, 8), "; a single"), ((2, 2), "")])
def test_images_without_an_axis(shape, says):
    with pytest.raises(ArgumentError, match=rf"batch, channels, height, width\){says}"):
        first_pass(nn.Conv2D(4, 3), shape)


def test_parameters_that_are_not_collected():
    layer = nn.Dense(2, in_units=1)
    layer.own = Parameter("own", shape=(1,))
    with pytest.warns(UserWarning, match=r"'own' of Dense .* is not collected.*params.get"):
        layer.initialize()


@pytest.mark.parametrize("register", ["register_forward_hook", "register_forward_pre_hook"])
def test_hooks_that_return_something(register):
    layer = nn.Dense(2, in_units=1)
    layer.initialize()
    getattr(layer, register)(lambda *given: nd.ones(1))
    with pytest.warns(UserWarning, match=f"{register}: what the hook returned, an NDArray"):
        layer(nd.ones((1, 1)))


CLASSES = {
    "add": (lambda: nn.Sequential().add(nn.Dense), r"the class Dense; create it"),
    "wrapped": (lambda: nn.Lambda(nn.Dense), "Dense is a class; create the block"),
    "transformed": (lambda: data.SimpleDataset([1]).transform(nn.Flatten), "the class Flatten"),
    "schedule": (
        lambda: optimizer.SGD(lr_scheduler=lr_scheduler.FactorScheduler),
        "lr_scheduler is a class; pass a schedule",
    ),
}


@pytest.mark.parametrize("case", CLASSES)
def test_a_class_in_place_of_its_instance(case):
    call, says = CLASSES[case]
    with pytest.raises((ArgumentError, DTypeError), match=says):
        call()


VALUES = {
    "context": (lambda p: p.initialize(cpu()), "init is the context .*; pass it as ctx="),
    "array": (lambda p: p.initialize(nd.ones(3)), r"init is an NDArray; .*set_data\(values\)"),
    "name": (lambda p: p.initialize("xavierr"), "did you mean 'xavier'"),
    "list": (lambda p: p.set_data([1, 2, 3]), r"data is a list; pass nd.array\(data\)"),
    "text": (lambda p: setattr(p, "lr_mult", "0"), "lr_mult of .* is the str '0'; give a number"),
}


@pytest.mark.parametrize("case", VALUES)
def test_values_that_a_parameter_does_not_take(case):
    call, says = VALUES[case]
    with pytest.raises((ArgumentError, DTypeError), match=says):
        call(Parameter("w", shape=(3,)))


def exported():
    layer = nn.Dense(1, in_units=1)
    layer.initialize()
    layer.hybridize()
    layer(nd.ones((1, 1)))
    return layer


ARGUMENTS = {
    "length": (lambda: data.RandomSampler(data.SimpleDataset([1])), r"give len\(dataset\)"),
    "number": (lambda: data.SequentialSampler(1.5), "length is a float; give the number of"),
    "batches": (lambda: data.BatchSampler([0], 1, drop_last=True), "last_batch='discard'"),
    "dict": (lambda: data.DataLoader({"x": [1]}, 1), "a dict has no samples by number"),
    "updater": (lambda: optimizer.get_updater("sgd"), r"such as optimizer.create\('sgd'\)"),
    "epoch": (lambda: exported().export("net", epoch="1"), "epoch='1' is a str; pass an integer"),
    "stacked": (lambda: np.hstack(np.ones(3), np.ones(3)), r"one list, as in hstack\(\[a, b"),
    "interval": (lambda: monitor.Monitor(interval="1"), "interval='1'; pass an integer"),
    "metric": (lambda: metric.CustomMetric(3), "feval is an int; pass a function"),
    "speed": (lambda: callback.Speedometer(0), "batch_size must be at least 1, got 0"),
    "steps": (lambda: lr_scheduler.MultiFactorScheduler(5), r"such as \[5\]"),
    "shape": (lambda: nn.Dense(1).summary((8, 4)), r"is a shape; .*nd.ones\(\(8, 4\)\)"),
    "path": (lambda: nn.Dense(1).export_onnx(nd.ones(1), "a"), "path is an NDArray"),
    "none": (lambda: nn.Dense(None), "units is None; pass an integer$"),
    "called": (lambda: func.grad(abs, nd.ones(1)), r"as in grad\(function\)\(x\)"),
}


@pytest.mark.parametrize("case", ARGUMENTS)
def test_arguments_that_are_hardly_ever_meant(case):
    call, says = ARGUMENTS[case]
    with pytest.raises((ArgumentError, DTypeError), match=says):
        call()


def test_a_lone_number_for_an_optimizer():
    with pytest.warns(UserWarning, match=r"SGD\(0.1\): the first argument is momentum"):
        optimizer.SGD(0.1)
    optimizer.SGD(0.5, learning_rate=0.1)
    optimizer.Adam(0.1)


def test_arrays_of_data_and_labels_in_a_list():
    with pytest.warns(UserWarning, match="a list of 2 arrays is read as 2 samples"):
        assert len(data.ArrayDataset([nd.ones((4, 2)), nd.ones((4,))])) == 2
    data.ArrayDataset([nd.ones((4, 2)), nd.ones((3, 2))])


def test_predictions_that_are_no_probabilities():
    with pytest.warns(UserWarning, match="CrossEntropy: the prediction 3 is no probability"):
        metric.CrossEntropy().update(nd.array([0]), nd.array([[3, 1]]))
    with pytest.warns(UserWarning, match="Perplexity: the prediction -1 is no probability"):
        metric.Perplexity(None).update(nd.array([0]), nd.array([[-1, 1]]))
