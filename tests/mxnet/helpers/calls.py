"""Calls of helpers in MXNet's modules, for MXNet itself and for gluon under the hook.

Each takes `mx`; what it gives can be written as JSON by `plain`.
"""

from __future__ import annotations

import ctypes
import importlib
from array import array
from types import SimpleNamespace

import numpy as np


def plain(value):
    """A result without arrays and classes of either library."""
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if hasattr(value, "asnumpy"):
        return np.asarray(value.asnumpy(), "float64").round(4).tolist()
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, slice):
        return str(value)
    return value


STANDARD = (
    *(AssertionError, IndexError, KeyError, TypeError, ValueError),
    *(NotImplementedError, RuntimeError),
)


def outcome(call, mx, wanted=None):
    """The result of a call, or the standard class of its error (`wanted` if it fits)."""
    try:
        return plain(call(mx))
    except STANDARD as error:
        names = [one.__name__ for one in STANDARD if isinstance(error, one)]
        return wanted if wanted in names else names[0]


def ones(mx, *shape):
    return mx.nd.ones(shape)


def round_trip(mx, value):
    flat, form = mx.gluon.block._flatten(value, "input")
    return len(flat), form, mx.gluon.block._regroup(flat, form)


def class_property(mx):
    base = mx.base

    class Counted(base.with_metaclass(base._MXClassPropertyMetaClass, object)):
        _value = 1

        @base.classproperty
        def value(cls):
            return cls._value

        @value.setter
        def value(cls, value):
            cls._value = value

    Counted.value = 5
    return Counted.value, Counted._value, Counted().value


def old_gradients(mx):
    auto = mx.contrib.autograd
    x = mx.nd.array([1, 2, 3])
    grads, loss = auto.grad_and_loss(lambda a, b: a * b, argnum=[0])(x, x + 1)
    y = mx.nd.array([1, 2])
    y.attach_grad()
    with auto.train_section():
        z = y * y
        with auto.test_section():
            inside = mx.autograd.is_recording(), mx.autograd.is_training()
        outside = mx.autograd.is_recording(), mx.autograd.is_training()
    auto.backward([z], [mx.nd.array([10, 100])])
    return grads, loss, inside, outside, y.grad, auto.grad(lambda a: a * a * a)(x)


def parameter_state(mx):
    one = mx.gluon.Parameter("w", shape=(2,), init="ones")
    before = one._grad, one._ctx_map, one._ctx_list, one._grad_stype, one._stype, one._trainer
    one.initialize(ctx=[mx.cpu(0), mx.cpu(2)])
    one._init_impl(mx.nd.array([3, 4]), [mx.cpu(0), mx.cpu(2)])
    got = one._check_and_get(one._data, mx.cpu(2)), one._check_and_get(one._data, list)
    return before, one._ctx_map, one._reduce(), one._grad, got, one._allow_deferred_init


def block_state(mx):
    with mx.name.NameManager():
        net = mx.gluon.nn.Dense(2, in_units=3)
    return net._prefix, net._name, list(net._params.keys()), net._empty_prefix, net._cached_graph


def name_counts(mx):
    manager = mx.name.NameManager()
    with manager:
        names = [manager.get(None, "fc"), mx.gluon.nn.Dense(2).name, manager.get("x", "fc")]
        current = mx.name.NameManager._current.value is manager
        mx.name.NameManager._current.value._counter.clear()
        return names, current, mx.gluon.nn.Dense(2).name, dict(manager._counter)


def unfused(mx, kind, **options):
    net = getattr(mx.gluon.rnn, kind)(4, 2, input_size=3, **options)
    net.initialize(mx.init.One())
    x = mx.nd.arange(2 * 5 * 3).reshape((5, 2, 3)) / 30
    cells = net._unfuse()
    found, _ = cells.unroll(5, x, layout="TNC", merge_outputs=True)
    return net(x)[-1], found[-1], net._mode, net._dir, net._num_layers, net._hidden_size


