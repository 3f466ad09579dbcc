"""gluon: imperative automatic differentiation on NumPy, with the API of MXNet Gluon."""

import sys as _sys
import typing as _typing
from importlib import import_module as _import_module

from . import (
    autodiff,
    autograd,
    initializer,
    kvstore,
    loss,
    nd,
    nn,
    optimizer,
    random,
)
from . import initializer as init
from . import kvstore as kv
from ._core import errors, jitted, progress, registry, runtime
from ._core.arrays import (
    Context,
    cpu,
    cpu_pinned,
    current_context,
    gpu,
    gpu_memory_info,
    num_gpus,
)
from ._core.arrays import base as _base
from ._core.arrays import context as _context
from ._core.arrays import interfaces as _interfaces
from ._core.errors import GluonError
from ._core.faces.loaders import LOADERS as _LOADERS
from ._core.hints.lookup import hinting as _hinting
from ._core.jitted import jit
from .block import Block, HybridBlock
from .parameter import Constant, DeferredInitializationError, Parameter, ParameterDict
from .trainer import Trainer

if _typing.TYPE_CHECKING:  # these imports are lazy: they happen on first use
    from . import (
        callback,
        contrib,
        data,
        distributed,
        func,
        image,
        io,
        lr_scheduler,
        metric,
        model,
        model_zoo,
        module,
        monitor,
        np,
        npx,
        onnx,
        operator,
        profiler,
        recordio,
        rnn,
        symbol,
        test_utils,
        util,
        utils,
        viz,
    )
    from . import symbol as sym
    from .block import SymbolBlock

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
    "distributed",
    "errors",
    "func",
    "gpu",
    "gpu_memory_info",
    "image",
    "init",
    "initializer",
    "io",
    "jit",
    "kv",
    "kvstore",
    "loss",
    "lr_scheduler",
    "metric",
    "model",
    "model_zoo",
    "module",
    "monitor",
    "nd",
    "nn",
    "np",
    "npx",
    "num_gpus",
    "onnx",
    "operator",
    "optimizer",
    "profiler",
    "progress",
    "random",
    "recordio",
    "registry",
    "rnn",
    "runtime",
    "sym",
    "symbol",
    "test_utils",
    "util",
    "utils",
    "viz",
]

__version__ = "0.2.0"

# Public paths of modules that are elsewhere: in `_core`, MXNet's name of `nd`, and those that
# pickles of gluon 0.2 have for arrays and devices.
_ELSEWHERE = {
    "errors": errors,
    "jitted": jitted,
    "progress": progress,
    "registry": registry,
    "runtime": runtime,
    "ndarray": nd,
    "ndarray.base": _base,
    "ndarray.context": _context,
}
_sys.modules |= {f"{__name__}.{name}": module for name, module in _ELSEWHERE.items()}
ndarray = nd


#: Public modules besides those in `__all__`.
_MODULES = ("block", "ndarray", "parameter", "trainer")
_refuse = _hinting(__name__, __all__)
_LOADERS["_onnx_"] = lambda: _import_module(f"{__name__}.onnx")


def __getattr__(name: str) -> _typing.Any:
    if name == "SymbolBlock":
        from .block import SymbolBlock

        return SymbolBlock
    name = "symbol" if name == "sym" else name
    return _import_module(f"{__name__}.{name}") if name in __all__ else _refuse(name)


_interfaces.public = __getattr__


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, "__version__"})
