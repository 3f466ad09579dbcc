"""The filter for NumPy's warnings: not there after the import, there with the first array."""

import subprocess
import sys
import warnings

import numpy
import pytest

from gluon import func, megengine, nd, nn, np
from gluon._core.arrays.silence import silence_numpy

CODE = """
import warnings

import numpy

before = list(warnings.filters)
import gluon
from gluon import func, megengine, np

assert warnings.filters == before
gluon.nd.array([-1.0]).log()
assert warnings.filters[:-1] == before
"""


def test_an_import_changes_no_filters_and_the_first_array_adds_one():
    subprocess.run([sys.executable, "-c", CODE], check=True)


FIRST = {
    "nd.array": lambda path: nd.array([1]),
    "nd.random": lambda path: nd.random.uniform(shape=(2,)),
    "nd.from_numpy": lambda path: nd.from_numpy(numpy.ones(2)),
    "nd.from_dlpack": lambda path: nd.from_dlpack(numpy.ones(2)),
    "nd.load": lambda path: nd.load(path),
    "nd.sparse": lambda path: nd.sparse.csr_matrix(numpy.eye(2)),
    "np.ones": lambda path: np.ones(2),
    "np.log": lambda path: np.log(numpy.ones(2)),
    "func.grad": lambda path: func.grad(lambda x: x * x)(3.0),
    "func.vmap": lambda path: func.vmap(lambda x: x * x)(numpy.ones(2)),
    "initialize": lambda path: nn.Dense(1, in_units=1).initialize(),
    "tensor": lambda path: megengine.tensor([1.0]),
    "functional.ones": lambda path: megengine.functional.ones((2,)),
}


@pytest.mark.parametrize("way", FIRST)
def test_each_way_to_a_first_array_silences_the_operators(way, tmp_path):
    path = str(tmp_path / "arrays")
    nd.save(path, [nd.ones(2)])
    with warnings.catch_warnings(record=True) as seen:
        warnings.resetwarnings()
        silence_numpy.cache_clear()
        FIRST[way](path)
        nd.array([-1.0]).log()
        numpy.log(numpy.array([-1.0]))  # the program's own
    assert [str(one.message) for one in seen] == ["invalid value encountered in log"]
    assert [one.filename for one in seen] == [__file__]
