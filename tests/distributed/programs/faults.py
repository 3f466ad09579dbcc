"""Programs whose ranks disagree, fail or are killed, by the name of the fault."""

from __future__ import annotations

import os
import signal
import sys
import time

from gluon import distributed, nd
from gluon._core.mpi import groups as mpi
from gluon.autodiff import GradManager

FAULT = sys.argv[1]
if FAULT == "limit":
    os.environ["GLUON_DISTRIBUTED_TIMEOUT"] = "1"
RANK, SIZE = distributed.get_rank(), distributed.get_size()
distributed.barrier()
if FAULT == "shape":
    distributed.allreduce(nd.ones((3 + RANK,)))
elif FAULT == "dtype":
    distributed.allreduce(nd.ones((3,), dtype="float64" if RANK else "float32"))
elif FAULT == "order":
    if RANK:
        distributed.barrier()
    else:
        distributed.broadcast(nd.ones((3,)))
elif FAULT == "number":
    if not RANK:
        distributed.allreduce(nd.ones((3,)))
elif FAULT == "groups":  # the ranks wait for each other, in different groups
    if RANK < 2:
        distributed.new_group([0, 1])
    if RANK == 0:
        distributed.allreduce(nd.ones((3,)), group=[0, 1])
    else:
        distributed.barrier()
elif FAULT == "raise":
    if RANK == 1:
        raise KeyError("rank 1 fails")
    distributed.barrier()
elif FAULT == "kill":
    if RANK == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    distributed.barrier()
elif FAULT == "refused by MPI":
    mpi.world().exchange("bcast", "to a rank that is not there", 99)
elif FAULT in ("kill exchanging", "limit"):  # after all have agreed, so that MPI's function waits
    x = nd.ones((1 << 22,))
    if RANK == 1:
        mpi.agree(mpi.world(), "allreduce(float32[4194304], op='sum')")
        time.sleep(1 if FAULT == "kill exchanging" else 60)
        os.kill(os.getpid(), signal.SIGKILL)
    distributed.allreduce(x)
elif FAULT == "gradients":  # the same number of values, in other arrays
    weights = [nd.ones((3,)), nd.ones((3,))]
    with GradManager().attach(weights, callbacks=distributed.GradientAverager()) as manager:
        manager.backward(weights[bool(RANK)] * 2)
elif FAULT == "interrupt":
    if RANK == 1:
        os.kill(os.getpid(), signal.SIGINT)
    distributed.barrier()
elif FAULT == "interrupt all":  # as Ctrl-C does
    if RANK == 1:
        os.kill(os.getppid(), signal.SIGINT)
    time.sleep(60)
time.sleep(0.1)
print("ended")
