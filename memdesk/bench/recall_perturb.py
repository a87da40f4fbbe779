"""Perturbs conversations in what must not matter: speakers, position of their names, typos in questions."""

import re
from collections.abc import Callable
from dataclasses import replace

from memdesk.bench.recall_talks import Said, Talk

#: Replacement names for the speakers, in order.
_NAMES = ("Philippa", "Casimir")
#: Minimum length of a word in which letters are swapped.
_LEAST = 5


def renamed(talk: Talk) -> Talk:
    """Return the conversation with the speakers' names replaced everywhere."""
    names = dict(zip(talk.speakers, _NAMES, strict=False))
    if not names:
        return talk
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")

    def change(text: str) -> str:
        return pattern.sub(lambda match: names[match[0]], text)

    other = _said(talk, lambda turn: replace(turn, speaker=change(turn.speaker), text=change(turn.text)))
    questions = tuple(replace(one, text=change(one.text), answer=change(one.answer)) for one in talk.questions)
    return replace(other, questions=questions)


def written(talk: Talk) -> Talk:
    """Return the conversation with each turn prefixed by the speaker's name, as in many exports."""
    return _said(
        talk, lambda turn: replace(turn, speaker="", text=f"{turn.speaker}: {turn.text}") if turn.speaker else turn
    )


def slipped(question: str) -> str:
    """Return a question with two letters swapped inside its longest lower-case word."""
    found = [word for word in re.findall(r"\b[a-z]+\b", question) if len(word) >= _LEAST]
    if not found:
        return question
    word = max(found, key=len)
    middle = len(word) // 2
    return question.replace(word, word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :], 1)


def _said(talk: Talk, change: Callable[[Said], Said]) -> Talk:
    sittings = (replace(one, turns=tuple(map(change, one.turns))) for one in talk.sittings)
    return replace(talk, sittings=tuple(sittings))


def _asked(change: Callable[[str], str]) -> Callable[[Talk], Talk]:
    def perturb(talk: Talk) -> Talk:
        return replace(talk, questions=tuple(replace(one, text=change(one.text)) for one in talk.questions))

    return perturb


PERTURBATIONS: dict[str, Callable[[Talk], Talk]] = {
    "names": renamed,
    "written": written,
    "bare": _asked(lambda question: question.lower().rstrip("?")),
    "opening": _asked(lambda question: f"Hey, can you tell me {question[:1].lower()}{question[1:]}"),
    "slips": _asked(slipped),
}
