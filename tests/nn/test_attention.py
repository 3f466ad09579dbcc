"""Attention and AdamW against PyTorch, whose results `make_attention.py` recorded."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest

from gluon import autograd, nd, nn, np, optimizer
from gluon._core.errors import ArgumentError

FILE = Path(__file__).resolve().parents[2] / "recorded" / "attention.npz"
UNITS, HEADS, HIDDEN = 8, 2, 12
PADDING = numpy.array([[[1, 1, 1, 1, 1]], [[1, 1, 0, 0, 0]]])
LAYERS = {
    "self": (lambda: nn.MultiHeadAttention(UNITS, HEADS), False),
    "cross": (lambda: nn.MultiHeadAttention(UNITS, HEADS), False),
    "masked": (lambda: nn.MultiHeadAttention(UNITS, HEADS, use_bias=False), True),
    "causal": (lambda: nn.MultiHeadAttention(UNITS, HEADS, causal=True), False),
    "both": (lambda: nn.MultiHeadAttention(UNITS, HEADS, causal=True), True),
    "post": (lambda: nn.TransformerEncoderLayer(UNITS, HIDDEN, HEADS), False),
    "pre": (
        lambda: nn.TransformerEncoderLayer(
            UNITS, HIDDEN, HEADS, activation="gelu", pre_norm=True, causal=True
        ),
        True,
    ),
}
#: PyTorch's name -> where the parameter is in a TransformerEncoderLayer.
ENCODER = {
    "linear1.": "dense.0.",
    "linear2.": "dense.3.",
    "norm1.weight": "attention_norm.gamma",
    "norm1.bias": "attention_norm.beta",
    "norm2.weight": "dense_norm.gamma",
    "norm2.bias": "dense_norm.beta",
    "self_attn.": "attention.",
}


def recorded(case):
    """What PyTorch gave, by its names; the three projections that it keeps in one, apart."""
    with numpy.load(FILE) as file:
        found = {key.partition("/")[2]: file[key] for key in file if key.startswith(f"{case}/")}
    for key in [key for key in found if "in_proj_" in key]:
        for name, part in zip(("query", "key", "value"), numpy.split(found.pop(key), 3)):
            found[key.replace("in_proj_", f"{name}.")] = part
    return {key.replace("out_proj.", "out."): array for key, array in found.items()}


def place_of(name):
    for theirs, ours in ENCODER.items():
        name = name.replace(theirs, ours) if name.startswith(theirs) else name
    return name


@pytest.mark.parametrize("make", [nd.array, np.array])
@pytest.mark.parametrize("case", LAYERS)
def test_values_and_gradients_are_those_of_pytorch(case, make):
    """Invalid arguments of MultiHeadAttention and TransformerEncoderLayer."""
    made, masked = LAYERS[case]
    layer, right = made(), recorded(case)
    layer.initialize()
    layer.cast("float64")
    params = layer._collect_params_with_prefix()
    theirs = {
        place_of(key.rpartition("/")[2]): key for key in right if key.startswith("parameter/")
    }
    inputs = [make(right[key], dtype="float64") for key in right if key.startswith("input/")]
    kinds = {type(x) for x in inputs}
    for x in inputs:
        x.attach_grad()
    given = [*inputs]
    if masked:
        if isinstance(layer, nn.MultiHeadAttention):
            given = given * 3 if len(given) == 1 else given
        given.append(make(PADDING, dtype="float64"))
    layer(*given)  # finds the shapes
    assert set(params) == set(theirs)
    for name, one in params.items():
        one.set_data(nd.array(right[theirs[name]], dtype="float64"))
    with autograd.record():
        output = layer(*given)
        loss = (output * output).sum()
    loss.backward()
    assert {type(output)} == kinds
    numpy.testing.assert_allclose(output.asnumpy(), right["output"], rtol=1e-9, atol=1e-9)
    for name, one in params.items():
        slope = right[theirs[name].replace("parameter/", "parameter gradient/")]
        numpy.testing.assert_allclose(one.grad().asnumpy(), slope, rtol=1e-7, atol=1e-9)
    names = [key for key in right if key.startswith("input gradient/")]
    for x, key in zip(inputs, names):
        numpy.testing.assert_allclose(x.grad.asnumpy(), right[key], rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_query_without_a_key_gives_the_bias_and_no_nan(dtype):
    layer = nn.MultiHeadAttention(4, 2)
    layer.initialize()
    layer.cast(dtype)
    layer.out.bias.set_data(nd.array([1, 2, 3, 4], dtype=dtype))
    x = nd.array(numpy.random.default_rng(0).normal(size=(2, 3, 4)), dtype=dtype)
    x.attach_grad()
    mask = nd.array([[[1, 1, 1]] * 3, [[0, 0, 0], [1, 0, 0], [1, 1, 0]]])
    with autograd.record():
        y = layer(x, x, x, mask)
    y.backward()
    assert (y.dtype, y[1, 0].tolist()) == (numpy.dtype(dtype), [1, 2, 3, 4])
    assert numpy.isfinite(x.grad.asnumpy()).all()


def test_what_is_masked_does_not_matter():
    layer = nn.TransformerEncoderLayer(4, 8, 2, causal=True)
    layer.initialize()
    x = nd.array(numpy.random.default_rng(0).normal(size=(1, 3, 4)))
    changed = x.copy()
    changed[0, 2] = 100
    before, after = layer(x).asnumpy(), layer(changed).asnumpy()
    assert (before[0, :2] == after[0, :2]).all()
    assert (before[0, 2] != after[0, 2]).any()


def test_dropout_is_for_training_alone():
    layer = nn.TransformerEncoderLayer(4, 8, 2, dropout=0.5)
    layer.initialize()
    x = nd.array(numpy.random.default_rng(0).normal(size=(2, 3, 4)))
    assert (layer(x).asnumpy() == layer(x).asnumpy()).all()
    with autograd.train_mode():
        assert (layer(x).asnumpy() != layer(x).asnumpy()).any()


def test_what_does_not_fit_is_named():
    with pytest.raises(ArgumentError, match="units=6 cannot be divided by num_heads=4"):
        nn.MultiHeadAttention(6, 4)
    layer = nn.MultiHeadAttention(4, 2)
    layer.initialize()
    x = nd.ones((2, 3, 4))
    with pytest.raises(ArgumentError, match=r"mask has shape \(2, 3\); it needs \(batch, query"):
        layer(x, x, x, nd.ones((2, 3)))
    with pytest.raises(ArgumentError, match="in MultiHeadAttention"):
        layer(x, x, x, nd.ones((2, 3, 5)))


@pytest.mark.parametrize(
    ("case", "settings"),
    [
        ("adamw", {"learning_rate": 0.1}),
        (
            "adamw of other settings",
            {"learning_rate": 0.03, "beta1": 0.8, "beta2": 0.95, "epsilon": 1e-2, "wd": 0.3},
        ),
    ],
)
def test_adamw_takes_the_steps_of_pytorch(case, settings):
    right = recorded(case)
    weight = nd.array(right["weight"], dtype="float64")
    update = optimizer.get_updater(optimizer.create("adamw", **settings))
    for k in range(4):
        update(0, nd.array(right[f"gradient {k}"], dtype="float64"), weight)
        numpy.testing.assert_allclose(weight.asnumpy(), right[f"weight {k}"], rtol=1e-9)
