"""Reading and deciding with a language model, in plain text; its answers are parsed leniently."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from memdesk.domain.decoding import decode
from memdesk.domain.items.item import MemoryItem
from memdesk.ports.library import Decision, Message, TextModel, Told
from memdesk.services.library.errors import LLMError

FACTS: Final = """You keep a person's long-term memory. Read the messages and list what the user says of themselves,
their people, things, preferences and plans, if it stays true beyond this conversation. One short sentence each, in the third
person, complete by itself, in the user's language. Invent nothing; leave out greetings, questions and tasks.
Today is {today}.
Answer with JSON only: {{"facts": ["...", "..."]}}. If there is nothing: {{"facts": []}}."""
UPDATE: Final = """You keep a person's long-term memory. You are given numbered memories and one new fact. Decide what the new
fact does: ADD it beside them; UPDATE one of them to a text that says what is true now (keep what both say); DELETE one that it
ends; NONE if it is known already.
Answer with JSON only: {"memory": [{"id": "0", "event": "UPDATE", "text": "..."}]}; for ADD leave the id out."""
#: Memories shown to a model.
SHOWN: Final = 5
_FENCED: Final = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)


def read_json(answer: str) -> Any:
    """Return the JSON in a model's answer: as it is, between fences, or from the first bracket to the last; else None."""
    fenced = _FENCED.search(answer)
    spans = [answer.strip(), fenced[1].strip() if fenced else ""]
    for opening, closing in ("{}", "[]"):
        begin, end = answer.find(opening), answer.rfind(closing)
        spans.append(answer[begin : end + 1] if 0 <= begin < end else "")
    for span in spans:
        if not span:
            continue
        try:
            return decode(span)
        except ValueError:
            continue
    return None


class ModelExtractor:
    """``ports.library.Extractor`` over a language model.

    Args:
        prompt: replaces our prompt.
    """

    def __init__(self, model: TextModel, prompt: str = "") -> None:
        self._model = model
        self._prompt = prompt

    def read(self, messages: Sequence[Message], *, said_at: datetime, prompt: str = "") -> list[Told]:
        own = prompt or self._prompt
        system = own or FACTS.format(today=said_at.date().isoformat())
        spoken = "\n".join(f"{message.role}: {message.content}" for message in messages if message.role != "system")
        return [Told(text=text) for text in facts_in(self._model.complete(system, spoken))]


def facts_in(answer: str) -> list[str]:
    """Return the facts of an answer: a list, or an object that holds one.

    Raises:
        LLMError: it is neither, or nothing in the list is a text.
    """
    found = read_json(answer)
    if isinstance(found, dict):
        found = found.get("facts", next((value for value in found.values() if isinstance(value, list)), None))
    rows = found if isinstance(found, list) else [None]
    texts = [one.get("text") or one.get("fact") if isinstance(one, dict) else one for one in rows]
    facts = list(dict.fromkeys(text.strip() for text in texts if isinstance(text, str) and text.strip()))
    if rows and not facts:
        raise LLMError("The model's answer cannot be read.")
    return facts


class ModelDecider:
    """Decides by a language model.

    Args:
        prompt: replaces our prompt.
    """

    def __init__(self, model: TextModel, prompt: str = "") -> None:
        self._model = model
        self._prompt = prompt or UPDATE

    def __call__(self, told: Told, known: Sequence[MemoryItem]) -> list[Decision]:
        """Return what the model would do; an answer that cannot be read adds the fact, which loses nothing.

        Raises:
            EngineError: the model failed.
        """
        known = known[:SHOWN]
        if not known:
            return [Decision("ADD", told.text)]
        # Numbers in place of ids: small models copy them without mistakes.
        listed = "\n".join(f"{number}. {item.content}" for number, item in enumerate(known))
        answer = self._model.complete(self._prompt, f"Memories:\n{listed}\n\nNew fact: {told.text}")
        return decisions_in(answer, told, known) or [Decision("ADD", told.text)]


def decisions_in(answer: str, told: Told, known: Sequence[MemoryItem]) -> list[Decision]:
    """Return the decisions of an answer; those that name no memory of the list, or a second one for it, are dropped."""
    found = read_json(answer)
    rows = found.get("memory", []) if isinstance(found, dict) else found
    decisions: list[Decision] = []
    used: set[str] = set()
    for row in rows if isinstance(rows, list) else []:
        decision = _decision(row, told, known) if isinstance(row, dict) else None
        if decision is None or (decision.target is not None and decision.target.id in used):
            continue
        if decision.target is not None:
            used.add(decision.target.id)
        decisions.append(decision)
    return decisions


def _decision(row: dict[str, Any], told: Told, known: Sequence[MemoryItem]) -> Decision | None:
    event, number = str(row.get("event", "")).upper(), str(row.get("id", ""))
    text = row.get("text") if isinstance(row.get("text"), str) and row["text"].strip() else told.text
    if event == "ADD":
        return Decision("ADD", str(text).strip())
    target = known[int(number)] if number.isdecimal() and int(number) < len(known) else None
    if target is None or event not in {"UPDATE", "DELETE", "NONE"}:
        return None
    if event == "UPDATE":
        return Decision("UPDATE", str(text).strip(), target, "decided by the model")
    return Decision("DELETE" if event == "DELETE" else "NONE", target.content, target, "decided by the model")
