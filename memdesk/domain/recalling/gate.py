"""Decides which memory a question needs: at most one section, by what labeled prompts taught and by rules that are data.

The user's own phrases go first. What is not the user's own question is masked: quotations, code, titles, texts to be
worked on. In a language that :class:`memdesk.domain.recalling.gate_wording.Wording` was taught, it chooses, and the rules say why.
In another, the first rule that fires decides, in this order: guards, identity, transcript, episode, names, pinned. The
rules of a language are regular expressions grouped by section (``resources/gate/<language>.toml``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from memdesk.domain.language.data import LANGUAGES, language_data, parting, stop_words
from memdesk.domain.language.names import EntityMatcher, Match
from memdesk.domain.language.tell import leading
from memdesk.domain.language.text import content_words, sentences, words
from memdesk.domain.models import Section
from memdesk.domain.reading.plainly import PlainReader
from memdesk.domain.recalling.gate_wording import NAME, Wording
from memdesk.domain.recalling.opening import SENSED
from memdesk.domain.recalling.query import nods

SECTIONS: tuple[Section, ...] = get_args(Section)
#: Of a long text the beginning and the end are read: a pasted document follows its question, or goes before it.
MAX_CHARS = 2000
#: What a rule that fires counts, in log odds.
_RULED = 3.0
_MASK = "\u00a6"
_BLANK = f" {_MASK} "
_ORDER: tuple[Section, ...] = ("identity", "transcript", "episode", "pinned")

_FENCE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_URL = re.compile(r"\bhttps?://\S+")
_QUOTED = (
    re.compile(
        r"\"[^\"\n]{1,400}\"|\u201c[^\u201d\n]{1,400}\u201d|\u201e[^\u201c\u201d\n]{1,400}[\u201c\u201d]|\u00ab[^\u00bb\n]{1,400}\u00bb"
    ),
    re.compile(r"(?<!\w)'(?=\S)(?:[^'\n]|(?<=\w)'(?=\w)){1,400}'(?!\w)"),
    re.compile(r"(?<!\w)\u2018[^\u2019\n]{1,400}\u2019(?!\w)"),
)
#: "We Discussed the Moon": three or more words in title case are a name or a title, not the user's own words.
_TITLE = re.compile(r"\b[A-Z][\w']*(?:\s+(?:[A-Z][\w']*|(?:of|the|a|an|and|in|on|to|for|with)\b)){2,}")
#: Names that are pronouns in small letters.
_ACRONYM = re.compile(r"\b(?:US|U\.S\.|WHO|IT|ME)(?!\w)")
#: "Vertaal naar het Engels: ...": a text to be worked on, and not a question, where few rules tell.
_HANDED = re.compile(r"\A\W*\w+(?:\W\w+){0,5}\s?:\s(?!.*\?\W*\Z)(.+)", re.DOTALL)
#: Words before a name that only greet it.
_GREETING = 2
_SPACES = re.compile(r"[ \t\r\f\v]+")
_WORDS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate chose and why.

    Attributes:
        section: which memory; ``none`` for no memory beyond identity.
        rule: name of the rule, ``entity``, ``phrase``, ``short``, ``wording``, ``none`` ...
        language: whose rules were read.
        entities: names found in the question.
        wording: how much its wording rather asks for a section than for none, in log odds; 0 where it does not tell.
        guarded: whether a rule says that it asks for nothing of the user's.
        mentions: whether it says something of these names and then bids something else: "Petra wrote back, now fix this code".
        final: whether nothing else may change it: the user's own phrase, a message of one word, without a topic, or of a name alone.
    """

    section: Section
    rule: str
    language: str = ""
    entities: tuple[str, ...] = ()
    wording: float = 0.0
    guarded: bool = False
    mentions: bool = False
    final: bool = False


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    patterns: tuple[re.Pattern[str], ...]
    also: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    #: words without one of which it cannot fire
    needs: frozenset[str]
    #: a guard that a known name in the question overrules
    unless_named: bool = False

    def fires(self, text: str, used: frozenset[str]) -> bool:
        if self.needs and self.needs.isdisjoint(used):
            return False
        if not any(pattern.search(text) for pattern in self.patterns):
            return False
        if self.also is not None and not self.also.search(text):
            return False
        return self.unless is None or not self.unless.search(text)


