"""The functions of `gluon.nd.contrib` on symbols."""

from __future__ import annotations

import math
from typing import Any, Final

from .. import nd
from . import control as _control  # noqa: F401  (it declares operators)
from .compose import compose
from .loops import cond as cond
from .loops import foreach as foreach
from .loops import while_loop as while_loop
from .random import uniform as uniform
from .symbol import Symbol

AdaptiveAvgPooling2D: Final = compose(
    nd.contrib.AdaptiveAvgPooling2D, "_contrib_AdaptiveAvgPooling2D"
)
BatchNormWithReLU: Final = compose(nd.contrib.BatchNormWithReLU, "_contrib_BatchNormWithReLU")
BilinearResize2D: Final = compose(nd.contrib.BilinearResize2D, "_contrib_BilinearResize2D")
CTCLoss: Final = compose(nd.contrib.CTCLoss)
DeformableConvolution: Final = compose(
    nd.contrib.DeformableConvolution, "_contrib_DeformableConvolution"
)
DeformablePSROIPooling: Final = compose(
    nd.contrib.DeformablePSROIPooling, "_contrib_DeformablePSROIPooling"
)
ModulatedDeformableConvolution: Final = compose(
    nd.contrib.ModulatedDeformableConvolution, "_contrib_ModulatedDeformableConvolution"
)
MultiBoxDetection: Final = compose(nd.contrib.MultiBoxDetection, "_contrib_MultiBoxDetection")
MultiBoxPrior: Final = compose(nd.contrib.MultiBoxPrior, "_contrib_MultiBoxPrior")
MultiBoxTarget: Final = compose(nd.contrib.MultiBoxTarget, "_contrib_MultiBoxTarget")
MultiProposal: Final = compose(nd.contrib.MultiProposal, "_contrib_MultiProposal")
PSROIPooling: Final = compose(nd.contrib.PSROIPooling, "_contrib_PSROIPooling")
Proposal: Final = compose(nd.contrib.Proposal, "_contrib_Proposal")
ROIAlign: Final = compose(nd.contrib.ROIAlign, "_contrib_ROIAlign")
RROIAlign: Final = compose(nd.contrib.RROIAlign, "_contrib_RROIAlign")
SparseEmbedding: Final = compose(nd.contrib.SparseEmbedding, "_contrib_SparseEmbedding")
SyncBatchNorm: Final = compose(nd.contrib.SyncBatchNorm, "_contrib_SyncBatchNorm")
adamw_update: Final = compose(nd.contrib.adamw_update, "_contrib_adamw_update")
allclose: Final = compose(nd.contrib.allclose, "_contrib_allclose")
arange_like: Final = compose(nd.contrib.arange_like, "_contrib_arange_like")
bipartite_matching: Final = compose(nd.contrib.bipartite_matching, "_contrib_bipartite_matching")
boolean_mask: Final = compose(nd.contrib.boolean_mask, "_contrib_boolean_mask")
box_decode: Final = compose(nd.contrib.box_decode, "_contrib_box_decode")
box_encode: Final = compose(nd.contrib.box_encode, "_contrib_box_encode")
box_iou: Final = compose(nd.contrib.box_iou, "_contrib_box_iou")
box_nms: Final = compose(nd.contrib.box_nms, "_contrib_box_nms")
box_non_maximum_suppression: Final = compose(
    nd.contrib.box_non_maximum_suppression, "_contrib_box_nms"
)
count_sketch: Final = compose(nd.contrib.count_sketch, "_contrib_count_sketch")
ctc_loss: Final = compose(nd.contrib.ctc_loss, "CTCLoss")
div_sqrt_dim: Final = compose(nd.contrib.div_sqrt_dim, "_contrib_div_sqrt_dim")
fft: Final = compose(nd.contrib.fft, "_contrib_fft")
gradientmultiplier: Final = compose(nd.contrib.gradientmultiplier, "_contrib_gradientmultiplier")
group_adagrad_update: Final = compose(
    nd.contrib.group_adagrad_update, "_contrib_group_adagrad_update"
)
hawkesll: Final = compose(nd.contrib.hawkesll, "_contrib_hawkesll")
ifft: Final = compose(nd.contrib.ifft, "_contrib_ifft")
index_array: Final = compose(nd.contrib.index_array, "_contrib_index_array")
index_copy: Final = compose(nd.contrib.index_copy, "_contrib_index_copy")
interleaved_matmul_encdec_qk: Final = compose(
    nd.contrib.interleaved_matmul_encdec_qk, "_contrib_interleaved_matmul_encdec_qk"
)
interleaved_matmul_encdec_valatt: Final = compose(
    nd.contrib.interleaved_matmul_encdec_valatt, "_contrib_interleaved_matmul_encdec_valatt"
)
interleaved_matmul_selfatt_qk: Final = compose(
    nd.contrib.interleaved_matmul_selfatt_qk, "_contrib_interleaved_matmul_selfatt_qk"
)
interleaved_matmul_selfatt_valatt: Final = compose(
    nd.contrib.interleaved_matmul_selfatt_valatt, "_contrib_interleaved_matmul_selfatt_valatt"
)
isfinite: Final = compose(nd.contrib.isfinite, "_contrib_isfinite")
isinf: Final = compose(nd.contrib.isinf, "_contrib_isinf")
isnan: Final = compose(nd.contrib.isnan, "_contrib_isnan")
mp_adamw_update: Final = compose(nd.contrib.mp_adamw_update, "_contrib_mp_adamw_update")
multi_adamw_update: Final = compose(nd.contrib.multi_adamw_update, "_contrib_multi_adamw_update")
multi_lamb_update: Final = compose(nd.contrib.multi_lamb_update, "_contrib_multi_lamb_update")
multi_mp_adamw_update: Final = compose(
    nd.contrib.multi_mp_adamw_update, "_contrib_multi_mp_adamw_update"
)
multi_mp_lamb_update: Final = compose(
    nd.contrib.multi_mp_lamb_update, "_contrib_multi_mp_lamb_update"
)
quadratic: Final = compose(nd.contrib.quadratic, "_contrib_quadratic")
round_ste: Final = compose(nd.contrib.round_ste, "_contrib_round_ste")
sign_ste: Final = compose(nd.contrib.sign_ste, "_contrib_sign_ste")


def rand_zipfian(
    true_classes: Symbol, num_sampled: int, range_max: int, ctx: Any = None
) -> tuple[Symbol, Symbol, Symbol]:
    """Classes drawn from a log-uniform distribution; see `nd.contrib.rand_zipfian`.

    Returns
    -------
    tuple of three Symbols
        The classes, and the expected counts of the true classes and of the drawn ones.
    """
    spread = math.log(range_max + 1)
    drawn = (uniform(0, spread, shape=(num_sampled,), dtype="float64").exp() - 1).astype("int64")
    drawn = drawn % range_max

    def expected(classes: Symbol) -> Symbol:
        own = classes.astype("float64")
        return ((own + 2.0) / (own + 1.0)).log() / spread * num_sampled

    return drawn, expected(true_classes), expected(drawn)
