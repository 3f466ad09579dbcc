"""Calls that make symbols, as texts that gluon under the hook and MXNet evaluate."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

_METHODS = (
    "abs() reshape((1, 2)) softmax() sum(axis=1) transpose() slice_axis(axis=0, begin=0, end=1)"
    " astype('float64') split(num_outputs=2) flatten() clip(0, 1) squeeze() zeros_like() sort()"
).replace(", ", ",")
_PAIRS = (
    "Power Maximum Minimum Hypot Mod Equal Greater Lesser_Equal Logical_And Plus Minus Mul Div"
    " power maximum minimum hypot mod equal greater plus sub minus mul div grad_add"
    " scatter_elemwise_div identity_with_attr_like_rhs"
).split()
_SCALARS = (
    "plus minus rminus mul div rdiv mod rmod power rpower maximum minimum hypot equal not_equal"
    " greater greater_equal lesser lesser_equal logical_and logical_or logical_xor scatter_plus"
    " scatter_minus"
).split()
_OTHERS = (
    "_PlusScalar(x, scalar=2.0)",
    "_RMinusScalar(x, scalar=2.0)",
    "_MulScalar(x, scalar=2.0)",
    "_copy(x)",
    "_copyto(x)",
    "_square_sum(x, axis=1)",
    "_zeros(shape=(2, 3))",
    "_zeros_without_dtype(shape=(2, 3))",
    "_ones(shape=(2, 3), dtype='int32')",
    "_arange(start=0, stop=4)",
    "_slice_assign(x, y, begin=(0,), end=(1,))",
    "_crop_assign(x, y, begin=(0,), end=(1,))",
    "_slice_assign_scalar(x, scalar=2.0, begin=(0,), end=(1,))",
    "_random_uniform(shape=(2,))",
    "_power(x, y, name='n')",
)
#: Each gives a symbol, whose JSON and names are compared.
SYMBOLS = (
    *(f"x.{one[:-1]}{'' if one[-2] == '(' else ', '}name='n')" for one in _METHODS.split()),
    *(f"sym._internal._{name}(x, y)" for name in _PAIRS),
    *(f"sym._internal._{name}_scalar(x, scalar=2.0)" for name in _SCALARS),
    *(f"sym._internal.{call}" for call in _OTHERS),
    *(f"np.{kind}(2) {op} x" for kind in ("float64", "float32", "int64") for op in "+-*/%><"),
    *("np.sqrt(4.0) * x", "x * np.float32(0.1)", "np.int8(2) ** x", "2.0 ** x"),
    "np.float32(0.1) == x",
    "sym.Convolution(x, kernel=tuple(np.array([3, 3])), num_filter=np.int64(2))",
    "sym.reshape(x, shape=tuple(np.array([3, 3])))",
    "sym.reshape(x, shape=list(np.array([3, 3])))",
    "sym.slice(x, begin=(np.int64(0), None), end=(np.int64(2), np.int32(1)))",
    "sym.clip(x, np.float32(0.1), np.float64(0.3))",
    "sym.contrib.MultiBoxPrior(x, sizes=(np.float32(0.1), np.float64(0.2)))",
    "sym.zeros(shape=(np.int64(3),))",
    "sym.split_v2(x, (np.int64(2), np.int32(3)))",
    "sym.var('v', shape=tuple(np.array([2, 3])))",
    "sym.var('v', shape=[np.int64(2)])",
    "sym.var('v', __a__=True, __b__=(1, 2), __c__=np.int64(3))",
    "sym.log(x, axis=1)",
    "sym.broadcast_add(x, y, axis=1)",
    "sym.where(x, y, x, foo='bar')",
    "sym.zeros_like(x, dtype='int32')",
    "sym.LinearRegressionOutput(x, y, foo='bar')",
    "x.ones_like(dtype='int32')",
    "sym.contrib.SparseEmbedding(x, input_dim=3, output_dim=2, deterministic=True)",
    "sym.maximum(x, right=1.5)",
    "sym.minimum(x, right=y)",
    "sym.maximum(left=1.5, right=x)",
    "in_scope('net_', lambda: sym.FullyConnected(x, num_hidden=2))",
    "in_scope('net_', lambda: sym.FullyConnected(x, num_hidden=2, name='fc') + x)",
    "in_scope('', lambda: sym.exp(x))",
    "in_scope('a_', lambda: in_scope('b_', lambda: sym.exp(x)) * sym.exp(x))",
    "in_scope('net_', lambda: prefixed('p_', lambda: sym.exp(x, name='e') + x))",
    "prefixed('p_', lambda: in_scope('net_', lambda: sym.exp(x)) + x)",
    *(
        f"unrolled(mx.rnn.FusedRNNCell(4, 2, '{mode}', True, prefix='t_', dropout=0.5).unfuse())"
        for mode in ("lstm", "gru", "rnn_tanh")
    ),
    "mx.rnn.GRUCell(4, prefix='t_').unroll(3, x, layout='TNC', merge_outputs=True)[0]",
    "sym.load_json(classic)",
    "under_np_shape(lambda: sym.load_json(classic))",
)
#: Each gives anything, which is compared as a text.
VALUES = (
    "in_scope('net_', lambda: mx.gluon.nn.Dense(2).name)",
    "in_scope('net_', lambda: mx.name.NameManager.current.get(None, 'h'))",
    "in_scope('net_', lambda: prefixed('p_', lambda: mx.gluon.nn.Dense(2).name))",
    "prefixed('p_', lambda: mx.gluon.nn.Dense(2).name)",
    "scope_of(prefix='spawned_', _empty_prefix=False)",
    *(
        f"[one.name for one in unrolled_layer('{kind}', '{prefix}')]"
        for kind in ("LSTMCell", "GRUCell")
        for prefix in ("bi_", "o_")
    ),
    "unrolled_layer('RNNCell', 'o_', merge_outputs=True).name",
    "under_np_shape(lambda: sym.load_json(classic).infer_shape(data=(2, 5)))",
    "sym.load_json(classic).infer_shape(data=(2, 5))",
    "sym.zeros_like(x, dtype='int32').infer_type(x='float16')",
    "sym.var('v', dtype='int8').infer_type()",
    "sym.var('b', shape=(0, 3)).infer_shape_partial()",
)
#: Inputs with unknown lengths, or none: operators of them, and the shape of the output.
BACKWARDS = (
    (
        "sym.Convolution(a, num_filter=2, kernel=(3, 3), pad=(1, 1))",
        (0, 10, 0, 0),
        (5, 2, 32, 32),
    ),
    ("sym.Convolution(a, num_filter=4, kernel=(3,), dilate=(2,))", (0, 3, 0), (2, 4, 5)),
    ("sym.Convolution(a, num_filter=4, kernel=(1, 3, 3))", (0, 4, 0, 0, 0), (2, 4, 5, 6, 7)),
    ("sym.SliceChannel(a, num_outputs=10, axis=1, squeeze_axis=True)[1]", (0, 10), (5,)),
    ("sym.SliceChannel(a, num_outputs=3, axis=1)[2]", (0, 6, 0), (5, 2, 4)),
    ("a.reshape((6, 1, -2))", (0, 3, 5, 6), (6, 1, 5, 6)),
    ("a.reshape((0, -1))", (2, 3, 5, 0), (2, 75)),
    ("a.reshape((0, -2))", (2, 0, 5), (2, 3, 5)),
    ("a.reshape((-3, 0))", (0, 3, 5), (6, 5)),
    ("a.reshape((-1, 0), reverse=True)", (0, 3, 5), (6, 5)),
    ("sym.transpose(sym.ones(shape=[-1, -1])) + a", (2, 0), (2, 3)),
    ("sym.expand_dims(a, axis=1)", (2, 0, 0), (2, 1, 3, 5)),
    ("sym.FullyConnected(a, num_hidden=4, flatten=False)", (0, 3, 5), (2, 3, 4)),
    ("sym.FullyConnected(a, num_hidden=4)", (0, 3), (2, 4)),
    ("sym.transpose(a, axes=(1, 0, 2))", (2, 0, 0), (3, 2, 5)),
)
#: What MXNet refuses.
REFUSED = (
    *(
        f"sym.broadcast_like(x, y, {one}, {other}).infer_shape(x=(1, 2), y=(3, 2))"
        for one, other in (("()", "()"), ("()", "0"), ("0", "()"), ("(0, 1)", "(0,)"))
    ),
    *(
        f"mx.nd.broadcast_like(mx.nd.ones((1, 2)), mx.nd.ones((3, 2)), {one}, {other})"
        for one, other in (("()", "()"), ("()", "0"), ("0", "()"), ("(0, 1)", "(0,)"))
    ),
    "sym.UpSampling(x, scale=2)",
    "sym.softmax(x, foo=1)",
    "sym.var('a', shape=(0, 3)).reshape((6, 1, 0, -3)).infer_shape()",
)


def scope(mx: Any) -> dict[str, Any]:
    """The names that the texts use."""
    sym = mx.sym
    w = sym.var("w", shape=(128, 0))
    net = sym.FullyConnected(sym.var("data"), w, sym.var("b"), num_hidden=128, name="fc")

    def in_scope(prefix: str, make: Any) -> Any:
        with mx.gluon.nn.HybridSequential(prefix=prefix).name_scope():
            return make()

    def prefixed(prefix: str, make: Any) -> Any:
        with mx.name.Prefix(prefix):
            return make()

    def under_np_shape(make: Any) -> Any:
        with mx.util.np_shape(True):
            return make()

    def scope_of(**attributes: Any) -> str:
        with mx.gluon.block._BlockScope(type("Owner", (), attributes)()):
            return mx.name.NameManager.current.get(None, "hello")

    def unrolled(cell: Any) -> Any:
        return sym.Group(cell.unroll(2, [sym.var("a"), sym.var("b")])[0])

    def unrolled_layer(kind: str, prefix: str, **more: Any) -> Any:
        two = [getattr(mx.gluon.rnn, kind)(4, prefix=side) for side in ("l_", "r_")]
        cell = mx.gluon.rnn.BidirectionalCell(*two, output_prefix=prefix)
        return cell.unroll(2, [sym.var("a"), sym.var("b")], **more)[0]

    found = dict(locals(), np=np, x=sym.var("x"), y=sym.var("y"), classic=net.tojson())
    return found


def named(mx: Any, call: str) -> Any:
    """The value of a text, with names that begin anew."""
    with mx.name.NameManager():
        return eval(call, scope(mx))  # the texts above


def described(mx: Any) -> Iterator[tuple[str, Any]]:
    """Yield each text with what it gives, in a form that JSON keeps."""
    for call in SYMBOLS:
        symbol = named(mx, call)
        symbol = mx.sym.Group(symbol) if isinstance(symbol, list) else symbol
        graph = json.loads(symbol.tojson())
        yield call, {"outputs": symbol.list_outputs(), "nodes": graph["nodes"]}
    for call in VALUES:
        yield call, re.sub("<class '[a-z]+\\.([a-z0-9]+)'>", r"\1", str(named(mx, call)))
    for call, shape, whole in BACKWARDS:
        a, whole_of = mx.sym.var("a", shape=shape), mx.sym.var("whole", shape=whole)
        with mx.name.NameManager():
            symbol = mx.sym.elemwise_add(eval(call, {**scope(mx), "a": a}), whole_of)
        found = symbol.infer_shape_partial()
        yield call, [list(map(list, group)) for group in found]
