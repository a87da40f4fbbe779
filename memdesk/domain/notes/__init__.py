"""Notes: what is in a file that a person keeps, and the passages it is remembered by."""
