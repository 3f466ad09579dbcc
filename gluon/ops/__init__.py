"""The operator table, one file per family; see `gluon.engine.op.define`."""

from . import elementwise, indexing, reduce, shape  # noqa: F401
from . import operators  # noqa: F401  (last: it names the others)
