"""How the library is built: of small units, of which only those are compiled that changed."""

from __future__ import annotations

import importlib.util
import os
import time
from pathlib import Path

import pytest

pytest.importorskip("setuptools")

ROOT = Path(__file__).resolve().parents[3]
SOURCES = [
    "native/library.c",
    "native/loops.c",
    "native/avx512.c",
    "native/avx2.c",
    "native/baseline.c",
]
AVX512 = "avx512f avx512bw avx512dq avx512vl"
#: What every family includes: a change of these compiles almost all.
EVERYWHERE = {"array.h", "common.h", "threads.h", "variant.h"}


@pytest.fixture
def building():
    spec = importlib.util.spec_from_file_location("setup", ROOT / "setup.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def few(building, tmp_path, monkeypatch):
    """Put four small files in place of the sources."""
    texts = {
        "library.c": '#include "array.h"',
        "avx2.c": '#include "variant.h"',
        "pool.c": '#include "sums.h"',
        "roi.c": "int x;",
        "array.h": "",
        "variant.h": "#include FAMILY",
        "sums.h": "",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        os.utime(tmp_path / name, (1e9, 1e9))
    monkeypatch.setattr(building, "NATIVE", tmp_path)
    monkeypatch.setattr(building, "VARIANTS", ("avx2",))
    return building.units(["library.c", "avx2.c"])


def test_a_header_is_in_few_units_but_for_those_named_here(building):
    units = building.units(SOURCES)
    headers = {path.name for path in building.NATIVE.glob("*.h")}
    families = {unit.family.name for unit in units if unit.family}
    uses: dict[str, set[str]] = {}
    for unit in units:
        for path in building.files(unit):
            uses.setdefault(path.name, set()).add(unit.family.name if unit.family else "")
    assert {name for name in headers if families <= uses.get(name, set())} == EVERYWHERE
    for name in ("operations.h", "kernels.h", "tables.h", "special.h"):
        assert uses[name] == {"elementwise.c"}, name
    assert uses["products.h"] | uses["sums.h"] < families
    for name in families:
        assert uses[name] == {name}


@pytest.mark.parametrize(
    ("flags", "build", "left_out"),
    [
        ("sse2 avx2 fma", "", {"avx512"}),
        (f"sse2 avx2 fma {AVX512}", "", {"baseline"}),
        ("sse2", "", {"avx512", "avx2"}),
        (f"sse2 avx2 fma {AVX512}", "all", set()),
        ("sse2", "all", set()),
        ("neon", "", set()),
        (f"sse2 avx2 fma {AVX512}", "widest", {"avx2", "baseline"}),
        ("sse2 avx2 fma avx512f", "widest", {"avx512", "baseline"}),
        ("sse2", "widest", {"avx512", "avx2"}),
        ("neon", "widest", set()),
    ],
)
def test_kernels_that_the_machine_cannot_run_or_does_not_choose_are_left_out(
    building, tmp_path, monkeypatch, flags, build, left_out
):
    (tmp_path / "cpuinfo").write_text(f"flags : fpu {flags}\n")
    monkeypatch.setattr(building, "CPUS", tmp_path / "cpuinfo")
    monkeypatch.setenv("GLUON_BUILD", build)
    kinds = {unit.source.stem for unit in building.units(SOURCES) if unit.family}
    assert {"avx512", "avx2", "baseline"} - kinds == left_out


def test_a_machine_whose_processor_is_unknown_leaves_nothing_out(building, tmp_path, monkeypatch):
    monkeypatch.setattr(building, "CPUS", tmp_path / "missing")
    assert not building.left_out()


@pytest.mark.parametrize("prefix", ["/here/env", "/usr"])
def test_virtual_environments_of_a_python_share_their_objects(building, monkeypatch, prefix):
    monkeypatch.setattr(building.sys, "prefix", prefix)
    monkeypatch.setattr(building.sys, "base_prefix", "/usr")
    folders = ["/usr/include/python3.13", "/here/env/include"]
    assert building.shared(folders) == folders[: 1 if prefix == "/here/env" else 2]


def test_units_are_compiled_again_where_a_file_is_newer(building, few, tmp_path):
    calls = []

    def compiled(unit, folder):
        assert folder.is_dir()
        calls.append(unit.name)
        return f"{folder}/{unit.name}.o"

    def build(folder="objects"):
        calls.clear()
        objects = [building.object_of(unit, tmp_path / folder, compiled) for unit in few]
        assert objects == [f"{tmp_path}/{folder}/{unit.name}/{unit.name}.o" for unit in few]
        return sorted(calls)

    everything = ["avx2-pool", "avx2-roi", "library"]
    assert (build(), build()) == (everything, [])
    for name, expected in {
        "sums.h": ["avx2-pool"],
        "roi.c": ["avx2-roi"],
        "array.h": ["library"],
        "variant.h": ["avx2-pool", "avx2-roi"],
        "avx2.c": ["avx2-pool", "avx2-roi"],
    }.items():
        time.sleep(0.01)
        (tmp_path / name).touch()
        assert (build(), build()) == (expected, []), name
    assert build("objects of other flags") == everything


def test_what_changes_during_the_compilation_is_compiled_again(building, few, tmp_path):
    unit = next(unit for unit in few if unit.name == "avx2-pool")

    def compiled(unit, folder):
        calls.append(unit)
        time.sleep(0.01)
        if len(calls) == 1:
            (tmp_path / "sums.h").touch()
        return "x.o"

    calls: list = []
    for _ in range(3):
        building.object_of(unit, tmp_path, compiled)
    assert len(calls) == 2


def test_a_unit_that_failed_is_compiled_again(building, few, tmp_path):
    def fails(unit, folder):
        raise OSError("no compiler")

    (tmp_path / "objects").mkdir()
    building.object_of(few[0], tmp_path / "objects", lambda unit, folder: "x.o")
    time.sleep(0.01)
    few[0].source.touch()
    with pytest.raises(OSError, match="no compiler"):
        building.object_of(few[0], tmp_path / "objects", fails)
    assert building.object_of(few[0], tmp_path / "objects", lambda unit, folder: "y.o") == "y.o"
