"""How the compiled kernels are built; all else is in pyproject.toml.

    python setup.py build_ext --inplace

Each family of kernels is compiled for each kind of processor by itself, as many at a time as there
are cores, and only where a file changed that it includes. Objects are kept in `build/`. On Linux,
kernels are compiled for the two widest kinds of vectors that the machine has: for AVX-512 and AVX2,
or for AVX2 and SSE2. If GLUON_BUILD is `widest`, they are compiled for the widest kind alone. If it
is `all`, as for wheels, they are compiled for all three.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

NATIVE = Path(__file__).parent / "gluon/_core/native"
#: One source for each kind of processor, each compiled with each family; see variant.h.
VARIANTS = ("avx512", "avx2", "baseline")
#: What Linux calls what they need, besides what every x86-64 has.
NEEDS = {"avx512": {"avx512f", "avx512bw", "avx512dq", "avx512vl"}, "avx2": {"avx2", "fma"}}
#: Where Linux says what the processors can do.
CPUS = Path("/proc/cpuinfo")


class Unit(NamedTuple):
    """What one call of the compiler makes: of a source, for variants with the file of a family."""

    source: Path
    family: Path | None = None

    @property
    def name(self) -> str:
        """The name of its folder."""
        return "-".join(path.stem for path in self if path)


def left_out() -> set[str]:
    """The kinds of processors for which no kernels are compiled."""
    flags = {*CPUS.read_text(encoding="utf-8").split()} if CPUS.exists() else set()
    build = os.environ.get("GLUON_BUILD")
    if "sse2" not in flags or build == "all":
        return set()
    runs = [kind for kind in VARIANTS if NEEDS.get(kind, set()) <= flags]
    return {*VARIANTS} - {*runs[: 1 if build == "widest" else 2]}


def units(sources: list[str]) -> list[Unit]:
    """The units of the library: of `sources`, and of all other files, which are families."""
    others = [NATIVE / Path(source).name for source in sources]
    families = sorted({*NATIVE.glob("*.c")} - {*others})
    found = [Unit(path) for path in others if path.stem not in VARIANTS]
    kinds = [name for name in VARIANTS if name not in left_out()]
    found += [Unit(NATIVE / f"{name}.c", family) for name in kinds for family in families]
    return sorted(found, key=lambda unit: -(unit.family or unit.source).stat().st_size)


def files(unit: Unit) -> set[Path]:
    """The files of gluon that a unit consists of."""
    found: set[Path] = set()
    left = [path for path in unit if path]
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            names = re.findall(r'^ *# *include "(.+)"', path.read_text(encoding="utf-8"), re.M)
            left += [path.parent / name for name in names]
    return found


def object_of(unit: Unit, folder: Path, compiled: Callable[[Unit, Path], str]) -> str:
    """Return the object of a unit: that in `folder`, unless a file of the unit is newer."""
    stamp = folder / unit.name / "stamp"  # its text is the path of the object
    newest = max(path.stat().st_mtime_ns for path in files(unit))
    if stamp.exists() and newest < stamp.stat().st_mtime_ns:
        return stamp.read_text(encoding="utf-8")
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    start = time.time_ns()
    made = compiled(unit, stamp.parent)
    stamp.write_text(made, encoding="utf-8")
    os.utime(stamp, ns=(start, start))  # a file that was written since then is newer
    return made


def shared(folders: list[str]) -> list[str]:
    """The folders with headers that all virtual environments of a Python share.

    Each adds one of its own, without a header that gluon includes: objects of one serve others.
    """
    own = Path(sys.prefix)
    return [one for one in folders if sys.prefix == sys.base_prefix or own not in Path(one).parents]


class BuildKernels(build_ext):
    """Compile the units that changed, side by side, and link the library."""

    def run(self) -> None:
        """Build, and fail where C does not compile, unless pip has asked: it installs without."""
        for ext in self.extensions if self.inplace and not self.editable_mode else ():
            ext.optional = False
        super().run()

    def build_extension(self, ext: Extension) -> None:
        """Make the objects, and hand them on to be linked."""
        missing = [(f"WITHOUT_{kind.upper()}", None) for kind in sorted(left_out())]

        def compiled(unit: Unit, folder: Path) -> str:
            (made,) = self.compiler.compile(
                [os.path.relpath(unit.source)],
                output_dir=str(folder),
                macros=[("FAMILY", f'"{unit.family.name}"')] if unit.family else missing,
                include_dirs=ext.include_dirs,
                extra_postargs=ext.extra_compile_args,
            )
            return made

        command = getattr(self.compiler, "compiler_so", None)
        folders = shared(self.compiler.include_dirs)

        def made(unit: Unit) -> str:
            macros = [] if unit.family else missing
            text = repr([command, folders, ext.extra_compile_args, macros])
            name = hashlib.sha256(text.encode()).hexdigest()[:12]
            return object_of(unit, Path("build", f"kernels-{name}"), compiled)

        with ThreadPoolExecutor(self.parallel or os.cpu_count()) as pool:
            ext.extra_objects = sorted(pool.map(made, units(ext.sources)))
        ext.sources = []
        self.force = True  # to link: the objects may be older than a library of other ones
        super().build_extension(ext)


if __name__ == "__main__":
    setup(cmdclass={"build_ext": BuildKernels})
