# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from gluon.symbol.symbol import Symbol
from typing import Any

from ._declared_contrib import AdaptiveAvgPooling2D as AdaptiveAvgPooling2D, BatchNormWithReLU as BatchNormWithReLU, BilinearResize2D as BilinearResize2D, CTCLoss as CTCLoss, DeformableConvolution as DeformableConvolution, DeformablePSROIPooling as DeformablePSROIPooling, ModulatedDeformableConvolution as ModulatedDeformableConvolution, MultiBoxDetection as MultiBoxDetection, MultiBoxPrior as MultiBoxPrior, MultiBoxTarget as MultiBoxTarget, MultiProposal as MultiProposal, PSROIPooling as PSROIPooling, Proposal as Proposal, ROIAlign as ROIAlign, RROIAlign as RROIAlign, SparseEmbedding as SparseEmbedding, SyncBatchNorm as SyncBatchNorm, adamw_update as adamw_update, allclose as allclose, arange_like as arange_like, bipartite_matching as bipartite_matching, boolean_mask as boolean_mask, box_decode as box_decode, box_encode as box_encode, box_iou as box_iou, box_nms as box_nms, box_non_maximum_suppression as box_non_maximum_suppression, count_sketch as count_sketch, ctc_loss as ctc_loss, div_sqrt_dim as div_sqrt_dim, fft as fft, gradientmultiplier as gradientmultiplier, group_adagrad_update as group_adagrad_update, hawkesll as hawkesll, ifft as ifft, index_array as index_array, index_copy as index_copy, interleaved_matmul_encdec_qk as interleaved_matmul_encdec_qk, interleaved_matmul_encdec_valatt as interleaved_matmul_encdec_valatt, interleaved_matmul_selfatt_qk as interleaved_matmul_selfatt_qk, interleaved_matmul_selfatt_valatt as interleaved_matmul_selfatt_valatt, isfinite as isfinite, isinf as isinf, isnan as isnan, mp_adamw_update as mp_adamw_update, multi_adamw_update as multi_adamw_update, multi_lamb_update as multi_lamb_update, multi_mp_adamw_update as multi_mp_adamw_update, multi_mp_lamb_update as multi_mp_lamb_update, quadratic as quadratic, round_ste as round_ste, sign_ste as sign_ste
from gluon.symbol.loops import cond as cond
from gluon.symbol.loops import foreach as foreach
from gluon.symbol.loops import while_loop as while_loop
from gluon.symbol.random import uniform as uniform
def rand_zipfian(true_classes: Symbol, num_sampled: int, range_max: int, ctx: Any=None) -> tuple[Symbol, Symbol, Symbol]: ...
