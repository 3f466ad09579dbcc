"""Modules put in a row: a perceptron, and a loss that Python computes; checkpoints, iterators."""

import logging
import os
import sys
import tempfile

import mxnet as mx
import numpy as np

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname)s %(message)s")
logging.getLogger().addFilter(lambda record: "Time cost" not in record.msg)


class FromNumPy(mx.init.Initializer):
    """Weights that are the same for every library."""

    def __init__(self, seed=5):
        super(FromNumPy, self).__init__(seed=seed)
        self.draw = np.random.RandomState(seed)

    def _init_weight(self, name, arr):
        arr[:] = self.draw.uniform(-0.3, 0.3, arr.shape)


def perceptron(label=True):
    data = mx.symbol.Variable("data")
    fc1 = mx.symbol.FullyConnected(data, name="fc1", num_hidden=16)
    act1 = mx.symbol.Activation(fc1, name="relu1", act_type="relu")
    fc2 = mx.symbol.FullyConnected(act1, name="fc2", num_hidden=12)
    act2 = mx.symbol.Activation(fc2, name="relu2", act_type="relu")
    fc3 = mx.symbol.FullyConnected(act2, name="fc3", num_hidden=4)
    return mx.symbol.SoftmaxOutput(fc3, name="softmax") if label else fc3


rng = np.random.RandomState(0)
features = rng.randn(240, 10).astype("float32")
classes = features[:, :4].argmax(axis=1).astype("float32")
train = mx.io.NDArrayIter(features[:200], classes[:200], batch_size=20, label_name="softmax_label")
val = mx.io.NDArrayIter(features[200:], classes[200:], batch_size=20)

# 1. high level, with a checkpoint after every second epoch
prefix = os.path.join(tempfile.mkdtemp(), "mlp")
os.chdir(os.path.dirname(prefix))
prefix = "mlp"
mod = mx.mod.Module(perceptron(), context=mx.cpu(), logger=logging.getLogger("quiet"))
logging.getLogger("quiet").setLevel(logging.ERROR)
mod.fit(
    train,
    eval_data=val,
    optimizer_params={"learning_rate": 0.2, "momentum": 0.9},
    num_epoch=6,
    initializer=FromNumPy(),
    eval_metric=["acc", mx.metric.CrossEntropy()],
    epoch_end_callback=mx.callback.module_checkpoint(mod, prefix, 2, True),
)
print(mod.score(val, ["acc", "ce", mx.metric.TopKAccuracy(2)]))
print(sorted(os.listdir(".")))
again = mx.mod.Module.load(prefix, 6, load_optimizer_states=True)
again.bind(data_shapes=val.provide_data, label_shapes=val.provide_label, for_training=False)
print(again.predict(val).asnumpy()[:2].round(4))
for preds, i_batch, batch in again.iter_predict(val):
    print(i_batch, int((preds[0].asnumpy().argmax(1) == batch.label[0].asnumpy()).sum()))

# 2. low level
mod = mx.mod.Module(perceptron())
mod.bind(data_shapes=train.provide_data, label_shapes=train.provide_label)
mod.init_params(initializer=FromNumPy(6))
mod.init_optimizer(optimizer="adam", optimizer_params=(("learning_rate", 0.01),))
metric = mx.metric.create("acc")
for i_epoch in range(3):
    train.reset()
    metric.reset()
    for i_iter, batch in enumerate(train):
        mod.forward(batch)
        mod.update_metric(metric, batch.label)
        mod.backward()
        mod.update()
    for name, value in metric.get_name_value():
        print("epoch %d %s=%.4f" % (i_epoch, name, value))

# 3. a module in Python after one of symbols
mlp = mx.mod.Module(perceptron(False), data_names=["data"], label_names=[])


def mc_hinge_grad(scores, labels):
    scores = scores.asnumpy()
    labels = labels.asnumpy().astype(int)
    n, _ = scores.shape
    grad = np.zeros_like(scores)
    for i in range(n):
        score = 1 + scores[i] - scores[i, labels[i]]
        score[labels[i]] = 0
        ind_pred = score.argmax()
        grad[i, labels[i]] -= 1
        grad[i, ind_pred] += 1
    return grad


hinge = mx.mod.PythonLossModule(grad_func=mc_hinge_grad)
both = mx.mod.SequentialModule()
both.add(mlp).add(hinge, take_labels=True, auto_wiring=True)
train.reset()
both.fit(
    train,
    eval_data=val,
    initializer=FromNumPy(7),
    optimizer_params={"learning_rate": 0.05},
    num_epoch=3,
    batch_end_callback=None,
)
print("%.3f" % dict(both.score(val, "acc"))["accuracy"])
