"""Mistakes with registered classes: type checkers report each line that is marked, no other."""

from __future__ import annotations

from typing import Any

from gluon import init, kvstore, lr_scheduler, metric, nn, operator, optimizer, util
from gluon._core import registry


@optimizer.register
class Sign(optimizer.Optimizer):
    def __init__(self, scale: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.scale = scale


@init.register
@init.alias("halves")
class Half(init.Initializer):
    def __init__(self, of: float = 1) -> None:
        super().__init__(of=of)


@metric.register
@metric.alias("positives")
class Positive(metric.EvalMetric):
    def __init__(self, above: float) -> None:
        super().__init__("positive")
        self.above = above


@kvstore.KVStoreBase.register
class Store(kvstore.KVStoreBase):
    def __init__(self, workers: int) -> None:
        self.workers = workers


@util.use_np
class Layer(nn.HybridBlock):
    def __init__(self, units: int) -> None:
        super().__init__()
        self.units = units


@operator.register("plus")
class PlusProp(operator.CustomOpProp):
    def __init__(self, number: str) -> None:
        super().__init__()
        self.number = float(number)


class Shape: ...


@registry.get_register_func(Shape, "shape")
class Square(Shape):
    def __init__(self, side: float) -> None:
        self.side = side


optimizer.register(Shape)  # error
metric.register(3)  # error
Sign()  # error
Sign("0.1")  # error
print(Sign(0.1).scael)  # error
Half(off=1)  # error
Half(of="1")  # error
Positive()  # error
Positive(below=1)  # error
print(Positive(1).sum_metrics)  # error
Store()  # error
print(Store("2").workers)  # error
Layer()  # error
print(Layer(3).unit)  # error
PlusProp()  # error
print(PlusProp("1").numbers)  # error
Square()  # error
Square("1")  # error
print(Square(1).sides)  # error
optimizer.Adam(beta1="0.9")  # error
print(optimizer.Adam().beta)  # error
print(optimizer.SGDD)  # error
init.Normal(std=0.1)  # error
init.Xavier(magnitude="2")  # error
init.Normall()  # error
metric.TopKAccuracy(k=3)  # error
metric.Perplexity()  # error
metric.Accuracy(name=3)  # error
metric.Accuracy().udpate(None, None)  # error
metric.Acuracy()  # error
lr_scheduler.FactorScheduler()  # error
lr_scheduler.FactorScheduler(10, gamma=0.5)  # error
lr_scheduler.MultiFactorScheduler(10)  # error
lr_scheduler.CosineScheduler("100")  # error
