"""Ollama's own interface."""
