"""Dataclasses and pure rules. No I/O, no clock of its own."""
