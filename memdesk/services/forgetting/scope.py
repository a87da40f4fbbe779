"""A request to forget, and what it affects: deleted and changed rows, texts, marks."""

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

#: Maximum messages whose sentences may be searched for afterwards.
_SAMPLED: Final = 2000

TargetKind = Literal["fact", "facts", "episode", "identity", "conversation", "agent", "entity", "everything", "turn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetTarget:
    """What to forget.

    Attributes:
        ids: what to forget; empty for ``everything``.
        agent_id: the owner; required for conversations, whose ids are unique only within an agent. If given, rows of
            another agent are treated as nonexistent.
        learned: with a conversation or turn, also what was learned solely from it.
        keep_former: with turns that are replaced: former versions of the conversation stay.
        include_turns: with facts, identity lines or entities, also the messages that say it, anywhere.
        include_prompts: also sentences that say it in the user's texts for models: instructions of agents and
            of chats, and saved prompts.
        alone: of facts only those named: others of the very same words stay, and so does what else says them then.
        spare_entities: people and things named in nothing else stay, instead of going with the last mention of them.
    """

    kind: TargetKind
    ids: tuple[str, ...] = ()
    agent_id: str | None = None
    learned: bool = True
    keep_former: bool = False
    include_turns: bool = False
    include_prompts: bool = False
    alone: bool = False
    spare_entities: bool = False


@dataclass(frozen=True, slots=True)
class WholeAgent:
    """The memory of an agent: how many rows of each kind, and some of their texts."""

    counts: dict[str, int]
    sample: tuple[str, ...]


@dataclass(slots=True)
class Scope:
    """Deleted rows (by id) and changed ones (new states by id)."""

    now: datetime
    facts: dict[str, MemoryItem] = field(default_factory=dict)
    episodes: dict[str, MemoryItem] = field(default_factory=dict)
    identity: dict[str, MemoryItem] = field(default_factory=dict)
    turns: dict[str, Turn] = field(default_factory=dict)
    conversations: dict[tuple[str, str], Conversation] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    #: numbers of deleted conversations, with the position of each one's last turn, and of their receipts.
    threads: dict[int, int] = field(default_factory=dict)
    receipts: set[int] = field(default_factory=set)
    #: agents whose whole memory is deleted, with counts by kind and a sample of texts.
    agents: dict[str, WholeAgent] = field(default_factory=dict)
    everything: bool = False
    #: whether former versions and thinking stay regardless, except the thinking of deleted turns.
    keep_former: bool = False
    changed_facts: dict[str, MemoryItem] = field(default_factory=dict)
    changed_episodes: dict[str, MemoryItem] = field(default_factory=dict)
    changed_identity: dict[str, MemoryItem] = field(default_factory=dict)
    #: texts removed from remaining rows.
    cut: list[str] = field(default_factory=list)
    #: ``(agent_id, detail)`` removed from remaining episodes.
    cut_details: list[tuple[str, MemoryItem]] = field(default_factory=list)
    #: ``(agent_id, turn_id, text)`` that must not be learned again from a remaining turn.
    marks: list[tuple[str, str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: facts and identity lines that stay because another conversation also says them.
    elsewhere: int = 0
    #: ids of the messages that say what is forgotten, deleted or not.
    said_in: set[str] = field(default_factory=set)
    #: whether it names a person or somebody's health.
    personal: bool = False
    #: the user's own texts for models that say it, and whether to remove it from them.
    instructions: list[Instruction] = field(default_factory=list)
    cut_instructions: bool = False
    #: names of forgotten people and things, which must not remain anywhere.
    names: list[str] = field(default_factory=list)
    #: set if nobody waits for it any more.
    cancel: CancelToken | None = None

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """Yield items one by one. Raises ``CancelledError`` once nobody waits for the scope."""
        for item in items:
            if self.cancel is not None and self.cancel.is_set():
                raise CancelledError(say("The request was cancelled."))
            yield item

    def take(self, line: MemoryItem) -> None:
        """Add a line about the user to the deletions; a fact is deleted as a fact."""
        (self.facts if line.is_fact else self.identity)[line.id] = line

    def along(self, target: ForgetTarget) -> tuple[str, ...]:
        """Return unnamed facts and lines deleted because their messages are."""
        gone = self.facts | self.identity
        named = {gone[key].content for key in target.ids if key in gone}
        said = (line.content for line in gone.values() if line.sources and line.sources[0].turn_id in self.turns)
        return tuple(dict.fromkeys(content for content in said if content not in named))

    def change_episode(self, old: MemoryItem, new: MemoryItem) -> None:
        kept = {detail.id for detail in new.session.details}
        self.cut_details += [(old.agent_id, detail) for detail in old.session.details if detail.id not in kept]
        self.changed_episodes[old.id] = new

    def narrow(self, among: Hidden) -> None:
        """Exclude rows that are not hidden."""

        def held(table: str, seq: int) -> bool:
            return seq in among.rows.get(table, ())

        self.facts = {key: fact for key, fact in self.facts.items() if held("facts", fact.seq)}
        self.episodes = {key: episode for key, episode in self.episodes.items() if held("episodes", episode.seq)}
        self.turns = {key: turn for key, turn in self.turns.items() if held("turns", turn.seq)}
        self.receipts = {seq for seq in self.receipts if held("receipts", seq)}

    def agent_ids(self) -> set[str]:
        """Return the agents whose memory is affected."""
        found = {fact.agent_id for fact in (*self.facts.values(), *self.changed_facts.values())}
        found |= {episode.agent_id for episode in (*self.episodes.values(), *self.changed_episodes.values())}
        found |= {turn.agent_id for turn in self.turns.values()}
        found |= {entity.agent_id for entity in self.entities.values()}
        return found | {agent for agent, _ in self.conversations} | self.agents.keys()

    def statements(self) -> Iterator[str]:
        """Yield deleted texts of facts, identity and episodes, with the quotes of facts."""
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
        """Return ``(kind, id)`` of deleted rows, as used in history, receipts and runs."""
        details = [detail.id for episode in self.episodes.values() for detail in episode.session.details]
        details += [detail.id for _, detail in self.cut_details]
        lines = [*self.facts, *self.identity]  # one item, shown as the one or the other
        by_kind: dict[str, Iterable[str]] = {
            "fact": lines,
            "episode": self.episodes,
            "identity": lines,
            "entity": self.entities,
            "turn": self.turns,
            "detail": details,
        }
        return [(kind, ref) for kind, refs in by_kind.items() for ref in refs]

    def texts(self) -> Iterator[str]:
        """Yield the deleted texts, or a large sample; longest rows last."""
        for whole in self.agents.values():
            yield from whole.sample
        yield from self.statements()
        yield from (entity.name for entity in self.entities.values())
        yield from (thread.title for thread in self.conversations.values())
        for turn in islice(self.turns.values(), 0, None, 1 + len(self.turns) // _SAMPLED):
            yield from sentences(turn.content)

    def counts(self) -> dict[str, int]:
        """Return how many of each are deleted or changed, without zeros."""
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
