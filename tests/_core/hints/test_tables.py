"""Each hint names what exists, with arguments that it takes, and gluon lacks what it is for."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import pickle
import re

import numpy
import pytest

import gluon
from gluon import autograd, data, loss, lr_scheduler, metric, nd, nn, np, npx, optimizer
from gluon._core.hints import arguments, lookup, names, names_keras, synonyms
from gluon.contrib import estimator
from tests.each import each

NET = nn.HybridSequential()
NET.add(nn.Dense(2, in_units=2))
NET.initialize()
ARRAYS = [nd.ones((2, 2)), np.ones((2, 2))]
TRAINER = gluon.Trainer(NET.collect_params(), "sgd")
DATASET = data.SimpleDataset([1, 2])

#: Each table about an object, and such objects: one per class that uses the table.
OBJECTS = {
    "ATTRIBUTES": ARRAYS,
    "BLOCK": [NET, nn.Sequential()],  # `export` is for hybrid ones
    "PARAMETER": [NET[0].weight],
    "TRAINER": [TRAINER],
    "METRIC": [metric.Accuracy()],
    "SCHEDULE": [lr_scheduler.LRScheduler()],
    "DATASET": [DATASET],
    "LOADER": [data.DataLoader(DATASET, 2)],
    "HANDLE": [gluon.utils.HookHandle()],
    "OPTIMIZER": [optimizer.SGD()],
}
#: What the first word of a name in a hint may be, beside a module of gluon.
WORDS = {
    **dict.fromkeys("xyz", ARRAYS),
    "loss": [ARRAYS[0], loss.L2Loss()],
    **{"net": [NET], "new": [NET], "layer": [NET[0]], "p": [NET[0].weight]},
    **{name.lower(): OBJECTS[name] for name in OBJECTS if name not in ("ATTRIBUTES", "PARAMETER")},
    **{"gluon": [gluon], "numpy": [numpy], "pickle": [pickle]},
}
#: Where a name is looked up that has none of these in front.
PLACES = [builtins, gluon, data, estimator, nd, np, npx, optimizer, autograd]
PLACES += [NET, NET[0], DATASET, TRAINER]

#: The modules of gluon in which a table's names are looked for.
MODULES = {
    "NAMES": (
        *names.HOMES[: names.HOMES.index("np")],
        *("nd.contrib", "utils", "initializer", "lr_scheduler", "metric", "callback", "random"),
        *("data.vision", "data.vision.transforms", "model_zoo.vision", "contrib.nn"),
        *("contrib.data", "distributed"),
    ),
    "NP_NAMES": names.NP_HOMES,
}
#: Names that gluon has for something else, or in another module than where one looks for them.
OTHERWISE = {
    "Softmax": "nd.Softmax is MXNet's old name of SoftmaxOutput",
    "Pad": "nd.Pad pads batches, the transform an image",
    "Lambda": "nn.Lambda is a layer, that of PyTorch a transform",
    "datasets": "data.vision has the same classes as data.vision.datasets",
    "functional": "autograd.functional differentiates, that of PyTorch computes",
}
TABLES = [names.NAMES, names.NP_NAMES, arguments.ARGUMENTS, *names_keras.OF_MODULES.values()]
TABLES += [
    table for name, table in vars(synonyms).items() if name.isupper() and type(table) is dict
]


def at(path):
    """The module, class or function of gluon with a dotted name."""
    return functools.reduce(getattr, path.split("."), gluon)


def resolved(path):
    """All that a dotted name in a hint may stand for; nothing if there is no such thing."""
    first, *rest = path.split(".")
    found = [*WORDS.get(first, ()), *([at(first)] if first in gluon.__all__ else ())]
    found = found or [getattr(place, first) for place in PLACES if hasattr(place, first)]
    for part in rest:
        found = [getattr(one, part) for one in found if hasattr(one, part)]
    return found


def calls(text):
    """The calls in a text, as trees of Python's syntax."""
    for start in re.finditer(r"(?<![\w.])[A-Za-z_][\w.]*\(", text):
        for end in range(start.end(), len(text) + 1):
            try:
                tree = ast.parse(text[start.start() : end], mode="eval").body
            except SyntaxError:
                continue
            yield tree
            break


def takes(function, call):
    """Whether the arguments of a call are some that the function takes."""
    try:
        signature = inspect.signature(function)
    except ValueError:  # a builtin of Python
        return hasattr(builtins, function.__name__)
    except TypeError:  # not a function
        return False
    try:
        signature.bind_partial(*call.args, **{one.arg: one.value for one in call.keywords})
    except TypeError:
        return False
    return True


def check(text):
    """Fail if a hint names what gluon has not, or calls it otherwise than it is called."""
    for path in re.findall(r"(?<![\w.'/])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", text):
        assert resolved(path), path
    for call in calls(text):
        found = resolved(ast.unparse(call.func))
        assert any(takes(one, call) for one in found), ast.unparse(call)


@each("text", sorted({hint for table in TABLES for hint in table.values()}))
def test_a_hint_names_what_exists(text):
    check(text)


@pytest.mark.parametrize("text", ["nd.gone(x)", "nd.exp(x, gone=1)", "x.gone", "gone(x)"])
def test_a_hint_that_names_what_does_not_exist_is_found(text):
    with pytest.raises(AssertionError, match="gone"):
        check(text)


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_lack_what_has_a_hint(name):
    for attribute in getattr(synonyms, name):
        lacking = [one for one in OBJECTS[name] if not hasattr(one, attribute)]
        assert lacking, attribute


@pytest.mark.parametrize("table", MODULES)
def test_modules_lack_what_has_a_hint_or_the_hint_names_it(table):
    for name, hint in getattr(names, table).items():
        homes = [home for home in MODULES[table] if name in at(home).__all__]
        assert not homes or name in re.findall(r"\w+", hint) or name in OTHERWISE, (name, homes)


def test_what_is_for_one_module_is_not_in_it():
    for path, table in names_keras.OF_MODULES.items():
        module = gluon if path == "gluon" else at(path)
        assert not {*table} & {*getattr(module, "__all__", vars(module))}, path


@each("name", names.ALIASES)
def test_a_second_name_is_lacking_where_the_first_one_is(name):
    homes = [at(home).__all__ for home in (*names.HOMES, *names.NP_HOMES)]
    assert any(names.ALIASES[name] in home and name not in home for home in homes)


@functools.cache
def arguments_of_all():
    """The names of the arguments of each public function, method and class."""
    modules = [one for one in map(at, gluon.__all__) if inspect.ismodule(one)]
    modules += map(at, (*MODULES["NAMES"], *MODULES["NP_NAMES"], "autograd.functional"))
    found = [getattr(one, name) for one in modules for name in getattr(one, "__all__", ())]
    kinds = [one for one in found if isinstance(one, type)]
    found += [one for kind in kinds for one in vars(kind).values() if inspect.isfunction(one)]
    return [{*lookup.parameters(one)} for one in found if inspect.isfunction(one)] + [
        {*lookup.parameters(kind)} for kind in kinds
    ]


@each("name", arguments.KEYWORDS)
def test_an_argument_is_lacking_where_the_one_of_gluon_is(name):
    for ours in arguments.KEYWORDS[name]:
        assert any(ours in one and name not in one for one in arguments_of_all()), ours
