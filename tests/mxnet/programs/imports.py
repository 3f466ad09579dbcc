"""Importing mxnet imports the modules of the standard library that MXNet imports."""

import importlib
import multiprocessing
import sys
import urllib

import gluon.mxnet
from gluon.mxnet.modules import TABLES

#: Modules that newer Pythons have no more.
GONE = {
    *("typing.io", "typing.re", "importlib.resources.abc", "importlib.readers"),
    "importlib.resources.readers",
}

gluon.mxnet.install()
assert multiprocessing.pool.ThreadPool
assert urllib.request.urlopen
assert importlib.metadata.version
assert not set(TABLES.origins.loaded()) - set(sys.modules) - GONE
