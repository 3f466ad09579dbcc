"""Calls of private methods of MXNet's classes, for MXNet itself and for gluon under the hook.

Each takes `mx`, as those in ``calls.py`` do.
"""

from __future__ import annotations

import math
import os
import random
import tempfile
from collections import Counter
from types import SimpleNamespace

import numpy as np

# ------------------------------------------------------------------------------ keys of arrays

SHAPE = (3, 4, 5)
SLICES = {
    "whole": np.s_[:, :, :],
    "rows": np.s_[1:3, :, :],
    "one": np.s_[1:2, 2:3, 1:2],
    "in a row": np.s_[1:2, 1:3, :],
    "gaps": np.s_[:, 1:3, :],
    "steps": np.s_[:, :, ::2],
    "back": np.s_[::-1, :, :],
    "back by one": np.s_[:1:-1, :, :],
    "empty": np.s_[2:1, :, :],
    "negative": np.s_[-2:, -3:-1, :],
    "end": np.s_[2:, 3:, 4:],
}


def about_slices(mx, key):
    array = mx.nd.NDArray
    return (
        array._basic_indexing_contiguous_flat_begin_end(key, SHAPE),
        array._basic_indexing_slice_is_contiguous(key, SHAPE),
        array._basic_indexing_sliced_shape(key, SHAPE),
        array._basic_indexing_key_to_begin_end_step(key, SHAPE),
        array._basic_indexing_key_to_begin_end_step(key, SHAPE, keep_none=False),
        array._drop_slice_none_at_end((0, *key[1:])),
    )


def about_axes(mx):
    array = mx.nd.NDArray
    key = (1, None, slice(2), -1, None)
    arrays = [mx.nd.array(one) for one in ([0, 1], [[2], [3]], [5, 6, 7])]
    return (
        array._basic_indexing_key_int_to_slice(key),
        array._drop_int_axes((2, 3, 4), (0, 2)),
        array._drop_int_axes((2,), (0,)),
        array._new_axes_after_basic_indexing([1, 4], key),
        array._new_axes_after_advanced_indexing((None, [1], None, [2]), [1, 3], 2, False),
        array._new_axes_after_advanced_indexing((None, [1], [2], None), [1, 2], 2, True),
        array._broadcast_advanced_indices(arrays, [0, 1]),
        array._broadcast_advanced_indices(arrays, [1]),
        [array._advanced_index_to_array(one, 5, mx.cpu()) for one in ([1, 2], 3, np.s_[::2])],
    )


#: Keys with arrays; lists stand for those.
KEYS = {
    "one array": ([0, 2], np.s_[:], np.s_[:]),
    "beside each other": (np.s_[:], [0, 2], [1, 1]),
    "apart": ([0, 2], np.s_[1:3], [1, 1]),
    "with a number": (1, np.s_[:], [[1], [4]]),
    "numbers alone": (1, np.s_[:], 2),
    "with None": (None, np.s_[:], [0, 2], None, [1, 1]),
    "None between": ([0, 2], None, [1, 1], np.s_[::2]),
    "too few": ([0, 2],),
    "too many": ([0, 2], 1, 1, 1),
}


def key_of(mx, key):
    return tuple(mx.nd.array(one) if isinstance(one, list) else one for one in key)


def written(mx, module):
    x = module.zeros((2, 3))
    x._scatter_set_nd(module.array([5, 6]), module.array([[0, 1], [2, 0]]))
    return x


def prepared(mx, module, value, shape=(2, 3), **options):
    found = module.zeros((2, 3))._prepare_value_nd(value, shape, **options)
    return found, type(found).__name__


# --------------------------------------------------------------------------- pictures and boxes

LABEL = np.array([[0, 0.1, 0.2, 0.5, 0.6], [1, 0.4, 0.4, 0.9, 0.8], [2, 0.7, 0.1, 0.75, 0.2]])


