#!/usr/bin/env bash
# One of the checks that .ci/run makes several of at a time. Each stands alone: it needs the
# environments `dev` and `tests` and the wheel in the folder of .ci/run, and writes to no place that
# another check reads.
#
#   .ci/stage.sh FOLDER NAME
set -euo pipefail
cd "$(dirname "$0")/.."
work=$1
wheel=$(echo "$work"/wheel/*.whl)
# shellcheck source=shell.sh
source .ci/shell.sh
# shellcheck disable=SC1091
source "$work/dev/bin/activate"

# What compares numbers that NumPy computed: the examples in docstrings and pages, the samples.
computed="gluon tests/_core/ops tests/np tests/nd tests/_core/arrays tests/values tests/test_docstrings.py"
for page in project precision differences autograd_document grad_manager_documents megengine_documents; do
    computed="$computed tests/documents/test_$page.py"
done

# again TESTS: the quick ones of tests that .ci/run runs whole, in other circumstances. One process
# collects and runs them, because another check runs beside it. The table of operators is always the
# same.
again() {
    python -m pytest -q -m "not slow" -p no:cacheprovider "$@" --ignore=tests/_core/ops/test_table.py
}

static() {
    say "ruff, mypy, flake8, line budget, the workflow that builds wheels"
    ruff check .
    ruff format --check .
    mypy
    flake8 gluon
    python .ci/line_budget.py >"$work/lines.log" || {
        tail -n 20 "$work/lines.log"
        exit 1
    }
    tail -n 1 "$work/lines.log"
    check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
}

typing() {
    say "What type checkers and editors know of gluon"
    python -m pytest -q -n 2 --dist loadfile -p no:cacheprovider tests/typing
}

elsewhere() {
    say "Type checkers find the editable installation of the tests, from another folder"
    mkdir "$work/elsewhere"
    echo 'from gluon import nd; reveal_type(nd.exp(nd.array([1])))' >"$work/elsewhere/one.py"
    (
        cd "$work/elsewhere"
        mypy --python-executable "$work/tests/bin/python" one.py
        pyright --pythonpath "$work/tests/bin/python" one.py
    ) | tee "$work/types.log"
    test "$(grep -c 'NDArray"' "$work/types.log")" -eq 2
}

tutorials() {
    say 'What the tutorials of the documentation printed'
    EXECUTED_TUTORIALS="$work/jupyter_execute/tutorials" python -m pytest -q \
        -p no:cacheprovider tests/documents/test_tutorials.py
}

dists() {
    say 'What is uploaded, built in a clone with a virtual environment'
    mkdir "$work/dists"
    python .ci/check_dists.py "$work/dists" "$wheel"
}

# NumPy rounds differently with each set of vector loops; no example and no sample may notice. All
# samples run with those of this processor: here the quick ones do, and for the loops between none
# and all, operators only.
vectors() {
    local variables
    variables=$(python .ci/vectors.py "$1")
    if [ -z "$variables" ]; then
        say "This processor has no vector loops to switch off for the level $1"
        return
    fi
    say "Examples and samples with $variables"
    # shellcheck disable=SC2163
    export $variables
    again "${@:2}"
}

vectors_avx2() { vectors avx2 tests/_core/ops; }

# shellcheck disable=SC2086
vectors_none() { vectors none $computed; }

# Compiled kernels must change no result: with them for small arrays as well, and with those of other
# processors. Another check installs gluon without them.
small_arrays() {
    say "Operators with compiled kernels for small arrays"
    GLUON_NATIVE_LEAST=1 again tests/_core/native tests/_core/ops tests/_core/program
}

# kernels KIND: the tests of files of which there is not one compiled version for all processors.
kernels() {
    say "Operators with compiled kernels for $1"
    local same=()
    for name in blas building copy indexing layout libsvm linalg loading threads; do
        same+=("--ignore=tests/_core/native/test_$name.py")
    done
    GLUON_NATIVE_LEAST=1 GLUON_NATIVE=$1 again tests/_core/native "${same[@]}"
}

kernels_avx2() { kernels avx2; }

kernels_sse2() { kernels sse2; }

oldest() {
    say "The oldest NumPy that has a wheel here"
    fresh oldest
    for version in 1.26 2.0 2.1 2.2; do
        if pip install --only-binary numpy "numpy==$version.*" 2>/dev/null; then break; fi
    done
    pip install "$wheel" "numpy==$version.*" pytest hypothesis
    python -m gluon
    python -m pytest -q -m "not slow" -p no:cacheprovider tests/_core/engine tests/test_trainer.py
}

# The tests run with what is set by default: programs only where blocks are called often.
programs() {
    say "Layers and losses with GLUON_PROGRAM=1, and blocks with GLUON_PROGRAM=0"
    GLUON_PROGRAM=1 again tests/nn tests/loss tests/rnn
    GLUON_PROGRAM=0 again tests/block/test_programs.py
}

sanitizers() {
    say "Compiled kernels with sanitizers"
    mkdir "$work/sanitized"
    .ci/sanitize.sh "$work/sanitized"
}

no_compiler() {
    say "Without a compiler"
    mkdir "$work/plain"
    .ci/without_compiler.sh "$work/plain"
}

main_job() {
    local job
    job=$(readme digits)
    say "The main job: $job"
    fresh job
    bash -euo pipefail -c "$job"
}

"$2"
