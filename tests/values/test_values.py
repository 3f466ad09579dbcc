"""Everything public has a test of its values: optimizers, layers, losses, metrics and so on.

A class is covered by a program whose results are compared with MXNet's, by a sample in
`samples.py`, or by the test of its own that `ELSEWHERE` names.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gluon import Block, autograd, contrib, init, loss, lr_scheduler, metric, nd, nn, optimizer, rnn
from gluon import random as gluon_random
from gluon.data.vision import transforms
from tests.block import test_programs as block
from tests.data import test_as_the_oracle as data
from tests.nn import replay as layers
from tests.optimizer import test_trajectories as optimizers
from tests.rnn import test_programs as cells
from tests.training import replay as training
from tests.values import samples

ROOT = Path(__file__).resolve().parents[2]
#: Where classes are looked for, and what they derive from.
KINDS = {
    "optimizer": (optimizer, optimizer.Optimizer),
    "optimizer.contrib": (optimizer.contrib, optimizer.Optimizer),
    "lr_scheduler": (lr_scheduler, lr_scheduler.LRScheduler),
    "metric": (metric, metric.EvalMetric),
    "init": (init, init.Initializer),
    "loss": (loss, Block),
    "nn": (nn, Block),
    "rnn": (rnn, Block),
    "contrib.nn": (contrib.nn, Block),
    "contrib.cnn": (contrib.cnn, Block),
    "contrib.rnn": (contrib.rnn, Block),
    "transforms": (transforms, Block),
}
#: Classes that compute nothing: users derive from them, or they say what to use instead.
WITHOUT_VALUES = {
    "init.Initializer",
    "loss.Loss",
    "lr_scheduler.LRScheduler",
    "metric.EvalMetric",
    "nn.Block",
    "nn.HybridBlock",
    "optimizer.Optimizer",
    "rnn.HybridRecurrentCell",
    "rnn.ModifierCell",
    "rnn.RecurrentCell",
    "contrib.nn.SparseEmbedding",
}
TRANSFORMS = "tests/data/vision/transforms/test_transforms.py"
#: Tests of values that stand elsewhere: of what draws random numbers, and of what holds others.
ELSEWHERE = {
    "nn.MultiHeadAttention": "tests/nn/test_attention.py"
    "::test_values_and_gradients_are_those_of_pytorch",
    "nn.TransformerEncoderLayer": "tests/nn/test_attention.py"
    "::test_values_and_gradients_are_those_of_pytorch",
    "init.FusedRNN": "tests/training/initializers.py::fused",
    "init.Load": "tests/training/initializers.py::loaded",
    "init.MSRAPrelu": "tests/initializer/test_initializer.py::test_normal_ones",
    "init.Normal": "tests/initializer/test_initializer.py::test_normal_ones",
    "init.Orthogonal": "tests/initializer/test_initializer.py::test_orthogonal",
    "init.Uniform": "tests/initializer/test_initializer.py::test_uniform_ones",
    "init.Xavier": "tests/initializer/test_initializer.py::test_uniform_ones",
    "optimizer.SGLD": "tests/optimizer/test_optimizers.py"
    "::test_langevin_dynamics_samples_the_posterior",
    "rnn.HybridSequentialRNNCell": "tests/rnn/programs.py::scope",
    "rnn.SequentialRNNCell": "tests/rnn/programs.py::scope",
    "transforms.HybridCompose": f"{TRANSFORMS}::test_compositions",
    "transforms.HybridRandomApply": f"{TRANSFORMS}::test_probabilities",
    "transforms.RandomCrop": f"{TRANSFORMS}::test_random_crops",
    "transforms.RandomGray": f"{TRANSFORMS}::test_grey",
}


def public_classes() -> dict[str, type]:
    """The classes by the name under which they are found first."""
    found: dict[str, type] = {}
    for kind, (module, base) in KINDS.items():
        for name in dir(module):
            one = getattr(module, name)
            is_one = inspect.isclass(one) and issubclass(one, base) and one not in found.values()
            if is_one and name[0] != "_":
                found[f"{kind}.{name}"] = one
    return found


CLASSES = public_classes()


SAMPLES = [
    samples.LAYERS,
    samples.LOSSES,
    samples.OPTIMIZERS,
    samples.METRICS,
    samples.INITIALIZERS,
    samples.TRANSFORMS,
    samples.SCHEDULES,
]


@functools.cache
def covered() -> set[str]:
    """The words in the names of all programs that give values, and in all samples."""
    compared = [optimizers, layers, cells, training, data, block]
    texts = [
        name
        for module in compared
        for name in module.PROGRAMS
        if "error" not in module.REFERENCE.get(name, {"error": None})
    ]
    texts += [one.text for kind in SAMPLES for one in kind]
    return set(re.findall(r"\w+", " ".join(texts)))


@pytest.mark.parametrize("name", [one for one in CLASSES if one not in WITHOUT_VALUES])
def test_a_class_has_a_test_of_its_values(name):
    names = {key.split(".")[-1] for key, one in CLASSES.items() if one is CLASSES[name]}
    names |= {CLASSES[name].__name__, name.split(".")[-1]}
    assert names & covered() or name in ELSEWHERE, (
        f"{name} has no test of its values: add a sample to tests/values/samples.py, or a program"
        " whose results are compared with MXNet's"
    )


def test_exceptions_name_classes_that_there_are():
    assert set(CLASSES) >= WITHOUT_VALUES
    assert set(ELSEWHERE) <= set(CLASSES)
    assert not WITHOUT_VALUES & set(ELSEWHERE)


@pytest.mark.parametrize("name", ELSEWHERE)
def test_the_test_elsewhere_is_there(name):
    path, function = ELSEWHERE[name].split("::")
    source = (ROOT / path).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            text = "\n".join(source.splitlines()[first - 1 : node.end_lineno])
            assert re.search(rf"\b{name.split('.')[-1]}\b", text), "it does not make one"
            assert "assert" in text or "return" in text, "it compares nothing"
            return
    pytest.fail("there is no such test")


def test_a_class_without_a_test_of_its_values_is_found(monkeypatch):
    class Unproven(optimizer.SGD):
        pass

    monkeypatch.setattr(optimizer, "Unproven", Unproven, raising=False)
    (new,) = set(public_classes()) - set(CLASSES)
    monkeypatch.setitem(CLASSES, new, Unproven)
    with pytest.raises(AssertionError, match=r"optimizer\.Unproven has no test of its values"):
        test_a_class_has_a_test_of_its_values(new)


# ------------------------------------------------------------------------------- the samples


def sequence(container: Block, *parts: Block) -> Block:
    container.add(*parts)
    return container


def made(text: str, module: Any = None) -> Any:
    """The object that the text of a sample describes."""
    scope = {"nn": nn, "rnn": rnn, "contrib": contrib, "loss": loss, "sequence": sequence}
    return eval(text, {**scope, "metric": metric, **(vars(module) if module else {})})


def parameters(net: Block) -> dict[str, np.ndarray]:
    """The values of the parameters by their place in the block."""
    structured = net._collect_params_with_prefix()
    return {name.split(net.prefix)[-1]: one.data().asnumpy() for name, one in structured.items()}


def slopes_are_right(net: Block, inputs: list) -> bool:
    """Compare the gradients of floating inputs and of parameters with finite differences."""
    floating = [k for k, one in enumerate(inputs) if np.dtype(one.dtype).kind == "f"]

    def scaled(scale: nd.NDArray, *moved: nd.NDArray) -> nd.NDArray:
        replaced = dict(zip(floating, moved))
        return scale * net(*(replaced.get(k, one) for k, one in enumerate(inputs)))

    one = nd.ones((1,), dtype="float64")  # there may be no floating input
    return autograd.gradcheck(
        scaled,
        [one, *(inputs[k] for k in floating)],
        params={k: p.data() for k, p in net.collect_params().items()},
    )


@pytest.mark.parametrize(
    "sample", [*samples.LAYERS, *samples.LOSSES], ids=lambda sample: sample.text
)
def test_values_and_gradients_of_layers(sample):
    gluon_random.seed(3)
    net = made(sample.text)
    net.initialize(init.Uniform(1))
    net.cast("float64")
    inputs = [nd.array(one, dtype=one.dtype) for one in sample.inputs]
    with autograd.train_mode() if sample.training else autograd.predict_mode():
        got = net(*inputs).asnumpy()
        want = sample.right(parameters(net), *sample.inputs)
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-9)
        if sample.smooth:
            assert slopes_are_right(net, inputs)


@pytest.mark.parametrize("sample", samples.OPTIMIZERS, ids=lambda sample: sample.text)
def test_values_of_optimizers(sample):
    start = samples.drawn(3, 4)
    gradients = [samples.drawn(3, 4, seed=k) for k in range(1, 5)]
    weight = nd.array(start)
    update = optimizer.get_updater(made(sample.text, optimizer))
    for one in gradients:
        update(0, nd.array(one), weight)
    want = sample.right(start, gradients)
    np.testing.assert_allclose(weight.asnumpy(), want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("sample", samples.METRICS, ids=lambda sample: sample.text)
def test_values_of_metrics(sample):
    one = made(sample.text, metric)
    for labels, scores in sample.batches:
        one.update([nd.array(labels)], [nd.array(scores)])
    np.testing.assert_allclose(one.get()[1], sample.right, rtol=1e-6)


@pytest.mark.parametrize("sample", samples.INITIALIZERS, ids=lambda sample: sample.text)
def test_values_of_initializers(sample):
    gluon_random.seed(3)
    weight = nd.full(sample.shape, 99)
    made(sample.text, init)(init.InitDesc("some_weight"), weight)
    assert sample.holds(weight.asnumpy())


@pytest.mark.parametrize("sample", samples.TRANSFORMS, ids=lambda sample: sample.text)
def test_values_of_transforms(sample):
    gluon_random.seed(3)
    transform = made(sample.text, transforms)
    results = [transform(nd.array(sample.picture)).asnumpy() for _ in range(40)]
    assert sample.holds(sample.picture, results)


@pytest.mark.parametrize("sample", samples.SCHEDULES, ids=lambda sample: sample.text)
def test_values_of_schedules(sample):
    schedule = made(sample.text, lr_scheduler)
    got = [schedule(k) for k in range(1, 1 + len(sample.right))]
    np.testing.assert_allclose(got, sample.right, rtol=1e-12)
