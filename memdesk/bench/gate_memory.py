"""How often likeness to a real memory opens the gate where no rule does: wanted hits and false alarms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memdesk.bench.recall_rig import load, profile
from memdesk.services.locomo import ADVERSARIAL, LocomoConversation, read_locomo
from memdesk.services.recall_gate import GateKeeper, shipped_gate

if TYPE_CHECKING:
    from memdesk.services.container import Services


def measure_likeness(path: Path, store: Path | None, strangers: Sequence[str], *, rules: bool) -> dict[str, Any]:
    """Distil a conversation and put its questions, names left out, to it: those that no rule of the gate lets through.

    Args:
        path: a conversation in the LoCoMo format.
        store: where its profile is kept for the next run; None for a throw-away one.
        strangers: prompts that ask for nothing of the user's.
        rules: distil by rules alone.

    Returns:
        ``false_alarms`` and ``hits`` (shares of what likeness let through), and of how many prompts each.

    Raises:
        MemdeskError: the conversation cannot be read.
    """
    conversation = read_locomo(path)
    gate = shipped_gate()
    wanted = [_nameless(one.question, conversation) for one in conversation.questions if one.category != ADVERSARIAL]
    with profile(store, **({"extraction_mode": "rules"} if rules else {})) as services:
        load(services, [conversation], distil=True)
        keeper = GateKeeper(
            store=services.recall.store,
            settings=services.settings,
            indexing=services.indexing,
            lanes=services.lanes,
        )
        keeper.measure_noise(conversation.name)
        shares = {}
        for name, prompts in (("false_alarms", strangers), ("hits", wanted)):
            silent = [prompt for prompt in prompts if gate.decide(prompt).rule == "none"]
            opened = sum(_opens(services, keeper, conversation.name, prompt) for prompt in silent)
            shares[name] = round(opened / max(len(silent), 1), 4)
            shares[f"{name}_of"] = len(silent)
    return shares


def _nameless(question: str, conversation: LocomoConversation) -> str:
    """Return a question without the speakers' names, which alone would make it alike to what they said."""
    return re.sub(rf"\b(?:{re.escape(conversation.speaker_a)}|{re.escape(conversation.speaker_b)})\b", "she", question)


def _opens(services: Services, keeper: GateKeeper, agent_id: str, prompt: str) -> bool:
    embedded = services.indexing.embed_query(prompt)
    return embedded is not None and keeper.alike(agent_id, embedded[1], embedded[0]) is not None
