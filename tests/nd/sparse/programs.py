"""Short programs with sparse arrays, for gluon and for MXNet: this file needs NumPy only."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

STYPES = ("default", "csr", "row_sparse")
ROWS = [[1.5, 0, -2], [0, 0, 0], [0, 3, 0], [0.5, 0, 0]]
CREATION = """
S.csr_matrix([[1, 0], [0, 2]])
S.csr_matrix(np.array([[1, 0], [0, 2]]))
S.csr_matrix(np.array([[1, 0], [0, 2.0]]))
S.csr_matrix(nd.array([[1, 0], [0, 2]], dtype="float64"))
S.csr_matrix(np.array([[1, 0], [0, 2.0]]), shape=(3, 3))
S.csr_matrix(np.array([1, 0]))
S.csr_matrix(np.zeros((2, 2, 2)))
S.csr_matrix(None)
S.csr_matrix("a")
S.csr_matrix((2, 3))
S.csr_matrix((2, 3), dtype="int32")
S.csr_matrix(c, dtype="float64")
S.csr_matrix(([1, 2, 3], ([0, 1, 1], [2, 0, 1])))
S.csr_matrix(([1.5, 2, 3], ([0, 1, 1], [2, 0, 1])), shape=(2, 4))
S.csr_matrix(([1, 2, 3], ([0, 1, 1], [2, 0, 1])), dtype="float32")
S.csr_matrix((nd.array([1, 2]), ([1, 0], [2, 0])))
S.csr_matrix(r)
S.csr_matrix(([1, 2, 3], [0, 1, 1], [0, 2, 3]))
S.csr_matrix(([1, 2, 3], [0, 1, 1], [0, 2, 3]), shape=(2, 5))
S.csr_matrix((np.array([1, 2, 3]), np.array([0, 1, 1]), np.array([0, 2, 3])))
S.csr_matrix((np.array([1, 2, 3.0]), np.array([0, 1.0, 1]), np.array([0, 2, 3])))
S.csr_matrix((np.array([1, 2, 3.0]), np.array([0, 1, 1]), np.array([0, 2, 3])), dtype="float16")
S.csr_matrix(([1, 2, 3], [-1, 0, 1], [0, 2, 3]), shape=(2, 3)).check_format()
S.csr_matrix(([1, 2, 3], [0, 5, 1], [0, 2, 3]), shape=(2, 3)).check_format()
S.csr_matrix(([1, 2, 3], [1, 1, 1], [0, 2, 3]), shape=(2, 3)).check_format()
S.csr_matrix(([1, 2, 3], [2, 0, 1], [0, 2, 3]), shape=(2, 3)).check_format()
S.csr_matrix(([1, 2, 3], [0, 1, 1], [0, 4, 3]), shape=(2, 3)).check_format()
S.csr_matrix(([1, 2, 3], [0, 1, 1], [1, 2, 3]), shape=(2, 3)).check_format()
c.check_format()
r.check_format(full_check=False)
S.row_sparse_array([[1, 2], [0, 0]])
S.row_sparse_array(np.array([[1, 2], [0, 0]]))
S.row_sparse_array(np.array([1, 0, 3.0]))
S.row_sparse_array(np.ones((2, 2, 2)))
S.row_sparse_array((3, 2))
S.row_sparse_array((3, 2, 2))
S.row_sparse_array(([[1, 2], [3, 4]], [0, 2]))
S.row_sparse_array(([[1, 2], [3, 4]], [0, 2]), shape=(4, 2))
S.row_sparse_array((np.ones((1, 2)), [1]), shape=(4, 2))
S.row_sparse_array(([[1, 2], [3, 4]], [2, 2]), shape=(4, 2)).check_format()
S.row_sparse_array(([[1, 2], [3, 4]], [2, 0]), shape=(4, 2)).check_format()
S.row_sparse_array(([[1, 2], [3, 4]], [0, 7]), shape=(4, 2)).check_format()
S.row_sparse_array(([[1, 2], [3, 4]], [-1, 0]), shape=(4, 2)).check_format()
S.row_sparse_array(([[1, 2], [3, 4]], [0, 2]), shape=(4, 3))
S.row_sparse_array(([[1, 2], [3, 4]], [0, 2, 3]), shape=(4, 2))
S.row_sparse_array(c)
S.zeros("csr", (2, 3))
S.zeros("row_sparse", (2, 3), dtype="float64")
S.zeros("default", (2, 3))
S.zeros("other", (2, 3))
S.empty("csr", (2, 3))
S.array(c)
S.array(d)
S.array([[1]])
nd.zeros((2, 3), stype="csr")
nd.zeros((2, 3), stype="row_sparse", dtype="int32")
nd.empty((2, 3), stype="row_sparse")
nd.array(c)
nd.array(r, dtype="float64")
d.tostype("csr")
d.tostype("row_sparse")
d.tostype("default")
d.tostype("other")
nd.cast_storage(d, stype="csr")
nd.cast_storage(c, stype="default")
""".strip().splitlines()
METHODS = (
    [
        line.replace("x", name)
        for name in "cr"
        for line in """
