"""Encode, translate and model texts with gluonnlp.

    python -m gluon.mxnet --old-numpy tests/clients/run_gluonnlp.py [--json]

It needs gluonnlp 0.10.0. With MXNet itself, ``--json`` records the numbers, and the parameters of
a BERT that gluon has to read.
"""

from __future__ import annotations

from itertools import pairwise

import gluonnlp as nlp
import numpy as np
from gluonnlp.model.bert import BERTEncoder, BERTModel
from gluonnlp.model.train import AWDRNN, StandardRNN
from mxnet import autograd, gluon, nd
from results import REFERENCE, Results, Waves, settle

#: A small BERT, as MXNet's save_parameters wrote it.
BERT = REFERENCE / "clients_bert.params"
WORDS = 30
results = Results("gluonnlp", "clients_gluonnlp.json")


def tokens(*shape: int, below: int = WORDS, seed: int = 2) -> nd.NDArray:
    return nd.array(np.random.RandomState(seed).randint(4, below, shape))


def bert_model(**heads: bool) -> BERTModel:
    encoder = BERTEncoder(
        num_layers=2, units=16, hidden_size=32, max_length=12, num_heads=2, dropout=0.0
    )
    sizes = {"vocab_size": WORDS, "token_type_vocab_size": 2, "units": 16, "embed_size": 16}
    return BERTModel(encoder, **sizes, **heads)


def bert() -> dict[str, nd.NDArray]:
    """All outputs of a BERT with the parameters in MXNet's file, hybridized and not."""
    net = bert_model()
    inputs = tokens(2, 9), nd.array([[0] * 5 + [1] * 4] * 2), nd.array([9, 6])
    places = nd.array([[1, 3], [0, 5]])
    if results.recording:
        net.initialize(Waves())
        net(*inputs, places)
        net.save_parameters(str(BERT))
    net.load_parameters(str(BERT))
    names = "sequence", "pooled", "next", "words"
    plain = dict(zip(names, net(*inputs, places)))
    net.hybridize()
    for name, value in zip(names, net(*inputs, places)):
        np.testing.assert_allclose(value.asnumpy(), plain[name].asnumpy(), rtol=1e-4, atol=1e-5)
    return plain


def train_bert() -> dict[str, list]:
    """A classifier of BERT's: three steps of BERTAdam on all of its weights."""
    net = nlp.model.BERTClassifier(
        bert_model(use_decoder=False, use_classifier=False), num_classes=3, dropout=0.0
    )
    net.initialize(Waves())
    inputs = tokens(4, 9), nd.zeros((4, 9)), nd.array([9, 6, 7, 8])
    labels = nd.array([0, 1, 2, 1])
    trainer = gluon.Trainer(net.collect_params(), "bertadam", {"learning_rate": 0.01, "wd": 0.01})
    return fit(lambda: gluon.loss.SoftmaxCELoss()(net(*inputs), labels), trainer, net)


def fit(loss, trainer: gluon.Trainer, net: gluon.Block) -> dict[str, list]:
    """The loss of each step; gradients are clipped."""
    told = []
    for _ in range(4):
        with autograd.record():
            value = loss().mean()
        value.backward()
        trainer.allreduce_grads()
        nlp.utils.clip_grad_global_norm(
            [one for one in net.collect_params().values() if one.grad_req != "null"], 1
        )
        trainer.update(1)
        told.append(float(value.asscalar()))
    assert told[-1] < told[0], f"the loss does not fall: {told}"
    return {"losses": told}


def language_model(net: gluon.Block) -> dict[str, list]:
    """Train a language model by truncated backpropagation, with penalties on its activations."""
    net.initialize()
    settle(net)
    texts = tokens(6, 3)
    inputs, labels = texts[:-1], texts[1:]
    penalties = [
        nlp.loss.ActivationRegularizationLoss(2.0),
        nlp.loss.TemporalActivationRegularizationLoss(1.0),
    ]

    def loss() -> nd.NDArray:
        state = net.begin_state(batch_size=3, func=nd.zeros)
        out = net(inputs, state)
        outer = gluon.loss.SoftmaxCELoss()(out[0].reshape((-1, WORDS)), labels.reshape((-1,)))
        return outer.mean() + sum(penalty(*out[2]).mean() for penalty in penalties)

    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1})
    return fit(loss, trainer, net)


