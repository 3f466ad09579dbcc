"""Programs that train on MXNet 1.9.1 and on gluon alike; `mx` is the one or the other.

Each returns a list of arrays and texts. ``recorded/make_optimizers.py`` keeps what MXNet
returns, and the tests compare.
"""

from __future__ import annotations

from typing import Any

import numpy as np

SHAPES = [(3, 4), (5,), (2, 1, 3)]


def given(*shape: int, seed: int = 7) -> Any:
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype("float32")


def leaves(state: Any) -> list:
    """The arrays of a state."""
    if isinstance(state, (tuple, list)):
        return [one for part in state for one in leaves(part)]
    return [] if state is None else [state]


def made(mx: Any, text: str) -> Any:
    """The optimizer that `text` describes."""
    scope = {**vars(mx.optimizer), "lr_scheduler": mx.lr_scheduler, "mx": mx}
    return eval(text, scope | {"GroupAdaGrad": mx.optimizer.contrib.GroupAdaGrad})


# ---------------------------------------------------------------------------- trajectories

#: Settings that all optimizers have.
COMMON = "wd=0.1, clip_gradient=0.3, rescale_grad=0.7"
SCHEDULE = "lr_scheduler=lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.4)"
MASTER = "multi_precision=True"
OPTIMIZERS = [
    "SGD()",
    "SGD(learning_rate=0.1, wd=0.2)",
    f"SGD(learning_rate=0.1, momentum=0.9, {COMMON})",
    f"SGD(momentum=0.9, {SCHEDULE})",
    "SGD(learning_rate=0.1, wd=0.2, clip_gradient=0.3)",
    "ccSGD(learning_rate=0.1, momentum=0.5, lazy_update=False)",
    "NAG(learning_rate=0.1, wd=0.2)",
    "NAG(learning_rate=0.1, momentum=0.9)",
    f"NAG(momentum=0.9, clip_gradient=0.3, {SCHEDULE})",
    "Signum()",
    f"Signum(learning_rate=0.05, momentum=0.7, wd_lh=0.2, {COMMON})",
    "Signum(momentum=0, wd=0.1)",
    "DCASGD()",
    f"DCASGD(learning_rate=0.3, lamda=2, {COMMON})",
    "Test(rescale_grad=0.3)",
    "LARS(learning_rate=0.5)",
    f"LARS(learning_rate=0.5, momentum=0.9, eta=0.1, eps=0.01, {COMMON})",
    f"LARS(momentum=0.9, eta=0.1, momentum_correction=False, {SCHEDULE})",
    "LARS(eta=0.1, wd=0.1, param_idx2name={0: 'a_weight', 1: 'a_bias', 2: 'a_gamma'})",
    "LBSGD()",
    f"LBSGD(learning_rate=0.1, momentum=0.9, warmup_epochs=1, updates_per_epoch=6, {COMMON})",
    "LBSGD(momentum=0.5, batch_scale=2, warmup_epochs=2, updates_per_epoch=4, wd=0.1)",
    "LBSGD(batch_scale=3, warmup_strategy='power2', warmup_epochs=1, updates_per_epoch=9)",
    "LBSGD(batch_scale=2, warmup_strategy='sqrt', begin_epoch=1, updates_per_epoch=3)",
    "LBSGD(batch_scale=2, warmup_strategy='lars', momentum=0.9, wd=0.1)",
    f"LBSGD(batch_scale=2, warmup_epochs=0, {SCHEDULE})",
    "LAMB()",
    f"LAMB(learning_rate=0.1, beta1=0.8, beta2=0.9, epsilon=0.01, {COMMON})",
    "LAMB(learning_rate=0.1, lower_bound=2, upper_bound=3)",
    "LAMB(learning_rate=0.1, upper_bound=1, bias_correction=False, wd=0.1)",
    "Adam()",
    f"Adam(learning_rate=0.1, beta1=0.8, beta2=0.9, epsilon=0.01, {COMMON})",
    "Adam(learning_rate=0.4, lazy_update=False, lr_scheduler=lr_scheduler.PolyScheduler(6, 0.4))",
    "Adamax()",
    f"Adamax(learning_rate=0.1, beta1=0.8, beta2=0.9, {COMMON})",
    "AdaGrad()",
    f"AdaGrad(learning_rate=0.3, eps=0.01, {COMMON})",
    "GroupAdaGrad()",
    "GroupAdaGrad(learning_rate=0.3, eps=0.01, clip_gradient=0.3, rescale_grad=0.7)",
    "AdaDelta()",
    f"AdaDelta(rho=0.8, epsilon=0.01, {COMMON})",
    "RMSProp()",
    f"RMSProp(learning_rate=0.1, gamma1=0.8, epsilon=0.01, clip_weights=0.6, {COMMON})",
    "RMSProp(centered=True)",
    f"RMSProp(learning_rate=0.1, gamma1=0.8, gamma2=0.7, centered=True, {COMMON})",
    "RMSProp(centered=True, clip_weights=0.5)",
    "FTML()",
    f"FTML(learning_rate=0.1, beta1=0.5, beta2=0.9, epsilon=0.01, {COMMON})",
    "Ftrl()",
    f"Ftrl(lamda1=0.3, learning_rate=0.5, beta=2, {COMMON})",
    f"Ftrl({SCHEDULE})",
    "SGD(learning_rate=0.5, begin_num_update=4, param_idx2name={0: 'a_weight', 1: 'b'}, wd=0.3)",
]
#: Where MXNet's update of a weight depends on what other weights there are: one weight.
ALONE = [
    "Nadam()",
    f"Nadam(learning_rate=0.1, beta1=0.8, beta2=0.9, epsilon=0.01, schedule_decay=0.1, {COMMON})",
]
#: In lists of up to four weights, MXNet corrects the momentum of all of them.
TOGETHER = [
    "SGD(learning_rate=0.1, momentum=0.9, wd=0.1)",
    f"LARS(momentum=0.9, eta=0.1, wd=0.1, {SCHEDULE})",
    f"LAMB(learning_rate=0.1, {COMMON})",
    "Adam(learning_rate=0.1)",
]
FLOAT64 = [
    f"SGD(learning_rate=0.1, momentum=0.9, {COMMON})",
    "NAG(learning_rate=0.1, momentum=0.9)",
    f"Signum(learning_rate=0.05, {COMMON})",
    f"Adam(learning_rate=0.1, {COMMON})",
    f"Adamax(learning_rate=0.1, {COMMON})",
    f"FTML(learning_rate=0.1, {COMMON})",
    f"DCASGD(learning_rate=0.3, lamda=2, {COMMON})",
]
HALF = [
    f"SGD(learning_rate=0.1, momentum=0.9, {COMMON}, {MASTER})",
    f"SGD(learning_rate=0.1, {MASTER})",
    f"NAG(learning_rate=0.1, momentum=0.9, {MASTER})",
    f"NAG(learning_rate=0.1, wd=0.1, {MASTER})",
    f"Signum(learning_rate=0.05, {COMMON}, {MASTER})",
    f"LARS(learning_rate=0.5, momentum=0.9, eta=0.1, {COMMON}, {MASTER})",
    f"LBSGD(momentum=0.5, batch_scale=2, warmup_epochs=2, updates_per_epoch=4, {MASTER})",
    f"LAMB(learning_rate=0.1, {COMMON}, {MASTER})",
    f"Adam(learning_rate=0.1, {COMMON}, {MASTER})",
    f"Adamax(learning_rate=0.1, {COMMON}, {MASTER})",
    f"DCASGD(learning_rate=0.3, {COMMON}, {MASTER})",
    f"AdaGrad(learning_rate=0.3, {COMMON}, {MASTER})",
    f"AdaDelta({COMMON}, {MASTER})",
    f"RMSProp(learning_rate=0.1, {COMMON}, {MASTER})",
    f"RMSProp(learning_rate=0.1, centered=True, {MASTER})",
    f"FTML(learning_rate=0.1, {COMMON}, {MASTER})",
    f"Ftrl({COMMON}, {MASTER})",
    f"Test({MASTER})",
    "SGD(learning_rate=0.1, momentum=0.9, wd=0.1)",
    "Adam(learning_rate=0.1, epsilon=0.01)",
    "LAMB(learning_rate=0.1, epsilon=0.01)",
    "LARS(learning_rate=0.5, eta=0.1, momentum=0.9)",
]


