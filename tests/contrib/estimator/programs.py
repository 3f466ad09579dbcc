"""Programs of `gluon.contrib.estimator`, that run on MXNet 1.9.1 and on gluon alike."""

from __future__ import annotations

import logging
import os
import re
import tempfile
import warnings
from collections.abc import Callable

import numpy as np

EVENTS = "train_begin epoch_begin batch_begin batch_end epoch_end train_end".split()


def samples(mx, batch_size=4, count=12, classes=3, seed=0):
    """A loader of points in the plane, whose label says in which direction they lie."""
    random = np.random.RandomState(seed)
    points = random.uniform(-1, 1, (count, 2)).astype("float32")
    labels = (np.arctan2(*points.T) * classes / 7 + classes / 2).astype("int").astype("float32")
    dataset = mx.gluon.data.ArrayDataset(mx.nd.array(points), mx.nd.array(labels))
    return mx.gluon.data.DataLoader(dataset, batch_size=batch_size)


def made(mx, optimizer="adam", rate=0.05, **kwargs):
    """An estimator of a small network with fixed values, and the lines it logs."""
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(5, activation="tanh"), mx.gluon.nn.Dense(3))
    net.initialize()
    net(mx.nd.zeros((1, 2)))
    for parameter in net.collect_params().values():
        values = np.cos(np.arange(np.prod(parameter.shape))).reshape(parameter.shape)
        parameter.set_data(mx.nd.array(values))
    trainer = mx.gluon.Trainer(net.collect_params(), optimizer, {"learning_rate": rate})
    loss = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    est = mx.gluon.contrib.estimator.Estimator(net, loss, trainer=trainer, **kwargs)
    return est, listen(est)


def listen(est) -> list:
    """Return the lines that an estimator logs from now on, without times."""
    lines: list = []

    class Keep(logging.Handler):
        def emit(self, record):
            text = re.sub(r"\d+(\.\d+)?s\b", "<time>", record.getMessage())
            lines.append(f"{record.levelname} {re.sub(r'/[^ ]+/', '<folder>/', text)}")

    est.logger.handlers = [Keep()]
    return lines


def values(est) -> list:
    return [*(p.data() for p in est.net.collect_params().values())]


def spy(mx, calls, priority=None, stop=()):
    """A handler that records every event, and the metrics at that time."""
    module = mx.gluon.contrib.estimator.event_handler

    def note(event):
        def method(self, estimator, *args, **kwargs):
            metrics = estimator.train_metrics + estimator.val_metrics
            shown = [f"{one.get()[0]} {one.get()[1]:.4f}" for one in metrics]
            given = {key: _shapes(kwargs[key]) for key in sorted(kwargs)}
            calls.append(f"{event} {args} {given} {shown}")
            return (event, sum(one.startswith(event) for one in calls)) in stop

        return method

    bases = "TrainBegin TrainEnd EpochBegin EpochEnd BatchBegin BatchEnd".split()
    methods = {event: note(event) for event in EVENTS}
    handler = type("Spy", tuple(getattr(module, base) for base in bases), methods)()
    if priority is not None:
        handler.priority = priority
    return handler


def _shapes(value):
    return [one.shape for one in value]


# ------------------------------------------------------------------------------------- programs


def default(mx) -> list:
    """Metrics, messages and weights of the simplest run."""
    est, lines = made(mx)
    names = [one.name for one in est.train_metrics + est.val_metrics]
    est.fit(samples(mx), samples(mx, seed=1), epochs=3)
    return [repr(names), *lines, *values(est)]


def batches(mx) -> list:
    """Training for a number of batches ends within an epoch."""
    est, lines = made(mx)
    calls: list = []
    est.fit(samples(mx), batches=5, event_handlers=spy(mx, calls))
    return [*lines, *calls, *values(est)]


def events(mx) -> list:
    """The order of events among handlers of several priorities, and what they are given."""
    est, lines = made(mx, train_metrics=mx.metric.CompositeEvalMetric(["acc", "ce"]))
    calls: list = []
    handlers = [spy(mx, calls, priority) for priority in (5, -1500, None, -5000, np.inf)]
    est.fit(samples(mx, 5), samples(mx, seed=1), epochs=2, event_handlers=handlers)
    return [*lines, *calls]


def stop_in_a_batch(mx) -> list:
    """A handler ends each epoch after its first batch, and then training."""
    est, lines = made(mx)
    calls: list = []
    stop = {("batch_end", 1), ("batch_end", 2), ("epoch_end", 3)}
    est.fit(samples(mx), epochs=9, event_handlers=[spy(mx, calls, stop=stop)])
    return [*lines, *calls]


