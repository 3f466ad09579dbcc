"""Convolutions that are products, since their kernel is 1 x 1, and sums with a bias."""

from __future__ import annotations

import math

import numpy as np

from ..kernels.conv import is_pointwise, make_window
from . import compiled, loops
from .listing import Entry
from .lower import RULES, Lowering, numbered
from .rules import all_alike, product
from .values import Instruction, View, new, steps_of


def _pixels(self: Lowering, x: View) -> View:
    """`x` as a matrix of channels and places for each sample."""
    shape = (*x.shape[:2], math.prod(x.shape[2:]))
    return self.contiguous(x).part(0, shape, steps_of(shape, x.dtype.itemsize))


def _is_pointwise(entry: Entry, kernel: tuple, size: tuple) -> bool:
    """Whether a convolution is a product for each place: its kernel is 1 x 1, and its steps."""
    names = "stride pad dilate".split()
    window = make_window(size, kernel, *[entry.attrs.get(name) for name in names])
    return is_pointwise(window, entry.attrs.get("num_group", 1)) and all_alike(
        entry._replace(inputs=[x for x in entry.inputs if x is not None])
    )


def _of_channels(self: Lowering, weight: View, x: View, y: View, turned: bool = False) -> None:
    """Add the product of the channels of each place of `x` with a matrix."""
    weight = self.contiguous(weight)
    matrix = weight.part(0, weight.shape[:2], steps_of(weight.shape[:2], x.dtype.itemsize))
    matrix = matrix.turned() if turned else matrix
    x, y = _pixels(self, x), _pixels(self, y)
    if x.shape[0] == 1:
        x, y = (v.part(0, v.shape[1:], v.strides[1:]) for v in (x, y))
    else:
        matrix = matrix.stretched((x.shape[0], *matrix.shape))
    self.nodes.append(Instruction("dot", [matrix, x], [y], "dot"))


def _convolution(self: Lowering, entry: Entry) -> bool:
    """One of 1 x 1, which its kernel leaves to products."""
    (x, weight, *bias), (y,) = entry.inputs, entry.outs
    if not _is_pointwise(entry, weight.shape[2:], x.shape[2:]):
        return False
    bias = [one for one in bias if one is not None]
    between = new(y.shape, y.dtype) if bias else y
    _of_channels(self, weight, x, between)
    return not bias or _add_to_channels(self, between, bias[0], y)


def _add_to_channels(self: Lowering, x: View, bias: View, y: View) -> bool:
    """Add ``x + bias``, one for each channel."""
    axes = (1,) * (len(y.shape) - 2)
    bias = bias.part(0, (*bias.shape, *axes), (*bias.strides, *[0] * len(axes)))
    loop = loops.own("add", y.dtype, y.size) or loops.numpys(np.add, (y.dtype,) * 3)
    return self.each("add", np.add, loop, [x, bias], y)


def _convolution_input_grad(self: Lowering, entry: Entry) -> bool:
    (g, weight), (y,) = entry.inputs, entry.outs
    if not _is_pointwise(entry, weight.shape[2:], y.shape[2:]):
        return False
    _of_channels(self, weight, g, y, turned=True)
    return True


def _channels(self: Lowering, x: View) -> View:
    """The values of each channel of all samples, as a row."""
    v = _pixels(self, x)
    samples, channels, places = v.shape
    across, down, along = v.strides
    v = self.contiguous(v.part(0, (channels, samples, places), (down, across, along)))
    shape = channels, samples * places
    return v.part(0, shape, steps_of(shape, v.dtype.itemsize))


def _convolution_weight_grad(self: Lowering, entry: Entry) -> bool:
    """The samples are laid beside each other, so that one product adds them."""
    (g, x), (y,) = entry.inputs, entry.outs
    if self.exact or not _is_pointwise(entry, tuple(entry.attrs["kernel"]), x.shape[2:]):
        return False
    shape = y.shape[:2]
    to = y.part(0, shape, steps_of(shape, y.dtype.itemsize))
    product(self, _channels(self, g), _channels(self, x).turned(), to)
    return True


def _deconvolution(self: Lowering, entry: Entry) -> bool:
    """One with a bias: without it, and then a sum."""
    x, weight, *more = entry.inputs
    (y,), bias = entry.outs, more[0] if more else None
    if not isinstance(bias, View) or bias.dtype != y.dtype or len(bias.shape) != 1:
        return False
    inputs = entry.event.inputs[:2]
    out = entry.event.kernel(*inputs, **entry.event.attrs)
    between = new(y.shape, y.dtype)
    event = entry.event._replace(inputs=inputs, out=out)
    plain = entry._replace(event=event, inputs=[x, weight], outs=[between])
    reads: list[View] = []
    compiled.add(self, plain, numbered([plain.inputs, plain.attrs], reads), reads)
    return _add_to_channels(self, between, bias, y)


RULES.update(
    {
        "convolution": _convolution,
        "convolution_input_grad": _convolution_input_grad,
        "convolution_weight_grad": _convolution_weight_grad,
        "deconvolution": _deconvolution,
    }
)
