"""Reads a question, and finds and scores the turns that may answer it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import LETTERS, content_words, fold, one_line, sentences, stem, unaccented, words
from memdesk.domain.recalling.query import Query, read_query, tells
from memdesk.domain.recalling.ranking import (
    FEATURES,
    Passage,
    Weights,
    fitting,
    inverse_frequency,
    passage_features,
    probabilities,
    proper_names,
    stems_of,
)
from memdesk.domain.recalling.spelling import respelled
from memdesk.domain.recalling.voices import split_speaker, written_speakers
from memdesk.services.recalling.candidates import Candidates
from memdesk.services.recalling.frequencies import Frequencies
from memdesk.services.recalling.index.texts import is_answer, speaker_of
from memdesk.services.recalling.question import Question, turn_passes
from memdesk.services.recalling.scored import Mode, Scored, ranked
from memdesk.services.recalling.statements import Statements
from memdesk.settings.resources import resource_text

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.domain.models import Utterance
    from memdesk.ports import Clock, Repositories, Store, Vectors
    from memdesk.services.recalling.index.indexing import IndexingService
    from memdesk.settings.schema import Strategy

    Features = Vectors

#: Candidates from text and vectors each, and how many of the merged ones are considered with their neighbors.
WIDTH = 120
KEPT = 150
#: Turns on each side of a candidate that add to its score.
NEAR = 2
#: Rows read for one question: candidates clustered in few sessions share neighbors, scattered ones do not.
ROWS = 430
#: Preceding messages read with a question, characters of each, and their weight.
CONTEXT, CONTEXT_CHARS, CONTEXT_SHARE = 2, 400, 0.4
#: Seconds that a question waits for its vector; then text search answers.
EMBED_SECONDS = 0.3
#: The predicate of what could only be kept in its speaker's words.
QUOTED = "say"


@dataclass(frozen=True, slots=True)
class Described:
    """Candidate turns with their neighbors and features.

    Attributes:
        turns: rows, without a speaker's name at the start of the text.
        features: shape (turns, ``ranking.FEATURES``).
        fits: which of them fit the question at all.
        mode: whether vectors were at hand.
        cosines: of each turn, shape (turns,); None without vectors.
        rarity: rarity of each of the question's stems, relative to a word in no row.
    """

    turns: list[Utterance]
    features: Features
    fits: list[bool]
    mode: Mode
    query: Query
    cosines: Features | None
    rarity: Mapping[str, float]


@cache
def turn_weights(name: Mode) -> Weights:
    """Return the learned weights of the transcript's ranking."""
    return Weights.from_dict(json.loads(resource_text("ranking", "transcript.json"))[name])