def trajectory(
    mx: Any, text: str, dtype: str = "float32", together: bool = False, count: int = 3
) -> list:
    """Seven updates of a few weights, one by one or `together`, and the states in the end."""
    one = made(mx, text)
    update = mx.optimizer.get_updater(one)
    shapes = SHAPES[:count] if "Group" not in text else [(3, 4), (2, 5)]
    weights = [mx.nd.array(given(*shape, seed=k), dtype=dtype) for k, shape in enumerate(shapes)]
    found = [f"{one.learning_rate:.6f}"]
    for step in range(7):
        grads = [
            mx.nd.array(given(*shape, seed=10 * step + k), dtype=dtype)
            for k, shape in enumerate(shapes)
        ]
        if together:
            update(list(range(len(shapes))), grads, weights)
        else:
            for k, grad in enumerate(grads):
                update(k, grad, weights[k])
        found += [*(weight.copy() for weight in weights), f"{one.learning_rate:.6f}"]
    states = [array for key in sorted(update.states) for array in leaves(update.states[key])]
    return [*found, *states, str(one.num_update)]


def resumed(mx: Any, text: str) -> list:
    """A trajectory that another updater takes over, with and without the optimizer."""
    weights = [mx.nd.array(given(3, 4)) for _ in range(2)]
    for whole, weight in enumerate(weights):
        update = mx.optimizer.get_updater(made(mx, text))
        for step in range(6):
            if step == 3:
                states = update.get_states(dump_optimizer=bool(whole))
                update = mx.optimizer.get_updater(made(mx, text))
                update.set_states(states)
            update(0, mx.nd.array(given(3, 4, seed=step)), weight)
    return weights


