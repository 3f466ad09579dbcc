# %% [markdown]
# # Fitting an ODE through its solver
#
# From 1900 to 1920 the Hudson's Bay Company counted the pelts of hares and lynxes that trappers
# brought in. Both populations oscillate, because lynxes eat hares. The Lotka-Volterra equations
# describe this with two derivatives and four rates. To find the rates, we solve the equations,
# compare the solution with the counts, and minimize the difference. The gradient passes backwards
# through every step of the solver.

# %%
import numpy as np
from matplotlib import pyplot as plt
from scipy.optimize import minimize
from tqdm import tqdm

from gluon import autograd, nd

# %% [markdown]
# ## The counts
#
# The counts are in thousands of pelts per year.

# %%
hares = [30, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22, 25.4, 27.1]
hares += [40.3, 57, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6, 16.2, 24.7]
lynxes = [4, 6.1, 9.8, 35.2, 59.4, 41.7, 19, 13, 8.3, 9.1, 7.4]
lynxes += [8, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1, 8.6]
counts = nd.array([hares, lynxes], dtype="float64").T
years = np.arange(1900, 1921)

# %% [markdown]
# ## The equations and a solver
#
# Hares are born and eaten; lynxes feed and die. All six unknowns, the four rates and the two
# populations of 1900, are positive, so we optimize their logarithms. The solver is the classical
# Runge-Kutta method, written without regard to gradients.

# %%
STEPS = 8  # in a year


def change(state: nd.NDArray, rates: nd.NDArray) -> nd.NDArray:
    hare, lynx = state[0:1], state[1:2]
    born, eaten, died, fed = (rates[k : k + 1] for k in range(4))
    return nd.concat(hare * (born - eaten * lynx), lynx * (fed * hare - died), dim=0)


def solve(log_unknowns: nd.NDArray) -> nd.NDArray:
    """Both populations at the beginning of each step, an array of (step, kind)."""
    unknowns = nd.exp(log_unknowns)
    rates, state = unknowns[:4], unknowns[4:]
    states, h = [state], 1 / STEPS
    for _ in range(STEPS * (len(years) - 1)):
        k1 = change(state, rates)
        k2 = change(state + h / 2 * k1, rates)
        k3 = change(state + h / 2 * k2, rates)
        k4 = change(state + h * k3, rates)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        states.append(state)
    return nd.stack(*states)


def misfit(log_unknowns: nd.NDArray) -> nd.NDArray:
    """Return the squared differences of logarithms, which measure the relative errors."""
    each_year = solve(log_unknowns)[::STEPS]
    return ((nd.log(each_year) - nd.log(counts)) ** 2).sum()


# %% [markdown]
# ## Optimization
#
# The graph of one solution has about 15,000 operators. We pass the value and the gradient to a
# quasi-Newton method of SciPy as NumPy arrays.

# %%
start = np.log([0.5, 0.02, 0.8, 0.02, 30, 4])
progress = tqdm(desc="evaluations", mininterval=1)
history: list[float] = []


def value_and_gradient(point: np.ndarray) -> tuple[float, np.ndarray]:
    x = nd.array(point, dtype="float64")
    x.attach_grad()
    with autograd.record():
        value = misfit(x)
    value.backward()
    history.append(value.asscalar())
    progress.update()
    return value.asscalar(), x.grad.asnumpy()


found = minimize(value_and_gradient, start, jac=True, method="BFGS")
progress.close()
names = "hares born", "hares eaten", "lynxes died", "lynxes fed", "hares 1900", "lynxes 1900"
for name, value in zip(names, np.exp(found.x)):
    print(f"{name:12} {value:8.3f}")
print(f"misfit {history[0]:.2f} at the start, {found.fun:.2f} at the end")
assert found.fun < 0.15 * history[0]

# %% [markdown]
# ## Error bars
#
# Near the best fit, the curvature of the error shows how well the counts determine each unknown.
# Its Hessian is the gradient of the gradient through the solver, one row for each unknown. The
# inverse of the Hessian gives the covariance of the unknowns.

# %%
x = nd.array(found.x, dtype="float64")
x.attach_grad()
with autograd.record():
    slope = autograd.grad(misfit(x), x, create_graph=True)[0]
rows = [
    autograd.grad(slope, x, unit, retain_graph=True)[0].asnumpy()
    for unit in tqdm(nd.eye(6, dtype="float64"), desc="Hessian")
]
noise = found.fun / (counts.size - 6)
covariance = 2 * noise * np.linalg.inv(np.array(rows))
for name, value, deviation in zip(names, np.exp(found.x), np.sqrt(np.diag(covariance))):
    print(f"{name:12} {value:8.3f}, give or take {deviation:5.1%}")

# %% [markdown]
# ## Plot
#
# Left: the counts and the fitted populations, with a band from forty samples of the unknowns with
# this covariance. Right: one population against the other: many hares, then many lynxes, then few
# of both.

# %%
generator = np.random.default_rng(0)
draws = generator.multivariate_normal(found.x, covariance, size=40)
fans = np.array([solve(nd.array(draw, dtype="float64")).asnumpy() for draw in draws])
low, high = np.quantile(fans, [0.05, 0.95], axis=0)
best = solve(x).asnumpy()
times = np.linspace(years[0], years[-1], len(best))
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
for kind, name, colour in [(0, "hares", "#2a78b5"), (1, "lynxes", "#d1692b")]:
    left.fill_between(times, low[:, kind], high[:, kind], color=colour, alpha=0.2, linewidth=0)
    left.plot(times, best[:, kind], color=colour)
    left.plot(years, counts[:, kind].asnumpy(), "o", color=colour, label=name)
left.set(ylabel="thousands of pelts", title="counts (dots) and the fitted equations (lines)")
left.set_xticks(years[::5])
left.legend()
right.plot(*counts.asnumpy().T, "o", color="grey")
right.plot(*best.T, color="#8a63b5")
right.set(xlabel="hares", ylabel="lynxes", title="the cycle")
figure.savefig("fit_an_ode.png", dpi=120)
plt.show()
