"""Of long texts a model gets the passages relevant to the message."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.chatting.files import apart, joined, with_passages
from memdesk.domain.chatting.passages import PAGE, excerpt, passages
from memdesk.domain.language.text import estimate_tokens

FILLER = "The committee met again and talked about the weather, the coffee and the chairs of the hall for a while. "
LEASE = "The deposit is three months' rent and is paid back within six weeks after the keys are returned."


def lease():
    """A text of many pages with one sentence that matters on the seventh."""
    pages = ["\n\n".join([FILLER * 8] * 3) for _ in range(12)]
    pages[6] = f"{FILLER * 4}\n\n{LEASE}\n\n{FILLER * 4}"
    return PAGE.join(pages)


def test_a_text_that_fits_goes_whole():
    assert excerpt("a.txt", f"one{PAGE}two", "what?", 100) == ("one\n\ntwo", None)


def test_of_a_long_text_the_passage_asked_about_goes_with_its_page():
    sent, (chosen, every) = excerpt("lease.pdf", lease(), "When do I get my deposit back?", 600)
    assert LEASE in sent
    assert chosen < every == len(passages(lease()))
    assert "[lease.pdf, p. 7]" in sent
    assert estimate_tokens(sent) <= 700


def test_a_question_that_nothing_answers_gets_the_beginning():
    sent, _chosen = excerpt("lease.pdf", lease(), "???", 600)
    assert "[lease.pdf, p. 1]" in sent


def test_a_text_without_pages_is_cited_by_passage():
    text = "\n\n".join([FILLER * 8, LEASE, *[FILLER * 8] * 20])
    assert "[notes.md, passage " in excerpt("notes.md", text, "the deposit", 400)[0]


def test_a_file_leaves_the_room_that_it_does_not_need_to_the_others():
    draft = Draft("When is the deposit paid back?", {"lease.pdf": lease(), "note.txt": "Short."})
    lease_sent, note = apart(draft.message(700))[1]
    assert (note.text, note.passages) == ("Short.", None)
    assert LEASE in lease_sent.text
    assert (lease_sent.name, lease_sent.pages) == ("lease.pdf", 12)


def test_what_looks_like_a_file_amid_the_words_is_part_of_them():
    sent = Draft("", {"a.md": "one"}).message()
    for words in (f"{sent}\n\nIs this right?", "Output:\n```\n1\n```", sent.replace("\n```file", "\n```")):
        assert apart(words) == (words, ())


NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)


@given(st.text(max_size=200), st.dictionaries(NAMES, st.text(alphabet="ab`\n\f:()file1 ", max_size=200), max_size=3))
def test_a_message_comes_apart_into_its_words_and_files(words, files):
    sent = Draft(words, files).message()
    said, found = apart(sent)
    if files:
        assert said == words.strip()
    assert [(file.name, file.chars) for file in found] == [(name, len(text)) for name, text in files.items()]
    assert joined(said, found) == sent.strip() or not files


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="ab .\n\f", max_size=4000), st.integers(40, 400))
def test_no_excerpt_is_longer_than_its_room_and_no_passage_is_lost(text, room):
    assert estimate_tokens(excerpt("f", text, "a b", room)[0]) <= room + 60
    joined = "".join(passage.text for passage in passages(text))
    assert sorted(joined.replace(" ", "").replace("\n", "")) == sorted(
        text.replace(" ", "").replace("\n", "").replace("\f", "")
    )


def test_a_message_that_goes_on_about_a_long_file_is_given_what_answers_it():
    whole = {"lease.pdf": lease()}
    text = with_passages("And when do I get my deposit back?", whole, 600)
    words, (file,) = apart(text)
    assert words == "And when do I get my deposit back?"
    assert LEASE in file.text
    assert file.passages == (1, len(passages(lease())))
    assert with_passages(text, whole, 600) == text


def test_a_message_about_something_else_stays_as_it_is():
    assert with_passages("Thanks a lot! ", {"lease.pdf": lease()}, 600) == "Thanks a lot! "