RESUMED = [
    "SGD(learning_rate=0.1, momentum=0.9)",
    "Adam(learning_rate=0.1)",
    "Nadam(learning_rate=0.1)",
    "RMSProp(centered=True)",
    "LAMB(learning_rate=0.1)",
    "FTML(learning_rate=0.1)",
]

# -------------------------------------------------------------------------------- settings


def multipliers(mx: Any) -> list:
    """Factors by name; the decay of biases."""
    one = mx.optimizer.SGD(
        param_idx2name={0: "a_weight", 1: "a_bias", 2: "a_gamma"}, wd=0.1, learning_rate=0.5
    )
    one.set_lr_mult({"a_bias": 3})
    rates = [f"{one._get_lr(k):.4f} {one._get_wd(k):.4f}" for k in range(3)]
    one.set_wd_mult({"a_gamma": 4})
    return [*rates, *(f"{one._get_wd(k):.4f}" for k in range(3)), *several(one)]


def several(one: Any) -> list[str]:
    return [f"{value:.4f}" for value in (*one._get_lrs([0, 1, 2]), *one._get_wds([0, 1, 2]))]


def lars_multipliers(mx: Any) -> list:
    """With LARS gammas do not decay either."""
    names = {0: "a_weight", 1: "a_bias", 2: "a_gamma"}
    return several(mx.optimizer.LARS(param_idx2name=names, wd=0.1, learning_rate=0.5))


def parameters(mx: Any) -> list:
    """Factors of parameters come before those by index and name."""
    params = {k: mx.gluon.Parameter(f"p{k}", lr_mult=k + 1, wd_mult=0.5) for k in range(2)}
    one = mx.optimizer.create("SGD", learning_rate=0.5, wd=0.1, param_dict=params)
    one.set_lr_mult({0: 7, 2: 9})
    one.set_wd_mult({0: 7, 2: 9})
    return several(one)


