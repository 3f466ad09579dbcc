"""Every public function of `gluon.nd` beside NumPy's and PyTorch's expression for the same.

A line is ``call | NumPy's | PyTorch's``: ``=`` stands for the same call of that library, ``-`` for
none. The names are those of `benchmarks.sweep.inputs`.
"""

from __future__ import annotations

from .sweep_np import alike, joined

#: Names without a call in the table, and the reasons.
WITHOUT = {
    "files, texts and memory": (
        "from_dlpack to_dlpack_for_read from_numpy imdecode load load_frombuffer save"
    ),
    "calls of the user's function": "Custom contrib.cond contrib.foreach contrib.while_loop",
    "nothing is computed": "cast_storage waitall",
    "few boxes or events": (
        "contrib.MultiBoxDetection contrib.MultiBoxPrior contrib.MultiBoxTarget"
        " contrib.MultiProposal contrib.Proposal contrib.bipartite_matching contrib.box_decode"
        " contrib.box_encode contrib.box_nms contrib.box_non_maximum_suppression contrib.hawkesll"
        " contrib.DeformablePSROIPooling contrib.PSROIPooling contrib.RROIAlign"
    ),
    "few numbers": "contrib.rand_zipfian contrib.count_sketch multi_lars",
}

#: Functions of one array, by the input they take, with PyTorch's name if it differs.
UNARY = {
    "x": (
        "abs arctan arcsinh cbrt:- ceil cos cosh degrees:rad2deg exp expm1 fix floor negative"
        " radians:deg2rad rint:round round sign sin sinh square tan tanh trunc"
        " logical_not ones_like zeros_like"
    ),
    "u": "arccos arcsin arctanh",
    "p": "log log10 log1p log2 sqrt reciprocal",
    "big": "arccosh",
}

#: The same for functions of two arrays.
BINARY = {
    "x, y": (
        "add subtract multiply divide true_divide maximum minimum hypot equal not_equal greater"
        " greater_equal logical_and logical_or logical_xor"
    ),
    "p, q": "power:pow",
}

ELEMENTWISE = """
nd.lesser(x, y) | np.less(x, y) | torch.less(x, y)
nd.lesser_equal(x, y) | np.less_equal(x, y) | torch.less_equal(x, y)
nd.modulo(x, y) | np.mod(x, y) | torch.remainder(x, y)
nd.pow(p, q) | np.power(p, q) | =
nd.broadcast_add(x, row) | x + row | x + row
nd.broadcast_plus(x, row) | x + row | x + row
nd.broadcast_sub(x, row) | x - row | x - row
nd.broadcast_minus(x, row) | x - row | x - row
nd.broadcast_mul(x, row) | x * row | x * row
nd.broadcast_div(x, row) | x / row | x / row
nd.broadcast_mod(x, row) | np.mod(x, row) | x % row
nd.broadcast_power(p, row) | p ** row | p ** row
nd.broadcast_hypot(x, row) | np.hypot(x, row) | -
nd.broadcast_maximum(x, row) | np.maximum(x, row) | torch.maximum(x, row)
nd.broadcast_minimum(x, row) | np.minimum(x, row) | torch.minimum(x, row)
nd.broadcast_equal(x, row) | x == row | x == row
nd.broadcast_not_equal(x, row) | x != row | x != row
nd.broadcast_greater(x, row) | x > row | x > row
nd.broadcast_greater_equal(x, row) | x >= row | x >= row
nd.broadcast_lesser(x, row) | x < row | x < row
nd.broadcast_lesser_equal(x, row) | x <= row | x <= row
nd.broadcast_logical_and(x, row) | np.logical_and(x, row) | torch.logical_and(x, row)
nd.broadcast_logical_or(x, row) | np.logical_or(x, row) | torch.logical_or(x, row)
nd.broadcast_logical_xor(x, row) | np.logical_xor(x, row) | torch.logical_xor(x, row)
nd.elemwise_add(x, y) | x + y | x + y
nd.elemwise_sub(x, y) | x - y | x - y
nd.elemwise_mul(x, y) | x * y | x * y
nd.elemwise_div(x, y) | x / y | x / y
nd.add_n(x, y, p) | x + y + p | x + y + p
nd.ElementWiseSum(x, y, p) | x + y + p | x + y + p
nd.rcbrt(p) | 1 / np.cbrt(p) | p ** (-1 / 3)
nd.rsqrt(p) | 1 / np.sqrt(p) | torch.rsqrt(p)
nd.relu(x) | np.maximum(x, 0) | torch.relu(x)
nd.sigmoid(x) | 1 / (1 + np.exp(-x)) | torch.sigmoid(x)
nd.hard_sigmoid(x) | np.clip(0.2 * x + 0.5, 0, 1) | torch.clamp(0.2 * x + 0.5, 0, 1)
nd.softsign(x) | x / (1 + np.abs(x)) | F.softsign(x)
nd.smooth_l1(x) | - | F.smooth_l1_loss(x, torch.zeros_like(x), reduction='none')
nd.erf(x) | - | torch.erf(x)
nd.erfinv(u) | - | torch.erfinv(u)
nd.gamma(p) | - | torch.exp(torch.lgamma(p))
nd.gammaln(p) | - | torch.lgamma(p)
nd.digamma(p) | - | torch.digamma(p)
nd.clip(x, -0.5, 0.5) | = | =
nd.cast(x, 'float64') | x.astype('float64') | x.to(torch.float64)
nd.Cast(x, 'int32') | x.astype('int32') | x.to(torch.int32)
nd.amp_cast(x, 'float64') | x.astype('float64') | x.to(torch.float64)
nd.amp_multicast(x, y, num_outputs=2) | - | -
nd.identity(x) | x.copy() | x.clone()
nd.BlockGrad(x) | x.copy() | x.detach().clone()
nd.stop_gradient(x) | x.copy() | x.detach().clone()
nd.make_loss(x) | x.copy() | -
nd.MakeLoss(x) | x.copy() | -
nd.all_finite(x) | np.isfinite(x).all() | torch.isfinite(x).all()
nd.multi_all_finite(x, y, num_arrays=2) | np.isfinite(x).all() and np.isfinite(y).all() | -
nd.multi_sum_sq(x, y, num_arrays=2) | [np.vdot(x, x), np.vdot(y, y)]
    | [(x * x).sum(), (y * y).sum()]
nd.where(b, x, y) | = | =
nd.contrib.isfinite(x) | np.isfinite(x) | torch.isfinite(x)
nd.contrib.isinf(x) | np.isinf(x) | torch.isinf(x)
nd.contrib.isnan(x) | np.isnan(x) | torch.isnan(x)
nd.contrib.allclose(x, y) | np.allclose(x, y) | torch.allclose(x, y)
nd.contrib.quadratic(x, 1.0, 2.0, 3.0) | (x + 2) * x + 3 | (x + 2) * x + 3
nd.contrib.round_ste(x) | np.rint(x) | -
nd.contrib.sign_ste(x) | np.sign(x) | -
nd.contrib.div_sqrt_dim(x) | x / 32 | x / 32
nd.contrib.gradientmultiplier(x, 2.0) | x.copy() | -
"""

