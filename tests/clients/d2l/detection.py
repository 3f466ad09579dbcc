"""Object detection: anchors, their labels, a small detector, non-maximum suppression."""

from __future__ import annotations

import math
import os

from d2l import mxnet as d2l
from harness import Result, generator, program, reseed, settle
from mxnet import autograd, gluon, np, npx
from mxnet.gluon import nn


def write_bananas(folder: str = "bananas") -> str:
    """Images of 32 x 32 pixels with a bright box, and where each box is."""
    from PIL import Image

    rng = generator(11)
    for part in ("bananas_train", "bananas_val"):
        os.makedirs(os.path.join(folder, part, "images"), exist_ok=True)
        lines = ["img_name,label,xmin,ymin,xmax,ymax"]
        for i in range(8):
            x, y = rng.randint(2, 14, 2)
            pixels = rng.randint(0, 40, (32, 32, 3)).astype("uint8")
            pixels[y : y + 14, x : x + 14, :2] += 180
            Image.fromarray(pixels).save(os.path.join(folder, part, "images", f"{i}.png"))
            lines.append(f"{i}.png,0,{x * 8},{y * 8},{(x + 14) * 8},{(y + 14) * 8}")
        with open(os.path.join(folder, part, "label.csv"), "w") as file:
            file.write("\n".join(lines) + "\n")
    return folder


class TinySSD(nn.Block):
    """A detector with one scale: features, classes and offsets of the anchors."""

    sizes, ratios = (0.3, 0.44), (1, 2)

    def __init__(self, num_classes=1, **kwargs):
        super().__init__(**kwargs)
        anchors = len(self.sizes) + len(self.ratios) - 1
        self.num_classes = num_classes
        self.base = nn.Sequential()
        for channels in (8, 16):
            self.base.add(nn.Conv2D(channels, 3, padding=1), nn.BatchNorm(in_channels=channels))
            self.base.add(nn.Activation("relu"), nn.MaxPool2D(2))
        self.classes = nn.Conv2D(anchors * (num_classes + 1), kernel_size=3, padding=1)
        self.boxes = nn.Conv2D(anchors * 4, kernel_size=3, padding=1)

    def forward(self, X):
        X = self.base(X)
        anchors = d2l.multibox_prior(X, self.sizes, self.ratios)
        classes = npx.batch_flatten(self.classes(X).transpose(0, 2, 3, 1))
        boxes = npx.batch_flatten(self.boxes(X).transpose(0, 2, 3, 1))
        return anchors, classes.reshape(classes.shape[0], -1, self.num_classes + 1), boxes


@program("load_data_bananas, multibox_prior, multibox_target, multibox_detection")
def detector() -> Result:
    folder = write_bananas()
    d2l.download_extract = lambda *_: folder
    train, _ = d2l.load_data_bananas(batch_size=4)
    net = TinySSD()
    net.initialize()
    net(next(iter(train))[0] / 255)
    settle(net)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.2, "wd": 5e-4})
    cls_loss, bbox_loss = gluon.loss.SoftmaxCrossEntropyLoss(), gluon.loss.L1Loss()
    losses, right = [], []
    reseed()
    for _ in range(10):
        for features, target in train:
            X, Y = features / 255, target * 32 / 256 * 8
            with autograd.record():
                anchors, cls_preds, bbox_preds = net(X)
                bbox_labels, bbox_masks, cls_labels = d2l.multibox_target(anchors, Y)
                loss = cls_loss(cls_preds, cls_labels) + bbox_loss(
                    bbox_preds * bbox_masks, bbox_labels * bbox_masks
                )
            loss.backward()
            trainer.step(X.shape[0])
            losses.append(float(loss.mean()))
            right.append(cls_preds.argmax(axis=-1).astype(cls_labels.dtype) == cls_labels)
    probabilities = npx.softmax(cls_preds).transpose(0, 2, 1)
    found = d2l.multibox_detection(probabilities, bbox_preds, anchors)
    assert found.shape == (4, anchors.shape[1], 6)
    picture = d2l.plt.imshow(X[0].transpose(1, 2, 0).asnumpy())
    d2l.show_bboxes(picture.axes, found[0, :3, 2:] * 32, ["banana"] * 3)
    return Result(losses[0], losses[-1], float(right[-1].astype("float32").mean()))


@program("box_iou, assign_anchor_to_bbox, offset_boxes, nms")
def boxes() -> Result:
    """Boxes are encoded and decoded; predictions are closer to the true boxes than anchors."""
    truth = np.array([[0, 0.1, 0.08, 0.52, 0.92], [1, 0.55, 0.2, 0.9, 0.88]])
    first = [0, 0.1, 0.2, 0.3], [0.15, 0.2, 0.4, 0.4], [0.63, 0.05, 0.88, 0.98]
    anchors = np.array([*first, [0.66, 0.45, 0.8, 0.8], [0.57, 0.3, 0.92, 0.9]])
    offsets, mask, labels = d2l.multibox_target(
        np.expand_dims(anchors, axis=0), np.expand_dims(truth, axis=0)
    )
    assert labels.asnumpy().tolist() == [[0, 1, 2, 0, 2]]
    assert mask.reshape(-1, 4)[:, 0].asnumpy().tolist() == [0, 1, 1, 0, 1]
    found = d2l.offset_inverse(anchors, offsets[0].reshape(-1, 4))
    kept = d2l.nms(anchors, np.array([0.9, 0.8, 0.7, 0.6, 0.5]), 0.5)
    assert kept.asnumpy().tolist() == [0, 1, 2, 3], kept
    there = [0, 1, 1]

    def distance(boxes):
        return float(np.abs(boxes[np.array([1, 2, 4])] - truth[there, 1:]).sum())

    return Result(distance(anchors), distance(found))


@program("npx.multibox_prior, multibox_target, multibox_detection")
def operators() -> Result:
    X = np.zeros((1, 3, 8, 8))
    ours = d2l.multibox_prior(X, sizes=[0.75, 0.5], ratios=[1, 2])
    theirs = npx.multibox_prior(X, sizes=[0.75, 0.5], ratios=[1, 2])
    assert ours.shape == theirs.shape == (1, 8 * 8 * 3, 4)
    difference = float(np.abs(ours - theirs).max())
    assert math.isclose(difference, 0, abs_tol=1e-5), difference
    return Result(1.0, difference)
