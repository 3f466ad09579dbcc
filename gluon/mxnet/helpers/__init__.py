"""Helpers that scripts import from MXNet's modules and gluon itself does not use."""
