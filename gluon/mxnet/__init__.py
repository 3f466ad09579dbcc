"""Running scripts that were written for MXNet."""