def crops(mx, **options):
    aug = mx.image.detection.DetRandomCropAug(**options)
    boxes = LABEL[:, 1:]
    flipped = LABEL.copy()
    mx.image.detection.DetHorizontalFlipAug(1)._flip_label(flipped)
    kept = [aug._update_labels(LABEL, box, 60, 80) for box in ((20, 12, 40, 30), (0, 0, 5, 5))]
    held = [
        aug._check_satisfy_constraints(LABEL, *edges, 80, 60)
        for edges in ((0, 0, 1, 1), (0, 0, 80, 60), (8, 12, 40, 36), (30, 20, 35, 25), (1, 1, 2, 3))
    ]
    return (
        aug._calculate_areas(boxes),
        aug._calculate_areas(boxes[:, [2, 1, 0, 3]]),
        aug._intersect(boxes, 0.3, 0.3, 0.72, 0.7),
        held,
        kept,
        flipped,
    )


def proposals(mx, kind, **options):
    random.seed(3)
    aug = getattr(mx.image.detection, f"DetRandom{kind.title()}Aug")(**options)
    return [getattr(aug, f"_random_{kind}_proposal")(LABEL, 60, 80) for _ in range(4)]


def padded_label(mx):
    aug = mx.image.detection.DetRandomPadAug(area_range=(2, 3))
    return aug._update_labels(LABEL, (5, 10, 160, 90), 60, 80), aug._random_pad_proposal(
        LABEL, 0, 80
    )


def parts_of_batches(mx):
    x, y = np.arange(10.0).reshape(5, 2), np.arange(5.0)
    batches = mx.io.NDArrayIter(x, y, 2)
    batches.iter_next()
    half = batches._getdata(batches.data, 1, 3)
    return (
        half,
        batches._getdata(batches.label, start=3),
        batches._getdata(batches.data, end=1),
        batches._concat(half, half),
        batches._concat([], half),
        batches._tile([mx.nd.array(y)], 2),
        batches._tile(None, 2),
        batches._batchify(batches.data),
        batches._batchify(batches.label),
    )


def cifar(mx):
    kind = mx.gluon.data.vision.CIFAR10
    name = os.path.join(tempfile.mkdtemp(), "batch.bin")
    np.arange(2 * 3073).astype("uint8").tofile(name)
    pictures, labels = kind._read_batch(kind.__new__(kind), name)
    return pictures.shape, pictures[0, :2, :2], labels


# ------------------------------------------------------------------------------------- networks


def convolving(mx, name, *shape, **options):
    with mx.name.NameManager():
        cell = getattr(mx.gluon.contrib.rnn, name)(shape, 3, 3, 3, prefix="a_", **options)
    cell.initialize(mx.init.One())
    return cell._decide_shapes(), cell._num_gates, list(cell._gate_names)


def activations(mx):
    cell, x = mx.gluon.rnn.RNNCell(2), mx.nd.array([-1, 0.5])
    leaky = mx.gluon.nn.LeakyReLU(0.1)
    kinds = "relu", "tanh", "sigmoid", "softsign", "softrelu", leaky, lambda one: one * 3
    return [cell._get_activation(mx.nd, x, one) for one in kinds]


def masks(mx):
    cell = mx.gluon.contrib.rnn.VariationalDropoutCell(mx.gluon.rnn.RNNCell(2), 0.5, 0.5, 0.5)
    x = mx.nd.ones((2, 3))
    cell._initialize_input_masks(mx.nd, x, [x * 2])
    cell._initialize_output_mask(mx.nd, x)
    return cell.drop_inputs_mask.shape, cell.drop_states_mask, cell.drop_outputs_mask.shape


def losses(mx):
    x = mx.nd.array([[1, 2, 0.5], [0, -1, 2]])
    cosine, other = mx.gluon.loss.CosineEmbeddingLoss(), mx.gluon.loss.SDMLLoss()
    return (
        cosine._cosine_similarity(mx.nd, x, x[::-1] + 1),
        cosine._cosine_similarity(mx.nd, x, x * 0),
        other._compute_distances(x, x + 1),
        other._compute_labels(mx.nd, 3),
        other._loss(mx.nd, x, x + 0.1),
    )


