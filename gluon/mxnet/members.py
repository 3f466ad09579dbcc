"""Members of MXNet's classes that the hook adds to gluon's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import nd, np
from .._core.arrays import Context, cpu
from .._core.arrays.context import current_context
from .._core.engine.mark import gradient
from .._core.errors import ArgumentError, GluonError, MissingNameError
from .._hook.members import Reading, constant
from ..block.base import warn_of_unregistered
from ..block.symbol_block import SymbolBlock
from ..block.symbolic import flat, graph, placeholders
from ..nd import NDArray
from ..np import ndarray
from ..rnn import (
    BidirectionalCell,
    DropoutCell,
    GRUCell,
    HybridSequentialRNNCell,
    LSTMCell,
    RNNCell,
)
from .helpers.blocks import _flatten, _regroup
from .methods import MEMBERS as METHODS


def _ctx_map(parameter: Any) -> list[list] | None:
    """The index of the replica on each device, for CPUs and GPUs."""
    if parameter._data is None:
        return None
    found: list[list] = [[], []]
    for index, one in enumerate(parameter._data):
        places = found[one.ctx.device_typeid & 1]
        places += [None] * (one.ctx.device_id + 1 - len(places))
        places[one.ctx.device_id] = index
    return found


def _check_and_get(self: Any, arr_list: list | None, ctx: Any) -> Any:
    """Return the replica on a context, or all of them for ``list``."""
    found = self._check(arr_list)
    if ctx is list:
        return found
    if ctx is None and len(found) == 1:
        return found[0]
    wanted = current_context() if ctx is None else ctx
    for one in found:
        if one.ctx == wanted:
            return one
    raise GluonError(f"{self.whose} is on {[one.ctx for one in found]}, not on {wanted}")


def _init_impl(self: Any, data: NDArray, ctx_list: Any) -> None:
    """Set the values, with a replica on each context."""
    self._deferred = None
    self._replicate(data.raw, list(ctx_list))


def _grad(parameter: Any) -> list | None:
    """Return the gradients of all replicas, or None."""
    if parameter._data is None or parameter.grad_req == "null":
        return None
    return [gradient(one) for one in parameter._data]


def _reduce(self: Any) -> NDArray:
    """Return the mean of all replicas, on the CPU."""
    first, *others = self.list_data()
    if not others:
        return first.copyto(cpu())
    return sum((one.as_in_context(cpu()) for one in others), first.copyto(cpu())) / (
        1 + len(others)
    )


def _unfuse(self: Any) -> HybridSequentialRNNCell:
    """Return cells that share the parameters of a recurrent layer and compute the same."""
    form = self._form
    if form.projection or form.clip:
        raise GluonError("layers with projections or clipped states have no cells of their own")
    kinds: dict[str, tuple[type, dict]] = {
        "gru": (GRUCell, {}),
        "lstm": (LSTMCell, {}),
        "rnn_relu": (RNNCell, {"activation": "relu"}),
        "rnn_tanh": (RNNCell, {"activation": "tanh"}),
    }
    kind, settings = kinds[form.mode]
    stack = HybridSequentialRNNCell(prefix=self.prefix, params=self.params)
    with stack.name_scope():
        length = self._reg_params["l0_i2h_weight"].shape[1]
        for layer in range(form.layers):
            cells = [
                kind(form.size, input_size=length, prefix=f"{side}{layer}_", **settings)
                for side in "lr"[: form.directions]
            ]
            stack.add(cells[0] if len(cells) == 1 else BidirectionalCell(*cells))
            if form.p and layer != form.layers - 1:
                stack.add(DropoutCell(form.p))
            length = form.size * form.directions
    return stack


def _infer_attrs(self: Any, infer_fn: str, attr: str, *args: Any) -> None:
    """Find the shapes or dtypes of parameters from inputs."""
    getattr(self, infer_fn)(*args)


def _deferred_infer_shape(self: Any, *args: Any) -> None:
    """Find the shapes of parameters from inputs."""
    self.infer_shape(*args)


def _call_cached_op(self: Any, *args: Any) -> Any:
    """Run the block: gluon caches no operator."""
    return self.forward(*args)


def _in_format(block: Any) -> Any:
    """The nesting of the inputs of the last call, as `_flatten` returns it."""
    form = block._called_with
    return None if form is None else _flatten(placeholders(form)[0], "input")[1]


class _OutFormat:
    """The nesting of the outputs of a block; setting it groups those of a `SymbolBlock`."""

    def __get__(self, block: Any, owner: type | None = None) -> Any:
        if block is None or "_out_format" in vars(block):
            return self if block is None else vars(block)["_out_format"]
        form = block._called_with
        return None if form is None else _flatten(block(*placeholders(form)[0]), "output")[1]

    def __set__(self, block: Any, form: Any) -> None:
        vars(block)["_out_format"] = form
        if isinstance(block, SymbolBlock):
            plain = type(block).forward
            vars(block)["forward"] = lambda *args: _regroup([*flat([plain(block, *args)])], form)


def _nothing(self: Any, *args: Any) -> None:
    """Do nothing: gluon caches nothing."""


def _rescale(self: Any, scale: float) -> None:
    """Set the factor of gradients."""
    self._optimizer.rescale_grad = scale


def _check_contexts(self: Any) -> list:
    """Return the contexts that all parameters share."""
    return self._common_contexts()


def _init_kvstore(self: Any) -> None:
    """Set all replicas of parameters to the same values."""
    self._begin()


def _at(self: Any, idx: int) -> NDArray:
    """Return one entry of the first axis."""
    return self[idx]


def _slice(self: Any, start: int | None, stop: int | None) -> NDArray:
    """Return a slice of the first axis."""
    return self[start:stop]


def _fill(self: Any, value: Any) -> None:
    """Fill the array with one value."""
    self[:] = value


def _sync_copyfrom(self: Any, source_array: Any) -> None:
    """Copy the values of a NumPy array."""
    given = nd.array(source_array, dtype=self.dtype)
    if given.shape != self.shape:
        raise ArgumentError(f"the array has shape {self.shape}, but the values have {given.shape}")
    self[:] = given


class _DefaultContext:
    """Holds the default context as ``value``."""

    @property
    def value(self) -> Context:
        """The context, which can be replaced."""
        return Context.default_ctx

    @value.setter
    def value(self, ctx: Context) -> None:
        Context.default_ctx = ctx


def _get(self: Any, key: Any, *described: Any) -> Any:
    """Index the array; one method handles all keys."""
    return self[key]


def _set(self: Any, key: Any, value: Any) -> None:
    """Write to an index."""
    self[key] = value


def _absent(what: str) -> Callable:
    """A method of `NDArray` alone: MXNet's `np.ndarray` names it and raises an AttributeError."""

    def method(self: Any, *args: Any, **kwargs: Any) -> None:
        raise MissingNameError(f"{what} exists neither in gluon nor in MXNet; use mx.np")

    method.__name__, method.__qualname__ = what.rpartition(".")[2], what
    return method


