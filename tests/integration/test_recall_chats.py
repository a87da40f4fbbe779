"""Recall on chats as the app has them: a user who says "I", and an assistant that answers at length."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memdesk.bench.recall import main
from memdesk.bench.recall_measure import Answered, measure
from memdesk.bench.recall_rig import load, profile
from memdesk.bench.recall_talks import read_talks
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.data import LANGUAGES
from memdesk.domain.language.text import sentences
from memdesk.domain.models import FactSource, FactStatus
from memdesk.domain.reading.plainly import PlainReader
from memdesk.domain.recalling.query import read_query
from memdesk.services.recalling.bearing import Bearing
from memdesk.services.recording import IngestTurn
from tests.helpers.parser import read_here

DATA = Path(__file__).resolve().parents[1] / "data" / "recall"
NAMES = ("assistant_en", "assistant_de")


@pytest.fixture(scope="module")
def chats(tmp_path_factory):
    conversations = {name: read_talks(DATA / f"{name}.json")[0] for name in NAMES}
    with profile(tmp_path_factory.mktemp("chats")) as services:
        load(services, list(conversations.values()), distill=False)
        yield services, conversations


def block_of(services, conversation, question, budget, section="transcript"):
    return services.recall.context(
        agent_id=conversation.name,
        query=question.text,
        budget_tokens=budget,
        section=section,
        session_now=question.now,
    ).block


@pytest.mark.model
@pytest.mark.parametrize("word", ["Go on.", "Go on then", "Yes, do that."])
def test_what_names_nothing_to_look_for_gets_nothing_for_what_was_said_before(chats, word):
    services, conversations = chats
    talk = conversations["assistant_en"]
    before = [one.text for one in talk.questions if one.evidence][:6]
    got = [services.recall.context(agent_id=talk.name, query=word, history=[text]) for text in before]
    assert {receipt.section for receipt in got} == {"none"}
    asked = services.recall.context(agent_id=talk.name, query=before[0])
    assert asked.section != "none"


@pytest.mark.model
@pytest.mark.parametrize("name", NAMES)
def test_first_person_questions_find_what_was_said_in_few_tokens(chats, name):
    services, conversations = chats

    def answer(talk, asked, budget):
        return Answered(block_of(services, talk, asked, budget), frozenset())

    found = measure(conversations[name], answer, 200)
    assert found.evidence >= 0.85
    assert found.answer_words >= 0.85
    assert found.mean_tokens < 200


@pytest.mark.model
@pytest.mark.parametrize("name", NAMES)
def test_the_gate_opens_for_first_person_questions(chats, name):
    services, conversations = chats
    talk = conversations[name]
    questions = [one for one in talk.questions if read_query(one.text, one.now.date()).of_self]
    assert len(questions) > 5
    opened = [bool(block_of(services, conversations[name], one, 800, "auto")) for one in questions]
    assert sum(opened) >= 0.9 * len(questions)


@pytest.mark.model
def test_an_answer_is_shown_by_its_telling_sentences_unless_it_is_asked_for(chats):
    services, conversations = chats
    talk = conversations["assistant_en"]
    trails = next(one for one in talk.questions if one.text.startswith("Which trails did you suggest"))
    assert "Stubai" in block_of(services, talk, trails, 400)
    rent = next(one for one in talk.questions if one.text.startswith("How much did my landlord want"))
    lines = block_of(services, talk, rent, 400).split("\n")
    assert all(len(line) < 350 for line in lines)


@pytest.mark.model
def test_the_chats_can_be_benched(capsys):
    assert main([str(DATA / "assistant_de.json"), "--quick", "--budget", "400"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("evidence ")


CARE = {
    "allergy": ("be allergic to", "hazelnuts", "The user is allergic to hazelnuts."),
    "diet": ("be", "vegetarian", "The user is a vegetarian."),
    "condition": ("have", "asthma", "The user has asthma."),
    "medication": ("take", "warfarin", "The user takes warfarin every day."),
}
#: What the questions of each group must not be answered without.
NEEDED = {
    "bears": ("hazelnuts",),
    "allergy and diet": ("hazelnuts", "vegetarian"),
    "condition": ("asthma",),
    "medication": ("warfarin",),
}


@pytest.mark.model
@pytest.mark.parametrize(("name", "least"), [("care_people", 0.93), ("care_people_blind", 0.85)])
def test_what_people_told_of_dangers_comes_with_what_it_bears_on(tmp_path, monkeypatch, name, least):
    """Their writers knew nothing of memdesk; a message ``needs`` the words of a told line, or nothing of the kind."""
    read_here(monkeypatch)
    people = [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    shown, elsewhere = [], []
    with profile(tmp_path / "care") as services:
        for person in people:
            services.agents.ensure(person["id"])
            services.agents.edit(person["id"], shares_identity=False)
            turns = [IngestTurn(user=text, assistant="All right.") for text in person["told"]]
            services.ingest.ingest(agent_id=person["id"], conversation_id="told", turns=turns)
            services.distillation.distill(person["id"], "told")
            services.indexing.flush()
            critical = {word.lower() for asked in person["asks"] for word in asked["needs"]}
            for asked in person["asks"]:
                block = services.recall.context(agent_id=person["id"], query=asked["text"]).block.lower()
                if asked["needs"]:
                    shown.append(all(word.lower() in block for word in asked["needs"]))
                else:
                    elsewhere.append(any(word in block for word in critical))
    assert sum(shown) >= least * len(shown)
    assert sum(elsewhere) <= 0.1 * len(elsewhere)


@pytest.mark.model
def test_critical_facts_are_shown_where_relevant_and_hardly_elsewhere(tmp_path):
    prompts = [json.loads((DATA / f"{name}.json").read_text()) for name in ("bearing", "bearing_lives")]
    now = datetime(2024, 6, 1, tzinfo=UTC)
    facts = [
        MemoryItem(
            id=attribute,
            agent_id="cook",
            content=content,
            statement=Statement(subject="user", predicate=predicate, object=value, attribute=attribute),
            created_at=now,
            updated_at=now,
        )
        for attribute, (predicate, value, content) in CARE.items()
    ]
    shown, elsewhere = [], []
    with profile(tmp_path / "bearing") as services:
        services.agents.ensure("cook")
        for fact in facts:
            services.recall.store.write(lambda repos, fact=fact: repos.items.put(fact))
        services.indexing.flush()
        for group, questions in ((group, asked) for one in prompts for group, asked in one.items()):
            for question in questions:
                block = services.recall.context(agent_id="cook", query=question).block
                if group in NEEDED:
                    shown.append(all(word in block for word in NEEDED[group]))
                else:
                    elsewhere.append(any(value in block for _, value, _ in CARE.values()))
    assert sum(shown) >= 0.98 * len(shown)
    assert sum(elsewhere) <= 0.07 * len(elsewhere)


def order(text, now):
    said = Statement(subject="assistant", predicate="do", object="it", attribute="instruction", quote=text)
    return MemoryItem(id=text, agent_id="cook", content=text, statement=said, created_at=now, updated_at=now)


def learned(text, now):
    return MemoryItem(id=text, tier="always", origin="distiller", content=text, created_at=now, updated_at=now)


def shown_with(folder, name, said, made):
    """Return whether each line came with each message, of every reply, of its own topics, and elsewhere.

    Args:
        folder: of a profile.
        name: of a file whose lines say which topics of messages they bear on, "*" for all.
        said: its table of lines.
        made: makes an item of a line and a time.
    """
    now = datetime(2024, 6, 1, tzinfo=UTC)
    of_every, of_its_own, elsewhere = [], [], []
    with profile(folder) as services:
        bearing = Bearing(services.indexing)
        for cases in json.loads((DATA / name).read_text()).values():
            for topic, asked in ((topic, one) for topic, some in cases["messages"].items() for one in some):
                bears = bearing.on(services.recall.searcher.ask("cook", asked, now))
                for text, topics in cases[said].items():
                    kind = of_every if topics == "*" else of_its_own if topic in topics.split() else elsewhere
                    kind.append(bears(made(text, now)))
    return of_every, of_its_own, elsewhere


@pytest.mark.model
def test_a_standing_instruction_comes_with_what_it_is_about(tmp_path):
    of_every, of_its_own, elsewhere = shown_with(tmp_path / "desk", "instructions.json", "instructions", order)
    assert sum(of_every) >= 0.98 * len(of_every)
    assert sum(of_its_own) >= 0.98 * len(of_its_own)
    assert sum(elsewhere) <= 0.3 * len(elsewhere)


@pytest.mark.model
def test_a_line_about_the_user_comes_with_what_it_is_about_and_a_name_with_everything(tmp_path):
    of_every, of_its_own, elsewhere = shown_with(tmp_path / "desk", "identity.json", "lines", learned)
    assert sum(of_every) >= 0.98 * len(of_every)
    assert sum(of_its_own) >= 0.85 * len(of_its_own)
    assert sum(elsewhere) <= 0.12 * len(elsewhere)


@pytest.mark.model
def test_a_plain_question_gets_the_users_name_and_what_asks_for_who_they_are_gets_all(tmp_path):
    lines = ("The user's name is Ada Berger.", "The user lives in Graz.", "The user has two children.")
    with profile(tmp_path / "lines") as services:
        services.agents.ensure("any")
        for line in lines:
            services.memories.add_identity(line)
        plain = services.recall.context(agent_id="any", query="Who painted Guernica?").block
        out = services.recall.context(agent_id="any", query="Where can we eat out tonight?").block
        whole = services.recall.context(agent_id="any", query="Tell me.", section="identity").block
    assert [line in plain for line in lines] == [True, False, False]
    assert [line in out for line in lines][:2] == [True, True]
    assert all(line in whole for line in lines)


@pytest.mark.model
@pytest.mark.parametrize(
    "line", ["The user is an alto.", "The user joined the parish choir.", "The user sold the boat."]
)
def test_what_is_like_nothing_known_comes_with_every_reply_only_if_the_user_wrote_it(tmp_path, line):
    now = datetime(2024, 6, 1, tzinfo=UTC)
    item = learned(line, now)
    with profile(tmp_path / "strange") as services:
        bears = Bearing(services.indexing).on(services.recall.searcher.ask("any", "Who painted Guernica?", now))
        assert not bears(item)
        assert bears(replace(item, origin="user"))


@pytest.mark.model
def test_warming_up_needs_no_line_about_the_user(tmp_path):
    with profile(tmp_path / "nobody") as services:
        services.agents.ensure("any")
        services.recall.warm_up("any")
        assert services.recall.context(agent_id="any", query="Where can we eat out tonight?").block == ""


@pytest.mark.model
def test_after_warming_up_a_question_embeds_itself_alone(tmp_path):
    with profile(tmp_path / "warm") as services:
        services.agents.ensure("any")
        services.memories.add_identity("The user lives in Graz.")
        services.recall.warm_up("any")
        before = services.recall.stats()["query_vectors"]["misses"]
        services.recall.context(agent_id="any", query="Where can we eat out tonight?")
        # As a question, and as a text that is like others.
        assert services.recall.stats()["query_vectors"]["misses"] - before == 2


@pytest.mark.model
def test_many_instructions_leave_an_allergy_its_line(tmp_path):
    now = datetime(2024, 6, 1, tzinfo=UTC)
    orders = [
        order(f"Never use the word {number}.", now + timedelta(days=1)) for number in ("six", "seven", "eight") * 3
    ]
    said = Statement(subject="user", predicate="be allergic to", object="hazelnuts", attribute="allergy")
    allergy = replace(
        orders[0], id="hazelnuts", content="The user is allergic to hazelnuts.", statement=said, updated_at=now
    )
    with profile(tmp_path / "many") as services:
        services.agents.ensure("cook")
        for fact in [replace(one, id=str(at)) for at, one in enumerate(orders)] + [allergy]:
            services.recall.store.write(lambda repos, fact=fact: repos.items.put(fact))
        services.indexing.flush()
        block = services.recall.context(agent_id="cook", query="What should I cook tonight?").block
    assert "hazelnuts" in block


@pytest.mark.model
def test_an_allergy_among_the_lines_about_the_user_is_shown_once_and_only_where_relevant(tmp_path):
    now = datetime(2024, 6, 1, tzinfo=UTC)
    said = Statement(subject="user", predicate="be allergic to", object="hazelnuts", attribute="allergy")
    line = MemoryItem(
        id="line",
        agent_id="cook",
        tier="always",
        origin="distiller",
        content="The user is allergic to hazelnuts.",
        statement=said,
        created_at=now,
        updated_at=now,
    )
    with profile(tmp_path / "once") as services:
        for agent in ("cook", "coach"):
            services.agents.ensure(agent)
        for item in (line, replace(line, id="fact", tier="kept")):
            services.recall.store.write(lambda repos, item=item: repos.items.put(item))
        services.indexing.flush()
        for agent in ("cook", "coach"):
            dinner = services.recall.context(agent_id=agent, query="What should I cook tonight?").block
            assert dinner.count("allergic to hazelnuts") == 1
            assert "hazelnuts" not in services.recall.context(agent_id=agent, query="Who wrote Faust?").block


@pytest.mark.model
def test_a_message_that_says_what_was_replaced_says_what_counts_now(tmp_path):
    now = datetime(2024, 6, 1, tzinfo=UTC)
    with profile(tmp_path / "now") as services:
        services.agents.ensure("cook")
        said = [IngestTurn(user="Our van is a Renault.", assistant="A fine van.")]
        services.ingest.ingest(agent_id="cook", conversation_id="first", turns=said, wait=False)
        with services.recall.store.read() as repos:
            turn = next(turn for turn in repos.turns.of_conversation("cook", "first") if turn.role == "user")
        first, second, third = (
            MemoryItem(id=name, agent_id="cook", content=f"The user's van is a {name}.", created_at=now, updated_at=now)
            for name in ("Renault", "Ford", "Fiat")
        )
        old = FactStatus.SUPERSEDED
        source = (FactSource(turn_id=turn.id, quote="Our van is a Renault"),)
        rows = [
            replace(first, status=old, superseded_by="Ford", sources=source),
            replace(second, status=old, superseded_by="Fiat"),
            third,
            # Told further on in the message, where the block does not show it.
            replace(
                first,
                id="Lang",
                status=old,
                superseded_by="Vik",
                sources=(FactSource(turn_id=turn.id, quote="Dentist: Lang"),),
            ),
            replace(first, id="Vik", content="The user's dentist is Vik."),
        ]
        services.recall.store.write(lambda repos: repos.items.put_many(rows))
        services.indexing.flush()
        block = services.recall.context(agent_id="cook", query="Which van do we drive?", section="transcript").block
        assert "User: Our van is a Renault. [now: The user's van is a Fiat.]" in block
        assert "Vik" not in block
        hidden = replace(third, privacy="local_only")
        services.recall.store.write(lambda repos: repos.items.put(hidden))
        services.recall.invalidate("cook")
        block = services.recall.context(agent_id="cook", query="Which van do we drive?", section="transcript").block
        assert "Renault" in block
        assert "Fiat" not in block


@pytest.mark.model
def test_what_was_never_told_gets_no_lines_that_are_merely_near(chats):
    services, conversations = chats
    talk = conversations["assistant_en"]
    asked = replace(talk.questions[0], text="What is my blood type?")
    assert block_of(services, talk, asked, 800, "auto") == ""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Lend memories that told of a topic, with questions for what was told and others on the topic in general."""
    chosen = {"allotment-moira", "nurse-devon", "jardin-lucie", "huis-sanne"}
    talks = [talk for talk in read_talks(DATA / "topics_judged.jsonl") if talk.name.partition("-")[2] in chosen]
    with profile(tmp_path_factory.mktemp("told")) as services:
        load(services, talks, distill=False)
        yield services, talks


