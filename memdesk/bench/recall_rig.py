"""A throw-away profile with conversations in it, through the real services."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
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

#: Opens a kept profile; no secret, since what lies in it is published.
_PASSPHRASE = "memdesk bench recall"  # noqa: S105


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
def profile(folder: Path | None = None, **memory_settings: object) -> Iterator[Services]:
    """Lend the services of a profile.

    Args:
        folder: where it is kept for the next run; None for a fresh one that is gone afterwards.
        memory_settings: other than the defaults.
    """
    with ExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="memdesk-bench-")))
        # No keyring: nothing of a bench belongs there. What is kept holds published conversations only.
        app = App(profile_paths(home=folder), secrets=MemorySecrets(available=False))
        stack.callback(app.close)
        app.open(passphrase=_PASSPHRASE)
        if memory_settings:
            app.services.settings.update("memory", memory_settings)
        yield app.services


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
    """Record every conversation as an agent of its own, embed it, and distil it if asked.

    Sessions that a kept profile already holds, with an episode if they are to be distilled, are left as they are.
    """
    turns = 0
    sessions = [
        (conversation, session)
        for conversation in conversations
        for session in conversation.sessions
        if not _is_loaded(services, conversation.name, session.conversation_id, distil=distil)
    ]
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


def _is_loaded(services: Services, agent_id: str, conversation_id: str, *, distil: bool) -> bool:
    with services.recall.store.read() as repos:
        if distil:
            return bool(repos.episodes.of_conversation(agent_id, conversation_id))
        return bool(repos.turns.of_conversation(agent_id, conversation_id))


def _bar(
    sessions: list[tuple[LocomoConversation, LocomoSession]], what: str
) -> Iterator[tuple[LocomoConversation, LocomoSession]]:
    yield from tqdm(sessions, desc=what, unit="session", file=sys.stderr)
