"""`gluon.nd`: MXNet's imperative operators."""

import typing as _typing

from .._core.arrays import interfaces as _interfaces
from .._core.faces.names import public_names as _public_names
from . import contrib as contrib
from . import image as image
from . import linalg as linalg
from . import random as random
from . import sparse as sparse
from ._array import NDArray as NDArray
from .absent import missing as _missing
from .activation import Activation as Activation
from .activation import LeakyReLU as LeakyReLU
from .activation import SoftmaxActivation as SoftmaxActivation
from .activation import digamma as digamma
from .activation import erf as erf
from .activation import erfinv as erfinv
from .activation import gamma as gamma
from .activation import gammaln as gammaln
from .activation import hard_sigmoid as hard_sigmoid
from .activation import log_softmax as log_softmax
from .activation import smooth_l1 as smooth_l1
from .activation import softmax as softmax
from .activation import softmax_cross_entropy as softmax_cross_entropy
from .activation import softmin as softmin
from .adaptive import adam_update as adam_update
from .adaptive import ftml_update as ftml_update
from .adaptive import ftrl_update as ftrl_update
from .adaptive import lamb_update_phase1 as lamb_update_phase1
from .adaptive import lamb_update_phase2 as lamb_update_phase2
from .adaptive import mp_lamb_update_phase1 as mp_lamb_update_phase1
from .adaptive import mp_lamb_update_phase2 as mp_lamb_update_phase2
from .adaptive import rmsprop_update as rmsprop_update
from .adaptive import rmspropalex_update as rmspropalex_update
from .aggregate import all_finite as all_finite
from .aggregate import moments as moments
from .aggregate import multi_all_finite as multi_all_finite
from .aggregate import multi_sum_sq as multi_sum_sq
from .amp import amp_cast as amp_cast
from .amp import amp_multicast as amp_multicast
from .conv import Convolution as Convolution
from .conv import Convolution_v1 as Convolution_v1
from .conv import Deconvolution as Deconvolution
from .conv import col2im as col2im
from .conv import im2col as im2col
from .correlation import Correlation as Correlation
from .creation import arange as arange
from .creation import array as array
from .creation import empty as empty
from .creation import eye as eye
from .creation import from_dlpack as from_dlpack
from .creation import from_numpy as from_numpy
from .creation import full as full
from .creation import linspace as linspace
from .creation import ones as ones
from .creation import waitall as waitall
from .creation import zeros as zeros
from .ctc import CTCLoss as CTCLoss
from .ctc import ctc_loss as ctc_loss
from .custom import Custom as Custom
from .decode import imdecode as imdecode
from .density import random_pdf_dirichlet as random_pdf_dirichlet
from .density import random_pdf_exponential as random_pdf_exponential
from .density import random_pdf_gamma as random_pdf_gamma
from .density import (
    random_pdf_generalized_negative_binomial as random_pdf_generalized_negative_binomial,
)
from .density import random_pdf_negative_binomial as random_pdf_negative_binomial
from .density import random_pdf_normal as random_pdf_normal
from .density import random_pdf_poisson as random_pdf_poisson
from .density import random_pdf_uniform as random_pdf_uniform
from .elementwise import BlockGrad as BlockGrad
from .elementwise import Cast as Cast
from .elementwise import ElementWiseSum as ElementWiseSum
from .elementwise import abs as abs
from .elementwise import add as add
from .elementwise import add_n as add_n
from .elementwise import arccos as arccos
from .elementwise import arccosh as arccosh
from .elementwise import arcsin as arcsin
from .elementwise import arcsinh as arcsinh
from .elementwise import arctan as arctan
from .elementwise import arctanh as arctanh
from .elementwise import broadcast_add as broadcast_add
from .elementwise import broadcast_div as broadcast_div
from .elementwise import broadcast_equal as broadcast_equal
from .elementwise import broadcast_greater as broadcast_greater
from .elementwise import broadcast_greater_equal as broadcast_greater_equal
from .elementwise import broadcast_hypot as broadcast_hypot
from .elementwise import broadcast_lesser as broadcast_lesser
from .elementwise import broadcast_lesser_equal as broadcast_lesser_equal
from .elementwise import broadcast_logical_and as broadcast_logical_and
from .elementwise import broadcast_logical_or as broadcast_logical_or
from .elementwise import broadcast_logical_xor as broadcast_logical_xor
from .elementwise import broadcast_maximum as broadcast_maximum
from .elementwise import broadcast_minimum as broadcast_minimum
from .elementwise import broadcast_minus as broadcast_minus
from .elementwise import broadcast_mod as broadcast_mod
from .elementwise import broadcast_mul as broadcast_mul
from .elementwise import broadcast_not_equal as broadcast_not_equal
from .elementwise import broadcast_plus as broadcast_plus
from .elementwise import broadcast_power as broadcast_power
from .elementwise import broadcast_sub as broadcast_sub
from .elementwise import cast as cast
from .elementwise import cast_storage as cast_storage
from .elementwise import cbrt as cbrt
from .elementwise import ceil as ceil
from .elementwise import clip as clip
from .elementwise import cos as cos
from .elementwise import cosh as cosh
from .elementwise import degrees as degrees
from .elementwise import divide as divide
from .elementwise import elemwise_add as elemwise_add
from .elementwise import elemwise_div as elemwise_div
from .elementwise import elemwise_mul as elemwise_mul
from .elementwise import elemwise_sub as elemwise_sub
from .elementwise import equal as equal
from .elementwise import exp as exp
from .elementwise import expm1 as expm1
from .elementwise import fix as fix
from .elementwise import floor as floor
from .elementwise import full_like as full_like
from .elementwise import greater as greater
from .elementwise import greater_equal as greater_equal
from .elementwise import hypot as hypot
from .elementwise import identity as identity
from .elementwise import lesser as lesser
from .elementwise import lesser_equal as lesser_equal
from .elementwise import log as log
from .elementwise import log1p as log1p
from .elementwise import log2 as log2
from .elementwise import log10 as log10
from .elementwise import logical_and as logical_and
from .elementwise import logical_not as logical_not
from .elementwise import logical_or as logical_or
from .elementwise import logical_xor as logical_xor
from .elementwise import maximum as maximum
from .elementwise import minimum as minimum
from .elementwise import modulo as modulo
from .elementwise import multiply as multiply
from .elementwise import negative as negative
from .elementwise import not_equal as not_equal
from .elementwise import ones_like as ones_like
from .elementwise import pow as pow
from .elementwise import power as power
from .elementwise import radians as radians
from .elementwise import rcbrt as rcbrt
from .elementwise import reciprocal as reciprocal
from .elementwise import relu as relu
from .elementwise import rint as rint
from .elementwise import round as round
from .elementwise import rsqrt as rsqrt
from .elementwise import sigmoid as sigmoid
from .elementwise import sign as sign
from .elementwise import sin as sin
from .elementwise import sinh as sinh
from .elementwise import softsign as softsign
from .elementwise import sqrt as sqrt
from .elementwise import square as square
from .elementwise import stop_gradient as stop_gradient
from .elementwise import subtract as subtract
from .elementwise import tan as tan
from .elementwise import tanh as tanh
from .elementwise import true_divide as true_divide
from .elementwise import trunc as trunc
from .elementwise import where as where
from .elementwise import zeros_like as zeros_like
from .files import load as load
from .files import load_frombuffer as load_frombuffer
from .files import save as save
from .indexing import batch_take as batch_take
from .indexing import choose_element_0index as choose_element_0index
from .indexing import depth_to_space as depth_to_space
from .indexing import diag as diag
from .indexing import fill_element_0index as fill_element_0index
from .indexing import gather_nd as gather_nd
from .indexing import histogram as histogram
from .indexing import one_hot as one_hot
from .indexing import onehot_encode as onehot_encode
from .indexing import pick as pick
from .indexing import ravel_multi_index as ravel_multi_index
from .indexing import scatter_nd as scatter_nd
from .indexing import space_to_depth as space_to_depth
from .indexing import take as take
from .indexing import unravel_index as unravel_index
from .join import Concat as Concat
from .join import Pad as Pad
from .join import SliceChannel as SliceChannel
from .join import concat as concat
from .join import concatenate as concatenate
from .join import crop as crop
from .join import pad as pad
from .join import repeat as repeat
from .join import slice as slice
from .join import slice_axis as slice_axis
from .join import slice_like as slice_like
from .join import split as split
from .join import split_v2 as split_v2
from .join import stack as stack
from .join import tile as tile
from .matrix import batch_dot as batch_dot
from .matrix import dot as dot
from .matrix import khatri_rao as khatri_rao
from .methods import to_dlpack_for_read as to_dlpack_for_read
from .methods import to_dlpack_for_write as to_dlpack_for_write
from .nn import Dropout as Dropout
from .nn import Embedding as Embedding
from .nn import FullyConnected as FullyConnected
from .normalization import LRN as LRN
from .normalization import BatchNorm as BatchNorm
from .normalization import BatchNorm_v1 as BatchNorm_v1
from .normalization import BatchNormWithReLU as BatchNormWithReLU
from .normalization import GroupNorm as GroupNorm
from .normalization import InstanceNorm as InstanceNorm
from .normalization import L2Normalization as L2Normalization
from .normalization import LayerNorm as LayerNorm
from .optimizer import mp_nag_mom_update as mp_nag_mom_update
from .optimizer import mp_sgd_mom_update as mp_sgd_mom_update
from .optimizer import mp_sgd_update as mp_sgd_update
from .optimizer import multi_lars as multi_lars
from .optimizer import multi_mp_sgd_mom_update as multi_mp_sgd_mom_update
from .optimizer import multi_mp_sgd_update as multi_mp_sgd_update
from .optimizer import multi_sgd_mom_update as multi_sgd_mom_update
from .optimizer import multi_sgd_update as multi_sgd_update
from .optimizer import nag_mom_update as nag_mom_update
from .optimizer import preloaded_multi_mp_sgd_mom_update as preloaded_multi_mp_sgd_mom_update
from .optimizer import preloaded_multi_mp_sgd_update as preloaded_multi_mp_sgd_update
from .optimizer import preloaded_multi_sgd_mom_update as preloaded_multi_sgd_mom_update
from .optimizer import preloaded_multi_sgd_update as preloaded_multi_sgd_update
from .optimizer import reset_arrays as reset_arrays
from .optimizer import sgd_mom_update as sgd_mom_update
from .optimizer import sgd_update as sgd_update
from .optimizer import signsgd_update as signsgd_update
from .optimizer import signum_update as signum_update
from .outputs import IdentityAttachKLSparseReg as IdentityAttachKLSparseReg
from .outputs import LinearRegressionOutput as LinearRegressionOutput
from .outputs import LogisticRegressionOutput as LogisticRegressionOutput
from .outputs import MAERegressionOutput as MAERegressionOutput
from .outputs import MakeLoss as MakeLoss
from .outputs import Softmax as Softmax
from .outputs import SoftmaxOutput as SoftmaxOutput
from .outputs import SVMOutput as SVMOutput
from .outputs import make_loss as make_loss
from .pool import Pooling as Pooling
from .pool import Pooling_v1 as Pooling_v1
from .reduce import argmax as argmax
from .reduce import argmax_channel as argmax_channel
from .reduce import argmin as argmin
from .reduce import max as max
from .reduce import max_axis as max_axis
from .reduce import mean as mean
from .reduce import min as min
from .reduce import min_axis as min_axis
from .reduce import nanprod as nanprod
from .reduce import nansum as nansum
from .reduce import norm as norm
from .reduce import prod as prod
from .reduce import sum as sum
from .reduce import sum_axis as sum_axis
from .resample import Crop as Crop
from .resample import UpSampling as UpSampling
from .rnn import RNN as RNN
from .roi import ROIPooling as ROIPooling
from .sampling import normal as normal
from .sampling import random_exponential as random_exponential
from .sampling import random_gamma as random_gamma
from .sampling import random_generalized_negative_binomial as random_generalized_negative_binomial
from .sampling import random_negative_binomial as random_negative_binomial
from .sampling import random_normal as random_normal
from .sampling import random_poisson as random_poisson
from .sampling import random_randint as random_randint
from .sampling import random_uniform as random_uniform
from .sampling import sample_exponential as sample_exponential
from .sampling import sample_gamma as sample_gamma
from .sampling import sample_generalized_negative_binomial as sample_generalized_negative_binomial
from .sampling import sample_multinomial as sample_multinomial
from .sampling import sample_negative_binomial as sample_negative_binomial
from .sampling import sample_normal as sample_normal
from .sampling import sample_poisson as sample_poisson
from .sampling import sample_uniform as sample_uniform
from .sampling import shuffle as shuffle
from .sampling import uniform as uniform
from .sequence import SequenceLast as SequenceLast
from .sequence import SequenceMask as SequenceMask
from .sequence import SequenceReverse as SequenceReverse
from .sequence import argsort as argsort
from .sequence import cumsum as cumsum
from .sequence import sort as sort
from .sequence import topk as topk
from .shape import Flatten as Flatten
from .shape import Reshape as Reshape
from .shape import SwapAxis as SwapAxis
from .shape import broadcast_axes as broadcast_axes
from .shape import broadcast_axis as broadcast_axis
from .shape import broadcast_like as broadcast_like
from .shape import broadcast_to as broadcast_to
from .shape import expand_dims as expand_dims
from .shape import flatten as flatten
from .shape import flip as flip
from .shape import moveaxis as moveaxis
from .shape import reshape as reshape
from .shape import reshape_like as reshape_like
from .shape import reverse as reverse
from .shape import shape_array as shape_array
from .shape import size_array as size_array
from .shape import squeeze as squeeze
from .shape import swapaxes as swapaxes
from .shape import transpose as transpose
from .warp import BilinearSampler as BilinearSampler
from .warp import GridGenerator as GridGenerator
from .warp import SpatialTransformer as SpatialTransformer

