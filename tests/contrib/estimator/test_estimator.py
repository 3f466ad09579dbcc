"""What the estimator does that MXNet's does not, and its errors."""

from __future__ import annotations

import io
import os
import sys
import warnings

import numpy as np
import pytest

import gluon
from gluon import GluonError, data, loss, metric, nd, nn
from gluon.contrib import estimator as module
from gluon.data import DataLoader
from tests.contrib.estimator.programs import made, samples
from tests.nn.replay import MX


@pytest.fixture
def est():
    return made(MX())[0]


@pytest.fixture
def loader():
    return samples(MX())


def test_mxnets_names_are_there():
    names = "TrainBegin BatchEnd StoppingHandler CheckpointHandler ProgressBarHandler".split()
    for name in names:
        assert getattr(module, name) is getattr(module.event_handler, name)
    assert module.estimator.Estimator is module.Estimator
    assert module.batch_processor.BatchProcessor is module.BatchProcessor


def test_without_a_trainer_there_is_a_warning():
    with pytest.warns(UserWarning, match=r"SGD with the learning rate 0\.001 is used"):
        est = module.Estimator(nn.Dense(1), loss.L2Loss())
    assert est.trainer.learning_rate == 0.001


def test_an_initializer_that_comes_too_late_is_a_warning(est):
    with pytest.warns(UserWarning, match="force_reinit=True"):
        module.Estimator(est.net, est.loss, initializer="ones", trainer=est.trainer)


# ---------------------------------------------------------------------------------- differences


class Falling(module.EpochEnd):
    """Gives a metric smaller values from epoch to epoch."""

    priority = -1

    def __init__(self, monitor, values):
        self.monitor, self.values = monitor, iter(values)

    def epoch_end(self, estimator, *args, **kwargs):
        value = next(self.values)
        self.monitor.get = lambda: ("training loss", value)


def test_auto_takes_smaller_values_unless_the_name_is_of_an_accuracy(tmp_path):
    for name, operator in (("loss", np.less), ("accuracy", np.greater), ("my_f1", np.greater)):
        with pytest.warns(UserWarning, match=f"assuming that '{name}' improves when it"):
            assert module.EarlyStoppingHandler(metric.Loss(name)).monitor_op is operator
        with pytest.warns(UserWarning, match=f"assuming that '{name}' improves when it"):
            save = module.CheckpointHandler(tmp_path, monitor=metric.Loss(name), save_best=True)
        assert save.monitor_op is operator
    with (
        pytest.warns(RuntimeWarning, match="mode must be 'auto', 'min' or 'max', not 'up'"),
        pytest.warns(UserWarning, match="assuming that 'accuracy' improves when it rises"),
    ):
        module.EarlyStoppingHandler(metric.Accuracy(), mode="up")


def test_stopping_in_the_first_epoch_is_logged(loader):
    est, lines = made(MX())
    stop = module.EarlyStoppingHandler(est.train_metrics[0], mode="max", baseline=2)
    est.fit(loader, epochs=5, event_handlers=stop)
    assert "INFO [Epoch 0] EarlyStoppingHandler: early stopping due to training accuracy not" in (
        "\n".join(lines)
    )


def test_removing_a_checkpoint_leaves_those_with_longer_names(est, loader, tmp_path):
    save = module.CheckpointHandler(tmp_path, epoch_period=None, batch_period=1, max_checkpoints=11)
    one = DataLoader(loader._dataset, batch_size=1)
    est.fit(one, batches=12, event_handlers=save)
    numbers = {int(name.split("batch")[1].split(".")[0]) for name in os.listdir(tmp_path)}
    assert numbers == set(range(1, 12))


def test_the_message_on_the_best_model_has_both_values(loader, tmp_path):
    est, lines = made(MX())
    monitor = est.train_metrics[1]
    save = module.CheckpointHandler(
        tmp_path, monitor=monitor, save_best=True, mode="min", verbose=1
    )
    est.fit(loader, epochs=3, event_handlers=[save, Falling(monitor, [3, 2, 2.5])])
    said = [line.split(": ", 1)[1].split(",")[0] for line in lines if "improve" in line]
    assert said == [
        "training loss improved from inf to 3.00000",
        "training loss improved from 3.00000 to 2.00000",
        "training loss did not improve from 2.00000",
    ]
    assert "[Epoch 2] CheckpointHandler: training loss did" in "\n".join(lines)


def test_no_symbol_is_saved(est, loader, tmp_path):
    est.net.hybridize()
    est.fit(loader, epochs=1, event_handlers=module.CheckpointHandler(tmp_path))
    assert sorted(os.listdir(tmp_path)) == [
        "model-epoch0batch3.params",
        "model-epoch0batch3.states",
    ]


def test_lists_of_handlers_are_left_alone(est, loader):
    handlers, others = [module.StoppingHandler()], [module.StoppingHandler()]
    validate = module.ValidationHandler(loader, est.evaluate, event_handlers=others)
    est.fit(loader, epochs=1, event_handlers=[*handlers, validate])
    for _ in range(2):
        est.fit(loader, epochs=2, event_handlers=handlers)
        assert handlers[0].current_epoch == 2
    assert len(handlers) == len(others) == 1


