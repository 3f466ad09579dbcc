"""Names, children, deferred shapes, hooks, files and calls of blocks."""

from __future__ import annotations

import copy
import threading

import numpy as np
import pytest

import gluon
from gluon import GluonError, autograd, nd, nn
from gluon.parameter import DeferredInitializationError
from tests.nn.replay import REFERENCE, assert_as_the_oracle


@pytest.mark.parametrize("program", ["names", "inferred"])
def test_names_and_descriptions_are_the_oracles(program, monkeypatch):
    assert_as_the_oracle(program, monkeypatch)


class Net(gluon.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.first = nn.Dense(3)
            self.second = nn.Dense(2, in_units=3)

    def forward(self, x):
        return self.second(self.first(x))


def test_numbers_go_on_in_every_scope():
    one, two = nn.Dense(1), nn.Dense(1)
    assert int(two.name[5:]) == int(one.name[5:]) + 1
    net = nn.Sequential(prefix="net_")
    names = []
    for _ in range(2):
        with net.name_scope():
            names += [nn.Dense(1).name, nn.Conv2D(1, 1).name]
    assert names == ["net_dense0", "net_conv0", "net_dense1", "net_conv1"]


def test_a_scope_belongs_to_its_thread():
    names = []
    with nn.Sequential(prefix="net_").name_scope():
        worker = threading.Thread(target=lambda: names.append(nn.Dense(1).name))
        worker.start()
        worker.join()
    assert not names[0].startswith("net_")


def test_parameters_are_shared_by_params():
    one = nn.Dense(2, in_units=3, prefix="one_")
    two = nn.Dense(2, in_units=3, params=one.params)
    assert two.weight is one.weight
    one.initialize()
    x = nd.ones((1, 3))
    with autograd.record():
        y = one(x) + two(x)
    y.backward()
    assert one.weight.grad().asnumpy().tolist() == [[2, 2, 2]] * 2


def test_two_parameters_of_one_name_are_refused():
    net = nn.Sequential()
    net.add(nn.Dense(1, prefix="same_"), nn.Dense(1, prefix="same_"))
    with pytest.raises(GluonError, match="two different parameters are called 'same_weight'"):
        net.collect_params()


# --------------------------------------------------------------------------------- children


def test_replacing_a_child():
    net = Net(prefix="net_")
    net.first = nn.Dense(7, prefix="new_")
    assert list(net.collect_params("new")) == ["new_weight", "new_bias"]
    assert len(net.collect_params()) == 4
    with pytest.raises(TypeError, match="'first' of Net 'net' is a Dense; it cannot become an int"):
        net.first = 3


def test_replacing_a_parameter_is_refused():
    net = gluon.Block(prefix="net_")
    net.weight = net.params.get("weight", shape=(1,))
    net.weight = net.weight
    with pytest.raises(GluonError, match=r"to share parameters between blocks, pass params="):
        net.weight = gluon.Parameter("other")


def test_forgetting_super_init():
    class Forgetful(gluon.Block):
        def __init__(self):
            self.first = nn.Dense(1)

    with pytest.raises(GluonError, match=r"call super\(\)\.__init__\(\) before 'first'"):
        Forgetful()


@pytest.mark.parametrize(
    "container", [lambda b: [b], lambda b: (b,), lambda b: {"a": b}, lambda b: [{"a": (b,)}]]
)
def test_blocks_in_a_container_are_warned_of(container):
    net = gluon.Block(prefix="net_")
    net.layers = container(nn.Dense(1))
    with pytest.warns(UserWarning, match="'layers' of Block 'net' is a .* of blocks"):
        net.collect_params()
    net.register_child(nn.Dense(1))
    net.layers = list(net._children.values())
    assert len(net.collect_params()) == 2


def test_apply_and_hybridize_reach_every_block():
    net = Net()
    called = []
    assert net.apply(lambda block: called.append(block)) is net
    assert called == [net.first, net.second, net]
    net.hybridize(active=True, static_alloc=True, static_shape=True)


def test_cast():
    net = Net()
    net.initialize()
    net.cast("float64")
    assert net(nd.ones((1, 5), dtype="float64")).dtype == np.float64


def test_hooks():
    net = Net()
    net.initialize()
    calls = []
    before = net.register_forward_pre_hook(lambda block, inputs: calls.append((block, inputs)))
    after = net.first.register_forward_hook(lambda *args: calls.append(args))
    x = nd.ones((1, 2))
    net(x)
    assert calls[0] == (net, (x,))
    block, inputs, output = calls[1]
    assert (block, inputs) == (net.first, (x,))
    assert output.shape == (1, 3)
    before.detach()
    with after:
        pass
    net(x)
    assert len(calls) == 2


def test_hooks_are_not_called_while_shapes_are_inferred():
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=3), nn.Activation("relu"), nn.Dense(1))
    net.initialize()
    seen = []
    for layer in net:
        layer.register_forward_pre_hook(lambda block, inputs: seen.append(">"))
        layer.register_forward_hook(lambda block, inputs, output: seen.append("<"))
        layer.register_op_hook(lambda name, op, array: seen.append(op))
    net(nd.ones((1, 3)))
    assert seen == [">", "FullyConnected", "<", ">", "Activation", "<", ">", "FullyConnected", "<"]


