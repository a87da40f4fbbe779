"""Which memory a message needs, and which lines of it."""
