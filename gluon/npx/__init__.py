"""`gluon.npx`: MXNet's extensions of NumPy, and the switch to the NumPy interface."""

import typing as _typing
from importlib import import_module as _import_module

from .._core.arrays import Context as Context
from .._core.arrays import cpu as cpu
from .._core.arrays import cpu_pinned as cpu_pinned
from .._core.arrays import current_context as current_context
from .._core.arrays import gpu as gpu
from .._core.arrays import gpu_memory_info as gpu_memory_info
from .._core.arrays import num_gpus as num_gpus
from .._core.arrays.switch import is_np_array as is_np_array
from .._core.arrays.switch import is_np_default_dtype as is_np_default_dtype
from .._core.arrays.switch import is_np_shape as is_np_shape
from .._core.arrays.switch import np_array as np_array
from .._core.arrays.switch import np_default_dtype as np_default_dtype
from .._core.arrays.switch import np_shape as np_shape
from .._core.arrays.switch import reset_np as reset_np
from .._core.arrays.switch import set_np as set_np
from .._core.arrays.switch import set_np_default_dtype as set_np_default_dtype
from .._core.arrays.switch import set_np_shape as set_np_shape
from .._core.arrays.switch import use_np as use_np
from .._core.arrays.switch import use_np_array as use_np_array
from .._core.arrays.switch import use_np_default_dtype as use_np_default_dtype
from .._core.arrays.switch import use_np_shape as use_np_shape
from .._core.faces.names import public_names as _public_names
from ..nd.absent import missing as _missing
from ..nd.contrib import cond as cond
from ..nd.contrib import foreach as foreach
from ..nd.contrib import while_loop as while_loop
from ..nd.creation import waitall as waitall
from ..nd.methods import to_dlpack_for_read as to_dlpack_for_read
from ..nd.methods import to_dlpack_for_write as to_dlpack_for_write
from ..np import from_dlpack as from_dlpack
from . import random as random
from .arrays import constraint_check as constraint_check
from .arrays import digamma as digamma
from .arrays import index_add as index_add
from .arrays import index_update as index_update
from .arrays import masked_log_softmax as masked_log_softmax
from .arrays import masked_softmax as masked_softmax
from .arrays import nonzero as nonzero
from .arrays import reshape as reshape
from .files import load as load
from .files import save as save
from .files import savez as savez
from .operators import activation as activation
from .operators import arange_like as arange_like
from .operators import batch_dot as batch_dot
from .operators import batch_flatten as batch_flatten
from .operators import batch_norm as batch_norm
from .operators import bipartite_matching as bipartite_matching
from .operators import box_decode as box_decode
from .operators import box_encode as box_encode
from .operators import box_iou as box_iou
from .operators import box_nms as box_nms
from .operators import broadcast_like as broadcast_like
from .operators import cast as cast
from .operators import convolution as convolution
from .operators import ctc_loss as ctc_loss
from .operators import deconvolution as deconvolution
from .operators import dropout as dropout
from .operators import embedding as embedding
from .operators import erf as erf
from .operators import erfinv as erfinv
from .operators import fully_connected as fully_connected
from .operators import gamma as gamma
from .operators import gammaln as gammaln
from .operators import gather_nd as gather_nd
from .operators import group_norm as group_norm
from .operators import hard_sigmoid as hard_sigmoid
from .operators import instance_norm as instance_norm
from .operators import l2_normalization as l2_normalization
from .operators import layer_norm as layer_norm
from .operators import leaky_relu as leaky_relu
from .operators import log_softmax as log_softmax
from .operators import lrn as lrn
from .operators import multibox_detection as multibox_detection
from .operators import multibox_prior as multibox_prior
from .operators import multibox_target as multibox_target
from .operators import norm as norm
from .operators import one_hot as one_hot
from .operators import pick as pick
from .operators import pooling as pooling
from .operators import relu as relu
from .operators import reshape_like as reshape_like
from .operators import rnn as rnn
from .operators import roi_align as roi_align
from .operators import roi_pooling as roi_pooling
from .operators import sequence_last as sequence_last
from .operators import sequence_mask as sequence_mask
from .operators import sequence_reverse as sequence_reverse
from .operators import shape_array as shape_array
from .operators import sigmoid as sigmoid
from .operators import slice as slice
from .operators import smooth_l1 as smooth_l1
from .operators import softmax as softmax
from .operators import stop_gradient as stop_gradient
from .operators import topk as topk

if _typing.TYPE_CHECKING:
    from . import image as image

if not _typing.TYPE_CHECKING:  # type checkers use the imports above and report wrong names
    __all__ = _public_names(__name__, "image", "random")

    def __dir__() -> list[str]:
        return __all__

    def __getattr__(name: str) -> _typing.Any:
        if name == "image":  # on a higher floor
            return _import_module(f"{__name__}.image")
        raise _missing("npx", name, __all__)
