"""``%load_ext gluon.megengine`` in Jupyter and IPython."""

from typing import Any

from .hook import install, uninstall


def load_ipython_extension(ipython: Any) -> None:
    """Install the hook; IPython calls this for ``%load_ext gluon.megengine``.

    Parameters
    ----------
    ipython : InteractiveShell
        Not used.

    Examples
    --------
    >>> import gluon.megengine
    >>> gluon.megengine.load_ipython_extension(None)
    >>> import megengine
    >>> gluon.megengine.unload_ipython_extension(None)
    """
    install()


def unload_ipython_extension(ipython: Any) -> None:
    """Remove the hook; IPython calls this for ``%unload_ext gluon.megengine``.

    Parameters
    ----------
    ipython : InteractiveShell
        Not used.

    Examples
    --------
    >>> import gluon.megengine
    >>> gluon.megengine.unload_ipython_extension(None)
    """
    uninstall()
