"""Reusable widgets: small, accessible, themed only by tokens."""
