"""Programs that run on MegEngine 1.13 and on gluon alike.

``recorded/make_megengine.py`` keeps what MegEngine gives for them, and the tests compare.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def given(*shape: int, seed: int = 7, low: float = -1.0, high: float = 1.0):
    return np.random.RandomState(seed).uniform(low, high, shape).astype("float32")


#: The tensors that expressions use by name.
VALUES: dict[str, Any] = {
    "x": np.array([1.0, -2.0, 0.5], "float32"),
    "p": np.array([0.3, 0.6, 0.9], "float32"),
    "i": np.array([1, 2, 3], "int32"),
    "b": np.array([True, False, True]),
    "h": np.array([1.0, 2.0, 3.0], "float16"),
    "u": np.array([1, 2, 3], "uint8"),
    "j": np.array([1, -2, 3], "int8"),
    "ties": np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 0.0]], "float32"),
    "m": given(2, 3),
    "n": given(2, 3, seed=8),
    "t": given(2, 3, 4),
    "s": given(2, 3, 3) + 2 * np.eye(3, dtype="float32"),
    "c": given(2, 4, 5, 6),
    "r": given(2, 4, 7),
    "w": given(6, 4, 3, 2, seed=3),
    "wg": given(2, 3, 2, 3, 2, seed=3),
    "wr": given(6, 4, 3, seed=3),
    "wt": given(4, 6, 3, 2, seed=3),
    "bias": given(1, 6, 1, 1, seed=4),
    "bias1": given(1, 6, 1, seed=4),
    "v4": given(4, seed=5),
    "k4": given(4, seed=6, low=0.5, high=2.0),
    "table": given(5, 3, seed=9),
    "labels": np.array([0, 2], "int32"),
    "yes": np.array([0.0, 1.0, 1.0], "float32"),
    "pic": given(2, 3, 5, 6, seed=10),
    "pic2": given(2, 3, 5, 6, seed=11),
    "xy": given(2, 3, 4, 2, seed=12, low=-3.0, high=9.0),
    "turn": np.eye(3, dtype="float32") + 0.2 * given(2, 3, 3, seed=13),
    "shear": np.eye(2, 3, dtype="float32") + 0.4 * given(2, 2, 3, seed=14),
    "rois": np.array(
        [[0, 0.5, 0.2, 3.1, 2.9], [1, 1, 1, 1, 1], [0, -1, -1, 5, 6], [1, 2.2, 2, 7.5, 4]],
        "float32",
    ),
    "frames": np.array([[0, 0, 9, 9], [1, 1, 9, 9], [20, 0, 29, 9], [0, 1, 9, 8]], "float32"),
    "scores": np.array([0.5, 0.9, 0.3, 0.7], "float32"),
    "move": given(2, 8, 4, 5, seed=15),
    "share": given(2, 4, 4, 5, seed=16, low=0.0, high=1.0),
    "wd": given(4, 3, 2, 2, seed=17),
    "wl": given(1, 4, 5, 3, 2, 2, 4, seed=18),
    "windows": given(1, 2, 2, 3, 2, 2, seed=19),
    "line": given(2, 3, 5, seed=20),
    "cube": given(1, 2, 3, 4, 3, seed=21),
    "wide": given(2, 6, 2, 3, seed=22),
    "io": given(1, 80, seed=23),
    "q": given(2, 3, 4, seed=24),
    "kv": given(2, 5, 4, seed=25),
    "speech": given(6, 2, 4, seed=27),
    "words": np.array([[1, 2, 2], [3, 1, 0]], "int32"),
    "row": np.array([1, 2, 2, 3, 1], "int32"),
    "sides": np.array([[1.0, -1.0, -1.0], [-1.0, 1.0, -1.0]], "float32"),
}

OPERATORS = """
x+i | i+i | i/i | i//2 | i/2 | i*2.5 | i+True | b+1 | b*x | b*1.5 | ~b | b&b | b|b | b^b | x==1
x>0.7 | i==i | x!=i | x**2 | i**2 | i**0.5 | 2**i | 2**x | x%2 | i%2 | -i%3 | x//0.3 | h+1 | h+x
h*2.5 | h+i | u+1 | u*2.5 | j+1 | j/2 | x+[1,2,3] | [1,2,3]+x | x@x | m@m.T | abs(x) | round(x)
x-1 | 1-x | 1/x | -x | x.T | m.T | 3//i | 7%i | x<=0.5 | x>=i | i<2 | 2>i
"""
METHODS = """
x.sum() | m.sum(0) | m.sum(axis=1,keepdims=True) | m.mean() | m.mean(1) | i.mean() | i.sum()
h.sum() | h.max()
b.sum() | j.sum() | u.sum() | u.mean() | h.mean() | m.max() | m.max(axis=0) | m.min(1) | m.prod()
m.sum(axis=(0,1)) | m.sum([0,1]) | m.sum(axis=-1) | ties.max() | ties.max(1) | ties.min(0)
m.reshape(3,2) | m.reshape((3,-1)) | m.transpose() | m.transpose(1,0) | t.transpose((2,0,1))
m.flatten() | x.astype('int32') | x.astype('float16') | i.astype('float32') | x.detach() | m[0]
m[0,1]
m[:,1] | m[...,None] | m[None] | m[m>0] | m[[0,1]] | m[[0,1],[1,2]] | m[labels[0:1]] | m[::-1]
m[:,::-1] | m[1:5] | t[:,labels] | t[0,:,1:3] | t[-1]
"""
ELEMWISE = """
F.exp(x) | F.expm1(x) | F.log(p) | F.log1p(p) | F.sqrt(p) | F.square(x) | F.sin(x) | F.cos(x)
F.tan(x) | F.asin(p) | F.acos(p) | F.atan(x) | F.sinh(x) | F.cosh(x) | F.tanh(x) | F.asinh(x)
F.acosh(p+1) | F.atanh(p) | F.abs(x) | F.abs(ties-2.5) | F.neg(x) | F.ceil(x) | F.floor(x)
F.sign(x)
F.round(F.stack([p,x])) | F.exp(i) | F.sqrt(i) | F.sin(i) | F.abs(i) | F.floor(i) | F.square(i)
F.add(x,i) | F.sub(x,p) | F.mul(x,p) | F.div(x,p) | F.pow(p,x) | F.pow(i,2) | F.mod(x,p)
F.mod(i,2)
F.floor_div(i,2) | F.atan2(x,p) | F.logaddexp(x,p) | F.maximum(x,p) | F.minimum(x,p)
F.maximum(ties,2) | F.minimum(ties,ties) | F.maximum(i,1.5) | F.equal(x,1) | F.not_equal(x,p)
F.greater(x,p) | F.less(x,p) | F.greater_equal(x,1) | F.less_equal(x,1) | F.logical_and(b,b)
F.logical_or(b,b) | F.logical_xor(b,b) | F.logical_not(b) | F.clip(x,0.1,0.9) | F.clip(x,0.6)
F.clip(x,upper=0.6) | F.clip(i,0,1) | F.clip(ties,1,2) | F.log(2.0) | F.isnan(x) | F.isinf(x)
"""
MATH = """
F.sum(m,1) | F.mean(m,0) | F.max(m,1) | F.min(m,0) | F.prod(m,1) | F.sum(i) | F.mean(i) | F.sum(b)
F.argmax(m) | F.argmax(m,1) | F.argmax(m,1,True) | F.argmin(m,0) | F.var(m) | F.var(m,1)
F.std(m) | F.std(m,1,True) | F.var(i) | F.norm(x) | F.norm(x,1) | F.norm(m,2,axis=1)
F.norm(m,3,axis=0)
F.normalize(m,axis=1) | F.normalize(m,ord=1,axis=0) | F.logsumexp(m,1) | F.logsumexp(m,1,True)
F.logsumexp(t,(1,2)) | F.matmul(m,n,transpose_b=True) | F.matmul(m,n,transpose_a=True)
F.matmul(x,x)
F.matmul(m,x) | F.matmul(s,s) | F.matmul(t,s,transpose_a=True) | F.matmul(i,i) | F.dot(x,p)
F.matinv(s) | F.sort(m) | F.sort(m,True) | F.argsort(m) | F.argsort(m,True) | F.topk(m,2)
F.topk(m,2,descending=False) | F.topk(m,1,kth_only=True)
"""
TENSOR = """
F.zeros(3) | F.zeros((2,)) | F.zeros([2,2]) | F.ones((2,),dtype='int32') | F.full((2,),3)
F.full((2,),3.5) | F.full((2,),True) | F.arange(5) | F.arange(1,5,2,dtype='int32')
F.arange(0,1,0.25) | F.linspace(0,1,5) | F.eye(2) | F.eye(2,3) | F.zeros_like(i) | F.ones_like(x)
F.full_like(i,2) | F.concat([m,n],1) | F.concat([x,i]) | F.stack([x,p]) | F.stack([x,p],-1)
F.split(m,3,axis=1) | F.split(m,[1,2],axis=1) | F.split(F.arange(5),2) | F.split(x,[1])
F.gather(m,1,F.expand_dims(labels,1)) | F.scatter(m,1,F.expand_dims(labels,1),n[:,:1])
F.where(b,x,p) | F.broadcast_to(x,(2,3)) | F.expand_dims(x,0) | F.expand_dims(x,(0,2))
F.expand_dims(x,[0,-1]) | F.squeeze(F.expand_dims(x,(0,2)),0)
F.flatten(t,1) | F.flatten(t,0,1) | F.repeat(x,2) | F.repeat(m,2,axis=0) | F.repeat(m,2)
F.tile(m,(2,3)) | F.cumsum(m,1) | F.cumsum(t,0) | F.roll(m,1,1) | F.roll(m,1)
F.roll(t,(1,-2),(0,2))
F.swapaxes(t,0,2) | F.transpose(t,(1,2,0)) | F.transpose(m,(1,'x',0)) | F.diag(x) | F.diag(m,1)
F.meshgrid(x,p) | F.meshgrid(x,v4,indexing='ij') | F.cond_take(m>0,m) | F.copy(x)
F.reshape(m,(-1,))
"""
NN = """
F.relu(x) | F.relu(ties-2) | F.relu6(x*10) | F.sigmoid(x) | F.hsigmoid(x*2) | F.hswish(x*2)
F.silu(x)
F.gelu(x) | F.leaky_relu(x) | F.leaky_relu(x,0.2) | F.prelu(x,p[:1]) | F.softplus(x)
F.logsigmoid(x)
F.softmax(m) | F.softmax(m,0) | F.softmax(t) | F.softmax(x) | F.softmax(c) | F.logsoftmax(m,1)
F.logsoftmax(t,-1) | F.one_hot(i,4) | F.indexing_one_hot(m,labels,axis=1)
F.indexing_one_hot(m,labels,1,True) | F.embedding(labels,table) | F.linear(m,table)
F.pad(x,((1,1),)) | F.pad(x,((1,1),),'edge') | F.pad(m,((0,0),(1,1)),'reflect')
F.pad(m,((0,0),(1,1)),'replicate') | F.pad(m,((1,0),),constant_value=7) | F.nn.pixel_shuffle(c,2)
F.conv2d(c,w,bias) | F.conv2d(c,w,stride=2,padding=1) | F.conv2d(c,w,bias,(2,1),(1,0),(1,2))
F.conv2d(c,wg,bias,groups=2) | F.conv1d(r,wr,bias1,2,1) | F.conv_transpose2d(c,wt,bias)
F.conv_transpose2d(c,wt,stride=2,padding=1) | F.max_pool2d(c,2) | F.max_pool2d(c,3,2,1)
F.max_pool2d(c,(2,3),(1,2)) | F.avg_pool2d(c,2) | F.avg_pool2d(c,3,2,1)
F.avg_pool2d(c,3,2,1,mode='average') | F.adaptive_avg_pool2d(c,2) | F.adaptive_avg_pool2d(c,(3,4))
F.adaptive_max_pool2d(c,(3,4)) | F.layer_norm(t,(4,),True,k4,v4) | F.layer_norm(t,(3,4),False)
F.group_norm(c,2,True,k4,v4) | F.group_norm(c,1,False) | F.instance_norm(c,True,k4,v4)
F.batch_norm(c,None,None,k4.reshape(1,4,1,1),v4.reshape(1,4,1,1),training=True)
F.batch_norm(c,v4.detach().reshape(1,4,1,1),k4.detach().reshape(1,4,1,1),k4.reshape(1,4,1,1),v4.reshape(1,4,1,1))
F.vision.interpolate(c,scale_factor=2) | F.vision.interpolate(c,size=(10,9),mode='nearest')
F.vision.interpolate(c,size=(7,9)) | F.vision.interpolate(c,size=(7,9),align_corners=True)
F.sliding_window(c,2) | F.sliding_window(c,(2,3),1,2) | F.dropout(x,0.0) | F.dropout(x,0.5,False)
"""
LOSS = """
F.nn.square_loss(x,i) | F.loss.square_loss(m,n,reduction='sum') | F.loss.l1_loss(x,p)
F.loss.square_loss(m,n,reduction='none')
F.loss.cross_entropy(m,labels) | F.loss.cross_entropy(m,labels,reduction='sum')
F.loss.cross_entropy(m,labels,label_smooth=0.1)
F.loss.cross_entropy(F.softmax(m),labels,with_logits=False)
F.loss.cross_entropy(m,labels,reduction='none') | F.loss.binary_cross_entropy(x,yes)
F.loss.binary_cross_entropy(p,yes,with_logits=False) | F.loss.hinge_loss(m,sides)
F.loss.hinge_loss(m,sides,'L2') | F.loss.hinge_loss(m,sides,reduction='sum')
F.topk_accuracy(m,labels,1) | F.topk_accuracy(m,labels,(1,2))
"""
VISION = """
F.vision.warp_perspective(pic,turn,(4,3)) | F.vision.warp_perspective(pic,turn,(3,3),[1,0])
F.vision.warp_perspective(pic,turn,(4,3),border_mode='constant',border_val=0.5)
F.vision.warp_perspective(pic,turn,(4,3),border_mode='reflect')
F.vision.warp_perspective(pic,turn,(4,3),border_mode='reflect_101')
F.vision.warp_perspective(pic,turn,(4,3),border_mode='wrap')
F.vision.warp_affine(pic.detach(),shear.detach(),(4,5),format='NCHW')
F.vision.warp_affine(pic.detach(),shear.detach(),(3,2),'constant',0.5,'NCHW')
F.vision.remap(pic,xy) | F.vision.remap(pic,xy,'constant',0.5) | F.vision.remap(pic,xy,'reflect')
F.vision.remap(pic,xy,'reflect_101') | F.vision.remap(pic,xy,'wrap')
F.vision.remap(pic,xy.detach(),interp_mode='nearest')
F.vision.roi_align(pic,rois.detach(),(2,3)) | F.vision.roi_align(pic,rois.detach(),2,'max',0.8)
F.vision.roi_align(pic,rois.detach(),(2,2),spatial_scale=0.5,sample_points=(1,3),aligned=False)
F.vision.roi_pooling(pic,rois.detach(),(2,2)) | F.vision.roi_pooling(pic,rois.detach(),3,'max',0.7)
F.vision.roi_pooling(pic,rois.detach(),(2,2),'average')
F.vision.nms(frames,scores,0.5) | F.vision.nms(frames,scores,0.9)
F.vision.nms(frames,scores,0.1,1)
F.vision.correlation(pic.detach(),pic2,pad_size=1)
F.vision.correlation(pic.detach(),pic2,3,2,2,1,2)
F.vision.correlation(pic.detach(),pic2,3,1,1,1,1,False)
F.vision.cvt_color(c[:,:,:,:3].detach(),'RGB2GRAY')
F.vision.cvt_color(c[:,:,:,3:].detach(),'BGR2GRAY')
F.vision.cvt_color(F.transpose(pic,(0,2,3,1))[:,:,:,:1].detach(),'GRAY2RGB')
F.vision.interpolate(line,scale_factor=2,mode='linear') | F.vision.interpolate(line,7,mode='linear')
F.vision.interpolate(pic,scale_factor=(2,1.5),mode='bicubic')
F.vision.interpolate(pic,(3,4),mode='bicubic')
F.vision.interpolate(cube.detach(),(2,5,6),mode='trilinear')
"""
WINDOWS = """
F.nn.deformable_conv2d(pic,wd,move,share) | F.nn.local_conv2d(pic,wl)
F.nn.sliding_window_transpose(windows,(3,4),2) | F.nn.sliding_window_transpose(windows,(4,6),2,0,2)
F.nn.local_response_norm(wide) | F.nn.local_response_norm(wide,3,1.0,0.5,0.6)
F.nn.general_norm(t,(0,2),False) | F.nn.general_norm(t,(1,),False,eps=0.1)
F.nn.general_norm(t,(2,),True,k4,v4)
F.svd(s)[1] | F.left_shift(i,2) | F.right_shift(j,1) | i<<1 | i>>1
F.nn.ctc_loss(F.softmax(speech),mge.Tensor([6,5]),words,mge.Tensor([3,2]))
F.nn.ctc_loss(F.softmax(speech),mge.Tensor([6,6]),row,mge.Tensor([3,2]),reduction='none')
F.nn.ctc_loss(F.softmax(speech),mge.Tensor([6,4]),words*0+1,mge.Tensor([2,1]),3,'sum')
F.nn.multi_head_attention(q,kv,kv,4,2,0.,0.,io,qbias=True,kbias=True,vbias=True,obias=True)[0]
"""
EXPRESSIONS = [
    one.strip()
    for table in (OPERATORS, METHODS, ELEMWISE, MATH, TENSOR, NN, LOSS, VISION, WINDOWS)
    for line in table.strip().splitlines()
    for one in line.split(" | ")
]


def used(expression: str) -> list[str]:
    """The names of tensors in an expression."""
    names = compile(expression, expression, "eval").co_names
    return [name for name in VALUES if name in names]


def evaluate(mge: Any, expression: str) -> dict[str, Any]:
    """The results of an expression, and the gradients of the float32 tensors in it."""
    import importlib

    functional = importlib.import_module(f"{mge.__name__}.functional")
    GradManager = importlib.import_module(f"{mge.__name__}.autodiff").GradManager
    tensors = {name: mge.Tensor(VALUES[name]) for name in used(expression)}
    variables = [x for x in tensors.values() if x.dtype == np.float32]
    with GradManager() as gm:
        gm.attach(variables)
        result = eval(expression, {"F": functional, "np": np, "mge": mge, **tensors})
        results = list(result) if isinstance(result, (tuple, list)) else [result]
        heads = [one for one in results if one.dtype == np.float32]
        if heads and variables:
            gm.backward(heads, [mge.Tensor(cotangent(one.shape)) for one in heads])
    return {
        "texts": [repr(one) for one in results if one.size < 30],
        "outputs": [one.numpy() for one in results],
        "grads": [np.zeros(0) if x.grad is None else x.grad.numpy() for x in variables],
    }


def cotangent(shape: tuple[int, ...]):
    size = int(np.prod(shape, dtype=int))
    return np.cos(np.arange(size)).reshape(shape).astype("float32")


# --------------------------------------------------------------------------------- programs


def filled(module: Any, seed: int = 0) -> Any:
    """A module whose parameters have values that depend on their names' order only."""
    state = {}
    for place, (name, value) in enumerate(sorted(module.state_dict().items())):
        shift = 1.5 if name.endswith("var") else 0
        state[name] = given(*value.shape, seed=seed + place) + np.float32(shift)
    module.load_state_dict(state)
    return module


