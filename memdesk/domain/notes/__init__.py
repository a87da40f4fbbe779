"""Notes: the content of a person's files, and the passages by which it is remembered."""
