"""Why a session is not distilled."""

from types import MappingProxyType
from typing import Final

from memdesk.domain.models import Agent, Conversation
from memdesk.messages import say
from memdesk.settings.schema import MemorySettings

#: Reasons for refusals, worded for the user.
WHY_SKIPPED: Final = MappingProxyType(
    {
        "memory_disabled": say("Memory is switched off in the settings; the turns wait."),
        "agent_memory_off": say("This agent's memory is off; the turns wait."),
        "conversation_memory_off": say("Memory is off in this conversation; the turns wait."),
        "manual": say("Distillation is on request only (extractionMode: manual); the turns wait until you ask for it."),
        "no_core_model": say(
            "No core model is chosen. Choose one, or set extractionMode to rules to do without; the turns wait."
        ),
    }
)
#: Explanations why a sentence was skipped, by reading's reason.
_WHY_PASSED: Final = MappingProxyType(
    {
        "question": say("a question"),
        "small talk": say("small talk"),
        "hypothetical": say("only supposed"),
        "not decided": say("not decided yet"),
        "fiction": say("part of a story or a game"),
        "material": say("a text to work on"),
        "remark on the answer": say("about the answer"),
        "says what another said": say("what somebody else said"),
        "opinion of another": say("what somebody else thinks"),
        "said by the assistant": say("said by the assistant"),
        "of nobody": say("says nothing about you"),
        "no statement": say("states nothing"),
        "taken back": say("taken back"),
        "corrects nothing": say("corrects nothing"),
        "too long": say("too long"),
        "hides an order": say("hides an instruction"),
        **dict.fromkeys(("request", "task at hand"), say("only for the task at hand")),
        **dict.fromkeys(("of the moment", "passing state"), say("true only for the moment")),
        **dict.fromkeys(("says too little", "gives no value"), say("says too little by itself")),
    }
)
#: Those that do not count as pending: memory was turned off on purpose.
SWITCHED_OFF: Final = frozenset(WHY_SKIPPED[why] for why in WHY_SKIPPED if why.endswith(("_disabled", "_off")))


def why_passed(reason: str) -> str:
    """Explain to the user why a sentence was skipped; an unknown reason is returned unchanged."""
    return _WHY_PASSED.get(reason, reason)


def memory_off(memory: MemorySettings, agent: Agent | None, conversation: Conversation | None) -> str:
    """Return where memory is turned off; empty if it is on. None means not created yet."""
    if not memory.enabled:
        return "memory_disabled"
    if agent is not None and agent.memory != "on":
        return "agent_memory_off"
    if conversation is not None and conversation.memory != "on":
        return "conversation_memory_off"
    return ""


def model_wanted(memory: MemorySettings) -> str:
    """Return ``no_core_model`` if one must be chosen first, else an empty text."""
    return "no_core_model" if memory.extraction_mode != "rules" and not memory.core_model else ""


def refusal(
    memory: MemorySettings, agent: Agent | None, conversation: Conversation | None = None, *, explicit: bool = False
) -> str:
    """Return why a session is not distilled, a key of :data:`WHY_SKIPPED`; empty if it is.

    ``explicit``: the user asked for it. An agent or conversation not created yet is None.
    """
    off = memory_off(memory, agent, conversation)
    if off:
        return off
    if memory.extraction_mode == "manual" and not explicit:
        return "manual"
    return model_wanted(memory)
