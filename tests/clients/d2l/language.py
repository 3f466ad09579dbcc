"""Recurrent networks: language models, translation from sequence to sequence."""

from __future__ import annotations

from d2l import mxnet as d2l
from harness import Result, fit, generator, program, redrawn_alike, reseed, settle_scratch
from mxnet import init, np
from mxnet.gluon import nn, rnn

WORDS = "time traveller machine speaks slowly about a strange small world of numbers".split()


class Story(d2l.TimeMachine):
    """A made-up text in place of the novel that d2l downloads."""

    def _download(self):
        rng = generator(12)
        return ". ".join(" ".join(WORDS[i] for i in rng.randint(0, 12, 8)) for _ in range(20))


def story() -> Story:
    """A text of some hundred letters, in pieces of 16."""
    return Story(batch_size=64, num_steps=16, num_train=640, num_val=128)


@program("RNNScratch, RNNLMScratch, clip_gradients, TimeMachine, Vocab")
def rnn_scratch() -> Result:
    data = story()
    layer = d2l.RNNScratch(num_inputs=len(data.vocab), num_hiddens=16)
    model = d2l.RNNLMScratch(layer, vocab_size=len(data.vocab), lr=1)
    settle_scratch(model, scale=0.3)
    result = fit(model, data, 4, clip=1, settled=True)
    assert len(model.predict("time ", 8, data.vocab)) == 13
    return result


def language_model(layer, lr: float = 1.0) -> Result:
    """Train a language model with this recurrent layer, and let it continue a text."""
    data = story()
    model = d2l.RNNLM(layer, vocab_size=len(data.vocab), lr=lr)
    result = fit(model, data, 4, clip=1)
    assert len(model.predict("machine ", 5, data.vocab)) == 13
    return result


@program("RNN, RNNLM")
def rnn_concise() -> Result:
    return language_model(d2l.RNN(num_hiddens=24), lr=0.3)


@program("GRU of two layers, RNNLM")
def gru() -> Result:
    return language_model(d2l.GRU(num_hiddens=24, num_layers=2), lr=1)


class LSTM(d2l.RNN):
    """Long short-term memory in the same interface; the state is a pair."""

    def __init__(self, num_hiddens):
        d2l.Module.__init__(self)
        self.save_hyperparameters()
        self.rnn = rnn.LSTM(num_hiddens)

    def forward(self, inputs, H_C=None):
        if H_C is None:
            H_C = self.rnn.begin_state(inputs.shape[1], ctx=inputs.ctx)
        return self.rnn(inputs, H_C)


@program("RNNLM with long short-term memory")
def lstm() -> Result:
    return language_model(LSTM(24), lr=4)


class BiRNNScratch(d2l.Module):
    """Two recurrent layers from scratch, one of which reads backwards."""

    def __init__(self, num_inputs, num_hiddens, sigma=0.01):
        super().__init__()
        self.save_hyperparameters()
        self.f_rnn = d2l.RNNScratch(num_inputs, num_hiddens, sigma)
        self.b_rnn = d2l.RNNScratch(num_inputs, num_hiddens, sigma)
        self.num_hiddens *= 2

    def forward(self, inputs, Hs=None):
        f_H, b_H = Hs if Hs is not None else (None, None)
        f_outputs, f_H = self.f_rnn(inputs, f_H)
        b_outputs, b_H = self.b_rnn(inputs[::-1], b_H)
        pairs = zip(f_outputs, list(reversed(b_outputs)))
        return [d2l.concat((f, b), -1) for f, b in pairs], (f_H, b_H)


@program("RNNLMScratch in two directions")
def bidirectional() -> Result:
    data = story()
    layer = BiRNNScratch(num_inputs=len(data.vocab), num_hiddens=8)
    model = d2l.RNNLMScratch(layer, vocab_size=len(data.vocab), lr=1)
    settle_scratch(model, scale=0.3)
    return fit(model, data, 4, clip=1, settled=True)


# ----------------------------------------------------------------------------- translation

ENGLISH = "i you we see know hear them him her today here now .".split()
FRENCH = "je tu nous vois sais entends eux lui elle aujourdhui ici maintenant .".split()


def made_up() -> str:
    """Phrases in two languages that correspond word by word."""
    rng = generator(13)
    lines = []
    for _ in range(200):
        words = [*(3 * place + rng.randint(0, 3) for place in range(rng.randint(2, 5))), 12]
        lines.append(
            "\t".join(" ".join(said[word] for word in words) for said in (ENGLISH, FRENCH))
        )
    return "\n".join(lines)


