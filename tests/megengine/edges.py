"""Calls at the edges of what MegEngine takes: each ends in gluon as there, without exceptions.

``calls.py`` has the tensors and helpers that they use by name.
"""

from __future__ import annotations

#: The modes of MegEngine's elementwise operator.
MODES = (
    "abs abs_grad acos acosh acosh_grad add and asin asinh asinh_grad atan2 atanh atanh_grad ceil "
    "clip cond_leq_mov cond_lt_mov cos cosh eq erf erfc erfcinv erfinv exp expm1 fast_tanh "
    "fast_tanh_grad floor floor_div fuse_add_h_swish fuse_add_relu fuse_add_sigmoid fuse_add_tanh "
    "fuse_mul_add3 fuse_mul_add4 gelu gelu_grad hsigmoid hsigmoid_grad h_swish h_swish_grad isinf "
    "isnan leq log log1p logsigmoid log_sum_exp lt max min mod mul negate neq not or pow prelu "
    "prelu_grad relu relu6 relu6_grad rmulh round shl shr sigmoid sigmoid_grad sign silu "
    "silu_grad sin sinh softplus softplus_grad sqrt square sub switch_gt0 tan tanh tanh_grad "
    "true_div xor "
).split()
#: Those that MegEngine lists, and computes for no tensors.
EMPTY = "isinf isnan neq".split()
#: What they are given: as many of these as the mode takes.
GIVEN = ("Tensor([0.5, -1.5, 2.0, 4.0])", "Tensor([2.0, 0.5, -1.0, 3.0])", "3.0", "Tensor(5.0)")
WHOLE = ("Tensor([1, -3, 4])", "Tensor([4, 1, -2])", "Tensor([6, 1, 2])", "2")
FLAGS = ("Tensor([True, False, True])", "Tensor([True, True, False])")


def modes() -> list[str]:
    """Each mode of the elementwise operator, of one to four inputs."""
    return [
        f"M.Elemwise('{mode}')({', '.join(inputs[:count])})"
        for mode in MODES
        for inputs in (GIVEN, WHOLE, FLAGS)
        for count in range(1, len(inputs) + 1)
    ]


