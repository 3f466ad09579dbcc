"""Dense, sparse, dense: an optimizer of its own that prunes weights by size while it trains."""

import mxnet as mx
import numpy as np
from mxnet.ndarray import NDArray, topk, zeros
from mxnet.optimizer import Optimizer


@Optimizer.register
class SparseSGD(Optimizer):
    """SGD with pruning of weights by percentage, epoch by epoch."""

    def __init__(
        self,
        pruning_switch_epoch,
        batch_size,
        weight_sparsity=None,
        bias_sparsity=None,
        momentum=0.0,
        **kwargs,
    ):
        super(SparseSGD, self).__init__(**kwargs)
        self.masks, self.masks_updated, self.epoch = [], False, 0
        self.pruning_switch_epoch = pruning_switch_epoch
        self.batch_size, self.momentum = batch_size, momentum
        self.weight_sparsity, self.bias_sparsity = weight_sparsity, bias_sparsity

    def create_state(self, index, weight):
        if self.momentum == 0.0:
            return None
        return zeros(weight.shape, weight.context, dtype=weight.dtype)

    def update_masks(self, index, weight):
        while len(self.masks) <= index:
            self.masks.append(None)
        epoch = self.num_update // self.batch_size + 1
        if epoch != self.epoch:
            self.epoch, self.masks = epoch, [None] * len(self.masks)
            if epoch > self.pruning_switch_epoch[0] and len(self.pruning_switch_epoch) > 1:
                self.pruning_switch_epoch.pop(0)
                self.weight_sparsity.pop(0)
                self.bias_sparsity.pop(0)
        if self.masks[index] is None:
            sparsity = (self.weight_sparsity if len(weight.shape) > 1 else self.bias_sparsity)[0]
            number_unpruned = int(round((100 - sparsity) * weight.size / 100.0))
            self.masks[index] = topk(
                weight.abs().reshape((-1,)), axis=-1, ret_typ="mask", k=number_unpruned
            ).reshape(weight.shape)
        return self.masks[index]

    def update(self, index, weight, grad, state):
        assert isinstance(weight, NDArray)
        assert isinstance(grad, NDArray)
        self._update_count(index)
        lr = self._get_lr(index)
        wd = self._get_wd(index)
        mask = self.update_masks(index, weight)
        grad = grad * self.rescale_grad
        if state is not None:
            mom = state
            mom[:] *= self.momentum
            mom[:] += -lr * (grad + wd * weight)
            mom[:] = mom * mask
            weight[:] = weight * mask
            weight[:] += mom
        else:
            weight[:] = weight * mask
            weight[:] += -lr * (grad + wd * weight) * mask


rng = np.random.RandomState(4)
centres = rng.randn(4, 10) * 1.5
classes = np.arange(160) % 4
data = (centres[classes] + rng.randn(160, 10)).astype("float32")
train = mx.io.NDArrayIter(data, classes.astype("float32"), batch_size=20)
net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=16, name="fc1")
net = mx.sym.Activation(net, act_type="relu")
net = mx.sym.FullyConnected(net, num_hidden=4, name="fc2")
net = mx.sym.SoftmaxOutput(net, name="softmax")
shapes, _, _ = net.infer_shape(data=(20, 10))
args = {
    name: mx.nd.array(rng.uniform(-0.5, 0.5, shape))
    for name, shape in zip(net.list_arguments(), shapes)
    if name.startswith("fc")
}
for momentum in (0.9, 0.0):
    train.reset()
    module = mx.mod.Module(net)

    def shrunk(epoch, symbol, arg_params, aux_params):
        zero = [(arg_params[n].asnumpy() == 0).mean() for n in sorted(arg_params)]
        print(epoch, " ".join("%.2f" % part for part in zero))

    module.fit(
        train,
        num_epoch=4,
        arg_params={name: value.copy() for name, value in args.items()},
        optimizer="sparsesgd",
        optimizer_params={
            "learning_rate": 0.05,
            "momentum": momentum,
            "wd": 1e-4,
            "pruning_switch_epoch": [1, 2, 4],
            "batch_size": 8,
            "weight_sparsity": [0, 60, 60],
            "bias_sparsity": [0, 0, 0],
        },
        epoch_end_callback=shrunk,
    )
    print("%.3f" % module.score(train, "acc")[0][1])
