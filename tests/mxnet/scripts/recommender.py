"""Ratings by factors on symbols: a matrix factorisation, a deep one, and cosines of negatives."""

import mxnet as mx
import numpy as np
from mxnet.test_utils import *

rng = np.random.RandomState(9)
max_user, max_item = 12, 15
truth = rng.rand(max_user, 3).dot(rng.rand(3, max_item)) * 3
users, items = rng.randint(0, max_user, 320), rng.randint(0, max_item, 320)
scores = truth[users, items].astype("float32")


def RMSE(label, pred):
    ret = 0.0
    n = 0.0
    pred = pred.flatten()
    for i in range(len(label)):
        ret += (label[i] - pred[i]) * (label[i] - pred[i])
        n += 1.0
    return np.sqrt(ret / n)


def plain_net(k):
    user, item, score = (mx.symbol.Variable(n) for n in ("user", "item", "score"))
    user = mx.symbol.Embedding(data=user, input_dim=max_user, output_dim=k, name="user_embed")
    item = mx.symbol.Embedding(data=item, input_dim=max_item, output_dim=k, name="item_embed")
    pred = mx.symbol.sum(data=user * item, axis=1)
    pred = mx.symbol.Flatten(data=pred)
    return mx.symbol.LinearRegressionOutput(data=pred, label=score)


def deep_net(k):
    user, item, score = (mx.symbol.Variable(n) for n in ("user", "item", "score"))
    user = mx.symbol.Embedding(data=user, input_dim=max_user, output_dim=k, name="user_embed")
    item = mx.symbol.Embedding(data=item, input_dim=max_item, output_dim=k, name="item_embed")

    def tower(x, name):
        x = mx.symbol.FullyConnected(data=x, num_hidden=k, name=name + "_fc")
        x = mx.symbol.Activation(data=x, act_type="relu")
        return mx.symbol.LayerNorm(x, name=name + "_ln")

    pred = mx.symbol.broadcast_mul(tower(user, "user"), tower(item, "item"))
    pred = mx.symbol.FullyConnected(data=pred, num_hidden=1, name="out")
    return mx.symbol.LinearRegressionOutput(data=pred, label=score, name="score_out")


def cosine_net(k):
    user, item, score = (mx.symbol.Variable(n) for n in ("user", "item", "score"))
    user = mx.symbol.Embedding(data=user, input_dim=max_user, output_dim=k, name="user_embed")
    item = mx.symbol.Embedding(data=item, input_dim=max_item, output_dim=k, name="item_embed")
    user, item = mx.symbol.L2Normalization(user), mx.symbol.L2Normalization(item)
    cosine = mx.symbol.sum(user * item, axis=1)
    return mx.symbol.MAERegressionOutput(data=cosine, label=score / 3)


for build in (plain_net, deep_net, cosine_net):
    net = build(4)
    shapes, _, _ = net.infer_shape(user=(32,), item=(32,), score=(32,))
    draw = np.random.RandomState(3)
    args = {
        name: mx.nd.array(draw.uniform(0.1, 0.8, shape))
        for name, shape in zip(net.list_arguments(), shapes)
        if name not in ("user", "item", "score")
    }
    train = mx.io.NDArrayIter(
        {"user": users[:256], "item": items[:256]}, {"score": scores[:256]}, batch_size=32
    )
    test = mx.io.NDArrayIter(
        {"user": users[256:], "item": items[256:]}, {"score": scores[256:]}, batch_size=32
    )
    model = mx.module.Module(
        context=mx.cpu(), data_names=["user", "item"], label_names=["score"], symbol=net
    )
    model.fit(
        train,
        eval_metric=mx.metric.CustomMetric(RMSE),
        eval_data=test,
        arg_params=args,
        optimizer="adam",
        optimizer_params={"learning_rate": 0.02, "wd": 1e-4},
        num_epoch=4,
        eval_end_callback=lambda p: print(p.epoch, "%s %.4f" % p.eval_metric.get_name_value()[0]),
    )
print(np.isfinite(rand_ndarray((2, 2)).asnumpy()).all(), same(np.ones(2), np.ones(2)))