ROWS = """
x.device == 'xpux' | x.device == mge.get_default_device() | x.device != 'xpux'
x.device in ['xpux'] | x.requires_grad | x.reshape(-2) | m.transpose(Tensor([1, 0])) | sc.sum(0)
sc.sum(-1) | F.split(x, [3, 2, 5]) | F.split(F.zeros((2, 10)), [3, 2, 5], axis=1)
F.split(F.zeros((2, 10)), [2, 5, 3], axis=1) | F.split(F.zeros((2, 10)), [2, 5, 12], axis=1)
F.split(F.zeros((2, 10)), [-1], axis=1) | F.split(F.zeros((2, 10)), [-3, 2], axis=1)
F.split(F.zeros((2, 10)), [11], axis=1) | F.split(F.zeros((2, 10)), 4)
F.split(F.zeros((2, 10)), 3) | F.split(F.zeros((2, 10)), -1)
F.split(F.zeros((2, 10)), [2.5, 5], axis=1) | F.split(void, 2) | F.split(x, 4) | F.split(x, 5)
F.concat(x) | F.concat([sc, sc]) | F.reshape(x, (-2,)) | F.reshape(t, (-3, 4))
F.reshape(t, (-4, 1, 2, 3, 4)) | F.flatten(t, 1, -5) | F.transpose(m, Tensor([1, 0]))
F.broadcast_to(x, (None, 3)) | F.broadcast_to(x, (Tensor(2), 3)) | F.repeat(x, 2.5) | F.diag(t)
F.meshgrid(x, x) | F.meshgrid(x) | F.meshgrid(x, x, x) | F.meshgrid(x, x, indexing='ij')
F.meshgrid(x, x, indexing='foo') | F.meshgrid(x, sc) | F.meshgrid(x, F.zeros((2,)))
F.gather(m, 1, Tensor([1, 0])) | F.gather(m, 1, Tensor([[1]])) | F.gather(m, 0, Tensor([[1]]))
F.gather(t, 1, Tensor(np.ones((1, 1, 4), 'int32')))
F.scatter(m, 1, Tensor([[1], [0]]), Tensor([[9.0]]))
F.scatter(m, 1, Tensor([1, 0]), Tensor([9.0, 8.0]))
F.scatter(im, 1, Tensor([[1], [0]]), Tensor([[9.5], [8.0]])) | F.where(x, x, x) | F.where(i, x, x)
F.cond_take(b, m) | F.cond_take(x, x) | F.cond_take(i, x) | F.cumsum(b, 0) | F.cumsum(m, None)
F.indexing_one_hot(m, Tensor([1, -1])) | F.indexing_one_hot(m, Tensor([1])) | F.one_hot(i, 3)
F.one_hot(i, 2) | F.one_hot(i, 1) | F.one_hot(Tensor([-1, 0]), 2) | F.one_hot(x, 4)
F.zeros(np.array([2, 3])) | F.linspace(0, 1, 2.5)
ctc(thirds(2, 1), [2], [1, 1], [2], reduction='none')
ctc(thirds(1, 1), [1], [1, 2], [2], reduction='none')
ctc(thirds(2, 2), [2, 2], [1, 1, 1], [2, 1], reduction='mean')
ctc(thirds(2, 2), [2, 2], [1, 1, 1], [2, 1], reduction='sum')
ctc(thirds(2, 2), [2, 2], [[1, 1], [1, 0]], [2, 1], reduction='none')
ctc(thirds(2, 2), [2, 2], [[1, 1], [1, 0]], [0, 1], reduction='none')
ctc(thirds(2, 2), [2, 2], [1], [0, 1], reduction='none')
ctc(thirds(2, 2), [2, 2], [1, 0, 1], [2, 1], reduction='none')
ctc(thirds(2, 2), [0, 2], [1, 2, 1], [2, 1], reduction='none')
ctc(given(4, 2, 3), [4, 3], [1, 2, 1], [2, 1], reduction='none')
ctc(np.zeros((4, 2, 3), 'float32'), [4, 3], [1, 2, 1], [2, 1], reduction='none')
ctc(F.softmax(Tensor(given(4, 3, 5))), [4, 3, 1], [1, 1, 1, 2, 3, 4, 1, 1], [3, 2, 3])
F.relu6(i) | F.logsumexp(Tensor([float('-inf')]), 0) | F.embedding(Tensor([-1]), m)
F.embedding(Tensor([0.0, 1.0]), m) | F.embedding(Tensor([0, 1]), x) | F.normalize(m) | F.norm(m)
F.norm(m, 'fro') | F.norm(m, keepdims=True) | F.max(sc, 0)
Tensor([1], device='cpu0').device == 'cpu0' | h % 2
R.normal(Tensor([1.0]), Tensor([1.0]), (2,)).shape
R.uniform(Tensor([1.0]), Tensor(3.0), (3,)).shape | R.uniform(1, 1, (2,)) | R.seed(1.5)
F.mean(sc, -1) | F.norm(sc) | F.norm(sc, axis=0) | F.logsumexp(sc, 0) | F.var(sc, 0)
F.prod(isc, 0) | F.broadcast_to(m, (None, 2, 3))
F.scatter(m, 1, Tensor([[1, 2, 0, 1], [0, 1, 1, 1]]), Tensor(given(2, 4)))
F.scatter(m, 0, Tensor([[1, 0, 0, 1]]), Tensor([[9.0, 1.0, 2.0, 3.0]]))
F.scatter(m, 1, Tensor([[1], [0], [0]]), Tensor([[9.0], [1.0], [2.0]]))
F.scatter(h.reshape(1, 3), 1, Tensor([[1]]), Tensor([[9.0]]))
F.cond_take(m > 0, m.reshape(3, 2)) | F.cond_take(m > 0, m.reshape(6))
F.cond_take(b.reshape(1, 3), x) | F.indexing_one_hot(t, Tensor(np.ones((2, 1), 'int32')))
F.ones(np.array([2, 3])) | F.reshape(m, np.array([3, 2])) | F.tile(m, np.array([1, 2]))
F.sum(t, (0, 1.5)) | F.argmax(t, 0.5) | F.max(t, 1.5) | F.relu6(Tensor([7, 8, -1]))
F.embedding(Tensor([[-1, -2]]), m) | F.embedding(b, m) | F.embedding(Tensor([0]), t)
F.embedding(Tensor([0]).astype('float32'), m)
F.logsumexp(Tensor([[float('-inf'), float('-inf')], [1.0, float('inf')], [float('nan'), 1.0]]), 1)
F.topk_accuracy(m, Tensor([1, 2]), topk=-1) | F.topk_accuracy(m, Tensor([1, 2]), topk=(1, 4))
F.vision.cvt_color(counted(2, 2, 2, 3), 'RGB2YUV')
F.vision.cvt_color(counted(2, 2, 2, 3, by=5), 'YUV2RGB')
F.vision.cvt_color(counted(2, 2, 2, 3, dtype='uint8', by=9), 'RGB2YUV')
F.vision.cvt_color(counted(2, 2, 2, 3, dtype='uint8', by=9), 'YUV2RGB')
F.vision.cvt_color(counted(2, 2, 2, 3, dtype='uint8'), 'BGR2RGB')
F.vision.cvt_color(counted(2, 2, 2, 3, dtype='uint8'), 'RGB2BGR')
F.vision.cvt_color(counted(2, 2, 2, 4, dtype='uint8', by=7), 'RGBA2RGB')
F.vision.cvt_color(counted(2, 2, 2, 4, dtype='uint8'), 'RGBA2BGR')
F.vision.interpolate(counted(1, 1, 2, 3, dtype='uint8', by=40), size=(3, 5))
F.vision.interpolate(counted(1, 1, 2, 3, dtype='uint8', by=40), size=(3, 5), align_corners=True)
F.vision.interpolate(counted(1, 1, 2, 3, dtype='uint8', by=40), size=(3, 5), mode='nearest')
F.vision.interpolate(counted(1, 1, 2, 3, dtype='uint8', by=40), size=(3, 5), mode='bicubic')
F.batch_norm(c, F.zeros((1, 4, 1, 1)), F.ones((1, 4, 1, 1)), training=True, inplace=False)
F.nn.square_loss(h, h, reduction='mean')
F.vision.roi_align(F.zeros((2, 0, 26, 26)), F.zeros((4, 5)), output_shape=(7, 7)).shape
F.vision.interpolate(Tensor(given(1, 2, 5)), scale_factor=(2.0, 3.0), mode='linear')
F.vision.interpolate(c, scale_factor=(2,)) | F.vision.interpolate(c, size=Tensor([3, 4])).shape
F.vision.interpolate(u.reshape(1, 1, 1, 3), size=(2, 2))
F.vision.cvt_color(counted(1, 2, 2, 3), mode='RGB2YUV')
F.vision.cvt_color(counted(1, 2, 2, 3), mode='YUV2RGB') | F.nn.cross_entropy(m, Tensor([1, -1]))
F.nn.cross_entropy(m, Tensor([1])) | F.relu6(u) | F.relu6(j) | F.relu6(isc) | F.add(h, u)
F.sub(h, u) | F.mul(h, u) | F.div(h, u) | F.floor_div(h, u) | F.floor_div(x, np.int32(2))
F.pow(h, u) | F.mod(h, u) | F.mod(h, 2) | F.mod(h, 2.5) | F.atan2(h, u) | F.logaddexp(h, u)
F.maximum(h, u) | F.minimum(h, u) | h % 2.5 | h + b | h + j | h + u
isinstance(Parameter([1.0]).astype('float32'), Parameter) | isinstance(F.meshgrid(x, x), tuple)
F.argmax(sc, 0) | F.concat([sc, x]) | F.roll(m, 1.5, 0) | F.cond_take(m > 0, m)
F.gather(m, -2, Tensor([[1, 0]])) | F.scatter(m, -1, Tensor([[1], [0]]), Tensor([[9.0], [8.0]]))
F.split(F.zeros((2, 10)), [2, 5, 5], axis=1) | F.split(F.zeros((2, 10)), 3, axis=-1)
F.flatten(t, 1, -4) | F.vision.roi_align(F.zeros((2, 0, 9, 9)), F.zeros((4, 5)), 2, 'max').shape
F.vision.roi_align(c, F.zeros((0, 5)), 2).shape | F.topk_accuracy(m, Tensor([1, 2]), topk=(1, 3))
F.nn.l1_loss(x, x * 2, reduction='foo') | R.permutation(-1) | R.permutation(2.5) | R.seed(-1)
R.uniform(size=Tensor([2, 3])).shape | R.uniform(size=(2, Tensor(3))).shape
R.gamma(Tensor([1.0, 2.0]), 1.0, (3,)).shape
M.Embedding.from_pretrained(Tensor([[1.0, 2.0], [3.0, 4.0]]))(Tensor([1]))
M.Embedding.from_pretrained(Tensor([1.0, 2.0]))
M.Embedding(2, 2, initial_weight=Tensor([[1.0, 2.0]])) | M.Conv2d(3, 4, 3, groups=2)
M.Linear(2, 3).load_state_dict([1]) | M.Elemwise('hswish')(x)
I.calculate_gain('leaky_relu', True) | I.calculate_gain('leaky_relu', 'a')
O.Adadelta([Parameter([1.0])], rho=2.0)
O.SGD([Parameter([1.0])], lr=0.1).add_param_group([Parameter([1.0])]) | O.MultiStepLR('a', [1])
O.MultiStepLR(O.SGD([Parameter([1.0])], lr=0.1), [1, 2], current_epoch=1)
list(D.RandomSampler(D.dataset.ArrayDataset(np.arange(10)), 5, seed=0))
list(D.RandomSampler(D.dataset.ArrayDataset(np.arange(10)), 5, indices=[1, 2, 3], seed=3))
list(D.ReplacementSampler(D.dataset.ArrayDataset(np.arange(10)), 5, num_samples=7, seed=3))
list(D.ReplacementSampler(D.dataset.ArrayDataset(np.arange(3)), 2, weights=[1, 0, 2], seed=3))
D.ReplacementSampler(D.dataset.ArrayDataset(np.arange(10)), 5, weights=[1, 2])
D.ReplacementSampler(D.dataset.ArrayDataset(np.arange(10)), 5, weights=5)
D.ReplacementSampler(D.dataset.ArrayDataset(np.arange(10)), 5, num_samples=0)
D.SequentialSampler(D.dataset.ArrayDataset(np.arange(10)), 1.5)
D.SequentialSampler(D.dataset.ArrayDataset(np.arange(10)), True)
D.SequentialSampler(D.dataset.ArrayDataset(np.arange(10)), 2, drop_last=1)
D.SequentialSampler(D.dataset.ArrayDataset(np.arange(10)), 2, world_size=-1, rank=0)
list(D.DataLoader(D.dataset.ArrayDataset(np.arange(4.0), np.arange(4)), preload=True))
isinstance(next(iter(D.DataLoader(D.dataset.ArrayDataset(np.arange(4)), preload=True)))[0], Tensor)
D.DataLoader(D.dataset.ArrayDataset(np.arange(4)), num_workers=-1)
D.DataLoader(D.dataset.ArrayDataset(np.arange(4)), timeout=-1)
D.DataLoader(D.dataset.ArrayDataset(np.arange(4)), sampler=5) | D.DataLoader([1, 2, 3])
D.Collator().apply(['a', 'b']) | D.Collator().apply([b'a', b'b'])[0].decode()
D.Collator().apply([None, None]) | D.Collator().apply([np.array([None])])
D.Collator().apply([{'a': 1, 'b': 's'}, {'a': 2, 'b': 't'}])['b'] | mge.get_device_count('foo')
mge.amp.GradScaler(init_scale=4).state_dict()['scale_factor']
"""
EDGES = [one for line in ROWS.strip().splitlines() for one in line.split(" | ")]
