"""What MXNet has in `gluon.contrib`."""

from . import rnn

__all__ = ["rnn"]
