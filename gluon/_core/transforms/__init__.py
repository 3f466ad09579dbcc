"""Forward mode and `vmap`: what the engine is told of recorded calls, and rules by kind."""
