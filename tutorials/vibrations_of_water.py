# %% [markdown]
# # Vibrations of water
#
# Near its state of least energy, every molecule vibrates like masses on springs. The Hessian of
# its energy, the matrix of the second derivatives, determines how. With `func.hessian` we only
# need to write the energy, and with `func.vmap` we treat all isotopes in one call. Then we find
# the springs that explain the measured frequencies, which takes derivatives of the frequencies.

# %%
from typing import Any

import numpy
from matplotlib import pyplot as plt

from gluon import func, np

# %% [markdown]
# ## Bonds and an angle
#
# A water molecule has two bonds between hydrogen and oxygen, of 0.9572 ångström, at an angle of
# 104.52°. The atoms have nine coordinates in space. Their positions `q` are an array of 3 x 3: a
# row for oxygen, and one for each hydrogen.

# %%
LENGTH, ANGLE = 0.9572, numpy.radians(104.52)
half = ANGLE / 2
rest = np.array(
    [
        [0, 0, 0],
        [LENGTH * numpy.sin(half), LENGTH * numpy.cos(half), 0],
        [-LENGTH * numpy.sin(half), LENGTH * numpy.cos(half), 0],
    ],
    dtype="float64",
)


def shape_of(q: np.ndarray) -> np.ndarray:
    """Return both lengths and the angle."""
    first, second = q[1] - q[0], q[2] - q[0]
    lengths = [np.sqrt((bond * bond).sum()) for bond in (first, second)]
    angle = np.arccos((first * second).sum() / (lengths[0] * lengths[1]))
    return np.stack([*lengths, angle])


print("at rest:", shape_of(rest).asnumpy().round(4))

# %% [markdown]
# The Jacobian of this function has a row for each of the three numbers. It has nine inputs and
# three outputs, so reverse mode needs fewer passes: `jacrev` makes three, `jacfwd` nine. Both
# compute the same matrix. Six of the nine directions leave the shape as it is, because the molecule
# can move and turn in space: the rank of the Jacobian is 3.

# %%
J = func.jacrev(shape_of)(rest).reshape((3, 9)).asnumpy()
assert numpy.allclose(J, func.jacfwd(shape_of)(rest).reshape((3, 9)).asnumpy())
print("rank of the Jacobian:", numpy.linalg.matrix_rank(J))

# %% [markdown]
# ## Energy, and springs
#
# The energy is quadratic in the differences from rest. It has four constants: for a bond, for the
# angle, for both bonds together, and for a bond with the angle. Chemists give such constants in
# millidyne per ångström, so the energy is in millidyne times ångström.


# %%
def energy(q: np.ndarray, springs: np.ndarray) -> np.ndarray:
    change = shape_of(q) - shape_of(rest)
    first, second, angle = change[0], change[1], LENGTH * change[2]
    bond, bend, both, mixed = springs
    return (
        bond * (first**2 + second**2) / 2
        + bend * angle**2 / 2
        + both * first * second
        + mixed * angle * (first + second)
    )


springs = np.array([8.0, 0.7, 0.0, 0.0], dtype="float64")
force = func.grad(energy)(rest, springs)
assert abs(force.asnumpy()).max() < 1e-12, "at rest there is no force"
H = func.hessian(energy)(rest, springs).reshape((9, 9))
print("Hessian:", H.shape, "symmetric:", numpy.allclose(H.asnumpy(), H.asnumpy().T))

# %% [markdown]
# ## Frequencies
#
# Newton's law divides the force on an atom by its mass. So we divide each element of the Hessian
# by the square roots of the masses of its row and its column. The squared frequencies are the
# eigenvalues of the result. Six of the nine are zero: they move or turn the molecule. The others
# are vibrations. Spectroscopists give 1/λ in 1/cm; the factor 1302.79 converts to it.
#
# Isotopes differ in their masses alone. `func.vmap` turns the function for one molecule into a
# function for all isotopes: the masses have an axis of isotopes in front, and the springs are
# shared.

