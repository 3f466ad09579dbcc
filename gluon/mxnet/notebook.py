"""``%load_ext gluon.mxnet`` in Jupyter and IPython."""

from typing import Any

from .hook import install, uninstall


def load_ipython_extension(ipython: Any) -> None:
    """Install the hook; IPython calls this for ``%load_ext gluon.mxnet``.

    Parameters
    ----------
    ipython : InteractiveShell
        Not used.

    Raises
    ------
    GluonError
        If MXNet itself was imported before.

    Examples
    --------
    >>> import gluon.mxnet
    >>> gluon.mxnet.load_ipython_extension(None)
    >>> import mxnet as mx
    >>> gluon.mxnet.unload_ipython_extension(None)
    """
    install()


def unload_ipython_extension(ipython: Any) -> None:
    """Remove the hook; IPython calls this for ``%unload_ext gluon.mxnet``.

    Parameters
    ----------
    ipython : InteractiveShell
        Not used.

    Examples
    --------
    >>> import gluon.mxnet
    >>> gluon.mxnet.unload_ipython_extension(None)
    """
    uninstall()
