"""Expressions like those of `programs`, of the functions beyond the base; see there."""

from __future__ import annotations

SQUARE = "(x @ x.T)"
GROUPS: dict[str, list[str]] = {
    "sorting": [
        *("np.sort(x)", "np.sort(x, axis=0)", "np.sort(c, axis=None)", "np.argsort(x)"),
        *("np.argsort(x, axis=0)", "x.argsort()"),
        *("np.unique(x)", "np.unique(v, True, True, True)[1]", "np.unique(v, True, True, True)[2]"),
        "np.unique(v, return_counts=True)[1]",
    ],
    "statistics": [
        *("np.percentile(x, 30)", "np.percentile(x, 30, axis=1)", "np.quantile(x, 0.4)"),
        *(f"np.quantile(x, 0.4, axis=1, interpolation='{m}')" for m in ("lower", "higher")),
        *(f"np.percentile(x, 40, axis=0, interpolation='{m}')" for m in ("midpoint", "nearest")),
        *("np.percentile(x, np.array([10, 50]))", "np.quantile(x, 0.5, keepdims=True)"),
        *(
            "np.average(x)",
            "np.average(x, axis=0, weights=np.array([1, 2]))",
            "np.average(x, axis=1)",
        ),
        *("np.average(x, weights=y)", "np.average(x, weights=y, returned=True)[1]"),
        *("np.bincount(i, minlength=8)", "np.bincount(i, weights=v)", "np.bincount(i)"),
        *("np.histogram(x, bins=3, range=(0, 1))[0]", "np.histogram(x, bins=3, range=(0, 1))[1]"),
        "np.histogram(x, bins=v)[0]",
    ],
    "calculus": [
        *("np.diff(x)", "np.diff(x, n=2)", "np.diff(x, axis=0)"),
        *("np.ediff1d(x)", "np.ediff1d(x, to_end=v)", "np.ediff1d(x, to_begin=0)"),
        *("np.polyval(v, x)", "np.polyval(v, v)"),
        *("np.hanning(5)", "np.hamming(5)", "np.blackman(5)", "np.hanning(1)"),
    ],
    "indices": [
        "np.diag_indices_from(x[:, :2])[0]",
        "np.unravel_index(i, (2, 3))[0]",
    ],
    "linalg": [
        *(
            f"np.linalg.inv({SQUARE})",
            f"np.linalg.det({SQUARE})",
            f"np.linalg.slogdet({SQUARE})[1]",
        ),
        *(f"np.linalg.cholesky({SQUARE})", f"np.linalg.solve({SQUARE}, np.ones((2,)))"),
        *(f"np.linalg.solve({SQUARE}, x)", f"np.linalg.eigvalsh({SQUARE})"),
        *(f"np.linalg.eigh({SQUARE})[0]", f"np.linalg.eigh({SQUARE}, UPLO='U')[0]"),
        *("np.linalg.svd(x)[1]", "np.linalg.svd(x)[0].shape", "np.linalg.svd(x)[2].shape"),
        *("np.linalg.pinv(x)", "np.linalg.pinv(c)", "np.linalg.norm(x)", "np.linalg.norm(v, 3)"),
        *("np.linalg.norm(x, 1)", "np.linalg.norm(x, 2)", "np.linalg.norm(x, 'nuc')"),
        *("np.linalg.norm(x, np.inf)", "np.linalg.norm(x, -1)", "np.linalg.norm(x, -2)"),
        *("np.linalg.norm(x, axis=1)", "np.linalg.norm(x, 1, axis=0)"),
        *("np.linalg.norm(c, axis=(1, 2))", "np.linalg.norm(x, 'fro', keepdims=True)"),
        *("np.linalg.norm(x, 'inf', axis=(0, 1))", "np.linalg.norm(x, '-inf', axis=(1, 0))"),
        *("np.linalg.norm(x, ord=0, axis=0)", "np.linalg.norm(c, 'nuc', axis=(0, 2))"),
        *("np.linalg.tensorinv(np.eye(6).reshape((2, 3, 6)))", f"np.linalg.eigvals({SQUARE})"),
        *("np.linalg.tensorsolve(np.eye(6).reshape((2, 3, 6)), x)", f"np.linalg.eig({SQUARE})[0]"),
    ],
}
PROGRAMS = [program for group in GROUPS.values() for program in group]
