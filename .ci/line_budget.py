"""Fail where a file, a function or a folder has grown past its size.

    python .ci/line_budget.py            # the report; fails above a target or a recorded size
    python .ci/line_budget.py --record   # writes today's sizes beside their reasons

Lines of code are those that hold more than blanks, comments and docstrings. What is above a target
stands in `line_budget.toml` with its size and the reason; it may shrink, but not grow. `--record`
keeps the reasons, drops what is within its target again, and asks for a reason where there is none.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
RECORD = Path(__file__).with_suffix(".toml")
#: Folders whose total size is recorded.
FOLDERS = ("gluon/_core/engine",)
FILE_TARGET = 400
FUNCTION_TARGET = 40
NO_REASON = "TODO: why?"
HEADER = """\
# What is longer than its target (400 lines of code for a file, 40 for a function), and the folders
# that are to stay as small as they are: each with its size and the reason. `line_budget.py` fails
# where one grows. Write new sizes with: python .ci/line_budget.py --record

"""
NOT_CODE = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}


class Recorded(NamedTuple):
    """An allowed size, and its reason."""

    lines: int
    reason: str


def code_lines(source: str) -> set[int]:
    """Return the numbers of the lines that hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NOT_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def functions(source: str, lines: set[int]) -> dict[str, int]:
    """Return the functions with their lines of code; methods as ``Class.method``."""
    found: dict[str, int] = {}

    def visit(node: ast.AST, path: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{path}{child.name}"
                if not isinstance(child, ast.ClassDef):
                    size = len(lines.intersection(range(child.lineno, (child.end_lineno or 0) + 1)))
                    found[name] = max(size, found.get(name, 0))
                visit(child, f"{name}.")
            else:
                visit(child, path)

    visit(ast.parse(source), "")
    return found


def measure(root: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Return the lines of code of each file in ``gluon/``, and of functions as ``file: name``."""
    files, by_function = {}, {}
    for path in sorted((root / "gluon").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        lines = code_lines(source)
        name = path.relative_to(root).as_posix()
        files[name] = len(lines)
        by_function.update({f"{name}: {f}": size for f, size in functions(source, lines).items()})
    return files, by_function


def folder_size(folder: str, files: dict[str, int]) -> int:
    return sum(size for name, size in files.items() if name.startswith(f"{folder}/"))


def to_record(files: dict[str, int], by_function: dict[str, int]) -> dict[str, int]:
    """Return the sizes that need an entry: of listed folders, and above their target."""
    return {
        **{folder: folder_size(folder, files) for folder in FOLDERS},
        **{name: size for name, size in files.items() if size > FILE_TARGET},
        **{name: size for name, size in by_function.items() if size > FUNCTION_TARGET},
    }


def read(text: str) -> dict[str, Recorded]:
    """Read the entries of the record, ``"name" = { lines = 1, reason = "..." }``, one per line."""
    found = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            entry = re.fullmatch(r'"(.+?)" = \{ lines = (\d+), reason = "(.+)" \}', line)
            if entry is None:
                raise SystemExit(f"{RECORD.name}: not an entry: {line}")
            found[entry[1]] = Recorded(int(entry[2]), entry[3])
    return found


def written(sizes: dict[str, int], before: dict[str, Recorded]) -> str:
    """Return the record of these sizes, with the existing reasons."""
    reasons = {name: before[name].reason if name in before else NO_REASON for name in sizes}
    return HEADER + "".join(
        f'"{name}" = {{ lines = {size}, reason = "{reasons[name]}" }}\n'
        for name, size in sorted(sizes.items())
    )


def complaints(sizes: dict[str, int], recorded: dict[str, Recorded]) -> list[str]:
    """Return what has grown, what lacks a reason, and entries that are no longer needed."""
    found = []
    for name, size in sorted(sizes.items()):
        if name not in recorded:
            target = FUNCTION_TARGET if ": " in name else FILE_TARGET
            found.append(f"{name} has {size} lines of code; the target is {target}")
        elif size > recorded[name].lines:
            found.append(f"{name} grew from {recorded[name].lines} to {size} lines of code")
    found += [f"{name} has no reason" for name in recorded if recorded[name].reason == NO_REASON]
    found += [f"{name} is within its target or gone" for name in recorded if name not in sizes]
    return found


def report(files: dict[str, int]) -> None:
    """Print the lines of code of each folder and file."""
    folders: dict[str, list[str]] = {}
    for name in files:
        folders.setdefault(Path(name).parent.as_posix(), []).append(name)
    for folder, names in folders.items():
        print(f"{sum(files[name] for name in names):6}  {folder}/")
        for name in names:
            print(f"{files[name]:10}  {Path(name).name}")
    print(f"{sum(files.values()):6}  all of gluon/")


def main(arguments: list[str]) -> int:
    files, by_function = measure(ROOT)
    sizes = to_record(files, by_function)
    recorded = read(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    if arguments == ["--record"]:
        RECORD.write_text(written(sizes, recorded), encoding="utf-8")
        recorded = read(RECORD.read_text(encoding="utf-8"))
    elif arguments:
        print("usage: python .ci/line_budget.py [--record]")
        return 2
    else:
        report(files)
    found = complaints(sizes, recorded)
    for one in found:
        print(one)
    if found:
        print(f"Make it smaller, or give the size and the reason in .ci/{RECORD.name}: --record")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
