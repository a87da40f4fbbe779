"""The use cases, a room for each. They know ports, never adapters."""
