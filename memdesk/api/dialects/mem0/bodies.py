"""Request bodies of mem0's clients."""

from __future__ import annotations

from typing import Any

from pydantic import AliasChoices, Field

from memdesk.api.params import OpenBody


class Scoped(OpenBody):
    """Whose memory."""

    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None


class NewMemories(Scoped):
    """``POST /memories``."""

    messages: Any
    metadata: dict[str, Any] | None = None
    filters: Any = None
    prompt: str | None = Field(default=None, validation_alias=AliasChoices("prompt", "custom_instructions"))
    infer: bool = True
    #: With servers that share a database: accepted now, processed by whichever is free.
    async_mode: bool = False
    expires_at: str | None = None
    #: Its last day.
    expiration_date: str | None = None
    #: mem0's owner besides user, agent and run; kept as metadata, by which it is found again.
    app_id: str | None = None
    timestamp: float | str | None = None


class Question(Scoped):
    """``POST /memories/search``."""

    query: str
    limit: int | None = Field(default=None, validation_alias=AliasChoices("limit", "top_k"))
    filters: Any = None
    threshold: float | None = None
    expired: bool = Field(default=False, validation_alias=AliasChoices("expired", "show_expired"))
    graph: bool = Field(default=False, validation_alias=AliasChoices("graph", "enable_graph"))


class Listing(Scoped):
    """``POST /memories/list``."""

    limit: int | None = Field(default=None, validation_alias=AliasChoices("limit", "top_k", "page_size"))
    offset: int = 0
    filters: Any = None
    expired: bool = Field(default=False, validation_alias=AliasChoices("expired", "show_expired"))


class Changes(OpenBody):
    """``PUT /memories/{id}``."""

    text: str | None = Field(default=None, validation_alias=AliasChoices("text", "data", "memory"))
    metadata: dict[str, Any] | None = None
    expires_at: str | None = None
    #: Its last day; null removes it.
    expiration_date: str | None = None


class Change(Changes):
    """One memory of several that are changed or deleted."""

    memory_id: str


class Batch(OpenBody):
    """``PUT`` and ``DELETE /batch``."""

    memories: list[Change] = Field(min_length=1, max_length=1000)
