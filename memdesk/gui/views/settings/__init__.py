"""Settings: every option of the schema, the server's tokens, and the vault."""
