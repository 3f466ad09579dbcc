"""The conditions under which compiled kernels are used, and how they are reported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gluon.__main__ import report
from gluon._core import runtime
from gluon._core.native.loading import library, status

ROOT = Path(__file__).resolve().parents[3]
needs_library = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")


def said(**variables: str) -> dict[str, str]:
    """Return what `python -m gluon` prints with these variables."""
    kept = {name: x for name, x in os.environ.items() if not name.startswith("GLUON_")}
    run = subprocess.run(
        [sys.executable, "-m", "gluon"],
        env={**kept, **variables},
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert not run.stderr
    lines = (line.split("  ", 1) for line in run.stdout.splitlines())
    return {name.strip(): value.strip() for name, value in lines}


def test_kernels_are_switched_off_by_a_variable():
    found = said(GLUON_NATIVE="0")
    assert found["native kernels"] == "none (switched off by GLUON_NATIVE=0)"
    assert found["freed memory"] == "given back"


@pytest.mark.parametrize("reason", ["not built: there was no C compiler", "switched off"])
def test_a_report_names_another_gluon_that_has_kernels(tmp_path, monkeypatch, reason):
    """As in a clone, after gluon was installed from it."""
    state = runtime.compiled()._replace(instructions="", reason=reason)
    monkeypatch.setattr(runtime, "compiled", lambda: state)
    monkeypatch.setattr(sys, "path", [str(ROOT), str(tmp_path)])
    native = tmp_path / "gluon" / "_core" / "native"
    native.mkdir(parents=True)
    assert "has native kernels" not in report()
    (native / "_library.so").touch()
    told = f"{(tmp_path / 'gluon').resolve()} has native kernels; " in report()
    assert told == reason.startswith("not built")


@needs_library
def test_variables_choose_instructions_threads_and_memory():
    plain = said(GLUON_NATIVE="")["native kernels"]
    assert plain in ("avx512", "avx2", "sse2", "neon", "portable")
    narrower = {"avx512": "avx2", "avx2": "sse2"}.get(plain, plain)  # the second that is compiled
    other = said(GLUON_NATIVE=narrower, OMP_NUM_THREADS="3", GLUON_KEEP_MEMORY="0")
    assert other["native kernels"] == narrower
    assert (other["threads"], other["freed memory"]) == ("3", "given back")
    own = said(GLUON_SHARE_THREADS="0")
    assert own["matrix products"] == "on threads of NumPy's library"


def test_a_library_that_does_not_load_is_left_out(tmp_path):
    """A file that is not a library stands for one built for another system."""
    (tmp_path / "_library.so").write_bytes(b"\x7fELF not a library")
    run = subprocess.run(
        [sys.executable, "-m", "tests._core.native.programs.other_file", tmp_path / "_library.so"],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "GLUON_NATIVE"},
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    reason, total = run.stdout.splitlines()
    assert reason.startswith("not loaded: ")
    assert float(total) == pytest.approx(100)


@needs_library
def test_run_refuses_what_is_no_kernel_and_no_array():
    for arguments in ((), (0, (), ()), (0, [], (), ())):
        with pytest.raises(TypeError):
            library.run(*arguments)
    with pytest.raises(TypeError, match="arrays of NumPy"):
        library.run(0, ([1.0],), (), ())
    with pytest.raises(IndexError):
        library.run(len(library.KERNELS), (), (), ())
    with pytest.raises(ValueError, match="too many"):
        library.run(0, (), tuple(range(1000)), ())


@needs_library
def test_every_kernel_refuses_arrays_that_it_was_not_written_for():
    """None of them accesses memory before it has checked sizes and types."""
    read_only = np.ones(64, "float32")
    read_only.flags.writeable = False
    several = [
        (),
        (np.ones(3, "float32"),),
        (np.ones(0, "float32"),) * 4,
        (np.ones((2, 3), "int32"),) * 3,
        (None,) * 5,
        (np.ones((4, 4), "float32")[::2, ::2],) * 16,
        (read_only,) * 3,
    ]
    numbers = [(), (0,) * 4, (-1,) * 32, (1 << 62,) * 32, (1 << 31, 1 << 31, 1), (64, 1), (8, 8)]
    for number in range(len(library.KERNELS)):
        for arrays in several:
            for integers in numbers:
                for reals in ((), (0.5,) * 8):
                    library.run(number, arrays, integers, reals)
    assert np.array_equal(read_only, np.ones(64))