def counts(mx: Any) -> list:
    """How updates are counted."""
    one = mx.optimizer.SGD(begin_num_update=5)
    one._update_count(0)
    one._update_count([0, 1])
    first = str(sorted(one._index_update_count.items()))
    one._set_current_context(1)
    one._update_count(0)
    return [first, str(sorted(one._index_update_count.items())), str(one.num_update)]


def custom(mx: Any) -> list:
    """An optimizer of one's own: AdamW from the operators, for single weights and for lists."""
    nd = mx.nd

    class AdamW(mx.optimizer.Optimizer):
        def create_state(self, index, weight):
            return [nd.zeros(weight.shape, dtype=weight.dtype) for _ in range(2)]

        def update(self, index, weight, grad, state):
            self._update_count(index)
            settings = {"lr": 1, "eta": self._get_lr(index), "wd": self._get_wd(index)}
            settings["rescale_grad"] = nd.array([self.rescale_grad])
            nd.contrib.adamw_update(weight, grad, *state, out=weight, **settings)

    class Many(AdamW):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.aggregate_num = 2

        def update_multi_precision(self, index, weight, grad, state):
            self._update_count(index)
            means, squares = zip(*state)
            nd.contrib.multi_adamw_update(
                weight,
                grad,
                list(means),
                list(squares),
                self.rescale_grad,
                [1] * len(index),
                self._get_wds(index),
                self._get_lrs(index),
                out=weight,
            )

    found = []
    for kind in (AdamW, Many):
        update = mx.optimizer.get_updater(kind(learning_rate=0.1, wd=0.2, rescale_grad=0.5))
        weights = [nd.array(given(*shape)) for shape in SHAPES]
        for step in range(4):
            grads = [nd.array(given(*shape, seed=step)) for shape in SHAPES]
            update(list(range(3)), grads, weights)
        found += weights
    return found


#: The names and settings of optimizers for a `Trainer`.
TRAINERS = [
    ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.01}),
    ("nag", {"learning_rate": 0.1, "momentum": 0.9}),
    ("signum", {"learning_rate": 0.01}),
    ("lars", {"learning_rate": 0.5, "eta": 0.1, "momentum": 0.9}),
    ("lbsgd", {"learning_rate": 0.1, "momentum": 0.9}),
    ("lamb", {"learning_rate": 0.02}),
    ("dcasgd", {"learning_rate": 0.1}),
    ("adam", {"learning_rate": 0.02}),
    ("adamax", {"learning_rate": 0.02}),
    ("adagrad", {"learning_rate": 0.05}),
    ("adadelta", {}),
    ("rmsprop", {"learning_rate": 0.01}),
    ("rmsprop", {"learning_rate": 0.01, "centered": True}),
    ("ftml", {"learning_rate": 0.02}),
    ("ftrl", {"learning_rate": 0.1, "lamda1": 0.001}),
]


def trained(mx: Any, name: str, settings: dict) -> list:
    """Ten steps of a small network: losses and parameters."""
    nn = mx.gluon.nn
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(5, activation="tanh", in_units=4), nn.Dense(3, in_units=5))
    net.initialize()
    params = net.collect_params()
    for place, key in enumerate(params.keys()):
        params[key].set_data(mx.nd.array(given(*params[key].shape, seed=place)))
    params["net_dense0_bias"].lr_mult = 2
    params["net_dense1_bias"].wd_mult = 0
    trainer = mx.gluon.Trainer(params, name, settings)
    loss = mx.gluon.loss.L2Loss()
    x, y = mx.nd.array(given(6, 4)), mx.nd.array(given(6, 3, seed=3))
    found = []
    for _ in range(10):
        with mx.autograd.record():
            errors = loss(net(x), y)
        errors.backward()
        trainer.step(6)
        found.append(errors)
    return [*found, *(params[key].data() for key in sorted(params.keys()))]


# ------------------------------------------------------------------------------- schedules

