"""Reads what a person says to an assistant, turn by turn, by grammar.

After a request with material ("Translate: ..."), a story or a game, nothing that follows is the speaker's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memdesk.domain.items.statement import USER
from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.candidates import SourceTurn
from memdesk.domain.reading.clauses import clauses
from memdesk.domain.reading.discourse import Discourse, Mention
from memdesk.domain.reading.durability import Judge
from memdesk.domain.reading.fiction import Fiction
from memdesk.domain.reading.fragments import Question
from memdesk.domain.reading.handing import material_in
from memdesk.domain.reading.keeping import Keeper
from memdesk.domain.reading.profiles import beside_entries, heads_list, is_item, lists_self, read_item, read_profile
from memdesk.domain.reading.sentences import SentenceReader
from memdesk.domain.reading.session import LeftOut
from memdesk.domain.reading.told import Told


class Listener:
    """Reads the turns of one speaker in order.

    Args:
        left_out: records what is left out, and why.
        known: people they named in earlier conversations.
        judge: estimates what lasts; without it every clause is kept that structure does not exclude, and no sentence
            in its own words.
    """

    def __init__(self, left_out: LeftOut, known: Sequence[Mention] = (), judge: Judge | None = None) -> None:
        self._left_out = left_out
        #: whether the last turn asked for a text, so that the answer is that text.
        self.made = False
        self._judge = judge
        self._discourse = Discourse(USER, list(known))
        self._fiction = Fiction()

    def read(self, turn: SourceTurn, analysis: Analysis, asked: Question | None = None) -> Iterator[Told]:
        """Yield the statements of a turn.

        Args:
            turn: what was said.
            analysis: of its text.
            asked: what the assistant just asked.
        """
        self._discourse.turn += 1
        self.made = self._fiction.goes_on(analysis)
        if self.made:
            self._left_out.note("fiction", 0)
            return
        requesting, of_self = _requests(analysis), lists_self(analysis)
        keeper = Keeper(self._judge, asked.text if asked is not None else "")
        reader = SentenceReader(turn, self._discourse, keeper, self._left_out, asked=asked, requesting=requesting)
        entries = read_profile(analysis, speaker=turn.speaker, day=turn.day)
        if entries and not requesting:  # else they may be of whom a bio is asked for
            self._discourse.tell()
            yield from entries
        introduced, stop = of_self, len(analysis.tokens)
        for begin, end in beside_entries(analysis, "en") if entries else analysis.sentences():
            if begin >= stop:
                break
            tree = Tree(analysis, begin, end)
            items = self._items(turn, tree) if introduced else []
            if items:
                yield from items
                continue
            introduced = introduced or heads_list(analysis, begin, end)
            found = clauses(analysis, begin, end)
            if self._fiction.begins(tree, found):
                self._left_out.note("fiction", begin)
                self.made = True
                return
            stop = min(stop, material_in(analysis, begin, end, found, lists_self=of_self))
            own = [clause for clause in found if clause.end != stop or stop >= end]  # not "This is my friend's message"
            told = list(reader.read(tree if stop >= end else Tree(analysis, begin, stop), own))
            if (stop > end or stop == len(analysis.tokens)) and not is_item(analysis, begin):
                told = reader.or_in_own_words(tree, told)
            yield from told
            if stop <= end:
                break
        if stop < len(analysis.tokens):
            self._left_out.note("material", stop)
            self.made = True

    def _items(self, turn: SourceTurn, tree: Tree) -> list[Told]:
        """Return what a list item says of its writer; nothing for another sentence."""
        if not is_item(tree.analysis, tree.begin):
            return []
        self._discourse.tell()
        return read_item(tree, speaker=turn.speaker, day=turn.day)


def _requests(analysis: Analysis) -> bool:
    """Whether a turn asks for something."""
    return any(
        clause.mood in {"order", "question"}
        for begin, end in analysis.sentences()
        for clause in clauses(analysis, begin, end)
    )
