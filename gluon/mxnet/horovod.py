"""`horovod.mxnet`, over `gluon.distributed`, for programs that ``mpiexec`` starts."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import count
from typing import Any, Final, NamedTuple

import numpy as np

from .. import distributed
from .._core.engine.array import Array, wrap
from .._core.engine.inplace import writable
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, GluonError
from .._core.kernels import collective
from ..nd import NDArray
from ..optimizer import Optimizer
from ..parameter import DeferredInitializationError, Parameter
from ..trainer import Trainer


class Reduction(NamedTuple):
    """An operation of `allreduce`."""

    name: str


Average: Final = Reduction("mean")
Sum: Final = Reduction("sum")
Adasum: Final = Reduction("adasum")
Min: Final = Reduction("min")
Max: Final = Reduction("max")
Product: Final = Reduction("product")


class ProcessSet:
    """A set of processes, given by ranks or as a communicator of mpi4py.

    Every process creates it, and registers it by `init` or `add_process_set`.
    """

    process_set_id: int | None

    def __init__(self, ranks_or_comm: Any) -> None:
        self.process_set_id = None
        self._given = ranks_or_comm

    @cached_property
    def ranks(self) -> Any:
        """The ranks of the members."""
        if self._given is None:
            return list(range(distributed.get_size()))
        if not hasattr(self._given, "allgather"):
            return list(distributed.new_group(self._given).ranks)
        return self._given.allgather(distributed.get_rank())

    def size(self) -> int:
        """The number of members."""
        return len(self.ranks)

    def rank(self) -> int:
        """The rank of this process in the set; -1 if it is not a member."""
        return distributed.get_rank(self.ranks)

    def included(self) -> bool:
        """Whether this process is a member."""
        return self.rank() >= 0

    def __repr__(self) -> str:
        return f"ProcessSet(process_set_id={self.process_set_id}, ranks={self.ranks})"


global_process_set: ProcessSet = ProcessSet(None)
global_process_set.process_set_id = 0
_numbers = count(1)


def add_process_set(process_set_or_ranks: Any) -> ProcessSet:
    """Register a process set, or one of these ranks; every process calls this."""
    given = process_set_or_ranks
    found = given if isinstance(given, ProcessSet) else ProcessSet(given)
    if found.process_set_id is None:
        found.process_set_id = next(_numbers)
    return found


def remove_process_set(process_set: ProcessSet) -> bool:
    """Remove a process set; return whether it was registered and not the global one."""
    if not process_set.process_set_id:
        return False
    process_set.process_set_id = None
    return True


def _members(process_set: Any) -> tuple[int, ...]:
    """The ranks of a process set that may be used."""
    _need_init()
    if process_set.process_set_id is None:
        raise ArgumentError(
            f"{process_set!r} is not registered; pass it to hvd.init(process_sets=[...]) or"
            " hvd.add_process_set in every process"
        )
    return tuple(process_set.ranks)


# ----------------------------------------------------------------------------------- processes

#: The host names of all processes, between `init` and `shutdown`.
_hosts: list[str] = []


def init(comm: Any = None, process_sets: Any = None) -> None:
    """Connect to the processes that ``mpiexec`` started with this one; every process calls this."""
    everyone = list(range(distributed.get_size()))
    if comm is not None and ProcessSet(comm).ranks != everyone:
        raise ArgumentError(
            f"hvd.init: comm={comm!r}: all {len(everyone)} processes take part; for some of them"
            " make a hvd.ProcessSet"
        )
    _hosts[:] = distributed.allgather_object(socket.gethostname())
    if process_sets is not None and process_sets != "dynamic":
        for one in process_sets:
            add_process_set(one)


def shutdown() -> None:
    """Stop using collectives; MPI itself ends with the program."""
    _hosts.clear()


def is_initialized() -> bool:
    """Whether `init` was called."""
    return bool(_hosts)


def _need_init() -> None:
    if not _hosts:
        raise ArgumentError("Horovod has not been initialized; use hvd.init().")


def size() -> int:
    """The number of processes."""
    _need_init()
    return distributed.get_size()


def rank() -> int:
    """The rank of this process."""
    _need_init()
    return distributed.get_rank()


def _local_ranks() -> list[int]:
    """The rank of each process among those of its machine."""
    _need_init()
    return [_hosts[:k].count(host) for k, host in enumerate(_hosts)]


def local_rank() -> int:
    """The rank of this process among those of its machine."""
    return _local_ranks()[distributed.get_rank()]


def local_size() -> int:
    """The number of processes of this machine."""
    _need_init()
    return _hosts.count(_hosts[distributed.get_rank()])


def cross_rank() -> int:
    """The rank of this process among those of its local rank, one on each machine."""
    return _local_ranks()[: distributed.get_rank()].count(local_rank())


def cross_size() -> int:
    """The number of machines that have a process of this local rank."""
    return _local_ranks().count(local_rank())


def _yes() -> bool:
    """Return True: MPI exchanges the data."""
    return True


def _no() -> bool:
    """Return False: gluon exchanges data with MPI only."""
    return False


mpi_threads_supported: Final[Callable[[], bool]] = _yes
mpi_enabled: Final[Callable[[], bool]] = _yes
mpi_built: Final[Callable[[], bool]] = _yes
gloo_enabled: Final[Callable[[], bool]] = _no
gloo_built: Final[Callable[[], bool]] = _no
nccl_built: Final[Callable[[], bool]] = _no
ddl_built: Final[Callable[[], bool]] = _no
ccl_built: Final[Callable[[], bool]] = _no
cuda_built: Final[Callable[[], bool]] = _no
rocm_built: Final[Callable[[], bool]] = _no


def start_timeline(file_path: str, mark_cycles: bool = False) -> None:
    """Raise an error: use `gluon.profiler` to record times."""
    raise GluonError("start_timeline is unsupported; use gluon.profiler")


def stop_timeline() -> None:
    """Raise an error: use `gluon.profiler` to record times."""
    raise GluonError("stop_timeline is unsupported; use gluon.profiler")


# --------------------------------------------------------------------------------- collectives


def _reduction(average: bool | None, op: Reduction | None) -> Reduction:
    if average is not None and op is not None:
        raise ArgumentError("allreduce: give op or average, not both; average is deprecated")
    if average is not None:
        return Average if average else Sum
    return op or Average


def _reduced(x: Array, op: Reduction, ranks: tuple[int, ...]) -> Any:
    if op is Adasum:
        return _adasum(x, ranks)
    kind: Any = op.name
    if op is Average and x.raw.dtype.kind in "biu":
        total = distributed.allreduce(x, "sum", ranks)
        return wrap(type(x), total.raw // len(ranks), x._ctx)
    return distributed.allreduce(x, kind, ranks)


def _adasum(x: Array, ranks: tuple[int, ...]) -> Any:
    """Adaptive summation ("Scaling Distributed Training with Adaptive Summation", 2021)."""
    every = collective.allgather(x.raw[None], ranks=ranks)
    parts = list(every.astype(np.float64))
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2])
        parts = [_adapted(a, b) for a, b in pairs] + parts[len(parts) // 2 * 2 :]
    return wrap(type(x), parts[0].astype(x.raw.dtype), x._ctx)


def _adapted(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    both, of_a, of_b = np.vdot(a, b), np.vdot(a, a), np.vdot(b, b)
    return (1 - (both / (2 * of_a) if of_a else 0)) * a + (
        1 - (both / (2 * of_b) if of_b else 0)
    ) * b


def allreduce(
    tensor: Any,
    average: bool | None = None,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    process_set: Any = global_process_set,
    op: Reduction | None = None,
) -> Any:
    """The mean, or what `op` says, of the tensors of all processes."""
    ranks = _members(process_set)
    x = tensor if prescale_factor == 1 else tensor * prescale_factor
    y = _reduced(x, _reduction(average, op), ranks)
    return y if postscale_factor == 1 else y * postscale_factor


def _into(tensor: Array, value: Array) -> Array:
    writable(tensor)[...] = value.raw
    return tensor


def allreduce_(
    tensor: Any,
    average: bool | None = None,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    process_set: Any = global_process_set,
    op: Reduction | None = None,
) -> Any:
    """`allreduce` in place."""
    scales = (prescale_factor, postscale_factor, process_set, op)
    return _into(tensor, allreduce(tensor.detach(), average, name, priority, *scales))


def grouped_allreduce(
    tensors: Iterable[Any],
    average: bool | None = None,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    process_set: Any = global_process_set,
    op: Reduction | None = None,
) -> list[Any]:
    """`allreduce` of each tensor."""
    how = (average, name, priority, prescale_factor, postscale_factor, process_set, op)
    return [allreduce(one, *how) for one in tensors]


def grouped_allreduce_(
    tensors: Iterable[Any],
    average: bool | None = None,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    process_set: Any = global_process_set,
    op: Reduction | None = None,
) -> list[Any]:
    """`allreduce_` of each tensor."""
    how = (average, name, priority, prescale_factor, postscale_factor, process_set, op)
    return [allreduce_(one, *how) for one in tensors]


def allgather(
    tensor: Any, name: str | None = None, priority: int = 0, process_set: Any = global_process_set
) -> Any:
    """The tensors of all processes, joined along the first axis."""
    return distributed.allgather(tensor, _members(process_set))


def grouped_allgather(
    tensors: Iterable[Any],
    name: str | None = None,
    priority: int = 0,
    process_set: Any = global_process_set,
) -> list[Any]:
    """`allgather` of each tensor."""
    return [allgather(one, name, priority, process_set) for one in tensors]


def broadcast(
    tensor: Any,
    root_rank: int,
    name: str | None = None,
    priority: int = 0,
    process_set: Any = global_process_set,
) -> Any:
    """The tensor of one process."""
    ranks = _members(process_set)
    if root_rank not in ranks:
        raise ArgumentError(f"broadcast: root_rank={root_rank} is not in the process set {ranks}")
    return distributed.broadcast(tensor, ranks.index(root_rank), ranks)


def broadcast_(
    tensor: Any,
    root_rank: int,
    name: str | None = None,
    priority: int = 0,
    process_set: Any = global_process_set,
) -> Any:
    """`broadcast` in place."""
    return _into(tensor, broadcast(tensor.detach(), root_rank, name, priority, process_set))


def alltoall(
    tensor: Any,
    splits: Any = None,
    name: str | None = None,
    priority: int = 0,
    process_set: Any = global_process_set,
) -> Any:
    """A part from each process; with `splits` also the lengths of these parts."""
    ranks = _members(process_set)
    if splits is None:
        return distributed.alltoall(tensor, None, ranks)
    given = [int(n) for n in np.asarray(getattr(splits, "raw", splits))]
    y = distributed.alltoall(tensor, given, ranks)
    gotten = [row[process_set.rank()] for row in distributed.allgather_object(given, ranks)]
    return y, wrap(NDArray, np.array(gotten, np.int32))


def reducescatter(
    tensor: Any,
    op: Reduction = Average,
    name: str | None = None,
    priority: int = 0,
    process_set: Any = global_process_set,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
) -> Any:
    """The part of this process in the mean or sum; the first processes get the remainder."""
    if op not in (Average, Sum):
        raise ArgumentError(f"reducescatter: op={op.name!r}; use Average or Sum")
    ranks = _members(process_set)
    n, parts = tensor.shape[0], len(ranks)
    lengths = tuple(n // parts + (k < n % parts) for k in range(parts))
    scale = prescale_factor * postscale_factor / (parts if op is Average else 1)
    y = ops.reduce_scatter(tensor, lengths=lengths, ranks=ranks)
    return y if scale == 1 else y * scale


def grouped_reducescatter(
    tensors: Iterable[Any],
    op: Reduction = Average,
    name: str | None = None,
    priority: int = 0,
    process_set: Any = global_process_set,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
) -> list[Any]:
    """`reducescatter` of each tensor."""
    how = (op, name, priority, process_set, prescale_factor, postscale_factor)
    return [reducescatter(one, *how) for one in tensors]


def join() -> None:
    """Raise an error: all processes must take part in every collective."""
    raise GluonError(
        "join is unsupported: all processes must make the same calls. Give each as many batches, by"
        " gluon.data.DistributedSampler"
    )


def poll(handle: Any) -> bool:
    """Whether a result is ready."""
    return not isinstance(handle, distributed.Handle) or handle.done()


def synchronize(handle: Any) -> Any:
    """Wait for the result and return it."""
    return handle.wait() if isinstance(handle, distributed.Handle) else handle


def broadcast_object(obj: Any, root_rank: int = 0, name: str | None = None) -> Any:
    """The Python object of one process."""
    return distributed.broadcast_object(obj, root_rank, _members(global_process_set))


def allgather_object(obj: Any, name: str | None = None) -> list[Any]:
    """The Python objects of all processes."""
    return distributed.allgather_object(obj, _members(global_process_set))


def broadcast_parameters(params: Any, root_rank: int = 0, prefix: str | None = None) -> None:
    """Send the parameters of one process to all; deferred ones follow once they have a shape."""
    if not hasattr(params, "items"):
        raise ArgumentError(f"broadcast_parameters: invalid params of type: {type(params)}")
    for _, one in sorted(params.items()):
        if not isinstance(one, Parameter):
            broadcast_(one, root_rank)
            continue
        try:
            replicas = one.list_data()
        except DeferredInitializationError:
            _broadcast_later(one, root_rank)
            continue
        for replica in replicas:
            broadcast_(replica, root_rank)


def _broadcast_later(parameter: Parameter, root_rank: int) -> None:
    replicate = parameter._replicate

    def shared(raw: np.ndarray, ctx: Any) -> None:
        replicate(collective.broadcast(raw, root=root_rank), ctx)
        vars(parameter).pop("_replicate")

    vars(parameter)["_replicate"] = shared


# ---------------------------------------------------------------------------------- compression


class Compressor:
    """Base class of gradient compression."""

    @staticmethod
    def compress(tensor: Any) -> tuple[Any, Any]:
        """Return the tensor to send, and the context for `decompress`."""
        return tensor, None

    @staticmethod
    def decompress(tensor: Any, ctx: Any) -> Any:
        """Restore a tensor."""
        return tensor


class NoneCompressor(Compressor):
    """Sends gradients as they are."""


class FP16Compressor(Compressor):
    """Sends floating gradients in half precision."""

    @staticmethod
    def compress(tensor: Any) -> tuple[Any, Any]:
        """The tensor in half precision, and its dtype."""
        is_float = tensor.raw.dtype.kind == "f"
        return (tensor.astype("float16") if is_float else tensor), tensor.dtype

    @staticmethod
    def decompress(tensor: Any, ctx: Any) -> Any:
        """The tensor in its own dtype."""
        return tensor.astype(ctx)


class Compression:
    """The compressors."""

    none = NoneCompressor
    fp16 = FP16Compressor


# ------------------------------------------------------------------------------------ training


class DistributedTrainer(Trainer):
    """A `Trainer` that averages gradients over all processes."""

    def __init__(
        self,
        params: Any,
        optimizer: Any,
        optimizer_params: dict[str, Any] | None = None,
        compression: type[Compressor] = Compression.none,
        gradient_predivide_factor: float = 1.0,
        prefix: str | None = None,
        num_groups: int = 0,
        process_set: Any = global_process_set,
    ) -> None:
        if isinstance(optimizer, DistributedOptimizer):
            optimizer = optimizer._optimizer
        super().__init__(params, optimizer, optimizer_params, kvstore=None)
        self._compression, self._process_set = compression, process_set
        # The mean is a sum with two factors: one applies before, the optimizer applies the other.
        self._factor = 1 / gradient_predivide_factor
        self._scale *= gradient_predivide_factor / process_set.size()

    def _allreduce_grads(self) -> None:
        ranks = _members(self._process_set)
        if len(ranks) == 1:
            return
        grads = [grad for _, one in self._trained() for grad in one.list_grad()]
        scaled = [
            one.detach() if self._factor == 1 else one.detach() * self._factor for one in grads
        ]
        pairs = [self._compression.compress(one) for one in scaled]
        totals = _sums([sent.raw for sent, _ in pairs], ranks)
        for grad, (sent, ctx), total in zip(grads, pairs, totals):
            _into(grad, self._compression.decompress(wrap(type(sent), total, sent._ctx), ctx))


def _sums(raws: list[np.ndarray], ranks: tuple[int, ...]) -> list[np.ndarray]:
    if len(ranks) == distributed.get_size():
        return distributed.sums(raws)  # in large pieces
    return [collective.allreduce(raw, ranks=ranks) for raw in raws]


class DistributedOptimizer(Optimizer):
    """An optimizer that averages each gradient over all processes before it uses it."""

    def __init__(
        self,
        optimizer: Optimizer,
        gradient_predivide_factor: float = 1.0,
        num_groups: int = 0,
        process_set: Any = global_process_set,
    ) -> None:
        vars(self).update(_optimizer=optimizer, _process_set=process_set)

    def __getattr__(self, name: str) -> Any:
        if name == "_optimizer":
            raise AttributeError(name)
        return getattr(self._optimizer, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._optimizer, name, value)

    def _average(self, grad: Any) -> None:
        for one in grad if isinstance(grad, (list, tuple)) else [grad]:
            allreduce_(one, op=Average, process_set=self._process_set)

    def create_state(self, index: Any, weight: Any) -> Any:
        """The state of the optimizer for a weight."""
        return self._optimizer.create_state(index, weight)

    def create_state_multi_precision(self, index: Any, weight: Any) -> Any:
        """The state of the optimizer for a weight, in float32."""
        return self._optimizer.create_state_multi_precision(index, weight)

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update a weight by the mean gradient."""
        self._average(grad)
        self._optimizer.update(index, weight, grad, state)

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update a weight by the mean gradient, in float32."""
        self._average(grad)
        self._optimizer.update_multi_precision(index, weight, grad, state)

    def set_learning_rate(self, lr: float) -> None:
        """Set the learning rate."""
        self._optimizer.set_learning_rate(lr)

    def set_lr_mult(self, args_lr_mult: dict[Any, float]) -> None:
        """Set factors of the learning rate."""
        self._optimizer.set_lr_mult(args_lr_mult)

    def set_wd_mult(self, args_wd_mult: dict[Any, float]) -> None:
        """Set factors of the weight decay."""
        self._optimizer.set_wd_mult(args_wd_mult)