LAYERS = {
    "M.Linear(6, 3)": (2, 4, 5, 6),
    "M.Linear(6, 3, bias=False)": (4, 6),
    "M.Conv2d(4, 6, 3)": (2, 4, 5, 6),
    "M.Conv2d(4, 6, (3, 2), 2, 1, groups=2)": (2, 4, 5, 6),
    "M.Conv2d(4, 6, 3, bias=False, dilation=2, padding=(2, 1))": (2, 4, 5, 6),
    "M.ConvTranspose2d(4, 6, 3, stride=2)": (2, 4, 5, 6),
    "M.BatchNorm2d(4)": (2, 4, 5, 6),
    "M.BatchNorm2d(4, momentum=0.5, eps=0.1)": (2, 4, 5, 6),
    "M.BatchNorm2d(4, affine=False)": (2, 4, 5, 6),
    "M.BatchNorm1d(4)": (3, 4),
    "M.LayerNorm((5, 6))": (2, 4, 5, 6),
    "M.LayerNorm(6, affine=False)": (2, 4, 6),
    "M.GroupNorm(2, 4)": (2, 4, 5, 6),
    "M.InstanceNorm(4)": (2, 4, 5, 6),
    "M.PReLU()": (2, 3),
    "M.PReLU(4)": (2, 4, 5, 6),
    "M.ReLU()": (2, 3),
    "M.LeakyReLU()": (2, 3),
    "M.LeakyReLU(0.3)": (2, 3),
    "M.Sigmoid()": (2, 3),
    "M.SiLU()": (2, 3),
    "M.GELU()": (2, 3),
    "M.Softmax(axis=1)": (2, 3),
    "M.Softmax()": (2, 3),
    "M.Identity()": (2, 3),
    "M.MaxPool2d(2)": (2, 4, 5, 6),
    "M.MaxPool2d(3, 2, 1)": (2, 4, 5, 6),
    "M.AvgPool2d(2, stride=1)": (2, 4, 5, 6),
    "M.AdaptiveAvgPool2d(2)": (2, 4, 5, 6),
    "M.AdaptiveMaxPool2d((2, 3))": (2, 4, 5, 6),
    "M.PixelShuffle(2)": (2, 4, 5, 6),
    "M.Elemwise('relu')": (2, 3),
    "M.ConvTranspose3d(4, 2, 2)": (1, 4, 2, 3, 2),
    "M.ConvBnRelu2d(4, 2, 3)": (2, 4, 5, 6),
    "M.ConvBn2d(4, 2, 3, padding=1, momentum=0.5)": (2, 4, 5, 6),
    "M.ConvRelu2d(4, 2, 3, stride=2)": (2, 4, 5, 6),
    "M.ConvTransposeRelu2d(4, 2, 3)": (2, 4, 5, 6),
    "M.ConvTransposeBnRelu2d(4, 2, 3)": (2, 4, 5, 6),
    "M.LinearRelu(6, 3)": (4, 6),
    "M.LocalConv2d(4, 2, 5, 6, 3, padding=1, groups=2)": (2, 4, 5, 6),
    "M.LocalResponseNorm(3)": (2, 4, 5, 6),
    "M.GeneralNorm((4, 6), (1, 3))": (2, 4, 5, 6),
    "M.SlidingWindowTranspose((3, 4), 2)": (1, 2, 2, 3, 2, 2),
    "M.BatchMatMulActivation(2, 3, 4, nonlinear_mode='relu')": (2, 3, 4),
    "M.RNNCell(3, 2, bias=False, nonlinearity='relu')": (4, 3),
    "M.Sequential(M.Linear(3, 4), M.ReLU(), M.Linear(4, 2))": (2, 3),
    "M.Sequential(M.Conv2d(4, 2, 3), M.BatchNorm2d(2), M.ReLU(), M.MaxPool2d(2))": (2, 4, 6, 6),
}


