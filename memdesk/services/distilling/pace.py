"""How fast sessions are read, checked and stored on this machine, without the model; stored with the memory."""

from typing import Final

from memdesk.ports import Repositories

#: In the store's small values: ``{"characters", "seconds"}``, summed over the last sessions.
KEY: Final = "distill.pace"
#: Minimum characters for a meaningful sum: fewer are mostly the startup cost of engines.
ENOUGH: Final = 20_000
#: Above this the sum is halved, so that recent sessions weigh more.
KEPT: Final = 200_000


def note_pace(repos: Repositories, characters: int, seconds: float) -> None:
    """Add a session's characters, and its seconds without the model."""
    known = repos.meta.get(KEY) or {"characters": 0, "seconds": 0.0}
    characters, seconds = known["characters"] + characters, known["seconds"] + seconds
    if characters > KEPT:
        characters, seconds = characters // 2, seconds / 2
    repos.meta.put(KEY, {"characters": characters, "seconds": round(seconds, 3)})


def pace(repos: Repositories) -> float | None:
    """Return the characters read, checked and stored per second; None while there are too few."""
    known = repos.meta.get(KEY)
    if known is None or known["characters"] < ENOUGH:
        return None
    return float(known["characters"] / max(known["seconds"], 1e-3))
