"""The engine: recording, the graph, the backward pass. It knows raw arrays and `Array`."""
