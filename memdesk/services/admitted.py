"""Asks a server again that told when to come."""

import time
from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeVar

#: Times that a request comes again, and the longest that it is waited for, in seconds.
TRIES: Final = 12
LONGEST: Final = 5.0


class Answer(Protocol):
    """The part of an HTTP answer that says whether to come again."""

    @property
    def status_code(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]: ...


AnswerT = TypeVar("AnswerT", bound=Answer)


def admitted(send: Callable[[], AnswerT]) -> AnswerT:
    """Send a request, again after a 429 that names a few seconds; return the last answer."""
    for _ in range(TRIES):
        answer = send()
        told = answer.headers.get("Retry-After", "") if answer.status_code == 429 else ""
        if not told.isdecimal() or int(told) > LONGEST:
            return answer
        time.sleep(int(told))
    return send()
