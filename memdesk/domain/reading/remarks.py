"""What an assistant says about its actions, decisions with it, and its habits and likings.

"I have booked the table", "we decided on Tuesday", "I prefer small commits", "we always deploy on Thursdays".

What it says of its user ("your wife is called Olga", "as you told me") is never kept: a model that is wrong, or was
told to lie, would plant it. Only the user's own words count.
"""

from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import language_data
from memdesk.domain.reading.clause import Clause
from memdesk.domain.reading.clauses import clauses
from memdesk.domain.reading.habits import HABITUAL

_YOU = frozenset({"you", "your", "yours", "yourself", "yourselves"})
_UNSURE = frozenset({"should", "could", "would", "might", "may", "can", "if", "please"})


def of_both(analysis: Analysis, begin: int, end: int) -> bool:
    """Return whether an assistant's parsed sentence is about itself, or about a decision."""
    found = clauses(analysis, begin, end)
    if not found or any(clause.mood != "statement" for clause in found):
        return False
    of_user = any(token.lower in _YOU for token in analysis.tokens[begin:end])
    return any(_tells(clause) or (not of_user and _is_way(clause)) for clause in found)


def _tells(clause: Clause) -> bool:
    data, (subject, lemma) = language_data("en"), _said(clause)
    past = bool(clause.tags() & {"VBD", "VBN"})
    if subject == "i":
        return past and not _is_chatter(lemma)
    return subject == "we" and past and (lemma in data.words("verbs", "plan") or lemma in {"choose", "agree", "settle"})


def _is_way(clause: Clause) -> bool:
    """Whether a clause states a liking or a habit."""
    subject, lemma = _said(clause)
    if subject not in {"i", "we"} or _is_chatter(lemma) or "VBP" not in clause.tags():
        return False
    if lemma in language_data("en").words("verbs", "like") and not clause.inside("neg"):
        return True
    tree = clause.tree
    when = (word for kid in clause.inside("advmod", "neg", "npadvmod") for word in (kid, *tree.kids(kid, "det")))
    return any(tree.tokens[word].lower in HABITUAL for word in when)


def _said(clause: Clause) -> tuple[str, str]:
    """Return a clause's subject and verb; neither if uncertain."""
    if clause.subject is None or clause.lowers() & _UNSURE:
        return "", ""
    return clause.tree.tokens[clause.subject].lower, clause.tree.lemma(clause.verb)


def _is_chatter(lemma: str) -> bool:
    return lemma in language_data("en").words("verbs", "converse", "opine") or lemma in {"be", "hope", "help", "glad"}
