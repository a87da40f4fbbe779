"""How long learning from conversations takes on this machine: shown before an import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memdesk.services.distilling.model import DIGEST_TOKENS
from memdesk.services.distilling.refusal import WHY_SKIPPED, refusal

if TYPE_CHECKING:
    from memdesk.domain.models import Agent
    from memdesk.ports import CancelToken
    from memdesk.ports.models import Speed
    from memdesk.services.distilling.distillation import DistillationService
    from memdesk.services.models import ModelsService
    from memdesk.services.settings import SettingsService

#: Characters read, checked and stored per second, without the model, until this machine's own pace is known: measured
#: on two cores.
READ_CHARS: Final = 1500.0
#: Tokens of a weak model's prompt for choosing lines, and of its answer.
CHOICE_PROMPT: Final = 450
CHOICE_ANSWER: Final = 20
#: The same for a model that writes the digest, without the conversation itself.
DIGEST_PROMPT: Final = 900
DIGEST_ANSWER: Final = DIGEST_TOKENS / 2
#: Characters per token in chats in European languages.
TOKEN_CHARS: Final = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What learning will take.

    Attributes:
        seconds: of work; None if the model's speed is unknown.
        reason: why nothing would be learned; empty if something would.
    """

    seconds: float | None = None
    reason: str = ""


def learning_seconds(
    sessions: int, characters: int, speed: Speed | None, *, writes: bool, pace: float = READ_CHARS
) -> float:
    """Return the seconds for distilling ``sessions`` with a total of ``characters``.

    Args:
        sessions: each costs one call of the model.
        characters: of all their messages.
        speed: the model's; None for rules without a model.
        writes: whether it writes digests, reading the whole conversation, or only chooses among lines.
        pace: characters read, checked and stored per second, without the model.
    """
    seconds = characters / pace
    if speed is None:
        return seconds
    read, written = (DIGEST_PROMPT, DIGEST_ANSWER) if writes else (CHOICE_PROMPT, CHOICE_ANSWER)
    tokens = sessions * read + (characters / TOKEN_CHARS if writes else 0.0)
    seconds += tokens / max(speed.prompt_tokens_per_second, 1.0)
    return seconds + sessions * written / max(speed.tokens_per_second, 0.1)


def forecast(
    sessions: int,
    characters: int,
    *,
    agent: Agent | None,
    settings: SettingsService,
    models: ModelsService,
    distillation: DistillationService,
    cancel: CancelToken | None = None,
) -> Forecast:
    """Estimate the chosen core model's time; an unknown speed is measured, which takes seconds.

    A server's model is not measured: it may cost money.

    ``agent``: whose memory they become; None for one not created yet.

    Raises:
        ModelMissingError, CancelledError, EngineError: as ``ModelsService.measure``.
    """
    memory = settings.current.memory
    reason = refusal(memory, agent)
    if reason:
        return Forecast(reason=WHY_SKIPPED[reason])
    pace = distillation.pace() or READ_CHARS
    if memory.extraction_mode == "rules":
        return Forecast(seconds=learning_seconds(sessions, characters, None, writes=False, pace=pace))
    speed = models.speed(memory.core_model)
    if speed is None and memory.core_model.startswith("remote:"):
        return Forecast()
    speed = speed or models.measure(memory.core_model, cancel=cancel)
    grade = distillation.grade(memory.core_model)
    writes = grade is None or grade.grade == "writes"
    return Forecast(seconds=learning_seconds(sessions, characters, speed, writes=writes, pace=pace))
