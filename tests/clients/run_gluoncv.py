"""Detect, segment and classify with gluoncv.

    python -m gluon.mxnet --old-numpy tests/clients/run_gluoncv.py [--json]

It needs gluoncv 0.10.5 with opencv, pandas and matplotlib. With MXNet itself, ``--json`` records
the numbers.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from gluoncv import loss as losses
from gluoncv import model_zoo
from gluoncv.data import batchify
from gluoncv.data.transforms import bbox, block, experimental, mask
from gluoncv.data.transforms import image as images
from gluoncv.data.transforms.presets import rcnn, ssd, yolo
from gluoncv.model_zoo.rcnn.rpn.rpn_target import RPNTargetGenerator
from gluoncv.nn.bbox import BBoxCornerToCenter, BBoxSplit
from gluoncv.nn.coder import NormalizedBoxCenterDecoder
from gluoncv.nn.feature import FeatureExpander, FPNFeatureExpander
from gluoncv.nn.matcher import BipartiteMatcher, CompositeMatcher, MaximumMatcher
from gluoncv.utils import bbox_iou, metrics
from mxnet import autograd, gluon, nd
from results import Results, settle

NO_DOWNLOAD = {"pretrained": False, "pretrained_base": False}
CLASSIFIERS = (
    "cifar_resnet20_v1 cifar_resnet20_v2 cifar_resnext29_32x4d cifar_wideresnet16_10 resnet18_v1"
    " resnet18_v2 resnet18_v1b resnet50_v1d se_resnet18_v1 mobilenet0.25 mobilenetv2_0.25"
    " mobilenetv3_small squeezenet1.1 shufflenet_v1 densenet121 resnext50_32x4d dla34 googlenet"
    " hrnet_w18_small_v1_c residualattentionnet56 resnest14 xception"
).split()
#: How long the sides of their pictures are, where not 64.
SIDES = {
    "residualattentionnet56": 224,
    "densenet121": 224,
    "googlenet": 224,
    "squeezenet1.1": 224,
} | {name: 32 for name in CLASSIFIERS if name.startswith("cifar")}


def picture(height: int = 120, width: int = 100, seed: int = 3) -> nd.NDArray:
    """A smooth picture of 8 bits."""
    rng = np.random.RandomState(seed)
    y, x = np.mgrid[:height, :width]
    planes = [
        np.sin(x * a + b) + np.cos(y * c + d) for a, b, c, d in rng.uniform(0.02, 0.2, (3, 4))
    ]
    return nd.array(((np.stack(planes, -1) + 2) * 63).astype("uint8"), dtype="uint8")


def boxes() -> np.ndarray:
    """Two objects: their corners and classes."""
    return np.array([[10, 12, 60, 70, 1], [40, 50, 95, 110, 4]], "float32")


def settled(net: gluon.Block, shape: tuple[int, ...], gain: float = 2**0.5) -> gluon.Block:
    """The network with weights that are the same everywhere.

    Statistics stay as they are: normalized by those of a few pixels, the networks turn a millionth
    in a weight into percents of the loss. And nothing is dropped, as every library drops others.
    """
    net.initialize()
    net(nd.zeros(shape))
    settle(net, gain)
    net.apply(plainly)
    return net


def plainly(block: gluon.Block) -> None:
    if isinstance(block, gluon.nn.Dropout):
        block._rate = 0
    elif isinstance(block, gluon.nn.BatchNorm):
        block._kwargs["use_global_stats"] = True


def two_steps(net: gluon.Block, step: Callable, learning_rate: float) -> dict[str, list]:
    """The parts of the loss before, between and after two steps of training."""
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": learning_rate})
    told = []
    for _ in range(3):
        with autograd.record():
            parts = step()
        autograd.backward(parts)
        trainer.step(1)
        told.append([float(part.mean().asscalar()) for part in parts])
    assert sum(told[-1]) < sum(told[0]), f"the loss does not fall: {told}"
    return {"losses": told}


def classify(name: str) -> dict[str, nd.NDArray]:
    """The output of a network for an image, and that of another network that loaded its file."""
    side = SIDES.get(name, 64)
    net = settled(model_zoo.get_model(name, pretrained=False), (1, 3, side, side))
    x = nd.random.uniform(shape=(1, 3, side, side))
    x[:] = np.random.RandomState(0).normal(0, 1, x.shape)
    told = net(x)
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "net.params")
        net.save_parameters(file)
        again = model_zoo.get_model(name, pretrained=False)
        again.load_parameters(file)
    again.hybridize()
    np.testing.assert_allclose(again(x).asnumpy(), told.asnumpy(), rtol=1e-4, atol=1e-4)
    return {"scores": told}


def train_ssd() -> dict[str, list]:
    net = model_zoo.get_model("ssd_300_vgg16_atrous_voc", **NO_DOWNLOAD)
    settled(net, (1, 3, 300, 300), gain=1)
    with autograd.train_mode():
        anchors = net(nd.zeros((1, 3, 300, 300)))[2]
    _, classes, offsets = ssd.SSDDefaultTrainTransform(300, 300, anchors)(picture(), boxes())
    assert (classes > 0).sum().asscalar() > 1
    # Colours are drawn by MXNet's generator, for another picture with every library.
    x = ssd.SSDDefaultValTransform(300, 300)(picture(), boxes())[0].expand_dims(0)
    criterion = losses.SSDMultiBoxLoss()

    def step() -> list[nd.NDArray]:
        scores, places, _ = net(x)
        return criterion(scores, places, classes.expand_dims(0), offsets.expand_dims(0))[0]

    return two_steps(net, step, 1e-4)


def train_yolo() -> dict[str, list]:
    net = settled(model_zoo.get_model("yolo3_mobilenet1.0_voc", **NO_DOWNLOAD), (1, 3, 96, 96))
    transform = yolo.YOLO3DefaultTrainTransform(96, 96, net)
    _, *targets = transform(picture(96, 96), boxes())
    x = yolo.YOLO3DefaultValTransform(96, 96)(picture(96, 96), boxes())[0].expand_dims(0)
    objectness, centers, scales, weights, classes, truth = (nd.expand_dims(t, 0) for t in targets)

    def step() -> list[nd.NDArray]:
        return [*net(x, truth, objectness, centers, scales, weights, classes)]

    return two_steps(net, step, 1e-5)


def train_fcn() -> dict[str, list]:
    net = model_zoo.get_fcn(dataset="pascal_voc", backbone="resnet50", crop_size=64, **NO_DOWNLOAD)
    settled(net, (1, 3, 64, 64), gain=1)  # two paths meet in each of its blocks
    x = nd.image.to_tensor(picture(64, 64)).expand_dims(0)
    labels = nd.array(np.arange(64 * 64).reshape(1, 64, 64) // 700 - 1)
    criterion = losses.MixSoftmaxCrossEntropyLoss(aux=True)
    return two_steps(net, lambda: [criterion(*net(x), labels)], 1e-3)


def propose() -> dict[str, list]:
    """The targets for training a region proposal network."""
    rng = np.random.RandomState(0)
    anchors = rng.uniform(0, 60, (200, 4)).astype("float32")
    anchors[:, 2:] += anchors[:, :2] + 5
    transform = RPNTargetGenerator(num_sample=32)
    classes, offsets, weights = transform.forward(
        nd.array(boxes()[:, :4]), nd.array(anchors), 120, 120
    )
    return {"classes": classes, "offsets": offsets, "weights": weights}


def detect(name: str, side: int) -> dict[str, nd.NDArray]:
    """Classes, scores and boxes after suppression of those that overlap."""
    net = settled(model_zoo.get_model(name, **NO_DOWNLOAD), (1, 3, side, side))
    net.set_nms(nms_thresh=0.45, nms_topk=50, post_nms=20)
    net.hybridize()
    x = nd.array(np.random.RandomState(0).normal(0, 1, (1, 3, side, side)))
    return dict(zip(("classes", "scores", "boxes"), net(x)))


def suppress() -> dict[str, nd.NDArray]:
    """Suppress boxes, alone and as a transform of a data set does."""
    rng = np.random.RandomState(0)
    corners = rng.uniform(0, 50, (60, 4))
    corners[:, 2:] += corners[:, :2]
    rows = np.column_stack([rng.randint(0, 3, 60), rng.uniform(0, 1, 60), corners])
    kept = nd.contrib.box_nms(nd.array(rows), 0.4, 0.1, id_index=0, topk=40, coord_start=2)
    center = BBoxCornerToCenter()(nd.array(corners))
    decoder = NormalizedBoxCenterDecoder((0.1, 0.1, 0.2, 0.2))
    offsets = nd.array(rng.normal(0, 1, (1, 60, 4)))
    return {
        "kept": kept,
        "split": BBoxSplit(axis=-1)(nd.array(corners))[2],
        "center": center[0],
        "decoded": decoder(offsets, nd.array(corners).expand_dims(0)),
        "overlap": bbox_iou(corners[:5], corners[5:9]),
        "matches": CompositeMatcher([BipartiteMatcher(), MaximumMatcher(0.5)])(
            nd.contrib.box_iou(nd.array(corners[:20]), nd.array(corners[:4])).expand_dims(0)
        ),
    }


def transform_pictures() -> dict[str, nd.NDArray]:
    """Scaled, cropped, flipped, erased and in other colours."""
    image = picture()
    np.random.seed(0)
    return {
        "ssd": ssd.transform_test([image], short=64)[0],
        "yolo": yolo.transform_test([image], short=64)[0],
        "rcnn": rcnn.transform_test([image], short=64)[0],
        "resized": images.imresize(image, 50, 40, interp=1),
        "short": images.resize_short_within(image, 40, 60),
        "long": images.resize_long(image, 40),
        "expanded": images.random_expand(image, max_ratio=2)[0],
        "contained": images.resize_contain(image, (80, 90))[0],
        "flipped": images.random_flip(image, px=1)[0],
        "crops": images.ten_crop(image, (40, 50)),
        "colours": experimental.image.np_random_color_distort(
            image.asnumpy().astype("float32") / 255
        ),
        "crop": block.RandomCrop(96, 4)(picture(96, 96)),
        "erased": block.RandomErasing(1.0)(image),
    }


def transform_boxes() -> dict[str, nd.NDArray]:
    """Boxes and outlines of objects, moved as their pictures are."""
    label = boxes()
    cropped, window = experimental.bbox.random_crop_with_constraints(label, (100, 120))
    outline = [np.array([[1, 2], [30, 40], [5, 60]], "float32")]
    return {
        "cropped": cropped,
        "window": window,
        "crop": bbox.crop(label, (5, 5, 60, 60), allow_outside_center=False),
        "flip": bbox.flip(label, (100, 120), flip_x=True),
        "resize": bbox.resize(label, (100, 120), (50, 50)),
        "move": bbox.translate(label, 3, 4),
        "outline": mask.resize(outline, (64, 64), (32, 32))[0],
        "validated": ssd.SSDDefaultValTransform(64, 64)(picture(), label)[1],
    }


def batches() -> dict[str, nd.NDArray]:
    """Batches of pictures and boxes of several sizes."""
    data = [(picture(20 + i, 30), nd.array(boxes()[: 1 + i % 2])) for i in range(4)]
    together = batchify.Tuple(batchify.Append(), batchify.Pad(axis=0, pad_val=-1))(data)
    return {"first": together[0][0], "boxes": together[1]}


def measure() -> dict[str, list]:
    """Metrics of detections and segmentations."""
    voc = metrics.VOC07MApMetric(iou_thresh=0.5, class_names=[*"abcde"])
    places, classes = nd.array(boxes()[None, :, :4]), nd.array(boxes()[None, :, 4])
    voc.update([places + 3], [classes], [nd.array([[0.9, 0.8]])], [places], [classes])
    segmentation = metrics.SegmentationMetric(3)
    scores = np.random.RandomState(0).normal(0, 1, (1, 3, 8, 8))
    labels = np.random.RandomState(1).randint(0, 3, (1, 8, 8))
    segmentation.update([nd.array(labels)], [nd.array(scores)])
    return {"precision": [one for one in voc.get()[1] if one == one], "right": segmentation.get()}


def expand() -> dict[str, nd.NDArray]:
    """Internal outputs of a network, taken from its symbol, and a network on top of them."""
    base, other = (model_zoo.get_model("resnet18_v1", pretrained=False) for _ in range(2))
    ends = ["stage3_activation1", "stage4_activation1"]
    net = FeatureExpander(base, ends, [32, 16], inputs=("data",))
    pyramid = FPNFeatureExpander(other, ends, [16, 16], use_1x1=True, use_p6=True)
    x = nd.random.uniform(shape=(1, 3, 64, 64))
    x[:] = np.random.RandomState(0).normal(0, 1, x.shape)
    found = {}
    for name, one in (("features", net), ("pyramid", pyramid)):
        settled(one, x.shape)
        for key, value in one.collect_params().items():  # a symbol's own are drawn, as any weight
            if not key.endswith("weight"):
                value.set_data(nd.full(value.shape, key.endswith(("gamma", "var"))))
        found |= {f"{name} {k}": feature for k, feature in enumerate(one(x))}
    return found


results = Results("gluoncv", "clients_gluoncv.json")
results.compare("train SSD, SSDDefaultTrainTransform, SSDMultiBoxLoss", train_ssd)
results.compare("train YOLO3, YOLO3DefaultTrainTransform", train_yolo)
results.compare("train FCN, MixSoftmaxCrossEntropyLoss", train_fcn)
results.compare("RPNTargetGenerator", propose)
for name, side in ("ssd_300_vgg16_atrous_voc", 300), ("yolo3_mobilenet1.0_voc", 96):
    results.compare(f"detect with {name}", partial(detect, name, side))
results.compare("FeatureExpander, FPNFeatureExpander", expand)
results.compare("box_nms, coders, matchers", suppress)
results.compare("transforms of pictures", transform_pictures, atol=2)
results.compare("transforms of boxes", transform_boxes)
results.compare("batchify", batches)
results.compare("VOC07MApMetric, SegmentationMetric", measure)
for name in CLASSIFIERS:
    results.compare(f"classify with {name}", partial(classify, name))
results.finish()
