"""A throw-away profile with conversations in it, through the real services."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from memdesk.bench import shared
from memdesk.bench.recall_talks import Sitting, Talk
from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.services.container import Services
from memdesk.services.recalling import search
from memdesk.services.recording import IngestTurn
from memdesk.settings.paths import profile_paths

#: Opens a kept profile; not secret, since its contents are published.
_PASSPHRASE = "memdesk bench recall"  # noqa: S105


#: How long a bench's question waits for its vector.
PATIENCE_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Loaded:
    """What loading cost.

    Attributes:
        record_seconds: until the last was durable.
        embed_seconds: until the last had a vector.
        distill_seconds: spent distilling; 0 when it was skipped.
    """

    turns: int
    record_seconds: float
    embed_seconds: float
    distill_seconds: float

    def plus(self, other: Loaded) -> Loaded:
        return Loaded(
            self.turns + other.turns,
            self.record_seconds + other.record_seconds,
            self.embed_seconds + other.embed_seconds,
            self.distill_seconds + other.distill_seconds,
        )


@contextmanager
def profile(folder: Path | None = None, **memory_settings: object) -> Iterator[Services]:
    """Lend the services of a profile.

    ``folder`` is kept for the next run; None uses a temporary one.
    """
    with ExitStack() as stack:
        if folder is None:
            folder = stack.enter_context(shared.folder())
        # No keyring: nothing of a bench belongs there. Kept profiles contain only published conversations.
        app = App(profile_paths(home=folder), secrets=MemorySecrets(available=False))
        stack.callback(app.close)
        app.open(passphrase=_PASSPHRASE)
        if memory_settings:
            app.services.settings.update("memory", memory_settings)
        # A busy machine must not change the results.
        stack.callback(setattr, search, "EMBED_SECONDS", search.EMBED_SECONDS)
        search.EMBED_SECONDS = PATIENCE_SECONDS
        yield app.services


def sitting_turns(sitting: Sitting) -> list[IngestTurn]:
    turns = []
    for turn in sitting.turns:
        if turn.role == "user":
            turns.append(IngestTurn(user=turn.text, user_speaker=turn.speaker, date=sitting.date))
        else:
            turns.append(IngestTurn(assistant=turn.text, assistant_speaker=turn.speaker, date=sitting.date))
    return turns


def load(services: Services, talks: Sequence[Talk], *, distill: bool) -> Loaded:
    """Record every conversation as its own agent, write what was written by hand, embed both, and optionally distill.

    Sessions already in a kept profile, with an episode if they are to be distilled, are skipped.
    """
    turns = 0
    sessions = [
        (talk, sitting)
        for talk in talks
        for sitting in talk.sittings
        if not _is_loaded(services, talk.agent, sitting.id, distill=distill)
    ]
    started = time.perf_counter()
    for talk, sitting in _bar(sessions, "recording"):
        done = services.ingest.ingest(
            agent_id=talk.agent,
            conversation_id=sitting.id,
            turns=sitting_turns(sitting),
            session_date=sitting.date,
            skip_extraction=not distill,
            wait=False,
        )
        turns += done.turns_ingested
    for talk in talks:
        if talk.written:
            services.agents.ensure(talk.agent)
        for fact in talk.written:
            services.memories.add_fact(agent_id=talk.agent, content=fact.text)
    recorded = time.perf_counter()
    if distill:
        for talk, sitting in _bar(sessions, "distilling"):
            services.distillation.distill(talk.agent, sitting.id)
    distilled = time.perf_counter()
    with tqdm(desc="embedding", unit="text", file=sys.stderr) as bar:
        services.indexing.flush(progress=bar.update)
    return Loaded(turns, recorded - started, time.perf_counter() - distilled, distilled - recorded if distill else 0.0)


def _is_loaded(services: Services, agent_id: str, conversation_id: str, *, distill: bool) -> bool:
    with services.recall.store.read() as repos:
        if distill:
            return bool(repos.items.episodes_of(agent_id, conversation_id))
        return bool(repos.turns.of_conversation(agent_id, conversation_id))


def _bar(sessions: list[tuple[Talk, Sitting]], what: str) -> Iterator[tuple[Talk, Sitting]]:
    yield from tqdm(sessions, desc=what, unit="session", file=sys.stderr)
