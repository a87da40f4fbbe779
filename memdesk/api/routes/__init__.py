"""Routes, one file a feature. Each has ``router(services)`` and calls synchronous services on the thread pool."""
