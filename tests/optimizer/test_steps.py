"""The steps of optimizers: in place, block by block, next to graphs and views; as operators."""

from __future__ import annotations

import inspect
import tracemalloc

import numpy as np
import pytest

from gluon import GluonError, Parameter, Trainer, autograd, init, nd, optimizer
from gluon._core.kernels import generator
from gluon._core.kernels import optimizer as kernels
from gluon._core.ops import optimizer as steps
from gluon._core.ops.optimizer import Step

STEPS = {name: value for name, value in vars(steps).items() if isinstance(value, Step)}
#: What settings without default are.
SETTINGS = {"lr": 0.1, "wd": 0.2, "eta": 0.5, "t": 3, "shares": (0.5, 0.4, 2.0)}
COMMON = {"rescale_grad": 0.5, "clip_gradient": 0.3, "momentum": 0.9}


def settings_of(step: Step) -> dict:
    found = {name: SETTINGS[name] for name in step.settings if name in SETTINGS}
    found |= {name: value for name, value in COMMON.items() if name in step.settings}
    if "rng" in step.settings:
        generator.seed(3)
        found["rng"] = generator.generator()
    return found


def arrays_of(step: Step, shape: tuple, dtype: str = "float64") -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    shapes = [(shape[0], 1) if name in step.shaped else shape for name in step.arrays]
    return [np.asarray(rng.random(one)).astype(dtype) for one in shapes]


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("shape", [(3005,), (7, 901), (4000, 3), ()])
@pytest.mark.parametrize("order", ["C", "F"])
def test_blocks_make_no_difference(name, shape, order, monkeypatch):
    step = STEPS[name]
    if step.shaped and len(shape) != 2:
        shape = (2, 2000)  # it takes matrices
    if "rng" in step.settings:
        shape = (500,)  # one block: other blocks draw other numbers
    arrays = [np.asarray(array, order=order) for array in arrays_of(step, shape)]
    arrays[0] = np.array(arrays[0], order="C")
    whole = [array.copy() for array in arrays]
    monkeypatch.setattr(kernels, "BLOCK", 1000)
    one = step.kernel(*arrays, **settings_of(step))
    monkeypatch.setattr(kernels, "BLOCK", 10**9)
    other = step.kernel(*whole, **settings_of(step))
    for got, want in zip([*arrays, one], [*whole, other]):
        if want is not None:
            np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_few_bits_are_computed_with_in_float32(name, dtype):
    """Inputs and results are rounded, intermediate values are not; the gradient is unchanged."""
    if dtype == "bfloat16":
        dtype = pytest.importorskip("ml_dtypes").bfloat16
    step = STEPS[name]
    few = arrays_of(step, (5, 3), dtype)
    many = [array.astype("float32") for array in few]
    one = step.kernel(*few, **settings_of(step))
    other = step.kernel(*many, **settings_of(step))
    for got, want in zip([*few, one], [*many, other]):
        if want is not None:
            assert got.dtype == dtype
            # LAMB's second pass sees the rounded means.
            rtol = 1e-2 if name == "lamb" else 0
            rounded = want.astype(dtype).astype("float32")
            np.testing.assert_allclose(got.astype("float32"), rounded, rtol)


@pytest.mark.parametrize("name", STEPS)
def test_a_step_leaves_the_values_that_a_graph_keeps(name):
    step = STEPS[name]
    handles = [nd.array(raw, dtype="float64") for raw in arrays_of(step, (2, 3))]
    for handle in handles:
        handle.attach_grad()
    with autograd.record():
        total = sum(((handle * handle).sum() for handle in handles), nd.zeros((1,)))
    before = [handle.asnumpy() for handle in handles]
    step(*handles, **settings_of(step))
    total.backward()
    for place, handle, was in zip(step.arrays, handles, before):
        np.testing.assert_allclose(handle.grad.asnumpy(), 2 * was)
        assert (handle.asnumpy() == was).all() == (place in step.reads)


def test_weight_and_state_may_be_views_of_one_array():
    both = nd.array([[1.0, 2.0], [3.0, 4.0]])
    weight, mom = both[0], both[1]
    nd.sgd_mom_update(weight, nd.ones((2,)), mom, lr=1, momentum=1, out=weight)
    assert both.asnumpy().tolist() == [[3, 5], [2, 3]]


def test_a_weight_may_be_its_own_gradient():
    weight = nd.array([1.0, 2.0])
    nd.sgd_update(weight, weight, lr=0.5, out=weight)
    assert weight.asnumpy().tolist() == [0.5, 1]
    nd.sgd_mom_update(weight, weight, weight.copy(), lr=0.5, momentum=1, out=weight)
    assert weight.asnumpy().tolist() == [0.75, 1.5]


# ----------------------------------------------------------------------------------- memory

