"""What a request to forget names, and what it reaches: rows that go, rows that change, texts, marks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Final, Literal, TypeVar

from memdesk.domain.forgetting.hiding import Hidden
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.text import sentences
from memdesk.domain.models import Conversation, Entity, Turn
from memdesk.errors import CancelledError
from memdesk.messages import say
from memdesk.ports import CancelToken
from memdesk.services.forgetting.instructions import Instruction

T = TypeVar("T")

#: Messages whose sentences may be looked for afterwards.
_SAMPLED: Final = 2000

TargetKind = Literal["fact", "facts", "episode", "identity", "conversation", "agent", "entity", "everything", "turn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetTarget:
    """What to forget.

    Attributes:
        ids: what to forget; empty for ``everything``.
        agent_id: whose; needed for conversations (their ids are unique within an agent only). Where it is given,
            rows of another agent are as unknown as those that do not exist.
        learned: with a conversation or turn, also what was learned solely from it.
        keep_former: with turns that something else takes the place of: former versions of the conversation stay.
        include_turns: with facts, identity lines or entities, also the messages that say it, wherever that was.
        include_prompts: also the sentences that say it in what the user wrote for models: instructions of agents and
            of chats, and saved prompts.
    """

    kind: TargetKind
    ids: tuple[str, ...] = ()
    agent_id: str | None = None
    learned: bool = True
    keep_former: bool = False
    include_turns: bool = False
    include_prompts: bool = False


@dataclass(frozen=True, slots=True)
class WholeAgent:
    """The memory of an agent: how many rows of each kind, and some of their texts."""

    counts: dict[str, int]
    sample: tuple[str, ...]


@dataclass(slots=True)
class Scope:
    """What goes (by id) and what changes (new states by id)."""

    now: datetime
    facts: dict[str, MemoryItem] = field(default_factory=dict)
    episodes: dict[str, MemoryItem] = field(default_factory=dict)
    identity: dict[str, MemoryItem] = field(default_factory=dict)
    turns: dict[str, Turn] = field(default_factory=dict)
    conversations: dict[tuple[str, str], Conversation] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    #: numbers of the conversations that go, with the position of the last turn of each, and of their receipts.
    threads: dict[int, int] = field(default_factory=dict)
    receipts: set[int] = field(default_factory=set)
    #: agents whose whole memory goes, with how much of each kind that is and a sample of its texts.
    agents: dict[str, WholeAgent] = field(default_factory=dict)
    everything: bool = False
    #: whether former versions and thinking stay whatever they say, except the thinking for turns that go.
    keep_former: bool = False
    changed_facts: dict[str, MemoryItem] = field(default_factory=dict)
    changed_episodes: dict[str, MemoryItem] = field(default_factory=dict)
    changed_identity: dict[str, MemoryItem] = field(default_factory=dict)
    #: texts that were cut out of rows which stay.
    cut: list[str] = field(default_factory=list)
    #: ``(agent_id, detail)`` that go out of episodes which stay.
    cut_details: list[tuple[str, MemoryItem]] = field(default_factory=list)
    #: ``(agent_id, turn_id, text)`` that must not be learned again from a turn that stays.
    marks: list[tuple[str, str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: facts and identity lines that stay because another conversation says them too.
    elsewhere: int = 0
    #: ids of the messages that say what is forgotten, whether they go or stay.
    said_in: set[str] = field(default_factory=set)
    #: whether a person or somebody's health is named in it.
    personal: bool = False
    #: texts of the user's own for models that say it, and whether it goes from them too.
    instructions: list[Instruction] = field(default_factory=list)
    cut_instructions: bool = False
    #: names that must not be read anywhere any more, of people and things that are forgotten.
    names: list[str] = field(default_factory=list)
    #: set when nobody waits for it any more.
    cancel: CancelToken | None = None

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """Yield items one by one. Raises ``CancelledError`` once nobody waits for the scope."""
        for item in items:
            if self.cancel is not None and self.cancel.is_set():
                raise CancelledError(say("The request was cancelled."))
            yield item

    def take(self, line: MemoryItem) -> None:
        """Add a line about the user to what goes: one that is a fact goes as a fact."""
        (self.facts if line.is_fact else self.identity)[line.id] = line

    def along(self, target: ForgetTarget) -> tuple[str, ...]:
        """Return the facts and lines that go without being named, as they were said in messages that go."""
        gone = self.facts | self.identity
        named = {gone[key].content for key in target.ids if key in gone}
        said = (line.content for line in gone.values() if line.sources and line.sources[0].turn_id in self.turns)
        return tuple(dict.fromkeys(content for content in said if content not in named))

    def change_episode(self, old: MemoryItem, new: MemoryItem) -> None:
        kept = {detail.id for detail in new.session.details}
        self.cut_details += [(old.agent_id, detail) for detail in old.session.details if detail.id not in kept]
        self.changed_episodes[old.id] = new

    def narrow(self, among: Hidden) -> None:
        """Leave out rows that are not hidden."""

        def held(table: str, seq: int) -> bool:
            return seq in among.rows.get(table, ())

        self.facts = {key: fact for key, fact in self.facts.items() if held("facts", fact.seq)}
        self.episodes = {key: episode for key, episode in self.episodes.items() if held("episodes", episode.seq)}
        self.turns = {key: turn for key, turn in self.turns.items() if held("turns", turn.seq)}
        self.receipts = {seq for seq in self.receipts if held("receipts", seq)}

    def agent_ids(self) -> set[str]:
        """Return the agents whose memory is touched."""
        found = {fact.agent_id for fact in (*self.facts.values(), *self.changed_facts.values())}
        found |= {episode.agent_id for episode in (*self.episodes.values(), *self.changed_episodes.values())}
        found |= {turn.agent_id for turn in self.turns.values()}
        found |= {entity.agent_id for entity in self.entities.values()}
        return found | {agent for agent, _ in self.conversations} | self.agents.keys()

    def statements(self) -> Iterator[str]:
        """Yield what goes of facts, identity and episodes, with the quotes of facts."""
        for fact in self.facts.values():
            yield fact.content
            yield from (source.quote for source in fact.sources)
        yield from (line.content for line in self.identity.values())
        for episode in self.episodes.values():
            told = episode.session
            yield from (detail.content for detail in told.details)
            yield from (episode.content, *told.decisions, *told.action_items)
        yield from self.cut
        yield from (detail.content for _, detail in self.cut_details)

    def refs(self) -> list[tuple[str, str]]:
        """Return ``(kind, id)`` of what goes, as history, receipts and runs name it."""
        details = [detail.id for episode in self.episodes.values() for detail in episode.session.details]
        details += [detail.id for _, detail in self.cut_details]
        by_kind: dict[str, Iterable[str]] = {
            "fact": self.facts,
            "episode": self.episodes,
            "identity": self.identity,
            "entity": self.entities,
            "turn": self.turns,
            "detail": details,
        }
        return [(kind, ref) for kind, refs in by_kind.items() for ref in refs]

    def texts(self) -> Iterator[str]:
        """Yield the texts that go, or many of them where they are very many; longest rows last."""
        for whole in self.agents.values():
            yield from whole.sample
        yield from self.statements()
        yield from (entity.name for entity in self.entities.values())
        yield from (thread.title for thread in self.conversations.values())
        for turn in islice(self.turns.values(), 0, None, 1 + len(self.turns) // _SAMPLED):
            yield from sentences(turn.content)

    def counts(self) -> dict[str, int]:
        """Return how many of each go or change; zeros left out."""
        found = {
            "facts": len(self.facts),
            "facts_changed": len(self.changed_facts.keys() - self.facts.keys()),
            "episodes": len(self.episodes),
            "episodes_changed": len(self.changed_episodes.keys() - self.episodes.keys()),
            "identity": len(self.identity),
            "turns": len(self.turns),
            "conversations": len(self.conversations),
            "entities": len(self.entities),
        }
        for whole in self.agents.values():
            for name, number in whole.counts.items():
                found[name] += number
        return {name: number for name, number in found.items() if number}
