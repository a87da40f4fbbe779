from memdesk.domain.forgotten import NOTHING, Forgotten, mark

SALT = bytes(16)


def test_marks_cannot_be_read_and_depend_on_the_key():
    assert "flowerpot" not in repr(mark("the blue flowerpot", SALT))
    assert mark("the blue flowerpot", SALT) == mark("a Blue flowerpot!", SALT)
    assert mark("the blue flowerpot", SALT).isdisjoint(mark("the blue flowerpot", bytes([1]) * 16))


def test_only_the_sentences_that_tell_it_are_cut_and_only_there():
    marks = Forgotten(SALT)
    marks.add("t1", ["Kim hides the key under the blue flowerpot", ""])
    text = "Good morning. I hide the key under the blue flowerpot. Plums are ripe."
    assert marks.cut("t1", text) == "Good morning. Plums are ripe."
    assert marks.cut("t2", text) == text
    assert marks.cut("t1", "I hide the key under the blue flowerpot.") == NOTHING


def test_marks_of_gone_messages_are_dropped():
    marks = Forgotten(SALT)
    marks.add("t1", ["one thing"])
    marks.add("t1", ["one thing"])
    assert len(marks.turns["t1"]) == 1
    marks.drop(["t1", "t9"])
    assert marks.turns == {}
