"""Members of MegEngine's classes that the hook adds to gluon's."""

from __future__ import annotations

import warnings
from typing import Any

from .._hook.members import Reading, constant
from . import functional
from .helpers.utils import set_expand_structure
from .tensor import Tensor


def _no_sum(self: Any, *args: Any) -> None:
    """Do nothing: there is one process."""


def _set_value(self: Any, value: Any) -> None:
    """Take the values of another tensor, and their shape."""
    warnings.warn("set_value: write x[...] = value", DeprecationWarning, stacklevel=2)
    self._reset(Tensor(value, dtype=self.dtype))


def _reset_zero(self: Any) -> None:
    """Fill a tensor with zeros."""
    warnings.warn("reset_zero: write x *= 0", DeprecationWarning, stacklevel=2)
    self._reset(self * 0)


def _requires_grad(self: Any) -> bool:
    """Raise, as MegEngine does."""
    raise AttributeError("requires_grad: a GradManager knows whose gradient is wanted")


def _state_dict(self: Any, rst: Any = None, prefix: str = "", keep_var: bool = False) -> tuple:
    """Return the `state_dict`, and the names of the modules in it."""
    found = self.state_dict(rst, prefix, keep_var)
    return found, {name.rpartition(".")[0] for name in found}


def _replace_param(self: Any, params: dict, start_pos: int, seen: Any = None) -> int:
    """Replace the parameters by tensors, by number from `start_pos`."""
    names = [name for name, _ in self.named_parameters()]
    for place, name in enumerate(names[: len(params) - start_pos], start_pos):
        set_expand_structure(self, name, params[place])
    return min(len(names), len(params) - start_pos)


def _weight_shape(self: Any) -> tuple[int, ...]:
    """The shape of the weight."""
    return tuple(self.weight.shape)


def _bias_shape(self: Any) -> tuple[int, ...]:
    """The shape of the bias."""
    return (1, self.out_channels) + (1,) * self.ndim


def _reset_statistics(self: Any) -> None:
    """Write zeros and ones to the running mean and variance."""
    if self.running_mean is not None:
        self.running_mean[...] = 0
        self.running_var[...] = 1


def _reset_affine(self: Any) -> None:
    """Write ones and zeros to the weight and the bias, and reset the running statistics."""
    if hasattr(self, "running_mean"):
        _reset_statistics(self)
    if self.weight is not None:
        self.weight[...] = 1
        self.bias[...] = 0


def _computed(layer: Any, *args: Any) -> Any:
    """Apply the layer with another weight and bias."""
    inp, *parts = args
    before = layer.weight, layer.bias
    layer.weight, layer.bias = parts if len(parts) == 2 else (*parts, None)
    try:
        return layer.forward(inp)
    finally:
        layer.weight, layer.bias = before


def _scatter(self: Any, indices: Any) -> list:
    """Return the part of this process: all of it."""
    return list(indices)


_NORM = {"reset_parameters": _reset_affine}
_CONV = {
    "_get_fanin": lambda self: self._get_fanin(),
    "_infer_bias_shape": _bias_shape,
    "_infer_weight_shape": _weight_shape,
}
#: class of MegEngine -> name -> its object
MEMBERS: dict[str, dict[str, Any]] = {
    "autodiff.grad_manager.GradManager": {"_do_record": lambda self: self.record()},
    "autodiff.grad_manager.GradManagerGroup": {"merge_with": lambda self, other: self | other},
    "core._imperative_rt.common.CompNode": {"_sync_all": staticmethod(lambda: None)},
    "data.sampler.MapSampler": {"scatter": _scatter},
    "module.batchnorm._BatchNorm": {**_NORM, "reset_running_stats": _reset_statistics},
    "module.conv._ConvNd": _CONV,
    "module.conv.Conv1d": {"calc_conv": _computed},
    "module.conv.Conv2d": {"calc_conv": _computed},
    "module.conv.Conv3d": {"calc_conv": _computed},
    "module.conv.ConvTranspose2d": {"calc_conv_transpose2d": _computed},
    "module.linear.Linear": {
        "_get_fanin": lambda self: self.in_features,
        "calc_linear": _computed,
    },
    "module.module.Module": {
        "_state_dict": _state_dict,
        "disable_quantize": lambda self, value=True: setattr(self, "quantize_disabled", value),
        "quantize_disabled": False,
        "replace_param": _replace_param,
    },
    "module.normalization.GroupNorm": _NORM,
    "module.normalization.InstanceNorm": _NORM,
    "module.normalization.LayerNorm": _NORM,
    "optimizer.optimizer.Optimizer": {"bcast_param": _no_sum},
    "tensor.Tensor": {
        **dict.fromkeys(("_name", "_short_name", "_custom_name"), Reading(lambda x: x.name)),
        **dict.fromkeys(("_prefix", "dmap_callback"), constant(None)),
        "__getnewargs__": lambda self: (self.raw, self.dtype, str(self.device)),
        "format": constant("default"),
        "requires_grad": Reading(_requires_grad),
        "_broadcast": lambda self, shape: functional.broadcast_to(self, shape),
        "_tuple_shape": Reading(lambda x: x.shape),
        "reset_zero": _reset_zero,
        "set_value": _set_value,
    },
}
