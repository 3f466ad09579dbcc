"""The ways in which scripts look for a GPU."""

import mxnet as mx
from mxnet import nd
from mxnet.base import MXNetError


def try_gpu():
    """Return gpu(0) if there is one, else cpu()."""
    try:
        ctx = mx.gpu()
        _ = nd.array([0], ctx=ctx)
    except mx.base.MXNetError:
        ctx = mx.cpu()
    return ctx


def try_all_gpus():
    ctxes = []
    try:
        for i in range(16):
            ctx = mx.gpu(i)
            _ = nd.array([0], ctx=ctx)
            ctxes.append(ctx)
    except MXNetError:
        pass
    return ctxes or [mx.cpu()]


def bare():
    try:
        a = mx.nd.zeros((1,), ctx=mx.gpu(0))
        ctx = [mx.gpu(0)]
    except:
        ctx = [mx.cpu()]
    return ctx


def has_gpu(number=0):
    try:
        mx.nd.array([1, 2, 3], ctx=mx.gpu(number)).asnumpy()
        return True
    except (ValueError, mx.MXNetError):
        return False


def with_block():
    try:
        with mx.gpu():
            nd.ones((2, 3))
    except Exception:
        return "cpu"
    return "gpu"


def copied():
    try:
        nd.ones((1,)).as_in_context(mx.gpu())
        return mx.gpu()
    except MXNetError as error:
        return mx.cpu()


def memory():
    try:
        return mx.context.gpu_memory_info(0)
    except Exception:
        return None


print(try_gpu(), try_all_gpus(), bare(), has_gpu(), with_block(), copied(), memory())
print(mx.context.num_gpus(), mx.gpu(1), mx.cpu() == mx.cpu(0), mx.Context("gpu", 2))
ctx = mx.gpu() if mx.context.num_gpus() > 0 else mx.cpu()
print(nd.ones((2,), ctx).context, mx.current_context())
