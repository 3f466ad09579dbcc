"""Compiled steps: what one call computes, as a flat list of instructions that runs without Python.

`trace` looks on while a step runs and lists its calls of kernels and its writes; `lower` makes
simple instructions of them, `merge`, `order` and `memory` arrange these, and `run` repeats them.
`step` decides when a program may stand in for the call, and `check` compares both first.
"""
