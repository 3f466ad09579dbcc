"""Read four digits from an image: four heads at once, and then LSTMs with CTC."""

import mxnet as mx
import numpy as np
from mxnet import gluon

rng = np.random.RandomState(0)
glyphs = rng.rand(10, 8, 5) > 0.5
digits = rng.randint(0, 10, (120, 4))
pictures = np.concatenate([glyphs[digits[:, i]] for i in range(4)], axis=2).astype("float32")
pictures += rng.normal(0, 0.1, pictures.shape).astype("float32")


def settle(symbol, **given):
    draw = np.random.RandomState(5)
    shapes, _, _ = symbol.infer_shape(**given)
    return {
        name: mx.nd.array(draw.uniform(-0.2, 0.2, shape))
        for name, shape in zip(symbol.list_arguments(), shapes)
        if name not in given and "label" not in name and "init" not in name
    }


# 1. a convolutional network with four heads
def get_ocrnet():
    data = mx.symbol.Variable("data")
    label = mx.symbol.Variable("softmax_label")
    conv1 = mx.symbol.Convolution(data=data, kernel=(3, 3), num_filter=8)
    pool1 = mx.symbol.Pooling(data=conv1, pool_type="max", kernel=(2, 2), stride=(1, 1))
    relu1 = mx.symbol.Activation(data=pool1, act_type="relu")
    flatten = mx.symbol.Flatten(data=relu1)
    fc1 = mx.symbol.FullyConnected(data=flatten, num_hidden=32)
    heads = [mx.symbol.FullyConnected(data=fc1, num_hidden=10) for _ in range(4)]
    fc2 = mx.symbol.Concat(*heads, dim=0)
    label = mx.symbol.transpose(data=label)
    label = mx.symbol.Reshape(data=label, target_shape=(0,))
    return mx.symbol.SoftmaxOutput(data=fc2, label=label, name="softmax")


def accuracy(label, pred):
    label = label.T.reshape((-1,))
    hit = 0
    total = 0
    for i in range(pred.shape[0] // 4):
        ok = True
        for j in range(4):
            k = i * 4 + j
            if np.argmax(pred[k]) != int(label[k]):
                ok = False
                break
        if ok:
            hit += 1
        total += 1
    return 1.0 * hit / total


network = get_ocrnet()
train = mx.io.NDArrayIter(pictures[:, None], digits.astype("float32"), batch_size=24)
model = mx.mod.Module(symbol=network)
model.fit(
    train,
    eval_metric=mx.metric.np(accuracy, allow_extra_outputs=True),
    arg_params=settle(network, data=(24, 1, 8, 20), softmax_label=(24, 4)),
    optimizer="adam",
    optimizer_params={"learning_rate": 0.01},
    num_epoch=5,
)
# after training, all images are read, so the order of sums does not decide
print("%.2f" % model.score(train, mx.metric.np(accuracy))[0][1])
probs = mx.nd.array(model.predict(train).asnumpy()[:4])
print(probs.argmax(axis=1).shape)

# 2. columns of the image as steps, and connectionist temporal classification
seq_len, num_hidden, batch = 20, 12, 24


def ctc_net():
    data = mx.sym.Variable("data")
    label = mx.sym.Variable("label")
    cell = mx.rnn.FusedRNNCell(
        num_hidden, num_layers=1, mode="lstm", bidirectional=True, prefix="lstm_"
    ).unfuse()
    outputs, _ = cell.unroll(seq_len, inputs=data, layout="NTC", merge_outputs=False)
    pred_fc = mx.sym.FullyConnected(
        data=mx.sym.Concat(*[mx.sym.expand_dims(o, axis=0) for o in outputs], dim=0).reshape(
            (-1, 2 * num_hidden)
        ),
        num_hidden=11,
        name="pred_fc",
    )
    pred_ctc = mx.sym.Reshape(data=pred_fc, shape=(-4, seq_len, -1, 0))
    loss = mx.sym.contrib.ctc_loss(data=pred_ctc, label=label)
    ctc_loss = mx.sym.MakeLoss(loss)
    softmax_class = mx.symbol.SoftmaxActivation(data=pred_fc)
    softmax_loss = mx.sym.MakeLoss(softmax_class)
    softmax_loss = mx.sym.BlockGrad(softmax_loss)
    return mx.sym.Group([softmax_loss, ctc_loss])


net = ctc_net()
columns = pictures.transpose(0, 2, 1)
args = settle(net, data=(batch, seq_len, 8), label=(batch, 4))
train = mx.io.NDArrayIter(
    {"data": columns}, {"label": (digits + 1).astype("float32")}, batch_size=batch
)
module = mx.mod.Module(net, data_names=["data"], label_names=["label"])
module.bind(train.provide_data, train.provide_label)
module.init_params(mx.init.Zero(), arg_params=args, allow_missing=True)
module.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.01})
for epoch in range(3):
    train.reset()
    total = 0.0
    for one in train:
        module.forward_backward(one)
        module.update()
        total += module.get_outputs()[1].asnumpy().mean()
    print("epoch %d ctc %.3f" % (epoch, total / 5), module.get_outputs()[0].shape)
loss = gluon.loss.CTCLoss(layout="NTC", label_layout="NT")
steps = mx.nd.array(module.get_outputs()[0].asnumpy().reshape(seq_len, batch, 11)).swapaxes(0, 1)
print(loss(steps, mx.nd.array(digits[:batch])).mean().asnumpy().round(2))