linalg_det: _typing.Final = linalg.det
linalg_extractdiag: _typing.Final = linalg.extractdiag
linalg_extracttrian: _typing.Final = linalg.extracttrian
linalg_gelqf: _typing.Final = linalg.gelqf
linalg_gemm: _typing.Final = linalg.gemm
linalg_gemm2: _typing.Final = linalg.gemm2
linalg_inverse: _typing.Final = linalg.inverse
linalg_makediag: _typing.Final = linalg.makediag
linalg_maketrian: _typing.Final = linalg.maketrian
linalg_potrf: _typing.Final = linalg.potrf
linalg_potri: _typing.Final = linalg.potri
linalg_slogdet: _typing.Final = linalg.slogdet
linalg_sumlogdiag: _typing.Final = linalg.sumlogdiag
linalg_syevd: _typing.Final = linalg.syevd
linalg_syrk: _typing.Final = linalg.syrk
linalg_trmm: _typing.Final = linalg.trmm
linalg_trsm: _typing.Final = linalg.trsm


if not _typing.TYPE_CHECKING:  # type checkers use the imports above and report wrong names
    __all__ = _public_names(__name__, "contrib", "image", "linalg", "random", "sparse")

    def __dir__() -> list[str]:
        return __all__

    def __getattr__(name: str) -> _typing.Any:
        if name in ("np", "npx"):  # of a HybridBlock, whose F is this module
            return _interfaces.public(name)
        raise _missing("nd", name, __all__)
