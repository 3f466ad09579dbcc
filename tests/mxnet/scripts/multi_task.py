"""Two tasks on one network: a digit and whether it is odd; a metric and an iterator of its own."""

import mxnet as mx
import numpy as np


def build_network():
    data = mx.symbol.Variable("data")
    fc1 = mx.symbol.FullyConnected(data=data, name="fc1", num_hidden=24)
    act1 = mx.symbol.Activation(data=fc1, name="relu1", act_type="relu")
    fc2 = mx.symbol.FullyConnected(data=act1, name="fc2", num_hidden=16)
    act2 = mx.symbol.Activation(data=fc2, name="relu2", act_type="relu")
    fc3 = mx.symbol.FullyConnected(data=act2, name="fc3", num_hidden=10)
    fc4 = mx.symbol.FullyConnected(data=act2, name="fc4", num_hidden=2)
    sm1 = mx.symbol.SoftmaxOutput(data=fc3, name="softmax1")
    sm2 = mx.symbol.SoftmaxOutput(data=fc4, name="softmax2", grad_scale=0.5)
    return mx.symbol.Group([sm1, sm2])


class MultiIter(mx.io.DataIter):
    def __init__(self, data_iter):
        super(MultiIter, self).__init__("multitask_iter")
        self.data_iter = data_iter
        self.batch_size = self.data_iter.batch_size

    @property
    def provide_data(self):
        return self.data_iter.provide_data

    @property
    def provide_label(self):
        provide_label = self.data_iter.provide_label[0]
        return [("softmax1_label", provide_label[1]), ("softmax2_label", provide_label[1])]

    def hard_reset(self):
        self.data_iter.hard_reset()

    def reset(self):
        self.data_iter.reset()

    def next(self):
        batch = self.data_iter.next()
        label = batch.label[0]
        return mx.io.DataBatch(
            data=batch.data, label=[label, label % 2], pad=batch.pad, index=batch.index
        )


class MultiAccuracy(mx.metric.EvalMetric):
    def __init__(self, num=None):
        self.num = num
        super(MultiAccuracy, self).__init__("multi-accuracy")

    def reset(self):
        self.num_inst = 0 if self.num is None else [0] * self.num
        self.sum_metric = 0.0 if self.num is None else [0.0] * self.num

    def update(self, labels, preds):
        mx.metric.check_label_shapes(labels, preds)
        if self.num is not None:
            assert len(labels) == self.num
        for i in range(len(labels)):
            pred_label = mx.nd.argmax_channel(preds[i]).asnumpy().astype("int32")
            label = labels[i].asnumpy().astype("int32")
            mx.metric.check_label_shapes(label, pred_label)
            right = (pred_label.flat == label.flat).sum()
            if self.num is None:
                self.sum_metric += right
                self.num_inst += len(pred_label.flat)
            else:
                self.sum_metric[i] += right
                self.num_inst[i] += len(pred_label.flat)

    def get(self):
        if self.num is None:
            return super(MultiAccuracy, self).get()
        return zip(
            *(
                ("%s-task%d" % (self.name, i), self.sum_metric[i] / max(1, self.num_inst[i]))
                for i in range(self.num)
            )
        )

    def get_name_value(self):
        if self.num is None:
            return super(MultiAccuracy, self).get_name_value()
        name, value = self.get()
        return list(zip(name, value))


rng = np.random.RandomState(3)
centres = rng.randn(10, 20) * 1.5
labels = np.arange(300) % 10
images = (centres[labels] + rng.randn(300, 20)).astype("float32")
train = MultiIter(mx.io.NDArrayIter(images[:240], labels[:240], 40, shuffle=False))
val = MultiIter(mx.io.NDArrayIter(images[240:], labels[240:], 30))
network = build_network()
print(network.list_outputs(), network.list_arguments()[-3:])
shapes, _, _ = network.infer_shape(data=(40, 20))
arg_params = {
    name: mx.nd.array(rng.uniform(-0.3, 0.3, shape) if "weight" in name else np.zeros(shape))
    for name, shape in zip(network.list_arguments(), shapes)
    if name.startswith("fc")
}
model = mx.mod.Module(
    context=mx.cpu(), symbol=network, label_names=("softmax1_label", "softmax2_label")
)
model.fit(
    train_data=train,
    eval_data=val,
    eval_metric=MultiAccuracy(num=2),
    num_epoch=4,
    arg_params=arg_params,
    optimizer_params=(("learning_rate", 0.1), ("momentum", 0.9), ("wd", 0.00001)),
    batch_end_callback=mx.callback.Speedometer(40, 50),
)
for name, value in model.score(val, MultiAccuracy(num=2)):
    print("%s=%.4f" % (name, value))
print([o.shape for o in model.predict(val)])
