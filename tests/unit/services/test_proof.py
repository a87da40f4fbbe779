from memdesk.services.forgetting.proof import MAX_CHARS, MIN_CHARS, choose_phrases


def test_short_texts_are_looked_for_whole():
    assert choose_phrases(["The spare key", "no", "The spare key"]) == ["The spare key"]


def test_quotes_and_backslashes_are_avoided():
    assert choose_phrases(['She said "the blue flowerpot" twice']) == ["the blue flowerpot", "She said"]
    assert choose_phrases(["one\\two three four"]) == ["two three four"]


def test_long_texts_give_whole_words_of_the_middle_first():
    text = " ".join(f"word{number}" for number in range(40))
    pieces = choose_phrases([text])
    assert len(pieces) == 3
    assert all(MIN_CHARS <= len(piece) <= MAX_CHARS and piece in text for piece in pieces)
    assert all(word in text.split() for piece in pieces for word in piece.split())
    assert "word20" in pieces[0]
    assert pieces[1].endswith("word39")
    assert pieces[2].startswith("word0")


def test_scripts_without_spaces():
    [first, *_] = choose_phrases(["記憶" * 40])
    assert len(first) == MAX_CHARS


def test_a_choice_is_spread_over_all_texts():
    texts = [f"sentence number {number:03} of many" for number in range(100)]
    chosen = choose_phrases(texts, limit=10)
    assert len(chosen) == 10
    assert chosen[0] == texts[0]
    assert chosen[-1] == texts[90]