def standard() -> dict[str, list]:
    return language_model(StandardRNN("lstm", WORDS, 12, 12, 2, dropout=0.0, tie_weights=True))


def awd() -> dict[str, list]:
    dropped = {"dropout": 0.0, "weight_drop": 0.0, "drop_h": 0.0, "drop_i": 0.0, "drop_e": 0.0}
    return language_model(AWDRNN("lstm", WORDS, 12, 12, 2, tie_weights=True, **dropped))


def named_models() -> dict[str, list]:
    """Models of published sizes, built for a vocabulary; their predictions after a first word."""
    vocab = nlp.Vocab(nlp.data.count_tokens([*"abcdefghij"]))
    found = {}
    for name in "standard_lstm_lm_200", "awd_lstm_lm_600":
        net, _ = nlp.model.get_model(name, vocab=vocab, dataset_name=None, pretrained=False)
        net.initialize()
        settle(net)
        state = net.begin_state(batch_size=2, func=nd.zeros)
        found[name], _ = net(nd.array([[4, 5], [6, 7]]), state)
    return found


class Table:
    """A decoder whose next word depends on the one before."""

    def __init__(self) -> None:
        self.scores = nd.array(np.random.RandomState(5).normal(0, 2, (WORDS, WORDS)))

    def __call__(self, words: nd.NDArray, state: nd.NDArray):
        return nd.log_softmax(nd.take(self.scores, words) + state), state


def beam_search() -> dict[str, nd.NDArray]:
    """The best sentences, and their scores."""
    scorer = nlp.model.BeamSearchScorer(alpha=0.6, K=5)
    sampler = nlp.model.BeamSearchSampler(3, Table(), eos_id=2, scorer=scorer, max_length=8)
    return dict(zip(("words", "scores", "lengths"), sampler(nd.array([4, 7]), nd.zeros((2, 1)))))


def draw_sentences() -> str:
    """Sampled sentences end in time, and their likelihoods are those of the decoder."""
    table = Table()
    sampler = nlp.model.SequenceSampler(4, table, eos_id=2, max_length=8, temperature=1.0)
    words, scores, lengths = (x.asnumpy() for x in sampler(nd.array([4, 7]), nd.zeros((2, 1))))
    logs = nd.log_softmax(table.scores).asnumpy()
    for row in np.ndindex(2, 4):
        sentence = words[row][: int(lengths[row])].astype(int)
        if len(sentence) == 10:
            sentence = sentence[:-1]  # cut off, not ended
        said = sum(logs[step] for step in pairwise(sentence))
        np.testing.assert_allclose(scores[row], said, rtol=1e-4)
    return ""


def translation() -> dict[str, list]:
    """Train a transformer."""
    encoder, decoder, one_step = nlp.model.transformer.get_transformer_encoder_decoder(
        num_layers=1, units=16, hidden_size=32, num_heads=2, dropout=0.0,
        max_src_length=12, max_tgt_length=12,
    )  # fmt: skip
    vocab = nlp.Vocab(nlp.data.count_tokens([chr(97 + i) for i in range(26)]))
    net = nlp.model.translation.NMTModel(
        vocab, vocab, encoder, decoder, one_step, embed_size=16, share_embed=True, tie_weights=True
    )
    net.initialize()
    sources, targets = tokens(3, 7), tokens(3, 6, seed=3)
    lengths = nd.array([7, 5, 6]), nd.array([5, 5, 4])
    net(sources, targets[:, :-1], *lengths)
    settle(net)
    smooth = nlp.loss.LabelSmoothing(units=len(vocab), epsilon=0.1)
    masked = nlp.loss.MaskedSoftmaxCELoss(sparse_label=False)

    def loss() -> nd.NDArray:
        out, _ = net(sources, targets[:, :-1], *lengths)
        return masked(out, smooth(targets[:, 1:]), lengths[1])

    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    return fit(loss, trainer, net)