REDUCTIONS = """
nd.sum(x) | = | =
nd.sum(x, axis=0) | = | =
nd.sum_axis(x, axis=1) | np.sum(x, axis=1) | torch.sum(x, 1)
nd.mean(x, axis=1) | = | =
nd.prod(p, axis=1) | = | =
nd.max(x, axis=1) | = | torch.amax(x, 1)
nd.max_axis(x, axis=1) | np.max(x, axis=1) | torch.amax(x, 1)
nd.min(x, axis=0) | = | torch.amin(x, 0)
nd.min_axis(x, axis=0) | np.min(x, axis=0) | torch.amin(x, 0)
nd.nansum(x, axis=1) | = | =
nd.nanprod(p, axis=1) | = | -
nd.norm(x) | np.linalg.norm(x) | torch.linalg.norm(x)
nd.norm(x, axis=1) | np.linalg.norm(x, axis=1) | torch.linalg.norm(x, dim=1)
nd.norm(x, ord=1, axis=1) | np.linalg.norm(x, 1, axis=1) | torch.linalg.norm(x, 1, dim=1)
nd.moments(x, axes=(1,)) | (np.mean(x, 1), np.var(x, 1)) | torch.var_mean(x, 1)
nd.argmax(x, axis=1) | = | =
nd.argmin(x, axis=1) | = | =
nd.argmax_channel(x) | np.argmax(x, axis=1) | torch.argmax(x, axis=1)
nd.cumsum(x, axis=1) | = | =
nd.cumsum(x, axis=0) | = | =
nd.histogram(x, 10, (-3, 3)) | = | torch.histogram(x.detach(), 10, range=(-3, 3))
nd.sort(x) | = | =
nd.sort(x, axis=0) | = | =
nd.argsort(x) | = | =
nd.topk(x, k=5) | np.argpartition(x, -5)[:, -5:] | torch.topk(x, 5).indices
nd.topk(x, k=5, ret_typ='value') | np.partition(x, -5)[:, -5:] | torch.topk(x, 5).values
nd.shape_array(x) | - | -
nd.size_array(x) | - | -
"""

