"""What a German sentence, kept in its speaker's words, claims; the few attributes that may be updated unasked."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

#: "The user said: “Ich wohne in Graz.”"
_QUOTED: Final = re.compile(r"^(?P<who>[\w'\u2019 -]{1,60}?) said: \u201c(?P<words>.+)\u201d$")
_PLACE: Final = r"(?P<value>[A-Z\u00c4\u00d6\u00dc][\w-]+)"
#: States by the words that English lines have for them, so that a change of language is no change of state.
_STATES: Final = MappingProxyType(
    {
        "vegetarier": "vegetarian", "vegetarierin": "vegetarian", "veganer": "vegan", "veganerin": "vegan",
        "vegan": "vegan", "verheiratet": "married", "ledig": "single", "geschieden": "divorced", "verlobt": "engaged",
        "raucher": "smoker", "raucherin": "smoker", "student": "student", "studentin": "student",
        "schwanger": "pregnant", "arbeitslos": "unemployed",
    }
)  # fmt: skip
_STATE: Final = re.compile(
    rf"\bich bin (?:jetzt |nun |seit \w+ )?(?P<no>nicht(?: mehr)? |keine? )?(?P<value>{'|'.join(_STATES)})\b",
    re.IGNORECASE,
)
#: (attribute, pattern, whether it holds); a pattern without a value is of a state.
_CLAIMS: Final = tuple(
    (attribute, re.compile(pattern), holds)
    for attribute, pattern, holds in (
        ("home", rf"\b[Ii]ch (?:wohne|lebe) nicht (?:mehr|l\u00e4nger)\b(?: \w+){{0,3}}? in {_PLACE}", False),
        (
            "employer",
            rf"\b[Ii]ch arbeite nicht (?:mehr|l\u00e4nger)\b(?: \w+){{0,3}}? (?:bei|f\u00fcr) (?:der |dem )?{_PLACE}",
            False,
        ),
        ("smoker", r"\b(?:mit dem [Rr]auchen aufgeh\u00f6rt|[Ii]ch rauche nicht mehr)\b", False),
        ("vegetarian", r"\b[Ii]ch esse (?:jetzt )?(?:wieder [Ff]leisch|[Ff]leisch wieder)\b", False),
        ("home", rf"\b[Ii]ch (?:wohne|lebe)\b(?: \w+){{0,3}}? in {_PLACE}", True),
        ("home", rf"\b[Ii]ch bin\b(?: [\w.]+){{0,5}}? nach {_PLACE} (?:um)?gezogen", True),
        ("home", rf"\b[Ii]ch ziehe\b(?: [\w.]+){{0,5}}? nach {_PLACE}", True),
        ("employer", rf"\b[Ii]ch arbeite\b(?: \w+){{0,4}}? (?:bei|f\u00fcr) (?:der |dem )?{_PLACE}", True),
        ("name", rf"\b[Ii]ch hei\u00dfe {_PLACE}", True),
    )
)


def parse(line: str) -> tuple[str, str, str, bool] | None:
    """Return ``(subject, attribute, value, holds)`` of a quoted line, or None; subject and value in lower case."""
    quoted = _QUOTED.match(line.strip())
    if quoted is None:
        return None
    who = quoted["who"].lower().removeprefix("the ")
    said = quoted["words"].replace("[", "").replace("]", "")  # "[Ich] bin ...", cut off "Ich arbeite ... und bin ..."
    state = _STATE.search(said)
    if state:
        return who, "state", _STATES[state["value"].lower()], not state["no"]
    for attribute, pattern, holds in _CLAIMS:
        match = pattern.search(said)
        if match:
            return who, attribute, match.groupdict().get("value", attribute).lower(), holds
    return None


def says_more(line: str) -> bool:
    """Return whether a quoted line says more than one thing."""
    quoted = _QUOTED.match(line.strip())
    return quoted is not None and re.search(r"\b(?:und|aber|denn|weil)\b|[,;]", quoted["words"]) is not None
