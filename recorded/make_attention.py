"""Record what PyTorch's attention and AdamW give, in double precision: ``attention.npz``.

    python recorded/make_attention.py

It needs PyTorch; the tests need the file alone.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

BATCH, QUERIES, KEYS, UNITS, HEADS, HIDDEN = 2, 3, 5, 8, 2, 12
MASK = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]], dtype=torch.bool)
found: dict[str, np.ndarray] = {}


def record(case: str, inputs: dict, layer: torch.nn.Module, output: torch.Tensor) -> None:
    """Keep inputs, parameters, the output, and the gradients of ``(output ** 2).sum()``."""
    (output**2).sum().backward()
    for kind, arrays in (("input", inputs), ("parameter", dict(layer.named_parameters()))):
        for name, array in arrays.items():
            found[f"{case}/{kind}/{name}"] = array.detach().numpy()
            found[f"{case}/{kind} gradient/{name}"] = array.grad.numpy()
    found[f"{case}/output"] = output.detach().numpy()


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(shape).requires_grad_()


def triangle(length: int) -> torch.Tensor:
    """What PyTorch calls a causal mask: True where it is not allowed to attend."""
    return torch.ones(length, length, dtype=torch.bool).triu(1)


def attention(case: str, bias: bool, same: bool, masked: bool, causal: bool) -> None:
    layer = torch.nn.MultiheadAttention(UNITS, HEADS, bias=bias, batch_first=True)
    for one in layer.parameters():
        torch.nn.init.normal_(one)
    inputs = {"query": drawn(BATCH, KEYS if same else QUERIES, UNITS)}
    if not same:
        inputs |= {"key": drawn(BATCH, KEYS, UNITS), "value": drawn(BATCH, KEYS, UNITS)}
    query = inputs["query"]
    output, _ = layer(
        query,
        inputs.get("key", query),
        inputs.get("value", query),
        key_padding_mask=~MASK if masked else None,
        attn_mask=triangle(KEYS) if causal else None,
    )
    record(case, inputs, layer, output)


def encoder(case: str, activation: str, pre_norm: bool, masked: bool, causal: bool) -> None:
    layer = torch.nn.TransformerEncoderLayer(
        UNITS, HEADS, HIDDEN, 0.0, activation, batch_first=True, norm_first=pre_norm
    )
    for one in layer.parameters():
        torch.nn.init.normal_(one)
    x = drawn(BATCH, KEYS, UNITS)
    output = layer(
        x,
        src_mask=triangle(KEYS) if causal else None,
        src_key_padding_mask=~MASK if masked else None,
    )
    record(case, {"x": x}, layer, output)


def adamw(case: str, **settings: float) -> None:
    weight = drawn(4, 3)
    found[f"{case}/weight"] = weight.detach().numpy().copy()
    optimizer = torch.optim.AdamW([weight], **settings)
    for k in range(4):
        weight.grad = torch.randn(4, 3)
        found[f"{case}/gradient {k}"] = weight.grad.numpy()
        optimizer.step()
        found[f"{case}/weight {k}"] = weight.detach().numpy().copy()


if __name__ == "__main__":
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float64)
    attention("self", bias=True, same=True, masked=False, causal=False)
    attention("cross", bias=True, same=False, masked=False, causal=False)
    attention("masked", bias=False, same=False, masked=True, causal=False)
    attention("causal", bias=True, same=True, masked=False, causal=True)
    attention("both", bias=True, same=True, masked=True, causal=True)
    encoder("post", "relu", pre_norm=False, masked=False, causal=False)
    encoder("pre", "gelu", pre_norm=True, masked=True, causal=True)
    adamw("adamw", lr=0.1)
    adamw("adamw of other settings", lr=0.03, betas=(0.8, 0.95), eps=1e-2, weight_decay=0.3)
    np.savez_compressed(Path(__file__).with_name("attention.npz"), **found)
