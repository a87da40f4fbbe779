"""The encrypted store: SQLCipher behind :class:`memdesk.ports.Store`, and the vault that keeps its key."""
