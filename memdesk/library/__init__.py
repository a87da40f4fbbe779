"""The Python API: ``Memory`` and ``AsyncMemory``, typed results, and the errors they raise."""

from memdesk.library.aio import AsyncMemory
from memdesk.library.remote import RemoteMemory
from memdesk.library.sync import Memory, Service

__all__ = ["AsyncMemory", "Memory", "RemoteMemory", "Service"]
