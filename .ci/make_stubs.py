"""Write the stubs of the modules whose functions of symbols are made of operators.

    python .ci/make_stubs.py          # write them
    python .ci/make_stubs.py --check  # fail if one is not up to date

`gluon.symbol` makes functions and methods of what is known of an operator: which arguments are
arrays, and which are not. Type checkers and editors read the same in the stubs.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

ROOT = Path(__file__).resolve().parent.parent
MODULES = (
    *("contrib", "functions", "image", "linalg", "methods", "nd_functions", "np", "np.linalg"),
    *("np_symbol", "npx", "random"),
)
#: The methods of symbols with NumPy's interface take other arguments than those of others.
HEAD = """# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"
"""
#: Where names in stubs come from that the source may not import.
SOURCES = {
    **dict.fromkeys(("Any", "Final", "Literal", "overload"), "typing"),
    "DTypeLike": "numpy.typing",
    "Sequence": "collections.abc",
}
#: The arguments of every function of symbols.
NAMING = ["name: str | None = None", "attr: dict[str, str] | None = None"]


class Symbol:
    """What stands for an array in an annotation."""


class DTypeLike:
    """What stands for numpy.typing.DTypeLike in one."""


def typed(annotation: Any) -> str:
    """The text of an annotation; of one that is not plain, ``Any``."""
    origin = get_origin(annotation)
    if annotation in (None, type(None)):
        return "None"
    if isinstance(annotation, TypeVar):
        return typed(annotation.__bound__)
    if origin in (Union, UnionType):
        parts = dict.fromkeys(map(typed, get_args(annotation)))
        return "Any" if "Any" in parts else " | ".join(parts)
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, get_args(annotation)))}]"
    if origin in (tuple, list) or getattr(origin, "__name__", "") == "Sequence":
        inner = ["..." if one is ... else typed(one) for one in get_args(annotation)]
        return f"{origin.__name__}[{', '.join(inner)}]"
    if annotation in (int, float, str, bool, tuple, list, Symbol, DTypeLike):
        return annotation.__name__
    return "Any"


def written(default: Any) -> str:
    """The text of a default value; of one that is not plain, ``...``."""
    plain = (int, float, str, bool, type(None))
    parts = default if isinstance(default, tuple) else (default,)
    return repr(default) if all(type(one) in plain for one in parts) else "..."


def hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The types of the arguments of a function of arrays, with `Symbol` for its arrays."""
    arrays = dict.fromkeys(("NDArray", "ndarray", "A", "Tensor"), Symbol)
    names = {**arrays, "ArrayLike": Any, "DTypeLike": DTypeLike}
    return get_type_hints(inspect.unwrap(function), localns=names)


def is_required(parameter: inspect.Parameter) -> bool:
    """Whether a call without it is an error."""
    from gluon.nd._update import REQUIRED

    return parameter.default is parameter.empty or parameter.default is REQUIRED


def of_operator(
    name: str, operator: Any, result: str, strict: bool = True, bound: bool = False
) -> list[str]:
    """The stub of a function that calls `operator`.

    Parameters
    ----------
    name : str
    operator : gluon.symbol.operator.Operator
    result : str
        The type that it returns.
    strict : bool
        Whether arrays must be given; otherwise variables are created for those that are not.
    bound : bool
        Whether it is a method: its first array is the symbol itself.
    """
    types, known = hints(operator.function), operator._parameters
    first, data, needed, named, others = [], [], [], [], []
    for key in operator.arrays[bound:]:
        missing = not strict or key in operator.optional
        data.append((key, "Symbol | None" if missing else "Symbol", missing))
    for key in operator.attributes:
        parameter = known[key]
        text = f"{key}: {typed(types.get(key, Any))}"
        if operator.variadic or parameter.kind is parameter.KEYWORD_ONLY:
            named.append(
                text if is_required(parameter) else f"{text} = {written(parameter.default)}"
            )
        elif is_required(parameter):
            needed.append(text)
        else:
            others.append(f"{text} = {written(parameter.default)}")
    if bound:
        first = ["self: S"] if result == "S" else ["self"]
    if operator.variadic:
        named.insert(0, "num_args: int | None = None")
        forms = [[*first, f"*{operator.variadic}: Symbol | Sequence[Symbol]", *named]]
    else:
        free = [f"{key}: {kind}{' = None' * missing}" for key, kind, missing in data]
        forms = [[*first, *free, *others, "*", *named]]
        if needed:
            given = [f"{key}: Symbol" for key, *_ in data]
            forms = [[*first, *given, *needed, *others, "*", *named]]
            if free and not strict:
                forms.append([*first, "*", *free, *needed, *others, *named])
    more = ["**kwargs: Any"] if operator.open else []
    lines = []
    for form in forms:
        lines += ["@overload"] if len(forms) > 1 else []
        lines += [f"def {name}({', '.join([*form, *NAMING, *more])}) -> {result}: ..."]
    return lines


