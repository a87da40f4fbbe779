"""Routes, one file per feature. Each has ``router(services)`` and calls synchronous services on the thread pool."""