def numpy_scopes(mx):
    seen = [mx.util.is_np_array(), mx.util.is_np_shape()]
    with mx.util._NumpyShapeScope(True):
        seen += [mx.util.is_np_shape()]
        with mx.util._NumpyArrayScope(True):
            seen += [mx.util.is_np_array()]
        seen += [mx.util.is_np_array()]
    return [*seen, mx.util.is_np_array(), mx.util.is_np_shape()]


def many_batches(mx):
    loader = mx.gluon.data.dataloader
    from multiprocessing.pool import ThreadPool

    with ThreadPool(2) as pool:
        found = loader._MultiWorkerIter(
            pool,
            loader.default_batchify_fn,
            [[0, 1], [2]],
            worker_fn=loader._thread_worker_fn,
            prefetch=2,
            dataset=[1.0, 2.0, 3.0],
        )
        return len(found), list(found)


def zoo(mx, module, name, *args, channels=8, size=33):
    """The names and shapes of a part's parameters, and the shape of what it computes."""
    with mx.name.NameManager():
        home = importlib.import_module(f"mxnet.gluon.model_zoo.vision.{module}")
        part = getattr(home, name)(*args)
        part.initialize()
        out = part(mx.nd.ones((1, channels, size, size)))
        shapes = [(key, one.shape) for key, one in part.collect_params().items()]
    return shapes, out.shape


def added_convolutions(mx):
    from mxnet.gluon.model_zoo.vision.mobilenet import _add_conv_dw

    with mx.name.NameManager():
        net = mx.gluon.nn.HybridSequential(prefix="m_")
        with net.name_scope():
            _add_conv_dw(net, 4, 6, 2, relu6=True)
        net.initialize()
        out = net(mx.nd.ones((1, 4, 8, 8)))
    return [(key, one.shape) for key, one in net.collect_params().items()], out.shape


def image_shapes(mx):
    find = mx.image.image._get_interp_method
    sizes = [(2, 2, 4, 4), (4, 4, 2, 2), (2, 4, 4, 2)]
    return [find(one) for one in range(5)], find(9), [find(9, one) for one in sizes]


def recurrent(mx):
    cell = mx.gluon.rnn.rnn_cell
    x = mx.nd.arange(12).reshape((2, 3, 2))
    steps, axis, _, batch = cell._format_sequence(3, x, "NTC", False)
    merged, *_ = cell._format_sequence(3, steps, "TNC", True)
    turned, *_ = cell._format_sequence(None, x, "TNC", None, "NTC")
    lengths = mx.nd.array([1, 3])
    masked = cell._mask_sequence_variable_length(mx.nd, x, 3, lengths, 1, True)
    back = cell._reverse_sequences(steps, 3), cell._reverse_sequences(steps, 3, lengths)
    return steps, axis, batch, merged, turned, masked, back


def fallback_operators(mx):
    """What NumPy computes for names of ``numpy_op_fallback``."""
    from mxnet import numpy_op_fallback

    called = mx.nd.numpy._internal
    with mx.util.np_shape(), mx.util.np_array():
        x = mx.np.arange(6).reshape(2, 3)
        places = mx.np.array([1, 4], dtype="int64")
        like = called.empty_like_fallback(x, dtype="int32", order="C", subok="True", shape="None")
        return [
            called.resize_fallback(x, new_shape=(2, 4)),
            called.resize_fallback(x, new_shape=5),
            called.unravel_index_fallback(places, shape=(2, 3)),
            [like.shape, str(np.dtype(like.dtype))],
            issubclass(numpy_op_fallback.ResizeProp, mx.operator.CustomOpProp),
        ]


def notebook_callbacks(mx):
    """The callbacks of several charts together."""
    import mxnet.notebook.callback as charts

    first, longer = [1], [0, 2, 3]
    charts._extend(first, longer)
    given = SimpleNamespace(callback_args=lambda: {"batch_end_callback": 1})
    return [first, charts.args_wrapper(given, given)]


