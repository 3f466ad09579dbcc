"""Which kind of function each operator is: what forward mode and `vmap` know of it.

`DIAGONAL` operators work on each value by itself: their Jacobian is diagonal, so the gradient rule
of an input, applied to its tangent, gives the tangent of the output. Operators that are `LINEAR` in
an input, the others fixed, apply themselves to its tangent. Of the `OTHERS` some have formulas
in `formulas`, `images` and `recurrent`; the gradient rules of the rest are transposed.
"""

from __future__ import annotations

from typing import Final

#: Elementwise, and differentiable.
DIAGONAL: Final = frozenset(
    """
    leaky_relu elu selu gelu gelu_slope hard_sigmoid smooth_l1 add subtract multiply divide mod
    power negative reciprocal square square_grad sqrt rsqrt cbrt rcbrt abs hypot maximum minimum
    clip exp expm1 log log2 log10 log1p sigmoid sigmoid_grad tanh tanh_grad relu relu_grad softrelu
    softsign sin cos tan arcsin arccos arctan arctan2 sinh cosh arcsinh arccosh arctanh degrees
    radians sign floor ceil trunc fix rint round where copy scale_gradient round_ste sign_ste
    erf erf_slope erfinv gammaln gamma digamma polygamma sinc bessel_i exp2 logaddexp logaddexp2
    copysign fmod fmax fmin heaviside nan_to_num round_even fraction nextafter ldexp
    """.split()
)

#: Elementwise, without a derivative.
FLAT: Final = frozenset(
    """
    leaky_relu_slope equal not_equal greater greater_equal less less_equal logical_and logical_or
    logical_xor logical_not bitwise_and bitwise_or isnan isinf isfinite floor_divide quotient
    bitwise_xor invert left_shift right_shift gcd lcm signbit spacing isposinf isneginf
    """.split()
)

#: The inputs in which an operator is linear while the others are fixed: all those that have
#: derivatives.
LINEAR: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        """
        cast move im2col col2im tril triu spread resize_image resize_image_grad getitem scatter_add
        take take_grad pick pick_grad take_along put_along gather_nd gather_nd_grad scatter_nd
        scatter_nd_grad diagonal place_diagonal sum_pool sum_pool_grad
        restore sum_to sum mean upsample_nearest resize resize_grad cumsum sequence_last
        sequence_last_grad sequence_reverse reshape transpose expand_dims squeeze broadcast_to split
        unstack flip tile repeat pad_grad roll rot90 delete scatter_along fft ifft affine_grid_grad
        affine_grid flow_grid_grad roi_average roi_average_grad rotated_average rotated_average_grad
        """.split(),
        ("x",),
    ),
    **dict.fromkeys("convolution_input_grad".split(), ("x", "weight")),
    "convolution_weight_grad": ("out_grad", "x"),
    "convolve": ("a", "v"),
    "correlation": ("x1", "x2"),
    "correlation_grad": ("x", "other"),
    **dict.fromkeys("dot batch_dot matmul".split(), ("a", "b")),
    "max_pool_grad": ("out_grad",),
    "max_pool_push": ("tangent",),
}

#: Linear in all inputs together.
TOGETHER: Final = frozenset("concat stack choose setitem insert".split())

#: Linear in each of any number of inputs.
MULTILINEAR: Final = frozenset(["einsum"])

#: Products of x and weight, and a bias along the axis that is given.
BIASED: Final = {"convolution": 1, "deconvolution": 1, "fully_connected": -1}

#: Of one input, with a symmetric Jacobian: the gradient rule is that of the tangent too.
SYMMETRIC: Final = frozenset("softmax masked_softmax l2_normalization flow_grid".split())

#: Of one input, where each value has a part in one value of the output.
REDUCING: Final = frozenset(
    """
    max min prod nansum nanprod norm sum_squares log_sum_exp cross_entropy softmax_cross_entropy
    """.split()
)

#: Linear in x, but for constants in other places, which an attribute gives.
FILLED: Final = {"pad": "value", "sequence_mask": "value"}

#: Everything else that has a derivative.
OTHERS: Final = frozenset(
    """
    log_softmax softmax_grad log_softmax_grad log_softmax_push prelu box_iou allreduce
    other_product broadcast_from reduce_to allgather reduce_scatter alltoall send receive
    distance distance_grad distance_slope ctc_paths cholesky solve solve_triangular inverse pinv
    cofactors det slogdet lq eigh inverse_gaps svd eig linear_scan fill_places batch_norm
    layer_norm instance_norm group_norm batch_norm_inference softmax_output softmax_output_grad
    cross_entropy_grad linear_output logistic_output absolute_output loss_output svm_output
    kl_sparse max_pool lp_pool rnn_scan lstm_scan gru_scan sort cumprod recurrence frexp sample
    sample_grad sample_slopes cast_storage retain lookup csr_dot row_squares
    """.split()
)
