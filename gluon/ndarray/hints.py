"""What users of PyTorch and NumPy write, and how gluon says it: for the messages of errors."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection
from typing import Any

from ..engine.errors import DTypeError, MissingNameError

CPU = "gluon computes on the CPU; leave it out"
RECORD = "call x.attach_grad() and compute inside `with autograd.record():`"
EXPAND = "use x.broadcast_to(shape)"
PARAMETERS = "use net.collect_params()"
MODES = "blocks train inside `with autograd.record():`, and predict outside it"
IN_PLACE = "assign, as in x[:] = value or x += value"
SAVE = "use net.save_parameters(filename) and net.load_parameters(filename)"

#: What PyTorch's tensors have -> the same for an array of either interface, `x`.
ATTRIBUTES = {
    "cuda": CPU,
    "cpu": CPU,
    "to": "use x.astype(dtype), or x.as_in_context(ctx)",
    "type": "use x.astype(dtype), or x.dtype",
    "float": "use x.astype('float32')",
    "double": "use x.astype('float64')",
    "half": "use x.astype('float16')",
    "long": "use x.astype('int64')",
    "int": "use x.astype('int32')",
    "bool": "use x.astype('bool')",
    "device": "use x.context",
    "is_cuda": "use x.context",
    "data": "use x.detach()",
    "view": "use x.reshape(shape)",
    "view_as": "use x.reshape(y.shape)",
    "contiguous": "arrays need no such call; leave it out",
    "clone": "use x.copy()",
    "unsqueeze": "use nd.expand_dims(x, axis) or np.expand_dims(x, axis)",
    "permute": "use x.transpose(axes)",
    "t": "use x.T",
    "dim": "use x.ndim",
    "numel": "use x.size",
    "nelement": "use x.size",
    "expand": EXPAND,
    "expand_as": EXPAND,
    "matmul": "use x @ y",
    "mm": "use x @ y",
    "bmm": "use x @ y",
    "add": "use x + y",
    "sub": "use x - y",
    "mul": "use x * y",
    "div": "use x / y",
    "pow": "use x ** y",
    "add_": IN_PLACE,
    "sub_": IN_PLACE,
    "mul_": IN_PLACE,
    "div_": IN_PLACE,
    "copy_": IN_PLACE,
    "zero_": IN_PLACE,
    "fill_": IN_PLACE,
    "masked_fill": "use nd.where(mask, value, x) or np.where(mask, value, x)",
    "chunk": "use nd.split(x, parts) or np.split(x, parts)",
    "requires_grad": RECORD,
    "requires_grad_": RECORD,
    "retain_grad": RECORD,
    "grad_fn": RECORD,
    "is_leaf": RECORD,
}

#: What PyTorch's modules have -> the same for a block, `net`.
BLOCK = {
    "parameters": PARAMETERS,
    "named_parameters": PARAMETERS,
    "train": MODES,
    "eval": MODES,
    "training": MODES,
    "zero_grad": "not needed; with grad_req='add', use net.collect_params().zero_grad()",
    "state_dict": SAVE,
    "load_state_dict": SAVE,
    "to": "use net.cast(dtype), or net.collect_params().reset_ctx(ctx)",
    "cuda": CPU,
    "cpu": CPU,
    "children": "index a container, as in net[0]; net.apply(fn) visits all blocks",
    "modules": "net.apply(fn) visits all blocks",
    "named_modules": "net.apply(fn) visits all blocks",
    "add_module": "use net.register_child(block)",
    "register_buffer": "use net.params.get_constant(name, value)",
    "requires_grad_": "use net.collect_params().setattr('grad_req', 'null')",
}

#: module -> what PyTorch calls something -> what gluon calls it.
NAMES = {
    "gluon": {
        "no_grad": "autograd.pause()",
        "inference_mode": "autograd.pause()",
        "enable_grad": "autograd.record()",
        "manual_seed": "random.seed(seed)",
        "tensor": "nd.array(values)",
        "Tensor": "nd.NDArray",
        "NDArray": "nd.NDArray",
        "optim": "optimizer",
        "cuda": "gpu",
        "device": "Context",
        "functional": "nd",
        "Module": "Block",
        "GradManager": "autodiff.GradManager",
        "Dataset": "data.Dataset",
        "DataLoader": "data.DataLoader",
        "save": "nd.save(filename, arrays)",
        "load": "nd.load(filename)",
        "from_numpy": "nd.array(values)",
        "compile": "HybridBlock.hybridize()",
    },
    "nn": {
        "Linear": "nn.Dense(units, in_units=...)",
        "Module": "Block",
        "ModuleList": "nn.Sequential",
        "ModuleDict": "Block.register_child(block, name)",
        "Parameter": "net.params.get(name, shape=...)",
        "functional": "nd",
        "init": "initializer",
        "utils": "utils",
        "ReLU": "nn.Activation('relu')",
        "Sigmoid": "nn.Activation('sigmoid')",
        "Tanh": "nn.Activation('tanh')",
        "Softplus": "nn.Activation('softrelu')",
        "SiLU": "nn.Swish",
        "Softmax": "nd.softmax(x)",
        "LogSoftmax": "nd.log_softmax(x)",
        "Upsample": "nd.UpSampling(x, ...)",
        "AdaptiveAvgPool2d": "nn.GlobalAvgPool2D, or nd.contrib.AdaptiveAvgPooling2D",
        "AdaptiveMaxPool2d": "nn.GlobalMaxPool2D",
        "BatchNorm1d": "nn.BatchNorm",
        "BatchNorm2d": "nn.BatchNorm",
        "BatchNorm3d": "nn.BatchNorm",
        "InstanceNorm2d": "nn.InstanceNorm",
        "Dropout2d": "nn.Dropout(rate, axes=(2, 3))",
        "ConvTranspose1d": "nn.Conv1DTranspose",
        "ConvTranspose2d": "nn.Conv2DTranspose",
        "ConvTranspose3d": "nn.Conv3DTranspose",
        "RNN": "rnn.RNN",
        "LSTM": "rnn.LSTM",
        "GRU": "rnn.GRU",
        "RNNCell": "rnn.RNNCell",
        "LSTMCell": "rnn.LSTMCell",
        "GRUCell": "rnn.GRUCell",
        "MultiheadAttention": "nn.MultiHeadAttention",
        "CrossEntropyLoss": "loss.SoftmaxCrossEntropyLoss()",
        "NLLLoss": "loss.SoftmaxCrossEntropyLoss(from_logits=True)",
        "MSELoss": "loss.L2Loss(), which halves it",
        "L1Loss": "loss.L1Loss()",
        "SmoothL1Loss": "loss.HuberLoss()",
        "HuberLoss": "loss.HuberLoss()",
        "BCELoss": "loss.SigmoidBinaryCrossEntropyLoss(from_sigmoid=True)",
        "BCEWithLogitsLoss": "loss.SigmoidBinaryCrossEntropyLoss()",
        "KLDivLoss": "loss.KLDivLoss()",
        "CTCLoss": "loss.CTCLoss()",
        "TripletMarginLoss": "loss.TripletLoss()",
        "CosineEmbeddingLoss": "loss.CosineEmbeddingLoss()",
        "PoissonNLLLoss": "loss.PoissonNLLLoss()",
    },
    "autograd": {
        "no_grad": "autograd.pause()",
        "enable_grad": "autograd.record()",
        "inference_mode": "autograd.pause()",
        "set_grad_enabled": "autograd.set_recording(is_recording)",
        "Variable": "x.attach_grad()",
    },
    "optimizer": {
        "Adagrad": "optimizer.AdaGrad",
        "lr_scheduler": "lr_scheduler",
        "Optimiser": "optimizer.Optimizer",
    },
    "loss": {
        "CrossEntropyLoss": "loss.SoftmaxCrossEntropyLoss()",
        "NLLLoss": "loss.SoftmaxCrossEntropyLoss(from_logits=True)",
        "MSELoss": "loss.L2Loss(), which halves it",
        "SmoothL1Loss": "loss.HuberLoss()",
        "BCELoss": "loss.SigmoidBinaryCrossEntropyLoss(from_sigmoid=True)",
        "BCEWithLogitsLoss": "loss.SigmoidBinaryCrossEntropyLoss()",
        "TripletMarginLoss": "loss.TripletLoss()",
    },
    "data": {
        "TensorDataset": "data.ArrayDataset(x, y)",
        "Subset": "Dataset.take(count), filter(keep) or shard(count, index)",
    },
    "lr_scheduler": {
        "StepLR": "lr_scheduler.FactorScheduler(step, factor)",
        "MultiStepLR": "lr_scheduler.MultiFactorScheduler(step, factor)",
        "CosineAnnealingLR": "lr_scheduler.CosineScheduler(max_update)",
        "PolynomialLR": "lr_scheduler.PolyScheduler(max_update)",
    },
    "utils": {
        "clip_grad_norm_": "utils.clip_global_norm(arrays, max_norm)",
        "clip_grad_value_": "utils.clip_by_value(arrays, max_value)",
    },
    "nd": {
        "tensor": "nd.array(values)",
        "cat": "nd.concat(x, y, dim=0)",
        "matmul": "x @ y, or nd.linalg.gemm2(x, y)",
        "mm": "nd.dot(x, y)",
        "bmm": "nd.batch_dot(x, y)",
        "permute": "nd.transpose(x, axes)",
        "unsqueeze": "nd.expand_dims(x, axis)",
        "masked_fill": "nd.where(mask, value, x)",
        "clamp": "nd.clip(x, a_min, a_max)",
        "randn": "nd.random.normal(shape=(2, 3))",
        "rand": "nd.random.uniform(shape=(2, 3))",
        "manual_seed": "random.seed(seed)",
    },
}

#: What others call an argument -> what it may be called here.
KEYWORDS: dict[str, tuple[str, ...]] = {
    "dim": ("axis",),
    "axis": ("dim",),
    "keepdim": ("keepdims",),
    "input": ("data",),
    "tensors": ("data",),
    "arrays": ("data",),
    "min": ("a_min",),
    "max": ("a_max",),
    "k": ("N",),
    "lr": ("learning_rate",),
    "weight_decay": ("wd",),
    "betas": ("beta1", "beta2"),
    "eps": ("epsilon",),
    "alpha": ("gamma1",),
    "in_features": ("in_units",),
    "out_features": ("units",),
    "out_channels": ("channels",),
    "num_features": ("in_channels",),
    "normalized_shape": ("in_channels",),
    "bias": ("use_bias",),
    "stride": ("strides",),
    "dilations": ("dilation",),
    "kernel": ("kernel_size",),
    "p": ("rate", "dropout"),
    "num_embeddings": ("input_dim",),
    "embedding_dim": ("output_dim",),
    "drop_last": ("last_batch",),
    "collate_fn": ("batchify_fn",),
    "embed_dim": ("units",),
    "d_model": ("units",),
    "nhead": ("num_heads",),
    "dim_feedforward": ("hidden_size",),
    "requires_grad": ("grad_req",),
    "device": ("ctx",),
    "size": ("shape",),
}
_UNEXPECTED = re.compile(r"got an unexpected keyword argument '(\w+)'")


def meant(name: str, names: Collection[str]) -> str:
    """Which of `names` may have been meant, to append to a message; nothing if none is close."""
    same = [one for one in names if one.lower() == name.lower()]
    from difflib import get_close_matches

    close = same or get_close_matches(name, names, 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def keyword_meant(reason: str, names: Collection[str]) -> str:
    """Which of `names` the keyword that Python refused may mean, to append to its `reason`."""
    found = _UNEXPECTED.search(reason)
    if found is None:
        return ""
    given = found[1]
    ours = [one for one in KEYWORDS.get(given, ()) if one in names]
    return f"; did you mean {' and '.join(map(repr, ours))}?" if ours else meant(given, names)


def refuse(called: Callable[..., Any], unknown: Collection[str]) -> None:
    """Raise if there are `unknown` keyword arguments, none of which a function or class takes."""
    for name in unknown:
        reason = f"got an unexpected keyword argument {name!r}"
        found = keyword_meant(reason, parameters(called))
        raise DTypeError(f"{called.__name__}: {reason}{found}")


def parameters(called: Callable[..., Any]) -> list[str]:
    """The keyword arguments of a function or class; of a class, those of its bases too."""
    makers = [vars(one).get("__init__") for one in getattr(called, "__mro__", ())]
    found = [inspect.signature(one) for one in filter(callable, makers or [called])]
    return [name for one in found for name in one.parameters]


def missing_attribute(owner: Any, name: str, reason: str) -> MissingNameError:
    """The error for an attribute that others have, with the way out."""
    error = MissingNameError(f"{type(owner).__name__!r} object has no attribute {name!r}; {reason}")
    error.name = name  # or Python adds a suggestion of its own
    return error


def explained(
    message: str, reason: str | None, name: str, names: Collection[str]
) -> MissingNameError:
    """The error that says `message`, and the reason or the name that was meant."""
    error = MissingNameError(f"{message}: {reason}" if reason else message + meant(name, names))
    error.name = name
    return error


def missing_name(
    message: str, module: str, name: str, names: Collection[str], reason: str | None = None
) -> MissingNameError:
    """As `explained`, with what others' names in a module of gluon are called here."""
    ours = NAMES.get(module, {}).get(name)
    reason = reason or (f"use {ours}" if ours else None)
    return explained(message, reason, name, names)


def hinting(module: str, names: Collection[str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module: an error that says which of its `names` was meant.

    Parameters
    ----------
    module : str
        Its ``__name__``.
    names : collection of str
        Its ``__all__``.

    Returns
    -------
    callable
    """
    own = module.partition(".")[2] or module

    def __getattr__(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        raise missing_name(f"module {module!r} has no attribute {name!r}", own, name, names)

    return __getattr__
