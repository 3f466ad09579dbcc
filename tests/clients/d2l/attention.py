"""Attention: the scoring functions, several heads, transformers for text and for images."""

from __future__ import annotations

import math

from d2l import mxnet as d2l
from harness import Result, fit, normal, program, settle
from language import translate
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn
from regression import Squares


def learn(net, inputs, target, steps: int = 20, rate: float = 0.02) -> Result:
    """Train a block to reproduce `target`."""
    net.initialize()
    net(*inputs)
    settle(net)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": rate})
    losses = []
    for _ in range(steps):
        with autograd.record():
            loss = ((net(*inputs) - target) ** 2).mean()
        loss.backward()
        trainer.step(1)
        losses.append(float(loss))
    return Result(losses[0], losses[-1])


def queries() -> tuple:
    """Queries, keys, values and the number of valid keys."""
    return normal(14, 2, 3, 8), normal(15, 2, 5, 8), normal(16, 2, 5, 4), np.array([2, 4])


@program("DotProductAttention, masked_softmax")
def dot_product() -> Result:
    class Net(nn.Block):
        def __init__(self):
            super().__init__()
            self.query = nn.Dense(8, flatten=False)
            self.attention = d2l.DotProductAttention(dropout=0)

        def forward(self, q, k, v, lens):
            return self.attention(self.query(q), k, v, lens)

    q, k, v, lens = queries()
    net = Net()
    result = learn(net, (q, k, v, lens), np.zeros((2, 3, 4)))
    weights = net.attention.attention_weights
    assert float(weights[0, :, 2:].sum()) == 0
    assert abs(float(weights.sum()) - 6) < 1e-5
    d2l.show_heatmaps(weights.reshape((1, 2, 3, 5)), xlabel="Keys", ylabel="Queries")
    every = np.array([[1, 2, 3], [5, 4, 1]])
    assert d2l.masked_softmax(np.ones((2, 3, 5)), every)[0, 0].asnumpy().tolist() == [1, 0, 0, 0, 0]
    return result


@program("AdditiveAttention")
def additive() -> Result:
    return learn(d2l.AdditiveAttention(num_hiddens=8, dropout=0), queries(), np.zeros((2, 3, 4)))


@program("MultiHeadAttention")
def multi_head() -> Result:
    q, k, _, lens = queries()
    net = d2l.MultiHeadAttention(num_hiddens=8, num_heads=2, dropout=0)
    return learn(net, (q, k, k, lens), normal(17, 2, 3, 8))


@program("PositionalEncoding, PositionWiseFFN, AddNorm")
def pieces() -> Result:
    class Net(nn.Block):
        def __init__(self):
            super().__init__()
            self.encoding = d2l.PositionalEncoding(8, dropout=0)
            self.ffn = d2l.PositionWiseFFN(16, 8)
            self.norm = d2l.AddNorm(dropout=0)

        def forward(self, X):
            X = self.encoding(X)
            return self.norm(X, self.ffn(X))

    return learn(Net(), (normal(18, 2, 5, 8),), normal(19, 2, 5, 8))


@program("TransformerEncoder, TransformerEncoderBlock")
def encoder() -> Result:
    net = d2l.TransformerEncoder(20, 8, 16, 2, 2, dropout=0)
    X = np.array([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]])
    result = learn(net, (X, np.array([3, 5])), normal(20, 2, 5, 8), rate=0.01)
    assert [w.shape for w in net.attention_weights] == [(4, 5, 5)] * 2
    return result


class Seq2SeqAttentionDecoder(d2l.AttentionDecoder):
    """A recurrent decoder that attends to the encoder's outputs at each step."""

    def __init__(self, vocab_size, embed_size, num_hiddens, num_layers, dropout=0):
        super().__init__()
        self.attention = d2l.AdditiveAttention(num_hiddens, dropout)
        self.embedding = nn.Embedding(vocab_size, embed_size)
        self.rnn = d2l.GRU(num_hiddens, num_layers, dropout)
        self.dense = nn.Dense(vocab_size, flatten=False)
        self.initialize(init.Xavier())

    def init_state(self, enc_outputs, enc_valid_lens):
        outputs, hidden_state = enc_outputs
        return outputs.swapaxes(0, 1), hidden_state, enc_valid_lens

    def forward(self, X, state):
        enc_outputs, hidden_state, enc_valid_lens = state
        X = self.embedding(X).swapaxes(0, 1)
        outputs, self._attention_weights = [], []
        for x in X:
            query = np.expand_dims(hidden_state[-1], axis=1)
            context = self.attention(query, enc_outputs, enc_outputs, enc_valid_lens)
            x = np.concatenate((context, np.expand_dims(x, axis=1)), axis=-1)
            out, hidden_state = self.rnn(x.swapaxes(0, 1), hidden_state)
            outputs.append(out)
            self._attention_weights.append(self.attention.attention_weights)
        outputs = self.dense(np.concatenate(outputs, axis=0))
        return outputs.swapaxes(0, 1), [enc_outputs, hidden_state, enc_valid_lens]

    @property
    def attention_weights(self):
        return self._attention_weights


@program("AttentionDecoder, AdditiveAttention in Seq2Seq")
def attention_decoder() -> Result:
    return translate(
        lambda data: d2l.Seq2SeqEncoder(len(data.src_vocab), 16, 16, 1),
        lambda data: Seq2SeqAttentionDecoder(len(data.tgt_vocab), 16, 16, 1),
        weights=True,
    )


