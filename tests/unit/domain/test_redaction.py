from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from memdesk.domain.comparing.similarity import containment, jaccard, word_set
from memdesk.domain.forgetting import redaction
from memdesk.domain.forgetting.redaction import EMPTIED, names, telling_words, tells_any, without
from tests.helpers import rows
from tests.helpers.memory_rows import NOON

WORDS = ("cello", "rain", "roof", "boat", "walnut", "harbour", "violin", "the")

EPISODE = rows.episode(
    "Zoë plays the cello. It rained all day.",
    topics=("cello", "rain"),
    entities=("Zoë",),
    decisions=("Zoë will play on Sunday",),
    details=(rows.detail("Zoe's cello is old", id="d1"), rows.detail("The roof leaks", id="d2")),
    started_at=NOON,
    ended_at=NOON,
    created_at=NOON,
    updated_at=NOON,
)


def test_a_line_that_says_it_in_other_words_is_a_copy():
    tells = tells_any(["The user plays the cello on Sundays"])
    assert tells("the user plays the cello on sundays")
    assert tells("The user often plays cello on Sundays")
    assert tells("It was said that the user plays the cello on Sundays with her old friends from school")
    assert not tells("The user plays football")
    assert not tells("")


def test_a_single_word_is_not_found_in_every_line_that_has_it():
    assert not tells_any(["Cello"])("They spoke of music, the cello among other things they like")
    assert tells_any(["Cello"])("cello")


def test_names_are_whole_words_without_regard_to_accents():
    tells = names("Zoë")
    assert tells("about zoe and others")
    assert tells("ZOË!")
    assert not tells("Zoeys")
    assert names("New  York")("in new york city")


def test_an_episode_loses_the_lines_and_keeps_the_rest():
    left = without(EPISODE, names("Zoë"), NOON)
    assert left.content == "It rained all day."
    assert [detail.content for detail in left.session.details] == ["The roof leaks"]
    assert left.session.entities == ()
    assert left.session.decisions == ()
    assert left.tags == ("rain",)  # of the cello nothing is told any more


def test_an_episode_that_does_not_mention_it_is_left_alone():
    assert without(EPISODE, names("Otto"), NOON) is EPISODE


def test_an_episode_of_which_nothing_is_left_goes():
    only = rows.changed(EPISODE, summary="Zoë sings.", details=())
    assert without(only, names("Zoë"), NOON) is None
    kept = rows.changed(EPISODE, summary="Zoë sings.")
    assert without(kept, names("Zoë"), NOON).content == EMPTIED


def episode(summary, *, details, **fields):
    made = tuple(rows.detail(line, id=str(number)) for number, line in enumerate(details))
    return rows.changed(EPISODE, **({"entities": (), "decisions": ()} | fields), summary=summary, details=made)


def test_topics_and_the_sentence_listing_them_go_when_nothing_else_mentions_them():
    before = episode(
        "The user talked about walnuts, sister and bees. The user's sister Dana keeps bees. The user eats no walnuts.",
        details=("The user's sister Dana keeps bees.", "The user eats no walnuts."),
        topics=("walnuts", "sister", "bees"),
        entities=("Walnuts", "Dana"),
    )
    left = without(before, tells_any(["The user eats no walnuts"]), NOON)
    assert left.content == "The user's sister Dana keeps bees."
    assert left.tags == ("sister", "bees")
    assert left.session.entities == ("Dana",)


def test_a_topic_that_another_line_mentions_stays():
    before = episode(
        "They talked about walnuts. The user eats no walnuts. Dana sells walnuts in Porto.",
        details=("The user eats no walnuts.", "Dana sells walnuts in Porto."),
        topics=("walnuts", "porto"),
    )
    left = without(before, tells_any(["The user eats no walnuts"]), NOON)
    assert left.content == "They talked about walnuts. Dana sells walnuts in Porto."
    assert left.tags == ("walnuts", "porto")


@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join), max_size=12),
    st.sampled_from((2, 32)),
    st.dictionaries(st.sampled_from(WORDS), st.integers(0, 9)),
)
def test_what_the_index_of_rare_words_finds_is_what_comparing_all_finds(texts, pairs_up_to, known):
    told = texts[: len(texts) // 2]
    with patch.object(redaction, "_PAIRS_UP_TO", pairs_up_to):
        tells = tells_any(told)
        found = {line: tells(line) for line in texts}
    looked_for = telling_words(told, {word: known.get(word, 0) for text in told for word in text.split()})
    for line in texts:
        mine, others = word_set(line), [word_set(text) for text in told]
        alike = any(
            jaccard(mine, one) >= 0.6 or (len(one) >= 3 and containment(one, mine) >= 0.9) for one in others if one
        )
        assert found[line] is (alike or line in told)
        assert not (alike and mine) or looked_for & set(line.split())