class LanguageRules:
    """The rules of one language, compiled.

    Args:
        data: a parsed rule file: ``language``, ``words`` (macros used as ``{name}`` in patterns), ``generic``,
            ``opening``, ``mask`` and ``guard`` patterns, and ``rule`` tables with ``section``, ``name``, ``patterns`` and,
            optionally, ``also``, ``unless`` and ``needs``.

    Raises:
        ValueError: an unknown section, or a pattern that does not compile.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.language = str(data["language"])
        self.generic = frozenset(str(word).casefold() for word in data.get("generic", ()))
        self._macros = dict(data.get("words", {}))
        self.opening = self._compile(data["opening"]) if "opening" in data else None
        self.masks = tuple(self._compile(pattern) for pattern in data.get("mask", ()))
        self.guards = tuple(self._rule(entry) for entry in data.get("guard", ()))
        self.rules: dict[Section, tuple[_Rule, ...]] = {}
        for entry in data.get("rule", ()):
            section: Section = entry["section"]
            if section not in SECTIONS:
                raise ValueError(f"unknown section {section!r} in the rules of {self.language}")
            self.rules[section] = (*self.rules.get(section, ()), self._rule(entry))

    def _rule(self, entry: Mapping[str, Any]) -> _Rule:
        return _Rule(
            name=str(entry["name"]),
            patterns=tuple(self._compile(pattern) for pattern in entry["patterns"]),
            also=self._compile(entry["also"]) if "also" in entry else None,
            unless=self._compile(entry["unless"]) if "unless" in entry else None,
            needs=frozenset(entry.get("needs", ())),
            unless_named=bool(entry.get("unless_named", False)),
        )

    def _compile(self, pattern: str) -> re.Pattern[str]:
        text = pattern
        for _ in range(3):
            for name, value in self._macros.items():
                text = text.replace("{" + name + "}", f"(?:{value})")
        try:
            return re.compile(text)
        except re.error as error:
            raise ValueError(f"a pattern of {self.language} does not compile: {pattern}: {error}") from error


class Gate:
    """Chooses a section for a question. Immutable, hence thread-safe.

    Args:
        languages: rules, the first one being the fallback.
        phrases: the user's own phrases by section; they are read without regard to case and go before every rule.
        wording: what labeled prompts have taught; None leaves every language to the rules.
    """

    def __init__(
        self,
        languages: Sequence[LanguageRules],
        phrases: Mapping[str, Sequence[str]] | None = None,
        wording: Wording | None = None,
    ) -> None:
        self._wording = wording
        self._languages = {code: LanguageRules({"language": code}) for code in LANGUAGES}
        self._languages |= {rules.language: rules for rules in languages}
        self._phrases: list[tuple[Section, re.Pattern[str]]] = []
        for section in SECTIONS:
            texts = (phrases or {}).get(section, ())
            kept = [re.escape(_plain(text)) for text in texts if text.strip()]
            if kept:
                joined = "|".join(rf"(?<!\w){text}(?!\w)" for text in kept)
                self._phrases.append((section, re.compile(joined, re.IGNORECASE)))

    @property
    def generic_words(self) -> frozenset[str]:
        """Words that name nothing by themselves, of all languages, for :class:`EntityMatcher`."""
        return frozenset().union(*(rules.generic for rules in self._languages.values()))

    def decide(self, query: str, names: EntityMatcher | None = None) -> Decision:
        """Choose a section for ``query``.

        Args:
            query: the user's message, any Unicode.
            names: the agent's entity names.
        """
        asked = _plain(query)
        decision = self._decided(asked, names)
        if decision.section != "none" or decision.entities or "?" in asked or content_words(asked, decision.language):
            return decision
        # "Go on." names nothing to look for: what is like it is like the messages before it.
        return replace(decision, final=True)

    def _decided(self, asked: str, names: EntityMatcher | None) -> Decision:
        for section, pattern in self._phrases:
            if pattern.search(asked):
                return Decision(section, "phrase", final=True)
        order = self._by_language(asked)
        own, title = _own_words(asked)
        language = order[0]
        places = names.find(own) if names is not None and len(names) else []
        entities = self._entities(places, asked, names)
        single = len(_WORDS.findall(own)) < 2
        if len(own.replace(_MASK, "").strip()) < 2 or single:
            if entities:
                return Decision("pinned", "entity", language, entities)
            # One word asks nothing of the memory, whatever the word.
            return Decision("none", "short", language, final=True)
        if self._wording is not None and not self._wording.languages.isdisjoint(order):
            text = self._masked(_named(own, places), order, title=title)
            # A name in quotation marks has been masked with them.
            scores = self._wording.scores(text.replace(_MASK, NAME) if entities and not places else text)
            if scores is not None:
                return self._by_wording(scores, text, order, entities)
        for code in order:
            rules = self._languages[code]
            text = self._masked(own, [code], title=title)
            used = frozenset(_WORDS.findall(text))
            if _guarded(rules, text, used, entities):
                return Decision("none", "guard", code, entities, guarded=True)
            decision = self._by_rules(rules, text, used, entities)
            if decision is not None:
                return decision
        if entities:
            return Decision("pinned", "entity", language, entities)
        return Decision("none", "none", language, entities)

    def _by_wording(
        self, scores: Mapping[Section, float], text: str, order: Sequence[str], entities: tuple[str, ...]
    ) -> Decision:
        told = max(scores, key=lambda section: scores[section])
        used = frozenset(_WORDS.findall(text))
        if entities and _greets(text):
            return Decision("none", "short", order[0], entities, final=True)
        handed = order[0] != SENSED and text.partition(":")[2].strip() == _MASK
        guarded = handed or any(_guarded(self._languages[code], text, used, entities) for code in order)
        return Decision(
            told,
            self._why(told, text, order, entities),
            order[0],
            entities,
            wording=max(score for section, score in scores.items() if section != "none") - scores["none"],
            guarded=guarded,
            mentions=bool(entities) and _mentions(text, order[0]),
            final=told == "pinned" and bool(entities) and not guarded and self._of_name(text, order[0]),
        )

    def _of_name(self, text: str, code: str) -> bool:
        """Whether a message asks what is known of a name: "tell me about Petra", "who is Petra?", and not "how are you, Petra?"."""
        assert self._wording is not None
        asked = sentences(text)[-1]
        if not (asked.endswith("?") or PlainReader(code).opens_question(asked)):
            return self._wording.names_only(text)
        heard, data = set(words(asked)), language_data(code)
        before = asked.partition(NAME)[0].split()
        # "Where is the Andaman Sea?", "who was the Pied Piper?": who is known to somebody has no article.
        thing = bool(before) and before[-1] in data.words("cut", "articles")
        if NAME not in asked or _MASK in text or thing or not heard.isdisjoint(data.words("plain", "listener")):
            return False
        # What else is asked of it may be known to everybody ("where is Oslo?"). That, only English memories have taught.
        return code != SENSED or (heard <= stop_words(code) and self._wording.asks_who(asked))

    def reading(self, query: str, names: EntityMatcher | None = None) -> tuple[str, list[str]]:
        """Return what :class:`Wording` is given to read of a message, and its languages; for training."""
        asked = _plain(query)
        order = self._by_language(asked)
        own, title = _own_words(asked)
        places = names.find(own) if names is not None else []
        return self._masked(_named(own, places), order, title=title), order

    def _masked(self, own: str, order: Sequence[str], *, title: bool) -> str:
        """Return the text in small letters, without its greeting, what is not the user's own question masked."""
        # Patterns are in small letters: matching without regard to case costs three times as much.
        text = (own if title else _mask_titles(_unless_shouted(own))).lower()
        for code in order:
            rules = self._languages[code]
            if rules.opening is not None:
                text = rules.opening.sub("", text) or text
            for mask in rules.masks:
                text = mask.sub(_blank_group, text)
        if order[0] != SENSED and NAME not in text.partition(":")[0]:
            text = _HANDED.sub(_blank_group, text)
        return text

    def _why(self, section: Section, text: str, order: Sequence[str], entities: tuple[str, ...]) -> str:
        """Return the rule that agrees with what the wording told; ``wording`` when none does."""
        if section == "pinned" and entities:
            return "entity"
        used = frozenset(_WORDS.findall(text))
        for code in order:
            rules = self._languages[code]
            if section == "none":
                if _guarded(rules, text, used, entities):
                    return "guard"
                continue
            for rule in rules.rules.get(section, ()):
                if rule.fires(text, used):
                    return rule.name
        return "none" if section == "none" else "wording"

    def _by_rules(
        self, rules: LanguageRules, text: str, used: frozenset[str], entities: tuple[str, ...]
    ) -> Decision | None:
        for section in _ORDER:
            if section == "pinned" and entities:
                return Decision("pinned", "entity", rules.language, entities)
            for rule in rules.rules.get(section, ()):
                if rule.fires(text, used):
                    return Decision(section, rule.name, rules.language, entities, wording=_RULED)
        return None

    def _by_language(self, text: str) -> list[str]:
        """Return the languages whose words the text uses most; the first of all when it uses none's."""
        return leading(text) or [LANGUAGES[0]]

    def _entities(self, places: Sequence[Match], asked: str, names: EntityMatcher | None) -> tuple[str, ...]:
        found = [match.name for match in places]
        if not found and names is not None and len(names):
            # A quotation that is nothing but a name still names it.
            for pattern in _QUOTED:
                for match in pattern.finditer(asked):
                    inner = match[0][1:-1].strip()
                    found += [hit.name for hit in names.find(inner) if hit.end - hit.start == len(inner)]
        return tuple(dict.fromkeys(found))


