"""`npx`: the operators of `gluon.nd` that NumPy has no function for, on arrays of `gluon.np`."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from .. import nd
from ..engine.errors import GluonError
from ..face.docs import in_source
from ..face.errors import renamed
from ..nd._public import OUT, table
from ..np import ndarray
from ..np._public import PUBLIC, as_array

#: name = the function of `gluon.nd` | an example | its result
TABLE = table("""
    activation=Activation | npx.activation(np.array([-1, 3]), act_type="softsign") | [-0.5 ,  0.75]
    arange_like=contrib.arange_like | npx.arange_like(np.zeros((2, 3)), axis=1) | [0., 1., 2.]
    batch_dot | npx.batch_dot(np.ones((1, 1, 3)), np.ones((1, 3, 1))) | [[[3.]]]
    batch_flatten=flatten | npx.batch_flatten(np.ones((1, 2, 2))) | [[1., 1., 1., 1.]]
    batch_norm=BatchNorm | npx.batch_norm(np.array([[2, 4]]), *np.ones((4, 2))) \
        | [[1.9995, 3.9985]]
    bipartite_matching=contrib.bipartite_matching | npx.bipartite_matching(\
        np.array([[0.5, 0.9]]), threshold=0.1)[0] | [1.]
    box_decode=contrib.box_decode | npx.box_decode(\
        np.zeros((1, 1, 4)), np.array([[[0, 0, 2, 2]]]))  | [[[-1., -1.,  1.,  1.]]]
    box_encode=contrib.box_encode | npx.box_encode(np.ones((1, 1)), np.zeros((1, 1)),\
        np.array([[[0, 0, 2, 2]]]), np.array([[[0, 0, 2, 2]]]), np.zeros(4), np.ones(4))[1] \
        | [[[1., 1., 1., 1.]]]
    box_iou=contrib.box_iou | npx.box_iou(np.array([[0, 0, 2, 2]]), \
        np.array([[0, 0, 2, 1]])) | [[0.5]]
    box_nms=contrib.box_nms | npx.box_nms(np.array([[0.9, 0, 0, 2, 2]]), coord_start=1,\
        score_index=0) | [[0.9, 0. , 0. , 2. , 2. ]]
    broadcast_like | npx.broadcast_like(np.array([2]), np.zeros(3)) | [2., 2., 2.]
    cast | npx.cast(np.array([1.5]), dtype="float64") | [1.5], dtype=float64
    convolution=Convolution | npx.convolution(np.ones((1, 1, 3)), np.ones((1, 1, 2)), \
        kernel=2, num_filter=1, no_bias=True) | [[[2., 2.]]]
    ctc_loss=CTCLoss | npx.ctc_loss(np.zeros((1, 1, 2)), np.ones((1, 1))) | [0.6931]
    deconvolution=Deconvolution | npx.deconvolution(np.ones((1, 1, 2)), np.ones((1, 1, 2)), \
        kernel=2, num_filter=1) | [[[1., 2., 1.]]]
    dropout=Dropout | npx.dropout(np.ones(3), p=0.5) | [1., 1., 1.]
    embedding=Embedding | npx.embedding(np.array([1]), np.eye(2), input_dim=2, output_dim=2) \
        | [[0., 1.]]
    erf | npx.erf(np.array([0, 1])) | [0.    , 0.8427]
    erfinv | npx.erfinv(np.array([0, 0.5])) | [0.    , 0.4769]
    fully_connected=FullyConnected | npx.fully_connected(np.array([[1, 2]]), np.ones((1, 2)), \
        np.ones(1), num_hidden=1) | [[4.]]
    gamma | npx.gamma(np.array([1, 4])) | [1., 6.]
    gammaln | npx.gammaln(np.array([1, 4])) | [0.    , 1.7918]
    gather_nd | npx.gather_nd(np.array([[1, 2], [3, 4]]), np.array([[1], [0]])) | [3.]
    group_norm=GroupNorm | npx.group_norm(np.array([[1, 3]]), np.ones(1), np.zeros(1), \
        num_groups=1, eps=0) | [[-1.,  1.]]
    hard_sigmoid | npx.hard_sigmoid(np.array([-5, 0])) | [0. , 0.5]
    instance_norm=InstanceNorm | npx.instance_norm(np.array([[[1, 3]]]), np.ones(1), \
        np.zeros(1), eps=0) | [[[-1.,  1.]]]
    l2_normalization=L2Normalization | npx.l2_normalization(np.array([[3, 4]])) | [[0.6, 0.8]]
    layer_norm=LayerNorm | npx.layer_norm(np.array([[1, 3]]), np.ones(2), np.zeros(2), eps=0) \
        | [[-1.,  1.]]
    leaky_relu=LeakyReLU | npx.leaky_relu(np.array([-2, 3]), slope=0.5) | [-1.,  3.]
    log_softmax | npx.log_softmax(np.array([0, 0])) | [-0.6931, -0.6931]
    lrn=LRN | npx.lrn(np.ones((1, 1, 1, 1)), nsize=1, alpha=0) | [[[[0.5946]]]]
    multibox_detection=contrib.MultiBoxDetection | npx.multibox_detection(np.array(\
        [[[0.1], [0.9]]]), np.zeros((1, 4)), np.array([[[0, 0, 1, 1]]])) | \
        [[[0. , 0.9, 0. , 0. , 1. , 1. ]]]
    multibox_prior=contrib.MultiBoxPrior | npx.multibox_prior(np.ones((1, 3, 1, 1))) | \
        [[[0., 0., 1., 1.]]]
    multibox_target=contrib.MultiBoxTarget | npx.multibox_target(np.array([[[0, 0, 1, 1]]]), \
        np.array([[[0, 0, 0, 1, 1]]]), np.zeros((1, 2, 1)))[2] | [[1.]]
    norm | npx.norm(np.array([[3, 4]]), axis=1) | [5.]
    one_hot | npx.one_hot(np.array([2]), 3) | [[0., 0., 1.]]
    pick | npx.pick(np.array([[1, 2], [3, 4]]), np.array([1, 0])) | [2., 3.]
    pooling=Pooling | npx.pooling(np.array([[[1, 3, 2]]]), kernel=2) | [[[3., 3.]]]
    relu | npx.relu(np.array([-1, 2])) | [0., 2.]
    reshape_like | npx.reshape_like(np.ones((2, 1)), np.zeros(2)) | [1., 1.]
    rnn=RNN | npx.rnn(np.zeros((1, 1, 1)), np.zeros(4), np.ones((1, 1, 1)), state_size=1, \
        num_layers=1, mode="rnn_tanh") | [[[0.]]]
    roi_align=contrib.ROIAlign | npx.roi_align(np.ones((1, 1, 2, 2)), np.zeros((1, 5)), \
        (1, 1), 1) | [[[[1.]]]]
    roi_pooling=ROIPooling | npx.roi_pooling(np.ones((1, 1, 2, 2)), np.zeros((1, 5)), (1, 1), 1) \
        | [[[[1.]]]]
    sequence_last=SequenceLast | npx.sequence_last(np.array([[1, 2], [3, 4]])) | [3., 4.]
    sequence_mask=SequenceMask | npx.sequence_mask(np.ones((1, 3)), np.array([2]), \
        use_sequence_length=True, axis=1) | [[1., 1., 0.]]
    sequence_reverse=SequenceReverse | npx.sequence_reverse(np.arange(3).reshape(3, 1))[:, 0] \
        | [2., 1., 0.]
    shape_array | npx.shape_array(np.zeros((2, 3))) | [2, 3], dtype=int64
    sigmoid | npx.sigmoid(np.array([0])) | [0.5]
    slice | npx.slice(np.arange(5), begin=1, end=4, step=2) | [1., 3.]
    smooth_l1 | npx.smooth_l1(np.array([0.5, 2])) | [0.125, 1.5  ]
    softmax | npx.softmax(np.array([0, 0])) | [0.5, 0.5]
    stop_gradient | npx.stop_gradient(np.ones(2)) | [1., 1.]
    topk | npx.topk(np.array([1, 3, 2]), k=2) | [1., 2.]
