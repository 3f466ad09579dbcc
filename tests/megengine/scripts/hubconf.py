"""A repository of models."""

import helper

dependencies = []


def made(size=1):
    """A number."""
    return helper.BASE * size


number = 3
