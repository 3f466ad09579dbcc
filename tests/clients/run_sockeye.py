"""Run sockeye's own tests.

    python -m gluon.mxnet --old-numpy tests/clients/run_sockeye.py FOLDER [PYTEST'S ARGUMENT ...]

It needs sockeye 2.3.24 with sacrebleu 1.4.14, portalocker 1.7 and pyyaml. FOLDER is that of its
source archive, which has the tests.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from results import Results

folder = Path(sys.argv[1]).resolve()
os.chdir(folder)  # the tests import each other by `test.common`
sys.path.insert(0, str(folder))
results = Results("sockeye")
results.suite("test/unit", "test/integration", *sys.argv[2:])
results.finish()