def logging_every_batch(mx) -> list:
    est, lines = made(mx)
    handlers = [
        mx.gluon.contrib.estimator.LoggingHandler(2, metrics=est.train_metrics + est.val_metrics)
    ]
    est.fit(samples(mx, 3), samples(mx, seed=1), epochs=2, event_handlers=handlers)
    return lines


def validation(mx) -> list:
    """Validation after some batches and epochs, with handlers of its own."""
    module = mx.gluon.contrib.estimator
    est, lines = made(mx)
    calls: list = []
    validate = module.ValidationHandler(
        samples(mx, seed=1), est.evaluate, 2, 4, event_handlers=spy(mx, calls)
    )
    est.fit(samples(mx), epochs=3, event_handlers=[validate])
    est.evaluate(samples(mx, seed=2))
    return [*lines, *calls, repr([float(f"{m.get()[1]:.4f}") for m in est.val_metrics])]


def other_metrics(mx) -> list:
    """Metrics of the user's own, a network and a loss for validation, several contexts."""
    val_net = mx.gluon.nn.Dense(3, prefix="val_", weight_initializer="ones")
    val_net.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    net = mx.gluon.nn.Dense(3, prefix="net_")
    est = mx.gluon.contrib.estimator.Estimator(
        net,
        mx.gluon.loss.SoftmaxCrossEntropyLoss(),
        train_metrics=[mx.metric.Loss("mine"), mx.metric.TopKAccuracy(2)],
        val_metrics=mx.metric.Loss("training thing"),
        initializer=mx.init.One(),
        context=[mx.cpu(0), mx.cpu(1)],
        val_net=val_net,
        val_loss=mx.gluon.loss.SoftmaxCrossEntropyLoss(weight=2),
    )
    lines = listen(est)
    est.fit(samples(mx), samples(mx, seed=1), epochs=2)
    names = [one.name for one in est.train_metrics + est.val_metrics]
    return [
        repr(names),
        repr(est.context),
        *lines,
        *[p.list_data()[1] for p in est.net.collect_params().values()],
    ]


def processor(mx) -> list:
    """A processor of batches that has the network reproduce its input."""

    class Itself(mx.gluon.contrib.estimator.BatchProcessor):
        def _get_data_and_label(self, batch, ctx, batch_axis=0):
            return super()._get_data_and_label([batch[0], batch[0]], ctx, batch_axis)

    net = mx.gluon.nn.Dense(2, prefix="net_")
    net.initialize("ones")
    est = mx.gluon.contrib.estimator.Estimator(
        net, mx.gluon.loss.L2Loss(), batch_processor=Itself()
    )
    lines = listen(est)
    est.fit(samples(mx), samples(mx, seed=1), epochs=2)
    return [*lines, *values(est)]


def early_stopping(mx) -> list:
    """Both directions, patience, a minimal change and a baseline."""
    found = []
    for mode, options in (
        ("min", {}),
        ("max", {"patience": 1}),
        ("min", {"min_delta": 0.5, "patience": 2}),
        ("max", {"min_delta": 0.2, "baseline": 0.3, "patience": 2}),
    ):
        est, lines = made(mx, rate=0.3)
        metric = est.val_metrics[1] if mode == "min" else est.train_metrics[0]
        stop = mx.gluon.contrib.estimator.EarlyStoppingHandler(metric, mode=mode, **options)
        est.fit(samples(mx), samples(mx, seed=1), epochs=12, event_handlers=[stop])
        found += [line.replace("Hanlder", "Handler") for line in lines]
        found.append(f"{stop.best:.4f} {stop.wait} {stop.stopped_epoch} {stop.current_epoch}")
    return found


def _without_symbols(lines, folder) -> list:
    """The lines and the files in `folder`, except those about symbols."""
    files = sorted(name for name in os.listdir(folder) if "symbol" not in name)
    return [line for line in lines if "symbol" not in line] + [repr(files)]


def checkpoints(mx) -> list:
    """Files after training by epochs or batches, when the oldest are removed."""
    module = mx.gluon.contrib.estimator
    found = []
    for fit, options in (
        ({"epochs": 4}, {"max_checkpoints": 2}),
        ({"epochs": 3}, {"epoch_period": 2, "batch_period": 2, "model_prefix": "other"}),
        ({"batches": 8}, {"epoch_period": None, "batch_period": 3}),
    ):
        est, lines = made(mx)
        with tempfile.TemporaryDirectory() as folder:
            save = module.CheckpointHandler(os.path.join(folder, "new"), verbose=1, **options)
            est.fit(samples(mx), event_handlers=[save], **fit)
            found += _without_symbols(lines, os.path.join(folder, "new"))
            found.append(repr(save.saved_checkpoints))
    return found


