"""Models: those available, what they are good for, and how to get more."""