SHAPES = """
nd.reshape(x, (-1, 32)) | = | =
nd.Reshape(x, (-1, 32)) | np.reshape(x, (-1, 32)) | torch.reshape(x, (-1, 32))
nd.reshape_like(x, y) | x.reshape(y.shape) | x.reshape(y.shape)
nd.flatten(pictures) | pictures.reshape(len(pictures), -1) | pictures.flatten(1)
nd.Flatten(pictures) | pictures.reshape(len(pictures), -1) | pictures.flatten(1)
nd.transpose(x) | np.ascontiguousarray(x.T) | x.T.contiguous()
nd.swapaxes(x, 0, 1) | np.ascontiguousarray(x.T) | x.T.contiguous()
nd.SwapAxis(x, 0, 1) | np.ascontiguousarray(x.T) | x.T.contiguous()
nd.moveaxis(x, 0, 1) | np.ascontiguousarray(x.T) | x.T.contiguous()
nd.expand_dims(x, 0) | = | x.unsqueeze(0)
nd.squeeze(x) | = | =
nd.broadcast_to(row, (n, n)) | np.broadcast_to(row, (n, n)).copy() | row.expand(n, n).contiguous()
nd.broadcast_like(row.reshape(1, -1), x) | np.broadcast_to(row, (n, n)).copy()
    | row.expand(n, n).contiguous()
nd.broadcast_axis(row.reshape(1, -1), 0, n) | np.broadcast_to(row, (n, n)).copy()
    | row.expand(n, n).contiguous()
nd.broadcast_axes(row.reshape(1, -1), 0, n) | np.broadcast_to(row, (n, n)).copy()
    | row.expand(n, n).contiguous()
nd.flip(x, 1) | np.flip(x, 1).copy() | x.flip(1)
nd.reverse(x, 0) | np.flip(x, 0).copy() | x.flip(0)
nd.diag(x) | = | =
nd.diag(row) | = | =
nd.repeat(x, 2, axis=1) | = | torch.repeat_interleave(x, 2, 1)
nd.tile(x, (2, 1)) | = | =
nd.pad(pictures, 'constant', (0, 0, 0, 0, 4, 4, 4, 4)) | np.pad(pictures, wide)
    | F.pad(pictures, (4, 4, 4, 4))
nd.pad(pictures, 'edge', (0, 0, 0, 0, 4, 4, 4, 4)) | np.pad(pictures, wide, 'edge')
    | F.pad(pictures, (4, 4, 4, 4), 'replicate')
nd.Pad(pictures, 'reflect', (0, 0, 0, 0, 4, 4, 4, 4)) | np.pad(pictures, wide, 'reflect')
    | F.pad(pictures, (4, 4, 4, 4), 'reflect')
nd.concat(x, y, dim=1) | np.concatenate([x, y], 1) | torch.cat([x, y], 1)
nd.Concat(x, y, dim=0) | np.concatenate([x, y], 0) | torch.cat([x, y], 0)
nd.concatenate([x, y]) | = | torch.cat([x, y])
nd.stack(x, y) | np.stack([x, y]) | torch.stack([x, y])
nd.split(x, 2) | [one.copy() for one in np.split(x, 2, 1)]
    | [one.contiguous() for one in x.chunk(2, 1)]
nd.SliceChannel(x, 2) | [one.copy() for one in np.split(x, 2, 1)]
    | [one.contiguous() for one in x.chunk(2, 1)]
nd.split_v2(x, 2) | np.split(x, 2) | x.chunk(2)
nd.slice(x, (3, 3), (-3, -3)) | x[3:-3, 3:-3].copy() | x[3:-3, 3:-3].contiguous()
nd.crop(x, (3, 3), (-3, -3)) | x[3:-3, 3:-3].copy() | x[3:-3, 3:-3].contiguous()
nd.slice_axis(x, 1, 3, -3) | x[:, 3:-3].copy() | x[:, 3:-3].contiguous()
nd.slice_like(x, m) | x[:n // 2, :n // 2].copy() | x[:n // 2, :n // 2].contiguous()
nd.Crop(pictures, h_w=(32, 32), center_crop=True) | pictures[..., 16:48, 16:48].copy()
    | pictures[..., 16:48, 16:48].contiguous()
nd.depth_to_space(pictures, 2) | - | F.pixel_shuffle(pictures, 2)
nd.space_to_depth(pictures, 2) | - | F.pixel_unshuffle(pictures, 2)
x[:, 3:-3] | = | =
x[::2] | = | =
x[k] | = | =
list(row) | = | =
list(x) | = | =
"""

