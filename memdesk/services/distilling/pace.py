"""How fast sessions are read, checked and stored on this machine, the model's part apart: kept with the memory."""

from typing import Final

from memdesk.ports import Repositories

#: In the store's small values: ``{"characters", "seconds"}``, summed over the last sessions.
KEY: Final = "distill.pace"
#: From so many characters on the sum says something: fewer are mostly what a first session costs, engines loaded.
ENOUGH: Final = 20_000
#: Above this the sum is halved, so that what the machine does now counts for more than what it did.
KEPT: Final = 200_000


def note_pace(repos: Repositories, characters: int, seconds: float) -> None:
    """Add a session of so many characters, and the seconds that it took without the model."""
    known = repos.meta.get(KEY) or {"characters": 0, "seconds": 0.0}
    characters, seconds = known["characters"] + characters, known["seconds"] + seconds
    if characters > KEPT:
        characters, seconds = characters // 2, seconds / 2
    repos.meta.put(KEY, {"characters": characters, "seconds": round(seconds, 3)})


def pace(repos: Repositories) -> float | None:
    """Return the characters that are read, checked and stored in a second; None while too few were."""
    known = repos.meta.get(KEY)
    if known is None or known["characters"] < ENOUGH:
        return None
    return float(known["characters"] / max(known["seconds"], 1e-3))
