"""Expressions on `npx`, run by the oracle for reference and by the tests on gluon.

They see what those in `programs.py` see, and are evaluated alike.
"""

from __future__ import annotations

IMAGE, FILTER = "x.reshape(1, 1, 2, 3)", "y[:, :2].reshape(1, 1, 2, 2)"
MEANS = "np.zeros(3), np.ones(3)"
BOXES = "np.array([[[0.1, 0.1, 0.4, 0.5], [0.5, 0.2, 0.9, 0.8], [0.0, 0.3, 0.3, 0.9]]])"
GROUPS: dict[str, list[str]] = {
    "activation": [
        *("npx.relu(x - 0.5)", "npx.sigmoid(x)", "npx.erf(x)", "npx.erfinv(x)", "npx.gamma(x)"),
        *("npx.gammaln(x)", "npx.smooth_l1(x - 0.5, scalar=2.0)", "npx.smooth_l1(x)"),
        *(
            f"npx.activation(x - 0.5, act_type='{kind}')"
            for kind in ("relu", "sigmoid", "tanh", "softrelu", "softsign")
        ),
        *(
            f"npx.leaky_relu(x - 0.5, act_type='{kind}')"
            for kind in ("leaky", "elu", "selu", "gelu")
        ),
        *("npx.leaky_relu(x - 0.5, v * 0 + 0.1, act_type='prelu')", "npx.relu(np.array(-1.0))"),
        *("npx.softmax(x)", "npx.softmax(x, axis=0)", "npx.softmax(x, temperature=2.0)"),
        *("npx.softmax(x, np.array([1, 2], dtype='int32'), use_length=True)", "npx.softmax(v)"),
        *("npx.log_softmax(x)", "npx.log_softmax(x, axis=0)", "npx.softmax(h)", "npx.relu(i)"),
        *("npx.softmax(x, dtype='float64')", "npx.sigmoid(np.array(0.5))", "npx.relu(h)"),
    ],
    "layers": [
        "npx.fully_connected(x, y, num_hidden=2, no_bias=True)",
        "npx.fully_connected(x, y, np.ones(2), num_hidden=2)",
        "npx.fully_connected(c, y, num_hidden=2, no_bias=True, flatten=False)",
        f"npx.convolution({IMAGE}, {FILTER}, kernel=(2, 2), num_filter=1, no_bias=True)",
        f"npx.convolution({IMAGE}, {FILTER}, np.ones(1), kernel=(2, 2), num_filter=1, pad=(1, 1))",
        f"npx.deconvolution({IMAGE}, {FILTER}, kernel=(2, 2), num_filter=1, stride=(2, 2))",
        f"npx.pooling({IMAGE}, kernel=(2, 2), pool_type='max')",
        f"npx.pooling({IMAGE}, kernel=(2, 2), pool_type='avg', pad=(1, 1))",
        f"npx.pooling({IMAGE}, global_pool=True, pool_type='avg')",
        f"npx.batch_norm(x, np.ones(3), np.zeros(3), {MEANS}, fix_gamma=False)",
        f"npx.batch_norm(x, v, v, {MEANS}, eps=1e-3, fix_gamma=False, use_global_stats=True)",
        *("npx.layer_norm(x, v, v)", "npx.layer_norm(x, v[:2], v[:2], axis=0, eps=0.1)"),
        *("npx.embedding(i, np.eye(6, 2), input_dim=6, output_dim=2)", "npx.dropout(x, p=0.0)"),
        "npx.embedding(np.array([[1, 0]]), x, input_dim=2, output_dim=3)",
        *("npx.batch_dot(c, c, transpose_b=True)", "npx.batch_flatten(c)"),
        "npx.roi_pooling(x.reshape(1, 1, 2, 3), np.array([[0, 0, 0, 2, 1]]),"
        " pooled_size=(1, 2), spatial_scale=1.0)",
    ],
    "places": [
        *("npx.pick(x, np.array([0, 2]))", "npx.pick(x, np.array([0, 1, 0]), axis=0)"),
        "npx.pick(x, np.array([0, 2]), keepdims=True)",
        *("npx.pick(x, np.array([0, 5]), mode='wrap')", "npx.topk(x)", "npx.topk(x, k=2)"),
        *("npx.topk(x, k=2, ret_typ='value')", "npx.topk(x, k=2, ret_typ='both')[0]"),
        *("npx.topk(x, k=2, ret_typ='mask')", "npx.topk(x, axis=0, is_ascend=True)"),
        *("npx.topk(v, axis=None, k=2)", "npx.topk(x, dtype='int32')"),
        *("npx.one_hot(np.array([0, 2]), 3)", "npx.one_hot(np.array([0, 2], dtype='int64'), 4)"),
        "npx.one_hot(np.array([[0], [2]]), 3, on_value=2, off_value=-1, dtype='int32')",
        *("npx.one_hot(np.array(1), 3)", "npx.gather_nd(x, np.array([[0, 1], [1, 2]]))"),
        *("npx.nonzero(i)", "npx.nonzero(x > 0.7)"),
        "npx.sequence_mask(c, np.array([1, 2]), use_sequence_length=True, value=-1.0)",
        "npx.sequence_mask(x, np.array([1, 2]), use_sequence_length=True, axis=1)",
        *("npx.sequence_mask(x)", "npx.slice(x, begin=(0, 1), end=(2, 3))"),
        *("npx.slice(x, begin=(None, 2), end=(None, None), step=(1, -1))", "npx.shape_array(x)"),
        *("npx.arange_like(x)", "npx.arange_like(x, axis=1)", "npx.arange_like(c, start=1)"),
        *("npx.arange_like(x, step=2.0, axis=0)", "npx.arange_like(v, repeat=3)"),
        *(
            "npx.cast(x, dtype='int32')",
            "npx.cast(x, dtype='float64')",
            "npx.cast(i, dtype='bool')",
        ),
    ],
    "reshape": [
        *(
            f"npx.reshape(np.zeros({shape}), {codes})"
            for shape, codes in [
                *(("(2, 3, 8)", "(-2, -2, 2, -1)"), ("(8, 3, 3, 3, 4, 4)", "(-6, 2, -1, -4)")),
                *(("(8, 3, 3, 3, 4, 4)", "(-5, -4)"), ("(8, 1, 1, 3)", "(-2, -3, -3, -1)")),
                *(("(8, 3, 3, 3, 3, 8)", "(-4, -1), reverse=True"), ("(8, 3, 2)", "(-1,)")),
                *(("(8, 3, 2, 4, 8)", "(-4, -1, 2, -6), reverse=True"), ("(8, 3)", "24")),
                *(("(2, 3)", "(-5,)"), ("(2, 3)", "(-4,)"), ("(1, 3)", "(-3, 3)")),
                *(),
                *(("(2, 4)", "(-2, -6, -1, 2)"), ("(0, 4)", "(-2, 2, 2)"), ("()", "(1, 1)")),
                *(("(2, 4)", "-1"), ("(0, 4)", "(-1, 4)")),
            ]
        ),
        *("npx.reshape(x, (-5,))", "npx.reshape(x, (-1, 2))", "npx.reshape_like(x, y.T)"),
        "npx.reshape_like(np.zeros((30, 7)), np.zeros((15, 2, 4)), lhs_begin=0, lhs_end=1,"
        " rhs_begin=0, rhs_end=2)",
    ],
    "boxes": [
        "npx.multibox_prior(np.zeros((1, 3, 2, 2)), sizes=(0.5, 0.25), ratios=(1, 2))",
        *(
            f"npx.multibox_target({BOXES}, np.array([[[0, 0.1, 0.1, 0.5, 0.5]]]),"
            f" np.zeros((1, 2, 3)))[{k}]"
            for k in range(3)
        ),
        f"npx.multibox_detection(np.array([[[0.1, 0.2, 0.9], [0.9, 0.8, 0.1]]]), np.zeros((1, 12)),"
        f" {BOXES})",
    ],
    "the rest": [
        *("npx.random.bernoulli(0.5, size=(2, 3)).shape", "npx.random.bernoulli(0.5).shape"),
        *("npx.random.bernoulli(x).shape", "npx.random.bernoulli(logit=x, size=(2, 3)).shape"),
        *("npx.random.bernoulli(x, size=(4, 2, 3)).shape", "npx.random.bernoulli(0.5).dtype.name"),
        "npx.random.bernoulli(prob=1.0, size=3)",
        *("npx.random.normal_n().shape", "npx.random.normal_n(x, batch_shape=(4,)).shape"),
        *("npx.random.normal_n(x, y, batch_shape=(4,)).shape", "npx.random.uniform_n(x).shape"),
        *("npx.random.uniform_n(0, 1, batch_shape=(2, 3)).shape", "npx.random.seed(1)"),
        "npx.random.normal_n(x, 0.0)",
        *(
            "npx.random.uniform_n(0, 1).dtype.name",
            "npx.random.normal_n(dtype='float64').dtype.name",
        ),
        *("npx.waitall()", "str(npx.cpu())", "str(npx.cpu(1))", "str(npx.gpu(2))"),
        *("str(npx.cpu_pinned())", "npx.num_gpus()", "str(npx.current_context())"),
        *("npx.is_np_array()", "npx.is_np_shape()", "np.array(1.5).ctx == npx.cpu()"),
        "type(npx.relu(x)).__name__",
    ],
}
PROGRAMS = [program for group in GROUPS.values() for program in group]
