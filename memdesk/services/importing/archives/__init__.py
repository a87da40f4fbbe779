"""Readers of chats kept by other apps. Each app's format is one small module; all give ``ArchivedChat``."""
