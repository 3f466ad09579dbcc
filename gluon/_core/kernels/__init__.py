"""Raw arrays in, raw arrays out: arrays before the star, attributes after it; no autograd."""
