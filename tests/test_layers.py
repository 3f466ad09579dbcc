"""The floors of the architecture: imports go down, never up, and without cycles."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
#: The folder of what is not public.
CORE = "_core"


def stated(page: str) -> list[str]:
    """Each floor of the tree on the page, from the top: its files and folders, as paths."""
    tree = page[page.index("gluon/\n") : page.index("```", page.index("gluon/\n"))]
    floors: list[str] = []
    inside = ""
    for line in tree.splitlines()[1:]:
        indent = len(line) - len(line.lstrip())
        found = re.findall(r"(?:^|(?<= ))(\w+)(?:/|\.py)(?= |$)", line.strip().partition("  ")[0])
        if found == [CORE]:
            inside = f"{CORE}."
            continue
        names = " ".join(inside + name for name in found)
        if indent > (4 if inside else 2):
            floors[-1] += " " + names
        else:
            floors.append(names)
    return floors


#: Each file or folder directly under gluon/ and under gluon/_core/, and the floor it stands on.
FLOORS = {
    name: floor
    for floor, names in enumerate([*reversed(stated(ARCHITECTURE)), "__init__ __main__"])
    for name in names.split()
}
#: The module that may name classes of the floor above, for types only.
NAMES_ABOVE = "gluon._core.arrays.interfaces"
RUN_TIME = {*sys.stdlib_module_names, "numpy"}


class Import(NamedTuple):
    """One imported module, and the location of the import statement."""

    target: str
    line: int
    at_module_level: bool
    for_types_only: bool


#: Functions that import a module by its name.
IMPORTERS = {"import_module", "__import__", "_import_module"}
#: What a name that is put together in an f-string may be.
ANY = "*"


def by_call(node: ast.Call, package: str) -> str | None:
    """The module that a call of one of `IMPORTERS` imports; `ANY` for a part that varies."""
    called = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    if called not in IMPORTERS:
        return None
    given = node.args[0] if node.args else node.keywords[0].value
    name = ANY
    if isinstance(given, ast.Constant):
        name = str(given.value)
    elif isinstance(given, ast.JoinedStr):
        name = "".join(
            str(part.value)
            if isinstance(part, ast.Constant)
            else package
            if ast.unparse(part.value) in ("__name__", "__package__")
            else ANY
            for part in given.values
        )
    dots = len(name) - len(name.lstrip("."))
    if not dots:
        return name
    base = package.split(".")
    return ".".join([*base[: len(base) - dots + 1], *filter(None, [name[dots:]])])


def modules(package: Path) -> dict[str, Path]:
    """Every module under `package` by its dotted name; a package goes by its own name."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


#: The parsed form of a source text: the three checks of `gluon` read the same ones.
parsed = cache(ast.parse)


def imports(name: str, known: dict[str, Path]) -> Iterator[Import]:
    """The modules that the module `name` imports, or imports names from."""
    is_package = known[name].name == "__init__.py"

    def visit(node: ast.AST, at_module_level: bool, for_types: bool) -> Iterator[Import]:
        targets = []
        if isinstance(node, ast.Call):
            package = name if is_package else name.rpartition(".")[0]
            targets = [target] if (target := by_call(node, package)) else []
        elif isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = name.split(".")
            base = base[: len(base) - node.level + is_package] if node.level else []
            source = ".".join([*base, *filter(None, [node.module])])
            for alias in node.names:
                member = f"{source}.{alias.name}"
                targets.append(member if member in known else source)
        for target in targets:
            yield Import(target, node.lineno, at_module_level, for_types)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            at_module_level = False
        types = for_types or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test))
        for child in ast.iter_child_nodes(node):
            yield from visit(child, at_module_level, types)

    yield from visit(parsed(known[name].read_text(encoding="utf-8")), True, False)


def place(module: str) -> str:
    """The entry of `FLOORS` to which a module of gluon belongs."""
    parts = [*module.split("."), "__init__"][1:]
    return ".".join(parts[:2]) if parts[0] == CORE and len(parts) > 2 else parts[0]


def floor(module: str) -> int:
    """The floor of ``gluon.<name>...``; of ``gluon`` itself, the roof."""
    name = place(module)
    if name == CORE:  # its documentation
        return 0
    if name not in FLOORS:
        raise KeyError(f"gluon/{name} stands on no floor yet: give it one in docs/architecture.md")
    return FLOORS[name]


def upward(package: Path) -> list[str]:
    """The imports of a higher floor, whether at module level, in a function or for types."""
    known = modules(package)
    found = []
    for name in known:
        for one in imports(name, known):
            first, _, rest = one.target.partition(".")
            if first != package.name:
                if first == ANY and floor(name) < floor(f"{package.name}._hook"):
                    found.append(f"{name}:{one.line} imports a module whose name is not written")
                continue
            if name == package.name:  # the roof, which may import anything
                continue
            anything = rest.removeprefix(f"{CORE}.").startswith(ANY)
            above = anything or floor(one.target) > floor(name)
            if above and not (name == NAMES_ABOVE and one.for_types_only):
                found.append(f"{name}:{one.line} (floor {floor(name)}) imports {one.target}")
    return found


