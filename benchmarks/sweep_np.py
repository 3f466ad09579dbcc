"""Every public function of `gluon.np` beside NumPy's and PyTorch's expression for the same.

A line is ``call | NumPy's | PyTorch's``: ``=`` stands for the same call of that library, ``-`` for
none. The names are those of `benchmarks.sweep.inputs`.
"""

from __future__ import annotations

#: Names without a call in the table, and the reasons.
WITHOUT = {
    "settings and types": (
        "can_cast errstate finfo get_printoptions geterr iinfo isdtype issubdtype min_scalar_type"
        " printoptions promote_types result_type set_printoptions seterr dtype iscomplexobj"
        " isrealobj isscalar iterable"
    ),
    "shapes alone": "broadcast_shapes ndim shape size einsum_path",
    "iterators and objects to index": "ndenumerate ndindex c_ r_ s_ index_exp mgrid ogrid",
    "files, texts and memory": "frombuffer fromiter genfromtxt from_dlpack",
    "calls of the user's function": (
        "apply_along_axis apply_over_axes fromfunction piecewise vectorize mask_indices"
    ),
    "few coefficients": "poly roots polydiv bartlett blackman hamming hanning kaiser",
    "state": "random.seed",
}

#: Functions of one array, by the input they take, with PyTorch's name if it differs.
UNARY = {
    "x": (
        "abs arctan arcsinh cbrt:- ceil cos cosh deg2rad exp exp2 expm1 fabs:abs fix floor"
        " i0:special.i0 isfinite isinf isnan isneginf isposinf negative positive rad2deg"
        " degrees:rad2deg radians:deg2rad"
        " rint:round sign signbit sin sinc sinh square tan tanh trunc spacing:- nan_to_num"
        " logical_not conj:- real:- imag:- angle:- isreal iscomplex:- copy:clone"
        " frexp:- modf:- real_if_close:-"
    ),
    "u": "arccos arcsin arctanh",
    "p": "log log10 log1p log2 sqrt reciprocal",
    "big": "arccosh",
    "i": "invert:bitwise_not bitwise_count:-",
}

#: The same for functions of two arrays.
BINARY = {
    "x, y": (
        "add subtract multiply divide true_divide maximum minimum fmax fmin hypot arctan2 equal"
        " not_equal greater greater_equal less less_equal copysign fmod logaddexp"
        " logaddexp2 mod:remainder remainder logical_and logical_or logical_xor isclose"
        " allclose array_equal:equal array_equiv:- divmod:- heaviside:- nextafter:-"
    ),
    "p, q": "power:pow float_power",
    "i, j": "bitwise_and bitwise_or bitwise_xor gcd lcm",
    "i, 3": "left_shift:bitwise_left_shift right_shift:bitwise_right_shift",
    "x, i": "ldexp",
}

