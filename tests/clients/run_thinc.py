"""Run thinc's tests of its wrapper for MXNet models.

    python -m gluon.mxnet tests/clients/run_thinc.py

It needs thinc 8.3 with pytest, hypothesis and mock.
"""

from __future__ import annotations

import thinc.compat
from results import Results

thinc.compat.enable_mxnet()  # thinc.util asks whether it was, so before its import

results = Results("thinc")
results.suite("--pyargs", "thinc.tests.layers.test_mxnet_wrapper")
results.finish()
