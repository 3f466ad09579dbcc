"""The engine: recording, the graph and the backward pass. It knows only raw arrays and `Array`."""