def layer(mge: Any, text: str, shape: tuple[int, ...]) -> list:
    """A layer: its text, parameters, output, gradients, statistics, and output in evaluation."""
    import importlib

    M = importlib.import_module(f"{mge.__name__}.module")
    GradManager = importlib.import_module(f"{mge.__name__}.autodiff").GradManager
    net = filled(eval(text, {"M": M}))
    x = mge.Tensor(given(*shape, seed=1))
    with GradManager() as gm:
        gm.attach([x, *net.parameters()])
        ys = flat(net(x))
        gm.backward(ys, [mge.Tensor(cotangent(y.shape)) for y in ys])
    names = [name for name, _ in net.named_parameters()]
    grads = [np.zeros(0) if p.grad is None else p.grad for p in net.parameters()]
    parts = [repr(net), " ".join(names), *ys, x.grad, *grads]
    parts += [np.asarray(value).ravel() for value in net.state_dict().values()]
    net.eval()
    return [*parts, *flat(net(x))]


def flat(outputs: Any) -> list:
    """The tensors of a result that may be a tuple of tensors and tuples."""
    if not isinstance(outputs, (tuple, list)):
        return [outputs]
    return [one for part in outputs for one in flat(part)]


#: Layers whose gradients MegEngine gets wrong, or is ended by.
FORWARD = {
    "M.LSTM(3, 2)": (5, 4, 3),
    "M.RNN(3, 2, num_layers=2, bidirectional=True, nonlinearity='relu')": (5, 4, 3),
    "M.RNN(3, 2)": (5, 4, 3),
    "M.RNNCell(3, 2)": (4, 3),
    "M.LSTMCell(3, 2)": (4, 3),
    "M.LSTM(3, 2, 2, batch_first=True, bidirectional=True)": (4, 5, 3),
    "M.LSTM(3, 2, bias=False)": (5, 4, 3),
    "M.MultiHeadAttention(4, 2, kdim=3, vdim=3)": (2, 5, 3),
}


