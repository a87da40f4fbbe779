"""The services behind servers that share a database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.domain.models import ApiToken
    from memdesk.ports import Clock
    from memdesk.ports.library import Requests
    from memdesk.services.library import MemoryService


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What the server needs.

    Attributes:
        memory: returns the memory of a tenant.
        check: returns the token of a secret (its id is the tenant), or None if it is unknown.
        requests: ensures that a retried request is carried out once, whichever server gets it.
    """

    memory: Callable[[str], MemoryService]
    check: Callable[[str], ApiToken | None]
    requests: Requests
    clock: Clock
