import pytest

from memdesk.domain.language.names import EntityMatcher

NAMES = ["Project Falcon", "Dana", "Biscuit", "Dr. Okafor", "Maple Street", "São Paulo", "AI", "Will", "Straße", "京都"]
MATCHER = EntityMatcher(NAMES, generic={"project", "street"})


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What's Dana's birthday?", ["Dana"]),
        ("what does dana say", ["Dana"]),
        ("How is Falcon going?", ["Project Falcon"]),
        ("How is Project Falcon going?", ["Project Falcon"]),
        ("How fast does a falcon fly?", []),
        ("A biscuit recipe, please", []),
        ("Does Biscuit need a walk?", ["Biscuit"]),
        ("Ask Okafor", ["Dr. Okafor"]),
        ("Which project on which Street?", []),
        ("Danas Bergen", ["Dana"]),
        ("whats danas birthday", ["Dana"]),
        ("Danast\u00e4dter Bergen", []),
        ("Tell me about Sao Paulo", ["São Paulo"]),
        ("Is AI risky?", ["AI"]),
        ("said ai", []),
        ("Will it rain?", []),
        ("Ask Will about it", ["Will"]),
        ("STRASSE or Straße?", ["Straße"]),
        ("今年京都は寒い", ["京都"]),
        ("", []),
    ],
)
def test_names(text, names):
    assert [match.name for match in MATCHER.find(text)] == names


def test_places_are_those_of_the_text():
    (match,) = MATCHER.find("Hm, in São Paulo.")
    assert "Hm, in São Paulo."[match.start : match.end] == "São Paulo"


def test_the_longest_name_wins():
    matcher = EntityMatcher(["Ann", "Ann Arbor", "Arbor Day"])
    assert [match.name for match in matcher.find("From Ann Arbor to Ann")] == ["Ann Arbor", "Ann"]


def test_no_names():
    assert EntityMatcher([]).find("anything") == []
    assert len(EntityMatcher(["x", "", " "])) == 0