class Searcher:
    """Candidate generation and scoring over the store. Thread-safe.

    Args:
        strategy: returns the search strategy.
    """

    def __init__(
        self, *, store: Store, clock: Clock, indexing: IndexingService, strategy: Callable[[], Strategy]
    ) -> None:
        self._strategy = strategy
        self._store = store
        self._clock = clock
        self._indexing = indexing
        self.frequencies = Frequencies(clock)
        self.candidates = Candidates(indexing, self.frequencies)
        self.statements = Statements(
            clock=clock, indexing=indexing, candidates=self.candidates, frequencies=self.frequencies
        )

    def ask(
        self,
        agent_id: str,
        text: str,
        now: datetime,
        *,
        vectors: bool = True,
        own: bool = True,
        history: Sequence[str] = (),
        **narrow: Any,
    ) -> Question:
        """Read a question, together with the last messages of its chat, and embed it by default; with ``own`` as a text too."""
        language = language_of(text)
        query = read_query(text, self._clock.local(now).date(), language=language)
        embedded, strategy = None, self._strategy()
        if query.text and vectors and strategy != "exact":
            # Unloaded indexes are loaded while the question is embedded.
            self._indexing.wake(agent_id)
            embedded = self._embedded(query.text, history, own=own)
            self._indexing.wait_awake(agent_id)
        return Question(
            agent_id=agent_id,
            text=text,
            now=now,
            query=query,
            language=language,
            vector=None if embedded is None else embedded[1],
            own=None if embedded is None else embedded[2],
            model="" if embedded is None else embedded[0],
            strategy=strategy,
            **narrow,
        )

    def _embedded(self, text: str, history: Sequence[str], *, own: bool) -> tuple[str, Vectors, Vectors | None] | None:
        """Return the vectors of a question, as question and as text, moved slightly toward the preceding messages."""
        before = " ".join(one_line(said)[-CONTEXT_CHARS:] for said in history[-CONTEXT:])
        found = self._indexing.embed_soon([text, before] if before else [text], EMBED_SECONDS, own=own)
        return None if found is None else (found[0], _drawn(found[1]), None if found[2] is None else _drawn(found[2]))

    def turns(
        self,
        repos: Repositories,
        asked: Question,
        *,
        most: int,
        exclude: Collection[str] = (),
        only_fitting: bool = False,
    ) -> list[Scored]:
        """Return candidate turns, most likely first.

        ``exclude``: texts already known, for instance the messages of the present chat. ``only_fitting``:
        omit turns that do not fit the question at all.
        """
        told = self.describe_turns(repos, asked)
        return self.ranked_turns(told, asked, most=most, exclude=exclude, only_fitting=only_fitting)

    def ranked_turns(
        self, told: Described, asked: Question, *, most: int, exclude: Collection[str] = (), only_fitting: bool = False
    ) -> list[Scored]:
        """Return described turns, most likely first; see :meth:`turns`."""
        if not told.turns:
            return []
        scores = self.turn_scores(told)
        hidden = {text.strip() for text in (*exclude, asked.text)}
        out: list[Scored] = []
        for at in np.lexsort((np.array([turn.seq for turn in told.turns]), -scores)).tolist():
            if len(out) >= most:
                break
            turn = told.turns[at]
            if only_fitting and not told.fits[at]:
                continue
            if turn.content.strip() not in hidden and turn_passes(turn, asked):
                # A turn without a vector yet is not dissimilar to the question.
                cosine = None if told.cosines is None else float(told.cosines[at]) or None
                out.append(Scored("turn", turn.seq, float(scores[at]), turn, fits=told.fits[at], cosine=cosine))
        return out

    def turn_scores(self, told: Described) -> Features:
        """Return the probability of each described turn, shape (turns,)."""
        return probabilities(told.features, turn_weights(told.mode))

    def sourced(self, hits: Sequence[Scored], told: Described | None) -> list[Scored]:
        """Return facts or details, most likely first, each judged by the likeliest described turn that it came from as well.

        Its odds become the geometric mean of both: a turn is judged with its neighbors, and a statement by its own words alone.
        One from none of the turns keeps its probability; one that only quotes such a turn is left out, which says the same.
        """
        if told is None or not told.turns:
            return list(hits)
        turns = dict(zip((turn.id for turn in told.turns), self.turn_scores(told).tolist(), strict=True))
        of = [(hit, max((turns.get(each, 0.0) for each in hit.row.turn_ids), default=0.0)) for hit in hits]
        return ranked([_with_source(hit, turn) if turn else hit for hit, turn in of if not (turn and _quotes(hit.row))])

    def describe_turns(self, repos: Repositories, asked: Question) -> Described:
        """Return candidate turns with their neighbors, and features."""
        found = self.candidates.of(repos, "turn", asked, WIDTH, keep=KEPT)
        rows = {seq: turn for seq, turn in repos.turns.said(_around(found)).items() if turn.agent_id == asked.agent_id}
        # A chat kept out of memory is found only by its own name.
        quiet = repos.conversations.quiet(asked.agent_id, {turn.conversation_id for turn in rows.values()})
        if quiet - {asked.conversation_id}:
            quiet.discard(asked.conversation_id or "")
            rows = {seq: turn for seq, turn in rows.items() if turn.conversation_id not in quiet}
        own = {seq for seq in found if seq in rows and turn_passes(rows[seq], asked)}
        kept = _with_neighbors(rows, own, asked)
        turns = _voiced([rows[seq] for seq in kept])
        vectors = self._indexing.vectors(asked.agent_id, "turn", kept) if asked.vector is not None and kept else None
        if vectors is not None and int(vectors.any(axis=1).sum()) * 2 < len(kept):
            # Most are not embedded yet: a missing vector must not look like a poor one.
            vectors = None
        passages = self._passages(turns)
        today = self._clock.local(asked.now).date()
        query = read_query(
            asked.query.text, today, speakers={passage.speaker for passage in passages}, language=asked.language
        )
        frequency, total = self.frequencies.of(repos, "turn", query.terms, asked.agent_id)
        strange = [term for term, count in frequency.items() if not count]
        if strange:
            query = respelled(query, strange, (stems_of(passage.text) for passage in passages))
            frequency, total = self.frequencies.of(repos, "turn", query.terms, asked.agent_id)
        features = passage_features(
            query,
            passages,
            frequency=frequency,
            rows=total,
            query_vector=None if vectors is None else asked.vector,
            vectors=vectors,
        )
        cosines = None if vectors is None or asked.vector is None else vectors @ asked.vector
        fits = fitting(features, "wide_text", cosines=cosines, found=[found.get(seq, False) for seq in kept])
        rarity = {
            # For words of one stem the most frequent one counts.
            stem(term): inverse_frequency(frequency.get(term, 0), total) / inverse_frequency(0, total)
            for term in sorted(query.terms, key=lambda term: frequency.get(term, 0))
        }
        mode: Mode = "fts" if vectors is None else "hybrid"
        return Described(turns, features, fits, mode, query, cosines, rarity)

    def signals(
        self,
        told: Described,
        asked: Question,
        facts: Sequence[Scored],
        *,
        names: Iterable[str] = (),
        exclude: Collection[str] = (),
        running: str | None = None,
    ) -> dict[str, float]:
        """Return the :class:`Signals` of described turns and facts on whether the memory has an answer.

        ``facts``: most likely first. ``names``: of the question. ``exclude``: texts already known. ``running``: the
        question's chat, which is no sign that more is known.

        Returns:
            ``likeness`` and ``third`` as bare cosines, and ``best``: how likely the best turn is to answer.
        """
        seen = _seen(told, asked, exclude, running)
        covered, best, known = 0.0, 0.0, 0.0
        if (hit := _apart(told, asked, facts)) is not None:
            # For text only, the weights were trained on what turns refer to.
            known = 0.0 if asked.vector is None else _known(told.query, stems_of(hit.row.content))
            covered, best = hit.coverage, hit.score
        about = float(not _subjects(facts).isdisjoint(word for name in names for word in words(unaccented(name))))
        if not seen:
            empty = dict.fromkeys(("likeness", "third"), 0.0)
            return {
                **empty,
                "best": best,
                "coverage": covered,
                "expected": math.log1p(best),
                "rare": covered,
                "refers": known,
                "about": about,
            }
        cosines = [0.0] if told.cosines is None else sorted(told.cosines[seen].tolist(), reverse=True)
        scores, turns = self.turn_scores(told)[seen], [told.turns[at] for at in seen]
        telling = [stems_of(turn.content) for turn in turns if _tells(turn)]
        told_of = set().union(*telling)
        return {
            "likeness": cosines[0],
            "third": cosines[min(2, len(cosines) - 1)],
            "expected": math.log1p(float(scores.sum())),
            "rare": max((share for root, share in told.rarity.items() if root in told_of), default=0.0),
            "best": max(float(scores.max()), best),
            "coverage": max(float(told.features[seen, FEATURES.index("coverage")].max()), covered),
            "about": about,
            "refers": max(known, *(_known(told.query, stems) for stems in telling), 0.0),
        }

    def heard(
        self,
        told: Described,
        asked: Question,
        facts: Sequence[Scored],
        *,
        exclude: Collection[str] = (),
        running: str | None = None,
    ) -> frozenset[str]:
        """Return the names of a question that occur in described turns, or that facts are about; see :meth:`signals`.

        Question or turn must capitalize it: people type "when does jonas start". What an assistant writes in lower case is not a
        name, whatever its headings do: it does not type in a hurry. Where all nouns are capitalized, only who is asked for alone is one: "Wer ist Henrike?"
        """
        if asked.language == "de" and not (told.query.wants_name and len(content_words(asked.text, "de")) == 1):
            return frozenset()
        turns = [told.turns[at] for at in _seen(told, asked, exclude, running)]
        texts = [turn.content for turn in turns]
        answers = (turn.content for turn in turns if is_answer(turn))
        small = {word for text in answers for word in LETTERS.findall(text) if word.islower()}
        asking = set(words(unaccented(asked.text)))
        asking |= {word.removesuffix("s") for word in asking}
        about = _subjects(facts)
        written = {
            name for name in proper_names(asked.text) if fold(name) in about or any(name in text for text in texts)
        }
        named = written.union(*({n for n in proper_names(text) if fold(n) in asking} for text in texts))
        return frozenset(name for name in named if name.lower() not in small)

    def _passages(self, turns: Sequence[Utterance]) -> list[Passage]:
        days = {said: self._clock.local(said).date() for said in {turn.said_at for turn in turns}}
        return [
            Passage(
                turn.seq,
                turn.conversation_id,
                turn.position,
                speaker_of(turn),
                turn.content,
                days[turn.said_at],
                is_answer(turn),
            )
            for turn in turns
        ]


