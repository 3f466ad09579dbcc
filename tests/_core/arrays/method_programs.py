"""Short programs that call the methods of arrays, and what `nd` has written in Python in MXNet.

Like ``programs.py``, whose form they have, this file needs NumPy only.
"""

from __future__ import annotations

from tests._core.arrays.programs import keys

#: Functions of one array and nothing else, as methods.
PLAIN = """abs arccos arccosh arcsin arcsinh arctan arctanh argmax argmax_channel argmin argsort
cbrt ceil cos cosh degrees diag exp expm1 fix flatten floor log log10 log1p log2 log_softmax max
mean min nanprod nansum norm ones_like prod radians rcbrt reciprocal relu rint round rsqrt
shape_array sigmoid sign sin sinh size_array softmax softmin sort sqrt square squeeze sum tan tanh
topk transpose trunc zeros_like copy detach""".split()
#: What reductions are given.
REDUCING = """axis=0 axis=-1 axis=(0,2) 1 1,True axis=1,keepdims=True axis=(),keepdims=True
axis=1,exclude=True axis=5 axis=(0,0) axis=[0,1] axis=None,keepdims=True axis='a' np.int64(1)
axis=1,out=nd.zeros((2,4)) keepdims=1""".split()
#: Functions of two arrays or numbers.
OF_TWO = """add subtract multiply divide true_divide modulo power maximum minimum equal not_equal
greater greater_equal lesser lesser_equal logical_and logical_or logical_xor""".split()
METHODS = [
    *(
        f"{array}.{name}()"
        for name in PLAIN
        for array in ("m", "p", "h", "d", "n")
        if (name, array) != ("norm", "n")
    ),
    *(f"m.{name}(out=nd.zeros((2, 2)))" for name in ("exp", "relu", "sign", "round", "sqrt")),
    *(f"m.{name}(nd.zeros((3, 2)))" for name in ("exp", "tanh")),
    *(
        f"x.{name}({given})"
        for name in ("sum", "mean", "prod", "max", "min", "nansum", "nanprod")
        for given in REDUCING
    ),
    *(
        f"x.{name}({given})"
        for name in ("argmax", "argmin")
        for given in ("axis=0", "1", "axis=-1, keepdims=True", "axis=7", "None, True")
    ),
    *keys("""x.norm(ord=1) | x.norm(axis=1) | x.norm(2, (0, 1))
x.norm(ord=1, axis=0, keepdims=True) | x.norm(axis=-1, keepdims=True)
x.norm(2, 1, None, True)"""),
    *keys("""m.clip(0, 2) | m.clip(a_min=-1, a_max=1) | n.clip(0, 2)
n.clip(a_min=0.5, a_max=2.5) | h.clip(0, 1) | m.clip(0)"""),
    *keys("""x.transpose(axes=(2, 0, 1)) | x.transpose((1, 0, 2)) | x.transpose(axes=(0, 1))
x.transpose((0, -1, 1)) | m.transpose(axes=None) | x.transpose(axes=()) | x.transpose(0, 2, 1)
x.swapaxes(0, 2) | x.swapaxes(dim1=1, dim2=2) | x.swapaxes(-1, 0) | x.swapaxes(0, 3)
x.flip(axis=1) | x.flip(0) | x.flip(axis=(0, 2)) | x.flip(axis=-1) | x.flip(axis=3) | x.flip()
x.tile(reps=(2, 1)) | m.tile(2) | m.tile((2, 1, 2)) | m.tile(reps=()) | m.tile(reps=(0, 1)).shape
m.repeat(2) | m.repeat(repeats=2, axis=1) | m.repeat(2, axis=-1) | m.repeat(2, 5) | m.repeat()
x.expand_dims(0).shape | x.expand_dims(axis=3).shape | x.expand_dims(-1).shape | x.expand_dims(5)
x.expand_dims(-4).shape | x.expand_dims(-5) | x.expand_dims(axis=1, inplace=True).shape
y = m.expand_dims(0, inplace=True); y[:] = 9; m | y = m.expand_dims(0); y[:] = 9; m
y = x.flatten(inplace=True); y[:] = 9; x | y = x.flatten(); y[:] = 9; x | x.flatten(inplace=False)
x.expand_dims(0).squeeze(0, inplace=True).shape | y = m[0:1].squeeze(inplace=True); y[:] = 9; m
x.squeeze(axis=0) | x.squeeze(0, inplace=True) | x[0:1].squeeze(axis=0) | x[0:1].squeeze((0,))
x[:, 0:1, 0:1].squeeze(axis=(1, 2)).shape | x[:, 0:1, 0:1].squeeze(-1).shape
m[0:1, 0:1].squeeze() | x[0:1].squeeze(axis=(0, 0)) | x[0:1].squeeze(axis=3)
x[0:1].squeeze(None).shape | m[0].broadcast_to((3, 2)) | m.broadcast_to((2, 2, 2))
m[0:1].broadcast_to(shape=(4, 2)) | m.broadcast_to((2,)) | m.broadcast_to((3, 2))
m[0:1].broadcast_to((0, 2)) | m.broadcast_to((2, 4)) | m[0].broadcast_like(m)
m[0:1].broadcast_like(other=m) | m.broadcast_like(m[0]) | m.broadcast_like(x)
m[0:1].broadcast_axes(axis=0, size=3) | m[0:1].broadcast_axes(0, 3)
m.broadcast_axes(axis=0, size=3) | m.reshape_like(v[0:4]) | v.reshape_like(rhs=m)
v.reshape_like(x[0, 0:2, 0:3]) | x.reshape_like(m, lhs_begin=1, lhs_end=3, rhs_begin=0, rhs_end=1)
m.reshape_like(nd.zeros((4, 1))) | m.zeros_like().dtype.__name__ | n.ones_like().dtype.__name__
m.zeros_like(out=nd.ones((2, 2)))"""),
    *keys("""x.split(num_outputs=2, axis=0)[1] | x.split(3)[2] | x.split(3, 1, True)[0]
x.split(2, axis=-1)[0] | x.split(num_outputs=3, axis=1, squeeze_axis=True)[1] | x.split(5)
len(x.split(1, axis=0)) | x.split() | x.split_v2(2, axis=0)[1] | x.split_v2((1, 2), axis=1)[2]
x.split_v2(indices_or_sections=2)[0].shape | x.split_v2((1,), 2, False)[0]
x.split_v2(3, axis=1, squeeze_axis=True)[0] | len(x.split_v2((1, 2), 1))
x.slice(begin=(0, 1), end=(1, 3)) | x.slice((1,), (2,))
x.slice(begin=(None, -1), end=(None, None))
x.slice(begin=(1, 2, 3), end=(None, 0, None), step=(1, -1, -2)) | x.slice((0, 0), (9, 9)).shape
x.slice(begin=(0, 3), end=(1, 3)) | x.slice(begin=(2,), end=(1,)) | x.slice((0,), (1,), (2,))
x.slice_axis(axis=1, begin=1, end=3) | x.slice_axis(0, 0, None)
x.slice_axis(axis=-1, begin=-2, end=-1) | x.slice_axis(axis=3, begin=0, end=1)
x.slice_axis(0, 1, 9).shape | x.slice_axis(axis=0, begin=5, end=6) | x.slice_like(m)
x.slice_like(m, axes=(1,)) | x.slice_like(shape_like=m, axes=(-1,)) | m.slice_like(x)
x.slice_like(nd.zeros((1, 2, 3))) | x.slice_like(nd.zeros((3, 9, 9)), axes=(0,))
y = x.slice_assign(nd.zeros((1, 3, 4)), (0, 0, 0), (1, 3, 4), (1, 1, 1)); x
y = x.slice_assign_scalar(7, (0, 0), (1, 2), (None, None)); x
x.slice_assign(m, (0,), (1,), (1,))
x.slice_assign_scalar(value=2.5, begin=(0, None, 1), end=(None, 2, 3), step=(1, 1, 2)) is x
y = x.slice_assign_scalar(value=2.5, begin=(0, None, 1), end=(None, 2, 3), step=(1, 1, 2)); x"""),
    *keys("""v.take(nd.array([0, 9, -1])) | x.take(nd.array([1, 0]), axis=1)
v.take(w, mode='wrap') | x.take(indices=nd.array([[0, 1]]), axis=-1).shape
v.take(nd.array([1.9])) | v.take([0, 1]) | v.take(1) | v.take(nd.array([0, -2]), mode='wrap')
v.take(nd.array([9]), mode='raise') | x.take(w, axis=3) | m.pick(nd.array([0, 1]))
m.pick(index=nd.array([0, 1]), axis=0) | m.pick(nd.array([0, 1]), 1, True)
m.pick(nd.array([5, -1]), mode='wrap') | m.pick(nd.array([[0], [1]]), keepdims=True) | m.pick(v)
w.one_hot(6) | w.one_hot(depth=3, on_value=2, off_value=-1) | v.one_hot(4, dtype='int32')
m.one_hot(3) | w.one_hot(3, 1.0, 0.0, 'float64').dtype.__name__ | w.one_hot() | w.one_hot(0)
m.sort(axis=0) | m.sort(is_ascend=False) | m.sort(axis=None) | m.sort(0, False) | m.sort(axis=2)
m.argsort(axis=0) | m.argsort(is_ascend=0) | m.argsort(axis=None) | m.argsort(dtype='int32')
m.topk(k=2) | m.topk(axis=0, ret_typ='value') | m.topk(ret_typ='mask')
m.topk(ret_typ='both')[0] | m.topk(k=1, is_ascend=True, dtype='int32') | m.topk(axis=None, k=3)
m.topk(ret_typ='x') | m.topk(k=9) | x[:, 0:2, 0:2].diag() | m.diag(k=1) | m.diag(-1) | v.diag()
v.diag(k=2).shape | x.diag(0, axis1=1, axis2=2) | x.diag(axis1=0, axis2=0) | m.diag(5)
nd.ones((1, 4, 2, 3)).depth_to_space(2).shape | m.depth_to_space(2)
nd.arange(16).reshape((1, 1, 4, 4)).space_to_depth(block_size=2)
nd.arange(4).reshape((1, 4, 1, 1)).depth_to_space(block_size=2)
x.reshape((1, 2, 3, 4)).pad(mode='constant', pad_width=(0, 0, 0, 0, 1, 1, 0, 1), constant_value=9)
x.reshape((1, 2, 3, 4)).pad(mode='edge', pad_width=(0, 0, 0, 0, 1, 1, 0, 1))
m.pad('edge', (1, 1, 1, 1))
x.reshape((1, 2, 3, 4)).pad('reflect', (0, 0, 0, 0, 1, 1, 2, 1)).shape | x.pad()
m.pad('nonsense', (0,) * 4) | m.softmax(axis=0) | m.softmax(axis=-1, temperature=2.0)
m.softmax(dtype='float64').dtype.__name__ | m.log_softmax(axis=0) | m.softmin(axis=0)
m.softmax(axis=2) | h.softmax(dtype='float32') | m.dot(m) | m.round(out=m)
v.argmax_channel() | x.argmax_channel() | m.T | x.T.shape | v.T | x.T is x | m.writable | m.stype
n.ctx == n.context | x.ndim | x.size | x.shape | m.as_in_context(context=mx.cpu()) is m
m.astype(dtype='int32', copy=False) | m.copyto(other=mx.cpu(1)) | m.astype(np.dtype('float16'))
m.astype('float') | m.astype(float) | m.astype(int) | m.astype(np.int8) | m.astype(None)
m.astype() | m.copyto() | m.copyto(nd.zeros((4,))) | m.copyto(nd.zeros((2, 2), ctx=mx.cpu(1)))
n.copyto(m[0]) | n.copyto(nd.zeros((4,))) | m.tostype('nonsense')
m.tostype(stype='default') is m | m.attach_grad(); m.grad | m.attach_grad('add'); m.grad
m.attach_grad('nonsense')
m.attach_grad(stype='default'); m.grad | m.grad | m.backward() | m.detach() is m
m.attach_grad(); m.detach().grad | m.attach_grad(); m.copy().grad | n.attach_grad(); n.grad
hash(m) == hash(m) | len({m, m, n}) == 2 | m in [m.sum(), m] | m is m.as_nd_ndarray()
m.wait_to_read() | m.asnumpy().flags.writeable | m[0, 1].asscalar() | n[1].asscalar()
x.asscalar() | int(n[1]) | float(m[0, 0]) | nd.from_dlpack(m.to_dlpack_for_read())
y = nd.from_dlpack(m.to_dlpack_for_write()); y += 1; m | nd.from_dlpack(nd.to_dlpack_for_read(m))
y = nd.from_dlpack(nd.to_dlpack_for_write(m)); y += 1; m | m.reshape(shape=(4, 1))
m.reshape(4, 1, reverse=False) | m.reshape(nonsense=1) | m.reshape() | m.reshape(())
m.reshape((4, 1), reverse=True) | m.reshape([4]) | m.reshape(np.array([4]))
m.reshape(-1, 1).shape | m.abs(1) | m.exp(foo=1).shape | m.sum(foo=1)
m.softmax(nd.array([1, 2]))"""),
    *(
        f"nd.{name}({given})"
        for name in OF_TWO
        for given in (
            "7, 2",
            "2.5, 2.5",
            "p, 2.5",
            "2.5, w",
            "'a', p",
            "p, True",
            "np.float64(2.5), p",
            "p, np.int64(3)",
            "None, p",
            "p, p[0:1]",
            "p, m",
        )
    ),
    *keys("""nd.power(base=p, exp=2) | nd.power(base=2, exp=p) | nd.add(lhs=p, rhs=p) | nd.add(p)
nd.add() | nd.zeros((2,), out=nd.ones((2,))) | nd.zeros((2,), out=nd.ones((3,)))
nd.ones((2,), out=nd.zeros((2, 1))) | nd.ones((2,), out=nd.zeros((2,), dtype='float64'))
nd.full((2,), 3, out=nd.ones((3,)))
nd.zeros(shape=(2,), ctx=mx.cpu(), dtype='int32', stype='default')
nd.empty((2,), stype='default').shape | nd.from_numpy(np.ones(2), array_cls=nd.NDArray)
nd.arange(start=1, stop=5, step=2, repeat=2, infer_range=None, ctx=None, dtype='int32')
nd.arange(5, infer_range=True)
nd.linspace(start=0, stop=1, num=3, endpoint=False, ctx=None, dtype='float64')
nd.eye(N=2, M=3, k=1, ctx=None, dtype='int32')
nd.moveaxis(tensor=x, source=0, destination=-1).shape
nd.concatenate(arrays=[m, m], axis=1, always_copy=False)
nd.histogram(a=p, bins=2, range=(0, 4))[0]"""),
]
