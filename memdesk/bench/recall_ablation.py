"""The parts of recall that ``--ablate`` removes one at a time."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from memdesk.domain.recalling import planner, query
from memdesk.services.recalling import composing
from memdesk.services.recalling import lines as recall_lines
from memdesk.services.recalling import search as recall_search

#: A module, a name in it, and its replacement when the part is removed.
Place = tuple[Any, str, Any]

_NEVER = re.compile(r"(?!)")
_asking = query.asking


def _of_nobody(code: str) -> dict[str, re.Pattern[str]]:
    return {**_asking(code), "self": _NEVER, "assistant": _NEVER}


def _as_said(text: str, _said: datetime) -> str:
    return text


#: Parts of the ranking, by features.
GROUPS = {
    "vectors": ("turn_cosine", "near_cosine"),
    "turn's own text": ("coverage",),
    "text of neighbors": ("wide_text",),
    "the turn behind": ("after",),
    "speaker": ("speaker",),
    "questions": ("asks",),
    "names": ("names",),
    "dates": ("date",),
    "assistant or person": ("assistant",),
}
#: The planner's reasons to stop before the budget is full.
STOPPING: tuple[Place, ...] = ((recall_lines, "NOISE_SHARE", 0.0), (recall_lines, "STATED_NOISE_SHARE", 0.0))
#: Rules of the question, the candidates and the lines.
RULES: dict[str, tuple[Place, ...]] = {
    "neighbors of candidates": ((recall_search, "NEAR", 0),),
    "room weighed": ((planner, "DENSITY", 0.0),),
    "stopping early": STOPPING,
    "turns spread over days": ((recall_lines, "SPREAD", 1.0),),
    "repeats left out": ((planner, "_SAME", 2.0),),
    "days behind relative words": ((planner, "with_dates", _as_said),),
    "answers shortened": ((recall_lines, "ANSWER", planner.MAX_LINE),),
    "a line's share of the budget": ((recall_lines, "LINE_SHARE", 1.0),),
    "who is asked about": ((query, "asking", _of_nobody),),
}
#: Rules of a block of lines of several kinds.
FILLING: dict[str, tuple[Place, ...]] = {
    "what is distilled": ((composing, "MIX", dict.fromkeys(composing.MIX, ("transcript",))),),
    "what is told twice worth less": ((planner, "REPEATED", 1.0),),
    "little room for related statements": ((recall_lines, "STATED_NOISE_SHARE", recall_lines.STATED_ALONE_SHARE),),
}
