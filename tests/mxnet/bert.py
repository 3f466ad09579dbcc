"""A small network built like BERT, which the oracle and gluon both run: see ``test_bert.py``."""

from __future__ import annotations

from typing import Any

VOCABULARY, UNITS, HEADS, HIDDEN, LENGTH = 11, 4, 2, 8, 6
TOKENS = [[1, 4, 7, 2, 0, 0], [3, 9, 10, 5, 6, 2]]
TYPES = [[0, 0, 1, 1, 0, 0], [0, 0, 0, 1, 1, 1]]
VALID = [4, 6]
PLACES = [[1, 3], [0, 5]]


def build(mx: Any, prefix: str = "bert_") -> Any:
    """The network: attention with weights of its own, and a decoder tied to the embedding."""
    nn, HybridBlock = mx.gluon.nn, mx.gluon.HybridBlock

    class SelfAttention(HybridBlock):
        """Keeps weights of its own, and calls them what the layers of older files were called."""

        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                for kind in ("query", "key", "value"):
                    weight = self.params.get(f"{kind}_weight", shape=(UNITS, UNITS))
                    bias = self.params.get(f"{kind}_bias", shape=(UNITS,), init="zeros")
                    setattr(self, f"{kind}_weight", weight)
                    setattr(self, f"{kind}_bias", bias)

        def _collect_params_with_prefix(self, prefix=""):
            found = super()._collect_params_with_prefix(prefix)
            if not prefix.endswith("attention"):
                return found
            renamed = {}
            for name, one in found.items():
                kind, _, part = name.rsplit(".", 1)[-1].partition("_")
                renamed[f"{prefix}.proj_{kind}.{part}"] = one
            return renamed

        def hybrid_forward(self, F, x, mask, **weights):
            def projected(kind):
                weight, bias = weights[f"{kind}_weight"], weights[f"{kind}_bias"]
                y = F.FullyConnected(x, weight, bias, num_hidden=UNITS, flatten=False)
                y = F.reshape(y, shape=(0, 0, HEADS, -1))
                y = F.transpose(y, axes=(0, 2, 1, 3))
                return F.reshape(y, shape=(-1, 0, 0), reverse=True)

            scores = F.batch_dot(projected("query"), projected("key"), transpose_b=True)
            scores = F.broadcast_add(scores, F.repeat(mask, HEADS, axis=0))
            y = F.batch_dot(F.softmax(scores, axis=-1), projected("value"))
            y = F.reshape(y, shape=(-1, HEADS, 0, 0), reverse=True)
            return F.reshape(F.transpose(y, axes=(0, 2, 1, 3)), shape=(0, 0, -1))

    class Cell(HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.attention = SelfAttention(prefix="attention_")
                self.proj = nn.Dense(UNITS, in_units=UNITS, flatten=False, prefix="proj_")
                self.layer_norm = nn.LayerNorm(in_channels=UNITS, epsilon=1e-12)
                self.ffn = nn.HybridSequential(prefix="ffn_")
                with self.ffn.name_scope():
                    self.ffn.add(nn.Dense(HIDDEN, in_units=UNITS, flatten=False), nn.GELU())
                    self.ffn.add(nn.Dense(UNITS, in_units=HIDDEN, flatten=False))
                self.ffn_norm = nn.LayerNorm(in_channels=UNITS, epsilon=1e-12)

        def hybrid_forward(self, F, x, mask):
            x = self.layer_norm(x + self.proj(self.attention(x, mask)))
            return self.ffn_norm(x + self.ffn(x))

    class Bert(HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.word_embed = nn.HybridSequential(prefix="word_embed_")
                with self.word_embed.name_scope():
                    self.word_embed.add(nn.Embedding(VOCABULARY, UNITS), nn.Dropout(0.1))
                self.token_type_embed = nn.Embedding(2, UNITS, prefix="token_type_")
                self.position_weight = self.params.get("position_weight", shape=(LENGTH, UNITS))
                self.cells = nn.HybridSequential(prefix="cells_")
                with self.cells.name_scope():
                    self.cells.add(Cell(prefix="cell0_"), Cell(prefix="cell1_"))
                self.pooler = nn.Dense(UNITS, activation="tanh", in_units=UNITS, flatten=False)
                self.decoder = nn.HybridSequential(prefix="decoder_")
                tied = self.word_embed[0].params
                with self.decoder.name_scope():
                    self.decoder.add(nn.Dense(UNITS, in_units=UNITS, flatten=False), nn.GELU())
                    self.decoder.add(nn.LayerNorm(in_channels=UNITS))
                    self.decoder.add(
                        nn.Dense(VOCABULARY, in_units=UNITS, flatten=False, params=tied)
                    )

        def hybrid_forward(self, F, tokens, types, valid, places, position_weight):
            x = self.word_embed(tokens) + self.token_type_embed(types)
            x = F.broadcast_add(x, F.expand_dims(position_weight, axis=0))
            seen = F.SequenceMask(F.ones_like(F.transpose(tokens)), valid, use_sequence_length=True)
            mask = (1 - F.expand_dims(F.transpose(seen), axis=1)) * -1e9
            for cell in self.cells:
                x = cell(x, mask)
            picked = F.batch_dot(F.one_hot(places, LENGTH), x)
            return x, self.pooler(x[:, 0]), self.decoder(picked)

    return Bert(prefix=prefix)


def outputs(mx: Any, net: Any) -> list:
    """What the network makes of the tokens above, as lists."""
    given = [mx.nd.array(one) for one in (TOKENS, TYPES, VALID, PLACES)]
    return [one.asnumpy().tolist() for one in net(*given)]
