"""Short programs on arrays, run by the oracle for reference and by the tests on gluon.

Each is one line of statements separated by ``;``; the last one is an expression, the result.
They see ``nd``, ``np``, ``mx`` (the package), and fresh copies of the arrays of `arrays`. NumPy is
all that this file needs: ``recorded/make_ndarray.py`` reads it inside the oracle.
"""

from __future__ import annotations

from typing import Any

import numpy as np

#: What may stand in the brackets of ``x[...]`` with x of shape (2, 3, 4).
BASIC = """0 | 1 | -1 | 1, 2 | 1, 2, 3 | -1, -1, -1 | 0:1 | 1: | :1 | : | ::2 | ::-1 | -1: | 0:9
... | ..., 0 | 0, ... | ..., 1, : | 1, ..., 2 | None | None, 0 | 0, None | ..., None | :, None, 1
:, 1 | :, 1:3 | :, ::2, ::-1 | 0, 1:, ::2 | :, :, 0 | 1, :, 2 | :, -2:, 3:0:-2 | ::-1, ::-1, ::-1
:, 0, None, 1: | np.int64(1) | np.int32(-1), 2 | 0, 1:2, 2:3 | (0, 1) | (slice(0, 1), 2)"""
ADVANCED = """[0, 1, 0] | [0, -1] | [1], | :, [0, 2] | [0, 1], [1, 2] | [0, 1], 1
[0, 1], :, [1, 3]
0, [1, 2] | ..., [0, 3] | [[0, 1], [1, 0]] | :, [[0], [2]], 1:3 | [0, 1], [0, 2], [3, 0]
np.array([0, 1, 1]) | nd.array([1, 0]) | nd.array([1, 0], dtype='int32')
nd.array([[0, 1], [1, 1]], dtype='int64') | nd.array([1], dtype='int32'), 2
:, nd.array([0, 2]), 1 | nd.array([0, 1]), nd.array([2, 0]) | 1, nd.array([0, 2]), ::2
np.array([[0], [1]]), np.array([0, 2]) | [0, 1], None, 1 | ::-1, [2, 0] | [1, 0], ..., ::2
range(2)"""
WRONG = """2 | -3 | 0, 3 | 0, 0, 0, 0 | 'a' | 1.5 | [0, 2] | [5], 0 | nd.array([0, 7]) | {0}
0, 'b'
:, :, :, 0 | [0, 1], [0, 1, 2]"""
#: Keys with which gluon does more than MXNet, or otherwise: NumPy says what.
MORE = """(x > 3).astype('bool') | x.asnumpy() > 100 | 1:0 | 5:9 | []
np.array([True, False]) | [True, False] | :, np.array([True, False, True])
nd.array([], dtype='int32')
0, np.array([False, True, True]), ::2 | True | 0, False
[0, 1], None | [0, 1], -1, None | :, [0, 1], None | nd.array([0, 1]), ..., None | 1, [-1, 0]
np.array(1) | nd.array(1, dtype='int32'), 2 | 0, 1, nd.array(2)
np.array(1), np.array(2), np.array(3)
nd.array([1], dtype='int32')[0]:, 0 | nd.array([1], dtype='int32')[0]:"""


def keys(text: str) -> list[str]:
    return [key.strip() for line in text.splitlines() for key in line.split("|")]


