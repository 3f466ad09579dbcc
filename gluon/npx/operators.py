"""`npx`: the operators of `gluon.nd` without a NumPy function, on arrays of `gluon.np`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Final
from typing import cast as typed

from .. import nd
from .._core.engine.array import Array
from .._core.errors import GluonError
from .._core.faces.docs import completed, in_source
from .._core.faces.errors import renamed
from .._core.faces.face import Face
from .._core.faces.parameters import OF_ND
from .._core.faces.prototype import T
from .._core.faces.text import hints, kinds
from ..np import ndarray
from ..np._public import as_array

NPX = Face("gluon.npx", "from gluon import np, npx", printed="array({result})")
#: Maps the functions here to their names in `gluon.nd`.
NAMES: dict[str, str] = {}


def on_np(function: T, code: str, result: str, name: str = "") -> T:
    """A function of `gluon.nd` for arrays of `gluon.np`; array-likes become arrays.

    In its example `code` prints `result`.
    """
    name = name or function.__name__
    taken: tuple[str, ...] | None = None

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal taken
        if taken is None:  # inspected at the first call: annotations are slow to read
            taken = _arrays(function)
        try:
            given = [
                as_array(x) if wanted and x is not None and not isinstance(x, ndarray) else x
                for x, wanted in zip(args, taken)
            ]
            for key in kwargs.keys() & taken:
                if kwargs[key] is not None:
                    kwargs[key] = as_array(kwargs[key])
            return function(*given, *args[len(given) :], **kwargs)
        except GluonError as error:
            renamed(error, function.__name__, name)
            raise

    doc, _, _ = in_source(function).partition("Examples\n    --------\n")
    doc, shown = completed(doc, ("out", "name"), OF_ND), NPX.example(name, code, result)
    heading = "Examples\n    --------\n    "
    NAMES[name] = function.__name__
    doc = f"{doc.replace('NDArray', 'ndarray')}{heading}{shown}\n    "
    return typed(T, NPX.named(call, name, doc))


def _arrays(function: Callable) -> tuple[str, ...]:
    """Return for each parameter of a function its name if it is an array, otherwise ''."""
    types = hints(function)
    return tuple(
        name if name != "out" and any(map(_is_array, kinds(types.get(name)))) else ""
        for name in inspect.signature(function).parameters
    )


def _is_array(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Array)


activation: Final = on_np(
    nd.Activation,
    'npx.activation(np.array([-1, 3]), act_type="softsign")',
    "[-0.5 ,  0.75]",
    name="activation",
)
arange_like: Final = on_np(
    nd.contrib.arange_like, "npx.arange_like(np.zeros((2, 3)), axis=1)", "[0., 1., 2.]"
)
batch_dot: Final = on_np(
    nd.batch_dot, "npx.batch_dot(np.ones((1, 1, 3)), np.ones((1, 3, 1)))", "[[[3.]]]"
)
batch_flatten: Final = on_np(
    nd.flatten, "npx.batch_flatten(np.ones((1, 2, 2)))", "[[1., 1., 1., 1.]]", name="batch_flatten"
)
batch_norm: Final = on_np(
    nd.BatchNorm,
    "npx.batch_norm(np.array([[2, 4]]), *np.ones((4, 2)))",
    "[[1.9995, 3.9985]]",
    name="batch_norm",
)
bipartite_matching: Final = on_np(
    nd.contrib.bipartite_matching,
    "npx.bipartite_matching(np.array([[0.5, 0.9]]), threshold=0.1)[0]",
    "[1.]",
)
box_decode: Final = on_np(
    nd.contrib.box_decode,
    "npx.box_decode(np.zeros((1, 1, 4)), np.array([[[0, 0, 2, 2]]]))",
    "[[[-1., -1.,  1.,  1.]]]",
)
box_encode: Final = on_np(
    nd.contrib.box_encode,
    "npx.box_encode(np.ones((1, 1)), np.zeros((1, 1)), np.array([[[0, 0, 2, 2]]]), "
    "np.array([[[0, 0, 2, 2]]]), np.zeros(4), np.ones(4))[1]",
    "[[[1., 1., 1., 1.]]]",
)
box_iou: Final = on_np(
    nd.contrib.box_iou, "npx.box_iou(np.array([[0, 0, 2, 2]]), np.array([[0, 0, 2, 1]]))", "[[0.5]]"
)
box_nms: Final = on_np(
    nd.contrib.box_nms,
    "npx.box_nms(np.array([[0.9, 0, 0, 2, 2]]), coord_start=1, score_index=0)",
    "[[0.9, 0. , 0. , 2. , 2. ]]",
)
broadcast_like: Final = on_np(
    nd.broadcast_like, "npx.broadcast_like(np.array([2]), np.zeros(3))", "[2., 2., 2.]"
)
cast: Final = on_np(nd.cast, 'npx.cast(np.array([1.5]), dtype="float64")', "[1.5], dtype=float64")
convolution: Final = on_np(
    nd.Convolution,
    "npx.convolution(np.ones((1, 1, 3)), np.ones((1, 1, 2)), kernel=2, num_filter=1, no_bias=True)",
    "[[[2., 2.]]]",
    name="convolution",
)
ctc_loss: Final = on_np(
    nd.CTCLoss, "npx.ctc_loss(np.zeros((1, 1, 2)), np.ones((1, 1)))", "[0.6931]", name="ctc_loss"
)
deconvolution: Final = on_np(
    nd.Deconvolution,
    "npx.deconvolution(np.ones((1, 1, 2)), np.ones((1, 1, 2)), kernel=2, num_filter=1)",
    "[[[1., 2., 1.]]]",
    name="deconvolution",
)
dropout: Final = on_np(nd.Dropout, "npx.dropout(np.ones(3), p=0.5)", "[1., 1., 1.]", name="dropout")
embedding: Final = on_np(
    nd.Embedding,
    "npx.embedding(np.array([1]), np.eye(2), input_dim=2, output_dim=2)",
    "[[0., 1.]]",
    name="embedding",
)
erf: Final = on_np(nd.erf, "npx.erf(np.array([0, 1]))", "[0.    , 0.8427]")
erfinv: Final = on_np(nd.erfinv, "npx.erfinv(np.array([0, 0.5]))", "[0.    , 0.4769]")
fully_connected: Final = on_np(
    nd.FullyConnected,
    "npx.fully_connected(np.array([[1, 2]]), np.ones((1, 2)), np.ones(1), num_hidden=1)",
    "[[4.]]",
    name="fully_connected",
)
gamma: Final = on_np(nd.gamma, "npx.gamma(np.array([1, 4]))", "[1., 6.]")
gammaln: Final = on_np(nd.gammaln, "npx.gammaln(np.array([1, 4]))", "[0.    , 1.7918]")
gather_nd: Final = on_np(
    nd.gather_nd, "npx.gather_nd(np.array([[1, 2], [3, 4]]), np.array([[1], [0]]))", "[3.]"
)
group_norm: Final = on_np(
    nd.GroupNorm,
    "npx.group_norm(np.array([[1, 3]]), np.ones(1), np.zeros(1), num_groups=1, eps=0)",
    "[[-1.,  1.]]",
    name="group_norm",
)
hard_sigmoid: Final = on_np(nd.hard_sigmoid, "npx.hard_sigmoid(np.array([-5, 0]))", "[0. , 0.5]")
instance_norm: Final = on_np(
    nd.InstanceNorm,
    "npx.instance_norm(np.array([[[1, 3]]]), np.ones(1), np.zeros(1), eps=0)",
    "[[[-1.,  1.]]]",
    name="instance_norm",
)
l2_normalization: Final = on_np(
    nd.L2Normalization,
    "npx.l2_normalization(np.array([[3, 4]]))",
    "[[0.6, 0.8]]",
    name="l2_normalization",
)
layer_norm: Final = on_np(
    nd.LayerNorm,
    "npx.layer_norm(np.array([[1, 3]]), np.ones(2), np.zeros(2), eps=0)",
    "[[-1.,  1.]]",
    name="layer_norm",
)
leaky_relu: Final = on_np(
    nd.LeakyReLU, "npx.leaky_relu(np.array([-2, 3]), slope=0.5)", "[-1.,  3.]", name="leaky_relu"
)
log_softmax: Final = on_np(
    nd.log_softmax, "npx.log_softmax(np.array([0, 0]))", "[-0.6931, -0.6931]"
)
lrn: Final = on_np(
    nd.LRN, "npx.lrn(np.ones((1, 1, 1, 1)), nsize=1, alpha=0)", "[[[[0.5946]]]]", name="lrn"
)
multibox_detection: Final = on_np(
    nd.contrib.MultiBoxDetection,
    "npx.multibox_detection(np.array( [[[0.1], [0.9]]]), np.zeros((1, 4)), np.array("
    "[[[0, 0, 1, 1]]]))",
    "[[[0. , 0.9, 0. , 0. , 1. , 1. ]]]",
    name="multibox_detection",
)
multibox_prior: Final = on_np(
    nd.contrib.MultiBoxPrior,
    "npx.multibox_prior(np.ones((1, 3, 1, 1)))",
    "[[[0., 0., 1., 1.]]]",
    name="multibox_prior",
)
multibox_target: Final = on_np(
    nd.contrib.MultiBoxTarget,
    "npx.multibox_target(np.array([[[0, 0, 1, 1]]]), np.array([[[0, 0, 0, 1, 1]]]), "
    "np.zeros((1, 2, 1)))[2]",
    "[[1.]]",
    name="multibox_target",
)
norm: Final = on_np(nd.norm, "npx.norm(np.array([[3, 4]]), axis=1)", "[5.]")
one_hot: Final = on_np(nd.one_hot, "npx.one_hot(np.array([2]), 3)", "[[0., 0., 1.]]")
pick: Final = on_np(nd.pick, "npx.pick(np.array([[1, 2], [3, 4]]), np.array([1, 0]))", "[2., 3.]")
pooling: Final = on_np(
    nd.Pooling, "npx.pooling(np.array([[[1, 3, 2]]]), kernel=2)", "[[[3., 3.]]]", name="pooling"
)
relu: Final = on_np(nd.relu, "npx.relu(np.array([-1, 2]))", "[0., 2.]")
reshape_like: Final = on_np(
    nd.reshape_like, "npx.reshape_like(np.ones((2, 1)), np.zeros(2))", "[1., 1.]"
)
rnn: Final = on_np(
    nd.RNN,
    "npx.rnn(np.zeros((1, 1, 1)), np.zeros(4), np.ones((1, 1, 1)), state_size=1, "
    'num_layers=1, mode="rnn_tanh")',
    "[[[0.]]]",
    name="rnn",
)
roi_align: Final = on_np(
    nd.contrib.ROIAlign,
    "npx.roi_align(np.ones((1, 1, 2, 2)), np.zeros((1, 5)), (1, 1), 1)",
    "[[[[1.]]]]",
    name="roi_align",
)
roi_pooling: Final = on_np(
    nd.ROIPooling,
    "npx.roi_pooling(np.ones((1, 1, 2, 2)), np.zeros((1, 5)), (1, 1), 1)",
    "[[[[1.]]]]",
    name="roi_pooling",
)
sequence_last: Final = on_np(
    nd.SequenceLast,
    "npx.sequence_last(np.array([[1, 2], [3, 4]]))",
    "[3., 4.]",
    name="sequence_last",
)
sequence_mask: Final = on_np(
    nd.SequenceMask,
    "npx.sequence_mask(np.ones((1, 3)), np.array([2]), use_sequence_length=True, axis=1)",
    "[[1., 1., 0.]]",
    name="sequence_mask",
)
sequence_reverse: Final = on_np(
    nd.SequenceReverse,
    "npx.sequence_reverse(np.arange(3).reshape(3, 1))[:, 0]",
    "[2., 1., 0.]",
    name="sequence_reverse",
)
shape_array: Final = on_np(
    nd.shape_array, "npx.shape_array(np.zeros((2, 3)))", "[2, 3], dtype=int64"
)
sigmoid: Final = on_np(nd.sigmoid, "npx.sigmoid(np.array([0]))", "[0.5]")
slice: Final = on_np(nd.slice, "npx.slice(np.arange(5), begin=1, end=4, step=2)", "[1., 3.]")
smooth_l1: Final = on_np(nd.smooth_l1, "npx.smooth_l1(np.array([0.5, 2]))", "[0.125, 1.5  ]")
softmax: Final = on_np(nd.softmax, "npx.softmax(np.array([0, 0]))", "[0.5, 0.5]")
stop_gradient: Final = on_np(nd.stop_gradient, "npx.stop_gradient(np.ones(2))", "[1., 1.]")
topk: Final = on_np(nd.topk, "npx.topk(np.array([1, 3, 2]), k=2)", "[1., 2.]")
