from __future__ import annotations

from memdesk.domain.language.analysis import Analysis, Token, plain
from memdesk.domain.reading.topics import topics_of


def test_without_a_parse_frequent_content_words_count():
    turns = [plain("I bought a cello and practise the cello."), plain("The cello is old."), plain("Soup is warm.")]
    assert topics_of(turns, frozenset())[0] == "cello"


def test_phrases_go_before_their_parts_and_names_are_no_topics():
    def analysis():
        return Analysis(
            "mental health Dana",
            (
                Token("mental", True, 0, "mental", "ADJ", "JJ", "amod", 1, first=True),
                Token("health", True, 7, "health", "NOUN", "NN", "ROOT", 1),
                Token("Dana", False, 14, "Dana", "NOUN", "NN", "appos", 1),
            ),
        )

    assert topics_of([analysis(), analysis()], frozenset({"dana"})) == ("mental health",)
