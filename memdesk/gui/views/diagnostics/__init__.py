"""Diagnostics: health, queues, requests, log."""
