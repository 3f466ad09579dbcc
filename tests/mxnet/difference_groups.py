"""Calls that end differently in gluon than in MXNet, in groups with a reason each.

Of each group samples were read beside the oracle. The first that fits a call is its group.
"""

from __future__ import annotations

import re

#: Kind of difference | functions | keywords of the call | the reason.
GROUPS: tuple[tuple[str, str, str, str], ...] = (
    ("crash", "", "", "The call ends the oracle's process, or it hangs; gluon raises an error."),
    (
        "",
        r"_internal\._backward|backward_gradientmultiplier",
        "",
        "A gradient operator called by itself: gluon has gradient rules, which are not operators.",
    ),
    ("", r"quantize|quantized|intgemm|calibrate", "", "Inference in int8 is out of scope."),
    (
        "accepted",
        r"_rnn_param_concat|_ndarray_class|_to_shared_mem|_get_index_nd|_copyto|_set_value|_like_rhs",
        "",
        "MXNet's own machinery: handles, shared memory, arrays written through positions.",
    ),
    (
        "",
        r"_get_\w+_indexing|_set_\w+_indexing",
        "",
        "MXNet's method expects a key that it has already normalized; gluon's indexes by the key.",
    ),
    (
        "accepted",
        r"[Bb]atch_?[Nn]orm",
        "",
        "MXNet does not check the shapes of gamma and the others.",
    ),
    (
        "accepted",
        r"\.(as_in_context|as_in_ctx|cpu|cpu_pinned|gpu)$",
        "",
        "An array where a device or its number belongs: MXNet takes the array's own.",
    ),
    ("accepted", "", r"forward_stype", "The product of stacks of matrices is dense."),
    (
        "accepted",
        r"random|sample_",
        "",
        "Parameters out of the range of the distribution, or that do not broadcast to the size:"
        " MXNet draws from what they happen to be.",
    ),
    (
        "dtype",
        r"_get_index_nd|_advanced_index_to_array",
        "",
        "Places are int64: an array can have more than 2**31 values.",
    ),
    ("dtype", "", r"'dtype': None", "dtype=None is the default dtype; MXNet takes it for float64."),
    (
        "dtype",
        r"np\.random",
        "",
        "Samples have the dtype of their parameters, where none is asked for.",
    ),
    (
        "dtype",
        r"np\.(corrcoef|cov|histogram2d|histogramdd|interp|polyint|vander|nanpercentile)",
        "",
        "NumPy, to which MXNet hands on, gives float64; gluon keeps the dtype, and has gradients.",
    ),
    (
        "dtype",
        r"_full$",
        "",
        "The method writes in place; MXNet's returns what NumPy's class makes.",
    ),
    (
        "value",
        r"_[mM]od_?[sS]calar|_ModScalar",
        "",
        "A remainder by 0 is NaN; MXNet gives 0.",
    ),
    ("value", r"_set_value", "", "MXNet takes the second array for the output."),
    ("value", r"linalg\.svd", "", "The signs of singular vectors are free."),
    ("value", r"linalg\.lstsq", "", "rcond=1 is the limit at which every singular value is 0."),
    ("shape", r"np\.unique", "", "The inverse has the shape of the array, as in NumPy 2."),
    ("results", r"[Ll]eaky", "", "MXNet also returns the slopes that it drew."),
    (
        "accepted",
        r"^(gluon|metric|optimizer|initializer|lr_scheduler|image|npx\.image\.Create)",
        "",
        "gluon checks arguments when an object is made; MXNet when it is called, or never.",
    ),
    (
        "accepted",
        r"np\.(histogram|histogram2d|histogramdd|piecewise|poly|linalg\.qr|trim_zeros|sort|argsort)",
        "",
        "MXNet hands on to NumPy 1.23, which does not check, or has the option no more since.",
    ),
    (
        "accepted",
        "",
        r"'temperature': 0|'p': 0|'init_output'|_off': None|'grad_scale': None|'output_size'|"
        r"'scale_|'kernel_size'|'kind'|no_such",
        "A value without a meaning, of which MXNet makes NaN, garbage or the default.",
    ),
    ("accepted", r"index_copy", "", "Indices outside: MXNet writes beyond the end of the memory."),
    (
        "accepted",
        r"_like$|np\.copy$|np\.vstack|RegressionOutput|_get_rescale_grad|Correlation|_histogram|multi_|all_finite",
        "",
        "More arrays than the function has, or arrays for numbers: MXNet takes them for the output,"
        " or their first value.",
    ),
    (
        "refused",
        r"^gluon\.nn\.Conv|^image\.|^metric\.|^lr_scheduler\.",
        "",
        "A setting that is wrong for every input is an error when the object is called.",
    ),
    (
        "refused",
        r"[Ss]equence_?([Mm]ask|[Ll]ast|[Rr]everse)|cumsum|boolean_mask|SoftmaxActivation|Dropout|"
        r"nd\.norm|trim_zeros|bincount|i?fft$|_square_sum|IdentityAttach|_CrossDeviceCopy|Crop$|"
        r"amp_multicast|moments|multi_sum_sq|reset_arrays|_split_v2|nd\.concatenate|min_scalar_type|"
        r"result_type|dispatch_code|histogram2d|setxor1d|np\.flip|dropout|KLSparse|multi_all_finite|nd\.take",
        "",
        "gluon computes it for every axis, shape, dtype or number of arrays; MXNet for some.",
    ),
    (
        "refused",
        r"percentile|meshgrid|_like$|pinv|empty_like|np\.(clip|deg2rad|rad2deg|unique|std|var|average)|"
        r"np\.ndarray\.(clip|sort|astype)|quantile|np\.interp",
        "",
        "An option or a call of NumPy's that MXNet does not have, or not yet.",
    ),
    ("refused", r"^optimizer\.", "", "The learning rate may be given by its place, as elsewhere."),
    (
        "refused",
        r"np\.ndarray\.take",
        "",
        "Places may be of a floating dtype, as in mx.nd.",
    ),
    (
        "refused",
        r"_assign_scalar|_get_n\w+_indexing",
        "",
        "Left out, an index is that of the whole array.",
    ),
    (
        "refused",
        r"sample_|random|uniform$",
        "",
        "Samples of no values, or of one, are arrays of that shape; numbers may be of any type.",
    ),
    (
        "refused",
        "",
        r": None|: 1\.5|: -1\.0|'(offset|repeat|ddof)'",
        "None is an option that is off, and a number of another type is converted.",
    ),
    (
        "refused",
        "",
        r"(positive', '.*positive'.*){1}\]",
        "A further array is the output, as for other operators.",
    ),
    (
        "class",
        r"_internal|_ndarray_cls|_random_helper|check_call|gpu_memory_info|genfromtxt|ndarray\._|"
        r"NDArray\._|initializer\.NDArray",
        "",
        "What needs MXNet's C library says that it cannot be used, whatever the arguments.",
    ),
    (
        "class",
        r"^(np|nd|npx)\.",
        "",
        "Too many positional arguments, or a bad value, found by another check than MXNet's: an"
        " ArgumentError (a ValueError) or a DTypeError (a TypeError).",
    ),
    ("class", "", "", "A bad argument of a class, found by another check than MXNet's."),
)


def reason(kind: str, path: str, call: list) -> str | None:
    """The reason why a call differs; None if it is in no group."""
    given = f"{call}"
    for of_kind, paths, keywords, why in GROUPS:
        if of_kind in ("", kind) and re.search(paths, path) and re.search(keywords, given):
            return why
    return None
