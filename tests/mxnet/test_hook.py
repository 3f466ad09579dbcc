"""The import hook: its changes, and that uninstalling it reverts all of them."""

from __future__ import annotations

import importlib
import importlib.util
import os
import pickle
import re
import sys

import numpy as np
import pytest

import gluon
import gluon.mxnet
from gluon import GluonError
from gluon.mxnet import hook, modules, table
from tests.each import each
from tests.mxnet.running import HOOKED, python


@pytest.fixture
def mx():
    """The `mxnet` package of gluon."""
    with gluon.mxnet.installed():
        yield importlib.import_module("mxnet")


def state() -> tuple:
    """Everything that the hook may change."""
    touched = {id(one): one for one in modules.TABLES.made().values()}.values()
    return (
        list(sys.meta_path),
        list(sys.path),
        dict(os.environ),
        [name for name in sys.modules if name.partition(".")[0] == "mxnet"],
        [(one.__name__, sorted(vars(one))) for one in touched if one.__name__[:5] == "gluon"],
        gluon._core.arrays.context.unavailable,
    )


def test_everything_is_taken_back():
    before = state()
    with gluon.mxnet.installed(old_numpy=True):
        importlib.import_module("mxnet.gluon.model_zoo.vision.alexnet")
        importlib.import_module("mxnet.ndarray.ndarray")
        assert state() != before
    assert state() == before
    assert importlib.util.find_spec("mxnet") is None or not sys.modules.get("mxnet")


def test_blocks_nest():
    with gluon.mxnet.installed():
        with gluon.mxnet.installed():
            pass
        import mxnet as mx

        assert mx.nd is gluon.nd
    gluon.mxnet.uninstall()  # nothing to take back


@each("path", sorted({*table.MODULES, *table.ALIASES}))
def test_every_module_is_gluon_s_own(mx, path):
    first = table.ALIASES.get(path, path)
    module = importlib.import_module(f"mxnet.{path}")
    assert module is importlib.import_module(f"mxnet.{first}")
    if target := table.MODULES.get(first):
        assert module is sys.modules[target]
        assert module.__name__ == target
        assert module.__spec__.name == target


def test_modules_of_functions_of_the_same_name_leave_them_alone(mx):
    module = importlib.import_module("mxnet.gluon.model_zoo.vision.alexnet")
    assert callable(mx.gluon.model_zoo.vision.alexnet)
    assert module.AlexNet is mx.gluon.model_zoo.vision.AlexNet


def test_names_are_gluon_s_own(mx):
    from mxnet import autograd, nd
    from mxnet.gluon import nn

    assert nn.Dense is gluon.nn.Dense
    assert (mx.nd, mx.ndarray, mx.nd.ndarray, nd) == (gluon.nd,) * 4
    assert (mx.gluon, mx.init, mx.kv, mx.optimizer, mx.opt, mx.rnd) == (
        *(gluon, gluon.init, gluon.kvstore, gluon.optimizer, gluon.optimizer, gluon.random),
    )
    assert autograd is gluon.autograd
    assert mx.base.MXNetError is mx.MXNetError is GluonError
    assert mx.context.Context is mx.Context is gluon.Context
    assert isinstance(gluon.nd.ones((1,)), mx.nd.NDArray)
    assert isinstance(mx.nd.ones((1,)), gluon.nd.NDArray)
    assert isinstance(mx.gluon.nn.Dense(1), gluon.Block)
    assert mx.gluon.tensor_types == (gluon.nd.NDArray,)
    assert mx.num_gpus() == mx.context.num_gpus() == 0


def test_removed_modules_are_found_again(mx):
    del sys.modules["mxnet"], sys.modules["mxnet.gluon"]
    assert importlib.import_module("mxnet.gluon") is gluon
    assert importlib.import_module("mxnet") is mx
    assert importlib.util.find_spec("mxnet").origin.endswith("__init__.py")


def test_the_version_is_that_of_mxnet_and_says_gluon(mx):
    assert mx.__version__ == gluon.mxnet.VERSION
    assert "gluon" in mx.__version__
    assert [int(part) for part in mx.__version__.split(".")[:2]] == [1, 9]
    assert len(mx.__version__.split(".")) == 3
    version = pytest.importorskip("packaging.version")
    requirements = pytest.importorskip("packaging.specifiers")
    assert version.parse(mx.__version__) >= version.parse("1.9.1")
    assert version.parse(mx.__version__) < version.parse("1.9.2")
    assert mx.__version__ in requirements.SpecifierSet("==1.9.1")


