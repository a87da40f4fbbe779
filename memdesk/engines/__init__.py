"""Adapters to models, vector search and the OS keyring, each behind a port."""
