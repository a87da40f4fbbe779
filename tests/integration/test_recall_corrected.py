"""What a block says of sessions and messages in which a fact was said that has been corrected or replaced since."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memdesk.bench.recall_rig import profile
from memdesk.domain.models import FactStatus, new_id
from memdesk.services.recording import IngestTurn
from tests.helpers import rows

NOW = datetime(2024, 6, 1, tzinfo=UTC)


@pytest.fixture
def services(tmp_path):
    with profile(tmp_path) as opened:
        opened.agents.ensure("friend")
        yield opened


def session(services, said, digest, details=(), *, name="first"):
    turns = [IngestTurn(user=said, assistant="I see.")]
    services.ingest.ingest(agent_id="friend", conversation_id=name, turns=turns, wait=False)
    kept = tuple(rows.detail(text, id=new_id()) for text in details)
    times = {"started_at": NOW, "ended_at": NOW, "created_at": NOW, "updated_at": NOW}
    episode = rows.episode(digest, id=new_id(), agent_id="friend", conversation_id=name, details=kept, **times)
    services.recall.store.write(lambda repos: repos.items.put(episode))
    services.indexing.flush()


def know(services, content, name="first"):
    return services.memories.add_fact(agent_id="friend", content=content, conversation_id=name, actor="distiller")


def block(services, query, section, **options):
    services.recall.invalidate("friend")
    return services.recall.context(agent_id="friend", query=query, section=section, **options).block


CORRECTED = [
    # said, digest, detail, former, now, question
    (
        "My sister Ines lives in Porto and works as a nurse.",
        "They talked about the user's sister Ines, a nurse who lives in Porto.",
        "Ines lives in Porto.",
        "The user's sister Ines lives in Porto.",
        "The user's sister Ines lives in Lisbon.",
        "Where does my sister Ines live?",
    ),
    (
        "We pay 900 euros of rent for the flat.",
        "The user worries about a rent of 900 euros for the flat.",
        "The rent of the flat is 900 euros.",
        "The user pays a rent of 900 euros for the flat.",
        "The user pays a rent of 950 euros for the flat.",
        "What is the rent of our flat?",
    ),
    (
        "Mein Hund Rex hat morgen einen Termin beim Tierarzt.",
        "Es ging um den Hund Rex und seinen Termin beim Tierarzt.",
        "Der Hund Rex muss zum Tierarzt.",
        "Der Hund der Nutzerin heißt Rex.",
        "Der Hund der Nutzerin heißt Bello.",
        "Was ist mit meinem Hund beim Tierarzt?",
    ),
    (
        "I love coriander in soups.",
        "The user talked about soups and loves coriander.",
        "The user loves coriander in soups.",
        "The user loves coriander.",
        "The user does not love coriander.",
        "Do I love coriander in soups?",
    ),
]


@pytest.mark.parametrize(("said", "digest", "detail", "former", "now", "question"), CORRECTED)
def test_lines_that_say_what_was_corrected_say_what_holds(services, said, digest, detail, former, now, question):
    session(services, said, digest, [detail])
    fact = know(services, former)
    sections = ("episode", "transcript")
    assert not any("[now:" in block(services, question, section) for section in sections)
    token = services.memories.edit_facts([fact.id], content=now).token
    earlier, messages = (block(services, question, section) for section in sections)
    told = [line for line in earlier.splitlines() if digest in line or detail in line]
    assert told
    assert all(line.endswith(f"[now: {now}]") for line in told)
    assert f"{said} [now: {now}]" in messages
    assert "[now:" not in block(services, question, "episode", as_of=NOW + timedelta(days=1))
    services.memories.undo(token)
    assert not any("[now:" in block(services, question, section) for section in sections)


def test_what_was_replaced_twice_or_corrected_after_says_the_last(services):
    session(services, "Our van is a Renault.", "They talked about the van, a Renault.")
    first = know(services, "The user's van is a Renault.")
    second = know(services, "The user's van is a Ford.", name="second")
    old = replace(first, status=FactStatus.SUPERSEDED, superseded_by=second.id)
    services.recall.store.write(lambda repos: repos.items.put(old))
    services.memories.edit_fact(second.id, content="The user's van is a Fiat.")
    assert "a Renault. [now: The user's van is a Fiat.]" in block(services, "Which van do we drive?", "episode")


@pytest.mark.parametrize(
    "digest",
    [
        "They compared the port wines of Porto with those of Madeira.",
        "The user's sister Ines came for dinner and told of the hospital.",
    ],
)
def test_a_line_that_does_not_say_it_stays_as_it_is(services, digest):
    session(services, "My sister Ines lives in Porto.", digest)
    fact = know(services, "The user's sister Ines lives in Porto.")
    services.memories.edit_fact(fact.id, content="The user's sister Ines lives in Lisbon.")
    found = block(services, digest, "episode")
    assert digest in found
    assert "[now:" not in found


def test_a_correction_kept_here_or_of_a_word_only_adds_nothing(services):
    session(services, "My sister Ines lives in Porto.", "The user's sister Ines lives in Porto.")
    fact = know(services, "the user's sister Ines lives in Porto")
    services.memories.edit_fact(fact.id, content="The user's sister Ines lives in Porto.")
    assert "[now:" not in block(services, "Where does my sister live?", "episode")
    edited = services.memories.edit_fact(fact.id, content="The user's sister Ines lives in Lisbon.")
    services.recall.store.write(lambda repos: repos.items.put(replace(edited, privacy="local_only")))
    assert "[now:" not in block(services, "Where does my sister live?", "episode")
