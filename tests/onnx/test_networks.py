"""Networks that PyTorch exported: they compute the same here, and have the same gradients."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gluon import Trainer, autograd, nd, nn

pytest.importorskip("onnx")
from gluon import onnx

FOLDER = Path(__file__).resolve().parents[2] / "recorded" / "onnx"
FILES = sorted(FOLDER.glob("*.onnx"))
RESULTS = dict(np.load(FOLDER / "results.npz"))


def result(path: Path, what: str) -> np.ndarray | None:
    return RESULTS.get(f"{path.stem.partition('-')[0]}_{what}")


def test_there_are_networks():
    assert len(FILES) == 19


def shapes_of() -> list[Any]:
    """Every file with the shape of its export; those with open axes with another too."""
    return [
        pytest.param(path, which, id=f"{path.stem} {which}".strip())
        for path in FILES
        for which in ("", "other_")
        if not which or not path.stem.endswith("-fixed")
    ]


@pytest.mark.parametrize(("path", "which"), shapes_of())
def test_outputs_and_gradients_are_those_of_pytorch(path, which):
    net = onnx.import_to_gluon(path)
    given, right, grad = (result(path, which + what) for what in ("x", "y", "grad"))
    x = nd.array(given, dtype=given.dtype)
    if grad is None:
        np.testing.assert_allclose(net(x).asnumpy(), right, rtol=1e-4, atol=1e-5)
        return
    x.attach_grad()
    with autograd.record(train_mode=False):
        y = net(x)
        heads = np.linspace(-1, 1, y.size, dtype="float32").reshape(y.shape)
        loss = (y * nd.array(heads)).sum()
    loss.backward()
    np.testing.assert_allclose(y.asnumpy(), right, rtol=1e-4, atol=1e-5)
    scale = abs(grad).max()
    np.testing.assert_allclose(x.grad.asnumpy(), grad, rtol=1e-4, atol=1e-4 * scale)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_they_go_out_again_and_keep_their_names(path, tmp_path):
    pytest.importorskip("onnxruntime")
    from .agreement import session

    net = onnx.import_to_gluon(path)
    given = result(path, "x")
    again = net.export_onnx(str(tmp_path / "again.onnx"), nd.array(given, dtype=given.dtype))
    assert onnx.get_model_metadata(again) != {}
    second = session(again)
    first = session(str(path))
    for names in ("get_inputs", "get_outputs"):
        assert [one.name for one in getattr(second, names)()] == [
            one.name for one in getattr(first, names)()
        ]
    np.testing.assert_allclose(
        second.run(None, {"x": given})[0], result(path, "y"), rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize("name", ["mobilenet", "tagger", "unet", "bert"])
def test_an_open_batch_axis_takes_other_lengths(name):
    net = onnx.import_to_gluon(FOLDER / f"{name}-open.onnx")
    given = RESULTS[f"{name}_x"]
    twice = np.concatenate([given, given[:1]])
    y = net(nd.array(twice, dtype=given.dtype)).asnumpy()
    np.testing.assert_allclose(y[:-1], RESULTS[f"{name}_y"], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(y[-1], RESULTS[f"{name}_y"][0], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_parameter_has_a_gradient(path):
    net = onnx.import_to_gluon(path)
    given = result(path, "x")
    x = nd.array(given, dtype=given.dtype)
    trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})
    losses = []
    for _ in range(3):
        with autograd.record():
            value = ((net(x) - 1) ** 2).mean()
        value.backward()
        trainer.step(1)  # an error if a gradient is missing
        losses.append(value.asscalar())
    assert losses[-1] < losses[0]


def test_a_network_that_came_in_is_trained():
    from gluon import loss

    net = onnx.import_to_gluon(FOLDER / "mobilenet-fixed.onnx")
    x = nd.array(RESULTS["mobilenet_x"])
    trainer = Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    losses = []
    for _ in range(20):
        with autograd.record():
            value = loss.SoftmaxCrossEntropyLoss()(net(x), nd.array([1, 2])).mean()
        value.backward()
        trainer.step(1)
        losses.append(value.asscalar())
    assert losses[-1] < 0.8 * losses[0]


def test_normalization_that_came_in_is_trained(tmp_path):
    path = tmp_path / "net.onnx"
    net = nn.HybridSequential()
    net.add(nn.Dense(4), nn.BatchNorm(), nn.Dense(2))
    net.initialize()
    x = nd.random.normal(3, 2, (16, 3))
    net.export_onnx(str(path), x)
    net = onnx.import_to_gluon(path)
    with autograd.record():
        value = net(x).sum()
    value.backward()
    averages = [p for p in net.collect_params().values() if p.grad_req == "null"]
    assert len(averages) == 2
    assert all(abs(p.data().asnumpy() - k).max() > 1e-3 for k, p in enumerate(averages))


def test_second_derivatives_follow():
    net = onnx.import_to_gluon(FOLDER / "unet-fixed.onnx")
    x = nd.array(RESULTS["unet_x"])
    x.attach_grad()
    with autograd.record():
        (slope,) = autograd.grad(net(x).sum(), [x], create_graph=True, retain_graph=True)
        total = (slope * slope).sum()
    total.backward()
    assert np.isfinite(x.grad.asnumpy()).all()
    assert abs(x.grad.asnumpy()).max() > 0


@pytest.mark.parametrize("kind", ["MLPClassifier", "LogisticRegression"])
def test_classifiers_of_scikit_learn(kind):
    convert = pytest.importorskip("skl2onnx").to_onnx
    linear = pytest.importorskip("sklearn.linear_model")
    networks = pytest.importorskip("sklearn.neural_network")
    draw = np.random.default_rng(0)
    x = draw.normal(size=(90, 4)).astype("float32")
    labels = (x @ draw.normal(size=(4, 3))).argmax(axis=1)
    made = {
        "MLPClassifier": lambda: networks.MLPClassifier(
            (8,), "tanh", solver="lbfgs", max_iter=10_000, random_state=0
        ),
        "LogisticRegression": lambda: linear.LogisticRegression(),
    }
    model = made[kind]().fit(x, labels)
    data = convert(model, x[:1], options={"zipmap": False}).SerializeToString()
    net = onnx.import_to_gluon(data)
    given = nd.array(x)
    given.attach_grad()
    with autograd.record(train_mode=False):
        label, probabilities = net(given)
        loss = probabilities[:, 0].sum()
    loss.backward()
    np.testing.assert_array_equal(label.asnumpy(), model.predict(x))
    np.testing.assert_allclose(probabilities.asnumpy(), model.predict_proba(x), atol=1e-5)
    step = 1e-3 * np.eye(4)[0]
    slope = (model.predict_proba(x + step) - model.predict_proba(x - step))[:, 0] / 2e-3
    np.testing.assert_allclose(given.grad.asnumpy()[:, 0], slope, atol=1e-3)
