"""Print how many lines of code each folder and file has, against the targets of the project.

Lines of code are those that hold more than blanks, comments and docstrings. The report informs
and never fails: a target is a reason to look, not a rule.
"""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER_TARGETS = {"gluon/engine": 600}
FILE_TARGET = 400
FUNCTION_TARGET = 40
NOT_CODE = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}


def code_lines(source: str) -> set[int]:
    """The numbers of the lines that hold code."""
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


def long_functions(source: str, lines: set[int]) -> list[tuple[str, int]]:
    """The functions above the target, with their lines of code."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            size = len(lines.intersection(range(node.lineno, (node.end_lineno or 0) + 1)))
            if size > FUNCTION_TARGET:
                found.append((node.name, size))
    return found


def note(size: int, target: int | None) -> str:
    return f"   above its target of {target}" if target is not None and size > target else ""


def main() -> None:
    folders: dict[str, dict[str, int]] = {}
    functions = []
    for path in sorted((ROOT / "gluon").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        lines = code_lines(source)
        name = path.relative_to(ROOT).as_posix()
        folders.setdefault(path.parent.relative_to(ROOT).as_posix(), {})[name] = len(lines)
        functions += [(name, *one) for one in long_functions(source, lines)]
    for folder, files in folders.items():
        total = sum(files.values())
        print(f"{total:6}  {folder}/{note(total, FOLDER_TARGETS.get(folder))}")
        for name, size in files.items():
            print(f"{size:10}  {Path(name).name}{note(size, FILE_TARGET)}")
    print(f"{sum(sum(files.values()) for files in folders.values()):6}  all of gluon/")
    for name, function, size in functions:
        print(f"{size:6}  {name}: {function}(){note(size, FUNCTION_TARGET)}")


if __name__ == "__main__":
    main()
