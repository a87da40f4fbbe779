"""The conversations of clients that resend their history: found again, and every message stored once."""

import threading
from typing import Final

from memdesk.domain.caches import Recent
from memdesk.domain.models import Turn, new_id
from memdesk.ports import Clock, Store
from memdesk.services.chatting.threads import Said, common_prefix, derived_id, reconcile, tail_key
from memdesk.services.recording import IngestService, NewTurn

#: Conversations with the same opening that get derived ids; more get random ones.
SAME_OPENING_LIMIT: Final = 20
#: Seconds in which a repeated lone message means another answer, not another conversation.
ANOTHER_ANSWER_SECONDS: Final = 600
#: Last exchanges kept, to find the conversation of a shortened history.
TAILS_KEPT: Final = 4096


class ClientThreads:
    """Finds and extends the stored threads of HTTP clients."""

    def __init__(self, *, store: Store, clock: Clock, ingest: IngestService) -> None:
        self._store = store
        self._clock = clock
        self._ingest = ingest
        self._recording = [threading.Lock() for _ in range(16)]
        self._tails: Recent[str, str] = Recent(TAILS_KEPT)
        self.clear = self._tails.clear

    def record(
        self, agent_id: str, thread_id: str, spoken: list[Said], answer: NewTurn, *, must_exist: bool = False
    ) -> list[Turn]:
        """Store a client's new messages and the answer; return the latest exchange."""
        with self._recording[hash((agent_id, thread_id)) % len(self._recording)]:
            with self._store.read() as repos:
                stored = repos.turns.of_conversation(agent_id, thread_id)
            change = reconcile(stored, spoken)
            turns = [
                NewTurn(role=message.role, content=message.content, images=message.images, program=answer.program)
                for message in change.add
            ]
            recorded = self._ingest.record(
                agent_id=agent_id,
                conversation_id=thread_id,
                turns=[*turns, answer],
                instead_of=change.drop,
                must_exist=must_exist,
            )
        key = tail_key(agent_id, [*spoken, Said("assistant", answer.content)])
        if key is not None:
            self._tails.keep(key, thread_id)
        return recorded[-2:]

    def find(self, agent_id: str, spoken: list[Said]) -> str:
        """Return the id of the stored conversation that these messages continue, or a new one."""
        history = spoken[:-1]
        key = tail_key(agent_id, history)
        known = self._tails.get(key) if key is not None else None
        with self._store.read() as repos:
            if known is not None and repos.conversations.get(agent_id, known) is not None:
                return known
            best, best_agreed = "", 0
            for number in range(1, SAME_OPENING_LIMIT + 1):
                candidate = derived_id(agent_id, spoken, number)
                thread = repos.conversations.get(agent_id, candidate)
                if thread is None:
                    return best or candidate
                stored = repos.turns.of_conversation(agent_id, candidate)
                if not history:
                    age = (self._clock.now() - thread.updated_at).total_seconds()
                    if len(stored) == 2 and age < ANOTHER_ANSWER_SECONDS:
                        return candidate
                    continue
                agreed = common_prefix(stored, history)
                # One that shares only its opening is a different chat that began with the same words.
                if agreed > max(1, best_agreed) or (agreed == 1 and len(history) == 1):
                    best, best_agreed = candidate, agreed
        return best or derived_id(agent_id, spoken) + "-" + new_id()[-12:]
