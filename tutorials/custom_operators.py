# %% [markdown]
# # Custom operators
#
# A function composed of operators is differentiable already. Two problems can remain: the
# derivative may overflow although the function does not, and the graph may keep more than the
# derivative needs. An `autograd.Function` defines its own derivative and is recorded as one
# operator. This tutorial writes two such functions and checks them.

# %%
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_digits
from tqdm import tqdm

import gluon
from gluon import GluonError, autograd, nd, nn, operator, viz

gluon.random.seed(0)

# %% [markdown]
# ## A derivative that overflows
#
# This is the logistic function as textbooks write it. For x < -89, exp(-x) is infinite in
# float32. The value is still correct, but the derivative is infinity times 0.


# %%
def naive(x: nd.NDArray) -> nd.NDArray:
    return 1 / (1 + nd.exp(-x))


def slope(function: Callable[[nd.NDArray], nd.NDArray], x: nd.NDArray) -> nd.NDArray:
    x = x.copy()
    x.attach_grad()
    with autograd.record():
        y = function(x)
    y.backward()
    return x.grad


x = nd.array([-100.0, -20.0, 0.0, 20.0])
print("value     ", naive(x).asnumpy())
print("derivative", slope(naive, x).asnumpy())

# %% [markdown]
# The derivative is y (1 - y), and many programs compute it in this way. The result is finite, but
# at 20 it is 0 instead of 2e-9: y was rounded to 1, so the difference from 1 is lost.


# %%
class Textbook(autograd.Function):
    def forward(self, x: nd.NDArray) -> nd.NDArray:
        y = naive(x)
        self.save_for_backward(y)
        return y

    def backward(self, dy: nd.NDArray) -> nd.NDArray:
        y: nd.NDArray = self.saved_tensors[0]
        return dy * y * (1 - y)


print(slope(lambda x: Textbook()(x), nd.array([-20.0, 0.0, 20.0])).asnumpy())

# %% [markdown]
# ## A stable version
#
# With e = exp(-|x|), which is at most 1, the value is 1 / (1 + e) or e / (1 + e), and the
# derivative is e / (1 + e)². Both are accurate wherever float32 can represent them.


# %%
class Sigmoid(autograd.Function):
    def forward(self, x: nd.NDArray) -> nd.NDArray:
        self.save_for_backward(x)
        e = nd.exp(-nd.abs(x))
        return nd.where(x >= 0, nd.ones_like(x), e) / (1 + e)

    def backward(self, dy: nd.NDArray) -> nd.NDArray:
        x: nd.NDArray = self.saved_tensors[0]
        e = nd.exp(-nd.abs(x))
        return dy * e / (1 + e) ** 2


def sigmoid(x: nd.NDArray) -> nd.NDArray:
    y: nd.NDArray = Sigmoid()(x)  # one instance per call
    return y


print("value     ", sigmoid(x).asnumpy())
print("derivative", slope(sigmoid, x).asnumpy())

# %% [markdown]
# ## Check it
#
# `gradcheck` compares each derivative with a difference quotient, in float64. `gradgradcheck`
# does the same for the second order: `backward` consists of `nd` functions, so gluon can
# differentiate it again. An error names the input and the element:

# %%
points = nd.array([-3, -0.5, 0.7, 4], dtype="float64")
print(autograd.gradcheck(sigmoid, points), autograd.gradgradcheck(sigmoid, points))


class Wrong(Sigmoid):
    def backward(self, dy: nd.NDArray) -> nd.NDArray:
        x: nd.NDArray = self.saved_tensors[0]
        e = nd.exp(-x)  # without the absolute value: still correct
        return dy * e / (1 + e)  # without the square: wrong


try:
    autograd.gradcheck(lambda x: Wrong()(x), points)
except GluonError as error:
    print(textwrap.fill(str(error), 90))
else:
    raise AssertionError("gradcheck should have found the mistake")

# %% [markdown]
# ## A fused layer
#
# This layer applies layer normalization and then GELU, two operations of transformers: it
# subtracts the mean of each row, divides by its standard deviation, scales and shifts, then
# multiplies by the normal CDF. In the composed version, the graph keeps what each operator needs
# for its own derivative.

# %%
ROOT = 2**0.5


def normalize(x: nd.NDArray) -> tuple[nd.NDArray, nd.NDArray]:
    centred = x - x.mean(axis=-1, keepdims=True)
    rate = (1e-5 + (centred**2).mean(axis=-1, keepdims=True)) ** -0.5
    return centred * rate, rate


