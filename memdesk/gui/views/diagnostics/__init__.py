"""Diagnostics: how each part is, what waits, what asked, what was logged."""