LARGE = 1 << 22
#: Beyond the arrays given, in bytes: blocks.
SCRATCH = 6 * kernels.BLOCK * 4
MAKERS = {
    "SGD": {"momentum": 0.9},
    "NAG": {"momentum": 0.9},
    "Signum": {},
    "DCASGD": {"momentum": 0.5},
    "SGLD": {},
    "Test": {},
    "LARS": {"momentum": 0.9},
    "LBSGD": {"momentum": 0.9},
    "LAMB": {},
    "Adam": {},
    "AdamW": {},
    "Adamax": {},
    "Nadam": {},
    "AdaGrad": {},
    "GroupAdaGrad": {},
    "AdaDelta": {},
    "RMSProp": {"centered": True},
    "FTML": {},
    "Ftrl": {},
}


def peak(function) -> int:
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_every_optimizer_is_made_here():
    known = {"ccsgd"} | {name.lower() for name in MAKERS}
    assert known == set(optimizer.Optimizer.opt_registry)


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_an_update_makes_no_copy_of_the_weight(name, dtype):
    decay = {} if name == "GroupAdaGrad" else {"wd": 0.1}
    settings = {**MAKERS[name], **decay, "clip_gradient": 0.5, "multi_precision": True}
    update = optimizer.get_updater(optimizer.create(name, **settings))
    weight, grad = (nd.ones((LARGE // 64, 64), dtype=dtype) for _ in range(2))
    update(0, grad, weight)
    assert peak(lambda: update(0, grad, weight)) < SCRATCH < LARGE * 4


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_a_trainer_makes_no_copy_of_the_weights(name, dtype):
    """Whether the optimizer takes several weights at once or not."""
    params = [Parameter(f"{k}_weight", shape=(LARGE // 256, 64), dtype=dtype) for k in range(4)]
    for one in params:
        one.initialize(init.One())
    decay = {} if name == "GroupAdaGrad" else {"wd": 0.1}
    trainer = Trainer(params, name, {**MAKERS[name], **decay, "multi_precision": True})

    def loss():
        with autograd.record():
            total = sum(one.data()[0].sum() for one in params)
        total.backward()

    places = [one.data().raw.ctypes.data for one in params]
    loss()
    trainer.step(1)
    loss()
    assert peak(lambda: trainer.step(1)) < SCRATCH < LARGE * 4
    assert places == [one.data().raw.ctypes.data for one in params]


@pytest.mark.parametrize(
    "call",
    [
        lambda w, g, s: nd.sgd_update(w, g, lr=0.1, wd=0.1, out=w),
        lambda w, g, s: nd.adam_update(w, g, s, s, lr=0.1, wd=0.1, out=w),
        lambda w, g, s: nd.mp_sgd_mom_update(w, g, s, s, lr=0.1, out=w),
        lambda w, g, s: nd.multi_sgd_update(w, g, lrs=[0.1], wds=[0], out=[w]),
        lambda w, g, s: nd.contrib.multi_lamb_update(
            [w], [g], [s], [s], [1], lrs=[0.1], wds=[0.1], out=[w]
        ),
    ],
)
def test_an_operator_makes_no_copy_of_the_weight(call):
    weight, grad, state = (nd.ones((LARGE,)) for _ in range(3))
    assert peak(lambda: call(weight, grad, state)) < SCRATCH


# -------------------------------------------------------------------------------- operators


def test_without_out_the_weight_stays_and_the_state_moves():
    weight, mom = nd.ones((2,)), nd.zeros((2,))
    found = nd.sgd_mom_update(weight, nd.ones((2,)), mom, lr=0.5)
    assert found.asnumpy().tolist() == [0.5, 0.5]
    assert weight.asnumpy().tolist() == [1, 1]
    assert mom.asnumpy().tolist() == [-0.5, -0.5]


def test_out_may_be_another_array_even_the_gradient():
    weight, grad = nd.ones((2,)), nd.array([1, 2])
    assert nd.sgd_update(weight, grad, lr=1, out=grad) is grad
    assert grad.asnumpy().tolist() == [0, -1]
    with pytest.raises(GluonError):
        nd.sgd_update(weight, nd.ones((2,)), lr=1, out=nd.zeros((3,)))
    with pytest.raises(TypeError, match="sgd_update: out must be an NDArray"):
        nd.sgd_update(weight, nd.ones((2,)), lr=1, out=3)


def test_out_is_no_variable_of_a_recording():
    weight = nd.ones((2,))
    weight.attach_grad()
    with autograd.record():
        with pytest.raises(GluonError, match=r"sgd_update\(out=...\): in-place on a variable"):
            nd.sgd_update(weight, nd.ones((2,)), lr=1, out=weight)
        assert nd.sgd_update(weight, nd.ones((2,)), lr=1).asnumpy().tolist() == [0, 0]
        square = weight * weight
        nd.sgd_update(square, nd.ones((2,)), lr=0.5, out=square)
    assert weight.asnumpy().tolist() == [1, 1]
    assert square.asnumpy().tolist() == [0.5, 0.5]
    with pytest.raises(GluonError):
        square.backward()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda w: nd.sgd_update(w, w),
            "^sgd_update: missing .* .lr.; it takes .weight, grad, lr, wd=0.0",
        ),
        (lambda w: nd.sgd_update(w, w, 0.1, learning=1), "^sgd_update: got an unexpected keyword"),
        (lambda w: nd.sgd_update(w, w, 0.1, lr=1), "^sgd_update: multiple values .*'lr'"),
        (lambda w: nd.sgd_update(w, nd.ones((3,)), 1), r"grad has shape \(3,\), the weight \(2,\)"),
        (lambda w: nd.sgd_update(w.astype("int32"), w, 1), "dtype int32; optimizers need floating"),
        (lambda w: nd.sgd_update([1.0], w, 1), "^sgd_update: weight is a list"),
        (lambda w: nd.adam_update(w, w, w, w, lr=w), "^adam_update: "),
        (lambda w: nd.mp_sgd_update(w, w, nd.ones((1,)), 1), r"weight32 has shape \(1,\), the we"),
        (lambda w: nd.mp_sgd_update(w, nd.ones((1,)), w, 1), "^mp_sgd_update: sgd_update: grad"),
        (lambda w: nd.multi_sgd_update(w, lrs=[1], wds=[0]), "^multi_sgd_update: takes weight, g"),
        (lambda w: nd.multi_sgd_update(w, w, lrs=1, wds=[0]), "lrs must be a list, not an int"),
        (lambda w: nd.multi_sgd_update(w, w, lrs=[1, 2], wds=[0]), "got 2 lrs for 1 weights"),
        (lambda w: nd.multi_sgd_update(w, w, lrs=[1], wds=[0], out=[]), "got 0 out for 1 weights"),
        (lambda w: nd.preloaded_multi_sgd_update(w), "the last two arrays are the learning rates"),
        (
            lambda w: nd.contrib.multi_lamb_update(
                [w], [w], [w], [w], [1], [1], [0], num_tensors=2
            ),
            "^multi_lamb_update: num_tensors=2, but got 1 weights",
        ),
        (
            lambda w: nd.contrib.multi_lamb_update([w], [w, w], [w], [w], [1], [1], [0]),
            "got 2 grads for 1 weights",
        ),
        (lambda w: nd.contrib.adamw_update(w, w, w, w, w, 1, 1), "rescale_grad has shape .2,.; it"),
        (lambda w: nd.ftml_update(w, w, w, w, w, lr=0, t=1), "^ftml_update: lr must not be 0"),
        (lambda w: nd.multi_lars(w, w, w, nd.ones((1,)), 1, 0), "four arrays must have one shape"),
        (lambda w: nd.reset_arrays(w, num_arrays=2), "num_arrays=2, but got 1"),
        (lambda w: nd.reset_arrays([1]), "reset_arrays: got list"),
        (lambda w: nd.amp_multicast(w, num_outputs=2), "^amp_multicast: num_outputs=2, but got 1"),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(GluonError, match=message):
        call(nd.ones((2,)))


def test_signatures_have_the_order_of_mxnet():
    parameters = inspect.signature(nd.mp_lamb_update_phase1).parameters.values()
    assert " ".join(p.name for p in parameters) == (
        "weight grad mean var weight32 beta1 beta2 epsilon t bias_correction wd rescale_grad"
        " clip_gradient out name"
    )
    given = [p.default for p in parameters if p.default is not p.empty]
    assert str(given) == ("[0.9, 0.999, 1e-06, required, True, required, 1.0, -1.0, None, None]")
    assert "weight32 : NDArray of float32" in nd.mp_lamb_update_phase1.__doc__


def test_kernels_that_share_a_formula_agree():
    """LAMB in one step equals LAMB in two steps, also with norms over several blocks."""
    rng = np.random.default_rng(0)
    weight, grad, mean, var = (nd.array(rng.random(2000), dtype="float64") for _ in range(4))
    again = [x.copy() for x in (weight, mean, var)]
    g = nd.lamb_update_phase1(weight, grad, mean, var, t=2, wd=0.1)
    two = nd.lamb_update_phase2(weight, g, weight.norm(), g.norm(), lr=0.1)
    (one,) = nd.contrib.multi_lamb_update(
        again[:1], [grad], again[1:2], again[2:], [2], lrs=[0.1], wds=[0.1]
    )
    np.testing.assert_allclose(one.asnumpy(), two.asnumpy(), rtol=1e-12)
    np.testing.assert_array_equal(again[2].asnumpy(), var.asnumpy())