@pytest.mark.model
def test_what_is_asked_of_a_told_topic_in_general_gets_no_memory_and_what_was_told_does(told):
    services, talks = told

    def opened(asks):
        got = [services.recall.context(agent_id=talk.agent, query=one.text) for talk in talks for one in asks(talk)]
        return [receipt.query for receipt in got if receipt.section != "none"], len(got)

    idle, asked = opened(lambda talk: talk.idle), opened(lambda talk: talk.questions)
    assert len(idle[0]) <= 0.05 * idle[1], idle[0]
    assert len(asked[0]) >= 0.9 * asked[1], asked[0]
    assert not {"what is compost?", "how do bicycles stay upright?", "C'est quoi le compost ?"} & {*idle[0]}
    assert {"what did I put in the compost", "which bike did i sell and who to", "what does the landlord want"} <= {
        *asked[0]
    }


@pytest.mark.model
@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_the_gate_holds_in_a_language_that_the_embedder_was_not_taught(tmp_path, language):
    """All of its sentences are alike to such an embedder, so that likeness is weighed against its own noise."""
    cases = json.loads((DATA / "languages.json").read_text())[language]
    with profile(tmp_path / "desk") as services:
        services.agents.ensure("cook")
        turns = [IngestTurn(user=text, assistant="OK.") for text in cases["said"]]
        services.ingest.ingest(agent_id="cook", conversation_id="one", turns=turns)
        for seq, text in enumerate(cases["said"]):
            line = replace(learned(text, datetime(2024, 6, 1, tzinfo=UTC)), id=f"line-{seq}")
            services.recall.store.write(lambda repos, line=line: repos.items.put(line))
        services.indexing.flush()
        found = [
            word.lower() in services.recall.context(agent_id="cook", query=query).block.lower()
            for query, word in cases["asked"].items()
        ]
        blocks = [services.recall.context(agent_id="cook", query=query) for query in cases["nothing"]]
    assert sum(found) >= 0.85 * len(found)
    assert sum(one.section != "none" for one in blocks) <= 0.2 * len(blocks)
    # Of the lines about the user hardly any come with what asks for nothing of theirs, but how replies are to be does.
    standing = [sentences(text)[0].casefold() for text in cases["said"] if PlainReader(language).is_standing(text)]
    lines = [line.casefold() for one in blocks for line in one.block.split("\n") if line.startswith("- ")]
    others = [line for line in lines if not any(order in line for order in standing)]
    assert len(others) <= 0.15 * len(blocks) * len(turns)


@pytest.mark.model
@pytest.mark.parametrize("name", ["named_1", "named_2", "named_3"])
def test_who_asks_of_somebody_known_is_told_in_a_memory_of_four_lines(tmp_path, name):
    """In six languages; who only mentions them, thanks them or hands a text over that names them asks nothing of them."""
    talks = read_talks(DATA / f"{name}.jsonl")
    with profile(tmp_path / "desk", extraction_mode="rules") as services:
        load(services, talks, distill=True)

        def opened(asks):
            got = [services.recall.context(agent_id=talk.agent, query=one.text) for talk in talks for one in asks(talk)]
            return [receipt.query for receipt in got if receipt.section != "none"], len(got)

        asked, idle = opened(lambda talk: talk.questions), opened(lambda talk: talk.idle)
    assert len(asked[0]) >= 0.85 * asked[1], asked[0]
    assert len(idle[0]) <= 0.15 * idle[1], idle[0]
