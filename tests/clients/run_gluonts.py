"""Train, predict and serialise with estimators of gluonts.

    python -m gluon.mxnet --old-numpy tests/clients/run_gluonts.py [--json]
    python -m gluon.mxnet --old-numpy tests/clients/run_gluonts.py FOLDER [PYTEST'S ARGUMENT ...]

It needs gluonts 0.14.4 with pandas 2.1, on Python 3.10 or 3.11. FOLDER is that of gluonts' own
tests, in its source archive; they need flaky and pytest-timeout. With MXNet itself, ``--json``
records the numbers.
"""

from __future__ import annotations

import logging
import sys
import tempfile
from functools import partial
from pathlib import Path

import mxnet as mx
import numpy as np
from gluonts.dataset.common import ListDataset
from gluonts.evaluation import Evaluator, make_evaluation_predictions
from gluonts.model.predictor import Predictor
from gluonts.mx import (
    DeepAREstimator,
    DeepStateEstimator,
    DeepVAREstimator,
    GPVAREstimator,
    LSTNetEstimator,
    MQCNNEstimator,
    NBEATSEstimator,
    SimpleFeedForwardEstimator,
    TemporalFusionTransformerEstimator,
    Trainer,
    TransformerEstimator,
    WaveNetEstimator,
)
from gluonts.mx.trainer.callback import TrainingHistory
from results import Results, Waves

logging.disable(logging.WARNING)
AHEAD = 6
FREQ = {"freq": "D"}
#: estimator -> its arguments besides the trainer
UNIVARIATE = {
    SimpleFeedForwardEstimator: {"num_hidden_dimensions": [8]},
    DeepAREstimator: {**FREQ, "num_cells": 8, "dropout_rate": 0.0},
    TransformerEstimator: {**FREQ, "model_dim": 8, "num_heads": 2, "dropout_rate": 0.0},
    WaveNetEstimator: {**FREQ, "dilation_depth": 3, "n_stacks": 1, "n_residue": 8, "n_skip": 8},
    MQCNNEstimator: {**FREQ, "decoder_mlp_dim_seq": [8], "channels_seq": [6, 6, 6]},
    TemporalFusionTransformerEstimator: {
        "freq": "D",
        "context_length": 12,
        "hidden_dim": 8,
        "dropout_rate": 0.0,
    },
    NBEATSEstimator: {**FREQ, "num_stacks": 2, "widths": [16], "num_blocks": [1]},
    DeepStateEstimator: {
        "freq": "D",
        "cardinality": [3],
        "use_feat_static_cat": True,
        "num_layers": 1,
        "num_cells": 8,
        "dropout_rate": 0.0,
        "past_length": 14,
    },
}
MULTIVARIATE = {
    DeepVAREstimator: {**FREQ, "num_cells": 8, "dropout_rate": 0.0, "rank": 2},
    GPVAREstimator: {**FREQ, "num_cells": 8, "dropout_rate": 0.0, "rank": 2},
    LSTNetEstimator: {
        "skip_size": 2,
        "ar_window": 3,
        "num_series": 3,
        "channels": 6,
        "kernel_size": 2,
        "context_length": 12,
        "dropout_rate": 0.0,
    },
}
#: These draw from MXNet's generator while they train, so their losses differ between libraries.
DRAWING = {WaveNetEstimator, TemporalFusionTransformerEstimator, GPVAREstimator}


def series() -> np.ndarray:
    """Three series of 80 days, of waves and of noise."""
    days = np.arange(80)
    noise = np.random.RandomState(1).normal(0, 0.1, (3, 80))
    return np.sin(days / 7 * 2 * np.pi + np.arange(3)[:, None]) + 2 + days / 100 + noise


def univariate() -> ListDataset:
    return ListDataset(
        [
            {"start": "2020-01-01", "target": target, "feat_static_cat": [number]}
            for number, target in enumerate(series())
        ],
        freq="D",
    )


def multivariate() -> ListDataset:
    return ListDataset([{"start": "2020-01-01", "target": series()}], "D", one_dim_target=False)


def train(kind: type, arguments: dict, dataset: ListDataset):
    """A predictor, and the mean loss of each of three epochs."""
    history = TrainingHistory()
    trainer = Trainer(epochs=3, num_batches_per_epoch=4, callbacks=[history], learning_rate=0.01)
    trainer.init = Waves()
    # Two of the estimators take the dimensions of the target.
    if "target_dim" in kind.__init__.__annotations__ and kind is not DeepStateEstimator:
        arguments = {**arguments, "target_dim": 3}
    estimator = kind(prediction_length=AHEAD, trainer=trainer, batch_size=8, **arguments)
    return estimator.train(dataset), np.array(history.loss_history)


def predict(predictor: Predictor, dataset: ListDataset) -> np.ndarray:
    """The means of the forecasts: with the same random numbers each time."""
    np.random.seed(0)
    mx.random.seed(0)
    return np.array([forecast.mean for forecast in predictor.predict(dataset)])


def run(kind: type, arguments: dict, dataset: ListDataset) -> dict[str, np.ndarray]:
    """Train, forecast, and forecast the same from a file; the losses."""
    predictor, losses = train(kind, arguments, dataset)
    assert losses[-1] < losses[0], f"the losses {losses} do not fall"
    means = predict(predictor, dataset)
    assert means.shape[:2] == (len(dataset), AHEAD)
    with tempfile.TemporaryDirectory() as folder:
        predictor.serialize(Path(folder))
        again = predict(Predictor.deserialize(Path(folder)), dataset)
    np.testing.assert_allclose(again, means, rtol=1e-5, atol=1e-6)
    return {} if kind in DRAWING else {"losses": losses}


def evaluate() -> str:
    """The error of a network that has been trained longer, relative to a naive forecast's."""
    arguments = {"num_hidden_dimensions": [16]}
    trainer = Trainer(epochs=15, num_batches_per_epoch=20, learning_rate=0.01)
    predictor = SimpleFeedForwardEstimator(
        prediction_length=AHEAD, context_length=14, trainer=trainer, **arguments
    ).train(univariate())
    forecasts, targets = make_evaluation_predictions(univariate(), predictor, num_samples=100)
    scores, _ = Evaluator(num_workers=0)(targets, forecasts)
    assert scores["MASE"] < 0.75
    return f"MASE {scores['MASE']:.2f}"


def main() -> None:
    results = Results("gluonts", "clients_gluonts.json")
    if arguments := [one for one in sys.argv[1:] if one != "--json"]:
        results.suite(*arguments)
        results.finish()
    for kinds, dataset in (UNIVARIATE, univariate()), (MULTIVARIATE, multivariate()):
        for kind, arguments in kinds.items():
            results.compare(kind.__name__, partial(run, kind, arguments, dataset), 1e-2)
    results.check("Evaluator of SimpleFeedForwardEstimator", evaluate)
    results.finish()


if __name__ == "__main__":
    main()
