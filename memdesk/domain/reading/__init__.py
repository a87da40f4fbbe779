"""Statements from what was said."""
