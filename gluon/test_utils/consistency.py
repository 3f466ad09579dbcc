"""Checks that two computations agree, and measurements of speed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import autograd, nd
from .._core.arrays import Context
from .._core.errors import ArgumentError
from ..nd import NDArray
from ..symbol import Symbol
from .compare import assert_almost_equal, compare_ndarray_tuple, host
from .computation import Computation, as_arrays, computation, no_states
from .sparse import rand_ndarray
from .tolerance import Tolerance, get_tols


def check_speed(
    sym: Any,
    location: Mapping[str, Any] | None = None,
    ctx: Context | None = None,
    N: int = 20,
    grad_req: Any = None,
    typ: str = "whole",
    **kwargs: Any,
) -> float:
    """Measure the time of a computation.

    Examples
    --------
    >>> from gluon import nd, test_utils
    >>> test_utils.check_speed(nd.exp, N=2, data=(3, 4)) > 0
    True
    """
    if typ not in ("whole", "forward"):
        raise ArgumentError(f'check_speed: typ can only be "whole" or "forward", not {typ!r}')
    if N < 1:
        raise ArgumentError(f"check_speed: N must be at least 1, got {N}")
    if isinstance(sym, Symbol):
        once = _bound_step(sym, location, ctx, grad_req or "write", typ, kwargs)
    else:
        once = _recorded_step(sym, location, ctx, grad_req or "write", typ, kwargs)
    once()
    start = time.perf_counter()
    for _ in range(N):
        once()
    return (time.perf_counter() - start) / N


def _bound_step(
    sym: Symbol, location: Any, ctx: Any, grad_req: Any, typ: str, shapes: Mapping[str, Any]
) -> Callable[[], None]:
    """Bind one step of a symbol, with normal random numbers for missing values."""
    shapes = shapes if location is None else {name: np.shape(x) for name, x in location.items()}
    bound = sym.simple_bind(ctx, grad_req, **shapes)
    for name, array in bound.arg_dict.items():
        array[:] = np.random.normal(size=array.shape) if location is None else location[name]

    def once() -> None:
        bound.forward(is_train=typ == "whole")
        if typ == "whole":
            bound.backward(bound.outputs)

    return once


def _recorded_step(
    sym: Any, location: Any, ctx: Any, grad_req: Any, typ: str, shapes: Mapping[str, Any]
) -> Callable[[], None]:
    """Record one step of a block or a function."""
    if location is None:
        location = {name: np.random.normal(size=shape) for name, shape in shapes.items()}
    one = computation(sym, location)
    arrays = as_arrays(one, location, ctx, np.float32)
    if typ == "whole":
        for array in arrays.values():
            array.attach_grad(grad_req)

    def once() -> None:
        if typ == "forward":
            with autograd.pause():
                one(arrays)
            return
        with autograd.record():
            outputs = one(arrays)
        autograd.backward(outputs, [out.detach() for out in outputs])

    return once


def _shapes(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in settings.items() if k not in ("ctx", "type_dict")}


class _Run:
    """A computation in one configuration: its arguments, outputs and gradients."""

    def __init__(self, one: Computation, settings: Mapping[str, Any]) -> None:
        self.one, self.ctx, self.types = one, settings.get("ctx"), settings.get("type_dict", {})
        self.shapes = _shapes(settings)
        self.arrays: dict[str, NDArray] = {}
        self.outputs: list[NDArray] = []

    def fill(self, values: Mapping[Any, Any], states: Any) -> None:
        no_states(states)
        self.arrays = {
            name: nd.array(values[name], ctx=self.ctx, dtype=self.types.get(name, np.float32))
            for name in self.one.arguments
        }

    def forward(self) -> None:
        with autograd.pause():
            self.outputs = self.one(self.arrays)

    def train(self, grad_req: Any) -> None:
        for name, array in self.arrays.items():
            request = grad_req.get(name, "write") if isinstance(grad_req, Mapping) else grad_req
            if request != "null" and np.dtype(array.dtype).kind not in "biu":
                array.attach_grad(request)
        with autograd.record():
            self.outputs = self.one(self.arrays)

    def backward(self, heads: Sequence[np.ndarray]) -> None:
        grads = [nd.array(g, ctx=self.ctx, dtype=o.dtype) for g, o in zip(heads, self.outputs)]
        autograd.backward(self.outputs, grads)

    def results(self) -> dict[str, Any]:
        names = self.one.output_names(len(self.outputs))
        grads = {name: array.grad for name, array in self.arrays.items()}
        return {**grads, **dict(zip(names, self.outputs))}


class _Bound:
    """A symbol bound in one configuration, with the attributes of `_Run`."""

    def __init__(self, sym: Symbol, settings: Mapping[str, Any], grad_req: Any) -> None:
        self.bound = sym.simple_bind(grad_req=grad_req, **settings)
        self.shapes = {name: array.shape for name, array in self.bound.arg_dict.items()}

    @property
    def outputs(self) -> list[NDArray]:
        return self.bound.outputs

    def fill(self, values: Mapping[Any, Any], states: Any) -> None:
        for name, array in self.bound.arg_dict.items():
            array[:] = values[name]
        for name, array in self.bound.aux_dict.items():
            array[:] = (states or {}).get(name, 0)

    def forward(self) -> None:
        self.bound.forward()

    def train(self, grad_req: Any) -> None:
        self.bound.forward(is_train=True)

    def backward(self, heads: Sequence[np.ndarray]) -> None:
        self.bound.backward([nd.array(g, dtype=o.dtype) for g, o in zip(heads, self.outputs)])

    def results(self) -> dict[str, Any]:
        grads = {name: one for name, one in self.bound.grad_dict.items() if one is not None}
        return {**grads, **self.bound.output_dict}


def check_consistency(
    sym: Any,
    ctx_list: Sequence[Mapping[str, Any]],
    scale: float = 1.0,
    grad_req: Any = "write",
    arg_params: dict[str, Any] | None = None,
    aux_params: Any = None,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    raise_on_err: bool = True,
    ground_truth: Mapping[str, Any] | None = None,
    equal_nan: bool = False,
    use_uniform: bool = False,
    rand_type: Any = np.float64,
) -> Mapping[str, Any]:
    """Raise `AssertionError` unless a computation agrees across dtypes or contexts.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import cpu, nd, test_utils
    >>> places = [{"ctx": cpu(), "data": (2, 3), "type_dict": {"data": dtype}}
    ...           for dtype in (np.float64, np.float32)]
    >>> sorted(test_utils.check_consistency(nd.tanh, places))
    ['data', 'output']
    """
    if len(ctx_list) < 2:
        raise ArgumentError("check_consistency: ctx_list must have at least two items")
    syms = list(sym) if isinstance(sym, (list, tuple)) else [sym] * len(ctx_list)
    if len(syms) != len(ctx_list):
        raise ArgumentError(f"check_consistency: {len(syms)} symbols for {len(ctx_list)} items")
    runs = [
        _Bound(one, settings, grad_req)
        if isinstance(one, Symbol)
        else _Run(computation(one, _shapes(settings)), settings)
        for one, settings in zip(syms, ctx_list)
    ]
    if any(run.shapes.keys() != runs[0].shapes.keys() for run in runs):
        raise ArgumentError("check_consistency: the symbols must have the same argument names")
    values = dict(arg_params or {})
    for name, size in sorted(runs[0].shapes.items()):
        if name not in values:
            values[name] = _drawn(size, scale, use_uniform).astype(rand_type)
    for run in runs:
        run.fill(values, aux_params)
        run.forward()
    best = int(np.argmax([np.dtype(run.outputs[0].dtype).itemsize for run in runs]))
    compare = _Comparison(runs, best, rtol, atol, equal_nan, raise_on_err)
    compare("Predict", ground_truth)
    if grad_req == "null":
        return ground_truth or compare.truth
    for run in runs:
        run.train(grad_req)
    heads = [
        host(out).astype(min((np.dtype(run.outputs[k].dtype) for run in runs), key=_size))
        for k, out in enumerate(runs[0].outputs)
    ]
    for run in runs:
        run.backward(heads)
    compare("Train", ground_truth)
    return ground_truth or compare.truth


def _drawn(size: Any, scale: float, use_uniform: bool) -> np.ndarray:
    if use_uniform:
        return np.asarray(np.random.uniform(-0.92 * scale, 0.92 * scale, size))
    return np.asarray(np.random.normal(size=size, scale=scale))


def _size(dtype: np.dtype) -> int:
    return dtype.itemsize


class _Comparison:
    """Compares the results of runs with those of the most exact one."""

    def __init__(
        self,
        runs: list[_Run | _Bound],
        best: int,
        rtol: Tolerance,
        atol: Tolerance,
        equal_nan: bool,
        raise_on_err: bool,
    ) -> None:
        self.runs, self.best = runs, best
        self.rtol, self.atol, self.equal_nan = rtol, atol, equal_nan
        self.raise_on_err = raise_on_err
        self.truth: Mapping[str, Any] = {}

    def __call__(self, when: str, ground_truth: Mapping[str, Any] | None) -> None:
        self.truth = self.runs[self.best].results()
        want = self.truth if ground_truth is None else ground_truth
        for k, run in enumerate(self.runs):
            for name, got in run.results().items():
                if k == self.best or got is None or want.get(name) is None:
                    continue
                try:
                    self.same(got, want[name], run)
                except AssertionError as error:
                    print(f"{when} Err: ctx {k} vs ctx {self.best} at {name}")
                    if self.raise_on_err:
                        raise
                    print(error)

    def same(self, got: NDArray, want: Any, run: _Run | _Bound) -> None:
        # a gradient is no more exact than the output it comes from
        least = min((got, run.outputs[0]), key=lambda x: np.dtype(x.dtype).itemsize)
        best = self.runs[self.best].outputs[0]
        want_least = min((host(want), host(best)), key=lambda x: x.dtype.itemsize)
        rtol, atol = get_tols(least, want_least, self.rtol, self.atol)
        assert_almost_equal(got, want, rtol, atol, equal_nan=self.equal_nan)


def compare_optimizer(
    opt1: Any,
    opt2: Any,
    shape: Any,
    dtype: Any,
    w_stype: str = "default",
    g_stype: str = "default",
    rtol: float = 1e-4,
    atol: float = 1e-5,
    compare_states: bool = True,
    ntensors: int = 1,
) -> None:
    """Raise `AssertionError` unless two optimizers update random weights equally.

    The second gets weights and gradients in the storage types `w_stype` and `g_stype`.

    Examples
    --------
    >>> from gluon import optimizer, test_utils
    >>> sgd = [optimizer.SGD(momentum=0.9, lazy_update=lazy) for lazy in (True, False)]
    >>> test_utils.compare_optimizer(*sgd, (3, 4), "float32")
    """
    shapes = shape if isinstance(shape, list) else [shape]
    if ntensors != len(shapes):
        raise ArgumentError(f"compare_optimizer: ntensors={ntensors} for {len(shapes)} shapes")
    weights, grads = (
        [[one.tostype("default") for one in drawn], drawn]
        for drawn in (
            [_random(s, dtype, w_stype, 1.0) for s in shapes],
            [_random(s, dtype, g_stype, None) for s in shapes],
        )
    )
    states = [
        [opt.create_state_multi_precision(k, w) for k, w in enumerate(of)]
        for opt, of in zip((opt1, opt2), weights)
    ]
    for k in range(ntensors):
        opt1.update_multi_precision(k, weights[0][k], grads[0][k], states[0][k])
    if isinstance(shape, list):
        opt2.update_multi_precision(list(range(ntensors)), weights[1], grads[1], states[1])
    else:
        opt2.update_multi_precision(0, weights[1][0], grads[1][0], states[1][0])
    if compare_states:
        compare_ndarray_tuple(tuple(states[0]), tuple(states[1]), rtol, atol)
    compare_ndarray_tuple(tuple(weights[0]), tuple(weights[1]), rtol, atol)


def _random(shape: Any, dtype: Any, stype: str, density: float | None) -> NDArray:
    if stype == "default":
        return nd.random.uniform(shape=shape, dtype=dtype)
    return rand_ndarray(shape, stype, density=density, dtype=dtype)


def check_gluon_hybridize_consistency(
    net_builder: Callable[..., Any],
    data_l: Sequence[NDArray],
    numpy_func: Callable[..., Any] | None = None,
    test_grad: bool = True,
    rtol: float = 1e-4,
    atol: float = 1e-4,
) -> None:
    """Raise `AssertionError` unless a block returns the same values with and without `hybridize`.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import nd, nn, test_utils
    >>> test_utils.check_gluon_hybridize_consistency(
    ...     lambda prefix: nn.Activation("tanh", prefix=prefix), [nd.ones((2, 3))], np.tanh
    ... )
    """
    values: list[np.ndarray] = []
    found: list[list[np.ndarray]] = []
    for hybridize in (False, True):
        net = net_builder(prefix="net_")
        net.initialize()
        net(*data_l)  # initializes the parameters
        parameters = net.collect_params().values()
        values = values or [parameter.data().asnumpy() for parameter in parameters]
        for parameter, value in zip(parameters, values):
            parameter.set_data(nd.array(value, dtype=value.dtype))
        if hybridize:
            net.hybridize()
        results = [net(*data_l).asnumpy()]
        if test_grad:
            inputs = [one.copy() for one in data_l]
            for one in inputs:
                one.attach_grad()
            with autograd.record():
                out = net(*inputs)
            out.backward(out.detach())
            results += [out.asnumpy(), *(one.grad.asnumpy() for one in inputs)]
        found.append(results)
    compare_ndarray_tuple(tuple(found[1]), tuple(found[0]), rtol, atol)
    if numpy_func is not None:
        want = numpy_func(*[one.asnumpy() for one in data_l])
        assert_almost_equal(found[0][0], want, rtol=rtol, atol=atol)


def same_symbol_structure(sym1: Any, sym2: Any) -> bool:
    """Whether two symbols have the same operators in the same order.

    Examples
    --------
    >>> from gluon import autograd, nd, test_utils
    >>> x = nd.ones((2,))
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     one, two = autograd.get_symbol(x + 1), autograd.get_symbol(x * 1)
    >>> test_utils.same_symbol_structure(one, one), test_utils.same_symbol_structure(one, two)
    (True, False)
    """
    nodes = [json.loads(sym.tojson())["nodes"] for sym in (sym1, sym2)]
    return [one["op"] for one in nodes[0]] == [one["op"] for one in nodes[1]]