GET = [f"x[{key}]" for key in keys(BASIC) + keys(ADVANCED) + keys(WRONG)] + ["v[v > 3]", "v[n - 1]"]
SET = [
    *(f"x[{key}] = 7; x" for key in keys(BASIC) + keys(ADVANCED)),
    *(f"x[{key}] = x[{key}] * 2; x" for key in keys(BASIC) + keys(ADVANCED)),
    *(f"n[{key}] = 2.7; n" for key in ["0", "1:3", "[0, 2]", ":"]),
    *(
        f"x[{key}] = nd.array([1, 2, 3, 4]); x"
        for key in ["0", "1, 2", "1:", ":", ":, 1", "[0, 1]"]
    ),
    *(f"x[{key}] = np.array([1, 2, 3, 4]); x" for key in ["0", "1, 2", ":", ":, 1", "[0, 1], 1"]),
    *(f"x[{key}] = [1, 2, 3, 4]; x" for key in ["0", "1, 2", ":, 1"]),
    *(f"x[{key}] = nd.ones((2, 3)); x" for key in [":, :, 0", "..., -1", "0"]),
    *(f"x[{key}] = nd.ones((5,)); x" for key in ["0", ":", "[0, 1]"]),
    *(f"x[{key}] = 1; x" for key in ["2", "0, 5", "'a'"]),
    "v[2:5] = v[0:3]; v",
    "v[0:3] = v[3:6]; v",
    "v[::-1] = v; v",
    "v[::2] = nd.array([9, 8, 7], dtype='float64'); v",
    "m[:] = nd.array([[5, 6]]); m",
    "n[:] = nd.array([1.5, 2.5, 3.5, -1.5]); n",
    "u[:] = [300, -1, 2]; u",
    "u[0] = 300; u",
]
VIEWS = [
    *(
        f"y = {view}; y[:] = 9; x"
        for view in """x[1] x[0:1] x[1:] x[:] x[...] x[0,1] x[0,1:3] x[1,2,3] x[:,1] x[:,:,0] x[::2]
        x[::-1] x[[0,1]] x[None] x[0:2,0:3] x[0,::2] x[0,:,1:3] x.reshape((6,4)) x.reshape((-1,))
        x.reshape((0,-1)) x.detach() x.expand_dims(0) x.transpose() x.T x.flatten() x.copy()
        x.squeeze() x[0].reshape((4,3)) x.reshape((6,4))[1] x[1][2] x[1][2][1:3] x.swapaxes(0,1)
        x.as_in_context(mx.cpu(0)) x.astype('float32') x.astype('float32',copy=False)
        x.slice_axis(axis=0,begin=0,end=1) x.reshape_like(x) x.broadcast_to((2,3,4))
        nd.reshape(x,shape=(6,4)) nd.identity(x) x.split(num_outputs=2,axis=0)[0]
        x.as_nd_ndarray() x[0:1][0:1] x[np.array([0,1])] x.flip(axis=0) x.tile((1,))""".split()
    ),
    "y = x[1]; x[:] = 9; y",
    "y = x[1]; x[1, 2] = 9; y",
    "y = x.reshape((6, 4)); x[0] = 9; y",
    "y = x.detach(); x[0] = 9; y",
    "y = x[:, 1]; x[:] = 9; y",
    "y = x[1]; y += 1; x",
    "y = x[1]; x += 1; y",
    "y = x[1]; y = y + 1; x",
    "y = x.reshape((-1,)); y *= 2; x",
    "y = x[1]; z = x[1]; y[:] = 5; z",
    "y = x[0]; z = y[1:]; z[:] = 5; x",
    "x.asnumpy()[:] = 5; x",
    "a = np.zeros(3, 'float32'); y = nd.array(a); a[:] = 5; y",
]
PRINTED = """x | v | m | n | u | h | d | x[0, 0] | x[0, 0, 0] | nd.zeros((1,)) | nd.ones((2, 1, 3))
nd.array([1e-10, 1, 1e10]) | nd.array([np.nan, np.inf, -np.inf]) | nd.arange(2000)
nd.arange(1200).reshape((30, 40)) | nd.array([[1, 2], [3, 4]], dtype='int8') | nd.array([0.1, 0.25])
nd.array([True, False], dtype='bool') | nd.array([1, 2], ctx=mx.cpu(2))
nd.array([1, 2], dtype='int64')
nd.array([-0.0, 1e-45]) | nd.array([1 / 3], dtype='float64')
nd.zeros((2, 2, 2, 2)) | nd.array(5) | nd.full((3,), 1e8) | nd.array([123456789]) | -n | n == 2
h * 3"""
PRINTING = [f"{how}({what})" for what in keys(PRINTED) for how in ("repr", "str")]

