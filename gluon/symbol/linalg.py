"""The functions of `gluon.nd.linalg` on symbols."""

from __future__ import annotations

from typing import Final

from .. import nd
from .compose import compose

det: Final = compose(nd.linalg.det, "_linalg_det")
extractdiag: Final = compose(nd.linalg.extractdiag, "_linalg_extractdiag")
extracttrian: Final = compose(nd.linalg.extracttrian, "_linalg_extracttrian")
gelqf: Final = compose(nd.linalg.gelqf, "_linalg_gelqf")
gemm: Final = compose(nd.linalg.gemm, "_linalg_gemm")
gemm2: Final = compose(nd.linalg.gemm2, "_linalg_gemm2")
inverse: Final = compose(nd.linalg.inverse, "_linalg_inverse")
makediag: Final = compose(nd.linalg.makediag, "_linalg_makediag")
maketrian: Final = compose(nd.linalg.maketrian, "_linalg_maketrian")
potrf: Final = compose(nd.linalg.potrf, "_linalg_potrf")
potri: Final = compose(nd.linalg.potri, "_linalg_potri")
slogdet: Final = compose(nd.linalg.slogdet, "_linalg_slogdet")
sumlogdiag: Final = compose(nd.linalg.sumlogdiag, "_linalg_sumlogdiag")
syevd: Final = compose(nd.linalg.syevd, "_linalg_syevd")
syrk: Final = compose(nd.linalg.syrk, "_linalg_syrk")
trmm: Final = compose(nd.linalg.trmm, "_linalg_trmm")
trsm: Final = compose(nd.linalg.trsm, "_linalg_trsm")
