"""The test utilities of MXNet: comparisons, random arrays, checks of gradients.

Arguments are those of ``mxnet.test_utils`` in MXNet 1.9.1; ``docs/differences.md`` lists the
differences.
"""

import typing as _typing

from .._core.faces.names import public_names as _public_names
from .._core.hints.lookup import error_for as _error_for
from .._core.runtime import Features as Features
from .arrays import assign_each as assign_each
from .arrays import assign_each2 as assign_each2
from .arrays import collapse_sum_like as collapse_sum_like
from .arrays import create_2d_tensor as create_2d_tensor
from .arrays import create_vector as create_vector
from .arrays import get_identity_mat as get_identity_mat
from .arrays import get_identity_mat_batch as get_identity_mat_batch
from .arrays import new_matrix_with_real_eigvals_2d as new_matrix_with_real_eigvals_2d
from .arrays import new_matrix_with_real_eigvals_nd as new_matrix_with_real_eigvals_nd
from .arrays import new_orthonormal_matrix_2d as new_orthonormal_matrix_2d
from .arrays import new_sym_matrix_with_real_eigvals_2d as new_sym_matrix_with_real_eigvals_2d
from .arrays import new_sym_matrix_with_real_eigvals_nd as new_sym_matrix_with_real_eigvals_nd
from .arrays import np_reduce as np_reduce
from .arrays import rand_coord_2d as rand_coord_2d
from .arrays import rand_shape_2d as rand_shape_2d
from .arrays import rand_shape_3d as rand_shape_3d
from .arrays import rand_shape_nd as rand_shape_nd
from .arrays import random_arrays as random_arrays
from .arrays import random_sample as random_sample
from .arrays import random_uniform_arrays as random_uniform_arrays
from .arrays import shuffle_csr_column_indices as shuffle_csr_column_indices
from .compare import almost_equal as almost_equal
from .compare import assert_allclose as assert_allclose
from .compare import assert_almost_equal as assert_almost_equal
from .compare import assert_almost_equal_ignore_nan as assert_almost_equal_ignore_nan
from .compare import assert_almost_equal_with_err as assert_almost_equal_with_err
from .compare import assert_exception as assert_exception
from .compare import checkShapes as checkShapes
from .compare import compare_ndarray_tuple as compare_ndarray_tuple
from .compare import find_max_violation as find_max_violation
from .compare import locationError as locationError
from .compare import retry as retry
from .compare import same as same
from .compare import same_array as same_array
from .consistency import check_consistency as check_consistency
from .consistency import check_gluon_hybridize_consistency as check_gluon_hybridize_consistency
from .consistency import check_speed as check_speed
from .consistency import compare_optimizer as compare_optimizer
from .consistency import same_symbol_structure as same_symbol_structure
from .datasets import DummyIter as DummyIter
from .datasets import download as download
from .datasets import download_model as download_model
from .datasets import get_bz2_data as get_bz2_data
from .datasets import get_cifar10 as get_cifar10
from .datasets import get_im2rec_path as get_im2rec_path
from .datasets import get_mnist as get_mnist
from .datasets import get_mnist_iterator as get_mnist_iterator
from .datasets import get_mnist_pkl as get_mnist_pkl
from .datasets import get_mnist_ubyte as get_mnist_ubyte
from .datasets import get_zip_data as get_zip_data
from .environment import EnvManager as EnvManager
from .environment import default_context as default_context
from .environment import discard_stderr as discard_stderr
from .environment import environment as environment
from .environment import has_tvm_ops as has_tvm_ops
from .environment import is_aarch64_run as is_aarch64_run
from .environment import is_cd_run as is_cd_run
from .environment import is_op_runnable as is_op_runnable
from .environment import list_gpus as list_gpus
from .environment import set_default_context as set_default_context
from .environment import set_env_var as set_env_var
from .gradient import check_numeric_gradient as check_numeric_gradient
from .gradient import check_symbolic_backward as check_symbolic_backward
from .gradient import check_symbolic_forward as check_symbolic_forward
from .gradient import numeric_grad as numeric_grad
from .gradient import simple_forward as simple_forward
from .sparse import create_sparse_array as create_sparse_array
from .sparse import create_sparse_array_zd as create_sparse_array_zd
from .sparse import rand_ndarray as rand_ndarray
from .sparse import rand_sparse_ndarray as rand_sparse_ndarray
from .statistics import chi_square_check as chi_square_check
from .statistics import gen_buckets_probs_with_ppf as gen_buckets_probs_with_ppf
from .statistics import mean_check as mean_check
from .statistics import var_check as var_check
from .statistics import verify_generator as verify_generator
from .tolerance import default_atols as default_atols
from .tolerance import default_dtype as default_dtype
from .tolerance import default_numeric_eps as default_numeric_eps
from .tolerance import default_rtols as default_rtols
from .tolerance import effective_dtype as effective_dtype
from .tolerance import get_atol as get_atol
from .tolerance import get_etol as get_etol
from .tolerance import get_rtol as get_rtol
from .tolerance import get_tolerance as get_tolerance
from .tolerance import get_tols as get_tols

#: Names of MXNet's module that gluon lacks, and the reasons.
_ABSENT = {
    "np_symbol": "symbols of both interfaces are of one class, gluon.sym.Symbol",
}


if not _typing.TYPE_CHECKING:  # type checkers use the imports above and report wrong names
    __all__ = _public_names(__name__)

    def __getattr__(name: str) -> _typing.Any:
        reason = f": {_ABSENT[name]}" if name in _ABSENT else ""
        raise _error_for(f"gluon.test_utils has no {name!r}{reason}", name)