def cycle(package: Path) -> list[str]:
    """The modules of an import cycle, in functions or not; empty when there is none."""
    known = modules(package)
    graph = {
        name: {
            one.target
            for one in imports(name, known)
            if not one.for_types_only and one.target in known and one.target != name
        }
        for name in known
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


#: Where PyTorch may be imported, by modules that the first array on a device imports.
OF_DEVICES = "gluon._core.devices."


def foreign(package: Path) -> list[str]:
    """The imports at module level of anything but NumPy, the standard library and gluon."""
    known = modules(package)
    return [
        f"{name}:{one.line} imports {one.target}"
        for name in known
        for one in imports(name, known)
        if one.at_module_level
        and not one.for_types_only
        and one.target.split(".")[0] not in {*RUN_TIME, package.name}
        and not (name.startswith(OF_DEVICES) and one.target.split(".")[0] in ("torch", "ml_dtypes"))
    ]


def names(path: Path) -> set[str]:
    """The identifiers in the code of a file, comments and docstrings left out."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    return {token.string for token in tokens if token.type == tokenize.NAME}


def test_no_module_imports_from_a_higher_floor():
    assert upward(ROOT / "gluon") == []


def test_each_floor_has_what_is_there_and_nothing_else():
    there = {place(name) for name in modules(ROOT / "gluon")} - {CORE}
    assert {*there, "__init__"} == FLOORS.keys()


def test_the_core_imports_nothing_public():
    core = [floor for name, floor in FLOORS.items() if name.startswith(CORE)]
    public = [floor for name, floor in FLOORS.items() if not name.startswith("_")]
    assert max(core) < min(public)


def test_no_import_cycles():
    assert cycle(ROOT / "gluon") == []


def test_numpy_is_the_only_dependency_at_import():
    assert foreign(ROOT / "gluon") == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "gluon/_core/engine").glob("*.py")), ids=lambda p: p.name
)
def test_the_engine_never_names_ndarray(path):
    assert "NDArray" not in names(path)


# ------------------------------------------------------------------------------- names of families


def files(folder: str) -> set[str]:
    """The names of the modules in a folder of `gluon`, those for themselves left out."""
    return {
        path.stem
        for path in (ROOT / "gluon" / folder).iterdir()
        if not path.stem.startswith("_") and (path.suffix == ".py" or path.is_dir())
    }


def test_families_have_one_file_name_as_the_documentation_says():
    text = " ".join(ARCHITECTURE.split())
    assert files("_core/ops") - files("_core/kernels") == set()
    others = text[text.index("under other names:") : text.index("| Folder | What")]
    renamed = set(re.findall(r"`(\w+)`", others)) & files("_core/ops")
    assert files("_core/ops") - files("nd") == renamed - files("nd")
    shared = re.search(r"files of the same name in `gluon/np/` and `gluon/nd/`: ([^.]+)\.", text)[1]
    plumbing = {"absent", "methods", "operators"}
    assert (files("nd") & files("np")) - plumbing == set(re.findall(r"`(\w+)`", shared))


# ------------------------------------------------------------------- the checks find what they seek


@pytest.fixture
def house(tmp_path):
    """Build a package of the given files and return its folder."""

    def build(**sources: str) -> Path:
        package = tmp_path / "gluon"
        for name, source in {"__init__": "", **sources}.items():
            path = package / (name.replace("__in__", "/") + ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source)
        return package

    return build


@pytest.mark.parametrize(
    "source",
    [
        "from ..arrays.array import NDArray",
        "from ..arrays import array",
        "from .. import arrays",
        "from gluon._core import arrays",
        "import gluon._core.arrays.array",
        "def f():\n    from ..arrays import array",
        "if TYPE_CHECKING:\n    from ..arrays import array",
        "from ... import anything_public",
        "import_module('..arrays', __name__)",
        "import_module('gluon._core.arrays.array')",
        "def f():\n    return importlib.import_module(name='gluon._core.arrays')",
        "def f():\n    return __import__('gluon._core.arrays')",
        "f = lambda: import_module(f'gluon._core.arrays.{name}')",
        "def __getattr__(name):\n    return import_module(f'...{name}', __package__)",
        "def __getattr__(name):\n    return import_module(f'..{name}', __package__)",
        "def f(name):\n    return import_module(name)",
        "def f():\n    return [1 for x in y if import_module('gluon._core.arrays')]",
    ],
)
def test_an_upward_import_is_found_in_every_spelling(house, source):
    package = house(
        _core__in__engine__in__tape=source,
        _core__in__arrays__in__array="",
        _core__in__arrays__in____init__="",
        _core__in____init__="",
    )
    assert len(upward(package)) == 1


def test_downward_imports_pass(house):
    package = house(
        __init__="from .nn import Dense",
        nn__in____init__="from .dense import Dense",
        nn__in__dense="from ..block import Block",
        block="import json\nimport numpy\nfrom ._core.engine import mode\n",
        _core__in__engine__in__mode="",
    )
    assert (upward(package), cycle(package), foreign(package)) == ([], [], [])


def test_a_module_without_a_floor_is_found(house):
    with pytest.raises(KeyError, match="gluon/attic stands on no floor"):
        upward(house(attic="from ._core import engine", _core__in__engine__in____init__=""))


def test_a_cycle_is_found_unless_it_is_for_types(house):
    one = "from .two import B"
    assert cycle(house(one=one, two="from .one import A"))
    assert not cycle(house(one=one, two="if TYPE_CHECKING:\n    from .one import A"))
    assert cycle(house(one=one, two="def f():\n    from .one import A"))
    assert cycle(house(one=one, two="def f():\n    import_module('.one', 'gluon')"))


def test_a_foreign_import_is_found_unless_it_is_deferred(house):
    assert len(foreign(house(block="import scipy.linalg"))) == 1
    assert not foreign(house(block="def f():\n    import scipy.linalg"))
