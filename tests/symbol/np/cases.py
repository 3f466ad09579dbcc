"""Symbols with NumPy's interface, the same in gluon and in MXNet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: Functions of one symbol.
ONE = (
    "abs absolute arccos arcsin arctan cbrt ceil cos degrees exp expm1 fabs fix floor isfinite"
    " isnan isneginf log log10 log1p logical_not negative radians reciprocal rint sign sin sqrt"
    " square tan tanh trunc all any amax amin argmax argmin argsort average copy cumsum diag"
    " diagflat diff fliplr flipud max mean min nan_to_num ones_like prod ravel round sort squeeze"
    " std sum trace transpose tril var zeros_like"
).split()
#: Functions of two symbols, and of a symbol and a number on either side.
TWO = (
    "add arctan2 copysign divide equal greater greater_equal hypot less less_equal maximum"
    " minimum mod multiply not_equal power remainder subtract true_divide"
).split()

#: ``case(np, npx, x, y, z)``, of arrays of shape (3, 4), (3, 4) and (4, 5).
CASES: dict[str, Callable[..., Any]] = {
    "two operators": lambda np, npx, x, y, z: (x + y) * 2 - 1 / x,
    "powers": lambda np, npx, x, y, z: 2**x + x**2 - x % 2 + 7 % x,
    "comparisons": lambda np, npx, x, y, z: np.where((x > 0.5) + (0.5 >= y), x, -y),  # noqa: SIM300
    "where a number": lambda np, npx, x, y, z: np.where(x, np.where(y, 1.5, x), 2),
    "where numbers": lambda np, npx, x, y, z: np.where(x, 2.5, 1),
    "integer": lambda np, npx, x, y, z: x[1] + y[2],
    "slice": lambda np, npx, x, y, z: x[1:],
    "several": lambda np, npx, x, y, z: x[0, 1:3] + y[:2, -1].sum(),
    "T": lambda np, npx, x, y, z: x.T.transpose(1, 0).transpose((0, 1)).swapaxes(0, 1),
    "methods": lambda np, npx, x, y, z: x.sum(axis=1) + x.mean(0, keepdims=True).max() - x.std(),
    "more methods": lambda np, npx, x, y, z: x.argmax(1) + x.cumsum(1).min(axis=1) + x.prod(),
    "reshape": lambda np, npx, x, y, z: x.reshape(2, -1).reshape((3, 4)).flatten().repeat(2),
    "codes": lambda np, npx, x, y, z: npx.reshape(x, (-2, 2, -1)),
    "take": lambda np, npx, x, y, z: x.take(np.argmax(y, axis=0) * 0, axis=0).astype("int32"),
    "dot": lambda np, npx, x, y, z: np.dot(x, z) + np.matmul(x, z),
    "einsum": lambda np, npx, x, y, z: np.einsum("ij,jk->ik", x, z),
    "tensordot": lambda np, npx, x, y, z: np.tensordot(x, z, axes=([1], [0])),
    "tensordot of axes": lambda np, npx, x, y, z: np.tensordot(x, z, 1) + np.inner(x, z.T),
    "outer": lambda np, npx, x, y, z: np.outer(x, y) + np.vdot(x, y),
    "concatenate": lambda np, npx, x, y, z: np.concatenate([x, y], axis=1),
    "concatenate all": lambda np, npx, x, y, z: np.concatenate([x, y], axis=None),
    "stacks": lambda np, npx, x, y, z: np.stack([np.vstack([x, y]), np.vstack([y, x])], axis=1),
    "hstack": lambda np, npx, x, y, z: np.hstack([x, y]) + np.column_stack([x, y]),
    "dstack": lambda np, npx, x, y, z: np.dstack([x, y]),
    "split": lambda np, npx, x, y, z: np.add(*np.split(x, 2, axis=1)) + np.hsplit(y, 2)[0],
    "pad twice": lambda np, npx, x, y, z: np.pad(x, ((1, 1), (0, 2))),
    "moves": lambda np, npx, x, y, z: np.rot90(np.flip(np.moveaxis(x, 0, 1), 0)),
    "expand_dims": lambda np, npx, x, y, z: np.squeeze(np.expand_dims(x, 1), axis=1),
    "broadcast_to": lambda np, npx, x, y, z: np.broadcast_to(np.tile(x, 2), (2, 3, 8)),
    "clip": lambda np, npx, x, y, z: np.clip(np.around(x, 2), 0.1, 0.5) + np.roll(x, 1, axis=0),
    "percentile": lambda np, npx, x, y, z: np.percentile(x, 50, axis=1),
    "norm": lambda np, npx, x, y, z: np.linalg.norm(x) + np.linalg.norm(y, axis=1),
    "makers": lambda np, npx, x, y, z: x + np.zeros((3, 4)) + np.arange(4) + np.full((1,), 2),
    "more makers": lambda np, npx, x, y, z: np.eye(3, 4) * np.ones((4,)) + np.full_like(x, 3),
    "identity": lambda np, npx, x, y, z: np.identity(3) + np.linspace(0, 1, 3) + np.hanning(3),
    "uniform": lambda np, npx, x, y, z: np.random.uniform(0, 1, size=(2, 3)),
    "normal": lambda np, npx, x, y, z: np.random.normal(x, 1.0),
    "randint": lambda np, npx, x, y, z: np.random.randint(0, 5, size=(2,)),
    "gamma": lambda np, npx, x, y, z: np.random.gamma(1.0, 2.0, (2,)),
    "layers": lambda np, npx, x, y, z: npx.fully_connected(npx.relu(x), num_hidden=2, no_bias=True),
    "activations": lambda np, npx, x, y, z: npx.sigmoid(npx.softmax(npx.log_softmax(x), axis=-1)),
    "leaky": lambda np, npx, x, y, z: npx.leaky_relu(npx.activation(x, act_type="tanh")),
    "one_hot": lambda np, npx, x, y, z: npx.one_hot(npx.pick(x, y[:, 0] * 0), 3),
    "topk": lambda np, npx, x, y, z: npx.topk(x, k=2) + npx.batch_flatten(x).sum(),
    **{name: lambda np, npx, x, y, z, name=name: getattr(np, name)(x) for name in ONE},
    **{
        name: lambda np, npx, x, y, z, name=name: (
            getattr(np, name)(x, y),
            getattr(np, name)(x, 2),
            getattr(np, name)(x, 1.5),
            getattr(np, name)(2, x),
        )
        for name in TWO
    },
}


def described(sym: Any, case: str) -> Any:
    """Return the symbol of a case."""
    x, y, z = (sym.var(name).as_np_ndarray() for name in "xyz")
    found = CASES[case](sym.np, sym.npx, x, y, z)
    return sym.Group(list(found)) if isinstance(found, (list, tuple)) else found