REDUCTIONS = """
np.floor_divide(x, y) | = | torch.floor_divide(x.detach(), y.detach())
np.sum(x) | = | =
np.sum(x, axis=0) | = | =
np.sum(x, axis=1) | = | =
np.mean(x) | = | =
np.mean(x, axis=0) | = | =
np.prod(p) | = | =
np.prod(x, axis=1) | = | =
np.max(x) | = | =
np.max(x, axis=1) | = | torch.amax(x, 1)
np.min(x) | = | =
np.std(x) | = | torch.std(x, correction=0)
np.var(x, axis=1) | = | torch.var(x, 1, correction=0)
np.ptp(x) | = | torch.max(x) - torch.min(x)
np.average(x, axis=0, weights=row) | = | (x * row[:, None]).sum(0) / row.sum()
np.all(b) | = | =
np.any(b) | = | =
np.argmax(x, axis=1) | = | =
np.argmin(x, axis=0) | = | =
np.count_nonzero(x) | = | =
np.nansum(x) | = | =
np.nanmean(x) | = | =
np.nanmax(x) | = | -
np.nanmin(x, axis=1) | = | -
np.nanprod(x, axis=1) | = | -
np.nanstd(x) | = | -
np.nanvar(x) | = | -
np.nanargmax(x, axis=1) | = | -
np.nanargmin(x, axis=1) | = | -
np.cumsum(x, axis=1) | = | =
np.cumsum(x, axis=0) | = | =
np.cumsum(x) | = | torch.cumsum(x.flatten(), 0)
np.cumprod(p, axis=1) | = | =
np.cumprod(p, axis=0) | = | =
np.nancumsum(x, axis=1) | = | -
np.nancumprod(p, axis=1) | = | -
np.cumulative_sum(x, axis=1) | = | torch.cumsum(x, 1)
np.cumulative_prod(p, axis=1) | = | torch.cumprod(p, 1)
np.median(x) | = | torch.quantile(x, 0.5)
np.median(x, axis=1) | = | torch.quantile(x, 0.5, dim=1)
np.quantile(x, 0.3) | = | =
np.percentile(x, 30, axis=1) | = | torch.quantile(x, 0.3, dim=1)
np.nanmedian(x) | = | torch.nanquantile(x, 0.5)
np.nanquantile(x, 0.3) | = | =
np.nanpercentile(x, 30) | = | torch.nanquantile(x, 0.3)
np.trace(x) | = | =
np.bincount(iv) | = | =
np.histogram(x, 10, (-3, 3)) | = | torch.histogram(x.detach(), 10, range=(-3, 3))
np.histogram(x, edges) | = | torch.histogram(x.detach(), edges.detach())
np.histogram2d(v, w, 10) | = | -
np.histogramdd(pairs, 10) | = | -
np.histogram_bin_edges(x) | = | -
"""

SHAPES = """
np.reshape(x, (-1, 32)) | = | =
np.ravel(x) | = | =
np.transpose(x) | = | x.T
np.matrix_transpose(x) | = | x.mT
np.swapaxes(x, 0, 1) | = | =
np.moveaxis(x, 0, 1) | = | =
np.rollaxis(x, 1) | = | x.movedim(1, 0)
np.expand_dims(x, 0) | = | x.unsqueeze(0)
np.squeeze(x) | = | =
np.atleast_1d(x) | = | =
np.atleast_2d(x) | = | =
np.atleast_3d(x) | = | =
np.broadcast_to(row, (n, n)) | = | =
np.broadcast_arrays(x, row) | = | torch.broadcast_tensors(x, row)
np.flip(x, 1) | = | x.flip(1)
np.flip(x) | = | x.flip(0, 1)
np.fliplr(x) | = | =
np.flipud(x) | = | =
np.rot90(x) | = | =
np.diagonal(x) | = | =
np.diag(x) | = | =
np.diag(row) | = | =
np.diagflat(row) | = | =
np.roll(x, 5) | = | =
np.roll(x, 5, axis=0) | = | torch.roll(x, 5, 0)
np.roll(x, (3, 5), axis=(0, 1)) | = | torch.roll(x, (3, 5), (0, 1))
np.repeat(x, 2, axis=1) | = | torch.repeat_interleave(x, 2, 1)
np.repeat(x, 2, axis=0) | = | torch.repeat_interleave(x, 2, 0)
np.tile(x, (2, 1)) | = | =
np.tile(row, n) | = | torch.tile(row, (n,))
np.pad(x, 8, 'empty') | = | -
np.pad(x, 8) | = | F.pad(x, (8, 8, 8, 8))
np.pad(x, 8, 'edge') | = | F.pad(x[None, None], (8, 8, 8, 8), 'replicate')
np.pad(x, 8, 'reflect') | = | F.pad(x[None, None], (8, 8, 8, 8), 'reflect')
np.pad(x, 8, 'symmetric') | = | -
np.pad(x, 8, 'wrap') | = | F.pad(x[None, None], (8, 8, 8, 8), 'circular')
np.insert(x, 5, row, axis=0) | = | torch.cat([x[:5], row[None], x[5:]])
np.insert(x, 5, row, axis=1) | = | torch.cat([x[:, :5], row[:, None], x[:, 5:]], 1)
np.insert(v, k, row) | = | -
np.delete(x, 5, axis=0) | = | torch.cat([x[:5], x[6:]])
np.delete(x, 5, axis=1) | = | torch.cat([x[:, :5], x[:, 6:]], 1)
np.delete(x, slice(3, 9), axis=0) | = | torch.cat([x[:3], x[9:]])
np.delete(v, k) | = | -
np.append(x, y, axis=0) | = | torch.cat([x, y])
np.append(v, w) | = | torch.cat([v, w])
np.resize(x, (n, n // 2)) | = | x.flatten()[: n * n // 2].reshape(n, n // 2)
np.resize(v, (n, 2 * n)) | = | -
np.trim_zeros(v) | = | -
np.concatenate([x, y], axis=1) | = | torch.cat([x, y], 1)
np.stack([x, y]) | = | =
np.stack([x, y], axis=-1) | = | torch.stack([x, y], -1)
np.hstack([x, y]) | = | =
np.vstack([x, y]) | = | =
np.dstack([x, y]) | = | =
np.column_stack([v, w]) | = | =
np.block([[x, y], [y, x]]) | = | torch.cat([torch.cat([x, y], 1), torch.cat([y, x], 1)])
np.split(x, 4) | = | torch.tensor_split(x, 4)
np.split(x, 4, axis=1) | = | torch.tensor_split(x, 4, 1)
np.array_split(x, 3) | = | torch.tensor_split(x, 3)
np.hsplit(x, 2) | = | =
np.vsplit(x, 2) | = | =
np.dsplit(images, 2) | = | torch.tensor_split(images, 2, 2)
np.unstack(x[:16]) | = | torch.unbind(x[:16])
np.tril(x) | = | =
np.triu(x) | = | =
np.meshgrid(row, row) | = | torch.meshgrid(row, row, indexing='xy')
np.ascontiguousarray(x.T) | = | x.T.contiguous()
np.astype(x, 'float64') | = | x.to(torch.float64)
np.astype(x, 'int32') | = | x.to(torch.int32)
list(row) | = | =
list(x) | = | =
"""

