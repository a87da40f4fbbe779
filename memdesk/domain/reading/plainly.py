"""Reads sentences of languages that nothing parses here, by closed classes: whose a statement is, and whether it asks, orders or supposes.

What is kept is kept in its own words. Its statement names whom it is of and which of the few attributes that a single word tells; nothing
is guessed, so that another language never makes a wrong fact.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from itertools import pairwise
from typing import Final

from memdesk.domain.items.statement import USER, Modality, Statement, noon
from memdesk.domain.language.data import parting, stop_words
from memdesk.domain.language.text import unaccented
from memdesk.domain.models import FactKind
from memdesk.domain.reading.care import named_care
from memdesk.domain.reading.cutting import cut, is_verb, turned
from memdesk.domain.reading.plainwords import WORD, PlainWords, tokens

#: Words at most before the verb of a statement that leaves its subject out: "Los martes siempre tengo coro".
_OPENING: Final = 4
#: Shortest form of a verb that tells its language by itself: "ai", "so" and "do" are of several.
_TELLING: Final = 3
#: Whose something is, as people who mix languages say it: "My Freundin wohnt in Gent".
_ENGLISH_OWNERS: Final = frozenset({"my", "our"})


class PlainReader(PlainWords):
    """Reads sentences of one language."""

    def why_not(self, sentence: str) -> str:
        """Return why a sentence said to an assistant is not worth keeping; empty when it is."""
        said = self._opened(self._words(sentence))
        if not said:
            return "small talk"
        if self.is_standing(sentence):
            return ""
        if sentence.rstrip(" \"'\u201d\u00bb)").endswith("?"):
            return "question"
        if self._asks(said):  # "kannst du das kürzen, ich bin Lehrerin"
            return (
                "request"
                if any(said[: len(able)] == able for able in map(str.split, self._list("able")))
                else "question"
            )
        found = set(said)
        if set(self._words(sentence)) & self._list("please") or self._orders(said):
            return "request"
        if self.code != "en" and turned(WORD.findall(sentence), self.code):  # "Becker ist mein Zahnarzt"
            return ""
        if self._list("subject_first") and not {said[0]} & (self._list("subjects") | self._list("owners")):
            return "of nobody"
        if self._list("subject_first") and found & self._list("conditional"):
            return "hypothetical"
        # "Imagine ..." supposes by itself, "if" with a verb that says so.
        if said[0] in self._list("hypothetical") and (
            said[0] not in self._list("if") or found & self._list("conditional")
        ):
            return "hypothetical"
        # Not "Da fahren wir zu meinen Eltern".
        own = not self._list("owners").isdisjoint(said) and not self._list("subjects").isdisjoint(said[1:3])
        if said[0] in self._list("pointing") and not own:
            return "remark on the answer"
        if self._reports(said):
            return "says what another said"
        if any(self._waits(self._words(part)) for part in re.split(parting(self.code), sentence)):
            return "passing state"
        henceforth = self._henceforth(said)
        said = said[: henceforth.start] + said[henceforth.stop :]
        return self._passing(said) if said and self._of_speaker(said) else "of nobody"

    def is_of_self(self, heading: str) -> bool:
        """Whether a heading says that what follows is of who wrote it: "Über mich", "sobre mí"."""
        said = self._words(heading)
        return bool(said) and said[-1] in self._list("objects", "subjects") and not set(said) & self._list("answer")

    def parts(self, word: str, after: str) -> bool:
        """Whether a word may stand between two clauses: a comma, "and"; not before "dass", which belongs to the one before."""
        stops = word in {",", ";"} or word.lower() in self._data.words("cut", "also")
        return stops and after.lower() not in self._list("subordinators")

    def opens_question(self, text: str) -> bool:
        """Whether what follows a comma opens as a question does."""
        return bool(opening := self._words(text)) and self._asks(opening)

    def states_before(self, stated: str, asked: str) -> bool:
        """Whether what precedes a comma is worth keeping, and what follows it is a question.

        "Meine Tochter hat Zöliakie, was kann ich ihr backen?"; "Je suis intolérante au lactose, une recette de crêpes ?", since
        statements about health are not a list being asked about.
        """
        words = self._words(asked)
        opening = words[:2]
        # Where verbs come second, one that comes first asks: "Wir fahren Diesel, lohnt sich ein E-Auto?"
        verb_first = bool(self._list("subordinators") and opening) and is_verb(opening[0], self.code)
        asks = bool(opening) and (verb_first or self._asks(opening) or not self._list("listener").isdisjoint(opening))
        said = self._words(stated)
        tag = len(words) < 3 or not self._list("deny").isdisjoint(words)  # "oder?", "n'est-ce pas ?"
        asks = asks or (bool(named_care(said, self.code)) and not tag) or not self._list("nouns").isdisjoint(words)
        return asks and bool(said) and said[0] not in self._list("hypothetical") and not self.why_not(stated)

    def is_standing(self, sentence: str) -> bool:
        """Whether a sentence says how the assistant is to answer from now on."""
        words = self._words(sentence)
        said = self._opened(words)
        henceforth = self._henceforth(said)
        said = said[: henceforth.start] + said[henceforth.stop :]
        said = [word for word in said if word not in self._list("please") | self._list("skip")] or said
        if said and said[0] in self._list("question") and not self._list("listener").isdisjoint(said[1:2]):
            return self._phrased("address", said)  # "Kannst du mich duzen?"
        if not said or sentence.rstrip().endswith("?"):
            return False
        found = set(said)
        yours = bool(found & self._list("listener")) and bool(found & self._list("answers"))
        forever = bool(henceforth) or bool(found & self._list("always")) or yours or self._phrased("with_me", said)
        address = self._phrased("address", said)
        passed_over = self._list("objects") | self._list("deny") | self._list("always") | self._list("please")
        behind = words[self._henceforth(words).stop :]  # "... e d'ora in poi rispondimi in breve"
        answers = _unaccented(self._list("answer"))
        ordered = [next((word for word in part if word not in passed_over), "") for part in (said, behind)]
        if any(word in self._list("answer") or self._without_whom(word) in answers for word in ordered):
            return forever or address
        if said[0] in self._list("cease") and len(said) > _OPENING - 1:  # "Arr\u00eate de mettre des emojis"
            return True
        if found & self._list("wish", "like") and found & self._list(
            "listener"
        ):  # "Ich m\u00f6chte, dass du mich duzt"
            return forever or address
        # "Ab sofort keine Emojis mehr", "Bitte nie Emojis", and not "Ab sofort arbeite ich in K\u00f6ln".
        asked = not self._list("please", "wish").isdisjoint(words) and (
            found & self._list("always") or self._has_ended(words)
        )
        own = found & (self._list("subjects") | self._list("owners")) or self._verb_of_speaker(said)
        return bool(henceforth or asked) and not own

    def _henceforth(self, said: list[str]) -> range:
        """Return where words last say that it is so from now on; empty, at the beginning, where none do."""
        found = (
            range(i, i + len(phrase))
            for phrase in (each.split() for each in self._list("henceforth"))
            for i in range(len(said) - len(phrase) + 1)
            if said[i : i + len(phrase)] == phrase
        )
        return max(found, key=lambda place: (place.stop, len(place)), default=range(0))

    def invents(self, sentence: str) -> bool:
        """Whether a sentence asks for a story or a game."""
        return bool(set(self._words(sentence)) & self._list("fiction"))

    def takes_part(self, sentence: str) -> bool:
        """Whether the speaker is in what is invented, so that what they say next may be their part: not in a poem for their grandpa."""
        said = self._words(sentence)
        return not self._list("subjects", "play").isdisjoint(said) or any(word in self._list("verbs") for word in said)

    def is_over(self, sentence: str) -> bool:
        """Whether a sentence leaves a game, or speaks about what was written."""
        said = self._words(sentence)
        leaves = bool(said) and (said[0] in self._list("thanks") or not self._list("leads").isdisjoint(said[:2]))
        return leaves or (bool(said) and sentence.rstrip().endswith("?"))

    def asks_to_remember(self, sentence: str) -> bool:
        """Whether a sentence asks to keep something in mind."""
        said = self._opened(self._words(sentence))
        return bool(said) and said[0] in self._list("remember")

    def statement(self, sentence: str, day: date, of: str = "") -> tuple[Statement, FactKind]:
        """Return what a kept sentence says, as far as closed classes tell, and what it is about.

        Args:
            sentence: as it was said.
            day: on which.
            of: whom it names as its subject, where that is not the speaker.
        """
        said = self._words(sentence)
        found = set(said)
        standing = self.is_standing(sentence)
        care = "instruction" if standing else named_care(said, self.code)
        modality: Modality = "instruction" if standing else "plan" if found & self._list("plan") else "fact"
        made = Statement(
            subject="assistant" if standing else of or self._subject(said),
            predicate="say",
            object=sentence.strip(" .!"),
            attribute=care,
            ended=self._has_ended(said),
            modality=modality,
            speaker=USER,
            said_at=noon(day),
            quote=self._written(self.behind_greeting(sentence)),
            language=self.code,
        )
        told, kind = self._attributed(made, found), self._kind(made, found)
        return replace(cut(told) if self.code != "en" and not standing else told, quote=sentence), kind

    def introduced(self, sentence: str) -> frozenset[str]:
        """Return the names of people of the speaker's that a sentence tells, in lower case: "mi nieta Carla", "m'n broer daan heeft"."""
        words = self._written(sentence).split()
        said = [word.strip(",.;:!()").lower() for word in words]
        return frozenset(
            said[i + 1]
            for i, word in enumerate(said[:-1])
            if word in self._list("people", "women", "men")
            and not self._list("owners").isdisjoint(said[max(0, i - 2) : i])
            and said[i + 1] not in stop_words(self.code)
            and not is_verb(said[i + 1], self.code)
            and (words[i + 1].istitle() or is_verb(next(iter(said[i + 2 :]), ""), self.code))
        )

    def leaves_out_self(self, sentence: str) -> bool:
        """Whether a sentence opens with a form of the first person that is of no other language."""
        said, ends = self._opened(tokens(sentence)), tuple(self._list("verb_endings"))
        if not said or len(said[0]) < _TELLING:
            return False
        known = bool(ends) and said[0].endswith(ends) and is_verb(said[0], self.code)
        return known or not self._list("verbs").isdisjoint({said[0], f"{said[0]}e"})

    def behind_greeting(self, sentence: str) -> str:
        """Return a sentence without what opens it before a comma and says nothing: "Hi, ..."."""
        head, comma, rest = sentence.partition(",")
        empty = bool(comma) and self._list("skip", "thanks").issuperset(tokens(head))
        return self.behind_greeting(rest.lstrip()) if empty else sentence

    def told_apart(self, parts: Sequence[str], day: date) -> bool:
        """Whether each part of a sentence is a statement by itself: "Ya no vivo en Lugo, ahora estoy en Vigo"."""
        return len(parts) > 1 and all(
            not self.why_not(part) and (one := self.statement(part, day)[0]).subject == USER and one.predicate != "say"
            for part in parts
        )

    # ------------------------------------------------------------------ parts

    def _orders(self, said: list[str]) -> bool:
        """Whether an order to do something for the speaker comes first: "Mach mir", "Explícame", "Donne-moi"."""
        bound = any(len(said[0]) > len(end) + 1 and said[0].endswith(end) for end in self._list("enclitics"))
        # Where verbs come second, a pronoun does so only behind an order.
        behind = self._list("subordinators") and said[0] not in self._list("subordinators") | self._list("hypothetical")
        return bound or bool(behind and len(said) > 1 and said[1] in self._list("objects"))

    def _without_whom(self, order: str) -> str:
        """Return an order without the pronoun bound to it, and without accents: "explica" of "explícame", "dis" of "dis-moi"."""
        order = unaccented(order.partition("-")[0])
        ends = (end for end in self._list("enclitics") if order.endswith(end) and len(order) > len(end) + 1)
        return order.removesuffix(next(ends, ""))

    def _asks(self, said: list[str]) -> bool:
        """Whether a sentence opens as a question; those of chats leave out accents and the question mark."""
        if said[0] in self._list("question"):
            return True
        bare = said[0] in {unaccented(word) for word in self._list("question")}
        return bare and self._data.words("care", "food").isdisjoint(said[1:3])  # "como carne"

    def _phrased(self, name: str, said: list[str]) -> bool:
        return any(_follows(phrase.split(), said) for phrase in self._list(name))

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
        if self._of_family(said) or self._of_numbered(said):
            return True
        if not self._list("owners").isdisjoint(said) and named_care(said, self.code):
            return True  # "Der Arzt hat mein Ramipril erhöht"
        inside = set(said[1:]) & self._list("objects") or first in self._list("objects")
        return bool(inside) and not set(said) & self._list("listener") and first not in self._list("remember")

    def _of_family(self, said: list[str]) -> bool:
        """Whether a sentence opens with somebody whom only their own call so: "De oudste, Fenna, eet geen vlees", "El peque tiene"."""
        who = next((i for i, word in enumerate(said[:3]) if word in self._list("people")), 0)
        led = bool(who) and all(
            word in self._data.words("cut", "articles", "empty") | self._list("people") for word in said[:who]
        )
        verb = next((i for i, word in enumerate(said) if i > who and is_verb(word, self.code)), 0)
        return led and 0 < verb - who <= _OPENING and said[who + 1] not in self._data.words("prepositions")

    def _of_numbered(self, said: list[str]) -> bool:
        """Whether a sentence says how a thing with a number of its own always is: "Zimmer 12 ist immer kalt"."""
        number = next((i for i, word in enumerate(said[:3]) if word.isdigit()), 0)
        thing = said[number - 1] if number else ""
        named = bool(thing) and thing not in self._list("nouns", "pointing", "objects") | stop_words(self.code)
        led = all(word in self._data.words("cut", "articles") for word in said[: number - 1])
        again = not self._list("always").isdisjoint(said[number + 1 :])
        return named and led and again and any(is_verb(word, self.code) for word in said[number + 1 :])

    def _verb_of_speaker(self, said: list[str]) -> bool:
        verbs, endings = self._list("verbs"), tuple(self._list("verb_endings"))
        if not endings:
            return False
        opening = [
            word
            for word in said[:_OPENING]
            if word not in self._list("objects") | self._list("deny") | self._list("always")
        ]
        if any(word in verbs for word in opening):
            return True
        # "Centro un div", and not "algo con piscina", "cuanto tiempo se cuecen".
        first = opening[0] if opening else ""
        if (
            len(first) > 2
            and first.endswith(endings)
            and (is_verb(first, self.code) or first not in stop_words(self.code))
        ):
            return True
        return self._verb_after_opener(said)

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
        short = next((part for part in (said, self._bare(said)) if len(part) <= _OPENING), [])
        if not lasts and self._list("passing").intersection(short):
            return "passing state"
        if (found - self._list("owners")) & self._list("converse") and (
            len(said) <= _OPENING or found & (self._list("pointing") | self._list("listener"))
        ):
            return "small talk"
        own = found & self._list("owners")
        if said[-1] in self._list("pointing") and not own and len(said) <= _OPENING + 1:
            return "says too little"
        invented = found & self._list("fiction") and (
            found & self._list("wish", "listener", "play") or said[0] in self._list("answer")
        )
        verbs = {word for before, word in pairwise(said) if before in self._list("subjects")}  # "je code en PHP"
        if ((found - verbs) & self._list("nouns") or invented) and not own:
            return "task at hand"
        if said[0] in self._list("owners") and len(said) > 1 and said[1].rpartition("-")[2] in self._list("nouns"):
            return "task at hand"
        if found & self._list("listener") and not own:
            return "remark on the answer"
        alone = is_verb(said[0], self.code) and said[0] not in self._list("verbs")  # "Fumo"
        return "" if len(said) > 1 or alone else "says too little"

    def _bare(self, said: list[str]) -> list[str]:
        """Leave out how much something is so, and that it is so just now: "Ich bin heute total müde" is "ich bin müde"."""
        rest = list(said)
        for phrase in (each.split() for each in sorted(self._list("just"), key=len, reverse=True)):
            for i in range(len(rest) - len(phrase), -1, -1):
                if rest[i : i + len(phrase)] == phrase:
                    del rest[i : i + len(phrase)]
        return [word for word in rest if word not in self._list("degree")]

    def _waits(self, said: list[str]) -> bool:
        """Whether somebody only waits, rides or has an ache, or what they ride on is late: not "Ich bin Koch auf einer Fähre"."""
        if len(said) > 2 * _OPENING or not self._list("always").isdisjoint(said):
            return False
        rides, late, waits, awaits = (_unaccented(self._list(name)) for name in ("rides", "late", "waits", "awaits"))
        bare = self._bare(said)
        rest = [unaccented(word) for word in bare]  # chats leave out accents
        if not rides.isdisjoint(rest) and not late.isdisjoint(rest):
            return True
        empty = stop_words(self.code) | self._list("at")
        what = set(bare) - empty
        if what and what <= self._list("aches"):
            return True  # not "Ich habe oft Kopfschmerzen", "Soffro di mal di testa"
        if not awaits.isdisjoint(rest) and self._phrased("just", said) and not named_care(said, self.code):
            return True  # "Ich warte gerade auf den Klempner"
        between = _unaccented(self._list("at") | self._data.words("cut", "articles")) | late | awaits
        stays = next((i for i, word in enumerate(rest) if word in self._list("stays")), len(rest))
        there = rest[stays + 1 :]  # the last word of a clause, not "am Flughafen angestellt"
        return len(there) > 1 and there[-1] in rides | waits and between.issuperset(there[:-1])

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


@cache
def _unaccented(words: frozenset[str]) -> frozenset[str]:
    return frozenset(map(unaccented, words))


def _follows(phrase: list[str], said: list[str]) -> bool:
    return any(said[i : i + len(phrase)] == phrase for i in range(len(said) - len(phrase) + 1))


def _in_order(wanted: list[str], said: list[str]) -> bool:
    rest = iter(said)
    return all(word in rest for word in wanted)