def forward(mge: Any, text: str, shape: tuple[int, ...]) -> list:
    """The names of a layer's parameters, and its output."""
    import importlib

    net = filled(eval(text, {"M": importlib.import_module(f"{mge.__name__}.module")}))
    x, names = mge.Tensor(given(*shape, seed=1)), [name for name, _ in net.named_tensors()]
    if "Attention" not in text:
        return [" ".join(names), *flat(net(x))]
    q = mge.Tensor(VALUES["q"])
    found = [net(q, x, x, need_weights=True)]  # masks it heeds in some batches alone
    found.append(net(q, x, x, need_weights=True, average_attn_weights=True))
    return [" ".join(names), *(one for one in flat(found) if one is not None)]


OPTIMIZERS = [
    "optim.SGD(p, 0.1)",
    "optim.SGD(p, 0.1, weight_decay=0.1)",
    "optim.SGD(p, 0.1, momentum=0.9, weight_decay=0.1)",
    "optim.SGD(p, 0.1, momentum=0.9, nesterov=True)",
    "optim.Adam(p, 0.1)",
    "optim.Adam(p, 0.1, betas=(0.5, 0.9), weight_decay=0.1)",
    "optim.AdamW(p, 0.1)",
    "optim.AdamW(p, 0.1, weight_decay=0.5)",
    "optim.Adagrad(p, 0.1, lr_decay=0.1, weight_decay=0.1)",
    "optim.Adadelta(p, 0.5, weight_decay=0.1)",
]


