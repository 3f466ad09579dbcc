"""What MXNet's ``gluon.contrib`` has."""

from . import data

__all__ = ["data"]
