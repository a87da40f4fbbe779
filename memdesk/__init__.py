"""memdesk: long-term, encrypted, local memory for chat agents."""

__version__ = "0.1.0"
