"""Answers and drafts."""
