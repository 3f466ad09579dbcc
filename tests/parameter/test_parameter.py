"""Parameters and their dictionaries."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import gluon
from gluon import Constant, GluonError, Parameter, ParameterDict, autograd, nd, nn
from gluon.parameter import DeferredInitializationError


@pytest.fixture
def weight():
    parameter = Parameter("w", shape=(3, 2), init="ones")
    parameter.initialize()
    return parameter


def test_life_of_a_parameter():
    parameter = Parameter("w", shape=(3, 0), allow_deferred_init=True)
    for read in (parameter.data, parameter.grad, parameter.list_data, parameter.list_ctx):
        with pytest.raises(GluonError, match=r"'w' has not been initialized; call initialize\(\)"):
            read()
    parameter.initialize(init="ones", ctx=gluon.cpu(1))
    assert parameter.list_ctx() == [gluon.cpu(1)]
    with pytest.raises(DeferredInitializationError, match=r"shape \(3, 0\) is not known"):
        parameter.data()
    parameter.shape = (3, 2)
    parameter._finish_deferred_init()
    assert parameter.data().asnumpy().tolist() == [[1, 1]] * 3
    assert parameter.data().context == gluon.cpu(1)
    assert parameter.grad().asnumpy().tolist() == [[0, 0]] * 3


def test_values_are_the_same_handles_until_replaced(weight):
    data, grad = weight.data(), weight.grad()
    with autograd.record():
        (data * 3).backward()
    assert weight.data() is data
    assert weight.grad() is grad
    assert grad.asnumpy().tolist() == [[3, 3]] * 3
    weight.set_data(nd.zeros((3, 2)))
    assert data.asnumpy().tolist() == [[0, 0]] * 3


@pytest.mark.parametrize("shape", [None, (), (3, 0), (3, -1)])
def test_an_unknown_shape_needs_permission(shape):
    with pytest.raises(ValueError, match=r"'w' cannot be initialized with shape.*every length"):
        Parameter("w", shape=shape).initialize()


def test_an_unknown_length_is_minus_one_where_arrays_may_be_empty():
    weight = Parameter("w", shape=(3, 0), allow_deferred_init=True)
    assert weight.shape == (3, 0)
    with gluon.util.np_shape():
        assert weight.shape == (3, -1)


def test_initializing_twice(weight):
    with pytest.warns(UserWarning, match="'w' has been initialized already.*force_reinit") as found:
        weight.initialize()
    assert found[0].filename == __file__
    weight.init = None
    weight.initialize(gluon.init.Constant(4), force_reinit=True)
    assert weight.data().asnumpy().tolist() == [[4, 4]] * 3


def test_which_initializer_decides():
    def value(own, **kwargs):
        parameter = Parameter("a_bias", shape=(1,), init=own)
        parameter.initialize(**kwargs)
        return parameter.data().asscalar()

    two, three = gluon.init.Constant(2), gluon.init.Constant(3)
    assert value("ones", init=two, default_init=three) == 2
    assert value("ones", default_init=three) == 1
    assert value(None, default_init=three) == 3
    assert 0 < abs(value(None)) < 0.07


def test_an_initializer_that_fails_can_be_replaced():
    parameter = Parameter("w", shape=(3,))
    with pytest.raises(ValueError, match="Xavier needs a weight with at least 2 axes; 'w'"):
        parameter.initialize("xavier")
    parameter.initialize("ones")
    assert parameter.data().asnumpy().tolist() == [1, 1, 1]


def test_shapes_must_agree(weight):
    for give in (
        lambda: setattr(weight, "shape", (3, 4)),
        lambda: setattr(weight, "shape", (3, 2, 1)),
        lambda: weight.set_data(nd.ones((2, 3))),
    ):
        with pytest.raises(ValueError, match=r"'w' has shape \(3, 2\), which cannot become"):
            give()


def test_set_data_before_the_shape_is_known():
    parameter = Parameter("w", shape=(2, 0), allow_deferred_init=True)
    with pytest.raises(GluonError, match="not been initialized"):
        parameter.set_data(nd.ones((2, 3)))
    parameter.initialize()
    parameter.set_data(np.full((2, 3), 5))
    parameter._finish_deferred_init()
    assert parameter.data().asnumpy().tolist() == [[5, 5, 5]] * 2


def test_grad_req(weight):
    weight.grad_req = "null"
    assert weight.data().grad is None
    with pytest.raises(GluonError, match="'w' has no gradient, since its grad_req is 'null'"):
        weight.grad()
    with autograd.record():
        y = weight.data() * 2
    with pytest.raises(GluonError):
        y.backward()
    weight.grad_req = "add"
    for _ in range(2):
        with autograd.record():
            y = weight.data() * 2
        y.backward()
    assert weight.grad().asnumpy().tolist() == [[4, 4]] * 3
    weight.zero_grad()
    assert weight.grad().asnumpy().tolist() == [[0, 0]] * 3
    with pytest.raises(ValueError, match="'w': grad_req must be one of write, add, null"):
        weight.grad_req = "all"


def test_what_has_no_gradient_keeps_none():
    parameter = Parameter("mean", shape=(2,), differentiable=False)
    parameter.grad_req = "write"
    assert parameter.grad_req == "null"


def test_cast(weight):
    weight.cast("float16")
    assert weight.data().dtype == weight.grad().dtype == np.float16
    weight.dtype = "float64"
    assert weight.data().dtype == np.float64
    assert weight.data().asnumpy().tolist() == [[1, 1]] * 3


def test_contexts(weight):
    weight.initialize(ctx=[gluon.cpu(0), gluon.cpu(1)], force_reinit=True)
    one, two = weight.list_data()
    assert [one.context, two.context] == weight.list_ctx() == [gluon.cpu(0), gluon.cpu(1)]
    with gluon.cpu(1):
        assert weight.data() is two
    assert weight.data() is weight.data(gluon.cpu(0)) is one
    assert len(weight.list_grad()) == 2
    two[:] = 3
    weight.reset_ctx(gluon.cpu(2))
    assert weight.data().context == gluon.cpu(2)
    assert weight.data().asnumpy().tolist() == [[2, 2]] * 3
    with pytest.raises(GluonError, match=r"'w' is on \[cpu\(2\)\], not on cpu\(0\)"):
        weight.data(gluon.cpu(0))
    with pytest.raises(ValueError, match="names a context twice"):
        weight.reset_ctx([gluon.cpu(), gluon.cpu()])
    with pytest.raises(ValueError, match="reset_ctx: Parameter 'x' is not initialized"):
        Parameter("x").reset_ctx(gluon.cpu())


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))])
def test_copies_are_variables_of_their_own(weight, duplicate):
    twin = duplicate(weight)
    with autograd.record():
        (twin.data() * 2).backward()
    assert twin.grad().asnumpy().tolist() == [[2, 2]] * 3
    assert weight.grad().asnumpy().tolist() == [[0, 0]] * 3


def test_storages_are_known():
    with pytest.raises(ValueError, match=r"'w': stype must be one of .*row_sparse, not 'rows'"):
        Parameter("w", stype="rows")
    with pytest.raises(
        AssertionError, match=r"grad_stype must be one of .*, row_sparse, not 'dense'"
    ):
        Parameter("w", grad_stype="dense")


def test_gradients_are_sparse_where_that_is_asked_for():
    embedding = nn.Embedding(4, 2, sparse_grad=True)
    weight = embedding.params.get("weight", shape=(4, 2), grad_stype="row_sparse")
    embedding.initialize("ones")
    with autograd.record():
        embedding(nd.array([1, 1])).sum().backward()
    assert weight.grad().indices.asnumpy().tolist() == [1]
    assert weight.grad().asnumpy().tolist() == [[0, 0], [2, 2], [0, 0], [0, 0]]
    weight.zero_grad()
    assert weight.grad().stype == "row_sparse"
    assert weight.grad().data.shape == (0, 2)


def test_a_layer_computes_with_what_is_written_into_the_list_of_replicas():
    layer = nn.Dense(1, in_units=2, use_bias=False)
    layer.initialize("zeros")
    x = nd.array([[3, 4]])
    half = nd.array([[0.5, 1]])
    half.attach_grad()
    with autograd.record():
        layer.weight._data[0] = half * 2
        y = layer(x)
    y.backward()
    assert y.item() == 11
    assert layer.weight.data().asnumpy().tolist() == [[1, 2]]
    assert half.grad.asnumpy().tolist() == [[6, 8]]


def test_dense_parameters_give_no_rows(weight):
    rows = nd.array([0])
    with pytest.raises(GluonError, match=r"row_sparse_data: Parameter 'w' has stype='default'"):
        weight.row_sparse_data(rows)
    with pytest.raises(GluonError, match=r"list_row_sparse_data: Parameter 'w' has stype='de"):
        weight.list_row_sparse_data(rows)


def test_sparse_parameters_give_rows_alone():
    weight = Parameter("w", shape=(4, 1), stype="row_sparse", grad_stype="row_sparse", init="ones")
    weight.initialize()
    for whole in (weight.data, weight.list_data):
        with pytest.raises(GluonError, match=r"stype='row_sparse'.*use row_sparse_data"):
            whole()
    rows = weight.row_sparse_data(nd.array([3, 1, 3]))
    assert (rows.stype, rows.indices.asnumpy().tolist()) == ("row_sparse", [1, 3])
    assert weight.list_row_sparse_data(nd.array([0]))[0].asnumpy().tolist() == [[1], [0], [0], [0]]
    with pytest.raises(ValueError, match=r"row_sparse_data: indices from 4 to 4 .* 4 rows"):
        weight.row_sparse_data(nd.array([4]))
    weight.set_data(nd.array([[0], [1], [2], [3]]))
    assert weight.row_sparse_data(nd.array([3])).asnumpy().tolist() == [[0], [0], [0], [3]]


def test_values_are_loaded_on_the_cpu_by_default():
    parameter = Parameter("w", shape=(2,))
    with gluon.cpu(1):
        parameter._load_init(nd.ones((2,)), None, False, "current")
    assert parameter.list_ctx() == [gluon.cpu(0)]


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ([1, 2], np.float32),
        (np.array([1, 2]), np.float32),
        (nd.array([1, 2], dtype="int8"), np.int8),
    ],
)
def test_constants(value, dtype):
    constant = Constant("c", value)
    constant.initialize()
    assert constant.data().dtype == dtype
    assert constant.data().asnumpy().tolist() == [1, 2]
    with pytest.warns(UserWarning, match=r"Constant 'c' is never trained.*'write'") as found:
        constant.grad_req = "write"
    assert found[0].filename == __file__
    assert constant.grad_req == "null"


# ------------------------------------------------------------------------------ dictionaries


@pytest.fixture
def params():
    return ParameterDict("net_")


def test_get_makes_and_finds(params):
    weight = params.get("w", shape=(2, 0))
    assert weight.name == "net_w"
    assert params.get("w") is params["net_w"] is weight
    assert params.get("w", shape=(0, 3)).shape == (2, 3)
    assert params.get("w", dtype="float32", init="ones").init == "ones"
    assert "net_w" in params
    assert "w" not in params
    assert list(params.keys()) == list(params) == ["net_w"]
    for key, given in (("shape", (2, 4)), ("dtype", "float16"), ("lr_mult", 3)):
        with pytest.raises(
            ValueError, match=rf"'net_w' exists with {key}=.*cannot be requested again"
        ):
            params.get("w", **{key: given})


def test_shared_parameters_are_found(params):
    weight = params.get("w", shape=(1,))
    assert ParameterDict("net_", shared=params).get("w") is weight


def test_get_constant(params):
    constant = params.get_constant("c", [1, 2])
    assert params.get_constant("c") is params.get_constant("c", [1, 2]) is constant
    with pytest.raises(ValueError, match="'net_c' exists with another value"):
        params.get_constant("c", [1, 3])
    with pytest.raises(KeyError, match="the constant 'net_d' does not exist"):
        params.get_constant("d")
    params.get("w")
    with pytest.raises(ValueError, match="'net_w' is a parameter, not a constant"):
        params.get_constant("w", [1])


def test_all_at_once(params):
    for name in "ab":
        params.get(name, shape=(2,))
    params.initialize(gluon.init.One(), ctx=[gluon.cpu(0), gluon.cpu(1)])
    assert params.list_ctx() == [gluon.cpu(0), gluon.cpu(1)]
    params.reset_ctx(gluon.cpu(0))
    params.setattr("lr_mult", 0.5)
    assert [one.lr_mult for one in params.values()] == [0.5, 0.5]
    for _, one in params.items():
        one.grad()[:] = 3
    params.zero_grad()
    assert [one.grad().sum().asscalar() for one in params.values()] == [0, 0]


def test_what_initialize_logs(params, caplog, capsys):
    params.get("w_weight", shape=(2,), init=gluon.init.One())
    params.get("v_weight", shape=(0,), allow_deferred_init=True)
    params.get("b", shape=(2,), init="zeros")
    with caplog.at_level("INFO"):
        params.initialize(gluon.init.Constant(3), verbose=True)
        params["net_v_weight"].set_data(nd.ones((4,)))  # no initializer has a say
    assert [one.getMessage() for one in caplog.records] == [
        "Initialized net_w_weight as One: 1.0",
        "Initialized net_b as zeros: 0.0",
    ]
    assert capsys.readouterr().out == ""


def test_deferred_values_are_logged_once_they_are_there(caplog):
    net = gluon.nn.Dense(2, prefix="net_", use_bias=False)
    with caplog.at_level("INFO"):
        net.initialize(verbose=True, init=gluon.init.Constant(3))
        assert caplog.text == ""
        net(nd.ones((1, 2)))
    assert caplog.messages == ["Initialized net_weight as Constant: 3.0"]


def test_load_dict(params):
    weight = params.get("w", shape=(2,))
    params.load_dict({"arg:w": nd.array([1, 2])}, gluon.cpu(1), restore_prefix="net_")
    assert weight.data().asnumpy().tolist() == [1, 2]
    assert weight.list_ctx() == [gluon.cpu(1)]
    with pytest.raises(ValueError, match=r"^param_dict has no values for net_w; it has w\."):
        params.load_dict({"w": nd.ones((2,))})
    given = {"net_w": nd.ones((2,)), "net_v": nd.ones((2,))}
    with pytest.raises(ValueError, match=r"^a\.params has values for net_v"):
        params.load_dict(given, filename="a.params")


def test_files(params, tmp_path):
    path = str(tmp_path / "a.params")
    params.get("w", shape=(2,), init="ones")
    params.initialize()
    params.save(path, strip_prefix="net_")
    assert list(nd.load(path)) == ["w"]
    other = ParameterDict("other_")
    other.get("w", shape=(0,), allow_deferred_init=True)
    other.load(path, restore_prefix="other_")
    assert other["other_w"].data().asnumpy().tolist() == [1, 1]
    nd.save(path, {"arg:other_w": nd.zeros((2,))})
    other.load(path)
    assert other["other_w"].data().asnumpy().tolist() == [0, 0]
    with pytest.raises(ValueError, match=r"strip_prefix='x'.*'net_w' does not start with it"):
        params.save(path, strip_prefix="x")
    with pytest.raises(ValueError, match=r"restore_prefix='x'"):
        params.load(path, restore_prefix="x")
    with pytest.raises(ValueError, match="dtype_source is 'current' or 'saved', not 'file'"):
        other.load(path, dtype_source="file")


@pytest.mark.parametrize(
    "other",
    [
        lambda params: nn.Dense(40, params=params),
        lambda params: nn.Dense(40, in_units=30, use_bias=False, params=params),
        lambda params: nn.Embedding(40, 30, params=params),
    ],
)
def test_layers_of_other_kinds_share_a_weight(other):
    table = nn.Embedding(40, 30)
    tied = other(table.params)
    assert tied.weight is table.weight
    table.initialize()
    with autograd.record():
        y = nd.dot(table(nd.array([1, 2])), tied.weight.data().T).sum()
    y.backward()
    assert table.weight.grad().asnumpy()[3].any()


def test_one_parameter_is_asked_for_with_other_ways_of_deferring():
    params = ParameterDict("net_")
    weight = params.get("w", shape=(2, 0), allow_deferred_init=True)
    assert params.get("w", shape=(2, 3), allow_deferred_init=False, differentiable=False) is weight
    assert weight.shape == (2, 3)
    assert weight.grad_req == "write"
    assert params.get("w", shape=None, dtype=None, init=None) is weight
    for different in ({"dtype": "float64"}, {"lr_mult": 2.0}, {"shape": (3, 2)}):
        with pytest.raises(GluonError, match="exists with"):
            params.get("w", **different)


@pytest.mark.parametrize("shape", [(1 << 30, 1 << 25), (1 << 40, 1 << 40)])
def test_values_that_fit_no_memory_name_the_parameter(shape):
    weight = gluon.Parameter("weight", shape=shape)
    with pytest.raises(gluon.errors.AllocationError, match=r"Parameter 'weight': .*smaller"):
        weight.initialize()
