"""What a line ends, or takes for granted, without stating the attribute: "eats meat again", "Rufus died", "sold the car".

:mod:`memdesk.domain.contradiction` compares what a new line ends (:func:`ended`) with what remembered lines hold or take
for granted (:func:`held`). Both are short lists on purpose; what is not in them stays until the user says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

#: ``(subject, attribute, value, holds)``, in lower case.
Row = tuple[str, str, str, bool]

_SUBJECT: Final = r"^(?:(?:now|then|also|so),? )?(?P<subject>(?:the )?[\w'\u2019.\- ]{1,60}?)"
_HAS: Final = r"(?: has| have)?(?: just| now| finally| recently| also)?"
_NAME: Final = r"(?P<name>(?-i:[A-Z])[\w-]+)"
_PARTNERS: Final = r"(?:girlfriend|boyfriend|wife|husband|partner|fianc\u00e9e?|fiancee?)"


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_MEAT: Final = _p(
    rf"{_SUBJECT}{_HAS} (?:(?:eats?|eating|has) (?:\w+ )?(?:meat|beef|pork|chicken|steak)s? (?:again|now)|(?:started|went back to|is back to) eating (?:meat|beef|pork|chicken))\b"
)
_MEAT_DE: Final = _p(
    r"^(?P<who>[\w'\u2019 -]{1,60}?) said: \u201c.*\bich esse (?:jetzt |nun )?(?:wieder fleisch|fleisch wieder)"
)
_APART: Final = tuple(
    _p(pattern)
    for pattern in (
        rf"^{_NAME} and (?P<subject>the user){_HAS} (?:broke up|split up|separated|divorced|got divorced|are divorced|are no longer together)\b",
        rf"^(?P<subject>the user) and (?:their (?:{_PARTNERS} )?)?{_NAME}{_HAS} (?:broke up|split up|separated|divorced|got divorced)\b",
        rf"^(?P<subject>the user){_HAS} (?:broke up with|left|separated from|got divorced from|divorced) (?:their (?:{_PARTNERS} )?)?{_NAME}",
        r"^(?P<subject>the user) said: \u201c(?:.*\b)?" + _NAME + r" und ich (?:haben uns getrennt|sind nicht mehr zusammen|sind getrennt)",
        rf"^(?P<subject>the user) said: \u201c.*\bich habe mich von (?:mein\w+ \w+ )?{_NAME} getrennt",
    )
)  # fmt: skip
_PARTNER: Final = tuple(
    _p(pattern)
    for pattern in (
        rf"\b(?P<subject>the user)'s {_PARTNERS} {_NAME}\b",
        rf"\b(?P<subject>the user)\b.* their {_PARTNERS} {_NAME}\b",
        rf"\b(?P<subject>the user) said: \u201c.*\bmein\w* (?:freund|freundin|frau|mann|partner|partnerin|verlobte[nr]?) {_NAME}\b",
    )
)
_DIED: Final = _p(
    rf"^(?:(?:the )?[\w -]{{1,40}}'s (?P<kin>(?:\w+ ){{0,2}}?))?{_NAME}{_HAS}(?: had to be| was)? (?:died|passed away|put to sleep|put down)\b"
)
_LIVES: Final = _p(
    rf"^(?:(?:the )?[\w -]{{1,40}}'s (?P<kin>(?:\w+ ){{0,2}}?))?{_NAME} (?:is|has|lives|loves|likes|hates|works|plays|eats|sleeps|needs|wants|can|doesn't|can't|will|turns|studies|goes|keeps|speaks|takes|drinks|barks|weighs)\b"
)
#: Things of which a person has one in use, by the sort.
_SORTS: Final = MappingProxyType(
    {
        **dict.fromkeys(("linux", "windows", "macos", "ubuntu", "fedora", "debian", "chromeos", "arch"), "operating system"),
        **dict.fromkeys(("iphone", "android", "pixel", "galaxy", "fairphone"), "phone"),
        **dict.fromkeys(("firefox", "chrome", "safari", "brave", "edge", "vivaldi"), "browser"),
        **dict.fromkeys(("vim", "neovim", "emacs", "vscode", "pycharm", "sublime", "zed"), "editor"),
    }
)  # fmt: skip
_THING: Final = rf"(?:(?:an?|the|their|my) )?(?:new )?(?P<value>{'|'.join(_SORTS)})\b"
_SWITCHED: Final = _p(rf"{_SUBJECT}{_HAS} (?:switched|changed|moved|migrated|converted)(?: over)? to {_THING}")
_USES: Final = _p(rf"{_SUBJECT}{_HAS} (?:uses?|is using|runs?|is on|works? on|works? with|was on) {_THING}")
_GONE: Final = _p(
    rf"{_SUBJECT}{_HAS} (?:sold|got rid of|gave away|scrapped|returned|totalled) (?:the|their|an?) (?P<value>[^.,;!]{{1,40}}?)(?: (?:last|yesterday|on|in|for|because|and)\b.*)?[.,;!]?$"
)
_OWNS: Final = _p(rf"{_SUBJECT} (?:drives|owns|rides|uses) (?:an?|the|their) (?P<value>[^.,;!]{{1,40}})")
_TRIP: Final = r"(?:trip|flight|journey|holiday|vacation|visit|appointment|meeting|interview|party|wedding|move|booking|reservation|plans?)"
_CANCELLED: Final = _p(
    rf"{_SUBJECT}{_HAS}(?: had to)? (?:cancel(?:led|ed)?|call(?:ed)? off|postponed?|push(?:ed)? back|reschedul(?:ed|e)|put off) (?:the|their|our) (?P<what>(?:\w+ ){{0,2}}?{_TRIP})(?: (?:to|in|at|with) {_NAME})?"
)
_PLANNED: Final = _p(
    rf"{_SUBJECT} (?:(?:is|are) (?:flying|going|travelling|traveling|driving|moving|taking the train)|will (?:fly|go|travel|drive|move)|has an? (?:\w+ ){{0,2}}?{_TRIP}|plans? to (?:go|fly|travel|visit))(?: \w+){{0,3}}? (?:to|in|at|with) {_NAME}"
)


def ended(line: str) -> Iterator[Row]:
    """Yield what a line ends or replaces; ``holds`` is True where another value takes the place."""
    meat = _MEAT.match(line)
    german = _MEAT_DE.match(line)
    for who in [_norm(meat["subject"])] if meat else [_norm(german["who"])] if german else []:
        yield who, "vegetarian", "vegetarian", False
        yield who, "vegan", "vegan", False
    for pattern in _APART:
        match = pattern.match(line)
        if match:
            yield _norm(match["subject"]), "partner", match["name"].lower(), False
    died = _DIED.match(line)
    if died:
        yield _person(died), "life", "", False
    switched = _SWITCHED.match(line)
    if switched:
        yield _norm(switched["subject"]), _SORTS[switched["value"].lower()], switched["value"].lower(), True
    gone = _GONE.match(line)
    if gone:
        yield _norm(gone["subject"]), "possession", gone["value"].lower(), False
    cancelled = _CANCELLED.match(line)
    if cancelled and cancelled["name"]:
        yield _norm(cancelled["subject"]), "plan", cancelled["name"].lower(), False


def held(line: str) -> Iterator[Row]:
    """Yield what a line takes for granted; another line must end it, a third never replaces it."""
    for pattern in _PARTNER:
        match = pattern.search(line)
        if match:
            yield _norm(match["subject"]), "partner", match["name"].lower(), True
    lives = _LIVES.match(line)
    if lives:
        yield _person(lives), "life", "", True
    uses = _USES.match(line)
    if uses:
        yield _norm(uses["subject"]), _SORTS[uses["value"].lower()], uses["value"].lower(), True
    owns = _OWNS.match(line)
    if owns:
        yield _norm(owns["subject"]), "possession", owns["value"].lower(), True
    planned = _PLANNED.match(line)
    if planned:
        yield _norm(planned["subject"]), "plan", planned["name"].lower(), True


def _person(match: re.Match[str]) -> str:
    """Return "brother max": of two people of one name, only one has died."""
    return f"{match['kin'] or ''}{match['name']}".lower()


def _norm(subject: str) -> str:
    return re.sub(r"^the ", "", " ".join(subject.lower().replace("\u2019", "'").split()))
