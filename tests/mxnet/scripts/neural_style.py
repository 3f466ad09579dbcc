"""An image in the style of another one: executors, their outputs' gradients, total variation."""

from collections import namedtuple

import mxnet as mx
import numpy as np

Executor = namedtuple("Executor", ["executor", "data", "data_grad"])
size = (16, 16)


def features():
    data = mx.sym.Variable("data")
    out, style = data, []
    for k, width in enumerate((4, 8)):
        for i in (1, 2):
            out = mx.sym.Convolution(
                name="conv%d_%d" % (k, i),
                data=out,
                num_filter=width,
                pad=(1, 1),
                kernel=(3, 3),
                stride=(1, 1),
                no_bias=False,
                workspace=1024,
            )
            out = mx.sym.Activation(name="relu%d_%d" % (k, i), data=out, act_type="relu")
        style.append(out)
        out = mx.sym.Pooling(data=out, pad=(0, 0), kernel=(2, 2), stride=(2, 2), pool_type="avg")
    return mx.sym.Group(style), mx.sym.Group([out])


def style_gram_symbol(style):
    _, output_shapes, _ = style.infer_shape(data=(1, 3, size[0], size[1]))
    gram_list, grad_scale = [], []
    for i in range(len(style.list_outputs())):
        shape = output_shapes[i]
        x = mx.sym.Reshape(style[i], target_shape=(int(shape[1]), int(np.prod(shape[2:]))))
        gram = mx.sym.FullyConnected(x, x, no_bias=True, num_hidden=shape[1])
        gram_list.append(gram)
        grad_scale.append(int(np.prod(shape[1:]) * shape[1]))
    return mx.sym.Group(gram_list), grad_scale


def get_loss(gram, content):
    gram_loss = []
    for i in range(len(gram.list_outputs())):
        gvar = mx.sym.Variable("target_gram_%d" % i)
        gram_loss.append(mx.sym.sum(mx.sym.square(gvar - gram[i])))
    cvar = mx.sym.Variable("target_content")
    content_loss = mx.sym.sum(mx.sym.square(cvar - content))
    return mx.sym.Group(gram_loss), content_loss


def get_executor(symbol, params, ctx, grad):
    arg_shapes, output_shapes, aux_shapes = symbol.infer_shape(data=(1, 3) + size)
    arg_names = symbol.list_arguments()
    arg_dict = dict(zip(arg_names, [mx.nd.zeros(shape, ctx=ctx) for shape in arg_shapes]))
    grad_dict = {"data": arg_dict["data"].copyto(ctx)}
    for key in arg_names:
        if key in params:
            params[key].copyto(arg_dict[key])
    executor = symbol.bind(
        ctx=ctx,
        args=arg_dict,
        args_grad=grad_dict if grad else {},
        grad_req="write" if grad else "null",
    )
    return Executor(executor=executor, data=arg_dict["data"], data_grad=grad_dict["data"])


def get_tv_grad_executor(img, ctx, tv_weight):
    nchannel = img.shape[1]
    simg = mx.sym.Variable("img")
    skernel = mx.sym.Variable("kernel")
    channels = mx.sym.SliceChannel(simg, num_outputs=nchannel)
    out = mx.sym.Concat(
        *[
            mx.sym.Convolution(
                data=channels[i],
                weight=skernel,
                num_filter=1,
                kernel=(3, 3),
                pad=(1, 1),
                no_bias=True,
                stride=(1, 1),
            )
            for i in range(nchannel)
        ]
    )
    kernel = mx.nd.array(np.array([[0, -1, 0], [-1, 4, -1], [0, -1, 0]]).reshape((1, 1, 3, 3)), ctx)
    kernel /= 8.0
    out = out * tv_weight
    return out.bind(ctx, args={"img": img, "kernel": kernel})


dev = mx.cpu()
rng = np.random.RandomState(2)
content_np = rng.uniform(-1, 1, (1, 3) + size).astype("float32")
style_np = np.sin(np.arange(3 * 256).reshape((1, 3) + size) / 3.0).astype("float32")
style, content = features()
gram, gscale = style_gram_symbol(style)
shapes, _, _ = content.infer_shape(data=(1, 3) + size)
params = {
    name: mx.nd.array(rng.normal(0, 0.3, shape))
    for name, shape in zip(content.list_arguments(), shapes)
    if name != "data"
}
print(gram.list_outputs(), gscale)
executor = get_executor(mx.sym.Group([gram, content]), params, dev, False)
executor.data[:] = style_np
executor.executor.forward()
targets = {"target_gram_%d" % i: executor.executor.outputs[i].copyto(mx.cpu()) for i in range(2)}
executor.data[:] = content_np
executor.executor.forward()
targets["target_content"] = executor.executor.outputs[2].copyto(mx.cpu())

style_loss, content_loss = get_loss(gram, content)
model = get_executor(mx.sym.Group([style_loss, content_loss]), dict(params, **targets), dev, True)
grad_array = [mx.nd.ones((1,), dev) * (1.0 / gscale[i]) for i in range(2)]
grad_array.append(mx.nd.ones((1,), dev) * 10.0 / 8 / 16)
img = mx.nd.array(content_np + rng.uniform(-0.1, 0.1, content_np.shape), ctx=dev)
tv_grad_executor = get_tv_grad_executor(img, dev, 0.01)
lr = mx.lr_scheduler.FactorScheduler(step=4, factor=0.9, base_lr=0.1)
optimizer = mx.optimizer.NAG(learning_rate=0.1, wd=0.0001, momentum=0.95, lr_scheduler=lr)
optim_state = optimizer.create_state(0, img)
old_img = img.copyto(dev)
clip_norm = 1 * np.prod(img.shape)
for e in range(10):
    img.copyto(model.data)
    model.executor.forward()
    model.executor.backward(grad_array)
    gnorm = mx.nd.norm(model.data_grad).asscalar()
    if gnorm > clip_norm:
        model.data_grad[:] *= clip_norm / gnorm
    tv_grad_executor.forward()
    optimizer.update(0, img, model.data_grad + tv_grad_executor.outputs[0], optim_state)
    eps = (mx.nd.norm(old_img - img) / mx.nd.norm(img)).asscalar()
    old_img = img.copyto(dev)
    if e % 3 == 0:
        losses = [out.asnumpy().item() for out in model.executor.outputs]
        print(e, " ".join("%.4f" % loss for loss in losses), "%.2f %.3f" % (gnorm, eps))
