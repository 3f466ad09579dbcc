"""Attack and defend a classifier of digits with the adversarial-robustness-toolbox.

    python -m gluon.mxnet tests/clients/run_art.py

It needs adversarial-robustness-toolbox 1.19.1 and scikit-learn, which has the digits.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable

import mxnet as mx
import numpy as np
from art.attacks import evasion
from art.defences.trainer import AdversarialTrainer
from art.estimators.classification import MXClassifier
from mxnet.gluon import Trainer, loss, nn
from results import Results
from sklearn.datasets import load_digits

SIDE, CLASSES = 8, 10


def digits() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Images in [0, 1] and their labels: 1400 to train with and the others."""
    data = load_digits()
    images = (data.images / 16).astype("float32").reshape(-1, 1, SIDE, SIDE)
    return images[:1400], data.target[:1400], images[1400:], data.target[1400:]


def classifier() -> MXClassifier:
    """A small convolutional network, not yet trained."""
    net = nn.Sequential()
    net.add(
        nn.Conv2D(16, kernel_size=3, activation="relu"),
        nn.AvgPool2D(),
        nn.Flatten(),
        nn.Dense(64, activation="relu"),
        nn.Dense(CLASSES),
    )
    net.initialize(mx.init.Xavier())
    net(mx.nd.zeros((1, 1, SIDE, SIDE)))
    return MXClassifier(
        model=net,
        loss=loss.SoftmaxCrossEntropyLoss(),
        input_shape=(1, SIDE, SIDE),
        nb_classes=CLASSES,
        optimizer=Trainer(net.collect_params(), "adam", {"learning_rate": 0.005}),
        clip_values=(0.0, 1.0),
    )


def accuracy(model: MXClassifier, images: np.ndarray, labels: np.ndarray) -> float:
    return float((model.predict(images).argmax(axis=1) == labels).mean())


np.random.seed(0)
mx.random.seed(0)
x_train, y_train, x_test, y_test = digits()
victim = classifier()


def fit() -> str:
    victim.fit(x_train, y_train, batch_size=64, nb_epochs=10)
    found = accuracy(victim, x_test, y_test)
    assert found > 0.85, found
    return f"accuracy {found:.2f} on images that it was not trained with"


def attacked(make: Callable, count: int, most: float) -> str:
    """Attack `count` images; the accuracy on the results must be at most `most`."""
    images, labels = x_test[:count], y_test[:count]
    found = make(victim).generate(images)
    assert found.shape == images.shape
    assert found.min() >= 0
    assert found.max() <= 1
    clean, left = accuracy(victim, images, labels), accuracy(victim, found, labels)
    size = np.sqrt(((found - images) ** 2).sum(axis=(1, 2, 3))).mean()
    assert left <= most < clean, (left, clean)
    return f"accuracy {clean:.2f} before, {left:.2f} after; mean L2 distance {size:.2f}"


def gradients() -> None:
    images, labels = x_test[:20], y_test[:20]
    assert victim.loss_gradient(images, np.eye(CLASSES)[labels]).shape == images.shape
    of_all = victim.class_gradient(images)
    of_own = victim.class_gradient(images, label=labels)
    assert of_all.shape == (20, CLASSES, 1, SIDE, SIDE)
    np.testing.assert_allclose(of_own[:, 0], of_all[np.arange(20), labels], rtol=1e-4, atol=1e-6)
    assert np.abs(of_own).max() > 0


def activations() -> str:
    images = x_test[:5]
    name = victim.layer_names[0]
    assert victim.get_activations(images, name).shape == (5, 16, 6, 6)
    assert isinstance(victim.get_activations(images, 0, framework=True), nn.Conv2D)
    return f"layers {', '.join(victim.layer_names)}"


def saved() -> None:
    with tempfile.TemporaryDirectory() as folder:
        victim.save("victim", folder)
        other = classifier()
        other.model.load_parameters(f"{folder}/victim.params")
    np.testing.assert_allclose(other.predict(x_test), victim.predict(x_test), rtol=1e-5)


def trained_adversarially() -> str:
    robust = classifier()
    attack = evasion.FastGradientMethod(robust, eps=0.15)
    AdversarialTrainer(robust, attack, ratio=0.5).fit(x_train, y_train, batch_size=64, nb_epochs=10)
    before = accuracy(victim, evasion.FastGradientMethod(victim, eps=0.15).generate(x_test), y_test)
    after = accuracy(robust, attack.generate(x_test), y_test)
    assert after > before, (before, after)
    return f"accuracy under FGM {before:.2f} before, {after:.2f} after"


#: name -> the attack, how many images it is shown, and the accuracy that it has to get below
ATTACKS = {
    "FastGradientMethod": (lambda net: evasion.FastGradientMethod(net, eps=0.3), 200, 0.4),
    "BasicIterativeMethod": (
        lambda net: evasion.BasicIterativeMethod(
            net, eps=0.3, eps_step=0.05, max_iter=10, verbose=False
        ),
        100,
        0.1,
    ),
    "ProjectedGradientDescent": (
        lambda net: evasion.ProjectedGradientDescent(
            net, eps=0.3, eps_step=0.05, max_iter=10, num_random_init=1, verbose=False
        ),
        100,
        0.1,
    ),
    "DeepFool": (
        lambda net: evasion.DeepFool(net, max_iter=20, batch_size=50, verbose=False),
        50,
        0.2,
    ),
    "CarliniL2Method": (
        lambda net: evasion.CarliniL2Method(
            net, binary_search_steps=4, max_iter=10, initial_const=1, batch_size=10, verbose=False
        ),
        10,
        0.2,
    ),
    "SaliencyMapMethod": (
        lambda net: evasion.SaliencyMapMethod(net, theta=0.5, batch_size=10, verbose=False),
        10,
        0.1,
    ),
    "NewtonFool": (
        lambda net: evasion.NewtonFool(net, max_iter=20, eta=0.1, batch_size=20, verbose=False),
        20,
        0.5,
    ),
    "ElasticNet": (
        lambda net: evasion.ElasticNet(
            net, binary_search_steps=3, max_iter=20, initial_const=1, batch_size=10, verbose=False
        ),
        10,
        0.3,
    ),
    "UniversalPerturbation": (
        lambda net: evasion.UniversalPerturbation(
            net,
            attacker="fgsm",
            attacker_params={"eps": 0.3},
            max_iter=3,
            eps=2.5,
            norm=2,
            verbose=False,
        ),
        60,
        0.7,
    ),
    "SquareAttack": (
        lambda net: evasion.SquareAttack(net, eps=0.3, max_iter=100, verbose=False),
        50,
        0.5,
    ),
    "HopSkipJump": (
        lambda net: evasion.HopSkipJump(
            net, max_iter=5, max_eval=200, init_eval=10, init_size=50, verbose=False
        ),
        5,
        0.0,
    ),
}

results = Results("adversarial-robustness-toolbox")
results.check("MXClassifier.fit", fit)
results.check("MXClassifier.loss_gradient, class_gradient", gradients)
results.check("MXClassifier.get_activations", activations)
results.check("MXClassifier.save", saved)
for name, (make, count, most) in ATTACKS.items():
    results.check(name, attacked, make, count, most)
results.check("AdversarialTrainer", trained_adversarially)
results.finish()
