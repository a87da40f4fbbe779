"""Reads sentences of languages that nothing parses here, by closed classes: whose a statement is, and whether it asks, orders or supposes.

What is kept is kept in its own words. Its statement names whom it is of and which of the few attributes that a single word tells; nothing
is guessed, so that another language never makes a wrong fact.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Final

from memdesk.domain.items.statement import USER, Modality, Statement
from memdesk.domain.language.data import LanguageData, language_data
from memdesk.domain.models import FactKind
from memdesk.domain.reading.care import named_care
from memdesk.domain.reading.cutting import cut

#: Words at most before the verb of a statement that leaves its subject out: "Los martes siempre tengo coro".
_OPENING: Final = 4
#: Whose something is, as people who mix languages say it: "My Freundin wohnt in Gent".
_ENGLISH_OWNERS: Final = frozenset({"my", "our"})
_SPLIT: Final = re.compile(r"[\w\u00c0-\u024f]+(?:-[\w\u00c0-\u024f]+)*")


class PlainReader:
    """Reads sentences of one language.

    Args:
        code: one of :data:`memdesk.domain.language.data.LANGUAGES`, kept as an attribute.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self._data: LanguageData = language_data(code)

    def why_not(self, sentence: str) -> str:
        """Return why a sentence said to an assistant is not worth keeping; empty when it is."""
        said = self._opened(_tokens(sentence))
        if not said:
            return "small talk"
        if sentence.rstrip(" \"'\u201d\u00bb)").endswith("?") or said[0] in self._list("question"):
            return "question"
        if self.is_standing(sentence):
            return ""
        found = set(said)
        if set(_tokens(sentence)) & self._list("please") or self._orders(said):
            return "request"
        if self._list("subject_first") and not {said[0]} & (self._list("subjects") | self._list("owners")):
            return "of nobody"
        if self._list("subject_first") and found & self._list("conditional"):
            return "hypothetical"
        # "Imagine ..." supposes by itself, "if" with a verb that says so.
        if said[0] in self._list("hypothetical") and (
            said[0] not in self._list("if") or found & self._list("conditional")
        ):
            return "hypothetical"
        if said[0] in self._list("pointing"):
            return "remark on the answer"
        if self._reports(said):
            return "says what another said"
        said, _ = self._after_henceforth(said)
        return self._passing(said) if said and self._of_speaker(said) else "of nobody"

    def is_of_self(self, heading: str) -> bool:
        """Whether a heading says that what follows is of who wrote it: "Über mich", "sobre mí"."""
        said = _tokens(heading)
        return bool(said) and said[-1] in self._list("objects", "subjects") and not set(said) & self._list("answer")

    def parts(self, word: str, after: str) -> bool:
        """Whether a word may stand between two clauses: a comma, "and"; not before "dass", which belongs to the one before."""
        stops = word in {",", ";"} or word.lower() in self._data.words("cut", "also")
        return stops and after.lower() not in self._list("subordinators")

    def opens_question(self, text: str) -> bool:
        """Whether what follows a comma opens as a question does."""
        return bool((opening := _tokens(text)[:2]) and (opening[0] in self._list("question")))

    def states_before(self, stated: str, asked: str) -> bool:
        """Whether what stands before a comma is worth keeping, and a question what stands behind it.

        "Meine Tochter hat Zöliakie, was kann ich ihr backen?"; "Je suis intolérante au lactose, une recette de crêpes ?", since
        what concerns health is no list that is asked about.
        """
        words = _tokens(asked)
        opening = words[:2]
        asks = bool(opening) and (opening[0] in self._list("question") or bool(set(opening) & self._list("listener")))
        said = _tokens(stated)
        tag = len(words) < 3 or not self._list("deny").isdisjoint(words)  # "oder?", "n'est-ce pas ?"
        asks = asks or (bool(named_care(said, self.code)) and not tag)
        return asks and bool(said) and said[0] not in self._list("hypothetical") and not self.why_not(stated)

    def is_standing(self, sentence: str) -> bool:
        """Whether a sentence says how the assistant is to answer from now on."""
        words = _tokens(sentence)
        said, henceforth = self._after_henceforth(self._opened(words))
        said = [word for word in said if word not in self._list("please") | self._list("skip")] or said
        if not said or sentence.rstrip().endswith("?"):
            return False
        found = set(said)
        yours = bool(found & self._list("listener")) and bool(found & self._list("answers"))
        forever = henceforth or bool(found & self._list("always")) or yours
        forever = forever or any(_follows(phrase.split(), said) for phrase in self._list("with_me"))
        passed_over = self._list("objects") | self._list("deny") | self._list("always") | self._list("please")
        behind = words[len(words) - self._behind_henceforth(words) :]  # "... e d'ora in poi rispondimi in breve"
        ordered = [next((word for word in part if word not in passed_over), "") for part in (said, behind)]
        if not self._list("answer").isdisjoint(ordered):
            return forever or not self._list("address").isdisjoint(ordered)
        if found & self._list("wish") and found & self._list("listener"):  # "Ich m\u00f6chte, dass du mich duzt"
            return forever or bool(found & self._list("address"))
        # "Ab sofort keine Emojis mehr", and not "Ab sofort arbeite ich in K\u00f6ln".
        own = found & (self._list("subjects") | self._list("owners")) or self._verb_of_speaker(said)
        return henceforth and not own

    def _after_henceforth(self, said: list[str]) -> tuple[list[str], bool]:
        """Leave out what says that it is so from now on, and tell whether something does."""
        after = self._behind_henceforth(said)
        for phrase in (each.split() for each in self._list("henceforth") if after < len(said)):
            begin = len(said) - after - len(phrase)
            if begin >= 0 and said[begin : begin + len(phrase)] == phrase:
                return [*said[:begin], *said[len(said) - after :]], True
        return said, False

    def _behind_henceforth(self, said: list[str]) -> int:
        """Return how many words stand behind what says that it is so from now on; all where nothing does."""
        ends = [
            i + len(phrase)
            for phrase in (each.split() for each in self._list("henceforth"))
            for i in range(len(said) - len(phrase) + 1)
            if said[i : i + len(phrase)] == phrase
        ]
        return len(said) - max(ends, default=0)

    def invents(self, sentence: str) -> bool:
        """Whether a sentence asks for a story or a game."""
        return bool(set(_tokens(sentence)) & self._list("fiction"))

    def takes_part(self, sentence: str) -> bool:
        """Whether the speaker is in what is invented, so that what they say next may be their part: not in a poem for their grandpa."""
        said = _tokens(sentence)
        return not self._list("subjects", "play").isdisjoint(said) or any(word in self._list("verbs") for word in said)

    def is_over(self, sentence: str) -> bool:
        """Whether a sentence leaves a game, or speaks about what was written."""
        said = _tokens(sentence)
        leaves = bool(said) and (said[0] in self._list("thanks") or not self._list("leads").isdisjoint(said[:2]))
        return leaves or (bool(said) and sentence.rstrip().endswith("?"))

    def asks_to_remember(self, sentence: str) -> bool:
        """Whether a sentence asks to keep something in mind."""
        said = self._opened(_tokens(sentence))
        return bool(said) and said[0] in self._list("remember")

    def statement(self, sentence: str, day: date) -> tuple[Statement, FactKind]:
        """Return what a kept sentence says, as far as closed classes tell, and what it is about."""
        said = _tokens(sentence)
        found = set(said)
        standing = self.is_standing(sentence)
        care = "instruction" if standing else named_care(said, self.code)
        modality: Modality = "instruction" if standing else "plan" if found & self._list("plan") else "fact"
        made = Statement(
            subject="assistant" if standing else self._subject(said),
            predicate="say",
            object=sentence.strip(" .!"),
            attribute=care,
            ended=self._has_ended(said),
            modality=modality,
            speaker=USER,
            said_at=datetime.combine(day, time(12), UTC),
            quote=sentence,
            language=self.code,
        )
        told, kind = self._attributed(made, found), self._kind(made, found)
        return (cut(told) if self.code != "en" and not standing else told), kind

    # ------------------------------------------------------------------ parts

    def _orders(self, said: list[str]) -> bool:
        """Whether a verb comes first that is told to do something for the speaker: "Mach mir", "Explícame", "Donne-moi"."""
        bound = any(len(said[0]) > len(end) + 1 and said[0].endswith(end) for end in self._list("enclitics"))
        # Where verbs come second, a pronoun does so only behind an order.
        behind = self._list("subordinators") and said[0] not in self._list("subordinators") | self._list("hypothetical")
        return bound or bool(behind and len(said) > 1 and said[1] in self._list("objects"))

    def _list(self, *names: str) -> frozenset[str]:
        return self._data.words("plain", *names)

    def _opened(self, said: list[str]) -> list[str]:
        """Leave out what opens a sentence and says nothing."""
        start = 0
        while start < len(said) and said[start] in self._list("skip") | self._list("thanks"):
            start += 1
        # "No como carne" begins with the negation, which is also an interjection.
        if start and start < len(said) and said[start - 1] in self._list("deny"):
            start -= 1
        return said[start:]

    def _reports(self, said: list[str]) -> bool:
        place = next((i for i, word in enumerate(said) if word in self._list("say")), None)
        return place is not None and not set(said[:place]) & self._list("subjects")

    def _of_speaker(self, said: list[str]) -> bool:
        """Whether the speaker, or what is theirs, is the subject; or something in general does something to them."""
        if set(said) & self._list("subjects"):
            return True
        first = said[0]
        if first in self._list("pointing") or first in self._list("answer") or first in self._list("listener"):
            return False
        if set(said[:2]) & (self._list("owners") | _ENGLISH_OWNERS):
            return True
        if self._verb_of_speaker(said):
            return True
        if not self._list("owners").isdisjoint(said) and named_care(said, self.code):
            return True  # "Der Arzt hat mein Ramipril erhöht"
        inside = set(said[1:]) & self._list("objects") or first in self._list("objects")
        return bool(inside) and not set(said) & self._list("listener") and first not in self._list("remember")

    def _verb_of_speaker(self, said: list[str]) -> bool:
        verbs, endings = self._list("verbs"), tuple(self._list("verb_endings"))
        if not verbs:
            return False
        opening = [
            word
            for word in said[:_OPENING]
            if word not in self._list("objects") | self._list("deny") | self._list("always")
        ]
        if any(word in verbs for word in opening):
            return True
        if bool(opening) and len(opening[0]) > 2 and opening[0].endswith(endings):
            return True
        return bool(endings) and self._verb_after_opener(said)

    def _verb_after_opener(self, said: list[str]) -> bool:
        """Whether a form of the first person follows what says when or where: "Antes trabajaba", "Da marzo studio"."""
        openers, endings = self._list("openers"), tuple(self._list("later_endings"))
        start = next((i for i, word in enumerate(said[:2]) if word in openers), None)
        if start is None:
            return False
        after = range(start + 1, min(len(said), start + 1 + _OPENING))
        return any(
            len(said[i]) > 3
            and said[i].endswith(endings)
            and said[i] not in openers
            and said[i - 1] not in self._list("prepositions")
            for i in after
        )

    def _passing(self, said: list[str]) -> str:
        found = set(said)
        lasts = found & (self._list("home") | self._list("work"))  # "Ahora vivo en Lugo"
        if len(said) <= _OPENING and found & self._list("passing") and not lasts:
            return "passing state"
        if (found - self._list("owners")) & self._list("converse") and (
            len(said) <= _OPENING or found & (self._list("pointing") | self._list("listener"))
        ):
            return "small talk"
        own = found & self._list("owners")
        if said[-1] in self._list("pointing") and not own and len(said) <= _OPENING + 1:
            return "says too little"
        if found & self._list("nouns") and not own:
            return "task at hand"
        if said[0] in self._list("owners") and len(said) > 1 and said[1].rpartition("-")[2] in self._list("nouns"):
            return "task at hand"
        if found & self._list("listener") and not own:
            return "remark on the answer"
        return "" if len(said) > 1 else "says too little"

    def _subject(self, said: list[str]) -> str:
        people = self._list("people")
        if set(said) & self._list("subjects") or not set(said[:2]) & self._list("owners"):
            return USER
        noun = next((word for word in said[1:4] if word in people), "")
        return f"{USER}'s {noun or said[1] if len(said) > 1 else ''}".strip()

    def _has_ended(self, said: list[str]) -> bool:
        """Whether words of a phrase of ending stand in it in their order: "kein ... mehr"."""
        return any(_in_order(phrase.split(), said) for phrase in self._list("ended"))

    def _attributed(self, made: Statement, found: set[str]) -> Statement:
        if made.attribute or made.subject != USER:
            return made
        return replace(
            made, attribute="home" if found & self._list("home") else "occupation" if found & self._list("work") else ""
        )

    def _kind(self, made: Statement, found: set[str]) -> FactKind:
        if made.attribute == "instruction" or found & self._list("like"):
            return FactKind.PREFERENCE
        if made.ended:
            return FactKind.CORRECTION
        if made.attribute or (
            made.subject == USER and found & (self._list("home") | self._list("work") | self._list("who"))
        ):
            return FactKind.IDENTITY
        if made.modality == "plan":
            return FactKind.COMMITMENT
        return FactKind.RELATIONSHIP if found & self._list("people") else FactKind.OTHER


def _tokens(sentence: str) -> list[str]:
    """Return the words in lower case, elided ones apart: "J'ai" is "j" and "ai"."""
    low = sentence.lower().replace("\u2019", "'")
    return [part for word in low.split() for part in _parts(word)]


def _parts(word: str) -> list[str]:
    head, mark, rest = word.partition("'")
    if mark and len(head) <= 2 and rest:
        return [*_SPLIT.findall(head), *_SPLIT.findall(rest)]
    return _SPLIT.findall(word)


def _follows(phrase: list[str], said: list[str]) -> bool:
    return any(said[i : i + len(phrase)] == phrase for i in range(len(said) - len(phrase) + 1))


def _in_order(wanted: list[str], said: list[str]) -> bool:
    rest = iter(said)
    return all(word in rest for word in wanted)
