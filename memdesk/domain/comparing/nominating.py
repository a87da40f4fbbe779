"""Which stored lines are worth comparing with a new one: nominates by shared words, decides nothing."""

from memdesk.domain.comparing.lexicon import lexicon_of
from memdesk.domain.comparing.relations import claim_of
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.text import content_words, words


def terms_of(text: str, statement: Statement | None) -> tuple[str, ...]:
    """Return the words for finding, by full text, what a line may repeat, update or end."""
    terms = dict.fromkeys(content_words(text))
    if statement is None:
        return tuple(terms)
    lexicon = lexicon_of(statement.language)
    relation = claim_of(statement).relation
    # Other words for the same attribute: "live in" and "move to", "boss" and "manager".
    kindred = [word for word, name in (*lexicon.states.items(), *lexicon.enters.items()) if name == relation]
    kindred += [noun for noun, name in lexicon.attribute_nouns.items() if name == relation]
    kindred += [verb for verb, (head, _) in lexicon.verbs.items() if head == relation]
    terms.update(dict.fromkeys(word for phrase in (*kindred, statement.replaces) for word in content_words(phrase)))
    terms.update(dict.fromkeys(words(statement.subject)[1:]))
    return tuple(terms)
