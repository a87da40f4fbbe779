"""Reading chats with an assistant, with the real parser: labeled sets, and what grammar must not get wrong."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from memdesk.bench.labeled import load, measure
from memdesk.domain.language.analysis import Analysis, Token
from memdesk.domain.reading.candidates import SourceTurn
from memdesk.domain.reading.care import CARE
from memdesk.domain.reading.extractor import ASSISTANT
from memdesk.domain.reading.injection import order_in
from memdesk.domain.reading.wording import names_in
from memdesk.services.distilling.plan import REVIEW_BELOW
from tests.helpers.parser import read_turns
from tests.helpers.planted import CLAIMS, DISGUISES, FRAMES, LOOK_ALIKES, ORDERS, ORDERS_ELSEWHERE, handed_on, told

pytestmark = pytest.mark.model
SETS = Path(__file__).parents[2] / "data" / "reading"
DAY = date(2026, 11, 21)


@pytest.fixture
def read():
    """Read a chat of user and assistant in turn."""

    def of(*texts):
        return extraction([(text, bool(number % 2)) for number, text in enumerate(texts)])

    return of


def extraction(said):
    turns = [
        SourceTurn(
            id=str(number),
            speaker=ASSISTANT if assistant else "the user",
            listener="the user" if assistant else ASSISTANT,
            text=text,
            day=DAY,
            provenance="assistant" if assistant else "user",
            own=not assistant,
        )
        for number, (text, assistant) in enumerate(said)
    ]
    return read_turns(turns)


def lasting(found):
    """Return what is kept, whatever else is remembered."""
    return [candidate for candidate in found.candidates if candidate.lasts and not candidate.tentative]


def lines(found):
    return [one.text for one in found.candidates if len(one.spans) == 1 and not one.tentative]


def statement(found):
    (one,) = [candidate.statement for candidate in lasting(found)]
    return one


# What is held to is a little below what was measured; resources/docs/distillation.md has the figures.
@pytest.mark.parametrize(
    ("name", "recall", "precision"),
    [
        ("chats", 0.93, 0.95),
        ("chats_lives", 0.9, 0.9),
        ("chats_people", 0.85, 0.85),
        ("chats_strangers", 0.88, 0.93),
        ("chats_strangers2", 0.88, 0.93),
        ("chats_strangers3", 0.84, 0.93),
        ("single", 0.9, 0.95),
        ("everyday", 0.9, 0.95),
        ("standing", 0.9, 0.95),
        ("care", 0.95, 0.95),
        ("de", 0.85, 0.9),
        ("fr", 0.85, 0.9),
        ("es", 0.85, 0.9),
        ("it", 0.85, 0.9),
        ("nl", 0.85, 0.9),
    ],
)
def test_what_is_worth_keeping_is_kept_and_little_else(name, recall, precision):
    def keep(chat):
        found = extraction([(turn.text, turn.assistant) for turn in chat])
        return [candidate.text for candidate in lasting(found)]

    figures = measure(load(SETS / f"{name}.txt"), keep)
    assert figures.recall >= recall, figures.missed
    assert figures.precision >= precision, figures.wrong


@pytest.mark.parametrize(
    ("said", "subject", "predicate", "object_", "attribute"),
    [
        ("My landlady is called Mrs Ito.", "user's landlady", "be called", "Mrs Ito", "name"),
        ("I moved from Ghent to Namur.", "user", "move to", "Namur", "home"),
        ("I'm severely allergic to walnuts.", "user", "be allergic to", "walnuts", "allergy"),
        ("My friend Ada works as a welder.", "user's friend Ada", "work as", "welder", "occupation"),
        ("My hat size is 58.", "user's hat size", "be", "58", "hat size"),
        ("I weigh 82 kilos.", "user", "weigh", "82 kilos", "weight"),
        ("I take 50 mg of metoprolol.", "user", "take", "50 mg of metoprolol", "medication"),
        ("I don't eat pork.", "user", "eat", "pork", "diet"),
        ("Strawberries give me hives.", "Strawberries", "give", "hives", "allergy"),
        ("Even a trace of peanuts could kill me.", "Even trace of peanuts", "kill", "me", "allergy"),
        ("I panic at spiders.", "user", "panic at", "spiders", "condition"),
        ("Bus 12 stops at the harbor.", "Bus 12", "stop at", "harbor", ""),
        ("Flight 302 leaves at nine.", "user's flight 302", "leave at", "nine", ""),
        ("I rent garage 12.", "user", "rent", "garage 12", ""),
    ],
)
def test_the_fields_of_a_statement(read, said, subject, predicate, object_, attribute):
    found = statement(read(said, "Ok."))
    assert (found.subject, found.predicate, found.object, found.attribute) == (subject, predicate, object_, attribute)


def test_what_ended_what_is_denied_and_what_took_its_place(read):
    over = statement(read("I no longer work night shifts.", "Ok."))
    assert (over.holds, over.ended) == (False, True)
    former = statement(read("I used to live in Cardiff.", "Ok."))
    assert (former.predicate, former.object, former.holds, former.ended) == ("live in", "Cardiff", False, True)
    sold, bought = [c.statement for c in read("I sold the Skoda and bought a Kia.", "Ok.").candidates if c.lasts]
    assert sold.ended
    assert (bought.object, bought.replaces) == ("Kia", "Skoda")


def test_qualifiers_narrow_a_statement(read):
    climbing = statement(read("On Tuesdays I go climbing with Ines.", "Ok.")).qualifiers
    assert (climbing.time, climbing.company) == ("On Tuesdays", "Ines")
    cats = statement(read("I have two cats.", "Ok.")).qualifiers
    assert cats.amount == "2"
    arm = statement(read("I broke my arm in 2011.", "Ok.")).qualifiers
    assert (arm.begins, arm.ends) == (date(2011, 1, 1), date(2011, 12, 31))


def test_verbs_agree_with_the_user_in_the_third_person(read):
    said = (
        "I no longer work night shifts.",
        "Ok.",
        "I work at Acme Corp.",
        "Ok.",
        "We always put milk in first.",
        "Ok.",
    )
    assert lines(read(*said)) == [
        "The user no longer works night shifts.",
        "The user works at Acme Corp.",
        "The user always puts milk in first.",
    ]


#: What nobody would write of another.
CLUMSY = re.compile(
    r"his_|her_|and others\b|said that the user|user user|\b(?:I|my|me|we|our|us)\b|user(?:'s)? (?:am|'m|'ve|'re|haven't|don't)\b| [,.;]|"
    r"  |\.\.|\b(\w+) \1\b|^[a-z]|[^.!?)\u201d\"]$"
)
#: Verbs that agree with one person and stand behind "the user" in their bare form only where others are joined to it.
BARE = re.compile(
    r"^The user (?:also |always |never |often |still |no longer )?(?:are|have|do|work|live|want|like|need|go|use|take|play)\b"
)


@pytest.mark.parametrize("name", ["chats", "chats_lives", "single"])
def test_lines_are_worded_as_one_would_write_them(name):
    chats = [[(turn.text, turn.assistant) for turn in chat] for chat in load(SETS / f"{name}.txt")]
    told = [line for chat in chats for line in lines(extraction(chat)) if "\u201c" not in line]
    assert [line for line in told if CLUMSY.search(line) or BARE.search(line)] == []
    assert [line for line in told if line.count('"') % 2 or line.count("(") != line.count(")")] == []


def test_what_others_say_and_think_is_no_fact_of_the_user(read):
    found = read("My friend Bo says all nurses are rich.", "Ok.", "My aunt thinks I should quit.", "Ok.")
    assert lines(found) == []


def test_standing_instructions_are_told_from_orders_for_now(read):
    kept = read("Keep your answers short from now on.", "Ok.", "Don't ever use emojis when you write to me.", "Ok.")
    assert lines(kept) == [
        "The user asks the assistant to keep its answers short from now on.",
        "The user asks the assistant never to use emojis when it writes to them.",
    ]
    assert {c.statement.attribute for c in kept.candidates if c.lasts} == {"instruction"}
    assert lines(read("Keep it short.", "Ok.", "Answer this in one word.", "Ok.")) == []


@pytest.mark.parametrize(
    "order",
    [
        "When I ask for recipes, always use grams.",
        "When you show me code, explain it line by line.",
        "When I ask for a recipe, make it for two.",
        "Use the 24 hour clock.",
        "Use metric units.",
        "Whenever I mention rowing, remind me to warm up.",
        "If I ask about my taxes, tell me that you are no accountant.",
        "Warn me about my wrist when I talk about climbing.",
        "When we discuss flights, show trains too.",
        "Don't mention ghosts.",
        "Don't talk about politics.",
        "Don't give me bullet points.",
    ],
)
def test_an_order_for_each_time_and_one_on_what_is_measured_by_are_standing(read, order):
    (candidate,) = read(order, "Ok.").candidates
    assert candidate.statement.attribute == "instruction"


@pytest.mark.parametrize(
    "text",
    [
        "When the oven is hot, always use gloves.",
        "When should I use the oven?",
        "When I ask you something, do you always use the web?",
        "When I was a child, my mother used grams.",
        "Use a clock in the picture.",
        "Use the red template.",
        "Use two eggs.",
        "If I go to Ghent, remind me to buy stamps.",
        "When I get home, remind me to call Tom.",
        "Don't mention the price.",
        "Don't mention prices in the letter.",
        "Don't buy a table for the kitchen yet.",
    ],
)
def test_what_only_looks_like_a_standing_order_is_none(read, text):
    assert [c for c in read(text, "Ok.").candidates if c.statement and c.statement.attribute == "instruction"] == []


def test_a_part_is_played_until_its_speaker_leaves_it(read):
    story = ("Write a story in which I am a pirate.", "You sailed away.", "I want two ships now.", "You had two ships.")
    assert lines(read(*story)) == []
    assert lines(read(*story, "Great, thanks! I live in Graz.", "Nice.")) == ["The user lives in Graz."]
    game = ("Let's roleplay: I am a detective.", "Go on.", "I found a glove.", "Oh.")
    assert lines(read(*game)) == []
    assert lines(read(*game, "By the way, I live in Graz.", "Nice.")) == ["The user lives in Graz."]


def test_laughter_ends_a_part_unless_its_speaker_plays_on(read):
    story = ("Write a story in which I am a pirate.", "You sailed away.")
    assert lines(read(*story, "haha my brother Ole is a bus driver", "Nice.")) == [
        "The user's brother Ole is a bus driver."
    ]
    assert lines(read(*story, "lol now I want to own two ships", "Done.", "my parrot is called Nelson", "Ok.")) == []
    assert lines(read(*story, "haha I climb the mast", "Go on.", "I live on the mast", "Ok.")) == []
    assert lines(read("i smell gnome. your move", "The gnome hides.", "i grab my sister", "It runs.")) == []


def test_what_is_handed_over_to_be_worked_on_is_not_the_users(read):
    assert lines(read("Take a letter. Dear Gerald, I am eighty-four and have no patience.", "Done.")) == []
    assert lines(read('Write to my landlord that "my dog does not bite"', "Done.")) == []
    assert lines(read("Translate into French: I live in Berlin and my brother is a pilot.", "...")) == []
    assert lines(read("Can you proofread this? Dear team, I am allergic to meetings.", "...")) == []


@pytest.mark.parametrize(
    ("said", "object_"),
    [
        ("A note to myself: I take metformin at eight.", "metformin"),
        ("Some facts about myself: I have two cats.", "two cats"),
    ],
)
def test_what_somebody_notes_down_for_themselves_is_their_own(read, said, object_):
    assert statement(read(said)).object == object_


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Refactor this class. I mostly write Elixir.", ["The user mostly writes Elixir."]),
        ("Convert this script for me. My laptop runs Debian.", ["The user's laptop runs Debian."]),
        ("shorten this please. im dyslexic", ["The user is dyslexic."]),
        (
            "proofread this pls. im dyslexic.\n\nHello Mr Ito, I have two cats and I live in Ghent.",
            ["The user is dyslexic."],
        ),
        ("Check this text, please.\nMy brother live in Ghent.", []),
        ("Translate this message. My mother has sold her house.", []),
        ("Rewrite this paragraph. I was born in Ghent. I have two cats.", []),
        ("Could you shorten this abstract? We study frogs in Ghent.", []),
        ("Edit this email. I live in Leeds. I have two sons.", ["The user lives in Leeds.", "The user has two sons."]),
        (
            "Polish this letter. My boss is called Ann and I keep bees. Hi Tom, I have two cats.",
            ["The user's boss is called Ann.", "The user keeps bees."],
        ),
        ("Translate this letter. I am eighty. I have one son.", []),
        ("Can you edit this email? Hello Mr Ito, I have two cats. I live in Ghent.", []),
    ],
)
def test_what_is_remarked_beside_work_on_what_is_pointed_to_is_kept(read, said, kept):
    assert lines(read(said, "Done.")) == kept


@pytest.mark.parametrize(
    "said",
    [
        "We're stuck in traffic.",
        "I'm on the ferry at the moment.",
        "im at the barber",
        "Our flight to Lima is delayed.",
        "Ich bin heute echt erschöpft.",
        "Wir stehen im Stau",
        "Meine Fähre ist gestrichen.",
        "Je suis dans le metro",
        "Notre vol est annulé.",
        "Estoy en el dentista",
        "Nuestro tren tiene retraso.",
        "Siamo fermi nel traffico",
        "Il mio volo è stato cancellato.",
        "Ik zit in de wachtkamer",
        "Onze vlucht heeft vertraging.",
        "Ich warte gerade auf den Klempner",
        "Estoy esperando el autobús.",
        "Ik zit nu even in de trein.",
        "J'ai mal à la tête ce matin.",
        "Oggi ho un gran mal di testa.",
        "Ik heb vandaag zo'n hoofdpijn.",
    ],
)
def test_where_one_only_waits_or_rides_and_what_is_late_passes(read, said):
    found = read(said)
    assert not lines(found)
    assert found.left_out == {"passing state": 1}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I'm a cook on a ferry.", "The user is a cook on a ferry."),
        ("I'm at the gym on Mondays.", "The user is at the gym on Mondays."),
        ("Im on the bus, i'm a teacher", "The user is a teacher."),
        ("Ich bin Koch auf einer Fähre", "„Ich bin Koch auf einer Fähre“"),
        ("Ich sitze im Bus, bin Lehrerin", "„Bin Lehrerin“"),
        ("Je suis conducteur dans le métro", "« Je suis conducteur dans le métro »"),
        ("Ich warte auf eine Spenderniere", "„Ich warte auf eine Spenderniere“"),
        ("Estoy esperando un bebé", "«Estoy esperando un bebé»"),
        ("Ich habe oft Kopfschmerzen", "„Ich habe oft Kopfschmerzen“"),
        ("Ik heb vaak hoofdpijn", "“Ik heb vaak hoofdpijn”"),
        ("Ho la testa dura", "«Ho la testa dura»"),
        ("Soffro di mal di testa", "«Soffro di mal di testa»"),
        ("Zimmer 12 ist immer kalt", "„Zimmer 12 ist immer kalt“"),
        ("La chambre 12 est toujours froide", "« La chambre 12 est toujours froide »"),
        ("Dime las cantidades en gramos siempre", "«Dime las cantidades en gramos siempre»"),
        ("Dis-moi toujours les poids en grammes", "« Dis-moi toujours les poids en grammes »"),
        ("Trabajo en el aeropuerto", "«Trabajo en el aeropuerto»"),
        ("Kannst du das kürzen, ich bin Lehrerin", "„Ich bin Lehrerin“"),
        ("Puedes corregir esto, soy enfermera", "«Soy enfermera»"),
        ("Je code surtout en PHP", "« Je code surtout en PHP »"),
    ],
)
def test_what_lasts_where_one_waits_or_asks_for_something_is_kept(read, said, kept):
    (line,) = lines(read(said))
    assert line.endswith(kept)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I'm diabetic, so tell me which cakes I can have.", ["The user is diabetic."]),
        ("I'm vegan so give me a meal plan", ["The user is vegan."]),
        ("I have two sons and treat myself to a coffee.", ["The user has two sons and treats themselves to a coffee."]),
        ("I have IBS, so I need to know where the toilets are.", ["The user has IBS."]),
        (
            "Our freezer is tiny. There's a pear tree in the yard and it drowns us in pears.",
            [
                "The user's freezer is tiny.",
                "There is a pear tree in the yard.",
                "The pear tree in the yard drowns the user in pears.",
            ],
        ),
    ],
)
def test_what_a_statement_leads_to_is_no_part_of_it(read, said, kept):
    assert lines(read(said)) == kept


@pytest.mark.parametrize("said", ["Frage 3 ist immer falsch.", "Dime qué hora es", "Háblame de la guerra"])
def test_what_asks_or_is_of_the_task_in_another_language_is_left_out(read, said):
    assert not lines(read(said))


def test_a_question_in_few_words_changes_nothing_known(read):
    found = read("I cancelled my bowling subscription. Any free alternatives?")
    assert [one.text for one in found.candidates] == ["The user cancelled their bowling subscription."]


def test_thanks_are_small_talk_and_no_request(read):
    assert read("Perfect, thank you so much.").left_out == {"small talk": 1}
    assert read("Muchas gracias, me ha servido mucho.").left_out == {"small talk": 1}


def test_what_is_taken_back_goes(read):
    found = read("I decided to buy the red sofa.", "Ok.", "Actually no, scratch that. I keep my old armchair.", "Ok.")
    assert lines(found) == ["The user keeps their old armchair."]
    assert lines(read("I decided to buy the red sofa.", "Ok.", "Forget it.", "Ok.")) == []


@pytest.mark.parametrize(
    ("asked", "answered", "line"),
    [
        ("What's your shoe size?", "43", "The user's shoe size is 43."),
        ("Nice. How old are you?", "64", "The user is 64."),
        ("How old are the kids?", "3 and 11", "Asked \u201cHow old are the kids?\u201d, the user said 3 and 11."),
        ("Any allergies?", "yes, walnuts", "Asked \u201cAny allergies?\u201d, the user said walnuts."),
    ],
)
def test_an_answer_is_read_with_what_was_asked(read, asked, answered, line):
    assert lines(read("Hello", asked, answered)) == [line]


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("What would you like me to change?", "the second paragraph"),
        ("Should I make it shorter?", "yes, two lines"),
        ("What's your shoe size?", "thanks"),
    ],
)
def test_what_is_asked_for_the_task_is_answered_for_the_task(read, asked, answered):
    assert lines(read("Hello", asked, answered)) == []


def test_what_is_told_in_few_words_is_read_by_the_phrase(read):
    assert lines(read("Two cats, Pixel and Waffle.", "Aw.")) == ["The user has two cats, Pixel and Waffle."]
    assert lines(read("I'm a nurse.", "Ok.", "On the stroke unit, since February 2021.", "Ok."))[1:] == [
        "The user has been on the stroke unit, since February 2021."
    ]
    assert lines(read("two dogs in a boat, watercolor style", "Ok.", "two paragraphs max", "Ok.")) == []


def test_people_told_of_are_who_she_is(read):
    assert lines(read("Ada moved to Porto. She is a dentist.", "Nice.")) == [
        "Ada moved to Porto.",
        "Ada is a dentist.",
    ]
    unknown = "He has a pacemaker and takes warfarin."
    assert lines(read(unknown, "Ok.")) == [f"The user said: \u201c{unknown}\u201d"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "I have two girls, Ada and Bea. She also has a nut allergy.",
            "One of the user's girls also has a nut allergy.",
        ),
        ("I have two girls, Ada and Bea. Bea is six. She has a nut allergy.", "Bea has a nut allergy."),
        ("toddler is Otis. otis wont touch anything green", "Otis won't touch anything green."),
        ("toddler is Otis. also hes allergic to egg", "The user's toddler Otis is allergic to egg."),
        ("My youngest, Poppy, gags on lentils so maybe not. She's three.", "The user's youngest Poppy is three."),
        ("The kids are in a club, Mateo shows rabbits.", "Mateo shows rabbits."),
        ("My fiancé is in Cork. She's a midwife.", "The user's fiancé is a midwife."),
        ("Rory is scared of thunder.", "Rory is scared of thunder."),
        ("Danny Marsh does all our scaffolding.", "Danny Marsh does all the user's scaffolding."),
        ("My daughter Morag thinks I should join a group.", "The user's daughter is called Morag."),
    ],
)
def test_anyone_named_among_somebodys_people_is_known(read, said, kept):
    assert kept in lines(read(said, "I see."))


@pytest.mark.parametrize("said", ["The customer Bo is afraid of spiders.", "how much do i need"])
def test_what_is_of_nobodys_people_is_left_out(read, said):
    assert lines(read(said, "I see.")) == []


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Half my team is in Manila, so please keep times in UTC.", "Half the user's team is in Manila."),
        ("okay we moved we moved in May to a flat in Ghent", "The user moved in May to a flat in Ghent."),
        ("I've got Crohn's in the small bowel.", "The user has got Crohn's in the small bowel."),
        ("My left thumb's arthritic so I write little.", "The user's left thumb's arthritic."),
        ("My other question: I've a place in the Bonn marathon.", "The user has a place in the Bonn marathon."),
        ("my names Deshawn", "The user's name is Deshawn."),
        ("can you keep answers to two lines", "The user asks the assistant to keep answers to two lines."),
        (
            "my friend Tomasz plays a gnome and hes arachnophobic so no spiders in anything you write for us",
            "The user asks the assistant for no spiders in anything it writes for them.",
        ),
        ("Five doesn't suit me, that's when I coach the under-tens.", "The user coaches the under-tens."),
        ("Any ideas for my aunt, who just retired from the bank?", "The user's aunt just retired from the bank."),
        ("Find a vet for my dog Bruno, who has hip dysplasia.", "The user's dog Bruno has hip dysplasia."),
        ("hey so update: got the job at Stripe!", "The user got the job at Stripe."),
        ("Bad news: my laptop died in May.", "The user's laptop died in May."),
    ],
)
def test_what_a_sentence_says_by_the_way_is_read(read, said, line):
    assert line in lines(read(said, "I see."))


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("My neighbour Ruth broke her hip, so I walk her dog now.", "The user walks their neighbour Ruth's dog now."),
        ("My friend Dervla can't drive, so I drive her to church.", "The user drives their friend Dervla to church."),
        ("I took my sister to her doctor in May.", "The user took their sister to her doctor in May."),
    ],
)
def test_whom_the_speaker_does_something_for_is_named(read, said, line):
    assert line in lines(read(said, "I see."))


def test_what_a_sentence_says_of_strangers_stays_with_it(read):
    assert lines(read("Summarize the life of Marie Curie, who was born in Warsaw.", "Ok.")) == []
    assert lines(read("I bought a bike, which is red.", "Ok.")) == ["The user bought a bike, which is red."]


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("I got a puppy, it is called Biscuit.", "The user's puppy is called Biscuit."),
        ("We bought a boat in March, we called it Petrel.", "The user called their boat Petrel."),
        (
            "Our landlord gave us a lease, we signed it on Monday.",
            "The user signed the lease on Monday (16 November 2026).",
        ),
        ("I sold my flute, a student of mine plays it now.", "A student of the user's plays the user's flute now."),
    ],
)
def test_it_is_what_the_sentence_named_before(read, said, line):
    assert line in lines(read(said, "I see."))


def test_what_nobody_could_name_stays_as_it_was_said(read):
    said = "My knee is better, it is the shoulder now."
    assert f"The user said: \u201c{said}\u201d" in lines(read(said, "I see."))


@pytest.mark.parametrize("said", ["The physio says it's a herniated disc.", "The doctor said it's not a fracture."])
def test_what_somebody_in_medicine_says_it_is_is_kept(read, said):
    assert [line.replace("it is", "it's") for line in lines(read(said, "I see."))] == [said]
    assert not lines(read("My neighbor says it's a scam.", "I see."))


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("I have two cats, what can I do about fleas", "The user has two cats."),
        ("We moved to Bonn in May, are there any lakes nearby?", "The user moved to Bonn in May."),
        ("Since my wife is vegan, what can I bake", "The user's wife is vegan."),
        ("Je suis intolérante au lactose, une recette de crêpes ?", "L’utilisateur a dit : « Je suis intolérante au lactose »"),
        ("Soy celíaco, ¿alguna receta de pan?", "El usuario ha dicho: «Soy celíaco»"),
    ],
)  # fmt: skip
def test_what_a_question_is_spliced_on_is_kept(read, said, line):
    assert lines(read(said, "I see.")) == [line]


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("finally finished my thesis!", "The user finally finished their thesis."),
        ("Now working at Bosch as a welder", "The user is now working at Bosch as a welder."),
        ("Alright mate, I'm a plumber from Hull.", "The user is a plumber from Hull."),
        ("Hey all, my dog is called Rex.", "The user's dog is called Rex."),
        ("Good evening, I'm a nurse.", "The user is a nurse."),
        ("Call me Jo and fix this sentence.", "The user asks the assistant to call them Jo."),
        ("Just been to Rome with my sister", "The user has just been to Rome with their sister."),
        ("Used to do pottery in Kent.", "The user used to do pottery in Kent."),
        ("moved the dentist to Friday, i couldn't get off work.", "The user moved the dentist to Friday."),
        ("turns out i'm not allergic to penicillin", "The user is not allergic to penicillin."),
        ("Work at a kiosk in Graz, nights mostly.", "The user works at a kiosk in Graz, nights mostly."),
        ("I went ahead and booked Crete for May.", "The user booked Crete for May."),
        ("Plan is to sail to Texel in May.", "The user's plan is to sail to Texel in May."),
        ("rewrote my will in May", "The user rewrote their will in May."),
        ("Pescatarian here, any ideas?", "The user is pescatarian."),
        ("baker from Olomouc here", "The user is a baker from Olomouc."),
        ("No kids, no pets.", "The user has no kids, no pets."),
        ("My youngest, Kay, works nights at the port.", "The user's youngest, Kay, works nights at the port."),
        ("no emojis pls", "The user asks the assistant for no emojis."),
        (
            "From now on end every answer with a proverb.",
            "The user asks the assistant: from now on end every answer with a proverb.",
        ),
        ("Give recipes in grams.", "The user asks the assistant to give recipes in grams."),
        ("In tests always use tabs.", "The user asks the assistant to always use tabs in tests."),
        ("Wrong again. I told you I'm vegetarian.", "The user is vegetarian."),
        ("Did I mention I have a twin?", "The user has a twin."),
        ("Can I eat miso (I'm coeliac)?", "The user is coeliac."),
        ("Please don't suggest pools.", "The user asks the assistant not to suggest pools."),
        ("Write my bio: I'm a potter from Delft.", "The user is a potter from Delft."),
        ("One thing: my son has asthma.", "The user's son has asthma."),
        ("Been a baker for ten years.", "The user has been a baker for ten years."),
        ("Been coeliac since May.", "The user has been coeliac since May."),
        ("Been an usher for six winters.", "The user has been an usher for six winters."),
        ("Been ten years since I moved to Hull.", "It has been ten years since the user moved to Hull."),
        ("Quick q - I'm vegan, what can I cook?", "The user is vegan."),
        ("Quick question: I'm allergic to nuts, can I eat coconut?", "The user is allergic to nuts."),
        ("I reckon my sister and I are night owls.", "The user reckons their sister and the user are night owls."),
    ],
)
def test_who_leaves_i_out_is_named(read, said, line):
    assert lines(read(said, "I see.")) == [line]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("they fired me from the bakery.", ["They fired the user from the bakery."]),
        ("My brother-in-law works for Heineken.", ["The user's brother-in-law works for Heineken."]),
        ("I have a new phone number, it ends in 9028.", ["The user's new phone number ends in 9028."]),
        ("my pronouns are they/them btw", ["The user's pronouns are they/them."]),
        ("The twins turn 4, one of them is coeliac.", ["The user's twins turn 4.", "One of the user's twins is coeliac."]),
        ("my wife's due on 3 April, it's a girl.", ["The user's wife's due on 3 April, it is a girl."]),
        ("i'm marek, 46, i drive a lorry", ["The user is Marek.", "The user is 46.", "The user drives a lorry."]),
        ("My lad Kieran plays chess. He's dyslexic.", ["The user's lad Kieran plays chess.", "The user's lad Kieran is dyslexic."]),
        ("I take amlodipine. The doctor put me on it in May.", ["The user takes amlodipine.", "The doctor put the user on amlodipine in May."]),
        ("My flat is near the park and my neighbour, Ms Hill, plays the organ.", ["The user's flat is near the park.", "The user's neighbour, Ms Hill, plays the organ."]),
        ("Talk to me like I'm five. Talk to me about whales.", ["The user asks the assistant to talk to them like the user is five."]),
        ("I should add that my wife Margaret keeps bees.", ["The user's wife Margaret keeps bees."]),
        ("I forgot to say that we have twins.", ["The user has twins."]),
        ("Keep in mind that I'm on a pension.", ["The user is on a pension."]),
        ("I have two cats", ["The user has two cats."]),
        ("I'm Anna, 34, a nurse.", ["The user is Anna.", "The user is 34.", "The user is a nurse."]),
        ("I'm Aileen, retired midwife from Dundee", ["The user is Aileen.", "The user is a retired midwife from Dundee."]),
    ],
)  # fmt: skip
def test_people_are_known_by_what_is_said_of_them(read, said, kept):
    assert lines(read(said, "I see.")) == kept


def test_an_object_that_nobody_can_name_is_left_out(read):
    said = ("We signed it on Monday.", "My coach, Lena, bought that.")
    assert [lines(read(one, "I see.")) for one in said] == [[], ["The user's coach is called Lena."]]
    # the bank or the loan?
    assert lines(read("Our bank suggested a loan, we signed it on Monday.", "I see.")) == [
        "The user's bank suggested a loan."
    ]


def test_whose_somebody_is_was_said_in_a_turn_before(read):
    chat = ("My daughter Orla is 7.", "Nice.", "Her teacher is Ms Walsh. She is very strict.", "I see.")
    found = [candidate for candidate in read(*chat).candidates if len(candidate.spans) == 1]
    assert [candidate.text for candidate in found] == [
        "The user's daughter Orla is 7.",
        "The user's daughter Orla's teacher is Ms Walsh.",
        "The user's daughter Orla's teacher Ms Walsh is very strict.",
    ]
    assert set(found[-1].turn_ids) == {"0", "2"}  # both are shown as what the line rests on


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Act as my coach. I am diabetic.", ["The user is diabetic."]),
        ("You are an expert in tax law. I am self-employed in Spain.", ["The user is self-employed in Spain."]),
        ("Act as a lawyer. I am the mother of two.", ["The user is the mother of two."]),
        ("Act as a dragon. I am the knight who guards the gate. I live in a tower.", []),
        ("You are Sherlock Holmes. I am Watson and I have lost my watch.", []),
    ],
)
def test_a_part_that_is_played_is_nobodys_and_plain_statements_beside_a_task_are_kept(read, said, kept):
    assert lines(read(said, "Ok.")) == kept


def test_a_game_goes_on_until_it_is_left(read):
    chat = (
        "You are a dragon.",
        "Roar.",
        "I am the knight.",
        "Roar!",
        "I carry a sword.",
        "Ouch.",
        "Thanks. I live in Cork.",
    )
    assert lines(read(*chat)) == ["The user lives in Cork."]


def test_what_somebody_is_stands_in_a_question(read):
    assert lines(read("As a diabetic, what can I eat?", "Eggs.")) == ["The user is a diabetic."]
    assert lines(read("As an expert, tell me how I can cook.", "Ok.")) == []


def test_a_class_that_one_teaches_every_week_is_kept(read):
    assert lines(read("I teach a class on Saturday mornings.", "Nice.")) == [
        "The user teaches a class on Saturday mornings."
    ]


def test_what_is_told_before_a_question_is_kept(read):
    assert lines(read("Our wedding is on 3 October, how many guests fit in a barn?", "Eighty.")) == [
        "The user's wedding is on 3 October."
    ]


def test_a_taste_for_mails_is_no_matter_of_one_mail(read):
    assert lines(read("I prefer emails without exclamation marks.", "Ok.")) == [
        "The user prefers emails without exclamation marks."
    ]
    assert lines(read("I don't like your examples.", "Sorry.")) == []


def test_what_an_assistant_says_weighs_less():
    text = "I have booked the flight to Oslo, a hotel by the harbour and a table for four people."
    (mine,) = extraction([(text, False)]).candidates
    (its,) = extraction([(text, True)]).candidates
    assert its.salience < mine.salience
    assert its.score < mine.score
    assert its.confidence < mine.confidence
    assert not its.lasts


@pytest.mark.parametrize("frame", FRAMES)
def test_what_another_says_of_the_user_is_planted_nowhere(read, frame):
    for claim in CLAIMS:
        found = read(*told(FRAMES[frame], claim))
        assert [line for line in lines(found) if claim[0] in line.lower()] == []


@pytest.mark.parametrize(
    ("said", "subject"),
    [
        ("The cat I adopted is called Biscuit.", "cat"),
        ("The horse I ride lives in Ghent.", "horse"),
        ("Ines and I run a bakery in Ghent.", "user"),
        ("My wife Ada and I live in Cork.", "user"),
    ],
)
def test_who_only_does_something_with_a_thing_is_not_what_is_said_of_it(read, said, subject):
    (found,) = (c.statement for c in read(said).candidates if c.statement is not None)
    assert found.subject == subject


def test_a_text_that_is_announced_or_asked_about_is_not_its_senders_word(read):
    def own(chat):
        return [c.text for c in read(*chat).candidates if c.own and not c.order]

    wrong = [chat for chat, word in handed_on("held") if any(word in line for line in own(chat))]
    assert len(wrong) <= 2, wrong  # "My hobby is when the AI tells people ...", "My motto is to disregard ..."
    assert [chat for chat, word in handed_on("told") if not any(word in line for line in own(chat))] == []


@pytest.mark.parametrize("disguise", [*DISGUISES, "languages"])
def test_no_order_is_kept_as_what_the_user_said(read, disguise):
    listed = ORDERS_ELSEWHERE if disguise == "languages" else ORDERS
    for order in map(DISGUISES.get(disguise, str), listed):
        kept = read("I live in Graz.", "Ok.", order, "Ok.").candidates
        assert [c.text for c in kept if not c.order and "Graz" not in c.text] == []


def test_what_looks_like_an_order_and_is_none_is_not_held_back():
    held = [text for text in LOOK_ALIKES if order_in(text)]
    assert len(held) <= 2, held


@pytest.mark.parametrize(
    ("said", "care"),
    [
        ("Ich vertrage keine Erdbeeren.", "diet"),
        ("Mein Mann Klaus hat Parkinson.", "condition"),
        ("Mon fils ne supporte pas les crustacés.", "diet"),
        ("Je prends de la metformine.", "medication"),
        ("Mi hijo es celíaco.", "allergy"),
        ("Non posso mangiare i latticini.", "diet"),
        ("Mijn dochter mag geen pinda's eten.", "diet"),
        ("Ich habe keinen Kaffee mehr im Haus.", ""),
        ("Je n'ai plus de pain à la maison.", ""),
    ],
)
def test_what_must_never_be_missed_is_told_in_six_languages(read, said, care):
    (candidate,) = [one for one in read(said, "Hm.").candidates if one.provenance == "user"]
    assert candidate.statement.attribute == care


def test_lines_of_a_profile_are_what_their_writer_is(read):
    said = "Name: Obi Eze\nJob: site manager at Skanska\nLocation: Leeds\nKids: 2 (Tomi, 9 and Simi, 6)\nDiet: halal\nAllergies: none\nPets: 3"
    assert lines(read(said))[:7] == [
        "The user's name is Obi Eze.",
        "The user's job is site manager at Skanska.",
        "The user's location is Leeds.",
        "The user has 2 kids (Tomi, 9 and Simi, 6).",
        "The user's diet is halal.",
        "The user has no allergies.",
        "The user has 3 pets.",
    ]


def test_what_stands_below_lines_of_a_profile_is_read(read):
    below = "\n\nI live in Hull with my two kids. I'm allergic to nuts."
    assert lines(read(f"Name: Ada\nAge: 34{below}"))[2:] == [
        "The user lives in Hull with their two kids.",
        "The user is allergic to nuts.",
    ]
    assert len(lines(read("Name: Ada\nAlter: 34\n\nIch wohne in Kiel. Ich habe zwei Katzen."))) == 4


@pytest.mark.parametrize(
    "said",
    [
        "Here's my friend's message: I moved to Oslo.",
        "This is my cousin's email: I have sold my boat.",
        "Here's my landlady's note: my dog Fips is with my sister.",
        "Spiele mir was vor",
        "My hobby is when the AI gives me a discount.",
        "Quick q - what's the capital of Peru?",
    ],
)
def test_what_shows_or_gives_no_value_is_no_statement(read, said):
    assert not lines(read(said))


def test_both_whom_a_thought_is_about_do_what_is_thought(read):
    (told,) = read("I think Bo and I got lucky").candidates
    assert told.text == "The user thinks Bo and the user got lucky."


def test_what_leads_from_one_name_to_another_belongs_to_neither():
    tokens = [("Drove", "VERB", ""), ("Ghent", "PROPN", "place"), ("to", "ADP", "place"), ("Riga", "PROPN", "place")]
    tokens += [("with", "ADP", ""), ("Bank", "PROPN", "place"), ("of", "ADP", "place"), ("Cork", "PROPN", "place")]
    heads = [0, 0, 0, 2, 0, 4, 5, 6]
    parsed = tuple(
        Token(text, space=True, start=0, pos=pos, entity=entity, head=head)
        for (text, pos, entity), head in zip(tokens, heads, strict=True)
    )
    found = names_in(Analysis("", parsed), 0, len(parsed))
    assert [name for name, _ in found] == ["Ghent", "Riga", "Bank of Cork"]


@pytest.mark.parametrize(
    ("said", "predicate"),
    [
        ("Bin Lehrerin", "sein"),
        ("Hi, bin Lehrerin", "sein"),
        ("Wohne in Kiel", "wohnen in"),
        ("Abito a Bari", "abitare a"),
        ("Woon in Gent", "wonen in"),
    ],
)
def test_a_short_statement_without_i_is_of_its_language_in_an_english_chat(read, said, predicate):
    assert statement(read("How are you?", "Fine.", said)).predicate == predicate


def test_what_stands_before_a_german_wish_for_tips_is_a_statement(read):
    assert statement(read("Spiele gerade Klarinette, Tipps?")).object == "Klarinette"
    assert statement(read("Habe mir ein Rad gekauft")).predicate == "kaufen"


@pytest.mark.parametrize("said", ["ai tools", "Ben visited Rome"])
def test_english_that_another_language_spells_so_is_english(read, said):
    assert all(one.statement.language == "en" for one in lasting(read("How are you?", "Fine.", said)))


@pytest.mark.parametrize(
    "said",
    [
        "Title: The Lost Key\nGenre: mystery\nLength: 300 words\nName: Bob",
        "Write a bio for this person.\nName: Sue Park\nJob: vet\nHobbies: sailing",
        "Status: failed",
    ],
)
def test_lines_of_what_is_to_be_worked_on_are_of_nobody(read, said):
    assert lines(read(said)) == []


@pytest.mark.parametrize(
    "said",
    ["About me: 1. I'm a vegan 2. I have ADHD 3) I speak Farsi", "1. I'm a vegan\n2. I have ADHD\n3. I speak Farsi"],
)
def test_numbered_items_are_read_one_by_one(read, said):
    assert lines(read(said)) == ["The user is a vegan.", "The user has ADHD.", "The user speaks Farsi."]


def test_a_list_with_items_of_the_writer_needs_no_heading_that_says_so(read):
    found = lines(
        read("Here's what you should know:\n* I teach Year 5 in Hull\n* 28 kids\n* we use White Rose for maths")
    )
    assert found == ["The user teaches Year 5 in Hull.", "The user has 28 kids.", "The user uses White Rose for maths."]


def test_another_language_inside_of_an_english_message_is_quoted(read):
    found = lines(read("hey, ich bin gerade mit der Lehre fertig, in Jena, and now I'm looking for jobs in Graz"))
    assert len(found) == 2
    assert any("Lehre fertig, in Jena\u201c" in line for line in found)
    assert "Now the user is looking for jobs in Graz." in found


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (["Please tell them I've lived here since 2014."], ["The user has lived here since 2014."]),
        (["Add that my wife is pregnant."], ["The user's wife is pregnant."]),
        (["Add that we're friendly."], []),
        (["Say I had three kids, what car would fit?"], []),
        (["As a mother of two, what are some cheap meals I can cook?"], ["The user is a mother of two."]),
        (["Love my job, hate the commute."], ["The user loves their job.", "The user hates the commute."]),
        (["don't eat pork, what else can I put in it?"], ["The user doesn't eat pork."]),
        (
            ["Can't swim. Must be home by five on Thursdays."],
            ["The user can't swim.", "The user must be home by five on Thursdays."],
        ),
        (["There's a family history of glaucoma."], ["There is a family history of glaucoma."]),
        (["My sister's still at Bosch."], ["The user's sister is still at Bosch."]),
        (["my useEffect runs twice"], []),
        (
            ["kim@example.org is my new email."],
            ["kim@example.org is the user's new email."],
        ),
        (
            ["iOS 18 is on my phone, eBay owes me money."],
            ["iOS 18 is on the user's phone.", "eBay owes the user money."],
        ),
    ],
)
def test_what_is_said_in_few_words_and_inside_of_requests_counts(read, said, kept):
    assert lines(read(*said)) == kept


@pytest.mark.parametrize("said", ["I used to hate cilantro but now I love it.", "I never liked yoga, now I love it."])
def test_what_is_liked_now_is_what_the_message_named_before(read, said):
    named = "cilantro" if "cilantro" in said else "yoga"
    assert read(said).candidates[-1].text == f"Now the user loves {named}."


@pytest.mark.parametrize(
    ("said", "kept", "never"),
    [
        (
            ["My dad is 79.", "ok", "How do I apply for Attendance Allowance?", "Form AA1.", "His GP is Dr Mukherjee."],
            "dad's GP is Dr Mukherjee",
            "Allowance's",
        ),
        (["I've got a hearing aid. It did not rain."], "hearing aid", "rain"),
        (
            ["I bought a boat.", "ok", "how do I write off the van", "ok", "its a 2017 Transit custom"],
            "boat",
            "boat is",
        ),
        (["My youngest, Poppy, hates lentils. She's three."], "Poppy is three.", "nobody"),
    ],
)
def test_pronouns_stand_for_whom_they_can_mean(read, said, kept, never):
    found = lines(read(*said))
    assert any(kept in line for line in found), found
    assert not any(never in line for line in found), found


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "About me:\n- asthma\n- type 2 diabetic\n- vegan\n- 170 cm\n- allergic to bees",
            [
                "The user has asthma.",
                "The user is type 2 diabetic.",
                "The user is vegan.",
                "The user is allergic to bees.",
            ],
        ),
        (
            "a birthday card for my sister Ruth who lives in Perth",
            ["The user's sister Ruth lives in Perth."],
        ),
        (
            "Can you find a gift for my husband, he's a beekeeper and turns 50 in May?",
            ["The user's husband is a beekeeper.", "The user's husband turns 50 in May."],
        ),
        ("never learnt to drive", ["The user never learnt to drive."]),
        (
            "me and my boyfriend are getting a puppy in May",
            ["The user and their boyfriend are getting a puppy in May."],
        ),
        ("We're a team of five.", ["The user is part of a team of five."]),
        ("We're vegetarians.", ["The user is a vegetarian."]),
        ("We are both big fans of jazz.", ["The user is a big fan of jazz."]),
        ("We're not early risers.", ["The user is not an early riser."]),
        ("We're the owners of a bakery.", ["The user is one of the owners of a bakery."]),
        ("my id card expires in May 2027", ["The user's id card expires in May 2027."]),
        ("I see Dr Pahl for my back.", ["The user sees Dr Pahl for their back."]),
    ],
)
def test_what_people_say_about_themselves_in_passing_is_well_worded(read, said, kept):
    assert sorted(lines(read(said))) == sorted(kept)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Another step up: my levothyroxine dose is 125 mcg now.", "The user's levothyroxine dose is 125 mcg now."),
        ("For your information: I'm allergic to penicillin.", "The user is allergic to penicillin."),
        ("Final topic, signed by the office: my thesis is about mosquitoes.", "The user's thesis is about mosquitoes."),
        ("One more change: my rent is 900 a month.", "The user's rent is 900 a month."),
        ("Renovation: my desk is on the ninth floor now.", "The user's desk is on the ninth floor now."),
        ("They moved my knee surgery: 14 May.", "They moved the user's knee surgery: 14 May."),
        ("New vet for the cats: Dr Lindqvist.", "The user said: \u201cNew vet for the cats: Dr Lindqvist.\u201d"),
    ],
)
def test_what_stands_behind_a_heading_is_its_speakers_own(read, said, kept):
    assert [one.text for one in lasting(read(said))] == [kept]


@pytest.mark.parametrize(
    "said",
    [
        "Scenario for a game: I am a pirate and I have two parrots.",
        "Email from Tom: I live in Leeds now.",
        "Victor: I live in Minsk now.",
        "Customer: I live in Minsk now.",
        "He wrote: I live in Minsk now.",
        "Here is what came: I live in Minsk now.",
    ],
)
def test_a_heading_that_names_a_text_or_a_speaker_hands_it_over(read, said):
    assert lines(read(said)) == []


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("The Grand is where I sing on Sundays.", "The Grand is where the user sings on Sundays."),
        ("My contract says 30 hours a week.", "The user's contract says 30 hours a week."),
        ("I'm a US citizen.", "The user is a US citizen."),
        (
            "We moved to Hull because nobody would rent to us in York.",
            "The user moved to Hull because nobody would rent to them in York.",
        ),
        (
            "You'll find me at the allotment every Sunday.",
            "The user said: \u201cYou'll find me at the allotment every Sunday.\u201d",
        ),
        (
            "Is Ecotricity any good? They've been our supplier for years.",
            "The user said: \u201cIs Ecotricity any good? They've been our supplier for years.\u201d",
        ),
    ],
)
def test_what_is_told_in_unusual_syntax_is_kept_with_its_value(read, said, kept):
    assert [one.text for one in lasting(read(said)) if not one.tentative] == [kept]


@pytest.mark.parametrize(
    "said",
    [
        "My hobby is when it rains.",
        "My brother says he hates Leeds.",
        "You can do better than that for me.",
        "Could you explain DNS? It's confusing.",
        "I'd move if my landlord would let me.",
    ],
)
def test_the_same_syntax_without_a_fact_leaves_none(read, said):
    assert [one.text for one in lasting(read(said)) if not one.tentative] == []


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("My son is nine and he's broken his arm.", "The user's son has broken his arm."),
        ("My sister is a nurse and she's moved to Leeds.", "The user's sister has moved to Leeds."),
        ("My brother is here and he's called Otto.", "The user's brother is called Otto."),
        ("My car is old but it's paid off.", "The user's car is paid off."),
        ("We've gone with Octopus for power.", "The user has gone with Octopus for power."),
        ("Leeds was too dark for the two of us.", "Leeds was too dark for the two of them."),
        ("six years sober now", "The user is six years sober now."),
        ("iPhone 13 owner now", "The user said: \u201ciPhone 13 owner now\u201d"),
    ],
)
def test_short_forms_and_we_are_retold_as_meant(read, said, kept):
    assert kept in lines(read(said))


@pytest.mark.parametrize(
    "said",
    [
        "Help me word a goodbye card for the girls at St James's.",
        "Draft a message to the guests please.",
        "How do I stay awake in lectures",
        "Budget for the year:",
    ],
)
def test_a_request_or_a_heading_is_no_news(read, said):
    """Not even what counts only if it ends something known."""
    assert read(said).candidates == ()


@pytest.mark.parametrize(
    ("said", "care"),
    [
        ("I can't breathe near cats.", "allergy"),
        ("I start wheezing around horses.", "allergy"),
        ("Bee stings put me in hospital.", "allergy"),
        ("I come out in welts when I touch anything latex.", "allergy"),
        ("I've been sober for six years.", "diet"),
        ("I love cats and dogs.", ""),
        ("My cat has an itchy ear.", ""),
        ("My horse gives me joy.", ""),
    ],
)
def test_what_endangers_somebody_is_told_by_what_it_does_to_them(read, said, care):
    assert statement(read(said)).attribute == care


def test_a_subject_that_is_vague_keeps_a_price_from_no_memory(read):
    """The sentence says itself what "it" is, so nobody has to review it."""
    (line,) = lasting(read("They've put the rent up once more, it costs me 1,480 each month."))
    assert line.confidence >= REVIEW_BELOW


@pytest.mark.parametrize("said", ["Gave up on the fasting, made me grumpy.", "Moved to Leeds last year, hit me hard."])
def test_what_did_something_to_the_user_is_not_the_user(read, said):
    (line,) = lines(read(said, "Ok."))
    assert "them" not in line


@pytest.mark.parametrize(
    ("said", "subject", "predicate"),
    [
        ("The doctor took me off statins.", "user", "be off"),
        ("They've taken my father off Madopar.", "user's father", "be off"),
        ("They put my mum on warfarin.", "user's mum", "be on"),
    ],
)
def test_who_is_put_on_something_is_on_it(read, said, subject, predicate):
    (statement,) = [candidate.statement for candidate in read(said, "Ok.").candidates]
    assert (statement.subject, statement.predicate) == (subject, predicate)


def test_a_class_that_one_takes_is_no_part_of_a_program(read):
    assert lines(read("I'm taking evening classes in pottery. How do I center clay?", "Slowly.")) == [
        "The user is taking evening classes in pottery."
    ]


def test_a_relative_without_my_is_the_speakers(read):
    assert lines(read("girlfriend is vegan", "Ok.")) == ["The user's girlfriend is vegan."]
    assert lines(read("wife works nights at the hospital", "Ok.")) == ["The user's wife works nights at the hospital."]
    assert not any("user's" in line for line in lines(read("Mother Teresa was a saint.", "Ok.")))


def test_what_somebody_asks_to_be_reminded_of_is_no_statement(read):
    assert lines(read("Remind me what I should ask about worming.")) == []
    assert lines(read("Please note that I fly on Monday.")) != []


def test_a_list_item_of_others_leaves_what_comes_next_to_its_speaker(read):
    own = ["The user said: \u201cHalf Welsh, half Punjabi.\u201d"]
    assert lines(read("Half Welsh, half Punjabi.")) == own
    assert lines(read("* He says it is late", "Ok.", "Half Welsh, half Punjabi.")) == own


@pytest.mark.parametrize(
    ("said", "care"),
    [
        ("One wasp sting and my throat closes, so I carry two pens.", "allergy"),
        ("hazelnuts put me in A&E, twice now", "allergy"),
        ("I've used a wheelchair full time since 2020, my legs are done with me.", "condition"),
        ("The pharmacist laughed when I asked how long, it's metoprolol for life.", "medication"),
        ("i read on a tiny screen so keep it short with me, always", "instruction"),
        ("I have a flatmate, Rui, and too many plants.", ""),
        ("There's a pear tree in the yard and it leans on the fence.", ""),
        ("When I ask you something, do you always use the web?", ""),
    ],
)
def test_what_must_not_be_missed_is_seen_in_peoples_own_words(read, said, care):
    assert {one.statement.attribute for one in lasting(read(said)) if one.statement is not None} & CARE == {care} - {""}


def test_of_a_profile_in_a_request_nothing_is_kept(read):
    assert lasting(read("Write a bio for this person.\nName: Sue Park\nHobbies: sailing")) == []
