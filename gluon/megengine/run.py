"""The command ``gluon-megengine``, or ``python -m gluon.megengine``: run a script."""

from __future__ import annotations

import sys

from ..mxnet.run import as_python, run_module, run_script, run_string
from . import __version__
from .hook import install

USAGE = """\
usage: gluon-megengine SCRIPT [ARGUMENT ...]
       gluon-megengine -m MODULE [ARGUMENT ...]
       gluon-megengine -c CODE [ARGUMENT ...]

Run a program that says `import megengine` with gluon in the place of MegEngine.

  --help        show this text
  --version     show which MegEngine the program sees
"""
WAYS = {"-m": run_module, "-c": run_string}


def main(arguments: list[str] | None = None) -> None:
    """Run what the command line names; does not return before that has ended.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the command line unless given.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    first = words[0] if words else ""
    if first in ("-h", "--help", "--version"):
        print(__version__ if first == "--version" else USAGE.rstrip())
        return
    way = WAYS.get(first)
    if way is not None:
        del words[0]
    if not words or (way is None and first[0] == "-" and first != "-"):
        wrong = f"no option {first!r}" if words else "there is nothing to run"
        print(f"gluon-megengine: {wrong}\n\n{USAGE}", end="", file=sys.stderr)
        raise SystemExit(2)
    install()
    as_python(way or run_script, words)
