"""Embeddings of words, BERT, and the tasks built on them: sentiment and inference."""

from __future__ import annotations

import os

from d2l import mxnet as d2l
from harness import Result, generator, program, reseed, settle
from mxnet import autograd, gluon, np, npx
from mxnet.gluon import nn

WORDS = "the a cat dog bird sees likes hears red big small house tree and not very".split()


def sentences(seed: int, count: int, length: int = 8) -> list[str]:
    """Made-up lines of words that follow one another in a few ways."""
    rng = generator(seed)
    lines = []
    for _ in range(count):
        word = rng.randint(len(WORDS))
        words = []
        for _ in range(length):
            words.append(WORDS[word])
            word = (word + rng.randint(1, 3)) % len(WORDS)
        lines.append(" ".join(words))
    return lines


def write(path: str, lines: list[str]) -> None:
    """Write a file, and the folders it is in."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write("\n".join(lines))


def train(net, batches, loss, steps: int = 4, rate: float = 0.01) -> Result:
    """Train a network whose loss is that of a whole batch."""
    net.initialize()
    batches = list(batches)
    loss(net, batches[0])
    settle(net)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": rate})
    before = sum(float(loss(net, batch)) for batch in batches)
    for _ in range(steps):
        for batch in batches:
            with autograd.record():
                value = loss(net, batch)
            value.backward()
            trainer.step(1, ignore_stale_grad=True)
    after = sum(float(loss(net, batch)) for batch in batches)
    return Result(before / len(batches), after / len(batches))


@program("load_data_ptb, Vocab, subsample, get_negatives, batchify: skip-gram")
def skip_gram() -> Result:
    write("ptb/ptb.train.txt", sentences(31, 120))
    d2l.download_extract = lambda *_: "ptb"
    d2l.get_dataloader_workers = lambda: 0
    # Which words are left out follows from Python's generator, which every library shares.
    loader, vocab = d2l.load_data_ptb(64, 3, 4)
    net = nn.Sequential()
    net.add(nn.Embedding(len(vocab), 12), nn.Embedding(len(vocab), 12))
    sigmoid = gluon.loss.SigmoidBCELoss()

    def loss(net, batch):
        center, context_negative, mask, label = batch
        v, u = net[0](center), net[1](context_negative)
        pred = npx.batch_dot(v, u.swapaxes(1, 2))
        values = sigmoid(pred.reshape(label.shape), label, mask)
        return (values * mask.shape[1] / mask.sum(axis=1)).mean()

    result = train(net, loader, loss, steps=5, rate=0.02)
    vectors = net[0].weight.data()
    x = vectors[vocab["cat"]]
    cosine = np.dot(vectors, x) / np.sqrt(np.sum(vectors * vectors, axis=1) * np.sum(x * x) + 1e-9)
    nearest = npx.topk(cosine, k=3, ret_typ="indices").asnumpy().astype("int32")
    assert vocab.idx_to_token[nearest[0]] == "cat"
    return result


@program("TokenEmbedding, load_data_imdb, predict_sentiment: a recurrent and a convolutional net")
def sentiment() -> Result:
    rng = generator(32)
    write("glove/vec.txt", [f"{w} " + " ".join(map(str, rng.normal(size=6))) for w in WORDS])
    for part in ("train", "test"):
        for i, line in enumerate(sentences(33, 60, 10)):
            kind = ("neg", "pos")[" cat " in line]
            write(f"aclImdb/{part}/{kind}/{i:03}.txt", [line])
    d2l.download_extract = lambda name, *_: "glove" if name.startswith("glove") else "aclImdb"
    listed = os.listdir
    d2l.os.listdir = lambda folder: sorted(listed(folder))
    reseed()
    train_iter, test_iter, vocab = d2l.load_data_imdb(20, 10)
    d2l.os.listdir = listed
    vectors = d2l.TokenEmbedding("glove.6b.50d")[vocab.idx_to_token]

    class Net(nn.Block):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(len(vocab), 6)
            self.constant = nn.Embedding(len(vocab), 6)
            self.encoder = gluon.rnn.LSTM(8, num_layers=1, bidirectional=True, input_size=6)
            self.convs = nn.Sequential()
            self.convs.add(nn.Conv1D(8, 3, activation="relu"), nn.Conv1D(8, 4, activation="relu"))
            self.pool, self.decoder = nn.GlobalMaxPool1D(), nn.Dense(2)

        def forward(self, inputs):
            outputs = self.encoder(self.embedding(inputs.T))
            both = np.concatenate((self.embedding(inputs), self.constant(inputs)), axis=2)
            both = both.transpose(0, 2, 1)
            seen = [np.squeeze(self.pool(conv(both)), axis=-1) for conv in self.convs]
            return self.decoder(np.concatenate((outputs[0], outputs[-1], *seen), axis=1))

    net, cross_entropy = Net(), gluon.loss.SoftmaxCrossEntropyLoss()

    def loss(net, batch):
        return cross_entropy(net(batch[0]), batch[1]).mean()

    net.initialize()
    loss(net, next(iter(train_iter)))
    settle(net)
    net.constant.weight.set_data(vectors)
    net.constant.collect_params().setattr("grad_req", "null")
    result = train(Kept(net), train_iter, loss, steps=6)
    said = d2l.predict_sentiment(net, vocab, "the red cat sees a big tree")
    assert said in ("positive", "negative")
    return result._replace(accuracy=d2l.evaluate_accuracy(net, test_iter))


class Kept(nn.Sequential):
    """A network that has its weights already."""

    def __init__(self, net):
        super().__init__()
        self.add(net)

    def initialize(self):
        """Leave the weights as they are."""


@program("SNLIDataset, load_data_snli, predict_snli, split_batch_multi_inputs: attention")
def inference() -> Result:
    kinds = ("entailment", "contradiction", "neutral")
    for part in ("train", "test"):
        lines = sentences(34, 60, 5)
        rows = ["label\tpremise\thypothesis"]
        for i, line in enumerate(lines):
            words = line.split()
            other = (words, words[::-1], lines[i - 1].split())[i % 3]
            rows.append(f"{kinds[i % 3]}\t( {line} )\t( {' '.join(other)} )\t")
        write(f"snli/snli_1.0_{part}.txt", rows)
    d2l.download_extract = lambda *_: "snli"
    d2l.get_dataloader_workers = lambda: 0
    reseed()
    train_iter, _, vocab = d2l.load_data_snli(30, 6)

    def mlp(units, flatten):
        net = nn.Sequential()
        for _ in range(2):
            net.add(nn.Dropout(0), nn.Dense(units, activation="relu", flatten=flatten))
        return net

    class DecomposableAttention(nn.Block):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(len(vocab), 8)
            self.f, self.g, self.h = mlp(8, False), mlp(8, False), mlp(8, True)
            self.linear = nn.Dense(3)

        def forward(self, X):
            A, B = (self.embedding(part) for part in X)
            e = npx.batch_dot(self.f(A), self.f(B), transpose_b=True)
            beta = npx.batch_dot(npx.softmax(e), B)
            alpha = npx.batch_dot(npx.softmax(e.transpose(0, 2, 1)), A)
            V_A = self.g(np.concatenate([A, beta], axis=2)).sum(axis=1)
            V_B = self.g(np.concatenate([B, alpha], axis=2)).sum(axis=1)
            return self.linear(self.h(np.concatenate([V_A, V_B], axis=1)))

    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()

    def loss(net, batch):
        (X,), (y,) = d2l.split_batch_multi_inputs(*batch, [d2l.cpu()])
        return cross_entropy(net(X), y).mean()

    net = DecomposableAttention()
    result = train(net, train_iter, loss, steps=20)
    assert d2l.predict_snli(net, vocab, ["the", "cat"], ["a", "dog"]) in kinds
    return result


@program("load_data_wiki, BERTModel, BERTEncoder, MaskLM, NextSentencePred")
def bert() -> Result:
    lines = sentences(35, 80, 5)
    write("wiki/wiki.train.tokens", [" . ".join(lines[i : i + 4]) for i in range(0, 80, 4)])
    d2l.download_extract = lambda *_: "wiki"
    d2l.get_dataloader_workers = lambda: 0
    reseed()
    train_iter, vocab = d2l.load_data_wiki(16, 16)
    net = d2l.BERTModel(
        len(vocab), num_hiddens=8, ffn_num_hiddens=16, num_heads=2, num_blks=2, dropout=0
    )
    cross_entropy = gluon.loss.SoftmaxCELoss()

    def loss(net, batch):
        shards = ([part] for part in batch)
        _, _, (value,) = d2l._get_batch_loss_bert(net, cross_entropy, len(vocab), *shards)
        return value

    result = train(net, train_iter, loss, steps=3)
    tokens, segments = d2l.get_tokens_and_segments(["the", "cat"], ["a", "dog"])
    ids = np.expand_dims(np.array(vocab[tokens]), axis=0)
    encoded, _, _ = net(ids, np.expand_dims(np.array(segments), axis=0), np.array([len(tokens)]))
    assert encoded.shape == (1, 7, 8)
    return result
