"""Convolutional networks, generative networks, and what d2l has for images."""

from __future__ import annotations

import os

from d2l import mxnet as d2l
from harness import Result, fit, generator, normal, program, redrawn_alike, reseed, settle
from mxnet import autograd, gluon, image, init, np
from mxnet.gluon import nn
from regression import Squares, images


@program("LeNet")
def lenet() -> Result:
    return fit(d2l.LeNet(lr=0.1), Squares(640, batch_size=16), 20, gain=3)


@program("LeNet.layer_summary, corr2d")
def corr2d() -> Result:
    """Learn a kernel from the results of d2l's own cross-correlation."""
    d2l.LeNet().layer_summary((1, 1, 28, 28))
    X, K = np.ones((6, 8)), np.array([[1.0, -1.0]])
    X[:, 2:6] = 0
    Y = d2l.corr2d(X, K).reshape(1, 1, 6, 7)
    conv = nn.Conv2D(1, kernel_size=(1, 2), use_bias=False)
    conv.initialize()
    X = X.reshape(1, 1, 6, 8)
    conv(X)
    settle(conv)
    losses = []
    for _ in range(12):
        with autograd.record():
            loss = (conv(X) - Y) ** 2
        loss.backward()
        conv.weight.data()[:] -= 3e-2 * conv.weight.grad()
        losses.append(float(loss.sum()))
    return Result(losses[0], losses[-1])


class Small(d2l.Classifier):
    """A network of these blocks, followed by a layer with ten outputs."""

    def __init__(self, *blocks, lr=0.1):
        super().__init__()
        self.save_hyperparameters(ignore=["blocks"])
        self.net = nn.Sequential()
        self.net.add(*blocks)
        self.net.add(nn.Dense(10))
        self.net.initialize(init.Xavier())


@program("Residual")
def residual() -> Result:
    blocks = d2l.Residual(8), d2l.Residual(16, use_1x1conv=True, strides=2)
    return fit(Small(*blocks), Squares(160, size=14), 2)


@program("ResNeXtBlock")
def resnext() -> Result:
    blocks = nn.Conv2D(8, 3), d2l.ResNeXtBlock(16, 4, 1, use_1x1conv=True, strides=2)
    return fit(Small(*blocks), Squares(160, size=14), 3)


class Inception(nn.Block):
    """Four parallel paths, joined along the channels."""

    def __init__(self, c1, c2, c3, c4, **kwargs):
        super().__init__(**kwargs)
        self.b1_1 = nn.Conv2D(c1, kernel_size=1, activation="relu")
        self.b2_1 = nn.Conv2D(c2[0], kernel_size=1, activation="relu")
        self.b2_2 = nn.Conv2D(c2[1], kernel_size=3, padding=1, activation="relu")
        self.b3_1 = nn.Conv2D(c3[0], kernel_size=1, activation="relu")
        self.b3_2 = nn.Conv2D(c3[1], kernel_size=5, padding=2, activation="relu")
        self.b4_1 = nn.MaxPool2D(pool_size=3, strides=1, padding=1)
        self.b4_2 = nn.Conv2D(c4, kernel_size=1, activation="relu")

    def forward(self, x):
        paths = self.b2_2(self.b2_1(x)), self.b3_2(self.b3_1(x)), self.b4_2(self.b4_1(x))
        return np.concatenate((self.b1_1(x), *paths), axis=1)


@program("Classifier with parallel paths")
def inception() -> Result:
    blocks = nn.BatchNorm(), Inception(4, (4, 8), (2, 4), 4), nn.MaxPool2D(2, 2)
    return fit(Small(*blocks), Squares(160, size=14), 4)


class DenseBlock(nn.Block):
    """Layers that take the outputs of all previous layers."""

    def __init__(self, num_convs, num_channels):
        super().__init__()
        self.net = nn.Sequential()
        for _ in range(num_convs):
            layer = nn.Sequential()
            layer.add(nn.BatchNorm(), nn.Activation("relu"), nn.Conv2D(num_channels, 3, padding=1))
            self.net.add(layer)

    def forward(self, X):
        for blk in self.net:
            X = np.concatenate((X, blk(X)), axis=1)
        return X


@program("Classifier with dense connections")
def dense() -> Result:
    blocks = nn.Conv2D(4, 3), DenseBlock(2, 4), nn.AvgPool2D(2, 2)
    return fit(Small(*blocks), Squares(160, size=14), 4)


