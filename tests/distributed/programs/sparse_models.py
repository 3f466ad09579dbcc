"""Models on sparse data with a store of two processes: rank 0 ends with what MXNet recorded."""

from __future__ import annotations

import os
import warnings

import mxnet as mx

from recorded.make import HERE, load
from tests.nd.sparse.models import programs
from tests.nn.replay import assert_as

os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"
warnings.simplefilter("ignore")
REFERENCE = load(HERE / "sparse_models_dist.npz")
for name, program in programs(several=True).items():
    found = program(mx)
    texts = [one for one in found if isinstance(one, str)]
    arrays = [getattr(one, "raw", one) for one in found if not isinstance(one, str)]
    if mx.kv.create("dist_sync").rank == 0:
        assert_as(REFERENCE[name], texts, arrays, 2e-4, 2e-5)
print("fine")
