"""A word language model: an LSTM, truncated backpropagation, clipped gradients."""

import math

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon
from mxnet.gluon import nn, rnn


class RNNModel(gluon.Block):
    """A model with an encoder, a recurrent layer and a decoder."""

    def __init__(self, vocab_size, num_embed, num_hidden, num_layers, **kwargs):
        super(RNNModel, self).__init__(**kwargs)
        with self.name_scope():
            self.encoder = nn.Embedding(vocab_size, num_embed)
            self.rnn = rnn.LSTM(num_hidden, num_layers, input_size=num_embed)
            self.decoder = nn.Dense(vocab_size, in_units=num_hidden)
            self.num_hidden = num_hidden

    def forward(self, inputs, hidden):
        output, hidden = self.rnn(self.encoder(inputs), hidden)
        return self.decoder(output.reshape((-1, self.num_hidden))), hidden

    def begin_state(self, *args, **kwargs):
        return self.rnn.begin_state(*args, **kwargs)


def batchify(data, batch_size):
    nbatch = data.shape[0] // batch_size
    return data[: nbatch * batch_size].reshape((batch_size, nbatch)).T


def detach(hidden):
    if isinstance(hidden, (tuple, list)):
        return [detach(h) for h in hidden]
    return hidden.detach()


context = mx.cpu(0)
text = ("the cat sat on the mat and the dog sat on the log " * 12).split()
vocabulary = sorted(set(text))
corpus = mx.nd.array([vocabulary.index(word) for word in text], dtype="int32")
batch_size, bptt = 4, 6
train_data = batchify(corpus, batch_size).as_in_context(context)

model = RNNModel(len(vocabulary), 8, 12, 1)
model.initialize(mx.init.Zero(), ctx=context)
rng = np.random.RandomState(3)
for name, param in sorted(model.collect_params().items()):
    param.set_data(mx.nd.array(rng.uniform(-0.4, 0.4, param.shape)))
trainer = gluon.Trainer(
    model.collect_params(), "sgd", {"learning_rate": 1.0, "momentum": 0, "wd": 0}
)
loss = gluon.loss.SoftmaxCrossEntropyLoss()

for epoch in range(4):
    total, count = 0.0, 0
    hidden = model.begin_state(func=mx.nd.zeros, batch_size=batch_size, ctx=context)
    for i in range(0, train_data.shape[0] - 1, bptt):
        seq_len = min(bptt, train_data.shape[0] - 1 - i)
        data = train_data[i : i + seq_len]
        target = train_data[i + 1 : i + 1 + seq_len].reshape((-1,))
        hidden = detach(hidden)
        with autograd.record():
            output, hidden = model(data, hidden)
            L = loss(output, target)
        L.backward()
        grads = [p.grad(context) for p in model.collect_params().values()]
        norm = gluon.utils.clip_global_norm(grads, 0.2 * bptt * batch_size)
        trainer.step(batch_size * seq_len)
        total += mx.nd.sum(L).asscalar()
        count += L.size
    print("epoch %d loss %.3f perplexity %.2f" % (epoch, total / count, math.exp(total / count)))
