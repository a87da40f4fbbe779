"""The use cases, one file each. They know ports, never adapters."""
