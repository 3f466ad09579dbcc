"""MegEngine's conventions: accepted arguments, results, and classes of errors."""

from __future__ import annotations

import io
import pickle
from collections import namedtuple

import numpy as np
import pytest

from gluon import GluonError, autograd
from gluon import np as gluon_np
from gluon.megengine import (
    Parameter,
    Tensor,
    data,
    get_default_device,
    jit,
    load,
    module,
    save,
)
from gluon.megengine import functional as F
from gluon.megengine import optimizer as optim
from gluon.megengine.amp import GradScaler
from gluon.megengine.autodiff import Function, GradManager


def test_a_callback_may_return_nothing():
    seen = []
    x, y = Tensor([1.0, 2.0]), Tensor([3.0])
    manager = GradManager().attach(x, [lambda _, grad: seen.append(grad.tolist())])
    manager.attach(y, lambda _, grad: grad * 2)
    with manager:
        manager.backward((x * x).sum() + y)
    assert (seen, x.grad, y.grad.tolist()) == ([[2, 4]], None, [2])


@pytest.mark.parametrize("dtype", ["int32", "bool", "uint8"])
def test_what_has_no_gradient_cannot_be_attached(dtype):
    with pytest.raises(AssertionError, match="has no gradient") as caught:
        GradManager().attach(Tensor([1, 2], dtype=dtype))
    assert isinstance(caught.value, (GluonError, TypeError))
    with pytest.raises(AssertionError, match="item 0 is an ndarray"):
        GradManager().attach([np.ones(3)])


@pytest.mark.parametrize(
    "call",
    [
        lambda x: F.argmax(x, 2),
        lambda x: F.sum(x, 5),
        lambda x: F.sum(x, (0, 0)),
        lambda x: F.norm(x, axis=4),
        lambda x: F.roll(x, 1, 4),
        lambda x: F.repeat(x, 2, 4),
        lambda x: F.expand_dims(x, 5),
        lambda x: F.flatten(x, 4),
    ],
)
def test_a_wrong_axis_is_of_both_classes(call):
    with pytest.raises(AssertionError, match="axis"):
        call(F.zeros((2, 3)))
    with pytest.raises(GluonError):
        call(F.zeros((2, 3)))


@pytest.mark.parametrize("used", [0, 1])
def test_a_function_is_given_none_for_an_output_of_no_use(used):
    seen = []

    class Two(Function):
        def forward(self, x):
            return x * 2, x * 3

        def backward(self, first, second):
            seen.extend([first, second])
            return first * 2 if second is None else second * 3

    x = Tensor([1.0])
    with GradManager().attach(x) as manager:
        manager.backward(Two()(x)[used])
    assert x.grad.tolist() == [2 + used]
    assert [one is None for one in seen] == [used == 1, used == 0]


def test_numpy_functions_of_tensors_are_recorded():
    x = Tensor([0.0, 1.0])
    with GradManager().attach(x) as manager:
        manager.backward(np.exp(np.multiply(x, 2)))
        assert type(np.exp(x)) is Tensor
    assert np.allclose(x.grad.numpy(), 2 * np.exp([0, 2]))
    assert (np.ones(2) * x).tolist() == [0, 1]
    assert np.add.reduce(x).item() == 1
    whole, part = np.modf(x)[::-1]
    assert (whole.tolist(), part.tolist()) == ([0, 1], [0, 0])
    out = np.zeros(2, "float32")
    assert np.add(x, 1, out=out) is out
    assert out.tolist() == [1, 2]


@pytest.mark.parametrize(
    "function",
    [
        *(np.sum, np.std, np.linalg.norm, np.cumsum, np.transpose),
        *(lambda x: np.concatenate([x, x * 2]), lambda x: np.where(x > 1, x, 0)),
    ],
)
def test_other_numpy_functions_of_recorded_tensors_are_differentiated(function):
    x, same = Tensor([[1.0, 2.0], [3.0, 4.5]]), gluon_np.array([[1, 2], [3, 4.5]])
    same.attach_grad()
    with GradManager().attach(x) as manager, autograd.record():
        y, z = function(x), function(same)
        manager.backward(y, Tensor(np.ones(y.shape, "float32")))
    z.backward()
    assert type(y) is Tensor
    assert np.allclose(y.numpy(), z.asnumpy())
    assert np.allclose(x.grad.numpy(), same.grad.asnumpy())


def test_numpy_functions_of_tensors_that_are_not_recorded_get_values():
    x = Tensor([1.0, 2.0])
    assert type(np.stack([x, x])) is np.ndarray
    with pytest.raises(TypeError, match="no implementation found"):
        np.ones(2, like=x)
    with GradManager().attach(x):
        assert np.argmax(x).dtype == np.int32
        for lost in (np.fft.fft, np.array_repr, lambda x: np.copyto(np.ones(2), x)):
            with pytest.raises(GluonError, match="of a recorded tensor has no gradient"):
                lost(x)


