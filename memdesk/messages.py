"""Sentences for the user, said in English at once and in another language later.

Services know no Qt and speak English: to the HTTP interface, the command line, the log. The window says the same in the
user's language, and much is shown long after it was said. So a sentence keeps its code and its values; who needs no
more than English takes it as the text it is.
"""

from __future__ import annotations

import json
import string
from collections.abc import Iterator, Mapping
from typing import Any, Final, Self

#: What a stored message begins with; a text that begins so by itself is stored as a message is.
_MARK: Final = "\x1f"


class Message(str):
    """An English sentence that can be said in another language.

    Attributes:
        code: the sentence with its places, as in :meth:`str.format`; what a translator translates. ``{n}`` is a count:
            it chooses the plural, and ``{n:message}`` says "1 message" or "2 messages".
        values: what stands in the places: figures, names, other messages.
    """

    __slots__ = ("code", "values")
    code: str
    values: Mapping[str, Any]

    def __new__(cls, code: str, /, **values: Any) -> Self:
        """Fill ``code``; a sentence without values is taken as it stands, braces and all.

        Raises:
            KeyError: a place has no value.
        """
        made = super().__new__(cls, _ENGLISH.format(code, **values) if values else code)
        made.code, made.values = code, values
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle code and values, so that a message survives the way between processes."""
        return _again, (type(self), self.code, dict(self.values))

    def __add__(self, other: str) -> Message:
        return Message("{first}{then}", first=self, then=other)

    def __radd__(self, other: str) -> Message:
        return Message("{first}{then}", first=other, then=self)


#: Marks a sentence for the translator and fills it, as gettext's ``_`` does.
say = Message


def stored(text: str) -> str:
    """Return what a database keeps of a text: its code and values too, where it is a message that has any."""
    if isinstance(text, Message) and text.values:
        return _MARK + json.dumps(_plain(text), ensure_ascii=False)
    return _MARK + json.dumps(text, ensure_ascii=False) if text.startswith(_MARK) else str(text)


def recalled(text: str) -> str:
    """Return the message that :func:`stored` was given; other texts as they are."""
    if not text.startswith(_MARK):
        return text
    kept = json.loads(text[1:])
    return kept if isinstance(kept, str) else _message(kept)


def placed(code: str) -> str:
    """Return a code as translators see it: the count as ``%n`` with its noun, other places by their bare names."""
    return "".join(literal + _place(name, spec or "") for literal, name, spec, _ in string.Formatter().parse(code))


def places(code: str) -> Iterator[tuple[str, str]]:
    """Yield name and format of each place but the count's."""
    for _, name, spec, _ in string.Formatter().parse(code):
        if name and name != "n":
            yield name, spec or ""


def _place(name: str | None, spec: str) -> str:
    if name is None:
        return ""
    noun = _noun(spec)
    return ("%n" + (f" {noun}s" if noun else "")) if name == "n" else f"{{{name}}}"


class _English(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        noun = _noun(format_spec)
        if noun and isinstance(value, int):
            return f"{value:,} {noun}{'' if value == 1 else 's'}"
        # A day is stored in the form that it was said in.
        return value if isinstance(value, str) else str(super().format_field(value, format_spec))


_ENGLISH: Final = _English()


def _noun(spec: str) -> str:
    """Return the noun of a count: a format that is a word; Python's own formats are not."""
    return spec if len(spec) > 1 and spec.replace(" ", "").isalpha() else ""


def _plain(message: Message) -> list[Any]:
    forms = dict(places(message.code))
    return [message.code, {name: _kept(value, forms.get(name, "")) for name, value in message.values.items()}]


def _kept(value: Any, form: str) -> Any:
    if isinstance(value, Message):
        return _plain(value)
    return value if isinstance(value, str | int | float) else format(value, form)


def _message(plain: list[Any]) -> Message:
    code, values = plain
    return Message(code, **{name: _message(v) if isinstance(v, list) else v for name, v in values.items()})


def _again(kind: type[Message], code: str, values: dict[str, Any]) -> Message:
    return kind(code, **values)
