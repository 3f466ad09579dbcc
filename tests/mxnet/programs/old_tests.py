"""Tests that a project written for MXNet has."""

import os

import mxnet as mx


def test_ones():
    assert mx.nd.ones((2,)).sum().asscalar() == 2


def test_version():
    assert "gluon" in mx.__version__


def test_place():
    assert ("PYTEST_XDIST_WORKER" in os.environ) == bool(os.environ["WORKERS"])
