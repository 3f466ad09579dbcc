"""What MXNet has in `gluon.contrib`."""

from . import data, nn, rnn

__all__ = ["data", "nn", "rnn"]
