"""What is kept of chats with an assistant: the facts, and nothing of requests, code, quotations and stories."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdesk.domain.language.analysis import plain
from memdesk.domain.models import FactStatus
from memdesk.domain.reading.candidates import SourceTurn
from memdesk.domain.reading.extractor import ASSISTANT, prepare
from memdesk.engines.fingerprint import Fingerprints
from memdesk.engines.nlp import SpacyAnalyzer
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.pool import WorkerPool
from tests.helpers.distill_desk import DistillDesk
from tests.helpers.memory_rows import NOON
from tests.helpers.parser import ReadsHere

FOLDER = Path(__file__).parents[1] / "data" / "distill"
SHORT, EVERYDAY, HELD_OUT = (
    tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))["session"]
    for name in ("sessions", "everyday", "held_out")
)
#: Shares that the chats hold to with which no rule was made; see resources/docs/distillation.md for the figures.
LEAST_PRECISION = 0.85
LEAST_RECALL = 0.85
#: Share of the chats in which a line may be missing or too much: what lasts is told by odds.
MOST_WRONG = 0.06


class Parsed(ReadsHere):
    """Gives analyses that were made before; what is read again later, such as a stored line, is cut by rules."""

    def __init__(self, analyses):
        self._analyses = analyses

    def analyze(self, texts, *, cancel=None):
        return [self._analyses[text] if text in self._analyses else plain(text) for text in texts]


class Kept:
    """What is remembered of an agent, after the chats of one session.

    Attributes:
        details: lines of episodes.
        active: facts.
        apart: facts in quarantine.
        identity: lines that are always on.
        summaries: of the episodes.
        outcomes: of the distillations.
    """

    def __init__(self, desk, session):
        chats = [{"date": "2026-03-10", **session}, *session.get("then", ())]
        done = [
            desk.told(f"c{n}", *chat["turns"], when=datetime.fromisoformat(chat["date"]).replace(hour=12, tzinfo=UTC))
            for n, chat in enumerate(chats)
        ]
        episodes = [desk.episode_of(one) for one in done if one.episode_id]
        facts = desk.every_fact()
        self.outcomes = [one.outcome for one in done]
        self.details = [detail.content for episode in episodes for detail in episode.session.details]
        self.summaries = [episode.content for episode in episodes]
        self.active = [fact.content for fact in facts if fact.status is FactStatus.ACTIVE]
        self.apart = [fact.content for fact in facts if fact.status is FactStatus.QUARANTINED]
        with desk.store.read() as repos:
            self.identity = [line.content for line in repos.items.lines()]

    @property
    def stored(self):
        return [*self.details, *self.active, *self.identity, *self.summaries]

    @property
    def lines(self):
        return dict.fromkeys((*self.details, *self.active))


def sources(turns):
    sides = (("the user", ASSISTANT, "user"), (ASSISTANT, "the user", "assistant"))
    return [
        SourceTurn(id=str(n), speaker=who, listener=other, text=text, day=NOON.date(), provenance=whose)
        for n, text in enumerate(turns)
        for who, other, whose in (sides[n % 2],)
    ]


@pytest.fixture(scope="module")
def spacy(tmp_path_factory):
    """Let the real analyzer read all sessions in one go: its process is started once and ends before the tests."""
    lanes = ThreadLanes()
    workers = WorkerPool(lanes)
    analyzer = SpacyAnalyzer(workers, Fingerprints(tmp_path_factory.mktemp("nlp") / "fingerprints.json"))
    chats = [chat for session in (*SHORT, *EVERYDAY, *HELD_OUT) for chat in (session, *session.get("then", ()))]
    texts = [text for chat in chats for text in prepare(sources(chat["turns"]))]
    found = dict(zip(texts, analyzer.analyze(texts), strict=True))
    analyzer.unload()
    workers.close()
    lanes.close()
    return Parsed(found)


@pytest.fixture
def open_desk(tmp_path):
    """Open desks that distill by rules; they are closed after the test."""
    desks = []

    def opened(analyzer):
        desk = DistillDesk(tmp_path / str(len(desks)), analyzer=analyzer)
        desk.settings.set_memory(extraction_mode="rules")
        desks.append(desk)
        return desk

    yield opened
    for desk in desks:
        desk.distillation.close()
        desk.close()


def holds(lines, words):
    """Whether one of the lines has all the words."""
    return any(all(word in line.lower() for word in words) for line in lines)


def check(kept, session):
    if session.get("empty"):
        assert kept.outcomes == ["empty:no_statements"], kept.stored
        assert not kept.stored
    for words in session.get("kept", ()):
        assert holds(kept.details, words), (words, kept.details)
    for words in session.get("facts", ()):
        assert holds(kept.active, words), (words, kept.active)
    for words in session.get("over", ()):
        assert not holds([*kept.active, *kept.identity], words), (words, kept.active, kept.identity)
    for words in session.get("quarantined", ()):
        assert holds(kept.apart, words), (words, kept.apart)
    for word in (*session.get("never", ()), *session.get("never_active", ())):
        assert not holds(kept.stored, [word]), (word, kept.stored)
    for word in session.get("never_fact", ()):
        assert not holds([*kept.active, *kept.identity], [word]), (word, kept.active)


@pytest.mark.model
@pytest.mark.parametrize("sessions", [SHORT, EVERYDAY], ids=["short", "everyday"])
def test_nearly_every_chat_is_kept_as_a_person_would(spacy, open_desk, sessions):
    wrong = {}
    for session in sessions:
        try:
            check(Kept(open_desk(spacy), session), session)
        except AssertionError as error:
            wrong[session["name"]] = str(error)
    assert len(wrong) <= MOST_WRONG * len(sessions), wrong


@pytest.mark.parametrize("session", SHORT, ids=lambda session: session["name"])
def test_without_a_parser_nothing_false_is_kept(open_desk, session):
    wrong = {key: session[key] for key in ("never", "never_active", "never_fact") if key in session}
    check(Kept(open_desk(None), session), wrong)


@pytest.mark.model
def test_chats_that_no_rule_was_made_with(spacy, open_desk, record_property):
    right = stored = found = wanted = 0
    for session in HELD_OUT:
        kept = Kept(open_desk(spacy), session)
        worth = [words for key in ("kept", "fine", "facts") for words in session.get(key, ())]
        stored += len(kept.lines)
        right += sum(
            any(holds([line], words) for words in worth)
            and not any(word in line.lower() for word in session.get("never", ()))
            for line in kept.lines
        )
        wanted += len(session.get("kept", ()))
        found += sum(holds(kept.details, words) for words in session.get("kept", ()))
    record_property("precision", f"{right} of {stored}")
    record_property("recall", f"{found} of {wanted}")
    assert right / stored >= LEAST_PRECISION
    assert found / wanted >= LEAST_RECALL
