"""Calls of functions of `np`, run on NumPy's arrays and on gluon's, which must agree.

They see ``np`` and the arrays of `arrays`. Where a call stands under ``slopes``, its derivatives
with respect to the arrays that it names are compared with finite differences, twice.
"""

from __future__ import annotations

from typing import Any

import numpy

#: Calls whose results are compared, values and dtypes; by the module they are of.
SAME: dict[str, list[str]] = {
    "sorting": [
        *("np.argsort(x)", "np.argsort(x, axis=0)", "np.argsort(x, axis=None)", "np.argsort(i)"),
        *("np.sort(i)", "np.sort(b)", "np.sort(e)", "np.sort(n)", "np.argsort(n, kind='stable')"),
        *(
            "np.lexsort((x[0], x[1]))",
            "np.lexsort(x)",
            "np.lexsort((j, i))",
            "np.lexsort(x, axis=0)",
        ),
        *(
            "np.searchsorted(v, x)",
            "np.searchsorted(v, 1.5)",
            "np.searchsorted(v, v, side='right')",
        ),
        *("np.searchsorted(v[::-1], x, sorter=[2, 1, 0])", "np.searchsorted(i[:1], 2.5)"),
        *("np.digitize(x, v)", "np.digitize(x, v[::-1])", "np.digitize(v, v, right=True)"),
        *("np.argwhere(i)", "np.argwhere(x > 0.5)", "np.flatnonzero(i)", "np.argwhere(e)"),
        *("np.sort(np.argpartition(x, 1)[:, :2])", "np.argpartition(v, 0)[0]"),
        *("np.sort(z, axis=0)", "np.argsort(z)", "np.sort(x, -2)", "np.digitize(0.7, v)"),
    ],
    "sets": [
        *("np.unique(r)", "np.unique(r, return_index=True)", "np.unique(r, return_counts=True)"),
        *("np.unique(w, axis=0)", "np.unique(w, axis=1, return_inverse=True)", "np.unique(b)"),
        *("np.unique(n)", "np.unique(n, equal_nan=False)", "np.unique(e)", "np.unique(z)"),
        *("np.unique(w, True, True, True, 0)", "np.unique(r, return_inverse=True)"),
        *("np.isin(x, [0.5, x[0, 1]])", "np.isin(i, j, invert=True)", "np.isin(w, r)"),
        *("np.intersect1d(i, j)", "np.intersect1d(r, w, return_indices=True)"),
        *(
            "np.intersect1d(v, v, True)",
            "np.union1d(x, r)",
            "np.union1d(i, w)",
            "np.setdiff1d(r, v)",
        ),
        *("np.setdiff1d(v, r, assume_unique=True)", "np.setdiff1d(w, [1, 2])"),
        *(
            "np.setxor1d(r, v)",
            "np.setxor1d(i, w)",
            "np.setxor1d(v, v + 1, True)",
            "np.union1d(e, v)",
        ),
    ],
    "quantiles": [
        *(
            f"np.{name}({a}, {q}{axis})"
            for name, q in (("quantile", 0.3), ("percentile", [20.0, 50.0]))
            for a, axis in (
                *(("x", ""), ("x", ", axis=1"), ("c", ", axis=(0, 2)"), ("x", ", axis=-2")),
                *(("c", ", axis=1, keepdims=True"), ("n", ""), ("i", ""), ("z", ", axis=0")),
            )
        ),
        *(
            f"np.quantile(x, [0, 0.1, 0.25, 0.5, 0.77, 1], axis={axis}, method='{method}')"
            for axis in (None, 1)
            for method in (
                *("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "hazen"),
                *("interpolated_inverted_cdf", "weibull", "linear", "median_unbiased", "lower"),
                *("normal_unbiased", "higher", "midpoint", "nearest"),
            )
        ),
        *("np.quantile(i, 0.5, method='lower')", "np.median(i)", "np.median(x, axis=0)"),
        *("np.median(c, axis=(0, 1), keepdims=True)", "np.median(n)", "np.median(m, axis=1)"),
        *("np.nanmedian(n)", "np.nanmedian(m, axis=1)", "np.nanmedian(m, axis=0, keepdims=True)"),
        *("np.nanquantile(m, [0.2, 0.9], axis=1)", "np.nanpercentile(m, 30)", "np.median(e)"),
        *("np.nanquantile(m, 0.4, axis=0, method='hazen')", "np.quantile(x, [[0.1], [0.9]])"),
        *("np.median(q)", "np.nanmedian(m)"),
    ],
    "statistics": [
        *("np.average(i)", "np.average(x, axis=1)", "np.average(x, weights=y, returned=True)"),
        *("np.average(x, axis=0, weights=[1, 2], returned=True)", "np.cov(x)", "np.cov(i)"),
        *(
            "np.average(x, axis=1, keepdims=True)",
            "np.cov(v)",
            "np.cov(x, y)",
            "np.cov(x, bias=True)",
        ),
        *("np.cov(x, rowvar=False)", "np.cov(x, ddof=0)", "np.cov(x, fweights=[1, 2, 1])"),
        *("np.cov(x, aweights=[1, 0.5, 2])", "np.cov(x, fweights=[1, 2, 1], aweights=[1, 0.5, 2])"),
        *(
            "np.corrcoef(x)",
            "np.corrcoef(x, y)",
            "np.corrcoef(v)",
            "np.corrcoef(c[0], rowvar=False)",
        ),
        *("np.average(c, axis=(0, 1), weights=x[:, :2])", "np.average(x, returned=True)"),
        *("np.average(c, axis=(2, 0), weights=np.ones((3, 2)))",),
    ],
    "nans": [
        *(
            f"np.nan{name}({a}{axis})"
            for name in ("sum", "prod", "mean", "var", "std", "max", "min")
            for a, axis in (
                *(("m", ""), ("m", ", axis=1"), ("m", ", axis=0, keepdims=True"), ("i", "")),
                *(("x", ", axis=1"), ("n", "")),
            )
        ),
        *("np.nanvar(m, axis=1, ddof=2)", "np.nanstd(m, ddof=1)", "np.nanargmax(m, axis=1)"),
        *("np.nanargmin(m)", "np.nanargmax(i)", "np.nancumsum(m)", "np.nancumsum(m, axis=1)"),
        *("np.nancumprod(m)", "np.nancumprod(m, axis=0)", "np.nansum(m, where=[[True], [False]])"),
        *("np.nanmean(m, axis=0, where=[[True], [False]])", "np.nancumsum(i)", "np.nansum(e)"),
        *("np.nanmax(m, initial=5)", "np.nanmin(m, axis=1, initial=0)", "np.nanmean(full)"),
        *("np.nanmax(full)", "np.nanmin(full, axis=0)", "np.nanvar(full)", "np.nansum(full)"),
    ],
    "histograms": [
        *("np.histogram(x)", "np.histogram(x, bins=3)", "np.histogram(x, bins=v)"),
        *("np.histogram(x, 4, (0, 1))", "np.histogram(x, 4, density=True)", "np.histogram(i)"),
        *("np.histogram(x, 4, weights=y)", "np.histogram(x, v, weights=y, density=True)"),
        *("np.histogram(x, 'auto')", "np.histogram_bin_edges(x, 5)", "np.histogram(e, 2)"),
        *("np.histogram2d(x[0], x[1], 3)", "np.histogram2d(x[0], x[1], [v, v])"),
        *("np.histogram2d(x[0], x[1], [2, 3], [[0, 1], [0, 1]])", "np.histogram2d(x[0], y[0], v)"),
        *("np.histogram2d(x[0], x[1], 2, weights=v)", "np.histogramdd(x, 2)"),
        *("np.histogramdd(x.T, [2, 3], density=True)", "np.bincount(i)", "np.bincount(i, v)"),
        *("np.bincount(j, minlength=9)", "np.bincount(i, minlength=9, weights=v)"),
        *("np.histogram(r, 2)", "np.histogram(r, [1, 2, 2, 3])", "np.bincount(i[:0])"),
    ],
    "calculus": [
        *("np.diff(i)", "np.diff(b)", "np.diff(e)", "np.diff(x, 2)", "np.diff(x, prepend=0)"),
        *("np.diff(x, append=y)", "np.diff(x, 3)", "np.diff(x, 0)", "np.ediff1d(i)"),
        *(
            "np.cumprod(i)",
            "np.cumprod(x)",
            "np.cumprod(c, axis=1)",
            "np.cumprod(e)",
            "np.cumprod(b)",
        ),
        *("np.gradient(i)", "np.gradient(x)", "np.gradient(x, 2.0, axis=1)", "np.gradient(u)"),
        *("np.gradient(u, edge_order=2)", "np.gradient(u, t)", "np.gradient(u, t, edge_order=2)"),
        *("np.gradient(x, 2.0, [0.0, 1.0, 3.0])", "np.gradient(c, axis=(0, 2))"),
        *("np.interp(x, v, v * 2)", "np.interp(0.7, v, v)", "np.interp(x * 4, v, y[0], -1, 9)"),
        *(
            "np.interp(x * 9, v[::-1], y[0], period=3)",
            "np.interp(v, v, y[0])",
            "np.interp(i, v, v)",
        ),
        *(
            "np.interp(x, v[:1], v[:1])",
            "np.unwrap(i)",
            "np.unwrap(x * 20)",
            "np.unwrap(i, period=4)",
        ),
        *(
            "np.unwrap(x * 20, axis=0)",
            "np.unwrap(x * 9, discont=4)",
            "np.unwrap(x * 9, period=2.5)",
        ),
        *(
            f"np.{name}({a}, {v}, '{mode}')"
            for name in ("convolve", "correlate")
            for a, v in (
                ("u", "v"),
                ("v", "u"),
                ("i", "j"),
                ("v", "v"),
                ("u[:4]", "v[:2]"),
                ("u[:2]", "u"),
            )
            for mode in ("full", "same", "valid")
        ),
    ],
    "windows": [
        f"np.{name}({m})"
        for name in ("bartlett", "blackman", "hamming", "hanning")
        for m in (0, 1, 2, 7)
    ]
    + ["np.kaiser(5, 2.0)", "np.kaiser(1, 3.0)", "np.kaiser(0, 3.0)", "np.kaiser(6, 14)"],
    "polynomials": [
        *("np.polyval(i, x)", "np.polyval(v, 2)", "np.polyval(i, 2)", "np.polyadd(v, [1, 2])"),
        *("np.polysub([1], v)", "np.polymul(v, u)", "np.polymul(i, j)", "np.polydiv(u, v)"),
        *("np.polydiv(v, u)", "np.polydiv([1, 5, 6], [1, 2])", "np.polyder(u)", "np.polyder(u, 3)"),
        *("np.polyder(i)", "np.polyint(v)", "np.polyint(v, 2, [1, 2])", "np.polyint(i)"),
        *(
            "np.poly(v)",
            "np.poly(a)",
            "np.poly(i)",
            "np.roots([1, -6, 11, -6])",
            "np.roots([0, 0])",
        ),
        *("np.roots([0, 2, -4, 0])", "np.vander(v)", "np.vander(i, 2)", "np.vander(v, 4, True)"),
        *("np.vander(v, 0)", "np.polyfit(v, y[0], 1)", "np.polyfit(t, u, 3)"),
        *(
            "np.polyfit(v, y.T, 2)",
            "np.polyfit(t, u, 2, w=t + 1)",
            "np.trim_zeros([0, 1, 0, 2, 0])",
        ),
        *("np.trim_zeros(i[1:], 'f')", "np.trim_zeros([0, 1, 0], 'b')", "np.trim_zeros([0, 0])"),
    ],
    "products": [
        *("np.cross(x, y)", "np.cross(c, v)", "np.cross(i, j)", "np.cross(v, c[0], axisb=-1)"),
        *("np.cross(x.T, y.T, axis=0)", "np.cross(x[:, None], c)", "np.cross(x, y, axisc=0)"),
    ],
    "functional": [
        *("np.apply_along_axis(lambda r: r.max(), 1, x)", "np.apply_over_axes(np.sum, c, [0, 2])"),
        *("np.apply_along_axis(lambda r: r[:2] * 2, 0, c)", "np.apply_along_axis(np.sort, 1, c)"),
        *("np.vectorize(lambda p, q: p + q)(x, 2)", "np.vectorize(lambda p: (p, p * 2))(v)"),
        *(
            "np.fromfunction(lambda k, l: k * l, (2, 3))",
            "np.fromfunction(np.add, (2, 2), dtype=int)",
        ),
        *(
            "np.piecewise(x, [x < 0.5, x >= 0.5], [-1, 1])",
            "np.piecewise(i, [i > 2], [lambda k: k * 2, 7])",
        ),
        "np.select([x > 0.6, x > 0.4], [x, y])",
        *(
            "np.select([i > 2, i > 0], [i, j], 9)",
            "np.choose([0, 1, 0], [i, j])",
            "np.choose([2, -1, 0], [i, j], mode='wrap')",
        ),
        *("np.choose([[0, 1, 2]], [v, x, y])", "np.block([[x, y], [v, v]])", "np.block([v, 3.0])"),
        *(
            "np.choose([5, -1, 0], [i, j], mode='clip')",
            "np.block(x)",
            "np.fromiter([1, 2], float)",
        ),
    ],
    "places": [
        *("np.ix_([0, 1], [2, 0])", "np.ix_([True, False, True])", "np.tril_indices(3, 1, 4)"),
        *("np.triu_indices(3, -1)", "np.tril_indices_from(x)", "np.triu_indices_from(x, 1)"),
        *("np.mask_indices(3, np.triu, 1)", "np.diag_indices(3)", "np.diag_indices_from(a)"),
        *("np.unravel_index([1, 5], (2, 3))", "np.unravel_index(4, (2, 3), order='F')"),
        *(
            "np.ravel_multi_index(([0, 1], [1, 2]), (2, 3))",
            "np.ravel_multi_index(([3], [4]), (2, 3), mode='clip')",
        ),
        *("np.packbits(b)", "np.unpackbits(np.packbits(b), count=3)", "np.bitwise_count(i)"),
        *(
            "np.r_[v, x[0]]",
            "np.c_[v, v]",
            "np.r_['0,2', v, v]",
            "np.r_['-1', x, y]",
            "np.c_[x, y]",
        ),
        *("np.r_[v, i]", "np.mgrid[0:2.0, 0:3.0]", "np.ogrid[0:2.0, 0:3.0]", "np.r_[0:2.5:0.5]"),
        *("x[np.s_[:, 1]]", "x[np.ix_([0, 1], [2, 0])]", "np.bitwise_count(-j)"),
    ],
    "complexes": [
        *("np.real(x)", "np.imag(x)", "np.conj(x)", "np.conjugate(i)", "np.angle(x - 0.5)"),
        *(
            "np.angle(i)",
            "np.isreal(x)",
            "np.iscomplex(i)",
            "np.isrealobj(x)",
            "np.iscomplexobj(x)",
        ),
        *(
            "np.real_if_close(x)",
            "np.sinc(x)",
            "np.sinc(i)",
            "np.i0(x * 30)",
            "np.i0(i)",
            "np.sinc(z)",
        ),
        *("np.asarray_chkfinite(x)", "np.ascontiguousarray(x.T)", "np.ascontiguousarray(2.0)"),
        *("np.isscalar(2)", "np.isscalar(x)", "np.iterable(x)"),
    ],
    "linalg": [
        *(
            "np.linalg.inv(a)",
            "np.linalg.inv(i3)",
            "np.linalg.inv(A)",
            "np.linalg.pinv(x)",
            "np.linalg.pinv(c)",
        ),
        *(
            "np.linalg.pinv(low, 1e-8)",
            "np.linalg.solve(a, v)",
            "np.linalg.solve(A, c.swapaxes(1, 2))",
        ),
        *("np.linalg.solve(a, a)", "np.linalg.det(a)", "np.linalg.det(A)", "np.linalg.slogdet(-a)"),
        *("np.linalg.slogdet(A)", "np.linalg.matrix_rank(x)", "np.linalg.matrix_rank(low)"),
        *("np.linalg.matrix_rank(v)", "np.linalg.matrix_rank(c)", "np.linalg.matrix_rank(a, 2.0)"),
        *(
            "np.linalg.matrix_power(a, 5)",
            "np.linalg.matrix_power(A, -2)",
            "np.linalg.matrix_power(i3, 0)",
        ),
        *(
            "np.linalg.matrix_power(i3, 3)",
            "np.linalg.multi_dot([v, a, x.T])",
            "np.linalg.cholesky(S)",
        ),
        *(
            "np.linalg.multi_dot([x, a, a, v])",
            "np.linalg.multi_dot([x.T, x, a])",
            "np.linalg.eigvalsh(S)",
        ),
        *("np.linalg.eigh(S).eigenvalues", "np.linalg.eigvalsh(a, 'U')", "np.linalg.eigvals(T)"),
        *("np.linalg.svd(x, compute_uv=False)", "np.linalg.svd(c, full_matrices=False)[1]"),
        *("np.linalg.qr(a)", "np.linalg.qr(x.T)", "np.linalg.qr(x)", "np.linalg.qr(x, 'r')"),
        *("np.linalg.qr(x.T, 'complete')", "np.linalg.svd(x.T, full_matrices=True)"),
        *("np.linalg.lstsq(x.T, v, rcond=None)", "np.linalg.lstsq(x, x, rcond=None)"),
        *(
            "np.linalg.lstsq(x.T, a, rcond=None)",
            "np.linalg.tensorinv(g4)",
            "np.linalg.tensorsolve(g3, x)",
        ),
        *(
            "np.linalg.tensorinv(g3, 2)",
            "np.linalg.cond(a)",
            "np.linalg.cond(c)",
            "np.linalg.cond(a, 1)",
        ),
        *("np.linalg.cond(A, -2)", "np.linalg.cond(a, 'fro')", "np.linalg.cond(A, np.inf)"),
        *("np.linalg.det(z0)", "np.linalg.norm(x, 'nuc')", "np.linalg.norm(x, 'fro')"),
        *(
            f"np.linalg.norm({arg}, {order}{axis})"
            for arg, axis, orders in (
                ("v", "", ("None", "0", "1", "2", "3", "0.5", "-1", "np.inf", "-np.inf")),
                ("x", "", ("None", "1", "-1", "2", "-2", "np.inf", "-np.inf")),
                ("c", ", axis=1", ("None", "0", "1", "2", "3", "np.inf")),
                ("c", ", axis=(2, 0)", ("None", "1", "-1", "2", "-2", "np.inf", "'nuc'")),
                ("c", ", axis=(0, -1), keepdims=True", ("None", "1", "2", "'fro'")),
                ("c", "", ("None",)),
            )
            for order in orders
        ),
    ],
}
#: Functions that NumPy has only since 2.
NEWER = [
    *("np.unique_all(r)", "np.unique_counts(n)", "np.unique_inverse(w)", "np.unique_values(r)"),
    *("np.cumulative_sum(v)", "np.cumulative_sum(x, axis=1, include_initial=True)"),
    *("np.cumulative_prod(x, axis=0, include_initial=True)", "np.cumulative_prod(i)"),
    *(
        "np.trapezoid(x)",
        "np.trapezoid(x, v)",
        "np.trapezoid(x, dx=0.5, axis=0)",
        "np.trapezoid(i)",
    ),
    *(
        "np.trapezoid(x, y, axis=1)",
        "np.matvec(c, v)",
        "np.vecmat(v, A)",
    ),
    *(
        "np.linalg.svdvals(c)",
        "np.linalg.vector_norm(x)",
        "np.linalg.vector_norm(c, axis=(0, 1), ord=3)",
    ),
    *("np.linalg.matrix_norm(c)", "np.linalg.matrix_norm(c, ord='nuc', keepdims=True)"),
    *("np.linalg.matrix_norm(c, ord=1)", "np.linalg.trace(c)", "np.linalg.diagonal(c, offset=1)"),
    *("np.linalg.outer(v, v)", "np.linalg.cross(x, y)", "np.linalg.vecdot(x, y)"),
    *("np.linalg.cholesky(S, upper=True)", "np.linalg.matrix_rank(a, rtol=0.5)"),
    *("np.quantile(x, 0.4, weights=y, method='inverted_cdf')", "np.linalg.matrix_transpose(c)"),
    *("np.percentile(x, [0, 30, 100], axis=1, weights=v, method='inverted_cdf')",),
    *("np.nanquantile(m, 0.6, axis=1, weights=y, method='inverted_cdf')",),
]
#: Calls whose slopes are compared, once and twice.
SLOPES: dict[str, list[str]] = {
    "the standard": [
        *("np.matrix_transpose(x)", "np.unstack(x)[1]", "np.take_along_axis(x, np.argsort(x), 1)"),
        *("np.permute_dims(c, (2, 0, 1))", "np.positive(x)", "np.logaddexp(x, y)", "np.exp2(x)"),
        *("np.logaddexp2(x, y)", "np.fmax(x, y)", "np.fmin(x, y)", "np.frexp(x)[0]"),
        *("np.nextafter(x, 2.0)", "np.nan_to_num(m, nan=x)", "np.pad(x, 1, constant_values=s)"),
        *("np.logspace(x, y, 3, base=s + 1)", "np.geomspace(x, y, 3)", "np.geomspace(v, 9, 3)"),
        *("np.logspace(v, s, 3, axis=1)", "np.geomspace(x, y, 4, axis=1)", "np.arange(s, 5, 0.5)"),
        *("np.arange(0, 3, s)", "np.array([s, v[0]])", "np.array([[s, 2], v[:2]])"),
        *("np.concatenate([[1, s], [2, v[0]]])", "np.maximum([v[0], s], 1)", "v[:2] * [s, v[2]]"),
        *("np.dot([s, v[0]], v[1:])", "np.stack([[s, 1], [2, v[1]]])", "np.fromiter(v, x.dtype)"),
        *("np.array(x)", "np.full((2, 2), s)", "np.cov(x, aweights=[s, v[0], 1])"),
        *("np.atleast_1d(s)", "np.divmod(x, y)[1]", "np.vecdot(x, y)", "np.clip(x, min=0, max=1)"),
    ],
    "sorting": [
        *("np.sort(x)", "np.sort(x, axis=0)", "np.sort(c, axis=None)", "np.partition(x, 0)"),
        *("np.partition(x, 1, axis=None)[1]", "np.unique(x)", "np.union1d(x, y)"),
        *(
            "np.setdiff1d(x, y)",
            "np.setxor1d(x, y)",
            "np.intersect1d(x, x)",
            "np.unique(x, axis=0)",
        ),
    ],
    "quantiles": [
        *(
            "np.quantile(x, 0.3)",
            "np.quantile(x, [0.2, 0.9], axis=1)",
            "np.median(x)",
            "np.median(x, axis=1)",
        ),
        *("np.percentile(c, 35, axis=(0, 2))", "np.nanmedian(m, axis=1)", "np.nanquantile(m, 0.3)"),
        *("np.quantile(x, 0.3, method='lower')", "np.quantile(x, 0.3, method='hazen')"),
        *("np.quantile(x, 0.4, weights=y, method='inverted_cdf')",),
    ],
    "statistics": [
        *(
            "np.average(x, weights=y)",
            "np.average(x, axis=1, weights=v)",
            "np.cov(x)",
            "np.corrcoef(x)",
        ),
        *("np.average(x, weights=y, returned=True)", "np.cov(x, y)", "np.cov(x, aweights=v)"),
        *("np.corrcoef(x, y)", "np.cov(v)", "np.cov(x, ddof=0, rowvar=False)"),
    ],
    "nans": [
        *(
            f"np.nan{name}(m, axis=1)"
            for name in ("sum", "prod", "mean", "var", "std", "max", "min")
        ),
        *("np.nancumsum(m)", "np.nancumprod(m, axis=1)", "np.nanmean(x)", "np.nanstd(m, ddof=1)"),
    ],
    "histograms": [
        *(
            "np.histogram(d, v, weights=x)[0]",
            "np.histogram(d, [0, 1.3, 3], weights=x, density=True)[0]",
        ),
        *("np.bincount(i, v)", "np.histogram2d(d[0], d[1], 2, weights=v)[0]"),
    ],
    "calculus": [
        *(
            "np.diff(x)",
            "np.diff(x, 2)",
            "np.diff(x, axis=0, prepend=y)",
            "np.ediff1d(x, to_end=v)",
        ),
        *("np.cumprod(x)", "np.cumprod(zeros)", "np.cumprod(c, axis=1)", "np.trapezoid(x, v)"),
        *("np.cumulative_prod(x, axis=1, include_initial=True)", "np.cumulative_sum(v)"),
        *(
            "np.gradient(u)",
            "np.gradient(u, t, edge_order=2)",
            "np.gradient(x, 0.5, v)",
            "np.gradient(u, 2.0)",
        ),
        *("np.interp(x, v, u[:3])", "np.interp(x * 9, v, u[:3], period=3)", "np.interp(u, v, v)"),
        *(
            "np.convolve(u, v)",
            "np.convolve(u, v, 'same')",
            "np.correlate(u, v)",
            "np.correlate(v, u, 'same')",
        ),
        *("np.correlate(u, v, 'full')", "np.unwrap(x * 20)", "np.trapezoid(x, y)"),
    ],
    "special": [
        *("np.sinc(x)", "np.sinc(zeros)", "np.i0(x * 5)", "np.i0(zeros)", "np.kaiser(5, s)"),
        *("np.sinc(x * 6)", "np.real(x)", "np.conj(x)"),
    ],
    "polynomials": [
        *("np.polyval(v, x)", "np.polyadd(v, u)", "np.polysub(v, u)", "np.polymul(v, u)"),
        *("np.polydiv(u, v)", "np.polyder(u)", "np.polyint(v, 2)", "np.poly(v)", "np.poly(a)"),
        *("np.roots(roots)", "np.vander(v, 4)", "np.polyfit(t, u, 2)", "np.polyfit(t, u, 1, w=t)"),
        *("np.trim_zeros(v)", "np.polyfit(v, y.T, 1)"),
    ],
    "products": [
        *("np.cross(x, y)", "np.cross(c, v)", "np.matvec(c, v)", "np.cross(x[:, :2], y)"),
        *("np.vecmat(v, a)",),
    ],
    "functional": [
        *(
            "np.apply_along_axis(lambda line: line * line.sum(), 1, x)",
            "np.apply_over_axes(np.prod, x, [0, 1])",
        ),
        *(
            "np.vectorize(lambda one, two: one * two)(x, v)",
            "np.piecewise(x, [x < 0.5], [lambda k: k * k, 0])",
        ),
        *("np.select([x > 0.6, x > 0.4], [x, x * y])", "np.choose([0, 1, 0], [v, v * v])"),
        *("np.block([[x, y], [v, v]])", "np.r_[v, x[0]]", "np.c_[v, v]"),
    ],
    "linalg": [
        *("np.linalg.inv(a)", "np.linalg.inv(A)", "np.linalg.pinv(x)", "np.linalg.pinv(x.T)"),
        *(
            "np.linalg.pinv(A)",
            "np.linalg.solve(a, v)",
            "np.linalg.solve(A, x.T)",
            "np.linalg.det(a)",
        ),
        *("np.linalg.det(A)", "np.linalg.slogdet(A)[1]", "np.linalg.matrix_power(a, 3)"),
        *("np.linalg.matrix_power(a, -2)", "np.linalg.multi_dot([x, a, v])"),
        *("np.linalg.cholesky(S @ S.T)", "np.linalg.cholesky(S @ S.T, upper=True)"),
        *(
            "np.linalg.eigvalsh(a + a.T)",
            "np.linalg.eigh(a + a.T)",
            "np.linalg.eigh(a + a.T, 'U')[1]",
        ),
        *("np.linalg.eig(T)", "np.linalg.eigvals(T)", "np.linalg.svd(x)", "np.linalg.svd(x.T)"),
        *("np.linalg.svd(A)", "np.linalg.svdvals(c)", "np.linalg.qr(a)", "np.linalg.qr(x.T)"),
        *("np.linalg.qr(x)", "np.linalg.qr(x, 'r')", "np.linalg.lstsq(x.T, v)[:2]"),
        *(
            "np.linalg.lstsq(x, x[:, 0])[0]",
            "np.linalg.lstsq(x.T, a)[1]",
            "np.linalg.tensorinv(g3)",
        ),
        *("np.linalg.tensorsolve(g3, x)", "np.linalg.cond(a)", "np.linalg.cond(a, 1)"),
        *(
            "np.linalg.cond(A, 'fro')",
            "np.linalg.trace(c)",
            "np.linalg.diagonal(c)",
            "np.linalg.vecdot(x, y)",
        ),
        *(
            "np.linalg.outer(v, v)",
            "np.linalg.cross(x, y)",
            "np.linalg.vector_norm(c, axis=(0, 1), ord=3)",
        ),
        *(
            f"np.linalg.norm({arg}, {order}{axis})"
            for arg, axis, orders in (
                ("v", "", ("None", "1", "3", "2.5", "-1", "np.inf", "-np.inf")),
                ("x", "", ("None", "1", "-1", "2", "-2", "np.inf", "-np.inf", "'nuc'", "'fro'")),
                ("c", ", axis=1", ("None", "3")),
                ("c", ", axis=(2, 0)", ("2", "'nuc'")),
            )
            for order in orders
        ),
    ],
}


def arrays() -> dict[str, Any]:
    """The names that the calls can use."""
    draw = numpy.random.RandomState(0)
    nan = numpy.nan
    found = {
        "x": draw.uniform(0.2, 0.95, (2, 3)),
        "y": draw.uniform(0.2, 2, (2, 3)),
        "v": numpy.array([0.5, 1.5, 2.6]),
        "u": draw.normal(size=6),
        "t": numpy.array([0.1, 0.5, 0.7, 1.5, 2.0, 2.2]),
        "c": draw.normal(size=(2, 2, 3)),
        "a": draw.normal(size=(3, 3)) + 3 * numpy.eye(3),
        "A": draw.normal(size=(2, 3, 3)) + 3 * numpy.eye(3),
        "T": numpy.array([[1.0, 0.3, 0.2], [0.1, 2.0, 0.4], [0.2, 0.1, 4.0]]),
        "g4": draw.normal(size=(2, 3, 3, 2)),
        "g3": draw.normal(size=(2, 3, 6)),
        "n": numpy.array([3, nan, 1, 2, nan]),
        "m": numpy.array([[3, nan, 1.5], [2, 0.5, 4]]),
        "full": numpy.array([nan, nan]),
        "q": numpy.array([1, numpy.inf, -numpy.inf, numpy.inf, 2]),
        "r": numpy.array([2.5, 1.5, 2.5, 0.5, 1.5]),
        "w": numpy.array([[1, 2, 1], [1, 2, 1], [3, 2, 3]]),
        "i": numpy.array([3, 0, 5]),
        "j": numpy.array([3, 1, 5]),
        "i3": numpy.array([[2, 1, 0], [1, 3, 1], [0, 1, 4]]),
        "b": numpy.array([True, False, True]),
        "e": numpy.zeros(0),
        "z": numpy.zeros((2, 0)),
        "z0": numpy.zeros((0, 0)),
        "low": numpy.outer([1.0, 2.0], [1.0, 3.0]),
        "d": numpy.array([[0.6, 1.7, 2.0], [2.5, 0.9, 1.2]]),
        "s": numpy.array(1.3),
        "zeros": numpy.array([2.0, 0, 3, 0, 1.5]),
        "roots": numpy.array([1.0, -5.0, 6.2]),
    }
    found["S"] = found["a"] @ found["a"].T + numpy.eye(3)
    return found