_HYBRID = {
    "_active": constant(False),
    "_backend": constant(None),
    "_build_cache": _nothing,
    "_cached_graph": Reading(lambda block: () if block._called_with is None else graph(block)),
    "_cached_op": constant(None),
    "_call_cached_op": _call_cached_op,
    "_clear_cached_op": _nothing,
    "_deferred_infer_shape": _deferred_infer_shape,
    "_flags": Reading(lambda _: []),
    "_in_format": Reading(_in_format),
    "_infer_attrs": _infer_attrs,
    "_out_format": _OutFormat(),
}

#: class of MXNet -> name -> its object
MEMBERS: dict[str, dict[str, Any]] = {
    "context.Context": {"_default_ctx": _DefaultContext()},
    "gluon.block.Block": {
        "_check_container_with_block": warn_of_unregistered,
        "_empty_prefix": Reading(lambda block: block.prefix == ""),
        "_name": Reading(lambda block: block.name),
        "_params": Reading(lambda block: block.params),
        "_prefix": Reading(lambda block: block.prefix),
    },
    "gluon.block.HybridBlock": _HYBRID,
    "gluon.block.SymbolBlock": {
        "reset_ctx": lambda self, ctx: self.collect_params().reset_ctx(ctx),
    },
    "gluon.data.dataloader.DataLoader": {
        "_pin_device_id": constant(0),
        "_pin_memory": constant(False),
        "_prefetch_iter": lambda self: self.refresh(),
        "_worker_pool": Reading(lambda loader: loader._pool),
    },
    "gluon.parameter.Parameter": {
        "_allow_deferred_init": Reading(lambda one: one.allow_deferred_init),
        "_check_and_get": _check_and_get,
        "_ctx_list": Reading(lambda one: one._data and [data.ctx for data in one._data]),
        "_ctx_map": Reading(_ctx_map),
        "_deferred_init": Reading(lambda one: tuple(one._deferred or ())),
        "_grad": Reading(_grad),
        "_init_grad": lambda self: self._set_replicas(self._check(self._data)),
        "_init_impl": _init_impl,
        "_reduce": _reduce,
        "_set_trainer": lambda self, trainer: setattr(self, "_trainer", trainer),
        "_stype": constant("default"),
        "_trainer": constant(None),
        "_var": constant(None),
    },
    "gluon.parameter.ParameterDict": {"_get_impl": lambda self, name: self._find(name)},
    "gluon.rnn.rnn_layer._RNNLayer": {
        "_dir": Reading(lambda layer: layer._form.directions),
        "_dropout": Reading(lambda layer: layer._form.p),
        "_forward_kernel": lambda self, *args: self.forward(*args),
        "_hidden_size": Reading(lambda layer: layer._form.size),
        "_input_size": Reading(lambda layer: layer._reg_params["l0_i2h_weight"].shape[1]),
        "_mode": Reading(lambda layer: layer._form.mode),
        "_num_layers": Reading(lambda layer: layer._form.layers),
        "_unfuse": _unfuse,
    },
    "gluon.trainer.Trainer": {
        "_check_and_rescale_grad": _rescale,
        "_check_contexts": _check_contexts,
        "_contains_sparse_grad": constant(False),
        "_contains_sparse_weight": constant(False),
        "_init_kvstore": _init_kvstore,
        "_param2idx": Reading(lambda one: {p.name: i for i, p in enumerate(one._params)}),
        "_params_to_init": Reading(lambda one: [] if one._kv_initialized else list(one._params)),
    },
    "ndarray.ndarray.NDArray": {
        "__array_priority__": 1000.0,
        "_at": _at,
        "_full": _fill,
        "_get_nd_advanced_indexing": _get,
        "_get_nd_basic_indexing": _get,
        "_set_nd_advanced_indexing": _set,
        "_set_nd_basic_indexing": _set,
        "_slice": _slice,
        "_sync_copyfrom": _sync_copyfrom,
    },
    "numpy.ndarray": {
        **{f"__{one.__name__}__": one for one in (np.ceil, np.floor, np.trunc)},
        "_get_np_advanced_indexing": _get,
        "_get_np_basic_indexing": _get,
        "_get_np_boolean_indexing": _get,
        "_get_np_empty_tuple_indexing": _get,
        "_set_np_advanced_indexing": _set,
        "_set_np_boolean_indexing": _set,
    },
    "runtime.Features": {"instance": None},
}
for _path, _names in METHODS.items():
    MEMBERS[_path] = {**_names, **MEMBERS.get(_path, {})}


def stand_in(owner: type, name: str, what: str) -> Any:
    """A public method of `NDArray` alone, where MXNet's `np.ndarray` names it; else None."""
    is_method = name[0] != "_" and callable(getattr(NDArray, name, None))
    return _absent(what) if owner is ndarray and is_method else None