NUMBERS = ["2", "2.5", "-3", "0", "True", "np.float32(2.5)", "np.int64(3)"]
OPERATORS = [
    *(
        f"{left} {op} {right}"
        for op in ["+", "-", "*", "/", "%", "**"]
        for array in ["m", "n", "u", "h", "d"]
        for number in NUMBERS
        if not (array == "u" and number == "-3") and not (op in "/%" and number == "0")
        for left, right in [(array, number), (number, array)]
        if not (op in ("/", "%", "**") and left in NUMBERS)
    ),
    *(f"{number} {op} w" for op in ["/", "%", "**"] for number in ["2", "2.5", "7", "1"]),
    *(f"{number} {op} p" for op in ["/", "**"] for number in ["2", "2.5", "0.5"]),
    *(
        f"{array} {op} {other}"
        for op in ["==", "!=", "<", "<=", ">", ">="]
        for array in ["m", "n", "h", "d"]
        for other in ["1", array, f"{array}[0:1]"]
    ),
    *(f"1 {op} n" for op in ["==", "<", ">="]),
    *(f"{op}{array}" for op in ["-", "abs"] for array in ["(m)", "(n)", "(h)"]),
    *(f"m {op} m[0]" for op in ["+", "-", "*", "/", "%", "**"]),
    *(f"m {op} m.T" for op in ["+", "-", "*"]),
    *(f"w {op} w[::-1]" for op in ["+", "-", "*", "/", "%"]),
    "x + x[0]",
    "x * x[:, 0:1, :]",
    "m + v",
    "m - x",
    "m + 'a'",
    "m + None",
    "m * [1, 2]",
    "m == None",
    "m != None",
    "bool(m)",
    "bool(m[0, 0])",
    "bool(nd.array([0]))",
    "len(x)",
    "len(m[0])",
    "[y.shape for y in x]",
    "float(m)",
    "m.asscalar()",
    "m[0, 0].asscalar()",
    "n[2].asscalar()",
    "(x.shape, x.size, x.ndim, x.stype)",
    "(n.dtype.__name__, h.dtype.__name__, m.dtype.__name__)",
    *(
        f"{array} {op}= {other}; {array}"
        for op in ["+", "-", "*", "/"]
        for array, other in [
            ("m", "2"),
            ("m", "2.5"),
            ("m", "m[0]"),
            ("n", "2"),
            ("n", "2.5"),
            ("h", "2.5"),
            ("d", "2"),
            ("w", "w[0:1]"),
            ("m", "x"),
        ]
    ),
    "m %= 2; m",
    "y = m; y += 1; m",
    "y = m; y = y + 1; m",
]
CREATION = """nd.array([1, 2]) | nd.array([[1, 2], [3, 4]]) | nd.array([1.5, 2], dtype='int32')
nd.array(3)
nd.array(np.arange(3)) | nd.array(np.arange(3.0)) | nd.array(np.float64(2)) | nd.array(n)
nd.array(d)
nd.array(np.array([1, 2], 'uint8')) | nd.array([True, False]) | nd.array((1, 2)) | nd.array([[]])
nd.array(n, dtype='float16') | nd.array([m, m]) | nd.array([1, 2], dtype=np.float64) | nd.array('a')
nd.array([1, 'a']) | nd.zeros((2, 3)) | nd.zeros(3) | nd.zeros((2,), dtype='int64')
nd.ones((2, 1))
nd.ones(2, dtype='uint8') | nd.full((2, 2), 7) | nd.full((2,), 1.5, dtype='float64')
nd.full(2, 3, dtype='int32')
nd.empty((2, 3)).shape | nd.empty(2, dtype='int8').dtype.__name__ | nd.arange(4) | nd.arange(1, 5)
nd.arange(1, 2, 0.25) | nd.arange(5, 0, -2) | nd.arange(3, repeat=2)
nd.arange(0, 3, dtype='int32')
nd.arange(1.5) | nd.linspace(0, 1, 5) | nd.linspace(0, 1, 5, endpoint=False)
nd.linspace(3, 1, 4, dtype='float64')
nd.eye(3) | nd.eye(2, 3) | nd.eye(3, 4, 1) | nd.eye(3, k=-1) | nd.eye(2, dtype='int32')
nd.zeros_like(n)
nd.ones_like(h) | n.zeros_like() | m.ones_like() | nd.zeros((1,), ctx=mx.cpu(1)).context.device_id
nd.array([1], ctx=mx.cpu(3)).ctx.device_type | nd.zeros((2, 2), dtype='float33')
nd.zeros((2, 2), dtype='complex64')
nd.concatenate([m, m]) | nd.concatenate([m, m], axis=1) | nd.from_numpy(np.ones(3, 'float32'))
nd.array([1, 2, 3]).dtype.__name__ | nd.array(np.array([1, 2])).dtype.__name__
nd.array([[1, 2], [3]])
nd.moveaxis(x, 0, 2) | nd.moveaxis(x, -1, 0) | nd.array(np.array(2, 'int32'))
nd.array([2 ** 24 + 1], dtype='int32') | nd.array([[300], [-1]], dtype='uint8')
nd.array(200, dtype='int8') | nd.array([2.7, -2.7], dtype='int8')
nd.full((2,), 300, dtype='uint8') | nd.full((2,), -2.7, dtype='int32')
nd.array([2 ** 70], dtype='int64') | nd.arange('a')"""
CREATING = keys(CREATION)
CONVERTING = keys("""m.astype('int32') | m.astype('float16') | m.astype(np.float64)
n.astype('float32')
m.astype('bool') | m.astype('uint8') | n.astype('int8') | m.astype('nonsense') | m.asnumpy()
n.asnumpy()
y = nd.zeros((2, 2)); m.copyto(y); y | y = nd.zeros((2, 2), dtype='int32'); m.copyto(y); y
m.copyto(mx.cpu(1)) | m.copyto(mx.cpu(1)).context.device_id | m.copyto(nd.zeros((3,))) | m.copyto(5)
m.as_in_context(mx.cpu(1)).context.device_id | m.as_in_context(m.context) is m | m.copy() is m
m.astype('float32', copy=False) is m | m.astype('float32') is m | m[0, 0].asscalar().dtype.name
m.tostype('default')
m.reshape((4,)).asnumpy() | m.shape_array() | m.size_array() | nd.cast(m, dtype='int32')
m.as_nd_ndarray() is m
m.wait_to_read() | nd.waitall() | x.asscalar()""")
RESHAPING = """(4, 6) | 4, 6 | (24,) | 24 | -1 | (-1, 4) | (2, -1) | (0, -1) | (0, 0, -1)
(0, 12) | (-2,) | (0, -2) | (6, -2)
(-3, 4) | (-3, 0) | (0, -3) | (-3, -2) | (-4, 1, 2, -2) | (0, -4, -1, 3, 4) | (0, -4, 3, -1, -2)
(-4, 2, -1, 0, 0)
(0, 0, -4, 2, 2) | (-1, 0) | (0, 0, 0) | (-2, 1) | (1, -2) | (-1, 0, 0) | (5, 5) | (-1, 5)
(-1, -1) | (0, 0, 0, 0) | (-5,)
(-3, -3) | (-4, 2) | (-4, 3, 1, -2) | (0, 4, -1) | shape=(6, 4)
shape=(0, -1) | (-1, 0), reverse=True
(0, -1), reverse=True
(-3, 4), reverse=True | (-3, 0), reverse=True | (2, -3), reverse=True | (-1, -4, 2, 2), reverse=True
(12, 0), reverse=True | (0, -2), reverse=True | (-2, 0), reverse=True
(-4, 1, 2, 0, 0), reverse=True | (0, 0, 2, 2, -4), reverse=True | (1, 2, -4, 0, 0), reverse=True
(0, 3, -1, -4), reverse=True
shape=(-1, 2), reverse=True | (0, 6, 0), reverse=False | (3, 0, -1) | (2, 3, -4, 2, -1)
(2, 3, -4, -1, 2)"""
RESHAPE = [f"x.reshape({codes})" for codes in keys(RESHAPING)]

GROUPS = {
    "get": GET,
    "set": SET,
    "views": VIEWS,
    "printing": PRINTING,
    "operators": OPERATORS,
    "creation": CREATING,
    "conversion": CONVERTING,
    "reshape": RESHAPE,
}


def arrays(nd: Any) -> dict[str, Any]:
    """The arrays that programs work on."""
    return {
        "x": nd.arange(24).reshape((2, 3, 4)),
        "v": nd.arange(6),
        "m": nd.array([[1, -2], [3, 0.5]]),
        "n": nd.array([1, 2, -3, 7], dtype="int32"),
        "u": nd.array([1, 2, 250], dtype="uint8"),
        "h": nd.array([1, 0.1, 3], dtype="float16"),
        "d": nd.array([1, 0.1, 3], dtype="float64"),
        "w": nd.array([1, 2, 5], dtype="int32"),
        "p": nd.array([1, 2, 5]),
    }


def run(program: str, nd: Any, package: Any) -> Any:
    """The result of a program, with `nd` and the package that it comes from."""
    names = {"np": np, "nd": nd, "mx": package, **arrays(nd)}
    *statements, result = program.split("; ")
    for statement in statements:
        exec(statement, names)
    return eval(result, names)
