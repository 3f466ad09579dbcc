"""Attack a classifier of handwritten digits with foolbox.

    python -m gluon.mxnet --old-numpy tests/clients/run_foolbox.py

It needs foolbox 2.4.0, scipy, requests, GitPython, setuptools and scikit-learn, which has the
digits.
"""

from __future__ import annotations

import logging
import sys
import types
import warnings

import mxnet as mx
import numpy as np
from mxnet.gluon import Trainer, loss, nn
from results import Results
from sklearn.datasets import load_digits

sys.modules["randomgen"] = types.SimpleNamespace(  # it has these names no more: NumPy took them
    RandomGenerator=np.random.default_rng, Xoroshiro128=np.random.PCG64
)

from foolbox import attacks, criteria, distances  # noqa: E402
from foolbox.models import MXNetGluonModel  # noqa: E402
from foolbox.rngs import set_seeds  # noqa: E402

SIDE, CLASSES = 8, 10


def digits() -> tuple[np.ndarray, np.ndarray]:
    """All images, with values in [0, 1], and their labels."""
    data = load_digits()
    return (data.images / 16).reshape(-1, 1, SIDE, SIDE), data.target


def trained(images: np.ndarray, labels: np.ndarray) -> nn.HybridSequential:
    """A small convolutional network."""
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(16, kernel_size=3, activation="relu"),
        nn.AvgPool2D(),
        nn.Flatten(),
        nn.Dense(64, activation="relu"),
        nn.Dense(CLASSES),
    )
    net.initialize(mx.init.Xavier())
    trainer = Trainer(net.collect_params(), "adam", {"learning_rate": 0.005})
    data = mx.gluon.data.ArrayDataset(images.astype("float32"), labels.astype("float32"))
    for _ in range(10):
        for x, y in mx.gluon.data.DataLoader(data, batch_size=64, shuffle=True):
            with mx.autograd.record():
                error = loss.SoftmaxCrossEntropyLoss()(net(x), y)
            error.backward()
            trainer.step(len(x))
    return net


np.random.seed(0)
mx.random.seed(0)
set_seeds(0)
warnings.simplefilter("ignore")
logging.disable()
images, labels = digits()
net = trained(images[:1400], labels[:1400])
model = MXNetGluonModel(net, bounds=(0, 1), num_classes=CLASSES)
right = 1400 + np.flatnonzero(model.forward(images[1400:]).argmax(axis=1) == labels[1400:])


def predictions() -> str:
    assert len(right) > 0.85 * len(images[1400:])
    one = model.forward_one(images[0])
    np.testing.assert_allclose(one, model.forward(images[:3])[0], rtol=1e-4, atol=1e-5)
    assert model.num_classes() == CLASSES
    return f"accuracy {len(right) / len(images[1400:]):.2f} on images that were not trained with"


def gradients() -> None:
    """The gradients are those of finite differences, and agree with each other."""
    x, label = images[right[0]], int(labels[right[0]])
    scores, found = model.forward_and_gradient_one(x, label)
    np.testing.assert_allclose(found, model.gradient(x[None], [label])[0], rtol=1e-4, atol=1e-6)
    own = np.zeros((1, CLASSES), "float32")
    own[0] = np.exp(scores) / np.exp(scores).sum()
    own[0, label] -= 1
    np.testing.assert_allclose(model.backward(own, x[None])[0], found, rtol=1e-3, atol=1e-5)
    step = 1e-2 * found / np.abs(found).max()
    change = model._loss_fn(x + step, label) - model._loss_fn(x - step, label)
    np.testing.assert_allclose(change, 2 * (found * step).sum(), rtol=0.1)


def preprocessed() -> None:
    other = MXNetGluonModel(net, (0, 255), CLASSES, preprocessing=(0, np.float32(255)))
    x = images[:2].astype("float32")
    np.testing.assert_allclose(other.forward(x * 255), model.forward(x), rtol=1e-3, atol=1e-4)
    labels = np.array([3, 4])
    np.testing.assert_allclose(
        other.gradient(x * 255, labels) * 255, model.gradient(x, labels), rtol=1e-3, atol=1e-5
    )


def attacked(kind: type, count: int, least: float, targeted: bool = False, **options) -> str:
    """Attack `count` images that are classified rightly; at least `least` of it succeeds."""
    x, y = images[right[:count]], labels[right[:count]]
    if not targeted:
        attack = kind(model, distance=distances.MeanSquaredDistance)
        found = attack(x, y, unpack=False, **options)
    else:
        found = []
        for image, label in zip(x, y):
            attack = kind(model, criterion=criteria.TargetClass((label + 1) % CLASSES))
            found += attack(image[None], np.array([label]), unpack=False, **options)
    hits = []
    for one, label in zip(found, y):
        if one.perturbed is None or one.distance.value == np.inf:
            continue
        assert one.perturbed.shape == x[0].shape
        assert 0 <= one.perturbed.min() <= one.perturbed.max() <= 1
        scores = model.forward_one(one.perturbed)
        wanted = scores[(label + 1) % CLASSES] if targeted else np.delete(scores, label).max()
        assert wanted > scores.max() - 1e-4  # a batch of other size rounds otherwise
        hits.append(np.linalg.norm(one.perturbed - one.unperturbed))
    assert len(hits) >= least * count, f"{len(hits)} of {count} images"
    return f"{len(hits)} of {count} images; mean L2 distance {np.mean(hits):.2f}"


