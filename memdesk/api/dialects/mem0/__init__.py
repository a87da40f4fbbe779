"""mem0's REST API over the memory for programs."""