def stages(mx):
    from mxnet.gluon.model_zoo import vision

    found = []
    with mx.name.NameManager():
        block = vision.BasicBlockV1
        for net in (vision.ResNetV1, vision.ResNetV2):
            stage = net._make_layer(net.__new__(net), block, 2, 4, 2, 1, in_channels=3)
            found.append([(key, one.shape) for key, one in stage.collect_params().items()])
        features = vision.VGG._make_features(None, [1, 2], [4, 8], True)
        found.append([(key, one.shape) for key, one in features.collect_params().items()])
    return found, len(features)


def registered(mx):
    layer = mx.gluon.rnn.LSTM(2, prefix="l_")
    one = layer._register_param("extra", (2, 3), "zeros", "float64")
    return one.name, one.shape, one.dtype, layer.extra is one


def started(mx, name):
    one, found = mx.init.Uniform(), []
    for method in ("_init_quantized_bias", "_init_quantized_weight"):
        x = mx.nd.full((3,), 500)
        getattr(one, method)(name, x)
        found.append(x.asnumpy().max() < 128 and len(set(x.asnumpy())))
    x = mx.nd.ones((2,))
    one._legacy_init(name, x)
    return found, x, one._verbose_print("a", "b", x)


# ------------------------------------------------------------------------------------- training


def estimator(mx, **options):
    from mxnet.gluon.contrib.estimator import Estimator

    net = mx.gluon.nn.Dense(2, in_units=2)
    net.initialize()
    loss = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    return Estimator(net, loss, trainer=mx.gluon.Trainer(net.collect_params(), "sgd"), **options)


def estimating(mx):
    from mxnet.gluon.contrib.estimator import LoggingHandler, MetricHandler

    one = estimator(mx)
    one.max_epoch, one.max_batch = 1, None
    handlers = one._prepare_default_handlers(None, None)
    data, label = one._get_data_and_label((mx.nd.ones((4, 2)), mx.nd.ones(4)), [mx.cpu(0)])
    names = [[type(h).__name__ for h in kind] for kind in one._categorize_handlers(handlers)]
    one._add_default_training_metrics()
    return (
        [type(h).__name__ for h in handlers],
        names,
        [type(h).__name__ for h in one._prepare_default_handlers([1], [])],
        [type(h).__name__ for h in one._prepare_default_validation_handlers(None)],
        data,
        label,
        [m.name for m in one.train_metrics],
        [str(c) for c in one._check_context(None)],
        type(one._check_batch_processor(None)),
        type(one).logger,
        issubclass(LoggingHandler, object) and issubclass(MetricHandler, object),
    )


def refusing(method, *args):
    return lambda mx: getattr(estimator(mx), method)(*args)


def checkpoints(mx):
    from mxnet.gluon.contrib.estimator import CheckpointHandler

    folder = tempfile.mkdtemp()
    one, handler = estimator(mx), CheckpointHandler(folder, "m", max_checkpoints=2)
    for epoch in (1, 2, 11):
        handler._save_params_and_trainer(one, f"m-epoch{epoch}batch{2 * epoch}")
    handler._save_params_and_trainer(one, "m-best")
    handler._save_symbol(SimpleNamespace(logger=one.logger, net=one.net))
    saved = ["x"]
    return (
        sorted(os.listdir(folder)),
        handler.saved_checkpoints,
        handler._find_max_iteration(folder, "m-epoch", "epoch", "batch", saved),
        len(saved),
        handler._find_max_iteration(folder, "m-epoch2", "batch", ".params"),
        handler._find_max_iteration(folder, "other", "epoch", "batch"),
    )


def resumed(mx):
    from mxnet.gluon.contrib.estimator import CheckpointHandler

    folder = tempfile.mkdtemp()
    one, handler = estimator(mx), CheckpointHandler(folder, "m")
    handler._save_params_and_trainer(one, "m-epoch3batch8")
    one.max_epoch, one.max_batch = 10, None
    handler._resume_from_checkpoint(one)
    return handler.trained_epoch, handler.trained_batch, one.max_epoch


