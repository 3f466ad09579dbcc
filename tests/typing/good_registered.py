"""Classes that users register keep their arguments, attributes and types."""

from __future__ import annotations

from typing import Any

from gluon import init, kvstore, metric, nn, operator, optimizer, util
from gluon._core import registry
from gluon.contrib import text
from gluon.nd import NDArray


@optimizer.register
class Sign(optimizer.Optimizer):
    steps: int

    def __init__(self, scale: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.scale, self.steps = scale, 0

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        self.steps += 1
        weight -= self.learning_rate * self.scale * grad.sign()


@optimizer.Optimizer.register
class Still(Sign):
    def moved(self) -> bool:
        return False


@init.register
@init.alias("halves", "half")
class Half(init.Initializer):
    def __init__(self, of: float = 1) -> None:
        super().__init__(of=of)
        self.of = of

    def _init_weight(self, name: str, arr: NDArray) -> None:
        arr[:] = self.of / 2


@metric.register
@metric.alias("positives")
class Positive(metric.EvalMetric):
    def __init__(self, above: float, name: str = "positive") -> None:
        super().__init__(name)
        self.above = above

    def update(self, labels: Any, preds: NDArray) -> None:
        self.sum_metric += (preds > self.above).sum().asscalar()
        self.num_inst += preds.size


@kvstore.KVStoreBase.register
class Store(kvstore.KVStoreBase):
    def __init__(self, workers: int) -> None:
        self.workers = workers


@text.embedding.register
class Vectors(text.embedding.CustomEmbedding):
    def known(self) -> int:
        return len(self)


@util.use_np
class Layer(nn.HybridBlock):
    def __init__(self, units: int) -> None:
        super().__init__()
        self.units = units


@operator.register("plus")
class PlusProp(operator.CustomOpProp):
    def __init__(self, number: str = "1") -> None:
        super().__init__(need_top_grad=True)
        self.number = float(number)


class Shape:
    sides = 0


register = registry.get_register_func(Shape, "shape")
alias = registry.get_alias_func(Shape, "shape")


@register
@alias("quad")
class Square(Shape):
    def __init__(self, side: float) -> None:
        self.side = side


def attributes() -> tuple[float, int, float, float, int, int, float, float]:
    sign, half, positive = Sign(0.1, learning_rate=0.5), Half(of=3), Positive(above=0.5)
    made: Sign = Still(scale=2.0)
    steps: int = made.steps + sign.steps
    return (
        *(sign.scale, steps, half.of, positive.above),
        *(Store(2).workers, Layer(units=3).units, PlusProp("2").number, Square(1.5).side),
    )


kinds: list[type[optimizer.Optimizer]] = [Sign, Still, optimizer.SGD]
moved: bool = Still(1).moved()
beta: float = optimizer.Adam(beta1=0.8).beta1
sigma = init.Normal(sigma=0.1)
top: metric.TopKAccuracy = metric.TopKAccuracy(top_k=3)
