"""What messages of errors are made of."""

import numpy as np
import pytest

from gluon import nd, nn
from gluon._core.errors import a_type, article


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (1, "an int"),
        (1.5, "a float"),
        (None, "a NoneType"),
        (nd.ones(1), "an NDArray"),
        (np.ones(1), "an ndarray"),
        (np.uint8(1), "a uint8"),
        (nn.ELU(), "an ELU"),
        (nn.SELU(), "an SELU"),
        (nn.Dense(1), "a Dense"),
    ],
)
def test_a_type_has_its_article(value, wanted):
    assert a_type(value) == wanted


def test_names_that_are_spoken_as_words_have_the_article_of_the_sound():
    names = "One UpSampling ufunc MAE Module LSTM Layer RandomHue Executor"
    assert [article(name) for name in names.split()] == [
        "a One",
        "an UpSampling",
        "a ufunc",
        "an MAE",
        "a Module",
        "an LSTM",
        "a Layer",
        "a RandomHue",
        "an Executor",
    ]
