"""What MXNet has in `gluon.contrib`."""

from . import data, estimator, nn, rnn

__all__ = ["data", "estimator", "nn", "rnn"]
