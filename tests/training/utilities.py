"""Programs of MXNet's test utilities and small modules, for MXNet 1.9.1 and gluon alike."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable

import numpy as np

A = np.array([1.0, 2, 3, 4], np.float32)
B = np.array([1.0, 2.5, 3, 5], np.float32)


def failure(function, *args, **kwargs) -> list[str]:
    """What is printed and the message of the AssertionError, without NumPy's printing."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            function(*args, **kwargs)
        except AssertionError as error:
            return [printed.getvalue(), str(error)]
    return ["passed"]


def comparisons(mx) -> list:
    t = mx.test_utils
    a, b, nan = mx.nd.array(A), mx.nd.array(B), np.array([np.nan, 1.0])
    found = [
        failure(t.assert_almost_equal, A, B),
        failure(t.assert_almost_equal, a, b, names=("x", "y")),
        failure(t.assert_almost_equal, a, B, rtol=0.1),
        failure(t.assert_almost_equal, a, b, rtol=0.1, atol=1),
        failure(t.assert_almost_equal, a, b, atol={np.dtype(np.float32): 2.0}),
        failure(t.assert_almost_equal, A, A[:1], use_broadcast=False),
        failure(t.assert_almost_equal, nan, nan),
        failure(t.assert_almost_equal, nan, nan, equal_nan=True),
        failure(t.assert_almost_equal, np.array([np.inf, 1]), np.array([np.inf, 2])),
        failure(t.assert_almost_equal, 1.0, 2.0),
        failure(t.assert_almost_equal, A.astype("float16"), B),
        failure(t.assert_almost_equal, A.astype("int32"), B.astype("int32"), atol=0.5),
        failure(t.assert_allclose, A, A + 1e-5),
        failure(t.assert_almost_equal_with_err, A, B, etol=0.4),
        failure(t.assert_almost_equal_with_err, A, B, etol=0.6),
        failure(t.assert_almost_equal_ignore_nan, nan, np.array([2.0, 1])),
        failure(t.assert_almost_equal_ignore_nan, nan, np.array([2.0, 3])),
        failure(t.checkShapes, A, B[:2]),
        failure(t.compare_ndarray_tuple, (a, None, (b,)), (a, b, (b,))),
        failure(t.compare_ndarray_tuple, (a, (b,)), (a, (a,))),
    ]
    answers = [
        t.same(A, A.copy()),
        t.same(A, B),
        t.same_array(a, a.reshape((2, 2)).reshape((4,))),
        t.same_array(a, a.copy()),
        t.almost_equal(A, B),
        t.almost_equal(A, A + 1e-6),
        t.almost_equal(A, B, rtol=0.5),
        t.locationError(A, B, (1,), ("a", "b"), True),
    ]
    return [line for lines in found for line in lines] + [str(one) for one in answers]


def tolerances(mx) -> list:
    t = mx.test_utils
    some = {np.dtype(np.float32): 0.5}
    answers = [
        t.get_tols(A, B.astype("float16"), None, None),
        t.get_tols(A, 1, None, some),
        t.get_tols(mx.nd.array(A), B.astype("float64"), 0.1, None),
        (t.get_atol(), t.get_rtol(), t.get_etol(), t.get_atol(3), t.get_rtol(4), t.get_etol(5)),
        t.get_tolerance(A, None, t.default_rtols()),
        t.effective_dtype(mx.nd.array(A)),
        t.default_dtype().__name__,
        sorted((str(k), v) for k, v in t.default_numeric_eps().items()),
    ]
    for table in (t.default_rtols(), t.default_atols()):
        answers += [table[np.dtype(f"float{bits}")] for bits in (16, 32, 64)]
        answers += [table[np.dtype(name)] for name in ("int32", "uint8", "bool")]
    return [str(one) for one in answers]


def random_arrays(mx) -> list:
    t = mx.test_utils
    np.random.seed(3)
    found = [*t.random_arrays((2, 3), ()), t.random_arrays((4,))]
    found += t.random_uniform_arrays((3,), (2, 1), low=-1, high=4)
    found += [np.array(t.random_sample([5, 6, 7, 8], 3))]
    for shape in (t.rand_shape_2d(), t.rand_shape_3d(5), t.rand_shape_nd(4, dim=6)):
        found.append(np.array(shape))
    found.append(np.array(t.rand_shape_2d(1, 1, allow_zero_size=True)))
    found.append(np.array(t.rand_coord_2d(0, 5, 5, 9)))
    found += [t.rand_ndarray((2, 2)), t.rand_ndarray((3,), dtype="float64")]
    return found


def matrices(mx) -> list:
    t = mx.test_utils
    np.random.seed(5)
    found = [t.new_orthonormal_matrix_2d(3), t.new_matrix_with_real_eigvals_2d(3)]
    found += [t.new_sym_matrix_with_real_eigvals_2d(4)]
    found += [t.new_matrix_with_real_eigvals_nd((2, 3, 3))]
    return [*found, t.new_sym_matrix_with_real_eigvals_nd((2, 1, 2, 2))]


def array_helpers(mx) -> list:
    t = mx.test_utils
    x = np.arange(24.0).reshape(2, 3, 4)
    return [
        t.np_reduce(x, (0, 2), True, np.sum),
        t.np_reduce(x, 1, False, np.max),
        np.array(t.np_reduce(x, None, False, np.min)),
        t.collapse_sum_like(x, (3, 1)),
        t.collapse_sum_like(x, (2, 1, 4)),
        t.collapse_sum_like(np.ones((0, 3)), (1, 3)),
        t.assign_each(A, lambda v: v + 1),
        t.assign_each(A, None),
        t.assign_each2(A, B, lambda v, w: v * w),
        t.create_2d_tensor(2, 3),
        t.create_vector(4),
        t.get_identity_mat(2),
        t.get_identity_mat_batch(2),
    ]


