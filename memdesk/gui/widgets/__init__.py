"""Reusable widgets: small, accessible, themed by the tokens alone."""
