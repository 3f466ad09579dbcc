"""The 60 most used operators: the same call in MXNet and in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Case(NamedTuple):
    """One operator.

    Attributes
    ----------
    nd, torch : callable
        ``nd(nd, *arrays)`` and ``torch(torch, *tensors)``, the same computation.
    small, large : tuple of str
        The inputs, as samples of the operator tests write them.
    constant : bool
        Whether it has no gradient.
    """

    nd: Callable
    torch: Callable
    small: tuple[str, ...]
    large: tuple[str, ...]
    constant: bool = False


def alike(name: str, kind: str = "", torch: str = "") -> dict[str, Case]:
    """Define an elementwise operator of one array, with the same form in all libraries."""
    sizes = (f"16x16 {kind}",), (f"1024x1024 {kind}",)
    return {
        name: Case(
            lambda nd, x: getattr(nd, name)(x), lambda m, x: getattr(m, torch or name)(x), *sizes
        )
    }


def binary(name: str, torch: str, kind: str = "", stretch: bool = False) -> dict[str, Case]:
    """Define an elementwise operator of two arrays, the second broadcast if `stretch` is set."""
    small, large = f"16x16 {kind}", f"1024x1024 {kind}"
    seconds = (f"1x16 {kind}", f"1x1024 {kind}") if stretch else (small, large)
    return {
        name: Case(
            lambda nd, x, y: getattr(nd, name)(x, y),
            lambda m, x, y: getattr(m, torch)(x, y),
            (small, seconds[0]),
            (large, seconds[1]),
        )
    }


def reduction(name: str, torch: Callable) -> dict[str, Case]:
    return {
        name: Case(lambda nd, x: getattr(nd, name)(x, axis=1), torch, ("16x16",), ("1024x1024",))
    }


def rearranged(
    name: str, nd: Callable, torch: Callable, constant: bool = False, **sizes: str
) -> dict[str, Case]:
    small, large = sizes.get("small", "4x8x8"), sizes.get("large", "64x128x128")
    return {name: Case(nd, torch, (small,), (large,), constant)}


def layer(
    name: str, nd: Callable, torch: Callable, small: str, large: str, constant: bool = False
) -> dict[str, Case]:
    """Define an operator of several inputs, separated by bars."""
    return {name: Case(nd, torch, *(tuple(s.split(" | ")) for s in (small, large)), constant)}


CASES: dict[str, Case] = {
    **layer(
        "concat",
        lambda nd, x, y: nd.concat(x, y, dim=1),
        lambda m, x, y: m.cat((x, y), 1),
        "16x16 | 16x16",
        "1024x512 | 1024x512",
    ),
    **layer(
        "dot",
        lambda nd, x, y: nd.dot(x, y),
        lambda m, x, y: m.mm(x, y),
        "16x16 | 16x16",
        "512x512 | 512x512",
    ),
    **reduction("sum", lambda m, x: m.sum(x, 1)),
    **reduction("mean", lambda m, x: m.mean(x, 1)),
    **rearranged(
        "transpose",
        lambda nd, x: nd.transpose(x, (1, 0, 2)),
        lambda m, x: x.permute(1, 0, 2).contiguous(),
    ),
    **rearranged(
        "expand_dims", lambda nd, x: nd.expand_dims(x, axis=1), lambda m, x: x.unsqueeze(1)
    ),
    **rearranged(
        "reshape", lambda nd, x: nd.reshape(x, shape=(-1, 32)), lambda m, x: x.reshape(-1, 32)
    ),
    **binary("broadcast_mul", "mul", stretch=True),
    **rearranged(
        "argmax",
        lambda nd, x: nd.argmax(x, axis=1),
        lambda m, x: x.argmax(1),
        True,
        small="16x16",
        large="1024x1024",
    ),
    **alike("log", "positive"),
    **rearranged("zeros_like", lambda nd, x: nd.zeros_like(x), lambda m, x: m.zeros_like(x), True),
    **alike("relu"),
    **layer(
        "stack",
        lambda nd, x, y: nd.stack(x, y),
        lambda m, x, y: m.stack((x, y)),
        "16x16 | 16x16",
        "1024x512 | 1024x512",
    ),
    **rearranged(
        "softmax",
        lambda nd, x: nd.softmax(x),
        lambda m, x: m.softmax(x, -1),
        small="16x16",
        large="1024x1024",
    ),
    **rearranged("ones_like", lambda nd, x: nd.ones_like(x), lambda m, x: m.ones_like(x), True),
    **alike("exp"),
    **rearranged(
        "split",
        lambda nd, x: nd.split(x, num_outputs=2, axis=1)[1],
        lambda m, x: x.chunk(2, 1)[1].contiguous(),
    ),
    **rearranged(
        "clip",
        lambda nd, x: nd.clip(x, -0.5, 0.5),
        lambda m, x: m.clamp(x, -0.5, 0.5),
        small="16x16",
        large="1024x1024",
    ),
    **alike("sqrt", "positive"),
    **layer(
        "one_hot",
        lambda nd, x: nd.one_hot(x, 64),
        lambda m, x: m.nn.functional.one_hot(x.long(), 64).float(),
        "16 index64",
        "16384 index64",
        True,
    ),
    **rearranged(
        "slice_axis",
        lambda nd, x: nd.slice_axis(x, axis=1, begin=1, end=7),
        lambda m, x: x[:, 1:7].contiguous(),
    ),
    **layer(
        "where",
        lambda nd, c, x, y: nd.where(c, x, y),
        lambda m, c, x, y: m.where(c.bool(), x, y),
        "16x16 bools int32 | 16x16 | 16x16",
        "1024x1024 bools int32 | 1024x1024 | 1024x1024",
    ),
    **alike("square"),
    **rearranged(
        "Activation",
        lambda nd, x: nd.Activation(x, act_type="softrelu"),
        lambda m, x: m.nn.functional.softplus(x),
        small="16x16",
        large="1024x1024",
    ),
    **layer(
        "pick",
        lambda nd, x, i: nd.pick(x, i),
        lambda m, x, i: x.gather(1, i.long()[:, None])[:, 0],
        "16x16 | 16 index16 int32",
        "4096x256 | 4096 index256 int32",
    ),
    **reduction("max", lambda m, x: m.amax(x, 1)),
    **rearranged(
        "squeeze",
        lambda nd, x: nd.squeeze(x, axis=1),
        lambda m, x: x.squeeze(1),
        small="16x1x16",
        large="1024x1x1024",
    ),
    **binary("maximum", "maximum"),
    **binary("broadcast_add", "add", stretch=True),
    **alike("abs"),
    **binary("broadcast_div", "div", "positive", stretch=True),
    **alike("sigmoid"),
    **layer(
        "batch_dot",
        lambda nd, x, y: nd.batch_dot(x, y),
        lambda m, x, y: m.bmm(x, y),
        "4x8x8 | 4x8x8",
        "64x64x64 | 64x64x64",
    ),
    **rearranged("tile", lambda nd, x: nd.tile(x, reps=(2, 1, 1)), lambda m, x: x.tile(2, 1, 1)),
    **rearranged(
        "power",
        lambda nd, x: nd.power(x, 3.0),
        lambda m, x: m.pow(x, 3.0),
        small="16x16",
        large="1024x1024",
    ),
    **layer(
        "take",
        lambda nd, x, i: nd.take(x, i),
        lambda m, x, i: x[i.long()],
        "16x16 | 8 index16 int32",
        "4096x256 | 2048 index4096 int32",
    ),
    **rearranged(
        "Pooling",
        lambda nd, x: nd.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max"),
        lambda m, x: m.nn.functional.max_pool2d(x, 2, 2),
        small="1x2x8x8",
        large="32x16x32x32",
    ),
    **layer(
        "FullyConnected",
        lambda nd, x, w, b: nd.FullyConnected(x, w, b, num_hidden=w.shape[0]),
        lambda m, x, w, b: m.nn.functional.linear(x, w, b),
        "4x16 | 8x16 | 8",
        "128x784 | 256x784 | 256",
    ),
    **rearranged(
        "cast",
        lambda nd, x: nd.cast(x, dtype="float64"),
        lambda m, x: x.double(),
        small="16x16",
        large="1024x1024",
    ),
    **rearranged(
        "norm",
        lambda nd, x: nd.norm(x, axis=1),
        lambda m, x: m.linalg.vector_norm(x, dim=1),
        small="16x16",
        large="1024x1024",
    ),
    **rearranged(
        "topk",
        lambda nd, x: nd.topk(x, k=5),
        lambda m, x: m.topk(x, 5)[1],
        True,
        small="16x16",
        large="1024x256",
    ),
    **rearranged(
        "log_softmax",
        lambda nd, x: nd.log_softmax(x),
        lambda m, x: m.log_softmax(x, -1),
        small="16x16",
        large="1024x1024",
    ),
    **rearranged("flatten", lambda nd, x: nd.flatten(x), lambda m, x: x.flatten(1)),
    **rearranged(
        "Dropout",
        lambda nd, x: nd.Dropout(x, p=0.5, mode="always"),
        lambda m, x: m.nn.functional.dropout(x, 0.5),
        small="16x16",
        large="1024x1024",
    ),
    **layer(
        "add_n",
        lambda nd, *xs: nd.add_n(*xs),
        lambda m, x, y, z: x + y + z,
        "16x16 | 16x16 | 16x16",
        "1024x512 | 1024x512 | 1024x512",
    ),
    **rearranged(
        "repeat",
        lambda nd, x: nd.repeat(x, repeats=2, axis=1),
        lambda m, x: x.repeat_interleave(2, 1),
    ),
    **layer(
        "Convolution",
        lambda nd, x, w, b: nd.Convolution(
            x, w, b, kernel=(3, 3), pad=(1, 1), num_filter=w.shape[0]
        ),
        lambda m, x, w, b: m.conv2d(x, w, b, padding=1),
        "1x2x8x8 | 4x2x3x3 | 4",
        "32x16x32x32 | 32x16x3x3 | 32",
    ),
    **rearranged("flip", lambda nd, x: nd.flip(x, axis=1), lambda m, x: m.flip(x, (1,))),
    **layer(
        "gather_nd",
        lambda nd, x, i: nd.gather_nd(x, i),
        lambda m, x, i: x[i[0].long(), i[1].long()],
        "16x16 | 2x8 index16 int32",
        "1024x1024 | 2x65536 index1024 int32",
    ),
    **binary("multiply", "mul"),
    **alike("tanh"),
    **reduction("min", lambda m, x: m.amin(x, 1)),
    **rearranged(
        "swapaxes", lambda nd, x: nd.swapaxes(x, 0, 2), lambda m, x: x.swapaxes(0, 2).contiguous()
    ),
    **layer(
        "SequenceMask",
        lambda nd, x, n: nd.SequenceMask(x, n, use_sequence_length=True),
        lambda m, x, n: x * (m.arange(len(x))[:, None] < n)[..., None],
        "8x4x8 | [3, 8, 1, 5]",
        "128x64x64 | 64 index128",
    ),
    **rearranged(
        "UpSampling",
        lambda nd, x: nd.UpSampling(x, scale=2, sample_type="nearest"),
        lambda m, x: m.nn.functional.interpolate(x, scale_factor=2),
        small="1x2x4x4",
        large="16x16x32x32",
    ),
    **rearranged(
        "pad",
        lambda nd, x: nd.pad(x, mode="constant", pad_width=(0, 0, 0, 0, 1, 1, 1, 1)),
        lambda m, x: m.nn.functional.pad(x, (1, 1, 1, 1)),
        small="1x2x4x4",
        large="16x16x32x32",
    ),
    **rearranged(
        "slice",
        lambda nd, x: nd.slice(x, begin=(1, 2), end=(3, 6)),
        lambda m, x: x[1:3, 2:6].contiguous(),
    ),
    **rearranged(
        "sort",
        lambda nd, x: nd.sort(x, axis=1),
        lambda m, x: m.sort(x, 1)[0],
        small="16x16",
        large="1024x256",
    ),
    **layer(
        "Embedding",
        lambda nd, i, w: nd.Embedding(i, w, input_dim=w.shape[0], output_dim=w.shape[1]),
        lambda m, i, w: m.nn.functional.embedding(i.long(), w),
        "8 index16 int32 | 16x16",
        "2048 index4096 int32 | 4096x256",
    ),
    **layer(
        "BatchNorm",
        lambda nd, *xs: nd.BatchNorm(*xs, fix_gamma=False),
        lambda m, x, g, b, mean, var: m.nn.functional.batch_norm(
            x, mean.detach(), var.detach(), g, b, True
        ),
        "4x4x4x4 | 4 | 4 | 4 | 4 positive",
        "32x16x32x32 | 16 | 16 | 16 | 16 positive",
    ),
    **layer(
        "LayerNorm",
        lambda nd, *xs: nd.LayerNorm(*xs),
        lambda m, x, g, b: m.nn.functional.layer_norm(x, g.shape, g, b),
        "16x16 | 16 | 16",
        "1024x1024 | 1024 | 1024",
    ),
}
