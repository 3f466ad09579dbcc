"""Write the networks of `test_keras.py` as tf2onnx writes them, with what they compute.

Run it where TensorFlow, Keras and tf2onnx are installed::

    python recorded/make_keras.py
"""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
import tensorflow as tf
import tf2onnx
from keras import layers

FOLDER = Path(__file__).parent / "keras"


def mobilenet():
    x = given = keras.Input((16, 16, 3))
    x = layers.Conv2D(4, 3, strides=2, padding="same", activation="swish")(x)
    y = layers.DepthwiseConv2D(3, strides=2, padding="same", use_bias=False)(x)
    y = layers.ReLU(6.0)(layers.BatchNormalization()(y))
    y = layers.Conv2D(4, 1, activation="relu")(y)
    share = layers.GlobalAveragePooling2D(keepdims=True)(y)
    y = layers.Multiply()([y, layers.Conv2D(4, 1, activation="hard_sigmoid")(share)])
    y = layers.UpSampling2D(2, interpolation="bilinear")(y)
    y = layers.Concatenate()([x, y, layers.Conv2DTranspose(2, 3, padding="same")(y)])
    y = layers.GlobalAveragePooling2D()(layers.SeparableConv2D(5, 3, padding="same")(y))
    return keras.Model(given, layers.Dense(4, activation="softmax")(y))


def recurrent():
    given = keras.Input((None, 3))
    y = layers.Bidirectional(layers.LSTM(3, return_sequences=True))(given)
    y = layers.SimpleRNN(3, return_sequences=True)(y)
    return keras.Model(given, layers.Dense(2)(layers.GRU(3)(y)))


def attention():
    given = keras.Input((None, 6))
    y = layers.MultiHeadAttention(2, 3)(given, given, use_causal_mask=True)
    y = layers.LayerNormalization()(given + y)
    return keras.Model(given, layers.Dense(2, activation="tanh")(y))


NETWORKS = {"attention": (attention, (2, 4, 6)), "mobilenet": (mobilenet, (2, 16, 16, 3))}
NETWORKS |= {"recurrent": (recurrent, (2, 5, 3))}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    draw, found = np.random.default_rng(0), {}
    for name, (network, shape) in NETWORKS.items():
        keras.utils.set_random_seed(0)
        net, x = network(), tf.constant(draw.normal(size=shape).astype("float32"))
        for one in net.weights:
            if one.path.split("/")[-1] in ("bias", "beta", "moving_mean"):
                one.assign(draw.normal(0, 0.2, one.shape))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = net(x, training=False)
            loss = tf.reduce_sum(y * np.linspace(-1, 1, tf.size(y)).reshape(y.shape))
        found |= {f"{name}_x": x, f"{name}_y": y, f"{name}_grad": tape.gradient(loss, x)}
        signature = [tf.TensorSpec((None, *net.input_shape[1:]), tf.float32, name="x")]
        call = tf.function(lambda x, net=net: net(x, training=False), input_signature=signature)
        path = FOLDER / f"{name}.onnx"
        tf2onnx.convert.from_function(call, signature, opset=17, output_path=str(path))
    np.savez_compressed(FOLDER / "results.npz", **found)


if __name__ == "__main__":
    main()
