"""Helpers that MegEngine's modules hold for themselves, and scripts import all the same."""
