"""mem0's REST interface over the memory of programs."""