def test_loose_versions_compare(mx):
    # What distutils.version.LooseVersion, gone with Python 3.12, makes of a version.
    def parts(text):
        found = [part for part in re.split(r"(\d+|[a-z]+|\.)", text) if part and part != "."]
        return [int(part) if part.isdigit() else part for part in found]

    assert parts(mx.__version__) >= parts("1.9.1")
    assert parts("1.6.0") < parts(mx.__version__) < parts("1.10")


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        ("mx.nd._internal._backward_dot()", GluonError, "out of scope"),
        ("mx.contrib.quantization.quantize_net(x)", GluonError, "out of scope"),
        ("mx.contrib.amp.convert_model(x)", GluonError, "out of scope"),
        ("mx.operator.NumpyOp()", GluonError, "replaced: write operators with CustomOp"),
        ("mx.nd.contrib.quantize(x)", GluonError, "out of scope"),
        ("mx.base._LIB.MXGetVersion()", AttributeError, "C library"),
        ("mx.base.check_call(1)", GluonError, "C library"),
        ("mx.nd.ones((1,))._to_shared_mem()", GluonError, "out of scope"),
        ("mx.gluon.nn.Dens", AttributeError, "did you mean 'Dense'"),
        ("mx.nd.FullyConected", AttributeError, "did you mean 'FullyConnected'"),
        ("mx.zzzz", AttributeError, "lists what there is"),
        ("import mxnet.gluonn", ModuleNotFoundError, "did you mean 'gluon'"),
        ("mx.gluon.nnn", AttributeError, "did you mean 'nn'"),
        ("mx.rtc.CudaModule('')", GluonError, "out of scope"),
    ],
)
def test_what_is_missing_fails_with_one_line(mx, code, error, text):
    with pytest.raises(error, match=re.escape(text)) as raised:
        exec(code, {"mx": mx, "x": None})
    assert isinstance(raised.value, GluonError)
    message = str(raised.value)
    assert "\n" not in message
    assert ("did you mean" in message) or table.PAGE in message


def test_a_property_that_cannot_be_given_keeps_its_error(mx):
    with pytest.raises(AttributeError, match="uses no C library; asnumpy"):
        mx.nd.ones((1,)).handle  # noqa: B018


def test_missing_names_can_be_asked_for(mx):
    assert not hasattr(mx, "contrbi")
    assert not hasattr(mx.gluon.nn, "__wrapped__")
    assert getattr(mx.nd, "no_such", 3) == 3


def test_symbols_and_modules_are_those_of_gluon(mx):
    from mxnet.module import Module
    from mxnet.symbol import Symbol, var

    assert Module is gluon.module.Module
    assert Symbol is gluon.symbol.Symbol
    assert var is mx.sym.var
    assert issubclass(mx.mod.BucketingModule, mx.mod.BaseModule)


def test_a_real_mxnet_that_was_imported_before_is_an_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "mxnet", type(sys)("mxnet"))
    before = state()
    with pytest.raises(GluonError, match="imported already"):
        gluon.mxnet.install()
    assert state() == before


def test_ipython_extension():
    gluon.mxnet.load_ipython_extension(None)
    try:
        import mxnet

        assert mxnet.gluon is gluon
    finally:
        gluon.mxnet.unload_ipython_extension(None)
    assert "mxnet" not in sys.modules


@pytest.mark.slow
def test_a_real_mxnet_is_untouched_without_the_hook_and_hidden_with_it(tmp_path):
    (tmp_path / "mxnet").mkdir()
    (tmp_path / "mxnet" / "__init__.py").write_text("__version__ = 'real'\n")
    code = "import gluon.mxnet, mxnet; print(mxnet.__version__)"
    assert python("-c", code, path=(tmp_path,)).stdout == "real\n"
    assert python(*HOOKED, "-c", code, path=(tmp_path,)).stdout == "1.9.1+gluon\n"
    inner = "import subprocess as s, sys; s.run([sys.executable, '-c', 'import mxnet as m; {}'])"
    inner = inner.format("print(m.__version__)")
    assert python(*HOOKED, "-c", inner, path=(tmp_path,)).stdout == "1.9.1+gluon\n"


def test_optimizer_states_of_mxnet_arrays_unpickle(mx):
    by_reference = b"cmxnet.ndarray.ndarray\nNDArray\n."
    assert pickle.loads(by_reference) is gluon.nd.NDArray


def test_children_inherit_the_options():
    with gluon.mxnet.installed(old_numpy=True):
        assert os.environ["PYTHONPATH"].split(os.pathsep)[0] == hook.FOLDER
        assert os.environ[hook.OPTIONS] == "old_numpy"
        assert np.prod is np.prod


def test_what_mxnet_checks_late_or_never(mx):
    layer = mx.gluon.nn.Activation("unknown")
    with pytest.raises(mx.MXNetError, match="='unknown' is not one of"):
        layer(mx.nd.ones((2,)))
    assert mx.gluon.rnn.LSTM(4, bidirectional="yes")._dir == 2