INDEXING = """
np.take(x, k, axis=0) | = | torch.index_select(x, 0, k)
np.take(x, k, axis=1) | = | torch.index_select(x, 1, k)
np.take(v, kk) | = | torch.take(v, kk)
np.take_along_axis(x, along, axis=1) | = | torch.take_along_dim(x, along, 1)
np.compress(rowb, x, axis=0) | = | x[rowb]
np.extract(b, x) | = | torch.masked_select(x, b)
np.choose(two, [x, y]) | = | torch.where(two == 0, x, y)
np.select([b, c], [x, y]) | = | torch.where(b, x, torch.where(c, y, 0.0))
np.where(b, x, y) | = | =
np.nonzero(b) | = | =
np.argwhere(b) | = | =
np.flatnonzero(b) | = | torch.nonzero(b.flatten())
np.put(o, k, row) | = | -
np.place(o, b, row) | = | -
np.putmask(o, b, y) | = | -
np.copyto(o, y, where=b) | = | -
np.copyto(o, y) | = | -
np.put_along_axis(o, along, 1.0, axis=1) | = | -
np.fill_diagonal(o, 1.0) | = | -
np.diag_indices(n) | = | -
np.diag_indices_from(x) | = | -
np.tril_indices(n) | = | torch.tril_indices(n, n)
np.tril_indices_from(x) | = | -
np.triu_indices(n) | = | torch.triu_indices(n, n)
np.triu_indices_from(x) | = | -
np.ix_(k, k) | = | -
np.indices((n, n)) | = | -
np.ravel_multi_index((k, k), (n, n)) | = | -
np.unravel_index(kk, (n, n)) | = | torch.unravel_index(kk, (n, n))
np.sort(x, axis=1) | = | =
np.sort(x, axis=0) | = | =
np.sort(v) | = | =
np.argsort(x, axis=1) | = | =
np.argsort(v) | = | =
np.msort(x) | np.sort(x, axis=0) | -
np.partition(v, n) | = | -
np.argpartition(v, n) | = | -
np.lexsort((v, w)) | = | -
np.searchsorted(edges, v) | = | =
np.digitize(v, edges) | = | torch.bucketize(v, edges)
np.unique(iv) | = | =
np.unique(v) | = | torch.unique(v.detach())
np.unique(v, return_inverse=True) | = | torch.unique(v.detach(), return_inverse=True)
np.unique(iv, return_counts=True) | = | =
np.unique_all(iv) | = | -
np.unique_counts(iv) | = | -
np.unique_inverse(iv) | = | -
np.unique_values(iv) | = | -
np.union1d(v, w) | = | -
np.intersect1d(v, w) | = | -
np.setdiff1d(v, w) | = | -
np.setxor1d(v, w) | = | -
np.isin(iv, jv) | = | =
np.isin(v, w) | = | =
np.in1d(v, w) | np.isin(v, w) | torch.isin(v, w)
np.packbits(b) | = | -
np.unpackbits(bytes) | = | -
x[:, 3:-3] | = | =
x[::2] | = | =
x[k] | = | =
x[k, k] | = | =
x[b] | = | =
"""

