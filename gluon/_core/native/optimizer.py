"""Steps of optimizers: all weights of one kind of step in one call."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels import adaptive, optimizer
from ..kernels.signature import signature
from .loading import runner, stepper
from .stand_ins import stands_in

#: The maximum number of weights per call, limited by the arrays and settings of the library.
TOGETHER = 50
#: The first settings of the library, with the defaults for steps without them.
COMMON = {"lr": 0.0, "wd": 0.0, "rescale_grad": 1.0, "clip_gradient": -1.0}
#: The other settings of each step.
OWN: dict[Callable[..., Any], tuple[str, ...]] = {
    optimizer.sgd: (),
    optimizer.sgd_momentum: ("momentum",),
    optimizer.nag: ("momentum",),
    optimizer.signsgd: (),
    optimizer.signum: ("momentum", "wd_lh"),
    optimizer.dcasgd: ("momentum", "lamda"),
    adaptive.adam: ("beta1", "beta2", "epsilon"),
    adaptive.adamw: ("beta1", "beta2", "epsilon", "eta"),
    adaptive.adamax: ("beta1", "beta2"),
    adaptive.nadam: ("beta1", "beta2", "epsilon", "shares"),
    adaptive.ftml: ("beta1", "beta2", "epsilon", "t"),
    adaptive.ftrl: ("lamda1", "beta"),
    adaptive.rmsprop: ("gamma1", "epsilon", "clip_weights"),
    adaptive.rmsprop_centered: ("gamma1", "gamma2", "epsilon", "clip_weights"),
    adaptive.adagrad: ("epsilon",),
    adaptive.adadelta: ("rho", "epsilon"),
}
#: Kernels with another name, by the number of arrays of the step.
OTHERS = {("dcasgd", 4): "dcasgd_momentum"}


def _numbers(settings: dict[str, Any], defaults: dict[str, Any]) -> tuple | None:
    """Return the settings of one weight in order, or None if the plain kernel may reject them."""
    given = {**defaults, **settings}
    shares = given.pop("shares", ())
    good = len(given) + ("shares" in defaults) == len(defaults) and shares is not None
    good = good and None not in given.values() and settings.get("lr", 1) != 0
    return (*given.values(), *shares) if good and settings.get("t", 1) >= 1 else None


def _flat(rows: list, defaults: dict[str, Any]) -> tuple[tuple, tuple] | None:
    """All arrays, and all settings as numbers; None if the library does not take them."""
    count = len(rows[0][0])
    arrays: list[Any] = []
    numbers: list[float] = []
    last: Any = None
    for one, settings in rows:
        if settings is not last:  # most weights have the same
            found, last = _numbers(settings, defaults), settings
        if found is None or len(one) != count:
            return None
        arrays += one
        numbers += found
    return tuple(arrays), tuple(numbers)


def _register(kernel: Callable) -> None:
    """Let the library run the steps of a kernel."""
    name = kernel.__name__
    inputs, settings, _ = signature(kernel)
    own = {key: settings[key] for key in (*COMMON, *OWN[kernel]) if key in settings}
    required = {key: None for key, default in own.items() if default is inspect.Parameter.empty}
    defaults = {**COMMON, **own, **required}
    names = {len(inputs) + len(settings) - len(own): name}
    for (of, arrays), other in OTHERS.items():
        if of == name:
            names = {arrays - 1: name, arrays: other}
    runs = {count: runner(one) for count, one in names.items()}
    steps = {count: stepper(one) for count, one in names.items()}

    def done(rows: list) -> bool:
        """Whether the library performed these steps."""
        count, found = len(rows[0][0]), _flat(rows, defaults)
        if found is None or count not in runs or {*map(type, found[0])} != {np.ndarray}:
            return False
        return runs[count](found[0], (), found[1])

    def of_handles(plain: Callable, rows: list, written: bytes, variable: type) -> bool:
        """Whether the library performed these steps, whose arrays are handles."""
        count, found = len(rows[0][0]), _flat(rows, defaults)
        if found is None or count not in runs or len(rows) > TOGETHER:
            return False
        return steps[count](found[0], written[:count], found[1], variable)

    def at_rows(plain: Callable, arrays: Any, rows: Any, settings: dict[str, Any]) -> None:
        weight, grad, *states = arrays
        numbers, run = _numbers(settings, defaults), runs.get(len(arrays))
        if grad.dtype == np.float16:
            grad = grad.astype(weight.dtype)
        if not (numbers and run and run((weight, grad, *states, rows), (), numbers)):
            plain(arrays, rows, settings)

    def stand_in(plain: Callable, rows: list) -> list:
        for start in range(0, len(rows), TOGETHER):
            some = rows[start : start + TOGETHER]
            if not done(some):
                plain(some)
        return [None] * len(rows)

    stands_in(f"{name} at rows")(at_rows)
    stands_in(f"{name} of handles")(of_handles)
    stands_in(name)(stand_in)


for _kernel in OWN:
    _register(_kernel)
