"""Mistakes with `np` and `npx`: type checkers report each line that is marked, and no other."""

from gluon import np, npx

x = np.ones((2, 3))

np.exq(x)  # error
np.exp()  # error
np.exp(x, out="y")  # error
np.exp(object())  # error
np.add(x)  # error
np.sum(x, axes=0)  # error
np.sum(x, axis="rows")  # error
np.zeros("2")  # error
np.zeros((2, 3), ctx="cpu")  # error
np.concatenate(3)  # error
np.random.norml(0, 1)  # error
np.linalg.norm()  # error
x.summ()  # error
x.sum(axis="rows")  # error
x.astype()  # error
x + "1"  # error
x - None  # error
x @ "1"  # error
x.shape.append(1)  # error
y: int = x.mean()  # error
npx.reshape(x)  # error
npx.index_add(x, [[0]])  # error
