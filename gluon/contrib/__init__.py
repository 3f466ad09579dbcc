"""The modules of MXNet's `gluon.contrib`."""

from . import cnn, data, estimator, io, nn, rnn, text

__all__ = ["cnn", "data", "estimator", "io", "nn", "rnn", "text"]
