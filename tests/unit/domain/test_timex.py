from datetime import date

import pytest

from memdesk.domain.language.timex import Period, find_periods
from memdesk.domain.recalling.query import rarest, read_query

TODAY = date(2023, 10, 22)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("what did I do last May?", date(2023, 5, 1), date(2023, 5, 31)),
        ("on 7 May", date(2023, 5, 7), date(2023, 5, 7)),
        ("on 24 December", date(2022, 12, 24), date(2022, 12, 24)),
        ("on March 3rd, 2021", date(2021, 3, 3), date(2021, 3, 3)),
        ("the 2nd of June 2022", date(2022, 6, 2), date(2022, 6, 2)),
        ("2023-05-07", date(2023, 5, 7), date(2023, 5, 7)),
        ("in November", date(2022, 11, 1), date(2022, 11, 30)),
        ("in 2021", date(2021, 1, 1), date(2021, 12, 31)),
        ("February 2024", date(2024, 2, 1), date(2024, 2, 29)),
        ("yesterday", date(2023, 10, 21), date(2023, 10, 21)),
    ],
)
def test_periods(text, start, end):
    assert find_periods(text, TODAY) == [Period(start, end)]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("in November", date(2023, 11, 1)),
        ("in March", date(2024, 3, 1)),
        ("on 24 December", date(2023, 12, 24)),
        ("on 7 May", date(2024, 5, 7)),
        ("in March 2021", date(2021, 3, 1)),
    ],
)
def test_what_is_said_of_what_comes_is_of_the_next_month_of_that_name(text, start):
    assert [period.start for period in find_periods(text, TODAY, ahead=True)] == [start]


@pytest.mark.parametrize("text", ["may I ask", "31 February", "room 2021", "2023-13-45", ""])
def test_no_periods(text):
    assert find_periods(text, TODAY) == []


def test_distance():
    week = Period(date(2023, 5, 1), date(2023, 5, 7))
    assert [week.distance(date(2023, 5, day)) for day in (3, 7, 9)] == [0, 0, 2]
    assert week.distance(date(2023, 4, 29)) == 2


@pytest.mark.parametrize(
    ("text", "several", "course"),
    [
        ("How many recipes have I tried?", True, False),
        ("Which new streets did we walk down?", True, False),
        ("What films has Ivan seen?", True, False),
        ("Who has been invited so far?", True, False),
        ("In what order did the guests arrive?", True, True),
        ("What did we agree on about the fence?", True, True),
        ("What came first, the roof or the cellar?", True, True),
        ("Was that the first coat or not?", False, False),
        ("Did the roofer come before or after the painter?", True, True),
        ("Wie viele Bücher habe ich gelesen?", True, False),
        ("In welcher Reihenfolge kamen die Gäste?", True, True),
        ("¿Cuántas veces fui?", True, False),
        ("Dans quel ordre sont-ils venus ?", True, True),
        ("How much did the boat cost?", False, False),
        ("What does Nora do?", False, False),
        ("Which bus goes there?", False, False),
        ("Which city has Nora seen?", False, False),
        ("Can I order a pizza?", False, False),
    ],
)
def test_a_question_for_several_things_or_for_how_it_came_about_is_told(text, several, course):
    query = read_query(text, TODAY)
    assert (query.wants_several, query.wants_course) == (several, course)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("What has changed about my diet since spring?", {"several", "course"}),
        ("In welchem Jahr haben wir geheiratet?", {"time"}),
        ("Was hat sich bei meinem Training geändert?", {"several", "course"}),
        ("Wie viel hat das Fahrrad gekostet?", set()),
        ("En quelle année ai-je déménagé ?", {"time"}),
        ("Qu’est-ce qui a changé dans mon traitement ?", {"several", "course"}),
        ("¿En qué año compramos la casa?", {"time"}),
        ("¿Quién arregló mi coche?", {"name"}),
        ("Quando ho cambiato lavoro?", {"time"}),
        ("Quante maratone ho corso?", {"several"}),
        ("Quali città abbiamo visitato?", {"several"}),
        ("In che ordine ho fatto gli esami?", {"several", "course"}),
        ("Che cosa mi hai consigliato per il mal di schiena?", {"assistant"}),
        ("Chi ha riparato la mia caldaia?", {"name"}),
        ("Mi piace il gorgonzola?", set()),
        ("Sinds wanneer loop ik hard?", {"time"}),
        ("Hoeveel huizen heb ik bekeken?", {"several"}),
        ("Hoeveel kostte de ketel?", set()),
        ("Wat hebben we over de keuken besloten?", {"several", "course"}),
        ("Wat heb je me aangeraden tegen slakken?", {"assistant"}),
        ("Wie heeft mijn fiets gemaakt?", {"name"}),
        ("Houd ik van oesters?", set()),
        ("Is my passport still valid?", set()),
        ("I ordered the parts when I was in Leeds, are they any good?", set()),
    ],
)
def test_what_a_question_asks_for_is_told_in_every_language(text, asks):
    query = read_query(text, TODAY)
    told = {
        "time": query.wants_time,
        "name": query.wants_name,
        "several": query.wants_several,
        "course": query.wants_course,
        "assistant": query.of_assistant,
    }
    assert {name for name, is_asked in told.items() if is_asked} == asks