#: the attack, how many images it is shown, the part of them that it has to succeed with, options
ATTACKS: list[tuple[type, int, float, dict]] = [
    # by gradients
    (attacks.GradientAttack, 20, 0.5, {}),
    (attacks.GradientSignAttack, 20, 0.9, {}),
    (attacks.IterativeGradientAttack, 5, 0.8, {"epsilons": 10}),
    (attacks.IterativeGradientSignAttack, 5, 0.8, {"epsilons": 10}),
    (attacks.LinfinityBasicIterativeAttack, 10, 0.9, {}),
    (attacks.L1BasicIterativeAttack, 10, 0.9, {}),
    (attacks.L2BasicIterativeAttack, 10, 0.9, {}),
    (attacks.SparseL1BasicIterativeAttack, 10, 0.9, {}),
    (attacks.ProjectedGradientDescentAttack, 5, 0.9, {"iterations": 20}),
    (attacks.RandomStartProjectedGradientDescentAttack, 5, 0.9, {"iterations": 20}),
    (attacks.MomentumIterativeAttack, 10, 0.9, {}),
    (attacks.AdamL1BasicIterativeAttack, 5, 0.9, {}),
    (attacks.AdamL2BasicIterativeAttack, 5, 0.9, {}),
    (attacks.AdamProjectedGradientDescentAttack, 5, 0.9, {"iterations": 20}),
    (attacks.AdamRandomStartProjectedGradientDescentAttack, 5, 0.9, {"iterations": 20}),
    (attacks.DeepFoolL2Attack, 20, 0.9, {}),
    (attacks.DeepFoolLinfinityAttack, 20, 0.9, {}),
    (attacks.NewtonFoolAttack, 10, 0.9, {"max_iter": 200}),
    (attacks.CarliniWagnerL2Attack, 5, 0.9, {"max_iterations": 100, "learning_rate": 0.05}),
    (attacks.EADAttack, 5, 0.9, {"max_iterations": 100}),
    (attacks.DecoupledDirectionNormL2Attack, 10, 0.9, {}),
    (attacks.SaliencyMapAttack, 5, 0.8, {}),
    (attacks.VirtualAdversarialAttack, 5, 0.8, {"xi": 1e-1, "iterations": 2}),
    (attacks.ADefAttack, 10, 0.7, {}),
    # by decisions and scores alone
    (attacks.BoundaryAttack, 2, 1, {"iterations": 300, "log_every_n_steps": 10**6}),
    (attacks.HopSkipJumpAttack, 2, 1, {"iterations": 5, "max_num_evals": 300}),
    (attacks.PointwiseAttack, 2, 1, {}),
    (attacks.SinglePixelAttack, 20, 0.1, {"max_pixels": 64}),
    (attacks.LocalSearchAttack, 5, 0.2, {"d": 1}),
    (attacks.GenAttack, 3, 0.3, {"targeted": True, "generations": 30, "binary_search": False}),
    (attacks.AdditiveUniformNoiseAttack, 10, 0.8, {}),
    (attacks.AdditiveGaussianNoiseAttack, 10, 0.8, {}),
    (attacks.BlendedUniformNoiseAttack, 10, 0.9, {}),
    (attacks.SaltAndPepperNoiseAttack, 5, 0.8, {}),
    (attacks.GaussianBlurAttack, 10, 0.5, {}),
    (attacks.ContrastReductionAttack, 10, 0.5, {}),
    (attacks.SpatialAttack, 5, 0.5, {}),
    (attacks.InversionAttack, 10, 0.3, {}),
]


def refined() -> str:
    """Refine other attacks: BinarizationRefinementAttack moves each value to its bound."""
    x, y = images[right[:5]], labels[right[:5]]
    binary = (x > 0.5).astype("float32")
    keep = model.forward(binary).argmax(axis=1) == y
    start = attacks.SaltAndPepperNoiseAttack(model)(binary[keep], y[keep])
    attack = attacks.PrecomputedAdversarialsAttack(model)
    found = attack(
        binary[keep], y[keep], candidate_inputs=binary[keep], candidate_outputs=start, unpack=True
    )
    assert (model.forward(found).argmax(axis=1) != y[keep]).all()
    return f"{keep.sum()} images"


results = Results("foolbox")
results.check("MXNetGluonModel.forward", predictions)
results.check("MXNetGluonModel.gradient, backward", gradients)
results.check("MXNetGluonModel with preprocessing", preprocessed)
for kind, count, least, options in ATTACKS:
    results.check(kind.__name__, attacked, kind, count, least, **options)
results.check("PrecomputedAdversarialsAttack", refined)
results.finish()
