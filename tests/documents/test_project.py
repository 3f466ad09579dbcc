"""Checks of the statements in the README, the documentation and the metadata."""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import io
import re
import runpy
import subprocess
from pathlib import Path

import pytest

import gluon
from tests.each import each
from tests.printed import same

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROSE = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
VERSION = re.search(r'^version = "(.+)"$', PYPROJECT, re.M).group(1)


def blocks(path: Path, *languages: str) -> list[tuple[str, str]]:
    """The fenced blocks of a Markdown file in the given languages, in order."""
    fences = re.findall(r"^```(\w+)\n(.*?)^```$", path.read_text(encoding="utf-8"), re.M | re.S)
    return [(language, text) for language, text in fences if language in languages]


#: The pages of errors have programs that fail; tests/documents/test_errors.py runs them.
RUN = [p for p in PROSE if blocks(p, "python") and p.parent.name != "errors"]


@pytest.mark.parametrize("path", RUN, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_examples_run_and_print_what_follows_them(path):
    gluon.random.seed(0)
    namespace: dict = {}
    printed = ""
    for language, text in blocks(path, "python", "text"):
        if language == "text":
            lines = [line.rstrip() for line in printed.strip().splitlines()]
            printed = "\n".join(lines)  # tables are padded, files are not
            assert same(text.strip(), printed), printed
            printed = ""
            continue
        assert not printed, f"the output {printed!r} is shown nowhere"
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(text, str(path), "exec"), namespace)
        printed = out.getvalue()
    assert not printed, f"the output {printed!r} is shown nowhere"


def test_the_front_pages_begin_with_the_picture_and_a_training_loop():
    for path in (ROOT / "README.md", ROOT / "docs" / "index.md"):
        text = path.read_text(encoding="utf-8")
        picture, code, table = (text.index(start) for start in ("![", "```python", "\n|"))
        assert picture < code < table
        assert "autograd.record()" in text[code:table]
        assert "trainer.step" in text[code:table]


def test_the_logo_is_what_its_script_draws():
    drawn = runpy.run_path(str(ROOT / "docs" / "logo.py"))
    assert drawn["TARGET"].read_text(encoding="utf-8") == drawn["draw"]()


def test_the_readme_example_has_at_most_fifteen_lines_of_code():
    ((_, example),) = blocks(ROOT / "README.md", "python")
    assert len([line for line in example.splitlines() if line.strip()]) <= 15


@pytest.mark.parametrize("extra", ["digits", "test"])
def test_set_up_commands_name_an_extra_and_a_script_that_exist(extra):
    commands = re.findall(
        rf'^pip install (?:--no-compile |-e )?"\.\[{extra}\]" && .*$', README, re.M
    )
    assert len(commands) == 1
    assert re.search(rf"^{extra} = \[", PYPROJECT, re.M)
    script = re.search(r"python (\S+\.py)$", commands[0])
    assert script is None or (ROOT / script.group(1)).is_file()


def replacements() -> list[str]:
    """The right-hand side of every row of the table "From MXNet to gluon"."""
    section = README.split("## From MXNet to gluon")[1].split("\n## ")[0]
    rows = re.findall(r"^\| .+ \| (.+) \|$", section, re.M)[1:]
    return [code for row in rows for code in re.findall(r"`([^`]+)`", row)]


@pytest.mark.parametrize("code", [c for c in replacements() if "import" in c])
def test_imports_in_the_mxnet_table_work(code):
    exec(code, {})


@pytest.mark.parametrize("code", [c for c in replacements() if "import" not in c])
def test_names_in_the_mxnet_table_exist(code):
    module, *names = code.split("(")[0].split(".")
    found = importlib.import_module(module)
    for name in names:
        found = getattr(found, name)


@each("path", PROSE)
def test_files_named_in_prose_exist(path):
    named = re.findall(
        r"(?<!pip install )[`(]((?:\.ci|benchmarks|docs|gluon|tests|tutorials)/[\w./-]*)[`)]",
        path.read_text(encoding="utf-8"),
    )
    written_by_programs = {".png", ".html"}
    missing = {
        name
        for name in named
        if not (ROOT / name).exists() and Path(name).suffix not in written_by_programs
    }
    assert not missing


NAME = re.search(r'^name = "(.+)"$', PYPROJECT, re.M).group(1)
EXTRAS = re.findall(
    r"^([\w-]+) = \[", PYPROJECT.split("[project.optional-dependencies]")[1].split("\n[")[0], re.M
)


def test_every_command_that_installs_names_this_distribution_and_an_extra():
    found = []
    for path in [*PROSE, *(ROOT / "gluon").rglob("*.py"), ROOT / "pyproject.toml"]:
        text = path.read_text(encoding="utf-8")
        named = re.findall(r'[" ](gluon[\w-]*|\.)\[([\w, -]+)\]"', text)
        found += [(path.name, name, one) for name, some in named for one in some.split(",")]
    assert len(found) > 10
    assert [one for one in found if one[1] not in (NAME, ".") or one[2] not in EXTRAS] == []
    assert NAME != "gluon"  # which is another project's on PyPI


#: Every address that the project names, so that none is made up: open a new one before it is added.
ADDRESSES = {
    "https://keepachangelog.com/en/1.1.0/",
    "https://semver.org/spec/v2.0.0.html",
    "https://ui.perfetto.dev",
}


def test_no_address_is_made_up():
    found = set()
    for path in [*PROSE, ROOT / "CHANGELOG.md", ROOT / "pyproject.toml"]:
        text = path.read_text(encoding="utf-8")
        found.update(re.findall(r"https?://(?!localhost|127\.0)[\w./~%#?=&-]+", text))
    assert found == ADDRESSES
    assert "[project.urls]" not in PYPROJECT


def test_one_version():
    assert gluon.__version__ == VERSION
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_numpy_is_the_only_required_dependency():
    assert re.findall(r"^dependencies = (.+)$", PYPROJECT, re.M) == ['["numpy>=1.26"]']


def test_the_installed_package_carries_its_type_marker():
    assert (ROOT / "gluon/py.typed").is_file()
    try:
        files = importlib.metadata.files("gluon-autograd") or []
    except importlib.metadata.PackageNotFoundError:
        return  # run from a checkout, nothing installed
    names = {file.as_posix() for file in files}
    if "gluon/__init__.py" in names:  # an editable install lists no modules
        assert "gluon/py.typed" in names


def tracked() -> list[Path]:
    """The files under version control; skips where there is no repository."""
    git = ["git", "-C", str(ROOT), "ls-files", "-z"]
    try:
        names = subprocess.run(git, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize(
    "unwanted",
    [
        pytest.param(r"(?<![\w.])/(?:home|root|tmp|Users|work)/\w", id="a path of one machine"),
        pytest.param(r"^(?:<{7} |>{7} ).*", id="a merge left half done"),
    ],
)
def test_no_file_holds(unwanted):
    found = []
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{path.name}: {m.group()}" for m in re.finditer(unwanted, text, re.M)]
    assert found == []
