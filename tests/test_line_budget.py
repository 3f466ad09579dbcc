"""Nothing exceeds its recorded size unnoticed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SPEC = importlib.util.spec_from_file_location("line_budget", ROOT / ".ci" / "line_budget.py")
budget = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(budget)


def lines(count: int, indent: str = "") -> str:
    return "".join(f"{indent}a{k} = {k}\n" for k in range(count))


@pytest.fixture
def sizes(tmp_path):
    """The sizes to record for a project with these sources."""

    def measured(**sources: str) -> dict[str, int]:
        for name, text in sources.items():
            path = tmp_path / "gluon" / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_suffix(".py").write_text(text)
        return budget.to_record(*budget.measure(tmp_path))

    return measured


def test_blanks_comments_and_docstrings_are_no_code():
    source = '"""Doc.\n\nMore.\n"""\n\n# why\nx = (\n    1,\n)  # one\n\ndef f():\n    """Doc."""\n'
    assert budget.code_lines(source) == {7, 8, 9, 11}


def test_what_is_within_its_target_needs_no_entry(sizes):
    found = sizes(small=lines(400) + "\n# " + "\n# ".join("abc"), _core__engine__a=lines(3))
    assert found == {"gluon/_core/engine": 3}


def test_long_files_and_functions_need_one(sizes):
    method = "class A:\n    def f(self):\n" + lines(40, " " * 8)
    found = sizes(long=lines(401), methods=method)
    assert found == {
        "gluon/_core/engine": 0,
        "gluon/long.py": 401,
        "gluon/methods.py: A.f": 41,
    }
    recorded = {"gluon/_core/engine": budget.Recorded(0, "small")}
    assert budget.complaints(found, recorded) == [
        "gluon/long.py has 401 lines of code; the target is 400",
        "gluon/methods.py: A.f has 41 lines of code; the target is 40",
    ]


def test_growth_a_missing_reason_and_an_old_entry_are_named():
    recorded = {
        "gluon/_core/engine": budget.Recorded(1261, "what it is"),
        "gluon/a.py": budget.Recorded(410, budget.NO_REASON),
        "gluon/b.py": budget.Recorded(500, "long"),
    }
    found = budget.complaints({"gluon/_core/engine": 1262, "gluon/a.py": 405}, recorded)
    assert found == [
        "gluon/_core/engine grew from 1261 to 1262 lines of code",
        "gluon/a.py has no reason",
        "gluon/b.py is within its target or gone",
    ]


def test_recording_keeps_the_reasons_and_nothing_else():
    before = {"a": budget.Recorded(9, "long"), "b": budget.Recorded(9, "gone")}
    after = budget.read(budget.written({"a": 12, "c": 3}, before))
    assert after == {
        "a": budget.Recorded(12, "long"),
        "c": budget.Recorded(3, budget.NO_REASON),
    }
    with pytest.raises(SystemExit, match="not an entry"):
        budget.read("a = 1")


def test_the_project_is_within_its_budget():
    recorded = budget.read(budget.RECORD.read_text(encoding="utf-8"))
    assert budget.complaints(budget.to_record(*budget.measure(ROOT)), recorded) == []