def distribution(h: nd.NDArray) -> nd.NDArray:
    return (1 + nd.erf(h / ROOT)) / 2


def composed(x: nd.NDArray, gamma: nd.NDArray, beta: nd.NDArray) -> nd.NDArray:
    h = gamma * normalize(x)[0] + beta
    return h * distribution(h)


# %% [markdown]
# The fused version keeps its inputs and computes the rest again in the backward pass. The
# derivative of GELU, h Φ(h), is Φ(h) + h φ(h). The gradient of the normalization has no mean and no
# component along the row itself, because neither a shift of `x` nor a scaling changes the result.


# %%
class Fused(autograd.Function):
    def forward(self, x: nd.NDArray, gamma: nd.NDArray, beta: nd.NDArray) -> nd.NDArray:
        self.save_for_backward(x, gamma, beta)
        return composed(x, gamma, beta)

    def backward(self, dy: nd.NDArray) -> tuple[nd.NDArray, ...]:
        x, gamma, beta = self.saved_tensors
        normal, rate = normalize(x)
        h = gamma * normal + beta
        density = nd.exp(-(h**2) / 2) / (2 * np.pi) ** 0.5
        dh = dy * (distribution(h) + h * density)
        return self.through(dh * gamma, normal, rate), (dh * normal).sum(axis=0), dh.sum(axis=0)

    def through(self, g: nd.NDArray, normal: nd.NDArray, rate: nd.NDArray) -> nd.NDArray:
        along = (g * normal).mean(axis=-1, keepdims=True)
        return rate * (g - g.mean(axis=-1, keepdims=True) - normal * along)


def fused(x: nd.NDArray, gamma: nd.NDArray, beta: nd.NDArray) -> nd.NDArray:
    y: nd.NDArray = Fused()(x, gamma, beta)
    return y


rng = np.random.default_rng(0)
inputs = [nd.array(rng.normal(size=shape), dtype="float64") for shape in ((3, 4), (4,), (4,))]
print(autograd.gradcheck(fused, inputs), autograd.gradgradcheck(fused, inputs))

# %% [markdown]
# A common mistake is to treat the standard deviation as a constant. The values of the function
# stay correct, but `gradcheck` finds the mistake:


# %%
class Careless(Fused):
    def through(self, g: nd.NDArray, normal: nd.NDArray, rate: nd.NDArray) -> nd.NDArray:
        return rate * (g - g.mean(axis=-1, keepdims=True))


try:
    autograd.gradcheck(lambda *inputs: Careless()(*inputs), inputs)
except GluonError as error:
    print(textwrap.fill(str(error), 90))
else:
    raise AssertionError("gradcheck should have found the mistake")

# %% [markdown]
# ## In a network
#
# A `Block` holds the parameters and calls the function. Two networks with the same initial
# parameters learn the digits of scikit-learn, one with the composed layer and one with the fused
# layer. Their losses are equal up to rounding.


# %%
class NormalizedGelu(nn.Block):
    def __init__(self, function: Callable[..., nd.NDArray], units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.function = function
        with self.name_scope():
            self.gamma = self.params.get("gamma", shape=(units,), init="ones")
            self.beta = self.params.get("beta", shape=(units,), init="zeros")

    def forward(self, x: nd.NDArray) -> nd.NDArray:
        return self.function(x, self.gamma.data(), self.beta.data())


digits = load_digits()
order = np.random.default_rng(0).permutation(len(digits.target))
pictures, labels = nd.array(digits.data[order] / 16), nd.array(digits.target[order])
cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()


def network(function: Callable[..., nd.NDArray]) -> nn.Sequential:
    gluon.random.seed(1)
    net = nn.Sequential()
    for _ in range(3):
        net.add(nn.Dense(128), NormalizedGelu(function, 128))
    net.add(nn.Dense(10))
    net.initialize(gluon.init.Xavier())
    return net


def train(function: Callable[..., nd.NDArray], steps: int = 60) -> np.ndarray:
    net = network(function)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.003})
    losses = []
    for step in tqdm(range(steps), desc=function.__name__, mininterval=1):
        chosen = slice(step * 128 % 1536, step * 128 % 1536 + 128)
        with autograd.record():
            loss = cross_entropy(net(pictures[chosen]), labels[chosen]).mean()
        loss.backward()
        trainer.step(1)
        losses.append(loss.asscalar())
    right = (net(pictures[1536:]).argmax(axis=1) == labels[1536:]).mean().asscalar()
    print(f"{function.__name__}: {right:.1%} of the digits held out are read right")
    return np.array(losses)


