"""What users of PyTorch and NumPy write first works, or the error names the equivalent."""

from __future__ import annotations

import importlib
import pickle
import re
import subprocess
import sys
import traceback

import numpy
import pytest

import gluon
import gluon.megengine
from gluon import Trainer, autograd, data, errors, loss, metric, nd, nn, np, optimizer, rnn
from gluon._core.hints.names import NAMES, NP_NAMES
from gluon._core.hints.synonyms import (
    ACTIVATIONS,
    ATTRIBUTES,
    BLOCK,
    HANDLE,
    LOADER,
    METRIC,
    PARAMETER,
    SCHEDULE,
    TRAINER,
)
from gluon.autodiff import GradManager
from gluon.block import Block
from gluon.lr_scheduler import FactorScheduler, LRScheduler
from tests.each import each

ARRAYS = [nd.ones((2, 2)), np.ones((2, 2))]


def last_line(function, kind=gluon.GluonError):
    """The last line of the one traceback of an error."""
    with pytest.raises(kind) as caught:
        function()
    text = "".join(traceback.format_exception(caught.value))
    assert text.count("Traceback") == 1
    return text.splitlines()[-1]


@pytest.mark.parametrize("x", ARRAYS)
@each("name", ATTRIBUTES)
def test_what_tensors_have_is_there_or_named(x, name):
    if not hasattr(x, name):
        assert ATTRIBUTES[name] in last_line(lambda: getattr(x, name), AttributeError)
    for used in re.findall(r"\bx\.(\w+)", ATTRIBUTES[name]):
        assert used not in ATTRIBUTES or hasattr(x, used)
        assert hasattr(x, used)


def test_other_names_are_refused_as_python_does():
    with pytest.raises(AttributeError, match=r"'NDArray' object has no attribute 'squeze'"):
        nd.ones(2).squeze  # noqa: B018
    assert getattr(nd.ones(2), "anything", None) is None
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'gluon\.nn\.anything'$"):
        importlib.import_module("gluon.nn.anything")


#: A module that somebody imports -> what gluon says of the attribute.
IMPORTS = {
    "gluon.optim": "use gluon.optimizer",
    "gluon.nn.functional": "use gluon.nd",
    "gluon.utils.data": "use gluon.data",
    "gluon.vision": "use gluon.data.vision",
    "gluon.linalg": "use nd.linalg",
    "gluon.optimiser": "did you mean 'optimizer'",
}


@pytest.mark.parametrize("name", IMPORTS)
def test_a_module_of_pytorch_is_named_as_an_attribute_and_python_refuses_its_import(name):
    assert IMPORTS[name] in last_line(lambda: eval(name, {"gluon": gluon}), AttributeError)
    for form in ("import {}", "import {} as short", "from {} import something"):
        with pytest.raises(ModuleNotFoundError, match=rf"^No module named '{re.escape(name)}'"):
            exec(form.format(name))


def test_gluon_leaves_the_imports_of_other_programs_alone():
    code = "import sys; before = list(sys.meta_path); import gluon; print(sys.meta_path == before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


METHODS = {
    "x.exp_": "assign, as in x[:] = x.exp()",
    "x.clamp_": "assign, as in x[:] = value or x += value",
    "x.acos": "use x.arccos",
    "x.median": "use the function np.median, of x.as_np_ndarray()",
    "y.exp": "use the function np.exp",
    "y.exp_": "assign, as in x[:] = np.exp(x)",
    "y.softmax": "use the function npx.softmax",
    "y.det": "use the function np.linalg.det",
    "p.sum": "use p.data().sum",
    "o.zero_grad": "use net.collect_params().zero_grad()",
    "o.step": "use trainer = Trainer(net.collect_params(), optimizer)",
}


@pytest.mark.parametrize("what", METHODS)
def test_methods_that_are_functions_or_write_in_place_are_named(what):
    owner, _, name = what.partition(".")
    weight = gluon.Parameter("weight", shape=2)
    found = {"x": ARRAYS[0], "y": ARRAYS[1], "p": weight, "o": optimizer.SGD()}[owner]
    assert last_line(lambda: getattr(found, name), AttributeError).endswith(METHODS[what])


