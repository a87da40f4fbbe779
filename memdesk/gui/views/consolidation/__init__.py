"""Consolidation: run it, preview it, look back, go back."""
