from __future__ import annotations

import pytest

from memdesk.domain.reading import noise


@pytest.mark.parametrize(
    "text",
    ["Hey there!", "Thanks so much!", "Thanks for the tip.", "Talk to you soon!", "That's awesome!", "No worries.",
     "Wow, that sounds great!", "Have a great day!", "Yes, I do.", "What a lovely evening!", "Take care!"],
)  # fmt: skip
def test_small_talk(text):
    assert noise.is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    ["Thanks, my sister Irene is a nurse.", "That flat has three rooms and a garden.", "I have a dog.",
     "Thanks - I moved to Oslo.", "Hello Kitty is my daughter's favourite."],
)  # fmt: skip
def test_statements_are_not_small_talk(text):
    assert not noise.is_small_talk(text)


def test_questions_hypotheticals_and_orders():
    assert noise.is_question("Do you like it?")
    assert noise.is_question('Do you like "it?"')
    assert noise.is_hypothetical("If I lived in Rome I would walk more.")
    assert not noise.is_hypothetical("I live in Rome.")
    assert noise.is_order("Please write a poem about rain.")
    assert noise.is_order("Summarize this.")
    assert not noise.is_order("I write poems about rain.")


def test_code_quotations_and_pages_go():
    text = (
        'I fixed it.\n```python\nI = "love cats"\n```\n> I hate dogs\n https://example.org/I-live-here\nSee `my name`.'
    )
    cleaned = noise.clean(text).text
    assert "I fixed it." in cleaned
    for gone in ("cats", "dogs", "example.org", "my name"):
        assert gone not in cleaned


def test_a_page_in_a_sentence_is_what_it_tells():
    text = "My blog is at https://moss.example/posts. I keep bees."
    assert noise.clean(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "Is this a good bio? 'I'm Tove Rask, a welder from Bergen.' Be honest.",
        "Is this a good bio? \u2018I\u2019m Tove Rask, a welder from Bergen.\u2019 Be honest.",
        "Klingt das gut? \u201eIch bin Schweißerin und wohne in Bergen.\u201c Sei ehrlich.",
        "C'est bien dit ? « Je suis soudeuse et j'habite à Bergen. » Sois franc.",
    ],
)
def test_words_in_quotation_marks_of_any_language_go(text):
    assert "Bergen" not in noise.clean(text).text


def test_apostrophes_quote_nothing():
    text = "In the '90s I lived in Rome. My parents' house is ours now, and the dogs' beds are 'nice'."
    assert noise.clean(text).text == text


def test_a_pasted_document_goes_and_its_heading_stays():
    document = "\n\n".join(f"{n}. The tenant shall pay the rent on the first day of month {n}." for n in range(1, 30))
    cleaned = noise.clean(f"My landlord sent this, please summarize:\n{document}")
    assert cleaned.document
    assert "tenant" not in cleaned.text
    assert "landlord" in cleaned.text


@pytest.mark.parametrize(
    "head", ["Is this clause fair?", "How should I answer this mail?", "Summarize this for me:", "Was meint er damit?"]
)
def test_a_question_may_hand_over_a_text_in_the_first_person(head):
    text = (
        "I moved to Lyon in January and I am getting married in June. I'd love you to come, we have room for all of us."
    )
    cleaned = noise.clean(f"{head}\n\n{text} {text}")
    assert "Lyon" not in cleaned.text
    assert "Lyon" in cleaned.pasted


@pytest.mark.parametrize("head", ["Can you help me with this?", "Can you explain?", "Kannst du mir helfen?"])
def test_a_question_may_go_before_a_story_of_ones_own(head):
    text = "I am a nurse in Leeds and I work nights. My husband drives a van and we have two kids of three and five."
    assert "nurse in Leeds" in noise.clean(f"{head}\n\n{text} {text}").text


def test_lines_of_a_log_and_runs_of_blanks_go():
    cleaned = noise.clean(
        "what's wrong?\n2026-03-09 12:01:25 WARN I am low on memory\n[ERROR] my heap is full\nI  use \t Linux"
    )
    assert cleaned.text == "what's wrong?\nI use Linux"


def test_a_long_personal_message_is_no_document():
    story = "I went to the market with my brother and we bought apples for our mother. " * 30
    assert not noise.clean(story).document
    assert "brother" in noise.clean(story).text


def test_captions_of_shared_photos_are_not_said():
    assert noise.clean("Look at this! [shares a photo: a photo of a red car]").text == "Look at this!"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("im sure hes 13 and they wont", "i'm sure he is 13 and they won't"),
        ("Its a mess, its tail is long", "It is a mess, its tail is long"),
        ("CANT you see, youre right", "CAN'T you see, you're right"),
        ("ill be there, well see, we were ill", "ill be there, well see, we were ill"),
    ],
)
def test_contractions_in_haste_are_spelled_out(typed, meant):
    assert noise.spelled_out(typed) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Got rid of the Transit", "I got rid of the Transit"),
        ("Finally cancelled Hulu", "I finally cancelled Hulu"),
        ("dropped the spanish class", "I dropped the spanish class"),
        ("landlord put the rent up", "my landlord put the rent up"),
        ("dentist rang and moved me to 17 june", "my dentist moved me to 17 June"),
        ("New job starts on Monday", "my new job starts on Monday"),
        ("I don't have a car any more, sadly", "I don't have a car anymore, sadly"),
        ("I'm vegan, pasta ideas?", "I'm vegan. pasta ideas?"),
        # What is no telling of one's own stays as it is.
        ("Married with two kids", "Married with two kids"),
        ("Used car prices are high", "Used car prices are high"),
        ("Left handed people", "Left handed people"),
        ("Moved by the music", "Moved by the music"),
        ("Mum moved back", "Mum moved back"),
        ("New York is loud", "New York is loud"),
        ("Manager is a class in Django", "Manager is a class in Django"),
        ("do you want any more cake", "do you want any more cake"),
    ],
)
def test_what_haste_leaves_out_is_put_in(said, meant):
    assert noise.spelled_out(said) == meant
