"""ONNX's operators on arrays of gluon: differentiable wherever they are smooth."""

from __future__ import annotations

from . import activation as activation
from . import attention as attention
from . import control as control
from . import elementwise as elementwise
from . import images as images
from . import indexing as indexing
from . import layers as layers
from . import learn as learn
from . import quantize as quantize
from . import random as random
from . import recurrent as recurrent
from . import reduce as reduce
from . import sequences as sequences
from . import shape as shape
from . import signals as signals
from . import text as text
from . import training as training
from . import trees as trees
from . import vectors as vectors
from . import windows as windows
from .table import FUNCTIONS as FUNCTIONS
