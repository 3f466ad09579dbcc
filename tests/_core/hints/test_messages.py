"""Mistakes that beginners make: the error, or the warning, names the cause and the way out."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import warnings

import numpy
import pytest

import gluon
from gluon import (
    autograd,
    data,
    errors,
    func,
    image,
    init,
    io,
    loss,
    metric,
    module,
    nd,
    nn,
    np,
    operator,
    optimizer,
    recordio,
    rnn,
    sym,
)
from gluon.data.vision import transforms
from tests.each import each

#: What programs use besides the names of this module.
MODULES = {
    **{"data": data, "func": func, "gluon": gluon, "image": image, "init": init, "loss": loss},
    **{"np": np, "nn": nn, "numpy": numpy, "transforms": transforms},
}
IMAGE = nd.ones((8, 8, 3), dtype="uint8") * 100
HEADER = recordio.IRHeader(0, 3.0, 1, 0)


def run(code: str) -> dict:
    """The names that a program makes."""
    names = {**globals(), **MODULES}
    exec(code, names)
    return names


def dense(units: int = 2) -> nn.Dense:
    layer = nn.Dense(units, in_units=3)
    layer.initialize()
    return layer


def layer_of(made: gluon.Block) -> gluon.Block:
    made.initialize()
    return made


class Static(autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    def backward(self, g):
        return g


class TwoGradients(autograd.Function):
    def forward(self, x):
        return x * 1

    def backward(self, g, h):
        return g


class Saves(autograd.Function):
    def forward(self, x):
        return x * 1

    def backward(self, g):
        return [g for _ in self.saved_tensors] or g


class Named(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.w = self.params.get("w", shape=(3, 4))

    def hybrid_forward(self, F, x, w, b):
        return F.dot(x, w) + b


def differentiated(function):
    """What the backward pass of a function says or does."""
    x = nd.ones(3)
    x.attach_grad()
    with autograd.record():
        y = function(x)
    y.backward()
    return x.grad


def recorded() -> nd.NDArray:
    x = nd.ones(1)
    x.attach_grad()
    with autograd.record():
        return x * 2


#: Programs, and what the last line of the error says.
MISTAKES = {
    # arguments in another order or of another kind, and names of other modules
    "nd.Embedding(nd.ones((10, 4)), nd.ones(2), 10, 4)": r"it comes second, as in Embedding\(data",
    "nn.PReLU().initialize(0.25)": r"give Constant\(0\.25\) for this value",
    "image.resize_short(IMAGE, 0)": "resize_short: size=0 must be 1 or more",
    "gluon.model_zoo.get_model('resnet18_v1')": r"use model_zoo\.vision\.get_model",
    "sym.Convolution(sym.var('x'), kernel=(3, 3), num_filter=4).infer_shape(x=(1, 8, 8))": (
        r"besides those of the kernel, it needs axes of the batch and the channels"
    ),
    # what is missing, and too much
    "nn.Conv2D()": r"^Conv2D: channels and kernel_size are missing; .* as in nn\.Conv2D\(8, 3",
    "nn.Dense()": r"^Dense: units is missing; it takes units, .* as in nn\.Dense\(2\)",
    "gluon.Trainer([])": "^Trainer: optimizer is missing; .* as in Trainer",
    "io.CSVIter()": "^CSVIter: data_csv and data_shape and batch_size are missing",
    "metric.Perplexity()": r"ignore_label is missing; .* as in metric\.Perplexity\(",
    "transforms.Compose(transforms.ToTensor(), transforms.ToTensor())": r"as in .*Compose\(\[",
    "gluon.callback.Speedometer()": r"batch_size is missing; .* as in callback\.Speedometer\(",
    "metric.Accuracy().update(nd.ones(1))": "'preds'; the labels come first",
    "metric.CompositeEvalMetric().add('acc', 'mse')": r"it takes metric, as in several\.add\(",
    "image.imresize(IMAGE, (4, 4))": r"'h'; w=\(4, 4\) is a tuple, .* as in image\.imresize\(",
    "image.CreateAugmenter((3, 8, 8), rand_flip=True)": "did you mean 'rand_mirror'",
    # functions in place of what they make, objects that are used as others
    "layer_of(nn.Sequential()).apply(init.Xavier())": r"called as fn\(block\); net\.initialize",
    # sizes, images and records
    "image.random_crop(IMAGE, 4)": r"random_crop: size=4 must be two numbers, \(width, height\)",
    "image.CenterCropAug(4)(IMAGE)": r"center_crop: size=4 must be two numbers",
    "image.ForceResizeAug(4)(IMAGE)": "ForceResizeAug: size=4 must be two numbers",
    "image.fixed_crop(IMAGE, 0, 0, 4, 4, 4)": "fixed_crop: size=4 must be two numbers",
    "image.random_size_crop(IMAGE, (4, 4), 0.5, 0.75)": r"ratio=0.75 .* such as \(0\.75, 1\.33\)",
    "image.random_rotate(nd.ones((3, 4, 4)), 45)": r"angle_limits=45 .* such as \(-10, 10\)",
    "image.resize_short(IMAGE, (4, 4))": "must be one number, of the shorter side",
    "image.scale_down(8, 4)": "src_size=8 must be two numbers",
    "image.HorizontalFlipAug('x')": "p='x' is not a probability",
    "image.SequentialAug([image.CastAug])": "ts is a list of augmenters",
    "image.CreateAugmenter((3, 8))": r"must be \(channels, height, width\), such as",
    "image.CreateDetAugmenter(8)": "CreateDetAugmenter: data_shape=8 must be",
    "transforms.Normalize('a')": "mean='a' is neither a number",
    "recordio.pack(b'abc', HEADER)": "header is a bytes; it comes first, and has four fields",
    "recordio.pack((0, 1, 2), b'abc')": r"header is \(0, 1, 2\); it comes first",
    "recordio.pack((0, 'cat', 1, 0), b'')": "'cat', is neither a number nor",
    "recordio.pack(HEADER, 'abc')": r"s is a str; pass bytes, such as text\.encode\(\)",
    "recordio.unpack('abc')": "unpack: s is a str",
    "recordio.pack_img(IMAGE.asnumpy(), HEADER)": "header is an ndarray; .* as in pack_img",
    "recordio.pack_img(HEADER, IMAGE.asnumpy(), '.png')": "img_fmt comes after it",
    # metrics
    "metric.np(lambda l, p: l == p).update(nd.ones(2), nd.ones(2))": "feval returned an ndarray",
    "metric.MAE().update(1, 2)": "^MAE: labels is an int; pass an array",
    "metric.Accuracy().update_dict([], [])": "takes arrays by name, in dicts, not a list",
    "metric.CrossEntropy().update(nd.ones(1), nd.ones((1, 1)))": "give the scores of each class",
    # data
    "data.ArrayDataset([1], [2]).transform(transforms.ToTensor())[0]": "transform_first passes",
    "data.ArrayDataset([1], [2]).filter(lambda x, y: y > 0)": r"fn\(sample\), where a sample of",
    "list(data.DataLoader([1, 2], 1, sampler=[5]))": "the sampler gives sample 5 of a dataset of 2",
    # blocks and parameters
    "dense()(nd.ones((1, 3)), training=True)": r"it takes x; blocks train inside `with",
    "layer_of(nn.MultiHeadAttention(4, 2))(nd.ones((1, 2, 4)), mask=1)": "query, key, value, mask",
    "layer_of(Named())(nd.ones((2, 3)))": r"if b is a parameter, .* self\.b = self\.params\.get",
    "layer_of(rnn.LSTMCell(2))(nd.ones((5, 4)))": r"are cell\.begin_state\(batch_size=5\)",
    "rnn.GRUCell(2).unroll(nd.ones((2, 5, 4)), 5)": r"as in unroll\(length, inputs\)",
    "dense().weight = nd.ones((2, 3))": r"Use net\.weight\.set_data\(values\)",
    "dense().weight.lr = 0.1": "set lr_mult, a factor of its learning rate",
    "for p in dense().collect_params(): p.grad_req = 'null'": r"loop over params\.values\(\)",
    "dense().collect_params('[')": r"collect_params: select='\[' is not a regular expression",
    "gluon.monitor.Monitor(1, pattern='[')": r"Monitor: pattern='\[' is not a regular",
    "dense().initialize('xavier_uniform', force_reinit=True)": "did you mean 'xavier'",
    "nn.Dense(2).initialize(ctx=[gluon.cpu(), gluon.cpu()])": "names a context twice",
    "dense().compile()": "losses and optimizers are apart",
    # symbols
    "sym.var('x').shape": "infer_shape.* 0 copies a length and -1 finds",
    "sym.var('x').asnumpy()": r"F\.where and F\.contrib\.cond take the place of `if`",
    "gluon.SymbolBlock(sym.var('x'), sym.exp(sym.var('x')))": r"SymbolBlock\(outputs, inputs\)",
    # what users define
    "differentiated(Static())": "without @staticmethod and without ctx",
    "differentiated(TwoGradients())": "'h'; it gets the instance, self, and one array",
    "nd.contrib.foreach(lambda x, s: x + s, nd.ones((3, 2)), nd.zeros(2))": "return two things",
    "nd.contrib.while_loop(lambda x: x < 3, lambda x: x, nd.ones(1), 5)": "must return two things",
    "nd.contrib.foreach(lambda x: x, nd.ones(2), nd.ones(1))": r"called as body\(data, states\)",
    # arguments of functions
    "nd.ones((2, 3)).transpose(0, 2, 1)": r"give axes=\(0, 2, 1\)",
    "nd.random.normal((2, 3))": r"for a shape give shape=\(2, 3\)",
    "nd.sparse.zeros((3, 3), 'csr')": "the storage type comes first",
    "nd.save([nd.ones(2)], 'x')": r"as in save\(fname, data\)",
    "nd.concat(nd.ones((2, 3)), nd.ones((4, 3)), dim=1)": r"differ in axis 0; .* along axis 1",
    "nd.dot(nd.ones((2, 3, 4)), nd.ones((2, 4, 5)))": "batch_dot multiplies stacks",
    "nd.elemwise_add(nd.ones((2, 3)), nd.ones((3, 2)))": "they must be equal",
    "nd.elemwise_add(nd.ones((2, 3)), nd.ones((2, 1)))": "use broadcast_add",
    "nd.contrib.box_nms(nd.ones((4, 5)))": "score_index=0, coord_start=1",
    "nd.ROIPooling(nd.ones((1, 3, 8, 8)), nd.ones((1, 4)), (2, 2), 1.0)": "the number of the image",
    "np.linalg.norm(np.ones((2, 3)), ord='l2')": "give 'fro', 'nuc'",
    "nd.max(nd.array([]))": "an axis of length 0 has no such value",
    "nd.save('x')": "save.* missing .*'data'; it takes fname, data",
    "gluon.random.seed()": "'seed_state'; it takes seed_state",
    "nd.ones((2, 3)).mean(1, 2)": r"keepdims=2 is neither .* one tuple, axis=\(1, 2\)",
    "nd.ones((2, 3)).sum(0, True, False, None, None, 1)": "too many arguments; it takes data, axis",
    "x = nd.ones(3); x += nd.ones(2)": "lengths must be equal",
    "x = nd.ones(3); x += nd.ones((2, 3))": r"x = x \+ y makes a larger array",
    "loss.CTCLoss()(nd.ones((20, 2, 5)), nd.ones((2, 2)))": "in layout 'NTC', .* layout='TNC'",
    "gluon.kv.create('distributed')": "there is no such store. Use 'dist_sync'",
    "s = gluon.kv.create(); s.init(0, nd.ones(1)); s.init(0, nd.ones(1))": "push.* changes it",
    "gluon.model_zoo.vision.get_model('resnet18_v1', num_layers=34)": "takes classes, pretrained",
    "autograd.backward(recorded(), nd.ones(3))": r"use autograd\.grad\(y, x\)",
}


@each("code", MISTAKES)
def test_an_error_names_the_cause_and_the_way_out(code):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises((errors.GluonError, AttributeError)) as caught:
            run(code)
    assert re.search(MISTAKES[code], str(caught.value)), str(caught.value)


def looped(times: int) -> None:
    batches = io.NDArrayIter(numpy.ones((4, 3)), numpy.zeros(4), 2)
    for _ in range(times):
        for _ in batches:
            pass


def updated(made: metric.EvalMetric, labels: list, preds: list) -> None:
    made.update(nd.array(labels), nd.array(preds))


def trained(made: gluon.Block, *shape: int) -> None:
    made.initialize()
    with autograd.record():
        made(nd.ones(shape))


def unpacked(array, count: int) -> None:
    """Unpack an array into `count` names."""
    with pytest.raises(ValueError, match="values to unpack") if count < len(array) else quiet():
        if count == 2:
            _, _ = array
        else:
            _, _, _ = array


quiet = warnings.catch_warnings


def grad_of_computed() -> None:
    x = nd.ones(2)
    x.attach_grad()
    with autograd.record():
        y = x * 2
    assert y.grad is None
    assert nd.ones(2).grad is None


class Keeps(gluon.Block):
    def __init__(self, mark: bool):
        super().__init__()
        self.w = nd.ones(2)
        if mark:
            self.w.attach_grad()


def rates(**settings: float) -> list[float]:
    schedule = gluon.lr_scheduler.FactorScheduler(1, 0.5, **settings)
    return [schedule(n) for n in range(5)]


LSTM = rnn.LSTM(3, input_size=4)
LSTM.initialize()
STEPS = nd.ones((5, 2, 4))
BINARY = [[2.0], [-1.0]]

#: Programs that are accepted, as in MXNet, and what the warning says; None for no warning.
HABITS = {
    # weights, labels, schedules and batches
    "loss.SigmoidBCELoss()(nd.ones((2, 1)), nd.ones((2, 1)), nd.ones(3))": r"one of shape \(2, 1\)",
    "loss.L2Loss()(nd.ones(2), nd.ones(2), nd.ones((2, 1)))": r"repeats a loss of shape \(2,\)",
    "loss.SigmoidBCELoss()(nd.ones((2, 1)), nd.ones((2, 1)), nd.ones((1, 1)))": None,
    "loss.L2Loss()(nd.ones((2, 4)), nd.ones((2, 4)), nd.ones((2, 1)))": None,
    "rates(stop_factor_lr=1.0, base_lr=0.1)": "stop_factor_lr=1.0, the lowest .* above base_lr=0.1",
    "rates(stop_factor_lr=0.1, base_lr=0.1)": None,
    "list(data.DataLoader([1, 2, 3], 4, last_batch='discard'))": "fewer than batch_size=4",
    "list(data.DataLoader([1, 2, 3], 2, last_batch='discard'))": None,
    "list(data.DataLoader([1, 2, 3], 4, last_batch='rollover'))": None,
    # reductions, images, metrics, layers and arrays
    "nd.ones((2, 3)).mean(0, 1)": r"the number 1 after axis=0 is keepdims, .* axis=\(0, 1\)",
    "nd.ones((2, 3)).mean(0, True); nd.ones((2, 3)).mean((0, 1), 1)": None,
    "nd.sum(nd.ones((2, 3)), axis=0, keepdims=1)": None,
    "image.fixed_crop(IMAGE, 4, 4, 8, 8)": "reaches beyond the image of width 8 and height 8",
    "image.fixed_crop(IMAGE, 4, 4, 4, 4)": None,
    "image.color_normalize(IMAGE.copy(), nd.ones(3))": r"give src\.astype\('float32'\)",
    "image.color_normalize(IMAGE.astype('float32'), nd.ones(3))": None,
    "image.HorizontalFlipAug(2)": "p=2 is not a probability",
    "image.BrightnessJitterAug(3)": "draws factors from -2 to 4",
    "image.ColorJitterAug(0.4, 0.4, 1)": None,
    "image.random_size_crop(IMAGE, (4, 4), 8, (0.75, 1.33))": "area=8 is of the image",
    "transforms.Normalize(0.5, 0.5)(nd.ones((3, 4, 4), dtype='uint8'))": "which ToTensor makes",
    "transforms.Normalize(123.0, 58.0)(nd.ones((3, 4, 4), dtype='uint8'))": None,
    "recordio.pack_img(HEADER, numpy.full((4, 4, 3), 0.5), 9, '.png')": r"give img \* 255",
    "recordio.pack_img(HEADER, numpy.zeros((4, 4, 3)), 9, '.png')": None,
    "updated(metric.Accuracy(), [1, 0], BINARY)": "the scores of one class, 0",
    "updated(metric.F1(), [1, 0], BINARY)": "F1: pred of shape .* one class",
    "updated(metric.Accuracy(), [0, 0], BINARY)": None,
    "updated(metric.Accuracy(), [1, 0], [0.7, 0.2])": "cuts 0.7 to 0; give pred > 0.5",
    "updated(metric.PCC(), [1, 0], [0.7, 0.2])": "PCC: .* cuts 0.7 to 0",
    "updated(metric.Accuracy(), [1, 0], [1, 0])": None,
    "updated(metric.Accuracy(), [1, 2], [[1, 0], [0, 1]])": "the label 2 is none of the 2 classes",
    "updated(metric.Accuracy(), [-1, 1], [[1, 0], [0, 1]])": None,
    "loss.SoftmaxCELoss()(nd.ones((2, 1)), nd.zeros(2))": "one class, whose softmax is always 1",
    "loss.SoftmaxCELoss()(nd.ones((2, 2)), nd.zeros(2))": None,
    "grad_of_computed()": r"grad of an array of shape \(2,\) that was computed",
    "differentiated(Saves())": "saved_tensors is empty",
    "unpacked(LSTM(STEPS), 2)": r"LSTM\(x\) returns the output alone",
    "for step in LSTM(STEPS): pass": None,
    "unpacked(func.grad(lambda x: (x**2).sum())(np.ones(3)), 2)": "value_and_grad",
    "_, _ = func.grad(lambda x: (x**2).sum())(np.ones(2))": None,
    "rnn.LSTM(3, dropout=0.5)": "is between layers, and does nothing with num_layers=1",
    "rnn.LSTM(3, 2, dropout=0.5)": None,
    "trained(nn.BatchNorm(), 1, 3)": "one value for each channel",
    "trained(nn.BatchNorm(), 2, 3)": None,
    "layer_of(nn.BatchNorm())(nd.ones((1, 3)))": None,
    "dense().collect_params('weight')": r"match from the start of a name, .* write '\.\*weight'",
    "dense().collect_params('.*gamma')": None,
    "Keeps(True).collect_params()": "'w' of Keeps 'keeps.*' is an array with a gradient",
    "Keeps(False).collect_params()": None,
    "looped(2)": r"begins at its end and gets no batch; call reset\(\)",
    "looped(1)": None,
    "nd.array([300], dtype='uint8')": "300 does not fit into uint8, which holds 0 to 255",
    "np.array([-1], dtype='uint8')": "-1 does not fit into uint8",
    "nd.array([255, 0], dtype='uint8'); nd.array([2.7], dtype='int32')": None,
}


@each("code", HABITS)
def test_a_likely_mistake_is_warned_of_and_nothing_else(code):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        run(code)
    said = [str(one.message) for one in found]
    if HABITS[code] is None:
        assert not said
    else:
        assert len(said) == 1
        assert re.search(HABITS[code], said[0]), said[0]


def test_classes_keep_their_signatures_and_are_copied():
    assert list(inspect.signature(nn.Dense).parameters)[:2] == ["units", "activation"]
    layer = pickle.loads(pickle.dumps(copy.deepcopy(dense())))
    assert layer.weight.shape == (2, 3)

    class Halved(nn.Dense):
        def __init__(self):
            super().__init__()

    with pytest.raises(TypeError, match=r"^Dense: units is missing"):
        Halved()


def test_scopes_are_functions_to_the_rest_of_python():
    assert list(inspect.signature(autograd.record).parameters) == ["train_mode"]
    assert autograd.record.__name__ == "record"
    assert autograd.record.__doc__.startswith("Context manager")
    assert pickle.loads(pickle.dumps(autograd.pause)) is autograd.pause


def test_custom_operators_say_how_they_are_called():
    class Repeats(operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], in_data[0].sum())

    class Unsure(operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data):
            pass

    class Times(operator.CustomOp):
        def __init__(self, by):
            self.by = by

        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], in_data[0] * self.by)

    def prop(made):
        class Prop(operator.CustomOpProp):
            def __init__(self, **given):
                super().__init__()
                self.given = given

            def create_operator(self, ctx, shapes, dtypes):
                return made(*self.given.values())

        return Prop

    for made in (Repeats, Unsure, Times):
        operator.register(f"messages_{made.__name__}")(prop(made))
    x = nd.ones(3)
    with pytest.warns(UserWarning, match=r"repeats an array of shape \(1,\) to fill one of shape"):
        nd.Custom(x, op_type="messages_Repeats")
    with pytest.raises(TypeError, match=r"called as forward\(self, is_train, req, in_data"):
        nd.Custom(x, op_type="messages_Unsure")
    with pytest.raises(TypeError, match=r"such as by, arrive at the CustomOpProp as text"):
        nd.Custom(x, by=2, op_type="messages_Times")
    with pytest.raises(ValueError, match=r"req=\['write'\] is none of"):
        Repeats().assign(x, ["write"], x)
    Repeats().assign(x, "write", 1)
    Repeats().assign(x, "null", nd.ones(1))


def test_files_of_parameters_and_records(tmp_path):
    first, second = dense(), dense()
    path = str(tmp_path / "p")
    first.collect_params().save(path)
    with pytest.raises(ValueError, match=r"differ in their prefixes, .* net\.save_parameters"):
        second.collect_params().load(path)
    net = nn.HybridSequential()
    net.add(dense())
    net.hybridize()
    net(nd.ones((2, 3)))
    net.export(path)
    other = nn.HybridSequential()
    other.add(dense())
    with pytest.raises(ValueError, match=r"A file of export\(\) loads with SymbolBlock\.imports"):
        other.load_parameters(f"{path}-0000.params")
    with pytest.warns(UserWarning, match="nothing is loaded: it has"):
        second.collect_params().load(path, allow_missing=True, ignore_extra=True)
    first.hybridize()
    first(nd.ones((1, 3)))
    graph, values = first.export(str(tmp_path / "n"))
    with pytest.raises(errors.GluonError, match=r"has no values; give their file"):
        gluon.SymbolBlock.imports(graph, "data")(nd.ones((1, 3)))
    with pytest.raises(ValueError, match="parameters have a file of their own"):
        gluon.SymbolBlock.imports(values, "data", graph)
    index, records = str(tmp_path / "a.idx"), str(tmp_path / "a.rec")
    file = recordio.MXIndexedRecordIO(index, records, "w")
    file.write_idx(0, b"a")
    with pytest.raises(ValueError, match=r"idx='x' is not a key of type int"):
        file.write_idx("x", b"a")
    with pytest.warns(UserWarning, match="the key 0 is written again"):
        file.write_idx(0, b"b")
    file.close()
    with pytest.raises(KeyError, match="keys are of type int"):
        recordio.MXIndexedRecordIO(index, records, "r").read_idx("0")
    with (
        pytest.warns(UserWarning, match=r"ends in \.rec .* the index comes first"),
        pytest.raises(errors.GluonError, match=r"no text|not a text|is not a key"),
    ):
        recordio.MXIndexedRecordIO(records, index, "r")


def test_modules_name_what_is_no_parameter():
    out = sym.SoftmaxOutput(sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc"), name="o")
    made = module.Module(out, label_names=["o_label"])
    with pytest.raises(TypeError, match=r"such as \[\('data', \(4, 3\)\)\]"):
        made.bind({"data": (4, 3)})
    made.bind([("data", (4, 3))], [("o_label", (4,))])
    made.init_params()
    with pytest.raises(KeyError, match="no parameter 'fc_w'; did you mean 'fc_weight'"):
        made.set_params({"fc_w": nd.ones((2, 3))}, {})
    with pytest.raises(ValueError, match="name them in its data_names and label_names"):
        init.Uniform()("o_label", nd.ones(2))


def test_a_step_of_another_network_says_so():
    net, other = dense(), dense()
    trainer = gluon.Trainer(net.collect_params(), optimizer.SGD())
    with autograd.record():
        y = other(nd.ones((1, 3))).sum()
    y.backward()
    with pytest.raises(UserWarning, match="not on those of another network"):
        trainer.step(1)