class BatchNormScratch(nn.Block):
    """Batch normalisation with running averages, written with functions of `np`."""

    def __init__(self, num_features, **kwargs):
        super().__init__(**kwargs)
        shape = (1, num_features, 1, 1)
        self.gamma = self.params.get("gamma", shape=shape, init=init.One())
        self.beta = self.params.get("beta", shape=shape, init=init.Zero())
        self.moving_mean = np.zeros(shape)
        self.moving_var = np.ones(shape)

    def forward(self, X):
        gamma, beta = self.gamma.data(X.ctx), self.beta.data(X.ctx)
        if not autograd.is_training():
            X_hat = (X - self.moving_mean) / np.sqrt(self.moving_var + 1e-5)
            return gamma * X_hat + beta
        mean = X.mean(axis=(0, 2, 3), keepdims=True)
        var = ((X - mean) ** 2).mean(axis=(0, 2, 3), keepdims=True)
        self.moving_mean = 0.9 * self.moving_mean + 0.1 * mean.detach()
        self.moving_var = 0.9 * self.moving_var + 0.1 * var.detach()
        return gamma * (X - mean) / np.sqrt(var + 1e-5) + beta


@program("Classifier with batch normalisation from scratch")
def batch_norm() -> Result:
    blocks = nn.Conv2D(8, 3), BatchNormScratch(8), nn.Activation("relu"), nn.MaxPool2D(2, 2)
    return fit(Small(*blocks, lr=0.2), Squares(160, size=14), 5)


@program("resnet18, train_ch13, evaluate_accuracy_gpus, split_batch")
def resnet18() -> Result:
    net, devices = d2l.resnet18(10), [d2l.cpu()]
    net.initialize(init.Normal(sigma=0.01), ctx=devices)
    data = Squares(80, batch_size=16, size=8)
    net(next(iter(data.val_dataloader()))[0])
    settle(net)
    return train_function(
        net,
        data,
        lambda loss: d2l.train_ch13(
            net,
            data.train_dataloader(),
            data.val_dataloader(),
            loss,
            gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.02}),
            4,
            devices,
        ),
        lambda: d2l.evaluate_accuracy_gpus(net, data.val_dataloader()),
    )


@program("train_ch6, evaluate_accuracy_gpu, Animator, Accumulator")
def train_ch6() -> Result:
    net = nn.Sequential()
    net.add(nn.Conv2D(8, 5, activation="relu"), nn.MaxPool2D(2, 2), nn.Dense(10))
    data = Squares(160, batch_size=16, size=14)
    redrawn_alike(net, next(iter(data.val_dataloader()))[0])
    return train_function(
        net,
        data,
        lambda loss: d2l.train_ch6(
            net, data.train_dataloader(), data.val_dataloader(), 3, 0.1, d2l.try_gpu()
        ),
        lambda: d2l.evaluate_accuracy_gpu(net, data.val_dataloader()),
    )


def train_function(net, data, train, accuracy) -> Result:
    """The result of a function of d2l that trains."""
    loss = gluon.loss.SoftmaxCrossEntropyLoss()

    def total():
        parts = [loss(net(X), y).mean() for X, y in data.val_dataloader()]
        return float(sum(parts)) / len(parts)

    before = total()
    reseed()
    train(loss)
    return Result(before, total(), accuracy())


@program("update_D, update_G")
def gan() -> Result:
    """The generator learns a plane.

    The loss is the distance of the mean of its points from the true mean.
    """
    A, b = np.array([[1, 2], [-0.1, 0.5]]), np.array([1, 2])
    points = d2l.matmul(normal(7, 512, 2), A) + b
    net_G, net_D = nn.Sequential(), nn.Sequential()
    net_G.add(nn.Dense(2))
    net_D.add(nn.Dense(5, activation="tanh"), nn.Dense(3, activation="tanh"), nn.Dense(1))
    for net in (net_G, net_D):
        net.initialize(init.Normal(0.02))
        net(points[:1])
        settle(net)
    loss = gluon.loss.SigmoidBCELoss()
    trainer_D, trainer_G = (
        gluon.Trainer(net.collect_params(), "adam", {"learning_rate": rate})
        for net, rate in ((net_D, 0.05), (net_G, 0.005))
    )

    def distance():
        return float(np.abs(net_G(normal(8, 200, 2)).mean(axis=0) - b).sum())

    before = distance()
    for epoch in range(20):
        for i, X in enumerate(d2l.load_array((points,), 32, is_train=False)):
            Z = normal(100 * epoch + i, 32, 2)
            d2l.update_D(X, Z, net_D, net_G, loss, trainer_D)
            d2l.update_G(Z, net_D, net_G, loss, trainer_G)
    return Result(before, distance())


