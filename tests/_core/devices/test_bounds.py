"""No index reaches a kernel of PyTorch that a GPU would end the program for.

On a GPU, a kernel that finds an index outside an axis ends the use of the GPU for the whole
process; in host memory it raises an error. So these tests look at what each kernel is given.
"""

from __future__ import annotations

import numpy as np
import pytest

import gluon
from gluon import autograd, nd, npx
from gluon import np as gnp

torch = pytest.importorskip("torch")
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402

#: Kernels whose third argument is an index along the axis that is the second.
ALONG = "index_select gather scatter scatter_add index_add index_copy index_fill".split()


class Outside(BaseException):
    """A kernel was given an index outside an axis."""


class Watched(TorchDispatchMode):
    """Raises where a GPU would end the program."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function.overloadpacket.__name__.rstrip("_")
        if name in ("index", "index_put"):
            axis = 0
            for index in args[1]:
                mask = index is not None and index.dtype is torch.bool
                if index is not None and not mask:
                    check(name, index, args[0].shape[axis], counts_back=True)
                axis += index.ndim if mask else 1
        elif name in ALONG:
            check(name, args[2], args[0].shape[args[1]])
        elif name == "embedding":
            check(name, args[1], len(args[0]))
        elif name == "repeat_interleave" and isinstance(args[0], torch.Tensor):
            counts = args[1] if len(args) > 1 else args[0]
            if isinstance(counts, torch.Tensor) and bool((counts < 0).any()):
                raise Outside(name)
        return function(*args, **(kwargs or {}))


def check(name, index, n, counts_back=False):
    if index.numel() and not -n * counts_back <= int(index.min()) <= int(index.max()) < n:
        raise Outside(f"{name}: {index.tolist()} along an axis of length {n}")


@pytest.fixture(autouse=True)
def tensors(played, device):
    if played != "torch:cpu":
        pytest.skip("arrays of NumPy are never on a GPU")


def data():
    return nd.arange(12).reshape((3, 4))


def matrix():
    return gnp.arange(12, dtype="float32").reshape((3, 4))


def wrong(*shape):
    return gnp.array(np.resize([7, -9], shape or (2,)), dtype="int64")


def write(x, key):
    x[key] = 1.0


#: Programs with an index outside an axis: an error, as on the CPU.
ERRORS = {
    "nd": lambda: data()[nd.array([7])],
    "from the end": lambda: data()[nd.array([-9])],
    "nan": lambda: data()[nd.array([float("nan")])],
    "np": lambda: matrix()[wrong()],
    "second axis": lambda: matrix()[:, wrong()],
    "pair": lambda: matrix()[wrong(), wrong()],
    "new axis and number": lambda: matrix()[None, wrong(), 0],
    "list": lambda: matrix()[[7]],
    "of NumPy": lambda: matrix()[np.array([7])],
    "written": lambda: write(matrix(), wrong()),
    "written, second axis": lambda: write(matrix(), (slice(None), wrong())),
    "written, nd": lambda: write(data(), nd.array([9])),
    "take": lambda: nd.take(data(), nd.array([7, -9]), mode="raise"),
    "take_along_axis": lambda: gnp.take_along_axis(matrix(), wrong(3, 2), 1),
    "gather_nd": lambda: nd.gather_nd(data(), nd.array([[5, 0], [0, 9]])),
    "scatter_nd": lambda: nd.scatter_nd(
        nd.array([1.0, 2.0]), nd.array([[5, 0], [0, 9]]), shape=(3, 4)
    ),
    "index_copy": lambda: nd.contrib.index_copy(data(), nd.array([9], dtype="int64"), data()[:1]),
    "index_add": lambda: npx.index_add(matrix(), wrong(1, 1), matrix()[:1]),
    "index_update": lambda: npx.index_update(matrix(), wrong(1, 1), matrix()[:1]),
    "repeat": lambda: gnp.repeat(matrix(), [1, -1, 2], axis=0),
    "labels": lambda: gluon.loss.SoftmaxCrossEntropyLoss()(data(), nd.array([9, -9, 1])),
    "unravel_index": lambda: gnp.unravel_index(wrong(), (3, 4)),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_index_outside_is_an_error(name):
    with Watched(), pytest.raises(gluon.GluonError):
        ERRORS[name]()


ODD = [9.0, -9.0, float("nan")]
#: Programs that move an index to the nearest one, or leave it out, as MXNet does.
MOVED = {
    "take": lambda x: nd.take(x, nd.array(ODD)),
    "wrap": lambda x: nd.take(x, nd.array([9, -9]), axis=1, mode="wrap"),
    "pick": lambda x: nd.pick(x, nd.array(ODD)),
    "batch_take": lambda x: nd.batch_take(x, nd.array([9, -9, 1], dtype="int32")),
    "Embedding": lambda x: nd.Embedding(nd.array(ODD), x, input_dim=3, output_dim=4),
    "one_hot": lambda x: nd.one_hot(nd.array(ODD), 4) * x,
    "SoftmaxOutput": lambda x: nd.SoftmaxOutput(x, nd.array(ODD)),
    "SequenceMask": lambda x: nd.SequenceMask(x, nd.array([9, -9, 1, 1]), True),
    "grid": lambda x: nd.BilinearSampler(x.reshape((1, 1, 3, 4)), nd.ones((1, 2, 3, 3)) * ODD[2]),
}


@pytest.mark.parametrize("name", MOVED)
def test_an_index_is_moved_before_it_is_used(name):
    x = data()
    x.attach_grad()
    with Watched(), autograd.record():
        y = MOVED[name](x)
    with Watched():
        y.backward()
    with gluon.cpu(), np.errstate(invalid="ignore"):
        want = MOVED[name](nd.arange(12).reshape((3, 4)))
    np.testing.assert_allclose(y.asnumpy(), want.asnumpy(), rtol=1e-6)
