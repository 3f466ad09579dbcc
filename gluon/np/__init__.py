"""`gluon.np`: NumPy's functions over the operator table, recorded and differentiable."""

import typing as _typing

from numpy import False_ as False_
from numpy import True_ as True_
from numpy import bool_ as bool_
from numpy import byte as byte
from numpy import double as double
from numpy import dtype as dtype
from numpy import e as e
from numpy import errstate as errstate
from numpy import euler_gamma as euler_gamma
from numpy import finfo as finfo
from numpy import float16 as float16
from numpy import float32 as float32
from numpy import float64 as float64
from numpy import floating as floating
from numpy import generic as generic
from numpy import get_printoptions as get_printoptions
from numpy import geterr as geterr
from numpy import half as half
from numpy import iinfo as iinfo
from numpy import index_exp as index_exp
from numpy import inexact as inexact
from numpy import inf as inf
from numpy import int8 as int8
from numpy import int16 as int16
from numpy import int32 as int32
from numpy import int64 as int64
from numpy import intc as intc
from numpy import integer as integer
from numpy import intp as intp
from numpy import isscalar as isscalar
from numpy import issubdtype as issubdtype
from numpy import iterable as iterable
from numpy import longlong as longlong
from numpy import nan as nan
from numpy import ndindex as ndindex
from numpy import newaxis as newaxis
from numpy import number as number
from numpy import pi as pi
from numpy import printoptions as printoptions
from numpy import s_ as s_
from numpy import set_printoptions as set_printoptions
from numpy import seterr as seterr
from numpy import short as short
from numpy import signedinteger as signedinteger
from numpy import single as single
from numpy import ubyte as ubyte
from numpy import uint as uint
from numpy import uint8 as uint8
from numpy import uint16 as uint16
from numpy import uint32 as uint32
from numpy import uint64 as uint64
from numpy import uintc as uintc
from numpy import uintp as uintp
from numpy import ulonglong as ulonglong
from numpy import unsignedinteger as unsignedinteger
from numpy import ushort as ushort