def encoders() -> dict[str, nd.NDArray]:
    """Characters, highways and attention."""
    nets = {
        "characters": nlp.model.ConvolutionalEncoder(
            embed_size=6, num_filters=(3, 4), ngram_filter_sizes=(1, 2), num_highway=1
        ),
        "highway": nlp.model.Highway(6, 2),
    }
    x = nd.array(np.random.RandomState(0).normal(0, 1, (5, 2, 6)))
    found = {}
    for name, net in nets.items():
        inputs = x if name == "characters" else x[0]
        net.initialize()
        net(inputs)
        settle(net)
        found[name] = net(inputs)
    for kind in "scaled_luong", "mlp":
        cell = nlp.model.attention_cell._get_attention_cell(kind, units=6)
        cell.initialize(Waves())
        found[kind], _ = cell(x, x, None, nd.ones((5, 2, 2)))
    return found


def data() -> dict[str, list]:
    """Batches of texts of several lengths, made by a loader of two processes and by none."""
    texts = [[*range(4, 6 + i * 7 % 9)] for i in range(12)]
    sampler = nlp.data.FixedBucketSampler([len(one) for one in texts], 3, num_buckets=2)
    together = nlp.data.batchify.Tuple(
        nlp.data.batchify.Pad(pad_val=1, ret_length=True), nlp.data.batchify.Stack()
    )
    dataset = gluon.data.SimpleDataset([(one, float(len(one))) for one in texts])
    loader = nlp.data.ShardedDataLoader(
        dataset, batch_sampler=sampler, batchify_fn=together, num_workers=2
    )
    found = {}
    for number, ((words, lengths), targets) in enumerate(loader):
        found[f"words {number}"], found[f"lengths {number}"] = words, lengths
        found[f"targets {number}"] = targets
    return found


def vocabulary() -> dict[str, nd.NDArray]:
    """Tokens, vocabularies, embeddings and sentences for BERT."""
    words = "the quick brown fox jumps over the lazy dog the fox".split()
    vocab = nlp.Vocab(nlp.data.count_tokens(words))
    vectors = nd.array(np.random.RandomState(1).normal(0, 1, (5, 5)))
    embedding = nlp.embedding.TokenEmbedding(idx_to_token=["<unk>", *words[:4]], idx_to_vec=vectors)
    vocab.set_embedding(embedding)
    bert_vocab = nlp.vocab.BERTVocab(nlp.data.count_tokens(["the", "qui", "##ck", "fox"]))
    transform = nlp.data.BERTSentenceTransform(
        nlp.data.BERTTokenizer(bert_vocab), max_seq_length=12, pair=True
    )
    ids, length, kinds = transform(("The quick fox", "the Fox"))
    return {
        "table": vocab.embedding.idx_to_vec,
        "words": vocab[words],
        "sentence": ids,
        "length": length,
        "kinds": kinds,
    }


results.compare("BERTModel from MXNet's .params", bert)
results.compare("BERTClassifier, BERTAdam, clip_grad_global_norm", train_bert)
results.compare("StandardRNN with tied weights", standard)
results.compare("AWDRNN with tied weights", awd)
results.compare("standard_lstm_lm_200, awd_lstm_lm_600", named_models)
results.compare("BeamSearchSampler, BeamSearchScorer", beam_search)
results.check("SequenceSampler", draw_sentences)
results.compare("NMTModel, LabelSmoothing, MaskedSoftmaxCELoss", translation)
results.compare("encoders, attention cells", encoders)
results.compare("FixedBucketSampler, ShardedDataLoader, batchify", data)
results.compare("Vocab, TokenEmbedding, BERTSentenceTransform", vocabulary)
results.finish()
