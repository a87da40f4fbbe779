"""Qt models over pages of services; they know no widgets."""