SCHEDULES = [
    "FactorScheduler(3, 0.5, base_lr=1)",
    "FactorScheduler(1, 0.1, stop_factor_lr=0.001, base_lr=1)",
    "FactorScheduler(3, 0.5, base_lr=1, warmup_steps=4, warmup_begin_lr=0.2)",
    "FactorScheduler(2)",
    "FactorScheduler(2, 0.5, 0.2, 1, 3, 0.1, 'constant')",
    "MultiFactorScheduler([2, 5, 6], 0.1, base_lr=1)",
    "MultiFactorScheduler([2, 5], 0.5, 1, 3, 0.1, 'constant')",
    "MultiFactorScheduler([3])",
    "MultiFactorScheduler([1, 4], 0.5, base_lr=0.3, warmup_steps=6)",
    "PolyScheduler(8, base_lr=1)",
    "PolyScheduler(8, 1, 3, 0.1, 2, 0.05)",
    "PolyScheduler(5, 1, 1, 0.2, 4, 0.5, 'constant')",
    "PolyScheduler(3)",
    "CosineScheduler(8, base_lr=1, final_lr=0.1)",
    "CosineScheduler(9, 1, 0, 3, 0.1)",
    "CosineScheduler(6, 0.5, 0.1, 5, 0.2, 'constant')",
    "CosineScheduler(1)",
]


def schedule(mx: Any, text: str) -> list:
    one = eval(text, vars(mx.lr_scheduler).copy())
    return [np.array([one(n) for n in range(1, 13)], "float64")]


def own_schedule(mx: Any) -> list:
    """A schedule of one's own, with the warm-up of the base class."""

    class Steps(mx.lr_scheduler.LRScheduler):
        def __call__(self, num_update):
            if num_update < self.warmup_steps:
                return self.get_warmup_lr(num_update)
            return self.base_lr / num_update

    found = []
    for mode in ("linear", "constant"):
        one = Steps(0.5, warmup_steps=4, warmup_begin_lr=0.1, warmup_mode=mode)
        found.append(np.array([one(n) for n in range(8)], "float64"))
    return found


def overruled(mx: Any, text: str) -> list:
    """The learning rate of the optimizer takes the place of that of the schedule."""
    one = made(mx, f"SGD(learning_rate=0.5, lr_scheduler=lr_scheduler.{text})")
    return [np.array([one.lr_scheduler(n) for n in range(1, 10)], "float64")]


OVERRULED = [
    "FactorScheduler(3, 0.5, base_lr=1)",
    "FactorScheduler(3, 0.5, base_lr=1, warmup_steps=3)",
    "MultiFactorScheduler([2, 5], 0.5, base_lr=1)",
    "PolyScheduler(8, base_lr=1)",
    "CosineScheduler(8, base_lr=1, warmup_steps=3)",
]


def programs() -> dict:
    """Every program by its name."""
    found: dict = {}
    for text in OPTIMIZERS:
        found[f"trajectory {text}"] = lambda mx, a=text: trajectory(mx, a)
    for text in ALONE:
        found[f"alone {text}"] = lambda mx, a=text: trajectory(mx, a, count=1)
    for text in TOGETHER:
        found[f"together {text}"] = lambda mx, a=text: trajectory(mx, a, together=True)
    for text in FLOAT64:
        found[f"float64 {text}"] = lambda mx, a=text: trajectory(mx, a, "float64")
    for text in HALF:
        found[f"float16 {text}"] = lambda mx, a=text: trajectory(mx, a, "float16")
    for text in RESUMED:
        found[f"resumed {text}"] = lambda mx, a=text: resumed(mx, a)
    for name, settings in TRAINERS:
        found[f"trained {name} {settings}"] = lambda mx, a=name, b=settings: trained(mx, a, b)
    for text in SCHEDULES:
        found[f"schedule {text}"] = lambda mx, a=text: schedule(mx, a)
    for text in OVERRULED:
        found[f"overruled {text}"] = lambda mx, a=text: overruled(mx, a)
    for one in (multipliers, lars_multipliers, parameters, counts, custom, own_schedule):
        found[f"settings {one.__name__}"] = one
    return found
