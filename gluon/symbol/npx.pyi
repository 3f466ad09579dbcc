# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Callable
from gluon.symbol.np_symbol import NpSymbol

from ._declared_npx import activation as activation, arange_like as arange_like, batch_dot as batch_dot, batch_flatten as batch_flatten, batch_norm as batch_norm, bipartite_matching as bipartite_matching, box_decode as box_decode, box_encode as box_encode, box_iou as box_iou, box_nms as box_nms, broadcast_like as broadcast_like, cast as cast, convolution as convolution, ctc_loss as ctc_loss, deconvolution as deconvolution, dropout as dropout, embedding as embedding, erf as erf, erfinv as erfinv, fully_connected as fully_connected, gamma as gamma, gammaln as gammaln, gather_nd as gather_nd, group_norm as group_norm, hard_sigmoid as hard_sigmoid, instance_norm as instance_norm, l2_normalization as l2_normalization, layer_norm as layer_norm, leaky_relu as leaky_relu, log_softmax as log_softmax, lrn as lrn, multibox_detection as multibox_detection, multibox_prior as multibox_prior, multibox_target as multibox_target, nonzero as nonzero, norm as norm, one_hot as one_hot, pick as pick, pooling as pooling, relu as relu, reshape as reshape, reshape_like as reshape_like, rnn as rnn, roi_align as roi_align, roi_pooling as roi_pooling, sequence_last as sequence_last, sequence_mask as sequence_mask, sequence_reverse as sequence_reverse, shape_array as shape_array, sigmoid as sigmoid, slice as slice, smooth_l1 as smooth_l1, softmax as softmax, stop_gradient as stop_gradient, topk as topk
from gluon.symbol.loops import cond as cond
from gluon.symbol.loops import foreach as foreach
from gluon.symbol.loops import while_loop as while_loop
Function = Callable[..., NpSymbol]
