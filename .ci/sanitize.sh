#!/usr/bin/env bash
# The tests of the compiled kernels, with kernels that stop at the first access out of bounds and at
# the first undefined operation. Needs an environment with the tests' packages, and a GCC that has
# the libraries for it; without these it says so and ends.
#
#   .ci/sanitize.sh FOLDER           an empty folder to work in
set -euo pipefail
cd "$(dirname "$0")/.."
work=${1:?usage: .ci/sanitize.sh FOLDER}
checks=-fsanitize=address,undefined

echo 'int main(void) { return 0; }' >"$work/empty.c"
library=$(gcc -print-file-name=libasan.so 2>/dev/null || true)
if ! [ -e "$library" ] || ! gcc $checks "$work/empty.c" -o "$work/empty" 2>/dev/null; then
    echo "There is no GCC with sanitizers: the compiled kernels are not checked by them."
    exit 0
fi

mkdir "$work/checked"
.ci/copy_tree.sh "$work/source"
sed -i 's/"-Wl,-s"//; s/"-O3"/"-O1"/' "$work/source/pyproject.toml" # reports name the functions; compiled sooner
# The tests run the kernels for the widest vectors alone, but for one that chooses others.
GLUON_BUILD=widest CC=gcc CFLAGS="$checks -fno-sanitize-recover=undefined" LDFLAGS=$checks \
    python -m pip install --no-deps --quiet --target "$work/checked" "$work/source"
cp -r tests recorded conftest.py pyproject.toml setup.py "$work/checked"

cd "$work/checked"
# Python frees nothing at its end, so leaks are not looked for.
export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16 UBSAN_OPTIONS=print_stacktrace=1
export GLUON_NATIVE_LEAST=1
LD_PRELOAD=$(readlink -f "$library") python -m pytest -q -n auto --capture=sys -m "not slow" \
    -p no:cacheprovider tests/_core/native \
    --deselect tests/_core/native/test_loading.py::test_variables_choose_instructions_threads_and_memory
