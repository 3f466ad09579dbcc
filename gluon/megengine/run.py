"""The command ``gluon-megengine``, or ``python -m gluon.megengine``: run a script."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .._hook.program import command
from . import __version__
from .hook import install

USAGE = """\
usage: gluon-megengine SCRIPT [ARGUMENT ...]
       gluon-megengine -m MODULE [ARGUMENT ...]
       gluon-megengine -c CODE [ARGUMENT ...]

Run a program that says `import megengine` with gluon in place of MegEngine.

  --help        show this text
  --version     show which MegEngine the program sees
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script of the command line; returns when it has ended.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the command line by default.
    """
    command(sys.argv[1:] if arguments is None else arguments, USAGE, __version__, install, {})
