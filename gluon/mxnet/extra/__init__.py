"""Helpers that scripts import from MXNet's modules, and that gluon's modules do not need."""
