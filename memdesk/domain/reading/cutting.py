"""Cuts a main clause of a language that nothing parses here into subject, verb and object, by closed classes and forms of verbs.

In German and Dutch the verb stands second and what completes it last; in French, Spanish and Italian what completes it follows it. A
clause that does not stand in this order, or goes on in another, is left whole.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from memdesk.domain.comparing.lexicon import lexicon_of, verb_key
from memdesk.domain.items.statement import USER, Qualifiers, Statement
from memdesk.domain.language.data import language_data

#: Words; an address is one, and so is what is elided: "j'ai", "dell'amico".
_WORD: Final = re.compile(r"https?://\S+|[^\W\d_]{1,4}['\u2019](?=\w)|[\w.'@-]*\w")
_CAPITAL: Final = "[A-Z\u00c0-\u00de]"
_AMOUNT: Final = re.compile(rf"(?P<amount>\d[\d.,]*(?: ?[a-z\u00b5]+)?)(?:\s+(?={_CAPITAL})|$)")
#: Languages in which what completes the verb stands last.
_BRACKET: Final = frozenset({"de", "nl"})
#: What stands before an infinitive.
_TO: Final = frozenset({"zu", "te"})
#: Most words of a name, and of what somebody of the speaker's is called.
_CALLED: Final = 5
#: Fewest words of a clause behind a comma.
_CLAUSE: Final = 3
#: Most words of a clause that is cut.
MAX_WORDS: Final = 16


def cut(statement: Statement) -> Statement:
    """Return a statement with the fields of its quote, or as it is where its order is another."""
    return _Cutter(statement).cut()


def is_verb(word: str, code: str) -> bool:
    """Return whether a word is a form of a verb that the language's data has."""
    return word in _by_form(code, "lemmas")


def turned(words: Sequence[str], code: str) -> list[str]:
    """Turn a name that stands before whose it is round: "Becker ist mein Zahnarzt" is "mein Zahnarzt ist Becker"; empty for any other clause."""
    lexicon, plain, forms = lexicon_of(code), language_data(code), _by_form(code, "lemmas")
    articles, owners, empty = (
        plain.words("cut", "articles"),
        plain.words("plain", "owners"),
        plain.words("cut", "empty"),
    )
    for place in range(1, min(len(words) - 1, _CALLED)):
        if verb_key(forms.get(words[place].casefold(), "")) not in lexicon.copulas:
            continue
        behind = [word for word in words[place + 1 :] if word.casefold() not in empty]
        opens = [word.casefold() for word in behind[:2]]  # "è il mio medico"
        owned = 1 < len(behind) <= _CALLED and (opens[0] in owners or (opens[0] in articles and opens[1] in owners))
        named = [word for word in words[:place] if word.casefold() not in articles | lexicon.honorifics]
        names = bool(named) and all(word[0].isupper() and word.casefold() not in _closed(code) for word in named)
        return [*behind, words[place], *words[:place]] if owned and names else []
    return []


@cache
def _closed(code: str) -> frozenset[str]:
    """Return the words that are not names although they open a sentence."""
    plain = language_data(code)
    names = ("function", "subjects", "owners", "pointing", "listener", "skip", "just", "question")
    return plain.words("plain", *names) | plain.words("cut", "times", "empty")