def test_a_numpy_function_without_a_gradient_refuses_recorded_tensors():
    x = Tensor([0.5])
    with GradManager().attach(x), pytest.raises(GluonError, match=r"numpy\.cbrt of a recorded"):
        np.cbrt(x)
    assert np.cbrt(x).dtype == np.float32


def test_several_axes_are_one_for_the_place_of_the_largest():
    x = F.arange(24.0).reshape(2, 3, 4)
    assert F.argmax(x, (0, 1, 2)).item() == F.argmax(x).item() == 23
    assert F.argmax(x, (0, 2)).tolist() == [7, 7, 7]
    assert F.argmin(x, (1, 2), keepdims=True).shape == (2, 1, 1)


def test_batches_of_nothing():
    norm = module.BatchNorm2d(3)
    assert norm(F.zeros((0, 3, 2, 2))).shape == (0, 3, 2, 2)
    assert norm.running_var.numpy().ravel().tolist() == [1, 1, 1]
    for mode in ("average", "max"):
        assert F.vision.roi_align(F.ones((1, 2, 5, 5)), F.zeros((0, 5)), 2, mode).shape[0] == 0


def test_topk_of_more_than_there_are():
    values, places = F.topk(Tensor([1.0, 3.0, 2.0]), 10)
    assert (values.tolist(), places.tolist()) == ([3, 2, 1], [1, 2, 0])
    assert F.topk(Tensor([1.0, 3.0, 2.0]), -1)[0].tolist() == [1]


def test_fans_of_grouped_convolutions():
    fans = module.init.calculate_fan_in_and_fan_out
    assert fans(module.Conv3d(4, 8, 3, groups=2).weight) == (54, 108)
    assert module.Conv3d(4, 8, 3, groups=2)._get_fanin() == 108
    assert module.ConvTranspose2d(4, 8, 3, groups=2)._get_fanin() == 72


#: Options, steps, and where MegEngine's own operator leads from 1, -2, 3. Where the length of the
#: parameter counts it is right for one step alone: it cuts the sum of squares to an integer.
LAMB = [
    ({}, 3, [0.7041537761688232, -2.3004937171936035, 2.700868844985962]),
    ({"bias_correction": False}, 3, [-0.08434781, -3.22985435, 1.78981686]),
    ({"always_adapt": True}, 1, [0.7839753031730652, -2.21602463722229, 2.78397536277771]),
    ({"weight_decay": 0.1}, 1, [0.7812464833259583, -2.1590933799743652, 2.7414731979370117]),
]


@pytest.mark.parametrize(("options", "steps", "right"), LAMB)
@pytest.mark.parametrize("kind", ["LAMB", "LAMBFp16"])
def test_lamb(kind, options, steps, right):
    dtype = "float16" if kind == "LAMBFp16" else "float32"
    x = Parameter(np.array([1.0, -2.0, 3.0], dtype))
    optimizer = getattr(optim, kind)([x], lr=0.1, **options)
    for _ in range(steps):
        with GradManager().attach(x) as manager:
            manager.backward((x * x * x).sum())
        optimizer.step().clear_grad()
    assert x.dtype == dtype
    assert np.allclose(x.numpy(), right, rtol=2e-3 if dtype == "float16" else 1e-4)


def test_a_trace_runs_and_dumps_nothing():
    @jit.trace(symbolic=True, capture_as_const=True)
    def double(x):
        return 2 * x

    assert double(Tensor([1.0])).tolist() == [2]
    with pytest.raises(NotImplementedError, match=r"trace\.dump writes"):
        double.dump("model.mge")


def test_a_sampler_without_end_goes_on():
    batches = data.Infinite(data.SequentialSampler(data.ArrayDataset(np.arange(2)), 1))
    assert [next(batches) for _ in range(3)] == [[0], [1], [0]]
    assert batches.batch_size == 1
    assert pickle.loads(pickle.dumps(data.SequentialSampler("ab"))).batch_size == 1


class _Numbered(data.ArrayDataset):
    def __getitem__(self, index):
        info = data.dataloader.get_worker_info()
        return np.array([info.idx, info.worker])


@pytest.mark.slow
def test_a_worker_knows_its_number():
    values = _Numbered(np.arange(8))
    loader = data.DataLoader(values, data.SequentialSampler(values, 1), num_workers=2)
    found = np.concatenate(list(loader))
    assert set(found[:, 0]) <= {0, 1}
    assert set(found[:, 1]) == {2}
    assert data.dataloader.get_worker_info() is None
    with pytest.raises(GluonError, match="cannot be assigned"):
        data.dataloader.WorkerInfo(idx=1).idx = 2


def test_a_device_equals_its_names():
    x = Tensor([1.0], device="cpu0")
    assert (x.device == "cpu0", x.device == "cpu0:0", x.device == "cpu1") == (True, True, False)
    assert Tensor([1.0]).device == get_default_device()
    assert x.device != "nothing"


def test_a_cast_to_integers_has_no_gradient():
    x = Tensor([1.5, -2.5])
    with GradManager().attach(x) as manager:
        manager.backward((x * x.astype("int32").astype("float32")).sum())
    assert x.grad.tolist() == [1.0, -2.0]