INDEXING = """
nd.take(x, k) | np.take(x, k, axis=0) | torch.index_select(x, 0, k)
nd.take(x, k, axis=1) | = | torch.index_select(x, 1, k)
nd.batch_take(x, k) | x[np.arange(n), k] | x.gather(1, k[:, None])
nd.pick(x, k) | x[np.arange(n), k] | x.gather(1, k[:, None])
nd.choose_element_0index(x, k) | x[np.arange(n), k] | x.gather(1, k[:, None])
nd.fill_element_0index(x, row, k) | - | x.scatter(1, k[:, None], row[:, None])
nd.gather_nd(x, both) | x[both[0], both[1]] | x[both[0], both[1]]
nd.scatter_nd(flat, both, (n, n)) | - | torch.zeros(n, n).index_put((both[0], both[1]), flat)
nd.one_hot(k, n) | np.eye(n, dtype='float32')[k] | F.one_hot(k, n).float()
nd.onehot_encode(k, o) | - | -
nd.ravel_multi_index(both, (n, n)) | np.ravel_multi_index(tuple(both), (n, n))
    | both[0] * n + both[1]
nd.unravel_index(kk, (n, n)) | np.unravel_index(kk, (n, n)) | torch.unravel_index(kk, (n, n))
nd.contrib.boolean_mask(x, rowb) | x[rowb] | x[rowb]
nd.contrib.index_copy(x, order, y) | - | x.index_copy(0, order, y)
nd.contrib.index_array(x) | np.indices((n, n)).transpose(1, 2, 0).copy() | -
nd.contrib.arange_like(x) | np.arange(x.size, dtype='float32').reshape(x.shape) | -
nd.SequenceMask(sequence, lengths, True) | - | sequence * (steps[:, None] < lengths)[..., None]
nd.SequenceLast(sequence, lengths, True) | - | sequence[(lengths - 1).long(), cases]
nd.SequenceReverse(sequence, lengths, True) | - | -
nd.Embedding(k, x, n, n) | x[k] | F.embedding(k, x)
nd.contrib.SparseEmbedding(k, x, n, n) | x[k] | F.embedding(k, x)
nd.shuffle(x) | - | -
"""

PRODUCTS = """
nd.dot(m, m2) | = | torch.mm(m, m2)
nd.batch_dot(ms, ms2) | ms @ ms2 | ms @ ms2
nd.khatri_rao(little, little2) | - | (little[:, None] * little2).reshape(-1, 4)
nd.linalg.gemm(m, m2, m) | m @ m2 + m | m @ m2 + m
nd.linalg.gemm2(m, m2) | m @ m2 | m @ m2
nd.linalg.syrk(m) | m @ m.T | m @ m.T
nd.linalg.trmm(spd, square) | np.tril(spd) @ square | torch.tril(spd) @ square
nd.linalg.trsm(spd, square) | np.linalg.solve(np.tril(spd), square)
    | torch.linalg.solve_triangular(spd, square, upper=False)
nd.linalg.potrf(spd) | np.linalg.cholesky(spd) | torch.linalg.cholesky(spd)
nd.linalg.potri(spd) | np.linalg.inv(spd @ spd.T) | torch.cholesky_inverse(spd)
nd.linalg.det(spd) | np.linalg.det(spd) | torch.linalg.det(spd)
nd.linalg.slogdet(spd) | np.linalg.slogdet(spd) | torch.linalg.slogdet(spd)
nd.linalg.inverse(spd) | np.linalg.inv(spd) | torch.linalg.inv(spd)
nd.linalg.syevd(spd) | np.linalg.eigh(spd) | torch.linalg.eigh(spd)
nd.linalg.gelqf(square) | np.linalg.qr(square.T) | torch.linalg.qr(square.T)
nd.linalg.extractdiag(x) | np.diagonal(x).copy() | torch.diagonal(x)
nd.linalg.extracttrian(x) | x[np.tril_indices(n)] | x[tuple(torch.tril_indices(n, n))]
nd.linalg.makediag(row) | np.diag(row) | torch.diag(row)
nd.linalg.maketrian(triangle) | - | -
nd.linalg.sumlogdiag(spd) | np.log(np.diagonal(spd)).sum() | torch.log(torch.diagonal(spd)).sum()
nd.contrib.interleaved_matmul_selfatt_qk(heads, 4) | - | -
nd.contrib.interleaved_matmul_selfatt_valatt(heads, attention, 4) | - | -
nd.contrib.interleaved_matmul_encdec_qk(heads[:, :, :256], heads[:, :, :512], 4) | - | -
nd.contrib.interleaved_matmul_encdec_valatt(heads[:, :, :512], attention, 4) | - | -
nd.contrib.fft(x) | np.fft.fft(x) | torch.view_as_real(torch.fft.fft(x))
nd.contrib.ifft(x) | np.fft.ifft(x) | -
"""

