"""The features of this installation: MXNet's compile-time features, and the compiled kernels."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import native
from .errors import ArgumentError
from .hints.lookup import hinting
from .kernels import parallel

__all__ = ["Compiled", "Feature", "Features", "compiled", "feature_list"]

#: The features of MXNet, in its order.
NAMES = (
    "CUDA CUDNN NCCL CUDA_RTC TENSORRT CPU_SSE CPU_SSE2 CPU_SSE3 CPU_SSE4_1 CPU_SSE4_2 CPU_SSE4A"
    " CPU_AVX CPU_AVX2 OPENMP SSE F16C JEMALLOC BLAS_OPEN BLAS_ATLAS BLAS_MKL BLAS_APPLE LAPACK"
    " MKLDNN OPENCV CAFFE PROFILER DIST_KVSTORE CXX14 INT64_TENSOR_SIZE SIGNAL_HANDLER DEBUG TVM_OP"
).split()
#: NumPy's names of instruction sets, and of the groups of them since NumPy 2.4.
INSTRUCTIONS = {
    "SSE": "CPU_SSE",
    "SSE2": "CPU_SSE2",
    "SSE3": "CPU_SSE3",
    "SSE41": "CPU_SSE4_1",
    "SSE42": "CPU_SSE4_2",
    "AVX": "CPU_AVX",
    "AVX2": "CPU_AVX2",
    "F16C": "F16C",
    "X86_V2": "CPU_SSE CPU_SSE2 CPU_SSE3 CPU_SSE4_1 CPU_SSE4_2",
    "X86_V3": "CPU_AVX CPU_AVX2 F16C",
}
#: NumPy's names of the linear algebra libraries.
BLAS = {
    "BLAS_OPEN": "openblas",
    "BLAS_ATLAS": "atlas",
    "BLAS_MKL": "mkl",
    "BLAS_APPLE": "accelerate",
}


class Feature(NamedTuple):
    """A feature and whether it is enabled.

    Attributes
    ----------
    name : str
    enabled : bool

    Parameters
    ----------
    name : str
    enabled : bool

    Examples
    --------
    >>> from gluon import runtime
    >>> features = runtime.feature_list()
    >>> type(features[0]).__name__, features[0]._fields
    ('Feature', ('name', 'enabled'))
    """

    name: str
    enabled: bool

    def __repr__(self) -> str:
        return f"{'✔' if self.enabled else '✖'} {self.name}"


def feature_list() -> list[Feature]:
    """The features that MXNet names, and whether they are enabled.

    The instruction sets and the library of linear algebra are those that NumPy uses; ``OPENCV``
    is enabled if images can be decoded, by Pillow. Features of GPUs and compilers are disabled.

    Returns
    -------
    list of Feature

    Examples
    --------
    >>> from gluon import runtime
    >>> runtime.feature_list()[0]
    ✖ CUDA
    """
    from importlib.util import find_spec  # late: `import gluon` needs it for nothing

    numpy: Any = np.show_config(mode="dicts") or {}
    found = _instructions(numpy) | _linear_algebra(numpy) | {"INT64_TENSOR_SIZE", "LAPACK"}
    if find_spec("PIL"):
        found.add("OPENCV")
    return [Feature(name, name in found) for name in NAMES]


class Features(OrderedDict[str, Feature]):
    """The features by their names.

    Examples
    --------
    >>> from gluon import runtime
    >>> features = runtime.Features()
    >>> features.is_enabled("CUDA"), features.is_enabled("lapack")
    (False, True)
    """

    def __init__(self) -> None:
        super().__init__((feature.name, feature) for feature in feature_list())

    def __repr__(self) -> str:
        return str(list(self.values()))

    def is_enabled(self, feature_name: str) -> bool:
        """Whether a feature is enabled.

        Parameters
        ----------
        feature_name : str
            In upper or lower case.

        Returns
        -------
        bool

        Raises
        ------
        ArgumentError
            If MXNet has no feature of this name.
        """
        name = feature_name.upper()
        if name not in self:
            raise ArgumentError(
                f"Feature {name!r} is unknown, known features are: {', '.join(self)}"
            )
        return self[name].enabled


class Compiled(NamedTuple):
    """The state of the compiled kernels; returned by `compiled`.

    Attributes
    ----------
    instructions : str
        The vector instructions of the compiled kernels: ``avx512``, ``avx2``, ``sse2``, ``neon`` or
        ``portable``; empty if NumPy computes everything.
    reason : str
        Why there are no compiled kernels; empty if there are.
    threads : int
        The number of threads for large arrays.
    keeps_memory : bool
        Whether freed memory stays with the process for the next step.
    shares_threads : bool
        Whether matrix products use the threads of the compiled kernels. Those of NumPy itself never
        do.

    Parameters
    ----------
    instructions, reason : str
    threads : int
    keeps_memory, shares_threads : bool

    Examples
    --------
    >>> from gluon import runtime
    >>> found = runtime.compiled()
    >>> bool(found.instructions) != bool(found.reason)
    True
    """

    instructions: str
    reason: str
    threads: int
    keeps_memory: bool
    shares_threads: bool


def compiled() -> Compiled:
    """Whether compiled kernels are used, for which instructions, and with how many threads.

    ``python -m gluon`` prints it.

    Returns
    -------
    Compiled

    Examples
    --------
    >>> from gluon import runtime
    >>> runtime.compiled()._fields
    ('instructions', 'reason', 'threads', 'keeps_memory', 'shares_threads')
    """
    there = native.is_active
    return Compiled(
        instructions=native.status if there else "",
        reason="" if there else native.status,
        threads=parallel.threads(),
        keeps_memory=native.KEEPS_MEMORY,
        shares_threads=native.SHARES_THREADS,
    )


def _instructions(configuration: dict) -> set[str]:
    """Return the instruction sets that NumPy uses on this processor."""
    sets = configuration.get("SIMD Extensions", {})
    used = [*sets.get("baseline", ()), *sets.get("found", ())]
    return {name for one in used for name in INSTRUCTIONS.get(one, "").split()}


def _linear_algebra(configuration: dict) -> set[str]:
    """Return the library that NumPy multiplies matrices with."""
    used = str(configuration.get("Build Dependencies", {}).get("blas", {}).get("name", ""))
    return {name for name, part in BLAS.items() if part in used.lower()}


for _kind in (Compiled, Feature, Features):
    _kind.__module__ = "gluon.runtime"  # the public path, which users and pickles see
if not TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = hinting("gluon.runtime", __all__)
