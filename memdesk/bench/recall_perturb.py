"""Conversations changed in what must not matter: who speaks, and how a question is typed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from memdesk.services.locomo import LocomoConversation, LocomoQuestion

#: Stand for the speakers, in order.
_NAMES = ("Philippa", "Casimir")
#: Letters of the shortest word in which two are swapped.
_LEAST = 5


def renamed(talk: LocomoConversation) -> LocomoConversation:
    """Return the conversation between two others, their names changed wherever they stand."""
    names = dict(zip((talk.speaker_a, talk.speaker_b), _NAMES, strict=True))
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")

    def change(text: str) -> str:
        return pattern.sub(lambda match: names[match[0]], text)

    sessions = tuple(
        replace(
            session,
            turns=tuple(
                replace(turn, speaker=names.get(turn.speaker, turn.speaker), text=change(turn.text))
                for turn in session.turns
            ),
        )
        for session in talk.sessions
    )
    questions = tuple(replace(one, question=change(one.question), answer=change(one.answer)) for one in talk.questions)
    return replace(talk, speaker_a=_NAMES[0], speaker_b=_NAMES[1], sessions=sessions, questions=questions)


def slipped(question: str) -> str:
    """Return a question with two letters swapped inside its longest word in small letters."""
    found = [word for word in re.findall(r"\b[a-z]+\b", question) if len(word) >= _LEAST]
    if not found:
        return question
    word = max(found, key=len)
    middle = len(word) // 2
    return question.replace(word, word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :], 1)


def _asked(change: Callable[[str], str]) -> Callable[[LocomoConversation], LocomoConversation]:
    def perturb(talk: LocomoConversation) -> LocomoConversation:
        def reword(one: LocomoQuestion) -> LocomoQuestion:
            return replace(one, question=change(one.question))

        return replace(talk, questions=tuple(map(reword, talk.questions)))

    return perturb


PERTURBATIONS: dict[str, Callable[[LocomoConversation], LocomoConversation]] = {
    "names": renamed,
    "bare": _asked(lambda question: question.lower().rstrip("?")),
    "opening": _asked(lambda question: f"Hey, can you tell me {question[:1].lower()}{question[1:]}"),
    "slips": _asked(slipped),
}
