"""`nd`: functions that pick, place, sort and count values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.errors import ArgumentError
from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ..ndarray.dtypes import as_dtype
from ._public import at_least_1d, public
