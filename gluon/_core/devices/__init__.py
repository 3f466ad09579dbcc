"""Arrays on devices: buffers over tensors of PyTorch, and what computes on them.

Nothing here imports PyTorch before there is a device array: `start` does.
"""