losses = {function: train(function) for function in (composed, fused)}
apart = np.abs(losses[composed] - losses[fused]).max()
print(f"the losses are {apart:.0e} apart at most")
assert apart < 1e-2

# %% [markdown]
# `viz.memory` shows the memory that the graph of one step keeps, by operator:


# %%
def kept(function: Callable[..., nd.NDArray]) -> viz.Memory:
    net = network(function)
    with autograd.record():
        loss = cross_entropy(net(pictures), labels).mean()
    return viz.memory(loss)


memory = {function: kept(function) for function in (composed, fused)}
for function, found in memory.items():
    print(function.__name__)
    print(found)
assert memory[fused].total < memory[composed].total / 2

# %% [markdown]
# ## `CustomOp`
#
# MXNet's older interface uses two classes: one declares the inputs and outputs of the operator, the
# other computes and writes to given arrays. `nd.Custom` calls the operator by its registered name.


# %%
class StableSigmoid(operator.CustomOp):
    def forward(
        self,
        is_train: bool,
        req: Sequence[str],
        in_data: Sequence[nd.NDArray],
        out_data: Sequence[nd.NDArray],
        aux: Sequence[nd.NDArray],
    ) -> None:
        e = nd.exp(-nd.abs(in_data[0]))
        y = nd.where(in_data[0] >= 0, nd.ones_like(e), e) / (1 + e)
        self.assign(out_data[0], req[0], y)

    def backward(
        self,
        req: Sequence[str],
        out_grad: Sequence[nd.NDArray],
        in_data: Sequence[nd.NDArray],
        out_data: Sequence[nd.NDArray],
        in_grad: Sequence[nd.NDArray],
        aux: Sequence[nd.NDArray],
    ) -> None:
        e = nd.exp(-nd.abs(in_data[0]))
        self.assign(in_grad[0], req[0], out_grad[0] * e / (1 + e) ** 2)


@operator.register("stable_sigmoid")
class StableSigmoidProp(operator.CustomOpProp):
    def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> StableSigmoid:
        return StableSigmoid()


def custom(x: nd.NDArray) -> nd.NDArray:
    y: nd.NDArray = nd.Custom(x, op_type="stable_sigmoid")
    return y


print(autograd.gradcheck(custom, points), autograd.gradgradcheck(custom, points))
assert (slope(custom, x) == slope(sigmoid, x)).asnumpy().all()

# %% [markdown]
# ## Plot
#
# Left: the relative error of the derivative of the logistic function in float32, computed in three
# ways; 1 means that no digit is correct. The composed version fails on the left, where the square
# of y underflows. The textbook's formula loses digits on the right, where y is rounded to 1. The
# stable version is accurate everywhere. Right: the memory that the graph of one training step
# keeps, by operator.

# %%
across = nd.array(np.linspace(-87, 87, 697))
small = np.exp(-np.abs(across.asnumpy().astype("float64")))
exact = small / (1 + small) ** 2
ways = {
    "composed": (naive, "#d1692b"),
    "y (1 - y)": (lambda x: Textbook()(x), "#7f7f7f"),
    "stable": (sigmoid, "#2a78b5"),
}
figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.6), layout="constrained")
for name, (way, colour) in ways.items():
    slopes = slope(way, across).asnumpy()
    wrong = np.nan_to_num(np.abs(slopes - exact) / exact, nan=1)
    left.semilogy(across.asnumpy(), np.clip(wrong, 1e-9, 1), color=colour, label=name)
    if name == "stable":
        assert wrong.max() < 1e-6
left.set(xlabel="x", title="relative error of the derivative of 1 / (1 + exp(-x))")
left.legend(frameon=False, loc="center left")
shades = plt.get_cmap("Set3").colors
operators = sorted({row.operator for found in memory.values() for row in found.rows if row.bytes})
for place, found in enumerate(memory.values()):
    bottom = 0.0
    for row in found.rows:
        size = row.bytes / 2**20
        if size > 0.1:
            shade = shades[operators.index(row.operator) % len(shades)]
            right.bar(place, size, bottom=bottom, color=shade, width=0.6)
            where = {"ha": "center", "va": "center", "size": 9, "color": "black"}
            right.text(place, bottom + size / 2, row.operator, **where)
        bottom += size
right.set_xticks(range(len(memory)), [function.__name__ for function in memory])
right.set(ylabel="MiB", title="kept for the backward pass, by operator")
for axes in (left, right):
    axes.spines[["top", "right"]].set_visible(False)
figure.savefig("custom_operators.png", dpi=120)
plt.show()
