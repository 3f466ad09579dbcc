"""Calls whose time depends on the shape: other axes, stacks, large windows, short rows.

A case is ``inputs | gluon's call | PyTorch's``; a line that is indented goes on with the last one.
An input is ``name: shape kind dtype``; the kinds are those of `benchmarks.shapes.KINDS`.
"""

from __future__ import annotations

CASES = """
x: 16x16x64x64, a: 16 positive | nd.LeakyReLU(x, a, act_type='prelu') | F.prelu(x, a)
x: 1024x1024 | nd.softmax(x, axis=0) | torch.softmax(x, 0)
x: 8x128x32x32 | nd.softmax(x, axis=1) | torch.softmax(x, 1)
x: 65536x16 | nd.softmax(x) | torch.softmax(x, -1)
x: 1024x1024 | nd.log_softmax(x) | torch.log_softmax(x, -1)
x: 65536x16 | nd.log_softmax(x) | torch.log_softmax(x, -1)
x: 1024x1024 | nd.smooth_l1(x) | F.smooth_l1_loss(x, torch.zeros_like(x), reduction='none')
x: 128x784, w: 512x784, b: 512 | nd.FullyConnected(x, w, b, num_hidden=512) | F.linear(x, w, b)
x: 32x64x256, w: 512x256, b: 512 | nd.FullyConnected(x, w, b, num_hidden=512, flatten=False)
    | F.linear(x, w, b)
x: 512x512, y: 512x512 | nd.dot(x, y) | x @ y
x: 512x512, y: 512x512 | nd.dot(x, y, transpose_a=True, transpose_b=True) | x.T @ y.T
x: 64x64x256, y: 256x64 | nd.dot(x, y) | torch.tensordot(x, y, 1)
x: 1048576, y: 1048576 | nd.dot(x, y) | x.dot(y)
x: 1024x1024, y: 1024 | nd.dot(x, y) | x @ y
x: 64x128x128, y: 64x128x128 | nd.batch_dot(x, y) | torch.bmm(x, y)
x: 64x128x128, y: 64x128x128 | nd.batch_dot(x, y, transpose_a=True, transpose_b=True)
    | torch.bmm(x.mT, y.mT)
x: 16384x8x8, y: 16384x8x8 | nd.batch_dot(x, y) | torch.bmm(x, y)
x: 64x64x256, y: 64x256x64 | np.tensordot(x, y, ((1, 2), (0, 1)))
    | torch.tensordot(x, y, ((1, 2), (0, 1)))
x: 64x128x128, y: 64x128x128 | np.matmul(x, y) | x @ y
x: 512x16x128, y: 128x128 | np.matmul(x, y) | x @ y
x: 64x128x128, y: 128 | np.matmul(x, y) | x @ y
x: 64x64x256, y: 4x256x64 | np.dot(x, y) | torch.tensordot(x, y, ((2,), (1,)))
x: 512x512, y: 512x512 | np.inner(x, y) | torch.inner(x, y)
a: 512x512 spd, b: 512x512 | nd.linalg_trsm(a, b)
    | torch.linalg.solve_triangular(torch.tril(a), b, upper=False)
a: 512x512 spd, b: 512x512 | nd.linalg_trsm(a, b, rightside=True, transpose=True)
    | torch.linalg.solve_triangular(torch.tril(a).T, b, upper=True, left=False)
a: 512x512 spd, b: 512x1 | nd.linalg_trsm(a, b)
    | torch.linalg.solve_triangular(torch.tril(a), b, upper=False)
a: 256x64x64 spd, b: 256x64x64 | nd.linalg_trsm(a, b)
    | torch.linalg.solve_triangular(torch.tril(a), b, upper=False)
a: 16384x8x8 spd, b: 16384x8x8 | nd.linalg_trsm(a, b)
    | torch.linalg.solve_triangular(torch.tril(a), b, upper=False)
a: 512x512 spd | nd.linalg_potrf(a) | torch.linalg.cholesky(a)
a: 256x64x64 spd | nd.linalg_potrf(a) | torch.linalg.cholesky(a)
a: 512x512 spd | nd.linalg_potri(a) | torch.cholesky_inverse(torch.tril(a))
a: 512x512 spd | nd.linalg_inverse(a) | torch.linalg.inv(a)
a: 256x64x64 spd | nd.linalg_inverse(a) | torch.linalg.inv(a)
a: 512x512 | nd.linalg_det(a * 0.1) | torch.linalg.det(a * 0.1)
a: 16384x8x8 | nd.linalg_det(a) | torch.linalg.det(a)
a: 256x512 | nd.linalg_gelqf(a)[0] | torch.linalg.qr(a.T)[0].T
a: 512x512 spd | np.linalg.cholesky(a) | torch.linalg.cholesky(a)
a: 512x512 spd, b: 512x512 | np.linalg.solve(a, b) | torch.linalg.solve(a, b)
a: 512x512 spd | np.linalg.inv(a) | torch.linalg.inv(a)
a: 512x256 | np.linalg.qr(a)[0] | torch.linalg.qr(a)[0]
a: 256x256 | np.linalg.svdvals(a) | torch.linalg.svdvals(a)
a: 256x256 spd | np.linalg.eigvalsh(a) | torch.linalg.eigvalsh(a)
a: 512x256, b: 512x16 | np.linalg.lstsq(a, b)[0] | torch.linalg.lstsq(a, b)[0]
x: 16x16x64x64, w: 16x16x3x3, b: 16
    | nd.Convolution(x, w, b, kernel=(3, 3), pad=(1, 1), num_filter=16)
    | torch.conv2d(x, w, b, padding=1)
x: 16x16x64x64, w: 32x16x3x3, b: 32
    | nd.Convolution(x, w, b, kernel=(3, 3), pad=(1, 1), stride=(2, 2), num_filter=32)
    | torch.conv2d(x, w, b, padding=1, stride=2)
x: 16x16x64x64, w: 64x16x1x1, b: 64 | nd.Convolution(x, w, b, kernel=(1, 1), num_filter=64)
    | torch.conv2d(x, w, b)
x: 16x64x1024, w: 64x64x3, b: 64 | nd.Convolution(x, w, b, kernel=(3,), pad=(1,), num_filter=64)
    | torch.conv1d(x, w, b, padding=1)
x: 4x8x32x32x32, w: 8x8x3x3x3, b: 8
    | nd.Convolution(x, w, b, kernel=(3, 3, 3), pad=(1, 1, 1), num_filter=8)
    | torch.conv3d(x, w, b, padding=1)
x: 16x16x64x64, w: 16x4x3x3, b: 16
    | nd.Convolution(x, w, b, kernel=(3, 3), pad=(1, 1), num_filter=16, num_group=4)
    | torch.conv2d(x, w, b, padding=1, groups=4)
x: 16x16x64x64, w: 16x1x3x3, b: 16
    | nd.Convolution(x, w, b, kernel=(3, 3), pad=(1, 1), num_filter=16, num_group=16)
    | torch.conv2d(x, w, b, padding=1, groups=16)
x: 16x16x64x64, w: 16x16x3x3, b: 16
    | nd.Convolution(x, w, b, kernel=(3, 3), pad=(2, 2), dilate=(2, 2), num_filter=16)
    | torch.conv2d(x, w, b, padding=2, dilation=2)
x: 16x16x64x64, w: 16x16x4x4
    | nd.Deconvolution(x, w, kernel=(4, 4), pad=(1, 1), stride=(2, 2), num_filter=16)
    | torch.conv_transpose2d(x, w, padding=1, stride=2)
x: 16x16x64x64, w: 16x16x3x3 | nd.Deconvolution(x, w, kernel=(3, 3), pad=(1, 1), num_filter=16)
    | torch.conv_transpose2d(x, w, padding=1)
x: 16x16x64x64 | nd.Pooling(x, kernel=(2, 2), stride=(2, 2)) | F.max_pool2d(x, 2, 2)
x: 16x16x64x64 | nd.Pooling(x, kernel=(3, 3), stride=(2, 2), pad=(1, 1)) | F.max_pool2d(x, 3, 2, 1)
x: 16x16x64x64 | nd.Pooling(x, kernel=(3, 3), pad=(1, 1)) | F.max_pool2d(x, 3, 1, 1)
x: 16x16x64x64 | nd.Pooling(x, kernel=(16, 16), stride=(16, 16)) | F.max_pool2d(x, 16, 16)
x: 16x16x64x64 | nd.Pooling(x, kernel=(32, 32), stride=(4, 4)) | F.max_pool2d(x, 32, 4)
x: 16x16x64x64 | nd.Pooling(x, kernel=(13, 13), pad=(6, 6)) | F.max_pool2d(x, 13, 1, 6)
x: 16x16x64x64 | nd.Pooling(x, global_pool=True) | F.adaptive_max_pool2d(x, 1)
x: 16x64x1024 | nd.Pooling(x, kernel=(8,), stride=(8,)) | F.max_pool1d(x, 8, 8)
x: 4x8x32x32x32 | nd.Pooling(x, kernel=(2, 2, 2), stride=(2, 2, 2)) | F.max_pool3d(x, 2, 2)
x: 16x16x64x64 | nd.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type='avg')
    | F.avg_pool2d(x, 2, 2)
x: 16x16x64x64 | nd.Pooling(x, kernel=(3, 3), pad=(1, 1), pool_type='avg')
    | F.avg_pool2d(x, 3, 1, 1)
x: 16x16x64x64 | nd.Pooling(x, kernel=(16, 16), stride=(16, 16), pool_type='avg')
    | F.avg_pool2d(x, 16, 16)
x: 16x16x64x64 | nd.Pooling(x, kernel=(13, 13), pad=(6, 6), pool_type='avg')
    | F.avg_pool2d(x, 13, 1, 6)
x: 16x16x64x64 | nd.Pooling(x, global_pool=True, pool_type='avg') | F.adaptive_avg_pool2d(x, 1)
x: 16x16x64x64 | nd.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type='lp', p_value=2)
    | F.lp_pool2d(x, 2, 2, 2)
x: 1024x1024, g: 1024, b: 1024 | nd.LayerNorm(x, g, b) | F.layer_norm(x, g.shape, g, b)
x: 8192x128, g: 128, b: 128 | nd.LayerNorm(x, g, b) | F.layer_norm(x, g.shape, g, b)
x: 16x85x768, g: 768, b: 768 | nd.LayerNorm(x, g, b) | F.layer_norm(x, g.shape, g, b)
x: 64x64x256, g: 64, b: 64 | nd.LayerNorm(x, g, b, axis=1) | F.layer_norm(x.mT, g.shape, g, b).mT
x: 16x16x64x64, g: 4, b: 4 | nd.GroupNorm(x, g, b, num_groups=4)
    | F.group_norm(x, 4, g.repeat_interleave(4), b.repeat_interleave(4))
x: 16x16x64x64, g: 16, b: 16 | nd.InstanceNorm(x, g, b) | F.instance_norm(x, None, None, g, b)
x: 16x16x64x64, g: 16, b: 16, m: 16, v: 16 positive | nd.BatchNorm(x, g, b, m, v, fix_gamma=False)
    | F.batch_norm(x, m.detach(), v.detach(), g, b, True)
x: 8192x128, g: 128, b: 128, m: 128, v: 128 positive | nd.BatchNorm(x, g, b, m, v, fix_gamma=False)
    | F.batch_norm(x, m.detach(), v.detach(), g, b, True)
x: 128x128x8x8, g: 128, b: 128, m: 128, v: 128 positive
    | nd.BatchNorm(x, g, b, m, v, fix_gamma=False)
    | F.batch_norm(x, m.detach(), v.detach(), g, b, True)
x: 16x64x64x16, g: 16, b: 16, m: 16, v: 16 positive
    | nd.BatchNorm(x, g, b, m, v, axis=3, fix_gamma=False)
    | F.batch_norm(x.permute(0, 3, 1, 2), m.detach(), v.detach(), g, b, True).permute(0, 2, 3,
    1)
x: 16x16x64x64, g: 16, b: 16, m: 16, v: 16 positive
    | nd.BatchNorm(x, g, b, m, v, fix_gamma=False, use_global_stats=True)
    | F.batch_norm(x, m.detach(), v.detach(), g, b, False)
x: 16x16x64x64, g: 16, b: 16, m: 16, v: 16 positive
    | nd.BatchNormWithReLU(x, g, b, m, v, fix_gamma=False)
    | F.batch_norm(x, m.detach(), v.detach(), g, b, True).relu()
x: 1024x1024 | nd.L2Normalization(x) | F.normalize(x, dim=1)
x: 16x16x64x64 | nd.L2Normalization(x, mode='channel') | F.normalize(x, dim=1)
x: 16x16x64x64 | nd.L2Normalization(x, mode='spatial')
    | F.normalize(x.flatten(2), dim=2).reshape(x.shape)
x: 1024x1024, y: 1024 index1024 | nd.softmax_cross_entropy(x, y)
    | F.cross_entropy(x, y.long(), reduction='sum')
x: 1024x1024, y: 1024 index1024 int32 | loss.SoftmaxCrossEntropyLoss()(x, y)
    | F.cross_entropy(x, y.long(), reduction='none')
x: 1024x1024, y: 1024x1024 positive | loss.SoftmaxCrossEntropyLoss(sparse_label=False)(x, y)
    | F.cross_entropy(x, y, reduction='none')
x: 1024x1024, p: 1024x1024, n: 1024x1024 | loss.TripletLoss()(x, p, n)
    | torch.relu(((p - x) ** 2 - (n - x) ** 2).sum(1) + 1)
x: 1024x1024, y: 1024x1024, z: 1024 bools | loss.CosineEmbeddingLoss()(x, y, z)
    | F.cosine_embedding_loss(x, y, z.detach() * 2 - 1, reduction='none')
x: 512x512, y: 512x512 | loss.SDMLLoss()(x, y)
    | F.kl_div(torch.log_softmax(-torch.cdist(x, y) ** 2, 1), torch.full((512, 512), 1 / 512),
    reduction='none').mean(1)
i: 4096 index8192 int32, w: 8192x256 | nd.Embedding(i, w, input_dim=8192, output_dim=256)
    | F.embedding(i.long(), w)
i: 4096 index8192, w: 8192x256 | nd.Embedding(i.detach(), w, input_dim=8192, output_dim=256)
    | F.embedding(i.long(), w)
i: 65536 index65536 int32, w: 65536x16 | nd.Embedding(i, w, input_dim=65536, output_dim=16)
    | F.embedding(i.long(), w)
x: 4096x256, i: 4096 index4096 int32 | nd.take(x, i) | x[i.long()]
x: 1024x1024, i: 1024 index1024 int32 | nd.take(x, i, axis=1) | x.index_select(1, i)
x: 1048576, i: 1048576 index1048576 int32 | nd.take(x, i) | x[i.long()]
x: 4096x256, i: 4096 index256 int32 | nd.pick(x, i) | x.gather(1, i.long()[:, None])[:, 0]
x: 64x64x256, i: 64x256 index64 int32 | nd.pick(x, i, axis=1) | x.gather(1, i.long()[:, None])[:, 0]
x: 1048576x2, i: 1048576 index2 int32 | nd.pick(x, i) | x.gather(1, i.long()[:, None])[:, 0]
x: 1024x1024, i: 2x1048576 index1024 int32 | nd.gather_nd(x, i) | x[i[0].long(), i[1].long()]
x: 64x64x256, i: 2x4096 index64 int32 | nd.gather_nd(x, i) | x[i[0].long(), i[1].long()]
x: 1048576, i: 2x1048576 index1024 int32 | nd.scatter_nd(x, i, shape=(1024, 1024))
    | torch.zeros(1024, 1024).index_put((i[0].long(), i[1].long()), x)
x: 4096x256, i: 1x4096 index4096 int32 | nd.scatter_nd(x, i, shape=(4096, 256))
    | torch.zeros(4096, 256).index_put((i[0].long(),), x)
x: 4096x256, i: 2048 unique4096 int32, y: 2048x256 | nd.contrib.index_copy(x, i, y)
    | x.index_copy(0, i.long(), y)
x: 4096x256, i: 2048 index4096 int32, y: 2048x256 | npx.index_add(x, i.reshape((1, -1)), y)
    | x.index_add(0, i, y)
x: 4096x256, i: 2048 unique4096 int32, y: 2048x256 | npx.index_update(x, i.reshape((1, -1)), y)
    | x.index_copy(0, i.long(), y)
x: 256x4096, h: 1x4096 index1024, s: 1x4096 signs
    | nd.contrib.count_sketch(x, h.detach(), s.detach(), out_dim=1024)
    | torch.zeros(256, 1024).index_add(1, h[0].long(), x * s.detach())
x: 1024x1024 | nd.topk(x, k=5) | torch.topk(x, 5)[1].float()
x: 1024x1024 | nd.topk(x, k=5, ret_typ='value') | torch.topk(x, 5)[0]
x: 1024x1024 | nd.topk(x, k=100, ret_typ='value') | torch.topk(x, 100)[0]
x: 16x16x64x64, g: 16x2x64x64 grid | nd.BilinearSampler(x, g)
    | F.grid_sample(x, g.permute(0, 2, 3, 1), align_corners=True)
x: 64x1x128x128, g: 64x2x128x128 grid | nd.BilinearSampler(x, g)
    | F.grid_sample(x, g.permute(0, 2, 3, 1), align_corners=True)
x: 4x64x64x64, g: 4x2x64x64 grid | nd.BilinearSampler(x, g)
    | F.grid_sample(x, g.permute(0, 2, 3, 1), align_corners=True)
x: 16x16x64x64, a: 16x6 small
    | nd.SpatialTransformer(x, a, target_shape=(64, 64), transform_type='affine',
    sampler_type='bilinear')
    | F.grid_sample(x, F.affine_grid(a.reshape(-1, 2, 3), (16, 16, 64, 64), align_corners=True),
    align_corners=True)
x: 16x16x32x32 | nd.UpSampling(x, scale=2, sample_type='nearest') | F.interpolate(x, scale_factor=2)
x: 16x16x32x32, w: 16x1x4x4 | nd.UpSampling(x, w, scale=2, sample_type='bilinear', num_filter=16)
    | torch.conv_transpose2d(x, w, stride=2, padding=1, groups=16)
x: 16x16x32x32 | nd.contrib.BilinearResize2D(x, height=64, width=64)
    | F.interpolate(x, (64, 64), mode='bilinear', align_corners=True)
x: 16x16x128x128 | nd.contrib.BilinearResize2D(x, height=64, width=64)
    | F.interpolate(x, (64, 64), mode='bilinear', align_corners=True)
x: 1x3x512x512 | nd.contrib.BilinearResize2D(x, height=600, width=600)
    | F.interpolate(x, (600, 600), mode='bilinear', align_corners=True)
x: 1024x1024, m: 1024x1024 bools | npx.masked_softmax(x, m.detach().astype(bool))
    | torch.softmax(x.masked_fill(~m.bool(), -torch.inf), -1)
x: 1024x1024, m: 1024x1024 bools | npx.masked_log_softmax(x, m.detach().astype(bool))
    | torch.log_softmax(x.masked_fill(~m.bool(), -torch.inf), -1)
x: 1024x512 | nd.contrib.fft(x) | torch.view_as_real(torch.fft.fft(x)).flatten(1)
x: 1024x1024 | nd.contrib.ifft(x)
    | torch.fft.ifft(torch.view_as_complex(x.reshape(1024, 512, 2))).real * 512
x: 512x512, y: 512x512 | np.einsum('ij,jk->ik', x, y) | torch.einsum('ij,jk->ik', x, y)
x: 512x512, y: 512x512 | np.einsum('ij,jk', x, y) | torch.einsum('ij,jk', x, y)
x: 512x512, y: 512x512 | np.einsum('ij,kj->ik', x, y) | torch.einsum('ij,kj->ik', x, y)
x: 512x512, y: 512x512 | np.einsum('ji,jk->ik', x, y) | torch.einsum('ji,jk->ik', x, y)
x: 512x512, y: 512x512 | np.einsum('ij,jk->ki', x, y) | torch.einsum('ij,jk->ki', x, y)
x: 64x128x128, y: 64x128x128 | np.einsum('bij,bjk->bik', x, y) | torch.einsum('bij,bjk->bik', x, y)
x: 64x128x128, y: 64x128x128 | np.einsum('bij,bkj->bik', x, y) | torch.einsum('bij,bkj->bik', x, y)
x: 8x8x128x64, y: 8x8x128x64
    | np.einsum('bhqd,bhkd->bhqk', x, y) | torch.einsum('bhqd,bhkd->bhqk', x, y)
x: 8x128x8x64, y: 8x128x8x64
    | np.einsum('bqhd,bkhd->bhqk', x, y) | torch.einsum('bqhd,bkhd->bhqk', x, y)
x: 8x8x128x128, y: 8x128x8x64
    | np.einsum('bhqk,bkhd->bqhd', x, y) | torch.einsum('bhqk,bkhd->bqhd', x, y)
x: 64x64x256, y: 256 | np.einsum('ijk,k->ij', x, y) | torch.einsum('ijk,k->ij', x, y)
x: 64x64x256, y: 256x64 | np.einsum('ijk,kl->ijl', x, y) | torch.einsum('ijk,kl->ijl', x, y)
x: 1024x1024, y: 1024x1024 | np.einsum('ij,ij->', x, y) | torch.einsum('ij,ij->', x, y)
x: 1024x1024, y: 1024x1024 | np.einsum('ij,ij->i', x, y) | torch.einsum('ij,ij->i', x, y)
x: 1024x1024, y: 1024x1024 | np.einsum('ij,ij->ij', x, y) | torch.einsum('ij,ij->ij', x, y)
x: 1024, y: 1024 | np.einsum('i,j->ij', x, y) | torch.einsum('i,j->ij', x, y)
x: 1024x1024 | np.einsum('ij->ji', x) | torch.einsum('ij->ji', x)
x: 1024x1024 | np.einsum('ij->i', x) | torch.einsum('ij->i', x)
x: 1024x1024 | np.einsum('ij->j', x) | torch.einsum('ij->j', x)
x: 1024x1024 | np.einsum('ij->', x) | torch.einsum('ij->', x)
x: 1024x1024 | np.einsum('ii->i', x) | torch.einsum('ii->i', x)
x: 1024x1024 | np.einsum('ii->', x) | torch.einsum('ii->', x)
x: 1024x1024, y: 1024 | np.einsum('ij,j->i', x, y) | torch.einsum('ij,j->i', x, y)
x: 1024x1024, y: 1024 | np.einsum('ij,i->j', x, y) | torch.einsum('ij,i->j', x, y)
x: 256x256, y: 256x256, z: 256x256
    | np.einsum('ij,jk,kl->il', x, y, z) | torch.einsum('ij,jk,kl->il', x, y, z)
x: 512x512, y: 512x512, z: 512
    | np.einsum('ik,jk,k->ij', x, y, z) | torch.einsum('ik,jk,k->ij', x, y, z)
x: 64x128x128, y: 64x128x128
    | np.einsum('...ij,...jk->...ik', x, y) | torch.einsum('...ij,...jk->...ik', x, y)
x: 64x128, y: 128x64x128, z: 64x128
    | np.einsum('bi,ijk,bk->bj', x, y, z) | torch.einsum('bi,ijk,bk->bj', x, y, z)
x: 8x32x64x64, y: 32x32 | np.einsum('nchw,oc->nohw', x, y) | torch.einsum('nchw,oc->nohw', x, y)
"""