PRODUCTS = """
np.dot(m, m2) | = | torch.mm(m, m2)
np.dot(v, w) | = | =
np.matmul(m, m2) | = | =
np.matmul(ms, ms2) | = | =
np.matvec(x, row) | = | torch.mv(x, row)
np.vecmat(row, x) | = | row @ x
np.vecdot(x, y) | = | torch.linalg.vecdot(x, y)
np.vdot(v, w) | = | =
np.inner(m, m2) | = | =
np.outer(row, row2) | = | =
np.tensordot(m, m2, 1) | = | =
np.einsum('ij,jk', m, m2) | = | =
np.einsum('ij,ij->i', x, y) | = | =
np.kron(little, little2) | = | =
np.cross(triples, triples2) | = | torch.linalg.cross(triples, triples2)
np.convolve(v, short) | =
    | F.conv1d(v[None, None], short.flip(0)[None, None], padding=short.numel() - 1)
np.correlate(v, short, 'full') | =
    | F.conv1d(v[None, None], short[None, None], padding=short.numel() - 1)
np.convolve(long, long2) | = | -
np.correlate(long, long2, 'same') | = | -
np.corrcoef(m) | = | =
np.cov(m) | = | =
np.diff(x) | = | =
np.diff(x, axis=0) | = | torch.diff(x, dim=0)
np.ediff1d(v) | = | torch.diff(v)
np.gradient(x) | = | =
np.trapezoid(x) | = | =
np.interp(v, edges, edges2) | = | -
np.unwrap(x) | = | -
np.vander(row, 100) | = | torch.linalg.vander(row, N=100).flip(1)
np.polyval(few, v) | = | ((few[0] * v + few[1]) * v + few[2]) * v + few[3]
np.polyfit(v, w, 2) | = | -
np.polyadd(v, w) | = | -
np.polysub(v, w) | = | -
np.polymul(v, few) | = | -
np.polyder(v) | = | -
np.polyint(v) | = | -
np.clip(x, -0.5, 0.5) | = | =
np.clip(x, y, p) | = | =
np.round(x, 2) | = | torch.round(x, decimals=2)
np.linalg.norm(x) | = | =
np.linalg.norm(x, axis=1) | = | torch.linalg.norm(x, dim=1)
np.linalg.vector_norm(x, axis=1) | = | torch.linalg.vector_norm(x, dim=1)
np.linalg.matrix_norm(x) | = | =
np.linalg.matrix_power(m, 3) | = | =
np.linalg.multi_dot([m, m2, m]) | = | =
np.linalg.cholesky(spd) | = | =
np.linalg.cond(spd) | = | =
np.linalg.det(spd) | = | =
np.linalg.slogdet(spd) | = | =
np.linalg.inv(spd) | = | =
np.linalg.solve(spd, square) | = | =
np.linalg.tensorinv(spd, 1) | = | =
np.linalg.tensorsolve(spd, square[0]) | = | =
np.linalg.lstsq(tall, tallb) | = | torch.linalg.lstsq(tall, tallb[:, None]).solution
np.linalg.pinv(tall) | = | =
np.linalg.matrix_rank(tall) | = | =
np.linalg.qr(tall) | = | =
np.linalg.svd(tall, False) | = | =
np.linalg.svdvals(tall) | = | =
np.linalg.eigh(spd) | = | =
np.linalg.eigvalsh(spd) | = | =
np.linalg.eig(spd) | = | -
np.linalg.eigvals(spd) | = | -
np.linalg.trace(x) | = | torch.trace(x)
np.linalg.diagonal(x) | = | =
np.linalg.outer(row, row2) | = | torch.outer(row, row2)
np.linalg.cross(triples, triples2) | = | =
np.linalg.matmul(m, m2) | = | =
np.linalg.matrix_transpose(x) | = | x.mT
np.linalg.tensordot(m, m2, axes=1) | = | torch.tensordot(m, m2, 1)
np.linalg.vecdot(x, y) | = | =
"""