def stepped(mx, name, **options):
    one = getattr(mx.optimizer, name)(learning_rate=0.1, **options)
    weight, grad = mx.nd.array([1, -2]), mx.nd.array([0.5, 0.25])
    state = one.create_state(0, weight)
    for _ in range(2):
        one._update_impl(0, weight, grad, state)
    return weight


def lars(mx):
    one = mx.optimizer.LARS(learning_rate=0.1, rescale_grad=0.5, param_idx2name={1: "a_bias"})
    x, g = mx.nd.array([3, 4]), mx.nd.array([0.5, 1])
    return (
        one._l2norm(x),
        one._l2norm(x, rescale=True),
        one._get_lars(0, x, g, 0.1, 0.01),
        one._get_lars(0, x * 0, g, 0.1, 0.01),
        one._get_lars(1, x, g, 0.1, 0.01),
    )


def large_batches(mx, strategy):
    one = mx.optimizer.LBSGD(
        warmup_strategy=strategy, batch_scale=4, warmup_epochs=2, updates_per_epoch=4
    )
    x, g = mx.nd.array([3, 4]), mx.nd.array([0.5, 1])
    sums = [one._cumulate_gradient(g, 0) for _ in range(3)]
    one._put_cum_gradient(1, {"cum_grad": x, "num_cums": 7})
    one._reset_cum_gradient(0)
    return (
        [one._get_lbmult(count) for count in (0, 1, 4, 8, 20)],
        one._l2norm(x),
        [one._get_lars(x * scale, g, 0.01) for scale in (1, 0, 1000)],
        sums,
        [one._get_cum_gradient(index) for index in (0, 1, 2)],
    )


def counted(mx):
    one = mx.metric._BinaryClassificationMetrics()
    before = one.precision, one.recall, one.fscore, one.matthewscc(), one.total_examples
    pred = mx.nd.array([[0.1, 0.9], [0.2, 0.8], [0.7, 0.3], [0.6, 0.4], [0.1, 0.9]])
    one.update_binary_stats(mx.nd.array([1, 0, 1, 0, 1]), pred)
    first = one.precision, one.recall, one.fscore, one.matthewscc(), one.total_examples
    one.local_reset_stats()
    one.update_binary_stats(mx.nd.array([1, 1]), pred[1:3])
    counts = one.true_positives, one.false_negatives, one.global_true_positives
    whole = one.global_precision, one.global_recall, one.global_fscore, one.matthewscc(True)
    one.reset_stats()
    return before, first, counts, whole, one.fscore, one.global_total_examples


def pearson(mx):
    one = mx.metric.PearsonCorrelation(average="micro")
    one.reset_micro()
    one.update_cov(np.array([1.0, 2.0]), np.array([3.0, 5.0]))
    state = one.update_variance(np.array([1.0, 2.0, 4.0]), 0, 0.0, 0.0)
    return one._conv, state, one.update_variance(np.array([2.0]), *state), one._label_nums


def trainer(mx):
    weight = mx.gluon.Parameter("w", shape=(2,))
    weight.initialize("ones")
    one = mx.gluon.Trainer([weight], "sgd")
    one._init_optimizer("adam", {"learning_rate": 0.25})
    one._reset_kvstore()
    return type(one._optimizer), one.learning_rate, one._kv_initialized, len(one._params_to_init)


def storage_types(mx, given):
    class Custom(mx.operator.CustomOpProp):
        def list_outputs(self):
            return ["a", "b"]

    one = Custom()
    rows = [["default"], ["x"], ["y"], ["undefined"], []]
    return one.infer_storage_type([given, "default"]), one.infer_storage_type_backward(*rows)


# ---------------------------------------------------------------------------------------- words


def words(mx):
    vocabulary = mx.contrib.text.vocab.Vocabulary()
    vocabulary._index_unknown_and_reserved_tokens("?", ["p", "q"])
    first = list(vocabulary.idx_to_token), vocabulary.unknown_token, vocabulary.reserved_tokens
    vocabulary._index_counter_keys(Counter("aabbbcpz"), "?", ["p", "q"], 2, 1)
    return first, vocabulary.idx_to_token, vocabulary.token_to_idx


