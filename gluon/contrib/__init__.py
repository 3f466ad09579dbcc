"""What MXNet has in `gluon.contrib`."""

from . import nn, rnn

__all__ = ["nn", "rnn"]
