"""What MXNet has in `gluon.contrib`."""

from . import estimator, nn, rnn

__all__ = ["estimator", "nn", "rnn"]
