"""The command ``gluon-mxnet``, or ``python -m gluon.mxnet``: run a script."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .._hook.program import command
from .hook import VERSION, install

USAGE = """\
usage: gluon-mxnet [--old-numpy] SCRIPT [ARGUMENT ...]
       gluon-mxnet [--old-numpy] -m MODULE [ARGUMENT ...]
       gluon-mxnet [--old-numpy] -c CODE [ARGUMENT ...]

Run a program that says `import mxnet` with gluon in place of MXNet.

  --old-numpy   restore names that NumPy and Python removed, such as np.bool
                and time.clock
  --help        show this text
  --version     show which MXNet the program sees
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script of the command line; returns when it has ended.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the command line by default.
    """
    words = sys.argv[1:] if arguments is None else arguments
    command(words, USAGE, VERSION, install, {"--old-numpy": "old_numpy"})
