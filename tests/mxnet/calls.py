"""Calls of MXNet's functions with the arguments that their own docstrings and signatures name.

The oracle and gluon run the same code: ``recorded/make_calls.py`` makes the calls from the
oracle's docstrings and writes down what became of each; ``test_calls.py`` asks gluon.

A call is ``[path, arrays, keywords]``: ``["nd.sum", ["2x3 positive"], {"axis": [0]}]`` is
``mx.nd.sum(x, axis=(0,))``; how arrays are written, `tests._core.ops.sample` says.
"""

from __future__ import annotations

import inspect
import re
import warnings
from typing import Any

import numpy as np

from tests._core.ops.sample import make

#: Modules whose functions are called, under the name of what makes their arrays.
MODULES = {
    "nd": "nd nd.contrib nd.linalg nd.random nd.image nd._internal nd.NDArray".split(),
    "np": "np np.linalg np.random npx npx.random npx.image np.ndarray".split(),
}
#: Modules whose classes are made.
CLASSES = """gluon.nn gluon.rnn gluon.loss gluon.data gluon.data.vision.transforms metric optimizer
initializer lr_scheduler image""".split()
#: What writes files, waits, needs what is not an array, or gives something else each time.
LEFT_OUT = """save savez load waitall Custom set_np reset_np use_np Custom_ _CustomFunction
from_dlpack from_numpy to_dlpack_for_read to_dlpack_for_write foreach while_loop cond seed
_NDArray _Native
_cvcopyMakeBorder _cvimdecode _cvimread _cvimresize imdecode _npi_cvimread _npi_cvimdecode
_imdecode from_dlpack bfloat16 getenv setenv set_bulk_size DataLoader _foreach _while_loop _cond
_cvimdecode _cvcopyMakeBorder _cvimread _cvimresize""".split()
#: What gives other values each time: of these the dtype and the shape are compared.
DRAWS = re.compile(
    r"random|sample|shuffle|uniform|normal|Dropout|dropout|bernoulli|poisson|gamma_?$|empty|rrelu"
)
#: Arrays that are tried, until the function accepts some.
FORMS = (
    "2x3 positive",
    "3x3 spd",
    "1x2x4x4 positive",
    "3 natural",
    "2x3x4 positive",
    "2x3 natural int32",
    "4 unit",
)
#: What classes are tried with.
NUMBERS = (2, 0.5, -1, None)
#: Kinds of arguments, as the docstrings of operators write them | values that are tried.
VALUES: tuple[tuple[str, list], ...] = (
    (r"boolean|^bool", [True, False, 1, None]),
    (
        r"[Ss]hape\(tuple\)|tuple of <?int|Shape or None|tuple of ints",
        [[1], [0], [-1], [], [0, 1], 1, None],
    ),
    (r"^int \(non-negative\)|^int\b|^long|integer|int or None", [0, 1, -1, 2, 5, None, 1.5]),
    (r"^float|^double|^real", [0.5, 1, -1.0, 0, None]),
    (r"^string|^str", ["", "nothing"]),
)
WORDS = re.compile(r"\{([^}]*)\}")
LINE = re.compile(r"^ {0,4}(\w+) ?: ?(.+)$", re.MULTILINE)


def functions(mx: Any) -> dict[str, Any]:
    """All functions to be called, by path."""
    found = {}
    for paths in MODULES.values():
        for path in paths:
            module = located(mx, path)
            for name, value in sorted(vars(module).items()):
                routine = inspect.isfunction(value) or inspect.isbuiltin(value)
                if routine and name not in LEFT_OUT and name[:2] != "__":
                    found[f"{path}.{name}"] = value
    for path in CLASSES:
        for name, value in sorted(vars(located(mx, path)).items()):
            own = inspect.isclass(value) and value.__module__.startswith("mxnet")
            if own and name not in LEFT_OUT and name[0] != "_":
                found[f"{path}.{name}"] = value
    return found


def located(mx: Any, path: str) -> Any:
    for part in path.split("."):
        mx = getattr(mx, part)
    return mx


def documented(function: Any) -> dict[str, list]:
    """The arguments that a docstring names and the values to try for each."""
    text = inspect.getdoc(function) or ""
    if inspect.isclass(function) and "Parameters\n" not in text:
        text = inspect.getdoc(function.__init__) or ""
    start = re.search(r"Parameters\n-+\n", text)
    if not start:
        return {}
    text = re.split(r"\n\n\w+\n-+\n|\nReturns\n", text[start.end() :])[0]
    found = {}
    for name, kind in LINE.findall(text):
        if name in ("out", "name", "data", "lhs", "rhs", "ctx", "device") or "NDArray" in kind:
            continue
        if words := WORDS.search(kind):
            options = [word.strip().strip("'\"") for word in words[1].split(",")]
            found[name] = [None if one == "None" else one for one in options] + ["nothing"]
            continue
        for pattern, values in VALUES:
            if re.search(pattern, kind):
                found[name] = values
                break
    return found


def calls_of(path: str, function: Any, accepts: Any) -> list:
    """The calls to make of a function; `accepts` says whether it takes one."""
    forms, counts = (FORMS, (1, 2, 3, 0, 4, 5))
    if inspect.isclass(function):
        forms, counts = NUMBERS, (0, 1, 2, 3)
    bases = [[path, [form] * count, {}] for count in counts for form in forms]
    base = next((one for one in bases if accepts(one)), None)
    if base is None:
        return bases[:4]
    named = documented(function)
    found = [
        base,
        [path, base[1], {"no_such": 1}],
        [path, [*base[1], base[1][0] if base[1] else "2"], {}],
    ]
    found += [[path, base[1], {name: value}] for name, values in named.items() for value in values]
    others = [form for form in forms if [form] * len(base[1]) != base[1]]
    found += [[path, [form] * len(base[1]), {}] for form in others[:4] if base[1]]
    if not inspect.isclass(function):
        found.append([path, ["2x3 positive float64"] * len(base[1]), {}])
    return found


def outcome(mx: Any, call: list) -> dict:
    """The outcome of a call: ``error``, the names of its classes, or ``values``."""
    path, arrays, keywords = call
    library = mx.np if path.startswith("np") else mx.nd
    given = [as_array(library, make(one, f"{path} {k}")) for k, one in enumerate(arrays)]
    keywords = {k: tuple(v) if isinstance(v, list) else v for k, v in keywords.items()}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mx.random.seed(1)
            result = located(mx, path)(*given, **keywords)
            return {"values": [described(one) for one in flat(result)]}
    except Exception as error:
        return {"error": [one.__name__ for one in type(error).__mro__[:-2]]}


def as_array(library: Any, raw: Any) -> Any:
    return library.array(raw, dtype=raw.dtype) if isinstance(raw, np.ndarray) else raw


def flat(value: Any) -> list:
    """The results in nested lists."""
    if isinstance(value, (list, tuple)):
        return [one for part in value for one in flat(part)]
    return [value]


def described(value: Any) -> list:
    """The dtype, the shape and the values of an array; of anything else, its class."""
    if not hasattr(value, "asnumpy"):
        return [type(value).__name__]
    raw = value.asnumpy()
    shown = raw.astype("float64").ravel()
    values = [float(f"{one:.5g}") if np.isfinite(one) else str(one) for one in shown]
    return [raw.dtype.name, list(raw.shape), values]