LAYERS = """
nd.Activation(x, 'relu') | np.maximum(x, 0) | torch.relu(x)
nd.Activation(x, 'sigmoid') | 1 / (1 + np.exp(-x)) | torch.sigmoid(x)
nd.Activation(x, 'softrelu') | np.logaddexp(x, 0) | F.softplus(x)
nd.Activation(x, 'softsign') | x / (1 + np.abs(x)) | F.softsign(x)
nd.Activation(x, 'tanh') | np.tanh(x) | torch.tanh(x)
nd.LeakyReLU(x) | np.where(x > 0, x, 0.25 * x) | F.leaky_relu(x, 0.25)
nd.LeakyReLU(x, act_type='elu') | np.where(x > 0, x, 0.25 * np.expm1(x)) | F.elu(x, 0.25)
nd.LeakyReLU(x, act_type='selu') | - | F.selu(x)
nd.LeakyReLU(x, act_type='gelu') | - | F.gelu(x)
nd.LeakyReLU(pictures, channel, 'prelu') | - | F.prelu(pictures, channel)
nd.softmax(x) | np.exp(x - x.max(1)[:, None]) / np.exp(x).sum(1)[:, None] | torch.softmax(x, 1)
nd.softmax(x, axis=0) | - | torch.softmax(x, 0)
nd.softmin(x) | - | F.softmin(x, 1)
nd.log_softmax(x) | x - np.log(np.exp(x - x.max(1)[:, None]).sum(1))[:, None]
    | torch.log_softmax(x, 1)
nd.SoftmaxActivation(x) | - | torch.softmax(x, 1)
nd.SoftmaxOutput(x, k) | - | torch.softmax(x, 1)
nd.Softmax(x, k) | - | torch.softmax(x, 1)
nd.softmax_cross_entropy(x, k) | - | F.cross_entropy(x, k, reduction='sum')
nd.LinearRegressionOutput(x, y) | x.copy() | -
nd.MAERegressionOutput(x, y) | x.copy() | -
nd.LogisticRegressionOutput(x, y) | 1 / (1 + np.exp(-x)) | -
nd.SVMOutput(x, k) | x.copy() | -
nd.IdentityAttachKLSparseReg(u, moving_avg=row) | - | -
nd.CTCLoss(scores, words) | - | F.ctc_loss(scores.log_softmax(2), words.long(), *spans)
nd.ctc_loss(scores, words) | - | F.ctc_loss(scores.log_softmax(2), words.long(), *spans)
nd.contrib.CTCLoss(scores, words) | - | F.ctc_loss(scores.log_softmax(2), words.long(), *spans)
nd.contrib.ctc_loss(scores, words) | - | F.ctc_loss(scores.log_softmax(2), words.long(), *spans)
nd.FullyConnected(m, m2, m2[0], n // 2) | m @ m2.T + m2[0] | F.linear(m, m2, m2[0])
nd.Convolution(pictures, filters, channel, **three) | -
    | F.conv2d(pictures, filters, channel, padding=1)
nd.Convolution_v1(pictures, filters, channel, **three) | -
    | F.conv2d(pictures, filters, channel, padding=1)
nd.Convolution(pictures, depthwise, channel, num_group=16, **three) | -
    | F.conv2d(pictures, depthwise, channel, padding=1, groups=16)
nd.Deconvolution(pictures, filters, channel, no_bias=False, **three) | -
    | F.conv_transpose2d(pictures, filters, channel, padding=1)
nd.contrib.DeformableConvolution(pictures, offsets, filters, None, no_bias=True, **three) | - | -
nd.contrib.ModulatedDeformableConvolution(
    pictures, offsets, offsets[:, :9], filters, None, no_bias=True, **three) | - | -
nd.im2col(pictures, (3, 3)) | - | F.unfold(pictures, 3)
nd.col2im(columns, (64, 64), (2, 2), (2, 2)) | - | F.fold(columns, 64, 2, stride=2)
nd.Pooling(pictures, (2, 2), stride=(2, 2)) | - | F.max_pool2d(pictures, 2)
nd.Pooling(pictures, (3, 3), stride=(1, 1)) | - | F.max_pool2d(pictures, 3, 1)
nd.Pooling(pictures, (9, 9), stride=(1, 1)) | - | F.max_pool2d(pictures, 9, 1)
nd.Pooling(pictures, (2, 2), 'avg', stride=(2, 2)) | - | F.avg_pool2d(pictures, 2)
nd.Pooling(pictures, (2, 2), 'lp', stride=(2, 2), p_value=2) | - | F.lp_pool2d(pictures, 2, 2)
nd.Pooling(pictures, global_pool=True) | pictures.max((2, 3), keepdims=True)
    | F.adaptive_max_pool2d(pictures, 1)
nd.Pooling_v1(pictures, (2, 2), stride=(2, 2)) | - | F.max_pool2d(pictures, 2)
nd.contrib.AdaptiveAvgPooling2D(pictures, 8) | - | F.adaptive_avg_pool2d(pictures, 8)
nd.contrib.BilinearResize2D(pictures, height=96, width=96) | -
    | F.interpolate(pictures, (96, 96), mode='bilinear', align_corners=True)
nd.UpSampling(pictures, scale=2, sample_type='nearest') | pictures.repeat(2, 2).repeat(2, 3)
    | F.interpolate(pictures, scale_factor=2)
nd.UpSampling(pictures, kernels, scale=2, sample_type='bilinear', num_filter=16) | -
    | F.conv_transpose2d(pictures, kernels, stride=2, padding=1, groups=16)
nd.ROIPooling(pictures, regions, (7, 7), 1.0) | - | -
nd.contrib.ROIAlign(pictures, regions, (7, 7), 1.0, 2) | - | -
nd.contrib.box_iou(boxes, boxes) | - | -
nd.BatchNorm(pictures, channel, channel, channel0, channel1, fix_gamma=False) | -
    | F.batch_norm(pictures, None, None, channel, channel, True)
nd.BatchNorm_v1(pictures, channel, channel, channel0, channel1, fix_gamma=False) | -
    | F.batch_norm(pictures, None, None, channel, channel, True)
nd.BatchNormWithReLU(pictures, channel, channel, channel0, channel1, fix_gamma=False) | -
    | torch.relu(F.batch_norm(pictures, None, None, channel, channel, True))
nd.contrib.BatchNormWithReLU(pictures, channel, channel, channel0, channel1, fix_gamma=False) | -
    | torch.relu(F.batch_norm(pictures, None, None, channel, channel, True))
nd.contrib.SyncBatchNorm(pictures, channel, channel, channel0, channel1, fix_gamma=False, key='a')
    | - | F.batch_norm(pictures, None, None, channel, channel, True)
nd.LayerNorm(x, row, row2) | - | F.layer_norm(x, (n,), row, row2)
nd.GroupNorm(pictures, few, few, 4) | - | F.group_norm(pictures, 4)
nd.InstanceNorm(pictures, channel, channel) | -
    | F.instance_norm(pictures, weight=channel, bias=channel)
nd.L2Normalization(x) | x / np.sqrt((x * x).sum(1, keepdims=True)) | F.normalize(x)
nd.LRN(pictures, nsize=5) | - | F.local_response_norm(pictures, 5)
nd.Dropout(x, mode='always') | - | F.dropout(x)
nd.RNN(sequence[:, :, :128], rnn, state, state_size=128, num_layers=1, mode='rnn_tanh') | - | -
nd.BilinearSampler(pictures, grid) | -
    | F.grid_sample(pictures, grid.permute(0, 2, 3, 1), align_corners=True)
nd.GridGenerator(affine, 'affine', (64, 64)) | -
    | F.affine_grid(affine.reshape(-1, 2, 3), pictures.shape, True)
nd.SpatialTransformer(pictures, affine, (64, 64), 'affine', 'bilinear') | -
    | F.grid_sample(pictures, F.affine_grid(affine.reshape(-1, 2, 3), pictures.shape))
nd.Correlation(pictures, pictures, 1, 2, pad_size=2) | - | -
nd.image.to_tensor(photo) | (photo.transpose(2, 0, 1) / np.float32(255)).copy()
    | (photo.permute(2, 0, 1) / 255).contiguous()
nd.image.normalize(planes, (1.0, 2.0, 3.0), (2.0, 3.0, 4.0))
    | (planes - few[:3, None, None]) / few[:3, None, None]
    | (planes - few[:3, None, None]) / few[:3, None, None]
nd.image.crop(photo, 1, 1, n // 4, n // 4) | photo[1:n // 4, 1:n // 4].copy()
    | photo[1:n // 4, 1:n // 4].contiguous()
nd.image.resize(photo, 256) | -
    | F.interpolate(photo.permute(2, 0, 1)[None].float(), (256, 256), mode='bilinear')
nd.image.flip_left_right(photo) | photo[:, ::-1].copy() | photo.flip(1)
nd.image.flip_top_bottom(photo) | photo[::-1].copy() | photo.flip(0)
nd.image.random_flip_left_right(photo) | photo[:, ::-1].copy() | photo.flip(1)
nd.image.random_flip_top_bottom(photo) | photo[::-1].copy() | photo.flip(0)
nd.image.random_brightness(photo, 0.5, 1.5)
    | np.clip(photo * np.float32(0.7), 0, 255).astype('uint8')
    | (photo * 0.7).clamp(0, 255).to(torch.uint8)
nd.image.random_contrast(photo, 0.5, 1.5)
    | np.clip(photo * np.float32(0.7) + 3, 0, 255).astype('uint8')
    | (photo * 0.7 + 3).clamp(0, 255).to(torch.uint8)
nd.image.random_saturation(photo, 0.5, 1.5)
    | np.clip(photo * np.float32(0.7) + photo.mean(2, keepdims=True), 0, 255).astype('uint8') | -
nd.image.random_hue(photo, 0.5, 1.5) | - | -
nd.image.random_color_jitter(photo, 0.1, 0.1, 0.1, 0.1) | - | -
nd.image.random_lighting(photo) | np.clip(photo + few[:3], 0, 255).astype('uint8') | -
nd.image.adjust_lighting(photo, (0.1, 0.1, 0.1))
    | np.clip(photo + few[:3], 0, 255).astype('uint8') | -
"""