def optimizer(mge: Any, text: str) -> list:
    """Six steps of an optimizer, the learning rate halved in between."""
    import importlib

    optim = importlib.import_module(f"{mge.__name__}.optimizer")
    GradManager = importlib.import_module(f"{mge.__name__}.autodiff").GradManager
    p = mge.Parameter([1.0, -2.0, 3.0])
    made = eval(text, {"optim": optim, "p": [p]})
    gm = GradManager().attach([p])
    values = []
    for step in range(6):
        if step == 3:
            made.param_groups[0]["lr"] /= 2
        with gm:
            gm.backward((p * p * (0.5 * (step + 1))).sum())
        made.step().clear_grad()
        values.append(p.numpy().copy())
    state = made.state_dict()["state"].get(0, {})
    return [*values, " ".join(sorted(state)), *(state[name] for name in sorted(state))]


def printing(mge: Any) -> list:
    makers = [
        3.0,
        3,
        [],
        [[1, 2], [3, 4]],
        np.array([1.0, 2.0]),
        np.array([1, 2]),
        [True, False],
        np.ones((2, 2), "float16"),
        [1, 2.5],
        [1e-5, 1e5],
        np.linspace(0, 1, 7),
        1 / 3,
        np.arange(2000),
        range(3),
    ]
    texts = [repr(mge.Tensor(one)) for one in makers]
    p = mge.Parameter([1.0, 2.0])
    return [*texts, repr(p), repr(p + 1), str(-p), repr(p.detach()), f"{p.device} {p.dtype}"]


