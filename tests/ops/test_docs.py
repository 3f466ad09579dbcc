"""Every public function of `nd` says what it takes, gives and raises, with examples that run."""

from __future__ import annotations

import doctest
import inspect
import re
from importlib import import_module
from pkgutil import iter_modules

import pytest

from gluon import nd
from gluon.nd._public import operators

#: The functions that are not described in full yet.
STILL_WITHOUT = set(
    """BatchNormWithReLU Custom IdentityAttachKLSparseReg MultiBoxDetection MultiBoxPrior
    MultiBoxTarget Pooling_v1 SVMOutput SyncBatchNorm allclose box_iou box_nms
    box_non_maximum_suppression fill_element_0index flip_top_bottom
    interleaved_matmul_encdec_qk interleaved_matmul_encdec_valatt
    interleaved_matmul_selfatt_qk interleaved_matmul_selfatt_valatt random_flip_left_right
    random_flip_top_bottom round_ste sign_ste""".split()
)
SECTIONS = ["Parameters", "Returns", "Raises", "Examples"]
MODULES = [import_module(f"gluon.nd.{name}") for _, name, _ in iter_modules(nd.__path__)]
FUNCTIONS = {
    f"{module.__name__.removeprefix('gluon.nd.')}.{name}": function
    for module in MODULES
    for name, function in operators(module).items()
    if name[0] != "_" and name not in STILL_WITHOUT
}


def sections(doc: str) -> list[str]:
    """The titles in a docstring, in order."""
    return re.findall(r"^(\w[\w ]*)\n-{3,}$", inspect.cleandoc(doc), re.M)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_docstring_is_complete(name):
    found = sections(FUNCTIONS[name].__doc__ or "")
    assert [title for title in found if title in SECTIONS] == SECTIONS


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_examples_run(name):
    function = FUNCTIONS[name]
    (examples,) = doctest.DocTestFinder(recurse=False).find(function, name, globs={})
    found: list[str] = []
    result = doctest.DocTestRunner().run(examples, out=found.append)
    assert result.attempted > 1
    assert not result.failed, "".join(found)


def test_what_is_still_without_is_there_at_all():
    assert set().union(*(operators(module) for module in MODULES)) >= STILL_WITHOUT
