"""The operator table, one file per family; see `gluon.engine.op.define`."""

from . import (  # noqa: F401
    activation,
    boxes,
    collective,
    conv,
    correlation,
    ctc,
    decompose,
    deform,
    einsum,
    elementwise,
    hawkes,
    image,
    indexing,
    linalg,
    normalization,
    optimizer,
    outputs,
    pool,
    proposals,
    random,
    reduce,
    resample,
    rnn,
    roi,
    sequence,
    shape,
    special,
    spectral,
    ufunc,
    warp,
)

# isort: split
from . import operators  # noqa: F401  (last: it names the others)