def _drawn(vectors: Vectors) -> Vectors:
    """Return the vector of a text, moved toward that of its context if there is one; ``vectors`` has one or two rows."""
    mixed = vectors[0] + CONTEXT_SHARE * vectors[1:].sum(axis=0)
    return np.asarray(mixed / np.linalg.norm(mixed), dtype=np.float32)


def _around(seqs: Iterable[int]) -> list[int]:
    """Return the seqs, best first, with those near them, until there are :data:`ROWS`.

    Turns of a conversation mostly have consecutive numbers.
    """
    found: set[int] = set()
    for seq in seqs:
        if len(found) >= ROWS:
            break
        found.update(range(max(seq - NEAR, 1), seq + NEAR + 1))
    return sorted(found)


def _with_neighbors(rows: Mapping[int, Utterance], own: Collection[int], asked: Question) -> list[int]:
    kept: set[int] = set(own)
    for seq in own:
        turn = rows[seq]
        for near in range(seq - NEAR, seq + NEAR + 1):
            other = rows.get(near)
            if (
                other is not None
                and other.conversation_id == turn.conversation_id
                and (asked.as_of is None or other.said_at <= asked.as_of)
            ):
                kept.add(near)
    return sorted(kept)


def _seen(told: Described, asked: Question, exclude: Collection[str], running: str | None) -> list[int]:
    """Return the positions of the turns that may contain something new."""
    hidden = {text.strip() for text in (*exclude, asked.text)}
    return [
        at
        for at, turn in enumerate(told.turns)
        if turn.conversation_id != running and turn.content.strip() not in hidden and turn_passes(turn, asked)
    ]


