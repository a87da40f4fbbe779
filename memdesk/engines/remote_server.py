"""A model server that the user set up."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Server:
    """What is needed to reach one.

    Attributes:
        timeout: seconds without a token before giving up.
    """

    name: str
    base_url: str
    key: str | None
    timeout: float

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}
