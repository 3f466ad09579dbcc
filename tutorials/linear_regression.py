# %% [markdown]
# # Linear regression from scratch
#
# This tutorial trains a model with only arrays, `record()` and `backward()`, without layers, a
# trainer or a library loss. The data are ten measurements of 442 people with diabetes, and the
# progression of the disease after one year. Least squares has an exact solution. We compare the
# result of gradient descent with this solution.

# %%
from collections.abc import Iterator

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_diabetes
from tqdm import tqdm

from gluon import autograd, nd

# %% [markdown]
# ## Data
#
# Scale every column to mean 0 and standard deviation 1, so that one learning rate suits all
# columns. Hold out a fifth of the people for testing.

# %%
measured, target = load_diabetes(return_X_y=True)
names = load_diabetes().feature_names
measured = (measured - measured.mean(axis=0)) / measured.std(axis=0)
target = (target - target.mean()) / target.std()
order = np.random.default_rng(0).permutation(len(target))
held_out, training = order[:88], order[88:]
data, label = nd.array(measured[training]), nd.array(target[training])
test_data, test_label = nd.array(measured[held_out]), nd.array(target[held_out])
print(data.shape, test_data.shape)

# %% [markdown]
# ## Model and loss

# %%


def model(x: nd.NDArray, weight: nd.NDArray, bias: nd.NDArray) -> nd.NDArray:
    return nd.dot(x, weight) + bias


def squared_error(predicted: nd.NDArray, wanted: nd.NDArray) -> nd.NDArray:
    return ((predicted - wanted) ** 2).mean()


# %% [markdown]
# ## Training
#
# We use minibatch gradient descent: draw a few samples, compute the gradient of their error, and
# take a small step against it. The update runs outside `record()`, so it is not recorded. It
# changes the parameters in place, as an optimizer does.


# %%
def batches(
    generator: np.random.Generator, size: int = 59
) -> Iterator[tuple[nd.NDArray, nd.NDArray]]:
    shuffled = generator.permutation(len(label))
    for start in range(0, len(label), size):
        chosen = nd.array(shuffled[start : start + size], dtype="int64")
        yield nd.take(data, chosen), nd.take(label, chosen)


def train(
    learning_rate: float, epochs: int = 200, momentum: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return the training and test errors after each epoch, and the path of the weights."""
    weight, bias = nd.zeros(data.shape[1]), nd.zeros(1)
    parameters = [weight, bias]
    velocities = [nd.zeros_like(p) for p in parameters]
    for parameter in parameters:
        parameter.attach_grad()
    generator = np.random.default_rng(1)
    errors, way = [], [weight.asnumpy()]
    for _ in tqdm(range(epochs), desc=f"learning rate {learning_rate}", mininterval=1):
        for x, y in batches(generator):
            with autograd.record():
                error = squared_error(model(x, weight, bias), y)
            error.backward()
            for parameter, velocity in zip(parameters, velocities):
                velocity *= momentum
                velocity -= learning_rate * parameter.grad
                parameter += velocity
            way.append(weight.asnumpy())
        errors.append(
            [
                squared_error(model(data, weight, bias), label).asscalar(),
                squared_error(model(test_data, weight, bias), test_label).asscalar(),
            ]
        )
    return np.array(errors), np.array(way)


errors, way = train(0.01)
fast_errors, fast_way = train(0.01, momentum=0.95)

# %% [markdown]
# ## Compared with the exact solution

# %%
with_ones = np.column_stack([measured, np.ones(len(measured))])
exact = np.linalg.lstsq(with_ones[training], target[training], rcond=None)[0]
exact_error = np.mean((with_ones[training] @ exact - target[training]) ** 2)
exact_test = np.mean((with_ones[held_out] @ exact - target[held_out]) ** 2)
print("                 training   held out")
for what, row in [("descent", errors[-1]), ("with momentum", fast_errors[-1])]:
    print(f"{what:16} {row[0]:8.4f} {row[1]:10.4f}")
print(f"{'exact':16} {exact_error:8.4f} {exact_test:10.4f}")
assert errors[-1, 0] < 1.02 * exact_error
assert fast_errors[-1, 0] < 1.02 * exact_error

# %% [markdown]
# ## Plot
#
# Left: the training error minus that of the exact solution. Right: the path of the weights of `s1`
# and `s5` over the error surface, with all other weights at their optimum. Plain gradient descent
# moves slowly along the valley; momentum overshoots and turns.

# %%
first, second = names.index("s1"), names.index("s5")
across, up = np.meshgrid(np.linspace(-0.6, 0.25, 60), np.linspace(-0.1, 0.6, 60))
weights = np.broadcast_to(exact, (*across.shape, 11)).copy()
weights[..., first], weights[..., second] = across, up
surface = np.mean((weights @ with_ones[training].T - target[training]) ** 2, axis=-1)

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
left.semilogy(errors[:, 0] - exact_error, label="descent", color="#2a78b5")
left.semilogy(fast_errors[:, 0] - exact_error, label="with momentum", color="#d1692b")
left.set(xlabel="epoch", ylabel="above the exact solution", title="error on the training data")
left.legend()
right.contourf(across, up, np.log(surface), levels=30, cmap="Greys")
for steps, colour in [(way, "#2a78b5"), (fast_way, "#d1692b")]:
    right.plot(steps[:, first], steps[:, second], color=colour, linewidth=1)
right.plot(exact[first], exact[second], "*", color="black", markersize=14, label="exact solution")
right.set(xlabel="weight of s1", ylabel="weight of s5", title="the way of two of the weights")
right.legend(loc="upper right", facecolor="white", framealpha=0.8, labelcolor="black")
figure.savefig("linear_regression.png", dpi=120)
plt.show()
