"""Vectors of what can be searched by meaning, and the indexes over them."""
