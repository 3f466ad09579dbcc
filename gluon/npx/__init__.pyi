# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"


from ._declared import activation as activation, arange_like as arange_like, batch_dot as batch_dot, batch_flatten as batch_flatten, batch_norm as batch_norm, bipartite_matching as bipartite_matching, box_decode as box_decode, box_encode as box_encode, box_iou as box_iou, box_nms as box_nms, broadcast_like as broadcast_like, cast as cast, convolution as convolution, ctc_loss as ctc_loss, deconvolution as deconvolution, dropout as dropout, embedding as embedding, erf as erf, erfinv as erfinv, fully_connected as fully_connected, gamma as gamma, gammaln as gammaln, gather_nd as gather_nd, group_norm as group_norm, hard_sigmoid as hard_sigmoid, instance_norm as instance_norm, l2_normalization as l2_normalization, layer_norm as layer_norm, leaky_relu as leaky_relu, log_softmax as log_softmax, lrn as lrn, multibox_detection as multibox_detection, multibox_prior as multibox_prior, multibox_target as multibox_target, norm as norm, one_hot as one_hot, pick as pick, pooling as pooling, relu as relu, reshape_like as reshape_like, rnn as rnn, roi_align as roi_align, roi_pooling as roi_pooling, sequence_last as sequence_last, sequence_mask as sequence_mask, sequence_reverse as sequence_reverse, shape_array as shape_array, sigmoid as sigmoid, slice as slice, smooth_l1 as smooth_l1, softmax as softmax, stop_gradient as stop_gradient, to_dlpack_for_write as to_dlpack_for_write, topk as topk
from gluon._core.arrays import Context as Context
from gluon._core.arrays import cpu as cpu
from gluon._core.arrays import cpu_pinned as cpu_pinned
from gluon._core.arrays import current_context as current_context
from gluon._core.arrays import gpu as gpu
from gluon._core.arrays import gpu_memory_info as gpu_memory_info
from gluon._core.arrays import num_gpus as num_gpus
from gluon._core.arrays.switch import is_np_array as is_np_array
from gluon._core.arrays.switch import is_np_default_dtype as is_np_default_dtype
from gluon._core.arrays.switch import is_np_shape as is_np_shape
from gluon._core.arrays.switch import np_array as np_array
from gluon._core.arrays.switch import np_default_dtype as np_default_dtype
from gluon._core.arrays.switch import np_shape as np_shape
from gluon._core.arrays.switch import reset_np as reset_np
from gluon._core.arrays.switch import set_np as set_np
from gluon._core.arrays.switch import set_np_default_dtype as set_np_default_dtype
from gluon._core.arrays.switch import set_np_shape as set_np_shape
from gluon._core.arrays.switch import use_np as use_np
from gluon._core.arrays.switch import use_np_array as use_np_array
from gluon._core.arrays.switch import use_np_default_dtype as use_np_default_dtype
from gluon._core.arrays.switch import use_np_shape as use_np_shape
from gluon.nd.contrib import cond as cond
from gluon.nd.contrib import foreach as foreach
from gluon.nd.contrib import while_loop as while_loop
from gluon.nd.creation import waitall as waitall
from gluon.nd.methods import to_dlpack_for_read as to_dlpack_for_read
from gluon.np import from_dlpack as from_dlpack
from . import random as random
from gluon.npx.arrays import constraint_check as constraint_check
from gluon.npx.arrays import digamma as digamma
from gluon.npx.arrays import index_add as index_add
from gluon.npx.arrays import index_update as index_update
from gluon.npx.arrays import masked_log_softmax as masked_log_softmax
from gluon.npx.arrays import masked_softmax as masked_softmax
from gluon.npx.arrays import nonzero as nonzero
from gluon.npx.arrays import reshape as reshape
from gluon.npx.files import load as load
from gluon.npx.files import save as save
from gluon.npx.files import savez as savez
from . import image as image
