"""Readers of other apps' chats. Each format is one small module; all return ``ArchivedChat``."""