@program("read_voc_images, VOCSegDataset, a fully convolutional network")
def segmentation() -> Result:
    folder = write_voc()
    data = d2l.VOCSegDataset(True, (16, 16), folder)
    loader = gluon.data.DataLoader(data, 4, last_batch="discard")
    net = nn.Sequential()
    net.add(nn.Conv2D(8, 3, padding=1, strides=2, activation="relu"))
    net.add(nn.Conv2DTranspose(21, kernel_size=4, padding=1, strides=2))
    net.initialize()
    net(next(iter(loader))[0])
    settle(net)
    loss = gluon.loss.SoftmaxCrossEntropyLoss(axis=1)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "wd": 1e-3})
    losses, right = [], 0.0
    for _ in range(8):
        for X, y in loader:
            with autograd.record():
                Y = net(X)
                total = loss(Y, y)
            total.backward()
            trainer.step(X.shape[0])
            losses.append(float(total.mean()))
            right = float((Y.argmax(axis=1).astype(y.dtype) == y).astype("float32").mean())
    return Result(losses[0], losses[-1], right)


def write_voc() -> str:
    """Images of 16 x 16 pixels, a coloured rectangle in each, with their labels' colours."""
    from PIL import Image

    for part in ("JPEGImages", "SegmentationClass", "ImageSets/Segmentation"):
        os.makedirs(os.path.join("voc", part), exist_ok=True)
    rng = generator(9)
    names = [f"image{i}" for i in range(8)]
    for i, name in enumerate(names):
        pixels = rng.randint(0, 60, (16, 16, 3)).astype("uint8")
        label = (pixels * 0).astype("uint8")
        pixels[4:12, i : i + 8] += 150
        label[4:12, i : i + 8] = d2l.VOC_COLORMAP[1 + i % 3]
        # d2l reads what it calls JPEG, whatever the file holds; PNG loses nothing.
        with open(f"voc/JPEGImages/{name}.jpg", "wb") as file:
            Image.fromarray(pixels).save(file, "PNG")
        Image.fromarray(label).save(f"voc/SegmentationClass/{name}.png")
    with open("voc/ImageSets/Segmentation/train.txt", "w") as file:
        file.write("\n".join(names))
    return "voc"


def style_losses(net, X, content, style):
    """The distance of an image from the content of one image and the style of another."""

    def gram(X):
        n = X.size // X.shape[1]
        X = X.reshape(X.shape[1], n)
        return np.dot(X, X.T) / (X.shape[1] * n)

    feature = net(X)
    variation = np.abs(X[:, :, 1:, :] - X[:, :, :-1, :]).mean()
    return (
        np.square(feature - content).mean()
        + np.square(gram(feature) - gram(style)).mean()
        + 0.1 * variation
    )


@program("style transfer: a picture as the parameter")
def style() -> Result:
    class SynthesizedImage(nn.Block):
        def __init__(self, img_shape, **kwargs):
            super().__init__(**kwargs)
            self.weight = self.params.get("weight", shape=img_shape)

        def forward(self):
            return self.weight.data()

    net = nn.Conv2D(4, 3)
    net.initialize()
    pictures = normal(10, 2, 3, 8, 8)
    net(pictures)
    settle(net)
    content, style = net(pictures[:1]), net(pictures[1:])
    gen_img = SynthesizedImage((1, 3, 8, 8))
    gen_img.initialize(init.Constant(pictures[:1] * 0 + 0.5), force_reinit=True)
    trainer = gluon.Trainer(gen_img.collect_params(), "adam", {"learning_rate": 0.1})
    losses = []
    for _ in range(20):
        with autograd.record():
            loss = style_losses(net, gen_img(), content, style)
        loss.backward()
        trainer.step(1)
        losses.append(float(loss))
    return Result(losses[0], losses[-1])


@program("image augmentation with transforms, imread, random_crop")
def augmentation() -> Result:
    from mxnet.gluon.data.vision import transforms
    from PIL import Image

    pixels, _ = images(64)
    os.makedirs("pictures/a", exist_ok=True)
    Image.fromarray(pixels[0, :, :, 0].astype("uint8")).convert("RGB").save("pictures/a/0.png")
    picture = image.imread("pictures/a/0.png")
    crop, rect = image.random_crop(picture, (8, 8))
    assert crop.shape == image.fixed_crop(picture, *rect).shape == (8, 8, 3)
    augment = transforms.Compose(
        [
            transforms.RandomFlipLeftRight(),
            transforms.RandomResizedCrop((12, 12), scale=(0.5, 1), ratio=(0.8, 1.25)),
            transforms.RandomColorJitter(brightness=0.2, contrast=0.2, saturation=0.2, hue=0.1),
            transforms.ToTensor(),
            transforms.Normalize([0.5] * 3, [0.2] * 3),
        ]
    )
    assert isinstance(augment(picture), np.ndarray)
    folder = gluon.data.vision.ImageFolderDataset("pictures").transform_first(augment)
    assert next(iter(gluon.data.DataLoader(folder, 1)))[0].shape == (1, 3, 12, 12)
    data = Squares(64, size=14)
    return fit(Small(nn.Conv2D(8, 5, activation="relu"), nn.MaxPool2D(2, 2), lr=0.3), data, 20)
