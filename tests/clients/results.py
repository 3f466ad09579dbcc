"""Shared by the scripts of this folder, which test a library and print the results."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mxnet
import numpy as np

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
#: The folder of the numbers that the scripts gave with MXNet.
REFERENCE = Path(__file__).resolve().parents[2] / "recorded"
#: How many values of an array are kept, besides its shape, its mean and its spread.
KEPT = 12


class Waves(mxnet.init.Initializer):
    """Weights that are the same with every library: they depend on the shape alone.

    Parameters
    ----------
    gain : float
        The spread of what a layer gives, where that of what it takes is 1.
    """

    def __init__(self, gain: float = 1) -> None:
        super().__init__(gain=gain)
        self.gain = gain

    def _init_weight(self, _: str, array: Any) -> None:
        length = np.prod(array.shape[1:]) if len(array.shape) > 1 else array.shape[0]
        rng = np.random.RandomState(int(np.prod(array.shape)))
        array[:] = rng.normal(0, self.gain / np.sqrt(length), array.shape).astype("float32")

    _init_default = _init_weight


def settle(net: Any, gain: float = 1, ending: str = "weight") -> None:
    """Give such values to all weights, also to those with an initializer of their own."""
    for parameter in net.collect_params().values():
        if parameter.name.endswith(ending):
            values = mxnet.nd.zeros(parameter.shape)
            Waves(gain)._init_weight("", values)
            parameter.set_data(values)


class Results:
    """The outcome of each test of a library, for a table.

    Parameters
    ----------
    client : str
        The library, as it is called where it is installed from.
    reference : str, optional
        The file with the numbers that `compare` gave with MXNet. ``--json`` on the command line
        writes it.
    """

    def __init__(self, client: str, reference: str = "") -> None:
        self.client = client
        self.reference = REFERENCE / reference if reference else None
        self.recording = "--json" in sys.argv
        recorded = self.reference and self.reference.exists() and not self.recording
        self.numbers = json.loads(self.reference.read_text()) if recorded else {}
        self.rows: list[tuple[str, str, str]] = []
        self.begun = time.perf_counter()

    def add(self, name: str, outcome: str, why: str = "") -> None:
        """Record an outcome and print it at once, since runs are long."""
        self.rows.append((name, outcome, why))
        print(f"{outcome:8} {name}" + f"  ({why})" * bool(why), flush=True)

    def check(self, name: str, test: Callable, *args: Any, **kwargs: Any) -> None:
        """Run a test, which returns what is worth a note in the table."""
        try:
            note = test(*args, **kwargs)
        except Exception as error:
            traceback.print_exc()
            self.add(name, FAILED, brief(f"{type(error).__name__}: {error}"))
        else:
            self.add(name, PASSED, note or "")

    def compare(self, name: str, test: Callable, rtol: float = 2e-3, atol: float = 1e-4) -> None:
        """Run a test, which returns a dictionary of arrays, and compare them with MXNet's.

        Parameters
        ----------
        name : str
        test : callable
            It starts from the same random numbers each time.
        rtol, atol : float
            `atol` is for values about 1, and grows with the largest one.
        """

        def compared() -> str:
            np.random.seed(0)
            random.seed(0)
            mxnet.random.seed(0)
            found = {key: digest(value) for key, value in test().items()}
            if self.recording:
                self.numbers[name] = found
                return "recorded"
            expected = self.numbers[name]
            assert [*found] == [*expected], f"{[*found]} in place of {[*expected]}"
            distances = [*map(distance, found, found.values(), expected.values())]
            return f"{max(distances):.1e} from MXNet" if distances else ""

        def distance(key: str, one: list, other: list) -> float:
            """How far two digests are from each other, relative to the largest value."""
            assert one[0] == other[0], f"{key}: shape {one[0]} in place of {other[0]}"
            scale = max(1.0, np.abs(other[1]).max(initial=0))
            error = f"{key}: MXNet gives something else"
            np.testing.assert_allclose(one[1], other[1], rtol, atol * scale, err_msg=error)
            return float(np.abs(np.subtract(one[1], other[1])).max(initial=0)) / scale

        self.check(name, compared)

    def suite(self, *arguments: str) -> None:
        """Run tests that are the library's own with pytest."""
        import pytest

        quiet = ["--no-header", "--tb=native", "-p", "no:cacheprovider", "-W", "ignore"]
        alone = ["-c", os.devnull, "--rootdir", sys.prefix]  # no settings of the working folder
        status = pytest.main([*quiet, *alone, *arguments], plugins=[Plugin(self)])
        if status > pytest.ExitCode.TESTS_FAILED:
            self.add("pytest", FAILED, f"it ended with {pytest.ExitCode(status)!r}")

    def finish(self) -> None:
        """Print the totals, and exit with status 1 if anything failed or nothing ran."""
        if self.recording:
            self.reference.write_text(json.dumps(self.numbers, indent=0) + "\n")
        counts = Counter(outcome for _, outcome, _ in self.rows)
        sums = ", ".join(f"{counts[one]} {one}" for one in (PASSED, FAILED, SKIPPED))
        version = importlib.metadata.version(self.client)
        print(f"\n{self.client} {version}: {sums} in {time.perf_counter() - self.begun:.1f} s")
        print(
            f"MXNet {mxnet.__version__}, Python {platform.python_version()}, NumPy {np.__version__}"
        )
        sys.exit(bool(counts[FAILED]) or not counts[PASSED])


class Plugin:
    """A plugin that passes the outcomes of pytest to a table."""

    def __init__(self, results: Results) -> None:
        self.results = results

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Add a row for each test; for a setup only if it fails or skips the test."""
        if report.when != "call" and report.passed:
            return
        file, _, test = report.location
        name = f"{Path(file).name}::{test}"
        if report.skipped:
            expected = hasattr(report, "wasxfail")  # it may be an empty text
            self.results.add(
                name, SKIPPED, brief(report.wasxfail if expected else report.longrepr[2])
            )
        elif report.failed:
            self.results.add(name, FAILED, last_line(report))
        else:
            self.results.add(name, PASSED)

    def pytest_collectreport(self, report: Any) -> None:
        """Add a failure for a file that cannot be imported."""
        if report.failed:
            self.results.add(Path(report.nodeid).name, FAILED, last_line(report))


def digest(value: Any) -> list:
    """The shape of an array, and its mean, its spread and some of its values."""
    array = np.asarray(value.asnumpy() if hasattr(value, "asnumpy") else value, "float64")
    flat = array.ravel()
    places = np.unique(np.linspace(0, max(flat.size - 1, 0), KEPT).astype(int))
    some = [flat.mean(), flat.std(), *flat[places]] if flat.size else []
    return [list(array.shape), [float(f"{one:.6g}") for one in some]]


def last_line(report: Any) -> str:
    """Return the line of a traceback with the error."""
    lines = [line for line in report.longreprtext.splitlines() if line.strip()]
    errors = [line for line in lines if line[0] not in " \t" and "Error" in line]
    return brief((errors or lines)[-1])


def brief(text: str, width: int = 160) -> str:
    """The first line of `text`, cut to a width."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= width else f"{line[: width - 1]}…"