CALLS = {
    "py_str": lambda mx: mx.base.py_str(b"caf\xc3\xa9"),
    "as_list": lambda mx: [mx.base._as_list(one) for one in (1, [1], (1, 2))],
    "c_array": lambda mx: list(mx.base.c_array(ctypes.c_int, [1, 2])),
    "c_array_buf": lambda mx: list(mx.base.c_array_buf(ctypes.c_uint, array("I", [3, 4]))),
    "c_str": lambda mx: mx.base.c_str("a").value.decode(),
    "c_str_array": lambda mx: [one.decode() for one in mx.base.c_str_array(["a", "b"])],
    "ctypes2buffer": lambda mx: list(
        mx.base.ctypes2buffer(ctypes.cast(b"abc", ctypes.POINTER(ctypes.c_char)), 3)
    ),
    "ctypes2buffer of something else": lambda mx: mx.base.ctypes2buffer(3, 3),
    "ctypes2numpy_shared": lambda mx: mx.base.ctypes2numpy_shared(
        ctypes.cast((ctypes.c_float * 4)(1, 2, 3, 4), mx.base.mx_float_p), (2, 2)
    ),
    "build_param_doc": lambda mx: mx.base.build_param_doc(
        ["a", "num_args", "a", "b"], ["int", "int", "x", "y"], ["one", "", "", ""]
    ),
    "classproperty": class_property,
    "find_error_type": lambda mx: [
        mx.base._find_error_type(one)
        for one in ("ValueError: x", "ValueError", "a b: c", "mxnet.error.InternalError: q", "")
    ],
    "NotImplementedForSymbol": lambda mx: str(mx.base.NotImplementedForSymbol(len, "size", 1)),
    "NotSupportedForSparse": lambda mx: str(mx.base.NotSupportedForSparseNDArray(len, None, 1)),
    "flatten": lambda mx: round_trip(mx, [ones(mx, 1), [ones(mx, 2), None]]),
    "flatten one": lambda mx: round_trip(mx, ones(mx, 2)),
    "flatten a number": lambda mx: mx.gluon.block._flatten(3, "input"),
    "regroup an unknown format": lambda mx: mx.gluon.block._regroup([1], -2),
    "regroup no None": lambda mx: mx.gluon.block._regroup([1], -1),
    "nd.contrib flatten": lambda mx: mx.nd.contrib._flatten([ones(mx, 1), [ones(mx, 2)]], "x"),
    "nd.contrib flatten None": lambda mx: mx.nd.contrib._flatten(None, "x"),
    "common_prefix": lambda mx: mx.gluon.block._common_prefix(["ab_c", "ab_d"]),
    "gather_type_ctx_info": lambda mx: [
        str(one) for one in mx.gluon.block._gather_type_ctx_info([ones(mx, 1), 3, None])
    ],
    "indent": lambda mx: [mx.gluon.utils._indent(one, 2) for one in ("a", "a\nb\nc")],
    "brief_print_list": lambda mx: [
        mx.gluon.utils._brief_print_list(range(count)) for count in (0, 3, 7, 8, 20)
    ],
    "repo": lambda mx: mx.gluon.utils._get_repo_file_url("gluon/models", "a.zip"),
    "shape_is_known": lambda mx: [
        mx.gluon.utils.shape_is_known(one) for one in (None, (), (1, 2), (0, 2))
    ],
    "parameter": parameter_state,
    "block": block_state,
    "names": name_counts,
    "scopes": numpy_scopes,
    "batches": many_batches,
    "interp": image_shapes,
    "rnn_cell": recurrent,
    "contrib.autograd": old_gradients,
    **{
        f"unfuse {kind} {options}": lambda mx, kind=kind, options=options: unfused(
            mx, kind, **options
        )
        for kind in ("RNN", "LSTM", "GRU")
        for options in ({}, {"bidirectional": True})
    },
    **{
        f"_internal.{name}": lambda mx, name=name: getattr(mx.nd._internal, name)(
            mx.nd.array([1, 2, 3]), mx.nd.array([4, 2, 1])
        )
        for name in (
            "_plus _minus _mul _div _mod _power _maximum _minimum _equal _not_equal _greater"
            " _greater_equal _lesser _lesser_equal _logical_and _hypot _grad_add _Plus _Mul"
            " _Greater_Equal _Logical_Xor"
        ).split()
    },
    **{
        f"_internal.{name}": lambda mx, name=name: getattr(mx.nd._internal, name)(
            mx.nd.array([1, 2, 3]), scalar=2.0
        )
        for name in (
            "_plus_scalar _minus_scalar _rminus_scalar _mul_scalar _div_scalar _rdiv_scalar"
            " _mod_scalar _rmod_scalar _power_scalar _rpower_scalar _maximum_scalar"
            " _minimum_scalar _equal_scalar _not_equal_scalar _greater_scalar _lesser_scalar"
            " _greater_equal_scalar _lesser_equal_scalar _logical_and_scalar _hypot_scalar"
            " _PlusScalar _RDivScalar _GreaterEqualScalar"
        ).split()
    },
    "_internal._slice_assign": lambda mx: mx.nd._internal._slice_assign(
        mx.nd.zeros((3, 2)), mx.nd.ones((1, 2)), begin=(1, 0), end=(2, 2)
    ),
    "_internal._slice_assign_scalar": lambda mx: mx.nd._internal._slice_assign_scalar(
        mx.nd.zeros((4,)), scalar=5.0, begin=(0,), end=(4,), step=(2,)
    ),
    "_internal._zeros": lambda mx: mx.nd._internal._zeros(shape=(2,)),
    "_internal._full": lambda mx: mx.nd._internal._full(shape=(2,), value=3.0),
    "_internal._split_v2": lambda mx: mx.nd._internal._split_v2(
        mx.nd.arange(6), indices=(0, 2, 3), axis=0
    ),
    "_internal._copyto": lambda mx: mx.nd._internal._copyto(
        mx.nd.array([1, 2]), out=mx.nd.zeros((2,))
    ),
    **{
        f"zoo {name}": lambda mx, row=(module, name, *args): zoo(mx, *row)
        for module, name, *args in (
            ("inception", "_make_A", 32, "A_"),
            ("inception", "_make_B", "B_"),
            ("inception", "_make_C", 16, "C_"),
            ("inception", "_make_D", "D_"),
            ("inception", "_make_E", "E_"),
            ("inception", "make_aux", 10),
            ("inception", "_make_branch", "avg", (4, 1, None, None), (6, (1, 7), None, (0, 3))),
            ("squeezenet", "_make_fire", 2, 4, 6),
            ("densenet", "_make_dense_block", 2, 4, 3, 0.5, 1),
            ("densenet", "_make_transition", 5),
            ("resnet", "_conv3x3", 4, 2, 8),
        )
    },
    "zoo _add_conv_dw": added_convolutions,
    "resnet versions": lambda mx: [
        importlib.import_module("mxnet.gluon.model_zoo.vision.resnet").resnet_block_versions,
        importlib.import_module("mxnet.gluon.model_zoo.vision.resnet").resnet_net_versions,
    ],
    "conv_out_size": lambda mx: mx.gluon.contrib.rnn.conv_rnn_cell._get_conv_out_size(
        (5, 0), (3, 3), (1, 1), (2, 1)
    ),
    "filtered": lambda mx: list(
        mx.gluon.data.dataset._FilteredDataset(
            mx.gluon.data.SimpleDataset([1, 2, 3]), lambda one: one != 2
        )
    ),
    "flatten_list": lambda mx: mx.optimizer.optimizer._flatten_list([[1], [2, 3]]),
    "storage types": lambda mx: mx.nd.ndarray._STORAGE_TYPE_STR_TO_ID,
    "dtypes": lambda mx: sorted(
        (number, getattr(dtype, "__name__", "").rstrip("_"))
        for dtype, number in mx.nd.ndarray._DTYPE_NP_TO_MX.items()
    ),
    "index ranges": lambda mx: [
        mx.nd.ndarray._get_index_range(*one)
        for one in ((None, None, 5), (-2, None, 5), (1, -1, 5), (None, None, 5, -1), (9, 9, 5))
    ],
    "index range of step 0": lambda mx: mx.nd.ndarray._get_index_range(0, 1, 2, 0),
    "slice lengths": lambda mx: [
        mx.nd.ndarray._get_slice_len(slice(*one), 7) for one in ((None,), (1, 9, 2), (5, 1, -3))
    ],
    "shapes": lambda mx: [
        mx.nd.ndarray._get_broadcast_shape((2, 1, 3), (4, 1)),
        mx.nd.ndarray._shape_for_bcast((4, 3), 4, [1]),
        mx.nd.ndarray._shape_for_bcast((3,), 2, []),
        mx.nd.ndarray.get_oshape_of_gather_nd_op((2, 3, 4), (2, 5)),
        mx.nd.ndarray._int_to_slice(-1),
        mx.nd.ndarray._int_to_slice(3),
    ],
    "shapes that do not meet": lambda mx: mx.nd.ndarray._get_broadcast_shape((2, 3), (4, 3)),
    "expanded": lambda mx: [
        mx.nd.ndarray.indexing_key_expand_implicit_axes(key, (3, 4, 5))
        for key in (0, np.s_[..., 1], np.s_[:2, None, 0], np.s_[2, 1, 1])
    ],
    "dispatch": lambda mx: [
        mx.nd.ndarray.get_indexing_dispatch_code(key) for key in ((1,), ([1],), ((),))
    ],
    "sparse classes": lambda mx: [
        issubclass(mx.nd.sparse.CSRNDArray, mx.nd.NDArray),
        isinstance(ones(mx, 1), mx.nd.sparse.RowSparseNDArray),
    ],
    "init_data": lambda mx: [
        mx.io.io._init_data(one, True, "data")
        for one in (
            None,
            np.ones(2),
            [np.ones(1), np.zeros(1)],
            {"b": np.ones(1), "a": np.zeros(1)},
        )
    ],
    "init_data of nothing": lambda mx: mx.io.io._init_data(None, False, "data"),
    "estimator": lambda mx: len(
        mx.gluon.contrib.estimator.utils._check_metrics(
            mx.metric.CompositeEvalMetric(["acc", "mse"])
        )
    ),
    "estimator of a number": lambda mx: mx.gluon.contrib.estimator.utils._check_metrics([3]),
    "max violation": lambda mx: mx.test_utils._find_max_violation(
        np.array([1.0, 2.0, np.inf]), np.array([1.0, 2.5, np.inf]), 0.1, 0.0
    ),
    "as_in_context": lambda mx: str(
        mx.gluon.data.dataloader._as_in_context([ones(mx, 1), (ones(mx, 1),)], mx.cpu(1))[0].ctx
    ),
    "default_ctx": lambda mx: (
        str(mx.Context._default_ctx.value)
        if hasattr(mx.Context._default_ctx, "value")
        else "cpu(0)"
    ),
    "str2tuple": lambda mx: mx.visualization._str2tuple("(3, 12)"),
    "_at": lambda mx: (mx.nd.arange(3)._at(1), mx.nd.arange(4)._slice(1, 3)),
    "amp": lambda mx: mx.contrib.amp.amp._amp_initialized,
    "numpy names": lambda mx: mx.numpy_dispatch_protocol._find_duplicate(["a", "b", "a"]),
    "operator arguments": lambda mx: [
        [one.narg, one.names, one.types]
        for one in map(
            mx.operator.get_operator_arguments,
            ("Convolution", "relu", "sgd_update", "concat", "_npi_add", "_contrib_box_nms"),
        )
    ],
    "operator arguments of nothing": lambda mx: mx.operator.get_operator_arguments("nothing"),
    "fallback operators": fallback_operators,
    "notebook callbacks": notebook_callbacks,
}
