"""Run tensorly's own tests with its backend for MXNet.

    python -m gluon.mxnet tests/clients/run_tensorly.py [FILE OR TEST ...]

It needs tensorly 0.8.1 and pytest. Arguments select the tests to run: a module such
as tensorly.tests.test_backend, or a file.
"""

from __future__ import annotations

import os
import sys

from results import Results

os.environ["TENSORLY_BACKEND"] = "mxnet"

results = Results("tensorly")
results.suite("--pyargs", *(sys.argv[1:] or ["tensorly"]))
results.finish()
