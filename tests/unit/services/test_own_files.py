"""How a changed file is split again."""

from hypothesis import given
from hypothesis import strategies as st

from memdesk.domain.notes.chunks import parts
from memdesk.services.notes.own_files import _recut

TEXT = st.lists(st.sampled_from(["# One\n", "word " * 300, "a line\n", "\r\n", "b"]), max_size=8).map("".join)


@given(TEXT, TEXT, TEXT, TEXT)
def test_the_pieces_are_the_new_text_and_those_counted_are_the_old_ones(before, gone, new, after):
    old = [piece for piece in parts(before + gone + after) if piece]
    text = before + new + after
    pieces, first, last = _recut(old, text)
    assert "".join(pieces) == text
    assert pieces[:first] == old[:first]
    assert pieces[len(pieces) - last :] == old[len(old) - last :]
    assert first + last <= min(len(old), len(pieces))
    assert pieces
