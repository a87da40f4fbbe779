"""memdesk: long-term, encrypted, local memory for chat agents."""

import os
from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# ONNX Runtime reports to its maker and writes a device id under ~/.cache from the moment it is imported; a call that
# switches that off comes too late. Every process of ours begins here, engines and programs that use the library too.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

#: What programs import from here, and where it is made; looked up when it is first asked for.
_PUBLIC = {
    "AsyncMemdeskMemoryTool": "memdesk.compat.memory_tool",
    "AsyncMemory": "memdesk.bootstrap.library",
    "MemdeskMemoryTool": "memdesk.compat.memory_tool",
    "Memory": "memdesk.bootstrap.library",
    "MemoryConfig": "memdesk.library.config",
    "EmbeddingError": "memdesk.services.library.errors",
    "InvalidInputError": "memdesk.services.library.errors",
    "LLMError": "memdesk.services.library.errors",
    "MemoryError": "memdesk.services.library.errors",
    "NotFoundError": "memdesk.services.library.errors",
    "ScopeError": "memdesk.services.library.errors",
    "VaultError": "memdesk.services.library.errors",
    "VectorStoreError": "memdesk.services.library.errors",
}
__all__ = ["__version__", *_PUBLIC]  # noqa: PLE0604  # the names above


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)