CREATION = """
np.array(x) | = | x.detach().clone()
np.asarray(x) | = | =
np.asarray_chkfinite(x) | = | -
np.arange(n * n) | = | =
np.linspace(0, 1, n * n) | = | =
np.linspace(x, y, 4) | = | -
np.logspace(0, 1, n * n) | = | =
np.geomspace(1, 10, n * n) | = | -
np.zeros((n, n)) | = | =
np.ones((n, n)) | = | =
np.empty((n, n)) | = | =
np.full((n, n), 3.0) | = | =
np.zeros_like(x) | = | =
np.ones_like(x) | = | =
np.empty_like(x) | = | =
np.full_like(x, 3.0) | = | =
np.eye(n) | = | =
np.identity(n) | = | torch.eye(n)
np.tri(n) | = | -
np.may_share_memory(x, y) | = | -
np.shares_memory(x, y) | = | -
"""

SAMPLERS = """
beta(2, 3, size=(n, n))
binomial(10, 0.3, size=(n, n))
chisquare(3, size=(n, n))
choice(100, size=(n, n))
dirichlet([1, 2, 3], size=n)
exponential(size=(n, n))
f(3, 4, size=(n, n))
gamma(2, size=(n, n))
geometric(0.3, size=(n, n))
gumbel(size=(n, n))
hypergeometric(10, 20, 5, size=(n, n))
laplace(size=(n, n))
logistic(size=(n, n))
lognormal(size=(n, n))
logseries(0.5, size=(n, n))
multinomial(10, [0.2, 0.3, 0.5], size=n)
multivariate_normal([0.0, 1.0], [[1.0, 0.5], [0.5, 1.0]], size=n)
negative_binomial(5, 0.4, size=(n, n))
noncentral_chisquare(3, 2, size=(n, n))
noncentral_f(3, 4, 2, size=(n, n))
normal(size=(n, n))
normal(x, p)
pareto(2, size=(n, n))
permutation(n * n)
poisson(3, size=(n, n))
power(2, size=(n, n))
rand(n, n)
randint(0, 100, size=(n, n))
randn(n, n)
random((n, n))
random_sample((n, n))
ranf((n, n))
sample((n, n))
rayleigh(size=(n, n))
shuffle(o)
standard_cauchy(size=(n, n))
standard_exponential(size=(n, n))
standard_gamma(2, size=(n, n))
standard_normal(size=(n, n))
standard_t(3, size=(n, n))
triangular(0, 1, 2, size=(n, n))
uniform(size=(n, n))
vonmises(0, 1, size=(n, n))
wald(1, 2, size=(n, n))
weibull(2, size=(n, n))
zipf(2.5, size=(n, n))
"""


def joined(text: str) -> list[str]:
    """Return the lines of a text; an indented line continues the line above."""
    return text.strip().replace("\n    ", " ").splitlines()


def alike(space: str, table: dict[str, str]) -> list[str]:
    """Return the lines of functions of a namespace that are called in the same way."""
    lines = []
    for arguments, names in table.items():
        for name, _, torch in (each.partition(":") for each in names.split()):
            theirs = {"": "=", "-": "-"}.get(torch, f"torch.{torch}({arguments})")
            lines.append(f"{space}.{name}({arguments}) | = | {theirs}")
    return lines


PARTS = (REDUCTIONS, SHAPES, INDEXING, PRODUCTS, CREATION)

LINES = [
    *alike("np", UNARY),
    *alike("np", BINARY),
    *(line for part in PARTS for line in joined(part)),
    *(f"np.random.{call} | = | -" for call in SAMPLERS.strip().splitlines()),
]
