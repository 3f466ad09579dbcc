"""Symbols with NumPy's interface: beside MXNet's, computed, inferred, and in blocks."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy
import pytest

from gluon import GluonError, HybridBlock, SymbolBlock, nn, np, npx, sym, util
from gluon.mxnet.name import NameManager
from tests.compared import assert_equal
from tests.each import each

from . import cases

DATA = Path(__file__).resolve().parents[3] / "recorded" / "symbol_np.json.gz"
RECORDED = json.loads(gzip.decompress(DATA.read_bytes()))
ARRAYS = {
    name: numpy.random.RandomState(len(shape)).uniform(0.1, 0.9, shape).astype("float32")
    for name, shape in {"x": (3, 4), "y": (3, 4), "z": (4, 5)}.items()
}


@pytest.fixture(autouse=True)
def _numpy():
    npx.set_np()
    yield
    npx.reset_np()


def described(case):
    with NameManager():
        return cases.described(sym, case)


@each("case", cases.CASES)
def test_a_graph_is_as_in_mxnet(case):
    found = json.loads(described(case).tojson())
    for node in found["nodes"]:
        node["name"] = node["name"].replace("pad0", "pad1")  # MXNet takes a name too many there
    assert_equal(found, RECORDED[case])


@each("case", cases.CASES)
def test_what_is_inferred_is_what_running_gives(case):
    symbol = sym.load_json(described(case).tojson())
    names = symbol.list_arguments()
    given = {name: ARRAYS[name].shape for name in names if name in ARRAYS}
    shapes, inferred, _ = symbol.infer_shape(**given)
    arrays = {
        name: np.array(ARRAYS[name]) if name in ARRAYS else np.ones(shape)
        for name, shape in zip(names, shapes)
    }
    found = symbol.eval(**arrays)
    assert [one.shape for one in found] == inferred
    dtypes = symbol.infer_type(**dict.fromkeys(given, "float32"))[1]
    assert [one.dtype for one in found] == dtypes
    _, partial, _ = symbol.infer_shape_partial(**{name: (-1, shape[1]) for name, shape in
                                                  given.items()})  # fmt: skip
    for one, whole in zip(partial, inferred):
        assert one is None or len(one) == len(whole)
        assert one is None or all(n in (-1, m) for n, m in zip(one, whole))


@each("case", sorted({*cases.ONE, *cases.TWO} - {"diagflat"}))
def test_values_are_those_of_arrays(case):
    x, y, z = (np.array(ARRAYS[name]) for name in "xyz")
    expected = cases.CASES[case](np, npx, x, y, z)
    expected = expected if isinstance(expected, tuple) else (expected,)
    symbol = described(case)
    found = symbol.eval(**{name: np.array(ARRAYS[name]) for name in symbol.list_arguments()})
    for one, other in zip(found, expected):
        numpy.testing.assert_array_equal(one.asnumpy(), other.asnumpy())
        assert one.dtype == other.dtype


def test_places_from_the_end():
    x = sym.var("x").as_np_ndarray()
    for part in (x[-1], x[0, -2], x[:, ::-1], x[1:, 2]):
        given = np.array(ARRAYS["x"])
        expected = {(4,): given[-1], (): given[0, -2], (3, 4): given[:, ::-1], (2,): given[1:, 2]}
        (found,) = part.eval(x=given)
        numpy.testing.assert_array_equal(found.asnumpy(), expected[found.shape].asnumpy())


def test_classes():
    x = sym.var("x")
    assert type(sym.FullyConnected(x.as_np_ndarray(), num_hidden=2)) is type(x.as_np_ndarray())
    assert type(x.as_np_ndarray().as_nd_ndarray() + 1) is sym.Symbol
    assert type(x * x.as_np_ndarray()) is type(x.as_np_ndarray())
    with pytest.raises(GluonError, match="integers and slices"):
        x.as_np_ndarray()[None]
    with pytest.raises(GluonError, match="give symbols, or a symbol and a number"):
        x.as_np_ndarray() + "a"


@util.use_np
class Net(HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.conv, self.norm = nn.Conv2D(4, 3), nn.BatchNorm()
            self.dense, self.table = nn.Dense(3), nn.Embedding(5, 3)
            self.scale = self.params.get("scale", shape=(3, 1), init="ones")
            self.shift = self.params.get("shift", shape=(1, 3), init="ones")

    def hybrid_forward(self, F, x, k, scale, shift):
        h = F.np.mean(F.npx.relu(self.norm(self.conv(x))), axis=(2, 3))
        y = F.np.dot(self.dense(h) + self.table(k), scale * shift)
        return F.np.concatenate([y, F.npx.softmax(y)], axis=1), y[:, -1].T


def test_a_block_is_exported_and_loaded(tmp_path):
    net = Net(prefix="net_")
    net.initialize("normal")
    net.hybridize()
    x = np.array(numpy.random.RandomState(0).rand(2, 3, 5, 5))
    given = x, np.array([1, 4])
    expected = net(*given)
    files = net.export(str(tmp_path / "net"))
    found = SymbolBlock.imports(files[0], ["data0", "data1"], files[1])(*given)
    for one, other in zip(found, expected):
        assert type(one) is type(other)
        numpy.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-6)


def test_faces_have_mxnets_names():
    lacking = {
        "np": "delete diag_indices_from ediff1d empty_like insert may_share_memory resize"
        " shares_memory unique",
        "npx": "constraint_check",
        "np.linalg": "",
        "np.random": "beta chisquare choice current_context lognormal multivariate_normal power"
        " shuffle",
    }
    names = json.loads((DATA.parent / "symbol_np_names.json").read_text())
    for path, given in names.items():
        face = sym
        for part in path.split("."):
            face = getattr(face, part)
        assert [name for name in given if not hasattr(face, name)] == lacking[path].split()