@pytest.mark.parametrize(
    "name", ["random", "image", "util", "contrib.nn", "data.vision.transforms"]
)
def test_every_module_names_what_others_call_otherwise(name):
    module = importlib.import_module(f"gluon.{name}")
    assert "use nn.Dense" in last_line(lambda: module.Linear, AttributeError)


@each("name", BLOCK)
def test_what_modules_have_is_named(name):
    net = nn.Sequential()
    assert BLOCK[name] in last_line(lambda: getattr(net, name), AttributeError)
    for used in re.findall(r"\bnet\.(\w+)", BLOCK[name]):
        assert hasattr(net, used)


def test_an_error_in_a_property_of_a_block_is_not_hidden():
    class Net(Block):
        @property
        def size(self):
            return self.lacking

    with pytest.raises(AttributeError, match="lacking"):
        Net().size  # noqa: B018


#: The modules that users of PyTorch look for names in.
OWNERS = [gluon, nn, nd, loss, optimizer, autograd, data]


@each(
    "owner, name, ours",
    [(owner, name, ours) for name, ours in NAMES.items() for owner in OWNERS]
    + [(np, name, ours) for name, ours in NP_NAMES.items()],
)
def test_names_of_pytorch_lead_to_names_of_gluon(owner, name, ours):
    if name not in dir(owner):
        assert f"use {ours}" in last_line(lambda: getattr(owner, name), AttributeError)
    assert any(name not in dir(owner) for owner in OWNERS)


@pytest.mark.parametrize("module", [gluon, nn, nd, np, gluon.megengine])
def test_an_import_of_a_missing_name_says_what_python_says(module):
    pattern = rf"^cannot import name 'Linear' from '{re.escape(module.__name__)}'"
    with pytest.raises(ImportError, match=pattern):
        exec(f"from {module.__name__} import Linear")
    assert not hasattr(module, "Linear")
    with pytest.raises(gluon.GluonError, match="Linear") as caught:
        module.Linear  # noqa: B018
    assert (type(caught.value), caught.value.name) == (errors.MissingNameError, "Linear")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gluon.ones", "use nd.ones"),
        ("gluon.Dense", "use nn.Dense"),
        ("gluon.record", "use autograd.record"),
        ("gluon.loss.SGD", "use optimizer.SGD"),
        ("gluon.nd.random.rand", "use nd.random.uniform"),
        ("gluon.nd.isnan", "use nd.contrib.isnan"),
        ("gluon.nd.std", "use np.std"),
        ("gluon.np.relu", "use npx.relu"),
    ],
)
def test_a_name_of_another_module_is_found_there(name, says):
    module, _, last = name.rpartition(".")
    owner = gluon if module == "gluon" else importlib.import_module(module)
    assert says in last_line(lambda: getattr(owner, last), AttributeError)


def test_an_array_of_nd_names_functions_and_methods_that_it_lacks():
    x = nd.array([[1, 2], [3, 5]])
    assert last_line(lambda: x.cumsum, AttributeError).endswith("use the function nd.cumsum")
    assert last_line(lambda: x.std, AttributeError).endswith("use x.as_np_ndarray().std")
    assert x.as_np_ndarray().std().item() == pytest.approx(x.asnumpy().std())
    assert not hasattr(x, "__array_interface__")


@pytest.mark.parametrize("x", ARRAYS)
def test_a_size_is_an_integer(x):
    assert (x.size, type(x.size)) == (4, int)


@pytest.mark.parametrize("x", [*ARRAYS, gluon.Parameter("weight", shape=2)])
def test_requires_grad_cannot_be_assigned(x):
    assert "grad" in last_line(lambda: setattr(x, "requires_grad", False), AttributeError)
    assert not hasattr(x, "requires_grad")


#: What each table is about, and how to make one.
TABLES = {
    "p": (PARAMETER, lambda: gluon.Parameter("weight", shape=2)),
    "trainer": (TRAINER, lambda: trainer({})),
    "metric": (METRIC, metric.Accuracy),
    "schedule": (SCHEDULE, LRScheduler),
    "loader": (LOADER, lambda: data.DataLoader([1, 2], 2)),
    "handle": (HANDLE, gluon.utils.HookHandle),
}


