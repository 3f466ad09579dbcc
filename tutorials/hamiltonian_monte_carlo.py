# %% [markdown]
# # Sampling with Hamiltonian Monte Carlo
#
# We want samples from a distribution whose density is known up to a factor. Hamiltonian Monte
# Carlo lets a particle move through a landscape whose height is the negative log density, so the
# force is the gradient of the log density. Long trajectories end far from where they began, and
# the method still accepts nearly all of them. gluon computes the force.

# %%
import numpy as np
from matplotlib import pyplot as plt
from tqdm import tqdm

import gluon
from gluon import autograd, nd

gluon.random.seed(3)

# %% [markdown]
# ## A curved density
#
# The first coordinate is normal; the second is normal around the square of the first. So we know
# all moments: the second coordinate has mean 1 and variance 2 + 0.09. A sampler with small random
# steps has difficulty with the arms of this banana.
#
# Every row of `z` is a separate particle: 200 chains run at once.

# %%
CHAINS, WIDTH, STEPS = 200, 0.3, 40


def log_density(z: nd.NDArray) -> nd.NDArray:
    x, y = z[:, 0], z[:, 1]
    return -(x**2) / 2 - ((y - x**2) / WIDTH) ** 2 / 2


def force(z: nd.NDArray) -> nd.NDArray:
    """The gradient of the log density of each row."""
    z = z.detach()
    z.attach_grad()
    with autograd.record():
        total = log_density(z).sum()
    total.backward()
    return z.grad


# %% [markdown]
# ## The leapfrog integrator
#
# The leapfrog scheme is reversible and preserves volume, so the acceptance rule of Metropolis is
# exact. It alternates updates of momentum and position, with half an update of the momentum at the
# start and at the end.


# %%
def slide(
    z: nd.NDArray, momentum: nd.NDArray, step: float = 0.06, steps: int = STEPS
) -> tuple[nd.NDArray, nd.NDArray, list[np.ndarray]]:
    way = [z.asnumpy()]
    momentum = momentum + step / 2 * force(z)
    for count in range(steps):
        z = z + step * momentum
        way.append(z.asnumpy())
        momentum = momentum + (step if count < steps - 1 else step / 2) * force(z)
    return z, momentum, way


def energy(z: nd.NDArray, momentum: nd.NDArray) -> nd.NDArray:
    return (momentum**2).sum(axis=1) / 2 - log_density(z)


def transition(z: nd.NDArray) -> tuple[nd.NDArray, nd.NDArray, list[np.ndarray]]:
    """The next state of every chain, which of them moved, and their trajectories."""
    momentum = nd.random.normal(shape=z.shape, dtype="float64")
    proposal, final, way = slide(z, momentum)
    gain = energy(z, momentum) - energy(proposal, final)
    accepted = nd.log(nd.random.uniform(shape=gain.shape, dtype="float64")) < gain
    return nd.where(accepted, proposal, z), accepted, way


# %% [markdown]
# ## Sampling
#
# For comparison, random-walk Metropolis runs from the same start with the same number of
# evaluations.

# %%


def walk(z: nd.NDArray, size: float = 0.4) -> nd.NDArray:
    proposal = z + size * nd.random.normal(shape=z.shape, dtype="float64")
    gain = log_density(proposal) - log_density(z)
    accepted = nd.log(nd.random.uniform(shape=gain.shape, dtype="float64")) < gain
    return nd.where(accepted, proposal, z)


start = nd.zeros((CHAINS, 2), dtype="float64")
z, states, ways, moved = start, [], [], []
for _ in tqdm(range(300), desc="Hamiltonian", mininterval=1):
    z, accepted, way = transition(z)
    states.append(z.asnumpy())
    moved.append(accepted.asnumpy().mean())
    ways.append(np.array(way)[:, 0])
samples = np.array(states)[50:]

z, states = start, []
for count in tqdm(range(300 * STEPS), desc="random walk", mininterval=1):
    z = walk(z)
    if count % STEPS == STEPS - 1:
        states.append(z.asnumpy())
walked = np.array(states)[50:]

# %% [markdown]
# ## Results
#
# The table compares the estimated with the true moments, and shows the autocorrelation of the
# chains. One transition costs the same number of evaluations in both methods.


# %%
def correlation(chains: np.ndarray, lag: int = 1) -> float:
    """The autocorrelation of the first coordinate at `lag`."""
    x = chains[:, :, 0] - chains[:, :, 0].mean()
    return float((x[lag:] * x[:-lag]).mean() / (x * x).mean())


def report(name: str, chains: np.ndarray) -> None:
    flat = chains.reshape(-1, 2)
    print(
        f"{name:12} mean of y {flat[:, 1].mean():6.3f}, variance {flat[:, 1].var():6.3f}, "
        f"correlation with the state before {correlation(chains):.2f}"
    )


print(f"{'exact':12} mean of y {1:6.3f}, variance {2 + WIDTH**2:6.3f}")
report("Hamiltonian", samples)
report("random walk", walked)
print(f"accepted: {np.mean(moved):.0%}")
assert abs(samples[..., 1].mean() - 1) < 0.1
assert abs(samples[..., 1].var() - 2 - WIDTH**2) < 0.3

# %% [markdown]
# ## Plot
#
# Left: trajectories of one particle over the density, which follow the valley around the bend.
# Right: the second coordinate of all samples, and its exact density, which is an integral over
# the first coordinate.

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
across, up = np.meshgrid(np.linspace(-3, 3, 120), np.linspace(-2, 7, 120))
grid = nd.array(np.stack([across.ravel(), up.ravel()], axis=1), dtype="float64")
density = np.exp(log_density(grid).asnumpy()).reshape(across.shape)
left.contourf(across, up, density, levels=12, cmap="Greys")
for path in ways[50:58]:
    left.plot(*path.T, ".-", linewidth=1, markersize=3)
    left.plot(*path[-1], "o", color="black", markersize=5)
left.set(xlabel="x", ylabel="y", title="eight slides of one particle")
y = np.linspace(-2, 8, 400)
x = np.linspace(-5, 5, 2001)
joint = np.exp(-(x**2) / 2 - ((y[:, None] - x**2) / WIDTH) ** 2 / 2) / (2 * np.pi * WIDTH)
right.hist(samples[..., 1].ravel(), bins=120, range=(-2, 8), density=True, color="#9fc3e0")
right.plot(y, joint.sum(axis=1) * (x[1] - x[0]), color="#d1692b", label="exact density")
right.set(xlabel="y", title=f"{samples[..., 0].size:,} samples")
right.legend()
figure.savefig("hamiltonian_monte_carlo.png", dpi=120)
plt.show()