class Phrases(d2l.MTFraEng):
    """Those phrases in place of what d2l downloads."""

    def _download(self):
        return made_up()


def phrases() -> Phrases:
    """Phrases of up to six words."""
    return Phrases(batch_size=32, num_steps=6, num_train=160, num_val=32)


class Seq2SeqDecoder(d2l.Decoder):
    """A decoder that sees the last state of the encoder at each step."""

    def __init__(self, vocab_size, embed_size, num_hiddens, num_layers, dropout=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embed_size)
        self.rnn = d2l.GRU(num_hiddens, num_layers, dropout)
        self.dense = nn.Dense(vocab_size, flatten=False)
        self.initialize(init.Xavier())

    def init_state(self, enc_all_outputs, *args):
        return enc_all_outputs

    def forward(self, X, state):
        embs = self.embedding(d2l.transpose(X))
        enc_output, hidden_state = state
        context = np.tile(np.expand_dims(enc_output[-1], 0), (embs.shape[0], 1, 1))
        outputs, hidden_state = self.rnn(d2l.concat((embs, context), -1), hidden_state)
        return d2l.swapaxes(self.dense(outputs), 0, 1), [enc_output, hidden_state]


class Translator(d2l.Seq2Seq):
    """Padding does not count in the loss."""

    def loss(self, Y_hat, Y):
        losses = super().loss(Y_hat, Y, averaged=False)
        mask = d2l.astype(d2l.reshape(Y, -1) != self.tgt_pad, d2l.float32)
        return d2l.reduce_sum(losses * mask) / d2l.reduce_sum(mask)


def translate(encoder, decoder, epochs: int = 8, weights: bool = False) -> Result:
    """Train on phrases, then translate some."""
    data = phrases()
    tgt_pad = data.tgt_vocab["<pad>"]
    model = Translator(encoder(data), decoder(data), tgt_pad=tgt_pad, lr=0.01)
    result = fit(model, data, epochs, clip=1)
    batch = data.build(
        ["i see them .", "you know him here ."], ["je vois eux .", "tu sais lui ici ."]
    )
    answers, attention = model.predict_step(batch, d2l.cpu(), 6, weights)
    said = [" ".join(data.tgt_vocab.to_tokens(answer)) for answer in answers]
    assert 0 <= d2l.bleu(said[0], "je vois eux .", k=2) <= 1
    assert len(attention) == 6 * weights
    return result


@program("Seq2SeqEncoder, Seq2Seq, MTFraEng, EncoderDecoder.predict_step, bleu")
def seq2seq() -> Result:
    return translate(
        lambda data: d2l.Seq2SeqEncoder(len(data.src_vocab), 16, 24, 2),
        lambda data: Seq2SeqDecoder(len(data.tgt_vocab), 16, 24, 2),
    )


class Whole(nn.Block):
    """An encoder and a decoder in the older interface, where the data say how long they are."""

    def __init__(self, encoder, decoder, **kwargs):
        super().__init__(**kwargs)
        self.encoder = encoder
        self.decoder = decoder

    def forward(self, enc_X, dec_X, *args):
        state = self.decoder.init_state(self.encoder(enc_X, *args), *args)
        return self.decoder(dec_X, state)


@program("load_data_nmt, MaskedSoftmaxCELoss, train_seq2seq, predict_seq2seq, grad_clipping")
def old_seq2seq() -> Result:
    d2l.read_data_nmt = made_up
    data_iter, src_vocab, tgt_vocab = d2l.load_data_nmt(32, 6, 160)
    net = Whole(
        d2l.Seq2SeqEncoder(len(src_vocab), 16, 24, 1), Seq2SeqDecoder(len(tgt_vocab), 16, 24, 1)
    )
    X, X_len, Y, _ = next(iter(data_iter))
    redrawn_alike(net, X, Y, X_len)
    loss = d2l.MaskedSoftmaxCELoss()

    def total():
        parts = []
        for X, X_len, Y, Y_len in data_iter:
            bos = np.array([tgt_vocab["<bos>"]] * Y.shape[0]).reshape(-1, 1)
            Y_hat, _ = net(X, d2l.concat([bos, Y[:, :-1]], 1), X_len)
            parts.append(float(loss(Y_hat, Y, Y_len).mean()))
        return sum(parts) / len(parts)

    before = total()
    reseed()
    d2l.train_seq2seq(net, data_iter, 0.02, 10, tgt_vocab, d2l.cpu())
    said, _ = d2l.predict_seq2seq(net, "i see them .", src_vocab, tgt_vocab, 6, d2l.cpu())
    assert isinstance(said, str)
    return Result(before, total())