def _greets(text: str) -> bool:
    """Whether a message only thanks or greets a name: "Danke, Bartosz!", "Buenas noches, Leandro."."""
    before, comma, called = text.rpartition(",")
    addressed = bool(comma) and not words(called) and "?" not in called
    return nods(text) or (addressed and len(words(before)) <= _GREETING)


def _mentions(text: str, code: str) -> bool:
    """Whether no clause of a message asks, and the last one names nobody; names are signs."""
    clauses = [clause.strip() for one in sentences(text) for clause in re.split(rf"{parting(code)}|:\s", one)]
    told = [clause for clause in clauses if clause]
    reader = PlainReader(code)
    # "Marijke heeft geantwoord": what follows a name opens nothing.
    asks = any(one.endswith("?") or (one[0] != NAME and reader.opens_question(one)) for one in told)
    return not asks and bool(told) and NAME not in told[-1]


def _plain(text: str) -> str:
    if len(text) > MAX_CHARS:
        text = f"{text[: MAX_CHARS // 2]}\n{text[-MAX_CHARS // 2 :]}"
    return _SPACES.sub(" ", text.replace("\u2019", "'").replace("\u02bc", "'")).strip()


def _own_words(text: str) -> tuple[str, bool]:
    """Mask code, addresses and quotations; say whether the whole text is in title case."""
    out = _URL.sub(_BLANK, _FENCE.sub(_BLANK, text))
    for pattern in _QUOTED:
        out = pattern.sub(_BLANK, out)
    found = _WORDS.findall(out)
    return out, len(found) > 2 and all(word[0].isupper() for word in found)


def _named(own: str, places: Sequence[Match]) -> str:
    """Put one sign for every name."""
    pieces: list[str] = []
    last = 0
    for place in places:
        pieces += [own[last : place.start], f" {NAME} "]
        last = place.end
    return "".join([*pieces, own[last:]])


def _guarded(rules: LanguageRules, text: str, used: frozenset[str], entities: tuple[str, ...]) -> bool:
    return any(guard.fires(text, used) for guard in rules.guards if not (entities and guard.unless_named))


def _mask_titles(text: str) -> str:
    return _TITLE.sub(_blank_title, text)


def _unless_shouted(text: str) -> str:
    return text if text.isupper() else _ACRONYM.sub(_BLANK, text)


def _blank_group(match: re.Match[str]) -> str:
    """Mask what the pattern's group holds, or all of it where it has none."""
    if match.re.groups == 0 or match[1] is None:
        return _BLANK
    start, end = match.start(1) - match.start(), match.end(1) - match.start()
    return f"{match[0][:start]}{_BLANK}{match[0][end:]}"


def _blank_title(match: re.Match[str]) -> str:
    """Mask a title in mid-sentence; at the start of a text capitals mean little."""
    return match[0] if match.start() == 0 else f" {_MASK} "
