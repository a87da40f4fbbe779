"""What the gate decided, in a sentence."""

from __future__ import annotations

from memdesk.domain.models import Receipt
from memdesk.gui.text import tr
from memdesk.gui.words import section_name


def decision_words(receipt: Receipt) -> str:
    """Return why a chat was given what it was given, and from where the rest of the room was filled."""
    sentences = {
        "identity": tr("The question is about you, so the lines about you were given to the model."),
        "pinned": tr("The question touches what you told or decided, so facts were given to the model."),
        "episode": tr("The question points to an earlier conversation, so its digests were given to the model."),
        "transcript": tr("The question asks for what was said, so the messages themselves were given."),
        "none": tr("Nothing in the question asked for memory."),
    }
    words = sentences.get(receipt.section, "")
    if receipt.rule == "asked":
        words = tr("You asked for this section, so the gate was not asked.")
    if receipt.section == "none" and receipt.items:
        words += " " + tr("What you said should always be remembered was given.")
    if receipt.filled_from:
        words += " " + tr("What was left of the room was filled from: {section}.").format(
            section=section_name(receipt.filled_from)
        )
    return words
