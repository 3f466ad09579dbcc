"""`gluon.symbol.npx`: MXNet's extensions of NumPy on symbols; see `gluon.npx`."""

from __future__ import annotations

from collections.abc import Callable

from .loops import cond as cond
from .loops import foreach as foreach
from .loops import while_loop as while_loop
from .np_methods import function
from .np_symbol import NpSymbol

Function = Callable[..., NpSymbol]

activation: Function = function("Activation", "activation")
arange_like: Function = function("_contrib_arange_like", "arange_like")
batch_dot: Function = function("batch_dot", "batch_dot")
batch_flatten: Function = function("Flatten", "batch_flatten")
batch_norm: Function = function("BatchNorm", "batch_norm")
bipartite_matching: Function = function("_contrib_bipartite_matching", "bipartite_matching")
box_decode: Function = function("_contrib_box_decode", "box_decode")
box_encode: Function = function("_contrib_box_encode", "box_encode")
box_iou: Function = function("_contrib_box_iou", "box_iou")
box_nms: Function = function("_contrib_box_nms", "box_nms")
broadcast_like: Function = function("broadcast_like", "broadcast_like")
cast: Function = function("Cast", "cast")
convolution: Function = function("Convolution", "convolution")
ctc_loss: Function = function("CTCLoss", "ctc_loss")
deconvolution: Function = function("Deconvolution", "deconvolution")
dropout: Function = function("Dropout", "dropout")
embedding: Function = function("Embedding", "embedding")
erf: Function = function("erf", "erf")
erfinv: Function = function("erfinv", "erfinv")
fully_connected: Function = function("FullyConnected", "fully_connected")
gamma: Function = function("gamma", "gamma")
gammaln: Function = function("gammaln", "gammaln")
gather_nd: Function = function("gather_nd", "gather_nd")
group_norm: Function = function("GroupNorm", "group_norm")
hard_sigmoid: Function = function("hard_sigmoid", "hard_sigmoid")
instance_norm: Function = function("InstanceNorm", "instance_norm")
l2_normalization: Function = function("L2Normalization", "l2_normalization")
layer_norm: Function = function("LayerNorm", "layer_norm")
leaky_relu: Function = function("LeakyReLU", "leaky_relu")
log_softmax: Function = function("log_softmax", "log_softmax")
lrn: Function = function("LRN", "lrn")
multibox_detection: Function = function("_contrib_MultiBoxDetection", "multibox_detection")
multibox_prior: Function = function("_contrib_MultiBoxPrior", "multibox_prior")
multibox_target: Function = function("_contrib_MultiBoxTarget", "multibox_target")
nonzero: Function = function("_npx_nonzero", "nonzero")
norm: Function = function("norm", "norm")
one_hot: Function = function("one_hot", "one_hot")
pick: Function = function("pick", "pick")
pooling: Function = function("Pooling", "pooling")
relu: Function = function("_npx_relu", "relu")
reshape: Function = function("_npx_reshape", "reshape")
reshape_like: Function = function("reshape_like", "reshape_like")
rnn: Function = function("RNN", "rnn")
roi_align: Function = function("_contrib_ROIAlign", "roi_align")
roi_pooling: Function = function("ROIPooling", "roi_pooling")
sequence_last: Function = function("SequenceLast", "sequence_last")
sequence_mask: Function = function("SequenceMask", "sequence_mask")
sequence_reverse: Function = function("SequenceReverse", "sequence_reverse")
shape_array: Function = function("shape_array", "shape_array")
sigmoid: Function = function("_npx_sigmoid", "sigmoid")
slice: Function = function("slice", "slice")
smooth_l1: Function = function("smooth_l1", "smooth_l1")
softmax: Function = function("softmax", "softmax")
stop_gradient: Function = function("BlockGrad", "stop_gradient")
topk: Function = function("topk", "topk")