# %%
MASSES = {
    "H2O": [15.9949, 1.0078, 1.0078],
    "HDO": [15.9949, 1.0078, 2.0141],
    "D2O": [15.9949, 2.0141, 2.0141],
}
#: The frequencies that were measured, corrected such that the springs are those near rest.
HARMONIC = numpy.array(
    [[1648.5, 3832.2, 3942.5], [1440.2, 2824.3, 3889.8], [1206.4, 2763.8, 2888.8]]
)


def frequencies(masses: np.ndarray, springs: np.ndarray) -> np.ndarray:
    weight = np.repeat(1 / np.sqrt(masses), 3)
    H = func.hessian(energy)(rest, springs).reshape((9, 9))
    squares = np.linalg.eigvalsh(H * weight * weight.reshape((9, 1)))
    return 1302.79 * np.sqrt(squares[6:])


masses = np.array(list(MASSES.values()), dtype="float64")
of_all = func.vmap(frequencies, in_axes=(0, None))


def show(found: np.ndarray) -> None:
    print("       found                     measured")
    for name, ours, theirs in zip(MASSES, found.asnumpy(), HARMONIC):
        print(f"{name}  {ours.round(1)}  {theirs}")


show(of_all(masses, springs))

# %% [markdown]
# ## Springs from frequencies
#
# We guessed the springs. Which springs give the nine measured frequencies? The Gauss-Newton
# method solves a linear system with the Jacobian of the frequencies with respect to the springs.
# The differentiated function contains a Hessian and eigenvalues. It has four inputs and nine
# outputs, so `jacfwd` needs fewer passes.


# %%
def misfit(springs: np.ndarray) -> np.ndarray:
    difference: np.ndarray = of_all(masses, springs) - np.array(HARMONIC)
    return difference.reshape(-1)


errors = []
for _ in range(6):
    r, J = misfit(springs).asnumpy(), func.jacfwd(misfit)(springs).asnumpy()
    errors.append(numpy.sqrt((r * r).mean()))
    springs = springs - np.array(numpy.linalg.lstsq(J, r, rcond=None)[0])
errors.append(numpy.sqrt((misfit(springs).asnumpy() ** 2).mean()))
show(of_all(masses, springs))
print("springs:", springs.asnumpy().round(3))
print(f"error: {errors[0]:.1f} at first, {errors[-1]:.2f} in the end")
assert errors[-1] < 2 < errors[0]

# %% [markdown]
# Four springs explain nine frequencies to about 1/cm. Models of larger molecules consist of such
# springs: a bond between hydrogen and oxygen has nearly the same spring in every molecule.
#
# ## The motion
#
# The eigenvectors show how the atoms move. In the lowest vibration, the angle changes. In the
# second, both bonds stretch together; in the third, one stretches while the other shrinks.

# %%
weight = 1 / numpy.sqrt(numpy.repeat(masses.asnumpy()[0], 3))
H = func.hessian(energy)(rest, springs).reshape((9, 9)).asnumpy()
squares, modes = numpy.linalg.eigh(H * numpy.outer(weight, weight))
q = rest.asnumpy()

figure, panels = plt.subplots(1, 4, figsize=(12, 3.4), layout="constrained")
titles = ("bending", "both bonds together", "bonds in turns")
for place, (axes, title) in enumerate(zip(panels, titles), 6):
    moves = (modes[:, place] * weight).reshape(3, 3)
    moves *= 0.45 / abs(moves).max()
    for hydrogen in (1, 2):
        axes.plot(*q[[0, hydrogen], :2].T, color="#888888", lw=2, zorder=1)
    axes.scatter(*q[:, :2].T, s=[420, 160, 160], c=["#d1692b", "#2a78b5", "#2a78b5"], zorder=2)
    axes.quiver(*q[:, :2].T, *moves[:, :2].T, angles="xy", scale_units="xy", scale=1, zorder=3)
    axes.set(title=f"{title}\n{1302.79 * squares[place] ** 0.5:.0f} / cm", xlim=(-1.4, 1.4))
    axes.set(ylim=(-0.7, 1.2), aspect="equal", xticks=[], yticks=[])
fit: Any = panels[3]
fit.semilogy(errors, "o-", color="#2a8f47")
fit.set(title="Error of the frequencies", xlabel="step", ylabel="1 / cm")
fit.grid(alpha=0.3)
figure.savefig("vibrations_of_water.png", dpi=120)
plt.show()
