"""Build the distributions in a clone that also holds unrelated files, and check their content.

    python .ci/check_dists.py FOLDER          # an empty folder to work in
    python .ci/check_dists.py FOLDER WHEEL    # check another wheel as well

The clone has a virtual environment in ``venv/``, data and pictures, as clones have. The source
distribution must hold files of the repository alone, the wheel the package alone, both be small.
The wheel that is built here has kernels for one kind of processor, which compile in a third of the
time; give one that has all of them, to know that it is small too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "gluon_autograd"
#: Unrelated files in clones; each must be left out.
THINGS = ("venv/lib/big.bin", "env/lib/big.bin", "data/digits.bin", "model.params", "notes.ipynb")
MEGABYTES = {".tar.gz": 6.5, ".whl": 3.1}


def tracked() -> list[str]:
    """Return the files of the repository, including those not committed yet."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others"]
    run = subprocess.run([*command, "--exclude-standard"], capture_output=True, check=True)
    names = run.stdout.decode().split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


def clone(names: list[str], folder: Path) -> None:
    """Clone the repository, and add files that do not belong to it."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    for name in THINGS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(bytes(range(256)) * 40_000)


def contents(path: Path) -> list[str]:
    """Return the files in a distribution, without the top folder of a source distribution."""
    if path.suffix == ".whl":
        return zipfile.ZipFile(path).namelist()
    with tarfile.open(path) as archive:
        return [one.name.partition("/")[2] for one in archive if one.isfile()]


def problems(source: Path, wheels: list[Path], names: list[str]) -> list[str]:
    """Return the problems of the distributions."""
    found = []
    for path in (source, *wheels):
        kind = ".whl" if path.suffix == ".whl" else ".tar.gz"
        size = path.stat().st_size / 1e6
        if size > MEGABYTES[kind]:
            found.append(f"{path.name} has {size:.1f} MB; at most {MEGABYTES[kind]} are expected")
        if not path.name.startswith(f"{NAME}-"):
            found.append(f"{path.name} does not begin with {NAME}")
    inside = contents(source)
    found += [
        f"{source.name} has {one}"
        for one in {*inside} - {*names, "PKG-INFO"}
        if ".egg-info/" not in one
    ]
    needed = {name for name in names if name.startswith(("gluon/", "recorded/", "tests/"))} | {
        "LICENSE"
    }
    found += [f"{source.name} lacks {one}" for one in needed - {*inside}]
    return found + [one for wheel in wheels for one in of_wheel(wheel, names)]


def of_wheel(wheel: Path, names: list[str]) -> list[str]:
    """Return what a wheel has or lacks besides the package."""
    inside = contents(wheel)
    package = {name for name in names if name.startswith("gluon/")}
    found = [f"{wheel.name} lacks {one}" for one in package - {*inside}]
    compiled = "gluon/_core/native/_library."
    others = [
        one
        for one in inside
        if one not in package and ".dist-info/" not in one and not one.startswith(compiled)
    ]
    found += [f"{wheel.name} has {one}" for one in others]
    if not any(one.endswith("licenses/LICENSE") for one in inside):
        found.append(f"{wheel.name} lacks the licence")
    return found


def main(work: Path, *wheels: Path) -> int:
    names = tracked()
    clone(names, work / "clone")
    build = [sys.executable, "-m", "build", "--outdir", str(work / "dist"), str(work / "clone")]
    settings = {**os.environ, "GLUON_BUILD": "widest"}
    run = subprocess.run(
        build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=settings
    )
    if run.returncode:
        print(run.stdout)
        return run.returncode
    ((source,), (wheel,)) = ([*work.glob(f"dist/*{kind}")] for kind in MEGABYTES)
    found = problems(source, [wheel, *wheels], names)
    print("\n".join(sorted(found)) or f"{source.name} and {wheel.name} hold what they should")
    return bool(found)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python .ci/check_dists.py FOLDER [WHEEL]")
    sys.exit(main(*map(Path, sys.argv[1:])))
