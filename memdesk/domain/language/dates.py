"""Makes relative dates absolute: "last Friday" in a session of 20 July 2023 is "last Friday (14 July 2023)".

The original words stay, since they show how near it was to the speaker. English only. Vague dates ("the other day",
"recently") stay as said.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple of": 2, "a couple of": 2, "a couple": 2,
}  # fmt: skip
_DAY: Final = r"mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
_COUNT: Final = r"a couple(?: of)?|couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3}"
_UNIT: Final = r"day|week|month|year"
_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
#: Not before a date that is already complete: "Tuesday 3 March", "Friday, the 6th", "Monday, March 9".
_UNDATED: Final = (
    rf"(?!,? (?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b|\d{{1,2}}(?:st|nd|rd|th)\b|{_MONTH} \d))"
)


@dataclass(frozen=True, slots=True)
class DatedSpan:
    """A date found in a text.

    Attributes:
        start, end: character span of the words.
        words: their replacement ("last Friday (14 July 2023)").
        day: first day of the period meant.
        until: last day of it.
    """

    start: int
    end: int
    words: str
    day: date
    until: date


def is_weekday(word: str) -> bool:
    """Return whether a lower-case word is a day of the week, or its plural."""
    return word.removesuffix("s") in _WEEKDAYS


def say_day(day: date) -> str:
    """Return ``day`` as people write it: "14 July 2023"."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def say_month(day: date) -> str:
    """Return the month of ``day``: "July 2023"."""
    return f"{_MONTHS[day.month - 1]} {day.year}"


def find_dates(text: str, today: date) -> list[DatedSpan]:
    """Find relative dates in ``text``, said on ``today``; spans do not overlap and come in order."""
    found: list[DatedSpan] = []
    taken = 0
    lowered = text.lower()
    matches = sorted(
        (
            (m.start(), -m.end(), number, m)
            for number, (pattern, _, needed) in enumerate(_RULES)
            if any(words in lowered for words in needed)
            for m in pattern.finditer(text)
        ),
        key=lambda item: item[:3],
    )
    for start, _, number, match in matches:
        if start < taken:
            continue
        resolved = _RULES[number][1](match, today)
        if resolved is None:
            continue
        words, day, until = resolved
        found.append(DatedSpan(start, match.end(), f"{match[0]} ({words.partition(' ')[2]})", day, until))
        taken = match.end()
    return found


_Resolved = tuple[str, date, date] | None
#: Signs that a sentence is about the past, or about the future.
_PAST: Final = re.compile(
    r"\b(?:was|were|had|did|didn't|went|came|saw|got|met|made|took|died|left|bought|told|said|found|lost|won|had|gave|ran|ate|drove|flew|fell|began|broke|"
    r"(?!need|feed|speed|bed|wed|shed|indeed|seed|red|used)\w{2,}ed)\b",
    re.IGNORECASE,
)
_TO_COME: Final = re.compile(
    r"\b(?:will|won't|shall|must|going to|gonna|have to|has to|need to|needs to|plan to|want to|wants to|hope to|remind|due|deadline|"
    r"(?:am|is|are|'m|'s|'re) (?:\w+ )?\w+ing)\b|'ll\b|\b(?:appointment|interview|exam|flight|meeting|surgery) (?:is|starts)\b|"
    r"\bhave an? (?:\w+ )?(?:appointment|interview|exam|flight|meeting|date|test)\b",
    re.IGNORECASE,
)


def _one(day: date) -> _Resolved:
    return f"on {say_day(day)}", day, day


def _shift_months(day: date, months: int) -> date:
    total = day.year * 12 + day.month - 1 + months
    return date(total // 12, total % 12 + 1, 1)


def _month(day: date) -> _Resolved:
    return f"in {say_month(day)}", day, _shift_months(day, 1) - timedelta(days=1)


def _year(year: int) -> _Resolved:
    return f"in {year}", date(year, 1, 1), date(year, 12, 31)


def _week(today: date, weeks: int) -> _Resolved:
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=weeks)
    return f"in the week of {say_day(monday)}", monday, monday + timedelta(days=6)


def _weekend(today: date, weeks: int) -> _Resolved:
    saturday = today - timedelta(days=today.weekday()) + timedelta(weeks=weeks, days=5)
    return f"on the weekend of {say_day(saturday)}", saturday, saturday + timedelta(days=1)


def _near_day(match: re.Match[str], today: date) -> _Resolved:
    word = match[1].lower().replace("tonite", "tonight")
    offset = {"yesterday": -1, "last night": -1, "tomorrow": 1}.get(word, 0)
    return _one(today + timedelta(days=offset))


def _weekday(match: re.Match[str], today: date) -> _Resolved:
    wanted = next(i for i, name in enumerate(_WEEKDAYS) if name.startswith(match["day"].lower()[:3]))
    which = match["which"].lower()
    back = (today.weekday() - wanted - 1) % 7 + 1
    if which in {"last", "past", "this past"}:
        return _one(today - timedelta(days=back))
    ahead = (wanted - today.weekday() - 1) % 7 + 1
    if which == "next" and ahead < 7 and today.weekday() < wanted:
        ahead += 7  # "next Friday", said on a Monday, is not the Friday of this week
    return _one(today + timedelta(days=ahead))


