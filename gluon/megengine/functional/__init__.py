"""MegEngine's functions on tensors, each made of gluon's recorded operators."""

from ..absent import missing as _missing
from . import distributed, elemwise, loss, math, metric, nn, tensor, vision
from .elemwise import (
    abs as abs,
)
from .elemwise import (
    acos as acos,
)
from .elemwise import (
    acosh as acosh,
)
from .elemwise import (
    add as add,
)
from .elemwise import (
    asin as asin,
)
from .elemwise import (
    asinh as asinh,
)
from .elemwise import (
    atan as atan,
)
from .elemwise import (
    atan2 as atan2,
)
from .elemwise import (
    atanh as atanh,
)
from .elemwise import (
    ceil as ceil,
)
from .elemwise import (
    clip as clip,
)
from .elemwise import (
    cos as cos,
)
from .elemwise import (
    cosh as cosh,
)
from .elemwise import (
    div as div,
)
from .elemwise import (
    equal as equal,
)
from .elemwise import (
    erf as erf,
)
from .elemwise import (
    exp as exp,
)
from .elemwise import (
    expm1 as expm1,
)
from .elemwise import (
    floor as floor,
)
from .elemwise import (
    floor_div as floor_div,
)
from .elemwise import (
    greater as greater,
)
from .elemwise import (
    greater_equal as greater_equal,
)
from .elemwise import (
    left_shift as left_shift,
)
from .elemwise import (
    less as less,
)
from .elemwise import (
    less_equal as less_equal,
)
from .elemwise import (
    log as log,
)
from .elemwise import (
    log1p as log1p,
)
from .elemwise import (
    logaddexp as logaddexp,
)
from .elemwise import (
    logical_and as logical_and,
)
from .elemwise import (
    logical_not as logical_not,
)
from .elemwise import (
    logical_or as logical_or,
)
from .elemwise import (
    logical_xor as logical_xor,
)
from .elemwise import (
    maximum as maximum,
)
from .elemwise import (
    minimum as minimum,
)
from .elemwise import (
    mod as mod,
)
from .elemwise import (
    mul as mul,
)
from .elemwise import (
    neg as neg,
)
from .elemwise import (
    not_equal as not_equal,
)
from .elemwise import (
    pow as pow,
)
from .elemwise import (
    right_shift as right_shift,
)
from .elemwise import (
    round as round,
)
from .elemwise import (
    sign as sign,
)
from .elemwise import (
    sin as sin,
)
from .elemwise import (
    sinh as sinh,
)
from .elemwise import (
    sqrt as sqrt,
)
from .elemwise import (
    square as square,
)
from .elemwise import (
    sub as sub,
)
from .elemwise import (
    tan as tan,
)
from .elemwise import (
    tanh as tanh,
)
from .math import (
    argmax as argmax,
)
from .math import (
    argmin as argmin,
)
from .math import (
    argsort as argsort,
)
from .math import (
    dot as dot,
)
from .math import (
    isinf as isinf,
)
from .math import (
    isnan as isnan,
)
from .math import (
    logsumexp as logsumexp,
)
from .math import (
    matinv as matinv,
)
from .math import (
    matmul as matmul,
)
from .math import (
    max as max,
)
from .math import (
    mean as mean,
)
from .math import (
    min as min,
)
from .math import (
    norm as norm,
)
from .math import (
    normalize as normalize,
)
from .math import (
    prod as prod,
)
from .math import (
    sort as sort,
)
from .math import (
    std as std,
)
from .math import (
    sum as sum,
)
from .math import (
    svd as svd,
)
from .math import (
    topk as topk,
)
from .math import (
    var as var,
)
from .metric import (
    topk_accuracy as topk_accuracy,
)
from .nn import (
    adaptive_avg_pool2d as adaptive_avg_pool2d,
)
from .nn import (
    adaptive_max_pool2d as adaptive_max_pool2d,
)
from .nn import (
    avg_pool2d as avg_pool2d,
)
from .nn import (
    batch_norm as batch_norm,
)
from .nn import (
    binary_cross_entropy as binary_cross_entropy,
)
from .nn import (
    conv1d as conv1d,
)
from .nn import (
    conv2d as conv2d,
)
from .nn import (
    conv3d as conv3d,
)
from .nn import (
    conv_transpose2d as conv_transpose2d,
)
from .nn import (
    conv_transpose3d as conv_transpose3d,
)
from .nn import (
    correlation as correlation,
)
from .nn import (
    cross_entropy as cross_entropy,
)
from .nn import (
    ctc_loss as ctc_loss,
)
from .nn import (
    cvt_color as cvt_color,
)
from .nn import (
    deformable_conv2d as deformable_conv2d,
)
from .nn import (
    deformable_psroi_pooling as deformable_psroi_pooling,
)
from .nn import (
    dropout as dropout,
)
from .nn import (
    embedding as embedding,
)
from .nn import (
    gelu as gelu,
)
from .nn import (
    general_norm as general_norm,
)
from .nn import (
    group_norm as group_norm,
)
from .nn import (
    hinge_loss as hinge_loss,
)
from .nn import (
    hsigmoid as hsigmoid,
)
from .nn import (
    hswish as hswish,
)
from .nn import (
    instance_norm as instance_norm,
)
from .nn import (
    interpolate as interpolate,
)
from .nn import (
    l1_loss as l1_loss,
)
from .nn import (
    layer_norm as layer_norm,
)
from .nn import (
    leaky_relu as leaky_relu,
)
from .nn import (
    linear as linear,
)
from .nn import (
    local_conv2d as local_conv2d,
)
from .nn import (
    local_response_norm as local_response_norm,
)
from .nn import (
    logsigmoid as logsigmoid,
)
from .nn import (
    logsoftmax as logsoftmax,
)
from .nn import (
    max_pool2d as max_pool2d,
)
from .nn import (
    multi_head_attention as multi_head_attention,
)
from .nn import (
    nms as nms,
)
from .nn import (
    one_hot as one_hot,
)
from .nn import (
    pad as pad,
)
from .nn import (
    pixel_shuffle as pixel_shuffle,
)
from .nn import (
    prelu as prelu,
)
from .nn import (
    relu as relu,
)
from .nn import (
    relu6 as relu6,
)
from .nn import (
    remap as remap,
)
from .nn import (
    roi_align as roi_align,
)
from .nn import (
    roi_pooling as roi_pooling,
)
from .nn import (
    sigmoid as sigmoid,
)
from .nn import (
    silu as silu,
)
from .nn import (
    sliding_window as sliding_window,
)
from .nn import (
    sliding_window_transpose as sliding_window_transpose,
)
from .nn import (
    softmax as softmax,
)
from .nn import (
    softplus as softplus,
)
from .nn import (
    square_loss as square_loss,
)
from .nn import (
    warp_affine as warp_affine,
)
from .nn import (
    warp_perspective as warp_perspective,
)
from .tensor import (
    arange as arange,
)
from .tensor import (
    broadcast_to as broadcast_to,
)
from .tensor import (
    concat as concat,
)
from .tensor import (
    cond_take as cond_take,
)
from .tensor import (
    copy as copy,
)
from .tensor import (
    cumsum as cumsum,
)
from .tensor import (
    diag as diag,
)
from .tensor import (
    expand_dims as expand_dims,
)
from .tensor import (
    eye as eye,
)
from .tensor import (
    flatten as flatten,
)
from .tensor import (
    full as full,
)
from .tensor import (
    full_like as full_like,
)
from .tensor import (
    gather as gather,
)
from .tensor import (
    indexing_one_hot as indexing_one_hot,
)
from .tensor import (
    linspace as linspace,
)
from .tensor import (
    meshgrid as meshgrid,
)
from .tensor import (
    ones as ones,
)
from .tensor import (
    ones_like as ones_like,
)
from .tensor import (
    repeat as repeat,
)
from .tensor import (
    reshape as reshape,
)
from .tensor import (
    roll as roll,
)
from .tensor import (
    scatter as scatter,
)
from .tensor import (
    split as split,
)
from .tensor import (
    squeeze as squeeze,
)
from .tensor import (
    stack as stack,
)
from .tensor import (
    swapaxes as swapaxes,
)
from .tensor import (
    tile as tile,
)
from .tensor import (
    transpose as transpose,
)
from .tensor import (
    where as where,
)
from .tensor import (
    zeros as zeros,
)
from .tensor import (
    zeros_like as zeros_like,
)

