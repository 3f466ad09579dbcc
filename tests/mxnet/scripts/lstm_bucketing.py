"""A language model of sentences of several lengths: BucketingModule on stacked cells of mx.rnn."""

import argparse
import logging

import mxnet as mx
import numpy as np

parser = argparse.ArgumentParser(
    description="Train RNN on synthetic text",
    formatter_class=argparse.ArgumentDefaultsHelpFormatter,
)
parser.add_argument("--num-layers", type=int, default=2)
parser.add_argument("--num-hidden", type=int, default=10)
parser.add_argument("--num-embed", type=int, default=8)
parser.add_argument("--batch-size", type=int, default=8)
parser.add_argument("--num-epochs", type=int, default=3)
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--kv-store", type=str, default="device")
args = parser.parse_args()
logging.getLogger().setLevel(logging.ERROR)

buckets = [5, 8]
start_label, invalid_label = 1, 0
rng = np.random.RandomState(2)
words = "the cat dog sat ran on under a mat log and".split()
text = [[words[k] for k in rng.randint(0, len(words), rng.randint(3, 9))] for _ in range(60)]
sentences, vocab = mx.rnn.encode_sentences(
    text, invalid_label=invalid_label, start_label=start_label
)
print(len(vocab), sentences[0])


class FromNumPy(mx.init.Initializer):
    """Weights that are the same for every library."""

    def __init__(self, seed=5):
        super(FromNumPy, self).__init__(seed=seed)

    def _init_weight(self, name, arr):
        arr[:] = np.random.RandomState(len(name) + arr.size).uniform(-0.3, 0.3, arr.shape)

    _init_rnn = _init_default = _init_weight


class Reading(mx.io.DataIter):
    """The sentences in buckets, without shuffling."""

    def __init__(self):
        super(Reading, self).__init__(args.batch_size)
        self.rows = {b: [] for b in buckets}
        for sentence in sentences:
            b = min(b for b in buckets if b >= len(sentence))
            self.rows[b].append(sentence + [invalid_label] * (b - len(sentence)))
        self.default_bucket_key = max(buckets)
        self.provide_data = [mx.io.DataDesc("data", (args.batch_size, max(buckets)), layout="NT")]
        self.provide_label = [
            mx.io.DataDesc("softmax_label", (args.batch_size, max(buckets)), layout="NT")
        ]

    def __iter__(self):
        for b, rows in self.rows.items():
            for i in range(0, len(rows) - args.batch_size + 1, args.batch_size):
                data = np.array(rows[i : i + args.batch_size])
                label = np.zeros_like(data)
                label[:, :-1] = data[:, 1:]
                yield mx.io.DataBatch(
                    [mx.nd.array(data)],
                    [mx.nd.array(label)],
                    pad=0,
                    bucket_key=b,
                    provide_data=[mx.io.DataDesc("data", data.shape, layout="NT")],
                    provide_label=[mx.io.DataDesc("softmax_label", label.shape, layout="NT")],
                )

    def reset(self):
        pass


for kind in (mx.rnn.LSTMCell, mx.rnn.GRUCell):
    stack = mx.rnn.SequentialRNNCell()
    for i in range(args.num_layers):
        stack.add(kind(num_hidden=args.num_hidden, prefix="rnn_l%d_" % i))

    def sym_gen(seq_len):
        data = mx.sym.Variable("data")
        label = mx.sym.Variable("softmax_label")
        embed = mx.sym.Embedding(
            data=data, input_dim=len(vocab), output_dim=args.num_embed, name="embed"
        )
        stack.reset()
        outputs, states = stack.unroll(seq_len, inputs=embed, merge_outputs=True)
        pred = mx.sym.Reshape(outputs, shape=(-1, args.num_hidden))
        pred = mx.sym.FullyConnected(data=pred, num_hidden=len(vocab), name="pred")
        label = mx.sym.Reshape(label, shape=(-1,))
        pred = mx.sym.SoftmaxOutput(data=pred, label=label, name="softmax")
        return pred, ("data",), ("softmax_label",)

    data_train = Reading()
    model = mx.mod.BucketingModule(
        sym_gen=sym_gen, default_bucket_key=data_train.default_bucket_key, context=mx.cpu()
    )
    perplexity = mx.metric.Perplexity(invalid_label)

    def show(param):
        if param.nbatch % 3 == 2:
            print(param.epoch, param.nbatch, "%s %.3f" % param.eval_metric.get_name_value()[0])

    model.fit(
        train_data=data_train,
        eval_data=data_train,
        eval_metric=perplexity,
        kvstore=args.kv_store,
        optimizer="sgd",
        optimizer_params={"learning_rate": args.lr, "momentum": 0.9, "wd": 1e-5},
        initializer=FromNumPy(),
        num_epoch=args.num_epochs,
        batch_end_callback=show,
    )
    print(kind.__name__, "%.3f" % dict(model.score(data_train, perplexity))["perplexity"])
    arg_params, aux_params = model.get_params()
    print(sorted(arg_params)[:4], len(stack.unpack_weights(arg_params)))

fused = mx.rnn.FusedRNNCell(
    6, num_layers=2, mode="lstm", bidirectional=True, get_next_state=True, prefix="f_"
)
outputs, states = fused.unfuse().unroll(4, mx.sym.Variable("x"), layout="NTC", merge_outputs=True)
print(outputs.infer_shape(x=(2, 4, 3))[1], len(states))
