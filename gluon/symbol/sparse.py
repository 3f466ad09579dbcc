"""MXNet's functions of sparse symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ..nd import sparse as _nd
from .compose import compose as _compose
from .contrib import round_ste as _contrib_round_ste  # noqa: F401  (a name of MXNet's)
from .contrib import sign_ste as _contrib_sign_ste  # noqa: F401
from .nd_functions import ElementWiseSum as ElementWiseSum
from .nd_functions import Embedding as Embedding
from .nd_functions import FullyConnected as FullyConnected
from .nd_functions import LinearRegressionOutput as LinearRegressionOutput
from .nd_functions import LogisticRegressionOutput as LogisticRegressionOutput
from .nd_functions import MAERegressionOutput as MAERegressionOutput
from .nd_functions import abs as abs
from .nd_functions import adam_update as adam_update
from .nd_functions import add_n as add_n
from .nd_functions import arccos as arccos
from .nd_functions import arccosh as arccosh
from .nd_functions import arcsin as arcsin
from .nd_functions import arcsinh as arcsinh
from .nd_functions import arctan as arctan
from .nd_functions import arctanh as arctanh
from .nd_functions import broadcast_add as broadcast_add
from .nd_functions import broadcast_div as broadcast_div
from .nd_functions import broadcast_minus as broadcast_minus
from .nd_functions import broadcast_mul as broadcast_mul
from .nd_functions import broadcast_plus as broadcast_plus
from .nd_functions import broadcast_sub as broadcast_sub
from .nd_functions import cast_storage as cast_storage
from .nd_functions import cbrt as cbrt
from .nd_functions import ceil as ceil
from .nd_functions import clip as clip
from .nd_functions import concat as concat
from .nd_functions import cos as cos
from .nd_functions import cosh as cosh
from .nd_functions import degrees as degrees
from .nd_functions import dot as dot
from .nd_functions import elemwise_add as elemwise_add
from .nd_functions import elemwise_div as elemwise_div
from .nd_functions import elemwise_mul as elemwise_mul
from .nd_functions import elemwise_sub as elemwise_sub
from .nd_functions import exp as exp
from .nd_functions import expm1 as expm1
from .nd_functions import fix as fix
from .nd_functions import floor as floor
from .nd_functions import ftrl_update as ftrl_update
from .nd_functions import gamma as gamma
from .nd_functions import gammaln as gammaln
from .nd_functions import log as log
from .nd_functions import log1p as log1p
from .nd_functions import log2 as log2
from .nd_functions import log10 as log10
from .nd_functions import make_loss as make_loss
from .nd_functions import mean as mean
from .nd_functions import negative as negative
from .nd_functions import norm as norm
from .nd_functions import radians as radians
from .nd_functions import relu as relu
from .nd_functions import rint as rint
from .nd_functions import round as round
from .nd_functions import rsqrt as rsqrt
from .nd_functions import sgd_mom_update as sgd_mom_update
from .nd_functions import sgd_update as sgd_update
from .nd_functions import sigmoid as sigmoid
from .nd_functions import sign as sign
from .nd_functions import sin as sin
from .nd_functions import sinh as sinh
from .nd_functions import slice as slice
from .nd_functions import sqrt as sqrt
from .nd_functions import square as square
from .nd_functions import stop_gradient as stop_gradient
from .nd_functions import sum as sum
from .nd_functions import tan as tan
from .nd_functions import tanh as tanh
from .nd_functions import trunc as trunc
from .nd_functions import where as where
from .nd_functions import zeros_like as zeros_like
from .symbol import Symbol as _Symbol

if _TYPE_CHECKING:  # what editors show; the functions have the arguments of those of `nd`

    def retain(data: _Symbol, indices: _Symbol, name: str | None = None) -> _Symbol:
        """Keep some rows; see `nd.sparse.retain`."""
        raise NotImplementedError

    def adagrad_update(
        weight: _Symbol,
        grad: _Symbol,
        history: _Symbol,
        lr: float,
        epsilon: float = 1e-7,
        wd: float = 0.0,
        rescale_grad: float = 1.0,
        clip_gradient: float = -1.0,
        name: str | None = None,
    ) -> _Symbol:
        """Take a step of AdaGrad; see `nd.sparse.adagrad_update`."""
        raise NotImplementedError

else:
    retain = _compose(_nd.retain, "_sparse_retain")
    adagrad_update = _compose(_nd.adagrad_update, "_sparse_adagrad_update")