def statistics(mx) -> list:
    t = mx.test_utils
    rows = [
        t.gen_buckets_probs_with_ppf(lambda p: 3 * p, 3),
        t.mean_check(lambda n: np.arange(n) % 2, 0.5, 0.5, 1000),
        t.mean_check(lambda n: np.arange(n) % 2, 0.9, 0.5, 1000),
        t.var_check(lambda n: np.arange(n) % 2, 0.5, 1000),
        t.var_check(lambda n: np.arange(n) % 2, 0.9, 1000),
    ]
    return [str(one) for one in rows]


def machine(mx) -> list:
    t = mx.test_utils
    names = [feature.name for feature in mx.runtime.feature_list()]
    inside = []
    with t.environment("GLUON_ONE", "1"), t.environment({"GLUON_TWO": "2", "GLUON_ONE": None}):
        inside += [os.environ.get("GLUON_ONE"), mx.util.getenv("GLUON_TWO")]
    inside += [os.environ.get("GLUON_ONE"), mx.util.getenv("GLUON_TWO")]
    answers = [
        *names,
        *inside,
        repr(mx.runtime.Features()["CUDA"]),
        mx.runtime.Features().is_enabled("cuda"),
        mx.runtime.Features() == mx.runtime.Features(),
        list(t.list_gpus()),
        t.is_cd_run(),
        t.has_tvm_ops(),
        t.is_op_runnable(),
        t.download_model("nobody knows it"),
        mx.util.get_gpu_count(),
        t.default_context(),
    ]
    return [str(one) for one in answers]


def ufunc_options(mx) -> list:
    util = mx.util
    pairs = [("where", False), ("casting", "safe"), ("casting", "no way"), ("order", "C")]
    pairs += [("order", 1), ("dtype", "float32"), ("dtype", np.int8), ("dtype", "complex64")]
    pairs += [("subok", True), ("subok", 1), ("other", 1)]
    found = [str(util.np_ufunc_legal_option(*pair)) for pair in pairs]

    def double(x, out=None):
        return 2 * x

    def add(x, y, out=None):
        return x + y

    for call in (
        lambda: util.wrap_np_unary_func(double)(3, where=True, casting="same_kind"),
        lambda: util.wrap_np_binary_func(add)(3, 4, order="K", dtype=None, subok=True),
        lambda: util.wrap_np_unary_func(double)(3, other=1),
        lambda: util.wrap_np_unary_func(double)(3, where=False),
        lambda: util.wrap_np_unary_func(double)(3, dtype="no"),
        lambda: util.wrap_np_binary_func(add)(3, 4, other=1),
    ):
        try:
            found.append(str(call()))
        except (TypeError, NotImplementedError) as error:
            found.append(str(error))
    return found


def registries(mx) -> list:
    class Shape:
        def __init__(self, sides=0):
            self.sides = sides

    get = mx.registry
    register, alias = get.get_register_func(Shape, "shape"), get.get_alias_func(Shape, "shape")
    create = get.get_create_func(Shape, "shape")

    @register
    @alias("gon", "ngon")
    class Polygon(Shape):
        pass

    made = [create("polygon"), create("NGON", 4), create('["gon", {"sides": 5}]')]
    made += [create(shape="gon", sides=6), create(Polygon(7)), create({"shape": "gon"})]
    known = sorted(get.get_registry(Shape))
    return [str([one.sides for one in made]), str(known), str(len(get.get_registry(str)))]


def forward(mx, function):
    """The argument of the checks: a symbol for MXNet, a function for gluon."""
    if hasattr(mx, "sym"):
        names = function.__code__.co_varnames[1 : function.__code__.co_argcount]
        return function(mx.sym, *[mx.sym.Variable(name) for name in names])
    names = ", ".join(function.__code__.co_varnames[1 : function.__code__.co_argcount])
    return eval(f"lambda {names}: f(F, {names})", {"f": function, "F": mx.nd})


def checks(mx) -> list:
    t = mx.test_utils
    sym = forward(mx, lambda F, a, b: F.broadcast_mul(F.exp(a), b))
    a, b, g = np.array([[0.0, 1], [2, 3]]), np.array([1.0, -2]), np.array([[1.0, 2], [3, 4]])
    out = np.exp(a) * b
    grads = [g * out, (g * np.exp(a)).sum(0)]
    found = [t.simple_forward(sym, a=a.astype("float32"), b=b.astype("float32"))]
    found += t.check_symbolic_forward(sym, [a, b], [out], rtol=1e-5)
    found += t.check_symbolic_forward(sym, {"b": b, "a": a}, [out], dtype="asnumpy")
    for request in ("write", "add", "null", {"a": "write", "b": "add"}):
        np.random.seed(2)
        got = t.check_symbolic_backward(sym, [a, b], [g], grads, rtol=1e-5, grad_req=request)
        found += [got["a"], got["b"]]
    np.random.seed(2)
    t.check_numeric_gradient(sym, [a, b], dtype=np.float64, rtol=1e-6, atol=1e-6)
    t.check_numeric_gradient(sym, {"a": a, "b": b}, grad_nodes=["b"], rtol=1e-2, atol=1e-2)
    t.check_numeric_gradient(sym, [a, b], grad_nodes={"a": "add", "b": "null"}, rtol=0.1, atol=0.1)
    return found


def programs() -> dict[str, Callable]:
    """Return all programs, by a descriptive name."""
    found = (
        comparisons,
        tolerances,
        random_arrays,
        matrices,
        array_helpers,
        statistics,
        machine,
        ufunc_options,
        registries,
        checks,
    )
    return {f"utilities {one.__name__}": one for one in found}
