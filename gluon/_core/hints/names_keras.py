"""Maps functions, classes and modules of Keras, TensorFlow and JAX to those of gluon."""

from __future__ import annotations

CROSS_ENTROPY = "loss.SoftmaxCrossEntropyLoss()"
BINARY = "loss.SigmoidBinaryCrossEntropyLoss(from_sigmoid=True)"
SQUARES = "loss.L2Loss(), which halves it, or metric.MSE()"
SEED = "gluon.random.seed(seed), once: draws take no key"
TREES = "net.collect_params().items() in a loop, or a loop over your own list or dict"
COMPILED = "net.hybridize()"

KERAS = {
    "GradientTape": "autograd.record()",
    "constant": "nd.array(values)",
    "convert_to_tensor": "nd.array(values)",
    "numpy_function": "autograd.Function",
    "custom_gradient": "autograd.Function",
    "set_random_seed": "gluon.random.seed(seed)",
    "set_seed": "gluon.random.seed(seed)",
    "to_categorical": "nd.one_hot(x, depth)",
    "reduce_mean": "nd.mean(x, axis)",
    "reduce_sum": "nd.sum(x, axis)",
    "reduce_max": "nd.max(x, axis)",
    "reduce_min": "nd.min(x, axis)",
    "reduce_prod": "nd.prod(x, axis)",
    # modules
    "applications": "gluon.model_zoo.vision",
    "initializers": "gluon.initializer",
    "preprocessing": "gluon.data.vision.transforms",
    "regularizers": "optimizer.SGD(wd=0.0001), or wd of another optimizer",
    "schedules": "gluon.lr_scheduler",
    # blocks and layers
    "Model": "gluon.Block",
    "Layer": "gluon.Block",
    "Input": "net.summary(x), or in_units of a layer: shapes follow from the first batch",
    "InputLayer": "net.summary(x), or in_units of a layer: shapes follow from the first batch",
    "GlobalAveragePooling2D": "nn.GlobalAvgPool2D",
    "GlobalMaxPooling2D": "nn.GlobalMaxPool2D",
    "Bidirectional": "rnn.LSTM(hidden_size, bidirectional=True)",
    "TimeDistributed": "nn.Dense(units, flatten=False)",
    "Concatenate": "nd.concat(x, y, dim=1), or contrib.nn.HybridConcurrent",
    "Add": "x + y",
    "Multiply": "x * y",
    "Permute": "nd.transpose(x, axes)",
    "RepeatVector": "nd.repeat(x, repeats, axis)",
    "Rescaling": "nn.HybridLambda(lambda F, x: x / 255)",
    "ZeroPadding2D": "nd.pad(x, 'constant', pad_width)",
    "UpSampling2D": "nd.UpSampling(x, ...)",
    "DepthwiseConv2D": "nn.Conv2D(channels, kernel_size, groups=channels)",
    "SeparableConv2D": "nn.Conv2D with groups, and another one with kernel_size 1",
    # losses and metrics
    "SparseCategoricalCrossentropy": CROSS_ENTROPY,
    "sparse_categorical_crossentropy": CROSS_ENTROPY,
    "CategoricalCrossentropy": "loss.SoftmaxCrossEntropyLoss(sparse_label=False)",
    "categorical_crossentropy": "loss.SoftmaxCrossEntropyLoss(sparse_label=False)",
    "BinaryCrossentropy": BINARY,
    "binary_crossentropy": BINARY,
    "MeanSquaredError": SQUARES,
    "mean_squared_error": SQUARES,
    "MeanAbsoluteError": "loss.L1Loss(), or metric.MAE()",
    "mean_absolute_error": "loss.L1Loss(), or metric.MAE()",
    "SparseCategoricalAccuracy": "metric.Accuracy()",
    "CategoricalAccuracy": "metric.Accuracy()",
    "BinaryAccuracy": "metric.Accuracy()",
    "F1Score": "metric.F1()",
    "Mean": "metric.Loss()",
    "math": "gluon.nd",
    **dict.fromkeys(("AUC", "Precision", "Recall"), "metric.CustomMetric(function)"),
    # initializers, schedules and callbacks
    "GlorotUniform": "initializer.Xavier()",
    "glorot_uniform": "initializer.Xavier()",
    "GlorotNormal": "initializer.Xavier('gaussian')",
    "glorot_normal": "initializer.Xavier('gaussian')",
    "HeNormal": "initializer.MSRAPrelu()",
    "he_normal": "initializer.MSRAPrelu()",
    "HeUniform": "initializer.MSRAPrelu()",
    "he_uniform": "initializer.MSRAPrelu()",
    "RandomNormal": "initializer.Normal(sigma)",
    "RandomUniform": "initializer.Uniform(scale)",
    "ExponentialDecay": "lr_scheduler.FactorScheduler(step, factor)",
    "PiecewiseConstantDecay": "lr_scheduler.MultiFactorScheduler(step, factor)",
    "CosineDecay": "lr_scheduler.CosineScheduler(max_update)",
    "PolynomialDecay": "lr_scheduler.PolyScheduler(max_update)",
    "EarlyStopping": "contrib.estimator.EarlyStoppingHandler",
    "ModelCheckpoint": "contrib.estimator.CheckpointHandler",
    "CSVLogger": "contrib.estimator.LoggingHandler",
    # JAX
    "device_get": "x.asnumpy()",
    "device_put": "x.as_in_context(ctx)",
    "devices": "gluon.num_gpus()",
    "lax": "gluon.nd",
    "scan": "nd.contrib.foreach(body, data, states)",
    "fori_loop": "nd.contrib.while_loop(cond, func, loop_vars)",
    "pmap": "gluon.distributed",
    "remat": "autograd.checkpoint",
    "custom_vjp": "autograd.Function",
    "custom_jvp": "autograd.Function",
    "make_jaxpr": "net.summary(x)",
    "linen": "gluon.nn",
    "flax": "gluon.nn",
    "optax": "gluon.optimizer",
    **dict.fromkeys(
        ("tree", "tree_util", "tree_map", "tree_leaves", "tree_flatten", "tree_unflatten"), TREES
    ),
    **dict.fromkeys(("PRNGKey", "fold_in"), SEED),
}

#: The same where another name of gluon would be meant, by the last part of the module.
OF_MODULES = {
    "gluon": {
        "gluon": "its modules, such as gluon.nn",
        "mod": "gluon.module",
        "base": "gluon.GluonError",
        "MXNetError": "gluon.GluonError",
        "context": "gluon.Context",
    },
    "random": {
        "split": SEED,
        "key": SEED,
        "random": "nd.random.uniform(shape=(2, 3))",
        "integers": "nd.random.randint(low, high, shape=(2, 3))",
        "categorical": "nd.random.multinomial(probabilities)",
        "get_state": "gluon.random.seed(seed)",
    },
    "np.random": {"split": SEED, "key": SEED, "integers": "np.random.randint(low, high, size)"},
    "optimizer": dict.fromkeys(
        ("LBFGS", "Rprop", "ASGD", "RAdam", "Adafactor", "Lion"),
        "optimizer.Optimizer as the base of your own",
    ),
}
