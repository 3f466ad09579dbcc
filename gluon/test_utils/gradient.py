"""Checks of the results of computations, and of their gradients."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from .. import autograd, nd
from .._core.arrays import Context
from .._core.engine.tape import AMBIENT
from .._core.errors import ArgumentError
from .._core.progress import tracked
from ..nd import NDArray
from .compare import assert_almost_equal, host
from .computation import Computation, as_array, as_arrays, computation
from .tolerance import Tolerance, default_numeric_eps, get_tolerance


def simple_forward(
    sym: Any, ctx: Context | None = None, is_train: bool = False, **inputs: Any
) -> Any:
    """Compute from NumPy arrays to NumPy arrays.

    Examples
    --------
    >>> from gluon import nd, test_utils
    >>> test_utils.simple_forward(nd.dot, lhs=[[1, 2]], rhs=[[3], [4]])
    array([[11.]], dtype=float32)
    """
    one = computation(sym, inputs)
    arrays = as_arrays(one, inputs, ctx, np.float32)
    with autograd.pause(train_mode=is_train):
        outputs = [out.asnumpy() for out in one(arrays)]
    return outputs[0] if len(outputs) == 1 else outputs


def check_symbolic_forward(
    sym: Any,
    location: Any,
    expected: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    aux_states: Any = None,
    ctx: Context | None = None,
    equal_nan: bool = False,
    dtype: Any = np.float32,
) -> list[NDArray]:
    """Raise `AssertionError` unless the outputs of a computation are as expected.

    Examples
    --------
    >>> from gluon import nd, test_utils
    >>> mat1, mat2 = [[1, 2], [3, 4]], [[5, 6], [7, 8]]
    >>> outputs = test_utils.check_symbolic_forward(nd.dot, [mat1, mat2], [[[19, 22], [43, 50]]])
    """
    one = computation(sym, location, aux_states, ctx, dtype)
    arrays = as_arrays(one, location, ctx, dtype)
    with autograd.pause():
        outputs = one(arrays)
    names = one.output_names(len(outputs))
    for name, want, out in zip(names, _in_order(expected, names, "expected"), outputs):
        shown = f"EXPECTED_{name}", f"FORWARD_{name}"
        assert_almost_equal(want, out, rtol, atol, shown, equal_nan=equal_nan)
    return outputs


def check_symbolic_backward(
    sym: Any,
    location: Any,
    out_grads: Any,
    expected: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    aux_states: Any = None,
    grad_req: Any = "write",
    ctx: Context | None = None,
    grad_stypes: Any = None,
    equal_nan: bool = False,
    dtype: Any = np.float32,
) -> dict[str, NDArray]:
    """Raise `AssertionError` unless the gradients of a computation are as expected.

    Examples
    --------
    >>> from gluon import nd, test_utils
    >>> grads = test_utils.check_symbolic_backward(nd.square, [[1, 2]], [[1, 10]], [[2, 40]])
    """
    one = computation(sym, location, aux_states, ctx, dtype)
    arrays = as_arrays(one, location, ctx, dtype)
    if not isinstance(expected, Mapping):
        expected = dict(zip(one.arguments, expected))
    requests = _requests(one, grad_req)
    before = {name: np.random.normal(size=arrays[name].shape) for name in sorted(expected)}
    grads = {
        name: nd.array(noise, ctx=ctx, dtype=arrays[name].dtype) for name, noise in before.items()
    }
    before = {name: grad.asnumpy() for name, grad in grads.items()}
    with _marked(arrays, grads, requests):
        outputs = one(arrays)
    if out_grads is not None:
        given = _in_order(out_grads, one.output_names(len(outputs)), "out_grads")
        out_grads = [as_array(grad, ctx, dtype) for grad in given]
    _send(outputs, out_grads, requests, grads, before)
    for name, want in expected.items():
        shown = f"EXPECTED_{name}", f"BACKWARD_{name}"
        _compare(requests[name], want, grads[name], before[name], rtol, atol, shown, equal_nan)
    return grads


def numeric_grad(
    executor: Any,
    location: Mapping[str, Any],
    aux_states: Any = None,
    eps: float = 1e-4,
    use_forward_train: bool = True,
    dtype: Any = np.float32,
) -> dict[str, np.ndarray]:
    """Gradients of the sum of the first output, by finite differences.

    The derivative for one element is ``(f(x + eps / 2) - f(x - eps / 2)) / eps``, with all others
    fixed.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import nd, test_utils
    >>> x = np.array([1.0, 2.0])
    >>> grads = test_utils.numeric_grad(nd.square, {"data": x}, dtype=np.float64)
    >>> grads["data"].round(4)
    array([2., 4.])
    """
    one = computation(executor, location, aux_states, None, dtype)
    return _slopes(one, location, location, eps, use_forward_train, dtype)


def _slopes(
    one: Computation,
    location: Mapping[str, Any],
    wanted: Iterable[str],
    eps: float,
    use_forward_train: bool,
    dtype: Any,
) -> dict[str, np.ndarray]:
    """Return what `numeric_grad` does, for the arguments in `wanted`; no other one is moved."""
    points = {name: np.array(host(value), order="C") for name, value in location.items()}
    arrays = as_arrays(one, points, None, dtype)

    def moved(name: str, k: int, step: float) -> np.ndarray:
        point = points[name].copy()
        point.flat[k] += step
        with autograd.pause(train_mode=use_forward_train):
            out = one({**arrays, name: nd.array(point, dtype=dtype)})
        return out[0].asnumpy()

    grads = {name: np.zeros(points[name].shape, dtype) for name in wanted}
    for name in grads:
        point = points[name]
        if point.dtype.kind == "f":
            for k in tracked(range(point.size), point.size, f"gradient of {name}", "element"):
                change = moved(name, k, eps / 2) - moved(name, k, -eps / 2)
                grads[name].flat[k] = change.sum() / eps
    return grads


def check_numeric_gradient(
    sym: Any,
    location: Any,
    aux_states: Any = None,
    numeric_eps: Tolerance = None,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    grad_nodes: Any = None,
    use_forward_train: bool = True,
    ctx: Context | None = None,
    grad_stype_dict: Any = None,
    dtype: Any = np.float32,
) -> None:
    """Raise `AssertionError` unless the gradients of a computation agree with finite differences.

    The output is multiplied by random numbers from 0.1 to 1.1 and summed, and the gradients of
    that sum are compared.

    Examples
    --------
    >>> from gluon import nd, test_utils
    >>> test_utils.check_numeric_gradient(lambda a, b: a * nd.exp(b), [[1.0, 2.0], [0.5, -1.0]])
    """
    one = computation(sym, location, aux_states, ctx, dtype)
    arrays = as_arrays(one, location, ctx, dtype)
    requests = _requests(one, "write" if grad_nodes is None else grad_nodes)
    with autograd.pause(train_mode=True):
        outputs = one(arrays)
    if len(outputs) != 1:
        raise ArgumentError(
            f"check_numeric_gradient takes one output, and this gives {len(outputs)}; pick one"
        )
    eps = get_tolerance(outputs[0], numeric_eps, default_numeric_eps())
    if outputs[0].dtype != np.float64 and eps < 1e-5:
        raise ArgumentError(
            f"check_numeric_gradient: numeric_eps={eps} is lost in {np.dtype(outputs[0].dtype)};"
            " take 1e-5 or more, or dtype=numpy.float64"
        )
    weight = nd.array(np.random.rand(*outputs[0].shape) + 0.1, ctx=ctx, dtype=outputs[0].dtype)
    loss = Computation(one.arguments, None, lambda given: nd.multiply(one(given)[0], weight))
    noise = {name: np.random.normal(0, 0.01, arrays[name].shape) for name in requests}
    grads = {name: nd.array(noise[name], ctx=ctx, dtype=arrays[name].dtype) for name in requests}
    before = {name: grad.asnumpy() for name, grad in grads.items()}
    with _marked(arrays, grads, requests):
        (out,) = loss(arrays)
    _send([out], None, requests, grads, before)
    points = {name: array.asnumpy() for name, array in arrays.items()}
    numeric = _slopes(loss, points, _moving(requests), eps, use_forward_train, dtype)
    for name, request in requests.items():
        shown = f"NUMERICAL_{name}", f"BACKWARD_{name}"
        _compare(request, numeric.get(name), grads[name], before[name], rtol, atol, shown, False)


def _moving(requests: Mapping[str, str]) -> list[str]:
    """Return the arguments whose gradients are compared."""
    return [name for name, request in requests.items() if request != "null"]


@contextmanager
def _marked(
    arrays: Mapping[str, NDArray], grads: Mapping[str, NDArray], requests: Mapping[str, str]
) -> Iterator[None]:
    """Record in training mode, with arguments that need gradients as variables."""
    names = [name for name in grads if np.dtype(arrays[name].dtype).kind not in "biu"]
    autograd.mark_variables(
        [arrays[name] for name in names],
        [grads[name] for name in names],
        [requests[name] for name in names],
    )
    with autograd.record():
        yield


def _send(
    outputs: Sequence[NDArray],
    out_grads: Sequence[NDArray] | None,
    requests: Mapping[str, str],
    grads: Mapping[str, NDArray],
    before: Mapping[str, np.ndarray],
) -> None:
    """Run backward from the outputs with a history; the gradient of unreached arguments is 0."""
    given: Sequence[NDArray | None] = out_grads or [None] * len(outputs)
    pairs = [(out, g) for out, g in zip(outputs, given) if AMBIENT in out._node.tapes]
    if pairs and set(requests.values()) != {"null"}:
        heads, head_grads = map(list, zip(*pairs))
        autograd.backward(heads, head_grads, train_mode=True)
    for name, grad in grads.items():
        if requests[name] == "write" and np.array_equal(grad.asnumpy(), before[name]):
            grad[...] = 0


def _requests(one: Computation, grad_req: Any) -> dict[str, str]:
    """Return the ``grad_req`` of arguments, by name."""
    if isinstance(grad_req, str):
        grad_req = dict.fromkeys(one.arguments, grad_req)
    elif not isinstance(grad_req, Mapping):
        listed = list(grad_req)
        known = set(listed) <= {"write", "add", "null"}
        grad_req = dict(zip(one.arguments, listed) if known else dict.fromkeys(listed, "write"))
    for name, request in grad_req.items():
        if name not in one.arguments:
            raise ArgumentError(f"unknown argument {name!r}; the arguments are {one.arguments}")
        if request not in ("write", "add", "null"):
            raise ArgumentError(
                f"Invalid grad_req {request} for argument {name}; it is 'write', 'add' or 'null'"
            )
    return dict(grad_req)


def _in_order(values: Any, names: list[str], what: str) -> list:
    """Return values given in order or by name, in order."""
    if isinstance(values, Mapping):
        if missing := [name for name in names if name not in values]:
            raise ArgumentError(f"{what} lacks {missing[0]!r}; the outputs are {names}")
        return [values[name] for name in names]
    if len(values) != len(names):
        raise ArgumentError(f"{what} has {len(values)} arrays; the outputs are {names}")
    return list(values)


def _compare(
    request: str,
    want: Any,
    grad: NDArray,
    before: np.ndarray,
    rtol: Tolerance,
    atol: Tolerance,
    names: tuple[str, str],
    equal_nan: bool,
) -> None:
    """Raise unless `grad` is as requested: written, added or unchanged."""
    got: Any = grad.asnumpy() - before if request == "add" else grad
    want = before if request == "null" else want
    assert_almost_equal(want, got, rtol, atol, names, equal_nan=equal_nan)
