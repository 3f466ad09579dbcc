"""Shared by the hooks for MXNet and MegEngine: finding modules, running programs, errors."""
