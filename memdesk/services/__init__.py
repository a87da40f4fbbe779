"""The use cases, one room each. They know ports, never adapters."""
