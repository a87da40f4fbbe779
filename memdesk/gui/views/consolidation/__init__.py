"""Consolidation: run it, preview it, review it, undo it."""