def embeddings(mx):
    text = mx.contrib.text
    path = os.path.join(tempfile.mkdtemp(), "vectors.txt")
    with open(path, "w") as file:
        file.write("a 1 2\nb 3 4\nc 5 6\n")
    one, other = (text.embedding.CustomEmbedding(path) for _ in range(2))
    vocabulary = text.vocab.Vocabulary(Counter("cca"), reserved_tokens=["r"])
    one._build_embedding_for_vocabulary(None)
    same = one.idx_to_token
    other._set_idx_to_vec_by_embeddings([one, one], 3, ["<unk>", "b", "x"])
    found = other.idx_to_vec, other.vec_len
    other._index_tokens_from_vocabulary(vocabulary)
    one._build_embedding_for_vocabulary(vocabulary)
    glove, fast = text.embedding.GloVe, text.embedding.FastText
    return (
        same,
        found,
        (other.idx_to_token, other.reserved_tokens),
        (one.idx_to_token, one.idx_to_vec),
        [glove._get_download_file_name(f"glove.{n}.50d.txt") for n in ("6B", "twitter.27B")],
        glove._get_download_file_name("glove.840B.300d.txt"),
        fast._get_download_file_name("wiki.simple.vec"),
        one._get_download_file_name("x.y"),
        glove._get_pretrained_file_url("glove.6B.50d.txt"),
    )


# -------------------------------------------------------------------------------------- functions


def stored(mx):
    one = mx.kvstore.base.TestStore()
    x, y = mx.nd.array([1, 2]), mx.nd.array([10, 20])
    out = [mx.nd.zeros(2), mx.nd.zeros(2)]
    one.broadcast(0, x, out)
    first = [array.asnumpy().tolist() for array in out]
    one.pushpull(0, [x, y])
    one.pushpull(0, y, out[0])
    one.pushpull(0, [x, y], out[1:])
    return first, x, y, out, one.type, one.rank, one.num_workers, one.is_capable("optimizer")


def logged(mx):
    one = mx.contrib.tensorboard.LogMetricsCallback(tempfile.mkdtemp(), "p")
    rows = []
    one.summary_writer = SimpleNamespace(
        add_scalar=lambda *args, **kwargs: rows.append((args, kwargs))
    )
    metric = mx.metric.MSE()
    metric.update([mx.nd.array([1, 2])], [mx.nd.array([1, 4])])
    one(SimpleNamespace(eval_metric=None, epoch=1))
    one(SimpleNamespace(eval_metric=metric, epoch=4))
    return rows


def formats(mx):
    """How nested inputs and outputs of a block are remembered, and its graph."""

    class Nested(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x, pair):
            return F.exp(x), [pair[0] + x, [pair[1] * 2]]

    net, one = Nested(prefix="net_"), mx.nd.ones((2,))
    before = net._in_format, net._out_format, bool(net._cached_graph)
    net.hybridize()
    net(one, [one, one])
    inputs, graph = net._cached_graph
    with tempfile.TemporaryDirectory() as folder:
        net.export(f"{folder}/net")
        loaded = mx.gluon.SymbolBlock(
            mx.sym.load(f"{folder}/net-symbol.json"), [mx.sym.var(f"data{k}") for k in range(3)]
        )
    loaded._in_format, loaded._out_format = net._in_format, net._out_format
    first, (second, (third,)) = loaded(one, [one, one])
    after = net._in_format, net._out_format, len(inputs), len(graph.list_outputs())
    return before, after, [x.asnumpy().tolist() for x in (first, second, third)]


def ufuncs(mx):
    helper = mx.nd.numpy._op._ufunc_helper
    functions = [lambda *args, k=k, **kwargs: (k, len(args)) for k in range(4)]
    x = mx.np.ones(2)
    unary = mx.nd.numpy._op._unary_func_helper
    return (
        [helper(*pair, *functions) for pair in ((x, x), (1, 2), (x, 2.0), (2, x))],
        helper(2, x, *functions[:3]),
        [unary(one, *functions[:2]) for one in (x, 3)],
    )


