"""Calls of MegEngine's public functions with slightly wrong arguments.

``recorded/make_megengine_calls.py`` makes them from the calls in ``programs.py`` and in
`BASES`: one argument after the other is replaced by others of its kind, and by those that
MegEngine's own signature names; it writes down what became of each. ``test_calls.py`` asks gluon.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import warnings
from collections import Counter
from collections.abc import Collection
from typing import Any

import numpy as np

from tests.megengine.edges import EDGES, modes
from tests.megengine.programs import EXPRESSIONS, LAYERS, VALUES, filled, given

#: Further tensors that stand for those in a call.
TENSORS = {
    **VALUES,
    "empty": np.zeros((0, 3), "float32"),
    "scalar": np.array(2.0, "float32"),
    "half": given(2, 3).astype("float16"),
    "void": np.zeros((0, 3), "float32"),
    "sc": np.array(2.0, "float32"),
    "isc": np.array(3, "int32"),
    "one": np.array([5.0], "float32"),
    "im": np.arange(6, dtype="int32").reshape(2, 3),
    "pictures": np.arange(2 * 5 * 6 * 3).reshape(2, 5, 6, 3).astype("uint8"),
}
#: Calls beside those of functions and layers.
BASES = """
train(O.SGD, lr=0.1, momentum=0.5, nesterov=True, weight_decay=0.01)
train(O.Adam, lr=0.1, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.01)
train(O.AdamW, lr=0.1, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.01)
train(O.Adagrad, lr=0.1, lr_decay=0.1, eps=1e-10, weight_decay=0.01)
train(O.Adadelta, lr=0.5, rho=0.9, eps=1e-6, weight_decay=0.01)
U.tuple_function.get_ndtuple(2, n=3, allow_zero=False)
U.tuple_function.get_ndtuple((1, 2), n=2)
C.utils.astensor1d([1, 2, 3])
C.utils._normalize_axis(3, -1)
C.utils._normalize_axis(3, (0, -1), reverse=True)
C.utils.isscalar(x)
C.utils.result_type(x, h)
C.utils.make_shape_tuple((2, 3))
C.utils.convert_inputs(x, 2)
C.utils.cast_tensors(x, p, promote=True)
C.utils.dtype_promotion(x, h)
C.dtype.is_differentible_dtype('float32')
C.dtype.get_dtype_bit('int8')
D.Collator().apply([(1.0, 2), (3.0, 4)])
list(D.SequentialSampler(D.dataset.ArrayDataset(m.numpy()), 2, drop_last=True))
list(D.RandomSampler(D.dataset.ArrayDataset(m.numpy()), 2, seed=1))
list(D.SequentialSampler(D.dataset.ArrayDataset(m.numpy()), batch_size=1, indices=[1]))
len(D.dataset.ConcatDataset([D.dataset.ArrayDataset(m.numpy()), D.dataset.ArrayDataset(n.numpy())]))
D.transform.CenterCrop(3).apply(pictures.numpy()[0])
D.transform.CenterCrop((2, 3)).apply(pictures.numpy()[0])
D.transform.Pad(1, 7).apply(pictures.numpy()[0])
D.transform.Pad((1, 2), (1, 2, 3)).apply(pictures.numpy()[0])
D.transform.Resize((3, 4), 1).apply(pictures.numpy()[0])
D.transform.Resize(7, 0).apply(pictures.numpy()[0])
D.transform.RandomHorizontalFlip(1.0).apply(pictures.numpy()[0])
D.transform.RandomVerticalFlip(1.0).apply(pictures.numpy()[0])
D.transform.Normalize((1.0, 2.0, 3.0), 2.0).apply(pictures.numpy()[0])
D.transform.ToMode('CHW').apply(pictures.numpy()[0])
seeded(D.transform.RandomCrop(3, 1)).apply(pictures.numpy()[0])
seeded(D.transform.RandomResizedCrop(4, (0.2, 0.9))).apply(pictures.numpy()[0])
seeded(D.transform.RandomResize((0.5, 2.0))).apply(pictures.numpy()[0])
seeded(D.transform.ShortestEdgeResize((3, 6), 8)).apply(pictures.numpy()[0])
seeded(D.transform.BrightnessTransform(0.4)).apply(pictures.numpy()[0])
seeded(D.transform.ContrastTransform(0.4)).apply(pictures.numpy()[0])
seeded(D.transform.SaturationTransform(0.4)).apply(pictures.numpy()[0])
seeded(D.transform.Lighting(0.4)).apply(pictures.numpy()[0])
seeded(D.transform.GaussianNoise(0.0, 0.1)).apply(pictures.numpy()[0])
I.calculate_fan_in_and_fan_out(w)
I.calculate_correct_fan(w, 'fan_in')
I.calculate_gain('leaky_relu', 0.1)
""".strip().splitlines()
#: What stands for an argument of each kind.
OTHERS: dict[type, tuple[str, ...]] = {
    bool: ("True", "False", "None"),
    int: ("0", "1", "-1", "5", "(0, 1)", "[1]", "1.5", "None"),
    float: ("0", "1", "-1.0", "None"),
    str: ("'nothing'", "None"),
    tuple: ("()", "(1,)", "-1", "[1, 2]", "None"),
    ast.Name: ("x", "m", "i", "b", "half", "empty", "scalar", "3", "[1.0, 2.0]", "None"),
}
#: How many calls of one function are changed.
MOST = 2
#: The standard classes of errors, special ones first.
ERRORS = (
    *(AssertionError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError),
    *(AttributeError, NotImplementedError, RuntimeError),
)


def bases() -> list[str]:
    """The calls whose arguments are replaced."""
    layers = [f"run({text}, {shape})" for text, shape in LAYERS.items()]
    return [*(one for one in EXPRESSIONS if one.endswith(")")), *layers, *BASES]


def changed(text: str, signature: Any) -> list[str]:
    """A call, and it with one argument replaced or added; `signature` gives that of a function."""
    tree = ast.parse(text, mode="eval")
    call = subject(tree.body)
    found = [text]
    places: list[tuple[list, int]] = [(call.args, k) for k in range(len(call.args))]
    for keyword in call.keywords:
        places.append(([keyword], 0))
    for row, place in places:
        old = row[place]
        value = old.value if isinstance(old, ast.keyword) else old
        for other in OTHERS.get(kind(value), ()):
            new = ast.parse(other, mode="eval").body
            row[place] = ast.keyword(old.arg, new) if isinstance(old, ast.keyword) else new
            if isinstance(old, ast.keyword):
                before, call.keywords = (
                    call.keywords,
                    [row[0] if one is old else one for one in call.keywords],
                )
            found.append(ast.unparse(tree))
            if isinstance(old, ast.keyword):
                call.keywords = before
        row[place] = old
    for name, default in added(call, signature):
        for other in OTHERS.get(type(default), ("0", "1", "(0, 1)", "True", "'nothing'")):
            call.keywords.append(ast.keyword(name, ast.parse(other, mode="eval").body))
            found.append(ast.unparse(tree))
            call.keywords.pop()
    return list(dict.fromkeys(found))


def subject(node: Any) -> ast.Call:
    """The call in an expression that is of interest."""
    wrapped = isinstance(node.func, ast.Name) and node.func.id in ("run", "seeded", "list", "len")
    if wrapped and isinstance(node.args[0], ast.Call):
        return subject(node.args[0])
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
        return subject(node.func.value)
    return node


def kind(value: ast.expr) -> type:
    if isinstance(value, ast.Constant):
        return type(value.value)
    if isinstance(value, ast.UnaryOp):
        return kind(value.operand)
    return tuple if isinstance(value, (ast.Tuple, ast.List)) else type(value)


def added(call: ast.Call, signature: Any) -> list[tuple[str, Any]]:
    """The optional parameters that a call leaves out, with their defaults."""
    given_names = {one.arg for one in call.keywords}
    known = signature(ast.unparse(call.func))
    return [
        (name, one.default)
        for place, (name, one) in enumerate(known.items())
        if one.default is not inspect.Parameter.empty
        and name not in given_names
        and name not in ("device", "name", "compute_mode", "out")
        and (place >= len(call.args) or one.kind is inspect.Parameter.KEYWORD_ONLY)
    ]


def calls(mge: Any) -> list[str]:
    """All calls, with the signatures of MegEngine."""
    names = namespace(mge, TENSORS)

    def signature(text: str) -> dict[str, inspect.Parameter]:
        try:
            return dict(inspect.signature(eval(text, names)).parameters)
        except (TypeError, ValueError):
            return {}

    seen: Counter = Counter()
    found: dict[str, None] = {}
    for text in bases():
        function = ast.unparse(subject(ast.parse(text, mode="eval").body).func)
        seen[function] += 1
        texts = changed(text, signature) if seen[function] <= MOST else [text]
        found.update(dict.fromkeys(texts))
    return list(dict.fromkeys([*found, *EDGES, *modes()]))


def namespace(mge: Any, words: Collection[str] = ()) -> dict[str, Any]:
    """The modules and tensors that calls use by name."""

    def part(name: str) -> Any:
        return importlib.import_module(f"megengine.{name}")

    for name in "core.tensor.utils core.tensor.dtype utils.tuple_function data.transform".split():
        part(name)

    def run(net: Any, shape: Any) -> Any:
        return filled(net)(mge.Tensor(given(*shape, seed=1)))

    def train(rule: Any, **options: Any) -> Any:
        weight = mge.Parameter([1.0, -2.0, 3.0])
        optimizer = rule([weight], **options)
        for _ in range(3):
            with part("autodiff").GradManager().attach(weight) as manager:
                manager.backward((weight * weight * weight).sum())
            optimizer.step().clear_grad()
        return weight

    def ctc(pred: Any, *rest: Any, **options: Any) -> Any:
        return part("functional").nn.ctc_loss(*map(mge.Tensor, (pred, *rest)), **options)

    def thirds(*lengths: int) -> Any:
        return np.full((*lengths, 3), 1 / 3, "float32")

    def counted(*shape: int, dtype: str = "float32", by: int = 1) -> Any:
        return mge.Tensor((np.arange(np.prod(shape)) * by).reshape(shape).astype(dtype))

    def seeded(value: Any) -> Any:
        np.random.seed(3)
        return value

    modules = {
        **{"F": part("functional"), "M": part("module"), "O": part("optimizer")},
        **{"U": part("utils"), "C": part("core.tensor"), "D": part("data")},
        **{"I": part("module.init"), "R": part("random"), "np": np, "mge": mge},
        **{"Tensor": mge.Tensor, "Parameter": mge.Parameter, "given": given},
    }
    wanted = [name for name in TENSORS if name in words]
    tensors = {name: mge.Tensor(TENSORS[name]) for name in wanted}
    helpers = {"run": run, "train": train, "seeded": seeded}
    return {**modules, **tensors, **helpers, "ctc": ctc, "thirds": thirds, "counted": counted}


def outcome(mge: Any, text: str) -> Any:
    """The result of a call in plain values, or the standard class of its error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return plain(eval(text, namespace(mge, re.findall(r"\w+", text))))
    except ERRORS as error:
        return {"error": next(one.__name__ for one in ERRORS if isinstance(error, one))}


def plain(value: Any) -> Any:
    """A result as JSON can hold it: of an array its dtype, shape and values, or sums of many."""
    if hasattr(value, "numpy"):
        value = value.numpy()
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    if isinstance(value, (np.ndarray, np.generic)):
        numbers = np.asarray(value, "float64")
        flat = numbers.ravel()
        if flat.size > 12:
            flat = np.array([flat.sum(), np.abs(flat).sum(), flat @ np.arange(flat.size)])
        rounded = [float(f"{one:.7g}") if np.isfinite(one) else str(one) for one in flat]
        return {"dtype": str(value.dtype), "shape": list(numbers.shape), "values": rounded}
    if isinstance(value, (bool, int, float, str, type(None))):
        return value
    if isinstance(value, (type, np.dtype)):
        return np.dtype(value).name
    return type(value).__name__