class _Cutter:
    def __init__(self, statement: Statement) -> None:
        self._statement = statement
        self._code = statement.language
        self._selves = language_data(self._code).words("plain", "subjects")
        self._owners = language_data(self._code).words("plain", "owners")
        self._bracket = self._code in _BRACKET

    def cut(self) -> Statement:
        statement, also = self._statement, "|".join(self._list("also"))
        quote, comma, name = re.sub(r"[.!]+$", "", statement.quote.strip()).partition(",")
        for phrase in self._list("again"):
            quote = re.sub(rf"\b{phrase}\b ?", "", quote)
        for phrase, since in (pair.rsplit(" ", 1) for pair in self._list("ago")):  # "il y a un mois"
            span = rf"\b{phrase} (?=\w+ (?:{'|'.join(self._list('times'))})\b)"
            quote = re.sub(span, f"{since} ", quote, flags=re.IGNORECASE)
        if comma:
            first, behind = self._clause(_words(quote)), _words(name)
            if first is not None and first.predicate in self._list("ended") and not _TO.isdisjoint(behind[-2:-1]):
                return self._clause([*_words(quote), *behind]) or statement  # "... aufgehört, Bratsche zu spielen"
            return self._named(first, name) or self._spliced(first, behind) or statement
        both = re.match(rf"(?P<who>[\w-]+) (?:{also}) (?P<self>{'|'.join(self._selves)}) (?P<said>[a-z].*)", quote)
        if both is not None and self._bracket:
            return self._of_both(both)
        parts = re.split(rf"\s+(?:{also})\s+", quote)
        words = [_words(part) for part in parts]
        if not words[0] or len(parts) > 2 or sum(map(len, words)) > MAX_WORDS:
            return statement
        first = self._clause(words[0])
        if first is None or len(parts) == 1:
            return first or statement
        # "Ich habe den Golf verkauft und einen Kia gekauft": the second leaves out what both have.
        again = self._clause([*words[0][:2], *words[1]])
        if again is None or first.predicate not in self._list("ended") or not first.object:
            return statement
        return replace(again, replaces=first.object, ended=False, holds=True)

    def _named(self, said: Statement | None, name: str) -> Statement | None:
        """Read who or what somebody new is: "J'ai un nouveau dentiste, M. Roy"."""
        lexicon = lexicon_of(self._code)
        called = [word for word in _words(name) if word.casefold() not in lexicon.honorifics]
        if lexicon.capitals_tell and called and called[0].casefold() in self._list("articles"):
            called = called[1:]  # "la dottoressa Bianchi", and not "einen Hund"
        is_name = "," not in name and bool(called) and all(word[0].isupper() for word in called)
        new = lexicon.marks.search(self._statement.quote) is not None
        gets = lexicon.has | lexicon.gains | lexicon.finds
        if said is None or not (is_name and new and said.object and said.holds and verb_key(said.predicate) in gets):
            return None
        return replace(said, object=f"{said.object}, {name.strip()}")

    def _spliced(self, said: Statement | None, behind: list[str]) -> Statement | None:
        """Read the first of two clauses, which the other narrows: "Ya no juego al pádel, me duele el codo"."""
        plain = language_data(self._code)
        opens = plain.words("plain", "subjects", "owners", "objects") | self._list("articles")
        if said is None or len(behind) < _CLAUSE or behind[0].casefold() not in opens:
            return None
        manner = ", ".join(filter(None, (said.qualifiers.manner, " ".join(behind))))
        return replace(said, qualifiers=replace(said.qualifiers, manner=manner))

    def _of_both(self, both: re.Match[str]) -> Statement:
        """Read "Jan und ich haben uns getrennt"."""
        said = self._clause([both["self"], *_words(both["said"])])
        if said is None or (said.object and not said.object.islower()):
            return self._statement
        (led,) = self._list("apart" if said.ended and not said.object else "together")
        predicate = f"{said.object} {said.predicate} {led}".strip()
        return replace(said, predicate=predicate, object=both["who"])

    def _clause(self, words: list[str]) -> Statement | None:
        words = turned(words, self._code) or words
        subject, before, rest = self._known(words) or (self._subject if self._bracket else self._leading)(words)
        if not subject or not rest:
            return None
        verb, rest, past = self._verb(rest)
        if not verb:
            return None
        low = [word.casefold() for word in rest]
        over = not self._list("over").isdisjoint(low)
        deny = language_data(self._code).words("plain", "deny")
        denied = any(word in deny for word in low)
        ended = self._statement.ended or (over and denied) or verb in self._list("ended")
        object_, phrases = self._phrases([word for word in rest if word.casefold() not in self._list("empty") | deny])
        predicate = verb
        counted = _AMOUNT.match(object_)  # "5 mg Ramipril", "500 mg de metformine"
        amount, object_ = (counted["amount"], object_[counted.end() :]) if counted else ("", object_)
        telling = next((n for n, (_, words_) in enumerate(phrases) if not self._is_time(words_)), -1)
        if not object_ and telling >= 0:
            preposition, object_ = phrases.pop(telling)
            some = amount or (denied and preposition in self._list("partitive"))  # "pas de viande"
            other, _, state = object_.rpartition(" ")  # "mit Anna verheiratet"
            if self._bracket and other and state.casefold() in lexicon_of(self._code).classes:
                object_, verb = other, f"{state.casefold()} {verb}"
            predicate = verb if some else f"{verb} {preposition}"
        owned = not self._owners.isdisjoint(low)
        if not denied and owned and verb_key(verb) in lexicon_of(self._code).changes:
            subject = USER  # "Der Arzt hat mein Ramipril auf 10 mg erhöht"
        named = lexicon_of(self._code).states.get(verb_key(verb)) == "name" and not self._statement.attribute
        times = [*before, *(f"{p} {o}".strip() for p, o in phrases if self._is_time(o))]
        manner = ", ".join(f"{p} {o}" for p, o in phrases if not self._is_time(o))
        return replace(
            self._statement,
            subject=subject,
            predicate=predicate,
            object=object_,
            attribute="name" if named else self._statement.attribute,
            tense="past" if past else self._statement.tense,
            holds=not denied,
            ended=ended,
            qualifiers=Qualifiers(time=", ".join(times), manner=manner, amount=amount),
        )

    # ------------------------------------------------------------------ subject and verb

    def _known(self, words: list[str]) -> tuple[str, list[str], list[str]] | None:
        """Return what :meth:`_subject` does, of somebody who is known by the name that opens the clause."""
        who = self._statement.subject
        return (who, [], words[1:]) if words[:1] == [who.rpartition(" ")[2]] else None

    def _subject(self, words: list[str]) -> tuple[str, list[str], list[str]]:
        """Return the subject, what stands before the verb beside it, and the words from the verb on."""
        low = [word.casefold() for word in words]
        if low[0] in self._selves:
            return USER, [], words[1:]
        if len(low) > 2 and low[2] in self._selves and self._lemma(words[1]):
            return USER, [words[0]], [words[1], *words[3:]]
        self_ = next((n for n, word in enumerate(low) if word in self._selves), 0)
        if self_ > 2 and low[0] in self._bases() and self._lemma(words[self_ - 1]):
            return (
                USER,
                [],
                [words[self_ - 1], *words[: self_ - 1], *words[self_ + 1 :]],
            )  # "Mit dem Rauchen habe ich ..."
        return self._owned(words, lambda word: word[0].islower() and bool(self._lemma(word)))

    def _leading(self, words: list[str]) -> tuple[str, list[str], list[str]]:
        """The same where the verb follows its subject, which Spanish and Italian leave out."""
        when, words = self._timed(words)
        if words[0].casefold() in self._selves:
            return USER, when, words[1:]
        passed = self._list("empty") | language_data(self._code).words("plain", "deny")
        first = next((n for n, word in enumerate(words) if word.casefold() not in passed), 0)
        if words[first].casefold() in self._forms():
            return USER, when, words
        return self._owned(words, lambda word: word.casefold() in self._forms())

    def _timed(self, words: list[str]) -> tuple[list[str], list[str]]:
        """Return what says when before the rest, as one phrase, and the rest: "Da lunedì lavoro in banca"."""
        low = [word.casefold() for word in words]
        leads = self._list("articles") | self._list("times") | self._bases().keys()
        end = next((n for n, word in enumerate(low) if word not in leads and not word.isdigit()), 0)
        return ([" ".join(words[:end])], words[end:]) if self._is_time(" ".join(words[:end])) else ([], words)

    def _owned(self, words: list[str], is_verb: Callable[[str], bool]) -> tuple[str, list[str], list[str]]:
        """Return somebody or something of the speaker's that stands before the verb."""
        low = [word.casefold() for word in words]
        articles, empty = self._list("articles"), self._list("empty")
        passed = empty | self._owners
        end = next((n for n, word in enumerate(words) if n and low[n] not in passed and is_verb(word)), 0)
        nouns = [word for word in words[:end] if word.casefold() not in self._owners | articles | empty]
        led = low[0] in articles and len(low) > 1 and low[1] in self._owners  # "il mio capo"
        if nouns and (low[0] in self._owners or led):
            return f"{USER}'s {' '.join(nouns)}", [], words[end:]
        if nouns and low[0] in articles and self._bracket:
            # "der Name meiner Schwester"
            owner = len(nouns) == 2 and set(low[1:end]) & self._owners
            name = f"{nouns[1]}'s {nouns[0]}" if owner else " ".join(nouns)
            return f"{USER}'s {name}", [], words[end:]
        return "", [], []

    def _verb(self, rest: list[str]) -> tuple[str, list[str], bool]:
        """Return the infinitive of the verb that tells, the other words, and whether it is told of the past."""
        if not self._bracket:
            passed = self._list("empty") | language_data(self._code).words("plain", "deny")
            told = [n for n, word in enumerate(rest) if word.casefold() not in passed][:2]
            verbs = [self._forms().get(rest[n].casefold(), "") for n in told]
            past = bool(told) and rest[told[0]].casefold() in self._list("past")
            if len(told) == 2 and verbs[0] in self._list("progressive") and (doing := self._doing(rest[told[1]])):
                return doing, [word for n, word in enumerate(rest) if n not in told], past  # "estoy buscando"
            if len(verbs) == 2 and verbs[0] in self._list("helping") and verbs[1]:
                told, verbs, past = told[::-1], verbs[::-1], True
            aside = set(told) if len(verbs) == 2 and verbs[1] in self._list("helping") else set(told[:1])
            return verbs[0] if verbs else "", [word for n, word in enumerate(rest) if n not in aside], past
        lexicon, past = lexicon_of(self._code), rest[0].casefold() in self._list("past")
        verb, rest = self._lemma(rest[0]), rest[1:]
        if not rest or verb not in self._list("helping") or rest[-1].casefold() in lexicon.classes:
            return verb, rest, past  # "Ich bin verheiratet" is not a perfect tense
        done = past or verb_key(verb) not in lexicon.becoming  # "wird erh\u00f6ht" has not been yet
        last = self._lemma(rest[-1], last=True)
        inside = next((n for n, word in enumerate(rest) if word.casefold() in self._forms()), -1)  # "gestopt met roken"
        if last and (inside in {-1, len(rest) - 1} or last != rest[-1].casefold()):
            return last, rest[:-1], done
        if inside < 0:
            return verb, rest, past
        return self._forms()[rest[inside].casefold()], rest[:inside] + rest[inside + 1 :], done

    def _doing(self, word: str) -> str:
        """Return the infinitive of a form that goes on: "buscando", "cercando"."""
        infinitives = set(self._forms().values())
        ways = (pair.split() for pair in self._list("gerunds"))
        found = (word.casefold().removesuffix(end) + of for end, of in ways if word.casefold().endswith(end))
        return next((one for one in found if one in infinitives), "")

    def _lemma(self, word: str, *, last: bool = False) -> str:
        """Return the infinitive of a form of the first or third person, or of a participle; empty where it is none."""
        low = word.casefold()
        known = self._forms().get(low, "")
        if known or self._code != "de":
            return known
        if last:
            weak = re.fullmatch(r"(?:ge)?((?:ver|be|ent|er|zer)?\w{2,}?)(?:(?<=[td])e)?t", low)
            opened = low.startswith(("ge", "ver", "be", "ent", "er", "zer")) or low.endswith("iert")
            opened = opened and word[0].islower()
            short = weak is not None and weak[1].endswith(("el", "er")) and not weak[1].endswith("ier")
            return f"{weak[1]}{'n' if short else 'en'}" if weak and opened else ""
        if not word[0].islower() or len(low) < 4:
            return ""
        if low.endswith(("ln", "rn", "en")):
            return low
        regular = re.fullmatch(r"(\w{2,}?)(?:e|t|et)", low)
        return f"{regular[1]}en" if regular else ""

    # ------------------------------------------------------------------ what it says

    def _phrases(self, words: list[str]) -> tuple[str, list[tuple[str, str]]]:
        """Return the object, and the phrases with a preposition."""
        whole, found = list[str](), list[tuple[str, list[str]]]()
        before = ["", *(word.casefold() for word in words)]
        for place, word in enumerate(words):
            low = word.casefold()
            led = before[place] in self._list("articles")
            when = low in self._list("times") and (led or (self._bracket and low == word and low.endswith("s")))
            preposition = self._bases().get(low, "")
            if low in self._list("articles"):
                partitive = found and not found[-1][1] and found[-1][0] in self._list("partitive")
                if partitive and not whole and len(found) == 1:
                    found.pop()  # "de la viande"
            elif preposition:
                found.append((preposition, []))
            elif when and (found[-1][1] if found else whole or not led):
                found.append(("", [word]))  # "juego al pádel los jueves", "gehe dienstags zum Chor"
            elif found:
                found[-1][1].append(word)
            else:
                whole.append(word)
        return " ".join(whole), [(preposition, " ".join(rest)) for preposition, rest in found if rest]

    def _is_time(self, words: str) -> bool:
        return any(word.casefold() in self._list("times") for word in words.split())

    def _list(self, name: str) -> frozenset[str]:
        return language_data(self._code).words("cut", name)

    def _bases(self) -> dict[str, str]:
        return _by_form(self._code, "prepositions")

    def _forms(self) -> dict[str, str]:
        return _by_form(self._code, "lemmas")


def _words(text: str) -> list[str]:
    return [word.rstrip("'\u2019") for word in _WORD.findall(text)]


@cache
def _by_form(code: str, section: str) -> dict[str, str]:
    """Return what a list of a language's data stands for, by each form: "im" is "in", "isst" is "essen"."""
    data = language_data(code)
    # Where verbs stand last, infinitives are nouns as well: "gestopt met roken".
    named = section == "lemmas" and code not in _BRACKET
    return {**data.forms(section), **({name: name for name in data.names(section)} if named else {})}
