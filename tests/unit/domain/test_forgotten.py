from memdesk.domain.forgetting.marks import NOTHING, Forgotten, mark

SALT = bytes(16)


def test_marks_cannot_be_read_and_depend_on_the_key():
    assert "flowerpot" not in repr(mark("the blue flowerpot", SALT))
    assert mark("the blue flowerpot", SALT) == mark("a Blue flowerpot!", SALT)
    assert mark("the blue flowerpot", SALT).isdisjoint(mark("the blue flowerpot", bytes([1]) * 16))


def test_only_the_sentences_that_say_it_are_cut():
    marks = Forgotten(SALT)
    marks.add(["Kim hides the key under the blue flowerpot", ""])
    text = "Good morning. I hide the key under the blue flowerpot. Plums are ripe."
    assert marks.cut(text) == "Good morning. Plums are ripe."
    assert marks.cut("I hide the key under the blue flowerpot.") == NOTHING
    assert Forgotten(SALT).cut(text) == text


def test_a_statement_is_marked_once():
    marks = Forgotten(SALT)
    marks.add(["one thing"])
    marks.add(["one thing"])
    assert len(marks.marks) == 1