__all__ = [
    "abs",
    "acos",
    "acosh",
    "adaptive_avg_pool2d",
    "adaptive_max_pool2d",
    "add",
    "arange",
    "argmax",
    "argmin",
    "argsort",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "avg_pool2d",
    "batch_norm",
    "binary_cross_entropy",
    "broadcast_to",
    "ceil",
    "clip",
    "concat",
    "cond_take",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose2d",
    "conv_transpose3d",
    "copy",
    "correlation",
    "cos",
    "cosh",
    "cross_entropy",
    "ctc_loss",
    "cumsum",
    "cvt_color",
    "deformable_conv2d",
    "deformable_psroi_pooling",
    "diag",
    "distributed",
    "div",
    "dot",
    "dropout",
    "elemwise",
    "embedding",
    "equal",
    "erf",
    "exp",
    "expand_dims",
    "expm1",
    "eye",
    "flatten",
    "floor",
    "floor_div",
    "full",
    "full_like",
    "gather",
    "gelu",
    "general_norm",
    "greater",
    "greater_equal",
    "group_norm",
    "hinge_loss",
    "hsigmoid",
    "hswish",
    "indexing_one_hot",
    "instance_norm",
    "interpolate",
    "isinf",
    "isnan",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "left_shift",
    "less",
    "less_equal",
    "linear",
    "linspace",
    "local_conv2d",
    "local_response_norm",
    "log",
    "log1p",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "logsigmoid",
    "logsoftmax",
    "logsumexp",
    "loss",
    "math",
    "matinv",
    "matmul",
    "max",
    "max_pool2d",
    "maximum",
    "mean",
    "meshgrid",
    "metric",
    "min",
    "minimum",
    "mod",
    "mul",
    "multi_head_attention",
    "neg",
    "nms",
    "nn",
    "norm",
    "normalize",
    "not_equal",
    "one_hot",
    "ones",
    "ones_like",
    "pad",
    "pixel_shuffle",
    "pow",
    "prelu",
    "prod",
    "relu",
    "relu6",
    "remap",
    "repeat",
    "reshape",
    "right_shift",
    "roi_align",
    "roi_pooling",
    "roll",
    "round",
    "scatter",
    "sigmoid",
    "sign",
    "silu",
    "sin",
    "sinh",
    "sliding_window",
    "sliding_window_transpose",
    "softmax",
    "softplus",
    "sort",
    "split",
    "sqrt",
    "square",
    "square_loss",
    "squeeze",
    "stack",
    "std",
    "sub",
    "sum",
    "svd",
    "swapaxes",
    "tan",
    "tanh",
    "tensor",
    "tile",
    "topk",
    "topk_accuracy",
    "transpose",
    "var",
    "vision",
    "warp_affine",
    "warp_perspective",
    "where",
    "zeros",
    "zeros_like",
]
__getattr__ = _missing("functional", __all__)
