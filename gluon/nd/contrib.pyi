# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon._core.arrays.base import A
from gluon._core.faces.kinds import keeps_shape
from gluon.nd._public import public
from typing import Any

from ._declared_contrib import MultiProposal as MultiProposal, Proposal as Proposal, box_non_maximum_suppression as box_non_maximum_suppression, ctc_loss as ctc_loss, isfinite as isfinite, isinf as isinf, isnan as isnan
from gluon.nd.attention import interleaved_matmul_encdec_qk as interleaved_matmul_encdec_qk
from gluon.nd.attention import interleaved_matmul_encdec_valatt as interleaved_matmul_encdec_valatt
from gluon.nd.attention import interleaved_matmul_selfatt_qk as interleaved_matmul_selfatt_qk
from gluon.nd.attention import interleaved_matmul_selfatt_valatt as interleaved_matmul_selfatt_valatt
from gluon.nd.boxes import MultiBoxDetection as MultiBoxDetection
from gluon.nd.boxes import MultiBoxPrior as MultiBoxPrior
from gluon.nd.boxes import MultiBoxTarget as MultiBoxTarget
from gluon.nd.boxes import bipartite_matching as bipartite_matching
from gluon.nd.boxes import box_decode as box_decode
from gluon.nd.boxes import box_encode as box_encode
from gluon.nd.boxes import box_iou as box_iou
from gluon.nd.boxes import box_nms as box_nms
from gluon.nd.contrib_optimizer import adamw_update as adamw_update
from gluon.nd.contrib_optimizer import group_adagrad_update as group_adagrad_update
from gluon.nd.contrib_optimizer import mp_adamw_update as mp_adamw_update
from gluon.nd.contrib_optimizer import multi_adamw_update as multi_adamw_update
from gluon.nd.contrib_optimizer import multi_lamb_update as multi_lamb_update
from gluon.nd.contrib_optimizer import multi_mp_adamw_update as multi_mp_adamw_update
from gluon.nd.contrib_optimizer import multi_mp_lamb_update as multi_mp_lamb_update
from gluon.nd.control import cond as cond
from gluon.nd.control import foreach as foreach
from gluon.nd.control import while_loop as while_loop
from gluon.nd.ctc import CTCLoss as CTCLoss
from gluon.nd.deform import DeformableConvolution as DeformableConvolution
from gluon.nd.deform import DeformablePSROIPooling as DeformablePSROIPooling
from gluon.nd.deform import ModulatedDeformableConvolution as ModulatedDeformableConvolution
from gluon.nd.hawkes import hawkesll as hawkesll
from gluon.nd.nn import SparseEmbedding as SparseEmbedding
from gluon.nd.normalization import BatchNormWithReLU as BatchNormWithReLU
from gluon.nd.random import uniform as uniform
from gluon.nd.resample import AdaptiveAvgPooling2D as AdaptiveAvgPooling2D
from gluon.nd.resample import BilinearResize2D as BilinearResize2D
from gluon.nd.roi import PSROIPooling as PSROIPooling
from gluon.nd.roi import ROIAlign as ROIAlign
from gluon.nd.roi import RROIAlign as RROIAlign
from gluon.nd.sampling import rand_zipfian as rand_zipfian
from gluon.nd.spectral import count_sketch as count_sketch
from gluon.nd.spectral import fft as fft
from gluon.nd.spectral import ifft as ifft
__all__ = ['AdaptiveAvgPooling2D', 'BatchNormWithReLU', 'BilinearResize2D', 'CTCLoss', 'DeformableConvolution', 'DeformablePSROIPooling', 'ModulatedDeformableConvolution', 'MultiBoxDetection', 'MultiBoxPrior', 'MultiBoxTarget', 'MultiProposal', 'PSROIPooling', 'Proposal', 'ROIAlign', 'RROIAlign', 'SparseEmbedding', 'SyncBatchNorm', 'adamw_update', 'allclose', 'arange_like', 'bipartite_matching', 'boolean_mask', 'box_decode', 'box_encode', 'box_iou', 'box_nms', 'box_non_maximum_suppression', 'cond', 'count_sketch', 'ctc_loss', 'div_sqrt_dim', 'fft', 'foreach', 'gradientmultiplier', 'group_adagrad_update', 'hawkesll', 'ifft', 'index_array', 'index_copy', 'interleaved_matmul_encdec_qk', 'interleaved_matmul_encdec_valatt', 'interleaved_matmul_selfatt_qk', 'interleaved_matmul_selfatt_valatt', 'isfinite', 'isinf', 'isnan', 'mp_adamw_update', 'multi_adamw_update', 'multi_lamb_update', 'multi_mp_adamw_update', 'multi_mp_lamb_update', 'quadratic', 'rand_zipfian', 'round_ste', 'sign_ste', 'uniform', 'while_loop']
@public
def SyncBatchNorm(data: A, gamma: A, beta: A, moving_mean: A, moving_var: A, eps: float=0.001, momentum: float=0.9, fix_gamma: bool=True, use_global_stats: bool=False, output_mean_var: bool=False, ndev: int=1, key: str='', out: A | Sequence[A] | None=None, name: str | None=None) -> A | Any: ...
@public
def boolean_mask(data: A, index: A, axis: int=0, out: A | None=None, name: str | None=None) -> A: ...
@public
def index_copy(old_tensor: A, index_vector: A, new_tensor: A, out: A | None=None, name: str | None=None) -> A: ...
@public
def arange_like(data: A, start: float=0.0, step: float=1.0, repeat: int=1, ctx: Any=None, axis: int | None=None, out: A | None=None, name: str | None=None) -> A: ...
@public
def index_array(data: A, axes: Sequence[int] | None=None, out: A | None=None, name: str | None=None) -> A: ...
@keeps_shape
@public
def div_sqrt_dim(data: A, out: A | None=None, name: str | None=None) -> A: ...
@keeps_shape
@public
def gradientmultiplier(data: A, scalar: float=1.0, is_int: bool=True, out: A | None=None, name: str | None=None) -> A: ...
@keeps_shape
@public
def round_ste(data: A, out: A | None=None, name: str | None=None) -> A: ...
@keeps_shape
@public
def sign_ste(data: A, out: A | None=None, name: str | None=None) -> A: ...
@public
def allclose(a: A, b: A, rtol: float=1e-05, atol: float=1e-08, equal_nan: bool=True, out: A | None=None, name: str | None=None) -> A: ...
@keeps_shape
@public
def quadratic(data: A, a: float=0.0, b: float=0.0, c: float=0.0, out: A | None=None, name: str | None=None) -> A: ...