def _bare_weekday(match: re.Match[str], today: date) -> _Resolved:
    """Resolve "on Friday" by the rest of the sentence: "I have to call on Friday", "he died on Friday"."""
    before = max(match.string.rfind(mark, 0, match.start()) for mark in ".!?;\n")
    ends = [at for mark in ".!?;\n" if (at := match.string.find(mark, match.end())) >= 0]
    sentence = match.string[before + 1 : min(ends, default=len(match.string))]
    until = match["prep"].lower() in {"by", "until", "till"}
    if not until and (_PAST.search(sentence) is not None) == (_TO_COME.search(sentence) is not None):
        return None
    wanted = next(i for i, name in enumerate(_WEEKDAYS) if name == match["day"].lower())
    if until or _TO_COME.search(sentence):
        return _one(today + timedelta(days=(wanted - today.weekday() - 1) % 7 + 1))
    return _one(today - timedelta(days=(today.weekday() - wanted - 1) % 7 + 1))


def _period(match: re.Match[str], today: date) -> _Resolved:
    step = {"last": -1, "past": -1, "this past": -1, "next": 1, "this coming": 1, "coming": 1, "this": 0}[
        match["which"].lower()
    ]
    unit = match["unit"].lower()
    if unit == "week":
        return _week(today, step)
    if unit == "weekend":
        # Said on a weekend, "this past weekend" may be the present one, but far more often means the one before.
        return _weekend(today, step)
    if unit == "month":
        return _month(_shift_months(today, step))
    if unit == "year":
        return _year(today.year + step)
    season = {"spring": 3, "summer": 6, "fall": 9, "autumn": 9, "winter": 12}[unit]
    year = today.year + step
    if step == -1 and today.month > season + 2:
        year = today.year
    if step == 1 and today.month < season:
        year = today.year
    name = "fall" if unit == "fall" else unit
    return (
        f"in the {name} of {year}",
        date(year, season, 1),
        _shift_months(date(year, season, 1), 3) - timedelta(days=1),
    )


def _count(words: str) -> int:
    key = words.lower()
    return int(key) if key.isdigit() else _NUMBERS[key]


def _ago(match: re.Match[str], today: date) -> _Resolved:
    return _distance(today, -_count(match["count"]), match["unit"].lower())


def _ahead(match: re.Match[str], today: date) -> _Resolved:
    return _distance(today, _count(match["count"]), match["unit"].lower())


def _distance(today: date, count: int, unit: str) -> _Resolved:
    if unit == "day":
        return _one(today + timedelta(days=count))
    if unit == "week":
        return _week(today, count)
    if unit == "month":
        return _month(_shift_months(today, count))
    year = today.year + count
    return _year(year) if year > 0 else None


#: Pattern, its meaning, and words one of which every match contains: searching for those is much faster.
_RULES: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], _Resolved], tuple[str, ...]], ...]] = (
    (
        re.compile(
            r"\b(yesterday|today|tonight|tonite|tomorrow|last night|this morning|this afternoon|this evening)\b",
            re.IGNORECASE,
        ),
        _near_day,
        ("yesterday", "today", "tonigh", "tonite", "tomorrow", "last night", "this "),
    ),
    (
        re.compile(
            rf"\b(?:on )?(?P<which>this past|last|past|next|this coming|this) (?P<day>{_DAY})\b{_UNDATED}",
            re.IGNORECASE,
        ),
        _weekday,
        ("last ", "past ", "next ", "coming ", "this "),
    ),
    (
        re.compile(
            rf"\b(?P<prep>on|by|until|till) (?P<day>{'|'.join(_WEEKDAYS)})\b(?! (?:mornings|evenings|afternoons|nights)\b){_UNDATED}",
            re.IGNORECASE,
        ),
        _bare_weekday,
        ("on ", "by ", "until ", "till "),
    ),
    (
        re.compile(
            r"\b(?:in |over |during )?(?:the )?(?P<which>this past|last|past|next|this coming|coming|this) "
            r"(?P<unit>weekend|week|month|year|spring|summer|fall|autumn|winter)\b",
            re.IGNORECASE,
        ),
        _period,
        ("last ", "past ", "next ", "coming ", "this "),
    ),
    (
        re.compile(rf"\b(?:about |around |almost |over )?(?P<count>{_COUNT}) (?P<unit>{_UNIT})s? ago\b", re.IGNORECASE),
        _ago,
        (" ago",),
    ),
    (
        re.compile(
            rf"\bin (?:about |around )?(?P<count>{_COUNT}) (?P<unit>{_UNIT})s?(?: time)?\b(?! of\b)", re.IGNORECASE
        ),
        _ahead,
        tuple(f" {unit}" for unit in _UNIT.split("|")),
    ),
)
