"""A run that resumes from its checkpoint, and kills one of its processes after some seconds.

It prints the loss at the end. The processes share batches of one size, so that it does not depend
on how many there are.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

import numpy as np

from gluon import Trainer, autograd, distributed, nd, nn, random

PATH, RANK, SIZE = sys.argv[1], distributed.get_rank(), distributed.get_size()
#: The number of steps, and the seconds after them, until a rank is killed; 0 steps for never.
KILLED_AT, DELAY, KILLED = int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
EPOCHS, BATCH = 6, 12
drawn = np.random.RandomState(0)
X = drawn.normal(size=(96, 8)).astype("float32")
Y = (X @ drawn.normal(size=(8, 1)) + 0.1).astype("float32")

random.seed(7)
net = nn.HybridSequential()
net.add(nn.Dense(16, activation="tanh", in_units=8), nn.Dense(1, in_units=16))
net.initialize()
trainer = Trainer(net.collect_params(), "adam", {"learning_rate": 0.01}, kvstore="dist_sync")
begun = distributed.load_checkpoint(PATH, net, trainer) or {"epoch": 0, "step": 0}
taken = begun["epoch"] * len(X) // BATCH + begun["step"]
for epoch in range(begun["epoch"], EPOCHS):
    batches = np.random.RandomState(epoch).permutation(len(X)).reshape(-1, BATCH)
    for step in range(begun["step"] if epoch == begun["epoch"] else 0, len(batches)):
        if taken == KILLED_AT and RANK == KILLED:
            threading.Timer(DELAY, os.kill, (os.getpid(), signal.SIGKILL)).start()
        mine = batches[step][RANK::SIZE]
        with autograd.record():
            loss = ((net(nd.array(X[mine])) - nd.array(Y[mine])) ** 2).sum()
        loss.backward()
        trainer.step(BATCH)
        taken += 1
        distributed.save_checkpoint(PATH, net, trainer, epoch=epoch, step=step + 1)
if RANK == 0:
    print("begun", begun["epoch"] * 8 + begun["step"])
    print("loss", ((net(nd.array(X)) - nd.array(Y)) ** 2).mean().asscalar())
