"""``%load_ext gluon.mxnet`` in Jupyter and IPython."""

from typing import Any

from .hook import install, uninstall


def load_ipython_extension(ipython: Any) -> None:
    """Install the hook; IPython calls this for ``%load_ext gluon.mxnet``."""
    install()


def unload_ipython_extension(ipython: Any) -> None:
    """Take the hook away; IPython calls this for ``%unload_ext gluon.mxnet``."""
    uninstall()
