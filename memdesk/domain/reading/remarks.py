"""What an assistant says that it did, and what was decided with it: "I have booked the table", "we decided on Tuesday".

What it says of its user ("your wife is called Olga", "as you told me") is never kept: a model that is wrong, or was told to lie, would
plant it. The user's own words say what is so.
"""

from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import language_data
from memdesk.domain.reading.clauses import Clause, clauses

_UNSURE = frozenset({"should", "could", "would", "might", "may", "can", "if", "please"})


def of_both(analysis: Analysis, begin: int, end: int) -> bool:
    """Return whether a parsed sentence of an assistant states what it did, or what was decided."""
    found = clauses(analysis, begin, end)
    return bool(found) and all(clause.mood == "statement" for clause in found) and any(map(_tells, found))


def _tells(clause: Clause) -> bool:
    tree, data = clause.tree, language_data("en")
    if clause.subject is None or clause.lowers() & _UNSURE:
        return False
    subject = tree.tokens[clause.subject].lower
    lemma = tree.lemma(clause.verb)
    chatter = lemma in data.words("verbs", "converse", "opine") or lemma in {"be", "hope", "help", "glad"}
    past = bool(clause.tags() & {"VBD", "VBN"})
    if subject == "i":
        return past and not chatter
    return subject == "we" and past and (lemma in data.words("verbs", "plan") or lemma in {"choose", "agree", "settle"})
