"""A network bound on each of several contexts, which share the batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import nd
from .._core.arrays.context import current_context
from .._core.arrays.switch import is_np_shape
from .._core.errors import ArgumentError
from ..io import DataBatch, DataDesc
from ..nd import NDArray
from ..symbol.executor import context_of
from ..symbol.node import ordered
from ..symbol.stypes import storage_types


def split_input_slice(batch_size: int, work_load_list: Sequence[float]) -> list[slice]:
    """The part of a batch for each context, in proportion to its share of the work."""
    total, stop, parts = sum(work_load_list), 0, []
    for k, load in enumerate(work_load_list):
        last = k == len(work_load_list) - 1
        start, stop = stop, batch_size if last else stop + round(batch_size * load / total)
        stop = min(stop, batch_size)
        if start >= stop:
            raise ArgumentError(
                f"a batch of {batch_size} samples is too small for {len(work_load_list)} contexts"
                f" that share it as {list(work_load_list)}"
            )
        parts.append(slice(start, stop))
    return parts


def batch_axis(one: Any) -> int:
    """The axis of the samples in a described array."""
    return DataDesc.get_batch_axis(getattr(one, "layout", "NCHW"))


def common_size(described: list[DataDesc]) -> int:
    """The number of samples, which all data and labels with an axis for them share."""
    axes = [(one, batch_axis(one)) for one in described]
    sizes = {one.name: one.shape[axis] for one, axis in axes if axis >= 0}
    if len(set(sizes.values())) > 1:
        raise ArgumentError(f"all data and labels need the same number of samples, not {sizes}")
    return next(iter(sizes.values()), described[0].shape[0])


def part(array: NDArray, axis: int, where: slice) -> NDArray:
    """The samples of one context; the whole array if it has no axis of samples."""
    if axis < 0 or (where.start == 0 and where.stop == array.shape[axis]):
        return array
    if array.stype == "csr" and axis == 0:
        return array[where]
    return nd.slice_axis(array, axis=axis, begin=where.start, end=where.stop)


def merged(arrays: Sequence[NDArray], axis: int) -> NDArray:
    """The samples of all contexts in one array."""
    if len(arrays) == 1 or axis < 0:
        return arrays[0]
    return nd.concat(*(one.as_in_context(arrays[0].context) for one in arrays), dim=axis)


class Shaped(NamedTuple):
    """Stands for an array of a shape."""

    shape: tuple[int, ...]


def groups_of(given: Any, count: int) -> list[dict[str, Any]]:
    """For each of `count` contexts, the contexts of the groups."""
    each = given
    if not isinstance(given, (list, tuple)):
        columns = []
        for contexts in (given or {}).values():
            several = contexts if isinstance(contexts, (list, tuple)) else [contexts]
            columns.append(several * count if len(several) == 1 else several)
        fits = all(len(one) == count for one in columns)
        each = [dict(zip(given or {}, row)) for row in zip(*columns)] if fits else []
        each = each if columns else [{}] * count
    if len(each) != count:
        raise ArgumentError(
            f"group2ctxs={given} must have one dict, or for each group one context, for each of"
            f" the {count} contexts of the module"
        )
    return list(each)


class DataParallelExecutorGroup:
    """An executor on each context, which computes a part of each batch.

    `Module.bind` creates it.

    Parameters
    ----------
    symbol : Symbol
    contexts : list of Context
    workload : list of float
        The share of each context.
    data_shapes, label_shapes : list of DataDesc
    requests : dict of str to {'write', 'add', 'null'}
        How to store the gradient of each argument.
    shared_group : DataParallelExecutorGroup, optional
        The module to share parameters with.
    input_names : sequence of str
        The arguments that are not parameters.
    groups : list of dict of str to Context, optional
        For each context, those of nodes with the attribute ``ctx_group``.

    Attributes
    ----------
    execs : list of Executor
    param_names : list of str
    param_arrays, grad_arrays, aux_arrays : list of list of NDArray
        For each name, the array on each context.
    """

    symbol: Any
    contexts: list[Any]
    workload: Sequence[float]
    data_shapes: list[DataDesc]
    label_shapes: list[DataDesc]
    requests: dict[str, str]
    input_names: Sequence[str]
    slices: list[slice]
    aux_names: list[str]
    param_names: list[str]
    param_arrays: list[list[Any]]
    grad_arrays: list[list[Any]]
    aux_arrays: list[list[Any]]

    def __init__(
        self,
        symbol: Any,
        contexts: list[Any],
        workload: Sequence[float],
        data_shapes: list[DataDesc],
        label_shapes: list[DataDesc],
        requests: dict[str, str],
        shared_group: DataParallelExecutorGroup | None = None,
        input_names: Sequence[str] = (),
        groups: Sequence[dict[str, Any]] = (),
    ) -> None:
        self.symbol, self.contexts, self.workload = symbol, contexts, workload
        self.data_shapes, self.label_shapes = data_shapes, label_shapes
        self.requests, self.input_names = requests, input_names
        self.batch_size = common_size([*data_shapes, *label_shapes])
        self.slices = split_input_slice(self.batch_size, workload)
        names = symbol.list_arguments()
        self.aux_names = symbol.list_auxiliary_states()
        self.param_names = [name for name in names if name not in input_names]
        self._taken = set(names)
        self.monitors: list[Any] = []
        shared: list[Any] = [None] * len(contexts)
        if shared_group is not None:
            shared = shared_group.execs
        kinds = contexts, self.slices, shared, groups or [{}] * len(contexts)
        self.execs: list[Any] = [self._bound(*one) for one in zip(*kinds)]
        self._output_names = symbol.list_outputs()
        layouts = [symbol[k].attr("__layout__") for k in range(len(self._output_names))]
        self._output_axes = [DataDesc.get_batch_axis(layout) for layout in layouts]

        def gathered(kind: str, names: Sequence[str]) -> list[list[Any]]:
            return [[getattr(one, kind).get(name) for one in self.execs] for name in names]

        self.param_arrays = gathered("arg_dict", self.param_names)
        self.grad_arrays = gathered("grad_dict", self.param_names)
        self.aux_arrays = gathered("aux_dict", self.aux_names)

    def _bound(self, context: Any, where: slice, shared: Any, groups: dict[str, Any]) -> Any:
        """Bind the executor of one context; reuse fitting arrays of `shared` except inputs."""
        symbol, shapes, types = self.symbol, {}, {}
        for one in [*self.data_shapes, *self.label_shapes]:
            if one.name in self._taken:
                shape, axis = list(one.shape), batch_axis(one)
                if axis >= 0:
                    shape[axis] = where.stop - where.start
                shapes[one.name], types[one.name] = tuple(shape), one.dtype
        # Of a network from an ONNX file the shapes of results are known when it runs.
        arg_shapes, _, aux_shapes = symbol.infer_shape_partial(**shapes)
        arg_types, _, aux_types = symbol.infer_type(**types)
        unknown = -1 if is_np_shape() else 0
        if not all(shape and unknown not in shape for shape in (*arg_shapes, *aux_shapes)):
            raise ArgumentError(
                f"Module.bind: the shapes of the parameters cannot be inferred from {shapes}"
            )

        order = ordered(symbol._heads)
        variables = {node.name: node for node in order if node.op is None}
        stypes, grad_stypes = storage_types(order, symbol._heads, {})

        def made(kind: str, names: Any, shapes: Any, types: Any) -> dict[str, Any]:
            stored = grad_stypes if kind == "grad_dict" else stypes
            there = getattr(shared, kind) if shared else {}
            found = {}
            for name, shape, dtype in zip(names, shapes, types or [None] * len(shapes)):
                one = None if name in self.input_names else there.get(name)
                form = tuple(shape), stored[name]
                fits = one is not None and (one.shape, one.stype) == form
                place = context_of(variables[name], context, groups)
                found[name] = one if fits else nd.zeros(shape, place, dtype or "float32", form[1])
            return found

        names, wanted = symbol.list_arguments(), self.requests
        args = made("arg_dict", names, arg_shapes, arg_types)
        kept = [k for k, name in enumerate(names) if wanted.get(name, "null") != "null"]
        grads = made(
            "grad_dict",
            [names[k] for k in kept],
            [arg_shapes[k] for k in kept],
            [arg_types[k] for k in kept] if arg_types else None,
        )
        states = made("aux_dict", self.aux_names, aux_shapes, aux_types)
        return symbol.bind(context, args, grads, wanted, states, groups)

    def set_params(self, arg_params: dict, aux_params: dict, allow_extra: bool = False) -> None:
        """Copy values into the arrays of all contexts."""
        for one in self.execs:
            one.copy_params_from(arg_params, aux_params, allow_extra_params=allow_extra)

    def get_params(self, arg_params: dict[str, NDArray], aux_params: dict[str, NDArray]) -> None:
        """Put copies of the parameters, the means over the contexts, into two dicts.

        They are on the current context, from where scripts use them with arrays of their own.
        """
        here = current_context()
        for into, names, arrays in (
            (arg_params, self.param_names, self.param_arrays),
            (aux_params, self.aux_names, self.aux_arrays),
        ):
            for name, each in zip(names, arrays):
                total = each[0].copyto(here)
                for one in each[1:]:
                    total += one.as_in_context(here)
                into[name] = total if len(each) == 1 else (total / len(each)).astype(total.dtype)

    def joined(self, batches: list[Any]) -> DataBatch:
        """What a list of batches, one for each context, is together: a batch of its shapes."""
        count = len(self.contexts)
        each = [[one.shape for one in batch.data] for batch in batches]
        if len(each) != count or any(shapes != each[0] for shapes in each):
            raise ArgumentError(
                f"Module.forward: a list of batches needs one for each of the {count} contexts, all"
                f" of the same shapes; got data of the shapes {each}"
            )

        def whole(arrays: Any, described: list[DataDesc]) -> list[Shaped]:
            pairs = [(list(x.shape), batch_axis(one)) for x, one in zip(arrays or (), described)]
            for shape, axis in pairs:
                shape[max(axis, 0)] *= count if axis >= 0 else 1
            return [Shaped(tuple(shape)) for shape, _ in pairs]

        labels = whole(getattr(batches[0], "label", None), self.label_shapes)
        return DataBatch(whole(batches[0].data, self.data_shapes), labels)

    def forward(self, data_batch: Any, is_train: bool) -> None:
        """Compute a batch, or a list of batches, one for each context."""
        for k, (executor, where) in enumerate(zip(self.execs, self.slices)):
            batch = data_batch[k] if isinstance(data_batch, list) else data_batch
            for shapes, arrays in (
                (self.data_shapes, batch.data),
                # A batch without labels may be any tuple with data.
                (self.label_shapes, self.label_shapes and batch.label),
            ):
                for one, array in zip(shapes, arrays or ()):
                    if one.name in self._taken:
                        cut = array
                        if batch is data_batch:
                            cut = part(array, batch_axis(one), where)
                        executor.arg_dict[one.name][:] = cut
            executor.forward(is_train=is_train)

    def backward(self, out_grads: Any = None) -> None:
        """The gradients of the last batch; `out_grads` are those of the outputs."""
        given = [out_grads] if isinstance(out_grads, NDArray) else out_grads
        for executor, where in zip(self.execs, self.slices):
            if given is None:
                executor.backward()
                continue
            places = zip(given, self._output_axes, executor.outputs)
            executor.backward(
                [part(one, axis, where).as_in_context(y.context) for one, axis, y in places]
            )

    def get_outputs(self, merge_multi_context: bool = True) -> list[Any]:
        """The outputs, of whole batches or in a list for each context."""
        columns = list(zip(*(one.outputs for one in self.execs)))
        if not merge_multi_context:
            return [list(one) for one in columns]
        return [merged(one, axis) for one, axis in zip(columns, self._output_axes)]

    def get_input_grads(self, merge_multi_context: bool = True) -> list[Any]:
        """The gradients of the data, of whole batches or in a list for each context."""
        columns = [[one.grad_dict[data.name] for one in self.execs] for data in self.data_shapes]
        if not merge_multi_context:
            return columns
        return [merged(each, batch_axis(one)) for each, one in zip(columns, self.data_shapes)]

    def get_states(self, names: Sequence[str], merge_multi_context: bool = True) -> list[Any]:
        """The values of states, of whole batches or in a list for each context."""
        columns = [[one.arg_dict[name] for one in self.execs] for name in names]
        return [merged(one, 0) for one in columns] if merge_multi_context else columns

    def set_states(self, names: Sequence[str], states: Any, value: Any) -> None:
        """Set states to arrays, or lists with one for each context, or all to a number."""
        for k, name in enumerate(names):
            for device, (one, where) in enumerate(zip(self.execs, self.slices)):
                given = value
                if states is not None:
                    given = states[k]
                    given = part(given, 0, where) if isinstance(given, NDArray) else given[device]
                one.arg_dict[name][:] = given

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs and labels of each context in turn."""
        for k, (executor, where) in enumerate(zip(self.execs, self.slices)):
            given = {}
            for one, label in zip(self.label_shapes, labels[k] if pre_sliced else labels or ()):
                given[one.name] = label if pre_sliced else part(label, batch_axis(one), where)
            eval_metric.update_dict(given, dict(zip(self._output_names, executor.outputs)))

    def install_monitor(self, mon: Any) -> None:
        """Install a monitor on all executors."""
        self.monitors.append(mon)
        for one in self.execs:
            mon.install(one)

    def check_kept(self, other: DataParallelExecutorGroup, names: Sequence[str]) -> None:
        """Raise if one of the parameters `names` has another shape than in `other`."""
        before, after = other.execs[0].arg_dict, self.execs[0].arg_dict
        for name in names:
            if before[name].shape != after[name].shape:
                raise ArgumentError(
                    f"Module: data of shapes {[one.shape for one in self.data_shapes]} need"
                    f" {name} of shape {after[name].shape}; it has {before[name].shape}, for data"
                    f" of shapes {[one.shape for one in other.data_shapes]}"
                )

    def take_monitors(self, other: DataParallelExecutorGroup) -> None:
        """Watch these executors with the monitors of `other`, whose executors they replace."""
        self.monitors = other.monitors
        for old, new in zip(other.execs, self.execs):
            new.set_monitor_callback(*(old._monitor or (None,)))
            for mon in self.monitors:
                watched = getattr(mon, "exes", [])
                watched[:] = [new if one is old else one for one in watched]
