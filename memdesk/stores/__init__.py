"""Databases behind ``ports.ItemStore``, one file each; their clients are imported where they are first used."""