class TransformerDecoderBlock(nn.Block):
    """Self-attention, attention to the encoder, and a perceptron for each position."""

    def __init__(self, num_hiddens, ffn_num_hiddens, num_heads, dropout, i):
        super().__init__()
        self.i = i
        self.attention1 = d2l.MultiHeadAttention(num_hiddens, num_heads, dropout)
        self.addnorm1 = d2l.AddNorm(dropout)
        self.attention2 = d2l.MultiHeadAttention(num_hiddens, num_heads, dropout)
        self.addnorm2 = d2l.AddNorm(dropout)
        self.ffn = d2l.PositionWiseFFN(ffn_num_hiddens, num_hiddens)
        self.addnorm3 = d2l.AddNorm(dropout)

    def forward(self, X, state):
        enc_outputs, enc_valid_lens = state[0], state[1]
        seen = state[2][self.i]
        key_values = X if seen is None else np.concatenate((seen, X), axis=1)
        state[2][self.i] = key_values
        dec_valid_lens = None
        if autograd.is_training():
            batch_size, num_steps, _ = X.shape
            dec_valid_lens = np.tile(np.arange(1, num_steps + 1, ctx=X.ctx), (batch_size, 1))
        X2 = self.attention1(X, key_values, key_values, dec_valid_lens)
        Y = self.addnorm1(X, X2)
        Y2 = self.attention2(Y, enc_outputs, enc_outputs, enc_valid_lens)
        Z = self.addnorm2(Y, Y2)
        return self.addnorm3(Z, self.ffn(Z)), state


class TransformerDecoder(d2l.AttentionDecoder):
    """Decoder blocks over word embeddings with positional encoding."""

    def __init__(self, vocab_size, num_hiddens, ffn_num_hiddens, num_heads, num_blks, dropout):
        super().__init__()
        self.num_hiddens, self.num_blks = num_hiddens, num_blks
        self.embedding = nn.Embedding(vocab_size, num_hiddens)
        self.pos_encoding = d2l.PositionalEncoding(num_hiddens, dropout)
        self.blks = nn.Sequential()
        for i in range(num_blks):
            self.blks.add(
                TransformerDecoderBlock(num_hiddens, ffn_num_hiddens, num_heads, dropout, i)
            )
        self.dense = nn.Dense(vocab_size, flatten=False)
        self.initialize()

    def init_state(self, enc_outputs, enc_valid_lens):
        return [enc_outputs, enc_valid_lens, [None] * self.num_blks]

    def forward(self, X, state):
        X = self.pos_encoding(self.embedding(X) * math.sqrt(self.num_hiddens))
        self._attention_weights = []
        for blk in self.blks:
            X, state = blk(X, state)
            self._attention_weights.append(blk.attention2.attention.attention_weights)
        return self.dense(X), state

    @property
    def attention_weights(self):
        return self._attention_weights


@program("TransformerEncoder and a decoder in Seq2Seq")
def transformer() -> Result:
    return translate(
        lambda data: d2l.TransformerEncoder(len(data.src_vocab), 16, 32, 2, 2, 0),
        lambda data: TransformerDecoder(len(data.tgt_vocab), 16, 32, 2, 2, 0),
        weights=True,
    )


class ViTBlock(nn.Block):
    """A block of a vision transformer: normalisation first."""

    def __init__(self, num_hiddens, mlp_num_hiddens, num_heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(), nn.LayerNorm()
        self.attention = d2l.MultiHeadAttention(num_hiddens, num_heads, 0, use_bias=True)
        self.mlp = nn.Sequential()
        self.mlp.add(nn.Dense(mlp_num_hiddens, flatten=False), nn.GELU())
        self.mlp.add(nn.Dense(num_hiddens, flatten=False))

    def forward(self, X):
        normed = self.ln1(X)
        X = X + self.attention(normed, normed, normed, None)
        return X + self.mlp(self.ln2(X))


class ViT(d2l.Classifier):
    """A transformer over the patches of an image."""

    def __init__(self, img_size, patch_size, num_hiddens, num_blks, lr=0.1):
        super().__init__()
        self.save_hyperparameters()
        self.patches = nn.Conv2D(num_hiddens, kernel_size=patch_size, strides=patch_size)
        self.cls_token = self.params.get("cls_weight", shape=(1, 1, num_hiddens))
        steps = (img_size // patch_size) ** 2 + 1
        self.places = self.params.get("places_weight", shape=(1, steps, num_hiddens))
        self.blks = nn.Sequential()
        for _ in range(num_blks):
            self.blks.add(ViTBlock(num_hiddens, 2 * num_hiddens, 2))
        self.head = nn.Sequential()
        self.head.add(nn.LayerNorm(), nn.Dense(10))
        self.initialize()

    def forward(self, X):
        X = self.patches(X)
        X = npx.reshape(X, (-2, -2, -1)).transpose(0, 2, 1)
        cls = np.broadcast_to(self.cls_token.data(), (X.shape[0], 1, X.shape[2]))
        X = np.concatenate((cls, X), axis=1) + self.places.data()
        for blk in self.blks:
            X = blk(X)
        return self.head(X[:, 0])


@program("MultiHeadAttention in a vision transformer")
def vision_transformer() -> Result:
    return fit(ViT(14, 7, 16, 2, lr=0.1), Squares(160, size=14), 8)