@pytest.mark.filterwarnings("ignore:there is no batch")
def test_data_without_a_batch_are_an_error(est):
    empty = DataLoader(data.ArrayDataset(nd.ones((2, 2)), nd.ones((2,))), 4, last_batch="discard")
    with pytest.raises(GluonError, match="fit: train_data has no batch"):
        est.fit(empty, batches=3)


# --------------------------------------------------------------------------------------- errors


def test_metrics_that_nobody_updates_are_named(est, loader):
    with pytest.raises(ValueError, match=r"LoggingHandler: metrics has .*'mae'.*train_metrics or"):
        est.fit(loader, epochs=1, event_handlers=module.LoggingHandler(metrics=metric.MAE()))


def test_a_metric_without_a_value_is_a_warning(est, loader, tmp_path):
    monitor = est.val_metrics[0]  # not updated: there is no validation
    stop = module.EarlyStoppingHandler(monitor, mode="max")
    save = module.CheckpointHandler(tmp_path, monitor=monitor, save_best=True, mode="max")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        est.fit(loader, epochs=1, event_handlers=[stop, save])
    said = [str(one.message) for one in caught]
    assert said[0].startswith("'validation accuracy' has no value yet; monitor one of")
    assert said[1].startswith("the best model is not saved: 'validation accuracy' has no value")


@pytest.mark.parametrize(
    ("attempt", "says"),
    [
        (lambda e, d: e.fit(d), "give one of epochs and batches; got epochs=None, batches=None"),
        (lambda e, d: e.fit([], epochs=1), r"train_data must be a data.DataLoader; got \[\]"),
        (lambda e, d: e.fit(d, epochs=1, event_handlers=3), "event_handlers must be instances of"),
        (
            lambda e, d: module.Estimator(e.net, loss.L2Loss(), context=gluon.gpu()),
            r"gpu\(0\) is not available",
        ),
        (
            lambda e, d: module.Estimator(e.net, e.loss, trainer=e.trainer, batch_processor=3),
            r"3 has no fit_batch\(\)",
        ),
        (lambda e, d: module.LoggingHandler(0), "log_interval must be 'epoch' or a number"),
        (
            lambda e, d: module.EarlyStoppingHandler(metric.create(["acc", "ce"])),
            "EarlyStoppingHandler: monitor must be one of estimator.train_metrics",
        ),
    ],
)
def test_errors_name_the_way_out(est, loader, attempt, says):
    with pytest.raises(GluonError, match=says):
        attempt(est, loader)


def test_resuming_needs_whole_checkpoints_and_fitting_periods(est, loader, tmp_path):
    def resume(**options):
        save = module.CheckpointHandler(tmp_path, resume_from_checkpoint=True, **options)
        est.fit(loader, epochs=3, event_handlers=save)

    with pytest.raises(GluonError, match="give epoch_period, and batch_period=None"):
        resume(batch_period=2)
    resume()
    with pytest.raises(GluonError, match=r"the checkpoint of epoch 2 .* is the last of 3 epochs"):
        resume()
    (tmp_path / "model-epoch1batch5.states").rename(tmp_path / "elsewhere")
    (tmp_path / "model-epoch2batch8.params").unlink()
    with pytest.raises(GluonError, match=r"batch5\.params lacks the file .*\.states next to it"):
        resume()
    (tmp_path / "model-epochXbatch5.params").touch()
    with pytest.raises(GluonError, match="is not called model-epoch<number>batch<number>"):
        resume()


# --------------------------------------------------------------------------------- progress bar


def test_a_bar_shows_batches_and_metrics(est, loader):
    pytest.importorskip("tqdm")
    screen = io.StringIO()
    bar = module.ProgressBarHandler(file=screen, ascii=True, mininterval=0)
    est.fit(loader, epochs=2, event_handlers=bar)
    shown = screen.getvalue()
    assert "[Epoch 0]: 100%|" in shown
    assert "[Epoch 1]: 100%|" in shown
    name, value = est.train_metrics[0].get()
    assert f"{name}={value:.4f}" in shown
    assert "3/3" in shown


def test_a_bar_can_show_chosen_metrics_of_data_without_a_length(est, loader):
    pytest.importorskip("tqdm")
    screen = io.StringIO()
    bar = module.ProgressBarHandler(
        est.train_metrics[1], file=screen, desc="fit", mininterval=0, ascii=True
    )
    loader._batch_sampler = iter([[0, 1], [2]])  # has no len()
    est.fit(loader, epochs=1, event_handlers=bar)
    assert "fit: 2batch" in screen.getvalue()
    assert "accuracy" not in screen.getvalue()


def test_without_tqdm_lines_say_how_far_training_is(est, loader, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    screen = io.StringIO()
    est.fit(loader, epochs=1, event_handlers=module.ProgressBarHandler(file=screen))
    (line,) = screen.getvalue().splitlines()
    assert line.startswith("[Epoch 0]: 100% (3/3 batch), ")
    name, value = est.train_metrics[0].get()
    assert f"{name}={value:.4f}" in line
