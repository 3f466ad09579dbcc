"""gluon: imperative automatic differentiation on NumPy, with the API of MXNet Gluon."""

from . import (
    autodiff,
    autograd,
    callback,
    contrib,
    data,
    image,
    initializer,
    io,
    kvstore,
    loss,
    lr_scheduler,
    metric,
    model_zoo,
    nd,
    nn,
    operator,
    optimizer,
    random,
    recordio,
    rnn,
    utils,
)
from . import initializer as init
from . import kvstore as kv
from .block import Block, HybridBlock, SymbolBlock
from .engine.errors import GluonError
from .ndarray import Context, cpu, cpu_pinned, current_context, gpu, gpu_memory_info, num_gpus
from .parameter import Constant, DeferredInitializationError, Parameter, ParameterDict
from .trainer import Trainer

__all__ = [
    "Block",
    "Constant",
    "Context",
    "DeferredInitializationError",
    "GluonError",
    "HybridBlock",
    "Parameter",
    "ParameterDict",
    "SymbolBlock",
    "Trainer",
    "autodiff",
    "autograd",
    "callback",
    "contrib",
    "cpu",
    "cpu_pinned",
    "current_context",
    "data",
    "gpu",
    "gpu_memory_info",
    "image",
    "init",
    "initializer",
    "io",
    "kv",
    "kvstore",
    "loss",
    "lr_scheduler",
    "metric",
    "model_zoo",
    "nd",
    "nn",
    "num_gpus",
    "operator",
    "optimizer",
    "random",
    "recordio",
    "rnn",
    "utils",
]

__version__ = "0.1.0"
