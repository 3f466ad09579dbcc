"""What ``import mxnet`` finds in the subprocesses of a script that runs with the hook.

The hook puts the folder above into ``PYTHONPATH``; its own module takes the place of this one.
"""

import sys
from importlib.machinery import PathFinder
from pathlib import Path

if PathFinder.find_spec("gluon") is None:
    sys.path.append(str(Path(__file__).resolve().parents[4]))

from gluon.mxnet.hook import inherit

inherit()
