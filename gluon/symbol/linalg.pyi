# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"


from ._declared_linalg import det as det, extractdiag as extractdiag, extracttrian as extracttrian, gelqf as gelqf, gemm as gemm, gemm2 as gemm2, inverse as inverse, makediag as makediag, maketrian as maketrian, potrf as potrf, potri as potri, slogdet as slogdet, sumlogdiag as sumlogdiag, syevd as syevd, syrk as syrk, trmm as trmm, trsm as trsm
