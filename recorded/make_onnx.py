"""Write the networks of `test_networks.py` as PyTorch exports them, with what they compute.

Run it where PyTorch, onnx and onnxscript are installed::

    python recorded/make_onnx.py

Each network is written by both exporters: by the older one with fixed shapes and with open axes, by
the newer one with open axes. Batches, sequences, heights and widths are open.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from torch import nn

FOLDER = Path(__file__).parent / "onnx"
WIDTH = 2


class Residual(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.last_norm = nn.BatchNorm2d(outputs)
        self.short = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.short = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)
            )

    def forward(self, x):
        y = self.last_norm(self.second(F.relu(self.norm(self.first(x)))))
        return F.relu(y + self.short(x))


class ResNet18(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, WIDTH, 7, 2, 3, bias=False),
            nn.BatchNorm2d(WIDTH),
            nn.ReLU(),
            nn.MaxPool2d(3, 2, 1),
        )
        blocks, inputs = [], WIDTH
        for scale, stride in ((1, 1), (1, 1), (2, 2), (2, 1), (4, 2), (4, 1), (8, 2), (8, 1)):
            blocks.append(Residual(inputs, WIDTH * scale, stride))
            inputs = WIDTH * scale
        self.blocks, self.last = nn.Sequential(*blocks), nn.Linear(inputs, 10)

    def forward(self, x):
        y = F.adaptive_avg_pool2d(self.blocks(self.stem(x)), 1)
        return self.last(torch.flatten(y, 1))


def separable(inputs: int, outputs: int, stride: int) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(inputs, inputs, 3, stride, 1, groups=inputs, bias=False),
        nn.BatchNorm2d(inputs),
        nn.ReLU6(),
        nn.Conv2d(inputs, outputs, 1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.Hardswish(),
    )


class MobileNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, 2, 1), separable(8, 16, 1), separable(16, 16, 2)
        )
        self.last = nn.Linear(16, 10)

    def forward(self, x):
        return self.last(self.features(x).mean((2, 3)))


class Tagger(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(30, 8)
        self.layers = nn.LSTM(8, 6, 2, batch_first=True, bidirectional=True)
        self.last = nn.Linear(12, 5)

    def forward(self, x):
        return F.log_softmax(self.last(self.layers(self.embedding(x))[0]), -1)


class Bert(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(30, 16), nn.Embedding(20, 16)
        layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, activation="gelu")
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.last = nn.Linear(16, 5)

    def forward(self, x):
        places = self.places(torch.arange(x.shape[1], device=x.device))
        return self.last(self.encoder(self.words(x) + places[None])[:, 0])


class Encoder(nn.Module):
    """Attention of heads that are cut and joined by shapes, with embeddings for input."""

    def __init__(self) -> None:
        super().__init__()
        self.parts, self.join = nn.Linear(16, 48), nn.Linear(16, 16)
        self.norm, self.last = nn.LayerNorm(16), nn.Linear(16, 5)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.parts(x).view(batch, length, 3, 4, 4).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        y = self.join(y.transpose(1, 2).reshape(batch, length, width))
        return torch.tanh(self.last(self.norm(x + y)))


class UNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down, self.deep = self.step(1, 4), self.step(4, 8)
        self.middle, self.up = self.step(8, 8), nn.ConvTranspose2d(8, 4, 2, 2)
        self.join, self.last = self.step(8, 4), nn.Conv2d(4, 1, 1)

    @staticmethod
    def step(inputs: int, outputs: int) -> nn.Module:
        return nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, 1, 1), nn.GroupNorm(2, outputs), nn.LeakyReLU(0.1)
        )

    def forward(self, x):
        first = self.down(x)
        deep = self.deep(F.max_pool2d(first, 2))
        middle = self.middle(F.avg_pool2d(deep, 2))
        middle = F.interpolate(middle, scale_factor=2, mode="bilinear", align_corners=False)
        joined = torch.cat([first, self.up(middle + deep)], 1)
        return torch.sigmoid(self.last(self.join(joined)))


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gru, self.rnn = nn.GRU(6, 5, 1, batch_first=True), nn.RNN(5, 4)

    def forward(self, x):
        return self.rnn(self.gru(x)[0])[0]


def words(*shape: int) -> torch.Tensor:
    return torch.randint(0, 30, shape)


#: A network, how to draw its input, the shape to export it with, and another shape.
NETWORKS = {
    "bert": (Bert, words, (3, 7), (5, 12)),
    "encoder": (Encoder, torch.randn, (3, 7, 16), (2, 11, 16)),
    "mobilenet": (MobileNet, torch.randn, (2, 3, 16, 16), (1, 3, 13, 19)),
    "recurrent": (Recurrent, torch.randn, (3, 7, 6), (2, 4, 6)),
    "resnet18": (ResNet18, torch.randn, (2, 3, 24, 24), (1, 3, 33, 26)),
    "tagger": (Tagger, words, (3, 5), (4, 9)),
    "unet": (UNet, torch.randn, (2, 1, 16, 16), (3, 1, 8, 12)),
}
#: Those that the older exporter writes for one length only: it unfolds attention.
FIXED = ("bert",)
#: Those that the newer exporter writes for one length of the batch axis: it unrolls them.
UNROLLED = ("recurrent",)


def strip(path: Path) -> None:
    """Leave out what only says where the network was written."""
    model = onnx.load(path)
    for one in (model, model.graph, *model.graph.node, *model.graph.value_info):
        del one.metadata_props[:]
    for one in (*model.graph.node, *model.functions):
        one.doc_string = ""
    onnx.save(model, path)


def export(name: str, net: nn.Module, x: torch.Tensor) -> None:
    axes = [0, 1] if x.ndim < 4 else [0, 2, 3]
    path, names = FOLDER / name, {"input_names": ["x"]}
    torch.onnx.export(net, (x,), f"{path}-fixed.onnx", dynamo=False, **names)
    if name not in FIXED:
        named = {"x": {k: f"n{k}" for k in axes}}
        torch.onnx.export(net, (x,), f"{path}-axes.onnx", dynamo=False, dynamic_axes=named, **names)
    if name not in UNROLLED:
        shapes = (dict.fromkeys(axes, torch.export.Dim.DYNAMIC),)
        options = {"dynamo": True, "external_data": False, "dynamic_shapes": shapes}
        torch.onnx.export(net, (x,), f"{path}-open.onnx", **options, **names)
    for one in FOLDER.glob(f"{name}-*.onnx"):
        strip(one)


def computed(net: nn.Module, x: torch.Tensor) -> dict[str, np.ndarray]:
    """The input, the output, and the gradient of a sum of outputs."""
    if x.is_floating_point():
        x.requires_grad_()
    y = net(x)
    found = {"x": x.detach().numpy(), "y": y.detach().numpy()}
    if x.is_floating_point():
        (y * torch.linspace(-1, 1, y.numel()).reshape(y.shape)).sum().backward()
        found["grad"] = x.grad.numpy()
    return found


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    found = {}
    for name, (network, draw, shape, other) in NETWORKS.items():
        torch.manual_seed(0)
        net, x = network().eval(), draw(*shape)
        for one in net.modules():
            if isinstance(one, nn.BatchNorm2d):
                one.running_mean.normal_(0, 0.1)
                one.running_var.uniform_(0.5, 1.5)
        export(name, net, x)
        for which, given in (("", x), ("other_", draw(*other))):
            found |= {f"{name}_{which}{key}": one for key, one in computed(net, given).items()}
    np.savez_compressed(FOLDER / "results.npz", **found)


if __name__ == "__main__":
    main()
