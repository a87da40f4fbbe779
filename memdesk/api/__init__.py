"""The local HTTP server: OpenAI-compatible chat with memory, and the memory itself. The only async code."""
