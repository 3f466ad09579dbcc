"""What docstrings say of the parameters that many functions share.

The first line of a text is the type, the others are the meaning. `Face.made` describes by it what a
prototype does not, and decorators of written functions do the same.
"""

from __future__ import annotations

#: Of the functions of `nd`, after all others.
OF_ND = {
    "num_args": "int, optional\nHow many arrays are given.",
    "out": "NDArray of the shape and dtype of the result, optional\nWhere to write it.",
    "name": "str, optional\nIgnored; symbols use it in MXNet.",
}
#: The type of most arguments of `np`.
ARRAY = "array_like of any shape and dtype"
VECTOR = "array_like of one axis, of any dtype"
#: Of the functions of `np`.
OF_NP = {
    "a": ARRAY,
    "a1": f"{VECTOR}\nThe coefficients, highest power first.",
    "a2": f"{VECTOR}\nThe coefficients, highest power first.",
    "arr": ARRAY,
    "ary": ARRAY,
    "ar": ARRAY,
    "ar1": ARRAY,
    "ar2": ARRAY,
    "m": ARRAY,
    "p": ARRAY,
    "v": ARRAY,
    "x": ARRAY,
    "y": ARRAY,
    "axis": "int, optional\nBy default the flattened array is used.",
    "axes": "int or tuple of int, optional\nAll axes by default.",
    "bins": f"int, or {VECTOR}\nThe number of bins of equal width, or their edges.",
    "range": "(float, float), optional\nThe limits of the bins; by default the extremes.",
    "density": "bool, optional\nDivide by the total and the bin sizes: the integral is 1.",
    "weights": (
        "array_like of the same shape, of any dtype, optional\nThe weight of each value; 1 by"
        " default."
    ),
    "ddof": "number, optional\nWhat to subtract from the number of values, the divisor.",
    "dtype": "str or numpy type, optional\nThe dtype to compute in.",
    "keepdims": "bool, default False\nKeep the reduced axes, with length 1.",
    "kind": "str, optional\nHow NumPy sorts; 'stable' keeps equal values in their order.",
    "order": "None\nUnsupported: arrays have no fields to sort by.",
    "out": (
        "ndarray of the shape of the result, optional\nWhere to write the result; its dtype must"
        " allow a 'same_kind' cast."
    ),
    "overwrite_input": "bool\nIgnored: the input is never changed.",
    "size": "int or tuple of int, optional\nThe shape; by default that of the parameters.",
    "ctx": "Context, optional\nThe current context by default.",
    "device": "Context, optional\nAnother name of `ctx`.",
    "where": ("array_like of bool, optional\nWhich values to include; it broadcasts to the array."),
    "initial": "number, optional\nThe starting value.",
}
STATE = "NDArray of the same shape\nWritten to."
#: Of the steps of optimizers, by name, or by function and name.
OF_STEPS = {
    "weight": "NDArray of floating point, of any shape\nUnchanged, unless it is `out`.",
    "grad": "NDArray of the same shape",
    **dict.fromkeys("mom mean var d v z n g delta".split(), STATE),
    "history": "NDArray of shape (rows, 1)\nWritten to.",
    "weight32": "NDArray of float32 of the same shape\nThe float32 weight; written to.",
    "lamb_update_phase2.g": "NDArray of the same shape\nWhat the first phase returned.",
    "r1": "NDArray of one value\nThe norm of the weight.",
    "r2": "NDArray of one value\nThe norm of `g`.",
    "*data": (
        "NDArray of floating point, of any shape\n"
        "For each of `num_weights` weights in turn: the weight, its gradient and its "
        "states, of one shape."
    ),
    "weights": "list of NDArray of floating point, of any shape\nUnchanged, unless they are `out`.",
    "grads": "list of NDArray\nOne of the shape and dtype of each weight.",
    **dict.fromkeys(
        [f"{some}adamw_update.rescale_grad" for some in ("", "mp_", "multi_", "multi_mp_")],
        "float or NDArray of one value\nA factor of the gradient.",
    ),
    "lr": "float\nThe learning rate.",
    "lrs": "list of float\nThe learning rate of each weight.",
    "eta": "float\nA factor on the whole step, weight decay included.",
    "momentum": "float\nThe factor that `mom` decays by in each step.",
    "wd": "float\nWeight decay: the factor of the weight that is added to its gradient.",
    "wds": "list of float\nThe weight decay of each weight.",
    "wd_lh": "float\nWeight decay that bypasses the momentum.",
    "beta": "float\nAdded to the root of `n`.",
    "beta1": "float\nThe factor that the running mean of the gradient decays by in each step.",
    "beta2": "float\nThe same for the running mean of its square.",
    "gamma1": "float\nThe factor that the running means decay by in each step.",
    "gamma2": "float\nThe factor that `delta` decays by in each step.",
    "epsilon": "float\nAdded to the denominator.",
    "lamda1": "float\nThe L1 penalty: a weight is 0 where ``|z|`` is at most this.",
    "t": "int\nThe number of the step, starting at 1.",
    "bias_correction": "bool\nWhether to correct the bias of running means that start at 0.",
    "lower_bound": "float\nThe lower limit of the norm of the weight; none if negative.",
    "upper_bound": "float\nThe upper limit of the norm of the weight; none if negative.",
    "rescale_grad": "float\nA factor of the gradient.",
    "clip_gradient": "float\nLimits the gradient, after `rescale_grad`; not if negative.",
    "clip_grad": "float\nLimits the gradient, after `rescale_grad`; not if negative.",
    "clip_weights": "float\nLimits the new weight; not if negative.",
    "lazy_update": (
        "bool\nWhether rows that a row_sparse gradient does not store stay as they are."
    ),
    "num_weights": "int\nThe number of weights.",
    "size": "int\nThe number of weights; 0 for all.",
    "num_tensors": "int\nThe number of weights; 0 for all.",
    "step_count": "list of int\nThe number of the step of each weight, starting at 1.",
    "etas": "list of float\nThe factor on the whole step of each weight.",
    "weights32": "list of NDArray of float32\nThe float32 weights, of the same shapes; written to.",
}
#: Of the iterators over text files, after all others.
OF_FILES = {
    "round_batch": (
        "bool, default True\nPad the last batch with the first samples of the next epoch, which"
        " then starts after them.\nFalse pads it with the first samples, and the next epoch starts"
        " as usual."
    ),
    "dtype": "str, default 'float32'\nOf data and labels.",
    "data_name, label_name": "str",
    "prefetch_buffer, ctx": "optional\nIgnored.",
}
