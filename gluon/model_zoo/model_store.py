"""Find the files of trained parameters."""

from __future__ import annotations

import os
from pathlib import Path

from .._core.errors import ArgumentError
from ..utils import DownloadError

__all__ = ["get_model_file", "purge"]

#: The default folder of parameter files.
ROOT = os.path.join(os.environ.get("MXNET_HOME", os.path.join("~", ".mxnet")), "models")
#: The first digits of the SHA-1 of MXNet's files, which are part of their names.
HASHES = {
    "alexnet": "44335d1f",
    "densenet121": "f27dbf2d",
    "densenet161": "b6c8a957",
    "densenet169": "2603f878",
    "densenet201": "1cdbc116",
    "inceptionv3": "ed47ec45",
    "mobilenet0.25": "9f83e440",
    "mobilenet0.5": "8e9d539c",
    "mobilenet0.75": "529b2c7f",
    "mobilenet1.0": "6b8c5106",
    "mobilenetv2_0.25": "ae8f9392",
    "mobilenetv2_0.5": "aabd26cd",
    "mobilenetv2_0.75": "e2be7b72",
    "mobilenetv2_1.0": "36da4ff1",
    "resnet18_v1": "a0666292",
    "resnet34_v1": "48216ba9",
    "resnet50_v1": "0aee57f9",
    "resnet101_v1": "d988c13d",
    "resnet152_v1": "671c637a",
    "resnet18_v2": "a81db45f",
    "resnet34_v2": "9d6b80bb",
    "resnet50_v2": "ecdde353",
    "resnet101_v2": "18e93e4f",
    "resnet152_v2": "f2695542",
    "squeezenet1.0": "264ba497",
    "squeezenet1.1": "33ba0f93",
    "vgg11": "dd221b16",
    "vgg11_bn": "ee79a809",
    "vgg13": "6bc5de58",
    "vgg13_bn": "7d97a06c",
    "vgg16": "e660d456",
    "vgg16_bn": "7f01cf05",
    "vgg19": "ad2f660d",
    "vgg19_bn": "f360b758",
}


def short_hash(name: str) -> str:
    """The first eight digits of the SHA-1 of MXNet's file for a model.

    Parameters
    ----------
    name : str

    Returns
    -------
    str

    Raises
    ------
    ArgumentError
        If the file does not exist.
    """
    if name not in HASHES:
        raise ArgumentError(
            f"model_store: there are no trained parameters for {name!r}, only for"
            f" {', '.join(HASHES)}; build the network with pretrained=False and fill it with"
            " load_parameters"
        )
    return HASHES[name]


def get_model_file(name: str, root: str = ROOT) -> str:
    """Find the file of trained parameters of a model.

    It is MXNet's file, ``<name>-<hash>.params``, or else one called ``<name>.params``, such as
    `Block.save_parameters` writes.

    Parameters
    ----------
    name : str
        As for `vision.get_model`.
    root : str, optional
        The folder of the file: ``models`` in the folder that the environment variable
        ``MXNET_HOME`` names, or in ``~/.mxnet``.

    Returns
    -------
    str
        The path of the file.

    Raises
    ------
    ArgumentError
        If no model of this name has trained parameters.
    DownloadError
        If the file does not exist. Nothing is downloaded; the message says which
        file to put where.

    Examples
    --------
    >>> from gluon.model_zoo.model_store import get_model_file
    >>> get_model_file("resnet18_v1", root="nowhere")
    Traceback (most recent call last):
    gluon.utils.DownloadError: ...
    """
    folder = Path(root).expanduser()
    files = [folder / f"{name}-{short_hash(name)}.params", folder / f"{name}.params"]
    for file in files:
        if file.is_file():
            return str(file)
    raise DownloadError(
        f"get_model_file: cannot find parameters of {name} in {folder.absolute()}, and gluon"
        f" downloads nothing. Get MXNet's file {files[0].name} in another way and put it at"
        f" {files[0].absolute()}, or save parameters of your own as {files[1].absolute()}"
    )


def purge(root: str = ROOT) -> None:
    """Delete all parameter files in a folder.

    Parameters
    ----------
    root : str, optional
        The folder; see `get_model_file`.

    Raises
    ------
    FileNotFoundError
        If the folder does not exist.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon.model_zoo import model_store
    >>> folder = tempfile.mkdtemp()
    >>> for name in ("net.params", "notes.txt"):
    ...     open(f"{folder}/{name}", "w").close()
    >>> model_store.purge(folder)
    >>> os.listdir(folder)
    ['notes.txt']
    """
    folder = Path(root).expanduser()
    for name in os.listdir(folder):
        if name.endswith(".params"):
            (folder / name).unlink()
