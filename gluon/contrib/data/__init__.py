"""More samplers."""

from . import sampler
from .sampler import IntervalSampler

__all__ = ["IntervalSampler", "sampler"]
