"""Write the stubs of the modules whose functions are made by others, which editors cannot follow.

    python .ci/make_stubs.py          # write them
    python .ci/make_stubs.py --check  # fail if one is not up to date

``exp = unary(one, ops.exp, ...)`` is a function of that name, with the arguments of `one`. Type
checkers and editors read both in a stub, with the first line of the docstring.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from stubs import modules  # noqa: E402


def main(check: bool) -> int:
    written = modules.all_stubs()
    there = {path for path in (ROOT / "gluon").rglob("*.pyi") if modules.HEAD in path.read_text()}
    old = [path for path, text in written.items() if path not in there or path.read_text() != text]
    gone = sorted(there - written.keys())
    if not check:
        for path in old:
            path.write_text(written[path], encoding="utf-8")
        for path in gone:
            path.unlink()
    for path in old:
        print(f"{path.relative_to(ROOT)} is {'not up to date' if check else 'written'}")
    for path in gone:
        print(f"{path.relative_to(ROOT)} is {'of no module' if check else 'removed'}")
    return bool(check and (old or gone))


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
