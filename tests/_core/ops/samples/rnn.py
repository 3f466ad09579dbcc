"""Recurrent layers."""

from __future__ import annotations

from tests._core.ops.sample import Sample, s

GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


def rnn(
    kind: str,
    data: tuple[int, int, int],
    size: int,
    layers: int = 1,
    *,
    dtype: str = "float32",
    length: str | None = None,
    drop: tuple[str, ...] = (),
    **attrs,
) -> Sample:
    """A call of RNN with parameters and states of the shapes that it needs."""
    steps, batch, features = data
    directions = 1 + attrs.get("bidirectional", False)
    out = attrs.get("projection_size", size)
    rows, runs = GATES[kind] * size, layers * directions
    inputs = features * directions + (runs - directions) * directions * out
    count = rows * (inputs + runs * (out + 2))
    if "projection_size" in attrs:
        count += runs * size * out
    arrays = [
        f"{steps}x{batch}x{features} {dtype}",
        f"{count} unit {dtype}",
        f"{runs}x{batch}x{out} {dtype}",
        f"{runs}x{batch}x{size} {dtype}" if kind == "lstm" else None,
        length,
    ]
    while arrays[-1] is None:
        arrays.pop()
    given = {"state_size": size, "num_layers": layers, "mode": kind, **attrs}
    given = {key: value for key, value in given.items() if key not in drop}
    places = tuple(k for k, x in enumerate(arrays[:4]) if x)
    return s("RNN", *arrays, **given).but(wrt=places)


def beyond(sample: Sample, why: str, **fields) -> Sample:
    """A sample that MXNet cannot run on a CPU."""
    return sample.but(differs=why, **fields)


LENGTH = "MXNet ignores sequence_length on a CPU"
CLIP = "MXNet ignores the clipping bounds of the cell state on a CPU"
SMALL = (3, 2, 4)
SAMPLES = [
    *(rnn(mode, SMALL, 3) for mode in GATES),
    *(rnn(mode, SMALL, 3, state_outputs=True) for mode in GATES),
    *(rnn(mode, SMALL, 3, 2, bidirectional=True, state_outputs=True) for mode in GATES),
    *(rnn(mode, (2, 3, 2), 2, 3) for mode in GATES),
    *(rnn(mode, SMALL, 2, bidirectional=True) for mode in GATES),
    *(rnn(mode, (1, 1, 1), 1, state_outputs=True) for mode in GATES),
    *(rnn(mode, SMALL, 3, dtype="float64", state_outputs=True) for mode in GATES),
    *(rnn(mode, (9, 4, 5), 6, 2, p=0.5, state_outputs=True) for mode in GATES),
    # Of LSTMs with a projection MXNet knows the values alone.
    rnn("lstm", SMALL, 5, projection_size=2, state_outputs=True),
    beyond(rnn("lstm", SMALL, 3, projection_size=3), "MXNet crashes"),
    rnn("lstm", (2, 2, 3), 3, 2, bidirectional=True, projection_size=2, state_outputs=True),
    *(
        beyond(
            rnn(mode, (4, 3, 2), 2, 2, length="[2, 4, 1]", use_sequence_length=True, **attrs),
            LENGTH,
        )
        for mode in GATES
        for attrs in ({"state_outputs": True}, {"bidirectional": True, "state_outputs": True})
    ),
    *(
        beyond(
            rnn("lstm", SMALL, 4, lstm_state_clip_min=-0.3, lstm_state_clip_max=0.4, **attrs), CLIP
        )
        for attrs in ({}, {"state_outputs": True, "lstm_state_clip_nan": True})
    ),
    *(beyond(rnn(m, SMALL, 3, dtype="float16"), "MXNet has no float16 on a CPU") for m in GATES),
    *(rnn(mode, (3, 0, 4), 3, state_outputs=True) for mode in GATES),
    *(rnn(mode, (3, 2, 0), 3) for mode in GATES),
    # Mistakes.
    rnn("gru", (0, 2, 4), 3).but(differs="MXNet's result is undefined", refused=True),
    rnn("gru", SMALL, 3, mode="GRU"),
    rnn("gru", SMALL, 3, drop=("mode",)),
    rnn("gru", SMALL, 3, drop=("state_size",)),
    rnn("gru", SMALL, 3, drop=("num_layers",)),
    rnn("gru", SMALL, 3, num_layers=0),
    rnn("gru", SMALL, 3, state_size=4),
    rnn("gru", SMALL, 3, bidirectional=True, num_layers=2),
    rnn("gru", SMALL, 3, p=1.5),
    rnn("gru", SMALL, 3, length="[1, 2]"),
    rnn("gru", SMALL, 3, use_sequence_length=True),
    rnn("gru", SMALL, 3, length="[1, 2, 3]", use_sequence_length=True),
    s("RNN", "2x3", "10", "1x2x3", state_size=3, num_layers=1, mode="rnn_tanh"),
    s("RNN", "2x2x3", "24", "1x2x3 float64", state_size=3, num_layers=1, mode="rnn_tanh"),
    s("RNN", "2x2x3 int32", "24 int32", "1x2x3 int32", state_size=3, num_layers=1, mode="rnn_tanh"),
    s("RNN", "2x2x3", "24", "2x3", state_size=3, num_layers=1, mode="rnn_tanh"),
    s("RNN", "2x2x3", "25", "1x2x3", state_size=3, num_layers=1, mode="rnn_tanh"),
    s("RNN", "2x2x3", "96", "1x2x3", state_size=3, num_layers=1, mode="lstm"),
    s("RNN", "2x2x3", "24", "1x2x3", "1x2x3", state_size=3, num_layers=1, mode="rnn_tanh"),
    *(
        beyond(one, "MXNet ignores it on a CPU", refused=True)
        for one in (
            rnn("lstm", SMALL, 3, lstm_state_clip_min=-1),
            rnn("gru", SMALL, 3, lstm_state_clip_min=-1, lstm_state_clip_max=1),
            rnn("gru", SMALL, 3, projection_size=2),
            rnn("gru", SMALL, 3, length="[0, 2]", use_sequence_length=True),
            rnn("gru", SMALL, 3, length="[2, 4]", use_sequence_length=True),
            rnn("gru", SMALL, 3, num_layers=-1),
        )
    ),
]
