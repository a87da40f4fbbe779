"""Models: what there is, what it is good for, where more come from."""
