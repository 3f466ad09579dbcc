"""Linear models: regression from scratch and with layers, softmax regression, perceptrons."""

from __future__ import annotations

from d2l import mxnet as d2l
from harness import Result, fit, generator, normal, program, reseed, settle_scratch
from mxnet import autograd, gluon, init, np
from mxnet.gluon import nn
from mxnet.gluon.data.vision import transforms


def line(count: int = 256, noise: float = 0.01) -> d2l.SyntheticRegressionData:
    """Points near a plane."""
    w, b = np.array([2, -3.4]), 4.2
    data = d2l.SyntheticRegressionData(w, b, num_train=count, num_val=count)
    data.X = normal(2, 2 * count, 2)
    data.y = d2l.matmul(data.X, w.reshape(-1, 1)) + b + normal(3, 2 * count, 1, scale=noise)
    return data


class Squares(d2l.FashionMNIST):
    """Images of ten kinds, in place of those that d2l downloads: see `images`."""

    def __init__(self, count: int = 320, batch_size: int = 32, size: int = 28, workers: int = 0):
        d2l.DataModule.__init__(self, num_workers=workers)
        self.save_hyperparameters()
        change = transforms.Compose([transforms.Resize((size, size)), transforms.ToTensor()])
        pixels, labels = images(2 * count)
        parts = slice(0, count), slice(count, None)
        self.train, self.val = (
            gluon.data.ArrayDataset(
                np.array(pixels[part], dtype="uint8"), labels[part]
            ).transform_first(change)
            for part in parts
        )


def images(count: int):
    """Grayscale images of 14 x 14 pixels, each with one of ten bright squares, and its number."""
    rng = generator(4)
    labels = rng.randint(0, 10, count).astype("int32")
    pixels = rng.randint(0, 100, (count, 14, 14, 1))
    for image, label in zip(pixels, labels):
        row, column = divmod(label, 4)
        image[1 + row * 4 : 5 + row * 4, column * 3 : 4 + column * 3] += 120
    return pixels, labels


@program("LinearRegressionScratch, SGD")
def linear_scratch() -> Result:
    model, data = d2l.LinearRegressionScratch(2, lr=0.1), line()
    settle_scratch(model)
    return fit(model, data, 4, settled=True)


@program("LinearRegression, SyntheticRegressionData, ProgressBoard")
def linear() -> Result:
    model, data = d2l.LinearRegression(lr=0.1), line()
    result = fit(model, data, 8, plot=True)
    w, b = model.get_w_b()
    assert abs(w.reshape(-1) - np.array([2, -3.4])).max() < 0.05
    assert abs(b - 4.2) < 0.05
    return result


@program("LinearRegression with weight decay")
def weight_decay() -> Result:
    class WeightDecay(d2l.LinearRegression):
        def __init__(self, wd, lr):
            super().__init__(lr)
            self.save_hyperparameters()
            self.wd = wd

        def configure_optimizers(self):
            self.collect_params(".*bias").setattr("wd_mult", 0)
            return gluon.Trainer(
                self.collect_params(), "sgd", {"learning_rate": self.lr, "wd": self.wd}
            )

    return fit(WeightDecay(wd=0.1, lr=0.1), line(64), 4)


@program("SoftmaxRegression, FashionMNIST, Classifier")
def softmax() -> Result:
    return fit(d2l.SoftmaxRegression(num_outputs=10, lr=0.1), Squares(), 3)


@program("FashionMNIST.visualize, worker processes")
def workers() -> Result:
    data = Squares(workers=2)
    data.visualize(next(iter(data.val_dataloader())))
    return fit(d2l.SoftmaxRegression(num_outputs=10, lr=0.1), data, 1)


class SoftmaxRegressionScratch(d2l.Classifier):
    """Softmax regression on arrays."""

    def __init__(self, num_inputs, num_outputs, lr, sigma=0.01):
        super().__init__()
        self.save_hyperparameters()
        self.W = np.random.normal(0, sigma, (num_inputs, num_outputs))
        self.b = np.zeros(num_outputs)
        self.W.attach_grad()
        self.b.attach_grad()

    def collect_params(self):
        return [self.W, self.b]

    def forward(self, X):
        X_exp = d2l.exp(d2l.matmul(d2l.reshape(X, (-1, self.W.shape[0])), self.W) + self.b)
        return X_exp / d2l.reduce_sum(X_exp, 1, keepdims=True)

    def loss(self, y_hat, y):
        return -d2l.reduce_mean(d2l.log(y_hat[list(range(len(y_hat))), y]))


@program("Classifier from scratch")
def softmax_scratch() -> Result:
    model = SoftmaxRegressionScratch(784, 10, lr=0.1)
    settle_scratch(model, scale=0.01)
    return fit(model, Squares(), 3, settled=True)


class MLP(d2l.Classifier):
    """A perceptron with a hidden layer and, optionally, dropout."""

    def __init__(self, num_outputs, num_hiddens, lr, dropout=0):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential()
        self.net.add(nn.Dense(num_hiddens, activation="relu"))
        if dropout:
            self.net.add(nn.Dropout(dropout))
        self.net.add(nn.Dense(num_outputs))
        self.net.initialize(init.Normal(0.01))


@program("MLP")
def mlp() -> Result:
    return fit(MLP(10, 64, lr=0.1), Squares(), 5)


class MLPScratch(d2l.Classifier):
    """The same on arrays."""

    def __init__(self, num_inputs, num_outputs, num_hiddens, lr, sigma=0.01):
        super().__init__()
        self.save_hyperparameters()
        self.W1 = np.random.randn(num_inputs, num_hiddens) * sigma
        self.b1 = np.zeros(num_hiddens)
        self.W2 = np.random.randn(num_hiddens, num_outputs) * sigma
        self.b2 = np.zeros(num_outputs)
        for param in self.get_scratch_params():
            param.attach_grad()

    def forward(self, X):
        H = np.maximum(d2l.matmul(d2l.reshape(X, (-1, self.num_inputs)), self.W1) + self.b1, 0)
        return d2l.matmul(H, self.W2) + self.b2


@program("MLP from scratch")
def mlp_scratch() -> Result:
    model = MLPScratch(784, 10, 32, lr=0.1)
    settle_scratch(model, scale=0.05)
    return fit(model, Squares(), 5, settled=True)


@program("linreg, squared_loss, sgd, load_array, evaluate_loss")
def functions() -> Result:
    w, b = normal(5, 2, 1, scale=0.1), np.zeros(1)
    w.attach_grad()
    b.attach_grad()
    X, y = d2l.synthetic_data(np.array([2, -3.4]), 4.2, 200)
    X = normal(6, 200, 2)
    y = (d2l.matmul(X, np.array([2, -3.4])) + 4.2).reshape(-1, 1)
    loader = d2l.load_array((X, y), 20)

    def net(X):
        return d2l.linreg(X, w, b)

    before = d2l.evaluate_loss(net, loader, d2l.squared_loss)
    reseed()
    for _ in range(4):
        for X, y in loader:
            with autograd.record():
                loss = d2l.squared_loss(net(X), y)
            loss.backward()
            d2l.sgd([w, b], 0.1, 20)
    return Result(before, d2l.evaluate_loss(net, loader, d2l.squared_loss))