def of_closure(name: str, value: Any, owner: str) -> list[str] | None:
    """The stub of a function that was made, or of a method of `owner`; None if `value` is none."""
    if not inspect.isfunction(value) or not value.__closure__:
        return None
    from gluon.symbol.calls import operator as found

    inside = inspect.getclosurevars(value).nonlocals
    result = "S" if owner == "Methods" else "NpSymbol"
    if "operator" in inside:  # by `compose`
        return of_operator(name, inside["operator"], "Symbol", strict=False)
    if "own" in inside:  # by `function`
        return of_operator(name, inside["own"], result, bound=bool(owner))
    if {*inside} == {"name", "hint"}:  # by `_method`
        return of_operator(name, found(inside["name"]), result, bound=True)
    if owner and not inside.keys().isdisjoint(("both", "hints", "how")):  # an operator of Python
        own = "self: S" if result == "S" else "self"
        return [f"def {name}({own}, other: Symbol | float) -> {result}: ..."]
    if "both" in inside:  # by `pair`
        values = [f"{key}: Symbol | float" for key in ("x1", "x2")]
        return [
            f"def {name}({', '.join([*values, 'out: None = None', '*', *NAMING])}) -> NpSymbol: ..."
        ]
    if "of_two" in inside:  # by `_broadcast`
        values = [f"{key}: Symbol | float" for key in ("lhs", "rhs")]
        return [f"def {name}({', '.join([*values, NAMING[0]])}) -> Symbol: ..."]
    signature = str(inspect.signature(value)).replace("'", "")
    return [f"def {name}{signature}: ..."]


def of_def(node: ast.FunctionDef) -> list[str]:
    """The stub of a function in the source."""
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    lines = [f"@{ast.unparse(one)}" for one in node.decorator_list]
    return [*lines, f"def {node.name}({ast.unparse(node.args)}){returns}: ..."]


def of_statements(
    body: list[ast.stmt], values: Mapping[str, Any], owner: str = ""
) -> Iterator[str]:
    """The lines of a stub for the statements of a module or class."""
    for node in body:
        if isinstance(node, ast.FunctionDef) and (node.name[0] != "_" or owner):
            yield from of_def(node)
        elif isinstance(node, ast.ClassDef):
            yield f"class {node.name}({', '.join(map(ast.unparse, node.bases))}):"
            inner = of_statements(node.body, vars(values[node.name]), node.name)
            yield from (f"    {line}" for line in inner)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for name in (one.id for one in targets if isinstance(one, ast.Name)):
                if name[0] != "_" or owner:
                    yield from of_assignment(name, node, values[name], owner)


def of_composed(module: ModuleType, tree: ast.Module) -> Iterator[str]:
    """The lines of a stub for the functions that `composed` makes, which no statement names."""
    given = {
        one.name for node in tree.body if isinstance(node, ast.ImportFrom) for one in node.names
    }
    for name, value in sorted(vars(module).items()):
        if getattr(value, "__module__", "") == "gluon.symbol" and name not in given:
            yield from of_closure(name, value, "") or ()


def of_assignment(name: str, node: Any, value: Any, owner: str) -> list[str]:
    """The lines of a stub for an assignment of `value`."""
    if made := of_closure(name, value, owner):
        return made
    if name == "__hash__":
        return ["def __hash__(self) -> int: ..."]
    if name == "__slots__":
        return []
    if inspect.isfunction(value):  # another name of a function in the source
        return [f"{name} = {ast.unparse(node.value)}"]
    if isinstance(node, ast.AnnAssign):
        return [f"{name}: {ast.unparse(node.annotation)}"]
    return [ast.unparse(node)]


def imports_of(tree: ast.Module, text: str, module: str) -> list[str]:
    """The imports that a stub with this `text` needs, and those that pass names on."""
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    kept = {**SOURCES, "Symbol": "..symbol" if module in ("np", "np.linalg") else ".symbol"}
    lines = []
    for node in tree.body:
        for one in node.names if isinstance(node, ast.ImportFrom) else ():
            source = "." * node.level + (node.module or "")
            if one.asname == one.name:
                lines.append(f"from {source} import {one.name} as {one.name}")
            elif source != "__future__":
                kept.setdefault(one.name, source)
    by_source: dict[str, list[str]] = {}
    for name in sorted(kept.keys() & used):
        by_source.setdefault(kept[name], []).append(name)
    needed = [f"from {source} import {', '.join(by_source[source])}" for source in by_source]
    return sorted(needed, key=lambda line: (line.startswith("from ."), line)) + lines


def stub(module: str) -> str:
    """The text of the stub of a module of `gluon.symbol`."""
    found = import_module(f"gluon.symbol.{module}")
    tree = ast.parse(Path(found.__file__).read_text(encoding="utf-8"))
    lines = [*of_statements(tree.body, vars(found)), *of_composed(found, tree)]
    body = "\n".join(lines)
    return "\n".join([HEAD, *imports_of(tree, body, module), "", body, ""])


def path(module: str) -> Path:
    """Where the stub of a module is."""
    source = Path(import_module(f"gluon.symbol.{module}").__file__)
    return source.with_suffix(".pyi")


def main(check: bool) -> int:
    old = []
    for module in MODULES:
        text = stub(module)
        place = path(module)
        if not place.exists() or place.read_text(encoding="utf-8") != text:
            old.append(place.relative_to(ROOT))
            if not check:
                place.write_text(text, encoding="utf-8")
    for one in old:
        print(f"{one} is {'not up to date' if check else 'written'}")
    return bool(check and old)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main("--check" in sys.argv[1:]))
