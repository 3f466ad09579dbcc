"""Mistakes with layers, losses and trainers: type checkers report each marked line, no other."""

from __future__ import annotations

from gluon import Block, HybridBlock, Parameter, Trainer, contrib, init, loss, nn, optimizer, rnn
from gluon.model_zoo import vision

nn.Dense()  # error
nn.Dense("10")  # error
nn.Dense(10, activation="rleu")  # error
nn.Dense(10, activation=nn.Activation)  # error
nn.Dense(10, 5)  # error
nn.Dense(10, use_bais=False)  # error
nn.Dense(10, in_features=5)  # error
nn.Dense(10, weight_initializer=0.1)  # error
nn.Dense(10, bias_initializer=init)  # error
nn.Dense(10, dtype=3)  # error
nn.Dense(10, prefix=3)  # error
nn.Dense(10, params=[Parameter("weight")])  # error
nn.Conv2D(8)  # error
nn.Conv2D(8, "3")  # error
nn.Conv2D(8, 3, padding="same")  # error
nn.Conv2D(8, 3, stride=2)  # error
nn.Conv2D(8, (3, 3.5))  # error
nn.Conv2D(8, 3, activation="relu6")  # error
nn.Conv3DTranspose(8, 3, out_padding=1)  # error
nn.MaxPool2D(pool_size="2")  # error
nn.MaxPool2D(stride=2)  # error
nn.GlobalAvgPool2D(pool_size=2)  # error
nn.BatchNorm(eps=1e-5)  # error
nn.BatchNorm(gamma_initializer=1)  # error
nn.LayerNorm(10, eps=1e-5)  # error
nn.Activation()  # error
nn.Activation("Relu")  # error
nn.LeakyReLU()  # error
nn.LeakyReLU(0.1, inplace=True)  # error
nn.Dropout("0.5")  # error
nn.Dropout(p=0.5)  # error
nn.Embedding(10)  # error
nn.Embedding(10, 4, padding_idx=0)  # error
nn.Flatten(start_dim=1)  # error
nn.GELU(approximate=True)  # error
nn.Sequential(nn.Dense(1))  # error
nn.Sequential().add("dense")  # error
nn.HybridSequential(name="net")  # error
nn.MultiHeadAttention(16)  # error
nn.MultiHeadAttention(16, 4, bias=False)  # error
nn.TransformerEncoderLayer(16, 32, 4, activation="swish")  # error
Block(name="net")  # error
HybridBlock(prefx="net_")  # error
rnn.LSTM()  # error
rnn.LSTM(8, layers=2)  # error
rnn.LSTM(8, batch_first=True)  # error
rnn.RNN(8, activation="sigmoidal")  # error
rnn.GRU(8, h2h_weight_initializer=1)  # error
rnn.LSTMCell(8, hidden=3)  # error
rnn.RNNCell(8, activation="tahn")  # error
rnn.ZoneoutCell(3)  # error
rnn.DropoutCell()  # error
rnn.SequentialRNNCell().add(nn.Dense(3))  # error
contrib.nn.PixelShuffle2D()  # error
contrib.nn.PixelShuffle2D("2")  # error
contrib.nn.HybridConcurrent(dim=1)  # error
contrib.nn.SyncBatchNorm(devices=2)  # error
contrib.nn.Identity(3)  # error
contrib.rnn.Conv2DLSTMCell((3, 8, 8), 4, i2h_kernel=3)  # error
contrib.rnn.LSTMPCell(8)  # error
contrib.rnn.VariationalDropoutCell(rnn.LSTMCell(8), drop_input=0.5)  # error
contrib.cnn.DeformableConvolution(8, kernel=3)  # error
contrib.cnn.DeformableConvolution(8, 3, activation="rleu")  # error
loss.L2Loss("1")  # error
loss.L2Loss(reduction="mean")  # error
loss.SoftmaxCrossEntropyLoss(dim=1)  # error
loss.HuberLoss(delta=2)  # error
vision.resnet18_v1(num_classes=10)  # error
vision.resnet18_v1(classes="10")  # error
vision.resnet18_v3()  # error
vision.VGG([1])  # error
net = nn.Dense(1)
net.initialize(0.1)  # error
net.initialize(context=None)  # error
net.initialise()  # error
Parameter("weight", init=3)  # error
Trainer(net.collect_params())  # error
Trainer(net, "sgd")  # error
Trainer(net.collect_params(), optimizer.SGD)  # error
Trainer(net.collect_params(), "sgd", 0.1)  # error
Trainer(net.collect_params(), "sgd", lr=0.1)  # error
optimizer.SGD(lr=0.1)  # error
optimizer.SGD(learning_rate="0.1")  # error
optimizer.Adam(betas=(0.9, 0.999))  # error
optimizer.Adam(0.1, clip_gradient="5")  # error
optimizer.AdamW(weight_decay=0.1)  # error
optimizer.LBSGD(warmup_epoch=5)  # error
optimizer.Test(momentum=0.9)  # error
optimizer.SGD(lr_scheduler=0.1)  # error
