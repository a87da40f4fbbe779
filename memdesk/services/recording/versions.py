"""Storage of former versions and thinking in the encrypted database, beside drafts; forgetting covers it.

Everything here runs in a transaction of its caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from memdesk.domain.chatting.files import WHOLE, shortened
from memdesk.domain.chatting.images import Image
from memdesk.domain.chatting.versions import FORMER, THOUGHTS, Former, FormerTurn, Thought
from memdesk.domain.models import Receipt, Turn, new_id
from memdesk.ports import Repositories
from memdesk.services.recording.turns import NewTurn

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@cache
def _shape() -> TypeAdapter[Former]:
    from pydantic import TypeAdapter

    return TypeAdapter(Former)


def former(repos: Repositories, agent_id: str, conversation_id: str) -> dict[str, Former]:
    found = repos.meta.prefix(_place(FORMER, agent_id, conversation_id))
    return {key: _shape().validate_python(value) for key, value in found.items()}


def thoughts(repos: Repositories, agent_id: str, conversation_id: str) -> dict[str, Thought]:
    """Return the thinking before the turns of a conversation, by turn."""
    place = _place(THOUGHTS, agent_id, conversation_id)
    return {key.removeprefix(place): Thought(**value) for key, value in repos.meta.prefix(place).items()}


def gather(repos: Repositories, turns: Sequence[Turn]) -> Former:
    """Return the end of a conversation as a version of it; ``turns`` are its last ones, at least one."""
    agent_id, conversation_id = turns[0].agent_id, turns[0].conversation_id
    before = [
        turn for turn in repos.turns.of_conversation(agent_id, conversation_id) if turn.position < turns[0].position
    ]
    thought = thoughts(repos, agent_id, conversation_id)
    learning = repos.signals.of_turns([turn.id for turn in turns])
    return Former(
        after=before[-1].id if before else "",
        turns=tuple(
            FormerTurn(turn, repos.receipts.get(turn.receipt_id) if turn.receipt_id else None, thought.get(turn.id))
            for turn in turns
        ),
        learns=learning == {turn.id for turn in turns},
    )


def keep(repos: Repositories, version: Former) -> None:
    turn = version.turns[0].turn
    repos.meta.put(_place(FORMER, turn.agent_id, turn.conversation_id) + new_id(), _json(version))


def taken_up(repos: Repositories, key: str, version: Former, turns: Sequence[Turn]) -> None:
    """Mark a version as shown: free its key, and attach later versions to the restored messages."""
    repos.meta.put(key, None)
    now = {old.turn.id: new.id for old, new in zip(version.turns, turns, strict=True)}
    follow(repos, turns[0].agent_id, turns[0].conversation_id, now)


def follow(repos: Repositories, agent_id: str, conversation_id: str, now: Mapping[str, str]) -> None:
    """Attach versions to other turns, by the ids of their old ones."""
    for key, each in former(repos, agent_id, conversation_id).items():
        if each.after in now:
            repos.meta.put(key, _json(replace(each, after=now[each.after])))


def as_new(repos: Repositories, version: Former) -> list[NewTurn]:
    """Return the messages of a version, to be recorded again."""
    shown = pictures(repos, [each.turn for each in version.turns])
    return [copied(each.turn, shown, thought=each.thought, receipt=each.receipt) for each in version.turns]


def pictures(repos: Repositories, turns: Iterable[Turn]) -> dict[str, Image]:
    return repos.images.many({image for turn in turns for image in turn.images})


def copied(
    turn: Turn, shown: Mapping[str, Image], *, thought: Thought | None = None, receipt: Receipt | None = None
) -> NewTurn:
    """Return a message to be recorded again, with its receipt or, if none is given, sharing the existing one."""
    return NewTurn(
        role=turn.role,
        content=turn.content,
        speaker=turn.speaker,
        said_at=turn.said_at,
        model=turn.model,
        usage=dict(turn.usage),
        receipt=receipt,
        receipt_id=turn.receipt_id,
        thought=thought,
        images=tuple(shown[image] for image in turn.images if image in shown),
        program=turn.program,
    )


def whole_files(repos: Repositories, turns: Sequence[Turn]) -> dict[str, str]:
    """Return the whole text of files of which passages were sent in a conversation, by name."""
    names = shortened(turn.content for turn in turns if turn.role == "user")
    place = _place(WHOLE, turns[0].agent_id, turns[0].conversation_id) if turns else ""
    return {name: text for name in sorted(names) if (text := repos.meta.get(place + name)) is not None}


def keep_files(repos: Repositories, turn: Turn, files: Mapping[str, str]) -> None:
    names = shortened([turn.content]) if files else set()
    for name, text in files.items():
        if (called := " ".join(name.split())) in names:
            repos.meta.put(_place(WHOLE, turn.agent_id, turn.conversation_id) + called, text)


def keep_thought(repos: Repositories, turn: Turn, thought: Thought | None) -> None:
    if thought is not None and thought.text.strip():
        key = _place(THOUGHTS, turn.agent_id, turn.conversation_id) + turn.id
        repos.meta.put(key, {"text": thought.text, "seconds": thought.seconds})


def _place(prefix: str, agent_id: str, conversation_id: str) -> str:
    return f"{prefix}{agent_id}\x1f{conversation_id}\x1f"


def _json(version: Former) -> Any:
    return _shape().dump_python(version, mode="json")