def test_losses_are_reduced_by_an_argument_at_the_end_too():
    x = Tensor([1.0, 2.0])
    assert F.nn.square_loss(x, x * 3, "sum").item() == 20
    assert F.nn.l1_loss(x, x * 3, "none").tolist() == [2, 4]


def test_one_value_of_any_shape_is_written():
    x = Tensor([1.0, 2.0])
    x[0] = Tensor([5.0])
    x[1] = Tensor([[7.0]])
    assert x.tolist() == [5, 7]


@pytest.mark.parametrize("of", ["module", "optimizer"])
def test_zero_grad_writes_zeros(of):
    net = module.Linear(2, 1)
    reset = {"module": net, "optimizer": optim.SGD(net.parameters(), 0.1)}[of]
    net.weight.grad = F.ones((1, 2))
    reset.zero_grad()
    assert net.weight.grad.tolist() == [[0, 0]]
    assert net.bias.grad is None


@pytest.mark.parametrize(
    "location", ["cpu1", {"xpux": "cpu1"}, {"cpu3": "gpu0", "xpux:0": "cpu1"}, lambda _: "cpu1"]
)
def test_load_places_tensors(location):
    file = io.BytesIO()
    save({"w": Tensor([1.0]), "p": Parameter([2.0])}, file)
    file.seek(0)
    found = load(file, location)
    assert {str(one.device) for one in found.values()} == {"cpu1:0"}
    assert isinstance(found["p"], Parameter)
    file.seek(0)
    assert load(file)["w"].device == "xpux"


def test_a_loader_that_preloads_gives_tensors():
    rows = data.ArrayDataset(np.arange(4.0), np.arange(4))
    for workers in (0, 2):
        loader = data.DataLoader(
            rows, data.SequentialSampler(rows, 2), None, None, workers, 60, True
        )
        batches = list(loader)
        assert [[type(one) for one in batch] for batch in batches] == [[Tensor, Tensor]] * 2
        assert [batch[1].tolist() for batch in batches] == [[0, 1], [2, 3]]


def test_named_tuples_and_text_stay_what_they_are_in_a_batch():
    Sample = namedtuple("Sample", "x name")
    batch = data.Collator().apply([Sample(1.0, "a"), Sample(2.0, "b")])
    assert isinstance(batch, Sample)
    assert (batch.x.tolist(), [*batch.name]) == ([1, 2], ["a", "b"])


def test_ctc_loss_of_too_few_steps_has_a_gradient():
    scores = np.random.RandomState(0).uniform(size=(2, 1, 3)).astype("float64")
    x = Tensor(scores, dtype="float64")

    def loss(given):
        lengths = Tensor([2]), Tensor([1, 1]), Tensor([2])
        return F.nn.ctc_loss(Tensor(given, dtype="float64"), *lengths, 0, "sum").item()

    with GradManager().attach(x) as manager:
        manager.backward(F.nn.ctc_loss(x, Tensor([2]), Tensor([1, 1]), Tensor([2]), 0, "sum"))
    step = 1e-6
    for place in np.ndindex(2, 1, 3):
        moved = np.zeros_like(scores)
        moved[place] = step
        slope = (loss(scores + moved) - loss(scores - moved)) / (2 * step)
        assert abs(slope - x.grad.numpy()[place]) < 1e-5


def test_regions_without_channels_have_a_gradient():
    x = F.zeros((2, 0, 5, 5))
    with GradManager().attach(x) as manager:
        manager.backward(F.vision.roi_align(x, F.zeros((3, 5)), 2).sum())
    assert x.grad.shape == x.shape


@pytest.mark.parametrize("mode", ["h_swish", "gelu", "silu", "softplus", "fast_tanh", "relu6"])
def test_modes_for_gradients_are_those_of_their_functions(mode):
    x, weights = Tensor([-3.5, -1.5, 0.5, 2.0, 7.0]), Tensor([2.0, 0.5, -1.0, 3.0, 1.0])
    with GradManager().attach(x) as manager:
        manager.backward(module.Elemwise(mode)(x), weights)
    found = module.Elemwise(f"{mode}_grad")(Tensor(x.numpy()), weights)
    np.testing.assert_allclose(x.grad.numpy(), found.numpy(), rtol=1e-5, atol=1e-6)


def test_a_scaler_keeps_its_settings():
    scaler = GradScaler(init_scale=8, growth_interval=3)
    other = GradScaler()
    other.load_state_dict(scaler.state_dict())
    assert (other.scale_factor, other.growth_interval) == (8, 3)


def test_a_mode_that_there_is_not_is_named_with_those_that_there_are():
    with pytest.raises(GluonError, match=r"no mode 'hswish'; the modes are .*H_SWISH"):
        module.Elemwise("hswish")
    with pytest.raises(GluonError, match="clip of 1 inputs"):
        module.Elemwise("clip")(Tensor([1.0]))
