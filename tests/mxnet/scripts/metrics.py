"""Metrics by their names, and callbacks that log them."""

import logging
import re
import sys
import time

import mxnet as mx
from mxnet import nd

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname)s %(message)s")
from collections import namedtuple

BatchEndParam = namedtuple("BatchEndParams", ["epoch", "nbatch", "eval_metric", "locals"])
m = mx.metric.CompositeEvalMetric()
for c in (
    "acc",
    "ce",
    mx.metric.TopKAccuracy(top_k=2),
    mx.metric.CrossEntropy(),
    "mse",
):
    m.add(mx.metric.create(c))
p = nd.array([[0.1, 0.7, 0.2], [0.3, 0.3, 0.4], [0.8, 0.1, 0.1]])
l = nd.array([1, 0, 0])


class S(mx.callback.Speedometer):
    pass


sp = mx.callback.Speedometer(32, 2, auto_reset=False)
pb = mx.callback.ProgressBar(4, 10)
lg = mx.callback.LogValidationMetricsCallback()
acc = mx.metric.Accuracy()


class H(logging.Handler):
    def emit(self, r):
        print("LOG", re.sub(r"\d+\.\d+ samples", "N samples", r.getMessage()))


logging.getLogger().handlers = [H()]
for i in range(5):
    acc.update([l], [p])
    par = BatchEndParam(epoch=0, nbatch=i, eval_metric=acc, locals=locals())
    time.sleep(0.02)
    sp(par)
lg(BatchEndParam(1, 2, acc, None))
mx.callback.log_train_metric(1)(BatchEndParam(0, 1, acc, None))
for name in (
    "acc",
    "top_k_accuracy",
    "ce",
    "nll_loss",
    "perplexity",
    "mae",
    "mse",
    "rmse",
    "pearsonr",
    "f1",
    "mcc",
    "loss",
    "pcc",
):
    k = mx.metric.create(
        name,
        **(
            {"top_k": 2}
            if name == "top_k_accuracy"
            else {"ignore_label": None}
            if name == "perplexity"
            else {}
        ),
    )
    if name in ("mae", "mse", "rmse", "pearsonr"):
        k.update([nd.array([1.0, 2, 3])], [nd.array([1.1, 2.5, 2])])
    elif name in ("f1", "mcc"):
        k.update([nd.array([1, 0, 1])], [nd.array([[0.1, 0.9], [0.4, 0.6], [0.2, 0.8]])])
    elif name == "loss":
        k.update(None, [nd.array([1.0, 3])])
    else:
        k.update([l], [p])
    n, v = k.get()
    print(n, round(float(v), 5), k.get_config().get("metric"))
print(
    mx.metric.np(lambda a, b: float((a == b.argmax(1)).mean())).get(),
    str(acc),
    mx.metric.check_label_shapes([1], [2]),
)


@mx.metric.register
class Mine(mx.metric.EvalMetric):
    def __init__(self):
        super(Mine, self).__init__("mine")

    def update(self, labels, preds):
        self.sum_metric += 1
        self.num_inst += 2


mm = mx.metric.create("mine")
mm.update(None, None)
print(mm.get(), mx.metric.create(["acc", "mae"]).get())
ev = mx.callback.do_checkpoint
mod = mx.callback.module_checkpoint
print(callable(ev), callable(mod))
