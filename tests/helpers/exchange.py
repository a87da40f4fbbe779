"""One exchange of a chat, recorded as the app records it."""

from __future__ import annotations

from memdesk.services.recording.ingest import NewTurn


def exchange(ingest, *, user, assistant, model="", **place):
    """Record a question and its answer; return the two turns. ``place`` is ``agent_id`` and ``conversation_id``."""
    turns = [NewTurn(role="user", content=user), NewTurn(role="assistant", content=assistant, model=model)]
    return ingest.record(turns=turns, **place)
