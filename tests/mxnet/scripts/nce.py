"""A word's neighbours by noise-contrastive estimation, on symbols."""

import mxnet as mx
import numpy as np

vocab_size, num_label, num_input, embed = 30, 5, 4, 8


def nce_loss(data, label, label_weight, embed_weight, vocab_size, num_hidden):
    label_embed = mx.sym.Embedding(
        data=label,
        input_dim=vocab_size,
        weight=embed_weight,
        output_dim=num_hidden,
        name="label_embed",
    )
    data = mx.sym.Reshape(data=data, shape=(-1, 1, num_hidden))
    pred = mx.sym.broadcast_mul(data, label_embed)
    pred = mx.sym.sum(data=pred, axis=2)
    return mx.sym.LogisticRegressionOutput(data=pred, label=label_weight)


def get_word_net(vocab_size, num_input):
    data = mx.sym.Variable("data")
    label = mx.sym.Variable("label")
    label_weight = mx.sym.Variable("label_weight")
    embed_weight = mx.sym.Variable("embed_weight")
    data_embed = mx.sym.Embedding(
        data=data,
        input_dim=vocab_size,
        weight=embed_weight,
        output_dim=embed,
        name="data_embed",
    )
    datavec = mx.sym.SliceChannel(
        data=data_embed, num_outputs=num_input, squeeze_axis=1, name="data_slice"
    )
    pred = datavec[0]
    for i in range(1, num_input):
        pred = pred + datavec[i]
    return nce_loss(pred, label, label_weight, embed_weight, vocab_size, embed)


class NceAuc(mx.metric.EvalMetric):
    def __init__(self):
        super(NceAuc, self).__init__("nce-auc")

    def update(self, labels, preds):
        label_weight = labels[1].asnumpy()
        preds = preds[0].asnumpy()
        tmp = []
        for i in range(preds.shape[0]):
            for j in range(preds.shape[1]):
                tmp.append((label_weight[i][j], preds[i][j]))
        tmp = sorted(tmp, key=lambda itm: itm[1], reverse=True)
        m = 0.0
        n = 0.0
        z = 0.0
        k = 0
        for a, _ in tmp:
            if a > 0.5:
                m += 1.0
                z += len(tmp) - k
            else:
                n += 1.0
            k += 1
        z -= m * (m + 1.0) / 2.0
        self.sum_metric += z / m / n
        self.num_inst += 1


class SimpleBatch(object):
    def __init__(self, data_names, data, label_names, label):
        self.data, self.label = data, label
        self.data_names, self.label_names = data_names, label_names

    @property
    def provide_data(self):
        return [(n, x.shape) for n, x in zip(self.data_names, self.data)]

    @property
    def provide_label(self):
        return [(n, x.shape) for n, x in zip(self.label_names, self.label)]


class Words(mx.io.DataIter):
    def __init__(self, batch_size):
        super(Words, self).__init__(batch_size)
        self.draw = np.random.RandomState(6)
        self.text = self.draw.zipf(1.4, 500) % vocab_size
        self.provide_data = [("data", (batch_size, num_input))]
        self.provide_label = [
            ("label", (batch_size, num_label)),
            ("label_weight", (batch_size, num_label)),
        ]

    def __iter__(self):
        batch_data, batch_label, batch_label_weight = [], [], []
        for i in range(2, len(self.text) - 2):
            around = [self.text[i + k] for k in (-2, -1, 1, 2)]
            noise = [self.text[k] for k in self.draw.randint(0, len(self.text), num_label - 1)]
            batch_data.append(around)
            batch_label.append([self.text[i]] + noise)
            batch_label_weight.append([1.0] + [0.0] * (num_label - 1))
            if len(batch_data) == self.batch_size:
                yield SimpleBatch(
                    ["data"],
                    [mx.nd.array(batch_data)],
                    ["label", "label_weight"],
                    [mx.nd.array(batch_label), mx.nd.array(batch_label_weight)],
                )
                batch_data, batch_label, batch_label_weight = [], [], []

    def reset(self):
        pass


network = get_word_net(vocab_size, num_input)
print(network.list_arguments())
weight = mx.nd.array(np.random.RandomState(1).uniform(-0.3, 0.3, (vocab_size, embed)))
for optimizer, rate in (("sgd", 0.3), ("adagrad", 0.1)):
    model = mx.mod.Module(
        symbol=network, data_names=["data"], label_names=["label", "label_weight"]
    )
    model.fit(
        train_data=Words(16),
        eval_metric=NceAuc(),
        num_epoch=3,
        optimizer=optimizer,
        optimizer_params={"learning_rate": rate, "wd": 0.0001},
        arg_params={"embed_weight": weight},
        epoch_end_callback=lambda epoch, sym, args, auxs: print(
            epoch, "%.4f" % mx.nd.norm(args["embed_weight"]).asscalar()
        ),
    )
    print(optimizer, "%.3f" % model.score(Words(16), NceAuc())[0][1])
