"""Training on several processes, which MPI starts: ``mpiexec -n 4 python train.py``.

Every process runs the same program and has a rank. Collective operations exchange arrays between
them; all ranks of a group must call the same operations in the same order. In one process, started
without ``mpiexec``, they work without exchanging anything and without MPI.
"""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from .average import GradientAverager
from .average import sums as sums
from .checkpoint import load_checkpoint, save_checkpoint
from .collective import (
    allgather,
    allgather_object,
    allreduce,
    allreduce_,
    alltoall,
    barrier,
    broadcast,
    broadcast_,
    broadcast_object,
    reduce,
    reduce_scatter,
)
from .group import Group, get_rank, get_size, new_group
from .handle import Handle, iallgather, iallreduce, iallreduce_, ibroadcast
from .launch import launch

__all__ = [
    "GradientAverager",
    "Group",
    "Handle",
    "allgather",
    "allgather_object",
    "allreduce",
    "allreduce_",
    "alltoall",
    "barrier",
    "broadcast",
    "broadcast_",
    "broadcast_object",
    "get_rank",
    "get_size",
    "iallgather",
    "iallreduce",
    "iallreduce_",
    "ibroadcast",
    "launch",
    "load_checkpoint",
    "new_group",
    "reduce",
    "reduce_scatter",
    "save_checkpoint",
]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
