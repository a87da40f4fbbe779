"""What the gate decided, in a sentence."""

from memdesk.domain.models import Receipt
from memdesk.gui.text import tr
from memdesk.gui.words import section_name


def decision_words(receipt: Receipt) -> str:
    """Return why a chat got its memory, and what filled the rest of the budget."""
    sentences = {
        "identity": tr("The question is about you, so the model was given the lines about you."),
        "pinned": tr("The question touches on what you told or decided, so the model was given facts."),
        "episode": tr("The question points to an earlier conversation, so the model was given its summary."),
        "transcript": tr("The question asks what exactly was said, so the model was given the messages themselves."),
        "none": tr("Nothing in the message called for memory."),
    }
    words = sentences.get(receipt.section, "")
    if receipt.rule == "asked":
        words = tr("You chose where to look.")
    if receipt.section == "none" and receipt.items:
        words += " " + tr("The model was given only what it should always know.")
    if receipt.filled_from:
        words += " " + tr("There was room for more, which came from: {section}.").format(
            section=section_name(receipt.filled_from)
        )
    return words
