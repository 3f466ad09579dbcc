"""Modules, optimizers, data and the parts around them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gluon import GluonError
from gluon.megengine import Parameter, Tensor, distributed, jit, load, random, save
from gluon.megengine import functional as F
from gluon.megengine import module as M
from gluon.megengine import optimizer as optim
from gluon.megengine.autodiff import GradManager
from gluon.megengine.data import (
    ArrayDataset,
    DataLoader,
    Infinite,
    RandomSampler,
    ReplacementSampler,
    SequentialSampler,
    StreamSampler,
)
from gluon.megengine.data.dataset import StreamDataset
from gluon.megengine.module import init


class Net(M.Module):
    def __init__(self):
        super().__init__()
        self.layers = [M.Linear(2, 2), M.Linear(2, 3)]
        self.by_name = {"a": M.Linear(1, 1)}
        self.scale = Parameter([1.0])
        self.count = Tensor([2.0])
        self.shared = self.layers[0]


def test_members_are_found_in_lists_and_dicts_once_and_in_order():
    net = Net()
    assert [name for name, _ in net.named_parameters()] == [
        "by_name.a.bias",
        "by_name.a.weight",
        "layers.0.bias",
        "layers.0.weight",
        "layers.1.bias",
        "layers.1.weight",
        "scale",
    ]
    assert [name for name, _ in net.named_buffers()] == ["count"]
    assert [name for name, _ in net.named_modules()] == ["", "by_name.a", "layers.0", "layers.1"]
    assert len(list(net.parameters(recursive=False))) == 1


def test_state_goes_from_one_module_to_another(tmp_path):
    one, other = Net(), Net()
    save(one.state_dict(), tmp_path / "net.pkl")
    other.load_state_dict(load(tmp_path / "net.pkl"))
    for key, value in one.state_dict().items():
        assert other.state_dict()[key].tolist() == value.tolist()
    other.layers[1].weight += 1
    assert one.layers[1].weight.tolist() != other.layers[1].weight.tolist()


def test_a_state_that_does_not_fit_changes_nothing():
    net = Net()
    state = {**net.state_dict(), "scale": np.array([7.0])}
    with pytest.raises(GluonError, match="param `count` shape mismatch"):
        net.load_state_dict({**state, "count": np.ones(5)})
    with pytest.raises(KeyError, match="unused names \\['left'\\]"):
        net.load_state_dict({**state, "left": np.ones(1)})
    assert net.scale.tolist() == [1]
    net.load_state_dict({"scale": np.array([7.0])}, strict=False)
    assert net.scale.tolist() == [7]


def test_train_and_eval_reach_every_module():
    net = M.Sequential(M.Dropout(0.9), M.Sequential(M.Dropout(0.9)))
    net.eval()
    assert net(F.ones(4)).tolist() == [1, 1, 1, 1]
    net.train()
    assert [one.training for one in net.modules()] == [True] * 4


def test_hooks_change_what_goes_in_and_out():
    layer = M.Identity()
    before = layer.register_forward_pre_hook(lambda module, inputs: inputs[0] + 1)
    after = layer.register_forward_hook(lambda module, inputs, outputs: outputs * 10)
    assert layer(Tensor([1.0])).item() == 20
    before.remove()
    after.remove()
    assert layer(Tensor([1.0])).item() == 1


def test_a_slice_of_a_sequence_is_a_sequence():
    net = M.Sequential(M.ReLU(), M.Sigmoid(), M.Identity())
    assert repr(net[:2]) == "Sequential(\n  (0): ReLU()\n  (1): Sigmoid()\n)"
    net[0] = M.Identity()
    assert [type(one).__name__ for one in net] == ["Identity", "Sigmoid", "Identity"]


def test_initial_weights_have_the_spread_of_their_fans():
    weight = Parameter(F.zeros((400, 300)))
    init.msra_normal_(weight, nonlinearity="relu")
    assert np.std(weight.numpy()) == pytest.approx(np.sqrt(2 / 300), rel=0.02)
    init.xavier_uniform_(weight)
    assert np.abs(weight.numpy()).max() == pytest.approx(np.sqrt(6 / 700), rel=0.01)
    assert np.std(M.Linear(300, 400).weight.numpy()) == pytest.approx(300**-0.5, rel=0.02)


# ------------------------------------------------------------------------------ optimizers


def test_groups_have_options_of_their_own():
    a, b, c = Parameter([1.0]), Parameter([1.0]), Parameter([1.0])
    made = optim.SGD([{"params": [a], "lr": 1.0}, {"params": b}], lr=0.1)
    made.add_param_group({"params": [c], "lr": 0.0})
    for one in (a, b, c):
        one.grad = Tensor([1.0])
    made.step()
    np.testing.assert_allclose([a.item(), b.item(), c.item()], [0, 0.9, 1])


def test_a_state_goes_from_one_optimizer_to_another():
    def step(made):
        p = made.param_groups[0]["params"][0]
        p.grad = p.detach() * 2
        made.step().clear_grad()
        return p

    one = optim.Adam([Parameter([1.0, 2.0])], lr=0.1)
    p = step(one)
    other = optim.Adam([Parameter(p.numpy())], lr=0.5)
    other.load_state_dict(one.state_dict())
    assert step(one).tolist() == step(other).tolist()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: optim.SGD([], 0.1), "params is empty"),
        (lambda p: optim.SGD([Tensor([1.0])], 0.1), "item 0 is a Tensor, not a Parameter"),
        (lambda p: optim.SGD([p], -1), "lr=-1 must be 0 or more"),
        (lambda p: optim.Adam([p], 0.1, betas=(1, 0)), "betas="),
        (lambda p: optim.SGD([{"params": [p]}, {"params": [p]}], 0.1), "more than one group"),
        (lambda p: optim.MultiStepLR(optim.SGD([p], 1), [3, 1]), "not in order"),
    ],
)
def test_wrong_options_are_errors(make, message):
    with pytest.raises(GluonError, match=message):
        make(Parameter([1.0]))


# ------------------------------------------------------------------------------------ data


@pytest.fixture
def pairs():
    return ArrayDataset(np.arange(10.0).reshape(5, 2), np.arange(5))


def test_a_loader_gives_arrays(pairs):
    batches = list(DataLoader(pairs, SequentialSampler(pairs, 2)))
    assert [batch[1].tolist() for batch in batches] == [[0, 1], [2, 3], [4]]
    assert batches[0][0].shape == (2, 2)
    assert len(DataLoader(pairs)) == 5


def test_samplers(pairs):
    sampler = RandomSampler(pairs, 2, drop_last=True, seed=1)
    first, second = list(sampler), list(sampler)
    assert len(first) == len(sampler) == 2
    assert first != second
    assert first == list(RandomSampler(pairs, 2, drop_last=True, seed=1))
    assert sorted(k for batch in RandomSampler(pairs, 2, indices=[4, 2, 0]) for k in batch) == [
        0,
        2,
        4,
    ]
    endless = DataLoader(pairs, Infinite(SequentialSampler(pairs, 4)))
    assert [len(batch[1]) for batch, _ in zip(endless, range(5))] == [4, 1, 4, 1, 4]
    with pytest.raises(TypeError, match="Infinite"):
        len(endless)


def test_samplers_divide_samples_among_processes():
    parts = [list(SequentialSampler(range(10), 2, world_size=3, rank=k)) for k in range(3)]
    assert parts == [[[0, 3], [6, 9]], [[1, 4], [7, 0]], [[2, 5], [8, 1]]]
    shuffled = [RandomSampler(range(9), 3, world_size=3, rank=k) for k in range(3)]
    assert [len(one) for one in shuffled] == [1, 1, 1]
    assert sorted(k for one in shuffled for batch in one for k in batch) == [*range(9)]
    drawn = ReplacementSampler(range(4), 2, num_samples=12, world_size=3, rank=2)
    assert [len(batch) for batch in drawn] == [2, 2]


@pytest.mark.slow
def test_a_loader_with_workers(pairs):
    batches = list(DataLoader(pairs, SequentialSampler(pairs, 2), num_workers=1))
    assert [batch[1].tolist() for batch in batches] == [[0, 1], [2, 3], [4]]


# ------------------------------------------------------------------------------------- rest


def test_a_process_alone_is_a_group():
    x = Tensor([3.0])
    callback = distributed.make_allreduce_cb("mean")
    with GradManager().attach(x, callback=callback) as gm:
        gm.backward(distributed.functional.all_reduce_sum(x * x))
    assert x.grad.tolist() == [6]
    assert distributed.launcher(world_size=1)(lambda: distributed.get_rank())() == [0]
    with pytest.raises(GluonError, match=r"mpiexec -n 4 python -m gluon\.megengine"):
        distributed.init_process_group("localhost", 0, world_size=4, rank=0, device=0)
    with pytest.raises(GluonError, match="'max' is neither"):
        distributed.make_allreduce_cb("max")
    with pytest.raises(
        GluonError, match=r"mpiexec -n 8 --hostfile FILE python -m gluon\.megengine"
    ):
        distributed.launcher(len, n_gpus=4, world_size=8)
    with pytest.raises(GluonError, match=r"rank 0 is not a member of the group"):
        distributed.new_group([1])
    with pytest.raises(GluonError, match="eps_mode='least'; use 'additive' or 'max'"):
        F.sync_batch_norm(F.ones((2, 1)), None, None, training=True, eps_mode="least")


def test_clients_exchange_values(monkeypatch):
    client = distributed.get_client()
    with ThreadPoolExecutor() as pool:
        found = pool.submit(distributed.Client("localhost", client.port).user_get, "later")
        client.user_set("later", [1, None, "two"])
        assert found.result() == [1, None, "two"] == client.user_pop("later")
        found = pool.submit(distributed.Client("localhost", client.port).bcast_val, None, "a", 2)
        assert client.bcast_val(0.5, "a", 2) == found.result() == 0.5
    monkeypatch.setattr("gluon.megengine.server.PATIENCE", 0)
    with pytest.raises(GluonError, match="found no server at localhost:1 "):
        distributed.Client("localhost", 1)


def test_a_traced_method_is_a_method():
    class Adder:
        @jit.trace(symbolic=True)
        def add(self, x):
            return x + 1

    assert Adder().add(2) == 3
    with pytest.raises(NotImplementedError, match="state_dict"):
        jit.trace(len).dump("model.mge")


def test_a_gpu_is_the_host_with_a_warning():
    with pytest.warns(UserWarning, match="computing on the host"):
        x = Tensor([1.0], device="gpu0")
    assert repr(x) == "Tensor([1.], device=gpu0:0)"


def test_masks_of_attention():
    net = M.MultiHeadAttention(4, 2)
    x = F.reshape(F.arange(24), (2, 3, 4)) * 0.1
    hide = Tensor([[False, False, True], [False, True, True]])
    _, weights = net(x, x, x, key_padding_mask=hide, need_weights=True)
    assert (weights.numpy().reshape(2, 2, 3, 3)[0, :, :, 2] == 0).all()
    assert (weights.numpy().reshape(2, 2, 3, 3)[1, :, :, 0] == 1).all()
    _, causal = net(x, x, x, is_causal=True, need_weights=True)
    later = Tensor(np.triu(np.ones((3, 3), bool), 1))
    _, masked = net(x, x, x, attn_mask=later, need_weights=True)
    floats = Tensor(np.where(later.numpy(), -np.inf, 0).astype("float32"))
    _, added = net(x, x, x, attn_mask=floats, need_weights=True, average_attn_weights=True)
    assert (causal.numpy() == masked.numpy()).all()
    assert (np.triu(masked.numpy()[0], 1) == 0).all()
    np.testing.assert_allclose(
        added.numpy(), masked.numpy().reshape(2, 2, 3, 3).mean(1), rtol=1e-5, atol=1e-7
    )
    with pytest.raises(GluonError, match="reslink is not supported"):
        F.multi_head_attention(x, x, x, 4, 2, 0, 0, net.io_weight_bias, reslink=True)
    with pytest.raises(GluonError, match="embed_dim=5 cannot be divided"):
        M.MultiHeadAttention(5, 2)


@pytest.mark.parametrize("kind", ["RNN", "LSTM"])
def test_a_layer_is_its_cell_at_every_step(kind):
    net, cell = getattr(M, kind)(3, 2), getattr(M, f"{kind}Cell")(3, 2)
    parts = [F.flatten(p) for p in (cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)]
    net._flatten_weights[:] = F.reshape(F.concat(parts), net._flatten_weights.shape)
    x = Tensor(np.random.RandomState(0).normal(size=(4, 2, 3)).astype("float32"))
    y, last = net(x)
    state = None
    for step in range(4):
        state = cell(x[step], state)
        h = state if kind == "RNN" else state[0]
        np.testing.assert_allclose(y[step].numpy(), h.numpy(), rtol=1e-5, atol=1e-6)
    final = last if kind == "RNN" else last[1]
    np.testing.assert_allclose(
        final[0].numpy(), (state if kind == "RNN" else state[1]).numpy(), rtol=1e-5, atol=1e-6
    )


@pytest.mark.parametrize("kind", ["RNN", "LSTM"])
def test_gradients_of_recurrent_layers(kind):
    random.seed(0)
    net = getattr(M, kind)(3, 2, num_layers=2, bidirectional=True)
    x = Tensor(np.random.RandomState(0).normal(size=(3, 2, 3)).astype("float32"))
    with GradManager() as gm:
        gm.attach([x, net._flatten_weights])
        gm.backward(F.sum(net(x)[0]))
    for one in (x, net._flatten_weights):
        step = np.zeros(one.shape, "float32")
        step[0, 1] = 1e-2
        up, down = (float(_sum(net, x, one, sign * step)) for sign in (1, -1))
        np.testing.assert_allclose(
            (up - down) / 2e-2, one.grad.numpy()[0, 1].sum(), rtol=2e-2, atol=2e-3
        )


def _sum(net, x, one, change):
    before = one.numpy().copy()
    one[:] = Tensor(before + change)
    total = F.sum(net(x)[0]).item()
    one[:] = Tensor(before)
    return total


class Stream(StreamDataset):
    def __iter__(self):
        return iter(range(5))


def test_streams():
    assert list(Stream()) == [0, 1, 2, 3, 4]
    batches = [batch.tolist() for batch in DataLoader(Stream(), StreamSampler(2))]
    assert batches == [[0, 1], [2, 3], [4]]
    assert len(list(DataLoader(Stream()))) == 5
    for wrong in (lambda: Stream()[0], lambda: len(DataLoader(Stream()))):
        with pytest.raises(TypeError, match=r"stream|no end"):
            wrong()
    with pytest.raises(GluonError, match="needs a StreamSampler"):
        DataLoader(Stream(), SequentialSampler([1, 2]))
    with pytest.raises(GluonError, match="batch_size=0"):
        StreamSampler(0)


@pytest.mark.parametrize("mode", ["reflect", "replicate"])
@pytest.mark.parametrize(("kind", "shape"), [(M.Conv1d, (1, 2, 6)), (M.Conv2d, (1, 2, 4, 5))])
def test_the_border_of_a_convolution(kind, shape, mode):
    layer = kind(2, 3, 3, padding=1, padding_mode=mode)
    x = Tensor(np.arange(np.prod(shape)).reshape(shape).astype("float32"))
    border = [(0, 0), (0, 0), *[(1, 1)] * (len(shape) - 2)]
    padded = np.pad(x.numpy(), border, {"reflect": "reflect", "replicate": "edge"}[mode])
    plain = kind(2, 3, 3)
    plain.weight[...], plain.bias[...] = layer.weight, layer.bias
    assert layer.get_pad_witdth() == tuple(border)
    np.testing.assert_allclose(layer(x).numpy(), plain(Tensor(padded)).numpy(), rtol=1e-5)
