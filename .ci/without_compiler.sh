#!/usr/bin/env bash
# Install gluon where there is no C compiler: it must say so, and pass the quick tests of what
# compiled kernels stand in for. Needs an environment with the packages of the tests.
#
#   .ci/without_compiler.sh FOLDER           an empty folder to work in
set -euo pipefail
cd "$(dirname "$0")/.."
work=${1:?usage: .ci/without_compiler.sh FOLDER}

mkdir "$work/plain"
.ci/copy_tree.sh "$work/source"
# The log must show what the build said, whatever PIP_QUIET says.
PIP_QUIET=0 CC=false python -m pip install -v --no-deps --target "$work/plain" "$work/source" >"$work/log" 2>&1
grep -o 'building extension "gluon._core.native._library" failed' "$work/log" | head -n 1
cp -r tests recorded conftest.py pyproject.toml setup.py "$work/plain"

cd "$work/plain"
python -m gluon | tee "$work/report"
grep -q "none (not built: there was no C compiler)" "$work/report"
python -m pytest -q -n auto -m "not slow" -p no:cacheprovider \
    gluon/_core/native tests/_core/native tests/_core/ops tests/nn tests/optimizer tests/test_trainer.py \
    tests/_core/program/test_drawn.py tests/_core/program/test_compiled.py tests/symbol/test_compiled.py \
    --ignore=tests/_core/ops/test_table.py # of which a compiler changes nothing
