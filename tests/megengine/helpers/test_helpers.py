"""Helpers in plain Python of MegEngine's internal modules work."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import gluon.megengine
from gluon._hook.errors import CheckError


@pytest.fixture(autouse=True)
def hook():
    with gluon.megengine.installed():
        yield


def saved(into: dict, name: str):
    return lambda grad: into.update({name: grad.tolist()})


def test_gradients_by_callback():
    import megengine.functional as F
    from megengine import Tensor
    from megengine.core.autodiff.grad import Grad

    x, found = Tensor([1.0, 2.0]), {}
    with Grad().wrt(x, callback=saved(found, "x")) as grad:
        y = x * x
        grad(y, F.ones_like(y))
    assert (found, x.grad) == ({"x": [2, 4]}, None)


def test_gradients_of_gradients_by_callback():
    import megengine.functional as F
    from megengine import Tensor
    from megengine.core.autodiff.grad import Grad

    x, kept = Tensor([2.0]), {}
    outer, inner = Grad("outer"), Grad("inner")
    with outer.wrt(x, callback=saved(kept, "second")):
        with inner.wrt(x, callback=lambda grad: kept.update(first=grad)):
            y = x * x * x
            inner(y, F.ones_like(y))
        first = kept["first"]
        outer(first, F.ones_like(first))
    assert (first.tolist(), kept["second"]) == ([12], [12])


def test_members_of_a_group_do_not_see_each_other():
    import megengine.functional as F
    from megengine import Tensor
    from megengine.core.autodiff.grad import Grad

    x, found = Tensor([3.0]), {}
    first, second = Grad().wrt(x, callback=saved(found, "a")), Grad().wrt(x)
    with first:
        Grad.begin_group()
        second.__enter__()
        Grad.end_group()
        y = x * x
        second(y, F.ones_like(y))
        first(y, F.ones_like(y))
        second.__exit__(None, None, None)
    assert found == {"a": [6]}
    assert Grad.stack == []


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("apply(builtin.Elemwise(mode='add'), x, y)[0].tolist()", [4, 6]),
        ("apply(builtin.Elemwise('FUSE_MUL_ADD3'), x, y, y)[0].tolist()", [6, 12]),
        ("apply(builtin.Reduce(mode='sum', axis=0), x)[0].tolist()", [3]),
        ("apply(builtin.Reduce(mode='max', axis=0, keepdim=False), x)[0].tolist()", 2),
        ("apply(builtin.Reduce(), m)[0].tolist()", [10]),
        ("apply(builtin.Dimshuffle(pattern=[1, -1, 0]), m)[0].shape", (2, 1, 2)),
        ("apply(builtin.MatrixMul(transposeB=True), m, m)[0].tolist()", [[5, 11], [11, 25]]),
        ("apply(builtin.AddAxis(axis=[0]), x)[0].shape", (1, 2)),
        ("apply(builtin.TypeCvt(dtype='int32'), x)[0].dtype.name", "int32"),
        ("apply(builtin.GetVarShape(), m)[0].tolist()", [2, 2]),
        ("apply(builtin.Cumsum(axis=0, exclusive=False, reverse=False), x)[0].tolist()", [1, 3]),
        ("apply(builtin.Concat(axis=0), x, y)[0].tolist()", [1, 2, 3, 4]),
        (
            "apply(builtin.Subtensor(items=[(0, True, False, False, False)]), x, one)[0].tolist()",
            [2],
        ),
        ("apply(builtin.Split(axis=0, nsections=2), x)[1].tolist()", [2]),
        ("apply(builtin.Pooling(mode='max'), F.ones((1, 1, 4, 4)))[0].shape", (1, 1, 2, 2)),
        ("builtin.Elemwise(mode='add') == builtin.Elemwise(mode='ADD')", True),
        ("builtin.Elemwise.Mode.ADD == builtin.Elemwise('add').mode", True),
        ("repr(builtin.Elemwise.Mode.ADD)", "Elemwise.Mode.ADD"),
        ("builtin.Convolution(compute_mode='float32').compute_mode", "FLOAT32"),
    ],
)
def test_operators(text, want):
    import megengine.functional as F
    from megengine import Tensor
    from megengine.core._imperative_rt.core2 import apply
    from megengine.core.ops import builtin

    x, y, m = Tensor([1.0, 2.0]), Tensor([3.0, 4.0]), Tensor([[1.0, 2.0], [3.0, 4.0]])
    one = Tensor(1)
    scope = {"apply": apply, "builtin": builtin, "F": F, "x": x, "y": y, "m": m, "one": one}
    assert eval(text, scope) == want


def test_an_operator_that_there_is_not_fails_when_it_is_used():
    from megengine.core._imperative_rt.core2 import apply
    from megengine.core.ops import builtin

    with pytest.raises(RuntimeError, match="cannot be used"):
        builtin.NvOf()
    with pytest.raises(TypeError, match="no setting 'side'"):
        builtin.Elemwise(side="left")
    with pytest.raises(TypeError, match="is not an operator"):
        apply("add", 1, 2)
    with pytest.raises(ValueError, match="mode 'NONE'"):
        apply(builtin.Elemwise("NONE"), 1, 2)


def test_functions_of_operators():
    from megengine import Tensor
    from megengine.autodiff import GradManager
    from megengine.core.tensor.utils import subgraph_fn

    @subgraph_fn("scaled", "float32", "cpu0", 2)
    def scaled(inputs, f, c):
        x, y = inputs
        return (f("+", f("*", x, y), c(1.0)),), (True,)

    @subgraph_fn("own", "float32", "cpu0", 1, custom_grad=True)
    def own(inputs, f, c):
        (x,) = inputs
        (dy,) = yield (f("*", x, x),)
        yield (f("*", dy, c(7.0)),)

    x = Tensor([2.0])
    with GradManager().attach(x) as manager:
        manager.backward(scaled(x, Tensor([3.0]))[0] + own(x)[0])
    assert x.grad.tolist() == [10]


def test_modules_are_listed_and_changed_by_name():
    import megengine.module as M
    from megengine.utils.module_utils import (
        get_expand_structure,
        set_expand_structure,
        set_module_mode_safe,
    )

    net = M.Sequential(M.Linear(2, 3), M.BatchNorm1d(3))
    names = [name for name, _ in net._flatten(with_key=True, predicate=lambda one: True)]
    assert "0.weight" in names
    assert get_expand_structure(net, "0.weight") is net[0].weight
    set_expand_structure(net, "0.bias", None)
    assert net[0].bias is None
    with set_module_mode_safe(net):
        assert not net.training
    assert net.training
    owners = [owner for _, owner in net._flatten(with_parent=True)]
    assert net in owners


def test_normalization_is_folded_into_the_layer_before_it():
    import megengine.module as M
    from megengine import Tensor
    from megengine.utils.bn_fusion import fuse_conv_bn_relu_module, fuse_linear_bn_relu_module

    rng = np.random.default_rng(0)
    for layer, norm, shape, fuse in (
        (M.Conv2d(4, 6, 3, groups=2), M.BatchNorm2d(6), (2, 4, 5, 5), fuse_conv_bn_relu_module),
        (M.ConvTranspose2d(4, 6, 3), M.BatchNorm2d(6), (2, 4, 5, 5), fuse_conv_bn_relu_module),
        (M.Linear(4, 6), M.BatchNorm1d(6), (3, 4), fuse_linear_bn_relu_module),
    ):
        for one in (norm.weight, norm.bias, norm.running_mean, norm.running_var):
            one[...] = Tensor(rng.uniform(0.5, 1.5, one.shape).astype("float32"))
        x = Tensor(rng.normal(size=shape).astype("float32"))
        norm.eval()
        want = M.ReLU()(norm(layer(x))).numpy()
        assert np.allclose(fuse(layer, norm, M.ReLU())(x).numpy(), want, atol=1e-5)


def test_small_helpers():
    import megengine.jit as jit
    from megengine.core._trace_option import use_symbolic_shape
    from megengine.core.tensor.utils import _normalize_axis, astensor1d, make_shape_tuple
    from megengine.utils.deprecation import deprecated_func
    from megengine.utils.dlpack import from_dlpack, to_dlpack
    from megengine.utils.future import Future
    from megengine.utils.max_recursion_limit import max_recursion_limit
    from megengine.utils.tuple_function import _pair

    from gluon.megengine import Tensor

    assert use_symbolic_shape() is False
    assert _normalize_axis(3, (-1, 0), reverse=True) == [2, 0]
    with pytest.raises(AssertionError):
        _normalize_axis(3, (0, -3))
    assert astensor1d([1, Tensor(2)]).tolist() == [1, 2]
    assert make_shape_tuple([2, Tensor([3, 4])]) == (2, 3, 4)
    with pytest.warns(DeprecationWarning, match=r"use megengine\.functional\.exp"):
        assert deprecated_func("1", "megengine.functional", "exp", False)(Tensor([0.0])).item() == 1
    assert from_dlpack(to_dlpack(Tensor([1.0]))).tolist() == [1]
    future = Future(ack=False)
    future.set(3)
    assert future.get() == 3
    with max_recursion_limit():
        pass
    assert _pair(2) == (2, 2)
    with pytest.raises(AssertionError):
        _pair((1, 2, 3))
    assert jit.SublinearMemoryConfig(genetic_nr_iter=2).genetic_pool_size == 20
    with pytest.raises(CheckError, match="eviction_threshold=0"):
        jit.DTRConfig()


def test_deprecated_methods_of_tensors():
    from megengine import Tensor

    x = Tensor([1.0, 2.0])
    with pytest.warns(DeprecationWarning, match="set_value: write"):
        x.set_value(np.ones(3))
    with pytest.warns(DeprecationWarning, match="reset_zero: write"):
        x.reset_zero()
    assert x.tolist() == [0, 0, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert 0 in x
        assert complex(Tensor([2.0])) == 2