def best(mx) -> list:
    """The best checkpoint is kept."""
    module = mx.gluon.contrib.estimator
    est, lines = made(mx, rate=0.5)
    with tempfile.TemporaryDirectory() as folder:
        save = module.CheckpointHandler(
            folder, monitor=est.val_metrics[1], save_best=True, mode="min", max_checkpoints=1
        )
        est.fit(samples(mx), samples(mx, seed=1), epochs=5, event_handlers=[save])
        other, _ = made(mx)
        other.net.load_parameters(os.path.join(folder, "model-best.params"))
        other.trainer.load_states(os.path.join(folder, "model-best.states"))
        return [*_without_symbols(lines, folder), f"{save.best:.4f}", *values(other)]


def resume(mx) -> list:
    """Training goes on after the last checkpoint, by epochs and by batches."""
    module = mx.gluon.contrib.estimator
    found: list = []
    for kind, period, first, later in (
        ("epochs", {}, 2, 5),
        ("batches", {"epoch_period": None, "batch_period": 2}, 5, 9),
    ):
        with tempfile.TemporaryDirectory() as folder:
            for count in (first, later):
                est, lines = made(mx)
                save = module.CheckpointHandler(folder, resume_from_checkpoint=True, **period)
                est.fit(samples(mx), event_handlers=[save], **{kind: count})
                found += [*_without_symbols(lines, folder), *values(est)]
            for bad in ({kind: 2}, {"epochs": 50} if kind == "batches" else {"batches": 50}):
                again = made(mx)[0]
                found.append(_error(again.fit, samples(mx), event_handlers=[save], **bad))
    return found


def _error(function, *args, **kwargs) -> str:
    try:
        function(*args, **kwargs)
    except (ValueError, AssertionError):
        return "error"
    return "none"


def handlers_alone(mx) -> list:
    """Attributes of handlers as they are made, which code of users reads."""
    module = mx.gluon.contrib.estimator
    metric = mx.metric.Accuracy()
    with warnings.catch_warnings(record=True) as caught, tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("always")
        made_ = [
            module.StoppingHandler(3, 4),
            module.MetricHandler(metric),
            module.ValidationHandler(None, print),
            module.LoggingHandler(7, metric),
            module.GradientUpdateHandler(),
            module.EarlyStoppingHandler(metric, 0.1, 2),
            module.EarlyStoppingHandler(metric, 0.1, 2, "min"),
            module.CheckpointHandler(folder, monitor=metric, save_best=True, mode="max"),
            module.EarlyStoppingHandler(metric, mode="neither"),
        ]
    kinds = (int, float, bool, str, type(None), list)
    found = []
    for one in made_:
        simple = {
            key: repr(value)
            for key, value in sorted(vars(one).items())
            if isinstance(value, kinds) and key not in ("model_dir", "metrics")
        }
        if "monitor_op" in vars(one):
            simple["monitor_op"] = one.monitor_op.__name__
        found.append(f"{type(one).__name__} {simple}")
    return [*found, *[warning.category.__name__ for warning in caught]]


def errors(mx) -> list:
    """Invalid arguments."""
    module = mx.gluon.contrib.estimator
    loss = mx.gluon.loss.L2Loss()
    est, _ = made(mx)
    data = samples(mx)
    net = est.net
    attempts: list = [
        lambda: module.Estimator(net, "l2"),
        lambda: module.Estimator(net, loss, train_metrics="acc"),
        lambda: module.Estimator(net, loss, val_metrics=["acc"]),
        lambda: module.Estimator(net, loss, trainer="sgd"),
        lambda: module.Estimator(net, loss, trainer=est.trainer, context="cpu"),
        lambda: module.Estimator(net, loss, trainer=est.trainer, val_loss=3),
        lambda: module.Estimator(net, loss, trainer=est.trainer, batch_processor=3),
        lambda: est.fit([1, 2], epochs=1),
        lambda: est.fit(data),
        lambda: est.fit(data, epochs=1, batches=1),
        lambda: est.fit(data, epochs=0, batches=0),
        lambda: est.fit(data, epochs=1, event_handlers=[3]),
        lambda: est.evaluate([1]),
        lambda: est.fit(data, epochs=1, event_handlers=module.MetricHandler([mx.metric.MAE()])),
        lambda: module.MetricHandler("acc"),
        lambda: module.LoggingHandler("batch"),
        lambda: module.LoggingHandler(1.5),
        lambda: module.EarlyStoppingHandler("acc"),
        lambda: module.EarlyStoppingHandler(mx.metric.CompositeEvalMetric(["acc"])),
        lambda: module.CheckpointHandler("/nowhere", save_best=True),
    ]
    return [_error(one) for one in attempts]


def programs() -> dict[str, Callable]:
    """Every program by its name."""
    found = (
        *(default, batches, events, stop_in_a_batch, logging_every_batch, validation),
        *(other_metrics, processor, early_stopping, checkpoints, best, resume),
        *(handlers_alone, errors),
    )
    return {one.__name__: one for one in found}
