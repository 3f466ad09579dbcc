"""The names that NumPy had, for the run of an old script."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import gluon.mxnet
from gluon import nd
from gluon.mxnet import old_numpy
from tests.mxnet.running import HOOKED, python

USES = {
    "np.zeros(2, np.bool).dtype == bool": True,
    "np.arange(3, dtype=np.int).dtype == int": True,
    "np.ones(2).astype(np.float).dtype == float": True,
    "np.dtype(np.complex) == complex": True,
    "np.empty(1, np.object).dtype == object": True,
    "np.str": str,
    "np.asscalar(np.array([3.5]))": 3.5,
    "np.asfarray([1, 2], dtype='int32').dtype.name": "float64",
    "np.asfarray([1, 2], dtype='float32').dtype.name": "float32",
    "np.isnan(np.NAN)": True,
    "np.product([2, 3, 4])": 24,
    "np.cumproduct([2, 3]).tolist()": [2, 6],
    "(np.alltrue([1, 0]), np.sometrue([1, 0]))": (False, True),
    "np.in1d([1, 2, 5], [[2], [5]]).tolist()": [False, True, True],
    "np.float_(2).dtype == np.float64": True,
    "(np.Inf, np.NINF, np.PINF, np.Infinity)": (np.inf, -np.inf, np.inf, np.inf),
    "np.isnan(np.NaN)": True,
    "np.round_(2.6)": 3,
    "np.row_stack([[1], [2]]).tolist()": [[1], [2]],
    "np.trapz([1, 3])": 2,
    "np.msort([[2, 1], [1, 2]]).tolist()": [[1, 1], [2, 2]],
    "np.warnings is warnings": True,
    "issubclass(np.VisibleDeprecationWarning, Warning)": True,
    "np.mat([[1, 2]]).shape": (1, 2),
    "(np.rank([[1]]), np.alen([[1, 2]]), np.issubsctype('f4', np.floating))": (2, 1, True),
    "np.fromstring('1 2', sep=' ').tolist()": [1, 2],
    "np.fromstring(bytes([1, 2]), dtype=np.uint8).tolist()": [1, 2],
}


@pytest.mark.parametrize("code", USES)
def test_old_names_are_back(code):
    with gluon.mxnet.installed(old_numpy=True), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        assert eval(code, {"np": np, "warnings": warnings}) == USES[code]


def test_they_are_taken_away_again():
    before = dict(vars(np))
    with gluon.mxnet.installed():
        assert dict(vars(np)) == before
    with gluon.mxnet.installed(old_numpy=True):
        added = {*vars(np)} - {*before}
        assert "asscalar" in added
        changed = {name for name in before if vars(np)[name] is not before[name]}
        assert changed <= {"fromstring", "array", "asarray", "asanyarray"}
    assert dict(vars(np)) == before


@pytest.mark.parametrize("name", ["array", "asarray", "asanyarray"])
def test_lists_of_several_lengths_become_arrays_of_objects(name):
    with gluon.mxnet.installed(old_numpy=True):
        with pytest.warns(np.exceptions.VisibleDeprecationWarning, match="several lengths"):
            ragged = getattr(np, name)([[1, 2], [3]])
        assert ragged.dtype == object
        assert ragged.tolist() == [[1, 2], [3]]
        assert getattr(np, name)([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
        for error in (
            lambda: getattr(np, name)([[1, 2], [3]], float),
            lambda: getattr(np, name)([[1, 2], [3]], dtype="float32"),
            lambda: nd.array([[1, 2], [3]]),
        ):
            with pytest.raises((ValueError, TypeError), match=r"inhomogeneous|different lengths"):
                error()


def test_a_second_install_may_add_them():
    with gluon.mxnet.installed():
        gluon.mxnet.install(old_numpy=True)
        assert np.asscalar is old_numpy.asscalar
    assert not hasattr(np, "asscalar")


@pytest.mark.slow
def test_the_option_reaches_the_script_and_its_children():
    code = (
        "import numpy as np, subprocess, sys; print(np.asscalar(np.ones(1))); subprocess.run("
        "[sys.executable, '-c', 'import mxnet, numpy; print(numpy.product([2, 3]))'])"
    )
    assert sorted(python(*HOOKED, "--old-numpy", "-c", code).stdout.split()) == ["1.0", "6"]
    assert python(*HOOKED, "-c", code).returncode == 1