""")


#: What arrays are annotated with: a class, or a variable for either of them.
ARRAY = re.compile(r"\b(?:NDArray|DeviceArray|A)\b")


def _on_np(name: str, path: str, example: str, result: str) -> Callable:
    """The function ``nd.<path>`` for arrays of `gluon.np`: what is none becomes one."""
    function = attrgetter(path)(nd)
    parameters = inspect.signature(function).parameters.values()
    arrays = [p.name != "out" and ARRAY.search(str(p.annotation)) for p in parameters]
    names = {p.name for p, is_array in zip(parameters, arrays) if is_array}

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            given = [
                as_array(x) if wanted and x is not None and not isinstance(x, ndarray) else x
                for x, wanted in zip(args, arrays)
            ]
            for key in names & kwargs.keys():
                if kwargs[key] is not None:
                    kwargs[key] = as_array(kwargs[key])
            return function(*given, *args[len(given) :], **kwargs)
        except GluonError as error:
            renamed(error, function.__name__, name)
            raise

    call.__name__ = call.__qualname__ = name
    doc, _, _ = in_source(function).partition("Examples\n    --------\n")
    if OUT not in doc:
        doc = doc.replace("\n\n    Returns\n", f"{OUT.rstrip()}\n\n    Returns\n", 1)
    call.__doc__ = f"{doc.replace('NDArray', 'ndarray')}{_shown(example, result)}"
    PUBLIC.add(call)
    return call


def _shown(code: str, result: str) -> str:
    """The section of a docstring with an example."""
    rounded = ".round(4)" * bool(re.search(r"\.\d{4}", result))
    lines = (
        "Examples",
        "--------",
        ">>> from gluon import np, npx",
        f">>> {re.sub('  +', ' ', code)}{rounded}",
        f"array({result})",
    )
    return "\n".join([lines[0], *(f"    {line}" for line in lines[1:]), "    "])


FUNCTIONS = {}
for _names, (_example, _result) in TABLE.items():
    _name, _, _path = _names.partition("=")
    FUNCTIONS[_name] = _on_np(_name, _path or _name, _example, _result)
globals().update(FUNCTIONS)