from .._core.faces.names import public_names as _public_names
from . import (
    calculus,
    complexes,
    creation,
    dtypes,
    elementwise,
    files,
    functional,
    histograms,
    indexing,
    join,
    logic,
    matrix,
    nans,
    places,
    polynomials,
    products,
    quantiles,
    reduce,
    sets,
    sorting,
    statistics,
    windows,
    writing,
)
from . import linalg as linalg
from . import random as random
from ._array import ndarray as ndarray
from .absent import missing as _missing
from .calculus import convolve as convolve
from .calculus import correlate as correlate
from .calculus import cumprod as cumprod
from .calculus import cumproduct as cumproduct
from .calculus import cumulative_prod as cumulative_prod
from .calculus import cumulative_sum as cumulative_sum
from .calculus import diff as diff
from .calculus import ediff1d as ediff1d
from .calculus import gradient as gradient
from .calculus import interp as interp
from .calculus import trapezoid as trapezoid
from .calculus import trapz as trapz
from .calculus import unwrap as unwrap
from .complexes import angle as angle
from .complexes import asarray_chkfinite as asarray_chkfinite
from .complexes import ascontiguousarray as ascontiguousarray
from .complexes import conj as conj
from .complexes import conjugate as conjugate
from .complexes import i0 as i0
from .complexes import imag as imag
from .complexes import iscomplex as iscomplex
from .complexes import iscomplexobj as iscomplexobj
from .complexes import isreal as isreal
from .complexes import isrealobj as isrealobj
from .complexes import real as real
from .complexes import real_if_close as real_if_close
from .complexes import sinc as sinc
from .creation import arange as arange
from .creation import array as array
from .creation import asanyarray as asanyarray
from .creation import asarray as asarray
from .creation import copy as copy
from .creation import empty as empty
from .creation import empty_like as empty_like
from .creation import eye as eye
from .creation import from_dlpack as from_dlpack
from .creation import frombuffer as frombuffer
from .creation import full as full
from .creation import full_like as full_like
from .creation import geomspace as geomspace
from .creation import identity as identity
from .creation import indices as indices
from .creation import linspace as linspace
from .creation import logspace as logspace
from .creation import meshgrid as meshgrid
from .creation import ones as ones
from .creation import ones_like as ones_like
from .creation import tri as tri
from .creation import zeros as zeros
from .creation import zeros_like as zeros_like
from .dtypes import astype as astype
from .dtypes import can_cast as can_cast
from .dtypes import isdtype as isdtype
from .dtypes import min_scalar_type as min_scalar_type
from .dtypes import ndim as ndim
from .dtypes import promote_types as promote_types
from .dtypes import result_type as result_type
from .dtypes import shape as shape
from .dtypes import size as size
from .elementwise import abs as abs
from .elementwise import absolute as absolute
from .elementwise import acos as acos
from .elementwise import acosh as acosh
from .elementwise import add as add
from .elementwise import arccos as arccos
from .elementwise import arccosh as arccosh
from .elementwise import arcsin as arcsin
from .elementwise import arcsinh as arcsinh
from .elementwise import arctan as arctan
from .elementwise import arctan2 as arctan2
from .elementwise import arctanh as arctanh
from .elementwise import around as around
from .elementwise import asin as asin
from .elementwise import asinh as asinh
from .elementwise import atan as atan
from .elementwise import atan2 as atan2
from .elementwise import atanh as atanh
from .elementwise import bitwise_and as bitwise_and
from .elementwise import bitwise_invert as bitwise_invert
from .elementwise import bitwise_left_shift as bitwise_left_shift
from .elementwise import bitwise_not as bitwise_not
from .elementwise import bitwise_or as bitwise_or
from .elementwise import bitwise_right_shift as bitwise_right_shift
from .elementwise import bitwise_xor as bitwise_xor
from .elementwise import cbrt as cbrt
from .elementwise import ceil as ceil
from .elementwise import clip as clip
from .elementwise import copysign as copysign
from .elementwise import cos as cos
from .elementwise import cosh as cosh
from .elementwise import deg2rad as deg2rad
from .elementwise import degrees as degrees
from .elementwise import divide as divide
from .elementwise import divmod as divmod
from .elementwise import equal as equal
from .elementwise import exp as exp
from .elementwise import exp2 as exp2
from .elementwise import expm1 as expm1
from .elementwise import fabs as fabs
from .elementwise import fix as fix
from .elementwise import float_power as float_power
from .elementwise import floor as floor
from .elementwise import floor_divide as floor_divide
from .elementwise import fmax as fmax
from .elementwise import fmin as fmin
from .elementwise import fmod as fmod
from .elementwise import frexp as frexp
from .elementwise import gcd as gcd
from .elementwise import greater as greater
from .elementwise import greater_equal as greater_equal
from .elementwise import heaviside as heaviside
from .elementwise import hypot as hypot
from .elementwise import invert as invert
from .elementwise import isfinite as isfinite
from .elementwise import isinf as isinf
from .elementwise import isnan as isnan
from .elementwise import isneginf as isneginf
from .elementwise import isposinf as isposinf
from .elementwise import lcm as lcm
from .elementwise import ldexp as ldexp
from .elementwise import left_shift as left_shift
from .elementwise import less as less
from .elementwise import less_equal as less_equal
from .elementwise import log as log
from .elementwise import log1p as log1p
from .elementwise import log2 as log2
from .elementwise import log10 as log10
from .elementwise import logaddexp as logaddexp
from .elementwise import logaddexp2 as logaddexp2
from .elementwise import logical_and as logical_and
from .elementwise import logical_not as logical_not
from .elementwise import logical_or as logical_or
from .elementwise import logical_xor as logical_xor
from .elementwise import maximum as maximum
from .elementwise import minimum as minimum
from .elementwise import mod as mod
from .elementwise import modf as modf
from .elementwise import multiply as multiply
from .elementwise import nan_to_num as nan_to_num
from .elementwise import negative as negative
from .elementwise import nextafter as nextafter
from .elementwise import not_equal as not_equal
from .elementwise import positive as positive
from .elementwise import pow as pow
from .elementwise import power as power
from .elementwise import rad2deg as rad2deg
from .elementwise import radians as radians
from .elementwise import reciprocal as reciprocal
from .elementwise import remainder as remainder
from .elementwise import right_shift as right_shift
from .elementwise import rint as rint
from .elementwise import round as round
from .elementwise import round_ as round_
from .elementwise import sign as sign
from .elementwise import signbit as signbit
from .elementwise import sin as sin
from .elementwise import sinh as sinh
from .elementwise import spacing as spacing
from .elementwise import sqrt as sqrt
from .elementwise import square as square
from .elementwise import subtract as subtract
from .elementwise import tan as tan
from .elementwise import tanh as tanh
from .elementwise import true_divide as true_divide
from .elementwise import trunc as trunc
from .files import genfromtxt as genfromtxt
from .functional import apply_along_axis as apply_along_axis
from .functional import apply_over_axes as apply_over_axes
from .functional import block as block
from .functional import choose as choose
from .functional import fromfunction as fromfunction
from .functional import fromiter as fromiter
from .functional import piecewise as piecewise
from .functional import select as select
from .functional import vectorize as vectorize
from .histograms import bincount as bincount
from .histograms import histogram as histogram
from .histograms import histogram2d as histogram2d
from .histograms import histogram_bin_edges as histogram_bin_edges
from .histograms import histogramdd as histogramdd
from .indexing import compress as compress
from .indexing import diag as diag
from .indexing import diagflat as diagflat
from .indexing import diagonal as diagonal
from .indexing import extract as extract
from .indexing import nonzero as nonzero
from .indexing import take as take
from .indexing import take_along_axis as take_along_axis
from .indexing import tril as tril
from .indexing import triu as triu
from .indexing import where as where
from .join import append as append
from .join import array_split as array_split
from .join import column_stack as column_stack
from .join import concat as concat
from .join import concatenate as concatenate
from .join import delete as delete
from .join import dsplit as dsplit
from .join import dstack as dstack
from .join import hsplit as hsplit
from .join import hstack as hstack
from .join import insert as insert
from .join import row_stack as row_stack
from .join import split as split
from .join import stack as stack
from .join import unstack as unstack
from .join import vsplit as vsplit
from .join import vstack as vstack
from .logic import allclose as allclose
from .logic import array_equal as array_equal
from .logic import array_equiv as array_equiv
from .logic import isclose as isclose
from .logic import may_share_memory as may_share_memory
from .logic import shares_memory as shares_memory
from .matrix import dot as dot
from .matrix import einsum as einsum
from .matrix import inner as inner
from .matrix import kron as kron
from .matrix import matmul as matmul
from .matrix import outer as outer
from .matrix import tensordot as tensordot
from .matrix import trace as trace
from .matrix import vdot as vdot
from .matrix import vecdot as vecdot
from .nans import nanargmax as nanargmax
from .nans import nanargmin as nanargmin
from .nans import nancumprod as nancumprod
from .nans import nancumsum as nancumsum
from .nans import nanmax as nanmax
from .nans import nanmean as nanmean
from .nans import nanmin as nanmin
from .nans import nanprod as nanprod
from .nans import nanstd as nanstd
from .nans import nansum as nansum
from .nans import nanvar as nanvar
from .places import bitwise_count as bitwise_count
from .places import c_ as c_
from .places import diag_indices as diag_indices
from .places import diag_indices_from as diag_indices_from
from .places import ix_ as ix_
from .places import mask_indices as mask_indices
from .places import mgrid as mgrid
from .places import ndenumerate as ndenumerate
from .places import ogrid as ogrid
from .places import packbits as packbits
from .places import r_ as r_
from .places import ravel_multi_index as ravel_multi_index
from .places import tril_indices as tril_indices
from .places import tril_indices_from as tril_indices_from
from .places import triu_indices as triu_indices
from .places import triu_indices_from as triu_indices_from
from .places import unpackbits as unpackbits
from .places import unravel_index as unravel_index
from .polynomials import poly as poly
from .polynomials import polyadd as polyadd
from .polynomials import polyder as polyder
from .polynomials import polydiv as polydiv
from .polynomials import polyfit as polyfit
from .polynomials import polyint as polyint
from .polynomials import polymul as polymul
from .polynomials import polysub as polysub
from .polynomials import polyval as polyval
from .polynomials import roots as roots
from .polynomials import trim_zeros as trim_zeros
from .polynomials import vander as vander
from .products import cross as cross
from .products import einsum_path as einsum_path
from .products import matvec as matvec
from .products import vecmat as vecmat
from .quantiles import median as median
from .quantiles import nanmedian as nanmedian
from .quantiles import nanpercentile as nanpercentile
from .quantiles import nanquantile as nanquantile
from .quantiles import percentile as percentile
from .quantiles import quantile as quantile
from .reduce import all as all
from .reduce import alltrue as alltrue
from .reduce import amax as amax
from .reduce import amin as amin
from .reduce import any as any
from .reduce import argmax as argmax
from .reduce import argmin as argmin
from .reduce import count_nonzero as count_nonzero
from .reduce import cumsum as cumsum
from .reduce import max as max
from .reduce import mean as mean
from .reduce import min as min
from .reduce import prod as prod
from .reduce import product as product
from .reduce import ptp as ptp
from .reduce import sometrue as sometrue
from .reduce import std as std
from .reduce import sum as sum
from .reduce import var as var
from .sets import in1d as in1d
from .sets import intersect1d as intersect1d
from .sets import isin as isin
from .sets import setdiff1d as setdiff1d
from .sets import setxor1d as setxor1d
from .sets import union1d as union1d
from .sets import unique as unique
from .sets import unique_all as unique_all
from .sets import unique_counts as unique_counts
from .sets import unique_inverse as unique_inverse
from .sets import unique_values as unique_values
from .shape import atleast_1d as atleast_1d
from .shape import atleast_2d as atleast_2d
from .shape import atleast_3d as atleast_3d
from .shape import broadcast_arrays as broadcast_arrays
from .shape import broadcast_shapes as broadcast_shapes
from .shape import broadcast_to as broadcast_to
from .shape import expand_dims as expand_dims
from .shape import flip as flip
from .shape import fliplr as fliplr
from .shape import flipud as flipud
from .shape import matrix_transpose as matrix_transpose
from .shape import moveaxis as moveaxis
from .shape import pad as pad
from .shape import permute_dims as permute_dims
from .shape import ravel as ravel
from .shape import repeat as repeat
from .shape import reshape as reshape
from .shape import resize as resize
from .shape import roll as roll
from .shape import rollaxis as rollaxis
from .shape import rot90 as rot90
from .shape import squeeze as squeeze
from .shape import swapaxes as swapaxes
from .shape import tile as tile
from .shape import transpose as transpose
from .sorting import argpartition as argpartition
from .sorting import argsort as argsort
from .sorting import argwhere as argwhere
from .sorting import digitize as digitize
from .sorting import flatnonzero as flatnonzero
from .sorting import lexsort as lexsort
from .sorting import msort as msort
from .sorting import partition as partition
from .sorting import searchsorted as searchsorted
from .sorting import sort as sort
from .standard import Info as _Info
from .statistics import average as average
from .statistics import corrcoef as corrcoef
from .statistics import cov as cov
from .windows import bartlett as bartlett
from .windows import blackman as blackman
from .windows import hamming as hamming
from .windows import hanning as hanning
from .windows import kaiser as kaiser
from .writing import copyto as copyto
from .writing import fill_diagonal as fill_diagonal
from .writing import place as place
from .writing import put as put
from .writing import put_along_axis as put_along_axis
from .writing import putmask as putmask

__array_api_version__ = "2024.12"
__array_namespace_info__ = _Info
_STANDARD = ("__array_api_version__", "__array_namespace_info__")
NINF, PZERO, NZERO = -inf, 0.0, -0.0
PINF, NAN, NaN = inf, nan, nan
bool = bool_
float_ = float64
int_ = int64
# Names of files are not public.
del (
    calculus,
    complexes,
    creation,
    dtypes,
    elementwise,
    files,
    functional,
    histograms,
    indexing,
    join,
    logic,
    matrix,
    nans,
    places,
    polynomials,
    products,
    quantiles,
    reduce,
    sets,
    sorting,
    statistics,
    windows,
    writing,
)

if not _typing.TYPE_CHECKING:  # type checkers use the imports above and report wrong names
    __all__ = _public_names(__name__, "linalg", "random", *_STANDARD)

    def __dir__() -> list[str]:
        return __all__

    def __getattr__(name: str) -> _typing.Any:
        raise _missing("np", name, __all__)
