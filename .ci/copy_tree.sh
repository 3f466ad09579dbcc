#!/usr/bin/env bash
# Copy what git tracks, and what it would track, as it is in the working tree.
#
#   .ci/copy_tree.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:?usage: .ci/copy_tree.sh FOLDER}

mkdir -p "$target"
git ls-files -z --cached --others --exclude-standard |
    xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\0" "$f"; done' sh |
    tar --null -T - -c | tar -x -C "$target"
