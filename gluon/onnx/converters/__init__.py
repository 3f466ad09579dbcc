"""Converters of symbol operators to ONNX operators."""

from __future__ import annotations

from . import aggregate as aggregate
from . import attention as attention
from . import boxes as boxes
from . import colour as colour
from . import control as control
from . import ctc as ctc
from . import deform as deform
from . import detection as detection
from . import draws as draws
from . import elementwise as elementwise
from . import hawkes as hawkes
from . import images as images
from . import indexing as indexing
from . import layers as layers
from . import matrices as matrices
from . import np_arrays as np_arrays
from . import np_reduce as np_reduce
from . import np_values as np_values
from . import pool as pool
from . import recurrent as recurrent
from . import reduce as reduce
from . import regions as regions
from . import shape as shape
from . import special as special
from . import targets as targets
from . import windows as windows

from . import narrow as narrow  # isort: skip  # after those that it wraps
from .builder import CONVERTERS as CONVERTERS
from .builder import Graph as Graph
