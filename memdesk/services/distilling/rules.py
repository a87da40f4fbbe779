"""What the user never wants stored, learned from rejections in the review inbox."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from memdesk.domain.comparing.similarity import containment, word_set
from memdesk.domain.models import FactKind
from memdesk.messages import say
from memdesk.ports import Repositories

PREFIX: Final = "review_rule:"
#: Share of a rule's topic words that a candidate must contain.
TOPIC_MATCH: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Never store statements of ``kind`` about ``topic``; an empty topic means any of the kind.

    ``agent_id`` empty: for all agents.
    """

    id: str
    agent_id: str
    kind: FactKind
    topic: tuple[str, ...]
    #: its effect, worded for the user.
    text: str
    created_at: str

    def matches(self, kind: FactKind, content: str, agent_id: str) -> bool:
        if kind is not self.kind or (self.agent_id and agent_id and agent_id != self.agent_id):
            return False
        return not self.topic or containment(self.topic, word_set(content)) >= TOPIC_MATCH


def suppressed(rules: Sequence[Rule], kind: FactKind, content: str, agent_id: str = "") -> Rule | None:
    """Return the rule that keeps a candidate from being stored, if any."""
    return next((rule for rule in rules if rule.matches(kind, content, agent_id)), None)


def load_rules(repos: Repositories) -> list[Rule]:
    """Return all rules, oldest first."""
    rules = [_rule(value) for value in repos.meta.prefix(PREFIX).values()]
    return sorted(rules, key=lambda rule: (rule.created_at, rule.id))


def save_rule(repos: Repositories, rule: Rule) -> None:
    repos.meta.put(PREFIX + rule.id, {**asdict(rule), "kind": rule.kind.value, "topic": list(rule.topic)})


def rule_from(rule_id: str, agent_id: str, kind: FactKind, content: str, speaker: str, at: datetime) -> Rule:
    """Derive a rule from a rejected statement: its kind and topic words."""
    topic = tuple(sorted(word_set(content) - word_set(speaker) - {"user", "said"}))[:6]
    return Rule(
        id=rule_id,
        agent_id=agent_id,
        kind=kind,
        topic=topic,
        text=say("Never store anything like: {content}", content=content),
        created_at=at.isoformat(),
    )


def _rule(value: Any) -> Rule:
    return Rule(
        id=str(value["id"]),
        agent_id=str(value["agent_id"]),
        kind=FactKind(value["kind"]),
        topic=tuple(value["topic"]),
        text=str(value["text"]),
        created_at=str(value["created_at"]),
    )
