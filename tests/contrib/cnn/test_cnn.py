"""Deformable convolutions, beyond what tests/block/programs.py compares with MXNet."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import GluonError, autograd, init, nd, nn
from gluon.contrib.cnn import DeformableConvolution, ModulatedDeformableConvolution


@pytest.fixture
def x():
    return nd.array(np.random.default_rng(0).normal(size=(2, 4, 6, 7)))


@pytest.mark.parametrize("kind", [DeformableConvolution, ModulatedDeformableConvolution])
@pytest.mark.parametrize("groups", [1, 2])
def test_elements_that_stay_make_an_ordinary_convolution(kind, groups, x):
    layer = kind(6, 3, (2, 1), 1, groups=groups, num_deformable_group=2, activation="relu")
    plain = nn.Conv2D(6, 3, (2, 1), 1, groups=groups, activation="relu")
    for net in (layer, plain):
        net.initialize(init.Uniform(1))
        net(x)
    layer.deformable_conv_weight.set_data(plain.weight.data())
    np.testing.assert_allclose(layer(x).asnumpy(), plain(x).asnumpy(), rtol=1e-4, atol=1e-5)


def test_all_parameters_of_the_modulated_one_are_trained(x):
    layer = ModulatedDeformableConvolution(3, 3, padding=1, num_deformable_group=2)
    layer.initialize(init.Uniform(0.3), force_reinit=True)
    with autograd.record():
        loss = (layer(x) ** 2).sum()
    loss.backward()
    for one in layer.collect_params().values():
        assert one.grad().norm().asscalar() > 0, one.name


def test_the_weights_of_elements_go_from_0_to_2(x):
    layer = ModulatedDeformableConvolution(3, (1, 2), use_bias=False)
    layer.initialize(init.Uniform(1))
    still = layer(x)
    for value, factor in ((-100, 0), (100, 2)):
        bias = layer.offset_bias.data()
        bias[4:] = value
        np.testing.assert_allclose(layer(x).asnumpy(), factor * still.asnumpy(), rtol=1e-5)


def test_errors(x):
    with pytest.raises(ValueError, match="takes layout='NCHW' and no adj, not layout='NHWC'"):
        DeformableConvolution(3, layout="NHWC")
    layer = DeformableConvolution(3, in_channels=3, prefix="moved_")
    layer.initialize()
    with pytest.raises(
        GluonError, match=r"DeformableConvolution 'moved'.*\[2, 4, 6, 7\], .*\[2, 3, 1, 1\]"
    ):
        layer(x)