repr(x)
str(x)
len(x)
x.size
x.asscalar()
bool(x)
x.stype
x.shape
x.ndim
x.dtype
x.context
x.T
x.data
x.indices
x.copy()
x.detach()
x.asnumpy()
x.astype("float64")
x.astype("float32", copy=False) is x
x.tostype("default")
x.tostype(x.stype)
x.tostype("other")
x.copyto(nd.ones((4, 3)))
x.copyto(nd.ones((4, 4)))
x.copyto(nd.zeros((4, 3), stype=x.stype))
x.as_np_ndarray()
x.reshape((12, 1))
x.wait_to_read()
x[:]
x[0, 1]
x[[0]]
x[...]
x[::2]
nd.zeros_like(x)
nd.ones_like(x)
nd.norm(x)
x == x
d.copyto(x)
write(x, d)
write(x, x * 2)
write(x, 3) if x.stype == "row_sparse" else 0
write(x, 0) if x.stype == "row_sparse" else 0
(write(x.data, 3 * x.data), x)[1]
add(x, 1)
add(x, x)
mul(x, 2)
""".strip().splitlines()
    ]
    + """
c.indptr
c[0]
c[-1]
c[9]
c[0:2]
c[-2:]
c[1:9]
r[0]
r[0:2]
S.retain(r, nd.array([0, 1, 3]))
S.retain(r, nd.array([0, 2], dtype="int64"))
S.retain(d, nd.array([0]))
nd.zeros((4, 3), stype="csr").copyto(r)
""".strip().splitlines()
)
UNARY = """abs sign sqrt square cbrt relu sin sinh arcsin tanh arctan expm1 log1p negative round
rint fix floor ceil trunc degrees tan arcsinh arctanh radians zeros_like identity BlockGrad cos exp
log sigmoid softmax reciprocal gamma ones_like flatten transpose sum mean norm max argmax""".split()
NUMBERS = """x * 2;2 * x;x / 2;x + 0;x - 0;x > 1;x == 2;x != 0;x < 0;x >= 1;x + 1;x - 1;x ** 2;
1 - x;2 / x;x == 0;nd.clip(x, -1, 1);nd.clip(x, 0, 1)""".replace("\n", "").split(";")
PAIRS = [
    f"nd.{name}({x}, {y})"
    for name in ("elemwise_add", "elemwise_sub", "elemwise_mul", "elemwise_div", "maximum")
    for x in "crd"
    for y in "crd"
] + [f"{x} {sign} {y}" for sign in "+-*" for x in "crd" for y in "crd"]
#: Parts of csr matrices, and operations with rows and columns; `line` is a row, `pole` a column.
PARTS = """
nd.slice(c, begin=(1,), end=(3,))
nd.slice(c, begin=(1, 0), end=(3, 2))
nd.slice(c, begin=(0,), end=(4,), step=(2,))
nd.slice(r, begin=(1,), end=(3,))
c.slice(begin=(1,), end=(2,))
nd.take(c, nd.array([2, 0]))
nd.take(c, nd.array([2, 9]))
nd.take(c, nd.array([-1, 9]), mode="wrap")
nd.take(c, nd.array([2, 0]), axis=1)
nd.take(r, nd.array([2, 0]))
nd.concat(c, c, dim=0)
nd.concat(c, c, dim=1)
nd.concat(r, r, dim=0)
nd.concat(c, d, dim=0)
nd.broadcast_mul(c, line)
nd.broadcast_mul(c, pole)
nd.broadcast_mul(c, nd.array([[2]]))
nd.broadcast_mul(c, nd.array([1, 2, 3]))
nd.broadcast_mul(c, nd.array([2]))
nd.broadcast_div(c, nd.array([1, 2, 3]))
nd.broadcast_mul(c, d)
nd.broadcast_mul(r, line)
nd.broadcast_div(c, line)
nd.broadcast_div(c, pole)
nd.broadcast_add(c, line)
S.multiply(c, line)
S.divide(c, pole)
nd.add_n(r, r)
nd.add_n(r, r, r)
nd.add_n(r, d)
nd.where(c, d, d)
nd.where(r, c, c)
nd.make_loss(c)
""".strip().splitlines()
INFERENCE = [
    *(f"nd.{name}({x})" for name in UNARY for x in "cr"),
    *(one.replace("x", x) for one in NUMBERS for x in "cr"),
    *PAIRS,
    *PARTS,
]
PRODUCTS = [
    f"nd.dot({left}, {right}{transposed}{stored})"
    for left, right, transposed in (
        *(("c", f"m.tostype('{stype}')", "") for stype in ("default", "row_sparse")),
        *(("c", f"d.tostype('{stype}')", ", transpose_a=True") for stype in STYPES[::2]),
        *(("m.T", "c", ", transpose_b=True"), ("d.T", "c", ""), ("c", "m.tostype('csr')", "")),
        *(("d.T", "r", ""), ("d.T", "d", ""), ("c", "m[:, 0]", "")),
    )
    for stored in ("", *(f", forward_stype='{stype}'" for stype in STYPES))
] + ["nd.FullyConnected(c, m.T, nd.ones((2,)), num_hidden=2)"]
GRADIENTS = [
    f"grad(nd, {left!r}, {right}, {stype!r})"
    for left, right in (
        ("nd.sparse.dot(c, w)", "m"),
        ("nd.sparse.dot(c, w, transpose_a=True)", "d"),
    )
    for stype in STYPES[::2]
]
#: Operators with names of MXNet's own, which only programs of MXNet see.
INTERNAL = [
    f"nd._internal._scatter_{rest}"
    for x in "crd"
    for rest in (f"plus_scalar({x}, scalar=1)", f"minus_scalar({x}, scalar=1)")
] + ["nd._internal._scatter_elemwise_div(r, d)", "nd._internal._scatter_elemwise_div(d, d)"]
PROGRAMS = [*INTERNAL, *CREATION, *METHODS, *INFERENCE, *PRODUCTS, *GRADIENTS]


def grad(nd: Any, program: str, weight: Any, stype: str) -> Any:
    """The gradient, in a storage type, of the squares of a product with a weight."""
    autograd = importlib.import_module(f"{nd.__name__.split('.')[0]}.autograd")
    weight.attach_grad(stype=stype)
    with autograd.record():
        y = run(program, nd, w=weight)
        z = (y * y).sum()
    z.backward()
    return weight.grad


def write(x: Any, value: Any) -> Any:
    """``x[:] = value``."""
    x[:] = value
    return x


def add(x: Any, value: Any) -> Any:
    """``x += value``."""
    x += value
    return x


def mul(x: Any, value: Any) -> Any:
    """``x *= value``."""
    x *= value
    return x


def run(program: str, nd: Any, **more: Any) -> Any:
    """What a program gives."""
    d = nd.array(ROWS)
    more |= {"m": nd.array([[1, 2], [3, 4], [5, 6.5]])}
    more |= {"line": nd.array([[1, 2, 3]]), "pole": nd.array([[1], [2], [3], [4]])}
    names = {**more, "c": nd.sparse.csr_matrix(ROWS), "r": nd.sparse.row_sparse_array(ROWS), "d": d}
    return eval(program, {"nd": nd, "np": np, "S": nd.sparse, **names, **HELPERS})


HELPERS = {"write": write, "add": add, "mul": mul, "grad": grad}


def outcome(program: str, nd: Any) -> dict[str, Any]:
    """The result of a program as plain values, or that it failed."""
    try:
        found = run(program, nd)
        if not isinstance(found, (nd.NDArray, np.ndarray)):
            return {"value": repr(found)}
        stype = getattr(found, "stype", "numpy")
        parts = {"csr": ("data", "indices", "indptr"), "row_sparse": ("data", "indices")}
        return {
            "stype": stype,
            "dtype": np.dtype(found.dtype).name,
            "shape": list(found.shape),
            "values": plain(found),
            **{name: plain(getattr(found, name)) for name in parts.get(stype, ())},
        }
    except Exception:
        return {"error": True}


def plain(x: Any) -> Any:
    """The values of an array as lists, with NaN and infinity as text."""
    raw = np.asarray(x if isinstance(x, np.ndarray) else x.asnumpy())
    flat = [str(v) if v != v or v in (np.inf, -np.inf) else v for v in raw.reshape(-1).tolist()]
    return flat


def saved(nd: Any) -> dict[str, Any]:
    """Arrays of all storage types, for a file."""
    c, r = nd.sparse.csr_matrix(ROWS), nd.sparse.row_sparse_array(ROWS)
    return {
        **{"csr": c, "dense": nd.array([1, 2]), "rows": r.astype("float16")},
        "empty": nd.sparse.zeros("csr", (2, 3), dtype="int64"),
        "no rows": nd.sparse.zeros("row_sparse", (2, 3, 2)),
        "vector": nd.sparse.row_sparse_array(([1.0, 2], [0, 3]), shape=(5,)),
        "bytes": nd.sparse.csr_matrix(([3, 4], [0, 2], [0, 0, 2]), shape=(2, 3), dtype="uint8"),
    }