def test_operator_hooks():
    class Layer(gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.inner = nn.Dense(1, in_units=2)

        def hybrid_forward(self, F, x):
            y = F.exp(F.linalg.gemm2(x, x) * 2)
            pair = F.split(y, num_outputs=2, axis=0)
            return self.inner(F.exp(F.concat(*pair, dim=0)))

    net = Layer(prefix="net_")
    net.initialize()
    seen = []
    handle = net.register_op_hook(lambda name, op, array: seen.append((name, op, array.shape)))
    for _ in range(2):
        net(nd.ones((2, 2)))
        assert seen == [
            ("net_gemm20_output", "gemm2", (2, 2)),
            ("net_exp0_output", "exp", (2, 2)),
            ("net_split0_output0", "split", (1, 2)),
            ("net_split0_output1", "split", (1, 2)),
            ("net_concat0_output", "concat", (2, 2)),
            ("net_exp1_output", "exp", (2, 2)),
            ("net_dense0_fullyconnected0_output", "FullyConnected", (2, 1)),
        ]
        seen.clear()
    handle.detach()
    net(nd.ones((2, 2)))
    assert seen == []
    with net.inner.register_op_hook(lambda name, *_: seen.append(name), monitor_all=True):
        net(nd.ones((2, 2)))
    name = "net_dense0_fullyconnected0"
    assert seen == [f"{name}_input0", f"{name}_input1", f"{name}_input2", f"{name}_output"]


def test_an_unknown_option_of_hybridize():
    layer = nn.Flatten()
    with pytest.warns(UserWarning, match="'activ' is unknown .* did you mean 'active'"):
        layer.hybridize(activ=False)
    layer.hybridize(backend="other", anything=1)  # the options of a backend are its own


def test_hybridize_reaches_blocks_that_define_it():
    class Told(gluon.HybridBlock):
        def hybridize(self, active=True, **kwargs):
            self.told = (active, kwargs)

    inner = Told()
    net = nn.HybridSequential()
    net.add(inner)
    outer = gluon.Block()
    outer.net = net
    net.hybridize()
    assert inner.told == (True, {"static_alloc": False, "static_shape": False})
    outer.hybridize()
    assert inner.told == (True, {"static_alloc": False, "static_shape": False})
    outer.hybridize(False, static_alloc=True)
    assert inner.told == (False, {"static_alloc": True, "static_shape": False})


def test_a_block_that_is_there_twice_has_a_row_for_each_call(capsys):
    layer = nn.Dense(3, in_units=3)
    net = nn.Sequential()
    net.add(layer, layer)
    net.initialize()
    net.hybridize()
    net.summary(nd.ones((2, 3)))
    assert "Total params: 24" in capsys.readouterr().out


def test_infer_type_casts_to_the_inputs():
    net = nn.HybridSequential()
    net.add(nn.Dense(2), nn.BatchNorm())
    net.infer_type(nd.ones((1, 3), dtype="int32"), nd.ones((1,), dtype="float16"))
    dtypes = [np.dtype(one.dtype).name for one in net.collect_params().values()]
    assert dtypes == ["float16"] * 2 + ["float32"] * 4
    net.infer_type(nd.ones((1,), dtype="int32"))
    assert net[0].weight.dtype == np.float16


def test_a_copy_is_trained_apart():
    net = Net()
    net.initialize()
    x = nd.ones((1, 2))
    net(x)
    twin = copy.deepcopy(net)
    with autograd.record():
        twin(x).backward()
    assert abs(twin.first.weight.grad()).sum().asscalar() > 0
    assert abs(net.first.weight.grad()).sum().asscalar() == 0


# -------------------------------------------------------------------------- forward, shapes


def test_a_block_must_define_forward():
    with pytest.raises(NotImplementedError, match="Block must define forward"):
        gluon.Block()(nd.ones((1,)))
    with pytest.raises(NotImplementedError, match="must define hybrid_forward"):
        gluon.HybridBlock()(nd.ones((1,)))


@pytest.mark.parametrize("given", [3, np.ones((1, 2)), [1, 2]])
def test_a_hybrid_block_needs_an_array(given):
    with pytest.raises(ValueError, match=r"in Dense 'd', .*needs an NDArray .* nd\.array"):
        nn.Dense(1, prefix="d_")(given)


def test_parameters_are_taken_on_the_context_of_the_input():
    net = nn.Dense(1, in_units=2)
    net.initialize(ctx=[gluon.cpu(0), gluon.cpu(1)])
    assert net(nd.ones((1, 2), ctx=gluon.cpu(1))).context == gluon.cpu(1)
    with pytest.raises(GluonError, match=r"is on \[cpu\(0\), cpu\(1\)\], not on cpu\(2\)"):
        net(nd.ones((1, 2), ctx=gluon.cpu(2)))


def test_the_context_is_that_of_the_first_array_in_a_list():
    class Sum(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.scale = self.params.get("scale", shape=(2,), init="ones")

        def hybrid_forward(self, F, inputs, scale):
            return scale * (inputs[0] + inputs[1])

    net = Sum()
    net.initialize(ctx=[gluon.cpu(0), gluon.cpu(1)])
    x = nd.ones((2,), ctx=gluon.cpu(1))
    assert net([x, x]).context == gluon.cpu(1)


def test_parameters_to_share_are_a_dictionary():
    with pytest.raises(TypeError, match=r"dense: params is a list; give a ParameterDict, such as"):
        nn.Dense(2, params=[gluon.Parameter("weight")])


def test_several_inputs_and_lists():
    class Both(gluon.HybridBlock):
        def hybrid_forward(self, F, pair, z, scale=None):
            return F.broadcast_add(pair[0], pair[1]) * z

    x = nd.ones((2,))
    assert Both()([x, x], x * 3).asnumpy().tolist() == [6, 6]


def test_deferred_values_name_layer_parameter_and_way_out():
    net = Net(prefix="net_")
    with pytest.raises(GluonError, match=r"'net_dense0_weight' of Dense 'net_dense0'.*initialize"):
        net(nd.ones((1, 2)))
    net.initialize()
    with pytest.raises(DeferredInitializationError, match=r"shape \(3, 0\).*Pass a batch"):
        net.first.weight.data()
    net(nd.ones((1, 2)))
    assert net.first.weight.data().shape == (3, 2)
    with pytest.raises(ValueError, match=r"'net_dense0': .*x: float32\[1, 4\], weight: float32"):
        net(nd.ones((1, 4)))


def test_deferred_initialization_inside_record_is_not_recorded():
    net = nn.Sequential()
    net.add(nn.Dense(4), nn.BatchNorm(), nn.Dropout(0.5), nn.Dense(1))
    net.initialize()
    x = nd.random.normal(shape=(8, 3))
    with autograd.record():
        y = net(x)
    y.backward()
    assert net[0].weight.grad().shape == (4, 3)
    # One forward pass was a training one, not two.
    assert abs(net[1].running_var.data() - 0.9).max().asscalar() < 0.1


def test_a_shape_that_operators_do_not_tell():
    class Scale(gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.w = self.params.get("w", shape=(0,), allow_deferred_init=True)

        def hybrid_forward(self, F, x, w):
            return F.broadcast_mul(x, w)

    net = Scale(prefix="scale_")
    net.initialize()
    with pytest.raises(ValueError, match=r"Scale 'scale', w \(0,\).*cannot be inferred.*in full"):
        net(nd.ones((2, 3)))


def test_a_forward_that_calls_hybrid_forwards_own_runs_once_though_shapes_are_found():
    class Doubled(nn.Dense):
        calls = 0

        def forward(self, x):
            self.calls += 1
            return super().forward(x * 2)

    layer = Doubled(1, weight_initializer="ones")
    layer.initialize()
    assert layer(nd.ones((1, 3))).asscalar() == 6
    assert layer.calls == 1


def test_shapes_that_elementwise_operators_tell():
    class Gate(gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            for name in ("v", "w"):
                shape = (2, 0) if name == "v" else None
                given = {"shape": shape, "init": "ones", "allow_deferred_init": True}
                setattr(self, name, self.params.get(name, **given))

        def hybrid_forward(self, F, x, v, w):
            return F.sigmoid(v + 2 * w) * x - v

    net = Gate(prefix="gate_")
    net.initialize()
    with pytest.raises(ValueError, match=r"Parameter 'gate_v' of Gate 'gate' has shape \(2, 0\)"):
        net(nd.ones((3, 4)))
    net(nd.ones((2, 4)))
    assert net.v.shape == net.w.shape == (2, 4)


def test_a_layer_that_fails_with_known_shapes_says_why():
    layer = nn.Conv2D(3, 3, groups=3, prefix="conv_")
    layer.initialize()
    with pytest.raises(ValueError, match="in Conv2D 'conv'") as caught:
        layer(nd.ones((1, 4, 5, 5)))
    assert "4 channels of an input of shape (1, 4, 5, 5) cannot be divided" in str(caught.value)


def test_infer_shape_reaches_uninitialized_children():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.MaxPool2D(), nn.Dense(3), nn.LayerNorm())
    net.infer_shape(nd.ones((2, 3, 6, 6)))
    shapes = [one.shape for one in net.collect_params().values()]
    assert shapes == [(4, 3, 3, 3), (4,), *[(4,)] * 4, (3, 16), (3,), (3,), (3,)]
    with pytest.raises(GluonError, match="not been initialized"):
        net[0].weight.data()


def test_what_is_planned_says_so():
    with pytest.raises(
        GluonError, match=r"export\(\) does not know the inputs yet; call hybridize"
    ):
        nn.Dense(1).export("path")
    with pytest.raises(GluonError, match=r"optimize_for\(\) supports no backends, got 'TVM'"):
        nn.Dense(1).optimize_for(nd.ones((1, 2)), backend="TVM")
    with pytest.raises(TypeError, match="outputs must be a Symbol"):
        nn.SymbolBlock(None, None)
    with pytest.raises(FileNotFoundError):
        nn.SymbolBlock.imports("a", ["b"])


# ------------------------------------------------------------------------------------ files


def test_files_are_the_oracles_byte_by_byte(monkeypatch):
    assert_as_the_oracle("saved", monkeypatch)


@pytest.fixture
def net(monkeypatch):
    from tests.nn.programs import convolutional
    from tests.nn.replay import MX

    return convolutional(MX())


@pytest.mark.parametrize("place", [0, 1])
def test_files_of_the_oracle_are_loaded(net, tmp_path, place):
    from tests.nn.programs import given

    *files, y = REFERENCE["saved"]["outputs"]
    path = tmp_path / "net.params"
    path.write_bytes(files[place].tobytes())
    net.load_parameters(str(path))
    np.testing.assert_allclose(net(nd.array(given(2, 2, 6, 6))).asnumpy(), y, rtol=1e-4, atol=1e-5)
    net.initialize(ctx=gluon.cpu(1), force_reinit=True)
    net.load_parameters(str(path))
    assert net[0].weight.list_ctx() == [gluon.cpu(1)]
    with pytest.raises(ValueError, match=r"is on \[cpu\(1\)\] and cannot be loaded on \[cpu\(0\)"):
        net.load_parameters(str(path), ctx=gluon.cpu())


def test_files_that_do_not_fit(tmp_path):
    path = str(tmp_path / "a.params")
    small, other = nn.Sequential(), nn.Sequential()
    small.add(nn.Dense(2, in_units=3))
    other.add(nn.Dense(2), nn.Dense(1))
    small.initialize()
    small.save_parameters(path)
    with pytest.raises(ValueError, match=r"has no values for 1\.weight, 1\.bias.*allow_missing"):
        other.load_parameters(path)
    other.load_parameters(path, allow_missing=True)
    np.testing.assert_array_equal(
        other[0].weight.data().asnumpy(), small[0].weight.data().asnumpy()
    )
    other[1].initialize()
    other(nd.ones((1, 3)))
    other.save_parameters(path)
    with pytest.raises(ValueError, match=r"has values for 1\.weight, 1\.bias.*ignore_extra"):
        small.load_parameters(path)
    small.load_parameters(path, ignore_extra=True)
    wide = nn.Sequential()
    wide.add(nn.Dense(5))
    with pytest.raises(ValueError, match=r"has shape \(5, 0\), which cannot become \(2, 3\)"):
        wide.load_parameters(path, ignore_extra=True)
    nd.save(path, [nd.ones((1,))])
    with pytest.raises(ValueError, match="a list of arrays without names"):
        small.load_parameters(path)


def test_names_in_full_with_the_prefix(tmp_path):
    path = str(tmp_path / "a.params")
    net, twin, other = Net(prefix="net_"), Net(prefix="net_"), Net(prefix="other_")
    net.initialize()
    net(nd.ones((1, 4)))
    net.collect_params().save(path)
    twin.load_parameters(path)
    assert (twin(nd.ones((1, 4))) == net(nd.ones((1, 4)))).asnumpy().all()
    with pytest.raises(ValueError, match=r"no values for first\.weight.*it has net_dense0_weight"):
        other.load_parameters(path)


def test_former_names_of_loading_and_saving(tmp_path):
    net, path = Net(prefix="net_"), str(tmp_path / "net")
    net.initialize()
    net(nd.ones((1, 4)))
    with pytest.warns(UserWarning, match="save_params is deprecated; use save_parameters"):
        net.save_params(path)
    assert "dense0_weight" in nd.load(path)
    with pytest.warns(UserWarning, match="load_params is deprecated; use load_parameters"):
        Net().load_params(path, gluon.cpu(1))
    twin = Net()
    net.save(path)
    twin.load(path)
    assert (twin.first.weight.data() == net.first.weight.data()).asnumpy().all()
    assert sorted(nd.load(f"{path}-model.params"))[0] == "first.bias"


def test_dtypes_of_files(tmp_path):
    path = str(tmp_path / "a.params")
    saved = nn.Dense(2, in_units=3)
    saved.initialize()
    saved.save_parameters(path)

    def half():
        net = nn.Dense(2)
        net.cast("float16")
        return net

    with pytest.raises(ValueError, match=r"dtype float16, the saved values float32; pass cast_dty"):
        half().load_parameters(path)
    for source, dtype in (("current", np.float16), ("saved", np.float32)):
        net = half()
        net.load_parameters(path, cast_dtype=True, dtype_source=source)
        assert net.weight.data().dtype == dtype


def test_shared_parameters_are_saved_once_on_request(tmp_path):
    path = str(tmp_path / "a.params")
    net = nn.Sequential()
    net.add(nn.Dense(2, in_units=2))
    net.add(nn.Dense(2, in_units=2, params=net[0].params))
    net.initialize()
    net.save_parameters(path)
    assert len(nd.load(path)) == 4
    net.save_parameters(path, deduplicate=True)
    assert list(nd.load(path)) == ["1.weight", "1.bias"]
    net.load_parameters(path)


# ---------------------------------------------------------------------------------- memory


def test_a_network_is_freed_at_once(no_cycle_collector):
    from weakref import ref

    net = nn.HybridSequential()
    with net.name_scope():
        net.add(nn.Dense(3, activation="relu"), nn.BatchNorm(), nn.Dense(1))
    net.initialize()
    with autograd.record():
        y = net(nd.ones((2, 4)))
    y.backward()
    gone = ref(net[0].weight.data())
    del net
    assert gone() is None


class Renamed(gluon.HybridBlock):
    """Saves its one parameter under an old name, as blocks of GluonNLP do."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.weight = self.params.get("weight", shape=(2,), init="ones")

    def _collect_params_with_prefix(self, prefix=""):
        found = super()._collect_params_with_prefix(prefix)
        start = f"{prefix}." if prefix else ""
        found[start + "old_weight"] = found.pop(start + "weight")
        return found

    def hybrid_forward(self, F, x, weight):
        return x * weight


def test_subclasses_name_their_parameters_with_a_prefix_without_a_dot(tmp_path):
    def made():
        outer, inner = nn.HybridSequential(), nn.HybridSequential()
        inner.add(Renamed(), nn.Dense(1, in_units=2), gluon.rnn.LSTM(2, input_size=2))
        outer.add(inner)
        return outer

    net, other = made(), made()
    net.initialize()
    names = list(net._collect_params_with_prefix())
    assert names[:3] == ["0.0.old_weight", "0.1.weight", "0.1.bias"]
    assert names[3].startswith("0.2._unfused.0.")
    assert next(iter(net._collect_params_with_prefix("net"))) == "net.0.0.old_weight"
    net.save_parameters(str(tmp_path / "net.params"))
    other.load_parameters(str(tmp_path / "net.params"))
    assert other[0][0].weight.data().asnumpy().tolist() == [1, 1]


@pytest.mark.parametrize("hybridized", [False, True])
def test_a_block_of_a_container_is_replaced(hybridized):
    net = nn.HybridSequential()
    net.add(nn.Dense(3, in_units=2), nn.Dense(4, in_units=3))
    net.initialize()
    net.hybridize(hybridized)
    x = nd.ones((5, 2))
    net(x)
    head = nn.Dense(1, in_units=3, prefix="head_")
    head.initialize()
    net[-1] = head
    assert (len(net), net[1]) == (2, head)
    assert {"head_weight", "head_bias"} < set(net.collect_params())
    assert net(x).asnumpy().tolist() == head(net[0](x)).asnumpy().tolist()
    with pytest.raises(gluon.GluonError, match="index is out of range"):
        net[2] = head
