"""What a model is asked about a session, and its answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memdesk.domain.reading.judging import ACTIONS, Judgment, read_judgments

#: Most statements of a window.
MAX_STATEMENTS = 12
#: Most lines that a model which only chooses may pick for pinning; each costs it tokens.
MAX_PICKED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedCandidate:
    """A statement found by the model, with the numbers of its turns."""

    content: str
    turns: tuple[int, ...] = ()
    salience: float = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """A model's digest of a session, or of a window of it."""

    summary: str = ""
    topics: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    action_items: tuple[str, ...] = ()
    salience: float = 0.5
    entities: tuple[tuple[str, str], ...] = ()
    statements: tuple[StatedCandidate, ...] = ()
    judgments: tuple[Judgment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The choice of a model that only chooses: indexes of candidates."""

    summary: tuple[int, ...] = ()
    pinned: tuple[int, ...] = ()


def _texts(limit: int, length: int) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string", "maxLength": length}, "maxItems": limit}


def free_schema(pairs: int = 0) -> dict[str, Any]:
    """Return the JSON schema of a digest that the model writes itself, including decisions on ``pairs`` pairs."""
    salience = {"type": "number", "minimum": 0, "maximum": 1}
    judgments = {"judgments": _judgments(pairs)} if pairs else {}
    return _object(
        judgments
        | {
            "episode": _object(
                {
                    "summary": {"type": "string", "maxLength": 500},
                    "topics": _texts(6, 40),
                    "decisions": _texts(5, 160),
                    "action_items": _texts(5, 160),
                    "salience": salience,
                }
            ),
            "entities": {
                "type": "array",
                "maxItems": 12,
                "items": _object(
                    {
                        "name": {"type": "string", "maxLength": 60},
                        "type": {"enum": ["person", "place", "organisation", "project", "tool", "other"]},
                    }
                ),
            },
            "statements": {
                "type": "array",
                "maxItems": MAX_STATEMENTS,
                "items": _object(
                    {
                        "content": {"type": "string", "maxLength": 200},
                        "turns": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3},
                        "salience": salience,
                    }
                ),
            },
        }
    )


def _judgments(pairs: int) -> dict[str, Any]:
    return {
        "type": "array",
        "minItems": pairs,
        "maxItems": pairs,
        "items": _object(
            {
                "pair": {"enum": list(range(1, pairs + 1))},
                "decision": {"enum": list(ACTIONS)},
                "reason": {"type": "string", "maxLength": 120},
            }
        ),
    }


def choice_schema(lines: int, durable: Sequence[int]) -> dict[str, Any]:
    """Return the schema of a choice, whose values are candidate numbers.

    Args:
        lines: candidates are numbered from 1 to this.
        durable: numbers of those that may be pinned.
    """
    properties: dict[str, Any] = {
        "summary": {"type": "array", "items": {"enum": list(range(1, lines + 1))}, "minItems": 1, "maxItems": 2}
    }
    if durable:
        properties["pinned"] = {
            "type": "array",
            "items": {"enum": list(durable)},
            "minItems": 0,
            "maxItems": MAX_PICKED,
        }
    return _object(properties)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def read_choice(data: Mapping[str, Any], lines: int) -> Choice:
    """Parse a choice; numbers out of range and repeats are dropped."""
    return Choice(summary=_numbers(data.get("summary"), lines), pinned=_numbers(data.get("pinned"), lines)[:MAX_PICKED])


def read_digest(data: Mapping[str, Any], pairs: int = 0) -> Digest:
    """Parse a digest leniently: wrong types count as absent, numbers may be texts; ``pairs`` were asked about."""
    episode = data.get("episode")
    body: Mapping[str, Any] = episode if isinstance(episode, Mapping) else {}
    return Digest(
        summary=_string(body.get("summary")),
        topics=_strings(body.get("topics"))[:6],
        decisions=_strings(body.get("decisions"))[:5],
        action_items=_strings(body.get("action_items"))[:5],
        salience=_share(body.get("salience"), 0.5),
        entities=tuple(
            (_string(item.get("name")), _string(item.get("type")) or "other")
            for item in _list(data.get("entities"))
            if isinstance(item, Mapping) and _string(item.get("name"))
        ),
        statements=tuple(
            StatedCandidate(
                content=_string(item.get("content")),
                turns=tuple(n for n in _list(item.get("turns")) if isinstance(n, int) and not isinstance(n, bool)),
                salience=_share(item.get("salience"), 0.6),
            )
            for item in _list(data.get("statements"))
            if isinstance(item, Mapping) and len(_string(item.get("content"))) > 5
        )[:MAX_STATEMENTS],
        judgments=read_judgments(data.get("judgments"), pairs),
    )


def merged(digests: Sequence[Digest]) -> Digest:
    """Join the digests of a session's windows: texts in order without repeats, the highest salience."""
    if len(digests) == 1:
        return digests[0]
    stated = {one.content: one for digest in digests for one in digest.statements}
    return Digest(
        summary=" ".join(dict.fromkeys(d.summary for d in digests if d.summary)),
        topics=tuple(dict.fromkeys(t for d in digests for t in d.topics))[:6],
        decisions=tuple(dict.fromkeys(t for d in digests for t in d.decisions))[:5],
        action_items=tuple(dict.fromkeys(t for d in digests for t in d.action_items))[:5],
        salience=max((d.salience for d in digests), default=0.5),
        entities=tuple(dict.fromkeys(e for d in digests for e in d.entities)),
        statements=tuple(stated.values()),
        judgments=tuple(j for d in digests for j in d.judgments),
    )


def _numbers(value: Any, lines: int) -> tuple[int, ...]:
    found = (
        item for item in _list(value) if isinstance(item, int) and not isinstance(item, bool) and 1 <= item <= lines
    )
    return tuple(dict.fromkeys(item - 1 for item in found))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _string(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _strings(value: Any) -> tuple[str, ...]:
    items = value.split(",") if isinstance(value, str) else _list(value)
    return tuple(dict.fromkeys(text for item in items if (text := _string(item))))


def _share(value: Any, default: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return default
    return min(1.0, max(0.0, number)) if number == number else default  # noqa: PLR0124  # NaN differs from itself


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelGrade:
    """How far a model can be trusted.

    Attributes:
        grade: ``writes``: digests in its own words, every line checked; ``chooses``: picks among the extractor's lines.
        score: share of the self-test's points.
        message: what that means for the user, and what a bigger model would add.
    """

    model_id: str
    grade: str
    score: float
    message: str
    problems: tuple[str, ...] = field(default=())
    seconds: float = 0.0
    tested_at: str = ""