def test_questions_are_read_once():
    query = read_query("When did Nora paint her kitchen in May 2023?", TODAY, speakers=["Nora", "Ivan"])
    assert query.terms == ("paint", "kitchen", "may", "2023")
    assert query.names == {"nora"}
    assert query.wants_time
    assert not query.of_self
    assert query.search_terms[-1] == "nora"
    assert read_query("Which book did I read?", TODAY).wants_name


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("Hey, can you tell me when Nora left?", "when Nora left?"),
        ("ok so please remind me again which boats she built", "which boats she built"),
        ("Kannst du mir sagen, wann Nora ging?", "wann Nora ging?"),
        ("Peux-tu me dire où habite Nora ?", "où habite Nora ?"),
        ("¿Puedes decirme dónde vive Nora?", "¿Puedes decirme dónde vive Nora?"),
        ("Tell me more", "Tell me more"),
        ("Somebody told me why the ferry left", "Somebody told me why the ferry left"),
        ("Well water tastes of iron", "water tastes of iron"),
        ("Sofia left when?", "Sofia left when?"),
    ],
)
def test_openings_ask_for_nothing(asked, read):
    assert read_query(asked, TODAY).text == read


def test_a_question_of_names_or_function_words_alone_still_searches():
    assert read_query("Nora?", TODAY, speakers=["Nora"]).terms == ("nora",)
    assert read_query("what was that about?", TODAY).terms == ("what", "was", "that", "about")
    assert read_query("", TODAY).terms == ()


def test_long_questions_are_read_by_their_longest_words():
    query = read_query(" ".join(f"word{i:03}" for i in range(500)), TODAY)
    assert len(query.terms) == 24


def test_common_words_are_left_out_on_large_stores():
    frequency = {"rare": 3, "some": 900, "common": 50_000, "absent": 0}
    assert rarest(list(frequency), frequency, 1_000, 10_000) == list(frequency)
    assert rarest(list(frequency), frequency, 1_000_000, 10_000) == ["rare", "some"]
    assert rarest(["common"], frequency, 1_000_000, 10_000) == ["common"]
    assert rarest(["absent"], frequency, 1_000_000, 10_000) == ["absent"]


def test_a_question_may_be_about_its_asker_or_about_an_answer():
    assert read_query("Wohin reisen wir?", TODAY).of_self
    for text in (
        "Qui me livre la farine ?",
        "Quel instrument j'apprends ?",
        "Qui m'apprend la guitare ?",
        "¿Quién nos presta la moto?",
        "Wie leent me de fiets?",
    ):
        assert read_query(text, TODAY).of_self, text
    assert read_query("Dove abita la nostra vicina?", TODAY).of_self
    assert read_query("Which tea did you recommend for my throat?", TODAY).of_assistant
    assert read_query("Was hast du mir geraten?", TODAY).of_assistant
    assert not read_query("Which tea do I like?", TODAY).of_assistant
