"""The chat page: conversations, messages, composer, and why a reply saw what it saw."""
