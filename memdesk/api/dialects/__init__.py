"""Protocols of others over our services: names and shapes, no rules of their own."""