def _quotes(item: MemoryItem) -> bool:
    said = item.statement
    return said is not None and said.predicate == QUOTED and said.subject == said.speaker


def _with_source(hit: Scored, turn: float) -> Scored:
    so, not_so = math.sqrt(hit.score * turn), math.sqrt((1.0 - hit.score) * (1.0 - turn))
    return replace(hit, score=so / (so + not_so))


def _tells(turn: Utterance) -> bool:
    """Whether a turn states something: mere questions, and answers to them, are not knowledge."""
    return bool(turn.speaker) or (not is_answer(turn) and tells(turn.content))


def _apart(told: Described, asked: Question, facts: Iterable[Scored]) -> Scored | None:
    """Return the most likely fact; if the message has a vector, only of facts not in the found turns.

    With vectors the gate already sees facts' similarity, and finds their text in turns, except for notes, handwritten
    items, and facts from deleted chats.
    """
    said = {turn.id for turn in told.turns}

    def is_apart(fact: MemoryItem) -> bool:
        return fact.origin != "distiller" or said.isdisjoint(fact.turn_ids)

    return next((hit for hit in facts if asked.vector is None or is_apart(hit.row)), None)


def _subjects(facts: Iterable[Scored]) -> set[str]:
    """Return the folded words for whom or what facts are about: "Petra repairs cranes in Bergen" says nothing of Bergen."""
    about = set()
    for hit in facts:
        # What is not read into fields mostly begins with its subject.
        opening = [each.partition(" ")[0] for each in sentences(hit.row.content)]
        for subject in opening if hit.row.statement is None else [hit.row.statement.subject]:
            about.update(content_words(unaccented(subject)))
    return about


def _known(query: Query, stems: Collection[str]) -> float:
    """Return the share of a question's presupposed topic words that a text contains, by its stems."""
    return len(query.referred.intersection(stems)) / max(len(query.stems), 1)


def _voiced(turns: Sequence[Utterance]) -> list[Utterance]:
    """Return turns, taking a missing speaker from the name before the text."""
    nameless = [turn.content for turn in turns if not turn.speaker]
    names = written_speakers(nameless) if nameless else frozenset[str]()
    if not names:
        return list(turns)
    out = []
    for turn in turns:
        speaker, said = ("", "") if turn.speaker else split_speaker(turn.content, names)
        out.append(turn._replace(speaker=speaker, content=said) if speaker else turn)
    return out
