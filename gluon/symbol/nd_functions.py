"""The functions of `gluon.nd` on symbols, made of them; the stub lists them for editors."""

import typing as _typing

from .. import nd as _nd
from . import custom as _custom  # noqa: F401  (it declares the operator)
from . import functions as _functions
from .compose import composed as _composed

#: How MXNet's files call operators that have other names there.
_NAMES = {
    **{
        name: f"_{name}"
        for name in _nd.__all__  # type: ignore[attr-defined]
        if name.startswith(("linalg_", "random_", "sample_"))
    },
    "BatchNormWithReLU": "_contrib_BatchNormWithReLU",
    "ElementWiseSum": "add_n",
    "Softmax": "SoftmaxOutput",
    "broadcast_axes": "broadcast_axis",
    "broadcast_minus": "broadcast_sub",
    "broadcast_plus": "broadcast_add",
    "cast": "Cast",
    "choose_element_0index": "pick",
    "concat": "Concat",
    "crop": "slice",
    "ctc_loss": "CTCLoss",
    "cumsum": "_np_cumsum",
    "flatten": "Flatten",
    "flip": "reverse",
    "identity": "_copy",
    "max_axis": "max",
    "min_axis": "min",
    "moveaxis": "_np_moveaxis",
    "normal": "_random_normal",
    "pad": "Pad",
    "ravel_multi_index": "_ravel_multi_index",
    "reshape": "Reshape",
    "shuffle": "_shuffle",
    "split": "SliceChannel",
    "stop_gradient": "BlockGrad",
    "sum_axis": "sum",
    "swapaxes": "SwapAxis",
    "uniform": "_random_uniform",
    "unravel_index": "_unravel_index",
}
globals().update(_composed(_nd, names=_NAMES, without=vars(_functions)))
if _typing.TYPE_CHECKING:
    from ._declared_nd_functions import *  # noqa: F403