UPDATES = """
nd.sgd_update(o, y, lr=0.1) | o - np.float32(0.1) * y | -
nd.sgd_mom_update(o, y, s1, lr=0.1, momentum=0.9) | o + np.float32(0.9) * s1 - np.float32(0.1) * y
    | -
nd.nag_mom_update(o, y, s1, lr=0.1, momentum=0.9) | o + np.float32(0.9) * s1 - np.float32(0.1) * y
    | -
nd.signsgd_update(o, y, lr=0.1) | o - np.float32(0.1) * np.sign(y) | -
nd.signum_update(o, y, s1, lr=0.1, momentum=0.9)
    | o + np.float32(0.1) * np.sign(np.float32(0.9) * s1 - y) | -
nd.adam_update(o, y, s1, s2, lr=0.1)
    | [np.float32(0.9) * s1 + y, np.float32(0.9) * s2 + y * y, o - s1 / (np.sqrt(s2) + 1)] | -
nd.contrib.adamw_update(o, y, s1, s2, one, lr=0.1, eta=1.0, wd=0.1)
    | [np.float32(0.9) * s1 + y, np.float32(0.9) * s2 + y * y, o - s1 / (np.sqrt(s2) + 1)] | -
nd.rmsprop_update(o, y, s2, lr=0.1) | [np.float32(0.9) * s2 + y * y, o - y / np.sqrt(s2 + 1)] | -
nd.rmspropalex_update(o, y, s2, s1, s3, lr=0.1)
    | [s2 + y * y, s1 + y, s3 + y / np.sqrt(s2 - s1 * s1 + 9), o + s3] | -
nd.ftrl_update(o, y, s1, s2, lr=0.1) | - | -
nd.ftml_update(o, y, s1, s2, s3, lr=0.1, t=1) | - | -
nd.lamb_update_phase1(o, y, s1, s2, t=1, wd=0.1)
    | [np.float32(0.9) * s1 + y, np.float32(0.9) * s2 + y * y, o + s1 / (np.sqrt(s2) + 1)] | -
nd.lamb_update_phase2(o, y, one, one, lr=0.1) | o - np.float32(0.1) * y | -
nd.mp_sgd_update(half, half2, o, lr=0.1) | (o - np.float32(0.1) * half2).astype('float16') | -
nd.mp_sgd_mom_update(half, half2, s1, o, lr=0.1, momentum=0.9)
    | (o + np.float32(0.9) * s1 - np.float32(0.1) * half2).astype('float16') | -
nd.mp_nag_mom_update(half, half2, s1, o, lr=0.1, momentum=0.9)
    | (o + np.float32(0.9) * s1 - np.float32(0.1) * half2).astype('float16') | -
nd.mp_lamb_update_phase1(half, half2, s1, s2, o, t=1, wd=0.1) | - | -
nd.mp_lamb_update_phase2(half, y, one, one, o, lr=0.1) | - | -
nd.contrib.mp_adamw_update(half, half2, s1, s2, o, one, lr=0.1, eta=1.0) | - | -
nd.multi_sgd_update(o, y, lrs=(0.1,), wds=(0.0,), num_weights=1) | o - np.float32(0.1) * y | -
nd.multi_sgd_mom_update(o, y, s1, lrs=(0.1,), wds=(0.0,), momentum=0.9, num_weights=1)
    | o + np.float32(0.9) * s1 - np.float32(0.1) * y | -
nd.multi_mp_sgd_update(half, half2, o, lrs=(0.1,), wds=(0.0,), num_weights=1) | - | -
nd.multi_mp_sgd_mom_update(half, half2, s1, o, lrs=(0.1,), wds=(0.0,), momentum=0.9, num_weights=1)
    | - | -
nd.preloaded_multi_sgd_update(o, y, one, one, num_weights=1) | o - np.float32(0.1) * y | -
nd.preloaded_multi_sgd_mom_update(o, y, s1, one, one, num_weights=1)
    | o + np.float32(0.9) * s1 - np.float32(0.1) * y | -
nd.preloaded_multi_mp_sgd_update(half, half2, o, one, one, num_weights=1) | - | -
nd.preloaded_multi_mp_sgd_mom_update(half, half2, s1, o, one, one, num_weights=1) | - | -
nd.contrib.multi_adamw_update([o], [y], [s1], [s2], one, lrs=(0.1,), wds=(0.0,), etas=(1.0,)) | -
    | -
nd.contrib.multi_mp_adamw_update(
    [half], [half2], [s1], [s2], [o], one, lrs=(0.1,), wds=(0.0,), etas=(1.0,))
    | - | -
nd.contrib.multi_lamb_update([o], [y], [s1], [s2], step_count=(1,), lrs=(0.1,), wds=(0.0,)) | - | -
nd.contrib.multi_mp_lamb_update(
    [half], [half2], [s1], [s2], [o], step_count=(1,), lrs=(0.1,), wds=(0.0,))
    | - | -
nd.contrib.group_adagrad_update(o, y, one_each, lr=0.1)
    | o - y / np.sqrt((y * y).mean(1, keepdims=True) + 1) | -
nd.reset_arrays(o, num_arrays=1) | np.copyto(o, 0) | -
"""