@pytest.mark.parametrize("owner", TABLES)
def test_what_other_objects_have_is_named(owner):
    table, make = TABLES[owner]
    found = make()
    for name, way_out in table.items():
        assert way_out in last_line(lambda name=name: getattr(found, name), AttributeError)
        for used in re.findall(rf"\b{owner}\.(\w+)", way_out):
            assert hasattr(found, used)


def test_a_wrong_letter():
    assert last_line(lambda: nn.Dens).endswith("no attribute 'Dens'; did you mean 'Dense'?")
    assert last_line(lambda: gluon.optimiser).endswith("did you mean 'optimizer'?")


class Halved(nn.HybridBlock):
    """A layer by somebody who does not know of `F`."""

    def hybrid_forward(self, x):
        return x / 2


CALLS = {
    "std": (lambda: gluon.init.Normal(std=1), "Normal: .*did you mean 'sigma'"),
    "task": (lambda: metric.Accuracy(task="binary"), "Accuracy: .*'task'"),
    "nesterov": (lambda: optimizer.SGD(nesterov=True), "use the optimizer 'nag'"),
    "learning rate": (lambda: trainer(0.1), r"such as \{'learning_rate': 0.1\}, not 0.1"),
    "step": (lambda: trainer({}).step(), "'batch_size'; gradients are divided by it"),
    "class": (lambda: optimizer.create(optimizer.SGD), "or a name such as 'sgd', not <class"),
    "label": (lambda: loss.L2Loss()(ARRAYS[0], [1, 2]), "label is a list; pass an array"),
    "classes": (
        lambda: loss.SoftmaxCrossEntropyLoss()(ARRAYS[0], numpy.ones(2)),
        "an input is an ndarray; convert it with nd",
    ),
    "zeros": (lambda: nd.zeros(2, 3), r"A shape is one tuple, as in zeros\(\(2, 3\)\)"),
    "smoothing": (lambda: loss.SoftmaxCELoss(label_smoothing=0.1), "label as probabilities"),
    "lr": (lambda: optimizer.Adam(lr=0.1), "Adam: got an .*did you mean 'learning_rate'"),
    "betas": (lambda: optimizer.create("adam", betas=(0.9, 0.99)), "'beta1' and 'beta2'"),
    "weight_decay": (lambda: trainer({"weight_decay": 0.1}), "SGD: .*did you mean 'wd'"),
    "trainer lr": (lambda: trainer({"lr": 0.1}), "SGD: .*did you mean 'learning_rate'"),
    "momentun": (lambda: trainer({"momentun": 0.1}), "did you mean 'momentum'"),
    "in_features": (lambda: nn.Dense(3, in_features=2), "Dense: .*did you mean 'in_units'"),
    "bias": (lambda: nn.Conv2D(3, 1, bias=False), "Conv2D: .*did you mean 'use_bias'"),
    "out_channels": (lambda: nn.Conv2D(1, 2, out_channels=3), "did you mean 'channels'"),
    "p": (lambda: nn.Dropout(0.5, p=0.5), "did you mean 'rate'"),
    "num_embeddings": (lambda: nn.Embedding(2, 3, num_embeddings=2), "did you mean 'input_dim'"),
    "sum": (lambda: ARRAYS[0].sum(dim=0), "sum: .*did you mean 'axis'"),
    "nd.mean": (lambda: nd.mean(ARRAYS[0], dim=0), "mean: .*did you mean 'axis'"),
    "keepdim": (lambda: ARRAYS[0].max(axis=0, keepdim=True), "did you mean 'keepdims'"),
    "softmax": (lambda: nd.softmax(ARRAYS[0], dim=0), "softmax: .*did you mean 'axis'"),
    "concat": (lambda: nd.concat(*ARRAYS[:1], axis=0), "concat: .*did you mean 'dim'"),
    "np": (lambda: np.sum(ARRAYS[1], dim=0), "sum: .*did you mean 'axis'"),
    "Conv2D": (lambda: nn.Conv2D(in_channels=1, out_channels=2), "did you mean 'channels'"),
    "Conv2D twice": (lambda: nn.Conv2D(1, 2, kernel_size=3), "it takes channels, kernel_size, "),
    "Dense": (lambda: nn.Dense(2, 3), "activation=3 is not a name"),
    "Sequential": (lambda: nn.Sequential(nn.Dense(2)), r"pass blocks to net.add"),
    "reduction": (lambda: loss.L2Loss(reduction="sum"), "one value per sample"),
    "Trainer": (
        lambda: Trainer([], "sgd", lr=0.1),
        "Trainer: .*optimizer_params={'learning_rate': value}",
    ),
    "drop_last": (lambda: data.DataLoader([], 2, drop_last=True), "use last_batch='discard'"),
    "download": (lambda: data.vision.MNIST("here", download=True), "downloads nothing"),
    "step_size": (lambda: FactorScheduler(step_size=3), "FactorScheduler: .*mean 'step'"),
    "requires_grad": (lambda: nd.array([1], requires_grad=True), r"array: .*x.attach_grad\(\)"),
    "device": (lambda: nd.zeros(2, device="cpu"), "zeros: .*did you mean 'ctx'"),
    "normal": (lambda: nd.random.normal(size=2), "normal: .*did you mean 'shape'"),
    "grad": (lambda: autograd.grad(None, None, grad_outputs=1), "did you mean 'head_grads'"),
    "none": (lambda: nd.random.randint(3), "randint.* missing .*'high'"),
    "masks": (lambda: (ARRAYS[0] > 1) & (ARRAYS[0] < 3), r"by nd.logical_and\(x1, x2\)"),
    "relu": (lambda: nd.relu(ARRAYS[0], inplace=True), "relu: .*'inplace'; leave it out"),
    "not": (lambda: ~ARRAYS[0], r"^[\w.]+: ~x: .*use nd.logical_not\(x\)"),
    "xor": (lambda: ARRAYS[0] ^ ARRAYS[0], r"x \^ y: .*nd.logical_xor"),
    "floor": (lambda: ARRAYS[0] // 2, r"x // y: .*nd.floor\(x / y\)"),
    "floor of a number": (lambda: 2 // ARRAYS[0], r"x // y: .*nd.floor\(x / y\)"),
    "divmod": (lambda: divmod(ARRAYS[0], 2), "x % y"),
    "shift": (lambda: ARRAYS[0] << 2, r"x \* 2\*\*y"),
    "plus": (lambda: +ARRAYS[0], r"leave out the \+"),
    "round": (lambda: round(ARRAYS[0]), r"use x.round\(\)"),
    "np masks": (lambda: ARRAYS[1] & 1, "bitwise_and.*& and | take integers and booleans"),
    "p[0]": (lambda: gluon.Parameter("w", shape=2)[0], r"Parameter 'w' .*p.data\(\)\[0\]"),
    "p * 2": (lambda: 2 * gluon.Parameter("w", shape=2), r"compute with p.data\(\)"),
    "x * p": (lambda: ARRAYS[0] * gluon.Parameter("w", shape=2), r"such as p.data\(\)"),
    "x @ p": (lambda: ARRAYS[0] @ gluon.Parameter("w", shape=2), r"compute with p.data\(\)"),
    "sum(p)": (lambda: nd.sum(gluon.Parameter("w", shape=2)), r"use p.data\(\)"),
    "numpy(p)": (lambda: numpy.asarray(gluon.Parameter("w", shape=2)), r"p.data\(\)"),
    "name": (lambda: gluon.Parameter(nd.ones(2)), "name is of type NDArray, not str"),
    "bias of LSTM": (lambda: rnn.LSTM(2, bias=False), "LSTM: .*the layer has biases"),
    "input_shape": (lambda: nn.Dense(2, input_shape=(3,)), "Dense: .*did you mean 'in_units'"),
    "map_location": (lambda: nn.Dense(2).load_parameters("f", map_location=1), "mean 'ctx'"),
    "initialize": (lambda: nn.Dense(2).initialize(device=1), "initialize: .*mean 'ctx'"),
    "clip": (lambda: gluon.utils.clip_by_value([], clip_value=1), "did you mean 'max_value'"),
    "gradcheck": (lambda: autograd.gradcheck(None, None, epsilon=1), "did you mean 'eps'"),
    "grad of a function": (lambda: autograd.grad(abs), r"func.grad\(function\)"),
    "strings": (lambda: list(data.DataLoader(["a", "b"], 2)), "samples of type str cannot"),
    "dicts": (lambda: list(data.DataLoader([{}, {}], 2)), "samples of type dict cannot"),
    "generator": (lambda: data.DataLoader(iter([1]), 2), r"such as list\(dataset\)"),
    "Function(x)": (lambda: autograd.Function(ARRAYS[0]), r"Function takes no .*Function\(\)\(x\)"),
    "randint": (lambda: nd.random.randint(3), "'high'; it takes low, high, shape"),
    "unroll": (
        lambda: rnn.GRUCell(2).unroll(nd.ones((1, 2, 3))),
        "missing .*'inputs'; it takes length, inputs, begin_state",
    ),
    "fraction": (lambda: FactorScheduler(0.5, 10), "step=0.5 is a float; pass an integer$"),
    "relu as a flag": (lambda: nn.Dense(3, 4, "relu"), "True or False, or activation='relu'$"),
    "hybrid_forward": (lambda: Halved()(ARRAYS[0]), r"called as hybrid_forward\(self, F, x\)"),
    "np method": (lambda: ARRAYS[1].mean(dim=0), "mean: .*did you mean 'axis'"),
}


def trainer(settings):
    net = nn.Dense(1, in_units=1)
    net.initialize()
    return Trainer(net.collect_params(), "sgd", settings)


@each("name", CALLS)
def test_an_unknown_keyword_says_which_was_meant(name):
    call, says = CALLS[name]
    assert re.search(says, last_line(call, TypeError))


X = gluon.sym.Variable("x")
#: Values and calls that no other library has either, and what the error says.
MISTAKES = {
    "shape of a parameter": (lambda: gluon.Parameter("w", (2, 3)), r"given as shape=\(2, 3\); got"),
    "input of a symbol": (
        lambda: gluon.sym.FullyConnected(X, num_hidden=3).simple_bind(gluon.cpu(), data=(2, 3)),
        r"shape of x .* simple_bind\(ctx, x=\(2, 3\)\). It has no argument 'data'",
    ),
    "symbol and array": (lambda: X + nd.ones(2), "plus: a symbol and an NDArray; .* bind it to"),
    "divisor": (lambda: data.vision.transforms.Normalize(0.5, 0), "std=0 is a divisor"),
    "place": (lambda: nd.ones((2, 3))[5], "axis 0 with size 2; indices count from 0"),
    "last place": (lambda: nd.ones((2, 3))[0, 5], "axis 1 with size 3; indices count from 0"),
    "places": (lambda: nd.ones(3)[0, 0], "too many indices.*; give at most one for each axis"),
    "inverse": (lambda: nd.linalg.inverse(nd.zeros((2, 2))), "Singular matrix; it has no inverse"),
    "cholesky": (lambda: nd.linalg.potrf(-nd.ones((1, 1))), "definite; its eigenvalues must be"),
    "axes twice": (lambda: nd.ones((2, 3)).transpose((0, 0)), "repeated axis.*; name each axis on"),
    "three classes": (
        lambda: metric.F1().update(nd.array([0, 2]), nd.ones((2, 3))),
        "must be 0 and 1. For more classes, use Accuracy or PCC",
    ),
    "loss turned around": (
        lambda: loss.SoftmaxCELoss()(nd.array([0, 1]), nd.ones((2, 3))),
        r"pred comes first, as in loss\(pred, label\)",
    ),
    "vjp": (lambda: gluon.func.vjp(abs), r"vjp: choose .*; give them, as in vjp\(function, x\)"),
    "no return": (lambda: gluon.func.grad(lambda x: None)(ARRAYS[0]), "look for a missing return"),
    "lr_mul": (
        lambda: nn.Dense(2).collect_params().setattr("lr_mul", 2),
        "setattr: .* no attribute 'lr_mul'; did you mean 'lr_mult'",
    ),
    "choice": (lambda: np.random.choice(5, 9, replace=False), "fewer, or with replace=True"),
    "no axis": (lambda: nd.ones((2, 3)).sum(axis=5), "dimension 2; axes count from 0"),
    "linspace": (lambda: np.linspace(0, 1, num="a"), "as an integer; pass an integer"),
    "no parameters": (lambda: Trainer({}, "sgd"), r"self.params.get\(name, shape=...\) makes one"),
    "units": (lambda: nn.Dense(-3), "Dense: units=-3 must be at least 1"),
    "kernel_size": (lambda: nn.Conv2D(3), "Conv2D: kernel_size is missing; it takes channels,"),
    "activation": (lambda: nn.Dense(3, nd.relu), "follows it in an nn.Sequential"),
    "add a list": (lambda: nn.Sequential().add([nn.Flatten()]), r"unpack it, as in add\(\*blocks"),
    "add a function": (lambda: nn.Sequential().add(nd.relu), r"add\(nn.Lambda\(function\)\)"),
    "rate": (lambda: nn.Dropout(50), "rate=50 is not the share of values to drop"),
    "reluu": (lambda: nn.HybridLambda("reluu"), "no function 'reluu'; did you mean 'relu'"),
    "two inputs": (
        lambda: initialized(nn.Dense(2))(*ARRAYS[:1] * 2),
        r"it takes 1 input \(x\), and was called with 2",
    ),
    "ctx": (
        lambda: nn.Dense(2).initialize(ctx="gpu(0)"),
        r"ctx='gpu\(0\)' is a str; pass a Context",
    ),
    "label of L2": (
        lambda: loss.L2Loss()(nd.ones((2, 3)), nd.ones(2)),
        "the numbers of values differ",
    ),
    "sparse_label": (
        lambda: loss.SoftmaxCELoss(sparse_label=False)(nd.ones((2, 3)), nd.ones(2)),
        "class numbers need sparse_label=True",
    ),
    "step of text": (lambda: trainer({}).step("2"), "must be positive, .*; got a str"),
    "transform": (lambda: data.ArrayDataset([1]).transform(3), "transform: fn is an int; give a"),
    "Compose": (
        lambda: data.vision.transforms.Compose(data.vision.transforms.ToTensor()),
        r"give a list of transforms, such as Compose\(\[ToTensor",
    ),
    "jit": (lambda: gluon.jit(3), "jit: give a function, not int"),
    "Module": (lambda: gluon.module.Module(nn.Dense(2)), "symbol is a Dense; give a Symbol"),
    "fit": (
        lambda: gluon.module.Module(gluon.sym.var("data"), label_names=None).fit(
            ARRAYS[0], num_epoch=1
        ),
        "train_data is an NDArray; give a DataIter",
    ),
    "num_hidden": (lambda: gluon.sym.FullyConnected(gluon.sym.var("x")), "'num_hidden' is missing"),
    "is None": (lambda: ARRAYS[0] == None, "whether it is None, `x is None`"),  # noqa: E711
}


@each("name", MISTAKES)
def test_an_error_names_the_argument_and_the_way_out(name):
    call, says = MISTAKES[name]
    assert re.search(says, last_line(call))


def test_a_loop_over_parameters_gives_names_that_say_so():
    params = nn.Dense(2, in_units=1, prefix="out_").collect_params()
    (weight, bias) = params
    assert (weight, type(pickle.loads(pickle.dumps(weight)))) == ("out_weight", str)
    assert params[bias].name == bias
    with pytest.raises(AttributeError, match=r"'out_weight' is a name.* loop over params.values"):
        weight.data()


@pytest.mark.parametrize("make", [nn.BatchNorm, nn.LayerNorm])
@pytest.mark.parametrize("axis", [64, [3]])
def test_a_number_of_channels_in_place_of_the_axis(make, axis):
    said = last_line(lambda: initialized(make(axis))(nd.ones((2, 3))), ValueError)
    assert "is inferred, or given as in_channels" in said


@pytest.mark.parametrize(
    ("padding", "kind"), [("same", TypeError), (None, TypeError), ((1, 2, 3), ValueError)]
)
def test_a_padding_that_is_no_number(padding, kind):
    said = last_line(lambda: nn.Conv2D(2, 3, padding=padding), kind)
    assert f"padding is one number or 2 numbers, not {padding!r}" in said
    assert ("kernel_size // 2" in said) == (padding == "same")


@pytest.mark.parametrize("name", [*ACTIVATIONS, "foo"])
def test_an_activation_that_is_another_layer_says_so_at_once(name):
    way_out = ACTIVATIONS.get(name, "'tanh'")
    for make in (nn.Activation, lambda name: nn.Dense(2, activation=name)):
        assert last_line(lambda make=make: make(name), ValueError).endswith(way_out)
    assert last_line(lambda: nd.Activation(ARRAYS[0], name), ValueError).endswith(way_out)


def test_a_function_is_called_by_an_instance():
    class Double(autograd.Function):
        def forward(self, x):
            return 2 * x

    said = last_line(lambda: Double.apply(ARRAYS[0]), AttributeError)
    assert said.endswith("as in Square()(x); its forward and backward take self in place of ctx")
    assert not hasattr(Double, "apply")


def test_a_block_that_returns_nothing_is_asked_about():
    class Nothing(Block):
        def forward(self, x):
            pass

    with pytest.warns(UserWarning, match="forward of Nothing .* returned None"):
        said = last_line(lambda: initialized(nn.Sequential(), Nothing(), nn.Dense(2))(ARRAYS[0]))
    assert (
        "got: NoneType; convert with nd.array(...), and have the block before return its output"
        in said
    )


def test_a_summary_needs_inputs():
    assert "net.summary(nd.ones((1, 3)))" in last_line(lambda: nn.Dense(2).summary())


def test_parameters_of_another_shape_are_one_traceback(tmp_path):
    path = str(tmp_path / "net.params")
    initialized(nn.Dense(3, in_units=2)).save_parameters(path)
    said = last_line(lambda: nn.Dense(4, in_units=2).load_parameters(path), ValueError)
    assert "has shape (4, 2), which cannot become (3, 2)" in said


def test_the_learning_rate_of_a_trainer_is_assigned():
    one = trainer({})
    one.learning_rate = 0.25
    assert one.optimizer.learning_rate == 0.25
    assert "use trainer.learning_rate" in last_line(lambda: setattr(one, "lr", 1), AttributeError)


def test_a_trainer_takes_the_values_of_a_dict():
    net = nn.Dense(1, in_units=1)
    net.initialize()
    assert len(Trainer(net.collect_params().values(), "sgd")._params) == 2
    assert "net.collect_params()" in last_line(lambda: Trainer(net, "sgd"))


@pytest.mark.parametrize(
    ("a", "b"),
    [((2, 3), (3, 2)), ((3,), (3,)), ((3,), (3, 2)), ((4, 2, 3), (3, 2)), ((4, 1, 3), (4, 3, 1))],
)
def test_the_matrix_product_of_ndarrays(a, b):
    rng = numpy.random.default_rng(0)
    x, y = (nd.array(rng.normal(size=shape)) for shape in (a, b))
    right = x.asnumpy() @ y.asnumpy()
    z = x @ y
    assert type(z) is nd.NDArray
    assert z.shape == (right.shape or (1,))
    numpy.testing.assert_allclose(z.asnumpy(), right.reshape(z.shape), rtol=1e-5)
    assert autograd.gradcheck(lambda x, y: x @ y, [x.astype("float64"), y.astype("float64")])


def test_a_matrix_product_that_does_not_fit():
    assert "matmul(a: float32[2, 2], b: float32[3, 3])" in last_line(
        lambda: ARRAYS[0] @ nd.ones((3, 3)), ValueError
    )
    with pytest.raises(TypeError, match="unsupported operand"):
        ARRAYS[0] @ 2


def test_a_format_is_for_the_one_value():
    x = nd.array([[1, 2], [3, 4]])
    assert f"{x.mean():.3f}" == "2.500"
    assert f"{nd.array([3], dtype='int32'):04d}" == "0003"
    assert f"{x}" == str(x)
    for several in (x, np.ones((2, 2))):
        said = last_line(lambda x=several: f"{x:.3f}", ValueError)
        assert "format: '.3f' does not fit an array of float32 and shape (2, 2)" in said
    assert f"{x.sum()!s:>40}" == str(x.sum()).rjust(40)


@pytest.mark.parametrize("name", ["mean", "sum", "max", "min", "prod"])
def test_reductions_of_numpy_run_ours(name):
    x = nd.array([[1, 2], [3, 4]])
    x.attach_grad()
    with autograd.record():
        y = getattr(numpy, name)(x, axis=0)
    y.backward()
    assert (type(y), y.shape) == (nd.NDArray, (2,))
    assert x.grad.asnumpy().any()
    assert getattr(numpy, name)(x).item() == getattr(numpy, name)(x.asnumpy())


def test_a_wrong_input_is_one_traceback_that_ends_with_layer_operator_and_shapes():
    net = nn.HybridSequential()
    net.add(nn.Dense(4), nn.Sequential() if False else nn.Dense(3, in_units=5, prefix="fc_"))
    net.initialize()
    says = (
        "gluon.errors.ArgumentError: in Dense 'fc': FullyConnected(x: float32[2, 4],"
        " weight: float32[3, 5], bias: float32[3], flatten=True): x has 4 features once flattened,"
        " weight takes 5; weight has shape (units, in_units)"
    )
    assert last_line(lambda: net(nd.ones((2, 7)))) == says
    net.hybridize()
    assert last_line(lambda: net(nd.ones((2, 7)))) == says


FAILING = {
    "operator": lambda: nd.ones((2, 2)) + nd.ones((3, 3)),
    "in place": lambda: nd.ones((2, 2)).__iadd__(nd.ones((3, 3))),
    "function": lambda: nd.broadcast_add(nd.ones((2, 2)), nd.ones((3, 3))),
    "no array": lambda: nd.relu([1, 2]),
    "np": lambda: np.ones((2, 2)) + np.ones((3, 3)),
    "np function": lambda: np.concatenate([np.ones((2, 2)), np.ones(3)]),
    "index": lambda: nd.ones(2)[5],
    "loss": lambda: loss.L2Loss()(nd.ones((2, 2)), nd.ones((3, 3))),
    "deferred": lambda: initialized(nn.Conv2D(2, 3))(nd.ones((2, 2))),
    "nested": lambda: initialized(nn.Sequential(), nn.Dense(2, in_units=3))(nd.ones((2, 2))),
    "step": lambda: optimizer.SGD().update(0, nd.ones(2), nd.ones(3), None),
}


def initialized(block, *inside):
    if inside:
        block.add(*inside)
    block.initialize()
    return block


@pytest.mark.parametrize("name", FAILING)
def test_an_error_is_one_traceback(name):
    assert last_line(FAILING[name]).startswith("gluon.errors.")


# --------------------------------------------------------------------------- GradManager


@pytest.mark.parametrize("what", ["block", "dict", "values", "list", "one"])
def test_a_manager_takes_blocks_and_parameters(what):
    net = nn.HybridSequential()
    net.add(nn.Dense(3, in_units=2), nn.BatchNorm(in_channels=3))
    net.initialize()
    params = net.collect_params()
    given = {
        "block": net,
        "dict": params,
        "values": params.values(),
        "list": list(params.values()),
        "one": net[0].weight,
    }[what]
    manager = GradManager().attach(given)
    trained = [p for p in params.values() if p.grad_req != "null"]
    wanted = [net[0].weight] if what == "one" else trained
    assert [id(x) for x in manager.attached_tensors()] == [id(p.data()) for p in wanted]
    x = nd.array([[1, 2], [3, 5]])
    with manager:
        manager.backward(net(x) ** 2)
    found = [p.grad().asnumpy() for p in wanted]
    with autograd.record(train_mode=False):
        y = net(x) ** 2
    y.backward()
    for ours, p in zip(found, wanted):
        numpy.testing.assert_allclose(ours, p.grad().asnumpy(), rtol=1e-5, atol=1e-5)


def test_a_manager_of_a_network_without_values_says_so():
    assert "initialize" in last_line(lambda: GradManager().attach(nn.Dense(2)))


def test_backward_with_nothing_attached_warns():
    manager = GradManager()
    with manager, pytest.warns(UserWarning, match="nothing is attached"):
        assert manager.backward(nd.ones(2) * 2) == []
    with manager:
        manager.backward()  # only ends the session
