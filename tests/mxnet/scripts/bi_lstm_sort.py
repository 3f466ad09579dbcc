"""Sort the numbers of a sequence with LSTMs in both directions, on symbols and by hand."""

from collections import namedtuple

import mxnet as mx
import numpy as np

LSTMState = namedtuple("LSTMState", ["c", "h"])
LSTMParam = namedtuple("LSTMParam", ["i2h_weight", "i2h_bias", "h2h_weight", "h2h_bias"])


def lstm(num_hidden, indata, prev_state, param, seqidx, layeridx, dropout=0.0):
    if dropout > 0.0:
        indata = mx.sym.Dropout(data=indata, p=dropout)
    i2h = mx.sym.FullyConnected(
        data=indata,
        weight=param.i2h_weight,
        bias=param.i2h_bias,
        num_hidden=num_hidden * 4,
        name="t%d_l%d_i2h" % (seqidx, layeridx),
    )
    h2h = mx.sym.FullyConnected(
        data=prev_state.h,
        weight=param.h2h_weight,
        bias=param.h2h_bias,
        num_hidden=num_hidden * 4,
        name="t%d_l%d_h2h" % (seqidx, layeridx),
    )
    gates = i2h + h2h
    slice_gates = mx.sym.SliceChannel(
        gates, num_outputs=4, name="t%d_l%d_slice" % (seqidx, layeridx)
    )
    in_gate = mx.sym.Activation(slice_gates[0], act_type="sigmoid")
    in_transform = mx.sym.Activation(slice_gates[1], act_type="tanh")
    forget_gate = mx.sym.Activation(slice_gates[2], act_type="sigmoid")
    out_gate = mx.sym.Activation(slice_gates[3], act_type="sigmoid")
    next_c = (forget_gate * prev_state.c) + (in_gate * in_transform)
    next_h = out_gate * mx.sym.Activation(next_c, act_type="tanh")
    return LSTMState(c=next_c, h=next_h)


def bi_lstm_unroll(seq_len, input_size, num_hidden, num_embed, num_label):
    embed_weight = mx.sym.Variable("embed_weight")
    cls_weight = mx.sym.Variable("cls_weight")
    cls_bias = mx.sym.Variable("cls_bias")
    last_states, params = [], []
    for way in ("l0", "l1"):
        last_states.append(
            LSTMState(c=mx.sym.Variable(way + "_init_c"), h=mx.sym.Variable(way + "_init_h"))
        )
        params.append(
            LSTMParam(*[mx.sym.Variable("%s_%s" % (way, field)) for field in LSTMParam._fields])
        )
    data = mx.sym.Variable("data")
    label = mx.sym.Variable("softmax_label")
    embed = mx.sym.Embedding(
        data=data, input_dim=input_size, weight=embed_weight, output_dim=num_embed, name="embed"
    )
    wordvec = mx.sym.SliceChannel(data=embed, num_outputs=seq_len, squeeze_axis=1)
    forward_hidden, backward_hidden = [], []
    for seqidx in range(seq_len):
        next_state = lstm(num_hidden, wordvec[seqidx], last_states[0], params[0], seqidx, 0, 0.0)
        forward_hidden.append(next_state.h)
        last_states[0] = next_state
    for seqidx in range(seq_len):
        k = seq_len - seqidx - 1
        next_state = lstm(num_hidden, wordvec[k], last_states[1], params[1], k, 1, 0.0)
        backward_hidden.insert(0, next_state.h)
        last_states[1] = next_state
    hidden_all = [mx.sym.Concat(*[f, b], dim=1) for f, b in zip(forward_hidden, backward_hidden)]
    hidden_concat = mx.sym.Concat(*hidden_all, dim=0)
    pred = mx.sym.FullyConnected(
        data=hidden_concat, num_hidden=num_label, weight=cls_weight, bias=cls_bias, name="pred"
    )
    label = mx.sym.transpose(data=label)
    label = mx.sym.Reshape(data=label, target_shape=(0,))
    return mx.sym.SoftmaxOutput(data=pred, label=label, name="softmax")


seq_len, vocab, hidden, batch_size = 4, 10, 16, 20
rng = np.random.RandomState(4)
rows = rng.randint(0, vocab, (200, seq_len))
init_states = [
    ("%s_init_%s" % (way, part), (batch_size, hidden)) for way in ("l0", "l1") for part in "ch"
]
names = [n for n, _ in init_states]


class BatchOf(object):
    def __init__(self, data, label):
        self.data = [mx.nd.array(data)] + [mx.nd.zeros(shape) for _, shape in init_states]
        self.label = [mx.nd.array(label)]
        self.provide_data = [("data", data.shape)] + init_states
        self.provide_label = [("softmax_label", label.shape)]
        self.pad = 0


def perplexity(label, pred):
    label = label.T.reshape((-1,))
    loss = 0.0
    for i in range(pred.shape[0]):
        loss += -np.log(max(1e-10, pred[i][int(label[i])]))
    return np.exp(loss / label.size)


class Sorted(mx.io.DataIter):
    def __init__(self):
        super(Sorted, self).__init__()
        self.provide_data = [("data", (batch_size, seq_len))] + init_states
        self.provide_label = [("softmax_label", (batch_size, seq_len))]
        self.cur = 0

    def next(self):
        if self.cur >= len(rows):
            raise StopIteration
        part = rows[self.cur : self.cur + batch_size]
        self.cur += batch_size
        return BatchOf(part, np.sort(part, axis=1))

    def reset(self):
        self.cur = 0


symbol = bi_lstm_unroll(seq_len, vocab, hidden, 8, vocab)
print(symbol.list_arguments()[:6], symbol.list_outputs())
data_train = Sorted()
shapes = dict(data_train.provide_data + data_train.provide_label)
arg_shapes, out_shapes, _ = symbol.infer_shape(**shapes)
arg_params = {
    name: mx.nd.array(rng.uniform(-0.4, 0.4, shape))
    for name, shape in zip(symbol.list_arguments(), arg_shapes)
    if name not in shapes
}
model = mx.mod.Module(symbol, data_names=["data"] + names, label_names=["softmax_label"])
model.fit(
    data_train,
    eval_metric=mx.metric.np(perplexity),
    optimizer="adam",
    optimizer_params={"learning_rate": 0.02},
    arg_params=arg_params,
    num_epoch=4,
    batch_end_callback=lambda p: (
        print(p.epoch, "%s %.3f" % p.eval_metric.get_name_value()[0]) if p.nbatch == 9 else None
    ),
)
arg_params, _ = model.get_params()

one = symbol.get_internals()["softmax_output"].simple_bind(
    mx.cpu(),
    grad_req="null",
    data=(1, seq_len),
    softmax_label=(1, seq_len),
    **{n: (1, hidden) for n in names},
)
one.copy_params_from(arg_params, {}, allow_extra_params=True)
one.arg_dict["data"][:] = np.array([[7, 1, 9, 3]])
one.forward(is_train=False)
print(one.outputs[0].shape, one.outputs[0].asnumpy().argmax(axis=1))