CREATION = """
nd.array(x) | = | x.detach().clone()
nd.arange(n * n) | = | =
nd.linspace(0, 1, n * n) | = | =
nd.zeros((n, n)) | = | =
nd.ones((n, n)) | = | =
nd.empty((n, n)) | = | =
nd.full((n, n), 3.0) | = | =
nd.full_like(x, 3.0) | = | =
nd.eye(n) | = | =
"""

#: Maps gluon's sampler to NumPy's, with the same arguments except the size.
SAMPLERS = """
nd.random.uniform(0, 1, (n, n)) | np.random.uniform(0, 1, (n, n))
nd.random.normal(0, 1, (n, n)) | np.random.normal(0, 1, (n, n))
nd.random.randn(n, n) | np.random.normal(0, 1, (n, n))
nd.random.exponential(1, (n, n)) | np.random.exponential(1, (n, n))
nd.random.gamma(2, 1, (n, n)) | np.random.gamma(2, 1, (n, n))
nd.random.poisson(3, (n, n)) | np.random.poisson(3, (n, n))
nd.random.negative_binomial(5, 0.4, (n, n)) | np.random.negative_binomial(5, 0.4, (n, n))
nd.random.generalized_negative_binomial(2, 0.5, (n, n))
    | np.random.poisson(np.random.gamma(2, 1, (n, n)))
nd.random.randint(0, 100, (n, n)) | np.random.randint(0, 100, (n, n))
nd.random.multinomial(simplex[0], shape=n * n) | -
nd.random.shuffle(x) | np.random.permutation(x)
nd.random.uniform_like(x) | np.random.uniform(0, 1, (n, n))
nd.random.normal_like(x) | np.random.normal(0, 1, (n, n))
nd.random.exponential_like(x) | np.random.exponential(1, (n, n))
nd.random.gamma_like(x, 2) | np.random.gamma(2, 1, (n, n))
nd.random.poisson_like(x, 3) | np.random.poisson(3, (n, n))
nd.random.negative_binomial_like(x, 5, 0.4) | np.random.negative_binomial(5, 0.4, (n, n))
nd.random.generalized_negative_binomial_like(x, 2, 0.5)
    | np.random.poisson(np.random.gamma(2, 1, (n, n)))
nd.random_uniform(0, 1, (n, n)) | np.random.uniform(0, 1, (n, n))
nd.random_normal(0, 1, (n, n)) | np.random.normal(0, 1, (n, n))
nd.random_exponential(1, (n, n)) | np.random.exponential(1, (n, n))
nd.random_gamma(2, 1, (n, n)) | np.random.gamma(2, 1, (n, n))
nd.random_poisson(3, (n, n)) | np.random.poisson(3, (n, n))
nd.random_negative_binomial(5, 0.4, (n, n)) | np.random.negative_binomial(5, 0.4, (n, n))
nd.random_generalized_negative_binomial(2, 0.5, (n, n))
    | np.random.poisson(np.random.gamma(2, 1, (n, n)))
nd.random_randint(0, 100, (n, n)) | np.random.randint(0, 100, (n, n))
nd.contrib.uniform(0, 1, (n, n)) | np.random.uniform(0, 1, (n, n))
nd.sample_uniform(flat0, flat1, n) | np.random.uniform(flat0[:, None], flat1[:, None], (n, n))
nd.sample_normal(row, flat1, n) | np.random.normal(row[:, None], flat1[:, None], (n, n))
nd.sample_exponential(flat1, n) | np.random.exponential(flat1[:, None], (n, n))
nd.sample_gamma(flat1, flat1, n) | np.random.gamma(flat1[:, None], flat1[:, None], (n, n))
nd.sample_poisson(flat1, n) | np.random.poisson(flat1[:, None], (n, n))
nd.sample_negative_binomial(whole, flat0, n)
    | np.random.negative_binomial(whole[:, None], flat0[:, None], (n, n))
nd.sample_generalized_negative_binomial(flat1, flat1, n)
    | np.random.poisson(np.random.gamma(flat1[:, None], flat1[:, None], (n, n)))
nd.sample_multinomial(simplex, n) | -
"""

