"""Optimizer steps on raw arrays, in place, block by block: a rate of its own for each value.

See `optimizer` for the steps of gradient descent, and for how blocks work.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .optimizer import blocks, clips, decayed, scaled


def average(mean: Any, value: Any, rate: float) -> None:
    """``mean = rate * mean + (1 - rate) * value``; `value` is overwritten."""
    value *= 1 - rate
    mean *= rate
    mean += value


def average_square(mean: Any, value: Any, rate: float, spare: Any) -> None:
    """``mean = rate * mean + (1 - rate) * value**2``; `spare` is overwritten."""
    np.multiply(value, value, out=spare)
    average(mean, spare, rate)


def _over_root(step: Any, square: Any, epsilon: float, spare: Any) -> None:
    """``step /= sqrt(square + epsilon)``; `spare`, which may be `square`, is overwritten."""
    np.add(square, epsilon, out=spare)
    np.sqrt(spare, out=spare)
    step /= spare


def adam(
    weight: Any,
    grad: Any,
    mean: Any,
    var: Any,
    *,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    for step, spare, w, m, v, g in blocks(2, (weight, mean, var), (grad,)):
        decayed(step, spare, w, g, wd, rescale_grad, clip_gradient)
        average_square(v, step, beta2, spare)
        average(m, step, beta1)
        ratio(step, m, v, epsilon, spare)
        step *= lr
        w -= step


def ratio(out: Any, mean: Any, var: Any, epsilon: float, spare: Any) -> None:
    """``out = mean / (sqrt(var) + epsilon)``; `spare`, which may be `var`, is overwritten."""
    np.sqrt(var, out=spare)
    spare += epsilon
    np.divide(mean, spare, out=out)


def adamw(
    weight: Any,
    grad: Any,
    mean: Any,
    var: Any,
    *,
    lr: float,
    eta: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    for step, spare, w, m, v, g in blocks(2, (weight, mean, var), (grad,)):
        scaled(step, g, rescale_grad, clip_gradient, 1)
        average_square(v, step, beta2, spare)
        average(m, step, beta1)
        ratio(step, m, v, epsilon, spare)
        step *= eta * lr
        if wd:
            w *= 1 - eta * wd
        w -= step


def adamax(
    weight: Any,
    grad: Any,
    mean: Any,
    bound: Any,
    *,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    for step, spare, w, m, u, g in blocks(2, (weight, mean, bound), (grad,)):
        decayed(step, spare, w, g, wd, rescale_grad, clip_gradient)
        np.abs(step, out=spare)
        u *= beta2
        np.maximum(u, spare, out=u)
        average(m, step, beta1)
        step[...] = 0
        np.divide(m, u, out=step, where=u != 0)  # no step if there was no gradient yet
        step *= lr
        w -= step


def nadam(
    weight: Any,
    grad: Any,
    mean: Any,
    var: Any,
    *,
    lr: float,
    shares: tuple[float, float, float],
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    grad_share, mean_share, var_share = shares
    for step, spare, ahead, w, m, v, g in blocks(3, (weight, mean, var), (grad,)):
        decayed(step, spare, w, g, wd, rescale_grad, clip_gradient)
        np.multiply(step, grad_share, out=ahead)
        average_square(v, step, beta2, spare)
        average(m, step, beta1)
        np.multiply(m, mean_share, out=step)
        ahead += step
        np.multiply(v, var_share, out=spare)
        ratio(step, ahead, spare, epsilon, spare)
        step *= lr
        w -= step


def ftml(
    weight: Any,
    grad: Any,
    d: Any,
    v: Any,
    z: Any,
    *,
    lr: float,
    beta1: float = 0.6,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    t: int,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    if lr == 0 or t < 1:
        raise ValueError(f"lr must not be 0, and t must be at least 1; got {lr} and {t}")
    rate, correction = (1 - beta1**t) / lr, 1 / (1 - beta2**t)
    for step, spare, w, d_, v_, z_, g in blocks(2, (weight, d, v, z), (grad,)):
        decayed(step, spare, w, g, wd, rescale_grad, clip_gradient)
        average_square(v_, step, beta2, spare)
        average(z_, step, beta1)
        np.multiply(v_, correction, out=spare)
        np.sqrt(spare, out=spare)
        spare += epsilon
        spare *= rate
        d_ *= -beta1
        d_ += spare
        d_ *= w
        z_ -= d_
        d_[...] = spare
        np.divide(z_, spare, out=w)
        np.negative(w, out=w)


def ftrl(
    weight: Any,
    grad: Any,
    z: Any,
    n: Any,
    *,
    lr: float,
    lamda1: float = 0.01,
    beta: float = 1.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    if lr == 0:
        raise ValueError("lr must not be 0")
    for step, spare, w, z_, n_, g in blocks(2, (weight, z, n), (grad,)):
        scaled(step, g, rescale_grad, clip_gradient, 1)
        z_ += step
        np.multiply(step, step, out=step)
        np.sqrt(n_, out=spare)
        n_ += step
        np.sqrt(n_, out=step)
        np.subtract(step, spare, out=spare)
        spare *= w
        spare /= lr
        z_ -= spare
        step += beta
        step /= lr
        step += wd
        np.clip(z_, -lamda1, lamda1, out=spare)
        spare -= z_
        np.divide(spare, step, out=w)


def rmsprop(
    weight: Any,
    grad: Any,
    n: Any,
    *,
    lr: float,
    gamma1: float = 0.95,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
) -> None:
    for step, spare, w, n_, slope in blocks(2, (weight, n), (grad,)):
        decayed(step, spare, w, slope, wd, rescale_grad, clip_gradient)
        average_square(n_, step, gamma1, spare)
        _over_root(step, n_, epsilon, spare)
        step *= lr
        w -= step
        if clips(clip_weights):
            np.clip(w, -clip_weights, clip_weights, out=w)


def rmsprop_centered(
    weight: Any,
    grad: Any,
    n: Any,
    g: Any,
    delta: Any,
    *,
    lr: float,
    gamma1: float = 0.95,
    gamma2: float = 0.9,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
) -> None:
    for step, spare, w, n_, g_, move, slope in blocks(2, (weight, n, g, delta), (grad,)):
        decayed(step, spare, w, slope, wd, rescale_grad, clip_gradient)
        average_square(n_, step, gamma1, spare)
        spare[...] = step
        average(g_, spare, gamma1)
        np.multiply(g_, g_, out=spare)
        np.subtract(n_, spare, out=spare)
        np.maximum(spare, 0, out=spare)  # a variance, which rounding can make negative
        _over_root(step, spare, epsilon, spare)
        step *= lr
        move *= gamma2
        move -= step
        w += move
        if clips(clip_weights):
            np.clip(w, -clip_weights, clip_weights, out=w)


def adagrad(
    weight: Any,
    grad: Any,
    history: Any,
    *,
    lr: float,
    epsilon: float = 1e-7,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    for step, spare, w, total, g in blocks(2, (weight, history), (grad,)):
        scaled(step, g, rescale_grad, clip_gradient, 1)
        np.multiply(step, step, out=spare)
        total += spare
        _over_root(step, total, epsilon, spare)
        step *= lr
        if wd:
            w *= 1 - lr * wd
        w -= step


def group_adagrad(
    weight: Any,
    grad: Any,
    history: Any,
    *,
    lr: float,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    epsilon: float = 1e-5,
) -> None:
    if weight.ndim != 2 or history.shape != (len(weight), 1):
        raise ValueError(
            f"the weight has rows, history one number for each of them; got shapes"
            f" {weight.shape} and {history.shape}"
        )
    for step, spare, w, total, g in blocks(2, (weight, history), (grad,)):
        scaled(step, g, rescale_grad, clip_gradient, 1)
        np.multiply(step, step, out=spare)
        total += spare.mean(1, keepdims=True)
        step /= np.sqrt(total + epsilon)
        step *= lr
        w -= step


def adadelta(
    weight: Any,
    grad: Any,
    squares: Any,
    moves: Any,
    *,
    rho: float = 0.9,
    epsilon: float = 1e-5,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    for step, spare, w, g2, m2, g in blocks(2, (weight, squares, moves), (grad,)):
        scaled(step, g, rescale_grad, clip_gradient, 1)
        average_square(g2, step, rho, spare)
        np.add(m2, epsilon, out=spare)
        np.sqrt(spare, out=spare)
        step *= spare
        _over_root(step, g2, epsilon, spare)
        average_square(m2, step, rho, spare)
        if wd:
            w *= 1 - wd
        w -= step
