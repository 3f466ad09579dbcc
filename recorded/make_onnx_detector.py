"""Write the detector of `test_detector.py` as PyTorch exports it, by both exporters.

Run it where PyTorch, onnx and onnxscript are installed::

    python recorded/make_onnx_detector.py
"""

from __future__ import annotations

import onnxscript
import torch
from make_onnx import FOLDER, strip
from torch import nn

INPUTS, OUTPUTS = ["x", "most", "overlap", "score"], ["places", "boxes", "scores", "labels"]
NO_PLACES = torch.zeros((6, 3), dtype=torch.int64)


class Traced(torch.autograd.Function):
    """Non-maximum suppression as the older exporter writes it; its result here does not matter."""

    @staticmethod
    def forward(ctx, boxes, scores, most, overlap, score):
        return NO_PLACES.clone()

    @staticmethod
    def symbolic(g, boxes, scores, most, overlap, score):
        return g.op("NonMaxSuppression", boxes, scores, most, overlap, score)


@torch.library.custom_op("detector::suppress", mutates_args=())
def suppress(
    boxes: torch.Tensor,
    scores: torch.Tensor,
    most: torch.Tensor,
    overlap: torch.Tensor,
    score: torch.Tensor,
) -> torch.Tensor:
    return NO_PLACES.clone()


@suppress.register_fake
def _(boxes, scores, most, overlap, score):
    return boxes.new_empty((torch.library.get_ctx().new_dynamic_size(), 3), dtype=torch.int64)


def written(boxes, scores, most, overlap, score):
    return onnxscript.opset18.NonMaxSuppression(boxes, scores, most, overlap, score)


class Detector(nn.Module):
    """Boxes at two scales, three at each place, and scores of three classes and of none."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(
            *(nn.Conv2d(3, 4, 3, 2, 1), nn.BatchNorm2d(4), nn.ReLU()),
            *(nn.Conv2d(4, 6, 3, 2, 1), nn.ReLU()),
        )
        self.far = nn.Sequential(nn.Conv2d(6, 8, 3, 2, 1), nn.ReLU())
        self.classes = nn.ModuleList(nn.Conv2d(n, 12, 3, 1, 1) for n in (6, 8))
        self.offsets = nn.ModuleList(nn.Conv2d(n, 12, 3, 1, 1) for n in (6, 8))
        self.suppress = Traced.apply

    def forward(self, x, most, overlap, score):
        near = self.near(x)
        logits, offsets, anchors = [], [], []
        for k, features in enumerate((near, self.far(near))):
            for found, layers in ((logits, self.classes), (offsets, self.offsets)):
                y = layers[k](features).permute(0, 2, 3, 1)
                found.append(y.reshape(x.shape[0], -1, 4))
            anchors.append(self.anchors(*features.shape[-2:], 0.25 * 2**k))
        anchor, moved = torch.cat(anchors), torch.cat(offsets, 1)
        middle = anchor[:, :2] + moved[..., :2] * 0.1 * anchor[:, 2:]
        half = anchor[:, 2:] * torch.exp(moved[..., 2:] * 0.2) / 2
        boxes = torch.cat([middle - half, middle + half], -1)
        scores = torch.cat(logits, 1).softmax(-1).transpose(1, 2)[:, 1:]
        places = self.suppress(boxes, scores, most, overlap, score)
        sample, kind, place = places.unbind(1)
        return places, boxes[sample, place], scores[sample, kind, place], kind + 1

    @staticmethod
    def anchors(height, width, size):
        rows = ((torch.arange(height) + 0.5) / height)[:, None, None]
        columns = ((torch.arange(width) + 0.5) / width)[None, :, None]
        ratio = torch.tensor([1.0, 2.0, 0.5]).sqrt()
        parts = torch.broadcast_tensors(columns, rows, size * ratio, size / ratio)
        return torch.stack(parts, -1).reshape(-1, 4)


def main() -> None:
    torch.manual_seed(0)
    net = Detector().eval()
    for one in net.classes.parameters():
        one.data *= 6  # scores far from each other
    x = torch.randn(2, 3, 32, 40)
    inputs = (x, torch.tensor([10]), torch.tensor([0.5]), torch.tensor([0.3]))
    names = {"input_names": INPUTS, "output_names": OUTPUTS}
    axes = {"x": {0: "batch", 2: "height", 3: "width"}, "places": {0: "count"}}
    path = FOLDER / "detectors"
    path.mkdir(exist_ok=True)
    torch.onnx.export(net, inputs, path / "older.onnx", dynamo=False, dynamic_axes=axes, **names)
    net.suppress = torch.ops.detector.suppress
    open_axes = {0: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}
    open_axes[3] = torch.export.Dim.DYNAMIC
    torch.onnx.export(
        *(net, inputs, path / "newer.onnx"),
        **{"dynamo": True, "external_data": False, **names},
        dynamic_shapes=(open_axes, {}, {}, {}),
        custom_translation_table={torch.ops.detector.suppress.default: written},
    )
    for one in path.iterdir():
        strip(one)


if __name__ == "__main__":
    main()