DENSITIES = """
nd.random_pdf_uniform(x, flat0, flat1) | - | -
nd.random_pdf_normal(x, row, flat1) | -
    | torch.exp(torch.distributions.Normal(row[:, None], flat1[:, None]).log_prob(x))
nd.random_pdf_gamma(p, flat1, flat1) | -
    | torch.exp(torch.distributions.Gamma(flat1[:, None], flat1[:, None]).log_prob(p))
nd.random_pdf_exponential(p, flat1) | -
    | torch.exp(torch.distributions.Exponential(flat1[:, None]).log_prob(p))
nd.random_pdf_poisson(counts, flat1) | -
    | torch.exp(torch.distributions.Poisson(flat1[:, None]).log_prob(counts))
nd.random_pdf_negative_binomial(counts, flat1, flat0) | - | -
nd.random_pdf_generalized_negative_binomial(counts, flat1, flat1) | - | -
nd.random_pdf_dirichlet(simplex, flat1[:4]) | - | -
"""

PARTS = (ELEMENTWISE, REDUCTIONS, SHAPES, INDEXING, PRODUCTS, LAYERS, UPDATES, CREATION, DENSITIES)

LINES = [
    *alike("nd", UNARY),
    *alike("nd", BINARY),
    *(line for part in PARTS for line in joined(part)),
    *(f"{line} | -" for line in joined(SAMPLERS)),
]
