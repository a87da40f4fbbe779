"""A real encrypted store with the distillation service, a queued model and lanes that run when told to."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import contextmanager

from memdesk.domain.models import Conversation, Signal, SignalStatus, Turn, new_id
from memdesk.services.distilling.distillation import DistillationService
from memdesk.services.remembering.review import ReviewService
from tests.helpers.memory_rows import NOON, Desk
from tests.helpers.models import OneModelCatalogue, QueueModel

MODEL = "bundled:smollm2-135m"


class HeldLanes:
    """Lanes that keep what they are given until the test runs it."""

    def __init__(self) -> None:
        self.delayed: dict[str, tuple[float, Callable[[], object]]] = {}
        self.submitted: list = []

    def submit(self, lane, work):
        self.submitted.append((lane, work))
        return Future()

    def later(self, seconds, lane, work, *, key) -> None:
        self.delayed[key] = (seconds, work)

    def forget(self, key) -> None:
        self.delayed.pop(key, None)

    def close(self, timeout: float = 5.0) -> None:
        del timeout

    def run(self) -> None:
        """Run what was submitted."""
        while self.submitted:
            _, work = self.submitted.pop(0)
            work()

    def ring(self, key: str) -> None:
        """Let a delayed call's time come."""
        _, work = self.delayed.pop(key)
        work()


class DistillDesk(Desk):
    """A desk that distills."""

    def __init__(self, folder, *, agents=("ana",), analyzer=None, embedder=None) -> None:
        super().__init__(folder, agents=agents)
        self.model = QueueModel(MODEL, context=4096, default=choice())
        self.catalogue = OneModelCatalogue(self.model)
        self.lanes = HeldLanes()
        self.distillation = DistillationService(
            store=self.store,
            clock=self.clock,
            events=self.bus,
            settings=self.settings,
            lanes=self.lanes,
            catalogue=self.catalogue,
            analyzer=analyzer,
            embedder=embedder,
            indexing=self.indexing,
        )
        self.review = ReviewService(store=self.store, clock=self.clock, events=self.bus, indexing=self.indexing)

    def say(self, conversation_id: str, *texts: str, agent_id: str = "ana", speakers=("", ""), when=None) -> list[Turn]:
        """Record turns, user and assistant in alternation, with their signals."""
        now = self.clock.now()

        def work(repos):
            start = repos.turns.next_position(agent_id, conversation_id)
            turns = [
                Turn(
                    id=new_id(),
                    agent_id=agent_id,
                    conversation_id=conversation_id,
                    position=start + number,
                    role="assistant" if number % 2 else "user",
                    speaker=speakers[number % 2],
                    content=text,
                    said_at=when or now,
                    created_at=now,
                )
                for number, text in enumerate(texts)
            ]
            if repos.conversations.get(agent_id, conversation_id) is None:
                repos.conversations.put(
                    Conversation(agent_id=agent_id, id=conversation_id, created_at=NOON, updated_at=now)
                )
            kept = [turn for turn in turns if turn.content]
            repos.turns.add(kept)
            repos.signals.add(
                [
                    Signal(
                        id=new_id(),
                        turn_id=turn.id,
                        agent_id=agent_id,
                        conversation_id=conversation_id,
                        created_at=now,
                    )
                    for turn in kept
                ]
            )
            return kept

        return self.write(work)

    def distill(self, conversation_id: str = "c", agent_id: str = "ana", **more):
        """Distill one conversation and return its outcome."""
        return self.distillation.distill(agent_id, conversation_id, **more)[0]

    def told(self, conversation_id: str, *texts: str, **more):
        """Record and distill."""
        self.say(conversation_id, *texts, **more)
        return self.distill(conversation_id, more.get("agent_id", "ana"))

    def signals(self, status: SignalStatus):
        with self.store.read() as repos:
            return repos.signals.page(status=status, limit=500).items

    def episode_of(self, outcome):
        with self.store.read() as repos:
            return repos.items.episode(outcome.episode_id)

    def fact_texts(self, agent_id: str = "ana") -> list[str]:
        with self.store.read() as repos:
            return sorted(fact.content for fact in repos.items.active(agent_id))

    def every_fact(self, agent_id: str = "ana"):
        from memdesk.ports import FactFilter

        with self.store.read() as repos:
            page = repos.items.facts(FactFilter(agent_id=agent_id), limit=200)
            return repos.items.many([fact.id for fact in page.items])


def choice(**fields) -> str:
    """Return a weak model's answer."""
    return json.dumps({"summary": [1], "pinned": []} | fields)


def digest(**fields) -> str:
    """Return a strong model's answer."""
    episode = {"summary": "", "topics": [], "decisions": [], "action_items": [], "salience": 0.5}
    body = {
        "episode": episode | fields.pop("episode", {}),
        "entities": [],
        "statements": [],
    }
    return json.dumps(body | fields)


@contextmanager
def by_rules(folder, **more):
    """Lend a desk that distills by rules."""
    desk = DistillDesk(folder, **more)
    desk.settings.set_memory(extraction_mode="rules")
    try:
        yield desk
    finally:
        desk.distillation.close()
        desk.close()
