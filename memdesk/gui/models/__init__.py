"""Qt models over pages from services; they know no widgets."""
