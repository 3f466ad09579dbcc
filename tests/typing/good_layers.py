"""What users write with layers, losses and trainers: type checkers find nothing wrong with it."""

from __future__ import annotations

from typing import Any

import numpy

from gluon import (
    Block,
    HybridBlock,
    Parameter,
    ParameterDict,
    Trainer,
    autograd,
    contrib,
    gpu,
    init,
    loss,
    lr_scheduler,
    nd,
    nn,
    optimizer,
    rnn,
)
from gluon.model_zoo import vision
from gluon.nd import NDArray


class Residual(HybridBlock):
    def __init__(self, channels: int, strides: int | tuple[int, int] = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.conv = nn.Conv2D(channels, 3, strides, padding=(1, 1), use_bias=False)
            self.norm = nn.BatchNorm(epsilon=1e-3, gamma_initializer=init.One())
            self.gate = self.params.get("gate", shape=(1,), init="ones")

    def hybrid_forward(self, F: Any, x: Any, gate: Any) -> Any:
        return F.relu(gate * self.norm(self.conv(x)) + x)


class Wider(nn.Dense):
    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(2 * units, activation="relu", **kwargs)


class Named(Block):
    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        super().__init__(prefix, params)


class Scaled(loss.Loss):
    def __init__(self, scale: float, weight: float | None = None, **kwargs: Any) -> None:
        super().__init__(weight, 0, **kwargs)
        self.scale = scale

    def hybrid_forward(self, F: Any, pred: Any, label: Any) -> Any:
        return F.abs(pred - label) * self.scale


def network(classes: int, width: float = 1.5) -> nn.HybridSequential:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(
            nn.Conv2D(8, kernel_size=3, activation="relu", layout="NCHW"),
            nn.Conv2D(int(8 * width), (3, 5), strides=2, weight_initializer=init.Xavier()),
            nn.Conv2DTranspose(4, [2, 2], output_padding=1, bias_initializer="ones"),
            nn.MaxPool2D(pool_size=(2, 2), strides=None, prefix="pool_"),
            nn.GlobalAvgPool2D(),
            nn.LeakyReLU(alpha=1),
            nn.PReLU(alpha_initializer=init.Constant(0.25)),
            nn.Dropout(rate=0.5, axes=(1,)),
            nn.Flatten(),
            nn.Dense(10, "tanh", weight_initializer="xavier", dtype=numpy.float32),
            Residual(8, prefix="residual_"),
            Wider(classes, prefix="out_", params=None),
        )
    net.initialize(init.Normal(sigma=0.1), ctx=[gpu(0), gpu(1)])
    net.collect_params(".*weight").initialize("normal", force_reinit=True)
    shared: nn.Dense = nn.Dense(10, params=net.collect_params())
    net.add(shared, nn.Lambda(lambda x: x * 2), nn.HybridLambda("relu"))
    return net


def sequences(x: NDArray) -> NDArray:
    layer = rnn.LSTM(8, num_layers=2, layout="NTC", dropout=0.5, bidirectional=True, prefix="a_")
    layer = rnn.LSTM(8, projection_size=4, state_clip_min=-1, dtype="float64", input_size=3)
    plain = rnn.RNN(8, activation="tanh", h2h_weight_initializer=init.Orthogonal())
    gated = rnn.GRU(8, use_sequence_length=True)
    cell = rnn.SequentialRNNCell()
    cell.add(rnn.LSTMCell(8, activation=nd.tanh))
    cell.add(rnn.ZoneoutCell(rnn.RNNCell(8, "relu", i2h_bias_initializer="zeros"), 0.1))
    cell.add(rnn.DropoutCell(0.5, axes=(0,)))
    convolving = contrib.rnn.Conv2DLSTMCell((3, 8, 8), 4, i2h_kernel=3, h2h_kernel=(3, 3))
    outputs, _ = cell.unroll(3, x, merge_outputs=True)
    convolved: list[NDArray] = convolving.unroll(3, x)[0]
    whole: NDArray = layer(plain(gated(outputs)))
    return whole + convolved[0]


def others() -> list[Block]:
    net = contrib.nn.HybridConcurrent(axis=1, prefix="")
    net.add(contrib.nn.Identity(), contrib.nn.PixelShuffle2D((2, 3)))
    norm = contrib.nn.SyncBatchNorm(in_channels=8, num_devices=2, prefix="norm_")
    moved = contrib.cnn.DeformableConvolution(8, kernel_size=3, activation="relu")
    layers = nn.TransformerEncoderLayer(16, 32, num_heads=4, activation="gelu", prefix="t_")
    known = vision.resnet18_v1(classes=10, thumbnail=True, prefix="resnet_")
    found = vision.get_model("resnet18_v1", classes=10)
    print(known.features[0], len(known.features), known.output, vision.vgg11_bn(batch_norm=True))
    return [
        net,
        norm,
        moved,
        layers,
        known,
        found,
        vision.ResNetV1(vision.BasicBlockV1, [1], [8, 8]),
    ]


def trained(net: Block, x: NDArray, y: NDArray) -> float:
    criterion = loss.SoftmaxCrossEntropyLoss(axis=1, sparse_label=False, weight=0.5, prefix="l_")
    huber = loss.HuberLoss(rho=2) if x.ndim else Scaled(2.0)
    schedule = lr_scheduler.FactorScheduler(step=10, factor=0.5, base_lr=0.1)
    settings = {"learning_rate": 0.1, "momentum": 0.9}
    trainer = Trainer(net.collect_params(), "sgd", settings)
    trainer = Trainer(net.collect_params(), optimizer.Adam(lr_scheduler=schedule), kvstore=None)
    some: list[Parameter] = [one for one in net.collect_params().values() if one.grad_req != "null"]
    trainer = Trainer(some, optimizer.SGD(0.9, wd=1e-4, clip_gradient=5), kvstore="device")
    with autograd.record():
        value = criterion(net(x), y).mean() + huber(net(x), y).mean()
    value.backward()
    trainer.step(batch_size=len(x))
    return float(value.asscalar())
