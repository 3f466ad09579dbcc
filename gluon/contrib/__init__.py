"""What MXNet has in `gluon.contrib`."""

from . import data, estimator, io, nn, rnn, text

__all__ = ["data", "estimator", "io", "nn", "rnn", "text"]
