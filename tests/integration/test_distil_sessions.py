"""What is kept of short chats with an assistant: the facts, and nothing of requests, code, quotations and stories."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdesk.domain.candidates import SourceTurn
from memdesk.domain.extractor import ASSISTANT, prepare
from memdesk.domain.models import FactStatus
from memdesk.engines.fingerprint import Fingerprints
from memdesk.engines.nlp import SpacyAnalyzer
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.pool import WorkerPool
from tests.helpers.distil_desk import DistilDesk
from tests.helpers.memory_rows import NOON

SESSIONS = tomllib.loads((Path(__file__).parents[1] / "data" / "distil" / "sessions.toml").read_text("utf-8"))[
    "session"
]


class Parsed:
    """Gives analyses that were made before."""

    def __init__(self, analyses):
        self._analyses = analyses

    def analyze(self, texts, *, cancel=None):
        return [self._analyses[text] for text in texts]


def sources(session):
    sides = (("the user", ASSISTANT, "user"), (ASSISTANT, "the user", "assistant"))
    return [
        SourceTurn(id=str(n), speaker=who, listener=other, text=text, day=NOON.date(), provenance=whose)
        for n, text in enumerate(session["turns"])
        for who, other, whose in (sides[n % 2],)
    ]


@pytest.fixture(scope="module")
def spacy(tmp_path_factory):
    """Let the real analyser read all sessions in one go: its process is started once and ends before the tests."""
    lanes = ThreadLanes()
    workers = WorkerPool(lanes)
    analyzer = SpacyAnalyzer(workers, Fingerprints(tmp_path_factory.mktemp("nlp") / "fingerprints.json"))
    texts = [text for session in SESSIONS for text in prepare(sources(session))]
    found = dict(zip(texts, analyzer.analyze(texts), strict=True))
    analyzer.unload()
    workers.close()
    lanes.close()
    return Parsed(found)


@pytest.fixture(params=[pytest.param("parsed", marks=pytest.mark.model), "by rules"])
def desk(request, tmp_path):
    analyzer = request.getfixturevalue("spacy") if request.param == "parsed" else None
    desk = DistilDesk(tmp_path, analyzer=analyzer)
    desk.settings.set_memory(extraction_mode="rules")
    yield desk
    desk.distillation.close()
    desk.close()


def holds(lines, words):
    """Whether one of the lines has all the words."""
    return any(all(word in line.lower() for word in words) for line in lines)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session["name"])
def test_a_short_chat(desk, session):
    day = datetime.fromisoformat(session.get("date", "2026-03-10")).replace(hour=12, tzinfo=UTC)
    outcome = desk.told("c", *session["turns"], when=day)
    episode = desk.episode_of(outcome) if outcome.episode_id else None
    facts = desk.every_fact()
    active = [fact.content for fact in facts if fact.status is FactStatus.ACTIVE]
    apart = [fact.content for fact in facts if fact.status is FactStatus.QUARANTINED]
    details = [detail.content for detail in episode.details] if episode else []
    with desk.store.read() as repos:
        identity = [line.content for line in repos.identity.all()]
    stored = [*details, *active, *identity, *([episode.summary] if episode else [])]
    if session.get("empty"):
        assert outcome.outcome == "empty:no_statements", stored
        assert not stored
    for words in session.get("kept", ()):
        assert holds(details, words), (words, details)
    for words in session.get("facts", ()):
        assert holds(active, words), (words, active)
    for words in session.get("quarantined", ()):
        assert holds(apart, words), (words, apart)
    for word in (*session.get("never", ()), *session.get("never_active", ())):
        assert not holds(stored, [word]), (word, stored)
    for word in session.get("never_fact", ()):
        assert not holds([*active, *identity], [word]), (word, active)
