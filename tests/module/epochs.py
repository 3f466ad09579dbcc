"""What modules take from iterators and when, in programs that run on MXNet 1.9.1 and on gluon."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.module.programs import started


def regression(mx):
    """A network of one number, whose label is ``lin_label``."""
    x = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=1, name="f")
    return mx.sym.LinearRegressionOutput(x, name="lin")


def module_of(mx):
    """A module of `regression`."""
    return mx.module.Module(regression(mx), label_names=["lin_label"])


def watching(mx, seen: list):
    """A metric that notes the labels that it is given."""

    class Labels(mx.metric.EvalMetric):
        def update(self, labels, preds):
            seen.append(labels[0].asnumpy().astype(int).ravel().tolist())
            self.num_inst, self.sum_metric = 1, 0.0
            self.global_num_inst, self.global_sum_metric = 1, 0.0

    return Labels("seen")


def refilling(mx, events: list, restarts: bool = False):
    """Batches in one array, which is filled again for each; one that restarts needs no reset."""

    class Refilling(mx.io.DataIter):
        def __init__(self):
            super().__init__(2)
            self.count, self.total = 0, 0
            self.x, self.y = mx.nd.zeros((2, 1)), mx.nd.zeros((2, 1))
            self.provide_data = [mx.io.DataDesc("data", (2, 1))]
            self.provide_label = [mx.io.DataDesc("lin_label", (2, 1))]

        def reset(self):
            events.append("reset")
            self.count = 0

        def next(self):
            if self.count == 3:
                events.append("stop")
                self.count = 0 if restarts else 3
                raise StopIteration
            self.count, self.total = self.count + 1, self.total + 1
            assert self.total < 50, "an epoch without end"
            events.append(f"next {self.count}")
            self.x[:], self.y[:] = self.count, 3 * self.count
            return mx.io.DataBatch([self.x], [self.y], pad=0)

    return Refilling()


def order(mx) -> list:
    """The order of all that `fit`, `score` and `predict` call."""
    events: list[str] = []
    module = module_of(mx)

    def noting(name):
        method = getattr(module, name)

        def noted(batch, *args, **kwargs):
            events.append(f"{name} {batch.data[0].asnumpy().ravel().tolist()}")
            return method(batch, *args, **kwargs)

        return noted

    module.forward, module.prepare = noting("forward"), noting("prepare")
    seen: list = []
    for restarts in (False, True):
        batches = refilling(mx, events, restarts)
        module.fit(
            batches,
            num_epoch=2,
            eval_metric=watching(mx, seen),
            batch_end_callback=lambda one: events.append(f"ended {one.epoch} {one.nbatch}"),
            epoch_end_callback=lambda *given: events.append(f"epoch {given[0]}"),
        )
    trained = list(events)
    events.clear()
    module.score(batches, watching(mx, seen), num_batch=2)
    module.score(batches, watching(mx, seen))
    module.predict(batches, num_batch=2)
    module.predict(batches, reset=False)
    # Before the first batch only gluon calls `prepare` where it predicts.
    return [*trained, *(one for one in events if "prepare" not in one), repr(seen)]


def ends(mx) -> list:
    """The samples of each epoch, of iterators whose last batch is not complete."""
    found = []
    for handle in ("pad", "discard", "roll_over"):
        for around in ("", "prefetching", "resized"):
            seen: list = []
            x = np.arange(7, dtype="float32").reshape(7, 1)
            batches = mx.io.NDArrayIter(x, x, 3, last_batch_handle=handle, label_name="lin_label")
            if around == "prefetching":
                batches = mx.io.PrefetchingIter(batches)
            elif around == "resized":
                batches = mx.io.ResizeIter(batches, 2, reset_internal=False)
            module = module_of(mx)
            module.fit(batches, batches, num_epoch=3, eval_metric=watching(mx, seen))
            module.score(batches, watching(mx, seen), num_batch=1)
            module.score(batches, watching(mx, seen), reset=False)
            found.append(f"{handle} {around} {seen}")
    return found


def feed_forward(mx) -> list:
    """The samples that `FeedForward` takes from iterators, and which it leaves."""
    found = []
    x = np.arange(7, dtype="float32").reshape(7, 1)
    for size in (None, 2, 3, 5):
        for handle in ("pad", "discard", "roll_over"):
            seen: list = []
            batches = mx.io.NDArrayIter(x, x, 3, last_batch_handle=handle, label_name="lin_label")
            batches.next()  # training starts from the first batch all the same
            model = mx.model.FeedForward(
                regression(mx), num_epoch=3, epoch_size=size, learning_rate=0.0
            )
            model.fit(batches, eval_metric=watching(mx, seen))
            found.append(f"{size} {handle} {seen}")
    batches = mx.io.NDArrayIter(x, None, 2)
    for count in (2, 1, None):
        _, data, label = model.predict(batches, count, return_data=True, reset=False)
        found.append(f"{data.ravel().tolist()} {label}")
    for count in (1, None):
        found.append(f"{model.predict(batches, num_batch=count).shape}")
    batches = mx.io.NDArrayIter(x, x, 2, label_name="lin_label")
    seen = []
    model.score(batches, watching(mx, seen), num_batch=1)
    model.score(batches, watching(mx, seen), reset=False)
    model.score(batches, watching(mx, seen))
    return [*found, repr(seen)]


def unnamed(mx) -> list:
    """Buckets whose layers have no names, created among other layers that have none."""

    def other():
        return mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2)

    def sym_gen(length):
        data = mx.sym.Variable("data")
        x = mx.sym.mean(mx.sym.Embedding(data, input_dim=10, output_dim=4), axis=1)
        x = mx.gluon.nn.Dense(5)(mx.sym.FullyConnected(x, num_hidden=3))
        x = mx.sym.FullyConnected(x + 1, num_hidden=3)
        return mx.sym.SoftmaxOutput(x, name="softmax"), ["data"], ["softmax_label"]

    other()
    module = mx.module.BucketingModule(sym_gen, default_bucket_key=6)
    found = [*module.data_names, *module.output_names]
    module.bind([("data", (2, 6))], [("softmax_label", (2,))])
    symbol = module.symbol
    values = started(mx, symbol, data=(2, 6), softmax_label=(2,))
    module.init_params(arg_params=values)
    module.init_optimizer(optimizer_params={"learning_rate": 1.0})
    for step in range(4):
        length = (6, 3)[step % 2]
        batch = mx.io.DataBatch(
            [mx.nd.ones((2, length))],
            [mx.nd.array([0, 1])],
            bucket_key=length,
            provide_data=[("data", (2, length))],
            provide_label=[("softmax_label", (2,))],
        )
        module.prepare(batch)
        module.forward_backward(batch)
        module.update()
        found += [*module.symbol.list_arguments(), module.get_outputs()[0].copy()]
    return [*found, *sorted(module.get_params()[0]), *other().list_arguments()]


def programs() -> dict[str, Callable]:
    """Return all programs, by a descriptive name."""
    return {one.__name__: one for one in (ends, feed_forward, order, unnamed)}
