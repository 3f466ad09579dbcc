"""Transforms: what `tests/data/programs.py` does not compare with the oracle."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import gluon
from gluon import data, image, nd
from gluon.data.vision import transforms as T
from tests.data.programs import picture

X = nd.array(picture(6, 8, 3), dtype="uint8")
#: Every transform, as it would be used on an image (height, width, channels).
ALL = [
    T.Cast(),
    T.CenterCrop(4),
    T.Compose([T.Resize(5), T.ToTensor()]),
    T.CropResize(0, 0, 4, 4),
    T.HybridCompose([T.Resize(5), T.ToTensor()]),
    T.HybridRandomApply(T.ToTensor()),
    T.Compose([T.ToTensor(), T.Normalize(0.5, 0.5)]),
    T.RandomApply(T.ToTensor()),
    T.RandomBrightness(0.5),
    T.RandomColorJitter(0.1, 0.2, 0.3, 0.4),
    T.RandomContrast(0.5),
    T.RandomCrop(4, pad=2),
    T.RandomFlipLeftRight(),
    T.RandomFlipTopBottom(),
    T.RandomGray(),
    T.RandomHue(0.5),
    T.RandomLighting(0.5),
    T.RandomResizedCrop(4),
    T.Compose([T.ToTensor(), T.RandomRotation((-10, 10))]),
    T.RandomSaturation(0.5),
    T.Resize(4),
    T.Compose([T.ToTensor(), T.Rotate(10)]),
    T.ToTensor(),
]


def test_every_transform_is_here():
    def parts(block):
        yield type(block).__name__
        for child in block._children.values():
            yield from parts(child)

    assert {name for block in ALL for name in parts(block)} >= set(T.__all__)


@pytest.mark.parametrize("transform", ALL, ids=lambda block: type(block).__name__)
def test_each_works_in_processes_and_leaves_its_input_alone(transform):
    before = X.asnumpy()
    twin = pickle.loads(pickle.dumps(transform))
    assert repr(twin) == repr(transform)
    y = twin(X)
    assert isinstance(y, nd.NDArray)
    if y is not X:
        y[:] = 0
    np.testing.assert_array_equal(X.asnumpy(), before)


def test_transforms_of_a_data_set_in_processes():
    pairs = data.ArrayDataset(nd.stack(*[X] * 5), [0, 1, 2, 3, 4])
    random = T.Compose([T.RandomResizedCrop(4), T.RandomFlipLeftRight(), T.ToTensor()])
    loader = data.DataLoader(pairs.transform_first(random), 5, num_workers=2)
    ((x, y),) = loader
    assert (x.shape, x.dtype, y.asnumpy().tolist()) == ((5, 3, 4, 4), np.float32, [0, 1, 2, 3, 4])


def test_factors_are_drawn_around_one():
    ones = nd.full((1, 1, 3), 100)
    for width, low, high in ((0.3, 70, 130), (2, 0, 300)):
        transform = T.RandomBrightness(width)
        drawn = [transform(ones)[0, 0, 0].asscalar() for _ in range(200)]
        assert low <= min(drawn) < low + 0.3 * (high - low)
        assert high >= max(drawn) > high - 0.3 * (high - low)


def test_nothing_to_change():
    for transform in (T.RandomColorJitter(), T.RandomLighting(0), T.RandomGray(0)):
        np.testing.assert_array_equal(transform(X).asnumpy(), X.asnumpy())


def test_grey():
    y = T.RandomGray(1)(X).asnumpy()
    np.testing.assert_allclose(y[..., 0], X.asnumpy() @ [0.299, 0.587, 0.114], atol=1)
    assert (y == y[..., :1]).all()


def test_probabilities():
    gluon.random.seed(1)
    for make in (T.RandomApply, T.HybridRandomApply):
        changed = sum(make(T.Cast(), p=0.25)(X).dtype == np.float32 for _ in range(400))
        assert 60 < changed < 140
        assert make(T.Cast(), 1)(X).dtype == np.float32
        assert make(T.Cast(), 0)(X) is X


def test_random_crops():
    seen = set()
    for _ in range(50):
        y = T.RandomCrop((3, 2))(X).asnumpy()
        places = [
            (r, c)
            for r in range(5)
            for c in range(6)
            if (X.asnumpy()[r : r + 2, c : c + 3] == y).all()
        ]
        assert len(places) == 1
        seen.update(places)
    assert len(seen) > 15
    y = T.RandomCrop((8 + 1 + 4, 6 + 2 + 3), pad=(2, 3, 1, 4), pad_value=9)(X).asnumpy()
    np.testing.assert_array_equal(y[2:8, 1:9], X.asnumpy())
    assert (np.delete(np.delete(y, range(2, 8), 0), range(1, 9), 1) == 9).all()
    assert T.RandomCrop(20)(X).shape == (20, 20, 3)


def test_a_rectangle_is_resized_linearly_by_default():
    want = T.CropResize(1, 1, 4, 3, (7, 5), 1)(X)
    np.testing.assert_array_equal(T.CropResize(1, 1, 4, 3, (7, 5))(X).asnumpy(), want.asnumpy())


def test_compositions():
    blocks = [T.CenterCrop(4), T.Cast(), T.ToTensor()]
    composed = T.Compose(blocks)
    assert len(blocks) == 3  # MXNet adds None to the list
    assert [type(one).__name__ for one in composed] == ["CenterCrop", "HybridSequential"]
    hybrid = T.HybridCompose(blocks[1:])
    assert [type(one).__name__ for one in hybrid] == ["Cast", "ToTensor"]
    np.testing.assert_array_equal(hybrid(composed[0](X)).asnumpy(), composed(X).asnumpy())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: T.Compose([3]), "Lambda takes a function"),
        (lambda: T.HybridCompose([T.CenterCrop(3)]), "is a CenterCrop"),
        (lambda: T.HybridRandomApply(T.CenterCrop(3)), "is a CenterCrop, not a HybridBlock"),
        (lambda: T.RandomApply([T.Cast()]), "is a list; pass one transform"),
        (lambda: T.Resize(0), "Resize: size=0 is neither"),
        (lambda: T.Resize((1, 2, 3)), r"Resize: size=\(1, 2, 3\) is neither"),
        (lambda: T.CenterCrop(2.5), "CenterCrop: size=2.5 is neither"),
        (lambda: T.RandomResizedCrop((3, -1)), "RandomResizedCrop: size="),
        (lambda: T.CropResize(0, 0, 1, 1, (2,)), "CropResize: size="),
        (lambda: T.RandomCrop(3, pad=(1, 2)), r"pad=\(1, 2\) is neither"),
        (lambda: T.RandomCrop(3, pad=-1), "pad=-1 is neither"),
        (lambda: T.RandomBrightness(-0.1), "RandomBrightness: -0.1 is negative"),
        (lambda: T.RandomRotation((2, 1)), "angle_limits"),
        (lambda: T.RandomRotation((1, 2), rotate_with_proba=-1), "not a probability"),
        (lambda: T.ToTensor()(X.asnumpy()), "needs an NDArray"),
        (lambda: T.Rotate(3)(X), "src holds uint8"),
    ],
)
def test_errors(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


@pytest.mark.parametrize("kind", [T.CenterCrop, T.RandomCrop, T.RandomResizedCrop, T.Resize])
def test_an_unknown_interpolation_is_refused_when_made(kind):
    with pytest.raises(ValueError, match=rf"{kind.__name__}: interp=17 is not one of 0, 1, 2"):
        kind(4, interpolation=17)
    for augmenter in (image.ResizeAug, image.ForceResizeAug, image.CenterCropAug):
        with pytest.raises(ValueError, match=f"{augmenter.__name__}: interp=7"):
            augmenter((4, 4), interp=7)
