"""Digits told apart by a support vector machine on top of a perceptron."""

import mxnet as mx
import numpy as np

rng = np.random.RandomState(1)
centres = rng.randn(5, 12) * 2
classes = rng.randint(0, 5, 300)
data = (centres[classes] + rng.randn(300, 12)).astype("float32")
arg_params = {}
for linear in (False, True):
    net = mx.symbol.Variable("data")
    net = mx.symbol.FullyConnected(data=net, name="fc1", num_hidden=20)
    net = mx.symbol.Activation(data=net, name="relu1", act_type="relu")
    net = mx.symbol.FullyConnected(data=net, name="fc2", num_hidden=5)
    mlp = mx.symbol.SVMOutput(
        data=net, name="svm", use_linear=linear, margin=1.0, regularization_coefficient=0.5
    )
    draw = np.random.RandomState(3)
    arg_params = {
        "fc1_weight": mx.nd.array(draw.uniform(-0.3, 0.3, (20, 12))),
        "fc2_weight": mx.nd.array(draw.uniform(-0.3, 0.3, (5, 20))),
        "fc1_bias": mx.nd.zeros((20,)),
        "fc2_bias": mx.nd.zeros((5,)),
    }
    train_iter = mx.io.NDArrayIter(data[:240], classes[:240], batch_size=24, label_name="svm_label")
    test_iter = mx.io.NDArrayIter(data[240:], classes[240:], batch_size=24, label_name="svm_label")
    mod = mx.mod.Module(context=mx.cpu(), symbol=mlp, label_names=["svm_label"])
    mod.fit(
        train_data=train_iter,
        eval_data=test_iter,
        arg_params=arg_params,
        num_epoch=5,
        optimizer_params={"learning_rate": 0.01, "momentum": 0.9, "wd": 0.00001},
        eval_end_callback=lambda p: print(p.epoch, "%s %.4f" % p.eval_metric.get_name_value()[0]),
    )
    print(linear, "%.4f" % (mod.score(test_iter, mx.metric.Accuracy())[0][1] * 100))
    prob = mod.predict(test_iter)
    print(prob.shape, prob[0].asnumpy().round(3))
