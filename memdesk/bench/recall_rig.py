"""A throw-away profile with conversations in it, through the real services."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tqdm import tqdm

from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.services.ingest import IngestTurn
from memdesk.services.locomo import LocomoConversation, LocomoSession
from memdesk.settings.paths import profile_paths

if TYPE_CHECKING:
    from memdesk.services.container import Services


@dataclass(frozen=True, slots=True)
class Loaded:
    """What loading took.

    Attributes:
        turns: turns recorded.
        record_seconds: until the last was durable.
        embed_seconds: until the last had a vector.
        distil_seconds: spent distilling; 0 when it was skipped.
    """

    turns: int
    record_seconds: float
    embed_seconds: float
    distil_seconds: float


@contextmanager
def throw_away(**memory_settings: object) -> Iterator[Services]:
    """Lend the services of a fresh profile in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="memdesk-bench-") as folder:
        app = App(profile_paths(home=Path(folder)), secrets=MemorySecrets())
        try:
            app.open()
            services = app.services
            if memory_settings:
                services.settings.update("memory", memory_settings)
            yield services
        finally:
            app.close()


def session_turns(conversation: LocomoConversation, session: LocomoSession) -> list[IngestTurn]:
    """Return a session as one-sided exchanges: speaker A on the user's side, B on the other."""
    turns = []
    for turn in session.turns:
        if turn.speaker == conversation.speaker_a:
            turns.append(IngestTurn(user=turn.text, user_speaker=turn.speaker, date=session.date))
        else:
            turns.append(IngestTurn(assistant=turn.text, assistant_speaker=turn.speaker, date=session.date))
    return turns


def load(services: Services, conversations: Sequence[LocomoConversation], *, distil: bool) -> Loaded:
    """Record every conversation as an agent of its own, embed it, and distil it if asked."""
    turns = 0
    sessions = [(conversation, session) for conversation in conversations for session in conversation.sessions]
    started = time.perf_counter()
    for conversation, session in _bar(sessions, "recording"):
        done = services.ingest.ingest(
            agent_id=conversation.name,
            conversation_id=session.conversation_id,
            turns=session_turns(conversation, session),
            session_date=session.date,
            skip_extraction=not distil,
            wait=False,
        )
        turns += done.turns_ingested
    recorded = time.perf_counter()
    if distil:
        for conversation, session in _bar(sessions, "distilling"):
            services.distillation.distill(conversation.name, session.conversation_id)
    distilled = time.perf_counter()
    with tqdm(desc="embedding", unit="text", file=sys.stderr) as bar:
        services.indexing.flush(progress=bar.update)
    return Loaded(turns, recorded - started, time.perf_counter() - distilled, distilled - recorded if distil else 0.0)


def _bar(
    sessions: list[tuple[LocomoConversation, LocomoSession]], what: str
) -> Iterator[tuple[LocomoConversation, LocomoSession]]:
    yield from tqdm(sessions, desc=what, unit="session", file=sys.stderr)
