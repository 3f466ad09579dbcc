# What .ci/run and .ci/stage.sh share. They set `work`, the folder of the run.
# shellcheck shell=bash

# say TITLE: print it, with the seconds since the run began.
say() { printf '\n== %s (%ss)\n' "$*" "$(($(date +%s) - CI_BEGAN))"; }

# fresh NAME: make a clean environment and activate it.
fresh() {
    "${PYTHON:-python3}" -m venv "$work/$1"
    # shellcheck disable=SC1091
    source "$work/$1/bin/activate"
}

# readme EXTRA: the one command of the README that installs EXTRA.
readme() {
    local found
    found=$(grep -E "^pip install (--no-compile |-e )?\"\.\[$1\]\" && " README.md)
    if [ "$(wc -l <<<"$found")" -ne 1 ]; then
        echo "README.md must have one line with: pip install \".[$1]\" && ..." >&2
        return 1
    fi
    echo "$found"
}