def sampled(mx, *params):
    functions = [lambda *args, k=k, **kwargs: (k, args, str(kwargs["shape"])) for k in range(2)]
    null = mx.base._Null
    return mx.nd.random._random_helper(*functions, params, null, None, None, None, {})


def floats(mx):
    x = mx.np.array([1.5, -2.5])
    return math.floor(x), math.ceil(x), math.trunc(x), round(x), round(x * 1.11, 1)


def verified(mx, kind, *arrays):
    return getattr(mx.nd.register, f"_verify_all_{kind}_ndarrays")("a", "b", arrays, None)


CALLS = {
    **{f"slices {name}": lambda mx, key=key: about_slices(mx, key) for name, key in SLICES.items()},
    "slices too few": lambda mx: mx.nd.NDArray._basic_indexing_sliced_shape((slice(2),), SHAPE),
    "axes": about_axes,
    **{
        f"key {name}": lambda mx, key=key: mx.nd.zeros(SHAPE)._get_index_nd(key_of(mx, key))
        for name, key in KEYS.items()
    },
    **{
        f"{name} {kind}": lambda mx, call=call, kind=kind: call(mx, getattr(mx, kind))
        for kind in ("nd", "np")
        for name, call in {
            "scatter": written,
            "prepare a number": lambda mx, module: prepared(mx, module, 3),
            "prepare a row": lambda mx, module: prepared(mx, module, [1, 2, 3]),
            "prepare an array": lambda mx, module: prepared(mx, module, module.ones((1, 1, 3))),
            "prepare squeezed": lambda mx, module: prepared(
                mx, module, module.ones((2, 1, 3)), squeeze_axes=(1,)
            ),
            "prepare a text": lambda mx, module: prepared(mx, module, "abc"),
        }.items()
    },
    "crops": crops,
    "crops of most": lambda mx: crops(mx, min_object_covered=0.4, min_eject_coverage=0.7),
    "crop proposals": lambda mx: proposals(mx, "crop"),
    "crop proposals of little": lambda mx: proposals(mx, "crop", area_range=(0.01, 0.02)),
    "pad proposals": lambda mx: proposals(mx, "pad", area_range=(1.5, 3)),
    "pad": padded_label,
    "NDArrayIter": parts_of_batches,
    "NDArrayIter without limits": lambda mx: mx.io.NDArrayIter(np.ones(2))._getdata([]),
    "CIFAR10": cifar,
    "Conv1DRNNCell": lambda mx: convolving(mx, "Conv1DRNNCell", 2, 9),
    "Conv2DLSTMCell": lambda mx: convolving(mx, "Conv2DLSTMCell", 2, 9, 8, i2h_pad=1),
    "Conv2DGRUCell": lambda mx: convolving(mx, "Conv2DGRUCell", 9, 8, 2, conv_layout="NHWC"),
    "activations": activations,
    "masks": masks,
    "losses": losses,
    "SDMLLoss of two shapes": lambda mx: mx.gluon.loss.SDMLLoss()._compute_distances(
        mx.nd.ones((2, 2)), mx.nd.ones((3, 2))
    ),
    "stages": stages,
    "RNN layer": registered,
    "SequentialRNNCell": lambda mx: mx.gluon.rnn.SequentialRNNCell().hybrid_forward(mx.nd, 1),
    "SyncBatchNorm": lambda mx: mx.gluon.contrib.nn.SyncBatchNorm._get_num_devices(None),
    "initializer": lambda mx: started(mx, "a_bias"),
    "initializer of a number": lambda mx: mx.init.One()._legacy_init(3, mx.nd.ones(2)),
    "initializer of no array": lambda mx: mx.init.One()._legacy_init("a", 3),
    "Estimator": estimating,
    "Estimator of another loss": refusing("_check_loss", 3),
    "Estimator of another trainer": refusing("_check_trainer", 3),
    "Estimator of another context": refusing("_check_context", "cpu"),
    "Estimator of another processor": refusing("_check_batch_processor", 3),
    "CheckpointHandler": checkpoints,
    "CheckpointHandler resumes": resumed,
    "SGD": lambda mx: stepped(mx, "SGD", momentum=0.9),
    "NAG": lambda mx: stepped(mx, "NAG", momentum=0.9),
    "Signum": lambda mx: stepped(mx, "Signum"),
    "LAMB": lambda mx: stepped(mx, "LAMB"),
    "LARS": lambda mx: stepped(mx, "LARS", momentum=0.9),
    "LARS itself": lars,
    **{
        f"LBSGD {one}": lambda mx, one=one: large_batches(mx, one)
        for one in ("linear", "power2", "sqrt", "lars")
    },
    "binary metrics": counted,
    "binary metrics of three": lambda mx: (
        mx.metric._BinaryClassificationMetrics().update_binary_stats(
            mx.nd.array([0, 1, 2]), mx.nd.ones((3, 2))
        )
    ),
    "PCC": lambda mx: mx.metric.PCC()._calc_mcc(np.array([[3, 1, 0], [0, 2, 1], [1, 0, 4]])),
    "PearsonCorrelation": pearson,
    "Trainer": trainer,
    "types of storage": lambda mx: storage_types(mx, "default"),
    "sparse storage types": lambda mx: storage_types(mx, "csr"),
    "Vocabulary": words,
    "Vocabulary of a list": lambda mx: mx.contrib.text.vocab.Vocabulary()._index_counter_keys(
        ["a"], "?", None, None, 1
    ),
    "embeddings": embeddings,
    "an unknown file": lambda mx: mx.contrib.text.embedding.GloVe._check_pretrained_file_names("x"),
    "Formatter": lambda mx: [
        (mx.log._Formatter()._get_color(one), mx.log._Formatter()._get_label(one))
        for one in (10, 20, 30, 40, 50, 15)
    ],
    "Feature": lambda mx: [
        (mx.runtime.Features()["CUDA"]._name.decode(), mx.runtime.Features()["CUDA"]._enabled),
        [name for name, _ in mx.runtime.Feature._fields_],
    ],
    "DummyIter": lambda mx: [
        getattr(mx.test_utils.DummyIter(mx.io.NDArrayIter(np.ones(2))), one)()
        for one in ("getdata", "getindex", "getlabel", "getpad", "iter_next")
    ],
    "TestStore": stored,
    "TestStore asked": lambda mx: mx.kvstore.base.TestStore.is_capable("x"),
    "TestStore updating": lambda mx: mx.kvstore.base.TestStore().set_optimizer(None),
    "commands": lambda mx: mx.kvstore.kvstore._get_kvstore_server_command_type("kSyncMode"),
    "other commands": lambda mx: mx.kvstore.kvstore._get_kvstore_server_command_type("x"),
    "LogMetricsCallback": logged,
    "ufuncs": ufuncs,
    "random numbers": lambda mx: sampled(mx, 1, 2.0),
    "random arrays": lambda mx: sampled(mx, mx.nd.ones(2), mx.nd.ones(2)),
    "random texts": lambda mx: sampled(mx, "a"),
    "random mixtures": lambda mx: sampled(mx, 1, mx.nd.ones(1)),
    "rounding": floats,
    "legacy arrays": lambda mx: verified(mx, "legacy", mx.nd.ones(1), None),
    "legacy arrays of np": lambda mx: verified(mx, "legacy", mx.np.ones(1)),
    "np arrays of nd": lambda mx: verified(mx, "np", mx.nd.ones(1)),
    "formats of a block": formats,
    "_format_sequence without a length": lambda mx: mx.gluon.rnn.rnn_cell._format_sequence(
        None, [mx.nd.ones((2, 3))] * 2, "NTC", True
    )[0],
    "_format_sequence of None": lambda mx: mx.gluon.rnn.rnn_cell._format_sequence(
        None, None, "NTC", True
    ),
    "_format_sequence in steps": lambda mx: mx.gluon.rnn.rnn_cell._format_sequence(
        None, mx.nd.arange(12).reshape((2, 3, 2)), "NTC", False
    )[0],
}