def writing(mge: Any) -> list:
    """Writes into tensors, inside and outside a recording."""
    import importlib

    GradManager = importlib.import_module(f"{mge.__name__}.autodiff").GradManager
    x, m = mge.Tensor([1.0, 2.0, 3.0]), mge.Tensor(given(2, 3))
    view = m[0]
    m[0, 1] = 5
    m[:, 0] = mge.Tensor([7, 8])
    m[1] = x
    view[0] = 100
    same = x
    same += 1
    z = mge.Tensor([1.0, 2.0])
    with GradManager().attach(z) as gm:
        w = z * 2
        w[0] = z[1]
        w += z
        gm.backward(w)
    v = mge.Tensor([1.0, 2.0])
    with GradManager().attach(v) as gm:
        v *= 3
        v[0] = 5.0
        gm.backward((v * v).sum())
    return [m, view, x, z.grad, v, v.grad]


def clipping(mge: Any) -> list:
    import importlib

    optim = importlib.import_module(f"{mge.__name__}.optimizer")
    a, b = mge.Parameter([0.0, 0.0]), mge.Parameter([0.0])
    a.grad, b.grad = mge.Tensor([3.0, 4.0]), mge.Tensor([12.0])
    norm = optim.clip_grad_norm([a, b], 1.0)
    first = [norm, a.grad, b.grad]
    a.grad = mge.Tensor([3.0, -4.0])
    optim.clip_grad_value([a], -1, 2)
    return [*first, a.grad]


