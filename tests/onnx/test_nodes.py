"""ONNX's own tests of single operators."""

from __future__ import annotations

import pytest

from gluon._core.errors import GluonError

pytest.importorskip("onnx")
from .nodes import cases, mistakes, network_of

#: Tests whose values cannot be met, by the beginning of their names.
OPEN = {
    "test_bernoulli": "the values are drawn by another generator",
    "test_training_dropout": "the values are drawn by another generator",
    "test_resize_downsample_scales_cubic_align_corners": "see the next one",
    "test_resize_downsample_scales_linear_align_corners": (
        "the corners of a length before it is rounded down; runtimes and PyTorch take those after"
    ),
}
PARTS = 8
pytestmark = pytest.mark.slow  # ONNX computes its results with loops of Python when it is imported


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("part", range(PARTS))
def test_operators_compute_what_onnx_says(part):
    failed = []
    for case in cases()[part::PARTS]:
        if case.name.startswith(tuple(OPEN)):
            continue
        try:
            failed += [f"{case.name}: {one}" for one in mistakes(case)]
        except (AssertionError, GluonError) as error:
            failed.append(f"{case.name}: {error}")
    assert not failed, "\n".join(failed[:10])


def test_all_of_them_are_supported():
    """All tests with numbers pass, except those in `OPEN`."""
    supported = sum(network_of(case.model) is not None for case in cases())
    assert supported == len(cases()) > 1000
