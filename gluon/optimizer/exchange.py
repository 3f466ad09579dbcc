"""Attributes of optimizers and schedules as MXNet has them in pickles, and as gluon has them."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final

from .._core.arrays.switch import is_np_array
from .._core.engine.array import Array, wrap
from ..lr_scheduler import FactorScheduler, LRScheduler, MultiFactorScheduler, _Falling
from ..nd import NDArray

#: What gluon keeps that MXNet does not know.
OWN: Final = ("_counts", "_memories", "_memory", "_attributes", "_told", "param_dict")
#: What MXNet's base class keeps that gluon computes.
MXNETS: Final = ("_all_index_update_counts", "_index_update_count", "sym_info", "allow_np_array")
#: The same of single optimizers, with the values at the start.
OF_ONE: Final[dict[str, dict[str, Any]]] = {
    "DCASGD": {"weight_previous": {}},
    "LARS": {"skip": 0, "last_lr": None, "cur_lr": None},
    "LBSGD": {"lbmult": 1, "cumgrads": {}, "adaptive": False, "admult": 1},
    "Nadam": {"m_schedule": 1.0},
}


def _own_class(optimizer: Any) -> type:
    """The class of gluon that an optimizer is of, or derives from."""
    return next(one for one in type(optimizer).__mro__ if one.__module__.startswith("gluon."))


# ------------------------------------------------------------------------------------- reading


def from_mxnet(optimizer: Any, state: dict[str, Any]) -> None:
    """Give an optimizer the attributes that MXNet pickled."""
    kind: Any = _own_class(optimizer)
    kind.__init__(optimizer)
    known = OF_ONE.get(kind.__name__, {})
    hidden = {*MXNETS, *known, "param_dict"}
    if type(optimizer) is kind:
        hidden.add("aggregate_num")
    vars(optimizer).update({key: value for key, value in state.items() if key not in hidden})
    if optimizer.lr is None:  # the schedule has it
        optimizer.lr = getattr(optimizer.lr_scheduler, "base_lr", 0.01)
    if info := state.get("sym_info"):
        optimizer._attributes = info[0]
    current = state.get("_index_update_count", {})
    counts = state.get("_all_index_update_counts", {0: current})  # MXNet 1.4 had one
    optimizer._counts = {device: dict(count) for device, count in counts.items()}
    read = READ.get(kind.__name__)
    if read:
        memories = {device: read(optimizer, count, state) for device, count in counts.items()}
        optimizer._memories = memories
    chosen = [device for device, count in counts.items() if count is current]
    optimizer._set_current_context(chosen[0] if chosen else 0)


def _read_nadam(optimizer: Any, counts: dict[Any, int], state: dict[str, Any]) -> dict[Any, Any]:
    """The products of the momenta by weight; MXNet has one product over all weights."""
    return {
        index: prod(map(optimizer._momentum, _updates(optimizer, count)))
        for index, count in counts.items()
    }


def _updates(optimizer: Any, count: int) -> range:
    return range(optimizer.begin_num_update + 1, count + 1)


def _read_lars(optimizer: Any, counts: dict[Any, int], state: dict[str, Any]) -> dict[Any, Any]:
    """The last learning rate of each weight; MXNet has one for all."""
    last = state.get("cur_lr")
    return {} if last is None else dict.fromkeys(counts, last)


def _read_lbsgd(optimizer: Any, counts: dict[Any, int], state: dict[str, Any]) -> dict[Any, Any]:
    """The sums of gradients since the last update."""
    sums = {index: one["cum_grad"] for index, one in state.get("cumgrads", {}).items()}
    return {index: one.raw for index, one in sums.items() if isinstance(one, Array)}


READ: Final[dict[str, Callable[..., dict[Any, Any]]]] = {
    "LARS": _read_lars,
    "LBSGD": _read_lbsgd,
    "Nadam": _read_nadam,
}


# ------------------------------------------------------------------------------------- writing


def to_mxnet(thing: Any) -> dict[str, Any]:
    """The attributes of an optimizer or a schedule as MXNet pickles them."""
    state = thing.__getstate__() if hasattr(type(thing), "__getstate__") else vars(thing)
    state = {key: value for key, value in (state or {}).items() if key not in OWN}
    if isinstance(thing, LRScheduler):
        return {**_of_schedule(thing), **state}
    kind = _own_class(thing).__name__
    return {
        **state,
        "_all_index_update_counts": thing._counts,
        "_index_update_count": thing._index_update_count,
        "aggregate_num": thing.aggregate_num,
        "sym_info": (thing._attributes, list(thing._attributes)) if thing._attributes else (),
        "allow_np_array": is_np_array(),
        **OF_ONE.get(kind, {}),
        **WRITTEN.get(kind, lambda _: {})(thing),
    }


def _of_schedule(schedule: LRScheduler) -> dict[str, Any]:
    """What MXNet counts in a schedule; from 0 it catches up by itself."""
    if isinstance(schedule, FactorScheduler):
        return {"count": 0}
    if isinstance(schedule, MultiFactorScheduler):
        return {"count": 0, "cur_step_ind": 0}
    if isinstance(schedule, _Falling):
        return {"max_steps": schedule.max_update - schedule.warmup_steps}
    return {}


def _write_nadam(optimizer: Any) -> dict[str, Any]:
    return {"m_schedule": prod(optimizer._memory.values())}


def _write_lars(optimizer: Any) -> dict[str, Any]:
    last = next(reversed(optimizer._memory.values()), None)
    return {"last_lr": last, "cur_lr": last}


def _write_lbsgd(optimizer: Any) -> dict[str, Any]:
    sums = {index: wrap(NDArray, raw) for index, raw in optimizer._memory.items()}
    return {
        "cumgrads": {
            index: {
                "cum_grad": sums.get(index, 0),
                "num_cums": len(_updates(optimizer, count)) + optimizer.init_updates,
            }
            for index, count in optimizer._index_update_count.items()
        }
    }


WRITTEN: Final[dict[str, Callable[[Any], dict[str, Any]]]] = {
    "LARS": _write_lars,
    "LBSGD": _write_lbsgd,
    "Nadam": _write_nadam,
}