def schedule(mge: Any) -> list:
    import importlib

    optim = importlib.import_module(f"{mge.__name__}.optimizer")
    made = optim.SGD([mge.Parameter([1.0])], 1.0)
    scheduler = optim.MultiStepLR(made, [1, 3], 0.1)
    rates = []
    for _ in range(5):
        rates.append(made.param_groups[0]["lr"])
        scheduler.step()
    return [np.array(rates), str(sorted(scheduler.state_dict().items()))]


def training(mge: Any) -> list:
    """Forty steps of a small convolutional network, and what it has learned."""
    import importlib

    F, M, optim = (
        importlib.import_module(f"{mge.__name__}.{name}")
        for name in ("functional", "module", "optimizer")
    )
    GradManager = importlib.import_module(f"{mge.__name__}.autodiff").GradManager

    class Net(M.Module):
        def __init__(self):
            super().__init__()
            self.features = M.Sequential(
                M.Conv2d(1, 4, 3, padding=1), M.BatchNorm2d(4), M.ReLU(), M.MaxPool2d(2)
            )
            self.head = [M.Conv2d(4, 6, 3), M.Linear(6, 3)]

        def forward(self, x):
            x = F.relu(self.head[0](self.features(x)))
            return self.head[1](F.flatten(F.avg_pool2d(x, 2), 1))

    net = filled(Net())
    net.train()
    optimizer = optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-3)
    manager = GradManager().attach(net.parameters())
    labels = np.arange(24, dtype="int32") % 3
    data = given(24, 1, 8, 8, seed=2) + labels.reshape(24, 1, 1, 1).astype("float32")
    losses = []
    for step in range(40):
        part = slice(step % 3 * 8, step % 3 * 8 + 8)
        with manager:
            logits = net(mge.Tensor(data[part]))
            loss = F.loss.cross_entropy(logits, mge.Tensor(labels[part]))
            manager.backward(loss)
        optimizer.step().clear_grad()
        losses.append(loss.item())
    net.eval()
    return [np.array(losses, "float32"), net(mge.Tensor(data)), *net.state_dict().values()]


def programs() -> dict[str, Callable[[Any], list]]:
    found: dict[str, Callable] = {
        "printing": printing,
        "writing": writing,
        "clipping": clipping,
        "schedule": schedule,
        "training": training,
    }
    for text, shape in FORWARD.items():
        found[f"forward {text}"] = lambda mge, text=text, shape=shape: forward(mge, text, shape)
    for text, shape in LAYERS.items():
        found[f"layer {text}"] = lambda mge, text=text, shape=shape: layer(mge, text, shape)
    for text in OPTIMIZERS:
        found[f"optimizer {text}"] = lambda mge, text=text: optimizer(mge, text)
    return found
